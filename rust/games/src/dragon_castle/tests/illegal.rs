//! Refusals: one for each way an action can be illegal, with rule and reason; and damaged states.

use forbidden_games_core::contract::{Audit, Data, Notation, Rules, Step};
use serde_json::{Value, json};

use super::super::{Action, Payment, Spirit};
use super::{Position, Table, random_game};

#[test]
fn picks() {
    let position = Position { castle: "d4=2m3 e4=2m3 f4=2m4 i4=1m3", covered: "m3 1, s1 2", ..Position::default() };
    let mut table = position.start();
    assert_eq!(table.refusal("take a1"), "DC-5.4: there is no stack on a1");
    assert_eq!(table.refusal("take e4"), "DC-5.3: both long sides of e4 are blocked");
    assert_eq!(table.refusal("take i4"), "DC-5.4: i4 has height 1, the first pick is of the top floor 2");
    assert_eq!(table.refusal("summon"), "DC-5.4: the castle still has 2 floors, summon needs at most 1");
    assert!(table.refusal("place a1").starts_with("DC-6.2: the phase is turn"));
    assert!(table.refusal("spirit wind shrine").starts_with("DC-5.15: wind is not in play"));
    table.play("take d4");
    assert!(table.refusal("discard").starts_with("CONVENTIONS 2"));
    table.play("s1");
    assert_eq!(table.refusal("pair f4"), "DC-5.6: f4 shows m4, the first tile m3");
    assert_eq!(table.refusal("pair a1"), "DC-5.6: there is no stack on a1");
    let blocked = Position { castle: "d4=1m3 e4=1m4 f4=1m3 g4=1m4", ..Position::default() };
    let mut table = blocked.start();
    table.play("take d4");
    assert_eq!(table.refusal("pair f4"), "DC-5.3: both long sides of f4 are blocked");
}

#[test]
fn placing_and_building() {
    let position = Position { castle: "e4=1m4", realms: &["m1 m2 m3 . #^ #"], pools: &[2, 1], ..Position::default() };
    let mut table = position.start();
    table.play("take e4, shrine");
    assert_eq!(table.refusal("place e1"), "DC-5.1: e1 is not open: a shrine stands there");
    assert_eq!(table.refusal("place a1"), "DC-5.1: a1 is not open: a face-up tile lies there");
    table.play("place d1");
    assert_eq!(table.refusal("build f1"), "DC-5.13: f1 is not in the set just consolidated");
    assert!(table.refusal("pass").starts_with("DC-6.2"));
    let winds = Position { castle: "e4=1wE", realms: &["wE wS wW . . ."], pools: &[2, 1], ..Position::default() };
    let mut table = winds.start();
    table.play("take e4, shrine, place d1, build b1");
    assert_eq!(table.refusal("build a1"), "DC-5.13: shrines are built in reading order: a1 is not later than b1");
    let sets = Position {
        castle: "e4=2wE g4=1wE",
        covered: "q1 1",
        realms: &["m1 m2 m3 s1 . ./ s2 s3 s4 m4 . ."],
        pools: &[3, 1],
        spirits: &["mirror"],
        ..Position::default()
    };
    let mut table = sets.start();
    table.play("take e4, q1, spirit mirror shrine");
    assert_eq!(table.refusal("swap a1 b1"), "DC-5.28: a1 and b1 are of one type");
    assert_eq!(table.refusal("swap a1 f5"), "DC-5.28: f5 shows no face-up tile");
    table.play("swap d1 d2");
    assert_eq!(table.refusal("consolidate b1"), "DC-5.11: b1 is not the first square of a waiting set");
}

#[test]
fn spirits() {
    let position = Position {
        castle: "e4=1m4 g4=1m5",
        realms: &["m1 m2 . m3 # #2^"],
        pools: &[1, 2],
        spirits: &["wind", "strength", "mason"],
        ..Position::default()
    };
    let mut table = position.start();
    assert!(table.refusal("spirit mason shrine").starts_with("DC-5.15: mason is used in build, this is turn"));
    assert_eq!(table.refusal("spirit wind tile c1"), "DC-5.14: only a face-up tile can pay; c1: it is empty");
    assert!(table.refusal("lift a1").starts_with("DC-6.2"));
    table.play("spirit strength shrine");
    assert_eq!(table.refusal("lift c1"), "DC-5.22: c1 is empty");
    assert_eq!(table.refusal("lift f1"), "DC-5.22: a shrine stands on f1");
    assert_eq!(table.refusal("pass"), "DC-5.22: the first move of strength must be made");
    assert!(table.refusal("spirit wind tile a1").starts_with("DC-5.15: no spirit can be used in the phase strength_lift"));
    table.play("lift e1");
    assert_eq!(table.refusal("drop e1"), "DC-5.22: the tile was lifted from e1, it goes to another square");
    assert_eq!(table.refusal("drop a1"), "DC-5.22: a1 is not open: a face-up tile lies there");
    table.play("drop c1");
    assert_eq!(table.refusal("lift c1"), "DC-5.22: the tile on c1 has just been moved");
    table.play("pass");
    assert!(table.refusal("spirit strength tile a1").starts_with("DC-5.16"));
    assert_eq!(table.refusal("spirit wind shrine"), "DC-5.14: there is no shrine in the pool to pay with");
    table.play("spirit wind tile a1");
    assert_eq!(table.refusal("flip c1"), "DC-5.21: c1 shows no face-up tile to flip");
    table.play("pass");
    assert_eq!(table.refusal("from b1"), "DC-5.21: there is no shrine on b1");
    table.play("from f1");
    assert_eq!(table.refusal("to b1"), "DC-5.21: b1: a face-up tile lies there; a shrine goes to a bare square");
}

