//! States and observations of the toy game, and their JSON.

use arrayvec::ArrayVec;
use serde_json::{Value, json};

use super::{MAX_COLUMNS, MAX_KINDS, Pebbles};
use crate::contract::{Audit, read_state_header, state_header};
use crate::data::Node;
use crate::error::{DataError, StateError};
use crate::player::{ByPlayer, Player, Turn};

/// Copies of each kind.
pub type Counts = [u8; MAX_KINDS];

/// Height at which a column is full.
pub const FULL: usize = 3;

/// Pebbles in a hand.
pub const HAND: usize = 2;

/// Named parts of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Set-up draws.
    Deal,
    /// A seat drops a pebble.
    Drop,
    /// A seat claims or leaves a full column.
    Claim,
    /// The seat that has just played draws.
    Draw,
    /// Over.
    End,
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

/// A hand as one seat sees it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Hand {
    /// One's own.
    Open(Counts),
    /// Another's: its size.
    Hidden(usize),
}

/// What one seat sees.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Observation {
    /// The seat.
    pub viewer: Player,
    /// What everybody sees.
    pub public: Public,
    /// Hands by seat.
    pub hands: ByPlayer<Hand>,
}

/// Number of pebbles.
pub(super) fn size(counts: &Counts) -> usize {
    counts.iter().map(|&count| usize::from(count)).sum()
}

impl Public {
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

impl Phase {
    pub(super) const WORDS: [&'static str; 5] = ["deal", "drop", "claim", "draw", "end"];
    const ALL: [Self; 5] = [Self::Deal, Self::Drop, Self::Claim, Self::Draw, Self::End];

    pub(super) fn word(self) -> &'static str {
        Self::WORDS[self as usize]
    }
}

impl Pebbles {
    fn names(&self, counts: &Counts) -> Value {
        let name = |(kind, &count): (usize, &u8)| vec![Value::from(self.kinds[kind].name.as_str()); usize::from(count)];
        counts.iter().enumerate().take(self.kinds.len()).flat_map(name).collect()
    }

    pub(super) fn to_json(&self, public: &Public, pile: Value, hands: Vec<Value>) -> Value {
        let mut object = state_header(self, public.ply, public.turn(), public.phase.word());
        let kinds = self.kinds.len();
        let columns: Vec<Value> = public
            .columns
            .iter()
            .map(|column| {
                let names: Vec<&str> = column.pebbles.iter().map(|&kind| self.kinds[usize::from(kind)].name.as_str()).collect();
                json!({"pebbles": names, "closed": column.closed})
            })
            .collect();
        object.insert("pile".into(), pile);
        object.insert("hands".into(), hands.into());
        object.insert("columns".into(), columns.into());
        object.insert("gone".into(), public.gone[..kinds].into());
        object.insert("scores".into(), public.scores.as_slice().into());
        Value::Object(object)
    }

    pub(super) fn write_state(&self, state: &State) -> Value {
        let hands = state.hands.iter().map(|hand| self.names(hand)).collect();
        self.to_json(&state.public, state.pile[..self.kinds.len()].into(), hands)
    }

    pub(super) fn write_observation(&self, observation: &Observation) -> Value {
        let hands = observation
            .hands
            .iter()
            .map(|hand| match hand {
                Hand::Open(counts) => self.names(counts),
                Hand::Hidden(size) => vec![Value::Null; *size].into(),
            })
            .collect();
        self.to_json(&observation.public, Value::Null, hands)
    }

    fn read_counts(&self, node: &Node<'_>) -> Result<Counts, DataError> {
        let mut counts = Counts::default();
        for (kind, entry) in node.list(self.kinds.len(), self.kinds.len())?.iter().enumerate() {
            counts[kind] = entry.integer(0, i64::from(self.kinds[kind].count))? as u8;
        }
        Ok(counts)
    }

    fn read_kind(&self, node: &Node<'_>) -> Result<u8, DataError> {
        let names: Vec<&str> = self.kinds.iter().map(|kind| kind.name.as_str()).collect();
        Ok(node.one_of(&names)? as u8)
    }

