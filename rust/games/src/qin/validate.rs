//! The invariants that readers of states check (QN-12).

use forbidden_games_core::contract::Setup;
use forbidden_games_core::geometry::region::flood_fill;
use forbidden_games_core::player::MAX_PLAYERS;

use super::apply::leader_of;
use super::board::MAJOR;
use super::game::Game;
use super::scoring::villages_owned;
use super::state::{End, HAND, Phase, Public, State};
use super::tiles::{Colour, Kind, Square};

impl Game {
    /// Every invariant of QN-12 on a whole state, but that no hand has a placement after the end by passes (QN-12, 8): a sampled
    /// world infers nothing from passes (QN-8.3), and it is a state like any other.
    pub(super) fn validate(&self, state: &State) -> Result<(), String> {
        for kind in Kind::all() {
            let i = kind.index();
            let all = state.hands.iter().map(|hand| u32::from(hand.0[i])).sum::<u32>()
                + u32::from(state.public.laid[i])
                + u32::from(state.pile[i]);
            ensure(all == u32::from(self.tiles()[i]), || format!("QN-12, 1: {all} tiles {}", kind.name()))?;
        }
        for (seat, hand) in state.hands.iter().enumerate() {
            ensure(hand.len() == state.public.hand_sizes[seat], || format!("QN-12, 1: hand size of seat {seat}"))?;
        }
        self.validate_public(&state.public)
    }

    /// The invariants that speak of what everybody knows.
    pub(super) fn validate_public(&self, public: &Public) -> Result<(), String> {
        self.check_sizes(public)?;
        self.check_spaces(public)?;
        self.check_pagodas(public)?;
        self.check_end(public)
    }

    /// Hands, pile and plies.
    pub(super) fn check_sizes(&self, public: &Public) -> Result<(), String> {
        let (sizes, pile) = (&public.hand_sizes[..self.players], self.pile_size(public));
        let laid: u32 = public.laid.iter().map(|&count| u32::from(count)).sum();
        ensure(sizes.iter().all(|&size| size <= HAND), || "QN-12, 1: a hand of more than 3".to_owned())?;
        let seat = usize::from(public.seat);
        match public.phase {
            Phase::Deal => {
                let dealt = |other: usize| match other.cmp(&seat) {
                    std::cmp::Ordering::Less => sizes[other] == HAND,
                    std::cmp::Ordering::Equal => sizes[other] < HAND,
                    std::cmp::Ordering::Greater => sizes[other] == 0,
                };
                ensure((0..self.players).all(dealt), || "QN-4.3: the deal gives three tiles to seat after seat".to_owned())?;
                ensure(public.ply == 0 && laid == 0 && public.passes == 0, || {
                    "QN-4.3: nothing is played before the deal ends".to_owned()
                })?;
            }
            Phase::Place => {
                let full = sizes.iter().all(|&size| size == HAND);
                ensure(pile == 0 || full, || "QN-12, 2: a hand is not of 3 while the pile has tiles".to_owned())?;
            }
            Phase::Draw => {
                let fits = (0..self.players).all(|other| sizes[other] == if other == seat { HAND - 1 } else { HAND });
                ensure(fits && pile > 0, || {
                    "QN-12, 2: at a draw the drawer has 2 tiles, the others 3, and the pile some".to_owned()
                })?;
                ensure(public.passes == 0, || "QN-5.14: passes before a draw".to_owned())?;
            }
            Phase::Over(_) => {}
        }
        ensure(public.ply >= laid + u32::from(public.passes), || format!("QN-12, 8: ply {} with {laid} tiles laid", public.ply))?;
        ensure(public.ply == 0 || laid > 0, || "QN-2.8: the first seat always lays a tile".to_owned())?;
        self.check_ply(public)
    }

    /// QN-12, 8: the seats take turns, and between two tiles all others can pass.
    fn check_ply(&self, public: &Public) -> Result<(), String> {
        let (players, free) = (self.players as u32, public.board.num_free());
        let seat = match public.phase {
            Phase::Place => Some(public.ply % players),
            Phase::Draw => Some((public.ply + players - 1) % players),
            Phase::Deal | Phase::Over(_) => None,
        };
        ensure(seat.is_none_or(|seat| seat == u32::from(public.seat)), || {
            format!("QN-12, 8: seat {} after {} plies in phase {}", public.seat, public.ply, Phase::NAMES[public.phase.index()])
        })?;
        if public.ply == 0 {
            return Ok(());
        }
        let tiles = self.pile_size(public) + public.hand_sizes.iter().map(|&size| u32::from(size)).sum::<u32>();
        let to_lay = if matches!(public.phase, Phase::Over(_)) { 0 } else { tiles.min(free / 2) };
        let most = (self.max_plies() as u32 + u32::from(public.passes)).saturating_sub(players * to_lay);
        ensure(public.ply <= most, || format!("QN-12, 8: ply {} with {to_lay} tiles that can follow, at most {most}", public.ply))
    }

