//! All games behind one set of types, for whoever learns at run time which game is played: the Python binding, a command line.
//!
//! Every call matches the game once and then runs code compiled for that game; nothing here is called inside a loop of the core.
//! Actions and outcomes are plain ids here, texts and JSON are what they are everywhere. The rules stay in the games' folders: a
//! fifth game changes nothing in this folder.
//!
//! Every function is `#[inline]`: so it is compiled in the crate that calls it, and only if it is called. Otherwise each build of
//! this crate, for the tests too, which use next to nothing of this folder, would compile every search of every game.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use forbidden_games_core::contract::{Game, Info, Setup, Step, StepOf};
use forbidden_games_core::error::{IllegalAction, ParseActionError, SetupError};
use forbidden_games_core::information::InformationState;
use forbidden_games_core::match_play::Match;
use forbidden_games_core::options::{ComponentSource, OptionSpec, Options};
use forbidden_games_core::player::Turn;

pub use information::Picture;
pub use play::game_of_identity;
pub use search::{AnySession, search_batch};

/// A state with the game it belongs to.
#[derive(Clone, Debug)]
pub struct Position<G: Game> {
    /// The rules.
    pub game: Arc<G>,
    /// The state.
    pub state: G::State,
}

/// An observation with the game it belongs to.
#[derive(Clone, Debug)]
pub struct Seen<G: Game> {
    /// The rules.
    pub game: Arc<G>,
    /// What the seat perceives.
    pub observation: G::Observation,
}

/// A decision or a draw as it comes from outside.
#[derive(Clone, Copy, Debug)]
pub enum AnyStep<'a> {
    /// The id of an action.
    Action(u32),
    /// The id of an outcome.
    Outcome(u32),
    /// The id of an outcome at a chance node, of an action elsewhere.
    Id(u32),
    /// Notation of an outcome at a chance node, of an action elsewhere.
    Text(&'a str),
}

