//! Games are made once: a small cache by what was asked for and by identity serves `load`, records and pickles.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use forbidden_games::any::{AnyGame, GameId};
use forbidden_games_core::data::parse_json;
use forbidden_games_core::error::DataError;
use forbidden_games_core::options::ComponentSource;
use pyo3::prelude::*;
use serde_json::Value;

use crate::classes::Game;
use crate::error::{IntoPython, ResultExt, state_error};

/// More than these are forgotten all at once.
const MOST: usize = 128;

/// By request or identity.
static KNOWN: Mutex<Option<HashMap<String, Py<Game>>>> = Mutex::new(None);

fn find(py: Python<'_>, key: &str) -> Option<Py<Game>> {
    let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.as_ref()?.get(key).map(|game| game.clone_ref(py))
}

fn keep(py: Python<'_>, key: String, game: &Py<Game>) {
    let forgotten = {
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let games = known.get_or_insert_default();
        let forgotten = if games.len() >= MOST { std::mem::take(games) } else { HashMap::new() };
        games.insert(key, game.clone_ref(py));
        forgotten
    };
    // What frees a game runs without the lock.
    drop(forgotten);
}

/// The game that `request` stands for, made by `make` where it is not known; `window` is the chosen one.
pub(crate) fn game_of_request<E: IntoPython>(
    py: Python<'_>,
    request: String,
    window: Option<usize>,
    make: impl FnOnce() -> Result<AnyGame, E>,
) -> PyResult<Py<Game>> {
    if let Some(game) = find(py, &request) {
        return Ok(game);
    }
    let made = Game::new(make().python()?, window);
    let game = match find(py, made.identity()) {
        Some(game) => game,
        None => {
            let game = Py::new(py, made)?;
            keep(py, game.get().identity().to_owned(), &game);
            game
        }
    };
    keep(py, request, &game);
    Ok(game)
}

/// The game with this identity, which `Game::identity` wrote.
pub(crate) fn game_of_identity(py: Python<'_>, identity: &str) -> PyResult<Py<Game>> {
    if let Some(game) = find(py, identity) {
        return Ok(game);
    }
    let refuse = || state_error(DataError::new("pickle", identity, "the identity of a game"));
    let value = parse_json(identity).map_err(state_error)?;
    let Some([name, players, options, components, window]) = value.as_array().map(Vec::as_slice) else { return Err(refuse()) };
    let number = |value: &Value| value.as_u64().and_then(|number| usize::try_from(number).ok());
    let (Some(name), Some(players), Some(options)) = (name.as_str(), number(players), options.as_object()) else {
        return Err(refuse());
    };
    let window = match window {
        Value::Null => None,
        given => Some(number(given).ok_or_else(refuse)?),
    };
    let id = GameId::from_name(name).python()?;
    let components = ComponentSource::from_json(components);
    let made = || id.load(Some(players), options, Some(&components), window);
    game_of_request(py, identity.to_owned(), window, made)
}
