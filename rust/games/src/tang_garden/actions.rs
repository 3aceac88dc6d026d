//! Actions and outcomes: their ids and notation (TG-6.1, 6.2, 6.5, 13.3). The order of ids is the order of the enums.

use forbidden_games_core::contract::{Notation, Rules, Step, StepOf};
use forbidden_games_core::error::ParseActionError;
use forbidden_games_core::notation::normalize;
use forbidden_games_core::player::Turn;

use super::board::{CENTRAL, FREE, parse_square, square_name};
use super::components::{LETTERS, SIDES, SIZES, STACKS};
use super::game::Game;
use super::state::{LANTERNS, MOVE, State, lanterns_of};

/// One decision. Small numbers are indices: stacks `g w r t`, rotations, squares `8 * row + column`, kinds and characters in
/// the order of the component set, sides and facings `n e s w`, lanterns `build decorate move seek cards bottom wall`, sizes
/// `small large`, tracks `g w r`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // The fields are what the enum's text says.
pub enum Action {
    /// `build g d3 r0`: lay the face-up tile of a stack.
    Build { stack: u8, rotation: u8, square: u8 },
    /// `card lotus-coins d4`: place the decoration of a drawn card.
    Card { card: u8, square: u8 },
    /// `garden poet d5 s`: put a character into the garden.
    Garden { character: u8, square: u8, facing: u8 },
    /// `move poet d5 s`: move or turn an own figure, by lantern.
    Move { character: u8, square: u8, facing: u8 },
    /// `panorama s-a n`: put a shown landscape on a side.
    Panorama { landscape: u8, side: u8 },
    /// `seek s-d n`: put a landscape of the pile on a side, by lantern.
    SeekLandscape { landscape: u8, side: u8 },
    /// `take c2`: take a landscape token from the board.
    Take { square: u8 },
    /// `influence poet`: take a shown character.
    Influence { character: u8 },
    /// `influence blind`: take a character from the deck unseen.
    InfluenceBlind,
    /// `seek poet`: take a character out of the deck, by lantern.
    SeekCharacter { character: u8 },
    /// `level g`: advance a track.
    Level { track: u8 },
    /// `coins`: take a coin for each path edge.
    Coins,
    /// `decorate`: draw cards.
    Decorate,
    /// `done`: no second tile or card.
    Done,
    /// `end`: end the turn.
    End,
    /// `refresh move small`: make a used lantern ready.
    Refresh { lantern: u8, size: u8 },
    /// `cards`: a new market (solo).
    Cards,
    /// `bottom g`: exchange a face-up tile (solo).
    Bottom { stack: u8 },
    /// `wall g d3 r0`: build with one illegal edge (solo).
    Wall { stack: u8, rotation: u8, square: u8 },
    /// `pick poet`: choose one of the pair (solo).
    Pick { character: u8 },
    /// `neutral d5`: place the partner (solo).
    Neutral { square: u8 },
}

/// One result of a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// A tile kind.
    Tile(u8),
    /// A card kind.
    Card(u8),
    /// A character.
    Character(u8),
    /// A landscape kind.
    Landscape(u8),
    /// The size of a shuffled token (solo): 0 small, 1 large.
    Scatter(u8),
}

/// Number of ids of each kind of action, in the order of [`Action`].
const GROUPS: usize = 21;

impl Notation for Game {
    fn format_action(&self, action: Action) -> String {
        let components = &self.tables.components;
        let character = |index: u8| components.character_names[usize::from(index)].as_str();
        let landscape = |index: u8| components.landscapes[usize::from(index)].name.as_str();
        let side = |index: u8| SIDES[usize::from(index)];
        let stack = |index: u8| STACKS[usize::from(index)];
        match action {
            Action::Build { stack: from, rotation, square } => {
                format!("build {} {} r{rotation}", stack(from), square_name(square))
            }
            Action::Card { card, square } => format!("card {} {}", components.cards[usize::from(card)].name, square_name(square)),
            Action::Garden { character: who, square, facing } => {
                format!("garden {} {} {}", character(who), square_name(square), side(facing))
            }
            Action::Move { character: who, square, facing } => {
                format!("move {} {} {}", character(who), square_name(square), side(facing))
            }
            Action::Panorama { landscape: kind, side: to } => format!("panorama {} {}", landscape(kind), side(to)),
            Action::SeekLandscape { landscape: kind, side: to } => format!("seek {} {}", landscape(kind), side(to)),
            Action::Take { square } => format!("take {}", square_name(square)),
            Action::Influence { character: who } => format!("influence {}", character(who)),
            Action::InfluenceBlind => "influence blind".to_owned(),
            Action::SeekCharacter { character: who } => format!("seek {}", character(who)),
            Action::Level { track } => format!("level {}", LETTERS[usize::from(track)]),
            Action::Coins => "coins".to_owned(),
            Action::Decorate => "decorate".to_owned(),
            Action::Done => "done".to_owned(),
            Action::End => "end".to_owned(),
            Action::Refresh { lantern, size } => format!("refresh {} {}", LANTERNS[usize::from(lantern)], SIZES[usize::from(size)]),
            Action::Cards => "cards".to_owned(),
            Action::Bottom { stack: from } => format!("bottom {}", stack(from)),
            Action::Wall { stack: from, rotation, square } => format!("wall {} {} r{rotation}", stack(from), square_name(square)),
            Action::Pick { character: who } => format!("pick {}", character(who)),
            Action::Neutral { square } => format!("neutral {}", square_name(square)),
        }
    }

