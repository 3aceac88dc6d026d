//! Drawings: long lists in words, a legend, then a window of the table that follows the last tile, seven columns and three rows a
//! space, and last, nearest to where a person types, whose turn it is and the tile in hand.

use std::collections::BTreeMap;

use forbidden_games_core::canvas::{Canvas, Chip, Palette, Role};
use forbidden_games_core::contract::{DrawRequest, Drawing, Notation};

use super::actions::Action;
use super::board::Laid;
use super::components::{Edge, FLOORS, Kind, SEAT_NAMES, SIDES, START_KEYS, TEMPLE};
use super::game::Game;
use super::observation::Observation;
use super::state::{NONE, Phase, State};

/// Purple, yellow, red and blue seats (FC-2.2); green, pink and white floors.
static PALETTE: Palette = Palette {
    seats: [Chip::dark(91), Chip::light(220), Chip::dark(124), Chip::light(111)],
    terrain: [Some(34), Some(169), None, None, None, None, None, None],
};

const COLUMNS: usize = 7;
const ROWS: usize = 3;

/// Most rows of spaces in a picture of limited width.
const MOST_ROWS: usize = 9;

/// Most open rooms told in words.
const MOST_ROOMS: usize = 5;

/// Columns left of the spaces, for y.
const RULER: usize = 4;

/// A space in characters.
type Block = [[char; COLUMNS]; ROWS];

/// Draws four sides around five characters. `letters` names the part of each side where there are two.
fn block(corner: char, edges: [Edge; 4], letters: Option<[char; 4]>, middle: [char; 5]) -> Block {
    let mut block = [[' '; COLUMNS]; ROWS];
    for (row, side, corners) in [(0, 0, [corner, '┐']), (2, 2, ['└', '┘'])] {
        block[row][0] = corners[0];
        block[row][6] = corners[1];
        for character in &mut block[row][1..6] {
            *character = if edges[side] == Edge::Open { ' ' } else { '─' };
        }
        if edges[side] == Edge::Arch {
            block[row][3] = 'A';
        }
        if let Some(letters) = letters {
            block[row][4] = letters[side];
        }
    }
    block[1][1..6].copy_from_slice(&middle);
    for (column, side) in [(6, 1), (0, 3)] {
        block[1][column] = match edges[side] {
            Edge::Open => ' ',
            Edge::Wall => '│',
            Edge::Arch => 'A',
        };
    }
    if let Some(letters) = letters {
        block[1][5] = letters[1];
        block[1][1] = letters[3];
    }
    block
}

fn floor_letter(floor: u8) -> char {
    FLOORS[usize::from(floor)].chars().next().unwrap_or(' ')
}

fn digit(number: u8) -> char {
    char::from(b'0' + number)
}

/// What one of two parts holds, in one character.
fn content(advisors: u8, dragons: u8) -> char {
    match (advisors, dragons) {
        (0, 0) => ' ',
        (advisors, 0) => digit(advisors),
        (0, 1) => 'd',
        _ => '*',
    }
}

/// A tile: the floor letter, advisors as a digit, dragons as `d` and a digit. With two parts each side names its part's floor (capital
/// letters for the second part), and the middle shows what each part holds on both sides of the diagonal wall.
fn tile_block(kind: &Kind, rotation: usize, corner: char) -> Block {
    let (edges, owners) = kind.face(rotation);
    if let [part] = kind.parts[..] {
        let advisors = if part.advisors > 0 { digit(part.advisors) } else { ' ' };
        let dragons = if part.dragons > 0 { ['d', digit(part.dragons)] } else { [' ', ' '] };
        return block(corner, edges, None, [' ', floor_letter(part.floor), advisors, dragons[0], dragons[1]]);
    }
    let letters = owners.map(|owner| {
        let letter = floor_letter(kind.parts[usize::from(owner)].floor);
        if owner == 1 { letter.to_ascii_uppercase() } else { letter }
    });
    let [first, second] = [kind.parts[0], kind.parts[1]].map(|part| content(part.advisors, part.dragons));
    block(corner, edges, Some(letters), [' ', first, if kind.diagonal_arch { 'A' } else { '/' }, second, ' '])
}

