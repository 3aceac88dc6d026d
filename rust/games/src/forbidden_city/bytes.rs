//! States and observations as bytes.
//!
//! Only what JSON says is written, tiles in reading order: labels, open sides, arches and the frontier depend on the order of laying
//! and are found again when it is read.
//!
//! | bytes | what |
//! |---|---|
//! | 1 | phase in the lower two bits, seat of `turn` above (3 at the end) |
//! | players | one more than the kind in each hand, or 0 |
//! | 4 × players | coins |
//! | players × kinds | unplayed copies |
//! | 1 | number of laid tiles |
//! | 3 × laid tiles | `space * 4 + rotation`; kind in the lower six bits, seat in the upper two |

use arrayvec::ArrayVec;

use forbidden_games_core::bytes::{ByteReader, ByteSink};
use forbidden_games_core::error::StateError;
use forbidden_games_core::player::Player;

use super::board::{CLOSED, DIGIT, Laid, OwnedEdge, TableMut, digit_of, note_arch};
use super::components::{Edge, MAX_KINDS};
use super::game::Game;
use super::observation::Observation;
use super::state::{NONE, Phase, State};
use super::storage::LARGE_TILES;

/// The longest state.
const MOST_BYTES: usize = 1 + 4 + 4 * 4 + 4 * MAX_KINDS + 1 + 3 * LARGE_TILES;

const PHASES: [Phase; 4] = [Phase::Deal, Phase::Place, Phase::Draw, Phase::End];

impl Game {
    pub(super) fn write_bytes(&self, state: &State, out: &mut impl ByteSink) {
        let (players, kinds) = (self.players(), self.kinds().len());
        // One piece: a hash takes it eight bytes at a time.
        let mut bytes = [0; MOST_BYTES];
        bytes[0] = state.phase as u8 | (state.turn & 3) << 2;
        let mut at = 1;
        for &hand in &state.hands[..players] {
            bytes[at] = hand.wrapping_add(1);
            at += 1;
        }
        for coins in &state.coins[..players] {
            bytes[at..at + 4].copy_from_slice(&coins.to_le_bytes());
            at += 4;
        }
        for seat in 0..players {
            bytes[at..at + kinds].copy_from_slice(&state.unplayed(seat)[..kinds]);
            at += kinds;
        }
        let contents = state.sorted_contents();
        bytes[at] = contents.len() as u8;
        at += 1;
        for content in contents {
            let [tile, low, high, _] = content.to_le_bytes();
            bytes[at..at + 3].copy_from_slice(&[low, high, tile]);
            at += 3;
        }
        out.bytes(&bytes[..at]);
    }

    pub(super) fn read_bytes(&self, bytes: &mut ByteReader<'_>) -> Result<State, StateError> {
        self.read_seen(bytes, None)
    }

    pub(super) fn write_observation_bytes(&self, observation: &Observation, out: &mut impl ByteSink) {
        out.u8(observation.player.0);
        self.write_bytes(&observation.seen, out);
    }

    pub(super) fn read_observation_bytes(&self, bytes: &mut ByteReader<'_>) -> Result<Observation, StateError> {
        let player = Player(bytes.below("player", self.players())?);
        Ok(Observation { player, seen: self.read_seen(bytes, Some(player.index()))? })
    }

    /// Reads a state; with a `viewer` what that seat sees, where the other hands are empty.
    fn read_seen(&self, bytes: &mut ByteReader<'_>, viewer: Option<usize>) -> Result<State, StateError> {
        let (players, kinds) = (self.players(), self.kinds().len());
        let mut state = self.tables.start.clone();
        let first = bytes.below("phase", 16)?;
        state.phase = PHASES[usize::from(first & 3)];
        state.turn = first >> 2;
        if state.phase == Phase::End {
            if state.turn != 3 {
                return Err(StateError::new("turn", state.turn.to_string(), "3 at the end"));
            }
            state.turn = NONE;
        } else if usize::from(state.turn) >= players {
            return Err(StateError::new("turn", state.turn.to_string(), format!("a seat below {players}")));
        }
        for hand in &mut state.hands[..players] {
            *hand = bytes.below("hand", kinds + 1)?.wrapping_sub(1);
        }
        for coins in &mut state.coins[..players] {
            *coins = bytes.i32("coins")?;
        }
        // Copies that are neither unplayed nor laid: at first all that are not unplayed.
        let mut gone = [[0_u8; MAX_KINDS]; 4];
        let mut ply = 0;
        for (seat, gone) in gone.iter_mut().enumerate().take(players) {
            let unplayed = bytes.bytes("unplayed", kinds)?;
            let mut left = 0;
            for (kind, (&copies, &all)) in unplayed.iter().zip(&self.tables.copies).enumerate() {
                gone[kind] = all.checked_sub(copies).ok_or_else(|| too_many(seat, kind))?;
                left += copies;
            }
            if left < 2 {
                return Err(StateError::new("unplayed", left.to_string(), "at least two unplayed tiles of each seat (FC-4.4)"));
            }
            ply += u16::from(state.left[seat] - left);
            state.unplayed_mut(seat)[..kinds].copy_from_slice(unplayed);
            state.left[seat] = left;
        }
        state.ply = ply;
        self.read_laid(&mut state, &mut gone, bytes)?;
        for seat in 0..players {
            let most = self.most_coins(usize::from(ply), state.phase) as i32;
            if !(0..=most).contains(&state.coins[seat]) {
                return Err(StateError::new("coins", state.coins[seat].to_string(), format!("0 to {most}")));
            }
            self.check_hand(&state, seat)?;
        }
        self.check_phase(&state, viewer)?;
        self.check_coins(&state)?;
        Ok(state)
    }

