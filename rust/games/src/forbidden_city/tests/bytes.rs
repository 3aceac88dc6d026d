//! States and observations as bytes: the order of laying does not count, and damaged bytes are refused or harmless.

use forbidden_games_core::bytes::{ByteReader, KeyHasher};
use forbidden_games_core::canvas::Canvas;
use forbidden_games_core::contract::{DrawRequest, Drawing, Features, Judgement, Knowledge};
use forbidden_games_core::encoding::FeatureSink;
use forbidden_games_core::player::ByPlayer;

use super::*;

fn bytes_of(game: &Game, state: &State) -> Vec<u8> {
    let mut bytes = Vec::new();
    game.write_bytes(state, &mut bytes);
    bytes
}

fn read(game: &Game, bytes: &[u8]) -> Result<State, StateError> {
    let mut reader = ByteReader::new(bytes);
    let state = game.read_bytes(&mut reader)?;
    reader.finish()?;
    Ok(state)
}

#[test]
fn bytes_say_what_json_says() {
    for game in all_games() {
        random_games(&game, 1, |state| {
            let bytes = bytes_of(&game, state);
            let again = read(&game, &bytes).unwrap_or_else(|error| panic!("{error}: {}", game.state_to_json(state)));
            assert_eq!(again, *state);
            check(&game, &again);
            assert_eq!(bytes_of(&game, &again), bytes);
            assert_eq!(game.key(state), KeyHasher::of(&bytes));
        });
    }
}

#[test]
fn the_order_of_laying_does_not_count_for_bytes() {
    let game = house(2);
    let [one, other] = ["0,2 g-A3 0 r0; 2,0 p-A3 1 r0; 1,2 w-A2 1 r3", "2,0 p-A3 1 r0; 0,2 g-A3 0 r0; 1,2 w-A2 1 r3"]
        .map(|laid| position(&game, laid, json!({"coins": [5, 5]})));
    assert_eq!(bytes_of(&game, &one), bytes_of(&game, &other));
    assert_eq!(game.key(&one), game.key(&other));
}

/// The bytes of a state of two with two laid tiles, and what comes of a change.
#[test]
fn what_is_out_of_range_is_refused_with_its_name() {
    let game = house(2);
    let laid = "0,2 g-A3 0 r0; 2,0 p-A3 1 r0";
    let good = bytes_of(&game, &position(&game, laid, json!({"hands": ["p-A1c", "g-A3"], "coins": [7, 300]})));
    let first_tile = good.len() - 6;
    let changed = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        read(&game, &bytes).expect_err("refused").to_string()
    };
    for (at, byte, expected) in [
        (0, 16, "phase: found 16, expected a number below 16"),
        (0, 1 | 2 << 2, "turn: found 2, expected a seat below 2"),
        (0, 3, "turn: found 0, expected 3 at the end"),
        (0, 2, "phase: found draw, expected draw only when"),
        (1, 31, "hand: found 31, expected a number below 31"),
        (2, 0, "phase: found place, expected deal or draw"),
        (6, 0x80, "coins: found -2147483641"),
        (11, 200, "unplayed: found more of kind 0"),
        (good.len() - 7, 57, "laid: found 57, expected a number below 57"),
        (first_tile + 1, 0xff, "laid: found 16"),
        (first_tile, good[first_tile] + 1, "laid: found r1, expected r0, the same face"),
        (first_tile + 2, 63, "laid: found kind 63 of seat 0"),
        (first_tile + 2, 2 << 6, "laid: found kind 0 of seat 2"),
    ] {
        let error = changed(at, byte);
        assert!(error.starts_with(&format!("state: {expected}")), "byte {at} = {byte}: {error}");
    }
    let mut beside = good.clone();
    let place = u16::from_le_bytes([good[first_tile], good[first_tile + 1]]) + 4;
    beside[first_tile + 3..first_tile + 5].copy_from_slice(&place.to_le_bytes());
    let error = read(&game, &beside).expect_err("pink beside green").to_string();
    assert_eq!(error, "state: laid: found open sides of different floors at 1,2, expected open sides of one floor (FC-5.3)");
    let mut swapped = good.clone();
    swapped[first_tile..].rotate_left(3);
    assert!(read(&game, &swapped).expect_err("refused").to_string().ends_with("ascending"));
    assert!(read(&game, &good[..good.len() - 1]).is_err());
    let more = read(&game, &[good, vec![0]].concat()).expect_err("refused").to_string();
    assert_eq!(more, "state: bytes: found 1 more, expected the end");
}

