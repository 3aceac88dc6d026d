//! Legal actions (FC-5.1 to FC-5.5): a pass over the frontier with a table by kind and code.

use forbidden_games_core::error::Refusal;
use forbidden_games_core::rng::Rng;

use super::Game;
use super::actions::{Action, Outcome};
use super::components::{Edge, FLOOR_NAMES};
use super::options::{CLOSED, digit_of};
use super::state::{NONE, Phase, State};

impl Game {
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

    /// The kind in the hand of the seat to move.
    pub(super) fn kind_in_turn(&self, state: &State) -> Option<usize> {
        (state.phase == Phase::Place).then(|| usize::from(state.hands[usize::from(state.turn)]))
    }

    pub(super) fn list_actions(&self, state: &State, out: &mut Vec<Action>) {
        let Some(kind) = self.kind_in_turn(state) else { return };
        let before = out.len();
        self.placements(state, kind, |space, rotation| out.push(Action::Lay { space, rotation }));
        if out.len() == before {
            out.push(Action::Discard);
        }
    }

    /// The `n`-th legal action without a list: counts by the table, then looks into one space.
    pub(super) fn pick_action(&self, state: &State, rng: &mut Rng) -> Action {
        let kind = self.kind_in_turn(state).expect("a decision");
        let rotations = self.tables.rotations_of(kind);
        let frontier = state.table().frontier;
        let total: u32 = frontier.iter().map(|&entry| u32::from(rotations[usize::from(entry as u16)] >> 4)).sum();
        if total == 0 {
            rng.below(1);
            return Action::Discard;
        }
        let mut drawn = rng.below(total);
        for &entry in frontier {
            let mask = rotations[usize::from(entry as u16)];
            let here = u32::from(mask >> 4);
            if drawn < here {
                let mut rotation = 0;
                loop {
                    if mask & 1 << rotation != 0 {
                        if drawn == 0 {
                            return Action::Lay { space: (entry >> 16) as u16, rotation };
                        }
                        drawn -= 1;
                    }
                    rotation += 1;
                }
            }
            drawn -= here;
        }
        unreachable!("the draw is below the total")
    }

    pub(super) fn list_outcomes(&self, state: &State, out: &mut Vec<(Outcome, u32)>) {
        if matches!(state.phase, Phase::Deal | Phase::Draw) {
            let unplayed = state.unplayed(state.drawing_seat()).iter().enumerate();
            out.extend(
                unplayed
                    .filter(|(_, copies)| **copies > 0)
                    .map(|(kind, &copies)| (Outcome { kind: kind as u8 }, u32::from(copies))),
            );
        }
    }

    /// A tile from the unplayed ones of a seat.
    pub(super) fn pick_tile(&self, state: &State, seat: usize, rng: &mut Rng) -> u8 {
        let mut drawn = rng.below(u32::from(state.left[seat])) as i32;
        for (kind, &copies) in state.unplayed(seat).iter().enumerate() {
            drawn -= i32::from(copies);
            if drawn < 0 {
                return kind as u8;
            }
        }
        unreachable!("the draw is below the total")
    }

    /// Whether `action` is legal now, or the first rule it breaks.
    pub(super) fn check(&self, state: &State, action: Action) -> Result<(), Refusal> {
        let Some(kind) = self.kind_in_turn(state) else {
            let reason =
                if state.phase == Phase::End { "the game is over" } else { "this is a chance node: a tile is to be drawn" };
            return Err(Refusal::new("CONVENTIONS 2", reason));
        };
        match action {
            Action::Lay { space, rotation } => self.check_placement(state, space, rotation, kind),
            Action::Discard => {
                let mut first = None;
                self.placements(state, kind, |space, rotation| {
                    first.get_or_insert(Action::Lay { space, rotation });
                });
                match first {
                    None => Ok(()),
                    Some(first) => Err(Refusal::new(
                        "FC-5.5",
                        format!("{} can be laid, for example {}", self.tables.components.kinds[kind].id, self.action_text(first)),
                    )),
                }
            }
        }
    }

    /// Whether a tile may be laid there (FC-5.2, FC-5.3), whoever's turn it is.
    pub(super) fn check_placement(&self, state: &State, space: u16, rotation: u8, kind: usize) -> Result<(), Refusal> {
        let table = state.table();
        if usize::from(space) >= self.tables.table * self.tables.table || rotation > 3 {
            return Err(Refusal::new("FC-5.3", format!("no such space and rotation: space {space}, rotation {rotation}")));
        }
        let here = self.format_space(space);
        let Ok(index) = table.frontier_index(space) else {
            return Err(if self.tables.start_index(space).is_some() {
                Refusal::new("FC-5.3", format!("{here} is a space of the start tile"))
            } else if let Some(index) = table.find(space) {
                let id = &self.tables.components.kinds[table.laid[index].kind()].id;
                Refusal::new("FC-5.3", format!("{here} is occupied by {id}"))
            } else {
                Refusal::new("FC-5.3", format!("{here} touches no occupied space"))
            });
        };
        let canonical = self.tables.canonical[kind][usize::from(rotation)];
        if canonical != rotation {
            let id = &self.tables.components.kinds[kind].id;
            return Err(Refusal::new(
                "FC-5.2",
                format!("{id} at r{rotation} shows the same face as at r{canonical}: say {here} r{canonical}"),
            ));
        }
        let code = table.frontier[index] as u16;
        for (side, face) in self.tables.faces[kind][usize::from(rotation)].iter().enumerate() {
            let met = digit_of(code, side);
            if face.edge == Edge::Open && met != 0 && met != CLOSED && met != face.digit {
                let name = ["north", "east", "south", "west"][side];
                let (mine, met) = (FLOOR_NAMES[usize::from(face.digit - 1)], FLOOR_NAMES[usize::from(met - 1)]);
                return Err(Refusal::new("FC-5.3", format!("open {mine} meets open {met} to the {name} of {here}")));
            }
        }
        Ok(())
    }

    /// Whether a seat holds a tile.
    pub(super) fn holds(state: &State, seat: usize) -> bool {
        state.hands[seat] != NONE
    }
}
