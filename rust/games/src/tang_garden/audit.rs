//! What must hold in every position (sections 12 and 13), recomputed from scratch. A state that is read passes [`Game::audit`];
//! [`Game::check_invariants`] adds what the engine keeps beside the JSON.

use forbidden_games_core::contract::{Audit, Rules};
use forbidden_games_core::geometry::region::UnionFind;

use super::board::{BOARD, CENTRAL, FREE, NEIGHBOURS, NONE, START, bit, spread, square_name, squares};
use super::components::{CHARACTERS, DECORATIONS, LETTERS, PATH, SIDES, SIZES, STACKS};
use super::game::Game;
use super::state::{BUILD, DECORATE, NEUTRAL, NO_FIGURE, Phase, State, TurnState};
use super::tables::Tables;

/// A broken invariant: the key of the state JSON, what stands there, and what would have been right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) key: String,
    pub(super) found: String,
    pub(super) rule: String,
}

pub(super) fn fault<T>(key: impl Into<String>, found: impl ToString, rule: impl Into<String>) -> Result<T, Fault> {
    Err(Fault { key: key.into(), found: found.to_string(), rule: rule.into() })
}

fn equal(key: impl Into<String>, found: u32, expected: u32, rule: &str) -> Result<(), Fault> {
    if found == expected { Ok(()) } else { fault(key, found, format!("{expected} ({rule})")) }
}

impl Audit for Game {
    /// The checks that readers make, and that sets and totals kept beside the JSON follow from it, and that regions are closed exactly where a
    /// search from scratch says so.
    fn check_invariants(&self, state: &State) -> Result<(), String> {
        self.audit(state).map_err(|fault| format!("{}: found {}, expected {}", fault.key, fault.found, fault.rule))?;
        let mut fresh = State::before_setup(&self.tables, self.players);
        for square in squares(state.occupied & !START).collect::<Vec<_>>().into_iter().rev() {
            fresh.lay(&self.tables, square, state.tile_at[usize::from(square)]);
        }
        for decoration in 0..DECORATIONS as u8 {
            squares(state.decorations[usize::from(decoration)]).for_each(|square| fresh.adorn(&self.tables, square, decoration));
        }
        let kept = |state: &State| (state.occupied, state.fits, state.free_areas, state.spots, state.tile_at);
        if kept(&fresh) != kept(state) {
            return Err("TG-12.3: the kept sets of squares differ from those of the tiles".to_owned());
        }
        let standing = state.figures.iter().filter(|figure| figure.square != NONE).fold(0, |set, figure| set | bit(figure.square));
        if standing != state.figure_squares {
            return Err("TG-12.3: the kept figures differ".to_owned());
        }
        self.check_regions(state)
    }
}

impl Game {
    /// What a state that is read must fulfil.
    pub(super) fn audit(&self, state: &State) -> Result<(), Fault> {
        self.audit_garden(state)?;
        self.audit_supplies(state)?;
        self.audit_landscapes(state)?;
        self.audit_characters(state)?;
        self.audit_seats(state)?;
        self.audit_flow(state)?;
        self.audit_numbers(state)?;
        if self.players == 1 { self.audit_solo(state) } else { self.audit_turn(state) }
    }

