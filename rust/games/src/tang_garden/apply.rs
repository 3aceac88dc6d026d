//! Playing with two to four: what each action and draw does, and the steps SETTLE, SECOND, CLOSE, OPTIONS and END of TG-6.1.
//! The set-up is here too; what only the solo game does is in `solo.rs`.

use forbidden_games_core::contract::{Notation, Rules};
use forbidden_games_core::event::{Event, EventSink};

use super::actions::{Action, Outcome};
use super::board::{NONE, bit, square_name};
use super::components::{Bonus, LETTERS, SIDES, SIZES};
use super::game::Game;
use super::skills::Skill;
use super::state::{DECORATE, Figure, LANTERNS, MOVE, NO_FIGURE, Phase, SEEK, State, TurnState, insert_sorted, remove_sorted};

pub(super) fn apply_action<E: EventSink>(game: &Game, state: &mut State, action: Action, events: &mut E) {
    debug_assert!(game.is_legal(state, action), "{} is legal", game.format_action(action));
    state.ply += 1;
    match action {
        Action::Build { stack, rotation, square } | Action::Wall { stack, rotation, square } => {
            game.build(state, usize::from(stack), rotation, square, events);
        }
        Action::Card { card, square } => game.play_card(state, card, square, events),
        Action::Garden { character, square, facing } => game.enter_garden(state, character, square, facing, events),
        Action::Move { character, square, facing } => {
            let figure = state.figures[usize::from(character)];
            state.figure_squares &= !bit(figure.square);
            state.stand(character, Figure { square, facing, ..figure });
            game.use_lantern(state, MOVE, events);
            events.emit(|| {
                let text =
                    format!("{} goes to {} facing {}", game.name_of(character), square_name(square), SIDES[usize::from(facing)]);
                Event::new("move", "TG-5.13", text).with("character", game.name_of(character)).with("square", square_name(square))
            });
            if game.players == 1 { game.solo_main(state, events) } else { game.options_step(state, events) }
        }
        Action::Panorama { landscape, side } => game.put_landscape(state, landscape, side, true, events),
        Action::SeekLandscape { landscape, side } => {
            game.use_lantern(state, SEEK, events);
            game.put_landscape(state, landscape, side, false, events);
        }
        Action::Take { square } => {
            game.take_token(state, square, "TG-5.9", events);
            game.settle(state, events);
        }
        Action::Influence { character } => {
            state.display &= !(1 << character);
            game.spend_influence(state);
            state.turn.new = character;
            state.phase = Phase::Garden;
            game.tell_influence(state, character, events);
        }
        Action::InfluenceBlind => {
            game.spend_influence(state);
            state.phase = Phase::Blind;
        }
        Action::SeekCharacter { character } => {
            game.use_lantern(state, SEEK, events);
            state.character_deck &= !(1 << character);
            game.spend_influence(state);
            state.turn.new = character;
            state.phase = Phase::Garden;
            game.tell_influence(state, character, events);
        }
        Action::Level { track } => {
            if state.phase == Phase::Path {
                state.turn.paths -= 2;
            }
            game.advance(state, usize::from(track), 1, events);
            game.settle(state, events);
        }
        Action::Coins => {
            game.pay_paths(state, events);
            game.settle(state, events);
        }
        Action::Decorate => game.begin_decorating(state, events),
        Action::Done => game.close(state, events),
        Action::End => game.end_turn(state, events),
        Action::Refresh { lantern, size } => {
            let cost = game.refresh_cost();
            let seat = &mut state.seats[usize::from(state.turn.seat)];
            seat.tokens[usize::from(size)] -= cost;
            seat.lanterns |= 1 << lantern;
            events.emit(|| {
                let (name, size) = (LANTERNS[usize::from(lantern)], SIZES[usize::from(size)]);
                Event::new("refresh", "TG-5.14", format!("lantern {name} is ready again for {cost} {size} tokens"))
                    .with("lantern", name)
            });
            match state.phase {
                Phase::Main if game.players == 1 => game.solo_main(state, events),
                Phase::Main => {}
                _ => game.options_step(state, events),
            }
        }
        Action::Cards => game.solo_cards(state, events),
        Action::Bottom { stack } => game.solo_bottom(state, stack, events),
        Action::Pick { character } => game.solo_pick(state, character, events),
        Action::Neutral { square } => game.solo_neutral(state, square, events),
    }
}

