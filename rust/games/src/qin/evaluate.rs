//! How good a position looks to a seat, in pagodas. The folder's page describes it.
//!
//! The one idea: what a seat has on the board, plus what it can lose or gain by the very next tile. That tile is unknown, but what
//! each half of it does on each square is not, so the best use of every kind is looked up and weighted by how likely the seat to
//! move holds it. Hands are never looked at.

use arrayvec::ArrayVec;
use forbidden_games_core::contract::Judgement;
use forbidden_games_core::player::{ByPlayer, MAX_PLAYERS, Player};

use super::actions::Action;
use super::apply::leader_of;
use super::board::{Label, MAJOR, SizedBoard, with_board};
use super::game::Game;
use super::legal::{Beside, owner_of_join};
use super::scoring::scores;
use super::state::{Phase, Public, State};
use super::tiles::{Colour, Direction, Kind};

impl Judgement for Game {
    type Cache = ();

    fn judge_all(&self, state: &State, out: &mut ByPlayer<f64>) {
        self.judge_with(state, Weights::among(self.players), out);
    }

    /// What placements bring at once, without the answers that [`Judgement::judge_all`] looks for.
    fn look(&self, state: &State, player: Player, actions: &[Action], _cache: &mut (), out: &mut Vec<f64>) {
        with_board!(&state.public.board, board => {
            Outlook { game: self, public: &state.public, board, mover: player.index(), weights: &DUEL }.looks(actions, out);
        });
    }

    fn search_defaults(players: usize) -> &'static str {
        if players == 2 {
            "temperature=1,rollout=greedy,cutoff=4,scale=4"
        } else {
            "temperature=0.5,rollout=greedy,cutoff=4,scale=2.5"
        }
    }

    fn levels() -> [&'static str; 4] {
        ["flat:simulations=20", "greedy", "ismcts:simulations=200", "ismcts:simulations=2000"]
    }
}

/// What the parts of the evaluation count for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// A minor province of 2, 3, 4 spaces beyond its pagoda.
    pub(super) minor: [f64; 3],
    /// A major province beyond its pagodas: nobody takes it.
    pub(super) major: f64,
    /// A village whose owner leads by two pagodas or more, beyond its pagoda.
    pub(super) village: f64,
    /// The best use of the next tile.
    pub(super) reply: f64,
    /// Factor from that tile to the one after it, which another seat lays, and so on once round the board.
    pub(super) later: f64,
    /// The next tile can place somebody's last pagoda.
    pub(super) win: f64,
    /// One, two, three, four pagodas left in the supply.
    pub(super) finish: [f64; 4],
}

/// For two seats, and for what a single placement brings.
pub(super) const DUEL: Weights =
    Weights { minor: [0.1, 0.2, 0.4], major: 0.8, village: 0.2, reply: 1.0, later: 0.3, win: 10.0, finish: [0.0; 4] };

/// For more: near the weights that tell best, by logistic regression, which of three or four greedy seats wins.
const RACE: Weights =
    Weights { minor: [0.15, 0.4, 0.6], major: 0.8, village: 0.15, reply: 1.0, later: 0.75, win: 4.0, finish: [3.0, 2.0, 1.0, 0.5] };

impl Weights {
    /// What counts among so many seats. With more than two, tiles of many others come before the next own one, and a seat about to
    /// finish is about to beat all of them.
    pub(super) const fn among(players: usize) -> &'static Self {
        if players == 2 { &DUEL } else { &RACE }
    }

    /// What a province of so many spaces is worth beyond its pagodas.
    fn beyond(&self, spaces: usize) -> f64 {
        match spaces {
            0 | 1 => 0.0,
            spaces if spaces < MAJOR => self.minor[spaces - 2],
            _ => self.major,
        }
    }
}

/// Pagodas that come (or go) by seat.
type Change = [i8; MAX_PLAYERS];

/// Nothing comes or goes.
const NOTHING: Change = [0; MAX_PLAYERS];

/// What one colour on one square or two brings, and what that is worth to the seat that lays it; minus infinity where it is illegal.
#[derive(Clone, Copy, Debug)]
struct Effect {
    worth: f64,
    change: Change,
}

