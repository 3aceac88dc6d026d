//! What readers of states check beside types and ranges (FC-12.1, FC-12.3, FC-9).

use forbidden_games_core::contract::Rules;
use forbidden_games_core::error::DataError;

use super::game::Game;
use super::state::{NONE, Phase, State};

/// The most coins a position may give (FC-4.3).
pub(super) const MAX_POSITION_COINS: u32 = 1_000_000;

/// More than a seat can get for one placement, or in the final tally (FC-9).
const MAX_PAYMENT: u32 = 100_000;

impl Game {
    /// The most coins of a seat after so many plies.
    pub(super) fn most_coins(&self, ply: usize, phase: Phase) -> u32 {
        let payments = ply.min(self.settings.most_plies()) + usize::from(phase == Phase::End);
        MAX_POSITION_COINS + MAX_PAYMENT * payments as u32
    }

    /// At the end no seat has less than its final tally.
    pub(super) fn check_coins(&self, state: &State) -> Result<(), DataError> {
        if state.phase == Phase::End {
            for (seat, points) in self.tally(state).into_iter().enumerate() {
                if state.coins[seat] < points {
                    let expected = format!("at least {points}, the final tally (FC-7.4)");
                    return Err(DataError::new(format!("coins[{seat}]"), state.coins[seat].to_string(), expected));
                }
            }
        }
        Ok(())
    }

    /// FC-12.1 of one hand.
    pub(super) fn check_hand(&self, state: &State, seat: usize) -> Result<(), DataError> {
        let Some(kind) = self.kinds().get(usize::from(state.hands[seat])) else { return Ok(()) };
        let wrong = |expected: String| Err(DataError::new(format!("hands[{seat}]"), format!("{:?}", kind.id), expected));
        if state.left[seat] <= 2 {
            wrong(format!("null: seat {seat} has only its last two tiles (FC-12.1)"))
        } else if state.unplayed(seat)[usize::from(state.hands[seat])] == 0 {
            wrong(format!("one of the unplayed tiles of seat {seat} (FC-12.1)"))
        } else {
            Ok(())
        }
    }

    /// FC-12.3. Of an observation only the viewer's own hand is known.
    pub(super) fn check_phase(&self, state: &State, viewer: Option<usize>) -> Result<(), DataError> {
        let players = self.players();
        let wrong = |expected: &str| Err(DataError::new("phase", self.phase(state), format!("{expected} (FC-12.3)")));
        if let Some(viewer) = viewer
            && let Some(other) = (0..players).find(|&seat| seat != viewer && state.hands[seat] != NONE)
        {
            return Err(DataError::new(
                format!("hands[{other}]"),
                format!("{:?}", self.kinds()[usize::from(state.hands[other])].id),
                format!("null: seat {viewer} does not know it (FC-8.2)"),
            ));
        }
        let known = |seat: usize| viewer.is_none_or(|viewer| viewer == seat);
        let unfinished = |seat: usize| state.left[seat] > 2;
        let turn = usize::from(state.turn);
        match state.phase {
            Phase::End => {
                if (0..players).any(unfinished) {
                    return wrong("the end only when every seat has two unplayed tiles left");
                }
            }
            _ if !unfinished(turn) => return wrong("a turn of a seat with more than two unplayed tiles"),
            Phase::Place => {
                if (0..players).any(|seat| known(seat) && state.needs_tile(seat)) {
                    return wrong("deal or draw, because a seat with more than two unplayed tiles has no hand tile");
                }
            }
            Phase::Draw => {
                if known(turn) && !state.needs_tile(turn) {
                    return wrong("draw only when the seat of turn has no hand tile");
                }
                if (0..players).any(|seat| seat != turn && known(seat) && state.needs_tile(seat)) {
                    return wrong("deal, because another seat than turn has no hand tile");
                }
            }
            Phase::Deal => {
                let possible = |seat: usize| if known(seat) { state.needs_tile(seat) } else { unfinished(seat) };
                if !(0..players).any(possible) {
                    return wrong("deal only while a seat has no hand tile and more than two unplayed tiles");
                }
            }
        }
        Ok(())
    }
}
