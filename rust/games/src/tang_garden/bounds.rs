//! How large the numbers of a state can be (TG-12.6): what has happened leaves room for what can still come, so that a state whose
//! numbers fit leads to states whose numbers fit.

use forbidden_games_core::contract::Setup;

use super::audit::{Fault, fault};
use super::board::{CENTRAL, FREE, NONE};
use super::components::CHARACTERS;
use super::game::Game;
use super::skills::Skill;
use super::state::{BOTTOM, CARDS, MOVE, Phase, State};

/// Coins that a seat may have beyond what the game can have paid it.
const FREE_COINS: u32 = 1_000;

/// The most coins of one tile or card beside those of columns: 4 for paths, 5 for temples, 1 for a skill.
const COINS_OF_PLACEMENT: u32 = 10;

/// Tiles and decorations that can be placed in all.
const PLACEMENTS: u32 = FREE.count_ones() + 36;

/// The longest game in rounds (TG-7.9).
const ROUNDS: u32 = 3 * PLACEMENTS + 3;

impl Game {
    pub(super) fn audit_numbers(&self, state: &State) -> Result<(), Fault> {
        if state.turn.seat == NONE && state.phase != Phase::End {
            // The set-up is checked draw by draw.
            return Ok(());
        }
        let most = self.max_plies() as u32;
        let (least, left) = if self.players == 1 {
            self.audit_solo_round(state)?;
            let built = state.solo.stack != NONE && state.solo.under == NONE;
            (state.round - 1 + u32::from(built && state.phase != Phase::End), self.solo_decisions_left(state))
        } else {
            let rounds = self.audit_rounds(state)?;
            self.audit_coins(state)?;
            let turns = self.players as u32 * (state.round - 1);
            if state.phase == Phase::End {
                (turns + self.players as u32, 0)
            } else {
                let begun = u32::from(state.turn.action != NONE);
                (turns + u32::from(state.turn.seat) + begun, self.decisions_left(state, rounds))
            }
        };
        if state.ply < least || state.ply + left > most {
            let rule = format!("{least} to {}, with {left} decisions that can follow (TG-12.6)", most.saturating_sub(left));
            return fault("ply", state.ply, rule);
        }
        Ok(())
    }

    /// Tiles and decorations that can still be placed.
    fn placements_left(state: &State) -> u32 {
        (FREE & !state.occupied).count_ones() + state.pieces.iter().map(|&pieces| u32::from(pieces)).sum::<u32>()
    }

    /// Checks `round`; the rounds that can still be played, this one included.
    fn audit_rounds(&self, state: &State) -> Result<u32, Fault> {
        let placements = 3 * Self::placements_left(state);
        if state.placed_in_round && placements == 3 * PLACEMENTS {
            return fault("placed_in_round", true, "false while nothing is placed (TG-9.1)");
        }
        let left = match (state.phase, state.placed_in_round) {
            (Phase::End, _) => 0,
            _ if state.is_final => 1,
            (_, true) => placements + 4,
            (_, false) => placements + 3 - u32::from(state.idle_rounds),
        };
        let finished = state.round - u32::from(state.phase != Phase::End);
        // A round without a placement brings the end nearer, one with a placement uses one of those that are left.
        if finished + left > ROUNDS {
            let most = ROUNDS - left + u32::from(state.phase != Phase::End);
            return fault("round", state.round, format!("at most {most}, with {left} rounds that can follow (TG-12.6)"));
        }
        Ok(left)
    }

