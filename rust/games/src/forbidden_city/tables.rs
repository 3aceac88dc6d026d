//! What follows from the settings once: faces of turned tiles, legal rotations, neighbours, the start.

use arrayvec::ArrayVec;

use forbidden_games_core::geometry::orientation::Side;

use super::board::{CLOSED, CODES, Lengths, TEMPLE_CELL, digit_of, join, touch};
use super::components::{Edge, Kind, StartCell, TEMPLE};
use super::options::Settings;
use super::state::State;
use super::storage::Capacity;

/// What one side of a turned tile shows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    pub(super) edge: Edge,
    /// The part that owns it.
    pub(super) part: u8,
    /// What a neighbouring space meets, see [`DIGIT`].
    pub(super) digit: u8,
}

/// Constants derived from [`Settings`]; shared by all copies of a game.
#[derive(Debug)]
pub(super) struct Tables {
    /// By kind, rotation and side.
    pub(super) faces: Vec<[[Face; 4]; 4]>,
    /// By kind and code: legal canonical rotations as four bits, their number above them.
    rotations: Vec<u8>,
    /// By kind: the canonical rotation of each.
    pub(super) canonical: Vec<[u8; 4]>,
    /// By kind: what a tile brings in the final tally (FC-7.4).
    pub(super) tally_worth: Vec<i32>,
    /// By kind: copies in the set of each seat (FC-2.2).
    pub(super) copies: Vec<u8>,
    /// Spaces along each side of the table.
    table: usize,
    /// By space: bits 0-3 which neighbours are on the table, bits 4-7 one more than its place in the start tile.
    spaces: Vec<u8>,
    /// What the start tile shows, by space of it and side.
    start_edges: [[Edge; 4]; 9],
    /// Cell of each space of the start tile: [`TEMPLE_CELL`], or no cell for a garden.
    pub(super) start_cells: [Option<u16>; 9],
    pub(super) num_start_cells: usize,
    /// Space and content of each cell of the start tile, in the order of cells.
    pub(super) start_list: ArrayVec<(u16, StartCell), 8>,
    /// The position before the first draw.
    pub(super) start: State,
}

impl Tables {
    pub(super) fn new(settings: &Settings) -> Self {
        let (players, table, start) = (settings.players, settings.table, settings.start_side());
        let faces: Vec<[[Face; 4]; 4]> = settings.kinds().iter().map(faces).collect();
        let canonical: Vec<[u8; 4]> =
            settings.kinds().iter().map(|kind| std::array::from_fn(|rotation| kind.canonical(rotation) as u8)).collect();
        let rotations = faces.iter().zip(&canonical).flat_map(|(faces, canonical)| legal_rotations(faces, canonical)).collect();
        let mut start_list = ArrayVec::new();
        let start_cells = std::array::from_fn(|index| {
            if index == TEMPLE {
                return Some(TEMPLE_CELL);
            }
            let cell = start.cells[index]?;
            start_list.push((start_space(table, index), cell));
            Some(start_list.len() as u16 - 1)
        });
        let mut tables = Self {
            start: State::empty(capacity(settings)),
            faces,
            rotations,
            canonical,
            tally_worth: settings.kinds().iter().map(Kind::tally_worth).collect(),
            copies: settings.kinds().iter().map(|kind| kind.copies(players)).collect(),
            table,
            spaces: (0..table * table).map(|space| space_byte(space, table)).collect(),
            start_edges: std::array::from_fn(|index| match start.cells[index] {
                _ if index == TEMPLE => start.temple,
                cell => cell.map_or([Edge::Wall; 4], |cell| cell.edges),
            }),
            start_cells,
            num_start_cells: start_list.len(),
            start_list,
        };
        tables.start = tables.new_start(settings);
        tables
    }

    /// The id of a discard; below it are those of laying.
    pub(super) const fn discard_id(&self) -> u32 {
        4 * (self.table * self.table) as u32
    }

    /// Legal canonical rotations of a kind on a space with `code`, as four bits.
    #[inline(always)]
    pub(super) fn rotations_of(&self, kind: usize) -> &[u8; CODES] {
        self.rotations[kind * CODES..][..CODES].try_into().expect("a row for each kind")
    }

    /// Which neighbours of a space are on the table, as four bits.
    #[inline(always)]
    pub(super) fn neighbours_on_table(&self, space: u16) -> u8 {
        self.spaces[usize::from(space)] & 15
    }

    /// The place of a space in the start tile, 0 to 8 in reading order.
    #[inline(always)]
    pub(super) fn start_index(&self, space: u16) -> Option<usize> {
        usize::from(self.spaces[usize::from(space)] >> 4).checked_sub(1)
    }

    /// The space of the start tile with this index.
    pub(super) fn start_space(&self, index: usize) -> u16 {
        start_space(self.table, index)
    }

    /// The neighbour on a side; it must be on the table.
    #[inline(always)]
    pub(super) fn neighbour(&self, space: u16, side: usize) -> u16 {
        let table = self.table as u16;
        match side {
            0 => space - table,
            1 => space + 1,
            2 => space + table,
            _ => space - 1,
        }
    }

