//! Bytes: short, read back as written, and no damage that is accepted makes a later call panic.

use forbidden_games_core::bytes::ByteReader;
use forbidden_games_core::canvas::Canvas;
use forbidden_games_core::contract::{Data, DrawRequest, Drawing, Features, Judgement, Knowledge};
use forbidden_games_core::encoding::Sparse;
use forbidden_games_core::error::StateError;
use forbidden_games_core::player::{ByPlayer, Player};
use forbidden_games_core::rng::Rng;
use forbidden_games_core::testing::random_step;

use super::play::{all_games, random_board_game};
use super::*;

/// Decisions and draws taken from a damaged state that was accepted.
const STEPS: usize = 200;

fn bytes_of(game: &Game, state: &State) -> Vec<u8> {
    let mut bytes = Vec::new();
    game.write_bytes(state, &mut bytes);
    bytes
}

fn state_of(game: &Game, bytes: &[u8]) -> Result<State, StateError> {
    let mut reader = ByteReader::new(bytes);
    let state = game.read_bytes(&mut reader)?;
    reader.finish()?;
    Ok(state)
}

/// Every state of a random game.
fn states(game: &Game, seed: u64) -> Vec<State> {
    let mut rng = Rng::stream(seed, "bytes", 0);
    let mut states = vec![game.new_state()];
    while let Some(step) = random_step(game, &states[states.len() - 1], &mut rng) {
        let mut next = states[states.len() - 1].clone();
        game.apply(&mut next, step);
        states.push(next);
    }
    states
}

/// Changes, swaps, removes or adds bytes, most often in the second half, where single bytes stand for owners and hands.
fn damage(bytes: &mut Vec<u8>, rng: &mut Rng) {
    for _ in 0..=rng.below(3) {
        let length = bytes.len() as u32;
        let mut place = || if rng.below(4) == 0 { rng.below(length) } else { length - 1 - rng.below(length / 2 + 1) } as usize;
        let (place, other) = (place().min(bytes.len() - 1), place().min(bytes.len() - 1));
        match rng.below(40) {
            0 => bytes.truncate(place.max(1)),
            1 => bytes.insert(place, rng.next_u64() as u8),
            2..=4 => bytes[place] = rng.next_u64() as u8,
            5..=9 => bytes[place] ^= 1 << rng.below(8),
            10..=17 => bytes[place] ^= 1 + rng.below(3) as u8,
            18..=23 => bytes[place] = rng.below(14) as u8,
            24..=33 => bytes.swap(place, other),
            _ => {
                bytes[place] = bytes[place].wrapping_add(1);
                bytes[other] = bytes[other].wrapping_sub(1);
            }
        }
    }
}

/// Calls everything that takes a state or what a seat sees of it.
fn use_state(game: &Game, state: &State, rng: &mut Rng) {
    let (mut actions, mut outcomes, mut values) = (Vec::new(), Vec::new(), ByPlayer::new());
    game.legal_actions(state, &mut actions);
    game.chance_outcomes(state, &mut outcomes);
    assert_eq!(actions.len(), game.num_legal(state));
    let open = (!actions.is_empty(), !outcomes.is_empty());
    assert_eq!(open, (game.turn(state).player().is_some(), game.turn(state) == Turn::Chance), "nothing can follow");
    game.scores(state);
    game.score_sheet(state);
    game.ranking(state);
    game.judge_all(state, &mut values);
    assert!(values.iter().all(|value| value.is_finite()));
    if let Turn::Player(player) = game.turn(state) {
        game.look(state, player, &actions, &mut (), &mut Vec::new());
    }
    game.state_to_json(state);
    assert_eq!(state_of(game, &bytes_of(game, state)).as_ref(), Ok(state));
    for player in Player::all(game.num_players()) {
        use_observation(game, &game.observation(state, player), rng);
    }
}

