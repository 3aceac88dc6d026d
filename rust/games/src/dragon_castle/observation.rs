//! What a seat sees, which is everything (DC-8.1).

use forbidden_games_core::contract::{Knowledge, Notation, Observed, Rules, Step, StepOf};
use forbidden_games_core::player::Player;
use forbidden_games_core::rng::Rng;

use super::game::Game;
use super::state::State;

/// A whole position and the seat that looks at it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Observation {
    pub(super) player: Player,
    pub(super) state: State,
}

impl Knowledge for Game {
    type Observation = Observation;

    fn observation(&self, state: &State, player: Player) -> Observation {
        Observation { player, state: state.clone() }
    }

    fn observe_into(&self, state: &State, player: Player, observation: &mut Observation) {
        observation.player = player;
        observation.state.clone_from(state);
    }

    fn observer(&self, observation: &Observation) -> Player {
        observation.player
    }

    fn observed(&self, _before: &State, step: StepOf<Self>, _viewer: Player) -> Observed {
        Observed(match step {
            Step::Action(action) => self.action_id(action).into(),
            Step::Outcome(outcome) => self.num_actions() as u64 + u64::from(self.outcome_id(outcome)),
        })
    }

    fn format_observed(&self, observed: Observed) -> String {
        let actions = self.num_actions() as u64;
        let outcome = |id: u64| u32::try_from(id).ok().and_then(|id| self.outcome_from_id(id));
        match u32::try_from(observed.0).ok().and_then(|id| self.action_from_id(id)) {
            Some(action) => self.format_action(action),
            None => observed
                .0
                .checked_sub(actions)
                .and_then(outcome)
                .map_or_else(|| "nothing".to_owned(), |outcome| self.format_outcome(outcome)),
        }
    }

    /// Nothing is hidden.
    fn private_key(&self, _state: &State, _player: Player) -> u64 {
        0
    }

    fn sample_world(&self, observation: &Observation, _rng: &mut Rng) -> State {
        observation.state.clone()
    }
}
