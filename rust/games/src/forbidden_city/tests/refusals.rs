//! One test for each kind of illegality: the rule and the reason.

use serde_json::json;

use forbidden_games_core::contract::{self, Drawing, Knowledge, Notation, Rules, Step};
use forbidden_games_core::event::Event;

use super::*;

/// Refuses `text` at `state`, which must not change, with this message.
fn refused(game: &Game, state: &State, text: &str, expected: &str) {
    let mut copy = state.clone();
    let mut events: Vec<Event> = Vec::new();
    let action = game.parse_action(text).expect("notation");
    let error = contract::play(game, &mut copy, Step::Action(action), &mut events).expect_err("illegal");
    assert_eq!(error.to_string(), expected);
    assert!(copy == *state && events.is_empty());
}

/// House set, two players, a green tile to the north, `kind` in the hand of seat 0.
fn with_hand(kind: &str) -> (Game, State) {
    let game = house(2);
    let state = position(&game, "0,2 g-A1c 0 r3", json!({"hands": [kind, "g-A3"]}));
    (game, state)
}

#[test]
fn fc_5_3_a_space_of_the_start_tile() {
    let (game, state) = with_hand("p-A3");
    refused(&game, &state, "1,-1 r0", "1,-1 r0 is not legal: FC-5.3: 1,-1 is a space of the start tile");
    refused(&game, &state, "0,0 r0", "0,0 r0 is not legal: FC-5.3: 0,0 is a space of the start tile");
}

#[test]
fn fc_5_3_an_occupied_space() {
    let (game, state) = with_hand("p-A3");
    refused(&game, &state, "0,2 r0", "0,2 r0 is not legal: FC-5.3: 0,2 is occupied by g-A1c");
}

#[test]
fn fc_5_3_a_space_that_touches_nothing() {
    let (game, state) = with_hand("p-A3");
    refused(&game, &state, "5,5 r0", "5,5 r0 is not legal: FC-5.3: 5,5 touches no occupied space");
    refused(&game, &state, "20,-20 r0", "20,-20 r0 is not legal: FC-5.3: 20,-20 touches no occupied space");
}

#[test]
fn fc_5_3_open_sides_of_different_floors() {
    let (game, state) = with_hand("p-A3");
    refused(&game, &state, "1,2 r0", "1,2 r0 is not legal: FC-5.3: open pink meets open green to the west of 1,2");
    refused(&game, &state, "0,-2 r0", "0,-2 r0 is not legal: FC-5.3: open pink meets open white to the north of 0,-2");
}

#[test]
fn fc_5_2_a_rotation_that_is_not_canonical() {
    let (game, state) = with_hand("p-A3");
    let expected = "2,0 r3 is not legal: FC-5.2: p-A3 at r3 shows the same face as at r0: say 2,0 r0";
    refused(&game, &state, "2,0 r3", expected);
    let observation = game.observation(&state, seat(0));
    let meant = game.interpret(&observation, "2,0 r3").map(|action| game.format_action(action));
    assert_eq!(meant.as_deref(), Some("2,0 r0"));
    assert_eq!(game.interpret(&observation, "2,0 r0"), None);
    assert_eq!(game.interpret(&observation, "discard"), None);
}

#[test]
fn fc_5_5_discarding_a_tile_that_can_be_laid() {
    let (game, state) = with_hand("p-A3");
    refused(&game, &state, "discard", "discard is not legal: FC-5.5: p-A3 can be laid, for example 0,3 r0");
}

#[test]
fn fc_5_5_laying_a_stuck_tile() {
    let game = game(2, json!({"side": "advanced"}));
    let state = position(&game, "2,0 w-A2 0 r3; 2,-1 w-DR 0 r3; 1,-2 w-A2r 0 r0", json!({"hands": ["p-A3", "g-A3"]}));
    refused(&game, &state, "3,0 r0", "3,0 r0 is not legal: FC-5.3: open pink meets open white to the west of 3,0");
}

#[test]
fn an_action_at_a_chance_node() {
    let game = house(2);
    let state = game.new_state();
    refused(&game, &state, "0,2 r0", "0,2 r0 is not legal: CONVENTIONS 2: this is a chance node: a tile is to be drawn");
    refused(&game, &state, "discard", "discard is not legal: CONVENTIONS 2: this is a chance node: a tile is to be drawn");
}

#[test]
fn an_action_after_the_end() {
    let game = test_set(2);
    let mut end = None;
    random_games(&game, 1, |state| end = Some(state.clone()));
    let end = end.expect("an end");
    assert!(game.is_terminal(&end));
    refused(&game, &end, "0,2 r0", "0,2 r0 is not legal: CONVENTIONS 2: the game is over");
    refused(&game, &end, "discard", "discard is not legal: CONVENTIONS 2: the game is over");
}

#[test]
fn a_draw_of_what_is_not_left() {
    let game = house(2);
    let state = position(&game, "0,2 g-A1c 0 r3", json!({}));
    let outcome = game.parse_outcome("g-a1C").expect("a kind");
    let mut copy = state.clone();
    let error = contract::play(&game, &mut copy, Step::Outcome(outcome), &mut Vec::<Event>::new()).expect_err("none left");
    assert_eq!(error.to_string(), "g-A1c is not legal: CONVENTIONS 2: none of it is left to be drawn");
    assert_eq!(copy, state);
    let (game, state) = with_hand("p-A3");
    let error =
        contract::play(&game, &mut state.clone(), Step::Outcome(outcome), &mut Vec::<Event>::new()).expect_err("a decision");
    assert_eq!(error.to_string(), "g-A1c is not legal: CONVENTIONS 2: this is no chance node");
}

#[test]
fn fc_6_1_what_is_notation() {
    let game = game(2, json!({"table": 15}));
    for (text, canonical) in [
        ("0,2 r0", "0,2 r0"),
        (" 3, -2 R1 ", "3,-2 r1"),
        ("-7 ,7\tr3", "-7,7 r3"),
        ("3 , -2\n r1", "3,-2 r1"),
        (" DisCard\t", "discard"),
    ] {
        let action = game.parse_action(text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(game.format_action(action), canonical);
    }
    for text in [
        "",
        " ",
        ",",
        "0",
        "0,2",
        "0,2r0",
        "0,2 r4",
        "0,2 r",
        "0,2 r00",
        "0,2 r0 r0",
        "+1,2 r0",
        "01,2 r0",
        "-0,2 r0",
        "0,-0 r0",
        "- 1,2 r0",
        "8,0 r0",
        "0,-8 r0",
        "99999999999999999999,0 r0",
        "0,2,3 r0",
        "discard 1",
        "dis card",
        "0;2 r0",
        "\u{665},2 r0",
        "0,2 r\u{661}",
        "0\u{ff0c}2 r0",
    ] {
        let error = game.parse_action(text).expect_err(text);
        assert!(error.to_string().contains("x and y from -7 to 7, or discard"), "{error}");
    }
    assert!(game.parse_outcome("g-A9").expect_err("no kind").to_string().contains("a kind of tile: g-A3, g-A2"));
    assert!(game.parse_action(&" ".repeat(1 << 20)).is_err());
}
