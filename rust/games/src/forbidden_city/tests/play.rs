//! Random games at every option: invariants, JSON, sampling, length, hidden information.

use std::collections::HashMap;

use serde_json::json;

use forbidden_games_core::canvas::Canvas;
use forbidden_games_core::contract::{
    Audit, Data, DrawRequest, Drawing, Features, Judgement, Knowledge, Notation, Observed, Rules, Setup,
};
use forbidden_games_core::event::NoEvents;

use forbidden_games_core::outcome::Fraction;
use forbidden_games_core::rng::Rng;

use super::*;

#[test]
fn fc_12_invariants_and_json_in_random_games() {
    for (index, game) in games().iter().enumerate() {
        random_games(game, if index % 3 == 1 { 2 } else { 1 }, |state| check(game, state));
    }
}

#[test]
fn fc_7_6_length() {
    for (players, plies) in [(2, 56), (3, 66), (4, 88)] {
        let game = house(players);
        assert_eq!((game.max_plies(), game.max_chance_nodes()), (plies, plies));
        random_games(&game, 2, |state| {
            if game.is_terminal(state) {
                assert_eq!(game.ply(state) as usize, plies);
                let sum: i64 =
                    game.exact_returns(state).iter().map(|share: &Fraction| share.numerator * 12 / share.denominator).sum();
                assert_eq!(sum, 0);
            }
        });
    }
}

#[test]
fn sampling_without_a_list_gives_what_the_list_gives() {
    let game = house(3);
    let mut scratch = Vec::new();
    random_games(&game, 10, |state| {
        for seed in 0..3 {
            let rng = || Rng::stream(seed, "sample", u64::from(game.ply(state)));
            let (mut fast, mut slow) = (rng(), rng());
            match game.turn(state) {
                Turn::Player(_) => {
                    game.legal_actions(state, &mut scratch);
                    let expected = scratch[slow.below(scratch.len() as u32) as usize];
                    assert_eq!(game.sample_action(state, &mut fast, &mut Vec::new()), expected);
                    scratch.clear();
                }
                Turn::Chance => {
                    let mut outcomes = Vec::new();
                    game.chance_outcomes(state, &mut outcomes);
                    let mut drawn = slow.below(outcomes.iter().map(|(_, weight)| weight).sum());
                    let expected = outcomes.iter().find(|(_, weight)| match drawn.checked_sub(*weight) {
                        None => true,
                        Some(rest) => {
                            drawn = rest;
                            false
                        }
                    });
                    assert_eq!(Some(game.sample_outcome(state, &mut fast, &mut Vec::new())), expected.map(|(outcome, _)| *outcome));
                }
                Turn::Over => {}
            }
            assert_eq!(fast.next_u64(), slow.next_u64(), "one draw each");
        }
    });
}

#[test]
fn fc_12_8_the_order_of_laying_does_not_count() {
    let game = house(2);
    let [one, other] = ["0,2 g-A3 0 r0; 2,0 p-A3 1 r0; 1,2 w-A2 1 r3", "2,0 p-A3 1 r0; 0,2 g-A3 0 r0; 1,2 w-A2 1 r3"]
        .map(|laid| position(&game, laid, json!({"coins": [5, 5]})));
    assert_eq!(one, other);
    assert_eq!(game.state_to_json(&one).to_string(), game.state_to_json(&other).to_string());
    let hash = |state: &State| {
        use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
        BuildHasherDefault::<DefaultHasher>::default().hash_one(state)
    };
    assert_eq!(hash(&one), hash(&other));
    let different = position(&game, "0,2 g-A3 0 r0; 2,0 p-A3 1 r0; 1,2 w-A2r 1 r3", json!({"coins": [5, 5]}));
    assert_ne!(one, different);
}

#[test]
fn fc_8_other_hands_change_nothing_a_seat_sees() {
    let game = house(3);
    let mut buffers = [0, 1].map(|_| vec![0.0; game.observation_layout().size()]);
    let mut rng = Rng::stream(1, "test", 1);
    random_games(&game, 3, |state| {
        for viewer in 0..3 {
            let observation = game.observation(state, seat(viewer));
            let world = game.sample_world(&observation, &mut rng);
            game.check_invariants(&world).expect("a world");
            assert_eq!(
                (game.turn(&world), game.phase(&world), game.ply(&world)),
                (game.turn(state), game.phase(state), game.ply(state))
            );
            let again = game.observation(&world, seat(viewer));
            assert_eq!(observation, again);
            let json = game.observation_to_json(&observation);
            assert_eq!(json.to_string(), game.observation_to_json(&again).to_string());
            let read = game.observation_from_json(&json, seat(viewer)).unwrap_or_else(|error| panic!("{error}\n{json}"));
            assert_eq!(read, observation);
            game.check_invariants(&game.sample_world(&read, &mut rng)).expect("a world of what was read");
            for (buffer, seen) in buffers.iter_mut().zip([&observation, &again]) {
                buffer.fill(0.0);
                game.encode(seen, buffer);
            }
            assert_eq!(buffers[0], buffers[1]);
            assert_eq!(game.evaluate(state, seat(viewer)), game.evaluate(&world, seat(viewer)));
        }
    });
}

