//! The picture of an observation, and what a person types who looks at it.

use crate::canvas::{Canvas, Palette};
use crate::contract::Knowledge;

/// What a drawing needs beside the observation.
#[derive(Clone, Copy, Debug)]
pub struct DrawRequest<'a, A> {
    /// Actions whose targets are marked (all legal ones, a filtered part, or none).
    pub legal: &'a [A],
    /// The last action, marked.
    pub last: Option<A>,
    /// Columns to stay within, at least 60; `usize::MAX` for no limit.
    pub width: usize,
    /// Where to look in a picture that shows a part: the game's square notation (Forbidden City: `3,-2`).
    pub focus: Option<&'a str>,
}

impl<A> Default for DrawRequest<'_, A> {
    fn default() -> Self {
        Self { legal: &[], last: None, width: 80, focus: None }
    }
}

/// Pictures as text.
pub trait Drawing: Knowledge {
    /// Draws what the seat sees. Two observations that differ never draw the same plain text.
    fn draw(&self, observation: &Self::Observation, request: &DrawRequest<'_, Self::Action>, canvas: &mut Canvas);

    /// Draws every tile, card or board of the component set with its count.
    fn draw_components(&self, canvas: &mut Canvas);

    // ---- Provided -------------------------------------------------------------------------------------------------------

    /// The colours of its seats and terrains.
    fn palette(&self) -> &'static Palette {
        &Palette::DEFAULT
    }

    /// The one action that `text`, a non-canonical form, can mean for a person who sees `observation` (another rotation that shows
    /// the same face, two squares the wrong way round). Not asked for canonical forms; the caller checks legality.
    fn interpret(&self, _observation: &Self::Observation, _text: &str) -> Option<Self::Action> {
        None
    }
}
