//! Actions, outcomes, and lists of legal actions.

use forbidden_games::any::AnyStep;
use forbidden_games_core::error::{DataError, ParseActionError, shorten};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pyclass::CompareOp;
use pyo3::types::{PyBool, PyInt, PySlice, PyString};

use crate::convert::{fitting, written};
use crate::error::{ResultExt, is_parse_error, state_error};
use crate::game::Game;

/// One decision. `str(action)` is its notation, the same everywhere; `int(action)` its id among `game.num_actions`.
///
/// Actions are equal if their ids and the action spaces of their games are.
#[pyclass(module = "forbidden_games", frozen)]
#[derive(Debug)]
pub(crate) struct Action {
    /// Its game.
    #[pyo3(get)]
    pub(crate) game: Py<Game>,
    /// Its id.
    #[pyo3(get)]
    pub(crate) id: u32,
}

/// One result of a draw. `str(outcome)` is its notation, `int(outcome)` its id among `game.num_outcomes`.
#[pyclass(module = "forbidden_games", frozen)]
#[derive(Debug)]
pub(crate) struct Outcome {
    /// Its game.
    #[pyo3(get)]
    pub(crate) game: Py<Game>,
    /// Its id.
    #[pyo3(get)]
    pub(crate) id: u32,
}

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

/// All legal actions, ascending by id: a sequence made when it is asked for. `in` is a test of legality and takes actions,
/// notation and ids.
#[pyclass(module = "forbidden_games", frozen, sequence)]
#[derive(Debug)]
pub(crate) struct LegalActions {
    /// Their game.
    #[pyo3(get)]
    pub(crate) game: Py<Game>,
    /// Their ids.
    #[pyo3(get)]
    pub(crate) ids: Vec<u32>,
}

impl LegalActions {
    fn action(&self, py: Python<'_>, place: usize) -> Action {
        Action { game: self.game.clone_ref(py), id: self.ids[place] }
    }

    /// Where it stands in the list; `None` also for what is no action at all.
    fn place(&self, given: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        let py = given.py();
        let id = match GivenStep::read(&self.game, given) {
            Ok(GivenStep::Action(id) | GivenStep::Id(id)) => Some(id),
            Ok(GivenStep::Text(text)) => self.game.get().any.parse_action(&text).ok(),
            Ok(GivenStep::Outcome(_)) => None,
            Err(error) if is_parse_error(&error, py) || error.is_instance_of::<PyTypeError>(py) => None,
            Err(error) => return Err(error),
        };
        Ok(id.and_then(|id| self.ids.binary_search(&id).ok()))
    }
}

#[pymethods]
impl LegalActions {
    fn __len__(&self) -> usize {
        self.ids.len()
    }

    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = index.py();
        if let Ok(slice) = index.cast::<PySlice>() {
            let range = slice.indices(self.ids.len() as isize)?;
            let places = (0..range.slicelength).map(|step| (range.start + step as isize * range.step) as usize);
            let list = places.map(|place| Bound::new(py, self.action(py, place))).collect::<PyResult<Vec<_>>>()?;
            return Ok(list.into_pyobject(py)?.into_any());
        }
        let given = index.extract::<isize>()?;
        let length = self.ids.len() as isize;
        let place = if given < 0 { given + length } else { given };
        if !(0..length).contains(&place) {
            return Err(PyIndexError::new_err(format!("found place {given}, but {length} actions are legal")));
        }
        Ok(Bound::new(py, self.action(py, place as usize))?.into_any())
    }

    fn __iter__(slf: Bound<'_, Self>) -> LegalActionsIterator {
        LegalActionsIterator { actions: slf.unbind(), next: 0 }
    }

    fn __contains__(&self, action: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.place(action)?.is_some())
    }

    /// The place of an action in the list.
    #[pyo3(signature = (action, start = 0, stop = None))]
    fn index(&self, action: &Bound<'_, PyAny>, start: isize, stop: Option<isize>) -> PyResult<usize> {
        let length = self.ids.len() as isize;
        let from_end = |place: isize| if place < 0 { (place + length).max(0) } else { place.min(length) };
        let (start, stop) = (from_end(start), stop.map_or(length, from_end));
        match self.place(action)? {
            Some(place) if (start..stop).contains(&(place as isize)) => Ok(place),
            _ => Err(PyValueError::new_err(format!("{} is not in the list of legal actions", shorten(&written(action)?)))),
        }
    }

    /// 1 if the action is legal, else 0.
    fn count(&self, action: &Bound<'_, PyAny>) -> PyResult<usize> {
        Ok(usize::from(self.place(action)?.is_some()))
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, operation: CompareOp) -> Py<PyAny> {
        let py = other.py();
        let Ok(other) = other.cast::<Self>() else { return py.NotImplemented() };
        let other = other.get();
        let equal = self.ids == other.ids && Game::have_same_ids(py, &self.game, &other.game);
        match operation {
            CompareOp::Eq => PyBool::new(py, equal).to_owned().into_any().unbind(),
            CompareOp::Ne => PyBool::new(py, !equal).to_owned().into_any().unbind(),
            _ => py.NotImplemented(),
        }
    }

    #[allow(clippy::type_complexity)]
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Py<Game>, Vec<u32>))> {
        let restore = py.import("forbidden_games._rust")?.getattr("restore_legal_actions")?;
        Ok((restore, (self.game.clone_ref(py), self.ids.clone())))
    }

    fn __repr__(&self) -> PyResult<String> {
        const SHOWN: usize = 8;
        let any = &self.game.get().any;
        let mut texts = Vec::new();
        for &id in self.ids.iter().take(SHOWN) {
            texts.push(any.format_action(id).python()?);
        }
        if self.ids.len() > SHOWN {
            texts.push("...".to_owned());
        }
        Ok(format!("<LegalActions {}: {}>", self.ids.len(), texts.join(", ")))
    }
}

/// Rebuild a pickled list of legal actions.
#[pyfunction]
pub(crate) fn restore_legal_actions(game: Py<Game>, ids: Vec<u32>) -> PyResult<LegalActions> {
    if let Some(pair) = ids.windows(2).find(|pair| pair[0] >= pair[1]) {
        let found = format!("{} before {}", pair[0], pair[1]);
        return Err(state_error(DataError::new("pickle", found, "ids that ascend")));
    }
    ids.iter().try_for_each(|&id| game.get().any.check_action_id(id)).python()?;
    Ok(LegalActions { game, ids })
}

/// Walks over a list of legal actions.
#[pyclass(module = "forbidden_games")]
#[derive(Debug)]
pub(crate) struct LegalActionsIterator {
    actions: Py<LegalActions>,
    next: usize,
}

#[pymethods]
impl LegalActionsIterator {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> Option<Action> {
        let actions = self.actions.get();
        if self.next >= actions.ids.len() {
            return None;
        }
        self.next += 1;
        Some(actions.action(py, self.next - 1))
    }
}
