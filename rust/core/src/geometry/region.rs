//! Connected regions, computed from scratch: a flood fill, and a union-find for checks of invariants.

/// All nodes reachable from `start` (with it), in the order found. `visited` marks what has been seen, before and by this call;
/// `neighbours` pushes the neighbours of a node.
pub fn flood_fill(start: usize, visited: &mut [bool], mut neighbours: impl FnMut(usize, &mut Vec<usize>)) -> Vec<usize> {
    let mut region = vec![start];
    visited[start] = true;
    let mut adjacent = Vec::new();
    let mut next = 0;
    while next < region.len() {
        neighbours(region[next], &mut adjacent);
        for node in adjacent.drain(..) {
            if !visited[node] {
                visited[node] = true;
                region.push(node);
            }
        }
        next += 1;
    }
    region
}

/// Disjoint sets over `0..len`, with path halving; the root of a set is its smallest member, so that equal partitions are equal
/// values once [`UnionFind::flatten`] has been called.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct UnionFind {
    parent: Vec<u16>,
}

impl UnionFind {
    /// Every element in a set of its own.
    ///
    /// # Panics
    /// If `len` exceeds 65,536.
    #[must_use]
    pub fn new(len: usize) -> Self {
        assert!(len <= 1 << 16, "too many elements");
        Self { parent: (0..len).map(|element| element as u16).collect() }
    }

    /// The smallest member of the set of `element`.
    pub fn find(&mut self, element: usize) -> usize {
        let mut element = element;
        while usize::from(self.parent[element]) != element {
            self.parent[element] = self.parent[usize::from(self.parent[element])];
            element = usize::from(self.parent[element]);
        }
        element
    }

    /// Joins two sets; whether they were different.
    pub fn union(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b)] = a.min(b) as u16;
        a != b
    }

    /// Points every element at its root.
    pub fn flatten(&mut self) {
        for element in 0..self.parent.len() {
            self.parent[element] = self.find(element) as u16;
        }
    }
}
