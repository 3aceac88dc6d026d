#![doc = include_str!("README.md")]

mod actions;
mod apply;
mod bounds;
mod cards;
mod castle;
mod components;
mod evaluate;
mod invariants;
mod json;
mod legal;
mod observation;
mod options;
mod realm;
mod refusal;
mod scoring;
mod spirits;
mod state;
#[cfg(test)]
mod tests;
mod view;

use std::sync::Arc;

use forbidden_games_core::canvas::{Canvas, Palette};
use forbidden_games_core::contract::{
    Audit, Data, DrawRequest, Drawing, Features, Info, Judgement, Knowledge, Notation, Observed, Rules, Setup, Step, StepOf,
};
use forbidden_games_core::encoding::Layout;
use forbidden_games_core::error::{ParseActionError, Refusal, SetupError, StateError};
use forbidden_games_core::event::EventSink;
use forbidden_games_core::geometry::square::Grid;
use forbidden_games_core::notation::normalize;
use forbidden_games_core::options::{ComponentSource, OptionSpec, Options};
use forbidden_games_core::outcome::ScoreLine;
use forbidden_games_core::player::{ByPlayer, Player, Turn};
use forbidden_games_core::rng::Rng;
use serde_json::Value;

pub use actions::{Action, Outcome, Payment};
pub use cards::{CardSet, Dragon, Spirit, Window};
pub use observation::Observation;
pub use state::State;

use actions::ActionIds;
use castle::{CastleMask, Stack};
use components::{Components, Symbol};
use legal::Choices;
use observation::Blocks;
use options::{Cards, Settings};
use realm::RealmShape;
use state::{Cells, Phase, TurnState};

/// Dragon Castle with its players, options and components; cheap to clone.
#[derive(Clone, Debug)]
pub struct Game {
    tables: Arc<Tables>,
}

/// What a game fixes.
#[derive(Debug)]
struct Tables {
    players: usize,
    components: Components,
    options: Options,
    spirits: Cards,
    dragons: Cards,
    castle: Grid,
    /// Heights of the stacks at the start.
    heights: Vec<u8>,
    realm: RealmShape,
    /// Type of a top (symbol + 1); entry 0 is not used.
    type_of_top: Vec<u8>,
    /// [`Symbol::number`] of a top (symbol + 1); entry 0 has none.
    number_of_top: Vec<u8>,
    ids: ActionIds,
    layout: Layout,
    blocks: Blocks,
    /// The ordinary start.
    initial: State,
}

impl Tables {
    fn new(players: usize, settings: Settings) -> Self {
        let Settings { components, layout, spirits, dragons, realm: (rows, columns), object } = settings;
        let (castle, heights) = (layout.grid, layout.heights);
        let (types, symbols) = (components.types.len(), components.symbols.len());
        let tops = || components.symbols.iter();
        let type_of_top = std::iter::once(0).chain(tops().map(|symbol| symbol.kind)).collect();
        let number_of_top = std::iter::once(Symbol::NO_NUMBER).chain(tops().map(|symbol| symbol.number)).collect();
        let (blocks, layout) = Blocks::layout(players, (castle.rows, castle.columns), (rows, columns), types, symbols);
        let mut initial = State {
            castle: Cells::new(castle.len()),
            realms: Cells::new(players * rows * columns),
            unrevealed: Cells::new(symbols),
            masks: Default::default(),
            available: CastleMask::default(),
            highest: CastleMask::default(),
            turn: TurnState::default(),
            ply: 0,
            vp: [0; 4],
            pools: std::array::from_fn(|seat| u16::from(seat < players)),
            supply: components.shrines - players as u16,
            discards: 0,
            unrevealed_total: 0,
            spirits: spirits.at_start(),
            dragons: dragons.at_start(),
            countdown: [0; 4],
            tokens: components.tokens,
            top_floor: 0,
            unknown: None,
            phase: Phase::SetupTile,
        };
        for (stack, &height) in initial.castle.iter_mut().zip(&heights) {
            *stack = Stack::new(height, None);
        }
        for (count, symbol) in initial.unrevealed.iter_mut().zip(&components.symbols) {
            *count = components.types[usize::from(symbol.kind)].copies;
        }
        let mut tables = Self {
            players,
            ids: ActionIds::new(castle.len(), rows * columns, types),
            options: object,
            spirits,
            dragons,
            castle,
            heights,
            realm: RealmShape::new(rows, columns),
            type_of_top,
            number_of_top,
            layout,
            blocks,
            initial: initial.clone(),
            components,
        };
        tables.refresh_castle(&mut initial);
        tables.initial = initial;
        tables
    }

