//! The game: its settings, and what follows from them once.

use std::sync::Arc;

use forbidden_games_core::encoding::Layout;

use super::options::Settings;
use super::tables::Tables;

/// Dragon Castle for 2 to 4 players, with its options and component set; cheap to clone.
#[derive(Clone, Debug)]
pub struct Game {
    pub(super) settings: Arc<Settings>,
    pub(super) tables: Arc<Tables>,
    /// Blocks of an encoded observation.
    pub(super) layout: Arc<Layout>,
}
