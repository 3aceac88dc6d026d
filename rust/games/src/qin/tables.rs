//! What never changes in a game: the squares, pairs and villages of its board, as tables.

use arrayvec::ArrayVec;
use forbidden_games_core::geometry::region::flood_fill;
use forbidden_games_core::geometry::square::Grid;

use super::components::Components;
use super::options::VillageRule;
use super::tiles::{Colour, Direction, Square};

/// A village (QN-2.6).
#[derive(Clone, Debug)]
pub(super) struct Village {
    /// Its squares in reading order.
    pub(super) squares: Vec<Square>,
    /// The squares beside it, each once; villages among them do no harm, they carry no province.
    pub(super) neighbours: Vec<Square>,
}

/// The board without tiles.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    pub(super) grid: Grid,
    /// Numbers from one row to the next: one more than the columns.
    pub(super) stride: usize,
    /// The character of each square by its number, blank in the unused column.
    characters: Vec<u8>,
    /// Squares of water in reading order.
    pub(super) water: Vec<Square>,
    /// In the order of QN-2.6.
    pub(super) villages: Vec<Village>,
    /// Number of the village on a square, by square number.
    village_on: Vec<Option<u16>>,
    /// The villages beside a square, by square number.
    villages_beside: Vec<ArrayVec<u16, 4>>,
    /// First squares of pairs in the order of pair numbers: side by side, then one above the other.
    pairs: Vec<(Direction, Square)>,
    /// Pair number by direction and first square.
    pair_numbers: [Vec<Option<u16>>; 2],
}

impl Tables {
    pub(super) fn new(board: &Components, rule: VillageRule) -> Self {
        let grid = board.grid();
        let stride = grid.columns + 1;
        let len = grid.rows * stride;
        let mut characters = vec![b' '; len];
        let mut pairs = Vec::new();
        for (row, text) in board.rows.iter().enumerate() {
            characters[row * stride..row * stride + grid.columns].copy_from_slice(text);
        }
        let number = |square: usize| Square((square / grid.columns * stride + square % grid.columns) as u16);
        for direction in Direction::ALL {
            for square in 0..grid.len() {
                let inside = match direction {
                    Direction::Right => square % grid.columns + 1 < grid.columns,
                    Direction::Down => square / grid.columns + 1 < grid.rows,
                };
                if inside {
                    pairs.push((direction, number(square)));
                }
            }
        }
        let mut pair_numbers = [vec![None; len], vec![None; len]];
        for (pair, (direction, square)) in pairs.iter().enumerate() {
            pair_numbers[*direction as usize][square.index()] = Some(pair as u16);
        }
        let mut tables = Self {
            grid,
            stride,
            characters,
            water: Vec::new(),
            villages: Vec::new(),
            village_on: vec![None; len],
            villages_beside: vec![ArrayVec::new(); len],
            pairs,
            pair_numbers,
        };
        tables.water = tables.squares().filter(|&square| tables.character(square) == b'~').collect();
        tables.find_villages(rule);
        tables
    }

    fn find_villages(&mut self, rule: VillageRule) {
        let mut visited = vec![false; self.characters.len()];
        for square in self.squares().collect::<Vec<_>>() {
            if self.character(square) != b'#' || visited[square.index()] {
                continue;
            }
            let mut squares: Vec<Square> = match rule {
                VillageRule::Square => vec![square],
                VillageRule::Group => flood_fill(square.index(), &mut visited, |from, adjacent| {
                    let beside = self.neighbours(Square(from as u16));
                    adjacent.extend(beside.filter(|&other| self.character(other) == b'#').map(Square::index));
                })
                .into_iter()
                .map(|index| Square(index as u16))
                .collect(),
            };
            squares.sort_unstable();
            let mut neighbours: Vec<Square> = squares.iter().flat_map(|&own| self.neighbours(own)).collect();
            neighbours.sort_unstable();
            neighbours.dedup();
            for beside in &neighbours {
                self.villages_beside[beside.index()].push(self.villages.len() as u16);
            }
            for own in &squares {
                self.village_on[own.index()] = Some(self.villages.len() as u16);
            }
            self.villages.push(Village { squares, neighbours });
        }
    }

    /// All squares in reading order.
    pub(super) fn squares(&self) -> impl Iterator<Item = Square> + use<> {
        let Grid { rows, columns } = self.grid;
        (0..rows).flat_map(move |row| (0..columns).map(move |column| Square((row * (columns + 1) + column) as u16)))
    }

