//! Observations as numbers. The board is a window around what is laid; seats come in the order of play from the viewer.

use forbidden_games_core::contract::Features;
use forbidden_games_core::encoding::{FeatureSink, Layout};

use super::components::{Edge, TEMPLE};
use super::game::Game;
use super::observation::Observation;
use super::options::Settings;
use super::state::{NONE, State};

/// The default size of the encoded window.
pub(super) const WINDOW: usize = 19;

impl Features for Game {
    fn observation_layout(&self) -> &Layout {
        &self.layout
    }

    fn features(&self, observation: &Observation, sink: &mut impl FeatureSink) {
        let (state, viewer, players) = (&observation.seen, observation.player.index(), self.players());
        let relative = |seat: usize| (seat + players - viewer) % players;
        let kinds = self.kinds().len();
        let [board, hand, unplayed, discarded, coins, more_coins, phase, turn, window, outside] = self.offsets();
        let view = View::new(self, state);
        let mut is_outside = self.start_features(state, &view, board, sink);
        is_outside |= self.laid_features(observation, &view, board, sink);
        self.empty_features(state, &view, board, sink);
        if state.hands[viewer] != NONE {
            sink.set(hand + usize::from(state.hands[viewer]), 1);
        }
        let has_discards = usize::from(state.ply) != state.table().laid.len();
        for seat in 0..players {
            let seat_at = relative(seat);
            counts(sink, unplayed + seat_at * kinds, &state.unplayed(seat)[..kinds]);
            if has_discards {
                counts(sink, discarded + seat_at * kinds, &self.discarded(state, seat));
            }
            let [low, middle, high, _] = state.coins[seat].to_le_bytes();
            counts(sink, coins + seat_at, &[low]);
            counts(sink, more_coins + 2 * seat_at, &[middle, high]);
        }
        sink.set(phase + state.phase as usize, 1);
        if state.turn != NONE {
            sink.set(turn + relative(usize::from(state.turn)), 1);
        }
        let (x, y) = view.middle;
        // East, west, north, south; one of each pair is 0.
        for (index, distance) in [x, -x, y, -y].into_iter().enumerate() {
            if distance > 0 {
                sink.set(window + index, distance as u16);
            }
        }
        sink.flag(outside, is_outside);
    }
}

/// Sets those of a list of counts that are not 0.
fn counts(sink: &mut impl FeatureSink, offset: usize, counts: &[u8]) {
    for (index, &count) in counts.iter().enumerate() {
        if count > 0 {
            sink.set(offset + index, count.into());
        }
    }
}

/// The window on the table.
struct View {
    /// Spaces along each side.
    window: usize,
    /// Coordinates of its middle: that of the laid tiles and the start tile.
    middle: (i32, i32),
}

impl View {
    fn new(game: &Game, state: &State) -> Self {
        let (mut low, mut high) = ((-1, -1), (1, 1));
        for laid in state.table().laid {
            let (x, y) = game.coordinates(laid.space());
            low = (low.0.min(x), low.1.min(y));
            high = (high.0.max(x), high.1.max(y));
        }
        Self { window: game.window, middle: ((low.0 + high.0).div_euclid(2), (low.1 + high.1).div_euclid(2)) }
    }

    fn radius(&self) -> i32 {
        self.window as i32 / 2
    }

    /// The place of a space in each plane, if it is inside.
    #[inline]
    fn place(&self, game: &Game, space: u16) -> Option<usize> {
        let (x, y) = game.coordinates(space);
        let (column, row) = (x - self.middle.0 + self.radius(), self.middle.1 + self.radius() - y);
        let size = 0..self.window as i32;
        (size.contains(&column) && size.contains(&row)).then(|| row as usize * self.window + column as usize)
    }

    /// The index of the feature of a plane at a place.
    fn index(&self, board: usize, plane: usize, place: usize) -> usize {
        board + plane * self.window * self.window + place
    }
}

/// Open sides and arches of an occupied space.
#[inline]
fn sides(sink: &mut impl FeatureSink, edges: [Edge; 4], at: impl Fn(usize) -> usize) {
    for (side, edge) in edges.into_iter().enumerate() {
        match edge {
            Edge::Open => sink.set(at(plane::OPEN + side), 1),
            Edge::Arch => sink.set(at(plane::ARCH + side), 1),
            Edge::Wall => {}
        }
    }
}

impl Game {
    /// Where each block begins.
    fn offsets(&self) -> [usize; 10] {
        let blocks = self.layout.blocks();
        std::array::from_fn(|index| blocks[index].offset)
    }

    /// The planes of the start tile; whether part of it lies outside.
    fn start_features(&self, state: &State, view: &View, board: usize, sink: &mut impl FeatureSink) -> bool {
        let (tables, table) = (&*self.tables, state.table());
        let mut outside = false;
        for (index, cell) in self.settings.start_side().cells.iter().enumerate() {
            let Some(place) = view.place(self, tables.start_space(index)) else {
                outside = true;
                continue;
            };
            let at = |plane: usize| view.index(board, plane, place);
            match (cell, tables.start_cells[index]) {
                (Some(cell), Some(number)) => {
                    sink.set(at(plane::START), 1);
                    sink.set(at(plane::FLOOR + usize::from(cell.floor)), 1);
                    counts(sink, at(plane::DRAGONS), &[cell.dragons]);
                    let label = table.labels[usize::from(number)];
                    sink.flag(at(plane::CLOSED), table.open[usize::from(label)] == 0);
                }
                _ => sink.set(at(if index == TEMPLE { plane::TEMPLE } else { plane::GARDEN }), 1),
            }
            sides(sink, std::array::from_fn(|side| tables.start_edge(index, side)), at);
        }
        outside
    }

