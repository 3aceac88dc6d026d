//! A judgement in coins for the greedy search; what it counts is said in the folder's README.

use forbidden_games_core::player::Player;

use super::Game;
use super::board::{CENTRAL, NONE};
use super::components::{BIRD, FISH, LOTUS, PEONY};
use super::state::{Phase, State, lanterns_of};

impl Game {
    pub(super) fn judge(&self, state: &State, player: Player) -> f64 {
        if self.players == 1 {
            return self.judge_solo(state);
        }
        let items = self.final_items(state);
        let own: i32 = items[player.index()].iter().sum();
        if state.phase == Phase::End {
            // A won tie-break is worth something, less than a coin.
            let place = self.places(state)[player.index()];
            return f64::from(own) - 0.1 * f64::from(place);
        }
        let seat = &state.seats[player.index()];
        // How much of the garden is still to come, 1 at the start and 0 at the end: what pays later is worth less then.
        let left = self.time_left(state);
        let mut value = f64::from(own);
        let mut least = 10;
        for &level in &seat.levels {
            value += left * (0.5 * f64::from(level) + self.column_outlook(level));
            least = least.min(level);
        }
        // The next character needs the lowest cube, so the sum of the cubes below the next threshold counts more.
        if let Some(&next) = self.tables.components.thresholds.iter().find(|&&column| column > least) {
            let missing: u8 = seat.levels.iter().map(|&level| next.saturating_sub(level)).sum();
            let all = 3.0 * f64::from(next);
            value += left * 5.0 * (1.0 - f64::from(missing) / all);
        }
        let reached = self.tables.components.thresholds.iter().filter(|&&column| column <= least).count();
        value += left * 1.5 * reached as f64;
        let mine = usize::from(state.turn.seat) == player.index();
        if seat.character_token || (mine && (state.turn.earned || state.turn.new != NONE || state.phase == Phase::Blind)) {
            value += 2.0 + 2.0 * left;
        }
        for lantern in lanterns_of(self.players) {
            value += left * 1.5 * f64::from(seat.lanterns >> lantern & 1);
        }
        value += seat.tokens.iter().map(|&held| left * 0.4 * f64::from(held.min(self.refresh_cost()))).sum::<f64>();
        // Half of a pair, and the start of further sets.
        value += left * 2.0 * f64::from(seat.cards[LOTUS].abs_diff(seat.cards[PEONY]).min(2));
        value += left * 2.0 * f64::from(seat.cards[FISH].abs_diff(seat.cards[BIRD]).min(2));
        value += left * 1.5 * f64::from(seat.cards[0]);
        if mine {
            value += f64::from(state.turn.paths);
            // A landscape still to be placed can only help.
            value += if state.turn.insert == NONE { 0.0 } else { 0.5 };
            value += match state.phase {
                Phase::Draw => 3.0,
                Phase::Choose => 2.0,
                Phase::Level => 1.0,
                Phase::Token => 1.5,
                _ => 0.0,
            };
        }
        let others = items.len() as f64 - 1.0;
        let theirs: i32 = items.iter().map(|items| items.iter().sum::<i32>()).sum::<i32>() - own;
        value - 0.25 * f64::from(theirs) / others.max(1.0)
    }

    /// Part of the coins of the next columns that a track may still enter.
    fn column_outlook(&self, level: u8) -> f64 {
        let coins = &self.tables.components.track_coins;
        (level + 1..=10).take(2).map(|column| 0.3 * f64::from(coins[usize::from(column)]) / f64::from(column - level)).sum()
    }

    /// 1 at the start, near 0 at the end: tokens on the board and tiles in the shortest stack.
    fn time_left(&self, state: &State) -> f64 {
        let tokens = f64::from(state.tokens_left().saturating_sub(3)) / 13.0;
        let stack = (0..4).map(|stack| state.down_total[stack] + u8::from(state.up[stack] != NONE)).min().unwrap_or(0);
        tokens.min(f64::from(stack) / 15.0).clamp(0.0, 1.0)
    }

    /// Won or lost counts most; before, the squares covered, how freely tiles can still be laid, and the points of the figures.
    fn judge_solo(&self, state: &State) -> f64 {
        let points = f64::from(self.final_items(state)[0].iter().sum::<i32>());
        if let Some(won) = state.solo.won {
            return points + if won { 1000.0 } else { -1000.0 };
        }
        let covered = f64::from((state.occupied & CENTRAL).count_ones());
        let open = CENTRAL & !state.occupied;
        let mut freedom = 0.0;
        for fits in &state.fits {
            freedom += fits[..4].iter().map(|fits| f64::from((fits & open).count_ones())).sum::<f64>();
        }
        let lanterns = lanterns_of(1).iter().filter(|&&lantern| state.seats[0].lanterns >> lantern & 1 == 1).count();
        let shortest = state.down_total.iter().min().copied().unwrap_or(0);
        points + 4.0 * covered + 0.4 * freedom + 6.0 * lanterns as f64 + 2.0 * f64::from(shortest)
    }
}
