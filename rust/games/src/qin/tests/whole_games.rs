//! QN-11.2: whole games, and QN-11.3: perft.

use super::super::legal::num_placements;
use super::*;
use forbidden_games_core::contract;
use forbidden_games_core::contract::{Audit, Data, Rules};

const M1: [&str; 7] = ["......b.", "..b~#..#", ".....r..", ".b......", "#..~....", "........", "...r...."];
const M2: [&str; 7] = ["r.......", ".r.b....", "........", "........", ".r.#...b", "......#.", "...b...."];

fn own_board(name: &str) -> Value {
    let (grid, tiles) = match name {
        "m1" => (M1, [0, 0, 0, 1, 0, 20]),
        "m2" => (M2, [20, 0, 0, 0, 16, 20]),
        _ => (M2, [2; 6]),
    };
    let tiles: serde_json::Map<String, Value> =
        Kind::all().map(|kind| (kind.name().to_owned(), tiles[kind.index()].into())).collect();
    json!({"name": "test", "grid": grid, "tiles": tiles})
}

fn game_on(name: &str, players: usize, mut options: Value) -> Game {
    if ["bird", "lion"].contains(&name) {
        options["board"] = name.into();
        game(players, options, None).unwrap()
    } else {
        game(players, options, Some(own_board(name))).unwrap()
    }
}

/// Id, board, players, options, `s`, plies, chance, legal, end, supply, ranking, provinces.
type Row =
    (&'static str, &'static str, usize, Value, usize, usize, usize, usize, &'static str, &'static [u8], &'static [u8], usize);

#[test]
fn w1_to_w17() {
    let group = || json!({"villages": "group"});
    let both = json!({"villages": "group", "absorb_major": "outnumbered"});
    let outnumbered = json!({"absorb_major": "outnumbered"});
    #[rustfmt::skip]
    let games: [Row; 17] = [
        ("W1", "bird", 2, json!({}), 0, 72, 72, 6608, "tiles", &[2, 4], &[1, 2], 24),
        ("W2", "bird", 2, json!({}), 54, 65, 70, 9405, "pagodas", &[10, 0], &[2, 1], 25),
        ("W3", "bird", 2, group(), 54, 69, 72, 9458, "board", &[9, 1], &[2, 1], 27),
        ("W4", "bird", 3, json!({}), 18, 70, 72, 7646, "board", &[1, 6, 1], &[1, 3, 1], 29),
        ("W5", "bird", 3, group(), 31, 66, 72, 8922, "pagodas", &[0, 13, 5], &[1, 3, 2], 25),
        ("W6", "bird", 4, json!({}), 27, 69, 72, 8036, "board", &[6, 8, 2, 2], &[3, 4, 1, 1], 28),
        ("W7", "lion", 2, json!({}), 1, 52, 57, 4847, "pagodas", &[9, 0], &[2, 1], 21),
        ("W8", "lion", 3, json!({}), 45, 59, 67, 6638, "board", &[3, 13, 3], &[1, 3, 1], 20),
        ("W9", "lion", 4, json!({}), 19, 56, 67, 6070, "pagodas", &[2, 0, 10, 7], &[2, 1, 4, 3], 21),
        ("W10", "lion", 4, group(), 36, 62, 72, 5949, "board", &[2, 2, 2, 3], &[1, 1, 1, 4], 33),
        ("W11", "m1", 3, group(), 4, 22, 21, 370, "passes", &[17, 11, 19], &[2, 1, 3], 5),
        ("W12", "m1", 3, json!({}), 3, 21, 21, 338, "passes", &[18, 17, 12], &[3, 2, 1], 5),
        ("W13", "m2", 2, both, 7, 21, 26, 1262, "board", &[18, 18], &[1, 1], 8),
        ("W14", "m2", 2, group(), 7, 21, 26, 1257, "board", &[18, 16], &[2, 1], 10),
        ("W15", "m2", 2, outnumbered, 0, 23, 28, 1158, "board", &[17, 22], &[1, 2], 4),
        ("W16", "m3", 2, json!({}), 3, 12, 12, 1257, "tiles", &[22, 17], &[2, 1], 6),
        ("W17", "m3", 4, json!({}), 5, 12, 12, 1056, "tiles", &[14, 12, 12, 14], &[3, 1, 1, 3], 6),
    ];
    for (id, board, players, options, stride, plies, chance, listed, end, supply, ranking, provinces) in games {
        let game = game_on(board, players, options);
        let mut state = game.new_state();
        let (mut chance_nodes, mut listed_actions) = (0, 0);
        loop {
            game.check_invariants(&state).unwrap_or_else(|reason| panic!("{id}: {reason}"));
            match game.turn(&state) {
                Turn::Over => break,
                Turn::Chance => {
                    let mut outcomes = Vec::new();
                    game.chance_outcomes(&state, &mut outcomes);
                    let outcome = outcomes[chance_nodes % outcomes.len()].0;
                    chance_nodes += 1;
                    contract::play(&game, &mut state, Step::Outcome(outcome), &mut NoEvents).unwrap();
                }
                Turn::Player(_) => {
                    let mut notations = legal(&game, &state);
                    notations.sort_unstable();
                    listed_actions += notations.len();
                    let text = &notations[stride * game.ply(&state) as usize % notations.len()];
                    contract::play(&game, &mut state, Step::Action(action(&game, text)), &mut NoEvents).unwrap();
                }
            }
        }
        let json = game.state_to_json(&state);
        let found = (game.ply(&state) as usize, chance_nodes, listed_actions, json["provinces"].as_array().unwrap().len());
        assert_eq!(found, (plies, chance, listed, provinces), "{id}");
        assert_eq!(json["end"], end, "{id}");
        assert_eq!(json["supply"], json!(supply), "{id}");
        if end == "passes" {
            // QN-12, 8
            let placements = |hand| num_placements(&game, &state, hand);
            assert!(state.hands.iter().all(|&hand| placements(hand) == 0), "{id}");
        }
        assert_eq!(game.ranking(&state).as_slice(), ranking, "{id}");
    }
}

fn perft(game: &Game, state: &State, depth: usize) -> u64 {
    let mut state = state.clone();
    while game.turn(&state) == Turn::Chance {
        let mut outcomes = Vec::new();
        game.chance_outcomes(&state, &mut outcomes);
        game.apply(&mut state, Step::Outcome(outcomes[0].0));
    }
    if depth == 0 {
        return 1;
    }
    let mut actions = Vec::new();
    game.legal_actions(&state, &mut actions);
    if depth == 1 {
        return actions.len() as u64;
    }
    let mut sum = 0;
    for action in actions {
        let mut child = state.clone();
        game.apply(&mut child, Step::Action(action));
        sum += perft(game, &child, depth - 1);
    }
    sum
}

#[test]
fn perft_qn_11_3() {
    for (board, players, counts) in [
        ("bird", 2, [28, 886, 30745]),
        ("lion", 3, [30, 992, 34928]),
        ("m1", 2, [62, 1922, 88382]),
        ("m3", 2, [105, 14556, 1335688]),
    ] {
        let game = game_on(board, players, json!({}));
        for (depth, count) in (1..).zip(counts) {
            assert_eq!(perft(&game, &game.new_state(), depth), count, "{board} depth {depth}");
        }
    }
}
