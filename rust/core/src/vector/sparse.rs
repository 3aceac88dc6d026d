//! Observations and legal actions of many rows as lists.

use super::row::Row;
use crate::contract::Game;

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
    /// What the rows collected.
    pub(super) fn of<G: Game>(rows: &[Row<G>]) -> Self {
        let mut all = Self { offsets: vec![0], legal_offsets: vec![0], ..Self::default() };
        all.indices.reserve(rows.iter().map(|row| row.features.0.len()).sum());
        all.values.reserve(all.indices.capacity());
        all.legal_ids.reserve(rows.iter().map(|row| row.legal.len()).sum());
        for row in rows {
            for &(index, raw) in &row.features.0 {
                all.indices.push(index);
                all.values.push(raw as i16);
            }
            all.legal_ids.extend_from_slice(&row.legal);
            all.offsets.push(all.indices.len() as i64);
            all.legal_offsets.push(all.legal_ids.len() as i64);
        }
        all
    }
}
