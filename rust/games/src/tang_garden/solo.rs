//! The solo game (section 13): what follows a tile, the market of cards, pairs of characters, winning and losing.

use forbidden_games_core::event::{Event, EventSink};

use super::board::{CENTRAL, NONE, square_name};
use super::game::Game;
use super::state::{BOTTOM, CARDS, Figure, NEUTRAL, Phase, State, TurnState, WALL};

impl Game {
    /// The end, by `rule`.
    fn solo_end<E: EventSink>(&self, state: &mut State, rule: &'static str, won: bool, reason: &str, events: &mut E) {
        state.turn = TurnState::rest(NONE);
        state.solo.stack = NONE;
        state.solo.won = Some(won);
        state.phase = Phase::End;
        events.emit(|| {
            Event::new("end", rule, format!("the game is {}: {reason}", if won { "won" } else { "lost" })).with("won", won)
        });
    }

    /// Phase `main`, or the game is lost (TG-13.3).
    pub(super) fn solo_main<E: EventSink>(&self, state: &mut State, events: &mut E) {
        if self.solo_can_go_on(state) {
            state.phase = Phase::Main;
        } else {
            self.solo_end(state, "TG-13.3", false, "no tile can be laid", events);
        }
    }

    pub(super) fn solo_cards<E: EventSink>(&self, state: &mut State, events: &mut E) {
        self.use_lantern(state, CARDS, events);
        for stack in 0..4 {
            Self::discard_market(state, stack);
        }
        Self::refill_deck(state, events);
        state.phase = Phase::Draw;
    }

    pub(super) fn solo_bottom<E: EventSink>(&self, state: &mut State, stack: u8, events: &mut E) {
        self.use_lantern(state, BOTTOM, events);
        state.solo.stack = stack;
        state.solo.under = std::mem::replace(&mut state.up[usize::from(stack)], NONE);
        state.phase = Phase::Tile;
    }

    fn discard_market(state: &mut State, stack: usize) {
        let card = std::mem::replace(&mut state.solo.market[stack], NONE);
        if card != NONE {
            state.discard[usize::from(card)] += 1;
            state.discard_total += 1;
        }
    }

    /// After a tile of `stack` was laid and its token taken (TG-13.4.2).
    pub(super) fn solo_built<E: EventSink>(&self, state: &mut State, stack: usize, walled: bool, events: &mut E) {
        if walled {
            self.use_lantern(state, WALL, events);
        }
        state.solo.stack = stack as u8;
        if state.is_playable(&self.tables, state.solo.market[stack]) {
            state.phase = Phase::Choose;
        } else {
            self.solo_decorated(state, events);
        }
    }

    /// The card beside the stack is discarded; then the landscape of a token (TG-13.4.3).
    pub(super) fn solo_decorated<E: EventSink>(&self, state: &mut State, events: &mut E) {
        Self::discard_market(state, usize::from(state.solo.stack));
        if state.turn.insert == NONE {
            self.solo_tile_done(state, events);
        } else {
            state.phase = Phase::Panorama;
        }
    }

    pub(super) fn solo_after_landscape<E: EventSink>(&self, state: &mut State, events: &mut E) {
        if state.seats[0].active != NONE && state.free_spots() != 0 {
            state.phase = Phase::Garden;
            return;
        }
        state.seats[0].active = NONE;
        self.solo_after_garden(state, events);
    }

    pub(super) fn solo_after_garden<E: EventSink>(&self, state: &mut State, events: &mut E) {
        if state.solo.partner != NONE && state.free_spots() != 0 {
            state.phase = Phase::Neutral;
            return;
        }
        state.solo.partner = NONE;
        self.solo_next_pair(state, events);
    }

    pub(super) fn solo_neutral<E: EventSink>(&self, state: &mut State, square: u8, events: &mut E) {
        let partner = std::mem::replace(&mut state.solo.partner, NONE);
        state.stand(partner, Figure { square, seat: NEUTRAL, facing: NEUTRAL });
        events.emit(|| {
            let (name, at) = (self.name_of(partner), square_name(square));
            Event::new("neutral", "TG-13.4.3", format!("the {name} goes to {at}")).with("character", name).with("square", at)
        });
        self.solo_next_pair(state, events);
    }

    fn solo_next_pair<E: EventSink>(&self, state: &mut State, events: &mut E) {
        if state.display.count_ones() == 2 {
            state.solo.pair = std::mem::take(&mut state.display);
            state.phase = Phase::Pick;
        } else {
            self.solo_tile_done(state, events);
        }
    }

    pub(super) fn solo_pick<E: EventSink>(&self, state: &mut State, character: u8, events: &mut E) {
        let pair = std::mem::take(&mut state.solo.pair);
        state.seats[0].active = character;
        state.solo.partner = (pair & !(1 << character)).trailing_zeros() as u8;
        events.emit(|| {
            let name = self.name_of(character);
            let rule = if state.solo.stack == NONE { "TG-13.2" } else { "TG-13.4.3" };
            Event::new("pick", rule, format!("the {name} is picked")).with("character", name)
        });
        if state.solo.stack == NONE {
            self.solo_main(state, events);
        } else if state.character_deck != 0 {
            state.phase = Phase::Character;
        } else {
            self.solo_tile_done(state, events);
        }
    }

    /// A character of the next pair was shown.
    pub(super) fn solo_shown<E: EventSink>(&self, state: &mut State, events: &mut E) {
        if state.display.count_ones() == 2 || state.character_deck == 0 {
            self.solo_tile_done(state, events);
        }
    }

    /// Won, lost, or the stack is turned up again (TG-13.4.4 and 13.4.5).
    fn solo_tile_done<E: EventSink>(&self, state: &mut State, events: &mut E) {
        if state.occupied & CENTRAL == CENTRAL {
            self.solo_end(state, "TG-13.4.4", true, "all squares are covered", events);
        } else if state.down_total[usize::from(state.solo.stack)] == 0 {
            self.solo_end(state, "TG-13.4.5", false, "a stack has run out", events);
        } else {
            state.phase = Phase::Tile;
        }
    }

    /// A tile was turned up: by `bottom` the old one goes back, otherwise a card is drawn for the stack.
    pub(super) fn solo_turned_up<E: EventSink>(&self, state: &mut State, stack: usize, events: &mut E) {
        let under = std::mem::replace(&mut state.solo.under, NONE);
        if under == NONE {
            Self::refill_deck(state, events);
            state.phase = Phase::Draw;
        } else {
            state.down[usize::from(under)] += 1;
            state.down_total[stack] += 1;
            state.solo.stack = NONE;
            self.solo_main(state, events);
        }
    }

    /// A card was drawn for the market.
    pub(super) fn solo_drew<E: EventSink>(&self, state: &mut State, card: u8, events: &mut E) {
        if state.solo.stack != NONE {
            state.solo.market[usize::from(state.solo.stack)] = card;
            state.solo.stack = NONE;
            state.round += 1;
            self.solo_main(state, events);
            return;
        }
        if let Some(slot) = state.solo.market.iter_mut().find(|slot| **slot == NONE) {
            *slot = card;
        }
        if state.solo.market.contains(&NONE) {
            Self::refill_deck(state, events);
        } else if state.turn.seat == NONE {
            self.setup_step(state);
        } else {
            self.solo_main(state, events);
        }
    }
}
