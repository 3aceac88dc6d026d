//! The positions that benches look at, the same for every game: default options, taken from random games at even distances.

#![forbid(unsafe_code)]

use std::sync::Arc;

use forbidden_games_core::contract::Game;
use forbidden_games_core::match_play::Match;
use forbidden_games_core::rng::Rng;

/// Decision nodes taken from a game.
const PER_GAME: usize = 8;

/// A game for `players` (`None`: the default number) with default options.
///
/// # Panics
/// If the game does not take that number of players.
#[must_use]
pub fn game<G: Game>(players: Option<usize>) -> Arc<G> {
    let players = players.unwrap_or(G::INFO.default_players);
    match G::new(players, &serde_json::Map::new(), None) {
        Ok(game) => Arc::new(game),
        Err(error) => panic!("{}: {error}", G::INFO.name),
    }
}

/// A random match played to its end.
///
/// # Panics
/// If a legal action is refused.
#[must_use]
pub fn finished<G: Game>(game: &Arc<G>, seed: u64) -> Match<G> {
    let mut played = Match::new(Arc::clone(game), seed);
    let mut scratch = Vec::new();
    let mut ply = 0;
    while !played.is_terminal() {
        let action = game.sample_action(played.state(), &mut Rng::stream(seed, "agent", ply), &mut scratch);
        if let Err(error) = played.play(action) {
            panic!("{error}");
        }
        ply += 1;
    }
    played
}

/// Decision nodes from four random games, spread over their length.
#[must_use]
pub fn positions<G: Game>(game: &Arc<G>) -> Vec<G::State> {
    let mut states = Vec::new();
    for seed in 0..4 {
        let mut played = finished(game, seed);
        let mut decisions = Vec::new();
        while played.undo(None) {
            decisions.push(played.state().clone());
        }
        let count = decisions.len();
        states.extend((0..PER_GAME).map(|index| decisions[index * count / PER_GAME].clone()));
    }
    states
}
