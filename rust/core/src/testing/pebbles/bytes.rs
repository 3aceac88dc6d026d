//! The parts of a state as bytes. Every index that is read is checked against its range.

use arrayvec::ArrayVec;

use crate::bytes::{ByteReader, ByteSink};
use crate::error::StateError;
use crate::names::Named;
use crate::player::Player;

use super::components::Counts;
use super::game::Game;
use super::state::{Column, FULL, Phase, Public};

impl Game {
    pub(super) fn write_public(&self, public: &Public, out: &mut impl ByteSink) {
        out.u32(public.ply);
        out.u8(public.phase.index() as u8);
        out.u8(public.player.0);
        for column in &public.columns {
            out.u8(column.pebbles.len() as u8);
            out.bytes(&column.pebbles);
            out.u8(column.closed.into());
        }
        self.write_counts(&public.gone, out);
        public.scores.iter().for_each(|&points| out.i32(points));
    }

    pub(super) fn read_public(&self, bytes: &mut ByteReader<'_>) -> Result<Public, StateError> {
        let ply = bytes.u32("ply")?;
        let phase = Phase::ALL[usize::from(bytes.below("phase", Phase::ALL.len())?)];
        let player = Player(bytes.below("player", self.players)?);
        let columns = (0..self.settings.columns).map(|_| self.read_column(bytes)).collect::<Result<_, StateError>>()?;
        let gone = self.read_counts(bytes)?;
        let scores = (0..self.players).map(|_| bytes.i32("score")).collect::<Result<_, StateError>>()?;
        Ok(Public { ply, phase, player, columns, gone, scores })
    }

    fn read_column(&self, bytes: &mut ByteReader<'_>) -> Result<Column, StateError> {
        let mut pebbles = ArrayVec::new();
        for _ in 0..bytes.below("pebbles", FULL + 1)? {
            pebbles.push(bytes.below("pebble", self.components.kinds.len())?);
        }
        Ok(Column { pebbles, closed: bytes.flag("closed")? })
    }

    pub(super) fn write_counts(&self, counts: &Counts, out: &mut impl ByteSink) {
        out.bytes(&counts[..self.components.kinds.len()]);
    }

    pub(super) fn read_counts(&self, bytes: &mut ByteReader<'_>) -> Result<Counts, StateError> {
        let mut counts = Counts::default();
        for (count, kind) in counts.iter_mut().zip(&self.components.kinds) {
            *count = bytes.below("count", usize::from(kind.count) + 1)?;
        }
        Ok(counts)
    }
}