impl Drawing for Game {
    fn draw(&self, observation: &Observation, request: &DrawRequest<'_, Action>, canvas: &mut Canvas) {
        let state = &observation.seen;
        let width = request.width.max(60);
        let view = self.frame(state, request, width);
        let ambiguous = self.ambiguous_kinds();
        let mut laid = state.table().laid.to_vec();
        laid.sort_unstable_by_key(|laid| laid.place);
        let beyond: Vec<String> =
            laid.iter().filter(|laid| !view.holds(self.coordinates(laid.space()))).map(|laid| self.place_text(laid)).collect();
        list(canvas, "outside the picture (space kind seat rotation): ", &beyond, width);
        let alike: Vec<String> = laid
            .iter()
            .filter(|laid| ambiguous[laid.kind()] && view.holds(self.coordinates(laid.space())))
            .map(|laid| self.place_text(laid))
            .collect();
        list(canvas, "tiles that look like another kind: ", &alike, width);
        self.list_rooms(state, canvas, width);
        list(canvas, "your unplayed tiles: ", &self.ids(state.unplayed(observation.player.index())), width);
        self.list_seats(observation, canvas, width);
        legend(canvas, width);
        self.draw_table(state, request, &view, canvas);
        let legal_outside = request.legal.iter().filter(|action| match action {
            Action::Lay { space, .. } => !view.holds(self.coordinates(*space)),
            Action::Discard => false,
        });
        let legal_outside = legal_outside.count();
        if legal_outside > 0 {
            canvas.line(&format!("{legal_outside} more legal actions outside the picture"), Role::Legal);
        }
        self.draw_turn(observation, canvas, width);
        if request.legal.contains(&Action::Discard) {
            canvas.line("the tile in hand fits nowhere: discard", Role::Legal);
        }
    }

    fn draw_components(&self, canvas: &mut Canvas) {
        let components = &self.settings.components;
        let set = components.set_size(self.players());
        canvas.line(
            &format!(
                "{}: {set} tiles in the set of each of {} seats; digits are advisors, d dragons",
                components.name,
                self.players()
            ),
            Role::Heading,
        );
        let across = 5;
        for (row, kinds) in components.kinds.chunks(across).enumerate() {
            let top = 2 + row * (ROWS + 2);
            for (column, kind) in kinds.iter().enumerate() {
                let left = column * 16;
                put_block(canvas, top, left, &tile_block(kind, 0, '┌'), NONE, false);
                canvas.put(top, left + COLUMNS + 1, &format!("{} x", kind.copies(self.players())), Role::Plain);
                canvas.put(top + ROWS, left, &kind.id, Role::Heading);
            }
        }
        for (side, name) in SIDES.iter().enumerate() {
            canvas.line("", Role::Plain);
            canvas.line(&format!("start tile, {name} side"), Role::Heading);
            let top = canvas.height();
            for index in 0..START_KEYS.len() {
                put_block(canvas, top + index / 3 * ROWS, index % 3 * COLUMNS, &self.start_block(side, index), NONE, false);
            }
        }
    }

    fn palette(&self) -> &'static Palette {
        &PALETTE
    }

    fn interpret(&self, observation: &Observation, text: &str) -> Option<Action> {
        let Ok(Action::Lay { space, rotation }) = self.parse_action(text) else { return None };
        let kind = *observation.seen.hands.get(observation.player.index()).filter(|&&hand| hand != NONE)?;
        let canonical = self.tables.canonical[usize::from(kind)][usize::from(rotation)];
        (canonical != rotation).then_some(Action::Lay { space, rotation: canonical })
    }
}

