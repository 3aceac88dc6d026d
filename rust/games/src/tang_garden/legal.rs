//! Legal actions, as a short list of segments: an action and the set of squares (or sides) it can name. Listing, counting,
//! sampling and checking all read the same segments, so they agree.

use forbidden_games_core::contract::Rules;
use forbidden_games_core::rng::Rng;

use super::actions::{Action, Outcome};
use super::board::{BOARD, CENTRAL, NONE, nth_square, rank_of, spread, squares};
use super::components::{CHARACTERS, ROOM};
use super::game::Game;
use super::segments::{Segment, Segments, action_at, named_targets, with_target};
use super::state::{BOTTOM, BUILD, CARDS, DECORATE, MOVE, Phase, SEEK, State, WALL, lanterns_of};

pub(super) fn legal_actions(game: &Game, state: &State, out: &mut Vec<Action>) {
    for segment in &game.segments(state) {
        let left_out = segment.skip();
        for target in squares(segment.targets) {
            let actions = (0..segment.facings).map(|facing| with_target(segment.action, target, facing));
            out.extend(actions.filter(|&action| Some(action) != left_out));
        }
    }
}

pub(super) fn num_legal(game: &Game, state: &State) -> usize {
    let mut segments = Segments::new();
    game.collect_segments(state, &mut segments);
    segments.iter().map(Segment::len).sum::<u32>() as usize
}

pub(super) fn nth_legal(game: &Game, state: &State, index: usize) -> Option<Action> {
    let mut segments = Segments::new();
    game.collect_segments(state, &mut segments);
    action_at(&segments, u32::try_from(index).ok()?)
}

/// Ids of actions that differ in their target alone follow each other as the targets do, among those that the action can name in
/// any position.
pub(super) fn for_each_legal_id(game: &Game, state: &State, mut take: impl FnMut(u32)) {
    for segment in &game.segments(state) {
        let first = game.action_id(segment.action);
        let left_out = segment.skip().map(|action| game.action_id(action));
        let named = named_targets(segment.action);
        for target in squares(segment.targets) {
            let here = first + rank_of(named, target) * u32::from(segment.facings);
            (here..here + u32::from(segment.facings)).filter(|&id| Some(id) != left_out).for_each(&mut take);
        }
    }
}

pub(super) fn is_legal(game: &Game, state: &State, action: Action) -> bool {
    game.segments(state).iter().any(|segment| segment.contains(action))
}

/// `legal[below(len)]` without the list.
pub(super) fn sample_action(game: &Game, state: &State, rng: &mut Rng) -> Action {
    let mut segments = Segments::new();
    game.collect_segments(state, &mut segments);
    let total = segments.iter().map(Segment::len).sum();
    action_at(&segments, rng.below(total)).expect("the draw is below the total")
}

/// The outcome in whose cumulative weight the draw falls.
pub(super) fn sample_outcome(game: &Game, state: &State, rng: &mut Rng) -> Outcome {
    let drawn = rng.below(game.outcome_total(state));
    match state.phase {
        Phase::Tile => {
            let stack = game.stack_to_turn(state).unwrap_or(0);
            let kinds = &game.tables.stack_tiles[stack];
            Outcome::Tile(kinds[position_of(kinds.iter().map(|&kind| state.down[usize::from(kind)]), drawn)])
        }
        Phase::Draw => Outcome::Card(position_of(state.deck.iter().copied(), drawn) as u8),
        Phase::Blind | Phase::Character => Outcome::Character(nth_square(u64::from(state.character_deck), drawn)),
        Phase::Deal => Outcome::Character(nth_square(u64::from(state.character_deck & game.tables.starters), drawn)),
        _ => {
            let mut drawn = drawn;
            let mut found = None;
            game.for_each_outcome(state, |outcome, weight| {
                if found.is_none() {
                    if drawn < weight {
                        found = Some(outcome);
                    } else {
                        drawn -= weight;
                    }
                }
            });
            found.unwrap_or_else(|| unreachable!("the draw is below the total"))
        }
    }
}

