//! A position of Forbidden City: the table, what each seat has left, hands, coins.

use std::fmt;
use std::hash::{Hash, Hasher};

use arrayvec::ArrayVec;

use super::board::{Table, TableMut};
use super::storage::{Capacity, LARGE_TILES, Storage};

/// No kind, no seat.
pub(super) const NONE: u8 = u8::MAX;

/// What is being decided; indices in `INFO.phases`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(super) enum Phase {
    Deal,
    Place,
    Draw,
    End,
}

/// One complete position including hidden parts. Two are equal if and only if their JSON is (FC-12.8): the order of laying, which
/// numbers the cells, does not count.
pub struct State {
    /// Tiles laid and discarded so far.
    pub(super) ply: u16,
    pub(super) phase: Phase,
    /// The seat of FC-9 `turn`; [`NONE`] at the end.
    pub(super) turn: u8,
    /// Kind in each hand or [`NONE`].
    pub(super) hands: [u8; 4],
    /// Unplayed tiles of each seat, all kinds together.
    pub(super) left: [u8; 4],
    pub(super) coins: [i32; 4],
    storage: Storage,
}

impl State {
    /// An empty table with storage for `need`; the lists are to be filled.
    pub(super) fn empty(need: Capacity) -> Self {
        let storage = Storage::empty(need);
        Self { ply: 0, phase: Phase::Deal, turn: 0, hands: [NONE; 4], left: [0; 4], coins: [0; 4], storage }
    }

    #[inline(always)]
    pub(super) fn table(&self) -> Table<'_> {
        self.storage.table()
    }

    #[inline(always)]
    pub(super) fn table_mut(&mut self) -> TableMut<'_> {
        self.storage.table_mut()
    }

    /// Copies of each kind in hand and stack of a seat; longer than the set has kinds, filled up with 0.
    #[inline(always)]
    pub(super) fn unplayed(&self, seat: usize) -> &[u8] {
        self.storage.unplayed(seat)
    }

    #[inline(always)]
    pub(super) fn unplayed_mut(&mut self, seat: usize) -> &mut [u8] {
        self.storage.unplayed_mut(seat)
    }

    /// Takes one unplayed tile of a seat away.
    #[inline(always)]
    pub(super) fn take(&mut self, seat: usize, kind: usize) {
        self.unplayed_mut(seat)[kind] -= 1;
        self.left[seat] -= 1;
    }

    /// The seat whose tile is drawn at a chance node: in `draw` the turn, in `deal` the lowest seat that needs one (FC-6).
    #[inline(always)]
    pub(super) fn drawing_seat(&self) -> usize {
        match self.phase {
            Phase::Draw => usize::from(self.turn),
            _ => (0..4).find(|&seat| self.needs_tile(seat)).unwrap_or(0),
        }
    }

    /// Whether a seat has no hand tile and more than two unplayed tiles.
    #[inline(always)]
    pub(super) fn needs_tile(&self, seat: usize) -> bool {
        self.hands[seat] == NONE && self.left[seat] > 2
    }

    /// The laid tiles as numbers in reading order.
    pub(super) fn sorted_contents(&self) -> ArrayVec<u32, LARGE_TILES> {
        let mut contents: ArrayVec<u32, LARGE_TILES> = self.table().laid.iter().map(|laid| laid.content()).collect();
        contents.sort_unstable();
        contents
    }

    fn loose_parts(&self) -> impl PartialEq + Hash {
        (self.ply, self.phase, self.turn, self.hands, self.left, self.coins)
    }
}

impl Clone for State {
    #[inline]
    fn clone(&self) -> Self {
        Self { storage: self.storage.clone(), ..*self }
    }

    #[inline]
    fn clone_from(&mut self, source: &Self) {
        let Self { ply, phase, turn, hands, left, coins, storage } = source;
        (self.ply, self.phase, self.turn) = (*ply, *phase, *turn);
        (self.hands, self.left, self.coins) = (*hands, *left, *coins);
        self.storage.clone_from(storage);
    }
}

/// Without the unused room of the lists.
impl fmt::Debug for State {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unplayed: Vec<&[u8]> = (0..4).map(|seat| self.unplayed(seat)).collect();
        formatter
            .debug_struct("State")
            .field("ply", &self.ply)
            .field("phase", &self.phase)
            .field("turn", &self.turn)
            .field("hands", &self.hands)
            .field("coins", &self.coins)
            .field("unplayed", &unplayed)
            .field("table", &self.table())
            .finish_non_exhaustive()
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.loose_parts() == other.loose_parts()
            && self.table().laid.len() == other.table().laid.len()
            && (0..4).all(|seat| self.unplayed(seat) == other.unplayed(seat))
            && self.sorted_contents() == other.sorted_contents()
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.loose_parts().hash(hasher);
        for seat in 0..4 {
            self.unplayed(seat).hash(hasher);
        }
        self.sorted_contents().hash(hasher);
    }
}