    /// Reads the laid tiles, ascending by space, and finds what follows from them.
    fn read_laid(&self, state: &mut State, gone: &mut [[u8; MAX_KINDS]; 4], bytes: &mut ByteReader<'_>) -> Result<(), StateError> {
        let count = bytes.below("laid", self.settings.most_plies() + 1)?;
        let kinds = self.kinds();
        let mut build = Build::new(self);
        let mut table = state.table_mut();
        let mut next_space = 0;
        let mut pairs_before = 0;
        for entry in bytes.bytes("laid", 3 * usize::from(count))?.chunks_exact(3) {
            let (place, kind, seat) = (u16::from_le_bytes([entry[0], entry[1]]), entry[2] & 63, entry[2] >> 6);
            let (space, rotation) = (place >> 2, (place & 3) as u8);
            if space < next_space || usize::from(space) >= build.spaces.len() {
                let expected = format!("a space from {next_space} to {}, ascending", build.spaces.len() - 1);
                return Err(StateError::new("laid", space.to_string(), expected));
            }
            next_space = space + 1;
            let seat_index = usize::from(seat);
            if seat_index >= self.players() || usize::from(kind) >= kinds.len() {
                return Err(StateError::new("laid", format!("kind {kind} of seat {seat}"), "a kind of the set and a seat"));
            }
            let copies = &mut gone[seat_index][usize::from(kind)];
            *copies = copies.checked_sub(1).ok_or_else(|| too_many(seat_index, kind.into()))?;
            let canonical = self.tables.canonical[usize::from(kind)][usize::from(rotation)];
            if canonical != rotation {
                return Err(StateError::new("laid", format!("r{rotation}"), format!("r{canonical}, the same face (FC-5.2)")));
            }
            let tile = Laid::new(space, rotation, kind, seat, pairs_before);
            pairs_before += kinds[usize::from(kind)].parts.len() as u8 - 1;
            build.lay(&mut table, tile)?;
        }
        build.finish(&mut table)
    }
}

fn too_many(seat: usize, kind: usize) -> StateError {
    StateError::new("unplayed", format!("more of kind {kind}"), format!("no more than the set of seat {seat} has (FC-12.1)"))
}

/// A space of [`Build::spaces`] is occupied; below this bit is the index of its tile.
const OCCUPIED: u16 = 1 << 15;

/// Finds rooms, arches and frontier of tiles that come in reading order. All begin as those of the start tile alone.
struct Build<'a> {
    game: &'a Game,
    /// By space: the tile there, or the code of what an empty space meets.
    spaces: Vec<u16>,
    /// Spaces with a code.
    met: ArrayVec<u16, { 12 + 4 * LARGE_TILES }>,
    /// By tile, the start tile first: a tile before it that is connected with it, or itself.
    connected: ArrayVec<u8, { LARGE_TILES + 1 }>,
}

/// The first of a chain of earlier entries, with the chain made shorter.
fn first_of<T: Copy + Into<usize> + PartialEq>(chain: &mut [T], mut at: T) -> T {
    while chain[at.into()] != at {
        chain[at.into()] = chain[chain[at.into()].into()];
        at = chain[at.into()];
    }
    at
}

impl<'a> Build<'a> {
    fn new(game: &'a Game) -> Self {
        let mut spaces = vec![0; game.settings.table * game.settings.table];
        let mut met = ArrayVec::new();
        for &entry in game.tables.start.table().frontier {
            spaces[(entry >> 16) as usize] = entry as u16;
            met.push((entry >> 16) as u16);
        }
        Self { game, spaces, met, connected: ArrayVec::from_iter([0]) }
    }

