//! Why an action is not legal (FC-5.2 to FC-5.5).

use forbidden_games_core::contract::Notation;
use forbidden_games_core::error::Refusal;

use super::actions::Action;
use super::board::{CLOSED, digit_of};
use super::components::{Edge, FLOOR_NAMES};
use super::game::Game;
use super::state::{Phase, State};

/// Whether `action` is legal now, or the first rule it breaks.
pub(super) fn check_action(game: &Game, state: &State, action: Action) -> Result<(), Refusal> {
    let Some(kind) = game.kind_in_turn(state) else {
        let reason = if state.phase == Phase::End { "the game is over" } else { "this is a chance node: a tile is to be drawn" };
        return Err(Refusal::new("CONVENTIONS 2", reason));
    };
    match action {
        Action::Lay { space, rotation } => game.check_placement(state, space, rotation, kind),
        Action::Discard => match game.nth_placement(state, kind, 0) {
            None => Ok(()),
            Some(first) => Err(Refusal::new(
                "FC-5.5",
                format!("{} can be laid, for example {}", game.kinds()[kind].id, game.format_action(first)),
            )),
        },
    }
}

impl Game {
    /// Whether a tile may be laid there (FC-5.2, FC-5.3), whoever's turn it is.
    pub(super) fn check_placement(&self, state: &State, space: u16, rotation: u8, kind: usize) -> Result<(), Refusal> {
        let table = state.table();
        if usize::from(space) >= self.settings.table * self.settings.table || rotation > 3 {
            return Err(Refusal::new("FC-5.3", format!("no such space and rotation: space {space}, rotation {rotation}")));
        }
        let here = || self.format_space(space);
        let Ok(index) = table.frontier_index(space) else {
            return Err(if self.tables.start_index(space).is_some() {
                Refusal::new("FC-5.3", format!("{} is a space of the start tile", here()))
            } else if let Some(index) = table.find(space) {
                let id = &self.kinds()[table.laid[index].kind()].id;
                Refusal::new("FC-5.3", format!("{} is occupied by {id}", here()))
            } else {
                Refusal::new("FC-5.3", format!("{} touches no occupied space", here()))
            });
        };
        let canonical = self.tables.canonical[kind][usize::from(rotation)];
        if canonical != rotation {
            let id = &self.kinds()[kind].id;
            return Err(Refusal::new(
                "FC-5.2",
                format!("{id} at r{rotation} shows the same face as at r{canonical}: say {} r{canonical}", here()),
            ));
        }
        let code = table.frontier[index] as u16;
        for (side, face) in self.tables.faces[kind][usize::from(rotation)].iter().enumerate() {
            let met = digit_of(code, side);
            if face.edge == Edge::Open && met != 0 && met != CLOSED && met != face.digit {
                let name = ["north", "east", "south", "west"][side];
                let (mine, met) = (FLOOR_NAMES[usize::from(face.digit - 1)], FLOOR_NAMES[usize::from(met - 1)]);
                return Err(Refusal::new("FC-5.3", format!("open {mine} meets open {met} to the {name} of {}", here())));
            }
        }
        Ok(())
    }
}
