//! The options (QN-3).

use forbidden_games_core::data::display;
use forbidden_games_core::error::{OptionsError, SetupError};
use forbidden_games_core::options::{ComponentSource, OptionKind, OptionSpec, Options, complete};
use serde_json::Value;

use super::components::Components;

const ABSORB: [&str; 2] = ["never", "outnumbered"];
const VILLAGES: [&str; 2] = ["square", "group"];

/// What becomes of a join in which the owner of the one major province would lose it (QN-5.7c).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AbsorbMajor {
    /// It is illegal.
    Never,
    /// The highest total takes the major too.
    Outnumbered,
}

/// What one village is (QN-2.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VillageRule {
    /// Every village square.
    Square,
    /// Every connected set of village squares.
    Group,
}

/// The options beside the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Settings {
    pub(super) absorb_major: AbsorbMajor,
    pub(super) villages: VillageRule,
}

/// The schema in the order of the options object.
pub(super) fn option_schema() -> Vec<OptionSpec> {
    vec![
        OptionSpec {
            name: "board",
            kind: OptionKind::Text("bird, lion, or the name of the board given as components"),
            default: Value::from("bird"),
            meaning: "the board (QN-2.5, QN-2.7)",
        },
        OptionSpec {
            name: "absorb_major",
            kind: OptionKind::Choice(&ABSORB),
            default: Value::from("never"),
            meaning: "whether a larger total may take the one major province of a join (QN-5.7)",
        },
        OptionSpec {
            name: "villages",
            kind: OptionKind::Choice(&VILLAGES),
            default: Value::from("square"),
            meaning: "whether each village square or each connected group is one village (QN-2.6)",
        },
    ]
}

/// Checks the options and finds the board they and `components` speak of.
pub(super) fn resolve(given: &Options, source: Option<&ComponentSource>) -> Result<(Settings, Components), SetupError> {
    let options = complete(&option_schema(), given)?;
    let word = |name: &str| options[name].as_str().unwrap_or_default().to_owned();
    let board = match source {
        Some(source) => {
            let board = Components::from_source(source)?;
            if let Some(name) = given.get("board").filter(|name| name.as_str() != Some(&board.name)) {
                return Err(
                    OptionsError::new("board", display(name), format!("{}, the board given as components", board.name)).into()
                );
            }
            board
        }
        None => Components::builtin(&word("board")).ok_or_else(|| {
            OptionsError::new("board", display(&options["board"]), "bird, lion, or the name of the board given as components")
        })?,
    };
    let settings = Settings {
        absorb_major: if word("absorb_major") == ABSORB[0] { AbsorbMajor::Never } else { AbsorbMajor::Outnumbered },
        villages: if word("villages") == VILLAGES[0] { VillageRule::Square } else { VillageRule::Group },
    };
    Ok((settings, board))
}

/// The full options object.
pub(super) fn options(settings: Settings, board: &str) -> Options {
    let mut options = Options::new();
    options.insert("board".to_owned(), board.into());
    options.insert("absorb_major".to_owned(), ABSORB[usize::from(settings.absorb_major == AbsorbMajor::Outnumbered)].into());
    options.insert("villages".to_owned(), VILLAGES[usize::from(settings.villages == VillageRule::Group)].into());
    options
}