    /// Adds a tile with its cells. Tiles to the east and to the south come later and see this one then.
    fn lay(&mut self, table: &mut TableMut<'_>, tile: Laid) -> Result<(), StateError> {
        let (game, tables) = (self.game, &*self.game.tables);
        let space = tile.space();
        if tables.start_index(space).is_some() {
            return Err(StateError::new("laid", game.format_space(space), "no space of the start tile (FC-5.3)"));
        }
        // What lies to the north and west and the start tile, which is all that has been laid.
        let code = self.spaces[usize::from(space)];
        let faces = &tables.faces[tile.kind()][tile.rotation()];
        for (side, face) in faces.iter().enumerate() {
            let met = digit_of(code, side);
            if face.edge == Edge::Open && met != 0 && met != CLOSED && met != face.digit {
                let found = format!("open sides of different floors at {}", game.format_space(space));
                return Err(StateError::new("laid", found, "open sides of one floor (FC-5.3)"));
            }
        }
        let index = usize::from(table.lengths.laid);
        table.laid[index] = tile;
        table.lengths.laid += 1;
        self.spaces[usize::from(space)] = OCCUPIED | index as u16;
        self.connected.push(index as u8 + 1);
        let kind = &game.kinds()[tile.kind()];
        let first = table.lengths.cells;
        for cell in first..first + kind.parts.len() as u16 {
            table.labels[usize::from(cell)] = cell;
            table.open[usize::from(cell)] = 0;
        }
        table.lengths.cells += kind.parts.len() as u16;
        if kind.diagonal_arch {
            note_arch(table, first, first + 1);
        }
        let on_table = tables.neighbours_on_table(space);
        for (side, face) in faces.iter().enumerate() {
            let cell = first + u16::from(face.part);
            if on_table & 1 << side != 0 {
                let neighbour = tables.neighbour(space, side);
                let there = self.spaces[usize::from(neighbour)];
                if let Some(start) = tables.start_index(neighbour) {
                    let facing = (tables.start_edge(start, (side + 2) % 4), tables.start_cells[start]);
                    self.meet(table, 0, (face.edge, cell), facing);
                    continue;
                }
                if there & OCCUPIED != 0 {
                    let other = usize::from(there & !OCCUPIED);
                    let facing = game.owned_edge(table.laid, other, (side + 2) % 4);
                    self.meet(table, other as u8 + 1, (face.edge, cell), facing);
                    continue;
                }
                if there == 0 {
                    self.met.push(neighbour);
                }
                self.spaces[usize::from(neighbour)] += DIGIT[(side + 2) % 4] * u16::from(face.digit);
            }
            if face.edge == Edge::Open {
                // Beyond the edge of the table too: that side stays open for ever (FC-5.7).
                table.open[usize::from(first_of(table.labels, cell))] += 1;
            }
        }
        Ok(())
    }

    /// A side of the newest tile meets what an earlier tile or the start tile shows towards it (table of FC-5.3).
    fn meet(&mut self, table: &mut TableMut<'_>, other_tile: u8, (edge, cell): (Edge, u16), (other_edge, other_cell): OwnedEdge) {
        let newest = self.connected.len() as u8 - 1;
        let [a, b] = [newest, other_tile].map(|tile| first_of(&mut self.connected, tile));
        self.connected[usize::from(a.max(b))] = a.min(b);
        let Some(other_cell) = other_cell else { return };
        if other_edge == Edge::Open {
            table.open[usize::from(first_of(table.labels, other_cell))] -= 1;
        }
        match (edge, other_edge) {
            (Edge::Open, Edge::Open) => {
                let [a, b] = [cell, other_cell].map(|cell| usize::from(first_of(table.labels, cell)));
                let (low, high) = (a.min(b), a.max(b));
                if low != high {
                    table.labels[high] = low as u16;
                    table.open[low] += std::mem::take(&mut table.open[high]);
                }
            }
            (Edge::Arch, Edge::Open | Edge::Arch) | (Edge::Open, Edge::Arch) => note_arch(table, cell, other_cell),
            _ => {}
        }
    }

    /// Gives each cell the lowest of its room, and lists the frontier.
    fn finish(mut self, table: &mut TableMut<'_>) -> Result<(), StateError> {
        for tile in 0..self.connected.len() as u8 {
            if first_of(&mut self.connected, tile) != 0 {
                let space = self.game.format_space(table.laid[usize::from(tile) - 1].space());
                return Err(StateError::new("laid", space, "a space connected to the start tile by laid tiles (FC-5.3)"));
            }
        }
        for cell in 0..usize::from(table.lengths.cells) {
            table.labels[cell] = table.labels[usize::from(table.labels[cell])];
        }
        let spaces = &self.spaces;
        self.met.retain(|space| spaces[usize::from(*space)] & OCCUPIED == 0);
        self.met.sort_unstable();
        table.lengths.frontier = self.met.len() as u16;
        for (entry, &space) in table.frontier.iter_mut().zip(&self.met) {
            *entry = u32::from(space) << 16 | u32::from(self.spaces[usize::from(space)]);
        }
        Ok(())
    }
}
