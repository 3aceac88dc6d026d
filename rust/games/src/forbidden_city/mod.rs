#![doc = include_str!("README.md")]
//!
//! ## From Rust
//!
//! ```
//! use std::sync::Arc;
//!
//! use forbidden_games::forbidden_city::Game;
//! use forbidden_games_core::contract::{Knowledge, Setup};
//! use forbidden_games_core::match_play::Match;
//! use forbidden_games_core::player::Player;
//! use forbidden_games_core::rng::Rng;
//! use serde_json::Map;
//!
//! let played = Match::new(Arc::new(Game::new(2, &Map::new(), None)?), 7);
//! assert_eq!(played.legal_actions().len(), 42);
//! // A world that seat 1 can imagine: the same for its eyes, with some tile in the hand of seat 0.
//! let seen = played.game().observation(played.state(), Player(1));
//! let world = played.game().sample_world(&seen, &mut Rng::stream(7, "example", 0));
//! assert_eq!(played.game().observation(&world, Player(1)), seen);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod actions;
mod apply;
mod audit;
mod board;
mod bytes;
mod components;
mod evaluate;
mod features;
mod game;
mod json;
mod legal;
mod look;
mod observation;
mod options;
mod prospects;
mod refusal;
mod rooms;
mod rules;
mod scoring;
mod state;
mod storage;
mod tables;
#[cfg(test)]
mod tests;
mod validate;
mod view;

use std::sync::Arc;

use serde_json::Value;

use forbidden_games_core::contract::{Info, Setup};
use forbidden_games_core::error::{OptionsError, SetupError};
use forbidden_games_core::options::{ComponentSource, OptionSpec, Options};

pub use actions::{Action, Outcome};
pub use game::Game;
pub use observation::Observation;
pub use state::State;

/// A static, since a constant would put a copy of both pages into the binary wherever it is used.
static INFO: Info = Info {
    name: "forbidden_city",
    title: "Forbidden City",
    summary: "lay tiles, close rooms, have most advisors in them",
    rules_version: 1,
    layout_version: 2,
    min_players: options::PLAYERS.0,
    max_players: options::PLAYERS.1,
    default_players: 2,
    hidden_information: true,
    phases: &["deal", "place", "draw", "end"],
    rules: include_str!("../../../../docs/rules/forbidden_city.md"),
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
        let settings = options::Settings::new(players, options, components)?;
        let tables = tables::Tables::new(&settings);
        let layout = features::observation_layout(&settings, features::WINDOW);
        Ok(Self { settings: Arc::new(settings), tables: Arc::new(tables), layout: Arc::new(layout), window: features::WINDOW })
    }

    fn options(&self) -> Options {
        self.settings.options()
    }

    fn components(&self) -> Value {
        self.settings.components()
    }

    fn action_layout(&self) -> String {
        let kinds: Vec<&str> = self.kinds().iter().map(|kind| kind.id.as_str()).collect();
        format!("table={} kinds={}", self.settings.table, kinds.join(","))
    }

    fn max_plies(&self) -> usize {
        self.settings.most_plies()
    }

    fn max_chance_nodes(&self) -> usize {
        self.settings.most_plies()
    }

    fn with_window(self, window: usize) -> Result<Self, OptionsError> {
        if !(3..=253).contains(&window) || window.is_multiple_of(2) {
            return Err(OptionsError::new("window", window.to_string(), "an odd integer from 3 to 253"));
        }
        let layout = features::observation_layout(&self.settings, window);
        Ok(Self { layout: Arc::new(layout), window, ..self })
    }
}
