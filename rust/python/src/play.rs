//! Matches.

use std::sync::{Mutex, MutexGuard, TryLockError};

use forbidden_games::any::{AnyLegal, AnyMatch};
use forbidden_games_core::contract::Step;
use forbidden_games_core::player::{Player, Turn};
use forbidden_games_core::record;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};

use crate::classes::{Action, Game, InformationState, LegalActions, Match, Observation, Outcome, Record, State};
use crate::convert::{Seat, count};
use crate::error::{ResultExt, broken_match, concurrent_use};
use crate::information::{WHOLE_WIDTH, encode_into};
use crate::legal::{mask, write_mask};
use crate::state::{Event, ScoreLine, check_step, player_of};
use crate::step::GivenStep;

impl Match {
    pub(crate) fn new(any: AnyMatch, game: Py<Game>) -> Self {
        Self { any: Mutex::new(any), game }
    }

    /// The match for the core, for this thread alone. After a panic inside it nobody knows what it holds, and nobody gets it.
    pub(crate) fn enter(&self) -> PyResult<MutexGuard<'_, AnyMatch>> {
        match self.any.try_lock() {
            Ok(guard) => Ok(guard),
            Err(TryLockError::Poisoned(_)) => Err(broken_match()),
            Err(TryLockError::WouldBlock) => Err(concurrent_use()),
        }
    }

    fn snapshot(&self, py: Python<'_>) -> PyResult<State> {
        Ok(State::new(self.enter()?.position().boxed(), self.game.clone_ref(py)))
    }

    fn viewer(&self) -> PyResult<Player> {
        Ok(self.enter()?.position().turn().player().unwrap_or(Player(0)))
    }

    fn forked(&self, py: Python<'_>) -> PyResult<Self> {
        Ok(Self::new(self.enter()?.clone(), self.game.clone_ref(py)))
    }
}

#[pymethods]
impl Match {
    /// The seed of its luck.
    #[getter]
    fn seed(&self) -> PyResult<u64> {
        Ok(self.enter()?.seed())
    }

    /// Who sits where: names or agent specifications, kept in the record.
    #[getter]
    fn seats(&self) -> PyResult<Vec<String>> {
        Ok(self.enter()?.seats())
    }

    /// A snapshot of the state.
    #[getter]
    fn state(&self, py: Python<'_>) -> PyResult<State> {
        self.snapshot(py)
    }

    /// The seat to decide; `None` at the end.
    #[getter]
    fn current_player(&self) -> PyResult<Option<u8>> {
        Ok(player_of(self.enter()?.position().turn()))
    }

    /// Whether nature draws next; only after `play_step` or with `resolve=False`.
    #[getter]
    fn is_chance(&self) -> PyResult<bool> {
        Ok(self.enter()?.position().turn() == Turn::Chance)
    }

    /// Whether the game has ended.
    #[getter]
    fn is_terminal(&self) -> PyResult<bool> {
        Ok(self.enter()?.position().turn() == Turn::Over)
    }

    /// Decisions taken so far.
    #[getter]
    fn ply(&self) -> PyResult<u32> {
        Ok(self.enter()?.position().ply())
    }

    /// All legal actions, ascending by id.
    #[getter]
    fn legal_actions(&self, py: Python<'_>) -> PyResult<LegalActions> {
        let game = self.game.clone_ref(py);
        Ok(match self.enter()?.legal_actions() {
            AnyLegal::Ids(ids) => LegalActions::of_ids(ids, game),
            AnyLegal::State(state, count) => LegalActions::of_snapshot(state, count, game),
        })
    }

