//! Actions and outcomes: ids and notation (DC-6.1, DC-6.2, DC-6.6).
//!
//! Ids follow the order of the variants of [`Action`]; within a variant the order of its squares, types and cards.

use forbidden_games_core::contract::Notation;
use forbidden_games_core::error::ParseActionError;
use forbidden_games_core::notation::normalize;

use super::cards::{Dragon, Spirit};
use super::game::Game;
use super::squares::squares;

/// What a use of a spirit card costs (DC-5.14).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Payment {
    /// The face-up tile on this realm square.
    Tile(u8),
    /// A shrine of the own pool.
    Shrine,
}

/// One decision. Numbers are squares in reading order: of the castle for `Take` and `Pair`, of the own realm otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// `take x`: the first pick.
    Take(u8),
    /// `pair x`: a second tile.
    Pair(u8),
    /// `shrine`: a shrine into the pool.
    Shrine,
    /// `discard`: the picked tile goes, 1 VP.
    Discard,
    /// `summon`: a token.
    Summon,
    /// `place x`: a picked tile into the realm.
    Place(u8),
    /// `consolidate x`: which waiting set is next, by its first square.
    Consolidate(u8),
    /// `build x`: a shrine.
    Build(u8),
    /// `done`: no more shrines on this set.
    Done,
    /// `set x`: the group of `beauty`, by its first square.
    Set(u8),
    /// `wild x t`: the tile and the type of `change`.
    Wild(u8, u8),
    /// `swap x y`: the tiles of `mirror`, x first in reading order.
    Swap(u8, u8),
    /// `flip x`: the tile that `wind` turns face down.
    Flip(u8),
    /// `from x`: the shrine that `wind` moves.
    From(u8),
    /// `to y`: where it goes.
    To(u8),
    /// `lift x`: the tile that `strength` moves.
    Lift(u8),
    /// `drop y`: where it goes.
    Drop(u8),
    /// `pass`: no (more) use of spirits; no flip; no second move.
    Pass,
    /// `spirit NAME tile x`, `spirit NAME shrine`: a spirit card.
    Spirit(Spirit, Payment),
}

/// One result of a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// The symbol of a castle tile, by its place in symbol order.
    Symbol(u16),
    /// A dragon card.
    Dragon(Dragon),
    /// A spirit card.
    Spirit(Spirit),
}

/// First ids of the verbs, for one size of castle and realm.
#[derive(Clone, Copy, Debug)]
pub(super) struct ActionIds {
    castle: u32,
    realm: u32,
    types: u32,
}

/// What makes an action of its one square.
pub(super) type OfSquare = fn(u8) -> Action;

/// Verbs with one realm square: name and constructor.
const REALM_VERBS: [(&str, OfSquare); 9] = [
    ("place", Action::Place),
    ("consolidate", Action::Consolidate),
    ("build", Action::Build),
    ("set", Action::Set),
    ("flip", Action::Flip),
    ("from", Action::From),
    ("to", Action::To),
    ("lift", Action::Lift),
    ("drop", Action::Drop),
];

impl Action {
    /// Verb and realm square of the actions that are no more than that.
    pub(super) const fn realm_square(self) -> Option<(&'static str, u8)> {
        Some(match self {
            Self::Place(square) => ("place", square),
            Self::Consolidate(square) => ("consolidate", square),
            Self::Build(square) => ("build", square),
            Self::Set(square) => ("set", square),
            Self::Flip(square) => ("flip", square),
            Self::From(square) => ("from", square),
            Self::To(square) => ("to", square),
            Self::Lift(square) => ("lift", square),
            Self::Drop(square) => ("drop", square),
            _ => return None,
        })
    }
}

impl ActionIds {
    // Offsets, in id order.
    const fn shrine(self) -> u32 {
        2 * self.castle
    }
    const fn place(self) -> u32 {
        self.shrine() + 3
    }
    const fn done(self) -> u32 {
        self.place() + 3 * self.realm
    }
    const fn set(self) -> u32 {
        self.done() + 1
    }
    const fn wild(self) -> u32 {
        self.set() + self.realm
    }
    const fn swap(self) -> u32 {
        self.wild() + self.realm * self.types
    }
    const fn flip(self) -> u32 {
        self.swap() + self.realm * (self.realm - 1) / 2
    }
    const fn pass(self) -> u32 {
        self.flip() + 5 * self.realm
    }
    const fn spirit(self) -> u32 {
        self.pass() + 1
    }

    /// Number of actions.
    pub(super) const fn len(self) -> u32 {
        self.spirit() + 10 * (self.realm + 1)
    }

    /// Swaps with a first square below `x`.
    const fn swaps_before(self, x: u32) -> u32 {
        x * (2 * self.realm - x - 1) / 2
    }

