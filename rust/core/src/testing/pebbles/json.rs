//! States and observations as JSON (PB-9), and which bytes they are.

use arrayvec::ArrayVec;
use serde_json::{Value, json};

use crate::bytes::{ByteReader, ByteSink};
use crate::contract::{Audit, Data, Rules, read_state_header, state_header};
use crate::data::Node;
use crate::error::{DataError, StateError};
use crate::names::Named;
use crate::player::{ByPlayer, Player, Turn};

use super::components::Counts;
use super::game::Game;
use super::observation::{Hand, Observation};
use super::state::{Column, FULL, HAND, Phase, Public, State, size};

impl Data for Game {
    fn state_to_json(&self, state: &State) -> Value {
        let hands = state.hands.iter().map(|hand| self.hand_to_json(hand)).collect();
        self.to_json(&state.public, state.pile[..self.components.kinds.len()].into(), hands)
    }

    fn state_from_json(&self, value: &Value) -> Result<State, StateError> {
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

    fn observation_to_json(&self, observation: &Observation) -> Value {
        let hands = observation.hands.iter().map(|hand| match hand {
            Hand::Open(counts) => self.hand_to_json(counts),
            Hand::Hidden(size) => vec![Value::Null; *size].into(),
        });
        self.to_json(&observation.public, Value::Null, hands.collect())
    }

    fn observation_from_json(&self, value: &Value, player: Player) -> Result<Observation, StateError> {
        let (public, _, hands) = self.read(value, Some(player))?;
        self.possible(Observation { viewer: player, public, hands })
    }

    /// The hands of a deal (PB-3): `{"hands": [["amber", "onyx"], ...]}`.
    fn state_from_position(&self, position: &Value) -> Result<State, StateError> {
        let mut fields = Node::root(position).object()?;
        let hands = fields.required("hands")?.list(self.players, self.players)?;
        let mut state = self.new_state();
        for (seat, node) in hands.iter().enumerate() {
            let hand = self.hand_from_json(node)?;
            if size(&hand) != HAND {
                return Err(node.error("two pebbles").into());
            }
            for (kind, count) in hand.into_iter().enumerate() {
                let left = state.pile[kind].checked_sub(count).ok_or_else(|| node.error("pebbles that are there"))?;
                state.pile[kind] = left;
            }
            state.hands[seat] = hand;
        }
        fields.finish()?;
        state.public.phase = Phase::Drop;
        Ok(state)
    }

    fn write_bytes(&self, state: &State, out: &mut impl ByteSink) {
        self.write_public(&state.public, out);
        self.write_counts(&state.pile, out);
        state.hands.iter().for_each(|hand| self.write_counts(hand, out));
    }

    /// A small game can afford to check every invariant. A large one checks ranges, and what its own code relies on.
    fn read_bytes(&self, bytes: &mut ByteReader<'_>) -> Result<State, StateError> {
        let public = self.read_public(bytes)?;
        let pile = self.read_counts(bytes)?;
        let hands = (0..self.players).map(|_| self.read_counts(bytes)).collect::<Result<_, StateError>>()?;
        let state = State { public, pile, hands };
        match self.check_invariants(&state) {
            Ok(()) => Ok(state),
            Err(broken) => Err(StateError::new("bytes", "an impossible state", broken)),
        }
    }

    fn write_observation_bytes(&self, observation: &Observation, out: &mut impl ByteSink) {
        out.u8(observation.viewer.0);
        self.write_public(&observation.public, out);
        for hand in &observation.hands {
            match hand {
                Hand::Open(counts) => self.write_counts(counts, out),
                Hand::Hidden(size) => out.u8(*size as u8),
            }
        }
    }

    fn read_observation_bytes(&self, bytes: &mut ByteReader<'_>) -> Result<Observation, StateError> {
        let viewer = Player(bytes.below("player", self.players)?);
        let public = self.read_public(bytes)?;
        let mut hand = |seat: Player| {
            if seat == viewer {
                self.read_counts(bytes).map(Hand::Open)
            } else {
                Ok(Hand::Hidden(bytes.below("hand", HAND + 1)?.into()))
            }
        };
        let hands = Player::all(self.players).map(&mut hand).collect::<Result<_, StateError>>()?;
        self.possible(Observation { viewer, public, hands })
    }
}

impl Game {
    fn to_json(&self, public: &Public, pile: Value, hands: Vec<Value>) -> Value {
        let columns: Vec<Value> = public
            .columns
            .iter()
            .map(|column| {
                let names: Vec<&str> =
                    column.pebbles.iter().map(|&kind| self.components.kinds[usize::from(kind)].name.as_str()).collect();
                json!({"pebbles": names, "closed": column.closed})
            })
            .collect();
        let mut object = state_header(self, public.ply, public.turn(), public.phase.name());
        object.insert("pile".into(), pile);
        object.insert("hands".into(), hands.into());
        object.insert("columns".into(), columns.into());
        object.insert("gone".into(), public.gone[..self.components.kinds.len()].into());
        object.insert("scores".into(), public.scores.as_slice().into());
        Value::Object(object)
    }

