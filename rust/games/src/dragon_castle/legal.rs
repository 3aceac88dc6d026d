//! The legal actions of a position as a few segments in id order, from which lists, random choices and membership follow without
//! writing the rules twice.

use arrayvec::ArrayVec;

use super::actions::{Action, ActionIds, OfSquare, Payment};
use super::cards::{Spirit, Window};
use super::game::Game;
use super::spirits::{Payments, movable};
use super::squares::{CastleMask, first_square, later, nth_square, squares};
use super::state::{Phase, State};

/// Actions that differ in one argument only, ascending by it.
#[derive(Clone, Copy, Debug)]
enum Segment {
    One(Action),
    Castle(OfSquare, CastleMask),
    Realm(OfSquare, u64),
    /// `wild` of one tile: the types as bits.
    Wild(u8, u8),
    /// `swap` of one tile with later ones.
    Swap(u8, u64),
    Spirit(Spirit, Payments),
}

impl Segment {
    #[inline]
    fn len(&self) -> u32 {
        match *self {
            Self::One(_) => 1,
            Self::Castle(_, mask) => mask.len(),
            Self::Realm(_, mask) | Self::Swap(_, mask) => mask.count_ones(),
            Self::Wild(_, types) => types.count_ones(),
            Self::Spirit(_, payments) => payments.len(),
        }
    }

    #[inline]
    fn nth(&self, rank: u32) -> Action {
        match *self {
            Self::One(action) => action,
            Self::Castle(make, mask) => make(mask.nth(rank) as u8),
            Self::Realm(make, mask) => make(nth_square(mask, rank) as u8),
            Self::Wild(square, types) => Action::Wild(square, nth_square(u64::from(types), rank) as u8),
            Self::Swap(square, mask) => Action::Swap(square, nth_square(mask, rank) as u8),
            Self::Spirit(card, Payments { tiles, .. }) if rank < tiles.count_ones() => {
                Action::Spirit(card, Payment::Tile(nth_square(tiles, rank) as u8))
            }
            Self::Spirit(card, _) => Action::Spirit(card, Payment::Shrine),
        }
    }

    #[inline]
    fn for_each(&self, mut take: impl FnMut(Action)) {
        match *self {
            Self::One(action) => take(action),
            Self::Castle(make, mask) => mask.for_each(|square| take(make(square as u8))),
            Self::Realm(make, mask) => squares(mask).for_each(|square| take(make(square as u8))),
            _ => (0..self.len()).for_each(|rank| take(self.nth(rank))),
        }
    }

    /// Calls `take` with the id of each action: ids of actions that differ in their last argument alone follow each other as it does.
    #[inline]
    fn for_each_id(&self, ids: ActionIds, mut take: impl FnMut(u32)) {
        match *self {
            Self::One(action) => take(ids.id(action)),
            Self::Castle(make, mask) => {
                let first = ids.id(make(0));
                mask.for_each(|square| take(first + square as u32));
            }
            Self::Realm(make, mask) => {
                let first = ids.id(make(0));
                squares(mask).for_each(|square| take(first + square as u32));
            }
            Self::Wild(square, types) => {
                let first = ids.id(Action::Wild(square, 0));
                squares(u64::from(types)).for_each(|kind| take(first + kind as u32));
            }
            Self::Swap(square, mask) => {
                let next = u32::from(square) + 1;
                let first = ids.id(Action::Swap(square, square + 1));
                squares(mask).for_each(|other| take(first + other as u32 - next));
            }
            Self::Spirit(card, Payments { tiles, shrine }) => {
                let first = ids.id(Action::Spirit(card, Payment::Tile(0)));
                squares(tiles).for_each(|square| take(first + square as u32));
                if shrine {
                    take(ids.id(Action::Spirit(card, Payment::Shrine)));
                }
            }
        }
    }

