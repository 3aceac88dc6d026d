//! The rules as the contract asks for them. What is long is in the file that is named in the call.

use forbidden_games_core::contract::Rules;
use forbidden_games_core::error::Refusal;
use forbidden_games_core::event::EventSink;
use forbidden_games_core::outcome::{Fraction, ScoreLine};
use forbidden_games_core::player::{ByPlayer, Player, Turn};
use forbidden_games_core::rng::Rng;

use super::actions::{Action, Outcome};
use super::board::{BOARD, CENTRAL, FREE, NONE, nth_square, rank_of};
use super::game::Game;
use super::state::{PHASES, Phase, State};
use super::{apply, legal, refusal, scoring};

impl Rules for Game {
    type State = State;
    type Action = Action;
    type Outcome = Outcome;

    fn num_players(&self) -> usize {
        self.players
    }

    fn num_actions(&self) -> usize {
        self.group_sizes().iter().sum::<u32>() as usize
    }

    fn num_outcomes(&self) -> usize {
        let components = &self.tables.components;
        let solo = if self.players == 1 { 2 } else { 0 };
        components.tiles.len() + components.cards.len() + components.characters.len() + components.landscapes.len() + solo
    }

    fn action_id(&self, action: Action) -> u32 {
        let at = |group: usize, index: u32| self.group_offsets[group] + index;
        let free = |square: u8| rank_of(FREE, square);
        let board = |square: u8| rank_of(BOARD, square);
        let wide = |value: u8| u32::from(value);
        match action {
            Action::Build { stack, rotation, square } => at(0, (wide(stack) * 4 + wide(rotation)) * 44 + free(square)),
            Action::Card { card, square } => at(1, wide(card) * 48 + board(square)),
            Action::Garden { character, square, facing } => at(2, (wide(character) * 48 + board(square)) * 4 + wide(facing)),
            Action::Move { character, square, facing } => at(3, (wide(character) * 48 + board(square)) * 4 + wide(facing)),
            Action::Panorama { landscape, side } => at(4, wide(landscape) * 4 + wide(side)),
            Action::SeekLandscape { landscape, side } => at(5, wide(landscape) * 4 + wide(side)),
            Action::Take { square } => at(6, free(square)),
            Action::Influence { character } => at(7, wide(character)),
            Action::InfluenceBlind => at(8, 0),
            Action::SeekCharacter { character } => at(9, wide(character)),
            Action::Level { track } => at(10, wide(track)),
            Action::Coins => at(11, 0),
            Action::Decorate => at(12, 0),
            Action::Done => at(13, 0),
            Action::End => at(14, 0),
            Action::Refresh { lantern, size } => at(15, wide(lantern) * 2 + wide(size)),
            Action::Cards => at(16, 0),
            Action::Bottom { stack } => at(17, wide(stack)),
            Action::Wall { stack, rotation, square } => at(18, (wide(stack) * 4 + wide(rotation)) * 28 + rank_of(CENTRAL, square)),
            Action::Pick { character } => at(19, wide(character)),
            Action::Neutral { square } => at(20, board(square)),
        }
    }

    fn action_from_id(&self, id: u32) -> Option<Action> {
        let mut index = id;
        let mut group = 0;
        for size in self.group_sizes() {
            if index < size {
                break;
            }
            index -= size;
            group += 1;
        }
        let small = |value: u32| value as u8;
        let board = |index: u32| nth_square(BOARD, index % 48);
        let free = |index: u32| nth_square(FREE, index % 44);
        Some(match group {
            0 => Action::Build { stack: small(index / 176), rotation: small(index / 44 % 4), square: free(index) },
            1 => Action::Card { card: small(index / 48), square: board(index) },
            2 => Action::Garden { character: small(index / 192), square: board(index / 4), facing: small(index % 4) },
            3 => Action::Move { character: small(index / 192), square: board(index / 4), facing: small(index % 4) },
            4 => Action::Panorama { landscape: small(index / 4), side: small(index % 4) },
            5 => Action::SeekLandscape { landscape: small(index / 4), side: small(index % 4) },
            6 => Action::Take { square: free(index) },
            7 => Action::Influence { character: small(index) },
            8 => Action::InfluenceBlind,
            9 => Action::SeekCharacter { character: small(index) },
            10 => Action::Level { track: small(index) },
            11 => Action::Coins,
            12 => Action::Decorate,
            13 => Action::Done,
            14 => Action::End,
            15 => Action::Refresh { lantern: small(index / 2), size: small(index % 2) },
            16 => Action::Cards,
            17 => Action::Bottom { stack: small(index) },
            18 => {
                Action::Wall { stack: small(index / 112), rotation: small(index / 28 % 4), square: nth_square(CENTRAL, index % 28) }
            }
            19 => Action::Pick { character: small(index) },
            20 => Action::Neutral { square: board(index) },
            _ => return None,
        })
    }

