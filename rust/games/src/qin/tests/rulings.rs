//! QN-11: the rulebook's examples (X) and the rulings (T).

use forbidden_games_core::contract;
use forbidden_games_core::contract::{Drawing, Knowledge, Notation, Rules};
use forbidden_games_core::series::standing;

use super::*;

const X1: &str = ".ry./..../....";
const X6: &str = "...../..y../.b#r./...../.....";
const X6_MOVES: &str = "bb:a2b2 yy:c1d1 ry:b4c4";
const X8: &str = "r...r/.#.../.....";
const X9: &str = "....../.r..r./..r.../....../......";
const T3: &str = "r....r/....../......";
const T14: &str = "r......r/~~~~~~~~/~~~~~~~~";

fn with_pagodas(grid: &str, pagodas: u8) -> Value {
    let mut board = board(grid);
    board["pagodas"] = json!([pagodas, pagodas, pagodas]);
    board
}

#[test]
fn x1_two_foundings() {
    let script = Script::new(X1, "ry:b2c2");
    script.provinces(&[("r", "b1 b2", 0, 1), ("y", "c1 c2", 0, 1)]);
    script.supply(&[22, 24]);
}

#[test]
fn x2_one_colour_tile_beside_a_start() {
    let script = Script::new(X1, "yy:c2d2");
    script.provinces(&[("y", "c1 c2 d2", 0, 1)]);
    script.supply(&[23, 24]);
}

#[test]
fn x3_nothing_happens() {
    let script = Script::new(X1, "br:c2d2");
    script.provinces(&[]);
    script.supply(&[24, 24]);
}

#[test]
fn x4_major() {
    let script = Script::new(X1, "yy:c2d2 yy:c3d3");
    script.provinces(&[("y", "c1 c2 d2 c3 d3", 0, 2)]);
    script.supply(&[22, 24]);
}

#[test]
fn x5_connect_and_its_json() {
    let grid = ".b../.#../....";
    Script::new(grid, "").village("b2", None);
    let script = Script::new(grid, "bb:c1d1");
    script.provinces(&[("b", "b1 c1 d1", 0, 1)]);
    script.village("b2", Some(0));
    script.supply(&[22, 24]);
    // QN-9.3
    let expected = r#"{"game": "qin", "players": 2, "ply": 1, "node": "chance", "player": null, "phase": "draw",
        "options": {"board": "test", "absorb_major": "never", "villages": "square"}, "drawer": 0, "passes": 0, "end": null,
        "board": [".bbb", ".#..", "...."],
        "provinces": [{"colour": "b", "squares": ["b1", "c1", "d1"], "owner": 0, "pagodas": 1}],
        "villages": [{"squares": ["b2"], "owner": 0}], "supply": [22, 24], "hand_sizes": [2, 3],
        "hands": [["bb", "bb"], ["bb", "bb", "bb"]], "pile_size": 66,
        "pile": {"bb": 6, "br": 12, "by": 12, "rr": 12, "ry": 12, "yy": 12},
        "laid": {"bb": 1, "br": 0, "by": 0, "rr": 0, "ry": 0, "yy": 0}}"#;
    let expected: Value = serde_json::from_str(expected).unwrap();
    assert_eq!(script.json().to_string(), expected.to_string(), "keys in order");
}

#[test]
fn x6_conquer_by_founding() {
    let mut script = Script::new(X6, "bb:a2b2");
    script.village("c3", Some(0));
    script = Script::new(X6, "bb:a2b2 yy:c1d1");
    script.village("c3", Some(0));
    script = Script::new(X6, &format!("{X6_MOVES} rr:e3e4"));
    script.village("c3", Some(1));
    script.supply(&[23, 21]);
}

#[test]
fn x7_conquer_by_a_major() {
    let script = Script::new(X6, &format!("{X6_MOVES} yy:d2e2"));
    script.province("y", "c1 d1 c2 d2 e2", 1, 2);
    script.village("c3", Some(1));
    script.supply(&[23, 21]);
}

#[test]
fn x8_absorb_with_the_village() {
    let mut script = Script::new(X8, "ry:a2a3 rr:d1d2 by:e2e3");
    script.province("r", "a1 a2", 0, 1);
    script.province("r", "d1 e1 d2", 1, 1);
    script.village("b2", Some(0));
    script = Script::new(X8, "ry:a2a3 rr:d1d2 by:e2e3 rr:b1c1");
    script.province("r", "a1 b1 c1 d1 e1 a2 d2", 1, 2);
    script.village("b2", Some(1));
    script.supply(&[24, 21]);
}

