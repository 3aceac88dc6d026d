//! Forbidden City from state JSON and the component set: tries every space and rotation of the table (FC-5.1 to FC-5.5), fills rooms
//! by flood (FC-5.6 to FC-5.10) and pays what closes (FC-5.11, FC-7.2), without a line of the engine.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use forbidden_games::forbidden_city::Game;
use forbidden_games_core::contract::{Data, Notation, Rules, Setup, Step};
use forbidden_games_core::data::parse_toml;
use forbidden_games_core::options::{ComponentSource, Options};
use forbidden_games_core::player::Turn;
use forbidden_games_core::rng::Rng;
use forbidden_games_core::testing::random_step;

type State = <Game as forbidden_games_core::contract::Rules>::State;

/// A cell: y downwards so that the order of tuples is reading order.
type Cell = (i64, i64, usize);

const STEPS: [(i64, i64); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

/// What one space shows: for each side its symbol and the part that owns it (`None` where nothing has a floor).
#[derive(Clone)]
struct Space {
    sides: [(char, Option<usize>); 4],
    floors: Vec<String>,
    advisors: Vec<u64>,
    dragons: Vec<u64>,
    seat: usize,
    diagonal_arch: bool,
    temple: bool,
}

type Spaces = BTreeMap<(i64, i64), Space>;

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("text, not {value}"))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("a list, not {value}"))
}

fn number(value: &Value) -> i64 {
    value.as_i64().unwrap_or_else(|| panic!("a number, not {value}"))
}

fn kind<'a>(set: &'a Value, id: &str) -> &'a Value {
    list(&set["tiles"]).iter().find(|tile| tile["id"] == id).unwrap_or_else(|| panic!("no kind {id}"))
}

/// A tile turned clockwise `rotation` times, one quarter turn after the other.
fn turned(tile: &Value, rotation: i64, seat: usize) -> Space {
    let symbols: Vec<char> = text(&tile["edges"]).chars().collect();
    let parts = list(&tile["parts"]);
    let owner = |letter: char| {
        let owns = |part: &Value| part.get("sides").is_none_or(|sides| text(sides).contains(letter));
        parts.iter().position(owns)
    };
    let mut sides: [(char, Option<usize>); 4] = std::array::from_fn(|side| (symbols[side], owner(['N', 'E', 'S', 'W'][side])));
    for _ in 0..rotation {
        let [north, east, south, west] = sides;
        sides = [west, north, east, south];
    }
    let counts = |key: &str| parts.iter().map(|part| part.get(key).map_or(0, number) as u64).collect();
    Space {
        sides,
        floors: parts.iter().map(|part| text(&part["floor"]).to_owned()).collect(),
        advisors: counts("advisors"),
        dragons: counts("dragons"),
        seat,
        diagonal_arch: tile.get("diagonal").is_some_and(|symbol| symbol == "A"),
        temple: false,
    }
}

/// Everything that lies on the table.
fn occupied(set: &Value, state: &Value) -> Spaces {
    let start = &set["start"][text(&state["options"]["side"])];
    let mut spaces = Spaces::new();
    for (key, x, y) in [
        ("nw", -1, 1),
        ("n", 0, 1),
        ("ne", 1, 1),
        ("w", -1, 0),
        ("e", 1, 0),
        ("sw", -1, -1),
        ("s", 0, -1),
        ("se", 1, -1),
        ("temple", 0, 0),
    ] {
        let cell = start["cells"].get(key).unwrap_or(&Value::Null);
        let space = if cell.is_object() {
            turned(
                &json!({"edges": cell["edges"], "parts": [{"floor": cell["floor"], "dragons": cell.get("dragons").map_or(0, number)}]}),
                0,
                0,
            )
        } else {
            let edges = if key == "temple" { text(&start["temple"]) } else { "####" };
            let symbols: Vec<char> = edges.chars().collect();
            Space {
                sides: std::array::from_fn(|side| (symbols[side], None)),
                floors: Vec::new(),
                advisors: Vec::new(),
                dragons: Vec::new(),
                seat: 0,
                diagonal_arch: false,
                temple: key == "temple",
            }
        };
        spaces.insert((x, y), space);
    }
    for tile in list(&state["board"]) {
        let space = turned(kind(set, text(&tile[2])), number(&tile[4]), number(&tile[3]) as usize);
        assert!(spaces.insert((number(&tile[0]), number(&tile[1])), space).is_none(), "two tiles on one space");
    }
    spaces
}

