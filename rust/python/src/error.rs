//! Which Python exception an error of the core becomes. The classes are defined once, in `forbidden_games/errors.py`.

use forbidden_games::any::StepError;
use forbidden_games_core::error::{
    DataError, IllegalAction, NotOver, OptionsError, ParseActionError, RecordError, SetupError, StateError,
};
use forbidden_games_core::interrupt::Interrupted;
use forbidden_games_core::playthrough::PlaythroughError;
use forbidden_games_core::search::{AgentSpecError, SearchError};
use forbidden_games_core::vector::VectorError;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::{PyErr, Python, import_exception};

/// The Python classes.
#[allow(missing_docs, missing_debug_implementations, unreachable_pub)]
mod python {
    use super::import_exception;

    import_exception!(forbidden_games.errors, AgentError);
    import_exception!(forbidden_games.errors, ComponentsError);
    import_exception!(forbidden_games.errors, ConcurrentUseError);
    import_exception!(forbidden_games.errors, EvaluatorError);
    import_exception!(forbidden_games.errors, IllegalActionError);
    import_exception!(forbidden_games.errors, InternalError);
    import_exception!(forbidden_games.errors, NotOverError);
    import_exception!(forbidden_games.errors, OptionsError);
    import_exception!(forbidden_games.errors, ParseActionError);
    import_exception!(forbidden_games.errors, RecordError);
    import_exception!(forbidden_games.errors, StateError);
}

/// Conversion into the Python exception. A trait of our own, since neither side of `From` is ours.
pub(crate) trait IntoPython {
    /// The exception.
    fn into_python(self) -> PyErr;
}

/// `result.python()?`: the error as a Python exception.
pub(crate) trait ResultExt<T> {
    /// The same result with a Python exception.
    fn python(self) -> Result<T, PyErr>;
}

impl<T, E: IntoPython> ResultExt<T> for Result<T, E> {
    fn python(self) -> Result<T, PyErr> {
        self.map_err(IntoPython::into_python)
    }
}

impl IntoPython for PyErr {
    fn into_python(self) -> PyErr {
        self
    }
}

impl IntoPython for OptionsError {
    fn into_python(self) -> PyErr {
        python::OptionsError::new_err((self.option, self.found, self.expected))
    }
}

impl IntoPython for SetupError {
    fn into_python(self) -> PyErr {
        match self {
            Self::Options(error) => error.into_python(),
            Self::Components(error) => components_error(error),
            other => python::OptionsError::new_err(("game", other.to_string(), "a game that can be made")),
        }
    }
}

/// A component file that cannot be used.
pub(crate) fn components_error(error: DataError) -> PyErr {
    python::ComponentsError::new_err((error.key, error.found, error.expected))
}

/// A state, position or observation that cannot be used.
pub(crate) fn state_error(error: DataError) -> PyErr {
    python::StateError::new_err((error.key, error.found, error.expected))
}

impl IntoPython for StateError {
    fn into_python(self) -> PyErr {
        state_error(self.0)
    }
}

impl IntoPython for ParseActionError {
    fn into_python(self) -> PyErr {
        python::ParseActionError::new_err((self.text, self.expected))
    }
}

impl IntoPython for IllegalAction {
    fn into_python(self) -> PyErr {
        python::IllegalActionError::new_err((self.action, self.refusal.rule, self.refusal.reason))
    }
}

/// An error of one row of many.
pub(crate) fn row_error(row: usize, error: StepError) -> PyErr {
    match error {
        StepError::Parse(error) => python::ParseActionError::new_err((error.text, error.expected, row)),
        StepError::Illegal(error) => {
            python::IllegalActionError::new_err((error.action, error.refusal.rule, error.refusal.reason, row))
        }
    }
}

impl IntoPython for VectorError {
    fn into_python(self) -> PyErr {
        match self {
            Self::Illegal { row, error } => row_error(row, error.into()),
            Self::NoAction { row, found, expected } => {
                python::ParseActionError::new_err((format!("action {found}"), expected, row))
            }
            Self::Start { row, error: StateError(error) } => {
                python::StateError::new_err((format!("row {row}: {}", error.key), error.found, error.expected))
            }
            Self::Agent { error, .. } => error.into_python(),
            Self::Unfinished => PyRuntimeError::new_err(self.to_string()),
        }
    }
}

impl IntoPython for StepError {
    fn into_python(self) -> PyErr {
        match self {
            Self::Parse(error) => error.into_python(),
            Self::Illegal(error) => error.into_python(),
        }
    }
}

impl IntoPython for RecordError {
    fn into_python(self) -> PyErr {
        match self {
            Self::Line { line, reason } => python::RecordError::new_err((line, None::<usize>, reason)),
            Self::Ply { ply, line, reason } => python::RecordError::new_err((line, Some(ply), reason)),
            other => python::RecordError::new_err((1, None::<usize>, other.to_string())),
        }
    }
}

impl IntoPython for NotOver {
    fn into_python(self) -> PyErr {
        python::NotOverError::new_err(self.to_string())
    }
}

impl IntoPython for Interrupted {
    fn into_python(self) -> PyErr {
        PyKeyboardInterrupt::new_err(())
    }
}

impl IntoPython for AgentSpecError {
    fn into_python(self) -> PyErr {
        python::AgentError::new_err(self.to_string())
    }
}

impl IntoPython for SearchError {
    /// An exception that a Python evaluator raised comes out as it is.
    fn into_python(self) -> PyErr {
        match self {
            Self::Interrupted => Interrupted.into_python(),
            Self::Evaluator(error) => match error.downcast::<PyErr>() {
                Ok(error) => *error,
                Err(error) => evaluator_error(error.to_string()),
            },
            Self::Evaluation(reason) => evaluator_error(reason),
            Self::Agent(error) => match error.downcast::<IllegalAction>() {
                Ok(error) => error.into_python(),
                Err(error) => python::AgentError::new_err(error.to_string()),
            },
            other => python::AgentError::new_err(other.to_string()),
        }
    }
}

impl IntoPython for PlaythroughError {
    fn into_python(self) -> PyErr {
        match self {
            Self::State(error) => error.into_python(),
            Self::Illegal(error) => error.into_python(),
            other => python::AgentError::new_err(other.to_string()),
        }
    }
}

/// An evaluator's answer that cannot be used.
pub(crate) fn evaluator_error(reason: String) -> PyErr {
    python::EvaluatorError::new_err(reason)
}

/// A match that another thread is using.
pub(crate) fn concurrent_use() -> PyErr {
    python::ConcurrentUseError::new_err("the match is in use by another thread: give each thread its own, match.copy() makes one")
}

/// A session that another thread is using.
pub(crate) fn concurrent_session() -> PyErr {
    python::ConcurrentUseError::new_err("the session is in use by another thread: give each its own, agent.new_session() makes one")
}

/// A match that an error of the program left half changed.
pub(crate) fn broken_match() -> PyErr {
    python::InternalError::new_err("an internal error broke this match: play on from its last record, or from a copy made before")
}

/// Whether it says that something is no action or outcome at all.
pub(crate) fn is_parse_error(error: &PyErr, py: Python<'_>) -> bool {
    error.is_instance_of::<python::ParseActionError>(py)
}

/// The wrong number of agents, or an argument of the wrong kind.
pub(crate) fn agent_error(reason: String) -> PyErr {
    python::AgentError::new_err(reason)
}
