//! Why an action is not legal: the rule and the reason, for people. What is legal is decided in `legal.rs` alone.

use forbidden_games_core::error::Refusal;

use super::actions::{Action, Payment};
use super::cards::{Spirit, Window};
use super::game::Game;
use super::legal::Choices;
use super::squares::later;
use super::state::{Phase, State};

pub(super) fn check_action(game: &Game, state: &State, action: Action) -> Result<(), Refusal> {
    if !game.exists(action) {
        return Err(Refusal::new("DC-6.2", "there is no such square or type in this game"));
    }
    let mut choices = Choices::default();
    game.choices(state, &mut choices);
    if choices.contains(action) { Ok(()) } else { Err(game.explain(state, action)) }
}

impl Game {
    fn explain(&self, state: &State, action: Action) -> Refusal {
        if state.phase == Phase::Terminal {
            return Refusal::new("DC-7.1", "the game is over");
        }
        if state.phase.is_chance() {
            return Refusal::new("CONVENTIONS 2", "this is a chance node: a draw comes first");
        }
        if let Action::Spirit(card, payment) = action {
            return self.explain_spirit(state, card, payment);
        }
        if !fits(state.phase, action) {
            return Refusal::new("DC-6.2", format!("the phase is {}, in which one may {}", state.phase.name(), offers(state)));
        }
        match action {
            Action::Take(square) => self.explain_take(state, square),
            Action::Summon => self.explain_summon(state),
            Action::Pair(square) => self.explain_pair(state, square),
            Action::Shrine | Action::Discard => self.explain_second(state, action),
            Action::Place(square) => self.explain_place(state, square),
            Action::Build(square) => self.explain_build(state, square),
            Action::Done => Refusal::new("DC-5.27", "after mason every shrine of the raised limit must be built"),
            Action::Consolidate(square) => {
                Refusal::new("DC-5.11", format!("{} is not the first square of a waiting set", self.realm_square(square)))
            }
            Action::Set(square) => self.explain_set(state, square),
            Action::Wild(square, kind) => self.explain_wild(state, square, kind),
            Action::Swap(x, y) => self.explain_swap(state, x, y),
            Action::Flip(square) => Refusal::new("DC-5.21", format!("{} shows no face-up tile to flip", self.realm_square(square))),
            Action::From(square) => Refusal::new("DC-5.21", format!("there is no shrine on {}", self.realm_square(square))),
            Action::To(square) => {
                let reason =
                    format!("{}: {}; a shrine goes to a bare square", self.realm_square(square), self.describe(state, square));
                Refusal::new("DC-5.21", reason)
            }
            Action::Lift(square) => self.explain_lift(state, square),
            Action::Drop(square) => self.explain_drop(state, square),
            Action::Pass => match state.phase {
                Phase::WindFlip => Refusal::new("DC-5.21", "there is no bare square for the shrine: a tile must be flipped"),
                _ => Refusal::new("DC-5.22", "the first move of strength must be made"),
            },
            Action::Spirit(..) => Refusal::new("DC-5.14", "this spirit cannot be used now"),
        }
    }

    fn explain_take(&self, state: &State, square: u8) -> Refusal {
        let at = usize::from(square);
        let name = self.castle_square(square);
        let height = state.castle[at].height();
        if height == 0 {
            return Refusal::new("DC-5.4", format!("there is no stack on {name}"));
        }
        match state.turn.bound {
            Some(Spirit::Stair) if height == state.top_floor => {
                Refusal::new("DC-5.26", format!("{name} is on the top floor, stair takes from a lower one"))
            }
            Some(Spirit::Elegance) if state.available.has(at) => {
                Refusal::new("DC-5.23", format!("{name} is available anyway; the first pick must need elegance"))
            }
            Some(Spirit::Elegance) if height == state.top_floor => {
                Refusal::new("DC-5.23", format!("{name} is not free on a short side"))
            }
            _ if height < state.top_floor && state.turn.bound != Some(Spirit::Stair) => Refusal::new(
                "DC-5.4",
                format!("{name} has height {height}, the first pick is of the top floor {}", state.top_floor),
            ),
            _ => Refusal::new("DC-5.3", format!("both long sides of {name} are blocked")),
        }
    }

