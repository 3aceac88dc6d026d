use std::sync::Arc;

use serde_json::{Map, json};

use super::faulty::{Fault, Faulty};
use super::hostile::check_entrances;
use super::mutants::{check_bounds, check_mutants};
use super::pebbles::{Pebbles, own_set, pebbles};
use super::{Policy, Settings, check_game};
use crate::contract::Setup;
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
                check_game(&game, 0..4, &Settings::thorough().with_policy(policy)).unwrap_or_else(|broken| panic!("{broken}"));
            assert_eq!(report.games, 4);
            assert_eq!(report.phases.keys().filter(|phase| **phase != "claim").count(), 4, "{report}");
        }
    }
}

#[test]
fn the_toy_game_refuses_damage() {
    for game in variants() {
        let tried = check_entrances(&game, 5, 150).unwrap_or_else(|broken| panic!("{broken}"));
        assert!(tried.iter().all(|tried| tried.tried == 150));
    }
}

#[test]
fn what_the_toy_game_accepts_it_always_accepts() {
    for game in variants() {
        let found = check_mutants(&game, 3, 40, 3).unwrap_or_else(|broken| panic!("{broken}"));
        assert_eq!(found.accepted, 40);
        check_bounds(&game, 3).unwrap_or_else(|broken| panic!("{broken}"));
    }
}

#[test]
fn every_mistake_is_found() {
    let faults = [
        (Fault::Unsorted, "not ascending"),
        (Fault::UnlistedAccepted, "not listed but played"),
        (Fault::OtherSample, "sample_action"),
        (Fault::DoubledId, "action id 1"),
        (Fault::CapitalsRefused, "is not read"),
        (Fault::JsonForgets, "JSON"),
        (Fault::JsonShows, "pile"),
        (Fault::WorldElsewhere, "a world for seat"),
        (Fault::WorldOfAnother, "world"),
        (Fault::EvaluatePeeks, "evaluate knows"),
        (Fault::PictureForgets, "same picture"),
        (Fault::ObservedTooLittle, "learns the same"),
        (Fault::EventTells, "is told"),
        (Fault::SheetWrong, "the sheet"),
        (Fault::EventsChange, "with events"),
        (Fault::TooLong, "max_plies"),
        (Fault::TensorBroken, "block ply"),
    ];
    let Some(options) = json!({"claim": "forced"}).as_object().cloned() else { unreachable!() };
    let mut missed = Vec::new();
    for (fault, words) in faults {
        let options = if fault == Fault::UnlistedAccepted { &options } else { &Map::new() };
        let game = Faulty::new(Pebbles::new(3, options, None).unwrap(), fault);
        match check_game(&Arc::new(game), 0..20, &Settings::thorough()) {
            Err(broken) if broken.message.contains(words) => {}
            other => missed.push((fault, other)),
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}
