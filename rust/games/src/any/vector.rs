//! Many games side by side.

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

use forbidden_games_core::contract::{Game, Step};
use forbidden_games_core::error::{OptionsError, ParseActionError};
use forbidden_games_core::interrupt::Interrupt;
use forbidden_games_core::match_play::Match;
use forbidden_games_core::start::Start;
use forbidden_games_core::vector::{Arrays, Config, SparseRows, Vector, VectorError};

use super::objects::{AnyMatch, AnyState, StateObject};
use super::step::{StepError, read_action, read_outcome};

/// Games side by side whose kind is known at run time only.
pub type AnyVector = Box<dyn VectorObject>;

/// What can be asked of games side by side. One call is for all rows; rows are numbers below the length.
pub trait VectorObject: Any + Debug + Send {
    /// A copy, which has been shown nowhere and has no threads.
    fn boxed(&self) -> AnyVector;

    /// Number of rows.
    fn num_rows(&self) -> usize;

    /// See [`Vector::show`].
    ///
    /// # Errors
    /// As there.
    fn show(&mut self, arrays: &Arrays<'_>, interrupt: &Interrupt) -> Result<(), VectorError>;

    /// See [`Vector::step`].
    ///
    /// # Errors
    /// As there.
    fn step(&mut self, actions: &[i64], arrays: &Arrays<'_>, interrupt: &Interrupt) -> Result<(), VectorError>;

    /// See [`Vector::reset`].
    ///
    /// # Errors
    /// As there.
    fn reset(
        &mut self,
        seed: Option<u64>,
        mask: Option<&[bool]>,
        starts: Option<&[Option<Start>]>,
        arrays: &Arrays<'_>,
        interrupt: &Interrupt,
    ) -> Result<(), VectorError>;

    /// See [`Vector::sample`].
    fn sample(&mut self, seed: u64, out: &mut [i64]);

    /// See [`Vector::sparse`].
    fn sparse(&mut self, with_observations: bool) -> SparseRows;

    /// The match of a row.
    fn row(&self, row: usize) -> AnyMatch;

    /// The state of a row.
    fn state(&self, row: usize) -> AnyState;

    /// Ids of a row's legal actions, ascending.
    fn legal_ids(&mut self, row: usize) -> Vec<u32>;

    /// See [`Vector::close`].
    fn close(&mut self);

    /// See [`Vector::forget_threads`].
    fn forget_threads(&mut self);
}

impl<G: Game> VectorObject for Vector<G> {
    fn boxed(&self) -> AnyVector {
        Box::new(self.clone())
    }

    fn num_rows(&self) -> usize {
        self.len()
    }

    fn show(&mut self, arrays: &Arrays<'_>, interrupt: &Interrupt) -> Result<(), VectorError> {
        self.show(arrays, interrupt)
    }

    fn step(&mut self, actions: &[i64], arrays: &Arrays<'_>, interrupt: &Interrupt) -> Result<(), VectorError> {
        self.step(actions, Some(arrays), interrupt)
    }

    fn reset(
        &mut self,
        seed: Option<u64>,
        mask: Option<&[bool]>,
        starts: Option<&[Option<Start>]>,
        arrays: &Arrays<'_>,
        interrupt: &Interrupt,
    ) -> Result<(), VectorError> {
        self.reset(seed, mask, starts, Some(arrays), interrupt)
    }

    fn sample(&mut self, seed: u64, out: &mut [i64]) {
        self.sample(seed, out);
    }

    fn sparse(&mut self, with_observations: bool) -> SparseRows {
        self.sparse(with_observations)
    }

    fn row(&self, row: usize) -> AnyMatch {
        Box::new(self.row(row).clone())
    }

    fn state(&self, row: usize) -> AnyState {
        StateObject::boxed(self.row(row).position())
    }

    fn legal_ids(&mut self, row: usize) -> Vec<u32> {
        self.legal_ids(row).to_vec()
    }

    fn close(&mut self) {
        self.close();
    }

    fn forget_threads(&mut self) {
        self.forget_threads();
    }
}

/// Agents by level are those of the game.
pub(super) fn new_vector<G: Game>(game: &Arc<G>, num_rows: usize, seed: u64, config: Config) -> Result<AnyVector, OptionsError> {
    Ok(Box::new(Vector::new(Arc::clone(game), num_rows, seed, config)?))
}

/// A game of which positions are wanted.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// Where it began.
    pub start: Start,
    /// The seed of its luck.
    pub seed: u64,
    /// Ids of its steps in order.
    pub steps: Vec<Step<u32, u32>>,
    /// Whether the steps are actions alone, between which luck decides.
    pub has_luck: bool,
    /// After how many actions a position is wanted, ascending; at most all of them.
    pub plies: Vec<u32>,
}

impl Replayed {
    /// Number of actions.
    #[must_use]
    pub fn num_actions(&self) -> usize {
        self.steps.iter().filter(|step| matches!(step, Step::Action(_))).count()
    }
}

/// A row for each position wanted, in order.
///
/// # Errors
/// The first step that is none or not legal, with the place of its game.
pub(super) fn replay<G: Game>(game: &Arc<G>, games: &[Replayed], threads: usize) -> Result<AnyVector, (usize, StepError)> {
    let mut rows = Vec::new();
    for (place, replayed) in games.iter().enumerate() {
        replay_one(game, replayed, &mut rows).map_err(|error| (place, error))?;
    }
    Ok(Box::new(Vector::of_matches(Arc::clone(game), rows, threads)))
}

fn replay_one<G: Game>(game: &Arc<G>, replayed: &Replayed, rows: &mut Vec<Match<G>>) -> Result<(), StepError> {
    let mut played = Match::unresolved(Arc::clone(game), replayed.start.clone(), replayed.seed)
        .map_err(|error| ParseActionError::new("start", error.to_string()))?;
    let (mut taken, mut plies) = (0, replayed.plies.iter().peekable());
    let mut steps = replayed.steps.iter();
    while plies.peek().is_some() {
        if replayed.has_luck {
            played.resolve_chance();
        }
        let step = steps.next();
        // What is wanted after so many actions is the position at the next one, or at the end.
        if !matches!(step, Some(Step::Outcome(_))) {
            while plies.next_if(|&&ply| ply == taken).is_some() {
                rows.push(played.clone());
            }
        }
        match step {
            Some(&Step::Action(id)) => {
                played.play_step(Step::Action(read_action(&**game, id)?))?;
                taken += 1;
            }
            Some(&Step::Outcome(id)) => played.play_step(Step::Outcome(read_outcome(&**game, id)?))?,
            None => break,
        }
    }
    Ok(())
}
