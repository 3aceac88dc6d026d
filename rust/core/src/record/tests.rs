use std::sync::Arc;

use super::*;
use crate::contract::Setup;
use crate::match_play::Match;
use crate::rng::Rng;
use crate::testing::pebbles::{Pebbles, own_set, pebbles};

fn finished(game: Pebbles, seed: u64) -> Match<Pebbles> {
    let mut played = Match::new(Arc::new(game), seed);
    let mut rng = Rng::stream(seed, "test", 0);
    while !played.is_terminal() {
        let legal = played.legal_actions();
        played.play(legal[rng.below(legal.len() as u32) as usize]).unwrap();
    }
    played
}

fn load(text: &str) -> Result<Match<Pebbles>, RecordError> {
    let record = Record::parse(text)?;
    let game = record.header.identity.make_game::<Pebbles>()?;
    Match::from_record(Arc::new(game), &record)
}

fn line_of(error: &RecordError) -> usize {
    match error {
        RecordError::Line { line, .. } | RecordError::Ply { line, .. } => *line,
    }
}

#[test]
fn the_header_has_the_documented_keys() {
    let text = Match::new(Arc::new(pebbles(2)), u64::MAX).record().to_text();
    let header = text.lines().next().unwrap();
    assert_eq!(
        header,
        "{\"record\":1,\"game\":\"pebbles\",\"rules\":1,\"players\":2,\"options\":{\"columns\":4,\"claim\":\"free\",\
         \"components\":\"pebbles-1\"},\"components\":\"pebbles-1\",\"seats\":[\"seat 0\",\"seat 1\"],\"seed\":18446744073709551615}"
    );
    assert!(text.lines().nth(1).unwrap().starts_with("{\"ply\":0,\"outcome\":\""));
}

#[test]
fn a_record_replays_to_the_same_game() {
    let own = Pebbles::new(3, &Map::new(), Some(&ComponentSource::Set(own_set()))).unwrap();
    for game in [pebbles(2), pebbles(4), own] {
        let played = finished(game, 8);
        let text = played.record().to_text();
        let again = load(&text).unwrap();
        assert_eq!(again.state(), played.state());
        assert_eq!(again.record().to_text(), text);
    }
}

#[test]
fn the_first_lines_are_a_record_of_an_unfinished_game() {
    let played = finished(pebbles(3), 3);
    let text = played.record().to_text();
    let lines: Vec<&str> = text.lines().collect();
    for count in 1..=lines.len() {
        let mut again = load(&lines[..count].join("\n")).unwrap();
        assert!(again.history().len() >= count.min(played.history().len() + 1) - 1);
        // What the record does not tell comes from its seed.
        while again.history().len() < played.history().len() {
            match played.history()[again.history().len()] {
                crate::contract::Step::Action(action) => again.play(action).unwrap(),
                crate::contract::Step::Outcome(_) => unreachable!("chance is resolved"),
            }
        }
        assert_eq!(again.history(), played.history());
    }
}

#[test]
fn damage_is_named_by_its_line() {
    let text = finished(pebbles(2), 4).record().to_text();
    let lines: Vec<&str> = text.lines().collect();
    for damaged in 0..lines.len() {
        for broken in [
            "",
            "{",
            "null",
            "{\"ply\":0}",
            "{\"ply\":0,\"action\":\"claim\",\"outcome\":\"jade\"}",
            "{\"ply\":1.5,\"action\":\"x\"}",
        ] {
            if broken.is_empty() && damaged + 1 == lines.len() {
                continue; // That is the end of the line before.
            }
            let mut copy = lines.clone();
            copy[damaged] = broken;
            assert_eq!(line_of(&load(&copy.join("\n")).unwrap_err()), damaged + 1, "{broken}");
        }
        let cut = &text[..lines[..=damaged].iter().map(|line| line.len() + 1).sum::<usize>() - 3];
        assert_eq!(line_of(&load(cut).unwrap_err()), damaged + 1);
        if damaged > 0 {
            let (record, error) = Record::parse_until_error(cut).unwrap();
            assert_eq!(record.steps.len(), damaged - 1);
            assert_eq!(line_of(&error.unwrap()), damaged + 1);
        }
    }
}

