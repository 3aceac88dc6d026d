//! Pictures in text: a position as a seat sees it, and the component set (all within the width asked for).

use forbidden_games_core::canvas::{Canvas, Palette, Role};
use forbidden_games_core::contract::{DrawRequest, Drawing, Notation};
use forbidden_games_core::notation::normalize;
use forbidden_games_core::player::Player;

use super::actions::{Action, Payment};
use super::cards::{Dragon, Spirit};
use super::components::{CastleLayout, clip};
use super::game::Game;
use super::observation::Observation;
use super::state::{Phase, State};

/// The types of the built-in set in its order: merchants, soldiers, farmers, spring, winds, dragons.
static PALETTE: Palette =
    Palette { seats: Palette::SEATS, terrain: [Some(226), Some(203), Some(85), Some(111), Some(251), Some(168), None, None] };

/// Which squares are legal targets, and where the last action was.
#[derive(Clone, Copy, Debug, Default)]
struct Marks {
    castle: [u64; 4],
    realm: u64,
    last_castle: Option<u8>,
    last_realm: Option<u8>,
}

impl Marks {
    fn new(request: &DrawRequest<'_, Action>) -> Self {
        let mut marks = Self::default();
        for &action in request.legal {
            match action {
                Action::Take(square) | Action::Pair(square) => marks.castle[usize::from(square / 64)] |= 1 << (square % 64),
                // What pays for a card is said in the list of actions; marking it would hide where to place.
                Action::Spirit(_, Payment::Tile(_) | Payment::Shrine) => {}
                Action::Wild(square, _) => marks.realm |= 1_u64.checked_shl(square.into()).unwrap_or(0),
                Action::Swap(x, y) => {
                    for square in [x, y] {
                        marks.realm |= 1_u64.checked_shl(square.into()).unwrap_or(0);
                    }
                }
                _ => {
                    if let Some((_, square)) = action.realm_square() {
                        marks.realm |= 1_u64.checked_shl(square.into()).unwrap_or(0);
                    }
                }
            }
        }
        match request.last {
            Some(Action::Take(square) | Action::Pair(square)) => marks.last_castle = Some(square),
            Some(Action::Swap(square, _) | Action::Wild(square, _)) => marks.last_realm = Some(square),
            Some(action) => marks.last_realm = action.realm_square().map(|(_, square)| square),
            None => {}
        }
        marks
    }
}

impl Drawing for Game {
    fn draw(&self, observation: &Observation, request: &DrawRequest<'_, Action>, canvas: &mut Canvas) {
        let state = &observation.state;
        let width = request.width.clamp(60, 200);
        let marks = Marks::new(request);
        self.draw_header(state, canvas);
        self.draw_castle(state, &marks, width, canvas);
        canvas.line("", Role::Plain);
        self.draw_realms(observation, &marks, width, canvas);
        self.draw_turn(state, width, canvas);
        self.draw_counts(state, width, canvas);
        self.draw_cards(state, width, canvas);
        if let Some(last) = request.last {
            canvas.spans(&[("Last: ", Role::Dim), (&self.format_action(last), Role::Last)]);
        }
    }

