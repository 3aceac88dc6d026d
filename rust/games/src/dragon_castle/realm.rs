//! Realms: squares as bits of a `u64` in reading order (a realm has at most 64), groups and sets (DC-5.1, DC-5.10).

use forbidden_games_core::geometry::square::Grid;

use super::Tables;
use super::state::{RealmStack, State};

/// The squares of a mask in reading order.
pub(super) fn squares(mask: u64) -> impl Iterator<Item = usize> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        if rest == 0 {
            return None;
        }
        let square = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        Some(square)
    })
}

/// The first square of a mask that is not empty, alone.
#[inline]
pub(super) const fn first_square(mask: u64) -> u64 {
    mask & mask.wrapping_neg()
}

/// The square with `rank` squares of the mask before it.
#[inline]
pub(super) fn nth_square(mask: u64, rank: u32) -> usize {
    let mut rest = mask;
    for _ in 0..rank {
        rest &= rest - 1;
    }
    rest.trailing_zeros() as usize
}

/// The squares later than `square`.
#[inline]
pub(super) const fn later(square: u8) -> u64 {
    u64::MAX << square << 1
}

/// Size and shape of the realms.
#[derive(Clone, Copy, Debug)]
pub(super) struct RealmShape {
    pub(super) grid: Grid,
    /// Every square.
    pub(super) all: u64,
    first_column: u64,
    last_column: u64,
}

impl RealmShape {
    pub(super) fn new(rows: usize, columns: usize) -> Self {
        let first_column = (0..rows).fold(0, |mask, row| mask | 1 << (row * columns));
        Self {
            grid: Grid { rows, columns },
            all: u64::MAX >> (64 - rows * columns),
            first_column,
            last_column: first_column << (columns - 1),
        }
    }

    /// The squares of the row or column with this index.
    pub(super) const fn row(&self, row: usize) -> u64 {
        (u64::MAX >> (64 - self.grid.columns)) << (row * self.grid.columns)
    }

    /// The squares of the column with this index.
    pub(super) const fn column(&self, column: usize) -> u64 {
        self.first_column << column
    }

    /// The squares of the border.
    pub(super) const fn border(&self) -> u64 {
        self.first_column | self.last_column | self.row(0) | self.row(self.grid.rows - 1)
    }

    /// The four corner squares.
    pub(super) const fn corners(&self) -> u64 {
        (self.first_column | self.last_column) & (self.row(0) | self.row(self.grid.rows - 1))
    }

    /// Squares that share a side with one of the mask.
    #[inline]
    pub(super) const fn neighbours(&self, mask: u64) -> u64 {
        let columns = self.grid.columns as u32;
        let sideways = (mask & !self.last_column) << 1 | (mask & !self.first_column) >> 1;
        (sideways | mask << columns | mask >> columns) & self.all
    }

    /// All squares of `within` connected with `seed`, a part of it.
    #[inline]
    pub(super) const fn group(&self, seed: u64, within: u64) -> u64 {
        let mut group = seed;
        loop {
            let grown = group | self.neighbours(group) & within;
            if grown == group {
                return group;
            }
            group = grown;
        }
    }

    /// All squares of `within` that lie in groups of at least 4.
    #[inline]
    pub(super) const fn large_groups(&self, within: u64) -> u64 {
        // A member of a group of 2 or more has a neighbour; this drops most loose tiles at once.
        let mut rest = within & self.neighbours(within);
        let mut found = 0;
        while rest.count_ones() >= 4 {
            let group = self.group(first_square(rest), rest);
            if group.count_ones() >= 4 {
                found |= group;
            }
            rest &= !group;
        }
        found
    }
}

