//! An observation as numbers. What the blocks hold is in the README.

use forbidden_games_core::contract::{Features, Rules};
use forbidden_games_core::encoding::{FeatureSink, Layout};

use super::bounds::{MAX_POSITION_VP, VP_OF_TILE};
use super::cards::Window;
use super::game::Game;
use super::observation::Observation;
use super::options::Settings;
use super::squares::squares;
use super::state::{PHASES, State};

/// The blocks in their order.
#[derive(Clone, Copy)]
enum Block {
    CastleHeight,
    CastleAvailable,
    CastleType,
    CastleSymbol,
    CastleFirst,
    Unrevealed,
    RealmHeight,
    RealmType,
    RealmSymbol,
    RealmDown,
    RealmShrine,
    RealmMarks,
    Vp,
    VpHigh,
    Pool,
    TokensTaken,
    Turn,
    Supply,
    TokensLeft,
    Discards,
    Builds,
    Flags,
    Phase,
    Hand,
    Spirits,
    Dragons,
}

/// The blocks for these settings.
pub(super) fn observation_layout(settings: &Settings) -> Layout {
    const FLAG: [u16; 2] = [1, 1];
    let (components, players) = (&settings.components, settings.players);
    let (types, symbols) = (components.types.len(), components.symbols.len());
    let (rows, columns) = (settings.layout.grid.rows, settings.layout.grid.columns);
    let (realm_rows, realm_columns) = settings.realm;
    let highest = settings.layout.heights.iter().copied().max().unwrap_or(0).into();
    let copies = components.types.iter().map(|kind| kind.copies).max().unwrap_or(0).into();
    let (tiles, shrines, tokens) = (components.tiles, components.shrines, u16::from(components.tokens));
    let most_vp = MAX_POSITION_VP + VP_OF_TILE * i64::from(tiles);
    let vp_high = (most_vp >> 8).min(255).max(most_vp >> 16) as u16;
    let of_seats = |meaning: &str| format!("seats from the viewer clockwise: {meaning}");

    let mut layout = Layout::new();
    layout.push("castle_height", &[rows, columns], [9, highest], "height of each castle stack");
    let meaning = "1 where the top is free on a long side (DC-5.3); on a short side";
    layout.push("castle_available", &[2, rows, columns], FLAG, meaning);
    layout.push("castle_type", &[types, rows, columns], FLAG, "1 where the top is of the type");
    layout.push("castle_symbol", &[symbols, rows, columns], FLAG, "1 where the top shows the symbol");
    layout.push("castle_first", &[rows, columns], [9, highest], "floor at the square of the first pick, while it counts");
    layout.push("unrevealed", &[symbols], [9, copies], "copies not seen yet");
    let realms = [players, realm_rows, realm_columns];
    layout.push("realm_height", &realms, [4, tiles], of_seats("height of each realm stack"));
    let meaning = of_seats("1 where a tile of the type is face up");
    layout.push("realm_type", &[players, types, realm_rows, realm_columns], FLAG, meaning);
    let meaning = of_seats("1 where the symbol is face up");
    layout.push("realm_symbol", &[players, symbols, realm_rows, realm_columns], FLAG, meaning);
    layout.push("realm_down", &realms, FLAG, of_seats("1 where the top is face down"));
    layout.push("realm_shrine", &realms, FLAG, of_seats("1 where a shrine stands"));
    let meaning = "realm of the seat whose turn it is: 1 at after, pending, set, lifted, moved, from (DC-9.2)";
    layout.push("realm_marks", &[6, realm_rows, realm_columns], FLAG, meaning);
    layout.push("vp", &[players], [50, 255], of_seats("VP, what is left after whole 256s"));
    let meaning = of_seats("256s of VP, what is left after whole 65,536s; 65,536s of VP");
    layout.push("vp_high", &[players, 2], [1, vp_high], meaning);
    layout.push("pool", &[players], [10, shrines], of_seats("shrines in the pool"));
    layout.push("tokens_taken", &[players], [4, tokens], of_seats("countdown tokens taken"));
    layout.push("turn", &[players], FLAG, of_seats("1 for the seat whose turn it is"));
    layout.push("supply", &[1], [40, shrines], "shrines in the supply");
    layout.push("tokens_left", &[1], [7, tokens], "countdown tokens left");
    layout.push("discards", &[1], [40, tiles], "tiles out of play");
    layout.push("builds", &[1], [10, u16::from(components.most_shrines()) + 1], "shrines that may still be built on the set");
    layout.push("flags", &[3], FLAG, "1 if it is the last round; if they must be built (mason); if elegance is in force");
    let meaning = "1 for the phase, in the order of DC-6.2; then for how the turn resumes: turn, second, end";
    layout.push("phase", &[PHASES.len() + 3], FLAG, meaning);
    layout.push("hand", &[2, symbols], FLAG, "1 for the symbol of each tile in hand, in the order picked");
    let meaning = "1 for spirit cards, in card order: in play, used this turn, binding the next pick";
    layout.push("spirits", &[3, 10], FLAG, meaning);
    layout.push("dragons", &[10], FLAG, "1 for dragon cards in play, in card order");
    debug_assert_eq!(layout.blocks().len(), Block::Dragons as usize + 1);
    layout
}

impl Features for Game {
    fn observation_layout(&self) -> &Layout {
        &self.layout
    }

    fn features(&self, observation: &Observation, sink: &mut impl FeatureSink) {
        let Observation { player, state } = observation;
        self.castle_features(state, sink);
        for (place, seat) in player.clockwise(self.settings.players).enumerate() {
            self.realm_features(state, place, seat.index(), sink);
            self.seat_features(state, place, seat.index(), sink);
        }
        self.common_features(state, sink);
        self.turn_features(state, sink);
    }
}

