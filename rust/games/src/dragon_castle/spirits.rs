//! Spirits(w): which cards may be used now and with which payment (DC-5.14 to DC-5.30). A use is legal only if its effect can be
//! applied after the payment; every window asks [`Game::payments`].

use super::cards::{Spirit, Window};
use super::game::Game;
use super::squares::{CastleMask, squares};
use super::state::{RealmMasks, State};

/// The payments with which a card may be used now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Payments {
    /// Face-up tiles that may pay.
    pub(super) tiles: u64,
    /// Whether a shrine may pay.
    pub(super) shrine: bool,
}

impl Payments {
    pub(super) const fn is_empty(self) -> bool {
        self.tiles == 0 && !self.shrine
    }

    pub(super) const fn len(self) -> u32 {
        self.tiles.count_ones() + self.shrine as u32
    }
}

impl Game {
    /// Whether any spirit can be used in this window.
    pub(super) fn has_spirits(&self, state: &State, window: Window) -> bool {
        !state.spirits.is_empty() && state.spirits.spirits().any(|card| !self.payments(state, card, window).is_empty())
    }

    /// With what `card` can be paid for in `window` (DC-5.14, DC-5.17).
    pub(super) fn payments(&self, state: &State, card: Spirit, window: Window) -> Payments {
        let (turn, index) = (&state.turn, card.index());
        let closed = !state.spirits.has(index) || turn.used.has(index) || turn.bound.is_some();
        if closed || !card.windows().contains(&window) || window == Window::Build && turn.after.is_some() {
            return Payments::default();
        }
        self.effective_payments(state, card, window)
    }

    /// As [`Game::payments`], without asking whether the card may be used at all.
    pub(super) fn effective_payments(&self, state: &State, card: Spirit, window: Window) -> Payments {
        let (seat, turn) = (state.seat(), &state.turn);
        let masks = state.masks[seat];
        let all = Payments { tiles: masks.face_up & !turn.pending, shrine: state.pools[seat] > 0 };
        match card {
            Spirit::Elegance | Spirit::Deception | Spirit::Stair | Spirit::Kinship => {
                if self.bound_picks(state, card, window).is_empty() {
                    return Payments::default();
                }
                // A tile that pays leaves an open square behind.
                let open = masks.open(self.tables.realm.all).count_ones();
                let room = |needed| window != Window::Second || open >= needed;
                Payments { tiles: if room(1) { all.tiles } else { 0 }, shrine: all.shrine && room(2) }
            }
            Spirit::Beauty => {
                let mut groups = self.beauty_groups(state, seat, masks.face_up);
                let Some(group) = groups.next() else { return Payments::default() };
                if groups.next().is_some() {
                    return all;
                }
                // The only group must stay large enough without the tile that pays.
                all.keep_tiles(|square| {
                    let rest = group & !(1 << square);
                    rest == group || self.tables.realm.large_groups(rest) != 0
                })
            }
            Spirit::Change => self.change_payments(state, seat, all),
            Spirit::Wind => {
                let possible = |masks: RealmMasks| masks.shrines != 0 && (masks.bare() | masks.face_up) != 0;
                self.judge_each(state, seat, all, possible)
            }
            Spirit::Strength => self.judge_each(state, seat, all, |masks| movable(masks, masks.open(self.tables.realm.all)) != 0),
            Spirit::Mirror => {
                let types = self.type_masks(state, seat);
                let kinds = |without: u64| types.iter().filter(|&&mask| mask & !without != 0).count();
                let tiles = all.keep_tiles(|square| kinds(1 << square) >= 2);
                Payments { shrine: all.shrine && kinds(0) >= 2, ..tiles }
            }
            Spirit::Mason => {
                let raised = u32::from(turn.builds) + 1;
                let pool = u32::from(state.pools[seat]);
                if turn.set.count_ones() < raised {
                    return Payments::default();
                }
                Payments { tiles: if pool >= raised { all.tiles } else { 0 }, shrine: pool > raised }
            }
        }
    }

    /// The payments after which `possible` holds for the realm's masks.
    fn judge_each(&self, state: &State, seat: usize, all: Payments, possible: impl Fn(RealmMasks) -> bool) -> Payments {
        let realm = self.realm(state, seat);
        let masks = state.masks[seat];
        let tiles = all.keep_tiles(|square| {
            let bit = 1 << square;
            let stacks = if realm[square].height > 1 { masks.stacks } else { masks.stacks & !bit };
            possible(RealmMasks { stacks, face_up: masks.face_up & !bit, shrines: masks.shrines })
        });
        Payments { shrine: all.shrine && possible(masks), ..tiles }
    }

    fn change_payments(&self, state: &State, seat: usize, all: Payments) -> Payments {
        let types = self.type_masks(state, seat);
        if !self.may_change(&types, false) {
            return Payments::default();
        }
        let after = |square: usize| types.map(|mask| mask & !(1 << square));
        let tiles = all.keep_tiles(|square| self.may_change(&after(square), true));
        Payments { shrine: all.shrine && self.may_change(&types, true), ..tiles }
    }

