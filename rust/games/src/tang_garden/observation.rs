//! What a seat knows (section 8: everything) and the observation as numbers.

use forbidden_games_core::contract::{Observed, Step};
use forbidden_games_core::encoding::Layout;
use forbidden_games_core::player::Player;

use super::Game;
use super::actions::{Action, Outcome};
use super::board::{BOARD, NONE, rank_of, squares};
use super::components::{CHARACTERS, Components, DECORATIONS};
use super::state::{NEUTRAL, PHASES, State, lanterns_of};
use super::tables::START_CODE;

/// A position as a seat sees it: all of it, and which seat that is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Observation {
    pub(super) state: State,
    pub(super) player: Player,
}

/// Offset that tells outcomes from actions in what was observed.
const OUTCOMES: u64 = 1 << 32;

impl Game {
    pub(super) fn seen(&self, step: Step<Action, Outcome>) -> Observed {
        Observed(match step {
            Step::Action(action) => u64::from(self.id_of_action(action)),
            Step::Outcome(outcome) => OUTCOMES + u64::from(self.id_of_outcome(outcome)),
        })
    }

    pub(super) fn text_of_seen(&self, observed: Observed) -> String {
        let id = observed.0;
        let text = if id < OUTCOMES {
            u32::try_from(id).ok().and_then(|id| self.action_of_id(id)).map(|action| self.text_of_action(action))
        } else {
            u32::try_from(id - OUTCOMES).ok().and_then(|id| self.outcome_of_id(id)).map(|o| self.text_of_outcome(o).to_owned())
        };
        text.unwrap_or_else(|| "nothing".to_owned())
    }

    pub(super) fn make_layout(components: &Components, players: usize) -> Layout {
        let (tiles, cards, landscapes) = (components.tiles.len(), components.cards.len(), components.landscapes.len());
        let mut layout = Layout::new();
        layout.push_plain("phase", &[PHASES.len()], "one-hot, in the order of the phases");
        layout.push_plain("to_move", &[players], "one-hot: whose turn, seats from the viewer; zeros in the set-up and at the end");
        layout.push_plain("edges", &[48, 4, 6], "squares x sides n e s w x letters g w r p x k: 1 where an edge lies");
        layout.push_plain("links", &[48, 6], "squares x side pairs ne ns nw es ew sw: 1 if joined inside the picture");
        layout.push_plain("areas", &[48, 6], "squares x areas tree meadow pond pavilion bridge person: 1 where printed");
        layout.push_plain("decorations", &[48, DECORATIONS], "squares x decorations: 1 where one stands");
        layout.push_plain("figures", &[48, CHARACTERS], "squares x characters: 1 where it stands");
        layout.push_plain(
            "figure_seat",
            &[48, players],
            "squares x seats from the viewer: 1 for the figure's owner; zeros if neutral",
        );
        layout.push_plain("figure_facing", &[48, 4], "squares x facings n e s w");
        layout.push_plain("tokens", &[48, 2], "squares x sizes small large: 1 where a token lies");
        layout.push_plain("tile_up", &[tiles], "tile kinds: 1 if face up");
        layout.push_plain("tile_down", &[tiles], "tile kinds: face-down copies / 15");
        layout.push_plain("pieces", &[DECORATIONS], "decorations: pieces left / 26");
        layout.push_plain("deck", &[cards], "card kinds: copies in the deck / 54");
        layout.push_plain("discard", &[cards], "card kinds: copies discarded / 54");
        layout.push_plain("drawn", &[cards], "card kinds: copies drawn this turn / 7");
        layout.push_plain("characters", &[3, CHARACTERS], "display, deck, just taken x characters: 1 if there");
        layout.push_plain("landscape_shown", &[landscapes], "landscape kinds: copies shown / 2");
        layout.push_plain("landscape_pile", &[landscapes], "landscape kinds: copies in the pile / 12");
        layout.push_plain("panorama", &[4, landscapes], "sides n e s w x landscape kinds: copies / 5");
        layout.push_plain("coins", &[players], "seats from the viewer: coins / 100");
        layout.push_plain("levels", &[players, 3], "seats x tracks g w r: column / 10");
        layout.push_plain("lanterns", &[players, 4], "seats x lanterns in the order of the state: 1 if ready");
        layout.push_plain("held_tokens", &[players, 2], "seats x sizes: tokens held / 8");
        layout.push_plain("played", &[players, DECORATIONS], "seats x decorations: cards played / 9");
        layout.push_plain("active", &[players, CHARACTERS], "seats x characters: 1 for the active one");
        layout.push_plain("character_token", &[players], "seats: 1 if it holds one");
        layout.push_plain(
            "turn",
            &[12],
            "build, decorate, placed / 2, lantern, influenced, earned, paths / 4, paid, small due, large due, draws / 7, last round",
        );
        layout.push_plain("rounds", &[3], "round / 243 (solo / 28), placed in round, idle rounds / 3");
        if players == 1 {
            layout.push_plain("market", &[4, cards], "stacks g w r t x card kinds: 1 for the card beside it");
            layout.push_plain("pair", &[2, CHARACTERS], "pair to pick from, partner x characters");
            layout.push_plain(
                "replacing",
                &[4 + tiles],
                "stacks: 1 if its tile or card is being replaced; tile kinds: 1 if it goes back",
            );
        }
        layout
    }

