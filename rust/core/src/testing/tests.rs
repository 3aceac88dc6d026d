use std::sync::Arc;

use serde_json::{Map, json};

use super::hostile::check_entrances;
use super::pebbles::{Pebbles, own_set, pebbles};
use super::{Policy, Settings, check_game};
use crate::game::Game;
use crate::options::ComponentSource;

fn variants() -> Vec<Arc<Pebbles>> {
    let mut games: Vec<Pebbles> = (2..=4).map(pebbles).collect();
    for options in [json!({"columns": 2}), json!({"columns": 9, "claim": "forced"})] {
        let Some(options) = options.as_object() else { unreachable!() };
        games.push(Pebbles::new(3, options, None).unwrap());
    }
    games.push(Pebbles::new(4, &Map::new(), Some(&ComponentSource::Set(own_set()))).unwrap());
    games.into_iter().map(Arc::new).collect()
}

#[test]
fn the_toy_game_conforms() {
    for game in variants() {
        for policy in [Policy::Random, Policy::Greedy, Policy::RarePhase] {
            let report =
                check_game(&game, 0..6, &Settings::thorough().with_policy(policy)).unwrap_or_else(|broken| panic!("{broken}"));
            assert_eq!(report.games, 6);
            assert_eq!(report.phases.keys().filter(|phase| **phase != "claim").count(), 4, "{report}");
        }
    }
}

#[test]
fn the_toy_game_refuses_damage() {
    for game in variants() {
        let tried = check_entrances(&game, 5, 400).unwrap_or_else(|broken| panic!("{broken}"));
        assert!(tried.iter().all(|tried| tried.tried == 400));
    }
}
