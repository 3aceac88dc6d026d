//! The component set: tile types, symbols, layouts and the cards in the box (DC-2.1 to DC-2.9).

use forbidden_games_core::data::{Fields, Node, is_set_name, parse_toml};
use forbidden_games_core::error::DataError;
use forbidden_games_core::geometry::square::Grid;
use forbidden_games_core::options::ComponentSource;
use serde_json::Value;

use super::cards::{Dragon, Spirit};

/// Built-in sets: name and text, the default first.
pub(super) const BUILTIN: &[(&str, &str)] = &[("house-1", include_str!("components.toml"))];

/// The most castle rows and columns (DC-3.2).
pub(super) const MAX_CASTLE: (usize, usize) = (12, 16);

/// The most types, symbols of one type, and symbols in all (DC-2.8).
const MAX_TYPES: usize = 8;
const MAX_SYMBOLS_OF_TYPE: usize = 36;
pub(super) const MAX_SYMBOLS: usize = MAX_TYPES * MAX_SYMBOLS_OF_TYPE;

/// One of the tile types (DC-2.1).
#[derive(Clone, Debug)]
pub(super) struct TileType {
    pub(super) code: u8,
    pub(super) title: String,
    pub(super) is_faction: bool,
    pub(super) copies: u8,
    /// Shrines that may be built on a set of this type.
    pub(super) shrines: u8,
    /// VP of a set beside those for its size.
    pub(super) vp: u8,
}

/// One of the tile symbols (DC-2.2).
#[derive(Clone, Debug)]
pub(super) struct Symbol {
    pub(super) text: String,
    /// Index of its type.
    pub(super) kind: u8,
    /// Equal exactly for faction symbols of one number; [`Symbol::NO_NUMBER`] for special ones.
    pub(super) number: u8,
}

impl Symbol {
    pub(super) const NO_NUMBER: u8 = u8::MAX;
}

/// Heights of the stacks of a castle at the start (DC-2.5, DC-3.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CastleLayout {
    pub(super) grid: Grid,
    pub(super) heights: Vec<u8>,
}

impl CastleLayout {
    /// Reads rows of digits; the error is what was found and what would have been right.
    pub(super) fn parse(rows: &[&str], tiles: usize) -> Result<Self, (String, String)> {
        let (max_rows, max_columns) = MAX_CASTLE;
        if rows.is_empty() || rows.len() > max_rows {
            return Err((format!("{} rows", rows.len()), format!("1 to {max_rows} rows")));
        }
        let columns = rows[0].len();
        let mut heights = Vec::new();
        for (i, row) in rows.iter().enumerate() {
            if row.is_empty() || row.len() > max_columns || !row.bytes().all(|digit| digit.is_ascii_digit()) {
                return Err((format!("row {} {row:?}", i + 1), format!("1 to {max_columns} digits, the heights of the stacks")));
            }
            if row.len() != columns {
                return Err((format!("row {} {row:?}", i + 1), format!("{columns} digits as in the first row")));
            }
            heights.extend(row.bytes().map(|digit| digit - b'0'));
        }
        let sum: usize = heights.iter().map(|&height| usize::from(height)).sum();
        if sum != tiles {
            return Err((format!("heights that add up to {sum}"), format!("{tiles}, the number of tiles")));
        }
        Ok(Self { grid: Grid { rows: rows.len(), columns }, heights })
    }
}

/// A whole component set.
#[derive(Clone, Debug)]
pub(super) struct Components {
    pub(super) name: String,
    pub(super) shrines: u16,
    pub(super) tokens: u8,
    pub(super) token_vp: u8,
    set_vp: Vec<u8>,
    pub(super) types: Vec<TileType>,
    pub(super) symbols: Vec<Symbol>,
    /// Number of tiles in all.
    pub(super) tiles: u16,
    pub(super) layouts: Vec<(String, CastleLayout)>,
    default_layout: [String; 3],
    /// Titles of the spirits in the box, by card order.
    pub(super) spirits: [Option<String>; 10],
    /// Titles of the dragons in the box, by card order.
    pub(super) dragons: [Option<String>; 10],
    /// What a header holds: the name of a built-in set, or a user's set whole.
    pub(super) header: Value,
}

impl Components {
    /// The most shrines that a type allows on one set (DC-2.1).
    pub(super) fn most_shrines(&self) -> u8 {
        self.types.iter().map(|kind| kind.shrines).max().unwrap_or(0)
    }

