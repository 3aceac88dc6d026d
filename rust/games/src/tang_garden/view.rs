//! Pictures: the garden with terrain letters at the edges of its tiles, then panels of text. Everything an observation holds is
//! drawn, so that two that differ never look alike.

use forbidden_games_core::canvas::{Canvas, Role};
use forbidden_games_core::game::DrawRequest;

use super::Game;
use super::actions::Action;
use super::board::{BOARD, NONE, START_SQUARES, bit, square_name, squares};
use super::components::{AREAS, LETTERS, SIDES, SIZES, STACKS};
use super::observation::Observation;
use super::skills::{describe_skill, describe_view};
use super::state::{LANTERNS, NEUTRAL, PHASES, Phase, State, lanterns_of};
use super::tables::{Face, START_CODE};

/// Rows of a square in the picture.
const ROWS: usize = 4;
/// Columns before the first square, for the row numbers.
const MARGIN: usize = 3;
/// Columns of the whole garden with its labels.
const GARDEN_WIDTH: usize = MARGIN + 8 * FULL.pitch;
/// From this width on the text stands beside the garden.
const WIDE: usize = GARDEN_WIDTH + 3 + 60;
/// How wide a square is drawn.
#[derive(Clone, Copy)]
struct Shape {
    /// Columns between the frame's sides.
    inner: usize,
    /// Columns from one square to the next.
    pitch: usize,
}

/// From 75 columns on.
const FULL: Shape = Shape { inner: 6, pitch: 9 };
/// Below: whose figure it is, but not where it looks, which the list of figures tells.
const NARROW: Shape = Shape { inner: 5, pitch: 7 };

/// Marks of areas, lower case while free and upper case once decorated, in the order of [`AREAS`].
const AREA_MARKS: [char; 6] = ['t', 'm', 'o', 'v', 'b', 'i'];

/// Lines of text that stay within a width.
struct Panel {
    canvas: Canvas,
    width: usize,
}

impl Panel {
    /// A label and items after it, wrapped; continued lines are indented to the label's width.
    fn row(&mut self, label: &str, role: Role, items: &[String]) {
        let indent = label.chars().count() + 1;
        let mut row = self.canvas.height();
        self.canvas.put(row, 0, label, role);
        let mut column = indent;
        for item in items {
            let len = item.chars().count();
            if column > indent && column + len > self.width {
                row += 1;
                column = indent;
            }
            // A single item longer than the line is cut into pieces rather than let out of the picture.
            let room = self.width.saturating_sub(indent).max(8);
            let characters: Vec<char> = item.chars().collect();
            for (index, piece) in characters.chunks(room).enumerate() {
                if index > 0 {
                    row += 1;
                    column = indent;
                }
                self.canvas.put(row, column, &piece.iter().collect::<String>(), Role::Plain);
                column += piece.len();
            }
            column += 1;
        }
    }

    fn heading(&mut self, text: &str) {
        self.canvas.line(text, Role::Heading);
    }
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

/// `g04x2` for each kind with copies; `-` if there is none.
fn bag<'a>(counts: impl Iterator<Item = (&'a str, u8)>) -> Vec<String> {
    let items: Vec<String> = counts.filter(|&(_, count)| count > 0).map(|(name, count)| format!("{name} x{count}")).collect();
    if items.is_empty() { vec!["-".to_owned()] } else { separated(items) }
}

/// Items with commas after all but the last.
fn separated(mut items: Vec<String>) -> Vec<String> {
    let last = items.len().saturating_sub(1);
    items.iter_mut().take(last).for_each(|item| item.push(','));
    if items.is_empty() { vec!["-".to_owned()] } else { items }
}

fn letter_role(letter: u8) -> Role {
    // Terrain colours of the palette: green, grey and blue, paths yellow.
    match letter {
        0 => Role::Terrain(0),
        1 => Role::Terrain(3),
        2 => Role::Terrain(1),
        3 => Role::Terrain(5),
        4 | 5 => Role::Terrain(2),
        _ => Role::Dim,
    }
}

