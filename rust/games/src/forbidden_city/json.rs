//! States, observations and positions as JSON (FC-9, FC-4.3 to FC-4.5).

use serde_json::{Map, Value, json};

use forbidden_games_core::bytes::{ByteReader, ByteSink};
use forbidden_games_core::contract::{self, Data, Rules, Setup};
use forbidden_games_core::data::{Node, display};
use forbidden_games_core::error::{DataError, StateError};
use forbidden_games_core::event::NoEvents;
use forbidden_games_core::options::{self, ComponentSource};
use forbidden_games_core::player::{Player, Turn};

use super::apply::Touched;
use super::components::{Components, FLOORS};
use super::game::Game;
use super::observation::Observation;
use super::options::option_schema;
use super::rooms::Room;
use super::state::{NONE, Phase, State};
use super::validate::MAX_POSITION_COINS;

impl Data for Game {
    fn state_to_json(&self, state: &State) -> Value {
        let players = self.players();
        let rooms: Value = self.rooms(state.table()).iter().map(|room| self.room_json(room)).collect();
        let mut map = contract::state_header(self, u32::from(state.ply), self.turn(state), self.phase(state));
        map.insert("turn".into(), if state.turn == NONE { Value::Null } else { state.turn.into() });
        map.insert("coins".into(), state.coins[..players].to_vec().into());
        let hands: Vec<Value> = state.hands[..players].iter().map(|&hand| self.kind_json(hand)).collect();
        map.insert("hands".into(), hands.into());
        let unplayed: Vec<Value> = (0..players).map(|seat| self.counts_json(state.unplayed(seat))).collect();
        map.insert("unplayed".into(), unplayed.into());
        let mut laid = state.table().laid.to_vec();
        laid.sort_unstable_by_key(|laid| laid.place);
        let board: Vec<Value> = laid
            .iter()
            .map(|laid| {
                let (x, y) = self.coordinates(laid.space());
                json!([x, y, self.kind_json(laid.kind() as u8), laid.seat(), laid.rotation()])
            })
            .collect();
        map.insert("board".into(), board.into());
        let mut discarded: Vec<Value> = Vec::new();
        for seat in 0..players {
            for (kind, copies) in self.discarded(state, seat).into_iter().enumerate() {
                discarded.extend((0..copies).map(|_| json!([seat, self.kind_json(kind as u8)])));
            }
        }
        map.insert("discarded".into(), discarded.into());
        map.insert("rooms".into(), rooms);
        Value::Object(map)
    }

    fn state_from_json(&self, value: &Value) -> Result<State, StateError> {
        Ok(self.read_state(value, None)?)
    }

    fn observation_to_json(&self, observation: &Observation) -> Value {
        self.state_to_json(&observation.seen)
    }

    fn observation_from_json(&self, value: &Value, player: Player) -> Result<Observation, StateError> {
        if player.index() >= self.players() {
            return Err(StateError::new("player", player.to_string(), format!("a seat below {}", self.players())));
        }
        Ok(Observation { player, seen: self.read_state(value, Some(player.index()))? })
    }

    fn state_from_position(&self, position: &Value) -> Result<State, StateError> {
        Ok(self.read_position(position)?)
    }

    fn write_bytes(&self, state: &State, out: &mut impl ByteSink) {
        self.write_bytes(state, out);
    }

    fn read_bytes(&self, bytes: &mut ByteReader<'_>) -> Result<State, StateError> {
        self.read_bytes(bytes)
    }

    fn write_observation_bytes(&self, observation: &Observation, out: &mut impl ByteSink) {
        self.write_observation_bytes(observation, out);
    }

    fn read_observation_bytes(&self, bytes: &mut ByteReader<'_>) -> Result<Observation, StateError> {
        self.read_observation_bytes(bytes)
    }
}

impl Game {
    fn kind_json(&self, kind: u8) -> Value {
        if kind == NONE { Value::Null } else { self.kinds()[usize::from(kind)].id.clone().into() }
    }

    fn counts_json(&self, counts: &[u8]) -> Value {
        let kinds = self.kinds().iter().zip(counts);
        Value::Object(kinds.filter(|(_, copies)| **copies > 0).map(|(kind, &copies)| (kind.id.clone(), copies.into())).collect())
    }

    fn room_json(&self, room: &Room) -> Value {
        let cells: Vec<Value> = room
            .cells
            .iter()
            .map(|&(space, part)| {
                let (x, y) = self.coordinates(space);
                json!([x, y, part])
            })
            .collect();
        json!({
            "floor": FLOORS[usize::from(room.total.floor)],
            "cells": cells,
            "closed": room.open == 0,
            "open": room.open,
            "tiles": room.total.tiles,
            "dragons": room.total.dragons,
            "advisors": room.total.advisors[..self.players()].to_vec(),
            "links": room.links,
            "temple": room.total.temple,
            "value": room.total.value,
        })
    }

