//! Colours, kinds of tiles, squares and directions (QN-2.2, QN-2.3, QN-6.1).

/// A province colour (QN-2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Colour {
    /// `b`
    Blue = 0,
    /// `r`
    Red = 1,
    /// `y`
    Yellow = 2,
}

impl Colour {
    /// All three in order.
    pub const ALL: [Self; 3] = [Self::Blue, Self::Red, Self::Yellow];

    /// Its index.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `b`, `r` or `y`.
    #[must_use]
    pub const fn letter(self) -> char {
        ['b', 'r', 'y'][self as usize]
    }

    /// `blue`, `red` or `yellow`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["blue", "red", "yellow"][self as usize]
    }

    /// The colour of a lower-case letter.
    #[must_use]
    pub const fn from_letter(letter: u8) -> Option<Self> {
        match letter {
            b'b' => Some(Self::Blue),
            b'r' => Some(Self::Red),
            b'y' => Some(Self::Yellow),
            _ => None,
        }
    }
}

/// A kind of tile, and the outcome of a draw: `bb br by rr ry yy` are 0 to 5 (QN-2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind(u8);

impl Kind {
    /// Number of kinds.
    pub const COUNT: usize = 6;
    const NAMES: [&'static str; Self::COUNT] = ["bb", "br", "by", "rr", "ry", "yy"];
    const OF_COLOURS: [[u8; 3]; 3] = [[0, 1, 2], [1, 3, 4], [2, 4, 5]];

    /// All kinds in order.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..Self::COUNT as u8).map(Self)
    }

    /// The kind with this number.
    #[must_use]
    pub const fn new(index: usize) -> Option<Self> {
        if index < Self::COUNT { Some(Self(index as u8)) } else { None }
    }

    /// The kind that has these two colours.
    #[must_use]
    pub const fn of(first: Colour, second: Colour) -> Self {
        Self(Self::OF_COLOURS[first as usize][second as usize])
    }

    /// How many of its two halves have this colour.
    pub(super) const fn halves(self, colour: Colour) -> usize {
        const HALVES: [[usize; 3]; Kind::COUNT] = [[2, 0, 0], [1, 1, 0], [1, 0, 1], [0, 2, 0], [0, 1, 1], [0, 0, 2]];
        HALVES[self.0 as usize][colour as usize]
    }

    /// Its number.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its two letters.
    #[must_use]
    pub const fn name(self) -> &'static str {
        Self::NAMES[self.0 as usize]
    }

    /// The kind called `name`, exactly.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|kind| kind.name() == name)
    }
}

/// A square: `row * (columns + 1) + column`, both from 0 (one unused number closes each row).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(pub(super) u16);

impl Square {
    /// The number.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where the second square of a pair lies from the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Direction {
    /// The squares are side by side.
    Right = 0,
    /// The second is below the first.
    Down = 1,
}

impl Direction {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Right, Self::Down];
}
