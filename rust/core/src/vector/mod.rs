//! Many games side by side: a row a game, one call for a step of all of them.
//!
//! A row is a [`Match`], so it meets the luck of its seed and can be looked at, copied and replayed alone. Episode k of row i has the
//! seed [`episode_seed`]`(seed, i, k)`: a batch repeats for any number of threads. A step looks at all actions before it plays one, so
//! an illegal action changes nothing. What a step means, array by array, is said in `docs/batches.md`.
//!
//! ```
//! # #[cfg(feature = "testing")] {
//! use std::sync::Arc;
//!
//! use forbidden_games_core::interrupt::Interrupt;
//! use forbidden_games_core::testing::pebbles::pebbles;
//! use forbidden_games_core::vector::{Config, Vector};
//!
//! let mut games = Vector::new(Arc::new(pebbles(2)), 8, 7, Config::default())?;
//! let mut actions = vec![0; 8];
//! games.sample(1, &mut actions);
//! games.step(&actions, None, &Interrupt::new())?;
//! assert!((0..8).all(|row| games.row(row).ply() == 1));
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arrays;
mod config;
mod row;
mod sparse;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use rayon::ThreadPool;
use rayon::prelude::*;

use crate::contract::Game;
use crate::error::OptionsError;
use crate::interrupt::Interrupt;
use crate::match_play::Match;
use crate::rng::{Rng, derive_seed};
use crate::search::SearchError;

pub use arrays::{Arrays, Observations};
pub use config::{Autoreset, Config, OnIllegal, Reset, VectorError};
pub use sparse::SparseRows;

use row::Row;

/// Rows of one piece of work: enough that handing it to a thread costs little beside it.
const PIECE: usize = 16;

/// The seed of game `episode` of row `row`.
#[must_use]
pub fn episode_seed(seed: u64, row: usize, episode: u64) -> u64 {
    derive_seed(derive_seed(seed, "row", row as u64), "episode", episode)
}

/// Games side by side.
#[derive(Debug)]
pub struct Vector<G: Game> {
    game: Arc<G>,
    config: Arc<Config>,
    rows: Vec<Row<G>>,
    /// Made at the first step that has use for it.
    pool: Option<ThreadPool>,
    is_unfinished: bool,
}

impl<G: Game> Clone for Vector<G> {
    fn clone(&self) -> Self {
        Self {
            game: Arc::clone(&self.game),
            config: Arc::clone(&self.config),
            rows: self.rows.clone(),
            pool: None,
            is_unfinished: self.is_unfinished,
        }
    }
}

impl<G: Game> Vector<G> {
    /// `num_rows` games at their first decision, not yet shown (see [`Vector::show`]).
    ///
    /// # Errors
    /// If the agents are not one entry a seat with a seat left to the caller, or `max_plies` is 0.
    pub fn new(game: Arc<G>, num_rows: usize, seed: u64, config: Config) -> Result<Self, OptionsError> {
        let players = game.num_players();
        let given = config.agents.len();
        if given > 0 && given != players {
            return Err(OptionsError::new("agents", format!("{given} entries"), format!("{players}, one a seat")));
        }
        if given > 0 && config.agents.iter().all(Option::is_some) {
            return Err(OptionsError::new("agents", "an agent on every seat", "a seat left to the caller: None"));
        }
        if config.max_plies == Some(0) {
            return Err(OptionsError::new("max_plies", "0", "at least 1, or None"));
        }
        let rows = (0..num_rows).map(|row| Row::new(&game, derive_seed(seed, "row", row as u64), &config.agents)).collect();
        Ok(Self { game, config: Arc::new(config), rows, pool: None, is_unfinished: false })
    }

    /// A row for each match, as it stands. They are looked at and played on, but their luck is their own.
    #[must_use]
    pub fn of_matches(game: Arc<G>, matches: Vec<Match<G>>, threads: usize) -> Self {
        let config = Config { autoreset: Autoreset::Disabled, threads, ..Config::default() };
        let rows = matches.into_iter().map(Row::of_match).collect();
        Self { game, config: Arc::new(config), rows, pool: None, is_unfinished: false }
    }

    /// The rules.
    #[must_use]
    pub fn game(&self) -> &Arc<G> {
        &self.game
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The match of a row, whose end has come or not.
    ///
    /// # Panics
    /// If there is no such row.
    #[must_use]
    pub fn row(&self, row: usize) -> &Match<G> {
        &self.rows[row].played
    }

    /// The ids of a row's legal actions, ascending; none in a finished row.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn legal_ids(&mut self, row: usize) -> &[u32] {
        self.rows[row].legal_ids()
    }

    /// Lets go of the threads; the next step makes new ones.
    pub fn close(&mut self) {
        self.pool = None;
    }

    /// Forgets the threads without waiting for them: in a process that was forked they are not there.
    pub fn forget_threads(&mut self) {
        std::mem::forget(self.pool.take());
    }

