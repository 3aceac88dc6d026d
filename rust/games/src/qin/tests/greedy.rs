//! The evaluation, by what a seat reaches that looks one placement ahead.

use forbidden_games_core::contract::{Judgement, Knowledge, Notation, Rules};
use forbidden_games_core::player::{ByPlayer, Player};
use forbidden_games_core::rng::Rng;
use forbidden_games_core::testing::random_step;

use super::super::evaluate::{DUEL, Weights};
use super::*;

/// The judgement for one seat by these weights.
fn judged(game: &Game, state: &State, player: Player, weights: &Weights) -> f64 {
    let mut values = ByPlayer::new();
    game.judge_with(state, weights, &mut values);
    values[player.index()]
}

/// The placement after which the seat to move stands best; results first.
fn best(game: &Game, state: &State, player: Player, weights: &Weights) -> Action {
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    let value = |action: Action| {
        let mut next = state.clone();
        game.apply(&mut next, Step::Action(action));
        let result = if game.is_terminal(&next) { 1e6 * f64::from(game.returns(&next)[player.index()]) } else { 0.0 };
        result + judged(game, &next, player, weights)
    };
    let mut chosen = (f64::NEG_INFINITY, actions[0]);
    for action in actions {
        let value = value(action);
        if value > chosen.0 {
            chosen = (value, action);
        }
    }
    chosen.1
}

/// Points of seat `agent`, who judges by `own`; the others judge by `others` or play at random. 1 a win, 1/2 a shared one.
fn duel(game: &Game, seed: u64, agent: usize, own: &Weights, others: Option<&Weights>) -> f64 {
    let mut state = game.new_state();
    let mut rng = Rng::stream(seed, "duel", 0);
    loop {
        match game.turn(&state) {
            Turn::Over => break,
            Turn::Chance => {
                let outcome = game.sample_outcome(&state, &mut rng, &mut Vec::new());
                game.apply(&mut state, Step::Outcome(outcome));
            }
            Turn::Player(player) => {
                let weights = if player.index() == agent { Some(own) } else { others };
                let action = match weights {
                    Some(weights) => best(game, &state, player, weights),
                    None => game.sample_action(&state, &mut rng, &mut Vec::new()),
                };
                game.apply(&mut state, Step::Action(action));
            }
        }
    }
    let ranking = game.ranking(&state);
    let first = ranking.iter().filter(|&&rank| rank == 1).count() as f64;
    if ranking[agent] == 1 { 1.0 / first } else { 0.0 }
}

#[test]
fn one_placement_ahead_beats_random() {
    for (board, players) in [("bird", 2), ("lion", 3)] {
        let game = game(players, json!({"board": board}), None).unwrap();
        let games = 6 * players as u64;
        let points: f64 = (0..games).map(|seed| duel(&game, seed, seed as usize % players, Weights::among(players), None)).sum();
        assert!(points >= 0.9 * games as f64, "{points} of {games} on {board}");
    }
}

#[test]
fn the_evaluation_is_defined_everywhere_and_blind_to_hands() {
    let game = game(3, json!({}), None).unwrap();
    let mut state = game.new_state();
    let mut rng = Rng::stream(8, "evaluation", 0);
    loop {
        for player in Player::all(3) {
            let value = game.evaluate(&state, player);
            assert!(value.is_finite());
            let world = game.sample_world(&game.observation(&state, Player((player.0 + 1) % 3)), &mut rng);
            assert_eq!(game.evaluate(&world, player).to_bits(), value.to_bits());
        }
        match game.turn(&state) {
            Turn::Over => break,
            Turn::Chance => {
                let outcome = game.sample_outcome(&state, &mut rng, &mut Vec::new());
                game.apply(&mut state, Step::Outcome(outcome));
            }
            Turn::Player(_) => {
                let action = game.sample_action(&state, &mut rng, &mut Vec::new());
                game.apply(&mut state, Step::Action(action));
            }
        }
    }
}

