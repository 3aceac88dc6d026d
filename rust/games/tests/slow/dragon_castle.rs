//! Dragon Castle once more, square by square: legal actions, what they lead to, and final scores, from the state JSON and the
//! component set alone. Nothing is kept, everything is looked for again; a use of a spirit is legal if, after paying, its first
//! follow-up decision has an answer.

use std::collections::{BTreeMap, BTreeSet};

use forbidden_games::dragon_castle::Game;
use forbidden_games_core::contract::{Audit, Data, Judgement, Notation, Rules, Setup, Step};
use forbidden_games_core::data::parse_toml;
use forbidden_games_core::options::ComponentSource;
use forbidden_games_core::player::Turn;
use forbidden_games_core::rng::Rng;
use forbidden_games_core::testing::random_step;
use serde_json::{Value, json};

/// Row and column from 0, so that the order of pairs is reading order.
type Square = (usize, usize);

#[derive(Clone, Debug, PartialEq)]
struct Stack {
    height: i64,
    /// A symbol or `down`.
    top: String,
    shrine: bool,
}

/// Height of a castle stack and symbol of its top, once that is revealed.
type CastleStack = Option<(i64, Option<String>)>;

#[derive(Clone, Debug)]
struct World {
    set: Value,
    random: (usize, usize),
    players: usize,
    ply: u64,
    phase: String,
    castle: Vec<Vec<CastleStack>>,
    unrevealed: BTreeMap<String, i64>,
    realms: Vec<Vec<Vec<Option<Stack>>>>,
    pools: Vec<i64>,
    supply: i64,
    vp: Vec<i64>,
    countdown: Vec<i64>,
    tokens: i64,
    discards: i64,
    spirits: Vec<String>,
    dragons: Vec<String>,
    seat: usize,
    used: Vec<String>,
    elegance: bool,
    bound: Option<String>,
    first: Option<(Square, i64)>,
    hand: Vec<String>,
    after: Option<Square>,
    pending: Vec<Vec<Square>>,
    consolidated: Vec<Square>,
    builds: i64,
    must: bool,
    resume: Option<String>,
    lifted: Option<(Square, String)>,
    moved: Option<Square>,
    from: Option<Square>,
}

const SPIRITS: [&str; 10] =
    ["beauty", "wind", "strength", "elegance", "deception", "change", "stair", "mason", "mirror", "kinship"];
const DRAGONS: [&str; 10] =
    ["humility", "righteousness", "tranquility", "bravery", "ramparts", "towers", "heavens", "summit", "terraces", "wall"];

fn windows(card: &str) -> &'static [&'static str] {
    match card {
        "elegance" => &["turn", "second"],
        "deception" | "kinship" => &["second"],
        "stair" => &["turn"],
        "mason" => &["build"],
        _ => &["turn", "second", "settle", "end"],
    }
}

fn name((row, column): Square) -> String {
    format!("{}{}", (b'a' + column as u8) as char, row + 1)
}

fn square(text: &str) -> Square {
    (text[1..].parse::<usize>().unwrap() - 1, usize::from(text.as_bytes()[0] - b'a'))
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|item| item.as_str().unwrap().to_owned()).collect()
}

fn numbers(value: &Value) -> Vec<i64> {
    value.as_array().unwrap().iter().map(|item| item.as_i64().unwrap()).collect()
}

fn list_of_squares(value: &Value) -> Vec<Square> {
    strings(value).iter().map(|text| square(text)).collect()
}

fn optional_square(value: &Value) -> Option<Square> {
    value.as_str().map(square)
}

fn names(squares: &[Square]) -> Value {
    squares.iter().map(|&at| Value::from(name(at))).collect()
}

fn neighbours((row, column): Square) -> Vec<Square> {
    let mut found = vec![(row + 1, column), (row, column + 1)];
    if row > 0 {
        found.push((row - 1, column));
    }
    if column > 0 {
        found.push((row, column - 1));
    }
    found
}

impl World {
    fn read(state: &Value, set: &Value) -> Self {
        let turn = &state["turn"];
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let castle_square = |value: &Value| (!value.is_null()).then(|| (value[0].as_i64().unwrap(), text(&value[1])));
        let realm_square = |value: &Value| {
            (!value.is_null()).then(|| Stack {
                height: value[0].as_i64().unwrap(),
                top: text(&value[1]).unwrap(),
                shrine: value[2] == 1,
            })
        };
        let rows = |value: &Value| value.as_array().unwrap().clone();
        let random = |key: &str| {
            let option = state["options"][key].as_str().unwrap_or("random:0");
            option.strip_prefix("random:").unwrap().parse().unwrap()
        };
        Self {
            set: set.clone(),
            random: (random("spirits"), random("dragons")),
            players: state["players"].as_u64().unwrap() as usize,
            ply: state["ply"].as_u64().unwrap(),
            phase: text(&state["phase"]).unwrap(),
            castle: rows(&state["castle"]).iter().map(|row| rows(row).iter().map(castle_square).collect()).collect(),
            unrevealed: (state["unrevealed"].as_object().unwrap().iter())
                .map(|(symbol, count)| (symbol.clone(), count.as_i64().unwrap()))
                .collect(),
            realms: (rows(&state["realms"]).iter())
                .map(|realm| rows(realm).iter().map(|row| rows(row).iter().map(realm_square).collect()).collect())
                .collect(),
            pools: numbers(&state["pools"]),
            supply: state["supply"].as_i64().unwrap(),
            vp: numbers(&state["vp"]),
            countdown: numbers(&state["countdown"]),
            tokens: state["tokens"].as_i64().unwrap(),
            discards: state["discards"].as_i64().unwrap(),
            spirits: strings(&state["spirits"]),
            dragons: strings(&state["dragons"]),
            seat: turn["seat"].as_u64().unwrap() as usize,
            used: strings(&turn["used"]),
            elegance: turn["elegance"].as_bool().unwrap(),
            bound: text(&turn["bound"]),
            first: turn["first"].as_array().map(|pick| (square(pick[0].as_str().unwrap()), pick[1].as_i64().unwrap())),
            hand: strings(&turn["hand"]),
            after: optional_square(&turn["after"]),
            pending: turn["pending"].as_array().unwrap().iter().map(list_of_squares).collect(),
            consolidated: list_of_squares(&turn["set"]),
            builds: turn["builds"].as_i64().unwrap(),
            must: turn["must"].as_bool().unwrap(),
            resume: text(&turn["resume"]),
            lifted: turn["lifted"].as_array().map(|tile| (square(tile[0].as_str().unwrap()), text(&tile[1]).unwrap())),
            moved: optional_square(&turn["moved"]),
            from: optional_square(&turn["from"]),
        }
    }

