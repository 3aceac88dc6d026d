#![doc = include_str!("README.md")]
//!
//! # From Rust
//!
//! ```
//! use std::sync::Arc;
//!
//! use forbidden_games::tang_garden::Game;
//! use forbidden_games_core::contract::{Notation, Setup};
//! use forbidden_games_core::match_play::Match;
//! use serde_json::Map;
//!
//! let mut played = Match::new(Arc::new(Game::new(2, &Map::new(), None)?), 7);
//! let build = played.game().parse_action("build g d3 r0")?;
//! played.play(build)?;
//! let event = &played.events()[1];
//! assert_eq!((event.text.as_str(), event.rule), ("seat 0 advances g to column 1", "TG-5.5"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod actions;
mod apply;
mod audit;
mod board;
mod bounds;
mod building;
mod bytes;
mod components;
mod evaluate;
mod features;
mod game;
mod json;
mod legal;
mod names;
mod observation;
mod options;
mod refusal;
mod rules;
mod scoring;
mod segments;
mod setup;
mod skills;
mod solo;
mod state;
mod tables;
#[cfg(test)]
mod tests;
mod view;

pub use actions::{Action, Outcome};
pub use game::Game;
pub use observation::Observation;
pub use state::State;
