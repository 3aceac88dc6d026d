//! Actions and outcomes with their notation (PB-4).

use crate::contract::Notation;
use crate::error::ParseActionError;
use crate::notation::normalize;

use super::game::Game;

/// One decision. The order is that of the ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// Drop a pebble: kind and column.
    Drop(u8, u8),
    /// Take the full column.
    Claim,
    /// Close the full column.
    Leave,
}

/// A kind drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Outcome(pub u8);

impl Notation for Game {
    fn format_action(&self, action: Action) -> String {
        match action {
            Action::Drop(kind, column) => {
                format!("drop {} {}", self.components.kinds[usize::from(kind)].name, (b'a' + column) as char)
            }
            Action::Claim => "claim".to_owned(),
            Action::Leave => "leave".to_owned(),
        }
    }

    fn parse_action(&self, text: &str) -> Result<Action, ParseActionError> {
        let normal = normalize(text);
        let column = |text: &str| match *text.as_bytes() {
            [letter] => letter.checked_sub(b'a').filter(|&column| usize::from(column) < self.settings.columns),
            _ => None,
        };
        let action = match *normal.split(' ').collect::<Vec<_>>().as_slice() {
            ["claim"] => Some(Action::Claim),
            ["leave"] => Some(Action::Leave),
            ["drop", kind, at] => self.components.kind(kind).zip(column(at)).map(|(kind, column)| Action::Drop(kind, column)),
            _ => None,
        };
        action.ok_or_else(|| ParseActionError::new(text, "drop KIND COLUMN, claim or leave"))
    }

    fn format_outcome(&self, outcome: Outcome) -> String {
        self.components.kinds[usize::from(outcome.0)].name.clone()
    }

    fn parse_outcome(&self, text: &str) -> Result<Outcome, ParseActionError> {
        let kind = self.components.kind(&normalize(text));
        kind.map(Outcome).ok_or_else(|| ParseActionError::new(text, "a kind of pebble"))
    }
}
