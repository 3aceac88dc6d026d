#![doc = include_str!("README.md")]

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
