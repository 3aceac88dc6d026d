//! The search tree. Nodes hold no state: each simulation descends from the root with a world of its own. A node stands for what the
//! search can tell apart, and an edge is keyed by what a step shows (`EdgeKey`).

use crate::player::{ByPlayer, MAX_PLAYERS};
use crate::rng::Rng;
use crate::search::index::{self, HashIndex};
use crate::search::settings::Settings;

/// The root, which is the first node.
pub(crate) const ROOT: u32 = 0;
/// No node, no edge, or no statistics.
pub(crate) const NONE: u32 = u32::MAX;
/// The mover of a chance node.
const CHANCE: u8 = u8::MAX;
/// Nodes per chunk. A tree grows by chunks and is never copied to grow, so its memory is what is counted.
const CHUNK: usize = 1024;
/// Up to this many edges a node is searched linearly, without a hash index.
const LINEAR_EDGES: usize = 8;
/// How much worse than the mean of its siblings a pending simulation counts.
const VIRTUAL_LOSS: f64 = 0.5;

/// An edge. Most edges are never visited, so visit statistics live in a separate array ([`EdgeStats`]).
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    /// Unique among the edges of the node.
    pub(crate) key: u64,
    /// Id of the action or outcome that made the edge.
    pub(crate) id: u32,
    pub(crate) prior: f32,
    /// How often the edge was a candidate. Only `uct` counts it.
    available: u32,
    /// Position of its [`EdgeStats`] in the node, or `NONE`.
    stats: u32,
}

impl Edge {
    const fn new(key: u64, id: u32, prior: f32) -> Self {
        Self { key, id, prior, available: 0, stats: NONE }
    }
}

/// Visit statistics of an edge.
#[derive(Clone, Debug)]
pub(crate) struct EdgeStats {
    /// Sum of the mover's values.
    pub(crate) value: f64,
    pub(crate) child: u32,
    pub(crate) visits: u32,
    /// Simulations that went through the edge and are not backed up yet.
    pending: u32,
}

/// Statistics of an edge without a visit.
const UNVISITED: &EdgeStats = &EdgeStats { value: 0.0, child: NONE, visits: 0, pending: 0 };

/// Memory of an edge and of its slots in a hash index, counted whether or not the node has one.
const EDGE_BYTES: usize = size_of::<Edge>() + HashIndex::SLOTS_PER_EDGE * size_of::<u32>();

#[derive(Debug, Default)]
pub(crate) struct Node {
    pub(crate) edges: Vec<Edge>,
    stats: Vec<EdgeStats>,
    /// Made when a node with many edges is searched out of order.
    index: Option<Box<HashIndex>>,
    pub(crate) visits: u32,
    /// The seat that decides here, or `CHANCE`. Valid once there are edges.
    mover: u8,
}

impl Node {
    /// Statistics of an edge of this node.
    pub(crate) fn stats(&self, edge: &Edge) -> &EdgeStats {
        if edge.stats == NONE { UNVISITED } else { &self.stats[edge.stats as usize] }
    }

    /// Statistics of an edge that was traversed.
    fn stats_mut(&mut self, edge: u32) -> &mut EdgeStats {
        &mut self.stats[self.edges[edge as usize].stats as usize]
    }

    /// Finds the edge with `key`. The position `hint` is tried first.
    fn find_edge(&mut self, key: u64, hint: usize) -> Option<u32> {
        let edges = &self.edges;
        if edges.get(hint).is_some_and(|edge| edge.key == key) {
            return Some(hint as u32);
        }
        if edges.len() <= LINEAR_EDGES {
            return edges.iter().position(|edge| edge.key == key).map(|position| position as u32);
        }
        let index = self.index.get_or_insert_with(|| Box::new(HashIndex::new(edges.iter().map(|edge| edge.key))));
        index.find(key, |position| edges[position as usize].key == key)
    }

    fn push_edge(&mut self, key: u64, id: u32, prior: f32) -> u32 {
        let position = self.edges.len() as u32;
        self.edges.push(Edge::new(key, id, prior));
        if let Some(index) = &mut self.index {
            index.insert(key, position, self.edges.iter().map(|edge| edge.key));
        }
        position
    }
}

/// An edge of a path: the node it leaves and its position there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathEdge {
    pub(crate) node: u32,
    pub(crate) edge: u32,
}

