//! The tree of statistics. Nodes hold no state: a simulation carries its world down from the root. A node is a place in what an
//! observer can tell apart, an edge is what the observer learns from a step.

use crate::player::{ByPlayer, MAX_PLAYERS};
use crate::rng::Rng;
use crate::search::index::{self, Index};
use crate::search::settings::Settings;

/// No node.
pub(crate) const NONE: u32 = u32::MAX;
/// Mover of a chance node.
const CHANCE: u8 = u8::MAX;
/// Nodes per piece of storage: a tree never copies itself to grow, so its memory is what is counted.
const CHUNK: usize = 1024;
/// Edges up to which a node is searched through without an index.
const SMALL: usize = 8;
/// How much worse than its siblings a simulation that is still under way counts.
const VIRTUAL_LOSS: f64 = 0.5;

/// A step from a node. Most are never taken, so what is known of those that are lies apart.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    /// What tells it apart among the edges of its node.
    pub(crate) key: u64,
    /// Id of the action or outcome by which it was first met.
    pub(crate) id: u32,
    pub(crate) prior: f32,
    /// Times it could have been chosen.
    available: u32,
    /// Place of its [`Tries`], or none.
    tries: u32,
}

impl Edge {
    const fn new(key: u64, id: u32, prior: f32) -> Self {
        Self { key, id, prior, available: 0, tries: NONE }
    }
}

/// What came of an edge that was taken.
#[derive(Clone, Debug)]
pub(crate) struct Tries {
    /// Sum of the mover's values.
    pub(crate) value: f64,
    pub(crate) child: u32,
    pub(crate) visits: u32,
    /// Simulations under way behind it.
    pending: u32,
}

/// What came of an edge that nobody has taken.
const UNTRIED: &Tries = &Tries { value: 0.0, child: NONE, visits: 0, pending: 0 };

/// Memory of an edge and of its part of an index, if it comes to that.
const EDGE_BYTES: usize = size_of::<Edge>() + Index::SLOTS * size_of::<u32>();

#[derive(Debug, Default)]
pub(crate) struct Node {
    pub(crate) edges: Vec<Edge>,
    tries: Vec<Tries>,
    /// Once there are many edges and they have been asked for out of order.
    index: Option<Box<Index>>,
    pub(crate) visits: u32,
    /// The seat that decides here, or chance; meaningful once there are edges.
    mover: u8,
}

impl Node {
    /// What came of an edge of this node.
    pub(crate) fn tries(&self, edge: &Edge) -> &Tries {
        if edge.tries == NONE { UNTRIED } else { &self.tries[edge.tries as usize] }
    }

    /// What came of an edge that was entered.
    fn taken(&mut self, edge: u32) -> &mut Tries {
        &mut self.tries[self.edges[edge as usize].tries as usize]
    }

    /// The edge with `key`; `hint` is where it probably is.
    fn find(&mut self, key: u64, hint: usize) -> Option<u32> {
        let edges = &self.edges;
        if edges.get(hint).is_some_and(|edge| edge.key == key) {
            return Some(hint as u32);
        }
        if edges.len() <= SMALL {
            return edges.iter().position(|edge| edge.key == key).map(|place| place as u32);
        }
        let index = self.index.get_or_insert_with(|| Box::new(Index::new(edges.iter().map(|edge| edge.key))));
        index.find(key, |place| edges[place as usize].key == key)
    }

    fn push(&mut self, key: u64, id: u32, prior: f32) -> u32 {
        let place = self.edges.len() as u32;
        self.edges.push(Edge::new(key, id, prior));
        if let Some(index) = &mut self.index {
            index.insert(key, place, self.edges.iter().map(|edge| edge.key));
        }
        place
    }
}

/// A step of a simulation: which edge it took from which node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken {
    pub(crate) node: u32,
    pub(crate) edge: u32,
}

#[derive(Debug)]
pub(crate) struct Tree {
    chunks: Vec<Vec<Node>>,
    edge_bytes: u64,
    limit: u64,
    /// One root for each observer.
    pub(crate) roots: Vec<u32>,
    pub(crate) truncated: bool,
    pub(crate) depth: u32,
    pub(crate) simulations: u64,
    /// Sums of all seats' values over the simulations.
    pub(crate) values: [f64; MAX_PLAYERS],
}

