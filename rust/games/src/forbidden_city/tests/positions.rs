//! Positions (FC-4.3 to FC-4.5) and states from JSON: what is refused, and how one goes on.

use forbidden_games_core::contract::{Data, Rules, Setup};
use serde_json::{Value, json};

use forbidden_games_core::options::{ComponentSource, Options};

use super::*;

fn refusal(game: &Game, laid: &str, more: Value) -> String {
    try_position(game, laid, more).expect_err("refused").to_string()
}

#[test]
fn fc_4_5_the_ordinary_start_is_the_position_without_placements() {
    for game in games() {
        assert_eq!(position(&game, "", json!({})), game.new_state());
    }
}

#[test]
fn fc_4_5_seats_without_a_tile_draw_first() {
    let game = house(3);
    let mut state = position(&game, "0,2 g-A3 1 r0", json!({"hands": [null, "p-A2", null], "turn": 2, "coins": [1, 2, 1_000_000]}));
    assert_eq!(game.scores(&state).as_slice(), [1, 2, 1_000_000]);
    assert_eq!((game.phase(&state), game.ply(&state)), ("deal", 1));
    play(&game, &mut state, "g-A3;g-A3");
    assert_eq!(game.turn(&state), Turn::Player(seat(2)));
    assert_eq!(game.state_to_json(&state)["hands"], json!(["g-A3", "p-A2", "g-A3"]));
}

/// All tiles of the test set but `left` discarded for a seat of two.
fn all_but(seat: usize, left: &str) -> Vec<Value> {
    let mut tiles: Vec<&str> = "box box gate hall wild pass twin ring nook tri cap cap cap cap".split(' ').collect();
    for kind in left.split(' ') {
        let at = tiles.iter().position(|tile| *tile == kind).expect("a tile of the set");
        tiles.remove(at);
    }
    tiles.into_iter().map(|kind| json!([seat, kind])).collect()
}

#[test]
fn fc_4_5_a_finished_position_is_terminal_at_once() {
    let game = test_set(2);
    let discarded: Vec<Value> = [all_but(0, "pass ring"), all_but(1, "gate cap")].concat();
    let state = position(&game, "", json!({"discarded": discarded, "coins": [5, 0]}));
    assert!(game.is_terminal(&state));
    assert_eq!(game.scores(&state).as_slice(), [15, 5]);
    let sheet = game.score_sheet(&state);
    assert_eq!((sheet[0].item, sheet[0].points.as_slice()), ("closed rooms", [5, 0].as_slice()));
    assert_eq!((sheet[1].item, sheet[1].points.as_slice()), ("unplayed tiles", [10, 5].as_slice()));
}

#[test]
fn fc_6_2_finished_seats_are_passed_over() {
    let game = test_set(2);
    let discarded = all_but(0, "pass ring");
    let mut state = position(&game, "", json!({"discarded": discarded, "turn": 1}));
    assert_eq!((game.phase(&state), state.drawing_seat()), ("deal", 1));
    play(&game, &mut state, "cap; 0,2 r0");
    assert_eq!((game.phase(&state), state.drawing_seat()), ("draw", 1));
    play(&game, &mut state, "cap");
    assert_eq!(game.turn(&state), Turn::Player(seat(1)));
}

#[test]
fn fc_4_4_a_finished_seat() {
    let game = test_set(2);
    let discarded = all_but(0, "pass ring");
    let error = refusal(&game, "", json!({"discarded": discarded, "turn": 0}));
    assert_eq!(error, "state: turn: found 0, expected a seat that has not finished: more than two unplayed tiles (FC-4.4)");
    let error = refusal(&game, "", json!({"discarded": discarded, "turn": 1, "hands": ["pass", null]}));
    assert_eq!(error, "state: hands[0]: found \"pass\", expected null: seat 0 has only its last two tiles (FC-12.1)");
    let too_many = [discarded, vec![json!([0, "ring"])]].concat();
    let error = refusal(&game, "", json!({"discarded": too_many, "turn": 1}));
    assert_eq!(error, "state: discarded[12]: found [0,\"ring\"], expected at least two unplayed tiles left of seat 0 (FC-4.4)");
}

