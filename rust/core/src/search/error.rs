//! Errors of searches.

use crate::player::Player;
use crate::search::spec::AgentSpecError;

/// The error of an evaluator. It ends the search.
pub type EvaluatorError = Box<dyn std::error::Error + Send + Sync + 'static>;

/// The error of a search.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The seat has no legal action: it is not to move, or the game is over.
    #[error("seat {player} is not to move, expected the information of the seat to move")]
    NotToMove {
        /// The seat whose information was given.
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
    /// The evaluator's answer is invalid.
    #[error("evaluator: {0}")]
    Evaluation(String),
    /// The position is too large for an exact search.
    #[error("too large for an exact search: {0}")]
    TooLarge(String),
    /// An agent from outside failed (see [`crate::arena::Agent`]).
    #[error("agent: {0}")]
    Agent(EvaluatorError),
    /// The search was interrupted.
    #[error("interrupted")]
    Interrupted,
}
