//! Why an action is not legal: the rule and the reason. Called only once an action is known to be illegal.

use forbidden_games_core::contract::Notation;
use forbidden_games_core::error::Refusal;

use super::actions::Action;
use super::board::{CENTRAL, NONE, bit, spread, square_name};
use super::components::{AREAS, LETTERS, PATH, ROOM, SIDES, SIZES, STACKS};
use super::game::Game;
use super::state::{BOTTOM, BUILD, CARDS, LANTERNS, MOVE, NEUTRAL, PHASES, Phase, SEEK, State, WALL};

/// Why an action that is not legal is refused.
pub(super) fn refusal(game: &Game, state: &State, action: Action) -> Refusal {
    if state.phase == Phase::End {
        return Refusal::new("TG-7.1", "the game is over");
    }
    if state.phase.is_chance() {
        let phase = PHASES[state.phase as usize];
        return Refusal::new("TG-6.1", format!("nature draws now (phase {phase}), nobody decides"));
    }
    let solo = game.players == 1;
    if !Game::belongs(state.phase, action, solo) {
        let phase = PHASES[state.phase as usize];
        let verb = game.format_action(action);
        let verb = verb.split(' ').next().unwrap_or_default();
        let rule = if solo { "TG-13.3" } else { "TG-6.1" };
        return Refusal::new(rule, format!("no {verb} in phase {phase}"));
    }
    let seat = &state.seats[usize::from(state.turn.seat)];
    match action {
        Action::Build { stack, rotation, square } => game.explain_build(state, stack, rotation, square, false),
        Action::Wall { stack, rotation, square } => game.explain_build(state, stack, rotation, square, true),
        Action::Card { card, square } => game.explain_card(state, card, square),
        Action::Garden { character, square, .. } => {
            if seat.active != character && state.turn.new != character {
                let name = game.name_of(character);
                return Refusal::new("TG-5.11", format!("{name} is neither the active nor the new character"));
            }
            game.explain_spot(state, square)
        }
        Action::Move { character, square, .. } => game.explain_move(state, character, square),
        Action::Panorama { landscape, side } | Action::SeekLandscape { landscape, side } => {
            game.explain_landscape(state, action, landscape, side)
        }
        Action::Take { square } => Refusal::new("TG-5.9", format!("no token lies on {}", square_name(square))),
        Action::Influence { .. } | Action::InfluenceBlind | Action::SeekCharacter { .. } => game.explain_influence(state, action),
        Action::Level { track } => {
            let letter = LETTERS[usize::from(track)];
            Refusal::new("TG-5.5", format!("the cube of track {letter} is on column 10"))
        }
        Action::Refresh { lantern, size } => {
            let (name, held) = (LANTERNS[usize::from(lantern)], seat.tokens[usize::from(size)]);
            if seat.lanterns >> lantern & 1 == 1 {
                return Refusal::new("TG-5.14", format!("lantern {name} is ready"));
            }
            let (cost, size) = (game.refresh_cost(), SIZES[usize::from(size)]);
            Refusal::new("TG-5.14", format!("{cost} {size} tokens are needed and {held} held"))
        }
        Action::Cards => game.explain_solo_lantern(state, CARDS),
        Action::Bottom { stack } => {
            if seat.lanterns >> BOTTOM & 1 == 0 {
                return game.explain_solo_lantern(state, BOTTOM);
            }
            let letter = STACKS[usize::from(stack)];
            Refusal::new("TG-13.3", format!("no tile lies face down in stack {letter}"))
        }
        Action::Pick { character } => Refusal::new("TG-13.2", format!("{} is not one of the pair", game.name_of(character))),
        Action::Neutral { square } => game.explain_spot(state, square),
        Action::Coins | Action::Decorate | Action::Done | Action::End => Refusal::new("TG-6.1", "not now"),
    }
}