impl Game {
    pub(super) fn draw_picture(&self, observation: &Observation, request: &DrawRequest<'_, Action>, canvas: &mut Canvas) {
        let state = &observation.state;
        let (legal, sides) = targets(request.legal);
        let last = request.last.map_or(0, |action| targets(&[action]).0);
        let wide = request.width >= WIDE;
        let mut panel =
            Panel { canvas: Canvas::new(), width: if wide { request.width.min(400) - GARDEN_WIDTH - 3 } else { request.width } };
        let mut title = Panel { canvas: Canvas::new(), width: request.width.min(400) };
        self.title_rows(observation, &mut title);
        canvas.blit(0, 0, &title.canvas);
        let top = canvas.height();
        let shape = if request.width < GARDEN_WIDTH { NARROW } else { FULL };
        self.draw_garden(state, (legal, last), shape, canvas, top);
        self.draw_panels(state, sides, &mut panel);
        if wide {
            canvas.blit(top, GARDEN_WIDTH + 3, &panel.canvas);
        } else {
            canvas.blit(canvas.height(), 0, &panel.canvas);
        }
    }

    fn title_rows(&self, observation: &Observation, panel: &mut Panel) {
        let state = &observation.state;
        let node = match self.turn_of(state) {
            forbidden_games_core::player::Turn::Player(player) => format!("seat {player} decides"),
            forbidden_games_core::player::Turn::Chance => "nature draws".to_owned(),
            forbidden_games_core::player::Turn::Over => "the game is over".to_owned(),
        };
        let mut items = vec![
            format!("round {}{}", state.round, if state.is_final { " (the last)" } else { "" }),
            format!("ply {}", state.ply),
            format!("phase {}: {node}", PHASES[state.phase as usize]),
        ];
        if state.placed_in_round {
            items.push("placed in this round".to_owned());
        }
        if state.idle_rounds > 0 {
            items.push(format!("idle rounds {}", state.idle_rounds));
        }
        if let Some(won) = state.solo.won {
            let title = self.title(state).unwrap_or_default();
            items.push(format!("{} as {title}", if won { "won" } else { "lost" }));
        }
        panel.row("Tang Garden", Role::Heading, &separated(items));
        panel.row("seen by", Role::Dim, &words(&format!("seat {}", observation.player)));
        let turn = &state.turn;
        if turn.seat == NONE {
            return;
        }
        let mut items = Vec::new();
        if turn.action != NONE {
            items.push(format!("main action {}", LANTERNS[usize::from(turn.action)]));
        }
        if turn.placed > 0 {
            items.push(format!("placed {}", turn.placed));
        }
        let flags = [
            (turn.lantern, "lantern used"),
            (turn.influenced, "influence made"),
            (turn.earned, "influence earned"),
            (turn.paid, "skill has paid"),
        ];
        items.extend(flags.iter().filter(|(flag, _)| *flag).map(|(_, text)| (*text).to_owned()));
        if turn.paths > 0 {
            items.push(format!("path edges {}", turn.paths));
        }
        if turn.insert != NONE {
            items.push(format!("a {} landscape is due", SIZES[usize::from(turn.insert)]));
        }
        if turn.draws > 0 {
            items.push(format!("cards to draw {}", turn.draws));
        }
        if turn.new != NONE {
            items.push(format!("new character {}", self.name_of(turn.new)));
        }
        if !turn.drawn_cards().is_empty() {
            let cards = turn.drawn_cards().iter().map(|&card| self.tables.components.cards[usize::from(card)].name.as_str());
            items.push(format!("drawn {}", cards.collect::<Vec<_>>().join(" ")));
        }
        panel.row(&format!("turn of seat {}:", turn.seat), Role::Seat(turn.seat), &separated(items));
    }

