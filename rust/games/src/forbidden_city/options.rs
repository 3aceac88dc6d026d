//! Options (FC-3) and what they resolve to.

use serde_json::{Value, json};

use forbidden_games_core::error::SetupError;
use forbidden_games_core::options::{self, ComponentSource, OptionKind, OptionSpec, Options};

use super::components::{Components, Kind, SIDES, StartSide};

/// Fewest and most seats (FC-3.1).
pub(super) const PLAYERS: (usize, usize) = (2, 4);

/// The three options in order.
pub(super) fn option_schema() -> Vec<OptionSpec> {
    vec![
        OptionSpec {
            name: "side",
            kind: OptionKind::Choice(&SIDES),
            default: json!("beginner"),
            meaning: "which side of the start tile lies up (FC-3)",
        },
        OptionSpec {
            name: "table",
            kind: OptionKind::Integer { min: 15, max: 127, odd: true },
            default: json!(41),
            meaning: "tiles are laid only where |x| and |y| are at most (table - 1) / 2 (FC-3)",
        },
        OptionSpec {
            name: "components",
            kind: OptionKind::Text("house-1, test-1, or the name of the set in use"),
            default: json!("house-1"),
            meaning: "the component set (FC-3.1)",
        },
    ]
}

/// What players, options and components resolve to.
#[derive(Debug)]
pub(super) struct Settings {
    pub(super) players: usize,
    /// Index in [`SIDES`].
    pub(super) side: usize,
    /// Spaces along each side of the table.
    pub(super) table: usize,
    pub(super) components: Components,
}

impl Settings {
    pub(super) fn new(players: usize, given: &Options, source: Option<&ComponentSource>) -> Result<Self, SetupError> {
        options::check_players(players, PLAYERS.0, PLAYERS.1)?;
        let complete = options::complete(&option_schema(), given)?;
        let components = Components::choose(given, source)?;
        let side = SIDES.iter().position(|side| complete["side"] == *side).unwrap_or(0);
        let table = complete["table"].as_u64().unwrap_or(41) as usize;
        Ok(Self { players, side, table, components })
    }

    pub(super) fn options(&self) -> Options {
        let mut options = Options::new();
        options.insert("side".to_owned(), SIDES[self.side].into());
        options.insert("table".to_owned(), self.table.into());
        options.insert("components".to_owned(), self.components.name.clone().into());
        options
    }

    /// The name of a built-in set, or a user's set whole.
    pub(super) fn components(&self) -> Value {
        self.components.own.clone().unwrap_or_else(|| self.components.name.clone().into())
    }

    /// The kinds of tiles in the order of the set.
    #[inline(always)]
    pub(super) fn kinds(&self) -> &[Kind] {
        &self.components.kinds
    }

    /// The side of the start tile that lies up.
    pub(super) fn start_side(&self) -> &StartSide {
        &self.components.start[self.side]
    }

    /// Tiles in the set of each seat (FC-2.2).
    pub(super) fn set_size(&self) -> u8 {
        self.components.set_size(self.players)
    }

    /// Tiles that are laid or discarded in a whole game (FC-7.6).
    pub(super) fn most_plies(&self) -> usize {
        self.players * (usize::from(self.set_size()) - 2)
    }
}
