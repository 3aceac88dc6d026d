//! Records: a match as JSON Lines, a header, a line per step in notation, a result line.
//!
//! ```json
//! {"record":1,"game":"qin","rules":1,"players":2,"options":{},"components":"bird","seats":["human","greedy"],"seed":7}
//! {"ply":0,"outcome":"..."}
//! {"ply":0,"action":"..."}
//! {"scores":[3,5],"ranking":[2,1],"returns":["-1","1"]}
//! ```
//! `position` or `state` follow `components` if the match did not begin at the ordinary start. The first k lines of a record are a
//! record of an unfinished game. Reading is in two steps: [`Record::parse`] knows no game; [`crate::match_play::Match::from_record`]
//! follows the rules. The caller finds the game by [`Identity::game`] and makes it with [`Identity::make_game`].
//!
//! # Stability
//! Format 1 stays readable within a major version; records of another version of a game's rules are refused.
//!
//! ```
//! # #[cfg(feature = "testing")] {
//! use std::sync::Arc;
//!
//! use forbidden_games_core::match_play::Match;
//! use forbidden_games_core::record::Record;
//! use forbidden_games_core::testing::pebbles::{Pebbles, pebbles};
//!
//! let mut played = Match::new(Arc::new(pebbles(2)), 7);
//! played.play(played.legal_actions()[0])?;
//! let text = played.record().to_text();
//! assert!(text.starts_with("{\"record\":1,\"game\":\"pebbles\","));
//!
//! let record = Record::parse(&text)?;
//! let game: Pebbles = record.header.identity.make_game()?;
//! assert_eq!(Match::from_record(Arc::new(game), &record)?.state(), played.state());
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use crate::contract::{Game, Info};
use crate::data::{Fields, MAX_DOCUMENT_BYTES, Node, display, parse_json};
use crate::error::{DataError, NotOver, RecordError, is_plain, shorten};
use crate::options::{ComponentSource, Options};
use crate::player::MAX_PLAYERS;
use crate::start::Start;

/// The version of the format.
pub const FORMAT: u32 = 1;

/// The largest record accepted, in bytes.
pub const MAX_RECORD_BYTES: usize = 4 * MAX_DOCUMENT_BYTES;

pub(crate) const SEAT_NAME: &str = "a text of at most 200 bytes without control characters or line breaks";

pub(crate) fn is_seat_name(name: &str) -> bool {
    name.len() <= 200 && name.chars().all(is_plain)
}

/// What game was played, from where: enough to make it again.
#[derive(Clone, Debug, PartialEq)]
pub struct Identity {
    /// Name of the game.
    pub game: String,
    /// Version of its rule page.
    pub rules: u32,
    /// Number of seats.
    pub players: usize,
    /// Its options, every default written out.
    pub options: Options,
    /// Name of a built-in component set, or a user's set whole.
    pub components: Value,
    /// Where it began.
    pub start: Start,
}

impl Identity {
    /// The identity of `game` begun at `start`.
    #[must_use]
    pub fn of_game<G: Game>(game: &G, start: Start) -> Self {
        Self {
            game: G::INFO.name.to_owned(),
            rules: G::INFO.rules_version,
            players: game.num_players(),
            options: game.options(),
            components: game.components(),
            start,
        }
    }

    /// Appends its keys to an object.
    pub fn write(&self, object: &mut Map<String, Value>) {
        object.insert("game".into(), self.game.as_str().into());
        object.insert("rules".into(), self.rules.into());
        object.insert("players".into(), self.players.into());
        object.insert("options".into(), Value::Object(self.options.clone()));
        object.insert("components".into(), self.components.clone());
        match &self.start {
            Start::Ordinary => None,
            Start::Position(position) => object.insert("position".into(), position.clone()),
            Start::State(state) => object.insert("state".into(), state.clone()),
        };
    }

    /// Reads its keys.
    ///
    /// # Errors
    /// If one is missing or of another type.
    pub fn read(fields: &mut Fields<'_>) -> Result<Self, DataError> {
        let game = fields.required("game")?.text()?.to_owned();
        let rules = fields.required("rules")?.integer(0, i64::from(u32::MAX))? as u32;
        let players = fields.required("players")?.integer(1, MAX_PLAYERS as i64)? as usize;
        let options = fields.required("options")?;
        let options = options.value.as_object().ok_or_else(|| options.error("an object"))?.clone();
        let components = fields.required("components")?;
        if !components.value.is_string() && !components.value.is_object() {
            return Err(components.error("the name of a set or a whole set"));
        }
        let start = match (fields.optional("position"), fields.optional("state")) {
            (None, None) => Start::Ordinary,
            (Some(position), None) => Start::Position(position.value.clone()),
            (None, Some(state)) => Start::State(state.value.clone()),
            (Some(_), Some(state)) => return Err(state.error("either a position or a state")),
        };
        Ok(Self { game, rules, players, options, components: components.value.clone(), start })
    }

