//! The invariants, and what a board keeps up to date recomputed from scratch.

use forbidden_games_core::contract::Audit;

use super::board::{Province, with_board};
use super::game::Game;
use super::legal::owner_of_join;
use super::state::{Phase, Public, State};
use super::tiles::{Colour, Direction, Square};
use super::validate::ensure;

impl Audit for Game {
    fn check_invariants(&self, state: &State) -> Result<(), String> {
        self.validate(state)?;
        self.check_free_pairs(&state.public)?;
        self.check_verdicts(&state.public)
    }
}

impl Game {
    fn is_free_pair(&self, public: &Public, direction: Direction, square: Square) -> bool {
        if self.tables.pair_number(direction, square).is_none() {
            return false;
        }
        let other = self.tables.second(direction, square);
        let contact = |square| self.tables.neighbours(square).any(|beside| public.board.colour(beside).is_some());
        public.board.is_free(square) && public.board.is_free(other) && (contact(square) || contact(other))
    }

    fn check_free_pairs(&self, public: &Public) -> Result<(), String> {
        for square in self.tables.squares() {
            for direction in Direction::ALL {
                let free = self.is_free_pair(public, direction, square);
                ensure(public.board.is_free_pair(direction, square) == free, || {
                    format!("QN-5.2: the free pair {direction:?} of {} is kept wrong", self.tables.name(square))
                })?;
            }
        }
        Ok(())
    }

    /// The verdicts on joins, against the rules read plainly.
    fn check_verdicts(&self, public: &Public) -> Result<(), String> {
        if matches!(public.phase, Phase::Over(_)) {
            return Ok(());
        }
        for square in self.tables.squares().filter(|&square| public.board.is_free(square)) {
            for colour in Colour::ALL {
                let kept = with_board!(&public.board, board => board.barred[colour.index()].has(square.index()));
                ensure(kept == self.is_illegal_join(public, colour, &[square]), || {
                    format!("QN-5.7: the verdict kept on {} alone at {} is wrong", colour.name(), self.tables.name(square))
                })?;
            }
            for direction in Direction::ALL.into_iter().filter(|&direction| self.is_free_pair(public, direction, square)) {
                let other = self.tables.second(direction, square);
                for colour in Colour::ALL {
                    let barred = with_board!(&public.board, board => board.barred_pairs[colour.index()][direction as usize]
                        .has(square.index()));
                    ensure(barred == self.is_illegal_join(public, colour, &[square, other]), || {
                        let (colour, name) = (colour.name(), self.tables.name(square));
                        format!("QN-5.7: the verdict kept on {colour} {direction:?} of {name} is wrong")
                    })?;
                }
            }
        }
        Ok(())
    }

    /// Whether `colour` on these squares would be an illegal join.
    fn is_illegal_join(&self, public: &Public, colour: Colour, squares: &[Square]) -> bool {
        let mut former: Vec<usize> = squares
            .iter()
            .flat_map(|&square| self.tables.neighbours(square))
            .filter(|&beside| public.board.colour(beside) == Some(colour))
            .filter_map(|beside| public.board.label(beside))
            .collect();
        former.sort_unstable();
        former.dedup();
        let provinces: Vec<Province> = former.into_iter().map(|label| public.board.province(label)).collect();
        provinces.len() > 1 && owner_of_join(provinces.iter().copied(), self.settings.absorb_major).is_err()
    }
}
