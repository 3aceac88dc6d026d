//! The conformance battery over every game, number of players and option. `cargo test -p forbidden-games --test conformance --
//! --ignored --nocapture` runs the large counts and prints seeds and how often each phase occurred.

mod support;

use forbidden_games::for_each_game;
use forbidden_games_core::game::Game;
use forbidden_games_core::testing::{Policy, Report, Settings, check_game};
use support::{Variant, games, variants};

const POLICIES: [Policy; 3] = [Policy::Random, Policy::Greedy, Policy::RarePhase];

/// Runs the battery over every variant and number of players with the seeds that `seeds` gives for the variant. With `quick`, a
/// variant is tried with one number of players, each with another.
fn run<G: Game>(settings: Settings, policies: &[Policy], seeds: impl Fn(&Variant, Policy) -> std::ops::Range<u64>, quick: bool) {
    let mut total = Report::default();
    for (index, variant) in variants::<G>().into_iter().enumerate() {
        let mut games = games::<G>(&variant);
        if quick && index > 0 && !games.is_empty() {
            games = vec![games.swap_remove(index % games.len())];
        }
        for game in games {
            for &policy in policies {
                let seeds = seeds(&variant, policy);
                let settings = settings.with_policy(policy);
                let began = std::time::Instant::now();
                let report = check_game(&game, seeds.clone(), &settings).unwrap_or_else(|broken| panic!("{broken}"));
                let (players, seconds) = (game.num_players(), began.elapsed().as_secs_f32());
                if !quick || seconds > 1.0 {
                    let name = G::INFO.name;
                    println!("{name} for {players}, {}, {policy:?}, seeds {seeds:?}: {report}; {seconds:.1} s", variant.name);
                }
                total.merge(&report);
            }
        }
    }
    println!("{}: {total}", G::INFO.name);
    let unseen: Vec<&str> = G::INFO.phases.iter().copied().filter(|phase| !total.phases.contains_key(phase)).collect();
    assert!(unseen.is_empty() || quick, "phases that never occurred: {unseen:?}");
}

fn quick<G: Game>() {
    let settings = Settings { stride: 23, worlds: 1, prefixes: 3, policy: Policy::Random };
    run::<G>(settings, &[Policy::Random], |variant, _| 0..if variant.name == "default" { 3 } else { 1 }, true);
}

/// For each number of players: 1,000 games among three policies with the default options; with any others 200 random games and 67 of
/// each other policy.
fn soak<G: Game>() {
    let settings = Settings { stride: 17, worlds: 2, prefixes: 4, policy: Policy::Random };
    let end = |variant: &Variant, policy| match policy {
        _ if variant.name == "default" => 1_334,
        Policy::Random => 1_200,
        _ => 1_067,
    };
    run::<G>(settings, &POLICIES, |variant, policy| 1_000..end(variant, policy), false);
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
