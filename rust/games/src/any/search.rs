//! Agents on games that are known at run time only.

use std::any::Any;
use std::sync::Arc;

use super::objects::InformationObject;
use super::values::{AnySession, Stopped};
use forbidden_games_core::arena::{Agent, agent_seed};
use forbidden_games_core::contract::Game;
use forbidden_games_core::information::InformationState;
use forbidden_games_core::interrupt::Interrupt;
use forbidden_games_core::playthrough::{self};
use forbidden_games_core::search::{self, AgentSpec, Evaluator, Report, SearchError, Session};
use forbidden_games_core::start::Start;

pub(super) fn playthrough<G: Game>(
    game: &Arc<G>,
    start: Start,
    seed: u64,
    agents: &[AgentSpec],
    interrupt: &Interrupt,
    write: &mut dyn FnMut(String),
) -> Result<(), Stopped> {
    assert_eq!(agents.len(), game.num_players(), "one agent for each seat");
    playthrough::playthrough(
        game,
        start,
        seed,
        |played, player| {
            let info = played.information_state(player);
            let seed = agent_seed(seed, player, played.ply());
            Ok(agents[player.index()].clone().act(&info, seed, interrupt)?)
        },
        |line| {
            write(line);
            Ok(())
        },
    )
}

pub(super) fn search_in<G: Game>(
    info: &InformationState<G>,
    session: &mut Option<AnySession>,
    spec: &AgentSpec,
    seed: u64,
    evaluator: Option<&mut dyn Evaluator>,
    interrupt: &Interrupt,
) -> Result<Report, SearchError> {
    let kept = session.take().and_then(|kept| kept.0.downcast::<Session<G>>().ok());
    let mut own = kept.unwrap_or_else(|| Box::new(Session::new(spec.clone())));
    let report = own.search(info, seed, evaluator, interrupt);
    *session = Some(AnySession(own));
    report
}

pub(super) fn search_all<G: Game>(
    spec: &AgentSpec,
    roots: &[&dyn InformationObject],
    seeds: &[u64],
    evaluator: Option<&mut dyn Evaluator>,
    interrupt: &Interrupt,
) -> Result<Vec<Report>, SearchError> {
    let own = |root: &&dyn InformationObject| (*root as &dyn Any).downcast_ref::<InformationState<G>>().cloned();
    let infos: Vec<_> = roots.iter().filter_map(own).collect();
    assert_eq!(infos.len(), roots.len(), "all roots are of one game");
    search::search_batch(spec, &infos, seeds, evaluator, interrupt)
}

/// See [`search::search_batch`].
///
/// # Errors
/// As there.
///
/// # Panics
/// If the roots are not all of one game, or there are not as many seeds as roots.
pub fn search_batch(
    spec: &AgentSpec,
    roots: &[&dyn InformationObject],
    seeds: &[u64],
    evaluator: Option<&mut dyn Evaluator>,
    interrupt: &Interrupt,
) -> Result<Vec<Report>, SearchError> {
    match roots.first() {
        None => Ok(Vec::new()),
        Some(first) => first.search_batch(spec, roots, seeds, evaluator, interrupt),
    }
}
