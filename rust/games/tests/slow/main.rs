//! Slow, obvious versions of the rules against the engine: each game's module works from the JSON of states and from component data
//! alone.

mod forbidden_city;
