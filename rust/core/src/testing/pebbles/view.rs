//! The toy game as numbers and as a picture.

use super::{Action, Counts, FULL, Fault, Hand, Observation, Pebbles, state};
use crate::canvas::{Canvas, Role};
use crate::contract::{DrawRequest, Features, Notation};
use crate::encoding::{FeatureSink, Layout};

impl Features for Pebbles {
    fn observation_layout(&self) -> &Layout {
        &self.layout
    }

    fn features(&self, observation: &Observation, sink: &mut impl FeatureSink) {
        let public = &observation.public;
        let kinds = self.kinds.len();
        let mut blocks = self.layout.blocks().iter().map(|block| block.offset);
        let mut next = || blocks.next().unwrap_or_default();
        let (columns, closed, hand, sizes) = (next(), next(), next(), next());
        for (index, column) in public.columns.iter().enumerate() {
            for (height, &kind) in column.pebbles.iter().enumerate() {
                sink.set(columns + (index * FULL + height) * kinds + usize::from(kind), 1);
            }
            sink.flag(closed + index, column.closed);
        }
        let (scores, phase, player, gone, ply) = (next(), next(), next(), next(), next());
        for (place, seat) in observation.viewer.clockwise(self.players).enumerate() {
            let size = match &observation.hands[seat.index()] {
                Hand::Open(counts) => state::size(counts),
                Hand::Hidden(size) => *size,
            };
            sink.set(sizes + place, size as u16);
            sink.set(scores + place, public.scores[seat.index()] as u16);
            sink.flag(player + place, seat == public.player);
        }
        if let Hand::Open(counts) = &observation.hands[observation.viewer.index()] {
            for (kind, &count) in counts[..kinds].iter().enumerate() {
                sink.set(hand + kind, count.into());
            }
        }
        sink.set(phase + public.phase as usize, 1);
        for (kind, &count) in public.gone[..kinds].iter().enumerate() {
            sink.set(gone + kind, count.into());
        }
        sink.set(ply, if self.has(Fault::TensorBroken) { 30_000 } else { public.ply as u16 });
    }
}

impl Pebbles {
    pub(super) fn draw_observation(&self, observation: &Observation, request: &DrawRequest<'_, Action>, canvas: &mut Canvas) {
        let public = &observation.public;
        let name = |kind: usize| self.kinds[kind].name.as_str();
        let list =
            |counts: &Counts| -> String { (0..self.kinds.len()).map(|kind| format!("{}{} ", counts[kind], name(kind))).collect() };
        let head = format!("ply {}, {}, seat {}", public.ply, public.phase.word(), public.player);
        canvas.line(&head, Role::Heading);
        for (index, column) in public.columns.iter().enumerate() {
            let is_legal = request.legal.iter().any(|action| matches!(action, Action::Drop(_, at) if usize::from(*at) == index));
            let pebbles: Vec<&str> = column.pebbles.iter().map(|&kind| name(kind.into())).collect();
            let mark = if is_legal { "*" } else { " " };
            let closed = if column.closed { " closed" } else { "" };
            let text = format!("{mark}{} {}{closed}", (b'a' + index as u8) as char, pebbles.join(" "));
            canvas.line(&text, if is_legal { Role::Legal } else { Role::Plain });
        }
        for (seat, hand) in observation.hands.iter().enumerate() {
            let hand = match hand {
                Hand::Open(counts) => list(counts),
                Hand::Hidden(size) => format!("{size} hidden"),
            };
            let points = if self.has(Fault::PictureForgets) { 0 } else { public.scores[seat] };
            canvas.line(&format!("seat {seat}: {points} points, {hand}"), Role::Seat(seat as u8));
        }
        canvas.line(&format!("gone: {}", list(&public.gone)), Role::Dim);
        if let Some(last) = request.last {
            canvas.line(&format!("last: {}", self.format_action(last)), Role::Last);
        }
    }
}
