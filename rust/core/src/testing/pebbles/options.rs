//! The options (PB-2).

use crate::error::OptionsError;
use crate::named_enum;
use crate::names::Named;
use crate::options::{OptionKind, OptionSpec, Options, complete};

use super::components::BUILTIN;

/// Most columns.
pub(super) const MAX_COLUMNS: usize = 9;

named_enum! {
    /// What may become of a full column (PB-5).
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum ClaimRule {
        /// It may be left.
        Free = "free",
        /// It must be claimed.
        Forced = "forced",
    }
}

/// The options beside the component set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub(super) columns: usize,
    pub(super) claim: ClaimRule,
}

/// The options in the order of the options object.
pub(super) fn schema() -> Vec<OptionSpec> {
    vec![
        OptionSpec {
            name: "columns",
            kind: OptionKind::Integer { min: 2, max: MAX_COLUMNS as i64, odd: false },
            default: 4.into(),
            meaning: "columns in the row (PB-2)",
        },
        OptionSpec {
            name: "claim",
            kind: OptionKind::Choice(ClaimRule::NAMES),
            default: ClaimRule::Free.name().into(),
            meaning: "whether a full column may be left (PB-5)",
        },
        OptionSpec {
            name: "components",
            kind: OptionKind::Text("pebbles-1, or the name of the set given as components"),
            default: BUILTIN[0].0.into(),
            meaning: "the component set (PB-1)",
        },
    ]
}

/// The full options object and what it says, with the name of the set in use.
pub(super) fn read(given: &Options, set: &str) -> Result<(Options, Settings), OptionsError> {
    let mut options = complete(&schema(), given)?;
    options["components"] = set.into();
    // `complete` has checked types and ranges.
    let columns = options["columns"].as_u64().unwrap_or_default() as usize;
    let claim = options["claim"].as_str().and_then(ClaimRule::from_name).unwrap_or(ClaimRule::Free);
    Ok((options, Settings { columns, claim }))
}
