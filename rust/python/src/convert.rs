//! JSON and numbers between Python and Rust. What comes from outside is limited in depth and size.

use std::borrow::Cow;

use forbidden_games::any::AnyGame;
use forbidden_games_core::data::parse_json;
use forbidden_games_core::error::{DataError, OptionsError};
use forbidden_games_core::player::Player;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple, PyType};
use serde_json::{Map, Number, Value};

use crate::error::{ResultExt, state_error};

const MAX_DEPTH: usize = 128;
const MAX_VALUES: usize = 200_000;
/// Values between two looks for a signal.
const SIGNALS_EVERY: usize = 1024;

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

/// Why an argument could not be read: it does not fit, or the Python code that was run on the way raised something of its own
/// (Ctrl-C, most often), which must come out as it is.
#[derive(Debug)]
pub(crate) enum ReadError {
    /// The value does not fit.
    Data(DataError),
    /// Something else was raised meanwhile.
    Raised(PyErr),
}

impl From<PyErr> for ReadError {
    fn from(error: PyErr) -> Self {
        Self::Raised(error)
    }
}

impl ReadError {
    /// As a Python exception: `made` says which for a value that does not fit.
    pub(crate) fn into_python(self, made: impl FnOnce(DataError) -> PyErr) -> PyErr {
        match self {
            Self::Data(error) => made(error),
            Self::Raised(error) => error,
        }
    }
}

/// JSON text, or the same thing as Python data.
pub(crate) fn json_argument(given: &Bound<'_, PyAny>) -> Result<Value, ReadError> {
    match given.cast::<PyString>() {
        Ok(text) => match text.extract::<Cow<'_, str>>() {
            Ok(text) => parse_json(&text).map_err(ReadError::Data),
            Err(_) => Err(ReadError::Data(DataError::new("", &*text.to_string_lossy(), UNICODE))),
        },
        Err(_) => from_python(given),
    }
}

/// An argument that is no state, position or observation.
pub(crate) fn refused_state(error: ReadError) -> PyErr {
    error.into_python(state_error)
}

/// What every text has to be.
const UNICODE: &str = "text without lone surrogates";

/// A text that is kept, so that what cannot be written (a lone surrogate) is refused; `name` is the argument.
pub(crate) fn text_argument(given: &Bound<'_, PyString>, name: &str) -> PyResult<String> {
    match given.extract::<String>() {
        Ok(text) => Ok(text),
        Err(_) => Err(OptionsError::new(name, given.to_string_lossy(), UNICODE)).python(),
    }
}

/// Python data as a JSON value: dicts with text keys, lists, tuples, text, integers, floats, booleans, `None`.
pub(crate) fn from_python(given: &Bound<'_, PyAny>) -> Result<Value, ReadError> {
    Reader { left: MAX_VALUES }.read(given, &Path::Root, 0)
}

/// Whether Python data is a mapping. The question can run Python code, whose exceptions come out.
pub(crate) fn is_mapping(given: &Bound<'_, PyAny>) -> PyResult<bool> {
    static MAPPING: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    if given.cast::<PyDict>().is_ok() {
        return Ok(true);
    }
    given.is_instance(MAPPING.import(given.py(), "collections.abc", "Mapping")?)
}

/// The entries of a list, tuple or other iterable that is no text; `expected` are the entries in words.
pub(crate) fn entries<'py>(given: &Bound<'py, PyAny>, name: &str, expected: &str) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let py = given.py();
    let wrong = || PyTypeError::new_err(format!("{name}: found {}, expected a list of {expected}", describe(given)));
    if given.cast::<PyString>().is_ok() || given.cast::<PyBytes>().is_ok() {
        return Err(wrong());
    }
    let iterator = given.try_iter().map_err(|error| if error.is_instance_of::<PyTypeError>(py) { wrong() } else { error })?;
    iterator.collect()
}

/// Where a value stands: a chain on the stack, written out only for an error, since a key may be long and a list too.
enum Path<'a> {
    Root,
    Key(&'a Path<'a>, &'a str),
    Index(&'a Path<'a>, usize),
}

impl Path<'_> {
    fn text(&self) -> String {
        match self {
            Self::Root => String::new(),
            // An error shows no more of a key than this.
            Self::Key(outer, key) => {
                let key: String = key.chars().take(300).collect();
                let outer = outer.text();
                if outer.is_empty() { key } else { format!("{outer}.{key}") }
            }
            Self::Index(outer, index) => format!("{}[{index}]", outer.text()),
        }
    }
}

struct Reader {
    left: usize,
}

