#![doc = include_str!("README.md")]

mod components;
mod play;
mod state;
#[cfg(test)]
mod tests;
mod view;

use serde_json::{Map, Value};

use components::{BUILTIN, Kind, read_kinds};
pub use components::{MAX_KINDS, own_set};
pub use state::{Column, Counts, FULL, HAND, Hand, Observation, Phase, Public, State};

use crate::canvas::{Canvas, Role};
use crate::contract::{
    Audit, Data, DrawRequest, Drawing, Info, Judgement, Knowledge, Notation, Observed, Rules, Setup, Step, StepOf,
};
use crate::data::{Node, parse_toml};
use crate::encoding::Layout;
use crate::error::{DataError, OptionsError, ParseActionError, Refusal, SetupError, StateError};
use crate::event::EventSink;
use crate::options::{ComponentSource, OptionKind, OptionSpec, Options, check_players, complete};
use crate::outcome::{ScoreLine, ranking_by_key};
use crate::player::{ByPlayer, Player, Turn};
use crate::rng::Rng;

/// Most columns.
pub const MAX_COLUMNS: usize = 9;

/// A mistake that an implementation could make: the battery must find each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
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

/// The rules with options and components.
#[derive(Clone, Debug)]
pub struct Pebbles {
    fault: Option<Fault>,
    players: usize,
    columns: usize,
    forced: bool,
    options: Options,
    components: Value,
    kinds: Vec<Kind>,
    layout: Layout,
}

/// One decision. The order is that of the ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// Kind and column.
    Drop(u8, u8),
    /// Take the full column.
    Claim,
    /// Close the full column.
    Leave,
}

/// A kind drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Outcome(pub u8);

impl Pebbles {
    /// The game with a mistake in it.
    #[must_use]
    pub fn with_fault(self, fault: Fault) -> Self {
        Self { fault: Some(fault), ..self }
    }

    fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }
}

static INFO: Info = Info {
    name: "pebbles",
    title: "Pebbles",
    summary: "a toy game for the tests of the core",
    rules_version: 1,
    layout_version: 1,
    min_players: 2,
    max_players: 4,
    default_players: 2,
    hidden_information: true,
    phases: &Phase::WORDS,
    rules: include_str!("README.md"),
    readme: include_str!("README.md"),
};

impl Rules for Pebbles {
    type State = State;
    type Action = Action;
    type Outcome = Outcome;

    fn num_players(&self) -> usize {
        self.players
    }

    fn num_actions(&self) -> usize {
        self.kinds.len() * self.columns + 2
    }

    fn num_outcomes(&self) -> usize {
        self.kinds.len()
    }

    fn action_id(&self, action: Action) -> u32 {
        let drops = (self.kinds.len() * self.columns) as u32;
        match action {
            Action::Drop(kind, column) => u32::from(kind) * self.columns as u32 + u32::from(column),
            Action::Claim => drops,
            Action::Leave => drops + 1,
        }
    }

    fn action_from_id(&self, id: u32) -> Option<Action> {
        let drops = (self.kinds.len() * self.columns) as u32;
        let id = if self.has(Fault::DoubledId) && id == 1 { 0 } else { id };
        match id.checked_sub(drops) {
            None => Some(Action::Drop((id / self.columns as u32) as u8, (id % self.columns as u32) as u8)),
            Some(0) => Some(Action::Claim),
            Some(1) => Some(Action::Leave),
            Some(_) => None,
        }
    }

    fn outcome_id(&self, outcome: Outcome) -> u32 {
        outcome.0.into()
    }

    fn outcome_from_id(&self, id: u32) -> Option<Outcome> {
        ((id as usize) < self.kinds.len()).then_some(Outcome(id as u8))
    }

    fn new_state(&self) -> State {
        self.first_state()
    }

    fn turn(&self, state: &State) -> Turn {
        state.public.turn()
    }

