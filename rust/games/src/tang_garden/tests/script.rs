//! The script language of TG-11.1: the worked examples of the rule page run from `tests/golden/tang_garden/*.script`.

use serde_json::{Map, Value};

use forbidden_games_core::contract::{self, Audit, Data, Notation, Rules, Setup, Step};
use forbidden_games_core::event::NoEvents;
use forbidden_games_core::outcome::Fraction;
use forbidden_games_core::player::Turn;

use crate::tang_garden::board::parse_square;
use crate::tang_garden::components::DECORATIONS;
use crate::tang_garden::{Game, State};

/// Starters and what follows the tiles in `std`.
const STANDARD_STARTERS: [&str; 4] = ["architect", "child", "empress", "hermit"];
const STANDARD_REST: &str = "emperor lady s-a s-a s-c s-c s-aa s-ac l-ad l-cm";

/// A game under way, and the state JSON while it is being edited.
struct Run {
    game: Game,
    state: State,
    edited: Option<Value>,
}

/// Runs a script; the error names the line.
pub(super) fn run(text: &str) -> Result<(), String> {
    let mut run: Option<Run> = None;
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        for command in line.split('|').map(str::trim).filter(|command| !command.is_empty()) {
            let (verb, rest) = command.split_once(' ').unwrap_or((command, ""));
            let fail = |reason: String| format!("line {}: {command}: {reason}", number + 1);
            match (verb, &mut run) {
                ("new" | "std", slot) => *slot = Some(begin(verb, rest).map_err(fail)?),
                (_, Some(run)) => run.command(verb, rest).map_err(fail)?,
                _ => return Err(fail("no game yet".to_owned())),
            }
        }
    }
    Ok(())
}

fn begin(verb: &str, rest: &str) -> Result<Run, String> {
    let (given, plain): (Vec<&str>, Vec<&str>) = rest.split_whitespace().partition(|word| word.contains('='));
    let mut options = Map::new();
    for word in given {
        let (name, text) = word.split_once('=').unwrap_or_default();
        let spec = Game::option_schema().into_iter().find(|spec| spec.name == name).ok_or(format!("no option {name}"))?;
        options.insert(name.to_owned(), spec.parse(text).map_err(|error| error.to_string())?);
    }
    let players = plain[0].parse().map_err(|_| "no number of players".to_owned())?;
    let game = Game::new(players, &options, None).map_err(|error| error.to_string())?;
    let mut run = Run { state: game.new_state(), game, edited: None };
    if verb == "std" {
        let outcomes = plain[1..5].iter().chain(&STANDARD_STARTERS[..players]).copied().chain(STANDARD_REST.split(' '));
        for outcome in outcomes {
            run.draw(outcome)?;
        }
    }
    Ok(run)
}

fn at<'a>(value: &'a mut Value, path: &str) -> Result<&'a mut Value, String> {
    path.split('.').try_fold(value, |value, key| match key.parse::<usize>() {
        Ok(index) => value.get_mut(index).ok_or(format!("no {key} in {path}")),
        Err(_) => value.get_mut(key).ok_or(format!("no {key} in {path}")),
    })
}

fn add(value: &mut Value, path: &str, change: i64) -> Result<(), String> {
    let slot = at(value, path)?;
    *slot = Value::from(slot.as_i64().unwrap_or(0) + change);
    Ok(())
}

/// Takes one copy out of a bag.
fn take_copy(value: &mut Value, path: &str, kind: &str) -> Result<(), String> {
    let bag = at(value, path)?.as_object_mut().ok_or("no bag")?;
    let count = bag.get(kind).and_then(Value::as_i64).ok_or(format!("no {kind} in {path}"))?;
    if count > 1 {
        bag.insert(kind.to_owned(), (count - 1).into());
    } else {
        bag.shift_remove(kind);
    }
    Ok(())
}

impl Run {
    fn draw(&mut self, outcome: &str) -> Result<(), String> {
        if self.game.turn(&self.state) != Turn::Chance {
            return Err(format!("{outcome}: no chance node but phase {}", self.game.phase(&self.state)));
        }
        let step = self.game.parse_step(&self.state, outcome).map_err(|error| error.to_string())?;
        self.play(step)
    }

