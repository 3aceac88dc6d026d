//! What a game holds.

use std::sync::Arc;

use forbidden_games_core::encoding::Layout;

use super::board::Board;
use super::components::Components;
use super::options::Settings;
use super::state::{Counts, Public};
use super::tables::Tables;

/// The rules of Qin with players, options and board.
#[derive(Clone, Debug)]
pub struct Game {
    pub(super) players: usize,
    pub(super) settings: Settings,
    pub(super) components: Arc<Components>,
    pub(super) tables: Arc<Tables>,
    /// The board before the first tile.
    pub(super) empty_board: Arc<Board>,
    pub(super) layout: Arc<Layout>,
    /// Pagodas of a seat at the start.
    pub(super) allotment: u8,
}

impl Game {
    /// Tiles of each kind in the game.
    pub(super) fn tiles(&self) -> Counts {
        self.components.tiles
    }

    /// Tiles in the pile.
    pub(super) fn pile_size(&self, public: &Public) -> u32 {
        let sum = |counts: &[u8]| counts.iter().map(|&count| u32::from(count)).sum::<u32>();
        sum(&self.tiles()) - sum(&public.laid) - sum(&public.hand_sizes)
    }
}