    fn draw_garden(&self, state: &State, (legal, last): (u64, u64), shape: Shape, canvas: &mut Canvas, top: usize) {
        for column in 0..8 {
            canvas.put(top, MARGIN + column * shape.pitch + 3, &((b'a' + column as u8) as char).to_string(), Role::Dim);
        }
        for square in squares(BOARD) {
            let (row, column) = (usize::from(square / 8), usize::from(square % 8));
            let (y, x) = (top + 1 + row * ROWS, MARGIN + column * shape.pitch);
            if column == 0 || BOARD & bit(square - 1) == 0 {
                canvas.put(y + 1, x - 2, &(row + 1).to_string(), Role::Dim);
            }
            let code = state.tile_at[usize::from(square)];
            if code == NONE {
                let token = (0..2).find(|&size| state.tokens[size] & bit(square) != 0);
                match token {
                    Some(0) => canvas.put(y + 1, x + 2, "(sm)", Role::Heading),
                    Some(_) => canvas.put(y + 1, x + 2, "(LA)", Role::Heading),
                    None => canvas.put(y + 1, x + 3, "·", Role::Dim),
                }
            } else {
                self.draw_square(state, square, shape, canvas, (y, x));
            }
            if legal & bit(square) != 0 {
                canvas.put(y, x, "*", Role::Legal);
            }
            if last & bit(square) != 0 {
                canvas.put(y, x + shape.inner + 1, "!", Role::Last);
            }
        }
    }

    fn draw_square(&self, state: &State, square: u8, shape: Shape, canvas: &mut Canvas, (y, x): (usize, usize)) {
        let code = state.tile_at[usize::from(square)];
        let face = self.tables.face(code);
        let name = if code >= START_CODE {
            "start".to_owned()
        } else {
            let gap = if shape.inner > 5 { " " } else { "" };
            format!("{}{gap}r{}", self.tables.components.tiles[usize::from(code / 4)].name, code % 4)
        };
        draw_face(face, &name, shape, canvas, (y, x));
        let mut marks = String::new();
        for (area, mark) in AREA_MARKS.iter().enumerate().filter(|(area, _)| face.areas >> area & 1 == 1) {
            let taken = area < 5 && state.free_areas[area] & bit(square) == 0;
            marks.push(if taken { mark.to_ascii_uppercase() } else { *mark });
        }
        // A blank at either side keeps the marks off the edge letters where there is room.
        let mut column = x + if marks.len() > 2 { 1 } else { 2 };
        canvas.put(y + 1, column, &marks, Role::Plain);
        column += marks.len();
        if let Some(figure) = state.figures.iter().find(|figure| figure.square == square) {
            let (text, role) = if figure.seat == NEUTRAL {
                ("n.".to_owned(), Role::Plain)
            } else {
                (format!("{}{}", figure.seat, ['^', '>', 'v', '<'][usize::from(figure.facing)]), Role::Seat(figure.seat))
            };
            canvas.put(y + 1, column, &text[..shape.inner - 4], role);
        }
    }