    /// Reads a state; with a `viewer` what that seat sees, where the other hands are `null`.
    fn read_state(&self, value: &Value, viewer: Option<usize>) -> Result<State, DataError> {
        let players = self.players();
        let node = Node::root(value);
        let mut fields = node.object()?;
        let header = contract::read_state_header(self, &mut fields)?;
        let mut state = self.tables.start.clone();
        state.phase = [Phase::Deal, Phase::Place, Phase::Draw, Phase::End][header.phase];
        let turn = fields.required("turn")?;
        state.turn = match (state.phase, turn.is_null()) {
            (Phase::End, true) => NONE,
            (Phase::End, false) => return Err(turn.error("null at the end")),
            _ => turn.index(players)? as u8,
        };
        let fits = match state.phase {
            Phase::Deal | Phase::Draw => header.turn == Turn::Chance,
            Phase::Place => header.turn == Turn::Player(Player(state.turn)),
            Phase::End => header.turn == Turn::Over,
        };
        if !fits {
            return Err(DataError::new("node", header.turn.node(), "node and player that fit phase and turn"));
        }
        let most = self.most_coins(header.ply as usize, state.phase).into();
        for (seat, coins) in fields.required("coins")?.list(players, players)?.iter().enumerate() {
            state.coins[seat] = coins.integer(0, most)? as i32;
        }
        let hands = fields.required("hands")?.list(players, players)?;
        for (seat, hand) in hands.iter().enumerate() {
            if !hand.is_null() {
                state.hands[seat] = self.read_kind(hand)? as u8;
            }
        }
        let unplayed = fields.required("unplayed")?;
        let board = fields.required("board")?;
        let discarded = fields.required("discarded")?;
        let rooms = fields.required("rooms")?;
        fields.finish()?;
        self.read_board(&mut state, &board)?;
        for entry in discarded.list(0, self.settings.most_plies())? {
            let pair = entry.list(2, 2)?;
            let (seat, kind) = (pair[0].index(players)?, self.read_kind(&pair[1])?);
            self.use_up(&mut state, seat, kind, &entry)?;
        }
        let ply = self.settings.most_plies() - (0..players).map(|seat| usize::from(state.left[seat]) - 2).sum::<usize>();
        if ply != header.ply as usize {
            return Err(DataError::new("ply", header.ply.to_string(), format!("{ply}, the tiles laid and discarded (FC-12.2)")));
        }
        state.ply = ply as u16;
        for seat in 0..players {
            self.check_hand(&state, seat)?;
        }
        self.check_phase(&state, viewer)?;
        self.check_coins(&state)?;
        // What follows from the rest, and the order of every list, must be as the engine writes it.
        let written = self.state_to_json(&state);
        for node in [&board, &discarded, &unplayed, &rooms] {
            same(node, &written[node.path.as_str()], 3)?;
        }
        Ok(state)
    }

    fn read_kind(&self, node: &Node<'_>) -> Result<usize, DataError> {
        let kinds = &self.kinds();
        node.text()
            .ok()
            .and_then(|id| kinds.iter().position(|kind| kind.id == id))
            .ok_or_else(|| node.error(format!("a kind of {}, written as there", self.settings.components.name)))
    }

    /// Takes a tile from a seat's unplayed ones, for a list that says it was laid or discarded.
    fn use_up(&self, state: &mut State, seat: usize, kind: usize, node: &Node<'_>) -> Result<(), DataError> {
        if state.unplayed(seat)[kind] == 0 {
            return Err(node.error(format!("a tile that seat {seat} still has unplayed (FC-4.4)")));
        }
        if state.left[seat] <= 2 {
            return Err(node.error(format!("at least two unplayed tiles left of seat {seat} (FC-4.4)")));
        }
        state.take(seat, kind);
        Ok(())
    }

    /// Reads `[x, y, kind, seat, rotation]`.
    fn read_placement(&self, node: &Node<'_>) -> Result<(u16, u8, usize, usize), DataError> {
        let entry = node.list(5, 5)?;
        let half = i64::from(self.half());
        let x = entry[0].integer(-half, half)? as i32;
        let y = entry[1].integer(-half, half)? as i32;
        let space = self.space_at(x, y).ok_or_else(|| node.error("a space on the table"))?;
        let kind = self.read_kind(&entry[2])?;
        let seat = entry[3].index(self.players())?;
        Ok((space, entry[4].integer(0, 3)? as u8, kind, seat))
    }

    /// Lays the tiles of a finished board in an order in which each touches an occupied space.
    fn read_board(&self, state: &mut State, board: &Node<'_>) -> Result<(), DataError> {
        let mut waiting = Vec::new();
        for entry in board.list(0, self.settings.most_plies())? {
            let placement = self.read_placement(&entry)?;
            self.use_up(state, placement.3, placement.2, &entry)?;
            waiting.push((entry, placement));
        }
        while !waiting.is_empty() {
            let before = waiting.len();
            let mut still = Vec::new();
            for (entry, (space, rotation, kind, seat)) in waiting {
                if state.table().frontier_index(space).is_err()
                    && self.tables.start_index(space).is_none()
                    && state.table().find(space).is_none()
                {
                    still.push((entry, (space, rotation, kind, seat)));
                    continue;
                }
                self.check_placement(state, space, rotation, kind).map_err(|refusal| entry.error(refusal.to_string()))?;
                self.lay(state, (space, rotation), kind, seat, &mut Touched::new());
            }
            if still.len() == before {
                return Err(still[0].0.error("a space connected to the start tile by laid tiles (FC-5.3)"));
            }
            waiting = still;
        }
        Ok(())
    }

