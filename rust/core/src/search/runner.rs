//! Runs the simulations of searches within their budgets, on threads, in batches of leaves.

use std::sync::OnceLock;
use std::time::Instant;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::contract::{Game, Observed};
use crate::information::InformationState;
use crate::interrupt::Interrupt;
use crate::rng::Rng;
use crate::search::error::SearchError;
use crate::search::evaluator::{Batch, Evaluator};
use crate::search::judge::Judge;
use crate::search::kind::AgentKind;
use crate::search::plan::{EdgeKey, Plan};
use crate::search::report::{ActionReport, Report};
use crate::search::settings::Settings;
use crate::search::simulate::{Leaf, TreeSearch};
use crate::search::tree::{Edge, NONE, ROOT, Tree};

/// The smallest memory of a tree. A smaller limit means fewer trees.
const MIN_TREE_MEMORY: u64 = 256 << 10;
/// The largest number of floats in a batch for an evaluator: 64 MiB.
const MAX_BATCH_NUMBERS: usize = 16 << 20;
/// A forced action gets the simulations divided by this number.
const FORCED_DIVISOR: u64 = 20;
/// The largest number of steps of a principal variation.
const MAX_LINE: usize = 40;

/// One running search.
pub(crate) struct Search<'a, G: Game> {
    plan: Plan<'a, G>,
    info: &'a InformationState<G>,
    agent: &'a str,
    trees: Vec<BudgetedTree<G>>,
    /// Whether the memory limit allows fewer trees than wanted.
    has_fewer_trees: bool,
    start: Instant,
}

/// A tree search and its budget of simulations.
struct BudgetedTree<G: Game> {
    search: TreeSearch<G>,
    /// The first tree of a search runs at least one simulation, however little time there is.
    is_first: bool,
    left: u64,
    /// Simulations of this search. A kept tree has earlier ones too.
    done: u64,
}

impl<'a, G: Game> Search<'a, G> {
    /// Prepares a search. `kept` holds the trees of the seat's last decision that are reused.
    #[expect(clippy::too_many_arguments, reason = "called in one place")]
    pub(crate) fn new(
        agent: &'a str,
        settings: &'a Settings,
        judge: &'a dyn Judge<G>,
        info: &'a InformationState<G>,
        seed: u64,
        has_evaluator: bool,
        kept: Vec<Tree>,
        deadline: Option<Instant>,
        interrupt: &'a Interrupt,
    ) -> Self {
        let start = Instant::now();
        let game = &*info.game;
        let player = info.player();
        let is_hidden = G::INFO.hidden_information;
        let has_worlds = settings.kind == AgentKind::Mcts;
        let edge_key = if has_worlds && (is_hidden || !settings.reuse) { EdgeKey::Step } else { EdgeKey::Observed(player) };
        let worlds = if has_worlds && is_hidden { settings.worlds as u64 } else { 1 };
        let num_trees = settings.trees as u64;
        // For a forced action a rough value is enough.
        let is_forced = info.legal_actions.len() == 1 && !has_evaluator;
        let simulations = match settings.simulations {
            given if !is_forced => given,
            given => Some((given.unwrap_or(1000) / FORCED_DIVISOR).max(1)),
        };
        let wanted = simulations.map_or(num_trees * worlds, |simulations| simulations.min(num_trees * worlds));
        let count = wanted.min((settings.memory / MIN_TREE_MEMORY).max(1)).max(1);
        let mut kept = kept.into_iter();
        let trees = (0..count)
            .map(|number| {
                let world = has_worlds.then(|| info.sample_world(&mut Rng::stream(seed, "world", number % worlds)));
                let tree = kept.next().unwrap_or_else(|| Tree::new(settings.memory / count));
                let left = simulations.map_or(u64::MAX, |all| all / count + u64::from(number < all % count));
                BudgetedTree { search: TreeSearch::new(tree, world, seed, number), is_first: number == 0, left, done: 0 }
            })
            .collect();
        Self {
            plan: Plan {
                game,
                judge,
                settings,
                observation: &info.observation,
                player,
                root_actions: &info.legal_actions,
                root_priors: OnceLock::new(),
                edge_key,
                has_evaluator,
                deadline,
                interrupt,
            },
            info,
            agent,
            trees,
            has_fewer_trees: count < wanted,
            start,
        }
    }

