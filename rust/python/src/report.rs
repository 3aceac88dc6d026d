//! What a search found.

use std::time::Duration;

use forbidden_games_core::error::DataError;
use forbidden_games_core::player::Player;
use forbidden_games_core::search;
use pyo3::prelude::*;

use crate::buffer;
use crate::classes::{Action, Game, LegalActions};
use crate::convert::to_python;
use crate::error::{ResultExt, state_error};

/// What a search found. Arrays run along `legal_actions`.
#[pyclass(module = "forbidden_games", frozen)]
#[derive(Debug)]
pub(crate) struct Report {
    report: search::Report,
    game: Py<Game>,
}

impl Report {
    pub(crate) fn new(report: search::Report, game: Py<Game>) -> Self {
        Self { report, game }
    }

    /// The chosen action.
    pub(crate) fn chosen(&self, py: Python<'_>) -> Action {
        Action { game: self.game.clone_ref(py), id: self.report.action }
    }

    fn column<'py, T: buffer::Element>(
        &self,
        py: Python<'py>,
        value: impl Fn(&search::ActionReport) -> T,
    ) -> PyResult<Bound<'py, PyAny>> {
        buffer::new_array(py, &[self.report.actions.len()], |out: &mut [T]| {
            for (to, action) in out.iter_mut().zip(&self.report.actions) {
                *to = value(action);
            }
        })
    }
}

#[pymethods]
impl Report {
    /// The agent in full, levels resolved.
    #[getter]
    fn agent(&self) -> &str {
        &self.report.agent
    }

    /// The seat that searched.
    #[getter]
    fn player(&self) -> u8 {
        self.report.player.0
    }

    /// The chosen action.
    #[getter]
    fn action(&self, py: Python<'_>) -> Action {
        self.chosen(py)
    }

    /// Every legal action, ascending by id.
    #[getter]
    fn legal_actions(&self, py: Python<'_>) -> LegalActions {
        let ids = self.report.actions.iter().map(|action| action.id).collect();
        LegalActions::of_ids(ids, self.game.clone_ref(py))
    }

    /// Simulations that began with each action.
    #[getter]
    fn visit_counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.column(py, |action| i64::try_from(action.visits).unwrap_or(i64::MAX))
    }

    /// What the seat can expect of each action: a return in [-1, 1] (greedy: points); 0 where it was never visited.
    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.column(py, |action| action.value)
    }

    /// What `q` counts: `"return"` (in [-1, 1]), `"points"` of the game (greedy; a finished game adds a million for each whole
    /// return), or `None` if the agent judges no action (random).
    #[getter]
    fn value_unit(&self) -> Option<&'static str> {
        self.report.value_unit().word()
    }

    /// The prior of each action.
    #[getter]
    fn priors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.column(py, |action| action.prior)
    }

    /// What every seat can expect; empty if the agent does not know (random, greedy).
    #[getter]
    fn values(&self) -> Vec<f64> {
        self.report.values.clone()
    }

    /// The line that the search expects, in notation.
    #[getter]
    fn principal_variation(&self) -> Vec<String> {
        self.report.principal_variation.clone()
    }

    /// Simulations made.
    #[getter]
    fn simulations(&self) -> u64 {
        self.report.simulations
    }

    /// Nodes of all trees (greedy, expectimax: positions looked at).
    #[getter]
    fn nodes(&self) -> u64 {
        self.report.nodes
    }

    /// Longest way from the root to a leaf, in steps.
    #[getter]
    fn depth(&self) -> u32 {
        self.report.depth
    }

    /// Bytes of all trees.
    #[getter]
    fn memory(&self) -> u64 {
        self.report.memory
    }

    /// Whether a limit stopped the growth.
    #[getter]
    fn truncated(&self) -> bool {
        self.report.truncated
    }

    /// Time it took.
    #[getter]
    fn seconds(&self) -> f64 {
        self.report.elapsed.as_secs_f64()
    }

    /// Everything as a dict.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.game.get().any.report_to_json(&self.report))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, ReportParts)> {
        let restore = py.import("forbidden_games._rust")?.getattr("restore_report")?;
        let report = &self.report;
        let actions = report.actions.iter().map(|one| (one.id, one.visits, one.value, one.prior)).collect();
        let line = report.principal_variation.clone();
        let sizes = (report.simulations, report.nodes, report.depth, report.memory);
        let nanoseconds = u64::try_from(report.elapsed.as_nanos()).unwrap_or(u64::MAX);
        let (agent, player, chosen) = (report.agent.clone(), report.player.0, report.action);
        let rest = (report.values.clone(), line, sizes, report.truncated, nanoseconds);
        Ok((restore, (self.game.clone_ref(py), agent, player, chosen, actions, rest)))
    }

    fn __repr__(&self) -> String {
        let action = self.game.get().any.format_action(self.report.action).unwrap_or_default();
        let best = self.report.actions.iter().find(|action| action.id == self.report.action);
        let value = best.map_or(0.0, |action| action.value);
        format!("<Report \"{action}\": value {value:.3}, {} simulations>", self.report.simulations)
    }
}

/// Id, visits, value and prior of an action.
type ActionParts = (u32, u64, f64, f64);
/// Values, expected line, (simulations, nodes, depth, memory), whether it is truncated, nanoseconds.
type Measures = (Vec<f64>, Vec<String>, (u64, u64, u32, u64), bool, u64);
/// Game, agent, seat, chosen action, all actions, what was measured.
type ReportParts = (Py<Game>, String, u8, u32, Vec<ActionParts>, Measures);

/// Rebuild a pickled report.
#[pyfunction]
pub(crate) fn restore_report(
    game: Py<Game>,
    agent: String,
    player: u8,
    chosen: u32,
    actions: Vec<ActionParts>,
    measures: Measures,
) -> PyResult<Report> {
    let refuse = |found: String, expected: &str| state_error(DataError::new("pickle", found, expected));
    if usize::from(player) >= game.get().any.num_players() {
        return Err(refuse(format!("player {player}"), "a seat of the game"));
    }
    if !actions.iter().any(|&(id, ..)| id == chosen) {
        return Err(refuse(format!("action {chosen}"), "one of the legal actions"));
    }
    actions.iter().try_for_each(|&(id, ..)| game.get().any.check_action_id(id)).python()?;
    let (values, principal_variation, (simulations, nodes, depth, memory), truncated, nanoseconds) = measures;
    let actions = actions.into_iter().map(|(id, visits, value, prior)| search::ActionReport { id, visits, value, prior }).collect();
    let elapsed = Duration::from_nanos(nanoseconds);
    let player = Player(player);
    let report = search::Report {
        agent,
        player,
        action: chosen,
        actions,
        values,
        principal_variation,
        simulations,
        nodes,
        depth,
        memory,
        truncated,
        elapsed,
    };
    Ok(Report { report, game })
}
