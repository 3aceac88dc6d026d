#![doc = include_str!("README.md")]

mod actions;
mod apply;
mod board;
mod bounds;
mod building;
mod components;
mod evaluate;
mod explain;
mod invariants;
mod json;
mod legal;
mod observation;
mod options;
mod scoring;
mod skills;
mod solo;
mod state;
mod tables;
#[cfg(test)]
mod tests;
mod view;

use std::sync::Arc;

use serde_json::Value;

use forbidden_games_core::canvas::{Canvas, Palette};
use forbidden_games_core::contract::{
    Audit, Data, DrawRequest, Drawing, Features, Info, Judgement, Knowledge, Notation, Observed, Rules, Setup, Step, StepOf,
};
use forbidden_games_core::encoding::Layout;
use forbidden_games_core::error::{ParseActionError, Refusal, SetupError, StateError};
use forbidden_games_core::event::EventSink;
use forbidden_games_core::options::{ComponentSource, OptionSpec, Options, check_players};
use forbidden_games_core::outcome::{Fraction, ScoreLine};
use forbidden_games_core::player::{ByPlayer, Player, Turn};
use forbidden_games_core::rng::Rng;

pub use actions::{Action, Outcome};
pub use observation::Observation;
pub use state::State;

use options::Settings;
use state::{PHASES, Phase};
use tables::Tables;

/// Name of the built-in component set.
const BUILTIN: &str = "house-1";
/// Its text.
const BUILTIN_TEXT: &str = include_str!("components.toml");

/// Tang Garden for 1 to 4 players.
#[derive(Clone, Debug)]
pub struct Game {
    players: usize,
    settings: Settings,
    options: Arc<Options>,
    /// `components` of a header.
    header: Arc<Value>,
    tables: Arc<Tables>,
    layout: Arc<Layout>,
    start: Arc<State>,
    /// First id of each group of actions.
    group_offsets: [u32; 21],
}

/// A static, since a constant would put a copy of both pages into the binary wherever it is used.
static INFO: Info = Info {
    name: "tang_garden",
    title: "Tang Garden",
    summary: "build one garden together, decorate it, place characters that enjoy the view; or a solo puzzle",
    rules_version: 1,
    layout_version: 1,
    min_players: 1,
    max_players: 4,
    default_players: 2,
    hidden_information: false,
    phases: PHASES,
    rules: include_str!("../../../../docs/rules/tang_garden.md"),
    readme: include_str!("README.md"),
};

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
        self.outcome_count()
    }

    fn action_id(&self, action: Action) -> u32 {
        self.id_of_action(action)
    }

    fn action_from_id(&self, id: u32) -> Option<Action> {
        self.action_of_id(id)
    }

    fn outcome_id(&self, outcome: Outcome) -> u32 {
        self.id_of_outcome(outcome)
    }

    fn outcome_from_id(&self, id: u32) -> Option<Outcome> {
        self.outcome_of_id(id)
    }

    fn new_state(&self) -> State {
        State::clone(&self.start)
    }

    fn turn(&self, state: &State) -> Turn {
        self.turn_of(state)
    }

    fn phase(&self, state: &State) -> &'static str {
        PHASES[state.phase as usize]
    }

    fn ply(&self, state: &State) -> u32 {
        state.ply
    }

    fn legal_actions(&self, state: &State, out: &mut Vec<Action>) {
        self.list_actions(state, out);
    }

    fn chance_outcomes(&self, state: &State, out: &mut Vec<(Outcome, u32)>) {
        self.for_each_outcome(state, |outcome, weight| out.push((outcome, weight)));
    }

    fn check_action(&self, state: &State, action: Action) -> Result<(), Refusal> {
        if self.is_legal(state, action) { Ok(()) } else { Err(self.explain(state, action)) }
    }

    fn apply_action<E: EventSink>(&self, state: &mut State, action: Action, events: &mut E) {
        self.act(state, action, events);
    }

    fn apply_outcome<E: EventSink>(&self, state: &mut State, outcome: Outcome, events: &mut E) {
        self.resolve(state, outcome, events);
    }

    fn sample_action(&self, state: &State, rng: &mut Rng, _scratch: &mut Vec<Action>) -> Action {
        self.draw_action(state, rng)
    }

    fn sample_outcome(&self, state: &State, rng: &mut Rng, _scratch: &mut Vec<(Outcome, u32)>) -> Outcome {
        self.draw_outcome(state, rng)
    }

    fn scores(&self, state: &State) -> ByPlayer<i32> {
        self.points(state)
    }

    fn ranking(&self, state: &State) -> ByPlayer<u8> {
        self.places(state)
    }

    fn score_sheet(&self, state: &State) -> Vec<ScoreLine> {
        self.sheet(state)
    }

    fn exact_returns(&self, state: &State) -> ByPlayer<Fraction> {
        self.fractions(state)
    }
}