    /// The state without its header.
    fn write(&self) -> Value {
        let realm_square = |stack: &Option<Stack>| match stack {
            None => Value::Null,
            Some(stack) => json!([stack.height, stack.top, u8::from(stack.shrine)]),
        };
        json!({
            "ply": self.ply, "phase": self.phase, "castle": self.castle, "unrevealed": self.unrevealed,
            "realms": self.realms.iter()
                .map(|realm| realm.iter().map(|row| row.iter().map(realm_square).collect::<Value>()).collect::<Value>())
                .collect::<Value>(),
            "pools": self.pools, "supply": self.supply, "vp": self.vp, "countdown": self.countdown, "tokens": self.tokens,
            "last_round": self.taken() >= self.players as i64, "discards": self.discards, "spirits": self.spirits,
            "dragons": self.dragons,
            "turn": {
                "seat": self.seat, "used": self.used, "elegance": self.elegance, "bound": self.bound,
                "first": self.first.map(|(at, floor)| json!([name(at), floor])), "hand": self.hand, "after": self.after.map(name),
                "pending": self.pending.iter().map(|set| names(set)).collect::<Value>(), "set": names(&self.consolidated),
                "builds": self.builds, "must": self.must, "resume": self.resume,
                "lifted": self.lifted.as_ref().map(|(at, top)| json!([name(*at), top])), "moved": self.moved.map(name),
                "from": self.from.map(name)
            }
        })
    }

    // ---- Looking things up ----------------------------------------------------------------------------------------------

    fn taken(&self) -> i64 {
        self.countdown.iter().sum()
    }

    fn types(&self) -> &[Value] {
        self.set["types"].as_array().unwrap()
    }

    /// The type of a symbol, by its first character.
    fn kind(&self, symbol: &str) -> &Value {
        self.types().iter().find(|kind| kind["code"] == symbol[..1]).unwrap()
    }

    fn is_faction(&self, symbol: &str) -> bool {
        self.kind(symbol)["class"] == "faction"
    }

    fn castle_squares(&self) -> Vec<Square> {
        (0..self.castle.len()).flat_map(|row| (0..self.castle[0].len()).map(move |column| (row, column))).collect()
    }

    fn castle_height(&self, (row, column): Square) -> i64 {
        self.castle.get(row).and_then(|row| row.get(column)).and_then(|stack| stack.as_ref()).map_or(0, |stack| stack.0)
    }

    fn castle_top(&self, (row, column): Square) -> Option<&str> {
        self.castle[row][column].as_ref().and_then(|stack| stack.1.as_deref())
    }

    fn top_floor(&self) -> i64 {
        self.castle_squares().into_iter().map(|at| self.castle_height(at)).max().unwrap()
    }

    /// DC-5.3: the left or the right square holds fewer tiles.
    fn is_available(&self, (row, column): Square) -> bool {
        let height = self.castle_height((row, column));
        height > 0
            && (column == 0 || self.castle_height((row, column - 1)) < height || self.castle_height((row, column + 1)) < height)
    }

    fn is_free_on_short_side(&self, (row, column): Square) -> bool {
        let height = self.castle_height((row, column));
        height > 0 && (row == 0 || self.castle_height((row - 1, column)) < height || self.castle_height((row + 1, column)) < height)
    }

    fn counts_as_available(&self, at: Square) -> bool {
        self.is_available(at) || self.elegance && self.is_free_on_short_side(at)
    }

    fn squares(&self) -> Vec<Square> {
        let realm = &self.realms[0];
        (0..realm.len()).flat_map(|row| (0..realm[0].len()).map(move |column| (row, column))).collect()
    }

    fn at(&self, seat: usize, (row, column): Square) -> Option<&Stack> {
        self.realms[seat].get(row).and_then(|row| row.get(column)).and_then(Option::as_ref)
    }

    fn own(&self, at: Square) -> Option<&Stack> {
        self.at(self.seat, at)
    }

    fn own_where(&self, test: impl Fn(Option<&Stack>) -> bool) -> Vec<Square> {
        self.squares().into_iter().filter(|&at| test(self.own(at))).collect()
    }

    fn open(&self) -> Vec<Square> {
        self.own_where(|stack| stack.is_none_or(|stack| stack.top == "down" && !stack.shrine))
    }

    fn bare(&self) -> Vec<Square> {
        self.own_where(|stack| stack.is_some_and(|stack| stack.top == "down" && !stack.shrine))
    }

    fn face_up(&self) -> Vec<Square> {
        self.own_where(|stack| stack.is_some_and(|stack| stack.top != "down"))
    }

    fn shrines(&self) -> Vec<Square> {
        self.own_where(|stack| stack.is_some_and(|stack| stack.shrine))
    }

    /// Top of a face-up square of the own realm.
    fn symbol(&self, at: Square) -> Option<&str> {
        self.own(at).map(|stack| stack.top.as_str()).filter(|&top| top != "down")
    }

