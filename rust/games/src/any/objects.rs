//! What can be asked of a value whose game is known at run time only: one object-safe trait for each class.

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

use forbidden_games_core::contract::{Info, Step};
use forbidden_games_core::encoding::{Block, TooWide};
use forbidden_games_core::error::{NotOver, OptionsError, ParseActionError, RecordError, StateError};
use forbidden_games_core::event::Event;
use forbidden_games_core::interrupt::{Interrupt, Interrupted};
use forbidden_games_core::options::Options;
use forbidden_games_core::outcome::ScoreLine;
use forbidden_games_core::player::{ByPlayer, Player, Turn};
use forbidden_games_core::record::Record;
use forbidden_games_core::search::{AgentSpec, AgentSpecError, Evaluator, Report, SearchError};
use forbidden_games_core::start::Start;
use forbidden_games_core::vector::{Arrays, Config, Reset, SparseRows, VectorError};
use serde_json::Value;

use super::step::{AnyStep, StepError};
use super::values::{AnySession, Ids, Picture, Replayed, Stopped};

/// Any game with players, options and components.
pub type AnyGame = Arc<dyn GameObject>;

/// What can be asked of a game that is known at run time only.
pub trait GameObject: Any + Debug + Send + Sync {
    /// What is known of it before options.
    fn info(&self) -> &'static Info;

    /// Number of seats.
    fn num_players(&self) -> usize;

    /// The full options object.
    fn options(&self) -> Options;

    /// The name of a built-in set, or a user's set whole.
    fn components(&self) -> Value;

    /// Size of the action space.
    fn num_actions(&self) -> usize;

    /// Size of the outcome space.
    fn num_outcomes(&self) -> usize;

    /// Upper bound of decisions from the ordinary start.
    fn max_plies(&self) -> usize;

    /// Upper bound of chance nodes from the ordinary start.
    fn max_chance_nodes(&self) -> usize;

    /// Whether the returns of all seats add up to 0.
    fn is_zero_sum(&self) -> bool;

    /// The fingerprint of the action ids.
    fn action_space(&self) -> String;

    /// The blocks of an encoded observation.
    fn observation_blocks(&self) -> Vec<Block>;

    /// Number of values of an encoded observation.
    fn observation_size(&self) -> usize;

    /// Checks that `id` is an action.
    ///
    /// # Errors
    /// If it is out of range.
    fn check_action_id(&self, id: u32) -> Result<(), ParseActionError>;

    /// Checks that `id` is an outcome.
    ///
    /// # Errors
    /// If it is out of range.
    fn check_outcome_id(&self, id: u32) -> Result<(), ParseActionError>;

    /// Reads the notation of an action.
    ///
    /// # Errors
    /// If it is none.
    fn parse_action(&self, text: &str) -> Result<u32, ParseActionError>;

    /// Reads the notation of an outcome.
    ///
    /// # Errors
    /// If it is none.
    fn parse_outcome(&self, text: &str) -> Result<u32, ParseActionError>;

    /// The notation of the action with this id.
    ///
    /// # Errors
    /// If it is out of range.
    fn format_action(&self, id: u32) -> Result<String, ParseActionError>;

    /// The notation of the outcome with this id.
    ///
    /// # Errors
    /// If it is out of range.
    fn format_outcome(&self, id: u32) -> Result<String, ParseActionError>;

    /// The word that groups the action in a list.
    ///
    /// # Errors
    /// If it is out of range.
    fn action_group(&self, id: u32) -> Result<String, ParseActionError>;

    /// The ordinary start.
    fn new_state(&self) -> AnyState;

    /// Reads and checks a whole state.
    ///
    /// # Errors
    /// If it is damaged or impossible.
    fn state_from_json(&self, value: &Value) -> Result<AnyState, StateError>;

    /// Reads a whole state as bytes.
    ///
    /// # Errors
    /// If they are damaged.
    fn state_from_bytes(&self, bytes: &[u8]) -> Result<AnyState, StateError>;

    /// Begins from a position object.
    ///
    /// # Errors
    /// If it is refused, or the game has no positions.
    fn state_from_position(&self, value: &Value) -> Result<AnyState, StateError>;

