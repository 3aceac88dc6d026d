//! Component files and options: what is accepted, and errors that name key and value (DC-2.8, DC-2.9, DC-3.1 to DC-3.4).

use forbidden_games_core::bytes::ByteReader;
use forbidden_games_core::contract::{Audit, Data, DrawRequest, Drawing, Knowledge, Rules, Setup};
use forbidden_games_core::data::parse_toml;
use forbidden_games_core::options::ComponentSource;
use serde_json::{Value, json};

use super::super::Game;
use super::super::components::BUILTIN;
use super::random_game;

fn own_set() -> Value {
    let mut set = parse_toml(BUILTIN[0].1).unwrap();
    set["name"] = json!("mine");
    set
}

fn make(players: usize, options: Value, set: Option<&Value>) -> Result<Game, String> {
    let source = set.map(|set| ComponentSource::Set(set.clone()));
    Game::new(players, options.as_object().unwrap(), source.as_ref()).map_err(|error| error.to_string())
}

#[test]
fn dc_3_1_defaults_are_written_out() {
    let layouts = [(2, "pyramid"), (3, "wings"), (4, "bastions")];
    for (players, layout) in layouts {
        let game = make(players, json!({}), None).unwrap();
        let expected = json!({"layout": layout, "spirits": [], "dragons": [], "realm": "5x6", "components": "house-1"});
        assert_eq!(Value::Object(game.options()), expected);
        assert_eq!(game.options().keys().collect::<Vec<_>>(), ["layout", "spirits", "dragons", "realm", "components"]);
    }
    let game = make(2, json!({"spirits": ["mason", "wind"], "dragons": "random", "layout": "court"}), None).unwrap();
    let options = game.options();
    assert_eq!(
        (&options["spirits"], &options["dragons"], &options["layout"]),
        (&json!(["wind", "mason"]), &json!("random:1"), &json!("court"))
    );
}

#[test]
fn dc_6_6_sizes_of_the_action_space() {
    let small = make(2, json!({}), None).unwrap();
    assert_eq!((small.num_actions(), small.num_outcomes()), (1392, 49));
    let rows =
        ["1111111111111111"; 7].join("/") + "/1111000000000000/0000000000000000/0000000000000000/0000000000000000/0000000000000000";
    let large = make(4, json!({"realm": "8x8", "layout": rows}), None).unwrap();
    assert_eq!(large.num_actions(), 4015);
}

#[test]
fn dc_7_9_longest_games() {
    let plies = |players, options| make(players, options, None).unwrap().max_plies();
    assert_eq!((plies(2, json!({})), plies(3, json!({})), plies(4, json!({}))), (356, 357, 358));
    assert_eq!(plies(4, json!({"spirits": ["wind", "strength", "beauty"]})), 2051);
    assert_eq!(plies(4, json!({"spirits": "random:3"})), 2051);
    assert_eq!(plies(2, json!({"spirits": ["stair"]})), 444 + 4 + 119 * 3);
}

#[test]
fn options_are_refused_by_name_and_value() {
    let cases = [
        (json!({"layout": "castle"}), "layout", "castle"),
        (json!({"layout": "9999999999998001"}), "layout", "117"),
        (json!({"layout": "99999999999980/00"}), "layout", "row 2"),
        (json!({"layout": "999999999999800x"}), "layout", "999999999999800x"),
        (json!({"layout": "99999999999980000"}), "layout", "99999999999980000"),
        (json!({"layout": ""}), "layout", "\"\""),
        (json!({"layout": "1/1/1/1/1/1/1/1/1/1/1/1/1"}), "layout", "13 rows"),
        (json!({"layout": 3}), "layout", "3"),
        (json!({"realm": "2x6"}), "realm", "2x6"),
        (json!({"realm": "5x9"}), "realm", "5x9"),
        (json!({"realm": "5X6"}), "realm", "5X6"),
        (json!({"realm": "05x6"}), "realm", "05x6"),
        (json!({"spirits": ["wall"]}), "spirits", "wall"),
        (json!({"spirits": ["wind", "wind"]}), "spirits", "wind twice"),
        (json!({"spirits": ["wind", "mason", "stair", "mirror"]}), "spirits", "mirror"),
        (json!({"spirits": "random:4"}), "spirits", "random:4"),
        (json!({"spirits": "random:0"}), "spirits", "random:0"),
        (json!({"dragons": "wall"}), "dragons", "wall"),
        (json!({"dragons": [1]}), "dragons", "1"),
        (json!({"components": "mine"}), "components", "mine"),
        (json!({"color": "red"}), "color", "red"),
    ];
    for (options, name, value) in cases {
        let error = make(2, options.clone(), None).expect_err(&options.to_string());
        assert!(error.contains(name) && error.contains(value), "{options}: {error}");
    }
    assert!(make(5, json!({}), None).unwrap_err().contains("players"));
    assert!(make(1, json!({}), None).unwrap_err().contains("players"));
}

