//! One simulation: select a path down the tree, expand the leaf, get its values, and back them up.

use crate::contract::{Game, Step};
use crate::event::NoEvents;
use crate::player::{ByPlayer, Player, Turn};
use crate::rng::{Rng, derive_seed};
use crate::search::kind::AgentKind;
use crate::search::plan::Plan;
use crate::search::rollout::{self, Scratch};
use crate::search::settings::Settings;
use crate::search::tree::{NONE, PathEdge, ROOT, Tree};

/// The leaf of a simulation and the path to it.
#[derive(Debug)]
pub(crate) struct Leaf<G: Game> {
    pub(crate) state: G::State,
    /// The seat to move. `None` if the game is over.
    pub(crate) mover: Option<Player>,
    path: Vec<PathEdge>,
    /// The node of the leaf, or `NONE` outside the tree.
    node: u32,
    /// Random choices of actions.
    rng: Rng,
    /// Random worlds and draws.
    chance_rng: Rng,
    scratch: Scratch<G>,
    /// The legal actions, their ids, their keys, and their edges (`NONE` where an edge is missing).
    legal: Vec<G::Action>,
    pub(crate) ids: Vec<u32>,
    keys: Vec<u64>,
    edges: Vec<u32>,
    /// Number of edges of the node when `edges` was filled.
    num_edges: usize,
    /// The values of all seats, once they are known.
    values: Option<ByPlayer<f64>>,
}

impl<G: Game> Leaf<G> {
    fn new(state: G::State, rng: Rng, chance_rng: Rng) -> Self {
        Self {
            state,
            mover: None,
            path: Vec::new(),
            node: NONE,
            rng,
            chance_rng,
            scratch: Scratch::default(),
            legal: Vec::new(),
            ids: Vec::new(),
            keys: Vec::new(),
            edges: Vec::new(),
            num_edges: 0,
            values: None,
        }
    }

    fn list_ids(&mut self, game: &G) {
        self.ids.clear();
        self.ids.extend(self.legal.iter().map(|&action| game.action_id(action)));
    }

    /// Whether the legal actions are those of the edges of `node`, in the same order.
    fn has_edges_of(&self, game: &G, tree: &Tree, node: u32) -> bool {
        let mut legal = Vec::new();
        game.legal_actions(&self.state, &mut legal);
        legal.into_iter().map(|action| game.action_id(action)).eq(tree.node(node).edges.iter().map(|edge| edge.id))
    }
}

/// A tree and the simulations that grow it.
#[derive(Debug)]
pub(crate) struct TreeSearch<G: Game> {
    pub(crate) tree: Tree,
    /// The complete position that the tree is about. Without one, every simulation samples a world.
    world: Option<G::State>,
    seed: u64,
    /// Simulations started.
    started: u64,
    /// Leaves, kept from batch to batch for their memory.
    pub(crate) leaves: Vec<Leaf<G>>,
    /// Number of leaves in the current batch.
    pub(crate) num_leaves: usize,
    /// Whether the root is expanded and has its priors.
    is_root_ready: bool,
    priors: Vec<f32>,
}

impl<G: Game> TreeSearch<G> {
    /// `number` counts the trees of a search.
    pub(crate) fn new(tree: Tree, world: Option<G::State>, seed: u64, number: u64) -> Self {
        Self {
            tree,
            world,
            seed: derive_seed(seed, "tree", number),
            started: 0,
            leaves: Vec::new(),
            num_leaves: 0,
            is_root_ready: false,
            priors: Vec::new(),
        }
    }

    /// Starts `count` simulations and descends to their leaves. It starts fewer, but at least one, when the time is up.
    pub(crate) fn select(&mut self, plan: &Plan<'_, G>, count: usize) {
        self.num_leaves = 0;
        // Before an evaluator has expanded the root, every simulation would end at the same leaf.
        let is_root_unexpanded = plan.has_evaluator && self.tree.node(ROOT).edges.is_empty();
        let count = if is_root_unexpanded { 1 } else { count };
        for number in 0..count {
            if number > 0 && (plan.interrupt.is_set() || plan.is_out_of_time()) {
                break;
            }
            let mut rng = Rng::stream(self.seed, "simulation", self.started);
            self.started += 1;
            let first = self.select_first(plan, &mut rng);
            // The n-th visit of every root action meets the same world and the same draws. That lowers the variance between actions.
            let visits = first.map_or(0, |(_, edge)| self.tree.visits_and_pending(ROOT, edge));
            let mut chance_rng = Rng::stream(self.seed, "luck", visits);
            if number == self.leaves.len() {
                let state = match &self.world {
                    Some(world) => world.clone(),
                    None => plan.game.sample_world(plan.observation, &mut chance_rng),
                };
                self.leaves.push(Leaf::new(state, rng, chance_rng));
            } else {
                let leaf = &mut self.leaves[number];
                match &self.world {
                    Some(world) => leaf.state.clone_from(world),
                    None => leaf.state = plan.game.sample_world(plan.observation, &mut chance_rng),
                }
                leaf.rng = rng;
                leaf.chance_rng = chance_rng;
            }
            self.descend(plan, number, first);
            self.num_leaves += 1;
        }
    }

