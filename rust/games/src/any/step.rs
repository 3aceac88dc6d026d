//! Steps as they come from outside.

use forbidden_games_core::contract::{Notation, Rules, Step, StepOf};
use forbidden_games_core::error::{IllegalAction, ParseActionError};
use forbidden_games_core::player::Turn;

/// A decision or a draw as it comes from outside.
#[derive(Clone, Copy, Debug)]
pub enum AnyStep<'a> {
    /// The id of an action.
    Action(u32),
    /// The id of an outcome.
    Outcome(u32),
    /// The id of an outcome at a chance node, of an action elsewhere.
    Id(u32),
    /// Notation of an outcome at a chance node, of an action elsewhere.
    Text(&'a str),
}

/// Why a step from outside was not taken; nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StepError {
    /// It is no step of the game at all.
    #[error(transparent)]
    Parse(#[from] ParseActionError),
    /// It is not legal now.
    #[error(transparent)]
    Illegal(#[from] IllegalAction),
}

/// Turns what came from outside into a step of `game`; whether it is legal is a second step. Text is read as
/// [`Notation::parse_step`] reads it, as records and playthroughs do.
pub(super) fn read_step<G: Notation>(game: &G, state: &G::State, step: AnyStep<'_>) -> Result<StepOf<G>, ParseActionError> {
    match step {
        AnyStep::Text(text) => game.parse_step(state, text),
        AnyStep::Outcome(id) => read_outcome(game, id).map(Step::Outcome),
        AnyStep::Id(id) if game.turn(state) == Turn::Chance => read_outcome(game, id).map(Step::Outcome),
        AnyStep::Action(id) | AnyStep::Id(id) => read_action(game, id).map(Step::Action),
    }
}

pub(super) fn read_action<G: Rules>(game: &G, id: u32) -> Result<G::Action, ParseActionError> {
    game.action_from_id(id)
        .ok_or_else(|| ParseActionError::new(&format!("action {id}"), format!("an action id from 0 to {}", game.num_actions() - 1)))
}

pub(super) fn read_outcome<G: Rules>(game: &G, id: u32) -> Result<G::Outcome, ParseActionError> {
    game.outcome_from_id(id).ok_or_else(|| {
        ParseActionError::new(&format!("outcome {id}"), format!("an outcome id from 0 to {}", game.num_outcomes() - 1))
    })
}
