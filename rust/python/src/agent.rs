//! Native agents.

use std::sync::{Mutex, TryLockError};

use forbidden_games::any::{self, AnySession, InformationObject};
use forbidden_games_core::arena;
use forbidden_games_core::error::{OptionsError, shorten};
use forbidden_games_core::player::{MAX_PLAYERS, Player};
use forbidden_games_core::rng::portable_hash;
use forbidden_games_core::search::{AgentKind, AgentSpec, Evaluator, SETTINGS, Setting};
use pyo3::prelude::*;
use pyo3::pyclass::CompareOp;
use pyo3::types::{PyBool, PyDict, PyInt, PyString};

use crate::classes::{Action, Game, InformationState, Match};
use crate::convert::{Seed, entries, whole_number};
use crate::error::{ResultExt, agent_error, concurrent_session};
use crate::evaluator::PythonEvaluator;
use crate::long::{self, Stop};
use crate::report::Report;
use crate::value::equality;

/// A native agent, frozen: `name:key=value,key=value`. `str(agent)` is the canonical specification.
#[pyclass(module = "forbidden_games", frozen)]
#[derive(Debug)]
pub(crate) struct SearchAgent(pub(crate) AgentSpec);

impl SearchAgent {
    fn run(
        &self,
        py: Python<'_>,
        info: &Bound<'_, InformationState>,
        seed: Seed,
        evaluator: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Report> {
        let mut evaluator = evaluator.filter(|given| !given.is_none()).map(PythonEvaluator::new).transpose()?;
        let (spec, info) = (&self.0, info.get());
        let any = &info.any;
        let report = long::run(py, None, |interrupt| {
            any.search(spec, seed.0, evaluator.as_mut().map(|one| one as &mut dyn Evaluator), interrupt)
        })?;
        Ok(Report::new(report, info.game.clone_ref(py)))
    }
}

#[pymethods]
impl SearchAgent {
    #[new]
    fn new(spec: &Bound<'_, PyString>) -> PyResult<Self> {
        spec.to_string_lossy().parse().map(Self).python()
    }

    /// What it is: `random`, `greedy`, `mcts` and so on.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.kind().name()
    }

    /// The settings that were given.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let options = PyDict::new(py);
        for (name, value) in self.0.given() {
            options.set_item(name, value)?;
        }
        Ok(options)
    }

    /// Choose one of `info.legal_actions`.
    #[pyo3(signature = (info, *, seed = Seed(0)), text_signature = "($self, info, *, seed=0)")]
    fn act(&self, py: Python<'_>, info: &Bound<'_, InformationState>, seed: Seed) -> PyResult<Action> {
        Ok(self.run(py, info, seed, None)?.chosen(py))
    }

    /// Choose, and say what was found. `evaluator(observations, masks, players)` replaces rollouts and priors: it gets arrays
    /// `[B, observation_size]`, `[B, num_actions]` and `[B]`, and returns priors `[B, num_actions]` and values `[B, num_players]`,
    /// both float32.
    #[pyo3(signature = (info, *, seed = Seed(0), evaluator = None), text_signature = "($self, info, *, seed=0, evaluator=None)")]
    fn search(
        &self,
        py: Python<'_>,
        info: &Bound<'_, InformationState>,
        seed: Seed,
        evaluator: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Report> {
        self.run(py, info, seed, evaluator)
    }

    /// A level (`expert`) replaced by the agent it stands for in this game; other agents as they are.
    fn resolve(&self, game: &Bound<'_, Game>) -> PyResult<Self> {
        game.get().any.resolve(&self.0).map(Self).python()
    }

    /// The same agent with some settings changed: `agent.replace(simulations=500)`.
    #[pyo3(signature = (**settings))]
    fn replace(&self, settings: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut given = Vec::new();
        for (name, value) in settings.into_iter().flatten() {
            let value = match value.cast::<PyBool>() {
                Ok(flag) => flag.is_true().to_string(),
                Err(_) => value.str()?.to_string_lossy().into_owned(),
            };
            given.push((name.str()?.to_string_lossy().into_owned(), value));
        }
        self.0.with(given.iter().map(|(name, value)| (&**name, &**value))).python().map(Self)
    }

    /// The agent on a seat of one match, which can keep its tree between decisions (`reuse=true`).
    fn new_session(slf: Bound<'_, Self>) -> SearchSession {
        SearchSession { agent: slf.unbind(), kept: Mutex::default() }
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("SearchAgent('{}')", self.0)
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, operation: CompareOp) -> Py<PyAny> {
        equality(other, operation, |other: &Self| self.0 == other.0)
    }

    fn __hash__(&self) -> u64 {
        portable_hash(self.0.to_string().as_bytes())
    }

    fn __reduce__<'py>(slf: Bound<'py, Self>) -> (Bound<'py, PyAny>, (String,)) {
        (slf.get_type().into_any(), (slf.get().__str__(),))
    }
}

