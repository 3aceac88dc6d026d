//! Matches between agents. Luck comes from the match seed alone, an agent's randomness from (seed, seat, ply): the same seed with
//! other seats at the table is the same luck, which is what paired tournaments need.

use std::sync::Arc;

use crate::event::NoEvents;
use crate::game::{Game, Observed, Step, StepOf};
use crate::information::InformationState;
use crate::interrupt::Interrupt;
use crate::player::{ByPlayer, Player, Turn};
use crate::rng::{Rng, derive_seed};
use crate::search::{self, AgentSpec, SearchError};

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

/// A match that has been played to its end.
#[derive(Clone, Debug)]
pub struct MatchResult<G: Game> {
    /// The seed of its luck.
    pub seed: u64,
    /// Every decision and draw in order.
    pub steps: Vec<StepOf<G>>,
    /// The final state.
    pub state: G::State,
    /// Final points.
    pub scores: ByPlayer<i32>,
    /// Places, 1 is first.
    pub ranking: ByPlayer<u8>,
    /// Returns in [-1, 1].
    pub returns: ByPlayer<f32>,
}

/// The seed for the decision of `player` at `ply` in a match with `seed`.
#[must_use]
pub fn agent_seed(seed: u64, player: Player, ply: u32) -> u64 {
    derive_seed(seed, "agent", u64::from(player.0) << 32 | u64::from(ply))
}

/// Plays a match from the ordinary start, `agents` in seat order.
///
/// # Errors
/// The first error of an agent, also if `interrupt` is set.
///
/// # Panics
/// If there are not as many agents as seats, or an agent returns an action that is not legal.
pub fn play_match<G: Game>(
    game: &Arc<G>,
    agents: &mut [&mut dyn Agent<G>],
    seed: u64,
    interrupt: &Interrupt,
) -> Result<MatchResult<G>, SearchError> {
    assert_eq!(agents.len(), game.num_players(), "one agent for each seat");
    let mut state = game.new_state();
    let mut steps = Vec::new();
    let mut histories: Vec<Vec<Observed>> = vec![Vec::new(); agents.len()];
    let mut draws = 0;
    let mut outcomes = Vec::new();
    loop {
        let step = match game.turn(&state) {
            Turn::Over => break,
            Turn::Chance => {
                draws += 1;
                Step::Outcome(game.sample_outcome(&state, &mut Rng::stream(seed, "chance", draws - 1), &mut outcomes))
            }
            Turn::Player(player) => {
                let history = std::mem::take(&mut histories[player.index()]);
                let mut info = InformationState::with_history(game, &state, player, history);
                let action = agents[player.index()].act(&info, agent_seed(seed, player, game.ply(&state)), interrupt)?;
                assert!(info.legal_actions.contains(&action), "seat {player} chose {action:?}, which is not legal");
                histories[player.index()] = std::mem::take(&mut info.history);
                Step::Action(action)
            }
        };
        for viewer in Player::all(agents.len()) {
            histories[viewer.index()].push(game.observed(&state, step, viewer));
        }
        match step {
            Step::Action(action) => game.apply_action(&mut state, action, &mut NoEvents),
            Step::Outcome(outcome) => game.apply_outcome(&mut state, outcome, &mut NoEvents),
        }
        steps.push(step);
    }
    Ok(MatchResult {
        seed,
        steps,
        scores: game.scores(&state),
        ranking: game.ranking(&state),
        returns: game.returns(&state),
        state,
    })
}
