//! Tests that any game must pass, and a toy game to test the core with. Only with the feature `testing`.
//!
//! [`check_game`] plays whole games and examines what the contract promises at their nodes; [`hostile::check_entrances`] throws
//! damaged text, ids, JSON and TOML at everything that reads. Both tell what broke, and end with the command that shows it again.
//!
//! ```
//! # #[cfg(feature = "testing")] {
//! use std::sync::Arc;
//!
//! use forbidden_games_core::testing::pebbles::pebbles;
//! use forbidden_games_core::testing::{Settings, check_game};
//!
//! let report = check_game(&Arc::new(pebbles(2)), 0..3, &Settings::default())?;
//! assert_eq!(report.games, 3);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod check;
#[cfg(test)]
mod faulty;
pub mod hostile;
mod identity;
mod knowledge;
pub mod mutants;
mod node;
pub mod pebbles;
pub mod playthroughs;
mod provided;
mod records;
mod rerun;
#[cfg(test)]
mod tests;

use std::any::Any;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use serde_json::Value;

use crate::contract::{Game, Step, StepOf};
use crate::interrupt::{Interrupt, Interrupted};
use crate::match_play::Match;
use crate::player::{Player, Turn};
use crate::rng::Rng;
use crate::start::Start;
use crate::testing::check::{Check, ensure};
use crate::testing::rerun::Only;

/// Who plays the games that are examined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// Uniformly random actions.
    #[default]
    Random,
    /// The action whose successor [`crate::contract::Judgement::evaluate`] likes best, now and then a random one.
    Greedy,
    /// Among some random actions the one that leads to the phase seen least in this game.
    RarePhase,
}

/// How thoroughly to look.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Every so many nodes one is examined in full, which depends on the seed; the others only get what is cheap. At least 1.
    pub stride: u32,
    /// Worlds sampled for each seat at an examined node.
    pub worlds: u32,
    /// Prefixes of the record of each game that are loaded (spread evenly), and lines that are damaged.
    pub prefixes: usize,
    /// Who plays.
    pub policy: Policy,
}

impl Default for Settings {
    fn default() -> Self {
        Self { stride: 5, worlds: 3, prefixes: 8, policy: Policy::Random }
    }
}

impl Settings {
    /// Every node in full.
    #[must_use]
    pub fn thorough() -> Self {
        Self { stride: 1, worlds: 4, prefixes: usize::MAX, policy: Policy::Random }
    }

    /// The same with another policy.
    #[must_use]
    pub fn with_policy(self, policy: Policy) -> Self {
        Self { policy, ..self }
    }
}

/// What was examined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Games played to the end.
    pub games: u64,
    /// Nodes visited.
    pub nodes: u64,
    /// Nodes examined in full.
    pub examined: u64,
    /// Most decisions in a game.
    pub longest_plies: u64,
    /// Most chance nodes in a game.
    pub longest_chance: u64,
    /// How often each phase occurred.
    pub phases: BTreeMap<&'static str, u64>,
    /// How often each rule refused an action that was not listed.
    pub refusals: BTreeMap<&'static str, u64>,
}

impl Report {
    /// Adds what another run saw.
    pub fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.nodes += other.nodes;
        self.examined += other.examined;
        self.longest_plies = self.longest_plies.max(other.longest_plies);
        self.longest_chance = self.longest_chance.max(other.longest_chance);
        other.phases.iter().for_each(|(phase, count)| *self.phases.entry(phase).or_default() += count);
        other.refusals.iter().for_each(|(rule, count)| *self.refusals.entry(rule).or_default() += count);
    }
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |map: &BTreeMap<&str, u64>| map.iter().map(|(word, n)| format!("{word} {n}")).collect::<Vec<_>>().join(", ");
        write!(
            formatter,
            "{} games, {} nodes ({} examined in full), at most {} plies and {} draws; phases: {}; refusals: {}",
            self.games,
            self.nodes,
            self.examined,
            self.longest_plies,
            self.longest_chance,
            list(&self.phases),
            list(&self.refusals)
        )
    }
}

/// A broken promise, with what is needed to see it again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{game}{}{}: {message}\nrun it again: {rerun}", self.seed.map_or(String::new(), |seed| format!(", seed {seed}")),
    self.step.map_or(String::new(), |step| format!(", step {step}")))]
#[non_exhaustive]
pub struct Failure {
    /// Game, players, options and components, shortened.
    pub game: String,
    /// The seed of the match.
    pub seed: Option<u64>,
    /// Steps (draws included) before the node.
    pub step: Option<usize>,
    /// What broke.
    pub message: String,
    /// The command that shows it again.
    pub rerun: String,
}

/// Name, players and options, for messages.
#[must_use]
pub fn describe<G: Game>(game: &G) -> String {
    let components = crate::data::display(&game.components());
    format!("{} for {} with {} of {components}", G::INFO.name, game.num_players(), Value::Object(game.options()))
}

