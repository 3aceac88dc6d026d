//! Damaged text, ids, JSON and TOML for everything that reads: each must be refused with an error that says why, or be something
//! that can be played. Nothing may panic, hang or fill the memory.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use serde_json::{Map, Value};

use super::rerun::{self, Only};
use super::{Check, Failure, describe, ensure};
use crate::contract::{Game, Step};
use crate::data::{parse_json, parse_toml};
use crate::error::shorten;
use crate::match_play::Match;
use crate::options::ComponentSource;
use crate::player::{Player, Turn};
use crate::record::Record;
use crate::rng::Rng;
use crate::start::Start;

/// Nodes played from a damaged state that was accepted.
const PLAYED: usize = 60;

/// How many inputs were tried at an entrance, and how many of them were accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tried {
    /// Inputs.
    pub tried: u64,
    /// Inputs that were no damage after all: equal to a good one, or another good one.
    pub accepted: u64,
}

/// The entrances in the order of [`Entrances`].
pub const ENTRANCES: [&str; 9] =
    ["actions", "outcomes", "ids", "options", "components", "component text", "states", "observations", "records"];

/// What was tried at each entrance of [`ENTRANCES`].
pub type Entrances = [Tried; ENTRANCES.len()];

/// Throws `count` damaged inputs at every entrance of the game. Good inputs to damage come from a random match.
///
/// `FORBIDDEN_GAMES_SEED` replaces the seed, `FORBIDDEN_GAMES_STEP` leaves the input with this number at every entrance.
///
/// # Errors
/// The first input that panicked, or was accepted but cannot be right.
///
/// # Panics
/// If one of the variables is set and cannot be read.
pub fn check_entrances<G: Game>(game: &Arc<G>, seed: u64, count: u64) -> Result<Entrances, Failure> {
    let only = Only::from_environment();
    let seed = only.seeds.as_ref().and_then(|seeds| seeds.first()).copied().unwrap_or(seed);
    let indices = only.step.map_or(0..count, |step| step as u64..step as u64 + 1);
    let mut tried = Entrances::default();
    let samples = Samples::new(game, seed);
    for (entrance, (name, tried)) in ENTRANCES.iter().zip(&mut tried).enumerate() {
        for index in indices.clone() {
            let mut rng = Rng::stream(seed, name, index);
            let input = samples.input(entrance, &mut rng);
            let result = catch_unwind(AssertUnwindSafe(|| samples.offer(entrance, &input, &mut rng)));
            let result = result.unwrap_or_else(|_| Err("panicked".to_owned()));
            match result {
                Ok(accepted) => {
                    tried.tried += 1;
                    tried.accepted += u64::from(accepted);
                }
                Err(reason) => {
                    let input: String = input.chars().take(20_000).collect();
                    let message = format!("{name} input {index}: {reason}: {input}");
                    let rerun = rerun::command(&[seed], Some(index as usize));
                    return Err(Failure { game: describe(&**game), seed: Some(seed), step: None, message, rerun });
                }
            }
        }
    }
    Ok(tried)
}

/// Good inputs.
struct Samples<'a, G: Game> {
    game: &'a Arc<G>,
    states: Vec<G::State>,
    actions: Vec<String>,
    outcomes: Vec<String>,
    state_json: Vec<Value>,
    record: Vec<String>,
    components: Vec<(String, Value)>,
}

impl<'a, G: Game> Samples<'a, G> {
    fn new(game: &'a Arc<G>, seed: u64) -> Self {
        let mut played = Match::new(Arc::clone(game), seed);
        let mut rng = Rng::stream(seed, "hostile", 0);
        let mut scratch = Vec::new();
        while !played.is_terminal() {
            let action = game.sample_action(played.state(), &mut rng, &mut scratch);
            if played.play(action).is_err() {
                break;
            }
        }
        let steps = played.history().len();
        let states: Vec<G::State> = (0..=24).map(|index| played.state_before(index * steps / 24)).collect();
        let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
        for &step in played.history() {
            match step {
                Step::Action(action) => actions.push(game.format_action(action)),
                Step::Outcome(outcome) => outcomes.push(game.format_outcome(outcome)),
            }
        }
        if outcomes.is_empty() {
            outcomes.push("1".to_owned());
        }
        let components = G::builtin_components()
            .iter()
            .filter_map(|(_, text)| {
                let value = parse_toml(text).ok()?;
                // Under a name of its own a built-in set is a good set of the user's.
                Some((text.replacen("name = \"", "name = \"x-", 1), rename(value)))
            })
            .collect();
        Self {
            game,
            state_json: states.iter().map(|state| game.state_to_json(state)).collect(),
            states,
            actions,
            outcomes,
            record: played.record().lines().collect(),
            components,
        }
    }