    /// Calls `work` for every row, in as many threads as there are to be, and gives the first row's error.
    fn for_each_row<E: Send>(&mut self, work: impl Fn(usize, &mut Row<G>) -> Result<(), E> + Sync) -> Result<(), (usize, E)> {
        if self.config.threads > 1 && self.rows.len() > PIECE && self.pool.is_none() {
            // A pool that cannot be made (no more threads to be had) is no reason to fail: one thread gives the same result.
            self.pool = rayon::ThreadPoolBuilder::new().num_threads(self.config.threads.min(256)).build().ok();
        }
        let with_row = |(row, one): (usize, &mut Row<G>)| work(row, one).map_err(|error| (row, error));
        let rows = &mut self.rows;
        let first = |one: (usize, E), other: (usize, E)| if one.0 <= other.0 { one } else { other };
        let found = match &self.pool {
            Some(pool) => pool.install(|| {
                rows.par_iter_mut().with_min_len(PIECE).enumerate().filter_map(|pair| with_row(pair).err()).reduce_with(first)
            }),
            None => rows.iter_mut().enumerate().filter_map(|pair| with_row(pair).err()).reduce(first),
        };
        found.map_or(Ok(()), Err)
    }

    /// Writes every row into `arrays`, whatever these hold, after agents have played up to the caller's first decision.
    ///
    /// # Errors
    /// If an agent failed or `interrupt` was set.
    pub fn show(&mut self, arrays: &Arrays<'_>, interrupt: &Interrupt) -> Result<(), VectorError> {
        let config = Arc::clone(&self.config);
        let done = self.for_each_row(|row, one| {
            one.let_agents_play(&config, interrupt)?;
            one.forget_shown(row, arrays);
            one.show(row, Some(arrays));
            Ok(())
        });
        self.finish(done)
    }

    /// Plays an action in every row and shows the rows: one action id a row, where a finished row takes anything (`NextStep`) or -1
    /// (`Disabled`).
    ///
    /// # Errors
    /// If an entry is no action or not legal: then nothing has changed. If an agent failed or `interrupt` was set: then the batch has to
    /// be reset.
    ///
    /// # Panics
    /// If there are not as many actions as rows.
    pub fn step(&mut self, actions: &[i64], arrays: Option<&Arrays<'_>>, interrupt: &Interrupt) -> Result<(), VectorError> {
        assert_eq!(actions.len(), self.rows.len(), "one action a row");
        if self.is_unfinished {
            return Err(VectorError::Unfinished);
        }
        let config = Arc::clone(&self.config);
        self.for_each_row(|row, one| one.check(actions[row], &config)).map_err(|(row, fault)| fault.of_row(row))?;
        let done = self.for_each_row(|row, one| one.step(row, &config, arrays, interrupt));
        self.finish(done)
    }

    /// Begins rows again and shows them.
    ///
    /// # Errors
    /// If a start is refused: then nothing has changed. If an agent failed or `interrupt` was set.
    ///
    /// # Panics
    /// If mask or starts are not one entry a row.
    pub fn reset(&mut self, reset: &Reset<'_>, arrays: Option<&Arrays<'_>>, interrupt: &Interrupt) -> Result<(), VectorError> {
        let Reset { seed, mask, starts } = *reset;
        assert!(mask.is_none_or(|mask| mask.len() == self.rows.len()), "one flag a row");
        assert!(starts.is_none_or(|starts| starts.len() == self.rows.len()), "one start a row");
        let is_chosen = |row: usize| mask.is_none_or(|mask| mask[row]);
        if self.is_unfinished && !(0..self.rows.len()).all(is_chosen) {
            return Err(VectorError::Unfinished);
        }
        if let Some(starts) = starts {
            for (row, start) in starts.iter().enumerate().filter(|&(row, _)| is_chosen(row)) {
                if let Some(start) = start {
                    start.state(&*self.game).map_err(|error| VectorError::Start { row, error })?;
                }
            }
        }
        let config = Arc::clone(&self.config);
        let done = self.for_each_row(|row, one| {
            if !is_chosen(row) {
                return Ok(());
            }
            let start = starts.and_then(|starts| starts[row].clone());
            one.reset(row, seed.map(|seed| derive_seed(seed, "row", row as u64)), start, &config, arrays, interrupt)
        });
        self.finish(done)
    }

    fn finish(&mut self, done: Result<(), (usize, SearchError)>) -> Result<(), VectorError> {
        self.is_unfinished = done.is_err();
        done.map_err(|(row, error)| VectorError::Agent { row, error })
    }

    /// Draws a legal action for every row, uniformly, -1 for a finished one: row after row from `Rng::stream(seed, "sample", 0)`, one
    /// `below` each.
    ///
    /// # Panics
    /// If `out` has not one entry a row.
    pub fn sample(&mut self, seed: u64, out: &mut [i64]) {
        assert_eq!(out.len(), self.rows.len(), "one action a row");
        // One draw a row is too little work for threads.
        let mut rng = Rng::stream(seed, "sample", 0);
        for (one, action) in self.rows.iter_mut().zip(out) {
            *action = one.sample(&mut rng);
        }
    }

    /// The observations and legal ids of all rows as lists.
    pub fn sparse(&mut self, with_observations: bool) -> SparseRows {
        let _ = self.for_each_row::<()>(|_, one| {
            one.collect(with_observations);
            Ok(())
        });
        SparseRows::of(self.rows.iter().map(|row| (&row.features, &row.legal[..])))
    }
}
