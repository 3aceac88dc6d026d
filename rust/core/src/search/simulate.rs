//! One simulation: down the tree with a world of its own, a value at the leaf, and back up.

use std::time::Instant;

use crate::event::NoEvents;
use crate::game::{Game, Step, StepOf};
use crate::interrupt::Interrupt;
use crate::player::{ByPlayer, Player, Turn};
use crate::rng::{Rng, derive_seed};
use crate::search::rollout::{self, Lists};
use crate::search::settings::Settings;
use crate::search::spec::AgentKind;
use crate::search::tree::{NONE, Taken, Tree};

/// Marks keys of outcomes where keys are ids, so that no outcome is taken for an action.
const OUTCOME: u64 = 1 << 40;
/// No edge.
const MISSING: u32 = u32::MAX;

/// What the edges of a tree tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum View {
    /// Every step: the tree of one complete position.
    Everything,
    /// What a seat learns from a step.
    Seat(Player),
}

impl View {
    /// Whether it is a seat's that does not decide: only then can actions look alike.
    fn is_other_than(self, mover: Player) -> bool {
        matches!(self, Self::Seat(viewer) if viewer != mover)
    }

    fn key<G: Game>(self, game: &G, before: &G::State, step: StepOf<G>) -> u64 {
        match (self, step) {
            (Self::Seat(viewer), step) => game.observed(before, step, viewer).0,
            (Self::Everything, Step::Action(action)) => u64::from(game.action_id(action)),
            (Self::Everything, Step::Outcome(outcome)) => u64::from(game.outcome_id(outcome)) | OUTCOME,
        }
    }
}

/// What all simulations of a search have in common.
#[derive(Debug)]
pub(crate) struct Plan<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) settings: &'a Settings,
    /// What the searching seat sees.
    pub(crate) observation: &'a G::Observation,
    pub(crate) player: Player,
    /// Legal actions at the root.
    pub(crate) first_actions: usize,
    /// The observers; one tree of statistics each.
    pub(crate) views: Vec<View>,
    /// Whether leaves wait for an evaluator.
    pub(crate) evaluated: bool,
    /// When the time is up.
    pub(crate) deadline: Option<Instant>,
    pub(crate) interrupt: &'a Interrupt,
}

impl<G: Game> Plan<'_, G> {
    pub(crate) fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// Where a simulation left the tree, and what it brings back.
#[derive(Debug)]
pub(crate) struct Leaf<G: Game> {
    pub(crate) state: G::State,
    /// The seat to move, unless the game is over there.
    pub(crate) mover: Option<Player>,
    path: Vec<Taken>,
    /// The node of each observer, or none.
    ends: Vec<u32>,
    /// Decides choices; luck has a generator of its own.
    rng: Rng,
    luck: Rng,
    lists: Lists<G>,
    /// Legal actions and their keys in the mover's view, for priors to come.
    pub(crate) legal: Vec<G::Action>,
    keys: Vec<u64>,
    values: Option<ByPlayer<f64>>,
}

/// A tree with its simulations.
#[derive(Debug)]
pub(crate) struct Grower<G: Game> {
    pub(crate) tree: Tree,
    /// The complete position it is about; without one every simulation samples its own.
    pub(crate) world: Option<G::State>,
    seed: u64,
    started: u64,
    pub(crate) leaves: Vec<Leaf<G>>,
    /// Leaves in use this round.
    pub(crate) round: usize,
    /// Edges from the root, and the actions behind them, once they are all there.
    first: Vec<u32>,
    first_actions: Vec<G::Action>,
    edges: Vec<u32>,
    priors: Vec<f32>,
}

impl<G: Game> Grower<G> {
    pub(crate) fn new(tree: Tree, world: Option<G::State>, seed: u64, number: u64) -> Self {
        Self {
            tree,
            world,
            seed: derive_seed(seed, "tree", number),
            started: 0,
            leaves: Vec::new(),
            round: 0,
            first: Vec::new(),
            first_actions: Vec::new(),
            edges: Vec::new(),
            priors: Vec::new(),
        }
    }

