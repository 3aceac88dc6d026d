//! The interface of an evaluator: a network, a table, or anything else that gives priors and values for batches of leaves.

use crate::search::error::{EvaluatorError, SearchError};

/// A batch of leaves from one or more searches, encoded as arrays. Row `i` of each array belongs to leaf `i`.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// Encoded observations of the seats to move, `len * observation_size`.
    pub observations: Vec<f32>,
    /// Whether an action is legal, `len * num_actions`.
    pub masks: Vec<bool>,
    /// The seats to move, `len`.
    pub players: Vec<u8>,
    /// Number of leaves.
    pub len: usize,
    /// Numbers per observation.
    pub observation_size: usize,
    /// Number of action ids.
    pub num_actions: usize,
    /// Number of seats.
    pub num_players: usize,
}

/// An evaluator's answer for a batch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluation {
    /// Weights of actions, not negative, `len * num_actions`. Weights of illegal actions are ignored; the others are scaled to sum 1.
    pub priors: Vec<f32>,
    /// Expected returns of every seat, from -1 to 1, in seat order, `len * num_players`.
    pub values: Vec<f32>,
}

/// Evaluates leaves in batches. It is called from the thread that called the search, never twice at once.
///
/// # Reproducibility
/// A search repeats only if the evaluator does: the answer for a leaf must not depend on its neighbours in the batch.
pub trait Evaluator {
    /// Evaluates every leaf of `batch`. The arrays may be taken out of the batch; the search then makes new ones.
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
    /// Resizes the arrays for `len` leaves. Old numbers stay in them: the arrays are large, and a row is cleared when it is written.
    pub(crate) fn resize(&mut self, len: usize) {
        self.len = len;
        self.observations.resize(len * self.observation_size, 0.0);
        self.masks.resize(len * self.num_actions, false);
        self.players.resize(len, 0);
    }
}

impl Evaluation {
    /// Checks that the arrays have the sizes of `batch`.
    pub(crate) fn check_sizes(&self, batch: &Batch) -> Result<(), SearchError> {
        for (name, array, width) in [("priors", &self.priors, batch.num_actions), ("values", &self.values, batch.num_players)] {
            if array.len() != batch.len * width {
                let reason = format!("{name} hold {} numbers, expected {} x {width}", array.len(), batch.len);
                return Err(SearchError::Evaluation(reason));
            }
        }
        Ok(())
    }

    /// Priors and values of leaf `row`. It is an error if a number is not finite, a prior is negative, or a value is outside
    /// [-1, 1]. The sizes must be right.
    pub(crate) fn row(&self, row: usize, num_actions: usize, num_players: usize) -> Result<(&[f32], &[f32]), SearchError> {
        let priors = &self.priors[row * num_actions..(row + 1) * num_actions];
        let values = &self.values[row * num_players..(row + 1) * num_players];
        // Rows are long, so the check is done on the bits, without branches. Fast path: bits 30 and 31 clear in all priors means that
        // every prior is in [0, 2). Otherwise adding 1 to the exponent sets the sign bit of infinities and NaN; negative numbers
        // have it set already.
        let or_all = |bits: fn(u32) -> u32| priors.iter().fold(0, |all, prior| all | bits(prior.to_bits()));
        let is_valid = or_all(|bits| bits) >> 30 == 0 || or_all(|bits| bits | bits.wrapping_add(1 << 23)) >> 31 == 0;
        let wrong_prior = if is_valid { None } else { priors.iter().position(|&prior| !prior.is_finite() || prior < 0.0) };
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
            for position in 0..70 {
                let mut evaluation = Evaluation { priors: vec![0.5; 140], values: vec![-1.0; 4] };
                evaluation.priors[70 + position] = number;
                assert!(evaluation.row(0, 70, 2).is_ok());
                let text = evaluation.row(1, 70, 2).map_err(|error| error.to_string());
                if sound.contains(&number) {
                    assert!(text.is_ok(), "{number} at {position}: {text:?}");
                } else {
                    let text = text.expect_err("refused");
                    assert!(text.contains(&format!("priors[1, {position}] is {number}, expected")), "{text}");
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
