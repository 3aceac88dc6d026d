//! Laying a tile and what follows (QN-5), draws (QN-4).

use arrayvec::ArrayVec;
use forbidden_games_core::contract::Rules;
use forbidden_games_core::event::{Event, EventSink};
use forbidden_games_core::player::{MAX_PLAYERS, Player};

use super::actions::{Action, Placement};
use super::bits::Bits;
use super::board::{Label, MAJOR, Province, SizedBoard, with_board};
use super::game::Game;
use super::legal::{changed_areas, owner_of_join};
use super::options::AbsorbMajor;
use super::state::{End, HAND, Phase, State};
use super::tables::Tables;
use super::tiles::{Colour, Kind, Square};

/// Lays a tile or passes.
pub(super) fn apply_action<E: EventSink>(game: &Game, state: &mut State, action: Action, events: &mut E) {
    debug_assert!(game.is_legal(state, action), "{:?}", game.check_action(state, action));
    state.public.ply += 1;
    match action {
        Action::Place(placement) => game.lay(state, placement, events),
        Action::Pass => game.pass(state, events),
    }
}

/// Gives a tile to the seat that draws.
pub(super) fn apply_outcome<E: EventSink>(game: &Game, state: &mut State, kind: Kind, events: &mut E) {
    let public = &mut state.public;
    let seat = public.seat;
    debug_assert!(public.drawer().is_some() && state.pile[kind.index()] > 0, "a chance node with this kind left");
    state.pile[kind.index()] -= 1;
    state.hands[usize::from(seat)].0[kind.index()] += 1;
    public.hand_sizes[usize::from(seat)] += 1;
    events.emit(|| {
        Event::new("draw", "QN-4.4", format!("seat {seat} draws {}", kind.name()))
            .with("seat", seat)
            .with("kind", kind.name())
            .private(Player(seat))
    });
    if public.hand_sizes[usize::from(seat)] == HAND {
        public.seat = (seat + 1) % game.players as u8;
        if public.phase == Phase::Draw || public.seat == 0 {
            public.phase = Phase::Place;
        }
    }
}

impl Game {
    /// QN-5.14
    fn pass<E: EventSink>(&self, state: &mut State, events: &mut E) {
        let (public, players) = (&mut state.public, self.players as u8);
        let seat = public.seat;
        public.passes += 1;
        events
            .emit(|| Event::new("pass", "QN-5.14", format!("seat {seat} can lay none of its tiles and passes")).with("seat", seat));
        if public.passes == players {
            self.finish(state, End::Passes, events);
        } else {
            public.seat = (seat + 1) % players;
        }
    }

    fn lay<E: EventSink>(&self, state: &mut State, placement: Placement, events: &mut E) {
        let public = &mut state.public;
        let seat = public.seat;
        let kind = placement.kind().index();
        public.passes = 0;
        public.laid[kind] += 1;
        public.hand_sizes[usize::from(seat)] -= 1;
        state.hands[usize::from(seat)].0[kind] -= 1;
        let mut laying =
            Laying { tables: &self.tables, absorb: self.settings.absorb_major, players: self.players, seat: seat.into(), events };
        let last = with_board!(&mut public.board, board => laying.lay(board, &mut public.supply, placement));
        if last {
            self.finish(state, End::Pagodas, events);
        } else if state.pile == [0; Kind::COUNT] && public.hand_sizes == [0; MAX_PLAYERS] {
            self.finish(state, End::Tiles, events);
        } else if !public.board.has_free_pair() {
            self.finish(state, End::Board, events);
        } else if state.pile != [0; Kind::COUNT] {
            public.phase = Phase::Draw;
        } else {
            public.seat = (seat + 1) % self.players as u8;
        }
    }

