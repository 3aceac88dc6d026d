//! What a game promises at a node: lists, refusals, copies, JSON, events, results.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::Value;

use super::check::{Check, ensure};
use super::identity::check_notation;
use super::{Examiner, text_hash};
use crate::contract::{self, Game, Step, StepOf};
use crate::event::Event;
use crate::outcome::{Fraction, competition_ranking, returns_of_ranking};
use crate::player::Turn;
use crate::rng::Rng;

/// Unlisted actions tried at a node.
const UNLISTED: usize = 24;

/// Listed actions checked at every node, evenly spread.
const LISTED: usize = 32;

/// Children made and examined a little at a node.
const CHILDREN: usize = 4;

/// States kept to compare equality with.
const KEPT: usize = 24;

impl<G: Game> Examiner<'_, G> {
    /// What is cheap enough for every node.
    pub(crate) fn check_node(&mut self, state: &G::State, rng: &mut Rng) -> Check {
        let game = &**self.game;
        let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
        game.legal_actions(state, &mut actions);
        game.chance_outcomes(state, &mut outcomes);
        let turn = game.turn(state);
        let expected = (matches!(turn, Turn::Player(_)), turn == Turn::Chance);
        let found = (!actions.is_empty(), !outcomes.is_empty());
        ensure!(found == expected, "{} actions and {} outcomes at a {} node", actions.len(), outcomes.len(), turn.node());
        if let Turn::Player(player) = turn {
            ensure!(player.index() < game.num_players(), "seat {player} is to move");
            let ids: Vec<u32> = actions.iter().map(|&action| game.action_id(action)).collect();
            ensure!(ids.windows(2).all(|pair| pair[0] < pair[1]), "legal actions are not ascending: {ids:?}");
            ensure!(ids.iter().all(|&id| (id as usize) < game.num_actions()), "an action id is out of range");
            // All of them are played in the full examination.
            for &action in actions.iter().step_by(actions.len().div_ceil(LISTED)) {
                let checked = game.check_action(state, action);
                ensure!(checked.is_ok(), "{} is listed but refused: {checked:?}", game.format_action(action));
            }
            let (mut one, mut other) = (rng.clone(), rng.clone());
            let sampled = game.sample_action(state, &mut one, &mut Vec::new());
            let plain = actions[other.below(actions.len() as u32) as usize];
            ensure!(
                sampled == plain,
                "sample_action gives {}, expected {}",
                game.format_action(sampled),
                game.format_action(plain)
            );
            ensure!(one.next_u64() == other.next_u64(), "sample_action does not draw exactly once");
        }
        if turn == Turn::Chance {
            let ids: Vec<u32> = outcomes.iter().map(|&(outcome, _)| game.outcome_id(outcome)).collect();
            ensure!(ids.windows(2).all(|pair| pair[0] < pair[1]), "outcomes are not ascending: {ids:?}");
            ensure!(ids.iter().all(|&id| (id as usize) < game.num_outcomes()), "an outcome id is out of range");
            ensure!(outcomes.iter().all(|&(_, weight)| weight > 0), "an outcome has no weight");
            let total: u64 = outcomes.iter().map(|&(_, weight)| u64::from(weight)).sum();
            ensure!(u32::try_from(total).is_ok(), "the weights add up to {total}");
            let (mut one, mut other) = (rng.clone(), rng.clone());
            let sampled = game.sample_outcome(state, &mut one, &mut Vec::new());
            let mut drawn = other.below(total as u32);
            let plain = outcomes.iter().find(|(_, weight)| {
                let is_it = drawn < *weight;
                drawn = drawn.saturating_sub(*weight);
                is_it
            });
            ensure!(plain.is_some_and(|(plain, _)| *plain == sampled), "sample_outcome gives {}", game.format_outcome(sampled));
            ensure!(one.next_u64() == other.next_u64(), "sample_outcome does not draw exactly once");
        }
        ensure!(G::INFO.phases.contains(&game.phase(state)), "phase {} is not one of the rule page's", game.phase(state));
        game.check_invariants(state)?;
        self.check_refusals(state, &actions, rng)
    }

    /// Unlisted actions are refused by a rule, and nothing changes.
    fn check_refusals(&mut self, state: &G::State, legal: &[G::Action], rng: &mut Rng) -> Check {
        let game = &**self.game;
        let size = game.num_actions();
        let ids: Vec<u32> =
            if size <= UNLISTED { (0..size as u32).collect() } else { (0..UNLISTED).map(|_| rng.below(size as u32)).collect() };
        for action in ids.into_iter().filter_map(|id| game.action_from_id(id)) {
            if legal.binary_search(&action).is_ok() {
                continue;
            }
            let mut copy = state.clone();
            let mut events: Vec<Event> = Vec::new();
            let Err(error) = contract::play(game, &mut copy, Step::Action(action), &mut events) else {
                return Err(format!("{} is not listed but played", game.format_action(action)));
            };
            ensure!(copy == *state && events.is_empty(), "refusing {} changed something", game.format_action(action));
            ensure!(!error.refusal.rule.is_empty() && !error.refusal.reason.is_empty(), "{error}: no rule or reason");
            ensure!(error.action == game.format_action(action), "the refusal names {}", error.action);
            *self.report.refusals.entry(error.refusal.rule).or_default() += 1;
        }
        if game.turn(state) != Turn::Chance && game.num_outcomes() > 0 {
            let outcome = game.outcome_from_id(rng.below(game.num_outcomes() as u32));
            let refused = outcome.is_none_or(|outcome| game.check_outcome(state, outcome).is_err());
            ensure!(refused, "an outcome is accepted at a {} node", game.turn(state).node());
        }
        Ok(())
    }

    /// Everything.
    pub(crate) fn examine(&mut self, state: &G::State, rng: &mut Rng) -> Check {
        let before = state.clone();
        let json = self.check_json(state)?;
        self.check_bytes(state)?;
        self.check_steps(state, rng)?;
        self.check_judgement(state)?;
        self.check_results(state)?;
        self.check_knowledge(state, &json, rng)?;
        ensure!(before == *state, "examining a state changed it");
        Ok(())
    }

    fn check_json(&mut self, state: &G::State) -> Result<Value, String> {
        let game = &**self.game;
        let json = game.state_to_json(state);
        let text = json.to_string();
        check_header(game, state, &json)?;
        check_plain(&json, "state")?;
        let read: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        let again = game.state_from_json(&read).map_err(|error| format!("its own JSON is refused: {error}"))?;
        ensure!(again == *state, "the state read from its JSON is not equal");
        ensure!(hash_of(&again) == hash_of(state), "equal states have different hashes");
        ensure!(game.key(&again) == game.key(state), "equal states have different keys");
        let text_again = game.state_to_json(&again).to_string();
        ensure!(text_again == text, "the JSON of the state read from JSON differs");
        let list = |state: &G::State| {
            let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
            game.legal_actions(state, &mut actions);
            game.chance_outcomes(state, &mut outcomes);
            (game.turn(state), actions, outcomes)
        };
        ensure!(list(&again) == list(state), "the state read from JSON has other legal steps");
        let hash = text_hash(&text);
        for (other, other_hash) in &self.seen {
            ensure!((other == state) == (*other_hash == hash), "equality of states is not equality of their JSON");
        }
        if self.seen.len() < KEPT {
            self.seen.push((state.clone(), hash));
        } else {
            self.seen[self.mutants % KEPT] = (again, hash);
            self.mutants += 1;
        }
        Ok(json)
    }

    fn check_steps(&self, state: &G::State, rng: &mut Rng) -> Check {
        let game = &**self.game;
        let (mut actions, mut outcomes) = (Vec::new(), Vec::new());
        game.legal_actions(state, &mut actions);
        self.check_counts(state, &actions)?;
        game.chance_outcomes(state, &mut outcomes);
        let mut notations = HashSet::new();
        let mut steps: Vec<StepOf<G>> = Vec::new();
        for &action in &actions {
            let text = game.format_action(action);
            check_notation(&text, action, |text| game.parse_action(text).map_err(|error| error.to_string()))?;
            ensure!(game.action_from_id(game.action_id(action)) == Some(action), "{text} has an id that means another");
            ensure!(notations.insert(text.clone()), "two legal actions are written {text}");
            let checked = game.check_action(state, action);
            ensure!(checked.is_ok(), "{text} is listed but refused: {checked:?}");
            steps.push(Step::Action(action));
        }
        for &(outcome, _) in &outcomes {
            let text = game.format_outcome(outcome);
            check_notation(&text, outcome, |text| game.parse_outcome(text).map_err(|error| error.to_string()))?;
            ensure!(game.outcome_from_id(game.outcome_id(outcome)) == Some(outcome), "{text} has an id that means another");
            ensure!(notations.insert(text.clone()), "two outcomes are written {text}");
            steps.push(Step::Outcome(outcome));
        }
        rng.shuffle(&mut steps);
        for &step in steps.iter().take(CHILDREN) {
            let text = game.format_step(step);
            let mut child = state.clone();
            game.apply(&mut child, step);
            let mut with_events = state.clone();
            let mut events: Vec<Event> = Vec::new();
            contract::play(game, &mut with_events, step, &mut events).map_err(|error| error.to_string())?;
            ensure!(child == with_events, "{text} with events leads to another state");
            for event in &events {
                let is_seat = event.private_to.is_none_or(|player| player.index() < game.num_players());
                let has_words = !event.kind.is_empty() && !event.rule.is_empty() && !event.text.is_empty();
                ensure!(is_seat && has_words, "{text}: event {event:?} lacks something");
            }
            game.check_invariants(&child).map_err(|broken| format!("after {text}: {broken}"))?;
            let plies = game.ply(state) + u32::from(matches!(step, Step::Action(_)));
            ensure!(game.ply(&child) == plies, "after {text} the ply is {}, expected {plies}", game.ply(&child));
            let (before, after) = (game.state_to_json(state).to_string(), game.state_to_json(&child).to_string());
            ensure!((before == after) == (child == *state), "after {text} equality is not equality of JSON");
            ensure!(game.parse_step(state, &text).is_ok_and(|read| read == step), "{text} is not read as the step it is");
        }
        Ok(())
    }

    pub(crate) fn check_results(&self, state: &G::State) -> Check {
        let game = &**self.game;
        let players = game.num_players();
        let scores = game.scores(state);
        ensure!(scores.len() == players, "{} scores", scores.len());
        let sheet = game.score_sheet(state);
        let mut items = HashSet::new();
        for line in &sheet {
            ensure!(line.points.len() == players && !line.rule.is_empty(), "score line {} is incomplete", line.item);
            ensure!(items.insert(line.item), "two score lines are named {}", line.item);
        }
        for seat in 0..players {
            let sum: i64 = sheet.iter().map(|line| i64::from(line.points[seat])).sum();
            ensure!(sum == i64::from(scores[seat]), "the sheet of seat {seat} adds up to {sum}, its score is {}", scores[seat]);
        }
        ensure!(game.is_terminal(state) == (game.turn(state) == Turn::Over), "is_terminal does not agree with turn");
        if !game.is_terminal(state) {
            return Ok(());
        }
        let ranking = game.ranking(state);
        ensure!(ranking.len() == players, "{} places", ranking.len());
        let returns = game.exact_returns(state);
        if players == 1 {
            let is_one = returns[0] == Fraction::new(1, 1) || returns[0] == Fraction::new(-1, 1);
            return if is_one { Ok(()) } else { Err(format!("alone, the return is {}", returns[0])) };
        }
        let competition = competition_ranking(players, |a, b| ranking[a] < ranking[b]);
        ensure!(competition == ranking, "{ranking:?} is no competition ranking");
        ensure!(returns == returns_of_ranking(&ranking), "returns do not follow from the ranking {ranking:?}");
        let as_floats: Vec<f32> = returns.iter().map(|fraction| fraction.to_f32()).collect();
        ensure!(game.returns(state).as_slice() == as_floats, "returns differ from exact_returns");
        if let Some(totals) = game.series_total(state) {
            ensure!(totals.len() == players, "{} series totals", totals.len());
        }
        Ok(())
    }
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The first keys of a state (CONVENTIONS 6).
fn check_header<G: Game>(game: &G, state: &G::State, json: &Value) -> Check {
    let turn = game.turn(state);
    let expected = crate::contract::state_header(game, game.ply(state), turn, game.phase(state));
    let Some(object) = json.as_object() else { return Err("the state is no JSON object".to_owned()) };
    let mut found = object.iter();
    for (key, value) in &expected {
        let same = found.next().is_some_and(|(found_key, found)| found_key == key && found == value);
        ensure!(same, "the state's JSON lacks {key} = {value} in its place");
    }
    Ok(())
}

/// Integers, strings, booleans, null, lists and objects only.
fn check_plain(value: &Value, path: &str) -> Check {
    match value {
        Value::Number(number) => ensure!(number.is_i64() || number.is_u64(), "{path} is the float {number}"),
        Value::Array(items) => {
            items.iter().enumerate().try_for_each(|(index, item)| check_plain(item, &format!("{path}[{index}]")))?;
        }
        Value::Object(map) => map.iter().try_for_each(|(key, item)| check_plain(item, &format!("{path}.{key}")))?,
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
    Ok(())
}
