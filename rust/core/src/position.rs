//! A state with the rules it belongs to.

use std::sync::Arc;

use crate::contract::Rules;

/// A state with its game.
#[derive(Clone, Debug)]
pub struct Position<G: Rules> {
    /// The rules.
    pub game: Arc<G>,
    /// The state.
    pub state: G::State,
}
