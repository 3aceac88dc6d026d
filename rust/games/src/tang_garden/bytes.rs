//! States as bytes: what cannot be worked out from the rest, in the order of the state. The sets of squares that the tiles and
//! decorations imply are made again at reading, and the invariants that guard JSON guard bytes too.

use forbidden_games_core::bytes::{ByteReader, ByteSink};
use forbidden_games_core::error::StateError;

use super::board::{FREE, NONE, START, bit, squares};
use super::components::{CHARACTERS, DECORATIONS};
use super::game::Game;
use super::state::{Figure, NEUTRAL, Phase, Seat, Solo, State, TurnState};

pub(super) fn write_bytes(game: &Game, state: &State, out: &mut impl ByteSink) {
    out.u32(state.ply);
    out.u32(state.round);
    out.bytes(&[state.phase as u8, state.is_final.into(), state.placed_in_round.into(), state.idle_rounds]);
    out.bytes(&state.up);
    let components = &game.tables.components;
    out.bytes(&state.down[..components.tiles.len()]);
    out.bytes(&state.tile_at);
    state.decorations.iter().for_each(|&set| out.u64(set));
    for figure in &state.figures {
        out.bytes(&[figure.square, figure.seat, figure.facing]);
    }
    state.tokens.iter().for_each(|&set| out.u64(set));
    out.bytes(&state.pieces);
    out.bytes(&state.deck[..components.cards.len()]);
    out.bytes(&state.discard[..components.cards.len()]);
    out.u16(state.display);
    out.u16(state.character_deck);
    state.shown.iter().for_each(|kinds| out.bytes(kinds));
    out.bytes(&state.pile[..components.landscapes.len()]);
    state.panorama.iter().for_each(|kinds| out.bytes(kinds));
    state.seats[..game.players].iter().for_each(|seat| write_seat(seat, out));
    write_turn(&state.turn, out);
    if game.players == 1 {
        write_solo(&state.solo, out);
    }
}

pub(super) fn read_bytes(game: &Game, bytes: &mut ByteReader<'_>) -> Result<State, StateError> {
    let components = &game.tables.components;
    let (tiles, cards, landscapes) = (components.tiles.len(), components.cards.len(), components.landscapes.len());
    let mut state = State::before_setup(&game.tables, game.players);
    state.ply = bytes.u32("ply")?;
    state.round = bytes.u32("round")?;
    if state.round == 0 || state.round > 4_000_000 || state.ply > 4_000_000 {
        return Err(StateError::new("round", format!("{} at ply {}", state.round, state.ply), "a round from 1"));
    }
    state.phase = Phase::ALL[usize::from(bytes.below("phase", Phase::ALL.len())?)];
    state.is_final = bytes.flag("final")?;
    state.placed_in_round = bytes.flag("placed_in_round")?;
    state.idle_rounds = bytes.below("idle_rounds", 4)?;
    for stack in 0..4 {
        let kind = or_none(bytes, "stacks", tiles)?;
        if kind != NONE && components.tiles[usize::from(kind)].stack != stack {
            return Err(StateError::new("stacks", kind.to_string(), "a tile kind of the stack"));
        }
        state.up[stack] = kind;
    }
    state.down[..tiles].copy_from_slice(bytes.bytes("stacks", tiles)?);
    game.read_garden_bytes(bytes, &mut state)?;
    for character in 0..CHARACTERS {
        let [square, seat, facing] = bytes.array("figures")?;
        if square == NONE {
            continue;
        }
        let is_owned = usize::from(seat) < game.players && facing < 4;
        let is_neutral = game.players == 1 && seat == NEUTRAL && facing == NEUTRAL;
        if usize::from(square) >= 64 || state.free_spots() & bit(square) == 0 || !(is_owned || is_neutral) {
            let found = format!("square {square}, seat {seat}, facing {facing}");
            return Err(StateError::new("figures", found, "a free spot, a seat and a facing"));
        }
        state.stand(character as u8, Figure { square, seat, facing });
    }
    state.tokens = [bytes.u64("tokens")?, bytes.u64("tokens")?];
    if state.tokens[0] & state.tokens[1] != 0 || (state.tokens[0] | state.tokens[1]) & !FREE != 0 {
        return Err(StateError::new("tokens", "a wrong square", "other squares outside the start tile"));
    }
    state.pieces = bytes.array("pieces")?;
    state.deck[..cards].copy_from_slice(bytes.bytes("cards", cards)?);
    state.discard[..cards].copy_from_slice(bytes.bytes("cards", cards)?);
    state.display = bytes.below_u16("characters", 1 << CHARACTERS)?;
    state.character_deck = bytes.below_u16("characters", 1 << CHARACTERS)?;
    for kind in state.shown.iter_mut().flatten() {
        *kind = or_none(bytes, "landscapes", landscapes)?;
    }
    state.pile[..landscapes].copy_from_slice(bytes.bytes("landscapes", landscapes)?);
    for kind in state.panorama.iter_mut().flatten() {
        *kind = or_none(bytes, "panorama", landscapes)?;
    }
    for seat in &mut state.seats[..game.players] {
        *seat = read_seat(bytes)?;
    }
    state.turn = game.read_turn_bytes(bytes)?;
    if game.players == 1 {
        state.solo = game.read_solo_bytes(bytes)?;
    }
    game.count(&mut state)?;
    game.audit(&state).map_err(|fault| StateError::new(fault.key, fault.found, fault.rule))?;
    Ok(state)
}

