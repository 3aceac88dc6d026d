use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI8, AtomicI32, AtomicU8, AtomicU32, AtomicU64};

use super::*;
use crate::contract::{Features, Knowledge, Rules};
use crate::player::Turn;
use crate::search::AgentSpec;
use crate::start::Start;
use crate::testing::pebbles::{Pebbles, pebbles};

/// Memory for all arrays.
struct Memory {
    observations: Vec<AtomicU32>,
    final_observations: Vec<AtomicU32>,
    mask: Vec<AtomicU8>,
    players: Vec<AtomicI8>,
    final_players: Vec<AtomicI8>,
    ply: Vec<AtomicU32>,
    rewards: Vec<AtomicU32>,
    scores: Vec<AtomicI32>,
    flags: [Vec<AtomicU8>; 2],
    counts: [Vec<AtomicU64>; 2],
}

fn zeros<T: Default>(length: usize) -> Vec<T> {
    std::iter::repeat_with(T::default).take(length).collect()
}

impl Memory {
    fn new(game: &Pebbles, rows: usize) -> Self {
        let size = game.observation_layout().size();
        Self {
            // Not zeros: what a batch is shown in may hold anything.
            observations: std::iter::repeat_with(|| AtomicU32::new(7)).take(rows * size).collect(),
            final_observations: zeros(rows * size),
            mask: std::iter::repeat_with(|| AtomicU8::new(1)).take(rows * game.num_actions()).collect(),
            players: zeros(rows),
            final_players: zeros(rows),
            ply: zeros(rows),
            rewards: zeros(rows * game.num_players()),
            scores: zeros(rows * game.num_players()),
            flags: [zeros(rows), zeros(rows)],
            counts: [zeros(rows), zeros(rows)],
        }
    }

    fn arrays(&self) -> Arrays<'_> {
        Arrays {
            observations: Some(Observations::Float32(&self.observations)),
            final_observations: Some(Observations::Float32(&self.final_observations)),
            action_mask: Some(&self.mask),
            players: &self.players,
            final_players: &self.final_players,
            ply: &self.ply,
            rewards: &self.rewards,
            scores: &self.scores,
            terminated: &self.flags[0],
            truncated: &self.flags[1],
            seeds: &self.counts[0],
            episodes: &self.counts[1],
        }
    }

    fn observation(&self, row: usize, size: usize) -> Vec<f32> {
        self.observations[row * size..(row + 1) * size].iter().map(|bits| f32::from_bits(bits.load(Relaxed))).collect()
    }

    /// Everything as plain numbers.
    fn all(&self) -> Vec<i64> {
        let bits = |values: &[AtomicU32]| values.iter().map(|value| i64::from(value.load(Relaxed))).collect::<Vec<_>>();
        let bytes = |values: &[AtomicU8]| values.iter().map(|value| i64::from(value.load(Relaxed))).collect::<Vec<_>>();
        let seats = |values: &[AtomicI8]| values.iter().map(|value| i64::from(value.load(Relaxed))).collect::<Vec<_>>();
        [
            bits(&self.observations),
            bits(&self.final_observations),
            bytes(&self.mask),
            seats(&self.players),
            seats(&self.final_players),
            bits(&self.ply),
            bits(&self.rewards),
            self.scores.iter().map(|value| i64::from(value.load(Relaxed))).collect(),
            bytes(&self.flags[0]),
            bytes(&self.flags[1]),
            self.counts.iter().flatten().map(|value| value.load(Relaxed) as i64).collect(),
        ]
        .concat()
    }
}

fn config(autoreset: Autoreset) -> Config {
    Config { autoreset, ..Config::default() }
}

/// Every row is what a match under the seed of its game is.
fn compare(games: &mut Vector<Pebbles>, memory: &Memory, seed: u64) {
    let game = Arc::clone(games.game());
    let size = game.observation_layout().size();
    for row in 0..games.len() {
        let episode = memory.counts[1][row].load(Relaxed);
        assert_eq!(memory.counts[0][row].load(Relaxed), episode_seed(seed, row, episode));
        let mut again = Match::new(Arc::clone(&game), episode_seed(seed, row, episode));
        for step in games.row(row).history().to_vec() {
            if let crate::contract::Step::Action(action) = step {
                again.play(action).unwrap();
            }
        }
        assert_eq!(again.state(), games.row(row).state());
        let mut expected = vec![0.0; size];
        let mut player = -1;
        if let Turn::Player(to_move) = again.turn() {
            game.encode(&game.observation(again.state(), to_move), &mut expected);
            player = to_move.0 as i8;
        }
        assert_eq!(memory.players[row].load(Relaxed), player);
        assert_eq!(memory.observation(row, size), expected, "row {row}");
        let ids: Vec<u32> = again.legal_actions().iter().map(|&action| game.action_id(action)).collect();
        assert_eq!(games.legal_ids(row), ids);
        let actions = game.num_actions();
        let masked = (0..actions as u32).filter(|&id| memory.mask[row * actions + id as usize].load(Relaxed) == 1);
        assert_eq!(masked.collect::<Vec<_>>(), ids);
    }
}

