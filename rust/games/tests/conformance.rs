//! The conformance battery over every game, number of players and option. `cargo test -p forbidden-games --test conformance --
//! --ignored --nocapture` runs the large counts and prints seeds and how often each phase occurred.

mod support;

use std::num::NonZero;
use std::ops::Range;
use std::sync::Arc;

use forbidden_games::for_each_game;
use forbidden_games_core::contract::Game;
use forbidden_games_core::testing::{Policy, Report, Settings, check_game};
use support::{games, variants};

fn quick<G: Game>() {
    let settings = Settings { stride: 23, worlds: 1, prefixes: 3, policy: Policy::Random };
    let mut total = Report::default();
    for (index, variant) in variants::<G>().into_iter().enumerate() {
        let mut games = games::<G>(&variant);
        // The default with every number of players; each other variant with one, each with another.
        if index > 0 && !games.is_empty() {
            games = vec![games.swap_remove(index % games.len())];
        }
        for game in games {
            let report = check_game(&game, 0..if index == 0 { 3 } else { 1 }, &settings);
            total.merge(&report.unwrap_or_else(|broken| panic!("{broken}")));
        }
    }
    println!("{}: {total}", G::INFO.name);
}

/// For each variant and number of players as many random games as it says, and a twentieth of that for each other policy. A random seat
/// seldom comes to some phases; those that no policy has met break the test.
fn soak<G: Game>() {
    let mut total = Report::default();
    for variant in variants::<G>() {
        for game in games::<G>(&variant) {
            for (policy, share) in [(Policy::Random, 1), (Policy::Greedy, 20), (Policy::RarePhase, 20)] {
                let seeds = 1_000..1_000 + variant.soak.div_ceil(share);
                let began = std::time::Instant::now();
                let report = spread(&game, seeds.clone(), policy);
                let (name, players, seconds) = (G::INFO.name, game.num_players(), began.elapsed().as_secs_f32());
                println!("{name} for {players}, {}, {policy:?}, seeds {seeds:?}: {report}; {seconds:.1} s", variant.name);
                total.merge(&report);
            }
        }
    }
    println!("{}: {total}", G::INFO.name);
    let unseen: Vec<&str> = G::INFO.phases.iter().copied().filter(|phase| !total.phases.contains_key(phase)).collect();
    assert!(unseen.is_empty(), "phases that never occurred: {unseen:?}");
}

/// The battery over `seeds`, which all cores share. A full examination costs as much as the whole game without one: there is about
/// one in each game, at other nodes from seed to seed, ends included.
fn spread<G: Game>(game: &Arc<G>, seeds: Range<u64>, policy: Policy) -> Report {
    let settings = Settings { stride: 149, worlds: 2, prefixes: 2, policy };
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get) as u64;
    let share = (seeds.end - seeds.start).div_ceil(threads);
    let part = |thread: u64| {
        let start = seeds.start + thread * share;
        start.min(seeds.end)..(start + share).min(seeds.end)
    };
    // Threads have the name of the test, which a failure's command for running it again holds.
    let name = std::thread::current().name().unwrap_or_default().to_owned();
    let reports: Vec<_> = std::thread::scope(|scope| {
        let start = |thread| {
            let builder = std::thread::Builder::new().name(name.clone());
            builder.spawn_scoped(scope, move || check_game(game, part(thread), &settings)).expect("a thread starts")
        };
        let started: Vec<_> = (0..threads).map(start).collect();
        started.into_iter().map(|thread| thread.join().expect("no panic in the battery")).collect()
    });
    let mut total = Report::default();
    for report in reports {
        total.merge(&report.unwrap_or_else(|broken| panic!("{broken}")));
    }
    total
}

macro_rules! conformance {
    ($(($variant:ident, $module:ident)),* $(,)?) => { $(
        mod $module {
            use forbidden_games::$module::Game;

            #[test]
            fn conforms() {
                super::quick::<Game>();
            }

            #[test]
            #[ignore = "many games: make soak"]
            fn soak_conformance() {
                super::soak::<Game>();
            }
        }
    )* };
}
for_each_game!(conformance);