impl Game {
    fn start_block(&self, side: usize, index: usize) -> Block {
        let start = &self.settings.components.start[side];
        match &start.cells[index] {
            _ if index == TEMPLE => block('┌', start.temple, None, [' ', '▲', '▲', '▲', ' ']),
            None => block('┌', [Edge::Wall; 4], None, ['░'; 5]),
            Some(cell) => {
                let dragons = if cell.dragons > 0 { ['d', digit(cell.dragons)] } else { [' ', ' '] };
                block('┌', cell.edges, None, [' ', floor_letter(cell.floor), ' ', dragons[0], dragons[1]])
            }
        }
    }

    /// Kinds that the picture of a tile does not tell apart from another kind.
    fn ambiguous_kinds(&self) -> Vec<bool> {
        let mut owners: BTreeMap<Block, usize> = BTreeMap::new();
        let mut ambiguous = vec![false; self.kinds().len()];
        for (index, kind) in self.kinds().iter().enumerate() {
            for rotation in 0..4 {
                if usize::from(self.tables.canonical[index][rotation]) != rotation {
                    continue;
                }
                let other = *owners.entry(tile_block(kind, rotation, ' ')).or_insert(index);
                if other != index {
                    ambiguous[index] = true;
                    ambiguous[other] = true;
                }
            }
        }
        ambiguous
    }

    fn place_text(&self, laid: &Laid) -> String {
        let id = &self.kinds()[laid.kind()].id;
        format!("{} {id} {} r{}", self.format_space(laid.space()), laid.seat(), laid.rotation())
    }

    /// The open rooms that are worth most, in words: they follow from the tiles, but are hard to add up by eye.
    fn list_rooms(&self, state: &State, canvas: &mut Canvas, width: usize) {
        let mut rooms = self.rooms(state.table());
        rooms.retain(|room| room.open > 0 && room.total.advisors.iter().any(|&advisors| advisors > 0));
        rooms.sort_by_key(|room| (std::cmp::Reverse(room.total.value), room.cells[0]));
        let count = rooms.len();
        let rooms: Vec<String> = rooms
            .iter()
            .take(MOST_ROOMS)
            .map(|room| {
                let floor = FLOORS[usize::from(room.total.floor)];
                let advisors = SEAT_NAMES.iter().zip(room.total.advisors).filter(|(_, advisors)| *advisors > 0);
                let advisors: Vec<String> = advisors.map(|(name, advisors)| format!("{name} {advisors}")).collect();
                let (place, value) = (self.format_space(room.cells[0].0), room.total.value);
                format!("{floor} {place} worth {value} ({} open: {})", room.open, advisors.join(" "))
            })
            .collect();
        let heading = if count > MOST_ROOMS { format!("best of {count} open rooms: ") } else { "open rooms: ".to_owned() };
        list(canvas, &heading, &rooms, width);
    }

    fn list_seats(&self, observation: &Observation, canvas: &mut Canvas, width: usize) {
        let (state, viewer) = (&observation.seen, observation.player.index());
        for (seat, name) in SEAT_NAMES.iter().enumerate().take(self.players()) {
            let name = format!("seat {seat} {name:<7}");
            let you = if seat == viewer { " (you)" } else { "" };
            let text = format!(" {} coins, {} unplayed{you}", state.coins[seat], state.left[seat]);
            canvas.spans(&[(&name, Role::Seat(seat as u8)), (&text, Role::Plain)]);
            let discarded = self.ids(&self.discarded(state, seat));
            list(canvas, "  discarded: ", &discarded, width);
        }
    }

