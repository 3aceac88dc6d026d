//! Component sets (FC-2): what each tile shows, how many there are, and both sides of the start tile. Read strictly: a set that
//! fails a check of FC-2.4 is refused as a whole with the key and the value.

use arrayvec::ArrayVec;
use serde_json::Value;

use forbidden_games_core::data::{self, Fields, Node};
use forbidden_games_core::error::{DataError, SetupError};
use forbidden_games_core::geometry::orientation::{Side, turn_sides};
use forbidden_games_core::options::{ComponentSource, Options};

/// Built-in sets, the default first.
pub(super) const BUILTIN: [(&str, &str); 2] =
    [("house-1", include_str!("components.toml")), ("test-1", include_str!("test-1.toml"))];

/// What a player sees on a side (FC-2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(super) enum Edge {
    Open,
    Wall,
    Arch,
}

impl Edge {
    const fn from_symbol(symbol: char) -> Option<Self> {
        match symbol {
            '.' => Some(Self::Open),
            '#' => Some(Self::Wall),
            'A' => Some(Self::Arch),
            _ => None,
        }
    }
}

/// Colours by seat (FC-2.2).
pub(super) const SEAT_NAMES: [&str; 4] = ["purple", "yellow", "red", "blue"];

/// Floor letters in the order of their indices.
pub(super) const FLOORS: [&str; 3] = ["g", "p", "w"];

/// A floor in words, for events and refusals.
pub(super) const FLOOR_NAMES: [&str; 3] = ["green", "pink", "white"];

/// One part of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// Index in [`FLOORS`].
    pub(super) floor: u8,
    pub(super) advisors: u8,
    pub(super) dragons: u8,
}

/// One kind of tile at rotation `r0`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Kind {
    pub(super) id: String,
    pub(super) edges: [Edge; 4],
    /// The part that owns each side.
    pub(super) owners: [u8; 4],
    pub(super) parts: ArrayVec<Part, 2>,
    /// Whether the diagonal wall between two parts has an arch.
    pub(super) diagonal_arch: bool,
    pub(super) count: u8,
    pub(super) extra: u8,
}

impl Kind {
    /// Copies in every seat's set (FC-2.2).
    pub(super) fn copies(&self, players: usize) -> u8 {
        self.count + if players == 2 { self.extra } else { 0 }
    }

    /// What a tile brings in the final tally (FC-7.4).
    pub(super) fn tally_worth(&self) -> i32 {
        self.parts.iter().map(|part| 2 * i32::from(part.advisors) + 3 * i32::from(part.dragons)).sum()
    }

    /// Symbols and owning parts after `rotation` clockwise quarter turns (FC-5.1).
    pub(super) fn face(&self, rotation: usize) -> ([Edge; 4], [u8; 4]) {
        (turn_sides(self.edges, rotation), turn_sides(self.owners, rotation))
    }

    /// The smallest rotation that shows the same face (FC-5.2).
    pub(super) fn canonical(&self, rotation: usize) -> usize {
        let (edges, owners) = self.face(rotation);
        let may_swap = self.parts.len() == 2 && self.parts[0] == self.parts[1];
        (0..rotation)
            .find(|&smaller| {
                let (other_edges, other_owners) = self.face(smaller);
                edges == other_edges && (owners == other_owners || (may_swap && owners == other_owners.map(|part| 1 - part)))
            })
            .unwrap_or(rotation)
    }
}

/// A space of the start tile that is neither garden nor temple.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StartCell {
    pub(super) floor: u8,
    pub(super) edges: [Edge; 4],
    pub(super) dragons: u8,
}

/// One side of the start tile; its nine spaces in reading order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StartSide {
    pub(super) temple: [Edge; 4],
    /// `None`: a garden, and the temple at index 4.
    pub(super) cells: [Option<StartCell>; 9],
}

/// Index of the temple among the nine spaces.
pub(super) const TEMPLE: usize = 4;

/// Keys of the nine spaces, reading order; the temple has none.
pub(super) const START_KEYS: [&str; 9] = ["nw", "n", "ne", "w", "", "e", "sw", "s", "se"];

/// The two sides of the start tile, in the order of [`Components::start`] and of the option `side`.
pub(super) const SIDES: [&str; 2] = ["beginner", "advanced"];

/// Most kinds of tiles in a set (FC-2.4).
pub(super) const MAX_KINDS: usize = 64;

/// A whole set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Components {
    pub(super) name: String,
    pub(super) set: u8,
    pub(super) set_two: u8,
    pub(super) kinds: Vec<Kind>,
    pub(super) start: [StartSide; 2],
    /// The object it was read from if it is a user's own, for headers.
    pub(super) own: Option<Value>,
}