impl Game {
    /// All legal actions. Nothing at chance and terminal nodes.
    pub(super) fn segments(&self, state: &State) -> Segments {
        let mut out = Segments::new();
        self.collect_segments(state, &mut out);
        debug_assert!(out.is_sorted_by(|a, b| self.action_id(a.get(0)) < self.action_id(b.get(0))), "ascending by id");
        out
    }

    fn collect_segments(&self, state: &State, out: &mut Segments) {
        let seat = usize::from(state.turn.seat);
        match state.phase {
            Phase::Main if self.players == 1 => self.solo_main_segments(state, out),
            Phase::Main => {
                self.build_segments(state, out);
                if self.settings.influence_any {
                    self.influence_segments(state, out);
                }
                out.push(Segment::one(Action::Decorate));
                self.refresh_segments(state, out);
            }
            Phase::Path => {
                self.level_segments(state, out);
                out.push(Segment::one(Action::Coins));
            }
            Phase::Choose if self.players == 1 => {
                self.card_segment(state, state.solo.market[usize::from(state.solo.stack)], out);
            }
            Phase::Choose => self.card_segments(state, out),
            Phase::Level => self.level_segments(state, out),
            Phase::Token => out.push(Segment::many(Action::Take { square: 0 }, state.tokens[0] | state.tokens[1])),
            Phase::Panorama => self.panorama_segments(state, out),
            Phase::Second => {
                if state.turn.action == BUILD {
                    self.build_segments(state, out);
                } else {
                    self.card_segments(state, out);
                }
                out.push(Segment::one(Action::Done));
            }
            Phase::Options => {
                self.move_segments(state, out);
                self.influence_segments(state, out);
                out.push(Segment::one(Action::End));
                self.refresh_segments(state, out);
            }
            Phase::Garden => {
                let spots = state.free_spots();
                let mut characters = [state.seats[seat].active, state.turn.new];
                characters.sort_unstable();
                for character in characters.into_iter().filter(|&character| character != NONE) {
                    let action = Action::Garden { character, square: 0, facing: 0 };
                    out.push(Segment { action, targets: spots, facings: 4, skip: NONE });
                }
            }
            Phase::Pick => {
                for character in (0..CHARACTERS as u8).filter(|character| state.solo.pair >> character & 1 == 1) {
                    out.push(Segment::one(Action::Pick { character }));
                }
            }
            Phase::Neutral => out.push(Segment::many(Action::Neutral { square: 0 }, state.free_spots())),
            Phase::Tile
            | Phase::Draw
            | Phase::Landscape
            | Phase::Blind
            | Phase::Character
            | Phase::Deal
            | Phase::Side
            | Phase::Scatter
            | Phase::End => {}
        }
    }

    /// Where a tile can go: empty squares beside a placed tile.
    fn frontier(&self, state: &State) -> u64 {
        let board = if self.players == 1 { CENTRAL } else { BOARD };
        spread(state.occupied) & board & !state.occupied
    }

    /// Squares of `frontier` whose four sides take the edges of a tile code (TG-5.2).
    #[inline]
    fn fitting(&self, state: &State, code: u8, frontier: u64) -> u64 {
        let face = self.tables.face(code);
        (0..4).fold(frontier, |squares, side| squares & state.fits[side][usize::from(face.needs[side])])
    }

    /// Squares of `frontier` where exactly one side does not take its edge (TG-13.3 `wall`).
    fn fitting_but_one(&self, state: &State, code: u8, frontier: u64) -> u64 {
        let face = self.tables.face(code);
        let (mut none, mut one) = (frontier, 0);
        for side in 0..4 {
            let fits = state.fits[side][usize::from(face.needs[side])];
            one = (one & fits) | (none & !fits);
            none &= fits;
        }
        one
    }

    fn for_each_face_up(&self, state: &State, mut visit: impl FnMut(u8, u8, u8)) {
        for stack in 0..4 {
            let kind = state.up[usize::from(stack)];
            if kind != NONE {
                let listed = self.tables.rotations[usize::from(kind)];
                for rotation in (0..4).filter(|rotation| listed >> rotation & 1 == 1) {
                    visit(stack, rotation, kind * 4 + rotation);
                }
            }
        }
    }

