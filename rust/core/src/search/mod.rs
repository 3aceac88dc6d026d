//! Search: agents for every game, written against the contract alone.
//!
//! A search starts from an [`InformationState`] and never receives a state, so it cannot see what is hidden from its seat. With a
//! budget of simulations a search repeats exactly: the same spec, information and seed give the same report, for any number of
//! threads.

mod error;
mod evaluator;
mod expectimax;
mod greedy;
mod index;
mod judge;
mod kind;
mod plan;
mod report;
mod rollout;
mod runner;
mod session;
mod settings;
mod simulate;
mod spec;
mod tree;

pub use error::{EvaluatorError, SearchError};
pub use evaluator::{Batch, Evaluation, Evaluator};
pub use judge::{GameJudge, Judge};
pub use kind::AgentKind;
pub use report::{ActionReport, Report};
pub use session::Session;
pub use settings::{Rollout, SETTINGS, Setting, SettingKind, Settings};
pub use spec::{AgentSpec, AgentSpecError};

use std::time::Instant;

use crate::contract::Game;
use crate::information::InformationState;
use crate::interrupt::Interrupt;

/// Searches for the seat of `info`. An `evaluator` replaces rollouts and priors (mcts and ismcts only).
///
/// # Errors
/// If the seat is not to move, the spec does not fit the game or the evaluator, the evaluator fails, or `interrupt` is set.
pub fn search<G: Game>(
    spec: &AgentSpec,
    info: &InformationState<G>,
    seed: u64,
    evaluator: Option<&mut dyn Evaluator>,
    interrupt: &Interrupt,
) -> Result<Report, SearchError> {
    let mut reports = search_batch(spec, std::slice::from_ref(info), &[seed], evaluator, interrupt)?;
    Ok(reports.remove(0))
}

/// Runs many searches at once, with one seed per root. The reports are the same as one by one, but an evaluator gets the leaves of
/// all searches in common batches, and the searches share the threads. `time_ms` and `memory_mib` apply per root.
///
/// # Errors
/// As [`search`]. The first error ends all searches.
///
/// # Panics
/// If the number of seeds is not the number of roots.
pub fn search_batch<G: Game>(
    spec: &AgentSpec,
    infos: &[InformationState<G>],
    seeds: &[u64],
    evaluator: Option<&mut dyn Evaluator>,
    interrupt: &Interrupt,
) -> Result<Vec<Report>, SearchError> {
    assert_eq!(infos.len(), seeds.len(), "one seed for each root");
    let players = infos.first().map_or(G::INFO.default_players, |info| info.game.num_players());
    let prepared = Prepared::new::<G>(spec, players, evaluator.is_some())?;
    let mut kept = Vec::new();
    prepared.search(infos, seeds, evaluator, &mut kept, interrupt)
}

/// A spec resolved for a game.
#[derive(Debug)]
struct Prepared {
    agent: String,
    settings: Settings,
}

impl Prepared {
    fn new<G: Game>(spec: &AgentSpec, players: usize, has_evaluator: bool) -> Result<Self, SearchError> {
        let spec = spec.resolve::<G>()?;
        if has_evaluator && !matches!(spec.kind(), AgentKind::Mcts | AgentKind::Ismcts) {
            return Err(SearchError::TakesNoEvaluator { agent: spec.kind().name() });
        }
        Ok(Self { agent: spec.to_string(), settings: spec.settings::<G>(players)? })
    }

    /// Runs the searches. `kept` holds the trees to start from (of a single root), and receives the trees that were built.
    fn search<G: Game>(
        &self,
        infos: &[InformationState<G>],
        seeds: &[u64],
        evaluator: Option<&mut dyn Evaluator>,
        kept: &mut Vec<tree::Tree>,
        interrupt: &Interrupt,
    ) -> Result<Vec<Report>, SearchError> {
        if let Some(info) = infos.iter().find(|info| info.legal_actions.is_empty()) {
            return Err(SearchError::NotToMove { player: info.player() });
        }
        let Self { agent, settings } = self;
        let judge: &dyn Judge<G> = &GameJudge;
        let each = infos.iter().zip(seeds);
        match settings.kind {
            AgentKind::Random => return Ok(each.map(|(info, &seed)| greedy::random(agent.clone(), info, seed)).collect()),
            AgentKind::Greedy => {
                return each.map(|(info, &seed)| greedy::greedy(agent.clone(), settings, judge, info, seed, interrupt)).collect();
            }
            AgentKind::Expectimax => {
                return each
                    .map(|(info, &seed)| expectimax::expectimax(agent.clone(), settings, judge, info, seed, interrupt))
                    .collect();
            }
            _ => {}
        }
        let deadline = settings.time.map(|time| Instant::now() + time * infos.len() as u32);
        let has_evaluator = evaluator.is_some();
        let mut searches: Vec<_> = infos
            .iter()
            .zip(seeds)
            .map(|(info, &seed)| {
                let kept = std::mem::take(kept);
                runner::Search::new(agent, settings, judge, info, seed, has_evaluator, kept, deadline, interrupt)
            })
            .collect();
        runner::run(&mut searches, settings, evaluator, interrupt)?;
        let (reports, trees): (Vec<_>, Vec<_>) = searches.into_iter().map(runner::Search::into_report).unzip();
        *kept = trees.into_iter().flatten().collect();
        Ok(reports)
    }
}

#[cfg(test)]
mod tests;