    pub(super) fn id(self, action: Action) -> u32 {
        let wide = u32::from;
        match action {
            Action::Take(x) => wide(x),
            Action::Pair(x) => self.castle + wide(x),
            Action::Shrine => self.shrine(),
            Action::Discard => self.shrine() + 1,
            Action::Summon => self.shrine() + 2,
            Action::Place(x) => self.place() + wide(x),
            Action::Consolidate(x) => self.place() + self.realm + wide(x),
            Action::Build(x) => self.place() + 2 * self.realm + wide(x),
            Action::Done => self.done(),
            Action::Set(x) => self.set() + wide(x),
            Action::Wild(x, kind) => self.wild() + wide(x) * self.types + wide(kind),
            Action::Swap(x, y) => self.swap() + self.swaps_before(wide(x)) + wide(y) - wide(x) - 1,
            Action::Flip(x) => self.flip() + wide(x),
            Action::From(x) => self.flip() + self.realm + wide(x),
            Action::To(x) => self.flip() + 2 * self.realm + wide(x),
            Action::Lift(x) => self.flip() + 3 * self.realm + wide(x),
            Action::Drop(x) => self.flip() + 4 * self.realm + wide(x),
            Action::Pass => self.pass(),
            Action::Spirit(card, payment) => {
                let paid = match payment {
                    Payment::Tile(x) => wide(x),
                    Payment::Shrine => self.realm,
                };
                self.spirit() + card.index() as u32 * (self.realm + 1) + paid
            }
        }
    }

    pub(super) fn action(self, id: u32) -> Option<Action> {
        let narrow = |number: u32| number as u8;
        let blocks = |start: u32, verbs: [OfSquare; 5]| {
            let offset = id - start;
            verbs[(offset / self.realm) as usize](narrow(offset % self.realm))
        };
        Some(if id < self.castle {
            Action::Take(narrow(id))
        } else if id < self.shrine() {
            Action::Pair(narrow(id - self.castle))
        } else if id < self.place() {
            [Action::Shrine, Action::Discard, Action::Summon][(id - self.shrine()) as usize]
        } else if id < self.done() {
            blocks(self.place(), [Action::Place, Action::Consolidate, Action::Build, Action::Build, Action::Build])
        } else if id < self.set() {
            Action::Done
        } else if id < self.wild() {
            Action::Set(narrow(id - self.set()))
        } else if id < self.swap() {
            let offset = id - self.wild();
            Action::Wild(narrow(offset / self.types), narrow(offset % self.types))
        } else if id < self.flip() {
            let offset = id - self.swap();
            let x = (0..self.realm).rev().find(|&x| self.swaps_before(x) <= offset)?;
            Action::Swap(narrow(x), narrow(offset - self.swaps_before(x) + x + 1))
        } else if id < self.pass() {
            blocks(self.flip(), [Action::Flip, Action::From, Action::To, Action::Lift, Action::Drop])
        } else if id < self.spirit() {
            Action::Pass
        } else if id < self.len() {
            let offset = id - self.spirit();
            let paid = offset % (self.realm + 1);
            let payment = if paid == self.realm { Payment::Shrine } else { Payment::Tile(narrow(paid)) };
            Action::Spirit(Spirit::ALL[(offset / (self.realm + 1)) as usize], payment)
        } else {
            return None;
        })
    }
}

impl Game {
    /// First ids of the verbs.
    #[inline]
    pub(super) fn action_ids(&self) -> ActionIds {
        let (castle, realm) = (self.tables.castle.len(), self.tables.realm.grid.len());
        ActionIds { castle: castle as u32, realm: realm as u32, types: self.settings.components.types.len() as u32 }
    }

    /// Name of a castle square.
    pub(super) fn castle_square(&self, square: u8) -> String {
        self.tables.castle.format(usize::from(square))
    }

    /// Name of a realm square.
    pub(super) fn realm_square(&self, square: u8) -> String {
        self.tables.realm.grid.format(usize::from(square))
    }

    /// Squares of a mask with blanks between.
    pub(super) fn realm_squares(&self, mask: u64) -> String {
        squares(mask).map(|square| self.tables.realm.grid.format(square)).collect::<Vec<_>>().join(" ")
    }
}

impl Notation for Game {
    fn format_action(&self, action: Action) -> String {
        match action {
            Action::Take(x) => format!("take {}", self.castle_square(x)),
            Action::Pair(x) => format!("pair {}", self.castle_square(x)),
            Action::Shrine => "shrine".to_owned(),
            Action::Discard => "discard".to_owned(),
            Action::Summon => "summon".to_owned(),
            Action::Done => "done".to_owned(),
            Action::Pass => "pass".to_owned(),
            Action::Wild(x, kind) => {
                let code = self.settings.components.types[usize::from(kind)].code;
                format!("wild {} {}", self.realm_square(x), char::from(code))
            }
            Action::Swap(x, y) => format!("swap {} {}", self.realm_square(x), self.realm_square(y)),
            Action::Spirit(card, Payment::Tile(x)) => format!("spirit {} tile {}", card.name(), self.realm_square(x)),
            Action::Spirit(card, Payment::Shrine) => format!("spirit {} shrine", card.name()),
            _ => {
                let (verb, square) = action.realm_square().expect("the other verbs have one realm square");
                format!("{verb} {}", self.realm_square(square))
            }
        }
    }