    fn play(&mut self, step: Step<crate::tang_garden::Action, crate::tang_garden::Outcome>) -> Result<(), String> {
        contract::play(&self.game, &mut self.state, step, &mut NoEvents).map_err(|error| error.to_string())?;
        self.game.check_invariants(&self.state)
    }

    fn legal(&self) -> Vec<String> {
        let mut actions = Vec::new();
        self.game.legal_actions(&self.state, &mut actions);
        actions.into_iter().map(|action| self.game.format_action(action)).collect()
    }

    /// Edits in a row are one change: the state is loaded before the next command of another kind.
    fn load(&mut self) -> Result<(), String> {
        if let Some(value) = self.edited.take() {
            self.state = self.game.state_from_json(&value).map_err(|error| error.to_string())?;
            self.game.check_invariants(&self.state)?;
            assert_eq!(self.game.state_to_json(&self.state), value, "a loaded state is written as it was read");
        }
        Ok(())
    }

    fn command(&mut self, verb: &str, rest: &str) -> Result<(), String> {
        let items = || rest.split(';').map(str::trim).filter(|item| !item.is_empty());
        if matches!(verb, "edit" | "lay" | "adorn" | "stand") {
            let mut value = self.edited.take().unwrap_or_else(|| self.game.state_to_json(&self.state));
            items().try_for_each(|item| edit(&self.game, verb, item, &mut value))?;
            self.edited = Some(value);
            return Ok(());
        }
        self.load()?;
        let game = &self.game;
        match verb {
            "draw" => rest.split_whitespace().try_for_each(|outcome| self.draw(outcome)),
            "do" => items().try_for_each(|item| {
                let action = self.game.parse_action(item).map_err(|error| error.to_string())?;
                self.play(Step::Action(action)).map_err(|error| format!("{item}: {error}"))
            }),
            "is" => {
                let mut value = game.state_to_json(&self.state);
                items().try_for_each(|item| {
                    let (path, json) = item.split_once(' ').ok_or("no value")?;
                    let wanted: Value = serde_json::from_str(json).map_err(|error| format!("{json}: {error}"))?;
                    same(at(&mut value, path)?.to_string(), wanted.to_string(), path)
                })
            }
            "can" | "cannot" => {
                let legal = self.legal();
                items().try_for_each(|item| {
                    let action = game.parse_action(item).map_err(|error| error.to_string())?;
                    let checked = game.check_action(&self.state, action);
                    let listed = legal.iter().any(|text| text == item);
                    same(checked.is_ok(), listed, item)?;
                    same(listed, verb == "can", item)
                })
            }
            "legal" => {
                let legal = self.legal();
                items().try_for_each(|item| {
                    let (first, count) = item.split_once(' ').ok_or("no number")?;
                    let found = legal.iter().filter(|text| first == "all" || text.split(' ').next() == Some(first)).count();
                    same(found.to_string(), count.to_owned(), &format!("{first} in {legal:?}"))
                })
            }
            "chance" => {
                let mut outcomes = Vec::new();
                game.chance_outcomes(&self.state, &mut outcomes);
                let total: u32 = outcomes.iter().map(|(_, weight)| weight).sum();
                let found: Vec<String> = outcomes
                    .into_iter()
                    .map(|(o, weight)| format!("{} {}", game.format_outcome(o), Fraction::new(weight.into(), total.into())))
                    .collect();
                same(found, items().map(str::to_owned).collect(), "outcomes")
            }
            "result" => {
                let returns: Vec<String> = game.exact_returns(&self.state).iter().map(ToString::to_string).collect();
                let found = serde_json::json!([game.scores(&self.state).as_slice(), game.ranking(&self.state).as_slice(), returns]);
                same(game.turn(&self.state), Turn::Over, "node")?;
                same(found.to_string(), rest.to_owned(), "result")
            }
            "figure" => items().try_for_each(|item| {
                let words: Vec<&str> = item.split(' ').collect();
                let square = parse_square(words[0]).ok_or("no square")?;
                let character = self.state.figures.iter().position(|figure| figure.square == square).ok_or("no figure")?;
                let figure = self.state.figures[character];
                let found = [game.decorations_seen(&self.state, figure), game.view_coins(&self.state, character, figure)];
                same(found.map(|coins| coins.to_string()).join(" "), words[1..].join(" "), words[0])
            }),
            "sheet" => {
                let (seat, wanted) = rest.split_once(' ').ok_or("no items")?;
                let seat: usize = seat.parse().map_err(|_| "no seat")?;
                let found = serde_json::json!(game.final_items(&self.state)[seat]);
                same(found.to_string(), serde_json::from_str::<Value>(wanted).unwrap_or_default().to_string(), "sheet")
            }
            _ => Err("no command".to_owned()),
        }
    }
}