    /// Compares the bounded search of the engine with a union-find over all edges (TG-5.4).
    fn check_regions(&self, state: &State) -> Result<(), String> {
        let mut regions = UnionFind::new(256);
        let mut open = [false; 256];
        let node = |square: u8, side: usize| usize::from(square) * 4 + side;
        let mut edges = Vec::new();
        for square in squares(state.occupied) {
            let code = state.tile_at[usize::from(square)];
            for side in 0..4 {
                let edge = self.tables.face(code).edges[side];
                if Tables::is_terrain(edge) {
                    edges.push((square, side));
                    self.tables.for_each_joined(code, square, side, |joined, direction| {
                        regions.union(node(square, side), node(joined, direction));
                    });
                    let next = NEIGHBOURS[usize::from(square)][side];
                    if next != NONE && state.occupied & bit(next) != 0 {
                        if self.tables.face(state.tile_at[usize::from(next)]).edges[side ^ 2] == edge {
                            regions.union(node(square, side), node(next, side ^ 2));
                        }
                    } else {
                        open[node(square, side)] = true;
                    }
                }
            }
        }
        let mut open_regions = [false; 256];
        for &(square, side) in &edges {
            let root = regions.find(node(square, side));
            open_regions[root] |= open[node(square, side)];
        }
        for &(square, side) in &edges {
            let closed = !open_regions[regions.find(node(square, side))];
            if self.closes(state, square, side, &mut [0; 4]) != closed {
                return Err(format!("TG-5.4: {} {}: closed {closed} by union-find", square_name(square), SIDES[side]));
            }
        }
        Ok(())
    }

    fn audit_garden(&self, state: &State) -> Result<(), Fault> {
        let mut reached = START;
        loop {
            let next = reached | (spread(reached) & state.occupied);
            if next == reached {
                break;
            }
            reached = next;
        }
        if reached != state.occupied {
            let square = (state.occupied & !reached).trailing_zeros() as u8;
            return fault("tiles", square_name(square), "tiles that hang together with the start tile (TG-12.3)");
        }
        if self.players == 1 && state.occupied & FREE & !CENTRAL != 0 {
            return fault("tiles", "an edge space", "tiles on central squares (TG-13.1)");
        }
        let mut illegal = 0;
        for square in squares(state.occupied) {
            let edges = self.tables.face(state.tile_at[usize::from(square)]).edges;
            for side in [1, 2] {
                let Some((next, other)) = state.facing_edge(&self.tables, square, side) else { continue };
                if edges[side] != other && edges[side] <= PATH && other <= PATH {
                    illegal += 1;
                    if self.players > 1 {
                        let letters = (LETTERS[usize::from(edges[side])], LETTERS[usize::from(other)]);
                        let found = format!("{} {} facing {} {}", square_name(square), letters.0, square_name(next), letters.1);
                        return fault("tiles", found, "facing edges that match (TG-5.2)");
                    }
                }
            }
        }
        // Each use of `wall` leaves one illegal edge.
        let walls = if self.players == 1 { self.walls_used(state) } else { 0 };
        if illegal > walls {
            return fault("tiles", format!("{illegal} illegal edges"), format!("at most {walls}, from uses of wall (TG-13.8)"));
        }
        let tokens = state.tokens[0] | state.tokens[1];
        if tokens & state.occupied != 0 {
            return fault(
                "tokens",
                square_name((tokens & state.occupied).trailing_zeros() as u8),
                "no token under a tile (TG-12.3)",
            );
        }
        debug_assert_eq!(state.occupied & !BOARD, 0, "squares are of the board");
        let components = &self.tables.components;
        let places = match self.players {
            1 => [components.solo_tokens; 2],
            2 => components.tokens[0],
            _ => components.tokens[1],
        };
        for (size, name) in SIZES.iter().enumerate() {
            let misplaced = state.tokens[size] & !places[size];
            if misplaced != 0 {
                let found = format!("{name} on {}", square_name(misplaced.trailing_zeros() as u8));
                return fault("tokens", found, "tokens where the set-up puts them, of the same size (TG-2.2)");
            }
        }
        Ok(())
    }

