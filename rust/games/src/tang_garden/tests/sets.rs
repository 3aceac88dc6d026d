//! Component files (TG-2.12 to 2.16): the built-in set against the page, and every check of TG-2.14.

use forbidden_games_core::contract::{Data, Notation, Rules, Setup};
use serde_json::{Value, json};

use forbidden_games_core::data::parse_toml;
use forbidden_games_core::error::SetupError;
use forbidden_games_core::match_play::Match;
use forbidden_games_core::options::{ComponentSource, Options};
use forbidden_games_core::record::Record;

use super::super::Game;
use super::super::components::BUILTIN_TEXT;
use super::super::options::builtin;
use crate::any::{AnyStep, GameId};

fn set() -> Value {
    let mut set = parse_toml(BUILTIN_TEXT).expect("TOML");
    set["name"] = json!("mine");
    set
}

fn load(set: &Value) -> Result<Game, SetupError> {
    Game::new(2, &Options::new(), Some(&ComponentSource::Set(set.clone())))
}

#[test]
fn tg_2_5_check_sums() {
    let components = builtin();
    let sum = |keep: &dyn Fn(&super::super::components::TileKind) -> u32| -> u32 {
        components.tiles.iter().map(|tile| u32::from(tile.copies) * keep(tile)).sum()
    };
    let edges: Vec<u32> =
        (0..6).map(|letter| sum(&|tile| tile.edges.iter().filter(|&&edge| edge == letter).count() as u32)).collect();
    assert_eq!(edges, [41, 41, 41, 96, 9, 12]);
    let areas: Vec<u32> = (0..6).map(|area| sum(&|tile| u32::from(tile.area == Some(area)))).collect();
    assert_eq!(areas, [12, 10, 10, 8, 5, 12]);
    assert_eq!(sum(&|tile| u32::from(tile.area.is_none())), 3);
    assert_eq!((components.tiles.len(), components.cards.len(), components.landscapes.len()), (42, 28, 14));
    let coins: u32 = components.track_coins.iter().map(|&coins| u32::from(coins)).sum();
    assert_eq!(3 * coins, 21, "TG-2.10");
}

#[test]
fn the_set_itself_loads_as_json_and_under_its_name() {
    assert!(load(&set()).is_ok());
    let named = |source: Option<&ComponentSource>, name: &str| {
        let options = Options::from_iter([("components".to_owned(), json!(name))]);
        Game::new(2, &options, source)
    };
    assert!(named(None, "house-1").is_ok());
    assert!(named(Some(&ComponentSource::Set(set())), "mine").is_ok());
    assert!(named(Some(&ComponentSource::Set(set())), "house-1").is_err(), "TG-2.16: both must agree");
    assert!(named(None, "mine").is_err());
    assert!(named(Some(&ComponentSource::Name("other".to_owned())), "other").is_err());
}

