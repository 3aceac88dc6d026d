//! Steps that a seat asks for: who is not to move learns that and nothing else.

use forbidden_games_core::contract::Notation;
use forbidden_games_core::error::{IllegalAction, Refusal};
use forbidden_games_core::player::{Player, Turn};

use super::step::{AnyStep, StepError};

/// Refuses what `player` may not ask for at `turn`. The reason does not depend on the step.
pub(super) fn check<G: Notation>(game: &G, turn: Turn, player: Player, step: AnyStep<'_>) -> Result<(), StepError> {
    let reason = match turn {
        Turn::Player(mover) if mover == player => return Ok(()),
        Turn::Player(mover) => format!("it is seat {mover}'s turn, not seat {player}'s"),
        Turn::Chance => "a draw comes first: it is nobody's turn".to_owned(),
        Turn::Over => "the game is over".to_owned(),
    };
    let action = |id| game.action_from_id(id).map_or_else(|| id.to_string(), |action| game.format_action(action));
    let asked = match step {
        AnyStep::Text(text) => text.to_owned(),
        AnyStep::Action(id) | AnyStep::Id(id) => action(id),
        AnyStep::Outcome(id) => game.outcome_from_id(id).map_or_else(|| id.to_string(), |outcome| game.format_outcome(outcome)),
    };
    Err(IllegalAction::new(asked, Refusal::new("CONVENTIONS 2", reason)).into())
}
