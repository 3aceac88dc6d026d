//! The state as JSON (section 9) and back, with every check.

use forbidden_games_core::bytes::{ByteReader, ByteSink};
use forbidden_games_core::contract::{Data, Rules, read_state_header, state_header};
use forbidden_games_core::data::{Fields, Node, display};
use forbidden_games_core::error::{DataError, StateError};
use forbidden_games_core::geometry::square::Grid;
use forbidden_games_core::player::Player;
use serde_json::{Map, Value};

use super::bounds::MAX_POSITION_VP;
use super::cards::{CardSet, Dragon, Spirit, Window};
use super::game::Game;
use super::observation::Observation;
use super::squares::squares;
use super::state::{FirstPick, Lifted, Phase, RealmStack, Stack, State, TurnState};

/// More VP than any state can have; how many it can have is checked afterwards (DC-12.10).
const MAX_VP: i64 = 4_000_000;

impl Data for Game {
    fn state_to_json(&self, state: &State) -> Value {
        let mut map = state_header(self, state.ply, self.turn(state), state.phase.name());
        self.body_to_json(state, &mut map);
        Value::Object(map)
    }

    fn state_from_json(&self, value: &Value) -> Result<State, StateError> {
        let mut fields = Node::root(value).object()?;
        let header = read_state_header(self, &mut fields)?;
        let mut state = self.new_state();
        state.ply = header.ply;
        state.phase = Phase::from_index(header.phase);
        self.read_body(&mut fields, &mut state)?;
        fields.finish()?;
        let turn = self.turn(&state);
        if turn != header.turn {
            return Err(StateError::new(
                "node",
                format!("{} in phase {}", header.turn.node(), state.phase.name()),
                format!("{} with player {:?}", turn.node(), turn.player().map(|player| player.0)),
            ));
        }
        self.validate(&state).map_err(|broken| StateError::new(broken.key, broken.reason, broken.rule))?;
        // What a state does not hold but its JSON shows (waiting sets, the last round) must be what follows from the rest.
        compare("", &self.state_to_json(&state), value)?;
        Ok(state)
    }

    fn observation_to_json(&self, observation: &Observation) -> Value {
        self.state_to_json(&observation.state)
    }

    fn observation_from_json(&self, value: &Value, player: Player) -> Result<Observation, StateError> {
        Ok(Observation { player, state: self.state_from_json(value)? })
    }

    /// Reads a position (DC-9.5).
    fn state_from_position(&self, position: &Value) -> Result<State, StateError> {
        let state = self.state_from_json(position)?;
        if state.phase != Phase::Turn {
            return Err(StateError::new("phase", state.phase.name(), "turn: a position is the start of a turn (DC-9.5)"));
        }
        if state.turn != (TurnState { seat: state.turn.seat, ..TurnState::default() }) {
            let expected = "the start of a turn, with nothing but seat set (DC-9.5)";
            return Err(StateError::new("turn", display(&position["turn"]), expected));
        }
        if i64::from(state.ply) > MAX_POSITION_VP {
            return Err(StateError::new("ply", state.ply.to_string(), format!("at most {MAX_POSITION_VP} (DC-9.5)")));
        }
        if let Some(vp) = state.vp.iter().find(|&&vp| i64::from(vp) > MAX_POSITION_VP) {
            return Err(StateError::new("vp", vp.to_string(), format!("at most {MAX_POSITION_VP} (DC-9.5)")));
        }
        Ok(state)
    }

    fn write_bytes(&self, state: &State, out: &mut impl ByteSink) {
        self.write_bytes(state, out);
    }

    fn read_bytes(&self, bytes: &mut ByteReader<'_>) -> Result<State, StateError> {
        self.read_bytes(bytes)
    }

    fn write_observation_bytes(&self, observation: &Observation, out: &mut impl ByteSink) {
        out.u8(observation.player.0);
        self.write_bytes(&observation.state, out);
    }

    fn read_observation_bytes(&self, bytes: &mut ByteReader<'_>) -> Result<Observation, StateError> {
        let player = Player(bytes.below("player", self.num_players())?);
        Ok(Observation { player, state: self.read_bytes(bytes)? })
    }
}

impl Game {
    fn top_to_json(&self, top: u16) -> Value {
        match top {
            0 => Value::from("down"),
            _ => Value::from(self.settings.components.symbol_text(top - 1)),
        }
    }

