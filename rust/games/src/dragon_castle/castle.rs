//! The castle: which tiles are available, and what a pick changes (DC-5.2, DC-5.3, DC-5.5).

use super::game::Game;
use super::squares::CastleMask;
use super::state::{Stack, State};

impl Game {
    /// Whether the top of this stack is available (DC-5.3): a long side, left or right, is free.
    pub(super) fn is_available(&self, castle: &[Stack], square: usize) -> bool {
        let height = castle[square].height();
        let column = square % self.tables.castle.columns;
        height > 0
            && (column == 0
                || castle[square - 1].height() < height
                || column + 1 == self.tables.castle.columns
                || castle[square + 1].height() < height)
    }

    /// Whether the top of this stack is free on a short side, above or below it (DC-5.3).
    pub(super) fn is_free_on_short_side(&self, castle: &[Stack], square: usize) -> bool {
        let height = castle[square].height();
        let columns = self.tables.castle.columns;
        height > 0
            && (square < columns
                || castle[square - columns].height() < height
                || square + columns >= self.tables.castle.len()
                || castle[square + columns].height() < height)
    }

    /// All stacks whose top is free on a short side.
    pub(super) fn free_on_short_side(&self, state: &State) -> CastleMask {
        let castle: &[Stack] = &state.castle;
        let mut free = CastleMask::default();
        for square in 0..self.tables.castle.len() {
            free.set(square, self.is_free_on_short_side(castle, square));
        }
        free
    }

    /// Computes everything kept about the castle from its stacks and counts.
    pub(super) fn refresh_castle(&self, state: &mut State) {
        let State { castle, available, highest, top_floor, unknown, unrevealed, unrevealed_total, .. } = state;
        let castle: &[Stack] = castle;
        *available = CastleMask::default();
        for square in 0..self.tables.castle.len() {
            available.set(square, self.is_available(castle, square));
        }
        *top_floor = castle.iter().map(|stack| stack.height()).max().unwrap_or(0);
        *highest = self.stacks_of_height(castle, *top_floor);
        *unknown = self.first_unknown(castle, 0);
        *unrevealed_total = unrevealed.iter().map(|&count| u16::from(count)).sum();
    }

    fn stacks_of_height(&self, castle: &[Stack], height: u8) -> CastleMask {
        let mut stacks = CastleMask::default();
        for (square, stack) in castle.iter().enumerate().take(self.tables.castle.len()) {
            stacks.set(square, height > 0 && stack.height() == height);
        }
        stacks
    }

    /// The first stack from `start` on whose top is not revealed.
    fn first_unknown(&self, castle: &[Stack], start: usize) -> Option<u8> {
        (start..self.tables.castle.len())
            .find(|&square| castle[square].height() > 0 && castle[square].symbol().is_none())
            .map(|square| square as u8)
    }

    /// Takes the top tile of a stack; the tile below, if any, is then the one whose symbol is not known.
    pub(super) fn take_top(&self, state: &mut State, square: usize) -> u16 {
        let stack = state.castle[square];
        debug_assert!(stack.height() > 0);
        let symbol = stack.symbol().expect("only revealed tiles are picked");
        let height = stack.height() - 1;
        state.castle[square] = Stack::new(height, None);
        if height > 0 {
            state.unknown = Some(square as u8);
        }
        let castle: &[Stack] = &state.castle;
        let column = square % self.tables.castle.columns;
        state.available.set(square, self.is_available(castle, square));
        if column > 0 {
            state.available.set(square - 1, self.is_available(castle, square - 1));
        }
        if column + 1 < self.tables.castle.columns {
            state.available.set(square + 1, self.is_available(castle, square + 1));
        }
        if state.highest.has(square) {
            state.highest.set(square, false);
            while state.highest.is_empty() && state.top_floor > 0 {
                state.top_floor -= 1;
                state.highest = self.stacks_of_height(castle, state.top_floor);
            }
        }
        symbol
    }

    /// Reveals the unknown top to be `symbol` and looks for the next unknown one.
    pub(super) fn reveal(&self, state: &mut State, symbol: u16) -> usize {
        let square = usize::from(state.unknown.expect("a reveal needs an unknown top"));
        state.castle[square] = Stack::new(state.castle[square].height(), Some(symbol));
        state.unrevealed[usize::from(symbol)] -= 1;
        state.unrevealed_total -= 1;
        // Only the set-up has more than one, and it goes through them in reading order.
        state.unknown = if state.phase.is_setup() { self.first_unknown(&state.castle, square + 1) } else { None };
        square
    }
}
