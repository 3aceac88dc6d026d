//! Errors: small, one per failure. Messages are lower case, name the offender and what would have been right.

use thiserror::Error;

/// A value somewhere in JSON or TOML that does not fit.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{key}: found {found}, expected {expected}")]
#[non_exhaustive]
pub struct DataError {
    /// Where: the key with indices, `tiles[3].edges`; the empty key is written `document`.
    pub key: String,
    /// What stood there, shortened.
    pub found: String,
    /// What would have been right.
    pub expected: String,
}

impl DataError {
    /// An error at `key`.
    pub fn new(key: impl Into<String>, found: impl Into<String>, expected: impl Into<String>) -> Self {
        // Keys can be the document's own text.
        let mut key: String = key.into().chars().take(300).map(shown).collect();
        if key.is_empty() {
            "document".clone_into(&mut key);
        }
        Self { key, found: shorten(&found.into()), expected: expected.into() }
    }
}

/// The character as a message shows it: none that could break its one line, or turn round what stands on it.
#[must_use]
pub fn shown(character: char) -> char {
    if is_plain(character) { character } else { '\u{fffd}' }
}

/// Whether a character leaves the line it stands on as it is: no control character, no separator of lines or paragraphs (U+2028,
/// U+2029), no change of direction.
#[must_use]
pub fn is_plain(character: char) -> bool {
    let turns = matches!(character, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    !character.is_control() && !turns
}

/// Text cut to a length that fits one line of an error.
#[must_use]
pub fn shorten(text: &str) -> String {
    const LIMIT: usize = 80;
    let clean: String = text.chars().map(shown).take(LIMIT + 1).collect();
    if clean.chars().count() > LIMIT { clean.chars().take(LIMIT).collect::<String>() + "..." } else { clean }
}

/// An option that does not exist or has a value out of range.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("option {option}: found {found}, expected {expected}")]
#[non_exhaustive]
pub struct OptionsError {
    /// The option.
    pub option: String,
    /// What was given.
    pub found: String,
    /// What would have been right.
    pub expected: String,
}

impl OptionsError {
    /// An error about `option`.
    pub fn new(option: impl Into<String>, found: impl Into<String>, expected: impl Into<String>) -> Self {
        // The name of an option is whatever was given as one.
        Self { option: shorten(&option.into()), found: shorten(&found.into()), expected: expected.into() }
    }
}

/// Why a game could not be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SetupError {
    /// Players or options.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// The component set.
    #[error("components: {0}")]
    Components(DataError),
}

/// A state, position or observation object that is damaged or impossible.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("state: {0}")]
pub struct StateError(#[from] pub DataError);

impl StateError {
    /// An error at `key`.
    pub fn new(key: impl Into<String>, found: impl Into<String>, expected: impl Into<String>) -> Self {
        Self(DataError::new(key, found, expected))
    }
}

/// Why an action is not legal now.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{rule}: {reason}")]
#[non_exhaustive]
pub struct Refusal {
    /// The rule that forbids it (`QN-5.7b`).
    pub rule: &'static str,
    /// The reason, one line.
    pub reason: String,
}

impl Refusal {
    /// A refusal by `rule`.
    pub fn new(rule: &'static str, reason: impl Into<String>) -> Self {
        Self { rule, reason: reason.into() }
    }
}

/// A well-formed action or outcome that is not legal now; the state is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{action} is not legal: {refusal}")]
#[non_exhaustive]
pub struct IllegalAction {
    /// Its notation.
    pub action: String,
    /// Rule and reason.
    pub refusal: Refusal,
}

impl IllegalAction {
    /// `action` refused.
    pub fn new(action: impl Into<String>, refusal: Refusal) -> Self {
        Self { action: shorten(&action.into()), refusal }
    }
}

/// Text that cannot be read as an action or outcome of the game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("cannot parse {text:?}: expected {expected}")]
#[non_exhaustive]
pub struct ParseActionError {
    /// The text, shortened.
    pub text: String,
    /// The form that would have been right.
    pub expected: String,
}

impl ParseActionError {
    /// `text` is not of the form `expected`.
    pub fn new(text: &str, expected: impl Into<String>) -> Self {
        Self { text: shorten(text), expected: expected.into() }
    }
}

/// A damaged record, or one that does not follow the rules.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RecordError {
    /// A line that cannot be read.
    #[error("record line {line}: {reason}")]
    Line {
        /// Line number from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// A step or result that does not follow.
    #[error("record ply {ply}, line {line}: {reason}")]
    Ply {
        /// Decisions before the step.
        ply: usize,
        /// Line number from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
}

/// Asked for a result before the end (CONVENTIONS 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the game is not over: ranking and returns exist only at a terminal node")]
pub struct NotOver;