    fn audit_supplies(&self, state: &State) -> Result<(), Fault> {
        let components = &self.tables.components;
        let mut laid = [0_u32; 60];
        for square in squares(state.occupied & !START) {
            laid[usize::from(state.tile_at[usize::from(square)] / 4)] += 1;
        }
        for (kind, tile) in components.tiles.iter().enumerate() {
            let up = u32::from(state.up.contains(&(kind as u8))) + u32::from(usize::from(state.solo.under) == kind);
            let sum = laid[kind] + up + u32::from(state.down[kind]);
            let key = format!("stacks.{} and tiles, kind {}", STACKS[tile.stack], tile.name);
            equal(key, sum, u32::from(tile.copies), "copies, TG-12.2")?;
        }
        let mut waiting = [0_u32; 54];
        let market = state.solo.market.iter().filter(|&&card| card != NONE);
        for &card in state.turn.drawn_cards().iter().chain(market) {
            waiting[usize::from(card)] += 1;
        }
        for (kind, card) in components.cards.iter().enumerate() {
            let sum = waiting[kind] + u32::from(state.deck[kind]) + u32::from(state.discard[kind]);
            let exact = self.players == 1 && sum != u32::from(card.copies);
            if sum > u32::from(card.copies) || exact {
                return fault(format!("cards, kind {}", card.name), sum, format!("copies {} (TG-12.2)", card.copies));
            }
        }
        for (index, name) in components.decorations.iter().enumerate() {
            let placed = state.decorations[index].count_ones();
            let pieces = u32::from(components.pieces[index]);
            equal(format!("pieces.{name}"), u32::from(state.pieces[index]) + placed, pieces, "left and on the board, TG-12.2")?;
            if self.players > 1 {
                let played: u32 = state.seats[..self.players].iter().map(|seat| u32::from(seat.cards[index])).sum();
                equal(format!("seats[].cards.{name}"), played, placed, "as many as pieces on the board, TG-12.2")?;
                let of_kind = |kind: &usize| usize::from(components.cards[*kind].decoration) == index;
                let kinds: Vec<usize> = (0..components.cards.len()).filter(of_kind).collect();
                let left: u32 = kinds.iter().map(|&k| waiting[k] + u32::from(state.deck[k]) + u32::from(state.discard[k])).sum();
                let copies: u32 = kinds.iter().map(|&kind| u32::from(components.cards[kind].copies)).sum();
                equal(format!("cards of {name}"), left + played, copies, "deck, discard, drawn and played, TG-12.2")?;
            }
        }
        Ok(())
    }

    fn audit_landscapes(&self, state: &State) -> Result<(), Fault> {
        let components = &self.tables.components;
        for (kind, landscape) in components.landscapes.iter().enumerate() {
            let on = |list: &[u8]| list.iter().filter(|&&entry| usize::from(entry) == kind).count() as u32;
            let sides: u32 = state.panorama.iter().map(|side| on(side)).sum();
            let sum = sides + on(&state.shown[landscape.size]) + u32::from(state.pile[kind]);
            equal(format!("landscapes, kind {}", landscape.name), sum, u32::from(landscape.copies), "copies, TG-12.2")?;
        }
        let in_setup = state.turn.seat == NONE && state.phase != Phase::End;
        if in_setup {
            return Ok(());
        }
        let dealt = if self.players == 1 { 4 } else { 8 };
        for (size, name) in SIZES.iter().enumerate() {
            let sides: u32 = state.panorama_count.iter().map(|count| u32::from(count[size])).sum();
            let due = u32::from(usize::from(state.turn.insert) == size);
            let first = if size == 0 { 4 } else { 0 };
            let left = state.tokens[size].count_ones();
            if left > dealt {
                return fault("tokens", left, format!("at most {dealt} {name} ones (TG-12.2)"));
            }
            equal(format!("panorama, {name}"), sides + due, first + dealt - left, "one for each token taken, TG-12.2")?;
            let held: u32 = state.seats[..self.players].iter().map(|seat| u32::from(seat.tokens[size])).sum();
            if left + held > dealt {
                return fault(format!("seats[].tokens.{name}"), held, format!("at most {} held (TG-12.2)", dealt - left));
            }
            if state.phase != Phase::Landscape && state.shown[size][1] == NONE && state.pile_total[size] > 0 {
                return fault(format!("landscapes.{name}.display"), "fewer than two", "two while the pile lasts (TG-12.5)");
            }
        }
        Ok(())
    }

