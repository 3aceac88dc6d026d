//! How large the numbers of a state can be (DC-12.10): what has happened leaves room for what can still come, so that a state whose
//! numbers fit leads to states whose numbers fit.

use super::cards::Window;
use super::game::Game;
use super::state::{Phase, State};

/// The greatest VP and ply of a position (DC-9.5).
pub(super) const MAX_POSITION_VP: i64 = 1_000_000;

/// More VP than a tile can bring, in a set or out of play.
pub(super) const VP_OF_TILE: i64 = 1_000;

/// More decisions than a turn has beside those that its tiles, shrines and sets bring.
const DECISIONS_OF_TURN: u32 = 100;

/// An invariant that does not hold: the key of the state object, what is wrong, and the rule.
#[derive(Clone, Debug)]
pub(super) struct Broken {
    pub(super) key: &'static str,
    pub(super) reason: String,
    pub(super) rule: &'static str,
}

pub(super) fn ensure(holds: bool, key: &'static str, rule: &'static str, reason: impl FnOnce() -> String) -> Result<(), Broken> {
    if holds { Ok(()) } else { Err(Broken { key, reason: reason(), rule }) }
}

impl Game {
    pub(super) fn check_numbers(&self, state: &State) -> Result<(), Broken> {
        let (castle, face_up, hand) = self.tiles_in_play(state);
        // Tiles that have brought what they can bring: face down in a realm, or out of play.
        let used = i64::from(u32::from(self.settings.components.tiles) - castle - face_up - hand);
        let most = MAX_POSITION_VP + VP_OF_TILE * used;
        let high = state.vp[..self.settings.players].iter().find(|&&vp| i64::from(vp) > most);
        ensure(high.is_none(), "vp", "at most those of a position and 1,000 for each tile used (DC-12.10)", || {
            format!("{} with {used} tiles used", high.copied().unwrap_or(0))
        })?;
        let (tiles, tokens) = (u32::from(self.settings.components.tiles), u32::from(self.settings.components.tokens));
        let whole =
            (DECISIONS_OF_TURN + 6) * (tiles + tokens) + 2 * u32::from(self.settings.components.shrines) + DECISIONS_OF_TURN;
        let most = MAX_POSITION_VP + i64::from(whole - self.decisions_left(state).min(whole));
        ensure(i64::from(state.ply) <= most, "ply", "those of a position and of what was played since (DC-12.10)", || {
            format!("{}, at most {most} here", state.ply)
        })
    }

    /// Tiles of the castle, face up in realms (one in the air included), and in the hand.
    fn tiles_in_play(&self, state: &State) -> (u32, u32, u32) {
        let castle = state.castle[..self.tables.castle.len()].iter().map(|stack| u32::from(stack.height())).sum();
        let cells = self.settings.players * self.tables.realm.grid.len();
        let shown = state.realms[..cells].iter().map(|stack| stack.top).chain(state.turn.lifted.map(|lifted| lifted.top));
        (castle, shown.filter(|&top| top != 0).count() as u32, state.turn.hand.len() as u32)
    }

    /// A number that each decision lowers by at least one: in turns that can follow, tiles, shrines, cards and steps of cards.
    fn decisions_left(&self, state: &State) -> u32 {
        if state.phase == Phase::Terminal {
            return 0;
        }
        let (turn, phase) = (&state.turn, state.phase);
        let (castle, face_up, hand) = self.tiles_in_play(state);
        // A turn takes a tile or a token.
        let before_take = phase == Phase::Turn || turn.resume == Some(Window::Turn);
        let turns = (castle + u32::from(state.tokens)).saturating_sub(u32::from(before_take));
        let mut left = DECISIONS_OF_TURN * turns + u32::from(before_take);
        // Each card once, with up to four steps.
        left += 8 * (10 - turn.used.len() as u32);
        left += match phase {
            Phase::StrengthLift if turn.moved.is_none() => 4,
            Phase::StrengthDrop if turn.moved.is_none() => 3,
            Phase::WindFlip => 3,
            Phase::StrengthLift | Phase::WindFrom => 2,
            Phase::StrengthDrop | Phase::WindTo | Phase::Beauty | Phase::Change | Phase::Mirror => 1,
            _ => 0,
        };
        // Passing in `settle` and `end`.
        let after_settle = phase == Phase::End || turn.resume == Some(Window::End);
        left += if after_settle { 1 } else { 2 };
        // Taking, choosing, placing; a set of four tiles for `consolidate` and `done`.
        left += 4 * castle + 2 * hand + castle + hand + face_up;
        left += u32::from(turn.first.is_some()) + u32::from(phase == Phase::Build);
        let pools: u32 = state.pools[..self.settings.players].iter().map(|&pool| u32::from(pool)).sum();
        left + 2 * (pools + u32::from(state.supply))
    }
}
