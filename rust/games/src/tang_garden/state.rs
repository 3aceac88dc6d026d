//! A position as plain data. Bit sets and totals that follow from the rest are kept beside it; they are functions of what the
//! state JSON shows, so that equality of states is equality of their JSON.

use super::board::{BOARD, NEIGHBOURS, NONE, START, START_SQUARES, bit};
use super::components::{CHARACTERS, DECORATIONS, MAX_CARDS, MAX_LANDSCAPES, MAX_TILES, PATH, PERSON};
use super::tables::{START_CODE, Tables};

/// Names of the phases in the order of the rule page (TG-6.1, then TG-13).
pub(super) const PHASES: &[&str] = &[
    "main",
    "path",
    "choose",
    "level",
    "token",
    "panorama",
    "second",
    "options",
    "garden",
    "tile",
    "draw",
    "landscape",
    "blind",
    "character",
    "deal",
    "side",
    "end",
    "pick",
    "neutral",
    "scatter",
];

/// What is being decided (TG-6.1); the discriminant is the index in [`PHASES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(super) enum Phase {
    Main,
    Path,
    Choose,
    Level,
    Token,
    Panorama,
    Second,
    Options,
    Garden,
    Tile,
    Draw,
    Landscape,
    Blind,
    Character,
    Deal,
    Side,
    End,
    Pick,
    Neutral,
    Scatter,
}

impl Phase {
    /// All in order.
    pub(super) const ALL: [Self; 20] = [
        Self::Main,
        Self::Path,
        Self::Choose,
        Self::Level,
        Self::Token,
        Self::Panorama,
        Self::Second,
        Self::Options,
        Self::Garden,
        Self::Tile,
        Self::Draw,
        Self::Landscape,
        Self::Blind,
        Self::Character,
        Self::Deal,
        Self::Side,
        Self::End,
        Self::Pick,
        Self::Neutral,
        Self::Scatter,
    ];

    /// Whether nature draws in it.
    pub(super) const fn is_chance(self) -> bool {
        use Phase::{Blind, Character, Deal, Draw, Landscape, Scatter, Side, Tile};
        matches!(self, Tile | Draw | Landscape | Blind | Character | Deal | Side | Scatter)
    }
}

/// Bits of [`Seat::lanterns`] and their names; the last three are of the solo game (TG-13.3).
pub(super) const LANTERNS: [&str; 7] = ["build", "decorate", "move", "seek", "cards", "bottom", "wall"];
pub(super) const BUILD: u8 = 0;
pub(super) const DECORATE: u8 = 1;
pub(super) const MOVE: u8 = 2;
pub(super) const SEEK: u8 = 3;
pub(super) const CARDS: u8 = 4;
pub(super) const BOTTOM: u8 = 5;
pub(super) const WALL: u8 = 6;

/// The lanterns of a game in the order of the state JSON.
pub(super) const fn lanterns_of(players: usize) -> [u8; 4] {
    if players == 1 { [CARDS, BOTTOM, MOVE, WALL] } else { [BUILD, DECORATE, MOVE, SEEK] }
}

/// The seat of a neutral figure (TG-13.1), and its facing.
pub(super) const NEUTRAL: u8 = 254;

/// A figure on the board; `square` is [`NONE`] if the character is elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Figure {
    pub(super) square: u8,
    pub(super) seat: u8,
    pub(super) facing: u8,
}

/// The figure of a character that is not on the board.
pub(super) const NO_FIGURE: Figure = Figure { square: NONE, seat: NONE, facing: NONE };

/// What lies before a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Seat {
    pub(super) coins: u32,
    pub(super) levels: [u8; 3],
    /// Bits of ready lanterns.
    pub(super) lanterns: u8,
    /// Small and large landscape tokens held.
    pub(super) tokens: [u8; 2],
    /// Cards played by decoration.
    pub(super) cards: [u8; DECORATIONS],
    /// The active character, or [`NONE`].
    pub(super) active: u8,
    pub(super) character_token: bool,
}

/// The turn under way (TG-9.2).
#[allow(clippy::struct_excessive_bools)] // They are the page's, each by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct TurnState {
    /// Whose turn, or [`NONE`].
    pub(super) seat: u8,
    /// [`BUILD`], [`DECORATE`] or [`NONE`].
    pub(super) action: u8,
    pub(super) placed: u8,
    pub(super) lantern: bool,
    pub(super) influenced: bool,
    pub(super) earned: bool,
    pub(super) paths: u8,
    pub(super) paid: bool,
    /// 0 small, 1 large, or [`NONE`].
    pub(super) insert: u8,
    pub(super) draws: u8,
    /// Ascending card kinds, filled up with [`NONE`].
    pub(super) drawn: [u8; 8],
    pub(super) new: u8,
}

