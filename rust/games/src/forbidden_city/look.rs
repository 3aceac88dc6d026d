//! How actions look before any is tried: the evaluation after each of them to the last bit, from the rooms of the position before and
//! what one more tile changes in them.

use arrayvec::ArrayVec;

use forbidden_games_core::contract::evaluate_after_each;
use forbidden_games_core::player::Player;

use super::actions::Action;
use super::board::digit_of;
use super::components::Edge;
use super::game::Game;
use super::prospects::{Rooms, add, expected_tally, hope, hoped, lead, prospect, to_come};
use super::scoring::{Halves, halves_paid, share};
use super::state::{NONE, State};
use super::storage::MAX_CELLS;

/// Numbers of open sides for which the hope is at hand; few rooms have more.
const HOPES: usize = 12;

/// What a space meets on each side: nothing, or a side and its room. A garden has no room, and a wall.
type Met = [Option<(Edge, u16)>; 4];

/// What the position before says of all actions.
struct Before<'a> {
    game: &'a Game,
    state: &'a State,
    kind: usize,
    seat: usize,
    rooms: Rooms,
    /// Tiles to come after any action; what rooms are hoped to bring then, each and together.
    to_come: f64,
    hopes: [f64; HOPES],
    units: [i64; 4],
    /// What is expected of unplayed tiles after any action.
    tallies: [f64; 4],
}

/// Coins and hopes for rooms after one action.
struct After {
    coins: [i32; 4],
    units: [i64; 4],
}

/// The room of one part of the new tile, or of both.
#[derive(Default)]
struct Joined {
    /// The rooms that become one with it.
    members: ArrayVec<u16, 4>,
    open: u32,
    worth: u32,
    advisors: [u16; 4],
    temple: bool,
}

impl Joined {
    fn join(&mut self, room: u16) {
        if !self.members.contains(&room) {
            self.members.push(room);
        }
    }
}

/// Another room with other links or fewer open sides than before.
struct Changed {
    room: u16,
    /// Open sides covered.
    covered: u32,
    /// What links with rooms that are now joined brought it.
    lost: u32,
    /// Whether it is linked with the room of each part.
    linked: [bool; 2],
}

/// The rooms that a new tile makes or changes.
#[derive(Default)]
struct Touched {
    /// How many rooms the parts of the tile make.
    count: usize,
    joined: [Joined; 2],
    /// Whether they are two, with an arch between them.
    linked: bool,
    others: ArrayVec<Changed, MAX_CELLS>,
}

impl Touched {
    /// Which of the new rooms an old one is part of.
    fn joined_with(&self, room: u16) -> Option<usize> {
        (0..self.count).find(|&index| self.joined[index].members.contains(&room))
    }

    fn other(&mut self, room: u16) -> &mut Changed {
        let at = self.others.iter().position(|other| other.room == room).unwrap_or_else(|| {
            self.others.push(Changed { room, covered: 0, lost: 0, linked: [false; 2] });
            self.others.len() - 1
        });
        &mut self.others[at]
    }

    /// One of the new rooms has an arch to an old room, whose link with it brought `lost` before.
    fn link(&mut self, index: usize, room: u16, lost: u32) {
        if let Some(joined) = self.joined_with(room) {
            self.linked |= joined != index;
        } else {
            let other = self.other(room);
            other.lost += lost;
            other.linked[index] = true;
        }
    }
}

impl<'a> Before<'a> {
    fn new(game: &'a Game, state: &'a State, kind: usize, seat: usize) -> Self {
        let players = game.players();
        let to_come = f64::from(to_come(&state.left[..players]) - 1);
        let tallies = std::array::from_fn(|other| {
            let (worth, left) = (game.unplayed_worth(state, other), state.left[other]);
            if other == seat {
                expected_tally(worth - game.tables.tally_worth[kind], left - 1)
            } else {
                expected_tally(worth, left)
            }
        });
        let hopes = std::array::from_fn(|open| hope(to_come, open as u32));
        let mut before = Self { game, state, kind, seat, rooms: Rooms::default(), to_come, hopes, units: [0; 4], tallies };
        before.rooms.survey(game, state.table());
        before.units = before.rooms.weigh(to_come);
        before
    }

    fn met(&self, space: u16) -> Met {
        let table = self.state.table();
        let at = table.frontier_index(space).expect("a frontier space");
        let code = table.frontier[at] as u16;
        std::array::from_fn(|side| {
            (digit_of(code, side) != 0).then(|| {
                let (edge, cell) = self.game.facing(table.laid, self.game.tables.neighbour(space, side), side);
                cell.map_or((Edge::Wall, u16::MAX), |cell| (edge, self.rooms.room_of(cell)))
            })
        })
    }

    /// After the tile is laid where it meets `met`.
    fn after(&self, met: &Met, rotation: u8) -> After {
        let mut touched = Touched::default();
        self.join(&mut touched, met, rotation);
        self.meet(&mut touched, met, rotation);
        for index in 0..touched.count {
            self.keep_links(&mut touched, index);
        }
        let mut after = After { coins: self.state.coins, units: self.units };
        self.settle(&touched, &mut after);
        after
    }

