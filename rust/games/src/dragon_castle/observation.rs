//! What a seat sees, which is everything (DC-8.1), and its encoding as numbers.

use forbidden_games_core::encoding::Layout;
use forbidden_games_core::player::Player;

use super::Tables;
use super::cards::{Dragon, Spirit};
use super::realm::squares;
use super::state::{PHASES, State};

/// A whole position and the seat that looks at it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Observation {
    pub(super) player: Player,
    pub(super) state: State,
}

/// Offsets of the blocks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blocks {
    castle_height: usize,
    castle_available: usize,
    castle_type: usize,
    castle_symbol: usize,
    castle_first: usize,
    unrevealed: usize,
    realm_height: usize,
    realm_type: usize,
    realm_symbol: usize,
    realm_down: usize,
    realm_shrine: usize,
    realm_marks: usize,
    seats: usize,
    common: usize,
    phase: usize,
    hand: usize,
    spirits: usize,
    dragons: usize,
}

impl Blocks {
    /// The blocks for these rules, in order.
    pub(super) fn layout(
        players: usize,
        castle: (usize, usize),
        realm: (usize, usize),
        types: usize,
        symbols: usize,
    ) -> (Self, Layout) {
        let mut layout = Layout::new();
        let (rows, columns) = castle;
        let (realm_rows, realm_columns) = realm;
        let seat_order = "seats from the viewer clockwise";
        let blocks = Self {
            castle_height: layout.push_plain("castle_height", &[rows, columns], "height of each castle stack / 9"),
            castle_available: layout.push_plain(
                "castle_available",
                &[2, rows, columns],
                "1 where the top is free on a long side (DC-5.3); on a short side",
            ),
            castle_type: layout.push_plain("castle_type", &[types, rows, columns], "1 where the top is of the type"),
            castle_symbol: layout.push_plain("castle_symbol", &[symbols, rows, columns], "1 where the top shows the symbol"),
            castle_first: layout.push_plain(
                "castle_first",
                &[rows, columns],
                "floor / 9 at the square of the first pick, while it counts",
            ),
            unrevealed: layout.push_plain("unrevealed", &[symbols], "copies not seen yet / 9"),
            realm_height: layout.push_plain(
                "realm_height",
                &[players, realm_rows, realm_columns],
                format!("{seat_order}: height / 4"),
            ),
            realm_type: layout.push_plain(
                "realm_type",
                &[players, types, realm_rows, realm_columns],
                format!("{seat_order}: 1 where a tile of the type is face up"),
            ),
            realm_symbol: layout.push_plain(
                "realm_symbol",
                &[players, symbols, realm_rows, realm_columns],
                format!("{seat_order}: 1 where the symbol is face up"),
            ),
            realm_down: layout.push_plain(
                "realm_down",
                &[players, realm_rows, realm_columns],
                format!("{seat_order}: 1 where the top is face down"),
            ),
            realm_shrine: layout.push_plain(
                "realm_shrine",
                &[players, realm_rows, realm_columns],
                format!("{seat_order}: 1 where a shrine stands"),
            ),
            realm_marks: layout.push_plain(
                "realm_marks",
                &[6, realm_rows, realm_columns],
                "realm of the seat whose turn it is: 1 at after, pending, set, lifted, moved, from (DC-9.2)",
            ),
            seats: layout.push_plain(
                "seats",
                &[players, 4],
                format!("{seat_order}: VP / 50, pool / 10, tokens taken / 4, 1 for the seat whose turn it is"),
            ),
            common: layout.push_plain(
                "common",
                &[7],
                "supply / 40, tokens left / 7, discards / 40, last round, builds / 10, must, elegance in force",
            ),
            phase: layout.push_plain(
                "phase",
                &[PHASES.len() + 3],
                "one of the phases in the order of DC-6.2; then resume: turn, second, end",
            ),
            hand: layout.push_plain("hand", &[2, symbols], "tiles in hand in the order picked"),
            spirits: layout.push_plain(
                "spirits",
                &[3, 10],
                "spirit cards in card order: in play, used this turn, binding the next pick",
            ),
            dragons: layout.push_plain("dragons", &[10], "dragon cards in card order: in play"),
        };
        (blocks, layout)
    }
}

