//! What a search found.

use std::time::Duration;

use serde_json::{Value, json};

use crate::contract::Game;
use crate::player::Player;

/// One legal action as the search sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActionReport {
    /// Its id.
    pub id: u32,
    /// Simulations that began with it (greedy: positions looked at behind it).
    pub visits: u64,
    /// What the searching seat can expect: a return in [-1, 1] (greedy: points); 0 without a visit.
    pub value: f64,
    /// Its prior; they sum to 1.
    pub prior: f64,
}

/// The result of a search.
///
/// With a budget of simulations everything but `elapsed` repeats exactly for the same spec, knowledge and seed, for any number of
/// threads and on every platform.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The agent in full, levels resolved.
    pub agent: String,
    /// The searching seat.
    pub player: Player,
    /// Id of the chosen action.
    pub action: u32,
    /// Every legal action, ascending by id.
    pub actions: Vec<ActionReport>,
    /// What every seat can expect, a return each; empty if the agent does not know (random, greedy).
    pub values: Vec<f64>,
    /// The line the search expects, in notation: the seat's own steps as played, others as it would see them.
    pub principal_variation: Vec<String>,
    /// Simulations made.
    pub simulations: u64,
    /// Nodes of all trees (greedy, expectimax: positions looked at).
    pub nodes: u64,
    /// Longest way from the root to a leaf, in steps.
    pub depth: u32,
    /// Bytes of all trees.
    pub memory: u64,
    /// Whether the memory limit stopped the growth (greedy, and expectimax with a single legal action: the limit of positions).
    pub truncated: bool,
    /// Time it took.
    pub elapsed: Duration,
}

/// What the values of a search count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueUnit {
    /// A return in [-1, 1].
    Return,
    /// Points of the game; a finished game adds a million for each whole return.
    Points,
    /// Nothing: the agent judges no action.
    Nothing,
}

impl ValueUnit {
    /// The word for it, also in JSON; `None` if nothing was judged.
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
    /// What the values count: `greedy` judges in points of the game, `random` not at all, every other agent in returns.
    #[must_use]
    pub fn value_unit(&self) -> ValueUnit {
        match self.agent.split(':').next() {
            Some("greedy") => ValueUnit::Points,
            Some("random") => ValueUnit::Nothing,
            _ => ValueUnit::Return,
        }
    }

    /// What is known of the chosen action.
    ///
    /// # Panics
    /// Never: the chosen action is one of the legal ones.
    #[must_use]
    pub fn chosen(&self) -> &ActionReport {
        self.actions.iter().find(|action| action.id == self.action).expect("the chosen action is legal")
    }

    /// The same as data; actions carry their notation.
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
