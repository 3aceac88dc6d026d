//! A judgement in coins for the greedy search; what it counts is said in the folder's README.
//!
//! Every seat is judged alike and the others' average is taken off, so that what changes for all (a shorter stack, fewer tokens)
//! favours nobody. A turn that is not over counts by what it can be expected to bring, never by the best case: before cards are
//! drawn that is the mean of the best one over what the deck still holds.

use forbidden_games_core::contract::{Judgement, Rules};
use forbidden_games_core::player::ByPlayer;

use super::board::{CENTRAL, NONE, SIGHT, squares};
use super::components::{AREAS, BIRD, Bonus, CHARACTERS, DECORATIONS, FISH, LOTUS, MAX_CARDS, PEONY};
use super::game::Game;
use super::scoring::{pavilion_coins, tree_coins};
use super::skills::Skill;
use super::state::{BUILD, DECORATE, Figure, NEUTRAL, Phase, Seat, State, lanterns_of};

// Weights in coins. Those that say "at the start" shrink with the part of the game that is left. Chosen by games between versions
// of `greedy`, 120 for each change.

/// A level, at the start, beside the columns and thresholds it leads to.
const LEVEL: f64 = 0.5;
/// The part of a coin column two steps away or nearer that counts already, at the start.
const COLUMN: f64 = 0.3;
/// All three cubes just before a threshold, at the start: the next character is near.
const THRESHOLD: f64 = 8.0;
/// A threshold reached, at the start, so that the next one being far takes nothing away.
const REACHED: f64 = 1.5;
/// An influence earned or kept, at the start. A figure brings some 15 coins by the end; what it costs is the active character.
const INFLUENCE: f64 = 10.0;
/// A ready lantern that gives a second tile or card, at the start.
const EXTRA_LANTERN: f64 = 2.5;
/// One of the two others, at the start.
const LANTERN: f64 = 1.0;
/// A token held, up to a refresh, at the start.
const TOKEN: f64 = 0.4;
/// Half of a pair of flowers or animals whose other half has pieces left, at the start.
const HALF_PAIR: f64 = 2.0;
/// A pavilion card, at the start, beside what the majority pays now.
const PAVILION_CARD: f64 = 1.0;
/// How far the pavilion majority counts as open, at the start: so much of it is shared equally.
const UNSETTLED: f64 = 0.5;
/// The part of what the next different tree would add, at the start.
const TREE: f64 = 0.5;
/// The next main action.
const TURN: f64 = 3.0;
/// What a figure on the board will see beyond what it sees now, at the start.
const FIGURE: f64 = 1.0;
/// A landscape to be put on a side of the seat's choice.
const LANDSCAPE: f64 = 0.8;

/// A landscape token: the landscape it brings, and a part of a refresh.
fn token_worth(left: f64) -> f64 {
    LANDSCAPE + left * TOKEN
}

/// The chances that none, and that exactly one, of `hits` cards out of `total` is among `draws` drawn.
fn hits(total: u8, hits: u8, draws: u8) -> [f64; 2] {
    let misses = total - hits;
    let mut chances = [1.0, f64::from(draws) * f64::from(hits)];
    for drawn in 0..draws {
        let remaining = f64::from(total - drawn);
        chances[0] *= f64::from(misses.saturating_sub(drawn)) / remaining;
        // One of the draws is the hit, the others are misses.
        chances[1] *= if drawn == 0 { 1.0 } else { f64::from((misses + 1).saturating_sub(drawn)) } / remaining;
    }
    chances
}

impl Judgement for Game {
    type Cache = ();

    fn judge_all(&self, state: &State, out: &mut ByPlayer<f64>) {
        out.clear();
        if self.players == 1 {
            out.push(self.judge_solo(state));
            return;
        }
        let items = self.final_items(state);
        let mut worth: ByPlayer<f64> = items.iter().map(|items| f64::from(items.iter().sum::<i32>())).collect();
        if state.phase == Phase::End {
            // A won tie-break is worth something, less than a coin.
            let places = self.ranking(state);
            (0..self.players).for_each(|seat| worth[seat] -= 0.1 * f64::from(places[seat]));
        } else {
            self.add_outlook(state, &mut worth);
        }
        let all = worth.iter().sum::<f64>();
        out.extend(worth.iter().map(|own| own - (all - own) / (self.players as f64 - 1.0)));
    }