    fn realm_square_json(&self, square: Option<u8>) -> Value {
        square.map_or(Value::Null, |square| Value::from(self.realm_square(square)))
    }

    fn realm_list(&self, mask: u64) -> Value {
        squares(mask).map(|square| Value::from(self.tables.realm.grid.format(square))).collect()
    }

    /// Everything after the header.
    fn body_to_json(&self, state: &State, map: &mut Map<String, Value>) {
        let players = self.settings.players;
        let castle_square = |stack: &Stack| match stack.height() {
            0 => Value::Null,
            height => {
                let symbol = stack.symbol().map_or(Value::Null, |symbol| Value::from(self.settings.components.symbol_text(symbol)));
                Value::from(vec![Value::from(height), symbol])
            }
        };
        let rows = |squares: Vec<Value>, columns: usize| -> Value {
            squares.chunks(columns).map(|row| Value::from(row.to_vec())).collect()
        };
        let castle = state.castle[..self.tables.castle.len()].iter().map(castle_square).collect();
        map.insert("castle".into(), rows(castle, self.tables.castle.columns));
        let counts = self.settings.components.symbols.iter().zip(&*state.unrevealed);
        map.insert(
            "unrevealed".into(),
            Value::Object(counts.map(|(symbol, &count)| (symbol.text.clone(), count.into())).collect()),
        );
        let realms = (0..players).map(|seat| {
            let shrines = state.masks[seat].shrines;
            let square = |(square, stack): (usize, &RealmStack)| match stack.height {
                0 => Value::Null,
                height => Value::from(vec![Value::from(height), self.top_to_json(stack.top), Value::from(shrines >> square & 1)]),
            };
            rows(self.realm(state, seat).iter().enumerate().map(square).collect(), self.tables.realm.grid.columns)
        });
        map.insert("realms".into(), realms.collect());
        map.insert("pools".into(), state.pools[..players].into());
        map.insert("supply".into(), state.supply.into());
        map.insert("vp".into(), state.vp[..players].into());
        map.insert("countdown".into(), state.countdown[..players].into());
        map.insert("tokens".into(), state.tokens.into());
        map.insert("last_round".into(), (state.tokens_taken() >= players).into());
        map.insert("discards".into(), state.discards.into());
        map.insert("spirits".into(), state.spirits.spirits().map(Spirit::name).collect());
        map.insert("dragons".into(), state.dragons.dragons().map(Dragon::name).collect());
        map.insert("turn".into(), self.turn_to_json(state));
    }

    fn turn_to_json(&self, state: &State) -> Value {
        let turn = &state.turn;
        let mut map = Map::new();
        map.insert("seat".into(), turn.seat.into());
        map.insert("used".into(), turn.used.spirits().map(Spirit::name).collect());
        map.insert("elegance".into(), turn.elegance.into());
        map.insert("bound".into(), turn.bound.map_or(Value::Null, |card| card.name().into()));
        let first = turn.first.map_or(Value::Null, |first| {
            Value::from(vec![Value::from(self.castle_square(first.square)), Value::from(first.floor)])
        });
        map.insert("first".into(), first);
        map.insert(
            "hand".into(),
            turn.hand.as_slice().iter().map(|&symbol| self.settings.components.symbol_text(symbol)).collect(),
        );
        map.insert("after".into(), self.realm_square_json(turn.after));
        let pending = self.split_sets(state, state.seat(), turn.pending).map(|set| self.realm_list(set));
        map.insert("pending".into(), pending.collect());
        map.insert("set".into(), self.realm_list(turn.set));
        map.insert("builds".into(), turn.builds.into());
        map.insert("must".into(), turn.must.into());
        map.insert("resume".into(), turn.resume.map_or(Value::Null, |window| window.name().into()));
        let lifted = turn.lifted.map_or(Value::Null, |lifted| {
            Value::from(vec![Value::from(self.realm_square(lifted.square)), self.top_to_json(lifted.top)])
        });
        map.insert("lifted".into(), lifted);
        map.insert("moved".into(), self.realm_square_json(turn.moved));
        map.insert("from".into(), self.realm_square_json(turn.from));
        Value::Object(map)
    }
}

