//! What a seat perceives (FC-8), and worlds that fit it.

use forbidden_games_core::contract::{Knowledge, Notation, Observed, Rules, Step, StepOf};
use forbidden_games_core::player::Player;
use forbidden_games_core::rng::Rng;

use super::game::Game;
use super::state::{NONE, Phase, State};

/// What one seat knows of a position: everything but the other hands (FC-8.2).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Observation {
    pub(super) player: Player,
    /// The position with the other hands empty.
    pub(super) seen: State,
}

const ACTION_SEEN: u64 = 1 << 40;
const TILE_SEEN: u64 = 1 << 41;
const DEAL_SEEN: u64 = 1 << 42;

impl Knowledge for Game {
    type Observation = Observation;

    fn observation(&self, state: &State, player: Player) -> Observation {
        let mut observation = Observation { player, seen: state.clone() };
        observation.hide_hands();
        observation
    }

    fn observe_into(&self, state: &State, player: Player, observation: &mut Observation) {
        observation.player = player;
        observation.seen.clone_from(state);
        observation.hide_hands();
    }

    fn observer(&self, observation: &Observation) -> Player {
        observation.player
    }

    /// The kind as well as the place of an action; of a draw the kind for its owner only. In `deal` everybody sees who draws, which the
    /// position does not tell (FC-8.4): after the last draw the game begins.
    fn observed(&self, before: &State, step: StepOf<Self>, viewer: Player) -> Observed {
        match step {
            Step::Action(action) => {
                let kind = self.kind_in_turn(before).unwrap_or(0) as u64;
                Observed(ACTION_SEEN | kind << 32 | u64::from(self.action_id(action)))
            }
            Step::Outcome(outcome) if before.drawing_seat() == viewer.index() => Observed(TILE_SEEN | u64::from(outcome.kind)),
            Step::Outcome(_) if before.phase == Phase::Deal => Observed(DEAL_SEEN | before.drawing_seat() as u64),
            Step::Outcome(_) => Observed::NOTHING,
        }
    }

    fn format_observed(&self, observed: Observed) -> String {
        let id = |kind: u64| self.kinds().get(kind as usize).map_or("?", |kind| kind.id.as_str());
        if observed == Observed::NOTHING {
            "a hidden draw".to_owned()
        } else if observed.0 & DEAL_SEEN != 0 {
            format!("a hidden draw of seat {}", observed.0 & 0xff)
        } else if observed.0 & TILE_SEEN != 0 {
            format!("draw {}", id(observed.0 & 0xff))
        } else {
            let action = self.action_from_id(observed.0 as u32).map_or_else(|| "?".to_owned(), |action| self.format_action(action));
            format!("{} {action}", id(observed.0 >> 32 & 0xff))
        }
    }

    fn private_key(&self, state: &State, player: Player) -> u64 {
        u64::from(state.hands[player.index()])
    }

    /// FC-8.3: each other hand is one of its seat's unplayed tiles, independently.
    fn sample_world(&self, observation: &Observation, rng: &mut Rng) -> State {
        let mut world = observation.seen.clone();
        for seat in 0..self.players() {
            if seat != observation.player.index() && self.is_holding(observation, seat) {
                world.hands[seat] = self.sample_kind(&world, seat, rng);
            }
        }
        world
    }
}

impl Observation {
    fn hide_hands(&mut self) {
        for (seat, hand) in self.seen.hands.iter_mut().enumerate() {
            if seat != self.player.index() {
                *hand = NONE;
            }
        }
    }
}

impl Game {
    /// Whether `seat` has a tile in hand, from what the viewer sees alone (FC-8.4): everybody but the seat that draws; in `deal`, where
    /// the view does not say who is next, the ordinary order of dealing is taken, and seats below the one that draws have theirs.
    fn is_holding(&self, observation: &Observation, seat: usize) -> bool {
        let (seen, viewer) = (&observation.seen, observation.player.index());
        let unfinished = |seat: usize| seen.left[seat] > 2;
        if !unfinished(seat) {
            return false;
        }
        match seen.phase {
            _ if seat == viewer => seen.hands[seat] != NONE,
            Phase::Place | Phase::End => true,
            Phase::Draw => seat != usize::from(seen.turn),
            Phase::Deal if seen.needs_tile(viewer) => seat < viewer,
            Phase::Deal => {
                let drawing = (viewer + 1..self.players()).chain(0..viewer).find(|&seat| unfinished(seat));
                drawing.is_some_and(|drawing| seat < drawing)
            }
        }
    }
}
