//! Options: named values with defaults that are part of a game's identity (CONVENTIONS 8), described as data so that the command
//! line, Python and its type stubs need no table of their own.

use serde_json::{Map, Value};

use crate::data::display;
use crate::error::OptionsError;

/// Values of the options that were given; defaults may be left out.
pub type Options = Map<String, Value>;

/// What an option can hold.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OptionKind {
    /// One of these words.
    Choice(&'static [&'static str]),
    /// An integer in `min..=max`; `odd` leaves only odd ones.
    Integer {
        /// Smallest value.
        min: i64,
        /// Largest value.
        max: i64,
        /// Whether only odd values count.
        odd: bool,
    },
    /// Free text that the game checks, described for people.
    Text(&'static str),
    /// A list of names, or one text that stands for a random draw (`random:2`), described for people.
    NamesOrText(&'static str),
}

/// One option of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionSpec {
    /// Its name.
    pub name: &'static str,
    /// Its values.
    pub kind: OptionKind,
    /// The default.
    pub default: Value,
    /// One line of what it means, with the rule number.
    pub meaning: &'static str,
}

impl OptionSpec {
    /// Reads a value written as text (`table=41`, `spirits=wind,stair`, `spirits=none`); legality is checked by the game.
    ///
    /// # Errors
    /// If an integer is expected and the text is none.
    pub fn parse(&self, text: &str) -> Result<Value, OptionsError> {
        match self.kind {
            OptionKind::Choice(_) | OptionKind::Text(_) => Ok(Value::from(text)),
            OptionKind::Integer { .. } => match crate::notation::parse_canonical_integer(text) {
                Some(number) => Ok(Value::from(number)),
                None => Err(OptionsError::new(self.name, text, self.expected())),
            },
            OptionKind::NamesOrText(_) if text == "none" || text.is_empty() => Ok(Value::Array(Vec::new())),
            OptionKind::NamesOrText(_) if text.starts_with("random") => Ok(Value::from(text)),
            OptionKind::NamesOrText(_) => Ok(Value::Array(text.split(',').map(|name| Value::from(name.trim())).collect())),
        }
    }

    /// The allowed values, in words.
    #[must_use]
    pub fn expected(&self) -> String {
        match self.kind {
            OptionKind::Choice(words) => format!("one of {}", words.join(", ")),
            OptionKind::Integer { min, max, odd } => {
                format!("an {}integer from {min} to {max}", if odd { "odd " } else { "" })
            }
            OptionKind::Text(description) | OptionKind::NamesOrText(description) => description.to_owned(),
        }
    }

    /// Checks a value by type and range (the game checks what is beyond that).
    ///
    /// # Errors
    /// If it does not fit.
    pub fn check(&self, value: &Value) -> Result<(), OptionsError> {
        let fits = match self.kind {
            OptionKind::Choice(words) => value.as_str().is_some_and(|text| words.contains(&text)),
            OptionKind::Integer { min, max, odd } => {
                value.as_i64().is_some_and(|number| (min..=max).contains(&number) && (!odd || number % 2 != 0))
            }
            OptionKind::Text(_) => value.is_string(),
            OptionKind::NamesOrText(_) => {
                value.is_string() || value.as_array().is_some_and(|names| names.iter().all(Value::is_string))
            }
        };
        if fits { Ok(()) } else { Err(OptionsError::new(self.name, display(value), self.expected())) }
    }
}

/// Looks every given option up in `schema`, checks type and range, and fills in the defaults; the result has the schema's order.
///
/// # Errors
/// If an option is unknown or does not fit.
pub fn complete(schema: &[OptionSpec], given: &Options) -> Result<Options, OptionsError> {
    if let Some(name) = given.keys().find(|name| !schema.iter().any(|spec| spec.name == name.as_str())) {
        let names: Vec<_> = schema.iter().map(|spec| spec.name).collect();
        return Err(OptionsError::new(
            crate::error::shorten(name),
            display(&given[name.as_str()]),
            format!("only the options {}", names.join(", ")),
        ));
    }
    schema
        .iter()
        .map(|spec| {
            let value = given.get(spec.name).unwrap_or(&spec.default);
            spec.check(value)?;
            Ok((spec.name.to_owned(), value.clone()))
        })
        .collect()
}

/// Checks the number of players against `min..=max`.
///
/// # Errors
/// If it is out of range.
pub fn check_players(players: usize, min: usize, max: usize) -> Result<(), OptionsError> {
    if (min..=max).contains(&players) {
        Ok(())
    } else {
        Err(OptionsError::new("players", players.to_string(), format!("an integer from {min} to {max}")))
    }
}

/// Where a component set comes from (CONVENTIONS 10).
#[derive(Clone, Debug, PartialEq)]
pub enum ComponentSource {
    /// The name of a built-in set.
    Name(String),
    /// The set itself as JSON data (a file is parsed to this by [`crate::data`]).
    Set(Value),
}

impl ComponentSource {
    /// As a header holds it: the name, or the set whole.
    #[must_use]
    pub fn to_json(&self) -> Value {
        match self {
            Self::Name(name) => name.as_str().into(),
            Self::Set(set) => set.clone(),
        }
    }

    /// Reads the `components` value of a header: text is a name, an object a set.
    #[must_use]
    pub fn from_json(value: &Value) -> Self {
        match value {
            Value::String(name) => Self::Name(name.clone()),
            other => Self::Set(other.clone()),
        }
    }
}
