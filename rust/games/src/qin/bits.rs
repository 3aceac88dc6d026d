//! Sets of squares as machine words. The one idea: a board has an unused column after its last one, so that a neighbour is a
//! shift and nothing wraps from one row into the next.

use std::ops::{BitAnd, BitOr};

/// A set of numbers below `64 * W`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Bits<const W: usize>([u64; W]);

impl<const W: usize> Bits<W> {
    pub(super) const EMPTY: Self = Self([0; W]);

    pub(super) const fn from_words(words: [u64; W]) -> Self {
        Self(words)
    }

    pub(super) const fn words(&self) -> &[u64; W] {
        &self.0
    }

    #[inline(always)]
    pub(super) const fn has(&self, index: usize) -> bool {
        index / 64 < W && self.0[index / 64] >> (index % 64) & 1 != 0
    }

    #[inline(always)]
    pub(super) const fn insert(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }

    #[inline(always)]
    pub(super) const fn remove(&mut self, index: usize) {
        self.0[index / 64] &= !(1 << (index % 64));
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    #[inline(always)]
    pub(super) fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The smallest member.
    #[inline(always)]
    pub(super) fn first(&self) -> Option<usize> {
        self.0.iter().enumerate().find(|(_, word)| **word != 0).map(|(i, word)| 64 * i + word.trailing_zeros() as usize)
    }

    /// Every member moved `by` (1..64) numbers up; what leaves the range is lost.
    #[inline(always)]
    pub(super) fn up(self, by: usize) -> Self {
        Self(std::array::from_fn(|i| self.0[i] << by | if i == 0 { 0 } else { self.0[i - 1] >> (64 - by) }))
    }

    /// Every member moved `by` (1..64) numbers down; what leaves the range is lost.
    #[inline(always)]
    pub(super) fn down(self, by: usize) -> Self {
        Self(std::array::from_fn(|i| self.0[i] >> by | if i + 1 == W { 0 } else { self.0[i + 1] << (64 - by) }))
    }

    /// The neighbours of all members on a board with rows of `stride`; the caller keeps those that are squares.
    #[inline(always)]
    pub(super) fn around(self, stride: usize) -> Self {
        self.up(1) | self.down(1) | self.up(stride) | self.down(stride)
    }

    /// The members that `other` has not.
    #[inline(always)]
    pub(super) fn without(self, other: Self) -> Self {
        let mut rest = self.0;
        for (word, taken) in rest.iter_mut().zip(other.0) {
            *word &= !taken;
        }
        Self(rest)
    }

    /// The members, ascending.
    #[inline]
    pub(super) fn iter(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(i, word)| Members(word).map(move |bit| 64 * i + bit))
    }

    /// The member with `rank` smaller ones.
    #[inline]
    pub(super) fn nth(&self, mut rank: u32) -> usize {
        for (i, &word) in self.0.iter().enumerate() {
            let here = word.count_ones();
            if rank < here {
                return 64 * i + nth_bit(word, rank);
            }
            rank -= here;
        }
        unreachable!("the rank is below the count")
    }
}

/// Position of the bit of `word` with `rank` lower ones: narrows to a byte, then clears bits.
#[inline]
fn nth_bit(mut word: u64, mut rank: u32) -> usize {
    let mut base = 0;
    for width in [32, 16, 8] {
        let low = (word & ((1 << width) - 1)).count_ones();
        if rank >= low {
            rank -= low;
            word >>= width;
            base += width;
        }
    }
    for _ in 0..rank {
        word &= word - 1;
    }
    base + word.trailing_zeros() as usize
}

struct Members(u64);

impl Iterator for Members {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

impl<const W: usize> BitAnd for Bits<W> {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        let mut both = self.0;
        for (word, mask) in both.iter_mut().zip(other.0) {
            *word &= mask;
        }
        Self(both)
    }
}

impl<const W: usize> BitOr for Bits<W> {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        let mut either = self.0;
        for (word, mask) in either.iter_mut().zip(other.0) {
            *word |= mask;
        }
        Self(either)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_and_ranks_cross_words() {
        let mut set = Bits::<3>::EMPTY;
        for index in [0, 1, 63, 64, 100, 127, 128, 191] {
            set.insert(index);
        }
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 1, 63, 64, 100, 127, 128, 191]);
        assert_eq!(set.up(1).iter().collect::<Vec<_>>(), [1, 2, 64, 65, 101, 128, 129]);
        assert_eq!(set.down(14).iter().collect::<Vec<_>>(), [49, 50, 86, 113, 114, 177]);
        for (rank, index) in set.iter().enumerate() {
            assert_eq!(set.nth(rank as u32), index);
        }
        assert_eq!(set.count(), 8);
        assert!(!set.has(1000));
    }
}
