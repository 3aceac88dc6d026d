//! The words for skills and view preferences of a component file (TG-2.13).

use super::names::{DECORATIONS, ICONS, LETTERS};

/// What the active character brings (TG-2.13, `skill`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Skill {
    /// Nothing.
    None,
    /// 2 coins for placing one of these decorations (bits).
    Place(u16),
    /// 1 coin when this track moves (TG-5.5).
    Track(u8),
    /// 1 coin for a tile that matches a path edge.
    Path,
    /// 1 coin for a tile that closes a region.
    Close,
    /// One more card when decorating.
    Draw,
}

/// What a figure likes to look at (TG-2.13, `view`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum View {
    /// Coins for each icon of the panorama.
    Icon(u8, i32),
    /// Coins, less some for each of these characters seen (bits).
    Absent(i32, i32, u16),
    /// Coins for each seen tile with one of these letters (bits), at most so many.
    Edge(u8, i32, i32),
    /// Coins if the panorama shows sun or moon, or both.
    SunMoon(i32, i32),
    /// Coins for each other character seen, at most so many.
    Person(i32, i32),
    /// Coins for each landscape of the panorama.
    Landscape(i32),
}

/// A number of a skill or view: 1 to 99.
fn number(word: &str) -> Option<i32> {
    forbidden_games_core::notation::parse_canonical_integer(word).filter(|number| (1..=99).contains(number))
}

/// Bits of distinct names in `list`; at least one.
fn name_bits(words: &[&str], list: &[impl AsRef<str>]) -> Option<u16> {
    let mut bits = 0_u16;
    for word in words {
        let index = list.iter().position(|name| name.as_ref() == *word)?;
        if bits >> index & 1 == 1 {
            return None;
        }
        bits |= 1 << index;
    }
    (bits != 0).then_some(bits)
}

/// The terrain with this letter.
pub(super) fn terrain(word: &str) -> Option<u8> {
    ["g", "w", "r"].iter().position(|letter| *letter == word).map(|index| index as u8)
}

/// Reads a skill; `decorations` are the eleven names in order.
pub(super) fn parse_skill(text: &str, decorations: &[String; DECORATIONS]) -> Option<Skill> {
    let words: Vec<&str> = text.split(' ').collect();
    match words[..] {
        ["none"] => Some(Skill::None),
        ["place", ref names @ ..] => name_bits(names, decorations).map(Skill::Place),
        ["track", letter] => terrain(letter).map(Skill::Track),
        ["path"] => Some(Skill::Path),
        ["close"] => Some(Skill::Close),
        ["draw"] => Some(Skill::Draw),
        _ => None,
    }
}

/// Reads a view of the character `own`; `names` are the characters in order.
pub(super) fn parse_view(text: &str, own: usize, names: &[String]) -> Option<View> {
    let words: Vec<&str> = text.split(' ').collect();
    match words[..] {
        ["icon", icon, n] if icon.len() == 1 => {
            Some(View::Icon(ICONS.iter().position(|known| icon.starts_with(*known))? as u8, number(n)?))
        }
        ["absent", n, m, ref others @ ..] => {
            let bits = name_bits(others, names)?;
            (bits >> own & 1 == 0).then_some(View::Absent(number(n)?, number(m)?, bits))
        }
        ["edge", letters, n, m] => {
            let mut bits = 0_u8;
            for letter in letters.chars() {
                let index = LETTERS.iter().position(|known| *known == letter)?;
                if bits >> index & 1 == 1 {
                    return None;
                }
                bits |= 1 << index;
            }
            (bits != 0).then_some(View::Edge(bits, number(n)?, number(m)?))
        }
        ["sun-moon", n, m] => Some(View::SunMoon(number(n)?, number(m)?)),
        ["person", n, m] => Some(View::Person(number(n)?, number(m)?)),
        ["landscape", n] => Some(View::Landscape(number(n)?)),
        _ => None,
    }
}

/// What the skill brings, in words.
pub(super) fn describe_skill(skill: Skill, decorations: &[String; DECORATIONS]) -> String {
    match skill {
        Skill::None => "none".to_owned(),
        Skill::Place(bits) => format!("2 coins for placing {}", names_of(bits, decorations, " or ")),
        Skill::Track(track) => format!("1 coin when track {} moves", LETTERS[usize::from(track)]),
        Skill::Path => "1 coin for matching a path edge".to_owned(),
        Skill::Close => "1 coin for closing a region".to_owned(),
        Skill::Draw => "draws one more card".to_owned(),
    }
}

/// What the view brings, in words.
pub(super) fn describe_view(view: View, characters: &[String]) -> String {
    match view {
        View::Icon(icon, n) => format!("{n} for each icon {}", ICONS[usize::from(icon)]),
        View::Absent(n, m, bits) => format!("{n}, less {m} for each of {} seen", names_of(bits, characters, ", ")),
        View::Edge(bits, n, m) => {
            let letters: String = (0..6).filter(|i| bits >> i & 1 == 1).map(|i| LETTERS[i]).collect();
            format!("{n} for each tile seen with {letters}, at most {m}")
        }
        View::SunMoon(n, m) => format!("{n} for sun or moon, {m} for both"),
        View::Person(n, m) => format!("{n} for each other character seen, at most {m}"),
        View::Landscape(n) => format!("{n} for each landscape"),
    }
}

fn names_of(bits: u16, names: &[String], between: &str) -> String {
    let named: Vec<&str> = (0..names.len()).filter(|i| bits >> i & 1 == 1).map(|i| names[i].as_str()).collect();
    named.join(between)
}
