//! Sides and quarter turns (CONVENTIONS 4): sides are listed north, east, south, west; `rK` turns clockwise K times.

/// One of the four sides of a square tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Side {
    /// Up.
    North = 0,
    /// Right.
    East = 1,
    /// Down.
    South = 2,
    /// Left.
    West = 3,
}

impl Side {
    /// All four in order.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// Its index 0..4.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The side with this index, modulo 4.
    #[must_use]
    pub const fn from_index(index: usize) -> Self {
        Self::ALL[index % 4]
    }

    /// The side that faces it.
    #[must_use]
    pub const fn opposite(self) -> Self {
        Self::from_index(self as usize + 2)
    }

    /// Where this side goes when its tile is turned clockwise by `turns` quarter turns.
    #[must_use]
    pub const fn turned(self, turns: usize) -> Self {
        Self::from_index(self as usize + turns)
    }

    /// Its letter: `n`, `e`, `s`, `w`.
    #[must_use]
    pub const fn letter(self) -> char {
        ['n', 'e', 's', 'w'][self as usize]
    }

    /// The side with this lower-case letter.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'n' => Some(Self::North),
            'e' => Some(Self::East),
            's' => Some(Self::South),
            'w' => Some(Self::West),
            _ => None,
        }
    }
}

/// The four sides after `turns` clockwise quarter turns: what was on side i is then on side (i + turns) mod 4.
#[must_use]
pub fn turn_sides<T: Copy>(sides: [T; 4], turns: usize) -> [T; 4] {
    std::array::from_fn(|side| sides[(side + 4 - turns % 4) % 4])
}
