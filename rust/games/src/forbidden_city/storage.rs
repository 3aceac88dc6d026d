//! Where the lists of a position are: in place, with room for the built-in sets, or in a larger one on the heap. No table-sized array.

use super::board::{Laid, Lengths, Table, TableMut};
use super::components::MAX_KINDS;

/// The lists of a position with room for so many tiles, cells, frontier spaces, arches and kinds.
#[derive(Clone, Copy)]
pub(super) struct Lists<const TILES: usize, const CELLS: usize, const FRONTIER: usize, const ARCHES: usize, const KINDS: usize> {
    lengths: Lengths,
    unplayed: [[u8; KINDS]; 4],
    laid: [Laid; TILES],
    frontier: [u32; FRONTIER],
    labels: [u16; CELLS],
    open: [u16; CELLS],
    arches: [[u16; 2]; ARCHES],
}

impl<const TILES: usize, const CELLS: usize, const FRONTIER: usize, const ARCHES: usize, const KINDS: usize>
    Lists<TILES, CELLS, FRONTIER, ARCHES, KINDS>
{
    const EMPTY: Self = Self {
        lengths: Lengths { laid: 0, cells: 0, frontier: 0, arches: 0 },
        unplayed: [[0; KINDS]; 4],
        laid: [Laid::new(0, 0, 0, 0, 0); TILES],
        frontier: [0; FRONTIER],
        labels: [0; CELLS],
        open: [0; CELLS],
        arches: [[0; 2]; ARCHES],
    };

    const CAPACITY: Capacity = Capacity { tiles: TILES, cells: CELLS, arches: ARCHES, kinds: KINDS };

    #[inline(always)]
    fn table(&self) -> Table<'_> {
        Table {
            laid: &self.laid[..usize::from(self.lengths.laid)],
            labels: &self.labels[..usize::from(self.lengths.cells)],
            open: &self.open[..usize::from(self.lengths.cells)],
            arches: &self.arches[..usize::from(self.lengths.arches)],
            frontier: &self.frontier[..usize::from(self.lengths.frontier)],
        }
    }

    #[inline(always)]
    fn table_mut(&mut self) -> TableMut<'_> {
        TableMut {
            lengths: &mut self.lengths,
            laid: &mut self.laid,
            labels: &mut self.labels,
            open: &mut self.open,
            arches: &mut self.arches,
            frontier: &mut self.frontier,
        }
    }
}

/// What a game can need at most.
#[derive(Clone, Copy, Debug)]
pub(super) struct Capacity {
    pub(super) tiles: usize,
    pub(super) cells: usize,
    pub(super) arches: usize,
    pub(super) kinds: usize,
}

impl Capacity {
    const fn holds(self, need: Self) -> bool {
        need.tiles <= self.tiles && need.cells <= self.cells && need.arches <= self.arches && need.kinds <= self.kinds
    }
}

/// Most frontier spaces around `tiles` laid tiles: 12 around the start tile, and each tile takes one and adds at most three.
const fn frontier_of(tiles: usize) -> usize {
    12 + 2 * tiles
}

const SMALL_TILES: usize = 88;
/// Most tiles that a game can lay (FC-2.4).
pub(super) const LARGE_TILES: usize = 152;

/// Enough for the built-in sets with any number of players.
pub(super) type Small = Lists<SMALL_TILES, 108, { frontier_of(SMALL_TILES) }, 68, 32>;

/// Most cells and most open arches in a position of any game. 161 spaces have fewer than 304 pairs of neighbours, and 152 diagonal
/// walls may have an arch too.
pub(super) const MAX_CELLS: usize = 8 + 2 * LARGE_TILES;
pub(super) const MAX_ARCHES: usize = 3 * LARGE_TILES;

/// Enough for every set that FC-2.4 allows: four seats lay 38 tiles each.
pub(super) type Large = Lists<LARGE_TILES, MAX_CELLS, { frontier_of(LARGE_TILES) }, MAX_ARCHES, MAX_KINDS>;

#[allow(clippy::large_enum_variant, reason = "the large one is the usual one: no allocation in a rollout")]
pub(super) enum Storage {
    /// In place.
    Inline(Small),
    /// On the heap.
    Heap(Box<Large>),
}

impl Storage {
    /// Empty lists that hold what a game needs at most.
    pub(super) fn empty(need: Capacity) -> Self {
        debug_assert!(Large::CAPACITY.holds(need));
        if Small::CAPACITY.holds(need) { Self::Inline(Small::EMPTY) } else { Self::Heap(Box::new(Large::EMPTY)) }
    }

    #[inline(always)]
    pub(super) fn table(&self) -> Table<'_> {
        match self {
            Self::Inline(lists) => lists.table(),
            Self::Heap(lists) => lists.table(),
        }
    }

    #[inline(always)]
    pub(super) fn table_mut(&mut self) -> TableMut<'_> {
        match self {
            Self::Inline(lists) => lists.table_mut(),
            Self::Heap(lists) => lists.table_mut(),
        }
    }

    #[inline(always)]
    pub(super) fn unplayed(&self, seat: usize) -> &[u8] {
        match self {
            Self::Inline(lists) => &lists.unplayed[seat],
            Self::Heap(lists) => &lists.unplayed[seat],
        }
    }

    #[inline(always)]
    pub(super) fn unplayed_mut(&mut self, seat: usize) -> &mut [u8] {
        match self {
            Self::Inline(lists) => &mut lists.unplayed[seat],
            Self::Heap(lists) => &mut lists.unplayed[seat],
        }
    }
}

impl Clone for Storage {
    #[inline]
    fn clone(&self) -> Self {
        match self {
            Self::Inline(lists) => Self::Inline(*lists),
            Self::Heap(lists) => Self::Heap(lists.clone()),
        }
    }

    /// Lists on the heap are written over, without an allocation.
    #[inline]
    fn clone_from(&mut self, source: &Self) {
        match (self, source) {
            (Self::Inline(lists), Self::Inline(others)) => *lists = *others,
            (Self::Heap(lists), Self::Heap(others)) => **lists = **others,
            (lists, others) => *lists = others.clone(),
        }
    }
}
