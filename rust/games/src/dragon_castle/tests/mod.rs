//! Tests by rule number. Positions are written in the language of DC-11.1.

mod agents;
mod bytes;
mod components;
mod examples;
mod illegal;
mod numbers;
mod spirits;

use forbidden_games_core::contract::{self, Audit, Data, Notation, Rules, Setup, Step, StepOf};
use forbidden_games_core::outcome::Fraction;
use forbidden_games_core::rng::Rng;
use forbidden_games_core::testing::random_step;
use serde_json::{Map, Value, json};

use super::{Game, State};

/// A position of DC-11.1 with its defaults.
struct Position<'a> {
    players: usize,
    castle: &'a str,
    covered: &'a str,
    /// Rows separated by `/ `.
    realms: &'a [&'a str],
    pools: &'a [usize],
    vp: &'a [i64],
    countdown: &'a [usize],
    seat: usize,
    spirits: &'a [&'a str],
    dragons: &'a [&'a str],
}

impl Default for Position<'_> {
    fn default() -> Self {
        Self {
            players: 2,
            castle: "",
            covered: "",
            realms: &[],
            pools: &[1, 1],
            vp: &[0, 0],
            countdown: &[0, 0],
            seat: 0,
            spirits: &[],
            dragons: &[],
        }
    }
}

impl Position<'_> {
    fn game(&self) -> Game {
        let options = json!({"layout": "pyramid", "spirits": self.spirits, "dragons": self.dragons});
        Game::new(self.players, options.as_object().unwrap(), None).unwrap()
    }

    fn json(&self, game: &Game) -> Value {
        let mut castle = vec![vec![Value::Null; 12]; 8];
        let mut tiles = 0;
        for stack in self.castle.split_whitespace() {
            let (square, rest) = stack.split_once('=').unwrap();
            let (height, symbol) = rest.split_at(1);
            let height: usize = height.parse().unwrap();
            let column = usize::from(square.as_bytes()[0] - b'a');
            castle[square[1..].parse::<usize>().unwrap() - 1][column] = json!([height, symbol]);
            tiles += height;
        }
        let mut built = 0;
        let realms: Vec<Value> = (0..self.players)
            .map(|seat| {
                let text = self.realms.get(seat).copied().unwrap_or_default();
                let rows: Vec<&str> = text.split("/ ").collect();
                let square = |row: usize, column: usize| {
                    let cell = rows.get(row).and_then(|row| row.split_whitespace().nth(column)).unwrap_or(".");
                    if cell == "." {
                        return Value::Null;
                    }
                    let shrine = i64::from(cell.ends_with('^'));
                    let cell = cell.trim_end_matches('^');
                    let (top, height) = match cell.strip_prefix('#') {
                        Some(height) => ("down", height),
                        None => cell.split_once('/').unwrap_or((cell, "")),
                    };
                    let height: usize = if height.is_empty() { 1 } else { height.parse().unwrap() };
                    tiles += height;
                    built += shrine;
                    json!([height, top, shrine])
                };
                let mut square = square;
                (0..5).map(|row| (0..6).map(|column| square(row, column)).collect::<Value>()).collect()
            })
            .collect();
        let mut unrevealed = Map::new();
        for symbol in &game.settings.components.symbols {
            unrevealed.insert(symbol.text.clone(), 0.into());
        }
        for entry in self.covered.split(", ").filter(|entry| !entry.is_empty()) {
            let (symbol, count) = entry.split_once(' ').unwrap();
            unrevealed[symbol] = count.parse::<u8>().unwrap().into();
        }
        let padded = |numbers: &[i64]| (0..self.players).map(|seat| numbers.get(seat).copied().unwrap_or(0)).collect::<Vec<_>>();
        let as_numbers = |numbers: &[usize]| numbers.iter().map(|&number| number as i64).collect::<Vec<_>>();
        let (pools, countdown) = (padded(&as_numbers(self.pools)), padded(&as_numbers(self.countdown)));
        let (pooled, taken): (i64, i64) = (pools.iter().sum(), countdown.iter().sum());
        json!({
            "game": "dragon_castle", "players": self.players, "ply": 0, "node": "decision", "player": self.seat, "phase": "turn",
            "options": game.options(), "castle": castle, "unrevealed": unrevealed, "realms": realms, "pools": pools,
            "supply": 40 - pooled - built, "vp": padded(self.vp), "countdown": countdown, "tokens": 7 - taken,
            "last_round": taken >= self.players as i64, "discards": 116 - tiles, "spirits": self.spirits, "dragons": self.dragons,
            "turn": {
                "seat": self.seat, "used": [], "elegance": false, "bound": null, "first": null, "hand": [], "after": null,
                "pending": [], "set": [], "builds": 0, "must": false, "resume": null, "lifted": null, "moved": null, "from": null
            }
        })
    }

    fn start(&self) -> Table {
        let game = self.game();
        let position = self.json(&game);
        let state = game.state_from_position(&position).unwrap_or_else(|error| panic!("{error}"));
        Table { game, state }
    }
}