    fn phase(&self, state: &State) -> &'static str {
        state.public.phase.word()
    }

    fn ply(&self, state: &State) -> u32 {
        state.public.ply
    }

    fn legal_actions(&self, state: &State, out: &mut Vec<Action>) {
        self.list_actions(state, out);
        if self.has(Fault::Unsorted) {
            out.reverse();
        }
    }

    fn chance_outcomes(&self, state: &State, out: &mut Vec<(Outcome, u32)>) {
        if state.public.turn() == Turn::Chance {
            let left = state.pile.iter().enumerate().filter(|(_, count)| **count > 0);
            out.extend(left.map(|(kind, &count)| (Outcome(kind as u8), u32::from(count))));
        }
    }

    fn check_action(&self, state: &State, action: Action) -> Result<(), Refusal> {
        match self.check(state, action) {
            Err(refusal) if refusal.rule == "PB-4" && self.has(Fault::UnlistedAccepted) => Ok(()),
            checked => checked,
        }
    }

    fn apply_action<E: EventSink>(&self, state: &mut State, action: Action, events: &mut E) {
        self.act(state, action, events);
        if E::ENABLED && self.has(Fault::EventsChange) {
            state.public.scores[0] += 1;
        }
    }

    fn apply_outcome<E: EventSink>(&self, state: &mut State, outcome: Outcome, events: &mut E) {
        self.deal(state, outcome, events);
    }

    fn sample_action(&self, state: &State, rng: &mut Rng, scratch: &mut Vec<Action>) -> Action {
        scratch.clear();
        self.legal_actions(state, scratch);
        let index = rng.below(scratch.len() as u32) as usize;
        scratch[if self.has(Fault::OtherSample) { scratch.len() - 1 - index } else { index }]
    }

    fn scores(&self, state: &State) -> ByPlayer<i32> {
        state.public.scores.clone()
    }

    fn ranking(&self, state: &State) -> ByPlayer<u8> {
        ranking_by_key(&state.public.scores)
    }

    fn score_sheet(&self, state: &State) -> Vec<ScoreLine> {
        let extra = i32::from(self.has(Fault::SheetWrong) && state.public.ply == 9);
        let points = state.public.scores.iter().map(|score| score + extra).collect();
        vec![ScoreLine { item: "claimed columns", rule: "PB-1", points }]
    }

    fn series_total(&self, state: &State) -> Option<ByPlayer<i32>> {
        Some(state.public.scores.iter().map(|score| -score).collect())
    }
}

impl Setup for Pebbles {
    const INFO: &'static Info = &INFO;

    fn option_schema() -> Vec<OptionSpec> {
        vec![
            OptionSpec {
                name: "columns",
                kind: OptionKind::Integer { min: 2, max: MAX_COLUMNS as i64, odd: false },
                default: 4.into(),
                meaning: "columns in the row",
            },
            OptionSpec {
                name: "claim",
                kind: OptionKind::Choice(&["free", "forced"]),
                default: "free".into(),
                meaning: "whether a full column may be left",
            },
            OptionSpec {
                name: "pebbles",
                kind: OptionKind::Text("the name of a component set"),
                default: "pebbles-1".into(),
                meaning: "the component set",
            },
        ]
    }

