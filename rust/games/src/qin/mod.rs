#![doc = include_str!("README.md")]

mod actions;
mod apply;
mod bits;
mod components;
mod evaluate;
mod ground;
mod json;
mod legal;
mod observation;
mod options;
mod scoring;
mod state;
mod table;
#[cfg(test)]
mod tests;
mod view;

use std::sync::Arc;

use forbidden_games_core::canvas::{Canvas, Palette};
use forbidden_games_core::contract::{
    Audit, Data, DrawRequest, Drawing, Features, Info, Judgement, Knowledge, Notation, Observed, Rules, Setup, Step,
};
use forbidden_games_core::encoding::Layout;
use forbidden_games_core::error::{ParseActionError, Refusal, SetupError, StateError};
use forbidden_games_core::event::EventSink;
use forbidden_games_core::options::{ComponentSource, OptionSpec, Options, check_players};
use forbidden_games_core::outcome::ScoreLine;
use forbidden_games_core::player::{ByPlayer, MAX_PLAYERS, Player, Turn};
use forbidden_games_core::rng::Rng;
use serde_json::Value;

pub use actions::{Action, Colour, Direction, Kind, Placement, Square};
use components::Components;
use ground::Ground;
use options::Settings;
use state::{Counts, Hand, Phase, Public};
pub use state::{Observation, State};
use table::{Field, with_table};

/// The rules of Qin with players, options and board.
#[derive(Clone, Debug)]
pub struct Game {
    players: usize,
    settings: Settings,
    board: Arc<Components>,
    ground: Arc<Ground>,
    layout: Arc<Layout>,
    /// Pagodas of a seat at the start.
    allotment: u8,
}

impl Game {
    /// Tiles of each kind in the game.
    fn tiles(&self) -> Counts {
        self.board.tiles
    }
}

/// A static, since a constant would put a copy of both pages into the binary wherever it is used.
static INFO: Info = Info {
    name: "qin",
    title: "Qin",
    summary: "lay two-coloured dominoes, found and join provinces, take villages, place your last pagoda first",
    rules_version: 1,
    layout_version: 1,
    min_players: 2,
    max_players: 4,
    default_players: 2,
    hidden_information: true,
    phases: &Phase::NAMES,
    rules: include_str!("../../../../docs/rules/qin.md"),
    readme: include_str!("README.md"),
};

impl Rules for Game {
    type State = State;
    type Action = Action;
    type Outcome = Kind;

    fn num_players(&self) -> usize {
        self.players
    }

    fn num_actions(&self) -> usize {
        9 * self.ground.num_pairs() + 1
    }

    fn num_outcomes(&self) -> usize {
        Kind::COUNT
    }

    fn action_id(&self, action: Action) -> u32 {
        self.id_of_action(action)
    }

    fn action_from_id(&self, id: u32) -> Option<Action> {
        self.action_of_id(id)
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
        State {
            public: Public {
                field: Field::new(&self.ground),
                ply: 0,
                phase: Phase::Deal,
                seat: 0,
                passes: 0,
                supply,
                hand_sizes: [0; MAX_PLAYERS],
                laid: [0; Kind::COUNT],
            },
            hands: [Hand::default(); MAX_PLAYERS],
            pile: self.tiles(),
        }
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
        if let Turn::Player(player) = state.public.turn() {
            let before = out.len();
            with_table!(&state.public.field, table => table.list(&self.ground, state.hands[player.index()], out));
            if out.len() == before {
                out.push(Action::Pass);
            }
        }
    }

    fn chance_outcomes(&self, state: &State, out: &mut Vec<(Kind, u32)>) {
        if state.public.turn() == Turn::Chance {
            let left = Kind::all().map(|kind| (kind, u32::from(state.pile[kind.index()])));
            out.extend(left.filter(|&(_, count)| count > 0));
        }
    }

    fn check_action(&self, state: &State, action: Action) -> Result<(), Refusal> {
        self.check(state, action)
    }

    fn apply_action<E: EventSink>(&self, state: &mut State, action: Action, events: &mut E) {
        self.act(state, action, events);
    }

    fn apply_outcome<E: EventSink>(&self, state: &mut State, outcome: Kind, events: &mut E) {
        self.draw_tile(state, outcome, events);
    }

    /// Counts and picks without a list.
    fn sample_action(&self, state: &State, rng: &mut Rng, _scratch: &mut Vec<Action>) -> Action {
        let hand = state.hands[usize::from(state.public.seat)];
        let placement =
            with_table!(&state.public.field, table => table.pick(&self.ground, hand, |length| rng.below(length.max(1))));
        placement.map_or(Action::Pass, Action::Place)
    }

    fn sample_outcome(&self, state: &State, rng: &mut Rng, _scratch: &mut Vec<(Kind, u32)>) -> Kind {
        let total = state.pile.iter().map(|&count| u32::from(count)).sum();
        let index = observation::draw_from(&state.pile, rng.below(total));
        Kind::new(index).expect("an index of the pile is a kind")
    }

    fn scores(&self, state: &State) -> ByPlayer<i32> {
        self.pagodas_placed(&state.public)
    }

