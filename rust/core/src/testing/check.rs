//! How a check fails.

/// Fails a check with a text unless the condition holds.
macro_rules! ensure {
    ($condition:expr, $($text:tt)*) => {
        if !$condition {
            return Err(format!($($text)*));
        }
    };
}
pub(crate) use ensure;

/// The result of one check: what broke, in words.
pub(crate) type Check = Result<(), String>;
