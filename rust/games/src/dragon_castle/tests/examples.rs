//! The worked examples DC-11.2 to DC-11.10 and DC-11.19: the game without spirits.

use forbidden_games_core::contract::{Notation, Rules, Setup};
use serde_json::json;

use super::{Position, Table, random_game};

const EMPTY_ROW: &str = "/ . . . . . .";

fn first_takes(layout: &str, players: usize) -> (usize, String, u64) {
    let mut table = Table::new(players, json!({"layout": layout}));
    let mut nodes = 0;
    while table.phase() == "setup_tile" {
        let mut outcomes = Vec::new();
        table.game.chance_outcomes(&table.state, &mut outcomes);
        let text = table.game.format_outcome(outcomes[outcomes.len() / 2].0);
        table.play(&text);
        nodes += 1;
    }
    (nodes, table.legal().join(" ").replace("take ", ""), table.json()["supply"].as_u64().unwrap())
}

#[test]
fn dc_11_2_set_up() {
    assert_eq!(first_takes("pyramid", 2), (60, "e3 h3 d4 i4 d5 i5 e6 h6".to_owned(), 38));
    assert_eq!(first_takes("wings", 3), (52, "d2 i2 d3 e3 h3 i3 d4 i4 d5 i5 d6 e6 h6 i6 d7 i7".to_owned(), 37));
    let bastions = "c2 d2 i2 j2 c3 d3 i3 j3 d4 i4 d5 i5 c6 d6 i6 j6 c7 d7 i7 j7";
    assert_eq!(first_takes("bastions", 4), (48, bastions.to_owned(), 36));
    let court = "c2 d2 i2 j2 c3 j3 c4 d4 i4 j4 c5 d5 i5 j5 c6 j6 c7 d7 i7 j7";
    assert_eq!(first_takes("court", 4), (56, court.to_owned(), 36));

    let mut table = Table::new(2, json!({}));
    assert_eq!(table.outcomes().matches("1/29").count(), 29);
    table.play("m1");
    assert_eq!(table.json()["castle"][0][4], json!([1, "m1"]), "the first node deals e1");
    assert!(table.outcomes().starts_with("m1 3/115, m2 4/115, m3 4/115"));
    assert_eq!(table.outcomes().matches("4/115").count(), 28);
}

#[test]
fn dc_11_3_picking() {
    let position = Position { castle: "d4=2m3 e4=2m3 f4=2m4 i4=1m3", covered: "m3 1, s1 2", ..Position::default() };
    let mut table = position.start();
    table.expect_legal("take d4, take f4");
    table.play("take d4");
    assert_eq!((table.phase(), table.outcomes().as_str()), ("reveal", "m3 1/3, s1 2/3"));
    let mut other = table.clone();
    other.play("s1").expect_legal("pair e4, pair i4, shrine, discard");
    table.play("m3").expect_legal("pair d4, pair e4, pair i4, shrine, discard");
    // With s1 drawn, m3 and s1 are left for e4.
    other.play("pair e4");
    assert_eq!(other.outcomes(), "m3 1/2, s1 1/2");
    other.play("m3");
    assert_eq!(other.phase(), "place");
}

const SET: &str = "m1 m2/2 . m6 . ./ . m3 . . . ./ . . . . . ./ . . m5 . . .";

#[test]
fn dc_11_4_a_set() {
    let position = Position { castle: "e4=1m4 i4=1wE", realms: &[SET], pools: &[0, 1], ..Position::default() };
    let mut table = position.start();
    table.play("take e4, shrine");
    assert_eq!(table.refusal("place a1"), "DC-5.1: a1 is not open: a face-up tile lies there");
    let mut five = table.clone();
    let mut none = table.clone();
    table.play("place b3").expect_legal("build a1, build b1, build b2, build b3, done");
    assert_eq!((table.vp(0), table.phase()), (2, "build"));
    five.play("place c1");
    assert_eq!((five.vp(0), five.turn("set")), (3, json!(["a1", "b1", "c1", "d1", "b2"])));
    none.play("place f5");
    assert_eq!((none.vp(0), none.seat()), (0, Some(1)));
}

