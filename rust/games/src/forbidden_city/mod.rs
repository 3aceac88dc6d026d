#![doc = include_str!("README.md")]

mod actions;
mod apply;
mod appraise;
mod components;
mod evaluate;
mod invariants;
mod json;
mod legal;
mod observation;
mod options;
mod rooms;
mod scoring;
mod state;
#[cfg(test)]
mod tests;
mod view;

use std::sync::Arc;

use serde_json::Value;

use forbidden_games_core::canvas::{Canvas, Palette};
use forbidden_games_core::contract::{
    Audit, Data, DrawRequest, Drawing, Features, Info, Judgement, Knowledge, Notation, Observed, Rules, Setup, StepOf,
};
use forbidden_games_core::encoding::Layout;
use forbidden_games_core::error::{OptionsError, ParseActionError, Refusal, SetupError, StateError};
use forbidden_games_core::event::EventSink;
use forbidden_games_core::options::{ComponentSource, OptionSpec, Options};
use forbidden_games_core::outcome::{ScoreLine, ranking_by_key};
use forbidden_games_core::player::{ByPlayer, Player, Turn};
use forbidden_games_core::rng::Rng;

pub use actions::{Action, Outcome};
pub use observation::Observation;
pub use state::State;

use options::Tables;
use state::Phase;

/// Forbidden City for 2 to 4 players, with its options and component set.
#[derive(Clone, Debug)]
pub struct Game {
    tables: Arc<Tables>,
    layout: Arc<Layout>,
    /// Size of the encoded window.
    window: usize,
}

impl Game {
    /// Number of seats.
    fn players(&self) -> usize {
        self.tables.players
    }

    /// Tiles that are laid or discarded in a whole game (FC-7.6).
    fn most_plies(&self) -> u16 {
        (self.players() * (usize::from(self.tables.components.set_size(self.players())) - 2)) as u16
    }
}

/// A static, since a constant would put a copy of both pages into the binary wherever it is used.
static INFO: Info = Info {
    name: "forbidden_city",
    title: "Forbidden City",
    summary: "lay tiles, close rooms, have most advisors in them",
    rules_version: 1,
    layout_version: 1,
    min_players: options::PLAYERS.0,
    max_players: options::PLAYERS.1,
    default_players: 2,
    hidden_information: true,
    phases: &["deal", "place", "draw", "end"],
    rules: include_str!("../../../../docs/rules/forbidden_city.md"),
    readme: include_str!("README.md"),
};

impl Rules for Game {
    type State = State;
    type Action = Action;
    type Outcome = Outcome;

    fn num_players(&self) -> usize {
        self.players()
    }

    fn num_actions(&self) -> usize {
        self.tables.discard_id() as usize + 1
    }

    fn num_outcomes(&self) -> usize {
        self.tables.components.kinds.len()
    }

    fn action_id(&self, action: Action) -> u32 {
        self.id_of(action)
    }

    fn action_from_id(&self, id: u32) -> Option<Action> {
        self.action_of(id)
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
        self.list_actions(state, out);
    }

    fn chance_outcomes(&self, state: &State, out: &mut Vec<(Outcome, u32)>) {
        self.list_outcomes(state, out);
    }

    fn check_action(&self, state: &State, action: Action) -> Result<(), Refusal> {
        self.check(state, action)
    }

    fn apply_action<E: EventSink>(&self, state: &mut State, action: Action, events: &mut E) {
        self.act(state, action, events);
    }

    fn apply_outcome<E: EventSink>(&self, state: &mut State, outcome: Outcome, events: &mut E) {
        self.draw_tile(state, outcome, events);
    }

    fn sample_action(&self, state: &State, rng: &mut Rng, _scratch: &mut Vec<Action>) -> Action {
        self.pick_action(state, rng)
    }

    fn sample_outcome(&self, state: &State, rng: &mut Rng, _scratch: &mut Vec<(Outcome, u32)>) -> Outcome {
        Outcome { kind: self.pick_tile(state, state.drawing_seat(), rng) }
    }

    fn scores(&self, state: &State) -> ByPlayer<i32> {
        state.coins[..self.players()].iter().copied().collect()
    }

    fn ranking(&self, state: &State) -> ByPlayer<u8> {
        ranking_by_key(&state.coins[..self.players()])
    }

    fn score_sheet(&self, state: &State) -> Vec<ScoreLine> {
        self.sheet(state)
    }
}

impl Setup for Game {
    const INFO: &'static Info = &INFO;

    fn option_schema() -> Vec<OptionSpec> {
        options::schema()
    }

