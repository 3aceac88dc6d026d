#![doc = include_str!("README.md")]

mod actions;
mod apply;
mod audit;
mod bytes;
mod components;
mod evaluate;
mod features;
mod game;
mod json;
mod layout;
mod legal;
mod observation;
mod options;
mod refusal;
mod rules;
mod samples;
mod scoring;
mod state;
#[cfg(test)]
mod tests;
mod view;

pub use actions::{Action, Outcome};
pub use game::Game as Pebbles;
pub use observation::Observation;
pub use samples::{own_set, pebbles};
pub use state::State;