#[test]
fn dc_11_5_sizes() {
    let game = Position::default().game();
    let points: Vec<i32> = (4..=12).map(|size| game.settings.components.set_vp(size)).collect();
    assert_eq!(points, [2, 3, 5, 6, 8, 9, 10, 11, 12]);
    let position = Position { castle: "e4=1dW", realms: &["dR dR dG . . ."], pools: &[3, 1], ..Position::default() };
    let mut table = position.start();
    table.play("take e4, shrine, place d1");
    assert_eq!((table.vp(0), table.turn("builds")), (3, json!(2)));
}

#[test]
fn dc_11_6_floors() {
    let position =
        Position { realms: &["#^ #2^ #3^ #4^ # m1"], vp: &[7, 0], countdown: &[1, 0], pools: &[2, 0], ..Position::default() };
    let mut table = position.start();
    table.expect_legal("summon");
    table.play("summon, summon");
    assert_eq!(table.results(), (vec![20, 2], vec![1, 2], "1 -1".to_owned()));
    assert_eq!(table.json()["tokens"], 4);
    let sheet = table.game.score_sheet(&table.state);
    let lines: Vec<(&str, i32)> = sheet.iter().map(|line| (line.item, line.points[0])).collect();
    assert_eq!(lines, [("gained", 7), ("shrines", 9), ("tokens", 4)]);
}

#[test]
fn dc_11_7_last_round() {
    let three = |seat, countdown| Position { players: 3, pools: &[1, 1, 1], seat, countdown, ..Position::default() };
    let mut table = three(1, &[1, 1, 0]).start();
    table.play("summon");
    assert_eq!((table.json()["last_round"].clone(), table.seat()), (json!(true), Some(2)));
    table.play("summon");
    assert_eq!(table.results(), (vec![2, 4, 2], vec![2, 1, 2], "-1/2 1 -1/2".to_owned()));
    let mut last = three(2, &[1, 1, 0]).start();
    last.play("summon");
    assert_eq!(last.phase(), "terminal");
    let mut first = three(0, &[1, 1, 0]).start();
    first.play("summon, summon, summon");
    assert_eq!((first.phase(), first.json()["tokens"].clone()), ("terminal", json!(2)));
    let two_floors = Position { castle: "e4=2m1 f4=1m2", covered: "m3 1", ..Position::default() };
    two_floors.start().expect_legal("take e4");
    assert!(two_floors.start().refusal("summon").starts_with("DC-5.4"));
    Position { castle: "e4=1m1 f4=1m2 g4=1m3", ..Position::default() }.start().expect_legal("take e4, take g4, summon");
}

#[test]
fn dc_11_8_ties() {
    let tie = |realms: &[&str]| {
        let position = Position { realms, seat: 1, countdown: &[1, 0], pools: &[0, 0], vp: &[4, 4], ..Position::default() };
        let mut table = position.start();
        table.play("summon");
        table.results()
    };
    assert_eq!(tie(&["# # #^ . . .", "#^ #2 . . . ."]), (vec![7, 7], vec![1, 2], "1 -1".to_owned()));
    assert_eq!(tie(&["#^ #^ # . . .", "#2^ # # . . ."]), (vec![8, 8], vec![1, 2], "1 -1".to_owned()));
    assert_eq!(tie(&["#^ # m1 . . .", "#^ # . . . ."]), (vec![7, 7], vec![1, 1], "0 0".to_owned()));
}

#[test]
fn dc_11_9_twins() {
    let mut table = Position { castle: "e4=1m1 h4=1m1", ..Position::default() }.start();
    table.play("take e4, pair h4");
    assert_eq!(table.legal().len(), 29);
    assert!(table.refusal("place f5").starts_with("DC-5.9"));
    table.play("place c2");
    assert_eq!(table.legal().len(), 21);
    assert_eq!((table.legal()[0].as_str(), table.legal()[20].as_str()), ("place d2", "place f5"));
    assert!(table.refusal("place b2").starts_with("DC-5.9"));
}

