//! Random games on every kind of board under the conformance battery, and what the engine does faster than the contract's default.

use forbidden_games_core::contract::{Data, Features, Judgement, Knowledge, Notation, Rules, Setup};
use std::sync::Arc;

use forbidden_games_core::rng::Rng;
use forbidden_games_core::testing::hostile::check_entrances;
use forbidden_games_core::testing::{Policy, Settings, check_game};

use super::*;

/// Every number of players with every option on both boards.
pub(super) fn all_games() -> Vec<Game> {
    let mut games = Vec::new();
    for players in 2..=4 {
        for board in ["bird", "lion"] {
            for absorb in ["never", "outnumbered"] {
                for villages in ["square", "group"] {
                    let options = json!({"board": board, "absorb_major": absorb, "villages": villages});
                    games.push(game(players, options, None).unwrap());
                }
            }
        }
    }
    games
}

/// A random board that is accepted, up to 26 x 26, with random tiles and pagodas.
fn random_board(rng: &mut Rng) -> Value {
    loop {
        let mut side = |max: u32| 3 + rng.below(max - 2) as usize;
        let large = side(26) > 14;
        let (rows, columns) = if large { (side(26), side(26)) } else { (side(9), side(9)) };
        let [villages, water, starts] = [1 + rng.below(20), rng.below(25), 1 + rng.below(8)];
        let grid: Vec<String> = (0..rows)
            .map(|_| {
                (0..columns)
                    .map(|_| match rng.below(100) {
                        roll if roll < starts => ['b', 'r', 'y'][rng.below(3) as usize],
                        roll if roll < starts + villages => '#',
                        roll if roll < starts + villages + water => '~',
                        _ => '.',
                    })
                    .collect()
            })
            .collect();
        let mut board = json!({"name": "test", "grid": grid});
        if rng.below(2) == 0 {
            let tiles: serde_json::Map<String, Value> = Kind::all()
                .map(|kind| {
                    let most = [4, 13, 100][rng.below(3) as usize];
                    (kind.name().to_owned(), rng.below(most).into())
                })
                .collect();
            board["tiles"] = tiles.into();
        }
        if rng.below(2) == 0 {
            board["pagodas"] = json!([0, 0, 0].map(|_: i32| 1 + rng.below(99)));
        }
        if game(2, json!({}), Some(board.clone())).is_ok() {
            return board;
        }
    }
}

pub(super) fn random_board_game(seed: u64) -> Game {
    let mut rng = Rng::stream(seed, "board", 0);
    let players = 2 + rng.below(3) as usize;
    let absorb = ["never", "outnumbered"][rng.below(2) as usize];
    let villages = ["square", "group"][rng.below(2) as usize];
    let options = json!({"absorb_major": absorb, "villages": villages});
    game(players, options, Some(random_board(&mut rng))).unwrap()
}

#[test]
fn battery_on_built_in_boards() {
    for (number, game) in (0..).zip(all_games()) {
        let settings = Settings { stride: 25, worlds: 1, prefixes: 2, ..Settings::default() };
        check_game(&Arc::new(game), number..=number, &settings).unwrap_or_else(|failure| panic!("{failure}"));
    }
}

#[test]
fn battery_with_every_policy() {
    let game = Arc::new(game(3, json!({"board": "lion"}), None).unwrap());
    for (seed, policy) in [(1, Policy::Greedy), (2, Policy::RarePhase), (3, Policy::Random)] {
        let stride = if policy == Policy::Random { 1 } else { 12 };
        let settings = Settings { stride, worlds: 2, prefixes: 3, policy };
        check_game(&game, seed..=seed, &settings).unwrap_or_else(|failure| panic!("{failure}"));
    }
}

#[test]
fn battery_on_random_boards() {
    for seed in 0..12 {
        let game = Arc::new(random_board_game(seed));
        let settings = Settings { stride: 11, worlds: 1, prefixes: 2, ..Settings::default() };
        check_game(&game, seed..=seed, &settings).unwrap_or_else(|failure| panic!("{failure}"));
    }
}

