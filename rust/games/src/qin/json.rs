//! States and observations as JSON, both ways (QN-9), and the checks of what comes from outside.

use forbidden_games_core::bytes::{ByteReader, ByteSink};
use forbidden_games_core::contract::{Data, read_state_header, state_header};
use forbidden_games_core::data::{Node, display};
use forbidden_games_core::error::{DataError, StateError};
use forbidden_games_core::player::{MAX_PLAYERS, Player};
use serde_json::{Map, Value, json};

use super::board::{Label, Province, SizedBoard, with_board};
use super::bytes;
use super::game::Game;
use super::state::{Counts, End, HAND, Hand, Observation, Phase, Public, State};
use super::tiles::{Colour, Kind, Square};
use super::validate::key_of;

impl Data for Game {
    fn state_to_json(&self, state: &State) -> Value {
        self.write(&state.public, |seat| Some(state.hands[seat]), Some(state.pile))
    }

    fn observation_to_json(&self, observation: &Observation) -> Value {
        let viewer = observation.viewer.index();
        self.write(&observation.public, |seat| (seat == viewer).then_some(observation.hand), None)
    }

    fn state_from_json(&self, value: &Value) -> Result<State, StateError> {
        let (public, hands, pile) = self.read(value, None)?;
        let mut state = State { public, hands: [Hand::default(); MAX_PLAYERS], pile: pile.unwrap_or_default() };
        for (hand, found) in state.hands.iter_mut().zip(hands) {
            *hand = found.unwrap_or_default();
        }
        self.validate(&state)
            .map_err(|reason| StateError::new(key_of(&reason), reason, "a state that keeps every invariant of QN-12"))?;
        Ok(state)
    }

    fn observation_from_json(&self, value: &Value, player: Player) -> Result<Observation, StateError> {
        if player.index() >= self.players {
            return Err(StateError::new("player", player.to_string(), format!("a seat from 0 to {}", self.players - 1)));
        }
        let (public, hands, _) = self.read(value, Some(player))?;
        let observation = Observation { public, viewer: player, hand: hands[player.index()].unwrap_or_default() };
        self.validate_public(&observation.public)
            .map_err(|reason| StateError::new(key_of(&reason), reason, "an observation that keeps every invariant of QN-12"))?;
        Ok(observation)
    }

    fn write_bytes(&self, state: &State, out: &mut impl ByteSink) {
        bytes::write_bytes(self, state, out);
    }

    fn read_bytes(&self, bytes: &mut ByteReader<'_>) -> Result<State, StateError> {
        bytes::read_bytes(self, bytes)
    }

    fn write_observation_bytes(&self, observation: &Observation, out: &mut impl ByteSink) {
        bytes::write_observation_bytes(self, observation, out);
    }

    fn read_observation_bytes(&self, bytes: &mut ByteReader<'_>) -> Result<Observation, StateError> {
        bytes::read_observation_bytes(self, bytes)
    }
}

impl Game {
    fn write(&self, public: &Public, hand: impl Fn(usize) -> Option<Hand>, pile: Option<Counts>) -> Value {
        let (board, tables) = (&public.board, &*self.tables);
        let mut map = state_header(self, public.ply, public.turn(), Phase::NAMES[public.phase.index()]);
        map.insert("drawer".into(), json!(public.drawer()));
        map.insert("passes".into(), public.passes.into());
        let end = match public.phase {
            Phase::Over(end) => Some(end.name()),
            _ => None,
        };
        map.insert("end".into(), json!(end));
        map.insert("board".into(), self.board_rows(public).into());
        let names = |squares: &[Square]| squares.iter().map(|&square| tables.name(square)).collect::<Vec<_>>();
        let provinces: Vec<Value> = board
            .provinces(tables)
            .iter()
            .map(|(province, squares)| {
                json!({
                    "colour": board.colour(squares[0]).map(|colour| colour.letter().to_string()),
                    "squares": names(squares),
                    "owner": province.owner(),
                    "pagodas": province.pagodas(),
                })
            })
            .collect();
        map.insert("provinces".into(), provinces.into());
        let villages: Vec<Value> = tables
            .villages
            .iter()
            .enumerate()
            .map(|(i, village)| json!({"squares": names(&village.squares), "owner": board.village_owner(i)}))
            .collect();
        map.insert("villages".into(), villages.into());
        map.insert("supply".into(), json!(public.supply[..self.players]));
        map.insert("hand_sizes".into(), json!(public.hand_sizes[..self.players]));
        let hands: Vec<Value> =
            (0..self.players).map(|seat| json!(hand(seat).map(|hand| hand.kinds().map(Kind::name).collect::<Vec<_>>()))).collect();
        map.insert("hands".into(), hands.into());
        map.insert("pile_size".into(), self.pile_size(public).into());
        map.insert("pile".into(), pile.map_or(Value::Null, |pile| Value::Object(write_counts(pile))));
        map.insert("laid".into(), Value::Object(write_counts(public.laid)));
        Value::Object(map)
    }

