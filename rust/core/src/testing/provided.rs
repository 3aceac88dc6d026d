//! What the provided methods of the contract promise: an override gives what the slow version gives.

use super::Examiner;
use super::check::{Check, ensure};
use crate::bytes::ByteReader;
use crate::contract::Game;
use crate::encoding::{FeatureSink, Layout, Reused, Sparse};
use crate::player::{ByPlayer, Player, Turn};

impl<G: Game> Examiner<'_, G> {
    /// Count, n-th, ids and legality agree with the list of legal actions.
    pub(crate) fn check_counts(&self, state: &G::State, actions: &[G::Action]) -> Check {
        let game = &**self.game;
        let count = game.num_legal(state);
        ensure!(count == actions.len(), "num_legal gives {count}, {} actions are listed", actions.len());
        for (index, &action) in actions.iter().enumerate() {
            let found = game.nth_legal(state, index);
            ensure!(found == Some(action), "nth_legal({index}) gives {found:?}, expected {action:?}");
            ensure!(game.is_legal(state, action), "{action:?} is listed but not legal");
        }
        let beyond = game.nth_legal(state, actions.len());
        ensure!(beyond.is_none(), "nth_legal({}) gives {beyond:?}, so many are not listed", actions.len());
        let mut ids = Vec::new();
        game.for_each_legal_id(state, |id| ids.push(id));
        let expected: Vec<u32> = actions.iter().map(|&action| game.action_id(action)).collect();
        ensure!(ids == expected, "for_each_legal_id gives {ids:?}, expected {expected:?}");
        Ok(())
    }

    /// A state survives its bytes, and every seat's observation too; keys follow them.
    pub(crate) fn check_bytes(&self, state: &G::State) -> Check {
        let game = &**self.game;
        let mut bytes = Vec::new();
        game.write_bytes(state, &mut bytes);
        let mut reader = ByteReader::new(&bytes);
        let again = game.read_bytes(&mut reader).map_err(|error| format!("its own bytes are refused: {error}"))?;
        reader.finish().map_err(|error| format!("its own bytes are not read to the end: {error}"))?;
        ensure!(again == *state, "the state read from its bytes is not equal");
        let mut twice = Vec::new();
        game.write_bytes(&again, &mut twice);
        ensure!(twice == bytes, "equal states have different bytes");
        ensure!(game.key(&again) == game.key(state), "equal states have different keys");
        game.check_invariants(&again).map_err(|broken| format!("read from its bytes: {broken}"))?;
        for player in Player::all(game.num_players()) {
            let observation = game.observation(state, player);
            let mut bytes = Vec::new();
            game.write_observation_bytes(&observation, &mut bytes);
            let mut reader = ByteReader::new(&bytes);
            let again = game
                .read_observation_bytes(&mut reader)
                .map_err(|error| format!("the bytes of what seat {player} sees are refused: {error}"))?;
            reader.finish().map_err(|error| format!("the bytes of what seat {player} sees go on: {error}"))?;
            ensure!(again == observation, "what seat {player} sees, read from its bytes, is not equal");
            let mut over = game.observation(state, player.next(game.num_players()));
            game.observe_into(state, player, &mut over);
            ensure!(over == observation, "observe_into gives seat {player} something else than observation");
        }
        Ok(())
    }

    /// One judgement of all seats is the judgement of each, whatever a cache holds.
    pub(crate) fn check_judgement(&mut self, state: &G::State) -> Check {
        let game = &**self.game;
        let mut all = ByPlayer::new();
        all.push(f64::NAN);
        game.judge_all(state, &mut all);
        ensure!(all.len() == game.num_players(), "judge_all gives {} values", all.len());
        for player in Player::all(game.num_players()) {
            let value = game.evaluate(state, player);
            ensure!(value.is_finite(), "evaluate gives {value} for seat {player}");
            let same = value.to_bits() == all[player.index()].to_bits();
            ensure!(same, "evaluate gives {value} for seat {player}, judge_all {}", all[player.index()]);
        }
        if let Turn::Player(player) = game.turn(state) {
            let (mut actions, mut fresh, mut cached) = (Vec::new(), Vec::new(), Vec::new());
            game.legal_actions(state, &mut actions);
            game.look(state, player, &actions, &mut G::Cache::default(), &mut fresh);
            ensure!(fresh.len() == actions.len(), "look gives {} values for {} actions", fresh.len(), actions.len());
            ensure!(fresh.iter().all(|value| value.is_finite()), "look gives {fresh:?}");
            game.look(state, player, &actions, &mut self.cache, &mut cached);
            ensure!(cached == fresh, "what the cache holds changes how actions look");
        }
        Ok(())
    }
}

/// Notes what a game sets: every index once, in range, within the bound of its block.
struct Checked<'a> {
    layout: &'a Layout,
    raw: Vec<Option<u16>>,
    wrong: Option<String>,
}

impl FeatureSink for Checked<'_> {
    fn set(&mut self, index: usize, raw: u16) {
        let (layout, place) = (self.layout, self.raw.get_mut(index));
        let message = match (place, layout.block_of(index)) {
            (None, _) | (_, None) => Some(format!("feature {index} is not below {}", layout.size())),
            (Some(Some(_)), Some(block)) => Some(format!("feature {index} of block {} is set twice", block.name)),
            (_, Some(block)) if raw > block.bound => {
                Some(format!("feature {index} of block {} is {raw}, more than {}", block.name, block.bound))
            }
            (Some(place), Some(_)) => {
                *place = Some(raw);
                None
            }
        };
        if self.wrong.is_none() {
            self.wrong = message;
        }
    }
}

/// Every form of the numbers of an observation says the same; the dense one.
pub(crate) fn check_tensor<G: Game>(game: &G, observation: &G::Observation) -> Result<Vec<f32>, String> {
    let layout = game.observation_layout();
    let mut checked = Checked { layout, raw: vec![None; layout.size()], wrong: None };
    game.features(observation, &mut checked);
    if let Some(wrong) = checked.wrong {
        return Err(wrong);
    }
    let raw: Vec<u16> = checked.raw.into_iter().map(Option::unwrap_or_default).collect();
    let mut dense = vec![0.0; layout.size()];
    game.encode(observation, &mut dense);
    let mut sparse = Sparse::default();
    game.features(observation, &mut sparse);
    sparse.sort();
    let filled: Vec<(u32, u16)> = (0..).zip(raw.iter().copied()).filter(|&(_, raw)| raw != 0).collect();
    ensure!(sparse.0 == filled, "the sparse form is not the features that are not 0");
    for block in layout.blocks() {
        for index in block.offset..block.offset + block.len() {
            let expected = f32::from(raw[index]) / f32::from(block.scale);
            ensure!(
                dense[index] == expected,
                "block {}: float32 {} is not {} / {}",
                block.name,
                dense[index],
                raw[index],
                block.scale
            );
        }
    }
    let mut bytes = vec![0; layout.size()];
    if game.encode_u8(observation, &mut bytes).is_ok() {
        ensure!(bytes.iter().zip(&raw).all(|(&byte, &raw)| u16::from(byte) == raw), "uint8 is not the raw numbers");
    }
    // Over what another seat's observation left.
    let (mut reused, mut set) = (vec![0.0; layout.size()], Vec::new());
    for _ in 0..2 {
        game.features(observation, &mut Reused::new(layout, &mut reused, &mut set));
    }
    ensure!(reused == dense, "clearing what was set leaves something");
    Ok(dense)
}
