//! Options (section 3 of the rule page) and which component set is in use (TG-2.16).

use serde_json::Value;

use forbidden_games_core::data::parse_toml;
use forbidden_games_core::error::{DataError, OptionsError, SetupError};
use forbidden_games_core::options::{ComponentSource, OptionKind, OptionSpec, Options, complete};

use super::components::{BUILTIN, BUILTIN_TEXT, Components};

/// The options of a game, defaults filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Settings {
    /// 0 for side A, 1 for side B.
    pub(super) start_side: usize,
    /// Quarter turns clockwise of the start tile.
    pub(super) start_rotation: usize,
    /// Whether an influence may also come before the main action.
    pub(super) influence_any: bool,
}

pub(super) fn option_schema() -> Vec<OptionSpec> {
    vec![
        OptionSpec {
            name: "start_side",
            kind: OptionKind::Choice(&["A", "B"]),
            default: "A".into(),
            meaning: "side of the start tile (TG-2.4)",
        },
        OptionSpec {
            name: "start_rotation",
            kind: OptionKind::Integer { min: 0, max: 3, odd: false },
            default: 0.into(),
            meaning: "quarter turns clockwise of the start tile (TG-2.4)",
        },
        OptionSpec {
            name: "influence",
            kind: OptionKind::Choice(&["after", "any"]),
            default: "after".into(),
            meaning: "influence only after the main action, or also before it (TG-5.1)",
        },
        OptionSpec {
            name: "components",
            kind: OptionKind::Text("house-1, or the name of the user's own set in use"),
            default: BUILTIN.into(),
            meaning: "component set (TG-2.16)",
        },
    ]
}

/// Reads options and set: the typed options, the set, the options object and the `components` of a header.
pub(super) fn resolve(
    given: &Options,
    source: Option<&ComponentSource>,
) -> Result<(Settings, Components, Options, Value), SetupError> {
    let mut options = complete(&option_schema(), given)?;
    let (components, header) = match source {
        Some(ComponentSource::Set(set)) => (Components::parse(set, false).map_err(SetupError::Components)?, set.clone()),
        Some(ComponentSource::Name(name)) if name != BUILTIN => {
            let error = DataError::new("name", format!("{name:?}"), format!("the built-in set {BUILTIN}, or a set itself"));
            return Err(SetupError::Components(error));
        }
        Some(ComponentSource::Name(_)) | None => (builtin(), Value::from(BUILTIN)),
    };
    match given.get("components") {
        Some(name) if name.as_str() != Some(components.name.as_str()) => {
            let expected = format!("{}, the name of the set in use", components.name);
            return Err(OptionsError::new("components", name.to_string(), expected).into());
        }
        _ => options.insert("components".to_owned(), components.name.as_str().into()),
    };
    let settings = Settings {
        start_side: usize::from(options["start_side"] == "B"),
        start_rotation: options["start_rotation"].as_u64().unwrap_or(0) as usize,
        influence_any: options["influence"] == "any",
    };
    Ok((settings, components, options, header))
}

/// The built-in set. It is embedded and tested, so that a fault in it is a bug.
pub(super) fn builtin() -> Components {
    let value = parse_toml(BUILTIN_TEXT).unwrap_or_else(|error| panic!("components.toml: {error}"));
    Components::parse(&value, true).unwrap_or_else(|error| panic!("components.toml: {error}"))
}
