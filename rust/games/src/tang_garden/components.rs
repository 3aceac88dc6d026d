//! Component sets (TG-2.12 to 2.16): what is printed on tiles, cards and boards, read from TOML or JSON and checked (TG-2.14).

use serde_json::Value;

use forbidden_games_core::data::{Node, is_set_name};
use forbidden_games_core::error::DataError;

use super::board::{BOARD, CENTRAL, FREE, NONE, bit, parse_square};
pub(super) use super::names::{
    AREAS, BIRD, CHARACTERS, DECORATIONS, FISH, ICONS, LETTERS, LOTUS, MAX_CARDS, MAX_LANDSCAPES, MAX_TILES, PATH, PEONY, PERSON,
    ROOM, SIDES, SIZES, STACKS, TEMPLE,
};
use super::skills::{Skill, View, parse_skill, parse_view, terrain};

/// Name of the built-in component set.
pub(super) const BUILTIN: &str = "house-1";

/// Its text.
pub(super) const BUILTIN_TEXT: &str = include_str!("components.toml");

/// The bonus of a card (TG-2.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bonus {
    None,
    Coins(u8),
    Track(u8),
    Level,
    Token,
}

/// One side of the start tile at rotation 0 (TG-2.4).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct StartSide {
    /// Letter index of edges 0 to 7.
    pub(super) edges: [u8; 8],
    /// Bits of edge numbers of each region.
    pub(super) regions: Vec<u8>,
    /// Area bits of d4, e4, e5, d5.
    pub(super) areas: [u8; 4],
}

/// A tile kind (TG-2.5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TileKind {
    pub(super) name: String,
    pub(super) stack: usize,
    pub(super) copies: u8,
    /// Letter index of the edges north, east, south, west at `r0`.
    pub(super) edges: [u8; 4],
    /// Side bits of each region.
    pub(super) regions: Vec<u8>,
    /// Terrain of the area closed inside the picture.
    pub(super) inner: Option<u8>,
    /// Terrain of the temple.
    pub(super) temple: Option<u8>,
    /// Index in [`AREAS`].
    pub(super) area: Option<u8>,
}

/// A card kind (TG-2.7).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CardKind {
    pub(super) name: String,
    pub(super) decoration: u8,
    pub(super) bonus: Bonus,
    pub(super) bonus_name: &'static str,
    pub(super) copies: u8,
}

/// A character (TG-2.8).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Character {
    /// Start track of a starter.
    pub(super) start: Option<u8>,
    pub(super) skill: Skill,
    pub(super) view: View,
}

/// A landscape kind (TG-2.9).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LandscapeKind {
    pub(super) name: String,
    /// 0 small, 1 large.
    pub(super) size: usize,
    /// How often each icon is on it.
    pub(super) icons: [u8; 5],
    pub(super) copies: u8,
}

/// A whole checked set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Components {
    pub(super) name: String,
    /// Small and large token squares for two players, and for three and four.
    pub(super) tokens: [[u64; 2]; 2],
    /// Squares of the solo tokens.
    pub(super) solo_tokens: u64,
    /// Sides A and B.
    pub(super) start: [StartSide; 2],
    pub(super) tiles: Vec<TileKind>,
    /// Names in the order of TG-2.6.
    pub(super) decorations: [String; DECORATIONS],
    pub(super) pieces: [u8; DECORATIONS],
    /// Index in [`AREAS`] of each decoration.
    pub(super) decoration_area: [u8; DECORATIONS],
    pub(super) cards: Vec<CardKind>,
    pub(super) character_names: Vec<String>,
    pub(super) characters: Vec<Character>,
    pub(super) landscapes: Vec<LandscapeKind>,
    /// Coins paid on entering each column.
    pub(super) track_coins: [u8; 11],
    /// Ascending columns.
    pub(super) thresholds: Vec<u8>,
}

