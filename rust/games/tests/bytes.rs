//! Damaged bytes: what is read from them is refused, or a state on which no call panics. `cargo test -p forbidden-games --test bytes
//! -- --ignored --nocapture` tries 100,000 strings of each game.

use forbidden_games::for_each_game;
use forbidden_games_core::bytes::ByteReader;
use forbidden_games_core::canvas::Canvas;
use forbidden_games_core::contract::{DrawRequest, Game};
use forbidden_games_core::encoding::Sparse;
use forbidden_games_core::options::Options;
use forbidden_games_core::player::{ByPlayer, Player, Turn};
use forbidden_games_core::rng::Rng;
use forbidden_games_core::testing::random_step;

/// Decisions and draws taken from a state that was accepted.
const STEPS: usize = 200;

/// States of random games, one game for each number of seats and seed.
fn states<G: Game>(seeds: u64) -> Vec<(G, Vec<G::State>)> {
    let mut all = Vec::new();
    for players in G::INFO.min_players..=G::INFO.max_players {
        let game = G::new(players, &Options::new(), None).expect("the default options");
        let mut states = Vec::new();
        for seed in 0..seeds {
            let mut rng = Rng::stream(seed, "bytes", players as u64);
            let mut state = game.new_state();
            states.push(state.clone());
            while let Some(step) = random_step(&game, &state, &mut rng) {
                game.apply(&mut state, step);
                states.push(state.clone());
            }
        }
        all.push((game, states));
    }
    all
}

/// Changes some bytes, cuts them or adds one.
fn damage(bytes: &mut Vec<u8>, rng: &mut Rng) {
    for _ in 0..=rng.below(3) {
        let length = bytes.len().max(1) as u32;
        let (place, other) = (rng.below(length) as usize, rng.below(length) as usize);
        if bytes.is_empty() {
            return;
        }
        match rng.below(40) {
            0 => bytes.truncate(place),
            1 => bytes.insert(place, rng.next_u64() as u8),
            2..=9 => bytes[place] = rng.next_u64() as u8,
            10..=17 => bytes[place] ^= 1 << rng.below(8),
            18..=23 => bytes[place] = rng.below(14) as u8,
            24..=31 => bytes.swap(place, other),
            _ => {
                bytes[place] = bytes[place].wrapping_add(1);
                bytes[other] = bytes[other].wrapping_sub(1);
            }
        }
    }
}

/// Calls everything that takes a state, or what a seat sees of it.
fn use_state<G: Game>(game: &G, state: &G::State, rng: &mut Rng) {
    let (mut actions, mut outcomes, mut values) = (Vec::new(), Vec::new(), ByPlayer::new());
    game.legal_actions(state, &mut actions);
    game.chance_outcomes(state, &mut outcomes);
    assert_eq!(actions.len(), game.num_legal(state));
    let open = (!actions.is_empty(), !outcomes.is_empty());
    assert_eq!(open, (game.turn(state).player().is_some(), game.turn(state) == Turn::Chance), "nothing can follow");
    let _ = (game.scores(state), game.score_sheet(state), game.ranking(state), game.state_to_json(state), game.key(state));
    game.judge_all(state, &mut values);
    assert!(values.iter().all(|value| value.is_finite()));
    if let Turn::Player(player) = game.turn(state) {
        game.look(state, player, &actions, &mut G::Cache::default(), &mut Vec::new());
    }
    for player in Player::all(game.num_players()) {
        use_observation(game, &game.observation(state, player), rng);
    }
}

fn use_observation<G: Game>(game: &G, observation: &G::Observation, rng: &mut Rng) -> G::State {
    let mut sparse = Sparse::default();
    game.features(observation, &mut sparse);
    let layout = game.observation_layout();
    assert!(sparse.0.iter().all(|&(index, _)| (index as usize) < layout.size()));
    game.draw(observation, &DrawRequest::default(), &mut Canvas::new());
    game.observation_to_json(observation);
    game.sample_world(observation, rng)
}

/// Plays on at random from what was accepted.
fn play_on<G: Game>(game: &G, mut state: G::State, rng: &mut Rng) {
    use_state(game, &state, rng);
    for number in 0..STEPS {
        let Some(step) = random_step(game, &state, rng) else { break };
        game.apply(&mut state, step);
        if number % 40 == 39 {
            use_state(game, &state, rng);
        }
    }
    use_state(game, &state, rng);
}

/// How many of `count` damaged states, and as many observations, were accepted.
fn accepted<G: Game>(count: usize, seed: u64) -> [usize; 2] {
    let games = states::<G>(2);
    let mut rng = Rng::stream(seed, "damage", 0);
    let mut accepted = [0; 2];
    for _ in 0..count {
        let (game, states) = &games[rng.below(games.len() as u32) as usize];
        let state = &states[rng.below(states.len() as u32) as usize];
        let mut bytes = Vec::new();
        game.write_bytes(state, &mut bytes);
        damage(&mut bytes, &mut rng);
        let mut reader = ByteReader::new(&bytes);
        if let Ok(state) = game.read_bytes(&mut reader)
            && reader.finish().is_ok()
        {
            accepted[0] += 1;
            play_on(game, state, &mut rng);
        }
        let viewer = Player(rng.below(game.num_players() as u32) as u8);
        bytes.clear();
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

macro_rules! bytes_of_games {
    ($(($variant:ident, $module:ident)),* $(,)?) => {$(
        mod $module {
            use forbidden_games::$module::Game;

            #[test]
            fn damaged_bytes_are_refused_or_can_be_used() {
                let accepted = super::accepted::<Game>(400, 1);
                assert!(accepted.iter().all(|&accepted| accepted > 0), "{accepted:?} accepted: too few to tell anything");
            }

            #[test]
            #[ignore = "soak: 100,000 strings"]
            fn soak_damaged_bytes_are_refused_or_can_be_used() {
                let accepted = super::accepted::<Game>(50_000, 1000);
                println!("{}: {accepted:?} accepted of 50000 states and 50000 observations", stringify!($module));
            }
        }
    )*};
}
for_each_game!(bytes_of_games);