    /// A damaged input, as text.
    fn input(&self, entrance: usize, rng: &mut Rng) -> String {
        match entrance {
            0 => mutate_text(pick::<String>(&self.actions, rng), rng),
            1 => mutate_text(pick::<String>(&self.outcomes, rng), rng),
            2 => {
                let id = match rng.below(4) {
                    0 => rng.next_u64() as u32,
                    1 => u32::MAX - rng.below(3),
                    2 => (self.game.num_actions() as u32).saturating_add(rng.below(9)).saturating_sub(4),
                    _ => rng.below(self.game.num_actions() as u32),
                };
                id.to_string()
            }
            3 => {
                let mut options = Value::Object(self.game.options());
                mutate_json(&mut options, rng);
                options.to_string()
            }
            4 => {
                let mut set = pick(&self.components, rng).1.clone();
                for _ in 0..=rng.below(2) {
                    mutate_json(&mut set, rng);
                }
                set.to_string()
            }
            5 => mutate_text(&pick(&self.components, rng).0, rng),
            6 => {
                let mut state = pick(&self.state_json, rng).clone();
                for _ in 0..=rng.below(3) {
                    mutate_json(&mut state, rng);
                }
                if rng.below(20) == 0 { mutate_text(&state.to_string(), rng) } else { state.to_string() }
            }
            7 => {
                let player = Player::new(rng.below(self.game.num_players() as u32) as usize);
                let observation = self.game.observation(pick(&self.states, rng), player);
                let mut json = self.game.observation_to_json(&observation);
                mutate_json(&mut json, rng);
                json.to_string()
            }
            _ => {
                let mut lines = self.record.clone();
                let line = rng.below(lines.len() as u32) as usize;
                match (rng.below(4), parse_json(&lines[line])) {
                    (0, _) => lines[line] = mutate_text(&lines[line], rng),
                    (1, _) => drop(lines.remove(line)),
                    (_, Ok(mut value)) => {
                        mutate_json(&mut value, rng);
                        lines[line] = value.to_string();
                    }
                    (_, Err(_)) => {}
                }
                lines.join("\n")
            }
        }
    }

