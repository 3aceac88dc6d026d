//! QN-8: what a seat sees, and the worlds that fit.

use std::collections::BTreeMap;

use forbidden_games_core::canvas::Canvas;
use forbidden_games_core::contract::{self, Data, DrawRequest, Drawing, Features, Knowledge, Observed, Rules};
use forbidden_games_core::event::Event;
use forbidden_games_core::player::Player;
use forbidden_games_core::rng::Rng;
use forbidden_games_core::testing::random_step;

use super::*;

/// A position some plies into a random game.
fn middle(game: &Game, seed: u64, plies: u32) -> State {
    let mut state = game.new_state();
    let mut rng = Rng::stream(seed, "middle", 0);
    while game.ply(&state) < plies
        && let Some(step) = random_step(game, &state, &mut rng)
    {
        game.apply(&mut state, step);
    }
    state
}

#[test]
fn an_observation_is_the_same_whatever_the_others_hold() {
    let game = game(3, json!({}), None).unwrap();
    let layout = game.observation_layout().size();
    for seed in 0..20 {
        let state = middle(&game, seed, seed as u32 * 3);
        let viewer = Player(seed as u8 % 3);
        let observation = game.observation(&state, viewer);
        let mut other = game.sample_world(&observation, &mut Rng::stream(seed, "world", 1));
        // A swap that no sampling would rather avoid: what the first other seat holds goes into the pile.
        let hidden = (viewer.index() + 1) % 3;
        if let (Some(out), Some(back)) = (other.hands[hidden].kinds().next(), Kind::all().find(|kind| other.pile[kind.index()] > 0))
        {
            other.hands[hidden].0[out.index()] -= 1;
            other.pile[out.index()] += 1;
            other.hands[hidden].0[back.index()] += 1;
            other.pile[back.index()] -= 1;
        }
        let again = game.observation(&other, viewer);
        assert_eq!(again, observation);
        assert_eq!(game.observation_to_json(&again).to_string(), game.observation_to_json(&observation).to_string());
        let encode = |observation| {
            let mut out = vec![0.0; layout];
            game.encode(observation, &mut out);
            out.iter().map(|value| value.to_bits()).collect::<Vec<_>>()
        };
        assert_eq!(encode(&again), encode(&observation));
        let draw = |observation| {
            let mut canvas = Canvas::new();
            game.draw(observation, &DrawRequest::default(), &mut canvas);
            canvas.to_text(true, false)
        };
        assert_eq!(draw(&again), draw(&observation));
    }
}

#[test]
fn an_observation_hides_the_pile_and_the_other_hands() {
    let game = game(2, json!({}), None).unwrap();
    let state = middle(&game, 1, 9);
    let whole = game.state_to_json(&state);
    let seen = game.observation_to_json(&game.observation(&state, Player(1)));
    for (key, value) in whole.as_object().unwrap() {
        match key.as_str() {
            "hands" => assert_eq!(seen["hands"], json!([null, value[1]])),
            "pile" => assert!(seen["pile"].is_null()),
            _ => assert_eq!(&seen[key], value),
        }
    }
    assert!(game.observation_from_json(&whole, Player(1)).unwrap_err().to_string().contains("hands[0]"));
    assert!(game.observation_from_json(&seen, Player(0)).is_err());
    assert!(game.observation_from_json(&seen, Player(3)).is_err());
    assert_eq!(game.observation_from_json(&seen, Player(1)).unwrap(), game.observation(&state, Player(1)));
}

#[test]
fn only_the_drawer_learns_a_draw() {
    let game = game(2, json!({}), None).unwrap();
    let state = middle(&game, 2, 5);
    assert_eq!(game.turn(&state), Turn::Chance);
    let drawer = Player(state.public.seat);
    let step = Step::Outcome(Kind::from_name("ry").unwrap());
    let learnt = game.observed(&state, step, drawer);
    assert_eq!(game.format_observed(learnt), "draw ry");
    assert_eq!(game.observed(&state, step, drawer.next(2)), Observed::NOTHING);
    assert_eq!(game.format_observed(Observed::NOTHING), "hidden draw");
    let act = Step::Action(action(&game, "ry:d4e4"));
    assert_eq!(game.format_observed(game.observed(&state, act, Player(0))), "ry:d4e4");
    let mut events: Vec<Event> = Vec::new();
    game.apply_outcome(&mut state.clone(), Kind::from_name("ry").unwrap(), &mut events);
    assert!(events.iter().all(|event| event.is_visible_to(drawer) && !event.is_visible_to(drawer.next(2))));
}

