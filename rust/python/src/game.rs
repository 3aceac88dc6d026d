//! Games: rules with players, options and components.

use std::sync::OnceLock;

use forbidden_games::any::{AnyGame, GameId};
use forbidden_games_core::bytes::KeyHasher;
use forbidden_games_core::contract::Info;
use forbidden_games_core::data;
use forbidden_games_core::error::{DataError, OptionsError};
use forbidden_games_core::options::{ComponentSource, Options};
use forbidden_games_core::rng::portable_hash;
use forbidden_games_core::start::Start;
use pyo3::prelude::*;
use pyo3::pyclass::CompareOp;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString};
use serde_json::{Value, json};

use crate::classes::{Action, Game, InformationState, Match, Outcome, State};
use crate::convert::{
    Seat, Seed, entries, from_python, json_argument, object_to_python, optional_count, refused_state, text_argument, to_python,
};
use crate::error::{IntoPython, ResultExt, components_error, state_error};
use crate::game_info::{Block, GameInfo, OptionSpec};
use crate::known;
use crate::pickle::restorer;
use crate::step::read_id;
use crate::value::equality;

impl Game {
    pub(crate) fn new(any: AnyGame, window: Option<usize>) -> Self {
        Self {
            id: GameId::from_name(any.info().name).expect("every game is in the list"),
            any,
            window,
            identity: OnceLock::new(),
            identity_text: OnceLock::new(),
            fingerprint: OnceLock::new(),
            action_space: OnceLock::new(),
        }
    }

    /// Everything that makes it this game, as text.
    pub(crate) fn identity(&self) -> &str {
        self.identity.get_or_init(|| {
            let window = self.window;
            let parts = (self.id.info().name, self.any.num_players(), self.any.options(), self.any.components(), window);
            json!([parts.0, parts.1, parts.2, parts.3, parts.4]).to_string()
        })
    }

    /// The identity as a Python text, the same object at each call.
    pub(crate) fn identity_text<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        self.identity_text.get_or_init(|| PyString::new(py, self.identity()).unbind()).bind(py).clone()
    }

    /// A hash of the identity.
    pub(crate) fn fingerprint(&self) -> u64 {
        *self.fingerprint.get_or_init(|| KeyHasher::of(self.identity().as_bytes()))
    }

    /// What is known before options.
    pub(crate) fn info_static(&self) -> &'static Info {
        self.id.info()
    }

    fn space(&self) -> &str {
        self.action_space.get_or_init(|| self.any.action_space())
    }

    /// Whether two games are equal.
    pub(crate) fn are_equal(_py: Python<'_>, one: &Py<Self>, other: &Py<Self>) -> bool {
        one.as_ptr() == other.as_ptr() || one.get().identity() == other.get().identity()
    }

    /// Whether ids mean the same in both games.
    pub(crate) fn have_same_ids(_py: Python<'_>, one: &Py<Self>, other: &Py<Self>) -> bool {
        one.as_ptr() == other.as_ptr() || one.get().space() == other.get().space()
    }
}

#[pymethods]
impl Game {
    /// What is known before options.
    #[getter]
    fn info(&self) -> GameInfo {
        GameInfo(self.id)
    }

