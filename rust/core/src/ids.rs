//! Dense ids in blocks: every kind of action has a range of ids, one range behind the other.

/// A block of ids that follow each other.
///
/// ```
/// use forbidden_games_core::ids::IdRange;
///
/// let drop = IdRange::first(3 * 4); // 3 kinds on 4 columns
/// let pass = drop.after(1);
/// assert_eq!(drop.pair_id(2, 1, 4), 9);
/// assert_eq!(drop.pair(9, 4), Some((2, 1)));
/// assert_eq!((pass.id(0), pass.index(12), pass.index(11)), (12, Some(0), None));
/// assert_eq!(pass.end(), 13); // the size of the action space
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdRange {
    start: u32,
    len: u32,
}

impl IdRange {
    /// `len` ids from 0.
    #[must_use]
    pub const fn first(len: u32) -> Self {
        Self { start: 0, len }
    }

    /// `len` ids behind this range.
    #[must_use]
    pub const fn after(self, len: u32) -> Self {
        Self { start: self.end(), len }
    }

    /// The first id behind the range.
    #[must_use]
    pub const fn end(self) -> u32 {
        self.start + self.len
    }

    /// The id at `index`, which is below the length.
    #[inline]
    #[must_use]
    pub const fn id(self, index: u32) -> u32 {
        debug_assert!(index < self.len);
        self.start + index
    }

    /// The place of `id` in the range, if it is in there.
    #[inline]
    #[must_use]
    pub const fn index(self, id: u32) -> Option<u32> {
        match id.checked_sub(self.start) {
            Some(index) if index < self.len => Some(index),
            _ => None,
        }
    }

    /// The id of a pair, rows of `columns` behind each other.
    #[inline]
    #[must_use]
    pub const fn pair_id(self, row: u32, column: u32, columns: u32) -> u32 {
        debug_assert!(column < columns);
        self.id(row * columns + column)
    }

    /// The pair with `id`, if it is in the range.
    #[inline]
    #[must_use]
    pub const fn pair(self, id: u32, columns: u32) -> Option<(u32, u32)> {
        match self.index(id) {
            Some(index) => Some((index / columns, index % columns)),
            None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::IdRange;

    #[test]
    fn every_id_is_in_one_range_and_comes_back() {
        let ranges = [IdRange::first(6), IdRange::first(6).after(0), IdRange::first(6).after(0).after(4)];
        assert_eq!(ranges[2].end(), 10);
        for id in 0..12 {
            let found: Vec<u32> = ranges.iter().filter_map(|range| range.index(id).map(|index| range.id(index))).collect();
            assert_eq!(found, if id < 10 { vec![id] } else { vec![] });
        }
        for id in 0..6 {
            let (row, column) = ranges[0].pair(id, 3).unwrap();
            assert_eq!(ranges[0].pair_id(row, column, 3), id);
        }
        assert_eq!(ranges[0].pair(6, 3), None);
    }
}