#[derive(Debug)]
pub(crate) struct Tree {
    chunks: Vec<Vec<Node>>,
    edge_bytes: u64,
    memory_limit: u64,
    /// Whether the memory limit has stopped the growth.
    pub(crate) truncated: bool,
    /// The longest path so far.
    pub(crate) depth: u32,
    pub(crate) simulations: u64,
    /// Each seat's values, summed over the simulations.
    pub(crate) values: [f64; MAX_PLAYERS],
}

impl Tree {
    /// A tree that has only a root.
    pub(crate) fn new(memory_limit: u64) -> Self {
        let mut tree = Self {
            chunks: Vec::new(),
            edge_bytes: 0,
            memory_limit,
            truncated: false,
            depth: 0,
            simulations: 0,
            values: [0.0; MAX_PLAYERS],
        };
        tree.push_node();
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

    /// Memory in bytes.
    pub(crate) fn memory(&self) -> u64 {
        (self.chunks.len() * CHUNK * size_of::<Node>()) as u64 + self.edge_bytes
    }

    /// Whether `bytes` more fit. If not, the tree is marked as truncated.
    fn has_room(&mut self, bytes: usize) -> bool {
        let fits = self.memory() + bytes as u64 <= self.memory_limit && self.len() < NONE as usize - CHUNK;
        self.truncated |= !fits;
        fits
    }

    fn push_node(&mut self) -> u32 {
        let position = self.len();
        if position == self.chunks.len() * CHUNK {
            self.chunks.push(Vec::with_capacity(CHUNK));
        }
        self.chunks[position / CHUNK].push(Node::default());
        position as u32
    }

    /// Adds a node. Returns `NONE` if the memory is full.
    fn try_push_node(&mut self) -> u32 {
        let needs_chunk = self.len() == self.chunks.len() * CHUNK;
        if needs_chunk && !self.has_room(CHUNK * size_of::<Node>()) { NONE } else { self.push_node() }
    }

    /// Finds the edge of `node` with `key`.
    pub(crate) fn find_edge(&mut self, node: u32, key: u64) -> Option<u32> {
        self.node_mut(node).find_edge(key, usize::MAX)
    }

    /// Looks up the `keys` whose entry in `edges` is `NONE`, and writes the edges that exist. Returns how many are still missing.
    pub(crate) fn find_edges(&mut self, node: u32, keys: &[u64], edges: &mut [u32]) -> usize {
        let node = self.node_mut(node);
        if node.edges.is_empty() {
            return keys.len();
        }
        // Edges of the same hand were made together and in this order, so the next edge is the best guess.
        let mut next = 0;
        let mut missing = 0;
        for (&key, edge) in keys.iter().zip(edges) {
            if *edge == NONE {
                *edge = node.find_edge(key, next as usize).unwrap_or(NONE);
            }
            if *edge == NONE {
                missing += 1;
            } else {
                next = *edge + 1;
            }
        }
        missing
    }

    /// Reserves memory for `count` more edges at `node` and sets its mover (`None` is chance). Returns false if the memory is full.
    /// A `required` reservation ignores the memory limit.
    pub(crate) fn reserve_edges(&mut self, node: u32, count: usize, mover: Option<u8>, required: bool) -> bool {
        let (before, len) = (self.node(node).edges.capacity(), self.node(node).edges.len());
        if len + count > index::MAX_EDGES {
            self.truncated = true;
            return false;
        }
        if len + count > before {
            // The first time exactly what is needed; later the capacity grows by half.
            let wanted = if before == 0 { count } else { (len + count).max(before + before / 2) };
            if !self.has_room((wanted - before) * EDGE_BYTES) && !required {
                return false;
            }
            let edges = &mut self.node_mut(node).edges;
            edges.reserve_exact(wanted - len);
            let grown = edges.capacity() - before;
            self.edge_bytes += (grown * EDGE_BYTES) as u64;
        }
        if required {
            // Every later visit to these edges can be counted, even when the memory is full.
            self.reserve_stats(node, len + count);
        }
        self.node_mut(node).mover = mover.unwrap_or(CHANCE);
        true
    }

    fn reserve_stats(&mut self, node: u32, capacity: usize) {
        let stats = &mut self.node_mut(node).stats;
        let before = stats.capacity();
        stats.reserve_exact(capacity.saturating_sub(stats.len()));
        let grown = stats.capacity() - before;
        self.edge_bytes += (grown * size_of::<EdgeStats>()) as u64;
    }

    /// Adds edges (key, id, prior) whose memory is reserved.
    pub(crate) fn extend_edges(&mut self, node: u32, edges: impl Iterator<Item = (u64, u32, f32)>) {
        let node = self.node_mut(node);
        if node.index.is_none() {
            node.edges.extend(edges.map(|(key, id, prior)| Edge::new(key, id, prior)));
        } else {
            edges.for_each(|(key, id, prior)| {
                node.push_edge(key, id, prior);
            });
        }
    }

    /// Adds an edge whose memory is reserved.
    pub(crate) fn push_edge(&mut self, node: u32, key: u64, id: u32, prior: f32) -> u32 {
        self.node_mut(node).push_edge(key, id, prior)
    }

    /// Replaces the priors of all edges of `node`.
    pub(crate) fn set_priors(&mut self, node: u32, priors: &[f32]) {
        self.node_mut(node).edges.iter_mut().zip(priors).for_each(|(edge, &prior)| edge.prior = prior);
    }

    /// Whether the edges of `node` belong to another mover. Such a node stands for two situations, which a game must prevent.
    pub(crate) fn has_other_mover(&self, node: u32, mover: Option<u8>) -> bool {
        let node = self.node(node);
        !node.edges.is_empty() && node.mover != mover.unwrap_or(CHANCE)
    }

    /// The seat that decides at a node with edges.
    pub(crate) fn mover(&self, node: u32) -> Option<u8> {
        Some(self.node(node).mover).filter(|&mover| mover != CHANCE)
    }

    /// Traverses an edge: counts the simulation as pending and returns the child, which is made if it is new (`NONE` if it does not
    /// fit). Returns `None` if the memory has no room for the statistics.
    pub(crate) fn traverse(&mut self, PathEdge { node, edge }: PathEdge) -> Option<u32> {
        let parent = self.node(node);
        let mut position = parent.edges[edge as usize].stats;
        if position == NONE {
            let (len, capacity) = (parent.stats.len(), parent.stats.capacity());
            if len == capacity {
                let wanted = (2 * capacity).clamp(1, parent.edges.len());
                if !self.has_room((wanted - capacity) * size_of::<EdgeStats>()) {
                    return None;
                }
                self.reserve_stats(node, wanted);
            }
            position = len as u32;
            let parent = self.node_mut(node);
            parent.edges[edge as usize].stats = position;
            parent.stats.push(UNVISITED.clone());
        }
        let stats = &mut self.node_mut(node).stats[position as usize];
        stats.pending += 1;
        if stats.child != NONE {
            return Some(stats.child);
        }
        let child = self.try_push_node();
        self.node_mut(node).stats[position as usize].child = child;
        Some(child)
    }

    /// Selects one of `candidates`, edges of `node`, by `puct` or `uct`. Ties are broken at random.
    pub(crate) fn select_edge(
        &mut self,
        node: u32,
        candidates: impl Iterator<Item = u32> + Clone,
        settings: &Settings,
        rng: &mut Rng,
    ) -> u32 {
        let Node { edges, stats, .. } = self.node_mut(node);
        let (mut visits, mut pending, mut value) = (0_u32, 0_u32, 0.0);
        for position in candidates.clone() {
            let edge = &mut edges[position as usize];
            edge.available += u32::from(!settings.puct);
            if edge.stats != NONE {
                let stats = &stats[edge.stats as usize];
                visits += stats.visits;
                pending += stats.pending;
                value += stats.value;
            }
        }
        let mean = if visits == 0 { 0.0 } else { value / f64::from(visits) };
        let root = f64::from(visits + pending + 1).sqrt();
        let score_unvisited = |edge: &Edge| {
            if settings.puct {
                mean + settings.exploration * f64::from(edge.prior) * root
            } else {
                // Every edge is visited once, the highest prior first.
                1e9 + f64::from(edge.prior)
            }
        };
        let mut logarithm = (0, 0.0);
        let mut score_visited = |edge: &Edge, stats: &EdgeStats| {
            let count = f64::from(stats.visits + stats.pending);
            if count == 0.0 {
                return score_unvisited(edge);
            }
            let expected = (stats.value + f64::from(stats.pending) * (mean - VIRTUAL_LOSS)) / count;
            if settings.puct {
                return expected + settings.exploration * f64::from(edge.prior) * root / (1.0 + count);
            }
            if logarithm.0 != edge.available {
                logarithm = (edge.available, libm::log(f64::from(edge.available)));
            }
            expected + settings.exploration * (logarithm.1 / count).sqrt()
        };
        let (mut best, mut best_score, mut ties) = (NONE, f64::NEG_INFINITY, 1);
        for position in candidates {
            let edge = &edges[position as usize];
            let score = if edge.stats == NONE { score_unvisited(edge) } else { score_visited(edge, &stats[edge.stats as usize]) };
            if score > best_score {
                (best, best_score, ties) = (position, score, 1);
            } else if score == best_score {
                ties += 1;
                if rng.below(ties) == 0 {
                    best = position;
                }
            }
        }
        best
    }

    /// Visits of an edge, pending simulations included.
    pub(crate) fn visits_and_pending(&self, node: u32, edge: u32) -> u64 {
        let node = self.node(node);
        let stats = node.stats(&node.edges[edge as usize]);
        u64::from(stats.visits) + u64::from(stats.pending)
    }

    /// The candidate with the fewest visits, pending ones included. Of equals the first.
    pub(crate) fn least_visited(&self, node: u32, candidates: impl Iterator<Item = u32>) -> u32 {
        candidates.min_by_key(|&edge| self.visits_and_pending(node, edge)).expect("a decision has a legal action")
    }

    /// Backs up the values of a finished simulation along its path. `end` is the node where the path ended, or `NONE`.
    pub(crate) fn back_up(&mut self, path: &[PathEdge], end: u32, values: &ByPlayer<f64>) {
        for &PathEdge { node, edge } in path {
            let node = self.node_mut(node);
            node.visits += 1;
            let mover = node.mover;
            let stats = node.stats_mut(edge);
            stats.pending -= 1;
            stats.visits += 1;
            if mover != CHANCE {
                stats.value += values[mover as usize];
            }
        }
        if end != NONE {
            self.node_mut(end).visits += 1;
        }
        self.simulations += 1;
        self.depth = self.depth.max(path.len() as u32);
        for (sum, value) in self.values.iter_mut().zip(values) {
            *sum += value;
        }
    }

    /// Takes back a pending simulation that will have no values.
    pub(crate) fn cancel(&mut self, path: &[PathEdge]) {
        for &PathEdge { node, edge } in path {
            self.node_mut(node).stats_mut(edge).pending -= 1;
        }
    }

    /// The subtree at the node that `keys` lead to, as a tree of its own. `None` if there is no such node.
    pub(crate) fn into_subtree(mut self, keys: &[u64]) -> Option<Self> {
        let mut top = ROOT;
        for &key in keys {
            let edge = self.find_edge(top, key)?;
            let node = self.node(top);
            top = node.stats(&node.edges[edge as usize]).child;
            if top == NONE {
                return None;
            }
        }
        let mut tree = Self::new(self.memory_limit);
        let mut open = vec![(top, ROOT)];
        while let Some((from, to)) = open.pop() {
            let mut node = std::mem::take(self.node_mut(from));
            tree.edge_bytes += (node.edges.capacity() * EDGE_BYTES + node.stats.capacity() * size_of::<EdgeStats>()) as u64;
            for stats in node.stats.iter_mut().filter(|stats| stats.child != NONE) {
                let child = tree.push_node();
                open.push((stats.child, child));
                stats.child = child;
            }
            *tree.node_mut(to) = node;
        }
        // As at any root, every later visit can be counted.
        tree.reserve_stats(ROOT, tree.node(ROOT).edges.len());
        Some(tree)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EDGES: u32 = 40;

    fn expand(tree: &mut Tree, node: u32, required: bool) {
        assert!(tree.reserve_edges(node, EDGES as usize, Some(0), required));
        tree.extend_edges(node, (0..EDGES).map(|id| (u64::from(id) << 7, id, 0.1)));
    }

    #[test]
    fn a_root_counts_all_its_actions_even_if_the_memory_is_full() {
        let mut tree = Tree::new(1 << 20);
        expand(&mut tree, ROOT, true);
        let child = tree.traverse(PathEdge { node: ROOT, edge: 3 }).expect("room");
        expand(&mut tree, child, false);
        tree.memory_limit = tree.memory();
        for edge in 0..EDGES {
            assert!(tree.traverse(PathEdge { node: ROOT, edge }).is_some());
        }
        assert!(tree.traverse(PathEdge { node: child, edge: 5 }).is_none() && tree.truncated);
        // The subtree's root is the child.
        let mut tree = tree.into_subtree(&[3 << 7]).expect("in the tree");
        tree.memory_limit = tree.memory();
        for edge in 0..EDGES {
            assert!(tree.traverse(PathEdge { node: ROOT, edge }).is_some());
        }
    }
}
