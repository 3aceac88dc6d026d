//! Whatever a reader accepts stays acceptable along every line of play: states of random games, changed a little here and there, and
//! where the reader takes the result, played to the end and read again on the way.
//!
//! The changes know no game. They go by the shape of the JSON: numbers move by a little or from one place to another, elements change
//! places, lists and bags lose, win and exchange entries, and a value is replaced by one that stood in the same place of another
//! state. Where the reader refuses and says what would have been right, that is tried too.

use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use serde_json::{Map, Value};

use super::{Check, Failure, describe, ensure};
use crate::canvas::Canvas;
use crate::contract::{DrawRequest, Game, Step};
use crate::error::StateError;
use crate::information::InformationState;
use crate::interrupt::Interrupt;
use crate::player::{Player, Turn};
use crate::rng::Rng;
use crate::search::{self, AgentSpec};

/// Changed states tried for each state of a game.
const TRIES: u64 = 24;

/// States taken from each random game.
const STATES: usize = 12;

/// Refusals followed for each changed state.
const REPAIRS: usize = 8;

/// One in so many accepted states is played by the agent `greedy` itself, the others by the best of a few actions.
const WHOLE: u64 = 32;

/// Every so many nodes a played state is read again from its JSON.
const RELOAD: u64 = 10;

/// Values kept for each kind of place.
const VOCABULARY: usize = 64;

/// What was tried and accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mutants {
    /// Changed states offered to the reader.
    pub tried: u64,
    /// Those it took that differ from the state they were made of.
    pub accepted: u64,
    /// Nodes played from them.
    pub nodes: u64,
    /// States read again on the way.
    pub reloads: u64,
    /// By key that was changed first, without indices: tried, accepted.
    pub keys: BTreeMap<String, (u64, u64)>,
}

impl Mutants {
    /// Adds what another run saw.
    pub fn merge(&mut self, other: &Self) {
        self.tried += other.tried;
        self.accepted += other.accepted;
        self.nodes += other.nodes;
        self.reloads += other.reloads;
        for (key, &(tried, accepted)) in &other.keys {
            let sum = self.keys.entry(key.clone()).or_default();
            *sum = (sum.0 + tried, sum.1 + accepted);
        }
    }
}

impl fmt::Display for Mutants {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        write!(
            formatter,
            "{} changed states, {} accepted ({:.1} %), {} nodes played, {} read again; accepted by key:",
            self.tried,
            self.accepted,
            percent(self.accepted, self.tried),
            self.nodes,
            self.reloads
        )?;
        for (key, &(tried, accepted)) in &self.keys {
            write!(formatter, " {key} {accepted}/{tried} ({:.0} %)", percent(accepted, tried))?;
        }
        Ok(())
    }
}

/// Changes states of random games until the reader has taken `count` that differ from their originals, and plays each to its end by
/// `random` and by `greedy`. Every node must keep the invariants that the reader checks: every tenth is read again from its JSON. The
/// agent `greedy` looks at all actions, which is slow: one state in 32 is played by it (one position for each action), the others by the
/// best of `candidates` random actions after [`crate::contract::Judgement::evaluate`].
///
/// # Errors
/// The first accepted state that leads to one that is refused or breaks, with both.
pub fn check_mutants<G: Game>(game: &Arc<G>, seed: u64, count: u64, candidates: usize) -> Result<Mutants, Failure> {
    let fail = |seed, message| Failure {
        game: describe(&**game),
        seed: Some(seed),
        step: None,
        message,
        rerun: super::rerun::command(&[], None),
    };
    let greedy: AgentSpec = "greedy:nodes=1".parse().map_err(|error| fail(seed, format!("{error}")))?;
    let mut found = Mutants::default();
    let mut index = 0;
    let mut words = Words::default();
    while found.accepted < count {
        let seed = seed.wrapping_add(index);
        index += 1;
        if index > 200 + 20 * count {
            return Err(fail(seed, format!("too few changed states are accepted: {found}")));
        }
        let mut rng = Rng::stream(seed, "mutants", 0);
        let states = sample_states(&**game, seed, &mut rng);
        states.iter().for_each(|(_, json)| words.learn(json, &mut String::new(), &mut rng));
        for (base, json) in &states {
            let mut last = json.clone();
            for _ in 0..TRIES.div_ceil(STATES as u64) {
                if found.accepted == count {
                    break;
                }
                // Now and then a change on top of one that was accepted.
                let from = if rng.below(3) == 0 { &last } else { json };
                let mut mutant = from.clone();
                let key = words.change(&mut mutant, &found.keys, &mut rng);
                let Some((state, mutant)) = offer(&**game, mutant, &words, &mut rng) else {
                    found.tried += 1;
                    found.keys.entry(key).or_default().0 += 1;
                    continue;
                };
                if state == *base {
                    continue;
                }
                found.tried += 1;
                found.accepted += 1;
                let entry = found.keys.entry(key).or_default();
                *entry = (entry.0 + 1, entry.1 + 1);
                let judging = if found.accepted % WHOLE == 0 { Who::Agent(&greedy) } else { Who::Best(candidates) };
                for who in [Who::Best(1), judging] {
                    let played = catch_unwind(AssertUnwindSafe(|| play_out(game, &state, who, seed, &mut found)));
                    let played = played.unwrap_or_else(|_| Err("a panic".to_owned()));
                    played.map_err(|broken| fail(seed, format!("accepted, then by {who:?}: {broken}; accepted was {mutant}")))?;
                }
                last = mutant;
            }
        }
    }
    Ok(found)
}