    fn finish<E: EventSink>(&self, state: &mut State, end: End, events: &mut E) {
        let supply = state.public.supply;
        state.public.phase = Phase::Over(end);
        state.public.seat = 0;
        events.emit(|| {
            let (rule, text) = match end {
                End::Pagodas => {
                    let winner = supply[..self.players].iter().position(|&left| left == 0).unwrap_or(0);
                    ("QN-5.12", format!("seat {winner} has placed its last pagoda: the game is over"))
                }
                End::Tiles => ("QN-5.13", "all tiles are laid: the game is over".to_owned()),
                End::Board => ("QN-5.13", "no free pair of squares is left: the game is over".to_owned()),
                End::Passes => ("QN-5.14", "every seat has passed in turn: the game is over".to_owned()),
            };
            Event::new("end", rule, text).with("end", end.name())
        });
    }
}

/// A changed area that is a province now.
struct Settled {
    colour: Colour,
    label: usize,
    /// The spaces that belonged to no province before.
    fresh: ArrayVec<usize, 8>,
    /// Pagodas before any is placed, or none if the province is the work of a join.
    before: Option<u32>,
}

/// One placement being settled.
struct Laying<'a, E> {
    tables: &'a Tables,
    absorb: AbsorbMajor,
    players: usize,
    seat: usize,
    events: &'a mut E,
}