impl Components {
    /// Reads and checks a set. `builtin` allows the name of a built-in set.
    ///
    /// # Errors
    /// The first check of TG-2.14 that fails, with key and value.
    pub(super) fn parse(value: &Value, builtin: bool) -> Result<Self, DataError> {
        let mut fields = Node::root(value).object()?;
        let name = fields.required("name")?;
        let text = name.text()?;
        if !is_set_name(text) || (!builtin && text == BUILTIN) {
            return Err(name.error("1 to 40 of a-z 0-9 _ -, not the name of a built-in set"));
        }
        let trees = fields.required("trees")?;
        let decorations = decoration_names(&trees)?;
        let tokens = parse_tokens(&fields.required("tokens")?)?;
        let mut sides = fields.required("start")?.object()?;
        let start = [parse_start(&sides.required("A")?)?, parse_start(&sides.required("B")?)?];
        sides.finish()?;
        let tiles = parse_tiles(&fields.required("tiles")?)?;
        let (pieces, decoration_area) = parse_decorations(&fields.required("decorations")?, &decorations)?;
        let cards = parse_cards(&fields.required("cards")?, &decorations)?;
        let (character_names, characters) = parse_characters(&fields.required("characters")?, &decorations)?;
        let landscapes = parse_landscapes(&fields.required("landscapes")?)?;
        let (track_coins, thresholds) = parse_tracks(&fields.required("tracks")?)?;
        fields.finish()?;
        Ok(Self {
            name: text.to_owned(),
            tokens: tokens.0,
            solo_tokens: tokens.1,
            start,
            tiles,
            decorations,
            pieces,
            decoration_area,
            cards,
            character_names,
            characters,
            landscapes,
            track_coins,
            thresholds,
        })
    }
}

/// `[a-z][a-z0-9-]{0,31}`.
fn name_at(node: &Node<'_>) -> Result<String, DataError> {
    let text = node.text()?;
    let fits = (1..=32).contains(&text.len())
        && text.as_bytes()[0].is_ascii_lowercase()
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    if fits { Ok(text.to_owned()) } else { Err(node.error("a name: a letter a-z and up to 31 of a-z 0-9 -")) }
}

fn decoration_names(trees: &Node<'_>) -> Result<[String; DECORATIONS], DataError> {
    let mut names: Vec<String> = ["pavilion", "bridge"].map(str::to_owned).to_vec();
    let others = ["pavilion", "bridge", "lotus", "fish", "peony", "bird"];
    for node in trees.list(5, 5)? {
        let name = name_at(&node)?;
        if names.contains(&name) || others.contains(&name.as_str()) {
            return Err(node.error("a tree that is no other decoration"));
        }
        names.push(name);
    }
    names.extend(["lotus", "fish", "peony", "bird"].map(str::to_owned));
    Ok(std::array::from_fn(|i| names[i].clone()))
}

/// A list of squares of `allowed`, none of them in `taken`, to which they are added.
fn square_set(node: &Node<'_>, allowed: u64, taken: &mut u64, expected: &str) -> Result<u64, DataError> {
    let mut set = 0;
    for square in node.list(8, 8)? {
        let at = square.text()?;
        match parse_square(at).filter(|&at| bit(at) & allowed != 0 && bit(at) & *taken == 0) {
            Some(at) => {
                set |= bit(at);
                *taken |= bit(at);
            }
            None => return Err(square.error(expected)),
        }
    }
    Ok(set)
}

fn parse_tokens(node: &Node<'_>) -> Result<([[u64; 2]; 2], u64), DataError> {
    let mut fields = node.object()?;
    let mut maps = [[0; 2]; 2];
    for (map, key) in maps.iter_mut().zip(["two", "more"]) {
        let mut sizes = fields.required(key)?.object()?;
        let mut taken = 0;
        for (set, size) in map.iter_mut().zip(SIZES) {
            *set = square_set(&sizes.required(size)?, FREE, &mut taken, "a square outside the start tile, named once")?;
        }
        sizes.finish()?;
    }
    let solo = square_set(&fields.required("solo")?, CENTRAL, &mut 0, "a central square, named once")?;
    fields.finish()?;
    debug_assert!((maps[0][0] | solo) & !BOARD == 0, "squares are of the board");
    Ok((maps, solo))
}

