//! States and observations as bytes: the colours of the board, owners, counts. What follows from them is rebuilt at reading.
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 a word | squares that are blue or yellow, then those that are red or yellow, 64 square numbers a word |
//! | 1 + 1 + 1 + 4 | phase (with the end), seat, passes, plies |
//! | 6 | tiles laid by kind |
//! | 1 a province | owner + 4 x pagodas, in reading order of the first square |
//! | 1 a village | owner + 1, 0 for nobody |
//! | state: 2 a seat | hands, two bits a kind |
//! | observation: 1 + 2 + 1 a seat | viewer, its hand, hand sizes |
//!
//! The supplies follow from the pagodas on the board, the pile from the tiles laid and held.

use arrayvec::ArrayVec;
use forbidden_games_core::bytes::{ByteReader, ByteSink};
use forbidden_games_core::error::StateError;
use forbidden_games_core::player::{MAX_PLAYERS, Player};

use super::bits::Bits;
use super::board::{Label, Province, SizedBoard, with_board};
use super::game::Game;
use super::state::{Counts, End, HAND, Hand, Observation, Phase, Public, State};
use super::tables::Tables;
use super::tiles::{Colour, Kind};
use super::validate::key_of;

/// More plies than any game has, so that sums with them do not overflow.
const MANY_PLIES: u32 = 4_000_000;

pub(super) fn write_bytes(game: &Game, state: &State, out: &mut impl ByteSink) {
    write_public(game, &state.public, out);
    state.hands[..game.players].iter().for_each(|&hand| out.u16(pack(hand)));
}

pub(super) fn read_bytes(game: &Game, bytes: &mut ByteReader<'_>) -> Result<State, StateError> {
    let (mut public, placed) = read_public(game, bytes)?;
    let mut hands = [Hand::default(); MAX_PLAYERS];
    for (hand, size) in hands.iter_mut().zip(&mut public.hand_sizes).take(game.players) {
        *hand = read_hand(bytes)?;
        *size = hand.len();
    }
    let pile = tiles_left(game, &public.laid, &hands)?;
    check_public(game, &mut public, placed)?;
    Ok(State { public, hands, pile })
}

pub(super) fn write_observation_bytes(game: &Game, observation: &Observation, out: &mut impl ByteSink) {
    write_public(game, &observation.public, out);
    out.u8(observation.viewer.0);
    out.u16(pack(observation.hand));
    out.bytes(&observation.public.hand_sizes[..game.players]);
}

pub(super) fn read_observation_bytes(game: &Game, bytes: &mut ByteReader<'_>) -> Result<Observation, StateError> {
    let (mut public, placed) = read_public(game, bytes)?;
    let viewer = Player(bytes.below("player", game.players)?);
    let hand = read_hand(bytes)?;
    let mut hidden = 0;
    for seat in Player::all(game.players) {
        let size = bytes.below("hand_sizes", usize::from(HAND) + 1)?;
        public.hand_sizes[seat.index()] = size;
        if seat != viewer {
            hidden += u32::from(size);
        } else if size != hand.len() {
            return Err(StateError::new("hand_sizes", size.to_string(), format!("{} as in the hand", hand.len())));
        }
    }
    let unseen: u32 = tiles_left(game, &public.laid, &[hand])?.iter().map(|&count| u32::from(count)).sum();
    if hidden > unseen {
        return Err(StateError::new("hand_sizes", format!("{hidden} hidden tiles"), format!("at most the {unseen} unseen ones")));
    }
    check_public(game, &mut public, placed)?;
    Ok(Observation { public, viewer, hand })
}

fn write_public(game: &Game, public: &Public, out: &mut impl ByteSink) {
    with_board!(&public.board, board => board.write_colours(&game.tables, out));
    let phase = match public.phase {
        Phase::Over(end) => 3 + end as u8,
        phase => phase.index() as u8,
    };
    let [one, two, three, four] = public.ply.to_le_bytes();
    out.bytes(&[phase, public.seat, public.passes, one, two, three, four]);
    out.bytes(&public.laid);
    with_board!(&public.board, board => board.write_owners(&game.tables, out));
}