/// A random step from a node: a draw, or any legal action; `None` once the game is over.
pub fn random_step<G: Game>(game: &G, state: &G::State, rng: &mut Rng) -> Option<StepOf<G>> {
    match game.turn(state) {
        Turn::Over => None,
        Turn::Chance => Some(Step::Outcome(game.sample_outcome(state, rng, &mut Vec::new()))),
        Turn::Player(_) => Some(Step::Action(game.sample_action(state, rng, &mut Vec::new()))),
    }
}

/// Plays one game for every seed and checks what the contract promises: lists and ids, notation, refusals that change nothing,
/// copies, JSON and equality, what a seat knows, sampled worlds, events, encodings, drawings, results, lengths, records, undo.
///
/// The environment variable `FORBIDDEN_GAMES_SEED` replaces the seeds, `FORBIDDEN_GAMES_STEP` leaves one step of that game to be
/// examined; the failure's [`Failure::rerun`] sets both.
///
/// # Errors
/// The first promise broken.
///
/// # Panics
/// If one of the variables is set and cannot be read.
pub fn check_game<G: Game>(game: &Arc<G>, seeds: impl IntoIterator<Item = u64>, settings: &Settings) -> Result<Report, Failure> {
    let only = Only::from_environment();
    let seeds: Vec<u64> = only.seeds.unwrap_or_else(|| seeds.into_iter().collect());
    let interrupt = Interrupt::new();
    let run = |seeds: &[u64], step| check_seeds(game, seeds.iter().copied(), step, settings, &interrupt);
    run(&seeds, only.step).map_err(|failure| {
        let Some(seed) = failure.seed else { return Failure { rerun: rerun::command(&[], None), ..failure } };
        // The fewest of what was run that show the same: what is compared with earlier nodes or games needs those.
        let is_same = |seeds: &[u64], step| run(seeds, step).is_err_and(|again| again.message == failure.message);
        let until = seeds.iter().position(|&other| other == seed).map_or(seeds.len(), |place| place + 1);
        let rerun = if failure.step.is_some() && is_same(&[seed], failure.step) {
            rerun::command(&[seed], failure.step)
        } else if is_same(&[seed], None) {
            rerun::command(&[seed], None)
        } else {
            rerun::command(&seeds[..until], None)
        };
        Failure { rerun, ..failure }
    })
}

/// As [`check_game`] without the environment, until `interrupt` is set. The command of a failure is one for Python.
///
/// # Errors
/// As [`check_game`]; if it is interrupted, that.
pub fn check_game_until<G: Game>(
    game: &Arc<G>,
    seeds: impl IntoIterator<Item = u64>,
    settings: &Settings,
    interrupt: &Interrupt,
) -> Result<Report, Failure> {
    check_seeds(game, seeds, None, settings, interrupt).map_err(|failure| {
        let seed = failure.seed.map_or_else(String::new, |seed| seed.to_string());
        Failure { rerun: format!("fg.testing.check_game(game, seeds=[{seed}])"), ..failure }
    })
}

/// One game for every seed, of which `step` alone is examined if it is given.
fn check_seeds<G: Game>(
    game: &Arc<G>,
    seeds: impl IntoIterator<Item = u64>,
    step: Option<usize>,
    settings: &Settings,
    interrupt: &Interrupt,
) -> Result<Report, Failure> {
    let fail = |seed, step, message| Failure { game: describe(&**game), seed, step, message, rerun: String::new() };
    identity::check(&**game).map_err(|message| fail(None, None, message))?;
    let mut examiner = Examiner {
        game,
        settings,
        interrupt,
        report: Report::default(),
        drawings: HashMap::new(),
        seen: Vec::new(),
        mutants: 0,
        cache: G::Cache::default(),
    };
    for seed in seeds {
        let mut played = Match::unresolved(Arc::clone(game), Start::Ordinary, seed)
            .map_err(|error| fail(Some(seed), None, error.to_string()))?;
        let checked = catch_unwind(AssertUnwindSafe(|| examiner.play(&mut played, seed, step)));
        let checked = checked.unwrap_or_else(|panic| Err(format!("a panic: {}", panic_text(&*panic))));
        checked.map_err(|message| fail(Some(seed), Some(played.history().len()), message))?;
        if step.is_none() {
            records::check(&played, settings.prefixes, interrupt).map_err(|message| fail(Some(seed), None, message))?;
            examiner.report.games += 1;
        }
    }
    Ok(examiner.report)
}

/// What a panic said.
fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("without a text")
}

