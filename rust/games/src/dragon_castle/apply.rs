//! Applying actions and outcomes, and the automatic steps of DC-6.3. Events are made only for those who listen.

use forbidden_games_core::contract::{Notation, Rules};
use forbidden_games_core::event::{Event, EventSink};

use super::actions::{Action, Outcome, Payment};
use super::cards::{Spirit, Window};
use super::components::clip;
use super::game::Game;
use super::squares::{later, squares};
use super::state::{FirstPick, Lifted, Phase, State, TurnState};

pub(super) fn apply_action<E: EventSink>(game: &Game, state: &mut State, action: Action, events: &mut E) {
    debug_assert!(game.is_legal(state, action), "{} is not legal", game.format_action(action));
    state.ply += 1;
    match action {
        Action::Take(square) => game.take(state, square, events),
        Action::Pair(square) => game.pair(state, square, events),
        Action::Shrine => game.take_shrine(state, events),
        Action::Discard => game.discard(state, events),
        Action::Summon => game.summon(state, events),
        Action::Place(square) => game.place(state, square, events),
        Action::Consolidate(square) => {
            let set = game.type_group(state, state.seat(), usize::from(square));
            game.consolidate_set(state, set, events);
        }
        Action::Build(square) => game.build(state, square, events),
        Action::Done => game.end_building(state, events),
        Action::Set(square) => game.consolidate_number(state, square, events),
        Action::Wild(square, kind) => game.consolidate_wild(state, square, kind, events),
        Action::Swap(x, y) => game.swap(state, x, y, events),
        Action::Flip(square) => game.flip(state, square, events),
        Action::From(square) => {
            state.turn.from = Some(square);
            state.phase = Phase::WindTo;
        }
        Action::To(square) => game.move_shrine(state, square, events),
        Action::Lift(square) => {
            let top = game.remove(state, state.seat(), square);
            state.turn.lifted = Some(Lifted { square, top });
            state.phase = Phase::StrengthDrop;
        }
        Action::Drop(square) => game.drop_tile(state, square, events),
        Action::Pass => game.pass(state, events),
        Action::Spirit(card, payment) => game.use_spirit(state, card, payment, events),
    }
}

pub(super) fn apply_outcome<E: EventSink>(game: &Game, state: &mut State, outcome: Outcome, events: &mut E) {
    debug_assert!(game.check_outcome(state, outcome).is_ok(), "{} cannot be drawn", game.format_outcome(outcome));
    match outcome {
        Outcome::Symbol(symbol) => {
            let square = game.reveal(state, symbol);
            if state.phase == Phase::SetupTile {
                if state.unknown.is_none() {
                    state.phase = game.phase_after_set_up(state);
                }
                return;
            }
            state.phase = if state.turn.hand.len() == 2 { Phase::Place } else { Phase::Second };
            events.emit(|| {
                let (square, symbol) = (game.tables.castle.format(square), game.settings.components.symbol_text(symbol));
                Event::new("reveal", "DC-5.5", format!("{symbol} comes to light on {square}"))
                    .with("square", square)
                    .with("symbol", symbol)
            });
        }
        Outcome::Dragon(card) => {
            state.dragons.insert(card.index());
            state.phase = game.phase_after_set_up(state);
            events.emit(|| {
                Event::new("dragon", "DC-4.2", format!("{} is in play", game.settings.components.dragon_title(card)))
                    .with("card", card.name())
            });
        }
        Outcome::Spirit(card) => {
            state.spirits.insert(card.index());
            state.phase = game.phase_after_set_up(state);
            events.emit(|| {
                Event::new("spirit_card", "DC-4.2", format!("{} is in play", game.settings.components.spirit_title(card)))
                    .with("card", card.name())
            });
        }
    }
}

impl Game {
    /// What comes when every top is known (DC-4.2).
    fn phase_after_set_up(&self, state: &State) -> Phase {
        if state.dragons.len() < self.settings.dragons.drawn() {
            Phase::SetupDragon
        } else if state.spirits.len() < self.settings.spirits.drawn() {
            Phase::SetupSpirit
        } else {
            Phase::Turn
        }
    }