/// Some states of a random game with their JSON.
fn sample_states<G: Game>(game: &G, seed: u64, rng: &mut Rng) -> Vec<(G::State, Value)> {
    let mut states = vec![game.new_state()];
    let mut luck = Rng::stream(seed, "mutants", 1);
    while let Some(step) = super::random_step(game, &states[states.len() - 1], &mut luck) {
        let mut next = states[states.len() - 1].clone();
        game.apply(&mut next, step);
        states.push(next);
    }
    let picked = (0..STATES).map(|_| states[rng.below(states.len() as u32) as usize].clone());
    picked.map(|state| (state.clone(), game.state_to_json(&state))).collect()
}

/// The state that the reader makes of `json`, if need be after doing what its refusals ask for.
fn offer<G: Game>(game: &G, mut json: Value, words: &Words, rng: &mut Rng) -> Option<(G::State, Value)> {
    for _ in 0..REPAIRS {
        match game.state_from_json(&json) {
            Ok(state) => return Some((state, json)),
            Err(error) => {
                if !repair(&mut json, &error, words, rng) {
                    return None;
                }
            }
        }
    }
    None
}

/// Sets the key that an error names to what it expects, or to another value for that place.
fn repair(json: &mut Value, error: &StateError, words: &Words, rng: &mut Rng) -> bool {
    let Some(place) = find(json, &error.0.key) else { return false };
    let expected = error.0.expected.as_str();
    let first = expected.split([' ', ',', ';']).next().unwrap_or_default();
    let whole = serde_json::Deserializer::from_str(expected).into_iter::<Value>().next().and_then(Result::ok);
    if let Some(value) = whole {
        *place = value;
    } else if place.is_string() && !first.is_empty() && rng.below(2) == 0 {
        *place = first.into();
    } else {
        words.replace(place, &pattern_of(&error.0.key), rng);
    }
    true
}

/// The value at a path such as `seats[0].coins`.
fn find<'a>(json: &'a mut Value, path: &str) -> Option<&'a mut Value> {
    let mut place = json;
    for part in path.split('.') {
        let (key, indices) = part.find('[').map_or((part, ""), |at| part.split_at(at));
        place = if key.is_empty() { place } else { place.as_object_mut()?.get_mut(key)? };
        for index in indices.split(['[', ']']).filter(|index| !index.is_empty()) {
            place = place.as_array_mut()?.get_mut(index.parse::<usize>().ok()?)?;
        }
    }
    Some(place)
}

/// A path without its indices.
fn pattern_of(path: &str) -> String {
    let mut pattern = String::with_capacity(path.len());
    let mut inside = false;
    for character in path.chars() {
        inside &= character != ']';
        if !inside {
            pattern.push(character);
        }
        inside |= character == '[';
    }
    pattern
}

/// By place, without indices, values that stood there.
#[derive(Default)]
struct Words(BTreeMap<String, Vec<Value>>);

