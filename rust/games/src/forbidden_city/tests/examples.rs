//! The worked examples of FC-11.

use forbidden_games_core::contract::{Data, Knowledge, Notation, Rules};
use serde_json::json;

use forbidden_games_core::player::Turn;

use super::super::scoring::payments;
use super::*;

/// FC-11.1, the seventeen placements.
const TABLE_OF_11_1: [&str; 17] = [
    "2,-1 w-A1o 3 r2",
    "1,2 g-DR 0 r0",
    "2,2 g-A2r 3 r1",
    "2,3 g-A1t 2 r3",
    "2,1 g-A1c 1 r1",
    "2,0 p-A2 3 r1",
    "-1,2 w-A2 1 r1",
    "0,2 g-A2 2 r0",
    "3,-1 w-A1c 1 r1",
    "3,0 w-A2 0 r1",
    "3,1 w-A1c 3 r0",
    "3,2 p-A3 1 r0",
    "4,2 p-A1c 2 r1",
    "3,3 p-A1c 3 r3",
    "3,4 w-A3 0 r0",
    "4,3 p-A2 1 r0",
    "5,3 p-A1t 1 r0",
];

#[test]
fn fc_11_1_the_four_examples_on_one_table() {
    let game = house(4);
    let expected = [(6, [0, 0, 0, 11]), (8, [0, 0, 12, 17]), (11, [3, 0, 12, 20]), (17, [3, 15, 12, 20])];
    let mut coins = [0; 4];
    for count in 0..=17 {
        if let Some((_, after)) = expected.iter().find(|(after, _)| *after == count) {
            coins = *after;
        }
        assert_eq!(coins_after(&game, &TABLE_OF_11_1[..count].join(";")), coins, "after {count} placements");
    }
    let state = position(&game, &TABLE_OF_11_1.join(";"), json!({}));
    let rooms: Vec<String> = game.state_to_json(&state)["rooms"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|room| {
            let closed = if room["closed"] == true { "yes" } else { "no" };
            let cells = room["cells"].as_array().map_or(0, Vec::len);
            format!("{} {cells} {closed} {}", room["floor"].as_str().unwrap_or(""), room["value"])
        })
        .collect();
    assert_eq!(rooms.join("; "), "w 1 no 6; g 6 yes 17; p 5 yes 15; w 1 no 1; w 4 yes 6; g 1 no 2; p 2 yes 16; w 1 no 2");
}

#[test]
fn fc_11_1_the_last_tile_in_play() {
    let game = house(4);
    let hands = json!({"hands": [null, "p-A1t", null, null], "turn": 1});
    let mut state = position(&game, &TABLE_OF_11_1[..16].join(";"), hands);
    for drawing in [0, 2, 3] {
        assert_eq!((game.phase(&state), state.drawing_seat()), ("deal", drawing));
        play(&game, &mut state, "g-A3");
    }
    assert!(legal(&game, &state).contains(&"5,3 r0".to_owned()));
    let events = play(&game, &mut state, "5,3 r0");
    assert_eq!(game.scores(&state).as_slice(), [3, 15, 12, 20]);
    assert_eq!((game.phase(&state), game.ply(&state)), ("draw", 17));
    let texts: Vec<String> = events.iter().map(ToString::to_string).collect();
    assert_eq!(texts, ["yellow lays p-A1t on 5,3 r0 (FC-5.3)", "pink room of 5 tiles closes, worth 15: yellow 15 (FC-5.11)"]);
}

#[test]
fn fc_11_2_first_moves() {
    let table = [
        ("g-A3", 10, 6),
        ("p-A3", 9, 3),
        ("w-A3", 9, 3),
        ("g-A2", 42, 30),
        ("p-A2", 39, 21),
        ("w-A2r", 39, 21),
        ("g-A1o", 44, 36),
        ("g-A1c", 44, 36),
        ("p-A1c", 42, 30),
        ("g-A1t", 46, 42),
        ("w-A1t", 45, 39),
        ("d-gp", 43, 33),
        ("d-wg", 43, 33),
        ("d-pw", 42, 30),
    ];
    for (side, column) in [("beginner", 0), ("advanced", 1)] {
        let game = game(3, json!({"side": side}));
        for (kind, beginner, advanced) in table {
            let state = position(&game, "", json!({"hands": [kind, "g-A1t", "g-A1t"]}));
            assert_eq!(legal(&game, &state).len(), [beginner, advanced][column], "{kind} on the {side} side");
            if (side, kind) == ("advanced", "p-A3") {
                assert_eq!(legal(&game, &state), ["2,0 r0", "2,-1 r0", "1,-2 r0"]);
            }
        }
    }
}

