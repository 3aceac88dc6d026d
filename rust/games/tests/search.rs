//! The searchers on the real games: repeatable, blind to what is hidden, right where the exact value is known.
//! `cargo test --release -p forbidden-games --test search -- --ignored --nocapture` runs the large counts.

use std::sync::Arc;
use std::time::Duration;

use forbidden_games::for_each_game;
use forbidden_games_core::contract::{Data, Game, Judgement, Knowledge, Rules, Setup, Step, evaluate_after_each};
use forbidden_games_core::information::InformationState;
use forbidden_games_core::interrupt::Interrupt;
use forbidden_games_core::match_play::Match;
use forbidden_games_core::options::{ComponentSource, Options};
use forbidden_games_core::player::Turn;
use forbidden_games_core::rng::Rng;
use forbidden_games_core::search::{
    AgentSpec, Batch, Evaluation, EvaluatorError, Report, SearchError, Session, search, search_batch,
};
use serde_json::json;

const SPECS: [&str; 4] = [
    "ismcts:simulations=60",
    "mcts:simulations=60,worlds=2,trees=2,leaf_batch=4,selection=uct,rollout=random,cutoff=none",
    "ismcts:simulations=60,prior=uniform,cutoff=3,rollout=greedy",
    "flat:simulations=60",
];

fn game<G: Game>(players: usize) -> Arc<G> {
    Arc::new(G::new(players, &Options::new(), None).expect("the default game"))
}

/// The knowledge of the seat to move after `plies` random decisions.
fn position<G: Game>(game: &Arc<G>, seed: u64, plies: usize) -> Option<Match<G>> {
    let mut played = Match::new(Arc::clone(game), seed);
    let mut rng = Rng::stream(seed, "test", 0);
    for _ in 0..plies {
        let legal = played.legal_actions();
        if legal.is_empty() {
            return None;
        }
        played.play(legal[rng.below(legal.len() as u32) as usize]).expect("a legal action");
    }
    (!played.is_terminal()).then_some(played)
}

fn knowledge<G: Game>(played: &Match<G>) -> InformationState<G> {
    played.information_state(played.turn().player().expect("a decision"))
}

/// A report without the time it took and without the agent's text.
fn run<G: Game>(spec: &AgentSpec, info: &InformationState<G>, seed: u64) -> Result<Report, SearchError> {
    let mut report = search(spec, info, seed, None, &Interrupt::new())?;
    report.elapsed = Duration::ZERO;
    report.agent.clear();
    Ok(report)
}

fn spec(text: &str) -> AgentSpec {
    text.parse().expect("a spec")
}

/// Threads, and a state that has been through JSON, change nothing.
fn repeats<G: Game>(positions: u64) {
    for players in [G::INFO.min_players.max(2), G::INFO.max_players] {
        let game = game::<G>(players);
        for seed in 0..positions {
            let Some(played) = position(&game, seed, (seed * 7 % 40) as usize) else { continue };
            let info = knowledge(&played);
            let text = game.state_to_json(played.state()).to_string();
            let state = game.state_from_json(&serde_json::from_str(&text).expect("JSON")).expect("a state");
            let again = InformationState::of_state(&game, &state, info.player());
            for text in SPECS {
                let one = run(&spec(text), &info, seed).expect("a report");
                assert_eq!(one, run(&spec(text), &again, seed).expect("a report"), "{text} after JSON");
                for threads in ["2", "4"] {
                    let other = run(&spec(text).with([("threads", threads)]).expect("a spec"), &info, seed).expect("a report");
                    assert_eq!(one, other, "{text}, {threads} threads, seed {seed}");
                }
            }
        }
    }
}

/// Another world that the seat cannot tell from this one gives the same report.
fn sees_nothing_hidden<G: Game>(positions: u64) {
    if !G::INFO.hidden_information {
        return;
    }
    let game = game::<G>(2);
    for seed in 0..positions {
        let Some(played) = position(&game, seed, seed as usize * 5) else { continue };
        let info = knowledge(&played);
        let mut worlds = (0..50).map(|index| info.sample_world(&mut Rng::stream(seed, "hidden", index)));
        let other = worlds.find(|world| world != played.state()).expect("another world");
        let other = InformationState::of_state(&game, &other, info.player());
        for text in SPECS.iter().chain(&["greedy"]) {
            assert_eq!(run(&spec(text), &info, 1).expect("a report"), run(&spec(text), &other, 1).expect("a report"), "{text}");
        }
    }
}

