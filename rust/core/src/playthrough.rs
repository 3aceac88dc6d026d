//! Playthroughs: every state of one game with everything that could happen there, a JSON object a line (CONVENTIONS 7). For tests,
//! for comparing two programs, and for reading a game.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::contract::{Game, Step, StepOf};
use crate::data::{Node, parse_json};
use crate::error::{IllegalAction, RecordError, StateError};
use crate::match_play::Match;
use crate::outcome::Fraction;
use crate::player::{Player, Turn};
use crate::record::{Identity, RecordResult};
use crate::rng::Rng;
use crate::start::Start;

/// Why a playthrough ended early.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlaythroughError {
    /// The start is refused.
    #[error(transparent)]
    State(#[from] StateError),
    /// An agent chose what is not legal.
    #[error(transparent)]
    Illegal(#[from] IllegalAction),
}

/// Plays one game from `start` and gives every line, without its line end, to `write`. `choose` picks the action of the seat to
/// move; luck is that of a [`Match`] with this seed. Ends early, with its error, if `choose` or `write` fails.
///
/// # Errors
/// If the start is refused or a choice is not legal, or as `choose` and `write` say.
pub fn playthrough<G: Game, E: From<PlaythroughError>>(
    game: &Arc<G>,
    start: Start,
    seed: u64,
    mut choose: impl FnMut(&Match<G>, Player) -> Result<G::Action, E>,
    mut write: impl FnMut(String) -> Result<(), E>,
) -> Result<(), E> {
    let mut played = Match::unresolved(Arc::clone(game), start.clone(), seed).map_err(PlaythroughError::State)?;
    write(header_line(&**game, start))?;
    let mut outcomes = Vec::new();
    loop {
        let step = match played.turn() {
            Turn::Player(player) => Step::Action(choose(&played, player)?),
            Turn::Chance => {
                let mut rng = Rng::stream(seed, "chance", played.chance_nodes());
                Step::Outcome(game.sample_outcome(played.state(), &mut rng, &mut outcomes))
            }
            Turn::Over => return write(last_line(&**game, played.state())),
        };
        let line = step_line(&**game, played.state(), step);
        played.play_step(step).map_err(PlaythroughError::Illegal)?;
        write(line)?;
    }
}

/// A playthrough of random agents, line by line.
///
/// # Errors
/// If the start is refused.
pub fn random_playthrough<G: Game>(game: &Arc<G>, start: Start, seed: u64) -> Result<Vec<String>, PlaythroughError> {
    let mut lines = Vec::new();
    let mut scratch = Vec::new();
    let choose = |played: &Match<G>, player| {
        let mut rng = Rng::agent(seed, player, played.ply());
        Ok::<_, PlaythroughError>(game.sample_action(played.state(), &mut rng, &mut scratch))
    };
    playthrough(game, start, seed, choose, |line| {
        lines.push(line);
        Ok(())
    })?;
    Ok(lines)
}

/// The first line.
#[must_use]
pub fn header_line<G: Game>(game: &G, start: Start) -> String {
    let mut object = Map::new();
    object.insert("playthrough".into(), 1.into());
    Identity::of_game(game, start).write(&mut object);
    Value::Object(object).to_string()
}

/// The line of a node where `step` is taken.
#[must_use]
pub fn step_line<G: Game>(game: &G, state: &G::State, step: StepOf<G>) -> String {
    let json_state = game.state_to_json(state);
    match step {
        Step::Action(action) => {
            let mut legal = Vec::new();
            game.legal_actions(state, &mut legal);
            let legal: Vec<String> = legal.into_iter().map(|action| game.format_action(action)).collect();
            json!({"state": json_state, "legal": legal, "action": game.format_action(action)}).to_string()
        }
        Step::Outcome(outcome) => {
            let mut weighted = Vec::new();
            game.chance_outcomes(state, &mut weighted);
            let total: i64 = weighted.iter().map(|&(_, weight)| i64::from(weight)).sum();
            let outcomes: Vec<(String, String)> = weighted
                .into_iter()
                .map(|(outcome, weight)| (game.format_outcome(outcome), Fraction::new(i64::from(weight), total).to_string()))
                .collect();
            json!({"state": json_state, "outcomes": outcomes, "action": game.format_outcome(outcome)}).to_string()
        }
    }
}

/// The last line.
#[must_use]
pub fn last_line<G: Game>(game: &G, state: &G::State) -> String {
    let mut object = Map::new();
    object.insert("state".into(), game.state_to_json(state));
    if let Ok(result) = RecordResult::of_state(game, state)
        && let Value::Object(result) = result.to_json()
    {
        object.extend(result);
    }
    Value::Object(object).to_string()
}

/// Reads the first line of a playthrough.
///
/// # Errors
/// If it is none.
pub fn read_header(line: &str) -> Result<Identity, RecordError> {
    let read = |value: Value| {
        let mut fields = Node::root(&value).object()?;
        fields.required("playthrough")?.integer(1, 1)?;
        let identity = Identity::read(&mut fields)?;
        fields.finish()?;
        Ok(identity)
    };
    parse_json(line).and_then(read).map_err(|error| RecordError::Line { line: 1, reason: error.to_string() })
}

/// Plays the actions and outcomes of a playthrough again and compares every line, byte by byte.
///
/// # Errors
/// The first line that is not what this program writes.
pub fn verify<G: Game>(text: &str) -> Result<(), RecordError> {
    let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    let header = lines.next().map_or("", |(_, line)| line);
    let identity = read_header(header)?;
    let game = Arc::new(identity.make_game::<G>()?);
    let fail = |line, reason| RecordError::Line { line, reason };
    let expect = |line, found: &str, expected: &str| {
        if found == expected { Ok(()) } else { Err(fail(line, difference(found, expected))) }
    };
    expect(1, header, &header_line(&*game, identity.start.clone()))?;
    let mut played = Match::unresolved(Arc::clone(&game), identity.start, 0).map_err(|error| fail(1, error.to_string()))?;
    let mut last = 1;
    for (line, found) in lines {
        last = line;
        if played.is_terminal() {
            expect(line, found, &last_line(&*game, played.state()))?;
            continue;
        }
        let value = parse_json(found).map_err(|error| fail(line, error.to_string()))?;
        let action = value.get("action").and_then(Value::as_str).unwrap_or_default();
        let step = game.parse_step(played.state(), action).map_err(|error| fail(line, error.to_string()))?;
        expect(line, found, &step_line(&*game, played.state(), step))?;
        let read = game.state_from_json(&value["state"]).map_err(|error| fail(line, error.to_string()))?;
        if read != *played.state() {
            return Err(fail(line, "the state read from JSON is not equal to the one played to".to_owned()));
        }
        played.play_step(step).map_err(|error| fail(line, error.to_string()))?;
    }
    if played.is_terminal() && last == played.history().len() + 2 {
        Ok(())
    } else {
        Err(fail(last, "the playthrough does not end with the end of the game".to_owned()))
    }
}

/// Where two lines begin to differ, with some text around.
fn difference(found: &str, expected: &str) -> String {
    let same = found.chars().zip(expected.chars()).take_while(|(a, b)| a == b).count();
    let part = |text: &str| -> String { text.chars().skip(same.saturating_sub(30)).take(90).collect() };
    format!("differs at character {}: found ...{}..., expected ...{}...", same + 1, part(found), part(expected))
}