    /// One more than the largest square number.
    pub(super) fn num_numbers(&self) -> usize {
        self.characters.len()
    }

    /// The square's character on the empty board (QN-2.1).
    pub(super) fn character(&self, square: Square) -> u8 {
        self.characters.get(square.index()).copied().unwrap_or(b' ')
    }

    /// The colour of a start space.
    pub(super) fn start(&self, square: Square) -> Option<Colour> {
        Colour::from_letter(self.character(square))
    }

    /// Which village a square belongs to.
    pub(super) fn village_on(&self, square: Square) -> Option<usize> {
        self.village_on[square.index()].map(usize::from)
    }

    /// The villages beside the square with this number.
    #[inline(always)]
    pub(super) fn villages_beside(&self, square: usize) -> &[u16] {
        &self.villages_beside[square]
    }

    /// The squares that share an edge with `square`.
    pub(super) fn neighbours(&self, square: Square) -> impl Iterator<Item = Square> + use<> {
        let (grid, stride) = (self.grid, self.stride);
        let plain = square.index() / stride * grid.columns + square.index() % stride;
        grid.neighbours(plain)
            .into_iter()
            .flatten()
            .map(move |other| Square((other / grid.columns * stride + other % grid.columns) as u16))
    }

    /// `d4`.
    pub(super) fn name(&self, square: Square) -> String {
        let (row, column) = (square.index() / self.stride, square.index() % self.stride);
        format!("{}{}", char::from(b'a' + column as u8), row + 1)
    }

    /// Names with a blank between.
    pub(super) fn names(&self, squares: impl IntoIterator<Item = Square>) -> String {
        squares.into_iter().map(|square| self.name(square)).collect::<Vec<_>>().join(" ")
    }

    /// The square called `text`.
    pub(super) fn parse(&self, text: &str) -> Option<Square> {
        let plain = self.grid.parse(text)?;
        Some(Square((plain / self.grid.columns * self.stride + plain % self.grid.columns) as u16))
    }

    /// How many numbers the second square of a pair lies behind the first.
    #[inline(always)]
    pub(super) const fn step(&self, direction: Direction) -> usize {
        match direction {
            Direction::Right => 1,
            Direction::Down => self.stride,
        }
    }

    /// The second square of the pair with this first one.
    #[inline(always)]
    pub(super) const fn second(&self, direction: Direction, first: Square) -> Square {
        Square(first.0 + self.step(direction) as u16)
    }

    /// The place in reading order, from 0, of the square with this number.
    #[inline(always)]
    pub(super) fn place(&self, square: usize) -> usize {
        square - square / self.stride
    }

    /// Pairs of adjacent squares of the rectangle, grass or not.
    pub(super) fn num_pairs(&self) -> usize {
        self.pairs.len()
    }

    /// The pair with this number.
    pub(super) fn pair(&self, number: usize) -> (Direction, Square) {
        self.pairs[number]
    }

    /// The areas of two or more spaces of one colour, in reading order of the first square, each with its squares in reading order.
    pub(super) fn provinces(&self, colour: impl Fn(Square) -> Option<Colour>) -> Vec<(Colour, Vec<Square>)> {
        let mut visited = vec![false; self.num_numbers()];
        let mut provinces = Vec::new();
        for square in self.squares() {
            let Some(own) = colour(square).filter(|_| !visited[square.index()]) else { continue };
            let area = flood_fill(square.index(), &mut visited, |from, adjacent| {
                let beside = self.neighbours(Square(from as u16));
                adjacent.extend(beside.filter(|&other| colour(other) == Some(own)).map(Square::index));
            });
            let mut squares: Vec<Square> = area.into_iter().map(|index| Square(index as u16)).collect();
            squares.sort_unstable();
            if squares.len() > 1 {
                provinces.push((own, squares));
            }
        }
        provinces
    }

    /// Number of a pair, if it lies on the board.
    pub(super) fn pair_number(&self, direction: Direction, first: Square) -> Option<usize> {
        self.pair_numbers[direction as usize].get(first.index()).copied().flatten().map(usize::from)
    }

    /// Grass squares of the empty board.
    pub(super) fn num_grass(&self) -> usize {
        self.characters.iter().filter(|&&character| character == b'.').count()
    }
}
