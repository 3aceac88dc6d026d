//! A game being played: rules, state, luck and history, with undo.
//!
//! A [`Match`] resolves chance itself: the outcome of its k-th chance node is drawn from `Rng::stream(seed, "chance", k)`, so a
//! move that is taken back and made again, a match that is saved and resumed, and a replay all meet the same luck. What happened
//! and what a seat has seen are recomputed when somebody asks, so that playing stays cheap.
//!
//! ```
//! # #[cfg(feature = "testing")] {
//! use std::sync::Arc;
//!
//! use forbidden_games_core::match_play::Match;
//! use forbidden_games_core::player::{Player, Turn};
//! use forbidden_games_core::testing::pebbles::pebbles;
//!
//! let mut played = Match::new(Arc::new(pebbles(2)), 7);
//! assert_eq!((played.turn(), played.ply()), (Turn::Player(Player(0)), 0));
//! let first = played.legal_actions()[0];
//! played.play(first)?;
//! let state = played.state().clone();
//! // The same seed brings the same draw again.
//! assert!(played.undo(None));
//! played.play(first)?;
//! assert_eq!(*played.state(), state);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::contract::{self, Game, Step, StepOf};
use crate::error::{IllegalAction, NotOver, OptionsError, RecordError, StateError};
use crate::event::Event;
use crate::history::History;
use crate::information::InformationState;
use crate::outcome::Fraction;
use crate::player::{ByPlayer, Player, Turn};
use crate::position::Position;
use crate::record::{Identity, Record, RecordResult, RecordStep, StepKind};
use crate::rng::Streams;
use crate::start::Start;

/// A copy of the state is kept before every so many decisions; what lies between is replayed.
const SNAPSHOT_INTERVAL: usize = 16;

/// A decision that was taken: where it stands in the history, and whose it was.
#[derive(Clone, Copy, Debug)]
struct Decision {
    step: usize,
    player: Player,
}

/// What the seats have seen up to a step, and the state there.
#[derive(Clone, Debug)]
struct Memory<G: Game> {
    seen: ByPlayer<History>,
    steps: usize,
    state: G::State,
}

/// A game being played.
#[derive(Debug)]
pub struct Match<G: Game> {
    position: Position<G>,
    start: Start,
    seed: u64,
    luck: Streams,
    /// Names, where somebody gave them.
    seats: Option<Vec<String>>,
    initial: G::State,
    history: Vec<StepOf<G>>,
    decisions: Vec<Decision>,
    snapshots: Vec<G::State>,
    chance_nodes: u64,
    /// Made when somebody asks what a seat has seen.
    memory: Mutex<Option<Box<Memory<G>>>>,
    outcomes: Vec<(G::Outcome, u32)>,
    /// The ids of the legal actions of `state` if `is_listed`: what was asked for is not checked again when it is played.
    listed: Vec<u32>,
    is_listed: bool,
    /// How many actions were legal when somebody last asked.
    num_legal: usize,
}

impl<G: Game> Clone for Match<G> {
    fn clone(&self) -> Self {
        Self {
            position: self.position.clone(),
            start: self.start.clone(),
            seed: self.seed,
            luck: self.luck,
            seats: self.seats.clone(),
            initial: self.initial.clone(),
            history: self.history.clone(),
            decisions: self.decisions.clone(),
            snapshots: self.snapshots.clone(),
            chance_nodes: self.chance_nodes,
            memory: Mutex::new(self.memory().clone()),
            outcomes: Vec::new(),
            listed: Vec::new(),
            is_listed: false,
            num_legal: self.num_legal,
        }
    }
}

impl<G: Game> Match<G> {
    /// A match from the ordinary start, at its first decision.
    #[must_use]
    pub fn new(game: Arc<G>, seed: u64) -> Self {
        let initial = game.new_state();
        let mut this = Self::at(game, Start::Ordinary, initial, seed);
        this.resolve_chance();
        this
    }

    /// A match from a chosen start, at its first decision.
    ///
    /// # Errors
    /// If the position or state is refused by the game.
    pub fn from_start(game: Arc<G>, start: Start, seed: u64) -> Result<Self, StateError> {
        let mut this = Self::unresolved(game, start, seed)?;
        this.resolve_chance();
        Ok(this)
    }