    fn hand_to_json(&self, counts: &Counts) -> Value {
        let copies = |(kind, &count): (&super::components::Kind, &u8)| vec![Value::from(kind.name.as_str()); count.into()];
        self.components.kinds.iter().zip(counts).flat_map(copies).collect()
    }

    /// Reads the kind of one pebble.
    fn kind_from_json(&self, node: &Node<'_>) -> Result<u8, DataError> {
        let names: Vec<&str> = self.components.kinds.iter().map(|kind| kind.name.as_str()).collect();
        Ok(node.one_of(&names)? as u8)
    }

    /// Reads the names of a hand, sorted by kind.
    fn hand_from_json(&self, node: &Node<'_>) -> Result<Counts, DataError> {
        let mut counts = Counts::default();
        for kind in node.sorted_list(0, HAND, |entry| self.kind_from_json(entry))? {
            counts[usize::from(kind)] += 1;
        }
        Ok(counts)
    }

    fn counts_from_json(&self, node: &Node<'_>) -> Result<Counts, DataError> {
        let kinds = &self.components.kinds;
        let mut counts = Counts::default();
        for (kind, entry) in node.list(kinds.len(), kinds.len())?.iter().enumerate() {
            counts[kind] = entry.integer(0, kinds[kind].count.into())? as u8;
        }
        Ok(counts)
    }

    fn column_from_json(&self, node: &Node<'_>) -> Result<Column, DataError> {
        let mut fields = node.object()?;
        let pebbles = fields.required("pebbles")?.list(0, FULL)?;
        let pebbles = pebbles.iter().map(|entry| self.kind_from_json(entry)).collect::<Result<_, DataError>>()?;
        let column = Column { pebbles, closed: fields.required("closed")?.boolean()? };
        fields.finish()?;
        Ok(column)
    }

    /// Reads a state, or what `viewer` sees of one: then the pile is `null`, and so are the pebbles of other hands.
    fn read(&self, value: &Value, viewer: Option<Player>) -> Result<(Public, Option<Counts>, ByPlayer<Hand>), DataError> {
        let mut fields = Node::root(value).object()?;
        let header = read_state_header(self, &mut fields)?;
        let pile = fields.required("pile")?;
        let pile = match viewer {
            None => Some(self.counts_from_json(&pile)?),
            Some(_) if pile.is_null() => None,
            Some(_) => return Err(pile.error("null")),
        };
        let mut hands = ByPlayer::new();
        for (seat, node) in fields.required("hands")?.list(self.players, self.players)?.iter().enumerate() {
            let is_open = viewer.is_none_or(|viewer| viewer.index() == seat);
            hands.push(if is_open { Hand::Open(self.hand_from_json(node)?) } else { Hand::Hidden(node.hidden_list(HAND)?) });
        }
        let columns = fields.required("columns")?.list(self.settings.columns, self.settings.columns)?;
        let columns = columns.iter().map(|node| self.column_from_json(node)).collect::<Result<ArrayVec<_, _>, DataError>>()?;
        let gone = self.counts_from_json(&fields.required("gone")?)?;
        let scores = fields.required("scores")?.list(self.players, self.players)?;
        let scores = scores.iter().map(|node| Ok(node.integer(0, 100_000)? as i32)).collect::<Result<_, DataError>>()?;
        fields.finish()?;
        let phase = Phase::ALL[header.phase];
        let player = match header.turn {
            Turn::Player(player) => player,
            // The seat that draws is not in the JSON: it is the first with too few pebbles.
            Turn::Chance => Player::new(hands.iter().position(|hand| hand.size() < HAND).unwrap_or(0)),
            Turn::Over => Player(0),
        };
        let public = Public { ply: header.ply, phase, player, columns, gone, scores };
        if public.turn() != header.turn {
            return Err(DataError::new("phase", phase.name(), format!("a phase of a {} node", header.turn.node())));
        }
        Ok((public, pile, hands))
    }

    /// The observation, if there is a state that looks like that: one way to fill in the hidden part stands for all.
    fn possible(&self, observation: Observation) -> Result<Observation, StateError> {
        match self.fill(&observation, |_| {}).and_then(|world| self.check_invariants(&world)) {
            Ok(()) => Ok(observation),
            Err(broken) => Err(StateError::new("", "an impossible observation", broken)),
        }
    }
}