    fn contains(&self, action: Action) -> bool {
        match (*self, action) {
            (Self::One(one), _) => one == action,
            (Self::Castle(make, mask), Action::Take(square) | Action::Pair(square)) => {
                make(square) == action && mask.has(usize::from(square))
            }
            (Self::Realm(make, mask), _) => {
                action.realm_square().is_some_and(|(_, square)| make(square) == action && mask >> square & 1 != 0)
            }
            (Self::Wild(square, types), Action::Wild(x, kind)) => square == x && types >> kind & 1 != 0,
            (Self::Swap(square, mask), Action::Swap(x, y)) => square == x && mask >> y & 1 != 0,
            (Self::Spirit(card, payments), Action::Spirit(used, payment)) => {
                card == used
                    && match payment {
                        Payment::Tile(square) => payments.tiles >> square & 1 != 0,
                        Payment::Shrine => payments.shrine,
                    }
            }
            _ => false,
        }
    }
}

/// All legal actions of a position. The longest lists of segments are those of `wild` and `swap`, one per square.
#[derive(Debug, Default)]
pub(super) struct Choices {
    segments: ArrayVec<Segment, 64>,
}

impl Choices {
    /// Number of actions.
    #[inline]
    pub(super) fn len(&self) -> u32 {
        self.segments.iter().map(Segment::len).sum()
    }

    /// The action with this place in the list, if there are so many.
    #[inline]
    pub(super) fn nth(&self, rank: u32) -> Option<Action> {
        let mut rank = rank;
        for segment in &self.segments {
            let len = segment.len();
            if rank < len {
                return Some(segment.nth(rank));
            }
            rank -= len;
        }
        None
    }

    /// Calls `take` with each action, ascending.
    #[inline]
    pub(super) fn for_each(&self, mut take: impl FnMut(Action)) {
        for segment in &self.segments {
            segment.for_each(&mut take);
        }
    }

    /// Calls `take` with the id of each action, ascending.
    #[inline]
    pub(super) fn for_each_id(&self, ids: ActionIds, mut take: impl FnMut(u32)) {
        for segment in &self.segments {
            segment.for_each_id(ids, &mut take);
        }
    }

    pub(super) fn contains(&self, action: Action) -> bool {
        self.segments.iter().any(|segment| segment.contains(action))
    }

    #[inline]
    fn one(&mut self, action: Action, legal: bool) {
        if legal {
            self.segments.push(Segment::One(action));
        }
    }

    #[inline]
    fn castle(&mut self, make: OfSquare, mask: CastleMask) {
        self.segments.push(Segment::Castle(make, mask));
    }

    #[inline]
    fn realm(&mut self, make: OfSquare, mask: u64) {
        self.segments.push(Segment::Realm(make, mask));
    }
}

impl Game {
    /// Finds the legal actions (DC-6.2); none at chance and terminal nodes.
    #[inline]
    pub(super) fn choices(&self, state: &State, out: &mut Choices) {
        let seat = state.seat();
        let turn = &state.turn;
        let masks = state.masks[seat];
        let all = self.tables.realm.all;
        match state.phase {
            Phase::SetupTile | Phase::SetupDragon | Phase::SetupSpirit | Phase::Reveal | Phase::Terminal => {}
            Phase::Turn => match turn.bound {
                None => {
                    out.castle(Action::Take, state.available.and(state.highest));
                    out.one(Action::Summon, state.top_floor <= 1);
                    self.spirit_choices(state, Window::Turn, out);
                }
                Some(card) => out.castle(Action::Take, self.bound_picks(state, card, Window::Turn)),
            },
            Phase::Second => self.second_choices(state, out),
            Phase::Place => {
                let open = masks.open(all);
                let squares = match turn.after {
                    Some(square) => open & later(square),
                    // The first of two equal tiles needs a later square for the second.
                    None if turn.hand.is_twins() => open & !(last_square(open)),
                    None => open,
                };
                out.realm(Action::Place, squares);
            }
            Phase::Settle => {
                out.one(Action::Pass, true);
                self.spirit_choices(state, Window::Settle, out);
            }
            Phase::Consolidate => {
                let firsts = self.split_sets(state, seat, turn.pending).fold(0, |firsts, set| firsts | first_square(set));
                out.realm(Action::Consolidate, firsts);
            }
            Phase::Build => {
                let left = turn.set & turn.after.map_or(u64::MAX, later);
                if turn.must {
                    out.realm(Action::Build, drop_last(left, u32::from(turn.builds) - 1));
                } else {
                    out.realm(Action::Build, left);
                    out.one(Action::Done, true);
                    self.spirit_choices(state, Window::Build, out);
                }
            }
            Phase::End => {
                out.one(Action::Pass, true);
                self.spirit_choices(state, Window::End, out);
            }
            Phase::Beauty => {
                let groups = self.beauty_groups(state, seat, masks.face_up);
                out.realm(Action::Set, groups.fold(0, |firsts, group| firsts | first_square(group)));
            }
            Phase::Change => self.wild_choices(state, out),
            Phase::Mirror => self.swap_choices(state, out),
            Phase::WindFlip => {
                out.realm(Action::Flip, masks.face_up);
                out.one(Action::Pass, masks.bare() != 0);
            }
            Phase::WindFrom => out.realm(Action::From, masks.shrines),
            Phase::WindTo => out.realm(Action::To, masks.bare()),
            Phase::StrengthLift => {
                out.realm(Action::Lift, self.lifts(state));
                out.one(Action::Pass, turn.moved.is_some());
            }
            Phase::StrengthDrop => {
                let from = turn.lifted.map_or(0, |lifted| 1 << lifted.square);
                out.realm(Action::Drop, masks.open(all) & !from);
            }
        }
    }

