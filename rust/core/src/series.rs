//! A series: the same players play several games, each with its own options, and the lowest total wins (QN-7.6).
//!
//! In game g (from 0) player i takes seat (i - g) mod n, so that the start goes round. What a game adds is
//! [`Game::series_total`]. A series is saved as JSON Lines: a header with every game to be played, then the records of the games
//! one after the other; its first k lines are a series that goes on.

use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::data::{Fields, Node, parse_json};
use crate::error::{DataError, NotOver, OptionsError, RecordError};
use crate::game::Game;
use crate::match_play::{Match, Start};
use crate::outcome::{Fraction, competition_ranking, returns_of_ranking};
use crate::player::{ByPlayer, Player};
use crate::record::{Identity, Record, SEAT_NAME, is_seat_name};
use crate::rng::derive_seed;

/// The most games in a series.
pub const MAX_GAMES: usize = 100;

/// The seat of `player` in game `index` (QN-7.6).
#[must_use]
pub fn seat_of(player: usize, index: usize, num_players: usize) -> Player {
    Player::new((player + num_players - index % num_players) % num_players)
}

/// The player on `seat` in game `index`.
#[must_use]
pub fn player_on(seat: Player, index: usize, num_players: usize) -> usize {
    (seat.index() + index) % num_players
}

/// Places by totals, the lowest first; equal totals share a place and the next is skipped.
#[must_use]
pub fn ranking_of_totals(totals: &[i64]) -> ByPlayer<u8> {
    competition_ranking(totals.len(), |a, b| totals[a] < totals[b])
}

/// A series being played: all its games, and the matches begun so far. Only the last of them may be unfinished.
#[derive(Clone, Debug)]
pub struct Series<G: Game> {
    games: Vec<Arc<G>>,
    players: Vec<String>,
    seed: u64,
    matches: Vec<Match<G>>,
}

impl<G: Game> Series<G> {
    /// A series of `games` by `players`, by name.
    ///
    /// # Errors
    /// If there is no game or more than [`MAX_GAMES`], the rules have no series, or the numbers of players do not agree.
    pub fn new(games: Vec<Arc<G>>, players: Vec<String>, seed: u64) -> Result<Self, OptionsError> {
        let wrong = |found: String, expected: String| Err(OptionsError::new("series", found, expected));
        if !(1..=MAX_GAMES).contains(&games.len()) {
            return wrong(format!("{} games", games.len()), format!("1 to {MAX_GAMES} games"));
        }
        if games.iter().any(|game| game.series_total(&game.new_state()).is_none()) {
            return wrong(G::INFO.name.to_owned(), "a game whose rules have a series".to_owned());
        }
        if let Some(game) = games.iter().find(|game| game.num_players() != players.len()) {
            return wrong(format!("a game for {}", game.num_players()), format!("games for {}", players.len()));
        }
        if let Some(name) = players.iter().find(|name| !is_seat_name(name)) {
            return wrong(name.clone(), SEAT_NAME.to_owned());
        }
        Ok(Self { games, players, seed, matches: Vec::new() })
    }

    /// The games, played or not.
    #[must_use]
    pub fn games(&self) -> &[Arc<G>] {
        &self.games
    }

    /// The names of the players, in the order of the totals.
    #[must_use]
    pub fn players(&self) -> &[String] {
        &self.players
    }

    /// The matches begun so far.
    #[must_use]
    pub fn matches(&self) -> &[Match<G>] {
        &self.matches
    }

