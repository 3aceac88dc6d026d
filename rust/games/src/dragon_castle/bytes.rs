//! States as bytes; those of an observation are its seat and its state.
//!
//! Only what JSON says is written; what is kept beside it is found again when it is read. Numbers of two and four bytes are
//! little-endian, squares that are not set are [`NONE`].
//!
//! | bytes | what |
//! |---|---|
//! | 1, 4 | phase, ply |
//! | 7 × players | of each seat: VP (4), pool (2), tokens taken |
//! | 2, 2, 1, 2, 2 | supply, discards, tokens left, spirits and dragons in play as bits |
//! | 1, 2, 1, 1 | of the turn: seat, cards used as bits, `elegance`, `bound` |
//! | 2, 1 + 2 × 2, 1 | first pick and its floor; number and symbols of the hand; `after` |
//! | 8, 8, 1, 1, 1 | `pending` and `set` as bits, `builds`, `must`, `resume` |
//! | 1, 2, 1, 1 | lifted from, its symbol + 1 or 0; `moved`; `from` |
//! | 2 × castle squares | height in the lower four bits, above them the symbol + 1, or 0 |
//! | symbols | copies not seen yet |
//! | of each seat: 8, 8 | squares with tiles, squares with shrines |
//! | 4 × stacks | of each square with tiles: height, symbol + 1 of a face-up top or 0 |

use arrayvec::ArrayVec;
use forbidden_games_core::bytes::{ByteReader, ByteSink};
use forbidden_games_core::error::StateError;

use super::cards::{CardSet, Spirit, Window};
use super::components::{MAX_CASTLE, MAX_SYMBOLS};
use super::game::Game;
use super::squares::squares;
use super::state::{FirstPick, Lifted, Phase, RealmStack, Stack, State, TurnState};

/// No square, no card, no window.
const NONE: u8 = u8::MAX;

/// More bytes than the longest state has.
const MOST_BYTES: usize = 100 + 2 * MAX_CASTLE.0 * MAX_CASTLE.1 + MAX_SYMBOLS + 4 * (16 + 4 * 64);

/// Bits of a set of cards.
const CARD_BITS: usize = 1 << 10;

const WINDOWS: [Window; 3] = [Window::Turn, Window::Second, Window::End];

/// One piece, since a hash takes it eight bytes at a time.
#[derive(Default)]
struct Piece(ArrayVec<u8, MOST_BYTES>);

impl ByteSink for Piece {
    #[inline]
    fn bytes(&mut self, bytes: &[u8]) {
        self.0.try_extend_from_slice(bytes).expect("no state is longer");
    }
}

impl Game {
    pub(super) fn write_bytes(&self, state: &State, out: &mut impl ByteSink) {
        let mut piece = Piece::default();
        piece.u8(state.phase as u8);
        piece.u32(state.ply);
        for seat in 0..self.settings.players {
            piece.i32(state.vp[seat]);
            piece.u16(state.pools[seat]);
            piece.u8(state.countdown[seat]);
        }
        piece.u16(state.supply);
        piece.u16(state.discards);
        piece.u8(state.tokens);
        piece.u16(state.spirits.0);
        piece.u16(state.dragons.0);
        write_turn(&state.turn, &mut piece);
        for stack in &state.castle[..self.tables.castle.len()] {
            piece.u16(stack.bits());
        }
        piece.bytes(&state.unrevealed[..self.settings.components.symbols.len()]);
        for seat in 0..self.settings.players {
            let (masks, realm) = (state.masks[seat], self.realm(state, seat));
            piece.u64(masks.stacks);
            piece.u64(masks.shrines);
            for square in squares(masks.stacks) {
                piece.u16(realm[square].height);
                piece.u16(realm[square].top);
            }
        }
        out.bytes(&piece.0);
    }

