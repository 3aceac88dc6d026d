//! Each game once more, slow and obvious, from its state JSON and component data alone, compared with the engine.

mod dragon_castle;
mod forbidden_city;
mod qin;
mod tang_garden;
