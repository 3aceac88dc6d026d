//! `cargo run --profile bench -p forbidden-games-benches` (first thing of `make bench`): one table of what the speed targets are
//! about, one thread, default options, built-in components. Each figure is the best of many short runs: a shared machine only ever adds time.

#![forbid(unsafe_code)]

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use forbidden_games::for_each_game;
use forbidden_games_benches::{finished, game, positions};
use forbidden_games_core::batch::{Scratch, play_out};
use forbidden_games_core::contract::Game;
use forbidden_games_core::event::NoEvents;
use forbidden_games_core::information::InformationState;
use forbidden_games_core::interrupt::Interrupt;
use forbidden_games_core::match_play::Match;
use forbidden_games_core::rng::Rng;
use forbidden_games_core::search::{AgentSpec, Batch, Evaluation, Evaluator, search};

const RUNS: usize = 80;
const SEARCHES: u64 = 5;
const RUN: Duration = Duration::from_millis(5);

/// Seconds for one call of `work`, which is called in turn with 0, 1, 2, ...
fn seconds(mut work: impl FnMut(usize)) -> f64 {
    (0..RUNS)
        .map(|_| {
            let began = Instant::now();
            let mut calls = 0;
            while calls % 64 != 0 || began.elapsed() < RUN {
                work(calls);
                calls += 1;
            }
            began.elapsed().as_secs_f64() / calls as f64
        })
        .fold(f64::INFINITY, f64::min)
}

fn nanoseconds(work: impl FnMut(usize)) -> f64 {
    seconds(work) * 1e9
}

fn measure<G: Game>() {
    let game = game::<G>(None);
    let states = positions(&game);
    let at = |index: usize| &states[index % states.len()];
    let observations: Vec<_> =
        states.iter().filter_map(|state| Some(game.observation(state, game.turn(state).player()?))).collect();
    let seen = |index: usize| &observations[index % observations.len()];

    // Plies and seconds are counted together, over the same games in every run: games differ in length and cost.
    let mut scratch = Scratch::default();
    let mut best_rollout = f64::INFINITY;
    for _ in 0..RUNS {
        let (began, mut plies, mut index) = (Instant::now(), 0_u64, 0);
        while began.elapsed() < RUN {
            let mut rng = Rng::stream(0, "rollout", index);
            plies += u64::from(play_out(&*game, &mut game.new_state(), &mut rng, &mut scratch));
            index += 1;
        }
        best_rollout = best_rollout.min(began.elapsed().as_secs_f64() / plies as f64);
    }
    let mut best_match = f64::INFINITY;
    for _ in 0..RUNS {
        let (began, mut plies, mut seed) = (Instant::now(), 0_u64, 0);
        let mut rng = Rng::stream(0, "bench", 0);
        while began.elapsed() < RUN {
            let mut played = Match::new(game.clone(), seed);
            while !played.is_terminal() {
                let legal = played.list_legal_ids();
                let id = legal[rng.below(legal.len() as u32) as usize];
                let action = game.action_from_id(id).expect("a listed id");
                if let Err(error) = played.play(action) {
                    panic!("{error}");
                }
                plies += 1;
            }
            seed += 1;
        }
        best_match = best_match.min(began.elapsed().as_secs_f64() / plies as f64);
    }

    let mut actions = Vec::new();
    let legal = nanoseconds(|index| {
        actions.clear();
        game.legal_actions(at(index), &mut actions);
        black_box(actions.len());
    });
    let mut listed = Vec::new();
    let legal_of_each: Vec<_> = states
        .iter()
        .map(|state| {
            listed.clear();
            game.legal_actions(state, &mut listed);
            listed[listed.len() / 2]
        })
        .collect();
    let check = nanoseconds(|index| drop(black_box(game.check_action(at(index), legal_of_each[index % states.len()]))));
    let clone = nanoseconds(|index| drop(black_box(at(index).clone())));
    let mut rng = Rng::stream(0, "bench", 1);
    let chosen: Vec<_> = states.iter().map(|state| game.sample_action(state, &mut rng, &mut Vec::new())).collect();
    let clone_and_apply = nanoseconds(|index| {
        let mut child = at(index).clone();
        game.apply_action(&mut child, chosen[index % chosen.len()], &mut NoEvents);
        black_box(&child);
    });
    let mut tensor = vec![0.0_f32; game.observation_layout().size()];
    let zero = nanoseconds(|_| black_box(&mut tensor).fill(0.0));
    let encode = nanoseconds(|index| {
        tensor.fill(0.0);
        game.encode(seen(index), black_box(&mut tensor));
    });
    let world = nanoseconds(|index| drop(black_box(game.sample_world(seen(index), &mut rng))));
    let observation = nanoseconds(|index| {
        let state = at(index);
        if let Some(player) = game.turn(state).player() {
            drop(black_box(game.observation(state, player)));
        }
    });
    println!(
        "{:<15} {:>6} {:>7.0} {:>9.2} {:>9.2} {:>7.0} {:>7.0} {:>7.0} {:>7.0} {:>7.0} {:>7.0} {:>7.0} {:>8}",
        G::INFO.name,
        size_of::<G::State>(),
        clone,
        1e-6 / best_rollout,
        1e-6 / best_match,
        legal,
        check,
        (clone_and_apply - clone).max(0.0),
        observation,
        encode,
        zero,
        world,
        tensor.len() * size_of::<f32>(),
    );
}

