//! States and observations as bytes: short, canonical, and safe to read whatever stands there.

use std::panic::{AssertUnwindSafe, catch_unwind};

use forbidden_games_core::bytes::{ByteReader, KeyHasher};
use forbidden_games_core::canvas::Canvas;
use forbidden_games_core::contract::{Audit, Data, DrawRequest, Drawing, Features, Judgement, Knowledge, Rules};
use forbidden_games_core::encoding::Sparse;
use forbidden_games_core::player::{ByPlayer, Player, Turn};
use forbidden_games_core::rng::Rng;
use forbidden_games_core::testing::random_step;

use super::super::{Game, State};
use super::numbers::games;
use super::random_game;

fn write(game: &Game, state: &State) -> Vec<u8> {
    let mut bytes = Vec::new();
    game.write_bytes(state, &mut bytes);
    bytes
}

fn read(game: &Game, bytes: &[u8]) -> Option<State> {
    let mut reader = ByteReader::new(bytes);
    let state = game.read_bytes(&mut reader).ok()?;
    reader.finish().ok()?;
    Some(state)
}

/// States of some random games, every `stride`th.
fn states(game: &Game, seeds: std::ops::Range<u64>, stride: usize) -> Vec<State> {
    let mut states = Vec::new();
    let mut step = 0;
    for seed in seeds {
        let end = random_game(game, seed, |state, _| {
            if step % stride == 0 {
                states.push(state.clone());
            }
            step += 1;
        });
        states.push(end);
    }
    states
}

/// Every call that takes a state.
fn look_at(game: &Game, state: &State) {
    let (mut actions, mut outcomes, mut values) = (Vec::new(), Vec::new(), Vec::new());
    game.legal_actions(state, &mut actions);
    game.chance_outcomes(state, &mut outcomes);
    assert_eq!(game.num_legal(state), actions.len());
    let _ = (game.scores(state), game.ranking(state), game.score_sheet(state));
    let mut judged = ByPlayer::new();
    game.judge_all(state, &mut judged);
    assert!(judged.iter().all(|value| value.is_finite()));
    if let Turn::Player(player) = game.turn(state) {
        game.look(state, player, &actions, &mut Default::default(), &mut values);
    }
    let json = game.state_to_json(state);
    assert_eq!(game.state_from_json(&json).as_ref(), Ok(state));
    for player in Player::all(game.num_players()) {
        let observation = game.observation(state, player);
        let mut sparse = Sparse::default();
        game.features(&observation, &mut sparse);
        for &(index, raw) in &sparse.0 {
            let block = game.observation_layout().block_of(index as usize).expect("a feature of a block");
            assert!(raw <= block.bound, "{}: {raw} of {}", block.name, block.bound);
        }
        game.draw(&observation, &DrawRequest { legal: &actions, ..DrawRequest::default() }, &mut Canvas::new());
        assert_eq!(&game.sample_world(&observation, &mut Rng::stream(1, "world", 0)), state);
    }
}

/// Changes bytes of real states: what is read, if anything is, can be played and looked at.
fn damage(rounds: usize, stream: u64) {
    let mut rng = Rng::stream(stream, "damage", 0);
    let mut accepted = 0;
    let sources: Vec<(Game, Vec<State>)> = games().into_iter().map(|game| (game.clone(), states(&game, 0..4, 7))).collect();
    for round in 0..rounds {
        let (game, states) = &sources[round % sources.len()];
        let mut bytes = write(game, &states[rng.below(states.len() as u32) as usize]);
        for _ in 0..=rng.below(3) {
            let place = rng.below(bytes.len() as u32) as usize;
            match rng.below(4) {
                0 => bytes[place] = rng.below(256) as u8,
                1 => bytes[place] ^= 1 << rng.below(8),
                2 => bytes[place] = bytes[place].wrapping_add(1),
                _ => bytes[place] = bytes[rng.below(bytes.len() as u32) as usize],
            }
        }
        match rng.below(50) {
            0 => bytes.truncate(rng.below(bytes.len() as u32) as usize),
            1 => bytes.push(0),
            _ => {}
        }
        let played = catch_unwind(AssertUnwindSafe(|| {
            let Some(mut state) = read(game, &bytes) else { return false };
            assert_eq!(write(game, &state), bytes, "one form only");
            look_at(game, &state);
            for _ in 0..200 {
                let Some(step) = random_step(game, &state, &mut rng) else { break };
                game.apply(&mut state, step);
            }
            look_at(game, &state);
            true
        }));
        accepted += usize::from(played.unwrap_or_else(|_| panic!("round {round}: {bytes:?}")));
    }
    println!("{accepted} of {rounds} accepted");
    assert!(accepted > rounds / 50, "{accepted} of {rounds} accepted");
}

#[test]
fn damaged_bytes_are_refused_or_playable() {
    damage(2_000, 1);
}

#[test]
#[ignore = "many states: make soak"]
fn soak_damaged_bytes_are_refused_or_playable() {
    damage(100_000, 2);
}

#[test]
fn bytes_are_short_and_hold_everything() {
    for game in games() {
        for state in states(&game, 0..2, 3) {
            let bytes = write(&game, &state);
            assert!(bytes.len() <= 1024, "{} bytes", bytes.len());
            let again = read(&game, &bytes).expect("its own bytes");
            assert_eq!(again, state);
            game.check_invariants(&again).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(game.key(&state), KeyHasher::of(&bytes));
        }
    }
}

/// Times; run in release mode with `--ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn speed_of_bytes() {
    let game = &games()[0];
    let states = states(game, 0..4, 5);
    let written: Vec<Vec<u8>> = states.iter().map(|state| write(game, state)).collect();
    let time = |name: &str, call: &mut dyn FnMut(usize) -> u64| {
        let mut best = f64::INFINITY;
        for _ in 0..20 {
            let clock = std::time::Instant::now();
            for place in 0..states.len() {
                std::hint::black_box(call(place));
            }
            best = best.min(clock.elapsed().as_secs_f64() * 1e6 / states.len() as f64);
        }
        println!("{name}: {best:.3} us");
    };
    println!("{} bytes on average", written.iter().map(Vec::len).sum::<usize>() / written.len());
    let mut bytes = Vec::new();
    time("write", &mut |place| {
        bytes.clear();
        game.write_bytes(&states[place], &mut bytes);
        bytes.len() as u64
    });
    time("read", &mut |place| read(game, &written[place]).expect("its own bytes").ply.into());
    time("key", &mut |place| game.key(&states[place]));
    time("refresh", &mut |place| {
        let mut state = states[place].clone();
        game.refresh_castle(&mut state);
        game.refresh_realms(&mut state);
        state.ply.into()
    });
    time("validate", &mut |place| game.validate(&states[place]).is_ok().into());
    let mut judged = ByPlayer::new();
    time("judge_all", &mut |place| {
        game.judge_all(&states[place], &mut judged);
        judged.len() as u64
    });
    let observation = game.observation(&states[0], Player(0));
    let mut over = observation.clone();
    time("observe_into", &mut |place| {
        game.observe_into(&states[place], Player(1), &mut over);
        0
    });
    let mut sparse = Sparse::default();
    time("features", &mut |place| {
        sparse.0.clear();
        game.features(&game.observation(&states[place], Player(0)), &mut sparse);
        sparse.0.len() as u64
    });
}
