//! One simulation: down the tree with a world of its own, a value at the leaf, and back up.

use std::sync::OnceLock;
use std::time::Instant;

use crate::contract::{Game, Step, StepOf, evaluate_after_each};
use crate::event::NoEvents;
use crate::interrupt::Interrupt;
use crate::player::{ByPlayer, Player, Turn};
use crate::rng::{Rng, derive_seed};
use crate::search::index;
use crate::search::rollout::{self, Lists};
use crate::search::settings::Settings;
use crate::search::spec::AgentKind;
use crate::search::tree::{NONE, Taken, Tree};

/// Marks keys of outcomes where keys are ids, so that no outcome is taken for an action.
const OUTCOME: u64 = 1 << 40;

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
    pub(crate) first_actions: &'a [G::Action],
    /// Their priors, once a tree has asked for them.
    pub(crate) first_priors: OnceLock<Vec<f32>>,
    /// The observers; one tree of statistics each.
    pub(crate) views: Vec<View>,
    /// Whether leaves wait for an evaluator.
    pub(crate) evaluated: bool,
    /// When the time is up.
    pub(crate) deadline: Option<Instant>,
    pub(crate) interrupt: &'a Interrupt,
}

impl<G: Game> Plan<'_, G> {
    /// Whether a place in the tree of `view` says what `player` may do there: in a complete position, and at decisions of the
    /// searching seat, whose hand is the same in all worlds. Then the actions are those of the node's edges.
    fn knows(&self, view: View, player: Player) -> bool {
        match view {
            View::Everything => true,
            View::Seat(viewer) => viewer == player && player == self.player && !self.settings.redeterminize,
        }
    }

    /// Whether priors come from the game's evaluation.
    fn guesses(&self) -> bool {
        self.settings.prior_by_evaluation && self.settings.kind != AgentKind::Flat && !self.evaluated
    }

    /// Priors of the actions at the root, which deserve more than a first look: the evaluation itself of what each leads to, results
    /// first. The same in every tree, as it sees nothing hidden. With a time limit it may cost a quarter of the time; a look must do
    /// as soon as that will not be enough.
    fn first_priors(&self) -> &[f32] {
        self.first_priors.get_or_init(|| {
            let Self { game, player, first_actions, .. } = *self;
            let start = Instant::now();
            let state = game.sample_world(self.observation, &mut Rng::stream(0, "priors", 0));
            let mut values = Vec::with_capacity(first_actions.len());
            for actions in first_actions.chunks(8) {
                evaluate_after_each(game, &state, player, actions, &mut values);
                let expected = start.elapsed().mul_f64(first_actions.len() as f64 / values.len() as f64);
                if self.interrupt.is_set() || self.settings.time.is_some_and(|time| expected > time / 4) {
                    values.clear();
                    game.look(&state, player, first_actions, &mut Default::default(), &mut values);
                    break;
                }
            }
            let mut priors = Vec::new();
            rollout::priors_by_looks(&mut values, self.settings.temperature, &mut priors);
            priors
        })
    }

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
    /// Legal actions, their ids, their keys in the mover's view and the edges they had when there were so many, for priors to come.
    legal: Vec<G::Action>,
    pub(crate) ids: Vec<u32>,
    keys: Vec<u64>,
    edges: Vec<u32>,
    known: usize,
    values: Option<ByPlayer<f64>>,
}

impl<G: Game> Leaf<G> {
    fn list_ids(&mut self, game: &G) {
        self.ids.clear();
        self.ids.extend(self.legal.iter().map(|&action| game.action_id(action)));
    }

    /// Whether the legal actions are just those of the edges of `node`.
    fn is_settled(&self, game: &G, tree: &Tree, node: u32) -> bool {
        let mut legal = Vec::new();
        game.legal_actions(&self.state, &mut legal);
        legal.into_iter().map(|action| game.action_id(action)).eq(tree.node(node).edges.iter().map(|edge| edge.id))
    }
}

/// Tells most keys that are new from those met before, without looking through them.
struct Sieve([u64; 64]);