impl Setup for Game {
    const INFO: &'static Info = &INFO;

    fn option_schema() -> Vec<OptionSpec> {
        options::schema()
    }

    fn builtin_components() -> &'static [(&'static str, &'static str)] {
        &[(BUILTIN, BUILTIN_TEXT)]
    }

    fn new(players: usize, options: &Options, components: Option<&ComponentSource>) -> Result<Self, SetupError> {
        check_players(players, Self::INFO.min_players, Self::INFO.max_players)?;
        let (settings, components, options, header) = options::resolve(options, components)?;
        let layout = Arc::new(Self::make_layout(&components, players));
        let tables = Arc::new(Tables::new(components, &settings));
        let start = Arc::new(State::before_setup(&tables, players));
        let (options, header) = (Arc::new(options), Arc::new(header));
        let mut game = Self { players, settings, options, header, tables, layout, start, group_offsets: [0; 21] };
        let mut offset = 0;
        for (group, size) in game.group_sizes().into_iter().enumerate() {
            game.group_offsets[group] = offset;
            offset += size;
        }
        Ok(game)
    }

    fn options(&self) -> Options {
        Options::clone(&self.options)
    }

    fn components(&self) -> Value {
        Value::clone(&self.header)
    }

    fn action_layout(&self) -> String {
        let components = &self.tables.components;
        let names = |list: Vec<&str>| list.join(",");
        format!(
            "tiles {} cards {} characters {} landscapes {}",
            names(components.tiles.iter().map(|tile| tile.name.as_str()).collect()),
            names(components.cards.iter().map(|card| card.name.as_str()).collect()),
            names(components.character_names.iter().map(String::as_str).collect()),
            names(components.landscapes.iter().map(|kind| kind.name.as_str()).collect()),
        )
    }

    fn max_plies(&self) -> usize {
        // TG-7.9 and TG-13.7.
        if self.players == 1 { 91 } else { 500 * self.players + 300 }
    }

    fn max_chance_nodes(&self) -> usize {
        if self.players == 1 { 120 } else { 1250 * self.players + 150 }
    }
}

impl Notation for Game {
    fn format_action(&self, action: Action) -> String {
        self.text_of_action(action)
    }

    fn parse_action(&self, text: &str) -> Result<Action, ParseActionError> {
        self.read_action(text)
    }

    fn format_outcome(&self, outcome: Outcome) -> String {
        self.text_of_outcome(outcome).to_owned()
    }

    fn parse_outcome(&self, text: &str) -> Result<Outcome, ParseActionError> {
        self.read_outcome(text, None)
    }

    fn action_group(&self, action: Action) -> String {
        match action {
            Action::Build { square, .. } | Action::Wall { square, .. } | Action::Garden { square, .. } => {
                board::square_name(square)
            }
            other => self.text_of_action(other).split(' ').next().unwrap_or_default().to_owned(),
        }
    }

    fn is_square(&self, text: &str) -> bool {
        board::parse_square(&text.trim().to_ascii_lowercase()).is_some()
    }

