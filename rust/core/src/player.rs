//! Seats and small per-seat containers.

use std::fmt;

use arrayvec::ArrayVec;

/// The most seats any game has.
pub const MAX_PLAYERS: usize = 4;

/// A seat: an index from 0, clockwise, fixed for the whole game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Player(pub u8);

impl Player {
    /// The seat as an index into per-seat lists.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The seat at `index`.
    ///
    /// # Panics
    /// If `index` is not below [`MAX_PLAYERS`].
    #[must_use]
    pub const fn new(index: usize) -> Self {
        assert!(index < MAX_PLAYERS, "a seat is below 4");
        Self(index as u8)
    }

    /// The next seat clockwise among `num_players`.
    #[must_use]
    pub const fn next(self, num_players: usize) -> Self {
        Self(((self.0 as usize + 1) % num_players) as u8)
    }

    /// All seats of a game for `num_players`, in order.
    pub fn all(num_players: usize) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..num_players as u8).map(Self)
    }

    /// All seats, beginning with this one, clockwise.
    pub fn clockwise(self, num_players: usize) -> impl Iterator<Item = Self> {
        (0..num_players).map(move |step| Self(((self.index() + step) % num_players) as u8))
    }
}

impl fmt::Display for Player {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0)
    }
}

/// One value per seat, in seat order, without an allocation.
pub type ByPlayer<T> = ArrayVec<T, MAX_PLAYERS>;

/// Whose decision a position waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// A seat chooses a legal action.
    Player(Player),
    /// Nature draws an outcome.
    Chance,
    /// The game has ended.
    Over,
}

impl Turn {
    /// The seat to decide, if a seat decides.
    #[must_use]
    pub const fn player(self) -> Option<Player> {
        match self {
            Self::Player(player) => Some(player),
            Self::Chance | Self::Over => None,
        }
    }

    /// The node kind as written in JSON: `decision`, `chance` or `terminal`.
    #[must_use]
    pub const fn node(self) -> &'static str {
        match self {
            Self::Player(_) => "decision",
            Self::Chance => "chance",
            Self::Over => "terminal",
        }
    }
}
