//! How a game is made, and what is known of it before.

use std::sync::Arc;

use forbidden_games_core::contract::{Info, Setup};
use forbidden_games_core::error::SetupError;
use forbidden_games_core::options::{ComponentSource, OptionSpec, Options, check_players};
use serde_json::Value;

use super::components::{BUILTIN, BUILTIN_TEXT};
use super::features;
use super::game::Game;
use super::options;
use super::state::{PHASES, State};
use super::tables::Tables;

/// A static, since a constant would put a copy of both pages into the binary wherever it is used.
static INFO: Info = Info {
    name: "tang_garden",
    title: "Tang Garden",
    summary: "build one garden together, decorate it, place characters that enjoy the view; or a solo puzzle",
    rules_version: 1,
    layout_version: 2,
    min_players: 1,
    max_players: 4,
    default_players: 2,
    hidden_information: false,
    phases: PHASES,
    rules: include_str!("../../../../docs/rules/tang_garden.md"),
    readme: include_str!("README.md"),
};

impl Setup for Game {
    const INFO: &'static Info = &INFO;

    fn option_schema() -> Vec<OptionSpec> {
        options::option_schema()
    }

    fn builtin_components() -> &'static [(&'static str, &'static str)] {
        &[(BUILTIN, BUILTIN_TEXT)]
    }

    fn new(players: usize, options: &Options, components: Option<&ComponentSource>) -> Result<Self, SetupError> {
        check_players(players, Self::INFO.min_players, Self::INFO.max_players)?;
        let (settings, components, options, header) = options::resolve(options, components)?;
        let layout = Arc::new(features::layout(&components, players));
        let tables = Arc::new(Tables::new(components, &settings));
        let start = Arc::new(State::before_setup(&tables, players));
        let (options, header) = (Arc::new(options), Arc::new(header));
        let mut game = Self { players, settings, options, header, tables, layout, start, group_offsets: [0; 21] };
        let mut offset = 0;
        for (group, size) in game.group_sizes().into_iter().enumerate() {
            game.group_offsets[group] = offset;
            offset += size;
        }
        Ok(game)
    }

    fn options(&self) -> Options {
        Options::clone(&self.options)
    }

    fn components(&self) -> Value {
        Value::clone(&self.header)
    }

    fn action_layout(&self) -> String {
        let components = &self.tables.components;
        let names = |list: Vec<&str>| list.join(",");
        format!(
            "tiles {} cards {} characters {} landscapes {}",
            names(components.tiles.iter().map(|tile| tile.name.as_str()).collect()),
            names(components.cards.iter().map(|card| card.name.as_str()).collect()),
            names(components.character_names.iter().map(String::as_str).collect()),
            names(components.landscapes.iter().map(|kind| kind.name.as_str()).collect()),
        )
    }

    fn max_plies(&self) -> usize {
        // TG-7.9 and TG-13.7.
        if self.players == 1 { 91 } else { 500 * self.players + 300 }
    }

    fn max_chance_nodes(&self) -> usize {
        if self.players == 1 { 120 } else { 1250 * self.players + 150 }
    }
}