impl Sieve {
    /// Whether `key` may have been here before; surely not where it says so.
    fn may_have_met(&mut self, key: u64) -> bool {
        let place = index::hash(key) >> 52;
        let (word, bit) = ((place >> 6) as usize, 1 << (place & 63));
        let is_set = self.0[word] & bit != 0;
        self.0[word] |= bit;
        is_set
    }
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
    /// Whether the root has been found with all its edges.
    is_open: bool,
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
            is_open: false,
            priors: Vec::new(),
        }
    }

    /// Starts `count` simulations and takes them to their leaves; fewer, but one, if the time is up.
    pub(crate) fn select(&mut self, plan: &Plan<'_, G>, count: usize) {
        self.round = 0;
        // Until an evaluator has judged the root there is nothing to choose: every simulation would be the same leaf.
        let is_unjudged = plan.evaluated && self.tree.node(self.root(plan)).edges.is_empty();
        let count = if is_unjudged { 1 } else { count };
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
                    ids: Vec::new(),
                    keys: Vec::new(),
                    edges: Vec::new(),
                    known: 0,
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
    /// its edges, which are in the order of the actions.
    fn choose_first(&mut self, plan: &Plan<'_, G>, rng: &mut Rng) -> Option<(G::Action, u32)> {
        let root = self.root(plan);
        if !self.is_open {
            let edges = &self.tree.node(root).edges;
            if edges.len() != plan.first_actions.len() {
                return None;
            }
            debug_assert!(
                edges.iter().map(|edge| edge.id).eq(plan.first_actions.iter().map(|&action| plan.game.action_id(action)))
            );
            if plan.guesses() {
                // In a kept tree the root was a place like any other.
                self.tree.set_priors(root, plan.first_priors());
            }
            self.is_open = true;
        }
        let edge = pick(&mut self.tree, root, 0..plan.first_actions.len() as u32, plan.settings, rng);
        Some((plan.first_actions[edge as usize], edge))
    }

    fn descend(&mut self, plan: &Plan<'_, G>, place: usize, first: Option<(G::Action, u32)>) {
        let Self { tree, leaves, priors, .. } = self;
        let leaf = &mut leaves[place];
        let game = plan.game;
        leaf.path.clear();
        leaf.ends.clear();
        leaf.ends.extend_from_slice(&tree.roots);
        leaf.values = None;
        let mut knower = plan.player;
        // Not told by the path, which has no steps that the memory had no room to note.
        let mut is_root = true;
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
                    let inside = (!is_outside).then_some(node);
                    let Some((action, edge)) = decide(tree, inside, is_root, plan, plan.views[deciding], player, leaf, priors)
                    else {
                        return;
                    };
                    (Step::Action(action), Some(edge))
                }
            };
            for (observer, end) in leaf.ends.iter_mut().enumerate() {
                *end = match edge {
                    Some(edge) if observer == deciding => enter(tree, Taken { node: *end, edge }, &mut leaf.path),
                    _ => follow(tree, *end, plan, plan.views[observer], &leaf.state, step, turn, &mut leaf.path),
                };
            }
            game.apply(&mut leaf.state, step);
            is_root = false;
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
        // Two leaves of a round can be the same situation; the second finds the edges made.
        let mut missing = leaf.edges.iter().filter(|&&edge| edge == NONE).count();
        if self.tree.node(node).edges.len() != leaf.known {
            missing = self.tree.find_missing(node, &leaf.keys, &mut leaf.edges);
        }
        if missing == 0 || !self.tree.reserve(node, missing, Some(player.0), leaf.path.is_empty()) {
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
        add_edges(&mut self.tree, node, plan.views[deciding].is_other_than(player), leaf, &self.priors);
    }

    /// Whether leaf `place` of this round waits for the evaluator.
    pub(crate) fn waits(&self, place: usize) -> bool {
        self.leaves[place].values.is_none()
    }
}

