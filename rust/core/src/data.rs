//! Strict reading of JSON and TOML: typed access with the path of every value, so that each error names its key.

use std::cell::RefCell;
use std::fmt;

use serde_core::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::map::Entry;
use serde_json::{Map, Number, Value};

use crate::error::{DataError, shorten};
use crate::names::Named;

/// The largest text accepted as a document, in bytes.
pub const MAX_DOCUMENT_BYTES: usize = 4 << 20;

/// Parses JSON text. Nesting is limited to 128 by the parser, size by [`MAX_DOCUMENT_BYTES`]. A key that stands twice in an object
/// is refused: parsers differ in which of the two counts.
///
/// # Errors
/// If it is too large, not JSON, or an object has a key twice.
pub fn parse_json(text: &str) -> Result<Value, DataError> {
    check_size(text)?;
    let twice = RefCell::new(None);
    let mut parser = serde_json::Deserializer::from_str(text);
    let parsed = JsonReader { twice: &twice }.deserialize(&mut parser).and_then(|value| parser.end().map(|()| value));
    parsed.map_err(|error| match twice.take() {
        Some(path) => DataError::new(path, "this key twice", "each key once"),
        None => DataError::new("", error.to_string(), "JSON"),
    })
}

/// Reads a value as `Value` itself does, except for keys that stand twice.
#[derive(Clone, Copy)]
struct JsonReader<'a> {
    /// The path of the key that ended the reading, written on the way back.
    twice: &'a RefCell<Option<String>>,
}

impl JsonReader<'_> {
    /// Puts `outer` before the path, if a key is what ended the reading.
    fn prefix(self, outer: impl fmt::Display) {
        if let Some(path) = &mut *self.twice.borrow_mut() {
            *path = put_before(outer, path);
        }
    }
}

