//! Values and priors from outside: a network, a table, anything that judges many positions at once.

use crate::search::SearchError;

/// Leaves of one or more searches that wait for a judgement, as numbers. Row `i` of each array belongs to leaf `i`.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// Encoded observations of the seats to move, `len * observation_size`.
    pub observations: Vec<f32>,
    /// Whether an action is legal, `len * num_actions`.
    pub masks: Vec<bool>,
    /// The seats to move, `len`.
    pub players: Vec<u8>,
    /// Leaves.
    pub len: usize,
    /// Values per observation.
    pub observation_size: usize,
    /// Size of the action space.
    pub num_actions: usize,
    /// Seats of the game.
    pub num_players: usize,
}

/// What an evaluator says of a batch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluation {
    /// Weights of actions, not negative, `len * num_actions`; those of illegal actions are ignored, the others scaled to sum 1.
    pub priors: Vec<f32>,
    /// Expected returns of every seat, in seat order, `len * num_players`.
    pub values: Vec<f32>,
}

/// Why an evaluator could not answer; the search ends with it.
pub type EvaluatorError = Box<dyn std::error::Error + Send + Sync + 'static>;

/// Judges leaves in batches. Called from the thread that called the search, never twice at once.
///
/// # Reproducibility
/// A search repeats only if the evaluator does: the answer for a leaf must not depend on its neighbours in the batch.
pub trait Evaluator {
    /// Judges every leaf of `batch`, whose arrays may be taken out (the search then makes new ones).
    ///
    /// # Errors
    /// Whatever went wrong; the search returns it as [`SearchError::Evaluator`].
    fn evaluate(&mut self, batch: &mut Batch) -> Result<Evaluation, EvaluatorError>;
}

impl<F: FnMut(&mut Batch) -> Result<Evaluation, EvaluatorError>> Evaluator for F {
    fn evaluate(&mut self, batch: &mut Batch) -> Result<Evaluation, EvaluatorError> {
        self(batch)
    }
}

impl Batch {
    /// Empties the batch and makes room for `len` leaves: zeros, no legal action, seat 0.
    pub(crate) fn reset(&mut self, len: usize) {
        self.len = len;
        self.observations.clear();
        self.observations.resize(len * self.observation_size, 0.0);
        self.masks.clear();
        self.masks.resize(len * self.num_actions, false);
        self.players.clear();
        self.players.resize(len, 0);
    }
}

impl Evaluation {
    /// Checks sizes and numbers for a batch of `len` leaves.
    pub(crate) fn check(&self, len: usize, num_actions: usize, num_players: usize) -> Result<(), SearchError> {
        let wrong = |reason: String| Err(SearchError::Evaluation(reason));
        // The arrays are large: one pass without branches, and only if something is wrong it is looked for.
        let is_sound =
            |array: &[f32], least: f32| array.iter().fold(true, |sound, &number| sound & (number >= least) & (number <= f32::MAX));
        if self.priors.len() == len * num_actions
            && self.values.len() == len * num_players
            && is_sound(&self.priors, 0.0)
            && is_sound(&self.values, f32::MIN)
        {
            return Ok(());
        }
        for (name, array, width) in [("priors", &self.priors, num_actions), ("values", &self.values, num_players)] {
            if array.len() != len * width {
                return wrong(format!("{name} hold {} numbers, expected {len} x {width}", array.len()));
            }
            if let Some(place) = array.iter().position(|number| !number.is_finite()) {
                let (row, column) = (place / width, place % width);
                return wrong(format!("{name}[{row}, {column}] is {}, expected a finite number", array[place]));
            }
        }
        if let Some(place) = self.priors.iter().position(|&prior| prior < 0.0) {
            let (row, column) = (place / num_actions, place % num_actions);
            return wrong(format!("priors[{row}, {column}] is {}, expected no negative number", self.priors[place]));
        }
        Ok(())
    }
}
