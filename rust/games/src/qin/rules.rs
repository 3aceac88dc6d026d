//! The rules as the contract has them: ids, the start, whose turn it is. What is longer stands in the file of its name.
//!
//! # Stability
//! `id = (3 c1 + c2) * pairs + pair`: `c1`, `c2` the colours on the two squares (b 0, r 1, y 2), `pair` the number of the pair among
//! all pairs of adjacent squares of the rectangle, first those side by side, then those one above the other, each in reading order
//! of the first square. The last id is `pass`. Outcome ids are the kinds in the order of QN-2.3.

use forbidden_games_core::contract::Rules;
use forbidden_games_core::error::Refusal;
use forbidden_games_core::event::EventSink;
use forbidden_games_core::outcome::{ScoreLine, ranking_by_key};
use forbidden_games_core::player::{ByPlayer, MAX_PLAYERS, Turn};
use forbidden_games_core::rng::Rng;

use super::actions::{Action, Placement};
use super::game::Game;
use super::state::{Hand, Phase, Public, State, kind_drawn};
use super::tiles::{Colour, Kind};
use super::{apply, legal, refusal, scoring};

impl Rules for Game {
    type State = State;
    type Action = Action;
    type Outcome = Kind;

    fn num_players(&self) -> usize {
        self.players
    }

    fn num_actions(&self) -> usize {
        9 * self.tables.num_pairs() + 1
    }

    fn num_outcomes(&self) -> usize {
        Kind::COUNT
    }

    fn action_id(&self, action: Action) -> u32 {
        let pairs = self.tables.num_pairs();
        match action {
            Action::Place(placement) => {
                let pair = self.tables.pair_number(placement.direction, placement.square);
                debug_assert!(pair.is_some(), "a pair of this board");
                ((3 * placement.first.index() + placement.second.index()) * pairs + pair.unwrap_or(0)) as u32
            }
            Action::Pass => 9 * pairs as u32,
        }
    }

    fn action_from_id(&self, id: u32) -> Option<Action> {
        let (id, pairs) = (id as usize, self.tables.num_pairs());
        if id >= 9 * pairs {
            return (id == 9 * pairs).then_some(Action::Pass);
        }
        let (direction, square) = self.tables.pair(id % pairs);
        let colours = id / pairs;
        Some(Action::Place(Placement { first: Colour::ALL[colours / 3], second: Colour::ALL[colours % 3], direction, square }))
    }

    fn outcome_id(&self, outcome: Kind) -> u32 {
        outcome.index() as u32
    }

    fn outcome_from_id(&self, id: u32) -> Option<Kind> {
        Kind::new(id as usize)
    }

    /// QN-4.1
    fn new_state(&self) -> State {
        let mut supply = [0; MAX_PLAYERS];
        supply[..self.players].fill(self.allotment);
        let public = Public {
            board: (*self.empty_board).clone(),
            ply: 0,
            phase: Phase::Deal,
            seat: 0,
            passes: 0,
            supply,
            hand_sizes: [0; MAX_PLAYERS],
            laid: [0; Kind::COUNT],
        };
        State { public, hands: [Hand::default(); MAX_PLAYERS], pile: self.tiles() }
    }

    fn turn(&self, state: &State) -> Turn {
        state.public.turn()
    }

    fn phase(&self, state: &State) -> &'static str {
        Phase::NAMES[state.public.phase.index()]
    }

    fn ply(&self, state: &State) -> u32 {
        state.public.ply
    }

    fn legal_actions(&self, state: &State, out: &mut Vec<Action>) {
        legal::legal_actions(self, state, out);
    }

    fn chance_outcomes(&self, state: &State, out: &mut Vec<(Kind, u32)>) {
        if state.public.turn() == Turn::Chance {
            let left = Kind::all().map(|kind| (kind, u32::from(state.pile[kind.index()])));
            out.extend(left.filter(|&(_, count)| count > 0));
        }
    }

    fn check_action(&self, state: &State, action: Action) -> Result<(), Refusal> {
        refusal::check_action(self, state, action)
    }

    fn apply_action<E: EventSink>(&self, state: &mut State, action: Action, events: &mut E) {
        apply::apply_action(self, state, action, events);
    }

    fn apply_outcome<E: EventSink>(&self, state: &mut State, outcome: Kind, events: &mut E) {
        apply::apply_outcome(self, state, outcome, events);
    }

    /// Pagodas on the board (QN-7.1).
    fn scores(&self, state: &State) -> ByPlayer<i32> {
        scoring::scores(self, &state.public)
    }

    /// Without a tie-break (QN-7.3).
    fn ranking(&self, state: &State) -> ByPlayer<u8> {
        ranking_by_key(&self.scores(state))
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

    fn sample_outcome(&self, state: &State, rng: &mut Rng, _scratch: &mut Vec<(Kind, u32)>) -> Kind {
        let total = state.pile.iter().map(|&count| u32::from(count)).sum();
        kind_drawn(&state.pile, rng.below(total))
    }

    fn score_sheet(&self, state: &State) -> Vec<ScoreLine> {
        scoring::score_sheet(self, state)
    }

    /// The supply (QN-7.6).
    fn series_total(&self, state: &State) -> Option<ByPlayer<i32>> {
        Some(state.public.supply[..self.players].iter().map(|&left| left.into()).collect())
    }
}
