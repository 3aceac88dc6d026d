//! The playthroughs `tests/golden/<game>/playthrough-*.jsonl`, played again and compared byte by byte. A game without them fails.
//! They are written anew, for review as a diff, by
//!
//! ```sh
//! cargo test -p forbidden-games --test playthrough -- --ignored regenerate
//! ```

mod golden_keys;
mod support;

use std::fs;
use std::sync::Arc;

use forbidden_games::for_each_game;
use forbidden_games_core::contract::Game;
use forbidden_games_core::start::Start;
use forbidden_games_core::testing::playthroughs::{random_playthrough, verify};
use serde_json::Map;
use support::golden;

fn files<G: Game>() -> Vec<std::path::PathBuf> {
    let folder = fs::read_dir(golden::<G>()).unwrap_or_else(|error| panic!("golden data of {}: {error}", G::INFO.name));
    let mut files: Vec<_> = folder
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            name.starts_with("playthrough-") && name.ends_with(".jsonl")
        })
        .collect();
    files.sort();
    files
}

fn run<G: Game>() {
    let files = files::<G>();
    let players = G::INFO.max_players + 1 - G::INFO.min_players;
    assert!(files.len() >= players, "{} has {} golden playthroughs, expected one a number of players", G::INFO.name, files.len());
    for path in files {
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        verify::<G>(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}

/// One random game for each number of players, seed 1, default options.
fn regenerate<G: Game>() {
    fs::create_dir_all(golden::<G>()).unwrap_or_else(|error| panic!("{error}"));
    for players in G::INFO.min_players..=G::INFO.max_players {
        let game = G::new(players, &Map::new(), None).unwrap_or_else(|error| panic!("{error}"));
        let lines = random_playthrough(&Arc::new(game), Start::Ordinary, 1).unwrap_or_else(|error| panic!("{error}"));
        let path = golden::<G>().join(format!("playthrough-{players}-players.jsonl"));
        fs::write(&path, lines.join("\n") + "\n").unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}

macro_rules! golden_playthrough {
    ($(($variant:ident, $module:ident)),* $(,)?) => { $(
        mod $module {
            use forbidden_games::$module::Game;

            #[test]
            fn playthroughs() {
                super::run::<Game>();
            }

            #[test]
            #[ignore = "writes the golden playthroughs anew"]
            fn regenerate() {
                super::regenerate::<Game>();
            }
        }
    )* };
}
for_each_game!(golden_playthrough);
