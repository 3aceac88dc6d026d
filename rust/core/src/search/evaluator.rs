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
    /// Expected returns of every seat, from -1 to 1, in seat order, `len * num_players`.
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
    /// Makes room for `len` leaves. What is in the arrays is left: they are large, and every row is emptied when it is written.
    pub(crate) fn resize(&mut self, len: usize) {
        self.len = len;
        self.observations.resize(len * self.observation_size, 0.0);
        self.masks.resize(len * self.num_actions, false);
        self.players.resize(len, 0);
    }
}

impl Evaluation {
    /// Checks the sizes for `batch`.
    pub(crate) fn check_sizes(&self, batch: &Batch) -> Result<(), SearchError> {
        for (name, array, width) in [("priors", &self.priors, batch.num_actions), ("values", &self.values, batch.num_players)] {
            if array.len() != batch.len * width {
                let reason = format!("{name} hold {} numbers, expected {} x {width}", array.len(), batch.len);
                return Err(SearchError::Evaluation(reason));
            }
        }
        Ok(())
    }

    /// Priors and values of leaf `row`, once the sizes are right, if all are finite, no prior is
    /// negative and every value is a return from -1 to 1.
    pub(crate) fn row(&self, row: usize, num_actions: usize, num_players: usize) -> Result<(&[f32], &[f32]), SearchError> {
        let priors = &self.priors[row * num_actions..(row + 1) * num_actions];
        let values = &self.values[row * num_players..(row + 1) * num_players];
        // Rows are long, so passes over the bits without branches come first. Without a sign and below 2, as weights that are shares
        // are, the two highest bits are clear. Otherwise adding to the exponent shows where it is full: infinite or no number.
        let any = |look: fn(u32) -> u32| priors.iter().fold(0, |all, prior| all | look(prior.to_bits()));
        let is_sound = any(|bits| bits) >> 30 == 0 || any(|bits| bits | bits.wrapping_add(1 << 23)) >> 31 == 0;
        let wrong_prior = if is_sound { None } else { priors.iter().position(|&prior| !prior.is_finite() || prior < 0.0) };
        let wrong_value = values.iter().position(|value| !(-1.0..=1.0).contains(value));
        let (name, column, number) = match (wrong_prior, wrong_value) {
            (None, None) => return Ok((priors, values)),
            (Some(column), _) => ("priors", column, priors[column]),
            (None, Some(column)) => ("values", column, values[column]),
        };
        let expected = match (name, number.is_finite()) {
            ("values", true) => "a return from -1 to 1",
            (_, true) => "no negative number",
            (_, false) => "a finite number",
        };
        Err(SearchError::Evaluation(format!("{name}[{row}, {column}] is {number}, expected {expected}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_checked_wherever_they_are() {
        let sound = [0.0, 1.0, 1.999, 2.0, -0.0, f32::MIN_POSITIVE / 2.0, f32::MAX];
        for number in sound.into_iter().chain([f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1e-30, -1.0, f32::MIN]) {
            for place in 0..70 {
                let mut evaluation = Evaluation { priors: vec![0.5; 140], values: vec![-1.0; 4] };
                evaluation.priors[70 + place] = number;
                assert!(evaluation.row(0, 70, 2).is_ok());
                let text = evaluation.row(1, 70, 2).map_err(|error| error.to_string());
                if sound.contains(&number) {
                    assert!(text.is_ok(), "{number} at {place}: {text:?}");
                } else {
                    let text = text.expect_err("refused");
                    assert!(text.contains(&format!("priors[1, {place}] is {number}, expected")), "{text}");
                }
            }
            if !(-1.0..=1.0).contains(&number) {
                let evaluation = Evaluation { priors: vec![1.0; 4], values: vec![0.0, number] };
                let text = evaluation.row(0, 4, 2).expect_err("refused").to_string();
                let expected = if number.is_finite() { "a return from -1 to 1" } else { "a finite number" };
                assert!(text.contains(&format!("values[0, 1] is {number}, expected {expected}")), "{text}");
            }
        }
    }
}
