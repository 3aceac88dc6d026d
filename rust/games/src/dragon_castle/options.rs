//! The options (DC-3.1 to DC-3.4).

use forbidden_games_core::data::display;
use forbidden_games_core::error::{OptionsError, SetupError};
use forbidden_games_core::options::{ComponentSource, OptionKind, OptionSpec, Options, check_players, complete};
use serde_json::Value;

use super::cards::{CardSet, Dragon, Spirit};
use super::components::{CastleLayout, Components};

/// Which cards of one kind are in play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cards {
    /// These.
    Fixed(CardSet),
    /// So many, drawn in the set-up.
    Random(u8),
}

impl Cards {
    /// Those in play before any is drawn.
    pub(super) const fn at_start(self) -> CardSet {
        match self {
            Self::Fixed(cards) => cards,
            Self::Random(_) => CardSet(0),
        }
    }

    /// How many are drawn.
    pub(super) const fn drawn(self) -> usize {
        match self {
            Self::Fixed(_) => 0,
            Self::Random(count) => count as usize,
        }
    }
}

/// What players, options and component set resolve to.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) players: usize,
    pub(super) components: Components,
    pub(super) layout: CastleLayout,
    pub(super) spirits: Cards,
    pub(super) dragons: Cards,
    /// Rows and columns of a realm.
    pub(super) realm: (usize, usize),
    /// The full options object.
    pub(super) options: Options,
}

/// The options in the order of the options object.
pub(super) fn option_schema() -> Vec<OptionSpec> {
    vec![
        OptionSpec {
            name: "layout",
            kind: OptionKind::Text(
                "default, a layout of the set (pyramid, wings, bastions, court) or a grid of heights, rows separated by /",
            ),
            default: Value::from("default"),
            meaning: "the castle (DC-2.5, DC-3.2)",
        },
        OptionSpec {
            name: "spirits",
            kind: OptionKind::NamesOrText("0 to 3 different names of spirit cards, or random:1 to random:3"),
            default: Value::Array(Vec::new()),
            meaning: "spirit cards in play (DC-2.6)",
        },
        OptionSpec {
            name: "dragons",
            kind: OptionKind::NamesOrText("0 to 3 different names of dragon cards, or random:1 to random:3"),
            default: Value::Array(Vec::new()),
            meaning: "dragon cards in play (DC-2.7)",
        },
        OptionSpec {
            name: "realm",
            kind: OptionKind::Text("RxC, rows and columns each 3 to 8"),
            default: Value::from("5x6"),
            meaning: "squares of each realm (DC-3.1)",
        },
        OptionSpec {
            name: "components",
            kind: OptionKind::Text("the name of the component set in use"),
            default: Value::from("house-1"),
            meaning: "tiles, layouts and cards (DC-2.8, DC-3.4)",
        },
    ]
}

impl Settings {
    /// Reads options and component set.
    ///
    /// # Errors
    /// If players, an option or the set does not fit.
    pub(super) fn read(players: usize, given: &Options, source: Option<&ComponentSource>) -> Result<Self, SetupError> {
        check_players(players, 2, 4)?;
        let mut object = complete(&option_schema(), given)?;
        let named = given.get("components").and_then(Value::as_str);
        let by_name = named.map(|name| ComponentSource::Name(name.to_owned()));
        let components = Components::load(source.or(by_name.as_ref())).map_err(|error| match (source, named) {
            (None, Some(name)) => SetupError::Options(OptionsError::new(
                "components",
                name,
                "a built-in set (house-1), or the set itself as components",
            )),
            _ => SetupError::Components(error),
        })?;
        if let Some(name) = named
            && name != components.name
        {
            return Err(OptionsError::new("components", name, format!("{}, the name of the set in use", components.name)).into());
        }

        let layout_text = match text(&object, "layout") {
            "default" => components.default_layout(players).to_owned(),
            other => other.to_owned(),
        };
        let layout = read_layout(&layout_text, &components)?;
        let realm = read_realm(text(&object, "realm"))?;
        let spirits = read_cards("spirits", &object["spirits"], &Spirit::ALL.map(Spirit::name), &components.spirits)?;
        let dragons = read_cards("dragons", &object["dragons"], &Dragon::ALL.map(Dragon::name), &components.dragons)?;

        object["layout"] = Value::from(layout_text);
        object["spirits"] = write_cards(spirits, &Spirit::ALL.map(Spirit::name));
        object["dragons"] = write_cards(dragons, &Dragon::ALL.map(Dragon::name));
        object["components"] = Value::from(components.name.as_str());
        Ok(Self { players, components, layout, spirits, dragons, realm, options: object })
    }
}

