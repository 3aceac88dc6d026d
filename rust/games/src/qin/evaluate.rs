//! How good a position looks to a seat, in pagodas. The folder's page describes it.

use forbidden_games_core::player::Player;

use super::Game;
use super::state::State;

impl Game {
    pub(super) fn judge(&self, state: &State, player: Player) -> f64 {
        let placed = self.pagodas_placed(&state.public);
        let own = f64::from(placed[player.index()]);
        let best = placed.iter().enumerate().filter(|&(seat, _)| seat != player.index()).map(|(_, &placed)| placed).max();
        own - f64::from(best.unwrap_or(0))
    }
}