impl Game {
    /// Index of the first feature of a block.
    #[inline]
    fn offset(&self, block: Block) -> usize {
        self.layout.blocks()[block as usize].offset
    }

    fn castle_features(&self, state: &State, sink: &mut impl FeatureSink) {
        let len = self.tables.castle.len();
        let (height, kind) = (self.offset(Block::CastleHeight), self.offset(Block::CastleType));
        let (symbol, available) = (self.offset(Block::CastleSymbol), self.offset(Block::CastleAvailable));
        for (square, stack) in state.castle[..len].iter().enumerate().filter(|(_, stack)| stack.height() > 0) {
            sink.set(height + square, stack.height().into());
            if let Some(top) = stack.symbol() {
                sink.set(kind + usize::from(self.settings.components.symbols[usize::from(top)].kind) * len + square, 1);
                sink.set(symbol + usize::from(top) * len + square, 1);
            }
        }
        for (side, free) in [state.available, self.free_on_short_side(state)].into_iter().enumerate() {
            free.for_each(|square| sink.set(available + side * len + square, 1));
        }
        if let Some(first) = state.turn.first {
            sink.set(self.offset(Block::CastleFirst) + usize::from(first.square), first.floor.into());
        }
        let unrevealed = self.offset(Block::Unrevealed);
        for (symbol, &count) in state.unrevealed[..self.settings.components.symbols.len()].iter().enumerate() {
            sink.set(unrevealed + symbol, count.into());
        }
    }

    fn realm_features(&self, state: &State, place: usize, seat: usize, sink: &mut impl FeatureSink) {
        let components = &self.settings.components;
        let (types, symbols, len) = (components.types.len(), components.symbols.len(), self.tables.realm.grid.len());
        let (masks, realm) = (state.masks[seat], self.realm(state, seat));
        let height = self.offset(Block::RealmHeight) + place * len;
        let kind = self.offset(Block::RealmType) + place * types * len;
        let symbol = self.offset(Block::RealmSymbol) + place * symbols * len;
        let down = self.offset(Block::RealmDown) + place * len;
        let shrine = self.offset(Block::RealmShrine) + place * len;
        for square in squares(masks.stacks) {
            sink.set(height + square, realm[square].height);
        }
        for square in squares(masks.face_up) {
            let top = usize::from(realm[square].top) - 1;
            sink.set(kind + usize::from(components.symbols[top].kind) * len + square, 1);
            sink.set(symbol + top * len + square, 1);
        }
        squares(masks.down()).for_each(|square| sink.set(down + square, 1));
        squares(masks.shrines).for_each(|square| sink.set(shrine + square, 1));
    }

    fn seat_features(&self, state: &State, place: usize, seat: usize, sink: &mut impl FeatureSink) {
        let vp = state.vp[seat];
        sink.set(self.offset(Block::Vp) + place, (vp & 255) as u16);
        sink.set(self.offset(Block::VpHigh) + 2 * place, (vp >> 8 & 255) as u16);
        sink.set(self.offset(Block::VpHigh) + 2 * place + 1, (vp >> 16) as u16);
        sink.set(self.offset(Block::Pool) + place, state.pools[seat]);
        sink.set(self.offset(Block::TokensTaken) + place, state.countdown[seat].into());
        sink.flag(self.offset(Block::Turn) + place, seat == state.seat());
    }

    fn common_features(&self, state: &State, sink: &mut impl FeatureSink) {
        sink.set(self.offset(Block::Supply), state.supply);
        sink.set(self.offset(Block::TokensLeft), state.tokens.into());
        sink.set(self.offset(Block::Discards), state.discards);
        sink.set(self.offset(Block::Builds), state.turn.builds.into());
        let flags = [state.tokens_taken() >= self.num_players(), state.turn.must, state.turn.elegance];
        for (place, flag) in flags.into_iter().enumerate() {
            sink.flag(self.offset(Block::Flags) + place, flag);
        }
        let spirits = self.offset(Block::Spirits);
        state.spirits.spirits().for_each(|card| sink.set(spirits + card.index(), 1));
        state.turn.used.spirits().for_each(|card| sink.set(spirits + 10 + card.index(), 1));
        if let Some(card) = state.turn.bound {
            sink.set(spirits + 20 + card.index(), 1);
        }
        let dragons = self.offset(Block::Dragons);
        state.dragons.dragons().for_each(|card| sink.set(dragons + card.index(), 1));
    }

    fn turn_features(&self, state: &State, sink: &mut impl FeatureSink) {
        let (turn, len) = (&state.turn, self.tables.realm.grid.len());
        let bit = |square: Option<u8>| square.map_or(0, |square| 1_u64 << square);
        let lifted = bit(turn.lifted.map(|lifted| lifted.square));
        let marks = [bit(turn.after), turn.pending, turn.set, lifted, bit(turn.moved), bit(turn.from)];
        let offset = self.offset(Block::RealmMarks);
        for (plane, mask) in marks.into_iter().enumerate() {
            squares(mask).for_each(|square| sink.set(offset + plane * len + square, 1));
        }
        let phase = self.offset(Block::Phase);
        sink.set(phase + state.phase as usize, 1);
        if let Some(window) = turn.resume {
            let place = match window {
                Window::Turn => 0,
                Window::Second => 1,
                _ => 2,
            };
            sink.set(phase + PHASES.len() + place, 1);
        }
        let (hand, symbols) = (self.offset(Block::Hand), self.settings.components.symbols.len());
        for (place, &symbol) in turn.hand.as_slice().iter().enumerate() {
            sink.set(hand + place * symbols + usize::from(symbol), 1);
        }
    }
}