    fn parse_action(&self, text: &str) -> Result<Action, ParseActionError> {
        let normal = normalize(text);
        let words: Vec<&str> = normal.split(' ').take(6).collect();
        let castle = |word: &str| {
            let expected = || format!("a castle square from a1 to {}", self.tables.castle.format(self.tables.castle.len() - 1));
            self.tables.castle.parse(word).map(|square| square as u8).ok_or_else(|| ParseActionError::new(text, expected()))
        };
        let realm = |word: &str| {
            let expected =
                || format!("a realm square from a1 to {}", self.tables.realm.grid.format(self.tables.realm.grid.len() - 1));
            self.tables.realm.grid.parse(word).map(|square| square as u8).ok_or_else(|| ParseActionError::new(text, expected()))
        };
        let card = |name: &str| {
            let expected = || format!("a spirit card: {}", Spirit::ALL.map(Spirit::name).join(", "));
            Spirit::from_name(name).ok_or_else(|| ParseActionError::new(text, expected()))
        };
        Ok(match *words.as_slice() {
            ["take", x] => Action::Take(castle(x)?),
            ["pair", x] => Action::Pair(castle(x)?),
            ["shrine"] => Action::Shrine,
            ["discard"] => Action::Discard,
            ["summon"] => Action::Summon,
            ["done"] => Action::Done,
            ["pass"] => Action::Pass,
            ["wild", x, code] => {
                let x = realm(x)?;
                let codes =
                    || self.settings.components.types.iter().map(|kind| char::from(kind.code).to_string()).collect::<Vec<_>>();
                let kind = self.settings.components.type_of_code(code);
                Action::Wild(x, kind.ok_or_else(|| ParseActionError::new(text, format!("a type: {}", codes().join(", "))))?)
            }
            ["swap", x, y] => {
                let (x, y) = (realm(x)?, realm(y)?);
                if x >= y {
                    return Err(ParseActionError::new(text, "swap x y, x before y in reading order"));
                }
                Action::Swap(x, y)
            }
            ["spirit", name, "tile", x] => Action::Spirit(card(name)?, Payment::Tile(realm(x)?)),
            ["spirit", name, "shrine"] => Action::Spirit(card(name)?, Payment::Shrine),
            [verb, x] if REALM_VERBS.iter().any(|(name, _)| *name == verb) => {
                let (_, make) = REALM_VERBS.iter().find(|(name, _)| *name == verb).expect("just found");
                make(realm(x)?)
            }
            [verb, ..] => return Err(ParseActionError::new(text, expected_form(verb))),
            [] => return Err(ParseActionError::new(text, expected_form(""))),
        })
    }

    fn format_outcome(&self, outcome: Outcome) -> String {
        match outcome {
            Outcome::Symbol(symbol) => self.settings.components.symbol_text(symbol).to_owned(),
            Outcome::Dragon(card) => card.name().to_owned(),
            Outcome::Spirit(card) => card.name().to_owned(),
        }
    }

    fn parse_outcome(&self, text: &str) -> Result<Outcome, ParseActionError> {
        let normal = normalize(text);
        (self.settings.components.symbol(&normal).map(Outcome::Symbol))
            .or_else(|| Dragon::from_name(&normal).map(Outcome::Dragon))
            .or_else(|| Spirit::from_name(&normal).map(Outcome::Spirit))
            .ok_or_else(|| ParseActionError::new(text, "a symbol, a dragon or a spirit"))
    }

    fn action_group(&self, action: Action) -> String {
        match action {
            Action::Spirit(card, _) => card.name().to_owned(),
            Action::Wild(square, _) | Action::Swap(square, _) => self.realm_square(square),
            _ => self.format_action(action).split(' ').next().unwrap_or_default().to_owned(),
        }
    }

    fn is_square(&self, text: &str) -> bool {
        let name = normalize(text);
        [self.tables.castle, self.tables.realm.grid].iter().any(|grid| grid.parse(&name).is_some())
    }
}

/// What an action with this verb looks like.
fn expected_form(verb: &str) -> String {
    match verb {
        "take" | "pair" => format!("{verb} x, x a castle square"),
        "wild" => "wild x t, x a realm square and t a type".to_owned(),
        "swap" => "swap x y, realm squares in reading order".to_owned(),
        "spirit" => "spirit NAME tile x or spirit NAME shrine".to_owned(),
        "shrine" | "discard" | "summon" | "done" | "pass" => format!("{verb} alone"),
        _ if REALM_VERBS.iter().any(|(name, _)| *name == verb) => format!("{verb} x, x a realm square"),
        _ => {
            let realm = REALM_VERBS.map(|(name, _)| name).join(", ");
            format!("one of take, pair, shrine, discard, summon, {realm}, done, wild, swap, pass, spirit")
        }
    }
}