fn same<T: PartialEq + std::fmt::Debug>(found: T, wanted: T, what: &str) -> Result<(), String> {
    if found == wanted { Ok(()) } else { Err(format!("{what}: found {found:?}, the script says {wanted:?}")) }
}

/// Inserts `entry` into a list of lists whose first element is a square, in board order.
fn insert_by_square(
    value: &mut Value,
    path: &str,
    entry: Value,
    rank: impl Fn(&Value) -> (Option<u8>, usize),
) -> Result<(), String> {
    let list = at(value, path)?.as_array_mut().ok_or("no list")?;
    let place = list.iter().position(|other| rank(other) > rank(&entry)).unwrap_or(list.len());
    list.insert(place, entry);
    Ok(())
}

fn edit(game: &Game, verb: &str, item: &str, value: &mut Value) -> Result<(), String> {
    let words: Vec<&str> = item.split(' ').collect();
    let names = &game.tables.components.decorations;
    let rank = |entry: &Value| {
        let name = entry[1].as_str().unwrap_or_default();
        (entry[0].as_str().and_then(parse_square), names.iter().position(|known| known == name).unwrap_or(DECORATIONS))
    };
    match (verb, &words[..]) {
        ("edit", [path, ..]) => {
            let json = item.split_once(' ').map_or("", |(_, json)| json);
            *at(value, path)? = serde_json::from_str(json).map_err(|error| format!("{json}: {error}"))?;
        }
        ("lay", &[square, kind, rotation]) => {
            take_copy(value, &format!("stacks.{}.down", &kind[..1]), kind)?;
            let turns: u8 = rotation[1..].parse().map_err(|_| "no rotation")?;
            insert_by_square(value, "tiles", serde_json::json!([square, kind, turns]), rank)?;
        }
        ("adorn", &[square, decoration, seat]) => {
            add(value, &format!("pieces.{decoration}"), -1)?;
            insert_by_square(value, "decorations", serde_json::json!([square, decoration]), rank)?;
            add(value, &format!("seats.{seat}.cards.{decoration}"), 1)?;
            let of_kind = |card: &&super::super::components::CardKind| names[usize::from(card.decoration)] == decoration;
            let in_deck = |card: &&super::super::components::CardKind| value["cards"]["deck"].get(&card.name).is_some();
            let card = game.tables.components.cards.iter().filter(of_kind).find(in_deck).ok_or("no card left")?;
            take_copy(value, "cards.deck", &card.name.clone())?;
        }
        ("stand", &[square, character, seat, facing]) => {
            let deck = at(value, "characters.deck")?.as_array_mut().ok_or("no deck")?;
            let place = deck.iter().position(|other| other == character).ok_or("not in the deck")?;
            deck.remove(place);
            let seat: usize = seat.parse().map_err(|_| "no seat")?;
            insert_by_square(value, "figures", serde_json::json!([square, character, seat, facing]), rank)?;
            for track in 0..3 {
                let level = at(value, &format!("seats.{seat}.levels.{track}"))?;
                *level = level.as_i64().unwrap_or(0).max(7).into();
            }
        }
        _ => return Err("no such edit".to_owned()),
    }
    Ok(())
}
