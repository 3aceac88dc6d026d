//! Values without a network: playing on from a leaf, and judging a position by the game's evaluation.

use crate::contract::Game;
use crate::event::NoEvents;
use crate::interrupt::Interrupt;
use crate::player::{ByPlayer, Player, Turn};
use crate::rng::Rng;
use crate::search::settings::Rollout;

/// Part of these priors that is the same for every action, so that none is out of reach.
const DOUBT: f64 = 0.1;

/// Lists that are reused, so that a simulation allocates nothing.
#[derive(Debug)]
pub(crate) struct Lists<G: Game> {
    pub(crate) actions: Vec<G::Action>,
    pub(crate) outcomes: Vec<(G::Outcome, u32)>,
    /// How the actions look.
    pub(crate) values: Vec<f64>,
}

impl<G: Game> Default for Lists<G> {
    fn default() -> Self {
        Self { actions: Vec::new(), outcomes: Vec::new(), values: Vec::new() }
    }
}

/// Plays on from `state` and returns what every seat gets; `None` if `interrupt` was set. Choices and draws have generators of their
/// own, so that the same draws can be met by other choices.
pub(crate) fn play_on<G: Game>(
    game: &G,
    state: &mut G::State,
    [rng, luck]: [&mut Rng; 2],
    rollout: &Rollout,
    lists: &mut Lists<G>,
    interrupt: &Interrupt,
) -> Option<ByPlayer<f64>> {
    let mut left = rollout.cutoff.unwrap_or(u32::MAX);
    loop {
        match game.turn(state) {
            Turn::Over => return Some(result(game, state, rollout)),
            // Also at a chance node: the evaluation is defined there, and what is drawn next has not been decided.
            _ if left == 0 => return Some(judgement(game, state, rollout.scale)),
            Turn::Chance => {
                let outcome = game.sample_outcome(state, luck, &mut lists.outcomes);
                game.apply_outcome(state, outcome, &mut NoEvents);
            }
            Turn::Player(player) => {
                left -= 1;
                let is_greedy = rollout.greed > 0.0 && (rollout.greed >= 1.0 || rng.unit() < rollout.greed);
                let action = if is_greedy {
                    if interrupt.is_set() {
                        return None;
                    }
                    best_looking(game, state, player, lists)
                } else {
                    game.sample_action(state, rng, &mut lists.actions)
                };
                game.apply_action(state, action, &mut NoEvents);
            }
        }
    }
}

/// The action that looks best to `player`; equal ones: the lowest id.
fn best_looking<G: Game>(game: &G, state: &G::State, player: Player, lists: &mut Lists<G>) -> G::Action {
    let Lists { actions, values, .. } = lists;
    actions.clear();
    game.legal_actions(state, actions);
    if actions.len() == 1 {
        return actions[0];
    }
    values.clear();
    game.look(state, player, actions, &mut Default::default(), values);
    let mut best = 0;
    for (place, value) in values.iter().enumerate() {
        if *value > values[best] {
            best = place;
        }
    }
    actions[best]
}

/// Priors with sum 1 by how actions look: one better by `temperature` has e times the prior.
pub(crate) fn priors_by_looks(values: &mut [f64], temperature: f64, priors: &mut Vec<f32>) {
    priors.clear();
    let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for value in values.iter_mut() {
        *value = libm::exp((*value - highest) / temperature);
        sum += *value;
    }
    let equal = DOUBT / values.len() as f64;
    priors.extend(values.iter().map(|weight| ((1.0 - DOUBT) * weight / sum + equal) as f32));
}

/// What every seat gets from a finished game: its return, mixed with the margin as far as the settings say.
pub(crate) fn result<G: Game>(game: &G, state: &G::State, rollout: &Rollout) -> ByPlayer<f64> {
    let returns = game.returns(state);
    if rollout.score_weight == 0.0 || returns.len() == 1 {
        return returns.into_iter().map(f64::from).collect();
    }
    let scores = game.scores(state);
    let lead = |seat: usize| {
        let best_other = scores.iter().enumerate().filter(|&(other, _)| other != seat).map(|(_, &score)| score).max();
        f64::from(scores[seat]) - f64::from(best_other.unwrap_or(0))
    };
    let leads = (0..scores.len()).map(lead).collect();
    let margins = shares(&leads, rollout.scale);
    let weight = rollout.score_weight;
    returns.into_iter().zip(margins).map(|(result, margin)| (1.0 - weight) * f64::from(result) + weight * margin).collect()
}

/// What every seat can expect from a position by its evaluation, in [-1, 1] with sum 0.
pub(crate) fn judgement<G: Game>(game: &G, state: &G::State, scale: f64) -> ByPlayer<f64> {
    let points: ByPlayer<f64> = Player::all(game.num_players()).map(|player| game.evaluate(state, player)).collect();
    shares(&points, scale)
}

/// Leads as returns: with two seats the hyperbolic tangent of the lead by `scale`, with more its generalisation, alone the same of
/// the points.
fn shares(leads: &ByPlayer<f64>, scale: f64) -> ByPlayer<f64> {
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
    fn shares_are_returns() {
        let two: ByPlayer<f64> = [10.0, -10.0].into_iter().collect();
        let shared = shares(&two, 10.0);
        assert!((shared[0] - 1.0_f64.tanh()).abs() < 1e-12 && (shared[0] + shared[1]).abs() < 1e-12);
        let four: ByPlayer<f64> = [5.0, 5.0, 5.0, -1000.0].into_iter().collect();
        let shared = shares(&four, 10.0);
        assert!((shared[0] - 1.0 / 9.0).abs() < 1e-9 && (shared[3] + 1.0 / 3.0).abs() < 1e-9);
        assert!(shared.iter().sum::<f64>().abs() < 1e-12);
    }
}
