//! Why an action is not legal: the rule and the reason, without a list of the legal ones.

use crate::error::Refusal;

use super::game::Game;
use super::options::ClaimRule;
use super::state::State;

impl Game {
    /// PB-4
    pub(super) fn check_drop(&self, state: &State, kind: u8, column: u8) -> Result<(), Refusal> {
        if state.hands[state.public.player.index()].get(usize::from(kind)).is_none_or(|&count| count == 0) {
            return Err(Refusal::new("PB-4", "no such pebble in the hand"));
        }
        match state.public.columns.get(usize::from(column)) {
            Some(column) if !column.closed => Ok(()),
            _ => Err(Refusal::new("PB-4", "the column is closed")),
        }
    }

    /// PB-5
    pub(super) fn check_leave(&self) -> Result<(), Refusal> {
        match self.settings.claim {
            ClaimRule::Free => Ok(()),
            ClaimRule::Forced => Err(Refusal::new("PB-5", "a full column must be claimed")),
        }
    }
}