    /// Starts `count` simulations and takes them to their leaves; fewer, but one, if the time is up.
    pub(crate) fn select(&mut self, plan: &Plan<'_, G>, count: usize) {
        self.round = 0;
        for place in 0..count {
            if place > 0 && (plan.interrupt.is_set() || plan.is_late()) {
                break;
            }
            let mut rng = Rng::stream(self.seed, "simulation", self.started);
            self.started += 1;
            let chosen = self.choose_first(plan, &mut rng);
            // The n-th try of every action meets the same worlds and draws: that makes them comparable sooner.
            let tries = chosen.map_or(0, |(_, edge)| self.tree.tries(self.root(plan), edge));
            let mut luck = Rng::stream(self.seed, "luck", tries);
            if place == self.leaves.len() {
                let state = match &self.world {
                    Some(world) => world.clone(),
                    None => plan.game.sample_world(plan.observation, &mut luck),
                };
                self.leaves.push(Leaf {
                    state,
                    mover: None,
                    path: Vec::new(),
                    ends: Vec::new(),
                    rng,
                    luck,
                    lists: Lists::default(),
                    legal: Vec::new(),
                    keys: Vec::new(),
                    values: None,
                });
            } else {
                let leaf = &mut self.leaves[place];
                match &self.world {
                    Some(world) => leaf.state.clone_from(world),
                    None => leaf.state = plan.game.sample_world(plan.observation, &mut luck),
                }
                leaf.rng = rng;
                leaf.luck = luck;
            }
            self.descend(plan, place, chosen);
            self.round += 1;
        }
    }

    /// The root of the searching seat's statistics.
    fn root(&self, plan: &Plan<'_, G>) -> u32 {
        self.tree.roots[if plan.settings.many_observers { plan.player.index() } else { 0 }]
    }

    /// Chooses the first action, which needs no world: the seat's actions are the same in all of them. `None` before the root has
    /// its edges.
    fn choose_first(&mut self, plan: &Plan<'_, G>, rng: &mut Rng) -> Option<(G::Action, u32)> {
        let root = self.root(plan);
        if self.first.is_empty() {
            let edges = &self.tree.node(root).edges;
            let actions: Option<Vec<_>> = edges.iter().map(|edge| plan.game.action_from_id(edge.id)).collect();
            self.first_actions = actions.filter(|actions| actions.len() == plan.first_actions)?;
            self.first = (0..edges.len() as u32).collect();
        }
        let edge = if plan.settings.kind == AgentKind::Flat {
            self.tree.least_tried(root, &self.first)
        } else {
            self.tree.choose(root, &self.first, plan.settings, rng)
        };
        Some((self.first_actions[edge as usize], edge))
    }

    fn descend(&mut self, plan: &Plan<'_, G>, place: usize, first: Option<(G::Action, u32)>) {
        let Self { tree, leaves, edges, priors, .. } = self;
        let leaf = &mut leaves[place];
        let game = plan.game;
        leaf.path.clear();
        leaf.ends.clear();
        leaf.ends.extend_from_slice(&tree.roots);
        leaf.values = None;
        let mut knower = plan.player;
        loop {
            let turn = game.turn(&leaf.state);
            leaf.mover = turn.player();
            // The observer whose statistics decide, and where the simulation stands in them.
            let deciding = match turn {
                Turn::Player(player) if plan.settings.many_observers => player.index(),
                _ if plan.settings.many_observers => plan.player.index(),
                _ => 0,
            };
            let node = leaf.ends[deciding];
            let is_root = leaf.path.is_empty();
            let is_outside = node == NONE || tree.is_foreign(node, turn.player().map(|player| player.0));
            if is_outside {
                leaf.ends.fill(NONE);
            }
            let (step, edge) = match turn {
                Turn::Over => {
                    leaf.values = Some(rollout::result(game, &leaf.state, &plan.settings.rollout));
                    return;
                }
                _ if plan.settings.kind == AgentKind::Flat && !is_root => return,
                Turn::Chance if is_outside => {
                    if !plan.evaluated {
                        return;
                    }
                    // An evaluator judges decisions only.
                    let outcome = game.sample_outcome(&leaf.state, &mut leaf.luck, &mut leaf.lists.outcomes);
                    game.apply_outcome(&mut leaf.state, outcome, &mut NoEvents);
                    continue;
                }
                Turn::Player(_) if is_root && first.is_some() => {
                    let (action, edge) = first.expect("checked");
                    (Step::Action(action), Some(edge))
                }
                Turn::Chance => (Step::Outcome(draw(tree, node, plan, plan.views[deciding], leaf)), None),
                Turn::Player(player) => {
                    if plan.settings.redeterminize && player != knower {
                        let seen = game.observation(&leaf.state, player);
                        leaf.state = game.sample_world(&seen, &mut leaf.luck);
                        knower = player;
                    }
                    let is_new = !is_outside && tree.node(node).edges.is_empty() && tree.node(node).visits == 0 && !is_root;
                    if !plan.evaluated && (is_outside || is_new) {
                        return;
                    }
                    let view = plan.views[deciding];
                    leaf.legal.clear();
                    game.legal_actions(&leaf.state, &mut leaf.legal);
                    leaf.keys.clear();
                    leaf.keys.extend(leaf.legal.iter().map(|&action| view.key(game, &leaf.state, Step::Action(action))));
                    if is_outside {
                        return;
                    }
                    let missing = find_edges(tree, node, &leaf.keys, edges);
                    if missing > 0 {
                        // A situation of the mover that is new: with an evaluator that is a leaf.
                        if plan.evaluated {
                            return;
                        }
                        if tree.reserve(node, missing, Some(player.0), is_root) {
                            fill_priors(plan, &leaf.state, player, &leaf.legal, &mut leaf.lists.values, priors);
                            add_edges(tree, node, game, view.is_other_than(player), &leaf.legal, &leaf.keys, priors, edges);
                        } else if missing == edges.len() {
                            return;
                        }
                    }
                    let candidates: Vec<u32>;
                    let known = if missing > 0 && edges.contains(&MISSING) {
                        candidates = edges.iter().copied().filter(|&edge| edge != MISSING).collect();
                        &candidates
                    } else {
                        &*edges
                    };
                    let edge = if plan.settings.kind == AgentKind::Flat {
                        tree.least_tried(node, known)
                    } else {
                        tree.choose(node, known, plan.settings, &mut leaf.rng)
                    };
                    // Steps that the observer cannot tell apart share an edge: any of them, by lot.
                    let alike = edges.iter().filter(|&&other| other == edge).count() as u32;
                    let mut pick = if alike > 1 { leaf.rng.below(alike) } else { 0 };
                    let action = edges.iter().position(|&other| {
                        let is_it = other == edge && pick == 0;
                        pick -= u32::from(other == edge && !is_it);
                        is_it
                    });
                    (Step::Action(leaf.legal[action.expect("the edge was found by an action")]), Some(edge))
                }
            };
            for (observer, end) in leaf.ends.iter_mut().enumerate() {
                *end = match edge {
                    Some(edge) if observer == deciding => {
                        let taken = Taken { node: *end, edge };
                        leaf.path.push(taken);
                        tree.enter(taken)
                    }
                    _ => follow(tree, *end, plan, plan.views[observer], &leaf.state, step, turn, &mut leaf.path),
                };
            }
            game.apply(&mut leaf.state, step);
        }
    }

