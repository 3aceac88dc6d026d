//! The shipped pages: no notes to an author in them, and the rules that events name stand there.

mod support;

use forbidden_games::for_each_game;
use forbidden_games_core::contract::{self, Game, Step};
use forbidden_games_core::event::Event;
use forbidden_games_core::rng::Rng;
use support::{games, variants};

/// Words of a plan or a source, not of a page for readers.
const NOTES: [&str; 16] = [
    "seeds/",
    "seed text",
    "rule seed",
    "the seed is",
    ".txt`",
    "the product must",
    "the product's",
    "must say so",
    "to be built",
    "built last",
    "to be written",
    "to do:",
    "todo",
    "fixme",
    "tbd",
    "implementer",
];

fn check_page(name: &str, page: &str) {
    let plain = page.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
    for note in NOTES {
        assert!(!plain.contains(note), "{name} says {note:?}");
    }
}

#[test]
fn the_common_page_has_no_notes_to_an_author() {
    check_page("CONVENTIONS.md", include_str!("../../../docs/rules/CONVENTIONS.md"));
    assert!(include_str!("../../../docs/rules/CONVENTIONS.md").contains("Expansions"), "what is left out is said");
}

fn pages<G: Game>() {
    check_page(G::INFO.name, G::INFO.rules);
    check_page(G::INFO.name, G::INFO.readme);
    assert!(G::INFO.rules.contains("xpansions are left out"), "{} says that expansions are left out", G::INFO.name);
}

/// A rule is on the page if a paragraph, a list or a table begins with its number; of `TG-5.3.1` the last part is an item of a list.
fn is_on_page(page: &str, rule: &str) -> bool {
    let begins = |number: &str| {
        page.lines().any(|line| {
            let line = line.trim_start_matches(['-', '*', ' ', '|', '#']);
            line.strip_prefix(number).is_some_and(|rest| {
                !rest.starts_with(|next: char| {
                    next.is_ascii_digit() || next == '.' && rest.len() > 1 && rest.as_bytes()[1].is_ascii_digit()
                })
            })
        })
    };
    begins(rule) || rule.matches('.').count() == 2 && rule.rsplit_once('.').is_some_and(|(base, _)| begins(base))
}

fn events_name_rules<G: Game>() {
    let mut found = std::collections::BTreeSet::new();
    for (index, variant) in variants::<G>().iter().enumerate() {
        for game in games::<G>(variant).into_iter().take(if index == 0 { 4 } else { 1 }) {
            for seed in 0..2 {
                let mut state = game.new_state();
                let mut rng = Rng::stream(seed, "events", index as u64);
                let mut has_begun = false;
                while let Some(step) = forbidden_games_core::testing::random_step(&*game, &state, &mut rng) {
                    has_begun |= matches!(step, Step::Action(_));
                    let mut events: Vec<Event> = Vec::new();
                    contract::play(&*game, &mut state, step, &mut events).expect("a listed step");
                    for event in events {
                        // What is drawn before the first decision is set-up: section 4, or its part of the solo section.
                        let of_setup = event.rule.contains("-4.") || event.rule == "TG-13.2";
                        assert!(has_begun || of_setup, "{}: {event} in the set-up", G::INFO.name);
                        found.insert(event.rule);
                    }
                }
            }
        }
    }
    for rule in found {
        assert!(is_on_page(G::INFO.rules, rule), "{} is on no line of the page of {}", rule, G::INFO.name);
    }
}

macro_rules! all_pages {
    ($(($variant:ident, $module:ident)),* $(,)?) => { $(
        mod $module {
            use forbidden_games::$module::Game;

            #[test]
            fn pages_have_no_notes_to_an_author() {
                super::pages::<Game>();
            }

            #[test]
            fn events_name_rules_of_the_page() {
                super::events_name_rules::<Game>();
            }
        }
    )* };
}
for_each_game!(all_pages);
