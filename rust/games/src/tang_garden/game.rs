//! What a game holds.

use std::sync::Arc;

use forbidden_games_core::encoding::Layout;
use forbidden_games_core::options::Options;
use serde_json::Value;

use super::options::Settings;
use super::state::State;
use super::tables::Tables;

/// Tang Garden for 1 to 4 players.
#[derive(Clone, Debug)]
pub struct Game {
    pub(super) players: usize,
    pub(super) settings: Settings,
    pub(super) options: Arc<Options>,
    /// `components` of a header.
    pub(super) header: Arc<Value>,
    pub(super) tables: Arc<Tables>,
    pub(super) layout: Arc<Layout>,
    pub(super) start: Arc<State>,
    /// First id of each group of actions.
    pub(super) group_offsets: [u32; 21],
}
