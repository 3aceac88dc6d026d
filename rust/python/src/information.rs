//! What seats see and know.

use forbidden_games::any::{AnyInformation, AnyObservation, Picture};
use forbidden_games_core::bytes::{ByteReader, ByteSink};
use forbidden_games_core::encoding::TooWide;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pyclass::CompareOp;
use pyo3::types::{PyDict, PySlice, PyString, PyTuple};

use crate::buffer;
use crate::classes::{Action, Game, InformationState, LegalActions, Observation, State};
use crate::convert::{Seed, Width, entries, text_argument, to_python, whole_number};
use crate::error::ResultExt;
use crate::legal::mask;
use crate::long;
use crate::pickle::{self, Kind, Reduced};
use crate::value::equality;

/// How `str()` draws.
pub(crate) const WHOLE_WIDTH: Picture<'static> =
    Picture { legal: &[], last: None, width: 80, focus: None, color: false, ascii: false };

impl Observation {
    pub(crate) fn new(any: AnyObservation, game: Py<Game>) -> Self {
        Self { any, game }
    }
}

#[pymethods]
impl Observation {
    /// The seat.
    #[getter]
    fn player(&self) -> u8 {
        self.any.player().0
    }

    /// A fresh flat array of `game.observation_size` numbers: all blocks in order.
    #[getter]
    fn tensor<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let size = self.game.get().any.observation_size();
        buffer::new_array(py, &[size], |values: &mut [f32]| self.any.encode(values))
    }

    /// The blocks of one fresh tensor by name, each a view in its shape.
    #[getter]
    fn blocks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tensor = self.tensor(py)?;
        let blocks = PyDict::new(py);
        for block in self.game.get().any.observation_blocks() {
            let range = PySlice::new(py, block.offset as isize, (block.offset + block.len()) as isize, 1);
            let view = tensor.get_item(range)?.call_method1("reshape", (PyTuple::new(py, &block.shape)?,))?;
            blocks.set_item(block.name, view)?;
        }
        Ok(blocks)
    }

    /// Write the tensor into `out` (float32, or uint8 for the raw numbers, `observation_size` values, C-contiguous, writable) and
    /// return it. uint8 is refused where a block's bound is more than 255.
    fn encode<'py>(&self, out: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        encode_into(&self.game, out, |values| self.any.encode(values), |values| self.any.encode_u8(values))
    }

    /// Draw it.
    ///
    /// Args:
    ///     width: Columns to stay within, at least 60; `None` for no limit.
    ///     color: Whether to add ANSI colours. The picture can be read without them.
    ///     ascii: Whether to keep to ASCII characters.
    ///     focus: Where to look in a picture that shows a part (Forbidden City: `3,-2`).
    ///     legal: Actions whose targets are marked.
    ///     last: The last action, marked.
    #[pyo3(signature = (*, width = Width(80), color = false, ascii = false, focus = None, legal = None, last = None),
           text_signature = "($self, *, width=80, color=False, ascii=False, focus=None, legal=(), last=None)")]
    #[allow(clippy::too_many_arguments)]
    fn draw(
        &self,
        py: Python<'_>,
        width: Width,
        color: bool,
        ascii: bool,
        focus: Option<&Bound<'_, PyString>>,
        legal: Option<&Bound<'_, PyAny>>,
        last: Option<Bound<'_, Action>>,
    ) -> PyResult<String> {
        let id_of = |action: &Bound<'_, Action>| {
            let action = action.get();
            if Game::have_same_ids(py, &self.game, &action.game) {
                Ok(action.id)
            } else {
                let expected = format!("an action of this game ({})", self.game.get().any.action_space());
                Err(PyValueError::new_err(format!("found action {}, expected {expected}", action.id)))
            }
        };
        let mut marked = Vec::new();
        match legal.map(|legal| (legal, legal.cast::<LegalActions>())) {
            None => {}
            Some((_, Ok(list))) if Game::have_same_ids(py, &self.game, &list.get().game) => {
                marked.extend_from_slice(list.get().all());
            }
            Some((legal, _)) => {
                for action in entries(legal, "legal", "actions")? {
                    marked.push(id_of(action.cast::<Action>()?)?);
                }
            }
        }
        let last = last.as_ref().map(id_of).transpose()?;
        let focus = focus.map(|focus| text_argument(focus, "focus")).transpose()?;
        self.any.draw(&Picture { legal: &marked, last, width: width.0, focus: focus.as_deref(), color, ascii }).python()
    }

    /// The state's JSON text with `null` for what the seat may not know.
    fn to_json(&self) -> String {
        self.any.to_json().to_string()
    }

    /// The same as a dict.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.any.to_json())
    }

    fn __str__(&self) -> PyResult<String> {
        self.any.draw(&WHOLE_WIDTH).python()
    }

    fn __repr__(&self) -> String {
        format!("<Observation {}: player {}>", self.game.get().any.info().name, self.any.player())
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, operation: CompareOp) -> Py<PyAny> {
        let py = other.py();
        equality(other, operation, |other: &Self| *self.any == *other.any && Game::are_equal(py, &self.game, &other.game))
    }

    fn __hash__(&self) -> u64 {
        self.any.key()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        pickle::reduce(py, self.game.get(), Kind::Observation, |out| self.any.write_bytes(out))
    }
}

