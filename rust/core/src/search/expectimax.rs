//! Exact values of small positions by max^n: every action and every outcome is searched to the end, or to a depth.

use std::collections::HashMap;
use std::time::Instant;

use crate::contract::{Game, Step, StepOf};
use crate::event::NoEvents;
use crate::information::InformationState;
use crate::interrupt::Interrupt;
use crate::player::{ByPlayer, Turn};
use crate::rng::Rng;
use crate::search::error::SearchError;
use crate::search::judge::Judge;
use crate::search::report::{ActionReport, Report};
use crate::search::rollout;
use crate::search::settings::Settings;

/// The largest number of steps in a line. It bounds the recursion; no search of such a depth would finish.
const MAX_DEPTH: u32 = 128;

/// Computes the exact expected return of every action by max^n: each mover takes what is best for itself, and ties go to the lowest
/// id. Where something is hidden from the seat, the values are averages over sampled worlds and exact in each of them. The search
/// ends with [`SearchError::TooLarge`] after `positions` positions; a single legal action is then reported with the evaluation of
/// the position it leads to.
pub(crate) fn expectimax<G: Game>(
    agent: String,
    settings: &Settings,
    judge: &dyn Judge<G>,
    info: &InformationState<G>,
    seed: u64,
    interrupt: &Interrupt,
) -> Result<Report, SearchError> {
    let start = Instant::now();
    let game = &*info.game;
    let player = info.player();
    let is_forced = info.legal_actions.len() == 1;
    // As in the other searches, a forced action gets a twentieth of the budget.
    let budget = if is_forced { settings.positions.div_ceil(20) } else { settings.positions };
    let mut work = Work { budget, positions: 0, depth: 0, entries: 0, is_cache_full: false };
    let (sums, line, truncated) = match exact_values(settings, judge, info, seed, interrupt, &mut work) {
        Ok((sums, line)) => (sums, line, work.is_cache_full),
        Err(SearchError::TooLarge(_)) if is_forced => {
            let mut next = info.sample_world(&mut Rng::stream(seed, "world", 0));
            game.apply_action(&mut next, info.legal_actions[0], &mut NoEvents);
            (vec![rollout::evaluated_values(game, judge, &next, settings.rollout.scale)], Vec::new(), true)
        }
        Err(error) => return Err(error),
    };
    let worlds = if G::INFO.hidden_information { settings.worlds } else { 1 };
    let best = argmax(sums.iter().map(|sum| sum[player.index()]));
    let line = if line.is_empty() { vec![game.format_action(info.legal_actions[best])] } else { line };
    let prior = 1.0 / sums.len() as f64;
    let actions = info.legal_actions.iter().zip(&sums).map(|(&action, sum)| ActionReport {
        id: game.action_id(action),
        visits: worlds as u64,
        value: sum[player.index()],
        prior,
    });
    Ok(Report {
        agent,
        player,
        action: game.action_id(info.legal_actions[best]),
        actions: actions.collect(),
        values: sums[best].to_vec(),
        principal_variation: line,
        simulations: 0,
        nodes: work.positions,
        depth: work.depth,
        memory: (work.entries * entry_size::<G>()) as u64,
        truncated,
        elapsed: start.elapsed(),
    })
}

/// The work done in all worlds together.
struct Work {
    /// The largest number of positions.
    budget: u64,
    positions: u64,
    /// The longest line, in steps.
    depth: u32,
    /// Entries of all caches.
    entries: usize,
    /// Whether a cache was full.
    is_cache_full: bool,
}

/// The values of every action for every seat, averaged over the worlds, and the principal variation if there is one world.
#[allow(clippy::type_complexity)]
fn exact_values<G: Game>(
    settings: &Settings,
    judge: &dyn Judge<G>,
    info: &InformationState<G>,
    seed: u64,
    interrupt: &Interrupt,
    work: &mut Work,
) -> Result<(Vec<ByPlayer<f64>>, Vec<String>), SearchError> {
    let game = &*info.game;
    let worlds = if G::INFO.hidden_information { settings.worlds } else { 1 };
    let mut sums = vec![std::iter::repeat_n(0.0, game.num_players()).collect::<ByPlayer<_>>(); info.legal_actions.len()];
    let mut line = Vec::new();
    for number in 0..worlds {
        let world = info.sample_world(&mut Rng::stream(seed, "world", number as u64));
        let mut solver = Solver { game, judge, settings, interrupt, cache: HashMap::new(), work: &mut *work };
        for (sum, &action) in sums.iter_mut().zip(&info.legal_actions) {
            let mut next = world.clone();
            game.apply_action(&mut next, action, &mut NoEvents);
            for (sum, value) in sum.iter_mut().zip(solver.values(&next, 1, settings.depth.map(|depth| depth - 1))?) {
                *sum += value / worlds as f64;
            }
        }
        if worlds == 1 {
            let best = argmax(sums.iter().map(|sum| sum[info.player().index()]));
            line = solver.principal_variation(&world, info.legal_actions[best])?;
        }
        let entries = solver.cache.len();
        work.entries += entries;
    }
    Ok((sums, line))
}