    fn draw_turn(&self, observation: &Observation, canvas: &mut Canvas, width: usize) {
        let (state, viewer) = (&observation.seen, observation.player.index());
        let line = match state.phase {
            Phase::Deal => format!("ply {}: tiles are dealt, seat {} plays first", state.ply, state.turn),
            Phase::Place => format!("ply {}: seat {} ({}) lays a tile", state.ply, state.turn, SEAT_NAMES[usize::from(state.turn)]),
            Phase::Draw => format!("ply {}: seat {} ({}) draws a tile", state.ply, state.turn, SEAT_NAMES[usize::from(state.turn)]),
            Phase::End => format!("ply {}: the game is over", state.ply),
        };
        let role = if state.phase == Phase::End { Role::Alert } else { Role::Heading };
        let kind = self.kinds().get(usize::from(state.hands[viewer]));
        let hand = format!("your hand: {}", kind.map_or("empty", |kind| &kind.id));
        if line.chars().count() + 3 + hand.chars().count() <= width {
            canvas.spans(&[(&line, role), (" │ ", Role::Dim), (&hand, Role::Heading)]);
        } else {
            canvas.line(&line, role);
            canvas.line(&hand, Role::Heading);
        }
        let Some(kind) = kind else { return };
        let top = canvas.height();
        for (column, rotation) in (0..4)
            .filter(|&rotation| usize::from(self.tables.canonical[usize::from(state.hands[viewer])][rotation]) == rotation)
            .enumerate()
        {
            let left = column * (COLUMNS + 2);
            put_block(canvas, top, left, &tile_block(kind, rotation, digit(viewer as u8)), viewer as u8, false);
            canvas.put(top + ROWS, left + 2, &format!("r{rotation}"), Role::Dim);
        }
    }

    /// Ids of kinds with their numbers where more than one.
    fn ids(&self, counts: &[u8]) -> Vec<String> {
        let kinds = self.kinds().iter().zip(counts);
        kinds
            .filter(|(_, copies)| **copies > 0)
            .map(|(kind, &copies)| if copies == 1 { kind.id.clone() } else { format!("{} x{copies}", kind.id) })
            .collect()
    }

    /// The part of the table that is drawn: all that is occupied and what touches it, or as much as fits around the focus.
    fn frame(&self, state: &State, request: &DrawRequest<'_, Action>, width: usize) -> Frame {
        let mut whole = Frame { x: [-1, 1], y: [-1, 1] };
        let table = state.table();
        for space in table.laid.iter().map(|laid| laid.space()).chain(table.frontier.iter().map(|entry| (entry >> 16) as u16)) {
            let (x, y) = self.coordinates(space);
            whole = Frame { x: [whole.x[0].min(x), whole.x[1].max(x)], y: [whole.y[0].min(y), whole.y[1].max(y)] };
        }
        if request.width == usize::MAX {
            return whole;
        }
        let asked = request.focus.and_then(|text| match self.parse_action(&format!("{text} r0")) {
            Ok(Action::Lay { space, .. }) => Some(self.coordinates(space)),
            _ => None,
        });
        let last = match request.last {
            Some(Action::Lay { space, .. }) => Some(self.coordinates(space)),
            _ => None,
        };
        let middle = ((whole.x[0] + whole.x[1]).div_euclid(2), (whole.y[0] + whole.y[1]).div_euclid(2));
        let focus = asked.or(last).unwrap_or(middle);
        Frame { x: narrow(whole.x, focus.0, ((width - RULER) / COLUMNS) as i32), y: narrow(whole.y, focus.1, MOST_ROWS as i32) }
    }