/// FC-5.2, word by word.
fn same_face(a: &Space, b: &Space) -> bool {
    let symbols = (0..4).all(|side| a.sides[side].0 == b.sides[side].0);
    let owners = (0..4).all(|side| a.sides[side].1 == b.sides[side].1);
    let swapped = a.floors.len() == 2
        && a.floors[0] == a.floors[1]
        && a.advisors[0] == a.advisors[1]
        && a.dragons[0] == a.dragons[1]
        && (0..4).all(|side| a.sides[side].1 != b.sides[side].1);
    symbols && (owners || swapped)
}

/// FC-5.3.
fn may_lie(spaces: &Spaces, (x, y): (i64, i64), tile: &Space) -> bool {
    if spaces.contains_key(&(x, y)) {
        return false;
    }
    let mut touches = false;
    for (side, (dx, dy)) in STEPS.into_iter().enumerate() {
        let Some(neighbour) = spaces.get(&(x + dx, y + dy)) else { continue };
        touches = true;
        let (mine, met) = (tile.sides[side], neighbour.sides[(side + 2) % 4]);
        if mine.0 == '.' && met.0 == '.' {
            let floors = [mine.1.map(|part| &tile.floors[part]), met.1.map(|part| &neighbour.floors[part])];
            if floors[0] != floors[1] {
                return false;
            }
        }
    }
    touches
}

/// All legal actions of the seat in turn, in the order of the engine's ids: reading order, then rotation.
fn legal(set: &Value, state: &Value) -> Vec<String> {
    if state["phase"] != "place" {
        return Vec::new();
    }
    let seat = number(&state["turn"]) as usize;
    let tile = kind(set, text(&state["hands"][seat]));
    let faces: Vec<Space> = (0..4).map(|rotation| turned(tile, rotation, seat)).collect();
    let spaces = occupied(set, state);
    let half = (number(&state["options"]["table"]) - 1) / 2;
    let mut actions = Vec::new();
    for y in (-half..=half).rev() {
        for x in -half..=half {
            for rotation in 0..4 {
                let is_new = (0..rotation).all(|smaller| !same_face(&faces[smaller], &faces[rotation]));
                if is_new && may_lie(&spaces, (x, y), &faces[rotation]) {
                    actions.push(format!("{x},{y} r{rotation}"));
                }
            }
        }
    }
    if actions.is_empty() { vec!["discard".to_owned()] } else { actions }
}

