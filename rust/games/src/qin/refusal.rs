//! Why an action is not legal.

use forbidden_games_core::error::Refusal;
use forbidden_games_core::player::Turn;

use super::actions::{Action, Placement};
use super::board::{Province, with_board};
use super::game::Game;
use super::legal::{Fault, changed_areas, num_placements, owner_of_join};
use super::state::{Hand, State};
use super::tiles::Colour;

/// Why an action is not legal: rule and reason.
pub(super) fn check_action(game: &Game, state: &State, action: Action) -> Result<(), Refusal> {
    let Turn::Player(player) = state.public.turn() else {
        return Err(Refusal::new("CONVENTIONS 2", "this is no decision node: nobody lays a tile now"));
    };
    let hand = state.hands[player.index()];
    match action {
        Action::Pass => match num_placements(game, state, hand) {
            0 => Ok(()),
            count => Err(Refusal::new("QN-5.14", format!("seat {player} has {count} legal placements and may not pass"))),
        },
        Action::Place(placement) => game.check_placement(state, hand, placement),
    }
}

impl Game {
    fn check_placement(&self, state: &State, hand: Hand, placement: Placement) -> Result<(), Refusal> {
        let board = &state.public.board;
        if self.tables.pair_number(placement.direction, placement.square).is_none() {
            return Err(Refusal::new("QN-6.1", "these squares are not two adjacent squares of this board"));
        }
        let kind = placement.kind();
        if hand.count(kind) == 0 {
            return Err(Refusal::new("QN-5.1", format!("no {} in the hand ({hand})", kind.name())));
        }
        let squares = placement.squares(&self.tables);
        for square in squares {
            if !board.is_free(square) {
                let what = match (board.colour(square), self.tables.character(square)) {
                    (Some(colour), _) => format!("a {} space", colour.name()),
                    (None, b'~') => "water".to_owned(),
                    _ => "a village".to_owned(),
                };
                let rule = if what == "water" { "QN-2.1" } else { "QN-5.2" };
                return Err(Refusal::new(rule, format!("{} is {what}, tiles go on free grass", self.tables.name(square))));
            }
        }
        if !board.is_free_pair(placement.direction, placement.square) {
            let [one, other] = squares.map(|square| self.tables.name(square));
            return Err(Refusal::new("QN-5.2", format!("neither {one} nor {other} is adjacent to a province space")));
        }
        for (colour, squares) in changed_areas(&self.tables, placement) {
            self.check_join(state, colour, &squares)?;
        }
        Ok(())
    }

    fn check_join(&self, state: &State, colour: Colour, squares: &[usize]) -> Result<(), Refusal> {
        let board = &state.public.board;
        let labels = with_board!(board, board => board.provinces_beside(colour, squares, self.tables.stride));
        if labels.len() < 2 {
            return Ok(());
        }
        let former = labels.iter().map(|&label| board.province(label));
        let Err(fault) = owner_of_join(former.clone(), self.settings.absorb_major) else { return Ok(()) };
        let name = colour.name();
        let totals = |seat: usize| former.clone().filter(|p| p.owner() == seat).map(Province::spaces).sum::<usize>();
        Err(match fault {
            Fault::TwoMajors => {
                let majors: Vec<_> =
                    former.clone().filter(|p| p.is_major()).map(|p| format!("{} of seat {}", p.spaces(), p.owner())).collect();
                Refusal::new("QN-5.7a", format!("the {name} join would have two major provinces ({})", majors.join(", ")))
            }
            Fault::Tie => {
                let highest = (0..4).map(totals).max().unwrap_or(0);
                let seats: Vec<_> = (0..4).filter(|&seat| totals(seat) == highest).map(|seat| seat.to_string()).collect();
                Refusal::new("QN-5.7b", format!("seats {} each bring {highest} spaces to the {name} join", seats.join(" and ")))
            }
            Fault::MajorLost => {
                let major = former.clone().find(|p| p.is_major()).unwrap_or_default();
                let highest = (0..4).max_by_key(|&seat| totals(seat)).unwrap_or(0);
                Refusal::new(
                    "QN-5.7c",
                    format!(
                        "seat {} would lose its major province of {} to seat {highest} with {} spaces",
                        major.owner(),
                        major.spaces(),
                        totals(highest)
                    ),
                )
            }
        })
    }
}
