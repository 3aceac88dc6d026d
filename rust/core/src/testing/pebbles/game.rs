//! The game: its rules with players, options and components.

use serde_json::Value;

use crate::contract::{Info, Setup};
use crate::error::SetupError;
use crate::names::Named;
use crate::options::{ComponentSource, OptionSpec, Options, check_players, choose_components};

use super::components::{BUILTIN, Components};
use super::layout::Blocks;
use super::options::{self, Settings};
use super::state::Phase;

/// The rules with players, options and components.
#[derive(Clone, Debug)]
pub struct Game {
    pub(super) players: usize,
    pub(super) settings: Settings,
    pub(super) components: Components,
    pub(super) blocks: Blocks,
    options: Options,
    header: Value,
}

/// A static, since a constant would put a copy of both pages into the binary wherever it is used.
static INFO: Info = Info {
    name: "pebbles",
    title: "Pebbles",
    summary: "a toy game for the tests of the core, and the template of a new game",
    rules_version: 1,
    layout_version: 1,
    min_players: 2,
    max_players: 4,
    default_players: 2,
    hidden_information: true,
    phases: Phase::NAMES,
    rules: include_str!("README.md"),
    readme: include_str!("README.md"),
};

impl Setup for Game {
    const INFO: &'static Info = &INFO;

    fn option_schema() -> Vec<OptionSpec> {
        options::schema()
    }

    fn builtin_components() -> &'static [(&'static str, &'static str)] {
        BUILTIN
    }

    fn new(players: usize, options: &Options, components: Option<&ComponentSource>) -> Result<Self, SetupError> {
        check_players(players, INFO.min_players, INFO.max_players)?;
        let choice = choose_components("components", BUILTIN, options, components)?;
        let components = Components::read(&choice.set).map_err(SetupError::Components)?;
        let (options, settings) = options::read(options, &choice.name)?;
        let blocks = Blocks::new(players, settings, &components);
        Ok(Self { players, settings, components, blocks, options, header: choice.header })
    }

    fn options(&self) -> Options {
        self.options.clone()
    }

    fn components(&self) -> Value {
        self.header.clone()
    }

    fn action_layout(&self) -> String {
        let names: Vec<&str> = self.components.kinds.iter().map(|kind| kind.name.as_str()).collect();
        format!("{} columns of {}", self.settings.columns, names.join(" "))
    }

    /// Each pebble is dropped once, and claims and leaves are fewer than drops.
    fn max_plies(&self) -> usize {
        2 * self.components.total()
    }

    fn max_chance_nodes(&self) -> usize {
        self.components.total()
    }
}
