//! Observations and legal actions of many rows as lists.

use std::cell::RefCell;

use crate::encoding::FeatureSink;

/// The features of one row, ascending.
#[derive(Clone, Debug, Default)]
pub(super) struct Features {
    indices: Vec<u32>,
    values: Vec<i16>,
}

impl Features {
    pub(super) fn clear(&mut self) {
        self.indices.clear();
        self.values.clear();
    }
}

/// Raw numbers by index, with a bit for each that is set: reading the bits in order is quicker than sorting.
#[derive(Debug, Default)]
pub(super) struct Board {
    bits: Vec<u64>,
    raw: Vec<u16>,
}

impl Board {
    /// Calls `work` with this thread's board, empty and of this size.
    pub(super) fn with(size: usize, work: impl FnOnce(&mut Self)) {
        thread_local! {
            static BOARD: RefCell<Board> = RefCell::default();
        }
        BOARD.with_borrow_mut(|board| {
            // Also after a panic that left bits behind.
            board.bits.clear();
            board.bits.resize(size.div_ceil(64), 0);
            board.raw.resize(size, 0);
            work(board);
        });
    }

    /// Moves everything to `out`, ascending.
    pub(super) fn take(&mut self, out: &mut Features) {
        for (word, bits) in self.bits.iter_mut().enumerate() {
            let mut left = std::mem::take(bits);
            while left != 0 {
                let index = word * 64 + left.trailing_zeros() as usize;
                left &= left - 1;
                out.indices.push(index as u32);
                out.values.push(self.raw[index] as i16);
            }
        }
    }
}

impl FeatureSink for Board {
    #[inline]
    fn set(&mut self, index: usize, raw: u16) {
        if raw != 0 {
            self.bits[index / 64] |= 1 << (index % 64);
            self.raw[index] = raw;
        }
    }
}

/// Observations and legal ids of N rows, one behind the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SparseRows {
    /// `[N + 1]`: where the features of each row begin; the last is their number.
    pub offsets: Vec<i64>,
    /// Indices of features that are not 0, ascending in each row.
    pub indices: Vec<u32>,
    /// Their raw numbers.
    pub values: Vec<i16>,
    /// `[N + 1]`: where the legal ids of each row begin.
    pub legal_offsets: Vec<i64>,
    /// Legal ids, ascending in each row.
    pub legal_ids: Vec<u32>,
}

impl SparseRows {
    /// One row behind the other: its features and its legal ids.
    pub(super) fn of<'a>(rows: impl Iterator<Item = (&'a Features, &'a [u32])> + Clone) -> Self {
        let mut all = Self { offsets: vec![0], legal_offsets: vec![0], ..Self::default() };
        all.indices.reserve(rows.clone().map(|(features, _)| features.indices.len()).sum());
        all.values.reserve(all.indices.capacity());
        all.legal_ids.reserve(rows.clone().map(|(_, legal)| legal.len()).sum());
        for (features, legal) in rows {
            all.indices.extend_from_slice(&features.indices);
            all.values.extend_from_slice(&features.values);
            all.legal_ids.extend_from_slice(legal);
            all.offsets.push(all.indices.len() as i64);
            all.legal_offsets.push(all.legal_ids.len() as i64);
        }
        all
    }
}