#[test]
fn a_tile_that_nothing_connects_is_refused() {
    let game = house(2);
    let mut bytes = bytes_of(&game, &position(&game, "0,2 g-A3 0 r0; 0,3 g-A2 0 r0", json!({})));
    let second = bytes.len() - 6;
    // The tile that comes first in reading order, two spaces to the north.
    let place = u16::from_le_bytes([bytes[second], bytes[second + 1]]) - 2 * 4 * 41;
    bytes[second..second + 2].copy_from_slice(&place.to_le_bytes());
    let error = read(&game, &bytes).expect_err("refused").to_string();
    assert_eq!(error, "state: laid: found 0,5, expected a space connected to the start tile by laid tiles (FC-5.3)");
}

/// Holds every feature against the bound of its block.
struct Bounded<'a> {
    game: &'a Game,
    seen: Vec<bool>,
}

impl FeatureSink for Bounded<'_> {
    fn set(&mut self, index: usize, raw: u16) {
        let block = self.game.observation_layout().block_of(index).expect("a block");
        assert!(raw <= block.bound, "feature {index} of block {} is {raw}, more than {}", block.name, block.bound);
        assert!(!std::mem::replace(&mut self.seen[index], true), "feature {index} of block {} is set twice", block.name);
    }
}

/// Everything that a person or an agent can ask of an observation.
fn ask_observation(game: &Game, observation: &<Game as Knowledge>::Observation, rng: &mut Rng) {
    game.observation_to_json(observation);
    game.features(observation, &mut Bounded { game, seen: vec![false; game.observation_layout().size()] });
    game.draw(observation, &DrawRequest::default(), &mut Canvas::new());
    let mut world = game.sample_world(observation, rng);
    for _ in 0..4 {
        step_randomly(game, &mut world, rng);
    }
}

/// Everything that can be asked of a state.
fn ask(game: &Game, state: &State, rng: &mut Rng) {
    game.state_to_json(state);
    game.scores(state);
    game.score_sheet(state);
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    assert_eq!(actions.len(), game.num_legal(state));
    let mut values = ByPlayer::new();
    game.judge_all(state, &mut values);
    assert!(values.iter().all(|value| value.is_finite()));
    if let Turn::Player(player) = game.turn(state) {
        assert!(!actions.is_empty());
        let mut looks = Vec::new();
        game.look(state, player, &actions, &mut Default::default(), &mut looks);
        assert_eq!(looks.len(), actions.len());
    }
    for player in Player::all(game.num_players()) {
        ask_observation(game, &game.observation(state, player), rng);
    }
}

/// Changes bytes of `count` states and observations and asks everything of what is read; how many were read.
fn damage(count: u64) -> u64 {
    let games = all_games();
    let mut rng = Rng::stream(7, "damage", 0);
    let (mut states, mut read_again) = (Vec::new(), 0);
    for number in 0..count {
        let game = &games[(number / 50) as usize % games.len()];
        if number % 50 == 0 {
            states.clear();
            let mut state = game.new_state();
            while !game.is_terminal(&state) {
                states.push(state.clone());
                step_randomly(game, &mut state, &mut rng);
            }
            states.push(state);
        }
        let whole = &states[rng.below(states.len() as u32) as usize];
        let viewer = rng.below(2 * game.num_players() as u32) as usize;
        let mut bytes = Vec::new();
        if viewer < game.num_players() {
            game.write_observation_bytes(&game.observation(whole, seat(viewer)), &mut bytes);
        } else {
            game.write_bytes(whole, &mut bytes);
        }
        for _ in 0..=rng.below(2) {
            let at = rng.below(bytes.len() as u32) as usize;
            // Small changes are accepted more often than random bytes.
            bytes[at] = match rng.below(3) {
                0 => rng.below(256) as u8,
                1 => bytes[at].wrapping_add(1),
                _ => bytes[at].wrapping_sub(1),
            };
        }
        if viewer < game.num_players() {
            let mut reader = ByteReader::new(&bytes);
            let Ok(observation) = game.read_observation_bytes(&mut reader) else { continue };
            read_again += 1;
            ask_observation(game, &observation, &mut rng);
            continue;
        }
        let Ok(mut state) = read(game, &bytes) else { continue };
        read_again += 1;
        check(game, &state);
        ask(game, &state, &mut rng);
        for _ in 0..200 {
            step_randomly(game, &mut state, &mut rng);
        }
        ask(game, &state, &mut rng);
    }
    read_again
}

#[test]
fn damaged_bytes_are_refused_or_harmless() {
    let read = damage(2_000);
    assert!(read > 100, "{read} were read");
}

#[test]
#[ignore = "minutes"]
fn soak_damaged_bytes_are_refused_or_harmless() {
    let read = damage(100_000);
    println!("{read} of 100,000 were read");
    assert!(read > 5_000, "{read} were read");
}