impl Tree {
    pub(crate) fn new(observers: usize, limit: u64) -> Self {
        let mut tree = Self {
            chunks: Vec::new(),
            edge_bytes: 0,
            limit,
            roots: Vec::new(),
            truncated: false,
            depth: 0,
            simulations: 0,
            values: [0.0; MAX_PLAYERS],
        };
        for _ in 0..observers {
            let root = tree.push_node();
            tree.roots.push(root);
        }
        tree
    }

    pub(crate) fn node(&self, node: u32) -> &Node {
        &self.chunks[node as usize / CHUNK][node as usize % CHUNK]
    }

    fn node_mut(&mut self, node: u32) -> &mut Node {
        &mut self.chunks[node as usize / CHUNK][node as usize % CHUNK]
    }

    pub(crate) fn len(&self) -> usize {
        self.chunks.last().map_or(0, |last| (self.chunks.len() - 1) * CHUNK + last.len())
    }

    pub(crate) fn memory(&self) -> u64 {
        (self.chunks.len() * CHUNK * size_of::<Node>()) as u64 + self.edge_bytes
    }

    /// Whether `bytes` more would fit; remembers if not.
    fn has_room(&mut self, bytes: usize) -> bool {
        let fits = self.memory() + bytes as u64 <= self.limit && self.len() < NONE as usize - CHUNK;
        self.truncated |= !fits;
        fits
    }

    fn push_node(&mut self) -> u32 {
        let place = self.len();
        if place == self.chunks.len() * CHUNK {
            self.chunks.push(Vec::with_capacity(CHUNK));
        }
        self.chunks[place / CHUNK].push(Node::default());
        place as u32
    }

    /// A new node, unless the memory is full.
    fn make_node(&mut self) -> u32 {
        let grows = self.len() == self.chunks.len() * CHUNK;
        if grows && !self.has_room(CHUNK * size_of::<Node>()) { NONE } else { self.push_node() }
    }

    /// The edge of `node` with `key`.
    pub(crate) fn find(&mut self, node: u32, key: u64) -> Option<u32> {
        self.node_mut(node).find(key, usize::MAX)
    }

    /// Looks for those of `edges` that are missing by their `keys`; how many still are.
    pub(crate) fn find_missing(&mut self, node: u32, keys: &[u64], edges: &mut [u32]) -> usize {
        let node = self.node_mut(node);
        if node.edges.is_empty() {
            return keys.len();
        }
        // Edges of the same hand were made together and in this order: one lies behind the other.
        let mut next = 0;
        let mut missing = 0;
        for (&key, edge) in keys.iter().zip(edges) {
            if *edge == NONE {
                *edge = node.find(key, next as usize).unwrap_or(NONE);
            }
            if *edge == NONE {
                missing += 1;
            } else {
                next = *edge + 1;
            }
        }
        missing
    }

    /// Makes room for `count` more edges at `node`, which then belongs to `mover` (`None` is chance); false if the memory is full,
    /// unless `needed`.
    pub(crate) fn reserve(&mut self, node: u32, count: usize, mover: Option<u8>, needed: bool) -> bool {
        let (before, len) = (self.node(node).edges.capacity(), self.node(node).edges.len());
        if len + count > index::MOST {
            self.truncated = true;
            return false;
        }
        if len + count > before {
            // Exactly what is needed the first time, then by halves.
            let wanted = if before == 0 { count } else { (len + count).max(before + before / 2) };
            if !self.has_room((wanted - before) * EDGE_BYTES) && !needed {
                return false;
            }
            let edges = &mut self.node_mut(node).edges;
            edges.reserve_exact(wanted - len);
            let grown = edges.capacity() - before;
            self.edge_bytes += (grown * EDGE_BYTES) as u64;
        }
        if needed {
            // Whatever comes later, simulations can be noted here.
            self.reserve_tries(node, len + count);
        }
        self.node_mut(node).mover = mover.unwrap_or(CHANCE);
        true
    }

    fn reserve_tries(&mut self, node: u32, capacity: usize) {
        let tries = &mut self.node_mut(node).tries;
        let before = tries.capacity();
        tries.reserve_exact(capacity.saturating_sub(tries.len()));
        let grown = tries.capacity() - before;
        self.edge_bytes += (grown * size_of::<Tries>()) as u64;
    }

