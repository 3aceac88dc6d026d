//! Runs of actions that differ in one target: what lists, counts, random choices and checks of legal actions are made from.

use arrayvec::ArrayVec;

use super::actions::Action;
use super::board::{BOARD, CENTRAL, FREE, NONE, nth_square};

/// Most segments of a position: `main` of the solo game has 2 x 16 placements, 12 figures, 8 refreshes, 4 `bottom`, `cards`.
const MAX_SEGMENTS: usize = 64;

/// Actions that differ in one target only (a square, or a side, and a facing), ascending by id.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    /// With target 0.
    pub(super) action: Action,
    /// What the target can be (bits); for an action without target bit 0.
    pub(super) targets: u64,
    /// Facings to each target: 1 or 4.
    pub(super) facings: u8,
    /// The place in the segment of the one action that is left out (`move` to where the figure is), or [`NONE`].
    pub(super) skip: u8,
}

impl Segment {
    pub(super) const fn one(action: Action) -> Self {
        Self { action, targets: 1, facings: 1, skip: NONE }
    }

    pub(super) const fn many(action: Action, targets: u64) -> Self {
        Self { action, targets, facings: 1, skip: NONE }
    }

    #[inline]
    pub(super) fn len(&self) -> u32 {
        self.targets.count_ones() * u32::from(self.facings) - u32::from(self.skip != NONE)
    }

    #[inline]
    pub(super) fn get(&self, mut index: u32) -> Action {
        if self.skip != NONE && index >= u32::from(self.skip) {
            index += 1;
        }
        let facings = u32::from(self.facings);
        with_target(self.action, nth_square(self.targets, index / facings), (index % facings) as u8)
    }

    /// The action that is left out.
    pub(super) fn skip(&self) -> Option<Action> {
        let place = (self.skip != NONE).then_some(u32::from(self.skip))?;
        let facings = u32::from(self.facings);
        Some(with_target(self.action, nth_square(self.targets, place / facings), (place % facings) as u8))
    }

    pub(super) fn contains(&self, action: Action) -> bool {
        let (bare, target, facing) = without_target(action);
        bare == self.action && self.targets >> target & 1 == 1 && facing < self.facings && Some(action) != self.skip()
    }
}

/// The segments of a position, ascending by id.
pub(super) type Segments = ArrayVec<Segment, MAX_SEGMENTS>;

pub(super) fn with_target(action: Action, target: u8, to: u8) -> Action {
    match action {
        Action::Build { stack, rotation, .. } => Action::Build { stack, rotation, square: target },
        Action::Wall { stack, rotation, .. } => Action::Wall { stack, rotation, square: target },
        Action::Card { card, .. } => Action::Card { card, square: target },
        Action::Garden { character, .. } => Action::Garden { character, square: target, facing: to },
        Action::Move { character, .. } => Action::Move { character, square: target, facing: to },
        Action::Panorama { landscape, .. } => Action::Panorama { landscape, side: target },
        Action::SeekLandscape { landscape, .. } => Action::SeekLandscape { landscape, side: target },
        Action::Take { .. } => Action::Take { square: target },
        Action::Neutral { .. } => Action::Neutral { square: target },
        other => other,
    }
}

fn without_target(action: Action) -> (Action, u8, u8) {
    let (target, facing) = match action {
        Action::Build { square, .. }
        | Action::Wall { square, .. }
        | Action::Card { square, .. }
        | Action::Take { square }
        | Action::Neutral { square } => (square, 0),
        Action::Garden { square, facing, .. } | Action::Move { square, facing, .. } => (square, facing),
        Action::Panorama { side, .. } | Action::SeekLandscape { side, .. } => (side, 0),
        _ => (0, 0),
    };
    (with_target(action, 0, 0), target, facing)
}

/// The action at a place among those of all segments.
pub(super) fn action_at(segments: &Segments, mut place: u32) -> Option<Action> {
    for segment in segments {
        let len = segment.len();
        if place < len {
            return Some(segment.get(place));
        }
        place -= len;
    }
    None
}

/// The targets for which an action has ids.
pub(super) const fn named_targets(action: Action) -> u64 {
    match action {
        Action::Build { .. } | Action::Take { .. } => FREE,
        Action::Wall { .. } => CENTRAL,
        Action::Card { .. } | Action::Garden { .. } | Action::Move { .. } | Action::Neutral { .. } => BOARD,
        _ => u64::MAX,
    }
}
