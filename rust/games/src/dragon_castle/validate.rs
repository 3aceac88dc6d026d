//! What section 12 asks of a state that comes from outside: one that passes can be played on.

use forbidden_games_core::contract::Rules;

use super::bounds::{Broken, ensure};
use super::cards::{CardSet, Dragon, Spirit, Window};
use super::game::Game;
use super::options::Cards;
use super::squares::{later, squares};
use super::state::{Phase, State, TurnState};

impl Game {
    /// Everything of section 12 that a state can break, and that a decision has actions (DC-12.7).
    pub(super) fn validate(&self, state: &State) -> Result<(), Broken> {
        self.check_tiles(state)?;
        self.check_shrines(state)?;
        self.check_tokens(state)?;
        self.check_cards(state)?;
        self.check_set_up(state)?;
        self.check_turn(state)?;
        self.check_sets(state)?;
        self.check_building(state)?;
        self.check_follow_ups(state)?;
        self.check_numbers(state)?;
        let choices = self.num_legal(state);
        let least = match state.phase {
            phase if phase.is_chance() || phase == Phase::Terminal => 0,
            Phase::Settle | Phase::End => 2,
            _ => 1,
        };
        ensure(choices >= least, "phase", "at least one legal action at a decision, two in settle and end (DC-12.7)", || {
            format!("{} with {choices} legal actions", state.phase.name())
        })
    }

    /// DC-12.1 and DC-12.2.
    fn check_tiles(&self, state: &State) -> Result<(), Broken> {
        let castle = &state.castle[..self.tables.castle.len()];
        let in_castle: usize = castle.iter().map(|stack| usize::from(stack.height())).sum();
        let known = castle.iter().filter(|stack| stack.symbol().is_some()).count();
        let unknown = castle.iter().filter(|stack| stack.height() > 0 && stack.symbol().is_none()).count();
        let highest = castle.iter().zip(&self.settings.layout.heights).position(|(stack, &height)| stack.height() > height);
        ensure(highest.is_none(), "castle", "no stack higher than in the layout (DC-12.1)", || "a higher stack".to_owned())?;
        let cells = self.settings.players * self.tables.realm.grid.len();
        let in_realms: usize = state.realms[..cells].iter().map(|stack| usize::from(stack.height)).sum();
        let turn = &state.turn;
        let sum = in_castle + in_realms + turn.hand.len() + usize::from(turn.lifted.is_some()) + usize::from(state.discards);
        let tiles = usize::from(self.settings.components.tiles);
        ensure(
            sum == tiles,
            "discards",
            "tiles of castle, realms, hand, lifted and discards that add up to the set (DC-12.1)",
            || format!("{sum} tiles of {tiles}"),
        )?;
        let unrevealed: usize = state.unrevealed.iter().map(|&count| usize::from(count)).sum();
        ensure(unrevealed == in_castle - known, "unrevealed", "counts that add up to the castle tiles not seen (DC-12.2)", || {
            format!("{unrevealed} for {} tiles", in_castle - known)
        })?;
        let mut seen: Vec<usize> =
            state.unrevealed[..self.settings.components.symbols.len()].iter().map(|&count| usize::from(count)).collect();
        for symbol in castle.iter().filter_map(|stack| stack.symbol()) {
            seen[usize::from(symbol)] += 1;
        }
        let tops = state.realms[..cells].iter().map(|stack| stack.top).chain(turn.lifted.map(|lifted| lifted.top));
        for top in tops.filter(|&top| top != 0) {
            seen[usize::from(top) - 1] += 1;
        }
        for &symbol in turn.hand.as_slice() {
            seen[usize::from(symbol)] += 1;
        }
        for (symbol, &count) in self.settings.components.symbols.iter().zip(&seen) {
            let copies = self.settings.components.types[usize::from(symbol.kind)].copies;
            ensure(count <= usize::from(copies), "unrevealed", "no more tiles of a symbol than copies of it (DC-12.2)", || {
                format!("{count} of {} with {copies} copies", symbol.text)
            })?;
        }
        let right = match state.phase {
            Phase::SetupTile => unknown >= 1,
            Phase::Reveal => unknown == 1,
            _ => unknown == 0,
        };
        ensure(right, "castle", "unknown tops in setup_tile, one in reveal, else none (DC-12.2)", || {
            format!("{unknown} unknown tops in {}", state.phase.name())
        })
    }

