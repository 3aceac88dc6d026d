//! How a batch behaves, and why a call did not happen.

use crate::error::{IllegalAction, StateError};
use crate::search::{AgentSpec, SearchError};
use crate::start::Start;

/// What happens to a row whose game has ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Autoreset {
    /// The next game begins in the same step; the end is in the final arrays.
    #[default]
    SameStep,
    /// The row waits finished, and the next step begins its next game, whatever the action.
    NextStep,
    /// The row waits finished until [`super::Vector::reset`]; its action has to be -1.
    Disabled,
}

/// What happens on an illegal action.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnIllegal {
    /// The step is refused before anything has changed.
    #[default]
    Refuse,
    /// The game of that row ends: -1 for the seat, 0 for the others.
    Lose,
}

/// How a batch behaves.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// After the end of a game.
    pub autoreset: Autoreset,
    /// On an illegal action.
    pub on_illegal: OnIllegal,
    /// Decisions of all seats after which a game is cut off.
    pub max_plies: Option<usize>,
    /// Agents that play a seat inside a step, one entry a seat; empty means none.
    pub agents: Vec<Option<AgentSpec>>,
    /// Threads; 0 or 1 means the caller's.
    pub threads: usize,
}

/// What begins again.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reset<'a> {
    /// A seed begins game 0 of a row, none the next game.
    pub seed: Option<u64>,
    /// Which rows, an entry a row; all without it.
    pub mask: Option<&'a [bool]>,
    /// States or positions to begin from, an entry a row, `None` for the ordinary start.
    pub starts: Option<&'a [Option<Start>]>,
}

/// Why a step or a reset did not happen, or not wholly.
#[derive(Debug, thiserror::Error)]
pub enum VectorError {
    /// An action is not legal; nothing has changed.
    #[error("row {row}: {error}")]
    Illegal {
        /// The first row.
        row: usize,
        /// What is wrong.
        error: IllegalAction,
    },
    /// An entry is no action at all, or one for a finished row; nothing has changed.
    #[error("row {row}: found action {found}, expected {expected}")]
    NoAction {
        /// The first row.
        row: usize,
        /// What was given.
        found: i64,
        /// In words.
        expected: String,
    },
    /// A start is refused; nothing has changed.
    #[error("row {row}: {error}")]
    Start {
        /// The first row.
        row: usize,
        /// Why.
        error: StateError,
    },
    /// An agent failed or was interrupted: the batch has to be reset.
    #[error("row {row}: {error}")]
    Agent {
        /// The first row.
        row: usize,
        /// Why.
        error: SearchError,
    },
    /// An earlier step was not finished.
    #[error("an agent failed in an earlier step: reset every row first")]
    Unfinished,
}
