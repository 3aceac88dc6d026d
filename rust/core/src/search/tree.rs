//! The tree of statistics. Nodes hold no state: a simulation carries its world down from the root. A node is a place in what an
//! observer can tell apart, an edge is what the observer learns from a step.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::player::{ByPlayer, MAX_PLAYERS};
use crate::rng::Rng;
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

/// A step from a node.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    /// What tells it apart among the edges of its node.
    pub(crate) key: u64,
    /// Sum of the mover's values.
    pub(crate) value: f64,
    /// Id of the action or outcome by which it was first met.
    pub(crate) id: u32,
    pub(crate) child: u32,
    pub(crate) visits: u32,
    /// Simulations under way behind it.
    pub(crate) pending: u32,
    /// Times it could have been chosen.
    pub(crate) available: u32,
    pub(crate) prior: f32,
}

#[derive(Debug, Default)]
pub(crate) struct Node {
    pub(crate) edges: Vec<Edge>,
    /// Places of the edges by key, once there are many and they have been asked for out of order.
    index: Option<HashMap<u64, u32, BuildHasherDefault<KeyHasher>>>,
    pub(crate) visits: u32,
    /// The seat that decides here, or chance; meaningful once there are edges.
    mover: u8,
}

/// Mixes a key that is already a number.
#[derive(Debug, Default)]
pub(crate) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, key: u64) {
        let mixed = (self.0 ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 29);
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

    /// The edge of `node` with `key`; `hint` is where it probably is.
    pub(crate) fn find(&mut self, node: u32, key: u64, hint: usize) -> Option<u32> {
        let node = self.node_mut(node);
        if node.edges.get(hint).is_some_and(|edge| edge.key == key) {
            return Some(hint as u32);
        }
        if node.edges.len() <= SMALL {
            return node.edges.iter().position(|edge| edge.key == key).map(|place| place as u32);
        }
        let edges = &node.edges;
        let index =
            node.index.get_or_insert_with(|| edges.iter().enumerate().map(|(place, edge)| (edge.key, place as u32)).collect());
        index.get(&key).copied()
    }

    /// Makes room for `count` more edges at `node`, which then belongs to `mover` (`None` is chance); false if the memory is full,
    /// unless `needed`.
    pub(crate) fn reserve(&mut self, node: u32, count: usize, mover: Option<u8>, needed: bool) -> bool {
        // An index, if it comes to that, costs about as much per edge as a key and a place.
        let per_edge = size_of::<Edge>() + 2 * size_of::<(u64, u32)>();
        let (before, len) = (self.node(node).edges.capacity(), self.node(node).edges.len());
        if len + count > before {
            // Exactly what is needed the first time, then by halves.
            let wanted = if before == 0 { count } else { (len + count).max(before + before / 2) };
            if !self.has_room((wanted - before) * per_edge) && !needed {
                return false;
            }
            let edges = &mut self.node_mut(node).edges;
            edges.reserve_exact(wanted - len);
            let grown = edges.capacity() - before;
            self.edge_bytes += (grown * per_edge) as u64;
        }
        self.node_mut(node).mover = mover.unwrap_or(CHANCE);
        true
    }

    /// Adds all edges (key, id, prior) of a node that has none and for which room has been made.
    pub(crate) fn fill(&mut self, node: u32, edges: impl Iterator<Item = (u64, u32, f32)>) {
        let make = |(key, id, prior)| Edge { key, value: 0.0, id, child: NONE, visits: 0, pending: 0, available: 0, prior };
        self.node_mut(node).edges.extend(edges.map(make));
    }

    /// Adds an edge for which room has been made.
    pub(crate) fn push_edge(&mut self, node: u32, key: u64, id: u32, prior: f32) -> u32 {
        let node = self.node_mut(node);
        let place = node.edges.len() as u32;
        node.edges.push(Edge { key, value: 0.0, id, child: NONE, visits: 0, pending: 0, available: 0, prior });
        if let Some(index) = &mut node.index {
            index.insert(key, place);
        }
        place
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

    /// Goes along an edge for a simulation under way: the child, made if it is new and fits.
    pub(crate) fn enter(&mut self, taken: Taken) -> u32 {
        let edge = &mut self.node_mut(taken.node).edges[taken.edge as usize];
        edge.pending += 1;
        if edge.child != NONE {
            return edge.child;
        }
        let child = self.make_node();
        self.node_mut(taken.node).edges[taken.edge as usize].child = child;
        child
    }

    /// Chooses among `candidates`, edges of `node`; equals by lot.
    pub(crate) fn choose(&mut self, node: u32, candidates: &[u32], settings: &Settings, rng: &mut Rng) -> u32 {
        let edges = &mut self.node_mut(node).edges;
        let (mut visits, mut pending, mut value) = (0_u32, 0_u32, 0.0);
        for &place in candidates {
            let edge = &mut edges[place as usize];
            edge.available += 1;
            visits += edge.visits;
            pending += edge.pending;
            value += edge.value;
        }
        let mean = if visits == 0 { 0.0 } else { value / f64::from(visits) };
        let expected = |edge: &Edge| {
            let tried = f64::from(edge.visits + edge.pending);
            if tried == 0.0 { mean } else { (edge.value + f64::from(edge.pending) * (mean - VIRTUAL_LOSS)) / tried }
        };
        let root = f64::from(visits + pending + 1).sqrt();
        let mut logarithm = (0, 0.0);
        let mut best = (f64::NEG_INFINITY, candidates[0], 1);
        for &place in candidates {
            let edge = &edges[place as usize];
            let tried = f64::from(edge.visits + edge.pending);
            let worth = if settings.puct {
                expected(edge) + settings.exploration * f64::from(edge.prior) * root / (1.0 + tried)
            } else if tried == 0.0 {
                // Everything once, the likely ones first.
                1e9 + f64::from(edge.prior)
            } else {
                if logarithm.0 != edge.available {
                    logarithm = (edge.available, libm::log(f64::from(edge.available)));
                }
                expected(edge) + settings.exploration * (logarithm.1 / tried).sqrt()
            };
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
        let edge = &self.node(node).edges[edge as usize];
        u64::from(edge.visits) + u64::from(edge.pending)
    }

    /// The candidate tried least, the first of equals.
    pub(crate) fn least_tried(&self, node: u32, candidates: &[u32]) -> u32 {
        let edges = &self.node(node).edges;
        let tried = |&&place: &&u32| edges[place as usize].visits + edges[place as usize].pending;
        *candidates.iter().min_by_key(tried).expect("a decision has a legal action")
    }

    /// Adds the values of a finished simulation along its way; `ends` are the nodes where it ended.
    pub(crate) fn back_up(&mut self, path: &[Taken], ends: &[u32], values: &ByPlayer<f64>) {
        for &taken in path {
            let node = self.node_mut(taken.node);
            node.visits += 1;
            let mover = node.mover;
            let edge = &mut node.edges[taken.edge as usize];
            edge.pending -= 1;
            edge.visits += 1;
            if mover != CHANCE {
                edge.value += values[mover as usize];
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
            self.node_mut(taken.node).edges[taken.edge as usize].pending -= 1;
        }
    }

    /// The tree below the node that `keys` lead to from the root, as a tree of its own; `None` if they lead out of it.
    pub(crate) fn below(mut self, keys: &[u64]) -> Option<Self> {
        let mut top = self.roots[0];
        for &key in keys {
            let edge = self.find(top, key, 0)?;
            top = self.node(top).edges[edge as usize].child;
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
            tree.edge_bytes += (node.edges.capacity() * (size_of::<Edge>() + 2 * size_of::<(u64, u32)>())) as u64;
            for edge in node.edges.iter_mut().filter(|edge| edge.child != NONE) {
                let child = tree.push_node();
                open.push((edge.child, child));
                edge.child = child;
            }
            *tree.node_mut(to) = node;
        }
        Some(tree)
    }
}
