//! What an action or a draw brings about.

use crate::event::{Event, EventSink};
use crate::player::Player;

use super::game::Game;
use super::state::{HAND, Phase, State, size};

impl Game {
    /// PB-4
    pub(super) fn drop_pebble<E: EventSink>(&self, state: &mut State, kind: u8, column: u8, events: &mut E) {
        let player = state.public.player;
        state.hands[player.index()][usize::from(kind)] -= 1;
        state.public.columns[usize::from(column)].pebbles.push(kind);
        events.emit(|| Event::new("drop", "PB-4", format!("seat {player} drops on column {column}")));
    }

    /// PB-5
    pub(super) fn claim_column<E: EventSink>(&self, state: &mut State, events: &mut E) {
        let player = state.public.player;
        let Some(full) = state.public.full_column() else { unreachable!("a claim needs a full column") };
        let pebbles = state.public.columns[full].pebbles.take();
        let points = self.worth(&pebbles);
        state.public.scores[player.index()] += points;
        pebbles.iter().for_each(|&kind| state.public.gone[usize::from(kind)] += 1);
        events.emit(|| Event::new("claim", "PB-5", format!("seat {player} gains {points}")).with("points", points));
    }

    /// PB-5
    pub(super) fn leave_column<E: EventSink>(&self, state: &mut State, events: &mut E) {
        let Some(full) = state.public.full_column() else { unreachable!("a leave needs a full column") };
        state.public.columns[full].closed = true;
        events.emit(|| Event::new("leave", "PB-5", format!("column {full} is closed")));
    }

    /// The end of the game, a draw, or the next seat (PB-6, PB-7).
    pub(super) fn end_turn(&self, state: &mut State) {
        if state.all_hands_empty() || state.public.columns.iter().all(|column| column.closed) {
            state.public.phase = Phase::End;
            state.public.player = Player(0);
        } else if size(&state.pile) > 0 {
            state.public.phase = Phase::Draw;
        } else {
            self.pass_on(state);
        }
    }

    /// The next seat that has a pebble drops one (PB-6).
    pub(super) fn pass_on(&self, state: &mut State) {
        let next = state.public.player.next(self.players);
        let holder = next.clockwise(self.players).find(|seat| size(&state.hands[seat.index()]) > 0);
        state.public.player = holder.unwrap_or(Player(0));
        state.public.phase = Phase::Drop;
    }

    /// The deal goes on: to the next seat once a hand is full, to the first drop once all are (PB-3).
    pub(super) fn deal_on(&self, state: &mut State) {
        if size(&state.hands[state.public.player.index()]) == HAND {
            state.public.player = state.public.player.next(self.players);
            if state.public.player == Player(0) {
                state.public.phase = Phase::Drop;
            }
        }
    }
}
