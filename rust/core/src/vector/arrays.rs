//! The arrays that a batch is shown in.
//!
//! Elements are atomics: whoever lends the memory may look at it from other threads while rows are written (Python does), and the
//! core has no unsafe code. Stores are relaxed, which on every processor is a plain store.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI8, AtomicI32, AtomicU8, AtomicU32, AtomicU64};

use crate::encoding::{FeatureSink, Layout};

/// Observations, a row of `observation_size` values for each game.
#[derive(Clone, Copy, Debug)]
pub enum Observations<'a> {
    /// float32 as bits: raw / scale.
    Float32(&'a [AtomicU32]),
    /// uint8: raw. Only for layouts that [`Layout::check_u8`] accepts.
    Uint8(&'a [AtomicU8]),
}

/// Where a batch of N games is shown. All arrays are in C order.
#[derive(Clone, Copy, Debug)]
pub struct Arrays<'a> {
    /// `[N, observation_size]`: what the seat to move perceives; zeros in a finished row.
    pub observations: Option<Observations<'a>>,
    /// `[N, observation_size]`: of a game that ended in this step, what the seat that the caller moved last perceives; zeros
    /// elsewhere.
    pub final_observations: Option<Observations<'a>>,
    /// `[N, num_actions]`: 1 where an action is legal.
    pub action_mask: Option<&'a [AtomicU8]>,
    /// `[N]`: the seat to move, -1 in a finished row.
    pub players: &'a [AtomicI8],
    /// `[N]`: of a game that ended in this step, the seat that the caller moved last; -1 elsewhere.
    pub final_players: &'a [AtomicI8],
    /// `[N]`: decisions taken in the game that is shown.
    pub ply: &'a [AtomicU32],
    /// `[N, num_players]`, float32 as bits: returns in the step that ends a game, else 0.
    pub rewards: &'a [AtomicU32],
    /// `[N, num_players]`: points, in the step that ends a game the final ones.
    pub scores: &'a [AtomicI32],
    /// `[N]`: 1 if the game ended in this step, or earlier and the row waits.
    pub terminated: &'a [AtomicU8],
    /// `[N]`: the same for games that were cut off.
    pub truncated: &'a [AtomicU8],
    /// `[N]`: the seed of the game that is shown.
    pub seeds: &'a [AtomicU64],
    /// `[N]`: its number in the row, from 0.
    pub episodes: &'a [AtomicU64],
}

/// A row of float32 that remembers what it set.
struct Float32Row<'a> {
    out: &'a [AtomicU32],
    layout: &'a Layout,
    set: &'a mut Vec<u32>,
}

impl FeatureSink for Float32Row<'_> {
    #[inline]
    fn set(&mut self, index: usize, raw: u16) {
        self.out[index].store(self.layout.to_f32(index, raw).to_bits(), Relaxed);
        self.set.push(index as u32);
    }
}

/// A row of uint8 that remembers what it set.
struct Uint8Row<'a> {
    out: &'a [AtomicU8],
    set: &'a mut Vec<u32>,
}

impl FeatureSink for Uint8Row<'_> {
    #[inline]
    fn set(&mut self, index: usize, raw: u16) {
        debug_assert!(raw <= u8::MAX.into(), "feature {index}: {raw}");
        self.out[index].store(raw as u8, Relaxed);
        self.set.push(index as u32);
    }
}

/// What writes features; a generic parameter of a call, since sinks differ in type.
pub(super) trait WriteFeatures {
    fn write(&self, sink: &mut impl FeatureSink);
}

impl Observations<'_> {
    /// Clears in row `row` what `set` lists, the features written there last, and writes new ones if there are any.
    pub(super) fn write(self, row: usize, layout: &Layout, set: &mut Vec<u32>, features: Option<&impl WriteFeatures>) {
        let range = row * layout.size()..(row + 1) * layout.size();
        match self {
            Self::Float32(all) => {
                let out = &all[range];
                set.drain(..).for_each(|index| out[index as usize].store(0, Relaxed));
                if let Some(features) = features {
                    features.write(&mut Float32Row { out, layout, set });
                }
            }
            Self::Uint8(all) => {
                let out = &all[range];
                set.drain(..).for_each(|index| out[index as usize].store(0, Relaxed));
                if let Some(features) = features {
                    features.write(&mut Uint8Row { out, set });
                }
            }
        }
    }

    /// Sets a row to zeros, whatever it holds.
    pub(super) fn clear(self, row: usize, layout: &Layout) {
        let range = row * layout.size()..(row + 1) * layout.size();
        match self {
            Self::Float32(all) => all[range].iter().for_each(|value| value.store(0, Relaxed)),
            Self::Uint8(all) => all[range].iter().for_each(|value| value.store(0, Relaxed)),
        }
    }
}

/// Where one row of numbers and flags is written.
impl Arrays<'_> {
    pub(super) fn set_flags(&self, row: usize, terminated: bool, truncated: bool) {
        self.terminated[row].store(terminated.into(), Relaxed);
        self.truncated[row].store(truncated.into(), Relaxed);
    }

    pub(super) fn set_rewards(&self, row: usize, rewards: &[f32]) {
        for (seat, reward) in rewards.iter().enumerate() {
            self.rewards[row * rewards.len() + seat].store(reward.to_bits(), Relaxed);
        }
    }

    pub(super) fn set_scores(&self, row: usize, scores: &[i32]) {
        for (seat, &score) in scores.iter().enumerate() {
            self.scores[row * scores.len() + seat].store(score, Relaxed);
        }
    }
}
