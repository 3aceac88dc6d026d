//! Component sets (PB-1): the kinds of pebbles, read from TOML or JSON and checked.

use serde_json::Value;

use crate::data::Node;
use crate::error::DataError;

/// Built-in sets: name and TOML text, the default first.
pub(super) const BUILTIN: &[(&str, &str)] = &[("pebbles-1", include_str!("components.toml"))];

/// Most kinds of pebbles.
pub(super) const MAX_KINDS: usize = 6;

/// Pebbles of each kind.
pub(super) type Counts = [u8; MAX_KINDS];

/// A kind of pebble.
#[derive(Clone, Debug)]
pub(super) struct Kind {
    pub(super) name: String,
    pub(super) value: i32,
    pub(super) count: u8,
}

/// A component set, checked.
#[derive(Clone, Debug)]
pub(super) struct Components {
    pub(super) kinds: Vec<Kind>,
}

impl Components {
    /// Reads and checks a set.
    pub(super) fn read(set: &Value) -> Result<Self, DataError> {
        let mut fields = Node::root(set).object()?;
        fields.required("name")?.text()?;
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
        let components = Self { kinds };
        match components.total() {
            0..10 => {
                let found = format!("{} pebbles", components.total());
                Err(DataError::new("pebbles", found, "10 or more, so that four seats can begin"))
            }
            _ => Ok(components),
        }
    }

    /// The kind with this name.
    pub(super) fn kind(&self, name: &str) -> Option<u8> {
        self.kinds.iter().position(|kind| kind.name == name).map(|kind| kind as u8)
    }

    /// Every pebble of the set.
    pub(super) fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        self.kinds.iter().zip(&mut counts).for_each(|(kind, count)| *count = kind.count);
        counts
    }

    /// Number of pebbles of the set.
    pub(super) fn total(&self) -> usize {
        self.kinds.iter().map(|kind| usize::from(kind.count)).sum()
    }
}