/// A game in progress, played by notation.
#[derive(Clone, Debug)]
struct Table {
    game: Game,
    state: State,
}

impl Table {
    fn new(players: usize, options: Value) -> Self {
        let game = Game::new(players, options.as_object().unwrap(), None).unwrap_or_else(|error| panic!("{error}"));
        let state = game.new_state();
        Self { game, state }
    }

    /// Plays actions and outcomes separated by commas, checking the invariants after each.
    #[track_caller]
    fn play(&mut self, moves: &str) -> &mut Self {
        for text in moves.split(", ") {
            let step = self.game.parse_step(&self.state, text).unwrap_or_else(|error| panic!("{error}"));
            let mut events = Vec::new();
            contract::play(&self.game, &mut self.state, step, &mut events).unwrap_or_else(|error| panic!("{error}"));
            self.game.check_invariants(&self.state).unwrap_or_else(|error| panic!("{text}: {error}"));
        }
        self
    }

    fn legal(&self) -> Vec<String> {
        let mut actions = Vec::new();
        self.game.legal_actions(&self.state, &mut actions);
        actions.into_iter().map(|action| self.game.format_action(action)).collect()
    }

    /// The complete list of legal actions, in any order.
    #[track_caller]
    fn expect_legal(&self, list: &str) -> &Self {
        let mut expected: Vec<&str> = list.split(", ").filter(|text| !text.is_empty()).collect();
        let legal = self.legal();
        let mut found: Vec<&str> = legal.iter().map(String::as_str).collect();
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected);
        self
    }

    fn spirit_actions(&self) -> Vec<String> {
        self.legal().into_iter().filter(|text| text.starts_with("spirit")).collect()
    }

    /// Rule and reason why a text is refused; the state must not change.
    #[track_caller]
    fn refusal(&self, text: &str) -> String {
        let action = self.game.parse_action(text).unwrap_or_else(|error| panic!("{error}"));
        let mut state = self.state.clone();
        let mut events = Vec::new();
        let error = contract::play(&self.game, &mut state, Step::Action(action), &mut events).expect_err(text);
        assert_eq!(state, self.state);
        error.refusal.to_string()
    }

    fn outcomes(&self) -> String {
        let mut outcomes = Vec::new();
        self.game.chance_outcomes(&self.state, &mut outcomes);
        let total: u32 = outcomes.iter().map(|&(_, weight)| weight).sum();
        let text = |&(outcome, weight): &(_, u32)| {
            format!("{} {}", self.game.format_outcome(outcome), Fraction::new(weight.into(), total.into()))
        };
        outcomes.iter().map(text).collect::<Vec<_>>().join(", ")
    }

    fn phase(&self) -> &'static str {
        self.game.phase(&self.state)
    }

    fn json(&self) -> Value {
        self.game.state_to_json(&self.state)
    }

    fn turn(&self, key: &str) -> Value {
        self.json()["turn"][key].clone()
    }

    fn vp(&self, seat: usize) -> i32 {
        self.state.vp[seat]
    }

    fn seat(&self) -> Option<u8> {
        self.game.turn(&self.state).player().map(|player| player.0)
    }

    fn results(&self) -> (Vec<i32>, Vec<u8>, String) {
        assert_eq!(self.phase(), "terminal");
        let returns: Vec<String> = self.game.exact_returns(&self.state).iter().map(ToString::to_string).collect();
        (self.game.scores(&self.state).to_vec(), self.game.ranking(&self.state).to_vec(), returns.join(" "))
    }
}

/// Plays a random game, calling `visit` before each step.
fn random_game(game: &Game, seed: u64, mut visit: impl FnMut(&State, StepOf<Game>)) -> State {
    let mut state = game.new_state();
    let mut rng = Rng::stream(seed, "test", 0);
    while let Some(step) = random_step(game, &state, &mut rng) {
        visit(&state, step);
        game.apply(&mut state, step);
    }
    state
}