    /// Asks of the state what is asked of one in JSON.
    pub(super) fn read_bytes(&self, bytes: &mut ByteReader<'_>) -> Result<State, StateError> {
        let components = &self.settings.components;
        let (castle, realm, symbols) = (self.tables.castle.len(), self.tables.realm.grid.len(), components.symbols.len());
        let mut state = State::empty(castle, self.settings.players * realm, symbols);
        state.phase = Phase::from_index(bytes.below("phase", Phase::COUNT)?.into());
        state.ply = bytes.u32("ply")?;
        for seat in 0..self.settings.players {
            state.vp[seat] = bytes.i32("vp")?;
            if state.vp[seat] < 0 {
                return Err(StateError::new("vp", state.vp[seat].to_string(), "0 or more"));
            }
            state.pools[seat] = bytes.below_u16("pools", usize::from(components.shrines) + 1)?;
            state.countdown[seat] = bytes.below("countdown", usize::from(components.tokens) + 1)?;
        }
        state.supply = bytes.below_u16("supply", usize::from(components.shrines) + 1)?;
        state.discards = bytes.below_u16("discards", usize::from(components.tiles) + 1)?;
        state.tokens = bytes.below("tokens", usize::from(components.tokens) + 1)?;
        state.spirits = CardSet(bytes.below_u16("spirits", CARD_BITS)?);
        state.dragons = CardSet(bytes.below_u16("dragons", CARD_BITS)?);
        state.turn = self.read_turn_bytes(bytes)?;
        let stacks = bytes.bytes("castle", 2 * castle)?.chunks_exact(2);
        for ((stack, written), &most) in state.castle.iter_mut().zip(stacks).zip(&self.settings.layout.heights) {
            let bits = u16::from_le_bytes([written[0], written[1]]);
            *stack = Stack::from_bits(bits);
            let fits = stack.height() <= most && usize::from(bits >> 4) <= symbols && (stack.height() > 0 || bits == 0);
            if !fits {
                return Err(StateError::new("castle", format!("a stack {bits:#x}"), format!("a height up to {most} and a symbol")));
            }
        }
        state.unrevealed[..symbols].copy_from_slice(bytes.bytes("unrevealed", symbols)?);
        for seat in 0..self.settings.players {
            self.read_realm_bytes(bytes, &mut state, seat)?;
        }
        self.refresh_castle(&mut state);
        self.refresh_realms(&mut state);
        self.validate(&state).map_err(|broken| StateError::new(broken.key, broken.reason, broken.rule))?;
        Ok(state)
    }

    fn read_realm_bytes(&self, bytes: &mut ByteReader<'_>, state: &mut State, seat: usize) -> Result<(), StateError> {
        let all = self.tables.realm.all;
        let (stacks, shrines) = (self.read_squares(bytes, "realms")?, self.read_squares(bytes, "realms")?);
        state.masks[seat].shrines = shrines;
        let (tiles, symbols) = (usize::from(self.settings.components.tiles), self.settings.components.symbols.len());
        let written = bytes.bytes("realms", 4 * (stacks & all).count_ones() as usize)?.chunks_exact(4);
        let realm = self.realm_mut(state, seat);
        for (square, written) in squares(stacks).zip(written) {
            let [height, top] = [[written[0], written[1]], [written[2], written[3]]].map(u16::from_le_bytes);
            if !(1..=tiles).contains(&height.into()) || usize::from(top) > symbols {
                let found = format!("height {height} and top {top}");
                return Err(StateError::new("realms", found, format!("a height from 1 to {tiles} and a symbol")));
            }
            realm[square] = RealmStack { height, top };
        }
        Ok(())
    }

    /// Squares of a realm as bits.
    fn read_squares(&self, bytes: &mut ByteReader<'_>, name: &'static str) -> Result<u64, StateError> {
        let mask = bytes.u64(name)?;
        let outside = mask & !self.tables.realm.all;
        if outside == 0 { Ok(mask) } else { Err(StateError::new(name, format!("squares {outside:#x}"), "squares of the realm")) }
    }