fn crowded(last: &str) -> String {
    format!("m1 s1 m2 s2 m3 s3/ s4 m4 s5 m5 s6 m6/ f1 s1 f2 s2 f3 s3/ s4 f4 s5 f5 s6 f6/ {last}")
}

#[test]
fn dc_11_10_no_room() {
    let after_take = |last: &str| {
        let realm = crowded(last);
        let position = Position { castle: "e4=1wE g4=1wE i4=1wS", realms: &[&realm], ..Position::default() };
        let mut table = position.start();
        table.play("take e4");
        table
    };
    for open in [".", "#"] {
        after_take(&format!("m1 f1 #^ f2 m3 {open}")).expect_legal("shrine, discard");
    }
    for full in ["#^", "q1"] {
        let table = after_take(&format!("m1 f1 #^ f2 m3 {full}"));
        table.expect_legal("discard");
        assert!(table.refusal("shrine").starts_with("DC-5.7"));
        assert!(table.refusal("pair g4").starts_with("DC-5.7"));
    }
    after_take("m1 f1 #^ f2 . .").expect_legal("pair g4, shrine, discard");
    let mut table = Position { castle: "e4=1wE g4=1wE", pools: &[30, 10], ..Position::default() }.start();
    table.play("take e4").expect_legal("pair g4, discard");
    assert_eq!(table.refusal("shrine"), "DC-5.6: the supply has no shrine left");
}

const DRAGONS: &str = "#^ #2 m1/3 #^ . q1/ #2^ . . wE wE #2^/ # #3^ #^ #2^ #^ #^/ . #^ f1 # . wN/2/ #4 # # s1 #^ #^";

#[test]
fn dc_11_19_dragons() {
    let play = |dragons: &[&str]| {
        let position = Position { realms: &[DRAGONS], dragons, seat: 1, countdown: &[1, 0], pools: &[0, 0], ..Position::default() };
        let mut table = position.start();
        table.play("summon");
        table
    };
    let none = play(&[]);
    assert_eq!(none.game.shrine_points(&none.state, 0), 17);
    assert_eq!(none.results().0, [19, 2]);
    let expected = [
        ("humility", 7),
        ("righteousness", 8),
        ("tranquility", 3),
        ("bravery", 11),
        ("ramparts", 9),
        ("towers", 6),
        ("heavens", 3),
        ("summit", 3),
        ("terraces", 4),
        ("wall", 7),
    ];
    for (name, points) in expected {
        assert_eq!(play(&[name]).results().0, [19 + points, 2], "{name}");
    }
    assert_eq!(play(&["humility", "towers", "wall"]).results().0, [39, 2]);
}

/// Rows of realms are written out here, so that a change of the defaults is noticed.
#[test]
fn positions_fill_missing_rows() {
    let short = Position { castle: "e4=1m1", realms: &["m1"], ..Position::default() };
    let long_text = format!("m1 . . . . .{EMPTY_ROW}{EMPTY_ROW}{EMPTY_ROW}{EMPTY_ROW}");
    let long = Position { castle: "e4=1m1", realms: &[&long_text], ..Position::default() };
    assert_eq!(short.start().state, long.start().state);
}

#[test]
fn dc_7_8_chance_nodes_and_dc_7_9_lengths() {
    for (players, options) in
        [(2, json!({})), (3, json!({"spirits": "random:2"})), (4, json!({"dragons": "random:3", "layout": "court"}))]
    {
        let table = Table::new(players, options);
        let most = table.game.max_chance_nodes();
        for seed in 0..20 {
            let mut nodes = 0;
            let end = random_game(&table.game, seed, |state, _| nodes += usize::from(state.phase.is_chance()));
            assert_eq!(nodes, most, "seed {seed}");
            assert!(end.ply as usize <= table.game.max_plies());
        }
    }
}