    /// DC-7.9, with the numbers of the set in use.
    fn max_plies(&self) -> usize {
        let (tiles, shrines, n) = (usize::from(self.components.tiles), usize::from(self.components.shrines), self.players);
        let in_play = |cards: Cards| match cards {
            Cards::Fixed(cards) => cards.spirits().map(Spirit::plies).sum::<usize>(),
            Cards::Random(count) => {
                let in_box = Spirit::ALL.into_iter().filter(|card| self.components.spirits[card.index()].is_some());
                let mut plies: Vec<usize> = in_box.map(Spirit::plies).collect();
                plies.sort_unstable_by(|a, b| b.cmp(a));
                plies.iter().take(usize::from(count)).sum()
            }
        };
        let sets = tiles / 4;
        match in_play(self.spirits) {
            0 => 2 * tiles + (shrines - n) + (2 * n - 1) + shrines + sets + tiles / 8,
            uses => 3 * tiles + (2 * n - 1) + shrines + sets + sets.saturating_sub(1) + (tiles + 2 * n - 1) * (2 + uses),
        }
    }

    fn action_layout(&self) -> String {
        let codes: String = self.components.types.iter().map(|kind| char::from(kind.code)).collect();
        let symbols: Vec<&str> = self.components.symbols.iter().map(|symbol| symbol.text.as_str()).collect();
        let (castle, realm) = (self.castle, self.realm.grid);
        format!(
            "castle={}x{} realm={}x{} types={codes} symbols={}",
            castle.rows,
            castle.columns,
            realm.rows,
            realm.columns,
            symbols.join(",")
        )
    }
}

/// A static, since a constant would put a copy of both pages into the binary wherever it is used.
static INFO: Info = Info {
    name: "dragon_castle",
    title: "Dragon Castle",
    summary: "take tiles from a crumbling castle, turn groups of them into points and build shrines on them",
    rules_version: 1,
    layout_version: 1,
    min_players: 2,
    max_players: 4,
    default_players: 2,
    hidden_information: false,
    phases: state::PHASES,
    rules: include_str!("../../../../docs/rules/dragon_castle.md"),
    readme: include_str!("README.md"),
};

impl Rules for Game {
    type State = State;
    type Action = Action;
    type Outcome = Outcome;

    fn num_players(&self) -> usize {
        self.tables.players
    }

    fn num_actions(&self) -> usize {
        self.tables.ids.len() as usize
    }

    fn num_outcomes(&self) -> usize {
        self.tables.components.symbols.len() + 20
    }

    fn action_id(&self, action: Action) -> u32 {
        self.tables.ids.id(action)
    }

    fn action_from_id(&self, id: u32) -> Option<Action> {
        self.tables.ids.action(id)
    }

    fn outcome_id(&self, outcome: Outcome) -> u32 {
        self.tables.outcome_id(outcome)
    }

    fn outcome_from_id(&self, id: u32) -> Option<Outcome> {
        self.tables.outcome_from_id(id)
    }

    fn new_state(&self) -> State {
        self.tables.initial.clone()
    }

    fn turn(&self, state: &State) -> Turn {
        state.turn()
    }

