//! Keys of states and of what seats know, compared with `tests/golden/<game>/keys.jsonl`: one random game for each variant and number
//! of players. A key is a hash of the bytes that pickling writes, so a change of those bytes is seen here; it goes with a new version
//! of the byte format. The files are written anew, for review as a diff, by
//!
//! ```sh
//! cargo test -p forbidden-games --test playthrough -- --ignored regenerate
//! ```

use std::fs;
use std::sync::Arc;

use forbidden_games::for_each_game;
use forbidden_games_core::contract::Game;
use forbidden_games_core::match_play::Match;
use forbidden_games_core::player::Player;
use forbidden_games_core::rng::{Rng, portable_hash};
use serde_json::{Value, json};

use crate::support::{self, games, golden, variants};

/// One number made of many.
fn fold(keys: &[u64]) -> String {
    let bytes: Vec<u8> = keys.iter().flat_map(|key| key.to_le_bytes()).collect();
    format!("{:016x}", portable_hash(&bytes))
}

/// The keys met in one random game, and those of the first decision as they are.
fn line<G: Game>(variant: &str, game: &Arc<G>) -> Value {
    let mut played = Match::new(Arc::clone(game), 1);
    let seats = || Player::all(game.num_players());
    let information = |played: &Match<G>| seats().map(|seat| played.information_state(seat).key()).collect::<Vec<_>>();
    let first = json!({
        "state": format!("{:016x}", game.key(played.state())),
        "information": information(&played).iter().map(|key| format!("{key:016x}")).collect::<Vec<_>>(),
    });
    let mut rng = Rng::stream(1, "keys", 0);
    let (mut states, mut informations, mut observations) = (Vec::new(), Vec::new(), Vec::new());
    while !played.is_terminal() {
        states.push(game.key(played.state()));
        if played.ply().is_multiple_of(8) {
            informations.extend(information(&played));
        }
        observations.extend(seats().map(|seat| game.observation_key(&game.observation(played.state(), seat))));
        let legal = played.legal_actions();
        played.play(legal[rng.below(legal.len() as u32) as usize]).unwrap_or_else(|error| panic!("{variant}: {error}"));
    }
    json!({
        "variant": variant,
        "players": game.num_players(),
        "first": first,
        "decisions": states.len(),
        "states": fold(&states),
        "observations": fold(&observations),
        "information": fold(&informations),
    })
}

fn lines<G: Game>() -> Vec<String> {
    let of_variant =
        |variant: &support::Variant| games::<G>(variant).iter().map(|game| line(&variant.name, game).to_string()).collect();
    variants::<G>().iter().flat_map(|variant| -> Vec<String> { of_variant(variant) }).collect()
}

fn run<G: Game>() {
    let path = golden::<G>().join("keys.jsonl");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let found = lines::<G>();
    for (number, (expected, found)) in text.lines().zip(&found).enumerate() {
        assert_eq!(found, expected, "{} line {}", path.display(), number + 1);
    }
    assert_eq!(found.len(), text.lines().count(), "{}: lines", path.display());
}

fn regenerate<G: Game>() {
    let path = golden::<G>().join("keys.jsonl");
    fs::write(&path, lines::<G>().join("\n") + "\n").unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

macro_rules! golden_keys {
    ($(($variant:ident, $module:ident)),* $(,)?) => { $(
        mod $module {
            use forbidden_games::$module::Game;

            #[test]
            fn keys() {
                super::run::<Game>();
            }

            #[test]
            #[ignore = "writes the golden keys anew"]
            fn regenerate() {
                super::regenerate::<Game>();
            }
        }
    )* };
}
for_each_game!(golden_keys);