#[test]
fn fc_8_2_a_hand_that_a_seat_cannot_know_is_refused() {
    let game = house(2);
    let mut state = game.new_state();
    play(&game, &mut state, "g-A3; p-A3");
    let json = game.state_to_json(&state);
    let error = game.observation_from_json(&json, seat(1)).expect_err("the hand of seat 0").to_string();
    assert_eq!(error, "state: hands[0]: found \"g-A3\", expected null: seat 1 does not know it (FC-8.2)");
}

#[test]
fn fc_8_3_frequencies_of_worlds() {
    let game = test_set(2);
    let mut state = game.new_state();
    play(&game, &mut state, "pass; cap");
    let observation = game.observation(&state, seat(0));
    let mut rng = Rng::stream(3, "test", 0);
    let mut counts: HashMap<u8, u32> = HashMap::new();
    let draws = 28_000;
    for _ in 0..draws {
        let world = game.sample_world(&observation, &mut rng);
        assert_eq!(world.hands[0], state.hands[0]);
        *counts.entry(world.hands[1]).or_default() += 1;
    }
    let chi_square: f64 = (0_u8..10)
        .map(|kind| {
            let expected = f64::from(draws) * f64::from(state.unplayed(1)[usize::from(kind)]) / 14.0;
            (f64::from(counts[&kind]) - expected).powi(2) / expected
        })
        .sum();
    assert!(chi_square < 33.7, "chi-square {chi_square} with 9 degrees of freedom");
}

#[test]
fn what_a_seat_sees_of_a_step() {
    let game = test_set(2);
    let start = game.new_state();
    let draw = game.parse_step(&start, "cap").expect("a draw");
    assert_eq!(game.format_observed(game.observed(&start, draw, seat(1))), "a hidden draw of seat 0");
    assert_eq!(game.format_observed(game.observed(&start, draw, seat(0))), "draw cap");
    let [mut one, mut other] = [start.clone(), start];
    play(&game, &mut one, "cap; cap");
    play(&game, &mut other, "tri; cap");
    assert_ne!(one, other);
    let mut later = one.clone();
    play(&game, &mut later, "0,2 r3");
    let draw = game.parse_step(&later, "tri").expect("a draw");
    assert_eq!(game.observed(&later, draw, seat(1)), Observed::NOTHING, "who draws is known");
    let step = game.parse_step(&one, "0,2 r3").expect("an action");
    let [first, second] = [&one, &other].map(|state| game.observed(state, step, seat(1)));
    assert_ne!(first, second, "the kind is seen as well as the place");
    assert_eq!(game.format_observed(first), "cap 0,2 r3");
}

/// FC-8.4: seat 2 sees the same after one and after two draws of the others, so the worlds are the same too.
#[test]
fn equal_observations_give_equal_worlds() {
    let game = test_set(3);
    let mut state = game.new_state();
    let mut seen = Vec::new();
    while game.phase(&state) == "deal" {
        let observation = game.observation(&state, seat(2));
        let read = game.observation_from_json(&game.observation_to_json(&observation), seat(2)).expect("an observation");
        let world = |observation| game.sample_world(observation, &mut Rng::stream(1, "world", 0));
        assert_eq!(world(&observation), world(&read));
        seen.push((observation.clone(), world(&observation)));
        let mut outcomes = Vec::new();
        game.chance_outcomes(&state, &mut outcomes);
        game.apply_outcome(&mut state, outcomes[0].0, &mut NoEvents);
    }
    assert_eq!(seen.len(), 3);
    assert_eq!(seen[0], seen[1], "before and after the first draw");
    assert_eq!(seen[1], seen[2], "and after the second");
}

#[test]
fn different_observations_never_draw_alike() {
    for game in [house(4), game(2, json!({"components": "test-1", "table": 15, "side": "advanced"}))] {
        let mut drawn: HashMap<String, String> = HashMap::new();
        for width in [60, 80] {
            drawn.clear();
            random_games(&game, 4, |state| {
                for viewer in 0..2 {
                    let observation = game.observation(state, seat(viewer));
                    let mut canvas = Canvas::new();
                    game.draw(&observation, &DrawRequest { width, ..DrawRequest::default() }, &mut canvas);
                    assert!(canvas.width() <= width, "{} columns\n{}", canvas.width(), canvas.to_text(false, false));
                    let json = format!("{viewer} {}", game.observation_to_json(&observation));
                    let earlier = drawn.entry(canvas.to_text(false, true)).or_insert_with(|| json.clone());
                    assert_eq!(*earlier, json);
                }
            });
        }
    }
}