/// A card named like a tile (TG-6.2): a draw is read as what can be drawn, whatever the entrance.
#[test]
fn a_name_that_two_lists_share_is_read_alike_everywhere() {
    let mut set = set();
    set["cards"][0]["kind"] = json!("g01");
    let source = ComponentSource::Set(set.clone());
    let any = GameId::from_name("tang_garden")
        .expect("a game")
        .load(Some(2), &Options::new(), Some(&source), None)
        .expect("the set is accepted");
    let (mut cards, mut tiles) = (0, 0);
    for seed in 0..10 {
        let mut played = Match::new(std::sync::Arc::new(load(&set).expect("a game")), seed);
        let mut rng = forbidden_games_core::rng::Rng::stream(seed, "names", 0);
        for _ in 0..400 {
            // Decorating as often as it goes, so that cards are drawn; in every other game at random, so that tiles are.
            let legal = played.legal_actions().clone();
            let decorate = legal.iter().copied().find(|&action| played.game().format_action(action) == "decorate");
            let Some(action) = decorate
                .filter(|_| seed % 2 == 0)
                .or_else(|| (!legal.is_empty()).then(|| legal[rng.below(legal.len() as u32) as usize]))
            else {
                break;
            };
            played.play(action).expect("a listed action");
        }
        let record = Record::parse(&played.record().to_text()).expect("a record");
        let again = Match::from_record(std::sync::Arc::clone(played.game()), &record).expect("its record loads");
        assert_eq!(again.state(), played.state());
        let game = played.game();
        for (index, &step) in played.history().iter().enumerate() {
            let forbidden_games_core::contract::Step::Outcome(outcome) = step else { continue };
            let text = game.format_outcome(outcome);
            if text != "g01" {
                continue;
            }
            let before = played.state_before(index);
            if game.phase(&before) == "draw" {
                cards += 1;
            } else {
                tiles += 1;
            }
            let wanted = game.state_to_json(&played.state_before(index + 1));
            let state = any.state_from_json(&game.state_to_json(&before)).expect("a state");
            assert!(state.check(AnyStep::Text(&text)).is_ok());
            assert_eq!(state.child(AnyStep::Text("G01 ")).expect("a child").to_json(), wanted);
            assert_eq!(state.child_with_events(AnyStep::Text(&text)).expect("a child").0.to_json(), wanted);
            let start = forbidden_games_core::start::Start::State(game.state_to_json(&before));
            let mut typed = Match::unresolved(std::sync::Arc::clone(game), start, 0).expect("a match");
            typed.play_text(&text).expect("a step");
            assert_eq!(game.state_to_json(typed.state()), wanted);
        }
    }
    assert!(cards > 0 && tiles > 0, "the name was drawn {cards} times as a card and {tiles} times as a tile");
}

