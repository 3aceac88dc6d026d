//! Lists of legal actions, which are made only as far as they are asked for.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

use forbidden_games::any::{AnyState, Ids, StateObject};
use forbidden_games_core::error::{DataError, shorten};
use forbidden_games_core::player::Turn;
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pyclass::CompareOp;
use pyo3::types::PySlice;

use crate::buffer::{self, Flag, Mark};
use crate::classes::{Action, Game, LegalActions, Source, State};
use crate::convert::written;
use crate::error::{ResultExt, is_parse_error, state_error};
use crate::step::GivenStep;
use crate::value::equality;

/// After so many look-ups one by one the list is made.
const LOOKUPS: u8 = 4;

/// In place of a count that nobody has asked for.
pub(crate) const UNCOUNTED: usize = usize::MAX;

impl LegalActions {
    fn new(game: Py<Game>, source: Source, count: usize) -> Self {
        Self { game, source, made: OnceLock::new(), count: AtomicUsize::new(count), lookups: AtomicU8::new(0) }
    }

    /// Those of a state.
    pub(crate) fn of_state(state: &Bound<'_, State>) -> Self {
        Self::new(state.get().game.clone_ref(state.py()), Source::State(state.clone().unbind()), UNCOUNTED)
    }

    /// Those of a state that nobody else has, and how many there are.
    pub(crate) fn of_snapshot(state: AnyState, count: usize, game: Py<Game>) -> Self {
        Self::new(game, Source::Snapshot(state), count)
    }

    /// These, ascending.
    pub(crate) fn of_ids(ids: Vec<u32>, game: Py<Game>) -> Self {
        Self::new(game, Source::Ids(ids), UNCOUNTED)
    }

    /// Where they are not listed from the start, their state.
    fn state(&self) -> Option<&dyn StateObject> {
        match &self.source {
            Source::State(state) => Some(&*state.get().any),
            Source::Snapshot(state) => Some(&**state),
            Source::Ids(_) => None,
        }
    }

    /// Their ids, if they are listed, else the state that knows them.
    fn listed(&self) -> Result<&[u32], &dyn StateObject> {
        match (&self.source, self.made.get()) {
            (Source::Ids(ids), _) | (_, Some(ids)) => Ok(ids),
            (Source::State(state), None) => Err(&*state.get().any),
            (Source::Snapshot(state), None) => Err(&**state),
        }
    }

    /// All ids, made at the first call.
    pub(crate) fn all(&self) -> &[u32] {
        self.listed().unwrap_or_else(|state| self.made.get_or_init(|| state.legal_actions()))
    }

    fn len(&self) -> usize {
        match (self.listed(), self.count.load(Ordering::Relaxed)) {
            (Ok(ids), _) => ids.len(),
            (Err(state), UNCOUNTED) => {
                let count = state.num_legal();
                self.count.store(count, Ordering::Relaxed);
                count
            }
            (Err(_), count) => count,
        }
    }

    /// The id at a place below the length.
    fn id_at(&self, place: usize) -> u32 {
        match self.listed() {
            Err(state) if self.lookups.fetch_add(1, Ordering::Relaxed) < LOOKUPS => state.nth_legal(place),
            _ => None,
        }
        .unwrap_or_else(|| self.all()[place])
    }

    fn action(&self, py: Python<'_>, place: usize) -> Action {
        Action { game: self.game.clone_ref(py), id: self.id_at(place) }
    }

    /// The id that an argument stands for; `None` also for what is no action at all.
    fn id_of(&self, given: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
        let py = given.py();
        match GivenStep::read(&self.game, given) {
            Ok(GivenStep::Action(id) | GivenStep::Id(id)) => Ok(Some(id)),
            Ok(GivenStep::Text(text)) => Ok(self.game.get().any.parse_action(&text).ok()),
            Ok(GivenStep::Outcome(_)) => Ok(None),
            Err(error) if is_parse_error(&error, py) || error.is_instance_of::<PyTypeError>(py) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn has(&self, given: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Some(id) = self.id_of(given)? else { return Ok(false) };
        Ok(match self.listed() {
            Ok(ids) => ids.binary_search(&id).is_ok(),
            Err(state) => state.is_legal(id),
        })
    }
}

#[pymethods]
impl LegalActions {
    /// Their ids as a list.
    #[getter]
    fn ids(&self) -> Vec<u32> {
        self.all().to_vec()
    }

    /// Their ids as a fresh array of uint32.
    #[getter]
    fn array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let ids = self.all();
        buffer::new_array(py, &[ids.len()], |values: &mut [u32]| values.copy_from_slice(ids))
    }

    fn __len__(&self) -> usize {
        self.len()
    }

    fn __bool__(&self) -> bool {
        match self.state() {
            Some(state) => matches!(state.turn(), Turn::Player(_)),
            None => !self.all().is_empty(),
        }
    }

    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = index.py();
        let length = self.len() as isize;
        if let Ok(slice) = index.cast::<PySlice>() {
            let range = slice.indices(length)?;
            let places = (0..range.slicelength).map(|step| (range.start + step as isize * range.step) as usize);
            let list = places.map(|place| Bound::new(py, self.action(py, place))).collect::<PyResult<Vec<_>>>()?;
            return Ok(list.into_pyobject(py)?.into_any());
        }
        let given = index.extract::<isize>()?;
        let place = if given < 0 { given + length } else { given };
        if !(0..length).contains(&place) {
            return Err(PyIndexError::new_err(format!("found place {given}, but {length} actions are legal")));
        }
        Ok(Bound::new(py, self.action(py, place as usize))?.into_any())
    }