    /// Makes the game it names.
    ///
    /// # Errors
    /// On line 1, if `G` is another game or has other rules, or refuses the options or components.
    pub fn make_game<G: Game>(&self) -> Result<G, RecordError> {
        let fail = |reason| RecordError::Line { line: 1, reason };
        self.check_rules(G::INFO)?;
        G::new(self.players, &self.options, Some(&ComponentSource::from_json(&self.components)))
            .map_err(|error| fail(error.to_string()))
    }

    /// Checks that it names the game of `info` and the version of its rules.
    ///
    /// # Errors
    /// On line 1, if it is another.
    pub fn check_rules(&self, info: &Info) -> Result<(), RecordError> {
        let fail = |reason| Err(RecordError::Line { line: 1, reason });
        if self.game != info.name {
            return fail(format!("game: found {}, expected {}", shorten(&self.game), info.name));
        }
        if self.rules != info.rules_version {
            return fail(format!("rules: found version {}, expected version {}", self.rules, info.rules_version));
        }
        Ok(())
    }

    /// Checks that `game` is the one it names. Options that are left out mean their defaults.
    ///
    /// # Errors
    /// On line 1, if it is another.
    pub fn check<G: Game>(&self, game: &G) -> Result<(), RecordError> {
        let fail = |key: &str, found: String, expected: String| {
            Err(RecordError::Line { line: 1, reason: format!("{key}: found {found}, expected {expected}") })
        };
        self.check_rules(G::INFO)?;
        if self.players != game.num_players() {
            return fail("players", self.players.to_string(), game.num_players().to_string());
        }
        if self.components != game.components() {
            return fail("components", display(&self.components), display(&game.components()));
        }
        if self.options != game.options() {
            let written: G = self.make_game()?;
            if written.options() != game.options() {
                let text = |options: Options| Value::Object(options).to_string();
                return fail("options", text(written.options()), text(game.options()));
            }
        }
        Ok(())
    }
}

/// The first line.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// Which game, from where.
    pub identity: Identity,
    /// Who sat where.
    pub seats: Vec<String>,
    /// The seed of the luck; a replay does not need it, going on does.
    pub seed: u64,
}

impl Header {
    fn to_json(&self) -> Value {
        let mut object = Map::new();
        object.insert("record".into(), FORMAT.into());
        self.identity.write(&mut object);
        object.insert("seats".into(), self.seats.clone().into());
        object.insert("seed".into(), self.seed.into());
        Value::Object(object)
    }

    fn from_json(value: &Value) -> Result<Self, DataError> {
        let mut fields = Node::root(value).object()?;
        fields.required("record")?.integer(i64::from(FORMAT), i64::from(FORMAT))?;
        let identity = Identity::read(&mut fields)?;
        let seats = fields.required("seats")?.list(identity.players, identity.players)?;
        let seats = seats
            .iter()
            .map(|name| {
                let text = name.text()?;
                if is_seat_name(text) { Ok(text.to_owned()) } else { Err(name.error(SEAT_NAME)) }
            })
            .collect::<Result<_, DataError>>()?;
        let seed = fields.required("seed")?;
        let seed = seed.value.as_u64().ok_or_else(|| seed.error("an integer from 0 to 18446744073709551615"))?;
        fields.finish()?;
        Ok(Self { identity, seats, seed })
    }
}

/// Who made a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StepKind {
    /// A seat.
    Action,
    /// Nature.
    Outcome,
}

impl StepKind {
    /// Its key in the record.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Action => "action",
            Self::Outcome => "outcome",
        }
    }
}

/// A line of one step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordStep {
    /// Decisions before it, counted as in the state's JSON.
    pub ply: u32,
    /// Who made it.
    pub kind: StepKind,
    /// Its notation.
    pub text: String,
}

impl RecordStep {
    /// The line as an object.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!({"ply": self.ply, self.kind.word(): self.text})
    }

    fn from_json(value: &Value) -> Result<Self, DataError> {
        let mut fields = Node::root(value).object()?;
        let ply = fields.required("ply")?.integer(0, i64::from(u32::MAX))? as u32;
        let (kind, text) = match (fields.optional("action"), fields.optional("outcome")) {
            (Some(text), None) => (StepKind::Action, text),
            (None, Some(text)) => (StepKind::Outcome, text),
            _ => return Err(DataError::new("", display(value), "either an action or an outcome")),
        };
        let text = text.text()?.to_owned();
        fields.finish()?;
        Ok(Self { ply, kind, text })
    }
}

/// The last line of a finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordResult {
    /// Points by the rulebook.
    pub scores: Vec<i32>,
    /// Places, 1 is first.
    pub ranking: Vec<u8>,
    /// Returns as reduced fractions.
    pub returns: Vec<String>,
}