    /// Whether the input is accepted; what is accepted must be right.
    fn offer(&self, entrance: usize, input: &str, rng: &mut Rng) -> Result<bool, String> {
        let game = &**self.game;
        match entrance {
            0 => {
                let state = pick(&self.states, rng);
                let Ok(action) = game.parse_action(input).map_err(check_error) else { return Ok(false) };
                ensure!(is_same_text(&game.format_action(action), input), "it is read as {}", game.format_action(action));
                self.offer_action(state, action)?;
                Ok(true)
            }
            1 => {
                let Ok(outcome) = game.parse_outcome(input).map_err(check_error) else { return Ok(false) };
                ensure!(is_same_text(&game.format_outcome(outcome), input), "it is read as {}", game.format_outcome(outcome));
                let _ = game.check_outcome(pick(&self.states, rng), outcome);
                Ok(true)
            }
            2 => {
                let id = input.parse().unwrap_or(u32::MAX);
                let outcome = game.outcome_from_id(id);
                ensure!(outcome.is_some() == ((id as usize) < game.num_outcomes()), "outcome id {id} gives {outcome:?}");
                let action = game.action_from_id(id);
                ensure!(action.is_some() == ((id as usize) < game.num_actions()), "action id {id} gives {action:?}");
                let Some(action) = action else { return Ok(false) };
                self.offer_action(pick(&self.states, rng), action)?;
                Ok(true)
            }
            3 => {
                let value = parse_json(input).unwrap_or(Value::Null);
                let Some(options) = value.as_object() else { return Ok(false) };
                match G::new(game.num_players(), options, None) {
                    Err(error) => check_error(error).map(|()| false),
                    Ok(other) => play_some(&other, other.new_state(), rng).map(|()| true),
                }
            }
            4 | 5 => {
                let parsed = if entrance == 4 { parse_json(input) } else { parse_toml(input) };
                let set = match parsed {
                    Ok(set) => ComponentSource::Set(set),
                    Err(error) => return check_error(error).map(|()| false),
                };
                match G::new(game.num_players(), &Map::new(), Some(&set)) {
                    Err(error) => check_error(error).map(|()| false),
                    Ok(other) => {
                        let again = G::new(other.num_players(), &other.options(), Some(&set));
                        ensure!(again.is_ok_and(|again| again.components() == other.components()), "it is accepted only once");
                        play_some(&other, other.new_state(), rng).map(|()| true)
                    }
                }
            }
            6 => self.offer_state(input, rng),
            7 => self.offer_observation(input, rng),
            _ => {
                let loaded = Record::parse(input).and_then(|record| {
                    let game: G = record.header.identity.make_game()?;
                    Match::from_record(Arc::new(game), &record)
                });
                match loaded {
                    Err(error) => check_error(error).map(|()| false),
                    Ok(played) => {
                        let again = Record::parse(&played.record().to_text()).map_err(|error| error.to_string())?;
                        let game: G = again.header.identity.make_game().map_err(|error| error.to_string())?;
                        let again = Match::from_record(Arc::new(game), &again).map_err(|error| error.to_string())?;
                        ensure!(again.history() == played.history(), "it is accepted, but does not load again");
                        Ok(true)
                    }
                }
            }
        }
    }

    fn offer_state(&self, input: &str, rng: &mut Rng) -> Result<bool, String> {
        let game = &**self.game;
        let value = match parse_json(input) {
            Ok(value) => value,
            Err(error) => return check_error(error).map(|()| false),
        };
        let position = game.state_from_position(&value);
        if let Ok(state) = position {
            play_some(game, state, rng)?;
        }
        match game.state_from_json(&value) {
            Err(error) => check_error(error).map(|()| false),
            Ok(state) => {
                let again = game.state_to_json(&state);
                ensure!(is_same_json(&again, &value), "it is accepted, but written as {again}");
                play_some(game, state, rng).map(|()| true)
            }
        }
    }

    fn offer_observation(&self, input: &str, rng: &mut Rng) -> Result<bool, String> {
        let game = &**self.game;
        let value = parse_json(input).map_err(|error| error.to_string())?;
        let mut accepted = false;
        for player in Player::all(game.num_players()) {
            match game.observation_from_json(&value, player) {
                Err(error) => check_error(error)?,
                Ok(observation) => {
                    let again = game.observation_to_json(&observation);
                    ensure!(is_same_json(&again, &value), "it is accepted, but written as {again}");
                    let world = game.sample_world(&observation, rng);
                    ensure!(game.observation(&world, player) == observation, "it is accepted, but no world fits");
                    play_some(game, world, rng)?;
                    accepted = true;
                }
            }
        }
        Ok(accepted)
    }

    fn offer_action(&self, state: &G::State, action: G::Action) -> Check {
        let mut legal = Vec::new();
        self.game.legal_actions(state, &mut legal);
        let checked = self.game.check_action(state, action);
        let is_listed = legal.binary_search(&action).is_ok();
        ensure!(checked.is_ok() == is_listed, "{} listed {is_listed}, checked {checked:?}", self.game.format_action(action));
        let start = Start::State(self.game.state_to_json(state));
        let mut played = Match::unresolved(Arc::clone(self.game), start, 0).map_err(|error| error.to_string())?;
        let result = played.play(action);
        ensure!(result.is_ok() == is_listed, "{} is listed {is_listed}, played {result:?}", self.game.format_action(action));
        ensure!(is_listed || played.state() == state, "a refusal changed the state");
        Ok(())
    }
}

/// An error must say something, on one line of bounded length.
fn check_error(error: impl std::fmt::Display) -> Check {
    let text = error.to_string();
    ensure!(!text.is_empty() && text.len() < 4000, "the error is {} bytes long: {}", text.len(), shorten(&text));
    ensure!(!text.contains('\n'), "the error has more than one line: {text}");
    Ok(())
}

