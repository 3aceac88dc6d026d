//! A drawing in text: characters with a role each. Games draw on it, the front end chooses colour or not, Unicode or ASCII.
//! A picture must be readable without its colours.

use std::borrow::Cow;

/// What a character stands for; the palette turns roles into colours that the colour-blind can tell apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Role {
    /// Ordinary text.
    #[default]
    Plain,
    /// Titles and labels.
    Heading,
    /// Rulers, frames, what matters least.
    Dim,
    /// Belongs to a seat (0..4).
    Seat(u8),
    /// A terrain, floor, colour or type of the game (0..8).
    Terrain(u8),
    /// A legal target now.
    Legal,
    /// The last move.
    Last,
    /// Warnings and ends.
    Alert,
}

/// The ground and the ink of a seat's chip, as numbers of the 256-colour palette. A seat is a chip, terrain is a letter: form tells
/// them apart before colour does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chip {
    /// The seat's colour.
    pub ground: u8,
    /// Black or white, whichever can be read on it.
    pub ink: u8,
}

impl Chip {
    const BLACK: u8 = 16;
    const WHITE: u8 = 231;

    /// White letters on a dark ground.
    #[must_use]
    pub const fn dark(ground: u8) -> Self {
        Self { ground, ink: Self::WHITE }
    }

    /// Black letters on a light ground.
    #[must_use]
    pub const fn light(ground: u8) -> Self {
        Self { ground, ink: Self::BLACK }
    }
}

/// The colours of a game's seats and terrains: seats called after a colour have it, seats and terrains differ, also for the
/// colour-blind (checked by `tests/test_colors.py`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Palette {
    /// By seat.
    pub seats: [Chip; 4],
    /// The ink of each terrain, a number of the 256-colour palette; `None` is the terminal's own ink.
    pub terrain: [Option<u8>; 8],
}

impl Palette {
    /// Purple, orange, cyan and grey: seats of games that do not name them after colours.
    pub const SEATS: [Chip; 4] = [Chip::dark(93), Chip::light(208), Chip::light(51), Chip::dark(239)];
    /// For a game that says nothing else.
    pub const DEFAULT: Self =
        Self { seats: Self::SEATS, terrain: [Some(36), Some(175), None, Some(33), Some(202), Some(227), Some(245), Some(245)] };
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Glyph {
    character: char,
    role: Role,
}

const BLANK: Glyph = Glyph { character: ' ', role: Role::Plain };

/// Rows of characters; grows as it is drawn on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canvas {
    rows: Vec<Vec<Glyph>>,
    palette: &'static Palette,
}

impl Default for Canvas {
    fn default() -> Self {
        Self::with_palette(&Palette::DEFAULT)
    }
}

impl Canvas {
    /// An empty canvas.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty canvas that a game's colours are used for.
    #[must_use]
    pub const fn with_palette(palette: &'static Palette) -> Self {
        Self { rows: Vec::new(), palette }
    }

    /// Number of rows.
    #[must_use]
    pub fn height(&self) -> usize {
        self.rows.len()
    }

    /// Length of the longest row.
    #[must_use]
    pub fn width(&self) -> usize {
        self.rows.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Writes `text` from (`row`, `column`) to the right, over what is there.
    pub fn put(&mut self, row: usize, column: usize, text: &str, role: Role) {
        if self.rows.len() <= row {
            self.rows.resize(row + 1, Vec::new());
        }
        let line = &mut self.rows[row];
        for (i, character) in text.chars().enumerate() {
            let at = column + i;
            if line.len() <= at {
                line.resize(at + 1, BLANK);
            }
            line[at] = Glyph { character, role };
        }
    }

    /// Appends a row.
    pub fn line(&mut self, text: &str, role: Role) {
        let row = self.rows.len();
        self.rows.push(Vec::new());
        self.put(row, 0, text, role);
    }

    /// Appends a row of differently styled pieces.
    pub fn spans(&mut self, pieces: &[(&str, Role)]) {
        let row = self.rows.len();
        self.rows.push(Vec::new());
        for (text, role) in pieces {
            let column = self.rows[row].len();
            self.put(row, column, text, *role);
        }
    }

    /// Copies another canvas onto this one with its corner at (`row`, `column`).
    pub fn blit(&mut self, row: usize, column: usize, other: &Self) {
        for (i, line) in other.rows.iter().enumerate() {
            for (j, glyph) in line.iter().enumerate() {
                let mut buffer = [0; 4];
                self.put(row + i, column + j, glyph.character.encode_utf8(&mut buffer), glyph.role);
            }
        }
    }

    /// The picture as text: one line a row, no trailing blanks, no final newline. `color` adds ANSI styles; `ascii` replaces the
    /// drawing characters by ASCII look-alikes.
    #[must_use]
    pub fn to_text(&self, color: bool, ascii: bool) -> String {
        let mut text = String::new();
        for (i, line) in self.rows.iter().enumerate() {
            if i > 0 {
                text.push('\n');
            }
            let end = line.iter().rposition(|glyph| glyph.character != ' ').map_or(0, |last| last + 1);
            let mut current = Role::Plain;
            for glyph in &line[..end] {
                if color && glyph.role != current {
                    text.push_str(&style(glyph.role, self.palette));
                    current = glyph.role;
                }
                text.push(if ascii { to_ascii(glyph.character) } else { glyph.character });
            }
            if color && current != Role::Plain {
                text.push_str(&style(Role::Plain, self.palette));
            }
        }
        text
    }
}

/// ANSI sequence of a role: reset, then the style.
fn style(role: Role, palette: &Palette) -> Cow<'static, str> {
    match role {
        Role::Plain => "\x1b[0m".into(),
        Role::Heading => "\x1b[0;1m".into(),
        Role::Dim => "\x1b[0;2m".into(),
        Role::Legal => "\x1b[0;1;4m".into(),
        Role::Last => "\x1b[0;1;7m".into(),
        Role::Alert => "\x1b[0;1;38;5;202m".into(),
        Role::Seat(seat) => {
            let Chip { ground, ink } = palette.seats[usize::from(seat) % palette.seats.len()];
            format!("\x1b[0;1;38;5;{ink};48;5;{ground}m").into()
        }
        Role::Terrain(terrain) => match palette.terrain[usize::from(terrain) % palette.terrain.len()] {
            Some(ink) => format!("\x1b[0;38;5;{ink}m").into(),
            None => "\x1b[0;22m".into(),
        },
    }
}

const fn to_ascii(character: char) -> char {
    match character {
        '─' | '═' | '╌' | '┄' => '-',
        '│' | '║' | '╎' | '┆' => '|',
        '┌' | '┐' | '└' | '┘' | '├' | '┤' | '┬' | '┴' | '┼' | '╔' | '╗' | '╚' | '╝' | '╠' | '╣' | '╦' | '╩' | '╬' => {
            '+'
        }
        '·' => '.',
        '•' | '●' | '◆' => '*',
        '○' => 'o',
        '█' | '▓' | '▒' | '░' | '■' => '#',
        '□' => '=',
        '▲' => '^',
        '▼' => 'v',
        '◀' => '<',
        '▶' => '>',
        '≈' => '~',
        '×' => 'x',
        other if other.is_ascii() => other,
        _ => '?',
    }
}