impl RecordResult {
    /// The result of a terminal state.
    ///
    /// # Errors
    /// At other nodes.
    pub fn of_state<G: Game>(game: &G, state: &G::State) -> Result<Self, NotOver> {
        if !game.is_terminal(state) {
            return Err(NotOver);
        }
        Ok(Self {
            scores: game.scores(state).to_vec(),
            ranking: game.ranking(state).to_vec(),
            returns: game.exact_returns(state).iter().map(ToString::to_string).collect(),
        })
    }

    /// The line as an object.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!({"scores": self.scores, "ranking": self.ranking, "returns": self.returns})
    }

    fn from_json(value: &Value, players: usize) -> Result<Self, DataError> {
        let mut fields = Node::root(value).object()?;
        let mut list = |key| fields.required(key)?.list(players, players);
        let result = Self {
            scores: list("scores")?
                .iter()
                .map(|node| Ok(node.integer(i64::from(i32::MIN), i64::from(i32::MAX))? as i32))
                .collect::<Result<_, DataError>>()?,
            ranking: list("ranking")?
                .iter()
                .map(|node| Ok(node.integer(1, players as i64)? as u8))
                .collect::<Result<_, DataError>>()?,
            returns: list("returns")?.iter().map(|node| Ok(node.text()?.to_owned())).collect::<Result<_, DataError>>()?,
        };
        fields.finish()?;
        Ok(result)
    }
}

/// A match in writing.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The first line.
    pub header: Header,
    /// The steps in order; step i stands on line i + 2.
    pub steps: Vec<RecordStep>,
    /// The last line of a finished game.
    pub result: Option<RecordResult>,
}

impl Record {
    /// Reads a record without following the rules. A byte order mark before it and blank lines after it do not count.
    ///
    /// # Errors
    /// The first line that cannot be read.
    pub fn parse(text: &str) -> Result<Self, RecordError> {
        match Self::parse_until_error(text)? {
            (_, Some(error)) => Err(error),
            (record, None) => Ok(record),
        }
    }

    /// Reads a record up to the first line that cannot be read, and gives that error with what stands before it.
    ///
    /// # Errors
    /// If even the header cannot be read.
    pub fn parse_until_error(text: &str) -> Result<(Self, Option<RecordError>), RecordError> {
        if text.len() > MAX_RECORD_BYTES {
            let reason = format!("found {} bytes, expected at most {MAX_RECORD_BYTES}", text.len());
            return Err(RecordError::Line { line: 1, reason });
        }
        let fail = |line, error: DataError| RecordError::Line { line, reason: error.to_string() };
        // Editors put a byte order mark before a text and blank lines after it; inside, a blank line is damage.
        let mut lines = text.strip_prefix('\u{feff}').unwrap_or(text).trim_end().lines();
        let header = parse_json(lines.next().unwrap_or_default())
            .and_then(|value| Header::from_json(&value))
            .map_err(|error| fail(1, error))?;
        let mut record = Self { header, steps: Vec::new(), result: None };
        for (index, line) in lines.enumerate() {
            if let Err(error) = record.read_line(line) {
                return Ok((record, Some(fail(index + 2, error))));
            }
        }
        Ok((record, None))
    }

    fn read_line(&mut self, line: &str) -> Result<(), DataError> {
        let value = parse_json(line)?;
        if self.result.is_some() {
            return Err(DataError::new("", line, "nothing after the result"));
        }
        if value.get("scores").is_some() {
            self.result = Some(RecordResult::from_json(&value, self.header.identity.players)?);
        } else {
            self.steps.push(RecordStep::from_json(&value)?);
        }
        Ok(())
    }

    /// The lines in order, without line ends.
    pub fn lines(&self) -> impl Iterator<Item = String> + '_ {
        std::iter::once(self.header.to_json().to_string())
            .chain(self.steps.iter().map(|step| step.to_json().to_string()))
            .chain(self.result.iter().map(|result| result.to_json().to_string()))
    }

    /// The whole text, every line ended.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for line in self.lines() {
            let _ = writeln!(text, "{line}");
        }
        text
    }

    /// The record up to before the decision at `ply` (with the draws before it), without the result if that cuts anything off.
    #[must_use]
    pub fn until_ply(&self, ply: u32) -> Self {
        let is_later = |step: &RecordStep| step.ply > ply || step.ply == ply && step.kind == StepKind::Action;
        let end = self.steps.iter().position(is_later).unwrap_or(self.steps.len());
        let result = if end == self.steps.len() { self.result.clone() } else { None };
        Self { header: self.header.clone(), steps: self.steps[..end].to_vec(), result }
    }
}

#[cfg(test)]
mod tests;