    /// The report, and the trees for a later search.
    pub(crate) fn into_report(self) -> (Report, Vec<Tree>) {
        let game = self.plan.game;
        let player = self.plan.player;
        let mut actions: Vec<ActionReport> = self
            .info
            .legal_actions
            .iter()
            .map(|&action| ActionReport { id: game.action_id(action), visits: 0, value: 0.0, prior: 0.0 })
            .collect();
        let mut values = [0.0; crate::player::MAX_PLAYERS];
        let mut all = 0;
        for tree in self.all_trees() {
            let root = tree.node(ROOT);
            for edge in &root.edges {
                if let Ok(position) = actions.binary_search_by_key(&edge.id, |action| action.id) {
                    actions[position].visits += u64::from(root.stats(edge).visits);
                    actions[position].value += root.stats(edge).value;
                    actions[position].prior += f64::from(edge.prior);
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
        // With `flat` all actions have equally many visits, so the value decides.
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
            principal_variation: self.principal_variation(best),
            simulations: self.trees.iter().map(|tree| tree.done).sum(),
            nodes: self.all_trees().map(|tree| tree.len() as u64).sum(),
            depth: self.all_trees().map(|tree| tree.depth).max().unwrap_or(0),
            memory: self.all_trees().map(Tree::memory).sum(),
            truncated: self.has_fewer_trees || self.all_trees().any(|tree| tree.truncated),
            elapsed: self.start.elapsed(),
            actions,
        };
        (report, self.trees.into_iter().map(|tree| tree.search.tree).collect())
    }

    fn all_trees(&self) -> impl Iterator<Item = &Tree> {
        self.trees.iter().map(|tree| &tree.search.tree)
    }

    /// The most visited line that begins with `action`, in the tree where `action` has the most visits.
    fn principal_variation(&self, action: u32) -> Vec<String> {
        let game = self.plan.game;
        let own = |edge: u32| game.action_from_id(edge).map(|action| game.format_action(action));
        let mut line: Vec<String> = own(action).into_iter().collect();
        let first = |tree: &Tree| {
            let root = tree.node(ROOT);
            let edge = root.edges.iter().find(|edge| edge.id == action);
            edge.map_or((0, NONE), |edge| (root.stats(edge).visits, root.stats(edge).child))
        };
        let most = self.all_trees().map(|tree| first(tree).0).max().unwrap_or(0);
        let Some(tree) = self.all_trees().find(|tree| first(tree).0 == most) else { return line };
        let mut position = first(tree).1;
        while position != NONE && line.len() < MAX_LINE {
            let node = tree.node(position);
            let visits = |edge: &Edge| node.stats(edge).visits;
            let mut edges = node.edges.iter().filter(|edge| visits(edge) > 0);
            let Some(first) = edges.next() else { break };
            let best = edges.fold(first, |best, edge| if visits(edge) > visits(best) { edge } else { best });
            let mover = tree.mover(position);
            let is_complete = self.plan.edge_key == EdgeKey::Step;
            if mover == Some(self.plan.player.0) || (is_complete && mover.is_some()) {
                line.extend(own(best.id));
            } else if is_complete {
                line.extend(game.outcome_from_id(best.id).map(|outcome| game.format_outcome(outcome)));
            } else if best.key != Observed::NOTHING.0 {
                line.push(game.format_observed(Observed(best.key)));
            }
            position = node.stats(best).child;
        }
        line
    }
}

/// Runs all searches until their budgets are spent.
pub(crate) fn run<G: Game>(
    searches: &mut [Search<'_, G>],
    settings: &Settings,
    evaluator: Option<&mut dyn Evaluator>,
    interrupt: &Interrupt,
) -> Result<(), SearchError> {
    let mut jobs: Vec<Job<'_, '_, G>> = Vec::new();
    for Search { plan, trees, .. } in searches {
        let plan = &*plan;
        jobs.extend(trees.iter_mut().map(|tree| Job { plan, tree }));
    }
    // If no pool can be made, one thread gives the same report.
    let pool = (settings.threads > 1).then(|| ThreadPoolBuilder::new().num_threads(settings.threads).build().ok()).flatten();
    match evaluator {
        Some(evaluator) => run_evaluated(&mut jobs, settings, evaluator, pool.as_ref(), interrupt)?,
        None => match &pool {
            Some(pool) => pool.install(|| run_rollouts(&mut jobs, settings, true)),
            None => run_rollouts(&mut jobs, settings, false),
        },
    }
    if interrupt.is_set() { Err(SearchError::Interrupted) } else { Ok(()) }
}

/// A tree with the plan of its search.
struct Job<'j, 'a, G: Game> {
    plan: &'j Plan<'a, G>,
    tree: &'j mut BudgetedTree<G>,
}

impl<G: Game> Job<'_, '_, G> {
    fn is_done(&self) -> bool {
        self.tree.left == 0 || self.plan.interrupt.is_set() || (!self.must_begin() && self.plan.is_out_of_time())
    }

    fn must_begin(&self) -> bool {
        self.tree.is_first && self.tree.done == 0
    }

    fn select(&mut self, settings: &Settings) {
        let count = self.tree.left.min(settings.leaf_batch as u64) as usize;
        self.tree.search.select(self.plan, count);
    }

    fn back_up(&mut self) {
        let done = self.tree.search.back_up();
        self.tree.done += done;
        self.tree.left -= done;
    }

    /// Selects a batch of leaves, runs their rollouts and backs up their values.
    fn run_batch(&mut self, settings: &Settings, is_parallel: bool) {
        self.select(settings);
        let must_begin = self.must_begin();
        let search = &mut self.tree.search;
        let leaves = &mut search.leaves[..search.num_leaves];
        let roll_out = |(number, leaf): (usize, &mut Leaf<G>)| {
            if (must_begin && number == 0) || !self.plan.is_out_of_time() {
                TreeSearch::roll_out(leaf, self.plan);
            }
        };
        if is_parallel && leaves.len() > 1 {
            leaves.par_iter_mut().enumerate().for_each(roll_out);
        } else {
            leaves.iter_mut().enumerate().for_each(roll_out);
        }
        self.back_up();
    }
}

/// Runs trees without an evaluator. They are independent of each other. With a time limit they take turns, one batch each.
fn run_rollouts<G: Game>(jobs: &mut [Job<'_, '_, G>], settings: &Settings, is_parallel: bool) {
    let is_timed = settings.time.is_some();
    let grow = |job: &mut Job<'_, '_, G>| {
        while !job.is_done() {
            job.run_batch(settings, is_parallel);
            if is_timed {
                break;
            }
        }
    };
    loop {
        if is_parallel {
            jobs.par_iter_mut().for_each(grow);
        } else {
            jobs.iter_mut().for_each(grow);
        }
        if jobs.iter().all(Job::is_done) {
            return;
        }
    }
}

/// A leaf that waits for the evaluator.
#[derive(Clone, Copy)]
struct LeafId {
    /// Position of its job.
    job: usize,
    /// Number of the leaf in the batch of its tree.
    number: usize,
}

/// Runs trees with an evaluator. Each round selects leaves in all trees of all searches, evaluates them together, and backs up.
fn run_evaluated<G: Game>(
    jobs: &mut [Job<'_, '_, G>],
    settings: &Settings,
    evaluator: &mut dyn Evaluator,
    pool: Option<&ThreadPool>,
    interrupt: &Interrupt,
) -> Result<(), SearchError> {
    let Some(first) = jobs.first() else { return Ok(()) };
    let game = first.plan.game;
    let mut batch = Batch {
        observation_size: game.observation_layout().size(),
        num_actions: game.num_actions(),
        num_players: game.num_players(),
        ..Batch::default()
    };
    let max_rows = (MAX_BATCH_NUMBERS / (batch.observation_size + batch.num_actions).max(1)).max(1);
    while !jobs.iter().all(Job::is_done) {
        for_each(pool, jobs, |job| {
            if !job.is_done() {
                job.select(settings);
            }
        });
        let waiting: Vec<LeafId> = jobs
            .iter()
            .enumerate()
            .flat_map(|(job, Job { tree, .. })| {
                let numbers = (0..tree.search.num_leaves).filter(|&number| tree.search.awaits_evaluation(number));
                numbers.map(move |number| LeafId { job, number })
            })
            .collect();
        for part in waiting.chunks(max_rows) {
            if interrupt.is_set() {
                return Err(SearchError::Interrupted);
            }
            batch.resize(part.len());
            fill_batch(&mut batch, jobs, part, pool);
            let answer = evaluator.evaluate(&mut batch).map_err(SearchError::Evaluator)?;
            answer.check_sizes(&batch)?;
            for (row, &LeafId { job, number }) in part.iter().enumerate() {
                let (priors, values) = answer.row(row, batch.num_actions, batch.num_players)?;
                jobs[job].tree.search.expand_evaluated(number, values, |id| priors[id as usize]);
            }
        }
        for_each(pool, jobs, Job::back_up);
    }
    Ok(())
}

/// Calls `call` for each item, on the threads of the pool if there is one.
fn for_each<T: Send>(pool: Option<&ThreadPool>, items: &mut [T], call: impl Fn(&mut T) + Sync + Send) {
    match pool {
        Some(pool) if items.len() > 1 => pool.install(|| items.par_iter_mut().for_each(call)),
        _ => items.iter_mut().for_each(call),
    }
}

/// Encodes the leaves of `part` into the rows of the batch.
fn fill_batch<G: Game>(batch: &mut Batch, jobs: &[Job<'_, '_, G>], part: &[LeafId], pool: Option<&ThreadPool>) {
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
    for (((&LeafId { job, number }, observation), mask), player) in part.iter().zip(observations).zip(masks).zip(&mut batch.players)
    {
        rows.push(Row { plan: jobs[job].plan, leaf: &jobs[job].tree.search.leaves[number], observation, mask, player });
    }
    for_each(pool, &mut rows, |row| {
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
