//! What seats see and know.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use forbidden_games_core::canvas::Canvas;
use forbidden_games_core::contract::{Data, DrawRequest, Drawing, Features, Knowledge, Notation, Observed, Rules};
use forbidden_games_core::error::ParseActionError;
use forbidden_games_core::player::Player;
use forbidden_games_core::rng::Rng;
use serde_json::Value;

use super::{AnyInformation, AnyObservation, AnyState, Position, Seen, read_action};

/// How an observation is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    /// Ids of the actions whose targets are marked.
    pub legal: &'a [u32],
    /// Id of the last action, marked.
    pub last: Option<u32>,
    /// Columns to stay within; raised to 60 if less.
    pub width: usize,
    /// Where to look.
    pub focus: Option<&'a str>,
    /// Whether to add ANSI colours.
    pub color: bool,
    /// Whether to keep to ASCII.
    pub ascii: bool,
}

impl AnyObservation {
    /// The seat.
    #[must_use]
    #[inline]
    pub fn player(&self) -> Player {
        dispatch!(AnyObservation, self, seen => seen.game.observer(&seen.observation))
    }

    /// Writes the tensor; `out` has its size and holds zeros.
    #[inline]
    pub fn encode(&self, out: &mut [f32]) {
        dispatch!(AnyObservation, self, seen => seen.game.encode(&seen.observation, out));
    }

    /// The state's JSON with `null` for what the seat may not know.
    #[must_use]
    #[inline]
    pub fn to_json(&self) -> Value {
        dispatch!(AnyObservation, self, seen => seen.game.observation_to_json(&seen.observation))
    }

    /// Draws it.
    ///
    /// # Errors
    /// If an id is out of range.
    #[inline]
    pub fn draw(&self, picture: &Picture<'_>) -> Result<String, ParseActionError> {
        let mut canvas = Canvas::with_palette(dispatch!(AnyObservation, self, seen => seen.game.palette()));
        dispatch!(AnyObservation, self, seen => {
            let game = &*seen.game;
            let legal = picture.legal.iter().map(|&id| read_action(game, id)).collect::<Result<Vec<_>, _>>()?;
            let last = picture.last.map(|id| read_action(game, id)).transpose()?;
            let request = DrawRequest { legal: &legal, last, width: picture.width.max(60), focus: picture.focus };
            game.draw(&seen.observation, &request, &mut canvas);
        });
        Ok(canvas.to_text(picture.color, picture.ascii))
    }

    /// A hash for tables of this process.
    #[must_use]
    #[inline]
    pub fn table_hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }
}

impl AnyInformation {
    /// The seat.
    #[must_use]
    #[inline]
    pub fn player(&self) -> Player {
        dispatch!(AnyInformation, self, info => info.player())
    }

    /// What the seat perceives now.
    #[must_use]
    #[inline]
    pub fn observation(&self) -> AnyObservation {
        convert!(AnyInformation => AnyObservation, self, info => Seen {
            game: Arc::clone(&info.game),
            observation: info.observation.clone(),
        })
    }

    /// Ids of its legal actions, ascending; empty if it is not to move.
    #[must_use]
    #[inline]
    pub fn legal_actions(&self) -> Vec<u32> {
        dispatch!(AnyInformation, self, info => info.legal_actions.iter().map(|&action| info.game.action_id(action)).collect())
    }

    /// What the seat saw, step by step, in words.
    #[must_use]
    #[inline]
    pub fn history(&self) -> Vec<String> {
        dispatch!(AnyInformation, self, info => info.history.iter().map(|&seen| info.game.format_observed(seen)).collect())
    }

    /// The same as numbers, for storing.
    #[must_use]
    #[inline]
    pub fn history_numbers(&self) -> Vec<u64> {
        dispatch!(AnyInformation, self, info => info.history.iter().map(|seen| seen.0).collect())
    }

    /// The same knowledge with another history.
    #[must_use]
    #[inline]
    pub fn with_history(mut self, numbers: &[u64]) -> Self {
        dispatch!(AnyInformation, &mut self, info => info.history = numbers.iter().map(|&number| Observed(number)).collect());
        self
    }

    /// The 64-bit key of observation and history.
    #[must_use]
    #[inline]
    pub fn key(&self) -> u64 {
        dispatch!(AnyInformation, self, info => info.key())
    }

    /// The `index`-th world drawn under `seed`.
    #[must_use]
    #[inline]
    pub fn sample_world(&self, seed: u64, index: u64) -> AnyState {
        convert!(AnyInformation => AnyState, self, info => Position {
            game: Arc::clone(&info.game),
            state: info.sample_world(&mut Rng::stream(seed, "world", index)),
        })
    }

    /// Id of the one legal action that `text` means, canonical or not.
    #[must_use]
    #[inline]
    pub fn interpret(&self, text: &str) -> Option<u32> {
        dispatch!(AnyInformation, self, info => {
            let is_legal = |action: &_| info.legal_actions.binary_search(action).is_ok();
            let written = info.game.parse_action(text).ok().filter(is_legal);
            written
                .or_else(|| info.game.interpret(&info.observation, text).filter(is_legal))
                .map(|action| info.game.action_id(action))
        })
    }
}
