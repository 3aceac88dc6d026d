//! The table: laid tiles, one label for each cell, which says its room, the list of open arches, and the frontier of empty spaces
//! that touch an occupied one.

use super::components::Edge;

/// Cell number of the temple in the list of arches.
pub(super) const TEMPLE_CELL: u16 = u16::MAX;

/// Codes of what a space meets: one digit of base 5 for each side.
pub(super) const CODES: usize = 625;

/// Weight of each side's digit in a code: 0 nothing, 1 to 3 open with floor g, p, w, 4 a wall or an arch.
pub(super) const DIGIT: [u16; 4] = [1, 5, 25, 125];

/// The digit of a side without an opening.
pub(super) const CLOSED: u8 = 4;

/// The digit of one side in a code.
#[inline(always)]
pub(super) fn digit_of(code: u16, side: usize) -> u8 {
    (code / DIGIT[side] % 5) as u8
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
    pub(super) const fn content(self) -> u32 {
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

/// A side and the cell that owns it; a garden has none.
pub(super) type OwnedEdge = (Edge, Option<u16>);

/// Two sides meet (table of FC-5.3): joins the rooms, notes an open arch, or neither. Open sides are counted by the caller.
pub(super) fn join(table: &mut TableMut<'_>, (edge, cell): OwnedEdge, (other_edge, other_cell): OwnedEdge) {
    let (Some(cell), Some(other_cell)) = (cell, other_cell) else { return };
    match (edge, other_edge) {
        (Edge::Open, Edge::Open) => unite(table, cell, other_cell),
        (Edge::Arch, Edge::Open | Edge::Arch) | (Edge::Open, Edge::Arch) => note_arch(table, cell, other_cell),
        _ => {}
    }
}

/// Two cells have an open arch between them.
pub(super) fn note_arch(table: &mut TableMut<'_>, cell: u16, other: u16) {
    table.arches[usize::from(table.lengths.arches)] = [cell, other];
    table.lengths.arches += 1;
}

/// Makes the rooms of two cells one.
fn unite(table: &mut TableMut<'_>, a: u16, b: u16) {
    let (a, b) = (table.labels[usize::from(a)], table.labels[usize::from(b)]);
    if a == b {
        return;
    }
    let (low, high) = (a.min(b), a.max(b));
    for label in &mut table.labels[..usize::from(table.lengths.cells)] {
        *label = if *label == high { low } else { *label };
    }
    table.open[usize::from(low)] += table.open[usize::from(high)];
    table.open[usize::from(high)] = 0;
}

/// An empty space meets `digit` on one of its sides: it joins the frontier or changes its code there.
pub(super) fn touch(table: &mut TableMut<'_>, space: u16, side: usize, digit: u8) {
    let length = usize::from(table.lengths.frontier);
    let code = u32::from(DIGIT[side]) * u32::from(digit);
    let at = table.frontier[..length].partition_point(|entry| (entry >> 16) < u32::from(space));
    if at < length && table.frontier[at] >> 16 == u32::from(space) {
        table.frontier[at] += code;
    } else {
        table.frontier.copy_within(at..length, at + 1);
        table.frontier[at] = u32::from(space) << 16 | code;
        table.lengths.frontier += 1;
    }
}

impl Table<'_> {
    /// The laid tile on a space.
    pub(super) fn find(&self, space: u16) -> Option<usize> {
        find(self.laid, space)
    }

    /// The place of a space in the frontier.
    pub(super) fn frontier_index(&self, space: u16) -> Result<usize, usize> {
        self.frontier.binary_search_by_key(&space, |entry| (entry >> 16) as u16)
    }
}

/// The tile on a space, among those laid.
pub(super) fn find(laid: &[Laid], space: u16) -> Option<usize> {
    laid.iter().position(|laid| laid.space() == space)
}