/// Where no village changes hands, a placement looks as good as what lies on the board is worth afterwards.
#[test]
fn a_placement_looks_as_good_as_what_it_brings() {
    let weights = Weights { reply: 0.0, ..DUEL };
    let rows = ["..........", "..r....b..", "..........", ".y.....r..", "..........", "....b....."].join("/");
    for players in 2..=4 {
        let game = game(players, json!({"absorb_major": "outnumbered"}), Some(board(&rows))).unwrap();
        for seed in 0..20 {
            let mut state = game.new_state();
            let mut rng = Rng::stream(seed, "looks", 0);
            while game.ply(&state) < 16 {
                if let Turn::Player(player) = game.turn(&state) {
                    let (mut actions, mut looks) = (Vec::new(), Vec::new());
                    game.legal_actions(&state, &mut actions);
                    game.look(&state, player, &actions, &mut Default::default(), &mut looks);
                    let before = judged(&game, &state, player, &weights);
                    for (&action, look) in actions.iter().zip(looks) {
                        let mut next = state.clone();
                        game.apply(&mut next, Step::Action(action));
                        let brought = judged(&game, &next, player, &weights) - before;
                        assert!((look - brought).abs() < 1e-9, "{}: {look} {brought}", game.format_action(action));
                    }
                }
                let Some(step) = random_step(&game, &state, &mut rng) else { break };
                game.apply(&mut state, step);
            }
        }
    }
}

/// With more than two seats, who has few pagodas left is ahead by more than their number; a last pagoda counts when it is placed.
#[test]
fn a_seat_about_to_finish_is_in_front() {
    let weights = Weights::among(4);
    let without = Weights { finish: [0.0; 4], ..*weights };
    let game = game(4, json!({}), None).unwrap();
    let mut met = [false; 6];
    for seed in 0..30 {
        let mut state = game.new_state();
        let mut rng = Rng::stream(seed, "finish", 0);
        while let Some(step) = random_step(&game, &state, &mut rng) {
            game.apply(&mut state, step);
            let left = state.public.supply[..4].iter().map(|&left| usize::from(left));
            let more: Vec<f64> = left.clone().map(|left| [0.0, 3.0, 2.0, 1.0, 0.5].get(left).copied().unwrap_or(0.0)).collect();
            left.for_each(|left| met[left.min(5)] = true);
            for player in Player::all(4) {
                let others: f64 = more.iter().sum::<f64>() - more[player.index()];
                let found = judged(&game, &state, player, weights) - judged(&game, &state, player, &without);
                let expected = if game.is_terminal(&state) { 0.0 } else { more[player.index()] - others / 3.0 };
                assert!((found - expected).abs() < 1e-9, "{found} {expected}");
            }
        }
    }
    assert!(met[1..].iter().all(|&met| met), "{met:?}");
}

/// `WEIGHTS_A="minor2 minor3 minor4 major village reply later win left1 left2 left3 left4"` against `WEIGHTS_B` (or the
/// weights in use), `SEATS` seats, `DUELS` games each way.
#[test]
#[ignore = "a measurement: run with --release --nocapture"]
fn compare_weights() {
    let players: usize = std::env::var("SEATS").ok().and_then(|text| text.parse().ok()).unwrap_or(2);
    let read = |name: &str| {
        let text = std::env::var(name).unwrap_or_default();
        let numbers: Vec<f64> = text.split_whitespace().filter_map(|number| number.parse().ok()).collect();
        match numbers[..] {
            [a, b, c, major, village, reply, later, win, one, two, three, four] => {
                Weights { minor: [a, b, c], major, village, reply, later, win, finish: [one, two, three, four] }
            }
            _ => *Weights::among(players),
        }
    };
    let (own, others) = (read("WEIGHTS_A"), read("WEIGHTS_B"));
    let duels: u64 = std::env::var("DUELS").ok().and_then(|text| text.parse().ok()).unwrap_or(50);
    let against = (std::env::var("WEIGHTS_B").as_deref() != Ok("random")).then_some(&others);
    for board in ["bird", "lion"] {
        let game = game(players, json!({"board": board}), None).unwrap();
        let start = std::time::Instant::now();
        let games = duels * players as u64;
        let points: f64 =
            (0..games).map(|number| duel(&game, number / players as u64, number as usize % players, &own, against)).sum();
        println!("{board}: {points} of {games}, {:.2} s a game", start.elapsed().as_secs_f64() / games as f64);
    }
}
