//! What lies on the board: spaces, provinces, village owners, and what follows from them and is kept up to date, because a rollout
//! asks for it at every ply: free pairs and forbidden joins.
//!
//! Two sizes of the same thing: [`Small`] lies inside the state and holds every board of at most 192 square numbers and 32
//! villages (13 x 13 among them), [`Large`] takes one heap block.

use std::hash::{Hash, Hasher};

use super::bits::Bits;
use super::tables::Tables;
use super::tiles::{Colour, Direction, Square};

/// A province: owner, pagodas and spaces in one number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Province(u16);

impl Province {
    pub(super) const fn new(owner: usize, pagodas: u32, spaces: usize) -> Self {
        Self((spaces as u16) << 4 | (pagodas as u16) << 2 | owner as u16)
    }

    #[inline(always)]
    pub(super) const fn owner(self) -> usize {
        (self.0 & 3) as usize
    }

    #[inline(always)]
    pub(super) const fn pagodas(self) -> u32 {
        (self.0 >> 2 & 3) as u32
    }

    /// 0 for an entry that no province uses any more.
    #[inline(always)]
    pub(super) const fn spaces(self) -> usize {
        (self.0 >> 4) as usize
    }

    /// 5 or more spaces (QN-5.3).
    #[inline(always)]
    pub(super) const fn is_major(self) -> bool {
        self.spaces() >= MAJOR
    }

    /// Pagodas that a province of this many spaces carries.
    #[inline(always)]
    pub(super) const fn due(self) -> u32 {
        1 + self.is_major() as u32
    }
}

/// Spaces that make a province major.
pub(super) const MAJOR: usize = 5;

/// Number of a province, or none, as a square keeps it.
pub(super) trait Label: Copy + Eq + std::fmt::Debug + Send + Sync + 'static {
    const NONE: Self;

    fn new(index: usize) -> Self;

    fn index(self) -> Option<usize>;
}

macro_rules! label {
    ($number:ty) => {
        impl Label for $number {
            const NONE: Self = Self::MAX;

            #[inline(always)]
            fn new(index: usize) -> Self {
                debug_assert!(index < Self::MAX as usize);
                index as Self
            }

            #[inline(always)]
            fn index(self) -> Option<usize> {
                (self != Self::NONE).then_some(self as usize)
            }
        }
    };
}
label!(u8);
label!(u16);

/// `W` words of squares, `S` = 64 `W` square numbers, `P` provinces, `V` villages.
///
/// A province gets the next number when it is founded and keeps it; a space enters a province once and a founding takes at least
/// two spaces, so at most half as many numbers are used as there are squares.
#[derive(Clone, Debug)]
pub(super) struct SizedBoard<L, const W: usize, const S: usize, const P: usize, const V: usize> {
    /// Province spaces of each colour.
    pub(super) colours: [Bits<W>; 3],
    /// Grass that is still free.
    pub(super) grass: Bits<W>,
    /// First squares of the free pairs (QN-5.2) by direction.
    pub(super) free: [Bits<W>; 2],
    /// Grass squares where this colour alone would be an illegal join (QN-5.7).
    pub(super) barred: [Bits<W>; 3],
    /// First squares of pairs where this colour on both would be an illegal join, by direction.
    pub(super) barred_pairs: [[Bits<W>; 2]; 3],
    /// Which province a space belongs to.
    pub(super) labels: [L; S],
    /// By label.
    pub(super) provinces: [Province; P],
    /// Labels given so far.
    pub(super) founded: u16,
    /// Owner + 1 of each village, 0 for nobody.
    pub(super) villages: [u8; V],
}

pub(super) type Small = SizedBoard<u8, 3, 192, 96, 32>;
pub(super) type Large = SizedBoard<u16, 11, 704, 352, 676>;

impl<L: Label, const W: usize, const S: usize, const P: usize, const V: usize> SizedBoard<L, W, S, P, V> {
    /// Whether the board fits.
    pub(super) fn fits(tables: &Tables) -> bool {
        tables.num_numbers() <= S && tables.grid.len() / 2 <= P && tables.villages.len() <= V.min(S)
    }

    /// The empty board (QN-4.1).
    pub(super) fn new(tables: &Tables) -> Self {
        let mut board = Self {
            colours: [Bits::EMPTY; 3],
            grass: Bits::EMPTY,
            free: [Bits::EMPTY; 2],
            barred: [Bits::EMPTY; 3],
            barred_pairs: [[Bits::EMPTY; 2]; 3],
            labels: [L::NONE; S],
            provinces: [Province::default(); P],
            founded: 0,
            villages: [0; V],
        };
        for square in tables.squares() {
            if let Some(colour) = tables.start(square) {
                board.colours[colour.index()].insert(square.index());
            } else if tables.character(square) == b'.' {
                board.grass.insert(square.index());
            }
        }
        board.refresh_free(tables.stride);
        board
    }

    /// The colour of a province space.
    pub(super) fn colour(&self, square: Square) -> Option<Colour> {
        Colour::ALL.into_iter().find(|colour| self.colours[colour.index()].has(square.index()))
    }

    /// The label of the province on a square.
    #[inline(always)]
    pub(super) fn label(&self, square: usize) -> Option<usize> {
        self.labels.get(square).and_then(|label| label.index())
    }

    /// The four square numbers around one; those beyond the board carry nothing.
    #[inline(always)]
    pub(super) fn around(square: usize, stride: usize) -> [usize; 4] {
        [square.wrapping_sub(stride), square + 1, square + stride, square.wrapping_sub(1)]
    }