impl<E: EventSink> Laying<'_, E> {
    /// Lays the tile and settles provinces (QN-5.8) and villages (QN-5.11); whether somebody placed its last pagoda (QN-5.12).
    #[inline]
    fn lay<L: Label, const W: usize, const S: usize, const P: usize, const V: usize>(
        &mut self,
        board: &mut SizedBoard<L, W, S, P, V>,
        supply: &mut [u8; MAX_PLAYERS],
        placement: Placement,
    ) -> bool {
        let stride = self.tables.stride;
        let mut settled = ArrayVec::<Settled, 2>::new();
        for (colour, squares) in changed_areas(self.tables, placement) {
            settled.extend(self.change(board, supply, colour, &squares));
        }
        for (square, colour) in placement.squares(self.tables).into_iter().zip([placement.first, placement.second]) {
            board.grass.remove(square.index());
            board.colours[colour.index()].insert(square.index());
        }
        board.refresh_free(stride);
        if !settled.is_empty() && self.place_pagodas(board, supply, &settled) {
            return true;
        }
        let mut touched = Bits::EMPTY;
        for province in &settled {
            let area = board.area(province.colour, province.fresh[0], stride);
            board.refresh_barred(province.colour, area, stride, self.absorb);
            self.touch_villages(province, board.provinces[province.label], area, &mut touched);
        }
        !touched.is_empty() && self.settle_villages(board, supply, touched)
    }

    /// Makes the changed area of `colour` on `squares` one province, with all returns (QN-5.5, QN-5.8 step 1); nothing if
    /// it is a single space.
    #[inline]
    fn change<L: Label, const W: usize, const S: usize, const P: usize, const V: usize>(
        &mut self,
        board: &mut SizedBoard<L, W, S, P, V>,
        supply: &mut [u8; MAX_PLAYERS],
        colour: Colour,
        squares: &[usize],
    ) -> Option<Settled> {
        let stride = self.tables.stride;
        let mut former = ArrayVec::<usize, 6>::new();
        let mut fresh = ArrayVec::<usize, 8>::new();
        fresh.extend(squares.iter().copied());
        for &square in squares {
            for other in SizedBoard::<L, W, S, P, V>::around(square, stride) {
                if board.colours[colour.index()].has(other) {
                    match board.label(other) {
                        Some(label) if !former.contains(&label) => former.push(label),
                        None if !fresh.contains(&other) => fresh.push(other),
                        _ => {}
                    }
                }
            }
        }
        let spaces = fresh.len() + former.iter().map(|&label| board.provinces[label].spaces()).sum::<usize>();
        let (label, before) = match former[..] {
            [] if spaces < 2 => return None,
            [] => {
                let label = usize::from(board.founded);
                board.founded += 1;
                board.provinces[label] = Province::new(self.seat, 0, spaces);
                self.report(colour, "found", self.seat, spaces, &fresh);
                (label, Some(0))
            }
            [label] => {
                let before = board.provinces[label];
                board.provinces[label] = Province::new(before.owner(), before.pagodas(), spaces);
                self.report(colour, "expand", before.owner(), spaces, &fresh);
                (label, Some(before.pagodas()))
            }
            [kept, ref absorbed @ ..] => {
                let owner = owner_of_join(former.iter().map(|&label| board.provinces[label]), self.absorb).unwrap_or(0);
                let own: u32 = self.return_pagodas(former.iter().map(|&label| board.provinces[label]), owner, supply);
                for label in &mut board.labels {
                    if label.index().is_some_and(|index| absorbed.contains(&index)) {
                        *label = L::new(kept);
                    }
                }
                for &label in absorbed {
                    board.provinces[label] = Province::default();
                }
                board.provinces[kept] = Province::new(owner, own, spaces);
                self.report(colour, "join", owner, spaces, &fresh);
                (kept, None)
            }
        };
        for &square in &fresh {
            board.labels[square] = L::new(label);
        }
        Some(Settled { colour, label, fresh, before })
    }

    /// Sends home what a join does not keep; the pagodas of the owner that stay.
    #[inline]
    fn return_pagodas(&mut self, former: impl Iterator<Item = Province>, owner: usize, supply: &mut [u8; MAX_PLAYERS]) -> u32 {
        let mut own = 0;
        let mut returned = [0_u32; MAX_PLAYERS];
        for province in former {
            if province.owner() == owner {
                own += province.pagodas();
            } else {
                returned[province.owner()] += province.pagodas();
            }
        }
        returned[owner] = own.saturating_sub(2);
        for (seat, &number) in returned.iter().enumerate().filter(|&(_, &number)| number > 0) {
            supply[seat] += number as u8;
            self.events.emit(|| {
                Event::new("return", "QN-5.8", format!("seat {seat} takes {number} of its pagodas back"))
                    .with("seat", seat)
                    .with("pagodas", number)
            });
        }
        own.min(2)
    }

    fn report(&mut self, colour: Colour, kind: &'static str, owner: usize, spaces: usize, fresh: &[usize]) {
        let tables = self.tables;
        self.events.emit(|| {
            let mut squares: Vec<Square> = fresh.iter().map(|&square| Square(square as u16)).collect();
            squares.sort_unstable();
            let names = tables.names(squares);
            let name = colour.name();
            let major = if spaces >= MAJOR { " (major)" } else { "" };
            let (rule, text) = match kind {
                "found" => ("QN-5.5", format!("seat {owner} founds a {name} province of {spaces}{major} on {names}")),
                "expand" => ("QN-5.5", format!("the {name} province of seat {owner} grows to {spaces}{major} with {names}")),
                _ => ("QN-5.6", format!("{name} provinces join at {names}: seat {owner} owns all {spaces} spaces")),
            };
            Event::new(kind, rule, text)
                .with("colour", colour.letter().to_string())
                .with("owner", owner)
                .with("spaces", spaces)
                .with("squares", names)
        });
    }

    /// Places the pagodas due on the changed areas (QN-5.8 step 2); whether somebody placed its last one.
    #[inline]
    fn place_pagodas<L: Label, const W: usize, const S: usize, const P: usize, const V: usize>(
        &mut self,
        board: &mut SizedBoard<L, W, S, P, V>,
        supply: &mut [u8; MAX_PLAYERS],
        settled: &[Settled],
    ) -> bool {
        for turn in 0..self.players {
            let owner = (self.seat + turn) % self.players;
            for area in settled {
                let province = board.provinces[area.label];
                let missing = province.due().saturating_sub(province.pagodas());
                if province.owner() != owner || missing == 0 {
                    continue;
                }
                let placed = missing.min(u32::from(supply[owner]));
                supply[owner] -= placed as u8;
                board.provinces[area.label] = Province::new(owner, province.pagodas() + placed, province.spaces());
                self.events.emit(|| {
                    let pagodas = if placed == 1 { "a pagoda" } else { "two pagodas" };
                    let colour = area.colour.name();
                    Event::new("pagoda", "QN-5.8", format!("seat {owner} places {pagodas} on the {colour} province"))
                        .with("seat", owner)
                        .with("pagodas", placed)
                });
                if supply[owner] == 0 {
                    return true;
                }
            }
        }
        false
    }

    /// Adds the villages whose support a changed area may have changed: those beside its new spaces, beside all of its spaces if
    /// its owner or pagodas are new.
    #[inline]
    fn touch_villages<const W: usize>(&self, settled: &Settled, now: Province, area: Bits<W>, touched: &mut Bits<W>) {
        let mut touch = |square: usize| {
            for &village in self.tables.villages_beside(square) {
                touched.insert(usize::from(village));
            }
        };
        if settled.before == Some(now.pagodas()) {
            settled.fresh.iter().for_each(|&square| touch(square));
        } else {
            area.iter().for_each(touch);
        }
    }

    /// Gives the villages of a set to their leaders (QN-5.9 to QN-5.11); whether somebody placed its last pagoda.
    #[inline]
    fn settle_villages<L: Label, const W: usize, const S: usize, const P: usize, const V: usize>(
        &mut self,
        board: &mut SizedBoard<L, W, S, P, V>,
        supply: &mut [u8; MAX_PLAYERS],
        touched: Bits<W>,
    ) -> bool {
        let mut changes = ArrayVec::<(u16, u8), V>::new();
        for village in touched.iter() {
            if let Some(leader) = board.leader(&self.tables.villages[village].neighbours)
                && usize::from(board.villages[village]) != leader + 1
            {
                changes.push((village as u16, leader as u8));
            }
        }
        if changes.is_empty() {
            return false;
        }
        for turn in 0..self.players {
            let leader = (self.seat + turn) % self.players;
            for village in changes.iter().filter(|change| usize::from(change.1) == leader).map(|change| usize::from(change.0)) {
                let owner = usize::from(board.villages[village]).checked_sub(1);
                if let Some(owner) = owner {
                    supply[owner] += 1;
                }
                board.villages[village] = leader as u8 + 1;
                supply[leader] -= 1;
                self.report_village(village, leader, owner);
                if supply[leader] == 0 {
                    return true;
                }
            }
        }
        false
    }
    fn report_village(&mut self, village: usize, leader: usize, owner: Option<usize>) {
        let tables = self.tables;
        self.events.emit(|| {
            let name = tables.names(tables.villages[village].squares.iter().copied());
            let (kind, text) = match owner {
                None => ("connect", format!("seat {leader} connects village {name}")),
                Some(owner) => ("conquer", format!("seat {leader} conquers village {name} from seat {owner}")),
            };
            Event::new(kind, "QN-5.11", text).with("seat", leader).with("from", owner).with("squares", name)
        });
    }
}