    /// One text a row, tiles included.
    pub(super) fn board_rows(&self, public: &Public) -> Vec<String> {
        let mut rows = vec![String::new(); self.tables.grid.rows];
        for square in self.tables.squares() {
            let character = public.board.colour(square).map_or_else(|| char::from(self.tables.character(square)), Colour::letter);
            rows[square.index() / self.tables.stride].push(character);
        }
        rows
    }

    /// Reads all keys; `viewer` says whose observation it must be, nobody's for a whole state.
    #[allow(clippy::type_complexity, reason = "used twice, right above")]
    fn read(&self, value: &Value, viewer: Option<Player>) -> Result<(Public, Vec<Option<Hand>>, Option<Counts>), DataError> {
        let mut fields = Node::root(value).object()?;
        let header = read_state_header(self, &mut fields)?;
        let drawer = fields.required("drawer")?;
        let passes = fields.required("passes")?.integer(0, self.players as i64)? as u8;
        let end = fields.required("end")?;
        let phase = match header.phase {
            0 => Phase::Deal,
            1 => Phase::Place,
            2 => Phase::Draw,
            _ => Phase::Over(End::ALL[end.one_of(&End::NAMES)?]),
        };
        if !matches!(phase, Phase::Over(_)) && !end.is_null() {
            return Err(end.error("null before the end"));
        }
        let seat = match phase {
            Phase::Deal | Phase::Draw => drawer.index(self.players)?,
            _ if !drawer.is_null() => return Err(drawer.error("null at a node without a draw")),
            Phase::Place => header.turn.player().map_or(0, Player::index),
            Phase::Over(_) => 0,
        };
        let mut public = Public {
            board: (*self.empty_board).clone(),
            ply: header.ply,
            phase,
            seat: seat as u8,
            passes,
            supply: [0; MAX_PLAYERS],
            hand_sizes: [0; MAX_PLAYERS],
            laid: [0; Kind::COUNT],
        };
        if public.turn() != header.turn {
            let node = public.turn().node();
            return Err(DataError::new("node", header.turn.node(), format!("{node} in phase {}", Phase::NAMES[phase.index()])));
        }
        let board = fields.required("board")?;
        let provinces = fields.required("provinces")?;
        let villages = fields.required("villages")?;
        let tables = &*self.tables;
        let spaces = self.read_board(&board)?;
        with_board!(&mut public.board, board => {
            for &(square, colour) in &spaces {
                board.grass.remove(square.index());
                board.colours[colour.index()].insert(square.index());
            }
            self.read_provinces(board, &provinces)?;
            self.read_villages(board, &villages)?;
            board.refresh_free(tables.stride);
            board.refresh_all_barred(tables, self.settings.absorb_major);
        });
        for (left, node) in public.supply.iter_mut().zip(fields.required("supply")?.list(self.players, self.players)?) {
            *left = node.integer(0, i64::from(self.allotment))? as u8;
        }
        for (size, node) in public.hand_sizes.iter_mut().zip(fields.required("hand_sizes")?.list(self.players, self.players)?) {
            *size = node.integer(0, i64::from(HAND))? as u8;
        }
        let hands_node = fields.required("hands")?;
        let mut hands = Vec::new();
        for (seat, node) in hands_node.list(self.players, self.players)?.iter().enumerate() {
            let hidden = viewer.is_some_and(|viewer| viewer.index() != seat);
            if hidden && !node.is_null() {
                return Err(DataError::new(&node.path, "a hand", "null, this hand is hidden"));
            }
            hands.push(if hidden { None } else { Some(read_hand(node, public.hand_sizes[seat])?) });
        }
        let pile_size = fields.required("pile_size")?;
        let pile_node = fields.required("pile")?;
        let pile = match viewer {
            Some(_) if !pile_node.is_null() => return Err(pile_node.error("null, the pile is hidden")),
            Some(_) => None,
            None => Some(self.read_counts(&pile_node)?),
        };
        public.laid = self.read_counts(&fields.required("laid")?)?;
        fields.finish()?;
        self.check_counts(&public, &hands, pile)?;
        let size = i64::from(self.pile_size(&public));
        pile_size.integer(size, size)?;
        Ok((public, hands, pile))
    }

    /// Conservation of tiles (QN-12, 1), as far as it is shown.
    fn check_counts(&self, public: &Public, hands: &[Option<Hand>], pile: Option<Counts>) -> Result<(), DataError> {
        let mut left = 0_u32;
        for kind in Kind::all() {
            let i = kind.index();
            let seen: u32 = u32::from(public.laid[i]) + hands.iter().flatten().map(|hand| u32::from(hand.0[i])).sum::<u32>();
            let all = u32::from(self.tiles()[i]);
            let sum = seen + pile.map_or(0, |pile| u32::from(pile[i]));
            if sum > all || (pile.is_some() && sum != all) {
                let place = if pile.is_some() { "laid, in hands and in the pile" } else { "laid and in the hand" };
                return Err(DataError::new("laid", format!("{sum} {} {place}", kind.name()), format!("{all} (QN-12, 1)")));
            }
            left += all - seen;
        }
        let hidden: u32 =
            public.hand_sizes.iter().zip(hands).filter(|(_, hand)| hand.is_none()).map(|(&size, _)| u32::from(size)).sum();
        if hidden > left {
            return Err(DataError::new("hand_sizes", format!("{hidden} hidden tiles"), format!("at most the {left} unseen ones")));
        }
        Ok(())
    }