impl Effect {
    const NONE: Self = Self { worth: 0.0, change: NOTHING };
    const ILLEGAL: Self = Self { worth: f64::NEG_INFINITY, change: NOTHING };
}

/// The best use of a kind of tile: what it is worth to the seat that lays it, and what each of its areas changes.
#[derive(Clone, Copy, Debug)]
struct Use {
    worth: f64,
    changes: [Change; 2],
}

/// What a colour makes of the squares it is laid on.
struct Area {
    owner: usize,
    spaces: usize,
    /// Labels of the provinces that it extends or joins.
    former: Beside,
    change: Change,
}

impl Game {
    /// [`Judgement::judge_all`] by other weights.
    pub(super) fn judge_with(&self, state: &State, weights: &Weights, out: &mut ByPlayer<f64>) {
        let public = &state.public;
        let mut worth = [0.0; MAX_PLAYERS];
        for (seat, &placed) in scores(self, public).iter().enumerate() {
            worth[seat] = f64::from(placed);
        }
        out.clear();
        let mover = match public.phase {
            Phase::Over(_) => return out.extend((0..self.players).map(|seat| self.lead(&worth, seat))),
            // Nothing is on the board yet.
            Phase::Deal => return out.extend((0..self.players).map(|_| 0.0)),
            Phase::Place => usize::from(public.seat),
            Phase::Draw => (usize::from(public.seat) + 1) % self.players,
        };
        for (worth, &left) in worth.iter_mut().zip(&public.supply[..self.players]) {
            // None left is the end of the game, and more than four are far from it.
            *worth += usize::from(left).checked_sub(1).and_then(|left| weights.finish.get(left)).unwrap_or(&0.0);
        }
        let mut replies = [0.0; MAX_PLAYERS];
        with_board!(&public.board, board => {
            board.add_structure(self, &mut worth, weights);
            let mut weight = weights.reply;
            for turn in 0..self.players {
                let mover = (mover + turn) % self.players;
                let expected = Outlook { game: self, public, board, mover, weights }.expected();
                for (replies, expected) in replies.iter_mut().zip(expected) {
                    *replies += weight * expected;
                }
                weight *= weights.later;
            }
        });
        out.extend((0..self.players).map(|seat| self.lead(&worth, seat) + replies[seat]));
    }

    /// How far a seat is ahead of the others on average.
    fn lead(&self, worth: &[f64; MAX_PLAYERS], seat: usize) -> f64 {
        let others: f64 = (0..self.players).filter(|&other| other != seat).map(|other| worth[other]).sum();
        worth[seat] - others / (self.players - 1) as f64
    }
}

impl<L: Label, const W: usize, const S: usize, const P: usize, const V: usize> SizedBoard<L, W, S, P, V> {
    /// Adds what lies on the board beyond its pagodas.
    fn add_structure(&self, game: &Game, worth: &mut [f64; MAX_PLAYERS], weights: &Weights) {
        // Counted before they are weighed: provinces come in an order that depends on the way here, and equal states must be judged
        // exactly equal.
        let mut counts = [[0_u16; 5]; MAX_PLAYERS];
        for province in &self.provinces[..usize::from(self.founded)] {
            match province.spaces() {
                0 | 1 => {}
                spaces if spaces < MAJOR => counts[province.owner()][spaces - 2] += 1,
                _ => counts[province.owner()][3] += 1,
            }
        }
        for (village, place) in game.tables.villages.iter().enumerate() {
            if let Some(owner) = usize::from(self.villages[village]).checked_sub(1) {
                let support = self.support(&place.neighbours);
                let rival = (0..MAX_PLAYERS).filter(|&seat| seat != owner).map(|seat| support[seat]).max().unwrap_or(0);
                if support[owner] >= rival + 2 {
                    counts[owner][4] += 1;
                }
            }
        }
        let [one, two, three] = weights.minor;
        for (worth, counts) in worth.iter_mut().zip(counts) {
            for (weight, count) in [one, two, three, weights.major, weights.village].into_iter().zip(counts) {
                *worth += weight * f64::from(count);
            }
        }
    }
}

/// The next tile, laid by `mover`.
struct Outlook<'a, L, const W: usize, const S: usize, const P: usize, const V: usize> {
    game: &'a Game,
    public: &'a Public,
    board: &'a SizedBoard<L, W, S, P, V>,
    mover: usize,
    weights: &'a Weights,
}