impl Tables {
    pub(super) fn encode(&self, observation: &Observation, out: &mut [f32]) {
        let Observation { player, state } = observation;
        let blocks = &self.blocks;
        let castle_len = self.castle.len();
        let short = self.free_on_short_side(state);
        for square in 0..castle_len {
            let stack = state.castle[square];
            if stack.height() == 0 {
                continue;
            }
            out[blocks.castle_height + square] = f32::from(stack.height()) / 9.0;
            out[blocks.castle_available + square] = f32::from(u8::from(state.available.has(square)));
            out[blocks.castle_available + castle_len + square] = f32::from(u8::from(short.has(square)));
            if let Some(symbol) = stack.symbol() {
                let symbol = usize::from(symbol);
                out[blocks.castle_type + usize::from(self.components.symbols[symbol].kind) * castle_len + square] = 1.0;
                out[blocks.castle_symbol + symbol * castle_len + square] = 1.0;
            }
        }
        let turn = &state.turn;
        if let Some(first) = turn.first {
            out[blocks.castle_first + usize::from(first.square)] = f32::from(first.floor) / 9.0;
        }
        let symbols = self.components.symbols.len();
        for (value, &count) in out[blocks.unrevealed..].iter_mut().zip(&state.unrevealed[..symbols]) {
            *value = f32::from(count) / 9.0;
        }
        for (place, seat) in player.clockwise(self.players).enumerate() {
            self.encode_realm(state, place, seat.index(), out);
        }
        let realm_len = self.realm.grid.len();
        let bit = |square: Option<u8>| square.map_or(0, |square| 1_u64 << square);
        let marks = [
            bit(turn.after),
            turn.pending,
            turn.set,
            bit(turn.lifted.map(|lifted| lifted.square)),
            bit(turn.moved),
            bit(turn.from),
        ];
        for (plane, mask) in marks.into_iter().enumerate() {
            for square in squares(mask) {
                out[blocks.realm_marks + plane * realm_len + square] = 1.0;
            }
        }
        let flag = |value: bool| f32::from(u8::from(value));
        let common = [
            f32::from(state.supply) / 40.0,
            f32::from(state.tokens) / 7.0,
            f32::from(state.discards) / 40.0,
            flag(state.tokens_taken() >= self.players),
            f32::from(turn.builds) / 10.0,
            flag(turn.must),
            flag(turn.elegance),
        ];
        out[blocks.common..blocks.common + common.len()].copy_from_slice(&common);
        out[blocks.phase + state.phase as usize] = 1.0;
        if let Some(window) = turn.resume {
            let place = match window {
                super::cards::Window::Turn => 0,
                super::cards::Window::Second => 1,
                _ => 2,
            };
            out[blocks.phase + PHASES.len() + place] = 1.0;
        }
        for (place, &symbol) in turn.hand.as_slice().iter().enumerate() {
            out[blocks.hand + place * symbols + usize::from(symbol)] = 1.0;
        }
        for card in Spirit::ALL {
            let index = card.index();
            out[blocks.spirits + index] = flag(state.spirits.has(index));
            out[blocks.spirits + 10 + index] = flag(turn.used.has(index));
            out[blocks.spirits + 20 + index] = flag(turn.bound == Some(card));
        }
        for card in Dragon::ALL {
            out[blocks.dragons + card.index()] = flag(state.dragons.has(card.index()));
        }
    }

    fn encode_realm(&self, state: &State, place: usize, seat: usize, out: &mut [f32]) {
        let blocks = &self.blocks;
        let len = self.realm.grid.len();
        let (types, symbols) = (self.components.types.len(), self.components.symbols.len());
        let masks = state.masks[seat];
        let realm = self.realm(state, seat);
        for square in squares(masks.stacks) {
            let stack = realm[square];
            out[blocks.realm_height + place * len + square] = f32::from(stack.height) / 4.0;
            if stack.top == 0 {
                out[blocks.realm_down + place * len + square] = 1.0;
            } else {
                let symbol = usize::from(stack.top) - 1;
                let kind = usize::from(self.components.symbols[symbol].kind);
                out[blocks.realm_type + (place * types + kind) * len + square] = 1.0;
                out[blocks.realm_symbol + (place * symbols + symbol) * len + square] = 1.0;
            }
        }
        for square in squares(masks.shrines) {
            out[blocks.realm_shrine + place * len + square] = 1.0;
        }
        let seats = &mut out[blocks.seats + 4 * place..][..4];
        seats[0] = state.vp[seat] as f32 / 50.0;
        seats[1] = f32::from(state.pools[seat]) / 10.0;
        seats[2] = f32::from(state.countdown[seat]) / 4.0;
        seats[3] = f32::from(u8::from(seat == state.seat()));
    }
}
