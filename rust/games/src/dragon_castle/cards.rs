//! The spirit and dragon cards: names, windows and short descriptions (DC-2.6, DC-2.7). What they do is in `spirits.rs`,
//! `apply.rs` and `scoring.rs`; titles and which cards are in the box come from the component set.

/// A moment of the turn in which a card may be used (DC-5.15).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Window {
    /// Before the action.
    Turn,
    /// Between the first pick and the choice that follows it.
    Second,
    /// After placing, before sets are looked for.
    Settle,
    /// When a set has just been consolidated.
    Build,
    /// When everything else of the turn is done.
    End,
}

impl Window {
    /// The phase of the same name.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Turn => "turn",
            Self::Second => "second",
            Self::Settle => "settle",
            Self::Build => "build",
            Self::End => "end",
        }
    }
}

/// A spirit card, in card order (DC-2.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Spirit {
    /// Consolidates a group of one number (DC-5.20).
    Beauty,
    /// Moves a shrine (DC-5.21).
    Wind,
    /// Moves one or two tiles (DC-5.22).
    Strength,
    /// Short sides count as well (DC-5.23).
    Elegance,
    /// Takes a neighbour of the first pick (DC-5.24).
    Deception,
    /// One special tile counts as another type (DC-5.25).
    Change,
    /// The first pick from a lower floor (DC-5.26).
    Stair,
    /// One more shrine on this set (DC-5.27).
    Mason,
    /// Swaps two tiles (DC-5.28).
    Mirror,
    /// A pair of one type (DC-5.29).
    Kinship,
}

use Window::{Build, End, Second, Settle, Turn};

impl Spirit {
    /// All, in card order.
    pub const ALL: [Self; 10] = [
        Self::Beauty,
        Self::Wind,
        Self::Strength,
        Self::Elegance,
        Self::Deception,
        Self::Change,
        Self::Stair,
        Self::Mason,
        Self::Mirror,
        Self::Kinship,
    ];

    /// Its place in card order.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Beauty => "beauty",
            Self::Wind => "wind",
            Self::Strength => "strength",
            Self::Elegance => "elegance",
            Self::Deception => "deception",
            Self::Change => "change",
            Self::Stair => "stair",
            Self::Mason => "mason",
            Self::Mirror => "mirror",
            Self::Kinship => "kinship",
        }
    }

    /// The card of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|card| card.name() == name)
    }

    /// When it may be used.
    #[must_use]
    pub const fn windows(self) -> &'static [Window] {
        match self {
            Self::Beauty | Self::Wind | Self::Strength | Self::Change | Self::Mirror => &[Turn, Second, Settle, End],
            Self::Elegance => &[Turn, Second],
            Self::Deception | Self::Kinship => &[Second],
            Self::Stair => &[Turn],
            Self::Mason => &[Build],
        }
    }

    /// Whether it binds the next pick (DC-5.18).
    pub(super) const fn is_binding(self) -> bool {
        matches!(self, Self::Elegance | Self::Stair | Self::Deception | Self::Kinship)
    }

    /// Decisions that a use can take at most: itself and its follow-up phases (DC-7.9).
    pub(super) const fn plies(self) -> usize {
        match self {
            Self::Strength => 5,
            Self::Wind => 4,
            Self::Beauty | Self::Change | Self::Mirror => 2,
            _ => 1,
        }
    }

    /// The rule of its effect.
    pub(super) const fn rule(self) -> &'static str {
        match self {
            Self::Beauty => "DC-5.20",
            Self::Wind => "DC-5.21",
            Self::Strength => "DC-5.22",
            Self::Elegance => "DC-5.23",
            Self::Deception => "DC-5.24",
            Self::Change => "DC-5.25",
            Self::Stair => "DC-5.26",
            Self::Mason => "DC-5.27",
            Self::Mirror => "DC-5.28",
            Self::Kinship => "DC-5.29",
        }
    }

    /// What it does, in two short lines.
    pub(super) const fn effect(self) -> [&'static str; 2] {
        match self {
            Self::Beauty => ["consolidate a group of 4 or more face-up faction tiles", "of one number: 1 VP more, up to 2 shrines"],
            Self::Wind => ["turn one of your tiles face down if you like, then", "move a built shrine to another bare square"],
            Self::Strength => ["move one or two of your top tiles without a shrine,", "face up or down, to open squares"],
            Self::Elegance => ["short sides count as free too for this turn's picks;", "the next pick must need it"],
            Self::Deception => ["the second tile is a neighbour of the first on the", "same floor, whatever its symbol"],
            Self::Change => ["one face-up special tile counts as another type and", "is consolidated with its group of 4 or more"],
            Self::Stair => ["the first pick is an available tile of a lower floor", "than the top floor"],
            Self::Mason => ["before building on a set: one shrine more than its", "limit, and all of them must be built"],
            Self::Mirror => ["swap two of your face-up tiles of different types", ""],
            Self::Kinship => ["the second tile has the type of the first and another", "symbol"],
        }
    }
}

