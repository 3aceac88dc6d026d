//! Pictures: long lists first, then the garden with terrain letters at the edges of its tiles, and last, nearest to where a person
//! types, what can be taken now, the legend and whose turn it is. Everything an observation holds is drawn, so that two that differ
//! never look alike.

use forbidden_games_core::canvas::{Canvas, Palette, Role};
use forbidden_games_core::contract::DrawRequest;
use forbidden_games_core::contract::{Drawing, Notation, Rules};

use super::actions::Action;
use super::board::{BOARD, NONE, START_SQUARES, bit, square_name, squares};
use super::components::{AREAS, LETTERS, SIDES, SIZES, STACKS};
use super::game::Game;
use super::observation::Observation;
use super::skills::{describe_skill, describe_view};
use super::state::{LANTERNS, NEUTRAL, PHASES, Phase, State, lanterns_of};
use super::tables::{Face, START_CODE};

/// Greenery, rock, other edges, water, none, paths: as [`letter_role`] numbers them.
pub(super) const PALETTE: Palette =
    Palette { seats: Palette::SEATS, terrain: [Some(78), Some(102), None, Some(111), None, Some(226), None, None] };

/// Rows of a square in the picture.
const ROWS: usize = 3;
/// Columns before the first square, for the row numbers.
const MARGIN: usize = 3;
/// Columns of the whole garden with its labels.
const GARDEN_WIDTH: usize = MARGIN + 8 * FULL.pitch;
/// Lines of the whole garden with its labels.
const GARDEN_ROWS: usize = 1 + 8 * ROWS;
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
    /// Where the last line ends, for what may go on there.
    column: usize,
}

impl Panel {
    fn new(width: usize) -> Self {
        Self { canvas: Canvas::new(), width, column: 0 }
    }

    /// A label and items after it on lines of their own, wrapped; continued lines are indented to the label's width.
    fn row(&mut self, label: &str, role: Role, items: &[String]) {
        let row = self.canvas.height();
        self.canvas.put(row, 0, label, role);
        self.items(row, label.chars().count() + 1, label.chars().count() + 1, items);
    }

    /// As [`Panel::row`], but after what stands in the last line if the label and an item fit there. Blanks before the label
    /// indent it where it begins a line.
    fn more(&mut self, label: &str, role: Role, items: &[String]) {
        let mut text = label.trim_start();
        let first = items.first().map_or(0, |item| item.chars().count());
        let mut row = self.canvas.height();
        let mut column = 1;
        if row > 0 && self.column + 4 + text.chars().count() + first <= self.width {
            row -= 1;
            self.canvas.put(row, self.column + 1, "│", Role::Dim);
            column = self.column + 3;
        } else {
            text = label;
        }
        self.canvas.put(row, column, text, role);
        self.items(row, column + text.chars().count() + 1, 3, items);
    }

    fn items(&mut self, mut row: usize, mut column: usize, indent: usize, items: &[String]) {
        let start = column;
        for (index, item) in items.iter().enumerate() {
            let len = item.chars().count();
            if (index > 0 || start > indent) && column + len > self.width {
                row += 1;
                column = indent;
            }
            // A single item longer than the line is cut into pieces rather than let out of the picture.
            let room = self.width.saturating_sub(column).max(8);
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
        self.column = column.saturating_sub(1);
    }
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

/// `g04 x2` for each kind with copies, the name alone for a single copy; `-` if there is none.
fn bag<'a>(counts: impl Iterator<Item = (&'a str, u8)>) -> Vec<String> {
    let items = counts.filter(|&(_, count)| count > 0);
    separated(items.map(|(name, count)| if count == 1 { name.to_owned() } else { format!("{name} x{count}") }).collect())
}

/// Items with commas after all but the last; `-` if there is none.
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

