//! Final scoring, sight and views, ranking (section 7, TG-13.6).

use forbidden_games_core::contract::Rules;
use forbidden_games_core::outcome::{Fraction, ScoreLine, competition_ranking, returns_of_ranking};
use forbidden_games_core::player::ByPlayer;

use super::board::{NONE, SIGHT, START, squares};
use super::components::{BIRD, DECORATIONS, FISH, LOTUS, PEONY};
use super::game::Game;
use super::skills::View;
use super::state::{Figure, NEUTRAL, Phase, State};

/// The eight items of TG-7.4 in order: name and rule.
pub(super) const ITEMS: [(&str, &str); 8] = [
    ("coins", "TG-7.4.1"),
    ("flowers", "TG-7.4.2"),
    ("animals", "TG-7.4.3"),
    ("pavilions", "TG-7.4.4"),
    ("trees", "TG-7.4.5"),
    ("bridges", "TG-7.4.6"),
    ("decorations", "TG-7.4.7"),
    ("views", "TG-7.4.8"),
];

/// Coins for `cards` tree cards by kind (TG-7.4.5): set j has as many trees as there are kinds with at least j cards.
pub(super) fn tree_coins(cards: &[u8]) -> i32 {
    let most = cards.iter().copied().max().unwrap_or(0);
    (1..=most).map(|set| (cards.iter().filter(|&&held| held >= set).count() as i32).pow(2)).sum()
}

/// Coins for pavilions (TG-7.4.4) by the cards of each seat.
pub(super) fn pavilion_coins(cards: &[u8]) -> ByPlayer<i32> {
    let most = cards.iter().copied().max().unwrap_or(0);
    let sharing = |held: u8| cards.iter().filter(|&&other| other == held).count() as i32;
    let second = cards.iter().copied().filter(|&held| held < most).max().unwrap_or(0);
    let coins = |held: u8| match held {
        0 => 0,
        _ if held == most && sharing(most) > 1 => 18 / sharing(most),
        _ if held == most => 12,
        _ if held == second && sharing(most) == 1 => 6 / sharing(second),
        _ => 0,
    };
    cards.iter().map(|&held| coins(held)).collect()
}

/// TG-7.4 at the end, TG-7.8 before.
pub(super) fn scores(game: &Game, state: &State) -> ByPlayer<i32> {
    if state.phase == Phase::End {
        game.final_items(state).iter().map(|items| items.iter().sum()).collect()
    } else {
        state.seats[..game.players].iter().map(|seat| i32::try_from(seat.coins).unwrap_or(i32::MAX)).collect()
    }
}

pub(super) fn score_sheet(game: &Game, state: &State) -> Vec<ScoreLine> {
    let items = game.final_items(state);
    let over = state.phase == Phase::End;
    ITEMS
        .iter()
        .enumerate()
        .map(|(index, &(item, rule))| {
            let points = items.iter().map(|items| if over || index == 0 { items[index] } else { 0 }).collect();
            ScoreLine { item, rule, points }
        })
        .collect()
}

/// TG-7.7.
pub(super) fn ranking(game: &Game, state: &State) -> ByPlayer<u8> {
    let points = game.scores(state);
    let key = |index: usize| {
        let seat = &state.seats[index];
        let tokens = u32::from(seat.tokens[0]) + u32::from(seat.tokens[1]);
        (points[index], tokens, seat.levels.iter().filter(|&&level| level == 10).count())
    };
    competition_ranking(game.players, |a, b| key(a) > key(b))
}

/// Conventions 5; the solo game is won or lost.
pub(super) fn exact_returns(game: &Game, state: &State) -> ByPlayer<Fraction> {
    if game.players == 1 {
        let won = state.solo.won == Some(true);
        return std::iter::once(Fraction::new(if won { 1 } else { -1 }, 1)).collect();
    }
    returns_of_ranking(&game.ranking(state))
}