/// Letter indices of an edge text; `letters` are allowed.
fn edges_at<const N: usize>(node: &Node<'_>, letters: &str, expected: &str) -> Result<[u8; N], DataError> {
    let text = node.text()?;
    let mut edges = [NONE; N];
    if text.len() != N || !text.chars().all(|letter| letters.contains(letter)) {
        return Err(node.error(expected));
    }
    for (edge, letter) in edges.iter_mut().zip(text.chars()) {
        *edge = LETTERS.iter().position(|known| *known == letter).unwrap_or(0) as u8;
    }
    Ok(edges)
}

/// Region bits: every terrain edge once, nothing else, one terrain to a region (TG-2.14.2).
fn regions_at(node: Option<&Node<'_>>, path: &str, edges: &[u8], marks: &str) -> Result<Vec<u8>, DataError> {
    let mut regions = Vec::new();
    let mut seen = 0_u8;
    for region in node.map_or(Ok(Vec::new()), |node| node.list(0, edges.len()))? {
        let mut bits = 0_u8;
        for mark in region.text()?.chars() {
            let index = marks.find(mark).filter(|&index| edges[index] < PATH && (seen | bits) >> index & 1 == 0);
            match index {
                Some(index) => bits |= 1 << index,
                None => return Err(region.error("edges of terrain, each in one region")),
            }
        }
        let terrains = (0..edges.len()).filter(|&i| bits >> i & 1 == 1).map(|i| edges[i]);
        if bits == 0 || terrains.clone().any(|terrain| Some(terrain) != terrains.clone().next()) {
            return Err(region.error("edges of one terrain"));
        }
        seen |= bits;
        regions.push(bits);
    }
    match (0..edges.len()).find(|&i| edges[i] < PATH && seen >> i & 1 == 0) {
        None => Ok(regions),
        Some(missing) => Err(DataError::new(
            path,
            node.map_or_else(|| "nothing".to_owned(), |node| node.value.to_string()),
            format!("every terrain edge in a region, also {}", &marks[missing..=missing]),
        )),
    }
}

fn parse_start(node: &Node<'_>) -> Result<StartSide, DataError> {
    let mut fields = node.object()?;
    let edges = edges_at::<8>(&fields.required("edges")?, "gwrpx", "eight of g w r p x")?;
    let regions = fields.required("regions")?;
    let regions = regions_at(Some(&regions), &regions.path, &edges, "01234567")?;
    let mut squares = fields.required("areas")?.object()?;
    let mut areas = [0; 4];
    for (set, square) in areas.iter_mut().zip(["d4", "e4", "e5", "d5"]) {
        for area in squares.required(square)?.list(0, 4)? {
            let index = area.one_of(&AREAS)?;
            // Person, pavilion and bridge are where a figure can stand: one at most, so that a square names its spot.
            if *set >> index & 1 == 1 || (index >= 3 && *set >> 3 != 0) {
                return Err(area.error("an area once a square, and one of pavilion, bridge and person at most"));
            }
            *set |= 1 << index;
        }
    }
    squares.finish()?;
    fields.finish()?;
    Ok(StartSide { edges, regions, areas })
}

