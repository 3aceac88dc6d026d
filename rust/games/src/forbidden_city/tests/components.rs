//! Component sets (FC-2.4 to FC-2.6, FC-3.1).

use forbidden_games_core::contract::{Drawing, Knowledge, Notation, Rules, Setup};
use serde_json::{Value, json};

use forbidden_games_core::data::{MAX_DOCUMENT_BYTES, parse_toml};
use forbidden_games_core::options::{ComponentSource, Options};

use super::super::components::{BUILTIN, Edge, Kind};
use super::*;

#[test]
fn fc_2_5_sums_of_the_house_set() {
    let game = house(2);
    let sum = |count: &dyn Fn(&Kind) -> u32, players: usize| -> u32 {
        game.kinds().iter().map(|kind| u32::from(kind.copies(players)) * count(kind)).sum()
    };
    let edges = |wanted: Edge| move |kind: &Kind| kind.edges.iter().filter(|edge| **edge == wanted).count() as u32;
    let advisors = |kind: &Kind| kind.parts.iter().map(|part| u32::from(part.advisors)).sum();
    let dragons = |kind: &Kind| kind.parts.iter().map(|part| u32::from(part.dragons)).sum();
    let both = |count: &dyn Fn(&Kind) -> u32| (sum(count, 3), sum(count, 2));
    assert_eq!(game.num_outcomes(), 30);
    assert_eq!(both(&advisors), (30, 36));
    assert_eq!(both(&dragons), (3, 3));
    assert_eq!(both(&edges(Edge::Open)), (60, 72));
    assert_eq!(both(&edges(Edge::Wall)), (21, 24));
    assert_eq!(both(&edges(Edge::Arch)), (15, 24));
    assert_eq!(game.num_actions(), 6725);
}

/// The test set under a name of its own.
pub(super) fn own_set() -> Value {
    let mut set = parse_toml(BUILTIN[1].1).expect("a built-in set");
    set["name"] = json!("mine");
    set
}

fn make(players: usize, options: Value, set: Value) -> Result<Game, String> {
    let options: Options = options.as_object().expect("an object").clone();
    Game::new(players, &options, Some(&ComponentSource::from_json(&set))).map_err(|error| error.to_string())
}

#[test]
fn fc_3_1_how_a_set_comes_into_use() {
    let named = |options: Value| Game::new(2, options.as_object().expect("an object"), None).map_err(|error| error.to_string());
    assert_eq!(named(json!({})).expect("the default").options()["components"], "house-1");
    assert_eq!(named(json!({"components": "test-1"})).expect("built in").components(), "test-1");
    assert_eq!(make(2, json!({}), json!("test-1")).expect("built in").options()["components"], "test-1");
    assert_eq!(make(2, json!({"components": "test-1"}), json!("test-1")).expect("built in").components(), "test-1");
    let own = make(2, json!({"components": "mine"}), own_set()).expect("an own set");
    assert_eq!((&own.options()["components"], own.components()), (&json!("mine"), own_set()));
    assert_eq!(make(2, json!({}), own_set()).expect("an own set").options()["components"], "mine");
    let expected = "expected house-1 or test-1; an own set comes in through the components argument";
    assert_eq!(
        named(json!({"components": "mine"})).expect_err("unknown"),
        format!("option components: found \"mine\", {expected}")
    );
    assert!(make(2, json!({}), json!("mine")).expect_err("unknown").ends_with(expected));
    assert!(named(json!({"components": 3})).is_err());
    assert!(make(2, json!({"components": "house-1"}), own_set()).expect_err("another name").contains("\"mine\""));
    assert!(make(2, json!({"components": "house-1"}), json!("test-1")).expect_err("another name").contains("\"test-1\""));
    let mut reserved = own_set();
    reserved["name"] = json!("house-1");
    assert!(make(2, json!({}), reserved).expect_err("reserved").starts_with("components: name: found house-1"));
}

#[test]
fn fc_3_options_out_of_range() {
    for (option, value) in [
        ("table", json!(14)),
        ("table", json!(16)),
        ("table", json!(129)),
        ("table", json!("41")),
        ("side", json!("back")),
        ("colour", json!(1)),
    ] {
        let mut options = Options::new();
        options.insert(option.to_owned(), value);
        let error = Game::new(2, &options, None).expect_err(option).to_string();
        assert!(error.starts_with(&format!("option {option}: found ")), "{error}");
    }
    for players in [0, 1, 5, usize::MAX] {
        let error = Game::new(players, &Options::new(), None).expect_err("players").to_string();
        assert_eq!(error, format!("option players: found {players}, expected an integer from 2 to 4"));
    }
}