/// Simulations of a search by random games, and what a leaf costs an evaluator's search beyond encoding and the evaluator.
fn measure_search<G: Game>() {
    let game = game::<G>(Some(2));
    let info = median(&game);
    let searcher = if G::INFO.hidden_information { "ismcts" } else { "mcts" };
    let per_second = |text: String, mut evaluator: Option<&mut dyn Evaluator>| {
        let spec: AgentSpec = text.parse().expect("a spec");
        let mut best = 0.0_f64;
        for seed in 0..SEARCHES {
            let evaluator = evaluator.as_mut().map(|evaluator| &mut **evaluator as &mut dyn Evaluator);
            let report = search(&spec, &info, seed, evaluator, &Interrupt::new()).expect("a report");
            best = best.max(report.simulations as f64 / report.elapsed.as_secs_f64());
        }
        best
    };
    let random = per_second(format!("{searcher}:simulations=2000,selection=uct,prior=uniform,rollout=random,cutoff=none"), None);
    let recommended = per_second(format!("{searcher}:simulations=2000"), None);
    let (mut rows, mut inside) = (0, Duration::ZERO);
    let mut constant = |batch: &mut Batch| {
        let began = Instant::now();
        rows += batch.len;
        let priors = vec![1.0; batch.len * batch.num_actions];
        let answer = Evaluation { priors, values: vec![0.0; batch.len * batch.num_players] };
        inside += began.elapsed();
        Ok(answer)
    };
    let mut observation = vec![0.0_f32; game.observation_layout().size()];
    let encode = nanoseconds(|_| {
        observation.fill(0.0);
        game.encode(&info.observation, black_box(&mut observation));
    });
    let began = Instant::now();
    per_second(format!("{searcher}:simulations=8192,leaf_batch=256"), Some(&mut constant));
    let all = began.elapsed();
    let leaf = all.checked_sub(inside).expect("a part of it").as_secs_f64() * 1e9 / rows as f64 - encode;
    println!("{:<15} {:>16.1} {:>16.1} {:>16.0} {:>16.0}", G::INFO.name, random / 1e3, recommended / 1e3, leaf, encode);
}

/// What the seat to move knows half way through a random game of two seats.
fn median<G: Game>(game: &Arc<G>) -> InformationState<G> {
    let mut played = finished(game, 0);
    // Where there is something to choose; half way there may be nothing.
    for _ in 0..played.ply() / 2 {
        played.undo(None);
    }
    while played.game().num_legal(played.state()) < 2 {
        played.undo(None);
    }
    played.information_state(played.turn().player().expect("a decision"))
}

macro_rules! measure_each {
    ($(($variant:ident, $module:ident)),* $(,)?) => {
        fn all() {
            $(measure::<forbidden_games::$module::Game>();)*
        }

        fn all_searches() {
            $(measure_search::<forbidden_games::$module::Game>();)*
        }
    };
}
for_each_game!(measure_each);

fn main() {
    println!(
        "{:<15} {:>6} {:>7} {:>9} {:>9} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>8}",
        "game", "state", "clone", "rollout", "match", "legal", "check", "apply", "observe", "encode", "zero", "world", "tensor"
    );
    println!(
        "{:<15} {:>6} {:>7} {:>9} {:>9} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>8}",
        "", "bytes", "ns", "M plies/s", "M plies/s", "ns", "ns", "ns", "ns", "ns", "ns", "ns", "bytes"
    );
    all();
    println!(
        "\n{:<15} {:>16} {:>16} {:>16} {:>16}\n{:<15} {:>16} {:>16} {:>16} {:>16}",
        "search, half way",
        "random games",
        "recommended",
        "leaf of 256",
        "encode",
        "",
        "k simulations/s",
        "k simulations/s",
        "ns",
        "ns"
    );
    all_searches();
}