    /// Selects the action at the root and its edge. That needs no world, because the seat's actions are the same in all worlds.
    /// Returns `None` until the root is expanded. The root's edges are in the order of the actions.
    fn select_first(&mut self, plan: &Plan<'_, G>, rng: &mut Rng) -> Option<(G::Action, u32)> {
        if !self.is_root_ready {
            let edges = &self.tree.node(ROOT).edges;
            if edges.len() != plan.root_actions.len() {
                return None;
            }
            debug_assert!(edges.iter().map(|edge| edge.id).eq(plan.root_actions.iter().map(|&action| plan.game.action_id(action))));
            if plan.has_evaluated_priors() {
                // The root of a kept tree was an inner node before and has the priors of one.
                self.tree.set_priors(ROOT, plan.root_priors());
            }
            self.is_root_ready = true;
        }
        let edge = select_edge(&mut self.tree, ROOT, 0..plan.root_actions.len() as u32, plan.settings, rng);
        Some((plan.root_actions[edge as usize], edge))
    }

    /// Descends from the root to the leaf with this number. `first` is the action at the root, if it is selected already.
    fn descend(&mut self, plan: &Plan<'_, G>, number: usize, first: Option<(G::Action, u32)>) {
        let Self { tree, leaves, priors, .. } = self;
        let leaf = &mut leaves[number];
        let game = plan.game;
        leaf.path.clear();
        leaf.node = ROOT;
        leaf.values = None;
        // An empty path does not mean the root: a step is left out of the path when the memory is full.
        let mut is_root = true;
        loop {
            let turn = game.turn(&leaf.state);
            leaf.mover = turn.player();
            let node = leaf.node;
            let is_outside = node == NONE || tree.has_other_mover(node, turn.player().map(|player| player.0));
            if is_outside {
                leaf.node = NONE;
            }
            let (step, edge) = match turn {
                Turn::Over => {
                    leaf.values = Some(rollout::terminal_values(game, &leaf.state));
                    return;
                }
                _ if plan.settings.kind == AgentKind::Flat && !is_root => return,
                Turn::Chance if is_outside => {
                    if !plan.has_evaluator {
                        return;
                    }
                    // An evaluator takes decisions only, so the simulation draws until there is one.
                    let outcome = game.sample_outcome(&leaf.state, &mut leaf.chance_rng, &mut leaf.scratch.outcomes);
                    game.apply_outcome(&mut leaf.state, outcome, &mut NoEvents);
                    continue;
                }
                Turn::Player(_) if is_root && first.is_some() => {
                    let (action, edge) = first.expect("checked");
                    (Step::Action(action), Some(edge))
                }
                Turn::Chance => {
                    let outcome = sample_outcome(tree, node, plan, leaf);
                    (Step::Outcome(outcome), outcome_edge(tree, node, plan, &leaf.state, outcome))
                }
                Turn::Player(player) => {
                    let inside = (!is_outside).then_some(node);
                    let Some((action, edge)) = select_action(tree, inside, is_root, plan, player, leaf, priors) else { return };
                    (Step::Action(action), Some(edge))
                }
            };
            leaf.node = NONE;
            if let Some(edge) = edge {
                let path_edge = PathEdge { node, edge };
                // Without memory for the statistics the simulation leaves the tree here.
                if let Some(child) = tree.traverse(path_edge) {
                    leaf.path.push(path_edge);
                    leaf.node = child;
                }
            }
            game.apply(&mut leaf.state, step);
            is_root = false;
        }
    }

    /// Runs the rollout of a leaf that has no values yet. Leaves are independent of each other.
    pub(crate) fn roll_out(leaf: &mut Leaf<G>, plan: &Plan<'_, G>) {
        if leaf.values.is_none() {
            let Leaf { state, rng, chance_rng, scratch, .. } = leaf;
            leaf.values =
                rollout::roll_out(plan.game, plan.judge, state, [rng, chance_rng], &plan.settings.rollout, scratch, plan.interrupt);
        }
    }