    pub(super) fn encode_state(&self, observation: &Observation, out: &mut [f32]) {
        let state = &observation.state;
        let components = &self.tables.components;
        let mut writer = Writer { blocks: self.layout.blocks(), next: 0, out };
        let seats = || observation.player.clockwise(self.players).map(|player| &state.seats[player.index()]);
        let from_viewer = |seat: u8| (usize::from(seat) + self.players - observation.player.index()) % self.players;
        let place = |square: u8| rank_of(BOARD, square) as usize;
        writer.block()[state.phase as usize] = 1.0;
        let block = writer.block();
        if state.turn.seat != NONE {
            block[from_viewer(state.turn.seat)] = 1.0;
        }
        let (edges, rest) = writer.two();
        let links = rest;
        for square in squares(state.occupied) {
            let code = state.tile_at[usize::from(square)];
            let face = self.tables.face(code);
            let at = place(square);
            for (side, &edge) in face.edges.iter().enumerate() {
                if edge < 6 {
                    edges[(at * 4 + side) * 6 + usize::from(edge)] = 1.0;
                }
            }
            if code < START_CODE {
                for (pair, &(a, b)) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)].iter().enumerate() {
                    links[at * 6 + pair] = f32::from(face.parts[a] >> b & 1);
                }
            }
        }
        let block = writer.block();
        for square in squares(state.occupied) {
            let areas = self.tables.face(state.tile_at[usize::from(square)]).areas;
            for area in squares(u64::from(areas)) {
                block[place(square) * 6 + usize::from(area)] = 1.0;
            }
        }
        let block = writer.block();
        for (index, &set) in state.decorations.iter().enumerate() {
            squares(set).for_each(|square| block[place(square) * DECORATIONS + index] = 1.0);
        }
        let (figures, owners) = writer.two();
        for (character, figure) in state.figures.iter().enumerate().filter(|(_, figure)| figure.square != NONE) {
            figures[place(figure.square) * CHARACTERS + character] = 1.0;
            if figure.seat != NEUTRAL {
                owners[place(figure.square) * self.players + from_viewer(figure.seat)] = 1.0;
            }
        }
        let block = writer.block();
        for figure in state.figures.iter().filter(|figure| figure.square != NONE && figure.seat != NEUTRAL) {
            block[place(figure.square) * 4 + usize::from(figure.facing)] = 1.0;
        }
        let block = writer.block();
        for (size, &set) in state.tokens.iter().enumerate() {
            squares(set).for_each(|square| block[place(square) * 2 + size] = 1.0);
        }
        let block = writer.block();
        state.up.iter().filter(|&&kind| kind != NONE).for_each(|&kind| block[usize::from(kind)] = 1.0);
        writer.counts(&state.down, 15.0);
        writer.counts(&state.pieces, 26.0);
        writer.counts(&state.deck, 54.0);
        writer.counts(&state.discard, 54.0);
        let block = writer.block();
        state.turn.drawn_cards().iter().for_each(|&card| block[usize::from(card)] += 1.0 / 7.0);
        let block = writer.block();
        for (row, set) in [state.display, state.character_deck].into_iter().enumerate() {
            squares(u64::from(set)).for_each(|character| block[row * CHARACTERS + usize::from(character)] = 1.0);
        }
        if state.turn.new != NONE {
            block[2 * CHARACTERS + usize::from(state.turn.new)] = 1.0;
        }
        let block = writer.block();
        let known = |kind: &&u8| **kind != NONE;
        state.shown.iter().flatten().filter(known).for_each(|&kind| block[usize::from(kind)] += 0.5);
        writer.counts(&state.pile, 12.0);
        let block = writer.block();
        for (side, kinds) in state.panorama.iter().enumerate() {
            kinds.iter().filter(known).for_each(|&kind| block[side * components.landscapes.len() + usize::from(kind)] += 0.2);
        }
        let block = writer.block();
        seats().enumerate().for_each(|(index, seat)| block[index] = seat.coins as f32 / 100.0);
        let block = writer.block();
        for (index, seat) in seats().enumerate() {
            (0..3).for_each(|track| block[index * 3 + track] = f32::from(seat.levels[track]) / 10.0);
        }
        let block = writer.block();
        for (index, seat) in seats().enumerate() {
            for (at, lantern) in lanterns_of(self.players).into_iter().enumerate() {
                block[index * 4 + at] = f32::from(seat.lanterns >> lantern & 1);
            }
        }
        let block = writer.block();
        for (index, seat) in seats().enumerate() {
            (0..2).for_each(|size| block[index * 2 + size] = f32::from(seat.tokens[size]) / 8.0);
        }
        let block = writer.block();
        for (index, seat) in seats().enumerate() {
            (0..DECORATIONS).for_each(|kind| block[index * DECORATIONS + kind] = f32::from(seat.cards[kind]) / 9.0);
        }
        let block = writer.block();
        for (index, seat) in seats().enumerate().filter(|(_, seat)| seat.active != NONE) {
            block[index * CHARACTERS + usize::from(seat.active)] = 1.0;
        }
        let block = writer.block();
        seats().enumerate().for_each(|(index, seat)| block[index] = f32::from(u8::from(seat.character_token)));
        let flag = |value: bool| f32::from(u8::from(value));
        let turn = &state.turn;
        writer.block().copy_from_slice(&[
            flag(turn.action == 0),
            flag(turn.action == 1),
            f32::from(turn.placed) / 2.0,
            flag(turn.lantern),
            flag(turn.influenced),
            flag(turn.earned),
            f32::from(turn.paths) / 4.0,
            flag(turn.paid),
            flag(turn.insert == 0),
            flag(turn.insert == 1),
            f32::from(turn.draws) / 7.0,
            flag(state.is_final),
        ]);
        let rounds = if self.players == 1 { 28.0 } else { 243.0 };
        let round = state.round as f32 / rounds;
        writer.block().copy_from_slice(&[round, flag(state.placed_in_round), f32::from(state.idle_rounds) / 3.0]);
        if self.players == 1 {
            let solo = &state.solo;
            let block = writer.block();
            for (stack, &card) in solo.market.iter().enumerate().filter(|(_, card)| **card != NONE) {
                block[stack * components.cards.len() + usize::from(card)] = 1.0;
            }
            let block = writer.block();
            squares(u64::from(solo.pair)).for_each(|character| block[usize::from(character)] = 1.0);
            if solo.partner != NONE {
                block[CHARACTERS + usize::from(solo.partner)] = 1.0;
            }
            let block = writer.block();
            if solo.stack != NONE {
                block[usize::from(solo.stack)] = 1.0;
            }
            if solo.under != NONE {
                block[4 + usize::from(solo.under)] = 1.0;
            }
        }
        debug_assert_eq!(writer.next, self.layout.blocks().len(), "every block is written");
    }
}

/// Hands out the blocks of a layout one after the other.
struct Writer<'a> {
    blocks: &'a [forbidden_games_core::encoding::Block],
    next: usize,
    out: &'a mut [f32],
}

impl Writer<'_> {
    fn block(&mut self) -> &mut [f32] {
        let block = &self.blocks[self.next];
        self.next += 1;
        &mut self.out[block.offset..block.offset + block.len()]
    }

    /// The next two blocks together.
    fn two(&mut self) -> (&mut [f32], &mut [f32]) {
        let (first, second) = (&self.blocks[self.next], &self.blocks[self.next + 1]);
        self.next += 2;
        let (head, tail) = self.out.split_at_mut(second.offset);
        (&mut head[first.offset..], &mut tail[..second.len()])
    }

    fn counts(&mut self, counts: &[u8], most: f32) {
        for (value, &count) in self.block().iter_mut().zip(counts) {
            *value = f32::from(count) / most;
        }
    }
}