    fn audit_characters(&self, state: &State) -> Result<(), Fault> {
        let mut places = [0_u8; CHARACTERS];
        let mut mark = |character: u8| {
            if character != NONE {
                places[usize::from(character)] += 1;
            }
        };
        state.seats[..self.players].iter().for_each(|seat| mark(seat.active));
        mark(state.turn.new);
        mark(state.solo.partner);
        for (index, count) in places.iter_mut().enumerate() {
            for set in [state.display, state.character_deck, state.solo.pair] {
                *count += (set >> index & 1) as u8;
            }
            *count += u8::from(state.figures[index] != NO_FIGURE);
            let name = &self.tables.components.character_names[index];
            // In the solo game characters can leave (TG-13.4).
            if *count > 1 || (*count == 0 && self.players > 1) {
                return fault(format!("character {name}"), format!("{count} places"), "exactly one (TG-12.2)");
            }
        }
        Ok(())
    }

    fn audit_seats(&self, state: &State) -> Result<(), Fault> {
        for (index, seat) in state.seats[..self.players].iter().enumerate() {
            let key = |what: &str| format!("seats[{index}].{what}");
            if self.players == 1 {
                if seat.coins != 0 || seat.levels != [0; 3] || seat.cards != [0; DECORATIONS] || seat.character_token {
                    return fault(key("coins"), seat.coins, "no coins, levels, cards or character token (TG-13.1)");
                }
                continue;
            }
            let least = seat.levels.iter().copied().min().unwrap_or(0);
            let reached = self.tables.components.thresholds.iter().filter(|&&column| column <= least).count();
            let figures = state.figures.iter().filter(|figure| usize::from(figure.seat) == index).count();
            // Each threshold is one influence: a figure, a token, or one that is earned or carried out.
            let acting = usize::from(state.turn.seat) == index && state.phase != Phase::End;
            let influencing = acting && matches!(state.phase, Phase::Garden | Phase::Blind);
            let waiting = usize::from(acting && state.turn.earned) + usize::from(influencing);
            let used = figures + waiting + usize::from(seat.character_token);
            if used > reached {
                let key = if figures + waiting > reached { "figures".to_owned() } else { key("character_token") };
                return fault(
                    key,
                    format!("{used} influences of seat {index}"),
                    format!("at most {reached}, its thresholds (TG-12.4)"),
                );
            }
            if seat.character_token && reached == 0 {
                return fault(key("character_token"), true, "false below the first threshold (TG-12.4)");
            }
            let earned = state.turn.earned && usize::from(state.turn.seat) == index;
            if seat.character_token && earned {
                return fault(key("character_token"), true, "false while an influence is earned (TG-12.4)");
            }
            if earned && reached == 0 {
                return fault("turn.earned", true, "false below the first threshold (TG-5.5)");
            }
        }
        Ok(())
    }

    /// Node kinds, set-up order, end.
    fn audit_flow(&self, state: &State) -> Result<(), Fault> {
        let solo = self.players == 1;
        let phase = super::state::PHASES[state.phase as usize];
        let allowed = match state.phase {
            Phase::Pick | Phase::Neutral | Phase::Scatter => solo,
            Phase::Path | Phase::Level | Phase::Token | Phase::Second | Phase::Options | Phase::Blind => !solo,
            _ => true,
        };
        if !allowed {
            return fault("phase", phase, format!("a phase of a game for {} (TG-6.1, TG-13)", self.players));
        }
        if state.phase == Phase::End {
            if state.turn != TurnState::rest(NONE) {
                return fault("turn", "a turn", "at rest at the end (TG-12.5)");
            }
        } else if state.turn.seat == NONE {
            return self.audit_setup(state);
        } else if matches!(state.phase, Phase::Deal | Phase::Side | Phase::Scatter) {
            return fault("turn.seat", state.turn.seat, "null in the set-up (TG-9.2)");
        }
        if solo && (state.is_final || state.placed_in_round || state.idle_rounds > 0) {
            return fault("final", state.is_final, "false, with placed_in_round false and idle_rounds 0 (TG-13.5)");
        }
        if !solo {
            if state.is_final != state.trigger() {
                return fault("final", state.is_final, "true exactly if TG-7.1 holds");
            }
            let over = state.phase == Phase::End;
            if over && !state.is_final && state.idle_rounds < 3 {
                return fault("idle_rounds", state.idle_rounds, "3, or final true, at the end (TG-7.2)");
            }
            if !over && state.idle_rounds > 2 {
                return fault("idle_rounds", state.idle_rounds, "at most 2 before the end (TG-7.2)");
            }
            if over && state.placed_in_round {
                return fault("placed_in_round", true, "false at the end (TG-9.1)");
            }
            if state.turn.placed > 0 && !state.placed_in_round {
                return fault("placed_in_round", false, "true once something was placed (TG-9.1)");
            }
            if let Some(index) = state.seats[..self.players].iter().position(|seat| seat.active == NONE) {
                return fault(format!("seats[{index}].active"), "null", "a character after the set-up (TG-12.4)");
            }
        }
        Ok(())
    }