    /// DC-12.3.
    fn check_shrines(&self, state: &State) -> Result<(), Broken> {
        let mut sum = usize::from(state.supply);
        for seat in 0..self.settings.players {
            let masks = state.masks[seat];
            sum += usize::from(state.pools[seat]) + masks.shrines.count_ones() as usize;
            let realm = self.realm(state, seat);
            let misplaced =
                squares(masks.shrines).find(|&square| square >= realm.len() || realm[square].height == 0 || realm[square].top != 0);
            ensure(misplaced.is_none(), "realms", "shrines on face-down tiles (DC-12.3)", || {
                format!("a misplaced shrine of seat {seat}")
            })?;
        }
        let shrines = usize::from(self.settings.components.shrines);
        ensure(sum == shrines, "supply", "supply, pools and built shrines that add up to the set (DC-12.3)", || {
            format!("{sum} shrines of {shrines}")
        })
    }

    /// DC-12.4 and DC-12.8.
    fn check_tokens(&self, state: &State) -> Result<(), Broken> {
        let (taken, seat, players) = (state.tokens_taken(), state.seat(), self.settings.players);
        let sum = usize::from(state.tokens) + taken;
        let tokens = usize::from(self.settings.components.tokens);
        ensure(sum == tokens, "tokens", "tokens left and taken that add up to the set (DC-12.4)", || {
            format!("{sum} tokens of {tokens}")
        })?;
        let most = players + seat - usize::from(state.phase == Phase::Turn);
        ensure(taken <= most, "countdown", "at most n + seat tokens taken, one less at the start of a turn (DC-12.4)", || {
            format!("{taken} tokens taken, at most {most} can be")
        })?;
        let flat = state.top_floor <= 1 && state.unrevealed_total == 0;
        ensure(taken == 0 || flat, "countdown", "no token taken before the castle is down to one floor (DC-12.4)", || {
            format!("{taken} tokens taken with {} floors", state.top_floor)
        })?;
        let ended = taken >= players && seat + 1 == players;
        ensure(
            state.phase != Phase::Terminal || ended,
            "phase",
            "terminal only after the last seat's turn in the last round (DC-12.8)",
            || "terminal".to_owned(),
        )
    }

    /// DC-12.9.
    fn check_cards(&self, state: &State) -> Result<(), Broken> {
        let drawn = |cards: CardSet, wanted: Cards, drawing: bool, before: bool, titles: &[Option<String>; 10]| match wanted {
            Cards::Fixed(fixed) => cards == fixed,
            Cards::Random(count) => {
                let count = usize::from(count);
                let in_box = (0..10).all(|index| !cards.has(index) || titles[index].is_some());
                in_box
                    && if before {
                        cards.is_empty()
                    } else if drawing {
                        cards.len() < count
                    } else {
                        cards.len() == count
                    }
            }
        };
        let phase = state.phase;
        let dragons = drawn(
            state.dragons,
            self.settings.dragons,
            phase == Phase::SetupDragon,
            phase == Phase::SetupTile,
            &self.settings.components.dragons,
        );
        ensure(dragons, "dragons", "the cards of the options, or as many as are drawn by now (DC-12.9)", || {
            format!("{:?}", state.dragons.dragons().map(Dragon::name).collect::<Vec<_>>())
        })?;
        let before = matches!(phase, Phase::SetupTile | Phase::SetupDragon);
        let spirits =
            drawn(state.spirits, self.settings.spirits, phase == Phase::SetupSpirit, before, &self.settings.components.spirits);
        ensure(spirits, "spirits", "the cards of the options, or as many as are drawn by now (DC-12.9)", || {
            format!("{:?}", state.spirits.spirits().map(Spirit::name).collect::<Vec<_>>())
        })?;
        let possible = match phase {
            Phase::SetupDragon => self.settings.dragons.drawn() > 0,
            Phase::SetupSpirit => self.settings.spirits.drawn() > 0,
            _ => true,
        };
        ensure(possible, "phase", "a set-up draw only of random cards (DC-12.9)", || phase.name().to_owned())
    }

