//! The rules: states, actions, outcomes, and what follows from what.

use std::fmt::Debug;
use std::hash::Hash;

use crate::error::Refusal;
use crate::event::{EventSink, NoEvents};
use crate::outcome::{Fraction, ScoreLine, returns_of_ranking};
use crate::player::{ByPlayer, Turn};
use crate::rng::Rng;

/// A decision or a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step<A, O> {
    /// A seat acts.
    Action(A),
    /// Nature draws.
    Outcome(O),
}

/// A step of game `G`.
pub type StepOf<G> = Step<<G as Rules>::Action, <G as Rules>::Outcome>;

/// The rules of one game with its players, options and components.
///
/// # Contract
/// - At a decision at least one action is legal; lists are ascending by id, without duplicates.
/// - The ids of actions (`0..num_actions`) and outcomes (`0..num_outcomes`) depend on game, players, options and components only.
/// - `Eq` and `Hash` of a state cover exactly its JSON: two states are equal if and only if their JSON is.
/// - `apply_*` trust the caller (checked with `debug_assert!`); use [`crate::contract::play`] for what comes from outside.
/// - Everything is deterministic and the same on every platform.
pub trait Rules: Clone + Debug + Send + Sync + Sized + 'static {
    /// One complete position including hidden parts.
    type State: Clone + Debug + PartialEq + Eq + Hash + Send + Sync;
    /// One atomic decision. `Ord` is the order of ids.
    type Action: Copy + Debug + PartialEq + Eq + PartialOrd + Ord + Hash + Send + Sync;
    /// One result of a draw. `Ord` is the order of ids.
    type Outcome: Copy + Debug + PartialEq + Eq + PartialOrd + Ord + Hash + Send + Sync;

    /// Number of seats.
    fn num_players(&self) -> usize;

    /// Size of the action space.
    fn num_actions(&self) -> usize;

    /// Size of the outcome space.
    fn num_outcomes(&self) -> usize;

    /// The dense id of an action.
    fn action_id(&self, action: Self::Action) -> u32;

    /// The action with this id, if it is below `num_actions`.
    fn action_from_id(&self, id: u32) -> Option<Self::Action>;

    /// The dense id of an outcome.
    fn outcome_id(&self, outcome: Self::Outcome) -> u32;

    /// The outcome with this id, if it is below `num_outcomes`.
    fn outcome_from_id(&self, id: u32) -> Option<Self::Outcome>;

    /// The ordinary start, before the set-up draws.
    fn new_state(&self) -> Self::State;

    /// Whose decision it is.
    fn turn(&self, state: &Self::State) -> Turn;

    /// The rule page's word for what is being decided; one of [`crate::contract::Info::phases`].
    fn phase(&self, state: &Self::State) -> &'static str;

    /// Decisions taken so far.
    fn ply(&self, state: &Self::State) -> u32;

    /// Appends all legal actions, ascending by id. Nothing at chance and terminal nodes.
    fn legal_actions(&self, state: &Self::State, out: &mut Vec<Self::Action>);

    /// Appends all outcomes with their positive integer weights, ascending by id. Nothing at other nodes.
    fn chance_outcomes(&self, state: &Self::State, out: &mut Vec<(Self::Outcome, u32)>);

    /// Why `action` is not legal now.
    ///
    /// # Errors
    /// If it is not legal: the rule and the reason.
    fn check_action(&self, state: &Self::State, action: Self::Action) -> Result<(), Refusal>;

    /// Applies a legal action and reports what happened.
    fn apply_action<E: EventSink>(&self, state: &mut Self::State, action: Self::Action, events: &mut E);

    /// Applies a possible outcome and reports what happened.
    fn apply_outcome<E: EventSink>(&self, state: &mut Self::State, outcome: Self::Outcome, events: &mut E);

    /// Points so far, at the end the final ones.
    fn scores(&self, state: &Self::State) -> ByPlayer<i32>;

    /// Places at a terminal node, 1 is first (CONVENTIONS 5). Other nodes: anything, not shown.
    fn ranking(&self, state: &Self::State) -> ByPlayer<u8>;

    // ---- Provided -------------------------------------------------------------------------------------------------------

    /// Number of legal actions: the length of [`Rules::legal_actions`].
    fn num_legal(&self, state: &Self::State) -> usize {
        let mut actions = Vec::new();
        self.legal_actions(state, &mut actions);
        actions.len()
    }

    /// The legal action at `index` of [`Rules::legal_actions`], if there are so many.
    fn nth_legal(&self, state: &Self::State, index: usize) -> Option<Self::Action> {
        let mut actions = Vec::new();
        self.legal_actions(state, &mut actions);
        actions.get(index).copied()
    }

    /// Calls `take` with the id of each legal action, ascending: the ids of [`Rules::legal_actions`].
    fn for_each_legal_id(&self, state: &Self::State, mut take: impl FnMut(u32)) {
        let mut actions = Vec::new();
        self.legal_actions(state, &mut actions);
        actions.into_iter().for_each(|action| take(self.action_id(action)));
    }

    /// Whether `action` is in [`Rules::legal_actions`]: whether [`Rules::check_action`] accepts it.
    fn is_legal(&self, state: &Self::State, action: Self::Action) -> bool {
        self.check_action(state, action).is_ok()
    }

    /// `legal[rng.below(legal.len())]`, exactly that action, with one draw; override to find it without the list. `scratch` is
    /// cleared and may be used.
    fn sample_action(&self, state: &Self::State, rng: &mut Rng, scratch: &mut Vec<Self::Action>) -> Self::Action {
        scratch.clear();
        self.legal_actions(state, scratch);
        scratch[rng.below(scratch.len() as u32) as usize]
    }

    /// The outcome in whose cumulative weight `rng.below(total)` falls, in id order, with one draw; override for speed with the
    /// same result.
    fn sample_outcome(&self, state: &Self::State, rng: &mut Rng, scratch: &mut Vec<(Self::Outcome, u32)>) -> Self::Outcome {
        scratch.clear();
        self.chance_outcomes(state, scratch);
        let total = scratch.iter().map(|(_, weight)| weight).sum();
        let mut drawn = rng.below(total);
        for &(outcome, weight) in scratch.iter() {
            if drawn < weight {
                return outcome;
            }
            drawn -= weight;
        }
        unreachable!("the draw is below the total")
    }

    /// Why `outcome` cannot be drawn now: refused unless [`Rules::chance_outcomes`] lists it.
    ///
    /// # Errors
    /// If it cannot.
    fn check_outcome(&self, state: &Self::State, outcome: Self::Outcome) -> Result<(), Refusal> {
        let mut outcomes = Vec::new();
        self.chance_outcomes(state, &mut outcomes);
        if outcomes.iter().any(|&(possible, _)| possible == outcome) {
            Ok(())
        } else if outcomes.is_empty() {
            Err(Refusal::new("CONVENTIONS 2", "this is no chance node"))
        } else {
            Err(Refusal::new("CONVENTIONS 2", "none of it is left to be drawn"))
        }
    }

    /// Why a step cannot be taken now.
    ///
    /// # Errors
    /// If it cannot: the rule and the reason.
    fn check(&self, state: &Self::State, step: StepOf<Self>) -> Result<(), Refusal> {
        match step {
            Step::Action(action) => self.check_action(state, action),
            Step::Outcome(outcome) => self.check_outcome(state, outcome),
        }
    }

    /// Applies a step without checks or events.
    fn apply(&self, state: &mut Self::State, step: StepOf<Self>) {
        match step {
            Step::Action(action) => self.apply_action(state, action, &mut NoEvents),
            Step::Outcome(outcome) => self.apply_outcome(state, outcome, &mut NoEvents),
        }
    }

    /// Whether the game has ended.
    fn is_terminal(&self, state: &Self::State) -> bool {
        self.turn(state) == Turn::Over
    }

    /// The scores line by line, adding up to [`Rules::scores`] at terminal nodes (before: to what is scored so far).
    fn score_sheet(&self, state: &Self::State) -> Vec<ScoreLine> {
        vec![ScoreLine { item: "score", rule: "CONVENTIONS 5", points: self.scores(state) }]
    }

    /// Returns at a terminal node, exact.
    fn exact_returns(&self, state: &Self::State) -> ByPlayer<Fraction> {
        returns_of_ranking(&self.ranking(state))
    }

    /// Returns at a terminal node, in [-1, 1]: [`Rules::exact_returns`] as numbers.
    fn returns(&self, state: &Self::State) -> ByPlayer<f32> {
        self.exact_returns(state).into_iter().map(Fraction::to_f32).collect()
    }

    /// What each seat adds to its total in a series (lowest total wins), if the rules have a series.
    fn series_total(&self, _state: &Self::State) -> Option<ByPlayer<i32>> {
        None
    }
}