#[test]
fn what_editors_put_around_a_record_does_not_count() {
    let text = finished(pebbles(2), 4).record().to_text();
    let plain = Record::parse(&text).unwrap();
    for around in ["\n", "\n\n\n", "\r\n", " \t\n", "\n  "] {
        assert_eq!(Record::parse(&format!("{text}{around}")).unwrap(), plain, "{around:?}");
        assert_eq!(Record::parse(&format!("\u{feff}{text}{around}")).unwrap(), plain, "{around:?}");
    }
    assert_eq!(Record::parse(&text.replace('\n', "\r\n")).unwrap(), plain);
    let last = text.lines().count();
    let cut = format!("{}\n\n", &text[..text.len() - 5]);
    assert_eq!(line_of(&load(&cut).unwrap_err()), last, "a cut last line stays damage");
    assert_eq!(line_of(&load(&text.replacen('\n', "\n\n", 1)).unwrap_err()), 2, "a blank line inside is damage");
    assert_eq!(line_of(&load(&format!("\n{text}")).unwrap_err()), 1);
    for nothing in ["", "\u{feff}", "\n\n"] {
        assert_eq!(line_of(&Record::parse(nothing).unwrap_err()), 1);
    }
}

#[test]
fn what_does_not_follow_is_named_by_its_ply() {
    let played = finished(pebbles(2), 4);
    let record = played.record();
    let game = played.game();
    let first = record.steps.iter().position(|step| step.kind == StepKind::Action).unwrap();
    let check = |record: &Record, expected_ply: usize, words: &str| {
        let error = Match::from_record(Arc::clone(game), record).unwrap_err();
        assert!(matches!(error, RecordError::Ply { ply, .. } if ply == expected_ply), "{error}");
        assert!(error.to_string().contains(words), "{error}");
    };
    let mut changed = record.clone();
    changed.steps[first + 2].text = "claim".to_owned();
    check(&changed, 1, "PB-4");
    let (kept, error) = Match::from_record_until_error(Arc::clone(game), &changed).unwrap();
    assert!(error.is_some());
    assert_eq!(kept.history(), &played.history()[..first + 2]);
    let mut changed = record.clone();
    changed.steps.remove(first + 1);
    check(&changed, 1, "chance node");
    let mut changed = record.clone();
    changed.steps[first].ply = 7;
    check(&changed, 0, "expected 0");
    let mut changed = record.clone();
    changed.result.as_mut().unwrap().scores[0] += 1;
    check(&changed, played.ply() as usize, "result");
    let mut changed = record.clone();
    changed.steps.truncate(first);
    check(&changed, 0, "not over");
}

#[test]
fn another_game_or_rules_version_is_refused_on_line_1() {
    let record = finished(pebbles(2), 1).record();
    let refused = |change: &dyn Fn(&mut Identity), words: &str| {
        let mut changed = record.clone();
        change(&mut changed.header.identity);
        let error = Match::from_record(Arc::new(pebbles(2)), &changed).unwrap_err();
        assert!(matches!(error, RecordError::Line { line: 1, .. }), "{error}");
        assert!(error.to_string().contains(words), "{error}");
    };
    refused(&|identity| identity.game = "chess".to_owned(), "expected pebbles");
    refused(&|identity| identity.rules = 2, "expected version 1");
    refused(&|identity| identity.players = 3, "players");
    refused(&|identity| identity.components = own_set(), "components");
    refused(&|identity| identity.options["columns"] = 5.into(), "options");
    refused(&|identity| identity.options["columns"] = 50.into(), "columns");
    refused(&|identity| identity.start = Start::State(Value::Null), "state");
    assert!(Record::parse(&record.to_text().replace("\"record\":1", "\"record\":2")).is_err());
    assert!(Record::parse(&record.to_text().replacen("\"seed\":1", "\"seed\":-1", 1)).is_err());
    assert!(Record::parse(&(record.to_text() + "{\"ply\":99,\"action\":\"claim\"}")).is_err(), "nothing after the result");
    assert!(Record::parse("").is_err());
}

#[test]
fn a_record_can_be_cut_at_a_ply() {
    let played = finished(pebbles(2), 6);
    let record = played.record();
    assert_eq!(record.until_ply(u32::MAX), record);
    let again = Match::from_record(Arc::clone(played.game()), &record.until_ply(3)).unwrap();
    assert_eq!(again.ply(), 3);
    assert_eq!(again.history(), &played.history()[..again.history().len()]);
}
