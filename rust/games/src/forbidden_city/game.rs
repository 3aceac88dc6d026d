//! The game: settings, what follows from them once, and places on the table.

use std::sync::Arc;

use arrayvec::ArrayVec;

use forbidden_games_core::encoding::Layout;

use super::components::{Kind, MAX_KINDS};
use super::options::Settings;
use super::state::State;
use super::tables::Tables;

/// Forbidden City for 2 to 4 players, with its options and component set.
#[derive(Clone, Debug)]
pub struct Game {
    pub(super) settings: Arc<Settings>,
    pub(super) tables: Arc<Tables>,
    /// Blocks of an encoded observation.
    pub(super) layout: Arc<Layout>,
    /// Size of the encoded window.
    pub(super) window: usize,
}

impl Game {
    /// Number of seats.
    #[inline(always)]
    pub(super) fn players(&self) -> usize {
        self.settings.players
    }

    /// The kinds of tiles in the order of the set.
    #[inline(always)]
    pub(super) fn kinds(&self) -> &[Kind] {
        self.settings.kinds()
    }

    /// The largest coordinate.
    pub(super) fn half(&self) -> i32 {
        (self.settings.table as i32 - 1) / 2
    }

    /// The coordinates of a space (CONVENTIONS 4): x to the east, y to the north, the start tile's centre at 0,0.
    pub(super) fn coordinates(&self, space: u16) -> (i32, i32) {
        let (table, half) = (self.settings.table as i32, self.half());
        (i32::from(space) % table - half, half - i32::from(space) / table)
    }

    /// The space at `x,y`, if it is on the table.
    pub(super) fn space_at(&self, x: i32, y: i32) -> Option<u16> {
        let half = self.half();
        (x.abs() <= half && y.abs() <= half).then(|| ((half - y) * self.settings.table as i32 + x + half) as u16)
    }

    /// A space as people say it.
    pub(super) fn format_space(&self, space: u16) -> String {
        let (x, y) = self.coordinates(space);
        format!("{x},{y}")
    }

    /// Copies of each kind that a seat has discarded: its set without what is laid and unplayed.
    pub(super) fn discarded(&self, state: &State, seat: usize) -> ArrayVec<u8, MAX_KINDS> {
        let mut counts: ArrayVec<u8, MAX_KINDS> =
            self.tables.copies.iter().zip(state.unplayed(seat)).map(|(copies, unplayed)| copies - unplayed).collect();
        for laid in state.table().laid.iter().filter(|laid| laid.seat() == seat) {
            counts[laid.kind()] -= 1;
        }
        counts
    }
}
