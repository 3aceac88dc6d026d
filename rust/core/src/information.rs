//! What a seat knows: the only thing an agent receives.

use std::sync::Arc;

use crate::bytes::{ByteSink, KeyHasher};
use crate::contract::Game;
use crate::history::History;
use crate::player::Player;
use crate::rng::Rng;

/// An observation, what the seat has seen so far, and its legal actions when it is to move. It cannot hold what is hidden.
#[derive(Clone, Debug)]
pub struct InformationState<G: Game> {
    /// The rules.
    pub game: Arc<G>,
    /// What the seat perceives now.
    pub observation: G::Observation,
    /// What it saw, step by step, since the start of the match; empty if the start is unknown.
    pub history: History,
    /// Ascending by id; empty if the seat is not to move.
    pub legal_actions: Vec<G::Action>,
}

impl<G: Game> InformationState<G> {
    /// What `player` knows of `state` without a history.
    #[must_use]
    pub fn of_state(game: &Arc<G>, state: &G::State, player: Player) -> Self {
        Self::with_history(game, state, player, History::new())
    }

    /// What `player` knows of `state` after `history`.
    #[must_use]
    pub fn with_history(game: &Arc<G>, state: &G::State, player: Player, history: History) -> Self {
        let mut legal_actions = Vec::new();
        if game.turn(state).player() == Some(player) {
            game.legal_actions(state, &mut legal_actions);
        }
        Self { game: Arc::clone(game), observation: game.observation(state, player), history, legal_actions }
    }

    /// What an observation says, without a history. Legal actions follow from the seat's own knowledge: they are the same in every
    /// world that fits, so one sampled world tells them.
    #[must_use]
    pub fn of_observation(game: &Arc<G>, observation: G::Observation) -> Self {
        let world = game.sample_world(&observation, &mut Rng::stream(0, "information", 0));
        let player = game.observer(&observation);
        let mut legal_actions = Vec::new();
        if game.turn(&world).player() == Some(player) {
            game.legal_actions(&world, &mut legal_actions);
        }
        Self { game: Arc::clone(game), observation, history: History::new(), legal_actions }
    }

    /// The seat.
    #[must_use]
    pub fn player(&self) -> Player {
        self.game.observer(&self.observation)
    }

    /// A 64-bit key of observation and history, the same on every platform.
    #[must_use]
    pub fn key(&self) -> u64 {
        let mut hasher = KeyHasher::new();
        self.game.write_observation_bytes(&self.observation, &mut hasher);
        hasher.u64(self.history.key());
        hasher.finish()
    }

    /// Everything the seat has learnt, as text (see [`crate::contract::Data::information_text`]).
    #[must_use]
    pub fn text(&self) -> String {
        self.game.information_text(&self.observation, &self.history)
    }

    /// A full state that fits what the seat knows (see [`crate::contract::Knowledge::sample_world`]).
    #[must_use]
    pub fn sample_world(&self, rng: &mut Rng) -> G::State {
        self.game.sample_world(&self.observation, rng)
    }
}
