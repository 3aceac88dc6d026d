//! An observation as numbers.

use forbidden_games_core::contract::Features;
use forbidden_games_core::encoding::{Block, FeatureSink, Layout};

use super::board::{BOARD, NONE, rank_of, squares};
use super::components::{CHARACTERS, Components, DECORATIONS};
use super::game::Game;
use super::observation::Observation;
use super::state::{NEUTRAL, PHASES, Seat, State, lanterns_of};
use super::tables::START_CODE;

/// More hundreds of coins than a seat can have (TG-12.6).
const COIN_HUNDREDS: u16 = 99;

/// The longest game in rounds (TG-7.9).
const ROUNDS: u16 = 243;

/// The longest solo game in rounds: one for each tile, and one begun after the last (TG-13.5).
const SOLO_ROUNDS: u16 = 29;

/// The blocks for a component set and a number of seats.
pub(super) fn layout(components: &Components, players: usize) -> Layout {
    const FLAG: [u16; 2] = [1, 1];
    let (tiles, cards, landscapes) = (components.tiles.len(), components.cards.len(), components.landscapes.len());
    let most = |counts: &mut dyn Iterator<Item = u8>| u16::from(counts.max().unwrap_or(0)).max(1);
    let tile_copies = most(&mut components.tiles.iter().map(|tile| tile.copies));
    let card_copies = most(&mut components.cards.iter().map(|card| card.copies));
    let landscape_copies = most(&mut components.landscapes.iter().map(|landscape| landscape.copies));
    let pieces = most(&mut components.pieces.iter().copied());
    let mut layout = Layout::new();
    layout.push("phase", &[PHASES.len()], FLAG, "1 at the phase, in the order of the phases");
    layout.push("to_move", &[players], FLAG, "1 at the seat whose turn it is, from the viewer; zeros in the set-up and at the end");
    layout.push("edges", &[48, 4, 6], FLAG, "squares x sides n e s w x letters g w r p x k: 1 where an edge lies");
    layout.push("links", &[48, 6], FLAG, "squares x side pairs ne ns nw es ew sw: 1 if joined inside the picture");
    layout.push("areas", &[48, 6], FLAG, "squares x areas tree meadow pond pavilion bridge person: 1 where printed");
    layout.push("decorations", &[48, DECORATIONS], FLAG, "squares x decorations: 1 where one stands");
    layout.push("figures", &[48, CHARACTERS], FLAG, "squares x characters: 1 where it stands");
    layout.push("figure_seat", &[48, players], FLAG, "squares x seats from the viewer: 1 for the figure's owner; zeros if neutral");
    layout.push("figure_facing", &[48, 4], FLAG, "squares x facings n e s w");
    layout.push("tokens", &[48, 2], FLAG, "squares x sizes small large: 1 where a token lies");
    layout.push("tile_up", &[tiles], FLAG, "tile kinds: 1 if face up");
    layout.push("tile_down", &[tiles], [15, tile_copies], "tile kinds: face-down copies");
    layout.push("pieces", &[DECORATIONS], [26, pieces], "decorations: pieces left");
    layout.push("deck", &[cards], [54, card_copies], "card kinds: copies in the deck");
    layout.push("discard", &[cards], [54, card_copies], "card kinds: copies discarded");
    layout.push("drawn", &[cards], [7, 8], "card kinds: copies drawn this turn");
    layout.push("characters", &[3, CHARACTERS], FLAG, "display, deck, just taken x characters: 1 if there");
    layout.push("landscape_shown", &[landscapes], [2, 4], "landscape kinds: copies shown");
    layout.push("landscape_pile", &[landscapes], [12, landscape_copies], "landscape kinds: copies in the pile");
    layout.push("panorama", &[4, landscapes], [5, 5], "sides n e s w x landscape kinds: copies");
    layout.push("coins", &[players], [100, 99], "seats from the viewer: coins beyond whole hundreds");
    layout.push("coin_hundreds", &[players], [1, COIN_HUNDREDS], "seats from the viewer: whole hundreds of coins");
    layout.push("levels", &[players, 3], [10, 10], "seats x tracks g w r: column");
    layout.push("lanterns", &[players, 4], FLAG, "seats x lanterns in the order of the state: 1 if ready");
    layout.push("held_tokens", &[players, 2], [8, 8], "seats x sizes: tokens held");
    layout.push("played", &[players, DECORATIONS], [9, 54], "seats x decorations: cards played");
    layout.push("active", &[players, CHARACTERS], FLAG, "seats x characters: 1 for the active one");
    layout.push("character_token", &[players], FLAG, "seats: 1 if it holds one");
    layout.push(
        "turn",
        &[8],
        FLAG,
        "1 each: build, decorate, lantern used, influenced, earned, paid, small landscape due, large landscape due",
    );
    layout.push("placed", &[1], [2, 2], "tiles or decorations placed this turn");
    layout.push("paths", &[1], [4, 4], "paths to be paid for");
    layout.push("draws", &[1], [7, 7], "cards still to be drawn");
    layout.push("rounds", &[1], if players == 1 { [SOLO_ROUNDS, SOLO_ROUNDS] } else { [ROUNDS, ROUNDS] }, "round, from 1");
    layout.push("round_flags", &[2], FLAG, "1 each: last round, something placed in this round");
    layout.push("idle_rounds", &[1], [3, 3], "idle rounds in a row");
    if players == 1 {
        layout.push("market", &[4, cards], FLAG, "stacks g w r t x card kinds: 1 for the card beside it");
        layout.push("pair", &[2, CHARACTERS], FLAG, "pair to pick from, partner x characters");
        layout.push(
            "replacing",
            &[4 + tiles],
            FLAG,
            "stacks: 1 if its tile or card is being replaced; tile kinds: 1 if it goes back",
        );
    }
    layout
}

