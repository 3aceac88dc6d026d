//! Reading and writing notation: the parts that every game shares. What a game's actions look like is in its `actions.rs`.

/// Text in lower case with leading and trailing blanks dropped and inner runs of blanks folded to one (CONVENTIONS 3).
#[must_use]
pub fn normalize(text: &str) -> String {
    let mut normal = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !normal.is_empty() {
            normal.push(' ');
        }
        normal.extend(word.chars().map(|c| c.to_ascii_lowercase()));
    }
    normal
}

/// A decimal integer in canonical form: no plus sign, no leading zero, no `-0`.
#[must_use]
pub fn parse_canonical_integer(text: &str) -> Option<i32> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let canonical = match digits.as_bytes() {
        [b'0'] => text.len() == 1,
        [b'1'..=b'9', rest @ ..] => rest.len() < 9 && rest.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    canonical.then(|| text.parse().ok()).flatten()
}
