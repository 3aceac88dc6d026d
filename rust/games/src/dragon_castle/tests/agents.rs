//! What the evaluation is worth at the table.

use std::sync::Arc;

use forbidden_games_core::arena::{Agent, play_match};
use forbidden_games_core::game::Game as _;
use forbidden_games_core::interrupt::Interrupt;
use forbidden_games_core::search::AgentSpec;
use serde_json::{Value, json};

use super::super::Game;
use super::Table;

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
