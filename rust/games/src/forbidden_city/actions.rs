//! Actions, draws and their notation (FC-3.2, FC-6.1).

use forbidden_games_core::contract::Notation;
use forbidden_games_core::error::ParseActionError;
use forbidden_games_core::notation::{normalize, parse_canonical_integer};

use super::game::Game;

/// One decision. Its id is `space * 4 + rotation`, with spaces in reading order (y from high to low, then x from low to high), and
/// `4 * table * table` for a discard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// Lay the hand tile.
    Lay {
        /// Space of the table in reading order.
        space: u16,
        /// Clockwise quarter turns, 0 to 3.
        rotation: u8,
    },
    /// Put the hand tile out of the game (FC-5.5).
    Discard,
}

/// One drawn tile: a kind, by its place in the component set. That is its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Outcome {
    /// Index in the component set.
    pub kind: u8,
}

impl Notation for Game {
    fn format_action(&self, action: Action) -> String {
        match action {
            Action::Lay { space, rotation } => format!("{} r{rotation}", self.format_space(space)),
            Action::Discard => "discard".to_owned(),
        }
    }

    fn parse_action(&self, text: &str) -> Result<Action, ParseActionError> {
        let half = self.half();
        let expected =
            || ParseActionError::new(text, format!("x,y rK such as 0,2 r1 with x and y from -{half} to {half}, or discard"));
        // Longer text cannot be notation, however many blanks it has.
        if text.len() > 1000 {
            return Err(expected());
        }
        let normal = normalize(text);
        if normal == "discard" {
            return Ok(Action::Discard);
        }
        let (x, rest) = normal.split_once(',').ok_or_else(expected)?;
        let (y, turn) = rest.trim_start().split_once(' ').ok_or_else(expected)?;
        let rotation = match turn {
            "r0" => 0,
            "r1" => 1,
            "r2" => 2,
            "r3" => 3,
            _ => return Err(expected()),
        };
        let x = parse_canonical_integer(x.trim_end()).ok_or_else(expected)?;
        let y = parse_canonical_integer(y).ok_or_else(expected)?;
        let space = self.space_at(x, y).ok_or_else(expected)?;
        Ok(Action::Lay { space, rotation })
    }

    fn format_outcome(&self, outcome: Outcome) -> String {
        self.kinds()[usize::from(outcome.kind)].id.clone()
    }

    fn parse_outcome(&self, text: &str) -> Result<Outcome, ParseActionError> {
        if let Some(kind) = self.settings.components.kind_by_id(text.trim()) {
            Ok(Outcome { kind: kind as u8 })
        } else {
            let ids: Vec<&str> = self.kinds().iter().map(|kind| kind.id.as_str()).collect();
            Err(ParseActionError::new(text, format!("a kind of tile: {}", ids.join(", "))))
        }
    }

    fn is_square(&self, text: &str) -> bool {
        self.parse_action(&format!("{text} r0")).is_ok()
    }
}
