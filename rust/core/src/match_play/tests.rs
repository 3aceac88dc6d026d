use super::*;
use crate::contract::{Data, Observed, Rules};
use crate::rng::Rng;
use crate::testing::pebbles::{Action, Pebbles, pebbles};

fn random_action(played: &Match<Pebbles>, salt: u64) -> Action {
    let legal = played.legal_actions();
    legal[Rng::stream(salt, "test", u64::from(played.ply())).below(legal.len() as u32) as usize]
}

fn finished(players: usize, seed: u64) -> Match<Pebbles> {
    let mut played = Match::new(Arc::new(pebbles(players)), seed);
    while !played.is_terminal() {
        played.play(random_action(&played, seed)).unwrap();
    }
    played
}

#[test]
fn a_new_match_stands_at_its_first_decision() {
    let played = Match::new(Arc::new(pebbles(3)), 1);
    assert_eq!(played.turn(), Turn::Player(Player(0)));
    assert_eq!((played.history().len(), played.chance_nodes(), played.ply()), (6, 6, 0));
    assert_eq!(played.events().len(), 6, "the set-up draws");
}

#[test]
fn same_seed_same_game_and_other_seed_another() {
    assert_eq!(finished(2, 5).record(), finished(2, 5).record());
    assert_ne!(finished(2, 5).history(), finished(2, 6).history());
}

#[test]
fn undo_then_the_same_action_meets_the_same_luck() {
    let mut played = finished(4, 9);
    let whole = played.clone();
    let mut states = vec![played.state().clone()];
    let mut actions = Vec::new();
    while let Some(action) = played.last_action() {
        actions.push(action);
        assert!(played.undo(None));
        states.push(played.state().clone());
    }
    assert!(!played.undo(None), "nothing is left to take back");
    assert_eq!(played.history().len(), 8, "set-up draws stay");
    for (action, state) in actions.iter().rev().zip(states.iter().rev().skip(1)) {
        played.play(*action).unwrap();
        assert_eq!(played.state(), state);
    }
    assert_eq!(played.history(), whole.history());
    assert_eq!(played.chance_nodes(), whole.chance_nodes());
}

#[test]
fn undo_to_a_seat_goes_over_the_others() {
    let mut played = Match::new(Arc::new(pebbles(3)), 2);
    let before = played.state().clone();
    for _ in 0..3 {
        played.play(random_action(&played, 2)).unwrap();
    }
    assert!(played.undo(Some(Player(0))));
    assert_eq!(*played.state(), before);
    assert!(!played.undo(Some(Player(0))));
}

#[test]
fn an_illegal_action_changes_nothing() {
    let mut played = Match::new(Arc::new(pebbles(2)), 3);
    let before = played.record();
    let error = played.play(Action::Claim).unwrap_err();
    assert_eq!(error.refusal.rule, "PB-4");
    assert_eq!(played.record(), before);
}

#[test]
fn history_of_a_seat_grows_and_shrinks_with_the_match() {
    let mut played = Match::new(Arc::new(pebbles(2)), 4);
    let mut lengths = Vec::new();
    for _ in 0..20 {
        assert_eq!(played.seen(Player(0)).len(), played.history().len());
        lengths.push(played.seen(Player(1)));
        if played.is_terminal() {
            break;
        }
        played.play(random_action(&played, 4)).unwrap();
    }
    while let Some(seen) = lengths.pop() {
        assert_eq!(played.seen(Player(1)), seen);
        assert_eq!(played.clone().information_state(Player(1)).history, seen);
        played.undo(None);
    }
    // The other seat's draws are seen as nothing, one's own as kinds.
    let played = Match::new(Arc::new(pebbles(2)), 4);
    let hidden = |player| played.seen(player).iter().filter(|&&seen| seen == Observed::NOTHING).count();
    assert_eq!((hidden(Player(0)), hidden(Player(1))), (2, 2));
}