fn text<'a>(options: &'a Options, name: &str) -> &'a str {
    options[name].as_str().unwrap_or_default()
}

fn read_layout(text: &str, components: &Components) -> Result<CastleLayout, OptionsError> {
    if let Some((_, layout)) = components.layouts.iter().find(|(name, _)| name == text) {
        return Ok(layout.clone());
    }
    if !text.starts_with(|first: char| first.is_ascii_digit()) {
        let names: Vec<&str> = components.layouts.iter().map(|(name, _)| name.as_str()).take(20).collect();
        let expected = format!("default, {}, or a grid of heights with rows separated by /", names.join(", "));
        return Err(OptionsError::new("layout", format!("{text:?}"), expected));
    }
    let rows: Vec<&str> = text.split('/').collect();
    CastleLayout::parse(&rows, usize::from(components.tiles))
        .map_err(|(found, expected)| OptionsError::new("layout", found, expected))
}

fn read_realm(text: &str) -> Result<(usize, usize), OptionsError> {
    match text.as_bytes() {
        [rows @ b'3'..=b'8', b'x', columns @ b'3'..=b'8'] => Ok((usize::from(rows - b'0'), usize::from(columns - b'0'))),
        _ => Err(OptionsError::new("realm", format!("{text:?}"), "RxC, rows and columns each 3 to 8, such as 5x6")),
    }
}

fn read_cards(option: &str, value: &Value, names: &[&str; 10], titles: &[Option<String>; 10]) -> Result<Cards, OptionsError> {
    let in_box: Vec<&str> = names.iter().zip(titles).filter(|(_, title)| title.is_some()).map(|(name, _)| *name).collect();
    if let Some(text) = value.as_str() {
        let count = match text {
            "random" | "random:1" => 1,
            "random:2" => 2,
            "random:3" => 3,
            _ => return Err(OptionsError::new(option, format!("{text:?}"), "a list of names, random:1, random:2 or random:3")),
        };
        if count > in_box.len() {
            return Err(OptionsError::new(option, text, format!("at most the {} cards of the set", in_box.len())));
        }
        return Ok(Cards::Random(count as u8));
    }
    let mut cards = CardSet::default();
    let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
    for name in list {
        let name = name.as_str().unwrap_or_default();
        let Some(index) = names.iter().position(|&card| card == name && in_box.contains(&card)) else {
            return Err(OptionsError::new(option, format!("{name:?}"), format!("cards of the set: {}", in_box.join(", "))));
        };
        if cards.has(index) {
            return Err(OptionsError::new(option, format!("{name} twice"), "different cards"));
        }
        cards.insert(index);
    }
    if cards.len() > 3 {
        return Err(OptionsError::new(option, display(value), "at most 3 cards"));
    }
    Ok(Cards::Fixed(cards))
}

fn write_cards(cards: Cards, names: &[&str; 10]) -> Value {
    match cards {
        Cards::Random(count) => Value::from(format!("random:{count}")),
        Cards::Fixed(cards) => Value::Array(
            names.iter().enumerate().filter(|(index, _)| cards.has(*index)).map(|(_, name)| Value::from(*name)).collect(),
        ),
    }
}
