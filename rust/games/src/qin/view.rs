//! Drawings: the board as a seat sees it, and the components.

use std::collections::HashSet;

use forbidden_games_core::canvas::{Canvas, Palette, Role};
use forbidden_games_core::contract::{DrawRequest, Drawing, Notation};

use super::actions::{Action, LONGEST, parse_colours, parse_squares, squeeze};
use super::game::Game;
use super::state::{Observation, Phase, Public};
use super::tiles::{Kind, Square};
use super::{options, scoring};

/// Blue, red and yellow spaces, and water.
const PALETTE: Palette =
    Palette { seats: Palette::SEATS, terrain: [Some(111), Some(167), Some(226), Some(33), None, None, None, None] };

const LEGEND: [&str; 3] = [
    "b0 blue province of seat 0, B0 major (5 or more spaces)",
    "b. single space, #0 village of seat 0, ## of nobody",
    "~~ water, · free grass, + legal square, > last move",
];

impl Drawing for Game {
    fn draw(&self, observation: &Observation, request: &DrawRequest<'_, Action>, canvas: &mut Canvas) {
        let public = &observation.public;
        canvas.line(&format!("Qin, {} seats: {}", self.players, self.components.name), Role::Heading);
        canvas.line(&self.options_line(public), Role::Dim);
        let (text, role) = self.status_line(observation);
        canvas.line(&text, role);
        canvas.line("", Role::Plain);
        self.draw_board(observation, request, canvas);
        canvas.line("", Role::Plain);
        self.draw_seats(observation, canvas);
        self.draw_tiles(observation, canvas);
        for (province, squares) in public.board.provinces(&self.tables) {
            if province.pagodas() < province.due() {
                let name = self.tables.name(squares[0]);
                canvas.line(&format!("province {name} carries {} of {} pagodas", province.pagodas(), province.due()), Role::Alert);
            }
        }
        for line in LEGEND {
            canvas.line(line, Role::Dim);
        }
    }

    fn draw_components(&self, canvas: &mut Canvas) {
        let board = &self.components;
        canvas.line(
            &format!("Qin board {}: {} rows, {} columns", board.name, self.tables.grid.rows, self.tables.grid.columns),
            Role::Heading,
        );
        let columns: String = (0..self.tables.grid.columns).map(|column| format!(" {}", char::from(b'a' + column as u8))).collect();
        canvas.line(&format!("  {columns}"), Role::Dim);
        for (row, text) in board.rows.iter().enumerate() {
            let squares: String = text.iter().map(|&square| format!(" {}", char::from(square))).collect();
            canvas.line(&format!("{:>2}{squares}", row + 1), Role::Plain);
        }
        canvas.line(". grass  ~ water  # village  r y b start spaces", Role::Dim);
        let count = |wanted: u8| board.rows.iter().flatten().filter(|&&square| square == wanted).count();
        canvas.line(&format!("{} grass, {} village squares, {} water", count(b'.'), count(b'#'), count(b'~')), Role::Plain);
        canvas.line("", Role::Plain);
        canvas.line("tiles", Role::Heading);
        for kind in Kind::all() {
            canvas.line(&format!("[{}] x {}", kind.name(), board.tiles[kind.index()]), Role::Plain);
        }
        canvas.line("", Role::Plain);
        canvas.line("pagodas for each seat", Role::Heading);
        for (players, number) in (2..).zip(board.pagodas) {
            canvas.line(&format!("{players} players: {number}"), Role::Plain);
        }
    }

    fn palette(&self) -> &'static Palette {
        &PALETTE
    }

    /// Squares the wrong way round, a missing colon, other marks between.
    fn interpret(&self, _observation: &Observation, text: &str) -> Option<Action> {
        let squeezed = squeeze(text);
        if squeezed.chars().count() >= LONGEST {
            return None;
        }
        let plain: String = squeezed.chars().filter(|c| !":-,./".contains(*c)).collect();
        let (first, second) = parse_colours(plain.get(..2)?)?;
        let (one, other) = parse_squares(&self.tables, plain.get(2..)?)?;
        self.placement(first, second, one, other).or_else(|| self.placement(second, first, other, one)).map(Action::Place)
    }
}

impl Game {
    fn options_line(&self, public: &Public) -> String {
        let options = options::options(self.settings, &self.components.name);
        let words = options.iter().skip(1).map(|(name, value)| format!("{name} {}, ", value.as_str().unwrap_or_default()));
        words.collect::<String>() + &format!("ply {}", public.ply)
    }

    fn status_line(&self, observation: &Observation) -> (String, Role) {
        let public = &observation.public;
        let viewer = observation.viewer;
        let you = |seat: u8| if seat == viewer.0 { " (you)" } else { "" };
        match public.phase {
            Phase::Deal => (format!("deal: seat {}{} draws", public.seat, you(public.seat)), Role::Plain),
            Phase::Place => {
                (format!("seat {}{} lays a tile, passes so far {}", public.seat, you(public.seat), public.passes), Role::Plain)
            }
            Phase::Draw => (format!("seat {}{} draws", public.seat, you(public.seat)), Role::Plain),
            Phase::Over(end) => (format!("the game is over: {}, passes {}", end.name(), public.passes), Role::Alert),
        }
    }