pub(super) fn apply_outcome<E: EventSink>(game: &Game, state: &mut State, outcome: Outcome, events: &mut E) {
    debug_assert!(game.weight_of(state, outcome) > 0, "{} can be drawn", game.outcome_name(outcome));
    let in_setup = state.turn.seat == NONE;
    match (state.phase, outcome) {
        (Phase::Tile, Outcome::Tile(kind)) => {
            let stack = game.stack_to_turn(state).unwrap_or(0);
            state.up[stack] = kind;
            state.down[usize::from(kind)] -= 1;
            state.down_total[stack] -= 1;
            let rule = game.draw_rule(state, "TG-5.7");
            events.emit(|| {
                let name = game.outcome_name(outcome);
                Event::new("tile", rule, format!("tile {name} is turned up")).with("tile", name)
            });
            if in_setup {
                game.setup_step(state);
            } else if game.players == 1 {
                game.solo_turned_up(state, stack, events);
            } else if game.stack_to_turn(state).is_none() {
                game.options_step(state, events);
            }
        }
        (Phase::Deal, Outcome::Character(character)) => game.deal(state, character, events),
        (Phase::Character, Outcome::Character(character)) => {
            state.character_deck &= !(1 << character);
            state.display |= 1 << character;
            let rule = game.draw_rule(state, "TG-5.11");
            events.emit(|| {
                let name = game.outcome_name(outcome);
                Event::new("character", rule, format!("{name} is shown")).with("character", name)
            });
            if in_setup {
                game.setup_step(state);
            } else if game.players == 1 {
                game.solo_shown(state, events);
            } else {
                game.after_influence(state, events);
            }
        }
        (Phase::Blind, Outcome::Character(character)) => {
            state.character_deck &= !(1 << character);
            state.turn.new = character;
            state.phase = Phase::Garden;
            game.tell_influence(state, character, events);
        }
        (Phase::Side, Outcome::Landscape(kind)) => game.put_on_side(state, kind, events),
        (Phase::Landscape, Outcome::Landscape(kind)) => {
            game.take_from_pile(state, kind);
            let size = game.tables.components.landscapes[usize::from(kind)].size;
            insert_sorted(&mut state.shown[size], kind);
            let rule = game.draw_rule(state, "TG-5.6");
            events.emit(|| {
                let name = game.outcome_name(outcome);
                Event::new("landscape", rule, format!("landscape {name} is shown")).with("landscape", name)
            });
            if in_setup {
                game.setup_step(state);
            } else if game.players == 1 {
                game.solo_after_landscape(state, events);
            } else {
                game.second_step(state, events);
            }
        }
        (Phase::Draw, Outcome::Card(kind)) => {
            state.deck[usize::from(kind)] -= 1;
            state.deck_total -= 1;
            let rule = game.draw_rule(state, "TG-5.8");
            events.emit(|| {
                let name = game.outcome_name(outcome);
                Event::new("draw", rule, format!("card {name} is drawn")).with("card", name)
            });
            if game.players == 1 {
                game.solo_drew(state, kind, events);
            } else {
                insert_sorted(&mut state.turn.drawn, kind);
                state.turn.draws -= 1;
                game.draw_step(state, events);
            }
        }
        (Phase::Scatter, Outcome::Scatter(size)) => {
            let free = game.tables.components.solo_tokens & !(state.tokens[0] | state.tokens[1]);
            state.tokens[usize::from(size)] |= free & free.wrapping_neg();
            game.setup_step(state);
        }
        _ => debug_assert!(false, "an outcome of the phase"),
    }
}