/// All but hands and supplies; the pagodas that each seat has placed.
fn read_public(game: &Game, bytes: &mut ByteReader<'_>) -> Result<(Public, [u32; MAX_PLAYERS]), StateError> {
    let mut board = (*game.empty_board).clone();
    with_board!(&mut board, board => board.read_colours(&game.tables, bytes)?);
    let phase = match bytes.below("phase", 3 + End::ALL.len())? {
        0 => Phase::Deal,
        1 => Phase::Place,
        2 => Phase::Draw,
        end => Phase::Over(End::ALL[usize::from(end) - 3]),
    };
    let seats = if matches!(phase, Phase::Over(_)) { 1 } else { game.players };
    let seat = bytes.below("seat", seats)?;
    let passes = bytes.below("passes", game.players + 1)?;
    let ply = bytes.u32("ply")?;
    if ply > MANY_PLIES {
        return Err(StateError::new("ply", ply.to_string(), format!("at most {MANY_PLIES}")));
    }
    let laid: Counts = bytes.array("laid")?;
    let placed = with_board!(&mut board, board => board.read_owners(game, phase == Phase::Over(End::Pagodas), bytes)?);
    let (supply, hand_sizes) = ([0; MAX_PLAYERS], [0; MAX_PLAYERS]);
    Ok((Public { board, ply, phase, seat, passes, supply, hand_sizes, laid }, placed))
}

/// Works out the supplies and checks that the counts fit each other.
fn check_public(game: &Game, public: &mut Public, placed: [u32; MAX_PLAYERS]) -> Result<(), StateError> {
    let by_pagodas = public.phase == Phase::Over(End::Pagodas);
    let mut empty = 0;
    for (left, placed) in public.supply.iter_mut().zip(placed).take(game.players) {
        *left = u32::from(game.allotment)
            .checked_sub(placed)
            .ok_or_else(|| StateError::new("supply", format!("{placed} pagodas placed"), format!("at most {}", game.allotment)))?
            as u8;
        empty += usize::from(*left == 0);
    }
    if empty != usize::from(by_pagodas) {
        return Err(StateError::new("supply", format!("{empty} of 0"), usize::from(by_pagodas).to_string()));
    }
    for colour in Colour::ALL {
        let halves: usize = Kind::all().map(|kind| kind.halves(colour) * usize::from(public.laid[kind.index()])).sum();
        let (spaces, starts) = (public.board.num_spaces(colour), game.empty_board.num_spaces(colour));
        if spaces != starts + halves {
            let found = format!("{spaces} {} spaces with {halves} halves laid", colour.name());
            return Err(StateError::new("laid", found, format!("{} (QN-12, 3)", starts + halves)));
        }
    }
    game.check_sizes(public)
        .and_then(|()| game.check_end(public))
        .map_err(|reason| StateError::new(key_of(&reason), reason, "what was written"))
}

/// What is left of all tiles (QN-12, 1).
fn tiles_left(game: &Game, laid: &Counts, hands: &[Hand]) -> Result<Counts, StateError> {
    let mut left = game.tiles();
    for (kind, left) in left.iter_mut().enumerate() {
        let held: u32 = hands.iter().map(|hand| u32::from(hand.0[kind])).sum();
        let gone = u32::from(laid[kind]) + held;
        *left = u32::from(*left)
            .checked_sub(gone)
            .ok_or_else(|| StateError::new("laid", format!("{gone} tiles laid and held"), format!("at most {left}")))?
            as u8;
    }
    Ok(left)
}

/// A hand, two bits a kind.
fn pack(hand: Hand) -> u16 {
    hand.0.iter().rev().fold(0, |packed, &count| packed << 2 | u16::from(count))
}

fn read_hand(bytes: &mut ByteReader<'_>) -> Result<Hand, StateError> {
    let packed = bytes.below_u16("hands", 1 << (2 * Kind::COUNT))?;
    let hand = Hand(std::array::from_fn(|kind| (packed >> (2 * kind) & 3) as u8));
    if hand.len() <= HAND {
        Ok(hand)
    } else {
        Err(StateError::new("hands", format!("{} tiles", hand.len()), format!("at most {HAND}")))
    }
}