impl<'de> DeserializeSeed<'de> for JsonReader<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, parser: D) -> Result<Value, D::Error> {
        parser.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for JsonReader<'_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Value, E> {
        Ok(Value::Bool(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Number::from_f64(number).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        loop {
            match items.next_element_seed(self) {
                Ok(Some(item)) => list.push(item),
                Ok(None) => return Ok(Value::Array(list)),
                Err(error) => {
                    self.prefix(format_args!("[{}]", list.len()));
                    return Err(error);
                }
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            match map.entry(key) {
                Entry::Occupied(entry) => {
                    *self.twice.borrow_mut() = Some(shorten(entry.key()));
                    return Err(A::Error::custom("a key twice"));
                }
                Entry::Vacant(entry) => match entries.next_value_seed(self) {
                    Ok(value) => drop(entry.insert(value)),
                    Err(error) => {
                        self.prefix(shorten(entry.key()));
                        return Err(error);
                    }
                },
            }
        }
        Ok(Value::Object(map))
    }
}

/// Parses TOML text into the same shape as JSON.
///
/// # Errors
/// If it is too large, not TOML, or holds a date or a float that JSON lacks.
pub fn parse_toml(text: &str) -> Result<Value, DataError> {
    check_size(text)?;
    let table: toml::Table =
        text.parse().map_err(|error: toml::de::Error| DataError::new("", error.message().replace('\n', " "), "TOML"))?;
    from_toml(toml::Value::Table(table)).map_err(|error| DataError::new(error.key, error.found, error.expected))
}

fn check_size(text: &str) -> Result<(), DataError> {
    if text.len() > MAX_DOCUMENT_BYTES {
        return Err(DataError::new("", format!("{} bytes", text.len()), format!("at most {MAX_DOCUMENT_BYTES} bytes")));
    }
    Ok(())
}

fn from_toml(value: toml::Value) -> Result<Value, DataError> {
    // The error's key is put together on the way out: a path for every value would cost more than the values.
    let wrong = |found: String| {
        Err(DataError { key: String::new(), ..DataError::new("", found, "an integer, text, boolean, list or table") })
    };
    let inside = |step: &str, error: DataError| DataError { key: put_before(step, &error.key), ..error };
    match value {
        toml::Value::String(text) => Ok(Value::String(text)),
        toml::Value::Integer(number) => Ok(Value::from(number)),
        toml::Value::Boolean(flag) => Ok(Value::Bool(flag)),
        toml::Value::Array(items) => items
            .into_iter()
            .enumerate()
            .map(|(place, item)| from_toml(item).map_err(|error| inside(&format!("[{place}]"), error)))
            .collect::<Result<_, _>>()
            .map(Value::Array),
        toml::Value::Table(table) => table
            .into_iter()
            .map(|(key, item)| match from_toml(item) {
                Ok(item) => Ok((key, item)),
                Err(error) => Err(inside(&key, error)),
            })
            .collect::<Result<_, _>>()
            .map(Value::Object),
        toml::Value::Float(number) => wrong(number.to_string()),
        toml::Value::Datetime(date) => wrong(date.to_string()),
    }
}

/// A path that begins one step further out.
fn put_before(step: impl fmt::Display, path: &str) -> String {
    let dot = if path.is_empty() || path.starts_with('[') { "" } else { "." };
    format!("{step}{dot}{path}")
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// A value and where it stands.
#[derive(Clone, Debug)]
pub struct Node<'a> {
    /// The key with indices; empty for the document itself.
    pub path: String,
    /// The value there.
    pub value: &'a Value,
}

impl<'a> Node<'a> {
    /// The document itself.
    #[must_use]
    pub fn root(value: &'a Value) -> Self {
        Self { path: String::new(), value }
    }

    /// An error here: `expected` would have been right.
    #[must_use]
    pub fn error(&self, expected: impl Into<String>) -> DataError {
        DataError::new(self.path.clone(), display(self.value), expected)
    }

    /// Whether it is `null`.
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.value.is_null()
    }

    /// An integer within `min..=max`.
    ///
    /// # Errors
    /// If it is another type or out of range.
    pub fn integer(&self, min: i64, max: i64) -> Result<i64, DataError> {
        self.value
            .as_i64()
            .filter(|number| (min..=max).contains(number))
            .ok_or_else(|| self.error(if min == max { format!("{min}") } else { format!("an integer from {min} to {max}") }))
    }

    /// An index below `len`.
    ///
    /// # Errors
    /// As [`Node::integer`].
    pub fn index(&self, len: usize) -> Result<usize, DataError> {
        Ok(self.integer(0, len as i64 - 1)? as usize)
    }

    /// Text.
    ///
    /// # Errors
    /// If it is another type.
    pub fn text(&self) -> Result<&'a str, DataError> {
        self.value.as_str().ok_or_else(|| self.error("text"))
    }

    /// A boolean.
    ///
    /// # Errors
    /// If it is another type.
    pub fn boolean(&self) -> Result<bool, DataError> {
        self.value.as_bool().ok_or_else(|| self.error("true or false"))
    }

    /// The position of this text in `words`.
    ///
    /// # Errors
    /// If it is none of them.
    pub fn one_of(&self, words: &[&str]) -> Result<usize, DataError> {
        self.value
            .as_str()
            .and_then(|text| words.iter().position(|&word| word == text))
            .ok_or_else(|| self.error(format!("one of {}", words.join(", "))))
    }

    /// The variant with this name.
    ///
    /// # Errors
    /// If there is none.
    pub fn named<E: Named>(&self) -> Result<E, DataError> {
        Ok(E::ALL[self.one_of(E::NAMES)?])
    }

    /// The length of a list of at most `max` entries that are all `null`: what a seat may not know.
    ///
    /// # Errors
    /// If it is no such list.
    pub fn hidden_list(&self, max: usize) -> Result<usize, DataError> {
        let entries = self.list(0, max)?;
        match entries.iter().find(|entry| !entry.is_null()) {
            None => Ok(entries.len()),
            Some(entry) => Err(entry.error("null")),
        }
    }

