//! Counting, rolling out, playthroughs, conformance.

use forbidden_games::any::Stopped;
use forbidden_games_core::player::{ByPlayer, MAX_PLAYERS};
use forbidden_games_core::series::{Standing, seat_of, standing};
use pyo3::exceptions::{PyAssertionError, PyValueError};
use pyo3::prelude::*;

use crate::agent::specs_for;
use crate::buffer;
use crate::classes::{Action, Game, State};
use crate::convert::{Seed, count, entries, optional_count, whole_number};
use crate::error::IntoPython;
use crate::game::start_argument;
use crate::long;

/// Number of different sequences of exactly `depth` decisions from a state; at chance nodes the outcome whose notation comes first
/// is taken (CONVENTIONS 9).
#[pyfunction]
pub(crate) fn perft(py: Python<'_>, state: &Bound<'_, State>, depth: &Bound<'_, PyAny>) -> PyResult<u64> {
    let any = &state.get().any;
    let depth = count(depth, "depth")?;
    long::run(py, None, |interrupt| any.perft(depth as u32, interrupt))
}

/// The count behind each first action.
#[pyfunction]
pub(crate) fn perft_divide(py: Python<'_>, state: &Bound<'_, State>, depth: &Bound<'_, PyAny>) -> PyResult<Vec<(Action, u64)>> {
    let State { any, game } = state.get();
    let depth = count(depth, "depth")?;
    let counts = long::run(py, None, |interrupt| any.perft_divide(depth as u32, interrupt))?;
    Ok(counts.into_iter().map(|(id, count)| (Action { game: game.clone_ref(py), id }, count)).collect())
}

/// Returns of `count` random games from a state: a float32 array `[count, num_players]`. Game `i` has the same result for any
/// number of threads, and games `first` to `first + count` are a part of the run that begins at 0.
#[pyfunction]
#[pyo3(signature = (state, count, *, seed = Seed(0), threads = None, first = None),
       text_signature = "(state, count, *, seed=0, threads=1, first=0)")]
pub(crate) fn rollouts<'py>(
    py: Python<'py>,
    state: &Bound<'py, State>,
    count: &Bound<'py, PyAny>,
    seed: Seed,
    threads: Option<&Bound<'py, PyAny>>,
    first: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let State { any, game } = state.get();
    let count = self::count(count, "count")?;
    let threads = optional_count(threads, "threads")?.unwrap_or(1);
    let first = first.map_or(Ok(0), |first| whole_number(first.as_borrowed(), "first", u64::MAX))?;
    let rows = long::run(py, None, |interrupt| any.rollouts(first, count, seed.0, threads, interrupt))?;
    let seats = game.get().any.num_players();
    buffer::new_array(py, &[count, seats], |out: &mut [f32]| out.copy_from_slice(&rows))
}

/// The JSON lines of CONVENTIONS 7, without line ends, of a match with this seed; one native agent for all seats (default: random), or
/// one for each.
#[pyfunction]
#[pyo3(signature = (game, seed = Seed(0), *, agents = None, position = None, state = None),
       text_signature = "(game, seed=0, *, agents=None, position=None, state=None)")]
pub(crate) fn playthrough(
    py: Python<'_>,
    game: &Bound<'_, Game>,
    seed: Seed,
    agents: Option<&Bound<'_, PyAny>>,
    position: Option<&Bound<'_, PyAny>>,
    state: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<String>> {
    let any = &game.get().any;
    let specs = match agents {
        Some(agents) => specs_for(&entries(agents, "agents", "native agents or specifications")?, any.num_players())?,
        None => specs_for(&[pyo3::types::PyString::new(py, "random").into_any()], any.num_players())?,
    };
    let start = start_argument(game, position, state)?;
    long::run(py, None, |interrupt| {
        let mut lines = Vec::new();
        let written = any.playthrough(start, seed.0, &specs, interrupt, &mut |line| lines.push(line));
        written.map(|()| lines).map_err(|stopped| match stopped {
            Stopped::Playthrough(error) => error.into_python(),
            Stopped::Search(error) => error.into_python(),
        })
    })
}

/// Run the conformance battery of the core; `forbidden_games.testing.check_game` is the call for users.
#[pyfunction]
pub(crate) fn check_game(py: Python<'_>, game: &Bound<'_, Game>, seeds: &Bound<'_, PyAny>) -> PyResult<()> {
    let any = &game.get().any;
    let seeds = entries(seeds, "seeds", "integers")?;
    let seeds = seeds.iter().map(|seed| seed.extract::<Seed>()).collect::<PyResult<Vec<_>>>()?;
    long::run(py, None, |interrupt| {
        for seed in seeds {
            any.check(seed.0, interrupt).map_err(PyAssertionError::new_err)?;
        }
        Ok::<(), PyErr>(())
    })
}

/// Raise `AssertionError` if the state breaks an invariant of the rule page.
#[pyfunction]
pub(crate) fn check_invariants(state: &Bound<'_, State>) -> PyResult<()> {
    state.get().any.check_invariants().map_err(PyAssertionError::new_err)
}

/// What a series has brought so far, from what the seats of each finished game add (QN-7.6): per player what each game added, the
/// totals, the places (lowest total first) and the returns.
#[pyfunction]
pub(crate) fn series_standing(games: Vec<Vec<i32>>, num_players: usize) -> PyResult<SeriesStanding> {
    if !(1..=MAX_PLAYERS).contains(&num_players) || games.iter().any(|game| game.len() != num_players) {
        return Err(PyValueError::new_err(format!("a series needs 1 to {MAX_PLAYERS} seats, the same number in every game")));
    }
    let games: Vec<ByPlayer<i32>> = games.into_iter().map(|game| game.into_iter().collect()).collect();
    let Standing { games, totals, ranking, returns } = standing(&games, num_players);
    Ok((
        games.into_iter().map(|game| game.to_vec()).collect(),
        totals.to_vec(),
        ranking.iter().map(|&place| u32::from(place)).collect(),
        returns.iter().map(|exact| exact.to_f32()).collect(),
    ))
}

type SeriesStanding = (Vec<Vec<i32>>, Vec<i64>, Vec<u32>, Vec<f32>);

/// The seat of `player` in game `index` of a series.
#[pyfunction]
pub(crate) fn series_seat(player: usize, index: usize, num_players: usize) -> PyResult<u8> {
    if num_players > MAX_PLAYERS || player >= num_players {
        return Err(PyValueError::new_err(format!("player {player}: expected one below {num_players}")));
    }
    Ok(seat_of(player, index, num_players).0)
}
