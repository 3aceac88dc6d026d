//! Golden playthroughs: made by random agents, and compared line by line with what this program writes.

use std::sync::Arc;

use serde_json::Value;

use crate::arena::agent_seed;
use crate::contract::Game;
use crate::data::{Node, parse_json};
use crate::error::RecordError;
use crate::match_play::Match;
use crate::playthrough::{PlaythroughError, header_line, last_line, playthrough, step_line};
use crate::record::Identity;
use crate::rng::Rng;
use crate::start::Start;

/// A playthrough of random agents, line by line.
///
/// # Errors
/// If the start is refused.
pub fn random_playthrough<G: Game>(game: &Arc<G>, start: Start, seed: u64) -> Result<Vec<String>, PlaythroughError> {
    let mut lines = Vec::new();
    let mut scratch = Vec::new();
    let choose = |played: &Match<G>, player| {
        let mut rng = Rng::stream(agent_seed(seed, player, played.ply()), "random", 0);
        Ok::<_, PlaythroughError>(game.sample_action(played.state(), &mut rng, &mut scratch))
    };
    playthrough(game, start, seed, choose, |line| {
        lines.push(line);
        Ok(())
    })?;
    Ok(lines)
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
