//! The state JSON of section 9 and TG-13.9, both ways. Reading checks types and ranges here; what must hold between the keys is
//! checked by `invariants.rs` on the state that was read.

use super::bytes;
use super::observation::Observation;
use forbidden_games_core::bytes::{ByteReader, ByteSink};
use forbidden_games_core::contract::{Data, Rules};
use forbidden_games_core::player::Player;
use serde_json::{Map, Value, json};

use forbidden_games_core::contract::{read_state_header, state_header};
use forbidden_games_core::data::{Node, Order};
use forbidden_games_core::error::{DataError, StateError};
use forbidden_games_core::player::Turn;

use super::board::{BOARD, FREE, NONE, bit, parse_square, square_name, squares};
use super::components::{CHARACTERS, SIDES, SIZES, STACKS};
use super::game::Game;
use super::state::{Figure, LANTERNS, NEUTRAL, Phase, Seat, Solo, State, TurnState, insert_sorted, lanterns_of};
use super::tables::START_CODE;

/// More coins than any seat can have; how many it can have here is checked afterwards (TG-12.6).
const MAX_COINS: i64 = 1_000_000;

/// Bits of characters as names, in order.
fn names_of(names: &[String], set: u16) -> Value {
    squares(u64::from(set)).map(|index| names[usize::from(index)].as_str()).collect()
}

impl Data for Game {
    fn state_to_json(&self, state: &State) -> Value {
        let components = &self.tables.components;
        let tile = |kind: usize| components.tiles[kind].name.as_str();
        let card = |kind: usize| components.cards[kind].name.as_str();
        let landscape = |kind: usize| components.landscapes[kind].name.as_str();
        let character = |index: usize| components.character_names[index].as_str();
        let mut map = state_header(self, state.ply, self.turn(state), super::state::PHASES[state.phase as usize]);
        map.insert("round".into(), state.round.into());
        map.insert("final".into(), state.is_final.into());
        map.insert("placed_in_round".into(), state.placed_in_round.into());
        map.insert("idle_rounds".into(), state.idle_rounds.into());
        let stacks: Map<String, Value> = STACKS
            .iter()
            .enumerate()
            .map(|(stack, &letter)| {
                let down = Self::bag(&state.down, tile, |kind| components.tiles[kind].stack == stack);
                (letter.to_owned(), json!({"up": Self::name_or_null(tile, state.up[stack]), "down": down}))
            })
            .collect();
        map.insert("stacks".into(), stacks.into());
        let tiles: Vec<Value> = squares(state.occupied)
            .map(|square| (square, state.tile_at[usize::from(square)]))
            .filter(|&(_, code)| code < START_CODE)
            .map(|(square, code)| json!([square_name(square), tile(usize::from(code / 4)), code % 4]))
            .collect();
        map.insert("tiles".into(), tiles.into());
        let mut decorations = Vec::new();
        for square in squares(BOARD) {
            for (index, name) in components.decorations.iter().enumerate() {
                if state.decorations[index] & bit(square) != 0 {
                    decorations.push(json!([square_name(square), name]));
                }
            }
        }
        map.insert("decorations".into(), decorations.into());
        let figures: Vec<Value> = squares(state.figure_squares)
            .filter_map(|square| state.figures.iter().position(|figure| figure.square == square))
            .map(|index| {
                let figure = state.figures[index];
                let neutral = figure.seat == NEUTRAL;
                let seat = if neutral { Value::Null } else { figure.seat.into() };
                let facing = if neutral { Value::Null } else { SIDES[usize::from(figure.facing)].into() };
                json!([square_name(figure.square), character(index), seat, facing])
            })
            .collect();
        map.insert("figures".into(), figures.into());
        let tokens: Vec<Value> = squares(state.tokens[0] | state.tokens[1])
            .map(|square| json!([square_name(square), SIZES[usize::from(state.tokens[1] & bit(square) != 0)]]))
            .collect();
        map.insert("tokens".into(), tokens.into());
        map.insert("pieces".into(), self.counts_by_decoration(&state.pieces));
        let deck = Self::bag(&state.deck, card, |_| true);
        map.insert("cards".into(), json!({"deck": deck, "discard": Self::bag(&state.discard, card, |_| true)}));
        let names = &components.character_names;
        let characters = json!({"display": names_of(names, state.display), "deck": names_of(names, state.character_deck)});
        map.insert("characters".into(), characters);
        let list = |kinds: &[u8]| -> Value {
            kinds.iter().filter(|&&kind| kind != NONE).map(|&kind| landscape(usize::from(kind))).collect()
        };
        let landscapes: Map<String, Value> = SIZES
            .iter()
            .enumerate()
            .map(|(size, &name)| {
                let pile = Self::bag(&state.pile, landscape, |kind| components.landscapes[kind].size == size);
                (name.to_owned(), json!({"display": list(&state.shown[size]), "pile": pile}))
            })
            .collect();
        map.insert("landscapes".into(), landscapes.into());
        let panorama: Map<String, Value> =
            SIDES.iter().zip(&state.panorama).map(|(&side, kinds)| (side.to_owned(), list(kinds))).collect();
        map.insert("panorama".into(), panorama.into());
        let seats: Vec<Value> = state.seats[..self.players].iter().map(|seat| self.write_seat(seat)).collect();
        map.insert("seats".into(), seats.into());
        map.insert("turn".into(), self.turn_to_json(state));
        if self.players == 1 {
            map.insert("solo".into(), self.solo_to_json(state));
        }
        Value::Object(map)
    }

