//! What the small value classes share: equality, and words that come back out of a pickle.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use forbidden_games_core::error::DataError;
use pyo3::PyClass;
use pyo3::prelude::*;
use pyo3::pyclass::CompareOp;
use pyo3::pyclass::boolean_struct::True;
use pyo3::types::PyBool;

use crate::error::state_error;

/// `==` and `!=` with another object of the same class.
pub(crate) fn equality<T: PyClass<Frozen = True> + Sync>(
    other: &Bound<'_, PyAny>,
    operation: CompareOp,
    is_same: impl FnOnce(&T) -> bool,
) -> Py<PyAny> {
    let py = other.py();
    let Ok(other) = other.cast::<T>() else { return py.NotImplemented() };
    match operation {
        CompareOp::Eq => PyBool::new(py, is_same(other.get())).to_owned().into_any().unbind(),
        CompareOp::Ne => PyBool::new(py, !is_same(other.get())).to_owned().into_any().unbind(),
        _ => py.NotImplemented(),
    }
}

/// The word as the core keeps it, for ever. A game has some hundreds of them; a pickle that holds more is refused.
pub(crate) fn intern(word: &str) -> PyResult<&'static str> {
    const LONGEST: usize = 200;
    const MOST: usize = 10_000;
    static WORDS: Mutex<Option<HashSet<&'static str>>> = Mutex::new(None);
    let mut words = WORDS.lock().unwrap_or_else(PoisonError::into_inner);
    let words = words.get_or_insert_default();
    if let Some(known) = words.get(word) {
        return Ok(known);
    }
    if word.len() > LONGEST || words.len() >= MOST {
        return Err(state_error(DataError::new("pickle", word, "a word of a game")));
    }
    let kept: &'static str = Box::leak(word.into());
    words.insert(kept);
    Ok(kept)
}
