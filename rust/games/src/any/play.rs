//! Matches.

use forbidden_games_core::arena::{self, Agent};
use forbidden_games_core::contract::{Game, Step};
use forbidden_games_core::error::OptionsError;
use forbidden_games_core::event::Event;
use forbidden_games_core::interrupt::Interrupt;
use forbidden_games_core::match_play::Match;
use forbidden_games_core::player::Player;
use forbidden_games_core::record::Record;
use forbidden_games_core::search::{AgentSpec, SearchError, Session};
use forbidden_games_core::start::Start;

use super::objects::{AnyInformation, AnyLegal, AnyMatch, MatchObject, StateObject};
use super::step::read_step;
use super::step::{AnyStep, StepError};

/// As long as no more actions than these were legal, they are listed at once: it costs less than a copy of the state, and what is
/// listed is not checked again when it is played.
const FEW: usize = 40;

impl<G: Game> MatchObject for Match<G> {
    fn boxed(&self) -> AnyMatch {
        Box::new(self.clone())
    }

    fn position(&self) -> &dyn StateObject {
        self.position()
    }

    fn legal_actions(&mut self) -> AnyLegal {
        if self.num_legal_before() > FEW {
            let count = self.count_actions();
            return AnyLegal::State(self.position().boxed(), count);
        }
        AnyLegal::Ids(self.list_legal_ids().to_vec())
    }

    fn seed(&self) -> u64 {
        self.seed()
    }

    fn start(&self) -> Start {
        self.start().clone()
    }

    fn seats(&self) -> Vec<String> {
        self.seats()
    }

    fn set_seats(&mut self, seats: Vec<String>) -> Result<(), OptionsError> {
        self.set_seats(seats)
    }

    fn play(&mut self, step: AnyStep<'_>, resolve: bool) -> Result<(), StepError> {
        let step = read_step(&**self.game(), self.state(), step)?;
        self.play_step(step)?;
        if resolve {
            self.resolve_chance();
        }
        Ok(())
    }

    fn resolve_chance(&mut self) {
        self.resolve_chance();
    }

    fn undo(&mut self, player: Option<Player>) -> bool {
        self.undo(player)
    }

    fn events(&self) -> Vec<Event> {
        self.events()
    }

    fn events_from(&self, step: usize) -> Vec<Event> {
        self.events_from(step)
    }

    fn history(&self) -> Vec<Step<u32, u32>> {
        let game = self.game();
        let by_id = |step: &_| match *step {
            Step::Action(action) => Step::Action(game.action_id(action)),
            Step::Outcome(outcome) => Step::Outcome(game.outcome_id(outcome)),
        };
        self.history().iter().map(by_id).collect()
    }

    fn last_action(&self) -> Option<u32> {
        self.last_action().map(|action| self.game().action_id(action))
    }

    fn information(&self, player: Player) -> AnyInformation {
        Box::new(self.information_state(player))
    }

    fn record(&self) -> Record {
        self.record()
    }

    fn play_on(&mut self, agents: &[AgentSpec], interrupt: &Interrupt) -> Result<(), SearchError> {
        // Sessions, so that an agent with reuse=true keeps its tree.
        let mut agents: Vec<_> = agents.iter().map(|agent| Session::new(agent.clone())).collect();
        let mut seats: Vec<_> = agents.iter_mut().map(|agent| agent as &mut dyn Agent<_>).collect();
        arena::play_on(self, &mut seats, interrupt)
    }
}

impl Clone for AnyMatch {
    fn clone(&self) -> Self {
        (**self).boxed()
    }
}
