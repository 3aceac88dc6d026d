//! The board (TG-2.2): 8 x 8 squares without the four corner blocks, as bits of a `u64` in reading order.
//!
//! Bit `8 * row + column`, rows from the top; so the order of bits is the order of squares of the rule page. What depends on the
//! component set is in `tables.rs`.

use forbidden_games_core::geometry::square::Grid;

/// The grid that names squares.
pub(super) const GRID: Grid = Grid { rows: 8, columns: 8 };

/// No square, no tile, no kind: the filler of small integers.
pub(super) const NONE: u8 = 255;

const COLUMN_A: u64 = 0x0101_0101_0101_0101;
const COLUMN_H: u64 = COLUMN_A << 7;

/// The 48 squares.
pub(super) const BOARD: u64 = {
    let mut board = 0;
    let mut square = 0;
    while square < 64 {
        let (row, column) = (square / 8, square % 8);
        if (row >= 2 && row <= 5) || (column >= 2 && column <= 5) {
            board |= 1 << square;
        }
        square += 1;
    }
    board
};

/// d4, e4, e5, d5: the squares of the start tile, clockwise (TG-2.4).
pub(super) const START_SQUARES: [u8; 4] = [27, 28, 36, 35];

/// The same as bits.
pub(super) const START: u64 = 1 << 27 | 1 << 28 | 1 << 35 | 1 << 36;

/// The squares a tile can be laid on.
pub(super) const FREE: u64 = BOARD & !START;

/// The 28 squares of the solo game (TG-13.1).
pub(super) const CENTRAL: u64 = FREE & !(COLUMN_A | COLUMN_H) & !0xff & !(0xff << 56);

/// Places 0 to 7 of the start tile's edges, clockwise from the north of d4: square and side.
pub(super) const START_PLACES: [(u8, u8); 8] = [(27, 0), (28, 0), (28, 1), (36, 1), (36, 2), (35, 2), (35, 3), (27, 3)];

/// One square as a bit.
pub(super) const fn bit(square: u8) -> u64 {
    1 << square
}

/// Squares of a set, ascending.
pub(super) fn squares(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let square = set.trailing_zeros() as u8;
            set &= set - 1;
            square
        })
    })
}

/// The `index`-th square of a set, ascending.
pub(super) fn nth_square(mut set: u64, index: u32) -> u8 {
    for _ in 0..index {
        set &= set - 1;
    }
    set.trailing_zeros() as u8
}

/// How many squares of `set` come before `square`.
pub(super) const fn rank_of(set: u64, square: u8) -> u32 {
    (set & ((1 << square) - 1)).count_ones()
}

/// The squares of the board that share a side with a square of `set`.
pub(super) const fn spread(set: u64) -> u64 {
    ((set << 8) | (set >> 8) | ((set & !COLUMN_H) << 1) | ((set & !COLUMN_A) >> 1)) & BOARD
}

/// Neighbours to the north, east, south and west; [`NONE`] beyond the border or in a corner block.
pub(super) const NEIGHBOURS: [[u8; 4]; 64] = {
    let mut table = [[NONE; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let (row, column) = (square / 8, square % 8);
        let next = [
            if row > 0 { square - 8 } else { 64 },
            if column < 7 { square + 1 } else { 64 },
            if row < 7 { square + 8 } else { 64 },
            if column > 0 { square - 1 } else { 64 },
        ];
        let mut side = 0;
        while side < 4 {
            if next[side] < 64 && BOARD >> next[side] & 1 == 1 {
                table[square][side] = next[side] as u8;
            }
            side += 1;
        }
        square += 1;
    }
    table
};

/// The line of sight (TG-7.5): the square itself and all squares to the border or a corner block; a line that meets the start
/// tile holds all four of its squares.
pub(super) const SIGHT: [[u64; 4]; 64] = {
    let mut table = [[0; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let mut side = 0;
        while side < 4 {
            let mut line = 0;
            let mut at = square as u8;
            while at != NONE && BOARD >> square & 1 == 1 {
                line |= 1 << at;
                at = NEIGHBOURS[at as usize][side];
            }
            if line & START != 0 {
                line |= START;
            }
            table[square][side] = line;
            side += 1;
        }
        square += 1;
    }
    table
};

/// `a1` notation of a square.
pub(super) fn square_name(square: u8) -> String {
    GRID.format(usize::from(square))
}

/// Reads a square of the board.
pub(super) fn parse_square(text: &str) -> Option<u8> {
    GRID.parse(text).map(|square| square as u8).filter(|&square| BOARD >> square & 1 == 1)
}

/// The number of the start tile's edge at a square and side, or [`NONE`].
pub(super) const START_PLACE: [[u8; 4]; 64] = {
    let mut table = [[NONE; 4]; 64];
    let mut place = 0;
    while place < 8 {
        let (square, side) = START_PLACES[place];
        table[square as usize][side as usize] = place as u8;
        place += 1;
    }
    table
};
