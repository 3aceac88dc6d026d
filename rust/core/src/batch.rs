//! Many random games at once, without a loop outside the core.

use rayon::prelude::*;

use crate::contract::Rules;
use crate::event::NoEvents;
use crate::interrupt::{Interrupt, Interrupted};
use crate::player::{ByPlayer, Turn};
use crate::rng::Rng;

/// Rollouts between two looks at the interrupt and between threads.
const CHUNK: usize = 64;

/// Lists that are reused from node to node, so that a rollout's loop allocates nothing.
#[derive(Clone, Debug)]
pub struct Scratch<G: Rules> {
    /// Legal actions.
    pub actions: Vec<G::Action>,
    /// Outcomes with weights.
    pub outcomes: Vec<(G::Outcome, u32)>,
}

impl<G: Rules> Default for Scratch<G> {
    fn default() -> Self {
        Self { actions: Vec::new(), outcomes: Vec::new() }
    }
}

/// Plays uniformly random actions to the end, in place, and returns the number of decisions taken.
pub fn play_out<G: Rules>(game: &G, state: &mut G::State, rng: &mut Rng, scratch: &mut Scratch<G>) -> u32 {
    let mut plies = 0;
    loop {
        match game.turn(state) {
            Turn::Player(_) => {
                let action = game.sample_action(state, rng, &mut scratch.actions);
                game.apply_action(state, action, &mut NoEvents);
                plies += 1;
            }
            Turn::Chance => {
                let outcome = game.sample_outcome(state, rng, &mut scratch.outcomes);
                game.apply_outcome(state, outcome, &mut NoEvents);
            }
            Turn::Over => return plies,
        }
    }
}

/// The returns of `count` random games from `state`. Game i draws from `Rng::stream(seed, "rollout", i)`, so the result is the
/// same for any number of threads. `threads` 0 means one per core.
///
/// # Errors
/// If it was interrupted.
pub fn rollouts<G: Rules>(
    game: &G,
    state: &G::State,
    count: usize,
    seed: u64,
    threads: usize,
    interrupt: &Interrupt,
) -> Result<Vec<ByPlayer<f32>>, Interrupted> {
    rollouts_from(game, state, 0, count, seed, threads, interrupt)
}

/// As [`rollouts`], but games `start..start + count`: a long run in parts, with a look at its progress between them, has the
/// results of one run.
///
/// # Errors
/// If it was interrupted.
pub fn rollouts_from<G: Rules>(
    game: &G,
    state: &G::State,
    start: u64,
    count: usize,
    seed: u64,
    threads: usize,
    interrupt: &Interrupt,
) -> Result<Vec<ByPlayer<f32>>, Interrupted> {
    let play_chunk = |out: &mut [ByPlayer<f32>], first: usize| {
        if interrupt.is_set() {
            return Err(Interrupted);
        }
        let mut scratch = Scratch::default();
        for (i, returns) in out.iter_mut().enumerate() {
            let mut rng = Rng::stream(seed, "rollout", start.wrapping_add((first + i) as u64));
            let mut end = state.clone();
            play_out(game, &mut end, &mut rng, &mut scratch);
            *returns = game.returns(&end);
        }
        Ok(())
    };
    let mut results = vec![ByPlayer::new(); count];
    let threads = if threads == 0 { std::thread::available_parallelism().map_or(1, usize::from) } else { threads };
    // A pool that cannot be made (no more threads to be had) is no reason to fail: one thread gives the same result.
    let pool = (threads > 1).then(|| rayon::ThreadPoolBuilder::new().num_threads(threads.min(256)).build().ok()).flatten();
    match pool {
        Some(pool) => {
            pool.install(|| results.par_chunks_mut(CHUNK).enumerate().try_for_each(|(chunk, out)| play_chunk(out, chunk * CHUNK)))?;
        }
        None => results.chunks_mut(CHUNK).enumerate().try_for_each(|(chunk, out)| play_chunk(out, chunk * CHUNK))?,
    }
    Ok(results)
}