impl Game {
    /// Whether actions of this kind are decided in `phase` at all.
    fn belongs(phase: Phase, action: Action, solo: bool) -> bool {
        match action {
            Action::Build { .. } => matches!(phase, Phase::Main | Phase::Second),
            Action::Card { .. } => matches!(phase, Phase::Choose | Phase::Second),
            Action::Garden { .. } => phase == Phase::Garden,
            Action::Move { .. } => phase == Phase::Options || phase == Phase::Main,
            Action::Panorama { .. } | Action::SeekLandscape { .. } => phase == Phase::Panorama,
            Action::Take { .. } => phase == Phase::Token,
            Action::Influence { .. } | Action::InfluenceBlind | Action::SeekCharacter { .. } => {
                !solo && matches!(phase, Phase::Main | Phase::Options)
            }
            Action::Level { .. } => matches!(phase, Phase::Path | Phase::Level),
            Action::Coins => phase == Phase::Path,
            Action::Decorate => !solo && phase == Phase::Main,
            Action::Done => phase == Phase::Second,
            Action::End => phase == Phase::Options,
            Action::Refresh { .. } => matches!(phase, Phase::Main | Phase::Options),
            Action::Cards | Action::Bottom { .. } | Action::Wall { .. } => solo && phase == Phase::Main,
            Action::Pick { .. } => phase == Phase::Pick,
            Action::Neutral { .. } => phase == Phase::Neutral,
        }
    }

    fn explain_solo_lantern(&self, state: &State, lantern: u8) -> Refusal {
        debug_assert_eq!(state.seats[0].lanterns >> lantern & 1, 0, "the lantern is what is missing");
        Refusal::new("TG-13.3", format!("lantern {} was used", LANTERNS[usize::from(lantern)]))
    }

    fn explain_build(&self, state: &State, stack: u8, rotation: u8, square: u8, wall: bool) -> Refusal {
        let at = square_name(square);
        if !wall && state.phase == Phase::Second && state.turn.action != BUILD {
            return Refusal::new("TG-5.10", "the main action was decorating: a second card can follow, no tile");
        }
        if wall && state.seats[0].lanterns >> WALL & 1 == 0 {
            return self.explain_solo_lantern(state, WALL);
        }
        let kind = state.up[usize::from(stack)];
        if kind == NONE {
            return Refusal::new("TG-5.2", format!("stack {} shows no tile", STACKS[usize::from(stack)]));
        }
        let name = &self.tables.components.tiles[usize::from(kind)].name;
        if state.occupied & bit(square) != 0 {
            return Refusal::new("TG-5.2", format!("{at} is not empty"));
        }
        if self.players == 1 && CENTRAL & bit(square) == 0 {
            return Refusal::new("TG-13.1", format!("{at} is no central square"));
        }
        if spread(state.occupied) & bit(square) == 0 {
            return Refusal::new("TG-5.2", format!("{at} touches no placed tile"));
        }
        if self.tables.rotations[usize::from(kind)] >> rotation & 1 == 0 {
            let canonical = self.tables.canonical_rotation(kind, rotation);
            return Refusal::new("TG-6.4", format!("{name} at r{rotation} looks like r{canonical}, which is the one listed"));
        }
        let edges = self.tables.face(kind * 4 + rotation).edges;
        let mut illegal = Vec::new();
        for (side, &edge) in edges.iter().enumerate() {
            let Some((next, other)) = state.facing_edge(&self.tables, square, side) else { continue };
            if edge != other && edge <= PATH && other <= PATH {
                let letters = (LETTERS[usize::from(edge)], LETTERS[usize::from(other)]);
                illegal.push(format!("{} edge {} faces {} of {}", SIDES[side], letters.0, letters.1, square_name(next)));
            }
        }
        if wall {
            return Refusal::new("TG-13.3", format!("exactly one illegal edge is needed, {} found", illegal.len()));
        }
        Refusal::new("TG-5.2", format!("the {}", illegal.join(", the ")))
    }

    fn explain_card(&self, state: &State, card: u8, square: u8) -> Refusal {
        let components = &self.tables.components;
        let kind = &components.cards[usize::from(card)];
        let solo = self.players == 1;
        if state.phase == Phase::Second && state.turn.action == BUILD {
            return Refusal::new("TG-5.10", "the main action was building: a second tile can follow, no card");
        }
        let at_hand =
            if solo { state.solo.market[usize::from(state.solo.stack)] == card } else { state.turn.drawn_cards().contains(&card) };
        if !at_hand {
            let reason = if solo { "does not lie beside the stack of the tile" } else { "was not drawn" };
            return Refusal::new("TG-5.8", format!("{} {reason}", kind.name));
        }
        let decoration = usize::from(kind.decoration);
        if state.pieces[decoration] == 0 {
            return Refusal::new("TG-5.8", format!("no {} is left", components.decorations[decoration]));
        }
        let area = AREAS[usize::from(components.decoration_area[decoration])];
        Refusal::new("TG-5.8", format!("{} has no free {area} area", square_name(square)))
    }