    /// An upper bound that each decision lowers by at least one.
    fn decisions_left(&self, state: &State, rounds: u32) -> u32 {
        let (turn, players) = (&state.turn, self.players as u32);
        let seats = &state.seats[..self.players];
        // Main action and `end` of each later turn.
        let mut left = 2 * (players * rounds - u32::from(turn.seat) - 1);
        // Choosing the card or laying the second tile, two for paths or one for a bonus, and `done`.
        left += 3 * Self::placements_left(state);
        left += state.tokens_left();
        let influencing = matches!(state.phase, Phase::Garden | Phase::Blind);
        let figures = state.figure_squares.count_ones() + u32::from(influencing);
        left += 2 * (CHARACTERS as u32).saturating_sub(figures) + u32::from(influencing);
        left += seats.iter().map(|seat| u32::from(seat.lanterns >> MOVE & 1)).sum::<u32>();
        // Refreshing and then moving.
        let held: u32 = seats.iter().map(|seat| u32::from(seat.tokens[0]) + u32::from(seat.tokens[1])).sum();
        left += 2 * ((held + state.tokens_left()) / u32::from(self.refresh_cost()));
        left += if turn.action == NONE { 2 } else { 1 };
        left += match state.phase {
            Phase::Path => u32::from(turn.paths) / 2,
            Phase::Level | Phase::Token => 1,
            _ => 0,
        };
        left += u32::from(turn.insert != NONE);
        let settling =
            matches!(state.phase, Phase::Path | Phase::Level | Phase::Token | Phase::Panorama | Phase::Landscape | Phase::Second);
        left + u32::from(settling && turn.placed == 1)
    }

    fn audit_coins(&self, state: &State) -> Result<(), Fault> {
        let columns = &self.tables.components.track_coins;
        let placed = PLACEMENTS.saturating_sub(Self::placements_left(state));
        for (index, seat) in state.seats[..self.players].iter().enumerate() {
            let paid = |level: u8| columns[..=usize::from(level)].iter().map(|&coins| u32::from(coins)).sum::<u32>();
            let mut most = FREE_COINS + COINS_OF_PLACEMENT * placed + seat.levels.iter().map(|&level| paid(level)).sum::<u32>();
            if index == usize::from(state.turn.seat) && matches!(state.phase, Phase::Path | Phase::Level) {
                let skill = matches!(self.active_skill(state), Skill::Track(_)) && !state.turn.paid;
                most = most.saturating_sub(u32::from(state.turn.paths) + u32::from(skill));
            }
            if seat.coins > most {
                return fault(format!("seats[{index}].coins"), seat.coins, format!("at most {most} (TG-12.6)"));
            }
        }
        Ok(())
    }

    /// Each turn of the solo game lays a tile (TG-13.5).
    fn audit_solo_round(&self, state: &State) -> Result<(), Fault> {
        let tiles = (CENTRAL & FREE & state.occupied).count_ones();
        let built = state.solo.stack != NONE && state.solo.under == NONE;
        let most = tiles + u32::from(!built);
        if state.round > most {
            return fault("round", state.round, format!("at most {most}, the turns of {tiles} tiles (TG-12.6)"));
        }
        Ok(())
    }

    /// As [`Game::decisions_left`], for the solo game.
    fn solo_decisions_left(&self, state: &State) -> u32 {
        if state.phase == Phase::End {
            return 0;
        }
        let (seat, solo) = (&state.seats[0], &state.solo);
        // A tile and the card beside its stack.
        let mut left = 2 * (CENTRAL & FREE & !state.occupied).count_ones() + u32::from(state.phase == Phase::Choose);
        left += state.tokens_left() + u32::from(state.turn.insert != NONE);
        // Standing, and picking from each pair.
        let unpicked = state.character_deck.count_ones() + state.display.count_ones() + solo.pair.count_ones();
        left += unpicked + u32::from(seat.active != NONE) + u32::from(solo.partner != NONE) + unpicked.div_ceil(2);
        left += [CARDS, BOTTOM, MOVE].iter().map(|&lantern| u32::from(seat.lanterns >> lantern & 1)).sum::<u32>();
        for size in 0..2 {
            let tokens = u32::from(seat.tokens[size]) + state.tokens[size].count_ones();
            left += 2 * (tokens / u32::from(self.refresh_cost()));
        }
        left
    }

    /// The illegal edges that uses of `wall` can have left (TG-13.8): one at first, and one for each refresh.
    pub(super) fn walls_used(&self, state: &State) -> u32 {
        let seat = &state.seats[0];
        let spent = |size: usize| 4_u32.saturating_sub(state.tokens[size].count_ones() + u32::from(seat.tokens[size]));
        let refreshes: u32 = (0..2).map(|size| spent(size) / u32::from(self.refresh_cost())).sum();
        (1 + refreshes).saturating_sub(u32::from(seat.lanterns >> super::state::WALL & 1))
    }
}