impl Drawing for Game {
    fn draw(&self, observation: &Observation, request: &DrawRequest<'_, Action>, canvas: &mut Canvas) {
        let state = &observation.state;
        let (legal, sides) = targets(request.legal);
        let last = request.last.map_or(0, |action| targets(&[action]).0);
        let width = request.width.min(400);
        let wide = width >= WIDE;
        let mut lists = Panel::new(if wide { width - GARDEN_WIDTH - 3 } else { width });
        self.list_supplies(state, &mut lists);
        self.list_seats(state, &mut lists);
        self.list_garden(state, &mut lists);
        let shape = if width < GARDEN_WIDTH { NARROW } else { FULL };
        let lines = lists.canvas.height();
        canvas.blit(0, if wide { GARDEN_WIDTH + 3 } else { 0 }, &lists.canvas);
        // Beside longer lists the garden stands at their foot, so that it stays in sight.
        let top = if wide { lines.saturating_sub(GARDEN_ROWS) } else { lines };
        self.draw_garden(state, (legal, last), shape, canvas, top);
        let mut choices = Panel::new(width);
        self.list_choices(state, sides, &mut choices);
        legend(&mut choices);
        self.title_rows(observation, &mut choices);
        canvas.blit(canvas.height(), 0, &choices.canvas);
    }

    fn palette(&self) -> &'static Palette {
        &PALETTE
    }

    fn draw_components(&self, canvas: &mut Canvas) {
        let components = &self.tables.components;
        canvas.line(&format!("Component set {}", components.name), Role::Heading);
        canvas.line("Tiles: edges north east south west; regions joined inside; area; copies", Role::Heading);
        for (row, kinds) in components.tiles.chunks(8).enumerate() {
            let top = canvas.height();
            for (column, tile) in kinds.iter().enumerate() {
                let kind = row * 8 + column;
                let face = self.tables.face(kind as u8 * 4);
                let x = column * 10;
                draw_face(face, [&tile.name, &format!("x{}", tile.copies)], FULL, canvas, (top, x));
                let area = tile.area.map_or(' ', |area| AREA_MARKS[usize::from(area)]);
                let inside: String = match (tile.inner, tile.temple) {
                    (Some(terrain), _) => format!("({})", LETTERS[usize::from(terrain)]),
                    (_, Some(terrain)) => format!("T{}", LETTERS[usize::from(terrain)]),
                    _ => String::new(),
                };
                canvas.put(top + 1, x + 2, &format!("{area}{inside}"), Role::Plain);
            }
        }
        let mut panel = Panel::new(80);
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

    fn interpret(&self, observation: &Observation, text: &str) -> Option<Action> {
        // Another rotation with the same picture (TG-6.4).
        let canonical = |stack: u8, rotation: u8| {
            let kind = observation.state.up[usize::from(stack)];
            (kind != NONE).then(|| self.tables.canonical_rotation(kind, rotation))
        };
        match self.parse_action(text).ok()? {
            Action::Build { stack, rotation, square } => {
                Some(Action::Build { stack, rotation: canonical(stack, rotation)?, square })
            }
            Action::Wall { stack, rotation, square } => Some(Action::Wall { stack, rotation: canonical(stack, rotation)?, square }),
            _ => None,
        }
    }
}

impl Game {
    fn title_rows(&self, observation: &Observation, panel: &mut Panel) {
        let state = &observation.state;
        let node = match self.turn(state) {
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
        panel.more("seen by", Role::Dim, &[format!("seat {}", observation.player)]);
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
        panel.more(&format!("turn of seat {}:", turn.seat), Role::Seat(turn.seat), &separated(items));
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
        if code >= START_CODE {
            draw_face(face, ["ST", ""], shape, canvas, (y, x));
        } else {
            let name = &self.tables.components.tiles[usize::from(code / 4)].name;
            draw_face(face, [name, &format!("r{}", code % 4)], shape, canvas, (y, x));
        }
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
            if figure.seat == NEUTRAL {
                canvas.put(y + 1, column, &"n."[..shape.inner - 4], Role::Plain);
            } else {
                canvas.put(y + 1, column, &figure.seat.to_string(), Role::Seat(figure.seat));
                let facing = ["^", ">", "v", "<"][usize::from(figure.facing)];
                canvas.put(y + 1, column + 1, &facing[..shape.inner - 5], Role::Plain);
            }
        }
    }

