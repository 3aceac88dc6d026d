//! Options (FC-3) and what a game derives from them once: tables of faces, legal rotations, the start.

use arrayvec::ArrayVec;
use serde_json::{Value, json};

use forbidden_games_core::error::SetupError;
use forbidden_games_core::geometry::orientation::Side;
use forbidden_games_core::options::{self, ComponentSource, OptionKind, OptionSpec, Options};

use super::apply;
use super::components::{Components, Edge, SIDES, StartCell, StartSide, TEMPLE};
use super::scoring::kind_worth;
use super::state::{Capacity, Lengths, State, TEMPLE_CELL};

/// Fewest and most seats (FC-3.1).
pub(super) const PLAYERS: (usize, usize) = (2, 4);

/// Codes of what a space meets: one digit of base 5 for each side.
pub(super) const CODES: usize = 625;

/// Weight of each side's digit in a code: 0 nothing, 1 to 3 open with floor g, p, w, 4 a wall or an arch.
pub(super) const DIGIT: [u16; 4] = [1, 5, 25, 125];

/// The digit of a side without an opening.
pub(super) const CLOSED: u8 = 4;

/// The three options in order.
pub(super) fn schema() -> Vec<OptionSpec> {
    vec![
        OptionSpec {
            name: "side",
            kind: OptionKind::Choice(&SIDES),
            default: json!("beginner"),
            meaning: "which side of the start tile lies up (FC-3)",
        },
        OptionSpec {
            name: "table",
            kind: OptionKind::Integer { min: 15, max: 127, odd: true },
            default: json!(41),
            meaning: "tiles are laid only where |x| and |y| are at most (table - 1) / 2 (FC-3)",
        },
        OptionSpec {
            name: "components",
            kind: OptionKind::Text("house-1, test-1, or the name of the set in use"),
            default: json!("house-1"),
            meaning: "the component set (FC-3.1)",
        },
    ]
}

/// What one side of a turned tile shows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    pub(super) edge: Edge,
    /// The part that owns it.
    pub(super) part: u8,
    /// What a neighbouring space meets, see [`DIGIT`].
    pub(super) digit: u8,
}

/// Everything fixed by players, options and components; shared by all copies of a game.
#[derive(Debug)]
pub(super) struct Tables {
    pub(super) players: usize,
    pub(super) side: usize,
    pub(super) table: usize,
    pub(super) components: Components,
    /// By kind, rotation and side.
    pub(super) faces: Vec<[[Face; 4]; 4]>,
    /// By kind and code: legal canonical rotations as four bits, their number above them.
    rotations: Vec<u8>,
    /// By kind: the canonical rotation of each.
    pub(super) canonical: Vec<[u8; 4]>,
    /// By kind: what a tile brings in the final tally (FC-7.4).
    pub(super) tally_worth: Vec<i32>,
    /// By space: bits 0-3 which neighbours are on the table, bits 4-7 one more than its place in the start tile.
    spaces: Vec<u8>,
    /// Cell of each space of the start tile: [`TEMPLE_CELL`], or no cell for a garden.
    pub(super) start_cells: [Option<u16>; 9],
    pub(super) num_start_cells: usize,
    /// Space and content of each cell of the start tile, in the order of cells.
    pub(super) start_list: ArrayVec<(u16, StartCell), 8>,
    /// The position before the first draw.
    pub(super) start: State,
}

impl Tables {
    pub(super) fn new(players: usize, given: &Options, source: Option<&ComponentSource>) -> Result<Self, SetupError> {
        options::check_players(players, PLAYERS.0, PLAYERS.1)?;
        let complete = options::complete(&schema(), given)?;
        let components = Components::choose(given, source)?;
        let side = SIDES.iter().position(|side| complete["side"] == *side).unwrap_or(0);
        let table = complete["table"].as_u64().unwrap_or(41) as usize;
        let faces: Vec<[[Face; 4]; 4]> = components
            .kinds
            .iter()
            .map(|kind| {
                std::array::from_fn(|rotation| {
                    let (edges, owners) = kind.face(rotation);
                    std::array::from_fn(|side| {
                        let floor = kind.parts[usize::from(owners[side])].floor;
                        Face { edge: edges[side], part: owners[side], digit: digit(edges[side], floor) }
                    })
                })
            })
            .collect();
        let canonical: Vec<[u8; 4]> =
            components.kinds.iter().map(|kind| std::array::from_fn(|rotation| kind.canonical(rotation) as u8)).collect();
        let rotations = faces.iter().zip(&canonical).flat_map(|(faces, canonical)| legal_rotations(faces, canonical)).collect();
        let start_side = &components.start[side];
        let mut next = 0;
        let start_cells = std::array::from_fn(|index| {
            if index == TEMPLE {
                return Some(TEMPLE_CELL);
            }
            start_side.cells[index].map(|_| {
                next += 1;
                next - 1
            })
        });
        let mut tables = Self {
            players,
            side,
            table,
            start: State::empty(capacity(&components, players, side)),
            faces,
            rotations,
            canonical,
            tally_worth: components.kinds.iter().map(kind_worth).collect(),
            spaces: (0..table * table).map(|space| space_byte(space, table)).collect(),
            start_cells,
            num_start_cells: usize::from(next),
            start_list: ArrayVec::new(),
            components,
        };
        tables.start_list =
            (0..9).filter_map(|index| tables.start_side().cells[index].map(|cell| (tables.start_space(index), cell))).collect();
        tables.start = tables.new_start();
        Ok(tables)
    }

