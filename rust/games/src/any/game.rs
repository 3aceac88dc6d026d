//! Games by name.

use std::sync::Arc;

use forbidden_games_core::canvas::Canvas;
use forbidden_games_core::contract::{Data, Drawing, Features, Game, Notation, Rules, Setup};
use forbidden_games_core::encoding::Block;
use forbidden_games_core::error::{OptionsError, ParseActionError, SetupError, StateError, shorten};
use forbidden_games_core::information::InformationState;
use forbidden_games_core::options::{ComponentSource, Options};
use forbidden_games_core::player::Player;
use serde_json::Value;

use super::{AnyGame, AnyInformation, AnyState, GameId, Position, read_action, read_outcome};

impl GameId {
    /// The game called `name`.
    ///
    /// # Errors
    /// If there is none.
    #[inline]
    pub fn from_name(name: &str) -> Result<Self, OptionsError> {
        Self::ALL.iter().copied().find(|id| id.info().name == name).ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|id| id.info().name).collect();
            OptionsError::new("game", shorten(name), format!("one of {}", names.join(", ")))
        })
    }

    /// Makes a game; `players` left out means the usual number, `window` the usual window.
    ///
    /// # Errors
    /// If players, an option, the component set or the window does not fit.
    #[inline]
    pub fn load(
        self,
        players: Option<usize>,
        options: &Options,
        components: Option<&ComponentSource>,
        window: Option<usize>,
    ) -> Result<AnyGame, SetupError> {
        let game = self.make(players.unwrap_or(self.info().default_players), options, components)?;
        match window {
            None => Ok(game),
            Some(window) => Ok(convert!(AnyGame => AnyGame, game, game => {
                Arc::new(Arc::unwrap_or_clone(game).with_window(window)?)
            })),
        }
    }
}

impl AnyGame {
    /// Which game it is.
    #[must_use]
    #[inline]
    pub fn id(&self) -> GameId {
        let name = dispatch!(AnyGame, self, game => name_of(&**game));
        GameId::from_name(name).expect("every game is in the list")
    }

    /// Number of seats.
    #[must_use]
    #[inline]
    pub fn num_players(&self) -> usize {
        dispatch!(AnyGame, self, game => game.num_players())
    }

    /// The full options object.
    #[must_use]
    #[inline]
    pub fn options(&self) -> Options {
        dispatch!(AnyGame, self, game => game.options())
    }

    /// The name of a built-in set, or a user's set whole.
    #[must_use]
    #[inline]
    pub fn components(&self) -> Value {
        dispatch!(AnyGame, self, game => game.components())
    }

    /// Size of the action space.
    #[must_use]
    #[inline]
    pub fn num_actions(&self) -> usize {
        dispatch!(AnyGame, self, game => game.num_actions())
    }

    /// Size of the outcome space.
    #[must_use]
    #[inline]
    pub fn num_outcomes(&self) -> usize {
        dispatch!(AnyGame, self, game => game.num_outcomes())
    }

    /// Upper bound of decisions from the ordinary start.
    #[must_use]
    #[inline]
    pub fn max_plies(&self) -> usize {
        dispatch!(AnyGame, self, game => game.max_plies())
    }

    /// Upper bound of chance nodes from the ordinary start.
    #[must_use]
    #[inline]
    pub fn max_chance_nodes(&self) -> usize {
        dispatch!(AnyGame, self, game => game.max_chance_nodes())
    }

    /// The fingerprint of the action ids.
    #[must_use]
    #[inline]
    pub fn action_space(&self) -> String {
        dispatch!(AnyGame, self, game => game.action_space())
    }

    /// The blocks of an encoded observation.
    #[must_use]
    #[inline]
    pub fn observation_blocks(&self) -> Vec<Block> {
        dispatch!(AnyGame, self, game => game.observation_layout().blocks().to_vec())
    }

    /// Number of values of an encoded observation.
    #[must_use]
    #[inline]
    pub fn observation_size(&self) -> usize {
        dispatch!(AnyGame, self, game => game.observation_layout().size())
    }

    /// Checks that `id` is an action.
    ///
    /// # Errors
    /// If it is out of range.
    #[inline]
    pub fn check_action_id(&self, id: u32) -> Result<(), ParseActionError> {
        dispatch!(AnyGame, self, game => read_action(&**game, id).map(|_| ()))
    }

