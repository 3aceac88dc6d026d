//! Accepted once, accepted always: changed states that the reader takes lead to states that it takes, over every game. `cargo test -p
//! forbidden-games --test mutants -- --ignored --nocapture` runs 20,000 of each game and prints the share accepted by key.

mod support;

use std::num::NonZero;
use std::sync::Arc;

use forbidden_games::for_each_game;
use forbidden_games_core::contract::Game;
use forbidden_games_core::testing::Failure;
use forbidden_games_core::testing::mutants::{Mutants, check_bounds, check_mutants};
use support::{games, variants};

/// `count` accepted states, shared among the variants: half of them by the default ones with every number of players.
fn accepted_always<G: Game>(count: u64, seed: u64, candidates: usize) {
    let mut all: Vec<(Arc<G>, u64)> = Vec::new();
    for (index, variant) in variants::<G>().iter().enumerate() {
        let found = games::<G>(variant);
        let players = found.len();
        // The default with every number of players; each other variant with one, each with another.
        let kept = found.into_iter().enumerate().filter(|(seat, _)| index == 0 || *seat == index % players);
        all.extend(kept.map(|(_, game)| (game, if index == 0 { 4 } else { 1 })));
    }
    let shares: u64 = all.iter().map(|(_, share)| share).sum();
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
    let run = |thread: usize| {
        let mut total = Mutants::default();
        for (index, (game, share)) in all.iter().enumerate().skip(thread).step_by(threads) {
            let share = (count * share).div_ceil(shares);
            total.merge(&check_mutants(game, seed + 1_000_000 * index as u64, share, candidates)?);
        }
        Ok::<_, Failure>(total)
    };
    let mut total = Mutants::default();
    std::thread::scope(|scope| {
        let started: Vec<_> = (0..threads).map(|thread| scope.spawn(move || run(thread))).collect();
        for thread in started {
            let found = thread.join().expect("no panic");
            total.merge(&found.unwrap_or_else(|broken| panic!("{broken}")));
        }
    });
    assert!(total.accepted >= count, "{total}");
    println!("{}, seed {seed}: {total}", G::INFO.name);
}

/// Every integer at its bound, with every number of players.
fn bounds<G: Game>(seeds: u64) {
    let mut raised = 0;
    for variant in variants::<G>().iter().take(1) {
        for game in games::<G>(variant) {
            raised += (0..seeds).map(|seed| check_bounds(&game, seed).unwrap_or_else(|broken| panic!("{broken}"))).sum::<u64>();
        }
    }
    println!("{}: {raised} integers raised", G::INFO.name);
    assert!(raised > 0, "some integer can be raised");
}

macro_rules! mutants {
    ($(($variant:ident, $module:ident)),* $(,)?) => { $(
        mod $module {
            use forbidden_games::$module::Game;

            #[test]
            fn accepted_once_is_accepted_always() {
                super::accepted_always::<Game>(500, 1, 2);
            }

            #[test]
            fn no_integer_overflows_at_its_bound() {
                super::bounds::<Game>(1);
            }

            #[test]
            #[ignore = "many states: make soak"]
            fn soak_accepted_once_is_accepted_always() {
                super::accepted_always::<Game>(20_000, 1_000, 8);
            }
        }
    )* };
}
for_each_game!(mutants);
