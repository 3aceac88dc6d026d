//! A series: the same players play several games, each with its own options, and the lowest total wins (QN-7.6).
//!
//! In game g (from 0) player i takes seat (i - g) mod n, so that the start goes round. What a seat adds in a game is
//! [`crate::contract::Rules::series_total`].

use crate::outcome::{Fraction, competition_ranking, returns_of_ranking};
use crate::player::{ByPlayer, Player};

/// The seat of `player` in game `index` (QN-7.6).
///
/// # Panics
/// If `num_players` is 0 or `player` is not below it.
#[must_use]
pub fn seat_of(player: usize, index: usize, num_players: usize) -> Player {
    assert!(player < num_players, "no such player");
    Player::new((player + num_players - index % num_players) % num_players)
}

/// What a series has brought so far, by player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// What each game added.
    pub games: Vec<ByPlayer<i32>>,
    /// Sums.
    pub totals: ByPlayer<i64>,
    /// Places: the lowest total is first, equal totals share a place and the next is skipped.
    pub ranking: ByPlayer<u8>,
    /// Returns, from the ranking by the usual formula.
    pub returns: ByPlayer<Fraction>,
}

/// Adds up what the seats of each finished game add, given in seat order.
///
/// # Panics
/// If the games have different numbers of seats.
#[must_use]
pub fn standing(games: &[ByPlayer<i32>], num_players: usize) -> Standing {
    let games: Vec<ByPlayer<i32>> = games
        .iter()
        .enumerate()
        .map(|(index, seats)| (0..num_players).map(|player| seats[seat_of(player, index, num_players).index()]).collect())
        .collect();
    let totals: ByPlayer<i64> = (0..num_players).map(|player| games.iter().map(|game| i64::from(game[player])).sum()).collect();
    let ranking = competition_ranking(num_players, |a, b| totals[a] < totals[b]);
    let returns = returns_of_ranking(&ranking);
    Standing { games, totals, ranking, returns }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_goes_round() {
        let seats = |index| (0..3).map(|player| seat_of(player, index, 3).0).collect::<Vec<_>>();
        assert_eq!([seats(0), seats(1), seats(2), seats(3)], [[0, 1, 2], [2, 0, 1], [1, 2, 0], [0, 1, 2]]);
    }

    #[test]
    fn the_lowest_total_wins_and_equal_totals_share_a_place() {
        let game = |points: [i32; 3]| points.into_iter().collect::<ByPlayer<i32>>();
        let played = standing(&[game([1, 1, 7])], 3);
        assert_eq!(played.ranking.as_slice(), [1, 1, 3]);
        assert_eq!(played.returns.iter().map(ToString::to_string).collect::<Vec<_>>(), ["1/4", "1/4", "-1/2"]);
    }
}