impl Game {
    /// Tiles and decorations, with everything that follows from where they lie.
    fn read_garden_bytes(&self, bytes: &mut ByteReader<'_>, state: &mut State) -> Result<(), StateError> {
        let tile_at: [u8; 64] = bytes.array("tiles")?;
        let mut decorations = [0; DECORATIONS];
        for set in &mut decorations {
            *set = bytes.u64("decorations")?;
        }
        let rotated = 4 * self.tables.components.tiles.len();
        for (square, &code) in tile_at.iter().enumerate() {
            let square = square as u8;
            if START & bit(square) != 0 {
                if code != state.tile_at[usize::from(square)] {
                    return Err(StateError::new("tiles", code.to_string(), "the start tile"));
                }
            } else if code != NONE {
                let is_listed = |code: u8| self.tables.rotations[usize::from(code / 4)] >> (code % 4) & 1 == 1;
                if FREE & bit(square) == 0 || usize::from(code) >= rotated || !is_listed(code) {
                    return Err(StateError::new("tiles", code.to_string(), format!("a tile below {rotated} on a free square")));
                }
                state.lay(&self.tables, square, code);
            }
        }
        for (decoration, set) in decorations.into_iter().enumerate() {
            for square in squares(set) {
                let area = usize::from(self.tables.components.decoration_area[decoration]);
                if state.free_areas[area] & bit(square) == 0 {
                    return Err(StateError::new("decorations", square.to_string(), "a square whose area is free"));
                }
                // The pieces that are left are read afterwards.
                state.pieces[decoration] = u8::MAX;
                state.adorn(&self.tables, square, decoration as u8);
            }
        }
        Ok(())
    }

    fn read_turn_bytes(&self, bytes: &mut ByteReader<'_>) -> Result<TurnState, StateError> {
        let cards = self.tables.components.cards.len();
        let mut turn = TurnState::rest(or_none(bytes, "turn.seat", self.players)?);
        turn.action = or_none(bytes, "turn.action", 2)?;
        turn.placed = bytes.below("turn.placed", 3)?;
        turn.lantern = bytes.flag("turn.lantern")?;
        turn.influenced = bytes.flag("turn.influenced")?;
        turn.earned = bytes.flag("turn.earned")?;
        turn.paths = bytes.below("turn.paths", 5)?;
        turn.paid = bytes.flag("turn.paid")?;
        turn.insert = or_none(bytes, "turn.insert", 2)?;
        turn.draws = bytes.below("turn.draws", 8)?;
        for card in &mut turn.drawn {
            *card = or_none(bytes, "turn.drawn", cards)?;
        }
        turn.new = or_none(bytes, "turn.new", CHARACTERS)?;
        if !turn.drawn.is_sorted() {
            return Err(StateError::new("turn.drawn", format!("{:?}", turn.drawn), "ascending cards"));
        }
        Ok(turn)
    }

    fn read_solo_bytes(&self, bytes: &mut ByteReader<'_>) -> Result<Solo, StateError> {
        let components = &self.tables.components;
        let mut market = [NONE; 4];
        for card in &mut market {
            *card = or_none(bytes, "solo.market", components.cards.len())?;
        }
        Ok(Solo {
            market,
            pair: bytes.below_u16("solo.pair", 1 << CHARACTERS)?,
            partner: or_none(bytes, "solo.partner", CHARACTERS)?,
            stack: or_none(bytes, "solo.stack", 4)?,
            under: or_none(bytes, "solo.under", components.tiles.len())?,
            won: match bytes.below("solo.won", 3)? {
                0 => None,
                other => Some(other == 2),
            },
        })
    }