#[test]
fn rows_are_matches_under_the_seeds_of_their_games() {
    for autoreset in [Autoreset::SameStep, Autoreset::NextStep] {
        let game = Arc::new(pebbles(3));
        let memory = Memory::new(&game, 5);
        let mut games = Vector::new(game, 5, 3, config(autoreset)).unwrap();
        games.show(&memory.arrays(), &Interrupt::new()).unwrap();
        compare(&mut games, &memory, 3);
        let mut ended = 0;
        for step in 0..200 {
            let mut actions = vec![0; 5];
            games.sample(step, &mut actions);
            games.step(&actions, Some(&memory.arrays()), &Interrupt::new()).unwrap();
            compare(&mut games, &memory, 3);
            ended += memory.flags[0].iter().filter(|flag| flag.load(Relaxed) == 1).count();
        }
        assert!(ended >= 10, "{ended} games ended");
    }
}

#[test]
fn threads_change_nothing() {
    let game = Arc::new(pebbles(2));
    let run = |threads| {
        let memory = Memory::new(&game, 64);
        let config = Config { threads, agents: vec![None, Some("greedy".parse().unwrap())], ..Config::default() };
        let mut games = Vector::new(Arc::clone(&game), 64, 5, config).unwrap();
        games.show(&memory.arrays(), &Interrupt::new()).unwrap();
        for step in 0..30 {
            let mut actions = vec![0; 64];
            games.sample(step, &mut actions);
            games.step(&actions, Some(&memory.arrays()), &Interrupt::new()).unwrap();
        }
        memory.all()
    };
    assert_eq!(run(1), run(4));
}

#[test]
fn an_illegal_action_changes_no_row() {
    let game = Arc::new(pebbles(2));
    let memory = Memory::new(&game, 4);
    let mut games = Vector::new(Arc::clone(&game), 4, 1, Config::default()).unwrap();
    games.show(&memory.arrays(), &Interrupt::new()).unwrap();
    let before = memory.all();
    let illegal = (0..game.num_actions() as u32).find(|id| !games.legal_ids(2).contains(id)).unwrap();
    for bad in [i64::from(illegal), -1, 1 << 40] {
        let mut actions = vec![0; 4];
        games.sample(1, &mut actions);
        actions[2] = bad;
        let error = games.step(&actions, Some(&memory.arrays()), &Interrupt::new()).unwrap_err().to_string();
        assert!(error.starts_with("row 2: "), "{error}");
        assert_eq!(memory.all(), before);
    }
    compare(&mut games, &memory, 1);
}

#[test]
fn an_illegal_action_can_lose_the_game() {
    let game = Arc::new(pebbles(3));
    let memory = Memory::new(&game, 1);
    let config = Config { on_illegal: OnIllegal::Lose, autoreset: Autoreset::Disabled, ..Config::default() };
    let mut games = Vector::new(Arc::clone(&game), 1, 1, config).unwrap();
    games.show(&memory.arrays(), &Interrupt::new()).unwrap();
    games.step(&[-5], Some(&memory.arrays()), &Interrupt::new()).unwrap();
    let rewards: Vec<f32> = memory.rewards.iter().map(|bits| f32::from_bits(bits.load(Relaxed))).collect();
    assert_eq!(rewards, [-1.0, 0.0, 0.0]);
    assert_eq!((memory.flags[0][0].load(Relaxed), memory.players[0].load(Relaxed)), (1, -1));
    assert!(memory.observations.iter().all(|bits| bits.load(Relaxed) == 0));
    assert!(memory.mask.iter().all(|flag| flag.load(Relaxed) == 0));
    // It waits, and takes -1 alone.
    assert!(games.step(&[0], Some(&memory.arrays()), &Interrupt::new()).is_err());
    games.step(&[-1], Some(&memory.arrays()), &Interrupt::new()).unwrap();
    assert_eq!(memory.flags[0][0].load(Relaxed), 1);
    assert!(memory.rewards.iter().all(|bits| bits.load(Relaxed) == 0));
    let again = Reset { mask: Some(&[true]), ..Reset::default() };
    games.reset(&again, Some(&memory.arrays()), &Interrupt::new()).unwrap();
    assert_eq!((memory.flags[0][0].load(Relaxed), memory.counts[1][0].load(Relaxed)), (0, 1));
    compare(&mut games, &memory, 1);
}

#[test]
fn games_are_cut_off() {
    let game = Arc::new(pebbles(2));
    let memory = Memory::new(&game, 2);
    let config = Config { max_plies: Some(3), ..Config::default() };
    let mut games = Vector::new(Arc::clone(&game), 2, 1, config).unwrap();
    games.show(&memory.arrays(), &Interrupt::new()).unwrap();
    for step in 1..=6 {
        let mut actions = vec![0; 2];
        games.sample(step, &mut actions);
        let movers: Vec<i8> = memory.players.iter().map(|player| player.load(Relaxed)).collect();
        games.step(&actions, Some(&memory.arrays()), &Interrupt::new()).unwrap();
        let cut = u8::from(step % 3 == 0);
        assert_eq!((memory.flags[1][0].load(Relaxed), memory.flags[0][0].load(Relaxed)), (cut, 0));
        assert_eq!(memory.final_players[0].load(Relaxed), if cut == 1 { movers[0] } else { -1 });
        assert_eq!(memory.final_observations.iter().any(|bits| bits.load(Relaxed) != 0), cut == 1);
    }
    assert_eq!(memory.counts[1][0].load(Relaxed), 2);
}