    fn audit_setup(&self, state: &State) -> Result<(), Fault> {
        let phase = super::state::PHASES[state.phase as usize];
        let Some(expected) = self.setup_phase(state) else {
            return fault("turn.seat", "null", "a seat once the set-up is over (TG-9.2)");
        };
        if state.phase != expected {
            return fault(
                "phase",
                phase,
                format!("{}, the next draw of the set-up (TG-4.1)", super::state::PHASES[expected as usize]),
            );
        }
        // What comes later in the set-up has not begun, lists are filled from the front, and nothing of play has happened: the
        // state is the one that its own draws lead to from the start.
        let mut replay = State::before_setup(&self.tables, self.players);
        let mut sink = forbidden_games_core::event::NoEvents;
        for _ in 0..64 {
            if replay.phase == state.phase && replay == *state {
                return Ok(());
            }
            match self.next_setup_draw(&replay, state) {
                Some(outcome) if replay.turn.seat == NONE => self.apply_outcome(&mut replay, outcome, &mut sink),
                _ => break,
            }
        }
        fault("phase", phase, "a state that the set-up can reach (TG-4.1)")
    }

    /// The draw that takes the set-up `from` one step nearer to `to`.
    fn next_setup_draw(&self, from: &State, to: &State) -> Option<super::actions::Outcome> {
        use super::actions::Outcome;
        let known = |value: u8| (value != NONE).then_some(value);
        let lowest = |set: u16| (set != 0).then(|| set.trailing_zeros() as u8);
        let drawn = match from.phase {
            Phase::Tile => known(to.up[from.up.iter().position(|&kind| kind == NONE)?]).map(Outcome::Tile),
            Phase::Deal if self.players == 1 => lowest(to.solo.pair & !from.solo.pair).map(Outcome::Character),
            Phase::Deal => known(to.seats[from.seats.iter().position(|seat| seat.active == NONE)?].active).map(Outcome::Character),
            Phase::Character => lowest(to.display & !from.display).map(Outcome::Character),
            Phase::Side => known(to.panorama[from.panorama.iter().position(|side| side[0] == NONE)?][0]).map(Outcome::Landscape),
            Phase::Landscape => {
                let size = Self::size_to_show(from)?;
                known(to.shown[size][usize::from(from.shown[size][0] != NONE)]).map(Outcome::Landscape)
            }
            Phase::Scatter => {
                let free = self.tables.components.solo_tokens & !(from.tokens[0] | from.tokens[1]);
                let square = free & free.wrapping_neg();
                (0..2).find(|&size| to.tokens[usize::from(size)] & square != 0).map(Outcome::Scatter)
            }
            Phase::Draw => known(to.solo.market[from.solo.market.iter().position(|&card| card == NONE)?]).map(Outcome::Card),
            _ => None,
        }?;
        (self.weight_of(from, drawn) > 0).then_some(drawn)
    }

