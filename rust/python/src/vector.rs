//! Many games side by side, in arrays that are made once.

use std::sync::{Mutex, MutexGuard, TryLockError};

use forbidden_games::any::AnyVector;
use forbidden_games_core::error::OptionsError;
use forbidden_games_core::interrupt::Interrupt;
use forbidden_games_core::rng::derive_seed;
use forbidden_games_core::search::{AgentKind, AgentSpec};
use forbidden_games_core::start::Start;
use forbidden_games_core::vector::{Arrays, Autoreset, Config, OnIllegal, Reset};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::agent::specs_for;
use crate::buffer::{self, Mark};
use crate::classes::{Game, LegalActions, Match, State};
use crate::convert::{Seed, count, entries, optional_count};
use crate::error::{IntoPython, ResultExt, broken_match, concurrent_use};
use crate::game::start_argument;
use crate::long;
use crate::positions::{SparseBatch, array_of};
use crate::shown::{Form, Given, Shown, Word, word};

/// What changes from step to step.
#[derive(Debug)]
struct Rows {
    any: AnyVector,
    /// Of the last `reset(seed)`, and how many draws `sample()` has made.
    seed: u64,
    sampled: u64,
    /// The process that made the threads.
    process: u32,
    is_closed: bool,
}

/// Many games side by side, a row a game; one call steps all of them. The arrays are made once, are the same objects for ever, and
/// are written in place. `docs/batches.md` says what a step means.
#[pyclass(module = "forbidden_games", frozen)]
#[derive(Debug)]
pub(crate) struct BatchEnv {
    /// Their game.
    #[pyo3(get)]
    game: Py<Game>,
    form: Form,
    config: Config,
    shown: Shown,
    rows: Mutex<Rows>,
}

impl BatchEnv {
    /// The rows for this call alone.
    fn enter(&self) -> PyResult<MutexGuard<'_, Rows>> {
        let mut rows = match self.rows.try_lock() {
            Ok(rows) => rows,
            Err(TryLockError::Poisoned(_)) => return Err(broken_match()),
            Err(TryLockError::WouldBlock) => return Err(concurrent_use()),
        };
        if rows.is_closed {
            return Err(PyValueError::new_err("this BatchEnv is closed"));
        }
        let here = std::process::id();
        if rows.process != here {
            // Forked: the threads stayed in the parent.
            rows.any.forget_threads();
            rows.process = here;
        }
        Ok(rows)
    }

    /// Whether a step can take long.
    fn has_searches(&self) -> bool {
        self.config.agents.iter().flatten().any(|spec| spec.kind() != AgentKind::Random)
    }

    /// Runs `work` without the interpreter's lock; where agents search, it can be interrupted.
    fn run<E: IntoPython + Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Rows, &Arrays<'_>, &Interrupt) -> Result<(), E> + Send,
    ) -> PyResult<()> {
        let mut rows = self.enter()?;
        let rows = &mut *rows;
        let arrays = self.shown.elements();
        if self.has_searches() {
            long::run(py, None, |interrupt| work(rows, &arrays, interrupt))
        } else {
            long::detach(py, || work(rows, &arrays, &Interrupt::new())).python()
        }
    }

    fn place(&self, rows: &Rows, row: &Bound<'_, PyAny>) -> PyResult<usize> {
        let length = rows.any.num_rows();
        let given = row.extract::<isize>()?;
        let place = if given < 0 { given + length as isize } else { given };
        usize::try_from(place)
            .ok()
            .filter(|&place| place < length)
            .ok_or_else(|| PyIndexError::new_err(format!("found row {given}, but there are {length}")))
    }
}

/// Action ids as int64 from whatever holds integers.
fn actions_argument(given: &Bound<'_, PyAny>, rows: usize) -> PyResult<Vec<i64>> {
    let py = given.py();
    if buffer::holds::<i64>(given) {
        return buffer::read(given, "actions", &[rows]);
    }
    let numpy = py.import("numpy")?;
    let array = numpy.call_method1("asarray", (given,))?;
    let kind = array.getattr("dtype")?.getattr("kind")?.extract::<String>()?;
    if rows > 0 && kind != "i" && kind != "u" {
        let found = array.getattr("dtype")?.str()?.to_string_lossy().into_owned();
        return Err(PyTypeError::new_err(format!("actions: found {found}, expected integers")));
    }
    let array = numpy.call_method1("ascontiguousarray", (array, "int64"))?;
    buffer::read(&array, "actions", &[rows])
}

