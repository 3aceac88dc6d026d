//! What the evaluation is worth at the table, and whether its games look like those of a player.

use std::sync::Arc;

use forbidden_games_core::arena::{Agent, play_match};
use forbidden_games_core::contract::{Judgement, Notation, Rules, Step};
use forbidden_games_core::event::NoEvents;
use forbidden_games_core::interrupt::Interrupt;
use forbidden_games_core::match_play::Match;
use forbidden_games_core::player::{Player, Turn};
use forbidden_games_core::rng::Rng;
use forbidden_games_core::search::AgentSpec;
use forbidden_games_core::testing::random_step;
use serde_json::{Value, json};

use super::super::Game;
use super::{Position, Table};

/// Wins (a draw is half) and mean points of `greedy` against `random`, each seed once with either at seat 0.
fn greedy_against_random(options: &Value, seeds: std::ops::Range<u64>) -> (f64, f64, f64) {
    let game = Arc::new(Table::new(2, options.clone()).game);
    let spec = |text: &str| text.parse::<AgentSpec>().unwrap_or_else(|error| panic!("{error}"));
    let (mut wins, mut points, mut others, mut games) = (0.0, 0.0, 0.0, 0.0);
    for seed in seeds {
        for seat in 0..2 {
            let (mut greedy, mut random) = (spec("greedy"), spec("random"));
            let mut agents: [&mut dyn Agent<Game>; 2] =
                if seat == 0 { [&mut greedy, &mut random] } else { [&mut random, &mut greedy] };
            let played = play_match(&game, &mut agents, seed, &Interrupt::new()).unwrap_or_else(|error| panic!("{error}"));
            let (scores, ranking) = (game.scores(played.state()), game.ranking(played.state()));
            points += f64::from(scores[seat]);
            others += f64::from(scores[1 - seat]);
            wins += if ranking[seat] > 1 {
                0.0
            } else if ranking[1 - seat] > 1 {
                1.0
            } else {
                0.5
            };
            games += 1.0;
        }
    }
    (wins / games, points / games, others / games)
}

#[test]
fn greedy_beats_random() {
    let (wins, points, others) = greedy_against_random(&json!({}), 0..6);
    assert!(wins >= 0.95, "{wins} with {points} points to {others}");
}

#[test]
#[ignore = "many games: make soak"]
fn soak_greedy_beats_random() {
    for options in [
        json!({}),
        json!({"layout": "court", "dragons": ["wall", "humility"]}),
        json!({"spirits": ["wind", "mirror", "mason"], "dragons": ["heavens"]}),
        json!({"spirits": ["beauty", "strength", "change"]}),
        json!({"spirits": ["elegance", "deception", "kinship"], "dragons": ["towers"]}),
        json!({"realm": "3x3"}),
    ] {
        let clock = std::time::Instant::now();
        let (wins, points, others) = greedy_against_random(&options, 100..150);
        println!("{options}: greedy wins {wins:.3}, {points:.1} points to {others:.1}, {:.1} s", clock.elapsed().as_secs_f64());
        assert!(wins >= 0.95, "{options}: {wins}");
    }
}

/// What was done in some games.
#[derive(Debug, Default)]
struct Tally {
    games: usize,
    /// Turns with `pair`, `shrine`, `discard` and `summon`.
    turns: [usize; 4],
    built: usize,
    points: i32,
}

const VERBS: [&str; 4] = ["pair", "shrine", "discard", "summon"];

impl Tally {
    fn share(&self, verb: &str) -> f64 {
        let place = VERBS.iter().position(|name| *name == verb).expect("a verb that ends the choice of a turn");
        self.turns[place] as f64 / self.turns.iter().sum::<usize>() as f64
    }
}

/// Games in which every seat is played by `agent`. DC-7.1 ends each of them: so many tokens are taken as there are seats.
fn self_play(players: usize, agent: &str, seeds: std::ops::Range<u64>) -> Tally {
    let game = Arc::new(Table::new(players, json!({})).game);
    let mut tally = Tally::default();
    for seed in seeds {
        let mut agents: Vec<AgentSpec> = (0..players).map(|_| agent.parse().unwrap_or_else(|error| panic!("{error}"))).collect();
        let mut seats: Vec<&mut dyn Agent<Game>> = agents.iter_mut().map(|agent| agent as &mut dyn Agent<Game>).collect();
        let played = play_match(&game, &mut seats, seed, &Interrupt::new()).unwrap_or_else(|error| panic!("{error}"));
        for step in played.history() {
            let Step::Action(action) = *step else { continue };
            let text = game.format_action(action);
            let verb = text.split(' ').next().unwrap_or_default();
            if let Some(place) = VERBS.iter().position(|name| *name == verb) {
                tally.turns[place] += 1;
            }
            tally.built += usize::from(verb == "build");
        }
        let taken: usize = played.state().countdown.iter().map(|&taken| usize::from(taken)).sum();
        assert!(taken >= players, "seed {seed}: {taken} tokens");
        tally.points += game.scores(played.state()).iter().sum::<i32>();
        tally.games += 1;
    }
    tally
}