impl Components {
    /// Finds the set that `options` and the `components` argument mean (FC-3.1).
    pub(super) fn choose(options: &Options, source: Option<&ComponentSource>) -> Result<Self, SetupError> {
        let named = match options.get("components") {
            None => None,
            Some(value) => Some(value.as_str().ok_or_else(|| name_error(&data::display(value)))?),
        };
        let components = match source {
            None => Self::builtin(named.unwrap_or(BUILTIN[0].0))?,
            Some(ComponentSource::Name(name)) => Self::builtin(name)?,
            Some(ComponentSource::Set(value)) => {
                let mut own = Self::read(&Node::root(value)).map_err(SetupError::Components)?;
                if BUILTIN.iter().any(|(name, _)| *name == own.name) {
                    let error = DataError::new("name", own.name, "a name of its own: that of a built-in set is reserved");
                    return Err(SetupError::Components(error));
                }
                own.own = Some(value.clone());
                own
            }
        };
        match named {
            Some(name) if name != components.name => {
                let expected = format!("{:?}, the name of the component set in use, or nothing", components.name);
                Err(forbidden_games_core::error::OptionsError::new("components", format!("{name:?}"), expected).into())
            }
            _ => Ok(components),
        }
    }

    fn builtin(name: &str) -> Result<Self, SetupError> {
        let (_, text) = BUILTIN.iter().find(|(builtin, _)| *builtin == name).ok_or_else(|| name_error(&format!("{name:?}")))?;
        let value = data::parse_toml(text).expect("a built-in set is TOML");
        Ok(Self::read(&Node::root(&value)).unwrap_or_else(|error| panic!("built-in set {name}: {error}")))
    }

    /// Tiles in the set of each seat (FC-2.2).
    pub(super) fn set_size(&self, players: usize) -> u8 {
        if players == 2 { self.set_two } else { self.set }
    }

    /// The kind with this id, whatever its letter case.
    pub(super) fn kind_by_id(&self, id: &str) -> Option<usize> {
        self.kinds.iter().position(|kind| kind.id.eq_ignore_ascii_case(id))
    }

    /// Reads and checks a set (FC-2.4).
    pub(super) fn read(document: &Node<'_>) -> Result<Self, DataError> {
        let mut fields = document.object()?;
        let name = fields.required("name")?;
        if !data::is_set_name(name.text()?) {
            return Err(name.error("1 to 40 of the characters a-z, 0-9, _ and -"));
        }
        let set = fields.required("set")?;
        let set_two = fields.required("set_two")?;
        let sizes = [set.integer(3, 40)?, set_two.integer(3, 40)?];
        let mut kinds: Vec<Kind> = Vec::new();
        for node in fields.required("tiles")?.list(1, MAX_KINDS)? {
            let kind = read_kind(&node)?;
            if kinds.iter().any(|earlier| earlier.id.eq_ignore_ascii_case(&kind.id)) {
                return Err(DataError::new(
                    format!("{}.id", node.path),
                    kind.id,
                    "an id that no earlier tile has in any letter case",
                ));
            }
            kinds.push(kind);
        }
        let mut start = fields.required("start")?.object()?;
        let sides = [read_start_side(&start.required(SIDES[0])?)?, read_start_side(&start.required(SIDES[1])?)?];
        start.finish()?;
        fields.finish()?;
        let sum = |extra: bool| -> i64 {
            kinds.iter().map(|kind| i64::from(kind.count) + if extra { i64::from(kind.extra) } else { 0 }).sum()
        };
        if sum(false) != sizes[0] {
            return Err(set.error(format!("{}, the sum of all tiles[].count", sum(false))));
        }
        if sum(true) != sizes[1] {
            return Err(set_two.error(format!("{}, the sum of all tiles[].count and tiles[].extra", sum(true))));
        }
        Ok(Self { name: name.text()?.to_owned(), set: sizes[0] as u8, set_two: sizes[1] as u8, kinds, start: sides, own: None })
    }
}

fn name_error(found: &str) -> SetupError {
    let expected = "house-1 or test-1; an own set comes in through the components argument";
    forbidden_games_core::error::OptionsError::new("components", found, expected).into()
}

fn read_edges(node: &Node<'_>, allowed: &str) -> Result<[Edge; 4], DataError> {
    let expected = || node.error(format!("four of the symbols {allowed}: north, east, south, west"));
    let symbols: Vec<char> = node.text()?.chars().take(5).collect();
    if symbols.len() != 4 || symbols.iter().any(|symbol| !allowed.contains(*symbol)) {
        return Err(expected());
    }
    let mut edges = [Edge::Wall; 4];
    for (edge, symbol) in edges.iter_mut().zip(symbols) {
        *edge = Edge::from_symbol(symbol).ok_or_else(expected)?;
    }
    Ok(edges)
}