#[test]
fn states_and_events_of_any_step() {
    let played = finished(2, 11);
    let game = played.game();
    let mut state = game.new_state();
    for (index, &step) in played.history().iter().enumerate() {
        assert_eq!(played.state_before(index), state, "step {index}");
        game.apply(&mut state, step);
    }
    assert_eq!(played.state_before(usize::MAX), *played.state());
    assert!(played.events_from(usize::MAX).is_empty());
    let mut again = Match::new(Arc::clone(game), 11);
    let mut events = again.events();
    for &step in &played.history()[4..] {
        if let Step::Action(action) = step {
            again.play(action).unwrap();
            events.extend(again.events());
        }
    }
    assert_eq!(events, played.events_from(0));
}

#[test]
fn starts_from_a_position_or_a_state() {
    let game = Arc::new(pebbles(2));
    let position = serde_json::json!({"hands": [["amber", "onyx"], ["jade", "jade"]]});
    let mut played = Match::from_start(Arc::clone(&game), Start::Position(position), 1).unwrap();
    assert!(played.history().is_empty());
    assert!(played.play(Action::Drop(1, 0)).is_err(), "seat 0 has no jade");
    played.play(Action::Drop(0, 0)).unwrap();
    let state = game.state_to_json(played.state());
    let other = Match::from_start(Arc::clone(&game), Start::State(state), 1).unwrap();
    assert_eq!(other.state(), played.state());
    assert_eq!(Match::from_record(game, &other.record()).unwrap().state(), played.state());
    let refused = Match::from_start(Arc::new(pebbles(3)), Start::Position(serde_json::json!({"hands": []})), 1);
    assert!(refused.unwrap_err().to_string().contains("hands"));
}

#[test]
fn known_outcomes_can_be_given() {
    let mut played = Match::unresolved(Arc::new(pebbles(2)), Start::Ordinary, 0).unwrap();
    assert_eq!(played.turn(), Turn::Chance);
    assert!(played.play_text("drop amber a").is_err(), "an outcome is expected");
    for text in ["amber", " ONYX ", "jade", "jade"] {
        played.play_text(text).unwrap();
    }
    assert!(played.play_text("jade").is_err(), "a decision is expected");
    assert!(played.play_text("drop onyx a").is_ok());
    assert_eq!(played.turn(), Turn::Chance);
    played.resolve_chance();
    assert_eq!(played.turn(), Turn::Player(Player(1)));
}

#[test]
fn seats_are_checked() {
    let mut played = Match::new(Arc::new(pebbles(2)), 0);
    assert!(played.set_seats(vec!["one".to_owned()]).is_err());
    assert!(played.set_seats(vec!["one".to_owned(), "t\u{1b}wo".to_owned()]).is_err());
    played.set_seats(vec!["human".to_owned(), "greedy".to_owned()]).unwrap();
    assert_eq!(Match::from_record(Arc::clone(played.game()), &played.record()).unwrap().seats(), played.seats());
}

#[test]
fn listed_ids_are_those_of_the_state_now() {
    let mut played = Match::new(Arc::new(pebbles(2)), 8);
    let game = Arc::clone(played.game());
    let ids_now = |played: &Match<_>| played.legal_actions().iter().map(|&action| game.action_id(action)).collect::<Vec<_>>();
    for _ in 0..6 {
        assert_eq!(played.list_legal_ids().to_vec(), ids_now(&played));
        assert_eq!(played.num_legal_before(), played.legal_actions().len());
        let legal = played.legal_actions();
        let unlisted =
            (0..game.num_actions() as u32).filter_map(|id| game.action_from_id(id)).find(|action| !legal.contains(action));
        assert!(unlisted.is_none_or(|action| played.play(action).is_err()));
        played.play(legal[0]).unwrap();
        assert_eq!(played.list_legal_ids().to_vec(), ids_now(&played));
    }
    played.undo(None);
    assert_eq!(played.list_legal_ids().to_vec(), ids_now(&played));
}
