//! Ids, sampling, encoding, drawing and sizes; what the agents need beside the rules.

use std::collections::HashMap;

use forbidden_games_core::canvas::Canvas;
use forbidden_games_core::contract::{Audit, Data, DrawRequest, Drawing, Features, Judgement, Knowledge, Notation, Rules, Step};
use forbidden_games_core::player::{Player, Turn};
use forbidden_games_core::rng::Rng;
use serde_json::{Value, json};

use super::super::{Action, Game, State};
use super::{Position, Table, random_game};

pub(super) fn games() -> Vec<Game> {
    let options = [
        json!({}),
        json!({"spirits": ["beauty", "wind", "strength"], "realm": "4x4"}),
        json!({"spirits": ["elegance", "deception", "kinship"], "layout": "court"}),
        json!({"spirits": ["change", "mirror", "mason"], "realm": "8x8", "dragons": "random:2"}),
        json!({"spirits": "random:3", "realm": "3x3", "layout": "9999999999998000"}),
    ];
    options.into_iter().map(|options| Table::new(2, options).game).collect()
}

#[test]
fn ids_are_dense_and_in_the_order_of_actions() {
    for game in games() {
        let actions: Vec<Action> = (0..game.num_actions() as u32).map(|id| game.action_from_id(id).unwrap()).collect();
        assert!(actions.is_sorted_by(|a, b| a < b));
        for (id, &action) in actions.iter().enumerate() {
            assert_eq!(game.action_id(action), id as u32);
            assert_eq!(game.parse_action(&game.format_action(action)), Ok(action));
        }
        assert_eq!(game.action_from_id(actions.len() as u32), None);
        for id in 0..game.num_outcomes() as u32 {
            let outcome = game.outcome_from_id(id).unwrap();
            assert_eq!(game.outcome_id(outcome), id);
            assert_eq!(game.parse_outcome(&game.format_outcome(outcome).to_uppercase()), Ok(outcome));
        }
        assert_eq!(game.outcome_from_id(game.num_outcomes() as u32), None);
    }
}

/// The overrides give what the contract's own methods give.
#[test]
fn sampling_equals_the_default() {
    for (index, game) in games().into_iter().enumerate() {
        for seed in 0..4 {
            let mut step = 0;
            random_game(&game, seed, |state, _| {
                step += 1;
                let stream = || Rng::stream(seed, "sample", step);
                match game.turn(state) {
                    Turn::Player(_) => {
                        let mut list = Vec::new();
                        game.legal_actions(state, &mut list);
                        let expected = list[stream().below(list.len() as u32) as usize];
                        assert_eq!(game.sample_action(state, &mut stream(), &mut Vec::new()), expected, "game {index}");
                    }
                    Turn::Chance => {
                        let mut list = Vec::new();
                        game.chance_outcomes(state, &mut list);
                        let total = list.iter().map(|&(_, weight)| weight).sum();
                        let mut drawn = stream().below(total);
                        let expected = list.iter().find(|&&(_, weight)| {
                            let found = drawn < weight;
                            drawn = drawn.saturating_sub(weight);
                            found
                        });
                        assert_eq!(game.sample_outcome(state, &mut stream(), &mut Vec::new()), expected.unwrap().0);
                    }
                    Turn::Over => {}
                }
            });
        }
    }
}

#[test]
fn invariants_and_json_over_random_games() {
    for game in games() {
        for seed in 0..3 {
            let check = |state: &State| {
                game.check_invariants(state).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
                let text = game.state_to_json(state).to_string();
                let value: Value = serde_json::from_str(&text).unwrap();
                let read = game.state_from_json(&value).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
                assert_eq!(&read, state);
                assert_eq!(game.state_to_json(&read).to_string(), text);
            };
            let end = random_game(&game, seed, |state, _| check(state));
            check(&end);
        }
    }
}

fn text(game: &Game, state: &State, viewer: u8) -> String {
    let mut canvas = Canvas::new();
    game.draw(&game.observation(state, Player(viewer)), &DrawRequest::default(), &mut canvas);
    assert!(canvas.width() <= 80);
    canvas.to_text(false, true)
}

#[test]
fn different_observations_draw_different_pictures() {
    for game in games() {
        let mut seen: HashMap<String, State> = HashMap::new();
        for seed in 0..3 {
            random_game(&game, seed, |state, _| {
                let picture = text(&game, state, 1);
                let other = seen.entry(picture).or_insert_with(|| state.clone());
                assert_eq!(other, state, "two positions with one picture");
            });
        }
    }
}

#[test]
fn a_picture_marks_what_can_be_done() {
    let position = Position {
        castle: "d4=2m3 e4=2m3 f4=2m4 i4=1m3",
        covered: "m3 1, s1 2",
        realms: &["m1 m2/3 #2 #3^ . ."],
        spirits: &["wind"],
        dragons: &["wall"],
        ..Position::default()
    };
    let mut table = position.start();
    let mut legal = Vec::new();
    table.game.legal_actions(&table.state, &mut legal);
    let mut canvas = Canvas::new();
    let request = DrawRequest { legal: &legal, ..DrawRequest::default() };
    table.game.draw(&table.game.observation(&table.state, Player(0)), &request, &mut canvas);
    let picture = canvas.to_text(false, true);
    for part in [
        "*2m3  2m3 *2m4",
        "+1m3",
        "m1",
        "m2/3",
        "#2 ",
        "#3^",
        "Unseen 3: m3 1, s1 2",
        "Spirit of Wind",
        "Great Wall",
        "seat 0 to move: turn",
    ] {
        assert!(picture.contains(part), "{part} is missing in\n{picture}");
    }
    table.play("take d4, s1");
    legal.clear();
    table.game.legal_actions(&table.state, &mut legal);
    let mut canvas = Canvas::new();
    let request = DrawRequest { legal: &legal, last: Some(Action::Take(39)), ..DrawRequest::default() };
    table.game.draw(&table.game.observation(&table.state, Player(1)), &request, &mut canvas);
    let picture = canvas.to_text(false, true);
    for part in ["+1s1<*2m3", "first pick d4 on floor 2", "in hand m3", "Last: take d4"] {
        assert!(picture.contains(part), "{part} is missing in\n{picture}");
    }
}

