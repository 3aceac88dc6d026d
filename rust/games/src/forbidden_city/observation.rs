//! What a seat perceives (FC-8), worlds that fit it, and observations as numbers.

use forbidden_games_core::contract::{Observed, Step};
use forbidden_games_core::encoding::Layout;
use forbidden_games_core::player::Player;
use forbidden_games_core::rng::Rng;

use super::Game;
use super::actions::{Action, Outcome};
use super::components::{Edge, TEMPLE};
use super::options::Tables;
use super::state::{NONE, Phase, State};

/// The default size of the encoded window.
pub(super) const WINDOW: usize = 19;

/// What one seat knows of a position: everything but the other hands (FC-8.2).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Observation {
    pub(super) player: Player,
    /// The position with the other hands empty.
    pub(super) seen: State,
}

impl Observation {
    pub(super) fn new(state: &State, player: Player) -> Self {
        let mut seen = state.clone();
        for (seat, hand) in seen.hands.iter_mut().enumerate() {
            if seat != player.index() {
                *hand = NONE;
            }
        }
        Self { player, seen }
    }
}

const ACTION_SEEN: u64 = 1 << 40;
const TILE_SEEN: u64 = 1 << 41;
const DEAL_SEEN: u64 = 1 << 42;

impl Game {
    /// The kind as well as the place of an action; of a draw the kind for its owner only. In `deal` everybody sees who draws, which the
    /// position does not tell (FC-8.4): after the last draw the game begins.
    pub(super) fn seen_by(&self, before: &State, step: Step<Action, Outcome>, viewer: Player) -> Observed {
        match step {
            Step::Action(action) => {
                let kind = self.kind_in_turn(before).unwrap_or(0) as u64;
                Observed(ACTION_SEEN | kind << 32 | u64::from(self.id_of(action)))
            }
            Step::Outcome(outcome) if before.drawing_seat() == viewer.index() => Observed(TILE_SEEN | u64::from(outcome.kind)),
            Step::Outcome(_) if before.phase == Phase::Deal => Observed(DEAL_SEEN | before.drawing_seat() as u64),
            Step::Outcome(_) => Observed::NOTHING,
        }
    }

    pub(super) fn seen_text(&self, observed: Observed) -> String {
        let id = |kind: u64| self.tables.components.kinds.get(kind as usize).map_or("?", |kind| kind.id.as_str());
        if observed == Observed::NOTHING {
            "a hidden draw".to_owned()
        } else if observed.0 & DEAL_SEEN != 0 {
            format!("a hidden draw of seat {}", observed.0 & 0xff)
        } else if observed.0 & TILE_SEEN != 0 {
            format!("draw {}", id(observed.0 & 0xff))
        } else {
            let action = self.action_of(observed.0 as u32).map_or_else(|| "?".to_owned(), |action| self.action_text(action));
            format!("{} {action}", id(observed.0 >> 32 & 0xff))
        }
    }

    /// Whether `seat` has a tile in hand, from what the viewer sees alone (FC-8.4): everybody but the seat that draws; in `deal`, where
    /// the view does not say who is next, the ordinary order of dealing is taken, and seats below the one that draws have theirs.
    fn is_holding(&self, observation: &Observation, seat: usize) -> bool {
        let (seen, viewer) = (&observation.seen, observation.player.index());
        let unfinished = |seat: usize| seen.left[seat] > 2;
        if !unfinished(seat) {
            return false;
        }
        match seen.phase {
            _ if seat == viewer => seen.hands[seat] != NONE,
            Phase::Place | Phase::End => true,
            Phase::Draw => seat != usize::from(seen.turn),
            Phase::Deal if seen.needs_tile(viewer) => seat < viewer,
            Phase::Deal => {
                let drawing = (viewer + 1..self.players()).chain(0..viewer).find(|&seat| unfinished(seat));
                drawing.is_some_and(|drawing| seat < drawing)
            }
        }
    }

    /// FC-8.3: each other hand is one of its seat's unplayed tiles, independently.
    pub(super) fn world(&self, observation: &Observation, rng: &mut Rng) -> State {
        let mut world = observation.seen.clone();
        for seat in 0..self.players() {
            if seat != observation.player.index() && self.is_holding(observation, seat) {
                world.hands[seat] = self.pick_tile(&world, seat, rng);
            }
        }
        world
    }

