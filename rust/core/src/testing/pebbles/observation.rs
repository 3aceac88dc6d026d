//! What a seat knows (PB-8): its own hand, the sizes of the others, not the pile.

use arrayvec::ArrayVec;

use crate::contract::{Knowledge, Notation, Observed, Rules, Step, StepOf};
use crate::player::{ByPlayer, Player};
use crate::rng::Rng;

use super::components::Counts;
use super::game::Game;
use super::state::{HAND, Public, State, size};

/// A hand as one seat sees it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Hand {
    /// One's own.
    Open(Counts),
    /// Another's: its size.
    Hidden(usize),
}

impl Hand {
    /// Number of pebbles.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Open(counts) => size(counts),
            Self::Hidden(size) => *size,
        }
    }
}

/// What one seat sees.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Observation {
    /// The seat.
    pub viewer: Player,
    /// What everybody sees.
    pub public: Public,
    /// Hands by seat.
    pub hands: ByPlayer<Hand>,
}

impl Knowledge for Game {
    type Observation = Observation;

    fn observation(&self, state: &State, player: Player) -> Observation {
        let hand = |(seat, hand): (usize, &Counts)| {
            if seat == player.index() { Hand::Open(*hand) } else { Hand::Hidden(size(hand)) }
        };
        Observation { viewer: player, public: state.public.clone(), hands: state.hands.iter().enumerate().map(hand).collect() }
    }

    fn observer(&self, observation: &Observation) -> Player {
        observation.viewer
    }

    fn observed(&self, before: &State, step: StepOf<Self>, viewer: Player) -> Observed {
        match step {
            Step::Action(action) => Observed(self.action_id(action).into()),
            Step::Outcome(outcome) if before.public.player == viewer => {
                Observed((self.num_actions() + usize::from(outcome.0)) as u64)
            }
            Step::Outcome(_) => Observed::NOTHING,
        }
    }

    fn format_observed(&self, observed: Observed) -> String {
        let id = observed.0.min(u64::from(u32::MAX)) as u32;
        match (self.action_from_id(id), id.checked_sub(self.num_actions() as u32).and_then(|id| self.outcome_from_id(id))) {
            (Some(action), _) => self.format_action(action),
            (None, Some(outcome)) => self.format_outcome(outcome),
            (None, None) => "a hidden draw".to_owned(),
        }
    }

    fn sample_world(&self, observation: &Observation, rng: &mut Rng) -> State {
        match self.fill(observation, |pool| rng.shuffle(pool)) {
            Ok(world) => world,
            Err(broken) => unreachable!("an observation that fits no state: {broken}"),
        }
    }

    fn private_key(&self, state: &State, player: Player) -> u64 {
        state.hands[player.index()].iter().fold(0, |key, &count| key * (HAND as u64 + 1) + u64::from(count))
    }
}

impl Game {
    /// Fills in the hidden part from the pool of what is not seen, in the order that `order` gives the pool.
    pub(super) fn fill(&self, observation: &Observation, order: impl FnOnce(&mut [u8])) -> Result<State, String> {
        let mut pool = self.unseen(observation)?;
        order(&mut pool);
        let mut state = State { public: observation.public.clone(), pile: Counts::default(), hands: ArrayVec::new() };
        for hand in &observation.hands {
            state.hands.push(match hand {
                Hand::Open(counts) => *counts,
                Hand::Hidden(size) => {
                    let mut counts = Counts::default();
                    for _ in 0..*size {
                        let kind = pool.pop().ok_or("more hidden pebbles than there are")?;
                        counts[usize::from(kind)] += 1;
                    }
                    counts
                }
            });
        }
        pool.into_iter().for_each(|kind| state.pile[usize::from(kind)] += 1);
        Ok(state)
    }

    /// The pebbles that the seat does not see, kind by kind.
    fn unseen(&self, observation: &Observation) -> Result<Vec<u8>, String> {
        let public = &observation.public;
        let mut unseen = self.components.counts();
        let mut take = |kind: usize, count: u8| match unseen[kind].checked_sub(count) {
            Some(left) => {
                unseen[kind] = left;
                Ok(())
            }
            None => Err(format!("more {} than there are", self.components.kinds[kind].name)),
        };
        for column in &public.columns {
            column.pebbles.iter().try_for_each(|&kind| take(kind.into(), 1))?;
        }
        let kinds = self.components.kinds.len();
        (0..kinds).try_for_each(|kind| take(kind, public.gone[kind]))?;
        for hand in &observation.hands {
            if let Hand::Open(counts) = hand {
                (0..kinds).try_for_each(|kind| take(kind, counts[kind]))?;
            }
        }
        let copies = unseen.iter().enumerate();
        Ok(copies.flat_map(|(kind, &count)| std::iter::repeat_n(kind as u8, count.into())).collect())
    }
}
