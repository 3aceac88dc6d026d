//! Random games: what must hold at every node.

use forbidden_games_core::contract::{Audit, Data, Drawing, Judgement, Knowledge, Notation, Rules, Setup, Step};
use forbidden_games_core::event::Event;
use forbidden_games_core::options::{ComponentSource, Options};
use forbidden_games_core::player::{Player, Turn};
use forbidden_games_core::rng::Rng;
use forbidden_games_core::testing::random_step;

use super::super::Game;
use super::super::state::PHASES;

/// How often each end of a game was met, by its text.
type Ends = std::collections::BTreeMap<String, u32>;

/// Plays one random game and checks every node; counts how often each phase and each end was met.
fn play(game: &Game, seed: u64, counts: &mut [u32], ends: &mut Ends) {
    let mut rng = Rng::stream(seed, "test", 0);
    let mut state = game.new_state();
    let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
    let (mut plies, mut draws) = (0, 0);
    let mut events: Vec<Event> = Vec::new();
    loop {
        let phase = game.phase(&state);
        counts[PHASES.iter().position(|name| *name == phase).expect("a phase")] += 1;
        if let Err(reason) = game.check_invariants(&state) {
            panic!("seed {seed}, ply {plies}: {reason}\n{}", game.state_to_json(&state));
        }
        let json = game.state_to_json(&state);
        let loaded = game.state_from_json(&json).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{json}"));
        assert_eq!(loaded, state, "seed {seed}: a loaded state is the same");
        let before = rng.clone();
        match game.turn(&state) {
            Turn::Over => break,
            Turn::Chance => {
                outcomes.clear();
                game.chance_outcomes(&state, &mut outcomes);
                let total: u32 = outcomes.iter().map(|(_, weight)| weight).sum();
                assert_eq!(total, game.outcome_total(&state), "seed {seed}: {phase}");
                let outcome = game.sample_outcome(&state, &mut rng, &mut Vec::new());
                let mut drawn = before.clone().below(total);
                let expected = outcomes.iter().find(|(_, weight)| {
                    let hit = drawn < *weight;
                    drawn = drawn.wrapping_sub(if hit { 0 } else { *weight });
                    hit
                });
                assert_eq!(expected.map(|(outcome, _)| *outcome), Some(outcome), "seed {seed}: sampled as listed");
                let text = game.format_outcome(outcome);
                assert_eq!(game.parse_step(&state, &text).ok(), Some(Step::Outcome(outcome)));
                game.apply_outcome(&mut state, outcome, &mut events);
                draws += 1;
            }
            Turn::Player(player) => {
                actions.clear();
                game.legal_actions(&state, &mut actions);
                assert!(!actions.is_empty() && actions.is_sorted(), "seed {seed}: {phase} {actions:?}");
                let ids: Vec<u32> = actions.iter().map(|&action| game.action_id(action)).collect();
                assert!(ids.windows(2).all(|pair| pair[0] < pair[1]), "seed {seed}: ids ascend");
                let action = game.sample_action(&state, &mut rng, &mut Vec::new());
                let expected = actions[before.clone().below(actions.len() as u32) as usize];
                assert_eq!(action, expected, "seed {seed}: sampled as listed");
                assert!(actions.iter().all(|&action| game.check_action(&state, action).is_ok()));
                assert!(game.evaluate(&state, player).is_finite());
                events.clear();
                game.apply_action(&mut state, action, &mut events);
                plies += 1;
            }
        }
    }
    let end = events.iter().find(|event| event.kind == "end").expect("an end that is told");
    *ends.entry(format!("{} ({})", end.text, end.rule)).or_default() += 1;
    assert!(plies <= game.max_plies() && draws <= game.max_chance_nodes(), "seed {seed}: {plies} plies, {draws} draws");
    let sheet = game.score_sheet(&state);
    for (seat, &score) in game.scores(&state).iter().enumerate() {
        assert_eq!(sheet.iter().map(|line| line.points[seat]).sum::<i32>(), score, "seed {seed}: the sheet adds up");
    }
}

fn options(pairs: &[(&str, serde_json::Value)]) -> Options {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}

/// Every number of players with every option.
fn games() -> Vec<Game> {
    let mut games = Vec::new();
    for players in 1..=4 {
        for (side, rotation, influence) in [("A", 0, "after"), ("B", 1, "any"), ("A", 2, "any"), ("B", 3, "after")] {
            let given =
                options(&[("start_side", side.into()), ("start_rotation", rotation.into()), ("influence", influence.into())]);
            games.push(Game::new(players, &given, None).expect("a game"));
        }
    }
    games
}

#[test]
fn random_games_keep_the_invariants() {
    let (mut counts, mut ends) = ([0; PHASES.len()], Ends::new());
    for game in games() {
        for seed in 0..6 {
            play(&game, seed, &mut counts, &mut ends);
        }
    }
    for (phase, count) in PHASES.iter().zip(counts) {
        assert!(count > 0, "phase {phase} never met: {counts:?}");
    }
}

#[test]
#[ignore = "soak: minutes"]
fn soak_random_games_keep_the_invariants() {
    for game in games() {
        let (mut counts, mut ends) = ([0; PHASES.len()], Ends::new());
        for seed in 1000..1250 {
            play(&game, seed, &mut counts, &mut ends);
        }
        println!("{} players {:?}: seeds 1000..1250", game.players, game.options);
        PHASES.iter().zip(counts).for_each(|(phase, count)| println!("  {phase} {count}"));
        ends.iter().for_each(|(end, count)| println!("  {end}: {count}"));
    }
}

