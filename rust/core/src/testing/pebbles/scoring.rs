//! Points.

use super::game::Game;

impl Game {
    /// What claimed pebbles are worth (PB-5).
    pub(super) fn worth(&self, pebbles: &[u8]) -> i32 {
        pebbles.iter().map(|&kind| self.components.kinds[usize::from(kind)].value).sum()
    }
}