/// The rooms of FC-9 by flood fill.
fn rooms(set: &Value, state: &Value) -> Vec<Value> {
    let spaces = occupied(set, state);
    let players = number(&state["players"]) as usize;
    let at = |cell: Cell| &spaces[&(cell.1, -cell.0)];
    let cells: Vec<Cell> =
        spaces.iter().flat_map(|(&(x, y), space)| (0..space.floors.len()).map(move |part| (-y, x, part))).collect();
    // Sides that meet an occupied space: own symbol, met symbol, the cell or the temple behind it.
    let meetings = |cell: Cell| {
        let mut found = Vec::new();
        for (side, (dx, dy)) in STEPS.into_iter().enumerate() {
            let (symbol, owner) = at(cell).sides[side];
            if owner != Some(cell.2) {
                continue;
            }
            let (x, y) = (cell.1 + dx, -cell.0 + dy);
            found.push((
                symbol,
                spaces.get(&(x, y)).map(|other| {
                    let (met, part) = other.sides[(side + 2) % 4];
                    (met, part.map(|part| (-y, x, part)), other.temple)
                }),
            ));
        }
        found
    };
    let mut room_of: BTreeMap<Cell, usize> = BTreeMap::new();
    let mut members: Vec<BTreeSet<Cell>> = Vec::new();
    let mut ordered = cells;
    ordered.sort_unstable();
    for &cell in &ordered {
        if room_of.contains_key(&cell) {
            continue;
        }
        let mut room = BTreeSet::new();
        let mut waiting = vec![cell];
        while let Some(cell) = waiting.pop() {
            if !room.insert(cell) {
                continue;
            }
            room_of.insert(cell, members.len());
            for (symbol, meets) in meetings(cell) {
                if let (true, Some(('.', Some(other), _))) = (symbol == '.', meets) {
                    waiting.push(other);
                }
            }
        }
        members.push(room);
    }
    let tiles = |room: &BTreeSet<Cell>| room.iter().map(|cell| (cell.0, cell.1)).collect::<BTreeSet<_>>().len() as u64;
    let dragons = |room: &BTreeSet<Cell>| room.iter().map(|&cell| at(cell).dragons[cell.2]).sum::<u64>();
    members
        .iter()
        .enumerate()
        .map(|(index, room)| {
            let mut open = 0;
            let mut links = BTreeSet::new();
            let mut temple = false;
            for &cell in room {
                for (symbol, meets) in meetings(cell) {
                    let Some((met, other, is_temple)) = meets else {
                        open += u64::from(symbol == '.');
                        continue;
                    };
                    if symbol == '#' || met == '#' || (symbol, met) == ('.', '.') {
                        continue;
                    }
                    temple |= is_temple;
                    links.extend(other.map(|other| room_of[&other]));
                }
                if at(cell).diagonal_arch {
                    links.insert(room_of[&(cell.0, cell.1, 1 - cell.2)]);
                }
            }
            links.remove(&index);
            let mut advisors = vec![0; players];
            for &cell in room {
                advisors[at(cell).seat] += at(cell).advisors[cell.2];
            }
            let worth = |room: &BTreeSet<Cell>| tiles(room) + 3 * dragons(room);
            let value = worth(room) + links.iter().map(|&link| worth(&members[link])).sum::<u64>() + u64::from(temple);
            let first = room.iter().next().expect("a cell");
            json!({
                "floor": at(*first).floors[first.2],
                "cells": room.iter().map(|cell| json!([cell.1, -cell.0, cell.2])).collect::<Vec<_>>(),
                "closed": open == 0, "open": open, "tiles": tiles(room), "dragons": dragons(room), "advisors": advisors,
                "links": links, "temple": temple, "value": value,
            })
        })
        .collect()
}

/// FC-7.2.
fn pay(advisors: &[i64], value: i64) -> Vec<i64> {
    let mut sorted = advisors.to_vec();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    let many = |count: i64| advisors.iter().filter(|&&other| other == count).count();
    advisors
        .iter()
        .map(|&count| match count {
            0 => 0,
            _ if count == sorted[0] && many(count) == 1 => value,
            _ if count == sorted[0] => value / 2,
            _ if many(sorted[0]) == 1 && count == sorted[1] && many(count) == 1 => value / 2,
            _ => 0,
        })
        .collect()
}

/// What a placement pays, from the rooms before and after it (FC-5.11).
fn paid(before: &[Value], after: &[Value], players: usize) -> Vec<i64> {
    let mut total = vec![0; players];
    for room in after.iter().filter(|room| room["closed"] == true) {
        if before.iter().any(|old| old["closed"] == true && old["cells"] == room["cells"]) {
            continue;
        }
        let advisors: Vec<i64> = list(&room["advisors"]).iter().map(number).collect();
        for (total, paid) in total.iter_mut().zip(pay(&advisors, number(&room["value"]))) {
            *total += paid;
        }
    }
    total
}

/// FC-7.4.
fn tally(set: &Value, state: &Value) -> Vec<i64> {
    let worth = |id: &str| -> i64 {
        let parts = list(&kind(set, id)["parts"]);
        parts.iter().map(|part| 2 * part.get("advisors").map_or(0, number) + 3 * part.get("dragons").map_or(0, number)).sum()
    };
    let seats = list(&state["unplayed"]).iter();
    seats.map(|seat| seat.as_object().into_iter().flatten().map(|(id, copies)| worth(id) * number(copies)).sum()).collect()
}

fn engine_legal(game: &Game, state: &State) -> Vec<String> {
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    actions.into_iter().map(|action| game.format_action(action)).collect()
}

