//! Laying, closing, drawing and passing (FC-5, FC-6). Trusts its caller: legality is in `legal.rs`.

use arrayvec::ArrayVec;
use serde_json::Value;

use forbidden_games_core::event::{Event, EventSink, NoEvents};
use forbidden_games_core::player::Player;

use super::actions::{Action, Outcome};
use super::board::{CLOSED, Laid, OwnedEdge, Table, digit_of, find, join, note_arch, touch};
use super::components::{Edge, FLOOR_NAMES, SEAT_NAMES};
use super::game::Game;
use super::scoring::{Total, payments};
use super::state::{NONE, Phase, State};

/// Rooms that may have been closed by a placement, by any of their cells.
pub(super) type Touched = ArrayVec<u16, 6>;

/// The rooms that closed (FC-5.11), by label, each once.
fn closed_rooms(table: Table<'_>, touched: &Touched) -> Touched {
    let mut closed = Touched::new();
    for &cell in touched {
        let label = table.labels[usize::from(cell)];
        if table.open[usize::from(label)] == 0 && !closed.contains(&label) {
            closed.push(label);
        }
    }
    closed
}

pub(super) fn apply_action<E: EventSink>(game: &Game, state: &mut State, action: Action, events: &mut E) {
    debug_assert_eq!(state.phase, Phase::Place);
    let seat = usize::from(state.turn);
    let kind = usize::from(state.hands[seat]);
    state.hands[seat] = NONE;
    state.take(seat, kind);
    state.ply += 1;
    match action {
        Action::Lay { space, rotation } => game.lay_and_pay(state, (space, rotation), kind, seat, events),
        Action::Discard => events.emit(|| {
            let id = &game.kinds()[kind].id;
            Event::new("discard", "FC-5.5", format!("{} cannot lay {id} and discards it", SEAT_NAMES[seat]))
                .with("seat", seat)
                .with("kind", id.as_str())
        }),
    }
    if state.left[seat] > 2 {
        state.phase = Phase::Draw;
    } else {
        game.pass(state, events);
    }
}

pub(super) fn apply_outcome<E: EventSink>(game: &Game, state: &mut State, outcome: Outcome, events: &mut E) {
    let seat = state.drawing_seat();
    state.hands[seat] = outcome.kind;
    events.emit(|| {
        let id = &game.kinds()[usize::from(outcome.kind)].id;
        let rule = if state.phase == Phase::Deal { "FC-4.2" } else { "FC-5.12" };
        Event::new("draw", rule, format!("{} draws {id}", SEAT_NAMES[seat]))
            .with("seat", seat)
            .with("kind", id.as_str())
            .private(Player::new(seat))
    });
    if state.phase == Phase::Draw {
        game.pass(state, events);
    } else if !(0..game.players()).any(|seat| state.needs_tile(seat)) {
        state.phase = Phase::Place;
    }
}

impl Game {
    /// What the occupied neighbour of a space shows towards it.
    pub(super) fn facing(&self, laid: &[Laid], neighbour: u16, side: usize) -> OwnedEdge {
        let opposite = (side + 2) % 4;
        if let Some(index) = self.tables.start_index(neighbour) {
            return (self.tables.start_edge(index, opposite), self.tables.start_cells[index]);
        }
        self.owned_edge(laid, find(laid, neighbour).expect("an occupied space"), opposite)
    }

    /// What a laid tile shows on a side.
    pub(super) fn owned_edge(&self, laid: &[Laid], index: usize, side: usize) -> OwnedEdge {
        let tile = laid[index];
        let face = self.tables.faces[tile.kind()][tile.rotation()][side];
        let cell = self.tables.num_start_cells + index + usize::from(tile.pairs_before) + usize::from(face.part);
        (face.edge, Some(cell as u16))
    }

