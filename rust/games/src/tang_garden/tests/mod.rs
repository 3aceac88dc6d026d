//! Tests of the rules by number; scripts, random play, component files, pictures.

mod agents;
mod play;
mod refusals;
mod scoring;
mod script;
mod sets;

use forbidden_games_core::contract::Setup;
use serde_json::Map;

use super::Game;

/// A game with default options.
fn game(players: usize) -> Game {
    Game::new(players, &Map::new(), None).expect("defaults make a game")
}

fn golden(name: &str) -> String {
    let path = format!("{}/../../tests/golden/tang_garden/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

macro_rules! scripts {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                if let Err(reason) = script::run(&golden(concat!(stringify!($name), ".script"))) {
                    panic!("{reason}");
                }
            }
        )*

        #[test]
        fn every_script_of_the_folder_runs() {
            let folder = format!("{}/../../tests/golden/tang_garden", env!("CARGO_MANIFEST_DIR"));
            let known = [$(stringify!($name)),*];
            for entry in std::fs::read_dir(folder).expect("the folder exists") {
                let name = entry.expect("an entry").file_name().into_string().expect("a name");
                if let Some(script) = name.strip_suffix(".script") {
                    assert!(known.contains(&script), "{name} has no test");
                }
            }
        }
    };
}

scripts! {
    tg_11_2 tg_11_3 tg_11_4 tg_11_5 tg_11_6 tg_11_7 tg_11_8 tg_11_9 tg_11_10 tg_11_11 tg_11_12 tg_11_13 tg_11_14 tg_11_15 tg_11_16
    tg_11_17 tg_11_18 tg_11_19 tg_11_20 tg_11_21 tg_11_22 tg_13_10
}
