//! Component sets of the toy game.

use serde_json::{Value, json};

use crate::data::{Node, is_set_name};
use crate::error::DataError;

/// Most kinds of pebbles.
pub const MAX_KINDS: usize = 6;

pub(super) const BUILTIN: &[(&str, &str)] = &[("pebbles-1", include_str!("components.toml"))];

/// A kind of pebble.
#[derive(Clone, Debug)]
pub(super) struct Kind {
    pub(super) name: String,
    pub(super) value: i32,
    pub(super) count: u8,
}

/// Reads and checks a set: its name and kinds.
pub(super) fn read_kinds(value: &Value) -> Result<(String, Vec<Kind>), DataError> {
    let mut fields = Node::root(value).object()?;
    let name = fields.required("name")?;
    let set_name = name.text()?.to_owned();
    if !is_set_name(&set_name) {
        return Err(name.error("a name of [a-z0-9_-]{1,40}"));
    }
    let mut kinds: Vec<Kind> = Vec::new();
    for node in fields.required("pebbles")?.list(1, MAX_KINDS)? {
        let mut entry = node.object()?;
        let name = entry.required("name")?;
        let text = name.text()?;
        if !(1..=12).contains(&text.len()) || !text.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return Err(name.error("one to twelve lower-case letters"));
        }
        if kinds.iter().any(|kind| kind.name == text) {
            return Err(name.error("a name that is not used before"));
        }
        kinds.push(Kind {
            name: text.to_owned(),
            value: entry.required("value")?.integer(1, 9)? as i32,
            count: entry.required("count")?.integer(1, 20)? as u8,
        });
        entry.finish()?;
    }
    fields.finish()?;
    let total: usize = kinds.iter().map(|kind| usize::from(kind.count)).sum();
    if total < 10 {
        return Err(DataError::new("pebbles", format!("{total} pebbles"), "10 or more, so that four seats can begin"));
    }
    Ok((set_name, kinds))
}

/// A set of the user's own, for tests.
#[must_use]
pub fn own_set() -> Value {
    json!({"name": "mine", "pebbles": [
        {"name": "salt", "value": 9, "count": 7},
        {"name": "ash", "value": 1, "count": 20},
    ]})
}
