//! Rooms as FC-9 lists them.

use std::collections::BTreeMap;

use super::board::{TEMPLE_CELL, Table};
use super::game::Game;
use super::scoring::Total;

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

impl Game {
    /// All rooms in reading order of their first cell, from the incremental labels; one pass over cells and arches.
    pub(super) fn rooms(&self, table: Table<'_>) -> Vec<Room> {
        self.labelled_rooms(table).1
    }

    /// The rooms, and before them the label of each.
    pub(super) fn labelled_rooms(&self, table: Table<'_>) -> (Vec<u16>, Vec<Room>) {
        let mut rooms: BTreeMap<u16, Room> = BTreeMap::new();
        self.for_each_cell(table, |cell| {
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
}

/// FC-5.10, once links are known.
pub(super) fn set_values(rooms: &mut [Room]) {
    let worth: Vec<u32> = rooms.iter().map(|room| room.total.tiles + 3 * room.total.dragons).collect();
    for (index, room) in rooms.iter_mut().enumerate() {
        room.links.sort_unstable();
        room.links.dedup();
        room.total.value = worth[index] + room.links.iter().map(|&other| worth[other]).sum::<u32>() + u32::from(room.total.temple);
    }
}