#[test]
fn fc_4_4_tiles_that_a_seat_does_not_have() {
    let game = house(3);
    let expected = "expected a tile that seat 0 still has unplayed (FC-4.4)";
    assert!(refusal(&game, "0,2 g-A1c 0 r3; 0,3 g-A1c 0 r3", json!({})).ends_with(expected));
    assert!(refusal(&game, "0,2 g-A1a 0 r0", json!({})).ends_with(expected), "tiles marked 2 are for two players");
    assert!(refusal(&game, "0,2 g-A1c 0 r3", json!({"discarded": [[0, "g-A1c"]]})).ends_with(expected));
    let error = refusal(&game, "0,2 g-A1c 0 r3", json!({"hands": ["g-A1c", null, null]}));
    assert_eq!(error, "state: hands[0]: found \"g-A1c\", expected one of the unplayed tiles of seat 0 (FC-12.1)");
}

#[test]
fn fc_4_4_placements_that_are_not_legal() {
    let game = house(2);
    for (laid, expected) in [
        ("0,1 g-A3 0 r0", "FC-5.3: 0,1 is a space of the start tile"),
        ("0,2 g-A3 0 r0; 0,2 g-A2 0 r0", "FC-5.3: 0,2 is occupied by g-A3"),
        ("0,3 g-A3 0 r0", "FC-5.3: 0,3 touches no occupied space"),
        ("0,2 p-A3 0 r0", "FC-5.3: open pink meets open green to the south of 0,2"),
        ("0,2 g-A3 0 r2", "FC-5.2: g-A3 at r2 shows the same face as at r0: say 0,2 r0"),
    ] {
        assert!(refusal(&game, laid, json!({})).ends_with(&format!("expected {expected}")), "{laid}");
    }
}

#[test]
fn fc_4_3_keys_types_and_ranges() {
    let game = house(2);
    let good = position_object(&game, "0,2 g-A3 0 r0", json!({"turn": 1}));
    assert!(game.state_from_position(&good).is_ok());
    let changed = |key: &str, value: Value| {
        let mut position = good.clone();
        position[key] = value;
        game.state_from_position(&position).expect_err(key).to_string()
    };
    for (key, value) in [
        ("game", json!("qin")),
        ("players", json!(3)),
        ("players", json!("2")),
        ("options", json!([])),
        ("options", json!({"table": 43})),
        ("options", json!({"table": 40})),
        ("options", json!({"side": "advanced"})),
        ("options", json!({"components": "test-1"})),
        ("options", json!({"size": 1})),
        ("components", json!("test-1")),
        ("components", json!(7)),
        ("placements", json!({})),
        ("placements", json!([[0, 2, "g-A3", 0]])),
        ("placements", json!([[0, 2, "g-A3", 2, 0]])),
        ("placements", json!([[0, 2, "g-A3", 0, 4]])),
        ("placements", json!([[0, 2, "G-A3", 0, 0]])),
        ("placements", json!([[0.0, 2, "g-A3", 0, 0]])),
        ("placements", json!([[i64::MIN, i64::MAX, "g-A3", 0, 0]])),
        ("placements", json!(vec![json!([0, 2, "g-A3", 0, 0]); 57])),
        ("discarded", json!([[0]])),
        ("discarded", json!([[2, "g-A3"]])),
        ("discarded", json!(null)),
        ("hands", json!([null])),
        ("hands", json!([null, 3])),
        ("turn", json!(2)),
        ("turn", json!(-1)),
        ("turn", json!(null)),
        ("coins", json!([0])),
        ("coins", json!([-1, 0])),
        ("coins", json!([0, 1_000_001])),
        ("ply", json!(1)),
    ] {
        let error = changed(key, value.clone());
        assert!(error.starts_with(&format!("state: {key}")), "{key} = {value}: {error}");
    }
    for key in ["game", "players", "options", "placements"] {
        let mut position = good.clone();
        position.as_object_mut().expect("an object").remove(key);
        let error = game.state_from_position(&position).expect_err(key).to_string();
        assert_eq!(error, format!("state: {key}: found nothing, expected this key"));
    }
    assert!(game.state_from_position(&json!(null)).is_err());
}