/// Numbers in the caller's array, of the kind that the array holds.
pub(crate) fn encode_into<'py>(
    game: &Py<Game>,
    out: Bound<'py, PyAny>,
    floats: impl FnOnce(&mut [f32]),
    raw: impl FnOnce(&mut [u8]) -> Result<(), TooWide>,
) -> PyResult<Bound<'py, PyAny>> {
    let shape = [game.get().any.observation_size()];
    if buffer::holds::<u8>(&out) {
        let mut result = Ok(());
        buffer::fill(&out, &shape, |values: &mut [u8]| result = raw(values))?;
        result.map_err(|error| PyValueError::new_err(format!("out: {error}")))?;
    } else {
        buffer::fill(&out, &shape, floats)?;
    }
    Ok(out)
}

impl InformationState {
    pub(crate) fn new(any: AnyInformation, game: Py<Game>) -> Self {
        Self { any, game }
    }
}

#[pymethods]
impl InformationState {
    /// The seat.
    #[getter]
    fn player(&self) -> u8 {
        self.any.player().0
    }

    /// What it perceives now.
    #[getter]
    fn observation(&self, py: Python<'_>) -> Observation {
        Observation::new(self.any.observation(), self.game.clone_ref(py))
    }

    /// What the seat saw, step by step, since the start of the match.
    #[getter]
    fn history(&self) -> Vec<String> {
        self.any.history()
    }

    /// A 64-bit key of observation and history, the same on every platform.
    #[getter]
    fn key(&self) -> u64 {
        self.any.key()
    }

    /// Everything the seat has learnt, as text: what it perceives, then what each step showed it. Equal texts mean equal
    /// information (perfect recall).
    #[getter]
    fn text(&self) -> String {
        self.any.text()
    }

    /// Its legal actions, ascending by id; empty if it is not to move.
    #[getter]
    fn legal_actions(&self, py: Python<'_>) -> LegalActions {
        LegalActions::of_ids(self.any.legal_actions(), self.game.clone_ref(py))
    }

    /// A fresh array of `num_actions` booleans.
    #[getter]
    fn legal_actions_mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        mask(py, &self.game, |take| self.any.legal_actions().into_iter().for_each(take))
    }

    /// A full state that fits what the seat knows, uniformly drawn.
    fn sample_world(&self, py: Python<'_>, seed: Seed) -> State {
        State::new(self.any.sample_world(seed.0, 0), self.game.clone_ref(py))
    }

    /// Many of them, at most a million at once.
    fn sample_worlds(&self, py: Python<'_>, count: &Bound<'_, PyAny>, seed: Seed) -> PyResult<Vec<Py<State>>> {
        let count = whole_number(count.as_borrowed(), "count", 1_000_000)?;
        let mut worlds = Vec::new();
        while (worlds.len() as u64) < count {
            py.check_signals()?;
            let first = worlds.len() as u64;
            let batch = first..count.min(first + 1024);
            let sampled: Vec<_> = long::detach(py, || batch.map(|index| self.any.sample_world(seed.0, index)).collect());
            for any in sampled {
                worlds.push(Py::new(py, State::new(any, self.game.clone_ref(py)))?);
            }
        }
        Ok(worlds)
    }

    /// The one legal action that `text` means, canonical or not; `None` if there is none or more than one.
    fn interpret(&self, py: Python<'_>, text: &Bound<'_, PyString>) -> Option<Action> {
        let id = self.any.interpret(&text.to_string_lossy())?;
        Some(Action { game: self.game.clone_ref(py), id })
    }

    /// The observation's JSON text.
    fn to_json(&self) -> String {
        self.any.observation().to_json().to_string()
    }

    /// The same as a dict.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.any.observation().to_json())
    }

    fn __str__(&self) -> PyResult<String> {
        let legal = self.any.legal_actions();
        self.any.observation().draw(&Picture { legal: &legal, ..WHOLE_WIDTH }).python()
    }

    fn __repr__(&self) -> String {
        let name = self.game.get().any.info().name;
        format!("<InformationState {name}: player {}, {} legal actions>", self.any.player(), self.any.num_legal())
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, operation: CompareOp) -> Py<PyAny> {
        let py = other.py();
        equality(other, operation, |other: &Self| *self.any == *other.any && Game::are_equal(py, &self.game, &other.game))
    }

    fn __hash__(&self) -> u64 {
        self.any.key()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        pickle::reduce(py, self.game.get(), Kind::Information, |out| {
            let history = self.any.history_numbers();
            out.u32(history.len() as u32);
            history.into_iter().for_each(|seen| out.u64(seen));
            self.any.observation().write_bytes(out);
        })
    }
}

/// Rebuild a pickled observation.
#[pyfunction]
pub(crate) fn restore_observation(py: Python<'_>, identity: &Bound<'_, PyString>, bytes: &[u8]) -> PyResult<Observation> {
    let (game, fields) = pickle::read(py, identity, bytes, Kind::Observation)?;
    Ok(Observation::new(game.get().any.observation_from_bytes(fields).python()?, game))
}

/// Rebuild a pickled information state.
#[pyfunction]
pub(crate) fn restore_information_state(
    py: Python<'_>,
    identity: &Bound<'_, PyString>,
    bytes: &[u8],
) -> PyResult<InformationState> {
    let (game, fields) = pickle::read(py, identity, bytes, Kind::Information)?;
    let mut reader = ByteReader::new(fields);
    let length = reader.u32("history").python()? as usize;
    let seen = reader.bytes("history", length.saturating_mul(8)).python()?;
    let history: Vec<u64> = seen.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap_or_default())).collect();
    let observation = game.get().any.observation_from_bytes(reader.rest()).python()?;
    Ok(InformationState::new(observation.information().with_history(&history), game))
}