    fn draw_panels(&self, state: &State, legal_sides: u8, panel: &mut Panel) {
        let components = &self.tables.components;
        let landscape = |kind: u8| components.landscapes[usize::from(kind)].name.clone();
        let listed =
            |kinds: &[u8]| -> Vec<String> { kinds.iter().filter(|&&kind| kind != NONE).map(|&kind| landscape(kind)).collect() };
        let character = |index: u8| components.character_names[usize::from(index)].clone();
        let set = |set: u16| separated(squares(u64::from(set)).map(character).collect());
        panel.heading("Panorama");
        for (side, name) in SIDES.iter().enumerate() {
            let mark = if legal_sides >> side & 1 == 1 { "*" } else { " " };
            panel.row(&format!("{mark}{name}"), Role::Heading, &separated(listed(&state.panorama[side])));
        }
        for (size, name) in SIZES.iter().enumerate() {
            let mut items = words("shown");
            items.extend(separated(listed(&state.shown[size])));
            items.extend(words("; pile"));
            let kinds = components.landscapes.iter().zip(state.pile).filter(|(kind, _)| kind.size == size);
            items.extend(bag(kinds.map(|(kind, count)| (kind.name.as_str(), count))));
            panel.row(&format!(" {name}"), Role::Heading, &items);
        }
        panel.heading("Seats");
        for (index, seat) in state.seats[..self.players].iter().enumerate() {
            let tracks: Vec<String> = (0..3).map(|track| format!("{} {}", LETTERS[track], seat.levels[track])).collect();
            let lanterns = lanterns_of(self.players).into_iter().map(|lantern| {
                let name = LANTERNS[usize::from(lantern)];
                if seat.lanterns >> lantern & 1 == 1 { name.to_owned() } else { format!("({name} used)") }
            });
            let active = if seat.active == NONE { "-".to_owned() } else { character(seat.active) };
            let items = vec![
                format!("{} coins", seat.coins),
                format!("tracks {}", tracks.join(" ")),
                format!("tokens {} small {} large", seat.tokens[0], seat.tokens[1]),
                format!("character {active}{}", if seat.character_token { " and a token" } else { "" }),
                format!("lanterns {}", lanterns.collect::<Vec<_>>().join(" ")),
            ];
            let to_move = if usize::from(state.turn.seat) == index { ">" } else { " " };
            panel.row(&format!("{to_move}{index}"), Role::Seat(index as u8), &separated(items));
            let cards = components.decorations.iter().map(String::as_str).zip(seat.cards);
            panel.row("   cards", Role::Dim, &bag(cards));
        }
        if state.phase == Phase::End {
            let lines = self.sheet(state);
            let points = self.points(state);
            for index in 0..self.players {
                let items = lines.iter().map(|line| format!("{} {}", line.item, line.points[index])).collect();
                panel.row(&format!(" {index} scores {}:", points[index]), Role::Alert, &separated(items));
            }
        }
        panel.heading("Garden");
        let mut items = Vec::new();
        for square in squares(BOARD) {
            for (index, name) in components.decorations.iter().enumerate() {
                if state.decorations[index] & bit(square) != 0 {
                    items.push(format!("{} {name}", square_name(square)));
                }
            }
        }
        panel.row(" decorations", Role::Heading, &separated(items));
        let figures = squares(state.figure_squares).filter_map(|at| state.figures.iter().position(|figure| figure.square == at));
        let figures = figures.map(|index| {
            let figure = state.figures[index];
            let owner = if figure.seat == NEUTRAL {
                "neutral".to_owned()
            } else {
                format!("of {} facing {}", figure.seat, SIDES[usize::from(figure.facing)])
            };
            format!("{} {} {owner}", square_name(figure.square), components.character_names[index])
        });
        panel.row(" figures", Role::Heading, &separated(figures.collect()));
        panel.row(" pieces left", Role::Heading, &bag(components.decorations.iter().map(String::as_str).zip(state.pieces)));
        panel.heading("Supplies");
        for (stack, letter) in STACKS.iter().enumerate() {
            let mut items = words("up");
            if state.up[stack] == NONE {
                items.push("-".to_owned());
            } else {
                items.push(self.tile_text(usize::from(state.up[stack])));
            }
            items.push(format!("; {} down:", state.down_total[stack]));
            let kinds = self.tables.stack_tiles[stack].iter().map(|&kind| usize::from(kind));
            items.extend(bag(kinds.map(|kind| (components.tiles[kind].name.as_str(), state.down[kind]))));
            if usize::from(state.solo.stack) == stack {
                items.push("(being replaced)".to_owned());
            }
            panel.row(&format!(" stack {letter}"), Role::Heading, &items);
        }
        panel.row(" characters", Role::Heading, &set(state.display));
        panel.row("   deck", Role::Dim, &set(state.character_deck));
        if self.players == 1 {
            let solo = &state.solo;
            panel.row(" pair", Role::Heading, &set(solo.pair));
            let partner = if solo.partner == NONE { "-".to_owned() } else { character(solo.partner) };
            panel.row(" partner", Role::Heading, &[partner]);
            let market = STACKS.iter().zip(solo.market).map(|(letter, card)| {
                let name = if card == NONE { "-" } else { components.cards[usize::from(card)].name.as_str() };
                format!("{letter} {name}")
            });
            panel.row(" market", Role::Heading, &separated(market.collect()));
            if solo.under != NONE {
                panel.row(" goes back", Role::Heading, &[components.tiles[usize::from(solo.under)].name.clone()]);
            }
        }
        let card = |counts: [u8; 54]| bag(components.cards.iter().map(|card| card.name.as_str()).zip(counts));
        panel.row(&format!(" deck {}", state.deck_total), Role::Heading, &card(state.deck));
        panel.row(&format!(" discarded {}", state.discard_total), Role::Heading, &card(state.discard));
        let key = AREA_MARKS.iter().zip(AREAS).map(|(mark, area)| format!("{mark} {area}"));
        panel.row("areas (capital: decorated)", Role::Dim, &separated(key.collect()));
        let key = ["g greenery", "w water", "r rock", "p path", "x wall", "k temple"].map(str::to_owned);
        panel.row("edges", Role::Dim, &separated(key.to_vec()));
        let key =
            ["(sm) (LA) small and large token", "1> figure of seat 1 facing east", "* legal now", "! last"].map(str::to_owned);
        panel.row("marks", Role::Dim, &separated(key.to_vec()));
    }