    fn landscapes(&self, kinds: &[u8]) -> Vec<String> {
        let known = kinds.iter().filter(|&&kind| kind != NONE);
        separated(known.map(|&kind| self.tables.components.landscapes[usize::from(kind)].name.clone()).collect())
    }

    fn characters(&self, set: u16) -> Vec<String> {
        separated(squares(u64::from(set)).map(|index| self.tables.components.character_names[usize::from(index)].clone()).collect())
    }

    /// What lies in piles, decks and stock: long, and seldom needed for the next decision.
    fn list_supplies(&self, state: &State, panel: &mut Panel) {
        let components = &self.tables.components;
        for (stack, letter) in STACKS.iter().enumerate() {
            let kinds = self.tables.stack_tiles[stack].iter().map(|&kind| usize::from(kind));
            let kinds = bag(kinds.map(|kind| (components.tiles[kind].name.as_str(), state.down[kind])));
            panel.more(&format!("stack {letter}, {} down:", state.down_total[stack]), Role::Heading, &kinds);
        }
        let cards = |counts: [u8; 54]| bag(components.cards.iter().map(|card| card.name.as_str()).zip(counts));
        panel.more(&format!("deck of {}:", state.deck_total), Role::Heading, &cards(state.deck));
        panel.more(&format!("{} discarded:", state.discard_total), Role::Heading, &cards(state.discard));
        for (size, name) in SIZES.iter().enumerate() {
            let kinds = components.landscapes.iter().zip(state.pile).filter(|(kind, _)| kind.size == size);
            let kinds = bag(kinds.map(|(kind, count)| (kind.name.as_str(), count)));
            panel.more(&format!("{name} landscapes down:"), Role::Heading, &kinds);
        }
        panel.more("characters to come:", Role::Heading, &self.characters(state.character_deck));
        panel.more("pieces left:", Role::Heading, &bag(components.decorations.iter().map(String::as_str).zip(state.pieces)));
    }

    fn list_seats(&self, state: &State, panel: &mut Panel) {
        let components = &self.tables.components;
        for (index, seat) in state.seats[..self.players].iter().enumerate() {
            let tracks: Vec<String> = (0..3).map(|track| format!("{} {}", LETTERS[track], seat.levels[track])).collect();
            let ready = lanterns_of(self.players).into_iter().filter(|lantern| seat.lanterns >> lantern & 1 == 1);
            let ready = ready.map(|lantern| LANTERNS[usize::from(lantern)].to_owned()).collect();
            let active = if seat.active == NONE { "-" } else { self.name_of(seat.active) };
            let items = vec![
                format!("{} coins", seat.coins),
                format!("tracks {}", tracks.join(" ")),
                format!("tokens {} small {} large", seat.tokens[0], seat.tokens[1]),
                format!("{active}{}", if seat.character_token { " and a character token" } else { "" }),
            ];
            let to_move = if usize::from(state.turn.seat) == index { ">" } else { " " };
            panel.row(&format!("{to_move}seat {index}"), Role::Seat(index as u8), &separated(items));
            panel.more("  lanterns ready:", Role::Dim, &separated(ready));
            panel.more("  cards:", Role::Dim, &bag(components.decorations.iter().map(String::as_str).zip(seat.cards)));
        }
        if state.phase == Phase::End {
            let lines = self.score_sheet(state);
            let points = self.scores(state);
            for index in 0..self.players {
                let scored = lines.iter().filter(|line| line.points[index] != 0);
                let items = scored.map(|line| format!("{} {}", line.item, line.points[index])).collect();
                panel.row(&format!(" seat {index} scores {}:", points[index]), Role::Alert, &separated(items));
            }
        }
    }