/// Finds the first place where what was given differs from the canonical form.
fn compare(path: &str, canonical: &Value, given: &Value) -> Result<(), DataError> {
    if canonical == given {
        return Ok(());
    }
    match (canonical, given) {
        (Value::Object(canonical), Value::Object(given)) => {
            for (key, expected) in canonical {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                compare(&path, expected, given.get(key).unwrap_or(&Value::Null))?;
            }
            Ok(())
        }
        (Value::Array(canonical), Value::Array(given)) if canonical.len() == given.len() => {
            for (i, (expected, found)) in canonical.iter().zip(given).enumerate() {
                compare(&format!("{path}[{i}]"), expected, found)?;
            }
            Ok(())
        }
        _ => Err(DataError::new(path, display(given), display(canonical))),
    }
}

impl Game {
    fn read_body(&self, fields: &mut Fields<'_>, state: &mut State) -> Result<(), DataError> {
        let shrines = i64::from(self.settings.components.shrines);
        let tokens = i64::from(self.settings.components.tokens);
        self.read_castle(&fields.required("castle")?, state)?;
        self.read_unrevealed(&fields.required("unrevealed")?, state)?;
        self.read_realms(&fields.required("realms")?, state)?;
        for (pool, node) in
            state.pools.iter_mut().zip(fields.required("pools")?.list(self.settings.players, self.settings.players)?)
        {
            *pool = node.integer(0, shrines)? as u16;
        }
        state.supply = fields.required("supply")?.integer(0, shrines)? as u16;
        for (vp, node) in state.vp.iter_mut().zip(fields.required("vp")?.list(self.settings.players, self.settings.players)?) {
            *vp = node.integer(0, MAX_VP)? as i32;
        }
        for (taken, node) in
            state.countdown.iter_mut().zip(fields.required("countdown")?.list(self.settings.players, self.settings.players)?)
        {
            *taken = node.integer(0, tokens)? as u8;
        }
        state.tokens = fields.required("tokens")?.integer(0, tokens)? as u8;
        fields.required("last_round")?.boolean()?;
        state.discards = fields.required("discards")?.integer(0, i64::from(self.settings.components.tiles))? as u16;
        state.spirits = read_cards(&fields.required("spirits")?, &Spirit::ALL.map(Spirit::name))?;
        state.dragons = read_cards(&fields.required("dragons")?, &Dragon::ALL.map(Dragon::name))?;
        state.turn = self.read_turn(&fields.required("turn")?)?;
        self.refresh_castle(state);
        self.refresh_realms(state);
        if matches!(state.phase, Phase::Consolidate | Phase::Build) {
            state.turn.pending = self.sets(state, state.seat());
        }
        Ok(())
    }

    fn read_castle(&self, node: &Node<'_>, state: &mut State) -> Result<(), DataError> {
        for (row, node) in node.list(self.tables.castle.rows, self.tables.castle.rows)?.iter().enumerate() {
            for (column, node) in node.list(self.tables.castle.columns, self.tables.castle.columns)?.iter().enumerate() {
                let square = row * self.tables.castle.columns + column;
                state.castle[square] = if node.is_null() {
                    Stack::default()
                } else {
                    let [height, symbol] = read_entries(node)?;
                    // A stack never grows (DC-12.1).
                    let height = height.integer(1, i64::from(self.settings.layout.heights[square]))? as u8;
                    let symbol = if symbol.is_null() { None } else { Some(self.read_symbol(&symbol)?) };
                    Stack::new(height, symbol)
                };
            }
        }
        Ok(())
    }

    fn read_symbol(&self, node: &Node<'_>) -> Result<u16, DataError> {
        let text = node.text()?;
        let symbol = self.settings.components.symbols.iter().position(|symbol| symbol.text == text);
        symbol.map(|symbol| symbol as u16).ok_or_else(|| node.error("a symbol of the component set"))
    }

    /// A symbol + 1, or 0 for `"down"`.
    fn read_top(&self, node: &Node<'_>) -> Result<u16, DataError> {
        if node.text()? == "down" { Ok(0) } else { Ok(self.read_symbol(node)? + 1) }
    }

    fn read_unrevealed(&self, node: &Node<'_>, state: &mut State) -> Result<(), DataError> {
        let mut fields = node.object()?;
        for (index, symbol) in self.settings.components.symbols.iter().enumerate() {
            let copies = self.settings.components.types[usize::from(symbol.kind)].copies;
            state.unrevealed[index] = fields.required(&symbol.text)?.integer(0, i64::from(copies))? as u8;
        }
        fields.finish()
    }

