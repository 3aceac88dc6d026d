//! A drawing in text: characters with a role each. Games draw on it, the front end chooses colour or not, Unicode or ASCII.
//! A picture must be readable without its colours.

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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Glyph {
    character: char,
    role: Role,
}

const BLANK: Glyph = Glyph { character: ' ', role: Role::Plain };

/// Rows of characters; grows as it is drawn on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Canvas {
    rows: Vec<Vec<Glyph>>,
}

impl Canvas {
    /// An empty canvas.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
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
                    text.push_str(style(glyph.role));
                    current = glyph.role;
                }
                text.push(if ascii { to_ascii(glyph.character) } else { glyph.character });
            }
            if color && current != Role::Plain {
                text.push_str(style(Role::Plain));
            }
        }
        text
    }
}

/// ANSI sequence of a role: reset, then the style (256-colour codes near the Okabe-Ito palette).
const fn style(role: Role) -> &'static str {
    match role {
        Role::Plain => "\x1b[0m",
        Role::Heading => "\x1b[0;1m",
        Role::Dim => "\x1b[0;2m",
        Role::Legal => "\x1b[0;1;4m",
        Role::Last => "\x1b[0;1;7m",
        Role::Alert => "\x1b[0;1;38;5;202m",
        Role::Seat(0) => "\x1b[0;1;38;5;214m",
        Role::Seat(1) => "\x1b[0;1;38;5;75m",
        Role::Seat(2) => "\x1b[0;1;38;5;36m",
        Role::Seat(_) => "\x1b[0;1;38;5;175m",
        Role::Terrain(0) => "\x1b[0;38;5;36m",
        Role::Terrain(1) => "\x1b[0;38;5;175m",
        Role::Terrain(2) => "\x1b[0;38;5;252m",
        Role::Terrain(3) => "\x1b[0;38;5;33m",
        Role::Terrain(4) => "\x1b[0;38;5;202m",
        Role::Terrain(5) => "\x1b[0;38;5;227m",
        Role::Terrain(_) => "\x1b[0;38;5;245m",
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
