//! Squares, sides and turns, regions: the geometry that the games share.

pub mod orientation;
pub mod region;
pub mod square;
