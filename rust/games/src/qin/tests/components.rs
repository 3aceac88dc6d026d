//! Board files and options: what is accepted, and what the errors name.

use super::*;
use forbidden_games_core::contract;
use forbidden_games_core::contract::{Audit, Rules, Setup};

const POND: [&str; 5] = ["..#..", ".r.y.", "..~..", ".b...", "....."];

fn pond() -> Value {
    json!({"name": "pond", "grid": POND})
}

#[track_caller]
fn refused(board: Value, words: &[&str]) {
    let error = game(2, json!({}), Some(board)).expect_err("refused").to_string();
    for word in words {
        assert!(error.contains(word), "{word:?} is not in {error:?}");
    }
}

#[test]
fn built_in_boards_are_those_of_the_page() {
    for (name, grass, villages, groups, water) in [("bird", 154, 12, 8, 0), ("lion", 138, 16, 14, 12)] {
        let square = game(2, json!({"board": name}), None).unwrap();
        let group = game(2, json!({"board": name, "villages": "group"}), None).unwrap();
        assert_eq!(
            (square.tables.num_grass(), square.tables.villages.len(), group.tables.villages.len()),
            (grass, villages, groups)
        );
        let rows = square.board_rows(&square.new_state().public);
        assert_eq!(rows.iter().map(|row| row.matches('~').count()).sum::<usize>(), water);
        assert_eq!(square.components(), json!(name));
        if name == "lion" {
            let turned: Vec<String> = rows.iter().rev().map(|row| row.chars().rev().collect()).collect();
            let bare = |rows: &[String]| rows.iter().map(|row| row.replace(['r', 'y', 'b'], ".")).collect::<Vec<_>>();
            assert_eq!(bare(&rows), bare(&turned));
        }
        // The page draws it.
        for (number, row) in (1..).zip(&rows) {
            let line = format!("{number:>2} {row}");
            assert!(Game::INFO.rules.contains(&line), "{line}");
        }
    }
}

#[test]
fn an_own_board_fills_in_defaults() {
    let own = game(3, json!({}), Some(pond())).unwrap();
    assert_eq!(own.options()["board"], "pond");
    let whole = json!({
        "name": "pond", "grid": POND, "tiles": {"bb": 12, "br": 12, "by": 12, "rr": 12, "ry": 12, "yy": 12}, "pagodas": [24, 19, 15]
    });
    assert_eq!(own.components().to_string(), whole.to_string(), "keys in order");
    assert_eq!(own.allotment, 19);
    assert!(game(2, json!({"board": "pond"}), Some(pond())).is_ok());
    let error = game(2, json!({"board": "bird"}), Some(pond())).unwrap_err().to_string();
    assert!(error.contains("board") && error.contains("pond"), "{error}");
}

#[test]
fn a_built_in_board_may_come_as_components() {
    let lion = game(2, json!({"board": "lion"}), None).unwrap();
    let object = lion.components.to_json();
    let given = game(2, json!({}), Some(object.clone())).unwrap();
    assert_eq!((given.components(), given.options()), (json!("lion"), lion.options()));
    let mut short = json!({"name": "lion", "grid": object["grid"]});
    assert_eq!(game(2, json!({}), Some(short.clone())).unwrap().components(), json!("lion"));
    assert_eq!(game(2, json!({}), Some(json!("lion"))).unwrap().options()["board"], "lion");
    assert!(game(2, json!({"board": "lion"}), Some(json!("lion"))).is_ok());
    assert!(game(2, json!({"board": "bird"}), Some(json!("lion"))).is_err());
    short["pagodas"] = json!([24, 19, 16]);
    refused(short, &["name", "lion"]);
    refused(json!("tiger"), &["components", "tiger", "bird, lion"]);
}