    /// A list of `min..=max` entries that are in order, equal ones side by side.
    ///
    /// # Errors
    /// If it is another type or length, `read` refuses an entry, or one is less than the entry before it.
    pub fn sorted_list<T: Ord + Copy>(
        &self,
        min: usize,
        max: usize,
        mut read: impl FnMut(&Self) -> Result<T, DataError>,
    ) -> Result<Vec<T>, DataError> {
        let mut order = Order::default();
        let mut next = |entry: &Self| read(entry).and_then(|value| order.not_descending(value, entry));
        self.list(min, max)?.iter().map(&mut next).collect()
    }

    /// As [`Node::sorted_list`], each entry once.
    ///
    /// # Errors
    /// As [`Node::sorted_list`]; also if two entries are equal.
    pub fn ascending_list<T: Ord + Copy>(
        &self,
        min: usize,
        max: usize,
        mut read: impl FnMut(&Self) -> Result<T, DataError>,
    ) -> Result<Vec<T>, DataError> {
        let mut order = Order::default();
        let mut next = |entry: &Self| read(entry).and_then(|value| order.ascending(value, entry));
        self.list(min, max)?.iter().map(&mut next).collect()
    }

    /// A list of `min..=max` entries.
    ///
    /// # Errors
    /// If it is another type or length.
    pub fn list(&self, min: usize, max: usize) -> Result<Vec<Node<'a>>, DataError> {
        let items = self.value.as_array().ok_or_else(|| self.error("a list"))?;
        if items.len() < min || items.len() > max {
            let expected = if min == max { format!("a list of {min}") } else { format!("a list of {min} to {max}") };
            return Err(DataError::new(self.path.clone(), format!("{} entries", items.len()), expected));
        }
        Ok(items.iter().enumerate().map(|(i, value)| Node { path: format!("{}[{i}]", self.path), value }).collect())
    }

    /// An object, to be read key by key.
    ///
    /// # Errors
    /// If it is another type.
    pub fn object(&self) -> Result<Fields<'a>, DataError> {
        let map = self.value.as_object().ok_or_else(|| self.error("an object"))?;
        Ok(Fields { path: self.path.clone(), map, taken: Vec::new() })
    }

    /// All entries of an object in its own order, for objects whose keys are data.
    ///
    /// # Errors
    /// If it is another type.
    pub fn entries(&self) -> Result<Vec<(&'a str, Node<'a>)>, DataError> {
        let map = self.value.as_object().ok_or_else(|| self.error("an object"))?;
        Ok(map.iter().map(|(key, value)| (key.as_str(), Node { path: join(&self.path, key), value })).collect())
    }
}

/// Checks that the entries of a list come in order, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Order<T>(Option<T>);

impl<T> Default for Order<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: Ord + Copy> Order<T> {
    /// Takes the next value, read from `node`, and gives it back.
    ///
    /// # Errors
    /// If it is not more than the one before.
    pub fn ascending(&mut self, value: T, node: &Node<'_>) -> Result<T, DataError> {
        if self.0.is_some_and(|last| last >= value) {
            return Err(node.error("the order of the rule page, each once"));
        }
        self.0 = Some(value);
        Ok(value)
    }

    /// Takes the next value, read from `node`, and gives it back.
    ///
    /// # Errors
    /// If it is less than the one before.
    pub fn not_descending(&mut self, value: T, node: &Node<'_>) -> Result<T, DataError> {
        if self.0.is_some_and(|last| last > value) {
            return Err(node.error("the order of the rule page"));
        }
        self.0 = Some(value);
        Ok(value)
    }
}

/// An object being read: [`Fields::finish`] refuses keys that nobody took.
#[derive(Clone, Debug)]
pub struct Fields<'a> {
    path: String,
    map: &'a Map<String, Value>,
    taken: Vec<String>,
}

