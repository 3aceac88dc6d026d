//! Budgets, threads and rounds: what turns simulations into a search.

use std::sync::OnceLock;
use std::time::Instant;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::contract::{Game, Observed};
use crate::information::InformationState;
use crate::interrupt::Interrupt;
use crate::player::Player;
use crate::rng::Rng;
use crate::search::SearchError;
use crate::search::evaluator::{Batch, Evaluator};
use crate::search::report::{ActionReport, Report};
use crate::search::settings::Settings;
use crate::search::simulate::{Grower, Leaf, Plan, View};
use crate::search::spec::AgentKind;
use crate::search::tree::{Edge, NONE, Tree};

/// Least memory of a tree; a smaller limit means fewer trees.
const LEAST_MEMORY: u64 = 256 << 10;
/// Most numbers handed to an evaluator at once: 64 MiB of observations.
const BATCH_NUMBERS: usize = 16 << 20;
/// Part of the simulations that a forced action gets, one in so many.
const FORCED: u64 = 20;
/// Longest line reported.
const LONGEST_LINE: usize = 40;

/// One search under way.
pub(crate) struct Root<'a, G: Game> {
    plan: Plan<'a, G>,
    info: &'a InformationState<G>,
    agent: &'a str,
    growers: Vec<Limited<G>>,
    is_cut: bool,
    start: Instant,
}

/// A tree and how many simulations it may still make.
struct Limited<G: Game> {
    grower: Grower<G>,
    /// The first tree of a search makes a simulation however little time there is.
    is_first: bool,
    left: u64,
    /// Simulations made in this search (a tree that was kept has earlier ones too).
    made: u64,
}

impl<'a, G: Game> Root<'a, G> {
    /// Prepares a search; `kept` is the tree of the seat's last decision, if it is to be used.
    #[expect(clippy::too_many_arguments, reason = "called in one place")]
    pub(crate) fn new(
        agent: &'a str,
        settings: &'a Settings,
        info: &'a InformationState<G>,
        seed: u64,
        evaluated: bool,
        kept: Vec<Tree>,
        deadline: Option<Instant>,
        interrupt: &'a Interrupt,
    ) -> Self {
        let start = Instant::now();
        let game = &*info.game;
        let player = info.player();
        let is_hidden = G::INFO.hidden_information;
        let has_worlds = settings.kind == AgentKind::Mcts;
        let views = if settings.many_observers {
            Player::all(game.num_players()).map(View::Seat).collect()
        } else if has_worlds && (is_hidden || !settings.reuse) {
            vec![View::Everything]
        } else {
            vec![View::Seat(player)]
        };
        let worlds = if has_worlds && is_hidden { settings.worlds as u64 } else { 1 };
        let trees = settings.trees as u64;
        // With nothing to choose a rough value is enough.
        let is_forced = info.legal_actions.len() == 1 && !evaluated;
        let simulations = match settings.simulations {
            given if !is_forced => given,
            given => Some((given.unwrap_or(1000) / FORCED).max(1)),
        };
        let wanted = simulations.map_or(trees * worlds, |simulations| simulations.min(trees * worlds));
        let count = wanted.min((settings.memory / LEAST_MEMORY).max(1)).max(1);
        let mut kept = kept.into_iter();
        let growers = (0..count)
            .map(|number| {
                let world = has_worlds.then(|| info.sample_world(&mut Rng::stream(seed, "world", number % worlds)));
                let tree = kept.next().unwrap_or_else(|| Tree::new(views.len(), settings.memory / count));
                let left = simulations.map_or(u64::MAX, |all| all / count + u64::from(number < all % count));
                Limited { grower: Grower::new(tree, world, seed, number), is_first: number == 0, left, made: 0 }
            })
            .collect();
        Self {
            plan: Plan {
                game,
                settings,
                observation: &info.observation,
                player,
                first_actions: &info.legal_actions,
                first_priors: OnceLock::new(),
                views,
                evaluated,
                deadline,
                interrupt,
            },
            info,
            agent,
            growers,
            is_cut: count < wanted,
            start,
        }
    }