    /// Groups of connected squares among `squares`, each in reading order, ordered by first square.
    fn groups(&self, squares: &[Square]) -> Vec<Vec<Square>> {
        let mut left: BTreeSet<Square> = squares.iter().copied().collect();
        let mut groups = Vec::new();
        while let Some(start) = left.pop_first() {
            let mut group = vec![start];
            let mut next = 0;
            while next < group.len() {
                for neighbour in neighbours(group[next]) {
                    if left.remove(&neighbour) {
                        group.push(neighbour);
                    }
                }
                next += 1;
            }
            group.sort_unstable();
            groups.push(group);
        }
        groups
    }

    fn of_type(&self, code: &str) -> Vec<Square> {
        self.face_up().into_iter().filter(|&at| &self.symbol(at).unwrap()[..1] == code).collect()
    }

    fn sets(&self) -> Vec<Vec<Square>> {
        let mut sets: Vec<Vec<Square>> = Vec::new();
        for kind in self.types() {
            sets.extend(self.groups(&self.of_type(kind["code"].as_str().unwrap())).into_iter().filter(|group| group.len() >= 4));
        }
        sets.sort_unstable();
        sets
    }

    /// DC-5.20.
    fn groups_of_one_number(&self) -> Vec<Vec<Square>> {
        let factions: Vec<Square> = self.face_up().into_iter().filter(|&at| self.is_faction(self.symbol(at).unwrap())).collect();
        let digits: BTreeSet<String> = factions.iter().map(|&at| self.symbol(at).unwrap()[1..].to_owned()).collect();
        let mut found = Vec::new();
        for number in digits {
            let squares: Vec<Square> = factions.iter().copied().filter(|&at| self.symbol(at).unwrap()[1..] == number).collect();
            found.extend(self.groups(&squares).into_iter().filter(|group| group.len() >= 4));
        }
        found.sort_unstable();
        found
    }

    /// The group of `at` if its tile counted as type `code`.
    fn wild_group(&self, at: Square, code: &str) -> Vec<Square> {
        let mut squares = self.of_type(code);
        squares.push(at);
        self.groups(&squares).into_iter().find(|group| group.contains(&at)).unwrap()
    }

    // ---- Legal actions --------------------------------------------------------------------------------------------------

    fn legal(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut with_squares = |verb: &str, squares: Vec<Square>| {
            found.extend(squares.into_iter().map(|at| format!("{verb} {}", name(at))));
        };
        match self.phase.as_str() {
            "turn" | "second" if self.bound.is_some() => {
                with_squares(if self.phase == "turn" { "take" } else { "pair" }, self.bound_picks());
            }
            "turn" => {
                let top = self.top_floor();
                let takes = self.castle_squares().into_iter().filter(|&at| self.castle_height(at) == top && self.is_available(at));
                with_squares("take", takes.collect());
                if top <= 1 {
                    found.push("summon".to_owned());
                }
            }
            "second" => {
                if self.open().len() >= 2 {
                    with_squares("pair", self.pairs());
                }
                if !self.open().is_empty() && self.supply > 0 {
                    found.push("shrine".to_owned());
                }
                found.push("discard".to_owned());
            }
            "place" => {
                let open = self.open();
                let twins = self.hand.len() == 2 && self.hand[0] == self.hand[1];
                let allowed = |at: &Square| self.after.is_none_or(|after| *at > after) && !(twins && open.last() == Some(at));
                with_squares("place", open.iter().copied().filter(allowed).collect());
            }
            "settle" | "end" => found.push("pass".to_owned()),
            "consolidate" => with_squares("consolidate", self.pending.iter().map(|set| set[0]).collect()),
            "build" => {
                let later: Vec<Square> =
                    self.consolidated.iter().copied().filter(|&at| self.after.is_none_or(|after| at > after)).collect();
                if self.must {
                    let enough = later.len() - (self.builds as usize - 1);
                    with_squares("build", later[..enough].to_vec());
                } else {
                    with_squares("build", later);
                    found.push("done".to_owned());
                }
            }
            "beauty" => with_squares("set", self.groups_of_one_number().iter().map(|group| group[0]).collect()),
            "change" => {
                let sets = self.sets();
                for at in self.face_up() {
                    let symbol = self.symbol(at).unwrap();
                    if self.is_faction(symbol) || sets.iter().any(|set| set.contains(&at)) {
                        continue;
                    }
                    for kind in self.types() {
                        let code = kind["code"].as_str().unwrap();
                        if &symbol[..1] != code && self.wild_group(at, code).len() >= 4 {
                            found.push(format!("wild {} {code}", name(at)));
                        }
                    }
                }
            }
            "mirror" => {
                let face_up = self.face_up();
                for (index, &x) in face_up.iter().enumerate() {
                    for &y in &face_up[index + 1..] {
                        if self.symbol(x).unwrap()[..1] != self.symbol(y).unwrap()[..1] {
                            found.push(format!("swap {} {}", name(x), name(y)));
                        }
                    }
                }
            }
            "wind_flip" => {
                with_squares("flip", self.face_up());
                if !self.bare().is_empty() {
                    found.push("pass".to_owned());
                }
            }
            "wind_from" => with_squares("from", self.shrines()),
            "wind_to" => with_squares("to", self.bare()),
            "strength_lift" => {
                with_squares("lift", self.lifts());
                if self.moved.is_some() {
                    found.push("pass".to_owned());
                }
            }
            "strength_drop" => {
                let (from, _) = self.lifted.as_ref().unwrap();
                with_squares("drop", self.open().into_iter().filter(|at| at != from).collect());
            }
            _ => {}
        }
        found.extend(self.spirit_actions(&self.phase));
        found
    }

