//! Ids of legal actions.

use forbidden_games_core::contract::Rules;

/// Ids of all legal actions, ascending.
pub(super) fn legal_ids<G: Rules>(game: &G, state: &G::State) -> Vec<u32> {
    // Room for most positions: growing step by step would cost more than the list.
    let mut ids = Vec::with_capacity(256);
    game.for_each_legal_id(state, |id| ids.push(id));
    ids
}
