//! Game-agnostic machinery of `forbidden_games`: the contract of a game ([`contract::Game`]), luck by counter, strict data, records,
//! matches, search. It knows no game and no Python.

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
pub mod information;
pub mod interrupt;
pub mod match_play;
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