fn constant(batch: &mut Batch) -> Result<Evaluation, EvaluatorError> {
    let priors = vec![1.0; batch.len * batch.num_actions];
    Ok(Evaluation { priors, values: vec![0.0; batch.len * batch.num_players] })
}

/// Many searches with an evaluator equal the same ones alone.
fn batches_change_nothing<G: Game>() {
    let game = game::<G>(2);
    let infos: Vec<_> =
        (0..4).filter_map(|seed| position(&game, seed, 6 * seed as usize)).map(|played| knowledge(&played)).collect();
    let seeds: Vec<u64> = (0..infos.len() as u64).collect();
    let agent = spec("ismcts:simulations=40,leaf_batch=4");
    let together = search_batch(&agent, &infos, &seeds, Some(&mut constant), &Interrupt::new()).expect("reports");
    for ((mut report, info), &seed) in together.into_iter().zip(&infos).zip(&seeds) {
        let mut alone = search(&agent, info, seed, Some(&mut constant), &Interrupt::new()).expect("a report");
        (report.elapsed, alone.elapsed) = (Duration::ZERO, Duration::ZERO);
        assert_eq!(report, alone);
    }
}

/// A few decisions before the end, nothing hidden from the mover: the action chosen is as good as the best.
fn agrees_with_exact_values<G: Game>(game: &Arc<G>, wanted: usize) {
    let searcher = if G::INFO.hidden_information { "ismcts" } else { "mcts" };
    let searcher = spec(&format!(
        "{searcher}:simulations=200000,selection=uct,prior=uniform,exploration=2,rollout=random,cutoff=none,leaf_batch=1"
    ));
    let exact = spec("expectimax:worlds=1,positions=50000");
    let (mut met, mut depth) = (0, 0);
    for seed in 0..5_000 {
        let mut whole = Match::new(Arc::clone(game), seed);
        let mut rng = Rng::stream(seed, "test", 0);
        while !whole.is_terminal() {
            let legal = whole.legal_actions();
            whole.play(legal[rng.below(legal.len() as u32) as usize]).expect("a legal action");
        }
        let before = 1 + seed as usize % 4;
        for _ in 0..before {
            whole.undo(None);
        }
        let info = knowledge(&whole);
        let is_known = (0..20).all(|index| info.sample_world(&mut Rng::stream(seed, "known", index)) == *whole.state());
        if info.legal_actions.len() < 2 || !is_known {
            continue;
        }
        let exact = match run(&exact, &info, 0) {
            Ok(report) => report,
            Err(SearchError::TooLarge(_)) => continue,
            Err(other) => panic!("{other}"),
        };
        let report = run(&searcher, &info, seed).expect("a report");
        let value = exact.actions.iter().find(|action| action.id == report.action).expect("a legal action").value;
        let best = exact.chosen().value;
        assert!(value >= best - 0.01, "{} seed {seed}, {before} decisions before the end: {value} instead of {best}", G::INFO.name);
        met += 1;
        depth = depth.max(exact.depth);
        if met == wanted {
            break;
        }
    }
    println!("{}: {met} positions, up to {depth} steps before the end", G::INFO.name);
    assert_eq!(met, wanted, "{}: too few positions", G::INFO.name);
}

fn exact_qin(wanted: usize) {
    // Board m3 of the rule page: few tiles, so that games end by them.
    let board = json!({
        "name": "test", "grid": ["r.......", ".r.b....", "........", ".r.#...b", "......#.", "...b...."],
        "tiles": {"bb": 2, "br": 2, "by": 2, "rr": 2, "ry": 2, "yy": 2},
    });
    let game = forbidden_games::qin::Game::new(2, &Options::new(), Some(&ComponentSource::Set(board))).expect("a board");
    agrees_with_exact_values(&Arc::new(game), wanted);
}

fn exact_forbidden_city(wanted: usize) {
    let set = ComponentSource::Name("test-1".to_owned());
    let game = forbidden_games::forbidden_city::Game::new(2, &Options::new(), Some(&set)).expect("a built-in set");
    agrees_with_exact_values(&Arc::new(game), wanted);
}