#[test]
fn tg_2_14_each_check_names_key_and_value() {
    type Change = fn(&mut Value);
    let cases: &[(Change, &str, &str)] = &[
        (|s| s["name"] = json!("house-1"), "name", "\"house-1\""),
        (|s| s["name"] = json!("A"), "name", "\"A\""),
        (|s| s["extra"] = json!(1), "extra", "1"),
        (|s| drop(s.as_object_mut().map(|map| map.remove("tracks"))), "tracks", "nothing"),
        (|s| s["tiles"][3]["edges"] = json!("ggq"), "tiles[3].edges", "\"ggq\""),
        (|s| s["tiles"][3]["edges"] = json!("gggq"), "tiles[3].edges", "\"gggq\""),
        (|s| s["tiles"][0]["edges"] = json!("kkkg"), "tiles[0].edges", "\"kkkg\""),
        (|s| s["tiles"][0]["copies"] = json!(3), "tiles[].copies", "a sum of 16"),
        (|s| s["tiles"][0]["copies"] = json!(0), "tiles[0].copies", "0"),
        (|s| s["tiles"][0]["copies"] = json!(1.0), "tiles[0].copies", "1.0"),
        (|s| s["tiles"][1]["kind"] = json!("g01"), "tiles[1].kind", "\"g01\""),
        (|s| s["tiles"][1]["kind"] = json!("x01"), "tiles[1].kind", "\"x01\""),
        (|s| s["tiles"][0]["regions"] = json!(["ne", "s"]), "tiles[0].regions", "[\"ne\",\"s\"]"),
        (|s| s["tiles"][0]["regions"] = json!(["ne", "esw"]), "tiles[0].regions[1]", "\"esw\""),
        (|s| s["tiles"][1]["regions"] = json!(["nesw"]), "tiles[1].regions[0]", "\"nesw\""),
        (|s| drop(s["tiles"][0].as_object_mut().map(|tile| tile.remove("regions"))), "tiles[0].regions", "nothing"),
        (|s| s["tiles"][27]["regions"] = json!(["ne"]), "tiles[27].regions[0]", "\"ne\""),
        (|s| s["tiles"][0]["temple"] = json!("g"), "tiles[0].temple", "\"g\""),
        (|s| s["tiles"][39]["inner"] = json!("g"), "tiles[39].inner", "\"g\""),
        (|s| s["tiles"][0]["area"] = json!("lake"), "tiles[0].area", "\"lake\""),
        (|s| s["tiles"][0]["colour"] = json!("lake"), "tiles[0].colour", "\"lake\""),
        (|s| s["start"]["A"]["edges"] = json!("gpwgprrk"), "start.A.edges", "\"gpwgprrk\""),
        (|s| s["start"]["A"]["regions"][1] = json!("26"), "start.A.regions[1]", "\"26\""),
        (|s| s["start"]["B"]["areas"]["e5"] = json!(["person", "bridge"]), "start.B.areas.e5[1]", "\"bridge\""),
        (|s| s["start"]["B"]["areas"]["e5"] = json!(["tree", "tree"]), "start.B.areas.e5[1]", "\"tree\""),
        (|s| s["tokens"]["two"]["small"][0] = json!("d4"), "tokens.two.small[0]", "\"d4\""),
        (|s| s["tokens"]["two"]["large"][0] = json!("d2"), "tokens.two.large[0]", "\"d2\""),
        (|s| s["tokens"]["solo"][0] = json!("d1"), "tokens.solo[0]", "\"d1\""),
        (|s| s["trees"][1] = json!("apricot"), "trees[1]", "\"apricot\""),
        (|s| s["trees"][0] = json!("fish"), "trees[0]", "\"fish\""),
        (|s| s["decorations"]["lotus"]["pieces"] = json!(5), "decorations.*.pieces", "a sum of 37"),
        (|s| s["decorations"]["lotus"]["area"] = json!("bridge"), "decorations.lotus.area", "\"bridge\""),
        (|s| s["decorations"]["bridge"]["area"] = json!("pond"), "decorations.bridge.area", "\"pond\""),
        (|s| s["cards"][1]["kind"] = json!("pavilion"), "cards[1].kind", "\"pavilion\""),
        (|s| s["cards"][1]["bonus"] = json!("gold"), "cards[1].bonus", "\"gold\""),
        (|s| s["cards"][1]["decoration"] = json!("rose"), "cards[1].decoration", "\"rose\""),
        (|s| s["cards"][1]["copies"] = json!(4), "cards[].copies", "a sum of 55"),
        (|s| s["characters"][1]["name"] = json!("architect"), "characters[1].name", "\"architect\""),
        (|s| s["characters"][1]["name"] = json!("blind"), "characters[1].name", "\"blind\""),
        (|s| s["characters"][6]["start"] = json!("g"), "characters[].start", "a sum of 7"),
        (|s| s["characters"][0]["start"] = json!("t"), "characters[0].start", "\"t\""),
        (|s| s["characters"][0]["skill"] = json!("place bridge bridge"), "characters[0].skill", "\"place bridge bridge\""),
        (|s| s["characters"][0]["skill"] = json!("path  "), "characters[0].skill", "\"path  \""),
        (|s| s["characters"][2]["view"] = json!("absent 9 3 empress"), "characters[2].view", "\"absent 9 3 empress\""),
        (|s| s["characters"][0]["view"] = json!("icon c 100"), "characters[0].view", "\"icon c 100\""),
        (|s| s["characters"][0]["view"] = json!("edge gg 1 1"), "characters[0].view", "\"edge gg 1 1\""),
        (|s| s["landscapes"][0]["icons"] = json!("sa"), "landscapes[0].icons", "\"sa\""),
        (|s| s["landscapes"][1]["icons"] = json!("a"), "landscapes[1].icons", "\"a\""),
        (|s| s["landscapes"][0]["copies"] = json!(5), "landscapes[].copies", "a sum of 13"),
        (|s| s["tracks"]["coins"][1] = json!([3, 2]), "tracks.coins[1][0]", "3"),
        (|s| s["tracks"]["coins"][1] = json!([6, 100]), "tracks.coins[1][1]", "100"),
        (|s| s["tracks"]["thresholds"] = json!([]), "tracks.thresholds", "0 entries"),
        (|s| s["tracks"]["thresholds"] = json!([1]), "tracks.thresholds[0]", "1"),
    ];
    for (change, key, found) in cases {
        let mut changed = set();
        change(&mut changed);
        match load(&changed) {
            Err(SetupError::Components(error)) => assert_eq!((error.key.as_str(), error.found.as_str()), (*key, *found), "{error}"),
            other => panic!("{key}: {other:?}"),
        }
    }
}
