//! How good a position is, in points: what would score now, and what is likely to come of it. Documented in the README.

use forbidden_games_core::contract::{Judgement, Rules};
use forbidden_games_core::player::ByPlayer;

use super::game::Game;
use super::squares::squares;
use super::state::{Phase, State};

/// What something is worth to a seat with many turns left: a part that fades over the last few turns, and one that fades from
/// earlier on. The weights were chosen by games of `greedy` with different weights against each other, each seed from both seats.
#[derive(Clone, Copy)]
struct Worth {
    late: f64,
    early: f64,
}

const fn worth(late: f64, early: f64) -> Worth {
    Worth { late, early }
}

/// Turns that a seat must still have for the two parts of a [`Worth`] to be whole.
const LATE_TURNS: f64 = 4.0;
const EARLY_TURNS: f64 = 16.0;

/// The first, second and third shrine of the pool, and each of the next four: the first ones are built with the next sets, the
/// others often not before the end, where the pool scores nothing (DC-7.3).
const POOL: [Worth; 4] = [worth(1.0, 0.8), worth(0.8, 0.6), worth(0.4, 0.4), worth(0.1, 0.2)];
const POOL_OF_USE: f64 = 7.0;

/// A group of one, two or three tiles of a type that can still grow.
const GROUP: [Worth; 3] = [worth(0.45, 0.3), worth(1.2, 0.6), worth(2.4, 0.9)];
/// Each tile of such a group, for each shrine beyond the first that a set of its type may bear.
const SECOND_SHRINE: Worth = worth(0.15, 0.1);
/// Each floor above the first that a tile of such a group lies on.
const FLOOR: Worth = worth(0.25, 0.17);
/// Two groups of a type that one tile would join: for each tile of the set beyond three.
const BRIDGE: Worth = worth(0.3, 0.3);

/// A face-down tile without a shrine on the first floor, and on a higher one: what is built on it lies higher.
const BARE_LOW: Worth = worth(0.1, 0.2);
const BARE_HIGH: Worth = worth(0.2, 0.3);

/// Each open square: of the first six, of the next six, of the others.
const OPEN: [Worth; 3] = [worth(0.25, 0.1), worth(0.05, 0.15), worth(0.0, 0.05)];

/// VP of a tile thrown away (DC-5.6).
const DISCARD: f64 = 1.0;

/// Half of what a turn brings: the seat to move has it ahead, and in the middle of a turn, where the tiles in hand are counted
/// already, behind. So positions before, in and after a turn can be compared, as a search does that stops after some decisions.
const HALF_TURN: Worth = worth(0.9, 0.0);

/// Of the turns for which the castle above its ground floor has tiles, the part that is played: second tiles of a pair come from it
/// too.
const TURNS_PER_TILE: f64 = 0.9;

/// Groups of one type that are looked at; more do not occur on a realm of the usual size.
const GROUPS: usize = 16;

/// A group that can still grow.
#[derive(Clone, Copy, Default)]
struct Group {
    size: u32,
    /// Mean floor of its tiles, from the third on as the third (DC-7.3).
    floor: f64,
    /// The open squares beside it.
    around: u64,
}

/// What is worth how much to one seat in one position.
struct Seat<'a> {
    game: &'a Game,
    state: &'a State,
    seat: usize,
    late: f64,
    early: f64,
    open: u64,
    pool: f64,
    /// Tiles of each type still in the castle.
    to_come: &'a [u32; 8],
}

impl Judgement for Game {
    type Cache = ();

