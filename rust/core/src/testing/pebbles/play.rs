//! How the toy game is played.

use arrayvec::ArrayVec;

use super::state::{Column, Counts, FULL, HAND, Hand, Observation, Phase, Public, State, size};
use super::{Action, Fault, Outcome, Pebbles};
use crate::contract::Rules;
use crate::error::Refusal;
use crate::event::{Event, EventSink};
use crate::player::{Player, Turn};

impl Pebbles {
    pub(super) fn all_pebbles(&self) -> Counts {
        let mut counts = Counts::default();
        self.kinds.iter().zip(&mut counts).for_each(|(kind, count)| *count = kind.count);
        counts
    }

    pub(super) fn first_state(&self) -> State {
        State {
            public: Public {
                ply: 0,
                phase: Phase::Deal,
                player: Player(0),
                columns: (0..self.columns).map(|_| Column::default()).collect(),
                gone: Counts::default(),
                scores: (0..self.players).map(|_| 0).collect(),
            },
            pile: self.all_pebbles(),
            hands: (0..self.players).map(|_| Counts::default()).collect(),
        }
    }

    pub(super) fn list_actions(&self, state: &State, out: &mut Vec<Action>) {
        let public = &state.public;
        match public.phase {
            Phase::Drop => {
                let hand = &state.hands[public.player.index()];
                for kind in (0..self.kinds.len()).filter(|&kind| hand[kind] > 0) {
                    let open = public.columns.iter().enumerate().filter(|(_, column)| !column.closed);
                    out.extend(open.map(|(column, _)| Action::Drop(kind as u8, column as u8)));
                }
            }
            Phase::Claim => {
                out.push(Action::Claim);
                if !self.forced {
                    out.push(Action::Leave);
                }
            }
            Phase::Deal | Phase::Draw | Phase::End => {}
        }
    }

    pub(super) fn check(&self, state: &State, action: Action) -> Result<(), Refusal> {
        let public = &state.public;
        match (public.phase, action) {
            (Phase::Drop, Action::Drop(kind, column)) => {
                if state.hands[public.player.index()].get(usize::from(kind)).is_none_or(|&count| count == 0) {
                    return Err(Refusal::new("PB-2", "no such pebble in the hand"));
                }
                match public.columns.get(usize::from(column)) {
                    Some(column) if !column.closed => Ok(()),
                    _ => Err(Refusal::new("PB-3", "the column is closed")),
                }
            }
            (Phase::Claim, Action::Leave) if self.forced => Err(Refusal::new("PB-4", "a full column must be claimed")),
            (Phase::Claim, Action::Claim | Action::Leave) => Ok(()),
            (phase, _) => Err(Refusal::new("PB-5", format!("not in the phase {}", phase.word()))),
        }
    }

    pub(super) fn act<E: EventSink>(&self, state: &mut State, action: Action, events: &mut E) {
        debug_assert!(self.check_action(state, action).is_ok());
        let public = &mut state.public;
        let player = public.player;
        public.ply += 1;
        match action {
            Action::Drop(kind, column) => {
                state.hands[player.index()][usize::from(kind)] -= 1;
                let pebbles = &mut public.columns[usize::from(column)].pebbles;
                pebbles.push(kind);
                events.emit(|| Event::new("drop", "PB-2", format!("seat {player} drops on column {column}")));
                if pebbles.len() == FULL {
                    public.phase = Phase::Claim;
                    return;
                }
            }
            Action::Claim | Action::Leave => {
                let Some(full) = public.full_column() else { unreachable!("a claim needs a full column") };
                let column = &mut public.columns[full];
                if action == Action::Claim {
                    for kind in column.pebbles.take() {
                        public.gone[usize::from(kind)] += 1;
                        public.scores[player.index()] += self.kinds[usize::from(kind)].value;
                    }
                    let points = public.scores[player.index()];
                    events.emit(|| Event::new("claim", "PB-4", format!("seat {player} has {points}")).with("points", points));
                } else {
                    column.closed = true;
                    events.emit(|| Event::new("leave", "PB-4", format!("column {full} is closed")));
                }
            }
        }
        public.phase = if size(&state.pile) > 0 { Phase::Draw } else { Phase::Drop };
        if public.phase == Phase::Drop {
            self.pass_on(state);
        }
        self.end_if_over(state);
    }

    pub(super) fn deal<E: EventSink>(&self, state: &mut State, outcome: Outcome, events: &mut E) {
        let kind = usize::from(outcome.0);
        debug_assert!(state.pile[kind] > 0 && state.public.turn() == Turn::Chance);
        let player = state.public.player;
        state.pile[kind] -= 1;
        state.hands[player.index()][kind] += 1;
        events.emit(|| {
            let event = Event::new("draw", "PB-6", format!("seat {player} draws {}", self.kinds[kind].name));
            if self.has(Fault::EventTells) { event } else { event.private(player) }
        });
        if state.public.phase == Phase::Draw {
            state.public.phase = Phase::Drop;
            self.pass_on(state);
        } else if size(&state.hands[player.index()]) == HAND {
            state.public.player = player.next(self.players);
            if state.public.player == Player(0) {
                state.public.phase = Phase::Drop;
            }
        }
    }

    fn pass_on(&self, state: &mut State) {
        let next = state.public.player.next(self.players);
        let holder = next.clockwise(self.players).find(|seat| size(&state.hands[seat.index()]) > 0);
        state.public.player = holder.unwrap_or(Player(0));
    }