#[test]
fn set_as_a_user_gives_it() {
    let text = super::super::components::BUILTIN_TEXT.replace("name = \"house-1\"", "name = \"mine\"");
    let set = forbidden_games_core::data::parse_toml(&text).expect("TOML");
    let game = Game::new(3, &Options::new(), Some(&ComponentSource::Set(set.clone()))).expect("a set");
    assert_eq!(game.components(), set);
    assert_eq!(game.options["components"], "mine");
    play(&game, 1, &mut [0; PHASES.len()], &mut Ends::new());
}

/// Games that `greedy` wins against `random`, seats swapped after each.
fn greedy_wins(games: u64) -> u32 {
    use forbidden_games_core::arena::{Agent, play_match};
    use forbidden_games_core::interrupt::Interrupt;
    use forbidden_games_core::search::AgentSpec;

    let game = std::sync::Arc::new(super::game(2));
    let mut greedy: AgentSpec = "greedy".parse().expect("an agent");
    let mut random: AgentSpec = "random".parse().expect("an agent");
    let mut wins = 0;
    for seed in 0..games {
        let mut agents: [&mut dyn Agent<Game>; 2] = [&mut greedy, &mut random];
        let own = (seed % 2) as usize;
        agents.rotate_left(own);
        let played = play_match(&game, &mut agents, seed / 2, &Interrupt::new()).expect("a game");
        let own = usize::from(own != 0);
        let ranking = game.ranking(played.state());
        wins += u32::from(ranking[own] < ranking[1 - own]);
        println!(
            "seed {}: greedy in seat {own}, scores {:?}, {} plies",
            seed / 2,
            game.scores(played.state()),
            game.ply(played.state())
        );
    }
    wins
}

#[test]
fn greedy_beats_random() {
    let wins = greedy_wins(4);
    assert!(wins >= 3, "{wins} of 4");
}

#[test]
#[ignore = "100 games: make soak"]
fn soak_greedy_beats_random() {
    let wins = greedy_wins(100);
    println!("greedy won {wins} of 100");
    assert!(wins >= 95, "{wins} of 100");
}

#[test]
fn pictures_stay_within_their_width_and_differ() {
    use forbidden_games_core::canvas::Canvas;
    use forbidden_games_core::contract::DrawRequest;

    let text = super::golden("own.toml");
    let set = ComponentSource::Set(forbidden_games_core::data::parse_toml(&text).expect("TOML"));
    for players in 1..=4 {
        for source in [None, Some(&set)] {
            let game = Game::new(players, &Options::new(), source).expect("a game");
            let mut canvas = Canvas::new();
            game.draw_components(&mut canvas);
            assert!(canvas.width() <= 80);
            let mut rng = Rng::stream(players as u64, "pictures", 0);
            let mut state = game.new_state();
            let mut seen = std::collections::HashMap::new();
            loop {
                let observation = game.observation(&state, Player(0));
                let mut legal = Vec::new();
                game.legal_actions(&state, &mut legal);
                for width in [60, 80, 150] {
                    let mut canvas = Canvas::new();
                    game.draw(&observation, &DrawRequest { legal: &legal, width, ..DrawRequest::default() }, &mut canvas);
                    assert!(canvas.width() <= width, "{}\n{}", canvas.width(), canvas.to_text(false, false));
                    let text = canvas.to_text(false, true);
                    assert!(width < 80 || source.is_some() || canvas.height() < 70, "{}\n{text}", canvas.height());
                    let [garden, turn] = ["      a  ", "\nTang Garden round"].map(|sign| text.find(sign).expect("drawn"));
                    assert!(width == 150 || text.find("deck of").expect("drawn") < garden, "long lists first");
                    assert!(garden < turn, "whose turn it is last");
                }
                let mut canvas = Canvas::new();
                game.draw(&observation, &DrawRequest::default(), &mut canvas);
                let picture = canvas.to_text(false, true);
                let other = seen.insert(picture, state.clone());
                assert!(other.is_none_or(|other| other == state), "two positions look alike");
                let Some(step) = random_step(&game, &state, &mut rng) else { break };
                game.apply(&mut state, step);
            }
        }
    }
}

#[test]
fn a_state_is_small_and_has_no_heap() {
    assert!(size_of::<super::super::State>() <= 2048, "{}", size_of::<super::super::State>());
}

/// Solo games of `greedy`: won, and decisions in all.
fn solo_wins(seeds: std::ops::Range<u64>) -> u32 {
    use forbidden_games_core::arena::{Agent, play_match};
    use forbidden_games_core::interrupt::Interrupt;
    use forbidden_games_core::search::AgentSpec;

    let game = std::sync::Arc::new(super::game(1));
    let mut greedy: AgentSpec = "greedy".parse().expect("an agent");
    let mut wins = 0;
    for seed in seeds {
        let mut agents: [&mut dyn Agent<Game>; 1] = [&mut greedy];
        let played = play_match(&game, &mut agents, seed, &Interrupt::new()).expect("a game");
        let state = played.state();
        let won = game.exact_returns(state)[0].numerator == 1;
        wins += u32::from(won);
        println!("seed {seed}: won {won}, {} points, {} rounds, {} plies", game.scores(state)[0], state.round, game.ply(state));
        game.check_invariants(state).expect("invariants");
    }
    wins
}

#[test]
#[ignore = "a hundred solo games: make soak"]
fn soak_solo_games_of_greedy() {
    println!("greedy won {} of 100 solo games", solo_wins(0..100));
}
