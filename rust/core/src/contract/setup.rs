//! How a game is made: what is known of it before, its options and component sets, its bounds.

use serde_json::Value;

use crate::contract::Rules;
use crate::error::{OptionsError, SetupError};
use crate::options::{ComponentSource, OptionSpec, Options};
use crate::rng::portable_hash;

/// What is known of a game before options.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// Its name in code, records and at the command line: `forbidden_city`.
    pub name: &'static str,
    /// Its name for people: `Forbidden City`.
    pub title: &'static str,
    /// One line: what it is.
    pub summary: &'static str,
    /// Version of the rule page; rises when a ruling changes what is legal or scored.
    pub rules_version: u32,
    /// Version of action ids, outcome ids and observation blocks; rises when any of them changes meaning.
    pub layout_version: u32,
    /// Fewest seats.
    pub min_players: usize,
    /// Most seats.
    pub max_players: usize,
    /// Seats if nothing is said.
    pub default_players: usize,
    /// Whether some seat can know what another does not.
    pub hidden_information: bool,
    /// Names of the phases, in the order of the rule page.
    pub phases: &'static [&'static str],
    /// The rule page, Markdown.
    pub rules: &'static str,
    /// The game folder's page, Markdown.
    pub readme: &'static str,
}

/// Construction of a game with players, options and components.
pub trait Setup: Rules {
    /// What is known before options. It refers to a `static`, so that the pages are in the binary once.
    const INFO: &'static Info;

    /// The options in the order of the options object.
    fn option_schema() -> Vec<OptionSpec>;

    /// Built-in component sets: name and TOML text, the default first.
    fn builtin_components() -> &'static [(&'static str, &'static str)];

    /// Makes a game.
    ///
    /// # Errors
    /// If players, an option or the component set does not fit.
    fn new(players: usize, options: &Options, components: Option<&ComponentSource>) -> Result<Self, SetupError>;

    /// The full options object, defaults written out, in order.
    fn options(&self) -> Options;

    /// `components` of a header: the name of a built-in set, or a user's set whole.
    fn components(&self) -> Value;

    /// What the action ids depend on beside name and layout version, as text: equal texts mean equal ids.
    fn action_layout(&self) -> String;

    /// Upper bound of decisions in a game from the ordinary start.
    fn max_plies(&self) -> usize;

    /// Upper bound of chance nodes in a game from the ordinary start.
    fn max_chance_nodes(&self) -> usize;

    // ---- Provided -------------------------------------------------------------------------------------------------------

    /// Whether the returns of all seats, each in [-1, 1], add up to 0 (CONVENTIONS 5). A game for one seat is won or lost.
    fn is_zero_sum(&self) -> bool {
        self.num_players() > 1
    }

    /// The same rules with another size of the observation window, where a game's board has no fixed size.
    ///
    /// # Errors
    /// If the game has no window, or the size is out of range.
    fn with_window(self, _window: usize) -> Result<Self, OptionsError> {
        Err(OptionsError::new("window", "a size", format!("no window: {} has a board of fixed size", Self::INFO.title)))
    }

    /// A fingerprint of the action ids: name, layout version, options and component shape. Data sets and checkpoints store it. Not
    /// overridden.
    fn action_space(&self) -> String {
        let text = format!(
            "{} {} players={} actions={} outcomes={} {}",
            Self::INFO.name,
            Self::INFO.layout_version,
            self.num_players(),
            self.num_actions(),
            self.num_outcomes(),
            self.action_layout()
        );
        format!("{}-{}-{:016x}", Self::INFO.name, Self::INFO.layout_version, portable_hash(text.as_bytes()))
    }
}
