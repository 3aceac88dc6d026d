//! Qin once more, slow and obvious, from the state JSON and the board alone: legal placements (QN-5.2, QN-5.7), and all that a
//! placement changes on the board (QN-5.4 to QN-5.12). The engine is compared with it at every node of random games.

use std::collections::{BTreeMap, BTreeSet};

use forbidden_games::qin::Game;
use forbidden_games_core::contract::{self, Data, Notation, Rules, Setup, Step};
use forbidden_games_core::event::NoEvents;
use forbidden_games_core::options::ComponentSource;
use forbidden_games_core::player::Turn;
use forbidden_games_core::rng::Rng;
use serde_json::{Value, json};

type Square = (usize, usize);
/// A province: owner, pagodas, spaces.
type Province = (usize, u64, BTreeSet<Square>);

fn name(square: Square) -> String {
    format!("{}{}", (b'a' + square.1 as u8) as char, square.0 + 1)
}

fn square(name: &str) -> Square {
    (name[1..].parse::<usize>().unwrap() - 1, usize::from(name.as_bytes()[0] - b'a'))
}

fn adjacent((row, column): Square) -> Vec<Square> {
    vec![(row.wrapping_sub(1), column), (row + 1, column), (row, column.wrapping_sub(1)), (row, column + 1)]
}

/// What the JSON says, in the plainest form.
#[derive(Clone, Debug, PartialEq)]
struct Position {
    board: BTreeMap<Square, char>,
    provinces: Vec<Province>,
    villages: Vec<(Vec<Square>, Option<usize>)>,
    supply: Vec<i64>,
}

fn squares(value: &Value) -> Vec<Square> {
    value.as_array().unwrap().iter().map(|name| square(name.as_str().unwrap())).collect()
}

impl Position {
    fn read(state: &Value) -> Self {
        let mut board = BTreeMap::new();
        for (row, text) in state["board"].as_array().unwrap().iter().enumerate() {
            for (column, character) in text.as_str().unwrap().chars().enumerate() {
                board.insert((row, column), character);
            }
        }
        let list = |key: &str| state[key].as_array().unwrap().clone();
        let seat = |value: &Value| value["owner"].as_u64().map(|owner| owner as usize);
        Self {
            board,
            provinces: list("provinces")
                .iter()
                .map(|p| (seat(p).unwrap(), p["pagodas"].as_u64().unwrap(), squares(&p["squares"]).into_iter().collect()))
                .collect(),
            villages: list("villages").iter().map(|village| (squares(&village["squares"]), seat(village))).collect(),
            supply: list("supply").iter().map(|left| left.as_i64().unwrap()).collect(),
        }
    }

    fn at(&self, square: Square) -> char {
        self.board.get(&square).copied().unwrap_or(' ')
    }

    fn is_space(&self, square: Square) -> bool {
        "bry".contains(self.at(square))
    }

    /// The colour area of a space.
    fn area(&self, start: Square) -> BTreeSet<Square> {
        let mut area = BTreeSet::from([start]);
        let mut open = vec![start];
        while let Some(square) = open.pop() {
            for other in adjacent(square) {
                if self.at(other) == self.at(start) && area.insert(other) {
                    open.push(other);
                }
            }
        }
        area
    }

    fn is_free_pair(&self, pair: [Square; 2]) -> bool {
        pair.iter().all(|&square| self.at(square) == '.')
            && pair.iter().flat_map(|&square| adjacent(square)).any(|square| self.is_space(square))
    }

    fn with_tile(&self, pair: [Square; 2], colours: [char; 2]) -> Self {
        let mut after = self.clone();
        after.board.extend(pair.into_iter().zip(colours));
        after
    }