    /// Backs up the values of the batch in the order of selection, and cancels simulations without values. Returns the number of
    /// simulations that were finished.
    pub(crate) fn back_up(&mut self) -> u64 {
        let before = self.tree.simulations;
        for leaf in &self.leaves[..self.num_leaves] {
            match &leaf.values {
                Some(values) => self.tree.back_up(&leaf.path, leaf.node, values),
                None => self.tree.cancel(&leaf.path),
            }
        }
        self.num_leaves = 0;
        self.tree.simulations - before
    }

    /// Expands the leaf with this number from an evaluator's answer: `values` of all seats, and the `prior` of an action id.
    pub(crate) fn expand_evaluated(&mut self, number: usize, values: &[f32], prior: impl Fn(u32) -> f32) {
        let leaf = &mut self.leaves[number];
        let Some(player) = leaf.mover else { return };
        leaf.values = Some(values.iter().map(|&value| f64::from(value)).collect());
        let node = leaf.node;
        if node == NONE || self.tree.has_other_mover(node, Some(player.0)) {
            return;
        }
        // Two leaves of a batch can be the same node. The second finds the edges of the first.
        let mut missing = leaf.edges.iter().filter(|&&edge| edge == NONE).count();
        if self.tree.node(node).edges.len() != leaf.num_edges {
            missing = self.tree.find_edges(node, &leaf.keys, &mut leaf.edges);
        }
        if missing == 0 || !self.tree.reserve_edges(node, missing, Some(player.0), leaf.path.is_empty()) {
            return;
        }
        self.priors.clear();
        let mut sum = 0.0;
        for &id in &leaf.ids {
            let prior = prior(id);
            sum += f64::from(prior);
            self.priors.push(prior);
        }
        if sum > 0.0 {
            let scale = 1.0 / sum;
            self.priors.iter_mut().for_each(|prior| *prior = (f64::from(*prior) * scale) as f32);
        } else {
            let equal = 1.0 / self.priors.len() as f32;
            self.priors.fill(equal);
        }
        add_edges(&mut self.tree, node, leaf, &self.priors);
    }

    /// Whether the leaf with this number waits for the evaluator.
    pub(crate) fn awaits_evaluation(&self, number: usize) -> bool {
        self.leaves[number].values.is_none()
    }
}

/// Selects an action of `player` at `node` (`None` is outside the tree), and its edge. Missing edges are made first. Returns `None`
/// if this is the leaf; for an evaluator the leaf then lists its legal actions.
fn select_action<G: Game>(
    tree: &mut Tree,
    node: Option<u32>,
    is_root: bool,
    plan: &Plan<'_, G>,
    player: Player,
    leaf: &mut Leaf<G>,
    priors: &mut Vec<f32>,
) -> Option<(G::Action, u32)> {
    let game = plan.game;
    let (num_edges, visits) = node.map_or((0, 0), |node| (tree.node(node).edges.len(), tree.node(node).visits));
    if !plan.has_evaluator && (node.is_none() || (num_edges == 0 && visits == 0 && !is_root)) {
        return None;
    }
    if let Some(node) = node
        && num_edges > 0
        && plan.edges_are_legal_actions(player)
    {
        debug_assert!(leaf.has_edges_of(game, tree, node), "a seat's knowledge must determine its legal actions");
        let edge = select_edge(tree, node, 0..num_edges as u32, plan.settings, &mut leaf.rng);
        let action = game.action_from_id(tree.node(node).edges[edge as usize].id);
        return Some((action.expect("an action made the edge"), edge));
    }
    leaf.legal.clear();
    game.legal_actions(&leaf.state, &mut leaf.legal);
    leaf.keys.clear();
    leaf.keys.extend(leaf.legal.iter().map(|&action| plan.edge_key.of(game, &leaf.state, Step::Action(action))));
    leaf.edges.clear();
    leaf.edges.resize(leaf.keys.len(), NONE);
    let missing = node.map_or(leaf.keys.len(), |node| tree.find_edges(node, &leaf.keys, &mut leaf.edges));
    if missing > 0 {
        leaf.list_ids(game);
        leaf.num_edges = num_edges;
    }
    let node = node?;
    if missing > 0 {
        // The mover is in a situation that the node has not met. With an evaluator that is a leaf.
        if plan.has_evaluator {
            return None;
        }
        if tree.reserve_edges(node, missing, Some(player.0), is_root) {
            fill_priors(plan, is_root, player, leaf, priors);
            add_edges(tree, node, leaf, priors);
        } else if missing == leaf.edges.len() {
            return None;
        }
    }
    let edges = &leaf.edges;
    let edge = select_edge(tree, node, edges.iter().copied().filter(|&edge| edge != NONE), plan.settings, &mut leaf.rng);
    let position = edges.iter().position(|&other| other == edge);
    Some((leaf.legal[position.expect("an action has the edge")], edge))
}

