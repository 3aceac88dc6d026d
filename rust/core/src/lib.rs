//! Game-agnostic machinery of `forbidden_games`: the contract of a game ([`game::Game`]), luck by counter, strict data, records,
//! matches, search. It knows no game and no Python.

#![forbid(unsafe_code)]

pub mod canvas;
pub mod data;
pub mod encoding;
pub mod error;
pub mod event;
pub mod game;
pub mod geometry;
pub mod information;
pub mod interrupt;
pub mod notation;
pub mod options;
pub mod outcome;
pub mod player;
pub mod rng;
