//! Positions, and what is said about them.

use forbidden_games::any::{AnyState, StateObject};
use forbidden_games_core::error::DataError;
use forbidden_games_core::event;
use forbidden_games_core::outcome;
use forbidden_games_core::player::{MAX_PLAYERS, Player, Turn};
use forbidden_games_core::rng::portable_hash;
use pyo3::prelude::*;
use pyo3::pyclass::CompareOp;
use pyo3::types::{PyDict, PyString, PyTuple};
use serde_json::Value;

use crate::classes::{Game, InformationState, LegalActions, Observation, Outcome, State};
use crate::convert::{Seat, Seed, from_python, object_to_python, refused_state, to_python};
use crate::error::{ResultExt, state_error};
use crate::information::WHOLE_WIDTH;
use crate::legal::{mask, write_mask};
use crate::pickle::{self, Kind, Reduced};
use crate::step::GivenStep;
use crate::value::{equality, intern};

/// One line of a score sheet: an item, the rule it follows, and points per seat.
#[pyclass(module = "forbidden_games", frozen)]
#[derive(Debug)]
pub(crate) struct ScoreLine(pub(crate) outcome::ScoreLine);

#[pymethods]
impl ScoreLine {
    /// Name of the item.
    #[getter]
    fn item(&self) -> &'static str {
        self.0.item
    }

    /// The rule it follows.
    #[getter]
    fn rule(&self) -> &'static str {
        self.0.rule
    }

    /// Points per seat.
    #[getter]
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.0.points)
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, operation: CompareOp) -> Py<PyAny> {
        equality(other, operation, |other: &Self| self.0 == other.0)
    }

    fn __hash__(&self) -> u64 {
        portable_hash(self.__str__().as_bytes())
    }

    #[allow(clippy::type_complexity)]
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String, String, Vec<i32>))> {
        let restore = py.import("forbidden_games._rust")?.getattr("restore_score_line")?;
        Ok((restore, (self.0.item.to_owned(), self.0.rule.to_owned(), self.0.points.to_vec())))
    }

    fn __repr__(&self) -> String {
        format!("<ScoreLine {}>", self.__str__())
    }

    fn __str__(&self) -> String {
        let points: Vec<_> = self.0.points.iter().map(ToString::to_string).collect();
        format!("{} ({}): {}", self.0.item, self.0.rule, points.join(", "))
    }
}

/// Rebuild a pickled line of a score sheet.
#[pyfunction]
pub(crate) fn restore_score_line(item: &str, rule: &str, points: Vec<i32>) -> PyResult<ScoreLine> {
    if points.len() > MAX_PLAYERS {
        let found = format!("points of {} seats", points.len());
        return Err(state_error(DataError::new("pickle", found, format!("at most {MAX_PLAYERS}"))));
    }
    let points = points.into_iter().collect();
    Ok(ScoreLine(outcome::ScoreLine { item: intern(item)?, rule: intern(rule)?, points }))
}

/// One thing that an action or a draw brought about. `str(event)` is one line that ends with the rule number.
#[pyclass(module = "forbidden_games", frozen)]
#[derive(Debug)]
pub(crate) struct Event(pub(crate) event::Event);

#[pymethods]
impl Event {
    /// What kind of thing, a word of the game.
    #[getter]
    fn kind(&self) -> &'static str {
        self.0.kind
    }

    /// The rule it follows.
    #[getter]
    fn rule(&self) -> &'static str {
        self.0.rule
    }

    /// One line for people.
    #[getter]
    fn text(&self) -> &str {
        &self.0.text
    }

    /// The same as data.
    #[getter]
    fn data<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        object_to_python(py, &self.0.data)
    }

    /// The only seat that may see it; `None` for everybody.
    #[getter]
    fn private_to(&self) -> Option<u8> {
        self.0.private_to.map(|player| player.0)
    }

    /// Whether a seat may see it.
    fn is_visible_to(&self, viewer: i64) -> bool {
        self.0.private_to.is_none_or(|player| i64::from(player.0) == viewer)
    }

    /// Everything as a dict.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.0.to_json())
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, operation: CompareOp) -> Py<PyAny> {
        equality(other, operation, |other: &Self| self.0 == other.0)
    }

    fn __hash__(&self) -> u64 {
        portable_hash(self.__repr__().as_bytes())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, EventParts<'py>)> {
        let restore = py.import("forbidden_games._rust")?.getattr("restore_event")?;
        let event::Event { kind, rule, text, .. } = &self.0;
        Ok((restore, ((*kind).to_owned(), (*rule).to_owned(), text.clone(), self.data(py)?, self.private_to())))
    }

    fn __repr__(&self) -> String {
        format!("<Event {}: {}>", self.0.kind, self.0)
    }
}

