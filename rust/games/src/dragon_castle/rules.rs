//! The rules as the contract asks for them. What is long is in the file that is named like it.

use forbidden_games_core::contract::Rules;
use forbidden_games_core::error::Refusal;
use forbidden_games_core::event::EventSink;
use forbidden_games_core::outcome::ScoreLine;
use forbidden_games_core::player::{ByPlayer, Player, Turn};
use forbidden_games_core::rng::Rng;

use super::actions::{Action, Outcome};
use super::cards::{Dragon, Spirit};
use super::game::Game;
use super::legal::Choices;
use super::options::Settings;
use super::state::{Phase, Stack, State};
use super::{apply, refusal, scoring};

impl Rules for Game {
    type State = State;
    type Action = Action;
    type Outcome = Outcome;

    fn num_players(&self) -> usize {
        self.settings.players
    }

    fn num_actions(&self) -> usize {
        self.action_ids().len() as usize
    }

    fn num_outcomes(&self) -> usize {
        self.settings.components.symbols.len() + Dragon::ALL.len() + Spirit::ALL.len()
    }

    fn action_id(&self, action: Action) -> u32 {
        self.action_ids().id(action)
    }

    fn action_from_id(&self, id: u32) -> Option<Action> {
        self.action_ids().action(id)
    }

    fn outcome_id(&self, outcome: Outcome) -> u32 {
        let symbols = self.settings.components.symbols.len();
        let id = match outcome {
            Outcome::Symbol(symbol) => usize::from(symbol),
            Outcome::Dragon(card) => symbols + card.index(),
            Outcome::Spirit(card) => symbols + Dragon::ALL.len() + card.index(),
        };
        id as u32
    }

    fn outcome_from_id(&self, id: u32) -> Option<Outcome> {
        let symbols = self.settings.components.symbols.len();
        let Some(card) = (id as usize).checked_sub(symbols) else { return Some(Outcome::Symbol(id as u16)) };
        match Dragon::ALL.get(card) {
            Some(&dragon) => Some(Outcome::Dragon(dragon)),
            None => Spirit::ALL.get(card - Dragon::ALL.len()).copied().map(Outcome::Spirit),
        }
    }

    fn new_state(&self) -> State {
        let Settings { players, components, layout, spirits, dragons, .. } = &*self.settings;
        let mut state = State::empty(self.tables.castle.len(), players * self.tables.realm.grid.len(), components.symbols.len());
        for (stack, &height) in state.castle.iter_mut().zip(&layout.heights) {
            *stack = Stack::new(height, None);
        }
        for (count, symbol) in state.unrevealed.iter_mut().zip(&components.symbols) {
            *count = components.types[usize::from(symbol.kind)].copies;
        }
        state.pools[..*players].fill(1);
        state.supply = components.shrines - *players as u16;
        state.tokens = components.tokens;
        state.spirits = spirits.at_start();
        state.dragons = dragons.at_start();
        state.phase = Phase::SetupTile;
        self.refresh_castle(&mut state);
        state
    }

    fn turn(&self, state: &State) -> Turn {
        match state.phase {
            Phase::Terminal => Turn::Over,
            phase if phase.is_chance() => Turn::Chance,
            _ => Turn::Player(Player(state.turn.seat)),
        }
    }

    fn phase(&self, state: &State) -> &'static str {
        state.phase.name()
    }

    fn ply(&self, state: &State) -> u32 {
        state.ply
    }

    fn legal_actions(&self, state: &State, out: &mut Vec<Action>) {
        let mut choices = Choices::default();
        self.choices(state, &mut choices);
        choices.for_each(|action| out.push(action));
    }

    /// The outcomes of a chance node with their weights (DC-4.1, DC-4.2, DC-5.5).
    fn chance_outcomes(&self, state: &State, out: &mut Vec<(Outcome, u32)>) {
        match state.phase {
            Phase::SetupTile | Phase::Reveal => {
                let counts = state.unrevealed.iter().enumerate().filter(|&(_, &count)| count > 0);
                out.extend(counts.map(|(symbol, &count)| (Outcome::Symbol(symbol as u16), u32::from(count))));
            }
            Phase::SetupDragon => {
                let left =
                    |card: &Dragon| self.settings.components.dragons[card.index()].is_some() && !state.dragons.has(card.index());
                out.extend(Dragon::ALL.into_iter().filter(left).map(|card| (Outcome::Dragon(card), 1)));
            }
            Phase::SetupSpirit => {
                let left =
                    |card: &Spirit| self.settings.components.spirits[card.index()].is_some() && !state.spirits.has(card.index());
                out.extend(Spirit::ALL.into_iter().filter(left).map(|card| (Outcome::Spirit(card), 1)));
            }
            _ => {}
        }
    }

    fn check_action(&self, state: &State, action: Action) -> Result<(), Refusal> {
        refusal::check_action(self, state, action)
    }

    fn apply_action<E: EventSink>(&self, state: &mut State, action: Action, events: &mut E) {
        apply::apply_action(self, state, action, events);
    }

    fn apply_outcome<E: EventSink>(&self, state: &mut State, outcome: Outcome, events: &mut E) {
        apply::apply_outcome(self, state, outcome, events);
    }

    fn scores(&self, state: &State) -> ByPlayer<i32> {
        scoring::scores(self, state)
    }

    fn ranking(&self, state: &State) -> ByPlayer<u8> {
        scoring::ranking(self, state)
    }

    fn num_legal(&self, state: &State) -> usize {
        let mut choices = Choices::default();
        self.choices(state, &mut choices);
        choices.len() as usize
    }

    fn nth_legal(&self, state: &State, index: usize) -> Option<Action> {
        let mut choices = Choices::default();
        self.choices(state, &mut choices);
        u32::try_from(index).ok().and_then(|rank| choices.nth(rank))
    }

    fn for_each_legal_id(&self, state: &State, take: impl FnMut(u32)) {
        let mut choices = Choices::default();
        self.choices(state, &mut choices);
        choices.for_each_id(self.action_ids(), take);
    }

    fn is_legal(&self, state: &State, action: Action) -> bool {
        let mut choices = Choices::default();
        self.choices(state, &mut choices);
        self.exists(action) && choices.contains(action)
    }

    fn sample_action(&self, state: &State, rng: &mut Rng, _scratch: &mut Vec<Action>) -> Action {
        let mut choices = Choices::default();
        self.choices(state, &mut choices);
        choices.nth(rng.below(choices.len())).expect("the draw is below the number of actions")
    }

    /// Draws as the contract says, for tiles without making the list.
    fn sample_outcome(&self, state: &State, rng: &mut Rng, scratch: &mut Vec<(Outcome, u32)>) -> Outcome {
        if matches!(state.phase, Phase::SetupTile | Phase::Reveal) {
            let mut drawn = rng.below(u32::from(state.unrevealed_total));
            for (symbol, &count) in state.unrevealed.iter().enumerate() {
                match drawn.checked_sub(u32::from(count)) {
                    Some(rest) => drawn = rest,
                    None => return Outcome::Symbol(symbol as u16),
                }
            }
        }
        scratch.clear();
        self.chance_outcomes(state, scratch);
        // Cards are equally likely.
        scratch[rng.below(scratch.len() as u32) as usize].0
    }

    fn score_sheet(&self, state: &State) -> Vec<ScoreLine> {
        scoring::score_sheet(self, state)
    }
}