    /// A match that may stand at a chance node, for outcomes that are known: go on with [`Match::play_step`] or
    /// [`Match::play_text`], and call [`Match::resolve_chance`] when luck is to decide.
    ///
    /// # Errors
    /// If the position or state is refused by the game.
    pub fn unresolved(game: Arc<G>, start: Start, seed: u64) -> Result<Self, StateError> {
        let initial = start.state(&*game)?;
        Ok(Self::at(game, start, initial, seed))
    }

    fn at(game: Arc<G>, start: Start, initial: G::State, seed: u64) -> Self {
        Self {
            start,
            seed,
            luck: Streams::new(seed, "chance"),
            seats: None,
            position: Position { game, state: initial.clone() },
            history: Vec::new(),
            decisions: Vec::new(),
            snapshots: Vec::new(),
            chance_nodes: 0,
            memory: Mutex::new(None),
            outcomes: Vec::new(),
            listed: Vec::new(),
            is_listed: false,
            num_legal: 0,
            initial,
        }
    }

    /// Replays a record with the outcomes written in it, then goes on to the next decision by its seed.
    ///
    /// # Errors
    /// If the record is of another game, players, options, components or rules version (line 1), or a step or the result does not
    /// follow (its ply).
    pub fn from_record(game: Arc<G>, record: &Record) -> Result<Self, RecordError> {
        match Self::from_record_until_error(game, record)? {
            (_, Some(error)) => Err(error),
            (this, None) => Ok(this),
        }
    }

    /// As [`Match::from_record`], but what stands before the first step that does not follow is kept and given back with the error.
    ///
    /// # Errors
    /// If even the header does not fit.
    pub fn from_record_until_error(game: Arc<G>, record: &Record) -> Result<(Self, Option<RecordError>), RecordError> {
        let (mut this, error) = Self::replayed(game, record)?;
        this.resolve_chance();
        Ok((this, error))
    }

    /// As [`Match::from_record`], but with no draw made after the last step: the match that gave the record, at a chance node too.
    ///
    /// # Errors
    /// As [`Match::from_record`].
    pub fn restored(game: Arc<G>, record: &Record) -> Result<Self, RecordError> {
        match Self::replayed(game, record)? {
            (_, Some(error)) => Err(error),
            (this, None) => Ok(this),
        }
    }

    fn replayed(game: Arc<G>, record: &Record) -> Result<(Self, Option<RecordError>), RecordError> {
        let header = &record.header;
        header.identity.check(&*game)?;
        let mut this = Self::unresolved(game, header.identity.start.clone(), header.seed)
            .map_err(|error| RecordError::Line { line: 1, reason: error.to_string() })?;
        this.seats = Some(header.seats.clone());
        let error = this.replay(record).err();
        Ok((this, error))
    }

    fn replay(&mut self, record: &Record) -> Result<(), RecordError> {
        for (index, step) in record.steps.iter().enumerate() {
            let ply = self.ply();
            let fail = |reason| RecordError::Ply { ply: ply as usize, line: index + 2, reason };
            if step.ply != ply {
                return Err(fail(format!("found ply {}, expected {ply}", step.ply)));
            }
            let played = match (step.kind, self.turn()) {
                (StepKind::Outcome, Turn::Chance) | (StepKind::Action, Turn::Player(_)) => self.play_text(&step.text),
                (kind, turn) => Err(format!("found an {}, but this is a {} node", kind.word(), turn.node())),
            };
            played.map_err(fail)?;
        }
        let Some(written) = &record.result else { return Ok(()) };
        let fail = |reason| RecordError::Ply { ply: self.ply() as usize, line: record.steps.len() + 2, reason };
        match self.result() {
            Err(NotOver) => Err(fail("found a result, but the game is not over".to_owned())),
            Ok(result) if result != *written => {
                Err(fail(format!("found the result {}, expected {}", written.to_json(), result.to_json())))
            }
            Ok(_) => Ok(()),
        }
    }