#[test]
fn pictures_explain_their_signs_and_end_with_the_hand() {
    let game = house(2);
    let mut canvas = Canvas::new();
    game.draw(&game.observation(&game.new_state(), seat(0)), &DrawRequest::default(), &mut canvas);
    let text = canvas.to_text(false, true);
    for sign in ["p pink (not the purple seat)", "-- wall", "# garden", "^ temple", ".1.3 only r1 and r3", "* last move"] {
        assert!(text.contains(sign), "{sign}\n{text}");
    }
    let [list, legend, hand] = ["your unplayed tiles", "legend: ", "your hand"].map(|part| text.find(part).expect("drawn"));
    assert!(list < legend && legend < hand, "{text}");
}

#[test]
fn a_state_is_small() {
    assert!(size_of::<State>() <= 2048, "{} bytes", size_of::<State>());
}

/// One seat takes the action after which `evaluate` is highest, the others play at random.
fn greedy_game(game: &Game, greedy: usize, seed: u64) -> State {
    let mut rng = Rng::stream(seed, "test", 2);
    let mut state = game.new_state();
    let mut legal = Vec::new();
    while !game.is_terminal(&state) {
        if game.turn(&state) != Turn::Player(seat(greedy)) {
            step_randomly(game, &mut state, &mut rng);
            continue;
        }
        legal.clear();
        game.legal_actions(&state, &mut legal);
        let value = |action| {
            let mut child = state.clone();
            game.apply(&mut child, Step::Action(action));
            game.evaluate(&child, seat(greedy))
        };
        let best = legal.iter().copied().max_by(|&a, &b| value(a).total_cmp(&value(b))).expect("an action");
        game.apply(&mut state, Step::Action(best));
    }
    state
}

#[test]
fn greedy_play_beats_random_play() {
    for players in 2..=4 {
        let game = house(players);
        let won =
            (0..20).filter(|&seed| game.ranking(&greedy_game(&game, seed as usize % players, seed))[seed as usize % players] == 1);
        assert!(won.count() >= 19, "with {players} seats");
    }
}

#[test]
fn coins_are_three_digits() {
    let game = house(2);
    let state = position(&game, "", json!({"coins": [199, 1_000_000]}));
    let mut values = vec![0.0; game.observation_layout().size()];
    game.encode(&game.observation(&state, seat(1)), &mut values);
    let block = |name: &str| {
        let block = game.observation_layout().blocks().iter().find(|block| block.name == name).expect("a block");
        &values[block.offset..block.offset + block.len()]
    };
    // 1,000,000 is 0x0f4240.
    assert_eq!((block("coins"), block("more_coins")), ([0.64, 1.99].as_slice(), [66.0, 15.0, 0.0, 0.0].as_slice()));
    assert!(game.observation_layout().check_u8().is_ok());
}

#[test]
fn the_window_says_what_lies_outside() {
    let whole = house(2);
    let small = house(2).with_window(5).expect("a size");
    assert_eq!(whole.observation_layout().size() * size_of::<f32>(), 51_208);
    let laid = position(&whole, "0,2 g-A2 0 r0; 1,2 p-A2r 1 r3; 2,2 p-A3 0 r0; 3,2 p-A2 0 r0", json!({"hands": ["p-A1c", "g-A3"]}));
    let encoded = |game: &Game, state: &State| {
        let mut values = vec![0.0; game.observation_layout().size()];
        game.encode(&game.observation(state, seat(1)), &mut values);
        values
    };
    let block = |game: &Game, name: &str| {
        let block = game.observation_layout().blocks().iter().find(|block| block.name == name).expect("a block").clone();
        block.offset..block.offset + block.len()
    };
    assert_eq!(encoded(&small, &small.new_state())[block(&small, "window")], [0.0; 4]);
    assert_eq!(encoded(&small, &laid)[block(&small, "window")], [0.05, 0.0, 0.0, 0.0]);
    assert_eq!(encoded(&small, &laid)[block(&small, "outside")], [0.0]);
    let wide = position(&whole, "0,2 g-A2 0 r0; 1,2 p-A2r 1 r3; 2,2 p-A3 0 r0; 3,2 p-A2 0 r0; 4,2 p-A1c 0 r0", json!({}));
    assert_eq!(encoded(&small, &wide)[block(&small, "window")], [0.05, 0.0, 0.0, 0.0]);
    assert_eq!(encoded(&small, &wide)[block(&small, "outside")], [1.0]);
    assert_eq!(encoded(&whole, &wide)[block(&whole, "window")], [0.05, 0.0, 0.0, 0.0]);
    assert_eq!(encoded(&whole, &wide)[block(&whole, "outside")], [0.0]);
    // The tile of seat 0 on 0,2 is the next seat's, seen from seat 1: in the top row, one column left of the middle.
    let board = &encoded(&small, &laid)[block(&small, "board")];
    assert_eq!(board[25..50].iter().sum::<f32>(), 3.0);
    assert_eq!(board[25 + 1], 1.0);
    for window in [0, 1, 2, 4, 254, 255, usize::MAX] {
        let error = house(2).with_window(window).expect_err("no such size").to_string();
        assert_eq!(error, format!("option window: found {window}, expected an odd integer from 3 to 253"));
    }
}
