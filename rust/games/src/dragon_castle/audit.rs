//! The invariants of section 12, recomputed from scratch: what readers guard, and everything kept incrementally.

use forbidden_games_core::contract::{Audit, Rules};
use forbidden_games_core::geometry::region::flood_fill;

use super::game::Game;
use super::state::State;

impl Audit for Game {
    fn check_invariants(&self, state: &State) -> Result<(), String> {
        self.validate(state).map_err(|broken| format!("{}: {}; expected {}", broken.key, broken.reason, broken.rule))?;
        let mut fresh = state.clone();
        self.refresh_castle(&mut fresh);
        self.refresh_realms(&mut fresh);
        if fresh != *state {
            return Err("what is kept about castle and realms differs from what its stacks say".to_owned());
        }
        for seat in 0..self.settings.players {
            let slow = self.sets_by_flood_fill(state, seat);
            let fast: Vec<u64> = self.split_sets(state, seat, self.sets(state, seat)).collect();
            if fast != slow {
                return Err(format!("DC-5.10: the sets of seat {seat} are {slow:x?}, the engine finds {fast:x?}"));
            }
        }
        let mut list = Vec::new();
        self.legal_actions(state, &mut list);
        if list.len() != self.num_legal(state) || !list.is_sorted_by(|a, b| a < b) {
            return Err(format!("DC-12.7: the legal actions {list:?} are not ascending"));
        }
        Ok(())
    }
}

impl Game {
    /// The sets of a realm (DC-5.10), from the stacks alone.
    fn sets_by_flood_fill(&self, state: &State, seat: usize) -> Vec<u64> {
        let realm = self.realm(state, seat);
        let kind = |square: usize| {
            self.settings.components.symbols.get(usize::from(realm[square].top).wrapping_sub(1)).map(|symbol| symbol.kind)
        };
        let mut visited = vec![false; realm.len()];
        let mut sets = Vec::new();
        for start in 0..realm.len() {
            if visited[start] || kind(start).is_none() {
                continue;
            }
            let group = flood_fill(start, &mut visited, |square, out| {
                let same = |other: &usize| kind(*other) == kind(start);
                out.extend(self.tables.realm.grid.neighbours(square).into_iter().flatten().filter(same));
            });
            if group.len() >= 4 {
                sets.push(group.into_iter().fold(0, |mask, square| mask | 1 << square));
            }
        }
        sets
    }
}