/// The first of the highest values.
fn argmax(values: impl Iterator<Item = f64>) -> usize {
    values.enumerate().reduce(|best, next| if next.1 > best.1 { next } else { best }).map_or(0, |best| best.0)
}

/// Bytes per entry of the cache, with its share of empty slots.
const fn entry_size<G: Game>() -> usize {
    (size_of::<(G::State, u32)>() + size_of::<ByPlayer<f64>>() + 1) * 2
}

struct Solver<'a, G: Game> {
    game: &'a G,
    judge: &'a dyn Judge<G>,
    settings: &'a Settings,
    interrupt: &'a Interrupt,
    /// Values by position and decisions left.
    cache: HashMap<(G::State, u32), ByPlayer<f64>>,
    work: &'a mut Work,
}

impl<G: Game> Solver<'_, G> {
    fn values(&mut self, state: &G::State, depth: u32, left: Option<u32>) -> Result<ByPlayer<f64>, SearchError> {
        let game = self.game;
        let turn = game.turn(state);
        if self.work.positions >= self.work.budget {
            let reason = format!("more than positions={} to look at, raise it or set a lower depth", self.work.budget);
            return Err(SearchError::TooLarge(reason));
        }
        self.work.positions += 1;
        self.work.depth = self.work.depth.max(depth);
        if turn == Turn::Over {
            return Ok(rollout::terminal_values(game, state));
        }
        if self.interrupt.is_set() {
            return Err(SearchError::Interrupted);
        }
        if left == Some(0) {
            return Ok(rollout::evaluated_values(game, self.judge, state, self.settings.rollout.scale));
        }
        if depth > MAX_DEPTH {
            return Err(SearchError::TooLarge(format!("more than {MAX_DEPTH} steps to the end, a lower depth is needed")));
        }
        let key = (state.clone(), left.unwrap_or(u32::MAX));
        if let Some(values) = self.cache.get(&key) {
            return Ok(values.clone());
        }
        let mut total = 0.0;
        let mut sum: ByPlayer<f64> = std::iter::repeat_n(0.0, game.num_players()).collect();
        for (step, weight) in steps(game, state) {
            let mut next = state.clone();
            game.apply(&mut next, step);
            let values = self.values(&next, depth + 1, left.map(|left| left - u32::from(turn != Turn::Chance)))?;
            match turn {
                Turn::Player(player) if total == 0.0 || values[player.index()] > sum[player.index()] => sum = values,
                Turn::Player(_) | Turn::Over => {}
                Turn::Chance => sum.iter_mut().zip(values).for_each(|(sum, value)| *sum += f64::from(weight) * value),
            }
            total += f64::from(weight);
        }
        if turn == Turn::Chance {
            sum.iter_mut().for_each(|sum| *sum /= total);
        }
        // A full cache saves less work and changes no value.
        if ((self.cache.len() + 1) * entry_size::<G>()) as u64 > self.settings.memory {
            self.work.is_cache_full = true;
        } else {
            self.cache.insert(key, sum.clone());
        }
        Ok(sum)
    }

    /// The principal variation from `state`, beginning with `action`, up to the next draw.
    fn principal_variation(&mut self, state: &G::State, action: G::Action) -> Result<Vec<String>, SearchError> {
        let game = self.game;
        let mut state = state.clone();
        let mut line = vec![game.format_action(action)];
        let mut left = self.settings.depth.map(|depth| depth - 1);
        game.apply_action(&mut state, action, &mut NoEvents);
        while let Turn::Player(player) = game.turn(&state)
            && left != Some(0)
        {
            left = left.map(|left| left - 1);
            let mut best: Option<(f64, G::State, StepOf<G>)> = None;
            for (step, _) in steps(game, &state) {
                let mut next = state.clone();
                game.apply(&mut next, step);
                let value = self.values(&next, 0, left)?[player.index()];
                if best.as_ref().is_none_or(|(highest, ..)| value > *highest) {
                    best = Some((value, next, step));
                }
            }
            let Some((_, next, step)) = best else { break };
            line.push(game.format_step(step));
            state = next;
        }
        Ok(line)
    }
}

/// All steps at a position with their weights (1 for actions), ascending by id.
fn steps<G: Game>(game: &G, state: &G::State) -> Vec<(StepOf<G>, u32)> {
    let (mut legal, mut outcomes) = (Vec::new(), Vec::new());
    if game.turn(state) == Turn::Chance {
        game.chance_outcomes(state, &mut outcomes);
    } else {
        game.legal_actions(state, &mut legal);
    }
    let actions = legal.into_iter().map(|action| (Step::Action(action), 1));
    actions.chain(outcomes.into_iter().map(|(outcome, weight)| (Step::Outcome(outcome), weight))).collect()
}