    // ---- Looking ----------------------------------------------------------------------------------------------------------

    /// The rules.
    #[must_use]
    pub fn game(&self) -> &Arc<G> {
        &self.position.game
    }

    /// The state now, with the rules.
    #[must_use]
    pub fn position(&self) -> &Position<G> {
        &self.position
    }

    /// The state now.
    #[must_use]
    pub fn state(&self) -> &G::State {
        &self.position.state
    }

    /// The seed of its luck.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Where it began.
    #[must_use]
    pub fn start(&self) -> &Start {
        &self.start
    }

    /// All steps so far, draws included.
    #[must_use]
    pub fn history(&self) -> &[StepOf<G>] {
        &self.history
    }

    /// Who sits where: names for people and for resuming, kept in the record.
    #[must_use]
    pub fn seats(&self) -> Vec<String> {
        let numbered = || Player::all(self.position.game.num_players()).map(|seat| format!("seat {seat}")).collect();
        self.seats.clone().unwrap_or_else(numbered)
    }

    /// Names the seats.
    ///
    /// # Errors
    /// If it is not one name a seat, or one is longer than 200 bytes or holds a control character.
    pub fn set_seats(&mut self, seats: Vec<String>) -> Result<(), OptionsError> {
        let players = self.position.game.num_players();
        if seats.len() != players {
            return Err(OptionsError::new("seats", format!("{} names", seats.len()), format!("{players} names")));
        }
        if let Some(name) = seats.iter().find(|name| !crate::record::is_seat_name(name)) {
            return Err(OptionsError::new("seats", name, crate::record::SEAT_NAME));
        }
        self.seats = Some(seats);
        Ok(())
    }

    /// Whose decision it is.
    #[must_use]
    pub fn turn(&self) -> Turn {
        self.position.game.turn(&self.position.state)
    }

    /// Whether the game has ended.
    #[must_use]
    pub fn is_terminal(&self) -> bool {
        self.turn() == Turn::Over
    }

    /// Decisions so far, counted as in the state's JSON.
    #[must_use]
    pub fn ply(&self) -> u32 {
        self.position.game.ply(&self.position.state)
    }

    /// Chance nodes passed so far: the counter of the luck.
    #[must_use]
    pub fn chance_nodes(&self) -> u64 {
        self.chance_nodes
    }

    /// All legal actions, ascending by id.
    #[must_use]
    pub fn legal_actions(&self) -> Vec<G::Action> {
        let mut actions = Vec::new();
        self.position.game.legal_actions(&self.position.state, &mut actions);
        actions
    }

    /// The ids of all legal actions, ascending, kept until the next step: playing one of them then needs no further check.
    pub fn list_legal_ids(&mut self) -> &[u32] {
        if !self.is_listed {
            self.listed.clear();
            self.position.game.for_each_legal_id(&self.position.state, |id| self.listed.push(id));
            self.num_legal = self.listed.len();
            self.is_listed = true;
        }
        &self.listed
    }

    /// The ids of all legal actions, if they are listed already.
    pub(crate) fn listed_ids(&self) -> Option<&[u32]> {
        self.is_listed.then_some(&*self.listed)
    }

    /// Counts the legal actions.
    pub fn count_actions(&mut self) -> usize {
        if !self.is_listed {
            self.num_legal = self.position.game.num_legal(&self.position.state);
        }
        self.num_legal
    }

    /// How many actions were legal at the last call of [`Match::list_legal_ids`] or [`Match::count_actions`], 0 before any: as many or
    /// nearly as many are likely to be legal at the next decision.
    #[must_use]
    pub fn num_legal_before(&self) -> usize {
        self.num_legal
    }

    /// Decisions taken in this match; a match from a chosen start begins at 0, whatever its ply.
    #[must_use]
    pub fn num_decisions(&self) -> usize {
        self.decisions.len()
    }

    /// The last action, if one was taken.
    #[must_use]
    pub fn last_action(&self) -> Option<G::Action> {
        match self.history[self.decisions.last()?.step] {
            Step::Action(action) => Some(action),
            Step::Outcome(_) => None,
        }
    }