#[test]
fn x9_three_way_join() {
    let moves = "rr:c4d4 yr:a1b1 rr:c5d5 yb:a3b3 ry:f2f3 by:e3e4";
    let script = Script::new(X9, moves);
    script.province("r", "c3 c4 d4 c5 d5", 0, 2);
    script.province("r", "e2 f2", 0, 1);
    script.province("r", "b1 b2", 1, 1);
    script.supply(&[21, 23]);
    let script = Script::new(X9, &format!("{moves} rr:c2d2"));
    let owner = &script.json()["provinces"];
    let joined = owner.as_array().unwrap().iter().find(|province| province["squares"].as_array().unwrap().len() == 11).unwrap();
    assert_eq!((&joined["owner"], &joined["pagodas"]), (&json!(0), &json!(2)));
    script.supply(&[22, 24]);
}

#[test]
fn x10_two_against_two() {
    let draws = vec![kinds("ry rr"), kinds("ry rr")];
    let mut script = Script::dealt(2, json!({}), board(X8), draws, "ry:a2a3 ry:d1d2");
    script.refused("rr:b1c1", "QN-5.7b");
}

#[test]
fn t1_founded_major_and_too_few_pagodas() {
    let grid = ".r../r..r/..r./....";
    let squares = "b1 a2 b2 c2 d2 c3";
    let script = Script::new(grid, "rr:b2c2");
    script.provinces(&[("r", squares, 0, 2)]);
    script.supply(&[22, 24]);
    let script = Script::with(2, json!({}), with_pagodas(grid, 1), "rr:b2c2");
    script.over("pagodas", &[1, 2]);
    script.provinces(&[("r", squares, 0, 1)]);
    script.supply(&[0, 1]);
    let script = Script::with(2, json!({}), with_pagodas(grid, 2), "rr:b2c2");
    script.over("pagodas", &[1, 2]);
    script.provinces(&[("r", squares, 0, 2)]);
    script.supply(&[0, 2]);
}

#[test]
fn t2_outnumbered_major() {
    let draws = || vec![kinds("rr rr by"), kinds("rr rr rr")];
    let moves = "rr:c4d4 rr:a1b1 rr:c5d5 rr:f1f2 by:b3b4";
    let mut script = Script::dealt(2, json!({}), board(X9), draws(), moves);
    script.refused("rr:c2d2", "QN-5.7c");
    let mut script = Script::dealt(2, json!({"absorb_major": "outnumbered"}), board(X9), draws(), moves);
    script.play("rr:c2d2");
    let json = script.json();
    let joined = json["provinces"].as_array().unwrap().iter().find(|p| p["squares"].as_array().unwrap().len() == 13).unwrap();
    assert_eq!((&joined["owner"], &joined["pagodas"]), (&json!(1), &json!(2)));
    script.supply(&[24, 22]);
    for absorb in ["never", "outnumbered"] {
        let draws = vec![kinds("rr rr by"), kinds("rr ry rr")];
        let moves = "rr:c4d4 rr:a1b1 rr:c5d5 ry:f2f3 by:b3b4";
        let mut script = Script::dealt(2, json!({"absorb_major": absorb}), board(X9), draws, moves);
        script.refused("rr:c2d2", "QN-5.7b");
    }
}

#[test]
fn t3_two_majors_of_one_seat() {
    for absorb in ["never", "outnumbered"] {
        let draws = vec![kinds("rr rr rr"), kinds("rr rr rr")];
        let moves = "rr:a2a3 rr:b2b3 rr:f2f3 rr:e2e3";
        let mut script = Script::dealt(2, json!({"absorb_major": absorb}), board(T3), draws, moves);
        script.province("r", "a1 a2 b2 a3 b3", 0, 2);
        script.province("r", "f1 e2 f2 e3 f3", 0, 2);
        script.supply(&[20, 24]);
        script.refused("rr:c2d2", "QN-5.7a");
        script.refused("rr:c3d3", "QN-5.7a");
        assert!(script.allows("rr:b1c1"));
    }
}

#[test]
fn t4_tie_below_the_top() {
    let moves = "rr:c4d4 yr:a1b1 ry:f2f3 br:b5c5 yb:a3b3 by:e3e4 rr:c2d2";
    let script = Script::with(3, json!({}), board(X9), moves);
    let json = script.json();
    let joined = json["provinces"].as_array().unwrap().iter().find(|p| p["colour"] == "r").unwrap();
    assert_eq!((&joined["owner"], &joined["pagodas"]), (&json!(0), &json!(2)));
    script.supply(&[17, 19, 19]);
}

