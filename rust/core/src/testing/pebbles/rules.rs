//! The rules (PB-3 to PB-7): what each call comes to in each phase. The parts are in `legal.rs`, `refusal.rs`, `apply.rs` and
//! `scoring.rs`.

use crate::contract::Rules;
use crate::error::Refusal;
use crate::event::{Event, EventSink};
use crate::ids::IdRange;
use crate::names::Named;
use crate::outcome::{ScoreLine, ranking_by_key};
use crate::player::{ByPlayer, Player, Turn};

use super::actions::{Action, Outcome};
use super::components::Counts;
use super::game::Game;
use super::state::{Column, Phase, Public, State};

impl Game {
    /// Ids of `drop`: kinds, columns in each.
    fn drops(&self) -> IdRange {
        IdRange::first((self.components.kinds.len() * self.settings.columns) as u32)
    }

    /// Ids of `claim` and `leave`.
    fn answers(&self) -> IdRange {
        self.drops().after(2)
    }
}

impl Rules for Game {
    type State = State;
    type Action = Action;
    type Outcome = Outcome;

    fn num_players(&self) -> usize {
        self.players
    }

    fn num_actions(&self) -> usize {
        self.answers().end() as usize
    }

    fn num_outcomes(&self) -> usize {
        self.components.kinds.len()
    }

    fn action_id(&self, action: Action) -> u32 {
        match action {
            Action::Drop(kind, column) => self.drops().pair_id(kind.into(), column.into(), self.settings.columns as u32),
            Action::Claim => self.answers().id(0),
            Action::Leave => self.answers().id(1),
        }
    }

    fn action_from_id(&self, id: u32) -> Option<Action> {
        if let Some((kind, column)) = self.drops().pair(id, self.settings.columns as u32) {
            return Some(Action::Drop(kind as u8, column as u8));
        }
        self.answers().index(id).map(|answer| if answer == 0 { Action::Claim } else { Action::Leave })
    }

    fn outcome_id(&self, outcome: Outcome) -> u32 {
        outcome.0.into()
    }

    fn outcome_from_id(&self, id: u32) -> Option<Outcome> {
        ((id as usize) < self.num_outcomes()).then_some(Outcome(id as u8))
    }

    /// PB-3
    fn new_state(&self) -> State {
        let public = Public {
            ply: 0,
            phase: Phase::Deal,
            player: Player(0),
            columns: (0..self.settings.columns).map(|_| Column::default()).collect(),
            gone: Counts::default(),
            scores: (0..self.players).map(|_| 0).collect(),
        };
        State { public, pile: self.components.counts(), hands: (0..self.players).map(|_| Counts::default()).collect() }
    }

    fn turn(&self, state: &State) -> Turn {
        state.public.turn()
    }

    fn phase(&self, state: &State) -> &'static str {
        state.public.phase.name()
    }

    fn ply(&self, state: &State) -> u32 {
        state.public.ply
    }

    fn legal_actions(&self, state: &State, out: &mut Vec<Action>) {
        match state.public.phase {
            Phase::Drop => self.list_drops(state, out),
            Phase::Claim => self.list_answers(out),
            Phase::Deal | Phase::Draw | Phase::End => {}
        }
    }

    fn chance_outcomes(&self, state: &State, out: &mut Vec<(Outcome, u32)>) {
        if state.public.turn() == Turn::Chance {
            let left = state.pile.iter().enumerate().filter(|(_, count)| **count > 0);
            out.extend(left.map(|(kind, &count)| (Outcome(kind as u8), u32::from(count))));
        }
    }

    fn check_action(&self, state: &State, action: Action) -> Result<(), Refusal> {
        match (state.public.phase, action) {
            (Phase::Drop, Action::Drop(kind, column)) => self.check_drop(state, kind, column),
            (Phase::Claim, Action::Claim) => Ok(()),
            (Phase::Claim, Action::Leave) => self.check_leave(),
            (phase, _) => Err(Refusal::new("PB-4", format!("not in the phase {}", phase.name()))),
        }
    }

    fn apply_action<E: EventSink>(&self, state: &mut State, action: Action, events: &mut E) {
        debug_assert!(self.check_action(state, action).is_ok());
        state.public.ply += 1;
        match action {
            Action::Drop(kind, column) => self.drop_pebble(state, kind, column, events),
            Action::Claim => self.claim_column(state, events),
            Action::Leave => self.leave_column(state, events),
        }
        if state.public.full_column().is_some() {
            state.public.phase = Phase::Claim;
        } else {
            self.end_turn(state);
        }
    }

    fn apply_outcome<E: EventSink>(&self, state: &mut State, outcome: Outcome, events: &mut E) {
        debug_assert!(self.check_outcome(state, outcome).is_ok());
        let (player, kind) = (state.public.player, usize::from(outcome.0));
        state.pile[kind] -= 1;
        state.hands[player.index()][kind] += 1;
        events.emit(|| {
            let name = &self.components.kinds[kind].name;
            Event::new("draw", "PB-6", format!("seat {player} draws {name}")).private(player)
        });
        match state.public.phase {
            Phase::Deal => self.deal_on(state),
            _ => self.pass_on(state),
        }
    }

    fn scores(&self, state: &State) -> ByPlayer<i32> {
        state.public.scores.clone()
    }

    fn ranking(&self, state: &State) -> ByPlayer<u8> {
        ranking_by_key(&state.public.scores)
    }

    fn score_sheet(&self, state: &State) -> Vec<ScoreLine> {
        vec![ScoreLine { item: "claimed columns", rule: "PB-5", points: state.public.scores.clone() }]
    }

    fn series_total(&self, state: &State) -> Option<ByPlayer<i32>> {
        Some(state.public.scores.iter().map(|score| -score).collect())
    }

    // Overrides of provided methods, where a list is not needed. The battery compares them with the list.

    fn num_legal(&self, state: &State) -> usize {
        if state.public.phase == Phase::Drop {
            let kinds = state.hands[state.public.player.index()].iter().filter(|&&count| count > 0).count();
            kinds * state.public.columns.iter().filter(|column| !column.closed).count()
        } else {
            let mut answers = Vec::new();
            self.legal_actions(state, &mut answers);
            answers.len()
        }
    }
}
