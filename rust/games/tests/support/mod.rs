//! What the tests over every game share: which games to try, and where the golden data lies.

#![allow(dead_code, reason = "each test file uses its part")]

use std::path::PathBuf;
use std::sync::Arc;

use forbidden_games_core::data::parse_toml;
use forbidden_games_core::game::Game;
use forbidden_games_core::options::{ComponentSource, OptionKind, Options};
use serde_json::{Map, Value};

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

/// The default; every other built-in set; a set of the user's own; every value of every choice; the least and the greatest of
/// every number; everything at its last or greatest at once; and what `variants.toml` of the golden data adds (`[[variant]]` with
/// `id`, `options`, `components`).
pub(crate) fn variants<G: Game>() -> Vec<Variant> {
    let mut found = Vec::new();
    let mut add = |name: String, options: Options, components, must_work| {
        found.push(Variant { name, options, components, must_work });
    };
    add("default".to_owned(), Map::new(), None, true);
    for (index, (name, text)) in G::builtin_components().iter().enumerate() {
        if index > 0 {
            add(format!("set {name}"), Map::new(), Some(ComponentSource::Name((*name).to_owned())), true);
        } else if let Ok(mut set) = parse_toml(text) {
            set["name"] = "a-set-of-ones-own".into();
            add("own set".to_owned(), Map::new(), Some(ComponentSource::Set(set)), true);
        }
    }
    let mut all_last = Map::new();
    let sets: Vec<&str> = G::builtin_components().iter().map(|(name, _)| *name).collect();
    for spec in G::option_schema() {
        let values: Vec<Value> = match spec.kind {
            // The option that names the component set was tried above.
            OptionKind::Choice(words) if words.iter().any(|word| sets.contains(word)) => Vec::new(),
            OptionKind::Choice(words) => words.iter().map(|&word| word.into()).collect(),
            OptionKind::Integer { min, max, .. } => vec![min.into(), max.into()],
            _ => Vec::new(),
        };
        if let Some(last) = values.last() {
            all_last.insert(spec.name.to_owned(), last.clone());
        }
        for value in values.into_iter().filter(|value| *value != spec.default) {
            let name = format!("{}={value}", spec.name).replace('"', "");
            add(name, Map::from_iter([(spec.name.to_owned(), value)]), None, true);
        }
    }
    add("everything at its last".to_owned(), all_last, None, false);
    let extra = golden_toml::<G>("variants.toml");
    let extra = extra.as_ref().and_then(|value| value["variant"].as_array()).map_or(&[][..], Vec::as_slice);
    for variant in extra {
        let options = variant.get("options").and_then(Value::as_object).cloned().unwrap_or_default();
        let set = variant.get("components").and_then(Value::as_str).map(components::<G>);
        add(variant["id"].as_str().unwrap_or("extra").to_owned(), options, set, true);
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