fn parse_tiles(node: &Node<'_>) -> Result<Vec<TileKind>, DataError> {
    let mut tiles: Vec<TileKind> = Vec::new();
    for tile in node.list(4, MAX_TILES)? {
        let mut fields = tile.object()?;
        let kind = fields.required("kind")?;
        let name = kind.text()?;
        let bytes = name.as_bytes();
        let stack = match bytes {
            [_, b'0'..=b'9', b'0'..=b'9'] => STACKS.iter().position(|stack| stack.as_bytes()[0] == bytes[0]),
            _ => None,
        };
        let Some(stack) = stack else { return Err(kind.error("g, w, r or t and two digits")) };
        if tiles.iter().any(|other| other.name == name) {
            return Err(kind.error("each kind once"));
        }
        let copies = fields.required("copies")?.integer(1, 15)? as u8;
        let edge_node = fields.required("edges")?;
        let edges = if edge_node.value.as_str() == Some("kkkk") {
            [TEMPLE; 4]
        } else {
            edges_at::<4>(&edge_node, "gwrpx", "four of g w r p x, or kkkk")?
        };
        let region_node = fields.optional("regions");
        let regions = regions_at(region_node.as_ref(), &format!("{}.regions", tile.path), &edges, "nesw")?;
        let mut optional_terrain = |key: &str| fields.optional(key).map(|node| node.one_of(&["g", "w", "r"])).transpose();
        let inner = optional_terrain("inner")?.map(|terrain| terrain as u8);
        let temple = optional_terrain("temple")?.map(|terrain| terrain as u8);
        let is_temple = edges == [TEMPLE; 4];
        if is_temple != temple.is_some() {
            let found = temple.map_or("nothing".to_owned(), |terrain| format!("{:?}", STACKS[usize::from(terrain)]));
            return Err(DataError::new(format!("{}.temple", tile.path), found, "a temple if and only if the edges are kkkk"));
        }
        if let Some(inner) = inner.filter(|_| is_temple) {
            let found = format!("{:?}", STACKS[usize::from(inner)]);
            return Err(DataError::new(format!("{}.inner", tile.path), found, "no inner area of a temple"));
        }
        let area = fields.optional("area").map(|node| node.one_of(&AREAS)).transpose()?.map(|area| area as u8);
        fields.finish()?;
        tiles.push(TileKind { name: name.to_owned(), stack, copies, edges, regions, inner, temple, area });
    }
    for (stack, letter) in STACKS.iter().enumerate() {
        let sum = tiles.iter().filter(|tile| tile.stack == stack).map(|tile| u32::from(tile.copies)).sum();
        check_sum("tiles[].copies", sum, 15, &format!("of stack {letter}"))?;
    }
    Ok(tiles)
}

fn check_sum(key: &str, sum: u32, expected: u32, what: &str) -> Result<(), DataError> {
    if sum == expected { Ok(()) } else { Err(DataError::new(key, format!("a sum of {sum}"), format!("{expected} {what}"))) }
}

type PieceTable = ([u8; DECORATIONS], [u8; DECORATIONS]);

fn parse_decorations(node: &Node<'_>, names: &[String; DECORATIONS]) -> Result<PieceTable, DataError> {
    let mut fields = node.object()?;
    let (mut pieces, mut areas) = ([0; DECORATIONS], [0; DECORATIONS]);
    for (index, name) in names.iter().enumerate() {
        let mut entry = fields.required(name)?.object()?;
        pieces[index] = entry.required("pieces")?.integer(1, 26)? as u8;
        let area = entry.required("area")?;
        areas[index] = match index {
            0 => area.one_of(&["pavilion"])? as u8 + 3,
            1 => area.one_of(&["bridge"])? as u8 + 4,
            _ => area.one_of(&["tree", "meadow", "pond"])? as u8,
        };
        entry.finish()?;
    }
    fields.finish()?;
    check_sum("decorations.*.pieces", pieces.iter().map(|&n| u32::from(n)).sum(), 36, "in all")?;
    Ok((pieces, areas))
}

fn parse_cards(node: &Node<'_>, decorations: &[String; DECORATIONS]) -> Result<Vec<CardKind>, DataError> {
    const BONUSES: [(&str, Bonus); 8] = [
        ("none", Bonus::None),
        ("coin", Bonus::Coins(1)),
        ("coins", Bonus::Coins(2)),
        ("green", Bonus::Track(0)),
        ("water", Bonus::Track(1)),
        ("rock", Bonus::Track(2)),
        ("level", Bonus::Level),
        ("token", Bonus::Token),
    ];
    let mut cards: Vec<CardKind> = Vec::new();
    for card in node.list(1, MAX_CARDS)? {
        let mut fields = card.object()?;
        let kind = fields.required("kind")?;
        let name = name_at(&kind)?;
        if cards.iter().any(|other| other.name == name) {
            return Err(kind.error("each kind once"));
        }
        let names: Vec<&str> = decorations.iter().map(String::as_str).collect();
        let decoration = fields.required("decoration")?.one_of(&names)? as u8;
        let (bonus_name, bonus) = BONUSES[fields.required("bonus")?.one_of(&BONUSES.map(|(name, _)| name))?];
        let copies = fields.required("copies")?.integer(1, 54)? as u8;
        fields.finish()?;
        cards.push(CardKind { name, decoration, bonus, bonus_name, copies });
    }
    check_sum("cards[].copies", cards.iter().map(|card| u32::from(card.copies)).sum(), 54, "in all")?;
    Ok(cards)
}

