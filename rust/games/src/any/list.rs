//! The list of games, and games by name.

use std::sync::Arc;

use super::game::Loaded;
use super::objects::AnyGame;
use forbidden_games_core::contract::{Game, Info};
use forbidden_games_core::error::{OptionsError, RecordError, SetupError, shorten};
use forbidden_games_core::options::{ComponentSource, OptionSpec, Options};
use forbidden_games_core::record::Identity;

/// A game by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameId(usize);

/// Component sets: name and TOML text.
type Builtin = &'static [(&'static str, &'static str)];

/// Makes a game for so many players with options, components and window.
type Load = fn(usize, &Options, Option<&ComponentSource>, Option<usize>) -> Result<AnyGame, SetupError>;

/// What is asked of a game before one is made.
struct Entry {
    info: &'static Info,
    option_schema: fn() -> Vec<OptionSpec>,
    builtin_components: fn() -> Builtin,
    load: Load,
}

const fn entry<G: Game>() -> Entry {
    Entry { info: G::INFO, option_schema: G::option_schema, builtin_components: G::builtin_components, load: load::<G> }
}

fn load<G: Game>(
    players: usize,
    options: &Options,
    components: Option<&ComponentSource>,
    window: Option<usize>,
) -> Result<AnyGame, SetupError> {
    let game = G::new(players, options, components)?;
    let game = match window {
        None => game,
        Some(window) => game.with_window(window)?,
    };
    Ok(Arc::new(Loaded(Arc::new(game))))
}

macro_rules! entries {
    ($(($variant:ident, $module:ident)),* $(,)?) => { [$(const { &entry::<crate::$module::Game>() }),*] };
}

#[inline]
fn entries() -> [&'static Entry; GameId::COUNT] {
    crate::for_each_game!(entries)
}

macro_rules! count {
    ($(($variant:ident, $module:ident)),* $(,)?) => { [$(stringify!($module)),*].len() };
}

impl GameId {
    const COUNT: usize = crate::for_each_game!(count);

    /// All games, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).map(Self)
    }

    #[inline]
    fn entry(self) -> &'static Entry {
        entries()[self.0]
    }

    /// The game called `name`.
    ///
    /// # Errors
    /// If there is none.
    #[inline]
    pub fn from_name(name: &str) -> Result<Self, OptionsError> {
        Self::all().find(|id| id.info().name == name).ok_or_else(|| {
            let names: Vec<_> = Self::all().map(|id| id.info().name).collect();
            OptionsError::new("game", shorten(name), format!("one of {}", names.join(", ")))
        })
    }

    /// What is known before options.
    #[must_use]
    #[inline]
    pub fn info(self) -> &'static Info {
        self.entry().info
    }

    /// The options.
    #[must_use]
    #[inline]
    pub fn option_schema(self) -> Vec<OptionSpec> {
        (self.entry().option_schema)()
    }

    /// Built-in component sets: name and TOML text, the default first.
    #[must_use]
    #[inline]
    pub fn builtin_components(self) -> Builtin {
        (self.entry().builtin_components)()
    }

    /// Makes a game; `players` left out means the usual number, `window` the usual window.
    ///
    /// # Errors
    /// If players, an option, the component set or the window does not fit.
    #[inline]
    pub fn load(
        self,
        players: Option<usize>,
        options: &Options,
        components: Option<&ComponentSource>,
        window: Option<usize>,
    ) -> Result<AnyGame, SetupError> {
        (self.entry().load)(players.unwrap_or(self.info().default_players), options, components, window)
    }
}

/// Makes the game that a record or playthrough names.
///
/// # Errors
/// On line 1, if there is no such game, it has other rules, or it refuses the options or components.
#[inline]
pub fn game_of_identity(identity: &Identity) -> Result<AnyGame, RecordError> {
    let fail = |reason| RecordError::Line { line: 1, reason };
    let id = GameId::from_name(&identity.game).map_err(|error| fail(error.to_string()))?;
    identity.check_rules(id.info())?;
    id.load(Some(identity.players), &identity.options, Some(&ComponentSource::from_json(&identity.components)), None)
        .map_err(|error| fail(error.to_string()))
}