    /// `g04 ggpp ne meadow`.
    fn tile_text(&self, kind: usize) -> String {
        let tile = &self.tables.components.tiles[kind];
        let edges: String = tile.edges.iter().map(|&edge| LETTERS[usize::from(edge)]).collect();
        let mut parts: Vec<String> = tile
            .regions
            .iter()
            .map(|region| (0..4).filter(|side| region >> side & 1 == 1).map(|side| SIDES[side]).collect())
            .collect();
        parts.extend(tile.inner.map(|terrain| format!("({})", LETTERS[usize::from(terrain)])));
        parts.extend(tile.temple.map(|terrain| format!("temple-{}", LETTERS[usize::from(terrain)])));
        let area = tile.area.map_or("-", |area| AREAS[usize::from(area)]);
        format!("{} {edges} {} {area}", tile.name, if parts.is_empty() { "-".to_owned() } else { parts.join("/") })
    }

    pub(super) fn draw_set(&self, canvas: &mut Canvas) {
        let components = &self.tables.components;
        canvas.line(&format!("Component set {}", components.name), Role::Heading);
        canvas.line("Tiles: edges north east south west; regions joined inside; area; copies", Role::Heading);
        for (row, kinds) in components.tiles.chunks(8).enumerate() {
            let top = canvas.height();
            for (column, tile) in kinds.iter().enumerate() {
                let kind = row * 8 + column;
                let face = self.tables.face(kind as u8 * 4);
                let x = column * 10;
                draw_face(face, &format!("{} x{}", tile.name, tile.copies), FULL, canvas, (top, x));
                let area = tile.area.map_or(' ', |area| AREA_MARKS[usize::from(area)]);
                let inside: String = match (tile.inner, tile.temple) {
                    (Some(terrain), _) => format!("({})", LETTERS[usize::from(terrain)]),
                    (_, Some(terrain)) => format!("T{}", LETTERS[usize::from(terrain)]),
                    _ => String::new(),
                };
                canvas.put(top + 1, x + 2, &format!("{area}{inside}"), Role::Plain);
            }
        }
        let mut panel = Panel { canvas: Canvas::new(), width: 80 };
        let tiles = (0..components.tiles.len()).map(|kind| format!("{} x{}", self.tile_text(kind), components.tiles[kind].copies));
        panel.row("tiles", Role::Heading, &separated(tiles.collect()));
        for (side, name) in components.start.iter().zip(["A", "B"]) {
            let edges: String = side.edges.iter().map(|&edge| LETTERS[usize::from(edge)]).collect();
            let regions: Vec<String> = side
                .regions
                .iter()
                .map(|region| (0..8).filter(|place| region >> place & 1 == 1).map(|place| place.to_string()).collect())
                .collect();
            let mut items = vec![format!("edges {edges}"), format!("regions {}", regions.join("/"))];
            for (square, areas) in START_SQUARES.iter().zip(side.areas) {
                let areas: Vec<&str> =
                    AREAS.iter().enumerate().filter(|(i, _)| areas >> i & 1 == 1).map(|(_, name)| *name).collect();
                items.push(format!("{} {}", square_name(*square), if areas.is_empty() { "-".to_owned() } else { areas.join("+") }));
            }
            panel.row(&format!("start tile {name}"), Role::Heading, &separated(items));
        }
        for (map, name) in components.tokens.iter().zip(["tokens for two", "tokens for more"]) {
            let items = squares(map[0] | map[1])
                .map(|square| format!("{} {}", square_name(square), SIZES[usize::from(map[1] & bit(square) != 0)]));
            panel.row(name, Role::Heading, &separated(items.collect()));
        }
        panel.row("tokens solo", Role::Heading, &separated(squares(components.solo_tokens).map(square_name).collect()));
        let decorations = (0..11).map(|index| {
            let area = AREAS[usize::from(components.decoration_area[index])];
            format!("{} x{} on {area}", components.decorations[index], components.pieces[index])
        });
        panel.row("decorations", Role::Heading, &separated(decorations.collect()));
        let cards = components.cards.iter().map(|card| {
            let name = &components.decorations[usize::from(card.decoration)];
            format!("{} x{} ({name}, {})", card.name, card.copies, card.bonus_name)
        });
        panel.row("cards", Role::Heading, &separated(cards.collect()));
        for (name, character) in components.character_names.iter().zip(&components.characters) {
            let mut items = Vec::new();
            if let Some(track) = character.start {
                items.push(format!("starts on {}", LETTERS[usize::from(track)]));
            }
            items.push(format!("skill {}", describe_skill(character.skill, &components.decorations)));
            items.push(format!("view {}", describe_view(character.view, &components.character_names)));
            let text = items.join("; ");
            panel.row(name, Role::Heading, &words(&text));
        }
        let landscapes = components.landscapes.iter().map(|kind| format!("{} x{}", kind.name, kind.copies));
        panel.row("landscapes", Role::Heading, &separated(landscapes.collect()));
        let coins = components.track_coins.iter().enumerate().filter(|(_, coins)| **coins > 0);
        let coins = coins.map(|(column, coins)| format!("column {column} pays {coins}"));
        panel.row("tracks", Role::Heading, &separated(coins.collect()));
        let thresholds = components.thresholds.iter().map(u8::to_string);
        panel.row("thresholds", Role::Heading, &separated(thresholds.collect()));
        let key = AREA_MARKS.iter().zip(AREAS).map(|(mark, area)| format!("{mark} {area}"));
        panel.row("area marks", Role::Dim, &separated(key.collect()));
        canvas.blit(canvas.height(), 0, &panel.canvas);
    }
}