impl Words {
    fn learn(&mut self, value: &Value, path: &mut String, rng: &mut Rng) {
        let known = self.0.entry(path.clone()).or_default();
        if known.len() < VOCABULARY {
            known.push(value.clone());
        } else {
            known[rng.below(VOCABULARY as u32) as usize] = value.clone();
        }
        let length = path.len();
        match value {
            Value::Array(items) => {
                path.push_str("[]");
                items.iter().for_each(|item| self.learn(item, path, rng));
            }
            Value::Object(map) => {
                for (key, item) in map {
                    if !path.is_empty() {
                        path.push('.');
                    }
                    path.push_str(key);
                    self.learn(item, path, rng);
                    path.truncate(length);
                }
            }
            _ => {}
        }
        path.truncate(length);
    }

    /// A value that stood at places like this one.
    fn word(&self, pattern: &str, rng: &mut Rng) -> Option<&Value> {
        let known = self.0.get(pattern)?;
        Some(&known[rng.below(known.len() as u32) as usize])
    }

    fn replace(&self, place: &mut Value, pattern: &str, rng: &mut Rng) {
        if let Some(value) = self.word(pattern, rng) {
            *place = value.clone();
        }
    }

    /// Changes one to three things; the pattern of the first.
    fn change(&self, json: &mut Value, keys: &BTreeMap<String, (u64, u64)>, rng: &mut Rng) -> String {
        let first = self.change_once(json, keys, rng);
        for _ in 0..rng.below(5).saturating_sub(2) {
            self.change_once(json, keys, rng);
        }
        first
    }

    /// Kinds of places are equally likely, not places, or boards would hide all else; those where hardly anything is ever accepted are
    /// tried less often, but never given up.
    fn change_once(&self, json: &mut Value, keys: &BTreeMap<String, (u64, u64)>, rng: &mut Rng) -> String {
        let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
        list_places(json, &mut String::new(), &mut places);
        ["", "game", "players", "options"].iter().for_each(|key| drop(places.remove(*key)));
        places.retain(|pattern, _| !pattern.starts_with("options."));
        let patterns: Vec<&String> = places.keys().collect();
        let is_kept = |pattern: &str, rng: &mut Rng| {
            let (tried, accepted) = keys.get(pattern).copied().unwrap_or_default();
            u64::from(rng.below(100)) < (100 * (accepted + 2) / (tried + 2)).clamp(2, 50)
        };
        let mut pattern = patterns[rng.below(patterns.len() as u32) as usize].clone();
        for _ in 0..12 {
            if is_kept(&pattern, rng) {
                break;
            }
            pattern.clone_from(patterns[rng.below(patterns.len() as u32) as usize]);
        }
        let some = |rng: &mut Rng| &places[&pattern][rng.below(places[&pattern].len() as u32) as usize];
        let (path, other) = (some(rng), some(rng));
        // Two places of one kind.
        if path != other && rng.below(3) == 0 {
            let (one, two) = (find(json, path).cloned(), find(json, other).cloned());
            let (Some(one), Some(two)) = (one, two) else { return pattern };
            match (one.as_i64(), two.as_i64()) {
                (Some(one), Some(two)) if rng.below(2) == 0 => {
                    set(json, path, (one - 1).into());
                    set(json, other, (two + 1).into());
                }
                _ => {
                    set(json, path, two);
                    set(json, other, one);
                }
            }
            return pattern;
        }
        // An entry goes from one list or bag to another, also of another kind.
        if rng.below(4) == 0 {
            let targets: Vec<&String> = places.values().flatten().collect();
            let target = targets[rng.below(targets.len() as u32) as usize];
            if self.carry(json, path, target, rng) {
                return pattern;
            }
        }
        let Some(place) = find(json, path) else { return pattern };
        match place {
            Value::Number(number) => {
                let value = number.as_i64().unwrap_or(0);
                let near = value + i64::from(rng.below(7)) - 3;
                *place = if rng.below(8) == 0 { (value * 2 + 1).into() } else { near.into() };
            }
            Value::Bool(flag) => *place = (!*flag).into(),
            Value::Array(items) if rng.below(2) == 0 => match rng.below(3) {
                0 if !items.is_empty() => drop(items.remove(rng.below(items.len() as u32) as usize)),
                1 if items.len() > 1 => {
                    let (a, b) = (rng.below(items.len() as u32) as usize, rng.below(items.len() as u32) as usize);
                    items.swap(a, b);
                }
                _ => {
                    if let Some(item) = self.word(&format!("{pattern}[]"), rng) {
                        insert(items, item.clone(), rng);
                    }
                }
            },
            _ => self.replace(place, &pattern, rng),
        }
        pattern
    }