#[test]
fn fc_2_4_every_check_names_the_key() {
    let cases: [Damage<'_>; 40] = [
        ("name", &|set| set["name"] = json!("My set")),
        ("name", &|set| set["name"] = json!("")),
        ("set", &|set| set["set"] = json!(2)),
        ("set", &|set| set["set"] = json!(41)),
        ("set", &|set| set["set"] = json!(13)),
        ("set_two", &|set| set["set_two"] = json!(13)),
        ("set_two", &|set| set["set_two"] = json!(true)),
        ("tiles", &|set| set["tiles"] = json!([])),
        ("tiles", &|set| set["tiles"] = json!(vec![set["tiles"][0].clone(); 65])),
        ("tiles[1].id", &|set| set["tiles"][1]["id"] = json!("BOX")),
        ("tiles[0].id", &|set| set["tiles"][0]["id"] = json!("")),
        ("tiles[0].id", &|set| set["tiles"][0]["id"] = json!("a b")),
        ("tiles[0].id", &|set| set["tiles"][0]["id"] = json!("abcdefghijklmnopq")),
        ("tiles[0].id", &|set| set["tiles"][0]["id"] = json!("\u{e4}")),
        ("tiles[0].edges", &|set| set["tiles"][0]["edges"] = json!("###")),
        ("tiles[0].edges", &|set| set["tiles"][0]["edges"] = json!("#####")),
        ("tiles[0].edges", &|set| set["tiles"][0]["edges"] = json!("a###")),
        ("tiles[0].parts", &|set| set["tiles"][0]["parts"] = json!([])),
        ("tiles[0].parts", &|set| set["tiles"][0]["parts"] = json!(vec![json!({"floor": "g"}); 3])),
        ("tiles[0].parts[0].floor", &|set| set["tiles"][0]["parts"][0]["floor"] = json!("green")),
        ("tiles[0].parts[0].sides", &|set| set["tiles"][0]["parts"][0]["sides"] = json!("NESW")),
        ("tiles[0].parts[0].advisors", &|set| set["tiles"][0]["parts"][0]["advisors"] = json!(10)),
        ("tiles[0].parts[0].dragons", &|set| set["tiles"][0]["parts"][0]["dragons"] = json!(-1)),
        ("tiles[0].parts[0].seat", &|set| set["tiles"][0]["parts"][0]["seat"] = json!(0)),
        ("tiles[0].diagonal", &|set| set["tiles"][0]["diagonal"] = json!("#")),
        ("tiles[0].count", &|set| set["tiles"][0]["count"] = json!(61)),
        ("tiles[0].count", &|set| {
            set["tiles"][0]["count"] = json!(0);
            set["tiles"][0]["extra"] = json!(0);
        }),
        ("tiles[0].extra", &|set| set["tiles"][0]["extra"] = json!(61)),
        ("tiles[0].colour", &|set| set["tiles"][0]["colour"] = json!(1)),
        ("tiles[3].parts[0].sides", &|set| {
            set["tiles"][3]["parts"][0].as_object_mut().expect("a part").remove("sides");
        }),
        ("tiles[3].parts[1].sides", &|set| set["tiles"][3]["parts"][1]["sides"] = json!("SWN")),
        ("tiles[3].parts[1].sides", &|set| set["tiles"][3]["parts"][1]["sides"] = json!("sw")),
        ("tiles[3].parts", &|set| set["tiles"][3]["parts"][1]["sides"] = json!("S")),
        ("tiles[3].diagonal", &|set| set["tiles"][3]["diagonal"] = json!(".")),
        ("start.beginner.temple", &|set| set["start"]["beginner"]["temple"] = json!("A.AA")),
        ("start.advanced.cells.n", &|set| set["start"]["advanced"]["cells"]["n"] = json!("temple")),
        ("start.advanced.cells.n.advisors", &|set| set["start"]["advanced"]["cells"]["n"]["advisors"] = json!(1)),
        ("start.advanced.cells.n", &|set| set["start"]["advanced"]["cells"]["n"]["floor"] = json!("p")),
        ("start.advanced.cells.c", &|set| set["start"]["advanced"]["cells"]["c"] = json!("garden")),
        ("start.expert", &|set| set["start"]["expert"] = set["start"]["beginner"].clone()),
    ];
    for (index, (key, change)) in cases.iter().enumerate() {
        let mut set = own_set();
        change(&mut set);
        let error = make(2, json!({}), set).expect_err(key);
        assert!(error.starts_with(&format!("components: {key}: found ")), "case {index}, {key}: {error}");
    }
    for key in ["name", "set", "set_two", "tiles", "start"] {
        let mut set = own_set();
        set.as_object_mut().expect("an object").remove(key);
        assert_eq!(make(2, json!({}), set).expect_err(key), format!("components: {key}: found nothing, expected this key"));
    }
    assert!(make(2, json!({}), json!([1])).is_err());
    assert!(parse_toml(&" ".repeat(MAX_DOCUMENT_BYTES + 1)).is_err());
}