/// QN-8.3: frequencies of whole worlds against the product of hypergeometric probabilities, by chi-square.
#[test]
fn worlds_follow_qn_8_3() {
    let mut own = board("...r/..../....");
    own["tiles"] = json!({"bb": 3, "br": 2, "by": 1, "rr": 4, "ry": 1, "yy": 1});
    let game = game(3, json!({}), Some(own)).unwrap();
    let mut state = game.new_state();
    for kind in kinds("bb br rr bb bb by rr rr br") {
        contract::play(&game, &mut state, Step::Outcome(kind), &mut NoEvents).unwrap();
    }
    let observation = game.observation(&state, Player(1));
    let unseen = [1_u8, 2, 0, 4, 1, 1];
    let choose = |n: u8, k: u8| (0..k).fold(1.0, |product, i| product * f64::from(n - i.min(n)) / f64::from(i + 1));
    let all_hands = || {
        let mut hands = Vec::new();
        for code in 0..4_usize.pow(6) {
            let hand: [u8; 6] = std::array::from_fn(|kind| (code / 4_usize.pow(kind as u32) % 4) as u8);
            if hand.iter().sum::<u8>() == 3 {
                hands.push(hand);
            }
        }
        hands
    };
    let mut expected = BTreeMap::new();
    for first in all_hands() {
        for second in all_hands() {
            let ways = |left: [u8; 6], hand: [u8; 6]| (0..6).map(|kind| choose(left[kind], hand[kind])).product::<f64>();
            let fits = (0..6).all(|kind| first[kind] + second[kind] <= unseen[kind]);
            if fits {
                let left = std::array::from_fn(|kind| unseen[kind] - first[kind]);
                let probability = ways(unseen, first) / choose(9, 3) * ways(left, second) / choose(6, 3);
                expected.insert((first, second), probability);
            }
        }
    }
    assert!((expected.values().sum::<f64>() - 1.0).abs() < 1e-9);
    let samples = 200_000;
    let mut found: BTreeMap<_, u32> = BTreeMap::new();
    let mut rng = Rng::stream(3, "worlds", 0);
    for _ in 0..samples {
        let world = game.sample_world(&observation, &mut rng);
        assert_eq!(game.observation(&world, Player(1)), observation);
        *found.entry((world.hands[0].0, world.hands[2].0)).or_default() += 1;
    }
    let chi_square: f64 = expected
        .iter()
        .map(|(world, probability)| {
            let mean = probability * f64::from(samples);
            (f64::from(found.get(world).copied().unwrap_or(0)) - mean).powi(2) / mean
        })
        .sum();
    assert!(found.keys().all(|world| expected.contains_key(world)));
    let freedom = (expected.len() - 1) as f64;
    assert!(chi_square < freedom + 4.0 * (2.0 * freedom).sqrt(), "chi-square {chi_square} with {freedom} degrees of freedom");
}

