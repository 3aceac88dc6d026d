//! Observations as numbers. The folder's page has the blocks as a table.

use forbidden_games_core::contract::Features;
use forbidden_games_core::encoding::{FeatureSink, Layout};

use super::board::{Label, SizedBoard, with_board};
use super::components::Components;
use super::game::Game;
use super::options::{AbsorbMajor, VillageRule};
use super::state::{HAND, Observation, Phase};
use super::tables::Tables;
use super::tiles::{Direction, Kind};

/// Spaces of a province from which on more make no difference to `province_spaces`.
const MANY_SPACES: u16 = 10;

/// Planes of the board before those that depend on the number of players.
const GROUND: usize = 3;
const FREE_PAIRS: usize = 6;
const PROVINCE_OWNER: usize = 8;

/// The blocks.
pub(super) fn layout(tables: &Tables, components: &Components, players: usize) -> Layout {
    let (rows, columns) = (tables.grid.rows, tables.grid.columns);
    let mut layout = Layout::new();
    let mut board = |name, planes, raw, meaning: &str| layout.push(name, &[planes, rows, columns], raw, meaning);
    board("spaces", 3, [1, 1], "colour (blue, red, yellow), row, column: 1 on province spaces");
    board("ground", 3, [1, 1], "kind (free grass, water, village), row, column: 1 on its squares");
    board(
        "free_pairs",
        2,
        [1, 1],
        "direction (side by side, one above the other), row, column: 1 on the first square of a free pair",
    );
    board("province_owner", players, [1, 1], "seat from the viewer clockwise, row, column: 1 on the spaces of its provinces");
    board("province_pagodas", 1, [2, 2], "row, column: pagodas of the province on its spaces");
    let land = tables.squares().filter(|&square| tables.start(square).is_some()).count() + tables.num_grass();
    board(
        "province_spaces",
        1,
        [MANY_SPACES, MANY_SPACES.min(land as u16)],
        "row, column: spaces of the province on its spaces, 10 if there are more",
    );
    board("village_owner", players, [1, 1], "seat from the viewer clockwise, row, column: 1 on the squares of its villages");
    let (pagodas, hand) = (components.pagodas[players - 2].into(), u16::from(HAND));
    let most = u16::from(components.tiles.into_iter().max().unwrap_or(1));
    let (held, laid) = (most.min(hand), most.min(tables.num_grass() as u16 / 2));
    let all = components.tiles.iter().map(|&count| u16::from(count)).sum();
    let seats = players as u16;
    layout.push("supply", &[players], [pagodas, pagodas], "seat from the viewer clockwise: pagodas left");
    layout.push("hand_sizes", &[players], [hand, hand], "seat from the viewer clockwise: tiles in the hand");
    layout.push("hand", &[Kind::COUNT], [hand, held], "kind: tiles in the viewer's hand");
    layout.push("laid", &[Kind::COUNT], [most, laid], "kind: tiles on the board");
    layout.push("unseen", &[Kind::COUNT], [most, most], "kind: tiles neither laid nor in the viewer's hand");
    layout.push("pile_size", &[1], [all, all], "tiles in the pile");
    layout.push("phase", &[4], [1, 1], "phase (deal, place, draw, over): 1 for the one it is");
    layout.push("turn", &[players], [1, 1], "seat from the viewer clockwise: 1 for the one that decides or draws, none at the end");
    layout.push("passes", &[1], [seats, seats], "passes in a row");
    layout.push("options", &[2], [1, 1], "option (absorb_major = outnumbered, villages = group): 1 if it is so");
    layout
}

impl Features for Game {
    fn observation_layout(&self) -> &Layout {
        &self.layout
    }

    fn features(&self, observation: &Observation, sink: &mut impl FeatureSink) {
        with_board!(&observation.public.board, board => self.set_board(board, observation.viewer.index(), sink));
        self.set_counts(observation, sink);
    }
}

impl Game {
    /// The blocks with rows and columns.
    fn set_board<L: Label, const W: usize, const S: usize, const P: usize, const V: usize>(
        &self,
        board: &SizedBoard<L, W, S, P, V>,
        viewer: usize,
        sink: &mut impl FeatureSink,
    ) {
        let (tables, players) = (&*self.tables, self.players);
        let squares = tables.grid.len();
        let at = |plane: usize, square: usize| plane * squares + tables.place(square);
        let [pagodas, spaces, village_owner] = [0, 1, 2].map(|plane| PROVINCE_OWNER + players + plane);
        let mut set = |index: usize, raw: u16| sink.set(index, raw);
        for (colour, covered) in board.colours.iter().enumerate() {
            for square in covered.iter() {
                set(at(colour, square), 1);
                if let Some(label) = board.label(square) {
                    let province = board.provinces[label];
                    let seat = (province.owner() + players - viewer) % players;
                    set(at(PROVINCE_OWNER + seat, square), 1);
                    set(at(pagodas, square), province.pagodas() as u16);
                    set(at(spaces, square), (province.spaces() as u16).min(MANY_SPACES));
                }
            }
        }
        board.grass.iter().for_each(|square| set(at(GROUND, square), 1));
        tables.water.iter().for_each(|square| set(at(GROUND + 1, square.index()), 1));
        for direction in Direction::ALL {
            board.free[direction as usize].iter().for_each(|square| set(at(FREE_PAIRS + direction as usize, square), 1));
        }
        for (village, place) in tables.villages.iter().enumerate() {
            let owner = usize::from(board.villages[village]).checked_sub(1);
            for square in &place.squares {
                set(at(GROUND + 2, square.index()), 1);
                if let Some(owner) = owner {
                    set(at(village_owner + (owner + players - viewer) % players, square.index()), 1);
                }
            }
        }
    }

    /// The blocks after those.
    fn set_counts(&self, observation: &Observation, sink: &mut impl FeatureSink) {
        let (public, viewer, players) = (&observation.public, observation.viewer, self.players);
        let mut index = self.tables.grid.len() * (PROVINCE_OWNER + 2 * players + 2);
        let mut put = |raw: u16| {
            if raw > 0 {
                sink.set(index, raw);
            }
            index += 1;
        };
        viewer.clockwise(players).for_each(|seat| put(public.supply[seat.index()].into()));
        viewer.clockwise(players).for_each(|seat| put(public.hand_sizes[seat.index()].into()));
        for counts in [observation.hand.0, public.laid, self.unseen(observation)] {
            counts.into_iter().for_each(|count| put(count.into()));
        }
        put(self.pile_size(public) as u16);
        (0..4).for_each(|phase| put((phase == public.phase.index()).into()));
        let is_over = matches!(public.phase, Phase::Over(_));
        viewer.clockwise(players).for_each(|seat| put((!is_over && seat.0 == public.seat).into()));
        put(public.passes.into());
        put((self.settings.absorb_major == AbsorbMajor::Outnumbered).into());
        put((self.settings.villages == VillageRule::Group).into());
    }
}