    #[inline]
    fn second_choices(&self, state: &State, out: &mut Choices) {
        let open = state.masks[state.seat()].open(self.tables.realm.all).count_ones();
        match state.turn.bound {
            None => {
                if open >= 2 {
                    out.castle(Action::Pair, self.pairs(state));
                }
                out.one(Action::Shrine, open >= 1 && state.supply > 0);
                out.one(Action::Discard, true);
                self.spirit_choices(state, Window::Second, out);
            }
            Some(card) if open >= 2 => out.castle(Action::Pair, self.bound_picks(state, card, Window::Second)),
            Some(_) => {}
        }
    }

    fn wild_choices(&self, state: &State, out: &mut Choices) {
        let types = self.type_masks(state, state.seat());
        for square in squares(state.masks[state.seat()].face_up) {
            let targets = self.change_targets(&types, square);
            if targets != 0 {
                out.segments.push(Segment::Wild(square as u8, targets));
            }
        }
    }

    fn swap_choices(&self, state: &State, out: &mut Choices) {
        let types = self.type_masks(state, state.seat());
        let face_up = state.masks[state.seat()].face_up;
        for square in squares(face_up) {
            let own = types.iter().find(|&&mask| mask >> square & 1 != 0).copied().unwrap_or(0);
            let partners = face_up & !own & later(square as u8);
            if partners != 0 {
                out.segments.push(Segment::Swap(square as u8, partners));
            }
        }
    }

    /// Whether its squares and its type are there in this game.
    pub(super) fn exists(&self, action: Action) -> bool {
        let realm = |square: u8| usize::from(square) < self.tables.realm.grid.len();
        match action {
            Action::Take(x) | Action::Pair(x) => usize::from(x) < self.tables.castle.len(),
            Action::Wild(x, kind) => realm(x) && usize::from(kind) < self.settings.components.types.len(),
            Action::Swap(x, y) => x < y && realm(y),
            Action::Spirit(_, Payment::Tile(x)) => realm(x),
            _ => action.realm_square().is_none_or(|(_, square)| realm(square)),
        }
    }

    /// The tiles that may be lifted now (DC-5.22).
    pub(super) fn lifts(&self, state: &State) -> u64 {
        let masks = state.masks[state.seat()];
        let moved = state.turn.moved.map_or(0, |square| 1 << square);
        movable(masks, masks.open(self.tables.realm.all)) & !moved
    }

    #[inline]
    fn spirit_choices(&self, state: &State, window: Window, out: &mut Choices) {
        if state.spirits.is_empty() {
            return;
        }
        for card in state.spirits.spirits() {
            let payments = self.payments(state, card, window);
            if !payments.is_empty() {
                out.segments.push(Segment::Spirit(card, payments));
            }
        }
    }
}

/// The last square of a mask, alone; nothing if it is empty.
const fn last_square(mask: u64) -> u64 {
    if mask == 0 { 0 } else { 1 << mask.ilog2() }
}

/// The mask without its last `count` squares.
const fn drop_last(mask: u64, count: u32) -> u64 {
    let mut rest = mask;
    let mut left = count;
    while left > 0 {
        rest &= !last_square(rest);
        left -= 1;
    }
    rest
}