    fn explain_summon(&self, state: &State) -> Refusal {
        match state.turn.bound {
            Some(card) => Refusal::new("DC-5.18", format!("{} binds the next pick", card.name())),
            None => Refusal::new("DC-5.4", format!("the castle still has {} floors, summon needs at most 1", state.top_floor)),
        }
    }

    fn explain_pair(&self, state: &State, square: u8) -> Refusal {
        let at = usize::from(square);
        let name = self.castle_square(square);
        let stack = state.castle[at];
        let open = state.masks[state.seat()].open(self.tables.realm.all).count_ones();
        let Some(shown) = stack.symbol() else {
            return Refusal::new("DC-5.6", format!("there is no stack on {name}"));
        };
        let first = state.turn.hand.as_slice().first().copied().unwrap_or_default();
        let text = |symbol: u16| self.settings.components.symbols[usize::from(symbol)].text.as_str();
        if open < 2 {
            return Refusal::new("DC-5.7", format!("a pair needs 2 open squares in the realm, there are {open}"));
        }
        match state.turn.bound {
            Some(Spirit::Deception) => {
                let reason = if self.pairs(state).has(at) {
                    format!("{name} could be taken without deception")
                } else {
                    format!("{name} does not lie beside the first tile on its floor")
                };
                return Refusal::new("DC-5.24", reason);
            }
            Some(Spirit::Kinship) if shown == first => {
                return Refusal::new("DC-5.29", format!("{name} shows {} as well, kinship takes another symbol", text(shown)));
            }
            Some(Spirit::Kinship) if self.kind(shown) != self.kind(first) => {
                return Refusal::new("DC-5.29", format!("{name} shows {}, of another type than {}", text(shown), text(first)));
            }
            Some(Spirit::Elegance) if shown == first && state.available.has(at) => {
                return Refusal::new("DC-5.23", format!("{name} is available anyway; the second pick must need elegance"));
            }
            Some(Spirit::Elegance) if shown == first => {
                return Refusal::new("DC-5.23", format!("{name} is not free on a short side"));
            }
            Some(Spirit::Kinship) => {}
            _ if shown != first => {
                return Refusal::new("DC-5.6", format!("{name} shows {}, the first tile {}", text(shown), text(first)));
            }
            _ => {}
        }
        Refusal::new("DC-5.3", format!("both long sides of {name} are blocked"))
    }

    fn explain_second(&self, state: &State, action: Action) -> Refusal {
        if let Some(card) = state.turn.bound {
            return Refusal::new("DC-5.18", format!("{} binds the next pick: pair is compulsory", card.name()));
        }
        match action {
            Action::Shrine if state.supply == 0 => Refusal::new("DC-5.6", "the supply has no shrine left"),
            _ => Refusal::new("DC-5.7", "shrine needs an open square in the realm, there is none"),
        }
    }

    fn explain_place(&self, state: &State, square: u8) -> Refusal {
        let open = state.masks[state.seat()].open(self.tables.realm.all);
        let name = self.realm_square(square);
        if open >> square & 1 == 0 {
            return Refusal::new("DC-5.1", format!("{name} is not open: {}", self.describe(state, square)));
        }
        match state.turn.after {
            Some(after) => Refusal::new(
                "DC-5.9",
                format!("equal tiles are placed in reading order: {name} is not later than {}", self.realm_square(after)),
            ),
            None => Refusal::new("DC-5.9", format!("{name} is the last open square: the second of two equal tiles comes later")),
        }
    }

    fn explain_build(&self, state: &State, square: u8) -> Refusal {
        let turn = &state.turn;
        let name = self.realm_square(square);
        if turn.set >> square & 1 == 0 {
            return Refusal::new("DC-5.13", format!("{name} is not in the set just consolidated"));
        }
        match turn.after {
            Some(after) if later(after) >> square & 1 == 0 => Refusal::new(
                "DC-5.13",
                format!("shrines are built in reading order: {name} is not later than {}", self.realm_square(after)),
            ),
            _ => Refusal::new(
                "DC-5.27",
                format!("too few squares are left after {name} for the {} shrines that must be built", turn.builds),
            ),
        }
    }