    /// Whether every game is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.matches.len() == self.games.len() && self.matches.iter().all(Match::is_terminal)
    }

    /// The match to go on with: the unfinished one, or the next, begun now with the players on their seats. `None` when all are
    /// over.
    pub fn current(&mut self) -> Option<&mut Match<G>> {
        if self.matches.last().is_none_or(Match::is_terminal) {
            let index = self.matches.len();
            let game = self.games.get(index)?;
            let mut next = Match::new(Arc::clone(game), derive_seed(self.seed, "series", index as u64));
            let seats = Player::all(self.players.len());
            let names = seats.map(|seat| self.players[player_on(seat, index, self.players.len())].clone()).collect();
            if let Err(error) = next.set_seats(names) {
                unreachable!("names were checked: {error}");
            }
            self.matches.push(next);
        }
        self.matches.last_mut()
    }

    /// What each player has from the games that are over.
    #[must_use]
    pub fn totals(&self) -> Vec<i64> {
        let count = self.players.len();
        let mut totals = vec![0; count];
        for (index, played) in self.matches.iter().enumerate().filter(|(_, played)| played.is_terminal()) {
            let added = played.game().series_total(played.state()).unwrap_or_default();
            for (seat, points) in added.into_iter().enumerate() {
                totals[player_on(Player::new(seat), index, count)] += i64::from(points);
            }
        }
        totals
    }

    /// Places by player.
    ///
    /// # Errors
    /// If some game is not over.
    pub fn ranking(&self) -> Result<ByPlayer<u8>, NotOver> {
        if self.is_over() { Ok(ranking_of_totals(&self.totals())) } else { Err(NotOver) }
    }

    /// Returns by player, from the ranking by the usual formula.
    ///
    /// # Errors
    /// If some game is not over.
    pub fn returns(&self) -> Result<ByPlayer<Fraction>, NotOver> {
        Ok(returns_of_ranking(&self.ranking()?))
    }

    // ---- Saving -----------------------------------------------------------------------------------------------------------

    /// The series as JSON Lines.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut header = Map::new();
        header.insert("series".into(), 1.into());
        header.insert("players".into(), self.players.clone().into());
        header.insert("seed".into(), self.seed.into());
        let identity = |game: &Arc<G>| {
            let mut object = Map::new();
            Identity::of_game(&**game, Start::Ordinary).write(&mut object);
            Value::Object(object)
        };
        header.insert("games".into(), self.games.iter().map(identity).collect::<Vec<_>>().into());
        let mut text = String::new();
        let _ = writeln!(text, "{}", Value::Object(header));
        for played in &self.matches {
            text += &played.record().to_text();
        }
        text
    }

    /// Reads and replays a series; an unfinished match goes on to its next decision.
    ///
    /// # Errors
    /// The line that cannot be read or does not follow.
    pub fn from_text(text: &str) -> Result<Self, RecordError> {
        let fail = |line, reason: String| RecordError::Line { line, reason };
        let header = read_header(text)?;
        let games = header.games.iter().map(|identity| Ok(Arc::new(identity.make_game()?)));
        let games = games.collect::<Result<Vec<Arc<G>>, RecordError>>()?;
        let mut series = Self::new(games, header.players, header.seed).map_err(|error| fail(1, error.to_string()))?;
        for (first, part) in records(text) {
            let shifted = |error| shift(error, first - 1);
            let index = series.matches.len();
            if series.matches.last().is_some_and(|played| !played.is_terminal()) {
                return Err(fail(first, "the game before is not over".to_owned()));
            }
            let Some(game) = series.games.get(index) else {
                return Err(fail(first, format!("expected no more than {} games", series.games.len())));
            };
            let record = Record::parse(&part).map_err(shifted)?;
            let played = Match::from_record(Arc::clone(game), &record).map_err(shifted)?;
            if *played.start() != Start::Ordinary {
                return Err(fail(first, "a game of a series begins at the ordinary start".to_owned()));
            }
            series.matches.push(played);
        }
        Ok(series)
    }
}

/// The first line of a series.
#[derive(Clone, Debug, PartialEq)]
pub struct SeriesHeader {
    /// Names of the players.
    pub players: Vec<String>,
    /// The seed of all luck.
    pub seed: u64,
    /// The games to be played, at least one, all of one name.
    pub games: Vec<Identity>,
}

/// Reads the first line without knowing the game, which is named in `games[0].game`.
///
/// # Errors
/// If it is none.
pub fn read_header(text: &str) -> Result<SeriesHeader, RecordError> {
    let read = |value: Value| -> Result<SeriesHeader, DataError> {
        let mut fields = Node::root(&value).object()?;
        fields.required("series")?.integer(1, 1)?;
        let players = fields.required("players")?.list(1, crate::player::MAX_PLAYERS)?;
        let players = players.iter().map(|name| Ok(name.text()?.to_owned())).collect::<Result<_, DataError>>()?;
        let seed = fields.required("seed")?;
        let seed = seed.value.as_u64().ok_or_else(|| seed.error("an integer from 0 to 18446744073709551615"))?;
        let games = fields.required("games")?.list(1, MAX_GAMES)?;
        let identity = |node: &Node<'_>| {
            let mut fields: Fields<'_> = node.object()?;
            let identity = Identity::read(&mut fields)?;
            fields.finish()?;
            Ok(identity)
        };
        let games = games.iter().map(identity).collect::<Result<_, DataError>>()?;
        fields.finish()?;
        Ok(SeriesHeader { players, seed, games })
    };
    let first = text.lines().next().unwrap_or_default();
    parse_json(first).and_then(read).map_err(|error| RecordError::Line { line: 1, reason: error.to_string() })
}

