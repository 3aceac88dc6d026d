//! Legal actions (FC-5.1 to FC-5.5): a pass over the frontier with a table by kind and code; and what can be drawn.

use forbidden_games_core::rng::Rng;

use super::actions::Action;
use super::game::Game;
use super::state::{Phase, State};

pub(super) fn legal_actions(game: &Game, state: &State, out: &mut Vec<Action>) {
    let Some(kind) = game.kind_in_turn(state) else { return };
    let before = out.len();
    game.placements(state, kind, |space, rotation| out.push(Action::Lay { space, rotation }));
    if out.len() == before {
        out.push(Action::Discard);
    }
}

/// A discard is the only action if no placement is legal (FC-5.5).
pub(super) fn num_legal(game: &Game, state: &State) -> usize {
    game.kind_in_turn(state).map_or(0, |kind| game.count_placements(state, kind).max(1))
}

pub(super) fn nth_legal(game: &Game, state: &State, index: usize) -> Option<Action> {
    let kind = game.kind_in_turn(state)?;
    // The first placement is missing only if there is none.
    game.nth_placement(state, kind, index).or_else(|| (index == 0).then_some(Action::Discard))
}

pub(super) fn for_each_legal_id(game: &Game, state: &State, mut take: impl FnMut(u32)) {
    let Some(kind) = game.kind_in_turn(state) else { return };
    let mut none = true;
    game.placements(state, kind, |space, rotation| {
        none = false;
        take(u32::from(space) * 4 + u32::from(rotation));
    });
    if none {
        take(game.tables.discard_id());
    }
}

pub(super) fn is_legal(game: &Game, state: &State, action: Action) -> bool {
    let Some(kind) = game.kind_in_turn(state) else { return false };
    let rotations = game.tables.rotations_of(kind);
    let table = state.table();
    match action {
        Action::Lay { space, rotation } => table
            .frontier_index(space)
            .is_ok_and(|index| rotation < 4 && rotations[usize::from(table.frontier[index] as u16)] & 1 << rotation != 0),
        Action::Discard => table.frontier.iter().all(|&entry| rotations[usize::from(entry as u16)] == 0),
    }
}

impl Game {
    /// The kind in the hand of the seat to move.
    pub(super) fn kind_in_turn(&self, state: &State) -> Option<usize> {
        (state.phase == Phase::Place).then(|| usize::from(state.hands[usize::from(state.turn)]))
    }

    /// Calls `visit` with every legal placement of a kind, ascending by id.
    pub(super) fn placements(&self, state: &State, kind: usize, mut visit: impl FnMut(u16, u8)) {
        let rotations = self.tables.rotations_of(kind);
        for &entry in state.table().frontier {
            let mask = rotations[usize::from(entry as u16)];
            for rotation in 0..4 {
                if mask & 1 << rotation != 0 {
                    visit((entry >> 16) as u16, rotation);
                }
            }
        }
    }

    /// How many placements of a kind are legal.
    fn count_placements(&self, state: &State, kind: usize) -> usize {
        let rotations = self.tables.rotations_of(kind);
        state.table().frontier.iter().map(|&entry| usize::from(rotations[usize::from(entry as u16)] >> 4)).sum()
    }

    /// The legal placement at `index` of [`Game::placements`]: counts by the table, then looks into one space.
    pub(super) fn nth_placement(&self, state: &State, kind: usize, index: usize) -> Option<Action> {
        let rotations = self.tables.rotations_of(kind);
        let mut before = index;
        for &entry in state.table().frontier {
            let mask = rotations[usize::from(entry as u16)];
            let here = usize::from(mask >> 4);
            if before < here {
                let rotation = (0..4).filter(|rotation| mask & 1 << rotation != 0).nth(before)?;
                return Some(Action::Lay { space: (entry >> 16) as u16, rotation });
            }
            before -= here;
        }
        None
    }

    /// A tile from the unplayed ones of a seat.
    pub(super) fn sample_kind(&self, state: &State, seat: usize, rng: &mut Rng) -> u8 {
        let mut drawn = rng.below(u32::from(state.left[seat])) as i32;
        for (kind, &copies) in state.unplayed(seat).iter().enumerate() {
            drawn -= i32::from(copies);
            if drawn < 0 {
                return kind as u8;
            }
        }
        unreachable!("the draw is below the total")
    }
}