    fn builtin_components() -> &'static [(&'static str, &'static str)] {
        BUILTIN
    }

    fn new(players: usize, options: &Options, components: Option<&ComponentSource>) -> Result<Self, SetupError> {
        check_players(players, 2, 4)?;
        let mut given = options.clone();
        let (set_name, kinds, components) = match components {
            Some(ComponentSource::Set(set)) => {
                let (name, kinds) = read_kinds(set).map_err(SetupError::Components)?;
                if BUILTIN.iter().any(|(builtin, _)| *builtin == name) {
                    let error = DataError::new("name", name, "a name that no built-in set has");
                    return Err(SetupError::Components(error));
                }
                (name, kinds, set.clone())
            }
            other => {
                let name = match other {
                    Some(ComponentSource::Name(name)) => name.clone(),
                    _ => complete(&Self::option_schema(), options)?["pebbles"].as_str().unwrap_or_default().to_owned(),
                };
                let Some((_, text)) = BUILTIN.iter().find(|(builtin, _)| *builtin == name) else {
                    return Err(OptionsError::new("pebbles", name, "pebbles-1, or a set given as components").into());
                };
                let set = parse_toml(text).map_err(SetupError::Components)?;
                let (name, kinds) = read_kinds(&set).map_err(SetupError::Components)?;
                (name.clone(), kinds, Value::from(name))
            }
        };
        let named = given.entry("pebbles").or_insert_with(|| set_name.as_str().into());
        if named.as_str().is_some_and(|name| name != set_name) {
            return Err(OptionsError::new("pebbles", named.to_string(), format!("{set_name}, as in the components")).into());
        }
        let options = complete(&Self::option_schema(), &given)?;
        let columns = options["columns"].as_u64().unwrap_or(4) as usize;
        let forced = options["claim"] == "forced";
        let mut layout = Layout::new();
        let kind_count = kinds.len();
        let copies = kinds.iter().map(|kind| u16::from(kind.count)).max().unwrap_or(1);
        let all: u16 = kinds.iter().map(|kind| u16::from(kind.count)).sum();
        layout.push("columns", &[columns, FULL, kind_count], [1, 1], "1 where a pebble of the kind lies");
        layout.push("closed", &[columns], [1, 1], "1 where a column is closed");
        layout.push("hand", &[kind_count], [2, HAND as u16], "own pebbles of each kind");
        layout.push("sizes", &[players], [2, HAND as u16], "hand sizes from the viewer clockwise");
        layout.push("scores", &[players], [100, 3 * all], "points from the viewer clockwise");
        layout.push("phase", &[Phase::WORDS.len()], [1, 1], "1 at the phase");
        layout.push("player", &[players], [1, 1], "1 at the seat that decides or draws, from the viewer clockwise");
        layout.push("gone", &[kind_count], [copies, copies], "pebbles out of the game");
        layout.push("ply", &[1], [100, 2 * all], "decisions so far");
        Ok(Self { fault: None, players, columns, forced, options, components, kinds, layout })
    }

    fn options(&self) -> Options {
        self.options.clone()
    }

    fn components(&self) -> Value {
        self.components.clone()
    }

    fn action_layout(&self) -> String {
        let names: Vec<&str> = self.kinds.iter().map(|kind| kind.name.as_str()).collect();
        format!("{} columns of {}", self.columns, names.join(" "))
    }

    fn max_plies(&self) -> usize {
        if self.has(Fault::TooLong) { 5 } else { 2 * self.max_chance_nodes() }
    }

    fn max_chance_nodes(&self) -> usize {
        self.kinds.iter().map(|kind| usize::from(kind.count)).sum()
    }
}

impl Notation for Pebbles {
    fn format_action(&self, action: Action) -> String {
        match action {
            Action::Drop(kind, column) => format!("drop {} {}", self.kinds[usize::from(kind)].name, (b'a' + column) as char),
            Action::Claim => "claim".to_owned(),
            Action::Leave => "leave".to_owned(),
        }
    }

    fn parse_action(&self, text: &str) -> Result<Action, ParseActionError> {
        let normal = if self.has(Fault::CapitalsRefused) { text.to_owned() } else { crate::notation::normalize(text) };
        let words: Vec<&str> = normal.split(' ').collect();
        let action = match *words.as_slice() {
            ["claim"] => Some(Action::Claim),
            ["leave"] => Some(Action::Leave),
            ["drop", kind, column] => self.kinds.iter().position(|known| known.name == kind).and_then(|kind| {
                let [letter] = *column.as_bytes() else { return None };
                let column = letter.checked_sub(b'a')?;
                (usize::from(column) < self.columns).then_some(Action::Drop(kind as u8, column))
            }),
            _ => None,
        };
        action.ok_or_else(|| ParseActionError::new(text, "drop KIND COLUMN, claim or leave"))
    }

    fn format_outcome(&self, outcome: Outcome) -> String {
        self.kinds[usize::from(outcome.0)].name.clone()
    }

    fn parse_outcome(&self, text: &str) -> Result<Outcome, ParseActionError> {
        let normal = crate::notation::normalize(text);
        let kind = self.kinds.iter().position(|kind| kind.name == normal);
        kind.map(|kind| Outcome(kind as u8)).ok_or_else(|| ParseActionError::new(text, "a kind of pebble"))
    }
}

impl Knowledge for Pebbles {
    type Observation = Observation;

    fn observation(&self, state: &State, player: Player) -> Observation {
        let hand = |(seat, hand): (usize, &Counts)| {
            if seat == player.index() { Hand::Open(*hand) } else { Hand::Hidden(state::size(hand)) }
        };
        Observation { viewer: player, public: state.public.clone(), hands: state.hands.iter().enumerate().map(hand).collect() }
    }

    fn observer(&self, observation: &Observation) -> Player {
        observation.viewer
    }

    fn observed(&self, before: &State, step: StepOf<Self>, viewer: Player) -> Observed {
        match step {
            Step::Action(action) => Observed(u64::from(self.action_id(action))),
            Step::Outcome(outcome) if before.public.player == viewer && !self.has(Fault::ObservedTooLittle) => {
                Observed((self.num_actions() + usize::from(outcome.0)) as u64)
            }
            Step::Outcome(_) => Observed::NOTHING,
        }
    }

