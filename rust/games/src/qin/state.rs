//! A position of Qin, and what one seat sees of it.

use std::fmt;

use forbidden_games_core::player::{MAX_PLAYERS, Player, Turn};

use super::board::Board;
use super::tiles::Kind;

/// Tiles a hand can hold.
pub(super) const HAND: u8 = 3;

/// How many tiles of each kind.
pub(super) type Counts = [u8; Kind::COUNT];

/// The kind in whose cumulative count `drawn` falls.
#[inline]
pub(super) fn kind_drawn(counts: &Counts, mut drawn: u32) -> Kind {
    for kind in Kind::all() {
        let count = u32::from(counts[kind.index()]);
        if drawn < count {
            return kind;
        }
        drawn -= count;
    }
    unreachable!("the draw is below the total")
}

/// A hand: a multiset of kinds, as counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Hand(pub(super) Counts);

impl Hand {
    #[inline(always)]
    pub(super) const fn count(self, kind: Kind) -> u8 {
        self.0[kind.index()]
    }

    pub(super) fn len(self) -> u8 {
        self.0.iter().sum()
    }

    /// The kinds, sorted, repeated as often as held.
    pub(super) fn kinds(self) -> impl Iterator<Item = Kind> {
        Kind::all().flat_map(move |kind| std::iter::repeat_n(kind, usize::from(self.count(kind))))
    }
}

impl fmt::Display for Hand {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.kinds().map(Kind::name).collect();
        formatter.write_str(&names.join(" "))
    }
}

/// How a game ended (QN-7.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum End {
    Pagodas,
    Tiles,
    Board,
    Passes,
}

impl End {
    pub(super) const NAMES: [&'static str; 4] = ["pagodas", "tiles", "board", "passes"];
    pub(super) const ALL: [Self; 4] = [Self::Pagodas, Self::Tiles, Self::Board, Self::Passes];

    pub(super) const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

/// What is being decided (QN-6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Phase {
    Deal,
    Place,
    Draw,
    Over(End),
}

impl Phase {
    pub(super) const NAMES: [&'static str; 4] = ["deal", "place", "draw", "over"];

    pub(super) const fn index(self) -> usize {
        match self {
            Self::Deal => 0,
            Self::Place => 1,
            Self::Draw => 2,
            Self::Over(_) => 3,
        }
    }
}

/// What every seat knows (QN-8.1).
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Public {
    pub(super) board: Board,
    pub(super) ply: u32,
    pub(super) phase: Phase,
    /// The seat to decide or to draw; 0 at the end.
    pub(super) seat: u8,
    pub(super) passes: u8,
    /// By seat, 0 beyond the players.
    pub(super) supply: [u8; MAX_PLAYERS],
    pub(super) hand_sizes: [u8; MAX_PLAYERS],
    /// Tiles on the board by kind.
    pub(super) laid: Counts,
}

impl Clone for Public {
    fn clone(&self) -> Self {
        Self { board: self.board.clone(), ..*self }
    }

    /// Keeps the heap block of the board.
    fn clone_from(&mut self, source: &Self) {
        let Self { board, ply, phase, seat, passes, supply, hand_sizes, laid } = self;
        board.clone_from(&source.board);
        (*ply, *phase, *seat, *passes) = (source.ply, source.phase, source.seat, source.passes);
        (*supply, *hand_sizes, *laid) = (source.supply, source.hand_sizes, source.laid);
    }
}

impl Public {
    #[inline]
    pub(super) fn turn(&self) -> Turn {
        match self.phase {
            Phase::Deal | Phase::Draw => Turn::Chance,
            Phase::Place => Turn::Player(Player(self.seat)),
            Phase::Over(_) => Turn::Over,
        }
    }

    /// The seat that draws at a chance node.
    pub(super) fn drawer(&self) -> Option<u8> {
        matches!(self.phase, Phase::Deal | Phase::Draw).then_some(self.seat)
    }
}

/// A position of Qin. At most 1 KiB, inline, on boards up to 13 x 13; one heap block on larger ones.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) public: Public,
    /// By seat, empty beyond the players.
    pub(super) hands: [Hand; MAX_PLAYERS],
    /// Tiles not yet drawn.
    pub(super) pile: Counts,
}

/// What one seat sees of a position (QN-8.2). It holds no other hand and no pile.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Observation {
    pub(super) public: Public,
    pub(super) viewer: Player,
    pub(super) hand: Hand,
}
