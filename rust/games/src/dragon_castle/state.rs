//! A position. Everything is inline for castles of up to 96 squares and realms of up to 120 squares in all; larger ones take heap
//! blocks. Fields marked as kept are functions of the others, so that derived equality is equality of the state JSON.

use std::ops::{Deref, DerefMut};

use super::cards::{CardSet, Spirit, Window};
use super::squares::CastleMask;

/// A list whose length is fixed by the game: inline up to `N` entries (the rest holds defaults), else one heap block.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Cells<T, const N: usize> {
    Inline([T; N]),
    Heap(Box<[T]>),
}

impl<T: Copy + Default, const N: usize> Cells<T, N> {
    pub(super) fn new(len: usize) -> Self {
        if len <= N { Self::Inline([T::default(); N]) } else { Self::Heap(vec![T::default(); len].into()) }
    }
}

impl<T, const N: usize> Deref for Cells<T, N> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match self {
            Self::Inline(cells) => cells,
            Self::Heap(cells) => cells,
        }
    }
}

impl<T, const N: usize> DerefMut for Cells<T, N> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        match self {
            Self::Inline(cells) => cells,
            Self::Heap(cells) => cells,
        }
    }
}

/// A castle square: height in the low 4 bits, above them the symbol of the top + 1, or 0 if it is not revealed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Stack(u16);

impl Stack {
    pub(super) const fn new(height: u8, symbol: Option<u16>) -> Self {
        match symbol {
            Some(symbol) => Self(height as u16 | (symbol + 1) << 4),
            None => Self(height as u16),
        }
    }

    /// As one number.
    #[inline]
    pub(super) const fn bits(self) -> u16 {
        self.0
    }

    /// What [`Stack::bits`] gave.
    #[inline]
    pub(super) const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    #[inline]
    pub(super) const fn height(self) -> u8 {
        (self.0 & 15) as u8
    }

    /// Symbol of the top, if there is one and it is revealed.
    #[inline]
    pub(super) const fn symbol(self) -> Option<u16> {
        (self.0 >> 4).checked_sub(1)
    }

    /// Whether it shows exactly `symbol`.
    #[inline]
    pub(super) const fn shows(self, symbol: u16) -> bool {
        self.0 >> 4 == symbol + 1
    }
}

/// A square of a realm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct RealmStack {
    /// Number of tiles.
    pub(super) height: u16,
    /// Face-up top symbol + 1; 0 if the top is face down or there is none.
    pub(super) top: u16,
}

/// Phases in the order of the table DC-6.2; the index is that of [`PHASES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub(super) enum Phase {
    SetupTile,
    SetupDragon,
    SetupSpirit,
    Turn,
    Reveal,
    Second,
    Place,
    Settle,
    Consolidate,
    Build,
    End,
    Beauty,
    Change,
    Mirror,
    WindFlip,
    WindFrom,
    WindTo,
    StrengthLift,
    StrengthDrop,
    Terminal,
}

/// Names of the phases.
pub(super) const PHASES: &[&str] = &[
    "setup_tile",
    "setup_dragon",
    "setup_spirit",
    "turn",
    "reveal",
    "second",
    "place",
    "settle",
    "consolidate",
    "build",
    "end",
    "beauty",
    "change",
    "mirror",
    "wind_flip",
    "wind_from",
    "wind_to",
    "strength_lift",
    "strength_drop",
    "terminal",
];

impl Phase {
    const ALL: [Self; 20] = [
        Self::SetupTile,
        Self::SetupDragon,
        Self::SetupSpirit,
        Self::Turn,
        Self::Reveal,
        Self::Second,
        Self::Place,
        Self::Settle,
        Self::Consolidate,
        Self::Build,
        Self::End,
        Self::Beauty,
        Self::Change,
        Self::Mirror,
        Self::WindFlip,
        Self::WindFrom,
        Self::WindTo,
        Self::StrengthLift,
        Self::StrengthDrop,
        Self::Terminal,
    ];

    pub(super) const COUNT: usize = Self::ALL.len();

    pub(super) const fn from_index(index: usize) -> Self {
        Self::ALL[index]
    }

    pub(super) const fn name(self) -> &'static str {
        PHASES[self as usize]
    }

    pub(super) const fn is_setup(self) -> bool {
        matches!(self, Self::SetupTile | Self::SetupDragon | Self::SetupSpirit)
    }

    pub(super) const fn is_chance(self) -> bool {
        self.is_setup() || matches!(self, Self::Reveal)
    }

    /// Whether it belongs to the effect of a realm card (DC-6.4).
    pub(super) const fn is_follow_up(self) -> bool {
        self.card().is_some()
    }

    /// The realm card whose effect it belongs to.
    pub(super) const fn card(self) -> Option<Spirit> {
        Some(match self {
            Self::Beauty => Spirit::Beauty,
            Self::Change => Spirit::Change,
            Self::Mirror => Spirit::Mirror,
            Self::WindFlip | Self::WindFrom | Self::WindTo => Spirit::Wind,
            Self::StrengthLift | Self::StrengthDrop => Spirit::Strength,
            _ => return None,
        })
    }

    /// The window of the same name.
    pub(super) const fn window(self) -> Option<Window> {
        Some(match self {
            Self::Turn => Window::Turn,
            Self::Second => Window::Second,
            Self::Settle => Window::Settle,
            Self::Build => Window::Build,
            Self::End => Window::End,
            _ => return None,
        })
    }
}

