//! A judgement of positions in coins, from what everybody knows.

use arrayvec::ArrayVec;

use forbidden_games_core::player::{ByPlayer, Player};

use super::Game;
use super::components::Kind;
use super::scoring::{kind_worth, payments};
use super::state::{MAX_ARCHES, MAX_CELLS, Phase, State, TEMPLE_CELL};

impl Game {
    /// Own prospects less the best other seat's. A prospect is: coins; for every open room what it would pay now, less the more sides
    /// are open and the fewer tiles are to come; and, before the end, what the unplayed tiles bring on average in the final tally.
    pub(super) fn judge(&self, state: &State, player: Player) -> f64 {
        let players = self.players();
        let mut prospects: ByPlayer<f64> = state.coins[..players].iter().map(|&coins| f64::from(coins)).collect();
        if state.phase != Phase::End {
            self.add_open_rooms(state, &mut prospects);
            for (seat, prospect) in prospects.iter_mut().enumerate() {
                let worth: i32 = state
                    .unplayed(seat)
                    .iter()
                    .zip(&self.rules.components.kinds)
                    .map(|(&copies, kind): (_, &Kind)| i32::from(copies) * kind_worth(kind))
                    .sum();
                *prospect += 2.0 * f64::from(worth) / f64::from(state.left[seat].max(2));
            }
        }
        let best_other =
            (0..players).filter(|&seat| seat != player.index()).map(|seat| prospects[seat]).fold(f64::NEG_INFINITY, f64::max);
        prospects[player.index()] - best_other
    }

    fn add_open_rooms(&self, state: &State, prospects: &mut ByPlayer<f64>) {
        let table = state.table();
        let players = self.players();
        // By label, like the list of open sides.
        let mut worth = [0_u32; MAX_CELLS];
        let mut advisors = [[0_u32; 4]; MAX_CELLS];
        self.rules.for_each_cell(table, |cell| {
            let label = usize::from(table.labels[cell.cell]);
            let first_of_tile = !cell.second || usize::from(table.labels[cell.cell - 1]) != label;
            worth[label] += u32::from(first_of_tile) + 3 * u32::from(cell.dragons);
            advisors[label][cell.advisors.0] += u32::from(cell.advisors.1);
        });
        let mut value = worth;
        let mut linked: ArrayVec<[u16; 2], MAX_ARCHES> = ArrayVec::new();
        for &[a, b] in table.arches {
            let pair = [a, b].map(|cell| if cell == TEMPLE_CELL { cell } else { table.labels[usize::from(cell)] });
            let pair = [pair[0].min(pair[1]), pair[0].max(pair[1])];
            if pair[0] != pair[1] && !linked.contains(&pair) {
                linked.push(pair);
                let [low, high] = pair.map(usize::from);
                if pair[1] == TEMPLE_CELL {
                    value[low] += 1;
                } else {
                    value[low] += worth[high];
                    value[high] += worth[low];
                }
            }
        }
        // Summed up as integers: rooms come in an order that depends on the way here, and equal states must be judged equal.
        const UNIT: f64 = 1_048_576.0;
        let mut sums = [0_i64; 4];
        let to_come: u32 = state.left[..players].iter().map(|&left| u32::from(left) - 2).sum();
        for label in 0..table.labels.len() {
            let open = table.open[label];
            if open == 0 || usize::from(table.labels[label]) != label {
                continue;
            }
            let open = f64::from(open);
            let hope = f64::from(to_come) / (f64::from(to_come) + 2.0 * open) * 0.8_f64 / (1.0 + 0.15 * (open - 1.0));
            for (sum, paid) in sums.iter_mut().zip(payments(&advisors[label][..players], value[label])) {
                *sum += (hope * f64::from(paid) * UNIT).round() as i64;
            }
        }
        for (prospect, sum) in prospects.iter_mut().zip(sums) {
            *prospect += sum as f64 / UNIT;
        }
    }
}
