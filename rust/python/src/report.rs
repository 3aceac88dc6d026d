//! What a search found.

use forbidden_games_core::search;
use pyo3::prelude::*;

use crate::buffer;
use crate::convert::to_python;
use crate::game::Game;
use crate::step::{Action, LegalActions};

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

    fn column<'py, T: buffer::Scalar>(
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
        LegalActions { game: self.game.clone_ref(py), ids }
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

    fn __repr__(&self) -> String {
        let action = self.game.get().any.format_action(self.report.action).unwrap_or_default();
        let best = self.report.actions.iter().find(|action| action.id == self.report.action);
        let value = best.map_or(0.0, |action| action.value);
        format!("<Report \"{action}\": value {value:.3}, {} simulations>", self.report.simulations)
    }
}
