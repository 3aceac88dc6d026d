//! The invariants PB-I1 to PB-I10, recomputed from scratch.

use std::cmp::Ordering;

use crate::contract::Audit;

use super::components::Counts;
use super::game::Game;
use super::state::{FULL, HAND, Phase, State, size};

impl Audit for Game {
    fn check_invariants(&self, state: &State) -> Result<(), String> {
        let public = &state.public;
        ensure(self.all_pebbles(state) == self.components.counts(), "PB-I1: every pebble is somewhere")?;
        let full = public.columns.iter().filter(|column| column.pebbles.len() == FULL && !column.closed).count();
        ensure(full == usize::from(public.phase == Phase::Claim), "PB-I2: a full column is claimed or left at once")?;
        ensure(public.columns.iter().all(|column| !column.closed || column.pebbles.len() == FULL), "PB-I3: closed is full")?;
        let kinds = public.gone.iter().zip(&self.components.kinds);
        let worth: i64 = kinds.map(|(&count, kind)| i64::from(count) * i64::from(kind.value)).sum();
        let is_negative = public.scores.iter().any(|&points| points < 0);
        let scores: i64 = public.scores.iter().map(|&points| i64::from(points)).sum();
        ensure(!is_negative && scores == worth, "PB-I4: the scores are what the claimed pebbles are worth")?;
        let gone = size(&public.gone);
        let dropped = gone + public.columns.iter().map(|column| column.pebbles.len()).sum::<usize>();
        let settled = gone / FULL + public.columns.iter().filter(|column| column.closed).count();
        let plies = gone.is_multiple_of(FULL) && public.ply as usize == dropped + settled;
        ensure(plies, "PB-I5: each ply drops a pebble, or claims or leaves a column of three")?;
        self.check_phase(state)
    }
}

impl Game {
    /// Every pebble that is somewhere, by kind.
    fn all_pebbles(&self, state: &State) -> Counts {
        let mut found = state.pile;
        let mut add = |counts: &Counts| found.iter_mut().zip(counts).for_each(|(sum, count)| *sum = sum.saturating_add(*count));
        state.hands.iter().for_each(&mut add);
        add(&state.public.gone);
        for &kind in state.public.columns.iter().flat_map(|column| &column.pebbles) {
            found[usize::from(kind)] = found[usize::from(kind)].saturating_add(1);
        }
        found
    }

    /// What the phase says about hands and pile.
    fn check_phase(&self, state: &State) -> Result<(), String> {
        let public = &state.public;
        let sizes: Vec<usize> = state.hands.iter().map(size).collect();
        let is_over = public.columns.iter().all(|column| column.closed) || state.all_hands_empty();
        let seat = public.player.index();
        let pile = size(&state.pile);
        let others_full = sizes.iter().enumerate().all(|(other, &size)| other == seat || size == HAND);
        match public.phase {
            Phase::Deal => {
                let dealt = (0..self.players).all(|other| match other.cmp(&seat) {
                    Ordering::Less => sizes[other] == HAND,
                    Ordering::Equal => sizes[other] < HAND,
                    Ordering::Greater => sizes[other] == 0,
                });
                let is_fresh = public.ply == 0 && public.columns.iter().all(|column| column.pebbles.is_empty());
                ensure(dealt && is_fresh && size(&public.gone) == 0, "PB-I6: the deal goes round once before the first drop")
            }
            Phase::Draw => ensure(pile > 0 && others_full && sizes[seat] == HAND - 1 && !is_over, "PB-I7: one draws"),
            Phase::Drop => {
                let full_hands = pile == 0 || sizes.iter().all(|&size| size == HAND);
                ensure(full_hands && sizes[seat] > 0 && !is_over, "PB-I8: who drops has a pebble")
            }
            Phase::Claim => ensure(pile == 0 || others_full && sizes[seat] == HAND - 1, "PB-I9: hands are full"),
            Phase::End => ensure(is_over && seat == 0, "PB-I10: the end has a reason"),
        }
    }
}

fn ensure(holds: bool, text: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(text.to_owned()) }
}