    // ---- The castle, shrines and tokens ---------------------------------------------------------------------------------

    fn take<E: EventSink>(&self, state: &mut State, square: u8, events: &mut E) {
        let floor = state.castle[usize::from(square)].height();
        let symbol = self.take_top(state, usize::from(square));
        state.turn.first = Some(FirstPick { square, floor });
        state.turn.hand.push(symbol);
        state.turn.bound = None;
        state.phase = if floor > 1 { Phase::Reveal } else { Phase::Second };
        events.emit(|| self.pick_event("take", "DC-5.4", square, symbol));
    }

    fn pair<E: EventSink>(&self, state: &mut State, square: u8, events: &mut E) {
        let symbol = self.take_top(state, usize::from(square));
        state.turn.hand.push(symbol);
        self.end_picks(state);
        state.phase = if state.unknown.is_some() { Phase::Reveal } else { Phase::Place };
        events.emit(|| self.pick_event("pair", "DC-5.6", square, symbol));
    }

    fn take_shrine<E: EventSink>(&self, state: &mut State, events: &mut E) {
        let seat = state.seat();
        state.supply -= 1;
        state.pools[seat] += 1;
        self.end_picks(state);
        state.phase = Phase::Place;
        events.emit(|| Event::new("shrine", "DC-5.6", "takes a shrine into the pool"));
    }

    fn discard<E: EventSink>(&self, state: &mut State, events: &mut E) {
        let seat = state.seat();
        let symbol = state.turn.hand.take_first();
        state.discards += 1;
        state.vp[seat] += 1;
        self.end_picks(state);
        events.emit(|| {
            let symbol = self.settings.components.symbol_text(symbol);
            Event::new("discard", "DC-5.6", format!("{symbol} goes out of play: 1 VP")).with("symbol", symbol).with("vp", 1)
        });
        self.end_window(state, events);
    }

    fn summon<E: EventSink>(&self, state: &mut State, events: &mut E) {
        let seat = state.seat();
        state.tokens -= 1;
        state.countdown[seat] += 1;
        let taken = state.tokens_taken();
        events.emit(|| {
            Event::new("summon", "DC-5.8", format!("takes a countdown token, number {taken} of all seats")).with("taken", taken)
        });
        if taken == self.settings.players {
            events.emit(|| Event::new("last_round", "DC-7.1", "the last round has begun"));
        }
        self.end_window(state, events);
    }

    /// Clears what lasts until *pair*, *shrine* or *discard* (DC-9.2).
    fn end_picks(&self, state: &mut State) {
        state.turn.bound = None;
        state.turn.first = None;
        state.turn.elegance = false;
    }

    // ---- The realm ------------------------------------------------------------------------------------------------------

    fn place<E: EventSink>(&self, state: &mut State, square: u8, events: &mut E) {
        let symbol = state.turn.hand.take_first();
        self.put(state, state.seat(), square, symbol + 1);
        events.emit(|| {
            let (square, symbol) = (self.realm_square(square), self.settings.components.symbol_text(symbol));
            Event::new("place", "DC-5.9", format!("{symbol} is placed on {square}")).with("square", square).with("symbol", symbol)
        });
        if let Some(&other) = state.turn.hand.as_slice().first() {
            state.turn.after = (other == symbol).then_some(square);
        } else {
            state.turn.after = None;
            self.placed(state, events);
        }
    }

    /// Lays a tile on an open square; `top` as in [`super::state::RealmStack`].
    fn put(&self, state: &mut State, seat: usize, square: u8, top: u16) {
        let stack = &mut self.realm_mut(state, seat)[usize::from(square)];
        stack.height += 1;
        stack.top = top;
        let masks = &mut state.masks[seat];
        masks.stacks |= 1 << square;
        masks.face_up |= u64::from(top != 0) << square;
    }

