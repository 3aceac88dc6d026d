//! Game-agnostic machinery of `forbidden_games`: the contract of a game ([`contract::Game`]), luck by counter, strict data, records,
//! matches, search. It knows no game and no Python.
//!
//! An agent gets what its seat may know, and answers with a report:
//!
//! ```
//! # #[cfg(feature = "testing")] {
//! use std::sync::Arc;
//!
//! use forbidden_games_core::contract::Rules;
//! use forbidden_games_core::interrupt::Interrupt;
//! use forbidden_games_core::match_play::Match;
//! use forbidden_games_core::player::Player;
//! use forbidden_games_core::search::{self, AgentSpec};
//! use forbidden_games_core::testing::pebbles::pebbles;
//!
//! let played = Match::new(Arc::new(pebbles(2)), 7);
//! let agent: AgentSpec = "ismcts:simulations=50".parse()?;
//! let info = played.information_state(Player(0));
//! let report = search::search(&agent, &info, 7, None, &Interrupt::new())?;
//! let chosen = played.game().action_from_id(report.action).expect("an id of the game");
//! assert!(played.legal_actions().contains(&chosen));
//! // The same seed gives the same report.
//! assert_eq!(search::search(&agent, &info, 7, None, &Interrupt::new())?.action, report.action);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

pub mod arena;
pub mod batch;
pub mod bytes;
pub mod canvas;
pub mod contract;
pub mod data;
pub mod encoding;
pub mod error;
pub mod event;
pub mod geometry;
pub mod history;
pub mod ids;
pub mod information;
pub mod interrupt;
pub mod match_play;
pub mod names;
pub mod notation;
pub mod options;
pub mod outcome;
pub mod perft;
pub mod player;
pub mod playthrough;
pub mod position;
pub mod record;
pub mod rng;
pub mod search;
pub mod series;
pub mod start;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod vector;