    /// Takes an entry (an element of a list, a copy of a bag) from one place and puts it into another.
    fn carry(&self, json: &mut Value, from: &str, to: &str, rng: &mut Rng) -> bool {
        let entry = match find(json, from) {
            Some(Value::Array(items)) if !items.is_empty() => items.remove(rng.below(items.len() as u32) as usize),
            Some(Value::Object(bag)) if is_bag(bag) => {
                let at = rng.below(bag.len() as u32) as usize;
                let Some((key, count)) = bag.iter().nth(at).map(|(key, count)| (key.clone(), count.as_i64().unwrap_or(0))) else {
                    return false;
                };
                if count == 1 {
                    drop(bag.shift_remove(&key));
                } else {
                    drop(bag.insert(key.clone(), (count - 1).into()));
                }
                key.into()
            }
            _ => return false,
        };
        match find(json, to) {
            Some(Value::Array(items)) => insert(items, entry, rng),
            Some(Value::Object(bag)) if is_bag(bag) || bag.is_empty() => {
                if let Some(key) = entry.as_str() {
                    let count = bag.get(key).and_then(Value::as_i64).unwrap_or(0);
                    bag.insert(key.to_owned(), (count + 1).into());
                }
            }
            _ => {}
        }
        true
    }
}

/// Into its place if the list is sorted by its texts, anywhere otherwise.
fn insert(items: &mut Vec<Value>, item: Value, rng: &mut Rng) {
    let at = if rng.below(2) == 0 {
        let text = |value: &Value| value.to_string();
        items.iter().position(|other| text(other) >= text(&item)).unwrap_or(items.len())
    } else {
        rng.below(items.len() as u32 + 1) as usize
    };
    items.insert(at, item);
}

fn is_bag(map: &Map<String, Value>) -> bool {
    !map.is_empty() && map.values().all(|count| count.as_i64().is_some_and(|count| count > 0))
}

fn set(json: &mut Value, path: &str, value: Value) {
    if let Some(place) = find(json, path) {
        *place = value;
    }
}

fn list_places(value: &Value, path: &mut String, places: &mut BTreeMap<String, Vec<String>>) {
    places.entry(pattern_of(path)).or_default().push(path.clone());
    let length = path.len();
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                path.push_str(&format!("[{index}]"));
                list_places(item, path, places);
                path.truncate(length);
            }
        }
        Value::Object(map) => {
            for (key, item) in map {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(key);
                list_places(item, path, places);
                path.truncate(length);
            }
        }
        _ => {}
    }
}

/// Raises every integer of some states of a random game to the largest that the reader takes, one after the other, and looks at and plays
/// what comes of it: nothing may overflow, and nothing may be refused later.
///
/// # Errors
/// The first state that breaks.
pub fn check_bounds<G: Game>(game: &Arc<G>, seed: u64) -> Result<u64, Failure> {
    let fail = |message| Failure {
        game: describe(&**game),
        seed: Some(seed),
        step: None,
        message,
        rerun: super::rerun::command(&[], None),
    };
    let mut rng = Rng::stream(seed, "bounds", 0);
    let (mut found, mut raised) = (Mutants::default(), 0);
    for (_, mut json) in sample_states(&**game, seed, &mut rng).into_iter().take(3) {
        let mut places = BTreeMap::new();
        list_places(&json, &mut String::new(), &mut places);
        for path in places.values().flatten() {
            let Some(value) = find(&mut json, path).and_then(|place| place.as_i64()) else { continue };
            let takes = |json: &Value, value: i64| {
                let mut changed = json.clone();
                set(&mut changed, path, value.into());
                game.state_from_json(&changed).is_ok()
            };
            // Most numbers follow from others: four tries tell those that do not, and in what steps the others go (a ply says who moves).
            let Some(step) = (1..=4).find(|step| takes(&json, value + step)) else { continue };
            let (mut low, mut high) = (1, 2);
            while high < i64::MAX / 16 && takes(&json, value + step * high) {
                (low, high) = (high, high * 2);
            }
            while low + 1 < high {
                let middle = low + (high - low) / 2;
                if takes(&json, value + step * middle) { low = middle } else { high = middle }
            }
            raised += 1;
            set(&mut json, path, (value + step * low).into());
        }
        let played = catch_unwind(AssertUnwindSafe(|| {
            let state = game.state_from_json(&json).map_err(|error| error.to_string())?;
            look(&**game, &state)?;
            play_out(game, &state, Who::Best(3), seed, &mut found)
        }));
        let played = played.unwrap_or_else(|_| Err("a panic".to_owned()));
        played.map_err(|broken| fail(format!("with every integer at its bound: {broken}; the state is {json}")))?;
    }
    Ok(raised)
}

