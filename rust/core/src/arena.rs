//! Matches between agents. Luck comes from the match seed alone, an agent's randomness from (seed, seat, ply): the same seed with
//! other agents at the table is the same luck, which is what paired tournaments need.

use std::sync::Arc;

use crate::contract::Game;
use crate::information::InformationState;
use crate::interrupt::Interrupt;
use crate::match_play::Match;
use crate::player::Player;
use crate::rng::derive_seed;
use crate::search::{self, AgentSpec, SearchError, Session};

/// Plays one seat.
pub trait Agent<G: Game> {
    /// Chooses one of `info.legal_actions`; `seed` is the randomness for this decision.
    ///
    /// # Errors
    /// If the agent cannot decide; the match ends with this error.
    fn act(&mut self, info: &InformationState<G>, seed: u64, interrupt: &Interrupt) -> Result<G::Action, SearchError>;
}

impl<G: Game> Agent<G> for AgentSpec {
    fn act(&mut self, info: &InformationState<G>, seed: u64, interrupt: &Interrupt) -> Result<G::Action, SearchError> {
        let report = search::search(self, info, seed, None, interrupt)?;
        Ok(info.game.action_from_id(report.action).expect("a search reports a legal action"))
    }
}

impl<G: Game> Agent<G> for Session<G> {
    fn act(&mut self, info: &InformationState<G>, seed: u64, interrupt: &Interrupt) -> Result<G::Action, SearchError> {
        let report = self.search(info, seed, None, interrupt)?;
        Ok(info.game.action_from_id(report.action).expect("a search reports a legal action"))
    }
}

/// The seed for the decision of `player` at `ply` in a match with `seed`.
#[must_use]
pub fn agent_seed(seed: u64, player: Player, ply: u32) -> u64 {
    derive_seed(seed, "agent", (u64::from(player.0) << 32) | u64::from(ply))
}

/// Plays a new match to its end, `agents` in seat order.
///
/// # Errors
/// The first error of an agent, also if `interrupt` is set.
///
/// # Panics
/// If there are not as many agents as seats.
pub fn play_match<G: Game>(
    game: &Arc<G>,
    agents: &mut [&mut dyn Agent<G>],
    seed: u64,
    interrupt: &Interrupt,
) -> Result<Match<G>, SearchError> {
    let mut played = Match::new(Arc::clone(game), seed);
    play_on(&mut played, agents, interrupt)?;
    Ok(played)
}

/// Plays a match from where it stands to its end. After an error it stands before the decision that failed.
///
/// # Errors
/// The first error of an agent, [`SearchError::Agent`] if it chose something that is not legal, and if `interrupt` is set.
///
/// # Panics
/// If there are not as many agents as seats.
pub fn play_on<G: Game>(played: &mut Match<G>, agents: &mut [&mut dyn Agent<G>], interrupt: &Interrupt) -> Result<(), SearchError> {
    assert_eq!(agents.len(), played.game().num_players(), "one agent for each seat");
    played.resolve_chance();
    while let Some(player) = played.turn().player() {
        if interrupt.is_set() {
            return Err(SearchError::Interrupted);
        }
        let info = played.information_state(player);
        let seed = agent_seed(played.seed(), player, played.ply());
        let action = agents[player.index()].act(&info, seed, interrupt)?;
        played.play(action).map_err(|error| SearchError::Agent(Box::new(error)))?;
    }
    Ok(())
}