    fn __iter__(slf: Bound<'_, Self>) -> LegalActionsIterator {
        slf.get().all();
        LegalActionsIterator { actions: slf.unbind(), next: 0 }
    }

    fn __contains__(&self, action: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.has(action)
    }

    /// The place of an action in the list.
    #[pyo3(signature = (action, start = 0, stop = None))]
    fn index(&self, action: &Bound<'_, PyAny>, start: isize, stop: Option<isize>) -> PyResult<usize> {
        let length = self.len() as isize;
        let from_end = |place: isize| if place < 0 { (place + length).max(0) } else { place.min(length) };
        let (start, stop) = (from_end(start), stop.map_or(length, from_end));
        match self.id_of(action)?.and_then(|id| self.all().binary_search(&id).ok()) {
            Some(place) if (start..stop).contains(&(place as isize)) => Ok(place),
            _ => Err(PyValueError::new_err(format!("{} is not in the list of legal actions", shorten(&written(action)?)))),
        }
    }

    /// 1 if the action is legal, else 0.
    fn count(&self, action: &Bound<'_, PyAny>) -> PyResult<usize> {
        Ok(usize::from(self.has(action)?))
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, operation: CompareOp) -> Py<PyAny> {
        let py = other.py();
        equality(other, operation, |other: &Self| Game::have_same_ids(py, &self.game, &other.game) && self.all() == other.all())
    }

    #[allow(clippy::type_complexity)]
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Py<Game>, Vec<u32>))> {
        let restore = py.import("forbidden_games._rust")?.getattr("restore_legal_actions")?;
        Ok((restore, (self.game.clone_ref(py), self.ids())))
    }

    fn __repr__(&self) -> PyResult<String> {
        const SHOWN: usize = 8;
        let (any, ids) = (&self.game.get().any, self.all());
        let mut texts = Vec::new();
        for &id in ids.iter().take(SHOWN) {
            texts.push(any.format_action(id).python()?);
        }
        if ids.len() > SHOWN {
            texts.push("...".to_owned());
        }
        Ok(format!("<LegalActions {}: {}>", ids.len(), texts.join(", ")))
    }
}

/// A fresh mask of the ids that `for_each` hands out.
pub(crate) fn mask<'py>(py: Python<'py>, game: &Py<Game>, for_each: impl FnOnce(&mut Ids<'_>)) -> PyResult<Bound<'py, PyAny>> {
    buffer::new_array(py, &[game.get().any.num_actions()], |flags: &mut [Flag]| {
        for_each(&mut |id| flags[id as usize] = Flag::from(true));
    })
}

/// The mask in the caller's array.
pub(crate) fn write_mask<'py>(game: &Py<Game>, state: &dyn StateObject, out: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    buffer::fill(&out, &[game.get().any.num_actions()], |marks: &mut [Mark]| {
        state.for_each_legal_id(&mut |id| marks[id as usize] = Mark::from(true));
    })?;
    Ok(out)
}

/// Rebuild a pickled list of legal actions.
#[pyfunction]
pub(crate) fn restore_legal_actions(game: Py<Game>, ids: Vec<u32>) -> PyResult<LegalActions> {
    if let Some([one, next]) = ids.windows(2).find(|pair| pair[0] >= pair[1]) {
        let found = format!("{one} before {next}");
        return Err(state_error(DataError::new("pickle", found, "ids that ascend")));
    }
    ids.iter().try_for_each(|&id| game.get().any.check_action_id(id)).python()?;
    Ok(LegalActions::of_ids(ids, game))
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
        let &id = actions.all().get(self.next)?;
        self.next += 1;
        Some(Action { game: actions.game.clone_ref(py), id })
    }
}
