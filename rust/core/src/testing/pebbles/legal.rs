//! The legal actions of each phase, ascending by id.

use super::actions::Action;
use super::game::Game;
use super::options::ClaimRule;
use super::state::State;

impl Game {
    /// Every kind of the hand on every open column (PB-4).
    pub(super) fn list_drops(&self, state: &State, out: &mut Vec<Action>) {
        let hand = &state.hands[state.public.player.index()];
        for kind in (0..self.components.kinds.len()).filter(|&kind| hand[kind] > 0) {
            let open = state.public.columns.iter().enumerate().filter(|(_, column)| !column.closed);
            out.extend(open.map(|(column, _)| Action::Drop(kind as u8, column as u8)));
        }
    }

    /// What may be done with a full column (PB-5).
    pub(super) fn list_answers(&self, out: &mut Vec<Action>) {
        out.push(Action::Claim);
        if self.settings.claim == ClaimRule::Free {
            out.push(Action::Leave);
        }
    }
}