    /// The largest coordinate.
    pub(super) fn half(&self) -> i32 {
        (self.table as i32 - 1) / 2
    }

    pub(super) fn discard_id(&self) -> u32 {
        4 * (self.table * self.table) as u32
    }

    pub(super) fn options(&self) -> Options {
        let mut options = Options::new();
        options.insert("side".to_owned(), SIDES[self.side].into());
        options.insert("table".to_owned(), self.table.into());
        options.insert("components".to_owned(), self.components.name.clone().into());
        options
    }

    pub(super) fn components_json(&self) -> Value {
        self.components.own.clone().unwrap_or_else(|| self.components.name.clone().into())
    }

    pub(super) fn start_side(&self) -> &StartSide {
        &self.components.start[self.side]
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
        let middle = self.table / 2;
        ((middle - 1 + index / 3) * self.table + middle - 1 + index % 3) as u16
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
        let start = self.start_side();
        if index == TEMPLE { start.temple[side] } else { start.cells[index].map_or(Edge::Wall, |cell| cell.edges[side]) }
    }

    fn new_start(&self) -> State {
        let mut state = self.start.clone();
        let start = self.start_side();
        for seat in 0..self.players {
            for (kind, tile) in self.components.kinds.iter().enumerate() {
                state.unplayed_mut(seat)[kind] = tile.copies(self.players);
            }
            state.left[seat] = self.components.set_size(self.players);
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
                        apply::join(&mut table, (edge, cell), (other_edge, self.start_cells[other]));
                    }
                    continue;
                }
                if let (Edge::Open, Some(cell)) = (edge, cell) {
                    let label = table.labels[usize::from(cell)];
                    table.open[usize::from(label)] += 1;
                }
                let floor = start.cells[index].map_or(0, |cell| cell.floor);
                apply::touch(&mut table, self.neighbour(space, side.index()), side.opposite().index(), digit(edge, floor));
            }
        }
        state
    }
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

/// The digit of one side in a code.
#[inline(always)]
pub(super) fn digit_of(code: u16, side: usize) -> u8 {
    (code / DIGIT[side] % 5) as u8
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
fn capacity(components: &Components, players: usize, side: usize) -> Capacity {
    let set = usize::from(components.set_size(players));
    let tiles = players * (set - 2);
    let sum = |count: &dyn Fn(&super::components::Kind) -> usize| -> usize {
        players * components.kinds.iter().map(|kind| usize::from(kind.copies(players)) * count(kind)).sum::<usize>()
    };
    let arches_of = |edges: &[Edge; 4]| edges.iter().filter(|edge| **edge == Edge::Arch).count();
    let pairs = sum(&|kind| kind.parts.len() - 1).min(tiles);
    let start = &components.start[side];
    let start_arches: usize =
        start.cells.iter().flatten().map(|cell| arches_of(&cell.edges)).sum::<usize>() + arches_of(&start.temple);
    // Every open arch shows at least one arch, and lies between two spaces or in a diagonal wall.
    let arches = sum(&|kind| arches_of(&kind.edges) + usize::from(kind.diagonal_arch)) + start_arches;
    let spaces = tiles + 9;
    // So many spaces have at most 2n - 2 sqrt(n) pairs of neighbours.
    let meetings = 2 * spaces - 2 * spaces.isqrt();
    Capacity { tiles, cells: 8 + tiles + pairs, arches: arches.min(meetings + pairs), kinds: components.kinds.len() }
}
