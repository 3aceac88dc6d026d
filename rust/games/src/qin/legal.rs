//! What may be laid where (QN-5.2, QN-5.6, QN-5.7).
//!
//! A tile is illegal only through a join. The two areas of a two-colour tile do not touch, so a colour on one square of it is
//! judged once for all pairs; one colour on both squares is judged per pair. The verdicts are kept as sets of squares and renewed
//! around an area that has changed.

use arrayvec::ArrayVec;
use forbidden_games_core::error::Refusal;
use forbidden_games_core::player::Turn;

use super::Game;
use super::actions::{Action, Colour, Direction, Kind, Placement, Square};
use super::bits::Bits;
use super::ground::Ground;
use super::options::AbsorbMajor;
use super::state::{Hand, State};
use super::table::{Label, Province, Table, with_table};

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
pub(super) fn judge_join(former: impl Iterator<Item = Province> + Clone, absorb: AbsorbMajor) -> Result<usize, Fault> {
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

impl<L: Label, const W: usize, const S: usize, const P: usize, const V: usize> Table<L, W, S, P, V> {
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
        labels.len() > 1 && judge_join(labels.iter().map(|&label| self.provinces[label]), absorb).is_err()
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

    /// Calls `visit` with every set of placements in the order of ids, until it returns something.
    #[inline(always)]
    fn each_open<T>(
        &self,
        ground: &Ground,
        hand: Hand,
        mut visit: impl FnMut(Colour, Colour, Direction, Bits<W>) -> Option<T>,
    ) -> Option<T> {
        for first in Colour::ALL {
            for second in Colour::ALL {
                if hand.count(Kind::of(first, second)) > 0 {
                    for direction in Direction::ALL {
                        let found = visit(first, second, direction, self.open(first, second, direction, ground.step(direction)));
                        if found.is_some() {
                            return found;
                        }
                    }
                }
            }
        }
        None
    }

    /// Appends all placements of a hand.
    pub(super) fn list(&self, ground: &Ground, hand: Hand, out: &mut Vec<Action>) {
        self.each_open(ground, hand, |first, second, direction, squares| {
            out.extend(
                squares.iter().map(|square| Action::Place(Placement { first, second, direction, square: Square(square as u16) })),
            );
            None::<()>
        });
    }

    /// How many placements a hand has.
    pub(super) fn count(&self, ground: &Ground, hand: Hand) -> u32 {
        let mut count = 0;
        self.each_open(ground, hand, |_, _, _, squares| {
            count += squares.count();
            None::<()>
        });
        count
    }

    /// The placement that stands in the list of a hand where `pick` says, which is told the length of the list.
    #[inline]
    pub(super) fn pick(&self, ground: &Ground, hand: Hand, pick: impl FnOnce(u32) -> u32) -> Option<Placement> {
        // Three tiles of two colours, two ways round, two directions.
        let mut sets = ArrayVec::<(Colour, Colour, Direction, Bits<W>, u32), 12>::new();
        let mut length = 0;
        self.each_open(ground, hand, |first, second, direction, squares| {
            let here = squares.count();
            length += here;
            sets.push((first, second, direction, squares, here));
            None::<()>
        });
        let mut rank = pick(length);
        for &(first, second, direction, ref squares, here) in &sets {
            if rank < here {
                return Some(Placement { first, second, direction, square: Square(squares.nth(rank) as u16) });
            }
            rank -= here;
        }
        None
    }
}

/// The changed areas of a placement before it is laid: their colours and squares.
pub(super) fn changed_areas(ground: &Ground, placement: Placement) -> ArrayVec<(Colour, ArrayVec<usize, 2>), 2> {
    let one = placement.square.index();
    let other = one + ground.step(placement.direction);
    let mut areas = ArrayVec::new();
    if placement.first == placement.second {
        areas.push((placement.first, ArrayVec::from([one, other])));
    } else {
        areas.push((placement.first, ArrayVec::from_iter([one])));
        areas.push((placement.second, ArrayVec::from_iter([other])));
    }
    areas
}

impl Game {
    /// Why an action is refused; rule and reason.
    pub(super) fn check(&self, state: &State, action: Action) -> Result<(), Refusal> {
        let Turn::Player(player) = state.public.turn() else {
            return Err(Refusal::new("CONVENTIONS 2", "this is no decision node: nobody lays a tile now"));
        };
        let hand = state.hands[player.index()];
        match action {
            Action::Pass => match with_table!(&state.public.field, table => table.count(&self.ground, hand)) {
                0 => Ok(()),
                count => Err(Refusal::new("QN-5.14", format!("seat {player} has {count} legal placements and may not pass"))),
            },
            Action::Place(placement) => self.check_placement(state, hand, placement),
        }
    }

    fn check_placement(&self, state: &State, hand: Hand, placement: Placement) -> Result<(), Refusal> {
        let field = &state.public.field;
        if self.ground.pair_number(placement.direction, placement.square).is_none() {
            return Err(Refusal::new("QN-6.1", "these squares are not two adjacent squares of this board"));
        }
        let kind = placement.kind();
        if hand.count(kind) == 0 {
            return Err(Refusal::new("QN-5.1", format!("no {} in the hand ({hand})", kind.name())));
        }
        let squares = [placement.square, Square(placement.square.0 + self.ground.step(placement.direction) as u16)];
        for square in squares {
            if !field.is_free(square) {
                let what = match (field.colour(square), self.ground.character(square)) {
                    (Some(colour), _) => format!("a {} space", colour.name()),
                    (None, b'~') => "water".to_owned(),
                    _ => "a village".to_owned(),
                };
                let rule = if what == "water" { "QN-2.1" } else { "QN-5.2" };
                return Err(Refusal::new(rule, format!("{} is {what}, tiles go on free grass", self.ground.name(square))));
            }
        }
        if !field.is_free_pair(placement.direction, placement.square) {
            let [one, other] = squares.map(|square| self.ground.name(square));
            return Err(Refusal::new("QN-5.2", format!("neither {one} nor {other} is adjacent to a province space")));
        }
        for (colour, squares) in changed_areas(&self.ground, placement) {
            self.check_join(state, colour, &squares)?;
        }
        Ok(())
    }

    fn check_join(&self, state: &State, colour: Colour, squares: &[usize]) -> Result<(), Refusal> {
        let field = &state.public.field;
        let labels = with_table!(field, table => table.provinces_beside(colour, squares, self.ground.stride));
        if labels.len() < 2 {
            return Ok(());
        }
        let former = labels.iter().map(|&label| field.province(label));
        let Err(fault) = judge_join(former.clone(), self.settings.absorb_major) else { return Ok(()) };
        let name = colour.name();
        let totals = |seat: usize| former.clone().filter(|p| p.owner() == seat).map(Province::spaces).sum::<usize>();
        Err(match fault {
            Fault::TwoMajors => {
                let majors: Vec<_> =
                    former.clone().filter(|p| p.is_major()).map(|p| format!("{} of seat {}", p.spaces(), p.owner())).collect();
                Refusal::new("QN-5.7a", format!("the {name} join would have two major provinces ({})", majors.join(", ")))
            }
            Fault::Tie => {
                let highest = (0..4).map(totals).max().unwrap_or(0);
                let seats: Vec<_> = (0..4).filter(|&seat| totals(seat) == highest).map(|seat| seat.to_string()).collect();
                Refusal::new("QN-5.7b", format!("seats {} each bring {highest} spaces to the {name} join", seats.join(" and ")))
            }
            Fault::MajorLost => {
                let major = former.clone().find(|p| p.is_major()).unwrap_or_default();
                let highest = (0..4).max_by_key(|&seat| totals(seat)).unwrap_or(0);
                Refusal::new(
                    "QN-5.7c",
                    format!(
                        "seat {} would lose its major province of {} to seat {highest} with {} spaces",
                        major.owner(),
                        major.spaces(),
                        totals(highest)
                    ),
                )
            }
        })
    }
}