    fn search_defaults(_players: usize) -> &'static str {
        "rollout=greedy,cutoff=4,scale=15"
    }

    fn levels() -> [&'static str; 4] {
        ["flat:simulations=20", "greedy", "mcts:simulations=200", "mcts:simulations=2000"]
    }
}

impl Game {
    /// Adds what is still to come.
    fn add_outlook(&self, state: &State, worth: &mut ByPlayer<f64>) {
        let left = self.time_left(state);
        let mover = usize::from(state.turn.seat);
        let average = 18.0 / self.players as f64;
        let cards: ByPlayer<u8> = state.seats[..self.players].iter().map(|seat| seat.cards[0]).collect();
        let pavilions = pavilion_coins(&cards);
        for index in 0..self.players {
            let seat = &state.seats[index];
            let left = if self.has_turn(state, index) { left } else { 0.0 };
            worth[index] += self.seat_outlook(state, seat, left);
            // Who has the most pavilions can still change.
            worth[index] += UNSETTLED * left * (average - f64::from(pavilions[index]));
        }
        for figure in &state.figures {
            if figure.square != NONE {
                worth[usize::from(figure.seat)] += FIGURE * left;
            }
        }
        if mover < self.players {
            worth[mover] += self.under_way(state, left);
            if let Some(next) = self.next_turn(state) {
                worth[next] += TURN;
            }
        }
    }

    /// Whether a seat will make another main action.
    fn has_turn(&self, state: &State, seat: usize) -> bool {
        let mover = usize::from(state.turn.seat);
        !state.is_final || mover >= self.players || seat > mover || (seat == mover && state.turn.action == NONE)
    }

    /// The seat that makes the next main action.
    fn next_turn(&self, state: &State) -> Option<usize> {
        let mover = usize::from(state.turn.seat);
        if state.turn.action == NONE {
            return Some(mover);
        }
        let next = (mover + 1) % self.players;
        (!state.is_final || next > mover).then_some(next)
    }

    fn seat_outlook(&self, state: &State, seat: &Seat, left: f64) -> f64 {
        let mut value = self.track_outlook(seat.levels, left) + self.card_outlook(state, &seat.cards, left);
        if seat.character_token {
            value += self.influence_worth(state, left);
        }
        for lantern in lanterns_of(self.players) {
            let each = if lantern == BUILD || lantern == DECORATE { EXTRA_LANTERN } else { LANTERN };
            value += left * each * f64::from(seat.lanterns >> lantern & 1);
        }
        value + seat.tokens.iter().map(|&held| left * TOKEN * f64::from(held.min(self.refresh_cost()))).sum::<f64>()
    }

    /// An influence to be made, later if no spot is free now.
    fn influence_worth(&self, state: &State, left: f64) -> f64 {
        if state.free_spots() == 0 { INFLUENCE * left * 0.7 } else { INFLUENCE * (0.4 + 0.6 * left) }
    }

    /// The next columns and thresholds.
    fn track_outlook(&self, levels: [u8; 3], left: f64) -> f64 {
        let thresholds = &self.tables.components.thresholds;
        let least = levels.into_iter().min().unwrap_or(0);
        let mut value: f64 = levels.iter().map(|&level| LEVEL * f64::from(level) + self.column_outlook(level)).sum();
        // The next character needs the lowest cube, so the sum of the cubes below the next threshold counts more.
        if let Some(&next) = thresholds.iter().find(|&&column| column > least) {
            let missing: u8 = levels.iter().map(|&level| next.saturating_sub(level)).sum();
            value += THRESHOLD * (1.0 - f64::from(missing) / (3.0 * f64::from(next)));
        }
        let reached = thresholds.iter().filter(|&&column| column <= least).count();
        left * (value + REACHED * reached as f64)
    }

    /// Half of a pair, and the start of further sets.
    fn card_outlook(&self, state: &State, cards: &[u8; DECORATIONS], left: f64) -> f64 {
        let half = |one: usize, other: usize| {
            let (fewer, more) = if cards[one] < cards[other] { (one, other) } else { (other, one) };
            f64::from((cards[more] - cards[fewer]).min(state.pieces[fewer]).min(2))
        };
        let kinds = cards[2..LOTUS].iter().filter(|&&held| held > 0).count();
        let trees = if kinds == 0 || kinds == 5 { 0.0 } else { (2 * kinds + 1) as f64 };
        left * (HALF_PAIR * (half(LOTUS, PEONY) + half(FISH, BIRD)) + PAVILION_CARD * f64::from(cards[0]) + TREE * trees)
    }