    /// Puts a tile on a frontier space and updates rooms, arches and frontier. Which rooms may have closed goes to `touched`.
    pub(super) fn lay(&self, state: &mut State, place: (u16, u8), kind: usize, seat: usize, touched: &mut Touched) {
        let (space, rotation) = place;
        let mut table = state.table_mut();
        let table = &mut table;
        let at = table.frontier[..usize::from(table.lengths.frontier)].partition_point(|entry| (entry >> 16) < u32::from(space));
        debug_assert_eq!(table.frontier[at] >> 16, u32::from(space), "tiles are laid on frontier spaces");
        let code = table.frontier[at] as u16;
        table.frontier.copy_within(at + 1..usize::from(table.lengths.frontier), at);
        table.lengths.frontier -= 1;

        let index = usize::from(table.lengths.laid);
        let pairs_before = index.checked_sub(1).map_or(0, |last| {
            let last = table.laid[last];
            last.pairs_before + (self.kinds()[last.kind()].parts.len() - 1) as u8
        });
        table.laid[index] = Laid::new(space, rotation, kind as u8, seat as u8, pairs_before);
        table.lengths.laid += 1;
        let tile = &self.kinds()[kind];
        let first = table.lengths.cells;
        for cell in first..first + tile.parts.len() as u16 {
            table.labels[usize::from(cell)] = cell;
            table.open[usize::from(cell)] = 0;
            touched.push(cell);
        }
        table.lengths.cells += tile.parts.len() as u16;
        if tile.diagonal_arch {
            note_arch(table, first, first + 1);
        }

        let on_table = self.tables.neighbours_on_table(space);
        for (side, face) in self.tables.faces[kind][usize::from(rotation)].iter().enumerate() {
            let cell = first + u16::from(face.part);
            let met = digit_of(code, side);
            if met == 0 {
                if face.edge == Edge::Open {
                    // Beyond the edge of the table too: that side stays open for ever (FC-5.7).
                    let label = table.labels[usize::from(cell)];
                    table.open[usize::from(label)] += 1;
                }
                if on_table & 1 << side != 0 {
                    touch(table, self.tables.neighbour(space, side), (side + 2) % 4, face.digit);
                }
            } else if met != CLOSED || face.edge != Edge::Wall {
                let (edge, other) = self.facing(&table.laid[..index], self.tables.neighbour(space, side), side);
                if let (Edge::Open, Some(other)) = (edge, other) {
                    let label = table.labels[usize::from(other)];
                    table.open[usize::from(label)] -= 1;
                    touched.push(other);
                }
                join(table, (face.edge, Some(cell)), (edge, other));
            }
        }
    }

    /// Lays a tile and pays the rooms it closes.
    pub(super) fn lay_and_pay<E: EventSink>(&self, state: &mut State, place: (u16, u8), kind: usize, seat: usize, events: &mut E) {
        let mut touched = Touched::new();
        self.lay(state, place, kind, seat, &mut touched);
        events.emit(|| self.laying(place, kind, seat));
        let closed = closed_rooms(state.table(), &touched);
        for label in closed {
            let room = self.total(state.table(), label);
            let paid = payments(&room.advisors[..self.players()], room.value);
            for (coins, paid) in state.coins.iter_mut().zip(&paid) {
                *coins += *paid as i32;
            }
            events.emit(|| self.closing(&room, &paid));
        }
    }

    fn laying(&self, (space, rotation): (u16, u8), kind: usize, seat: usize) -> Event {
        let (x, y) = self.coordinates(space);
        let id = &self.kinds()[kind].id;
        Event::new("lay", "FC-5.3", format!("{} lays {id} on {x},{y} r{rotation}", SEAT_NAMES[seat]))
            .with("seat", seat)
            .with("kind", id.as_str())
            .with("x", x)
            .with("y", y)
            .with("rotation", rotation)
    }

    fn closing(&self, room: &Total, paid: &[u32]) -> Event {
        let named: Vec<String> =
            SEAT_NAMES.iter().zip(paid).filter(|(_, paid)| **paid > 0).map(|(name, paid)| format!("{name} {paid}")).collect();
        let named = if named.is_empty() { "nobody is paid".to_owned() } else { named.join(", ") };
        let floor = FLOOR_NAMES[usize::from(room.floor)];
        let tiles = if room.tiles == 1 { "1 tile".to_owned() } else { format!("{} tiles", room.tiles) };
        Event::new("close", "FC-5.11", format!("{floor} room of {tiles} closes, worth {}: {named}", room.value))
            .with("floor", floor)
            .with("tiles", room.tiles)
            .with("value", room.value)
            .with("advisors", Value::from(room.advisors[..self.players()].to_vec()))
            .with("paid", Value::from(paid.to_vec()))
    }

    /// The turn goes to the next seat with a hand tile, or the game ends (FC-6.2).
    fn pass<E: EventSink>(&self, state: &mut State, events: &mut E) {
        let players = self.players();
        let turn = usize::from(state.turn);
        match (1..=players).map(|step| (turn + step) % players).find(|&seat| state.hands[seat] != NONE) {
            Some(seat) => {
                state.turn = seat as u8;
                state.phase = Phase::Place;
            }
            None => self.finish(state, events),
        }
    }

    /// The final tally (FC-7.4).
    pub(super) fn finish<E: EventSink>(&self, state: &mut State, events: &mut E) {
        state.phase = Phase::End;
        state.turn = NONE;
        let tally = self.tally(state);
        for (coins, tally) in state.coins.iter_mut().zip(&tally) {
            *coins += tally;
        }
        events.emit(|| {
            let named: Vec<String> =
                tally.iter().enumerate().map(|(seat, points)| format!("{} {points}", SEAT_NAMES[seat])).collect();
            Event::new("tally", "FC-7.4", format!("unplayed tiles bring {}", named.join(", ")))
                .with("paid", Value::from(tally.to_vec()))
        });
    }

    /// After set-up, in play or from a position: deals, play, or the end (FC-4.5).
    pub(super) fn begin(&self, state: &mut State) {
        if (0..self.players()).any(|seat| state.needs_tile(seat)) {
            state.phase = Phase::Deal;
        } else if state.hands.iter().any(|&hand| hand != NONE) {
            state.phase = Phase::Place;
        } else {
            self.finish(state, &mut NoEvents);
        }
    }
}