    /// The changed areas after a tile, each with its former provinces.
    fn changed(&self, pair: [Square; 2], colours: [char; 2]) -> Vec<(BTreeSet<Square>, Vec<Province>)> {
        let after = self.with_tile(pair, colours);
        let mut areas = vec![after.area(pair[0])];
        if colours[0] != colours[1] {
            areas.push(after.area(pair[1]));
        }
        let former = |area: &BTreeSet<Square>| self.provinces.iter().filter(|p| p.2.is_subset(area)).cloned().collect();
        areas.into_iter().map(|area| (former(&area), area)).map(|(former, area)| (area, former)).collect()
    }

    /// The owner of a join, or `None` if it is illegal.
    fn join_owner(former: &[Province], outnumbered: bool) -> Option<usize> {
        let majors: Vec<&Province> = former.iter().filter(|p| p.2.len() >= 5).collect();
        let mut totals = BTreeMap::new();
        for (owner, _, spaces) in former {
            *totals.entry(*owner).or_insert(0) += spaces.len();
        }
        let highest = *totals.values().max().unwrap();
        let leaders: Vec<usize> = totals.iter().filter(|total| *total.1 == highest).map(|total| *total.0).collect();
        let lost = majors.len() == 1 && majors[0].0 != leaders[0] && !outnumbered;
        if majors.len() > 1 || leaders.len() > 1 || lost { None } else { Some(leaders[0]) }
    }

    fn legal(&self, kinds: &BTreeSet<String>, outnumbered: bool) -> Vec<String> {
        let mut found = Vec::new();
        for &one in self.board.keys() {
            for other in [(one.0, one.1 + 1), (one.0 + 1, one.1)] {
                let pair = [one, other];
                if !self.is_free_pair(pair) {
                    continue;
                }
                for kind in kinds {
                    let letters: Vec<char> = kind.chars().collect();
                    for colours in BTreeSet::from([[letters[0], letters[1]], [letters[1], letters[0]]]) {
                        let legal = self
                            .changed(pair, colours)
                            .iter()
                            .all(|(_, former)| former.len() < 2 || Self::join_owner(former, outnumbered).is_some());
                        if legal {
                            found.push(format!("{}{}:{}{}", colours[0], colours[1], name(one), name(other)));
                        }
                    }
                }
            }
        }
        found
    }

    fn support(&self, village: &[Square], seat: usize) -> u64 {
        let around: BTreeSet<Square> = village.iter().flat_map(|&square| adjacent(square)).collect();
        self.provinces.iter().filter(|p| p.0 == seat && !p.2.is_disjoint(&around)).map(|p| p.1).sum()
    }

    /// Lays a tile for `seat`; whether somebody placed its last pagoda.
    fn lay(&mut self, seat: usize, pair: [Square; 2], colours: [char; 2], outnumbered: bool) -> bool {
        let changed = self.changed(pair, colours);
        self.board = self.with_tile(pair, colours).board;
        let players = self.supply.len();
        let mut due = Vec::new();
        for (area, former) in changed {
            let owner = match former.as_slice() {
                [] if area.len() == 1 => continue,
                [] => seat,
                [only] => only.0,
                _ => Self::join_owner(&former, outnumbered).unwrap(),
            };
            self.provinces.retain(|province| !former.contains(province));
            for &(other, pagodas, _) in former.iter().filter(|province| province.0 != owner) {
                self.supply[other] += pagodas as i64;
            }
            let own: u64 = former.iter().filter(|province| province.0 == owner).map(|province| province.1).sum();
            self.supply[owner] += own.saturating_sub(2) as i64;
            due.push((owner, area.clone(), if area.len() >= 5 { 2 } else { 1 }));
            self.provinces.push((owner, own.min(2), area));
        }
        for turn in 0..players {
            let owner = (seat + turn) % players;
            for (_, area, wanted) in due.iter().filter(|entry| entry.0 == owner) {
                while let Some(province) = self.provinces.iter_mut().find(|p| p.2 == *area && p.1 < *wanted) {
                    province.1 += 1;
                    self.supply[owner] -= 1;
                    if self.supply[owner] == 0 {
                        return true;
                    }
                }
            }
        }
        let leaders: Vec<Option<usize>> = self
            .villages
            .iter()
            .map(|(village, _)| {
                let support: Vec<u64> = (0..players).map(|seat| self.support(village, seat)).collect();
                let leads = |seat: &usize| support.iter().enumerate().all(|(other, &with)| other == *seat || with < support[*seat]);
                (0..players).find(leads)
            })
            .collect();
        for turn in 0..players {
            let leader = (seat + turn) % players;
            for (village, led) in self.villages.iter_mut().zip(&leaders) {
                if *led == Some(leader) && village.1 != Some(leader) {
                    if let Some(owner) = village.1 {
                        self.supply[owner] += 1;
                    }
                    village.1 = Some(leader);
                    self.supply[leader] -= 1;
                    if self.supply[leader] == 0 {
                        return true;
                    }
                }
            }
        }
        false
    }

