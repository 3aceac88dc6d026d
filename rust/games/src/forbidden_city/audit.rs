//! The invariants of FC-12, recomputed from the laid tiles alone.

use std::collections::{BTreeMap, BTreeSet};

use forbidden_games_core::contract::{Audit, Notation, Rules};
use forbidden_games_core::geometry::region::flood_fill;

use super::board::{CLOSED, DIGIT, Table};
use super::components::{Edge, TEMPLE};
use super::game::Game;
use super::rooms::{Room, set_values};
use super::scoring::{Total, payments};
use super::state::{NONE, Phase, State};

impl Audit for Game {
    fn check_invariants(&self, state: &State) -> Result<(), String> {
        let broken = |number: u8, what: String| Err(format!("FC-12.{number}: {what}"));
        let players = self.players();
        let table = state.table();
        // 1: conservation, and hands.
        let mut laid_by = [0_usize; 4];
        for laid in table.laid {
            laid_by[laid.seat()] += 1;
        }
        let mut gone = 0;
        for seat in 0..players {
            let mut laid = vec![0_u32; self.kinds().len()];
            for tile in table.laid.iter().filter(|tile| tile.seat() == seat) {
                laid[tile.kind()] += 1;
            }
            for (kind, tile) in self.kinds().iter().enumerate() {
                if laid[kind] + u32::from(state.unplayed(seat)[kind]) > u32::from(tile.copies(players)) {
                    return broken(1, format!("seat {seat} has more {} than its set", tile.id));
                }
            }
            let unplayed: usize = state.unplayed(seat).iter().map(|&copies| usize::from(copies)).sum();
            if unplayed != usize::from(state.left[seat]) || unplayed < 2 {
                return broken(1, format!("seat {seat} has {unplayed} unplayed tiles, counted as {}", state.left[seat]));
            }
            if state.hands[seat] != NONE && (unplayed < 3 || state.unplayed(seat)[usize::from(state.hands[seat])] == 0) {
                return broken(1, format!("the hand tile of seat {seat} is not among its unplayed tiles"));
            }
            gone += usize::from(self.settings.set_size()) - unplayed;
        }
        if (players..4).any(|seat| state.hands[seat] != NONE || state.left[seat] != 0 || state.coins[seat] != 0) {
            return broken(1, "a seat that does not play has something".to_owned());
        }
        // 2 and 9: length.
        if usize::from(state.ply) != gone || gone > self.settings.most_plies() || table.laid.len() > gone {
            return broken(2, format!("ply {} with {gone} tiles laid and discarded", state.ply));
        }
        self.phase_invariants(state)?;
        self.table_invariants(state)?;
        // 5: rooms.
        let (labels, rooms) = self.labelled_rooms(table);
        if rooms != self.rooms_from_scratch(table) {
            return broken(5, "rooms differ from the flood fill".to_owned());
        }
        for (index, room) in rooms.iter().enumerate() {
            let total = &room.total;
            let fits = !room.links.contains(&index)
                && room.links.iter().all(|&other| rooms[other].links.contains(&index))
                && total.tiles >= 1
                && total.tiles as usize <= room.cells.len()
                && total.value >= total.tiles + 3 * total.dragons;
            if !fits {
                return broken(5, format!("room {index}: {room:?}"));
            }
            // 7: payments, whether or not the room is closed.
            let paid = payments(&total.advisors[..players], total.value);
            let sum: u32 = paid.iter().sum();
            let without = paid.iter().zip(&total.advisors).any(|(&paid, &advisors)| paid > 0 && advisors == 0);
            if without || sum > 2 * total.value {
                return broken(7, format!("room {index} pays {paid:?}"));
            }
            // The sums of one room alone, which payments in play use, are the same.
            if self.total(table, labels[index]) != *total {
                return broken(5, format!("the sums of room {index} alone differ"));
            }
        }
        if state.coins.iter().any(|&coins| coins < 0) {
            return broken(6, "negative coins".to_owned());
        }
        Ok(())
    }
}

impl Game {
    /// 3: phase, hands and the legal list.
    fn phase_invariants(&self, state: &State) -> Result<(), String> {
        let players = self.players();
        let needing: Vec<usize> = (0..players).filter(|&seat| state.needs_tile(seat)).collect();
        let turn = usize::from(state.turn);
        let fits = match state.phase {
            Phase::Deal => !needing.is_empty() && turn < players && state.left[turn] > 2,
            Phase::Draw => needing == [turn],
            Phase::Place => needing.is_empty() && turn < players && state.hands[turn] != NONE,
            Phase::End => state.turn == NONE && (0..players).all(|seat| state.hands[seat] == NONE && state.left[seat] == 2),
        };
        if !fits {
            return Err(format!("FC-12.3: phase {:?}, turn {}, seats without a tile {needing:?}", state.phase, state.turn));
        }
        let mut legal = Vec::new();
        self.legal_actions(state, &mut legal);
        if legal.is_empty() != (state.phase != Phase::Place) || !legal.is_sorted_by(|a, b| a < b) {
            return Err(format!("FC-12.3: {} legal actions, or not ascending", legal.len()));
        }
        if let Some(action) = legal.iter().find(|&&action| self.check_action(state, action).is_err()) {
            return Err(format!("FC-12.3: {} is listed and refused", self.format_action(*action)));
        }
        Ok(())
    }