#[test]
fn damaged_boards_are_named() {
    let with = |key: &str, value: Value| {
        let mut board = pond();
        board[key] = value;
        board
    };
    let row = |number: usize, text: &str| {
        let mut grid = POND.map(str::to_owned);
        grid[number] = text.to_owned();
        with("grid", json!(grid))
    };
    refused(row(2, "..x.."), &["grid[2]", "'x'", "row 3", "column 3"]);
    refused(row(1, ".ř.y."), &["grid[1]", "row 2", "column 2"]);
    refused(row(4, "...."), &["grid[4]", "row 5 of 4 columns", "5 as in row 1"]);
    refused(row(3, ".b...."), &["grid[3]", "row 4 of 6 columns"]);
    refused(row(0, ".."), &["grid[0]", "row 1 of 2 columns"]);
    refused(with("grid", json!([".".repeat(27), "r..", "..."])), &["grid[0]", "row 1", "27"]);
    refused(with("grid", json!(vec!["r.."; 27])), &["grid", "27 rows"]);
    refused(with("grid", json!(["r..", "..."])), &["grid", "2 rows"]);
    refused(with("grid", json!(["...", ".#.", "..."])), &["grid", "no start space"]);
    refused(with("grid", json!(["...", ".rr", "..."])), &["grid[1]", "row 2, column 2", "b2 and c2"]);
    refused(with("grid", json!(["...", "..y", "..y"])), &["grid[1]", "c2 and c3"]);
    refused(with("grid", json!([".#.", "#r#", ".#."])), &["grid", "free pair"]);
    refused(with("grid", json!([".#.", "r.#", "b#r"])), &["grid", "free pair"]);
    refused(with("grid", json!("r..")), &["grid", "a list"]);
    refused(with("grid", json!(["r..", 7, "..."])), &["grid[1]", "7"]);
    refused(with("name", json!("Pond")), &["name", "Pond"]);
    refused(with("name", json!("")), &["name"]);
    refused(with("name", json!("x".repeat(41))), &["name"]);
    refused(with("name", json!("bird")), &["name", "bird"]);
    refused(with("water", json!(1)), &["water"]);
    refused(with("tiles", json!({"bb": 12})), &["tiles.br"]);
    refused(with("tiles", json!({"bb": 12, "br": 12, "by": 12, "rr": 12, "ry": 12, "yy": 12, "yr": 1})), &["tiles.yr"]);
    refused(with("tiles", json!({"bb": 100, "br": 0, "by": 0, "rr": 0, "ry": 0, "yy": 0})), &["tiles.bb", "100"]);
    refused(with("tiles", json!({"bb": 1, "br": 2, "by": 2, "rr": 2, "ry": 2, "yy": 2})), &["tiles", "11"]);
    refused(with("tiles", json!({"bb": -1, "br": 20, "by": 2, "rr": 2, "ry": 2, "yy": 2})), &["tiles.bb", "-1"]);
    refused(with("tiles", json!({"bb": true, "br": 20, "by": 2, "rr": 2, "ry": 2, "yy": 2})), &["tiles.bb"]);
    refused(with("pagodas", json!([24, 19])), &["pagodas", "2 entries"]);
    refused(with("pagodas", json!([24, 0, 15])), &["pagodas[1]", "0"]);
    refused(with("pagodas", json!([100, 19, 15])), &["pagodas[0]", "100"]);
    refused(json!({"name": "pond"}), &["grid", "nothing"]);
    refused(json!({"grid": POND}), &["name", "nothing"]);
    refused(json!([]), &["object"]);
}

#[test]
fn the_largest_and_oddest_boards_play() {
    // All villages but one corner, in one group or 673 of their own.
    let mut grid = vec!["#".repeat(26); 26];
    grid[0] = format!("r..{}", "#".repeat(23));
    for villages in ["square", "group"] {
        let board = json!({"name": "test", "grid": grid, "pagodas": [99, 99, 99]});
        let game = game(2, json!({"villages": villages}), Some(board)).unwrap();
        assert_eq!(game.max_plies(), 1);
        let mut state = game.new_state();
        for _ in 0..6 {
            contract::play(&game, &mut state, Step::Outcome(Kind::from_name("rr").unwrap()), &mut NoEvents).unwrap();
        }
        contract::play(&game, &mut state, Step::Action(action(&game, "rr:b1c1")), &mut NoEvents).unwrap();
        let won = if villages == "square" { 1 + 4 } else { 1 + 1 };
        assert_eq!(game.scores(&state).as_slice(), [won, 0]);
        game.check_invariants(&state).unwrap();
    }
}

#[test]
fn options_are_checked() {
    for (options, word) in [
        (json!({"board": "tiger"}), "board"),
        (json!({"board": 3}), "board"),
        (json!({"absorb_major": "always"}), "absorb_major"),
        (json!({"villages": "groups"}), "villages"),
        (json!({"village": "group"}), "village"),
    ] {
        let error = game(2, options, None).unwrap_err().to_string();
        assert!(error.contains(&format!("option {word}")), "{error}");
    }
    for players in [0, 1, 5, usize::MAX] {
        assert!(game(players, json!({}), None).unwrap_err().to_string().contains("players"));
    }
}
