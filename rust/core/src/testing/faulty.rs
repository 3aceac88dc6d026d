//! The toy game with one mistake in it: the battery must find each.

use serde_json::Value;

use crate::canvas::Canvas;
use crate::contract::{
    Audit, Data, DrawRequest, Drawing, Features, Info, Judgement, Knowledge, Notation, Observed, Rules, Setup, Step, StepOf,
};
use crate::encoding::{FeatureSink, Layout};
use crate::error::{ParseActionError, Refusal, SetupError, StateError};
use crate::event::{Event, EventSink};
use crate::options::{ComponentSource, OptionSpec, Options};
use crate::outcome::ScoreLine;
use crate::player::{ByPlayer, Player, Turn};
use crate::rng::Rng;
use crate::testing::pebbles::{Action, Observation, Outcome, Pebbles, State};

/// A mistake that an implementation could make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Legal actions come in the wrong order.
    Unsorted,
    /// What is not listed is accepted.
    UnlistedAccepted,
    /// The sampled action is not the one that the contract names.
    OtherSample,
    /// Two ids mean the same action.
    DoubledId,
    /// Capital letters are not read.
    CapitalsRefused,
    /// The JSON of a state does not tell all of it.
    JsonForgets,
    /// A seat's JSON shows the pile.
    JsonShows,
    /// A sampled world is at another ply.
    WorldElsewhere,
    /// A sampled world has pebbles of another hand in one's own.
    WorldOfAnother,
    /// The judgement knows the other hands.
    EvaluatePeeks,
    /// The picture leaves something out.
    PictureForgets,
    /// What a seat draws is not told to it.
    ObservedTooLittle,
    /// Everybody is told what a seat draws.
    EventTells,
    /// The score sheet does not add up.
    SheetWrong,
    /// An applied action with events does something else.
    EventsChange,
    /// The stated greatest length is too small.
    TooLong,
    /// The tensor holds what is no number.
    TensorBroken,
}

/// The toy game with at most one mistake; games made anew (from a record, say) have none.
#[derive(Clone, Debug)]
pub(crate) struct Faulty {
    game: Pebbles,
    fault: Option<Fault>,
}

impl Faulty {
    pub(crate) fn new(game: Pebbles, fault: Fault) -> Self {
        Self { game, fault: Some(fault) }
    }

    fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }
}

/// Methods that do what the game does.
macro_rules! as_the_game {
    ($(fn $name:ident(&self $(, $argument:ident: $type:ty)*) $(-> $result:ty)?;)*) => { $(
        fn $name(&self $(, $argument: $type)*) $(-> $result)? {
            self.game.$name($($argument),*)
        }
    )* };
}

/// Passes every event on as one for everybody.
struct Tell<'a, E>(&'a mut E);

impl<E: EventSink> EventSink for Tell<'_, E> {
    fn emit(&mut self, event: impl FnOnce() -> Event) {
        self.0.emit(|| Event { private_to: None, ..event() });
    }
}

impl Rules for Faulty {
    type State = State;
    type Action = Action;
    type Outcome = Outcome;

    as_the_game! {
        fn num_players(&self) -> usize;
        fn num_actions(&self) -> usize;
        fn num_outcomes(&self) -> usize;
        fn action_id(&self, action: Action) -> u32;
        fn outcome_id(&self, outcome: Outcome) -> u32;
        fn outcome_from_id(&self, id: u32) -> Option<Outcome>;
        fn new_state(&self) -> State;
        fn turn(&self, state: &State) -> Turn;
        fn phase(&self, state: &State) -> &'static str;
        fn ply(&self, state: &State) -> u32;
        fn chance_outcomes(&self, state: &State, out: &mut Vec<(Outcome, u32)>);
        fn scores(&self, state: &State) -> ByPlayer<i32>;
        fn ranking(&self, state: &State) -> ByPlayer<u8>;
    }

    fn action_from_id(&self, id: u32) -> Option<Action> {
        self.game.action_from_id(if self.has(Fault::DoubledId) && id == 1 { 0 } else { id })
    }

    fn legal_actions(&self, state: &State, out: &mut Vec<Action>) {
        self.game.legal_actions(state, out);
        if self.has(Fault::Unsorted) {
            out.reverse();
        }
    }

    fn check_action(&self, state: &State, action: Action) -> Result<(), Refusal> {
        match self.game.check_action(state, action) {
            Err(refusal) if refusal.rule == "PB-5" && self.has(Fault::UnlistedAccepted) => Ok(()),
            checked => checked,
        }
    }

    fn apply_action<E: EventSink>(&self, state: &mut State, action: Action, events: &mut E) {
        if self.has(Fault::UnlistedAccepted) && self.game.check_action(state, action).is_err() {
            state.public.ply += 1;
            return;
        }
        self.game.apply_action(state, action, events);
        if self.has(Fault::EventsChange) {
            events.emit(|| {
                state.public.scores[0] += 1;
                Event::new("fault", "PB-5", "a point too many")
            });
        }
    }

    fn apply_outcome<E: EventSink>(&self, state: &mut State, outcome: Outcome, events: &mut E) {
        if self.has(Fault::EventTells) {
            self.game.apply_outcome(state, outcome, &mut Tell(events));
        } else {
            self.game.apply_outcome(state, outcome, events);
        }
    }