/// An entry a seat: `None` or an agent.
fn agents_argument(given: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Option<AgentSpec>>> {
    let Some(given) = given else { return Ok(Vec::new()) };
    let given = entries(given, "agents", "None, native agents or specifications")?;
    given.into_iter().map(|agent| if agent.is_none() { Ok(None) } else { Ok(specs_for(&[agent], 1)?.pop()) }).collect()
}

#[pymethods]
impl BatchEnv {
    #[new]
    #[pyo3(
        signature = (game, num_envs, *, seed = Seed(0), threads = None, observation = Some(Word::new("float32")), action_mask = true,
                     autoreset = Word::new("same_step"), agents = None, illegal = Word::new("raise"), max_plies = None, out = None),
        text_signature = "(game, num_envs, *, seed=0, threads=1, observation='float32', action_mask=True, autoreset='same_step', \
                          agents=None, illegal='raise', max_plies=None, out=None)"
    )]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        game: Py<Game>,
        num_envs: &Bound<'_, PyAny>,
        seed: Seed,
        threads: Option<&Bound<'_, PyAny>>,
        observation: Option<Word>,
        action_mask: bool,
        autoreset: Word,
        agents: Option<&Bound<'_, PyAny>>,
        illegal: Word,
        max_plies: Option<&Bound<'_, PyAny>>,
        out: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let num_envs = count(num_envs, "num_envs")?;
        let form = Form::read(observation.as_ref(), game.get())?;
        let autoresets =
            [("same_step", Autoreset::SameStep), ("next_step", Autoreset::NextStep), ("disabled", Autoreset::Disabled)];
        let config = Config {
            autoreset: word(&autoreset, "autoreset", &autoresets)?,
            on_illegal: word(&illegal, "illegal", &[("raise", OnIllegal::Refuse), ("lose", OnIllegal::Lose)])?,
            max_plies: optional_count(max_plies, "max_plies")?,
            agents: agents_argument(agents)?,
            threads: optional_count(threads, "threads")?.unwrap_or(1),
        };
        let given = Given(out.map(|arrays| arrays.copy()).transpose()?);
        let with_final = config.autoreset == Autoreset::SameStep;
        let shown = Shown::new(py, game.get(), num_envs, form, action_mask, with_final, given)?;
        let any = &game.get().any;
        let any = long::detach(py, || any.new_vector(num_envs, seed.0, config.clone())).python()?;
        let rows = Rows { any, seed: seed.0, sampled: 0, process: std::process::id(), is_closed: false };
        let this = Self { game, form, config, shown, rows: Mutex::new(rows) };
        this.run(py, |rows, arrays, interrupt| rows.any.show(arrays, interrupt))?;
        Ok(this)
    }

    /// Number of rows, N.
    #[getter]
    fn num_envs(&self) -> PyResult<usize> {
        Ok(self.enter()?.any.num_rows())
    }

    fn __len__(&self) -> PyResult<usize> {
        self.num_envs()
    }

    /// `[N, observation_size]`: what the seat to move perceives, seats clockwise from it; zeros in a finished row. With
    /// `observation='sparse'` a new `SparseBatch`, with `None` nothing.
    #[getter]
    fn observations<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match (&self.shown.observations, self.form) {
            (Some(dense), _) => Ok(Some(dense.array(py))),
            (None, Form::Sparse) => Ok(Some(Bound::new(py, self.sparse(py)?)?.into_any())),
            (None, _) => Ok(None),
        }
    }

    /// `[N, observation_size]`, with `same_step`: of a game that ended in this step, what the seat that you moved last perceives; zeros
    /// elsewhere.
    #[getter]
    fn final_observations<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        self.shown.final_observations.as_ref().map(|dense| dense.array(py))
    }

    /// `[N, num_actions]` bool.
    #[getter]
    fn action_mask<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        self.shown.action_mask.as_ref().map(|mask| mask.array(py))
    }

    /// `[N]` int8: the seat to move, -1 in a finished row.
    #[getter]
    fn players<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.shown.players.array(py)
    }

    /// `[N]` int8: of a game that ended in this step, the seat that you moved last; -1 elsewhere.
    #[getter]
    fn final_players<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.shown.final_players.array(py)
    }

    /// `[N]` uint32: decisions taken in the game that is shown.
    #[getter]
    fn ply<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.shown.ply.array(py)
    }

    /// `[N, num_players]` float32: returns in the step that ends a game, else 0.
    #[getter]
    fn rewards<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.shown.rewards.array(py)
    }

    /// `[N, num_players]` int32: points after the step, in the step that ends a game the final ones.
    #[getter]
    fn scores<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.shown.scores.array(py)
    }

    /// `[N]` bool: the game ended in this step, or earlier and the row waits.
    #[getter]
    fn terminated<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.shown.terminated.array(py)
    }

    /// `[N]` bool: the same for a game that was cut off.
    #[getter]
    fn truncated<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.shown.truncated.array(py)
    }

    /// `[N]` uint64: the seed of the game that is shown.
    #[getter]
    fn seeds<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.shown.seeds.array(py)
    }

    /// `[N]` uint64: the number of that game in its row, from 0.
    #[getter]
    fn episodes<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.shown.episodes.array(py)
    }

    /// Offsets and ids of the legal actions of all rows.
    #[getter]
    fn legal<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let mut rows = self.enter()?;
        let any = &mut rows.any;
        let lists = long::detach(py, || any.sparse(false));
        Ok((array_of(py, &lists.legal_offsets)?, array_of(py, &lists.legal_ids)?))
    }

    /// What the seats to move perceive, and their legal actions, as lists.
    #[getter]
    fn sparse(&self, py: Python<'_>) -> PyResult<SparseBatch> {
        let mut rows = self.enter()?;
        let any = &mut rows.any;
        let lists = long::detach(py, || any.sparse(true));
        SparseBatch::of(py, &lists, self.game.get().any.observation_size())
    }

    /// Play an action in every row: ids, one a row. A finished row takes anything with `next_step`, -1 with `disabled`. An action that
    /// is not legal raises before anything has changed, or loses the game with `illegal='lose'`.
    fn step(&self, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = actions.py();
        let length = self.enter()?.any.num_rows();
        let actions = actions_argument(actions, length)?;
        self.run(py, |rows, arrays, interrupt| rows.any.step(&actions, arrays, interrupt))
    }

    /// Begin rows again, all of them or those of `mask` (bool, `[N]`): with a seed their game 0, else the next game of each. `states`
    /// are what to begin from, an entry a row, `None` for the ordinary start.
    #[pyo3(signature = (seed = None, *, mask = None, states = None))]
    fn reset(
        &self,
        py: Python<'_>,
        seed: Option<Seed>,
        mask: Option<&Bound<'_, PyAny>>,
        states: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let length = self.enter()?.any.num_rows();
        let mask = match mask {
            None => None,
            Some(given) => {
                let flags: Vec<Mark> = buffer::read(given, "mask", &[length])?;
                Some(flags.into_iter().map(Mark::is_set).collect::<Vec<bool>>())
            }
        };
        let states = states.map(|given| self.starts(py, given, length)).transpose()?;
        self.run(py, |rows, arrays, interrupt| {
            let reset = Reset { seed: seed.map(|seed| seed.0), mask: mask.as_deref(), starts: states.as_deref() };
            rows.any.reset(&reset, arrays, interrupt)?;
            if let Some(seed) = seed {
                (rows.seed, rows.sampled) = (seed.0, 0);
            }
            Ok::<(), forbidden_games_core::vector::VectorError>(())
        })
    }

    /// A legal action for every row, drawn uniformly, -1 for a finished one: int64 `[N]`. The same seed gives the same actions; without one
    /// each call goes on from the last.
    #[pyo3(signature = (seed = None))]
    fn sample<'py>(&self, py: Python<'py>, seed: Option<Seed>) -> PyResult<Bound<'py, PyAny>> {
        let mut rows = self.enter()?;
        let seed = match seed {
            Some(seed) => seed.0,
            None => {
                rows.sampled += 1;
                derive_seed(rows.seed, "sample", rows.sampled)
            }
        };
        let length = rows.any.num_rows();
        buffer::new_array(py, &[length], |out: &mut [i64]| rows.any.sample(seed, out))
    }

    /// The match of a row: a copy.
    #[pyo3(name = "match")]
    fn row(&self, row: &Bound<'_, PyAny>) -> PyResult<Match> {
        let rows = self.enter()?;
        let place = self.place(&rows, row)?;
        Ok(Match::new(rows.any.row(place).boxed(), self.game.clone_ref(row.py())))
    }

    /// The state of a row.
    fn state(&self, row: &Bound<'_, PyAny>) -> PyResult<State> {
        let rows = self.enter()?;
        let place = self.place(&rows, row)?;
        Ok(State::new(rows.any.row(place).position().boxed(), self.game.clone_ref(row.py())))
    }

    /// The legal actions of a row.
    fn actions(&self, row: &Bound<'_, PyAny>) -> PyResult<LegalActions> {
        let mut rows = self.enter()?;
        let place = self.place(&rows, row)?;
        Ok(LegalActions::of_ids(rows.any.legal_ids(place), self.game.clone_ref(row.py())))
    }

    /// A copy with arrays of its own.
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        let rows = self.enter()?;
        let copied = Rows { any: rows.any.boxed(), ..*rows };
        drop(rows);
        let (length, with_mask) = (copied.any.num_rows(), self.shown.action_mask.is_some());
        let with_final = self.config.autoreset == Autoreset::SameStep;
        let shown = Shown::new(py, self.game.get(), length, self.form, with_mask, with_final, Given(None))?;
        let this =
            Self { game: self.game.clone_ref(py), form: self.form, config: self.config.clone(), shown, rows: Mutex::new(copied) };
        this.run(py, |rows, arrays, interrupt| rows.any.show(arrays, interrupt))?;
        this.copy_last_step(py, self)?;
        Ok(this)
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.copy(py)
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("a BatchEnv cannot be pickled: pickle states or matches, and make it anew from them"))
    }

    /// Let go of the threads; afterwards only the arrays can be looked at.
    fn close(&self) -> PyResult<()> {
        match self.rows.try_lock() {
            Ok(mut rows) => {
                if rows.process != std::process::id() {
                    rows.any.forget_threads();
                }
                rows.any.close();
                rows.is_closed = true;
                Ok(())
            }
            Err(TryLockError::Poisoned(_)) => Ok(()),
            Err(TryLockError::WouldBlock) => Err(concurrent_use()),
        }
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __exit__(&self, _kind: &Bound<'_, PyAny>, _error: &Bound<'_, PyAny>, _trace: &Bound<'_, PyAny>) -> PyResult<()> {
        self.close()
    }

    fn __repr__(&self) -> PyResult<String> {
        let rows = self.rows.try_lock().map_or(0, |rows| rows.any.num_rows());
        Ok(format!("<BatchEnv {} x {rows}>", self.game.get().any.info().name))
    }
}

