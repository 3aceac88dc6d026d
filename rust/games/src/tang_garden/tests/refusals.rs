//! Each kind of illegal action names its rule; damaged states are refused and never panic.

use serde_json::{Value, json};

use forbidden_games_core::contract::{self, Data, Drawing, Knowledge, Notation, Rules, Step};
use forbidden_games_core::error::StateError;
use forbidden_games_core::event::NoEvents;

use super::super::{Game, State};
use super::game;

/// Plays outcomes and actions of a text, divided by `|`.
fn played(game: &Game, steps: &str) -> State {
    let mut state = game.new_state();
    for step in steps.split('|').map(str::trim).filter(|step| !step.is_empty()) {
        let parsed = game.parse_step(&state, step).unwrap_or_else(|error| panic!("{error}"));
        contract::play(game, &mut state, parsed, &mut NoEvents).unwrap_or_else(|error| panic!("{error}"));
    }
    state
}

const START: &str = "g04|w03|r04|t06|architect|child|emperor|lady|s-a|s-a|s-c|s-c|s-aa|s-ac|l-ad|l-cm";

/// The refusal of an action; the state stays as it is.
fn refusal(game: &Game, state: &State, action: &str) -> String {
    let parsed = game.parse_action(action).unwrap_or_else(|error| panic!("{error}"));
    let mut copy = state.clone();
    let error = contract::play(game, &mut copy, Step::Action(parsed), &mut NoEvents).expect_err(action);
    assert_eq!(copy, *state, "a refused action changes nothing");
    error.refusal.to_string()
}

#[track_caller]
fn refused(game: &Game, state: &State, action: &str, expected: &str) {
    assert_eq!(refusal(game, state, action), expected, "{action}");
}

#[test]
fn refusals_of_a_placement() {
    let game = game(2);
    let state = played(&game, START);
    refused(&game, &state, "build g a3 r0", "TG-5.2: a3 touches no placed tile");
    refused(&game, &state, "build g d3 r0", "TG-5.2: the s edge p faces g of d4");
    refused(&game, &state, "build t f4 r1", "TG-5.2: the w edge g faces w of e4");
}

#[test]
fn refusals_by_phase() {
    let game = game(2);
    let setup = game.new_state();
    refused(&game, &setup, "decorate", "TG-6.1: nature draws now (phase tile), nobody decides");
    let state = played(&game, START);
    refused(&game, &state, "done", "TG-6.1: no done in phase main");
    refused(&game, &state, "level g", "TG-6.1: no level in phase main");
    refused(&game, &state, "move poet d5 n", "TG-5.1: lantern move comes after the main action");
    refused(&game, &state, "influence emperor", "TG-5.1: an influence comes after the main action (option influence)");
    refused(&game, &state, "refresh build small", "TG-5.14: lantern build is ready");
    let second = played(&game, &format!("{START}|build w f4 r3"));
    refused(&game, &second, "build w g4 r0", "TG-5.2: stack w shows no tile");
    refused(&game, &second, "build g f4 r0", "TG-5.2: f4 is not empty");
    refused(&game, &second, "card pavilion d4", "TG-5.10: the main action was building: a second tile can follow, no card");
    let canonical = played(&game, &START.replace("g04", "g01"));
    refused(&game, &canonical, "build g d3 r2", "TG-6.4: g01 at r2 looks like r0, which is the one listed");
}

#[test]
fn refusals_of_cards_and_levels() {
    let game = game(2);
    let choose = played(&game, &format!("{START}|decorate|lotus-coins|bridge-level"));
    refused(&game, &choose, "card fish-coins d4", "TG-5.8: fish-coins was not drawn");
    refused(&game, &choose, "card lotus-coins e4", "TG-5.8: e4 has no free pond area");
    let level = played(&game, &format!("{START}|decorate|lotus-coins|bridge-level|card bridge-level e4"));
    refused(&game, &level, "coins", "TG-6.1: no coins in phase level");
    let mut json = game.state_to_json(&level);
    json["seats"][0]["levels"] = json!([10, 0, 0]);
    let level = game.state_from_json(&json).expect("a state");
    refused(&game, &level, "level g", "TG-5.5: the cube of track g is on column 10");
    let second = played(&game, &format!("{START}|decorate|lotus-coins|bridge|card bridge e4"));
    refused(&game, &second, "build g d3 r0", "TG-5.10: the main action was decorating: a second card can follow, no tile");
}

