//! Tests named after the rules they check. Positions are written like those of FC-11: `x,y kind seat rK`, separated by `;`.

mod bytes;
mod components;
mod evaluation;
mod examples;
mod play;
mod positions;
mod refusals;

use serde_json::{Value, json};

use forbidden_games_core::contract::{self, Audit, Data, Notation, Rules, Setup, Step};
use forbidden_games_core::data::parse_toml;
use forbidden_games_core::error::StateError;
use forbidden_games_core::event::Event;
use forbidden_games_core::notation::parse_canonical_integer;
use forbidden_games_core::options::{ComponentSource, Options};
use forbidden_games_core::player::{Player, Turn};
use forbidden_games_core::rng::Rng;

use super::{Game, State};

/// A game with options given as a JSON object.
pub(super) fn game(players: usize, options: Value) -> Game {
    let options: Options = options.as_object().expect("an object").clone();
    Game::new(players, &options, None).expect("a game")
}

fn house(players: usize) -> Game {
    game(players, json!({}))
}

fn test_set(players: usize) -> Game {
    game(players, json!({"components": "test-1"}))
}

/// `0,2 g-A1c 0 r0; ...` as the list of FC-4.3.
fn placements(text: &str) -> Value {
    text.split(';')
        .map(str::trim)
        .filter(|entry| !entry.is_empty())
        .map(|entry| {
            let words: Vec<&str> = entry.split(' ').collect();
            let (x, y) = words[0].split_once(',').expect("x,y");
            let number = |text: &str| parse_canonical_integer(text).expect("an integer");
            json!([number(x), number(y), words[1], number(words[2]), number(&words[3][1..])])
        })
        .collect()
}

/// A position object with further keys.
fn position_object(game: &Game, laid: &str, more: Value) -> Value {
    let mut position = json!({
        "game": "forbidden_city", "players": game.num_players(), "options": game.options(), "placements": placements(laid)
    });
    for (key, value) in more.as_object().expect("an object") {
        position[key] = value.clone();
    }
    position
}

fn try_position(game: &Game, laid: &str, more: Value) -> Result<State, StateError> {
    let state = game.state_from_position(&position_object(game, laid, more))?;
    check(game, &state);
    Ok(state)
}

fn position(game: &Game, laid: &str, more: Value) -> State {
    try_position(game, laid, more).unwrap_or_else(|error| panic!("{error}"))
}

fn coins_after(game: &Game, laid: &str) -> Vec<i32> {
    game.scores(&position(game, laid, json!({}))).to_vec()
}

/// Invariants, and JSON both ways.
fn check(game: &Game, state: &State) {
    game.check_invariants(state).unwrap_or_else(|error| panic!("{error}\n{}", game.state_to_json(state)));
    let json = game.state_to_json(state);
    let again = game.state_from_json(&json).unwrap_or_else(|error| panic!("{error}\n{json}"));
    assert_eq!(again, *state);
    assert_eq!(game.state_to_json(&again).to_string(), json.to_string());
}

/// Plays steps in notation, checked.
fn play(game: &Game, state: &mut State, steps: &str) -> Vec<Event> {
    let mut events = Vec::new();
    for text in steps.split(';') {
        let step = game.parse_step(state, text).unwrap_or_else(|error| panic!("{error}"));
        contract::play(game, state, step, &mut events).unwrap_or_else(|error| panic!("{error}"));
        check(game, state);
    }
    events
}

fn legal(game: &Game, state: &State) -> Vec<String> {
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    actions.into_iter().map(|action| game.format_action(action)).collect()
}

/// Perft (CONVENTIONS 9).
fn perft(game: &Game, state: &State, depth: u32) -> u64 {
    let mut state = state.clone();
    while game.turn(&state) == Turn::Chance {
        let mut outcomes = Vec::new();
        game.chance_outcomes(&state, &mut outcomes);
        let first =
            outcomes.iter().map(|(outcome, _)| *outcome).min_by_key(|outcome| game.format_outcome(*outcome)).expect("an outcome");
        game.apply(&mut state, Step::Outcome(first));
    }
    let mut actions = Vec::new();
    game.legal_actions(&state, &mut actions);
    if depth <= 1 {
        return if depth == 0 { 1 } else { actions.len() as u64 };
    }
    actions
        .into_iter()
        .map(|action| {
            let mut child = state.clone();
            game.apply(&mut child, Step::Action(action));
            perft(game, &child, depth - 1)
        })
        .sum()
}

/// One random step.
fn step_randomly(game: &Game, state: &mut State, rng: &mut Rng) {
    let step = match game.turn(state) {
        Turn::Chance => Step::Outcome(game.sample_outcome(state, rng, &mut Vec::new())),
        Turn::Player(_) => Step::Action(game.sample_action(state, rng, &mut Vec::new())),
        Turn::Over => return,
    };
    game.apply(state, step);
}

/// Calls `visit` at every node of random games.
fn random_games(game: &Game, count: u64, mut visit: impl FnMut(&State)) {
    for seed in 0..count {
        let mut rng = Rng::stream(seed, "test", 0);
        let mut state = game.new_state();
        visit(&state);
        while !game.is_terminal(&state) {
            step_randomly(game, &mut state, &mut rng);
            visit(&state);
        }
    }
}

/// The games of the ordinary options that tests run over.
fn games() -> Vec<Game> {
    let mut games = Vec::new();
    for players in 2..=4 {
        for side in ["beginner", "advanced"] {
            for components in ["house-1", "test-1"] {
                for table in [15, 41, 127] {
                    games.push(game(players, json!({"side": side, "table": table, "components": components})));
                }
            }
        }
    }
    games
}

/// The games of the ordinary options, and the largest set with each number of seats.
fn all_games() -> Vec<Game> {
    let set = parse_toml(include_str!("../../../../tests/golden/forbidden_city/largest.toml")).expect("TOML");
    let source = ComponentSource::Set(set);
    let largest = (2..=4).flat_map(|players| {
        [json!({"side": "beginner"}), json!({"side": "advanced", "table": 15})].map(|options| {
            Game::new(players, options.as_object().expect("an object"), Some(&source)).unwrap_or_else(|error| panic!("{error}"))
        })
    });
    games().into_iter().chain(largest).collect()
}

/// A key and what breaks it.
type Damage<'a> = (&'a str, &'a dyn Fn(&mut Value));

fn seat(index: usize) -> Player {
    Player::new(index)
}