    /// 4: what lies on the table, and the frontier with its codes.
    fn table_invariants(&self, state: &State) -> Result<(), String> {
        let table = state.table();
        let half = self.half();
        // Digits shown by every occupied space.
        let mut shown: BTreeMap<(i32, i32), [u8; 4]> = BTreeMap::new();
        for index in 0..9 {
            let floor = self.settings.start_side().cells[index].map_or(0, |cell| cell.floor);
            let digits = std::array::from_fn(|side| match self.tables.start_edge(index, side) {
                Edge::Open => 1 + floor,
                _ => CLOSED,
            });
            shown.insert(self.coordinates(self.tables.start_space(index)), digits);
        }
        for laid in table.laid {
            let digits = self.tables.faces[laid.kind()][laid.rotation()].map(|face| face.digit);
            if self.tables.canonical[laid.kind()][laid.rotation()] as usize != laid.rotation() {
                return Err("FC-12.4: a rotation that is not canonical".to_owned());
            }
            if shown.insert(self.coordinates(laid.space()), digits).is_some() {
                return Err(format!("FC-12.4: two tiles on {}", self.format_space(laid.space())));
            }
        }
        let mut frontier: BTreeMap<u16, u32> = BTreeMap::new();
        let mut reached = vec![(0, 0)];
        let mut waiting: BTreeSet<(i32, i32)> = shown.keys().copied().collect();
        waiting.remove(&(0, 0));
        while let Some((x, y)) = reached.pop() {
            for (side, (dx, dy)) in [(0, 1), (1, 0), (0, -1), (-1, 0)].into_iter().enumerate() {
                let there = (x + dx, y + dy);
                if waiting.remove(&there) {
                    reached.push(there);
                }
                let (mine, opposite) = (shown[&(x, y)][side], (side + 2) % 4);
                match (shown.get(&there), self.space_at(there.0, there.1)) {
                    (Some(other), _) => {
                        let met = other[opposite];
                        if mine != CLOSED && met != CLOSED && mine != met {
                            return Err(format!("FC-12.4: open sides of different floors meet between {x},{y} and {there:?}"));
                        }
                    }
                    (None, Some(space)) => *frontier.entry(space).or_default() += u32::from(DIGIT[opposite]) * u32::from(mine),
                    (None, None) => {}
                }
            }
        }
        if !waiting.is_empty() {
            return Err(format!("FC-12.4: {waiting:?} are not connected to the start tile"));
        }
        if shown.keys().any(|&(x, y)| x.abs() > half || y.abs() > half) {
            return Err("FC-12.4: a tile beyond the table".to_owned());
        }
        let entries: Vec<u32> = frontier.into_iter().map(|(space, code)| u32::from(space) << 16 | code).collect();
        if entries != table.frontier {
            return Err("FC-12.4: the frontier differs from the spaces around the laid tiles".to_owned());
        }
        Ok(())
    }
}

/// A cell as FC-5.6 to FC-5.9 see it.
struct Cell {
    space: u16,
    part: u8,
    floor: u8,
    dragons: u32,
    seat: usize,
    advisors: u32,
}

/// What lies on a space: sides with symbol and cell.
struct Space {
    sides: [(Edge, Option<usize>); 4],
    temple: bool,
}

/// How cells meet.
struct Meetings {
    /// Cells joined with each by open sides.
    joined: Vec<Vec<usize>>,
    arches: BTreeSet<(usize, usize)>,
    /// Cells with an open arch to the temple.
    temple: BTreeSet<usize>,
    /// Open sides of each.
    open: Vec<u32>,
}