/// A native agent on one seat of one match. With `reuse=true` it goes on with the tree of its last search; otherwise it is the same as
/// the agent. A report then depends on the searches before it.
#[pyclass(module = "forbidden_games", frozen)]
#[derive(Debug)]
pub(crate) struct SearchSession {
    /// Its agent.
    #[pyo3(get)]
    agent: Py<SearchAgent>,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    session: Option<AnySession>,
    /// Of the game it searched.
    identity: Option<String>,
}

impl SearchSession {
    fn run(
        &self,
        py: Python<'_>,
        info: &Bound<'_, InformationState>,
        seed: Seed,
        evaluator: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Report> {
        let mut evaluator = evaluator.filter(|given| !given.is_none()).map(PythonEvaluator::new).transpose()?;
        let (spec, info) = (&self.agent.get().0, info.get());
        // Entered by the working thread for as long as it searches: a second thread is refused and the tree stays.
        let report = long::run(py, None, |interrupt| -> PyResult<_> {
            let mut kept = match self.kept.try_lock() {
                Ok(kept) => kept,
                Err(TryLockError::WouldBlock) => return Err(concurrent_session()),
                Err(TryLockError::Poisoned(poisoned)) => {
                    // What a panic left is thrown away: the tree only saves work.
                    let mut kept = poisoned.into_inner();
                    *kept = Kept::default();
                    self.kept.clear_poison();
                    kept
                }
            };
            if kept.identity.as_deref().is_none_or(|identity| identity != info.game.get().identity()) {
                *kept = Kept { session: None, identity: Some(info.game.get().identity().to_owned()) };
            }
            let evaluator = evaluator.as_mut().map(|one| one as &mut dyn Evaluator);
            info.any.search_in(&mut kept.session, spec, seed.0, evaluator, interrupt).python()
        })?;
        Ok(Report::new(report, info.game.clone_ref(py)))
    }
}

#[pymethods]
impl SearchSession {
    /// Choose one of `info.legal_actions`.
    #[pyo3(signature = (info, *, seed = Seed(0)), text_signature = "($self, info, *, seed=0)")]
    fn act(&self, py: Python<'_>, info: &Bound<'_, InformationState>, seed: Seed) -> PyResult<Action> {
        Ok(self.run(py, info, seed, None)?.chosen(py))
    }

    /// Choose, and say what was found; as `SearchAgent.search`.
    #[pyo3(signature = (info, *, seed = Seed(0), evaluator = None), text_signature = "($self, info, *, seed=0, evaluator=None)")]
    fn search(
        &self,
        py: Python<'_>,
        info: &Bound<'_, InformationState>,
        seed: Seed,
        evaluator: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Report> {
        self.run(py, info, seed, evaluator)
    }

    /// A copy, and what comes out of a pickle, begins without a tree.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, ())> {
        Ok((self.agent.bind(py).getattr("new_session")?, ()))
    }

    fn __repr__(&self) -> String {
        format!("<SearchSession {}>", self.agent.get().0)
    }
}

/// One setting that a native agent takes.
#[pyclass(module = "forbidden_games", frozen)]
#[derive(Debug)]
pub(crate) struct AgentSetting(&'static Setting);

#[pymethods]
impl AgentSetting {
    /// Its name.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name
    }

    /// The allowed values in words.
    #[getter]
    fn expected(&self) -> String {
        self.0.expected()
    }

    /// The value if neither the specification nor the game says otherwise.
    #[getter]
    fn default(&self) -> &'static str {
        self.0.default
    }

    /// What it does.
    #[getter]
    fn meaning(&self) -> &'static str {
        self.0.meaning
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, operation: CompareOp) -> Py<PyAny> {
        equality(other, operation, |other: &Self| self.0.name == other.0.name)
    }

    fn __hash__(&self) -> u64 {
        portable_hash(self.0.name.as_bytes())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (&'static str,))> {
        Ok((py.import("forbidden_games._rust")?.getattr("restore_agent_setting")?, (self.0.name,)))
    }

    fn __repr__(&self) -> String {
        format!("<AgentSetting {}: {}>", self.0.name, self.0.expected())
    }
}

/// Rebuild a pickled setting.
#[pyfunction]
pub(crate) fn restore_agent_setting(name: &Bound<'_, PyString>) -> PyResult<AgentSetting> {
    let name = name.to_string_lossy();
    let known = SETTINGS.iter().find(|setting| setting.name == name);
    known.map(AgentSetting).ok_or_else(|| agent_error(format!("setting {}: no agent has it", shorten(&name))))
}

/// Names of all native agents and levels, each with one line of what it does.
#[pyfunction]
pub(crate) fn agent_names(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let names = PyDict::new(py);
    for kind in AgentKind::ALL {
        names.set_item(kind.name(), kind.meaning())?;
    }
    Ok(names)
}

