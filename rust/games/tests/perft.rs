//! The perft rows of `tests/golden/<game>/perft.toml`. A game without them fails. Rows with more sequences than the limit wait for
//! `cargo test -p forbidden-games --test perft -- --ignored`.

mod support;

use std::sync::Arc;

use forbidden_games::for_each_game;
use forbidden_games_core::contract::{self, Game, Step};
use forbidden_games_core::interrupt::Interrupt;
use forbidden_games_core::match_play::Match;
use forbidden_games_core::perft::{perft, perft_divide, take_first_outcomes};
use forbidden_games_core::player::Turn;
use forbidden_games_core::record::Record;
use forbidden_games_core::start::Start;
use serde_json::{Map, Value};
use support::{components, golden_toml};

/// Sequences counted in a normal run, and in a long one.
const LIMIT: u64 = 3_000_000;
const SOAK_LIMIT: u64 = 3_000_000_000;

/// The state a row is about: its start, then its moves. At a chance node the next move may be an outcome, otherwise the outcome
/// whose notation comes first is taken.
fn state_of<G: Game>(game: &Arc<G>, row: &Value) -> G::State {
    let id = &row["id"];
    let json = |key: &str| {
        let text = row.get(key)?.as_str()?;
        Some(serde_json::from_str::<Value>(text).unwrap_or_else(|error| panic!("{id}: {key}: {error}")))
    };
    let start = match (json("position"), json("state")) {
        (Some(position), _) => Start::Position(position),
        (None, Some(state)) => Start::State(state),
        (None, None) => Start::Ordinary,
    };
    check_record(game, &start, id);
    let mut state = start.state(&**game).unwrap_or_else(|error| panic!("{id}: {error}"));
    let moves = row.get("moves").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    for text in moves.iter().filter_map(Value::as_str) {
        let step = loop {
            if game.turn(&state) != Turn::Chance {
                break game.parse_action(text).map_or_else(|error| panic!("{id}: {error}"), Step::Action);
            }
            match game.parse_outcome(text) {
                Ok(outcome) if game.check_outcome(&state, outcome).is_ok() => break Step::Outcome(outcome),
                _ => take_one(&**game, &mut state),
            }
        };
        let mut events = Vec::new();
        contract::play(&**game, &mut state, step, &mut events).unwrap_or_else(|error| panic!("{id}: {error}"));
    }
    state
}

/// A match from this start has a record that loads to the same match.
fn check_record<G: Game>(game: &Arc<G>, start: &Start, id: &Value) {
    let played = Match::from_start(Arc::clone(game), start.clone(), 1).unwrap_or_else(|error| panic!("{id}: {error}"));
    let record = Record::parse(&played.record().to_text()).unwrap_or_else(|error| panic!("{id}: {error}"));
    let again = Match::from_record(Arc::clone(game), &record).unwrap_or_else(|error| panic!("{id}: {error}"));
    assert!(again.state() == played.state() && again.start() == start, "{id}: the record of the start loads otherwise");
}

fn take_one<G: Game>(game: &G, state: &mut G::State) {
    let mut outcomes = Vec::new();
    game.chance_outcomes(state, &mut outcomes);
    let first = outcomes.into_iter().map(|(outcome, _)| outcome).min_by_key(|&outcome| game.format_outcome(outcome));
    game.apply(state, Step::Outcome(first.unwrap_or_else(|| unreachable!("a chance node has an outcome"))));
}

fn run<G: Game>(limit: u64) {
    let file = golden_toml::<G>("perft.toml").unwrap_or_else(|| panic!("{} has no tests/golden/*/perft.toml", G::INFO.name));
    let rows = file["position"].as_array().map_or(&[][..], Vec::as_slice);
    assert!(!rows.is_empty(), "{} has no perft row", G::INFO.name);
    let interrupt = Interrupt::new();
    for row in rows {
        let id = row["id"].as_str().unwrap_or_else(|| panic!("a row of {} has no id", G::INFO.name));
        let players = row["players"].as_u64().unwrap_or_else(|| panic!("{id} has no players")) as usize;
        let options = row.get("options").and_then(Value::as_object).cloned().unwrap_or_else(Map::new);
        let set = row.get("components").and_then(Value::as_str).map(components::<G>);
        let game = Arc::new(G::new(players, &options, set.as_ref()).unwrap_or_else(|error| panic!("{id}: {error}")));
        let state = state_of(&game, row);
        let counts = row["counts"].as_array().unwrap_or_else(|| panic!("{id} has no counts"));
        for (index, count) in counts.iter().enumerate() {
            let depth = index as u32 + 1;
            let expected = count.as_u64().unwrap_or_else(|| panic!("{id}: count {count}"));
            if expected > limit {
                continue;
            }
            let found = perft(&*game, &state, depth, &interrupt).unwrap_or_else(|error| panic!("{error}"));
            if found != expected {
                let mut at = state.clone();
                take_first_outcomes(&*game, &mut at);
                let divided = perft_divide(&*game, &at, depth, &interrupt).unwrap_or_default();
                let divided: Vec<String> =
                    divided.iter().map(|&(action, count)| format!("{}: {count}", game.format_action(action))).collect();
                panic!("{} {id}, depth {depth}: found {found}, expected {expected}\n{}", G::INFO.name, divided.join("\n"));
            }
        }
    }
}

macro_rules! golden_perft {
    ($(($variant:ident, $module:ident)),* $(,)?) => { $(
        mod $module {
            use forbidden_games::$module::Game;

            #[test]
            fn perft() {
                super::run::<Game>(super::LIMIT);
            }

            #[test]
            #[ignore = "many sequences: make soak"]
            fn soak_perft() {
                super::run::<Game>(super::SOAK_LIMIT);
            }
        }
    )* };
}
for_each_game!(golden_perft);
