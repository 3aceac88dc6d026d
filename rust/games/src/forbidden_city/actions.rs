//! Actions, draws, their ids and notation (FC-3.2, FC-6.1).

use forbidden_games_core::error::ParseActionError;
use forbidden_games_core::notation::{normalize, parse_canonical_integer};

use super::Game;

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

impl Game {
    /// The coordinates of a space (CONVENTIONS 4): x to the east, y to the north, the start tile's centre at 0,0.
    pub(super) fn coordinates(&self, space: u16) -> (i32, i32) {
        let (table, half) = (self.tables.table as i32, self.tables.half());
        (i32::from(space) % table - half, half - i32::from(space) / table)
    }

    /// The space at `x,y`, if it is on the table.
    pub(super) fn space_at(&self, x: i32, y: i32) -> Option<u16> {
        let half = self.tables.half();
        (x.abs() <= half && y.abs() <= half).then(|| ((half - y) * self.tables.table as i32 + x + half) as u16)
    }

    pub(super) fn format_space(&self, space: u16) -> String {
        let (x, y) = self.coordinates(space);
        format!("{x},{y}")
    }

    pub(super) fn id_of(&self, action: Action) -> u32 {
        match action {
            Action::Lay { space, rotation } => u32::from(space) * 4 + u32::from(rotation),
            Action::Discard => self.tables.discard_id(),
        }
    }

    pub(super) fn action_of(&self, id: u32) -> Option<Action> {
        match id.cmp(&self.tables.discard_id()) {
            std::cmp::Ordering::Less => Some(Action::Lay { space: (id / 4) as u16, rotation: (id % 4) as u8 }),
            std::cmp::Ordering::Equal => Some(Action::Discard),
            std::cmp::Ordering::Greater => None,
        }
    }

    pub(super) fn action_text(&self, action: Action) -> String {
        match action {
            Action::Lay { space, rotation } => format!("{} r{rotation}", self.format_space(space)),
            Action::Discard => "discard".to_owned(),
        }
    }

    pub(super) fn read_action(&self, text: &str) -> Result<Action, ParseActionError> {
        let half = self.tables.half();
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

    pub(super) fn read_outcome(&self, text: &str) -> Result<Outcome, ParseActionError> {
        let components = &self.tables.components;
        match components.kind_by_id(text.trim()) {
            Some(kind) => Ok(Outcome { kind: kind as u8 }),
            None => {
                let ids: Vec<&str> = components.kinds.iter().map(|kind| kind.id.as_str()).collect();
                Err(ParseActionError::new(text, format!("a kind of tile: {}", ids.join(", "))))
            }
        }
    }
}