    /// Of each seat: own prospects less those of the best other seat.
    fn judge_all(&self, state: &State, out: &mut ByPlayer<f64>) {
        let seats = 0..self.settings.players;
        out.clear();
        if state.phase == Phase::Terminal {
            let scores = self.scores(state);
            let best_other = |seat: usize| seats.clone().filter(|&other| other != seat).map(|other| scores[other]).max();
            out.extend(seats.clone().map(|seat| f64::from(scores[seat] - best_other(seat).unwrap_or(0))));
            return;
        }
        let (to_come, turns) = (self.tiles_to_come(state), self.turns_left(state));
        let prospects: ByPlayer<f64> =
            seats.clone().map(|seat| Seat::new(self, state, seat, &to_come, turns).prospects()).collect();
        let best_other = |seat: usize| {
            seats.clone().filter(|&other| other != seat).map(|other| prospects[other]).fold(f64::NEG_INFINITY, f64::max)
        };
        out.extend(seats.clone().map(|seat| prospects[seat] - best_other(seat)));
    }

    /// A turn has several decisions; with more seats than two a rollout must be long enough to see the others' turns.
    fn search_defaults(players: usize) -> &'static str {
        if players == 2 {
            "temperature=1,rollout=greedy,cutoff=8,scale=8"
        } else {
            "temperature=1,rollout=greedy,cutoff=12,scale=8"
        }
    }

    fn levels() -> [&'static str; 4] {
        ["flat:simulations=20", "greedy", "mcts:simulations=200", "mcts:simulations=2000"]
    }
}

impl Game {
    /// Tiles of each type still in the castle, seen or not.
    fn tiles_to_come(&self, state: &State) -> [u32; 8] {
        let mut types = [0; 8];
        for (symbol, &count) in self.settings.components.symbols.iter().zip(&*state.unrevealed) {
            types[usize::from(symbol.kind)] += u32::from(count);
        }
        for symbol in state.castle[..self.tables.castle.len()].iter().filter_map(|stack| stack.symbol()) {
            types[usize::from(self.settings.components.symbols[usize::from(symbol)].kind)] += 1;
        }
        types
    }

    /// Turns each seat still has. Every turn takes a tile of the top floor, and once only the ground floor is left the game is soon
    /// summoned to its end (DC-7.1): the ground floor brings hardly any turns, however many tiles lie there. In the last round
    /// nothing is promised any more: a token must not seem to cost the realm's prospects, or a seat that leads throws tiles away to
    /// the end of the castle instead of summoning.
    fn turns_left(&self, state: &State) -> f64 {
        let (taken, players) = (state.tokens_taken(), self.settings.players);
        if taken >= players {
            return 0.0;
        }
        let castle = &state.castle[..self.tables.castle.len()];
        let upper: u32 = castle.iter().map(|stack| u32::from(stack.height().saturating_sub(1))).sum();
        if upper > 0 {
            2.0 + TURNS_PER_TILE * f64::from(upper) / players as f64
        } else {
            1.0 + (players - taken) as f64 / players as f64
        }
    }

    fn type_of_symbol(&self, symbol: u16) -> usize {
        usize::from(self.settings.components.symbols[usize::from(symbol)].kind)
    }
}

impl<'a> Seat<'a> {
    /// `turns` are those that each seat still has ([`Game::turns_left`]).
    fn new(game: &'a Game, state: &'a State, seat: usize, to_come: &'a [u32; 8], turns: f64) -> Self {
        Self {
            game,
            state,
            seat,
            late: (turns / LATE_TURNS).min(1.0),
            early: (turns / EARLY_TURNS).min(1.0),
            open: state.masks[seat].open(game.tables.realm.all),
            pool: f64::from(state.pools[seat]),
            to_come,
        }
    }

    fn now(&self, worth: Worth) -> f64 {
        worth.late * self.late + worth.early * self.early
    }

