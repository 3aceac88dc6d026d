//! Matches and records.

use std::sync::Arc;

use forbidden_games_core::contract::{Knowledge, Rules, Step};
use forbidden_games_core::error::{OptionsError, RecordError, StateError};
use forbidden_games_core::event::Event;
use forbidden_games_core::match_play::{Match, Start};
use forbidden_games_core::options::ComponentSource;
use forbidden_games_core::player::{Player, Turn};
use forbidden_games_core::record::{Identity, Record};

use super::{AnyGame, AnyInformation, AnyMatch, AnyObservation, AnyState, AnyStep, GameId, Position, Seen, StepError, read_step};

impl AnyMatch {
    /// A match that may stand at a chance node: go on with [`AnyMatch::resolve_chance`] or [`AnyMatch::play`].
    ///
    /// # Errors
    /// If the position or state is refused.
    #[inline]
    pub fn new(game: &AnyGame, start: Start, seed: u64) -> Result<Self, StateError> {
        Ok(convert!(AnyGame => AnyMatch, game, game => Box::new(Match::unresolved(Arc::clone(game), start, seed)?)))
    }

    /// The match of a record, at its end; also the first error, if what stands before it is wanted anyway.
    ///
    /// # Errors
    /// If the header does not fit `game`.
    #[inline]
    pub fn from_record(game: &AnyGame, record: &Record) -> Result<(Self, Option<RecordError>), RecordError> {
        let error;
        let made = convert!(AnyGame => AnyMatch, game, game => {
            let (made, failed) = Match::from_record_until_error(Arc::clone(game), record)?;
            error = failed;
            Box::new(made)
        });
        Ok((made, error))
    }

    /// The match of a record as it stood, with no draw made after the last step.
    ///
    /// # Errors
    /// If the record does not fit `game` or does not follow its rules.
    #[inline]
    pub fn restored(game: &AnyGame, record: &Record) -> Result<Self, RecordError> {
        Ok(convert!(AnyGame => AnyMatch, game, game => Box::new(Match::restored(Arc::clone(game), record)?)))
    }

    /// Its game.
    #[must_use]
    #[inline]
    pub fn game(&self) -> AnyGame {
        convert!(AnyMatch => AnyGame, self, played => Arc::clone(played.game()))
    }

    /// A snapshot of the state.
    #[must_use]
    #[inline]
    pub fn state(&self) -> AnyState {
        convert!(AnyMatch => AnyState, self, played => Position {
            game: Arc::clone(played.game()),
            state: played.state().clone(),
        })
    }

    /// The seed of its luck.
    #[must_use]
    #[inline]
    pub fn seed(&self) -> u64 {
        dispatch!(AnyMatch, self, played => played.seed())
    }

    /// Who sits where.
    #[must_use]
    #[inline]
    pub fn seats(&self) -> Vec<String> {
        dispatch!(AnyMatch, self, played => played.seats().to_vec())
    }

    /// Names the seats.
    ///
    /// # Errors
    /// If it is not one name a seat, or a name is no short line.
    #[inline]
    pub fn set_seats(&mut self, seats: Vec<String>) -> Result<(), OptionsError> {
        dispatch!(AnyMatch, self, played => played.set_seats(seats))
    }

    /// Whose decision it is.
    #[must_use]
    #[inline]
    pub fn turn(&self) -> Turn {
        dispatch!(AnyMatch, self, played => played.turn())
    }

    /// Decisions so far.
    #[must_use]
    #[inline]
    pub fn ply(&self) -> u32 {
        dispatch!(AnyMatch, self, played => played.ply())
    }

    /// Ids of all legal actions, ascending.
    #[must_use]
    #[inline]
    pub fn legal_actions(&mut self) -> Vec<u32> {
        dispatch!(AnyMatch, self, played => {
            let game = Arc::clone(played.game());
            played.list_actions().iter().map(|&action| game.action_id(action)).collect()
        })
    }

    /// Plays a step; `resolve` then draws up to the next decision.
    ///
    /// # Errors
    /// If it is no step or not legal; nothing has changed then.
    #[inline]
    pub fn play(&mut self, step: AnyStep<'_>, resolve: bool) -> Result<(), StepError> {
        dispatch!(AnyMatch, self, played => {
            let step = read_step(&**played.game(), played.state(), step)?;
            played.play_step(step)?;
            if resolve {
                played.resolve_chance();
            }
        });
        Ok(())
    }

    /// Draws up to the next decision.
    #[inline]
    pub fn resolve_chance(&mut self) {
        dispatch!(AnyMatch, self, played => played.resolve_chance());
    }

    /// Goes back to the last decision (of `player`); whether there was one.
    #[inline]
    pub fn undo(&mut self, player: Option<Player>) -> bool {
        dispatch!(AnyMatch, self, played => played.undo(player))
    }

    /// What the last action and the draws after it brought about.
    #[must_use]
    #[inline]
    pub fn events(&self) -> Vec<Event> {
        dispatch!(AnyMatch, self, played => played.events())
    }

    /// What happened from step `step` of the history on.
    #[must_use]
    #[inline]
    pub fn events_from(&self, step: usize) -> Vec<Event> {
        dispatch!(AnyMatch, self, played => played.events_from(step))
    }

    /// All steps so far by id.
    #[must_use]
    #[inline]
    pub fn history(&self) -> Vec<Step<u32, u32>> {
        dispatch!(AnyMatch, self, played => {
            let game = played.game();
            let by_id = |step: &_| match *step {
                Step::Action(action) => Step::Action(game.action_id(action)),
                Step::Outcome(outcome) => Step::Outcome(game.outcome_id(outcome)),
            };
            played.history().iter().map(by_id).collect()
        })
    }

    /// Id of the last action.
    #[must_use]
    #[inline]
    pub fn last_action(&self) -> Option<u32> {
        dispatch!(AnyMatch, self, played => played.last_action().map(|action| played.game().action_id(action)))
    }

    /// What `player` perceives.
    #[must_use]
    #[inline]
    pub fn observation(&self, player: Player) -> AnyObservation {
        convert!(AnyMatch => AnyObservation, self, played => Seen {
            game: Arc::clone(played.game()),
            observation: played.game().observation(played.state(), player),
        })
    }

    /// What `player` knows, with everything it has seen.
    #[must_use]
    #[inline]
    pub fn information(&self, player: Player) -> AnyInformation {
        convert!(AnyMatch => AnyInformation, self, played => played.information_state(player))
    }

    /// The record up to now.
    #[must_use]
    #[inline]
    pub fn record(&self) -> Record {
        dispatch!(AnyMatch, self, played => played.record())
    }
}

/// Makes the game that a record or playthrough names.
///
/// # Errors
/// On line 1, if there is no such game, it has other rules, or it refuses the options or components.
#[inline]
pub fn game_of_identity(identity: &Identity) -> Result<AnyGame, RecordError> {
    let fail = |reason| RecordError::Line { line: 1, reason };
    let id = GameId::from_name(&identity.game).map_err(|error| fail(error.to_string()))?;
    let rules = id.info().rules_version;
    if identity.rules != rules {
        return Err(fail(format!("rules: found version {}, expected version {rules}", identity.rules)));
    }
    id.load(Some(identity.players), &identity.options, Some(&ComponentSource::from_json(&identity.components)), None)
        .map_err(|error| fail(error.to_string()))
}
