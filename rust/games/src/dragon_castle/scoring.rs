//! Scores, dragon cards and ranking (DC-7.3 to DC-7.6).

use forbidden_games_core::outcome::{ScoreLine, competition_ranking};
use forbidden_games_core::player::ByPlayer;

use super::cards::Dragon;
use super::components::Symbol;
use super::game::Game;
use super::squares::{first_square, squares};
use super::state::{Phase, State};

pub(super) fn scores(game: &Game, state: &State) -> ByPlayer<i32> {
    if state.phase != Phase::Terminal {
        return state.vp[..game.settings.players].iter().copied().collect();
    }
    (0..game.settings.players).map(|seat| game.final_score(state, seat)).collect()
}

pub(super) fn ranking(game: &Game, state: &State) -> ByPlayer<u8> {
    let keys: ByPlayer<(i32, u32, u32)> = (0..game.settings.players)
        .map(|seat| {
            let masks = state.masks[seat];
            (game.final_score(state, seat), masks.down().count_ones(), masks.shrines.count_ones())
        })
        .collect();
    competition_ranking(game.settings.players, |a, b| keys[a] > keys[b])
}

pub(super) fn score_sheet(game: &Game, state: &State) -> Vec<ScoreLine> {
    let line = |item, rule, points: &dyn Fn(usize) -> i32| ScoreLine {
        item,
        rule,
        points: (0..game.settings.players).map(points).collect(),
    };
    let mut sheet = vec![line("gained", "DC-7.3", &|seat| state.vp[seat])];
    if state.phase == Phase::Terminal {
        sheet.push(line("shrines", "DC-7.3", &|seat| game.shrine_points(state, seat)));
        sheet.push(line("tokens", "DC-7.3", &|seat| game.token_points(state, seat)));
        for card in state.dragons.dragons() {
            sheet.push(line(card.name(), "DC-7.4", &|seat| game.dragon_points(state, seat, card)));
        }
    }
    sheet
}

impl Game {
    /// Final points of a seat, as if the game ended now.
    pub(super) fn final_score(&self, state: &State, seat: usize) -> i32 {
        let dragons: i32 = state.dragons.dragons().map(|card| self.dragon_points(state, seat, card)).sum();
        state.vp[seat] + self.shrine_points(state, seat) + self.token_points(state, seat) + dragons
    }

    /// 1, 2 or 3 for each shrine, by its floor.
    pub(super) fn shrine_points(&self, state: &State, seat: usize) -> i32 {
        let realm = self.realm(state, seat);
        squares(state.masks[seat].shrines).map(|square| i32::from(realm[square].height.min(3))).sum()
    }

    pub(super) fn token_points(&self, state: &State, seat: usize) -> i32 {
        i32::from(state.countdown[seat]) * i32::from(self.settings.components.token_vp)
    }

    /// What a dragon card gives a seat (DC-7.4).
    pub(super) fn dragon_points(&self, state: &State, seat: usize, card: Dragon) -> i32 {
        let realm = self.realm(state, seat);
        let masks = state.masks[seat];
        let shape = &self.tables.realm;
        let (rows, columns) = (shape.grid.rows, shape.grid.columns);
        let count = |mask: u64| mask.count_ones() as i32;
        let beside = |square: usize| squares(shape.neighbours(1 << square) & masks.stacks);
        match card {
            Dragon::Humility => squares(masks.shrines)
                .filter(|&square| beside(square).any(|other| realm[other].height > realm[square].height))
                .count() as i32,
            Dragon::Righteousness => {
                let line = |mask: u64| count(masks.shrines & mask) + if masks.shrines & mask == mask { 2 } else { 0 };
                let row = (0..rows).map(|row| line(shape.row(row))).max().unwrap_or(0);
                row + (0..columns).map(|column| line(shape.column(column))).max().unwrap_or(0)
            }
            Dragon::Tranquility => self.groups(masks.down()).count() as i32,
            Dragon::Bravery => squares(masks.stacks)
                .filter(|&square| beside(square).all(|other| realm[other].height != realm[square].height))
                .count() as i32,
            Dragon::Ramparts => count(masks.shrines & shape.border()) + count(masks.shrines & shape.corners()),
            Dragon::Towers => {
                let mirrored = |column: usize| {
                    (0..rows)
                        .filter(|row| {
                            let start = row * columns;
                            masks.shrines >> (start + column) & masks.shrines >> (start + columns - 1 - column) & 1 != 0
                        })
                        .count() as i32
                };
                (0..columns / 2).map(|column| 2 * mirrored(column)).sum()
            }
            Dragon::Heavens => {
                let mut seen = [0_u64; 5];
                for square in squares(masks.face_up) {
                    let top = usize::from(realm[square].top);
                    if self.tables.number_of_top[top] == Symbol::NO_NUMBER {
                        seen[top / 64] |= 1 << (top % 64);
                    }
                }
                seen.into_iter().map(count).sum()
            }
            Dragon::Summit => realm.iter().filter(|stack| stack.height >= 3).count() as i32,
            Dragon::Terraces => {
                let full = |mask: u64| i32::from(masks.stacks & mask == mask);
                let in_rows: i32 = (0..rows).map(|row| full(shape.row(row))).sum();
                in_rows + (0..columns).map(|column| full(shape.column(column))).sum::<i32>()
            }
            Dragon::Wall => self.groups(masks.down()).map(count).max().unwrap_or(0) / 2,
        }
    }

    /// The groups of a mask.
    pub(super) fn groups(&self, mask: u64) -> impl Iterator<Item = u64> {
        let mut rest = mask;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let group = self.tables.realm.group(first_square(rest), rest);
            rest &= !group;
            Some(group)
        })
    }
}