    /// Plays a leaf of this round on to a value. Leaves are independent of each other.
    pub(crate) fn play_on(leaf: &mut Leaf<G>, plan: &Plan<'_, G>) {
        if leaf.values.is_none() {
            let Leaf { state, rng, luck, lists, .. } = leaf;
            leaf.values = rollout::play_on(plan.game, state, [rng, luck], &plan.settings.rollout, lists, plan.interrupt);
        }
    }

    /// Brings the values of the round back, in the order of selection; how many there were.
    pub(crate) fn back_up(&mut self) -> u64 {
        let before = self.tree.simulations;
        for leaf in &self.leaves[..self.round] {
            match &leaf.values {
                Some(values) => self.tree.back_up(&leaf.path, &leaf.ends, values),
                None => self.tree.give_up(&leaf.path),
            }
        }
        self.round = 0;
        self.tree.simulations - before
    }

    /// Takes the evaluator's word on leaf `place`: values of all seats, and `prior` of an action id.
    pub(crate) fn settle(&mut self, plan: &Plan<'_, G>, place: usize, values: &[f32], prior: impl Fn(u32) -> f32) {
        let leaf = &mut self.leaves[place];
        let Some(player) = leaf.mover else { return };
        leaf.values = Some(values.iter().map(|&value| f64::from(value)).collect());
        let deciding = if plan.settings.many_observers { player.index() } else { 0 };
        let node = leaf.ends[deciding];
        if node == NONE || self.tree.is_foreign(node, Some(player.0)) {
            return;
        }
        let missing = find_edges(&mut self.tree, node, &leaf.keys, &mut self.edges);
        // Two leaves of a round can be the same situation; the second finds the edges made.
        if missing == 0 || !self.tree.reserve(node, missing, Some(player.0), leaf.path.is_empty()) {
            return;
        }
        self.priors.clear();
        let mut sum = 0.0;
        for &action in &leaf.legal {
            let prior = prior(plan.game.action_id(action));
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
        let can_look_alike = plan.views[deciding].is_other_than(player);
        add_edges(&mut self.tree, node, plan.game, can_look_alike, &leaf.legal, &leaf.keys, &self.priors, &mut self.edges);
    }

    /// Whether leaf `place` of this round waits for the evaluator.
    pub(crate) fn waits(&self, place: usize) -> bool {
        self.leaves[place].values.is_none()
    }
}

/// Priors without an evaluator.
fn fill_priors<G: Game>(
    plan: &Plan<'_, G>,
    state: &G::State,
    player: Player,
    legal: &[G::Action],
    values: &mut Vec<f64>,
    priors: &mut Vec<f32>,
) {
    if plan.settings.prior_by_evaluation && plan.settings.kind != AgentKind::Flat {
        rollout::priors_by_appraisal(plan.game, state, player, legal, plan.settings.temperature, values, priors);
    } else {
        priors.clear();
        priors.resize(legal.len(), 1.0 / legal.len() as f32);
    }
}

/// Makes the edges that are missing and notes their places. Actions that look alike share one; that can only be where `view` is a
/// seat's other than the mover's.
#[expect(clippy::too_many_arguments, reason = "the parts of one simulation, borrowed one by one")]
fn add_edges<G: Game>(
    tree: &mut Tree,
    node: u32,
    game: &G,
    can_look_alike: bool,
    legal: &[G::Action],
    keys: &[u64],
    priors: &[f32],
    edges: &mut [u32],
) {
    if !can_look_alike && tree.node(node).edges.is_empty() {
        tree.fill(node, keys.iter().zip(legal).zip(priors).map(|((&key, &action), &prior)| (key, game.action_id(action), prior)));
        edges.iter_mut().zip(0..).for_each(|(edge, place)| *edge = place);
        return;
    }
    for (place, edge) in edges.iter_mut().enumerate().filter(|(_, edge)| **edge == MISSING) {
        let is_alike = can_look_alike && keys[..place].contains(&keys[place]);
        let found = if is_alike { tree.find(node, keys[place], place) } else { None };
        *edge = found.unwrap_or_else(|| tree.push_edge(node, keys[place], game.action_id(legal[place]), priors[place]));
    }
}

/// The edges of `node` for `keys`, missing ones marked; how many are missing.
fn find_edges(tree: &mut Tree, node: u32, keys: &[u64], edges: &mut Vec<u32>) -> usize {
    edges.clear();
    if tree.node(node).edges.is_empty() {
        edges.resize(keys.len(), MISSING);
        return keys.len();
    }
    // Edges of the same hand were made together and in this order: one lies behind the other.
    let mut next = 0;
    let mut missing = 0;
    for &key in keys {
        let found = tree.find(node, key, next as usize);
        next = found.map_or(next, |edge| edge + 1);
        missing += usize::from(found.is_none());
        edges.push(found.unwrap_or(MISSING));
    }
    missing
}

/// Draws at a chance node that is in the tree; where it is wide, among the outcomes met before once there are enough of them.
fn draw<G: Game>(tree: &mut Tree, node: u32, plan: &Plan<'_, G>, view: View, leaf: &mut Leaf<G>) -> G::Outcome {
    let game = plan.game;
    let outcomes = &mut leaf.lists.outcomes;
    let known = tree.node(node).edges.len();
    let is_full = plan
        .settings
        .widening
        .is_some_and(|factor| known as f64 >= f64::from(factor) * f64::from(tree.node(node).visits + 1).sqrt());
    if is_full {
        outcomes.clear();
        game.chance_outcomes(&leaf.state, outcomes);
        outcomes.retain(|&(outcome, _)| {
            let key = view.key(game, &leaf.state, Step::Outcome(outcome));
            tree.find(node, key, usize::MAX).is_some()
        });
        let total: u32 = outcomes.iter().map(|(_, weight)| weight).sum();
        if total > 0 {
            let mut drawn = leaf.luck.below(total);
            for &(outcome, weight) in outcomes.iter() {
                if drawn < weight {
                    return outcome;
                }
                drawn -= weight;
            }
        }
    }
    game.sample_outcome(&leaf.state, &mut leaf.luck, outcomes)
}

/// An observer who does not decide learns of a step: along the edge for what it learns, made if it is new.
#[expect(clippy::too_many_arguments, reason = "the parts of one simulation, borrowed one by one")]
fn follow<G: Game>(
    tree: &mut Tree,
    node: u32,
    plan: &Plan<'_, G>,
    view: View,
    before: &G::State,
    step: StepOf<G>,
    turn: Turn,
    path: &mut Vec<Taken>,
) -> u32 {
    let mover = turn.player().map(|player| player.0);
    if node == NONE || tree.is_foreign(node, mover) {
        return NONE;
    }
    let key = view.key(plan.game, before, step);
    let edge = match tree.find(node, key, usize::MAX) {
        Some(edge) => edge,
        None if tree.reserve(node, 1, mover, false) => {
            let id = match step {
                Step::Action(action) => plan.game.action_id(action),
                Step::Outcome(outcome) => plan.game.outcome_id(outcome),
            };
            tree.push_edge(node, key, id, 0.0)
        }
        None => return NONE,
    };
    let taken = Taken { node, edge };
    path.push(taken);
    tree.enter(taken)
}
