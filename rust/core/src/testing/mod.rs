//! Tests that any game must pass, and a toy game to test the core with. Only with the feature `testing`.

pub mod pebbles;
