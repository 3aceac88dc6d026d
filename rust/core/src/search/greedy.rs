//! Agents that build no search tree: `random`, and `greedy`, which searches its own decisions to the end of its turn.

use std::time::Instant;

use crate::contract::Game;
use crate::event::NoEvents;
use crate::information::InformationState;
use crate::interrupt::Interrupt;
use crate::player::{Player, Turn};
use crate::rng::Rng;
use crate::search::error::SearchError;
use crate::search::judge::Judge;
use crate::search::report::{ActionReport, Report};
use crate::search::settings::Settings;

/// The largest number of own decisions in a line. No turn has as many; it bounds the recursion.
const MAX_DEPTH: u32 = 100;

/// Plays any legal action with equal probability.
pub(crate) fn random<G: Game>(agent: String, info: &InformationState<G>, seed: u64) -> Report {
    let start = Instant::now();
    let legal = &info.legal_actions;
    let chosen = legal[Rng::stream(seed, "random", 0).below(legal.len() as u32) as usize];
    let prior = 1.0 / legal.len() as f64;
    Report {
        agent,
        player: info.player(),
        action: info.game.action_id(chosen),
        actions: legal
            .iter()
            .map(|&action| ActionReport { id: info.game.action_id(action), visits: 0, value: 0.0, prior })
            .collect(),
        values: Vec::new(),
        principal_variation: vec![info.game.format_action(chosen)],
        simulations: 0,
        nodes: 0,
        depth: 0,
        memory: 0,
        truncated: false,
        elapsed: start.elapsed(),
    }
}

/// Chooses the action after which the seat can reach the best position with its own decisions alone. Ties go to the lowest id.
pub(crate) fn greedy<G: Game>(
    agent: String,
    settings: &Settings,
    judge: &dyn Judge<G>,
    info: &InformationState<G>,
    seed: u64,
    interrupt: &Interrupt,
) -> Result<Report, SearchError> {
    let start = Instant::now();
    let game = &*info.game;
    // The seat's own decisions and the evaluation do not depend on what is hidden from it, so any world will do.
    let world = info.sample_world(&mut Rng::stream(seed, "world", 0));
    let mut search =
        Lookahead { game, judge, player: info.player(), interrupt, pool: Vec::new(), positions: 0, depth: 0, truncated: false };
    let mut best: Option<(f64, Vec<G::Action>)> = None;
    let mut actions = Vec::with_capacity(info.legal_actions.len());
    let prior = 1.0 / info.legal_actions.len() as f64;
    for (number, &action) in info.legal_actions.iter().enumerate() {
        if interrupt.is_set() {
            return Err(SearchError::Interrupted);
        }
        let left = settings.nodes.saturating_sub(search.positions);
        let budget_of_action = left / (info.legal_actions.len() - number) as u64;
        let before = search.positions;
        let mut line = Vec::new();
        let value = search.action_value(&world, action, budget_of_action, 1, &mut line)?;
        actions.push(ActionReport { id: game.action_id(action), visits: search.positions - before, value, prior });
        if best.as_ref().is_none_or(|(highest, _)| value > *highest) {
            line.push(action);
            best = Some((value, line));
        }
    }
    let (_, line) = best.ok_or(SearchError::NotToMove { player: info.player() })?;
    Ok(Report {
        agent,
        player: info.player(),
        action: game.action_id(line[line.len() - 1]),
        actions,
        values: Vec::new(),
        principal_variation: line.iter().rev().map(|&action| game.format_action(action)).collect(),
        simulations: 0,
        nodes: search.positions,
        depth: search.depth,
        memory: 0,
        truncated: search.truncated,
        elapsed: start.elapsed(),
    })
}

struct Lookahead<'a, G: Game> {
    game: &'a G,
    judge: &'a dyn Judge<G>,
    player: Player,
    interrupt: &'a Interrupt,
    /// Action lists that are free for reuse, so that a position costs no allocation.
    pool: Vec<Vec<G::Action>>,
    positions: u64,
    depth: u32,
    truncated: bool,
}

impl<G: Game> Lookahead<'_, G> {
    /// The value of `action` at `state`, searched with about `budget` positions. `line` gets the best own actions that follow, last
    /// first.
    fn action_value(
        &mut self,
        state: &G::State,
        action: G::Action,
        budget: u64,
        depth: u32,
        line: &mut Vec<G::Action>,
    ) -> Result<f64, SearchError> {
        let mut next = state.clone();
        self.game.apply_action(&mut next, action, &mut NoEvents);
        self.positions += 1;
        self.depth = self.depth.max(depth);
        let turn = self.game.turn(&next);
        if turn != Turn::Player(self.player) {
            return Ok(self.judge.value(self.game, &next, turn, self.player));
        }
        let mut legal = self.pool.pop().unwrap_or_default();
        legal.clear();
        self.game.legal_actions(&next, &mut legal);
        if budget <= legal.len() as u64 || depth >= MAX_DEPTH {
            self.truncated = true;
            self.pool.push(legal);
            return Ok(self.judge.value(self.game, &next, turn, self.player));
        }
        let limit = self.positions + budget;
        let mut best = f64::NEG_INFINITY;
        let mut best_line = Vec::new();
        for (number, &follow_up) in legal.iter().enumerate() {
            if self.interrupt.is_set() {
                return Err(SearchError::Interrupted);
            }
            let budget_of_action = limit.saturating_sub(self.positions) / (legal.len() - number) as u64;
            let mut following = Vec::new();
            let value = self.action_value(&next, follow_up, budget_of_action, depth + 1, &mut following)?;
            if value > best {
                best = value;
                following.push(follow_up);
                best_line = following;
            }
        }
        self.pool.push(legal);
        *line = best_line;
        Ok(best)
    }
}