    fn lifts(&self) -> Vec<Square> {
        let open = self.open();
        let movable = self.own_where(|stack| stack.is_some_and(|stack| !stack.shrine));
        movable.into_iter().filter(|&at| Some(at) != self.moved && open.iter().any(|&other| other != at)).collect()
    }

    fn pairs(&self) -> Vec<Square> {
        let wanted = self.hand[0].as_str();
        self.castle_squares()
            .into_iter()
            .filter(|&at| self.castle_top(at) == Some(wanted) && self.counts_as_available(at))
            .collect()
    }

    /// What a card that binds lets one pick, in the phase of the world.
    fn bound_picks(&self) -> Vec<Square> {
        let all = self.castle_squares().into_iter().filter(|&at| self.castle_height(at) > 0);
        let hidden = |at: Square| !self.is_available(at) && self.is_free_on_short_side(at);
        match (self.bound.as_deref().unwrap(), self.phase.as_str()) {
            ("elegance", "turn") => all.filter(|&at| self.castle_height(at) == self.top_floor() && hidden(at)).collect(),
            ("stair", _) => all.filter(|&at| self.castle_height(at) < self.top_floor() && self.is_available(at)).collect(),
            ("elegance", _) => all.filter(|&at| self.castle_top(at) == Some(&self.hand[0]) && hidden(at)).collect(),
            ("deception", _) => {
                let (first, floor) = self.first.unwrap();
                let pairs = self.pairs();
                all.filter(|&at| neighbours(first).contains(&at) && self.castle_height(at) == floor && !pairs.contains(&at))
                    .collect()
            }
            _ => all
                .filter(|&at| {
                    let top = self.castle_top(at).unwrap();
                    top[..1] == self.hand[0][..1] && top != self.hand[0] && self.counts_as_available(at)
                })
                .collect(),
        }
    }

    fn spirit_actions(&self, window: &str) -> Vec<String> {
        let mut found = Vec::new();
        if self.bound.is_some() || window == "build" && (self.after.is_some() || self.must) {
            return found;
        }
        for card in &self.spirits {
            if self.used.contains(card) || !windows(card).contains(&window) {
                continue;
            }
            for at in self.face_up() {
                if !self.pending.iter().any(|set| set.contains(&at)) {
                    found.push(format!("spirit {card} tile {}", name(at)));
                }
            }
            if self.pools[self.seat] > 0 {
                found.push(format!("spirit {card} shrine"));
            }
        }
        found.retain(|action| {
            let mut after = self.clone();
            window.clone_into(&mut after.phase);
            after.pay_for(action);
            after.is_effective()
        });
        found
    }

    /// Whether the effect of the card just paid for can be applied.
    fn is_effective(&self) -> bool {
        match self.phase.as_str() {
            "second" if self.bound.is_some() => self.open().len() >= 2 && !self.bound_picks().is_empty(),
            "turn" => !self.bound_picks().is_empty(),
            "build" => self.pools[self.seat] >= self.builds && self.consolidated.len() as i64 >= self.builds,
            "wind_flip" | "wind_from" => {
                let has_place = !self.bare().is_empty() || !self.face_up().is_empty();
                has_place && !self.shrines().is_empty()
            }
            "strength_lift" => !self.lifts().is_empty(),
            _ => {
                let mut without_spirits = self.clone();
                without_spirits.spirits.clear();
                !without_spirits.legal().is_empty()
            }
        }
    }

    // ---- What an action or a draw leads to ------------------------------------------------------------------------------

    fn own_mut(&mut self, (row, column): Square) -> &mut Option<Stack> {
        &mut self.realms[self.seat][row][column]
    }

    /// Takes the top tile of an own stack.
    fn remove(&mut self, at: Square) -> String {
        let stack = self.own_mut(at).as_mut().unwrap();
        let top = std::mem::replace(&mut stack.top, "down".to_owned());
        stack.height -= 1;
        if stack.height == 0 {
            *self.own_mut(at) = None;
        }
        top
    }

    fn lay(&mut self, at: Square, top: &str) {
        let height = self.own(at).map_or(0, |stack| stack.height);
        *self.own_mut(at) = Some(Stack { height: height + 1, top: top.to_owned(), shrine: false });
    }

    fn pick(&mut self, at: Square) {
        let (height, symbol) = self.castle[at.0][at.1].take().unwrap();
        if height > 1 {
            self.castle[at.0][at.1] = Some((height - 1, None));
        }
        self.hand.push(symbol.unwrap());
        self.bound = None;
    }

    fn after_pick(&mut self, then: &str) {
        let covered = self.castle_squares().into_iter().any(|at| self.castle_height(at) > 0 && self.castle_top(at).is_none());
        if covered { "reveal" } else { then }.clone_into(&mut self.phase);
    }

    fn end_picks(&mut self) {
        (self.first, self.elegance, self.bound) = (None, false, None);
    }

    fn pay_for(&mut self, action: &str) {
        let words: Vec<&str> = action.split(' ').collect();
        let card = words[1];
        if words[2] == "tile" {
            self.remove(square(words[3]));
            self.discards += 1;
        } else {
            self.pools[self.seat] -= 1;
            self.supply += 1;
        }
        self.used.push(card.to_owned());
        self.used.sort_by_key(|name| SPIRITS.iter().position(|card| card == name));
        match card {
            "elegance" | "deception" | "stair" | "kinship" => {
                self.bound = Some(card.to_owned());
                self.elegance |= card == "elegance";
                return;
            }
            "mason" => {
                self.builds += 1;
                self.must = true;
                return;
            }
            _ => {}
        }
        self.resume = Some(if self.phase == "settle" { "end".to_owned() } else { self.phase.clone() });
        self.phase = match card {
            "strength" => "strength_lift".to_owned(),
            "wind" if self.face_up().is_empty() => "wind_from".to_owned(),
            "wind" => "wind_flip".to_owned(),
            other => other.to_owned(),
        };
    }