    /// A fresh array of `num_actions` booleans; `write_legal_actions_mask` writes into yours.
    #[getter]
    fn legal_actions_mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let played = self.enter()?;
        mask(py, &self.game, |take| played.position().for_each_legal_id(take))
    }

    /// Write the mask into `out` (bool, int8 or uint8, `num_actions` long, C-contiguous, writable) and return it.
    fn write_legal_actions_mask<'py>(&self, out: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        write_mask(&self.game, self.enter()?.position(), out)
    }

    /// Write what `player` perceives now into `out` (float32, or uint8 for the raw numbers, `observation_size` values, C-contiguous,
    /// writable) and return it.
    fn encode<'py>(&self, player: Seat, out: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let player = player.of(&self.game.get().any)?;
        let played = self.enter()?;
        let position = played.position();
        let floats = |values: &mut [f32]| position.encode(player, values);
        encode_into(&self.game, out, floats, |values| position.encode_u8(player, values))
    }

    /// All steps so far, draws included.
    #[getter]
    fn history<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let steps = PyList::empty(py);
        for step in self.enter()?.history() {
            match step {
                Step::Action(id) => steps.append(Bound::new(py, Action { game: self.game.clone_ref(py), id })?)?,
                Step::Outcome(id) => steps.append(Bound::new(py, Outcome { game: self.game.clone_ref(py), id })?)?,
            }
        }
        Ok(steps)
    }

    /// What the last action and the draws after it brought about; before the first action, what the set-up draws did.
    #[getter]
    fn events(&self) -> PyResult<Vec<Event>> {
        Ok(self.enter()?.events().into_iter().map(Event).collect())
    }

    /// What happened from step `step` of `history` on.
    fn events_since(&self, step: &Bound<'_, PyAny>) -> PyResult<Vec<Event>> {
        Ok(self.enter()?.events_from(count(step, "step")?).into_iter().map(Event).collect())
    }

    /// The last action, if one was taken.
    #[getter]
    fn last_action(&self, py: Python<'_>) -> PyResult<Option<Action>> {
        Ok(self.enter()?.last_action().map(|id| Action { game: self.game.clone_ref(py), id }))
    }

    /// The record up to now, with the result if the game is over.
    #[getter]
    fn record(&self, py: Python<'_>) -> PyResult<Record> {
        Ok(Record::new(self.enter()?.record(), self.game.clone_ref(py)))
    }

    /// Points so far, at the end the final ones.
    #[getter]
    fn scores<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.enter()?.position().scores())
    }

    /// Places, 1 is first. Raises `NotOverError` before the end.
    #[getter]
    fn ranking<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.enter()?.position().ranking().python()?)
    }

    /// A number in [-1, 1] per seat. Raises `NotOverError` before the end.
    #[getter]
    fn returns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.enter()?.position().returns().python()?)
    }

    /// The scores line by line.
    #[getter]
    fn score_sheet(&self) -> PyResult<Vec<ScoreLine>> {
        Ok(self.enter()?.position().score_sheet().into_iter().map(ScoreLine).collect())
    }

    /// Play an action, given as such, by notation or by id; then draw up to the next decision.
    ///
    /// `player` is the seat that asks. Name it wherever an action comes from somebody else, as in a server: a seat that is not to
    /// move is refused before the action is looked at, as the reason of a refusal may tell what the mover holds.
    #[pyo3(signature = (action, *, player = None))]
    fn play(&self, action: &Bound<'_, PyAny>, player: Option<Seat>) -> PyResult<()> {
        let player = player.map(|player| player.of(&self.game.get().any)).transpose()?;
        let step = GivenStep::read(&self.game, action)?;
        let mut played = self.enter()?;
        if let Some(player) = player {
            played.position().check_asker(player, step.as_any()).python()?;
        }
        played.play(step.as_any(), true).python()
    }

    /// Raise `IllegalActionError`, with rule and reason, if a step is not legal; nothing is played. `player` is the seat that asks, as
    /// for `play`.
    #[pyo3(signature = (step, *, player = None))]
    fn check(&self, step: &Bound<'_, PyAny>, player: Option<Seat>) -> PyResult<()> {
        let player = player.map(|player| player.of(&self.game.get().any)).transpose()?;
        let step = GivenStep::read(&self.game, step)?;
        check_step(self.enter()?.position(), &step, player)
    }

    /// Play an action, or at a chance node an outcome of your choice, and draw nothing after it.
    fn play_step(&self, step: &Bound<'_, PyAny>) -> PyResult<()> {
        let step = GivenStep::read(&self.game, step)?;
        self.enter()?.play(step.as_any(), false).python()
    }

    /// Draw by the match's luck up to the next decision; `play` does it by itself.
    fn resolve_chance(&self) -> PyResult<()> {
        self.enter()?.resolve_chance();
        Ok(())
    }

    /// Go back to the last decision, or to the last one of `player`; `False` if there is none. The same action made again meets the
    /// same draws.
    #[pyo3(signature = (player = None))]
    fn undo(&self, player: Option<Seat>) -> PyResult<bool> {
        let player = player.map(|player| player.of(&self.game.get().any)).transpose()?;
        Ok(self.enter()?.undo(player))
    }

    /// What `player` knows, with everything it has seen since the start.
    fn information_state(&self, py: Python<'_>, player: Seat) -> PyResult<InformationState> {
        let player = player.of(&self.game.get().any)?;
        Ok(InformationState::new(self.enter()?.information(player), self.game.clone_ref(py)))
    }

    /// What `player` perceives now.
    fn observation(&self, py: Python<'_>, player: Seat) -> PyResult<Observation> {
        let player = player.of(&self.game.get().any)?;
        Ok(Observation::new(self.enter()?.position().observation(player), self.game.clone_ref(py)))
    }

    /// A second match that stands where this one does and goes its own way.
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        self.forked(py)
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        self.forked(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.forked(py)
    }

    /// What the seat to move sees, drawn (seat 0 at the end).
    fn __str__(&self) -> PyResult<String> {
        let viewer = self.viewer()?;
        self.enter()?.position().observation(viewer).draw(&WHOLE_WIDTH).python()
    }

    #[allow(clippy::type_complexity)]
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String, Py<Game>))> {
        let restore = py.import("forbidden_games._rust")?.getattr("restore_match")?;
        Ok((restore, (self.enter()?.record().to_text(), self.game.clone_ref(py))))
    }

    /// Says something also while another thread plays.
    fn __repr__(&self) -> String {
        let name = self.game.get().any.info().name;
        let played = match self.any.try_lock() {
            Ok(guard) => guard,
            Err(TryLockError::WouldBlock) => return format!("<Match {name}: in use by another thread>"),
            Err(TryLockError::Poisoned(_)) => return format!("<Match {name}: broken by an internal error>"),
        };
        let who = match played.position().turn() {
            Turn::Player(player) => format!("player {player} decides"),
            Turn::Chance => "chance".to_owned(),
            Turn::Over => "over".to_owned(),
        };
        format!("<Match {name}: seed {}, ply {}, {who}>", played.seed(), played.position().ply())
    }
}

/// A match out of a pickle: its record, and the game with the window that the record does not hold.
#[pyfunction]
pub(crate) fn restore_match(text: &Bound<'_, PyString>, game: Py<Game>) -> PyResult<Match> {
    let record = record::Record::parse(&text.to_string_lossy()).python()?;
    Ok(Match::new(game.get().any.restored_match(&record).python()?, game))
}

/// Panic inside a match as an error of the program would, so that what follows can be tested.
#[pyfunction]
pub(crate) fn break_match(r#match: &Bound<'_, Match>) -> PyResult<()> {
    let _entered = r#match.get().enter()?;
    panic!("a match broken on purpose");
}