    fn explain_set(&self, state: &State, square: u8) -> Refusal {
        let face_up = state.masks[state.seat()].face_up;
        let name = self.realm_square(square);
        let group = self.beauty_groups(state, state.seat(), face_up).find(|group| group >> square & 1 != 0);
        let reason = match group {
            Some(group) => {
                format!("{name} is not the first square of its group, that is {}", self.realm_square(group.trailing_zeros() as u8))
            }
            None => format!("{name} is in no group of 4 face-up faction tiles of one number"),
        };
        Refusal::new("DC-5.20", reason)
    }

    fn explain_wild(&self, state: &State, square: u8, kind: u8) -> Refusal {
        let types = self.type_masks(state, state.seat());
        let name = self.realm_square(square);
        let own = (0..self.settings.components.types.len()).find(|&own| types[own] >> square & 1 != 0);
        let reason = match own {
            None => format!("{name} shows no face-up tile"),
            Some(own) if self.settings.components.types[own].is_faction => {
                format!("{name} shows a faction tile, change needs a special one")
            }
            Some(own) if own == usize::from(kind) => format!("{name} is of that type already"),
            Some(own) if self.tables.realm.group(1 << square, types[own]).count_ones() >= 4 => {
                format!("{name} is in a set of its own type")
            }
            Some(_) => format!("counted as that type, {name} lies in a group of fewer than 4"),
        };
        Refusal::new("DC-5.25", reason)
    }

    fn explain_swap(&self, state: &State, x: u8, y: u8) -> Refusal {
        let face_up = state.masks[state.seat()].face_up;
        let missing = [x, y].into_iter().find(|&square| face_up >> square & 1 == 0);
        let reason = match missing {
            Some(square) => format!("{} shows no face-up tile", self.realm_square(square)),
            None => format!("{} and {} are of one type", self.realm_square(x), self.realm_square(y)),
        };
        Refusal::new("DC-5.28", reason)
    }

    fn explain_lift(&self, state: &State, square: u8) -> Refusal {
        let masks = state.masks[state.seat()];
        let name = self.realm_square(square);
        let reason = if masks.stacks >> square & 1 == 0 {
            format!("{name} is empty")
        } else if masks.shrines >> square & 1 != 0 {
            format!("a shrine stands on {name}")
        } else if state.turn.moved == Some(square) {
            format!("the tile on {name} has just been moved")
        } else {
            format!("there is no open square for the tile on {name} to go to")
        };
        Refusal::new("DC-5.22", reason)
    }

    fn explain_drop(&self, state: &State, square: u8) -> Refusal {
        let name = self.realm_square(square);
        let reason = match state.turn.lifted {
            Some(lifted) if lifted.square == square => format!("the tile was lifted from {name}, it goes to another square"),
            _ => format!("{name} is not open: {}", self.describe(state, square)),
        };
        Refusal::new("DC-5.22", reason)
    }

