//! What a finished match promises: its record loads whole and in part, damage is named, undo and resume meet the same luck.

use std::sync::Arc;

use super::check::{Check, ensure};
use crate::contract::{Game, Step};
use crate::error::RecordError;
use crate::interrupt::{Interrupt, Interrupted};
use crate::match_play::Match;
use crate::record::Record;
use crate::start::Start;

pub(crate) fn check<G: Game>(played: &Match<G>, prefixes: usize, interrupt: &Interrupt) -> Check {
    let record = played.record();
    let text = record.to_text();
    let parsed = Record::parse(&text).map_err(|error| format!("its own record is not read: {error}"))?;
    ensure!(parsed == record, "the record read from its text is not equal");
    let game: G = parsed.header.identity.make_game().map_err(|error| error.to_string())?;
    let game = Arc::new(game);
    let loaded = Match::from_record(Arc::clone(&game), &parsed).map_err(|error| error.to_string())?;
    ensure!(loaded.state() == played.state(), "the record leads to another state");
    ensure!(loaded.record().to_text() == text, "the record of the loaded record differs");
    let lines: Vec<&str> = text.lines().collect();
    for index in 0..prefixes.min(lines.len()) {
        ensure!(!interrupt.is_set(), "{Interrupted}");
        let count = 1 + index * (lines.len() - 1) / prefixes.min(lines.len()).saturating_sub(1).max(1);
        check_prefix(&game, played, &lines, count.min(lines.len()))?;
    }
    check_undo(played)?;
    check_start(played)
}

/// The first `count` lines load, go on to the same end, and a damaged last line is named.
fn check_prefix<G: Game>(game: &Arc<G>, played: &Match<G>, lines: &[&str], count: usize) -> Check {
    let text = lines[..count].join("\n");
    let record = Record::parse(&text).map_err(|error| format!("its first {count} lines are not read: {error}"))?;
    let mut resumed = Match::from_record(Arc::clone(game), &record).map_err(|error| format!("its first {count} lines: {error}"))?;
    while resumed.history().len() < played.history().len() {
        match played.history()[resumed.history().len()] {
            Step::Action(action) => resumed.play(action).map_err(|error| format!("resumed after {count} lines: {error}"))?,
            Step::Outcome(_) => return Err(format!("resumed after {count} lines, a draw is left open")),
        }
    }
    let same = resumed.history() == played.history() && resumed.state() == played.state();
    ensure!(same, "resumed after {count} lines, the same actions lead elsewhere");
    let cut = &text[..text.len() - 1 - lines[count - 1].len() / 2];
    match Record::parse(cut) {
        Err(RecordError::Line { line, .. }) if line == count => {}
        other => return Err(format!("line {count} cut short gives {other:?}")),
    }
    if count > 1 && count <= record.steps.len() + 1 {
        let mut changed = record.clone();
        "no such thing".clone_into(&mut changed.steps[count - 2].text);
        let loaded = Match::from_record(Arc::clone(game), &changed);
        ensure!(
            matches!(&loaded, Err(RecordError::Ply { line, .. }) if *line == count),
            "a wrong step on line {count} is not named"
        );
    }
    if let (Some(result), true) = (&record.result, count == lines.len()) {
        let mut changed = record.clone();
        let mut wrong = result.clone();
        wrong.scores[0] = wrong.scores[0].wrapping_add(1);
        changed.result = Some(wrong);
        let loaded = Match::from_record(Arc::clone(game), &changed);
        ensure!(matches!(loaded, Err(RecordError::Ply { .. })), "a wrong result is not refused");
    }
    Ok(())
}

/// Taking everything back and making it again leads to the same states.
fn check_undo<G: Game>(played: &Match<G>) -> Check {
    let mut back = played.clone();
    let mut stack = Vec::new();
    loop {
        let (state, action) = (back.state().clone(), back.last_action());
        if !back.undo(None) {
            break;
        }
        stack.push((state, action));
    }
    ensure!(back.ply() == 0, "everything taken back leaves ply {}", back.ply());
    while let Some((state, action)) = stack.pop() {
        let Some(action) = action else { return Err("an undo without an action".to_owned()) };
        back.play(action).map_err(|error| format!("made again: {error}"))?;
        ensure!(*back.state() == state, "a move taken back and made again leads to another state");
    }
    ensure!(back.history() == played.history(), "after undo the same actions meet other luck");
    for player in crate::player::Player::all(played.game().num_players()) {
        ensure!(back.seen(player) == played.seen(player), "after undo seat {player} has seen other things");
    }
    Ok(())
}

/// A match from a state in the middle plays on and has a record of its own.
fn check_start<G: Game>(played: &Match<G>) -> Check {
    let game = played.game();
    let middle = played.history().len() / 2;
    let start = Start::State(game.state_to_json(&played.state_before(middle)));
    let mut later = Match::unresolved(Arc::clone(game), start, 0).map_err(|error| format!("begun in the middle: {error}"))?;
    for &step in &played.history()[middle..] {
        later.play_step(step).map_err(|error| format!("begun in the middle: {error}"))?;
    }
    ensure!(later.state() == played.state(), "begun in the middle the same steps lead to another state");
    let text = later.record().to_text();
    let record = Record::parse(&text).map_err(|error| error.to_string())?;
    let loaded = Match::from_record(Arc::clone(game), &record).map_err(|error| error.to_string())?;
    ensure!(loaded.record().to_text() == text, "a record begun in the middle does not load to itself");
    Ok(())
}
