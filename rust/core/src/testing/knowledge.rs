//! What a seat knows: observations, their JSON, numbers and pictures, sampled worlds, what is learnt from a step.

use std::collections::HashMap;

use serde_json::Value;

use super::check::{Check, ensure};
use super::hostile::mutate_json;
use super::provided::check_tensor;
use super::{Examiner, text_hash};
use crate::canvas::Canvas;
use crate::contract::{self, DrawRequest, Game, Observed, Step, StepOf};
use crate::event::Event;
use crate::information::InformationState;
use crate::player::{Player, Turn};
use crate::rng::Rng;

/// Steps followed in each world.
const STEPS: usize = 10;

/// Changed observations looked at.
const NEAR: usize = 8;

/// Columns of a picture.
const WIDTH: usize = 80;

impl<G: Game> Examiner<'_, G> {
    pub(crate) fn check_knowledge(&mut self, state: &G::State, json: &Value, rng: &mut Rng) -> Check {
        let game = self.game;
        let mut first = None;
        for player in Player::all(game.num_players()) {
            let observation = game.observation(state, player);
            let seen = game.observation_to_json(&observation);
            ensure!(game.observer(&observation) == player, "the observation of seat {player} says another seat");
            check_hidden(&seen, json, "observation")?;
            let again = game
                .observation_from_json(&seen, player)
                .map_err(|error| format!("the JSON of what seat {player} sees is refused: {error}"))?;
            ensure!(again == observation, "what seat {player} sees, read from its JSON, is not equal");
            if seen != *json && game.num_players() > 1 {
                let refused = game.observation_from_json(json, player).is_err();
                ensure!(refused, "an observation of seat {player} that shows everything is accepted");
            }
            if !G::INFO.hidden_information {
                let same = *first.get_or_insert_with(|| seen.clone()) == seen;
                ensure!(same, "seat {player} sees what seat 0 does not, in a game without hidden information");
            }
            self.check_picture(state, &observation, &seen, player)?;
            self.check_near_pictures(&observation, &seen, rng)?;
            let tensor = check_tensor(&**game, &observation)?;
            self.check_worlds(state, &observation, &seen, &tensor, rng)?;
        }
        Ok(())
    }

    fn check_picture(&mut self, state: &G::State, observation: &G::Observation, json: &Value, player: Player) -> Check {
        let game = &**self.game;
        let mut legal = Vec::new();
        game.legal_actions(state, &mut legal);
        let last = game.action_from_id(0);
        for request in [
            DrawRequest { legal: &legal, last: None, width: WIDTH, focus: None },
            DrawRequest { legal: &[], last, width: WIDTH, focus: Some("no such square") },
            DrawRequest { legal: &legal, last, width: usize::MAX, focus: None },
        ] {
            let mut canvas = Canvas::new();
            game.draw(observation, &request, &mut canvas);
            let width = canvas.width();
            ensure!(width <= request.width, "a picture for seat {player} is {width} columns wide");
            ensure!(canvas.height() > 0, "a picture for seat {player} is empty");
            ensure!(canvas.to_text(false, true).is_ascii(), "a picture for seat {player} does not draw as ASCII");
        }
        // What differs must look different, whatever is marked; so the plain picture alone has to tell.
        let text = draw(game, observation);
        let hash = text_hash(&json.to_string());
        let known = *self.drawings.entry((player.0, text_hash(&text))).or_insert(hash);
        ensure!(known == hash, "two observations of seat {player} draw the same picture:\n{text}\none of them is {json}");
        Ok(())
    }

    /// Observations that differ in one value must look different too; random games seldom hold such pairs.
    fn check_near_pictures(&self, observation: &G::Observation, json: &Value, rng: &mut Rng) -> Check {
        let game = &**self.game;
        let player = game.observer(observation);
        let picture = draw(game, observation);
        for _ in 0..NEAR {
            let mut near = json.clone();
            mutate_json(&mut near, rng);
            if let Ok(other) = game.observation_from_json(&near, player) {
                let differs = other == *observation || draw(game, &other) != picture;
                ensure!(differs, "two observations of seat {player} draw the same picture: {json} and {near}:\n{picture}");
            }
        }
        Ok(())
    }

    fn check_worlds(&self, state: &G::State, observation: &G::Observation, json: &Value, tensor: &[f32], rng: &mut Rng) -> Check {
        let game = &**self.game;
        let player = game.observer(observation);
        let own = InformationState::of_state(self.game, state, player);
        let from_observation = InformationState::of_observation(self.game, observation.clone());
        ensure!(own.legal_actions == from_observation.legal_actions, "an observation of seat {player} gives other legal actions");
        ensure!(own.key() == from_observation.key(), "an observation of seat {player} has another key");
        let mut learnt = HashMap::new();
        self.check_learnt(state, observation, &mut learnt, rng)?;
        let read = game.observation_from_json(json, player).map_err(|error| error.to_string())?;
        for _ in 0..self.settings.worlds {
            let (mut twin, mut reader) = (rng.clone(), rng.clone());
            let world = game.sample_world(observation, rng);
            ensure!(game.sample_world(&read, &mut reader) == world, "equal observations of seat {player} give two worlds");
            ensure!(game.sample_world(observation, &mut twin) == world, "the same generator gives seat {player} two worlds");
            game.check_invariants(&world).map_err(|broken| format!("a world for seat {player}: {broken}"))?;
            let place = |state: &G::State| (game.turn(state), game.phase(state), game.ply(state));
            ensure!(place(&world) == place(state), "a world for seat {player} is at another node: {:?}", place(&world));
            let there = game.observation(&world, player);
            ensure!(there == *observation, "seat {player} sees something else in a sampled world");
            ensure!(game.observation_to_json(&there) == *json, "seat {player} has another JSON in a sampled world");
            ensure!(check_tensor(game, &there)? == tensor, "seat {player} has another tensor in a sampled world");
            ensure!(draw(game, &there) == draw(game, observation), "seat {player} has another picture in a sampled world");
            let same = InformationState::of_state(self.game, &world, player);
            ensure!(same.key() == own.key(), "seat {player} has another key in a sampled world");
            ensure!(same.legal_actions == own.legal_actions, "seat {player} has other legal actions in a sampled world");
            let read = game.state_from_json(&game.state_to_json(&world));
            ensure!(read.is_ok_and(|read| read == world), "a sampled world does not survive its JSON");
            if game.turn(state).player() == Some(player) {
                let value = |state: &G::State| game.evaluate(state, player);
                ensure!(value(&world) == value(state), "evaluate knows what seat {player} does not");
                let looks = |state: &G::State| {
                    let mut values = Vec::new();
                    game.look(state, player, &own.legal_actions, &mut Default::default(), &mut values);
                    values
                };
                ensure!(looks(&world) == looks(state), "look knows what seat {player} does not");
            }
            self.check_learnt(&world, observation, &mut learnt, rng)?;
        }
        Ok(())
    }

    /// Whoever learns the same from a step sees the same afterwards and is told the same, in every world that fits.
    fn check_learnt(
        &self,
        world: &G::State,
        observation: &G::Observation,
        learnt: &mut HashMap<Observed, (u64, String)>,
        rng: &mut Rng,
    ) -> Check {
        let game = &**self.game;
        let viewer = game.observer(observation);
        let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
        game.legal_actions(world, &mut actions);
        game.chance_outcomes(world, &mut outcomes);
        let mut steps: Vec<StepOf<G>> = actions.iter().map(|&action| Step::Action(action)).collect();
        steps.extend(outcomes.iter().map(|&(outcome, _)| Step::Outcome(outcome)));
        // Searches give every action an edge of its own. Only a draw may be hidden.
        if let Turn::Player(mover) = game.turn(world) {
            let mut seen: Vec<Observed> = steps.iter().map(|&step| game.observed(world, step, viewer)).collect();
            seen.sort_unstable();
            ensure!(seen.windows(2).all(|pair| pair[0] != pair[1]), "seat {viewer} cannot tell actions of seat {mover} apart");
        }
        rng.shuffle(&mut steps);
        for &step in steps.iter().take(STEPS) {
            let observed = game.observed(world, step, viewer);
            ensure!(!game.format_observed(observed).is_empty(), "what seat {viewer} learns has no text");
            let mut child = world.clone();
            let mut events: Vec<Event> = Vec::new();
            contract::play(game, &mut child, step, &mut events).map_err(|error| error.to_string())?;
            let after = game.observation_to_json(&game.observation(&child, viewer)).to_string();
            let told: Vec<String> =
                events.iter().filter(|event| event.is_visible_to(viewer)).map(|event| event.to_json().to_string()).collect();
            let told = told.join("\n");
            let (known, known_told) = learnt.entry(observed).or_insert_with(|| (text_hash(&after), told.clone()));
            let text = game.format_step(step);
            ensure!(*known == text_hash(&after), "{text}: seat {viewer} learns the same but sees something else afterwards");
            ensure!(*known_told == told, "{text}: seat {viewer} learns the same but is told {told}, elsewhere {known_told}");
        }
        Ok(())
    }
}

fn draw<G: Game>(game: &G, observation: &G::Observation) -> String {
    let mut canvas = Canvas::new();
    game.draw(observation, &DrawRequest::default(), &mut canvas);
    canvas.to_text(false, false)
}

/// The same object with parts replaced by `null`, nothing else.
fn check_hidden(seen: &Value, whole: &Value, path: &str) -> Check {
    match (seen, whole) {
        (Value::Null, _) => Ok(()),
        (Value::Array(some), Value::Array(all)) => {
            ensure!(some.len() == all.len(), "{path} has {} entries, the state {}", some.len(), all.len());
            let mut pairs = some.iter().zip(all).enumerate();
            pairs.try_for_each(|(index, (some, all))| check_hidden(some, all, &format!("{path}[{index}]")))
        }
        (Value::Object(some), Value::Object(all)) => {
            ensure!(some.keys().eq(all.keys()), "{path} has other keys than the state");
            some.iter().try_for_each(|(key, value)| check_hidden(value, &all[key], &format!("{path}.{key}")))
        }
        _ => {
            ensure!(seen == whole, "{path} is {seen}, in the state {whole}");
            Ok(())
        }
    }
}
