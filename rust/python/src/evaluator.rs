//! A Python callable as the judge of leaves.

use forbidden_games_core::search::{Batch, Evaluation, Evaluator, EvaluatorError};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyTuple};

use crate::buffer::{self, Lent};
use crate::error::evaluator_error;
use crate::long;

/// Calls `callable(observations, masks, players)` for every batch. The lock of the interpreter is held only inside.
pub(crate) struct PythonEvaluator {
    callable: Py<PyAny>,
}

impl PythonEvaluator {
    /// Takes the callable that was given as an argument.
    pub(crate) fn new(callable: &Bound<'_, PyAny>) -> PyResult<Self> {
        if !callable.is_callable() {
            let kind = callable.get_type().name()?;
            return Err(PyTypeError::new_err(format!("evaluator: found {kind}, expected a callable")));
        }
        Ok(Self { callable: callable.clone().unbind() })
    }

    fn call(&self, py: Python<'_>, batch: &mut Batch) -> PyResult<Evaluation> {
        let (len, actions, seats) = (batch.len, batch.num_actions, batch.num_players);
        let floats = std::mem::take(&mut batch.observations);
        let (lent, observations) = Lent::floats(py, floats, (len, batch.observation_size))?;
        let flags = batch.masks.iter().map(|&flag| u8::from(flag)).collect();
        let (_, masks) = Lent::flags(py, flags, (len, actions))?;
        let seats_to_move = &batch.players;
        let players = buffer::new_array(py, &[len], |out: &mut [i64]| {
            for (to, &from) in out.iter_mut().zip(seats_to_move) {
                *to = i64::from(from);
            }
        })?;
        let answer = self.callable.bind(py).call1((observations, masks, players))?;
        let pair = answer.cast::<PyTuple>().ok().filter(|pair| pair.len() == 2);
        let Some(pair) = pair else {
            let kind = answer.get_type().name()?;
            return Err(evaluator_error(format!("evaluator: found {kind}, expected a tuple (priors, values)")));
        };
        let priors = read_answer(&pair.get_item(0)?, "priors", &[len, actions])?;
        let values = read_answer(&pair.get_item(1)?, "values", &[len, seats])?;
        // If the callable kept nothing, the memory serves the next batch.
        if let Some(floats) = lent.get().take_floats() {
            batch.observations = floats;
        }
        Ok(Evaluation { priors, values })
    }
}

/// An array of the answer; one that is not contiguous is copied first.
fn read_answer(array: &Bound<'_, PyAny>, name: &str, shape: &[usize]) -> PyResult<Vec<f32>> {
    let py = array.py();
    let read = if has_gaps(array)? {
        let array = py.import("numpy")?.call_method1("ascontiguousarray", (array,))?;
        buffer::read::<f32>(&array, name, shape)
    } else {
        buffer::read::<f32>(array, name, shape)
    };
    read.map_err(|error| {
        // Anything else, Ctrl-C above all, says nothing about the answer.
        if !error.is_instance_of::<PyTypeError>(py) && !error.is_instance_of::<PyValueError>(py) {
            return error;
        }
        let wrapped = evaluator_error(format!("evaluator: {}", error.value(py)));
        wrapped.set_cause(py, Some(error));
        wrapped
    })
}

/// Whether an array says that it is not contiguous.
fn has_gaps(array: &Bound<'_, PyAny>) -> PyResult<bool> {
    let Some(flags) = array.getattr_opt("flags")? else { return Ok(false) };
    let Some(flag) = flags.getattr_opt("c_contiguous")? else { return Ok(false) };
    Ok(flag.cast::<PyBool>().is_ok_and(|flag| !flag.is_true()))
}

impl Evaluator for PythonEvaluator {
    fn evaluate(&mut self, batch: &mut Batch) -> Result<Evaluation, EvaluatorError> {
        match long::attach(|py| self.call(py, batch)) {
            Some(answer) => answer.map_err(|error| Box::new(error) as EvaluatorError),
            None => Err("the interpreter is shutting down".into()),
        }
    }
}
