//! What each seat can hope for from the rooms of a position: what its evaluation is made of.

use arrayvec::ArrayVec;

use forbidden_games_core::player::Player;

use super::board::{TEMPLE_CELL, Table};
use super::game::Game;
use super::scoring::{Halves, halves_paid};
use super::storage::{MAX_ARCHES, MAX_CELLS};

/// Parts of a coin that prospects of rooms are whole numbers of. Summed up as integers: rooms come in an order that depends on the
/// way here, and equal states must be judged equal.
const UNIT: f64 = 1_048_576.0;

/// No further link in a chain.
const LAST: u16 = u16::MAX;

/// A room as the evaluation sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prospect {
    pub(super) open: u32,
    /// Tiles and dragons (FC-5.10), what it brings to rooms it is linked with.
    pub(super) worth: u32,
    /// The whole value (FC-5.10).
    pub(super) value: u32,
    pub(super) advisors: [u16; 4],
    pub(super) temple: bool,
    /// Where the chain of its links begins.
    first_link: u16,
    /// Set by [`Rooms::weigh`], like what follows.
    pub(super) halves: Halves,
    /// What each seat can hope for, in units.
    pub(super) units: [i64; 4],
}

#[derive(Clone, Copy, Debug)]
struct Link {
    to: u16,
    next: u16,
}

/// All rooms of a position, numbered by their lowest cells, with the links between them.
#[derive(Debug, Default)]
pub(super) struct Rooms {
    pub(super) rooms: ArrayVec<Prospect, MAX_CELLS>,
    /// By cell.
    room_of: ArrayVec<u16, MAX_CELLS>,
    /// Chains of links, each link in the chains of both rooms.
    links: ArrayVec<Link, { 2 * MAX_ARCHES }>,
    /// The two rooms of every tile that lies in two: it would count once if they became one.
    pub(super) split: ArrayVec<[u16; 2], MAX_CELLS>,
}

impl Rooms {
    /// Fills empty lists from the table.
    pub(super) fn survey(&mut self, game: &Game, table: Table<'_>) {
        game.for_each_cell(table, |cell| {
            let label = usize::from(table.labels[cell.cell]);
            if label == cell.cell {
                self.room_of.push(self.rooms.len() as u16);
                self.rooms.push(Prospect {
                    open: u32::from(table.open[label]),
                    worth: 0,
                    value: 0,
                    advisors: [0; 4],
                    temple: false,
                    first_link: LAST,
                    halves: [0; 4],
                    units: [0; 4],
                });
            } else {
                self.room_of.push(self.room_of[label]);
            }
            let number = self.room_of[cell.cell];
            let room = &mut self.rooms[usize::from(number)];
            room.advisors[cell.advisors.0] += u16::from(cell.advisors.1);
            room.worth += 3 * u32::from(cell.dragons);
            let first = if cell.second { self.room_of[cell.cell - 1] } else { number };
            if !cell.second || first != number {
                room.worth += 1;
            }
            if first != number {
                self.split.push([first, number]);
            }
        });
        for room in &mut self.rooms {
            room.value = room.worth;
        }
        for &[a, b] in table.arches {
            match [a == TEMPLE_CELL, b == TEMPLE_CELL] {
                [false, false] => self.link(self.room_of(a), self.room_of(b)),
                [true, false] => self.link_temple(self.room_of(b)),
                [false, true] => self.link_temple(self.room_of(a)),
                [true, true] => {}
            }
        }
    }

    /// The room of a cell.
    pub(super) fn room_of(&self, cell: u16) -> u16 {
        self.room_of[usize::from(cell)]
    }

    fn link_temple(&mut self, room: u16) {
        let room = &mut self.rooms[usize::from(room)];
        room.value += u32::from(!room.temple);
        room.temple = true;
    }

    /// Two arches between the same rooms are one link, an arch from a room to itself is none.
    fn link(&mut self, a: u16, b: u16) {
        if a == b || self.linked(a).any(|other| other == b) {
            return;
        }
        for (from, to) in [(a, b), (b, a)] {
            let worth = self.rooms[usize::from(to)].worth;
            let room = &mut self.rooms[usize::from(from)];
            room.value += worth;
            let next = std::mem::replace(&mut room.first_link, self.links.len() as u16);
            self.links.push(Link { to, next });
        }
    }

    /// The rooms that a room is linked with.
    pub(super) fn linked(&self, room: u16) -> impl Iterator<Item = u16> {
        let mut at = self.rooms[usize::from(room)].first_link;
        std::iter::from_fn(move || {
            let link = *self.links.get(usize::from(at))?;
            at = link.next;
            Some(link.to)
        })
    }

    /// Finds what the seats can hope for from each open room; the sums.
    pub(super) fn weigh(&mut self, to_come: f64) -> [i64; 4] {
        let mut sums = [0; 4];
        for room in &mut self.rooms {
            if room.open > 0 {
                room.halves = halves_paid(room.advisors);
                room.units = hoped(hope(to_come, room.open), room.value, room.halves);
                add(&mut sums, room.units);
            }
        }
        sums
    }
}

/// How much of what an open room would pay now counts: less the more sides are open and the fewer tiles are to come.
pub(super) fn hope(to_come: f64, open: u32) -> f64 {
    let open = f64::from(open);
    to_come / (to_come + 2.0 * open) * 0.8_f64 / (1.0 + 0.15 * (open - 1.0))
}

/// What each seat can hope for from a room, in units.
pub(super) fn hoped(hope: f64, value: u32, halves: Halves) -> [i64; 4] {
    let amounts = [0, rounded(hope * f64::from(value / 2) * UNIT), rounded(hope * f64::from(value) * UNIT)];
    halves.map(|half| amounts[usize::from(half)])
}

/// `f64::round` of a number that is not negative, without the library call that it is on old processors.
pub(super) fn rounded(number: f64) -> i64 {
    let whole = number as i64;
    whole + i64::from(number - whole as f64 >= 0.5)
}

pub(super) fn add(sums: &mut [i64; 4], more: [i64; 4]) {
    for (sum, more) in sums.iter_mut().zip(more) {
        *sum += more;
    }
}

/// Tiles that are still to be laid.
pub(super) fn to_come(left: &[u8]) -> u32 {
    left.iter().map(|&left| u32::from(left) - 2).sum()
}

/// What the unplayed tiles of a seat bring on average in the final tally, by their worth and number.
pub(super) fn expected_tally(worth: i32, left: u8) -> f64 {
    2.0 * f64::from(worth) / f64::from(left.max(2))
}

/// Coins and hopes of a seat: the coins, rooms in units, and unplayed tiles.
pub(super) fn prospect(coins: i32, units: i64, tally: f64) -> f64 {
    f64::from(coins) + units as f64 / UNIT + tally
}

/// Own prospects less the best other seat's.
pub(super) fn lead(prospects: &[f64], player: Player) -> f64 {
    let others = prospects.iter().enumerate().filter(|&(seat, _)| seat != player.index());
    prospects[player.index()] - others.map(|(_, &prospect)| prospect).fold(f64::NEG_INFINITY, f64::max)
}