    fn draw_components(&self, canvas: &mut Canvas) {
        const WIDTH: usize = 80;
        let set = &self.settings.components;
        canvas.spans(&[
            ("Component set ", Role::Heading),
            (&set.name, Role::Heading),
            (
                &format!(": {} tiles, {} shrines, {} tokens worth {} VP", set.tiles, set.shrines, set.tokens, set.token_vp),
                Role::Plain,
            ),
        ]);
        let sizes: Vec<String> = (4..=12).map(|size| format!("{size}: {}", set.set_vp(size))).collect();
        wrap("VP of a set by its size: ", &sizes, ", ", WIDTH, canvas);
        for (index, kind) in set.types.iter().enumerate() {
            let class = if kind.is_faction { "faction" } else { "special" };
            let title = clip(&kind.title, 30);
            let extra = format!("{} shrines and {} extra VP per set", kind.shrines, kind.vp);
            canvas.spans(&[
                (&format!("{} {title}", char::from(kind.code)), Role::Terrain(index as u8)),
                (&format!(" ({class}): {extra}"), Role::Plain),
            ]);
            let symbols = set.symbols.iter().filter(|symbol| usize::from(symbol.kind) == index);
            let symbols: Vec<String> = symbols.map(|symbol| format!("{} x{}", symbol.text, kind.copies)).collect();
            wrap("    ", &symbols, "  ", WIDTH, canvas);
        }
        for (name, layout) in &set.layouts {
            let for_players: Vec<String> =
                (2..=4).filter(|&players| set.default_layout(players) == name).map(|players| players.to_string()).collect();
            let note = if for_players.is_empty() { String::new() } else { format!(" ({} players)", for_players.join(", ")) };
            canvas.spans(&[("Layout ", Role::Heading), (name, Role::Heading), (&note, Role::Plain)]);
            draw_layout(layout, canvas);
        }
        for card in Spirit::ALL.into_iter().filter(|card| set.spirits[card.index()].is_some()) {
            let windows: Vec<_> = card.windows().iter().map(|window| window.name()).collect();
            let name = format!("{} ({}; in {}): ", self.settings.components.spirit_title(card), card.name(), windows.join(", "));
            wrap(&name, &words(card.effect()), " ", WIDTH, canvas);
        }
        for card in Dragon::ALL.into_iter().filter(|card| set.dragons[card.index()].is_some()) {
            wrap(
                &format!("{} ({}): ", self.settings.components.dragon_title(card), card.name()),
                &words(card.effect()),
                " ",
                WIDTH,
                canvas,
            );
        }
    }

    fn palette(&self) -> &'static Palette {
        &PALETTE
    }

    /// A square alone means the verb of the phase with it; `swap` takes its squares in either order; a card is named without
    /// `spirit`; what pays for it without `tile`.
    fn interpret(&self, observation: &Observation, text: &str) -> Option<Action> {
        let normal = normalize(text);
        let words: Vec<&str> = normal.split(' ').take(6).collect();
        let phase_verb = match observation.state.phase {
            Phase::Turn => "take",
            Phase::Second => "pair",
            Phase::Place => "place",
            Phase::Consolidate => "consolidate",
            Phase::Build => "build",
            Phase::Beauty => "set",
            Phase::Change => "wild",
            Phase::Mirror => "swap",
            Phase::WindFlip => "flip",
            Phase::WindFrom => "from",
            Phase::WindTo => "to",
            Phase::StrengthLift => "lift",
            Phase::StrengthDrop => "drop",
            _ => "",
        };
        let read = |text: String| self.parse_action(&text).ok();
        match *words.as_slice() {
            ["swap", x, y] => read(format!("swap {y} {x}")),
            ["spirit", name, "shrine"] | [name, "shrine"] => read(format!("spirit {name} shrine")),
            ["spirit", name, "tile", x] | ["spirit", name, x] | [name, "tile", x] => read(format!("spirit {name} tile {x}")),
            [x] => read(format!("{phase_verb} {x}")),
            [x, y] => read(format!("{phase_verb} {x} {y}"))
                .or_else(|| read(format!("{phase_verb} {y} {x}")))
                .or_else(|| read(format!("spirit {x} tile {y}"))),
            _ => None,
        }
    }
}

impl Game {
    fn draw_header(&self, state: &State, canvas: &mut Canvas) {
        let who = match state.phase {
            Phase::Terminal => "the game is over".to_owned(),
            phase if phase.is_chance() => format!("a draw in seat {}'s turn", state.seat()),
            _ => format!("seat {} to move", state.seat()),
        };
        canvas.spans(&[
            ("Dragon Castle", Role::Heading),
            (&format!("  ply {}, {who}: ", state.ply), Role::Plain),
            (state.phase.name(), Role::Heading),
        ]);
    }

