//! Scores (QN-7) and the invariants (QN-12), recomputed from scratch.

use forbidden_games_core::contract::Setup;
use forbidden_games_core::geometry::region::flood_fill;
use forbidden_games_core::outcome::{ScoreLine, ranking_by_key};
use forbidden_games_core::player::{ByPlayer, MAX_PLAYERS};

use super::Game;
use super::actions::{Colour, Direction, Kind, Square};
use super::apply::leader_of;
use super::legal::judge_join;
use super::state::{End, HAND, Phase, Public, State};
use super::table::{MAJOR, Province, with_table};

impl Game {
    /// Pagodas on the board (QN-7.1).
    pub(super) fn pagodas_placed(&self, public: &Public) -> ByPlayer<i32> {
        public.supply[..self.players].iter().map(|&left| i32::from(self.allotment) - i32::from(left)).collect()
    }

    pub(super) fn rank(&self, public: &Public) -> ByPlayer<u8> {
        ranking_by_key(&self.pagodas_placed(public))
    }

    pub(super) fn sheet(&self, public: &Public) -> Vec<ScoreLine> {
        let villages = self.villages_owned(public);
        let provinces = self.pagodas_placed(public).iter().zip(&villages).map(|(all, villages)| all - villages).collect();
        vec![
            ScoreLine { item: "pagodas on provinces", rule: "QN-7.1", points: provinces },
            ScoreLine { item: "pagodas on villages", rule: "QN-7.1", points: villages },
        ]
    }

    /// Villages of each seat.
    pub(super) fn villages_owned(&self, public: &Public) -> ByPlayer<i32> {
        let mut owned: ByPlayer<i32> = (0..self.players).map(|_| 0).collect();
        for owner in (0..self.ground.villages.len()).filter_map(|village| public.field.village_owner(village)) {
            owned[owner] += 1;
        }
        owned
    }

    /// Colour areas of two or more spaces, by flood fill, in reading order.
    pub(super) fn find_provinces(&self, colour: impl Fn(Square) -> Option<Colour>) -> Vec<(Colour, Vec<Square>)> {
        let mut visited = vec![false; self.ground.num_numbers()];
        let mut provinces = Vec::new();
        for square in self.ground.squares() {
            let Some(own) = colour(square).filter(|_| !visited[square.index()]) else { continue };
            let area = flood_fill(square.index(), &mut visited, |from, adjacent| {
                let beside = self.ground.neighbours(Square(from as u16));
                adjacent.extend(beside.filter(|&other| colour(other) == Some(own)).map(Square::index));
            });
            let mut squares: Vec<Square> = area.into_iter().map(|index| Square(index as u16)).collect();
            squares.sort_unstable();
            if squares.len() > 1 {
                provinces.push((own, squares));
            }
        }
        provinces
    }

    /// Every invariant of QN-12 on a whole state, but that no hand has a placement after the end by passes (QN-12, 8): a sampled
    /// world infers nothing from passes (QN-8.3), and it is a state like any other.
    pub(super) fn check_state(&self, state: &State) -> Result<(), String> {
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
        self.check_public(&state.public)
    }

    /// The invariants that speak of what everybody knows.
    pub(super) fn check_public(&self, public: &Public) -> Result<(), String> {
        self.check_sizes(public)?;
        self.check_spaces(public)?;
        self.check_pagodas(public)?;
        self.check_end(public)?;
        self.check_caches(public)
    }

    fn check_sizes(&self, public: &Public) -> Result<(), String> {
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
        let (players, free) = (self.players as u32, self.ground.squares().filter(|&square| public.field.is_free(square)).count());
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
        let to_lay = if matches!(public.phase, Phase::Over(_)) { 0 } else { tiles.min(free as u32 / 2) };
        let most = (self.max_plies() as u32 + u32::from(public.passes)).saturating_sub(players * to_lay);
        ensure(public.ply <= most, || format!("QN-12, 8: ply {} with {to_lay} tiles that can follow, at most {most}", public.ply))
    }

    fn check_spaces(&self, public: &Public) -> Result<(), String> {
        let field = &public.field;
        let laid: usize = public.laid.iter().map(|&count| usize::from(count)).sum();
        let free = self.ground.squares().filter(|&square| field.is_free(square)).count();
        ensure(free + 2 * laid == self.ground.num_grass(), || format!("QN-12, 3: {free} free squares with {laid} tiles laid"))?;
        for colour in Colour::ALL {
            let spaces = self.ground.squares().filter(|&square| field.colour(square) == Some(colour)).count();
            let starts = self.ground.squares().filter(|&square| self.ground.start(square) == Some(colour)).count();
            let halves: usize =
                Kind::all().map(|kind| kind.name().matches(colour.letter()).count() * usize::from(public.laid[kind.index()])).sum();
            ensure(spaces == starts + halves, || format!("QN-12, 3: {spaces} {} spaces, {halves} halves laid", colour.name()))?;
        }
        for square in self.ground.squares() {
            let fits = match self.ground.character(square) {
                b'.' => field.is_free(square) != field.colour(square).is_some(),
                _ => !field.is_free(square) && field.colour(square) == self.ground.start(square),
            };
            ensure(fits, || format!("QN-12, 3: {} has changed", self.ground.name(square)))?;
        }
        let mut reached = vec![false; self.ground.num_numbers()];
        for square in self.ground.squares().filter(|&square| self.ground.start(square).is_some()) {
            if !reached[square.index()] {
                flood_fill(square.index(), &mut reached, |from, adjacent| {
                    let beside = self.ground.neighbours(Square(from as u16));
                    adjacent.extend(beside.filter(|&other| field.colour(other).is_some()).map(Square::index));
                });
            }
        }
        let cut_off = self.ground.squares().find(|&square| field.colour(square).is_some() && !reached[square.index()]);
        ensure(cut_off.is_none(), || {
            format!(
                "QN-12, 4: {} is not connected to a start space",
                cut_off.map(|square| self.ground.name(square)).unwrap_or_default()
            )
        })
    }

