//! The classes that refer to each other: what their objects hold. Their methods are in the files named after them.

use std::sync::atomic::{AtomicU8, AtomicUsize};
use std::sync::{Mutex, OnceLock};

use forbidden_games::any::{AnyGame, AnyInformation, AnyMatch, AnyObservation, AnyState, GameId};
use forbidden_games_core::record;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// Rules with players, options and components. Immutable, hashable, picklable; `forbidden_games.load` makes one.
///
/// Games are equal if name, players, options, components and window are.
#[pyclass(module = "forbidden_games", frozen)]
#[derive(Debug)]
pub(crate) struct Game {
    /// The game for the core.
    pub(crate) any: AnyGame,
    pub(crate) id: GameId,
    pub(crate) window: Option<usize>,
    pub(crate) identity: OnceLock<String>,
    /// The same for Python, one object for ever, so that a pickle holds it once.
    pub(crate) identity_text: OnceLock<Py<PyString>>,
    pub(crate) fingerprint: OnceLock<u64>,
    pub(crate) action_space: OnceLock<String>,
}

/// One decision. `str(action)` is its notation, the same everywhere; `int(action)` its id among `game.num_actions`.
///
/// Actions are equal if their ids and the action spaces of their games are.
#[pyclass(module = "forbidden_games", frozen)]
#[derive(Debug)]
pub(crate) struct Action {
    /// Its game.
    #[pyo3(get)]
    pub(crate) game: Py<Game>,
    /// Its id.
    #[pyo3(get)]
    pub(crate) id: u32,
}

/// One result of a draw. `str(outcome)` is its notation, `int(outcome)` its id among `game.num_outcomes`.
#[pyclass(module = "forbidden_games", frozen)]
#[derive(Debug)]
pub(crate) struct Outcome {
    /// Its game.
    #[pyo3(get)]
    pub(crate) game: Py<Game>,
    /// Its id.
    #[pyo3(get)]
    pub(crate) id: u32,
}

/// Of what the actions are legal.
#[derive(Debug)]
pub(crate) enum Source {
    /// A state in Python.
    State(Py<State>),
    /// A state that was a match's.
    Snapshot(AnyState),
    /// The list itself.
    Ids(Vec<u32>),
}

/// All legal actions, ascending by id: a sequence. Nothing is made that is not asked for: `len`, `bool`, `in` and single indices do
/// without the list. `in` is a test of legality and takes actions, notation and ids.
#[pyclass(module = "forbidden_games", frozen, sequence)]
#[derive(Debug)]
pub(crate) struct LegalActions {
    /// Their game.
    #[pyo3(get)]
    pub(crate) game: Py<Game>,
    pub(crate) source: Source,
    /// The list, once somebody needed it.
    pub(crate) made: OnceLock<Vec<u32>>,
    /// Their number, or [`crate::legal::UNCOUNTED`].
    pub(crate) count: AtomicUsize,
    pub(crate) lookups: AtomicU8,
}

/// One complete position with its hidden parts. Immutable, hashable, picklable.
///
/// Two states are equal if and only if their games and their JSON are.
#[pyclass(module = "forbidden_games", frozen)]
#[derive(Debug)]
pub(crate) struct State {
    /// The state for the core.
    pub(crate) any: AnyState,
    /// Its game.
    #[pyo3(get)]
    pub(crate) game: Py<Game>,
}

/// What one seat perceives of a position. It cannot hold what is hidden from the seat. `str()` draws it.
#[pyclass(module = "forbidden_games", frozen)]
#[derive(Debug)]
pub(crate) struct Observation {
    pub(crate) any: AnyObservation,
    /// Its game.
    #[pyo3(get)]
    pub(crate) game: Py<Game>,
}

/// All that an agent gets: what the seat perceives, what it has seen so far, and its legal actions when it is to move.
#[pyclass(module = "forbidden_games", frozen)]
#[derive(Debug)]
pub(crate) struct InformationState {
    /// The same for the core.
    pub(crate) any: AnyInformation,
    /// Its game.
    #[pyo3(get)]
    pub(crate) game: Py<Game>,
}

/// A game being played: state, luck and history. Chance is resolved by the match.
///
/// One thread at a time: a second one in the same match gets `ConcurrentUseError`.
#[pyclass(module = "forbidden_games", frozen)]
#[derive(Debug)]
pub(crate) struct Match {
    pub(crate) any: Mutex<AnyMatch>,
    /// Its game.
    #[pyo3(get)]
    pub(crate) game: Py<Game>,
}

/// A match as JSON Lines: a header, a line per step in notation, a result line if the game is over.
#[pyclass(module = "forbidden_games", frozen)]
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) record: record::Record,
    /// Its game.
    #[pyo3(get)]
    pub(crate) game: Py<Game>,
}