    pub(super) fn write_numbers(&self, observation: &Observation, out: &mut [f32]) {
        let (state, viewer, players) = (&observation.seen, observation.player.index(), self.players());
        let relative = |seat: usize| (seat + players - viewer) % players;
        let kinds = self.tables.components.kinds.len();
        let blocks = self.layout.blocks();
        let (board, rest) = out.split_at_mut(blocks[0].len());
        let outside = self.write_board(observation, board);
        let mut rest = rest;
        let mut next = |length: usize| -> &mut [f32] {
            let (block, remaining) = std::mem::take(&mut rest).split_at_mut(length);
            rest = remaining;
            block
        };
        let hand = next(kinds);
        if state.hands[viewer] != NONE {
            hand[usize::from(state.hands[viewer])] = 1.0;
        }
        let unplayed = next(players * kinds);
        for seat in 0..players {
            for (value, &copies) in unplayed[relative(seat) * kinds..][..kinds].iter_mut().zip(state.unplayed(seat)) {
                *value = f32::from(copies);
            }
        }
        let discarded = next(players * kinds);
        if usize::from(state.ply) != state.table().laid.len() {
            for seat in 0..players {
                for (value, copies) in discarded[relative(seat) * kinds..][..kinds].iter_mut().zip(self.discarded(state, seat)) {
                    *value = f32::from(copies);
                }
            }
        }
        let coins = next(players);
        for seat in 0..players {
            coins[relative(seat)] = state.coins[seat] as f32 / 100.0;
        }
        next(4)[state.phase as usize] = 1.0;
        let turn = next(players);
        if state.turn != NONE {
            turn[relative(usize::from(state.turn))] = 1.0;
        }
        next(3).copy_from_slice(&outside);
    }

    /// The coordinates of the window's centre: the middle of the laid tiles and the start tile.
    fn window_centre(&self, state: &State) -> (i32, i32) {
        let (mut low, mut high) = ((-1, -1), (1, 1));
        for laid in state.table().laid {
            let (x, y) = self.coordinates(laid.space());
            low = (low.0.min(x), low.1.min(y));
            high = (high.0.max(x), high.1.max(y));
        }
        ((low.0 + high.0).div_euclid(2), (low.1 + high.1).div_euclid(2))
    }

    /// Fills the planes; gives the block `window`: centre and whether something lies outside.
    fn write_board(&self, observation: &Observation, board: &mut [f32]) -> [f32; 3] {
        let (tables, state, window) = (&*self.tables, &observation.seen, self.window);
        let table = state.table();
        let (viewer, players) = (observation.player.index(), self.players());
        let centre = self.window_centre(state);
        let (radius, half) = (window as i32 / 2, tables.half());
        let area = window * window;
        let place = |space: u16| -> Option<usize> {
            let (x, y) = self.coordinates(space);
            let (column, row) = (x - centre.0 + radius, centre.1 - y + radius);
            let inside = (0..window as i32).contains(&column) && (0..window as i32).contains(&row);
            inside.then(|| row as usize * window + column as usize)
        };
        let mut outside = false;
        for index in 0..9 {
            let Some(at) = place(tables.start_space(index)) else {
                outside = true;
                continue;
            };
            let mut set = |plane: usize, value: f32| board[plane * area + at] = value;
            match (&tables.start_side().cells[index], tables.start_cells[index]) {
                (Some(cell), Some(number)) => {
                    set(plane::START, 1.0);
                    set(plane::FLOOR + usize::from(cell.floor), 1.0);
                    set(plane::DRAGONS, f32::from(cell.dragons));
                    let label = table.labels[usize::from(number)];
                    set(plane::CLOSED, f32::from(u8::from(table.open[usize::from(label)] == 0)));
                }
                _ => set(if index == TEMPLE { plane::TEMPLE } else { plane::GARDEN }, 1.0),
            }
            for side in 0..4 {
                match tables.start_edge(index, side) {
                    Edge::Open => set(plane::OPEN + side, 1.0),
                    Edge::Arch => set(plane::ARCH + side, 1.0),
                    Edge::Wall => {}
                }
            }
        }
        let mut cell = tables.num_start_cells;
        for laid in table.laid {
            let kind = &tables.components.kinds[laid.kind()];
            let first = cell;
            cell += kind.parts.len();
            let Some(at) = place(laid.space()) else {
                outside = true;
                continue;
            };
            let mut set = |plane: usize, value: f32| board[plane * area + at] = value;
            set(plane::SEAT + (laid.seat() + players - viewer) % players, 1.0);
            for (side, face) in tables.faces[laid.kind()][laid.rotation()].iter().enumerate() {
                match face.edge {
                    Edge::Open => set(plane::OPEN + side, 1.0),
                    Edge::Arch => set(plane::ARCH + side, 1.0),
                    Edge::Wall => {}
                }
                if face.part == 1 {
                    set(plane::SECOND_PART + side, 1.0);
                }
            }
            for (index, part) in kind.parts.iter().enumerate() {
                set(plane::FLOOR + 3 * index + usize::from(part.floor), 1.0);
                if part.advisors > 0 {
                    set(plane::ADVISORS + index, f32::from(part.advisors));
                }
                if part.dragons > 0 {
                    set(plane::DRAGONS + index, f32::from(part.dragons));
                }
                let label = table.labels[first + index];
                if table.open[usize::from(label)] == 0 {
                    set(plane::CLOSED + index, 1.0);
                }
            }
            if kind.parts.len() == 2 {
                set(plane::DIAGONAL, 1.0);
                set(plane::DIAGONAL_ARCH, f32::from(u8::from(kind.diagonal_arch)));
            }
        }
        for &entry in table.frontier {
            if let Some(at) = place((entry >> 16) as u16) {
                board[plane::FRONTIER * area + at] = 1.0;
            }
        }
        if centre.0.abs() + radius > half || centre.1.abs() + radius > half {
            for (at, value) in board[plane::BEYOND * area..].iter_mut().enumerate() {
                let (x, y) = (centre.0 - radius + (at % window) as i32, centre.1 + radius - (at / window) as i32);
                *value = f32::from(u8::from(x.abs() > half || y.abs() > half));
            }
        }
        let scale = half as f32;
        [centre.0 as f32 / scale, centre.1 as f32 / scale, f32::from(u8::from(outside))]
    }
}