#[test]
fn components_are_drawn_with_their_counts() {
    let mut canvas = Canvas::new();
    Table::new(2, json!({})).game.draw_components(&mut canvas);
    assert!(canvas.width() <= 80);
    let picture = canvas.to_text(false, true);
    for part in [
        "116 tiles, 40 shrines, 7 tokens",
        "m1 x4",
        "dW x4",
        "4: 2, 5: 3",
        "12: 12",
        "pyramid (2 players)",
        "012333333210",
        "mirror",
    ] {
        assert!(picture.contains(&part.replace("012333333210", ".1233333321.")), "{part} is missing in\n{picture}");
    }
}

#[test]
fn encoding_is_bounded_and_tells_positions_apart() {
    for (index, game) in games().into_iter().enumerate() {
        let size = game.observation_layout().size();
        if index == 0 {
            assert!(size * 4 <= 64 << 10, "{size} values");
        }
        assert_eq!(game.observation_layout().check_u8(), Ok(()));
        let mut last = vec![0.0; size];
        random_game(&game, 1, |state, _| {
            let mut values = vec![0.0; size];
            game.encode(&game.observation(state, game.turn(state).player().unwrap_or(Player(0))), &mut values);
            assert!(values.iter().all(|value| value.is_finite()));
            assert_ne!(values, last);
            last = values;
        });
    }
}

#[test]
fn looser_notation() {
    let position =
        Position { castle: "e4=1m4", realms: &["m1 m2 s4 . . ./ s1 s2 m3 . . ."], spirits: &["mirror"], ..Position::default() };
    let mut table = position.start();
    let read = |table: &Table, text: &str| {
        let observation = table.game.observation(&table.state, Player(0));
        table.game.interpret(&observation, text).map(|action| table.game.format_action(action))
    };
    assert_eq!(read(&table, "E4").as_deref(), Some("take e4"));
    assert_eq!(read(&table, "mirror shrine").as_deref(), Some("spirit mirror shrine"));
    assert_eq!(read(&table, "mirror a1").as_deref(), Some("spirit mirror tile a1"));
    assert_eq!(read(&table, "spirit mirror b1").as_deref(), Some("spirit mirror tile b1"));
    table.play("spirit mirror shrine");
    assert_eq!(read(&table, "swap c2 c1").as_deref(), Some("swap c1 c2"));
    assert_eq!(read(&table, "c2 c1").as_deref(), Some("swap c1 c2"));
    assert_eq!(read(&table, "nonsense"), None);
}

#[test]
fn a_state_is_small() {
    assert!(size_of::<State>() <= 1024, "{} bytes", size_of::<State>());
}

/// Rollouts, clones and encoding; run in release mode with `--ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn speed() {
    use std::time::Instant;
    println!("state: {} bytes", size_of::<State>());
    for (name, players, options) in [
        ("2 players", 2, json!({})),
        ("4 players", 4, json!({})),
        ("3 spirits", 2, json!({"spirits": ["wind", "strength", "mirror"]})),
        ("beauty, change, mason", 2, json!({"spirits": ["beauty", "change", "mason"]})),
        ("elegance, deception, kinship", 2, json!({"spirits": ["elegance", "deception", "kinship"]})),
    ] {
        let game = Table::new(players, options).game;
        let start = game.new_state();
        let (mut plies, mut games) = (0_u64, 0_u64);
        let clock = Instant::now();
        while clock.elapsed().as_millis() < 1500 {
            let mut rng = Rng::stream(games, "speed", 0);
            let mut state = start.clone();
            let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
            loop {
                let step = match game.turn(&state) {
                    Turn::Over => break,
                    Turn::Chance => Step::Outcome(game.sample_outcome(&state, &mut rng, &mut outcomes)),
                    Turn::Player(_) => Step::Action(game.sample_action(&state, &mut rng, &mut actions)),
                };
                game.apply(&mut state, step);
            }
            plies += u64::from(state.ply);
            games += 1;
        }
        let seconds = clock.elapsed().as_secs_f64();
        println!("{name}: {:.2} M plies/s, {:.0} plies a game", plies as f64 / seconds / 1e6, plies as f64 / games as f64);
    }
    let game = Table::new(4, json!({})).game;
    let mut middle = game.new_state();
    random_game(&game, 1, |state, _| {
        if state.ply == 100 {
            middle = state.clone();
        }
    });
    let count = 1_000_000;
    let clock = Instant::now();
    for _ in 0..count {
        std::hint::black_box(std::hint::black_box(&middle).clone());
    }
    println!("clone: {:.3} us", clock.elapsed().as_secs_f64() * 1e6 / f64::from(count));
    let observation = game.observation(&middle, Player(0));
    let mut values = vec![0.0; game.observation_layout().size()];
    let clock = Instant::now();
    for _ in 0..100_000 {
        values.fill(0.0);
        game.encode(std::hint::black_box(&observation), &mut values);
    }
    println!("encode: {:.2} us for {} values", clock.elapsed().as_secs_f64() * 10.0, values.len());
    let clock = Instant::now();
    let mut sum = 0.0;
    for _ in 0..100_000 {
        sum += game.evaluate(std::hint::black_box(&middle), Player(0));
    }
    println!("evaluate: {:.2} us ({sum})", clock.elapsed().as_secs_f64() * 10.0);
}