    #[allow(clippy::too_many_lines)] // One arm a phase.
    fn step(&mut self, action: &str) {
        if self.phase.starts_with("setup") || self.phase == "reveal" {
            return self.draw(action);
        }
        self.ply += 1;
        let words: Vec<&str> = action.split(' ').collect();
        let at = words.get(1).filter(|_| words[0] != "spirit").map(|text| square(text));
        match (words[0], at) {
            ("take", Some(at)) => {
                self.first = Some((at, self.castle_height(at)));
                self.pick(at);
                self.after_pick("second");
            }
            ("pair", Some(at)) => {
                self.pick(at);
                self.end_picks();
                self.after_pick("place");
            }
            ("shrine", _) => {
                self.supply -= 1;
                self.pools[self.seat] += 1;
                self.end_picks();
                "place".clone_into(&mut self.phase);
            }
            ("discard", _) => {
                self.hand.clear();
                self.discards += 1;
                self.vp[self.seat] += 1;
                self.end_picks();
                self.end_window();
            }
            ("summon", _) => {
                self.tokens -= 1;
                self.countdown[self.seat] += 1;
                self.end_window();
            }
            ("place", Some(at)) => {
                let symbol = self.hand.remove(0);
                self.lay(at, &symbol);
                self.after = (self.hand.first() == Some(&symbol)).then_some(at);
                if self.hand.is_empty() {
                    if !self.sets().is_empty() && !self.spirit_actions("settle").is_empty() {
                        "settle".clone_into(&mut self.phase);
                    } else {
                        self.check("end");
                    }
                }
            }
            ("pass", _) => match self.phase.clone().as_str() {
                "settle" => self.check("end"),
                "end" => self.end_turn(),
                "wind_flip" => "wind_from".clone_into(&mut self.phase),
                _ => self.applied(),
            },
            ("consolidate", Some(at)) => {
                let index = self.pending.iter().position(|set| set[0] == at).unwrap();
                let set = self.pending.remove(index);
                self.consolidate(set);
            }
            ("build", Some(at)) => {
                self.pools[self.seat] -= 1;
                self.own_mut(at).as_mut().unwrap().shrine = true;
                self.builds -= 1;
                self.after = Some(at);
                if self.builds == 0 || self.pools[self.seat] == 0 || self.consolidated.last() == Some(&at) {
                    self.end_building();
                }
            }
            ("done", _) => self.end_building(),
            ("set", Some(at)) => {
                let set = self.groups_of_one_number().into_iter().find(|group| group[0] == at).unwrap();
                self.turn_down(&set, 1);
                self.pending = self.sets();
                self.consolidated_with(set, 2);
            }
            ("wild", Some(at)) => {
                let set = self.wild_group(at, words[2]);
                let kind = self.types().iter().find(|kind| kind["code"] == words[2]).unwrap();
                let (vp, shrines) = (kind["vp"].as_i64().unwrap(), kind["shrines"].as_i64().unwrap());
                self.turn_down(&set, vp);
                self.pending = self.sets();
                self.consolidated_with(set, shrines);
            }
            ("swap", Some(x)) => {
                let y = square(words[2]);
                let (top_x, top_y) = (self.own(x).unwrap().top.clone(), self.own(y).unwrap().top.clone());
                self.own_mut(x).as_mut().unwrap().top = top_y;
                self.own_mut(y).as_mut().unwrap().top = top_x;
                self.applied();
            }
            ("flip", Some(at)) => {
                "down".clone_into(&mut self.own_mut(at).as_mut().unwrap().top);
                "wind_from".clone_into(&mut self.phase);
            }
            ("from", Some(at)) => {
                self.from = Some(at);
                "wind_to".clone_into(&mut self.phase);
            }
            ("to", Some(at)) => {
                let from = self.from.take().unwrap();
                self.own_mut(from).as_mut().unwrap().shrine = false;
                self.own_mut(at).as_mut().unwrap().shrine = true;
                self.applied();
            }
            ("lift", Some(at)) => {
                let top = self.remove(at);
                self.lifted = Some((at, top));
                "strength_drop".clone_into(&mut self.phase);
            }
            ("drop", Some(at)) => {
                let (_, top) = self.lifted.take().unwrap();
                self.lay(at, &top);
                let is_first = self.moved.is_none();
                self.moved = Some(at);
                if is_first && !self.lifts().is_empty() {
                    "strength_lift".clone_into(&mut self.phase);
                } else {
                    self.applied();
                }
            }
            _ => self.pay_for(action),
        }
    }

    fn draw(&mut self, outcome: &str) {
        match self.phase.as_str() {
            "setup_dragon" => {
                self.dragons.push(outcome.to_owned());
                self.dragons.sort_by_key(|name| DRAGONS.iter().position(|card| card == name));
            }
            "setup_spirit" => {
                self.spirits.push(outcome.to_owned());
                self.spirits.sort_by_key(|name| SPIRITS.iter().position(|card| card == name));
            }
            _ => {
                let unknown = |at: &Square| self.castle_height(*at) > 0 && self.castle_top(*at).is_none();
                let (row, column) = self.castle_squares().into_iter().find(unknown).unwrap();
                self.castle[row][column].as_mut().unwrap().1 = Some(outcome.to_owned());
                *self.unrevealed.get_mut(outcome).unwrap() -= 1;
            }
        }
        if self.phase == "reveal" {
            if self.hand.len() == 2 { "place" } else { "second" }.clone_into(&mut self.phase);
            return;
        }
        let covered = self.castle_squares().into_iter().any(|at| self.castle_height(at) > 0 && self.castle_top(at).is_none());
        let next = if covered {
            "setup_tile"
        } else if self.dragons.len() < self.random.1 {
            "setup_dragon"
        } else if self.spirits.len() < self.random.0 {
            "setup_spirit"
        } else {
            "turn"
        };
        next.clone_into(&mut self.phase);
    }

