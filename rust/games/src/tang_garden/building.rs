//! Building (TG-5.2 to 5.4, 5.3.1 to 5.3.6): laying a tile, what it brings, which regions it closes.

use arrayvec::ArrayVec;

use forbidden_games_core::event::{Event, EventSink};

use super::actions::Outcome;
use super::board::{NONE, bit, square_name};
use super::components::{LETTERS, PATH, SIZES};
use super::game::Game;
use super::skills::Skill;
use super::state::{BUILD, Phase, State};
use super::tables::Tables;

/// What laying a tile brings before paths (TG-5.3), counted before anything is paid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Rewards {
    /// Levels for edges, by track.
    pub(super) edges: [u8; 3],
    /// Levels for closed regions and inner areas, by track.
    pub(super) closed: [u8; 3],
    /// Coins of temples.
    pub(super) temple: u8,
    /// Facing pairs of path edges.
    pub(super) paths: u8,
}

impl Game {
    pub(super) fn build<E: EventSink>(&self, state: &mut State, stack: usize, rotation: u8, square: u8, events: &mut E) {
        let kind = state.up[stack];
        let code = kind * 4 + rotation;
        state.up[stack] = NONE;
        let walled = self.players == 1 && !self.fits_at(state, code, square);
        state.lay(&self.tables, square, code);
        events.emit(|| {
            let name = self.outcome_name(Outcome::Tile(kind));
            let event = Event::new("build", "TG-5.2", format!("tile {name} is laid on {}", square_name(square)));
            event.with("tile", name).with("square", square_name(square)).with("rotation", rotation)
        });
        if (state.tokens[0] | state.tokens[1]) & bit(square) != 0 {
            self.take_token(state, square, "TG-5.3.1", events);
        }
        if self.players == 1 {
            self.solo_built(state, stack, walled, events);
            return;
        }
        if state.phase == Phase::Second {
            self.use_lantern(state, BUILD, events);
        }
        state.turn.action = BUILD;
        state.turn.placed += 1;
        state.placed_in_round = true;
        state.is_final = state.is_final || state.trigger();
        let rewards = self.rewards(state, square, code);
        self.pay_tile(state, &rewards, events);
        self.settle(state, events);
    }

    /// Whether all edges of a tile code would be legal at an empty square.
    pub(super) fn fits_at(&self, state: &State, code: u8, square: u8) -> bool {
        let needs = self.tables.face(code).needs;
        (0..4).all(|side| state.fits[side][usize::from(needs[side])] >> square & 1 == 1)
    }

    /// What the tile just laid on `square` brings (TG-5.3.2 to 5.3.4, and p of 5.3.6).
    pub(super) fn rewards(&self, state: &State, square: u8, code: u8) -> Rewards {
        let face = self.tables.face(code);
        let mut rewards = Rewards::default();
        let mut visited = [0_u64; 4];
        if let Some(temple) = face.temple {
            rewards.temple = 1;
            for side in 0..4 {
                let other = state.facing_edge(&self.tables, square, side);
                rewards.temple += u8::from(other.is_some_and(|(_, edge)| edge == temple));
            }
        }
        if let Some(terrain) = face.inner {
            rewards.closed[usize::from(terrain)] += 1;
        }
        for side in 0..4 {
            let edge = face.edges[side];
            let Some((next, other)) = state.facing_edge(&self.tables, square, side) else { continue };
            if Tables::is_terrain(edge) {
                if edge == other {
                    rewards.edges[usize::from(edge)] += 1;
                }
                if self.tables.face(state.tile_at[usize::from(next)]).temple == Some(edge) {
                    rewards.temple += 1;
                }
            } else if edge == PATH && other == PATH {
                rewards.paths += 1;
            }
            // A region that this side closes off may be the new tile's or, behind a wall or temple edge, the neighbour's alone.
            if Tables::is_terrain(edge) && self.closes(state, square, side, &mut visited) {
                rewards.closed[usize::from(edge)] += 1;
            }
            if edge != other && Tables::is_terrain(other) && self.closes(state, next, side ^ 2, &mut visited) {
                rewards.closed[usize::from(other)] += 1;
            }
        }
        rewards
    }