impl Game {
    /// The title that a finished solo game earns (TG-13.6): apprentice, gardener, master or imperial architect.
    #[must_use]
    pub fn title(&self, state: &State) -> Option<&'static str> {
        (self.players == 1 && state.phase == Phase::End).then(|| Self::solo_title(self.scores(state)[0]))
    }

    /// Decorations that the figure sees (TG-7.4.7).
    pub(super) fn decorations_seen(&self, state: &State, figure: Figure) -> i32 {
        let line = SIGHT[usize::from(figure.square)][usize::from(figure.facing)];
        state.decorations.iter().map(|places| (places & line).count_ones() as i32).sum()
    }

    /// What the view preference of `character` brings where `figure` stands (TG-7.6).
    pub(super) fn view_coins(&self, state: &State, character: usize, figure: Figure) -> i32 {
        let components = &self.tables.components;
        let line = SIGHT[usize::from(figure.square)][usize::from(figure.facing)];
        let side = usize::from(figure.facing);
        let panorama =
            || state.panorama[side].iter().filter(|&&kind| kind != NONE).map(|&kind| &components.landscapes[usize::from(kind)]);
        let icons = |icon: usize| panorama().map(|landscape| i32::from(landscape.icons[icon])).sum::<i32>();
        let is_seen = |other: usize| {
            let square = state.figures[other].square;
            other != character && square != NONE && line >> square & 1 == 1
        };
        match components.characters[character].view {
            View::Icon(icon, n) => n * icons(usize::from(icon)),
            View::Absent(n, m, others) => {
                let seen = squares(u64::from(others)).filter(|&other| is_seen(usize::from(other))).count() as i32;
                (n - m * seen).max(0)
            }
            View::Edge(letters, n, most) => {
                let tiles = squares(line & state.occupied & !START)
                    .filter(|&square| self.tables.face(state.tile_at[usize::from(square)]).letters & letters != 0)
                    .count() as i32;
                let start = i32::from(line & START != 0 && self.tables.start_letters & letters != 0);
                (n * (tiles + start)).min(most)
            }
            View::SunMoon(n, m) => match (icons(3) > 0, icons(4) > 0) {
                (true, true) => m,
                (false, false) => 0,
                _ => n,
            },
            View::Person(n, most) => {
                let seen = (0..state.figures.len()).filter(|&other| is_seen(other)).count() as i32;
                (n * seen).min(most)
            }
            View::Landscape(n) => n * panorama().count() as i32,
        }
    }

    /// The eight items of every seat if the game ended now.
    pub(super) fn final_items(&self, state: &State) -> ByPlayer<[i32; 8]> {
        let seats = &state.seats[..self.players];
        let pavilion_cards: ByPlayer<u8> = seats.iter().map(|seat| seat.cards[0]).collect();
        let pavilions = pavilion_coins(&pavilion_cards);
        let mut items: ByPlayer<[i32; 8]> = seats
            .iter()
            .zip(pavilions)
            .map(|(seat, pavilions)| {
                let cards: [i32; DECORATIONS] = seat.cards.map(i32::from);
                let coins = i32::try_from(seat.coins).unwrap_or(i32::MAX);
                let trees = tree_coins(&seat.cards[2..LOTUS]);
                [coins, 6 * cards[LOTUS].min(cards[PEONY]), 6 * cards[BIRD].min(cards[FISH]), pavilions, trees, 2 * cards[1], 0, 0]
            })
            .collect();
        for (character, &figure) in state.figures.iter().enumerate() {
            if figure.square != NONE && figure.seat != NEUTRAL {
                let seat = &mut items[usize::from(figure.seat)];
                seat[6] += self.decorations_seen(state, figure);
                seat[7] += self.view_coins(state, character, figure);
            }
        }
        items
    }

    /// The title of a solo score (TG-13.6).
    pub(super) const fn solo_title(points: i32) -> &'static str {
        match points {
            i32::MIN..20 => "apprentice",
            20..35 => "gardener",
            35..50 => "master",
            50.. => "imperial architect",
        }
    }
}