    /// What the start tile shows on a side of one of its spaces.
    #[inline(always)]
    pub(super) fn start_edge(&self, index: usize, side: usize) -> Edge {
        self.start_edges[index][side]
    }

    fn new_start(&self, settings: &Settings) -> State {
        let mut state = self.start.clone();
        for seat in 0..settings.players {
            state.unplayed_mut(seat)[..self.copies.len()].copy_from_slice(&self.copies);
            state.left[seat] = settings.set_size();
        }
        let mut table = state.table_mut();
        *table.lengths = Lengths { cells: self.num_start_cells as u16, ..Lengths::default() };
        for cell in 0..self.num_start_cells {
            table.labels[cell] = cell as u16;
        }
        for index in 0..9 {
            let space = self.start_space(index);
            for side in Side::ALL {
                let (edge, cell) = (self.start_edge(index, side.index()), self.start_cells[index]);
                let other = [index.wrapping_sub(3), index + 1, index + 3, index.wrapping_sub(1)][side.index()];
                let inside = match side {
                    Side::North => index >= 3,
                    Side::East => index % 3 < 2,
                    Side::South => index < 6,
                    Side::West => index % 3 > 0,
                };
                if inside {
                    // Each pair once.
                    if index < other {
                        let other_edge = self.start_edge(other, side.opposite().index());
                        join(&mut table, (edge, cell), (other_edge, self.start_cells[other]));
                    }
                    continue;
                }
                if let (Edge::Open, Some(cell)) = (edge, cell) {
                    let label = table.labels[usize::from(cell)];
                    table.open[usize::from(label)] += 1;
                }
                let floor = settings.start_side().cells[index].map_or(0, |cell| cell.floor);
                touch(&mut table, self.neighbour(space, side.index()), side.opposite().index(), digit(edge, floor));
            }
        }
        state
    }
}

fn start_space(table: usize, index: usize) -> u16 {
    let middle = table / 2;
    ((middle - 1 + index / 3) * table + middle - 1 + index % 3) as u16
}

/// What a kind shows, by rotation and side.
fn faces(kind: &Kind) -> [[Face; 4]; 4] {
    std::array::from_fn(|rotation| {
        let (edges, owners) = kind.face(rotation);
        std::array::from_fn(|side| {
            let floor = kind.parts[usize::from(owners[side])].floor;
            Face { edge: edges[side], part: owners[side], digit: digit(edges[side], floor) }
        })
    })
}

/// What a neighbouring space meets.
fn digit(edge: Edge, floor: u8) -> u8 {
    if edge == Edge::Open { 1 + floor } else { CLOSED }
}

/// For every code the canonical rotations that may lie there (FC-5.3): open sides of different floors must not meet.
fn legal_rotations(faces: &[[Face; 4]; 4], canonical: &[u8; 4]) -> Vec<u8> {
    (0..CODES)
        .map(|code| {
            let legal = (0..4).filter(|&rotation| usize::from(canonical[rotation]) == rotation).filter(|&rotation| {
                (0..4).all(|side| {
                    let (mine, met) = (faces[rotation][side].digit, digit_of(code as u16, side));
                    mine == CLOSED || met == 0 || met == CLOSED || met == mine
                })
            });
            let mask = legal.fold(0_u8, |mask, rotation| mask | 1 << rotation);
            mask | (mask.count_ones() as u8) << 4
        })
        .collect()
}

fn space_byte(space: usize, table: usize) -> u8 {
    let (row, column) = (space / table, space % table);
    let on_table = [row > 0, column + 1 < table, row + 1 < table, column > 0];
    let bits = (0..4).fold(0, |bits, side| bits | u8::from(on_table[side]) << side);
    let middle = table / 2;
    let (down, right) = (row.wrapping_sub(middle - 1), column.wrapping_sub(middle - 1));
    if down < 3 && right < 3 { bits | ((1 + down * 3 + right) as u8) << 4 } else { bits }
}

/// Upper bounds of what a position of this game holds.
fn capacity(settings: &Settings) -> Capacity {
    let (players, tiles) = (settings.players, settings.most_plies());
    let sum = |count: &dyn Fn(&Kind) -> usize| -> usize {
        players * settings.kinds().iter().map(|kind| usize::from(kind.copies(players)) * count(kind)).sum::<usize>()
    };
    let arches_of = |edges: &[Edge; 4]| edges.iter().filter(|edge| **edge == Edge::Arch).count();
    let pairs = sum(&|kind| kind.parts.len() - 1).min(tiles);
    let start = settings.start_side();
    let start_arches: usize =
        start.cells.iter().flatten().map(|cell| arches_of(&cell.edges)).sum::<usize>() + arches_of(&start.temple);
    // Every open arch shows at least one arch, and lies between two spaces or in a diagonal wall.
    let arches = sum(&|kind| arches_of(&kind.edges) + usize::from(kind.diagonal_arch)) + start_arches;
    let spaces = tiles + 9;
    // So many spaces have at most 2n - 2 sqrt(n) pairs of neighbours.
    let meetings = 2 * spaces - 2 * spaces.isqrt();
    Capacity { tiles, cells: 8 + tiles + pairs, arches: arches.min(meetings + pairs), kinds: settings.kinds().len() }
}