    /// Adds edges for which room has been made.
    pub(crate) fn extend(&mut self, node: u32, edges: impl Iterator<Item = (u64, u32, f32)>) {
        let node = self.node_mut(node);
        if node.index.is_none() {
            node.edges.extend(edges.map(|(key, id, prior)| Edge::new(key, id, prior)));
        } else {
            edges.for_each(|(key, id, prior)| {
                node.push(key, id, prior);
            });
        }
    }

    /// Adds an edge for which room has been made.
    pub(crate) fn push_edge(&mut self, node: u32, key: u64, id: u32, prior: f32) -> u32 {
        self.node_mut(node).push(key, id, prior)
    }

    /// Gives all edges of `node` other priors.
    pub(crate) fn set_priors(&mut self, node: u32, priors: &[f32]) {
        self.node_mut(node).edges.iter_mut().zip(priors).for_each(|(edge, &prior)| edge.prior = prior);
    }

    /// Whether the edges of `node` were made for another mover: then it stands for two situations, which a game must not do.
    pub(crate) fn is_foreign(&self, node: u32, mover: Option<u8>) -> bool {
        let node = self.node(node);
        !node.edges.is_empty() && node.mover != mover.unwrap_or(CHANCE)
    }

    /// The seat that decides at a node with edges.
    pub(crate) fn mover(&self, node: u32) -> Option<u8> {
        Some(self.node(node).mover).filter(|&mover| mover != CHANCE)
    }

    /// Goes along an edge for a simulation under way: the child, made if it is new and fits. `None` if the memory has no room to note
    /// the step.
    pub(crate) fn enter(&mut self, taken: Taken) -> Option<u32> {
        let node = self.node(taken.node);
        let mut place = node.edges[taken.edge as usize].tries;
        if place == NONE {
            let (len, capacity) = (node.tries.len(), node.tries.capacity());
            if len == capacity {
                let wanted = (2 * capacity).clamp(1, node.edges.len());
                if !self.has_room((wanted - capacity) * size_of::<Tries>()) {
                    return None;
                }
                self.reserve_tries(taken.node, wanted);
            }
            place = len as u32;
            let node = self.node_mut(taken.node);
            node.edges[taken.edge as usize].tries = place;
            node.tries.push(UNTRIED.clone());
        }
        let tries = &mut self.node_mut(taken.node).tries[place as usize];
        tries.pending += 1;
        if tries.child != NONE {
            return Some(tries.child);
        }
        let child = self.make_node();
        self.node_mut(taken.node).tries[place as usize].child = child;
        Some(child)
    }

    /// Chooses among `candidates`, edges of `node`; equals by lot.
    pub(crate) fn choose(
        &mut self,
        node: u32,
        candidates: impl Iterator<Item = u32> + Clone,
        settings: &Settings,
        rng: &mut Rng,
    ) -> u32 {
        let Node { edges, tries, .. } = self.node_mut(node);
        let (mut visits, mut pending, mut value) = (0_u32, 0_u32, 0.0);
        for place in candidates.clone() {
            let edge = &mut edges[place as usize];
            // Asked for by `uct` only.
            edge.available += u32::from(!settings.puct);
            if edge.tries != NONE {
                let tries = &tries[edge.tries as usize];
                visits += tries.visits;
                pending += tries.pending;
                value += tries.value;
            }
        }
        let mean = if visits == 0 { 0.0 } else { value / f64::from(visits) };
        let root = f64::from(visits + pending + 1).sqrt();
        let untried = |edge: &Edge| {
            if settings.puct {
                mean + settings.exploration * f64::from(edge.prior) * root
            } else {
                // Everything once, the likely ones first.
                1e9 + f64::from(edge.prior)
            }
        };
        let mut logarithm = (0, 0.0);
        let mut tried = |edge: &Edge, tries: &Tries| {
            let count = f64::from(tries.visits + tries.pending);
            if count == 0.0 {
                return untried(edge);
            }
            let expected = (tries.value + f64::from(tries.pending) * (mean - VIRTUAL_LOSS)) / count;
            if settings.puct {
                return expected + settings.exploration * f64::from(edge.prior) * root / (1.0 + count);
            }
            if logarithm.0 != edge.available {
                logarithm = (edge.available, libm::log(f64::from(edge.available)));
            }
            expected + settings.exploration * (logarithm.1 / count).sqrt()
        };
        let mut best = (f64::NEG_INFINITY, NONE, 1);
        for place in candidates {
            let edge = &edges[place as usize];
            let worth = if edge.tries == NONE { untried(edge) } else { tried(edge, &tries[edge.tries as usize]) };
            if worth > best.0 {
                best = (worth, place, 1);
            } else if worth == best.0 {
                best.2 += 1;
                if rng.below(best.2) == 0 {
                    best.1 = place;
                }
            }
        }
        best.1
    }

