//! The blocks of an encoded observation, in the order in which `features.rs` fills them.

use crate::encoding::Layout;
use crate::names::Named;

use super::components::Components;
use super::options::Settings;
use super::state::{FULL, HAND, Phase};

/// The layout, and the offset of each block.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    pub(super) layout: Layout,
    pub(super) columns: usize,
    pub(super) closed: usize,
    pub(super) hand: usize,
    pub(super) sizes: usize,
    pub(super) scores: usize,
    pub(super) phase: usize,
    pub(super) player: usize,
    pub(super) gone: usize,
    pub(super) ply: usize,
}

impl Blocks {
    pub(super) fn new(players: usize, settings: Settings, components: &Components) -> Self {
        let kinds = components.kinds.len();
        let columns = settings.columns;
        let copies = components.counts().into_iter().max().unwrap_or_default().into();
        let all = components.total() as u16;
        let hand = HAND as u16;
        let mut layout = Layout::new();
        Self {
            columns: layout.push("columns", &[columns, FULL, kinds], [1, 1], "1 where a pebble of the kind lies"),
            closed: layout.push("closed", &[columns], [1, 1], "1 where a column is closed"),
            hand: layout.push("hand", &[kinds], [2, hand], "own pebbles of each kind"),
            sizes: layout.push("sizes", &[players], [2, hand], "hand sizes from the viewer clockwise"),
            scores: layout.push("scores", &[players], [100, 9 * all], "points from the viewer clockwise"),
            phase: layout.push("phase", &[Phase::ALL.len()], [1, 1], "1 at the phase"),
            player: layout.push("player", &[players], [1, 1], "1 at the seat that decides or draws, from the viewer clockwise"),
            gone: layout.push("gone", &[kinds], [copies, copies], "pebbles out of the game"),
            ply: layout.push("ply", &[1], [100, 2 * all], "decisions so far"),
            layout,
        }
    }
}