fn use_observation(game: &Game, observation: &crate::qin::Observation, rng: &mut Rng) -> State {
    let mut sparse = Sparse::default();
    game.features(observation, &mut sparse);
    let layout = game.observation_layout();
    assert!(sparse.0.iter().all(|&(index, raw)| layout.block_of(index as usize).is_some_and(|block| raw <= block.bound)));
    game.draw(observation, &DrawRequest::default(), &mut Canvas::new());
    game.observation_to_json(observation);
    let world = game.sample_world(observation, rng);
    assert_eq!(game.observation(&world, game.observer(observation)), *observation);
    world
}

/// Plays on at random from a state that was accepted.
fn play_on(game: &Game, mut state: State, rng: &mut Rng) {
    use_state(game, &state, rng);
    for number in 0..STEPS {
        let Some(step) = random_step(game, &state, rng) else { break };
        assert_eq!(game.check(&state, step), Ok(()));
        game.apply(&mut state, step);
        if number % 40 == 39 {
            use_state(game, &state, rng);
        }
    }
    use_state(game, &state, rng);
}

/// How many of `count` damaged states and observations were accepted and have been played on.
fn try_damaged(seed: u64, count: usize) -> [usize; 2] {
    let games: Vec<Game> = all_games().into_iter().step_by(5).chain((seed..seed + 5).map(random_board_game)).collect();
    let samples: Vec<Vec<State>> = games.iter().map(|game| states(game, seed)).collect();
    let mut rng = Rng::stream(seed, "damage", 0);
    let mut accepted = [0; 2];
    for _ in 0..count {
        let number = rng.below(games.len() as u32) as usize;
        let (game, states) = (&games[number], &samples[number]);
        let state = &states[rng.below(states.len() as u32) as usize];
        let mut bytes = bytes_of(game, state);
        damage(&mut bytes, &mut rng);
        if let Ok(state) = state_of(game, &bytes) {
            accepted[0] += 1;
            play_on(game, state, &mut rng);
        }
        let viewer = Player(rng.below(game.num_players() as u32) as u8);
        let mut bytes = Vec::new();
        game.write_observation_bytes(&game.observation(state, viewer), &mut bytes);
        damage(&mut bytes, &mut rng);
        let mut reader = ByteReader::new(&bytes);
        if let Ok(observation) = game.read_observation_bytes(&mut reader)
            && reader.finish().is_ok()
        {
            accepted[1] += 1;
            let world = use_observation(game, &observation, &mut rng);
            play_on(game, world, &mut rng);
        }
    }
    accepted
}

#[test]
fn damaged_bytes_are_refused_or_can_be_played() {
    let accepted = try_damaged(1, 1000);
    assert!(accepted.iter().all(|&accepted| accepted > 40), "{accepted:?} accepted: too few to tell anything");
}

#[test]
#[ignore = "a hundred thousand strings: make soak"]
fn soak_damaged_bytes_are_refused_or_can_be_played() {
    for seed in 10..20 {
        println!("qin, damaged bytes, seed {seed}: accepted {:?} of 5000 states and 5000 observations", try_damaged(seed, 5000));
    }
}

#[test]
fn bytes_are_read_back_as_written() {
    for (seed, game) in (0..).zip(all_games().into_iter().chain((0..6).map(random_board_game))) {
        for state in states(&game, seed) {
            let bytes = bytes_of(&game, &state);
            let again = state_of(&game, &bytes).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(again, state);
            assert_eq!(bytes_of(&game, &again), bytes);
            assert_eq!(legal(&game, &again), legal(&game, &state));
            assert!(state_of(&game, &bytes[..bytes.len() - 1]).is_err(), "a cut string is read");
        }
    }
}

/// No state of a random game on the default board takes more than this.
#[test]
fn bytes_are_few() {
    let game = game(4, json!({}), None).unwrap();
    let longest = states(&game, 3).iter().map(|state| bytes_of(&game, state).len()).max().unwrap();
    assert!(longest <= 130, "{longest} bytes");
}
