//! Positions.

use std::any::Any;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use forbidden_games_core::batch;
use forbidden_games_core::bytes::ByteReader;
use forbidden_games_core::contract::{self, Game};
use forbidden_games_core::encoding::TooWide;
use forbidden_games_core::error::{NotOver, StateError};
use forbidden_games_core::event::{Event, NoEvents};
use forbidden_games_core::information::InformationState;
use forbidden_games_core::interrupt::{Interrupt, Interrupted};
use forbidden_games_core::outcome::ScoreLine;
use forbidden_games_core::perft;
use forbidden_games_core::player::{ByPlayer, Player, Turn};
use forbidden_games_core::position::Position;
use forbidden_games_core::rng::Rng;
use serde_json::Value;

use super::asker;
use super::information::Seen;
use super::legal::legal_ids;
use super::objects::{AnyInformation, AnyObservation, AnyState, StateObject};
use super::step::read_step;
use super::step::{AnyStep, StepError};
use super::values::Ids;

impl<G: Game> StateObject for Position<G> {
    fn boxed(&self) -> AnyState {
        Box::new(self.clone())
    }

    fn is_equal(&self, other: &dyn StateObject) -> bool {
        (other as &dyn Any).downcast_ref::<Self>().is_some_and(|other| other.state == self.state)
    }

    fn turn(&self) -> Turn {
        self.game.turn(&self.state)
    }