    fn read_realms(&self, node: &Node<'_>, state: &mut State) -> Result<(), DataError> {
        let grid = self.tables.realm.grid;
        for (seat, node) in node.list(self.settings.players, self.settings.players)?.iter().enumerate() {
            state.masks[seat].shrines = 0;
            for (row, node) in node.list(grid.rows, grid.rows)?.iter().enumerate() {
                for (column, node) in node.list(grid.columns, grid.columns)?.iter().enumerate() {
                    let square = row * grid.columns + column;
                    let stack = if node.is_null() {
                        RealmStack::default()
                    } else {
                        let [height, top, shrine] = read_entries(node)?;
                        let top = self.read_top(&top)?;
                        let has_shrine = shrine.integer(0, 1)? != 0;
                        if has_shrine && top != 0 {
                            return Err(shrine.error("0: a shrine stands on a face-down tile (DC-12.3)"));
                        }
                        state.masks[seat].shrines |= u64::from(has_shrine) << square;
                        RealmStack { height: height.integer(1, i64::from(self.settings.components.tiles))? as u16, top }
                    };
                    self.realm_mut(state, seat)[square] = stack;
                }
            }
        }
        Ok(())
    }

    fn read_turn(&self, node: &Node<'_>) -> Result<TurnState, DataError> {
        let mut fields = node.object()?;
        let names = Spirit::ALL.map(Spirit::name);
        let mut turn = TurnState { seat: fields.required("seat")?.index(self.settings.players)? as u8, ..TurnState::default() };
        turn.used = read_cards(&fields.required("used")?, &names)?;
        turn.elegance = fields.required("elegance")?.boolean()?;
        turn.bound = nullable(fields.required("bound")?, |node| Ok(Spirit::ALL[node.one_of(&names)?]))?;
        turn.first = nullable(fields.required("first")?, |node| {
            let [square, floor] = read_entries(node)?;
            Ok(FirstPick { square: read_square(&square, self.tables.castle)?, floor: floor.integer(1, 9)? as u8 })
        })?;
        for symbol in fields.required("hand")?.list(0, 2)? {
            turn.hand.push(self.read_symbol(&symbol)?);
        }
        let realm = self.tables.realm.grid;
        turn.after = nullable(fields.required("after")?, |node| read_square(node, realm))?;
        fields.required("pending")?.list(0, realm.len())?;
        for square in fields.required("set")?.list(0, realm.len())? {
            turn.set |= 1 << read_square(&square, realm)?;
        }
        turn.builds = fields.required("builds")?.integer(0, 10)? as u8;
        turn.must = fields.required("must")?.boolean()?;
        turn.resume = nullable(fields.required("resume")?, |node| {
            Ok([Window::Turn, Window::Second, Window::End][node.one_of(&["turn", "second", "end"])?])
        })?;
        turn.lifted = nullable(fields.required("lifted")?, |node| {
            let [square, top] = read_entries(node)?;
            Ok(Lifted { square: read_square(&square, realm)?, top: self.read_top(&top)? })
        })?;
        turn.moved = nullable(fields.required("moved")?, |node| read_square(node, realm))?;
        turn.from = nullable(fields.required("from")?, |node| read_square(node, realm))?;
        fields.finish()?;
        Ok(turn)
    }
}

fn nullable<'a, T>(node: Node<'a>, read: impl FnOnce(&Node<'a>) -> Result<T, DataError>) -> Result<Option<T>, DataError> {
    if node.is_null() { Ok(None) } else { read(&node).map(Some) }
}

fn read_entries<'a, const N: usize>(node: &Node<'a>) -> Result<[Node<'a>; N], DataError> {
    let entries = node.list(N, N)?;
    entries.try_into().map_err(|_| node.error(format!("a list of {N}")))
}

fn read_square(node: &Node<'_>, grid: Grid) -> Result<u8, DataError> {
    let text = node.text()?;
    let expected = || node.error(format!("a square from a1 to {}", grid.format(grid.len() - 1)));
    grid.parse(text).map(|square| square as u8).ok_or_else(expected)
}

fn read_cards(node: &Node<'_>, names: &[&str; 10]) -> Result<CardSet, DataError> {
    let mut cards = CardSet::default();
    for item in node.list(0, 10)? {
        let index = item.one_of(names)?;
        if cards.0 >> index != 0 {
            return Err(item.error("names in card order, each once"));
        }
        cards.insert(index);
    }
    Ok(cards)
}