impl Tables {
    /// The squares of a seat's realm.
    #[inline]
    pub(super) fn realm<'a>(&self, state: &'a State, seat: usize) -> &'a [RealmStack] {
        let len = self.realm.grid.len();
        &state.realms[seat * len..(seat + 1) * len]
    }

    #[inline]
    pub(super) fn realm_mut<'a>(&self, state: &'a mut State, seat: usize) -> &'a mut [RealmStack] {
        let len = self.realm.grid.len();
        &mut state.realms[seat * len..(seat + 1) * len]
    }

    /// Computes what is kept about the realms from their stacks.
    pub(super) fn refresh_realms(&self, state: &mut State) {
        for seat in 0..self.players {
            let (mut stacks, mut face_up) = (0, 0);
            for (square, stack) in self.realm(state, seat).iter().enumerate() {
                stacks |= u64::from(stack.height > 0) << square;
                face_up |= u64::from(stack.top != 0) << square;
            }
            state.masks[seat].stacks = stacks;
            state.masks[seat].face_up = face_up;
        }
    }

    /// Face-up squares of a realm by type.
    #[inline]
    pub(super) fn type_masks(&self, state: &State, seat: usize) -> [u64; 8] {
        let realm = self.realm(state, seat);
        let mut masks = [0; 8];
        for square in squares(state.masks[seat].face_up) {
            masks[usize::from(self.type_of_top[usize::from(realm[square].top)]) & 7] |= 1 << square;
        }
        masks
    }

    /// Face-up squares of one type.
    pub(super) fn type_mask(&self, state: &State, seat: usize, kind: u8) -> u64 {
        let realm = self.realm(state, seat);
        squares(state.masks[seat].face_up)
            .filter(|&square| self.type_of_top[usize::from(realm[square].top)] == kind)
            .fold(0, |mask, square| mask | 1 << square)
    }

    /// The squares of all sets of a realm (DC-5.10).
    pub(super) fn sets(&self, state: &State, seat: usize) -> u64 {
        if state.masks[seat].face_up.count_ones() < 4 {
            return 0;
        }
        self.type_masks(state, seat).into_iter().fold(0, |found, mask| found | self.realm.large_groups(mask))
    }

    /// The group of one type around a face-up square.
    pub(super) fn type_group(&self, state: &State, seat: usize, square: usize) -> u64 {
        let kind = self.type_of_top[usize::from(self.realm(state, seat)[square].top)];
        self.realm.group(1 << square, self.type_mask(state, seat, kind))
    }

    /// The sets whose squares are in `mask`, ordered by first square (DC-5.11).
    pub(super) fn split_sets(&self, state: &State, seat: usize, mask: u64) -> impl Iterator<Item = u64> {
        let mut rest = mask;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let set = self.type_group(state, seat, rest.trailing_zeros() as usize);
            rest &= !set;
            Some(set)
        })
    }

    /// Face-up faction squares with the number of this square's symbol, among `within`.
    pub(super) fn number_mask(&self, state: &State, seat: usize, square: usize, within: u64) -> u64 {
        let realm = self.realm(state, seat);
        let number = self.number_of_top[usize::from(realm[square].top)];
        squares(within)
            .filter(|&other| self.number_of_top[usize::from(realm[other].top)] == number)
            .fold(0, |mask, other| mask | 1 << other)
    }

    /// Face-up faction squares among `within`.
    pub(super) fn faction_mask(&self, state: &State, seat: usize, within: u64) -> u64 {
        let realm = self.realm(state, seat);
        squares(within)
            .filter(|&square| self.number_of_top[usize::from(realm[square].top)] != super::components::Symbol::NO_NUMBER)
            .fold(0, |mask, square| mask | 1 << square)
    }

    /// The groups of DC-5.20 among the face-up squares `within`, ordered by first square.
    pub(super) fn beauty_groups(&self, state: &State, seat: usize, within: u64) -> impl Iterator<Item = u64> {
        let mut rest = self.faction_mask(state, seat, within);
        std::iter::from_fn(move || {
            while rest.count_ones() >= 4 {
                let square = rest.trailing_zeros() as usize;
                let group = self.realm.group(1 << square, self.number_mask(state, seat, square, rest));
                rest &= !group;
                if group.count_ones() >= 4 {
                    return Some(group);
                }
            }
            None
        })
    }
}