    fn phase(&self) -> &'static str {
        self.game.phase(&self.state)
    }

    fn ply(&self) -> u32 {
        self.game.ply(&self.state)
    }

    fn num_legal(&self) -> usize {
        self.game.num_legal(&self.state)
    }

    fn nth_legal(&self, index: usize) -> Option<u32> {
        self.game.nth_legal(&self.state, index).map(|action| self.game.action_id(action))
    }

    fn is_legal(&self, id: u32) -> bool {
        self.game.action_from_id(id).is_some_and(|action| self.game.is_legal(&self.state, action))
    }

    fn legal_actions(&self) -> Vec<u32> {
        legal_ids(&*self.game, &self.state)
    }

    fn for_each_legal_id(&self, take: &mut Ids<'_>) {
        self.game.for_each_legal_id(&self.state, take);
    }

    fn chance_outcomes(&self) -> Vec<(u32, u32)> {
        let mut outcomes = Vec::new();
        self.game.chance_outcomes(&self.state, &mut outcomes);
        outcomes.into_iter().map(|(outcome, weight)| (self.game.outcome_id(outcome), weight)).collect()
    }

    fn key(&self) -> u64 {
        self.game.key(&self.state)
    }

    fn to_json(&self) -> Value {
        self.game.state_to_json(&self.state)
    }

    fn write_bytes(&self, out: &mut Vec<u8>) {
        self.game.write_bytes(&self.state, out);
    }

    fn check(&self, step: AnyStep<'_>) -> Result<(), StepError> {
        let step = read_step(&*self.game, &self.state, step)?;
        Ok(contract::check(&*self.game, &self.state, step)?)
    }

    fn check_asker(&self, player: Player, step: AnyStep<'_>) -> Result<(), StepError> {
        asker::check(&*self.game, self.turn(), player, step)
    }

    fn child(&self, step: AnyStep<'_>) -> Result<AnyState, StepError> {
        let step = read_step(&*self.game, &self.state, step)?;
        contract::check(&*self.game, &self.state, step)?;
        let mut child = Box::new(self.clone());
        child.game.apply(&mut child.state, step);
        Ok(child)
    }

    fn child_with_events(&self, step: AnyStep<'_>) -> Result<(AnyState, Vec<Event>), StepError> {
        let step = read_step(&*self.game, &self.state, step)?;
        let (mut child, mut events) = (Box::new(self.clone()), Vec::new());
        contract::play(&*self.game, &mut child.state, step, &mut events)?;
        Ok((child, events))
    }

    fn resolve_chance(&self, seed: u64) -> AnyState {
        let Self { game, mut state } = self.clone();
        let first = u64::from(game.ply(&state)) << 32;
        let mut outcomes = Vec::new();
        for node in 0.. {
            if game.turn(&state) != Turn::Chance {
                break;
            }
            let outcome = game.sample_outcome(&state, &mut Rng::stream(seed, "chance", first | node), &mut outcomes);
            game.apply_outcome(&mut state, outcome, &mut NoEvents);
        }
        Box::new(Self { game, state })
    }

    fn scores(&self) -> ByPlayer<i32> {
        self.game.scores(&self.state)
    }

    fn ranking(&self) -> Result<ByPlayer<u8>, NotOver> {
        if self.turn() == Turn::Over { Ok(self.game.ranking(&self.state)) } else { Err(NotOver) }
    }

    fn returns(&self) -> Result<ByPlayer<f64>, NotOver> {
        if self.turn() != Turn::Over {
            return Err(NotOver);
        }
        let exact = self.game.exact_returns(&self.state);
        Ok(exact.into_iter().map(|part| part.numerator as f64 / part.denominator as f64).collect())
    }

    fn score_sheet(&self) -> Vec<ScoreLine> {
        self.game.score_sheet(&self.state)
    }

    fn series_total(&self) -> Option<ByPlayer<i32>> {
        self.game.series_total(&self.state)
    }

    fn observation(&self, player: Player) -> AnyObservation {
        Box::new(Seen { game: Arc::clone(&self.game), observation: self.game.observation(&self.state, player) })
    }

    fn encode(&self, player: Player, out: &mut [f32]) {
        self.game.encode(&self.game.observation(&self.state, player), out);
    }

    fn encode_u8(&self, player: Player, out: &mut [u8]) -> Result<(), TooWide> {
        self.game.encode_u8(&self.game.observation(&self.state, player), out)
    }

    fn information(&self, player: Player) -> AnyInformation {
        Box::new(InformationState::of_state(&self.game, &self.state, player))
    }

    fn evaluate(&self, player: Player) -> f64 {
        self.game.evaluate(&self.state, player)
    }

    fn check_invariants(&self) -> Result<(), String> {
        self.game.check_invariants(&self.state)
    }

    fn perft(&self, depth: u32, interrupt: &Interrupt) -> Result<u64, Interrupted> {
        perft::perft(&*self.game, &self.state, depth, interrupt)
    }

    fn perft_divide(&self, depth: u32, interrupt: &Interrupt) -> Result<Vec<(u32, u64)>, Interrupted> {
        let counts = perft::perft_divide(&*self.game, &self.state, depth, interrupt)?;
        Ok(counts.into_iter().map(|(action, count)| (self.game.action_id(action), count)).collect())
    }

    fn rollouts(
        &self,
        start: u64,
        count: usize,
        seed: u64,
        threads: usize,
        interrupt: &Interrupt,
    ) -> Result<Vec<f32>, Interrupted> {
        const PART: usize = 1 << 16;
        let mut rows = Vec::new();
        for first in (0..count).step_by(PART) {
            let part = PART.min(count - first);
            let first = start.wrapping_add(first as u64);
            let returns = batch::rollouts_from(&*self.game, &self.state, first, part, seed, threads, interrupt)?;
            rows.extend(returns.iter().flatten());
        }
        Ok(rows)
    }
}

impl Clone for AnyState {
    fn clone(&self) -> Self {
        (**self).boxed()
    }
}

impl PartialEq for dyn StateObject {
    fn eq(&self, other: &Self) -> bool {
        self.is_equal(other)
    }
}

impl Eq for dyn StateObject {}

/// By the key, which follows from what equality compares.
impl Hash for dyn StateObject {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.key());
    }
}

/// Reads what [`StateObject::write_bytes`] wrote.
pub(super) fn read_bytes<G: Game>(game: &Arc<G>, bytes: &[u8]) -> Result<AnyState, StateError> {
    let mut reader = ByteReader::new(bytes);
    let state = game.read_bytes(&mut reader)?;
    reader.finish()?;
    Ok(Box::new(Position { game: Arc::clone(game), state }))
}