    fn has_free_pair(&self) -> bool {
        self.board.keys().any(|&one| self.is_free_pair([one, (one.0, one.1 + 1)]) || self.is_free_pair([one, (one.0 + 1, one.1)]))
    }

    /// Compares with the JSON after the action.
    fn check(mut self, after: &Value) {
        self.provinces.sort_by_key(|province| *province.2.first().unwrap());
        assert_eq!(self, Self::read(after));
    }
}

/// The legal list by the slow rules; `pass` if there is nothing else.
fn legal(state: &Value) -> Vec<String> {
    let seat = state["player"].as_u64().unwrap() as usize;
    let kinds = state["hands"][seat].as_array().unwrap().iter().map(|kind| kind.as_str().unwrap().to_owned()).collect();
    let outnumbered = state["options"]["absorb_major"] == "outnumbered";
    let mut found = Position::read(state).legal(&kinds, outnumbered);
    if found.is_empty() {
        found.push("pass".to_owned());
    }
    found.sort();
    found
}

/// The slow rules against one step of the engine.
fn compare_step(before: &Value, notation: &str, after: &Value) {
    let seat = before["player"].as_u64().unwrap() as usize;
    let mut position = Position::read(before);
    let players = before["supply"].as_array().unwrap().len() as u64;
    let end = if notation == "pass" {
        (after["passes"].as_u64() == Some(players)).then_some("passes")
    } else {
        let letters: Vec<char> = notation.chars().collect();
        let split = 4 + notation[4..].find(|c: char| c.is_ascii_lowercase()).unwrap();
        let pair = [square(&notation[3..split]), square(&notation[split..])];
        let outnumbered = before["options"]["absorb_major"] == "outnumbered";
        let last = position.lay(seat, pair, [letters[0], letters[1]], outnumbered);
        let held: u64 = before["hand_sizes"].as_array().unwrap().iter().map(|size| size.as_u64().unwrap()).sum();
        let left = before["pile_size"].as_u64().unwrap() + held - 1;
        match (last, left, position.has_free_pair()) {
            (true, _, _) => Some("pagodas"),
            (_, 0, _) => Some("tiles"),
            (_, _, false) => Some("board"),
            _ => None,
        }
    };
    assert_eq!(after["end"], json!(end), "{notation}");
    position.check(after);
}

/// Villages by the board alone (QN-2.6).
fn villages(position: &Position, group: bool) -> Vec<Vec<Square>> {
    let mut found: Vec<Vec<Square>> = Vec::new();
    for (&square, _) in position.board.iter().filter(|entry| *entry.1 == '#') {
        if group {
            if !found.iter().any(|village| village.contains(&square)) {
                found.push(position.area(square).into_iter().collect());
            }
        } else {
            found.push(vec![square]);
        }
    }
    found
}