#[test]
fn exact_values_are_found() {
    exact_qin(4);
    exact_forbidden_city(4);
    agrees_with_exact_values(&game::<forbidden_games::dragon_castle::Game>(2), 4);
    agrees_with_exact_values(&game::<forbidden_games::tang_garden::Game>(2), 4);
}

#[test]
#[ignore = "100 positions for each game"]
fn soak_exact_values_are_found() {
    exact_qin(100);
    exact_forbidden_city(100);
    agrees_with_exact_values(&game::<forbidden_games::dragon_castle::Game>(2), 100);
    agrees_with_exact_values(&game::<forbidden_games::tang_garden::Game>(2), 100);
}

/// The same action id of another seat means different tiles in different worlds (FC-8.1): what is learnt differs, and the tree is
/// made of what is learnt, so a line through it names the tile.
#[test]
fn forbidden_city_tells_tiles_of_others_apart() {
    use forbidden_games::forbidden_city::Game as City;
    let game = game::<City>(2);
    let played = position(&game, 3, 8).expect("a position");
    let info = knowledge(&played);
    let me = info.player();
    let first = info.legal_actions[0];
    let mut meanings = std::collections::BTreeMap::new();
    for index in 0..40 {
        let mut world = info.sample_world(&mut Rng::stream(1, "world", index));
        game.apply(&mut world, Step::Action(first));
        while game.turn(&world) == Turn::Chance {
            let drawn = game.sample_outcome(&world, &mut Rng::stream(2, "draw", 0), &mut Vec::new());
            game.apply(&mut world, Step::Outcome(drawn));
        }
        let mut legal = Vec::new();
        game.legal_actions(&world, &mut legal);
        let other = game.turn(&world).player().expect("the other seat");
        assert_ne!(other, me);
        let hand = game.state_to_json(&world)["hands"][other.index()].to_string();
        for action in legal {
            let learnt = game.observed(&world, Step::Action(action), me);
            let known: &mut std::collections::BTreeMap<_, _> = meanings.entry(game.action_id(action)).or_default();
            assert_eq!(*known.entry(learnt).or_insert_with(|| hand.clone()), hand, "one thing learnt, two tiles");
        }
    }
    assert!(meanings.values().any(|learnt| learnt.len() > 3), "no action with several meanings");
    let line = run(&spec("ismcts:simulations=3000"), &info, 5).expect("a report").principal_variation;
    let tiles = line.iter().skip(1).filter(|step| step.split(' ').count() == 3);
    assert!(tiles.count() > 0, "no step of the other seat with its tile: {line:?}");
}

#[test]
fn a_memory_limit_is_kept() {
    let game = game::<forbidden_games::qin::Game>(2);
    let info = knowledge(&position(&game, 1, 4).expect("a position"));
    let report = run(&spec("ismcts:simulations=4000,memory_mib=2,cutoff=0,prior=uniform"), &info, 1).expect("a report");
    assert!(report.truncated && report.memory <= 2 << 20, "{}", report.memory);
}

/// The priors of a report with `temperature=2` are those of these looks, of which a tenth is the same for all.
fn has_priors(report: &Report, looks: &[f64]) {
    let highest = looks.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = looks.iter().map(|look| ((look - highest) / 2.0).exp()).collect();
    let sum: f64 = weights.iter().sum();
    for (action, weight) in report.actions.iter().zip(weights) {
        let expected = 0.9 * weight / sum + 0.1 / looks.len() as f64;
        assert!((action.prior - expected).abs() < 1e-6, "{} for {expected}", action.prior);
    }
}

/// Where the time is up before every tree has had its turn, the rest stay empty; and where it is not enough to evaluate what all
/// actions lead to, a look at them must do.
#[test]
fn a_time_limit_is_kept_by_many_trees_and_many_actions() {
    let game = game::<forbidden_games::qin::Game>(4);
    let played = position(&game, 1, 20).expect("a position");
    let info = knowledge(&played);
    let report = run(&spec("mcts:worlds=256,trees=16,simulations=none,time_ms=1,temperature=2"), &info, 1).expect("a report");
    assert!((1..4096).contains(&report.simulations), "{}", report.simulations);
    assert_eq!(report.simulations, report.actions.iter().map(|action| action.visits).sum::<u64>());
    let mut looks = Vec::new();
    game.look(played.state(), info.player(), &info.legal_actions, &mut Default::default(), &mut looks);
    has_priors(&report, &looks);
}