fn parse_characters(node: &Node<'_>, decorations: &[String; DECORATIONS]) -> Result<(Vec<String>, Vec<Character>), DataError> {
    let list = node.list(CHARACTERS, CHARACTERS)?;
    let mut names: Vec<String> = Vec::new();
    for character in &list {
        let node = character.object()?.required("name")?;
        let name = name_at(&node)?;
        if name == "blind" || names.contains(&name) {
            return Err(node.error("each name once, and not blind"));
        }
        names.push(name);
    }
    let mut characters = Vec::new();
    for (index, character) in list.iter().enumerate() {
        let mut fields = character.object()?;
        fields.required("name")?;
        let start = match fields.optional("start") {
            None => None,
            Some(node) => Some(terrain(node.text()?).ok_or_else(|| node.error("g, w or r"))?),
        };
        let skill = fields.required("skill")?;
        let skill = parse_skill(skill.text()?, decorations).ok_or_else(|| skill.error("a skill of TG-2.13"))?;
        let view = fields.required("view")?;
        let view = parse_view(view.text()?, index, &names).ok_or_else(|| view.error("a view of TG-2.13"))?;
        fields.finish()?;
        characters.push(Character { start, skill, view });
    }
    let starters = characters.iter().filter(|character| character.start.is_some()).count();
    check_sum("characters[].start", starters as u32, 6, "characters with a start track")?;
    Ok((names, characters))
}

fn parse_landscapes(node: &Node<'_>) -> Result<Vec<LandscapeKind>, DataError> {
    let mut landscapes: Vec<LandscapeKind> = Vec::new();
    for landscape in node.list(2, MAX_LANDSCAPES)? {
        let mut fields = landscape.object()?;
        let size = fields.required("size")?.one_of(&SIZES)?;
        let icon_node = fields.required("icons")?;
        let text = icon_node.text()?;
        let mut icons = [0_u8; 5];
        let mut last = 0;
        for letter in text.chars().take(6) {
            match ICONS.iter().position(|known| *known == letter) {
                Some(index) if index >= last => {
                    icons[index] += 1;
                    last = index;
                }
                _ => return Err(icon_node.error("0 to 5 of a c d m s in this order")),
            }
        }
        if text.len() > 5 {
            return Err(icon_node.error("0 to 5 of a c d m s in this order"));
        }
        let name = format!("{}-{}", &SIZES[size][..1], if text.is_empty() { "0" } else { text });
        if landscapes.iter().any(|other| other.name == name) {
            return Err(icon_node.error("each kind once"));
        }
        let copies = fields.required("copies")?.integer(1, 12)? as u8;
        fields.finish()?;
        landscapes.push(LandscapeKind { name, size, icons, copies });
    }
    for (size, expected) in [(0, 12), (1, 8)] {
        let sum = landscapes.iter().filter(|kind| kind.size == size).map(|kind| u32::from(kind.copies)).sum();
        check_sum("landscapes[].copies", sum, expected, SIZES[size])?;
    }
    Ok(landscapes)
}

fn parse_tracks(node: &Node<'_>) -> Result<([u8; 11], Vec<u8>), DataError> {
    let mut fields = node.object()?;
    let mut coins = [0; 11];
    let mut last = 0;
    for pair in fields.required("coins")?.list(0, 10)? {
        let entry = pair.list(2, 2)?;
        let column = entry[0].integer(last + 1, 10).map_err(|_| entry[0].error("a column from 1 to 10, rising strictly"))?;
        coins[column as usize] = entry[1].integer(1, 99)? as u8;
        last = column;
    }
    let mut thresholds = Vec::new();
    let mut last = 1;
    for column in fields.required("thresholds")?.list(1, 9)? {
        last = column.integer(last + 1, 10).map_err(|_| column.error("a column from 2 to 10, rising strictly"))?;
        thresholds.push(last as u8);
    }
    fields.finish()?;
    Ok((coins, thresholds))
}
