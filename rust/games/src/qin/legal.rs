//! What may be laid where (QN-5.2, QN-5.6, QN-5.7).
//!
//! A tile is illegal only through a join. The two areas of a two-colour tile do not touch, so a colour on one square of it is
//! judged once for all pairs; one colour on both squares is judged per pair. The verdicts are kept as sets of squares and renewed
//! around an area that has changed.

use arrayvec::ArrayVec;
use forbidden_games_core::player::Turn;
use forbidden_games_core::rng::Rng;

use super::actions::{Action, Placement};
use super::bits::Bits;
use super::board::{Label, Province, SizedBoard, with_board};
use super::game::Game;
use super::options::AbsorbMajor;
use super::state::{Hand, State};
use super::tables::Tables;
use super::tiles::{Colour, Direction, Kind, Square};

/// All placements of the seat to move, or the pass (QN-5.14).
pub(super) fn legal_actions(game: &Game, state: &State, out: &mut Vec<Action>) {
    let Some(hand) = hand_to_move(state) else { return };
    let before = out.len();
    with_board!(&state.public.board, board => {
        board.open_sets(&game.tables, hand, |set| out.extend(set.placements().map(Action::Place)));
    });
    if out.len() == before {
        out.push(Action::Pass);
    }
}

/// How many actions are legal.
pub(super) fn num_legal(game: &Game, state: &State) -> usize {
    hand_to_move(state).map_or(0, |hand| num_placements(game, state, hand).max(1) as usize)
}

/// The action at a place of the list.
pub(super) fn nth_legal(game: &Game, state: &State, index: usize) -> Option<Action> {
    let hand = hand_to_move(state)?;
    let (placement, length) = with_board!(&state.public.board, board => {
        let mut length = 0;
        let placement = board.pick(&game.tables, hand, |placements| {
            length = placements;
            u32::try_from(index).unwrap_or(u32::MAX)
        });
        (placement, length)
    });
    match placement {
        Some(placement) => Some(Action::Place(placement)),
        None => (length == 0 && index == 0).then_some(Action::Pass),
    }
}

/// The ids of all legal actions, ascending.
pub(super) fn for_each_legal_id(game: &Game, state: &State, mut take: impl FnMut(u32)) {
    let Some(hand) = hand_to_move(state) else { return };
    let pairs = game.tables.num_pairs();
    let mut is_empty = true;
    with_board!(&state.public.board, board => board.open_sets(&game.tables, hand, |set| {
        let first = (3 * set.first.index() + set.second.index()) * pairs;
        for square in set.squares.iter() {
            is_empty = false;
            let pair = game.tables.pair_number(set.direction, Square(square as u16));
            take((first + pair.expect("an open pair lies on the board")) as u32);
        }
    }));
    if is_empty {
        take(9 * pairs as u32);
    }
}

/// Whether an action is in the list.
pub(super) fn is_legal(game: &Game, state: &State, action: Action) -> bool {
    let Some(hand) = hand_to_move(state) else { return false };
    match action {
        Action::Pass => num_placements(game, state, hand) == 0,
        Action::Place(placement) => {
            let Placement { first, second, direction, square } = placement;
            let step = game.tables.step(direction);
            hand.count(placement.kind()) > 0
                && with_board!(&state.public.board, board => board.open(first, second, direction, step).has(square.index()))
        }
    }
}

/// A legal action with equal chances, with one draw. It counts and picks without a list.
pub(super) fn sample_action(game: &Game, state: &State, rng: &mut Rng) -> Action {
    let hand = state.hands[usize::from(state.public.seat)];
    let placement = with_board!(&state.public.board, board => board.pick(&game.tables, hand, |length| rng.below(length.max(1))));
    placement.map_or(Action::Pass, Action::Place)
}

/// How many placements a hand has.
pub(super) fn num_placements(game: &Game, state: &State, hand: Hand) -> u32 {
    let mut count = 0;
    with_board!(&state.public.board, board => board.open_sets(&game.tables, hand, |set| count += set.squares.count()));
    count
}

/// The hand of the seat to move at a decision.
#[inline]
fn hand_to_move(state: &State) -> Option<Hand> {
    match state.public.turn() {
        Turn::Player(player) => Some(state.hands[player.index()]),
        Turn::Chance | Turn::Over => None,
    }
}

/// The pairs where two colours may be laid one way round, in one direction.
struct OpenSet<const W: usize> {
    first: Colour,
    second: Colour,
    direction: Direction,
    /// First squares of the pairs.
    squares: Bits<W>,
}

impl<const W: usize> OpenSet<W> {
    /// The placement on the pair with this first square.
    #[inline(always)]
    fn placement(&self, square: usize) -> Placement {
        Placement { first: self.first, second: self.second, direction: self.direction, square: Square(square as u16) }
    }

    /// All its placements, ascending.
    #[inline(always)]
    fn placements(&self) -> impl Iterator<Item = Placement> {
        self.squares.iter().map(|square| self.placement(square))
    }
}

/// At most three squares beside each square of a tile.
pub(super) type Beside = ArrayVec<usize, 6>;

/// Why a join is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// QN-5.7a
    TwoMajors,
    /// QN-5.7b
    Tie,
    /// QN-5.7c
    MajorLost,
}