    fn format_observed(&self, observed: Observed) -> String {
        let id = observed.0.min(u64::from(u32::MAX)) as u32;
        match (self.action_from_id(id), id.checked_sub(self.num_actions() as u32).and_then(|id| self.outcome_from_id(id))) {
            (Some(action), _) => self.format_action(action),
            (None, Some(outcome)) => self.format_outcome(outcome),
            (None, None) => "a hidden draw".to_owned(),
        }
    }

    fn private_key(&self, state: &State, player: Player) -> u64 {
        state.hands[player.index()].iter().fold(0, |key, &count| key * (HAND as u64 + 1) + u64::from(count))
    }

    fn sample_world(&self, observation: &Observation, rng: &mut Rng) -> State {
        match self.fill(observation, |pool| rng.shuffle(pool)) {
            Ok(mut world) => {
                if self.has(Fault::WorldElsewhere) {
                    world.public.ply += 1;
                }
                if self.has(Fault::WorldOfAnother) {
                    world.hands.rotate_left(1);
                }
                world
            }
            Err(broken) => unreachable!("an observation that fits no state: {broken}"),
        }
    }
}

impl Data for Pebbles {
    fn state_to_json(&self, state: &State) -> Value {
        let mut json = self.write_state(state);
        if self.has(Fault::JsonForgets) {
            json["columns"][0]["closed"] = false.into();
        }
        json
    }

    fn state_from_json(&self, value: &Value) -> Result<State, StateError> {
        self.read_state(value)
    }

    fn observation_to_json(&self, observation: &Observation) -> Value {
        let mut json = self.write_observation(observation);
        if self.has(Fault::JsonShows) {
            json["pile"] = self.all_pebbles()[..self.kinds.len()].into();
        }
        json
    }

    fn observation_from_json(&self, value: &Value, player: Player) -> Result<Observation, StateError> {
        self.read_observation(value, player)
    }

    fn state_from_position(&self, position: &Value) -> Result<State, StateError> {
        let mut fields = Node::root(position).object()?;
        let hands = fields.required("hands")?.list(self.players, self.players)?;
        let mut state = self.first_state();
        for (seat, node) in hands.iter().enumerate() {
            let hand = self.read_hand(node)?;
            if state::size(&hand) != HAND {
                return Err(node.error("two pebbles").into());
            }
            for (kind, count) in hand.into_iter().enumerate() {
                let left = state.pile[kind].checked_sub(count).ok_or_else(|| node.error("pebbles that are there"))?;
                state.pile[kind] = left;
            }
            state.hands[seat] = hand;
        }
        fields.finish()?;
        state.public.phase = Phase::Drop;
        Ok(state)
    }
}

impl Drawing for Pebbles {
    fn draw(&self, observation: &Observation, request: &DrawRequest<'_, Action>, canvas: &mut Canvas) {
        self.draw_observation(observation, request, canvas);
    }

    fn draw_components(&self, canvas: &mut Canvas) {
        for kind in &self.kinds {
            canvas.line(&format!("{} x {} worth {}", kind.count, kind.name, kind.value), Role::Plain);
        }
    }

    fn interpret(&self, _observation: &Observation, text: &str) -> Option<Action> {
        let normal = crate::notation::normalize(text);
        let [column, kind] = normal.split(' ').collect::<Vec<_>>()[..] else { return None };
        self.parse_action(&format!("drop {kind} {column}")).ok()
    }
}

impl Judgement for Pebbles {
    type Cache = ();

    fn judge_all(&self, state: &State, out: &mut ByPlayer<f64>) {
        out.clear();
        out.extend(Player::all(self.players).map(|player| {
            let other = state.hands[player.next(self.players).index()][0];
            f64::from(state.public.scores[player.index()]) - if self.has(Fault::EvaluatePeeks) { f64::from(other) } else { 0.0 }
        }));
    }
}

impl Audit for Pebbles {
    fn check_invariants(&self, state: &State) -> Result<(), String> {
        self.find_broken_invariant(state)
    }
}

/// The game with its default options.
///
/// # Panics
/// If `players` is not 2, 3 or 4.
#[must_use]
pub fn pebbles(players: usize) -> Pebbles {
    match Pebbles::new(players, &Map::new(), None) {
        Ok(game) => game,
        Err(error) => panic!("{error}"),
    }
}