#[test]
fn dc_2_9_sets_are_refused_by_key_and_value() {
    let cases = [
        ("/name", json!("house-1"), "name", "house-1"),
        ("/name", json!("Mine"), "name", "Mine"),
        ("/shrines", json!(3), "shrines", "3"),
        ("/shrines", json!(1000), "shrines", "1000"),
        ("/tokens", json!(6), "tokens", "6"),
        ("/token_vp", json!(-1), "token_vp", "-1"),
        ("/set_vp", json!([]), "set_vp", "0 entries"),
        ("/set_vp", json!([3, 2]), "set_vp[1]", "2"),
        ("/set_vp/0", json!(100), "set_vp[0]", "100"),
        ("/types/0/code", json!("M"), "types[0].code", "M"),
        ("/types/1/code", json!("m"), "types[1].code", "m"),
        ("/types/0/class", json!("other"), "types[0].class", "other"),
        ("/types/0/copies", json!(10), "types[0].copies", "10"),
        ("/types/0/copies", json!(0), "types[0].copies", "0"),
        ("/types/0/copies", json!(5), "layouts", "116"),
        ("/types/0/shrines", json!(10), "types[0].shrines", "10"),
        ("/types/0/vp", json!(true), "types[0].vp", "true"),
        ("/types/0/symbols/1", json!("M2"), "types[0].symbols[1]", "M2"),
        ("/types/0/symbols/1", json!("m"), "types[0].symbols[1]", "m"),
        ("/types/0/symbols/1", json!("m1"), "types[0].symbols[1]", "m1"),
        ("/types/4/symbols/1", json!("we"), "types[4].symbols[1]", "we"),
        ("/types/0/symbols/1", json!("m\u{e9}"), "types[0].symbols[1]", "m\u{e9}"),
        ("/types", json!([]), "types", "0 entries"),
        ("/layouts/wings/0", json!("001120021101"), "layouts.wings", "117"),
        ("/layouts/wings/0", json!("00112002110"), "layouts.wings", "row 2"),
        ("/layouts/wings/2", json!("0a2330033200"), "layouts.wings", "0a2330033200"),
        ("/layouts/wings", json!("1"), "layouts.wings", "1"),
        ("/default_layout/2", json!("tower"), "default_layout.2", "tower"),
        ("/spirits/wind", json!(1), "spirits.wind", "1"),
    ];
    assert!(make(2, json!({}), Some(&own_set())).is_ok());
    for (path, value, key, found) in cases {
        let mut set = own_set();
        *set.pointer_mut(path).unwrap() = value.clone();
        let error = make(2, json!({}), Some(&set)).expect_err(path);
        assert!(error.contains(key) && error.contains(found), "{path} {value}: {error}");
    }
    let added = [
        ("/layouts", "Wings", json!(["9"]), "Wings"),
        ("/layouts", "default", json!(["9"]), "default"),
        ("/spirits", "wall", json!("Wall"), "wall"),
        ("/dragons", "", json!("Wall"), "\"\""),
        ("", "color", json!(1), "color"),
        ("/types/2", "colour", json!(1), "types[2].colour"),
        ("/default_layout", "5", json!("wings"), "default_layout.5"),
    ];
    for (path, key, value, found) in added {
        let mut set = own_set();
        set.pointer_mut(path).unwrap().as_object_mut().unwrap().insert(key.to_owned(), value);
        let error = make(2, json!({}), Some(&set)).expect_err(key);
        assert!(error.contains(found), "{path} {key}: {error}");
    }
    for key in ["name", "shrines", "types", "layouts", "default_layout", "spirits", "dragons", "set_vp"] {
        let mut set = own_set();
        set.as_object_mut().unwrap().shift_remove(key);
        let error = make(2, json!({}), Some(&set)).expect_err(key);
        assert!(error.contains(key) && error.contains("this key"), "{error}");
    }
}

