//! How good a position is, in points: what would score now, and what is likely to come of it. Documented in the README.

use forbidden_games_core::player::Player;

use super::Rules;
use super::realm::squares;
use super::state::{Phase, State};

/// How likely a group of so many tiles of one type becomes a set.
const CHANCE_OF_SET: [f64; 4] = [0.0, 0.12, 0.34, 0.62];

/// What a shrine in the pool is worth: the first two are easily built, later ones less.
fn pool_value(pool: f64) -> f64 {
    0.8 * pool.min(2.0) + 0.45 * (pool - 2.0).clamp(0.0, 4.0)
}

impl Rules {
    /// Own prospects less those of the best other seat.
    pub(super) fn evaluate(&self, state: &State, player: Player) -> f64 {
        if state.phase == Phase::Terminal {
            let scores = self.scores(state);
            let best = (0..self.players).filter(|&seat| seat != player.index()).map(|seat| scores[seat]).max().unwrap_or(0);
            return f64::from(scores[player.index()] - best);
        }
        let types = self.tiles_to_come(state);
        let best = (0..self.players)
            .filter(|&seat| seat != player.index())
            .map(|seat| self.prospects(state, seat, &types))
            .fold(f64::NEG_INFINITY, f64::max);
        self.prospects(state, player.index(), &types) - best
    }

    /// Tiles of each type still in the castle, seen or not.
    fn tiles_to_come(&self, state: &State) -> [u32; 8] {
        let mut types = [0; 8];
        for (symbol, &count) in self.components.symbols.iter().zip(&*state.unrevealed) {
            types[usize::from(symbol.kind)] += u32::from(count);
        }
        for symbol in state.castle[..self.castle.len()].iter().filter_map(|stack| stack.symbol()) {
            types[usize::from(self.components.symbols[usize::from(symbol)].kind)] += 1;
        }
        types
    }

    fn prospects(&self, state: &State, seat: usize, types_to_come: &[u32; 8]) -> f64 {
        let masks = state.masks[seat];
        let realm = self.realm(state, seat);
        let open = masks.open(self.realm.all);
        let tiles_left: u32 = types_to_come.iter().sum();
        // Turns this seat still has with tiles to take, about one and a half tiles a turn; prospects fade over the last few.
        let turns_left = f64::from(tiles_left) / (1.5 * self.players as f64);
        let time = (turns_left / 4.0).min(1.0);
        let pool = f64::from(state.pools[seat]);

        let mut value = f64::from(self.final_score(state, seat));
        value += pool_value(pool) * (0.25 + 0.75 * time);
        // Stacks to build on: a face-down square is one floor gained for the next set there.
        let floors: f64 = squares(masks.bare()).map(|square| f64::from(realm[square].height.min(2))).sum();
        value += 0.18 * floors.min(14.0) * time;
        // Room for what is still to be placed.
        value -= 0.5 * f64::from(6_u32.saturating_sub(open.count_ones())) * time;

        let in_turn = seat == state.seat();
        let mut hand = [0_usize; 8];
        if in_turn {
            let lifted = state.turn.lifted.map_or(0, |lifted| lifted.top);
            let in_hand = state.turn.hand.as_slice().iter().map(|&symbol| symbol + 1);
            for top in in_hand.chain((lifted != 0).then_some(lifted)) {
                hand[usize::from(self.type_of_top[usize::from(top)])] += 1;
            }
            if let (1, Phase::Second | Phase::Reveal, Some(_)) = (state.turn.hand.len(), state.phase, state.turn.first) {
                let kind = usize::from(self.components.symbols[usize::from(state.turn.hand.as_slice()[0])].kind);
                // With a second tile like it in reach two are placed, else one and a shrine taken.
                if self.pairs(state).is_empty() {
                    value += 0.6 * time;
                } else {
                    hand[kind] += 1;
                }
            }
        }

        let type_masks = self.type_masks(state, seat);
        for (kind, tile_type) in self.components.types.iter().enumerate() {
            let shrines = f64::from(tile_type.shrines).min(pool.max(1.0));
            let to_come = types_to_come[kind] as usize;
            let prospect = |size: usize, floor: f64| {
                let vp = f64::from(self.components.set_vp(size.max(4) as u32) + i32::from(tile_type.vp));
                let whole = vp + 0.7 * shrines * floor;
                match size {
                    0..4 if size + to_come < 4 => 0.0,
                    0..4 => CHANCE_OF_SET[size] * whole * (0.2 + 0.8 * time),
                    _ => whole,
                }
            };
            // The best group for tiles in hand to join; without one they begin their own.
            let mut gain = prospect(hand[kind], 1.0);
            for group in self.groups(type_masks[kind]) {
                let size = group.count_ones() as usize;
                let height: f64 = squares(group).map(|square| f64::from(realm[square].height.min(3))).sum();
                let floor = height / size as f64;
                let around = self.realm.neighbours(group) & open;
                let now = if around == 0 && size < 4 { 0.0 } else { prospect(size, floor) };
                value += now;
                if around != 0 {
                    gain = gain.max(prospect(size + hand[kind], floor) - now);
                }
            }
            if hand[kind] > 0 {
                value += gain;
            }
        }
        value
    }
}
