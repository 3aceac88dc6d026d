//! Text of actions and outcomes, both ways (CONVENTIONS 3).

use crate::contract::{Rules, Step, StepOf};
use crate::error::{IllegalAction, ParseActionError};
use crate::event::EventSink;
use crate::player::Turn;

/// Notation of a game. Reading is syntax only; legality is a second step.
pub trait Notation: Rules {
    /// Canonical notation.
    fn format_action(&self, action: Self::Action) -> String;

    /// Reads notation: any letter case, extra blanks (CONVENTIONS 3).
    ///
    /// # Errors
    /// If the text is no notation of this game.
    fn parse_action(&self, text: &str) -> Result<Self::Action, ParseActionError>;

    /// Canonical notation.
    fn format_outcome(&self, outcome: Self::Outcome) -> String;

    /// Reads notation like [`Notation::parse_action`].
    ///
    /// # Errors
    /// If the text is no outcome of this game.
    fn parse_outcome(&self, text: &str) -> Result<Self::Outcome, ParseActionError>;

    // ---- Provided -------------------------------------------------------------------------------------------------------

    /// Notation of a step. Not overridden.
    fn format_step(&self, step: StepOf<Self>) -> String {
        match step {
            Step::Action(action) => self.format_action(action),
            Step::Outcome(outcome) => self.format_outcome(outcome),
        }
    }

    /// Reads a step: an outcome at chance nodes, an action elsewhere. An override reads names that several lists share as the list
    /// that is drawn from.
    ///
    /// # Errors
    /// If the text is no notation.
    fn parse_step(&self, state: &Self::State, text: &str) -> Result<StepOf<Self>, ParseActionError> {
        match self.turn(state) {
            Turn::Chance => self.parse_outcome(text).map(Step::Outcome),
            Turn::Player(_) | Turn::Over => self.parse_action(text).map(Step::Action),
        }
    }

    /// A short word that groups actions in a list, the square or the verb: by default the first word of the notation.
    fn action_group(&self, action: Self::Action) -> String {
        let text = self.format_action(action);
        text.split(' ').next().unwrap_or_default().to_owned()
    }

    /// Whether `text` names a square of the game, wherever it may lie, in the way a person types it.
    fn is_square(&self, _text: &str) -> bool {
        false
    }
}

/// Why a step cannot be taken now, with its notation.
///
/// # Errors
/// If the step is not legal, with its notation, the rule and the reason.
pub fn check<G: Notation>(game: &G, state: &G::State, step: StepOf<G>) -> Result<(), IllegalAction> {
    // Most steps are legal, and the reason why one is not costs more than to see that it is.
    if let Step::Action(action) = step
        && game.is_legal(state, action)
    {
        return Ok(());
    }
    game.check(state, step).map_err(|refusal| IllegalAction::new(game.format_step(step), refusal))
}

/// Checks a step, then applies it; on an error the state is unchanged.
///
/// # Errors
/// If the step is not legal, with its notation, the rule and the reason.
pub fn play<G: Notation, E: EventSink>(
    game: &G,
    state: &mut G::State,
    step: StepOf<G>,
    events: &mut E,
) -> Result<(), IllegalAction> {
    check(game, state, step)?;
    match step {
        Step::Action(action) => game.apply_action(state, action, events),
        Step::Outcome(outcome) => game.apply_outcome(state, outcome, events),
    }
    Ok(())
}