    /// Finds or reads the set; `None` is the default set.
    pub(super) fn load(source: Option<&ComponentSource>) -> Result<Self, DataError> {
        match source {
            None => Self::builtin(BUILTIN[0].0),
            Some(ComponentSource::Name(name)) => Self::builtin(name),
            Some(ComponentSource::Set(value)) => {
                let set = Self::read(value)?;
                if BUILTIN.iter().any(|(name, _)| *name == set.name) {
                    return Err(DataError::new("name", format!("{:?}", set.name), "another name: this one is a built-in set"));
                }
                Ok(set)
            }
        }
    }

    fn builtin(name: &str) -> Result<Self, DataError> {
        let Some((name, text)) = BUILTIN.iter().find(|(builtin, _)| *builtin == name) else {
            let names: Vec<_> = BUILTIN.iter().map(|(name, _)| *name).collect();
            return Err(DataError::new(
                "name",
                format!("{name:?}"),
                format!("a built-in set ({}) or a set itself", names.join(", ")),
            ));
        };
        let mut set = Self::read(&parse_toml(text)?)?;
        set.header = Value::from(*name);
        Ok(set)
    }

    /// Reads and checks a set (DC-2.8, DC-2.9).
    fn read(value: &Value) -> Result<Self, DataError> {
        let mut fields = Node::root(value).object()?;
        let name_node = fields.required("name")?;
        let name = name_node.text()?.to_owned();
        if !is_set_name(&name) {
            return Err(name_node.error("1 to 40 of a-z, 0-9, _ and -"));
        }
        let shrines = fields.required("shrines")?.integer(4, 999)? as u16;
        let tokens = fields.required("tokens")?.integer(7, 99)? as u8;
        let token_vp = fields.required("token_vp")?.integer(0, 99)? as u8;
        let set_vp = read_set_vp(&fields.required("set_vp")?)?;
        let (types, symbols, tiles) = read_types(&fields.required("types")?)?;
        let layouts = read_layouts(&fields.required("layouts")?, tiles)?;
        let default_layout = read_default_layout(&fields.required("default_layout")?, &layouts)?;
        let spirits = read_cards(&fields.required("spirits")?, &Spirit::ALL.map(Spirit::name))?;
        let dragons = read_cards(&fields.required("dragons")?, &Dragon::ALL.map(Dragon::name))?;
        fields.finish()?;
        Ok(Self {
            name,
            shrines,
            tokens,
            token_vp,
            set_vp,
            types,
            symbols,
            tiles: tiles as u16,
            layouts,
            default_layout,
            spirits,
            dragons,
            header: value.clone(),
        })
    }

    /// VP for consolidating `size` tiles, 4 or more, without those of the type (DC-2.4).
    pub(super) fn set_vp(&self, size: u32) -> i32 {
        let beyond_first = size.saturating_sub(4) as usize;
        let last = self.set_vp.len() - 1;
        i32::from(self.set_vp[beyond_first.min(last)]) + beyond_first.saturating_sub(last) as i32
    }

    /// Name of the layout that `"default"` stands for.
    pub(super) fn default_layout(&self, players: usize) -> &str {
        &self.default_layout[players - 2]
    }

    /// Text of a symbol.
    pub(super) fn symbol_text(&self, symbol: u16) -> &str {
        &self.symbols[usize::from(symbol)].text
    }

    /// Title of a spirit card for people.
    pub(super) fn spirit_title(&self, card: Spirit) -> String {
        clip(self.spirits[card.index()].as_deref().unwrap_or(card.name()), 40)
    }

    /// Title of a dragon card for people.
    pub(super) fn dragon_title(&self, card: Dragon) -> String {
        clip(self.dragons[card.index()].as_deref().unwrap_or(card.name()), 40)
    }

    /// The symbol written so, letter case ignored.
    pub(super) fn symbol(&self, text: &str) -> Option<u16> {
        self.symbols.iter().position(|symbol| symbol.text.eq_ignore_ascii_case(text)).map(|index| index as u16)
    }

    /// The type with this code.
    pub(super) fn type_of_code(&self, text: &str) -> Option<u8> {
        self.types.iter().position(|kind| text.as_bytes() == [kind.code]).map(|index| index as u8)
    }
}

/// Text of a user's file cut to a width, without control characters.
pub(super) fn clip(text: &str, width: usize) -> String {
    text.chars().take(width).map(|character| if character.is_control() { '?' } else { character }).collect()
}