/// Who plays on.
#[derive(Clone, Copy, Debug)]
enum Who<'a> {
    /// The action judged best of so many random ones.
    Best(usize),
    Agent(&'a AgentSpec),
}

/// Plays to the end; what the reader took must stay what it takes.
fn play_out<G: Game>(game: &Arc<G>, start: &G::State, who: Who<'_>, seed: u64, found: &mut Mutants) -> Check {
    let mut state = start.clone();
    let most = (game.max_plies() + game.max_chance_nodes()) as u64;
    let mut rng = Rng::stream(seed, "mutants", 2);
    for node in 0.. {
        found.nodes += 1;
        let turn = game.turn(&state);
        if node % RELOAD == 0 || turn == Turn::Over {
            found.reloads += 1;
            let json = game.state_to_json(&state);
            let read = game.state_from_json(&json).map_err(|error| format!("node {node} is refused: {error}: {json}"))?;
            ensure!(read == state, "node {node} is read as another: {json}");
            // The reader has just checked what it checks of the invariants; the rest costs as much again.
            let broken = if node == 0 || turn == Turn::Over { game.check_invariants(&state) } else { Ok(()) };
            broken.map_err(|broken| format!("node {node}: {broken}: {json}"))?;
        }
        let step = match turn {
            Turn::Over => break,
            Turn::Chance => Step::Outcome(game.sample_outcome(&state, &mut rng, &mut Vec::new())),
            Turn::Player(player) => match who {
                Who::Best(1) => Step::Action(game.sample_action(&state, &mut rng, &mut Vec::new())),
                Who::Best(candidates) => Step::Action(best_of(&**game, &state, player, candidates, &mut rng)),
                Who::Agent(agent) => {
                    let info = InformationState::of_state(game, &state, player);
                    let report = search::search(agent, &info, seed.wrapping_add(node), None, &Interrupt::default());
                    let id = report.map_err(|error| format!("node {node}: {error}"))?.action;
                    Step::Action(game.action_from_id(id).ok_or_else(|| format!("node {node}: no action {id}"))?)
                }
            },
        };
        game.apply(&mut state, step);
        ensure!(node < most, "it goes on after {most} nodes, more than a game has");
    }
    let plies = game.ply(&state) - game.ply(start);
    ensure!(plies as usize <= game.max_plies(), "it ends after {plies} more plies");
    look(&**game, &state)
}

/// The action after which `player` stands best, of `candidates` random ones.
fn best_of<G: Game>(game: &G, state: &G::State, player: Player, candidates: usize, rng: &mut Rng) -> G::Action {
    let mut legal = Vec::new();
    game.legal_actions(state, &mut legal);
    let mut best: Option<(f64, G::Action)> = None;
    for _ in 0..candidates.min(legal.len()) {
        let action = legal.swap_remove(rng.below(legal.len() as u32) as usize);
        let mut child = state.clone();
        game.apply(&mut child, Step::Action(action));
        let value = game.evaluate(&child, player);
        if best.is_none_or(|(highest, _)| value > highest) {
            best = Some((value, action));
        }
    }
    best.expect("a decision has an action").1
}

/// Everything that is computed of a state, for what may overflow.
fn look<G: Game>(game: &G, state: &G::State) -> Check {
    let _ = (game.scores(state), game.score_sheet(state), game.key(state));
    for player in Player::all(game.num_players()) {
        ensure!(game.evaluate(state, player).is_finite(), "it is evaluated as what is no number");
        let observation = game.observation(state, player);
        let mut tensor = vec![0.0; game.observation_layout().size()];
        game.encode(&observation, &mut tensor);
        ensure!(tensor.iter().all(|value| value.is_finite()), "it encodes to what is no number");
        game.draw(&observation, &DrawRequest::default(), &mut Canvas::new());
    }
    Ok(())
}