#[test]
fn refusals_of_landscapes() {
    let game = game(2);
    let start = START.replace("g04", "g07").replace("t06", "t04");
    let due = played(&game, &format!("{start}|build g d3 r0|done|build t d2 r1"));
    refused(&game, &due, "panorama l-ad n", "TG-5.6: l-ad is large, and a small one is due");
    refused(&game, &due, "panorama s-s n", "TG-5.6: s-s is not shown");
    refused(&game, &due, "seek s-aa n", "TG-5.6: no s-aa is left in the pile");
    let mut json = game.state_to_json(&due);
    json["seats"][1]["lanterns"]["seek"] = json!(false);
    let used = game.state_from_json(&json).expect("a state");
    refused(&game, &used, "seek s-s n", "TG-6.3: lantern seek is not ready");
    json["seats"][1]["lanterns"]["seek"] = json!(true);
    json["turn"]["lantern"] = json!(true);
    let used = game.state_from_json(&json).expect("a state");
    refused(&game, &used, "seek s-s n", "TG-6.3: a lantern was used this turn");
}

#[test]
fn refusals_of_influence_and_moves() {
    let game = game(2);
    let mut json = game.state_to_json(&played(&game, START));
    json["seats"][0]["levels"] = json!([1, 2, 2]);
    let earned = game.state_from_json(&json).expect("a state");
    let after = |steps: &[&str]| {
        let mut state = earned.clone();
        for step in steps {
            let step = game.parse_step(&state, step).expect("a step");
            contract::play(&game, &mut state, step, &mut NoEvents).expect("legal");
        }
        state
    };
    let options = after(&["build t f5 r1", "done"]);
    refused(&game, &options, "influence poet", "TG-5.11: poet is not in the display");
    refused(&game, &options, "seek emperor", "TG-5.11: emperor is not in the deck");
    refused(&game, &options, "move poet d5 n", "TG-5.13: poet is not in the garden");
    let garden = after(&["build t f5 r1", "done", "influence emperor"]);
    refused(&game, &garden, "garden poet d5 n", "TG-5.11: poet is neither the active nor the new character");
    refused(&game, &garden, "garden emperor d4 n", "TG-5.11: d4 has no person area, pavilion or bridge to stand on");
    let placed = after(&["build t f5 r1", "done", "influence emperor", "garden emperor d5 n", "poet"]);
    refused(&game, &placed, "influence lady", "TG-5.11: one influence a turn");
    refused(&game, &placed, "move emperor d5 n", "TG-6.4: emperor stands there and faces that way");
    refused(&game, &placed, "move emperor d4 n", "TG-5.11: d4 has no person area, pavilion or bridge to stand on");
    refused(&game, &placed, "refresh seek large", "TG-5.14: lantern seek is ready");
    let mut json = game.state_to_json(&placed);
    json["seats"][0]["lanterns"]["seek"] = json!(false);
    let used = game.state_from_json(&json).expect("a state");
    refused(&game, &used, "refresh seek large", "TG-5.14: 4 large tokens are needed and 0 held");
}

#[test]
fn refusals_of_the_solo_game() {
    let game = game(1);
    let setup = "g01|w01|r01|t01|hermit|poet|emperor|lady|s-a|s-a|s-c|s-c|s-aa|s-ac|l-ad|l-cm|small|small|small|small|large|large|\
                 large|large|lotus-coins|fish-water|pine|bridge";
    let pick = played(&game, setup);
    refused(&game, &pick, "pick lady", "TG-13.2: lady is not one of the pair");
    let main = played(&game, &format!("{setup}|pick hermit"));
    refused(&game, &main, "decorate", "TG-13.3: no decorate in phase main");
    refused(&game, &main, "wall g d3 r0", "TG-13.3: exactly one illegal edge is needed, 0 found");
    let used = played(&game, &format!("{setup}|pick hermit|bottom w|w02"));
    refused(&game, &used, "bottom r", "TG-13.3: lantern bottom was used");
    let used = played(&game, &format!("{setup}|pick hermit|cards|bird-green|bird-green|bird-green|bird-coins"));
    refused(&game, &used, "cards", "TG-13.3: lantern cards was used");
    let choose = played(&game, &format!("{setup}|pick hermit|build g d3 r0"));
    refused(&game, &choose, "card fish-water d4", "TG-5.8: fish-water does not lie beside the stack of the tile");
}