    /// Each stack as height and top symbol; `*` may be taken now, `+` is available but not legal now, `<` was picked last.
    fn draw_castle(&self, state: &State, marks: &Marks, width: usize, canvas: &mut Canvas) {
        let cell = ((width - 3) / self.tables.castle.columns).min(5);
        let mut ruler = "   ".to_owned();
        for column in 0..self.tables.castle.columns {
            let letter = letter(column);
            ruler.push_str(&format!("{:<cell$}", if cell > 3 { format!(" {letter}") } else { letter.to_string() }));
        }
        canvas.line(ruler.trim_end(), Role::Dim);
        for row in 0..self.tables.castle.rows {
            let line = canvas.height();
            canvas.line(&format!("{:>2}", row + 1), Role::Dim);
            for column in 0..self.tables.castle.columns {
                let square = row * self.tables.castle.columns + column;
                let stack = state.castle[square];
                let mut at = 3 + column * cell;
                let legal = marks.castle[square / 64] >> (square % 64) & 1 != 0;
                if cell > 3 {
                    let (mark, role) = match (legal, state.available.has(square)) {
                        (true, _) => ("*", Role::Legal),
                        (false, true) => ("+", Role::Dim),
                        _ => (" ", Role::Plain),
                    };
                    canvas.put(line, at, mark, role);
                    at += 1;
                }
                let last = marks.last_castle == Some(square as u8);
                let (text, role) = match (stack.height(), stack.symbol()) {
                    (0, _) => (".".to_owned(), Role::Dim),
                    (height, None) => (format!("{height}??"), Role::Plain),
                    (height, Some(symbol)) => {
                        let symbol = &self.settings.components.symbols[usize::from(symbol)];
                        (format!("{height}{}", symbol.text), Role::Terrain(symbol.kind))
                    }
                };
                let role = if last {
                    Role::Last
                } else if legal {
                    Role::Legal
                } else {
                    role
                };
                canvas.put(line, at, &text, role);
                if last && cell > 4 {
                    canvas.put(line, at + 3, "<", Role::Last);
                }
            }
        }
        let legend = ["height and top symbol", "* can be picked now", "+ has a free long side"].map(str::to_owned);
        wrap("   ", &legend, ", ", width, canvas);
    }

    /// A realm square in the position language of DC-11.1.
    fn realm_text(&self, state: &State, seat: usize, square: usize) -> String {
        let stack = self.realm(state, seat)[square];
        let shrine = if state.masks[seat].shrines >> square & 1 != 0 { "^" } else { "" };
        match (stack.height, stack.top) {
            (0, _) => ".".to_owned(),
            (1, 0) => format!("#{shrine}"),
            (height, 0) => format!("#{height}{shrine}"),
            (1, top) => self.settings.components.symbol_text(top - 1).to_owned(),
            (height, top) => format!("{}/{height}", self.settings.components.symbol_text(top - 1)),
        }
    }

    fn draw_realms(&self, observation: &Observation, marks: &Marks, width: usize, canvas: &mut Canvas) {
        let Observation { player, state } = observation;
        let grid = self.tables.realm.grid;
        let texts: Vec<Vec<String>> = (0..self.settings.players)
            .map(|seat| (0..grid.len()).map(|square| self.realm_text(state, seat, square)).collect())
            .collect();
        let longest = texts.iter().flatten().map(String::len).max().unwrap_or(0).max(4);
        let panel_of = |cell: usize| (3 + grid.columns * cell).max(34);
        let in_a_row = |cell: usize| ((width + 2) / (panel_of(cell) + 2)).max(1);
        // A wider square only if it costs no panel beside the first.
        let wide = panel_of(longest + 2) <= width && in_a_row(longest + 2) == in_a_row(longest + 1);
        let cell = longest + if wide { 2 } else { 1 };
        let (panel, in_a_row) = (panel_of(cell), in_a_row(cell));
        let seats: Vec<Player> = player.clockwise(self.settings.players).collect();
        for chunk in seats.chunks(in_a_row) {
            let top = canvas.height();
            for (place, &seat) in chunk.iter().enumerate() {
                let seat_panel = Panel { seat: seat.index(), top, left: place * (panel + 2), cell, texts: &texts[seat.index()] };
                self.draw_realm(state, &seat_panel, seat == *player, canvas);
                if seat.index() == state.seat() && state.phase != Phase::Terminal {
                    self.mark_realm(state, marks, &seat_panel, canvas);
                }
            }
        }
        let legend =
            ["m1 face up", "m1/2 on floor 2", "# face down", "#3 three high", "^ shrine", "* legal now"].map(str::to_owned);
        wrap("   ", &legend, ", ", width, canvas);
    }

