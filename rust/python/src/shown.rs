//! The arrays that batches are shown in, and the words that say which.

use forbidden_games_core::error::OptionsError;
use forbidden_games_core::vector::{Arrays, Observations};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::buffer::{Export, Flag};
use crate::classes::Game;
use crate::error::IntoPython;

/// More values than this are no array but a slip of the pen: 64 GiB of float32.
const MAX_VALUES: usize = 1 << 34;

/// The arrays of a batch.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) observations: Option<Dense>,
    pub(crate) final_observations: Option<Dense>,
    pub(crate) action_mask: Option<Export<Flag>>,
    pub(crate) players: Export<i8>,
    pub(crate) final_players: Export<i8>,
    pub(crate) ply: Export<u32>,
    pub(crate) rewards: Export<f32>,
    pub(crate) scores: Export<i32>,
    pub(crate) terminated: Export<Flag>,
    pub(crate) truncated: Export<Flag>,
    pub(crate) seeds: Export<u64>,
    pub(crate) episodes: Export<u64>,
}

#[derive(Debug)]
pub(crate) enum Dense {
    Float32(Export<f32>),
    Uint8(Export<u8>),
}

/// A word of an argument; lone surrogates become question marks, and no word has those.
#[derive(Clone, Debug)]
pub(crate) struct Word(String);

impl Word {
    pub(crate) fn new(word: &str) -> Self {
        Self(word.to_owned())
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Word {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        Ok(Self(given.cast::<PyString>()?.to_string_lossy().into_owned()))
    }
}

/// How observations are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Float32,
    Uint8,
    Sparse,
    Nothing,
}

impl Form {
    pub(crate) fn read(given: Option<&Word>, game: &Game) -> PyResult<Self> {
        let Some(Word(name)) = given else { return Ok(Self::Nothing) };
        match &**name {
            "float32" => Ok(Self::Float32),
            "uint8" => {
                let wide = game.any.observation_blocks().into_iter().find(|block| block.bound > u8::MAX.into());
                match wide {
                    None => Ok(Self::Uint8),
                    Some(block) => {
                        let found = format!("uint8, but block {} goes up to {}", block.name, block.bound);
                        Err(OptionsError::new("observation", found, "float32 or sparse").into_python())
                    }
                }
            }
            "sparse" => Ok(Self::Sparse),
            other => Err(OptionsError::new("observation", other, "float32, uint8, sparse or None").into_python()),
        }
    }
}

/// The caller's arrays by name; each is taken once.
pub(crate) struct Given<'py>(pub(crate) Option<Bound<'py, PyDict>>);

impl<'py> Given<'py> {
    pub(crate) fn take(&self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(arrays) = &self.0 else { return Ok(None) };
        let found = arrays.get_item(name)?;
        if found.is_some() {
            arrays.del_item(name)?;
        }
        Ok(found)
    }

    pub(crate) fn finish(self) -> PyResult<()> {
        match self.0.and_then(|arrays| arrays.iter().next()) {
            None => Ok(()),
            Some((name, _)) => {
                let found = name.str()?.to_string_lossy().into_owned();
                Err(OptionsError::new("out", found, "names of arrays that this batch has").into_python())
            }
        }
    }
}

impl Dense {
    pub(crate) fn new(py: Python<'_>, name: &str, given: &Given<'_>, form: Form, shape: &[usize]) -> PyResult<Option<Self>> {
        Ok(match form {
            Form::Float32 => Some(Self::Float32(Export::new(py, name, given.take(name)?, shape)?)),
            Form::Uint8 => Some(Self::Uint8(Export::new(py, name, given.take(name)?, shape)?)),
            Form::Sparse | Form::Nothing => None,
        })
    }

    pub(crate) fn array<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        match self {
            Self::Float32(export) => export.array(py),
            Self::Uint8(export) => export.array(py),
        }
    }

    pub(crate) fn elements(&self) -> Observations<'_> {
        match self {
            Self::Float32(export) => Observations::Float32(export.elements()),
            Self::Uint8(export) => Observations::Uint8(export.elements()),
        }
    }
}

impl Shown {
    pub(crate) fn new(
        py: Python<'_>,
        game: &Game,
        rows: usize,
        form: Form,
        with_mask: bool,
        with_final: bool,
        given: Given<'_>,
    ) -> PyResult<Self> {
        let (size, actions, seats) = (game.any.observation_size(), game.any.num_actions(), game.any.num_players());
        let widest = size.max(if with_mask { actions } else { 1 });
        if rows.checked_mul(widest).is_none_or(|values| values > MAX_VALUES) {
            return Err(OptionsError::new("num_envs", rows.to_string(), "rows that fit into memory").into_python());
        }
        let dense = [rows, size];
        let last = if with_final { form } else { Form::Nothing };
        let shown = Self {
            observations: Dense::new(py, "observations", &given, form, &dense)?,
            final_observations: Dense::new(py, "final_observations", &given, last, &dense)?,
            action_mask: if with_mask {
                Some(Export::new(py, "action_mask", given.take("action_mask")?, &[rows, actions])?)
            } else {
                None
            },
            players: Export::new(py, "players", given.take("players")?, &[rows])?,
            final_players: Export::new(py, "final_players", given.take("final_players")?, &[rows])?,
            ply: Export::new(py, "ply", given.take("ply")?, &[rows])?,
            rewards: Export::new(py, "rewards", given.take("rewards")?, &[rows, seats])?,
            scores: Export::new(py, "scores", given.take("scores")?, &[rows, seats])?,
            terminated: Export::new(py, "terminated", given.take("terminated")?, &[rows])?,
            truncated: Export::new(py, "truncated", given.take("truncated")?, &[rows])?,
            seeds: Export::new(py, "seeds", given.take("seeds")?, &[rows])?,
            episodes: Export::new(py, "episodes", given.take("episodes")?, &[rows])?,
        };
        given.finish()?;
        Ok(shown)
    }

    pub(crate) fn elements(&self) -> Arrays<'_> {
        Arrays {
            observations: self.observations.as_ref().map(Dense::elements),
            final_observations: self.final_observations.as_ref().map(Dense::elements),
            action_mask: self.action_mask.as_ref().map(Export::elements),
            players: self.players.elements(),
            final_players: self.final_players.elements(),
            ply: self.ply.elements(),
            rewards: self.rewards.elements(),
            scores: self.scores.elements(),
            terminated: self.terminated.elements(),
            truncated: self.truncated.elements(),
            seeds: self.seeds.elements(),
            episodes: self.episodes.elements(),
        }
    }
}

/// One of a few words.
pub(crate) fn word<T: Copy>(given: &Word, name: &str, words: &[(&str, T)]) -> PyResult<T> {
    let Word(given) = given;
    match words.iter().find(|(word, _)| word == given) {
        Some((_, meant)) => Ok(*meant),
        None => {
            let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            Err(OptionsError::new(name, given.as_str(), format!("one of {}", words.join(", "))).into_python())
        }
    }
}
