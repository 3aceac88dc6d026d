//! Plain values that the traits of this folder take and give.

use std::any::Any;

use forbidden_games_core::contract::Step;
use forbidden_games_core::playthrough::PlaythroughError;
use forbidden_games_core::search::SearchError;
use forbidden_games_core::start::Start;

/// How an observation is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    /// Ids of the actions whose targets are marked.
    pub legal: &'a [u32],
    /// Id of the last action, marked.
    pub last: Option<u32>,
    /// Columns to stay within; raised to 60 if less.
    pub width: usize,
    /// Where to look.
    pub focus: Option<&'a str>,
    /// Whether to add ANSI colours.
    pub color: bool,
    /// Whether to keep to ASCII.
    pub ascii: bool,
}

/// Why a playthrough ended early.
#[derive(Debug, thiserror::Error)]
pub enum Stopped {
    /// The start was refused.
    #[error(transparent)]
    Playthrough(#[from] PlaythroughError),
    /// An agent failed.
    #[error(transparent)]
    Search(#[from] SearchError),
}

/// A game of which positions are wanted.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// Where it began.
    pub start: Start,
    /// The seed of its luck.
    pub seed: u64,
    /// Ids of its steps in order.
    pub steps: Vec<Step<u32, u32>>,
    /// Whether the steps are actions alone, between which luck decides.
    pub has_luck: bool,
    /// After how many actions a position is wanted, ascending; at most all of them.
    pub plies: Vec<u32>,
}

impl Replayed {
    /// Number of actions.
    #[must_use]
    pub fn num_actions(&self) -> usize {
        self.steps.iter().filter(|step| matches!(step, Step::Action(_))).count()
    }
}

/// What one seat keeps from one search of a match to the next (see [`forbidden_games_core::search::Session`]).
#[derive(Debug)]
pub struct AnySession(pub(super) Box<dyn Any + Send>);

/// What takes ids one by one.
pub type Ids<'a> = dyn FnMut(u32) + 'a;