    fn state_from_json(&self, value: &Value) -> Result<State, StateError> {
        let state = self.read_fields(value)?;
        self.audit(&state).map_err(|fault| StateError::new(fault.key, fault.found, fault.rule))?;
        Ok(state)
    }

    fn observation_to_json(&self, observation: &Observation) -> Value {
        self.state_to_json(&observation.state)
    }

    fn observation_from_json(&self, value: &Value, player: Player) -> Result<Observation, StateError> {
        if player.index() >= self.players {
            return Err(StateError::new("player", player.to_string(), format!("a seat below {}", self.players)));
        }
        Ok(Observation { state: self.state_from_json(value)?, player })
    }

    fn write_bytes(&self, state: &State, out: &mut impl ByteSink) {
        bytes::write_bytes(self, state, out);
    }

    fn read_bytes(&self, bytes: &mut ByteReader<'_>) -> Result<State, StateError> {
        bytes::read_bytes(self, bytes)
    }

    fn write_observation_bytes(&self, observation: &Observation, out: &mut impl ByteSink) {
        out.u8(observation.player.0);
        self.write_bytes(&observation.state, out);
    }

    fn read_observation_bytes(&self, bytes: &mut ByteReader<'_>) -> Result<Observation, StateError> {
        let player = Player(bytes.below("player", self.players)?);
        Ok(Observation { player, state: self.read_bytes(bytes)? })
    }
}

impl Game {
    fn turn_to_json(&self, state: &State) -> Value {
        let components = &self.tables.components;
        let card = |kind: usize| components.cards[kind].name.as_str();
        let character = |index: usize| components.character_names[index].as_str();
        let turn = &state.turn;
        let drawn: Vec<&str> = turn.drawn_cards().iter().map(|&kind| card(usize::from(kind))).collect();
        json!({
            "seat": if turn.seat == NONE { Value::Null } else { turn.seat.into() },
            "action": Self::name_or_null(|index| LANTERNS[index], turn.action),
            "placed": turn.placed,
            "lantern": turn.lantern,
            "influenced": turn.influenced,
            "earned": turn.earned,
            "paths": turn.paths,
            "paid": turn.paid,
            "insert": Self::name_or_null(|index| SIZES[index], turn.insert),
            "draws": turn.draws,
            "drawn": drawn,
            "new": Self::name_or_null(character, turn.new),
        })
    }

    fn solo_to_json(&self, state: &State) -> Value {
        let components = &self.tables.components;
        let names = &components.character_names;
        let tile = |kind: usize| components.tiles[kind].name.as_str();
        let card = |kind: usize| components.cards[kind].name.as_str();
        let character = |index: usize| components.character_names[index].as_str();
        let solo = &state.solo;
        let market: Map<String, Value> =
            STACKS.iter().zip(solo.market).map(|(&letter, kind)| (letter.to_owned(), Self::name_or_null(card, kind))).collect();
        json!({
            "market": market,
            "pair": names_of(names, solo.pair),
            "partner": Self::name_or_null(character, solo.partner),
            "stack": Self::name_or_null(|index| STACKS[index], solo.stack),
            "under": Self::name_or_null(tile, solo.under),
            "won": solo.won,
        })
    }