#[test]
fn fc_11_3_open_and_blocked_arch() {
    let game = house(2);
    assert_eq!(coins_after(&game, "0,2 g-A1c 0 r0; 1,2 w-A2 1 r0; -1,2 w-A2 0 r1"), [4, 0]);
    assert_eq!(coins_after(&game, "0,2 g-A1c 0 r0; 1,2 w-A2 1 r3; -1,2 w-A2 0 r1"), [3, 0]);
    let laid = "0,2 g-A1c 0 r0; 1,2 w-A2r 1 r1; 2,2 p-A2 1 r0; -1,2 w-A2 0 r1";
    assert_eq!(coins_after(&game, laid), [4, 0]);
    let json = game.state_to_json(&position(&game, laid, json!({})));
    let rooms = json["rooms"].as_array().expect("a list");
    let white = rooms.iter().position(|room| room["cells"][0] == json!([1, 2, 0])).expect("the white room");
    let pink = rooms.iter().find(|room| room["cells"][0] == json!([2, 2, 0])).expect("the pink room");
    assert_eq!(pink["links"], json!([white]));
}

#[test]
fn fc_11_4_two_arches_to_one_room_and_an_arch_to_itself() {
    let game = house(2);
    let two = "0,2 g-A2r 0 r1; 0,3 g-A1c 0 r0; 1,2 w-A3 1 r0; 1,3 w-A2 1 r0; -1,2 p-A2 1 r1; -1,3 p-DR 1 r1";
    assert_eq!(coins_after(&game, two), [6, 0]);
    let itself = "0,2 g-A2r 0 r1; 0,3 g-A2 0 r0; 1,3 g-A1c 0 r0; 1,2 g-DR 0 r1; -1,2 p-A2 1 r1; -1,3 p-DR 1 r1";
    let state = position(&game, itself, json!({}));
    assert_eq!(game.scores(&state).as_slice(), [9, 0]);
    let json = game.state_to_json(&state);
    let room = json["rooms"].as_array().expect("a list").iter().find(|room| room["tiles"] == 5).expect("the room of five tiles");
    assert_eq!((&room["links"], &room["value"]), (&json!([]), &json!(9)));
}

#[test]
fn fc_11_5_nobody_is_paid() {
    let game = house(2);
    for (laid, cell, value) in [("0,2 p-A2 0 r2", [0, 1, 0], 2), ("2,0 w-A2r 0 r3", [1, 0, 0], 3)] {
        let state = position(&game, laid, json!({}));
        assert_eq!(game.scores(&state).as_slice(), [0, 0]);
        let json = game.state_to_json(&state);
        let room = json["rooms"].as_array().expect("a list").iter().find(|room| room["cells"][0] == json!(cell)).expect("the room");
        assert_eq!((&room["closed"], &room["value"]), (&json!(true), &json!(value)));
    }
}

#[test]
fn fc_11_6_ties() {
    let game = house(3);
    assert_eq!(coins_after(&game, "0,2 g-A1c 0 r3; 0,3 w-A2 2 r0; 1,2 g-A1c 1 r0"), [2, 2, 0]);
    assert_eq!(coins_after(&game, "0,2 g-A1c 0 r3; 1,2 g-A1o 1 r0; 2,2 g-A1t 2 r0"), [2, 2, 2]);
    let table = [
        ([0, 0, 0], [0, 0, 0]),
        ([1, 0, 0], [9, 0, 0]),
        ([3, 2, 1], [9, 4, 0]),
        ([2, 2, 1], [4, 4, 0]),
        ([3, 1, 1], [9, 0, 0]),
        ([1, 1, 1], [4, 4, 4]),
    ];
    for (advisors, paid) in table {
        assert_eq!(payments(&advisors, 9).as_slice(), paid, "{advisors:?}");
    }
    assert_eq!(payments(&[2, 1, 0], 1).as_slice(), [1, 0, 0]);
}