fn small(fields: &mut Fields<'_>, key: &str, max: i64) -> Result<u8, DataError> {
    fields.optional(key).map_or(Ok(0), |node| node.integer(0, max).map(|number| number as u8))
}

fn read_kind(node: &Node<'_>) -> Result<Kind, DataError> {
    let mut fields = node.object()?;
    let id = fields.required("id")?;
    let text = id.text()?;
    if !(1..=16).contains(&text.len()) || !text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
        return Err(id.error("1 to 16 of the characters A-Z, a-z, 0-9 and -"));
    }
    let edges = read_edges(&fields.required("edges")?, ".#A")?;
    let part_nodes = fields.required("parts")?.list(1, 2)?;
    let two = part_nodes.len() == 2;
    let mut parts = ArrayVec::new();
    let mut owners = [None; 4];
    for (index, part_node) in part_nodes.iter().enumerate() {
        let mut part = part_node.object()?;
        let floor = part.required("floor")?.one_of(&FLOORS)? as u8;
        if two {
            let sides = part.required("sides")?;
            for letter in sides.text()?.chars().take(5) {
                let side = letter.is_ascii_uppercase().then(|| Side::from_letter(letter.to_ascii_lowercase())).flatten();
                let side = side.ok_or_else(|| sides.error("letters out of NESW"))?;
                if owners[side.index()].replace(index as u8).is_some() {
                    return Err(sides.error("each of N, E, S, W once over both parts together"));
                }
            }
        } else if let Some(sides) = part.optional("sides") {
            return Err(sides.error("no such key: a single part owns all four sides"));
        }
        let advisors = small(&mut part, "advisors", 9)?;
        let dragons = small(&mut part, "dragons", 9)?;
        part.finish()?;
        parts.push(Part { floor, advisors, dragons });
    }
    if two && owners.contains(&None) {
        let expected = "each of N, E, S, W once over both parts together";
        return Err(DataError::new(format!("{}.parts", node.path), "a side that no part owns", expected));
    }
    let diagonal_arch = match fields.optional("diagonal") {
        None => false,
        Some(diagonal) if two => diagonal.one_of(&["#", "A"])? == 1,
        Some(diagonal) => return Err(diagonal.error("no such key: only a tile with two parts has a diagonal wall")),
    };
    let count = fields.required("count")?.integer(0, 60)? as u8;
    let extra = small(&mut fields, "extra", 60)?;
    fields.finish()?;
    if count + extra == 0 {
        return Err(DataError::new(format!("{}.count", node.path), "0 and no extra", "count + extra of at least 1"));
    }
    Ok(Kind { id: text.to_owned(), edges, owners: owners.map(|owner| owner.unwrap_or(0)), parts, diagonal_arch, count, extra })
}

fn read_start_side(node: &Node<'_>) -> Result<StartSide, DataError> {
    let mut fields = node.object()?;
    let temple = read_edges(&fields.required("temple")?, "#A")?;
    let cells_node = fields.required("cells")?;
    let mut cell_fields = cells_node.object()?;
    let mut cells = [None; 9];
    for (index, key) in START_KEYS.iter().enumerate() {
        if index == TEMPLE {
            continue;
        }
        let cell = cell_fields.required(key)?;
        if cell.value.as_str() == Some("garden") {
            continue;
        }
        if !cell.value.is_object() {
            return Err(cell.error("\"garden\" or a table of floor, edges and dragons"));
        }
        let mut inner = cell.object()?;
        let floor = inner.required("floor")?.one_of(&FLOORS)? as u8;
        let edges = read_edges(&inner.required("edges")?, ".#A")?;
        let dragons = small(&mut inner, "dragons", 9)?;
        inner.finish()?;
        cells[index] = Some(StartCell { floor, edges, dragons });
    }
    cell_fields.finish()?;
    fields.finish()?;
    // Neighbours to the east and to the south are enough: every pair is met once.
    for (index, cell) in cells.iter().enumerate() {
        for (side, other) in [(Side::East, index + 1), (Side::South, index + 3)] {
            if (side == Side::East && index % 3 == 2) || other > 8 {
                continue;
            }
            let (Some(cell), Some(neighbour)) = (cell, cells[other]) else { continue };
            let meet = [cell.edges[side.index()], neighbour.edges[side.opposite().index()]];
            if meet == [Edge::Open; 2] && cell.floor != neighbour.floor {
                let found = format!(
                    "{} and {} open to each other",
                    FLOOR_NAMES[usize::from(cell.floor)],
                    FLOOR_NAMES[usize::from(neighbour.floor)]
                );
                let key = format!("{}.{}", cells_node.path, START_KEYS[index]);
                return Err(DataError::new(key, found, format!("no open sides of different floors towards {}", START_KEYS[other])));
            }
        }
    }
    Ok(StartSide { temple, cells })
}