    fn read_counts(&self, node: &Node<'_>) -> Result<Counts, DataError> {
        let mut fields = node.object()?;
        let mut counts = [0; Kind::COUNT];
        for kind in Kind::all() {
            counts[kind.index()] = fields.required(kind.name())?.integer(0, i64::from(self.tiles()[kind.index()]))? as u8;
        }
        fields.finish()?;
        Ok(counts)
    }

    /// The spaces that tiles have made.
    fn read_board(&self, node: &Node<'_>) -> Result<Vec<(Square, Colour)>, DataError> {
        let grid = self.tables.grid;
        let mut spaces = Vec::new();
        for (row, line) in node.list(grid.rows, grid.rows)?.iter().enumerate() {
            let text = line.text()?.as_bytes();
            if text.len() != grid.columns {
                return Err(line.error(format!("{} squares", grid.columns)));
            }
            for (column, &character) in text.iter().enumerate() {
                let square = Square((row * self.tables.stride + column) as u16);
                let empty = self.tables.character(square);
                if character == empty {
                    continue;
                }
                match Colour::from_letter(character) {
                    Some(colour) if empty == b'.' => spaces.push((square, colour)),
                    _ => {
                        let name = self.tables.name(square);
                        let right = if empty == b'.' { ". r y b".to_owned() } else { char::from(empty).to_string() };
                        return Err(DataError::new(
                            &line.path,
                            format!("{} on {name}", display(line.value)),
                            format!("{right} on {name}"),
                        ));
                    }
                }
            }
        }
        Ok(spaces)
    }

    /// Compares the list with the areas of the board and takes owners and pagodas from it.
    fn read_provinces<L: Label, const W: usize, const S: usize, const P: usize, const V: usize>(
        &self,
        board: &mut SizedBoard<L, W, S, P, V>,
        node: &Node<'_>,
    ) -> Result<(), DataError> {
        let areas = self.tables.provinces(|square| board.colour(square));
        for ((colour, squares), entry) in areas.iter().zip(node.list(areas.len(), areas.len())?) {
            let mut fields = entry.object()?;
            let word = fields.required("colour")?;
            if word.text()? != colour.letter().to_string() {
                return Err(word.error(colour.letter().to_string()));
            }
            self.read_squares(&fields.required("squares")?, squares)?;
            let owner = fields.required("owner")?.index(self.players)?;
            let pagodas = fields.required("pagodas")?.integer(0, 2)? as u32;
            fields.finish()?;
            let label = usize::from(board.founded);
            board.founded += 1;
            board.provinces[label] = Province::new(owner, pagodas, squares.len());
            for square in squares {
                board.labels[square.index()] = L::new(label);
            }
        }
        Ok(())
    }

    fn read_villages<L: Label, const W: usize, const S: usize, const P: usize, const V: usize>(
        &self,
        board: &mut SizedBoard<L, W, S, P, V>,
        node: &Node<'_>,
    ) -> Result<(), DataError> {
        let villages = &self.tables.villages;
        for ((i, village), entry) in villages.iter().enumerate().zip(node.list(villages.len(), villages.len())?) {
            let mut fields = entry.object()?;
            self.read_squares(&fields.required("squares")?, &village.squares)?;
            let owner = fields.required("owner")?;
            board.villages[i] = if owner.is_null() { 0 } else { owner.index(self.players)? as u8 + 1 };
            fields.finish()?;
        }
        Ok(())
    }

    fn read_squares(&self, node: &Node<'_>, squares: &[Square]) -> Result<(), DataError> {
        let names: Vec<_> = squares.iter().map(|&square| self.tables.name(square)).collect();
        if *node.value == json!(names) { Ok(()) } else { Err(node.error(display(&json!(names)))) }
    }
}

fn write_counts(counts: Counts) -> Map<String, Value> {
    Kind::all().map(|kind| (kind.name().to_owned(), counts[kind.index()].into())).collect()
}

fn read_hand(node: &Node<'_>, size: u8) -> Result<Hand, DataError> {
    let mut hand = Hand::default();
    let mut last = None;
    for entry in node.list(usize::from(size), usize::from(size))? {
        let kind = Kind::from_name(entry.text()?).ok_or_else(|| entry.error("one of bb, br, by, rr, ry, yy"))?;
        if last.is_some_and(|last| last > kind) {
            return Err(entry.error("kinds in the order bb, br, by, rr, ry, yy"));
        }
        last = Some(kind);
        hand.0[kind.index()] += 1;
    }
    Ok(hand)
}