/// The settings that a native agent takes.
#[pyfunction]
pub(crate) fn agent_settings(name: &Bound<'_, PyString>) -> PyResult<Vec<AgentSetting>> {
    let spec: AgentSpec = name.to_string_lossy().parse().python()?;
    Ok(spec.kind().settings().map(AgentSetting).collect())
}

/// The seed of the agent on seat `player` for its decision at `ply` of a match with `seed`.
#[pyfunction]
#[pyo3(name = "agent_seed")]
pub(crate) fn agent_seed(seed: Seed, player: &Bound<'_, PyAny>, ply: &Bound<'_, PyAny>) -> PyResult<u64> {
    let player = whole_number(player.as_borrowed(), "player", MAX_PLAYERS as u64 - 1)? as u8;
    let ply = whole_number(ply.as_borrowed(), "ply", u64::from(u32::MAX))? as u32;
    Ok(arena::agent_seed(seed.0, Player(player), ply))
}

/// Search many roots of one game at once; batches of leaves are filled across them. One seed for all, or one for each.
#[pyfunction]
#[pyo3(signature = (agent, infos, *, seed = None, evaluator = None),
       text_signature = "(agent, infos, *, seed=0, evaluator=None)")]
pub(crate) fn search_batch(
    py: Python<'_>,
    agent: &Bound<'_, SearchAgent>,
    infos: &Bound<'_, PyAny>,
    seed: Option<&Bound<'_, PyAny>>,
    evaluator: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<Report>> {
    let infos = entries(infos, "infos", "information states")?;
    let infos = infos.iter().map(|info| Ok(info.cast::<InformationState>()?.clone())).collect::<PyResult<Vec<_>>>()?;
    let seeds: Vec<u64> = match seed {
        None => vec![0; infos.len()],
        Some(one) if one.cast::<PyInt>().is_ok() || one.hasattr("__index__")? => vec![one.extract::<Seed>()?.0; infos.len()],
        Some(many) => {
            let seeds = entries(many, "seed", "integers")?;
            seeds.iter().map(|seed| Ok(seed.extract::<Seed>()?.0)).collect::<PyResult<_>>()?
        }
    };
    if seeds.len() != infos.len() {
        return Err(OptionsError::new("seed", format!("{} seeds", seeds.len()), format!("{}", infos.len()))).python();
    }
    let Some(first) = infos.first().map(|info| &info.get().game) else { return Ok(Vec::new()) };
    if let Some(other) = infos.iter().find(|info| !Game::are_equal(py, first, &info.get().game)) {
        let found = other.get().game.get().identity();
        return Err(OptionsError::new("infos", found, first.get().identity())).python();
    }
    let mut evaluator = evaluator.map(PythonEvaluator::new).transpose()?;
    let roots: Vec<&dyn InformationObject> = infos.iter().map(|info| &*info.get().any).collect();
    let spec = &agent.get().0;
    let reports = long::run(py, None, |interrupt| {
        any::search_batch(spec, &roots, &seeds, evaluator.as_mut().map(|one| one as &mut dyn Evaluator), interrupt)
    })?;
    Ok(reports.into_iter().map(|report| Report::new(report, first.clone_ref(py))).collect())
}

/// Let native agents, one for each seat, play a match to its end; `forbidden_games.play_match` is the call for users.
#[pyfunction]
#[pyo3(signature = (r#match, agents, stop = None), text_signature = "(match, agents, stop=None)")]
pub(crate) fn play_native_match(
    py: Python<'_>,
    r#match: &Bound<'_, Match>,
    agents: &Bound<'_, PyAny>,
    stop: Option<Bound<'_, Stop>>,
) -> PyResult<()> {
    let seats = r#match.get().game.get().any.num_players();
    let agents = entries(agents, "agents", "native agents")?;
    if agents.len() != seats {
        return Err(agent_error(format!("{} agents: expected {seats}, one for each seat", agents.len())));
    }
    let specs = agents.iter().map(|agent| Ok(agent.cast::<SearchAgent>()?.get().0.clone())).collect::<PyResult<Vec<_>>>()?;
    let played = r#match.get();
    let stop = stop.map(|stop| stop.get().clone());
    // The match is entered by the working thread, so that the lock never crosses threads.
    long::run(py, stop, |interrupt| -> PyResult<()> { played.enter()?.play_on(&specs, interrupt).python() })
}

/// Specifications given as agents or as text, one for all seats or one for each.
pub(crate) fn specs_for(given: &[Bound<'_, PyAny>], seats: usize) -> PyResult<Vec<AgentSpec>> {
    let mut specs = Vec::new();
    for agent in given {
        specs.push(match agent.cast::<SearchAgent>() {
            Ok(agent) => agent.get().0.clone(),
            Err(_) => agent.cast::<PyString>()?.to_string_lossy().parse().python()?,
        });
    }
    match specs.len() {
        1 => Ok(vec![specs[0].clone(); seats]),
        count if count == seats => Ok(specs),
        count => Err(agent_error(format!("{count} agents: expected 1 for all seats, or {seats}"))),
    }
}
