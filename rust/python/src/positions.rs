//! Observations and legal actions of many positions as lists, and positions derived again from seeds and actions.

use forbidden_games::any::Replayed;
use forbidden_games_core::contract::Step;
use forbidden_games_core::error::OptionsError;
use forbidden_games_core::interrupt::Interrupt;
use forbidden_games_core::start::Start;
use forbidden_games_core::vector::SparseRows;
use pyo3::prelude::*;

use crate::buffer;
use crate::classes::{Game, Match, Record};
use crate::convert::{Seed, count, entries, optional_count};
use crate::error::{IntoPython, ResultExt, row_error};
use crate::long;
use crate::shown::{Form, Given, Shown, Word};

/// A fresh array of these values.
pub(crate) fn array_of<'py, T: buffer::Element>(py: Python<'py>, values: &[T]) -> PyResult<Bound<'py, PyAny>> {
    buffer::new_array(py, &[values.len()], |out: &mut [T]| out.copy_from_slice(values))
}

/// Observations and legal actions of many positions as lists.
#[pyclass(module = "forbidden_games", frozen, get_all)]
#[derive(Debug)]
pub(crate) struct SparseBatch {
    /// int64 `[N + 1]`: where the features of each position begin; the last is their number.
    offsets: Py<PyAny>,
    /// uint16 (uint32 where an observation has more than 65,536 values): features that are not 0, ascending in each position.
    indices: Py<PyAny>,
    /// int16: their raw numbers.
    values: Py<PyAny>,
    /// int64 `[N + 1]`: where the legal ids of each position begin.
    legal_offsets: Py<PyAny>,
    /// uint32: legal ids, ascending in each position.
    legal_ids: Py<PyAny>,
}

impl SparseBatch {
    pub(crate) fn of(py: Python<'_>, lists: &SparseRows, size: usize) -> PyResult<Self> {
        let indices = match u16::try_from(size.saturating_sub(1)) {
            Ok(_) => {
                let narrow: Vec<u16> = lists.indices.iter().map(|&index| index as u16).collect();
                array_of(py, &narrow)?
            }
            Err(_) => array_of(py, &lists.indices)?,
        };
        Ok(Self {
            offsets: array_of(py, &lists.offsets)?.unbind(),
            indices: indices.unbind(),
            values: array_of(py, &lists.values)?.unbind(),
            legal_offsets: array_of(py, &lists.legal_offsets)?.unbind(),
            legal_ids: array_of(py, &lists.legal_ids)?.unbind(),
        })
    }
}

#[pymethods]
impl SparseBatch {
    #[new]
    fn new(offsets: Py<PyAny>, indices: Py<PyAny>, values: Py<PyAny>, legal_offsets: Py<PyAny>, legal_ids: Py<PyAny>) -> Self {
        Self { offsets, indices, values, legal_offsets, legal_ids }
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.offsets.bind(py).len()?.saturating_sub(1))
    }

    #[allow(clippy::type_complexity)]
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Py<PyAny>, Py<PyAny>, Py<PyAny>, Py<PyAny>, Py<PyAny>))> {
        let (py, this) = (slf.py(), slf.get());
        let arrays = (
            this.offsets.clone_ref(py),
            this.indices.clone_ref(py),
            this.values.clone_ref(py),
            this.legal_offsets.clone_ref(py),
            this.legal_ids.clone_ref(py),
        );
        Ok((slf.get_type().into_any(), arrays))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<SparseBatch of {}, {} values>", self.__len__(py)?, self.indices.bind(py).len()?))
    }
}

/// Positions of many games, derived again from seeds and actions: observations, masks and legal ids of all in one call.
#[pyclass(module = "forbidden_games", frozen, get_all)]
#[derive(Debug)]
pub(crate) struct EncodedPositions {
    /// `[N, observation_size]` of the seats to move, a `SparseBatch`, or `None`.
    observations: Option<Py<PyAny>>,
    /// bool `[N, num_actions]`, or `None`.
    action_mask: Option<Py<PyAny>>,
    /// int8 `[N]`: the seat to move, -1 at the end.
    players: Py<PyAny>,
    /// uint32 `[N]`: decisions taken.
    ply: Py<PyAny>,
    /// Offsets int64 `[N + 1]` and ids uint32 of the legal actions.
    legal: (Py<PyAny>, Py<PyAny>),
}

#[pymethods]
impl EncodedPositions {
    #[new]
    fn new(
        observations: Option<Py<PyAny>>,
        action_mask: Option<Py<PyAny>>,
        players: Py<PyAny>,
        ply: Py<PyAny>,
        legal: (Py<PyAny>, Py<PyAny>),
    ) -> Self {
        Self { observations, action_mask, players, ply, legal }
    }

    #[allow(clippy::type_complexity)]
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Option<Py<PyAny>>, Option<Py<PyAny>>, Py<PyAny>, Py<PyAny>, (Py<PyAny>, Py<PyAny>)))> {
        let (py, this) = (slf.py(), slf.get());
        let some = |array: &Option<Py<PyAny>>| array.as_ref().map(|array| array.clone_ref(py));
        let legal = (this.legal.0.clone_ref(py), this.legal.1.clone_ref(py));
        let parts = (some(&this.observations), some(&this.action_mask), this.players.clone_ref(py), this.ply.clone_ref(py), legal);
        Ok((slf.get_type().into_any(), parts))
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.players.bind(py).len()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<EncodedPositions of {}>", self.__len__(py)?))
    }
}

