//! Board files (QN-2.7) and their checks (QN-2.8).

use forbidden_games_core::data::{Node, is_set_name, parse_toml};
use forbidden_games_core::error::{DataError, SetupError};
use forbidden_games_core::geometry::square::Grid;
use forbidden_games_core::options::ComponentSource;
use serde_json::{Map, Value, json};

use super::tiles::Kind;

/// Built-in boards: name and TOML text, the default first.
pub(super) const BUILTIN: [(&str, &str); 2] = [("bird", include_str!("components.toml")), ("lion", include_str!("lion.toml"))];

/// Rows and columns of a board.
const SIDE: std::ops::RangeInclusive<usize> = 3..=26;
/// What a square can be (QN-2.1).
const CHARACTERS: &str = ".~#ryb";
const MAX_TILES_OF_A_KIND: i64 = 99;
const MIN_TILES: u32 = 12;
const DEFAULT_TILES: [u8; Kind::COUNT] = [12; Kind::COUNT];
const DEFAULT_PAGODAS: [u8; 3] = [24, 19, 15];

/// A board with its tiles and pagodas, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Components {
    pub(super) name: String,
    /// Rows from the top, one byte of [`CHARACTERS`] a square.
    pub(super) rows: Vec<Vec<u8>>,
    /// Tiles of each kind.
    pub(super) tiles: [u8; Kind::COUNT],
    /// Allotment for 2, 3, 4 players (QN-2.4).
    pub(super) pagodas: [u8; 3],
}

impl Components {
    /// The built-in board of this name.
    pub(super) fn builtin(name: &str) -> Option<Self> {
        let (name, text) = BUILTIN.iter().find(|(builtin, _)| *builtin == name)?;
        let value = parse_toml(text).unwrap_or_else(|error| panic!("built-in board {name}: {error}"));
        Some(Self::read(&value).unwrap_or_else(|error| panic!("built-in board {name}: {error}")))
    }

    /// What `components` of a call says: a built-in name, or a board object.
    pub(super) fn from_source(source: &ComponentSource) -> Result<Self, SetupError> {
        match source {
            ComponentSource::Name(name) => Self::builtin(name).ok_or_else(|| {
                let found = Value::from(name.as_str()).to_string();
                SetupError::Components(DataError::new("components", found, "bird, lion, or a board object (QN-2.7)"))
            }),
            ComponentSource::Set(value) => {
                let board = Self::read(value).map_err(SetupError::Components)?;
                if Self::builtin(&board.name).is_some_and(|builtin| builtin != board) {
                    return Err(SetupError::Components(DataError::new(
                        "name",
                        format!("{:?} with another grid, tiles or pagodas", board.name),
                        "another name: built-in boards never change (QN-2.8)",
                    )));
                }
                Ok(board)
            }
        }
    }

    /// Whether it is one of the built-in boards.
    pub(super) fn is_builtin(&self) -> bool {
        BUILTIN.iter().any(|(name, _)| *name == self.name)
    }

    /// The rectangle of squares.
    pub(super) fn grid(&self) -> Grid {
        Grid { rows: self.rows.len(), columns: self.rows[0].len() }
    }

    /// The board object, defaults filled in.
    pub(super) fn to_json(&self) -> Value {
        let grid: Vec<_> = self.rows.iter().map(|row| String::from_utf8_lossy(row).into_owned()).collect();
        let tiles: Map<String, Value> = Kind::all().map(|kind| (kind.name().to_owned(), self.tiles[kind.index()].into())).collect();
        json!({"name": self.name, "grid": grid, "tiles": tiles, "pagodas": self.pagodas})
    }

    fn read(value: &Value) -> Result<Self, DataError> {
        let mut fields = Node::root(value).object()?;
        let name = fields.required("name")?;
        if !is_set_name(name.text()?) {
            return Err(name.error("1 to 40 of the characters a-z, 0-9, _ and -"));
        }
        let rows = read_grid(&fields.required("grid")?)?;
        let tiles = fields.optional("tiles").map_or(Ok(DEFAULT_TILES), |node| read_tiles(&node))?;
        let pagodas = fields.optional("pagodas").map_or(Ok(DEFAULT_PAGODAS), |node| read_pagodas(&node))?;
        fields.finish()?;
        let board = Self { name: name.text()?.to_owned(), rows, tiles, pagodas };
        board.check_starts()?;
        Ok(board)
    }