    /// The set-up: nothing but the castle has changed (DC-4.1 to DC-4.3, DC-12.7).
    fn check_set_up(&self, state: &State) -> Result<(), Broken> {
        if !state.phase.is_setup() {
            return Ok(());
        }
        let castle = state.castle[..self.tables.castle.len()].iter().zip(&self.settings.layout.heights);
        ensure(
            castle.clone().all(|(stack, &height)| stack.height() == height),
            "castle",
            "the whole layout in set-up (DC-4.1)",
            || "a lower stack".to_owned(),
        )?;
        let known = castle.filter(|(stack, _)| stack.height() > 0).map(|(stack, _)| stack.symbol().is_some());
        ensure(known.is_sorted_by(|a, b| a >= b), "castle", "tops revealed in reading order (DC-4.1)", || {
            "another order".to_owned()
        })?;
        let pools = state.pools[..self.settings.players].iter().all(|&pool| pool == 1);
        ensure(pools && state.vp == [0; 4], "pools", "pools and VP as at the start in set-up (DC-4.3)", || "others".to_owned())?;
        ensure(state.turn == TurnState::default(), "turn", "the start of seat 0's turn in set-up (DC-9.2)", || {
            "something else".to_owned()
        })?;
        ensure(state.ply == 0, "ply", "0 in set-up (DC-12.7)", || state.ply.to_string())
    }

    /// DC-12.6: keys of `turn` in the phases they belong to.
    fn check_turn(&self, state: &State) -> Result<(), Broken> {
        const RULE: &str = "a value that belongs to the phase (DC-9.2, DC-12.6)";
        let (turn, phase) = (&state.turn, state.phase);
        let expect = |holds: bool, key: &'static str| ensure(holds, key, RULE, || format!("another one in {}", phase.name()));
        let used_in_play = turn.used.0 & !state.spirits.0 == 0;
        expect(used_in_play && (turn.used.is_empty() || phase != Phase::Terminal), "turn.used")?;
        let goes_on = phase.is_follow_up() || matches!(phase, Phase::Consolidate | Phase::Build);
        expect(turn.resume.is_some() == goes_on, "turn.resume")?;
        let in_second = turn.resume == Some(Window::Second) || phase == Phase::Second;
        let after_take = in_second || phase == Phase::Reveal && turn.hand.len() == 1;
        expect(turn.first.is_some() == after_take, "turn.first")?;
        if let Some(first) = turn.first {
            let square = usize::from(first.square);
            let fits = first.floor == state.castle[square].height() + 1 && first.floor <= self.settings.layout.heights[square];
            expect(fits && (phase != Phase::Reveal || state.unknown == Some(first.square)), "turn.first")?;
        }
        let hand = match phase {
            Phase::Reveal | Phase::Place => (1..=2).contains(&turn.hand.len()),
            _ => turn.hand.len() == usize::from(in_second),
        };
        expect(hand, "turn.hand")?;
        let masks = state.masks[state.seat()];
        let open = masks.open(self.tables.realm.all);
        let needed = if matches!(phase, Phase::Place | Phase::Reveal) && turn.first.is_none() { turn.hand.len() } else { 0 };
        let room = open & turn.after.filter(|_| phase == Phase::Place).map_or(u64::MAX, later);
        ensure(room.count_ones() as usize >= needed, "realms", "room for the tiles in hand (DC-5.7)", || {
            "too few open squares".to_owned()
        })?;
        let bound_here = match turn.bound {
            None => true,
            Some(card @ (Spirit::Elegance | Spirit::Stair)) if phase == Phase::Turn => turn.used.has(card.index()),
            Some(card @ (Spirit::Elegance | Spirit::Deception | Spirit::Kinship)) if phase == Phase::Second => {
                turn.used.has(card.index())
            }
            Some(_) => false,
        };
        expect(bound_here, "turn.bound")?;
        let elegance_bound = turn.bound == Some(Spirit::Elegance);
        let may_last = after_take && turn.used.has(Spirit::Elegance.index());
        expect(if elegance_bound { turn.elegance } else { !turn.elegance || may_last }, "turn.elegance")?;
        let realm = self.realm(state, state.seat());
        let after = match (turn.after, phase) {
            (None, _) => true,
            (Some(square), Phase::Place) => turn.hand.len() == 1 && realm[usize::from(square)].top == turn.hand.as_slice()[0] + 1,
            (Some(_), Phase::Build) => true,
            _ => false,
        };
        expect(after, "turn.after")?;
        expect(turn.lifted.is_some() == (phase == Phase::StrengthDrop), "turn.lifted")?;
        expect(turn.from.is_some() == (phase == Phase::WindTo), "turn.from")?;
        let moving = matches!(phase, Phase::StrengthLift | Phase::StrengthDrop);
        let moved = turn.moved.is_none_or(|square| moving && (masks.stacks & !masks.shrines) >> square & 1 != 0);
        expect(moved, "turn.moved")?;
        expect(phase == Phase::Build || turn.set == 0, "turn.set")?;
        expect(phase == Phase::Build || turn.builds == 0, "turn.builds")?;
        expect(phase == Phase::Build || !turn.must, "turn.must")?;
        expect(goes_on && !phase.is_follow_up() || turn.pending == 0, "turn.pending")
    }