impl BatchEnv {
    /// States, or their JSON, to begin from; `None` for the ordinary start.
    fn starts(&self, py: Python<'_>, given: &Bound<'_, PyAny>, length: usize) -> PyResult<Vec<Option<Start>>> {
        let given = entries(given, "states", "states")?;
        if given.len() != length {
            let found = format!("{} states", given.len());
            return Err(OptionsError::new("states", found, format!("{length}, one a row")).into_python());
        }
        let game = self.game.bind(py);
        let start =
            |state: Bound<'_, PyAny>| if state.is_none() { Ok(None) } else { start_argument(game, None, Some(&state)).map(Some) };
        given.into_iter().map(start).collect()
    }

    /// Takes what tells of the last step from another batch with the same rows.
    fn copy_last_step(&self, py: Python<'_>, other: &Self) -> PyResult<()> {
        let pairs = [
            (self.rewards(py), other.rewards(py)),
            (self.scores(py), other.scores(py)),
            (self.terminated(py), other.terminated(py)),
            (self.truncated(py), other.truncated(py)),
            (self.final_players(py), other.final_players(py)),
        ];
        let numpy = py.import("numpy")?;
        for (to, from) in pairs {
            numpy.call_method1("copyto", (to, from))?;
        }
        Ok(())
    }
}