    /// Takes the top tile of a stack away; what is below it lies face down.
    fn remove(&self, state: &mut State, seat: usize, square: u8) -> u16 {
        let stack = &mut self.realm_mut(state, seat)[usize::from(square)];
        let top = std::mem::take(&mut stack.top);
        stack.height -= 1;
        let empty = stack.height == 0;
        let masks = &mut state.masks[seat];
        masks.face_up &= !(1 << square);
        masks.stacks &= !(u64::from(empty) << square);
        top
    }

    // ---- Effects of spirit cards ----------------------------------------------------------------------------------------

    /// `beauty`: the group of one number around `square`.
    fn consolidate_number<E: EventSink>(&self, state: &mut State, square: u8, events: &mut E) {
        let seat = state.seat();
        let within = self.faction_mask(state, seat, state.masks[seat].face_up);
        let numbered = self.number_mask(state, seat, usize::from(square), within);
        let set = self.tables.realm.group(1 << square, numbered);
        self.turn_down(state, set, 1, ("tiles of one number", "DC-5.20"), events);
        state.turn.pending = self.sets(state, seat);
        self.consolidated(state, set, 2, events);
    }

    /// `change`: the group of type `kind` around `square`, which counts as one of them.
    fn consolidate_wild<E: EventSink>(&self, state: &mut State, square: u8, kind: u8, events: &mut E) {
        let seat = state.seat();
        let set = self.change_group(state, seat, usize::from(square), kind);
        let tile_type = &self.settings.components.types[usize::from(kind)];
        self.turn_down(state, set, i32::from(tile_type.vp), (&tile_type.title, "DC-5.25"), events);
        state.turn.pending = self.sets(state, seat);
        self.consolidated(state, set, tile_type.shrines, events);
    }

    fn swap<E: EventSink>(&self, state: &mut State, x: u8, y: u8, events: &mut E) {
        let realm = self.realm_mut(state, state.seat());
        let (top_x, top_y) = (realm[usize::from(x)].top, realm[usize::from(y)].top);
        realm[usize::from(x)].top = top_y;
        realm[usize::from(y)].top = top_x;
        events.emit(|| {
            let (x, y) = (self.realm_square(x), self.realm_square(y));
            Event::new("swap", "DC-5.28", format!("the tiles on {x} and {y} change places")).with("x", x).with("y", y)
        });
        self.applied(state, events);
    }

    fn flip<E: EventSink>(&self, state: &mut State, square: u8, events: &mut E) {
        let seat = state.seat();
        self.realm_mut(state, seat)[usize::from(square)].top = 0;
        state.masks[seat].face_up &= !(1 << square);
        state.phase = Phase::WindFrom;
        events.emit(|| {
            let square = self.realm_square(square);
            Event::new("flip", "DC-5.21", format!("the tile on {square} is turned face down")).with("square", square)
        });
    }

    fn move_shrine<E: EventSink>(&self, state: &mut State, square: u8, events: &mut E) {
        let seat = state.seat();
        let from = state.turn.from.take().expect("wind_to has a shrine to move");
        state.masks[seat].shrines ^= 1 << from | 1 << square;
        events.emit(|| {
            let (from, to) = (self.realm_square(from), self.realm_square(square));
            Event::new("move_shrine", "DC-5.21", format!("the shrine on {from} moves to {to}")).with("from", from).with("to", to)
        });
        self.applied(state, events);
    }

    fn drop_tile<E: EventSink>(&self, state: &mut State, square: u8, events: &mut E) {
        let seat = state.seat();
        let lifted = state.turn.lifted.take().expect("strength_drop has a tile in the air");
        self.put(state, seat, square, lifted.top);
        events.emit(|| {
            let (from, to) = (self.realm_square(lifted.square), self.realm_square(square));
            Event::new("move_tile", "DC-5.22", format!("the tile on {from} moves to {to}")).with("from", from).with("to", to)
        });
        if state.turn.moved.is_none() {
            state.turn.moved = Some(square);
            if self.lifts(state) != 0 {
                state.phase = Phase::StrengthLift;
                return;
            }
        }
        state.turn.moved = None;
        self.applied(state, events);
    }

