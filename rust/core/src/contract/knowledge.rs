//! What a seat knows.

use std::fmt::Debug;
use std::hash::Hash;

use crate::contract::{Rules, StepOf};
use crate::player::Player;
use crate::rng::Rng;

/// What one seat learns from one step, as a number that is equal exactly if the same was learnt. Histories, information keys and
/// the edges of an information-set tree are made of these, never of ids alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Observed(pub u64);

impl Observed {
    /// Nothing but that a step happened.
    pub const NOTHING: Self = Self(u64::MAX);
}

/// Observations, what a step teaches a seat, and worlds that fit what it knows.
pub trait Knowledge: Rules {
    /// What one seat perceives of a position, and which seat that is. It owns its data and cannot hold what the seat may not know.
    type Observation: Clone + Debug + PartialEq + Eq + Hash + Send + Sync;

    /// What `player` may know now.
    fn observation(&self, state: &Self::State, player: Player) -> Self::Observation;

    /// The seat an observation belongs to.
    fn observer(&self, observation: &Self::Observation) -> Player;

    /// What `viewer` learns from `step` taken at `before`, injective among the steps possible there.
    fn observed(&self, before: &Self::State, step: StepOf<Self>, viewer: Player) -> Observed;

    /// Text of what was learnt, for histories.
    fn format_observed(&self, observed: Observed) -> String;

    /// Draws a full state that fits, uniformly over the worlds the rule page calls equally likely. Same node, phase, seat and ply.
    fn sample_world(&self, observation: &Self::Observation, rng: &mut Rng) -> Self::State;

    /// What only `player` knows at `state`, as a number: among states in which everybody perceives the same beside it, equal numbers
    /// mean equal private knowledge. 0 where nothing is hidden.
    fn private_key(&self, state: &Self::State, player: Player) -> u64;

    // ---- Provided -------------------------------------------------------------------------------------------------------

    /// Writes [`Knowledge::observation`] over an older one, so that loops do not allocate.
    fn observe_into(&self, state: &Self::State, player: Player, observation: &mut Self::Observation) {
        *observation = self.observation(state, player);
    }
}