    /// Scores, ranking and returns.
    ///
    /// # Errors
    /// Before the end.
    pub fn result(&self) -> Result<RecordResult, NotOver> {
        RecordResult::of_state(&*self.position.game, &self.position.state)
    }

    /// Exact returns.
    ///
    /// # Errors
    /// Before the end.
    pub fn returns(&self) -> Result<ByPlayer<Fraction>, NotOver> {
        if self.is_terminal() { Ok(self.position.game.exact_returns(&self.position.state)) } else { Err(NotOver) }
    }

    // ---- Playing ----------------------------------------------------------------------------------------------------------

    /// Plays an action after checking it, then resolves chance up to the next decision.
    ///
    /// # Errors
    /// If it is not legal; nothing has changed then.
    pub fn play(&mut self, action: G::Action) -> Result<(), IllegalAction> {
        self.play_step(Step::Action(action))?;
        self.resolve_chance();
        Ok(())
    }

    /// Plays one step, an action or an outcome, after checking it, and nothing else.
    ///
    /// # Errors
    /// If it is not legal; nothing has changed then.
    pub fn play_step(&mut self, step: StepOf<G>) -> Result<(), IllegalAction> {
        self.check_step(step)?;
        self.advance(step);
        Ok(())
    }

    /// Why a step cannot be taken now.
    ///
    /// # Errors
    /// If it is not legal.
    pub fn check_step(&self, step: StepOf<G>) -> Result<(), IllegalAction> {
        let Position { game, state } = &self.position;
        match step {
            Step::Action(action) if self.is_listed && self.listed.binary_search(&game.action_id(action)).is_ok() => Ok(()),
            _ => contract::check(&**game, state, step),
        }
    }

    /// Plays an action that is known to be legal, then resolves chance up to the next decision.
    pub(crate) fn play_checked(&mut self, action: G::Action) {
        self.advance(Step::Action(action));
        self.resolve_chance();
    }

    /// Plays one step written in notation (an outcome at chance nodes, an action elsewhere), and nothing else.
    ///
    /// # Errors
    /// In words, if it is no notation or not legal; nothing has changed then.
    pub fn play_text(&mut self, text: &str) -> Result<(), String> {
        let step = self.position.game.parse_step(&self.position.state, text).map_err(|error| error.to_string())?;
        self.play_step(step).map_err(|error| error.to_string())
    }

    /// Draws by the match's luck until a seat is to decide or the game is over.
    pub fn resolve_chance(&mut self) {
        while self.turn() == Turn::Chance {
            let mut rng = self.luck.stream(self.chance_nodes);
            let outcome = self.position.game.sample_outcome(&self.position.state, &mut rng, &mut self.outcomes);
            self.advance(Step::Outcome(outcome));
        }
    }

    fn advance(&mut self, step: StepOf<G>) {
        self.is_listed = false;
        match self.turn() {
            Turn::Player(player) => {
                if self.decisions.len().is_multiple_of(SNAPSHOT_INTERVAL) {
                    self.snapshots.push(self.position.state.clone());
                }
                self.decisions.push(Decision { step: self.history.len(), player });
            }
            Turn::Chance | Turn::Over => self.chance_nodes += 1,
        }
        self.position.game.apply(&mut self.position.state, step);
        self.history.push(step);
    }

    /// Begins again from the same start under another seed, in place, and goes to the first decision.
    pub fn restart(&mut self, seed: u64) {
        (self.seed, self.luck) = (seed, Streams::new(seed, "chance"));
        self.position.state.clone_from(&self.initial);
        self.history.clear();
        self.decisions.clear();
        self.snapshots.clear();
        self.chance_nodes = 0;
        self.is_listed = false;
        *self.memory.get_mut().unwrap_or_else(PoisonError::into_inner) = None;
        self.resolve_chance();
    }

