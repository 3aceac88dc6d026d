//! Letters, names and counts that everything refers to.

/// Edge letters by index: three terrains (also tracks), path, wall, temple edge (TG-2.1).
pub(super) const LETTERS: [char; 6] = ['g', 'w', 'r', 'p', 'x', 'k'];
/// Index of the path letter.
pub(super) const PATH: u8 = 3;
/// Index of the temple edge letter.
pub(super) const TEMPLE: u8 = 5;
/// Kinds of decorations (TG-2.6).
pub(super) const DECORATIONS: usize = 11;
/// Characters of a set.
pub(super) const CHARACTERS: usize = 12;
/// Most tile kinds of a set.
pub(super) const MAX_TILES: usize = 60;
/// Most card kinds of a set.
pub(super) const MAX_CARDS: usize = 54;
/// Most landscape kinds of a set.
pub(super) const MAX_LANDSCAPES: usize = 20;
/// Icons of landscapes: animal, construction, dragon, moon, sun.
pub(super) const ICONS: [char; 5] = ['a', 'c', 'd', 'm', 's'];
/// Areas by index (TG-2.12).
pub(super) const AREAS: [&str; 6] = ["tree", "meadow", "pond", "pavilion", "bridge", "person"];
/// Index of the area that takes a figure.
pub(super) const PERSON: usize = 5;
/// Sides of the board and of tiles.
pub(super) const SIDES: [&str; 4] = ["n", "e", "s", "w"];
/// Stacks (TG-2.1).
pub(super) const STACKS: [&str; 4] = ["g", "w", "r", "t"];
/// Sizes of tokens and landscapes.
pub(super) const SIZES: [&str; 2] = ["small", "large"];
/// Room of a side of the board for small and large landscapes (TG-2.3).
pub(super) const ROOM: [u8; 2] = [3, 2];
/// Places of the named decorations in the order of TG-2.6; the trees stand between.
pub(super) const LOTUS: usize = 7;
/// See [`LOTUS`].
pub(super) const FISH: usize = 8;
/// See [`LOTUS`].
pub(super) const PEONY: usize = 9;
/// See [`LOTUS`].
pub(super) const BIRD: usize = 10;
