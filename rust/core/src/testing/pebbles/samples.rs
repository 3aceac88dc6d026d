//! What the tests of the core begin with. A game of its own has no such file.

use serde_json::{Map, Value, json};

use super::game::Game;
use crate::contract::Setup;

/// The game with its default options.
///
/// # Panics
/// If `players` is not 2, 3 or 4.
#[must_use]
pub fn pebbles(players: usize) -> Game {
    match Game::new(players, &Map::new(), None) {
        Ok(game) => game,
        Err(error) => panic!("{error}"),
    }
}

/// A component set of the user's own.
#[must_use]
pub fn own_set() -> Value {
    json!({"name": "mine", "pebbles": [
        {"name": "salt", "value": 9, "count": 7},
        {"name": "ash", "value": 1, "count": 20},
    ]})
}