#[test]
fn dc_3_4_name_and_set_must_agree() {
    let set = own_set();
    assert!(make(2, json!({"components": "mine"}), Some(&set)).is_ok());
    assert!(make(2, json!({"components": "house-1"}), Some(&set)).unwrap_err().contains("mine"));
    let game = make(2, json!({}), Some(&set)).unwrap();
    assert_eq!((game.components(), game.options()["components"].clone()), (set, json!("mine")));
    assert_eq!(make(2, json!({"components": "house-1"}), None).unwrap().components(), json!("house-1"));
}

#[test]
fn a_set_may_leave_cards_out() {
    let mut set = own_set();
    set["spirits"] = json!({"wind": "Breeze"});
    set["dragons"] = json!({});
    assert!(make(2, json!({"spirits": ["wind"]}), Some(&set)).is_ok());
    assert!(make(2, json!({"spirits": ["stair"]}), Some(&set)).unwrap_err().contains("stair"));
    assert!(make(2, json!({"spirits": "random:2"}), Some(&set)).unwrap_err().contains("random:2"));
    assert!(make(2, json!({"dragons": "random"}), Some(&set)).unwrap_err().contains("random"));
    let game = make(3, json!({"spirits": "random"}), Some(&set)).unwrap();
    random_game(&game, 3, |_, _| {});
}

/// The most tiles a castle can hold: every symbol, stacks of nine on 12 rows of 16.
#[test]
fn the_largest_set_works() {
    let mut set = own_set();
    let types: Vec<Value> = "abcdefgh"
        .chars()
        .map(|code| {
            let symbols: Vec<String> = ('0'..='9').chain('a'..='z').map(|second| format!("{code}{second}")).collect();
            let class = if code < 'e' { "faction" } else { "special" };
            json!({"code": code.to_string(), "title": "\u{1f600}".repeat(200), "class": class, "symbols": symbols, "copies": 6, "shrines": 9, "vp": 9})
        })
        .collect();
    set["types"] = json!(types);
    set["shrines"] = json!(999);
    set["tokens"] = json!(99);
    set["layouts"] = json!({"full": vec!["9999999999999999"; 12]});
    set["default_layout"] = json!({"2": "full", "3": "full", "4": "full"});
    for (realm, spirits) in [("8x8", json!([])), ("3x3", json!(["strength", "mirror", "mason"]))] {
        let game = make(4, json!({"realm": realm, "spirits": spirits}), Some(&set)).unwrap();
        let mut step = 0;
        let end = random_game(&game, 2, |state, _| {
            step += 1;
            if step % 211 == 0 {
                game.check_invariants(state).unwrap();
                let json = game.state_to_json(state);
                assert_eq!(game.state_from_json(&json).as_ref(), Ok(state));
                let mut bytes = Vec::new();
                game.write_bytes(state, &mut bytes);
                assert_eq!(game.read_bytes(&mut ByteReader::new(&bytes)).as_ref(), Ok(state));
                let mut canvas = forbidden_games_core::canvas::Canvas::new();
                let observation = game.observation(state, forbidden_games_core::player::Player(0));
                game.draw(&observation, &DrawRequest::default(), &mut canvas);
                assert!(canvas.width() <= 80, "{}", canvas.to_text(false, false));
            }
        });
        game.check_invariants(&end).unwrap();
        assert!(end.ply as usize <= game.max_plies());
        let mut canvas = forbidden_games_core::canvas::Canvas::new();
        game.draw_components(&mut canvas);
        assert!(canvas.width() <= 80);
    }
}

/// Numbers of factions are compared as written: `zA` and `ya` are not of one number.
#[test]
fn numbers_keep_their_letter_case() {
    let mut set = own_set();
    set["types"][0]["symbols"][0] = json!("mA");
    set["types"][1]["symbols"][0] = json!("sa");
    set["types"][2]["symbols"][0] = json!("fA");
    let game = make(2, json!({}), Some(&set)).unwrap();
    let number = |text| game.settings.components.symbols[usize::from(game.settings.components.symbol(text).unwrap())].number;
    assert_eq!(number("MA"), number("fA"));
    assert_ne!(number("mA"), number("sA"));
}