impl Game {
    /// The rooms of [`Game::rooms`], from nothing but the laid tiles (FC-5.6 to FC-5.10 word by word).
    fn rooms_from_scratch(&self, table: Table<'_>) -> Vec<Room> {
        let mut cells = Vec::new();
        let mut spaces = BTreeMap::new();
        self.start_spaces(&mut cells, &mut spaces);
        let diagonals = self.laid_spaces(table, &mut cells, &mut spaces);
        let meetings = meetings(cells.len(), &spaces, diagonals);
        let mut visited = vec![false; cells.len()];
        let mut members: Vec<Vec<usize>> = Vec::new();
        for cell in 0..cells.len() {
            if !visited[cell] {
                members.push(flood_fill(cell, &mut visited, |cell, out| out.extend(&meetings.joined[cell])));
            }
        }
        for room in &mut members {
            room.sort_by_key(|&cell| (cells[cell].space, cells[cell].part));
        }
        members.sort_by_key(|room| (cells[room[0]].space, cells[room[0]].part));
        let mut room_of = vec![0; cells.len()];
        for (index, room) in members.iter().enumerate() {
            for &cell in room {
                room_of[cell] = index;
            }
        }
        let mut links: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); members.len()];
        for &(a, b) in &meetings.arches {
            let (a, b) = (room_of[a], room_of[b]);
            if a != b {
                links[a].insert(b);
                links[b].insert(a);
            }
        }
        let mut rooms: Vec<Room> =
            members.iter().zip(links).map(|(room, links)| room_of_cells(&cells, &meetings, room, links)).collect();
        set_values(&mut rooms);
        rooms
    }

    fn start_spaces(&self, cells: &mut Vec<Cell>, spaces: &mut BTreeMap<(i32, i32), Space>) {
        for index in 0..9 {
            let space = self.tables.start_space(index);
            let start = self.settings.start_side();
            let cell = start.cells[index].map(|start| {
                cells.push(Cell { space, part: 0, floor: start.floor, dragons: start.dragons.into(), seat: 0, advisors: 0 });
                cells.len() - 1
            });
            let edges = if index == TEMPLE { start.temple } else { start.cells[index].map_or([Edge::Wall; 4], |cell| cell.edges) };
            spaces.insert(self.coordinates(space), Space { sides: edges.map(|edge| (edge, cell)), temple: index == TEMPLE });
        }
    }

    /// Adds the laid tiles; gives the arches in diagonal walls.
    fn laid_spaces(
        &self,
        table: Table<'_>,
        cells: &mut Vec<Cell>,
        spaces: &mut BTreeMap<(i32, i32), Space>,
    ) -> BTreeSet<(usize, usize)> {
        let mut diagonals = BTreeSet::new();
        for laid in table.laid {
            let kind = &self.kinds()[laid.kind()];
            let first = cells.len();
            for (part, content) in kind.parts.iter().enumerate() {
                cells.push(Cell {
                    space: laid.space(),
                    part: part as u8,
                    floor: content.floor,
                    dragons: content.dragons.into(),
                    seat: laid.seat(),
                    advisors: content.advisors.into(),
                });
            }
            if kind.diagonal_arch {
                diagonals.insert((first, first + 1));
            }
            let (edges, owners) = kind.face(laid.rotation());
            let sides = std::array::from_fn(|side| (edges[side], Some(first + usize::from(owners[side]))));
            spaces.insert(self.coordinates(laid.space()), Space { sides, temple: false });
        }
        diagonals
    }
}

fn meetings(cells: usize, spaces: &BTreeMap<(i32, i32), Space>, diagonals: BTreeSet<(usize, usize)>) -> Meetings {
    let mut meetings =
        Meetings { joined: vec![Vec::new(); cells], arches: diagonals, temple: BTreeSet::new(), open: vec![0; cells] };
    for (&(x, y), space) in spaces {
        for (side, (dx, dy)) in [(0, 1), (1, 0), (0, -1), (-1, 0)].into_iter().enumerate() {
            let (edge, cell) = space.sides[side];
            let Some(other) = spaces.get(&(x + dx, y + dy)) else {
                if let (Edge::Open, Some(cell)) = (edge, cell) {
                    meetings.open[cell] += 1;
                }
                continue;
            };
            let (met, other_cell) = other.sides[(side + 2) % 4];
            let open_arch = (edge == Edge::Arch && met != Edge::Wall) || (met == Edge::Arch && edge != Edge::Wall);
            match (cell, other_cell) {
                (Some(cell), Some(other_cell)) if edge == Edge::Open && met == Edge::Open => {
                    meetings.joined[cell].push(other_cell);
                }
                (Some(cell), Some(other_cell)) if open_arch => {
                    meetings.arches.insert((cell, other_cell));
                }
                (Some(cell), None) if open_arch && other.temple => {
                    meetings.temple.insert(cell);
                }
                _ => {}
            }
        }
    }
    meetings
}

fn room_of_cells(cells: &[Cell], meetings: &Meetings, room: &[usize], links: BTreeSet<usize>) -> Room {
    let mut total = Total { floor: cells[room[0]].floor, ..Total::default() };
    total.tiles = room.iter().map(|&cell| cells[cell].space).collect::<BTreeSet<_>>().len() as u32;
    for &cell in room {
        total.dragons += cells[cell].dragons;
        total.advisors[cells[cell].seat] += cells[cell].advisors;
        total.temple |= meetings.temple.contains(&cell);
    }
    Room {
        cells: room.iter().map(|&cell| (cells[cell].space, cells[cell].part)).collect(),
        open: room.iter().map(|&cell| meetings.open[cell]).sum(),
        total,
        links: links.into_iter().collect(),
    }
}
