//! Damaged input at every entrance, and play, undo, copies and records mixed at random, over every game. `cargo test -p
//! forbidden-games --test properties -- --ignored --nocapture` runs 100,000 inputs at each entrance.

mod support;

use std::sync::Arc;

use forbidden_games::for_each_game;
use forbidden_games_core::contract::Game;
use forbidden_games_core::match_play::Match;
use forbidden_games_core::record::Record;
use forbidden_games_core::testing::hostile::{ENTRANCES, check_entrances};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use support::{games, variants};

/// Throws `count` inputs at each entrance, shared among the variants.
fn entrances<G: Game>(count: u64, seed: u64) {
    let games: Vec<Arc<G>> = variants::<G>().iter().flat_map(games::<G>).collect();
    let share = count.div_ceil(games.len() as u64);
    let mut accepted = [0; ENTRANCES.len()];
    for (index, game) in games.iter().enumerate() {
        let tried = check_entrances(game, seed + index as u64, share).unwrap_or_else(|broken| panic!("{broken}"));
        accepted.iter_mut().zip(tried).for_each(|(sum, tried)| *sum += tried.accepted);
    }
    let accepted: Vec<String> = ENTRANCES.iter().zip(accepted).map(|(name, count)| format!("{name} {count}")).collect();
    println!("{}: {count} inputs at each entrance, seed {seed}; accepted: {}", G::INFO.name, accepted.join(", "));
}

/// Plays, takes back, copies and reloads as `script` says: each entry is an index into the legal actions, or another deed. A stack
/// of states tells what must be found.
fn follow<G: Game>(game: &Arc<G>, seed: u64, script: &[u16]) -> Result<(), TestCaseError> {
    let mut played = Match::new(Arc::clone(game), seed);
    let mut stack = vec![played.state().clone()];
    let (mut kept, mut kept_state) = (played.clone(), played.state().clone());
    for &entry in script {
        match entry % 8 {
            0 => {
                prop_assert_eq!(played.undo(None), stack.len() > 1);
                stack.truncate(stack.len().saturating_sub(1).max(1));
            }
            1 => {
                let record = Record::parse(&played.record().to_text()).map_err(|error| TestCaseError::fail(error.to_string()))?;
                played = Match::from_record(Arc::clone(game), &record).map_err(|error| TestCaseError::fail(error.to_string()))?;
            }
            2 => {
                // Nothing that was done since has touched the copy; then take another.
                prop_assert_eq!(kept.state(), &kept.state_before(usize::MAX));
                prop_assert_eq!(kept.state(), &kept_state);
                kept = played.clone();
                kept_state = played.state().clone();
            }
            _ => {
                let legal = played.legal_actions();
                let Some(&action) = legal.get(usize::from(entry) / 8 % legal.len().max(1)) else { continue };
                let before = played.history().len();
                played.play(action).map_err(|error| TestCaseError::fail(error.to_string()))?;
                prop_assert!(!played.events().is_empty() || played.history().len() == before + 1);
                stack.push(played.state().clone());
            }
        }
        prop_assert_eq!(Some(played.state()), stack.last());
    }
    Ok(())
}

fn interleavings<G: Game>(cases: u32) {
    for players in [G::INFO.min_players, G::INFO.max_players] {
        let game = Arc::new(G::new(players, &serde_json::Map::new(), None).unwrap_or_else(|error| panic!("{error}")));
        let mut runner = TestRunner::new_with_rng(
            Config { cases, failure_persistence: None, ..Config::default() },
            prop::test_runner::TestRng::deterministic_rng(prop::test_runner::RngAlgorithm::ChaCha),
        );
        let strategy = (any::<u64>(), prop::collection::vec(any::<u16>(), 0..150));
        runner.run(&strategy, |(seed, script)| follow(&game, seed, &script)).unwrap_or_else(|error| panic!("{error}"));
    }
}

macro_rules! properties {
    ($(($variant:ident, $module:ident)),* $(,)?) => { $(
        mod $module {
            use forbidden_games::$module::Game;

            #[test]
            fn damaged_input_is_refused() {
                super::entrances::<Game>(400, 1);
            }

            #[test]
            #[ignore = "many inputs: make soak"]
            fn soak_damaged_input() {
                super::entrances::<Game>(100_000, 1_000);
            }

            #[test]
            fn play_undo_copy_and_reload_agree() {
                super::interleavings::<Game>(24);
            }

            #[test]
            #[ignore = "many scripts: make soak"]
            fn soak_play_undo_copy_and_reload() {
                super::interleavings::<Game>(2_000);
            }
        }
    )* };
}
for_each_game!(properties);