    fn ranking(&self, state: &State) -> ByPlayer<u8> {
        self.rank(&state.public)
    }

    fn score_sheet(&self, state: &State) -> Vec<ScoreLine> {
        self.sheet(&state.public)
    }

    /// The supply (QN-7.6).
    fn series_total(&self, state: &State) -> Option<ByPlayer<i32>> {
        Some(state.public.supply[..self.players].iter().map(|&left| left.into()).collect())
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
        check_players(players, Self::INFO.min_players, Self::INFO.max_players)?;
        let (settings, board) = options::resolve(options, components)?;
        let ground = Ground::new(&board, settings.villages);
        let layout = observation::layout(&ground, players);
        let allotment = board.pagodas[players - 2];
        Ok(Self { players, settings, board: Arc::new(board), ground: Arc::new(ground), layout: Arc::new(layout), allotment })
    }

    fn options(&self) -> Options {
        options::to_json(self.settings, &self.board.name)
    }

    fn components(&self) -> Value {
        if self.board.is_builtin() { self.board.name.as_str().into() } else { self.board.to_json() }
    }

    fn action_layout(&self) -> String {
        format!("board {}x{}", self.ground.grid.rows, self.ground.grid.columns)
    }

    /// QN-7.5
    fn max_plies(&self) -> usize {
        let most = self.max_chance_nodes().min(self.ground.num_grass() / 2);
        self.players * most - self.players + 1
    }

    fn max_chance_nodes(&self) -> usize {
        self.tiles().iter().map(|&count| usize::from(count)).sum()
    }
}

impl Notation for Game {
    fn format_action(&self, action: Action) -> String {
        self.write_action(action)
    }

    fn parse_action(&self, text: &str) -> Result<Action, ParseActionError> {
        self.read_action(text)
    }

    fn format_outcome(&self, outcome: Kind) -> String {
        outcome.name().to_owned()
    }

    fn parse_outcome(&self, text: &str) -> Result<Kind, ParseActionError> {
        self.read_outcome(text)
    }

    /// The squares: `d4e4`.
    fn action_group(&self, action: Action) -> String {
        match action {
            Action::Place(placement) => self.pair_name(placement),
            Action::Pass => self.write_action(action),
        }
    }

    fn is_square(&self, text: &str) -> bool {
        self.ground.parse(&text.trim().to_ascii_lowercase()).is_some()
    }
}

impl Knowledge for Game {
    type Observation = Observation;

    fn observation(&self, state: &State, player: Player) -> Observation {
        self.observe(state, player)
    }

    fn observer(&self, observation: &Observation) -> Player {
        observation.viewer
    }

    fn observed(&self, before: &State, step: Step<Action, Kind>, viewer: Player) -> Observed {
        self.learn(before, step, viewer)
    }

    fn format_observed(&self, observed: Observed) -> String {
        self.write_learnt(observed)
    }

    fn private_key(&self, state: &State, player: Player) -> u64 {
        state.hands[player.index()].0.iter().fold(0, |key, &count| (key << 8) | u64::from(count))
    }

    fn sample_world(&self, observation: &Observation, rng: &mut Rng) -> State {
        self.deal_unseen(observation, rng)
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
        self.write_observation(observation)
    }

    fn observation_from_json(&self, value: &Value, player: Player) -> Result<Observation, StateError> {
        self.read_observation(value, player)
    }
}

impl Features for Game {
    fn observation_layout(&self) -> &Layout {
        &self.layout
    }

    fn encode(&self, observation: &Observation, out: &mut [f32]) {
        self.encode_observation(observation, out);
    }
}

impl Drawing for Game {
    fn draw(&self, observation: &Observation, request: &DrawRequest<'_, Action>, canvas: &mut Canvas) {
        self.draw_observation(observation, request, canvas);
    }

    fn palette(&self) -> &'static Palette {
        &view::PALETTE
    }

    fn draw_components(&self, canvas: &mut Canvas) {
        self.draw_set(canvas);
    }

    /// Squares the wrong way round, a missing colon.
    fn interpret(&self, _observation: &Observation, text: &str) -> Option<Action> {
        self.guess_action(text)
    }
}

impl Judgement for Game {
    type Cache = ();

    fn judge_all(&self, state: &State, out: &mut ByPlayer<f64>) {
        out.clear();
        out.extend(Player::all(self.num_players()).map(|player| self.judge(state, player)));
    }

    /// Without the answers of the others.
    fn look(&self, state: &State, player: Player, actions: &[Action], _cache: &mut (), out: &mut Vec<f64>) {
        self.look_at(state, player, actions, out);
    }

    fn search_defaults(players: usize) -> &'static str {
        if players == 2 {
            "temperature=1,rollout=greedy,cutoff=4,scale=4"
        } else {
            "temperature=0.5,rollout=greedy,cutoff=4,scale=2.5"
        }
    }

    fn levels() -> [&'static str; 4] {
        ["flat:simulations=20", "greedy", "ismcts:simulations=200", "ismcts:simulations=2000"]
    }
}

impl Audit for Game {
    fn check_invariants(&self, state: &State) -> Result<(), String> {
        self.check_state(state)
    }
}