impl TurnState {
    /// The start of a turn of `seat`.
    pub(super) const fn rest(seat: u8) -> Self {
        Self {
            seat,
            action: NONE,
            placed: 0,
            lantern: false,
            influenced: false,
            earned: false,
            paths: 0,
            paid: false,
            insert: NONE,
            draws: 0,
            drawn: [NONE; 8],
            new: NONE,
        }
    }

    /// The drawn card kinds, equal ones repeated.
    pub(super) fn drawn_cards(&self) -> &[u8] {
        let len = self.drawn.iter().position(|&card| card == NONE).unwrap_or(self.drawn.len());
        &self.drawn[..len]
    }
}

/// What only the solo game has (TG-13.9); at rest with more players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Solo {
    /// Card kind beside each stack, or [`NONE`].
    pub(super) market: [u8; 4],
    /// Characters to pick from (bits).
    pub(super) pair: u16,
    pub(super) partner: u8,
    pub(super) stack: u8,
    pub(super) under: u8,
    pub(super) won: Option<bool>,
}

/// One complete position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) ply: u32,
    pub(super) round: u32,
    pub(super) phase: Phase,
    pub(super) is_final: bool,
    pub(super) placed_in_round: bool,
    pub(super) idle_rounds: u8,
    /// Face-up tile kind of each stack, or [`NONE`].
    pub(super) up: [u8; 4],
    /// Face-down copies of each kind, and of each stack in all.
    pub(super) down: [u8; MAX_TILES],
    pub(super) down_total: [u8; 4],
    /// Tile code of each square, or [`NONE`].
    pub(super) tile_at: [u8; 64],
    pub(super) occupied: u64,
    /// By side and letter g w r p: empty or not, the squares whose side can take that letter; then all squares, for walls and
    /// temples.
    pub(super) fits: [[u64; 5]; 4],
    /// By area: squares where it is free; persons are never used up here.
    pub(super) free_areas: [u64; 6],
    /// By decoration: where one stands.
    pub(super) decorations: [u64; DECORATIONS],
    /// Persons, pavilions and bridges: where a figure can stand.
    pub(super) spots: u64,
    pub(super) figures: [Figure; CHARACTERS],
    pub(super) figure_squares: u64,
    /// Small and large tokens on the board.
    pub(super) tokens: [u64; 2],
    pub(super) pieces: [u8; DECORATIONS],
    pub(super) deck: [u8; MAX_CARDS],
    pub(super) deck_total: u8,
    pub(super) discard: [u8; MAX_CARDS],
    pub(super) discard_total: u8,
    /// Shown characters, and those of the deck (bits).
    pub(super) display: u16,
    pub(super) character_deck: u16,
    /// Shown landscapes of each size: ascending kinds, then [`NONE`].
    pub(super) shown: [[u8; 2]; 2],
    pub(super) pile: [u8; MAX_LANDSCAPES],
    pub(super) pile_total: [u8; 2],
    /// Landscapes of each side: ascending kinds, then [`NONE`].
    pub(super) panorama: [[u8; 5]; 4],
    /// How many small and large ones each side has.
    pub(super) panorama_count: [[u8; 2]; 4],
    pub(super) seats: [Seat; 4],
    pub(super) turn: TurnState,
    pub(super) solo: Solo,
}

/// Puts `value` into an ascending list filled up with [`NONE`].
pub(super) fn insert_sorted(list: &mut [u8], value: u8) {
    let mut carry = value;
    for slot in list {
        if carry < *slot {
            std::mem::swap(slot, &mut carry);
        }
    }
    debug_assert_eq!(carry, NONE, "the list has room");
}

/// Takes one `value` out of such a list; whether it was there.
pub(super) fn remove_sorted(list: &mut [u8], value: u8) -> bool {
    match list.iter().position(|&entry| entry == value) {
        Some(at) => {
            list.copy_within(at + 1.., at);
            list[list.len() - 1] = NONE;
            true
        }
        None => false,
    }
}