/// The owner of a join (QN-5.6), or why there is none (QN-5.7). `former` has two or more provinces.
#[inline]
pub(super) fn owner_of_join(former: impl Iterator<Item = Province> + Clone, absorb: AbsorbMajor) -> Result<usize, Fault> {
    let mut totals = [0_usize; 4];
    let mut major_owner = None;
    for province in former {
        totals[province.owner()] += province.spaces();
        if province.is_major() {
            if major_owner.is_some() {
                return Err(Fault::TwoMajors);
            }
            major_owner = Some(province.owner());
        }
    }
    let highest = totals.into_iter().max().unwrap_or(0);
    let mut leaders = (0..4).filter(|&seat| totals[seat] == highest);
    let owner = leaders.next().unwrap_or(0);
    if leaders.next().is_some() {
        return Err(Fault::Tie);
    }
    if absorb == AbsorbMajor::Never && major_owner.is_some_and(|major| major != owner) {
        return Err(Fault::MajorLost);
    }
    Ok(owner)
}

impl<L: Label, const W: usize, const S: usize, const P: usize, const V: usize> SizedBoard<L, W, S, P, V> {
    /// Labels of the provinces of `colour` beside these squares, each once.
    #[inline]
    pub(super) fn provinces_beside(&self, colour: Colour, squares: &[usize], stride: usize) -> Beside {
        let mut labels = Beside::new();
        for &square in squares {
            for other in Self::around(square, stride) {
                if let Some(label) = self.label(other)
                    && self.colours[colour.index()].has(other)
                    && !labels.contains(&label)
                {
                    labels.push(label);
                }
            }
        }
        labels
    }

    /// Whether `colour` on all these squares would be an illegal join.
    #[inline]
    fn is_barred(&self, colour: Colour, squares: &[usize], stride: usize, absorb: AbsorbMajor) -> bool {
        let labels = self.provinces_beside(colour, squares, stride);
        labels.len() > 1 && owner_of_join(labels.iter().map(|&label| self.provinces[label]), absorb).is_err()
    }

    /// Judges anew every square and pair beside `area`, a province of `colour` that has changed. Only those that touch another
    /// province of the colour as well would be joins.
    #[inline]
    pub(super) fn refresh_barred(&mut self, colour: Colour, area: Bits<W>, stride: usize, absorb: AbsorbMajor) {
        let index = colour.index();
        let spaces = self.colours[index];
        let others = (spaces & spaces.around(stride)).without(area);
        let touch = area.around(stride) & self.grass;
        let near = others.around(stride) & self.grass;
        let mut barred = self.barred[index].without(touch);
        for square in (touch & near).iter() {
            if self.is_barred(colour, &[square], stride, absorb) {
                barred.insert(square);
            }
        }
        self.barred[index] = barred;
        for (direction, step) in [(Direction::Right, 1), (Direction::Down, stride)] {
            let touching = touch | touch.down(step);
            let joining = touching & (near | near.down(step)) & self.grass & self.grass.down(step);
            let mut barred = self.barred_pairs[index][direction as usize].without(touching);
            for square in joining.iter() {
                if self.is_barred(colour, &[square, square + step], stride, absorb) {
                    barred.insert(square);
                }
            }
            self.barred_pairs[index][direction as usize] = barred;
        }
    }

    /// First squares of the pairs where these colours may be laid.
    #[inline(always)]
    fn open(&self, first: Colour, second: Colour, direction: Direction, step: usize) -> Bits<W> {
        let free = self.free[direction as usize];
        if first == second {
            free.without(self.barred_pairs[first.index()][direction as usize])
        } else {
            free.without(self.barred[first.index()]).without(self.barred[second.index()].down(step))
        }
    }

    /// Calls `visit` with every set of placements of a hand in the order of ids.
    #[inline(always)]
    fn open_sets(&self, tables: &Tables, hand: Hand, mut visit: impl FnMut(OpenSet<W>)) {
        for first in Colour::ALL {
            for second in Colour::ALL {
                if hand.count(Kind::of(first, second)) > 0 {
                    for direction in Direction::ALL {
                        visit(OpenSet {
                            first,
                            second,
                            direction,
                            squares: self.open(first, second, direction, tables.step(direction)),
                        });
                    }
                }
            }
        }
    }

    /// The placement that stands in the list of a hand where `choose` says, which is told the length of the list.
    #[inline]
    fn pick(&self, tables: &Tables, hand: Hand, choose: impl FnOnce(u32) -> u32) -> Option<Placement> {
        // Three tiles of two colours, two ways round, two directions.
        let mut sets = ArrayVec::<(OpenSet<W>, u32), 12>::new();
        let mut length = 0;
        self.open_sets(tables, hand, |set| {
            let here = set.squares.count();
            length += here;
            sets.push((set, here));
        });
        let mut rank = choose(length);
        for (set, here) in &sets {
            if rank < *here {
                return Some(set.placement(set.squares.nth(rank)));
            }
            rank -= here;
        }
        None
    }

    /// Renews every verdict on joins.
    pub(super) fn refresh_all_barred(&mut self, tables: &Tables, absorb: AbsorbMajor) {
        for colour in Colour::ALL {
            let mut left = self.colours[colour.index()];
            while let Some(square) = left.first() {
                let area = self.area(colour, square, tables.stride);
                left = left.without(area);
                if self.label(square).is_some() {
                    self.refresh_barred(colour, area, tables.stride, absorb);
                }
            }
        }
    }
}

/// The changed areas of a placement before it is laid: their colours and squares.
pub(super) fn changed_areas(tables: &Tables, placement: Placement) -> ArrayVec<(Colour, ArrayVec<usize, 2>), 2> {
    let [one, other] = placement.squares(tables).map(Square::index);
    let mut areas = ArrayVec::new();
    if placement.first == placement.second {
        areas.push((placement.first, ArrayVec::from([one, other])));
    } else {
        areas.push((placement.first, ArrayVec::from_iter([one])));
        areas.push((placement.second, ArrayVec::from_iter([other])));
    }
    areas
}