    fn draw_realm(&self, state: &State, panel: &Panel<'_>, own: bool, canvas: &mut Canvas) {
        let grid = self.tables.realm.grid;
        let &Panel { seat, top, left, cell, texts } = panel;
        let marker = if seat == state.seat() { ">" } else { " " };
        let you = if own { " (you)" } else { "" };
        canvas.put(top, left, &format!("{marker}seat {seat}{you}"), Role::Seat(seat as u8));
        let now = self.final_score(state, seat);
        let (vp, pool, tokens) = (state.vp[seat], state.pools[seat], state.countdown[seat]);
        canvas.put(top + 1, left, &format!("   VP {vp}, pool {pool}, tokens {tokens}; now {now}"), Role::Plain);
        for column in 0..grid.columns {
            canvas.put(top + 2, left + 4 + column * cell, &letter(column).to_string(), Role::Dim);
        }
        for row in 0..grid.rows {
            canvas.put(top + 3 + row, left, &format!("{:>2}", row + 1), Role::Dim);
            for column in 0..grid.columns {
                let square = row * grid.columns + column;
                let stack = self.realm(state, seat)[square];
                let role = match (stack.height, stack.top) {
                    (0, _) => Role::Dim,
                    (_, 0) => Role::Plain,
                    (_, top) => Role::Terrain(self.tables.type_of_top[usize::from(top)]),
                };
                canvas.put(top + 3 + row, left + 4 + column * cell, &texts[square], role);
            }
        }
    }

    /// Marks the legal squares of the realm of the seat to move, and the last one in its turn.
    fn mark_realm(&self, state: &State, marks: &Marks, panel: &Panel<'_>, canvas: &mut Canvas) {
        let grid = self.tables.realm.grid;
        for (square, text) in panel.texts.iter().enumerate() {
            let line = panel.top + 3 + square / grid.columns;
            let column = panel.left + 3 + square % grid.columns * panel.cell;
            if marks.last_realm == Some(square as u8) && state.phase != Phase::Turn {
                canvas.put(line, column + 1, text, Role::Last);
            }
            if marks.realm >> square & 1 != 0 {
                canvas.put(line, column, "*", Role::Legal);
            }
        }
    }

    /// What is going on in this turn (DC-9.2); nothing at its start.
    fn draw_turn(&self, state: &State, width: usize, canvas: &mut Canvas) {
        let turn = &state.turn;
        let mut items: Vec<String> = Vec::new();
        let mut say = |text: String| items.push(text);
        if let Some(first) = turn.first {
            say(format!("first pick {} on floor {}", self.castle_square(first.square), first.floor));
        }
        if turn.hand.len() > 0 {
            say(format!(
                "in hand {}",
                turn.hand
                    .as_slice()
                    .iter()
                    .map(|&symbol| self.settings.components.symbol_text(symbol))
                    .collect::<Vec<_>>()
                    .join(" ")
            ));
        }
        if let Some(after) = turn.after {
            say(format!("next square after {}", self.realm_square(after)));
        }
        for set in self.split_sets(state, state.seat(), turn.pending) {
            say(format!("set waiting {}", self.realm_squares(set)));
        }
        if turn.set != 0 {
            say(format!("set consolidated {}", self.realm_squares(turn.set)));
            let must = if turn.must { "must still be built" } else { "may still be built" };
            say(format!("{} shrines {must}", turn.builds));
        }
        if let Some(lifted) = turn.lifted {
            let tile = if lifted.top == 0 {
                "face-down tile".to_owned()
            } else {
                self.settings.components.symbol_text(lifted.top - 1).to_owned()
            };
            say(format!("{tile} lifted from {}", self.realm_square(lifted.square)));
        }
        if let Some(moved) = turn.moved {
            say(format!("first tile moved to {}", self.realm_square(moved)));
        }
        if let Some(from) = turn.from {
            say(format!("shrine moves from {}", self.realm_square(from)));
        }
        if turn.elegance {
            say("elegance: short sides count".to_owned());
        }
        if let Some(card) = turn.bound {
            say(format!("{} binds the next pick", card.name()));
        }
        if !turn.used.is_empty() {
            say(format!("used {}", turn.used.spirits().map(Spirit::name).collect::<Vec<_>>().join(", ")));
        }
        if let Some(window) = turn.resume {
            say(format!("then on with {}", window.name()));
        }
        wrap(&format!("Seat {}: ", turn.seat), &items, "; ", width, canvas);
    }