    /// The report, and the trees for a later search.
    pub(crate) fn finish(self) -> (Report, Vec<Tree>) {
        let game = self.plan.game;
        let player = self.plan.player;
        let observer = if self.plan.settings.many_observers { player.index() } else { 0 };
        let mut actions: Vec<ActionReport> = self
            .info
            .legal_actions
            .iter()
            .map(|&action| ActionReport { id: game.action_id(action), visits: 0, value: 0.0, prior: 0.0 })
            .collect();
        let mut values = [0.0; crate::player::MAX_PLAYERS];
        let mut all = 0;
        for Limited { grower, .. } in &self.growers {
            let tree = &grower.tree;
            let root = tree.node(tree.roots[observer]);
            for edge in &root.edges {
                if let Ok(place) = actions.binary_search_by_key(&edge.id, |action| action.id) {
                    actions[place].visits += u64::from(root.tries(edge).visits);
                    actions[place].value += root.tries(edge).value;
                    actions[place].prior += f64::from(edge.prior);
                }
            }
            all += tree.simulations;
            for (sum, value) in values.iter_mut().zip(tree.values) {
                *sum += value;
            }
        }
        let priors: f64 = actions.iter().map(|action| action.prior).sum();
        let count = actions.len() as f64;
        for action in &mut actions {
            action.value = if action.visits == 0 { 0.0 } else { action.value / action.visits as f64 };
            action.prior = if priors > 0.0 { action.prior / priors } else { 1.0 / count };
        }
        // Flat: every action has been tried equally often, so the value decides.
        let by_value = self.plan.settings.kind == AgentKind::Flat;
        let best = actions
            .iter()
            .filter(|action| !by_value || action.visits > 0)
            .reduce(|best, action| {
                let key = |action: &ActionReport| if by_value { (0, action.value) } else { (action.visits, action.value) };
                if key(action) > key(best) { action } else { best }
            })
            .map_or(actions[0].id, |action| action.id);
        let report = Report {
            agent: self.agent.to_owned(),
            player,
            action: best,
            values: values[..game.num_players()].iter().map(|sum| sum / all.max(1) as f64).collect(),
            principal_variation: self.line(best, observer),
            simulations: self.growers.iter().map(|limited| limited.made).sum(),
            nodes: self.growers.iter().map(|limited| limited.grower.tree.len() as u64).sum(),
            depth: self.growers.iter().map(|limited| limited.grower.tree.depth).max().unwrap_or(0),
            memory: self.growers.iter().map(|limited| limited.grower.tree.memory()).sum(),
            truncated: self.is_cut || self.growers.iter().any(|limited| limited.grower.tree.truncated),
            elapsed: self.start.elapsed(),
            actions,
        };
        (report, self.growers.into_iter().map(|limited| limited.grower.tree).collect())
    }

    /// The most visited line behind the chosen action, in the tree that tried the action most.
    fn line(&self, action: u32, observer: usize) -> Vec<String> {
        let game = self.plan.game;
        let own = |edge: u32| game.action_from_id(edge).map(|action| game.format_action(action));
        let mut line: Vec<String> = own(action).into_iter().collect();
        let first = |tree: &Tree| {
            let root = tree.node(tree.roots[observer]);
            let edge = root.edges.iter().find(|edge| edge.id == action);
            edge.map_or((0, NONE), |edge| (root.tries(edge).visits, root.tries(edge).child))
        };
        let trees = || self.growers.iter().map(|limited| &limited.grower.tree);
        let most = trees().map(|tree| first(tree).0).max().unwrap_or(0);
        let Some(tree) = trees().find(|tree| first(tree).0 == most) else { return line };
        let mut node = first(tree).1;
        while node != NONE && line.len() < LONGEST_LINE {
            let place = tree.node(node);
            let visits = |edge: &Edge| place.tries(edge).visits;
            let mut edges = place.edges.iter().filter(|edge| visits(edge) > 0);
            let Some(first) = edges.next() else { break };
            let best = edges.fold(first, |best, edge| if visits(edge) > visits(best) { edge } else { best });
            let mover = tree.mover(node);
            let view = self.plan.views[observer];
            if mover == Some(self.plan.player.0) || (view == View::Everything && mover.is_some()) {
                line.extend(own(best.id));
            } else if view == View::Everything {
                line.extend(game.outcome_from_id(best.id).map(|outcome| game.format_outcome(outcome)));
            } else if best.key != Observed::NOTHING.0 {
                line.push(game.format_observed(Observed(best.key)));
            }
            node = place.tries(best).child;
        }
        line
    }
}