    /// What the turn under way still owes its seat.
    fn under_way(&self, state: &State, left: f64) -> f64 {
        let turn = &state.turn;
        let seat = &state.seats[usize::from(turn.seat)];
        let mut value = 0.0;
        if turn.earned || turn.new != NONE || state.phase == Phase::Blind {
            value += self.influence_worth(state, left);
        }
        // A landscape still to be placed can only help.
        if turn.insert != NONE {
            value += LANDSCAPE;
        }
        value
            + match state.phase {
                Phase::Path => {
                    let paths = f64::from(turn.paths);
                    if turn.paths < 2 { paths } else { paths.max(paths - 2.0 + self.best_level(state, seat, left)) }
                }
                Phase::Draw | Phase::Choose => self.decorating(state, left),
                Phase::Level => self.best_level(state, seat, left),
                Phase::Token if state.tokens_left() > 0 => token_worth(left),
                _ => 0.0,
            }
    }

    /// What one level on a track brings.
    fn level_gain(&self, state: &State, seat: &Seat, track: usize, left: f64) -> f64 {
        let level = seat.levels[track];
        if level >= 10 {
            return 0.0;
        }
        let mut levels = seat.levels;
        levels[track] += 1;
        let components = &self.tables.components;
        let mut gain = f64::from(components.track_coins[usize::from(levels[track])]);
        if self.active_skill(state) == Skill::Track(track as u8) && !state.turn.paid {
            gain += 1.0;
        }
        gain += self.track_outlook(levels, left) - self.track_outlook(seat.levels, left);
        let reached = |levels: [u8; 3]| self.tables.reached[usize::from(levels.into_iter().min().unwrap_or(0))];
        if reached(levels) > reached(seat.levels) && !seat.character_token {
            gain += self.influence_worth(state, left);
        }
        gain
    }

    fn best_level(&self, state: &State, seat: &Seat, left: f64) -> f64 {
        (0..3).map(|track| self.level_gain(state, seat, track, left)).fold(0.0, f64::max)
    }

    /// What decorating can be expected to bring: the best of the cards, and with the lantern a second one. Before the draw is over
    /// that is the mean over what can still be drawn; cards that fit nowhere bring nothing.
    fn decorating(&self, state: &State, left: f64) -> f64 {
        let turn = &state.turn;
        let seat = &state.seats[usize::from(turn.seat)];
        let has_lantern = seat.lanterns >> DECORATE & 1 == 1 && !turn.lantern;
        let lantern = if has_lantern { left * EXTRA_LANTERN } else { f64::INFINITY };
        let again = |second: f64| (second - lantern).max(0.0);
        let gains = self.card_gains(state, seat, left);
        // What is in the hand already.
        let (mut best, mut second) = (0.0_f64, 0.0_f64);
        for &card in turn.drawn_cards() {
            let gain = gains[usize::from(card)];
            second = second.max(best.min(gain));
            best = best.max(gain);
        }
        if state.phase != Phase::Draw {
            return best + again(second);
        }
        // The discards become the deck when it runs out (TG-5.8).
        let is_short = state.deck_total < turn.draws;
        let mut pool = [(0.0, 0); MAX_CARDS];
        let (mut kinds, mut total) = (0, 0_u8);
        for (card, &gain) in gains.iter().enumerate() {
            let copies = state.deck[card] + if is_short { state.discard[card] } else { 0 };
            total += copies;
            if copies > 0 && gain > second {
                pool[kinds] = (gain, copies);
                kinds += 1;
            }
        }
        pool[..kinds].sort_unstable_by(|one, other| other.0.total_cmp(&one.0));
        let (mut value, mut better) = (0.0, 0);
        let mut before = [1.0, 0.0];
        for &(gain, copies) in &pool[..kinds] {
            better += copies;
            let now = hits(total, better, turn.draws.min(total));
            // With this chance the best card drawn is of this kind, and with the other the second best is.
            value += (before[0] - now[0]) * gain.max(best);
            value += (before[0] + before[1] - now[0] - now[1]) * again(gain);
            before = now;
        }
        value + before[0] * best
    }