/// A game as start, seed and steps, from a record, a match, or a pair of seed and action ids.
fn replayed(game: &Py<Game>, given: &Bound<'_, PyAny>) -> PyResult<Replayed> {
    let py = given.py();
    let given = match given.cast::<Record>() {
        Ok(record) => record.call_method0("new_match")?,
        Err(_) => given.clone(),
    };
    if let Ok(played) = given.cast::<Match>() {
        if !Game::are_equal(py, game, &played.get().game) {
            return Err(OptionsError::new("games", "a match of another game", "matches of this game").into_python());
        }
        let played = played.get().enter()?;
        // Draws are taken as they were: a match can have been led by somebody who said what was drawn.
        let (start, seed, steps) = (played.start(), played.seed(), played.history());
        return Ok(Replayed { start, seed, steps, has_luck: false, plies: Vec::new() });
    }
    let (seed, actions) = given.extract::<(Seed, Bound<'_, PyAny>)>()?;
    let actions: Vec<i64> = if buffer::holds::<i64>(&actions) {
        buffer::read(&actions, "actions", &[actions.len()?])?
    } else {
        entries(&actions, "actions", "action ids")?.iter().map(PyAnyMethods::extract).collect::<PyResult<_>>()?
    };
    // What is no id becomes one that is out of range, which is named when it is played.
    let steps = actions.into_iter().map(|id| Step::Action(u32::try_from(id).unwrap_or(u32::MAX))).collect();
    Ok(Replayed { start: Start::Ordinary, seed: seed.0, steps, has_luck: true, plies: Vec::new() })
}

/// See `forbidden_games.encode_positions`.
#[pyfunction]
#[pyo3(signature = (game, games, *, plies = None, observation = Some(Word::new("float32")), action_mask = true, threads = None),
       text_signature = "(game, games, *, plies=None, observation='float32', action_mask=True, threads=1)")]
pub(crate) fn encode_positions(
    py: Python<'_>,
    game: Py<Game>,
    games: &Bound<'_, PyAny>,
    plies: Option<&Bound<'_, PyAny>>,
    observation: Option<Word>,
    action_mask: bool,
    threads: Option<&Bound<'_, PyAny>>,
) -> PyResult<EncodedPositions> {
    let form = Form::read(observation.as_ref(), game.get())?;
    let threads = optional_count(threads, "threads")?.unwrap_or(1);
    let mut wanted = entries(games, "games", "records, matches or pairs")?
        .iter()
        .map(|one| replayed(&game, one))
        .collect::<PyResult<Vec<_>>>()?;
    match plies {
        None => wanted.iter_mut().for_each(|one| one.plies = vec![one.num_actions() as u32]),
        Some(plies) => {
            let plies = entries(plies, "plies", "lists of plies")?;
            if plies.len() != wanted.len() {
                let found = format!("{} lists", plies.len());
                return Err(OptionsError::new("plies", found, format!("{}, one a game", wanted.len())).into_python());
            }
            for (place, (one, plies)) in wanted.iter_mut().zip(plies).enumerate() {
                for ply in entries(&plies, "plies", "plies")? {
                    let ply = count(&ply, "plies")?;
                    let fits = ply <= one.num_actions() && one.plies.last().is_none_or(|&last| last as usize <= ply);
                    if !fits {
                        let expected = format!("plies of game {place} that ascend, up to {}", one.num_actions());
                        return Err(OptionsError::new("plies", ply.to_string(), expected).into_python());
                    }
                    one.plies.push(ply as u32);
                }
            }
        }
    }
    let any = &game.get().any;
    let made = long::run(py, None, |_| Ok::<_, PyErr>(any.replay(&wanted, threads)))?;
    let mut rows = made.map_err(|(place, error)| row_error(place, error))?;
    let shown = Shown::new(py, game.get(), rows.num_rows(), form, action_mask, false, Given(None))?;
    let arrays = shown.elements();
    long::detach(py, || rows.show(&arrays, &Interrupt::new())).python()?;
    let lists = long::detach(py, || rows.sparse(form == Form::Sparse));
    let observations = match (&shown.observations, form) {
        (Some(dense), _) => Some(dense.array(py).unbind()),
        (None, Form::Sparse) => {
            Some(Bound::new(py, SparseBatch::of(py, &lists, game.get().any.observation_size())?)?.into_any().unbind())
        }
        (None, _) => None,
    };
    Ok(EncodedPositions {
        observations,
        action_mask: shown.action_mask.as_ref().map(|mask| mask.array(py).unbind()),
        players: shown.players.array(py).unbind(),
        ply: shown.ply.array(py).unbind(),
        legal: (array_of(py, &lists.legal_offsets)?.unbind(), array_of(py, &lists.legal_ids)?.unbind()),
    })
}