#[test]
fn spirits_that_bind() {
    let position = Position {
        castle: "e4=2m1 f4=1s1 h4=1s2",
        covered: "q1 1",
        pools: &[2, 1],
        spirits: &["elegance", "stair"],
        ..Position::default()
    };
    let mut table = position.start();
    table.play("spirit stair shrine");
    assert_eq!(table.refusal("take e4"), "DC-5.26: e4 is on the top floor, stair takes from a lower one");
    assert!(table.refusal("spirit elegance shrine").starts_with("DC-5.18"));
    let no_room = Position {
        castle: "e4=1m1 f4=1m2 h4=1s1",
        realms: &["# #^ #^ #^ #^ #^/ #^ #^ #^ #^ #^ #^/ #^ #^ #^ #^ #^ #^/ #^ #^ #^ #^ #^ #^/ #^ #^ #^ #^ #^ #^"],
        spirits: &["deception"],
        ..Position::default()
    };
    let mut table = no_room.start();
    table.play("take e4");
    assert!(table.refusal("spirit deception shrine").starts_with("DC-5.30: deception needs 2 open squares"));
    let kin = Position { castle: "e4=1m1 g4=1s1 i4=1m1 k4=1m2", spirits: &["kinship"], ..Position::default() };
    let mut table = kin.start();
    table.play("take e4, spirit kinship shrine");
    assert_eq!(table.refusal("pair i4"), "DC-5.29: i4 shows m1 as well, kinship takes another symbol");
    assert_eq!(table.refusal("pair g4"), "DC-5.29: g4 shows s1, of another type than m1");
}

#[test]
fn the_end() {
    let mut table = Position { seat: 1, countdown: &[1, 0], ..Position::default() }.start();
    table.play("summon");
    assert_eq!(table.refusal("summon"), "DC-7.1: the game is over");
}

#[test]
fn actions_of_another_game_are_refused() {
    let table = Position { castle: "e4=1m1", spirits: &["change"], ..Position::default() }.start();
    let strange = [
        Action::Take(200),
        Action::Pair(255),
        Action::Place(64),
        Action::Swap(3, 3),
        Action::Swap(5, 2),
        Action::Wild(2, 9),
        Action::Wild(99, 0),
        Action::Spirit(Spirit::Change, Payment::Tile(77)),
    ];
    for action in strange {
        assert!(table.game.check_action(&table.state, action).is_err(), "{action:?}");
    }
}

#[test]
fn every_refusal_names_a_rule() {
    let table = Table::new(2, json!({"spirits": ["beauty", "change", "mason"], "realm": "3x3"}));
    random_game(&table.game, 5, |state, _| {
        let mut legal = Vec::new();
        table.game.legal_actions(state, &mut legal);
        for id in 0..table.game.num_actions() as u32 {
            let action = table.game.action_from_id(id).unwrap();
            match table.game.check_action(state, action) {
                Ok(()) => assert!(legal.contains(&action)),
                Err(refusal) => {
                    assert!(!legal.contains(&action), "{}: {refusal}", table.game.format_action(action));
                    assert!(refusal.rule.starts_with("DC-") || refusal.rule.starts_with("CONVENTIONS"));
                }
            }
        }
    });
}

fn set(value: &Value, path: &str, new: Value) -> Value {
    let mut changed = value.clone();
    *changed.pointer_mut(path).unwrap_or_else(|| panic!("no {path}")) = new;
    changed
}