/// Runs all searches to the end of their budgets.
pub(crate) fn run<G: Game>(
    roots: &mut [Root<'_, G>],
    settings: &Settings,
    evaluator: Option<&mut dyn Evaluator>,
    interrupt: &Interrupt,
) -> Result<(), SearchError> {
    let mut trees: Vec<Work<'_, '_, G>> = Vec::new();
    for Root { plan, growers, .. } in roots {
        let plan = &*plan;
        trees.extend(growers.iter_mut().map(|limited| Work { plan, limited }));
    }
    // A pool that cannot be made is no reason to fail: one thread gives the same report.
    let pool = (settings.threads > 1).then(|| ThreadPoolBuilder::new().num_threads(settings.threads).build().ok()).flatten();
    match evaluator {
        Some(evaluator) => run_evaluated(&mut trees, settings, evaluator, pool.as_ref(), interrupt)?,
        None => match &pool {
            Some(pool) => pool.install(|| run_rollouts(&mut trees, settings, true)),
            None => run_rollouts(&mut trees, settings, false),
        },
    }
    if interrupt.is_set() { Err(SearchError::Interrupted) } else { Ok(()) }
}

/// A tree on the bench.
struct Work<'w, 'a, G: Game> {
    plan: &'w Plan<'a, G>,
    limited: &'w mut Limited<G>,
}

impl<G: Game> Work<'_, '_, G> {
    fn is_done(&self) -> bool {
        self.limited.left == 0 || self.plan.interrupt.is_set() || (!self.must_begin() && self.plan.is_late())
    }

    fn must_begin(&self) -> bool {
        self.limited.is_first && self.limited.made == 0
    }

    fn select(&mut self, settings: &Settings) {
        let count = self.limited.left.min(settings.leaf_batch as u64) as usize;
        self.limited.grower.select(self.plan, count);
    }

    fn back_up(&mut self) {
        let made = self.limited.grower.back_up();
        self.limited.made += made;
        self.limited.left -= made;
    }

    /// Selects, plays on and backs up.
    fn round(&mut self, settings: &Settings, is_parallel: bool) {
        self.select(settings);
        let must_begin = self.must_begin();
        let grower = &mut self.limited.grower;
        let leaves = &mut grower.leaves[..grower.round];
        let play_on = |(place, leaf): (usize, &mut Leaf<G>)| {
            if (must_begin && place == 0) || !self.plan.is_late() {
                Grower::play_on(leaf, self.plan);
            }
        };
        if is_parallel && leaves.len() > 1 {
            leaves.par_iter_mut().enumerate().for_each(play_on);
        } else {
            leaves.iter_mut().enumerate().for_each(play_on);
        }
        self.back_up();
    }
}

/// Trees do not depend on each other; with a time limit they take turns, a batch of leaves each.
fn run_rollouts<G: Game>(trees: &mut [Work<'_, '_, G>], settings: &Settings, is_parallel: bool) {
    let is_timed = settings.time.is_some();
    let grow = |work: &mut Work<'_, '_, G>| {
        while !work.is_done() {
            work.round(settings, is_parallel);
            if is_timed {
                break;
            }
        }
    };
    loop {
        if is_parallel {
            trees.par_iter_mut().for_each(grow);
        } else {
            trees.iter_mut().for_each(grow);
        }
        if trees.iter().all(Work::is_done) {
            return;
        }
    }
}

/// Rounds over all trees of all searches: select everywhere, judge all leaves together, back up.
fn run_evaluated<G: Game>(
    trees: &mut [Work<'_, '_, G>],
    settings: &Settings,
    evaluator: &mut dyn Evaluator,
    pool: Option<&ThreadPool>,
    interrupt: &Interrupt,
) -> Result<(), SearchError> {
    let Some(first) = trees.first() else { return Ok(()) };
    let game = first.plan.game;
    let mut batch = Batch {
        observation_size: game.observation_layout().size(),
        num_actions: game.num_actions(),
        num_players: game.num_players(),
        ..Batch::default()
    };
    let most = (BATCH_NUMBERS / (batch.observation_size + batch.num_actions).max(1)).max(1);
    while !trees.iter().all(Work::is_done) {
        on_each(pool, trees, |work| {
            if !work.is_done() {
                work.select(settings)
            }
        });
        let waiting: Vec<(usize, usize)> = trees
            .iter()
            .enumerate()
            .flat_map(|(tree, work)| {
                let grower = &work.limited.grower;
                (0..grower.round).filter(|&place| grower.waits(place)).map(move |place| (tree, place))
            })
            .collect();
        for part in waiting.chunks(most) {
            if interrupt.is_set() {
                return Err(SearchError::Interrupted);
            }
            batch.resize(part.len());
            fill(&mut batch, trees, part, pool);
            let answer = evaluator.evaluate(&mut batch).map_err(SearchError::Evaluator)?;
            answer.check_sizes(&batch)?;
            for (row, &(tree, place)) in part.iter().enumerate() {
                let (priors, values) = answer.row(row, batch.num_actions, batch.num_players)?;
                let Work { plan, limited } = &mut trees[tree];
                limited.grower.settle(plan, place, values, |id| priors[id as usize]);
            }
        }
        on_each(pool, trees, Work::back_up);
    }
    Ok(())
}

fn on_each<T: Send>(pool: Option<&ThreadPool>, items: &mut [T], work: impl Fn(&mut T) + Sync + Send) {
    match pool {
        Some(pool) if items.len() > 1 => pool.install(|| items.par_iter_mut().for_each(work)),
        _ => items.iter_mut().for_each(work),
    }
}

/// Writes the leaves of `part` into the batch.
fn fill<G: Game>(batch: &mut Batch, trees: &[Work<'_, '_, G>], part: &[(usize, usize)], pool: Option<&ThreadPool>) {
    struct Row<'r, G: Game> {
        plan: &'r Plan<'r, G>,
        leaf: &'r Leaf<G>,
        observation: &'r mut [f32],
        mask: &'r mut [bool],
        player: &'r mut u8,
    }
    let observations = batch.observations.chunks_mut(batch.observation_size.max(1));
    let masks = batch.masks.chunks_mut(batch.num_actions.max(1));
    let mut rows: Vec<Row<'_, G>> = Vec::with_capacity(part.len());
    for (((&(tree, place), observation), mask), player) in part.iter().zip(observations).zip(masks).zip(&mut batch.players) {
        rows.push(Row { plan: trees[tree].plan, leaf: &trees[tree].limited.grower.leaves[place], observation, mask, player });
    }
    on_each(pool, &mut rows, |row| {
        row.observation.fill(0.0);
        row.mask.fill(false);
        let Some(mover) = row.leaf.mover else { return };
        let game = row.plan.game;
        game.encode(&game.observation(&row.leaf.state, mover), row.observation);
        for &id in &row.leaf.ids {
            row.mask[id as usize] = true;
        }
        *row.player = mover.0;
    });
}