    /// The totals that are kept beside counts. Refuses landscapes of the wrong size, and lists out of order.
    fn count(&self, state: &mut State) -> Result<(), StateError> {
        let components = &self.tables.components;
        let size_of = |kind: u8| components.landscapes[usize::from(kind)].size;
        for (stack, kinds) in self.tables.stack_tiles.iter().enumerate() {
            state.down_total[stack] = sum("stacks", kinds.iter().map(|&kind| state.down[usize::from(kind)]))?;
        }
        state.deck_total = sum("cards", state.deck.iter().copied())?;
        state.discard_total = sum("cards", state.discard.iter().copied())?;
        for (size, total) in state.pile_total.iter_mut().enumerate() {
            let kinds = components.landscapes.iter().zip(&state.pile).filter(|(kind, _)| kind.size == size);
            *total = sum("landscapes", kinds.map(|(_, &count)| count))?;
        }
        for (kinds, counts) in state.panorama.iter().zip(&mut state.panorama_count) {
            *counts = [0; 2];
            kinds.iter().filter(|&&kind| kind != NONE).for_each(|&kind| counts[size_of(kind)] += 1);
        }
        let fits = |(size, kinds): (usize, &[u8; 2])| kinds.iter().all(|&kind| kind == NONE || size_of(kind) == size);
        let are_sorted = state.panorama.iter().all(|kinds| kinds.is_sorted()) && state.shown.iter().all(|kinds| kinds.is_sorted());
        if are_sorted && state.shown.iter().enumerate().all(fits) {
            Ok(())
        } else {
            Err(StateError::new("landscapes", "a landscape out of place", "ascending kinds of their size"))
        }
    }
}

/// The sum of counts, which a byte holds.
fn sum(name: &'static str, counts: impl Iterator<Item = u8>) -> Result<u8, StateError> {
    let total: u32 = counts.map(u32::from).sum();
    u8::try_from(total).map_err(|_| StateError::new(name, total.to_string(), "at most 255"))
}

/// A byte below `bound`, or [`NONE`].
fn or_none(bytes: &mut ByteReader<'_>, name: &'static str, bound: usize) -> Result<u8, StateError> {
    match bytes.u8(name)? {
        value if value == NONE || usize::from(value) < bound => Ok(value),
        value => Err(StateError::new(name, value.to_string(), format!("a number below {bound}, or {NONE} for nothing"))),
    }
}

fn write_seat(seat: &Seat, out: &mut impl ByteSink) {
    out.u32(seat.coins);
    out.bytes(&seat.levels);
    out.bytes(&[seat.lanterns, seat.tokens[0], seat.tokens[1], seat.active, seat.character_token.into()]);
    out.bytes(&seat.cards);
}

fn read_seat(bytes: &mut ByteReader<'_>) -> Result<Seat, StateError> {
    let coins = bytes.u32("seats.coins")?;
    let mut levels = [0; 3];
    for level in &mut levels {
        *level = bytes.below("seats.levels", 11)?;
    }
    let lanterns = bytes.below("seats.lanterns", 128)?;
    let tokens = [bytes.below("seats.tokens", 9)?, bytes.below("seats.tokens", 9)?];
    let active = or_none(bytes, "seats.active", CHARACTERS)?;
    let character_token = bytes.flag("seats.character_token")?;
    let mut cards = [0; DECORATIONS];
    for count in &mut cards {
        *count = bytes.below("seats.cards", 55)?;
    }
    Ok(Seat { coins, levels, lanterns, tokens, cards, active, character_token })
}

fn write_turn(turn: &TurnState, out: &mut impl ByteSink) {
    out.bytes(&[turn.seat, turn.action, turn.placed, turn.lantern.into(), turn.influenced.into(), turn.earned.into()]);
    out.bytes(&[turn.paths, turn.paid.into(), turn.insert, turn.draws]);
    out.bytes(&turn.drawn);
    out.u8(turn.new);
}

fn write_solo(solo: &Solo, out: &mut impl ByteSink) {
    out.bytes(&solo.market);
    out.u16(solo.pair);
    out.bytes(&[solo.partner, solo.stack, solo.under, solo.won.map_or(0, |won| 1 + u8::from(won))]);
}
