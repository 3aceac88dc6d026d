//! Placements and their notation (QN-6).

use forbidden_games_core::contract::Notation;
use forbidden_games_core::error::ParseActionError;

use super::game::Game;
use super::tables::Tables;
use super::tiles::{Colour, Direction, Kind, Square};

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

    /// Its two squares.
    pub(super) fn squares(self, tables: &Tables) -> [Square; 2] {
        [self.square, tables.second(self.direction, self.square)]
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

impl Notation for Game {
    fn format_action(&self, action: Action) -> String {
        match action {
            Action::Place(placement) => {
                format!("{}{}:{}", placement.first.letter(), placement.second.letter(), self.pair_name(placement))
            }
            Action::Pass => "pass".to_owned(),
        }
    }

    fn parse_action(&self, text: &str) -> Result<Action, ParseActionError> {
        let plain = squeeze(text);
        if plain == "pass" {
            return Ok(Action::Pass);
        }
        plain
            .split_once(':')
            .and_then(|(colours, squares)| {
                let (first, second) = parse_colours(colours)?;
                let (one, other) = parse_squares(&self.tables, squares)?;
                self.placement(first, second, one, other)
            })
            .map(Action::Place)
            .ok_or_else(|| ParseActionError::new(text, EXPECTED))
    }

    fn format_outcome(&self, outcome: Kind) -> String {
        outcome.name().to_owned()
    }

    fn parse_outcome(&self, text: &str) -> Result<Kind, ParseActionError> {
        Kind::from_name(&squeeze(text))
            .ok_or_else(|| ParseActionError::new(text, "one of the kinds bb, br, by, rr, ry, yy (QN-2.3)"))
    }

    /// The squares: `d4e4`.
    fn action_group(&self, action: Action) -> String {
        match action {
            Action::Place(placement) => self.pair_name(placement),
            Action::Pass => self.format_action(action),
        }
    }

    fn is_square(&self, text: &str) -> bool {
        self.tables.parse(&text.trim().to_ascii_lowercase()).is_some()
    }
}

impl Game {
    /// `d4e4`.
    fn pair_name(&self, placement: Placement) -> String {
        let [one, other] = placement.squares(&self.tables);
        self.tables.name(one) + &self.tables.name(other)
    }

    /// The placement with its squares in this order, if they are a pair.
    pub(super) fn placement(&self, first: Colour, second: Colour, one: Square, other: Square) -> Option<Placement> {
        let direction = Direction::ALL.into_iter().find(|&direction| self.tables.second(direction, one) == other)?;
        self.tables.pair_number(direction, one)?;
        Some(Placement { first, second, direction, square: one })
    }
}

/// No notation is longer than 9 characters, with marks between them 17; what is longer is cut here and is no notation.
pub(super) const LONGEST: usize = 32;

/// Without blanks and in lower case (QN-6.3), cut to a length that no notation has.
pub(super) fn squeeze(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_lowercase()).take(LONGEST).collect()
}

pub(super) fn parse_colours(text: &str) -> Option<(Colour, Colour)> {
    match *text.as_bytes() {
        [first, second] => Some((Colour::from_letter(first)?, Colour::from_letter(second)?)),
        _ => None,
    }
}

/// Two square names without anything between.
pub(super) fn parse_squares(tables: &Tables, text: &str) -> Option<(Square, Square)> {
    let split = text.bytes().skip(1).position(|byte| byte.is_ascii_lowercase())? + 1;
    Some((tables.parse(text.get(..split)?)?, tables.parse(text.get(split..)?)?))
}
