use std::sync::Arc;

use serde_json::{Map, json};

use super::{Pebbles, State, pebbles};
use crate::batch::rollouts;
use crate::bytes::{ByteReader, ByteSink};
use crate::contract::{Data, Notation, Rules, Setup, Step};
use crate::data::parse_toml;
use crate::interrupt::{Interrupt, Interrupted};
use crate::match_play::Match;
use crate::options::ComponentSource;
use crate::perft::{perft, perft_divide, take_first_outcomes};
use crate::player::Turn;
use crate::rng::Rng;
use crate::start::Start;
use crate::testing::playthroughs::{random_playthrough, verify};

#[test]
fn perft_takes_the_first_notation_at_chance_and_divides() {
    let game = pebbles(2);
    let state = game.new_state();
    let count = |depth| perft(&game, &state, depth, &Interrupt::new()).unwrap();
    // Everybody holds amber first: four columns to drop on, the next outcome is amber again while there is any.
    assert_eq!((count(0), count(1), count(2)), (1, 4, 16));
    // Depth 3 by hand: 16 ways, then 4 columns with amber; after the sixth amber (4 dealt, 2 drawn) the third draw is jade.
    assert_eq!(count(3), 64);
    let divided = perft_divide(&game, &state, 5, &Interrupt::new()).unwrap();
    assert_eq!(divided.iter().map(|(_, count)| count).sum::<u64>(), count(5));
    assert!(divided.is_sorted());
    let interrupt = Interrupt::new();
    interrupt.set();
    assert_eq!(perft(&game, &state, 5, &interrupt), Err(Interrupted));
    let mut first = state.clone();
    take_first_outcomes(&game, &mut first);
    assert_eq!(first.hands[0][0], 2);
}

#[test]
fn perft_equals_a_plain_recursion() {
    fn slow(game: &Pebbles, mut state: State, depth: u32) -> u64 {
        while game.turn(&state) == Turn::Chance {
            let mut outcomes = Vec::new();
            game.chance_outcomes(&state, &mut outcomes);
            let first = outcomes.into_iter().min_by_key(|(outcome, _)| game.format_outcome(*outcome)).unwrap().0;
            game.apply(&mut state, Step::Outcome(first));
        }
        if depth == 0 {
            return 1;
        }
        let mut actions = Vec::new();
        game.legal_actions(&state, &mut actions);
        actions
            .into_iter()
            .map(|action| {
                let mut child = state.clone();
                game.apply(&mut child, Step::Action(action));
                slow(game, child, depth - 1)
            })
            .sum()
    }
    let options = json!({"columns": 2}).as_object().unwrap().clone();
    let small = Pebbles::new(2, &options, None).unwrap();
    for depth in 0..9 {
        let fast = perft(&small, &small.new_state(), depth, &Interrupt::new()).unwrap();
        assert_eq!(fast, slow(&small, small.new_state(), depth), "depth {depth}");
    }
}

#[test]
fn rollouts_do_not_depend_on_threads() {
    let game = pebbles(3);
    let state = game.new_state();
    let run = |threads| rollouts(&game, &state, 300, 7, threads, &Interrupt::new()).unwrap();
    let one = run(1);
    assert_eq!(one, run(2));
    assert_eq!(one, run(5));
    assert_eq!(&rollouts(&game, &state, 100, 7, 1, &Interrupt::new()).unwrap(), &one[..100]);
    let sum: f32 = one.iter().flatten().sum();
    assert!(sum.abs() < 1e-2);
    let interrupt = Interrupt::new();
    interrupt.set();
    assert_eq!(rollouts(&game, &state, 300, 7, 2, &interrupt), Err(Interrupted));
    assert!(rollouts(&game, &state, 0, 7, 0, &Interrupt::new()).unwrap().is_empty());
}

#[test]
fn playthroughs_verify_and_damage_is_named() {
    let game = Arc::new(pebbles(3));
    let lines = random_playthrough(&game, Start::Ordinary, 4).unwrap();
    let text = lines.join("\n");
    verify::<Pebbles>(&text).unwrap();
    assert_eq!(random_playthrough(&game, Start::Ordinary, 4).unwrap(), lines);
    assert!(lines[0].starts_with("{\"playthrough\":1,\"game\":\"pebbles\",\"rules\":1,\"players\":3,\"options\":{"));
    assert!(lines[1].contains("\"outcomes\":[[\"amber\",\"3/7\"],[\"jade\",\"5/14\"],[\"onyx\",\"3/14\"]],\"action\":"));
    assert!(lines.last().unwrap().contains("\"ranking\":["));
    for damaged in 0..lines.len() {
        let mut copy = lines.clone();
        copy[damaged] = copy[damaged].replacen("\"players\":3", "\"players\":2", 1);
        let error = verify::<Pebbles>(&copy.join("\n")).unwrap_err().to_string();
        // A header with another number of seats is a good one; the first state then tells.
        assert!(error.contains(&format!("line {}:", damaged.max(1) + 1)), "{error}");
    }
    assert!(verify::<Pebbles>(&lines[..lines.len() - 1].join("\n")).is_err());
    assert!(verify::<Pebbles>(&(text.clone() + "\n" + lines.last().unwrap())).is_err());
}

#[test]
fn components_are_checked() {
    let refused = |text: &str| {
        let set = parse_toml(text).unwrap();
        Pebbles::new(2, &Map::new(), Some(&ComponentSource::Set(set))).unwrap_err().to_string()
    };
    let template = include_str!("components.toml");
    assert!(refused(template).contains("pebbles-1"), "a built-in name is reserved");
    let own = template.replace("pebbles-1", "mine");
    assert!(refused(&own.replace("count = 5", "count = 0")).contains("pebbles[1].count: found 0"));
    assert!(refused(&own.replace("jade", "amber")).contains("pebbles[1].name"));
    assert!(refused(&(own + "extra = 1")).contains("extra"));
}

/// Damaged bytes are refused, or are a state that can be played to its end.
#[test]
fn bytes_are_checked() {
    let game = pebbles(3);
    let mut bytes = Vec::new();
    let played = Match::new(Arc::new(game.clone()), 5);
    game.write_bytes(played.state(), &mut bytes);
    let mut accepted = 0;
    for index in 0..20_000 {
        let mut rng = Rng::stream(1, "damage", index);
        let mut damaged = bytes.clone();
        for _ in 0..=rng.below(3) {
            let place = rng.below(damaged.len() as u32) as usize;
            damaged[place] = if rng.below(2) == 0 { rng.below(8) as u8 } else { rng.below(256) as u8 };
        }
        if rng.below(8) == 0 {
            damaged.truncate(rng.below(damaged.len() as u32) as usize);
        }
        let Ok(mut state) = game.read_bytes(&mut ByteReader::new(&damaged)) else { continue };
        accepted += 1;
        let mut scratch = crate::batch::Scratch::default();
        crate::batch::play_out(&game, &mut state, &mut rng, &mut scratch);
    }
    assert!(accepted > 100, "{accepted} accepted");
    let mut again = Vec::new();
    game.write_bytes(&game.read_bytes(&mut ByteReader::new(&bytes)).unwrap(), &mut again);
    again.u8(0);
    assert_eq!(again[..bytes.len()], bytes);
}