    fn sample_action(&self, state: &State, rng: &mut Rng, scratch: &mut Vec<Action>) -> Action {
        scratch.clear();
        self.legal_actions(state, scratch);
        let index = rng.below(scratch.len() as u32) as usize;
        scratch[if self.has(Fault::OtherSample) { scratch.len() - 1 - index } else { index }]
    }

    fn score_sheet(&self, state: &State) -> Vec<ScoreLine> {
        let mut sheet = self.game.score_sheet(state);
        if self.has(Fault::SheetWrong) && state.public.ply == 9 {
            sheet[0].points.iter_mut().for_each(|points| *points += 1);
        }
        sheet
    }
}

impl Setup for Faulty {
    const INFO: &'static Info = Pebbles::INFO;

    as_the_game! {
        fn options(&self) -> Options;
        fn components(&self) -> Value;
        fn action_layout(&self) -> String;
        fn max_chance_nodes(&self) -> usize;
    }

    fn option_schema() -> Vec<OptionSpec> {
        Pebbles::option_schema()
    }

    fn builtin_components() -> &'static [(&'static str, &'static str)] {
        Pebbles::builtin_components()
    }

    fn new(players: usize, options: &Options, components: Option<&ComponentSource>) -> Result<Self, SetupError> {
        Ok(Self { game: Pebbles::new(players, options, components)?, fault: None })
    }

    fn max_plies(&self) -> usize {
        if self.has(Fault::TooLong) { 5 } else { self.game.max_plies() }
    }
}

impl Notation for Faulty {
    as_the_game! {
        fn format_action(&self, action: Action) -> String;
        fn format_outcome(&self, outcome: Outcome) -> String;
        fn parse_outcome(&self, text: &str) -> Result<Outcome, ParseActionError>;
    }

    fn parse_action(&self, text: &str) -> Result<Action, ParseActionError> {
        if self.has(Fault::CapitalsRefused) && text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return Err(ParseActionError::new(text, "small letters"));
        }
        self.game.parse_action(text)
    }
}

/// A step of this game as one of the toy game.
fn step_of(step: StepOf<Faulty>) -> StepOf<Pebbles> {
    match step {
        Step::Action(action) => Step::Action(action),
        Step::Outcome(outcome) => Step::Outcome(outcome),
    }
}

impl Knowledge for Faulty {
    type Observation = Observation;

    as_the_game! {
        fn observation(&self, state: &State, player: Player) -> Observation;
        fn observer(&self, observation: &Observation) -> Player;
        fn format_observed(&self, observed: Observed) -> String;
        fn private_key(&self, state: &State, player: Player) -> u64;
    }

    fn observed(&self, before: &State, step: StepOf<Self>, viewer: Player) -> Observed {
        match step {
            Step::Outcome(_) if self.has(Fault::ObservedTooLittle) => Observed::NOTHING,
            _ => self.game.observed(before, step_of(step), viewer),
        }
    }

    fn sample_world(&self, observation: &Observation, rng: &mut Rng) -> State {
        let mut world = self.game.sample_world(observation, rng);
        if self.has(Fault::WorldElsewhere) {
            world.public.ply += 1;
        }
        if self.has(Fault::WorldOfAnother) {
            world.hands.rotate_left(1);
        }
        world
    }
}

impl Data for Faulty {
    as_the_game! {
        fn state_from_json(&self, value: &Value) -> Result<State, StateError>;
        fn observation_from_json(&self, value: &Value, player: Player) -> Result<Observation, StateError>;
        fn state_from_position(&self, position: &Value) -> Result<State, StateError>;
    }

    fn state_to_json(&self, state: &State) -> Value {
        let mut json = self.game.state_to_json(state);
        if self.has(Fault::JsonForgets) {
            json["columns"][0]["closed"] = false.into();
        }
        json
    }

    fn observation_to_json(&self, observation: &Observation) -> Value {
        let mut json = self.game.observation_to_json(observation);
        if self.has(Fault::JsonShows) {
            json["pile"] = json["gone"].clone();
        }
        json
    }
}

impl Features for Faulty {
    fn observation_layout(&self) -> &Layout {
        self.game.observation_layout()
    }

    fn features(&self, observation: &Observation, sink: &mut impl FeatureSink) {
        let mut observation = observation.clone();
        if self.has(Fault::TensorBroken) {
            observation.public.ply = 30_000;
        }
        self.game.features(&observation, sink);
    }
}

impl Drawing for Faulty {
    as_the_game! {
        fn draw_components(&self, canvas: &mut Canvas);
        fn interpret(&self, observation: &Observation, text: &str) -> Option<Action>;
    }

    fn draw(&self, observation: &Observation, request: &DrawRequest<'_, Action>, canvas: &mut Canvas) {
        let mut observation = observation.clone();
        if self.has(Fault::PictureForgets) {
            observation.public.scores.iter_mut().for_each(|points| *points = 0);
        }
        self.game.draw(&observation, request, canvas);
    }
}

impl Judgement for Faulty {
    type Cache = ();

    fn judge_all(&self, state: &State, out: &mut ByPlayer<f64>) {
        self.game.judge_all(state, out);
        if self.has(Fault::EvaluatePeeks) {
            for player in Player::all(self.num_players()) {
                let other = state.hands[player.next(self.num_players()).index()][0];
                out[player.index()] -= f64::from(other);
            }
        }
    }
}

impl Audit for Faulty {
    as_the_game! {
        fn check_invariants(&self, state: &State) -> Result<(), String>;
    }
}