    fn end_if_over(&self, state: &mut State) {
        let public = &mut state.public;
        if public.columns.iter().all(|column| column.closed) || state.hands.iter().all(|hand| size(hand) == 0) {
            public.phase = Phase::End;
            public.player = Player(0);
        }
    }

    /// Fills in the hidden part from the pool of what is not seen, in the order that `order` gives the pool.
    pub(super) fn fill(&self, observation: &Observation, order: impl FnOnce(&mut [u8])) -> Result<State, String> {
        let public = &observation.public;
        let mut unseen = self.all_pebbles();
        let mut take = |kind: usize, count: u8| match unseen[kind].checked_sub(count) {
            Some(left) => {
                unseen[kind] = left;
                Ok(())
            }
            None => Err(format!("more {} than there are", self.kinds[kind].name)),
        };
        for column in &public.columns {
            column.pebbles.iter().try_for_each(|&kind| take(usize::from(kind), 1))?;
        }
        (0..self.kinds.len()).try_for_each(|kind| take(kind, public.gone[kind]))?;
        for hand in &observation.hands {
            if let Hand::Open(counts) = hand {
                (0..self.kinds.len()).try_for_each(|kind| take(kind, counts[kind]))?;
            }
        }
        let mut pool: Vec<u8> = Vec::new();
        for (kind, &count) in unseen.iter().enumerate() {
            pool.extend(std::iter::repeat_n(kind as u8, usize::from(count)));
        }
        order(&mut pool);
        let mut state = State { public: public.clone(), pile: Counts::default(), hands: ArrayVec::new() };
        for hand in &observation.hands {
            let counts = match hand {
                Hand::Open(counts) => *counts,
                Hand::Hidden(size) => {
                    let mut counts = Counts::default();
                    for _ in 0..*size {
                        let kind = pool.pop().ok_or("more hidden pebbles than there are")?;
                        counts[usize::from(kind)] += 1;
                    }
                    counts
                }
            };
            state.hands.push(counts);
        }
        pool.into_iter().for_each(|kind| state.pile[usize::from(kind)] += 1);
        Ok(state)
    }

    pub(super) fn find_broken_invariant(&self, state: &State) -> Result<(), String> {
        let public = &state.public;
        let mut found = state.pile;
        let mut add = |counts: &Counts| found.iter_mut().zip(counts).for_each(|(sum, count)| *sum = sum.saturating_add(*count));
        state.hands.iter().for_each(&mut add);
        add(&public.gone);
        for column in &public.columns {
            column.pebbles.iter().for_each(|&kind| found[usize::from(kind)] = found[usize::from(kind)].saturating_add(1));
        }
        let ensure = |holds: bool, text: &str| if holds { Ok(()) } else { Err(text.to_owned()) };
        ensure(found == self.all_pebbles(), "PB-7: every pebble is somewhere")?;
        let full = public.columns.iter().filter(|column| column.pebbles.len() == FULL && !column.closed).count();
        ensure(full == usize::from(public.phase == Phase::Claim), "PB-8: a full column is claimed or left at once")?;
        ensure(public.columns.iter().all(|column| !column.closed || column.pebbles.len() == FULL), "PB-9: closed is full")?;
        let worth: i64 = public.gone.iter().zip(&self.kinds).map(|(&count, kind)| i64::from(count) * i64::from(kind.value)).sum();
        let scores: i64 = public.scores.iter().map(|&points| i64::from(points)).sum();
        ensure(scores == worth, "PB-15: the scores are what the claimed pebbles are worth")?;
        let gone = size(&public.gone);
        let dropped = gone + public.columns.iter().map(|column| column.pebbles.len()).sum::<usize>();
        let settled = gone / FULL + public.columns.iter().filter(|column| column.closed).count();
        let plies = gone.is_multiple_of(FULL) && public.ply as usize == dropped + settled;
        ensure(plies, "PB-16: each ply drops a pebble, or claims or leaves a column of three")?;
        let sizes: Vec<usize> = state.hands.iter().map(size).collect();
        let is_over = public.columns.iter().all(|column| column.closed) || sizes.iter().all(|&size| size == 0);
        let drawer = public.player.index();
        let pile = size(&state.pile);
        let others_full = sizes.iter().enumerate().all(|(seat, &size)| seat == drawer || size == HAND);
        match public.phase {
            Phase::Deal => {
                let dealt = (0..self.players).all(|seat| match seat.cmp(&drawer) {
                    std::cmp::Ordering::Less => sizes[seat] == HAND,
                    std::cmp::Ordering::Equal => sizes[seat] < HAND,
                    std::cmp::Ordering::Greater => sizes[seat] == 0,
                });
                let is_fresh = public.ply == 0 && public.columns.iter().all(|column| column.pebbles.is_empty());
                ensure(dealt && is_fresh && size(&public.gone) == 0, "PB-10: the deal goes round once before the first drop")
            }
            Phase::Draw => ensure(pile > 0 && others_full && sizes[drawer] == HAND - 1 && !is_over, "PB-11: one draws"),
            Phase::Drop => {
                let full_hands = pile == 0 || sizes.iter().all(|&size| size == HAND);
                ensure(full_hands && sizes[drawer] > 0 && !is_over, "PB-12: who drops has a pebble")
            }
            Phase::Claim => ensure(pile == 0 || others_full && sizes[drawer] == HAND - 1, "PB-13: hands are full"),
            Phase::End => ensure(is_over, "PB-14: the end has a reason"),
        }
    }
}