#[test]
fn fc_11_7_two_rooms_at_once() {
    assert_eq!(coins_after(&house(2), "0,2 g-A1c 0 r3; 2,1 p-A3 1 r0; 2,2 w-A1t 1 r0; 1,2 w-A1m 0 r3"), [7, 2]);
}

const STUCK: &str = "2,0 w-A2 0 r3; 2,-1 w-DR 0 r3; 1,-2 w-A2r 0 r0";

#[test]
fn fc_11_8_a_stuck_tile() {
    let game = game(2, json!({"side": "advanced"}));
    assert_eq!(coins_after(&game, STUCK), [0, 0]);
    let mut state = position(&game, STUCK, json!({"hands": ["p-A3", "g-A3"]}));
    let pink = game.state_to_json(&state)["rooms"]
        .as_array()
        .expect("a list")
        .iter()
        .find(|room| room["floor"] == "p")
        .map(|room| (room["closed"].clone(), room["value"].clone()));
    assert_eq!(pink, Some((json!(true), json!(4))));
    assert_eq!(legal(&game, &state), ["discard"]);
    play(&game, &mut state, "discard");
    assert_eq!(game.state_to_json(&state)["discarded"], json!([[0, "p-A3"]]));
    assert_eq!((game.ply(&state), game.phase(&state)), (4, "draw"));
    let mut outcomes = Vec::new();
    game.chance_outcomes(&state, &mut outcomes);
    assert_eq!(outcomes.len(), 26);
    assert!(outcomes.iter().all(|(_, weight)| *weight == 1));
    play(&game, &mut state, "g-DR");
    assert_eq!(game.turn(&state), Turn::Player(seat(1)));
}

#[test]
fn fc_11_9_edge_of_the_table() {
    let laid = "0,2 g-A3 0 r0; 0,3 g-A3 1 r0; 0,4 g-A3 2 r0; 0,5 g-A3 3 r0; 0,6 g-A2 0 r1; 0,7 g-A2 1 r1";
    let more = format!("{laid}; 0,8 g-DR 2 r0");
    for table in [15, 41] {
        let game = game(4, json!({"table": table}));
        let json = game.state_to_json(&position(&game, laid, json!({})));
        let room = json["rooms"].as_array().expect("a list").iter().find(|room| room["tiles"] == 7).expect("the room");
        assert_eq!(room["open"], 11);
        let further = try_position(&game, &more, json!({}));
        if table == 15 {
            let error = further.expect_err("beyond the table").to_string();
            assert_eq!(error, "state: placements[6][1]: found 8, expected an integer from -7 to 7");
            continue;
        }
        let json = game.state_to_json(&further.expect("a larger table"));
        assert!(json["rooms"].as_array().expect("a list").iter().any(|room| room["tiles"] == 8));
    }
}

#[test]
fn fc_11_10_two_parts() {
    let game = test_set(2);
    assert_eq!(coins_after(&game, "0,2 pass 0 r2"), [4, 0]);
    assert_eq!(coins_after(&game, "0,2 pass 0 r2; 0,3 gate 1 r0"), [11, 5]);
    let state = position(&game, "0,2 pass 0 r1", json!({}));
    assert_eq!(game.scores(&state).as_slice(), [0, 0]);
    let json = game.state_to_json(&state);
    let start =
        json["rooms"].as_array().expect("a list").iter().find(|room| room["cells"] == json!([[0, 1, 0]])).expect("the room");
    assert_eq!((&start["closed"], &start["value"]), (&json!(true), &json!(3)));
    let error = try_position(&game, "0,2 pass 0 r0", json!({})).expect_err("white meets green").to_string();
    assert_eq!(
        error,
        "state: placements[0]: found [0,2,\"pass\",0,0], expected FC-5.3: open white meets open green to the south of 0,2"
    );
}

#[test]
fn fc_11_11_both_parts_in_one_room() {
    let game = test_set(2);
    let state = position(&game, "0,2 ring 0 r0; -1,2 cap 0 r3; -1,3 cap 1 r0; 0,3 cap 1 r1", json!({}));
    let json = game.state_to_json(&state);
    let room = json["rooms"].as_array().expect("a list").iter().find(|room| room["tiles"] == 5).expect("the room");
    assert_eq!(room["cells"].as_array().map(Vec::len), Some(6));
    assert_eq!((&room["advisors"], &room["open"]), (&json!([2, 0]), &json!(3)));
    assert_eq!((&room["links"], &room["value"]), (&json!([]), &json!(6)));
}

