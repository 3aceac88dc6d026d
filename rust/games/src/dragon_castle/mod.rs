#![doc = include_str!("README.md")]
//!
//! ## From Rust
//!
//! ```
//! use std::sync::Arc;
//!
//! use forbidden_games::dragon_castle::Game;
//! use forbidden_games_core::contract::{Notation, Setup};
//! use forbidden_games_core::match_play::Match;
//! use serde_json::Map;
//!
//! let mut played = Match::new(Arc::new(Game::new(2, &Map::new(), None)?), 7);
//! let names: Vec<_> = played.legal_actions().into_iter().map(|action| played.game().format_action(action)).collect();
//! assert_eq!(names[..2], ["take e3", "take h3"]);
//! let blocked = played.game().parse_action("take e4")?;
//! let refusal = played.play(blocked).unwrap_err();
//! assert_eq!(refusal.to_string(), "take e4 is not legal: DC-5.3: both long sides of e4 are blocked");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod actions;
mod apply;
mod audit;
mod bounds;
mod bytes;
mod cards;
mod castle;
mod components;
mod evaluate;
mod features;
mod game;
mod json;
mod legal;
mod observation;
mod options;
mod realm;
mod refusal;
mod rules;
mod scoring;
mod spirits;
mod squares;
mod state;
mod tables;
#[cfg(test)]
mod tests;
mod validate;
mod view;

use std::sync::Arc;

use forbidden_games_core::contract::{Info, Setup};
use forbidden_games_core::error::SetupError;
use forbidden_games_core::options::{ComponentSource, OptionSpec, Options};
use serde_json::Value;

pub use actions::{Action, Outcome, Payment};
pub use cards::{CardSet, Dragon, Spirit, Window};
pub use game::Game;
pub use observation::Observation;
pub use state::State;

use options::{Cards, Settings};
use tables::Tables;

/// A static, since a constant would put a copy of both pages into the binary wherever it is used.
static INFO: Info = Info {
    name: "dragon_castle",
    title: "Dragon Castle",
    summary: "take tiles from a crumbling castle, turn groups of them into points and build shrines on them",
    rules_version: 1,
    layout_version: 2,
    min_players: 2,
    max_players: 4,
    default_players: 2,
    hidden_information: false,
    phases: state::PHASES,
    rules: include_str!("../../../../docs/rules/dragon_castle.md"),
    readme: include_str!("README.md"),
};

impl Setup for Game {
    const INFO: &'static Info = &INFO;

    fn option_schema() -> Vec<OptionSpec> {
        options::option_schema()
    }

    fn builtin_components() -> &'static [(&'static str, &'static str)] {
        components::BUILTIN
    }

    fn new(players: usize, options: &Options, components: Option<&ComponentSource>) -> Result<Self, SetupError> {
        let settings = Settings::read(players, options, components)?;
        let tables = Tables::new(&settings);
        let layout = features::observation_layout(&settings);
        Ok(Self { settings: Arc::new(settings), tables: Arc::new(tables), layout: Arc::new(layout) })
    }

    fn options(&self) -> Options {
        self.settings.options.clone()
    }

    fn components(&self) -> Value {
        self.settings.components.header.clone()
    }

    fn action_layout(&self) -> String {
        let components = &self.settings.components;
        let codes: String = components.types.iter().map(|kind| char::from(kind.code)).collect();
        let symbols: Vec<&str> = components.symbols.iter().map(|symbol| symbol.text.as_str()).collect();
        let (castle, realm) = (self.tables.castle, self.tables.realm.grid);
        format!(
            "castle={}x{} realm={}x{} types={codes} symbols={}",
            castle.rows,
            castle.columns,
            realm.rows,
            realm.columns,
            symbols.join(",")
        )
    }

    /// DC-7.9, with the numbers of the set in use.
    fn max_plies(&self) -> usize {
        let Settings { components, players, .. } = &*self.settings;
        let (tiles, shrines, n) = (usize::from(components.tiles), usize::from(components.shrines), *players);
        let in_play = |cards: Cards| match cards {
            Cards::Fixed(cards) => cards.spirits().map(Spirit::plies).sum::<usize>(),
            Cards::Random(count) => {
                let in_box = Spirit::ALL.into_iter().filter(|card| components.spirits[card.index()].is_some());
                let mut plies: Vec<usize> = in_box.map(Spirit::plies).collect();
                plies.sort_unstable_by(|a, b| b.cmp(a));
                plies.iter().take(usize::from(count)).sum()
            }
        };
        let sets = tiles / 4;
        match in_play(self.settings.spirits) {
            0 => 2 * tiles + (shrines - n) + (2 * n - 1) + shrines + sets + tiles / 8,
            uses => 3 * tiles + (2 * n - 1) + shrines + sets + sets.saturating_sub(1) + (tiles + 2 * n - 1) * (2 + uses),
        }
    }

    fn max_chance_nodes(&self) -> usize {
        let Settings { components, spirits, dragons, .. } = &*self.settings;
        usize::from(components.tiles) + spirits.drawn() + dragons.drawn()
    }
}
