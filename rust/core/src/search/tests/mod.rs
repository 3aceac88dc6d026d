//! Tests of the search on the toy game; the real games have theirs in `rust/games/tests/search.rs`.

mod evaluated;
mod searchers;
mod specs;

use crate::contract::Setup;
use std::sync::Arc;
use std::time::Duration;

use super::*;
use crate::match_play::Match;
use crate::options::Options;
use crate::rng::Rng;
use crate::testing::pebbles::Pebbles;

fn pebbles(players: usize) -> Arc<Pebbles> {
    Arc::new(Pebbles::new(players, &Options::new(), None).unwrap())
}

/// A position after `plies` random decisions of a match, if the game lasts that long.
fn position(game: &Arc<Pebbles>, seed: u64, plies: usize) -> Option<Match<Pebbles>> {
    let mut played = Match::new(Arc::clone(game), seed);
    let mut rng = Rng::stream(seed, "test", 0);
    for _ in 0..plies {
        let legal = played.legal_actions();
        if legal.is_empty() {
            return None;
        }
        played.play(legal[rng.below(legal.len() as u32) as usize]).unwrap();
    }
    (!played.is_terminal()).then_some(played)
}

fn knowledge(played: &Match<Pebbles>) -> InformationState<Pebbles> {
    played.information_state(played.turn().player().unwrap())
}

/// A report without the time it took.
fn run(spec: &str, info: &InformationState<Pebbles>, seed: u64) -> Report {
    let mut report = search(&spec.parse().unwrap(), info, seed, None, &Interrupt::new()).unwrap();
    report.elapsed = Duration::ZERO;
    report
}
