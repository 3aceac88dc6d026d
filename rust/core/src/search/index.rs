//! A hash index from edge key to edge position, for nodes with many edges. It uses open addressing with linear probing. A 32-bit slot
//! holds an 8-bit tag of the key's hash and a 24-bit position. Most keys that are looked for are absent, and the tags alone decide
//! most of these misses.

/// The largest number of edges of a node.
pub(crate) const MAX_EDGES: usize = (1 << POSITION_BITS) - 1;
const POSITION_BITS: u32 = 24;
const EMPTY: u32 = u32::MAX;

#[derive(Debug)]
pub(crate) struct HashIndex {
    /// Tag in the high bits, position in the low bits. The number of slots is a power of two, and at most half are in use.
    slots: Vec<u32>,
    len: usize,
}

impl HashIndex {
    /// The largest number of slots per edge.
    pub(crate) const SLOTS_PER_EDGE: usize = 4;

    /// Builds the index of edges with these keys.
    pub(crate) fn new(keys: impl ExactSizeIterator<Item = u64>) -> Self {
        let mut index = Self { slots: vec![EMPTY; (keys.len() * 2).next_power_of_two()], len: 0 };
        keys.zip(0..).for_each(|(key, position)| index.put(key, position));
        index
    }

    /// Finds the position of `key`. `has_key` says whether the edge at a position has the key.
    pub(crate) fn find(&self, key: u64, has_key: impl Fn(u32) -> bool) -> Option<u32> {
        let (mut at, tag) = self.first_slot(key);
        loop {
            let slot = self.slots[at];
            if slot == EMPTY {
                return None;
            }
            let position = slot & MAX_EDGES as u32;
            if slot - position == tag && has_key(position) {
                return Some(position);
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    /// Inserts a key that is absent. `keys` are the keys of all edges, the new one included; the index is rebuilt from them when it
    /// is too full.
    pub(crate) fn insert(&mut self, key: u64, position: u32, keys: impl ExactSizeIterator<Item = u64>) {
        if (self.len + 1) * 2 > self.slots.len() {
            *self = Self::new(keys);
        } else {
            self.put(key, position);
        }
    }

    fn put(&mut self, key: u64, position: u32) {
        let (mut at, tag) = self.first_slot(key);
        while self.slots[at] != EMPTY {
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.slots[at] = tag | position;
        self.len += 1;
    }

    /// The slot where probing for `key` starts, and the tag of `key`.
    fn first_slot(&self, key: u64) -> (usize, u32) {
        let hash = hash(key);
        (hash as usize & (self.slots.len() - 1), (hash >> 32) as u32 >> POSITION_BITS << POSITION_BITS)
    }
}

/// Mixes the bits of a key.
fn hash(key: u64) -> u64 {
    let mixed = (key ^ (key >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::rng::Rng;

    #[test]
    fn agrees_with_a_hash_map() {
        let mut rng = Rng::stream(1, "index", 0);
        // Keys that are spread out, consecutive keys, and keys that differ in the upper half only.
        for spread in [|number: u64| number.wrapping_mul(0x0123_4567_89ab_cdef), |number| number, |number: u64| number << 40] {
            let (mut keys, mut map) = (Vec::new(), HashMap::new());
            let mut index = HashIndex::new([].into_iter());
            for _ in 0..5000 {
                let key = spread(u64::from(rng.below(4000)));
                let found = index.find(key, |position| keys[position as usize] == key);
                assert_eq!(found, map.get(&key).copied(), "{key}");
                if found.is_none() {
                    let position = keys.len() as u32;
                    keys.push(key);
                    map.insert(key, position);
                    index.insert(key, position, keys.iter().copied());
                }
            }
            assert!(index.slots.len() <= HashIndex::SLOTS_PER_EDGE * keys.len());
        }
    }
}