    fn draw_counts(&self, state: &State, width: usize, canvas: &mut Canvas) {
        let mut common = vec![
            format!("supply {} shrines", state.supply),
            format!("countdown {} tokens left of {}", state.tokens, self.settings.components.tokens),
            format!("out of play {} tiles", state.discards),
        ];
        if state.tokens_taken() >= self.settings.players {
            common.push("LAST ROUND".to_owned());
        }
        wrap("Table: ", &common, ", ", width, canvas);
        let unseen: Vec<String> = (self.settings.components.symbols.iter().zip(&*state.unrevealed))
            .filter(|&(_, &count)| count > 0)
            .map(|(symbol, count)| format!("{} {count}", symbol.text))
            .collect();
        wrap(&format!("Unseen {}: ", state.unrevealed_total), &unseen, ", ", width, canvas);
    }

    fn draw_cards(&self, state: &State, width: usize, canvas: &mut Canvas) {
        for card in state.spirits.spirits() {
            let used = if state.turn.used.has(card.index()) { " [used this turn]" } else { "" };
            let name = format!("{} ({}){used}: ", self.settings.components.spirit_title(card), card.name());
            wrap(&name, &words(card.effect()), " ", width, canvas);
        }
        for card in state.dragons.dragons() {
            wrap(
                &format!("{} ({}): ", self.settings.components.dragon_title(card), card.name()),
                &words(card.effect()),
                " ",
                width,
                canvas,
            );
        }
    }
}

/// Where a realm is drawn, and what stands on its squares.
struct Panel<'a> {
    seat: usize,
    top: usize,
    left: usize,
    cell: usize,
    texts: &'a [String],
}

const fn letter(column: usize) -> char {
    (b'a' + column as u8) as char
}

fn draw_layout(layout: &CastleLayout, canvas: &mut Canvas) {
    for row in layout.heights.chunks(layout.grid.columns) {
        let text: String = row.iter().map(|&height| if height == 0 { '.' } else { char::from(b'0' + height) }).collect();
        canvas.line(&format!("    {text}"), Role::Plain);
    }
}

fn words(effect: [&str; 2]) -> Vec<String> {
    effect.iter().flat_map(|line| line.split(' ')).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Writes `items` behind a label over as many lines as needed; nothing if there is none.
fn wrap(label: &str, items: &[String], separator: &str, width: usize, canvas: &mut Canvas) {
    if items.is_empty() {
        return;
    }
    let mut line = label.to_owned();
    let mut first_line = true;
    let mut empty = true;
    for (i, item) in items.iter().enumerate() {
        let tail = if i + 1 < items.len() { separator } else { "" };
        let needed = item.chars().count() + tail.trim_end().chars().count();
        if !empty && line.chars().count() + needed > width {
            flush(label, &line, first_line, canvas);
            (line, first_line) = ("    ".to_owned(), false);
        }
        line.push_str(item);
        line.push_str(tail);
        empty = false;
    }
    flush(label, &line, first_line, canvas);
}

fn flush(label: &str, line: &str, first_line: bool, canvas: &mut Canvas) {
    let line = line.trim_end();
    match line.strip_prefix(label) {
        Some(rest) if first_line => canvas.spans(&[(label, Role::Heading), (rest, Role::Plain)]),
        _ => canvas.line(line, Role::Plain),
    }
}