/// What was accepted must keep the invariants and be playable. Whether it could come about in a game no reader can tell, so later
/// nodes need only be played.
fn play_some<G: Game>(game: &G, mut state: G::State, rng: &mut Rng) -> Check {
    game.check_invariants(&state).map_err(|broken| format!("it is accepted, but {broken}"))?;
    for _ in 0..PLAYED {
        let step = match game.turn(&state) {
            Turn::Over => break,
            Turn::Chance => Step::Outcome(game.sample_outcome(&state, rng, &mut Vec::new())),
            Turn::Player(player) => {
                let value = game.evaluate(&state, player);
                ensure!(value.is_finite(), "it is accepted, but evaluates to {value}");
                let mut legal = Vec::new();
                game.legal_actions(&state, &mut legal);
                ensure!(!legal.is_empty(), "it is accepted, but leads to a decision without a legal action");
                Step::Action(legal[rng.below(legal.len() as u32) as usize])
            }
        };
        game.apply(&mut state, step);
    }
    let mut tensor = vec![0.0; game.observation_layout().size()];
    let observation = game.observation(&state, Player(0));
    game.encode(&observation, &mut tensor);
    ensure!(tensor.iter().all(|value| value.is_finite()), "it is accepted, but encodes to what is no number");
    let mut canvas = crate::canvas::Canvas::new();
    game.draw(&observation, &crate::contract::DrawRequest::default(), &mut canvas);
    let _ = (game.scores(&state), game.score_sheet(&state));
    if game.is_terminal(&state) {
        ensure!(game.ranking(&state).len() == game.num_players(), "it is accepted, but ranks other seats");
    }
    Ok(())
}

fn rename(mut set: Value) -> Value {
    if let Some(name) = set.get_mut("name").and_then(|name| name.as_str().map(|text| format!("x-{text}"))) {
        set["name"] = name.into();
    }
    set
}

/// Whether they differ in the order of lists only: a reader may take lists whose order has no meaning as they come, the writer sorts.
fn is_same_json(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Array(some), Value::Array(others)) => {
            let sorted = |items: &[Value]| {
                let mut items = items.to_vec();
                items.sort_by_cached_key(Value::to_string);
                items
            };
            some.len() == others.len() && sorted(some).iter().zip(&sorted(others)).all(|(one, other)| is_same_json(one, other))
        }
        (Value::Object(some), Value::Object(others)) => {
            some.len() == others.len()
                && some.iter().all(|(key, one)| others.get(key).is_some_and(|other| is_same_json(one, other)))
        }
        _ => one == other,
    }
}

/// Whether they differ in letter case and blanks only (some pages drop all blanks: QN-6.3).
fn is_same_text(canonical: &str, input: &str) -> bool {
    let plain = |text: &str| -> String {
        text.chars().filter(|character| !character.is_whitespace()).map(|character| character.to_ascii_lowercase()).collect()
    };
    plain(canonical) == plain(input)
}

fn pick<'b, T>(items: &'b [T], rng: &mut Rng) -> &'b T {
    &items[rng.below(items.len() as u32) as usize]
}

const PIECES: [&str; 24] = [
    "",
    " ",
    "\t",
    "\n",
    "\0",
    "-",
    "0",
    "-0",
    "+1",
    "007",
    "9999999999999999999999",
    "-9223372036854775808",
    ",",
    ":",
    ";",
    "\"",
    "[",
    "{",
    "é",
    "\u{202e}",
    "\u{1f600}",
    "\u{661}",
    "\u{3000}",
    "#",
];