/// A decision of `player` at `node` of the observer with `view`, or outside the tree: an action and its edge. `None` if this is the
/// leaf; an evaluator then finds its actions listed.
#[expect(clippy::too_many_arguments, reason = "the parts of one simulation, borrowed one by one")]
fn decide<G: Game>(
    tree: &mut Tree,
    node: Option<u32>,
    is_root: bool,
    plan: &Plan<'_, G>,
    view: View,
    player: Player,
    leaf: &mut Leaf<G>,
    priors: &mut Vec<f32>,
) -> Option<(G::Action, u32)> {
    let game = plan.game;
    let can_look_alike = view.is_other_than(player);
    let (edges, visits) = node.map_or((0, 0), |node| (tree.node(node).edges.len(), tree.node(node).visits));
    if !plan.evaluated && (node.is_none() || (edges == 0 && visits == 0 && !is_root)) {
        return None;
    }
    if let Some(node) = node
        && edges > 0
        && plan.knows(view, player)
    {
        debug_assert!(leaf.is_settled(game, tree, node), "a seat's knowledge must determine its legal actions");
        let edge = pick(tree, node, 0..edges as u32, plan.settings, &mut leaf.rng);
        let action = game.action_from_id(tree.node(node).edges[edge as usize].id);
        return Some((action.expect("the edge was made by an action"), edge));
    }
    leaf.legal.clear();
    game.legal_actions(&leaf.state, &mut leaf.legal);
    leaf.keys.clear();
    leaf.keys.extend(leaf.legal.iter().map(|&action| view.key(game, &leaf.state, Step::Action(action))));
    leaf.edges.clear();
    leaf.edges.resize(leaf.keys.len(), NONE);
    let missing = node.map_or(leaf.keys.len(), |node| tree.find_missing(node, &leaf.keys, &mut leaf.edges));
    if missing > 0 {
        leaf.list_ids(game);
        leaf.known = edges;
    }
    let node = node?;
    if missing > 0 {
        // A situation of the mover that is new: with an evaluator that is a leaf.
        if plan.evaluated {
            return None;
        }
        if tree.reserve(node, missing, Some(player.0), is_root) {
            fill_priors(plan, is_root, player, leaf, priors);
            add_edges(tree, node, can_look_alike, leaf, priors);
        } else if missing == leaf.edges.len() {
            return None;
        }
    }
    let edges = &leaf.edges;
    let edge = pick(tree, node, edges.iter().copied().filter(|&edge| edge != NONE), plan.settings, &mut leaf.rng);
    // Steps that the observer cannot tell apart share an edge: any of them, by lot.
    let alike = edges.iter().filter(|&&other| other == edge).count() as u32;
    let mut nth = if alike > 1 { leaf.rng.below(alike) } else { 0 };
    let place = edges.iter().position(|&other| {
        let is_it = other == edge && nth == 0;
        nth -= u32::from(other == edge && !is_it);
        is_it
    });
    Some((leaf.legal[place.expect("the edge was found by an action")], edge))
}

/// Chooses among `candidates`, edges of `node`.
fn pick(tree: &mut Tree, node: u32, candidates: impl Iterator<Item = u32> + Clone, settings: &Settings, rng: &mut Rng) -> u32 {
    if settings.kind == AgentKind::Flat { tree.least_tried(node, candidates) } else { tree.choose(node, candidates, settings, rng) }
}

/// Priors of the legal actions without an evaluator.
fn fill_priors<G: Game>(plan: &Plan<'_, G>, is_root: bool, player: Player, leaf: &mut Leaf<G>, priors: &mut Vec<f32>) {
    priors.clear();
    let Leaf { state, legal, lists: Lists { values, .. }, .. } = leaf;
    if legal.len() == 1 || !plan.guesses() {
        priors.resize(legal.len(), 1.0 / legal.len() as f32);
    } else if is_root {
        priors.extend_from_slice(plan.first_priors());
    } else {
        values.clear();
        plan.game.look(state, player, legal, &mut Default::default(), values);
        rollout::priors_by_looks(values, plan.settings.temperature, priors);
    }
}

/// Makes the edges that are missing and notes their places. Actions that look alike share one; that can only be where the tree is
/// that of a seat other than the mover's.
fn add_edges<G: Game>(tree: &mut Tree, node: u32, can_look_alike: bool, leaf: &mut Leaf<G>, priors: &[f32]) {
    let Leaf { ids, keys, edges, .. } = leaf;
    if !can_look_alike {
        let first = tree.node(node).edges.len() as u32;
        let all = keys.iter().zip(&*ids).zip(priors).map(|((&key, &id), &prior)| (key, id, prior));
        if first == 0 {
            tree.extend(node, all);
        } else {
            tree.extend(node, all.zip(&*edges).filter(|&(_, &edge)| edge == NONE).map(|(new, _)| new));
        }
        edges.iter_mut().filter(|edge| **edge == NONE).zip(first..).for_each(|(edge, place)| *edge = place);
        return;
    }
    let mut sieve = Sieve([0; 64]);
    for (place, edge) in edges.iter_mut().enumerate().filter(|(_, edge)| **edge == NONE) {
        let key = keys[place];
        let is_alike = sieve.may_have_met(key) && keys[..place].contains(&key);
        let found = if is_alike { tree.find(node, key) } else { None };
        *edge = found.unwrap_or_else(|| tree.push_edge(node, key, ids[place], priors[place]));
    }
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
            tree.find(node, key).is_some()
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
    let edge = match tree.find(node, key) {
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
    enter(tree, Taken { node, edge }, path)
}

/// Goes along an edge, noted in `path`: the node behind it. Where the memory has no room to note it the simulation leaves the tree.
fn enter(tree: &mut Tree, taken: Taken, path: &mut Vec<Taken>) -> u32 {
    tree.enter(taken).map_or(NONE, |child| {
        path.push(taken);
        child
    })
}