#[test]
fn t5_three_provinces_of_one_seat_joined_by_the_other() {
    let moves = "yr:a1b1 by:b3b4 ry:f2f3 by:e3e4 ry:c4c5";
    Script::new(X9, moves).supply(&[21, 24]);
    let script = Script::new(X9, &format!("{moves} rr:c2d2"));
    let json = script.json();
    let joined = json["provinces"].as_array().unwrap().iter().find(|p| p["squares"].as_array().unwrap().len() == 8).unwrap();
    assert_eq!((&joined["owner"], &joined["pagodas"]), (&json!(0), &json!(2)));
    script.supply(&[22, 24]);
}

#[test]
fn t6_singles_count_for_nobody() {
    let draws = vec![kinds("ry rr"), kinds("ry")];
    let mut script = Script::dealt(2, json!({}), board("r...r/.#r../....."), draws, "ry:a2a3 ry:d1d2");
    script.refused("rr:b1c1", "QN-5.7b");
}

#[test]
fn t7_tie_at_an_empty_village() {
    let grid = "..y../..#.r/...../.....";
    let script = Script::new(grid, "ry:e3e4 yr:d1d2");
    script.province("r", "d2 e2 e3", 0, 1);
    script.province("y", "c1 d1", 1, 1);
    script.village("c2", None);
    script.supply(&[23, 23]);
    let script = Script::new(grid, "ry:e3e4 yr:d1d2 rr:d3d4");
    script.province("r", "d2 e2 d3 e3 d4", 0, 2);
    script.village("c2", Some(0));
    script.supply(&[21, 23]);
}

#[test]
fn t8_third_seat() {
    let moves = "bb:a2b2 yy:c1d1 rr:e3e4 ry:b4c4";
    Script::with(3, json!({}), board(X6), moves).village("c3", Some(0));
    let script = Script::with(3, json!({}), board(X6), &format!("{moves} yy:d2e2"));
    script.village("c3", Some(1));
    script.supply(&[18, 16, 18]);
}

#[test]
fn t9_counts_once() {
    let script = Script::new("...../...../.b#r./...../.....", "bb:a3a4 rr:c2d2");
    script.province("r", "c2 d2 d3", 1, 1);
    script.village("c3", Some(0));
    script.supply(&[22, 23]);
}

#[test]
fn t10_pair_of_village_squares() {
    let grid = ".b.../.##../.....";
    let script = Script::new(grid, "bb:c1d1");
    script.village("b2", Some(0));
    script.village("c2", Some(0));
    script.supply(&[21, 24]);
    let script = Script::with(2, json!({"villages": "group"}), board(grid), "bb:c1d1");
    assert_eq!(script.json()["villages"], json!([{"squares": ["b2", "c2"], "owner": 0}]));
    script.supply(&[22, 24]);
}

#[test]
fn t11_last_pagoda_on_the_others_turn() {
    let script = Script::with(2, json!({}), with_pagodas(X1, 2), "yy:c2d2 yy:c3d3");
    script.over("pagodas", &[1, 2]);
    script.supply(&[0, 2]);
    assert_eq!(script.game.scores(&script.shown).as_slice(), [2, 0]);
    assert_eq!(script.game.returns(&script.shown).as_slice(), [1.0, -1.0]);
}

#[test]
fn t12_provinces_before_villages() {
    let (grid, moves) = ("y..b/..../..#.", "yy:a2a3 br:d2d3 yr:b1c1 yb:b2c2");
    let script = Script::with(2, json!({}), with_pagodas(grid, 2), moves);
    script.province("y", "a1 b1 a2 b2 a3", 0, 2);
    script.over("pagodas", &[1, 2]);
    script.village("c3", None);
    script.supply(&[0, 1]);
    let script = Script::with(2, json!({}), with_pagodas(grid, 3), moves);
    script.village("c3", Some(1));
    script.supply(&[1, 1]);
    script.over("board", &[1, 1]);
}

#[test]
fn t13_returns_first() {
    let grid = "..y../.y..r/..y../.....";
    let moves = "yb:a2a3 rb:a1b1 yb:d1e1 br:e3e4 yb:c4d4 rb:b3b4";
    Script::with(2, json!({}), with_pagodas(grid, 4), moves).supply(&[1, 4]);
    let script = Script::with(2, json!({}), with_pagodas(grid, 4), &format!("{moves} yr:c2d2"));
    script.supply(&[1, 4]);
    assert_eq!(script.json()["end"], "board");
}