impl Reader {
    fn read(&mut self, given: &Bound<'_, PyAny>, path: &Path<'_>, depth: usize) -> Result<Value, ReadError> {
        let py = given.py();
        let wrong = |expected: &str| ReadError::Data(DataError::new(path.text(), describe(given), expected));
        // What Python says of a value of the wrong type is said better here; anything else it raises is none of ours.
        let unless_type = |error: PyErr, expected: &str| {
            if error.is_instance_of::<PyTypeError>(py) { wrong(expected) } else { ReadError::Raised(error) }
        };
        if depth > MAX_DEPTH {
            return Err(wrong("at most 128 levels"));
        }
        self.left = self.left.checked_sub(1).ok_or_else(|| wrong("at most 200000 values"))?;
        if self.left.is_multiple_of(SIGNALS_EVERY) {
            py.check_signals()?;
        }
        if given.is_none() {
            Ok(Value::Null)
        } else if let Ok(flag) = given.cast::<PyBool>() {
            Ok(Value::Bool(flag.is_true()))
        } else if let Ok(text) = given.cast::<PyString>() {
            // The only way this fails is a lone surrogate.
            text.extract::<String>().map(Value::String).map_err(|_| wrong(UNICODE))
        } else if let Ok(float) = given.cast::<PyFloat>() {
            Number::from_f64(float.value()).map(Value::Number).ok_or_else(|| wrong("a finite number"))
        } else if given.cast::<PyInt>().is_ok() {
            integer(given)?.ok_or_else(|| wrong("an integer of 64 bits"))
        } else if given.cast::<PyList>().is_ok() || given.cast::<PyTuple>().is_ok() {
            let mut items = Vec::new();
            for (index, item) in given.try_iter().map_err(|error| unless_type(error, "a list"))?.enumerate() {
                let item = item.map_err(|error| unless_type(error, "a list"))?;
                items.push(self.read(&item, &Path::Index(path, index), depth + 1)?);
            }
            Ok(Value::Array(items))
        } else if is_mapping(given)? {
            self.read_mapping(given, path, depth)
        } else if given.hasattr("__index__")? {
            integer(given)?.ok_or_else(|| wrong("an integer of 64 bits"))
        } else {
            Err(wrong("text, a number, a boolean, None, a list or a dict"))
        }
    }

    fn read_mapping(&mut self, given: &Bound<'_, PyAny>, path: &Path<'_>, depth: usize) -> Result<Value, ReadError> {
        let py = given.py();
        let wrong = || ReadError::Data(DataError::new(path.text(), describe(given), "a dict with text keys"));
        let unless_type = |error: PyErr| if error.is_instance_of::<PyTypeError>(py) { wrong() } else { ReadError::Raised(error) };
        let mut map = Map::new();
        // A list of the pairs, since code that runs meanwhile may change the dict.
        let pairs = match given.cast_exact::<PyDict>() {
            Ok(dict) => dict.items(),
            Err(_) => {
                let items = given.call_method0("items").and_then(|items| py.get_type::<PyList>().call1((items,)));
                items.map_err(unless_type)?.cast_into::<PyList>().map_err(|_| wrong())?
            }
        };
        for pair in pairs.iter() {
            let pair = pair.cast_into::<PyTuple>().ok().filter(|pair| pair.len() == 2).ok_or_else(wrong)?;
            let (key, value) = (pair.get_item(0)?, pair.get_item(1)?);
            let key = key.cast::<PyString>().ok().and_then(|key| key.extract::<String>().ok()).ok_or_else(wrong)?;
            let value = self.read(&value, &Path::Key(path, &key), depth + 1)?;
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}

/// An integer as JSON; `None` if it has more than 64 bits.
fn integer(given: &Bound<'_, PyAny>) -> PyResult<Option<Value>> {
    if let Some(number) = fitting(given.extract::<i64>(), given.py())? {
        return Ok(Some(Value::from(number)));
    }
    Ok(fitting(given.extract::<u64>(), given.py())?.map(Value::from))
}

/// The number, if it fits its type; what else went wrong (`__index__` can be anybody's code) comes out.
pub(crate) fn fitting<T>(number: PyResult<T>, py: Python<'_>) -> PyResult<Option<T>> {
    match number {
        Ok(number) => Ok(Some(number)),
        Err(error) if error.is_instance_of::<PyOverflowError>(py) || error.is_instance_of::<PyTypeError>(py) => Ok(None),
        Err(error) => Err(error),
    }
}

/// `str` of an argument, for a message. Python writes no integer of thousands of digits.
pub(crate) fn written(given: &Bound<'_, PyAny>) -> PyResult<String> {
    match given.str() {
        Ok(text) => Ok(text.to_string_lossy().into_owned()),
        Err(error) if error.is_instance_of::<PyValueError>(given.py()) => Ok(describe(given)),
        Err(error) => Err(error),
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
        if let Some(number) = fitting(given.extract::<u64>(), given.py())?.filter(|&number| number <= max) {
            return Ok(number);
        }
        return Err(OptionsError::new(name, written(&given)?, format!("an integer from 0 to {max}"))).python();
    }
    Err(PyTypeError::new_err(format!("{name}: found {}, expected an integer", describe(&given))))
}