    /// The colour area of a space.
    #[inline]
    pub(super) fn area(&self, colour: Colour, square: usize, stride: usize) -> Bits<W> {
        let spaces = self.colours[colour.index()];
        let mut area = Bits::EMPTY;
        area.insert(square);
        loop {
            let grown = (area.around(stride) & spaces) | area;
            if grown == area {
                return area;
            }
            area = grown;
        }
    }

    /// Recomputes the free pairs (QN-5.2).
    #[inline]
    pub(super) fn refresh_free(&mut self, stride: usize) {
        let spaces = self.colours[0] | self.colours[1] | self.colours[2];
        let contact = spaces.around(stride) & self.grass;
        for (direction, step) in [(Direction::Right, 1), (Direction::Down, stride)] {
            self.free[direction as usize] = self.grass & self.grass.down(step) & (contact | contact.down(step));
        }
    }

    /// Whether two boards mean the same, whatever the labels are.
    fn same(&self, other: &Self) -> bool {
        self.colours == other.colours
            && self.grass == other.grass
            && self.villages == other.villages
            && self.labels.iter().zip(&other.labels).all(|(own, others)| match (own.index(), others.index()) {
                (None, None) => true,
                (Some(own), Some(others)) => self.provinces[own] == other.provinces[others],
                _ => false,
            })
    }
}

impl<L: Label, const W: usize, const S: usize, const P: usize, const V: usize> PartialEq for SizedBoard<L, W, S, P, V> {
    /// Equal if the JSON is: spaces, provinces and villages, not labels or what follows from them.
    fn eq(&self, other: &Self) -> bool {
        self.same(other)
    }
}

impl<L: Label, const W: usize, const S: usize, const P: usize, const V: usize> Eq for SizedBoard<L, W, S, P, V> {}

impl<L: Label, const W: usize, const S: usize, const P: usize, const V: usize> Hash for SizedBoard<L, W, S, P, V> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.colours.hash(hasher);
        self.villages.hash(hasher);
        for label in &self.labels {
            label.index().map_or(Province::default(), |index| self.provinces[index]).hash(hasher);
        }
    }
}

/// What lies on the board, in the smaller of two sizes that holds it.
#[derive(Debug, PartialEq, Eq, Hash)]
#[allow(clippy::large_enum_variant, reason = "the small board is inline so that a state of a common board needs no heap block")]
pub(super) enum Board {
    Small(Small),
    Large(Box<Large>),
}

impl Clone for Board {
    fn clone(&self) -> Self {
        match self {
            Self::Small(board) => Self::Small(board.clone()),
            Self::Large(board) => Self::Large(board.clone()),
        }
    }

    /// Keeps the heap block.
    fn clone_from(&mut self, source: &Self) {
        match (self, source) {
            (Self::Small(board), Self::Small(source)) => board.clone_from(source),
            (Self::Large(board), Self::Large(source)) => board.clone_from(source),
            (board, source) => *board = source.clone(),
        }
    }
}

/// Evaluates an expression with `$board` bound to the board in either size.
macro_rules! with_board {
    ($either:expr, $board:ident => $body:expr) => {
        match $either {
            $crate::qin::board::Board::Small($board) => $body,
            $crate::qin::board::Board::Large($board) => $body,
        }
    };
}
pub(super) use with_board;

impl Board {
    /// The board before the first tile.
    pub(super) fn new(tables: &Tables) -> Self {
        if Small::fits(tables) { Self::Small(Small::new(tables)) } else { Self::Large(Box::new(Large::new(tables))) }
    }

    /// The colour of a province space.
    pub(super) fn colour(&self, square: Square) -> Option<Colour> {
        with_board!(self, board => board.colour(square))
    }

    /// Whether a square is grass without a tile.
    pub(super) fn is_free(&self, square: Square) -> bool {
        with_board!(self, board => board.grass.has(square.index()))
    }

    /// Grass squares without a tile.
    pub(super) fn num_free(&self) -> u32 {
        with_board!(self, board => board.grass.count())
    }

    /// Province spaces of a colour.
    pub(super) fn num_spaces(&self, colour: Colour) -> usize {
        with_board!(self, board => board.colours[colour.index()].count() as usize)
    }

    /// The label of the province on a square.
    pub(super) fn label(&self, square: Square) -> Option<usize> {
        with_board!(self, board => board.label(square.index()))
    }

    /// The province with this label.
    pub(super) fn province(&self, label: usize) -> Province {
        with_board!(self, board => board.provinces[label])
    }

    /// Owner of a village.
    pub(super) fn village_owner(&self, village: usize) -> Option<usize> {
        with_board!(self, board => usize::from(board.villages[village])).checked_sub(1)
    }

    /// All provinces in reading order of the first square, each with its squares in reading order.
    pub(super) fn provinces(&self, tables: &Tables) -> Vec<(Province, Vec<Square>)> {
        let mut places: Vec<Option<usize>> = Vec::new();
        let mut provinces: Vec<(Province, Vec<Square>)> = Vec::new();
        for square in tables.squares() {
            let Some(label) = self.label(square) else { continue };
            if places.len() <= label {
                places.resize(label + 1, None);
            }
            let place = *places[label].get_or_insert_with(|| {
                provinces.push((self.province(label), Vec::new()));
                provinces.len() - 1
            });
            provinces[place].1.push(square);
        }
        provinces
    }

    /// Whether a pair is free (QN-5.2).
    pub(super) fn is_free_pair(&self, direction: Direction, square: Square) -> bool {
        with_board!(self, board => board.free[direction as usize].has(square.index()))
    }

    /// Whether any pair is free.
    pub(super) fn has_free_pair(&self) -> bool {
        with_board!(self, board => board.free.iter().any(|pairs| !pairs.is_empty()))
    }
}
