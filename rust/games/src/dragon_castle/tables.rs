//! What follows from the settings once: sizes, and what the top of a stack is.

use forbidden_games_core::geometry::square::Grid;

use super::components::Symbol;
use super::options::Settings;
use super::squares::RealmShape;

/// Constants derived from [`Settings`]; shared by all copies of a game.
#[derive(Debug)]
pub(super) struct Tables {
    /// Rows and columns of the castle.
    pub(super) castle: Grid,
    pub(super) realm: RealmShape,
    /// Type of a top (symbol + 1); entry 0 is not used.
    pub(super) type_of_top: Vec<u8>,
    /// [`Symbol::number`] of a top (symbol + 1); entry 0 has none.
    pub(super) number_of_top: Vec<u8>,
}

impl Tables {
    pub(super) fn new(settings: &Settings) -> Self {
        let tops = || settings.components.symbols.iter();
        let (rows, columns) = settings.realm;
        Self {
            castle: settings.layout.grid,
            realm: RealmShape::new(rows, columns),
            type_of_top: std::iter::once(0).chain(tops().map(|symbol| symbol.kind)).collect(),
            number_of_top: std::iter::once(Symbol::NO_NUMBER).chain(tops().map(|symbol| symbol.number)).collect(),
        }
    }
}
