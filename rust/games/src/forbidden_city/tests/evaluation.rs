//! The quick evaluation and the appraisal of actions against slow ones that are easy to follow.

use forbidden_games_core::contract::{Data, Judgement, Notation, Rules};
use forbidden_games_core::player::ByPlayer;

use super::super::Action;
use super::super::prospects::rounded;
use super::super::scoring::payments;
use super::super::state::Phase;
use super::*;

/// What every seat can hope for, from the rooms as JSON shows them.
fn slow_prospects(game: &Game, state: &State) -> ByPlayer<f64> {
    const UNIT: f64 = 1_048_576.0;
    let mut prospects: ByPlayer<f64> = game.scores(state).into_iter().map(f64::from).collect();
    if state.phase == Phase::End {
        return prospects;
    }
    let players = game.num_players();
    let to_come: u32 = state.left[..players].iter().map(|&left| u32::from(left) - 2).sum();
    let mut sums = [0_i64; 4];
    for room in game.rooms(state.table()).iter().filter(|room| room.open > 0) {
        let open = f64::from(room.open);
        let hope = f64::from(to_come) / (f64::from(to_come) + 2.0 * open) * 0.8_f64 / (1.0 + 0.15 * (open - 1.0));
        for (sum, paid) in sums.iter_mut().zip(payments(&room.total.advisors[..players], room.total.value)) {
            *sum += (hope * f64::from(paid) * UNIT).round() as i64;
        }
    }
    for (seat, prospect) in prospects.iter_mut().enumerate() {
        let unplayed = state.unplayed(seat).iter().zip(game.kinds());
        let worth: i32 = unplayed.map(|(&copies, kind)| i32::from(copies) * kind.tally_worth()).sum();
        *prospect += sums[seat] as f64 / UNIT;
        *prospect += 2.0 * f64::from(worth) / f64::from(state.left[seat].max(2));
    }
    prospects
}

fn slow_evaluation(game: &Game, state: &State, player: Player) -> f64 {
    let prospects = slow_prospects(game, state);
    let others = (0..prospects.len()).filter(|&seat| seat != player.index());
    prospects[player.index()] - others.map(|seat| prospects[seat]).fold(f64::NEG_INFINITY, f64::max)
}

/// Takes the action and evaluates; a result counts more than any lead.
fn slow_appraisal(game: &Game, state: &State, player: Player, action: Action) -> f64 {
    let mut next = state.clone();
    game.apply(&mut next, Step::Action(action));
    let result = if game.is_terminal(&next) { 1e6 * f64::from(game.returns(&next)[player.index()]) } else { 0.0 };
    slow_evaluation(game, &next, player) + result
}

/// Compares all actions of a decision.
fn compare(game: &Game, state: &State) {
    let Turn::Player(player) = game.turn(state) else { return };
    let (mut actions, mut values) = (Vec::new(), vec![0.5]);
    game.legal_actions(state, &mut actions);
    game.look(state, player, &actions, &mut Default::default(), &mut values);
    assert_eq!(values.remove(0), 0.5, "values are appended");
    assert_eq!(values.len(), actions.len());
    for (&action, value) in actions.iter().zip(values) {
        let slow = slow_appraisal(game, state, player, action);
        let text = game.format_action(action);
        assert_eq!(value.to_bits(), slow.to_bits(), "{value}, slowly {slow}: {text} at {}", game.state_to_json(state));
    }
}

#[test]
fn evaluation_is_the_number_that_the_rooms_give() {
    for game in all_games() {
        random_games(&game, 2, |state| {
            for player in Player::all(game.num_players()) {
                let (quick, slow) = (game.evaluate(state, player), slow_evaluation(&game, state, player));
                assert_eq!(quick.to_bits(), slow.to_bits(), "{quick}, slowly {slow}: {}", game.state_to_json(state));
            }
        });
    }
}

#[test]
fn an_action_looks_as_good_as_the_position_after_it() {
    for game in all_games() {
        random_games(&game, 1, |state| compare(&game, state));
    }
}

/// In games played well rooms are larger, and more of them close.
#[test]
fn an_action_looks_as_good_as_the_position_after_it_in_greedy_games() {
    for game in all_games() {
        let mut rng = Rng::stream(5, "test", 0);
        let mut state = game.new_state();
        let (mut actions, mut values) = (Vec::new(), Vec::new());
        while !game.is_terminal(&state) {
            compare(&game, &state);
            let Turn::Player(player) = game.turn(&state) else {
                step_randomly(&game, &mut state, &mut rng);
                continue;
            };
            actions.clear();
            values.clear();
            game.legal_actions(&state, &mut actions);
            game.look(&state, player, &actions, &mut Default::default(), &mut values);
            let best = (0..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b])).expect("an action");
            game.apply(&mut state, Step::Action(actions[best]));
        }
    }
}

#[test]
fn the_order_of_laying_does_not_count_for_how_actions_look() {
    let game = house(3);
    random_games(&game, 2, |state| {
        if game.turn(state).player().is_some() {
            compare(&game, &game.state_from_json(&game.state_to_json(state)).expect("a state"));
        }
    });
}

/// The rule as it is written: who has most, who is second.
fn paid_by_the_page(advisors: &[u32], value: u32) -> Vec<u32> {
    let most = advisors.iter().copied().max().unwrap_or(0);
    let leaders = advisors.iter().filter(|&&count| count == most).count();
    let second = advisors.iter().copied().filter(|&count| count < most).max().unwrap_or(0);
    let seconds = advisors.iter().filter(|&&count| count == second).count();
    let paid = |&count: &u32| match count {
        0 => 0,
        _ if count == most && leaders == 1 => value,
        _ if count == most => value / 2,
        _ if leaders == 1 && count == second && seconds == 1 => value / 2,
        _ => 0,
    };
    advisors.iter().map(paid).collect()
}

#[test]
fn fc_7_2_payments_for_all_counts() {
    for players in 2..=4 {
        for number in 0..6_u32.pow(players) {
            let advisors: Vec<u32> = (0..players).map(|seat| number / 6_u32.pow(seat) % 6).collect();
            for value in [0, 1, 7, 100] {
                let paid = payments(&advisors, value);
                assert_eq!(paid.as_slice(), paid_by_the_page(&advisors, value), "{advisors:?}, value {value}");
            }
        }
    }
}

#[test]
fn rounding_is_that_of_the_library() {
    for whole in [0.0, 1.0, 2.0, 12_345.0, 4_503_599_627_370_495.0, 9_007_199_254_740_992.0_f64] {
        for number in [whole, whole + 0.25, (whole + 0.5).next_down(), whole + 0.5, (whole + 0.5).next_up(), whole + 0.75] {
            assert_eq!(rounded(number), number.round() as i64, "{number}");
        }
    }
}