    fn explain_spot(&self, state: &State, square: u8) -> Refusal {
        let at = square_name(square);
        if state.figure_squares & bit(square) != 0 {
            return Refusal::new("TG-5.11", format!("a figure stands on {at}"));
        }
        Refusal::new("TG-5.11", format!("{at} has no person area, pavilion or bridge to stand on"))
    }

    fn explain_move(&self, state: &State, character: u8, square: u8) -> Refusal {
        let name = self.name_of(character);
        if self.players > 1 && state.phase == Phase::Main {
            return Refusal::new("TG-5.1", "lantern move comes after the main action");
        }
        let figure = state.figures[usize::from(character)];
        if figure.square == NONE {
            return Refusal::new("TG-5.13", format!("{name} is not in the garden"));
        }
        if figure.seat == NEUTRAL || figure.seat != state.turn.seat {
            return Refusal::new("TG-5.13", format!("{name} is no own figure"));
        }
        if let Some(refusal) = self.explain_lantern(state, MOVE) {
            return refusal;
        }
        if figure.square == square {
            return Refusal::new("TG-6.4", format!("{name} stands there and faces that way"));
        }
        self.explain_spot(state, square)
    }

    /// Why a lantern cannot be used.
    fn explain_lantern(&self, state: &State, lantern: u8) -> Option<Refusal> {
        let name = LANTERNS[usize::from(lantern)];
        if state.seats[usize::from(state.turn.seat)].lanterns >> lantern & 1 == 0 {
            return Some(Refusal::new("TG-6.3", format!("lantern {name} is not ready")));
        }
        state.turn.lantern.then(|| Refusal::new("TG-6.3", "a lantern was used this turn"))
    }

    fn explain_landscape(&self, state: &State, action: Action, landscape: u8, side: u8) -> Refusal {
        let kind = &self.tables.components.landscapes[usize::from(landscape)];
        let size = usize::from(state.turn.insert);
        if kind.size != size {
            return Refusal::new("TG-5.6", format!("{} is {}, and a {} one is due", kind.name, SIZES[kind.size], SIZES[size]));
        }
        if matches!(action, Action::SeekLandscape { .. }) {
            if self.players == 1 {
                return Refusal::new("TG-13.4.3", "the solo game has no lantern seek");
            }
            if let Some(refusal) = self.explain_lantern(state, SEEK) {
                return refusal;
            }
            if state.pile[usize::from(landscape)] == 0 {
                return Refusal::new("TG-5.6", format!("no {} is left in the pile", kind.name));
            }
        } else if !state.shown[size].contains(&landscape) {
            return Refusal::new("TG-5.6", format!("{} is not shown", kind.name));
        }
        let (room, name) = (ROOM[size], SIZES[size]);
        Refusal::new("TG-2.3", format!("side {} has its {room} {name} landscapes", SIDES[usize::from(side)]))
    }

    fn explain_influence(&self, state: &State, action: Action) -> Refusal {
        let seat = &state.seats[usize::from(state.turn.seat)];
        if state.phase == Phase::Main && !self.settings.influence_any {
            return Refusal::new("TG-5.1", "an influence comes after the main action (option influence)");
        }
        if state.turn.influenced {
            return Refusal::new("TG-5.11", "one influence a turn");
        }
        if !state.turn.earned && !seat.character_token {
            return Refusal::new("TG-5.11", "no influence was earned this turn, and there is no character token");
        }
        if state.free_spots() == 0 {
            return Refusal::new("TG-5.11", "no spot is free");
        }
        match action {
            Action::Influence { character } => {
                Refusal::new("TG-5.11", format!("{} is not in the display", self.name_of(character)))
            }
            Action::SeekCharacter { character } => self
                .explain_lantern(state, SEEK)
                .unwrap_or_else(|| Refusal::new("TG-5.11", format!("{} is not in the deck", self.name_of(character)))),
            _ => Refusal::new("TG-5.11", "the deck of characters is empty"),
        }
    }
}