impl<L: Label, const W: usize, const S: usize, const P: usize, const V: usize> Outlook<'_, L, W, S, P, V> {
    /// The expected effect on each seat's lead of the best tile in the mover's hand, the hand drawn from all tiles not laid.
    fn expected(&self) -> [f64; MAX_PLAYERS] {
        let mut kinds: ArrayVec<(Use, f64), { Kind::COUNT }> =
            self.best_by_kind().into_iter().enumerate().map(|(kind, best)| (best, self.left(kind))).collect();
        kinds.sort_unstable_by(|one, other| other.0.worth.total_cmp(&one.0.worth));
        let all: f64 = kinds.iter().map(|kind| kind.1).sum();
        let tiles = i32::from(self.public.hand_sizes[self.mover]);
        let mut expected = [0.0; MAX_PLAYERS];
        if all == 0.0 {
            return expected;
        }
        // The chance that every tile held is worse than the kinds seen so far falls from kind to kind.
        let mut left = 1.0;
        let mut rest = all;
        for (best, count) in kinds {
            rest -= count;
            // Multiplied out: `powi` may round differently from platform to platform.
            let share = (rest / all).max(0.0);
            let worse = (0..tiles).fold(1.0, |product, _| product * share);
            if best.worth > f64::NEG_INFINITY {
                let worths = best.changes.map(|change| self.worths(&change));
                for (seat, expected) in expected.iter_mut().enumerate().take(self.game.players) {
                    *expected += (left - worse) * (self.game.lead(&worths[0], seat) + self.game.lead(&worths[1], seat));
                }
            }
            left = worse;
        }
        expected
    }

    /// Tiles of a kind that are not laid.
    fn left(&self, kind: usize) -> f64 {
        f64::from(self.game.components.tiles[kind] - self.public.laid[kind])
    }

    /// The best placement of each kind for the mover.
    fn best_by_kind(&self) -> [Use; Kind::COUNT] {
        let stride = self.game.tables.stride;
        let spaces = self.board.colours[0] | self.board.colours[1] | self.board.colours[2];
        let contact = spaces.around(stride) & self.board.grass;
        // What each colour does on each square alone.
        let mut halves = [[Effect::NONE; S]; 3];
        for square in contact.iter() {
            for colour in Colour::ALL {
                halves[colour.index()][square] =
                    if self.board.barred[colour.index()].has(square) { Effect::ILLEGAL } else { self.effect(colour, &[square]) };
            }
        }
        let mut best = [Use { worth: f64::NEG_INFINITY, changes: [NOTHING; 2] }; Kind::COUNT];
        for direction in Direction::ALL {
            let step = self.game.tables.step(direction);
            for one in self.board.free[direction as usize].iter() {
                let other = one + step;
                for first in Colour::ALL {
                    for second in Colour::ALL {
                        let (worth, changes) = if first != second {
                            let (one, other) = (halves[first.index()][one], halves[second.index()][other]);
                            (one.worth + other.worth, [one.change, other.change])
                        } else if self.board.barred_pairs[first.index()][direction as usize].has(one) {
                            continue;
                        } else {
                            let both = self.effect(first, &[one, other]);
                            (both.worth, [both.change, NOTHING])
                        };
                        let best = &mut best[Kind::of(first, second).index()];
                        if worth > best.worth {
                            *best = Use { worth, changes };
                        }
                    }
                }
            }
        }
        best
    }

    /// What `colour` on these squares brings if the mover lays it: exact but for villages that a province already touches.
    fn effect(&self, colour: Colour, squares: &[usize]) -> Effect {
        self.area(colour, squares).map_or(Effect::NONE, |area| Effect { worth: self.worth(&area.change), change: area.change })
    }

    /// The area that `colour` on these squares makes; none if it is a single space.
    fn area(&self, colour: Colour, squares: &[usize]) -> Option<Area> {
        let (board, stride) = (self.board, self.game.tables.stride);
        let former = board.provinces_beside(colour, squares, stride);
        let mut change: Change = [0; MAX_PLAYERS];
        let provinces = former.iter().map(|&label| board.provinces[label]);
        let spaces = squares.len()
            + self.singles_beside(colour, squares)
            + provinces.clone().map(super::board::Province::spaces).sum::<usize>();
        let owner = match former[..] {
            [] if spaces < 2 => return None,
            [] => self.mover,
            [label] => board.provinces[label].owner(),
            _ => owner_of_join(provinces.clone(), self.game.settings.absorb_major).unwrap_or(self.mover),
        };
        provinces.for_each(|province| change[province.owner()] -= province.pagodas() as i8);
        change[owner] += if spaces < MAJOR { 1 } else { 2 };
        self.add_villages(squares, &former, owner, if spaces < MAJOR { 1 } else { 2 }, &mut change);
        Some(Area { owner, spaces, former, change })
    }

    /// Spaces of `colour` beside the squares that no province has yet.
    fn singles_beside(&self, colour: Colour, squares: &[usize]) -> usize {
        let mut singles = Beside::new();
        for &square in squares {
            for other in SizedBoard::<L, W, S, P, V>::around(square, self.game.tables.stride) {
                let is_single = self.board.colours[colour.index()].has(other) && self.board.label(other).is_none();
                if is_single && !singles.contains(&other) {
                    singles.push(other);
                }
            }
        }
        singles.len()
    }

    /// How `colour` on these squares looks to the mover: its effect, and what the new province is worth beyond its pagodas.
    fn look(&self, colour: Colour, squares: &[usize]) -> f64 {
        let Some(area) = self.area(colour, squares) else { return 0.0 };
        let mut beyond = [0.0; MAX_PLAYERS];
        beyond[area.owner] += self.weights.beyond(area.spaces);
        for &label in &area.former {
            let province = self.board.provinces[label];
            beyond[province.owner()] -= self.weights.beyond(province.spaces());
        }
        self.worth(&area.change) + self.game.lead(&beyond, self.mover)
    }

    /// How each of the mover's actions looks. A square is looked at once for each colour, whatever lies beside it.
    fn looks(&self, actions: &[Action], values: &mut Vec<f64>) {
        let mut halves = [[f64::NAN; S]; 3];
        let mut half = |colour: Colour, square: usize| {
            let known = &mut halves[colour.index()][square];
            if known.is_nan() {
                *known = self.look(colour, &[square]);
            }
            *known
        };
        values.extend(actions.iter().map(|action| match action {
            Action::Pass => 0.0,
            Action::Place(placement) => {
                let one = placement.square.index();
                let other = one + self.game.tables.step(placement.direction);
                if placement.first == placement.second {
                    self.look(placement.first, &[one, other])
                } else {
                    half(placement.first, one) + half(placement.second, other)
                }
            }
        }));
    }

    /// Villages beside the new squares that the province of `owner`, with `pagodas`, would win.
    fn add_villages(&self, squares: &[usize], former: &[usize], owner: usize, pagodas: u32, change: &mut Change) {
        for &square in squares {
            for village in self.game.tables.villages_beside(square).iter().map(|&village| usize::from(village)) {
                let neighbours = &self.game.tables.villages[village].neighbours;
                let mut support = self.board.support(neighbours);
                for &label in former {
                    if neighbours.iter().any(|place| self.board.label(place.index()) == Some(label)) {
                        support[self.board.provinces[label].owner()] -= self.board.provinces[label].pagodas();
                    }
                }
                support[owner] += pagodas;
                let holder = usize::from(self.board.villages[village]).checked_sub(1);
                if let Some(leader) = leader_of(&support).filter(|&leader| holder != Some(leader)) {
                    change[leader] += 1;
                    if let Some(holder) = holder {
                        change[holder] -= 1;
                    }
                }
            }
        }
    }

    /// What a change is worth to the mover.
    fn worth(&self, change: &Change) -> f64 {
        if *change == NOTHING { 0.0 } else { self.game.lead(&self.worths(change), self.mover) }
    }

    /// What a change brings each seat: pagodas, and the end of the game with the last one.
    fn worths(&self, change: &Change) -> [f64; MAX_PLAYERS] {
        let mut worths = change.map(f64::from);
        for (seat, &more) in change.iter().enumerate().take(self.game.players) {
            if more > 0 && more as u8 >= self.public.supply[seat] {
                worths[seat] += self.weights.win;
            }
        }
        worths
    }
}