    fn parse_step(&self, state: &State, text: &str) -> Result<StepOf<Self>, ParseActionError> {
        match self.turn_of(state) {
            Turn::Chance => self.read_outcome(text, Some(state)).map(Step::Outcome),
            Turn::Player(_) | Turn::Over => self.read_action(text).map(Step::Action),
        }
    }
}

impl Knowledge for Game {
    type Observation = Observation;

    fn observation(&self, state: &State, player: Player) -> Observation {
        Observation { state: state.clone(), player }
    }

    fn observer(&self, observation: &Observation) -> Player {
        observation.player
    }

    fn observed(&self, _before: &State, step: StepOf<Self>, _viewer: Player) -> Observed {
        self.seen(step)
    }

    fn format_observed(&self, observed: Observed) -> String {
        self.text_of_seen(observed)
    }

    /// Nothing is hidden.
    fn private_key(&self, _state: &State, _player: Player) -> u64 {
        0
    }

    fn sample_world(&self, observation: &Observation, _rng: &mut Rng) -> State {
        observation.state.clone()
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
        self.write_state(&observation.state)
    }

    fn observation_from_json(&self, value: &Value, player: Player) -> Result<Observation, StateError> {
        if player.index() >= self.players {
            return Err(StateError::new("player", player.to_string(), format!("a seat below {}", self.players)));
        }
        Ok(Observation { state: self.read_state(value)?, player })
    }
}

impl Features for Game {
    fn observation_layout(&self) -> &Layout {
        &self.layout
    }

    fn encode(&self, observation: &Observation, out: &mut [f32]) {
        self.encode_state(observation, out);
    }
}

impl Drawing for Game {
    fn draw(&self, observation: &Observation, request: &DrawRequest<'_, Action>, canvas: &mut Canvas) {
        self.draw_picture(observation, request, canvas);
    }

    fn palette(&self) -> &'static Palette {
        &view::PALETTE
    }

    fn draw_components(&self, canvas: &mut Canvas) {
        self.draw_set(canvas);
    }

    fn interpret(&self, observation: &Observation, text: &str) -> Option<Action> {
        // Another rotation with the same picture (TG-6.4).
        let canonical = |stack: u8, rotation: u8| {
            let kind = observation.state.up[usize::from(stack)];
            (kind != board::NONE).then(|| self.tables.canonical_rotation(kind, rotation))
        };
        match self.read_action(text).ok()? {
            Action::Build { stack, rotation, square } => {
                Some(Action::Build { stack, rotation: canonical(stack, rotation)?, square })
            }
            Action::Wall { stack, rotation, square } => Some(Action::Wall { stack, rotation: canonical(stack, rotation)?, square }),
            _ => None,
        }
    }
}

impl Judgement for Game {
    type Cache = ();

    fn judge_all(&self, state: &State, out: &mut ByPlayer<f64>) {
        out.clear();
        out.extend(Player::all(self.num_players()).map(|player| self.judge(state, player)));
    }

    fn search_defaults(_players: usize) -> &'static str {
        "rollout=greedy,cutoff=4,scale=15"
    }

    fn levels() -> [&'static str; 4] {
        ["flat:simulations=20", "greedy", "mcts:simulations=200", "mcts:simulations=2000"]
    }
}

impl Audit for Game {
    fn check_invariants(&self, state: &State) -> Result<(), String> {
        self.check_everything(state)
    }
}

impl Game {
    /// Whose decision it is.
    fn turn_of(&self, state: &State) -> Turn {
        match state.phase {
            Phase::End => Turn::Over,
            phase if phase.is_chance() || state.turn.seat == board::NONE => Turn::Chance,
            _ => Turn::Player(Player(state.turn.seat)),
        }
    }

    /// The title that a finished solo game earns (TG-13.6): apprentice, gardener, master or imperial architect.
    #[must_use]
    pub fn title(&self, state: &State) -> Option<&'static str> {
        (self.players == 1 && state.phase == Phase::End).then(|| Self::solo_title(self.points(state)[0]))
    }
}
