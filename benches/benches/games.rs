//! `cargo bench -p forbidden-games-benches [-- qin/clone]`: the hot operations of every game.

// `criterion_group!` and `criterion_main!` write undocumented items.
#![allow(missing_docs)]

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use forbidden_games::for_each_game;
use forbidden_games_benches::{finished, game, positions};
use forbidden_games_core::batch::{Scratch, play_out};
use forbidden_games_core::contract::Game;
use forbidden_games_core::event::NoEvents;
use forbidden_games_core::match_play::Match;
use forbidden_games_core::rng::Rng;

fn bench<G: Game>(criterion: &mut Criterion) {
    let game = game::<G>(None);
    let states = positions(&game);
    let seats: Vec<_> = states.iter().filter_map(|state| game.turn(state).player()).collect();
    let observations: Vec<_> = states.iter().zip(&seats).map(|(state, &seat)| game.observation(state, seat)).collect();
    let mut group = criterion.benchmark_group(G::INFO.name);
    let mut next = 0;
    let mut turn = |len: usize| {
        next = (next + 1) % len;
        next
    };

    let mut scratch = Scratch::default();
    let mut seed = 0;
    let plies: u64 = (0..64).map(|seed| u64::from(rollout(&*game, seed, &mut scratch))).sum::<u64>() / 64;
    group.throughput(Throughput::Elements(plies));
    group.bench_function("rollout", |bencher| {
        bencher.iter(|| {
            seed = (seed + 1) % 64;
            rollout(&*game, seed, &mut scratch)
        });
    });
    group.throughput(Throughput::Elements(1));
    group.bench_function("legal_actions", |bencher| {
        let mut actions = Vec::new();
        bencher.iter(|| {
            actions.clear();
            game.legal_actions(&states[turn(states.len())], &mut actions);
            actions.len()
        });
    });
    group.bench_function("apply", |bencher| {
        let mut rng = Rng::stream(0, "bench", 0);
        let prepare = || {
            let state = states[turn(states.len())].clone();
            let action = game.sample_action(&state, &mut rng, &mut Vec::new());
            (state, action)
        };
        bencher.iter_batched_ref(
            prepare,
            |(state, action)| game.apply_action(state, *action, &mut NoEvents),
            BatchSize::SmallInput,
        );
    });
    group.bench_function("clone", |bencher| bencher.iter(|| states[turn(states.len())].clone()));
    group.bench_function("observation", |bencher| {
        bencher.iter(|| {
            let index = turn(states.len());
            game.observation(&states[index], seats[index])
        });
    });
    let mut tensor = vec![0.0_f32; game.observation_layout().size()];
    group.bench_function("zero", |bencher| bencher.iter(|| black_box(&mut tensor).fill(0.0)));
    group.bench_function("encode", |bencher| {
        bencher.iter(|| {
            tensor.fill(0.0);
            game.encode(&observations[turn(observations.len())], black_box(&mut tensor));
        });
    });
    group.bench_function("sample_world", |bencher| {
        let mut rng = Rng::stream(0, "bench", 1);
        bencher.iter(|| game.sample_world(&observations[turn(observations.len())], &mut rng));
    });
    group.bench_function("state_to_json", |bencher| bencher.iter(|| game.state_to_json(&states[turn(states.len())])));
    let record = finished(&game, 1).record();
    group.bench_function("load_record", |bencher| bencher.iter(|| Match::from_record(game.clone(), &record).map(|one| one.ply())));
    group.finish();
}

fn rollout<G: Game>(game: &G, seed: u64, scratch: &mut Scratch<G>) -> u32 {
    play_out(game, &mut game.new_state(), &mut Rng::stream(seed, "rollout", 0), scratch)
}

macro_rules! bench_each {
    ($(($variant:ident, $module:ident)),* $(,)?) => {
        fn all(criterion: &mut Criterion) {
            $(bench::<forbidden_games::$module::Game>(criterion);)*
        }
    };
}
for_each_game!(bench_each);
criterion_group!(benches, all);
criterion_main!(benches);
