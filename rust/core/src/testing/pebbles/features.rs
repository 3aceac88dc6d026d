//! The observation as numbers, block by block.

use crate::contract::Features;
use crate::encoding::{FeatureSink, Layout};
use crate::names::Named;

use super::game::Game;
use super::observation::{Hand, Observation};
use super::state::FULL;

impl Features for Game {
    fn observation_layout(&self) -> &Layout {
        &self.blocks.layout
    }

    fn features(&self, observation: &Observation, sink: &mut impl FeatureSink) {
        let (blocks, public) = (&self.blocks, &observation.public);
        let kinds = self.components.kinds.len();
        for (index, column) in public.columns.iter().enumerate() {
            for (height, &kind) in column.pebbles.iter().enumerate() {
                sink.set(blocks.columns + (index * FULL + height) * kinds + usize::from(kind), 1);
            }
            sink.flag(blocks.closed + index, column.closed);
        }
        for (place, seat) in observation.viewer.clockwise(self.players).enumerate() {
            let hand = &observation.hands[seat.index()];
            sink.set(blocks.sizes + place, hand.size() as u16);
            sink.set(blocks.scores + place, public.scores[seat.index()] as u16);
            sink.flag(blocks.player + place, seat == public.player);
            if let Hand::Open(counts) = hand {
                (0..kinds).for_each(|kind| sink.set(blocks.hand + kind, counts[kind].into()));
            }
        }
        sink.set(blocks.phase + public.phase.index(), 1);
        (0..kinds).for_each(|kind| sink.set(blocks.gone + kind, public.gone[kind].into()));
        sink.set(blocks.ply, public.ply as u16);
    }
}