    fn check_spaces(&self, public: &Public) -> Result<(), String> {
        let board = &public.board;
        let laid: usize = public.laid.iter().map(|&count| usize::from(count)).sum();
        let free = board.num_free() as usize;
        ensure(free + 2 * laid == self.tables.num_grass(), || format!("QN-12, 3: {free} free squares with {laid} tiles laid"))?;
        for colour in Colour::ALL {
            let spaces = board.num_spaces(colour);
            let starts = self.tables.squares().filter(|&square| self.tables.start(square) == Some(colour)).count();
            let halves: usize = Kind::all().map(|kind| kind.halves(colour) * usize::from(public.laid[kind.index()])).sum();
            ensure(spaces == starts + halves, || format!("QN-12, 3: {spaces} {} spaces, {halves} halves laid", colour.name()))?;
        }
        for square in self.tables.squares() {
            let fits = match self.tables.character(square) {
                b'.' => board.is_free(square) != board.colour(square).is_some(),
                _ => !board.is_free(square) && board.colour(square) == self.tables.start(square),
            };
            ensure(fits, || format!("QN-12, 3: {} has changed", self.tables.name(square)))?;
        }
        let mut reached = vec![false; self.tables.num_numbers()];
        for square in self.tables.squares().filter(|&square| self.tables.start(square).is_some()) {
            if !reached[square.index()] {
                flood_fill(square.index(), &mut reached, |from, adjacent| {
                    let beside = self.tables.neighbours(Square(from as u16));
                    adjacent.extend(beside.filter(|&other| board.colour(other).is_some()).map(Square::index));
                });
            }
        }
        let cut_off = self.tables.squares().find(|&square| board.colour(square).is_some() && !reached[square.index()]);
        ensure(cut_off.is_none(), || {
            format!(
                "QN-12, 4: {} is not connected to a start space",
                cut_off.map(|square| self.tables.name(square)).unwrap_or_default()
            )
        })
    }

    fn check_pagodas(&self, public: &Public) -> Result<(), String> {
        let board = &public.board;
        let by_pagodas = public.phase == Phase::Over(End::Pagodas);
        let listed = board.provinces(&self.tables);
        let areas = self.tables.provinces(|square| board.colour(square));
        let same = listed.len() == areas.len() && listed.iter().zip(&areas).all(|(listed, area)| listed.1 == area.1);
        ensure(same, || "QN-12, 5: the provinces are not the colour areas of 2 or more spaces".to_owned())?;
        let mut placed = villages_owned(self, public);
        for (province, squares) in &listed {
            let name = self.tables.name(squares[0]);
            ensure(province.spaces() == squares.len(), || format!("QN-12, 5: the province at {name} counts its spaces wrong"))?;
            let due = if squares.len() >= MAJOR { 2 } else { 1 };
            let fits = if by_pagodas { province.pagodas() <= due } else { province.pagodas() == due };
            ensure(fits, || format!("QN-12, 5: {} pagodas on the province at {name}, {due} due", province.pagodas()))?;
            placed[province.owner()] += province.pagodas() as i32;
        }
        for (seat, &placed) in placed.iter().enumerate() {
            let left = i32::from(public.supply[seat]);
            ensure(left + placed == i32::from(self.allotment), || {
                format!("QN-12, 6: supply {left} and {placed} placed of seat {seat} are not {}", self.allotment)
            })?;
        }
        let empty = public.supply[..self.players].iter().filter(|&&left| left == 0).count();
        ensure(empty == usize::from(by_pagodas), || format!("QN-12, 6: {empty} supplies are 0"))?;
        if !by_pagodas {
            for (number, village) in self.tables.villages.iter().enumerate() {
                let mut support = [0; MAX_PLAYERS];
                for (province, squares) in &listed {
                    if village.neighbours.iter().any(|square| squares.contains(square)) {
                        support[province.owner()] += province.pagodas();
                    }
                }
                let leader = leader_of(&support);
                ensure(leader.is_none() || leader == board.village_owner(number), || {
                    let name = self.tables.names(village.squares.iter().copied());
                    format!("QN-12, 7: village {name} is led by seat {} but not its own", leader.unwrap_or(0))
                })?;
            }
        }
        Ok(())
    }

    /// How the game ended, or that it did not.
    pub(super) fn check_end(&self, public: &Public) -> Result<(), String> {
        let tiles_left = self.pile_size(public) > 0 || public.hand_sizes.iter().any(|&size| size > 0);
        let free_pair = public.board.has_free_pair();
        let passed = usize::from(public.passes) == self.players;
        ensure(passed == (public.phase == Phase::Over(End::Passes)), || format!("QN-12, 8: {} passes", public.passes))?;
        let (fits, expected) = match public.phase {
            Phase::Over(End::Pagodas) => (public.passes == 0, "no passes after the last pagoda"),
            Phase::Over(End::Tiles) => (!tiles_left && public.passes == 0, "no tile left at the end by tiles"),
            Phase::Over(End::Board) => {
                (tiles_left && !free_pair && public.passes == 0, "tiles but no free pair at the end by board")
            }
            Phase::Over(End::Passes) | Phase::Deal | Phase::Place | Phase::Draw => {
                (tiles_left && free_pair, "a free pair and a tile")
            }
        };
        ensure(fits, || format!("QN-12, 9: expected {expected}"))
    }
}

pub(super) fn ensure(fits: bool, reason: impl FnOnce() -> String) -> Result<(), String> {
    if fits { Ok(()) } else { Err(reason()) }
}

/// The key that a broken invariant speaks of.
pub(super) fn key_of(reason: &str) -> &'static str {
    const KEYS: [(&str, &str); 10] = [
        ("QN-2.8", "ply"),
        ("QN-4.3", "phase"),
        ("QN-5.14", "passes"),
        ("QN-12, 1", "hands"),
        ("QN-12, 2", "hand_sizes"),
        ("QN-12, 3", "board"),
        ("QN-12, 4", "board"),
        ("QN-12, 5", "provinces"),
        ("QN-12, 6", "supply"),
        ("QN-12, 7", "villages"),
    ];
    let found = KEYS.iter().find(|(number, _)| reason.strip_prefix(number).is_some_and(|rest| rest.starts_with(':')));
    match found {
        Some(&(_, key)) => key,
        None if reason.contains("passes") => "passes",
        None if reason.contains(" plies in phase") => "player",
        None if reason.starts_with("QN-12, 8") => "ply",
        None => "phase",
    }
}