#[test]
fn t14_everybody_blocked() {
    let mut board = board(T14);
    board["tiles"] = json!({"bb": 0, "br": 0, "by": 0, "rr": 12, "ry": 0, "yy": 0});
    let mut script = Script::with(2, json!({}), board, "rr:b1c1 rr:f1g1");
    script.refused("rr:d1e1", "QN-5.7b");
    script.play("pass");
    script.play("pass");
    script.over("passes", &[1, 1]);
    assert_eq!(script.json()["ply"], 4);
    script.supply(&[23, 23]);
    assert_eq!(script.game.returns(&script.shown).as_slice(), [0.0, 0.0]);
}

#[test]
fn t15_one_seat_blocked() {
    let mut board = board(T14);
    board["tiles"] = json!({"bb": 3, "br": 0, "by": 0, "rr": 9, "ry": 0, "yy": 0});
    let draws = vec![kinds("rr rr rr rr"), kinds("rr bb bb rr")];
    let script = Script::dealt(2, json!({}), board, draws, "rr:b1c1 rr:f1g1 pass bb:d1e1");
    script.over("board", &[2, 1]);
    assert_eq!(script.json()["passes"], 0);
    script.supply(&[23, 22]);
}

#[test]
fn t16_first_legal_lists() {
    for (hand, bird, lion) in [("bb bb bb", 28, 30), ("rr ry yy", 112, 120), ("bb br by", 140, 150), ("br by ry", 168, 180)] {
        for (name, expected) in [("bird", bird), ("lion", lion)] {
            let game = game(2, json!({"board": name}), None).unwrap();
            let mut state = game.new_state();
            for kind in kinds(hand).into_iter().chain(kinds("bb bb bb")) {
                contract::play(&game, &mut state, Step::Outcome(kind), &mut NoEvents).unwrap();
            }
            assert_eq!(legal(&game, &state).len(), expected, "{hand} on {name}");
        }
    }
}

#[test]
fn t17_notation() {
    let mut script = Script::dealt(2, json!({}), board(X1), vec![kinds("ry ry ry"), Vec::new()], "");
    assert!(script.allows("ry:b2c2") && script.allows("yr:b2c2"));
    assert_eq!(action(&script.game, "RY : B2 C2"), action(&script.game, "ry:b2c2"));
    for text in
        ["ry:c2b2", "ry:b02c2", "ry:b2d2", "ry", "ry b2c2", "", ":", "pas", "passs", "ry:b2c2c3", "ry:b2c5", "ry:d1e1", "ré:b2c2"]
    {
        let error = script.game.parse_action(text).expect_err(text);
        assert!(error.to_string().contains("QN-6.1"));
    }
    script.refused("ry:b1b2", "QN-5.2");
    script.refused("bb:b2c2", "QN-5.1");
    script.refused("ry:c3d3", "QN-5.2");
    script.refused("pass", "QN-5.14");
    assert_eq!(script.game.parse_outcome(" R y").unwrap().name(), "ry");
    assert!(script.game.parse_outcome("yr").is_err());
    let observation = script.game.observation(&script.state, forbidden_games_core::player::Player(0));
    let guess = |text: &str| script.game.interpret(&observation, text).map(|action| script.game.format_action(action));
    assert_eq!(guess("ry:c2b2").as_deref(), Some("yr:b2c2"));
    assert_eq!(guess("ry c2 b2").as_deref(), Some("yr:b2c2"));
    assert_eq!(guess("ry:b2-c2").as_deref(), Some("ry:b2c2"));
    assert_eq!(guess("ry:b2d2"), None);
    assert_eq!(guess("é"), None);
}

#[test]
fn t18_series() {
    let games = [[0, 4, 6], [3, 0, 5]].map(|supplies| supplies.into_iter().collect());
    let standing = standing(&games, 3);
    assert_eq!(standing.totals.as_slice(), [5, 7, 6]);
    assert_eq!(standing.ranking.as_slice(), [1, 3, 2]);
    let script = Script::new(X1, "ry:b2c2");
    assert_eq!(script.game.series_total(&script.state).unwrap().as_slice(), [22, 24]);
}

#[test]
fn t19_connecting_for_another_seat() {
    let script = Script::new(".b.../...#./.....", "by:b2b3 br:c2c3");
    script.province("b", "b1 b2 c2", 0, 1);
    script.village("d2", Some(0));
    script.supply(&[22, 24]);
}
