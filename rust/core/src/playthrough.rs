//! Playthroughs: every state of one game with everything that could happen there, a JSON object a line (CONVENTIONS 7). For tests,
//! for comparing two programs, and for reading a game.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::contract::{Game, Step, StepOf};
use crate::error::{IllegalAction, StateError};
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
