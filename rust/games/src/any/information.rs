//! What seats see and know.

use std::any::Any;
use std::fmt::Debug;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use forbidden_games_core::canvas::Canvas;
use forbidden_games_core::contract::{DrawRequest, Game, Observed};
use forbidden_games_core::encoding::TooWide;
use forbidden_games_core::error::ParseActionError;
use forbidden_games_core::information::InformationState;
use forbidden_games_core::interrupt::Interrupt;
use forbidden_games_core::player::Player;
use forbidden_games_core::position::Position;
use forbidden_games_core::rng::Rng;
use forbidden_games_core::search::{self, AgentSpec, Evaluator, Report, SearchError};
use serde_json::Value;

use super::search::{search_all, search_in};
use super::step::read_action;
use super::{AnySession, AnyState};

/// What a seat of any game perceives, with its game.
pub type AnyObservation = Box<dyn ObservationObject>;

/// What a seat of any game knows, with its game.
pub type AnyInformation = Box<dyn InformationObject>;

/// An observation with the game it belongs to.
#[derive(Clone, Debug)]
pub struct Seen<G: Game> {
    /// The rules.
    pub game: Arc<G>,
    /// What the seat perceives.
    pub observation: G::Observation,
}

/// How an observation is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    /// Ids of the actions whose targets are marked.
    pub legal: &'a [u32],
    /// Id of the last action, marked.
    pub last: Option<u32>,
    /// Columns to stay within; raised to 60 if less.
    pub width: usize,
    /// Where to look.
    pub focus: Option<&'a str>,
    /// Whether to add ANSI colours.
    pub color: bool,
    /// Whether to keep to ASCII.
    pub ascii: bool,
}

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

impl<G: Game> ObservationObject for Seen<G> {
    fn is_equal(&self, other: &dyn ObservationObject) -> bool {
        (other as &dyn Any).downcast_ref::<Self>().is_some_and(|other| other.observation == self.observation)
    }

    fn player(&self) -> Player {
        self.game.observer(&self.observation)
    }

    fn encode(&self, out: &mut [f32]) {
        self.game.encode(&self.observation, out);
    }

    fn encode_u8(&self, out: &mut [u8]) -> Result<(), TooWide> {
        self.game.encode_u8(&self.observation, out)
    }

    fn to_json(&self) -> Value {
        self.game.observation_to_json(&self.observation)
    }

    fn write_bytes(&self, out: &mut Vec<u8>) {
        self.game.write_observation_bytes(&self.observation, out);
    }

    fn key(&self) -> u64 {
        self.game.observation_key(&self.observation)
    }

    fn draw(&self, picture: &Picture<'_>) -> Result<String, ParseActionError> {
        draw(&*self.game, &self.observation, picture)
    }

    fn information(&self) -> AnyInformation {
        Box::new(InformationState::of_observation(&self.game, self.observation.clone()))
    }
}

impl PartialEq for dyn ObservationObject {
    fn eq(&self, other: &Self) -> bool {
        self.is_equal(other)
    }
}

impl Eq for dyn ObservationObject {}

/// By the key, which follows from what equality compares.
impl Hash for dyn ObservationObject {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.key());
    }
}

fn draw<G: Game>(game: &G, observation: &G::Observation, picture: &Picture<'_>) -> Result<String, ParseActionError> {
    let mut canvas = Canvas::with_palette(game.palette());
    let legal = picture.legal.iter().map(|&id| read_action(game, id)).collect::<Result<Vec<_>, _>>()?;
    let last = picture.last.map(|id| read_action(game, id)).transpose()?;
    let request = DrawRequest { legal: &legal, last, width: picture.width.max(60), focus: picture.focus };
    game.draw(observation, &request, &mut canvas);
    Ok(canvas.to_text(picture.color, picture.ascii))
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

    /// See [`search::search`].
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
    /// As [`search::search`].
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

impl<G: Game> InformationObject for InformationState<G> {
    fn is_equal(&self, other: &dyn InformationObject) -> bool {
        let is_same = |other: &Self| self.observation == other.observation && self.history == other.history;
        (other as &dyn Any).downcast_ref::<Self>().is_some_and(is_same)
    }

    fn player(&self) -> Player {
        self.player()
    }

    fn observation(&self) -> AnyObservation {
        Box::new(Seen { game: Arc::clone(&self.game), observation: self.observation.clone() })
    }

    fn legal_actions(&self) -> Vec<u32> {
        self.legal_actions.iter().map(|&action| self.game.action_id(action)).collect()
    }

    fn num_legal(&self) -> usize {
        self.legal_actions.len()
    }

    fn history(&self) -> Vec<String> {
        self.history.iter().map(|&seen| self.game.format_observed(seen)).collect()
    }

    fn history_numbers(&self) -> Vec<u64> {
        self.history.iter().map(|seen| seen.0).collect()
    }

    fn with_history(&self, numbers: &[u64]) -> AnyInformation {
        Box::new(Self { history: numbers.iter().map(|&number| Observed(number)).collect(), ..self.clone() })
    }

    fn key(&self) -> u64 {
        self.key()
    }

    fn text(&self) -> String {
        self.text()
    }

    fn sample_world(&self, seed: u64, index: u64) -> AnyState {
        let state = self.sample_world(&mut Rng::stream(seed, "world", index));
        Box::new(Position { game: Arc::clone(&self.game), state })
    }

    fn interpret(&self, text: &str) -> Option<u32> {
        let is_legal = |action: &_| self.legal_actions.binary_search(action).is_ok();
        let written = self.game.parse_action(text).ok().filter(is_legal);
        written.or_else(|| self.game.interpret(&self.observation, text).filter(is_legal)).map(|action| self.game.action_id(action))
    }

    fn search(
        &self,
        spec: &AgentSpec,
        seed: u64,
        evaluator: Option<&mut dyn Evaluator>,
        interrupt: &Interrupt,
    ) -> Result<Report, SearchError> {
        search::search(spec, self, seed, evaluator, interrupt)
    }

    fn search_in(
        &self,
        session: &mut Option<AnySession>,
        spec: &AgentSpec,
        seed: u64,
        evaluator: Option<&mut dyn Evaluator>,
        interrupt: &Interrupt,
    ) -> Result<Report, SearchError> {
        search_in(self, session, spec, seed, evaluator, interrupt)
    }

    fn search_batch(
        &self,
        spec: &AgentSpec,
        roots: &[&dyn InformationObject],
        seeds: &[u64],
        evaluator: Option<&mut dyn Evaluator>,
        interrupt: &Interrupt,
    ) -> Result<Vec<Report>, SearchError> {
        search_all::<G>(spec, roots, seeds, evaluator, interrupt)
    }
}

impl PartialEq for dyn InformationObject {
    fn eq(&self, other: &Self) -> bool {
        self.is_equal(other)
    }
}

impl Eq for dyn InformationObject {}
