//! Where the edges of a large node are, by key: slots with a few bits of a key's hash beside a place, found by linear probing. A slot
//! is a quarter of a key with its place, and most keys looked for are not there, which the slots alone nearly always tell.

/// Edges that a node can have.
pub(crate) const MOST: usize = (1 << PLACE_BITS) - 1;
const PLACE_BITS: u32 = 24;
const FREE: u32 = u32::MAX;

#[derive(Debug)]
pub(crate) struct Index {
    /// Part of a hash above, place below; a power of two of them, at most half taken.
    slots: Vec<u32>,
    len: usize,
}

impl Index {
    /// Slots for each edge, at most.
    pub(crate) const SLOTS: usize = 4;

    /// An index of edges with these keys.
    pub(crate) fn new(keys: impl ExactSizeIterator<Item = u64>) -> Self {
        let mut index = Self { slots: vec![FREE; (keys.len() * 2).next_power_of_two()], len: 0 };
        keys.zip(0..).for_each(|(key, place)| index.put(key, place));
        index
    }

    /// The place of `key`, whose edge `is_it` knows.
    pub(crate) fn find(&self, key: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        let (mut at, tag) = self.start(key);
        loop {
            let slot = self.slots[at];
            if slot == FREE {
                return None;
            }
            let place = slot & MOST as u32;
            if slot - place == tag && is_it(place) {
                return Some(place);
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    /// Adds a key that is not there; `keys` are those of all places with it, should there be no room.
    pub(crate) fn insert(&mut self, key: u64, place: u32, keys: impl ExactSizeIterator<Item = u64>) {
        if (self.len + 1) * 2 > self.slots.len() {
            *self = Self::new(keys);
        } else {
            self.put(key, place);
        }
    }

    fn put(&mut self, key: u64, place: u32) {
        let (mut at, tag) = self.start(key);
        while self.slots[at] != FREE {
            at = (at + 1) & (self.slots.len() - 1);
        }
        self.slots[at] = tag | place;
        self.len += 1;
    }

    /// The first slot to look at, and the part of the hash beside the place.
    fn start(&self, key: u64) -> (usize, u32) {
        let hash = hash(key);
        (hash as usize & (self.slots.len() - 1), (hash >> 32) as u32 >> PLACE_BITS << PLACE_BITS)
    }
}

/// Mixes a key that is already a number.
pub(crate) fn hash(key: u64) -> u64 {
    let mixed = (key ^ (key >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::rng::Rng;

    #[test]
    fn finds_what_a_map_finds() {
        let mut rng = Rng::stream(1, "index", 0);
        // Keys that lie apart, that follow each other, that differ in the upper half only.
        for spread in [|number: u64| number.wrapping_mul(0x0123_4567_89ab_cdef), |number| number, |number: u64| number << 40] {
            let (mut keys, mut map) = (Vec::new(), HashMap::new());
            let mut index = Index::new([].into_iter());
            for _ in 0..5000 {
                let key = spread(u64::from(rng.below(4000)));
                let found = index.find(key, |place| keys[place as usize] == key);
                assert_eq!(found, map.get(&key).copied(), "{key}");
                if found.is_none() {
                    let place = keys.len() as u32;
                    keys.push(key);
                    map.insert(key, place);
                    index.insert(key, place, keys.iter().copied());
                }
            }
            assert!(index.slots.len() <= Index::SLOTS * keys.len());
        }
    }
}