#[test]
fn notation_is_read_kindly_and_refused_precisely() {
    let game = game(2);
    assert_eq!(game.parse_action("  BUILD   G d3  R1 ").map(|action| game.format_action(action)).as_deref(), Ok("build g d3 r1"));
    for (text, form) in [
        ("build g d4 r1", "build <stack g w r t> <square> r<0-3>"),
        ("build g d3", "build <stack g w r t> <square> r<0-3>"),
        ("seek", "seek <landscape> <side n e s w>, or seek <character>"),
        ("wall g d3 r0", "build, decorate, card, "),
        ("refresh wall small", "refresh <build decorate move seek> <small large>"),
        ("", "build, decorate, card, "),
    ] {
        let error = game.parse_action(text).expect_err(text);
        assert!(error.expected.starts_with(form), "{text:?}: {error}");
    }
    assert!(game.parse_outcome("g99").is_err());
    let (solo, all) = (super::game(1), game.num_actions() as u32);
    assert_eq!((all, solo.num_actions(), game.num_outcomes(), solo.num_outcomes()), (6852, 7371, 96, 98), "TG-6.5");
    for id in 0..solo.num_actions() as u32 {
        let action = solo.action_from_id(id).expect("an id");
        assert_eq!(solo.action_id(action), id);
        assert_eq!(solo.parse_action(&solo.format_action(action)), Ok(action));
    }
    assert_eq!(solo.action_from_id(7371), None);
    let state = played(&game, &START.replace("g04", "g01"));
    let seen = game.observation(&state, forbidden_games_core::player::Player(0));
    let meant = game.interpret(&seen, "build g d3 r3").map(|action| game.format_action(action));
    assert_eq!(meant.as_deref(), Some("build g d3 r0"), "another rotation with the same picture");
}

fn damaged(game: &Game, change: impl FnOnce(&mut Value)) -> StateError {
    let mut json = game.state_to_json(&played(game, START));
    change(&mut json);
    game.state_from_json(&json).expect_err("a damaged state is refused")
}

#[test]
fn damaged_states_are_refused_with_key_and_value() {
    let game = game(2);
    type Change = fn(&mut Value);
    let cases: [(Change, &str); 22] = [
        (|json| json["round"] = json!(0), "round"),
        (|json| json["final"] = json!(true), "final"),
        (|json| json["phase"] = json!("options"), "turn.action"),
        (|json| json["phase"] = json!("neutral"), "phase"),
        (|json| json["turn"]["seat"] = json!(null), "node"),
        (|json| json["player"] = json!(1), "node"),
        (|json| json["stacks"]["g"]["up"] = json!("w01"), "stacks.g.up"),
        (|json| json["stacks"]["g"]["down"]["g05"] = json!(2), "stacks.g and tiles, kind g05"),
        (|json| json["tiles"] = json!([["a3", "g01", 0]]), "tiles"),
        (|json| json["tiles"] = json!([["d3", "g02", 0], ["d3", "g02", 0]]), "tiles[1][0]"),
        (|json| json["tiles"] = json!([["d3", "g01", 1]]), "tiles[0][2]"),
        (|json| json["tiles"] = json!([["d3", "w01", 0]]), "tiles"),
        (|json| json["decorations"] = json!([["d4", "pine"]]), "decorations[0]"),
        (|json| json["figures"] = json!([["d4", "poet", 0, "n"]]), "figures[0][0]"),
        (|json| json["tokens"][0] = json!(["c2", "huge"]), "tokens[0][1]"),
        (|json| json["tokens"] = json!([]), "panorama, small"),
        (|json| json["characters"]["deck"] = json!([]), "character empress"),
        (|json| json["panorama"]["n"] = json!(["l-ad", "l-ac", "l-ad"]), "panorama.n[1]"),
        (|json| json["seats"][0]["levels"] = json!([11, 0, 0]), "seats[0].levels[0]"),
        (|json| json["seats"][0]["character_token"] = json!(true), "seats[0].character_token"),
        (|json| json["seats"][0]["cards"]["lotus"] = json!(1), "seats[].cards.lotus"),
        (|json| json["turn"]["paths"] = json!(2), "turn.paths"),
    ];
    for (change, key) in cases {
        let error = damaged(&game, change);
        assert_eq!(error.0.key, key, "{error}");
    }
    let whole = game.state_to_json(&played(&game, START));
    let keys: Vec<String> = whole.as_object().into_iter().flatten().map(|(key, _)| key.clone()).collect();
    for key in keys {
        assert_eq!(damaged(&game, |json| drop(json.as_object_mut().map(|map| map.remove(&key)))).0.key, key, "missing");
        for value in [json!(null), json!([]), json!({}), json!("x"), json!(-1), json!(i64::MAX), json!([[[]]]), json!(1.5)] {
            let mut json = whole.clone();
            json[&key] = value.clone();
            let refused = game.state_from_json(&json).is_err();
            assert!(
                refused || json == whole || matches!((key.as_str(), &value), ("player" | "figures" | "decorations" | "tiles", _))
            );
        }
    }
}

#[test]
fn tg_9_3_the_state_json_is_this_text() {
    let game = game(2);
    let text = super::golden("tg_9_3.json");
    let state = played(&game, START);
    assert_eq!(game.state_to_json(&state).to_string(), text.trim_end());
    let read: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(game.state_from_json(&read).expect("a state"), state);
}