    fn phase(&self, state: &State) -> &'static str {
        state.phase.name()
    }

    fn ply(&self, state: &State) -> u32 {
        state.ply
    }

    fn legal_actions(&self, state: &State, out: &mut Vec<Action>) {
        let mut choices = Choices::default();
        self.tables.choices(state, &mut choices);
        choices.list(out);
    }

    fn chance_outcomes(&self, state: &State, out: &mut Vec<(Outcome, u32)>) {
        self.tables.outcomes(state, out);
    }

    fn check_action(&self, state: &State, action: Action) -> Result<(), Refusal> {
        self.tables.check_action(state, action)
    }

    fn apply_action<E: EventSink>(&self, state: &mut State, action: Action, events: &mut E) {
        debug_assert!(self.check_action(state, action).is_ok(), "{} is not legal", self.format_action(action));
        self.tables.apply_action(state, action, events);
    }

    fn apply_outcome<E: EventSink>(&self, state: &mut State, outcome: Outcome, events: &mut E) {
        debug_assert!(self.check_outcome(state, outcome).is_ok(), "{} cannot be drawn", self.format_outcome(outcome));
        self.tables.apply_outcome(state, outcome, events);
    }

    fn sample_action(&self, state: &State, rng: &mut Rng, _scratch: &mut Vec<Action>) -> Action {
        let mut choices = Choices::default();
        self.tables.choices(state, &mut choices);
        choices.nth(rng.below(choices.len()))
    }

    fn sample_outcome(&self, state: &State, rng: &mut Rng, scratch: &mut Vec<(Outcome, u32)>) -> Outcome {
        self.tables.sample_outcome(state, rng, scratch)
    }

    fn scores(&self, state: &State) -> ByPlayer<i32> {
        self.tables.scores(state)
    }

    fn ranking(&self, state: &State) -> ByPlayer<u8> {
        self.tables.ranking(state)
    }

    fn score_sheet(&self, state: &State) -> Vec<ScoreLine> {
        self.tables.score_sheet(state)
    }
}

impl Setup for Game {
    const INFO: &'static Info = &INFO;

    fn option_schema() -> Vec<OptionSpec> {
        options::schema()
    }

    fn builtin_components() -> &'static [(&'static str, &'static str)] {
        components::BUILTIN
    }

    fn new(players: usize, options: &Options, components: Option<&ComponentSource>) -> Result<Self, SetupError> {
        let settings = options::read(players, options, components)?;
        Ok(Self { tables: Arc::new(Tables::new(players, settings)) })
    }

    fn options(&self) -> Options {
        self.tables.options.clone()
    }

    fn components(&self) -> Value {
        self.tables.components.header.clone()
    }

    fn action_layout(&self) -> String {
        self.tables.action_layout()
    }

    fn max_plies(&self) -> usize {
        self.tables.max_plies()
    }

    fn max_chance_nodes(&self) -> usize {
        usize::from(self.tables.components.tiles) + self.tables.spirits.drawn() + self.tables.dragons.drawn()
    }
}

impl Notation for Game {
    fn format_action(&self, action: Action) -> String {
        self.tables.format_action(action)
    }

    fn parse_action(&self, text: &str) -> Result<Action, ParseActionError> {
        self.tables.parse_action(text)
    }

    fn format_outcome(&self, outcome: Outcome) -> String {
        self.tables.format_outcome(outcome)
    }

    fn parse_outcome(&self, text: &str) -> Result<Outcome, ParseActionError> {
        self.tables.parse_outcome(text)
    }

    fn action_group(&self, action: Action) -> String {
        match action {
            Action::Spirit(card, _) => card.name().to_owned(),
            Action::Wild(square, _) | Action::Swap(square, _) => self.tables.realm_square(square),
            _ => self.format_action(action).split(' ').next().unwrap_or_default().to_owned(),
        }
    }

    fn is_square(&self, text: &str) -> bool {
        let name = normalize(text);
        [self.tables.castle, self.tables.realm.grid].iter().any(|grid| grid.parse(&name).is_some())
    }
}

impl Knowledge for Game {
    type Observation = Observation;

    fn observation(&self, state: &State, player: Player) -> Observation {
        Observation { player, state: state.clone() }
    }

    fn observer(&self, observation: &Observation) -> Player {
        observation.player
    }

    fn observed(&self, _before: &State, step: StepOf<Self>, _viewer: Player) -> Observed {
        Observed(match step {
            Step::Action(action) => u64::from(self.action_id(action)),
            Step::Outcome(outcome) => u64::from(self.tables.ids.len()) + u64::from(self.outcome_id(outcome)),
        })
    }