impl Game {
    /// A seat, or the solo player's pair, gets a character (TG-4.1, TG-13.2).
    fn deal<E: EventSink>(&self, state: &mut State, character: u8, events: &mut E) {
        state.character_deck &= !(1 << character);
        if self.players == 1 {
            state.solo.pair |= 1 << character;
            events.emit(|| {
                let name = self.outcome_name(Outcome::Character(character));
                Event::new("deal", "TG-13.2", format!("the {name} is one of the pair")).with("character", name)
            });
        } else if let Some(index) = state.seats[..self.players].iter().position(|seat| seat.active == NONE) {
            let seat = &mut state.seats[index];
            seat.active = character;
            events.emit(|| {
                let name = self.outcome_name(Outcome::Character(character));
                let event = Event::new("deal", "TG-4.1", format!("seat {index} begins with the {name}"));
                event.with("seat", index).with("character", name)
            });
            if let Some(track) = self.tables.components.characters[usize::from(character)].start {
                seat.levels[usize::from(track)] += 1;
            }
        }
        self.setup_step(state);
    }

    /// The next side gets its first landscape (TG-4.1).
    fn put_on_side<E: EventSink>(&self, state: &mut State, kind: u8, events: &mut E) {
        let side = (0..4).find(|&side| state.panorama_count[side][0] == 0).unwrap_or(0);
        self.take_from_pile(state, kind);
        insert_sorted(&mut state.panorama[side], kind);
        state.panorama_count[side][0] += 1;
        let rule = self.draw_rule(state, "TG-4.1");
        events.emit(|| {
            let (name, side) = (self.outcome_name(Outcome::Landscape(kind)), SIDES[side]);
            let event = Event::new("side", rule, format!("landscape {name} goes to side {side}"));
            event.with("landscape", name).with("side", side)
        });
        self.setup_step(state);
    }