/// Selects one of `candidates`, edges of `node`.
fn select_edge(
    tree: &mut Tree,
    node: u32,
    candidates: impl Iterator<Item = u32> + Clone,
    settings: &Settings,
    rng: &mut Rng,
) -> u32 {
    if settings.kind == AgentKind::Flat {
        tree.least_visited(node, candidates)
    } else {
        tree.select_edge(node, candidates, settings, rng)
    }
}

/// Computes the priors of the legal actions when there is no evaluator.
fn fill_priors<G: Game>(plan: &Plan<'_, G>, is_root: bool, player: Player, leaf: &mut Leaf<G>, priors: &mut Vec<f32>) {
    priors.clear();
    let Leaf { state, legal, scratch: Scratch { values, cache, .. }, .. } = leaf;
    if legal.len() == 1 || !plan.has_evaluated_priors() {
        priors.resize(legal.len(), 1.0 / legal.len() as f32);
    } else if is_root {
        priors.extend_from_slice(plan.root_priors());
    } else {
        values.clear();
        plan.judge.look(plan.game, state, player, legal, cache, values);
        rollout::softmax_priors(values, plan.settings.temperature, priors);
    }
}

/// Adds the missing edges, whose memory is reserved, and writes their positions into the leaf. Every action has an edge of its own,
/// because no seat observes the same of two actions.
fn add_edges<G: Game>(tree: &mut Tree, node: u32, leaf: &mut Leaf<G>, priors: &[f32]) {
    let Leaf { ids, keys, edges, .. } = leaf;
    let first = tree.node(node).edges.len() as u32;
    let all = keys.iter().zip(&*ids).zip(priors).map(|((&key, &id), &prior)| (key, id, prior));
    if first == 0 {
        tree.extend_edges(node, all);
    } else {
        tree.extend_edges(node, all.zip(&*edges).filter(|&(_, &edge)| edge == NONE).map(|(new, _)| new));
    }
    edges.iter_mut().filter(|edge| **edge == NONE).zip(first..).for_each(|(edge, position)| *edge = position);
}

/// Samples an outcome at a chance node of the tree. Progressive widening: once the node has enough edges for its visits, only
/// outcomes that have an edge are sampled.
fn sample_outcome<G: Game>(tree: &mut Tree, node: u32, plan: &Plan<'_, G>, leaf: &mut Leaf<G>) -> G::Outcome {
    let game = plan.game;
    let outcomes = &mut leaf.scratch.outcomes;
    let num_edges = tree.node(node).edges.len();
    let is_wide_enough = plan
        .settings
        .widening
        .is_some_and(|factor| num_edges as f64 >= f64::from(factor) * f64::from(tree.node(node).visits + 1).sqrt());
    if is_wide_enough {
        outcomes.clear();
        game.chance_outcomes(&leaf.state, outcomes);
        outcomes.retain(|&(outcome, _)| {
            let key = plan.edge_key.of(game, &leaf.state, Step::Outcome(outcome));
            tree.find_edge(node, key).is_some()
        });
        let total: u32 = outcomes.iter().map(|(_, weight)| weight).sum();
        if total > 0 {
            let mut drawn = leaf.chance_rng.below(total);
            for &(outcome, weight) in outcomes.iter() {
                if drawn < weight {
                    return outcome;
                }
                drawn -= weight;
            }
        }
    }
    game.sample_outcome(&leaf.state, &mut leaf.chance_rng, outcomes)
}

/// The edge of `outcome`, made if it is new. Returns `None` if the memory is full.
fn outcome_edge<G: Game>(tree: &mut Tree, node: u32, plan: &Plan<'_, G>, before: &G::State, outcome: G::Outcome) -> Option<u32> {
    let key = plan.edge_key.of(plan.game, before, Step::Outcome(outcome));
    if let Some(edge) = tree.find_edge(node, key) {
        return Some(edge);
    }
    tree.reserve_edges(node, 1, None, false).then(|| tree.push_edge(node, key, plan.game.outcome_id(outcome), 0.0))
}