impl<L: Label, const W: usize, const S: usize, const P: usize, const V: usize> SizedBoard<L, W, S, P, V> {
    /// Support of each seat at a village with these neighbours (QN-5.9).
    #[inline]
    pub(super) fn support(&self, neighbours: &[Square]) -> [u32; MAX_PLAYERS] {
        let mut seen = [0_u64; 6];
        let mut support = [0; MAX_PLAYERS];
        for square in neighbours {
            if let Some(label) = self.label(square.index()) {
                let bit = 1 << (label % 64);
                if seen[label / 64] & bit == 0 {
                    seen[label / 64] |= bit;
                    support[self.provinces[label].owner()] += self.provinces[label].pagodas();
                }
            }
        }
        support
    }

    /// The leader of a village with these neighbours (QN-5.10).
    #[inline]
    pub(super) fn leader(&self, neighbours: &[Square]) -> Option<usize> {
        leader_of(&self.support(neighbours))
    }
}

/// The seat with more than every other.
#[inline]
pub(super) fn leader_of(support: &[u32; MAX_PLAYERS]) -> Option<usize> {
    let greatest = support.iter().copied().max().unwrap_or(0);
    let mut seats = (0..MAX_PLAYERS).filter(|&seat| support[seat] == greatest);
    let leader = seats.next();
    if greatest == 0 || seats.next().is_some() { None } else { leader }
}