impl<L: Label, const W: usize, const S: usize, const P: usize, const V: usize> SizedBoard<L, W, S, P, V> {
    fn write_colours(&self, tables: &Tables, out: &mut impl ByteSink) {
        let [blue, red, yellow] = self.colours;
        let words = tables.num_numbers().div_ceil(64);
        for plane in [blue | yellow, red | yellow] {
            plane.words()[..words].iter().for_each(|&word| out.u64(word));
        }
    }

    /// Puts the colours on the board before the first tile.
    fn read_colours(&mut self, tables: &Tables, bytes: &mut ByteReader<'_>) -> Result<(), StateError> {
        let starts = self.colours;
        let mut planes = [[0; W]; 2];
        for plane in &mut planes {
            for word in &mut plane[..tables.num_numbers().div_ceil(64)] {
                *word = bytes.u64("board")?;
            }
        }
        let [one, other] = planes.map(Bits::from_words);
        let yellow = one & other;
        self.colours = [one.without(yellow), other.without(yellow), yellow];
        let beyond = (one | other).without(self.grass | starts[0] | starts[1] | starts[2]);
        let lost = Colour::ALL.into_iter().any(|colour| !starts[colour.index()].without(self.colours[colour.index()]).is_empty());
        if lost || !beyond.is_empty() {
            return Err(StateError::new("board", "a space that cannot be there", "start spaces, and others on grass"));
        }
        self.grass = self.grass.without(one | other);
        self.refresh_free(tables.stride);
        Ok(())
    }

    fn write_owners(&self, tables: &Tables, out: &mut impl ByteSink) {
        let mut owners = ArrayVec::<u8, P>::new();
        let mut seen = [false; P];
        for square in (self.colours[0] | self.colours[1] | self.colours[2]).iter() {
            if let Some(label) = self.label(square)
                && !seen[label]
            {
                seen[label] = true;
                let province = self.provinces[label];
                owners.push(province.owner() as u8 | (province.pagodas() as u8) << 2);
            }
        }
        out.bytes(&owners);
        out.bytes(&self.villages[..tables.villages.len()]);
    }

    /// Makes provinces of the areas, with owners and verdicts on joins, and gives the villages; the pagodas of each seat.
    fn read_owners(&mut self, game: &Game, by_pagodas: bool, bytes: &mut ByteReader<'_>) -> Result<[u32; MAX_PLAYERS], StateError> {
        let stride = game.tables.stride;
        let mut placed = [0; MAX_PLAYERS];
        let mut areas = ArrayVec::<(Colour, Bits<W>), P>::new();
        let mut left = self.colours[0] | self.colours[1] | self.colours[2];
        while let Some(square) = left.first() {
            let colour = Colour::ALL.into_iter().find(|colour| self.colours[colour.index()].has(square)).unwrap_or(Colour::Blue);
            let area = self.area(colour, square, stride);
            left = left.without(area);
            let spaces = area.count() as usize;
            if spaces < 2 {
                continue;
            }
            let byte = bytes.u8("provinces")?;
            let (owner, pagodas) = (usize::from(byte & 3), u32::from(byte >> 2));
            let province = Province::new(owner, pagodas & 3, spaces);
            let fits = if by_pagodas { pagodas <= province.due() } else { pagodas == province.due() };
            if owner >= game.players || !fits {
                let found = format!("{pagodas} pagodas of seat {owner} on {spaces} spaces");
                return Err(StateError::new("provinces", found, format!("{} of a seat below {}", province.due(), game.players)));
            }
            placed[owner] += pagodas;
            let label = areas.len();
            self.provinces[label] = province;
            area.iter().for_each(|square| self.labels[square] = L::new(label));
            areas.push((colour, area));
        }
        self.founded = areas.len() as u16;
        for (colour, area) in areas {
            self.refresh_barred(colour, area, stride, game.settings.absorb_major);
        }
        for village in &mut self.villages[..game.tables.villages.len()] {
            *village = bytes.below("villages", game.players + 1)?;
            if let Some(owner) = usize::from(*village).checked_sub(1) {
                placed[owner] += 1;
            }
        }
        Ok(placed)
    }
}
