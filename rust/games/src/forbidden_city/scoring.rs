//! Room values, payments, the final tally and the result (FC-5.10, FC-7).

use forbidden_games_core::contract::Rules;
use forbidden_games_core::outcome::{ScoreLine, ranking_by_key};
use forbidden_games_core::player::ByPlayer;

use super::board::{TEMPLE_CELL, Table};
use super::game::Game;
use super::state::{Phase, State};
use super::storage::MAX_CELLS;

/// Sums over the cells of a room (FC-5.9) and its value (FC-5.10).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Total {
    pub(super) floor: u8,
    pub(super) tiles: u32,
    pub(super) dragons: u32,
    pub(super) advisors: [u32; 4],
    /// Linked to the temple.
    pub(super) temple: bool,
    pub(super) value: u32,
}

/// Payment of a closed room by advisors and value (FC-7.2).
pub(super) fn payments(advisors: &[u32], value: u32) -> ByPlayer<u32> {
    let mut seats = [0; 4];
    seats[..advisors.len()].copy_from_slice(advisors);
    halves_paid(seats)[..advisors.len()].iter().map(|&halves| share(halves, value)).collect()
}

/// What `halves` of a value are, each rounded down.
pub(super) fn share(halves: u8, value: u32) -> u32 {
    [0, value / 2, value][usize::from(halves)]
}

/// What each seat gets of the value of a closed room, in halves (rounded down).
pub(super) type Halves = [u8; 4];

/// [`payments`] without the value; seats that do not play have no advisors. Alone in front: all of it. Two or more in front: half each,
/// nothing for others. Alone in second place behind one: half.
pub(super) fn halves_paid<Count: Copy + Ord + Default>(advisors: [Count; 4]) -> Halves {
    advisors.map(|count| {
        let more = advisors.iter().filter(|&&other| other > count).count();
        let equal = advisors.iter().filter(|&&other| other == count).count();
        match (more, equal) {
            _ if count == Count::default() => 0,
            (0, 1) => 2,
            (0, _) | (1, 1) => 1,
            _ => 0,
        }
    })
}

/// A visit to every cell in order of number: cell, whether it is the second part of a tile, what it brings.
pub(super) struct Cell {
    pub(super) cell: usize,
    /// The first part of the same tile is `cell - 1`.
    pub(super) second: bool,
    pub(super) space: u16,
    pub(super) floor: u8,
    pub(super) dragons: u8,
    /// Seat and number.
    pub(super) advisors: (usize, u8),
}

pub(super) fn scores(game: &Game, state: &State) -> ByPlayer<i32> {
    state.coins[..game.players()].iter().copied().collect()
}

pub(super) fn ranking(game: &Game, state: &State) -> ByPlayer<u8> {
    ranking_by_key(&state.coins[..game.players()])
}

pub(super) fn score_sheet(game: &Game, state: &State) -> Vec<ScoreLine> {
    let coins = game.scores(state);
    if state.phase != Phase::End {
        return vec![ScoreLine { item: "closed rooms", rule: "FC-7.2", points: coins }];
    }
    let tally = game.tally(state);
    let rooms = coins.iter().zip(&tally).map(|(coins, tally)| coins - tally).collect();
    vec![
        ScoreLine { item: "closed rooms", rule: "FC-7.2", points: rooms },
        ScoreLine { item: "unplayed tiles", rule: "FC-7.4", points: tally },
    ]
}

impl Game {
    /// All cells of the start tile and the laid tiles, in order of number.
    #[inline(always)]
    pub(super) fn for_each_cell(&self, table: Table<'_>, mut visit: impl FnMut(Cell)) {
        for (cell, &(space, start)) in self.tables.start_list.iter().enumerate() {
            let (floor, dragons) = (start.floor, start.dragons);
            visit(Cell { cell, second: false, space, floor, dragons, advisors: (0, 0) });
        }
        let mut cell = self.tables.num_start_cells;
        for laid in table.laid {
            for (index, part) in self.kinds()[laid.kind()].parts.iter().enumerate() {
                visit(Cell {
                    cell,
                    second: index == 1,
                    space: laid.space(),
                    floor: part.floor,
                    dragons: part.dragons,
                    advisors: (laid.seat(), part.advisors),
                });
                cell += 1;
            }
        }
    }

    /// Sums and value of the room with this label.
    pub(super) fn total(&self, table: Table<'_>, label: u16) -> Total {
        let mut total = Total::default();
        // By label: what a room has to do with this one.
        const OWN: u8 = 1;
        const LINKED: u8 = 2;
        let mut relation = [0_u8; MAX_CELLS];
        for &[a, b] in table.arches {
            for (from, to) in [(a, b), (b, a)] {
                if from == TEMPLE_CELL || table.labels[usize::from(from)] != label {
                    continue;
                }
                if to == TEMPLE_CELL {
                    total.temple = true;
                } else {
                    relation[usize::from(table.labels[usize::from(to)])] = LINKED;
                }
            }
        }
        // An arch from the room to itself makes no link.
        relation[usize::from(label)] = OWN;
        let mut neighbours = 0;
        self.for_each_cell(table, |cell| {
            let own = table.labels[cell.cell];
            let relation = relation[usize::from(own)];
            if relation == 0 {
                return;
            }
            let first_of_tile = !cell.second || table.labels[cell.cell - 1] != own;
            if relation == OWN {
                total.floor = cell.floor;
                total.tiles += u32::from(first_of_tile);
                total.dragons += u32::from(cell.dragons);
                total.advisors[cell.advisors.0] += u32::from(cell.advisors.1);
            } else {
                neighbours += u32::from(first_of_tile) + 3 * u32::from(cell.dragons);
            }
        });
        total.value = total.tiles + 3 * total.dragons + neighbours + u32::from(total.temple);
        total
    }

    /// What the unplayed tiles of each seat bring at the end (FC-7.4).
    pub(super) fn tally(&self, state: &State) -> ByPlayer<i32> {
        (0..self.players()).map(|seat| self.unplayed_worth(state, seat)).collect()
    }

    /// What the unplayed tiles of a seat would bring at the end.
    pub(super) fn unplayed_worth(&self, state: &State, seat: usize) -> i32 {
        state.unplayed(seat).iter().zip(&self.tables.tally_worth).map(|(&copies, worth)| i32::from(copies) * worth).sum()
    }
}