/// A player takes tiles and shrines, builds, and throws a tile away where nothing fits.
fn assert_looks_like_a_player(agent: &str, players: usize, tally: &Tally) {
    let [pair, shrine, discard, summon] = VERBS.map(|verb| tally.share(verb));
    let seats = (tally.games * players) as f64;
    let (built, points) = (tally.built as f64 / seats, f64::from(tally.points) / seats);
    println!(
        "{players} seats, {agent}: pair {pair:.3}, shrine {shrine:.3}, discard {discard:.3}, summon {summon:.3}; {built:.1} built, \
         {points:.1} points a seat"
    );
    assert!(discard <= 0.40, "{agent}, {players} seats: discards in {discard} of its turns");
    assert!(pair >= 0.25 && shrine >= 0.12, "{agent}, {players} seats: pairs {pair}, shrines {shrine}");
    assert!(built >= 2.0, "{agent}, {players} seats: builds {built} shrines a game");
    assert!(summon <= 0.15, "{agent}, {players} seats: summons {summon}");
}

#[test]
fn greedy_looks_like_a_player() {
    for players in 2..=4 {
        assert_looks_like_a_player("greedy", players, &self_play(players, "greedy", 20..28));
    }
}

/// A position before a draw is worth what the draw brings on the average, not what it brings at best.
#[test]
fn a_reveal_is_judged_by_its_outcomes() {
    let table = Table::new(2, json!({}));
    let (game, mut rng) = (&table.game, Rng::stream(3, "reveals", 0));
    let mut met = 0;
    for _ in 0..6 {
        let mut state = game.new_state();
        while game.turn(&state) != Turn::Over {
            if game.phase(&state) == "reveal" {
                let mut outcomes = Vec::new();
                game.chance_outcomes(&state, &mut outcomes);
                let total: u32 = outcomes.iter().map(|&(_, weight)| weight).sum();
                for player in Player::all(2) {
                    let mut mean = 0.0;
                    for &(outcome, weight) in &outcomes {
                        let mut after = state.clone();
                        game.apply_outcome(&mut after, outcome, &mut NoEvents);
                        mean += game.evaluate(&after, player) * f64::from(weight) / f64::from(total);
                    }
                    let value = game.evaluate(&state, player);
                    assert!((value - mean).abs() < 1e-9, "{value} before the draw, {mean} after it");
                }
                met += 1;
            }
            let step = random_step(game, &state, &mut rng).expect("not over");
            game.apply(&mut state, step);
        }
    }
    assert!(met > 100, "{met} draws");
}

/// What a realm promises counts while turns are left. A castle that has only its ground floor left brings hardly any, however many
/// tiles lie there.
#[test]
fn prospects_fade_with_the_upper_floors() {
    let value = |castle: &str, covered: &str| {
        let realms = ["m1 m2 m3 . . .", ""];
        let Table { game, state } =
            Position { castle, covered, realms: &realms, pools: &[3, 1], seat: 1, ..Position::default() }.start();
        game.evaluate(&state, Player(0))
    };
    let high = value("d4=3m6 e4=3s3 f4=3m6 g4=3m5 h4=3m5 i4=3s3", "m4 4, m5 2, s1 4, s2 2");
    let low = value("c4=1m6 d4=1m6 e4=1m6 f4=1m5 g4=1m5 h4=1m5 i4=1s3 d5=1s3 e5=1s3 f5=1s1 g5=1s1 h5=1s1 d6=1m4 e6=1m4", "");
    assert!(low < 0.6 * high, "{low} with the ground floor alone, {high} before");
    assert!(low > 0.0, "{low}: a turn or two are left");
}

#[test]
#[ignore = "many games: make soak"]
fn soak_every_level_looks_like_a_player() {
    for players in 2..=4 {
        for (agent, games) in [("greedy", 100), ("mcts:simulations=200", 10), ("mcts:simulations=2000", 3)] {
            assert_looks_like_a_player(agent, players, &self_play(players, agent, 500..500 + games));
        }
    }
}

/// Among positions of games of `greedy`, how often it chooses the kind of turn that strong search chooses.
#[test]
#[ignore = "strong search: make soak"]
fn soak_greedy_agrees_with_strong_search() {
    let game = Arc::new(Table::new(2, json!({})).game);
    let spec = |text: &str| text.parse::<AgentSpec>().unwrap_or_else(|error| panic!("{error}"));
    let (mut greedy, mut strong) = (spec("greedy"), spec("mcts:simulations=20000"));
    let mut rng = Rng::stream(11, "positions", 0);
    let mut counts = [[0_usize; 3]; 3];
    for seed in 0..12 {
        let mut played = Match::new(Arc::clone(&game), seed);
        played.resolve_chance();
        while let Some(player) = played.turn().player() {
            let info = played.information_state(player);
            let action = greedy.act(&info, seed, &Interrupt::new()).unwrap_or_else(|error| panic!("{error}"));
            if game.phase(played.state()) == "second" && rng.below(4) == 0 {
                let best = strong.act(&info, seed, &Interrupt::new()).unwrap_or_else(|error| panic!("{error}"));
                let kind = |action| VERBS.iter().position(|verb| game.format_action(action).starts_with(verb)).expect("a choice");
                counts[kind(best)][kind(action)] += 1;
            }
            played.play(action).unwrap_or_else(|error| panic!("{error}"));
        }
    }
    let total: usize = counts.iter().flatten().sum();
    let same: usize = (0..3).map(|kind| counts[kind][kind]).sum();
    println!("strong search by rows (pair, shrine, discard), greedy by columns: {counts:?}");
    assert!(same as f64 >= 0.55 * total as f64, "{same} of {total}");
}