/// A limit of 64 MiB, with far more simulations than fit.
fn keeps_to_its_memory<G: Game>() {
    let game = game::<G>(2);
    let info = knowledge(&position(&game, 1, 6).expect("a position"));
    let text = "ismcts:simulations=400000,selection=uct,prior=uniform,exploration=4,rollout=random,cutoff=2,memory_mib=64";
    let report = run(&spec(text), &info, 1).expect("a report");
    println!("{}: {} bytes, {} nodes, truncated {}", G::INFO.name, report.memory, report.nodes, report.truncated);
    assert!(report.memory <= 64 << 20, "{}", report.memory);
    assert_eq!(report.simulations, 400_000);
}

/// The actions at the root have the priors that the evaluation of what they lead to gives them, however quickly a game appraises
/// actions elsewhere, and also where the root was no root before.
fn first_priors_are_the_evaluation<G: Game>() {
    let specs = ["ismcts:simulations=800,temperature=2,reuse=true", "mcts:simulations=40,trees=2,temperature=2,threads=2"];
    let mut kept = 0;
    for (players, text) in [2, G::INFO.max_players].into_iter().flat_map(|players| specs.map(|text| (players, text))) {
        let game = game::<G>(players);
        for plies in [4, 26, 50] {
            let Some(mut played) = position(&game, 3, plies) else { continue };
            let mut session = Session::new(spec(text));
            for _ in 0..12 {
                let Turn::Player(player) = played.turn() else { break };
                let info = knowledge(&played);
                let mut report = run(&spec("ismcts:simulations=100"), &info, 1).expect("a report");
                if player.0 == 0 && info.legal_actions.len() > 1 {
                    report = session.search(&info, 1, None, &Interrupt::new()).expect("a report");
                    kept += u32::from(report.actions.iter().map(|action| action.visits).sum::<u64>() > report.simulations);
                    let mut looks = Vec::new();
                    evaluate_after_each(&*game, played.state(), player, &info.legal_actions, &mut looks);
                    has_priors(&report, &looks);
                }
                played.play(game.action_from_id(report.action).expect("an action")).expect("a legal action");
            }
        }
    }
    assert!(kept > 0, "no tree was kept");
}

/// Levels are specs of agents, and what a game recommends is in canonical form.
fn recommends_what_exists<G: Game>() {
    for text in G::levels() {
        let level = spec(text);
        assert_eq!(level.to_string(), text);
        assert_eq!(level.kind().level(), None, "a level of a level");
        for players in G::INFO.min_players..=G::INFO.max_players {
            level.settings::<G>(players).expect("settings that fit");
        }
    }
    let kept = spec("mcts:reuse=true").settings::<G>(2).map_err(|error| error.to_string());
    assert_eq!(kept.is_err(), G::INFO.hidden_information, "{kept:?}");
    assert!(spec("ismcts:reuse=true").settings::<G>(2).is_ok());
    for players in G::INFO.min_players..=G::INFO.max_players {
        let text = format!("ismcts:{}", G::search_defaults(players));
        assert_eq!(spec(&text).to_string(), text.trim_end_matches(':'), "{}", G::INFO.name);
    }
}

macro_rules! searching {
    ($(($variant:ident, $module:ident)),* $(,)?) => { $(
        mod $module {
            use forbidden_games::$module::Game;

            #[test]
            fn reports_repeat() {
                super::repeats::<Game>(2);
            }

            #[test]
            #[ignore = "ten positions"]
            fn soak_reports_repeat() {
                super::repeats::<Game>(10);
            }

            #[test]
            #[ignore = "400,000 simulations"]
            fn soak_memory_limit_is_kept() {
                super::keeps_to_its_memory::<Game>();
            }

            #[test]
            fn hidden_parts_have_no_effect() {
                super::sees_nothing_hidden::<Game>(3);
            }

            #[test]
            fn first_priors_are_the_evaluation() {
                super::first_priors_are_the_evaluation::<Game>();
            }

            #[test]
            fn levels_and_recommendations_exist() {
                super::recommends_what_exists::<Game>();
            }

            #[test]
            fn batches_change_nothing() {
                super::batches_change_nothing::<Game>();
            }
        }
    )* };
}
for_each_game!(searching);