    fn parse_action(&self, text: &str) -> Result<Action, ParseActionError> {
        let normal = normalize(text);
        let words: Vec<&str> = normal.split(' ').collect();
        let solo = self.players == 1;
        let form = match words[0] {
            "build" => "build <stack g w r t> <square> r<0-3>",
            "card" => "card <card kind> <square>",
            "garden" => "garden <character> <square> <facing n e s w>",
            "move" => "move <character> <square> <facing n e s w>",
            "panorama" => "panorama <landscape> <side n e s w>",
            "seek" => "seek <landscape> <side n e s w>, or seek <character>",
            "take" => "take <square>",
            "influence" => "influence <character>, or influence blind",
            "refresh" if solo => "refresh <cards bottom move wall> <small large>",
            "refresh" => "refresh <build decorate move seek> <small large>",
            "level" => "level <track g w r>",
            "wall" if solo => "wall <stack g w r t> <central square> r<0-3>",
            "bottom" if solo => "bottom <stack g w r t>",
            "pick" if solo => "pick <character>",
            "neutral" if solo => "neutral <square>",
            _ if solo => {
                "build, wall, bottom, cards, card, panorama, garden, neutral, pick, move or refresh and what belongs to it"
            }
            _ => {
                "build, decorate, card, panorama, seek, take, level, coins, done, influence, garden, move, refresh or end and \
                 what belongs to it"
            }
        };
        self.action_of_words(&words, solo).ok_or_else(|| ParseActionError::new(text, form))
    }

    fn format_outcome(&self, outcome: Outcome) -> String {
        self.outcome_name(outcome).to_owned()
    }

    /// In a user's set two kinds of things can share a name: the first in id order is meant.
    fn parse_outcome(&self, text: &str) -> Result<Outcome, ParseActionError> {
        self.outcomes_named(text).next().ok_or_else(|| unknown_outcome(text))
    }

    /// In a user's set two kinds of things can share a name: the one that can be drawn is meant.
    fn parse_step(&self, state: &State, text: &str) -> Result<StepOf<Self>, ParseActionError> {
        if self.turn(state) != Turn::Chance {
            return self.parse_action(text).map(Step::Action);
        }
        let can_be_drawn = |outcome: &Outcome| self.weight_of(state, *outcome) > 0;
        let outcome = match self.outcomes_named(text).find(can_be_drawn) {
            Some(outcome) => outcome,
            None => self.parse_outcome(text)?,
        };
        Ok(Step::Outcome(outcome))
    }

    fn action_group(&self, action: Action) -> String {
        match action {
            Action::Build { square, .. } | Action::Wall { square, .. } | Action::Garden { square, .. } => square_name(square),
            other => self.format_action(other).split(' ').next().unwrap_or_default().to_owned(),
        }
    }

    fn is_square(&self, text: &str) -> bool {
        parse_square(&text.trim().to_ascii_lowercase()).is_some()
    }
}

fn unknown_outcome(text: &str) -> ParseActionError {
    ParseActionError::new(text, "the name of a tile, card, character or landscape kind, as in g04 or lotus-water")
}

