use std::time::Instant;

use super::*;
use crate::arena::{Agent, play_match};
use crate::contract::{Notation, Rules};
use crate::player::{Player, Turn};

const SPECS: [&str; 8] = [
    "flat:simulations=200",
    "mcts:simulations=300,worlds=3,trees=2,leaf_batch=5",
    "mcts:simulations=200,selection=uct,prior=uniform,widening=1",
    "ismcts:simulations=300",
    "ismcts:simulations=300,trees=3,leaf_batch=16,selection=uct,rollout=greedy,cutoff=4",
    "ismcts:simulations=200,leaf_batch=1,prior=uniform,widening=none",
    "ismcts:simulations=200,cutoff=0,scale=3",
    "greedy",
];

#[test]
fn reports_do_not_depend_on_threads() {
    for players in [2, 4] {
        let game = pebbles(players);
        for (seed, plies) in [(1, 0), (2, 5)] {
            let info = knowledge(&position(&game, seed, plies).unwrap());
            for spec in SPECS.iter().filter(|spec| **spec != "greedy") {
                let one = run(spec, &info, 7);
                for threads in [2, 4] {
                    let spec = spec.parse::<AgentSpec>().unwrap().with([("threads", &*threads.to_string())]).unwrap();
                    let mut other = run(&spec.to_string(), &info, 7);
                    other.agent.clone_from(&one.agent);
                    assert_eq!(one, other, "{spec} for {players} players");
                }
                assert_ne!(one, run(spec, &info, 8), "{spec}: the seed has no effect");
            }
        }
    }
}

#[test]
fn reports_account_for_every_simulation() {
    let game = pebbles(3);
    let info = knowledge(&position(&game, 3, 3).unwrap());
    for spec in SPECS {
        let report = run(spec, &info, 1);
        let ids: Vec<u32> = info.legal_actions.iter().map(|&action| game.action_id(action)).collect();
        assert_eq!(report.actions.iter().map(|action| action.id).collect::<Vec<_>>(), ids, "{spec}");
        assert!((report.actions.iter().map(|action| action.prior).sum::<f64>() - 1.0).abs() < 1e-5, "{spec}");
        assert!(ids.contains(&report.action) && !report.truncated, "{spec}");
        let first = game.action_from_id(report.action).unwrap();
        assert_eq!(report.principal_variation[0], game.format_action(first), "{spec}");
        if spec != "greedy" {
            assert_eq!(report.actions.iter().map(|action| action.visits).sum::<u64>(), report.simulations, "{spec}");
            assert_eq!(report.values.len(), 3);
            assert!(report.values.iter().sum::<f64>().abs() < 1e-9, "{spec}: {:?}", report.values);
            assert!(report.actions.iter().all(|action| action.value.abs() <= 1.0), "{spec}");
        }
        assert_eq!(report.to_json(&*game)["id"], report.action);
    }
}

#[test]
fn what_is_hidden_has_no_effect() {
    let game = pebbles(2);
    for seed in 0..6 {
        let played = position(&game, seed, 2).unwrap();
        let info = knowledge(&played);
        let state = played.state();
        let other = (0..50).map(|index| info.sample_world(&mut Rng::stream(seed, "hidden", index))).find(|world| world != state);
        let other = InformationState::of_state(&game, &other.expect("another world"), info.player());
        for spec in SPECS {
            assert_eq!(run(spec, &info, 3), run(spec, &other, 3), "{spec}");
        }
    }
}

#[test]
fn a_large_budget_agrees_with_exact_values() {
    let game = pebbles(2);
    let mut positions = 0;
    for seed in 0..60 {
        // With an empty pile every seat can work out all hands.
        let known = (4..30).filter_map(|plies| position(&game, seed, plies)).find(|played| played.state().pile == [0; 6]);
        let Some(played) = known else { continue };
        let info = knowledge(&played);
        if info.legal_actions.len() < 2 {
            continue;
        }
        positions += 1;
        let exact = run("expectimax:worlds=1", &info, 0);
        // Priors can be wrong for long; without them the search is sure to find out.
        for spec in [
            "mcts:simulations=20000,worlds=1,selection=uct,prior=uniform,exploration=4",
            "ismcts:simulations=20000,selection=uct,prior=uniform,exploration=4",
            "ismcts:simulations=20000,selection=puct,prior=uniform,exploration=5",
        ] {
            let chosen = run(spec, &info, seed).action;
            let value = exact.actions.iter().find(|action| action.id == chosen).unwrap().value;
            assert!(value > exact.chosen().value - 0.01, "{spec}, seed {seed}: {value} instead of {}", exact.chosen().value);
        }
    }
    assert!(positions >= 20, "only {positions} positions");
}