/// The first pick of a turn: its square, and the floor it lay on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct FirstPick {
    pub(super) square: u8,
    pub(super) floor: u8,
}

/// Picked tiles not yet placed, in the order picked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Hand {
    symbols: [u16; 2],
    len: u8,
}

impl Hand {
    pub(super) fn as_slice(&self) -> &[u16] {
        &self.symbols[..usize::from(self.len)]
    }

    pub(super) const fn len(&self) -> usize {
        self.len as usize
    }

    pub(super) fn push(&mut self, symbol: u16) {
        self.symbols[usize::from(self.len)] = symbol;
        self.len += 1;
    }

    /// Takes the tile picked first.
    pub(super) fn take_first(&mut self) -> u16 {
        let symbol = self.symbols[0];
        self.symbols = [self.symbols[1], 0];
        self.len -= 1;
        symbol
    }

    /// Whether both tiles show one symbol (DC-5.9).
    pub(super) const fn is_twins(&self) -> bool {
        self.len == 2 && self.symbols[0] == self.symbols[1]
    }
}

/// A tile in the air: the square it came from and its top (symbol + 1, or 0 face down).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Lifted {
    pub(super) square: u8,
    pub(super) top: u16,
}

/// What belongs to the turn alone (DC-9.2); the default is the start of a turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct TurnState {
    pub(super) seat: u8,
    pub(super) used: CardSet,
    pub(super) elegance: bool,
    pub(super) bound: Option<Spirit>,
    pub(super) first: Option<FirstPick>,
    pub(super) hand: Hand,
    pub(super) after: Option<u8>,
    /// Squares of all sets waiting.
    pub(super) pending: u64,
    pub(super) set: u64,
    pub(super) builds: u8,
    pub(super) must: bool,
    pub(super) resume: Option<Window>,
    pub(super) lifted: Option<Lifted>,
    pub(super) moved: Option<u8>,
    pub(super) from: Option<u8>,
}

/// One realm as sets of squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct RealmMasks {
    /// Squares with at least one tile. Kept.
    pub(super) stacks: u64,
    /// Squares whose top is face up. Kept.
    pub(super) face_up: u64,
    /// Squares with a shrine.
    pub(super) shrines: u64,
}

impl RealmMasks {
    /// Face-down tops without a shrine (DC-5.1).
    #[inline]
    pub(super) const fn bare(self) -> u64 {
        self.stacks & !self.face_up & !self.shrines
    }

    /// Squares on which a tile may be put, among `all` (DC-5.1).
    #[inline]
    pub(super) const fn open(self, all: u64) -> u64 {
        all & !self.face_up & !self.shrines
    }

    /// Face-down tops, with or without a shrine (DC-7.4).
    #[inline]
    pub(super) const fn down(self) -> u64 {
        self.stacks & !self.face_up
    }
}

/// One complete position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) castle: Cells<Stack, 96>,
    /// All realms, seat after seat.
    pub(super) realms: Cells<RealmStack, 120>,
    pub(super) unrevealed: Cells<u8, 32>,
    pub(super) masks: [RealmMasks; 4],
    /// Castle tiles available by DC-5.3. Kept.
    pub(super) available: CastleMask,
    /// Stacks that reach the top floor. Kept.
    pub(super) highest: CastleMask,
    pub(super) turn: TurnState,
    pub(super) ply: u32,
    pub(super) vp: [i32; 4],
    pub(super) pools: [u16; 4],
    pub(super) supply: u16,
    pub(super) discards: u16,
    /// Sum of `unrevealed`. Kept.
    pub(super) unrevealed_total: u16,
    pub(super) spirits: CardSet,
    pub(super) dragons: CardSet,
    pub(super) countdown: [u8; 4],
    pub(super) tokens: u8,
    /// Height of the highest stack. Kept.
    pub(super) top_floor: u8,
    /// First castle square whose top is not revealed, in reading order. Kept.
    pub(super) unknown: Option<u8>,
    pub(super) phase: Phase,
}

impl State {
    /// The beginning of a turn of seat 0 on empty squares, with nothing in pools and supply, for these numbers of squares and
    /// symbols.
    pub(super) fn empty(castle: usize, realms: usize, symbols: usize) -> Self {
        Self {
            castle: Cells::new(castle),
            realms: Cells::new(realms),
            unrevealed: Cells::new(symbols),
            masks: Default::default(),
            available: CastleMask::default(),
            highest: CastleMask::default(),
            turn: TurnState::default(),
            ply: 0,
            vp: [0; 4],
            pools: [0; 4],
            supply: 0,
            discards: 0,
            unrevealed_total: 0,
            spirits: CardSet::default(),
            dragons: CardSet::default(),
            countdown: [0; 4],
            tokens: 0,
            top_floor: 0,
            unknown: None,
            phase: Phase::Turn,
        }
    }

    /// The seat whose turn it is, as an index.
    #[inline]
    pub(super) const fn seat(&self) -> usize {
        self.turn.seat as usize
    }

    /// Tokens taken by all seats.
    pub(super) fn tokens_taken(&self) -> usize {
        self.countdown.iter().map(|&taken| usize::from(taken)).sum()
    }
}
