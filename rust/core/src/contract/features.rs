//! Observations as numbers.

use crate::contract::Knowledge;
use crate::encoding::{DenseF32, DenseU8, FeatureSink, Layout, TooWide};

/// The encoding of an observation.
pub trait Features: Knowledge {
    /// The blocks of an encoded observation, seats ordered from the viewer clockwise.
    fn observation_layout(&self) -> &Layout;

    /// Hands every feature of `observation` that is not 0 to `sink`, each at most once, none above the bound of its block.
    fn features(&self, observation: &Self::Observation, sink: &mut impl FeatureSink);

    // ---- Provided -------------------------------------------------------------------------------------------------------

    /// Writes all values as float32; `out` has the layout's size and holds zeros. Not overridden.
    fn encode(&self, observation: &Self::Observation, out: &mut [f32]) {
        self.features(observation, &mut DenseF32::new(self.observation_layout(), out));
    }

    /// Writes all values as raw numbers; `out` has the layout's size and holds zeros. Not overridden.
    ///
    /// # Errors
    /// If a block has greater numbers than uint8 holds; nothing is written then.
    fn encode_u8(&self, observation: &Self::Observation, out: &mut [u8]) -> Result<(), TooWide> {
        self.observation_layout().check_u8()?;
        self.features(observation, &mut DenseU8(out));
        Ok(())
    }
}
