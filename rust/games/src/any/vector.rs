//! Many games side by side.

use std::sync::Arc;

use forbidden_games_core::contract::{Game, Step};
use forbidden_games_core::error::{OptionsError, ParseActionError};
use forbidden_games_core::interrupt::Interrupt;
use forbidden_games_core::match_play::Match;
use forbidden_games_core::vector::{Arrays, Config, Reset, SparseRows, Vector, VectorError};

use super::objects::{AnyVector, MatchObject, VectorObject};
use super::step::{StepError, read_action, read_outcome};
use super::values::Replayed;

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

    fn reset(&mut self, reset: &Reset<'_>, arrays: &Arrays<'_>, interrupt: &Interrupt) -> Result<(), VectorError> {
        self.reset(reset, Some(arrays), interrupt)
    }

    fn sample(&mut self, seed: u64, out: &mut [i64]) {
        self.sample(seed, out);
    }

    fn sparse(&mut self, with_observations: bool) -> SparseRows {
        self.sparse(with_observations)
    }

    fn row(&self, row: usize) -> &dyn MatchObject {
        self.row(row)
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
