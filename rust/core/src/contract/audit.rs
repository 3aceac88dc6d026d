//! The invariants of the rule page, recomputed from scratch.

use crate::contract::Rules;

/// Checks for tests.
pub trait Audit: Rules {
    /// Checks the invariants of the rule page, recomputing from scratch what the engine keeps incrementally. Slow, for tests.
    ///
    /// # Errors
    /// The first invariant broken, with its number.
    fn check_invariants(&self, state: &Self::State) -> Result<(), String>;
}
