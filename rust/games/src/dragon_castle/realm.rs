//! Realms: what lies on their squares, groups and sets (DC-5.1, DC-5.10).

use super::components::Symbol;
use super::game::Game;
use super::squares::squares;
use super::state::{RealmStack, State};

impl Game {
    /// The squares of a seat's realm.
    #[inline]
    pub(super) fn realm<'a>(&self, state: &'a State, seat: usize) -> &'a [RealmStack] {
        let len = self.tables.realm.grid.len();
        &state.realms[seat * len..(seat + 1) * len]
    }

    #[inline]
    pub(super) fn realm_mut<'a>(&self, state: &'a mut State, seat: usize) -> &'a mut [RealmStack] {
        let len = self.tables.realm.grid.len();
        &mut state.realms[seat * len..(seat + 1) * len]
    }

    /// Computes what is kept about the realms from their stacks.
    pub(super) fn refresh_realms(&self, state: &mut State) {
        for seat in 0..self.settings.players {
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
            masks[usize::from(self.tables.type_of_top[usize::from(realm[square].top)]) & 7] |= 1 << square;
        }
        masks
    }

    /// Face-up squares of one type.
    pub(super) fn type_mask(&self, state: &State, seat: usize, kind: u8) -> u64 {
        let realm = self.realm(state, seat);
        squares(state.masks[seat].face_up)
            .filter(|&square| self.tables.type_of_top[usize::from(realm[square].top)] == kind)
            .fold(0, |mask, square| mask | 1 << square)
    }

    /// The squares of all sets of a realm (DC-5.10).
    pub(super) fn sets(&self, state: &State, seat: usize) -> u64 {
        if state.masks[seat].face_up.count_ones() < 4 {
            return 0;
        }
        self.type_masks(state, seat).into_iter().fold(0, |found, mask| found | self.tables.realm.large_groups(mask))
    }

    /// The group of one type around a face-up square.
    pub(super) fn type_group(&self, state: &State, seat: usize, square: usize) -> u64 {
        let kind = self.tables.type_of_top[usize::from(self.realm(state, seat)[square].top)];
        self.tables.realm.group(1 << square, self.type_mask(state, seat, kind))
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
        let number = self.tables.number_of_top[usize::from(realm[square].top)];
        squares(within)
            .filter(|&other| self.tables.number_of_top[usize::from(realm[other].top)] == number)
            .fold(0, |mask, other| mask | 1 << other)
    }

    /// Face-up faction squares among `within`.
    pub(super) fn faction_mask(&self, state: &State, seat: usize, within: u64) -> u64 {
        let realm = self.realm(state, seat);
        squares(within)
            .filter(|&square| self.tables.number_of_top[usize::from(realm[square].top)] != Symbol::NO_NUMBER)
            .fold(0, |mask, square| mask | 1 << square)
    }

    /// The groups of DC-5.20 among the face-up squares `within`, ordered by first square.
    pub(super) fn beauty_groups(&self, state: &State, seat: usize, within: u64) -> impl Iterator<Item = u64> {
        let mut rest = self.faction_mask(state, seat, within);
        std::iter::from_fn(move || {
            while rest.count_ones() >= 4 {
                let square = rest.trailing_zeros() as usize;
                let group = self.tables.realm.group(1 << square, self.number_mask(state, seat, square, rest));
                rest &= !group;
                if group.count_ones() >= 4 {
                    return Some(group);
                }
            }
            None
        })
    }
}
