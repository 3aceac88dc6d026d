//! Laying, closing, drawing and passing (FC-5, FC-6). Trusts its caller: legality is in `legal.rs`.

use arrayvec::ArrayVec;
use serde_json::Value;

use forbidden_games_core::event::{Event, EventSink, NoEvents};

use super::Game;
use super::actions::{Action, Outcome};
use super::components::{Edge, FLOOR_NAMES};
use super::options::{CLOSED, DIGIT, Tables, digit_of};
use super::scoring::{SEAT_NAMES, payments};
use super::state::{Laid, NONE, Phase, State, Table, TableMut};

/// Rooms that may have been closed by a placement, by any of their cells.
type Touched = ArrayVec<u16, 6>;

/// A side and the cell that owns it; a garden has none.
pub(super) type OwnedEdge = (Edge, Option<u16>);

/// Two sides meet (table of FC-5.3): joins the rooms, notes an open arch, or neither. Open sides are counted by the caller.
pub(super) fn join(table: &mut TableMut<'_>, (edge, cell): OwnedEdge, (other_edge, other_cell): OwnedEdge) {
    let (Some(cell), Some(other_cell)) = (cell, other_cell) else { return };
    match (edge, other_edge) {
        (Edge::Open, Edge::Open) => unite(table, cell, other_cell),
        (Edge::Arch, Edge::Open | Edge::Arch) | (Edge::Open, Edge::Arch) => note_arch(table, cell, other_cell),
        _ => {}
    }
}

fn note_arch(table: &mut TableMut<'_>, cell: u16, other: u16) {
    table.arches[usize::from(table.lengths.arches)] = [cell, other];
    table.lengths.arches += 1;
}

/// Makes the rooms of two cells one.
fn unite(table: &mut TableMut<'_>, a: u16, b: u16) {
    let (a, b) = (table.labels[usize::from(a)], table.labels[usize::from(b)]);
    if a == b {
        return;
    }
    let (low, high) = (a.min(b), a.max(b));
    for label in &mut table.labels[..usize::from(table.lengths.cells)] {
        *label = if *label == high { low } else { *label };
    }
    table.open[usize::from(low)] += table.open[usize::from(high)];
    table.open[usize::from(high)] = 0;
}

/// An empty space meets `digit` on one of its sides: it joins the frontier or changes its code there.
pub(super) fn touch(table: &mut TableMut<'_>, space: u16, side: usize, digit: u8) {
    let length = usize::from(table.lengths.frontier);
    let code = u32::from(DIGIT[side]) * u32::from(digit);
    let at = table.frontier[..length].partition_point(|entry| (entry >> 16) < u32::from(space));
    if at < length && table.frontier[at] >> 16 == u32::from(space) {
        table.frontier[at] += code;
    } else {
        table.frontier.copy_within(at..length, at + 1);
        table.frontier[at] = u32::from(space) << 16 | code;
        table.lengths.frontier += 1;
    }
}

impl Table<'_> {
    /// The laid tile on a space.
    pub(super) fn find(&self, space: u16) -> Option<usize> {
        find(self.laid, space)
    }

    /// The place of a space in the frontier.
    pub(super) fn frontier_index(&self, space: u16) -> Result<usize, usize> {
        self.frontier.binary_search_by_key(&space, |entry| (entry >> 16) as u16)
    }
}

fn find(laid: &[Laid], space: u16) -> Option<usize> {
    laid.iter().position(|laid| laid.space() == space)
}

/// What the occupied neighbour of a space shows towards it.
pub(super) fn facing(tables: &Tables, laid: &[Laid], neighbour: u16, side: usize) -> OwnedEdge {
    let opposite = (side + 2) % 4;
    if let Some(index) = tables.start_index(neighbour) {
        return (tables.start_edge(index, opposite), tables.start_cells[index]);
    }
    let index = find(laid, neighbour).expect("an occupied space");
    let tile = laid[index];
    let face = tables.faces[tile.kind()][tile.rotation()][opposite];
    let cell = tables.num_start_cells + index + usize::from(tile.pairs_before) + usize::from(face.part);
    (face.edge, Some(cell as u16))
}