    fn check(&mut self, window: &str) {
        self.resume = Some(window.to_owned());
        self.pending = self.sets();
        self.next_set();
    }

    fn applied(&mut self) {
        self.moved = None;
        let window = self.resume.clone().unwrap();
        self.check(&window);
    }

    fn next_set(&mut self) {
        if self.pending.len() >= 2 && self.pools[self.seat] > 0 {
            "consolidate".clone_into(&mut self.phase);
        } else if !self.pending.is_empty() {
            let set = self.pending.remove(0);
            self.consolidate(set);
        } else {
            match self.resume.take().unwrap().as_str() {
                "end" => self.end_window(),
                window => window.clone_into(&mut self.phase),
            }
        }
    }

    fn consolidate(&mut self, set: Vec<Square>) {
        let kind = self.kind(self.symbol(set[0]).unwrap());
        let (vp, shrines) = (kind["vp"].as_i64().unwrap(), kind["shrines"].as_i64().unwrap());
        self.turn_down(&set, vp);
        self.consolidated_with(set, shrines);
    }

    fn turn_down(&mut self, set: &[Square], extra: i64) {
        for &at in set {
            "down".clone_into(&mut self.own_mut(at).as_mut().unwrap().top);
        }
        let table = numbers(&self.set["set_vp"]);
        let beyond = set.len() - 4;
        let vp = table.get(beyond).copied().unwrap_or_else(|| table[table.len() - 1] + (beyond - (table.len() - 1)) as i64);
        self.vp[self.seat] += vp + extra;
    }

    fn consolidated_with(&mut self, set: Vec<Square>, limit: i64) {
        if self.pools[self.seat] >= 1 && limit >= 1 {
            (self.consolidated, self.builds) = (set, limit);
            "build".clone_into(&mut self.phase);
        } else {
            self.next_set();
        }
    }

    fn end_building(&mut self) {
        self.consolidated.clear();
        (self.builds, self.must, self.after) = (0, false, None);
        self.next_set();
    }

    fn end_window(&mut self) {
        if self.spirit_actions("end").is_empty() {
            self.end_turn();
        } else {
            "end".clone_into(&mut self.phase);
        }
    }

    fn end_turn(&mut self) {
        self.used.clear();
        if self.seat + 1 == self.players && self.taken() >= self.players as i64 {
            "terminal".clone_into(&mut self.phase);
        } else {
            self.seat = (self.seat + 1) % self.players;
            "turn".clone_into(&mut self.phase);
        }
    }

    // ---- Scores ---------------------------------------------------------------------------------------------------------

    fn score(&self, seat: usize) -> i64 {
        let shrines: i64 = self
            .squares()
            .into_iter()
            .filter_map(|at| self.at(seat, at))
            .filter(|stack| stack.shrine)
            .map(|stack| stack.height.min(3))
            .sum();
        let dragons: i64 = self.dragons.iter().map(|card| self.dragon(seat, card)).sum();
        self.vp[seat] + shrines + self.set["token_vp"].as_i64().unwrap() * self.countdown[seat] + dragons
    }

    fn dragon(&self, seat: usize, card: &str) -> i64 {
        let (rows, columns) = (self.realms[0].len(), self.realms[0][0].len());
        let height = |at: Square| self.at(seat, at).map_or(0, |stack| stack.height);
        let shrine = |at: Square| self.at(seat, at).is_some_and(|stack| stack.shrine);
        let all = self.squares();
        let down: Vec<Square> =
            all.iter().copied().filter(|&at| self.at(seat, at).is_some_and(|stack| stack.top == "down")).collect();
        let lines = |by_row: bool| -> Vec<Vec<Square>> {
            let count = if by_row { rows } else { columns };
            (0..count)
                .map(|line| all.iter().copied().filter(|at| if by_row { at.0 == line } else { at.1 == line }).collect())
                .collect()
        };
        let count = |test: &dyn Fn(Square) -> bool| all.iter().filter(|&&at| test(at)).count() as i64;
        match card {
            "humility" => count(&|at| shrine(at) && neighbours(at).into_iter().any(|other| height(other) > height(at))),
            "righteousness" => {
                let best = |by_row| {
                    let worth = |line: &Vec<Square>| {
                        let built = line.iter().filter(|&&at| shrine(at)).count();
                        (built + if built == line.len() { 2 } else { 0 }) as i64
                    };
                    lines(by_row).iter().map(worth).max().unwrap()
                };
                best(true) + best(false)
            }
            "tranquility" => self.groups(&down).len() as i64,
            "bravery" => count(&|at| height(at) > 0 && neighbours(at).into_iter().all(|other| height(other) != height(at))),
            "ramparts" => (all.iter().filter(|&&at| shrine(at)))
                .map(|at| {
                    let edges = i64::from(at.0 == 0 || at.0 == rows - 1) + i64::from(at.1 == 0 || at.1 == columns - 1);
                    edges.min(2)
                })
                .sum(),
            "towers" => 2 * count(&|at| at.1 < columns - 1 - at.1 && shrine(at) && shrine((at.0, columns - 1 - at.1))),
            "heavens" => {
                let tops = all.iter().filter_map(|&at| self.at(seat, at)).map(|stack| stack.top.clone());
                tops.filter(|top| top != "down" && !self.is_faction(top)).collect::<BTreeSet<_>>().len() as i64
            }
            "summit" => count(&|at| height(at) >= 3),
            "terraces" => {
                let full = |line: &Vec<Square>| line.iter().all(|&at| height(at) > 0);
                (lines(true).iter().filter(|line| full(line)).count() + lines(false).iter().filter(|line| full(line)).count())
                    as i64
            }
            "wall" => self.groups(&down).iter().map(Vec::len).max().unwrap_or(0) as i64 / 2,
            _ => unreachable!(),
        }
    }
}