    /// Reads and checks what `player` sees; the history is empty.
    ///
    /// # Errors
    /// If it is damaged, impossible, or shows what the seat may not know.
    fn information_from_json(&self, value: &Value, player: Player) -> Result<AnyInformation, StateError>;

    /// Reads what a seat sees as bytes.
    ///
    /// # Errors
    /// If they are damaged.
    fn observation_from_bytes(&self, bytes: &[u8]) -> Result<AnyObservation, StateError>;

    /// A match that may stand at a chance node: go on with `resolve_chance` or `play`.
    ///
    /// # Errors
    /// If the position or state is refused.
    fn new_match(&self, start: Start, seed: u64) -> Result<AnyMatch, StateError>;

    /// The match of a record, at its end; also the first error, if what stands before it is wanted anyway.
    ///
    /// # Errors
    /// If the header does not fit the game.
    fn match_from_record(&self, record: &Record) -> Result<(AnyMatch, Option<RecordError>), RecordError>;

    /// The match of a record as it stood, with no draw made after the last step.
    ///
    /// # Errors
    /// If the record does not fit the game or does not follow its rules.
    fn restored_match(&self, record: &Record) -> Result<AnyMatch, RecordError>;

    /// Games side by side, not yet shown; agents by level are those of this game.
    ///
    /// # Errors
    /// If the settings do not fit the game.
    fn new_vector(&self, num_rows: usize, seed: u64, config: Config) -> Result<AnyVector, OptionsError>;

    /// A row for each position of these games.
    ///
    /// # Errors
    /// The first action that is none or not legal, with the place of its game.
    fn replay(&self, games: &[Replayed], threads: usize) -> Result<AnyVector, (usize, StepError)>;

    /// Whether `text` names a square.
    fn is_square(&self, text: &str) -> bool;

    /// Draws the component set.
    fn draw_components(&self, color: bool, ascii: bool) -> String;

    /// A level replaced by the agent it stands for in this game; other agents as they are.
    ///
    /// # Errors
    /// If a setting was given that the agent behind the level does not take.
    fn resolve(&self, spec: &AgentSpec) -> Result<AgentSpec, AgentSpecError>;

    /// Settings that `mcts` and `ismcts` start from in this game with so many seats, `key=value,key=value`.
    fn search_defaults(&self) -> &'static str;

    /// The lines of CONVENTIONS 7 of a match with this seed between `agents`, one for each seat, each given to `write`.
    ///
    /// # Errors
    /// If the start is refused or an agent fails.
    ///
    /// # Panics
    /// If there are not as many agents as seats.
    fn playthrough(
        &self,
        start: Start,
        seed: u64,
        agents: &[AgentSpec],
        interrupt: &Interrupt,
        write: &mut dyn FnMut(String),
    ) -> Result<(), Stopped>;

    /// A report as data; actions carry their notation.
    fn report_to_json(&self, report: &Report) -> Value;

    /// Plays one game under `seed` and checks what the contract promises.
    ///
    /// # Errors
    /// The first promise broken, in words; also if `interrupt` is set before the end.
    #[cfg(feature = "testing")]
    fn check(&self, seed: u64, interrupt: &Interrupt) -> Result<(), String>;
}

/// A state of any game, with its game.
pub type AnyState = Box<dyn StateObject>;

/// What can be asked of a state whose game is known at run time only.
pub trait StateObject: Any + Debug + Send + Sync {
    /// A copy.
    fn boxed(&self) -> AnyState;

    /// Whether `other` is an equal state of the same game; options are not compared.
    fn is_equal(&self, other: &dyn StateObject) -> bool;

    /// Whose decision it is.
    fn turn(&self) -> Turn;

    /// What is being decided.
    fn phase(&self) -> &'static str;

    /// Decisions so far.
    fn ply(&self) -> u32;

    /// Number of legal actions.
    fn num_legal(&self) -> usize;

    /// The id of the legal action at `index`, if there are so many.
    fn nth_legal(&self, index: usize) -> Option<u32>;

    /// Whether the action with this id is legal.
    fn is_legal(&self, id: u32) -> bool;