impl Features for Game {
    fn observation_layout(&self) -> &Layout {
        &self.layout
    }

    fn features(&self, observation: &Observation, sink: &mut impl FeatureSink) {
        let mut writer = Writer { blocks: self.layout.blocks(), next: 0, sink };
        let state = &observation.state;
        let viewer = observation.player.index();
        self.garden_features(state, viewer, &mut writer);
        self.supply_features(state, &mut writer);
        self.seat_features(observation, &mut writer);
        self.turn_features(state, &mut writer);
        if self.players == 1 {
            self.solo_features(state, &mut writer);
        }
        debug_assert_eq!(writer.next, self.layout.blocks().len(), "every block is written");
    }
}

impl Game {
    fn garden_features(&self, state: &State, viewer: usize, writer: &mut Writer<'_, impl FeatureSink>) {
        let from_viewer = |seat: u8| (usize::from(seat) + self.players - viewer) % self.players;
        let place = |square: u8| rank_of(BOARD, square) as usize;
        writer.block().set(state.phase as usize, 1);
        let mut to_move = writer.block();
        if state.turn.seat != NONE {
            to_move.set(from_viewer(state.turn.seat), 1);
        }
        let mut edges = writer.block();
        for square in squares(state.occupied) {
            let face = self.tables.face(state.tile_at[usize::from(square)]);
            for (side, &edge) in face.edges.iter().enumerate().filter(|(_, edge)| **edge < 6) {
                edges.set((place(square) * 4 + side) * 6 + usize::from(edge), 1);
            }
        }
        let mut links = writer.block();
        for square in squares(state.occupied).filter(|&square| state.tile_at[usize::from(square)] < START_CODE) {
            let face = self.tables.face(state.tile_at[usize::from(square)]);
            for (pair, &(a, b)) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)].iter().enumerate() {
                links.set(place(square) * 6 + pair, (face.parts[a] >> b & 1).into());
            }
        }
        let mut areas = writer.block();
        for square in squares(state.occupied) {
            for area in squares(self.tables.face(state.tile_at[usize::from(square)]).areas.into()) {
                areas.set(place(square) * 6 + usize::from(area), 1);
            }
        }
        let mut decorations = writer.block();
        for (index, &set) in state.decorations.iter().enumerate() {
            squares(set).for_each(|square| decorations.set(place(square) * DECORATIONS + index, 1));
        }
        let standing = || state.figures.iter().enumerate().filter(|(_, figure)| figure.square != NONE);
        let mut figures = writer.block();
        standing().for_each(|(character, figure)| figures.set(place(figure.square) * CHARACTERS + character, 1));
        let owned = || standing().filter(|(_, figure)| figure.seat != NEUTRAL);
        let mut owners = writer.block();
        owned().for_each(|(_, figure)| owners.set(place(figure.square) * self.players + from_viewer(figure.seat), 1));
        let mut facings = writer.block();
        owned().for_each(|(_, figure)| facings.set(place(figure.square) * 4 + usize::from(figure.facing), 1));
        let mut tokens = writer.block();
        for (size, &set) in state.tokens.iter().enumerate() {
            squares(set).for_each(|square| tokens.set(place(square) * 2 + size, 1));
        }
    }

    fn supply_features(&self, state: &State, writer: &mut Writer<'_, impl FeatureSink>) {
        let components = &self.tables.components;
        let mut up = writer.block();
        state.up.iter().filter(|&&kind| kind != NONE).for_each(|&kind| up.set(kind.into(), 1));
        writer.block().counts(&state.down[..components.tiles.len()]);
        writer.block().counts(&state.pieces);
        writer.block().counts(&state.deck[..components.cards.len()]);
        writer.block().counts(&state.discard[..components.cards.len()]);
        writer.block().multiset(0, state.turn.drawn_cards());
        let mut characters = writer.block();
        for (row, set) in [state.display, state.character_deck].into_iter().enumerate() {
            squares(set.into()).for_each(|character| characters.set(row * CHARACTERS + usize::from(character), 1));
        }
        if state.turn.new != NONE {
            characters.set(2 * CHARACTERS + usize::from(state.turn.new), 1);
        }
        let mut shown = [0_u8; 4];
        let mut count = 0;
        for &kind in state.shown.iter().flatten().filter(|kind| **kind != NONE) {
            shown[count] = kind;
            count += 1;
        }
        shown[..count].sort_unstable();
        writer.block().multiset(0, &shown[..count]);
        writer.block().counts(&state.pile[..components.landscapes.len()]);
        let mut panorama = writer.block();
        for (side, kinds) in state.panorama.iter().enumerate() {
            let count = kinds.iter().position(|&kind| kind == NONE).unwrap_or(kinds.len());
            panorama.multiset(side * components.landscapes.len(), &kinds[..count]);
        }
    }

    fn seat_features(&self, observation: &Observation, writer: &mut Writer<'_, impl FeatureSink>) {
        let seats = || {
            let order = observation.player.clockwise(self.players);
            order.map(|player| &observation.state.seats[player.index()]).enumerate()
        };
        let mut each = |width: usize, value: &dyn Fn(&Seat, usize) -> u16| {
            let mut block = writer.block();
            for (index, seat) in seats() {
                (0..width).for_each(|at| block.set(index * width + at, value(seat, at)));
            }
        };
        let lanterns = lanterns_of(self.players);
        each(1, &|seat, _| (seat.coins % 100) as u16);
        each(1, &|seat, _| (seat.coins / 100) as u16);
        each(3, &|seat, track| seat.levels[track].into());
        each(4, &|seat, at| (seat.lanterns >> lanterns[at] & 1).into());
        each(2, &|seat, size| seat.tokens[size].into());
        each(DECORATIONS, &|seat, decoration| seat.cards[decoration].into());
        let mut active = writer.block();
        for (index, seat) in seats().filter(|(_, seat)| seat.active != NONE) {
            active.set(index * CHARACTERS + usize::from(seat.active), 1);
        }
        let mut tokens = writer.block();
        seats().for_each(|(index, seat)| tokens.set(index, seat.character_token.into()));
    }

    fn turn_features(&self, state: &State, writer: &mut Writer<'_, impl FeatureSink>) {
        let turn = &state.turn;
        writer.block().flags(&[
            turn.action == 0,
            turn.action == 1,
            turn.lantern,
            turn.influenced,
            turn.earned,
            turn.paid,
            turn.insert == 0,
            turn.insert == 1,
        ]);
        writer.block().set(0, turn.placed.into());
        writer.block().set(0, turn.paths.into());
        writer.block().set(0, turn.draws.into());
        writer.block().set(0, state.round as u16);
        writer.block().flags(&[state.is_final, state.placed_in_round]);
        writer.block().set(0, state.idle_rounds.into());
    }

    fn solo_features(&self, state: &State, writer: &mut Writer<'_, impl FeatureSink>) {
        let solo = &state.solo;
        let mut market = writer.block();
        for (stack, &card) in solo.market.iter().enumerate().filter(|(_, card)| **card != NONE) {
            market.set(stack * self.tables.components.cards.len() + usize::from(card), 1);
        }
        let mut pair = writer.block();
        squares(solo.pair.into()).for_each(|character| pair.set(character.into(), 1));
        if solo.partner != NONE {
            pair.set(CHARACTERS + usize::from(solo.partner), 1);
        }
        let mut replacing = writer.block();
        if solo.stack != NONE {
            replacing.set(solo.stack.into(), 1);
        }
        if solo.under != NONE {
            replacing.set(4 + usize::from(solo.under), 1);
        }
    }
}