#[test]
fn fc_11_12_rooms_that_close_themselves() {
    let game = test_set(2);
    assert_eq!(coins_after(&game, "0,2 box 0 r0"), [1, 0]);
    assert_eq!(coins_after(&game, "0,-2 nook 1 r0"), [0, 3]);
}

#[test]
fn fc_11_13_canonical_rotations() {
    for (game, expected) in [
        (house(2), &[("g-A3", 1), ("p-A3", 1), ("w-A3", 1)][..]),
        (test_set(2), &[("box", 1), ("gate", 1), ("hall", 1), ("twin", 2), ("ring", 2), ("nook", 2)][..]),
    ] {
        for (index, kind) in game.kinds().iter().enumerate() {
            let count = expected.iter().find(|(id, _)| *id == kind.id).map_or(4, |(_, count)| *count);
            let canonical: Vec<u8> = (0..4).map(|rotation| rotation % count).collect();
            assert_eq!(game.tables.canonical[index].to_vec(), canonical, "{}", kind.id);
        }
    }
}

/// The discards of FC-11.14.
fn end_position() -> serde_json::Value {
    let gone = |seat: usize, list: &str| -> Vec<serde_json::Value> { list.split(' ').map(|kind| json!([seat, kind])).collect() };
    let mut discarded = gone(0, "gate hall wild twin nook tri box cap cap cap cap");
    discarded.extend(gone(1, "gate hall wild pass twin nook tri box box cap cap cap"));
    json!({"discarded": discarded, "hands": ["box", null], "turn": 0, "coins": [3, 8]})
}

#[test]
fn fc_11_14_end() {
    let game = test_set(2);
    let mut state = position(&game, "", end_position());
    assert_eq!((game.phase(&state), game.ply(&state)), ("place", 23));
    let events = play(&game, &mut state, "2,1 r0");
    assert!(game.is_terminal(&state));
    assert_eq!(game.state_to_json(&state)["unplayed"], json!([{"pass": 1, "ring": 1}, {"ring": 1, "cap": 1}]));
    assert_eq!(game.tally(&state).as_slice(), [10, 4]);
    assert_eq!(game.scores(&state).as_slice(), [14, 12]);
    assert_eq!(game.ranking(&state).as_slice(), [1, 2]);
    let texts: Vec<&str> = events.iter().map(|event| event.text.as_str()).collect();
    assert_eq!(
        texts,
        ["purple lays box on 2,1 r0", "green room of 1 tile closes, worth 1: purple 1", "unplayed tiles bring purple 10, yellow 4"]
    );
}

#[test]
fn fc_11_15_draws() {
    let game = test_set(2);
    let mut state = game.new_state();
    let weights = |state: &State| -> Vec<(String, u32)> {
        let mut outcomes = Vec::new();
        game.chance_outcomes(state, &mut outcomes);
        outcomes.into_iter().map(|(outcome, weight)| (game.format_outcome(outcome), weight)).collect()
    };
    let start = weights(&state);
    assert!(start.contains(&("cap".to_owned(), 4)) && start.contains(&("box".to_owned(), 2)));
    assert_eq!(start.iter().map(|(_, weight)| weight).sum::<u32>(), 14);
    play(&game, &mut state, "cap; CAP");
    assert_eq!(game.turn(&state), Turn::Player(seat(0)));
    let seen = game.observation_to_json(&game.observation(&state, seat(1)));
    assert_eq!(seen["hands"], json!([null, "cap"]));
    assert_eq!(seen["unplayed"][0]["cap"], 4);
    play(&game, &mut state, " 0 , 2   R2 ");
    assert_eq!((game.phase(&state), state.turn), ("draw", 0));
    let after = weights(&state);
    assert!(after.contains(&("cap".to_owned(), 3)));
    assert_eq!(after.iter().map(|(_, weight)| weight).sum::<u32>(), 13);
    play(&game, &mut state, "box");
    assert_eq!(game.turn(&state), Turn::Player(seat(1)));
}