    fn read_position(&self, value: &Value) -> Result<State, DataError> {
        let players = self.players();
        let node = Node::root(value);
        let mut fields = node.object()?;
        fields.required("game")?.one_of(&[Self::INFO.name])?;
        fields.required("players")?.integer(players as i64, players as i64)?;
        let given = fields.required("options")?;
        let components = fields.optional("components");
        self.check_options(&given, components.as_ref())?;
        let placements = fields.required("placements")?;
        let discarded = fields.optional("discarded");
        let hands = fields.optional("hands");
        let turn = fields.optional("turn");
        let coins = fields.optional("coins");
        fields.finish()?;

        let mut state = self.tables.start.clone();
        let most = self.settings.most_plies();
        for entry in placements.list(0, most)? {
            let (space, rotation, kind, seat) = self.read_placement(&entry)?;
            self.check_placement(&state, space, rotation, kind).map_err(|refusal| entry.error(refusal.to_string()))?;
            self.use_up(&mut state, seat, kind, &entry)?;
            self.lay_and_pay(&mut state, (space, rotation), kind, seat, &mut NoEvents);
            state.ply += 1;
        }
        for entry in discarded.map_or(Ok(Vec::new()), |node| node.list(0, most))? {
            let pair = entry.list(2, 2)?;
            let (seat, kind) = (pair[0].index(players)?, self.read_kind(&pair[1])?);
            self.use_up(&mut state, seat, kind, &entry)?;
            state.ply += 1;
        }
        for (seat, hand) in hands.map_or(Ok(Vec::new()), |node| node.list(players, players))?.iter().enumerate() {
            if !hand.is_null() {
                state.hands[seat] = self.read_kind(hand)? as u8;
                self.check_hand(&state, seat)?;
            }
        }
        state.turn = turn.as_ref().map_or(Ok(0), |node| node.index(players))? as u8;
        if state.left[usize::from(state.turn)] <= 2 && state.left[..players].iter().any(|&left| left > 2) {
            return Err(DataError::new(
                "turn",
                state.turn.to_string(),
                "a seat that has not finished: more than two unplayed tiles (FC-4.4)",
            ));
        }
        for (seat, node) in coins.map_or(Ok(Vec::new()), |node| node.list(players, players))?.iter().enumerate() {
            state.coins[seat] = node.integer(0, i64::from(MAX_POSITION_COINS))? as i32;
        }
        self.begin(&mut state);
        Ok(state)
    }

    /// `options` and `components` of a position must mean this very game.
    fn check_options(&self, given: &Node<'_>, components: Option<&Node<'_>>) -> Result<(), DataError> {
        let mut options = given.value.as_object().ok_or_else(|| given.error("an object"))?.clone();
        let own = &self.settings.components;
        if let Some(node) = components {
            let same = match ComponentSource::from_json(node.value) {
                ComponentSource::Name(name) => name == own.name && own.own.is_none(),
                ComponentSource::Set(set) => {
                    let set = Components::read(&Node { path: node.path.clone(), value: &set })?;
                    own.own.is_some() && Components { own: own.own.clone(), ..set } == *own
                }
            };
            if !same {
                return Err(node.error(format!("the set of this game, {}", display(&self.settings.components()))));
            }
            options.entry("components").or_insert_with(|| own.name.clone().into());
        }
        let complete = options::complete(&option_schema(), &options)
            .map_err(|error| DataError::new(format!("options.{}", error.option), error.found, error.expected))?;
        let mine: Map<String, Value> = self.settings.options();
        match mine.iter().find(|(name, value)| complete[name.as_str()] != **value) {
            None => Ok(()),
            Some((name, value)) => {
                let key = format!("options.{name}");
                Err(DataError::new(key, display(&complete[name.as_str()]), format!("{value}, the option of this game")))
            }
        }
    }
}

/// Checks that a value is exactly `expected`, naming the first difference at most `depth` keys deep.
fn same(node: &Node<'_>, expected: &Value, depth: usize) -> Result<(), DataError> {
    if node.value == expected {
        return Ok(());
    }
    if depth > 0 {
        match (node.value, expected) {
            (Value::Array(items), Value::Array(others)) if items.len() == others.len() => {
                for (item, other) in node.list(0, items.len())?.iter().zip(others) {
                    same(item, other, depth - 1)?;
                }
            }
            (Value::Object(items), Value::Object(others)) if items.len() == others.len() => {
                for (key, item) in node.entries()? {
                    match others.get(key) {
                        Some(other) => same(&item, other, depth - 1)?,
                        None => return Err(node.error(display(expected))),
                    }
                }
            }
            _ => {}
        }
    }
    Err(node.error(display(expected)))
}