    /// Checks that `id` is an outcome.
    ///
    /// # Errors
    /// If it is out of range.
    #[inline]
    pub fn check_outcome_id(&self, id: u32) -> Result<(), ParseActionError> {
        dispatch!(AnyGame, self, game => read_outcome(&**game, id).map(|_| ()))
    }

    /// Reads the notation of an action.
    ///
    /// # Errors
    /// If it is none.
    #[inline]
    pub fn parse_action(&self, text: &str) -> Result<u32, ParseActionError> {
        dispatch!(AnyGame, self, game => game.parse_action(text).map(|action| game.action_id(action)))
    }

    /// Reads the notation of an outcome.
    ///
    /// # Errors
    /// If it is none.
    #[inline]
    pub fn parse_outcome(&self, text: &str) -> Result<u32, ParseActionError> {
        dispatch!(AnyGame, self, game => game.parse_outcome(text).map(|outcome| game.outcome_id(outcome)))
    }

    /// The notation of the action with this id.
    ///
    /// # Errors
    /// If it is out of range.
    #[inline]
    pub fn format_action(&self, id: u32) -> Result<String, ParseActionError> {
        dispatch!(AnyGame, self, game => read_action(&**game, id).map(|action| game.format_action(action)))
    }

    /// The notation of the outcome with this id.
    ///
    /// # Errors
    /// If it is out of range.
    #[inline]
    pub fn format_outcome(&self, id: u32) -> Result<String, ParseActionError> {
        dispatch!(AnyGame, self, game => read_outcome(&**game, id).map(|outcome| game.format_outcome(outcome)))
    }

    /// The word that groups the action in a list.
    ///
    /// # Errors
    /// If it is out of range.
    #[inline]
    pub fn action_group(&self, id: u32) -> Result<String, ParseActionError> {
        dispatch!(AnyGame, self, game => read_action(&**game, id).map(|action| game.action_group(action)))
    }

    /// The ordinary start.
    #[must_use]
    #[inline]
    pub fn new_state(&self) -> AnyState {
        convert!(AnyGame => AnyState, self, game => Position { game: Arc::clone(game), state: game.new_state() })
    }

    /// Reads and checks a whole state.
    ///
    /// # Errors
    /// If it is damaged or impossible.
    #[inline]
    pub fn state_from_json(&self, value: &Value) -> Result<AnyState, StateError> {
        Ok(convert!(AnyGame => AnyState, self, game => {
            Position { game: Arc::clone(game), state: game.state_from_json(value)? }
        }))
    }

    /// Begins from a position object.
    ///
    /// # Errors
    /// If it is refused, or the game has no positions.
    #[inline]
    pub fn state_from_position(&self, value: &Value) -> Result<AnyState, StateError> {
        Ok(convert!(AnyGame => AnyState, self, game => {
            Position { game: Arc::clone(game), state: game.state_from_position(value)? }
        }))
    }

    /// Reads and checks what `player` sees; the history is empty.
    ///
    /// # Errors
    /// If it is damaged, impossible, or shows what the seat may not know.
    #[inline]
    pub fn information_from_json(&self, value: &Value, player: Player) -> Result<AnyInformation, StateError> {
        Ok(convert!(AnyGame => AnyInformation, self, game => {
            InformationState::of_observation(game, game.observation_from_json(value, player)?)
        }))
    }

    /// Whether `text` names a square.
    #[must_use]
    #[inline]
    pub fn is_square(&self, text: &str) -> bool {
        dispatch!(AnyGame, self, game => game.is_square(text))
    }

    /// Draws the component set.
    #[must_use]
    #[inline]
    pub fn draw_components(&self, color: bool, ascii: bool) -> String {
        let mut canvas = Canvas::with_palette(dispatch!(AnyGame, self, game => game.palette()));
        dispatch!(AnyGame, self, game => game.draw_components(&mut canvas));
        canvas.to_text(color, ascii)
    }

    /// Plays one game under `seed` and checks what the contract promises.
    ///
    /// # Errors
    /// The first promise broken, in words; also if `interrupt` is set before the end.
    #[cfg(feature = "testing")]
    #[inline]
    pub fn check(&self, seed: u64, interrupt: &forbidden_games_core::interrupt::Interrupt) -> Result<(), String> {
        use forbidden_games_core::testing::{Settings, check_game_until};
        let settings = Settings::default();
        dispatch!(AnyGame, self, game => {
            check_game_until(game, [seed], &settings, interrupt).map(|_| ()).map_err(|error| error.to_string())
        })
    }
}

fn name_of<G: Game>(_game: &G) -> &'static str {
    G::INFO.name
}
