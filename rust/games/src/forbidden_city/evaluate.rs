//! The evaluation of positions, in coins, from what everybody knows. How actions look is in `look.rs`.

use forbidden_games_core::contract::Judgement;
use forbidden_games_core::player::{ByPlayer, Player};

use super::actions::Action;
use super::game::Game;
use super::prospects::{Rooms, expected_tally, lead, prospect, to_come};
use super::state::{Phase, State};

impl Judgement for Game {
    /// What one decision computes holds for no other: a tile more changes most of it.
    type Cache = ();

    /// Own prospects less the best other seat's. A prospect is: coins; for every open room what it would pay now, less the more sides
    /// are open and the fewer tiles are to come; and, before the end, what the unplayed tiles bring on average in the final tally.
    fn judge_all(&self, state: &State, out: &mut ByPlayer<f64>) {
        let players = self.players();
        let mut prospects = [0.0; 4];
        if state.phase == Phase::End {
            prospects = state.coins.map(f64::from);
        } else {
            let mut rooms = Rooms::default();
            rooms.survey(self, state.table());
            let units = rooms.weigh(f64::from(to_come(&state.left[..players])));
            for seat in 0..players {
                let tally = expected_tally(self.unplayed_worth(state, seat), state.left[seat]);
                prospects[seat] = prospect(state.coins[seat], units[seat], tally);
            }
        }
        out.clear();
        out.extend(Player::all(players).map(|player| lead(&prospects[..players], player)));
    }

    fn look(&self, state: &State, player: Player, actions: &[Action], cache: &mut (), out: &mut Vec<f64>) {
        self.look(state, player, actions, cache, out);
    }

    /// With more seats a rollout must be longer to see three tiles of each, or about as many.
    fn search_defaults(players: usize) -> &'static str {
        if players == 2 {
            "exploration=0.5,temperature=16,rollout=greedy,cutoff=6,scale=30"
        } else {
            "exploration=0.5,temperature=16,rollout=greedy,cutoff=12,scale=30"
        }
    }

    fn levels() -> [&'static str; 4] {
        ["flat:simulations=20", "greedy", "ismcts:simulations=200", "ismcts:simulations=2000"]
    }
}