    /// How often an edge has been tried, simulations under way included.
    pub(crate) fn tries(&self, node: u32, edge: u32) -> u64 {
        let node = self.node(node);
        let tries = node.tries(&node.edges[edge as usize]);
        u64::from(tries.visits) + u64::from(tries.pending)
    }

    /// The candidate tried least, the first of equals.
    pub(crate) fn least_tried(&self, node: u32, candidates: impl Iterator<Item = u32>) -> u32 {
        candidates.min_by_key(|&place| self.tries(node, place)).expect("a decision has a legal action")
    }

    /// Adds the values of a finished simulation along its way; `ends` are the nodes where it ended.
    pub(crate) fn back_up(&mut self, path: &[Taken], ends: &[u32], values: &ByPlayer<f64>) {
        for &taken in path {
            let node = self.node_mut(taken.node);
            node.visits += 1;
            let mover = node.mover;
            let tries = node.taken(taken.edge);
            tries.pending -= 1;
            tries.visits += 1;
            if mover != CHANCE {
                tries.value += values[mover as usize];
            }
        }
        for &end in ends.iter().filter(|&&end| end != NONE) {
            self.node_mut(end).visits += 1;
        }
        self.simulations += 1;
        self.depth = self.depth.max((path.len() / self.roots.len()) as u32);
        for (sum, value) in self.values.iter_mut().zip(values) {
            *sum += value;
        }
    }

    /// Forgets a simulation that was given up.
    pub(crate) fn give_up(&mut self, path: &[Taken]) {
        for &taken in path {
            self.node_mut(taken.node).taken(taken.edge).pending -= 1;
        }
    }

    /// The tree below the node that `keys` lead to from the root, as a tree of its own; `None` if they lead out of it.
    pub(crate) fn below(mut self, keys: &[u64]) -> Option<Self> {
        let mut top = self.roots[0];
        for &key in keys {
            let edge = self.find(top, key)?;
            let node = self.node(top);
            top = node.tries(&node.edges[edge as usize]).child;
            if top == NONE {
                return None;
            }
        }
        let mut tree = Self::new(0, self.limit);
        let copy = tree.push_node();
        tree.roots.push(copy);
        let mut open = vec![(top, copy)];
        while let Some((from, to)) = open.pop() {
            let mut node = std::mem::take(self.node_mut(from));
            tree.edge_bytes += (node.edges.capacity() * EDGE_BYTES + node.tries.capacity() * size_of::<Tries>()) as u64;
            for tries in node.tries.iter_mut().filter(|tries| tries.child != NONE) {
                let child = tree.push_node();
                open.push((tries.child, child));
                tries.child = child;
            }
            *tree.node_mut(to) = node;
        }
        // As for any root: whatever comes later, simulations can be noted here.
        tree.reserve_tries(copy, tree.node(copy).edges.len());
        Some(tree)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EDGES: u32 = 40;

    fn expand(tree: &mut Tree, node: u32, needed: bool) {
        assert!(tree.reserve(node, EDGES as usize, Some(0), needed));
        tree.extend(node, (0..EDGES).map(|id| (u64::from(id) << 7, id, 0.1)));
    }

    #[test]
    fn a_root_has_room_for_all_its_actions_even_if_the_memory_is_full() {
        let mut tree = Tree::new(1, 1 << 20);
        let root = tree.roots[0];
        expand(&mut tree, root, true);
        let child = tree.enter(Taken { node: root, edge: 3 }).expect("room");
        expand(&mut tree, child, false);
        tree.limit = tree.memory();
        for edge in 0..EDGES {
            assert!(tree.enter(Taken { node: root, edge }).is_some());
        }
        assert!(tree.enter(Taken { node: child, edge: 5 }).is_none() && tree.truncated);
        // Kept for the next decision, the child is a root.
        let mut tree = tree.below(&[3 << 7]).expect("in the tree");
        tree.limit = tree.memory();
        let root = tree.roots[0];
        for edge in 0..EDGES {
            assert!(tree.enter(Taken { node: root, edge }).is_some());
        }
    }
}