    fn build_segments(&self, state: &State, out: &mut Segments) {
        let frontier = self.frontier(state);
        self.for_each_face_up(state, |stack, rotation, code| {
            let squares = self.fitting(state, code, frontier);
            if squares != 0 {
                out.push(Segment::many(Action::Build { stack, rotation, square: 0 }, squares));
            }
        });
    }

    fn wall_segments(&self, state: &State, out: &mut Segments) {
        let frontier = self.frontier(state);
        self.for_each_face_up(state, |stack, rotation, code| {
            let squares = self.fitting_but_one(state, code, frontier);
            if squares != 0 {
                out.push(Segment::many(Action::Wall { stack, rotation, square: 0 }, squares));
            }
        });
    }

    /// Whether a face-up tile has a legal placement.
    pub(super) fn can_build(&self, state: &State) -> bool {
        let frontier = self.frontier(state);
        let fits = |kind: u8| {
            let listed = self.tables.rotations[usize::from(kind)];
            (0..4).any(|rotation| listed >> rotation & 1 == 1 && self.fitting(state, kind * 4 + rotation, frontier) != 0)
        };
        state.up.iter().any(|&kind| kind != NONE && fits(kind))
    }

    /// Whether a face-up tile has a placement with one illegal edge.
    pub(super) fn can_wall(&self, state: &State) -> bool {
        let frontier = self.frontier(state);
        let mut can = false;
        self.for_each_face_up(state, |_, _, code| can = can || self.fitting_but_one(state, code, frontier) != 0);
        can
    }

    fn card_segments(&self, state: &State, out: &mut Segments) {
        let mut last = NONE;
        for &card in state.turn.drawn_cards() {
            if card != last {
                self.card_segment(state, card, out);
            }
            last = card;
        }
    }

    fn card_segment(&self, state: &State, card: u8, out: &mut Segments) {
        if card != NONE && state.is_playable(&self.tables, card) {
            let components = &self.tables.components;
            let decoration = usize::from(components.cards[usize::from(card)].decoration);
            let free = state.free_areas[usize::from(components.decoration_area[decoration])];
            out.push(Segment::many(Action::Card { card, square: 0 }, free));
        }
    }

    fn level_segments(&self, state: &State, out: &mut Segments) {
        let levels = state.seats[usize::from(state.turn.seat)].levels;
        for track in (0..3).filter(|&track| levels[usize::from(track)] < 10) {
            out.push(Segment::one(Action::Level { track }));
        }
    }

    /// Sides with room for a landscape of `size`.
    pub(super) fn sides_with_room(state: &State, size: usize) -> u64 {
        (0..4).filter(|&side| state.panorama_count[side][size] < ROOM[size]).fold(0, |bits, side| bits | 1 << side)
    }

    fn panorama_segments(&self, state: &State, out: &mut Segments) {
        let size = usize::from(state.turn.insert);
        let sides = Self::sides_with_room(state, size);
        let [first, second] = state.shown[size];
        for (index, landscape) in [first, second].into_iter().enumerate() {
            if landscape != NONE && (index == 0 || landscape != first) {
                out.push(Segment::many(Action::Panorama { landscape, side: 0 }, sides));
            }
        }
        if self.players > 1 && Self::lantern_allowed(state, SEEK) {
            for landscape in 0..self.tables.components.landscapes.len() as u8 {
                if self.tables.size_kinds[size] >> landscape & 1 == 1 && state.pile[usize::from(landscape)] > 0 {
                    out.push(Segment::many(Action::SeekLandscape { landscape, side: 0 }, sides));
                }
            }
        }
    }

    /// Whether the lantern is ready and none was used this turn (TG-6.3).
    pub(super) fn lantern_allowed(state: &State, lantern: u8) -> bool {
        !state.turn.lantern && state.seats[usize::from(state.turn.seat)].lanterns >> lantern & 1 == 1
    }

    /// Whether the seat to move may influence a character now, as far as TG-5.11 says it.
    pub(super) fn can_influence(state: &State) -> bool {
        let seat = &state.seats[usize::from(state.turn.seat)];
        (state.turn.earned || seat.character_token)
            && !state.turn.influenced
            && state.display | state.character_deck != 0
            && state.free_spots() != 0
    }