#[test]
fn fc_4_3_options_may_leave_out_defaults_and_components_may_be_named() {
    let game = house(2);
    for more in [json!({"options": {}}), json!({"options": {}, "components": "house-1"}), json!({"components": "house-1"})] {
        position(&game, "0,2 g-A3 0 r0", more);
    }
    let test = test_set(2);
    position(&test, "", json!({"options": {}, "components": "test-1"}));
    let error = refusal(&test, "", json!({"options": {}}));
    assert_eq!(error, "state: options.components: found \"house-1\", expected \"test-1\", the option of this game");
    let error = refusal(&test, "", json!({"options": {"components": "house-1"}, "components": "test-1"}));
    assert_eq!(error, "state: options.components: found \"house-1\", expected \"test-1\", the option of this game");
}

#[test]
fn fc_4_3_a_position_with_an_own_set() {
    let own = super::components::own_set();
    let game = Game::new(2, &Options::new(), Some(&ComponentSource::Set(own.clone()))).expect("a set");
    for more in [json!({}), json!({"components": own}), json!({"options": {}, "components": own})] {
        position(&game, "", more);
    }
    let mut other = own;
    other["tiles"][0]["edges"] = json!("...A");
    assert!(refusal(&game, "", json!({"components": other})).starts_with("state: components: "));
    assert!(refusal(&game, "", json!({"components": "mine"})).starts_with("state: components: "));
}

/// A state in the middle of a game, as JSON.
fn middle(game: &Game) -> Value {
    let mut state = game.new_state();
    let mut rng = Rng::stream(11, "test", 0);
    while game.ply(&state) < 20 || game.phase(&state) != "place" {
        step_randomly(game, &mut state, &mut rng);
    }
    game.state_to_json(&state)
}

#[test]
fn fc_9_states_that_break_an_invariant() {
    let game = house(3);
    let good = middle(&game);
    assert!(game.state_from_json(&good).is_ok());
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut state = good.clone();
        change(&mut state);
        assert_ne!(state, good);
        game.state_from_json(&state).expect_err("a broken state").to_string()
    };
    let cases: [Damage<'_>; 18] = [
        ("ply", &|state| state["ply"] = json!(19)),
        ("node", &|state| {
            state["node"] = json!("chance");
            state["player"] = json!(null);
        }),
        ("node", &|state| state["phase"] = json!("draw")),
        ("node", &|state| state["turn"] = json!((state["turn"].as_u64().unwrap_or(0) + 1) % 3)),
        ("turn", &|state| state["turn"] = json!(3)),
        ("coins", &|state| state["coins"][0] = json!(-1)),
        ("coins", &|state| state["coins"][0] = json!(i64::MAX)),
        ("phase", &|state| state["hands"][1] = json!(null)),
        ("hands[1]", &|state| {
            let laid =
                state["board"].as_array().expect("a list").iter().find(|tile| tile[3] == 1).expect("a tile of seat 1")[2].clone();
            state["hands"][1] = laid;
        }),
        ("unplayed[0]", &|state| state["unplayed"][0] = json!({})),
        ("unplayed[0]", &|state| state["unplayed"][0]["g-A9"] = json!(1)),
        ("unplayed[2]", &|state| state["unplayed"][2]["d-gp"] = json!(2)),
        ("board", &|state| state["board"].as_array_mut().expect("a list").reverse()),
        ("board[3]", &|state| state["board"][3][0] = json!(19)),
        ("discarded[0]", &|state| state["discarded"] = json!([[0, "no such"]])),
        ("ply", &|state| state["board"] = json!([])),
        ("rooms[0].value", &|state| state["rooms"][0]["value"] = json!(99)),
        ("rooms", &|state| {
            state["rooms"].as_array_mut().expect("a list").pop();
        }),
    ];
    for (index, (key, change)) in cases.iter().enumerate() {
        let error = changed(*change);
        assert!(error.starts_with(&format!("state: {key}")), "case {index}, {key}: {error}");
    }
    let key = changed(&|state| state["more"] = json!(1));
    assert!(key.starts_with("state: more: found 1, expected only the keys game, players, "), "{key}");
}

#[test]
fn fc_9_a_seat_that_plays_no_part_is_told_apart() {
    let [two, three] = [house(2), house(3)];
    assert!(three.state_from_json(&middle(&two)).is_err());
    assert!(game(2, json!({"table": 43})).state_from_json(&middle(&two)).is_err());
}