    fn explain_spirit(&self, state: &State, card: Spirit, payment: Payment) -> Refusal {
        let name = card.name();
        let turn = &state.turn;
        if !state.spirits.has(card.index()) {
            return Refusal::new("DC-5.15", format!("{name} is not in play"));
        }
        let Some(window) = state.phase.window() else {
            return Refusal::new("DC-5.15", format!("no spirit can be used in the phase {}", state.phase.name()));
        };
        if let Some(bound) = turn.bound {
            return Refusal::new("DC-5.18", format!("{} binds the next pick, no other spirit before it", bound.name()));
        }
        if turn.used.has(card.index()) {
            return Refusal::new("DC-5.16", format!("{name} has been used in this turn"));
        }
        if !card.windows().contains(&window) {
            let windows: Vec<_> = card.windows().iter().map(|window| window.name()).collect();
            return Refusal::new("DC-5.15", format!("{name} is used in {}, this is {}", windows.join(", "), window.name()));
        }
        if window == Window::Build && turn.after.is_some() {
            return Refusal::new("DC-5.27", "mason is used before the first shrine of the set is built");
        }
        let seat = state.seat();
        match payment {
            Payment::Shrine if state.pools[seat] == 0 => {
                return Refusal::new("DC-5.14", "there is no shrine in the pool to pay with");
            }
            Payment::Tile(square) if state.masks[seat].face_up >> square & 1 == 0 => {
                let reason =
                    format!("only a face-up tile can pay; {}: {}", self.realm_square(square), self.describe(state, square));
                return Refusal::new("DC-5.14", reason);
            }
            Payment::Tile(square) if turn.pending >> square & 1 != 0 => {
                return Refusal::new(
                    "DC-5.14",
                    format!("{} belongs to a set that waits to be consolidated", self.realm_square(square)),
                );
            }
            _ => {}
        }
        let open = state.masks[seat].open(self.tables.realm.all).count_ones() + u32::from(payment != Payment::Shrine);
        if card.is_binding() && window == Window::Second && open < 2 {
            return Refusal::new("DC-5.30", format!("{name} needs 2 open squares after payment, there are {open}"));
        }
        Refusal::new(card.rule(), format!("after this payment {name} could not be carried out"))
    }

    fn kind(&self, symbol: u16) -> u8 {
        self.settings.components.symbols[usize::from(symbol)].kind
    }

    /// What lies on a square of the realm of the seat to move, in words.
    fn describe(&self, state: &State, square: u8) -> &'static str {
        let masks = state.masks[state.seat()];
        let bit = 1_u64 << square;
        if masks.shrines & bit != 0 {
            "a shrine stands there"
        } else if masks.face_up & bit != 0 {
            "a face-up tile lies there"
        } else if masks.stacks & bit != 0 {
            "a face-down tile lies there"
        } else {
            "it is empty"
        }
    }
}

/// Whether this kind of action belongs to the phase at all.
fn fits(phase: Phase, action: Action) -> bool {
    match action {
        Action::Take(_) | Action::Summon => phase == Phase::Turn,
        Action::Pair(_) | Action::Shrine | Action::Discard => phase == Phase::Second,
        Action::Place(_) => phase == Phase::Place,
        Action::Consolidate(_) => phase == Phase::Consolidate,
        Action::Build(_) | Action::Done => phase == Phase::Build,
        Action::Set(_) => phase == Phase::Beauty,
        Action::Wild(..) => phase == Phase::Change,
        Action::Swap(..) => phase == Phase::Mirror,
        Action::Flip(_) => phase == Phase::WindFlip,
        Action::From(_) => phase == Phase::WindFrom,
        Action::To(_) => phase == Phase::WindTo,
        Action::Lift(_) => phase == Phase::StrengthLift,
        Action::Drop(_) => phase == Phase::StrengthDrop,
        Action::Pass => matches!(phase, Phase::Settle | Phase::End | Phase::WindFlip | Phase::StrengthLift),
        Action::Spirit(..) => phase.window().is_some(),
    }
}

/// The verbs of a phase.
fn offers(state: &State) -> &'static str {
    match state.phase {
        Phase::Turn => "take a tile, summon or use a spirit",
        Phase::Second => "pair, shrine, discard or use a spirit",
        Phase::Place => "place a tile",
        Phase::Settle | Phase::End => "use a spirit or pass",
        Phase::Consolidate => "consolidate a set",
        Phase::Build => "build, use mason or be done",
        Phase::Beauty => "name a set",
        Phase::Change => "name a wild tile and its type",
        Phase::Mirror => "swap two tiles",
        Phase::WindFlip => "flip a tile or pass",
        Phase::WindFrom => "name the shrine to move from",
        Phase::WindTo => "name the square to move it to",
        Phase::StrengthLift => "lift a tile",
        Phase::StrengthDrop => "drop the lifted tile",
        _ => "wait",
    }
}