    fn influence_segments(&self, state: &State, out: &mut Segments) {
        if !Self::can_influence(state) {
            return;
        }
        let of = |set: u16| (0..CHARACTERS as u8).filter(move |character| set >> character & 1 == 1);
        for character in of(state.display) {
            out.push(Segment::one(Action::Influence { character }));
        }
        if state.character_deck != 0 {
            out.push(Segment::one(Action::InfluenceBlind));
            if Self::lantern_allowed(state, SEEK) {
                for character in of(state.character_deck) {
                    out.push(Segment::one(Action::SeekCharacter { character }));
                }
            }
        }
    }

    fn move_segments(&self, state: &State, out: &mut Segments) {
        if (self.players > 1 && !Self::lantern_allowed(state, MOVE))
            || state.seats[usize::from(state.turn.seat)].lanterns >> MOVE & 1 == 0
        {
            return;
        }
        for (character, figure) in state.figures.iter().enumerate() {
            if figure.square != NONE && figure.seat == state.turn.seat {
                let targets = state.free_spots() | 1 << figure.square;
                let skip = rank_of(targets, figure.square) as u8 * 4 + figure.facing;
                let action = Action::Move { character: character as u8, square: 0, facing: 0 };
                out.push(Segment { action, targets, facings: 4, skip });
            }
        }
    }

    /// Tokens of one size that refresh a lantern (TG-5.14).
    pub(super) const fn refresh_cost(&self) -> u8 {
        if self.players == 2 { 4 } else { 3 }
    }

    /// Whether the seat can refresh this lantern with tokens of either size.
    pub(super) fn can_refresh(&self, state: &State, lantern: u8) -> bool {
        let seat = &state.seats[usize::from(state.turn.seat)];
        seat.lanterns >> lantern & 1 == 0 && seat.tokens.iter().any(|&held| held >= self.refresh_cost())
    }

    fn refresh_segments(&self, state: &State, out: &mut Segments) {
        let seat = &state.seats[usize::from(state.turn.seat)];
        if seat.tokens.iter().all(|&held| held < self.refresh_cost()) {
            return;
        }
        let mut lanterns = lanterns_of(self.players);
        lanterns.sort_unstable();
        for lantern in lanterns.into_iter().filter(|&lantern| seat.lanterns >> lantern & 1 == 0) {
            for size in (0..2).filter(|&size| seat.tokens[usize::from(size)] >= self.refresh_cost()) {
                out.push(Segment::one(Action::Refresh { lantern, size }));
            }
        }
    }

    fn solo_main_segments(&self, state: &State, out: &mut Segments) {
        let ready = |lantern: u8| state.seats[0].lanterns >> lantern & 1 == 1;
        self.build_segments(state, out);
        self.move_segments(state, out);
        self.refresh_segments(state, out);
        if ready(CARDS) {
            out.push(Segment::one(Action::Cards));
        }
        if ready(BOTTOM) {
            for stack in (0..4).filter(|&stack| state.down_total[usize::from(stack)] > 0) {
                out.push(Segment::one(Action::Bottom { stack }));
            }
        }
        if ready(WALL) {
            self.wall_segments(state, out);
        }
    }

    /// Whether the solo game goes on in phase `main` (TG-13.3).
    pub(super) fn solo_can_go_on(&self, state: &State) -> bool {
        let ready = |lantern: u8| state.seats[0].lanterns >> lantern & 1 == 1;
        self.can_build(state)
            || (ready(BOTTOM) && state.down_total.iter().any(|&left| left > 0))
            || (ready(WALL) && self.can_wall(state))
            || self.can_refresh(state, WALL)
            || self.can_refresh(state, BOTTOM)
    }

    /// Whether the optional actions have something to offer (TG-6.1 OPTIONS).
    pub(super) fn has_options(&self, state: &State) -> bool {
        Self::can_influence(state)
            || lanterns_of(self.players).iter().any(|&lantern| self.can_refresh(state, lantern))
            || (Self::lantern_allowed(state, MOVE) && state.figures.iter().any(|figure| figure.seat == state.turn.seat))
    }

