//! What a seat knows (section 8: everything).

use forbidden_games_core::contract::{Knowledge, Notation, Observed, Rules, Step, StepOf};
use forbidden_games_core::player::Player;
use forbidden_games_core::rng::Rng;

use super::game::Game;
use super::state::State;

/// A position as a seat sees it: all of it, and which seat that is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Observation {
    pub(super) state: State,
    pub(super) player: Player,
}

/// Offset that tells outcomes from actions in what was observed.
const OUTCOMES: u64 = 1 << 32;

impl Knowledge for Game {
    type Observation = Observation;

    fn observation(&self, state: &State, player: Player) -> Observation {
        Observation { state: state.clone(), player }
    }

    fn observer(&self, observation: &Observation) -> Player {
        observation.player
    }

    fn observed(&self, _before: &State, step: StepOf<Self>, _viewer: Player) -> Observed {
        Observed(match step {
            Step::Action(action) => u64::from(self.action_id(action)),
            Step::Outcome(outcome) => OUTCOMES + u64::from(self.outcome_id(outcome)),
        })
    }

    fn format_observed(&self, observed: Observed) -> String {
        let id = observed.0;
        let text = if id < OUTCOMES {
            u32::try_from(id).ok().and_then(|id| self.action_from_id(id)).map(|action| self.format_action(action))
        } else {
            u32::try_from(id - OUTCOMES).ok().and_then(|id| self.outcome_from_id(id)).map(|o| self.outcome_name(o).to_owned())
        };
        text.unwrap_or_else(|| "nothing".to_owned())
    }

    /// Nothing is hidden.
    fn private_key(&self, _state: &State, _player: Player) -> u64 {
        0
    }

    fn sample_world(&self, observation: &Observation, _rng: &mut Rng) -> State {
        observation.state.clone()
    }

    fn observe_into(&self, state: &State, player: Player, observation: &mut Observation) {
        observation.state.clone_from(state);
        observation.player = player;
    }
}
