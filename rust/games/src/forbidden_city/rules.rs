//! The rules as the contract asks for them. What is long is in the file that is named like it.

use forbidden_games_core::contract::{Rules, Setup};
use forbidden_games_core::error::Refusal;
use forbidden_games_core::event::EventSink;
use forbidden_games_core::outcome::ScoreLine;
use forbidden_games_core::player::{ByPlayer, Player, Turn};
use forbidden_games_core::rng::Rng;

use super::actions::{Action, Outcome};
use super::game::Game;
use super::state::{Phase, State};
use super::{apply, legal, refusal, scoring};

impl Rules for Game {
    type State = State;
    type Action = Action;
    type Outcome = Outcome;

    fn num_players(&self) -> usize {
        self.settings.players
    }

    fn num_actions(&self) -> usize {
        self.tables.discard_id() as usize + 1
    }

    fn num_outcomes(&self) -> usize {
        self.kinds().len()
    }

    fn action_id(&self, action: Action) -> u32 {
        match action {
            Action::Lay { space, rotation } => u32::from(space) * 4 + u32::from(rotation),
            Action::Discard => self.tables.discard_id(),
        }
    }

    fn action_from_id(&self, id: u32) -> Option<Action> {
        match id.cmp(&self.tables.discard_id()) {
            std::cmp::Ordering::Less => Some(Action::Lay { space: (id / 4) as u16, rotation: (id % 4) as u8 }),
            std::cmp::Ordering::Equal => Some(Action::Discard),
            std::cmp::Ordering::Greater => None,
        }
    }

    fn outcome_id(&self, outcome: Outcome) -> u32 {
        u32::from(outcome.kind)
    }

    fn outcome_from_id(&self, id: u32) -> Option<Outcome> {
        ((id as usize) < self.num_outcomes()).then_some(Outcome { kind: id as u8 })
    }

    fn new_state(&self) -> State {
        self.tables.start.clone()
    }

    #[inline]
    fn turn(&self, state: &State) -> Turn {
        match state.phase {
            Phase::Deal | Phase::Draw => Turn::Chance,
            Phase::Place => Turn::Player(Player(state.turn)),
            Phase::End => Turn::Over,
        }
    }

    fn phase(&self, state: &State) -> &'static str {
        Self::INFO.phases[state.phase as usize]
    }

    fn ply(&self, state: &State) -> u32 {
        u32::from(state.ply)
    }

    fn legal_actions(&self, state: &State, out: &mut Vec<Action>) {
        legal::legal_actions(self, state, out);
    }

    fn chance_outcomes(&self, state: &State, out: &mut Vec<(Outcome, u32)>) {
        if matches!(state.phase, Phase::Deal | Phase::Draw) {
            let unplayed = state.unplayed(state.drawing_seat()).iter().enumerate();
            out.extend(
                unplayed
                    .filter(|(_, copies)| **copies > 0)
                    .map(|(kind, &copies)| (Outcome { kind: kind as u8 }, u32::from(copies))),
            );
        }
    }

    fn check_action(&self, state: &State, action: Action) -> Result<(), Refusal> {
        refusal::check_action(self, state, action)
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
        let drawn = rng.below(self.num_legal(state) as u32);
        self.nth_legal(state, drawn as usize).expect("a decision")
    }

    fn sample_outcome(&self, state: &State, rng: &mut Rng, _scratch: &mut Vec<(Outcome, u32)>) -> Outcome {
        Outcome { kind: self.sample_kind(state, state.drawing_seat(), rng) }
    }

    fn score_sheet(&self, state: &State) -> Vec<ScoreLine> {
        scoring::score_sheet(self, state)
    }
}