/// Planes of the block `board`.
mod plane {
    pub(super) const SEAT: usize = 0;
    pub(super) const START: usize = 4;
    pub(super) const GARDEN: usize = 5;
    pub(super) const TEMPLE: usize = 6;
    pub(super) const OPEN: usize = 7;
    pub(super) const ARCH: usize = 11;
    pub(super) const SECOND_PART: usize = 15;
    pub(super) const FLOOR: usize = 19;
    pub(super) const ADVISORS: usize = 25;
    pub(super) const DRAGONS: usize = 27;
    pub(super) const DIAGONAL: usize = 29;
    pub(super) const DIAGONAL_ARCH: usize = 30;
    pub(super) const CLOSED: usize = 31;
    pub(super) const FRONTIER: usize = 33;
    pub(super) const BEYOND: usize = 34;
    pub(super) const COUNT: usize = 35;
}

const BOARD_MEANING: &str = "planes, rows from the north, columns from the west, around the middle of what is laid. 0-3 tile of the \
    viewer, next seat, ...; 4 room space of the start tile; 5 garden; 6 temple; 7-10 open side N E S W; 11-14 arch N E S W; 15-18 side \
    belongs to the second part; 19-21 floor g p w of the first part; 22-24 of the second; 25, 26 advisors of each part; 27, 28 dragons; 29 \
    diagonal wall; 30 arch in it; 31, 32 room of each part is closed; 33 empty space that touches an occupied one; 34 beyond the table";

/// The blocks for a window size.
pub(super) fn layout(tables: &Tables, window: usize) -> Layout {
    let (players, kinds) = (tables.players, tables.components.kinds.len());
    let mut layout = Layout::new();
    layout.push_plain("board", &[plane::COUNT, window, window], BOARD_MEANING);
    layout.push_plain("hand", &[kinds], "1 at the kind in the viewer's hand; kinds in the order of the set");
    layout.push_plain("unplayed", &[players, kinds], "copies in hand and stack");
    layout.push_plain("discarded", &[players, kinds], "copies out of the game");
    layout.push_plain("coins", &[players], "coins / 100");
    layout.push_plain("phase", &[4], "1 at the phase: deal, place, draw, end");
    layout.push_plain("turn", &[players], "1 at the seat of FC-9 `turn`; all 0 at the end");
    layout.push_plain(
        "window",
        &[3],
        "x and y of the window's middle / largest coordinate; 1 if something laid lies outside the window",
    );
    layout
}