    /// Decorations and figures by name; the garden has room for a mark of each only.
    fn list_garden(&self, state: &State, panel: &mut Panel) {
        let components = &self.tables.components;
        let mut items = Vec::new();
        for square in squares(BOARD) {
            for (index, name) in components.decorations.iter().enumerate() {
                if state.decorations[index] & bit(square) != 0 {
                    items.push(format!("{} {name}", square_name(square)));
                }
            }
        }
        panel.row(" decorations:", Role::Heading, &separated(items));
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
        panel.more("figures:", Role::Heading, &separated(figures.collect()));
    }

    /// What the seats choose from: panoramas, landscapes, tiles and characters that lie open.
    fn list_choices(&self, state: &State, legal_sides: u8, panel: &mut Panel) {
        let components = &self.tables.components;
        for (side, name) in SIDES.iter().enumerate() {
            let (mark, role) = if legal_sides >> side & 1 == 1 { ("*", Role::Legal) } else { ("", Role::Heading) };
            panel.more(&format!("{mark}panorama {name}:"), role, &self.landscapes(&state.panorama[side]));
        }
        for (shown, name) in state.shown.iter().zip(SIZES) {
            panel.more(&format!("{name} up:"), Role::Heading, &self.landscapes(shown));
        }
        for (stack, letter) in STACKS.iter().enumerate() {
            let up = state.up[stack];
            let mut items = vec![if up == NONE { "-".to_owned() } else { self.tile_text(usize::from(up)) }];
            if usize::from(state.solo.stack) == stack {
                items.push("(being replaced)".to_owned());
            }
            panel.more(&format!("stack {letter} up:"), Role::Heading, &items);
        }
        panel.more("characters:", Role::Heading, &self.characters(state.display));
        if self.players == 1 {
            let solo = &state.solo;
            panel.more("pair:", Role::Heading, &self.characters(solo.pair));
            let partner = if solo.partner == NONE { "-" } else { self.name_of(solo.partner) };
            panel.more("partner:", Role::Heading, &words(partner));
            let market = STACKS.iter().zip(solo.market).map(|(letter, card)| {
                let name = if card == NONE { "-" } else { components.cards[usize::from(card)].name.as_str() };
                format!("{letter} {name}")
            });
            panel.more("market:", Role::Heading, &separated(market.collect()));
            if solo.under != NONE {
                panel.more("goes back:", Role::Heading, &words(&components.tiles[usize::from(solo.under)].name));
            }
        }
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
}

/// What the signs in the garden mean.
fn legend(panel: &mut Panel) {
    let listed = |items: &[&str]| separated(items.iter().map(|&item| item.to_owned()).collect());
    panel.row(" edges:", Role::Dim, &listed(&["g greenery", "w water", "r rock", "p path", "x wall", "k temple"]));
    let areas = AREA_MARKS.iter().zip(AREAS).map(|(mark, area)| format!("{mark} {area}"));
    panel.more("areas (capital: decorated):", Role::Dim, &separated(areas.collect()));
    let marks = [
        "name and rotation in the frame",
        "ST start tile",
        "1> figure of seat 1 facing east",
        "n. neutral figure",
        "(sm) (LA) small and large token",
        "* legal now",
        "! last",
    ];
    panel.more("marks:", Role::Dim, &listed(&marks));
}

/// The frame of a tile with its edge letters, and in its upper and lower side a text of up to four characters each.
fn draw_face(face: &Face, [upper, lower]: [&str; 2], shape: Shape, canvas: &mut Canvas, (y, x): (usize, usize)) {
    let (line, blank) = ("─".repeat(shape.inner), " ".repeat(shape.inner));
    canvas.put(y, x, &format!("┌{line}┐"), Role::Dim);
    canvas.put(y + 1, x, &format!("│{blank}│"), Role::Dim);
    canvas.put(y + 2, x, &format!("└{line}┘"), Role::Dim);
    canvas.put(y, x + 1, upper, Role::Plain);
    canvas.put(y + 2, x + 1, lower, Role::Plain);
    for (side, (dy, dx)) in [(0, 5), (1, shape.inner + 1), (2, 5), (1, 0)].into_iter().enumerate() {
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