    /// TG-9.2 and TG-12.5 for two to four.
    fn audit_turn(&self, state: &State) -> Result<(), Fault> {
        if state.turn.seat == NONE {
            return Ok(());
        }
        let turn = &state.turn;
        let phase = state.phase;
        let seat = &state.seats[usize::from(turn.seat)];
        use Phase::{Blind, Character, Choose, Draw, Garden, Landscape, Level, Main, Options, Panorama, Path, Second, Tile, Token};
        let check = |holds: bool, key: &str, found: String, rule: &str| if holds { Ok(()) } else { fault(key, found, rule) };
        let before = turn.action == NONE;
        let name = super::state::PHASES[phase as usize];
        let influencing = matches!(phase, Garden | Blind | Character);
        check(!before || phase == Main || influencing, "turn.action", "null".into(), "begun outside phase main (TG-9.2)")?;
        check(before || phase != Main, "turn.action", "begun".into(), "null in phase main (TG-9.2)")?;
        check(!before || turn.placed == 0, "turn.placed", turn.placed.to_string(), "0 before the main action (TG-9.2)")?;
        check(
            !before || self.settings.influence_any || !(turn.lantern || turn.influenced || influencing),
            "turn.influenced",
            turn.influenced.to_string(),
            "no influence or lantern before the main action (TG-5.1)",
        )?;
        check(!before || !turn.earned, "turn.earned", "true".into(), "false before the main action (TG-9.2)")?;
        check(turn.placed < 2 || turn.lantern, "turn.placed", turn.placed.to_string(), "a lantern for the second (TG-5.10)")?;
        let settling = matches!(phase, Path | Level | Token | Panorama | Second | Landscape);
        check(!settling || turn.placed > 0, "turn.placed", "0".into(), "1 or 2 in this phase (TG-6.1)")?;
        check(
            !matches!(phase, Draw | Choose) || turn.placed == 0,
            "turn.placed",
            turn.placed.to_string(),
            "0 before a card is chosen",
        )?;
        let built = turn.action == BUILD;
        check(phase != Path || built, "turn.action", "not build".into(), "build in phase path (TG-6.1)")?;
        let decorating = turn.action == DECORATE;
        check(
            !matches!(phase, Draw | Choose | Level | Token) || decorating,
            "turn.action",
            "not decorate".into(),
            "decorate (TG-6.1)",
        )?;
        check(!built || turn.placed > 0, "turn.placed", "0".into(), "1 or 2 once a tile was laid (TG-9.2)")?;
        let room_on_tracks = seat.levels.iter().any(|&level| level < 10);
        check((phase == Path) == (turn.paths > 0), "turn.paths", turn.paths.to_string(), "not 0 exactly in phase path (TG-9.2)")?;
        check(phase != Path || (turn.paths >= 2 && room_on_tracks), "turn.paths", turn.paths.to_string(), "a choice (TG-5.3.6)")?;
        check(phase == Path || !turn.paid, "turn.paid", "true".into(), "false outside phase path (TG-9.2)")?;
        check(phase != Level || room_on_tracks, "phase", name.into(), "a cube below column 10 (TG-5.9)")?;
        check(phase != Token || state.tokens_left() > 0, "phase", name.into(), "a token on the board (TG-5.9)")?;
        let due = turn.insert != NONE;
        check(due || phase != Panorama, "turn.insert", "null".into(), "a size in phase panorama (TG-9.2)")?;
        check(!due || matches!(phase, Path | Panorama), "turn.insert", "a size".into(), "null once on a side (TG-9.2)")?;
        if phase == Panorama {
            let size = usize::from(turn.insert);
            check(state.shown[size][0] != NONE, "landscapes", "none shown".into(), "a landscape to put (TG-10.15)")?;
            check(Self::sides_with_room(state, size) != 0, "panorama", "full".into(), "room on a side (TG-5.6)")?;
        }
        check((phase == Draw) == (turn.draws > 0), "turn.draws", turn.draws.to_string(), "not 0 exactly in phase draw (TG-9.2)")?;
        check(phase != Draw || state.deck_total > 0, "cards.deck", "empty".into(), "a card to draw (TG-5.8)")?;
        let drawn = turn.drawn_cards().len();
        check(drawn + usize::from(turn.draws) <= 7, "turn.draws", turn.draws.to_string(), "at most 7 cards in all (TG-5.8)")?;
        let holding = decorating && (settling || matches!(phase, Draw | Choose));
        check(drawn == 0 || holding, "turn.drawn", format!("{drawn} cards"), "none once discarded (TG-9.2)")?;
        let playable = turn.drawn_cards().iter().any(|&card| state.is_playable(&self.tables, card));
        check(phase != Choose || playable, "turn.drawn", format!("{drawn} cards"), "one that can be placed (TG-5.8)")?;
        check(phase != Second || self.can_place_second(state), "phase", name.into(), "a second tile or card to place (TG-5.10)")?;
        check(
            (phase == Garden) == (turn.new != NONE),
            "turn.new",
            "not as the phase".into(),
            "a character exactly in phase garden",
        )?;
        check(!influencing || turn.influenced, "turn.influenced", "false".into(), "true in this phase (TG-9.2)")?;
        let spot = state.free_spots() != 0;
        check(!matches!(phase, Garden | Blind) || spot, "phase", name.into(), "a free spot (TG-5.11)")?;
        let face_down = self.stack_to_turn(state).is_some();
        check(phase != Tile || face_down, "stacks", "none face down".into(), "a stack to turn up (TG-5.7)")?;
        let showing = state.up.iter().filter(|&&kind| kind != NONE).count();
        check(
            !matches!(phase, Main | Options) || showing >= 2 || !face_down,
            "stacks",
            format!("{showing} face up"),
            "two at least, or none face down (TG-12.5)",
        )?;
        check(phase != Landscape || Self::size_to_show(state).is_some(), "phase", name.into(), "a landscape to show (TG-5.6)")?;
        check(phase != Blind || state.character_deck != 0, "characters.deck", "[]".into(), "a character to draw (TG-5.11)")?;
        let shown = state.display.count_ones();
        let to_show = shown < 2 && state.character_deck != 0;
        check(phase != Character || to_show, "characters", format!("{shown} shown"), "a character to show (TG-5.11)")?;
        check(!to_show || matches!(phase, Garden | Character), "characters.display", format!("{shown} shown"), "two (TG-12.5)")
    }

