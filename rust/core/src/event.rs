//! What an action or a draw brought about, as data with a text form, for people.

use serde_json::{Map, Value};

use crate::player::Player;

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// What kind of thing, a lower-case word of the game (`close`, `found`, `draw`).
    pub kind: &'static str,
    /// The rule it follows (`FC-5.11`).
    pub rule: &'static str,
    /// One line for people, without the rule number.
    pub text: String,
    /// The same as data: JSON values by name.
    pub data: Map<String, Value>,
    /// `Some(seat)`: only that seat may see it (a private draw). `None`: everybody.
    pub private_to: Option<Player>,
}

impl Event {
    /// A public event without data.
    #[must_use]
    pub fn new(kind: &'static str, rule: &'static str, text: impl Into<String>) -> Self {
        Self { kind, rule, text: text.into(), data: Map::new(), private_to: None }
    }

    /// The event with one more datum.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.data.insert(name.to_owned(), value.into());
        self
    }

    /// The event for the eyes of one seat.
    #[must_use]
    pub fn private(mut self, player: Player) -> Self {
        self.private_to = Some(player);
        self
    }

    /// Whether `viewer` may see it.
    #[must_use]
    pub fn is_visible_to(&self, viewer: Player) -> bool {
        self.private_to.is_none_or(|player| player == viewer)
    }

    /// `kind`, `rule`, `text`, `data`, `private_to` as an object.
    #[must_use]
    pub fn to_json(&self) -> Value {
        serde_json::json!({
            "kind": self.kind, "rule": self.rule, "text": self.text, "data": self.data,
            "private_to": self.private_to.map(|player| player.0),
        })
    }
}

impl std::fmt::Display for Event {
    /// `room of 6 closes: red 12, blue 6 (FC-5.11)`.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} ({})", self.text, self.rule)
    }
}

/// Where `apply` reports events. Rollouts use [`NoEvents`], which costs nothing: games build an event only inside the closure.
pub trait EventSink {
    /// Takes an event, made only if somebody listens.
    fn emit(&mut self, event: impl FnOnce() -> Event);
}

/// The sink that drops everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoEvents;

impl EventSink for NoEvents {
    #[inline(always)]
    fn emit(&mut self, _event: impl FnOnce() -> Event) {}
}

impl EventSink for Vec<Event> {
    fn emit(&mut self, event: impl FnOnce() -> Event) {
        self.push(event());
    }
}