/// Puts a tile on a frontier space and updates rooms, arches and frontier. Which rooms may have closed goes to `touched`.
pub(super) fn lay(tables: &Tables, state: &mut State, place: (u16, u8), kind: usize, seat: usize, touched: &mut Touched) {
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
        last.pairs_before + (tables.components.kinds[last.kind()].parts.len() - 1) as u8
    });
    table.laid[index] = Laid::new(space, rotation, kind as u8, seat as u8, pairs_before);
    table.lengths.laid += 1;
    let tile = &tables.components.kinds[kind];
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

    let on_table = tables.neighbours_on_table(space);
    for (side, face) in tables.faces[kind][usize::from(rotation)].iter().enumerate() {
        let cell = first + u16::from(face.part);
        let met = digit_of(code, side);
        if met == 0 {
            if face.edge == Edge::Open {
                // Beyond the edge of the table too: that side stays open for ever (FC-5.7).
                let label = table.labels[usize::from(cell)];
                table.open[usize::from(label)] += 1;
            }
            if on_table & 1 << side != 0 {
                touch(table, tables.neighbour(space, side), (side + 2) % 4, face.digit);
            }
        } else if met != CLOSED || face.edge != Edge::Wall {
            let (edge, other) = facing(tables, &table.laid[..index], tables.neighbour(space, side), side);
            if let (Edge::Open, Some(other)) = (edge, other) {
                let label = table.labels[usize::from(other)];
                table.open[usize::from(label)] -= 1;
                touched.push(other);
            }
            join(table, (face.edge, Some(cell)), (edge, other));
        }
    }
}

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

impl Game {
    /// Lays a tile and pays the rooms it closes.
    pub(super) fn lay_and_pay<E: EventSink>(&self, state: &mut State, place: (u16, u8), kind: usize, seat: usize, events: &mut E) {
        let mut touched = Touched::new();
        lay(&self.tables, state, place, kind, seat, &mut touched);
        events.emit(|| {
            let (x, y) = self.coordinates(place.0);
            let id = &self.tables.components.kinds[kind].id;
            Event::new("lay", "FC-5.3", format!("{} lays {id} on {x},{y} r{}", SEAT_NAMES[seat], place.1))
                .with("seat", seat)
                .with("kind", id.as_str())
                .with("x", x)
                .with("y", y)
                .with("rotation", place.1)
        });
        let closed = closed_rooms(state.table(), &touched);
        for label in closed {
            let room = self.total(state.table(), label);
            let paid = payments(&room.advisors[..self.players()], room.value);
            for (coins, paid) in state.coins.iter_mut().zip(&paid) {
                *coins += *paid as i32;
            }
            events.emit(|| {
                let named: Vec<String> = (0..self.players())
                    .filter(|&seat| paid[seat] > 0)
                    .map(|seat| format!("{} {}", SEAT_NAMES[seat], paid[seat]))
                    .collect();
                let named = if named.is_empty() { "nobody is paid".to_owned() } else { named.join(", ") };
                let floor = FLOOR_NAMES[usize::from(room.floor)];
                let tiles = if room.tiles == 1 { "1 tile".to_owned() } else { format!("{} tiles", room.tiles) };
                Event::new("close", "FC-5.11", format!("{floor} room of {tiles} closes, worth {}: {named}", room.value))
                    .with("floor", floor)
                    .with("tiles", room.tiles)
                    .with("value", room.value)
                    .with("advisors", Value::from(room.advisors[..self.players()].to_vec()))
                    .with("paid", Value::from(paid.to_vec()))
            });
        }
    }

    pub(super) fn act<E: EventSink>(&self, state: &mut State, action: Action, events: &mut E) {
        debug_assert_eq!(state.phase, Phase::Place);
        let seat = usize::from(state.turn);
        let kind = usize::from(state.hands[seat]);
        state.hands[seat] = NONE;
        state.take(seat, kind);
        state.ply += 1;
        match action {
            Action::Lay { space, rotation } => self.lay_and_pay(state, (space, rotation), kind, seat, events),
            Action::Discard => events.emit(|| {
                let id = &self.tables.components.kinds[kind].id;
                Event::new("discard", "FC-5.5", format!("{} cannot lay {id} and discards it", SEAT_NAMES[seat]))
                    .with("seat", seat)
                    .with("kind", id.as_str())
            }),
        }
        if state.left[seat] > 2 {
            state.phase = Phase::Draw;
        } else {
            self.pass(state, events);
        }
    }

    pub(super) fn draw_tile<E: EventSink>(&self, state: &mut State, outcome: Outcome, events: &mut E) {
        let seat = state.drawing_seat();
        state.hands[seat] = outcome.kind;
        events.emit(|| {
            let id = &self.tables.components.kinds[usize::from(outcome.kind)].id;
            let rule = if state.phase == Phase::Deal { "FC-4.2" } else { "FC-5.12" };
            Event::new("draw", rule, format!("{} draws {id}", SEAT_NAMES[seat]))
                .with("seat", seat)
                .with("kind", id.as_str())
                .private(forbidden_games_core::player::Player::new(seat))
        });
        if state.phase == Phase::Draw {
            self.pass(state, events);
        } else if !(0..self.players()).any(|seat| state.needs_tile(seat)) {
            state.phase = Phase::Place;
        }
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