/// Hands out the blocks of a layout one after the other.
struct Writer<'a, S> {
    blocks: &'a [Block],
    next: usize,
    sink: &'a mut S,
}

impl<S: FeatureSink> Writer<'_, S> {
    fn block(&mut self) -> Part<'_, S> {
        let offset = self.blocks[self.next].offset;
        self.next += 1;
        Part { offset, sink: self.sink }
    }
}

/// One block: features by their place in it.
struct Part<'a, S> {
    offset: usize,
    sink: &'a mut S,
}

impl<S: FeatureSink> Part<'_, S> {
    fn set(&mut self, place: usize, raw: u16) {
        if raw != 0 {
            self.sink.set(self.offset + place, raw);
        }
    }

    fn flags(&mut self, flags: &[bool]) {
        flags.iter().enumerate().for_each(|(place, &flag)| self.set(place, flag.into()));
    }

    fn counts(&mut self, counts: &[u8]) {
        counts.iter().enumerate().for_each(|(place, &count)| self.set(place, count.into()));
    }

    /// How often each kind is in an ascending list.
    fn multiset(&mut self, first: usize, kinds: &[u8]) {
        for run in kinds.chunk_by(|a, b| a == b) {
            self.set(first + usize::from(run[0]), run.len() as u16);
        }
    }
}