    /// What playing a card of each kind brings; 0 if it fits nowhere.
    fn card_gains(&self, state: &State, seat: &Seat, left: f64) -> [f64; MAX_CARDS] {
        let components = &self.tables.components;
        let sights = self.best_sights(state, usize::from(state.turn.seat));
        let pieces: [Option<f64>; DECORATIONS] =
            std::array::from_fn(|decoration| self.piece_gain(state, decoration, left, &sights));
        let levels: [f64; 3] = std::array::from_fn(|track| self.level_gain(state, seat, track, left));
        let token = if state.tokens_left() > 0 { token_worth(left) } else { 0.0 };
        let mut gains = [0.0; MAX_CARDS];
        for (gain, card) in gains.iter_mut().zip(&components.cards) {
            if let Some(piece) = pieces[usize::from(card.decoration)] {
                *gain = piece
                    + match card.bonus {
                        Bonus::None => 0.0,
                        Bonus::Coins(coins) => f64::from(coins),
                        Bonus::Track(track) => levels[usize::from(track)],
                        Bonus::Level => levels.into_iter().fold(0.0, f64::max),
                        Bonus::Token => token,
                    };
            }
        }
        gains
    }

    /// What playing a card of a decoration brings apart from its bonus; none if it fits nowhere (TG-5.8). `sights` are those of
    /// [`Game::best_sights`].
    fn piece_gain(&self, state: &State, decoration: usize, left: f64, sights: &[f64; AREAS.len()]) -> Option<f64> {
        let components = &self.tables.components;
        let area = usize::from(components.decoration_area[decoration]);
        if state.pieces[decoration] == 0 || state.free_areas[area] == 0 {
            return None;
        }
        let mover = usize::from(state.turn.seat);
        let seat = &state.seats[mover];
        let mut cards = seat.cards;
        cards[decoration] += 1;
        let coins = |cards: &[u8; DECORATIONS]| {
            let pairs = cards[LOTUS].min(cards[PEONY]) + cards[FISH].min(cards[BIRD]);
            f64::from(6 * i32::from(pairs) + tree_coins(&cards[2..LOTUS]) + 2 * i32::from(cards[1]))
        };
        let mut gain = coins(&cards) - coins(&seat.cards);
        gain += self.card_outlook(state, &cards, left) - self.card_outlook(state, &seat.cards, left);
        if decoration == 0 {
            let mut held: ByPlayer<u8> = state.seats[..self.players].iter().map(|seat| seat.cards[0]).collect();
            let lead = |held: &ByPlayer<u8>| {
                let coins = pavilion_coins(held);
                let own = f64::from(coins[mover]);
                own - (coins.iter().map(|&coins| f64::from(coins)).sum::<f64>() - own) / (self.players as f64 - 1.0)
            };
            let before = lead(&held);
            held[mover] += 1;
            gain += (1.0 - UNSETTLED * left) * (lead(&held) - before);
        }
        if let Skill::Place(decorations) = self.active_skill(state) {
            gain += 2.0 * f64::from(decorations >> decoration & 1);
        }
        Some(gain + sights[area])
    }

    /// For each kind of area, how many more of the own figures than of the others' see the best of its free squares.
    fn best_sights(&self, state: &State, mover: usize) -> [f64; AREAS.len()] {
        let others = 1.0 / (self.players as f64 - 1.0);
        let mut lines = [(0_u64, 0.0); CHARACTERS];
        let mut count = 0;
        for &Figure { square, seat, facing } in &state.figures {
            if square != NONE && seat != NEUTRAL {
                let worth = if usize::from(seat) == mover { 1.0 } else { -others };
                lines[count] = (SIGHT[usize::from(square)][usize::from(facing)], worth);
                count += 1;
            }
        }
        let seen = |square: u8| lines[..count].iter().filter(|(line, _)| line >> square & 1 == 1).map(|(_, worth)| worth).sum();
        state.free_areas.map(|places| squares(places).map(seen).fold(f64::NEG_INFINITY, f64::max))
    }

    /// Part of the coins of the next columns that a track may still enter.
    fn column_outlook(&self, level: u8) -> f64 {
        let coins = &self.tables.components.track_coins;
        (level + 1..=10).take(2).map(|column| COLUMN * f64::from(coins[usize::from(column)]) / f64::from(column - level)).sum()
    }

    /// 1 at the start, near 0 at the end: tokens on the board, tiles in the shortest stack and rounds in which nothing happened.
    fn time_left(&self, state: &State) -> f64 {
        let tokens = f64::from(state.tokens_left().saturating_sub(3)) / 13.0;
        let stack = (0..4).map(|stack| state.down_total[stack] + u8::from(state.up[stack] != NONE)).min().unwrap_or(0);
        let idle = f64::from(3 - state.idle_rounds.min(3)) / 3.0;
        tokens.min(f64::from(stack) / 15.0).min(idle).clamp(0.0, 1.0)
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