fn play(game: &Game, seed: u64) {
    let mut state = game.new_state();
    let mut rng = Rng::stream(seed, "slow", 0);
    let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
    let mut json = game.state_to_json(&state);
    let first = Position::read(&json);
    let listed: Vec<Vec<Square>> = first.villages.iter().map(|village| village.0.clone()).collect();
    assert_eq!(listed, villages(&first, json["options"]["villages"] == "group"));
    loop {
        match game.turn(&state) {
            Turn::Over => return,
            Turn::Chance => {
                let outcome = game.sample_outcome(&state, &mut rng, &mut outcomes);
                contract::play(game, &mut state, Step::Outcome(outcome), &mut NoEvents).unwrap();
                json = game.state_to_json(&state);
            }
            Turn::Player(_) => {
                actions.clear();
                game.legal_actions(&state, &mut actions);
                let mut notations: Vec<String> = actions.iter().map(|&action| game.format_action(action)).collect();
                notations.sort();
                assert_eq!(notations, legal(&json), "seed {seed}, {json}");
                let action = game.sample_action(&state, &mut rng, &mut actions);
                contract::play(game, &mut state, Step::Action(action), &mut NoEvents).unwrap();
                let after = game.state_to_json(&state);
                compare_step(&json, &game.format_action(action), &after);
                json = after;
            }
        }
    }
}

fn perft(game: &Game, state: &forbidden_games::qin::State, depth: u32) -> usize {
    let mut state = state.clone();
    while game.turn(&state) == Turn::Chance {
        let mut outcomes = Vec::new();
        game.chance_outcomes(&state, &mut outcomes);
        game.apply(&mut state, Step::Outcome(outcomes[0].0));
    }
    if game.is_terminal(&state) {
        return 0;
    }
    let notations = legal(&game.state_to_json(&state));
    if depth == 1 {
        return notations.len();
    }
    let child = |text: &String| {
        let mut child = state.clone();
        contract::play(game, &mut child, Step::Action(game.parse_action(text).unwrap()), &mut NoEvents).unwrap();
        perft(game, &child, depth - 1)
    };
    notations.iter().map(child).sum()
}

fn games() -> Vec<Game> {
    let golden = |file: &str| std::fs::read_to_string(format!("{}/../../tests/golden/qin/{file}.toml", env!("CARGO_MANIFEST_DIR")));
    let mut games = Vec::new();
    for players in 2..=4 {
        for board in ["bird", "lion", "m1", "m2", "m3", "wide"] {
            let source =
                golden(board).ok().map(|text| ComponentSource::Set(forbidden_games_core::data::parse_toml(&text).unwrap()));
            for (absorb, villages) in [("never", "square"), ("outnumbered", "group"), ("outnumbered", "square")] {
                let mut options = json!({"absorb_major": absorb, "villages": villages});
                if source.is_none() {
                    options["board"] = board.into();
                }
                games.push(Game::new(players, options.as_object().unwrap(), source.as_ref()).unwrap());
            }
        }
    }
    games
}

#[test]
fn agrees_at_every_node() {
    // The widest board takes its time: once is enough here.
    let mut wide = 0;
    for (seed, game) in (0..).zip(games()) {
        wide += u32::from(game.components()["name"] == "wide");
        if wide <= 1 || game.components()["name"] != "wide" {
            play(&game, seed);
        }
    }
}

#[test]
fn agrees_on_perft() {
    let game = Game::new(2, &Default::default(), None).unwrap();
    assert_eq!(perft(&game, &game.new_state(), 2), 886);
    let m1 = games().into_iter().find(|game| game.components()["name"] == "m1").unwrap();
    assert_eq!(perft(&m1, &m1.new_state(), 2), 1922);
}

#[test]
#[ignore = "many games: make soak"]
fn soak_agrees_at_every_node() {
    for (number, game) in (0..).zip(games()) {
        let games = if game.components()["name"] == "wide" { 2 } else { 40 };
        let seeds = 1000 * number..1000 * number + games;
        println!("qin for {}, {}, seeds {seeds:?}", game.num_players(), Value::Object(game.options()));
        seeds.for_each(|seed| play(&game, seed));
    }
}

#[test]
#[ignore = "many sequences: make soak"]
fn soak_agrees_on_perft() {
    let game = Game::new(2, &Default::default(), None).unwrap();
    assert_eq!(perft(&game, &game.new_state(), 3), 30_745);
}
