//! Tiles, placements, their ids and their notation (QN-2.2, QN-2.3, QN-6).
//!
//! # Stability
//! `id = (3 c1 + c2) * pairs + pair`: `c1`, `c2` the colours on the two squares (b 0, r 1, y 2), `pair` the number of the pair among
//! all pairs of adjacent squares of the rectangle, first those side by side, then those one above the other, each in reading order
//! of the first square. The last id is `pass`. Outcome ids are the kinds in the order of QN-2.3.

use forbidden_games_core::error::ParseActionError;

use super::Game;
use super::ground::Ground;

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

/// A tile laid on a pair, this way round (QN-6.1). `Ord` is the order of ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placement {
    /// The colour on the first square.
    pub first: Colour,
    /// The colour on the second square.
    pub second: Colour,
    /// Where the second square lies.
    pub direction: Direction,
    /// The first square: the left or upper one.
    pub square: Square,
}

impl Placement {
    /// The kind of the tile.
    #[must_use]
    pub const fn kind(self) -> Kind {
        Kind::of(self.first, self.second)
    }
}

/// One decision. `Ord` is the order of ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// Lay a tile.
    Place(Placement),
    /// Forced pass (QN-5.14).
    Pass,
}

const EXPECTED: &str = "<c1><c2>:<square1><square2> with adjacent squares of the board, the left or upper one first \
                        (ry:d4e4), or pass (QN-6.1)";

impl Game {
    pub(super) fn id_of_action(&self, action: Action) -> u32 {
        let pairs = self.ground.num_pairs();
        match action {
            Action::Place(placement) => {
                let pair = self.ground.pair_number(placement.direction, placement.square);
                debug_assert!(pair.is_some(), "a pair of this board");
                ((3 * placement.first.index() + placement.second.index()) * pairs + pair.unwrap_or(0)) as u32
            }
            Action::Pass => 9 * pairs as u32,
        }
    }

    pub(super) fn action_of_id(&self, id: u32) -> Option<Action> {
        let (id, pairs) = (id as usize, self.ground.num_pairs());
        if id >= 9 * pairs {
            return (id == 9 * pairs).then_some(Action::Pass);
        }
        let (direction, square) = self.ground.pair(id % pairs);
        let colours = id / pairs;
        Some(Action::Place(Placement { first: Colour::ALL[colours / 3], second: Colour::ALL[colours % 3], direction, square }))
    }

    pub(super) fn write_action(&self, action: Action) -> String {
        match action {
            Action::Place(placement) => {
                format!("{}{}:{}", placement.first.letter(), placement.second.letter(), self.pair_name(placement))
            }
            Action::Pass => "pass".to_owned(),
        }
    }

    /// `d4e4`.
    pub(super) fn pair_name(&self, placement: Placement) -> String {
        let second = Square(placement.square.0 + self.ground.step(placement.direction) as u16);
        self.ground.name(placement.square) + &self.ground.name(second)
    }

    pub(super) fn read_action(&self, text: &str) -> Result<Action, ParseActionError> {
        let plain = squeeze(text);
        if plain == "pass" {
            return Ok(Action::Pass);
        }
        plain
            .split_once(':')
            .and_then(|(colours, squares)| {
                let (first, second) = parse_colours(colours)?;
                let (one, other) = parse_squares(&self.ground, squares)?;
                self.placement(first, second, one, other)
            })
            .map(Action::Place)
            .ok_or_else(|| ParseActionError::new(text, EXPECTED))
    }

    /// The placement with its squares in this order, if they are a pair.
    fn placement(&self, first: Colour, second: Colour, one: Square, other: Square) -> Option<Placement> {
        let direction = Direction::ALL.into_iter().find(|&direction| one.index() + self.ground.step(direction) == other.index())?;
        self.ground.pair_number(direction, one)?;
        Some(Placement { first, second, direction, square: one })
    }

    /// What a person may mean by `text`: squares the wrong way round, a missing colon, other marks between.
    pub(super) fn guess_action(&self, text: &str) -> Option<Action> {
        let squeezed = squeeze(text);
        if squeezed.chars().count() >= LONGEST {
            return None;
        }
        let plain: String = squeezed.chars().filter(|c| !":-,./".contains(*c)).collect();
        let (first, second) = parse_colours(plain.get(..2)?)?;
        let (one, other) = parse_squares(&self.ground, plain.get(2..)?)?;
        self.placement(first, second, one, other).or_else(|| self.placement(second, first, other, one)).map(Action::Place)
    }

    pub(super) fn read_outcome(&self, text: &str) -> Result<Kind, ParseActionError> {
        Kind::from_name(&squeeze(text))
            .ok_or_else(|| ParseActionError::new(text, "one of the kinds bb, br, by, rr, ry, yy (QN-2.3)"))
    }
}

/// No notation is longer than 9 characters, with marks between them 17; what is longer is cut here and is no notation.
const LONGEST: usize = 32;

/// Without blanks and in lower case (QN-6.3), cut to a length that no notation has.
fn squeeze(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_lowercase()).take(LONGEST).collect()
}

fn parse_colours(text: &str) -> Option<(Colour, Colour)> {
    match *text.as_bytes() {
        [first, second] => Some((Colour::from_letter(first)?, Colour::from_letter(second)?)),
        _ => None,
    }
}

/// Two square names without anything between.
fn parse_squares(ground: &Ground, text: &str) -> Option<(Square, Square)> {
    let split = text.bytes().skip(1).position(|byte| byte.is_ascii_lowercase())? + 1;
    Some((ground.parse(text.get(..split)?)?, ground.parse(text.get(split..)?)?))
}
