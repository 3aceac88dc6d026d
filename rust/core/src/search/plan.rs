//! What all simulations of one search share.

use std::sync::OnceLock;
use std::time::Instant;

use crate::contract::{Game, Step, StepOf};
use crate::interrupt::Interrupt;
use crate::player::Player;
use crate::rng::Rng;
use crate::search::judge::Judge;
use crate::search::kind::AgentKind;
use crate::search::rollout;
use crate::search::settings::Settings;

/// Marks the keys of outcomes where keys are ids, so that they differ from the keys of actions.
const OUTCOME: u64 = 1 << 40;

/// What an edge is keyed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EdgeKey {
    /// The step itself: the tree of one complete position.
    Step,
    /// What this seat observes of the step: the tree of an information state.
    Observed(Player),
}

impl EdgeKey {
    /// The key of `step` taken at `before`.
    pub(crate) fn of<G: Game>(self, game: &G, before: &G::State, step: StepOf<G>) -> u64 {
        match (self, step) {
            (Self::Observed(seat), step) => game.observed(before, step, seat).0,
            (Self::Step, Step::Action(action)) => u64::from(game.action_id(action)),
            (Self::Step, Step::Outcome(outcome)) => u64::from(game.outcome_id(outcome)) | OUTCOME,
        }
    }
}

#[derive(Debug)]
pub(crate) struct Plan<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) judge: &'a dyn Judge<G>,
    pub(crate) settings: &'a Settings,
    /// What the searching seat sees.
    pub(crate) observation: &'a G::Observation,
    /// The searching seat.
    pub(crate) player: Player,
    pub(crate) root_actions: &'a [G::Action],
    /// Priors of `root_actions`, computed when a tree first asks for them.
    pub(crate) root_priors: OnceLock<Vec<f32>>,
    pub(crate) edge_key: EdgeKey,
    /// Whether an evaluator gives priors and values.
    pub(crate) has_evaluator: bool,
    pub(crate) deadline: Option<Instant>,
    pub(crate) interrupt: &'a Interrupt,
}

impl<G: Game> Plan<'_, G> {
    /// Whether the edges of a node where `player` decides are exactly the legal actions. That is so in a complete position, and at
    /// nodes of the searching seat, whose hand is the same in all worlds.
    pub(crate) fn edges_are_legal_actions(&self, player: Player) -> bool {
        match self.edge_key {
            EdgeKey::Step => true,
            EdgeKey::Observed(seat) => seat == player,
        }
    }

    /// Whether priors come from the game's evaluation.
    pub(crate) fn has_evaluated_priors(&self) -> bool {
        self.settings.prior_by_evaluation && self.settings.kind != AgentKind::Flat && !self.has_evaluator
    }

    /// Priors of the actions at the root. They come from the full evaluation of the position after each action, results of finished
    /// games first. All trees share them, because the evaluation sees nothing hidden. With a time limit they may take a quarter of
    /// the time; when they would take longer, the quicker estimate is used.
    pub(crate) fn root_priors(&self) -> &[f32] {
        self.root_priors.get_or_init(|| {
            let Self { game, judge, player, root_actions, .. } = *self;
            let start = Instant::now();
            let state = game.sample_world(self.observation, &mut Rng::stream(0, "priors", 0));
            let mut values = Vec::with_capacity(root_actions.len());
            for actions in root_actions.chunks(8) {
                judge.values_after_each(game, &state, player, actions, &mut values);
                let expected = start.elapsed().mul_f64(root_actions.len() as f64 / values.len() as f64);
                if self.interrupt.is_set() || self.settings.time.is_some_and(|time| expected > time / 4) {
                    values.clear();
                    judge.look(game, &state, player, root_actions, &mut G::Cache::default(), &mut values);
                    break;
                }
            }
            let mut priors = Vec::new();
            rollout::softmax_priors(&mut values, self.settings.temperature, &mut priors);
            priors
        })
    }

    pub(crate) fn is_out_of_time(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}
