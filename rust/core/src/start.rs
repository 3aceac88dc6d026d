//! Where a match begins.

use serde_json::Value;

use crate::contract::Data;
use crate::error::StateError;

/// Where a match begins.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Start {
    /// The game's ordinary start.
    #[default]
    Ordinary,
    /// A position object of the rule page.
    Position(Value),
    /// A whole state as JSON.
    State(Value),
}

impl Start {
    /// The state there.
    ///
    /// # Errors
    /// If the position or state is refused by the game.
    pub fn state<G: Data>(&self, game: &G) -> Result<G::State, StateError> {
        match self {
            Self::Ordinary => Ok(game.new_state()),
            Self::Position(position) => game.state_from_position(position),
            Self::State(state) => game.state_from_json(state),
        }
    }
}
