//! Where values of positions and looks at actions come from.

use std::fmt::Debug;

use crate::contract::{Game, evaluate_after_each, value_of};
use crate::player::{ByPlayer, Player, Turn};

/// What a search asks for values and for looks at actions. Nothing else in the search calls a game's evaluation, so another judge,
/// such as a network, takes its place everywhere. Judges see nothing that is hidden from the seat to move.
pub trait Judge<G: Game>: Debug + Sync {
    /// How good a position is for each seat, in points of the game, in place of what `out` held.
    fn judge_all(&self, game: &G, state: &G::State, out: &mut ByPlayer<f64>);

    /// The same for one seat, finished games by their result first.
    fn value(&self, game: &G, state: &G::State, turn: Turn, player: Player) -> f64;

    /// How good each of `actions` looks to `player`, who decides at `state`: a quick estimate, appended to `out`.
    fn look(&self, game: &G, state: &G::State, player: Player, actions: &[G::Action], cache: &mut G::Cache, out: &mut Vec<f64>);

    /// The value after each of `actions`, appended to `out`.
    fn values_after_each(&self, game: &G, state: &G::State, player: Player, actions: &[G::Action], out: &mut Vec<f64>);
}

/// The game's own evaluation ([`crate::contract::Judgement`]).
#[derive(Clone, Copy, Debug, Default)]
pub struct GameJudge;

impl<G: Game> Judge<G> for GameJudge {
    fn judge_all(&self, game: &G, state: &G::State, out: &mut ByPlayer<f64>) {
        game.judge_all(state, out);
    }

    fn value(&self, game: &G, state: &G::State, turn: Turn, player: Player) -> f64 {
        value_of(game, state, turn, player)
    }

    fn look(&self, game: &G, state: &G::State, player: Player, actions: &[G::Action], cache: &mut G::Cache, out: &mut Vec<f64>) {
        game.look(state, player, actions, cache, out);
    }

    fn values_after_each(&self, game: &G, state: &G::State, player: Player, actions: &[G::Action], out: &mut Vec<f64>) {
        evaluate_after_each(game, state, player, actions, out);
    }
}
