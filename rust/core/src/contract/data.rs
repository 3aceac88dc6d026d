//! States and observations as JSON and as bytes.

use serde_json::{Map, Value};

use crate::bytes::{ByteReader, ByteSink, KeyHasher};
use crate::contract::{Knowledge, Observed, Setup};
use crate::data::Fields;
use crate::error::{DataError, StateError};
use crate::player::{Player, Turn};

/// Data of a game for records, other programs and tests.
pub trait Data: Setup + Knowledge {
    /// The whole state in the rule page's key order (CONVENTIONS 6).
    fn state_to_json(&self, state: &Self::State) -> Value;

    /// Reads and checks a whole state.
    ///
    /// # Errors
    /// If a key is missing, unknown, of another type or out of range, or the state breaks an invariant.
    fn state_from_json(&self, value: &Value) -> Result<Self::State, StateError>;

    /// The same object with what the seat may not know replaced by `null`.
    fn observation_to_json(&self, observation: &Self::Observation) -> Value;

    /// Reads and checks what `player` sees.
    ///
    /// # Errors
    /// As [`Data::state_from_json`]; also if it shows what the seat may not know.
    fn observation_from_json(&self, value: &Value, player: Player) -> Result<Self::Observation, StateError>;

    // ---- Provided -------------------------------------------------------------------------------------------------------

    /// Begins from a position object, where the rule page has them (FC-4.3, DC-9.5).
    ///
    /// # Errors
    /// If it is refused by the page, or the game has no positions.
    fn state_from_position(&self, _position: &Value) -> Result<Self::State, StateError> {
        Err(StateError::new("position", "a position", format!("no position: {} has none", Self::INFO.title)))
    }

    /// Writes a state as bytes, equal states equally, different ones differently: what pickles hold and keys hash. By default its
    /// JSON; an override writes the fields themselves.
    fn write_bytes(&self, state: &Self::State, out: &mut impl ByteSink) {
        out.bytes(self.state_to_json(state).to_string().as_bytes());
    }

    /// Reads what [`Data::write_bytes`] wrote, to the end. Checks lengths and the range of every index, so that no call on the
    /// state panics; whether the rules can bring such a state about is not checked.
    ///
    /// # Errors
    /// If the bytes are cut, too long, or hold a number out of range.
    fn read_bytes(&self, bytes: &mut ByteReader<'_>) -> Result<Self::State, StateError> {
        self.state_from_json(&read_json(bytes)?)
    }

    /// Writes an observation as [`Data::write_bytes`] writes a state.
    fn write_observation_bytes(&self, observation: &Self::Observation, out: &mut impl ByteSink) {
        out.u8(self.observer(observation).0);
        out.bytes(self.observation_to_json(observation).to_string().as_bytes());
    }

    /// Reads what [`Data::write_observation_bytes`] wrote, to the end.
    ///
    /// # Errors
    /// As [`Data::read_bytes`].
    fn read_observation_bytes(&self, bytes: &mut ByteReader<'_>) -> Result<Self::Observation, StateError> {
        let player = Player(bytes.below("player", self.num_players())?);
        self.observation_from_json(&read_json(bytes)?, player)
    }

    /// A 64-bit key of the whole state among those of this game, the same on every platform: the hash of
    /// [`Data::write_bytes`]. Not overridden.
    fn key(&self, state: &Self::State) -> u64 {
        let mut hasher = KeyHasher::new();
        self.write_bytes(state, &mut hasher);
        hasher.finish()
    }

    /// The same of what a seat perceives. Not overridden.
    fn observation_key(&self, observation: &Self::Observation) -> u64 {
        let mut hasher = KeyHasher::new();
        self.write_observation_bytes(observation, &mut hasher);
        hasher.finish()
    }

    /// Everything the seat of `observation` has learnt, as text: equal texts mean equal observations and equal histories (perfect
    /// recall). One line for what it perceives, one for each step it saw. Not overridden.
    fn information_text(&self, observation: &Self::Observation, history: &[Observed]) -> String {
        let mut text = format!("seat {}: {}", self.observer(observation), self.observation_to_json(observation));
        for &seen in history {
            text.push('\n');
            text.push_str(&self.format_observed(seen));
        }
        text
    }
}

/// The JSON that the provided byte functions write.
fn read_json(bytes: &mut ByteReader<'_>) -> Result<Value, StateError> {
    serde_json::from_slice(bytes.rest()).map_err(|error| StateError::new("bytes", error.to_string(), "JSON"))
}

/// The first keys of every state object (CONVENTIONS 6).
#[must_use]
pub fn state_header<G: Setup>(game: &G, ply: u32, turn: Turn, phase: &str) -> Map<String, Value> {
    let mut map = Map::new();
    map.insert("game".into(), G::INFO.name.into());
    map.insert("players".into(), game.num_players().into());
    map.insert("ply".into(), ply.into());
    map.insert("node".into(), turn.node().into());
    map.insert("player".into(), turn.player().map_or(Value::Null, |player| player.0.into()));
    map.insert("phase".into(), phase.into());
    map.insert("options".into(), Value::Object(game.options()));
    map
}

/// What [`read_state_header`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateHeader {
    /// Decisions so far.
    pub ply: u32,
    /// Whose decision.
    pub turn: Turn,
    /// Index in [`crate::contract::Info::phases`].
    pub phase: usize,
}

/// Reads and checks the keys of [`state_header`] against `game`; the caller goes on with the rest and calls `finish`.
///
/// # Errors
/// If one is missing, of another type, or of another game.
pub fn read_state_header<G: Setup>(game: &G, fields: &mut Fields<'_>) -> Result<StateHeader, DataError> {
    fields.required("game")?.one_of(&[G::INFO.name])?;
    let players = game.num_players() as i64;
    fields.required("players")?.integer(players, players)?;
    let ply = fields.required("ply")?.integer(0, 4_000_000)? as u32;
    let node = fields.required("node")?.one_of(&["decision", "chance", "terminal"])?;
    let player = fields.required("player")?;
    let turn = match node {
        0 => Turn::Player(Player::new(player.index(game.num_players())?)),
        _ if !player.is_null() => return Err(player.error("null at a chance or terminal node")),
        1 => Turn::Chance,
        _ => Turn::Over,
    };
    let phase = fields.required("phase")?.one_of(G::INFO.phases)?;
    let options = fields.required("options")?;
    if options.value.as_object() != Some(&game.options()) {
        return Err(options.error(Value::Object(game.options()).to_string()));
    }
    Ok(StateHeader { ply, turn, phase })
}