    fn builtin_components() -> &'static [(&'static str, &'static str)] {
        &components::BUILTIN
    }

    fn new(players: usize, options: &Options, components: Option<&ComponentSource>) -> Result<Self, SetupError> {
        let tables = Tables::new(players, options, components)?;
        let layout = Arc::new(observation::layout(&tables, observation::WINDOW));
        Ok(Self { tables: Arc::new(tables), layout, window: observation::WINDOW })
    }

    fn options(&self) -> Options {
        self.tables.options()
    }

    fn components(&self) -> Value {
        self.tables.components_json()
    }

    fn action_layout(&self) -> String {
        let kinds: Vec<&str> = self.tables.components.kinds.iter().map(|kind| kind.id.as_str()).collect();
        format!("table={} kinds={}", self.tables.table, kinds.join(","))
    }

    fn max_plies(&self) -> usize {
        usize::from(self.most_plies())
    }

    fn max_chance_nodes(&self) -> usize {
        usize::from(self.most_plies())
    }

    fn with_window(self, window: usize) -> Result<Self, OptionsError> {
        if !(3..=253).contains(&window) || window.is_multiple_of(2) {
            return Err(OptionsError::new("window", window.to_string(), "an odd integer from 3 to 253"));
        }
        let layout = Arc::new(observation::layout(&self.tables, window));
        Ok(Self { layout, window, ..self })
    }
}

impl Notation for Game {
    fn format_action(&self, action: Action) -> String {
        self.action_text(action)
    }

    fn parse_action(&self, text: &str) -> Result<Action, ParseActionError> {
        self.read_action(text)
    }

    fn format_outcome(&self, outcome: Outcome) -> String {
        self.tables.components.kinds[usize::from(outcome.kind)].id.clone()
    }

    fn parse_outcome(&self, text: &str) -> Result<Outcome, ParseActionError> {
        self.read_outcome(text)
    }

    fn is_square(&self, text: &str) -> bool {
        self.read_action(&format!("{text} r0")).is_ok()
    }
}

impl Knowledge for Game {
    type Observation = Observation;

    fn observation(&self, state: &State, player: Player) -> Observation {
        Observation::new(state, player)
    }

    fn observer(&self, observation: &Observation) -> Player {
        observation.player
    }

    fn observed(&self, before: &State, step: StepOf<Self>, viewer: Player) -> Observed {
        self.seen_by(before, step, viewer)
    }

    fn format_observed(&self, observed: Observed) -> String {
        self.seen_text(observed)
    }

    fn private_key(&self, state: &State, player: Player) -> u64 {
        u64::from(state.hands[player.index()])
    }

    fn sample_world(&self, observation: &Observation, rng: &mut Rng) -> State {
        self.world(observation, rng)
    }
}

impl Data for Game {
    fn state_to_json(&self, state: &State) -> Value {
        self.write_state(state)
    }

    fn state_from_json(&self, value: &Value) -> Result<State, StateError> {
        self.read_state(value)
    }

    fn observation_to_json(&self, observation: &Observation) -> Value {
        self.write_state(&observation.seen)
    }

    fn observation_from_json(&self, value: &Value, player: Player) -> Result<Observation, StateError> {
        self.read_observation(value, player)
    }

    fn state_from_position(&self, position: &Value) -> Result<State, StateError> {
        self.read_position(position)
    }
}

impl Features for Game {
    fn observation_layout(&self) -> &Layout {
        &self.layout
    }

    fn encode(&self, observation: &Observation, out: &mut [f32]) {
        self.write_numbers(observation, out);
    }
}

impl Drawing for Game {
    fn draw(&self, observation: &Observation, request: &DrawRequest<'_, Action>, canvas: &mut Canvas) {
        self.picture(observation, request, canvas);
    }

    fn palette(&self) -> &'static Palette {
        &view::PALETTE
    }

    fn draw_components(&self, canvas: &mut Canvas) {
        self.draw_set(canvas);
    }

    fn interpret(&self, observation: &Observation, text: &str) -> Option<Action> {
        let Ok(Action::Lay { space, rotation }) = self.read_action(text) else { return None };
        let kind = *observation.seen.hands.get(observation.player.index()).filter(|&&hand| hand != state::NONE)?;
        let canonical = self.tables.canonical[usize::from(kind)][usize::from(rotation)];
        (canonical != rotation).then_some(Action::Lay { space, rotation: canonical })
    }
}

impl Judgement for Game {
    type Cache = ();

    fn judge_all(&self, state: &State, out: &mut ByPlayer<f64>) {
        out.clear();
        out.extend(Player::all(self.num_players()).map(|player| self.judge(state, player)));
    }

    fn look(&self, state: &State, player: Player, actions: &[Action], _cache: &mut (), out: &mut Vec<f64>) {
        self.appraise_actions(state, player, actions, out);
    }

    /// With more seats a rollout must be longer to see three tiles of each, or about as many.
    fn search_defaults(players: usize) -> &'static str {
        if players == 2 {
            "exploration=0.5,temperature=16,rollout=greedy,cutoff=6,scale=30"
        } else {
            "exploration=0.5,temperature=16,rollout=greedy,cutoff=12,scale=30"
        }
    }

    fn levels() -> [&'static str; 4] {
        ["flat:simulations=20", "greedy", "ismcts:simulations=200", "ismcts:simulations=2000"]
    }
}

impl Audit for Game {
    fn check_invariants(&self, state: &State) -> Result<(), String> {
        self.invariants(state)
    }
}