    fn pass<E: EventSink>(&self, state: &mut State, events: &mut E) {
        match state.phase {
            Phase::Settle => self.check_for_sets(state, Window::End, events),
            Phase::End => self.end_turn(state, events),
            Phase::WindFlip => state.phase = Phase::WindFrom,
            _ => {
                state.turn.moved = None;
                self.applied(state, events);
            }
        }
    }

    fn use_spirit<E: EventSink>(&self, state: &mut State, card: Spirit, payment: Payment, events: &mut E) {
        let seat = state.seat();
        let window = state.phase.window().expect("spirits are used in windows");
        match payment {
            Payment::Tile(square) => {
                self.remove(state, seat, square);
                state.discards += 1;
            }
            Payment::Shrine => {
                state.pools[seat] -= 1;
                state.supply += 1;
            }
        }
        state.turn.used.insert(card.index());
        events.emit(|| {
            let paid = match payment {
                Payment::Tile(square) => format!("the tile on {}", self.realm_square(square)),
                Payment::Shrine => "a shrine".to_owned(),
            };
            Event::new("spirit", "DC-5.14", format!("uses {} for {paid}", self.settings.components.spirit_title(card)))
                .with("card", card.name())
        });
        if card.is_binding() {
            state.turn.bound = Some(card);
            state.turn.elegance |= card == Spirit::Elegance;
            return;
        }
        if card == Spirit::Mason {
            state.turn.builds += 1;
            state.turn.must = true;
            return;
        }
        state.turn.resume = Some(if window == Window::Settle { Window::End } else { window });
        state.phase = match card {
            Spirit::Beauty => Phase::Beauty,
            Spirit::Change => Phase::Change,
            Spirit::Mirror => Phase::Mirror,
            Spirit::Strength => Phase::StrengthLift,
            _ if state.masks[seat].face_up != 0 => Phase::WindFlip,
            _ => Phase::WindFrom,
        };
    }

    // ---- Automatic steps (DC-6.3) ---------------------------------------------------------------------------------------

    fn placed<E: EventSink>(&self, state: &mut State, events: &mut E) {
        let sets = self.sets(state, state.seat());
        if sets != 0 && self.has_spirits(state, Window::Settle) {
            state.phase = Phase::Settle;
            return;
        }
        state.turn.resume = Some(Window::End);
        state.turn.pending = sets;
        self.next_set(state, events);
    }

    /// CHECK(w) of DC-6.3.
    fn check_for_sets<E: EventSink>(&self, state: &mut State, window: Window, events: &mut E) {
        state.turn.resume = Some(window);
        state.turn.pending = self.sets(state, state.seat());
        self.next_set(state, events);
    }

    fn applied<E: EventSink>(&self, state: &mut State, events: &mut E) {
        let window = state.turn.resume.expect("a follow-up phase knows how to go on");
        self.check_for_sets(state, window, events);
    }

    fn next_set<E: EventSink>(&self, state: &mut State, events: &mut E) {
        let seat = state.seat();
        // With an empty pool a set asks for nothing; so this does not recurse deeper than once a set.
        let pending = state.turn.pending;
        if pending == 0 {
            return self.leave_sets(state, events);
        }
        let first = self.type_group(state, seat, pending.trailing_zeros() as usize);
        if first != pending && state.pools[seat] > 0 {
            state.phase = Phase::Consolidate;
        } else {
            self.consolidate_set(state, first, events);
        }
    }

    fn leave_sets<E: EventSink>(&self, state: &mut State, events: &mut E) {
        match state.turn.resume.take() {
            Some(Window::Turn) => state.phase = Phase::Turn,
            Some(Window::Second) => state.phase = Phase::Second,
            _ => self.end_window(state, events),
        }
    }