/// Why a step from outside was not taken; nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StepError {
    /// It is no step of the game at all.
    #[error(transparent)]
    Parse(#[from] ParseActionError),
    /// It is not legal now.
    #[error(transparent)]
    Illegal(#[from] IllegalAction),
}

/// `match` over the game of a value: `dispatch!(AnyState, self, position => expression)`.
macro_rules! dispatch {
    ($kind:ident, $value:expr, $inner:ident => $body:expr) => {
        crate::for_each_game!(dispatch_arms[$kind][$value][$inner][$body])
    };
}

macro_rules! dispatch_arms {
    ([$kind:ident] [$value:expr] [$inner:ident] [$body:expr] $(($variant:ident, $module:ident)),* $(,)?) => {
        match $value { $($kind::$variant($inner) => $body,)* }
    };
}

/// `match` from a value to another type of the same game: `convert!(AnyState => AnyObservation, self, position => seen)`.
macro_rules! convert {
    ($kind:ident => $target:ident, $value:expr, $inner:ident => $body:expr) => {
        crate::for_each_game!(convert_arms[$kind][$target][$value][$inner][$body])
    };
}

macro_rules! convert_arms {
    (
        [$kind:ident] [$target:ident] [$value:expr] [$inner:ident] [$body:expr] $(($variant:ident, $module:ident)),* $(,)?
    ) => {
        match $value { $($kind::$variant($inner) => $target::$variant($body),)* }
    };
}

// After the macros, so that these files can use them.
mod asker;
mod game;
mod information;
mod play;
mod search;
mod state;

macro_rules! define_types {
    ($(($variant:ident, $module:ident)),* $(,)?) => {
        /// A game by name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum GameId {
            $(#[doc = stringify!($module)] $variant,)*
        }

        impl GameId {
            /// All games, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// What is known before options.
            #[must_use]
            #[inline]
            pub fn info(self) -> &'static Info {
                match self { $(Self::$variant => <crate::$module::Game as Setup>::INFO,)* }
            }

            /// The options.
            #[must_use]
            #[inline]
            pub fn option_schema(self) -> Vec<OptionSpec> {
                match self { $(Self::$variant => crate::$module::Game::option_schema(),)* }
            }

            /// Built-in component sets: name and TOML text, the default first.
            #[must_use]
            #[inline]
            pub fn builtin_components(self) -> &'static [(&'static str, &'static str)] {
                match self { $(Self::$variant => crate::$module::Game::builtin_components(),)* }
            }

            #[inline]
            fn make(self, players: usize, options: &Options, components: Option<&ComponentSource>) -> Result<AnyGame, SetupError> {
                Ok(match self {
                    $(Self::$variant => {
                        AnyGame::$variant(Arc::new(crate::$module::Game::new(players, options, components)?))
                    })*
                })
            }
        }

        /// A game with players, options and components.
        #[derive(Clone, Debug)]
        pub enum AnyGame {
            $(#[doc = stringify!($module)] $variant(Arc<crate::$module::Game>),)*
        }

        /// A state with its game. States are inline on purpose, so sizes differ.
        #[derive(Clone, Debug)]
        #[allow(clippy::large_enum_variant)]
        pub enum AnyState {
            $(#[doc = stringify!($module)] $variant(Position<crate::$module::Game>),)*
        }

        /// An observation with its game.
        #[derive(Clone, Debug)]
        #[allow(clippy::large_enum_variant)]
        pub enum AnyObservation {
            $(#[doc = stringify!($module)] $variant(Seen<crate::$module::Game>),)*
        }

        /// What a seat knows, with its game.
        #[derive(Clone, Debug)]
        #[allow(clippy::large_enum_variant)]
        pub enum AnyInformation {
            $(#[doc = stringify!($module)] $variant(InformationState<crate::$module::Game>),)*
        }

        /// A match of any game.
        #[derive(Clone, Debug)]
        pub enum AnyMatch {
            $(#[doc = stringify!($module)] $variant(Box<Match<crate::$module::Game>>),)*
        }

        /// States of different games differ; those of one game are compared as if their options were the same.
        impl PartialEq for AnyState {
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                match (self, other) {
                    $((Self::$variant(one), Self::$variant(two)) => one.state == two.state,)*
                    #[allow(unreachable_patterns)]
                    _ => false,
                }
            }
        }

        /// As for [`AnyState`].
        impl PartialEq for AnyObservation {
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                match (self, other) {
                    $((Self::$variant(one), Self::$variant(two)) => one.observation == two.observation,)*
                    #[allow(unreachable_patterns)]
                    _ => false,
                }
            }
        }

        /// Equal if observation and history are.
        impl PartialEq for AnyInformation {
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                match (self, other) {
                    $((Self::$variant(one), Self::$variant(two)) => {
                        one.observation == two.observation && one.history == two.history
                    })*
                    #[allow(unreachable_patterns)]
                    _ => false,
                }
            }
        }
    };
}
crate::for_each_game!(define_types);

impl Eq for AnyState {}

impl Hash for AnyState {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        dispatch!(AnyState, self, position => position.state.hash(hasher));
    }
}

impl Eq for AnyObservation {}

impl Hash for AnyObservation {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        dispatch!(AnyObservation, self, seen => seen.observation.hash(hasher));
    }
}

/// Turns what came from outside into a step of `game`; whether it is legal is a second step. Text is read as [`Notation::parse_step`]
/// reads it, as records and playthroughs do.
fn read_step<G: Game>(game: &G, state: &G::State, step: AnyStep<'_>) -> Result<StepOf<G>, ParseActionError> {
    match step {
        AnyStep::Text(text) => game.parse_step(state, text),
        AnyStep::Outcome(id) => read_outcome(game, id).map(Step::Outcome),
        AnyStep::Id(id) if game.turn(state) == Turn::Chance => read_outcome(game, id).map(Step::Outcome),
        AnyStep::Action(id) | AnyStep::Id(id) => read_action(game, id).map(Step::Action),
    }
}

fn read_action<G: Game>(game: &G, id: u32) -> Result<G::Action, ParseActionError> {
    game.action_from_id(id)
        .ok_or_else(|| ParseActionError::new(&format!("action {id}"), format!("an action id from 0 to {}", game.num_actions() - 1)))
}

fn read_outcome<G: Game>(game: &G, id: u32) -> Result<G::Outcome, ParseActionError> {
    game.outcome_from_id(id).ok_or_else(|| {
        ParseActionError::new(&format!("outcome {id}"), format!("an outcome id from 0 to {}", game.num_outcomes() - 1))
    })
}
