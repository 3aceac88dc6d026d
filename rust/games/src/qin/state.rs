//! A position of Qin, and what one seat sees of it.

use std::fmt;

use forbidden_games_core::player::{MAX_PLAYERS, Player, Turn};

use super::actions::Kind;
use super::table::Field;

/// Tiles a hand can hold.
pub(super) const HAND: u8 = 3;

/// How many tiles of each kind.
pub(super) type Counts = [u8; Kind::COUNT];

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
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Public {
    pub(super) field: Field,
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