    fn draw_table(&self, state: &State, request: &DrawRequest<'_, Action>, view: &Frame, canvas: &mut Canvas) {
        let (table, top) = (state.table(), canvas.height());
        for x in view.x[0]..=view.x[1] {
            let left = RULER + (x - view.x[0]) as usize * COLUMNS;
            canvas.put(top, left, &format!("{x:>4}"), Role::Dim);
        }
        let mut rotations: BTreeMap<u16, [bool; 4]> = BTreeMap::new();
        for action in request.legal {
            if let Action::Lay { space, rotation } = action {
                rotations.entry(*space).or_default()[usize::from(*rotation)] = true;
            }
        }
        for y in view.y[0]..=view.y[1] {
            let row = top + 1 + (view.y[1] - y) as usize * ROWS;
            canvas.put(row + 1, 0, &format!("{y:>3}"), Role::Dim);
            for x in view.x[0]..=view.x[1] {
                let Some(space) = self.space_at(x, y) else { continue };
                let left = RULER + (x - view.x[0]) as usize * COLUMNS;
                let is_last = matches!(request.last, Some(Action::Lay { space: last, .. }) if last == space);
                if let Some(index) = self.tables.start_index(space) {
                    put_block(canvas, row, left, &self.start_block(self.settings.side, index), NONE, false);
                } else if let Some(index) = table.find(space) {
                    let laid = table.laid[index];
                    let seat = laid.seat() as u8;
                    let block = tile_block(&self.kinds()[laid.kind()], laid.rotation(), digit(seat));
                    put_block(canvas, row, left, &block, seat, is_last);
                } else if let Some(rotations) = rotations.get(&space) {
                    let text: String =
                        (0..4).map(|rotation| if rotations[rotation] { digit(rotation as u8) } else { '·' }).collect();
                    canvas.put(row + 1, left + 1, &text, Role::Legal);
                }
            }
        }
    }
}

/// A rectangle of the table, both ends included.
struct Frame {
    x: [i32; 2],
    y: [i32; 2],
}

impl Frame {
    fn holds(&self, (x, y): (i32, i32)) -> bool {
        (self.x[0]..=self.x[1]).contains(&x) && (self.y[0]..=self.y[1]).contains(&y)
    }
}

/// At most `most` of a range, around `focus` as far as the range allows.
fn narrow([low, high]: [i32; 2], focus: i32, most: i32) -> [i32; 2] {
    if high - low < most {
        return [low, high];
    }
    let start = (focus - most / 2).clamp(low, high + 1 - most);
    [start, start + most - 1]
}

fn put_block(canvas: &mut Canvas, row: usize, column: usize, block: &Block, seat: u8, is_last: bool) {
    let frame = match (is_last, seat) {
        (true, _) => Role::Last,
        (false, NONE) => Role::Dim,
        (false, _) => Role::Plain,
    };
    for (line, characters) in block.iter().enumerate() {
        for (at, &character) in characters.iter().enumerate() {
            let character = if is_last && (line, at) == (ROWS - 1, COLUMNS - 1) { '●' } else { character };
            let role = match character {
                'g' | 'G' => Role::Terrain(0),
                'p' | 'P' => Role::Terrain(1),
                'w' | 'W' => Role::Terrain(2),
                'd' => Role::Alert,
                '0'..='3' if (line, at) == (0, 0) && seat != NONE => Role::Seat(seat),
                _ => frame,
            };
            if character != ' ' {
                canvas.put(row + line, column + at, character.encode_utf8(&mut [0; 4]), role);
            }
        }
    }
}

/// What the signs on the table mean.
fn legend(canvas: &mut Canvas, width: usize) {
    let signs = [
        "floor g green",
        "p pink (not the purple seat)",
        "w white",
        "side ── wall",
        "blank open",
        "A arch",
        "upper left corner: seat of the owner",
        "g2 two advisors of the owner",
        "d1 one dragon",
        "/ two floors (letter at each side",
        "capital for the second",
        "beside / what each holds)",
        "░ garden",
        "▲ temple",
        "0123 legal rotations",
        "·1·3 only r1 and r3",
        "● last move",
    ];
    list(canvas, "legend: ", &signs.map(str::to_owned), width);
}

/// A heading and words, wrapped; nothing if there are no words.
fn list(canvas: &mut Canvas, heading: &str, words: &[String], width: usize) {
    if words.is_empty() {
        return;
    }
    let mut line = heading.to_owned();
    for (index, word) in words.iter().enumerate() {
        let piece = if index + 1 < words.len() { format!("{word}, ") } else { word.clone() };
        if line.chars().count() + piece.trim_end().chars().count() > width {
            canvas.line(line.trim_end(), Role::Plain);
            "    ".clone_into(&mut line);
        }
        line.push_str(&piece);
    }
    canvas.line(line.trim_end(), Role::Plain);
}