/// What is kept from node to node and game to game.
pub(crate) struct Examiner<'a, G: Game> {
    pub(crate) game: &'a Arc<G>,
    pub(crate) settings: &'a Settings,
    pub(crate) interrupt: &'a Interrupt,
    pub(crate) report: Report,
    /// By seat and drawing, the observation drawn (as hashes): no two observations may share a drawing.
    pub(crate) drawings: HashMap<(u8, u64), u64>,
    /// Some states seen with the hash of their JSON, to compare equality with.
    pub(crate) seen: Vec<(G::State, u64)>,
    /// Replaces entries of `seen` in turn.
    pub(crate) mutants: usize,
    /// Of [`crate::contract::Judgement::look`], kept from node to node and game to game.
    pub(crate) cache: G::Cache,
}

impl<G: Game> Examiner<'_, G> {
    /// Plays and examines a game to its end; with `only`, examines the node behind so many steps and ends there.
    fn play(&mut self, played: &mut Match<G>, seed: u64, only: Option<usize>) -> Check {
        let game = Arc::clone(self.game);
        let mut phases = BTreeMap::new();
        loop {
            ensure!(!self.interrupt.is_set(), "{Interrupted}");
            let turn = played.turn();
            let nodes = played.history().len();
            if only.is_none_or(|step| step == nodes) {
                self.check_place(played, seed, only.is_some())?;
            }
            *phases.entry(game.phase(played.state())).or_default() += 1;
            let step = match turn {
                Turn::Over => return Ok(()),
                Turn::Chance => {
                    let mut luck = Rng::stream(seed, "chance", played.chance_nodes());
                    Step::Outcome(game.sample_outcome(played.state(), &mut luck, &mut Vec::new()))
                }
                Turn::Player(player) => {
                    // A generator of its own, so that the same game is played however much is examined.
                    let mut rng = Rng::stream(seed, "conformance play", nodes as u64);
                    Step::Action(self.choose(played.state(), player, &phases, &mut rng))
                }
            };
            played.play_step(step).map_err(|error| format!("a listed step is refused: {error}"))?;
            if only == Some(nodes) {
                return Ok(());
            }
        }
    }

    /// What is due at the node where a game stands; all of it, if `in_full`.
    fn check_place(&mut self, played: &Match<G>, seed: u64, in_full: bool) -> Check {
        let game = Arc::clone(self.game);
        let (turn, nodes) = (played.turn(), played.history().len() as u64);
        let mut rng = Rng::stream(seed, "conformance", nodes);
        self.report.nodes += 1;
        *self.report.phases.entry(game.phase(played.state())).or_default() += 1;
        let decisions = nodes - played.chance_nodes();
        ensure!(u64::from(played.ply()) == decisions, "ply {} after {decisions} decisions", played.ply());
        ensure!(decisions <= game.max_plies() as u64, "more decisions than max_plies, {}", game.max_plies());
        let draws = played.chance_nodes();
        ensure!(draws <= game.max_chance_nodes() as u64, "more draws than max_chance_nodes, {}", game.max_chance_nodes());
        self.check_node(played.state(), &mut rng)?;
        let is_due = (seed + nodes).is_multiple_of(u64::from(self.settings.stride.max(1)));
        // Among nodes in turn ends would hardly ever be due.
        if in_full || is_due || (turn == Turn::Over && seed.is_multiple_of(4)) {
            self.report.examined += 1;
            self.examine(played.state(), &mut rng)?;
        } else if turn == Turn::Over {
            self.check_results(played.state())?;
        }
        if turn == Turn::Over {
            self.report.longest_plies = self.report.longest_plies.max(decisions);
            self.report.longest_chance = self.report.longest_chance.max(draws);
        }
        Ok(())
    }

    fn choose(&self, state: &G::State, player: Player, phases: &BTreeMap<&str, u64>, rng: &mut Rng) -> G::Action {
        const CANDIDATES: usize = 48;
        let mut legal = Vec::new();
        self.game.legal_actions(state, &mut legal);
        let random = legal[rng.below(legal.len() as u32) as usize];
        let child = |action| {
            let mut child = state.clone();
            self.game.apply(&mut child, Step::Action(action));
            child
        };
        match self.settings.policy {
            Policy::Random => random,
            Policy::Greedy if rng.below(8) == 0 => random,
            Policy::Greedy => {
                rng.shuffle(&mut legal);
                let value = |action: &G::Action| self.game.evaluate(&child(*action), player);
                let candidates = legal.iter().take(CANDIDATES);
                candidates.max_by(|a, b| value(a).total_cmp(&value(b))).copied().unwrap_or(random)
            }
            Policy::RarePhase => {
                rng.shuffle(&mut legal);
                let seen = |action: &G::Action| {
                    let phase = self.game.phase(&child(*action));
                    phases.get(phase).copied().unwrap_or(0)
                };
                legal.iter().take(CANDIDATES).min_by_key(|action| seen(action)).copied().unwrap_or(random)
            }
        }
    }
}

/// A hash of text, for comparing without keeping it.
pub(crate) fn text_hash(text: &str) -> u64 {
    crate::rng::portable_hash(text.as_bytes())
}