fn read_set_vp(node: &Node<'_>) -> Result<Vec<u8>, DataError> {
    let mut numbers: Vec<u8> = Vec::new();
    for item in node.list(1, 16)? {
        let number = item.integer(0, 99)? as u8;
        if numbers.last().is_some_and(|&before| before > number) {
            return Err(item.error("a number not below the one before it"));
        }
        numbers.push(number);
    }
    Ok(numbers)
}

fn read_types(node: &Node<'_>) -> Result<(Vec<TileType>, Vec<Symbol>, usize), DataError> {
    let mut types: Vec<TileType> = Vec::new();
    let mut symbols: Vec<Symbol> = Vec::new();
    let mut numbers: Vec<u8> = Vec::new();
    let mut tiles = 0;
    for item in node.list(2, MAX_TYPES)? {
        let mut fields: Fields<'_> = item.object()?;
        let code_node = fields.required("code")?;
        let code = match code_node.text()?.as_bytes() {
            [code @ b'a'..=b'z'] if types.iter().all(|kind| kind.code != *code) => *code,
            [b'a'..=b'z'] => return Err(code_node.error("a code that no other type has")),
            _ => return Err(code_node.error("one lower-case letter")),
        };
        let title = fields.required("title")?.text()?.to_owned();
        let is_faction = fields.required("class")?.one_of(&["faction", "special"])? == 0;
        let symbol_nodes = fields.required("symbols")?.list(1, MAX_SYMBOLS_OF_TYPE)?;
        let copies = fields.required("copies")?.integer(1, 9)? as u8;
        let shrines = fields.required("shrines")?.integer(0, 9)? as u8;
        let vp = fields.required("vp")?.integer(0, 9)? as u8;
        fields.finish()?;
        tiles += symbol_nodes.len() * usize::from(copies);
        for symbol in symbol_nodes {
            let text = symbol.text()?;
            let bytes = text.as_bytes();
            if bytes.len() != 2 || bytes[0] != code || !bytes[1].is_ascii_alphanumeric() {
                return Err(symbol.error(format!("{} and a letter or digit", char::from(code))));
            }
            if symbols.iter().any(|other| other.text.eq_ignore_ascii_case(text)) {
                return Err(symbol.error("a symbol that differs from all others in more than letter case"));
            }
            let number = if is_faction {
                numbers.iter().position(|&number| number == bytes[1]).unwrap_or_else(|| {
                    numbers.push(bytes[1]);
                    numbers.len() - 1
                }) as u8
            } else {
                Symbol::NO_NUMBER
            };
            symbols.push(Symbol { text: text.to_owned(), kind: types.len() as u8, number });
        }
        types.push(TileType { code, title, is_faction, copies, shrines, vp });
    }
    Ok((types, symbols, tiles))
}

fn read_layouts(node: &Node<'_>, tiles: usize) -> Result<Vec<(String, CastleLayout)>, DataError> {
    node.entries()?
        .into_iter()
        .map(|(name, entry)| {
            if !is_set_name(name) || !name.as_bytes()[0].is_ascii_lowercase() || name == "default" {
                let expected = "a layout name: a letter, then up to 39 of a-z, 0-9, _ and -, not default";
                return Err(DataError::new("layouts", format!("{name:?}"), expected));
            }
            let nodes = entry.list(1, MAX_CASTLE.0)?;
            let rows = nodes.iter().map(Node::text).collect::<Result<Vec<_>, _>>()?;
            let layout = CastleLayout::parse(&rows, tiles)
                .map_err(|(found, expected)| DataError::new(entry.path.clone(), found, expected))?;
            Ok((name.to_owned(), layout))
        })
        .collect()
}

fn read_default_layout(node: &Node<'_>, layouts: &[(String, CastleLayout)]) -> Result<[String; 3], DataError> {
    let mut fields = node.object()?;
    let names: Vec<&str> = layouts.iter().map(|(name, _)| name.as_str()).collect();
    let mut of_players = [const { String::new() }; 3];
    for (players, name) in ["2", "3", "4"].into_iter().zip(&mut of_players) {
        let layout = fields.required(players)?;
        names[layout.one_of(&names)?].clone_into(name);
    }
    fields.finish()?;
    Ok(of_players)
}

fn read_cards(node: &Node<'_>, names: &[&str; 10]) -> Result<[Option<String>; 10], DataError> {
    let mut titles = [const { None }; 10];
    for (name, title) in node.entries()? {
        let Some(index) = names.iter().position(|&card| card == name) else {
            let expected = format!("only the cards {}", names.join(", "));
            return Err(DataError::new(node.path.clone(), format!("{name:?}"), expected));
        };
        titles[index] = Some(title.text()?.to_owned());
    }
    Ok(titles)
}