/// Kind, rule, text, data and the only seat that may see it.
type EventParts<'py> = (String, String, String, Bound<'py, PyDict>, Option<u8>);

/// Rebuild a pickled event.
#[pyfunction]
pub(crate) fn restore_event(
    kind: &str,
    rule: &str,
    text: String,
    data: &Bound<'_, PyDict>,
    private_to: Option<u8>,
) -> PyResult<Event> {
    let Value::Object(data) = from_python(data).map_err(refused_state)? else {
        return Err(state_error(DataError::new("pickle", "no dict", "the data of an event")));
    };
    Ok(Event(event::Event { kind: intern(kind)?, rule: intern(rule)?, text, data, private_to: private_to.map(Player) }))
}

impl State {
    pub(crate) fn new(any: AnyState, game: Py<Game>) -> Self {
        Self { any, game }
    }
}

/// What kind of node a turn makes.
pub(crate) fn player_of(turn: Turn) -> Option<u8> {
    turn.player().map(|player| player.0)
}

#[pymethods]
impl State {
    /// `decision`, `chance` or `terminal`.
    #[getter]
    fn node(&self) -> &'static str {
        self.any.turn().node()
    }

    /// The seat to decide; `None` at chance and terminal nodes.
    #[getter]
    fn current_player(&self) -> Option<u8> {
        player_of(self.any.turn())
    }

    /// Whether nature draws next.
    #[getter]
    fn is_chance(&self) -> bool {
        self.any.turn() == Turn::Chance
    }

    /// Whether the game has ended.
    #[getter]
    fn is_terminal(&self) -> bool {
        self.any.turn() == Turn::Over
    }

    /// Decisions taken so far.
    #[getter]
    fn ply(&self) -> u32 {
        self.any.ply()
    }

    /// The rule page's word for what is being decided.
    #[getter]
    fn phase(&self) -> &'static str {
        self.any.phase()
    }

    /// A 64-bit key among the states of its game, the same on every platform.
    #[getter]
    fn key(&self) -> u64 {
        self.any.key()
    }

    /// All legal actions, ascending by id; empty at chance and terminal nodes.
    #[getter]
    fn legal_actions(slf: &Bound<'_, Self>) -> LegalActions {
        LegalActions::of_state(slf)
    }

    /// A fresh array of `num_actions` booleans; `write_legal_actions_mask` writes into yours.
    #[getter]
    fn legal_actions_mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        mask(py, &self.game, |take| self.any.for_each_legal_id(take))
    }

    /// Write the mask into `out` (bool, int8 or uint8, `num_actions` long, C-contiguous, writable) and return it.
    fn write_legal_actions_mask<'py>(&self, out: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        write_mask(&self.game, &*self.any, out)
    }

    /// All outcomes with their integer weights, ascending by id; empty at other nodes.
    #[getter]
    fn chance_outcomes(&self, py: Python<'_>) -> Vec<(Outcome, u32)> {
        let outcomes = self.any.chance_outcomes();
        outcomes.into_iter().map(|(id, weight)| (Outcome { game: self.game.clone_ref(py), id }, weight)).collect()
    }

    /// Sum of the weights.
    #[getter]
    fn chance_total(&self) -> u64 {
        self.any.chance_outcomes().iter().map(|&(_, weight)| u64::from(weight)).sum()
    }

    /// Points so far, at the end the final ones.
    #[getter]
    fn scores<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.any.scores())
    }

    /// Places, 1 is first. Raises `NotOverError` before the end.
    #[getter]
    fn ranking<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.any.ranking().python()?)
    }

    /// A number in [-1, 1] per seat. Raises `NotOverError` before the end.
    #[getter]
    fn returns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.any.returns().python()?)
    }

    /// The scores line by line.
    #[getter]
    fn score_sheet(&self) -> Vec<ScoreLine> {
        self.any.score_sheet().into_iter().map(ScoreLine).collect()
    }

    /// What each seat adds to its total in a series; `None` if the rules have no series.
    #[getter]
    fn series_total<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        self.any.series_total().map(|totals| PyTuple::new(py, totals)).transpose()
    }

    /// The state after an action or outcome, given as such, by notation or by id. This one stays as it is.
    fn child(&self, step: &Bound<'_, PyAny>) -> PyResult<Self> {
        let step_given = GivenStep::read(&self.game, step)?;
        let child = self.any.child(step_given.as_any()).python()?;
        Ok(Self { any: child, game: self.game.clone_ref(step.py()) })
    }

    /// As `child`, with what happened.
    fn child_with_events(&self, step: &Bound<'_, PyAny>) -> PyResult<(Self, Vec<Event>)> {
        let given = GivenStep::read(&self.game, step)?;
        let (child, events) = self.any.child_with_events(given.as_any()).python()?;
        Ok((Self { any: child, game: self.game.clone_ref(step.py()) }, events.into_iter().map(Event).collect()))
    }

    /// The next decision or the end: every chance node on the way is drawn under `seed` (and the ply, so that one seed will do for
    /// a whole game). From the ordinary start it meets the draws of a match with this seed.
    fn resolve_chance(&self, py: Python<'_>, seed: Seed) -> Self {
        Self { any: self.any.resolve_chance(seed.0), game: self.game.clone_ref(py) }
    }

    /// Raise `IllegalActionError`, with rule and reason, if a step is not legal.
    ///
    /// `player` is the seat that asks. Name it wherever a step comes from somebody else: a seat that is not to move is refused before
    /// the step is looked at, as the reason of a refusal may tell what the mover holds.
    #[pyo3(signature = (step, *, player = None))]
    fn check(&self, step: &Bound<'_, PyAny>, player: Option<Seat>) -> PyResult<()> {
        let player = player.map(|player| player.of(&self.game.get().any)).transpose()?;
        check_step(&*self.any, &GivenStep::read(&self.game, step)?, player)
    }

    /// What `player` perceives.
    fn observation(&self, py: Python<'_>, player: Seat) -> PyResult<Observation> {
        let player = player.of(&self.game.get().any)?;
        Ok(Observation::new(self.any.observation(player), self.game.clone_ref(py)))
    }

    /// What `player` knows, with an empty history.
    fn information_state(&self, py: Python<'_>, player: Seat) -> PyResult<InformationState> {
        let player = player.of(&self.game.get().any)?;
        Ok(InformationState::new(self.any.information(player), self.game.clone_ref(py)))
    }

    /// The game's heuristic for `player`, in points.
    fn evaluate(&self, player: Seat) -> PyResult<f64> {
        Ok(self.any.evaluate(player.of(&self.game.get().any)?))
    }

    /// The whole state as the JSON text of the rule page.
    fn to_json(&self) -> String {
        self.any.to_json().to_string()
    }

    /// The same as a dict.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.any.to_json())
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, operation: CompareOp) -> Py<PyAny> {
        let py = other.py();
        equality(other, operation, |other: &Self| *self.any == *other.any && Game::are_equal(py, &self.game, &other.game))
    }

    fn __hash__(&self) -> u64 {
        self.any.key()
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        pickle::reduce(py, self.game.get(), Kind::State, |out| self.any.write_bytes(out))
    }

    fn __repr__(&self) -> String {
        let who = match self.any.turn() {
            Turn::Player(player) => format!("player {player} decides"),
            Turn::Chance => "chance".to_owned(),
            Turn::Over => "over".to_owned(),
        };
        let name = self.game.get().any.info().name;
        format!("<State {name}: ply {}, {}, {who}>", self.any.ply(), self.any.phase())
    }

    /// What the seat to move sees, drawn (seat 0 at other nodes).
    fn __str__(&self) -> PyResult<String> {
        let player = self.any.turn().player().unwrap_or(Player(0));
        self.any.observation(player).draw(&WHOLE_WIDTH).python()
    }
}

/// Whether `player`, or anybody if it is `None`, may take a step; who is not to move learns that alone.
pub(crate) fn check_step(state: &dyn StateObject, step: &GivenStep, player: Option<Player>) -> PyResult<()> {
    if let Some(player) = player {
        state.check_asker(player, step.as_any()).python()?;
    }
    state.check(step.as_any()).python()
}

/// Rebuild a pickled state.
#[pyfunction]
pub(crate) fn restore_state(py: Python<'_>, identity: &Bound<'_, PyString>, bytes: &[u8]) -> PyResult<State> {
    let (game, fields) = pickle::read(py, identity, bytes, Kind::State)?;
    Ok(State::new(game.get().any.state_from_bytes(fields).python()?, game))
}
