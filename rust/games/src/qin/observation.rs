//! What a seat knows: observations, what it learns from a step, worlds that fit (QN-8), and observations as numbers.

use forbidden_games_core::contract::{Observed, Step};
use forbidden_games_core::encoding::Layout;
use forbidden_games_core::player::{MAX_PLAYERS, Player};
use forbidden_games_core::rng::Rng;

use super::Game;
use super::actions::{Action, Direction, Kind};
use super::ground::Ground;
use super::options::{AbsorbMajor, VillageRule};
use super::state::{HAND, Hand, Observation, Phase, State};

/// The blocks (see the folder's page). All values are within 0..1.
pub(super) fn layout(ground: &Ground, players: usize) -> Layout {
    let (rows, columns) = (ground.grid.rows, ground.grid.columns);
    let mut layout = Layout::new();
    let mut board = |name, planes, meaning: &str| layout.push_plain(name, &[planes, rows, columns], meaning);
    board("spaces", 3, "1 on blue, red, yellow province spaces");
    board("ground", 3, "1 on free grass, water, village squares");
    board("free_pairs", 2, "1 on the first square of a free pair side by side, one above the other");
    board("province_owner", players, "1 on the spaces of the provinces of a seat, from the viewer clockwise");
    board("province_pagodas", 1, "pagodas of the province on its spaces / 2");
    board("province_spaces", 1, "spaces of the province on its spaces / 10, at most 1");
    board("village_owner", players, "1 on the village squares of a seat, from the viewer clockwise");
    layout.push_plain("supply", &[players], "pagodas left / allotment, by seat from the viewer");
    layout.push_plain("hand_sizes", &[players], "tiles in the hand / 3, by seat from the viewer");
    layout.push_plain("hand", &[Kind::COUNT], "tiles of each kind in the viewer's hand / 3");
    layout.push_plain("laid", &[Kind::COUNT], "tiles of each kind on the board / all of the kind");
    layout.push_plain("unseen", &[Kind::COUNT], "tiles of each kind neither laid nor in the viewer's hand / all of the kind");
    layout.push_plain("pile_size", &[1], "tiles in the pile / all tiles");
    layout.push_plain("phase", &[4], "one of deal, place, draw, over");
    layout.push_plain("turn", &[players], "1 for the seat that decides or draws, from the viewer; none at the end");
    layout.push_plain("passes", &[1], "passes in a row / players");
    layout.push_plain("options", &[2], "1 for absorb_major = outnumbered, 1 for villages = group");
    layout
}

impl Game {
    pub(super) fn observe(&self, state: &State, player: Player) -> Observation {
        Observation { public: state.public.clone(), viewer: player, hand: state.hands[player.index()] }
    }

    /// A step as `viewer` sees it: an action by its id, its own draw by the outcome's id behind all actions, another's draw not.
    pub(super) fn learn(&self, before: &State, step: Step<Action, Kind>, viewer: Player) -> Observed {
        match step {
            Step::Action(action) => Observed(self.id_of_action(action).into()),
            Step::Outcome(kind) if before.public.seat == viewer.0 => Observed(self.first_outcome() + kind.index() as u64),
            Step::Outcome(_) => Observed::NOTHING,
        }
    }

    pub(super) fn write_learnt(&self, observed: Observed) -> String {
        let kind = observed.0.checked_sub(self.first_outcome()).and_then(|index| Kind::new(usize::try_from(index).ok()?));
        let action = u32::try_from(observed.0).ok().and_then(|id| self.action_of_id(id));
        match (action, kind) {
            (Some(action), _) => self.write_action(action),
            (None, Some(kind)) => format!("draw {}", kind.name()),
            (None, None) => "hidden draw".to_owned(),
        }
    }

    fn first_outcome(&self) -> u64 {
        9 * self.ground.num_pairs() as u64 + 1
    }

    /// Deals the unseen tiles without replacement, hand by hand, the rest is the pile (QN-8.3).
    pub(super) fn deal_unseen(&self, observation: &Observation, rng: &mut Rng) -> State {
        let public = observation.public.clone();
        let mut unseen = self.unseen(observation);
        let mut left: u32 = unseen.iter().map(|&count| u32::from(count)).sum();
        let mut hands = [Hand::default(); MAX_PLAYERS];
        for (seat, hand) in hands.iter_mut().enumerate().take(self.players) {
            if seat == observation.viewer.index() {
                *hand = observation.hand;
                continue;
            }
            for _ in 0..public.hand_sizes[seat] {
                let kind = draw_from(&unseen, rng.below(left));
                unseen[kind] -= 1;
                left -= 1;
                hand.0[kind] += 1;
            }
        }
        State { public, hands, pile: unseen }
    }