    fn draw_board(&self, observation: &Observation, request: &DrawRequest<'_, Action>, canvas: &mut Canvas) {
        let (tables, grid) = (&*self.tables, self.tables.grid);
        // Three characters a square leave room for a mark before it; the widest boards get two, and the last move in words.
        let (label, cell) = if 2 + 3 * grid.columns <= request.width { (2, 3) } else { (3, 2) };
        let legal: HashSet<Square> = request.legal.iter().flat_map(|&action| self.action_squares(action)).collect();
        let last: HashSet<Square> = request.last.into_iter().flat_map(|action| self.action_squares(action)).collect();
        let top = canvas.height();
        for column in 0..grid.columns {
            canvas.put(top, label + column * cell + cell - 2, &char::from(b'a' + column as u8).to_string(), Role::Dim);
        }
        for square in tables.squares() {
            let (row, column) = (square.index() / tables.stride, square.index() % tables.stride);
            if column == 0 {
                canvas.put(top + 1 + row, 0, &format!("{:>2}", row + 1), Role::Dim);
            }
            let cell_text = self.cell(&observation.public, square, legal.contains(&square));
            let marked = last.contains(&square);
            let left = label + column * cell;
            if marked && cell == 3 {
                canvas.put(top + 1 + row, left, ">", Role::Last);
            }
            for (at, (character, role)) in cell_text.into_iter().enumerate() {
                let role = if marked { Role::Last } else { role };
                canvas.put(top + 1 + row, left + cell - 2 + at, character.encode_utf8(&mut [0; 4]), role);
            }
        }
        if cell == 2
            && let Some(action) = request.last
        {
            canvas.line(&format!("last move {}", self.format_action(action)), Role::Last);
        }
    }

    /// Both characters of a square: terrain in its own colour, an owner's digit on the seat's.
    fn cell(&self, public: &Public, square: Square, legal: bool) -> [(char, Role); 2] {
        let digit = |seat: usize| (char::from(b'0' + seat as u8), Role::Seat(seat as u8));
        if let Some(colour) = public.board.colour(square) {
            let (letter, role) = (colour.letter(), Role::Terrain(colour.index() as u8));
            return match public.board.label(square).map(|label| public.board.province(label)) {
                None => [(letter, role), ('.', role)],
                Some(province) => {
                    let letter = if province.is_major() { letter.to_ascii_uppercase() } else { letter };
                    [(letter, role), digit(province.owner())]
                }
            };
        }
        match self.tables.character(square) {
            b'.' if legal => [('+', Role::Legal), (' ', Role::Plain)],
            b'.' => [('·', Role::Dim), (' ', Role::Plain)],
            b'~' => [('~', Role::Terrain(3)); 2],
            _ => match self.tables.village_on(square).and_then(|village| public.board.village_owner(village)) {
                Some(owner) => [('#', Role::Plain), digit(owner)],
                None => [('#', Role::Plain); 2],
            },
        }
    }

    fn action_squares(&self, action: Action) -> Vec<Square> {
        match action {
            Action::Place(placement) => placement.squares(&self.tables).to_vec(),
            Action::Pass => Vec::new(),
        }
    }

    fn draw_seats(&self, observation: &Observation, canvas: &mut Canvas) {
        let public = &observation.public;
        let villages = scoring::villages_owned(self, public);
        let mut provinces = vec![(0, 0); self.players];
        for (province, _) in public.board.provinces(&self.tables) {
            provinces[province.owner()].0 += 1;
            provinces[province.owner()].1 += usize::from(province.is_major());
        }
        canvas.line("seat     supply placed provinces majors villages hand", Role::Heading);
        for (seat, placed) in scoring::scores(self, public).iter().enumerate() {
            let own = seat == observation.viewer.index();
            let hand = if own { observation.hand.to_string() } else { vec!["??"; public.hand_sizes[seat].into()].join(" ") };
            let (all, majors) = provinces[seat];
            let text = format!(
                " {:<7}{:>6} {placed:>6} {all:>9} {majors:>6} {:>8} {}",
                if own { "(you)" } else { "" },
                public.supply[seat],
                villages[seat],
                if hand.is_empty() { "-" } else { &hand },
            );
            canvas.spans(&[(&seat.to_string(), Role::Seat(seat as u8)), (&text, Role::Plain)]);
        }
    }

    fn draw_tiles(&self, observation: &Observation, canvas: &mut Canvas) {
        let laid = |kind: Kind| observation.public.laid[kind.index()];
        let words = |count: &dyn Fn(Kind) -> u8| {
            Kind::all().map(|kind| format!("{} {}", kind.name(), count(kind))).collect::<Vec<_>>().join("  ")
        };
        canvas.line(&format!("laid      {}", words(&laid)), Role::Plain);
        canvas.line(&format!("pile      {} tiles", self.pile_size(&observation.public)), Role::Plain);
    }
}