    fn name_or_null<'a>(names: impl Fn(usize) -> &'a str, index: u8) -> Value {
        if index == NONE { Value::Null } else { names(usize::from(index)).into() }
    }

    /// Kinds with copies left.
    fn bag<'a>(counts: &[u8], name: impl Fn(usize) -> &'a str, keep: impl Fn(usize) -> bool) -> Value {
        let entries = counts.iter().enumerate().filter(|&(kind, &count)| count > 0 && keep(kind));
        Value::Object(entries.map(|(kind, &count)| (name(kind).to_owned(), count.into())).collect())
    }

    fn counts_by_decoration(&self, counts: &[u8]) -> Value {
        let names = self.tables.components.decorations.iter();
        Value::Object(names.zip(counts).map(|(name, &count)| (name.clone(), count.into())).collect())
    }

    fn write_seat(&self, seat: &Seat) -> Value {
        let lanterns: Map<String, Value> = lanterns_of(self.players)
            .iter()
            .map(|&lantern| (LANTERNS[usize::from(lantern)].to_owned(), (seat.lanterns >> lantern & 1 == 1).into()))
            .collect();
        let active = Self::name_or_null(|index| self.tables.components.character_names[index].as_str(), seat.active);
        json!({
            "coins": seat.coins,
            "levels": seat.levels,
            "lanterns": lanterns,
            "tokens": {"small": seat.tokens[0], "large": seat.tokens[1]},
            "cards": self.counts_by_decoration(&seat.cards),
            "active": active,
            "character_token": seat.character_token,
        })
    }

    fn read_fields(&self, value: &Value) -> Result<State, DataError> {
        let mut fields = Node::root(value).object()?;
        let header = read_state_header(self, &mut fields)?;
        let mut state = State::before_setup(&self.tables, self.players);
        state.ply = header.ply;
        state.phase = Phase::ALL[header.phase];
        state.round = fields.required("round")?.integer(1, 4_000_000)? as u32;
        state.is_final = fields.required("final")?.boolean()?;
        state.placed_in_round = fields.required("placed_in_round")?.boolean()?;
        state.idle_rounds = fields.required("idle_rounds")?.integer(0, 3)? as u8;
        self.read_stacks(&fields.required("stacks")?, &mut state)?;
        self.read_garden(&fields.required("tiles")?, &fields.required("decorations")?, &mut state)?;
        self.read_figures(&fields.required("figures")?, &mut state)?;
        state.tokens = [0; 2];
        let mut order = Order::default();
        for token in fields.required("tokens")?.list(0, 16)? {
            let pair = token.list(2, 2)?;
            let square = square_at(&pair[0], FREE & !(state.tokens[0] | state.tokens[1]), "another square outside the start tile")?;
            order.ascending(square, &pair[0])?;
            state.tokens[pair[1].one_of(&SIZES)?] |= bit(square);
        }
        let pieces = self.read_by_decoration(&fields.required("pieces")?, 26)?;
        state.pieces = pieces;
        let mut cards = fields.required("cards")?.object()?;
        (state.deck, state.deck_total) = self.read_cards(&cards.required("deck")?)?;
        (state.discard, state.discard_total) = self.read_cards(&cards.required("discard")?)?;
        cards.finish()?;
        let mut characters = fields.required("characters")?.object()?;
        state.display = self.read_characters(&characters.required("display")?, 2)?;
        state.character_deck = self.read_characters(&characters.required("deck")?, CHARACTERS)?;
        characters.finish()?;
        self.read_landscapes(&fields.required("landscapes")?, &fields.required("panorama")?, &mut state)?;
        for (index, seat) in fields.required("seats")?.list(self.players, self.players)?.iter().enumerate() {
            state.seats[index] = self.read_seat(seat)?;
        }
        state.turn = self.read_turn(&fields.required("turn")?)?;
        if self.players == 1 {
            state.solo = self.read_solo(&fields.required("solo")?)?;
        }
        fields.finish()?;
        if header.turn != self.turn(&state) || (matches!(header.turn, Turn::Player(_)) && state.turn.seat == NONE) {
            let expected = format!("a {} node, as phase and turn.seat say", self.turn(&state).node());
            return Err(DataError::new("node", format!("{:?}", header.turn.node()), expected));
        }
        Ok(state)
    }

    fn tile_kind(&self, node: &Node<'_>) -> Result<u8, DataError> {
        let text = node.text()?;
        let kind = self.tables.components.tiles.iter().position(|tile| tile.name == text);
        kind.map(|kind| kind as u8).ok_or_else(|| node.error("a tile kind of the set"))
    }

    fn card_kind(&self, node: &Node<'_>) -> Result<u8, DataError> {
        let text = node.text()?;
        let kind = self.tables.components.cards.iter().position(|card| card.name == text);
        kind.map(|kind| kind as u8).ok_or_else(|| node.error("a card kind of the set"))
    }

    fn landscape_kind(&self, node: &Node<'_>, size: Option<usize>) -> Result<u8, DataError> {
        let text = node.text()?;
        let kinds = self.tables.components.landscapes.iter();
        let kind = kinds.enumerate().find(|(_, kind)| kind.name == text && size.is_none_or(|size| kind.size == size));
        kind.map(|(kind, _)| kind as u8).ok_or_else(|| node.error("a landscape kind of the set and size"))
    }

    fn character(&self, node: &Node<'_>) -> Result<u8, DataError> {
        let text = node.text()?;
        let index = self.tables.components.character_names.iter().position(|name| name == text);
        index.map(|index| index as u8).ok_or_else(|| node.error("a character of the set"))
    }

    fn or_null(node: &Node<'_>, read: impl Fn(&Node<'_>) -> Result<u8, DataError>) -> Result<u8, DataError> {
        if node.is_null() { Ok(NONE) } else { read(node) }
    }

    /// A bag: kinds in the order of the set, each with at least one copy.
    fn read_bag(node: &Node<'_>, counts: &mut [u8], max: i64, kind: impl Fn(&str) -> Option<usize>) -> Result<u8, DataError> {
        let mut total = 0_u8;
        let entries = node.entries()?;
        if entries.len() > counts.len() {
            return Err(node.error("a bag of kinds of the set"));
        }
        for (name, count) in entries {
            let index = kind(name).ok_or_else(|| count.error("only kinds of the set that belong here"))?;
            counts[index] = count.integer(1, max)? as u8;
            total = total.saturating_add(counts[index]);
        }
        Ok(total)
    }

    fn read_stacks(&self, node: &Node<'_>, state: &mut State) -> Result<(), DataError> {
        state.down.fill(0);
        let mut stacks = node.object()?;
        for (stack, letter) in STACKS.iter().enumerate() {
            let mut fields = stacks.required(letter)?.object()?;
            let of_stack =
                |name: &str| self.tables.components.tiles.iter().position(|tile| tile.name == name && tile.stack == stack);
            let up = fields.required("up")?;
            state.up[stack] = Self::or_null(&up, |node| {
                of_stack(node.text()?).map(|kind| kind as u8).ok_or_else(|| node.error("a tile kind of the stack, or null"))
            })?;
            state.down_total[stack] = Self::read_bag(&fields.required("down")?, &mut state.down, 15, of_stack)?;
            fields.finish()?;
        }
        stacks.finish()
    }

    fn read_garden(&self, tiles: &Node<'_>, decorations: &Node<'_>, state: &mut State) -> Result<(), DataError> {
        let mut order = Order::default();
        for tile in tiles.list(0, 44)? {
            let entry = tile.list(3, 3)?;
            let square = square_at(&entry[0], FREE, "a square outside the start tile")?;
            order.ascending(square, &entry[0])?;
            let kind = self.tile_kind(&entry[1])?;
            let rotation = entry[2].integer(0, 3)? as u8;
            if self.tables.rotations[usize::from(kind)] >> rotation & 1 == 0 {
                return Err(entry[2].error(format!("the canonical rotation {}", self.tables.canonical_rotation(kind, rotation))));
            }
            state.lay(&self.tables, square, kind * 4 + rotation);
        }
        let mut order = Order::default();
        for decoration in decorations.list(0, 36)? {
            let entry = decoration.list(2, 2)?;
            let names: Vec<&str> = self.tables.components.decorations.iter().map(String::as_str).collect();
            let index = entry[1].one_of(&names)?;
            let area = usize::from(self.tables.components.decoration_area[index]);
            let square = square_at(&entry[0], BOARD, "a square of the board")?;
            order.ascending((square, index), &entry[0])?;
            if state.free_areas[area] & bit(square) == 0 || state.pieces[index] == 0 {
                return Err(decoration.error("a free area of the decoration's kind, and a piece for it (TG-12.3)"));
            }
            state.adorn(&self.tables, square, index as u8);
        }
        Ok(())
    }

    fn read_figures(&self, node: &Node<'_>, state: &mut State) -> Result<(), DataError> {
        let mut order = Order::default();
        for figure in node.list(0, CHARACTERS)? {
            let entry = figure.list(4, 4)?;
            let square = square_at(&entry[0], state.free_spots(), "a free spot")?;
            order.ascending(square, &entry[0])?;
            let character = self.character(&entry[1])?;
            if state.figures[usize::from(character)].square != NONE {
                return Err(entry[1].error("each character once"));
            }
            let neutral = self.players == 1 && entry[2].is_null();
            let (seat, facing) = if neutral && entry[3].is_null() {
                (NEUTRAL, NEUTRAL)
            } else {
                (entry[2].index(self.players)? as u8, entry[3].one_of(&SIDES)? as u8)
            };
            state.stand(character, Figure { square, seat, facing });
        }
        Ok(())
    }

    fn read_by_decoration(&self, node: &Node<'_>, max: i64) -> Result<[u8; 11], DataError> {
        let mut fields = node.object()?;
        let mut counts = [0; 11];
        for (count, name) in counts.iter_mut().zip(&self.tables.components.decorations) {
            *count = fields.required(name)?.integer(0, max)? as u8;
        }
        fields.finish()?;
        Ok(counts)
    }

    fn read_cards(&self, node: &Node<'_>) -> Result<([u8; 54], u8), DataError> {
        let mut counts = [0; 54];
        let cards = &self.tables.components.cards;
        let total = Self::read_bag(node, &mut counts, 54, |name| cards.iter().position(|card| card.name == name))?;
        Ok((counts, total))
    }

    fn read_characters(&self, node: &Node<'_>, max: usize) -> Result<u16, DataError> {
        let mut set = 0;
        let mut order = Order::default();
        for entry in node.list(0, max)? {
            let character = self.character(&entry)?;
            order.ascending(character, &entry)?;
            set |= 1 << character;
        }
        Ok(set)
    }

    fn read_landscapes(&self, node: &Node<'_>, panorama: &Node<'_>, state: &mut State) -> Result<(), DataError> {
        state.pile.fill(0);
        let kinds = &self.tables.components.landscapes;
        let mut sizes = node.object()?;
        for (size, name) in SIZES.iter().enumerate() {
            let mut fields = sizes.required(name)?.object()?;
            let mut order = Order::default();
            for entry in fields.required("display")?.list(0, 2)? {
                let kind = self.landscape_kind(&entry, Some(size))?;
                order.not_descending(kind, &entry)?;
                insert_sorted(&mut state.shown[size], kind);
            }
            let of_size = |name: &str| kinds.iter().position(|kind| kind.name == name && kind.size == size);
            state.pile_total[size] = Self::read_bag(&fields.required("pile")?, &mut state.pile, 12, of_size)?;
            fields.finish()?;
        }
        sizes.finish()?;
        let mut sides = panorama.object()?;
        for (side, name) in SIDES.iter().enumerate() {
            let node = sides.required(name)?;
            let mut order = Order::default();
            for entry in node.list(0, 5)? {
                let kind = self.landscape_kind(&entry, None)?;
                order.not_descending(kind, &entry)?;
                insert_sorted(&mut state.panorama[side], kind);
                state.panorama_count[side][kinds[usize::from(kind)].size] += 1;
            }
            let [small, large] = state.panorama_count[side];
            if small > 3 || large > 2 {
                return Err(node.error("at most 3 small and 2 large landscapes"));
            }
        }
        sides.finish()
    }

    fn read_seat(&self, node: &Node<'_>) -> Result<Seat, DataError> {
        let mut fields = node.object()?;
        let coins = fields.required("coins")?.integer(0, MAX_COINS)? as u32;
        let mut levels = [0; 3];
        for (level, entry) in levels.iter_mut().zip(fields.required("levels")?.list(3, 3)?) {
            *level = entry.integer(0, 10)? as u8;
        }
        let mut lantern_fields = fields.required("lanterns")?.object()?;
        let mut lanterns = 0;
        for lantern in lanterns_of(self.players) {
            lanterns |= u8::from(lantern_fields.required(LANTERNS[usize::from(lantern)])?.boolean()?) << lantern;
        }
        lantern_fields.finish()?;
        let mut token_fields = fields.required("tokens")?.object()?;
        let mut tokens = [0; 2];
        for (held, size) in tokens.iter_mut().zip(SIZES) {
            *held = token_fields.required(size)?.integer(0, 8)? as u8;
        }
        token_fields.finish()?;
        let cards = self.read_by_decoration(&fields.required("cards")?, 54)?;
        let active = Self::or_null(&fields.required("active")?, |node| self.character(node))?;
        let character_token = fields.required("character_token")?.boolean()?;
        fields.finish()?;
        Ok(Seat { coins, levels, lanterns, tokens, cards, active, character_token })
    }

    fn read_turn(&self, node: &Node<'_>) -> Result<TurnState, DataError> {
        let mut fields = node.object()?;
        let seat = Self::or_null(&fields.required("seat")?, |node| Ok(node.index(self.players)? as u8))?;
        let mut turn = TurnState::rest(seat);
        turn.action = Self::or_null(&fields.required("action")?, |node| Ok(node.one_of(&["build", "decorate"])? as u8))?;
        turn.placed = fields.required("placed")?.integer(0, 2)? as u8;
        turn.lantern = fields.required("lantern")?.boolean()?;
        turn.influenced = fields.required("influenced")?.boolean()?;
        turn.earned = fields.required("earned")?.boolean()?;
        turn.paths = fields.required("paths")?.integer(0, 4)? as u8;
        turn.paid = fields.required("paid")?.boolean()?;
        turn.insert = Self::or_null(&fields.required("insert")?, |node| Ok(node.one_of(&SIZES)? as u8))?;
        turn.draws = fields.required("draws")?.integer(0, 7)? as u8;
        let mut order = Order::default();
        for entry in fields.required("drawn")?.list(0, 7)? {
            let card = self.card_kind(&entry)?;
            order.not_descending(card, &entry)?;
            insert_sorted(&mut turn.drawn, card);
        }
        turn.new = Self::or_null(&fields.required("new")?, |node| self.character(node))?;
        fields.finish()?;
        Ok(turn)
    }

    fn read_solo(&self, node: &Node<'_>) -> Result<Solo, DataError> {
        let mut fields = node.object()?;
        let mut market_fields = fields.required("market")?.object()?;
        let mut market = [NONE; 4];
        for (slot, letter) in market.iter_mut().zip(STACKS) {
            *slot = Self::or_null(&market_fields.required(letter)?, |node| self.card_kind(node))?;
        }
        market_fields.finish()?;
        let pair = self.read_characters(&fields.required("pair")?, 2)?;
        let partner = Self::or_null(&fields.required("partner")?, |node| self.character(node))?;
        let stack = Self::or_null(&fields.required("stack")?, |node| Ok(node.one_of(&STACKS)? as u8))?;
        let under = Self::or_null(&fields.required("under")?, |node| self.tile_kind(node))?;
        let won = fields.required("won")?;
        let won = if won.is_null() { None } else { Some(won.boolean()?) };
        fields.finish()?;
        Ok(Solo { market, pair, partner, stack, under, won })
    }
}

fn square_at(node: &Node<'_>, allowed: u64, expected: &str) -> Result<u8, DataError> {
    let square = parse_square(node.text()?).filter(|&square| bit(square) & allowed != 0);
    square.ok_or_else(|| node.error(expected))
}
