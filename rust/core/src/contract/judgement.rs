//! The game's own judgement of positions and actions.

use std::fmt::Debug;

use crate::contract::Rules;
use crate::event::NoEvents;
use crate::player::{ByPlayer, Player, Turn};

/// The game's evaluation, and the settings of searches that were measured with it.
pub trait Judgement: Rules {
    /// What [`Judgement::look`] keeps from one call to the next of one rollout; `()` where it keeps nothing.
    type Cache: Clone + Debug + Default + Send + Sync;

    /// How good the position is for each seat, in points of the game, in place of what `out` held; defined at every node. Must not
    /// use what is hidden from the seat to move: hidden draws lie in its future. Equal states are judged equal to the last bit, or
    /// searches would not repeat. Documented in the game's README.
    fn judge_all(&self, state: &Self::State, out: &mut ByPlayer<f64>);

    // ---- Provided -------------------------------------------------------------------------------------------------------

    /// [`Judgement::judge_all`] for one seat.
    fn evaluate(&self, state: &Self::State, player: Player) -> f64 {
        let mut values = ByPlayer::new();
        self.judge_all(state, &mut values);
        values[player.index()]
    }

    /// How good each of `actions`, all legal, looks to `player`, who decides at `state`: it guides search below the root, where each
    /// action is evaluated in full, and greedy rollouts. Higher is better and only differences count, in points of the game. Appends
    /// one finite value for each action; must not use what is hidden from the seat. This is [`Judgement::evaluate`] after each
    /// action, results first; a game where that is slow may estimate without it, documented in its README. `cache` may hold what was
    /// computed for an earlier state; what it holds never changes a value.
    fn look(&self, state: &Self::State, player: Player, actions: &[Self::Action], _cache: &mut Self::Cache, out: &mut Vec<f64>) {
        evaluate_after_each(self, state, player, actions, out);
    }

    /// Settings that mcts and ismcts start from in this game with so many seats where they differ from the general defaults,
    /// `key=value,key=value` in canonical form: measured, the table is in `docs/search.md`.
    #[must_use]
    fn search_defaults(_players: usize) -> &'static str {
        ""
    }

    /// The agents behind the levels `novice`, `amateur`, `expert` and `master`, as specs.
    #[must_use]
    fn levels() -> [&'static str; 4] {
        ["flat:simulations=30", "greedy", "ismcts:simulations=500", "ismcts:simulations=4000"]
    }
}

/// Added to the evaluation of a finished game for each whole return: a win is better than any lead, a loss worse.
const RESULT: f64 = 1e6;

/// How good a position, whose turn is `turn`, is for `player`: its evaluation, finished games by their result first.
pub fn value_of<G: Judgement>(game: &G, state: &G::State, turn: Turn, player: Player) -> f64 {
    let points = game.evaluate(state, player);
    if turn == Turn::Over { points + RESULT * f64::from(game.returns(state)[player.index()]) } else { points }
}

/// What [`Judgement::look`] does unless a game overrides it, for overrides that leave some positions to it.
pub fn evaluate_after_each<G: Judgement>(game: &G, state: &G::State, player: Player, actions: &[G::Action], values: &mut Vec<f64>) {
    let mut next = state.clone();
    for &action in actions {
        next.clone_from(state);
        game.apply_action(&mut next, action, &mut NoEvents);
        values.push(value_of(game, &next, game.turn(&next), player));
    }
}
