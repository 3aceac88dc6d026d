//! Squares of a grid with a fixed size: columns are letters from the left, rows are numbers from the top (CONVENTIONS 4).

/// A rectangle of squares. A square is its index in reading order: `row * columns + column`, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    /// Rows, from the top.
    pub rows: usize,
    /// Columns, at most 26.
    pub columns: usize,
}

impl Grid {
    /// Number of squares.
    #[must_use]
    pub const fn len(self) -> usize {
        self.rows * self.columns
    }

    /// Whether it has no square.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Neighbours sharing a side in the order north, east, south, west; `None` beyond the edge.
    #[must_use]
    pub fn neighbours(self, square: usize) -> [Option<usize>; 4] {
        let (row, column) = (square / self.columns, square % self.columns);
        [
            (row > 0).then(|| square - self.columns),
            (column + 1 < self.columns).then(|| square + 1),
            (row + 1 < self.rows).then(|| square + self.columns),
            (column > 0).then(|| square - 1),
        ]
    }

    /// `a1` for the top left square.
    #[must_use]
    pub fn format(self, square: usize) -> String {
        format!("{}{}", (b'a' + (square % self.columns) as u8) as char, square / self.columns + 1)
    }

    /// Reads `a1`: one lower-case letter and a number without leading zero, inside the grid.
    #[must_use]
    pub fn parse(self, text: &str) -> Option<usize> {
        let column = match text.as_bytes().first()? {
            letter @ b'a'..=b'z' => usize::from(letter - b'a'),
            _ => return None,
        };
        let row = crate::notation::parse_canonical_integer(&text[1..])?;
        let row = usize::try_from(row).ok()?.checked_sub(1)?;
        (column < self.columns && row < self.rows).then_some(row * self.columns + column)
    }
}