    /// Which rooms become one, with the sums over them.
    fn join(&self, touched: &mut Touched, met: &Met, rotation: u8) {
        let kind = &self.game.kinds()[self.kind];
        touched.count = kind.parts.len();
        for (face, met) in self.game.tables.faces[self.kind][usize::from(rotation)].iter().zip(met) {
            if let (Edge::Open, Some((Edge::Open, room))) = (face.edge, *met) {
                touched.joined[usize::from(face.part)].join(room);
            }
        }
        let [first, second] = &mut touched.joined;
        if second.members.iter().any(|room| first.members.contains(room)) {
            for room in std::mem::take(&mut second.members) {
                first.join(room);
            }
            touched.count = 1;
        }
        touched.linked = kind.diagonal_arch && touched.count == 2;
        for (index, part) in kind.parts.iter().enumerate() {
            let joined = &mut touched.joined[index.min(touched.count - 1)];
            joined.worth += 3 * u32::from(part.dragons);
            joined.advisors[self.seat] += u16::from(part.advisors);
        }
        for joined in &mut touched.joined[..touched.count] {
            joined.worth += 1;
            for &room in &joined.members {
                let room = &self.rooms.rooms[usize::from(room)];
                joined.open += room.open;
                joined.worth += room.worth;
                joined.temple |= room.temple;
                for (sum, advisors) in joined.advisors.iter_mut().zip(room.advisors) {
                    *sum += advisors;
                }
            }
            if joined.members.len() > 1 {
                let counted_twice = self.rooms.split.iter().filter(|tile| tile.iter().all(|room| joined.members.contains(room)));
                joined.worth -= counted_twice.count() as u32;
            }
        }
    }

    /// Open sides and arches of the tile and of what it meets.
    fn meet(&self, touched: &mut Touched, met: &Met, rotation: u8) {
        for (face, met) in self.game.tables.faces[self.kind][usize::from(rotation)].iter().zip(met) {
            let index = usize::from(face.part).min(touched.count - 1);
            let Some((edge, room)) = *met else {
                touched.joined[index].open += u32::from(face.edge == Edge::Open);
                continue;
            };
            if edge == Edge::Open {
                match touched.joined_with(room) {
                    Some(joined) => touched.joined[joined].open -= 1,
                    None => touched.other(room).covered += 1,
                }
            }
            if let (Edge::Arch, Edge::Open | Edge::Arch) | (Edge::Open, Edge::Arch) = (face.edge, edge) {
                touched.link(index, room, 0);
            }
        }
    }

    /// The links of the rooms that became one.
    fn keep_links(&self, touched: &mut Touched, index: usize) {
        for member in touched.joined[index].members.clone() {
            let worth = self.rooms.rooms[usize::from(member)].worth;
            for other in self.rooms.linked(member) {
                touched.link(index, other, worth);
            }
        }
    }

    /// Puts the new rooms in the place of the old ones, and pays those that close.
    fn settle(&self, touched: &Touched, after: &mut After) {
        let mut values = [0, 1].map(|index: usize| {
            let joined = &touched.joined[index];
            joined.worth + u32::from(joined.temple) + if touched.linked { touched.joined[1 - index].worth } else { 0 }
        });
        for other in &touched.others {
            let room = &self.rooms.rooms[usize::from(other.room)];
            let mut value = room.value - other.lost;
            for (index, joined) in touched.joined.iter().enumerate() {
                if other.linked[index] {
                    value += joined.worth;
                    values[index] += room.worth;
                }
            }
            // Closed rooms have been paid.
            if room.open > 0 {
                add(&mut after.units, room.units.map(|units| -units));
                self.settle_room(room.open - other.covered, value, room.halves, after);
            }
        }
        for (joined, value) in touched.joined[..touched.count].iter().zip(values) {
            for &room in &joined.members {
                add(&mut after.units, self.rooms.rooms[usize::from(room)].units.map(|units| -units));
            }
            self.settle_room(joined.open, value, halves_paid(joined.advisors), after);
        }
    }

    /// Adds what a room is hoped to bring, or what it pays if it is closed (FC-7.2).
    fn settle_room(&self, open: u32, value: u32, halves: Halves, after: &mut After) {
        if open == 0 {
            for (coins, halves) in after.coins.iter_mut().zip(halves) {
                *coins += share(halves, value) as i32;
            }
        } else {
            let hope = self.hopes.get(open as usize).copied().unwrap_or_else(|| hope(self.to_come, open));
            add(&mut after.units, hoped(hope, value, halves));
        }
    }

    fn lead(&self, after: &After, player: Player) -> f64 {
        let prospects: [f64; 4] = std::array::from_fn(|seat| prospect(after.coins[seat], after.units[seat], self.tallies[seat]));
        lead(&prospects[..self.game.players()], player)
    }
}

impl Game {
    /// The evaluation after each of `actions`.
    pub(super) fn look(&self, state: &State, player: Player, actions: &[Action], _cache: &mut (), values: &mut Vec<f64>) {
        let seat = usize::from(state.turn);
        let ends = state.left[seat] == 3 && (0..self.players()).all(|other| other == seat || state.hands[other] == NONE);
        let Some(kind) = self.kind_in_turn(state).filter(|_| !ends) else {
            return evaluate_after_each(self, state, player, actions, values);
        };
        let before = Before::new(self, state, kind, seat);
        let mut seen: Option<(u16, Met)> = None;
        for &action in actions {
            let after = match action {
                Action::Lay { space, rotation } => {
                    // The rotations of a tile on a space come one after the other.
                    let (_, met) = seen.take().filter(|(last, _)| *last == space).unwrap_or_else(|| (space, before.met(space)));
                    seen = Some((space, met));
                    before.after(&met, rotation)
                }
                Action::Discard => After { coins: state.coins, units: before.units },
            };
            values.push(before.lead(&after, player));
        }
    }
}