/// A sampled world of a game that ended by passes may hold tiles that could have been laid: QN-8.3 infers nothing.
#[test]
fn battery_on_a_board_that_ends_by_passes() {
    let game = Arc::new(random_board_game(329));
    let settings = Settings { stride: 20, worlds: 1, prefixes: 1, ..Settings::default() };
    check_game(&game, 329..330, &settings).unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn damaged_input_is_refused() {
    let game = Arc::new(game(2, json!({}), None).unwrap());
    check_entrances(&game, 5, 300).unwrap_or_else(|failure| panic!("{failure}"));
    let game = Arc::new(random_board_game(3));
    check_entrances(&game, 6, 100).unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
#[ignore = "hundreds of games on large boards"]
fn soak_battery_on_random_boards() {
    for seed in 100..400 {
        let game = Arc::new(random_board_game(seed));
        let settings = Settings { stride: 20, worlds: 1, prefixes: 1, ..Settings::default() };
        let report = check_game(&game, seed..=seed, &settings).unwrap_or_else(|failure| panic!("{failure}"));
        println!("seed {seed}: {report}");
    }
}

#[test]
fn samples_are_those_of_the_list() {
    for (seed, game) in (0..).zip(all_games().into_iter().chain((0..10).map(random_board_game))) {
        let mut state = game.new_state();
        let mut rng = Rng::stream(seed, "samples", 0);
        let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
        while !game.is_terminal(&state) {
            let mut copy = rng.clone();
            if game.turn(&state) == Turn::Chance {
                outcomes.clear();
                game.chance_outcomes(&state, &mut outcomes);
                let mut drawn = copy.below(outcomes.iter().map(|outcome| outcome.1).sum());
                let listed = outcomes.iter().find(|&&(_, weight)| {
                    let found = drawn < weight;
                    drawn = drawn.wrapping_sub(weight);
                    found
                });
                let sampled = game.sample_outcome(&state, &mut rng, &mut Vec::new());
                assert_eq!(Some(sampled), listed.map(|outcome| outcome.0));
                game.apply(&mut state, Step::Outcome(sampled));
            } else {
                actions.clear();
                game.legal_actions(&state, &mut actions);
                let listed = actions[copy.below(actions.len() as u32) as usize];
                let sampled = game.sample_action(&state, &mut rng, &mut Vec::new());
                assert_eq!(sampled, listed);
                game.apply(&mut state, Step::Action(sampled));
            }
            assert_eq!(rng.next_u64(), copy.next_u64(), "as many draws");
        }
    }
}

#[test]
fn labels_do_not_tell_states_apart() {
    // Two provinces founded in either order by the same seat's tiles lead to one state.
    let play = |moves: &str| Script::with(2, json!({}), board("r..r../....../......"), moves);
    let one = play("rb:a2a3 by:b3c3 rb:d2d3 by:e3f3");
    let other = play("rb:d2d3 by:e3f3 rb:a2a3 by:b3c3");
    assert_eq!(one.shown, other.shown);
    assert_eq!(one.game.key(&one.shown), one.game.key(&other.shown));
    let hash = |state: &State| {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        state.hash(&mut hasher);
        hasher.finish()
    };
    assert_eq!(hash(&one.shown), hash(&other.shown));
}

#[test]
fn a_state_of_a_common_board_is_small() {
    assert!(size_of::<State>() <= 1024, "{}", size_of::<State>());
}

#[test]
fn lengths_qn_7_5() {
    for (board, plies) in [("bird", [143, 214, 285]), ("lion", [137, 205, 273])] {
        for (players, plies) in (2..).zip(plies) {
            let game = game(players, json!({"board": board}), None).unwrap();
            assert_eq!((game.max_plies(), game.max_chance_nodes()), (plies, 72));
            assert_eq!((game.num_actions(), game.num_outcomes()), (2809, 6));
        }
    }
    let grid: Vec<String> = (0..26).map(|row| if row == 0 { "r".to_owned() + &".".repeat(25) } else { ".".repeat(26) }).collect();
    let game = game(2, json!({}), Some(json!({"name": "test", "grid": grid}))).unwrap();
    assert_eq!(game.num_actions(), 11_701);
    for id in 0..game.num_actions() as u32 {
        let action = game.action_from_id(id).unwrap();
        assert_eq!(game.action_id(action), id);
        assert_eq!(game.parse_action(&game.format_action(action)), Ok(action));
    }
    assert_eq!(game.action_from_id(11_701), None);
}

/// Time that this thread had on a processor, where the system tells it: a measurement on a busy machine then means something.
fn processor_seconds() -> f64 {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    let wall = || START.get_or_init(std::time::Instant::now).elapsed().as_secs_f64();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split_whitespace().next().and_then(|first| first.parse::<u64>().ok()).map_or_else(wall, |nanos| nanos as f64 / 1e9)
}

#[test]
#[ignore = "a measurement: run with --release --nocapture"]
fn time_rollouts() {
    for (name, game) in
        [("bird 2", game(2, json!({}), None).unwrap()), ("lion 4", game(4, json!({"board": "lion"}), None).unwrap())]
    {
        let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
        let start = processor_seconds();
        let mut plies = 0_u64;
        let mut rng = Rng::stream(1, "time", 0);
        let mut middle = game.new_state();
        for _ in 0..20_000 {
            let mut state = game.new_state();
            loop {
                match game.turn(&state) {
                    Turn::Over => break,
                    Turn::Chance => {
                        let outcome = game.sample_outcome(&state, &mut rng, &mut outcomes);
                        game.apply(&mut state, Step::Outcome(outcome));
                    }
                    Turn::Player(_) => {
                        if game.ply(&state) == 20 {
                            middle.clone_from(&state);
                        }
                        let action = game.sample_action(&state, &mut rng, &mut actions);
                        game.apply(&mut state, Step::Action(action));
                        plies += 1;
                    }
                }
            }
        }
        let seconds = processor_seconds() - start;
        println!("{name}: {:.2} M plies/s, {} bytes", plies as f64 / seconds / 1e6, size_of::<State>());
        let time = |label: &str, count: u32, work: &mut dyn FnMut()| {
            let start = processor_seconds();
            (0..count).for_each(|_| work());
            println!("  {label}: {:.3} us", (processor_seconds() - start) * 1e6 / f64::from(count));
        };
        time("clone", 1_000_000, &mut || drop(std::hint::black_box(middle.clone())));
        let observation = game.observation(&middle, forbidden_games_core::player::Player(0));
        time("sample_world", 300_000, &mut || drop(std::hint::black_box(game.sample_world(&observation, &mut rng))));
        time("legal_actions", 300_000, &mut || {
            actions.clear();
            game.legal_actions(std::hint::black_box(&middle), &mut actions);
        });
        let mut out = vec![0.0; game.observation_layout().size()];
        time("encode", 100_000, &mut || {
            out.fill(0.0);
            game.encode(std::hint::black_box(&observation), &mut out);
        });
        let mut values = forbidden_games_core::player::ByPlayer::new();
        time("judge_all", 100_000, &mut || game.judge_all(std::hint::black_box(&middle), &mut values));
        let mut bytes = Vec::new();
        time("write_bytes", 300_000, &mut || {
            bytes.clear();
            game.write_bytes(std::hint::black_box(&middle), &mut bytes);
        });
        time("read_bytes", 300_000, &mut || {
            let read = game.read_bytes(&mut forbidden_games_core::bytes::ByteReader::new(std::hint::black_box(&bytes)));
            drop(std::hint::black_box(read));
        });
        println!("  {} bytes", bytes.len());
        time("key", 300_000, &mut || {
            std::hint::black_box(game.key(std::hint::black_box(&middle)));
        });
    }
}