    /// The planes of the laid tiles; whether one lies outside.
    fn laid_features(&self, observation: &Observation, view: &View, board: usize, sink: &mut impl FeatureSink) -> bool {
        let (table, viewer, players) = (observation.seen.table(), observation.player.index(), self.players());
        let mut outside = false;
        let mut cell = self.tables.num_start_cells;
        for laid in table.laid {
            let kind = &self.kinds()[laid.kind()];
            let first = cell;
            cell += kind.parts.len();
            let Some(place) = view.place(self, laid.space()) else {
                outside = true;
                continue;
            };
            let at = |plane: usize| view.index(board, plane, place);
            sink.set(at(plane::SEAT + (laid.seat() + players - viewer) % players), 1);
            let faces = &self.tables.faces[laid.kind()][laid.rotation()];
            sides(sink, faces.map(|face| face.edge), at);
            for (side, face) in faces.iter().enumerate() {
                sink.flag(at(plane::SECOND_PART + side), face.part == 1);
            }
            for (index, part) in kind.parts.iter().enumerate() {
                sink.set(at(plane::FLOOR + 3 * index + usize::from(part.floor)), 1);
                counts(sink, at(plane::ADVISORS + index), &[part.advisors]);
                counts(sink, at(plane::DRAGONS + index), &[part.dragons]);
                let label = table.labels[first + index];
                sink.flag(at(plane::CLOSED + index), table.open[usize::from(label)] == 0);
            }
            if kind.parts.len() == 2 {
                sink.set(at(plane::DIAGONAL), 1);
                sink.flag(at(plane::DIAGONAL_ARCH), kind.diagonal_arch);
            }
        }
        outside
    }

    /// The planes of the frontier and of what is beyond the table.
    fn empty_features(&self, state: &State, view: &View, board: usize, sink: &mut impl FeatureSink) {
        for &entry in state.table().frontier {
            if let Some(place) = view.place(self, (entry >> 16) as u16) {
                sink.set(view.index(board, plane::FRONTIER, place), 1);
            }
        }
        let (half, radius, (x, y)) = (self.half(), view.radius(), view.middle);
        if x.abs() + radius > half || y.abs() + radius > half {
            for place in 0..view.window * view.window {
                let (row, column) = ((place / view.window) as i32, (place % view.window) as i32);
                let beyond = (x - radius + column).abs() > half || (y + radius - row).abs() > half;
                sink.flag(view.index(board, plane::BEYOND, place), beyond);
            }
        }
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

const BOARD_MEANING: &str = "planes of flags and counts, rows from the north, columns from the west, around the middle of what is laid. 0-3 tile of the \
    viewer, next seat, ...; 4 room space of the start tile; 5 garden; 6 temple; 7-10 open side N E S W; 11-14 arch N E S W; 15-18 side \
    belongs to the second part; 19-21 floor g p w of the first part; 22-24 of the second; 25, 26 number of advisors of each part; 27, 28 of dragons; 29 \
    diagonal wall; 30 arch in it; 31, 32 room of each part is closed; 33 empty space that touches an occupied one; 34 beyond the table";

/// The blocks for a window size.
pub(super) fn observation_layout(settings: &Settings, window: usize) -> Layout {
    let (players, kinds) = (settings.players, settings.kinds().len());
    let parts = || settings.kinds().iter().flat_map(|kind| &kind.parts);
    let start = settings.start_side().cells.iter().flatten().map(|cell| cell.dragons);
    let greatest = parts().flat_map(|part| [part.advisors, part.dragons]).chain(start).fold(1, u8::max);
    let copies = settings.kinds().iter().map(|kind| kind.copies(players)).fold(0, u8::max);
    let half = (settings.table - 1) / 2;
    let reach = half.min(1 + settings.most_plies()) / 2;
    let mut layout = Layout::new();
    layout.push("board", &[plane::COUNT, window, window], [1, greatest.into()], BOARD_MEANING);
    layout.push("hand", &[kinds], [1, 1], "kinds in the order of the set: 1 at the kind in the viewer's hand");
    layout.push("unplayed", &[players, kinds], [1, copies.into()], "seats from the viewer, kinds: copies in hand and stack");
    layout.push("discarded", &[players, kinds], [1, copies.into()], "seats from the viewer, kinds: copies out of the game");
    layout.push("coins", &[players], [100, 255], "seats from the viewer: coins modulo 256, in hundreds");
    layout.push(
        "more_coins",
        &[players, 2],
        [1, 255],
        "seats from the viewer: coins / 256 modulo 256, and coins / 65536, rounded down; 0 below 256 coins",
    );
    layout.push("phase", &[4], [1, 1], "1 at the phase: deal, place, draw, end");
    layout.push("turn", &[players], [1, 1], "seats from the viewer: 1 at the seat of FC-9 `turn`; all 0 at the end");
    layout.push(
        "window",
        &[4],
        [half as u16, reach as u16],
        "spaces from the start tile's centre to the window's middle, east, west, north and south, as parts of the largest coordinate",
    );
    layout.push("outside", &[1], [1, 1], "1 if something laid lies outside the window");
    layout
}
