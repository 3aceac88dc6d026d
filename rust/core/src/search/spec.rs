//! Agent specs: `name:key=value,key=value`, the same text on the command line, in Python and in tournament files.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::contract::Game;
use crate::error::shorten;
use crate::search::kind::AgentKind;
use crate::search::settings::{SETTINGS, Settings};

/// The longest spec in bytes.
const MAX_LENGTH: usize = 2000;

/// An agent and its settings, checked. Two specs are equal if their canonical texts are.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentSpec {
    kind: AgentKind,
    /// Canonical values of the settings that were given, by position in [`SETTINGS`].
    given: BTreeMap<usize, String>,
}

/// A spec that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("agent {spec:?}: {reason}")]
#[non_exhaustive]
pub struct AgentSpecError {
    /// The spec, shortened.
    pub spec: String,
    /// What is wrong and what is expected.
    pub reason: String,
}

impl AgentSpec {
    /// An agent with default settings.
    #[must_use]
    pub const fn new(kind: AgentKind) -> Self {
        Self { kind, given: BTreeMap::new() }
    }

    /// The kind of the agent.
    #[must_use]
    pub const fn kind(&self) -> AgentKind {
        self.kind
    }

    /// The settings that were given, in canonical order and form.
    pub fn given(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.given.iter().map(|(&position, value)| (SETTINGS[position].name, value.as_str()))
    }

    /// The same spec with settings (name, value) added or replaced.
    ///
    /// # Errors
    /// If the agent has no such setting, a value is wrong, or settings contradict each other.
    pub fn with<'a>(&self, settings: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, AgentSpecError> {
        let mut spec = self.clone();
        settings
            .into_iter()
            .try_for_each(|(name, value)| spec.set(name, value))
            .and_then(|()| spec.check())
            .map_err(|reason| AgentSpecError { spec: shorten(&self.to_string()), reason })?;
        Ok(spec)
    }

    /// Checks that the settings do not contradict each other.
    fn check(&self) -> Result<(), String> {
        let is = |name: &str, wanted: &str| self.given().any(|(given, value)| given == name && value == wanted);
        if is("simulations", "none") && !self.given().any(|(given, value)| given == "time_ms" && value != "none") {
            return Err("simulations=none needs a time_ms, or the search would never end".to_owned());
        }
        Ok(())
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let known = SETTINGS.iter().position(|setting| setting.name == name);
        let fits = |position: &usize| self.kind.settings().any(|setting| setting.name == SETTINGS[*position].name);
        let Some(position) = known.filter(fits) else {
            let names: Vec<_> = self.kind.settings().map(|setting| setting.name).collect();
            let offer = if names.is_empty() { "no settings".to_owned() } else { names.join(", ") };
            return Err(format!("no setting {:?}: {} takes {offer}", shorten(name), self.kind.name()));
        };
        self.given.insert(position, SETTINGS[position].canonical(value)?);
        Ok(())
    }

    /// Replaces a level by the spec it stands for in game `G`, with the settings given here on top. Other specs stay as they are.
    ///
    /// # Errors
    /// If a setting was given that the agent behind the level does not take.
    pub fn resolve<G: Game>(&self) -> Result<Self, AgentSpecError> {
        let Some(level) = self.kind.level() else { return Ok(self.clone()) };
        let mut spec: Self = G::levels()[level].parse()?;
        for (name, value) in self.given() {
            spec.set(name, value).map_err(|reason| AgentSpecError { spec: shorten(&self.to_string()), reason })?;
        }
        Ok(spec)
    }

    /// All settings. Those given come first, then those that the game recommends for this number of seats
    /// ([`crate::contract::Judgement::search_defaults`]), then the general defaults.
    ///
    /// # Errors
    /// If the spec is a level with settings that the agent behind it does not take, or asks for what the game does not allow.
    pub fn settings<G: Game>(&self, players: usize) -> Result<Settings, AgentSpecError> {
        let spec = self.resolve::<G>()?;
        // With hidden information mcts samples new worlds at every decision, so no tree can be kept.
        let keeps = spec.given().any(|given| given == ("reuse", "true"));
        if keeps && spec.kind == AgentKind::Mcts && G::INFO.hidden_information {
            let reason = format!("reuse=true needs ismcts in {}, where something is hidden", G::INFO.name);
            return Err(AgentSpecError { spec: shorten(&self.to_string()), reason });
        }
        // Recommended settings are measured with tree searches. Other agents take only the scale of the game's points.
        let is_tree = matches!(spec.kind, AgentKind::Mcts | AgentKind::Ismcts);
        Ok(Settings::collect(spec.kind, |name| {
            let own = spec.given().find(|&(given, _)| given == name).map(|(_, value)| value);
            let recommended = || pairs(G::search_defaults(players)).find(|&(key, _)| key == name && (is_tree || key == "scale"));
            own.or_else(|| recommended().map(|(_, value)| value))
        }))
    }
}

/// The `key=value` parts of a list.
fn pairs(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split(',').filter_map(|part| part.split_once('='))
}

impl FromStr for AgentSpec {
    type Err = AgentSpecError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fail = |reason: String| AgentSpecError { spec: shorten(text), reason };
        if text.len() > MAX_LENGTH {
            return Err(fail(format!("longer than {MAX_LENGTH} bytes")));
        }
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name.trim(), Some(rest)),
            None => (text.trim(), None),
        };
        let lower = name.to_ascii_lowercase();
        let Some(kind) = AgentKind::ALL.into_iter().find(|kind| kind.name() == lower) else {
            let names: Vec<_> = AgentKind::ALL.iter().map(|kind| kind.name()).collect();
            return Err(fail(format!("no agent {:?}: expected one of {}", shorten(name), names.join(", "))));
        };
        let mut spec = Self::new(kind);
        for part in rest.filter(|rest| !rest.trim().is_empty()).into_iter().flat_map(|rest| rest.split(',')) {
            let Some((key, value)) = part.split_once('=') else {
                return Err(fail(format!("found {:?}, expected key=value", shorten(part))));
            };
            let (key, value) = (key.trim(), value.trim());
            let before = spec.given.len();
            spec.set(key, value).map_err(fail)?;
            if spec.given.len() == before {
                return Err(fail(format!("{key} is given twice")));
            }
        }
        spec.check().map_err(fail)?;
        Ok(spec)
    }
}

impl fmt::Display for AgentSpec {
    /// Writes the canonical form: the settings that were given, in the order of the table.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.kind.name())?;
        for (position, (name, value)) in self.given().enumerate() {
            write!(formatter, "{}{name}={value}", if position == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}
