//! The contract between a game's rules and everything that plays it.
//!
//! A [`Game`] holds rules, components and options; its [`Game::State`] is plain data without a pointer to it. A position is a
//! decision, a chance node or terminal ([`Turn`]). Nothing random is decided in advance and no state holds a generator: a draw is a
//! chance node with integer weights at the moment the rules make it happen.
//!
//! Searchers, matches, records and the bindings see only this trait. Implement the required methods in a game's folder; the
//! provided ones say what they must be equal to if a game overrides them for speed.
//!
//! # Who may see what
//! A seat is shown an [`Game::Observation`], a type that cannot hold what the seat may not know. Drawing, a seat's JSON, tensors,
//! keys, `sample_world` and agents take observations, never states.

use std::fmt::Debug;
use std::hash::Hash;

use serde_json::{Map, Value};

use crate::canvas::{Canvas, Palette};
use crate::encoding::Layout;
use crate::error::{DataError, IllegalAction, OptionsError, ParseActionError, Refusal, SetupError, StateError};
use crate::event::{EventSink, NoEvents};
use crate::options::{ComponentSource, OptionSpec, Options};
use crate::outcome::{Fraction, ScoreLine, returns_of_ranking};
use crate::player::{ByPlayer, Player, Turn};
use crate::rng::{Rng, portable_hash};

/// What is known of a game before options.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// Its name in code, records and at the command line: `forbidden_city`.
    pub name: &'static str,
    /// Its name for people: `Forbidden City`.
    pub title: &'static str,
    /// One line: what it is.
    pub summary: &'static str,
    /// Version of the rule page; rises when a ruling changes what is legal or scored.
    pub rules_version: u32,
    /// Version of action ids, outcome ids and observation blocks; rises when any of them changes meaning.
    pub layout_version: u32,
    /// Fewest seats.
    pub min_players: usize,
    /// Most seats.
    pub max_players: usize,
    /// Seats if nothing is said.
    pub default_players: usize,
    /// Whether some seat can know what another does not.
    pub hidden_information: bool,
    /// Names of the phases, in the order of the rule page.
    pub phases: &'static [&'static str],
    /// The rule page, Markdown.
    pub rules: &'static str,
    /// The game folder's page, Markdown.
    pub readme: &'static str,
}

/// A decision or a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step<A, O> {
    /// A seat acts.
    Action(A),
    /// Nature draws.
    Outcome(O),
}

/// A step of game `G`.
pub type StepOf<G> = Step<<G as Game>::Action, <G as Game>::Outcome>;

/// What one seat learns from one step, as a number that is equal exactly if the same was learnt. Histories, information keys and
/// the edges of an information-set tree are made of these, never of ids alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Observed(pub u64);

impl Observed {
    /// Nothing but that a step happened.
    pub const NOTHING: Self = Self(u64::MAX);
}

/// What a drawing needs beside the observation.
#[derive(Clone, Copy, Debug)]
pub struct DrawRequest<'a, A> {
    /// Actions whose targets are marked (all legal ones, a filtered part, or none).
    pub legal: &'a [A],
    /// The last action, marked.
    pub last: Option<A>,
    /// Columns to stay within, at least 60; `usize::MAX` for no limit.
    pub width: usize,
    /// Where to look in a picture that shows a part: the game's square notation (Forbidden City: `3,-2`).
    pub focus: Option<&'a str>,
}

impl<A> Default for DrawRequest<'_, A> {
    fn default() -> Self {
        Self { legal: &[], last: None, width: 80, focus: None }
    }
}