impl<'a> Fields<'a> {
    /// The value of a key that must be there.
    ///
    /// # Errors
    /// If it is missing.
    pub fn required(&mut self, key: &str) -> Result<Node<'a>, DataError> {
        self.optional(key).ok_or_else(|| DataError::new(join(&self.path, key), "nothing", "this key"))
    }

    /// The value of a key that may be left out.
    pub fn optional(&mut self, key: &str) -> Option<Node<'a>> {
        self.taken.push(key.to_owned());
        self.map.get(key).map(|value| Node { path: join(&self.path, key), value })
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// If the object has a key that was not asked for.
    pub fn finish(self) -> Result<(), DataError> {
        match self.map.keys().find(|key| !self.taken.iter().any(|taken| taken == *key)) {
            None => Ok(()),
            Some(key) => Err(DataError::new(
                join(&self.path, &shorten(key)),
                display(&self.map[key.as_str()]),
                format!("only the keys {}", self.taken.join(", ")),
            )),
        }
    }
}

/// A JSON value on one short line, for errors.
#[must_use]
pub fn display(value: &Value) -> String {
    match value {
        Value::Array(items) if items.len() > 40 => format!("a list of {}", items.len()),
        Value::Object(map) if map.len() > 20 => format!("an object of {} keys", map.len()),
        _ => shorten(&value.to_string()),
    }
}

/// Whether `text` is a name for a component set: `[a-z0-9_-]{1,40}` (CONVENTIONS 10).
#[must_use]
pub fn is_set_name(text: &str) -> bool {
    (1..=40).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_' || b == b'-')
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Node, parse_json};

    #[test]
    fn lists_in_order_name_the_entry_that_is_not() {
        let read = |entry: &Node<'_>| entry.integer(0, 9);
        let value = json!([1, 3, 3, 5]);
        let node = Node::root(&value);
        assert_eq!(node.sorted_list(0, 4, read), Ok(vec![1, 3, 3, 5]));
        let twice = node.ascending_list(0, 4, read).unwrap_err();
        assert_eq!((twice.key.as_str(), twice.expected.as_str()), ("[2]", "the order of the rule page, each once"));
        let value = json!([2, 1]);
        assert_eq!(Node::root(&value).sorted_list(0, 4, read).unwrap_err().key, "[1]");
        assert_eq!(Node::root(&value).ascending_list(0, 1, read).unwrap_err().expected, "a list of 0 to 1");
    }

    #[test]
    fn hidden_lists_hold_null_only() {
        let value = json!([null, null]);
        assert_eq!(Node::root(&value).hidden_list(2), Ok(2));
        assert!(Node::root(&value).hidden_list(1).is_err());
        let value = json!([null, 0]);
        assert_eq!(Node::root(&value).hidden_list(2).unwrap_err().key, "[1]");
    }

    #[test]
    fn a_key_that_stands_twice_is_refused_with_its_path() {
        for (text, path) in [
            (r#"{"a":1,"a":1}"#, "a"),
            (r#"{"a":1,"\u0061":2}"#, "a"),
            (r#"{"x":[0,{"y":{"b":1,"c":2,"b":3}}]}"#, "x[1].y.b"),
            (r#"[[{"k":null,"k":null}]]"#, "[0][0].k"),
        ] {
            let error = parse_json(text).expect_err(text);
            assert_eq!((error.key.as_str(), error.found.as_str()), (path, "this key twice"), "{text}");
        }
    }

    #[test]
    fn everything_else_is_read_as_json_is() {
        for text in [
            r#"{"b":[1,-2,3.5,true,null,"\u00e9"],"a":{"b":{}},"":[]}"#,
            "18446744073709551615",
            "-9223372036854775808",
            "1e300",
            "123456789012345678901234567890",
        ] {
            assert_eq!(parse_json(text).ok(), serde_json::from_str(text).ok(), "{text}");
        }
        for text in ["", "{", "[1,]", "1 2", "nul", "1e999", "{\"a\"}", "\"\\ud800\""] {
            let error = parse_json(text).expect_err(text);
            let plain = serde_json::from_str::<serde_json::Value>(text).expect_err(text);
            assert_eq!((error.found, error.expected.as_str()), (plain.to_string(), "JSON"), "{text}");
        }
        let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
        assert!(parse_json(&deep).is_err_and(|error| error.to_string().contains("recursion limit")), "nesting is bounded");
    }
}