// ---- Comparison ---------------------------------------------------------------------------------------------------------

fn builtin() -> Value {
    parse_toml(Game::builtin_components()[0].1).unwrap()
}

fn make(players: usize, options: &Value, set: Option<&Value>) -> Game {
    let source = set.map(|set| ComponentSource::Set(set.clone()));
    Game::new(players, options.as_object().unwrap(), source.as_ref()).unwrap_or_else(|error| panic!("{error}"))
}

#[derive(Clone, Copy, PartialEq)]
enum Policy {
    Random,
    /// Takes what its evaluation likes best after the next step.
    Greedy,
    /// Prefers actions that lead to phases seen least so far.
    Rare,
}

type Phases = BTreeMap<&'static str, u64>;

/// Plays a game and compares every node with the slow one.
fn compare(game: &Game, set: &Value, seed: u64, policy: Policy, phases: &mut Phases) {
    let mut state = game.new_state();
    let mut rng = Rng::stream(seed, "slow", 0);
    let mut world = World::read(&game.state_to_json(&state), set);
    let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
    loop {
        *phases.entry(game.phase(&state)).or_default() += 1;
        let step = match game.turn(&state) {
            Turn::Over => break,
            Turn::Chance => Step::Outcome(game.sample_outcome(&state, &mut rng, &mut outcomes)),
            Turn::Player(player) => {
                actions.clear();
                game.legal_actions(&state, &mut actions);
                let mut engine: Vec<String> = actions.iter().map(|&action| game.format_action(action)).collect();
                let mut slow = world.legal();
                engine.sort_unstable();
                slow.sort_unstable();
                assert_eq!(engine, slow, "seed {seed}: {}", game.state_to_json(&state));
                let child = |action| {
                    let mut child = state.clone();
                    game.apply(&mut child, Step::Action(action));
                    child
                };
                let random = actions[rng.below(actions.len() as u32) as usize];
                let chosen = match policy {
                    Policy::Random => random,
                    _ if rng.below(8) == 0 => random,
                    Policy::Greedy => {
                        let value = |&action: &_| game.evaluate(&child(action), player);
                        actions.iter().copied().max_by(|a, b| value(a).total_cmp(&value(b))).unwrap()
                    }
                    Policy::Rare => {
                        let seen = |&action: &_| phases.get(game.phase(&child(action))).copied().unwrap_or(0);
                        let start = rng.below(actions.len() as u32) as usize;
                        actions.rotate_left(start);
                        actions.iter().copied().min_by_key(seen).unwrap()
                    }
                };
                Step::Action(chosen)
            }
        };
        world.step(&game.format_step(step));
        game.apply(&mut state, step);
        let (found, expected) = (game.state_to_json(&state), world.write());
        for (key, value) in expected.as_object().unwrap() {
            assert_eq!(&found[key.as_str()], value, "seed {seed}: {key} after {}", game.format_step(step));
        }
        game.check_invariants(&state).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
    let slow: Vec<i32> = (0..world.players).map(|seat| world.score(seat) as i32).collect();
    assert_eq!(game.scores(&state).as_slice(), slow, "seed {seed}");
}

/// Compares in every case; the cores share the cases.
fn compare_all(cases: &[(usize, Value)], set: Option<&Value>, seeds: std::ops::Range<u64>, policies: &[Policy]) -> Phases {
    let data = set.cloned().unwrap_or_else(builtin);
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let compare_some = |cases: &[(usize, Value)]| {
        let mut phases = Phases::new();
        for (players, options) in cases {
            let game = make(*players, options, set);
            for &policy in policies {
                for seed in seeds.clone() {
                    compare(&game, &data, seed, policy, &mut phases);
                }
            }
        }
        phases
    };
    let mut all = Phases::new();
    std::thread::scope(|scope| {
        let parts = cases.chunks(cases.len().div_ceil(threads));
        let started: Vec<_> = parts.map(|part| scope.spawn(|| compare_some(part))).collect();
        for part in started {
            let phases = part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            phases.into_iter().for_each(|(phase, count)| *all.entry(phase).or_default() += count);
        }
    });
    all
}

fn single_spirits() -> Vec<(usize, Value)> {
    SPIRITS.iter().map(|card| (2, json!({"spirits": [card]}))).collect()
}

fn sets_of_cards(count: u64) -> Vec<(usize, Value)> {
    (0..count)
        .map(|seed| {
            let mut rng = Rng::stream(seed, "cards", 0);
            let players = 2 + rng.below(3) as usize;
            let (spirits, dragons) = (1 + rng.below(3), 1 + rng.below(3));
            let (rows, columns) = (3 + rng.below(6), 3 + rng.below(6));
            let realm = if rng.below(2) == 0 { "5x6".to_owned() } else { format!("{rows}x{columns}") };
            let layout = ["pyramid", "wings", "bastions", "court", "9999999999998000"][rng.below(5) as usize];
            (players, json!({"spirits": format!("random:{spirits}"), "dragons": format!("random:{dragons}"), "realm": realm, "layout": layout}))
        })
        .collect()
}

fn without_cards() -> Vec<(usize, Value)> {
    let layouts = ["pyramid", "wings", "bastions", "court"];
    (2..=4).flat_map(|players| layouts.map(|layout| (players, json!({"layout": layout})))).collect()
}

fn own_set(name: &str) -> Value {
    let path = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/dragon_castle").join(name);
    parse_toml(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn engine_and_slow_world_agree() {
    let mut cases = vec![(2, json!({})), (3, json!({})), (4, json!({"layout": "court"}))];
    cases.extend(single_spirits());
    compare_all(&cases, None, 0..1, &[Policy::Random]);
    let mut cases = sets_of_cards(3);
    cases.push((2, json!({"spirits": ["wind", "strength", "change"], "realm": "3x3", "dragons": ["wall", "towers", "humility"]})));
    compare_all(&cases, None, 0..1, &[Policy::Random, Policy::Rare]);
}

#[test]
fn engine_and_slow_world_agree_on_own_sets() {
    let cases = [(2, json!({"spirits": ["change", "mirror"], "dragons": ["wall"], "realm": "3x3"}))];
    compare_all(&cases, Some(&own_set("small.toml")), 0..3, &[Policy::Random, Policy::Rare]);
    let cases = [(2, json!({"spirits": ["beauty", "change", "mason"], "dragons": ["heavens"], "realm": "4x4"}))];
    compare_all(&cases, Some(&own_set("large.toml")), 0..1, &[Policy::Rare]);
}

/// Perft with every spirit in play: each node to depth 3 from positions in the middle of games.
#[test]
fn perft_agrees_with_the_slow_generator() {
    fn count(game: &Game, set: &Value, state: &forbidden_games::dragon_castle::State, depth: u32) -> u64 {
        let mut state = state.clone();
        while game.turn(&state) == Turn::Chance {
            let mut outcomes = Vec::new();
            game.chance_outcomes(&state, &mut outcomes);
            let first = outcomes.iter().map(|&(outcome, _)| outcome).min_by_key(|&outcome| game.format_outcome(outcome)).unwrap();
            game.apply(&mut state, Step::Outcome(first));
        }
        if depth == 0 {
            return 1;
        }
        let slow: BTreeSet<String> = World::read(&game.state_to_json(&state), set).legal().into_iter().collect();
        let mut actions = Vec::new();
        game.legal_actions(&state, &mut actions);
        let engine: BTreeSet<String> = actions.iter().map(|&action| game.format_action(action)).collect();
        assert_eq!(engine, slow, "{}", game.state_to_json(&state));
        actions
            .iter()
            .map(|&action| {
                let mut child = state.clone();
                game.apply(&mut child, Step::Action(action));
                count(game, set, &child, depth - 1)
            })
            .sum()
    }
    let set = builtin();
    for (index, card) in SPIRITS.into_iter().enumerate() {
        let game = make(2, &json!({"spirits": [card], "realm": "3x4"}), None);
        let mut state = game.new_state();
        let mut rng = Rng::stream(index as u64, "perft", 0);
        while game.ply(&state) < 45 + index as u32 {
            let Some(step) = random_step(&game, &state, &mut rng) else { break };
            game.apply(&mut state, step);
        }
        assert!(count(&game, &set, &state, 3) > 0);
    }
}

fn report(title: &str, phases: &Phases) {
    let text: Vec<String> = phases.iter().map(|(phase, count)| format!("{phase} {count}")).collect();
    println!("{title}: {}", text.join(", "));
}

/// Prints how often each phase occurred. Seeds are the ranges written here; the conformance battery plays many more games.
#[test]
#[ignore = "many games: make soak"]
fn soak_slow_world() {
    let all = [Policy::Random, Policy::Greedy, Policy::Rare];
    report("without cards", &compare_all(&without_cards(), None, 0..20, &all));
    report("single spirits", &compare_all(&single_spirits(), None, 0..20, &all));
    let dragons: Vec<(usize, Value)> = DRAGONS.iter().map(|card| (3, json!({"dragons": [card]}))).collect();
    report("single dragons", &compare_all(&dragons, None, 0..10, &all));
    let mixed = compare_all(&sets_of_cards(60), None, 0..1, &all);
    report("sets of cards", &mixed);
    for set in ["small.toml", "large.toml"] {
        let cases = [(2, json!({"spirits": "random:2", "dragons": "random"})), (4, json!({"spirits": ["change"], "realm": "8x8"}))];
        report(set, &compare_all(&cases, Some(&own_set(set)), 0..5, &all));
    }
    for phase in Game::INFO.phases {
        assert!(mixed.contains_key(phase), "{phase} never occurred");
    }
}

/// Golden playthroughs with cards beside those that `playthrough.rs` makes with the default options.
#[test]
#[ignore = "writes golden playthroughs anew"]
fn regenerate_playthroughs_with_cards() {
    use forbidden_games_core::start::Start;
    use forbidden_games_core::testing::playthroughs::random_playthrough;
    let folder = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/dragon_castle");
    let cases = [
        (
            "realm-cards",
            2,
            json!({"spirits": ["wind", "strength", "change"], "dragons": ["wall", "towers", "humility"], "realm": "3x3", "layout": "9999999999998000"}),
        ),
        ("pick-cards", 2, json!({"spirits": ["elegance", "deception", "kinship"], "dragons": ["heavens"], "realm": "4x4"})),
        ("drawn-cards", 3, json!({"spirits": "random:3", "dragons": "random:3", "realm": "4x3", "layout": "99999999/99998000"})),
    ];
    for (name, players, options) in cases {
        let game = std::sync::Arc::new(make(players, &options, None));
        let lines = random_playthrough(&game, Start::Ordinary, 4).unwrap_or_else(|error| panic!("{error}"));
        std::fs::write(folder.join(format!("playthrough-{name}.jsonl")), lines.join("\n") + "\n").unwrap();
    }
    let set = own_set("small.toml");
    let game = std::sync::Arc::new(make(2, &json!({"spirits": ["change", "mirror"], "dragons": ["wall"]}), Some(&set)));
    let lines = random_playthrough(&game, Start::Ordinary, 4).unwrap_or_else(|error| panic!("{error}"));
    std::fs::write(folder.join("playthrough-small-set.jsonl"), lines.join("\n") + "\n").unwrap();
}
