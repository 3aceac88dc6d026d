//! Sets of squares as bits: of a realm in one `u64` (a realm has at most 64 squares), of the castle in three. Bit i is the square at
//! place i of reading order.

use forbidden_games_core::geometry::square::Grid;

/// The squares of a mask in reading order.
pub(super) fn squares(mask: u64) -> impl Iterator<Item = usize> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        if rest == 0 {
            return None;
        }
        let square = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        Some(square)
    })
}

/// The first square of a mask that is not empty, alone.
#[inline]
pub(super) const fn first_square(mask: u64) -> u64 {
    mask & mask.wrapping_neg()
}

/// The square with `rank` squares of the mask before it.
#[inline]
pub(super) fn nth_square(mask: u64, rank: u32) -> usize {
    let mut rest = mask;
    for _ in 0..rank {
        rest &= rest - 1;
    }
    rest.trailing_zeros() as usize
}

/// The squares later than `square`.
#[inline]
pub(super) const fn later(square: u8) -> u64 {
    u64::MAX << square << 1
}

/// Size and shape of the realms.
#[derive(Clone, Copy, Debug)]
pub(super) struct RealmShape {
    pub(super) grid: Grid,
    /// Every square.
    pub(super) all: u64,
    first_column: u64,
    last_column: u64,
}

impl RealmShape {
    pub(super) fn new(rows: usize, columns: usize) -> Self {
        let first_column = (0..rows).fold(0, |mask, row| mask | 1 << (row * columns));
        Self {
            grid: Grid { rows, columns },
            all: u64::MAX >> (64 - rows * columns),
            first_column,
            last_column: first_column << (columns - 1),
        }
    }

    /// The squares of the row or column with this index.
    pub(super) const fn row(&self, row: usize) -> u64 {
        (u64::MAX >> (64 - self.grid.columns)) << (row * self.grid.columns)
    }

    /// The squares of the column with this index.
    pub(super) const fn column(&self, column: usize) -> u64 {
        self.first_column << column
    }

    /// The squares of the border.
    pub(super) const fn border(&self) -> u64 {
        self.first_column | self.last_column | self.row(0) | self.row(self.grid.rows - 1)
    }

    /// The four corner squares.
    pub(super) const fn corners(&self) -> u64 {
        (self.first_column | self.last_column) & (self.row(0) | self.row(self.grid.rows - 1))
    }

    /// Squares that share a side with one of the mask.
    #[inline]
    pub(super) const fn neighbours(&self, mask: u64) -> u64 {
        let columns = self.grid.columns as u32;
        let sideways = (mask & !self.last_column) << 1 | (mask & !self.first_column) >> 1;
        (sideways | mask << columns | mask >> columns) & self.all
    }

    /// All squares of `within` connected with `seed`, a part of it.
    #[inline]
    pub(super) const fn group(&self, seed: u64, within: u64) -> u64 {
        let mut group = seed;
        loop {
            let grown = group | self.neighbours(group) & within;
            if grown == group {
                return group;
            }
            group = grown;
        }
    }

    /// All squares of `within` that lie in groups of at least 4.
    #[inline]
    pub(super) const fn large_groups(&self, within: u64) -> u64 {
        // A member of a group of 2 or more has a neighbour; this drops most loose tiles at once.
        let mut rest = within & self.neighbours(within);
        let mut found = 0;
        while rest.count_ones() >= 4 {
            let group = self.group(first_square(rest), rest);
            if group.count_ones() >= 4 {
                found |= group;
            }
            rest &= !group;
        }
        found
    }
}

/// A set of castle squares; a castle has at most 192.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct CastleMask(pub(super) [u64; 3]);

impl CastleMask {
    #[inline]
    pub(super) const fn has(self, square: usize) -> bool {
        self.0[square / 64] >> (square % 64) & 1 != 0
    }

    #[inline]
    pub(super) const fn set(&mut self, square: usize, member: bool) {
        let bit = 1 << (square % 64);
        if member {
            self.0[square / 64] |= bit;
        } else {
            self.0[square / 64] &= !bit;
        }
    }

    #[inline]
    pub(super) const fn is_empty(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] == 0
    }

    #[inline]
    pub(super) const fn len(self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones() + self.0[2].count_ones()
    }

    #[inline]
    pub(super) const fn and(self, other: Self) -> Self {
        Self([self.0[0] & other.0[0], self.0[1] & other.0[1], self.0[2] & other.0[2]])
    }

    #[inline]
    pub(super) const fn without(self, other: Self) -> Self {
        Self([self.0[0] & !other.0[0], self.0[1] & !other.0[1], self.0[2] & !other.0[2]])
    }

    /// Calls `take` with each of its squares in reading order.
    #[inline]
    pub(super) fn for_each(self, mut take: impl FnMut(usize)) {
        for (word, bits) in self.0.into_iter().enumerate() {
            squares(bits).for_each(|bit| take(word * 64 + bit));
        }
    }

    /// The member with `rank` members before it.
    #[inline]
    pub(super) fn nth(self, rank: u32) -> usize {
        let mut rank = rank;
        for (word, &bits) in self.0.iter().enumerate() {
            let here = bits.count_ones();
            if rank < here {
                return word * 64 + nth_square(bits, rank);
            }
            rank -= here;
        }
        unreachable!("the rank is below the number of members")
    }

    /// The squares for which `test` holds.
    #[inline]
    pub(super) fn filter(self, mut test: impl FnMut(usize) -> bool) -> Self {
        let mut kept = self;
        for word in 0..3 {
            let mut bits = self.0[word];
            while bits != 0 {
                let square = word * 64 + bits.trailing_zeros() as usize;
                if !test(square) {
                    kept.0[word] &= !(bits & bits.wrapping_neg());
                }
                bits &= bits - 1;
            }
        }
        kept
    }
}