/// Compares engine and slow version at every node of a random game.
fn compare_game(game: &Game, set: &Value, seed: u64, every: u32) {
    let mut rng = Rng::stream(seed, "slow", 0);
    let mut state = game.new_state();
    let mut json = game.state_to_json(&state);
    let mut known: Vec<Value> = rooms(set, &json);
    loop {
        if game.ply(&state).is_multiple_of(every) {
            assert_eq!(engine_legal(game, &state), legal(set, &json), "seed {seed}: {json}");
        }
        let Some(step) = random_step(game, &state, &mut rng) else { break };
        let coins = |json: &Value| -> Vec<i64> { list(&json["coins"]).iter().map(number).collect() };
        let mut expected = coins(&json);
        game.apply(&mut state, step);
        json = game.state_to_json(&state);
        let filled = rooms(set, &json);
        assert_eq!(json["rooms"], Value::Array(filled.clone()), "seed {seed}: {json}");
        // FC-12.6.
        for room in known.iter().filter(|room| room["closed"] == true) {
            let keeps = |other: &&Value| ["cells", "tiles", "dragons", "advisors"].iter().all(|key| other[*key] == room[*key]);
            assert!(filled.iter().any(|other| keeps(&other)), "seed {seed}: a closed room changed: {room}");
        }
        let gains = paid(&known, &filled, expected.len());
        let last = if json["phase"] == "end" { tally(set, &json) } else { vec![0; expected.len()] };
        for (seat, expected) in expected.iter_mut().enumerate() {
            *expected += gains[seat] + last[seat];
        }
        assert_eq!(coins(&json), expected, "seed {seed}: {json}");
        known = filled;
    }
}

fn set_of(name: &str) -> Value {
    let (_, text) = Game::builtin_components().iter().find(|(builtin, _)| *builtin == name).expect("a built-in set");
    parse_toml(text).expect("TOML")
}

fn make(players: usize, options: &Value, components: &str) -> Game {
    let options: Options = options.as_object().expect("an object").clone();
    Game::new(players, &options, Some(&ComponentSource::Name(components.to_owned()))).expect("a game")
}

fn compare(games: u64, tables: &[i64], every: u32) {
    for components in ["house-1", "test-1"] {
        let set = set_of(components);
        for side in ["beginner", "advanced"] {
            for &table in tables {
                for players in 2..=4 {
                    let game = make(players, &json!({"side": side, "table": table}), components);
                    (0..games).for_each(|seed| compare_game(&game, &set, seed, every));
                }
            }
        }
    }
}

/// Perft by the slow generator; the engine only applies.
fn slow_perft(game: &Game, set: &Value, state: &State, depth: u32) -> u64 {
    let mut state = state.clone();
    while game.turn(&state) == Turn::Chance {
        let mut outcomes = Vec::new();
        game.chance_outcomes(&state, &mut outcomes);
        let first =
            outcomes.iter().map(|(outcome, _)| *outcome).min_by_key(|outcome| game.format_outcome(*outcome)).expect("an outcome");
        game.apply(&mut state, Step::Outcome(first));
    }
    let actions = legal(set, &game.state_to_json(&state));
    if depth == 1 {
        return actions.len() as u64;
    }
    actions
        .iter()
        .map(|text| {
            let mut child = state.clone();
            game.apply(&mut child, Step::Action(game.parse_action(text).expect("notation")));
            slow_perft(game, set, &child, depth - 1)
        })
        .sum()
}

/// 12 games at a time: two sets, two sides, three numbers of players.
#[test]
fn engine_and_slow_rules_agree_in_random_games() {
    compare(8, &[15], 1);
    compare(9, &[41], 6);
}

/// The engine's counts are compared with the same rows in `perft.rs`.
#[test]
fn fc_11_17_perft_by_the_slow_generator() {
    for (players, side, components, expected) in [
        (2, "beginner", "house-1", 85_562),
        (3, "advanced", "house-1", 43_829),
        (2, "beginner", "test-1", 2040),
        (3, "advanced", "test-1", 2040),
    ] {
        let game = make(players, &json!({"side": side}), components);
        assert_eq!(slow_perft(&game, &set_of(components), &game.new_state(), 3), expected);
    }
}

#[test]
#[ignore = "10,000 games: make soak"]
fn soak_engine_and_slow_rules_agree() {
    println!("seeds 0..278 for two sets, two sides, tables 15, 41, 127, 2 to 4 players: 10,008 games");
    compare(278, &[15, 41, 127], 29);
}