    /// Goes back to the last decision, or to the last decision of `player`; whether there was one.
    pub fn undo(&mut self, player: Option<Player>) -> bool {
        let is_wanted = |decision: &Decision| player.is_none_or(|player| player == decision.player);
        let Some(target) = self.decisions.iter().rposition(is_wanted) else { return false };
        let step = self.decisions[target].step;
        self.position.state = self.state_before(step);
        self.is_listed = false;
        let undone = self.history[step..].iter().filter(|step| matches!(step, Step::Outcome(_))).count();
        self.chance_nodes -= undone as u64;
        self.history.truncate(step);
        self.decisions.truncate(target);
        self.snapshots.truncate(target.div_ceil(SNAPSHOT_INTERVAL));
        if let Some(memory) = self.memory.get_mut().unwrap_or_else(PoisonError::into_inner)
            && memory.steps > step
        {
            memory.steps = step;
            memory.state = self.position.state.clone();
            memory.seen.iter_mut().for_each(|seen| seen.truncate(step));
        }
        true
    }

    // ---- Looking back -----------------------------------------------------------------------------------------------------

    /// The state before step `step` of the history (the state now, if it is the number of steps or more).
    #[must_use]
    pub fn state_before(&self, step: usize) -> G::State {
        let step = step.min(self.history.len());
        let decision = self.decisions.partition_point(|decision| decision.step <= step);
        let (mut state, from) = match decision.checked_sub(1).map(|last| last / SNAPSHOT_INTERVAL) {
            Some(snapshot) => (self.snapshots[snapshot].clone(), self.decisions[snapshot * SNAPSHOT_INTERVAL].step),
            None => (self.initial.clone(), 0),
        };
        for &step in &self.history[from..step] {
            self.position.game.apply(&mut state, step);
        }
        state
    }

    /// What happened from step `step` of the history on.
    #[must_use]
    pub fn events_from(&self, step: usize) -> Vec<Event> {
        let step = step.min(self.history.len());
        let mut state = self.state_before(step);
        let mut events = Vec::new();
        for &step in &self.history[step..] {
            match step {
                Step::Action(action) => self.position.game.apply_action(&mut state, action, &mut events),
                Step::Outcome(outcome) => self.position.game.apply_outcome(&mut state, outcome, &mut events),
            }
        }
        events
    }

    /// What the last action and the draws after it brought about; before the first action, what the set-up draws did.
    #[must_use]
    pub fn events(&self) -> Vec<Event> {
        self.events_from(self.decisions.last().map_or(0, |decision| decision.step))
    }

    fn memory(&self) -> MutexGuard<'_, Option<Box<Memory<G>>>> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What `player` has seen, step by step.
    #[must_use]
    pub fn seen(&self, player: Player) -> History {
        let mut memory = self.memory();
        let memory = memory.get_or_insert_with(|| {
            let seen = Player::all(self.position.game.num_players()).map(|_| History::new()).collect();
            Box::new(Memory { seen, steps: 0, state: self.initial.clone() })
        });
        let Memory { seen, steps, state } = &mut **memory;
        for &step in &self.history[*steps..] {
            for viewer in Player::all(self.position.game.num_players()) {
                seen[viewer.index()].push(self.position.game.observed(state, step, viewer));
            }
            self.position.game.apply(state, step);
        }
        *steps = self.history.len();
        seen[player.index()].clone()
    }

    /// What `player` knows, with everything it has seen since the start.
    #[must_use]
    pub fn information_state(&self, player: Player) -> InformationState<G> {
        InformationState::with_history(&self.position.game, &self.position.state, player, self.seen(player))
    }

    /// The record up to now, with the result if the game is over.
    #[must_use]
    pub fn record(&self) -> Record {
        let mut ply = self.position.game.ply(&self.initial);
        let mut steps = Vec::with_capacity(self.history.len());
        for &step in &self.history {
            let kind = match step {
                Step::Action(_) => StepKind::Action,
                Step::Outcome(_) => StepKind::Outcome,
            };
            steps.push(RecordStep { ply, kind, text: self.position.game.format_step(step) });
            ply += u32::from(kind == StepKind::Action);
        }
        Record {
            header: crate::record::Header {
                identity: Identity::of_game(&*self.position.game, self.start.clone()),
                seats: self.seats(),
                seed: self.seed,
            },
            steps,
            result: self.result().ok(),
        }
    }
}

#[cfg(test)]
mod tests;
