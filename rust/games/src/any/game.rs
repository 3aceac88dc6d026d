//! Games.

use std::fmt::Debug;
use std::sync::Arc;

use forbidden_games_core::bytes::ByteReader;
use forbidden_games_core::canvas::Canvas;
use forbidden_games_core::contract::{Game, Info};
use forbidden_games_core::encoding::Block;
use forbidden_games_core::error::{OptionsError, ParseActionError, RecordError, StateError};
use forbidden_games_core::information::InformationState;
use forbidden_games_core::interrupt::Interrupt;
use forbidden_games_core::match_play::Match;
use forbidden_games_core::options::Options;
use forbidden_games_core::player::Player;
use forbidden_games_core::position::Position;
use forbidden_games_core::record::Record;
use forbidden_games_core::search::{AgentSpec, AgentSpecError, Report};
use forbidden_games_core::start::Start;
use forbidden_games_core::vector::Config;
use serde_json::Value;

use super::information::Seen;
use super::objects::{AnyInformation, AnyMatch, AnyObservation, AnyState, AnyVector, GameObject};
use super::search::playthrough;
use super::state;
use super::step::{StepError, read_action, read_outcome};
use super::values::{Replayed, Stopped};
use super::vector;

/// The rules of one game, shared by everything that belongs to it.
#[derive(Clone, Debug)]
pub struct Loaded<G: Game>(pub Arc<G>);

impl<G: Game> GameObject for Loaded<G> {
    fn info(&self) -> &'static Info {
        G::INFO
    }

    fn num_players(&self) -> usize {
        self.0.num_players()
    }

    fn options(&self) -> Options {
        self.0.options()
    }

    fn components(&self) -> Value {
        self.0.components()
    }

    fn num_actions(&self) -> usize {
        self.0.num_actions()
    }

    fn num_outcomes(&self) -> usize {
        self.0.num_outcomes()
    }

    fn max_plies(&self) -> usize {
        self.0.max_plies()
    }

    fn is_zero_sum(&self) -> bool {
        self.0.is_zero_sum()
    }

    fn max_chance_nodes(&self) -> usize {
        self.0.max_chance_nodes()
    }

    fn action_space(&self) -> String {
        self.0.action_space()
    }

    fn observation_blocks(&self) -> Vec<Block> {
        self.0.observation_layout().blocks().to_vec()
    }

    fn observation_size(&self) -> usize {
        self.0.observation_layout().size()
    }

    fn check_action_id(&self, id: u32) -> Result<(), ParseActionError> {
        read_action(&*self.0, id).map(|_| ())
    }

    fn check_outcome_id(&self, id: u32) -> Result<(), ParseActionError> {
        read_outcome(&*self.0, id).map(|_| ())
    }

    fn parse_action(&self, text: &str) -> Result<u32, ParseActionError> {
        self.0.parse_action(text).map(|action| self.0.action_id(action))
    }

    fn parse_outcome(&self, text: &str) -> Result<u32, ParseActionError> {
        self.0.parse_outcome(text).map(|outcome| self.0.outcome_id(outcome))
    }

    fn format_action(&self, id: u32) -> Result<String, ParseActionError> {
        read_action(&*self.0, id).map(|action| self.0.format_action(action))
    }

    fn format_outcome(&self, id: u32) -> Result<String, ParseActionError> {
        read_outcome(&*self.0, id).map(|outcome| self.0.format_outcome(outcome))
    }

    fn action_group(&self, id: u32) -> Result<String, ParseActionError> {
        read_action(&*self.0, id).map(|action| self.0.action_group(action))
    }

    fn new_state(&self) -> AnyState {
        Box::new(Position { game: Arc::clone(&self.0), state: self.0.new_state() })
    }

    fn state_from_json(&self, value: &Value) -> Result<AnyState, StateError> {
        Ok(Box::new(Position { game: Arc::clone(&self.0), state: self.0.state_from_json(value)? }))
    }

    fn state_from_bytes(&self, bytes: &[u8]) -> Result<AnyState, StateError> {
        state::read_bytes(&self.0, bytes)
    }

    fn state_from_position(&self, value: &Value) -> Result<AnyState, StateError> {
        Ok(Box::new(Position { game: Arc::clone(&self.0), state: self.0.state_from_position(value)? }))
    }

    fn information_from_json(&self, value: &Value, player: Player) -> Result<AnyInformation, StateError> {
        Ok(Box::new(InformationState::of_observation(&self.0, self.0.observation_from_json(value, player)?)))
    }

    fn observation_from_bytes(&self, bytes: &[u8]) -> Result<AnyObservation, StateError> {
        let mut reader = ByteReader::new(bytes);
        let observation = self.0.read_observation_bytes(&mut reader)?;
        reader.finish()?;
        Ok(Box::new(Seen { game: Arc::clone(&self.0), observation }))
    }

    fn new_match(&self, start: Start, seed: u64) -> Result<AnyMatch, StateError> {
        Ok(Box::new(Match::unresolved(Arc::clone(&self.0), start, seed)?))
    }

    fn match_from_record(&self, record: &Record) -> Result<(AnyMatch, Option<RecordError>), RecordError> {
        let (made, error) = Match::from_record_until_error(Arc::clone(&self.0), record)?;
        Ok((Box::new(made), error))
    }

    fn restored_match(&self, record: &Record) -> Result<AnyMatch, RecordError> {
        Ok(Box::new(Match::restored(Arc::clone(&self.0), record)?))
    }

    fn new_vector(&self, num_rows: usize, seed: u64, config: Config) -> Result<AnyVector, OptionsError> {
        vector::new_vector(&self.0, num_rows, seed, config)
    }

    fn replay(&self, games: &[Replayed], threads: usize) -> Result<AnyVector, (usize, StepError)> {
        vector::replay(&self.0, games, threads)
    }

    fn is_square(&self, text: &str) -> bool {
        self.0.is_square(text)
    }

    fn draw_components(&self, color: bool, ascii: bool) -> String {
        let mut canvas = Canvas::with_palette(self.0.palette());
        self.0.draw_components(&mut canvas);
        canvas.to_text(color, ascii)
    }

    fn resolve(&self, spec: &AgentSpec) -> Result<AgentSpec, AgentSpecError> {
        spec.resolve::<G>()
    }

    fn search_defaults(&self) -> &'static str {
        G::search_defaults(self.0.num_players())
    }

    fn playthrough(
        &self,
        start: Start,
        seed: u64,
        agents: &[AgentSpec],
        interrupt: &Interrupt,
        write: &mut dyn FnMut(String),
    ) -> Result<(), Stopped> {
        playthrough(&self.0, start, seed, agents, interrupt, write)
    }

    fn report_to_json(&self, report: &Report) -> Value {
        report.to_json(&*self.0)
    }

    #[cfg(feature = "testing")]
    fn check(&self, seed: u64, interrupt: &Interrupt) -> Result<(), String> {
        use forbidden_games_core::testing::{Settings, check_game_until};
        check_game_until(&self.0, [seed], &Settings::default(), interrupt).map(|_| ()).map_err(|error| error.to_string())
    }
}
