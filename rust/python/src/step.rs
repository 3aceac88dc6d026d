//! Actions and outcomes.

use forbidden_games::any::AnyStep;
use forbidden_games_core::error::ParseActionError;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pyclass::CompareOp;
use pyo3::types::{PyBool, PyInt, PyString};

use crate::classes::{Action, Game, Outcome};
use crate::convert::{fitting, written};
use crate::error::ResultExt;

macro_rules! step_methods {
    ($class:ident, $format:ident, $make:literal, { $($more:tt)* }) => {
        #[pymethods]
        impl $class {
            fn __str__(&self) -> PyResult<String> {
                self.game.get().any.$format(self.id).python()
            }

            fn __repr__(&self) -> PyResult<String> {
                Ok(format!("<{} {} \"{}\">", stringify!($class), self.id, self.__str__()?))
            }

            fn __int__(&self) -> u32 {
                self.id
            }

            fn __index__(&self) -> u32 {
                self.id
            }

            fn __hash__(&self) -> u64 {
                u64::from(self.id)
            }

            fn __richcmp__(&self, other: &Bound<'_, PyAny>, operation: CompareOp) -> PyResult<Py<PyAny>> {
                let py = other.py();
                let Ok(other) = other.cast::<Self>() else { return Ok(py.NotImplemented()) };
                let other = other.get();
                let is_comparable = Game::have_same_ids(py, &self.game, &other.game);
                let result = match operation {
                    CompareOp::Eq => is_comparable && self.id == other.id,
                    CompareOp::Ne => !is_comparable || self.id != other.id,
                    _ if !is_comparable => return Ok(py.NotImplemented()),
                    _ => operation.matches(self.id.cmp(&other.id)),
                };
                Ok(PyBool::new(py, result).to_owned().into_any().unbind())
            }

            fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (u32,))> {
                Ok((self.game.bind(py).getattr($make)?, (self.id,)))
            }

            $($more)*
        }
    };
}

step_methods!(Action, format_action, "action", {
    /// A short word that groups actions in a list: the square, or the verb.
    #[getter]
    fn group(&self) -> PyResult<String> {
        self.game.get().any.action_group(self.id).python()
    }
});
step_methods!(Outcome, format_outcome, "outcome", {});

/// A step as it was given: an action, an outcome, notation or an id.
pub(crate) enum GivenStep {
    Action(u32),
    Outcome(u32),
    Id(u32),
    Text(String),
}

impl GivenStep {
    /// Reads an argument that stands for a step of `game`.
    pub(crate) fn read(game: &Py<Game>, given: &Bound<'_, PyAny>) -> PyResult<Self> {
        let other_game = |text: PyResult<String>| {
            let expected = format!("a step of this game ({})", game.get().any.action_space());
            text.and_then(|text| Err(ParseActionError::new(&text, expected)).python())
        };
        if let Ok(action) = given.cast::<Action>() {
            let action = action.get();
            if Game::have_same_ids(given.py(), game, &action.game) {
                return Ok(Self::Action(action.id));
            }
            return other_game(action.__str__());
        }
        if let Ok(text) = given.cast::<PyString>() {
            return Ok(Self::Text(text.to_string_lossy().into_owned()));
        }
        if let Ok(outcome) = given.cast::<Outcome>() {
            let outcome = outcome.get();
            if Game::have_same_ids(given.py(), game, &outcome.game) {
                return Ok(Self::Outcome(outcome.id));
            }
            return other_game(outcome.__str__());
        }
        read_id(given).map(Self::Id)
    }

    /// The same for the core.
    pub(crate) fn as_any(&self) -> AnyStep<'_> {
        match self {
            Self::Action(id) => AnyStep::Action(*id),
            Self::Outcome(id) => AnyStep::Outcome(*id),
            Self::Id(id) => AnyStep::Id(*id),
            Self::Text(text) => AnyStep::Text(text),
        }
    }
}

/// Reads an id: any integer, which need not be in range.
pub(crate) fn read_id(given: &Bound<'_, PyAny>) -> PyResult<u32> {
    if given.cast::<PyBool>().is_err() && (given.cast::<PyInt>().is_ok() || given.hasattr("__index__")?) {
        return match fitting(given.extract::<u32>(), given.py())? {
            Some(id) => Ok(id),
            None => Err(ParseActionError::new(&written(given)?, "an id from 0 up")).python(),
        };
    }
    let kind = given.get_type().name()?;
    Err(PyTypeError::new_err(format!("found {kind}, expected an action, an outcome, notation or an id")))
}