    fn read_turn_bytes(&self, bytes: &mut ByteReader<'_>) -> Result<TurnState, StateError> {
        let (castle, realm) = (self.tables.castle.len(), self.tables.realm.grid.len());
        let symbols = self.settings.components.symbols.len();
        let mut turn = TurnState { seat: bytes.below("turn.seat", self.settings.players)?, ..TurnState::default() };
        turn.used = CardSet(bytes.below_u16("turn.used", CARD_BITS)?);
        turn.elegance = bytes.flag("turn.elegance")?;
        turn.bound = optional(bytes, "turn.bound", Spirit::ALL.len())?.map(|card| Spirit::ALL[usize::from(card)]);
        let square = optional(bytes, "turn.first", castle)?;
        turn.first = with_second(square, bytes.u8("turn.first")?.into(), "turn.first")?
            .map(|(square, floor)| FirstPick { square, floor: floor as u8 });
        let tiles = bytes.below("turn.hand", 3)?;
        for place in 0..2 {
            let symbol = bytes.below_u16("turn.hand", if place < tiles { symbols } else { 1 })?;
            if place < tiles {
                turn.hand.push(symbol);
            }
        }
        turn.after = optional(bytes, "turn.after", realm)?;
        turn.pending = self.read_squares(bytes, "turn.pending")?;
        turn.set = self.read_squares(bytes, "turn.set")?;
        turn.builds = bytes.below("turn.builds", 11)?;
        turn.must = bytes.flag("turn.must")?;
        turn.resume = optional(bytes, "turn.resume", WINDOWS.len())?.map(|window| WINDOWS[usize::from(window)]);
        let square = optional(bytes, "turn.lifted", realm)?;
        turn.lifted = with_second(square, bytes.below_u16("turn.lifted", symbols + 1)?, "turn.lifted")?
            .map(|(square, top)| Lifted { square, top });
        turn.moved = optional(bytes, "turn.moved", realm)?;
        turn.from = optional(bytes, "turn.from", realm)?;
        Ok(turn)
    }
}

fn write_turn(turn: &TurnState, piece: &mut Piece) {
    piece.u8(turn.seat);
    piece.u16(turn.used.0);
    piece.u8(turn.elegance.into());
    piece.u8(turn.bound.map_or(NONE, |card| card as u8));
    piece.u8(turn.first.map_or(NONE, |first| first.square));
    piece.u8(turn.first.map_or(0, |first| first.floor));
    piece.u8(turn.hand.len() as u8);
    for place in 0..2 {
        piece.u16(turn.hand.as_slice().get(place).copied().unwrap_or(0));
    }
    piece.u8(turn.after.unwrap_or(NONE));
    piece.u64(turn.pending);
    piece.u64(turn.set);
    piece.u8(turn.builds);
    piece.u8(turn.must.into());
    let window = turn.resume.and_then(|window| WINDOWS.iter().position(|&other| other == window));
    piece.u8(window.map_or(NONE, |place| place as u8));
    piece.u8(turn.lifted.map_or(NONE, |lifted| lifted.square));
    piece.u16(turn.lifted.map_or(0, |lifted| lifted.top));
    piece.u8(turn.moved.unwrap_or(NONE));
    piece.u8(turn.from.unwrap_or(NONE));
}

/// A byte below `bound`, or [`NONE`].
fn optional(bytes: &mut ByteReader<'_>, name: &'static str, bound: usize) -> Result<Option<u8>, StateError> {
    match bytes.u8(name)? {
        NONE => Ok(None),
        value if usize::from(value) < bound => Ok(Some(value)),
        value => Err(StateError::new(name, value.to_string(), format!("a number below {bound}, or {NONE}"))),
    }
}

/// A square and what is said of it, which is 0 if there is no square: one form only of each state.
fn with_second(square: Option<u8>, second: u16, name: &'static str) -> Result<Option<(u8, u16)>, StateError> {
    match square {
        None if second != 0 => Err(StateError::new(name, format!("{second} without a square"), "0")),
        _ => Ok(square.map(|square| (square, second))),
    }
}