/// Text with one to three small damages: a piece put in, left out, doubled, replaced, or an end cut off.
#[must_use]
pub fn mutate_text(text: &str, rng: &mut Rng) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..=rng.below(3) {
        let at = rng.below(characters.len() as u32 + 1) as usize;
        let end = (at + 1 + rng.below(4) as usize).min(characters.len());
        match rng.below(8) {
            0 => drop(characters.drain(at..end)),
            1 => characters.truncate(at),
            2 => {
                let copy: Vec<char> = characters[at.min(end)..end].to_vec();
                characters.splice(at..at, copy);
            }
            3 if end < characters.len() => characters.swap(at, end),
            4 => {
                let random = char::from_u32(rng.below(0x11_0000)).unwrap_or('\u{fffd}');
                characters.insert(at, random);
            }
            5 => {
                if let Some(character) = characters.get_mut(at) {
                    *character = (b' ' + rng.below(95) as u8) as char;
                }
            }
            6 if rng.below(30) == 0 => {
                let copy = characters.clone();
                (0..20).for_each(|_| characters.extend(&copy));
            }
            _ => drop(characters.splice(at..at, pick(&PIECES, rng).chars())),
        }
        characters.truncate(400_000);
    }
    characters.into_iter().collect()
}

/// A JSON value with one damage somewhere inside.
pub fn mutate_json(value: &mut Value, rng: &mut Rng) {
    let children = match &*value {
        Value::Array(items) => items.len(),
        Value::Object(map) => map.len(),
        _ => 0,
    };
    // Mostly go deeper, so that damage sits at leaves as often as near the top.
    if children > 0 && rng.below(8) != 0 {
        let index = rng.below(children as u32) as usize;
        match value {
            Value::Array(items) => return mutate_json(&mut items[index], rng),
            Value::Object(map) => {
                if let Some((_, child)) = map.iter_mut().nth(index) {
                    return mutate_json(child, rng);
                }
            }
            _ => {}
        }
    }
    match value {
        Value::Array(items) if rng.below(2) == 0 => mutate_list(items, rng),
        Value::Object(map) if rng.below(2) == 0 => mutate_object(map, rng),
        Value::Number(number) if rng.below(3) > 0 => {
            let near = number.as_i64().unwrap_or(0);
            *value = near.saturating_add(i64::from(rng.below(7)) - 3).into();
        }
        Value::String(text) if rng.below(2) == 0 => *value = mutate_text(text, rng).into(),
        Value::Bool(flag) if rng.below(2) == 0 => *value = (!*flag).into(),
        _ => *value = junk(rng),
    }
}

fn mutate_list(items: &mut Vec<Value>, rng: &mut Rng) {
    if items.is_empty() {
        return items.push(junk(rng));
    }
    let (a, b) = (rng.below(items.len() as u32) as usize, rng.below(items.len() as u32) as usize);
    match rng.below(5) {
        0 => drop(items.remove(a)),
        1 => items.insert(a, items[b].clone()),
        2 => items.swap(a, b),
        3 => items.push(junk(rng)),
        _ => {
            let copy = items[a].clone();
            items.extend(std::iter::repeat_n(copy, 300));
        }
    }
}

fn mutate_object(map: &mut Map<String, Value>, rng: &mut Rng) {
    let keys: Vec<String> = map.keys().cloned().collect();
    if keys.is_empty() {
        map.insert("extra".to_owned(), junk(rng));
        return;
    }
    let (a, b) = (pick(&keys, rng).clone(), pick(&keys, rng).clone());
    match rng.below(4) {
        0 => drop(map.shift_remove(&a)),
        1 => drop(map.insert(mutate_text(&a, rng), map[&b].clone())),
        2 => {
            let (first, second) = (map[&a].clone(), map[&b].clone());
            map.insert(a, second);
            map.insert(b, first);
        }
        _ => drop(map.insert("extra".to_owned(), junk(rng))),
    }
}

fn junk(rng: &mut Rng) -> Value {
    match rng.below(16) {
        0 => Value::Null,
        1 => true.into(),
        2 => 0.into(),
        3 => (-1).into(),
        4 => 1.5.into(),
        5 => i64::MAX.into(),
        6 => i64::MIN.into(),
        7 => u64::MAX.into(),
        8 => 255.into(),
        9 => 65_536.into(),
        10 => "".into(),
        11 => "\u{1f600}\0\n".into(),
        12 => Value::Array(vec![Value::Null; rng.below(2000) as usize]),
        13 => Value::Object(Map::new()),
        14 => (0..60).fold(Value::Null, |inner, _| Value::Array(vec![inner])),
        _ => i64::from(rng.below(300)).into(),
    }
}
