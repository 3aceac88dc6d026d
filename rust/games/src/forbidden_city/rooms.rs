//! Rooms as FC-9 lists them, and the flood fill from scratch that the incremental rooms are checked against.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use forbidden_games_core::geometry::region::flood_fill;

use super::Game;
use super::components::{Edge, FLOORS, TEMPLE};
use super::scoring::Total;
use super::state::{State, TEMPLE_CELL, Table};

/// One room, ready for JSON and for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Room {
    /// Space and part, reading order.
    pub(super) cells: Vec<(u16, u8)>,
    pub(super) open: u32,
    pub(super) total: Total,
    /// Indices of linked rooms, ascending.
    pub(super) links: Vec<usize>,
}

impl Room {
    pub(super) fn to_json(&self, game: &Game) -> Value {
        let cells: Vec<Value> = self
            .cells
            .iter()
            .map(|&(space, part)| {
                let (x, y) = game.coordinates(space);
                json!([x, y, part])
            })
            .collect();
        json!({
            "floor": FLOORS[usize::from(self.total.floor)],
            "cells": cells,
            "closed": self.open == 0,
            "open": self.open,
            "tiles": self.total.tiles,
            "dragons": self.total.dragons,
            "advisors": self.total.advisors[..game.players()].to_vec(),
            "links": self.links,
            "temple": self.total.temple,
            "value": self.total.value,
        })
    }
}

impl Game {
    /// All rooms in reading order of their first cell, from the incremental labels; one pass over cells and arches.
    pub(super) fn rooms(&self, table: Table<'_>) -> Vec<Room> {
        self.labelled_rooms(table).1
    }

    /// The rooms, and before them the label of each.
    pub(super) fn labelled_rooms(&self, table: Table<'_>) -> (Vec<u16>, Vec<Room>) {
        let mut rooms: BTreeMap<u16, Room> = BTreeMap::new();
        self.tables.for_each_cell(table, |cell| {
            let label = table.labels[cell.cell];
            let room = rooms.entry(label).or_insert_with(|| Room {
                cells: Vec::new(),
                open: u32::from(table.open[usize::from(label)]),
                total: Total { floor: cell.floor, ..Total::default() },
                links: Vec::new(),
            });
            room.cells.push((cell.space, u8::from(cell.second)));
            let first_of_tile = !cell.second || table.labels[cell.cell - 1] != label;
            room.total.tiles += u32::from(first_of_tile);
            room.total.dragons += u32::from(cell.dragons);
            room.total.advisors[cell.advisors.0] += u32::from(cell.advisors.1);
        });
        for room in rooms.values_mut() {
            room.cells.sort_unstable();
        }
        let (labels, mut rooms): (Vec<u16>, Vec<Room>) = {
            let mut ordered: Vec<(u16, Room)> = rooms.into_iter().collect();
            ordered.sort_by_key(|(_, room)| room.cells[0]);
            ordered.into_iter().unzip()
        };
        let mut index_of = vec![0; table.labels.len()];
        for (index, label) in labels.iter().enumerate() {
            index_of[usize::from(*label)] = index;
        }
        let room_of = |cell: u16| index_of[usize::from(table.labels[usize::from(cell)])];
        for &[a, b] in table.arches {
            match (a == TEMPLE_CELL, b == TEMPLE_CELL) {
                (true, true) => {}
                (true, false) => rooms[room_of(b)].total.temple = true,
                (false, true) => rooms[room_of(a)].total.temple = true,
                (false, false) if room_of(a) != room_of(b) => {
                    rooms[room_of(a)].links.push(room_of(b));
                    rooms[room_of(b)].links.push(room_of(a));
                }
                (false, false) => {}
            }
        }
        set_values(&mut rooms);
        (labels, rooms)
    }