/// The records behind the header: the line each begins on, and its text.
fn records(text: &str) -> Vec<(usize, String)> {
    let mut parts: Vec<(usize, String)> = Vec::new();
    for (index, line) in text.lines().enumerate().skip(1) {
        // A header is the only line with this beginning; whatever else is wrong with it, its record says.
        if line.starts_with("{\"record\"") || parts.is_empty() {
            parts.push((index + 1, String::new()));
        }
        if let Some((_, part)) = parts.last_mut() {
            part.push_str(line);
            part.push('\n');
        }
    }
    parts
}

fn shift(error: RecordError, by: usize) -> RecordError {
    match error {
        RecordError::Line { line, reason } => RecordError::Line { line: line + by, reason },
        RecordError::Ply { ply, line, reason } => RecordError::Ply { ply, line: line + by, reason },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use crate::testing::pebbles::{Pebbles, pebbles};

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|index| format!("player {index}")).collect()
    }

    fn games(players: usize, count: usize) -> Vec<Arc<Pebbles>> {
        (0..count).map(|_| Arc::new(pebbles(players))).collect()
    }

    fn play(series: &mut Series<Pebbles>, plies: usize) {
        for ply in 0..plies {
            let Some(played) = series.current() else { return };
            let legal = played.legal_actions();
            let index = Rng::stream(1, "test", ply as u64).below(legal.len() as u32) as usize;
            played.play(legal[index]).unwrap();
        }
    }

    #[test]
    fn the_start_goes_round() {
        let seats = |game| (0..3).map(|player| seat_of(player, game, 3).0).collect::<Vec<_>>();
        assert_eq!((seats(0), seats(1), seats(2), seats(3)), (vec![0, 1, 2], vec![2, 0, 1], vec![1, 2, 0], vec![0, 1, 2]));
        for (player, game) in (0..3).flat_map(|player| (0..7).map(move |game| (player, game))) {
            assert_eq!(player_on(seat_of(player, game, 3), game, 3), player);
        }
        let mut series = Series::new(games(2, 2), names(2), 5).unwrap();
        assert_eq!(series.current().unwrap().seats(), ["player 0", "player 1"]);
        while series.matches().len() < 2 {
            play(&mut series, 1);
        }
        assert_eq!(series.current().unwrap().seats(), ["player 1", "player 0"]);
    }

    #[test]
    fn the_lowest_total_wins() {
        assert_eq!(ranking_of_totals(&[3, 1, 3, 0]).as_slice(), [3, 2, 3, 1]);
        let mut series = Series::new(games(3, 4), names(3), 5).unwrap();
        assert_eq!(series.ranking(), Err(NotOver));
        play(&mut series, 10_000);
        assert!(series.is_over());
        let mut expected = [0; 3];
        for (index, played) in series.matches().iter().enumerate() {
            for (player, total) in expected.iter_mut().enumerate() {
                let seat = seat_of(player, index, 3);
                *total -= i64::from(played.state().public.scores[seat.index()]);
            }
        }
        assert_eq!(series.totals(), expected);
        assert_eq!(series.returns().unwrap(), returns_of_ranking(&ranking_of_totals(&expected)));
    }

    #[test]
    fn every_part_of_a_series_goes_on_to_the_same_end() {
        let mut series = Series::new(games(2, 3), names(2), 9).unwrap();
        play(&mut series, 30);
        let text = series.to_text();
        let lines: Vec<&str> = text.lines().collect();
        for count in 1..=lines.len() {
            let again = Series::<Pebbles>::from_text(&lines[..count].join("\n")).unwrap();
            assert!(text.starts_with(&again.to_text()) || again.to_text().starts_with(&lines[..count].join("\n")));
        }
        assert_eq!(Series::<Pebbles>::from_text(&text).unwrap().to_text(), text);
        for damaged in 0..lines.len() {
            let mut copy = lines.clone();
            copy[damaged] = "{\"record\":9}";
            let error = Series::<Pebbles>::from_text(&copy.join("\n")).unwrap_err();
            let (RecordError::Line { line, .. } | RecordError::Ply { line, .. }) = error;
            assert_eq!(line, damaged + 1);
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert!(Series::<Pebbles>::new(Vec::new(), names(2), 0).is_err());
        assert!(Series::new(vec![Arc::new(pebbles(3))], names(2), 0).is_err());
        assert!(Series::new(vec![Arc::new(pebbles(2))], vec!["a\nb".to_owned(), "c".to_owned()], 0).is_err());
    }
}
