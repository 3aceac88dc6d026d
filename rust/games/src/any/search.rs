//! Agents on games that are known at run time only.

use forbidden_games_core::arena::{self, Agent, agent_seed};
use forbidden_games_core::contract::Game;
use forbidden_games_core::interrupt::Interrupt;
use forbidden_games_core::match_play::Start;
use forbidden_games_core::playthrough::{self, PlaythroughError};
use forbidden_games_core::search::{self, AgentSpec, AgentSpecError, Evaluator, Report, SearchError, Session};
use serde_json::Value;

use super::{AnyGame, AnyInformation, AnyMatch};

impl AnyGame {
    /// A level replaced by the agent it stands for in this game; other agents as they are.
    ///
    /// # Errors
    /// If a setting was given that the agent behind the level does not take.
    #[inline]
    pub fn resolve(&self, spec: &AgentSpec) -> Result<AgentSpec, AgentSpecError> {
        dispatch!(AnyGame, self, game => resolve_for(&**game, spec))
    }

    /// Settings that `mcts` and `ismcts` start from in this game with so many seats, `key=value,key=value`.
    #[must_use]
    #[inline]
    pub fn search_defaults(&self) -> &'static str {
        dispatch!(AnyGame, self, game => defaults_of(&**game))
    }

    /// The lines of CONVENTIONS 7 of a match with this seed between `agents`, one for each seat, each given to `write`.
    ///
    /// # Errors
    /// If the start is refused or an agent fails, or as `write` says.
    ///
    /// # Panics
    /// If there are not as many agents as seats.
    pub fn playthrough<E: From<PlaythroughError> + From<SearchError>>(
        &self,
        start: Start,
        seed: u64,
        agents: &[AgentSpec],
        interrupt: &Interrupt,
        write: impl FnMut(String) -> Result<(), E>,
    ) -> Result<(), E> {
        assert_eq!(agents.len(), self.num_players(), "one agent for each seat");
        dispatch!(AnyGame, self, game => playthrough::playthrough(
            game,
            start,
            seed,
            |played, player| {
                let info = played.information_state(player);
                let seed = agent_seed(seed, player, played.ply());
                Ok(agents[player.index()].clone().act(&info, seed, interrupt)?)
            },
            write,
        ))
    }

    /// A report as data; actions carry their notation.
    #[must_use]
    #[inline]
    pub fn report_to_json(&self, report: &Report) -> Value {
        dispatch!(AnyGame, self, game => report.to_json(&**game))
    }
}

impl AnyMatch {
    /// Lets `agents`, one for each seat, play to the end.
    ///
    /// # Errors
    /// The first error of an agent, and if interrupted.
    ///
    /// # Panics
    /// If there are not as many agents as seats.
    #[inline]
    pub fn play_on(&mut self, agents: &[AgentSpec], interrupt: &Interrupt) -> Result<(), SearchError> {
        dispatch!(AnyMatch, self, played => {
            // Sessions, so that an agent with reuse=true keeps its tree.
            let mut agents: Vec<_> = agents.iter().map(|agent| Session::new(agent.clone())).collect();
            let mut seats: Vec<_> = agents.iter_mut().map(|agent| agent as &mut dyn Agent<_>).collect();
            arena::play_on(played, &mut seats, interrupt)
        })
    }
}

impl AnyInformation {
    /// See [`search::search`].
    ///
    /// # Errors
    /// As there.
    #[inline]
    pub fn search(
        &self,
        spec: &AgentSpec,
        seed: u64,
        evaluator: Option<&mut dyn Evaluator>,
        interrupt: &Interrupt,
    ) -> Result<Report, SearchError> {
        dispatch!(AnyInformation, self, info => search::search(spec, info, seed, evaluator, interrupt))
    }
}

fn defaults_of<G: Game>(game: &G) -> &'static str {
    G::search_defaults(game.num_players())
}

fn resolve_for<G: Game>(_game: &G, spec: &AgentSpec) -> Result<AgentSpec, AgentSpecError> {
    spec.resolve::<G>()
}

macro_rules! define_searches {
    ($(($variant:ident, $module:ident)),* $(,)?) => {
        /// What one seat keeps from one search of a match to the next (see [`Session`]).
        #[derive(Debug)]
        pub enum AnySession {
            $(#[doc = stringify!($module)] $variant(Session<crate::$module::Game>),)*
        }

        impl AnyInformation {
            /// Searches within a session, which is begun anew if there is none or it is of another game.
            ///
            /// # Errors
            /// As [`search::search`].
            #[inline]
            pub fn search_in(
                &self,
                session: &mut Option<AnySession>,
                spec: &AgentSpec,
                seed: u64,
                evaluator: Option<&mut dyn Evaluator>,
                interrupt: &Interrupt,
            ) -> Result<Report, SearchError> {
                match self {
                    $(Self::$variant(info) => {
                        let mut own = match session.take() {
                            Some(AnySession::$variant(own)) => own,
                            _ => Session::new(spec.clone()),
                        };
                        let report = own.search(info, seed, evaluator, interrupt);
                        *session = Some(AnySession::$variant(own));
                        report
                    })*
                }
            }
        }

        /// See [`search::search_batch`].
        ///
        /// # Errors
        /// As there.
        ///
        /// # Panics
        /// If the roots are not all of one game, or there are not as many seeds as roots.
        #[inline]
        pub fn search_batch(
            spec: &AgentSpec,
            roots: &[&AnyInformation],
            seeds: &[u64],
            evaluator: Option<&mut dyn Evaluator>,
            interrupt: &Interrupt,
        ) -> Result<Vec<Report>, SearchError> {
            match roots.first() {
                None => Ok(Vec::new()),
                $(Some(AnyInformation::$variant(_)) => {
                    let infos: Vec<_> = roots
                        .iter()
                        .filter_map(|root| match root {
                            AnyInformation::$variant(info) => Some(info.clone()),
                            #[allow(unreachable_patterns)]
                            _ => None,
                        })
                        .collect();
                    assert_eq!(infos.len(), roots.len(), "all roots are of one game");
                    search::search_batch(spec, &infos, seeds, evaluator, interrupt)
                })*
            }
        }
    };
}
crate::for_each_game!(define_searches);