#[test]
fn dc_9_5_positions() {
    let position = Position { castle: "e4=2m1 f4=1m2", covered: "m3 1", realms: &["m1 #^ . . . ."], ..Position::default() };
    let game = position.game();
    let good = position.json(&game);
    assert!(game.state_from_position(&good).is_ok());
    let bad = [
        ("/phase", json!("second")),
        ("/phase", json!("settle")),
        ("/node", json!("chance")),
        ("/player", json!(1)),
        ("/ply", json!(1_000_001)),
        ("/vp/0", json!(1_000_001)),
        ("/vp/0", json!(-1)),
        ("/vp/0", json!(1.0)),
        ("/castle/3/4/0", json!(3)),
        ("/castle/3/4/0", json!(4)),
        ("/castle/3/4/1", json!("m7")),
        ("/castle/3/4/1", Value::Null),
        ("/castle/0/0", json!([1, "m1"])),
        ("/unrevealed/m3", json!(2)),
        ("/unrevealed/m3", json!(9_223_372_036_854_775_807_i64)),
        ("/realms/0/0/0", json!([1, "m1", 1])),
        ("/realms/0/0/0", json!([0, "m1", 0])),
        ("/realms/0/0/0", json!([2, "m1", 0])),
        ("/realms/0/0/0", json!([1, "down"])),
        ("/supply", json!(36)),
        ("/pools/1", json!(2)),
        ("/tokens", json!(6)),
        ("/countdown/0", json!(1)),
        ("/last_round", json!(true)),
        ("/discards", json!(0)),
        ("/spirits", json!(["wind"])),
        ("/options/realm", json!("3x3")),
        ("/turn/seat", json!(1)),
        ("/turn/used", json!(["wind"])),
        ("/turn/hand", json!(["m1"])),
        ("/turn/pending", json!([["a1"]])),
        ("/turn/set", json!(["a1"])),
        ("/turn/builds", json!(1)),
        ("/turn/resume", json!("turn")),
        ("/turn/bound", json!("stair")),
        ("/turn/first", json!(["e4", 2])),
        ("/turn", Value::Null),
    ];
    for (path, value) in bad {
        assert!(game.state_from_position(&set(&good, path, value.clone())).is_err(), "{path} {value}");
    }
    let mut missing = good.clone();
    missing.as_object_mut().unwrap().shift_remove("discards");
    assert!(game.state_from_position(&missing).unwrap_err().to_string().contains("discards"));
    let with_set = Position { castle: "e4=1m1", realms: &["m1 m2 m3 m4 . ."], ..Position::default() };
    assert!(game.state_from_position(&with_set.json(&game)).unwrap_err().to_string().contains("DC-12.5"));
}

/// Whatever single value of a state is replaced, it is refused or gives a state that can be played to its end.
#[test]
fn damaged_states_are_refused_or_playable() {
    let table = Table::new(2, json!({"spirits": ["strength", "wind", "change"], "layout": "99999999999980"}));
    let replacements = [
        Value::Null,
        json!(0),
        json!(1),
        json!(2),
        json!(-1),
        json!(true),
        json!("a1"),
        json!("m1"),
        json!("down"),
        json!([]),
        json!("second"),
    ];
    let mut tried = 0;
    random_game(&table.game, 11, |state, _| {
        if state.ply % 9 != 0 {
            return;
        }
        let json = table.game.state_to_json(state);
        let mut paths = Vec::new();
        collect_paths("", &json, &mut paths);
        for (index, path) in paths.iter().enumerate() {
            let replacement = &replacements[(index + state.ply as usize) % replacements.len()];
            let Ok(mut changed) = table.game.state_from_json(&set(&json, path, replacement.clone())) else { continue };
            tried += 1;
            table.game.check_invariants(&changed).unwrap_or_else(|error| panic!("{path} {replacement}: {error}"));
            let mut rng = forbidden_games_core::rng::Rng::stream(index as u64, "damaged", 0);
            for _ in 0..40 {
                let step = match table.game.turn(&changed) {
                    forbidden_games_core::player::Turn::Over => break,
                    forbidden_games_core::player::Turn::Chance => {
                        Step::Outcome(table.game.sample_outcome(&changed, &mut rng, &mut Vec::new()))
                    }
                    forbidden_games_core::player::Turn::Player(_) => {
                        Step::Action(table.game.sample_action(&changed, &mut rng, &mut Vec::new()))
                    }
                };
                table.game.apply(&mut changed, step);
                table.game.check_invariants(&changed).unwrap_or_else(|error| panic!("{path} {replacement}: {error}"));
            }
        }
    });
    assert!(tried > 0);
}

fn collect_paths(path: &str, value: &Value, out: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                collect_paths(&format!("{path}/{key}"), value, out);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for (index, value) in items.iter().enumerate() {
                collect_paths(&format!("{path}/{index}"), value, out);
            }
        }
        _ => {}
    }
    if !path.is_empty() {
        out.push(path.to_owned());
    }
}