impl Game {
    pub(super) fn outcome_name(&self, outcome: Outcome) -> &str {
        let components = &self.tables.components;
        match outcome {
            Outcome::Tile(kind) => &components.tiles[usize::from(kind)].name,
            Outcome::Card(kind) => &components.cards[usize::from(kind)].name,
            Outcome::Character(character) => &components.character_names[usize::from(character)],
            Outcome::Landscape(kind) => &components.landscapes[usize::from(kind)].name,
            Outcome::Scatter(size) => SIZES[usize::from(size)],
        }
    }

    /// Outcomes with this name, in id order.
    fn outcomes_named(&self, text: &str) -> impl Iterator<Item = Outcome> {
        let word = normalize(text);
        let all = (0..self.num_outcomes() as u32).filter_map(|id| self.outcome_from_id(id));
        all.filter(move |&outcome| self.outcome_name(outcome) == word)
    }

    /// Sizes of the id groups (TG-6.5).
    pub(super) fn group_sizes(&self) -> [u32; GROUPS] {
        let components = &self.tables.components;
        let (cards, landscapes) = (components.cards.len() as u32, components.landscapes.len() as u32);
        let solo = u32::from(self.players == 1);
        [
            4 * 4 * 44,
            cards * 48,
            12 * 48 * 4,
            12 * 48 * 4,
            landscapes * 4,
            landscapes * 4,
            44,
            12,
            1,
            12,
            3,
            1,
            1,
            1,
            1,
            8 + 6 * solo,
            solo,
            4 * solo,
            4 * 4 * 28 * solo,
            12 * solo,
            48 * solo,
        ]
    }

    fn action_of_words(&self, words: &[&str], solo: bool) -> Option<Action> {
        let components = &self.tables.components;
        let word = |list: &[&str], text: &str| list.iter().position(|known| *known == text).map(|index| index as u8);
        let stack = |text: &str| word(&STACKS, text);
        let side = |text: &str| word(&SIDES, text);
        let rotation = |text: &str| word(&["r0", "r1", "r2", "r3"], text);
        let free = |text: &str| parse_square(text).filter(|&square| FREE >> square & 1 == 1);
        let character = |text: &str| components.character_names.iter().position(|name| name == text).map(|index| index as u8);
        let landscape = |text: &str| components.landscapes.iter().position(|kind| kind.name == text).map(|index| index as u8);
        let card = |text: &str| components.cards.iter().position(|kind| kind.name == text).map(|index| index as u8);
        Some(match *words {
            ["build", from, at, turn] => Action::Build { stack: stack(from)?, rotation: rotation(turn)?, square: free(at)? },
            ["card", kind, at] => Action::Card { card: card(kind)?, square: parse_square(at)? },
            ["garden", who, at, to] => Action::Garden { character: character(who)?, square: parse_square(at)?, facing: side(to)? },
            ["move", who, at, to] => Action::Move { character: character(who)?, square: parse_square(at)?, facing: side(to)? },
            ["panorama", kind, to] => Action::Panorama { landscape: landscape(kind)?, side: side(to)? },
            ["seek", kind, to] => Action::SeekLandscape { landscape: landscape(kind)?, side: side(to)? },
            ["take", at] => Action::Take { square: free(at)? },
            ["influence", "blind"] => Action::InfluenceBlind,
            ["influence", who] => Action::Influence { character: character(who)? },
            ["seek", who] => Action::SeekCharacter { character: character(who)? },
            ["level", track] => Action::Level { track: word(&["g", "w", "r"], track)? },
            ["coins"] => Action::Coins,
            ["decorate"] => Action::Decorate,
            ["done"] => Action::Done,
            ["end"] => Action::End,
            ["refresh", lantern, size] => {
                // The ids of a solo game have room for all seven; with more players the last three are no notation.
                let lantern = word(&LANTERNS, lantern)?;
                if !solo && !lanterns_of(self.players).contains(&lantern) {
                    return None;
                }
                Action::Refresh { lantern, size: word(&SIZES, size)? }
            }
            ["cards"] if solo => Action::Cards,
            ["bottom", from] if solo => Action::Bottom { stack: stack(from)? },
            ["wall", from, at, turn] if solo => Action::Wall {
                stack: stack(from)?,
                rotation: rotation(turn)?,
                square: free(at).filter(|&square| CENTRAL >> square & 1 == 1)?,
            },
            ["pick", who] if solo => Action::Pick { character: character(who)? },
            ["neutral", at] if solo => Action::Neutral { square: parse_square(at)? },
            _ => return None,
        })
    }
}

const _: () = assert!(MOVE == 2, "the shared lantern keeps its id in both games");