    fn consolidate_set<E: EventSink>(&self, state: &mut State, set: u64, events: &mut E) {
        let seat = state.seat();
        state.turn.pending &= !set;
        let top = self.realm(state, seat)[set.trailing_zeros() as usize].top;
        let tile_type = &self.settings.components.types[usize::from(self.tables.type_of_top[usize::from(top)])];
        self.turn_down(state, set, i32::from(tile_type.vp), (&tile_type.title, "DC-5.12"), events);
        self.consolidated(state, set, tile_type.shrines, events);
    }

    /// Turns a set face down for its VP; `said` is what its tiles are, and the rule.
    fn turn_down<E: EventSink>(&self, state: &mut State, set: u64, extra: i32, said: (&str, &'static str), events: &mut E) {
        let seat = state.seat();
        let realm = self.realm_mut(state, seat);
        for square in squares(set) {
            realm[square].top = 0;
        }
        state.masks[seat].face_up &= !set;
        let size = set.count_ones();
        let vp = self.settings.components.set_vp(size) + extra;
        state.vp[seat] += vp;
        events.emit(|| {
            let squares = self.realm_squares(set);
            let (what, rule) = (clip(said.0, 40), said.1);
            Event::new("consolidate", rule, format!("a set of {size} {what} is consolidated, {squares}: {vp} VP"))
                .with("squares", squares)
                .with("size", size)
                .with("vp", vp)
        });
    }

    fn consolidated<E: EventSink>(&self, state: &mut State, set: u64, limit: u8, events: &mut E) {
        if limit > 0 && state.pools[state.seat()] > 0 {
            state.turn.set = set;
            state.turn.builds = limit;
            state.phase = Phase::Build;
        } else {
            self.next_set(state, events);
        }
    }

    fn build<E: EventSink>(&self, state: &mut State, square: u8, events: &mut E) {
        let seat = state.seat();
        state.pools[seat] -= 1;
        state.masks[seat].shrines |= 1 << square;
        let turn = &mut state.turn;
        turn.builds -= 1;
        turn.after = Some(square);
        let ends = turn.builds == 0 || state.pools[seat] == 0 || turn.set & later(square) == 0;
        events.emit(|| {
            let floor = self.realm(state, seat)[usize::from(square)].height;
            let square = self.realm_square(square);
            Event::new("build", "DC-5.13", format!("builds a shrine on {square}, floor {floor}"))
                .with("square", square)
                .with("floor", floor)
        });
        if ends {
            self.end_building(state, events);
        }
    }

    fn end_building<E: EventSink>(&self, state: &mut State, events: &mut E) {
        let turn = &mut state.turn;
        (turn.set, turn.builds, turn.after, turn.must) = (0, 0, None, false);
        self.next_set(state, events);
    }

    fn end_window<E: EventSink>(&self, state: &mut State, events: &mut E) {
        if self.has_spirits(state, Window::End) {
            state.phase = Phase::End;
        } else {
            self.end_turn(state, events);
        }
    }

    fn end_turn<E: EventSink>(&self, state: &mut State, events: &mut E) {
        let seat = state.seat();
        if seat + 1 == self.settings.players && state.tokens_taken() >= self.settings.players {
            state.turn = TurnState { seat: seat as u8, ..TurnState::default() };
            state.phase = Phase::Terminal;
            events.emit(|| Event::new("end", "DC-7.1", "the game is over"));
            return;
        }
        state.turn = TurnState { seat: ((seat + 1) % self.settings.players) as u8, ..TurnState::default() };
        state.phase = Phase::Turn;
    }

    fn pick_event(&self, verb: &'static str, rule: &'static str, square: u8, symbol: u16) -> Event {
        let (square, symbol) = (self.castle_square(square), self.settings.components.symbol_text(symbol));
        let kind = if verb == "take" { "first" } else { "second" };
        Event::new(verb, rule, format!("picks {symbol} from {square} as the {kind} tile"))
            .with("square", square)
            .with("symbol", symbol)
    }
}
