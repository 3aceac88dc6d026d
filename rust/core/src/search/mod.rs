//! Search: agents that know the contract and no game.
//!
//! A searcher starts from an [`InformationState`] and never receives a state, so it cannot see what its seat may not know. With a
//! budget of simulations a search repeats exactly: same spec, same knowledge, same seed, same report, for any number of threads.

mod evaluator;
mod greedy;
mod report;
mod settings;
mod spec;

pub use evaluator::{Batch, Evaluation, Evaluator, EvaluatorError};
pub use report::{ActionReport, Report};
pub use settings::{Rollout, SETTINGS, Setting, SettingKind, Settings};
pub use spec::{AgentKind, AgentSpec, AgentSpecError};

use crate::game::Game;
use crate::information::InformationState;
use crate::interrupt::Interrupt;
use crate::player::Player;

/// Why a search has no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The seat has no legal action: it is not to move, or the game is over.
    #[error("seat {player} is not to move, expected the information of the seat to move")]
    NotToMove {
        /// The seat whose knowledge was given.
        player: Player,
    },
    /// The spec does not fit the game.
    #[error(transparent)]
    Spec(#[from] AgentSpecError),
    /// The agent takes no evaluator.
    #[error("{agent} takes no evaluator: expected mcts or ismcts")]
    TakesNoEvaluator {
        /// The agent's name.
        agent: &'static str,
    },
    /// The evaluator failed.
    #[error("evaluator: {0}")]
    Evaluator(EvaluatorError),
    /// The evaluator answered with something that cannot be used.
    #[error("evaluator: {0}")]
    Evaluation(String),
    /// The position is too large for an exact search.
    #[error("too large for an exact search: {positions} positions do not fit in memory_mib={memory_mib}")]
    TooLarge {
        /// Positions met.
        positions: u64,
        /// The limit.
        memory_mib: u64,
    },
    /// An agent from outside failed (see [`crate::arena::Agent`]).
    #[error("agent: {0}")]
    Agent(EvaluatorError),
    /// Asked to stop.
    #[error("interrupted")]
    Interrupted,
}

/// Searches for the seat of `info`. `evaluator` replaces rollouts and priors (mcts and ismcts).
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
    if info.legal_actions.is_empty() {
        return Err(SearchError::NotToMove { player: info.player() });
    }
    let spec = spec.resolve::<G>()?;
    let settings = spec.settings::<G>()?;
    let agent = spec.to_string();
    match spec.kind() {
        kind @ (AgentKind::Random | AgentKind::Greedy) if evaluator.is_some() => {
            Err(SearchError::TakesNoEvaluator { agent: kind.name() })
        }
        AgentKind::Random => Ok(greedy::random(agent, info, seed)),
        AgentKind::Greedy => greedy::greedy(agent, &settings, info, seed, interrupt),
        kind => Err(SearchError::Spec(AgentSpecError { spec: agent, reason: format!("{} is being built", kind.name()) })),
    }
}

/// Many searches at once, `seeds` one for each root: the same reports as one by one, but an evaluator gets the leaves of all of them
/// in common batches, and threads are shared.
///
/// # Errors
/// As [`search`]; the first error ends all.
///
/// # Panics
/// If there are not as many seeds as roots.
pub fn search_batch<G: Game>(
    spec: &AgentSpec,
    infos: &[InformationState<G>],
    seeds: &[u64],
    mut evaluator: Option<&mut dyn Evaluator>,
    interrupt: &Interrupt,
) -> Result<Vec<Report>, SearchError> {
    assert_eq!(infos.len(), seeds.len(), "one seed for each root");
    let mut reports = Vec::with_capacity(infos.len());
    for (info, &seed) in infos.iter().zip(seeds) {
        reports.push(search(
            spec,
            info,
            seed,
            evaluator.as_mut().map(|evaluator| &mut **evaluator as &mut dyn Evaluator),
            interrupt,
        )?);
    }
    Ok(reports)
}

#[cfg(test)]
mod tests;