    pub(super) fn read_hand(&self, node: &Node<'_>) -> Result<Counts, DataError> {
        let mut counts = Counts::default();
        let mut last = 0;
        for entry in node.list(0, HAND)? {
            let kind = self.read_kind(&entry)?;
            if kind < last {
                return Err(node.error("a hand sorted by kind"));
            }
            last = kind;
            counts[usize::from(kind)] += 1;
        }
        Ok(counts)
    }

    /// Reads everything; hands that are hidden come back as `None` with their size.
    #[allow(clippy::type_complexity)]
    fn read(&self, value: &Value, viewer: Option<Player>) -> Result<(Public, Option<Counts>, ByPlayer<Hand>), DataError> {
        let mut fields = Node::root(value).object()?;
        let header = read_state_header(self, &mut fields)?;
        let pile = fields.required("pile")?;
        let pile = match viewer {
            None => Some(self.read_counts(&pile)?),
            Some(_) if pile.is_null() => None,
            Some(_) => return Err(pile.error("null")),
        };
        let mut hands = ByPlayer::new();
        for (seat, node) in fields.required("hands")?.list(self.players, self.players)?.iter().enumerate() {
            let is_open = viewer.is_none_or(|viewer| viewer.index() == seat);
            hands.push(if is_open { Hand::Open(self.read_hand(node)?) } else { Hand::Hidden(read_hidden(node)?) });
        }
        let mut columns = ArrayVec::new();
        for node in fields.required("columns")?.list(self.columns, self.columns)? {
            let mut column = node.object()?;
            let mut pebbles = ArrayVec::new();
            for entry in column.required("pebbles")?.list(0, FULL)? {
                pebbles.push(self.read_kind(&entry)?);
            }
            columns.push(Column { pebbles, closed: column.required("closed")?.boolean()? });
            column.finish()?;
        }
        let gone = self.read_counts(&fields.required("gone")?)?;
        let scores = fields
            .required("scores")?
            .list(self.players, self.players)?
            .iter()
            .map(|node| Ok(node.integer(0, 100_000)? as i32))
            .collect::<Result<ByPlayer<i32>, DataError>>()?;
        fields.finish()?;
        let phase = Phase::ALL[header.phase];
        // The seat that draws is not in the JSON: it is the first with too few pebbles.
        let sizes = hands.iter().map(|hand| match hand {
            Hand::Open(counts) => size(counts),
            Hand::Hidden(size) => *size,
        });
        let drawer = sizes.into_iter().position(|size| size < HAND).unwrap_or(0);
        let player = match header.turn {
            Turn::Player(player) => player,
            Turn::Chance => Player::new(drawer),
            Turn::Over => Player(0),
        };
        let public = Public { ply: header.ply, phase, player, columns, gone, scores };
        if public.turn() != header.turn {
            return Err(DataError::new("phase", phase.word(), format!("a phase of a {} node", header.turn.node())));
        }
        Ok((public, pile, hands))
    }

    pub(super) fn read_state(&self, value: &Value) -> Result<State, StateError> {
        let (public, pile, hands) = self.read(value, None)?;
        let open = |hand| match hand {
            Hand::Open(counts) => counts,
            Hand::Hidden(_) => Counts::default(),
        };
        let state = State { public, pile: pile.unwrap_or_default(), hands: hands.into_iter().map(open).collect() };
        match self.check_invariants(&state) {
            Ok(()) => Ok(state),
            Err(broken) => Err(StateError::new("", "an impossible state", broken)),
        }
    }

    pub(super) fn read_observation(&self, value: &Value, viewer: Player) -> Result<Observation, StateError> {
        let (public, _, hands) = self.read(value, Some(viewer))?;
        let observation = Observation { viewer, public, hands };
        // What fits an observation is possible exactly if one way to fill in the hidden part is.
        let world = self.fill(&observation, |_| {});
        match world.and_then(|world| self.check_invariants(&world)) {
            Ok(()) => Ok(observation),
            Err(broken) => Err(StateError::new("", "an impossible observation", broken)),
        }
    }
}

fn read_hidden(node: &Node<'_>) -> Result<usize, DataError> {
    let entries = node.list(0, HAND)?;
    match entries.iter().find(|entry| !entry.is_null()) {
        None => Ok(entries.len()),
        Some(entry) => Err(entry.error("null")),
    }
}