/// The frame of a tile with its edge letters and a line of text inside.
fn draw_face(face: &Face, text: &str, shape: Shape, canvas: &mut Canvas, (y, x): (usize, usize)) {
    let (line, blank) = ("─".repeat(shape.inner), " ".repeat(shape.inner));
    canvas.put(y, x, &format!("┌{line}┐"), Role::Dim);
    canvas.put(y + 1, x, &format!("│{blank}│"), Role::Dim);
    canvas.put(y + 2, x, &format!("│{blank}│"), Role::Dim);
    canvas.put(y + 3, x, &format!("└{line}┘"), Role::Dim);
    canvas.put(y + 2, x + 1, text, Role::Plain);
    for (side, (dy, dx)) in [(0, 3), (1, shape.inner + 1), (3, 3), (1, 0)].into_iter().enumerate() {
        let edge = usize::from(face.edges[side]);
        // The sides of the start tile that lie inside it are left open.
        let letter = LETTERS.get(edge).map_or(" ".to_owned(), char::to_string);
        canvas.put(y + dy, x + dx, &letter, letter_role(edge as u8));
    }
}

/// Squares and sides that actions name.
fn targets(actions: &[Action]) -> (u64, u8) {
    let (mut set, mut sides) = (0, 0);
    for action in actions {
        match *action {
            Action::Build { square, .. }
            | Action::Wall { square, .. }
            | Action::Card { square, .. }
            | Action::Garden { square, .. }
            | Action::Move { square, .. }
            | Action::Take { square }
            | Action::Neutral { square } => set |= bit(square),
            Action::Panorama { side, .. } | Action::SeekLandscape { side, .. } => sides |= 1 << side,
            _ => {}
        }
    }
    (set, sides)
}

const _: () = assert!(GARDEN_WIDTH <= 76, "the garden fits into 80 columns");
