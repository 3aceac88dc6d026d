//! Agents by name: `name:key=value,key=value`, the same text at the command line, in Python and in tournament files.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::contract::Game;
use crate::error::shorten;
use crate::search::settings::{SETTINGS, Setting, Settings};

/// Longest text read as a spec.
const MAX_LENGTH: usize = 2000;

/// What an agent does, or a level that stands for a spec of the game at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AgentKind {
    /// Every legal action is equally likely.
    Random,
    /// The best position at the end of its own turn, by [`crate::contract::Judgement::evaluate`].
    Greedy,
    /// Monte Carlo without a tree: every legal action gets the same number of simulations.
    Flat,
    /// Tree search on complete positions; with hidden information the average over sampled worlds.
    Mcts,
    /// Tree search on what the seat can tell apart; every simulation samples its own world.
    Ismcts,
    /// Exact values, for small positions.
    Expectimax,
    /// The easiest level for people.
    Novice,
    /// The second level.
    Amateur,
    /// The third level.
    Expert,
    /// The hardest level.
    Master,
}

impl AgentKind {
    /// All of them, searchers first.
    pub const ALL: [Self; 10] = [
        Self::Random,
        Self::Greedy,
        Self::Flat,
        Self::Mcts,
        Self::Ismcts,
        Self::Expectimax,
        Self::Novice,
        Self::Amateur,
        Self::Expert,
        Self::Master,
    ];

    /// Its name in a spec.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Greedy => "greedy",
            Self::Flat => "flat",
            Self::Mcts => "mcts",
            Self::Ismcts => "ismcts",
            Self::Expectimax => "expectimax",
            Self::Novice => "novice",
            Self::Amateur => "amateur",
            Self::Expert => "expert",
            Self::Master => "master",
        }
    }

    /// One line: what it does.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Random => "plays any legal action",
            Self::Greedy => "looks for the best position at the end of its own turn",
            Self::Flat => "tries every action equally often and plays on at random",
            Self::Mcts => "tree search; averages over sampled worlds where something is hidden",
            Self::Ismcts => "tree search over what the seat can tell apart; a new world for every simulation",
            Self::Expectimax => "exact values, for positions near the end",
            Self::Novice => "a level for people: makes mistakes",
            Self::Amateur => "a level for people: looks one turn ahead",
            Self::Expert => "a level for people: searches briefly",
            Self::Master => "a level for people: searches as long as a person would think",
        }
    }

    /// Which of the four levels it is, easiest first.
    #[must_use]
    pub const fn level(self) -> Option<usize> {
        match self {
            Self::Novice => Some(0),
            Self::Amateur => Some(1),
            Self::Expert => Some(2),
            Self::Master => Some(3),
            _ => None,
        }
    }

    /// The settings it takes; a level takes what any agent takes and is checked when the game is known.
    pub fn settings(self) -> impl Iterator<Item = &'static Setting> {
        SETTINGS.iter().filter(move |setting| self.level().is_some() || setting.agents.contains(&self))
    }
}

/// An agent and its settings, checked. Frozen: equal texts in canonical form mean equal agents.
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
    /// The text, shortened.
    pub spec: String,
    /// What is wrong and what would have been right.
    pub reason: String,
}

impl AgentSpec {
    /// The agent with all settings at their defaults.
    #[must_use]
    pub const fn new(kind: AgentKind) -> Self {
        Self { kind, given: BTreeMap::new() }
    }

    /// What it does.
    #[must_use]
    pub const fn kind(&self) -> AgentKind {
        self.kind
    }

    /// The settings that were given, in canonical order and form.
    pub fn given(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.given.iter().map(|(&place, value)| (SETTINGS[place].name, value.as_str()))
    }

    /// The same spec with settings (name, value) more, or changed.
    ///
    /// # Errors
    /// If the agent has no such setting, or a value does not fit, by itself or with the others.
    pub fn with<'a>(&self, settings: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, AgentSpecError> {
        let mut spec = self.clone();
        settings
            .into_iter()
            .try_for_each(|(name, value)| spec.set(name, value))
            .and_then(|()| spec.check())
            .map_err(|reason| AgentSpecError { spec: shorten(&self.to_string()), reason })?;
        Ok(spec)
    }

    /// Whether the settings go together.
    fn check(&self) -> Result<(), String> {
        let is = |name: &str, wanted: &str| self.given().any(|(given, value)| given == name && value == wanted);
        if is("simulations", "none") && !self.given().any(|(given, value)| given == "time_ms" && value != "none") {
            return Err("simulations=none needs a time_ms, or the search would never end".to_owned());
        }
        // A tree in which the seat's own hand changes is not that of its next decision.
        if is("reuse", "true") && (is("observers", "many") || is("redeterminize", "true")) {
            return Err("reuse=true needs observers=single and redeterminize=false".to_owned());
        }
        Ok(())
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let known = SETTINGS.iter().position(|setting| setting.name == name);
        let fits = |place: &usize| self.kind.settings().any(|setting| setting.name == SETTINGS[*place].name);
        let Some(place) = known.filter(fits) else {
            let names: Vec<_> = self.kind.settings().map(|setting| setting.name).collect();
            let offer = if names.is_empty() { "no settings".to_owned() } else { names.join(", ") };
            return Err(format!("no setting {:?}: {} takes {offer}", shorten(name), self.kind.name()));
        };
        self.given.insert(place, SETTINGS[place].canonical(value)?);
        Ok(())
    }

    /// A level replaced by the spec it stands for in game `G`, with the settings given here on top; others stay as they are.
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

    /// All settings: those given, then those the game recommends for so many seats ([`crate::contract::Judgement::search_defaults`]), then the general
    /// defaults.
    ///
    /// # Errors
    /// If the spec is a level with settings that the agent behind it does not take, or asks for what cannot be in the game.
    pub fn settings<G: Game>(&self, players: usize) -> Result<Settings, AgentSpecError> {
        let spec = self.resolve::<G>()?;
        // The worlds that mcts searches are none of those that the next decision is about.
        let keeps = spec.given().any(|given| given == ("reuse", "true"));
        if keeps && spec.kind == AgentKind::Mcts && G::INFO.hidden_information {
            let reason = format!("reuse=true needs ismcts in {}, where something is hidden", G::INFO.name);
            return Err(AgentSpecError { spec: shorten(&self.to_string()), reason });
        }
        // What a game recommends is measured with trees; of it the other agents take the scale of its points alone.
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
    /// The canonical form: settings that were given, in the order of the table.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.kind.name())?;
        for (position, (name, value)) in self.given().enumerate() {
            write!(formatter, "{}{name}={value}", if position == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}
