//! Values and priors without a network: rollouts from a leaf, and the game's evaluation of a position.

use crate::contract::Game;
use crate::event::NoEvents;
use crate::interrupt::Interrupt;
use crate::player::{ByPlayer, Player, Turn};
use crate::rng::Rng;
use crate::search::judge::Judge;
use crate::search::settings::Rollout;

/// The part of the priors that is spread equally over all actions, so that none is out of reach.
const UNIFORM_PART: f64 = 0.1;

/// Buffers that are reused, so that a simulation allocates nothing.
#[derive(Debug)]
pub(crate) struct Scratch<G: Game> {
    pub(crate) actions: Vec<G::Action>,
    pub(crate) outcomes: Vec<(G::Outcome, u32)>,
    /// The evaluation after each action.
    pub(crate) values: Vec<f64>,
    /// What looks at actions keep.
    pub(crate) cache: G::Cache,
}

impl<G: Game> Default for Scratch<G> {
    fn default() -> Self {
        Self { actions: Vec::new(), outcomes: Vec::new(), values: Vec::new(), cache: G::Cache::default() }
    }
}

/// Runs a rollout from `state` and returns the values of all seats, or `None` if `interrupt` was set. Actions and draws have separate
/// generators, so that different actions meet the same draws.
pub(crate) fn roll_out<G: Game>(
    game: &G,
    judge: &dyn Judge<G>,
    state: &mut G::State,
    [rng, chance_rng]: [&mut Rng; 2],
    rollout: &Rollout,
    scratch: &mut Scratch<G>,
    interrupt: &Interrupt,
) -> Option<ByPlayer<f64>> {
    let mut left = rollout.cutoff.unwrap_or(u32::MAX);
    loop {
        match game.turn(state) {
            Turn::Over => return Some(terminal_values(game, state)),
            // A chance node is evaluated too, before its draw.
            _ if left == 0 => return Some(evaluated_values(game, judge, state, rollout.scale)),
            Turn::Chance => {
                let outcome = game.sample_outcome(state, chance_rng, &mut scratch.outcomes);
                game.apply_outcome(state, outcome, &mut NoEvents);
            }
            Turn::Player(player) => {
                left -= 1;
                let action = if rollout.is_greedy {
                    if interrupt.is_set() {
                        return None;
                    }
                    greedy_action(game, judge, state, player, scratch)
                } else {
                    game.sample_action(state, rng, &mut scratch.actions)
                };
                game.apply_action(state, action, &mut NoEvents);
            }
        }
    }
}

/// The action with the best evaluation for `player`. Ties go to the lowest id.
fn greedy_action<G: Game>(game: &G, judge: &dyn Judge<G>, state: &G::State, player: Player, scratch: &mut Scratch<G>) -> G::Action {
    let Scratch { actions, values, cache, .. } = scratch;
    actions.clear();
    game.legal_actions(state, actions);
    if actions.len() == 1 {
        return actions[0];
    }
    values.clear();
    judge.look(game, state, player, actions, cache, values);
    let mut best = 0;
    for (position, value) in values.iter().enumerate() {
        if *value > values[best] {
            best = position;
        }
    }
    actions[best]
}

/// Computes priors with sum 1 from evaluations, by softmax: an action better by `temperature` points has e times the prior. The
/// values are overwritten.
pub(crate) fn softmax_priors(values: &mut [f64], temperature: f64, priors: &mut Vec<f32>) {
    priors.clear();
    let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for value in values.iter_mut() {
        *value = libm::exp((*value - highest) / temperature);
        sum += *value;
    }
    let equal = UNIFORM_PART / values.len() as f64;
    priors.extend(values.iter().map(|weight| ((1.0 - UNIFORM_PART) * weight / sum + equal) as f32));
}

/// The values of a finished game: every seat's return.
pub(crate) fn terminal_values<G: Game>(game: &G, state: &G::State) -> ByPlayer<f64> {
    game.returns(state).into_iter().map(f64::from).collect()
}

/// The values of a position by its judge, in [-1, 1] with sum 0.
pub(crate) fn evaluated_values<G: Game>(game: &G, judge: &dyn Judge<G>, state: &G::State, scale: f64) -> ByPlayer<f64> {
    let mut points = ByPlayer::new();
    judge.judge_all(game, state, &mut points);
    values_from_leads(&points, scale)
}

/// Turns leads (or points) into values like returns. With two seats this is the hyperbolic tangent of half their difference over
/// `scale`. With more seats it generalises that by softmax. In a solo game it is the tangent of the points over `scale`.
fn values_from_leads(leads: &ByPlayer<f64>, scale: f64) -> ByPlayer<f64> {
    if let [alone] = leads[..] {
        return [libm::tanh(alone / scale)].into_iter().collect();
    }
    let highest = leads.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: ByPlayer<f64> = leads.iter().map(|value| libm::exp((value - highest) / scale)).collect();
    let sum: f64 = weights.iter().sum();
    let seats = leads.len() as f64;
    weights.iter().map(|weight| (seats * weight / sum - 1.0) / (seats - 1.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_like_returns() {
        let two: ByPlayer<f64> = [10.0, -10.0].into_iter().collect();
        let values = values_from_leads(&two, 10.0);
        assert!((values[0] - 1.0_f64.tanh()).abs() < 1e-12 && (values[0] + values[1]).abs() < 1e-12);
        let four: ByPlayer<f64> = [5.0, 5.0, 5.0, -1000.0].into_iter().collect();
        let values = values_from_leads(&four, 10.0);
        assert!((values[0] - 1.0 / 9.0).abs() < 1e-9 && (values[3] + 1.0 / 3.0).abs() < 1e-9);
        assert!(values.iter().sum::<f64>().abs() < 1e-12);
    }
}
