//! What a seat has seen, with a running key.

use crate::bytes::{ByteSink, KeyHasher};
use crate::contract::Observed;

/// What one seat saw, step by step, and a hash of it that grows with it.
#[derive(Clone, Debug, Default)]
pub struct History {
    seen: Vec<Observed>,
    hasher: KeyHasher,
}

impl History {
    /// Nothing seen yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds what one step taught.
    pub fn push(&mut self, observed: Observed) {
        self.seen.push(observed);
        self.hasher.u64(observed.0);
    }

    /// Forgets what came after the first `length` steps.
    pub fn truncate(&mut self, length: usize) {
        if length < self.seen.len() {
            self.seen.truncate(length);
            self.hasher = KeyHasher::new();
            self.seen.iter().for_each(|observed| self.hasher.u64(observed.0));
        }
    }

    /// All of it.
    #[must_use]
    pub fn as_slice(&self) -> &[Observed] {
        &self.seen
    }

    /// A 64-bit key, the same on every platform.
    #[must_use]
    pub fn key(&self) -> u64 {
        self.hasher.finish()
    }
}

impl FromIterator<Observed> for History {
    fn from_iter<I: IntoIterator<Item = Observed>>(seen: I) -> Self {
        let mut history = Self::new();
        seen.into_iter().for_each(|observed| history.push(observed));
        history
    }
}

impl std::ops::Deref for History {
    type Target = [Observed];

    fn deref(&self) -> &[Observed] {
        &self.seen
    }
}

impl PartialEq for History {
    fn eq(&self, other: &Self) -> bool {
        self.seen == other.seen
    }
}

impl Eq for History {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_follows_what_was_seen() {
        let whole: History = (0..5).map(Observed).collect();
        let mut cut: History = (0..9).map(Observed).collect();
        assert_ne!(cut.key(), whole.key());
        cut.truncate(5);
        assert_eq!((cut.key(), &cut), (whole.key(), &whole));
        cut.truncate(7);
        assert_eq!(cut.len(), 5);
    }
}