    /// DC-12.5.
    fn check_sets(&self, state: &State) -> Result<(), Broken> {
        let phase = state.phase;
        let may_have = phase.is_follow_up() || matches!(phase, Phase::Place | Phase::Settle | Phase::Consolidate | Phase::Build);
        for seat in 0..self.settings.players {
            let sets = self.sets(state, seat);
            let allowed = sets == 0 || seat == state.seat() && may_have;
            ensure(allowed, "realms", "no set that has not been consolidated (DC-12.5)", || format!("a set of seat {seat}"))?;
        }
        let own = self.sets(state, state.seat());
        ensure(phase != Phase::Settle || own != 0, "phase", "a set in settle (DC-12.5)", || "none".to_owned())?;
        let waiting = !matches!(phase, Phase::Consolidate | Phase::Build) || own == state.turn.pending;
        ensure(waiting, "turn.pending", "all sets of the realm (DC-12.5)", || "others".to_owned())?;
        let several =
            phase != Phase::Consolidate || self.split_sets(state, state.seat(), own).count() >= 2 && state.pools[state.seat()] > 0;
        ensure(several, "turn.pending", "two or more sets and a shrine in the pool in consolidate (DC-5.11)", || "fewer".to_owned())
    }

    /// What must hold in `build` (DC-5.13, DC-5.27, DC-12.6).
    fn check_building(&self, state: &State) -> Result<(), Broken> {
        if state.phase != Phase::Build {
            return Ok(());
        }
        let (turn, masks) = (&state.turn, state.masks[state.seat()]);
        let pool = u32::from(state.pools[state.seat()]);
        let connected = turn.set != 0 && self.groups(turn.set).count() == 1 && turn.set.count_ones() >= 4;
        ensure(
            connected && turn.set & !masks.down() == 0,
            "turn.set",
            "a connected set of at least 4 face-down squares (DC-5.12)",
            || self.realm_squares(turn.set),
        )?;
        let left = turn.set & turn.after.map_or(u64::MAX, later);
        ensure(
            turn.after.is_none_or(|square| (turn.set & masks.shrines) >> square & 1 != 0),
            "turn.after",
            "a square of the set with a shrine (DC-9.2)",
            || "another square".to_owned(),
        )?;
        ensure(left != 0 && left & masks.shrines == 0, "turn.set", "squares left to build on, without shrines (DC-5.13)", || {
            "others".to_owned()
        })?;
        ensure(turn.builds >= 1 && pool >= 1, "turn.builds", "at least 1, and a shrine in the pool (DC-6.3)", || {
            turn.builds.to_string()
        })?;
        let has_mason = turn.used.has(Spirit::Mason.index());
        let most = self.settings.components.most_shrines() + u8::from(has_mason);
        ensure(turn.builds <= most, "turn.builds", "the limit of a type at most, one more after mason (DC-5.13, DC-5.27)", || {
            turn.builds.to_string()
        })?;
        let forced = has_mason && pool >= u32::from(turn.builds) && left.count_ones() >= u32::from(turn.builds);
        ensure(!turn.must || forced, "turn.must", "true only after mason, with shrines and squares enough (DC-5.27)", || {
            "true".to_owned()
        })
    }

    /// What must hold while a realm card is carried out (DC-6.4).
    fn check_follow_ups(&self, state: &State) -> Result<(), Broken> {
        let Some(card) = state.phase.card() else { return Ok(()) };
        let masks = state.masks[state.seat()];
        let used = state.turn.used.has(card.index());
        ensure(used, "turn.used", "the card whose effect is carried out (DC-9.2)", || format!("no {}", card.name()))?;
        let shrine_from = state.turn.from.is_none_or(|square| masks.shrines >> square & 1 != 0);
        ensure(shrine_from, "turn.from", "a square with a shrine (DC-9.2)", || "another square".to_owned())?;
        // wind needs a shrine throughout, and from the second step on a square for it.
        let wind = match state.phase {
            Phase::WindFlip => masks.shrines != 0,
            Phase::WindFrom => masks.bare() != 0,
            _ => true,
        };
        ensure(wind, "realms", "a shrine to move and a square for it (DC-5.21)", || "none".to_owned())
    }
}
