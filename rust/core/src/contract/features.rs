//! Observations as numbers.

use crate::contract::Knowledge;
use crate::encoding::Layout;

/// The encoding of an observation.
pub trait Features: Knowledge {
    /// The blocks of an encoded observation, seats ordered from the viewer clockwise.
    fn observation_layout(&self) -> &Layout;

    /// Writes all values of the layout; `out` has its size and holds zeros.
    fn encode(&self, observation: &Self::Observation, out: &mut [f32]);
}
