//! Luck by counter: independent streams named by (seed, label, index), and draws that are the same on every machine.
//!
//! No state of a game holds a generator. The k-th chance node of a match draws from `Rng::stream(seed, "chance", k)`, and an agent
//! gets a seed for each decision (`arena::agent_seed`), so undo, resume and replay meet the same luck.

use rand::SeedableRng;
use rand::rand_core::Rng as _;
use rand::rngs::Xoshiro256PlusPlus;

/// A portable generator. Outputs are pinned by tests.
///
/// # Stability
/// The numbers drawn from a stream never change within a major version.
#[derive(Clone, Debug)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// The stream `index` of the family `label` under `seed`.
    #[must_use]
    pub fn stream(seed: u64, label: &str, index: u64) -> Self {
        Streams::new(seed, label).stream(index)
    }

    /// 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A uniform number below `bound` (Lemire's method: exact, one multiplication in the common case).
    ///
    /// # Panics
    /// In debug builds, if `bound` is 0.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        debug_assert!(bound > 0, "nothing to draw from");
        let bound = u64::from(bound);
        loop {
            let product = (self.next_u64() >> 32) * bound;
            let low = product & 0xffff_ffff;
            // Only a sliver of the range is biased; the threshold is computed only when `low` may fall into it.
            if low >= bound || low >= (0x1_0000_0000 - bound) % bound {
                return (product >> 32) as u32;
            }
        }
    }

    /// A uniform number in [0, 1) with 53 bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
    }

    /// Shuffles in place (Fisher-Yates from the end).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }
}

/// A family of streams: what [`Rng::stream`] makes of seed and label, kept for whoever draws from many of its streams.
#[derive(Clone, Copy, Debug)]
pub struct Streams(u64);

impl Streams {
    /// The family `label` under `seed`.
    #[must_use]
    pub fn new(seed: u64, label: &str) -> Self {
        let spread = |state, byte| SplitMix(state ^ u64::from(byte)).next();
        Self(label.bytes().fold(SplitMix(seed).next(), spread))
    }

    /// The stream `index`.
    #[must_use]
    pub fn stream(self, index: u64) -> Rng {
        let mut mixer = SplitMix(SplitMix(self.0 ^ index).next() ^ index.rotate_left(32));
        let mut bytes = [0; 32];
        for chunk in bytes.chunks_exact_mut(8) {
            chunk.copy_from_slice(&mixer.next().to_le_bytes());
        }
        Rng(Xoshiro256PlusPlus::from_seed(bytes))
    }
}

/// A seed derived from another: for naming a family of matches or searches under one seed.
#[must_use]
pub fn derive_seed(seed: u64, label: &str, index: u64) -> u64 {
    Rng::stream(seed, label, index).next_u64()
}

/// `SplitMix64`, used to spread seeds only.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// A 64-bit hash of bytes that is the same on every platform (FNV-1a with a final mix), for keys and fingerprints.
#[must_use]
pub fn portable_hash(bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for &byte in bytes {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    SplitMix(hash).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_stability_of_streams() {
        let mut rng = Rng::stream(7, "chance", 3);
        let drawn: Vec<u32> = (0..8).map(|_| rng.below(1000)).collect();
        assert_eq!(drawn, PINNED, "a change of luck is a CHANGELOG entry under Reproducibility");
    }

    const PINNED: [u32; 8] = [496, 433, 168, 169, 168, 862, 411, 486];

    #[test]
    fn below_is_uniform() {
        let mut rng = Rng::stream(1, "test", 0);
        let mut counts = [0_u32; 6];
        for _ in 0..60_000 {
            counts[rng.below(6) as usize] += 1;
        }
        let chi_square: f64 = counts.iter().map(|&count| (f64::from(count) - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(chi_square < 25.0, "chi-square {chi_square} with 5 degrees of freedom");
    }

    #[test]
    fn streams_differ_by_each_part_of_their_name() {
        let first = |seed, label: &str, index| Rng::stream(seed, label, index).next_u64();
        let base = first(1, "chance", 0);
        assert_ne!(base, first(2, "chance", 0));
        assert_ne!(base, first(1, "agent", 0));
        assert_ne!(base, first(1, "chance", 1));
    }
}
