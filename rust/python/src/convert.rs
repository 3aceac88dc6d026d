//! JSON and numbers between Python and Rust. What comes from outside is limited in depth and size.

use forbidden_games::any::AnyGame;
use forbidden_games_core::data::parse_json;
use forbidden_games_core::error::{DataError, OptionsError};
use forbidden_games_core::player::Player;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyMapping, PyString, PyTuple};
use serde_json::{Map, Number, Value};

use crate::error::ResultExt;

const MAX_DEPTH: usize = 128;
const MAX_VALUES: usize = 200_000;

/// A JSON value as Python data.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(flag) => PyBool::new(py, *flag).to_owned().into_any(),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(number), _) => number.into_pyobject(py)?.into_any(),
            (None, Some(number)) => number.into_pyobject(py)?.into_any(),
            (None, None) => PyFloat::new(py, number.as_f64().unwrap_or(f64::NAN)).into_any(),
        },
        Value::String(text) => PyString::new(py, text).into_any(),
        Value::Array(items) => {
            let list = PyList::empty(py);
            for item in items {
                list.append(to_python(py, item)?)?;
            }
            list.into_any()
        }
        Value::Object(map) => object_to_python(py, map)?.into_any(),
    })
}

/// A JSON object as a dict.
pub(crate) fn object_to_python<'py>(py: Python<'py>, map: &Map<String, Value>) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (key, value) in map {
        dict.set_item(key, to_python(py, value)?)?;
    }
    Ok(dict)
}

/// JSON text, or the same thing as Python data.
pub(crate) fn json_argument(given: &Bound<'_, PyAny>) -> Result<Value, DataError> {
    match given.cast::<PyString>() {
        Ok(text) => parse_json(&text.to_string_lossy()),
        Err(_) => from_python(given),
    }
}

/// Python data as a JSON value: dicts with text keys, lists, tuples, text, integers, floats, booleans, `None`.
pub(crate) fn from_python(given: &Bound<'_, PyAny>) -> Result<Value, DataError> {
    Reader { left: MAX_VALUES }.read(given, "", 0)
}

struct Reader {
    left: usize,
}

impl Reader {
    fn read(&mut self, given: &Bound<'_, PyAny>, path: &str, depth: usize) -> Result<Value, DataError> {
        let wrong = |expected: &str| DataError::new(path, describe(given), expected);
        if depth > MAX_DEPTH {
            return Err(wrong("at most 128 levels"));
        }
        self.left = self.left.checked_sub(1).ok_or_else(|| wrong("at most 200000 values"))?;
        if given.is_none() {
            Ok(Value::Null)
        } else if let Ok(flag) = given.cast::<PyBool>() {
            Ok(Value::Bool(flag.is_true()))
        } else if let Ok(text) = given.cast::<PyString>() {
            Ok(Value::String(text.to_string_lossy().into_owned()))
        } else if let Ok(float) = given.cast::<PyFloat>() {
            Number::from_f64(float.value()).map(Value::Number).ok_or_else(|| wrong("a finite number"))
        } else if let Ok(map) = given.cast::<PyMapping>() {
            self.read_mapping(map, path, depth)
        } else if given.cast::<PyList>().is_ok() || given.cast::<PyTuple>().is_ok() {
            let mut items = Vec::new();
            for (index, item) in given.try_iter().map_err(|_| wrong("a list"))?.enumerate() {
                let item = item.map_err(|_| wrong("a list"))?;
                items.push(self.read(&item, &format!("{path}[{index}]"), depth + 1)?);
            }
            Ok(Value::Array(items))
        } else if given.cast::<PyInt>().is_ok() || given.hasattr("__index__").unwrap_or(false) {
            let small = given.extract::<i64>().map(Value::from);
            small.or_else(|_| given.extract::<u64>().map(Value::from)).map_err(|_| wrong("an integer of 64 bits"))
        } else {
            Err(wrong("text, a number, a boolean, None, a list or a dict"))
        }
    }

    fn read_mapping(&mut self, given: &Bound<'_, PyMapping>, path: &str, depth: usize) -> Result<Value, DataError> {
        let wrong = || DataError::new(path, describe(given.as_any()), "a dict with text keys");
        let mut map = Map::new();
        for pair in given.items().map_err(|_| wrong())?.iter() {
            let (key, value) = pair.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>().map_err(|_| wrong())?;
            let key = key.cast::<PyString>().map_err(|_| wrong())?.to_string_lossy().into_owned();
            let inner = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            let value = self.read(&value, &inner, depth + 1)?;
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}

fn describe(given: &Bound<'_, PyAny>) -> String {
    match given.get_type().name() {
        Ok(name) => format!("a value of type {name}"),
        Err(_) => "a value".to_owned(),
    }
}

/// A whole number from 0 to 2^64 - 1; others are refused with a word about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seed(pub(crate) u64);

impl<'py> FromPyObject<'_, 'py> for Seed {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        whole_number(given, "seed", u64::MAX).map(Self)
    }
}

/// A number of games, worlds, plies or threads, up to a bound that memory can hold; `name` is the argument.
pub(crate) fn count(given: &Bound<'_, PyAny>, name: &str) -> PyResult<usize> {
    whole_number(given.as_borrowed(), name, 100_000_000).map(|count| count as usize)
}

/// The same for an argument that may be left out.
pub(crate) fn optional_count(given: Option<&Bound<'_, PyAny>>, name: &str) -> PyResult<Option<usize>> {
    given.map(|given| count(given, name)).transpose()
}

/// Columns of a picture; `None` is no limit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Width(pub(crate) usize);

impl<'py> FromPyObject<'_, 'py> for Width {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if given.is_none() { Ok(Self(usize::MAX)) } else { count(&given, "width").map(Self) }
    }
}

/// The index of a seat, still to be checked against a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seat(u64);

impl<'py> FromPyObject<'_, 'py> for Seat {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        whole_number(given, "player", u64::from(u8::MAX)).map(Self)
    }
}

impl Seat {
    /// The seat in this game.
    pub(crate) fn of(self, game: &AnyGame) -> PyResult<Player> {
        let seats = game.num_players();
        if (self.0 as usize) < seats {
            Ok(Player::new(self.0 as usize))
        } else {
            Err(OptionsError::new("player", self.0.to_string(), format!("a seat from 0 to {}", seats - 1))).python()
        }
    }
}

/// An integer from 0 to `max`; `name` is the argument.
pub(crate) fn whole_number(given: Borrowed<'_, '_, PyAny>, name: &str, max: u64) -> PyResult<u64> {
    if given.cast::<PyBool>().is_err() && (given.cast::<PyInt>().is_ok() || given.hasattr("__index__")?) {
        if let Some(number) = given.extract::<u64>().ok().filter(|&number| number <= max) {
            return Ok(number);
        }
        return Err(OptionsError::new(name, given.str()?.to_string_lossy(), format!("an integer from 0 to {max}"))).python();
    }
    Err(pyo3::exceptions::PyTypeError::new_err(format!("{name}: found {}, expected an integer", describe(&given))))
}
