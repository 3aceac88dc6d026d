//! How the agents play: games of `greedy` and of every level, and the judgement of turns that are not over.

use std::collections::BTreeMap;
use std::sync::Arc;

use forbidden_games_core::arena::{Agent, play_match};
use forbidden_games_core::contract::{Judgement, Notation, Rules, Step};
use forbidden_games_core::information::InformationState;
use forbidden_games_core::interrupt::Interrupt;
use forbidden_games_core::player::{Player, Turn};
use forbidden_games_core::rng::Rng;
use forbidden_games_core::search::{AgentSpec, search};
use forbidden_games_core::testing::random_step;

use super::super::Game;
use super::super::board::START;
use super::super::state::{Phase, State};
use super::game;

const LEVELS: [&str; 5] = ["random", "novice", "amateur", "expert", "master"];

fn spec(text: &str) -> AgentSpec {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// What happened in games of one agent with itself.
#[derive(Default)]
struct Played {
    games: u32,
    idle: u32,
    tiles: Vec<u32>,
    /// Decisions by verb.
    verbs: BTreeMap<String, u32>,
    points: i32,
}

impl Played {
    fn verb(&self, verb: &str) -> f64 {
        f64::from(self.verbs.get(verb).copied().unwrap_or(0)) / f64::from(self.games)
    }

    fn median_tiles(&self) -> u32 {
        let mut tiles = self.tiles.clone();
        tiles.sort_unstable();
        tiles[tiles.len() / 2]
    }
}

fn self_play(players: usize, agent: &str, seeds: std::ops::Range<u64>) -> Played {
    let game = Arc::new(game(players));
    let mut result = Played::default();
    for seed in seeds {
        let mut seats: Vec<AgentSpec> = (0..players).map(|_| spec(agent)).collect();
        let mut agents: Vec<&mut dyn Agent<Game>> = seats.iter_mut().map(|seat| seat as &mut dyn Agent<Game>).collect();
        let played = play_match(&game, &mut agents, seed, &Interrupt::new()).expect("a game");
        let state = played.state();
        result.games += 1;
        result.idle += u32::from(state.idle_rounds == 3);
        result.tiles.push((state.occupied & !START).count_ones());
        result.points += game.scores(state).iter().sum::<i32>();
        for step in played.history() {
            if let Step::Action(action) = step {
                let text = game.format_action(*action);
                *result.verbs.entry(text.split(' ').next().unwrap_or_default().to_owned()).or_default() += 1;
            }
        }
    }
    println!(
        "{agent}, {players} seats, {} games: {} end by TG-7.2, median of {} tiles, mean score {:.1}; a game: {}",
        result.games,
        result.idle,
        result.median_tiles(),
        f64::from(result.points) / f64::from(result.games) / players as f64,
        result.verbs.keys().map(|verb| format!("{verb} {:.1}", result.verb(verb))).collect::<Vec<_>>().join(", ")
    );
    result
}

/// Bounds for every seat count, chosen after looking at the tables of `docs/search.md`.
fn check_garden(played: &Played, most_idle: f64) {
    assert!(played.median_tiles() >= 25, "{:?}", played.tiles);
    assert!(f64::from(played.idle) <= most_idle * f64::from(played.games), "{} of {} idle", played.idle, played.games);
    let decorations = played.verb("card");
    assert!((12.0..=36.0).contains(&decorations), "{decorations} decorations");
    let (decorate, build) = (played.verb("decorate"), played.verb("build"));
    assert!(decorate > 0.5 * build && decorate < 1.6 * build, "decorates {decorate} times and builds {build} times");
    assert!(played.verb("garden") > 2.0, "{} figures", played.verb("garden"));
}

#[test]
fn greedy_builds_and_decorates() {
    for (players, games) in [(2, 5), (3, 1), (4, 1)] {
        check_garden(&self_play(players, "greedy", 0..games), 0.0);
    }
}

#[test]
#[ignore = "hundreds of games: make soak"]
fn soak_greedy_builds_and_decorates() {
    for (players, games) in [(2, 200), (3, 60), (4, 60)] {
        check_garden(&self_play(players, "greedy", 1000..1000 + games), 0.02);
    }
}

#[test]
#[ignore = "games of every level: make soak"]
fn soak_every_level_builds_a_garden() {
    for players in [2, 4] {
        for (level, games) in LEVELS.into_iter().zip([60, 60, 60, 20, 6]) {
            let played = self_play(players, level, 2000..2000 + games);
            assert!(played.median_tiles() >= 25, "{level}: {:?}", played.tiles);
            assert!(played.idle * 20 <= played.games, "{level}: {} of {} idle", played.idle, played.games);
        }
    }
}

/// Whether the first word of `greedy` is that of a strong search, at main actions of games of all kinds, until there are `wanted`
/// positions in which the search builds and as many in which it decorates: the share for `build` and for `decorate`.
fn agreement(wanted: usize, strong: &str) -> [f64; 2] {
    let game = Arc::new(game(2));
    let (strong, greedy) = (spec(strong), spec("greedy"));
    let mut same: [Vec<bool>; 2] = [Vec::new(), Vec::new()];
    let verb = |report: &forbidden_games_core::search::Report| {
        let action = game.action_from_id(report.action).expect("its own id");
        ["build", "decorate"].into_iter().position(|verb| game.format_action(action).starts_with(verb))
    };
    let mut rng = Rng::stream(1, "agreement", 0);
    for seed in 0.. {
        if same.iter().all(|same| same.len() >= wanted) {
            break;
        }
        let player_of = spec(["random", "greedy", "mcts:simulations=200"][seed as usize % 3]);
        let mut state = game.new_state();
        loop {
            match game.turn(&state) {
                Turn::Over => break,
                Turn::Chance => {
                    let outcome = game.sample_outcome(&state, &mut rng, &mut Vec::new());
                    game.apply(&mut state, Step::Outcome(outcome));
                }
                Turn::Player(player) => {
                    let info = InformationState::of_state(&game, &state, player);
                    let chosen =
                        |agent: &AgentSpec, seed: u64| search(agent, &info, seed, None, &Interrupt::new()).expect("a report");
                    if state.phase == Phase::Main && rng.below(5) == 0 {
                        let best = verb(&chosen(&strong, seed));
                        if let Some(best) = best.filter(|&best| same[best].len() < wanted) {
                            same[best].push(verb(&chosen(&greedy, 0)) == Some(best));
                        }
                    }
                    let action = chosen(&player_of, rng.below(1 << 30).into()).action;
                    let action = game.action_from_id(action).expect("its own id");
                    game.apply(&mut state, Step::Action(action));
                }
            }
        }
    }
    same.map(|same| same.iter().filter(|&&same| same).count() as f64 / same.len() as f64)
}

#[test]
#[ignore = "400 searches of 20,000 simulations: make soak"]
fn soak_greedy_agrees_with_search() {
    let [build, decorate] = agreement(200, "mcts:simulations=20000");
    println!("greedy builds in {build:.3} of 200 positions where search builds, decorates in {decorate:.3} where it decorates");
    assert!(build >= 0.5 && decorate >= 0.5, "{build} {decorate}");
}

/// Positions in which cards are about to be drawn, from random games.
fn before_draws(players: usize, seeds: std::ops::Range<u64>) -> Vec<State> {
    let game = game(players);
    let mut found = Vec::new();
    for seed in seeds {
        let mut rng = Rng::stream(seed, "draws", 0);
        let mut state = game.new_state();
        while let Some(step) = random_step(&game, &state, &mut rng) {
            game.apply(&mut state, step);
            if state.phase == Phase::Draw && state.turn.drawn_cards().is_empty() {
                found.push(state.clone());
            }
        }
    }
    found
}

/// TG-5.8: before the cards are drawn a position is worth the mean of what it is worth after the draw.
#[test]
fn before_a_draw_is_the_mean_of_after() {
    for players in 2..=4 {
        let game = game(players);
        let (mut gap, mut count) = (0.0, 0.0);
        for (number, state) in before_draws(players, 0..12).into_iter().enumerate() {
            let mover = Player(state.turn.seat);
            let mut rng = Rng::stream(number as u64, "mean", 0);
            let mut mean = 0.0;
            for _ in 0..200 {
                let mut after = state.clone();
                while after.phase == Phase::Draw {
                    let outcome = game.sample_outcome(&after, &mut rng, &mut Vec::new());
                    game.apply(&mut after, Step::Outcome(outcome));
                }
                mean += game.evaluate(&after, mover) / 200.0;
            }
            if mean.abs() < 1000.0 {
                gap += (game.evaluate(&state, mover) - mean).abs();
                count += 1.0;
            }
        }
        println!("{players} seats: {count} draws, mean gap {:.3}", gap / count);
        assert!(count > 20.0 && gap / count < 0.5, "{players} seats: mean gap {} in {count} draws", gap / count);
    }
}

/// Cards that fit nowhere promise nothing: with every area taken, to decorate is worth no more than to have drawn in vain.
#[test]
fn cards_that_fit_nowhere_promise_nothing() {
    let game = game(2);
    for mut state in before_draws(2, 20..26) {
        let mover = Player(state.turn.seat);
        state.free_areas = [0; 6];
        let promised = game.evaluate(&state, mover);
        state.phase = Phase::Choose;
        state.turn.draws = 0;
        assert_eq!(promised.to_bits(), game.evaluate(&state, mover).to_bits(), "nothing drawn, nothing to choose");
    }
}

/// Two seats share what there is: what is good for one is as bad for the other.
#[test]
fn the_judgement_of_two_seats_adds_up_to_nothing() {
    let game = game(2);
    for seed in 0..4 {
        let mut rng = Rng::stream(seed, "sum", 0);
        let mut state = game.new_state();
        while let Some(step) = random_step(&game, &state, &mut rng) {
            game.apply(&mut state, step);
            let [own, other] = [0, 1].map(|seat| game.evaluate(&state, Player(seat)));
            assert!((own + other).abs() < 1e-9, "{own} and {other}");
        }
    }
}
