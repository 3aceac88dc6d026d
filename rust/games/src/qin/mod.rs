#![doc = include_str!("README.md")]
//!
//! ## From Rust
//!
//! ```
//! use std::sync::Arc;
//!
//! use forbidden_games::qin::Game;
//! use forbidden_games_core::contract::{Notation, Rules, Setup};
//! use forbidden_games_core::match_play::Match;
//! use serde_json::{Map, json};
//!
//! let options = Map::from_iter([("board".to_owned(), json!("lion"))]);
//! let mut played = Match::new(Arc::new(Game::new(2, &options, None)?), 7);
//! let action = played.game().parse_action("bb:i3j3")?;
//! played.play(action)?;
//! assert_eq!(played.events()[0].text, "seat 0 founds a blue province of 3 on i3 j3 j4");
//! assert_eq!(played.game().scores(played.state()).as_slice(), [1, 0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod actions;
mod apply;
mod audit;
mod bits;
mod board;
mod bytes;
mod components;
mod evaluate;
mod features;
mod game;
mod json;
mod legal;
mod observation;
mod options;
mod refusal;
mod rules;
mod scoring;
mod state;
mod tables;
#[cfg(test)]
mod tests;
mod tiles;
mod validate;
mod view;

use std::sync::Arc;

use forbidden_games_core::contract::{Info, Setup};
use forbidden_games_core::error::SetupError;
use forbidden_games_core::options::{ComponentSource, OptionSpec, Options, check_players};
use serde_json::Value;

pub use actions::{Action, Placement};
use board::Board;
pub use game::Game;
use state::Phase;
pub use state::{Observation, State};
use tables::Tables;
pub use tiles::{Colour, Direction, Kind, Square};

/// A static, since a constant would put a copy of both pages into the binary wherever it is used.
static INFO: Info = Info {
    name: "qin",
    title: "Qin",
    summary: "lay two-coloured dominoes, found and join provinces, take villages, place your last pagoda first",
    rules_version: 1,
    layout_version: 2,
    min_players: 2,
    max_players: 4,
    default_players: 2,
    hidden_information: true,
    phases: &Phase::NAMES,
    rules: include_str!("../../../../docs/rules/qin.md"),
    readme: include_str!("README.md"),
};

impl Setup for Game {
    const INFO: &'static Info = &INFO;

    fn option_schema() -> Vec<OptionSpec> {
        options::option_schema()
    }

    fn builtin_components() -> &'static [(&'static str, &'static str)] {
        &components::BUILTIN
    }

    fn new(players: usize, options: &Options, components: Option<&ComponentSource>) -> Result<Self, SetupError> {
        check_players(players, Self::INFO.min_players, Self::INFO.max_players)?;
        let (settings, components) = options::resolve(options, components)?;
        let tables = Tables::new(&components, settings.villages);
        let allotment = components.pagodas[players - 2];
        Ok(Self {
            players,
            settings,
            empty_board: Arc::new(Board::new(&tables)),
            layout: Arc::new(features::layout(&tables, &components, players)),
            tables: Arc::new(tables),
            components: Arc::new(components),
            allotment,
        })
    }

    fn options(&self) -> Options {
        options::options(self.settings, &self.components.name)
    }

    fn components(&self) -> Value {
        if self.components.is_builtin() { self.components.name.as_str().into() } else { self.components.to_json() }
    }

    fn action_layout(&self) -> String {
        format!("board {}x{}", self.tables.grid.rows, self.tables.grid.columns)
    }

    /// QN-7.5
    fn max_plies(&self) -> usize {
        let most = self.max_chance_nodes().min(self.tables.num_grass() / 2);
        self.players * most - self.players + 1
    }

    fn max_chance_nodes(&self) -> usize {
        self.tiles().iter().map(|&count| usize::from(count)).sum()
    }
}