    /// The same rooms, from nothing but the laid tiles (FC-5.6 to FC-5.10 word by word).
    pub(super) fn rooms_from_scratch(&self, table: Table<'_>) -> Vec<Room> {
        let tables = &self.tables;
        // What lies on each space: sides with symbol and cell, in reading order of spaces.
        struct Space {
            sides: [(Edge, Option<usize>); 4],
            temple: bool,
        }
        let mut cells: Vec<(u16, u8, u8, u32, usize, u32)> = Vec::new();
        let mut spaces: BTreeMap<(i32, i32), Space> = BTreeMap::new();
        let mut diagonals: Vec<(usize, usize)> = Vec::new();
        for index in 0..9 {
            let space = tables.start_space(index);
            let cell = tables.start_side().cells[index].map(|start| {
                cells.push((space, 0, start.floor, u32::from(start.dragons), 0, 0));
                cells.len() - 1
            });
            let sides = std::array::from_fn(|side| (tables.start_edge(index, side), cell));
            spaces.insert(self.coordinates(space), Space { sides, temple: index == TEMPLE });
        }
        for laid in table.laid {
            let kind = &tables.components.kinds[laid.kind()];
            let first = cells.len();
            for (part, content) in kind.parts.iter().enumerate() {
                let (dragons, advisors) = (u32::from(content.dragons), u32::from(content.advisors));
                cells.push((laid.space(), part as u8, content.floor, dragons, laid.seat(), advisors));
            }
            if kind.diagonal_arch {
                diagonals.push((first, first + 1));
            }
            let (edges, owners) = kind.face(laid.rotation());
            let sides = std::array::from_fn(|side| (edges[side], Some(first + usize::from(owners[side]))));
            spaces.insert(self.coordinates(laid.space()), Space { sides, temple: false });
        }
        let mut joined: Vec<Vec<usize>> = vec![Vec::new(); cells.len()];
        let mut arches: BTreeSet<(usize, usize)> = diagonals.into_iter().collect();
        let mut temple_cells: BTreeSet<usize> = BTreeSet::new();
        let mut open = vec![0_u32; cells.len()];
        for (&(x, y), space) in &spaces {
            for (side, (dx, dy)) in [(0, 1), (1, 0), (0, -1), (-1, 0)].into_iter().enumerate() {
                let (edge, cell) = space.sides[side];
                let Some(other) = spaces.get(&(x + dx, y + dy)) else {
                    if let (Edge::Open, Some(cell)) = (edge, cell) {
                        open[cell] += 1;
                    }
                    continue;
                };
                let (met, other_cell) = other.sides[(side + 2) % 4];
                let open_arch = (edge == Edge::Arch && met != Edge::Wall) || (met == Edge::Arch && edge != Edge::Wall);
                match (cell, other_cell) {
                    (Some(cell), Some(other_cell)) if edge == Edge::Open && met == Edge::Open => joined[cell].push(other_cell),
                    (Some(cell), Some(other_cell)) if open_arch => {
                        arches.insert((cell, other_cell));
                    }
                    (Some(cell), None) if open_arch && other.temple => {
                        temple_cells.insert(cell);
                    }
                    _ => {}
                }
            }
        }
        let mut visited = vec![false; cells.len()];
        let mut members: Vec<Vec<usize>> = Vec::new();
        for cell in 0..cells.len() {
            if !visited[cell] {
                members.push(flood_fill(cell, &mut visited, |cell, out| out.extend(&joined[cell])));
            }
        }
        for room in &mut members {
            room.sort_by_key(|&cell| (cells[cell].0, cells[cell].1));
        }
        members.sort_by_key(|room| (cells[room[0]].0, cells[room[0]].1));
        let mut room_of = vec![0; cells.len()];
        for (index, room) in members.iter().enumerate() {
            for &cell in room {
                room_of[cell] = index;
            }
        }
        let mut links: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); members.len()];
        for (a, b) in arches {
            let (a, b) = (room_of[a], room_of[b]);
            if a != b {
                links[a].insert(b);
                links[b].insert(a);
            }
        }
        let mut rooms: Vec<Room> = members
            .iter()
            .zip(links)
            .map(|(room, links)| {
                let mut total = Total { floor: cells[room[0]].2, ..Total::default() };
                total.tiles = room.iter().map(|&cell| cells[cell].0).collect::<BTreeSet<_>>().len() as u32;
                for &cell in room {
                    total.dragons += cells[cell].3;
                    total.advisors[cells[cell].4] += cells[cell].5;
                    total.temple |= temple_cells.contains(&cell);
                }
                Room {
                    cells: room.iter().map(|&cell| (cells[cell].0, cells[cell].1)).collect(),
                    open: room.iter().map(|&cell| open[cell]).sum(),
                    total,
                    links: links.into_iter().collect(),
                }
            })
            .collect();
        set_values(&mut rooms);
        rooms
    }

    /// The rooms of a state as JSON.
    pub(super) fn rooms_json(&self, state: &State) -> Value {
        self.rooms(state.table()).iter().map(|room| room.to_json(self)).collect()
    }
}

/// FC-5.10, once links are known.
fn set_values(rooms: &mut [Room]) {
    let worth: Vec<u32> = rooms.iter().map(|room| room.total.tiles + 3 * room.total.dragons).collect();
    for (index, room) in rooms.iter_mut().enumerate() {
        room.links.sort_unstable();
        room.links.dedup();
        room.total.value = worth[index] + room.links.iter().map(|&other| worth[other]).sum::<u32>() + u32::from(room.total.temple);
    }
}
