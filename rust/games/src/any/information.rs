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

use super::objects::{AnyInformation, AnyObservation, AnyState, InformationObject, ObservationObject};
use super::search::{search_all, search_in};
use super::step::read_action;
use super::values::{AnySession, Picture};

/// An observation with the game it belongs to.
#[derive(Clone, Debug)]
pub struct Seen<G: Game> {
    /// The rules.
    pub game: Arc<G>,
    /// What the seat perceives.
    pub observation: G::Observation,
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