    fn unseen(&self, observation: &Observation) -> [u8; Kind::COUNT] {
        let mut unseen = self.tiles();
        for (kind, left) in unseen.iter_mut().enumerate() {
            *left -= observation.public.laid[kind] + observation.hand.0[kind];
        }
        unseen
    }

    pub(super) fn encode_observation(&self, observation: &Observation, out: &mut [f32]) {
        let (ground, public) = (&*self.ground, &observation.public);
        let squares = ground.grid.len();
        let viewer = observation.viewer.index();
        let place = |seat: usize| (seat + self.players - viewer) % self.players;
        let (board, rest) = out.split_at_mut(squares * (10 + 2 * self.players));
        let (fixed, owners) = board.split_at_mut(8 * squares);
        let (province_owner, others) = owners.split_at_mut(self.players * squares);
        let (province_data, village_owner) = others.split_at_mut(2 * squares);
        for (at, square) in ground.squares().enumerate() {
            let mut set = |plane: usize| fixed[plane * squares + at] = 1.0;
            match public.field.colour(square) {
                Some(colour) => set(colour.index()),
                None => match ground.character(square) {
                    b'.' => set(3),
                    b'~' => set(4),
                    _ => set(5),
                },
            }
            for direction in Direction::ALL {
                if public.field.is_free_pair(direction, square) {
                    set(6 + direction as usize);
                }
            }
            if let Some(label) = public.field.label(square) {
                let province = public.field.province(label);
                province_owner[place(province.owner()) * squares + at] = 1.0;
                province_data[at] = province.pagodas() as f32 / 2.0;
                province_data[squares + at] = (province.spaces() as f32 / 10.0).min(1.0);
            }
            if let Some(owner) = ground.village_on(square).and_then(|village| public.field.village_owner(village)) {
                village_owner[place(owner) * squares + at] = 1.0;
            }
        }
        self.encode_counts(observation, rest, place);
    }

    fn encode_counts(&self, observation: &Observation, out: &mut [f32], place: impl Fn(usize) -> usize) {
        let public = &observation.public;
        let mut rest = out.iter_mut();
        let mut write = |values: &mut dyn Iterator<Item = f32>| {
            // The values come first in the zip: it would take one place too many at their end.
            for (value, to) in values.zip(rest.by_ref()) {
                *to = value;
            }
        };
        let viewer = observation.viewer;
        let share = |count: u8, all: u8| if all == 0 { 0.0 } else { f32::from(count) / f32::from(all) };
        let all = self.tiles();
        let unseen = self.unseen(observation);
        write(&mut viewer.clockwise(self.players).map(|seat| share(public.supply[seat.index()], self.allotment)));
        write(&mut viewer.clockwise(self.players).map(|seat| share(public.hand_sizes[seat.index()], HAND)));
        write(&mut observation.hand.0.iter().map(|&count| share(count, HAND)));
        write(&mut public.laid.iter().zip(all).map(|(&count, all)| share(count, all)));
        write(&mut unseen.iter().zip(all).map(|(&count, all)| share(count, all)));
        let tiles: u32 = all.iter().map(|&count| u32::from(count)).sum();
        write(&mut std::iter::once(self.pile_size(public) as f32 / tiles as f32));
        write(&mut (0..4).map(|phase| f32::from(phase == public.phase.index())));
        let turn = (!matches!(public.phase, Phase::Over(_))).then(|| place(public.seat.into()));
        write(&mut (0..self.players).map(|seat| f32::from(turn == Some(seat))));
        write(&mut std::iter::once(f32::from(public.passes) / self.players as f32));
        let options = [self.settings.absorb_major == AbsorbMajor::Outnumbered, self.settings.villages == VillageRule::Group];
        write(&mut options.into_iter().map(f32::from));
    }
}

/// The kind in whose cumulative count `drawn` falls.
#[inline]
pub(super) fn draw_from(counts: &[u8; Kind::COUNT], mut drawn: u32) -> usize {
    for (kind, &count) in counts.iter().enumerate() {
        if drawn < u32::from(count) {
            return kind;
        }
        drawn -= u32::from(count);
    }
    unreachable!("the draw is below the total")
}