    /// Whether the region of an edge is closed (TG-5.4) and was not met before. A search ends at the first open edge; `visited` keeps
    /// what it saw till then, so that a later search which meets that knows it is in the same open region.
    pub(super) fn closes(&self, state: &State, square: u8, side: usize, visited: &mut [u64; 4]) -> bool {
        if visited[side] & bit(square) != 0 {
            return false;
        }
        let terrain = self.tables.face(state.tile_at[usize::from(square)]).edges[side];
        let earlier = *visited;
        // Every edge is pushed once at most: 44 tiles of four and eight of the start tile.
        let mut pending = ArrayVec::<(u8, u8), 192>::new();
        let mut join = |pending: &mut ArrayVec<(u8, u8), 192>, at: u8, side: usize| {
            self.tables.for_each_joined(state.tile_at[usize::from(at)], at, side, |joined, direction| {
                if visited[direction] & bit(joined) == 0 {
                    visited[direction] |= bit(joined);
                    pending.push((joined, direction as u8));
                }
            });
        };
        join(&mut pending, square, side);
        while let Some((at, direction)) = pending.pop() {
            let direction = usize::from(direction);
            let Some((next, edge)) = state.facing_edge(&self.tables, at, direction) else { return false };
            if edge == terrain {
                if earlier[direction ^ 2] & bit(next) != 0 {
                    return false;
                }
                join(&mut pending, next, direction ^ 2);
            }
        }
        true
    }

    fn pay_tile<E: EventSink>(&self, state: &mut State, rewards: &Rewards, events: &mut E) {
        let skill = self.active_skill(state);
        for (track, (edges, closed)) in rewards.edges.into_iter().zip(rewards.closed).enumerate() {
            if closed > 0 {
                events.emit(|| {
                    let text = format!("{closed} {} of {} closed", if closed == 1 { "region" } else { "regions" }, LETTERS[track]);
                    Event::new("close", "TG-5.3.3", text).with("track", LETTERS[track].to_string()).with("closed", closed)
                });
            }
            if edges + closed > 0 {
                self.advance(state, track, edges + closed, events);
            }
        }
        if rewards.temple > 0 {
            self.pay(state, u32::from(rewards.temple), "temple", "TG-5.3.4", events);
        }
        if skill == Skill::Path && rewards.paths > 0 {
            self.pay(state, 1, "skill", "TG-5.3.5", events);
        }
        if skill == Skill::Close && rewards.closed != [0; 3] {
            self.pay(state, 1, "skill", "TG-5.3.5", events);
        }
        state.turn.paths = rewards.paths;
    }

    pub(super) fn pay_paths<E: EventSink>(&self, state: &mut State, events: &mut E) {
        let paths = std::mem::take(&mut state.turn.paths);
        if paths > 0 {
            self.pay(state, u32::from(paths), "paths", "TG-5.3.6", events);
        }
    }

    /// The seat takes a token, which `rule` gives it.
    pub(super) fn take_token<E: EventSink>(&self, state: &mut State, square: u8, rule: &'static str, events: &mut E) {
        let size = usize::from(state.tokens[1] & bit(square) != 0);
        state.tokens[size] &= !bit(square);
        state.turn.insert = size as u8;
        let seat = usize::from(state.turn.seat);
        state.seats[seat].tokens[size] += 1;
        if self.players > 1 {
            state.is_final = state.is_final || state.trigger();
        }
        events.emit(|| {
            let text = format!("seat {seat} takes the {} token of {}", SIZES[size], square_name(square));
            Event::new("token", rule, text).with("seat", seat).with("size", SIZES[size])
        });
    }
}