    /// Its name in code, records and at the command line.
    #[getter]
    fn name(&self) -> &'static str {
        self.id.info().name
    }

    /// Its name for people.
    #[getter]
    fn title(&self) -> &'static str {
        self.id.info().title
    }

    /// Number of seats.
    #[getter]
    fn num_players(&self) -> usize {
        self.any.num_players()
    }

    /// Settings that `mcts` and `ismcts` start from in this game with so many seats, where a spec does not say.
    #[getter]
    fn search_defaults(&self) -> &'static str {
        self.any.search_defaults()
    }

    /// All options, defaults written out.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        object_to_python(py, &self.any.options())
    }

    /// What options there are.
    #[getter]
    fn option_schema(&self) -> Vec<OptionSpec> {
        OptionSpec::all(self.id)
    }

    /// The name of a built-in set, or an own set whole.
    #[getter]
    fn components<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.any.components())
    }

    /// The observation window, if one was chosen.
    #[getter]
    fn window(&self) -> Option<usize> {
        self.window
    }

    /// The rule page, Markdown.
    #[getter]
    fn rules(&self) -> &'static str {
        self.id.info().rules
    }

    /// The game's page, Markdown.
    #[getter]
    fn readme(&self) -> &'static str {
        self.id.info().readme
    }

    /// Whether `text` names a square of the game (`d4`, in Forbidden City `3,-2`).
    fn is_square(&self, text: &Bound<'_, PyString>) -> bool {
        self.any.is_square(&text.to_string_lossy())
    }

    /// Size of the action space.
    #[getter]
    fn num_actions(&self) -> usize {
        self.any.num_actions()
    }

    /// Size of the outcome space.
    #[getter]
    fn num_outcomes(&self) -> usize {
        self.any.num_outcomes()
    }

    /// Upper bound of decisions in a game from the ordinary start.
    #[getter]
    fn max_plies(&self) -> usize {
        self.any.max_plies()
    }

    /// Upper bound of chance nodes in a game from the ordinary start.
    #[getter]
    fn max_chance_nodes(&self) -> usize {
        self.any.max_chance_nodes()
    }

    /// What returns can be: whether those of all seats add up to 0, the least and the greatest.
    #[getter]
    fn utility<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let utility = PyDict::new(py);
        utility.set_item("zero_sum", self.any.is_zero_sum())?;
        utility.set_item("min", -1.0)?;
        utility.set_item("max", 1.0)?;
        Ok(utility)
    }

    /// A fingerprint of the action ids; store it beside data and checkpoints.
    #[getter(action_space)]
    fn action_space_text(&self) -> &str {
        self.space()
    }

    /// The blocks of an encoded observation, in order; seats count from the viewer clockwise.
    #[getter]
    fn observation_spec(&self) -> Vec<Block> {
        self.any.observation_blocks().into_iter().map(Block).collect()
    }

    /// Number of values of an encoded observation.
    #[getter]
    fn observation_size(&self) -> usize {
        self.any.observation_size()
    }

    /// The action with this id.
    fn action(slf: Bound<'_, Self>, id: &Bound<'_, PyAny>) -> PyResult<Action> {
        let id = read_id(id)?;
        slf.get().any.check_action_id(id).python()?;
        Ok(Action { game: slf.unbind(), id })
    }

    /// The outcome with this id.
    fn outcome(slf: Bound<'_, Self>, id: &Bound<'_, PyAny>) -> PyResult<Outcome> {
        let id = read_id(id)?;
        slf.get().any.check_outcome_id(id).python()?;
        Ok(Outcome { game: slf.unbind(), id })
    }

    /// The action with this notation. Whether it is legal is another question.
    fn parse_action(slf: Bound<'_, Self>, text: &Bound<'_, PyString>) -> PyResult<Action> {
        let id = slf.get().any.parse_action(&text.to_string_lossy()).python()?;
        Ok(Action { game: slf.unbind(), id })
    }

    /// The outcome with this notation.
    fn parse_outcome(slf: Bound<'_, Self>, text: &Bound<'_, PyString>) -> PyResult<Outcome> {
        let id = slf.get().any.parse_outcome(&text.to_string_lossy()).python()?;
        Ok(Outcome { game: slf.unbind(), id })
    }

    /// The ordinary start, before the set-up draws.
    fn new_state(slf: Bound<'_, Self>) -> State {
        State::new(slf.get().any.new_state(), slf.unbind())
    }

    /// Begin a match. It draws by `seed`; `seats` are names or agent specifications for the record.
    ///
    /// With `resolve=False` the match waits at a first chance node for `play_step` or `resolve_chance`.
    #[pyo3(signature = (seed = Seed(0), *, position = None, state = None, seats = None, resolve = true),
           text_signature = "($self, seed=0, *, position=None, state=None, seats=None, resolve=True)")]
    fn new_match(
        slf: Bound<'_, Self>,
        seed: Seed,
        position: Option<&Bound<'_, PyAny>>,
        state: Option<&Bound<'_, PyAny>>,
        seats: Option<&Bound<'_, PyAny>>,
        resolve: bool,
    ) -> PyResult<Match> {
        let start = start_argument(&slf, position, state)?;
        let mut played = slf.get().any.new_match(start, seed.0).python()?;
        if let Some(seats) = seats {
            let name = |name: &Bound<'_, PyAny>| text_argument(name.cast::<PyString>()?, "seats");
            let names = entries(seats, "seats", "names")?.iter().map(name).collect::<PyResult<_>>()?;
            played.set_seats(names).python()?;
        }
        if resolve {
            played.resolve_chance();
        }
        Ok(Match::new(played, slf.unbind()))
    }

    /// Read and check the JSON of a whole state, as text or dict.
    fn state_from_json(slf: Bound<'_, Self>, state: &Bound<'_, PyAny>) -> PyResult<State> {
        let value = json_argument(state).map_err(refused_state)?;
        let state = slf.get().any.state_from_json(&value).python()?;
        Ok(State::new(state, slf.unbind()))
    }

    /// Begin from a position object of the rule page, as text or dict.
    fn state_from_position(slf: Bound<'_, Self>, position: &Bound<'_, PyAny>) -> PyResult<State> {
        let value = json_argument(position).map_err(refused_state)?;
        let state = slf.get().any.state_from_position(&value).python()?;
        Ok(State::new(state, slf.unbind()))
    }

    /// What `player` knows according to the JSON of its observation, as text or dict; the history is empty.
    fn information_state_from_json(
        slf: Bound<'_, Self>,
        observation: &Bound<'_, PyAny>,
        player: Seat,
    ) -> PyResult<InformationState> {
        let player = player.of(&slf.get().any)?;
        let value = json_argument(observation).map_err(refused_state)?;
        let info = slf.get().any.information_from_json(&value, player).python()?;
        Ok(InformationState::new(info, slf.unbind()))
    }

    /// Draw every tile, card or board of the component set with its count.
    #[pyo3(signature = (*, color = false, ascii = false))]
    fn draw_components(&self, color: bool, ascii: bool) -> String {
        self.any.draw_components(color, ascii)
    }

    fn __repr__(&self) -> String {
        format!("<Game {}: {} players, {}>", self.name(), self.num_players(), Value::Object(self.any.options()))
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, operation: CompareOp) -> Py<PyAny> {
        equality(other, operation, |other: &Self| self.identity() == other.identity())
    }

    fn __hash__(&self) -> u64 {
        portable_hash(self.identity().as_bytes())
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyString>,))> {
        static RESTORE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        Ok((restorer(py, &RESTORE, "restore_game")?, (self.identity_text(py),)))
    }
}