    /// TG-13.8 and 13.9.
    fn audit_solo(&self, state: &State) -> Result<(), Fault> {
        let (solo, phase) = (&state.solo, state.phase);
        let check = |holds: bool, key: &str, rule: &str| if holds { Ok(()) } else { fault(key, "a value", rule) };
        check(
            TurnState { seat: NONE, insert: NONE, ..state.turn } == TurnState::rest(NONE),
            "turn",
            "only seat and insert used (TG-13.8)",
        )?;
        check((phase == Phase::End) == solo.won.is_some(), "solo.won", "true or false exactly at the end (TG-13.9)")?;
        for (index, figure) in state.figures.iter().enumerate() {
            let seated = figure.seat == 0 || figure.seat == NEUTRAL || *figure == NO_FIGURE;
            check(seated, &format!("figures of character {index}"), "seat 0 or null")?;
        }
        if phase == Phase::End {
            check(
                solo.pair == 0 && solo.stack == NONE && solo.under == NONE,
                "solo",
                "no pair, stack or exchanged tile at the end (TG-13.9)",
            )?;
            let covered = state.occupied & CENTRAL == CENTRAL;
            return check(solo.won != Some(true) || covered, "solo.won", "true only if all 28 squares are covered (TG-13.4)");
        }
        if state.turn.seat == NONE {
            return Ok(());
        }
        let replacing = solo.stack != NONE;
        let due = state.turn.insert != NONE;
        check(!due || matches!(phase, Phase::Choose | Phase::Panorama), "turn.insert", "null once on a side")?;
        check(solo.under == NONE || phase == Phase::Tile, "solo.under", "null outside an exchange (TG-13.9)")?;
        check((solo.pair != 0) == (phase == Phase::Pick), "solo.pair", "two exactly in phase pick (TG-13.9)")?;
        check(solo.pair == 0 || solo.pair.count_ones() == 2, "solo.pair", "two characters")?;
        let stack = usize::from(solo.stack);
        let first_pick = phase == Phase::Pick && !replacing && state.occupied == START;
        check(
            match phase {
                Phase::Main => !replacing,
                Phase::Draw => true,
                Phase::Pick => replacing || first_pick,
                _ => replacing,
            },
            "solo.stack",
            "the stack whose tile or card is being replaced, or null (TG-13.9)",
        )?;
        for (index, &up) in state.up.iter().enumerate() {
            let hidden = replacing && index == stack && phase != Phase::Draw;
            check((up == NONE) == hidden, &format!("stacks.{}.up", STACKS[index]), "a tile, null while it is replaced (TG-13.4)")?;
        }
        let under_stack = solo.under == NONE || self.tables.components.tiles[usize::from(solo.under)].stack == stack;
        check(under_stack, "solo.under", "a tile of the stack")?;
        check(phase != Phase::Tile || state.down_total[stack] > 0, "stacks", "a face-down tile to turn up (TG-13.4)")?;
        let missing = solo.market.iter().filter(|&&card| card == NONE).count();
        let card_gone = !matches!(phase, Phase::Main | Phase::Choose) && replacing && solo.under == NONE;
        let market = match phase {
            Phase::Draw if !replacing => {
                let first = 4 - missing;
                missing > 0 && solo.market[first..].iter().all(|&card| card == NONE)
            }
            _ if card_gone => missing == 1 && solo.market[stack] == NONE,
            _ => missing == 0,
        };
        check(market, "solo.market", "a card beside each stack, null while it is replaced (TG-13.9)")?;
        check(phase != Phase::Draw || state.deck_total > 0, "cards.deck", "a card to draw (TG-13.4)")?;
        check(
            phase != Phase::Choose || state.is_playable(&self.tables, solo.market[stack]),
            "phase",
            "a card that can be placed (TG-13.4)",
        )?;
        if phase == Phase::Panorama {
            let size = usize::from(state.turn.insert);
            check(due && state.shown[size][0] != NONE, "turn.insert", "a size with a landscape shown (TG-13.4)")?;
            check(Self::sides_with_room(state, size) != 0, "panorama", "room on a side (TG-5.6)")?;
        }
        check(phase != Phase::Landscape || Self::size_to_show(state).is_some(), "phase", "a landscape to show (TG-13.4)")?;
        let current = state.seats[0].active != NONE;
        check(phase != Phase::Garden || (current && state.free_spots() != 0), "phase", "a character and a free spot (TG-13.4)")?;
        check(
            phase != Phase::Neutral || (!current && solo.partner != NONE && state.free_spots() != 0),
            "solo.partner",
            "a partner and a free spot, the current character gone (TG-13.4)",
        )?;
        let pairless = !matches!(phase, Phase::Pick | Phase::Neutral);
        check(!pairless || current == (solo.partner != NONE), "solo.partner", "there with the current character (TG-13.4)")?;
        let shown = state.display.count_ones();
        check(phase != Phase::Pick || (!current && solo.partner == NONE), "solo.partner", "null while a pair is there")?;
        match phase {
            Phase::Character => {
                check(shown < 2 && state.character_deck != 0, "characters", "a character to show (TG-13.4)")?;
            }
            Phase::Pick if replacing => check(shown == 0, "characters.display", "[] while its pair is there (TG-13.4)")?,
            _ => check(shown == 2 || state.character_deck == 0, "characters.display", "two while the deck lasts (TG-13.4)")?,
        }
        check(phase != Phase::Main || self.solo_can_go_on(state), "phase", "a move that goes on (TG-13.3)")
    }
}
