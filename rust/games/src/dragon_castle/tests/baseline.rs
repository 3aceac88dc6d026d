//! Temporary: hashes of what must not change.

use forbidden_games_core::bytes::{ByteSink, KeyHasher};
use forbidden_games_core::canvas::Canvas;
use forbidden_games_core::contract::{Data, DrawRequest, Drawing, Features, Judgement, Knowledge, Notation, Rules, Setup, Step};
use forbidden_games_core::player::{Player, Turn};
use forbidden_games_core::rng::Rng;
use forbidden_games_core::testing::random_step;
use serde_json::json;

use super::Table;

#[test]
#[ignore = "baseline"]
fn baseline() {
    let mut names =
        ["judge", "look", "json", "events", "refusals", "draw", "encode", "sheet", "sample"].map(|name| (name, KeyHasher::new()));
    let mut states = 0;
    for (players, options) in [
        (2, json!({})),
        (3, json!({"dragons": "random:3"})),
        (4, json!({"layout": "court", "dragons": ["wall", "humility", "towers"]})),
        (2, json!({"spirits": ["beauty", "wind", "strength"], "realm": "4x4"})),
        (3, json!({"spirits": ["elegance", "deception", "kinship"], "layout": "court"})),
        (4, json!({"spirits": ["change", "mirror", "mason"], "realm": "8x8", "dragons": "random:2"})),
        (2, json!({"spirits": "random:3", "realm": "3x3", "layout": "9999999999998000"})),
    ] {
        let game = Table::new(players, options).game;
        for seed in 0..6 {
            let mut state = game.new_state();
            let mut rng = Rng::stream(seed, "base", 0);
            let mut values = vec![0.0; game.observation_layout().size()];
            loop {
                states += 1;
                let [judge, look, json, events, refusals, draw, encode, sheet, sample] = names.each_mut().map(|entry| &mut entry.1);
                for seat in 0..players {
                    judge.u64(game.evaluate(&state, Player(seat as u8)).to_bits());
                }
                json.bytes(game.state_to_json(&state).to_string().as_bytes());
                sheet.bytes(format!("{:?} {:?}", game.score_sheet(&state), game.scores(&state)).as_bytes());
                let mut legal = Vec::new();
                game.legal_actions(&state, &mut legal);
                for id in (0..game.num_actions() as u32).step_by(7) {
                    let action = game.action_from_id(id).unwrap();
                    refusals.bytes(format!("{:?} {}", game.check_action(&state, action), game.format_action(action)).as_bytes());
                }
                if let Turn::Player(player) = game.turn(&state) {
                    let mut out = Vec::new();
                    game.look(&state, player, &legal, &mut Default::default(), &mut out);
                    out.iter().for_each(|value| look.u64(value.to_bits()));
                    for stream in 0..3 {
                        let action = game.sample_action(&state, &mut Rng::stream(seed, "x", stream), &mut Vec::new());
                        sample.u32(game.action_id(action));
                    }
                }
                let observation = game.observation(&state, Player((states % players) as u8));
                let mut canvas = Canvas::new();
                game.draw(&observation, &DrawRequest { legal: &legal, ..DrawRequest::default() }, &mut canvas);
                draw.bytes(canvas.to_text(true, true).as_bytes());
                values.fill(0.0);
                game.encode(&observation, &mut values);
                values.iter().for_each(|value| encode.u32(value.to_bits()));
                let Some(step) = random_step(&game, &state, &mut rng) else { break };
                let mut heard = Vec::new();
                match step {
                    Step::Action(action) => game.apply_action(&mut state, action, &mut heard),
                    Step::Outcome(outcome) => game.apply_outcome(&mut state, outcome, &mut heard),
                }
                events.bytes(format!("{heard:?}").as_bytes());
            }
        }
        println!("{:?}", game.options());
    }
    println!("{states} states");
    for (name, hasher) in names {
        println!("BASE {name} {:016x}", hasher.finish());
    }
}
