//! Scores (QN-7).

use forbidden_games_core::outcome::ScoreLine;
use forbidden_games_core::player::ByPlayer;

use super::game::Game;
use super::state::{Public, State};

/// Pagodas on the board (QN-7.1).
pub(super) fn scores(game: &Game, public: &Public) -> ByPlayer<i32> {
    public.supply[..game.players].iter().map(|&left| i32::from(game.allotment) - i32::from(left)).collect()
}

/// Pagodas on provinces and on villages.
pub(super) fn score_sheet(game: &Game, state: &State) -> Vec<ScoreLine> {
    let villages = villages_owned(game, &state.public);
    let provinces = scores(game, &state.public).iter().zip(&villages).map(|(all, villages)| all - villages).collect();
    vec![
        ScoreLine { item: "pagodas on provinces", rule: "QN-7.1", points: provinces },
        ScoreLine { item: "pagodas on villages", rule: "QN-7.1", points: villages },
    ]
}

/// Villages of each seat.
pub(super) fn villages_owned(game: &Game, public: &Public) -> ByPlayer<i32> {
    let mut owned: ByPlayer<i32> = (0..game.players).map(|_| 0).collect();
    for owner in (0..game.tables.villages.len()).filter_map(|village| public.board.village_owner(village)) {
        owned[owner] += 1;
    }
    owned
}