    /// Ids of all legal actions, ascending.
    fn legal_actions(&self) -> Vec<u32>;

    /// Calls `take` with each of them.
    fn for_each_legal_id(&self, take: &mut Ids<'_>);

    /// Ids of all outcomes with their weights, ascending.
    fn chance_outcomes(&self) -> Vec<(u32, u32)>;

    /// The 64-bit key among the states of its game.
    fn key(&self) -> u64;

    /// The whole state as JSON.
    fn to_json(&self) -> Value;

    /// The whole state as bytes.
    fn write_bytes(&self, out: &mut Vec<u8>);

    /// Why a step cannot be taken.
    ///
    /// # Errors
    /// If it cannot.
    fn check(&self, step: AnyStep<'_>) -> Result<(), StepError>;

    /// Refuses what `player` may not ask for now, before anything else about the step is looked at.
    ///
    /// # Errors
    /// If it is not its turn. The reason does not depend on the step.
    fn check_asker(&self, player: Player, step: AnyStep<'_>) -> Result<(), StepError>;

    /// The state after a step; this one stays.
    ///
    /// # Errors
    /// If it is no step or not legal.
    fn child(&self, step: AnyStep<'_>) -> Result<AnyState, StepError>;

    /// As [`StateObject::child`], with what happened.
    ///
    /// # Errors
    /// If it is no step or not legal.
    fn child_with_events(&self, step: AnyStep<'_>) -> Result<(AnyState, Vec<Event>), StepError>;

    /// The next decision or the end. The k-th chance node from ply p draws from `Rng::stream(seed, "chance", p << 32 | k)`: a match
    /// with this seed has the same set-up draws, and later states do not meet the same numbers again.
    fn resolve_chance(&self, seed: u64) -> AnyState;

    /// Points so far.
    fn scores(&self) -> ByPlayer<i32>;

    /// Places.
    ///
    /// # Errors
    /// Before the end.
    fn ranking(&self) -> Result<ByPlayer<u8>, NotOver>;

    /// Returns.
    ///
    /// # Errors
    /// Before the end.
    fn returns(&self) -> Result<ByPlayer<f64>, NotOver>;

    /// The scores line by line.
    fn score_sheet(&self) -> Vec<ScoreLine>;

    /// What each seat adds to its total in a series.
    fn series_total(&self) -> Option<ByPlayer<i32>>;

    /// What `player` perceives.
    fn observation(&self, player: Player) -> AnyObservation;

    /// Writes what `player` perceives as float32; `out` has the size of the layout and holds zeros.
    fn encode(&self, player: Player, out: &mut [f32]);

    /// The same as raw numbers.
    ///
    /// # Errors
    /// If a block has greater numbers.
    fn encode_u8(&self, player: Player, out: &mut [u8]) -> Result<(), TooWide>;

    /// What `player` knows, with an empty history.
    fn information(&self, player: Player) -> AnyInformation;

    /// The game's evaluation for `player`, in points.
    fn evaluate(&self, player: Player) -> f64;

    /// Checks the invariants of the rule page. Slow, for tests.
    ///
    /// # Errors
    /// The first one broken, with its number.
    fn check_invariants(&self) -> Result<(), String>;

    /// See [`forbidden_games_core::perft::perft`].
    ///
    /// # Errors
    /// If interrupted.
    fn perft(&self, depth: u32, interrupt: &Interrupt) -> Result<u64, Interrupted>;

    /// See [`forbidden_games_core::perft::perft_divide`]; ids with counts.
    ///
    /// # Errors
    /// If interrupted.
    fn perft_divide(&self, depth: u32, interrupt: &Interrupt) -> Result<Vec<(u32, u64)>, Interrupted>;

    /// Returns of random games `start..start + count`, `num_players` numbers each (see [`forbidden_games_core::batch::rollouts_from`]).
    ///
    /// # Errors
    /// If interrupted.
    fn rollouts(&self, start: u64, count: usize, seed: u64, threads: usize, interrupt: &Interrupt)
    -> Result<Vec<f32>, Interrupted>;
}

/// What a seat of any game perceives, with its game.
pub type AnyObservation = Box<dyn ObservationObject>;

/// What a seat of any game knows, with its game.
pub type AnyInformation = Box<dyn InformationObject>;

/// What can be asked of an observation whose game is known at run time only.
pub trait ObservationObject: Any + Debug + Send + Sync {
    /// Whether `other` is an equal observation of the same game; options are not compared.
    fn is_equal(&self, other: &dyn ObservationObject) -> bool;

    /// The seat.
    fn player(&self) -> Player;

    /// Writes the tensor; `out` has its size and holds zeros.
    fn encode(&self, out: &mut [f32]);

    /// The same as raw numbers.
    ///
    /// # Errors
    /// If a block has greater numbers.
    fn encode_u8(&self, out: &mut [u8]) -> Result<(), TooWide>;

    /// The state's JSON with `null` for what the seat may not know.
    fn to_json(&self) -> Value;

    /// All of it as bytes.
    fn write_bytes(&self, out: &mut Vec<u8>);

    /// The 64-bit key among the observations of its game.
    fn key(&self) -> u64;

    /// Draws it.
    ///
    /// # Errors
    /// If an id is out of range.
    fn draw(&self, picture: &Picture<'_>) -> Result<String, ParseActionError>;

    /// What the seat knows by it, with an empty history.
    fn information(&self) -> AnyInformation;
}

/// What can be asked of an information state whose game is known at run time only.
pub trait InformationObject: Any + Debug + Send + Sync {
    /// Whether `other` has an equal observation and history in the same game; options are not compared.
    fn is_equal(&self, other: &dyn InformationObject) -> bool;

    /// The seat.
    fn player(&self) -> Player;

    /// What the seat perceives now.
    fn observation(&self) -> AnyObservation;

    /// Ids of its legal actions, ascending; empty if it is not to move.
    fn legal_actions(&self) -> Vec<u32>;

    /// Number of its legal actions.
    fn num_legal(&self) -> usize;

    /// What the seat saw, step by step, in words.
    fn history(&self) -> Vec<String>;

    /// The same as numbers, for storing.
    fn history_numbers(&self) -> Vec<u64>;

    /// The same knowledge with another history.
    fn with_history(&self, numbers: &[u64]) -> AnyInformation;

    /// The 64-bit key of observation and history.
    fn key(&self) -> u64;

    /// Everything the seat has learnt, as text.
    fn text(&self) -> String;

    /// The `index`-th world drawn under `seed`.
    fn sample_world(&self, seed: u64, index: u64) -> AnyState;

    /// Id of the one legal action that `text` means, canonical or not.
    fn interpret(&self, text: &str) -> Option<u32>;

    /// See [`forbidden_games_core::search::search`].
    ///
    /// # Errors
    /// As there.
    fn search(
        &self,
        spec: &AgentSpec,
        seed: u64,
        evaluator: Option<&mut dyn Evaluator>,
        interrupt: &Interrupt,
    ) -> Result<Report, SearchError>;

    /// Searches within a session, which is begun anew if there is none or it is of another game.
    ///
    /// # Errors
    /// As [`forbidden_games_core::search::search`].
    fn search_in(
        &self,
        session: &mut Option<AnySession>,
        spec: &AgentSpec,
        seed: u64,
        evaluator: Option<&mut dyn Evaluator>,
        interrupt: &Interrupt,
    ) -> Result<Report, SearchError>;

    /// See [`super::search_batch`]: this one is the first of `roots`.
    ///
    /// # Errors
    /// As there.
    ///
    /// # Panics
    /// If the roots are not all of one game, or there are not as many seeds as roots.
    fn search_batch(
        &self,
        spec: &AgentSpec,
        roots: &[&dyn InformationObject],
        seeds: &[u64],
        evaluator: Option<&mut dyn Evaluator>,
        interrupt: &Interrupt,
    ) -> Result<Vec<Report>, SearchError>;
}

/// The legal actions of a match at one moment, in the form that costs least.
#[derive(Debug)]
pub enum AnyLegal {
    /// Few: their ids, ascending.
    Ids(Vec<u32>),
    /// Many: the state, which can pick them, and their number.
    State(AnyState, usize),
}

/// A match of any game.
pub type AnyMatch = Box<dyn MatchObject>;

/// What can be asked of a match whose game is known at run time only. What it says of the state now is asked of
/// [`MatchObject::position`], which copies nothing.
pub trait MatchObject: Any + Debug + Send {
    /// A copy.
    fn boxed(&self) -> AnyMatch;

    /// The state now, in place.
    fn position(&self) -> &dyn StateObject;

    /// The legal actions now.
    fn legal_actions(&mut self) -> AnyLegal;

    /// The seed of its luck.
    fn seed(&self) -> u64;

    /// Where it began.
    fn start(&self) -> Start;

    /// Who sits where.
    fn seats(&self) -> Vec<String>;

    /// Names the seats.
    ///
    /// # Errors
    /// If it is not one name a seat, or a name is no short line.
    fn set_seats(&mut self, seats: Vec<String>) -> Result<(), OptionsError>;

    /// Plays a step; `resolve` then draws up to the next decision.
    ///
    /// # Errors
    /// If it is no step or not legal; nothing has changed then.
    fn play(&mut self, step: AnyStep<'_>, resolve: bool) -> Result<(), StepError>;

    /// Draws up to the next decision.
    fn resolve_chance(&mut self);

    /// Goes back to the last decision (of `player`); whether there was one.
    fn undo(&mut self, player: Option<Player>) -> bool;

    /// What the last action and the draws after it brought about.
    fn events(&self) -> Vec<Event>;

    /// What happened from step `step` of the history on.
    fn events_from(&self, step: usize) -> Vec<Event>;

    /// All steps so far by id.
    fn history(&self) -> Vec<Step<u32, u32>>;

    /// Id of the last action.
    fn last_action(&self) -> Option<u32>;

    /// What `player` knows, with everything it has seen.
    fn information(&self, player: Player) -> AnyInformation;

    /// The record up to now.
    fn record(&self) -> Record;

    /// Lets `agents`, one for each seat, play to the end.
    ///
    /// # Errors
    /// The first error of an agent, and if interrupted.
    ///
    /// # Panics
    /// If there are not as many agents as seats.
    fn play_on(&mut self, agents: &[AgentSpec], interrupt: &Interrupt) -> Result<(), SearchError>;
}

/// Games side by side whose kind is known at run time only.
pub type AnyVector = Box<dyn VectorObject>;

/// What can be asked of games side by side. One call is for all rows; rows are numbers below the length.
pub trait VectorObject: Any + Debug + Send {
    /// A copy, which has been shown nowhere and has no threads.
    fn boxed(&self) -> AnyVector;

    /// Number of rows.
    fn num_rows(&self) -> usize;

    /// See [`forbidden_games_core::vector::Vector::show`].
    ///
    /// # Errors
    /// As there.
    fn show(&mut self, arrays: &Arrays<'_>, interrupt: &Interrupt) -> Result<(), VectorError>;

    /// See [`forbidden_games_core::vector::Vector::step`].
    ///
    /// # Errors
    /// As there.
    fn step(&mut self, actions: &[i64], arrays: &Arrays<'_>, interrupt: &Interrupt) -> Result<(), VectorError>;

    /// See [`forbidden_games_core::vector::Vector::reset`].
    ///
    /// # Errors
    /// As there.
    fn reset(&mut self, reset: &Reset<'_>, arrays: &Arrays<'_>, interrupt: &Interrupt) -> Result<(), VectorError>;

    /// See [`forbidden_games_core::vector::Vector::sample`].
    fn sample(&mut self, seed: u64, out: &mut [i64]);

    /// See [`forbidden_games_core::vector::Vector::sparse`].
    fn sparse(&mut self, with_observations: bool) -> SparseRows;

    /// The match of a row.
    fn row(&self, row: usize) -> &dyn MatchObject;

    /// Ids of a row's legal actions, ascending.
    fn legal_ids(&mut self, row: usize) -> Vec<u32>;

    /// See [`forbidden_games_core::vector::Vector::close`].
    fn close(&mut self);

    /// See [`forbidden_games_core::vector::Vector::forget_threads`].
    fn forget_threads(&mut self);
}