#[test]
fn better_agents_win_more() {
    let game = pebbles(2);
    let points = |first: &str, second: &str, games: u64| {
        let (mut first, mut second): (AgentSpec, AgentSpec) = (first.parse().unwrap(), second.parse().unwrap());
        let mut sum = 0.0;
        for number in 0..games {
            let is_first = number % 2 == 0;
            let mut agents: [&mut dyn Agent<Pebbles>; 2] = [&mut first, &mut second];
            if !is_first {
                agents.swap(0, 1);
            }
            let played = play_match(&game, &mut agents, number / 2, &Interrupt::new()).unwrap();
            let returns = played.returns().unwrap();
            sum += f64::from(returns[usize::from(!is_first)].to_f32());
        }
        0.5 + sum / games as f64 / 2.0
    };
    assert!(points("greedy", "random", 200) > 0.6);
    assert!(points("flat:simulations=100", "random", 100) > 0.6);
    assert!(points("ismcts:simulations=200", "greedy", 100) > 0.6);
    assert!(points("mcts:simulations=200,worlds=4", "greedy", 100) > 0.6);
}

#[test]
fn a_memory_limit_is_kept_and_reported() {
    let game = pebbles(4);
    let info = knowledge(&position(&game, 5, 0).unwrap());
    for spec in ["ismcts:simulations=30000,memory_mib=1", "mcts:simulations=30000,memory_mib=1,trees=4,worlds=16"] {
        let report = run(spec, &info, 2);
        assert!(report.truncated && report.memory <= 1 << 20, "{spec}: {} bytes", report.memory);
        assert_eq!(report.simulations, 30_000);
    }
}

#[test]
fn time_and_interrupts_end_a_search() {
    let game = pebbles(2);
    let info = knowledge(&position(&game, 5, 0).unwrap());
    for spec in ["ismcts:time_ms=60,memory_mib=8", "mcts:time_ms=60,trees=3,memory_mib=8,leaf_batch=1000"] {
        let start = Instant::now();
        let report = run(spec, &info, 2);
        let elapsed = start.elapsed();
        assert!(report.simulations > 100, "{spec}");
        // Generous: the machine of a test may be busy.
        assert!((50..400).contains(&elapsed.as_millis()), "{spec}: {elapsed:?}");
    }
    let interrupt = Interrupt::new();
    interrupt.set();
    for spec in SPECS.iter().chain(&["expectimax:depth=8", "expectimax:depth=1"]) {
        let result = search(&spec.parse().unwrap(), &info, 1, None, &interrupt);
        assert!(matches!(result, Err(SearchError::Interrupted)), "{spec}: {result:?}");
    }
    // The best of a few: the machine of a test may be busy.
    let stopped_after = || {
        let interrupt = Interrupt::new();
        std::thread::scope(|scope| {
            let spec = "ismcts:simulations=1000000000,memory_mib=8".parse().unwrap();
            let search = scope.spawn({
                let (info, interrupt) = (&info, &interrupt);
                move || search(&spec, info, 1, None, interrupt)
            });
            std::thread::sleep(Duration::from_millis(30));
            interrupt.set();
            let start = Instant::now();
            assert!(matches!(search.join().unwrap(), Err(SearchError::Interrupted)));
            start.elapsed()
        })
    };
    assert!((0..10).any(|_| stopped_after() < Duration::from_millis(100)));
}

#[test]
fn a_session_goes_on_with_its_tree() {
    let game = pebbles(2);
    let spec: AgentSpec = "ismcts:simulations=400,reuse=true".parse().unwrap();
    let mut session = Session::new(spec.clone());
    let mut played = Match::new(Arc::clone(&game), 4);
    let mut kept = 0;
    while let Turn::Player(player) = played.turn() {
        let info = played.information_state(player);
        let action = if player == Player(0) {
            let report = session.search(&info, u64::from(played.ply()), None, &Interrupt::new()).unwrap();
            let visits: u64 = report.actions.iter().map(|action| action.visits).sum();
            assert_eq!(report.simulations, 400);
            kept += u32::from(visits > 400);
            game.action_from_id(report.action).unwrap()
        } else {
            info.legal_actions[0]
        };
        played.play(action).unwrap();
    }
    assert!(kept >= 3, "the tree was kept {kept} times");
    // A new session, and one without reuse, search as if nothing had been.
    let info = knowledge(&position(&game, 4, 0).unwrap());
    let fresh = |spec: &AgentSpec| {
        let mut report = Session::new(spec.clone()).search(&info, 1, None, &Interrupt::new()).unwrap();
        report.elapsed = Duration::ZERO;
        report
    };
    assert_eq!(fresh(&spec), run(&spec.to_string(), &info, 1));
}

