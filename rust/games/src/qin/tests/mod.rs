//! The rule page's examples, scenarios and whole games by number, and what the engine promises beside them.

mod bytes;
mod components;
mod greedy;
mod information;
mod play;
mod rulings;
mod whole_games;

use forbidden_games_core::contract::{self, Audit, Data, Notation, Rules, Setup, Step};
use forbidden_games_core::error::SetupError;
use forbidden_games_core::event::NoEvents;
use forbidden_games_core::options::{ComponentSource, Options};
use forbidden_games_core::player::Turn;
use serde_json::{Value, json};

use super::{Action, Game, Kind, State};

/// A game on a built-in board or on a board object.
fn game(players: usize, options: Value, components: Option<Value>) -> Result<Game, SetupError> {
    let options: Options = options.as_object().cloned().unwrap_or_default();
    Game::new(players, &options, components.as_ref().map(ComponentSource::from_json).as_ref())
}

/// A board object named `test` (QN-11.1).
fn board(grid: &str) -> Value {
    json!({"name": "test", "grid": grid.split('/').collect::<Vec<_>>()})
}

/// All legal notations.
fn legal(game: &Game, state: &State) -> Vec<String> {
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    actions.into_iter().map(|action| game.format_action(action)).collect()
}

/// A script of QN-11.1, played as far as it has come.
struct Script {
    game: Game,
    state: State,
    /// The position right after the last action, before any draw.
    shown: State,
    draws: Vec<Vec<Kind>>,
    drawn: Vec<usize>,
}

impl Script {
    /// Plays `moves`, separated by blanks; `.kinds` of the seats may be given instead of following from the moves.
    fn new(grid: &str, moves: &str) -> Self {
        Self::with(2, json!({}), board(grid), moves)
    }

    fn with(players: usize, options: Value, board: Value, moves: &str) -> Self {
        let mut draws = vec![Vec::new(); players];
        for (number, text) in moves.split_whitespace().enumerate() {
            if text != "pass" {
                draws[number % players].push(kind_of(text));
            }
        }
        Self::dealt(players, options, board, draws, moves)
    }

    fn dealt(players: usize, options: Value, board: Value, draws: Vec<Vec<Kind>>, moves: &str) -> Self {
        let game = game(players, options, Some(board)).expect("the script's board is good");
        let state = game.new_state();
        let mut script = Self { shown: state.clone(), game, state, draws, drawn: vec![0; players] };
        script.resolve();
        for text in moves.split_whitespace() {
            script.play(text);
        }
        script
    }

    /// Deals to suit: the next wanted kind, or the first one left.
    fn resolve(&mut self) {
        while self.game.turn(&self.state) == Turn::Chance {
            let seat = usize::from(self.state.public.seat);
            let wanted = self.draws[seat].get(self.drawn[seat]).copied();
            self.drawn[seat] += 1;
            let mut outcomes = Vec::new();
            self.game.chance_outcomes(&self.state, &mut outcomes);
            let outcome = wanted.unwrap_or(outcomes[0].0);
            contract::play(&self.game, &mut self.state, Step::Outcome(outcome), &mut NoEvents).expect("the wanted kind is left");
            self.check();
        }
    }

    fn play(&mut self, text: &str) {
        let action = self.game.parse_action(text).expect("notation");
        contract::play(&self.game, &mut self.state, Step::Action(action), &mut NoEvents).unwrap_or_else(|error| panic!("{error}"));
        self.shown = self.state.clone();
        self.check();
        self.resolve();
    }

    /// Every invariant, and the JSON both ways.
    fn check(&self) {
        self.game.check_invariants(&self.state).unwrap_or_else(|reason| panic!("{reason}"));
        let json = self.game.state_to_json(&self.state);
        let again = self.game.state_from_json(&json).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(again, self.state);
        assert_eq!(self.game.state_to_json(&again), json);
        assert_eq!(legal(&self.game, &again), legal(&self.game, &self.state));
    }

    /// Asserts that `text` is refused under `rule` and changes nothing.
    fn refused(&mut self, text: &str, rule: &str) {
        let action = self.game.parse_action(text).expect("notation");
        assert!(!legal(&self.game, &self.state).contains(&text.to_owned()), "{text} is in the list");
        let before = self.state.clone();
        let error = contract::play(&self.game, &mut self.state, Step::Action(action), &mut NoEvents).expect_err("refused");
        assert_eq!(error.refusal.rule, rule, "{error}");
        assert_eq!(self.state, before);
    }

    fn allows(&self, text: &str) -> bool {
        legal(&self.game, &self.state).contains(&text.to_owned())
    }

    fn json(&self) -> Value {
        self.game.state_to_json(&self.shown)
    }

    #[track_caller]
    fn supply(&self, expected: &[u8]) {
        assert_eq!(self.json()["supply"], json!(expected));
    }

    /// Asserts all provinces: colour, squares, owner, pagodas.
    #[track_caller]
    fn provinces(&self, expected: &[(&str, &str, usize, usize)]) {
        let expected: Vec<_> = expected
            .iter()
            .map(|(colour, squares, owner, pagodas)| {
                let squares: Vec<_> = squares.split(' ').collect();
                json!({"colour": colour, "squares": squares, "owner": owner, "pagodas": pagodas})
            })
            .collect();
        assert_eq!(self.json()["provinces"], json!(expected));
    }

    /// Asserts one province among others.
    #[track_caller]
    fn province(&self, colour: &str, squares: &str, owner: usize, pagodas: usize) {
        let squares: Vec<_> = squares.split(' ').collect();
        let wanted = json!({"colour": colour, "squares": squares, "owner": owner, "pagodas": pagodas});
        let json = self.json();
        assert!(json["provinces"].as_array().unwrap().contains(&wanted), "{}", json["provinces"]);
    }

    #[track_caller]
    fn village(&self, square: &str, owner: Option<usize>) {
        let json = self.json();
        let villages = json["villages"].as_array().unwrap();
        let village = villages.iter().find(|village| village["squares"][0] == square).expect("a village");
        assert_eq!(village["owner"], json!(owner));
    }

    #[track_caller]
    fn over(&self, end: &str, ranking: &[u8]) {
        assert_eq!(self.json()["end"], json!(end));
        assert_eq!(self.game.ranking(&self.shown).as_slice(), ranking);
    }
}

fn kind_of(text: &str) -> Kind {
    let mut letters: Vec<char> = text.chars().take(2).collect();
    letters.sort_unstable();
    Kind::from_name(&letters.into_iter().collect::<String>()).expect("two colours")
}

fn kinds(text: &str) -> Vec<Kind> {
    text.split_whitespace().map(|name| Kind::from_name(name).expect("a kind")).collect()
}

/// The action of a notation.
fn action(game: &Game, text: &str) -> Action {
    game.parse_action(text).expect("notation")
}
