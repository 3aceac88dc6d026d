//! The game's judgement: the points so far.

use crate::contract::Judgement;
use crate::player::ByPlayer;

use super::game::Game;
use super::state::State;

impl Judgement for Game {
    type Cache = ();

    fn judge_all(&self, state: &State, out: &mut ByPlayer<f64>) {
        out.clear();
        out.extend(state.public.scores.iter().map(|&points| f64::from(points)));
    }
}