/// The largest set: 40 tiles a seat, two parts each, arches everywhere, nine advisors and dragons in every part.
pub(super) fn largest_set() -> Value {
    let mut tiles: Vec<Value> = (0..20)
        .map(|index| {
            json!({
                "id": format!("arch-{index}"), "edges": if index % 2 == 0 { "AAAA" } else { ".A.A" }, "diagonal": "A", "count": 1, "extra": 0,
                "parts": [{"floor": "g", "sides": "NE", "advisors": 9, "dragons": 9}, {"floor": "g", "sides": "SW", "advisors": 9, "dragons": 9}]
            })
        })
        .collect();
    tiles.extend((0..20).map(|index| {
        json!({"id": format!("hall-{index}"), "edges": "....", "count": 1, "parts": [{"floor": "g", "advisors": 9, "dragons": 9}]})
    }));
    tiles.extend(
        (0..24).map(
            |index| json!({"id": format!("never-{index}"), "edges": "####", "count": 0, "extra": 1, "parts": [{"floor": "w"}]}),
        ),
    );
    let open = json!({"floor": "g", "edges": "....", "dragons": 9});
    let cells = json!({"nw": open, "n": open, "ne": open, "w": open, "e": open, "sw": open, "s": open, "se": open});
    for tile in &mut tiles[40..] {
        tile["extra"] = json!(1);
    }
    // Two players would have 64 tiles; the sum for them is kept within 40 by leaving the last kinds out.
    tiles.truncate(40);
    let side = json!({"temple": "AAAA", "cells": cells});
    json!({"name": "largest", "set": 40, "set_two": 40, "tiles": tiles, "start": {"beginner": side, "advanced": side}})
}

#[test]
fn fc_2_4_the_largest_set_plays() {
    for players in [2, 4] {
        let game = make(players, json!({"table": 127}), largest_set()).expect("the largest set");
        let mut nodes = 0;
        random_games(&game, 2, |state| {
            nodes += 1;
            if nodes % 7 == 0 || game.is_terminal(state) {
                check(&game, state);
            }
        });
        assert_eq!(game.max_plies(), players * 38);
    }
}

#[test]
fn fc_3_2_outcomes_count_every_kind() {
    let mut set = own_set();
    set["tiles"][0]["count"] = json!(0);
    set["set"] = json!(11);
    set["set_two"] = json!(13);
    let game = make(4, json!({}), set).expect("a kind for two players only");
    assert_eq!(game.num_outcomes(), 10);
    let mut outcomes = Vec::new();
    game.chance_outcomes(&game.new_state(), &mut outcomes);
    assert_eq!(outcomes.len(), 9);
    let outcome = game.parse_outcome("box").expect("a kind");
    assert!(game.check_outcome(&game.new_state(), outcome).is_err());
}

#[test]
fn fc_2_3_kinds_that_look_alike_are_told_apart_in_pictures() {
    let mut set = own_set();
    let mut twin = set["tiles"][9].clone();
    twin["id"] = json!("cap-too");
    twin["count"] = json!(3);
    set["tiles"].as_array_mut().expect("a list").push(twin);
    set["set"] = json!(15);
    set["set_two"] = json!(18);
    let game = make(2, json!({}), set).expect("two kinds that look alike");
    let drawn = |laid: &str| {
        let mut canvas = forbidden_games_core::canvas::Canvas::new();
        let observation = game.observation(&position(&game, laid, json!({})), seat(0));
        game.draw(&observation, &forbidden_games_core::contract::DrawRequest::default(), &mut canvas);
        canvas.to_text(false, false)
    };
    let [one, other] = [drawn("0,2 cap 1 r0"), drawn("0,2 cap-too 1 r0")];
    assert_ne!(one, other);
    assert!(other.contains("tiles that look like another kind: 0,2 cap-too 1 r0"), "{other}");
}
