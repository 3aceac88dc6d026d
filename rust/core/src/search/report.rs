//! The report of a search.

use std::time::Duration;

use serde_json::{Value, json};

use crate::contract::Game;
use crate::player::Player;

/// The statistics of one legal action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActionReport {
    /// Its id.
    pub id: u32,
    /// Simulations that began with it (greedy: positions searched after it).
    pub visits: u64,
    /// Mean value for the searching seat: a return in [-1, 1] (greedy: points). It is 0 without a visit.
    pub value: f64,
    /// Its prior. Priors sum to 1.
    pub prior: f64,
}

/// The result of a search.
///
/// With a budget of simulations everything but `elapsed` repeats exactly for the same spec, knowledge and seed, for any number of
/// threads and on every platform.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The canonical spec of the agent, levels resolved.
    pub agent: String,
    /// The searching seat.
    pub player: Player,
    /// Id of the chosen action.
    pub action: u32,
    /// Every legal action, ascending by id.
    pub actions: Vec<ActionReport>,
    /// Expected return of every seat. Empty if the agent does not compute it (random, greedy).
    pub values: Vec<f64>,
    /// The principal variation, in notation: the seat's own actions, and other steps as it would see them.
    pub principal_variation: Vec<String>,
    /// Number of simulations.
    pub simulations: u64,
    /// Nodes of all trees (greedy, expectimax: positions searched).
    pub nodes: u64,
    /// The longest path from the root to a leaf, in steps.
    pub depth: u32,
    /// Bytes of all trees.
    pub memory: u64,
    /// Whether the memory limit stopped the growth of a tree (greedy, and expectimax with a single legal action: the limit of positions).
    pub truncated: bool,
    /// Duration of the search.
    pub elapsed: Duration,
}

/// The unit of a report's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueUnit {
    /// A return in [-1, 1].
    Return,
    /// Points of the game; a finished game adds a million for each whole return.
    Points,
    /// No unit: the agent evaluates no action.
    Nothing,
}

impl ValueUnit {
    /// Its name, also in JSON. `None` if no action was evaluated.
    #[must_use]
    pub const fn word(self) -> Option<&'static str> {
        match self {
            Self::Return => Some("return"),
            Self::Points => Some("points"),
            Self::Nothing => None,
        }
    }
}

impl Report {
    /// The unit of the values: points for `greedy`, none for `random`, returns for every other agent.
    #[must_use]
    pub fn value_unit(&self) -> ValueUnit {
        match self.agent.split(':').next() {
            Some("greedy") => ValueUnit::Points,
            Some("random") => ValueUnit::Nothing,
            _ => ValueUnit::Return,
        }
    }

    /// The statistics of the chosen action.
    ///
    /// # Panics
    /// Never: the chosen action is one of the legal ones.
    #[must_use]
    pub fn chosen(&self) -> &ActionReport {
        self.actions.iter().find(|action| action.id == self.action).expect("the chosen action is legal")
    }

    /// The report as JSON. Actions carry their notation.
    #[must_use]
    pub fn to_json<G: Game>(&self, game: &G) -> Value {
        let notation = |id: u32| game.action_from_id(id).map(|action| game.format_action(action));
        let actions: Vec<_> = self
            .actions
            .iter()
            .map(|action| {
                json!({
                    "action": notation(action.id), "id": action.id, "visits": action.visits,
                    "value": action.value, "prior": action.prior,
                })
            })
            .collect();
        json!({
            "agent": self.agent, "player": self.player.0, "action": notation(self.action), "id": self.action,
            "value_unit": self.value_unit().word(),
            "actions": actions, "values": self.values, "principal_variation": self.principal_variation,
            "simulations": self.simulations, "nodes": self.nodes, "depth": self.depth, "memory": self.memory,
            "truncated": self.truncated, "seconds": self.elapsed.as_secs_f64(),
        })
    }
}
