//! Positions.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use forbidden_games_core::batch;
use forbidden_games_core::contract::{self, Audit, Data, Game, Judgement, Knowledge, Rules, Step};
use forbidden_games_core::error::NotOver;
use forbidden_games_core::event::{Event, NoEvents};
use forbidden_games_core::information::InformationState;
use forbidden_games_core::interrupt::{Interrupt, Interrupted};
use forbidden_games_core::outcome::ScoreLine;
use forbidden_games_core::perft;
use forbidden_games_core::player::{ByPlayer, Player, Turn};
use forbidden_games_core::rng::Rng;
use serde_json::Value;

use super::{AnyGame, AnyInformation, AnyObservation, AnyState, AnyStep, Position, Seen, StepError, read_step};

impl AnyState {
    /// Its game.
    #[must_use]
    #[inline]
    pub fn game(&self) -> AnyGame {
        convert!(AnyState => AnyGame, self, position => Arc::clone(&position.game))
    }

    /// Whose decision it is.
    #[must_use]
    #[inline]
    pub fn turn(&self) -> Turn {
        dispatch!(AnyState, self, position => position.game.turn(&position.state))
    }

    /// What is being decided.
    #[must_use]
    #[inline]
    pub fn phase(&self) -> &'static str {
        dispatch!(AnyState, self, position => position.game.phase(&position.state))
    }

    /// Decisions so far.
    #[must_use]
    #[inline]
    pub fn ply(&self) -> u32 {
        dispatch!(AnyState, self, position => position.game.ply(&position.state))
    }

    /// Ids of all legal actions, ascending.
    #[must_use]
    #[inline]
    pub fn legal_actions(&self) -> Vec<u32> {
        dispatch!(AnyState, self, position => legal_ids(&*position.game, &position.state))
    }

    /// Ids of all outcomes with their weights, ascending.
    #[must_use]
    #[inline]
    pub fn chance_outcomes(&self) -> Vec<(u32, u32)> {
        dispatch!(AnyState, self, position => {
            let mut outcomes = Vec::new();
            position.game.chance_outcomes(&position.state, &mut outcomes);
            outcomes.into_iter().map(|(outcome, weight)| (position.game.outcome_id(outcome), weight)).collect()
        })
    }

    /// The 64-bit key of the JSON.
    #[must_use]
    #[inline]
    pub fn key(&self) -> u64 {
        dispatch!(AnyState, self, position => position.game.key(&position.state))
    }

    /// A hash for tables of this process.
    #[must_use]
    #[inline]
    pub fn table_hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }

    /// The whole state.
    #[must_use]
    #[inline]
    pub fn to_json(&self) -> Value {
        dispatch!(AnyState, self, position => position.game.state_to_json(&position.state))
    }

    /// Why a step cannot be taken.
    ///
    /// # Errors
    /// If it cannot.
    #[inline]
    pub fn check(&self, step: AnyStep<'_>) -> Result<(), StepError> {
        self.child(step).map(|_| ())
    }

    /// The state after a step; this one stays.
    ///
    /// # Errors
    /// If it is no step or not legal.
    #[inline]
    pub fn child(&self, step: AnyStep<'_>) -> Result<Self, StepError> {
        Ok(convert!(AnyState => AnyState, self, position => {
            let step = read_step(&*position.game, &position.state, step)?;
            let mut child = position.clone();
            contract::play(&*child.game, &mut child.state, step, &mut NoEvents)?;
            child
        }))
    }

    /// As [`AnyState::child`], with what happened.
    ///
    /// # Errors
    /// If it is no step or not legal.
    #[inline]
    pub fn child_with_events(&self, step: AnyStep<'_>) -> Result<(Self, Vec<Event>), StepError> {
        let mut events = Vec::new();
        let child = convert!(AnyState => AnyState, self, position => {
            let step = read_step(&*position.game, &position.state, step)?;
            let mut child = position.clone();
            contract::play(&*child.game, &mut child.state, step, &mut events)?;
            child
        });
        Ok((child, events))
    }

    /// The next decision or the end: chance nodes are drawn under `seed`. The k-th from a state with ply p draws from
    /// `Rng::stream(seed, "chance", p << 32 | k)`: a match with this seed has the same set-up draws, and later states do not meet
    /// the same numbers again.
    #[must_use]
    #[inline]
    pub fn resolve_chance(&self, seed: u64) -> Self {
        convert!(AnyState => AnyState, self, position => {
            let Position { game, mut state } = position.clone();
            let first = u64::from(game.ply(&state)) << 32;
            let mut outcomes = Vec::new();
            for node in 0.. {
                if game.turn(&state) != Turn::Chance {
                    break;
                }
                let outcome = game.sample_outcome(&state, &mut Rng::stream(seed, "chance", first | node), &mut outcomes);
                game.apply(&mut state, Step::Outcome(outcome));
            }
            Position { game, state }
        })
    }

    /// Points so far.
    #[must_use]
    #[inline]
    pub fn scores(&self) -> ByPlayer<i32> {
        dispatch!(AnyState, self, position => position.game.scores(&position.state))
    }

    /// Places.
    ///
    /// # Errors
    /// Before the end.
    #[inline]
    pub fn ranking(&self) -> Result<ByPlayer<u8>, NotOver> {
        self.check_over()?;
        Ok(dispatch!(AnyState, self, position => position.game.ranking(&position.state)))
    }

    /// Returns.
    ///
    /// # Errors
    /// Before the end.
    #[inline]
    pub fn returns(&self) -> Result<ByPlayer<f64>, NotOver> {
        self.check_over()?;
        let exact = dispatch!(AnyState, self, position => position.game.exact_returns(&position.state));
        Ok(exact.into_iter().map(|part| part.numerator as f64 / part.denominator as f64).collect())
    }

    #[inline]
    fn check_over(&self) -> Result<(), NotOver> {
        if self.turn() == Turn::Over { Ok(()) } else { Err(NotOver) }
    }

    /// The scores line by line.
    #[must_use]
    #[inline]
    pub fn score_sheet(&self) -> Vec<ScoreLine> {
        dispatch!(AnyState, self, position => position.game.score_sheet(&position.state))
    }

    /// What each seat adds to its total in a series.
    #[must_use]
    #[inline]
    pub fn series_total(&self) -> Option<ByPlayer<i32>> {
        dispatch!(AnyState, self, position => position.game.series_total(&position.state))
    }

    /// What `player` perceives.
    #[must_use]
    #[inline]
    pub fn observation(&self, player: Player) -> AnyObservation {
        convert!(AnyState => AnyObservation, self, position => Seen {
            game: Arc::clone(&position.game),
            observation: position.game.observation(&position.state, player),
        })
    }

    /// What `player` knows, with an empty history.
    #[must_use]
    #[inline]
    pub fn information(&self, player: Player) -> AnyInformation {
        convert!(AnyState => AnyInformation, self, position => {
            InformationState::of_state(&position.game, &position.state, player)
        })
    }

    /// The game's heuristic, in points.
    #[must_use]
    #[inline]
    pub fn evaluate(&self, player: Player) -> f64 {
        dispatch!(AnyState, self, position => position.game.evaluate(&position.state, player))
    }

    /// Checks the invariants of the rule page. Slow, for tests.
    ///
    /// # Errors
    /// The first one broken, with its number.
    #[inline]
    pub fn check_invariants(&self) -> Result<(), String> {
        dispatch!(AnyState, self, position => position.game.check_invariants(&position.state))
    }

    /// See [`perft::perft`].
    ///
    /// # Errors
    /// If interrupted.
    #[inline]
    pub fn perft(&self, depth: u32, interrupt: &Interrupt) -> Result<u64, Interrupted> {
        dispatch!(AnyState, self, position => perft::perft(&*position.game, &position.state, depth, interrupt))
    }

    /// See [`perft::perft_divide`]; ids with counts.
    ///
    /// # Errors
    /// If interrupted.
    #[inline]
    pub fn perft_divide(&self, depth: u32, interrupt: &Interrupt) -> Result<Vec<(u32, u64)>, Interrupted> {
        dispatch!(AnyState, self, position => {
            let counts = perft::perft_divide(&*position.game, &position.state, depth, interrupt)?;
            Ok(counts.into_iter().map(|(action, count)| (position.game.action_id(action), count)).collect())
        })
    }

    /// Returns of random games `start..start + count`, one row of `num_players` numbers each (see [`batch::rollouts_from`]). They
    /// are made in parts, so that an interrupt of a long run is heard before memory for all of it is made.
    ///
    /// # Errors
    /// If interrupted.
    #[inline]
    pub fn rollouts(
        &self,
        start: u64,
        count: usize,
        seed: u64,
        threads: usize,
        interrupt: &Interrupt,
    ) -> Result<Vec<f32>, Interrupted> {
        const PART: usize = 1 << 16;
        let mut rows = Vec::new();
        dispatch!(AnyState, self, position => {
            for first in (0..count).step_by(PART) {
                let part = PART.min(count - first);
                let first = start.wrapping_add(first as u64);
                let returns = batch::rollouts_from(&*position.game, &position.state, first, part, seed, threads, interrupt)?;
                rows.extend(returns.iter().flatten());
            }
        });
        Ok(rows)
    }
}

pub(super) fn legal_ids<G: Game>(game: &G, state: &G::State) -> Vec<u32> {
    // Room for most positions: growing step by step would cost more than the list.
    let mut actions = Vec::with_capacity(256);
    game.legal_actions(state, &mut actions);
    actions.into_iter().map(|action| game.action_id(action)).collect()
}