    fn outcome_id(&self, outcome: Outcome) -> u32 {
        let components = &self.tables.components;
        let cards = components.tiles.len();
        let characters = cards + components.cards.len();
        let landscapes = characters + components.characters.len();
        let sizes = landscapes + components.landscapes.len();
        let (offset, index) = match outcome {
            Outcome::Tile(kind) => (0, kind),
            Outcome::Card(kind) => (cards, kind),
            Outcome::Character(character) => (characters, character),
            Outcome::Landscape(kind) => (landscapes, kind),
            Outcome::Scatter(size) => (sizes, size),
        };
        offset as u32 + u32::from(index)
    }

    fn outcome_from_id(&self, id: u32) -> Option<Outcome> {
        let components = &self.tables.components;
        let mut index = id as usize;
        let solo = if self.players == 1 { 2 } else { 0 };
        type Make = fn(u8) -> Outcome;
        let groups: [(usize, Make); 5] = [
            (components.tiles.len(), Outcome::Tile),
            (components.cards.len(), Outcome::Card),
            (components.characters.len(), Outcome::Character),
            (components.landscapes.len(), Outcome::Landscape),
            (solo, Outcome::Scatter),
        ];
        for (size, make) in groups {
            if index < size {
                return Some(make(index as u8));
            }
            index -= size;
        }
        None
    }

    fn new_state(&self) -> State {
        State::clone(&self.start)
    }

    fn turn(&self, state: &State) -> Turn {
        match state.phase {
            Phase::End => Turn::Over,
            phase if phase.is_chance() || state.turn.seat == NONE => Turn::Chance,
            _ => Turn::Player(Player(state.turn.seat)),
        }
    }

    fn phase(&self, state: &State) -> &'static str {
        PHASES[state.phase as usize]
    }

    fn ply(&self, state: &State) -> u32 {
        state.ply
    }

    fn legal_actions(&self, state: &State, out: &mut Vec<Action>) {
        legal::legal_actions(self, state, out);
    }

    fn chance_outcomes(&self, state: &State, out: &mut Vec<(Outcome, u32)>) {
        self.for_each_outcome(state, |outcome, weight| out.push((outcome, weight)));
    }

    fn check_action(&self, state: &State, action: Action) -> Result<(), Refusal> {
        if self.is_legal(state, action) { Ok(()) } else { Err(refusal::refusal(self, state, action)) }
    }

    fn apply_action<E: EventSink>(&self, state: &mut State, action: Action, events: &mut E) {
        apply::apply_action(self, state, action, events);
    }

    fn apply_outcome<E: EventSink>(&self, state: &mut State, outcome: Outcome, events: &mut E) {
        apply::apply_outcome(self, state, outcome, events);
    }

    fn scores(&self, state: &State) -> ByPlayer<i32> {
        scoring::scores(self, state)
    }

    fn ranking(&self, state: &State) -> ByPlayer<u8> {
        scoring::ranking(self, state)
    }

    fn num_legal(&self, state: &State) -> usize {
        legal::num_legal(self, state)
    }

    fn nth_legal(&self, state: &State, index: usize) -> Option<Action> {
        legal::nth_legal(self, state, index)
    }

    fn for_each_legal_id(&self, state: &State, take: impl FnMut(u32)) {
        legal::for_each_legal_id(self, state, take);
    }

    fn is_legal(&self, state: &State, action: Action) -> bool {
        legal::is_legal(self, state, action)
    }

    fn sample_action(&self, state: &State, rng: &mut Rng, _scratch: &mut Vec<Action>) -> Action {
        legal::sample_action(self, state, rng)
    }

    fn sample_outcome(&self, state: &State, rng: &mut Rng, _scratch: &mut Vec<(Outcome, u32)>) -> Outcome {
        legal::sample_outcome(self, state, rng)
    }

    fn score_sheet(&self, state: &State) -> Vec<ScoreLine> {
        scoring::score_sheet(self, state)
    }

    fn exact_returns(&self, state: &State) -> ByPlayer<Fraction> {
        scoring::exact_returns(self, state)
    }
}
