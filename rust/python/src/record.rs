//! Records: matches in writing.

use forbidden_games::any::game_of_identity;
use forbidden_games_core::error::RecordError;
use forbidden_games_core::record;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pyclass::CompareOp;
use pyo3::types::PyString;
use serde_json::Value;

use crate::classes::{Game, Match, Record};
use crate::convert::{optional_count, to_python};
use crate::error::ResultExt;
use crate::known;
use crate::value::equality;

impl Record {
    pub(crate) fn new(record: record::Record, game: Py<Game>) -> Self {
        Self { record, game }
    }
}

/// What pickle keeps: a function and its arguments.
type Reduced<'py> = (Bound<'py, PyAny>, (String, Py<Game>));

#[pymethods]
impl Record {
    /// The first line as a dict.
    #[getter]
    fn header<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let line = self.record.lines().next().unwrap_or_default();
        to_python(py, &serde_json::from_str(&line).unwrap_or(Value::Null))
    }

    /// Who sat where.
    #[getter]
    fn seats(&self) -> Vec<String> {
        self.record.header.seats.clone()
    }

    /// The seed of the luck.
    #[getter]
    fn seed(&self) -> u64 {
        self.record.header.seed
    }

    /// Notation of every step, draws included.
    #[getter]
    fn steps(&self) -> Vec<&str> {
        self.record.steps.iter().map(|step| step.text.as_str()).collect()
    }

    /// Number of decisions.
    #[getter]
    fn plies(&self) -> usize {
        self.record.steps.iter().filter(|step| step.kind == record::StepKind::Action).count()
    }

    /// Scores, ranking and returns, if the game is over.
    #[getter]
    fn result<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.record.result.as_ref().map(|result| to_python(py, &result.to_json())).transpose()
    }

    /// The whole text.
    fn to_text(&self) -> String {
        self.record.to_text()
    }

    /// The match as it stood before the decision at `ply`, counted as in the state's JSON (default: at the end of the record). A ply
    /// that the record does not come to is a `ValueError`.
    #[pyo3(signature = (ply = None))]
    fn new_match(&self, py: Python<'_>, ply: Option<&Bound<'_, PyAny>>) -> PyResult<Match> {
        let game = &self.game.get().any;
        let wanted = optional_count(ply, "ply")?;
        let (played, error) = match wanted {
            None => game.match_from_record(&self.record).python()?,
            Some(ply) => {
                let ply = u32::try_from(ply).unwrap_or(u32::MAX);
                game.match_from_record(&self.record.until_ply(ply)).python()?
            }
        };
        if let Some(error) = error {
            return Err(error).python();
        }
        let reached = played.position().ply() as usize;
        match wanted {
            Some(ply) if ply < reached => Err(PyValueError::new_err(format!("ply: found {ply}, expected {reached} or more"))),
            Some(ply) if ply > reached => Err(PyValueError::new_err(format!("ply: found {ply}, expected at most {reached}"))),
            _ => Ok(Match::new(played, self.game.clone_ref(py))),
        }
    }

    /// Write it to a file, in one step.
    fn save(&self, py: Python<'_>, path: &Bound<'_, PyAny>) -> PyResult<()> {
        py.import("forbidden_games.record")?.getattr("write_text")?.call1((path, self.to_text()))?;
        Ok(())
    }

    fn __len__(&self) -> usize {
        self.record.steps.len()
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, operation: CompareOp) -> Py<PyAny> {
        equality(other, operation, |other: &Self| self.record == other.record)
    }

    fn __repr__(&self) -> String {
        let state = if self.record.result.is_some() { "finished" } else { "unfinished" };
        format!("<Record {}: {} plies, {state}>", self.record.header.identity.game, self.plies())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        Ok((py.import("forbidden_games._rust")?.getattr("restore_record")?, (self.to_text(), self.game.clone_ref(py))))
    }
}

/// The text of a record, which cannot hold what no file can.
fn record_text(text: &Bound<'_, PyString>) -> PyResult<String> {
    text.extract::<String>().or_else(|_| {
        let line = 1 + text.to_string_lossy().split('\u{fffd}').next().unwrap_or_default().matches('\n').count();
        Err(RecordError::Line { line, reason: "found a lone surrogate, expected text".to_owned() }).python()
    })
}

/// The game that a record names, made once.
fn game_of(py: Python<'_>, identity: &record::Identity) -> PyResult<Py<Game>> {
    let record::Identity { game, rules, players, options, components, .. } = identity;
    let request = format!("record {game} {rules} {players} {} {components}", serde_json::Value::Object(options.clone()));
    known::game_of_request(py, request, None, || game_of_identity(identity))
}

/// Read and replay a whole record.
#[pyfunction]
pub(crate) fn parse_record(py: Python<'_>, text: &Bound<'_, PyString>) -> PyResult<Record> {
    let record = record::Record::parse(&record_text(text)?).python()?;
    let game = game_of(py, &record.header.identity)?;
    match game.get().any.match_from_record(&record).python()?.1 {
        Some(error) => Err(error).python(),
        None => Ok(Record::new(record, game)),
    }
}

/// Read as far as the record is sound; also the error that ended it, in words. Fails only if the header cannot be used.
#[pyfunction]
pub(crate) fn parse_record_prefix(py: Python<'_>, text: &Bound<'_, PyString>) -> PyResult<(Record, Option<String>)> {
    let (mut record, broken) = record::Record::parse_until_error(&record_text(text)?).python()?;
    let game = game_of(py, &record.header.identity)?;
    let (played, error) = game.get().any.match_from_record(&record).python()?;
    if error.is_some() {
        // What follows from the sound part, without the draws that the match made after it.
        let sound = played.record();
        let same = sound.steps.iter().zip(&record.steps).take_while(|(one, other)| one == other).count();
        record.steps.truncate(same);
        record.result = None;
    }
    let error = error.or(broken).map(|error| error.to_string());
    Ok((Record::new(record, game), error))
}

/// A record out of a pickle: its text, and the game with the window that the text does not hold.
#[pyfunction]
pub(crate) fn restore_record(text: &Bound<'_, PyString>, game: Py<Game>) -> PyResult<Record> {
    let record = record::Record::parse(&text.to_string_lossy()).python()?;
    match game.get().any.match_from_record(&record).python()?.1 {
        Some(error) => Err(error).python(),
        None => Ok(Record::new(record, game)),
    }
}