#[test]
fn agents_play_as_they_do_in_a_match() {
    let game = Arc::new(pebbles(3));
    let agents: Vec<Option<AgentSpec>> =
        vec![Some("random".parse().unwrap()), None, Some("ismcts:simulations=30".parse().unwrap())];
    let config = Config { agents: agents.clone(), autoreset: Autoreset::Disabled, ..Config::default() };
    let memory = Memory::new(&game, 1);
    let mut games = Vector::new(Arc::clone(&game), 1, 9, config).unwrap();
    games.show(&memory.arrays(), &Interrupt::new()).unwrap();
    while memory.players[0].load(Relaxed) >= 0 {
        assert_eq!(memory.players[0].load(Relaxed), 1, "rows stop only where the caller decides");
        let first = i64::from(games.legal_ids(0)[0]);
        games.step(&[first], Some(&memory.arrays()), &Interrupt::new()).unwrap();
    }
    let mut played = Match::new(Arc::clone(&game), episode_seed(9, 0, 0));
    while let Turn::Player(player) = played.turn() {
        let action = match &agents[player.index()] {
            None => played.legal_actions()[0],
            Some(spec) => {
                let seed = crate::arena::agent_seed(played.seed(), player, played.ply());
                crate::arena::Agent::act(&mut spec.clone(), &played.information_state(player), seed, &Interrupt::new()).unwrap()
            }
        };
        played.play(action).unwrap();
    }
    assert_eq!(games.row(0).history(), played.history());
    let returns: Vec<f32> = memory.rewards.iter().map(|bits| f32::from_bits(bits.load(Relaxed))).collect();
    assert_eq!(returns, game.returns(played.state()).to_vec());
}

#[test]
fn lists_are_what_the_arrays_hold() {
    let game = Arc::new(pebbles(2));
    let memory = Memory::new(&game, 3);
    let mut games = Vector::new(Arc::clone(&game), 3, 2, Config::default()).unwrap();
    games.show(&memory.arrays(), &Interrupt::new()).unwrap();
    let size = game.observation_layout().size();
    let lists = games.sparse(true);
    for row in 0..3 {
        let (from, to) = (lists.offsets[row] as usize, lists.offsets[row + 1] as usize);
        let mut dense = vec![0.0; size];
        for at in from..to {
            let index = lists.indices[at] as usize;
            dense[index] = game.observation_layout().to_f32(index, lists.values[at] as u16);
        }
        assert!(lists.indices[from..to].is_sorted_by(|one, next| one < next));
        assert_eq!(dense, memory.observation(row, size));
        let (from, to) = (lists.legal_offsets[row] as usize, lists.legal_offsets[row + 1] as usize);
        assert_eq!(&lists.legal_ids[from..to], games.legal_ids(row));
    }
}

#[test]
fn a_copy_goes_its_own_way_and_starts_are_taken() {
    let game = Arc::new(pebbles(2));
    let mut games = Vector::new(Arc::clone(&game), 2, 2, Config::default()).unwrap();
    let mut copy = games.clone();
    let mut actions = vec![0; 2];
    games.sample(4, &mut actions);
    games.step(&actions, None, &Interrupt::new()).unwrap();
    assert_eq!((games.row(0).ply(), copy.row(0).ply()), (1, 0));
    let state = crate::contract::Data::state_to_json(&*game, games.row(1).state());
    let starts = [None, Some(Start::State(state))];
    let from = Reset { seed: Some(8), mask: Some(&[false, true]), starts: Some(&starts) };
    copy.reset(&from, None, &Interrupt::new()).unwrap();
    assert_eq!(copy.row(1).state(), games.row(1).state());
    assert_eq!(copy.row(0).ply(), 0);
    let broken = [None, Some(Start::State(serde_json::json!({})))];
    let error = copy.reset(&Reset { starts: Some(&broken), ..Reset::default() }, None, &Interrupt::new()).unwrap_err().to_string();
    assert!(error.starts_with("row 1: "), "{error}");
}

#[test]
fn what_does_not_fit_is_refused() {
    let game = Arc::new(pebbles(2));
    let make = |config| Vector::new(Arc::clone(&game), 1, 0, config).map(drop).map_err(|error| error.to_string());
    let agent = || Some("random".parse::<AgentSpec>().unwrap());
    assert!(make(Config { agents: vec![None], ..Config::default() }).unwrap_err().contains("one a seat"));
    assert!(make(Config { agents: vec![agent(), agent()], ..Config::default() }).unwrap_err().contains("None"));
    assert!(make(Config { max_plies: Some(0), ..Config::default() }).unwrap_err().contains("at least 1"));
}