#[test]
fn fc_11_16_a_hole() {
    let game = house(2);
    let laid = "0,2 p-A2 0 r2; 1,2 p-A3 0 r0; 1,3 g-A2 0 r2; 1,4 g-A3 0 r0; 0,4 g-DR 0 r0; -1,2 w-A2 0 r1; -1,3 w-DR 0 r0";
    for (kind, expected) in [("d-gp", &["0,3 r0"][..]), ("g-A1t", &["0,3 r1", "0,3 r2"]), ("g-A3", &[])] {
        let owner = usize::from(kind == "g-A3");
        let mut hands = [json!("p-A3"), json!("p-A3")];
        hands[0] = json!("w-A3");
        hands[owner] = json!(kind);
        let state = position(&game, laid, json!({"hands": hands, "turn": owner}));
        let there: Vec<String> = legal(&game, &state).into_iter().filter(|action| action.starts_with("0,3 ")).collect();
        assert_eq!(there, expected, "{kind}");
    }
}

#[test]
fn fc_11_17_perft() {
    let counts =
        |game: &Game, state: &State, depth: u32| -> Vec<u64> { (1..=depth).map(|depth| perft(game, state, depth)).collect() };
    let from_start = |game: Game| counts(&game, &game.new_state(), 3);
    assert_eq!(from_start(house(2)), [43, 1923, 85562]);
    assert_eq!(from_start(game(3, json!({"side": "advanced"}))), [33, 1159, 43829]);
    assert_eq!(from_start(test_set(2)), [12, 152, 2040]);
    assert_eq!(from_start(game(3, json!({"side": "advanced", "components": "test-1"}))), [12, 152, 2040]);
    let game_of_four = house(4);
    let hands = json!({"hands": [null, "p-A1t", null, null], "turn": 1});
    let state = position(&game_of_four, &TABLE_OF_11_1[..16].join(";"), hands);
    assert_eq!(counts(&game_of_four, &state, 2), [73, 4973]);
    let advanced = game(2, json!({"side": "advanced"}));
    let state = position(&advanced, STUCK, json!({"hands": ["p-A3", "g-A3"]}));
    assert_eq!(counts(&advanced, &state, 3), [1, 5, 132]);
    let state = position(&test_set(2), "", end_position());
    assert_eq!(counts(&test_set(2), &state, 2), [12, 0]);
}

#[test]
fn fc_9_example_of_a_state() {
    let game = test_set(2);
    let mut state = game.new_state();
    play(&game, &mut state, "pass; cap; 0,2 r2");
    let expected = concat!(
        r#"{"game":"forbidden_city","players":2,"ply":1,"node":"chance","player":null,"phase":"draw","#,
        r#""options":{"side":"beginner","table":41,"components":"test-1"},"turn":0,"coins":[4,0],"hands":[null,"cap"],"#,
        r#""unplayed":[{"box":2,"gate":1,"hall":1,"wild":1,"twin":1,"ring":1,"nook":1,"tri":1,"cap":4},"#,
        r#"{"box":2,"gate":1,"hall":1,"wild":1,"pass":1,"twin":1,"ring":1,"nook":1,"tri":1,"cap":4}],"#,
        r#""board":[[0,2,"pass",0,2]],"discarded":[],"rooms":["#,
        r#"{"floor":"g","cells":[[0,2,0],[0,1,0]],"closed":true,"open":0,"tiles":2,"dragons":0,"advisors":[1,0],"links":[1],"temple":true,"value":4},"#,
        r#"{"floor":"w","cells":[[0,2,1]],"closed":false,"open":1,"tiles":1,"dragons":0,"advisors":[2,0],"links":[0],"temple":false,"value":3},"#,
        r#"{"floor":"g","cells":[[-1,0,0]],"closed":false,"open":1,"tiles":1,"dragons":0,"advisors":[0,0],"links":[],"temple":true,"value":2},"#,
        r#"{"floor":"p","cells":[[1,0,0]],"closed":false,"open":1,"tiles":1,"dragons":0,"advisors":[0,0],"links":[],"temple":true,"value":2},"#,
        r#"{"floor":"w","cells":[[0,-1,0]],"closed":false,"open":1,"tiles":1,"dragons":0,"advisors":[0,0],"links":[],"temple":true,"value":2}]}"#,
    );
    assert_eq!(game.state_to_json(&state).to_string(), expected);
}