/// A dragon card, in card order (DC-2.7, DC-7.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Dragon {
    /// Shrines below a higher neighbour.
    Humility,
    /// The best row and the best column.
    Righteousness,
    /// Groups of down squares.
    Tranquility,
    /// Stacks unlike their neighbours.
    Bravery,
    /// Shrines on the border.
    Ramparts,
    /// Mirrored shrines.
    Towers,
    /// Different special symbols.
    Heavens,
    /// High stacks.
    Summit,
    /// Full rows and columns.
    Terraces,
    /// The largest group of down squares.
    Wall,
}

impl Dragon {
    /// All, in card order.
    pub const ALL: [Self; 10] = [
        Self::Humility,
        Self::Righteousness,
        Self::Tranquility,
        Self::Bravery,
        Self::Ramparts,
        Self::Towers,
        Self::Heavens,
        Self::Summit,
        Self::Terraces,
        Self::Wall,
    ];

    /// Its place in card order.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Humility => "humility",
            Self::Righteousness => "righteousness",
            Self::Tranquility => "tranquility",
            Self::Bravery => "bravery",
            Self::Ramparts => "ramparts",
            Self::Towers => "towers",
            Self::Heavens => "heavens",
            Self::Summit => "summit",
            Self::Terraces => "terraces",
            Self::Wall => "wall",
        }
    }

    /// The card of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|card| card.name() == name)
    }

    /// What it scores, in two short lines.
    pub(super) const fn effect(self) -> [&'static str; 2] {
        match self {
            Self::Humility => ["1 VP per shrine beside a stack higher than its own", ""],
            Self::Righteousness => ["best row + best column: 1 VP per shrine in it,", "2 more if every square of it has one"],
            Self::Tranquility => ["1 VP per group of face-down stacks", ""],
            Self::Bravery => ["1 VP per stack without a neighbour of its height", ""],
            Self::Ramparts => ["1 VP per shrine on the border, 2 in a corner", ""],
            Self::Towers => ["2 VP per pair of shrines that mirror each other in a", "row, left and right"],
            Self::Heavens => ["1 VP per different special symbol face up", ""],
            Self::Summit => ["1 VP per stack of height 3 or more", ""],
            Self::Terraces => ["1 VP per row and per column without an empty square", ""],
            Self::Wall => ["half the size of the largest group of face-down", "stacks, rounded down"],
        }
    }
}

/// A set of cards of one kind: bit i is the card at place i of card order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CardSet(pub u16);

impl CardSet {
    /// Whether the card at `index` is in it.
    #[must_use]
    pub const fn has(self, index: usize) -> bool {
        self.0 >> index & 1 != 0
    }

    /// Adds the card at `index`.
    pub(super) const fn insert(&mut self, index: usize) {
        self.0 |= 1 << index;
    }

    /// Number of cards.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The spirits in it, in card order.
    pub(super) fn spirits(self) -> impl Iterator<Item = Spirit> {
        Spirit::ALL.into_iter().filter(move |card| self.has(card.index()))
    }

    /// The dragons in it, in card order.
    pub(super) fn dragons(self) -> impl Iterator<Item = Dragon> {
        Dragon::ALL.into_iter().filter(move |card| self.has(card.index()))
    }
}
