//! Options: named values with defaults that are part of a game's identity (CONVENTIONS 8), described as data so that the command
//! line, Python and its type stubs need no table of their own.

use serde_json::{Map, Value};

use crate::data::{Node, display, is_set_name, parse_toml};
use crate::error::{DataError, OptionsError, SetupError};

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

    /// Writes a value as text that [`OptionSpec::parse`] reads again.
    ///
    /// # Errors
    /// If it is no value of this option.
    pub fn format(&self, value: &Value) -> Result<String, OptionsError> {
        self.check(value)?;
        Ok(match value {
            Value::String(text) => text.clone(),
            Value::Array(names) if names.is_empty() => "none".to_owned(),
            Value::Array(names) => names.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(","),
            other => other.to_string(),
        })
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

/// The component set in use.
#[derive(Clone, Debug, PartialEq)]
pub struct ComponentChoice {
    /// Its name, the value of the option.
    pub name: String,
    /// The set as data, for the game to read and check.
    pub set: Value,
    /// `components` of a header: the name of a built-in set, or the user's own set whole.
    pub header: Value,
}

/// Finds the component set that `source` and the option named `option` speak of: the source first, else the set that the option
/// names, else the first of `builtin` (CONVENTIONS 10).
///
/// # Errors
/// If a name is none of `builtin`, an own set has no name or that of a built-in one, or source and option name different sets.
///
/// # Panics
/// If a built-in set is not TOML, or there is none.
pub fn choose_components(
    option: &'static str,
    builtin: &[(&str, &str)],
    given: &Options,
    source: Option<&ComponentSource>,
) -> Result<ComponentChoice, SetupError> {
    let names = || builtin.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let find = |name: &str| {
        let (_, text) = builtin.iter().find(|(known, _)| *known == name)?;
        let set = parse_toml(text).unwrap_or_else(|error| panic!("built-in set {name}: {error}"));
        Some(ComponentChoice { name: name.to_owned(), set, header: name.into() })
    };
    let wrong_option = |value: &Value, expected: String| SetupError::from(OptionsError::new(option, display(value), expected));
    let named = given.get(option);
    let choice = match source {
        Some(ComponentSource::Set(set)) => own_components(builtin, set).map_err(SetupError::Components)?,
        Some(ComponentSource::Name(name)) => find(name).ok_or_else(|| {
            SetupError::Components(DataError::new("components", format!("{name:?}"), format!("{}, or a set itself", names())))
        })?,
        None => match named {
            None => find(builtin[0].0).expect("the first set is there"),
            Some(value) => value
                .as_str()
                .and_then(find)
                .ok_or_else(|| wrong_option(value, format!("{}, or a set given as components", names())))?,
        },
    };
    match named {
        Some(value) if value.as_str() != Some(&choice.name) => {
            Err(wrong_option(value, format!("{}, the name of the component set in use", choice.name)))
        }
        _ => Ok(choice),
    }
}

/// A set of the user's own: its name is a name, and not that of a built-in set.
fn own_components(builtin: &[(&str, &str)], set: &Value) -> Result<ComponentChoice, DataError> {
    let node = Node::root(set).object()?.required("name")?;
    let name = node.text()?;
    if !is_set_name(name) {
        return Err(node.error("a name of [a-z0-9_-]{1,40}"));
    }
    if builtin.iter().any(|(known, _)| *known == name) {
        return Err(node.error("a name of its own: that of a built-in set is reserved"));
    }
    Ok(ComponentChoice { name: name.to_owned(), set: set.clone(), header: set.clone() })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const BUILTIN: &[(&str, &str)] = &[("one", "name = \"one\""), ("two", "name = \"two\"")];

    fn choose(option: Value, source: Option<ComponentSource>) -> Result<ComponentChoice, String> {
        let mut given = Options::new();
        if !option.is_null() {
            given.insert("set".to_owned(), option);
        }
        choose_components("set", BUILTIN, &given, source.as_ref()).map_err(|error| error.to_string())
    }

    fn name(text: &str) -> Option<ComponentSource> {
        Some(ComponentSource::Name(text.to_owned()))
    }

    #[test]
    fn a_set_is_found_by_source_then_option_then_default() {
        let two = ComponentChoice { name: "two".to_owned(), set: json!({"name": "two"}), header: json!("two") };
        assert_eq!(choose(Value::Null, None).unwrap().name, "one");
        assert_eq!(choose(json!("two"), None), Ok(two.clone()));
        assert_eq!(choose(Value::Null, name("two")), Ok(two.clone()));
        assert_eq!(choose(json!("two"), name("two")), Ok(two));
        let mine = json!({"name": "mine", "tiles": []});
        let own = ComponentChoice { name: "mine".to_owned(), set: mine.clone(), header: mine.clone() };
        assert_eq!(choose(Value::Null, Some(ComponentSource::Set(mine.clone()))), Ok(own.clone()));
        assert_eq!(choose(json!("mine"), Some(ComponentSource::Set(mine))), Ok(own));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for (option, source, words) in [
            (json!("three"), None, "expected one, two, or a set given as components"),
            (json!(3), None, "expected one, two, or a set given as components"),
            (Value::Null, name("three"), "expected one, two, or a set itself"),
            (json!("one"), name("two"), "expected two, the name of the component set in use"),
            (Value::Null, Some(ComponentSource::Set(json!({"name": "one"}))), "reserved"),
            (Value::Null, Some(ComponentSource::Set(json!({"name": "No"}))), "a name of [a-z0-9_-]{1,40}"),
            (Value::Null, Some(ComponentSource::Set(json!({}))), "name"),
            (Value::Null, Some(ComponentSource::Set(json!(7))), "an object"),
        ] {
            let error = choose(option, source).unwrap_err();
            assert!(error.contains(words), "{error}");
        }
    }
}
