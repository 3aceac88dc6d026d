//! A position of Forbidden City: the table, what each seat has left, hands, coins. No table-sized array: laid tiles, the frontier of
//! spaces that touch them, one label per cell for the rooms, and the list of open arches.

use std::fmt;
use std::hash::{Hash, Hasher};

use arrayvec::ArrayVec;

/// No kind, no seat.
pub(super) const NONE: u8 = u8::MAX;

/// Cell number of the temple in the list of arches.
pub(super) const TEMPLE_CELL: u16 = u16::MAX;

/// What is being decided; indices in `INFO.phases`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(super) enum Phase {
    Deal,
    Place,
    Draw,
    End,
}

/// A laid tile. Its cells are numbered one after the other in the order of laying, behind those of the start tile.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Laid {
    /// `space * 4 + rotation`, the id of the action that laid it.
    pub(super) place: u16,
    /// Kind in the lower six bits, seat in the upper two.
    tile: u8,
    /// Tiles with two parts laid before it.
    pub(super) pairs_before: u8,
}

impl Laid {
    pub(super) const fn new(space: u16, rotation: u8, kind: u8, seat: u8, pairs_before: u8) -> Self {
        Self { place: space * 4 + rotation as u16, tile: kind | seat << 6, pairs_before }
    }

    pub(super) const fn space(self) -> u16 {
        self.place >> 2
    }

    pub(super) const fn rotation(self) -> usize {
        (self.place & 3) as usize
    }

    pub(super) const fn kind(self) -> usize {
        (self.tile & 63) as usize
    }

    pub(super) const fn seat(self) -> usize {
        (self.tile >> 6) as usize
    }

    /// What JSON says of it, as a number that sorts in reading order.
    const fn content(self) -> u32 {
        (self.place as u32) << 8 | self.tile as u32
    }
}

/// How many entries of each list are in use.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lengths {
    pub(super) laid: u16,
    pub(super) cells: u16,
    pub(super) frontier: u16,
    pub(super) arches: u16,
}

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
        laid: [Laid { place: 0, tile: 0, pairs_before: 0 }; TILES],
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
const LARGE_TILES: usize = 152;

/// Enough for the built-in sets with any number of players.
type Small = Lists<SMALL_TILES, 108, { frontier_of(SMALL_TILES) }, 68, 32>;

/// Most cells and most open arches in a position of any game. 161 spaces have fewer than 304 pairs of neighbours, and 152 diagonal
/// walls may have an arch too.
pub(super) const MAX_CELLS: usize = 8 + 2 * LARGE_TILES;
pub(super) const MAX_ARCHES: usize = 3 * LARGE_TILES;

/// Enough for every set that FC-2.4 allows: four seats lay 38 tiles each.
type Large = Lists<LARGE_TILES, MAX_CELLS, { frontier_of(LARGE_TILES) }, MAX_ARCHES, 64>;

#[derive(Clone)]
#[allow(clippy::large_enum_variant, reason = "the large one is the usual one: no allocation in a rollout")]
enum Storage {
    Inline(Small),
    Heap(Box<Large>),
}

/// The lists for reading, each as long as it is filled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table<'a> {
    /// In the order of laying.
    pub(super) laid: &'a [Laid],
    /// For each cell the lowest cell of its room.
    pub(super) labels: &'a [u16],
    /// For each room, at its lowest cell, the number of open sides (FC-5.7).
    pub(super) open: &'a [u16],
    /// Open arches between two cells (FC-5.8), one of them perhaps [`TEMPLE_CELL`].
    pub(super) arches: &'a [[u16; 2]],
    /// Empty spaces on the table that touch an occupied one, ascending: `space << 16 | code` of what they meet.
    pub(super) frontier: &'a [u32],
}

/// The lists for writing, each with its whole capacity.
#[derive(Debug)]
pub(super) struct TableMut<'a> {
    pub(super) lengths: &'a mut Lengths,
    pub(super) laid: &'a mut [Laid],
    pub(super) labels: &'a mut [u16],
    pub(super) open: &'a mut [u16],
    pub(super) arches: &'a mut [[u16; 2]],
    pub(super) frontier: &'a mut [u32],
}

/// One complete position including hidden parts. Two are equal if and only if their JSON is (FC-12.8): the order of laying, which
/// numbers the cells, does not count.
#[derive(Clone)]
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
        let storage =
            if Small::CAPACITY.holds(need) { Storage::Inline(Small::EMPTY) } else { Storage::Heap(Box::new(Large::EMPTY)) };
        debug_assert!(Large::CAPACITY.holds(need));
        Self { ply: 0, phase: Phase::Deal, turn: 0, hands: [NONE; 4], left: [0; 4], coins: [0; 4], storage }
    }

    #[inline(always)]
    pub(super) fn table(&self) -> Table<'_> {
        match &self.storage {
            Storage::Inline(lists) => lists.table(),
            Storage::Heap(lists) => lists.table(),
        }
    }

    #[inline(always)]
    pub(super) fn table_mut(&mut self) -> TableMut<'_> {
        match &mut self.storage {
            Storage::Inline(lists) => lists.table_mut(),
            Storage::Heap(lists) => lists.table_mut(),
        }
    }

    /// Copies of each kind in hand and stack of a seat; longer than the set has kinds, filled up with 0.
    #[inline(always)]
    pub(super) fn unplayed(&self, seat: usize) -> &[u8] {
        match &self.storage {
            Storage::Inline(lists) => &lists.unplayed[seat],
            Storage::Heap(lists) => &lists.unplayed[seat],
        }
    }

    #[inline(always)]
    pub(super) fn unplayed_mut(&mut self, seat: usize) -> &mut [u8] {
        match &mut self.storage {
            Storage::Inline(lists) => &mut lists.unplayed[seat],
            Storage::Heap(lists) => &mut lists.unplayed[seat],
        }
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
    fn sorted_contents(&self) -> ArrayVec<u32, LARGE_TILES> {
        let mut contents: ArrayVec<u32, LARGE_TILES> = self.table().laid.iter().map(|laid| laid.content()).collect();
        contents.sort_unstable();
        contents
    }

    fn loose_parts(&self) -> impl PartialEq + Hash {
        (self.ply, self.phase, self.turn, self.hands, self.left, self.coins)
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
            .finish()
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