    fn format_observed(&self, observed: Observed) -> String {
        let actions = u64::from(self.tables.ids.len());
        let outcome = |id: u64| u32::try_from(id).ok().and_then(|id| self.outcome_from_id(id));
        match u32::try_from(observed.0).ok().and_then(|id| self.action_from_id(id)) {
            Some(action) => self.format_action(action),
            None => observed
                .0
                .checked_sub(actions)
                .and_then(outcome)
                .map_or_else(|| "nothing".to_owned(), |outcome| self.format_outcome(outcome)),
        }
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
        json::state_to_json(self, state)
    }

    fn state_from_json(&self, value: &Value) -> Result<State, StateError> {
        json::state_from_json(self, value)
    }

    fn observation_to_json(&self, observation: &Observation) -> Value {
        json::state_to_json(self, &observation.state)
    }

    fn observation_from_json(&self, value: &Value, player: Player) -> Result<Observation, StateError> {
        Ok(Observation { player, state: json::state_from_json(self, value)? })
    }

    fn state_from_position(&self, position: &Value) -> Result<State, StateError> {
        json::state_from_position(self, position)
    }
}

impl Features for Game {
    fn observation_layout(&self) -> &Layout {
        &self.tables.layout
    }

    fn encode(&self, observation: &Observation, out: &mut [f32]) {
        self.tables.encode(observation, out);
    }
}

impl Drawing for Game {
    fn draw(&self, observation: &Observation, request: &DrawRequest<'_, Action>, canvas: &mut Canvas) {
        self.tables.draw(observation, request, canvas);
    }

    fn palette(&self) -> &'static Palette {
        &view::PALETTE
    }

    fn draw_components(&self, canvas: &mut Canvas) {
        self.tables.draw_components(canvas);
    }

    /// A square alone means the verb of the phase with it; `swap` takes its squares in either order; a card is named without
    /// `spirit`; what pays for it without `tile`.
    fn interpret(&self, observation: &Observation, text: &str) -> Option<Action> {
        let normal = normalize(text);
        let words: Vec<&str> = normal.split(' ').take(6).collect();
        let phase_verb = match observation.state.phase {
            Phase::Turn => "take",
            Phase::Second => "pair",
            Phase::Place => "place",
            Phase::Consolidate => "consolidate",
            Phase::Build => "build",
            Phase::Beauty => "set",
            Phase::Change => "wild",
            Phase::Mirror => "swap",
            Phase::WindFlip => "flip",
            Phase::WindFrom => "from",
            Phase::WindTo => "to",
            Phase::StrengthLift => "lift",
            Phase::StrengthDrop => "drop",
            _ => "",
        };
        let read = |text: String| self.tables.parse_action(&text).ok();
        match *words.as_slice() {
            ["swap", x, y] => read(format!("swap {y} {x}")),
            ["spirit", name, "shrine"] | [name, "shrine"] => read(format!("spirit {name} shrine")),
            ["spirit", name, "tile", x] | ["spirit", name, x] | [name, "tile", x] => read(format!("spirit {name} tile {x}")),
            [x] => read(format!("{phase_verb} {x}")),
            [x, y] => read(format!("{phase_verb} {x} {y}"))
                .or_else(|| read(format!("{phase_verb} {y} {x}")))
                .or_else(|| read(format!("spirit {x} tile {y}"))),
            _ => None,
        }
    }
}

impl Judgement for Game {
    type Cache = ();

    fn judge_all(&self, state: &State, out: &mut ByPlayer<f64>) {
        out.clear();
        out.extend(Player::all(self.num_players()).map(|player| self.tables.evaluate(state, player)));
    }

    /// A turn has several decisions; with more seats than two a rollout must be long enough to see the others' turns.
    fn search_defaults(players: usize) -> &'static str {
        if players == 2 {
            "temperature=1,rollout=greedy,cutoff=8,scale=8"
        } else {
            "temperature=1,rollout=greedy,cutoff=12,scale=8"
        }
    }

    fn levels() -> [&'static str; 4] {
        ["flat:simulations=20", "greedy", "mcts:simulations=200", "mcts:simulations=2000"]
    }
}

impl Audit for Game {
    fn check_invariants(&self, state: &State) -> Result<(), String> {
        self.tables.check_invariants(state)
    }
}
