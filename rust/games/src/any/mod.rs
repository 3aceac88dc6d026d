//! All games behind one set of types, for whoever learns at run time which game is played: the Python binding, a command line.
//!
//! There is one object-safe trait for each class that Python has ([`GameObject`], [`StateObject`], [`ObservationObject`],
//! [`InformationObject`], [`MatchObject`]), implemented once for every game by `Position` and its kin; a value is a box around one
//! of them, as large as its own game's. Nothing here is called inside a loop of the core. Actions and outcomes are plain ids here,
//! texts and JSON are what they are everywhere. The rules stay in the games' folders: a fifth game changes nothing in this folder.
//!
//! The list of games is made in an `#[inline]` function: so every search of every game is compiled in the crate that asks for the
//! list, not in each build of this one.

mod asker;
mod game;
mod information;
mod legal;
mod list;
mod objects;
mod play;
mod search;
mod state;
mod step;
mod values;
mod vector;

pub use game::Loaded;
pub use information::Seen;
pub use list::{GameId, game_of_identity};
pub use objects::{
    AnyGame, AnyInformation, AnyLegal, AnyMatch, AnyObservation, AnyState, AnyVector, GameObject, InformationObject, MatchObject,
    ObservationObject, StateObject, VectorObject,
};
pub use search::search_batch;
pub use step::{AnyStep, StepError};
pub use values::{AnySession, Ids, Picture, Replayed, Stopped};
