//! What the tests over every game share: which games to try, and where the golden data lies.

#![allow(dead_code, reason = "each test file uses its part")]

use std::path::PathBuf;
use std::sync::Arc;

use forbidden_games_core::contract::Game;
use forbidden_games_core::data::parse_toml;
use forbidden_games_core::options::{ComponentSource, OptionKind, Options};
use serde_json::{Map, Value};

/// Combinations of options that are all tried; with more, each value is tried alone.
const MAX_COMBINATIONS: usize = 24;

/// Random games in the soak for each number of players, where nothing else is said.
const SOAK: u64 = 1_000;

/// One way to play a game.
pub(crate) struct Variant {
    /// A word for messages and file names.
    pub(crate) name: String,
    /// Options that differ from their defaults.
    pub(crate) options: Options,
    /// The component set, if not the default.
    pub(crate) components: Option<ComponentSource>,
    /// Whether some number of players must accept it.
    pub(crate) must_work: bool,
    /// Random games that the soak plays with each number of players.
    pub(crate) soak: u64,
}

/// The folder of a game's golden data.
pub(crate) fn golden<G: Game>() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden").join(G::INFO.name)
}

/// Reads a golden TOML file, if it is there.
pub(crate) fn golden_toml<G: Game>(name: &str) -> Option<Value> {
    let path = golden::<G>().join(name);
    let text = std::fs::read_to_string(&path).ok()?;
    Some(parse_toml(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// A component set by built-in name, or by the name of a file beside the golden data.
pub(crate) fn components<G: Game>(name: &str) -> ComponentSource {
    if name.ends_with(".toml") {
        ComponentSource::Set(golden_toml::<G>(name).unwrap_or_else(|| panic!("no golden file {name}")))
    } else {
        ComponentSource::Name(name.to_owned())
    }
}

/// Every combination of choices, built-in sets and the least, default and greatest of numbers, if there are few; otherwise each value
/// alone and everything at its last. Then a set of the user's own, and what `variants.toml` of the golden data adds (`[[variant]]`
/// with `id`, `options`, `components`, `soak`; a `soak` before them is for all). The default comes first.
pub(crate) fn variants<G: Game>() -> Vec<Variant> {
    let extra = golden_toml::<G>("variants.toml").unwrap_or_default();
    let soak = extra["soak"].as_u64().unwrap_or(SOAK);
    let mut found = Vec::new();
    let mut add = |name: String, options: Options, components, must_work, soak| {
        found.push(Variant { name, options, components, must_work, soak });
    };
    add("default".to_owned(), Map::new(), None, true, soak);
    let mut axes: Vec<(&str, Vec<Value>)> = Vec::new();
    for spec in G::option_schema() {
        let mut values: Vec<Value> = vec![spec.default.clone()];
        match spec.kind {
            OptionKind::Choice(words) => values.extend(words.iter().map(|&word| word.into())),
            OptionKind::Integer { min, max, .. } => values.extend([min.into(), max.into()]),
            _ => {}
        }
        let first = values[0].clone();
        values.retain(|value| *value != first);
        axes.push((spec.name, values));
    }
    let mut combinations: Vec<Options> = vec![Map::new()];
    for (name, values) in &axes {
        for index in 0..combinations.len() {
            let with = |value: &Value| {
                let mut options = combinations[index].clone();
                options.insert((*name).to_owned(), value.clone());
                options
            };
            let more: Vec<Options> = values.iter().map(with).collect();
            combinations.extend(more);
        }
    }
    if combinations.len() > MAX_COMBINATIONS {
        let single = |(name, values): &(&str, Vec<Value>)| {
            let name = (*name).to_owned();
            values.iter().map(|value| Map::from_iter([(name.clone(), value.clone())])).collect::<Vec<_>>()
        };
        combinations = axes.iter().flat_map(single).collect();
        combinations.push(axes.iter().filter_map(|(name, values)| Some(((*name).to_owned(), values.last()?.clone()))).collect());
    } else {
        combinations.remove(0);
    }
    for options in combinations {
        let name = Value::Object(options.clone()).to_string().replace(['{', '}', '"'], "");
        let is_single = options.len() == 1;
        add(name, options, None, is_single, if is_single { soak } else { soak / 10 });
    }
    for (index, (name, text)) in G::builtin_components().iter().enumerate() {
        if index > 0 {
            add(format!("set {name}"), Map::new(), Some(ComponentSource::Name((*name).to_owned())), true, soak);
        }
        if let Ok(mut set) = parse_toml(text) {
            set["name"] = "a-set-of-ones-own".into();
            add(format!("own set like {name}"), Map::new(), Some(ComponentSource::Set(set)), true, soak / 10);
        }
    }
    for variant in extra["variant"].as_array().map_or(&[][..], Vec::as_slice) {
        let options = variant.get("options").and_then(Value::as_object).cloned().unwrap_or_default();
        let set = variant.get("components").and_then(Value::as_str).map(components::<G>);
        add(variant["id"].as_str().unwrap_or("extra").to_owned(), options, set, true, variant["soak"].as_u64().unwrap_or(soak));
    }
    found
}

/// The variant for every number of players that it allows.
pub(crate) fn games<G: Game>(variant: &Variant) -> Vec<Arc<G>> {
    let all = G::INFO.min_players..=G::INFO.max_players;
    let tried: Vec<_> = all.map(|players| G::new(players, &variant.options, variant.components.as_ref())).collect();
    let refusals: Vec<String> = tried.iter().filter_map(|game| game.as_ref().err().map(ToString::to_string)).collect();
    let games: Vec<Arc<G>> = tried.into_iter().flatten().map(Arc::new).collect();
    assert!(!games.is_empty() || !variant.must_work, "{} {}: {refusals:?}", G::INFO.name, variant.name);
    games
}
