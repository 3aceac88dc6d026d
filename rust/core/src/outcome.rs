//! Results of a finished game: ranking and returns (CONVENTIONS 5).

use crate::player::ByPlayer;

/// Competition ranking (1, 1, 3): one place per seat, 1 is first. `better` compares two seats' results and says whether the
/// first is strictly better.
pub fn competition_ranking(num_players: usize, better: impl Fn(usize, usize) -> bool) -> ByPlayer<u8> {
    (0..num_players).map(|seat| 1 + (0..num_players).filter(|&other| better(other, seat)).count() as u8).collect()
}

/// Ranking by a key, highest first; equal keys share a place.
pub fn ranking_by_key<K: Ord>(keys: &[K]) -> ByPlayer<u8> {
    competition_ranking(keys.len(), |a, b| keys[a] > keys[b])
}

/// A return as an exact fraction: `numerator / denominator`, reduced, denominator positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fraction {
    /// Signed numerator.
    pub numerator: i64,
    /// Positive denominator.
    pub denominator: i64,
}

impl Fraction {
    /// A reduced fraction.
    ///
    /// # Panics
    /// If `denominator` is 0.
    #[must_use]
    pub fn new(numerator: i64, denominator: i64) -> Self {
        assert!(denominator != 0, "a fraction needs a denominator");
        let divisor = gcd(numerator.unsigned_abs(), denominator.unsigned_abs()).max(1) as i64;
        let sign = denominator.signum();
        Self { numerator: sign * numerator / divisor, denominator: sign * denominator / divisor }
    }

    /// The nearest `f32`.
    #[must_use]
    pub fn to_f32(self) -> f32 {
        (self.numerator as f64 / self.denominator as f64) as f32
    }
}

impl std::fmt::Display for Fraction {
    /// `1`, `-1/2`, `0`.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.denominator == 1 {
            write!(formatter, "{}", self.numerator)
        } else {
            write!(formatter, "{}/{}", self.numerator, self.denominator)
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Returns of a ranking of two or more seats, exact (CONVENTIONS 5): with `k` winners among `n` a winner gets
/// `n / ((n - 1) k) - 1 / (n - 1)`, everyone else `-1 / (n - 1)`. They sum to 0.
#[must_use]
pub fn returns_of_ranking(ranking: &[u8]) -> ByPlayer<Fraction> {
    let n = ranking.len() as i64;
    let winners = ranking.iter().filter(|&&place| place == 1).count() as i64;
    ranking
        .iter()
        .map(|&place| {
            if n == 1 {
                Fraction::new(1, 1)
            } else if place == 1 {
                Fraction::new(n - winners, (n - 1) * winners)
            } else {
                Fraction::new(-1, n - 1)
            }
        })
        .collect()
}

/// One line of a score sheet: an item and what each seat has from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoreLine {
    /// Name of the item, lower case, unique in the sheet.
    pub item: &'static str,
    /// The rule it follows (`DC-7.3`).
    pub rule: &'static str,
    /// Points per seat. The lines of a sheet add up to the scores.
    pub points: ByPlayer<i32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn returns_follow_conventions_5() {
        let text = |ranking: &[u8]| returns_of_ranking(ranking).iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        assert_eq!(text(&[1, 2]), "1 -1");
        assert_eq!(text(&[1, 1]), "0 0");
        assert_eq!(text(&[2, 1, 2]), "-1/2 1 -1/2");
        assert_eq!(text(&[1, 1, 3]), "1/4 1/4 -1/2");
        assert_eq!(text(&[1, 1, 1, 4]), "1/9 1/9 1/9 -1/3");
    }

    #[test]
    fn rankings_are_competition_rankings() {
        assert_eq!(ranking_by_key(&[5, 5, 3]).as_slice(), [1, 1, 3]);
        assert_eq!(ranking_by_key(&[1, 7, 7, 9]).as_slice(), [4, 2, 2, 1]);
    }
}