    fn check_pagodas(&self, public: &Public) -> Result<(), String> {
        let field = &public.field;
        let by_pagodas = public.phase == Phase::Over(End::Pagodas);
        let listed = field.provinces(&self.ground);
        let areas = self.find_provinces(|square| field.colour(square));
        let same = listed.len() == areas.len() && listed.iter().zip(&areas).all(|(listed, area)| listed.1 == area.1);
        ensure(same, || "QN-12, 5: the provinces are not the colour areas of 2 or more spaces".to_owned())?;
        let mut placed = self.villages_owned(public);
        for (province, squares) in &listed {
            let name = self.ground.name(squares[0]);
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
            for (number, village) in self.ground.villages.iter().enumerate() {
                let mut support = [0; MAX_PLAYERS];
                for (province, squares) in &listed {
                    if village.neighbours.iter().any(|square| squares.contains(square)) {
                        support[province.owner()] += province.pagodas();
                    }
                }
                let leader = leader_of(&support);
                ensure(leader.is_none() || leader == field.village_owner(number), || {
                    let name = self.ground.names(village.squares.iter().copied());
                    format!("QN-12, 7: village {name} is led by seat {} but not its own", leader.unwrap_or(0))
                })?;
            }
        }
        Ok(())
    }

    fn check_end(&self, public: &Public) -> Result<(), String> {
        let tiles_left = self.pile_size(public) > 0 || public.hand_sizes.iter().any(|&size| size > 0);
        let free_pair = self.has_free_pair(public);
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

    /// The free pairs from scratch.
    fn has_free_pair(&self, public: &Public) -> bool {
        self.ground.squares().any(|square| Direction::ALL.into_iter().any(|direction| self.is_free_pair(public, direction, square)))
    }

    fn is_free_pair(&self, public: &Public, direction: Direction, square: Square) -> bool {
        if self.ground.pair_number(direction, square).is_none() {
            return false;
        }
        let other = Square((square.index() + self.ground.step(direction)) as u16);
        let contact = |square| self.ground.neighbours(square).any(|beside| public.field.colour(beside).is_some());
        public.field.is_free(square) && public.field.is_free(other) && (contact(square) || contact(other))
    }

    /// What the engine keeps incrementally, against the rules read plainly.
    fn check_caches(&self, public: &Public) -> Result<(), String> {
        if matches!(public.phase, Phase::Over(_)) {
            return Ok(());
        }
        for square in self.ground.squares().filter(|&square| public.field.is_free(square)) {
            let joins = |colour: Colour, squares: &[Square]| {
                let mut former: Vec<usize> = squares
                    .iter()
                    .flat_map(|&square| self.ground.neighbours(square))
                    .filter(|&beside| public.field.colour(beside) == Some(colour))
                    .filter_map(|beside| public.field.label(beside))
                    .collect();
                former.sort_unstable();
                former.dedup();
                let provinces: Vec<Province> = former.into_iter().map(|label| public.field.province(label)).collect();
                provinces.len() > 1 && judge_join(provinces.iter().copied(), self.settings.absorb_major).is_err()
            };
            for colour in Colour::ALL {
                let kept = with_table!(&public.field, table => table.barred[colour.index()].has(square.index()));
                ensure(kept == joins(colour, &[square]), || {
                    format!("QN-5.7: the verdict kept on {} alone at {} is wrong", colour.name(), self.ground.name(square))
                })?;
            }
            for direction in Direction::ALL {
                let free = self.is_free_pair(public, direction, square);
                ensure(public.field.is_free_pair(direction, square) == free, || {
                    format!("QN-5.2: the free pair {direction:?} of {} is kept wrong", self.ground.name(square))
                })?;
                let other = Square((square.index() + self.ground.step(direction)) as u16);
                for colour in Colour::ALL.into_iter().filter(|_| free) {
                    let barred = with_table!(&public.field, table => table.barred_pairs[colour.index()][direction as usize]
                        .has(square.index()));
                    ensure(barred == joins(colour, &[square, other]), || {
                        format!(
                            "QN-5.7: the verdict kept on {} {direction:?} of {} is wrong",
                            colour.name(),
                            self.ground.name(square)
                        )
                    })?;
                }
            }
        }
        Ok(())
    }
}

fn ensure(fits: bool, reason: impl FnOnce() -> String) -> Result<(), String> {
    if fits { Ok(()) } else { Err(reason()) }
}