    /// The rule that an event of the draw at `state` names: that of the set-up, of the solo game, or else `rule`.
    fn draw_rule(&self, state: &State, rule: &'static str) -> &'static str {
        let exchanged = state.solo.under != NONE || (state.phase == Phase::Draw && state.solo.stack == NONE);
        match (state.turn.seat == NONE, self.players == 1) {
            (true, true) => "TG-13.2",
            (true, false) => "TG-4.1",
            (false, true) if exchanged => "TG-13.3",
            (false, true) if matches!(state.phase, Phase::Character | Phase::Landscape) => "TG-13.4.3",
            (false, true) => "TG-13.4.5",
            (false, false) => rule,
        }
    }

    // ---- Set-up (TG-4.1, 13.2) ------------------------------------------------------------------------------------------

    /// What the set-up still has to draw.
    pub(super) fn setup_phase(&self, state: &State) -> Option<Phase> {
        let solo = self.players == 1;
        let undealt = if solo {
            state.solo.pair.count_ones() < 2
        } else {
            state.seats[..self.players].iter().any(|seat| seat.active == NONE)
        };
        if state.up.contains(&NONE) {
            Some(Phase::Tile)
        } else if undealt {
            Some(Phase::Deal)
        } else if state.display.count_ones() < 2 {
            Some(Phase::Character)
        } else if state.panorama_count.iter().any(|count| count[0] == 0) {
            Some(Phase::Side)
        } else if Self::size_to_show(state).is_some() {
            Some(Phase::Landscape)
        } else if solo && state.tokens_left() < 8 {
            Some(Phase::Scatter)
        } else if solo && state.solo.market.contains(&NONE) {
            Some(Phase::Draw)
        } else {
            None
        }
    }

    pub(super) fn setup_step(&self, state: &mut State) {
        if let Some(phase) = self.setup_phase(state) {
            state.phase = phase;
        } else {
            state.turn = TurnState::rest(0);
            state.phase = if self.players == 1 { Phase::Pick } else { Phase::Main };
        }
    }

    // ---- Coins and levels -----------------------------------------------------------------------------------------------

    /// The skill of the active character of the seat whose turn it is.
    pub(super) fn active_skill(&self, state: &State) -> Skill {
        let active = state.seats[usize::from(state.turn.seat)].active;
        if active == NONE { Skill::None } else { self.tables.components.characters[usize::from(active)].skill }
    }

    pub(super) fn pay<E: EventSink>(&self, state: &mut State, coins: u32, what: &'static str, rule: &'static str, events: &mut E) {
        let seat = usize::from(state.turn.seat);
        state.seats[seat].coins += coins;
        events.emit(|| {
            let text = format!("seat {seat} gets {coins} {} ({what})", if coins == 1 { "coin" } else { "coins" });
            Event::new("coins", rule, text).with("seat", seat).with("coins", coins)
        });
    }

    /// Advances a track of the seat whose turn it is (TG-5.5).
    pub(super) fn advance<E: EventSink>(&self, state: &mut State, track: usize, levels: u8, events: &mut E) {
        let components = &self.tables.components;
        let seat = usize::from(state.turn.seat);
        let thresholds = |levels: [u8; 3]| self.tables.reached[usize::from(levels[0].min(levels[1]).min(levels[2]))];
        let before = state.seats[seat].levels;
        let from = before[track];
        let to = (from + levels).min(10);
        if from == to {
            return;
        }
        state.seats[seat].levels[track] = to;
        events.emit(|| {
            let text = format!("seat {seat} advances {} to column {to}", LETTERS[track]);
            Event::new("level", "TG-5.5", text).with("seat", seat).with("track", LETTERS[track].to_string()).with("column", to)
        });
        let coins = (from + 1..=to).map(|column| u32::from(components.track_coins[usize::from(column)])).sum();
        if coins > 0 {
            self.pay(state, coins, "column", "TG-5.5", events);
        }
        if thresholds(state.seats[seat].levels) > thresholds(before) {
            state.seats[seat].character_token = false;
            state.turn.earned = true;
            events.emit(|| Event::new("earned", "TG-5.5", format!("seat {seat} has earned an influence")).with("seat", seat));
        }
        if self.active_skill(state) == Skill::Track(track as u8) && !state.turn.paid {
            state.turn.paid = true;
            self.pay(state, 1, "skill", "TG-5.5", events);
        }
    }

    // ---- Decorating -----------------------------------------------------------------------------------------------------

    fn begin_decorating<E: EventSink>(&self, state: &mut State, events: &mut E) {
        state.turn.action = DECORATE;
        let face_down = (0..4).filter(|&stack| state.up[stack] == NONE && state.down_total[stack] > 0).count() as u8;
        state.turn.draws = 2 + face_down + u8::from(self.active_skill(state) == Skill::Draw);
        self.draw_step(state, events);
    }

    /// The discards become the deck if that is empty (TG-5.8).
    pub(super) fn refill_deck<E: EventSink>(state: &mut State, events: &mut E) {
        if state.deck_total == 0 && state.discard_total > 0 {
            state.deck = state.discard;
            state.deck_total = state.discard_total;
            state.discard = [0; super::components::MAX_CARDS];
            state.discard_total = 0;
            events.emit(|| Event::new("deck", "TG-5.8", "the discards become the deck"));
        }
    }

    fn draw_step<E: EventSink>(&self, state: &mut State, events: &mut E) {
        if state.turn.draws > 0 {
            Self::refill_deck(state, events);
            if state.deck_total > 0 {
                state.phase = Phase::Draw;
                return;
            }
            state.turn.draws = 0;
        }
        if state.turn.drawn_cards().iter().any(|&card| state.is_playable(&self.tables, card)) {
            state.phase = Phase::Choose;
        } else {
            events.emit(|| Event::new("decorate", "TG-5.8", "no drawn card can be placed"));
            self.close(state, events);
        }
    }

    fn play_card<E: EventSink>(&self, state: &mut State, card: u8, square: u8, events: &mut E) {
        let kind = &self.tables.components.cards[usize::from(card)];
        let decoration = kind.decoration;
        state.adorn(&self.tables, square, decoration);
        events.emit(|| {
            let name = &self.tables.components.decorations[usize::from(decoration)];
            let text = format!("{name} is placed on {}", square_name(square));
            let rule = if self.players == 1 { "TG-13.4.2" } else { "TG-5.9" };
            Event::new("card", rule, text).with("card", kind.name.as_str()).with("square", square_name(square))
        });
        if self.players == 1 {
            self.solo_decorated(state, events);
            return;
        }
        if state.phase == Phase::Second {
            self.use_lantern(state, DECORATE, events);
        }
        remove_sorted(&mut state.turn.drawn, card);
        state.turn.placed += 1;
        state.placed_in_round = true;
        let seat = usize::from(state.turn.seat);
        state.seats[seat].cards[usize::from(decoration)] += 1;
        if matches!(self.active_skill(state), Skill::Place(bits) if bits >> decoration & 1 == 1) {
            self.pay(state, 2, "skill", "TG-5.9", events);
        }
        match kind.bonus {
            Bonus::None => {}
            Bonus::Coins(coins) => self.pay(state, u32::from(coins), "bonus", "TG-5.9", events),
            Bonus::Track(track) => self.advance(state, usize::from(track), 1, events),
            Bonus::Level => {
                if state.seats[seat].levels.iter().any(|&level| level < 10) {
                    state.phase = Phase::Level;
                    return;
                }
            }
            Bonus::Token => {
                if state.tokens_left() > 0 {
                    state.phase = Phase::Token;
                    return;
                }
            }
        }
        self.settle(state, events);
    }

    pub(super) fn discard_drawn(state: &mut State) {
        for &card in state.turn.drawn_cards() {
            state.discard[usize::from(card)] += 1;
            state.discard_total += 1;
        }
        state.turn.drawn = [NONE; 8];
    }

    // ---- Landscapes -----------------------------------------------------------------------------------------------------

    pub(super) fn take_from_pile(&self, state: &mut State, kind: u8) {
        state.pile[usize::from(kind)] -= 1;
        state.pile_total[self.tables.components.landscapes[usize::from(kind)].size] -= 1;
    }

    fn put_landscape<E: EventSink>(&self, state: &mut State, kind: u8, side: u8, shown: bool, events: &mut E) {
        let size = usize::from(state.turn.insert);
        if shown {
            remove_sorted(&mut state.shown[size], kind);
        } else {
            self.take_from_pile(state, kind);
        }
        insert_sorted(&mut state.panorama[usize::from(side)], kind);
        state.panorama_count[usize::from(side)][size] += 1;
        state.turn.insert = NONE;
        events.emit(|| {
            let (name, side) = (self.outcome_name(Outcome::Landscape(kind)), SIDES[usize::from(side)]);
            Event::new("panorama", "TG-5.6", format!("landscape {name} goes to side {side}"))
                .with("landscape", name)
                .with("side", side)
        });
        if Self::size_to_show(state).is_some() {
            state.phase = Phase::Landscape;
        } else if self.players == 1 {
            self.solo_after_landscape(state, events);
        } else {
            self.second_step(state, events);
        }
    }

    // ---- Influence ------------------------------------------------------------------------------------------------------

    fn spend_influence(&self, state: &mut State) {
        if state.turn.earned {
            state.turn.earned = false;
        } else {
            state.seats[usize::from(state.turn.seat)].character_token = false;
        }
        state.turn.influenced = true;
    }

    fn tell_influence<E: EventSink>(&self, state: &State, character: u8, events: &mut E) {
        let seat = state.turn.seat;
        events.emit(|| {
            let text = format!("seat {seat} takes the {}", self.name_of(character));
            Event::new("influence", "TG-5.11", text).with("seat", seat).with("character", self.name_of(character))
        });
    }

    pub(super) fn name_of(&self, character: u8) -> &str {
        &self.tables.components.character_names[usize::from(character)]
    }

    fn enter_garden<E: EventSink>(&self, state: &mut State, character: u8, square: u8, facing: u8, events: &mut E) {
        let seat = state.turn.seat;
        debug_assert_eq!(state.figures[usize::from(character)], NO_FIGURE, "a character stands once");
        state.stand(character, Figure { square, seat, facing });
        events.emit(|| {
            let (name, at, to) = (self.name_of(character), square_name(square), SIDES[usize::from(facing)]);
            let rule = if self.players == 1 { "TG-13.4.3" } else { "TG-5.11" };
            let event = Event::new("garden", rule, format!("seat {seat} places the {name} on {at} facing {to}"));
            event.with("seat", seat).with("character", name).with("square", at)
        });
        let active = &mut state.seats[usize::from(seat)].active;
        if self.players == 1 {
            *active = NONE;
            self.solo_after_garden(state, events);
            return;
        }
        if *active == character {
            *active = state.turn.new;
        }
        state.turn.new = NONE;
        if state.display.count_ones() < 2 && state.character_deck != 0 {
            state.phase = Phase::Character;
        } else {
            self.after_influence(state, events);
        }
    }

    fn after_influence<E: EventSink>(&self, state: &mut State, events: &mut E) {
        if state.turn.action == NONE {
            state.phase = Phase::Main;
        } else {
            self.options_step(state, events);
        }
    }

    pub(super) fn use_lantern<E: EventSink>(&self, state: &mut State, lantern: u8, events: &mut E) {
        let seat = usize::from(state.turn.seat);
        state.seats[seat].lanterns &= !(1 << lantern);
        state.turn.lantern = self.players > 1;
        events.emit(|| {
            let name = LANTERNS[usize::from(lantern)];
            let rule = if self.players == 1 { "TG-13.3" } else { "TG-6.3" };
            Event::new("lantern", rule, format!("seat {seat} uses lantern {name}")).with("seat", seat).with("lantern", name)
        });
    }

    // ---- Steps of the turn (TG-6.1) -------------------------------------------------------------------------------------

    pub(super) fn settle<E: EventSink>(&self, state: &mut State, events: &mut E) {
        let seat = &state.seats[usize::from(state.turn.seat)];
        if state.turn.paths >= 2 && seat.levels.iter().any(|&level| level < 10) {
            state.phase = Phase::Path;
            return;
        }
        self.pay_paths(state, events);
        state.turn.paid = false;
        if state.turn.insert != NONE {
            state.phase = Phase::Panorama;
            return;
        }
        self.second_step(state, events);
    }

    fn second_step<E: EventSink>(&self, state: &mut State, events: &mut E) {
        if self.can_place_second(state) {
            state.phase = Phase::Second;
        } else {
            self.close(state, events);
        }
    }

    fn close<E: EventSink>(&self, state: &mut State, events: &mut E) {
        Self::discard_drawn(state);
        let shown = state.up.iter().filter(|&&kind| kind != NONE).count();
        if (state.turn.action == DECORATE || shown < 2) && self.stack_to_turn(state).is_some() {
            state.phase = Phase::Tile;
        } else {
            self.options_step(state, events);
        }
    }

    fn options_step<E: EventSink>(&self, state: &mut State, events: &mut E) {
        if self.has_options(state) {
            state.phase = Phase::Options;
        } else {
            self.end_turn(state, events);
        }
    }

    fn end_turn<E: EventSink>(&self, state: &mut State, events: &mut E) {
        let seat = usize::from(state.turn.seat);
        if state.turn.earned {
            state.seats[seat].character_token = true;
            events.emit(|| {
                Event::new("character-token", "TG-5.12", format!("seat {seat} takes a character token")).with("seat", seat)
            });
        }
        state.phase = Phase::Main;
        if seat + 1 < self.players {
            state.turn = TurnState::rest(state.turn.seat + 1);
            return;
        }
        state.idle_rounds = if state.placed_in_round { 0 } else { state.idle_rounds + 1 };
        state.placed_in_round = false;
        if state.is_final || state.idle_rounds >= 3 {
            state.turn = TurnState::rest(NONE);
            state.phase = Phase::End;
            events.emit(|| {
                let (rule, text) = if state.is_final {
                    ("TG-7.1", "the last round is over")
                } else {
                    ("TG-7.2", "three idle rounds end the game")
                };
                Event::new("end", rule, text)
            });
        } else {
            state.round += 1;
            state.turn = TurnState::rest(0);
        }
    }
}
