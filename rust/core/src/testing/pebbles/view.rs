//! The picture, and what a person types who looks at it.

use crate::canvas::{Canvas, Role};
use crate::contract::{DrawRequest, Drawing, Notation};
use crate::names::Named;
use crate::notation::normalize;

use super::actions::Action;
use super::components::Counts;
use super::game::Game;
use super::observation::{Hand, Observation};

impl Drawing for Game {
    fn draw(&self, observation: &Observation, request: &DrawRequest<'_, Action>, canvas: &mut Canvas) {
        let public = &observation.public;
        let head = format!("ply {}, {}, seat {}", public.ply, public.phase.name(), public.player);
        canvas.line(&head, Role::Heading);
        for (index, column) in public.columns.iter().enumerate() {
            let is_legal = request.legal.iter().any(|action| matches!(action, Action::Drop(_, at) if usize::from(*at) == index));
            let names = column.pebbles.iter().map(|&kind| self.components.kinds[usize::from(kind)].name.as_str());
            let pebbles = names.collect::<Vec<_>>().join(" ");
            let mark = if is_legal { "*" } else { " " };
            let closed = if column.closed { " closed" } else { "" };
            let text = format!("{mark}{} {pebbles}{closed}", (b'a' + index as u8) as char);
            canvas.line(&text, if is_legal { Role::Legal } else { Role::Plain });
        }
        for (seat, hand) in observation.hands.iter().enumerate() {
            let hand = match hand {
                Hand::Open(counts) => self.describe(counts),
                Hand::Hidden(size) => format!("{size} hidden"),
            };
            canvas.line(&format!("seat {seat}: {} points, {hand}", public.scores[seat]), Role::Seat(seat as u8));
        }
        canvas.line(&format!("gone: {}", self.describe(&public.gone)), Role::Dim);
        if let Some(last) = request.last {
            canvas.line(&format!("last: {}", self.format_action(last)), Role::Last);
        }
    }

    fn draw_components(&self, canvas: &mut Canvas) {
        for kind in &self.components.kinds {
            canvas.line(&format!("{} x {} worth {}", kind.count, kind.name, kind.value), Role::Plain);
        }
    }

    /// The column first: `b amber`.
    fn interpret(&self, _observation: &Observation, text: &str) -> Option<Action> {
        let normal = normalize(text);
        let [column, kind] = normal.split(' ').collect::<Vec<_>>()[..] else { return None };
        self.parse_action(&format!("drop {kind} {column}")).ok()
    }
}

impl Game {
    fn describe(&self, counts: &Counts) -> String {
        self.components.kinds.iter().zip(counts).map(|(kind, count)| format!("{count}{} ", kind.name)).collect()
    }
}