    /// A start space, no two of one colour side by side, and somewhere to begin.
    fn check_starts(&self) -> Result<(), DataError> {
        let grid = self.grid();
        let at = |square: usize| self.rows[square / grid.columns][square % grid.columns];
        let neighbours = |square| grid.neighbours(square).into_iter().flatten();
        let is_start = |square| b"ryb".contains(&at(square));
        if !(0..grid.len()).any(is_start) {
            return Err(DataError::new(
                "grid",
                format!("no start space in rows 1 to {} and columns 1 to {}", grid.rows, grid.columns),
                "at least one square r, y or b (QN-2.8)",
            ));
        }
        for square in (0..grid.len()).filter(|&square| is_start(square)) {
            if let Some(twin) = neighbours(square).find(|&other| at(other) == at(square)) {
                return Err(DataError::new(
                    format!("grid[{}]", square / grid.columns),
                    format!(
                        "{:?} in row {}, column {}, and beside it in row {}, column {} ({} and {})",
                        char::from(at(square)),
                        square / grid.columns + 1,
                        square % grid.columns + 1,
                        twin / grid.columns + 1,
                        twin % grid.columns + 1,
                        grid.format(square),
                        grid.format(twin)
                    ),
                    "no two adjacent start spaces of one colour (QN-2.8)",
                ));
            }
        }
        let begins = |square: usize| {
            at(square) == b'.' && neighbours(square).any(is_start) && neighbours(square).any(|other| at(other) == b'.')
        };
        if !(0..grid.len()).any(begins) {
            return Err(DataError::new(
                "grid",
                "no two adjacent free squares at a start space",
                "at least one free pair: two adjacent `.`, one of them beside r, y or b (QN-2.8, QN-5.2)",
            ));
        }
        Ok(())
    }
}

fn read_grid(node: &Node<'_>) -> Result<Vec<Vec<u8>>, DataError> {
    let entries = node.value.as_array().map_or(0, Vec::len);
    if node.value.is_array() && !SIDE.contains(&entries) {
        let found = if entries > *SIDE.end() { format!("{entries} rows, row 27 is too many") } else { format!("{entries} rows") };
        return Err(DataError::new(&node.path, found, "3 to 26 rows of 3 to 26 squares (QN-2.8)"));
    }
    let mut rows: Vec<Vec<u8>> = Vec::new();
    for (index, row) in node.list(*SIDE.start(), *SIDE.end())?.iter().enumerate() {
        let text = row.text()?;
        let number = index + 1;
        // A hostile row is looked at no further than one square beyond the limit.
        for (column, character) in text.chars().take(SIDE.end() + 1).enumerate() {
            if !CHARACTERS.contains(character) {
                return Err(DataError::new(
                    &row.path,
                    format!("{character:?} in row {number}, column {}", column + 1),
                    "one of . ~ # r y b (QN-2.1)",
                ));
            }
        }
        if !SIDE.contains(&text.chars().take(SIDE.end() + 1).count()) {
            let length = text.chars().count();
            let beyond = if length > *SIDE.end() { ", column 27 is too many" } else { "" };
            return Err(DataError::new(
                &row.path,
                format!("row {number} of {length} columns{beyond}"),
                "3 to 26 squares in a row (QN-2.8)",
            ));
        }
        if let Some(first) = rows.first()
            && first.len() != text.len()
        {
            let differs = first.len().min(text.len()) + 1;
            return Err(DataError::new(
                &row.path,
                format!("row {number} of {} columns, unlike row 1 from column {differs}", text.len()),
                format!("rows of equal length: {} as in row 1 (QN-2.8)", first.len()),
            ));
        }
        rows.push(text.as_bytes().to_vec());
    }
    Ok(rows)
}

fn read_tiles(node: &Node<'_>) -> Result<[u8; Kind::COUNT], DataError> {
    let mut fields = node.object()?;
    let mut tiles = [0; Kind::COUNT];
    for kind in Kind::all() {
        tiles[kind.index()] = fields.required(kind.name())?.integer(0, MAX_TILES_OF_A_KIND)? as u8;
    }
    fields.finish()?;
    let sum: u32 = tiles.iter().map(|&count| u32::from(count)).sum();
    if sum < MIN_TILES {
        return Err(DataError::new(
            &node.path,
            format!("{sum} tiles in all"),
            "at least 12, three for each of four seats (QN-2.8)",
        ));
    }
    Ok(tiles)
}

fn read_pagodas(node: &Node<'_>) -> Result<[u8; 3], DataError> {
    let mut pagodas = [0; 3];
    for (number, entry) in pagodas.iter_mut().zip(node.list(3, 3)?) {
        *number = entry.integer(1, 99)? as u8;
    }
    Ok(pagodas)
}
