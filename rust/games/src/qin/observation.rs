//! What a seat knows: observations, what it learns from a step, worlds that fit (QN-8).

use forbidden_games_core::contract::{Knowledge, Notation, Observed, Rules, Step};
use forbidden_games_core::player::{MAX_PLAYERS, Player};
use forbidden_games_core::rng::Rng;

use super::actions::Action;
use super::game::Game;
use super::state::{Counts, Hand, Observation, State, kind_drawn};
use super::tiles::Kind;

impl Knowledge for Game {
    type Observation = Observation;

    fn observation(&self, state: &State, player: Player) -> Observation {
        Observation { public: state.public.clone(), viewer: player, hand: state.hands[player.index()] }
    }

    fn observer(&self, observation: &Observation) -> Player {
        observation.viewer
    }

    /// An action by its id, the viewer's own draw by the outcome's id behind all actions, another's draw not.
    fn observed(&self, before: &State, step: Step<Action, Kind>, viewer: Player) -> Observed {
        match step {
            Step::Action(action) => Observed(self.action_id(action).into()),
            Step::Outcome(kind) if before.public.seat == viewer.0 => Observed((self.num_actions() + kind.index()) as u64),
            Step::Outcome(_) => Observed::NOTHING,
        }
    }

    fn format_observed(&self, observed: Observed) -> String {
        let action = u32::try_from(observed.0).ok().and_then(|id| self.action_from_id(id));
        let kind = observed.0.checked_sub(self.num_actions() as u64).and_then(|id| Kind::new(usize::try_from(id).ok()?));
        match (action, kind) {
            (Some(action), _) => self.format_action(action),
            (None, Some(kind)) => format!("draw {}", kind.name()),
            (None, None) => "hidden draw".to_owned(),
        }
    }

    /// Deals the unseen tiles without replacement, hand by hand, the rest is the pile (QN-8.3).
    fn sample_world(&self, observation: &Observation, rng: &mut Rng) -> State {
        let public = observation.public.clone();
        let mut unseen = self.unseen(observation);
        let mut left: u32 = unseen.iter().map(|&count| u32::from(count)).sum();
        let mut hands = [Hand::default(); MAX_PLAYERS];
        for (seat, hand) in hands.iter_mut().enumerate().take(self.players) {
            if seat == observation.viewer.index() {
                *hand = observation.hand;
                continue;
            }
            for _ in 0..public.hand_sizes[seat] {
                let kind = kind_drawn(&unseen, rng.below(left)).index();
                unseen[kind] -= 1;
                left -= 1;
                hand.0[kind] += 1;
            }
        }
        State { public, hands, pile: unseen }
    }

    fn private_key(&self, state: &State, player: Player) -> u64 {
        state.hands[player.index()].0.iter().fold(0, |key, &count| (key << 8) | u64::from(count))
    }

    fn observe_into(&self, state: &State, player: Player, observation: &mut Observation) {
        observation.public.clone_from(&state.public);
        observation.viewer = player;
        observation.hand = state.hands[player.index()];
    }
}

impl Game {
    /// Tiles neither laid nor in the viewer's hand.
    pub(super) fn unseen(&self, observation: &Observation) -> Counts {
        let mut unseen = self.tiles();
        for (kind, left) in unseen.iter_mut().enumerate() {
            *left -= observation.public.laid[kind] + observation.hand.0[kind];
        }
        unseen
    }
}