/// The game of a pickle: the one with this identity, which is made only once.
#[pyfunction]
pub(crate) fn restore_game(py: Python<'_>, identity: &Bound<'_, PyString>) -> PyResult<Py<Game>> {
    known::game_of_identity(py, identity.to_str()?)
}

/// Where a match begins, from two arguments of which at most one is given.
pub(crate) fn start_argument(
    game: &Bound<'_, Game>,
    position: Option<&Bound<'_, PyAny>>,
    state: Option<&Bound<'_, PyAny>>,
) -> PyResult<Start> {
    match (position, state) {
        (None, None) => Ok(Start::Ordinary),
        (Some(position), None) => Ok(Start::Position(json_argument(position).map_err(refused_state)?)),
        (None, Some(given)) => match given.cast::<State>() {
            Ok(state) => {
                if !Game::are_equal(given.py(), &state.get().game, game.as_unbound()) {
                    let found = state.get().game.get().identity();
                    return Err(state_error(DataError::new("game", found, game.get().identity())));
                }
                Ok(Start::State(state.get().any.to_json()))
            }
            Err(_) => Ok(Start::State(json_argument(given).map_err(refused_state)?)),
        },
        (Some(_), Some(_)) => Err(state_error(DataError::new("state", "a position as well", "a position or a state"))),
    }
}

/// Names of all games, in order.
#[pyfunction]
pub(crate) fn games() -> Vec<&'static str> {
    GameId::all().map(|id| id.info().name).collect()
}

/// What is known of a game before players, options and components.
#[pyfunction]
pub(crate) fn game_info(name: &Bound<'_, PyString>) -> PyResult<GameInfo> {
    GameId::from_name(&name.to_string_lossy()).map(GameInfo).python()
}

/// Make a game; `forbidden_games.load` is the same with options as keywords and component files by path.
#[pyfunction]
#[pyo3(signature = (name, players = None, options = None, components = None, window = None))]
pub(crate) fn load_game(
    py: Python<'_>,
    name: &Bound<'_, PyString>,
    players: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyAny>>,
    components: Option<&Bound<'_, PyAny>>,
    window: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<Game>> {
    let id = GameId::from_name(&name.to_string_lossy()).python()?;
    let option_error = |error: DataError| OptionsError::new(error.key, error.found, error.expected).into_python();
    let options = match options {
        None => Options::new(),
        Some(given) => match from_python(given).map_err(|error| error.into_python(option_error))? {
            Value::Object(options) => options,
            other => return Err(OptionsError::new("options", data::display(&other), "a dict of options")).python(),
        },
    };
    let components = match components {
        None => None,
        Some(given) => match given.cast::<PyString>() {
            Ok(name) => Some(ComponentSource::Name(name.to_string_lossy().into_owned())),
            Err(_) => {
                let set = from_python(given).map_err(|error| error.into_python(components_error))?;
                Some(ComponentSource::Set(set))
            }
        },
    };
    let window = optional_count(window, "window")?;
    let players = optional_count(players, "players")?;
    let set = components.as_ref().map(ComponentSource::to_json);
    let request = format!("load {} {players:?} {} {set:?} {window:?}", id.info().name, Value::Object(options.clone()));
    known::game_of_request(py, request, window, || id.load(players, &options, components.as_ref(), window))
}

/// Read the text of a component file (TOML, or JSON) as data; `load_game` checks it.
#[pyfunction]
#[pyo3(signature = (text, *, json = false))]
pub(crate) fn parse_components<'py>(py: Python<'py>, text: &Bound<'py, PyString>, json: bool) -> PyResult<Bound<'py, PyAny>> {
    let text = text_argument(text, "text")?;
    let value = if json { data::parse_json(&text) } else { data::parse_toml(&text) }.map_err(components_error)?;
    if !value.is_object() {
        return Err(components_error(DataError::new("", data::display(&value), "an object")));
    }
    to_python(py, &value)
}