impl State {
    /// Before the set-up: the start tile lies, all piles are full.
    pub(super) fn before_setup(tables: &Tables, players: usize) -> Self {
        let components = &tables.components;
        let seat = Seat {
            coins: 0,
            levels: [0; 3],
            lanterns: 0,
            tokens: [0; 2],
            cards: [0; DECORATIONS],
            active: NONE,
            character_token: false,
        };
        let mut state = Self {
            ply: 0,
            round: 1,
            phase: Phase::Tile,
            is_final: false,
            placed_in_round: false,
            idle_rounds: 0,
            up: [NONE; 4],
            down: [0; MAX_TILES],
            down_total: [15; 4],
            tile_at: [NONE; 64],
            occupied: 0,
            fits: [[BOARD; 5]; 4],
            free_areas: [0; 6],
            decorations: [0; DECORATIONS],
            spots: 0,
            figures: [NO_FIGURE; CHARACTERS],
            figure_squares: 0,
            tokens: match players {
                1 => [0; 2],
                2 => components.tokens[0],
                _ => components.tokens[1],
            },
            pieces: components.pieces,
            deck: [0; MAX_CARDS],
            deck_total: 54,
            discard: [0; MAX_CARDS],
            discard_total: 0,
            display: 0,
            character_deck: (1 << CHARACTERS) - 1,
            shown: [[NONE; 2]; 2],
            pile: [0; MAX_LANDSCAPES],
            pile_total: [12, 8],
            panorama: [[NONE; 5]; 4],
            panorama_count: [[0; 2]; 4],
            seats: [seat; 4],
            turn: TurnState::rest(NONE),
            solo: Solo { market: [NONE; 4], pair: 0, partner: NONE, stack: NONE, under: NONE, won: None },
        };
        for (count, tile) in state.down.iter_mut().zip(&components.tiles) {
            *count = tile.copies;
        }
        for (count, card) in state.deck.iter_mut().zip(&components.cards) {
            *count = card.copies;
        }
        for (count, landscape) in state.pile.iter_mut().zip(&components.landscapes) {
            *count = landscape.copies;
        }
        for seat in &mut state.seats[..players] {
            seat.lanterns = lanterns_of(players).iter().fold(0, |bits, lantern| bits | 1 << lantern);
        }
        state.lay_start(tables);
        state
    }

    fn lay_start(&mut self, tables: &Tables) {
        for (index, &square) in START_SQUARES.iter().enumerate() {
            self.lay(tables, square, START_CODE + index as u8);
        }
        debug_assert_eq!(self.occupied, START, "the start tile covers its squares");
    }

    /// Puts a tile down: occupation, fitting letters, areas and spots; no rewards.
    pub(super) fn lay(&mut self, tables: &Tables, square: u8, code: u8) {
        let face = tables.face(code);
        self.tile_at[usize::from(square)] = code;
        self.occupied |= bit(square);
        for (side, next) in NEIGHBOURS[usize::from(square)].into_iter().enumerate() {
            let edge = face.edges[side];
            if edge <= PATH && next != NONE {
                // What faces this edge must be the same letter, or a wall or temple, which fits everywhere (TG-5.2).
                let fits = &mut self.fits[side ^ 2];
                for letter in 0..4 {
                    if letter != edge {
                        fits[usize::from(letter)] &= !bit(next);
                    }
                }
            }
        }
        let mut areas = face.areas;
        while areas != 0 {
            let area = areas.trailing_zeros() as usize;
            self.free_areas[area] |= bit(square);
            if area == PERSON {
                self.spots |= bit(square);
            }
            areas &= areas - 1;
        }
    }

    /// The terrain or other letter of the edge that faces `side` of `square`, if a tile lies there.
    #[inline]
    pub(super) fn facing_edge(&self, tables: &Tables, square: u8, side: usize) -> Option<(u8, u8)> {
        let next = NEIGHBOURS[usize::from(square)][side];
        if next == NONE || self.tile_at[usize::from(next)] == NONE {
            return None;
        }
        Some((next, tables.face(self.tile_at[usize::from(next)]).edges[side ^ 2]))
    }

    /// Places a decoration on a free area of its kind.
    pub(super) fn adorn(&mut self, tables: &Tables, square: u8, decoration: u8) {
        let index = usize::from(decoration);
        self.decorations[index] |= bit(square);
        self.pieces[index] -= 1;
        self.free_areas[usize::from(tables.components.decoration_area[index])] &= !bit(square);
        if decoration < 2 {
            self.spots |= bit(square);
        }
    }

    /// Free spots (TG-5.11).
    pub(super) const fn free_spots(&self) -> u64 {
        self.spots & !self.figure_squares
    }

    /// Whether this card kind can be placed: a piece is left and an area is free (TG-5.8).
    pub(super) fn is_playable(&self, tables: &Tables, card: u8) -> bool {
        let decoration = usize::from(tables.components.cards[usize::from(card)].decoration);
        self.pieces[decoration] > 0 && self.free_areas[usize::from(tables.components.decoration_area[decoration])] != 0
    }

    /// Places a figure.
    pub(super) fn stand(&mut self, character: u8, figure: Figure) {
        self.figures[usize::from(character)] = figure;
        self.figure_squares |= bit(figure.square);
    }

    /// Tokens on the board.
    pub(super) const fn tokens_left(&self) -> u32 {
        (self.tokens[0] | self.tokens[1]).count_ones()
    }

    /// Sets and returns whether TG-7.1 holds.
    pub(super) fn trigger(&self) -> bool {
        self.tokens_left() <= 3 || (0..4).any(|stack| self.up[stack] == NONE && self.down_total[stack] == 0)
    }
}