    /// Whether `change` has a target; `strict` leaves out tiles in a set of their own type.
    fn may_change(&self, types: &[u64; 8], strict: bool) -> bool {
        (0..self.settings.components.types.len()).filter(|&own| !self.settings.components.types[own].is_faction).any(|own| {
            squares(types[own]).any(|square| {
                !(strict && self.tables.realm.group(1 << square, types[own]).count_ones() >= 4)
                    && (0..self.settings.components.types.len()).any(|kind| kind != own && self.makes_set(types[kind], square))
            })
        })
    }

    /// Whether the tile at `square` counted among `mask` lies in a group of at least 4.
    fn makes_set(&self, mask: u64, square: usize) -> bool {
        let bit = 1 << square;
        self.tables.realm.neighbours(bit) & mask != 0 && self.tables.realm.group(bit, mask | bit).count_ones() >= 4
    }

    /// The types, as bits, that the tile at `square` can count as (DC-5.25).
    pub(super) fn change_targets(&self, types: &[u64; 8], square: usize) -> u8 {
        let Some(own) = (0..self.settings.components.types.len()).find(|&kind| types[kind] >> square & 1 != 0) else {
            return 0;
        };
        if self.settings.components.types[own].is_faction || self.tables.realm.group(1 << square, types[own]).count_ones() >= 4 {
            return 0;
        }
        (0..self.settings.components.types.len())
            .filter(|&kind| kind != own && self.makes_set(types[kind], square))
            .fold(0, |targets, kind| targets | 1 << kind)
    }

    /// The group that `wild x t` consolidates.
    pub(super) fn change_group(&self, state: &State, seat: usize, square: usize, kind: u8) -> u64 {
        let bit = 1 << square;
        self.tables.realm.group(bit, self.type_mask(state, seat, kind) | bit)
    }

    /// The castle tiles that a card which binds lets one pick (DC-5.23, DC-5.24, DC-5.26, DC-5.29).
    pub(super) fn bound_picks(&self, state: &State, card: Spirit, window: Window) -> CastleMask {
        let castle = &*state.castle;
        match (card, window) {
            (Spirit::Elegance, Window::Turn) => {
                let blocked = state.highest.without(state.available);
                blocked.filter(|square| self.is_free_on_short_side(castle, square))
            }
            (Spirit::Stair, _) => state.available.without(state.highest),
            (Spirit::Elegance, _) => {
                let Some(&symbol) = state.turn.hand.as_slice().first() else { return CastleMask::default() };
                let shown = self.tops_with(state, symbol).without(state.available);
                shown.filter(|square| self.is_free_on_short_side(castle, square))
            }
            (Spirit::Kinship, _) => {
                let Some(&symbol) = state.turn.hand.as_slice().first() else { return CastleMask::default() };
                let kind = self.settings.components.symbols[usize::from(symbol)].kind;
                self.pickable(state).filter(|square| {
                    castle[square]
                        .symbol()
                        .is_some_and(|other| other != symbol && self.settings.components.symbols[usize::from(other)].kind == kind)
                })
            }
            (Spirit::Deception, _) => {
                let Some(first) = state.turn.first else { return CastleMask::default() };
                let mut beside = CastleMask::default();
                for neighbour in self.tables.castle.neighbours(usize::from(first.square)).into_iter().flatten() {
                    beside.set(neighbour, castle[neighbour].height() == first.floor);
                }
                beside.without(self.pairs(state))
            }
            _ => CastleMask::default(),
        }
    }

    /// The tiles that count as available now: by DC-5.3, or by `elegance` if it is in force.
    pub(super) fn pickable(&self, state: &State) -> CastleMask {
        if state.turn.elegance {
            let short = self.free_on_short_side(state);
            CastleMask(std::array::from_fn(|word| state.available.0[word] | short.0[word]))
        } else {
            state.available
        }
    }

    fn tops_with(&self, state: &State, symbol: u16) -> CastleMask {
        let mut shown = CastleMask::default();
        for square in 0..self.tables.castle.len() {
            shown.set(square, state.castle[square].shows(symbol));
        }
        shown
    }

    /// The tiles that *pair* can take, room aside (DC-5.6).
    pub(super) fn pairs(&self, state: &State) -> CastleMask {
        let Some(&symbol) = state.turn.hand.as_slice().first() else { return CastleMask::default() };
        let castle = &*state.castle;
        self.pickable(state).filter(|square| castle[square].shows(symbol))
    }
}

impl Payments {
    fn keep_tiles(self, test: impl Fn(usize) -> bool) -> Self {
        Self { tiles: squares(self.tiles).filter(|&square| test(square)).fold(0, |mask, square| mask | 1 << square), ..self }
    }
}

/// The tiles that `strength` may lift (DC-5.22): tops without a shrine that have an open square other than their own to go to.
pub(super) const fn movable(masks: RealmMasks, open: u64) -> u64 {
    let tiles = masks.stacks & !masks.shrines;
    match open.count_ones() {
        0 => 0,
        1 => tiles & !open,
        _ => tiles,
    }
}