#[test]
fn the_blocks_hold_what_they_say() {
    let script = Script::with(3, json!({"villages": "group"}), board(".b../.#../..~."), "bb:c1d1 ry:c2d2");
    let (game, state) = (&script.game, &script.shown);
    let viewer = Player(1);
    let mut out = vec![0.0; game.observation_layout().size()];
    game.encode(&game.observation(state, viewer), &mut out);
    let block = |name: &str| {
        let block = game.observation_layout().blocks().iter().find(|block| block.name == name).expect("a block");
        out[block.offset..block.offset + block.len()].to_vec()
    };
    let ones = |name: &str| block(name).iter().enumerate().filter(|one| *one.1 != 0.0).map(|one| one.0).collect::<Vec<_>>();
    // Squares of a plane: a1 0, b1 1, c1 2, d1 3, a2 4, b2 5, c2 6, d2 7, a3 8, b3 9, c3 10, d3 11.
    assert_eq!(ones("spaces"), [1, 2, 3, 12 + 6, 24 + 7]);
    assert_eq!(ones("ground"), [0, 4, 8, 9, 11, 12 + 10, 24 + 5]);
    assert_eq!(ones("free_pairs"), [12], "a1 a2 only");
    assert_eq!(ones("province_owner"), [24 + 1, 24 + 2, 24 + 3], "seat 0 is the last from seat 1");
    assert_eq!(block("province_pagodas")[..4], [0.0, 0.5, 0.5, 0.5]);
    assert_eq!(block("province_spaces")[..4], [0.0, 0.3, 0.3, 0.3]);
    assert_eq!(ones("village_owner"), [24 + 5]);
    assert_eq!(block("supply"), [1.0, 1.0, 17.0 / 19.0]);
    assert_eq!(block("hand_sizes"), [2.0 / 3.0, 1.0, 1.0]);
    assert_eq!(block("hand"), [2.0 / 3.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(block("laid"), [1.0 / 12.0, 0.0, 0.0, 0.0, 1.0 / 12.0, 0.0]);
    assert_eq!(block("unseen"), [9.0 / 12.0, 1.0, 1.0, 1.0, 11.0 / 12.0, 1.0]);
    assert_eq!(block("pile_size"), [62.0 / 72.0]);
    assert_eq!(block("phase"), [0.0, 0.0, 1.0, 0.0]);
    assert_eq!(block("turn"), [1.0, 0.0, 0.0]);
    assert_eq!(block("passes"), [0.0]);
    assert_eq!(block("options"), [0.0, 1.0]);
}

#[test]
fn a_picture() {
    let script = Script::new(".b../.#../....", "bb:c1d1");
    let game = &script.game;
    let draw = |state: &State, request: DrawRequest<'_, Action>| {
        let mut canvas = Canvas::new();
        game.draw(&game.observation(state, Player(0)), &request, &mut canvas);
        canvas.to_text(false, true)
    };
    let expected = "\
Qin, 2 seats: test
absorb_major never, villages square, ply 1
seat 0 (you) draws

   a  b  c  d
 1 .  b0>b0>b0
 2 .  #0 .  .
 3 .  .  .  .

seat     supply placed provinces majors villages hand
0 (you)      22      2         1      0        1 bb bb
1            24      0         0      0        0 ?? ?? ??
laid      bb 1  br 0  by 0  rr 0  ry 0  yy 0
pile      66 tiles
b0 blue province of seat 0, B0 major (5 or more spaces)
b. single space, #0 village of seat 0, ## of nobody
~~ water, . free grass, + legal square, > last move";
    assert_eq!(draw(&script.shown, DrawRequest { last: Some(action(game, "bb:c1d1")), ..Default::default() }), expected);
    let mut legal = Vec::new();
    game.legal_actions(&script.state, &mut legal);
    let marked = draw(&script.state, DrawRequest { legal: &legal, ..Default::default() });
    assert!(marked.contains(" 1 +  b0 b0 b0\n 2 +  #0 +  +\n 3 .  .  +  +\n"), "{marked}");
    assert!(draw(&script.state, DrawRequest::default()).contains("seat 1 lays a tile, passes so far 0"));
}

#[test]
fn damaged_states_are_refused() {
    let game = game(2, json!({}), None).unwrap();
    let state = middle(&game, 4, 12);
    let good = game.state_to_json(&state);
    let damage = |path: &str, value: Value| {
        let mut bad = good.clone();
        *bad.pointer_mut(path).unwrap_or_else(|| panic!("{path}")) = value;
        game.state_from_json(&bad).expect_err(path).to_string()
    };
    for (path, value, word) in [
        ("/game", json!("go"), "game"),
        ("/players", json!(3), "players"),
        ("/ply", json!(3), "QN-12, 8"),
        ("/phase", json!("place"), "drawer"),
        ("/drawer", json!(null), "drawer"),
        ("/drawer", json!(2), "drawer"),
        ("/passes", json!(1), "passes"),
        ("/end", json!("board"), "end"),
        ("/board/0", json!(".....##.....~"), "board[0]"),
        ("/board/1", json!("............"), "board[1]"),
        ("/provinces/0/owner", json!(2), "provinces[0].owner"),
        ("/provinces/0/pagodas", json!(3), "provinces[0].pagodas"),
        ("/provinces/0/squares/0", json!("a1"), "provinces[0].squares"),
        ("/villages/0/owner", json!(-1), "villages[0].owner"),
        ("/supply/0", json!(25), "supply[0]"),
        ("/supply/0", json!(1), "QN-12, 6"),
        ("/hand_sizes/0", json!(1), "hands[0]"),
        ("/hands/0", json!(null), "hands[0]"),
        ("/hands/0/0", json!("rx"), "hands[0][0]"),
        ("/pile_size", json!(1), "pile_size"),
        ("/pile/bb", json!(0), "laid"),
        ("/laid/rr", json!(99), "laid.rr"),
        ("/options/villages", json!("group"), "options"),
    ] {
        let error = damage(path, value);
        assert!(error.contains(word), "{path}: {error}");
    }
}
