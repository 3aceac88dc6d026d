//! Each game once more, slow and obvious, from its state JSON and component data alone, compared with the engine.

#![allow(clippy::unwrap_used)] // What is unwrapped is the engine's own JSON.

mod dragon_castle;
mod forbidden_city;
mod qin;
mod tang_garden;