    fn prospects(&self) -> f64 {
        let Self { game, state, seat, .. } = *self;
        let masks = state.masks[seat];
        let realm = game.realm(state, seat);
        let mut value = f64::from(game.final_score(state, seat)) + self.pool_value();
        let bare = masks.bare();
        let high = squares(bare).filter(|&square| realm[square].height > 1).count() as u32;
        value += self.now(BARE_LOW) * f64::from(bare.count_ones() - high) + self.now(BARE_HIGH) * f64::from(high);
        value += self.room(self.open.count_ones());
        if seat == state.seat() {
            value += if state.phase == Phase::Turn { self.now(HALF_TURN) } else { -self.now(HALF_TURN) };
        }

        let is_mid_turn = seat == state.seat() && state.phase != Phase::Turn;
        let mut in_hand = [[Group::default(); GROUPS]; 2];
        let hand = if is_mid_turn { self.kinds_in_hand() } else { [None; 2] };
        let type_masks = game.type_masks(state, seat);
        for (kind, &mask) in type_masks.iter().enumerate().take(game.settings.components.types.len()) {
            if mask == 0 {
                continue;
            }
            let (groups, found) = self.growing(kind, mask);
            let groups = &groups[..found];
            value += groups.iter().map(|group| self.group_value(kind, group.size, group.floor)).sum::<f64>();
            value += self.now(BRIDGE) * f64::from(bridge(groups));
            if is_mid_turn {
                for group in game.groups(game.tables.realm.large_groups(mask)) {
                    value += self.group_value(kind, group.count_ones(), self.floor(group));
                }
                for (place, _) in hand.iter().enumerate().filter(|(_, in_hand)| **in_hand == Some(kind)) {
                    in_hand[place][..found].copy_from_slice(groups);
                }
            }
        }
        value + self.hand_value(hand, &in_hand)
    }

    fn pool_value(&self) -> f64 {
        let shrines = |from: f64, to: f64| self.pool.clamp(from, to) - from;
        self.now(POOL[0]) * shrines(0.0, 1.0)
            + self.now(POOL[1]) * shrines(1.0, 2.0)
            + self.now(POOL[2]) * shrines(2.0, 3.0)
            + self.now(POOL[3]) * shrines(3.0, POOL_OF_USE)
    }

    /// What one more shrine would add to the pool.
    fn next_shrine(&self) -> f64 {
        match self.state.pools[self.seat] {
            pool @ 0..3 => self.now(POOL[usize::from(pool)]),
            pool if f64::from(pool) < POOL_OF_USE => self.now(POOL[3]),
            _ => 0.0,
        }
    }

    /// What so many open squares are worth.
    fn room(&self, open: u32) -> f64 {
        let [first, next, others] = OPEN;
        self.now(first) * f64::from(open.min(6))
            + self.now(next) * f64::from(open.saturating_sub(6).min(6))
            + self.now(others) * f64::from(open.saturating_sub(12))
    }

    /// Mean floor of some stacks.
    fn floor(&self, group: u64) -> f64 {
        let realm = self.game.realm(self.state, self.seat);
        let floors: u32 = squares(group).map(|square| u32::from(realm[square].height.min(3))).sum();
        f64::from(floors) / f64::from(group.count_ones())
    }

    /// The groups of a type that are no set, touch an open square and may find enough tiles in the castle.
    fn growing(&self, kind: usize, mask: u64) -> ([Group; GROUPS], usize) {
        let mut groups = [Group::default(); GROUPS];
        let mut found = 0;
        for group in self.game.groups(mask) {
            let size = group.count_ones();
            let around = self.game.tables.realm.neighbours(group) & self.open;
            if size < 4 && around != 0 && size + self.to_come[kind] >= 4 && found < GROUPS {
                groups[found] = Group { size, floor: self.floor(group), around };
                found += 1;
            }
        }
        (groups, found)
    }

    /// What a group of a type is worth: as a set if it is one, else by what may come of it.
    fn group_value(&self, kind: usize, size: u32, floor: f64) -> f64 {
        let tile_type = &self.game.settings.components.types[kind];
        let tiles = f64::from(size);
        if size < 4 {
            if size == 0 || size + self.to_come[kind] < 4 {
                return 0.0;
            }
            let second = f64::from(tile_type.shrines.saturating_sub(1));
            return self.now(GROUP[size as usize - 1])
                + tiles * (self.now(SECOND_SHRINE) * second + self.now(FLOOR) * (floor - 1.0));
        }
        let vp = f64::from(self.game.settings.components.set_vp(size) + i32::from(tile_type.vp));
        // Each shrine built leaves the pool and closes a square; the others are opened.
        let shrines = f64::from(tile_type.shrines).min(self.pool).min(tiles);
        let kept = match self.state.pools[self.seat] {
            0..3 => POOL[1],
            3 => POOL[2],
            _ => POOL[3],
        };
        let opened = self.now(BARE_LOW) + self.now(OPEN[1]);
        vp + shrines * (floor - self.now(kept)).max(0.0) + (tiles - shrines) * opened
    }

