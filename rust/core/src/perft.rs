//! Perft: how many different sequences of exactly so many decisions there are (CONVENTIONS 9). It depends on the rules alone, not
//! on ids or a generator, so that two programs can compare it.
//!
//! ```
//! # #[cfg(feature = "testing")] {
//! use forbidden_games_core::contract::Rules;
//! use forbidden_games_core::interrupt::Interrupt;
//! use forbidden_games_core::perft::{perft, perft_divide};
//! use forbidden_games_core::testing::pebbles::pebbles;
//!
//! let game = pebbles(2);
//! let state = game.new_state();
//! assert_eq!(perft(&game, &state, 3, &Interrupt::new())?, 64);
//! let divided = perft_divide(&game, &state, 3, &Interrupt::new())?;
//! assert_eq!(divided.iter().map(|(_, count)| count).sum::<u64>(), 64);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::contract::Notation;
use crate::interrupt::{Interrupt, Interrupted};
use crate::player::Turn;

/// Outcome spaces up to this size get a table of ranks; larger ones are compared by notation where they are met.
const MAX_RANKED: usize = 1 << 16;

/// The number of sequences of exactly `depth` decisions from `state`. At every chance node on the way the outcome whose notation
/// comes first in byte order is taken, without counting as depth. A sequence that ends the game earlier counts nothing.
///
/// # Errors
/// If it was interrupted.
pub fn perft<G: Notation>(game: &G, state: &G::State, depth: u32, interrupt: &Interrupt) -> Result<u64, Interrupted> {
    Counter::new(game, interrupt).count(state.clone(), depth, 0)
}

/// The count behind each first action, ascending by id; they add up to [`perft`] of `depth`. Nothing if `depth` is 0.
///
/// # Errors
/// If it was interrupted.
pub fn perft_divide<G: Notation>(
    game: &G,
    state: &G::State,
    depth: u32,
    interrupt: &Interrupt,
) -> Result<Vec<(G::Action, u64)>, Interrupted> {
    let mut counter = Counter::new(game, interrupt);
    let mut state = state.clone();
    counter.take_first_outcomes(&mut state);
    let mut actions = Vec::new();
    let Some(remaining) = depth.checked_sub(1) else { return Ok(Vec::new()) };
    game.legal_actions(&state, &mut actions);
    actions
        .into_iter()
        .map(|action| {
            let mut child = state.clone();
            game.apply_action(&mut child, action, &mut crate::event::NoEvents);
            Ok((action, counter.count(child, remaining, 0)?))
        })
        .collect()
}

/// Takes the outcome whose notation comes first until a seat is to decide or the game is over (CONVENTIONS 9).
pub fn take_first_outcomes<G: Notation>(game: &G, state: &mut G::State) {
    Counter::new(game, &Interrupt::new()).take_first_outcomes(state);
}

struct Counter<'a, G: Notation> {
    game: &'a G,
    interrupt: &'a Interrupt,
    /// By outcome id, its place in the byte order of notations; empty if the space is too large, made at the first chance node.
    ranks: Option<Vec<u32>>,
    outcomes: Vec<(G::Outcome, u32)>,
    /// One list of actions per level, kept for reuse.
    levels: Vec<Vec<G::Action>>,
}

impl<'a, G: Notation> Counter<'a, G> {
    fn new(game: &'a G, interrupt: &'a Interrupt) -> Self {
        Self { game, interrupt, ranks: None, outcomes: Vec::new(), levels: Vec::new() }
    }

    fn count(&mut self, mut state: G::State, depth: u32, level: usize) -> Result<u64, Interrupted> {
        if depth == 0 {
            return Ok(1);
        }
        if self.interrupt.is_set() {
            return Err(Interrupted);
        }
        self.take_first_outcomes(&mut state);
        if self.levels.len() <= level {
            self.levels.push(Vec::new());
        }
        let mut actions = std::mem::take(&mut self.levels[level]);
        actions.clear();
        self.game.legal_actions(&state, &mut actions);
        let mut total = 0_u64;
        if depth == 1 {
            total = actions.len() as u64;
        } else {
            for &action in &actions {
                let mut child = state.clone();
                self.game.apply_action(&mut child, action, &mut crate::event::NoEvents);
                total = total.saturating_add(self.count(child, depth - 1, level + 1)?);
            }
        }
        self.levels[level] = actions;
        Ok(total)
    }

    fn take_first_outcomes(&mut self, state: &mut G::State) {
        while self.game.turn(state) == Turn::Chance {
            self.outcomes.clear();
            self.game.chance_outcomes(state, &mut self.outcomes);
            let game = self.game;
            let ranks = self.ranks.get_or_insert_with(|| rank_outcomes(game));
            let outcomes = self.outcomes.iter().map(|&(outcome, _)| outcome);
            let first = if ranks.is_empty() {
                outcomes.min_by_key(|&outcome| game.format_outcome(outcome))
            } else {
                outcomes.min_by_key(|&outcome| ranks[game.outcome_id(outcome) as usize])
            };
            let Some(first) = first else { unreachable!("a chance node has an outcome") };
            game.apply_outcome(state, first, &mut crate::event::NoEvents);
        }
    }
}

fn rank_outcomes<G: Notation>(game: &G) -> Vec<u32> {
    let size = game.num_outcomes();
    if size > MAX_RANKED {
        return Vec::new();
    }
    let mut notations: Vec<(String, u32)> =
        (0..size as u32).filter_map(|id| game.outcome_from_id(id).map(|outcome| (game.format_outcome(outcome), id))).collect();
    notations.sort_unstable();
    let mut ranks = vec![u32::MAX; size];
    for (rank, (_, id)) in notations.into_iter().enumerate() {
        ranks[id as usize] = rank as u32;
    }
    ranks
}