/// The rules of one game with its players, options and components.
///
/// # Contract
/// - At a decision at least one action is legal; lists are ascending by id, without duplicates.
/// - The ids of actions (`0..num_actions`) and outcomes (`0..num_outcomes`) depend on game, players, options and components only.
/// - `Eq` and `Hash` of a state cover exactly its JSON: two states are equal if and only if their JSON is.
/// - `apply_*` trust the caller (checked with `debug_assert!`); use [`Game::play`] for what comes from outside.
/// - Everything is deterministic and the same on every platform.
pub trait Game: Clone + Debug + Send + Sync + Sized + 'static {
    /// One complete position including hidden parts.
    type State: Clone + Debug + PartialEq + Eq + Hash + Send + Sync;
    /// What one seat perceives of a position, and which seat that is.
    type Observation: Clone + Debug + PartialEq + Eq + Hash + Send + Sync;
    /// One atomic decision. `Ord` is the order of ids.
    type Action: Copy + Debug + PartialEq + Eq + PartialOrd + Ord + Hash + Send + Sync;
    /// One result of a draw. `Ord` is the order of ids.
    type Outcome: Copy + Debug + PartialEq + Eq + PartialOrd + Ord + Hash + Send + Sync;

    // ---- Identity -------------------------------------------------------------------------------------------------------

    /// What is known before options. It refers to a `static`, so that the pages are in the binary once.
    const INFO: &'static Info;

    /// The options in the order of the options object.
    fn option_schema() -> Vec<OptionSpec>;

    /// Built-in component sets: name and TOML text, the default first.
    fn builtin_components() -> &'static [(&'static str, &'static str)];

    /// Makes a game.
    ///
    /// # Errors
    /// If players, an option or the component set does not fit.
    fn new(players: usize, options: &Options, components: Option<&ComponentSource>) -> Result<Self, SetupError>;

    /// Number of seats.
    fn num_players(&self) -> usize;

    /// The full options object, defaults written out, in order.
    fn options(&self) -> Options;

    /// `components` of a header: the name of a built-in set, or a user's set whole.
    fn components(&self) -> Value;

    /// Size of the action space.
    fn num_actions(&self) -> usize;

    /// Size of the outcome space.
    fn num_outcomes(&self) -> usize;

    /// What the action ids depend on beside name and layout version, as text: equal texts mean equal ids.
    fn action_layout(&self) -> String;

    /// Upper bound of decisions in a game from the ordinary start.
    fn max_plies(&self) -> usize;

    /// Upper bound of chance nodes in a game from the ordinary start.
    fn max_chance_nodes(&self) -> usize;

    // ---- Ids and notation -----------------------------------------------------------------------------------------------

    /// The dense id of an action.
    fn action_id(&self, action: Self::Action) -> u32;

    /// The action with this id, if it is below `num_actions`.
    fn action_from_id(&self, id: u32) -> Option<Self::Action>;

    /// The dense id of an outcome.
    fn outcome_id(&self, outcome: Self::Outcome) -> u32;

    /// The outcome with this id, if it is below `num_outcomes`.
    fn outcome_from_id(&self, id: u32) -> Option<Self::Outcome>;

    /// Canonical notation.
    fn format_action(&self, action: Self::Action) -> String;

    /// Reads notation: any letter case, extra blanks (CONVENTIONS 3). Legality is a second step.
    ///
    /// # Errors
    /// If the text is no notation of this game.
    fn parse_action(&self, text: &str) -> Result<Self::Action, ParseActionError>;

    /// Canonical notation.
    fn format_outcome(&self, outcome: Self::Outcome) -> String;

    /// Reads notation like [`Game::parse_action`].
    ///
    /// # Errors
    /// If the text is no outcome of this game.
    fn parse_outcome(&self, text: &str) -> Result<Self::Outcome, ParseActionError>;

    // ---- Play -----------------------------------------------------------------------------------------------------------

    /// The ordinary start, before the set-up draws.
    fn new_state(&self) -> Self::State;

    /// Whose decision it is.
    fn turn(&self, state: &Self::State) -> Turn;

    /// The rule page's word for what is being decided; one of [`Info::phases`].
    fn phase(&self, state: &Self::State) -> &'static str;

    /// Decisions taken so far.
    fn ply(&self, state: &Self::State) -> u32;

    /// Appends all legal actions, ascending by id. Nothing at chance and terminal nodes.
    fn legal_actions(&self, state: &Self::State, out: &mut Vec<Self::Action>);

    /// Appends all outcomes with their positive integer weights, ascending by id. Nothing at other nodes.
    fn chance_outcomes(&self, state: &Self::State, out: &mut Vec<(Self::Outcome, u32)>);

    /// Why `action` is not legal now.
    ///
    /// # Errors
    /// If it is not legal: the rule and the reason.
    fn check_action(&self, state: &Self::State, action: Self::Action) -> Result<(), Refusal>;

    /// Applies a legal action and reports what happened.
    fn apply_action<E: EventSink>(&self, state: &mut Self::State, action: Self::Action, events: &mut E);

    /// Applies a possible outcome and reports what happened.
    fn apply_outcome<E: EventSink>(&self, state: &mut Self::State, outcome: Self::Outcome, events: &mut E);

    /// `legal[rng.below(legal.len())]`, exactly that action, with one draw; override to find it without the list. `scratch` is
    /// cleared and may be used.
    fn sample_action(&self, state: &Self::State, rng: &mut Rng, scratch: &mut Vec<Self::Action>) -> Self::Action {
        scratch.clear();
        self.legal_actions(state, scratch);
        scratch[rng.below(scratch.len() as u32) as usize]
    }

    /// The outcome in whose cumulative weight `rng.below(total)` falls, in id order, with one draw; override for speed with the
    /// same result.
    fn sample_outcome(&self, state: &Self::State, rng: &mut Rng, scratch: &mut Vec<(Self::Outcome, u32)>) -> Self::Outcome {
        scratch.clear();
        self.chance_outcomes(state, scratch);
        let total = scratch.iter().map(|(_, weight)| weight).sum();
        let mut drawn = rng.below(total);
        for &(outcome, weight) in scratch.iter() {
            if drawn < weight {
                return outcome;
            }
            drawn -= weight;
        }
        unreachable!("the draw is below the total")
    }

    // ---- Results --------------------------------------------------------------------------------------------------------

    /// Points so far, at the end the final ones.
    fn scores(&self, state: &Self::State) -> ByPlayer<i32>;

    /// Places at a terminal node, 1 is first (CONVENTIONS 5). Other nodes: anything, not shown.
    fn ranking(&self, state: &Self::State) -> ByPlayer<u8>;

    /// The scores line by line, adding up to [`Game::scores`] at terminal nodes (before: to what is scored so far).
    fn score_sheet(&self, state: &Self::State) -> Vec<ScoreLine>;

    /// Returns at a terminal node, exact.
    fn exact_returns(&self, state: &Self::State) -> ByPlayer<Fraction> {
        returns_of_ranking(&self.ranking(state))
    }

    /// Returns at a terminal node, in [-1, 1].
    fn returns(&self, state: &Self::State) -> ByPlayer<f32> {
        self.exact_returns(state).into_iter().map(Fraction::to_f32).collect()
    }

    /// What each seat adds to its total in a series (lowest total wins), if the rules have a series.
    fn series_total(&self, _state: &Self::State) -> Option<ByPlayer<i32>> {
        None
    }

    // ---- What a seat knows ----------------------------------------------------------------------------------------------

    /// What `player` may know now.
    fn observation(&self, state: &Self::State, player: Player) -> Self::Observation;

    /// The seat an observation belongs to.
    fn observer(&self, observation: &Self::Observation) -> Player;

    /// What `viewer` learns from `step` taken at `before`, injective among the steps possible there.
    fn observed(&self, before: &Self::State, step: StepOf<Self>, viewer: Player) -> Observed;

    /// Text of what was learnt, for histories.
    fn format_observed(&self, observed: Observed) -> String;

    /// Draws a full state that fits, uniformly over the worlds the rule page calls equally likely. Same node, phase, seat and ply.
    fn sample_world(&self, observation: &Self::Observation, rng: &mut Rng) -> Self::State;

    // ---- JSON -----------------------------------------------------------------------------------------------------------

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
    /// As [`Game::state_from_json`]; also if it shows what the seat may not know.
    fn observation_from_json(&self, value: &Value, player: Player) -> Result<Self::Observation, StateError>;

    /// Begins from a position object, where the rule page has them (FC-4.3, DC-9.5).
    ///
    /// # Errors
    /// If it is refused by the page, or the game has no positions.
    fn state_from_position(&self, _position: &Value) -> Result<Self::State, StateError> {
        Err(StateError::new("position", "a position", format!("no position: {} has none", Self::INFO.title)))
    }

    // ---- Numbers and pictures -------------------------------------------------------------------------------------------

    /// The blocks of an encoded observation, seats ordered from the viewer clockwise.
    fn observation_layout(&self) -> &Layout;

    /// Writes all values of the layout; `out` has its size and holds zeros.
    fn encode(&self, observation: &Self::Observation, out: &mut [f32]);

    /// Draws what the seat sees. Two observations that differ never draw the same plain text.
    fn draw(&self, observation: &Self::Observation, request: &DrawRequest<'_, Self::Action>, canvas: &mut Canvas);

    /// The same rules with another size of the observation window, where a game's board has no fixed size.
    ///
    /// # Errors
    /// If the game has no window, or the size is out of range.
    fn with_window(self, _window: usize) -> Result<Self, OptionsError> {
        Err(OptionsError::new("window", "a size", format!("no window: {} has a board of fixed size", Self::INFO.title)))
    }

    /// The colours of its seats and terrains.
    fn palette(&self) -> &'static Palette {
        &Palette::DEFAULT
    }

    /// Draws every tile, card or board of the component set with its count.
    fn draw_components(&self, canvas: &mut Canvas);

    /// A short word that groups actions in a list: the square, or the verb.
    fn action_group(&self, action: Self::Action) -> String {
        let text = self.format_action(action);
        text.split(' ').next().unwrap_or_default().to_owned()
    }

    /// Whether `text` names a square of the game, wherever it may lie, in the way a person types it.
    fn is_square(&self, _text: &str) -> bool {
        false
    }

    /// The one action that `text`, a non-canonical form, can mean for a person who sees `observation` (another rotation that shows
    /// the same face, two squares the wrong way round). Not asked for canonical forms; the caller checks legality.
    fn interpret(&self, _observation: &Self::Observation, _text: &str) -> Option<Self::Action> {
        None
    }

    // ---- Judgement ------------------------------------------------------------------------------------------------------

    /// How good the position is for `player`, in points of the game, defined at every node. Must not use what is hidden from the
    /// seat to move: hidden draws lie in its future. Equal states are judged equal to the last bit, or searches would not repeat.
    /// Documented in the game's README.
    fn evaluate(&self, state: &Self::State, player: Player) -> f64;

    /// How good each of `actions`, all legal, looks to `player`, who decides at `state`: it guides search below the root, where each
    /// action is evaluated in full, and greedy rollouts. Higher is better and only differences count, in points of the game. Appends
    /// one finite value for each action; must not use what is hidden from the seat. This is [`Game::evaluate`] after each action,
    /// results first; a game where that is slow may estimate without it, documented in its README.
    fn appraise(&self, state: &Self::State, player: Player, actions: &[Self::Action], values: &mut Vec<f64>) {
        evaluate_after_each(self, state, player, actions, values);
    }

    /// Settings that mcts and ismcts start from in this game with so many seats where they differ from the general defaults, `key=value,key=value` in
    /// canonical form: measured, the table is in `docs/search.md`.
    #[must_use]
    fn search_defaults(_players: usize) -> &'static str {
        ""
    }

    /// The agents behind the levels `novice`, `amateur`, `expert` and `master`, as specs.
    #[must_use]
    fn levels() -> [&'static str; 4] {
        ["flat:simulations=30", "greedy", "ismcts:simulations=500", "ismcts:simulations=4000"]
    }

    /// Checks the invariants of the rule page, recomputing from scratch what the engine keeps incrementally. Slow, for tests.
    ///
    /// # Errors
    /// The first invariant broken, with its number.
    fn check_invariants(&self, state: &Self::State) -> Result<(), String>;

    // ---- Provided -------------------------------------------------------------------------------------------------------

    /// Why `outcome` cannot be drawn now.
    ///
    /// # Errors
    /// If it cannot.
    fn check_outcome(&self, state: &Self::State, outcome: Self::Outcome) -> Result<(), Refusal> {
        let mut outcomes = Vec::new();
        self.chance_outcomes(state, &mut outcomes);
        if outcomes.iter().any(|&(possible, _)| possible == outcome) {
            Ok(())
        } else if outcomes.is_empty() {
            Err(Refusal::new("CONVENTIONS 2", "this is no chance node"))
        } else {
            Err(Refusal::new("CONVENTIONS 2", format!("no {} is left to be drawn", self.format_outcome(outcome))))
        }
    }

    /// Checks a step, then applies it; on an error the state is unchanged.
    ///
    /// # Errors
    /// If the step is not legal.
    fn play<E: EventSink>(&self, state: &mut Self::State, step: StepOf<Self>, events: &mut E) -> Result<(), IllegalAction> {
        match step {
            Step::Action(action) => self
                .check_action(state, action)
                .map(|()| self.apply_action(state, action, events))
                .map_err(|refusal| IllegalAction::new(self.format_action(action), refusal)),
            Step::Outcome(outcome) => self
                .check_outcome(state, outcome)
                .map(|()| self.apply_outcome(state, outcome, events))
                .map_err(|refusal| IllegalAction::new(self.format_outcome(outcome), refusal)),
        }
    }

    /// Applies a step without checks or events.
    fn apply(&self, state: &mut Self::State, step: StepOf<Self>) {
        match step {
            Step::Action(action) => self.apply_action(state, action, &mut NoEvents),
            Step::Outcome(outcome) => self.apply_outcome(state, outcome, &mut NoEvents),
        }
    }

    /// Whether the game has ended.
    fn is_terminal(&self, state: &Self::State) -> bool {
        self.turn(state) == Turn::Over
    }

    /// Notation of a step.
    fn format_step(&self, step: StepOf<Self>) -> String {
        match step {
            Step::Action(action) => self.format_action(action),
            Step::Outcome(outcome) => self.format_outcome(outcome),
        }
    }

    /// Reads a step: an outcome at chance nodes, an action elsewhere.
    ///
    /// # Errors
    /// If the text is no notation.
    fn parse_step(&self, state: &Self::State, text: &str) -> Result<StepOf<Self>, ParseActionError> {
        match self.turn(state) {
            Turn::Chance => self.parse_outcome(text).map(Step::Outcome),
            Turn::Player(_) | Turn::Over => self.parse_action(text).map(Step::Action),
        }
    }

    /// A fingerprint of the action ids: name, layout version, options and component shape. Data sets and checkpoints store it.
    fn action_space(&self) -> String {
        let text = format!(
            "{} {} players={} actions={} outcomes={} {}",
            Self::INFO.name,
            Self::INFO.layout_version,
            self.num_players(),
            self.num_actions(),
            self.num_outcomes(),
            self.action_layout()
        );
        format!("{}-{}-{:016x}", Self::INFO.name, Self::INFO.layout_version, portable_hash(text.as_bytes()))
    }

    /// A 64-bit key of the whole state, the same on every platform; costs as much as its JSON.
    fn key(&self, state: &Self::State) -> u64 {
        portable_hash(self.state_to_json(state).to_string().as_bytes())
    }
}

/// What [`Game::appraise`] does unless a game overrides it, for overrides that leave some positions to it.
pub fn evaluate_after_each<G: Game>(game: &G, state: &G::State, player: Player, actions: &[G::Action], values: &mut Vec<f64>) {
    let mut next = state.clone();
    for &action in actions {
        next.clone_from(state);
        game.apply_action(&mut next, action, &mut NoEvents);
        values.push(crate::search::judge(game, &next, game.turn(&next), player));
    }
}

/// The first keys of every state object (CONVENTIONS 6).
#[must_use]
pub fn state_header<G: Game>(game: &G, ply: u32, turn: Turn, phase: &str) -> Map<String, Value> {
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
    /// Index in [`Info::phases`].
    pub phase: usize,
}

/// Reads and checks the keys of [`state_header`] against `game`; the caller goes on with the rest and calls `finish`.
///
/// # Errors
/// If one is missing, of another type, or of another game.
pub fn read_state_header<G: Game>(game: &G, fields: &mut crate::data::Fields<'_>) -> Result<StateHeader, DataError> {
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
