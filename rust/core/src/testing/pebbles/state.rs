//! States (PB-3): what lies on the table, in the pile and in the hands.

use arrayvec::ArrayVec;

use crate::named_enum;
use crate::player::{ByPlayer, Player, Turn};

use super::components::Counts;
use super::options::MAX_COLUMNS;

/// Height at which a column is full.
pub(super) const FULL: usize = 3;

/// Pebbles in a full hand.
pub(super) const HAND: usize = 2;

named_enum! {
    /// Named parts of a turn.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Phase {
        /// The set-up draws.
        Deal = "deal",
        /// A seat drops a pebble.
        Drop = "drop",
        /// The same seat claims or leaves a full column.
        Claim = "claim",
        /// The same seat draws.
        Draw = "draw",
        /// Over.
        End = "end",
    }
}

/// A column, bottom pebble first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Column {
    /// Kinds.
    pub pebbles: ArrayVec<u8, FULL>,
    /// Left while full: nothing can be dropped there any more.
    pub closed: bool,
}

/// What everybody sees.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Public {
    /// Decisions so far.
    pub ply: u32,
    /// What is decided or drawn.
    pub phase: Phase,
    /// The seat that decides or draws; seat 0 at the end.
    pub player: Player,
    /// The row.
    pub columns: ArrayVec<Column, MAX_COLUMNS>,
    /// Pebbles that left the game.
    pub gone: Counts,
    /// Points.
    pub scores: ByPlayer<i32>,
}

/// A whole position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// What everybody sees.
    pub public: Public,
    /// What is left to draw.
    pub pile: Counts,
    /// Hands by seat.
    pub hands: ByPlayer<Counts>,
}

impl Public {
    /// Whose decision it is.
    pub(super) fn turn(&self) -> Turn {
        match self.phase {
            Phase::Deal | Phase::Draw => Turn::Chance,
            Phase::Drop | Phase::Claim => Turn::Player(self.player),
            Phase::End => Turn::Over,
        }
    }

    /// The column to claim or leave.
    pub(super) fn full_column(&self) -> Option<usize> {
        self.columns.iter().position(|column| column.pebbles.len() == FULL && !column.closed)
    }
}

impl State {
    /// Whether no hand has a pebble.
    pub(super) fn all_hands_empty(&self) -> bool {
        self.hands.iter().all(|hand| size(hand) == 0)
    }
}

/// Number of pebbles.
pub(super) fn size(counts: &Counts) -> usize {
    counts.iter().map(|&count| usize::from(count)).sum()
}