    /// Whether a second tile or card may follow (TG-5.10).
    pub(super) fn can_place_second(&self, state: &State) -> bool {
        if state.turn.placed != 1 {
            return false;
        }
        if state.turn.action == BUILD {
            Self::lantern_allowed(state, BUILD) && self.can_build(state)
        } else {
            Self::lantern_allowed(state, DECORATE)
                && state.turn.drawn_cards().iter().any(|&card| state.is_playable(&self.tables, card))
        }
    }

    /// The stack that is turned up next (TG-6.1 `tile`).
    pub(super) fn stack_to_turn(&self, state: &State) -> Option<usize> {
        if state.solo.stack != NONE {
            return Some(usize::from(state.solo.stack));
        }
        (0..4).find(|&stack| state.up[stack] == NONE && state.down_total[stack] > 0)
    }

    /// The size of the landscape that is shown next.
    pub(super) fn size_to_show(state: &State) -> Option<usize> {
        (0..2).find(|&size| state.shown[size][1] == NONE && state.pile_total[size] > 0)
    }

    /// Calls `visit` with every possible outcome and its weight, ascending by id.
    pub(super) fn for_each_outcome(&self, state: &State, mut visit: impl FnMut(Outcome, u32)) {
        match state.phase {
            Phase::Tile => {
                let stack = self.stack_to_turn(state).unwrap_or(0);
                for &kind in &self.tables.stack_tiles[stack] {
                    visit_counted(state.down[usize::from(kind)], Outcome::Tile(kind), &mut visit);
                }
            }
            Phase::Draw => {
                for kind in 0..self.tables.components.cards.len() {
                    visit_counted(state.deck[kind], Outcome::Card(kind as u8), &mut visit);
                }
            }
            Phase::Landscape | Phase::Side => {
                let size = if state.phase == Phase::Side { Some(0) } else { Self::size_to_show(state) };
                let kinds = size.map_or(0, |size| self.tables.size_kinds[size]);
                for kind in squares(kinds) {
                    visit_counted(state.pile[usize::from(kind)], Outcome::Landscape(kind), &mut visit);
                }
            }
            Phase::Blind | Phase::Character | Phase::Deal => {
                let set = state.character_deck & if state.phase == Phase::Deal { self.tables.starters } else { u16::MAX };
                for character in squares(u64::from(set)) {
                    visit(Outcome::Character(character), 1);
                }
            }
            Phase::Scatter => {
                for size in 0..2 {
                    visit_counted(4 - state.tokens[usize::from(size)].count_ones() as u8, Outcome::Scatter(size), &mut visit);
                }
            }
            _ => {}
        }
    }

    /// Sum of the weights.
    pub(super) fn outcome_total(&self, state: &State) -> u32 {
        match state.phase {
            Phase::Tile => self.stack_to_turn(state).map_or(0, |stack| u32::from(state.down_total[stack])),
            Phase::Draw => u32::from(state.deck_total),
            Phase::Landscape => Self::size_to_show(state).map_or(0, |size| u32::from(state.pile_total[size])),
            Phase::Side => u32::from(state.pile_total[0]),
            Phase::Blind | Phase::Character => state.character_deck.count_ones(),
            Phase::Deal => (state.character_deck & self.tables.starters).count_ones(),
            Phase::Scatter => 8 - state.tokens_left(),
            _ => 0,
        }
    }

    /// The weight of an outcome now; 0 if it cannot be drawn.
    pub(super) fn weight_of(&self, state: &State, outcome: Outcome) -> u32 {
        let mut found = 0;
        self.for_each_outcome(state, |possible, weight| {
            if possible == outcome {
                found = weight;
            }
        });
        found
    }
}

/// The position in whose cumulative count `drawn` falls.
#[inline]
fn position_of(counts: impl Iterator<Item = u8>, mut drawn: u32) -> usize {
    for (position, count) in counts.enumerate() {
        if drawn < u32::from(count) {
            return position;
        }
        drawn -= u32::from(count);
    }
    unreachable!("the draw is below the total")
}

#[inline]
fn visit_counted(copies: u8, outcome: Outcome, visit: &mut impl FnMut(Outcome, u32)) {
    if copies > 0 {
        visit(outcome, u32::from(copies));
    }
}