    /// Types of the tiles in hand or in the air, which are still to be put on the realm.
    fn kinds_in_hand(&self) -> [Option<usize>; 2] {
        let Self { game, state, .. } = *self;
        let mut kinds = [None; 2];
        for (place, &symbol) in state.turn.hand.as_slice().iter().enumerate() {
            kinds[place] = Some(game.type_of_symbol(symbol));
        }
        if let Some(lifted) = state.turn.lifted
            && lifted.top != 0
        {
            let place = usize::from(kinds[0].is_some());
            kinds[place] = Some(usize::from(game.tables.type_of_top[usize::from(lifted.top)]));
        }
        kinds
    }

    /// What the turn will still bring with these tiles, each beside its growing groups.
    fn hand_value(&self, hand: [Option<usize>; 2], groups: &[[Group; GROUPS]; 2]) -> f64 {
        let turn = &self.state.turn;
        match hand {
            [Some(kind), None] if turn.first.is_some() => self.choice_value(kind, &groups[0]),
            [Some(kind), Some(other)] if kind == other => self.place_value(kind, 2, &groups[0]),
            [first, second] => {
                let value = |kind: Option<usize>, place: usize| kind.map_or(0.0, |kind| self.place_value(kind, 1, &groups[place]));
                value(first, 0) + value(second, 1)
            }
        }
    }

    /// The best that can be made of a first pick (DC-5.6). Before its stack shows its next tile, a second one like it is expected as
    /// often as that tile is like it; the castle beyond is as it lies.
    fn choice_value(&self, kind: usize, groups: &[Group; GROUPS]) -> f64 {
        let Self { game, state, .. } = *self;
        let open = self.open.count_ones();
        let mut alone = DISCARD;
        if state.supply > 0 && open >= 1 {
            alone = alone.max(self.next_shrine() + self.place_value(kind, 1, groups));
        }
        if open < 2 {
            return alone;
        }
        let pair = alone.max(self.place_value(kind, 2, groups));
        if !game.pairs(state).is_empty() {
            return pair;
        }
        let stack = state.turn.first.map(|first| usize::from(first.square));
        if state.phase != Phase::Reveal || !stack.is_some_and(|square| game.pickable(state).has(square)) {
            return alone;
        }
        let symbol = usize::from(state.turn.hand.as_slice()[0]);
        let chance = f64::from(state.unrevealed[symbol]) / f64::from(state.unrevealed_total.max(1));
        alone + chance * (pair - alone)
    }

    /// What one or two tiles of a type add where they add most, as far as there is room for them: to one of the groups, or as a
    /// group of their own.
    fn place_value(&self, kind: usize, tiles: u32, groups: &[Group; GROUPS]) -> f64 {
        let open = self.open.count_ones();
        let tiles = tiles.min(open);
        let gain = groups
            .iter()
            .take_while(|group| group.size > 0)
            .map(|group| self.group_value(kind, group.size + tiles, group.floor) - self.group_value(kind, group.size, group.floor))
            .fold(self.group_value(kind, tiles, 1.0), f64::max);
        gain + self.room(open - tiles) - self.room(open)
    }
}

/// Tiles beyond three of the largest set that one tile between two of these groups would make.
fn bridge(groups: &[Group]) -> u32 {
    let mut largest = 3;
    for (place, group) in groups.iter().enumerate() {
        for other in groups[place + 1..].iter().filter(|other| other.around & group.around != 0) {
            largest = largest.max(group.size + other.size + 1);
        }
    }
    largest - 3
}