/// Where the memory is full, simulations leave the tree sooner; each is still noted at the root, and plays legal actions.
#[test]
fn a_full_memory_ends_the_growth_and_nothing_else() {
    for spec in [
        "ismcts:simulations=9000,memory_mib=1,reuse=true",
        "ismcts:simulations=9000,memory_mib=1,selection=uct",
        "mcts:simulations=9000,memory_mib=1,worlds=3",
    ] {
        let spec: AgentSpec = spec.parse().unwrap();
        let game = pebbles(3);
        let mut session = Session::new(spec.clone());
        let mut played = Match::new(Arc::clone(&game), 4);
        let (mut truncated, mut kept) = (0, 0);
        while let Turn::Player(player) = played.turn() {
            let info = played.information_state(player);
            let action = if player == Player(0) {
                let report = session.search(&info, u64::from(played.ply()), None, &Interrupt::new()).unwrap();
                let visits: u64 = report.actions.iter().map(|action| action.visits).sum();
                assert!(visits >= report.simulations, "{spec}: {visits} of {}", report.simulations);
                assert!(report.memory <= 1 << 20, "{spec}: {}", report.memory);
                truncated += u32::from(report.truncated);
                kept += u32::from(visits > report.simulations);
                game.action_from_id(report.action).unwrap()
            } else {
                info.legal_actions[0]
            };
            played.play(action).unwrap();
        }
        assert!(truncated > 0, "{spec}");
        assert_eq!(kept > 0, spec.to_string().contains("reuse"), "{spec}");
    }
}

#[test]
fn only_the_seat_to_move_can_search() {
    let game = pebbles(2);
    let played = position(&game, 1, 0).unwrap();
    let info = played.information_state(Player(1));
    let error = search(&"ismcts".parse().unwrap(), &info, 0, None, &Interrupt::new()).unwrap_err();
    assert_eq!(error.to_string(), "seat 1 is not to move, expected the information of the seat to move");
}

#[test]
fn an_exact_search_ends_at_its_budget() {
    let game = pebbles(2);
    let played = position(&game, 1, 0).unwrap();
    let info = knowledge(&played);
    let error = search(&"expectimax:positions=5000".parse().unwrap(), &info, 0, None, &Interrupt::new()).unwrap_err();
    assert!(matches!(error, SearchError::TooLarge(_)), "{error}");
    let text = "too large for an exact search: more than positions=5000 to look at, raise it or set a lower depth";
    assert_eq!(error.to_string(), text);
    let report = run("expectimax:positions=5000,depth=1", &info, 0);
    assert!(report.nodes <= 5000 && !report.truncated);
    // A single legal action needs no value: where the budget ends, it is judged.
    let mut forced = 0;
    for (seed, plies) in (0..30).flat_map(|seed| (0..40).map(move |plies| (seed, plies))) {
        let Some(played) = position(&game, seed, plies) else { continue };
        let info = knowledge(&played);
        if info.legal_actions.len() == 1 {
            let report = run("expectimax:positions=1", &info, 0);
            assert_eq!((report.actions.len(), report.values.len()), (1, 2));
            assert!(report.values.iter().all(|value| (-1.0..=1.0).contains(value)));
            forced += u32::from(report.truncated);
        }
    }
    assert!(forced > 0);
}

#[test]
fn a_full_table_changes_no_value() {
    let game = pebbles(2);
    let mut full = 0;
    for plies in 6..30 {
        let Some(played) = position(&game, 2, plies) else { break };
        let info = knowledge(&played);
        let spec = "expectimax:worlds=1,depth=6,positions=200000";
        let Ok(large) = search(&spec.parse().unwrap(), &info, 0, None, &Interrupt::new()) else { continue };
        let small = search(&format!("{spec},memory_mib=1").parse().unwrap(), &info, 0, None, &Interrupt::new());
        let Ok(small) = small else { continue };
        full += u32::from(small.truncated);
        assert_eq!((small.values, small.action), (large.values, large.action));
    }
    assert!(full > 0, "no table was full");
}
