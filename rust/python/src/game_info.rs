//! What is known of a game before it is made, its options, and the blocks of its observations.

use forbidden_games::any::GameId;
use forbidden_games_core::error::{DataError, OptionsError};
use forbidden_games_core::options::{self, OptionKind};
use forbidden_games_core::rng::portable_hash;
use pyo3::prelude::*;
use pyo3::pyclass::CompareOp;
use pyo3::types::{PyDict, PyString};

use crate::convert::{from_python, text_argument, to_python};
use crate::error::{IntoPython, ResultExt};
use crate::value::{equality, intern};

/// What is known of a game before players, options and components.
#[pyclass(module = "forbidden_games", frozen)]
#[derive(Debug)]
pub(crate) struct GameInfo(pub(crate) GameId);

#[pymethods]
impl GameInfo {
    /// Its name in code, records and at the command line.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.info().name
    }

    /// Its name for people.
    #[getter]
    fn title(&self) -> &'static str {
        self.0.info().title
    }

    /// One line: what it is.
    #[getter]
    fn summary(&self) -> &'static str {
        self.0.info().summary
    }

    /// Version of the rule page.
    #[getter]
    fn rules_version(&self) -> u32 {
        self.0.info().rules_version
    }

    /// Version of action ids, outcome ids and observation blocks.
    #[getter]
    fn layout_version(&self) -> u32 {
        self.0.info().layout_version
    }

    /// Fewest seats.
    #[getter]
    fn min_players(&self) -> usize {
        self.0.info().min_players
    }

    /// Most seats.
    #[getter]
    fn max_players(&self) -> usize {
        self.0.info().max_players
    }

    /// Seats if nothing is said.
    #[getter]
    fn default_players(&self) -> usize {
        self.0.info().default_players
    }

    /// Whether some seat can know what another does not.
    #[getter]
    fn hidden_information(&self) -> bool {
        self.0.info().hidden_information
    }

    /// Names of the phases.
    #[getter]
    fn phases(&self) -> Vec<&'static str> {
        self.0.info().phases.to_vec()
    }

    /// The rule page, Markdown.
    #[getter]
    fn rules(&self) -> &'static str {
        self.0.info().rules
    }

    /// The game's page, Markdown: options, components, specs, action ids, observation blocks.
    #[getter]
    fn readme(&self) -> &'static str {
        self.0.info().readme
    }

    /// The options.
    #[getter]
    fn option_schema(&self) -> Vec<OptionSpec> {
        OptionSpec::all(self.0)
    }

    /// Name and TOML text of the built-in component sets, the default first.
    #[getter]
    fn builtin_components<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let sets = PyDict::new(py);
        for (name, text) in self.0.builtin_components() {
            sets.set_item(name, text)?;
        }
        Ok(sets)
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, operation: CompareOp) -> Py<PyAny> {
        equality(other, operation, |other: &Self| self.0 == other.0)
    }

    fn __hash__(&self) -> u64 {
        portable_hash(self.name().as_bytes())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (&'static str,))> {
        Ok((py.import("forbidden_games._rust")?.getattr("game_info")?, (self.name(),)))
    }

    fn __repr__(&self) -> String {
        format!("<GameInfo {}>", self.name())
    }
}

/// One option of a game.
#[pyclass(module = "forbidden_games", frozen)]
#[derive(Debug)]
pub(crate) struct OptionSpec {
    spec: options::OptionSpec,
    game: GameId,
}

impl OptionSpec {
    /// Those of a game.
    pub(crate) fn all(game: GameId) -> Vec<Self> {
        game.option_schema().into_iter().map(|spec| Self { spec, game }).collect()
    }
}

#[pymethods]
impl OptionSpec {
    /// Its name.
    #[getter]
    fn name(&self) -> &'static str {
        self.spec.name
    }

    /// `choice`, `integer`, `text`, or `names` (a list of names, or a text that stands for a random draw).
    #[getter]
    fn kind(&self) -> &'static str {
        match self.spec.kind {
            OptionKind::Choice(_) => "choice",
            OptionKind::Integer { .. } => "integer",
            OptionKind::NamesOrText(_) => "names",
            _ => "text",
        }
    }

    /// The words of a choice.
    #[getter]
    fn choices(&self) -> Option<Vec<&'static str>> {
        if let OptionKind::Choice(words) = self.spec.kind { Some(words.to_vec()) } else { None }
    }

    /// The smallest integer.
    #[getter]
    fn min(&self) -> Option<i64> {
        if let OptionKind::Integer { min, .. } = self.spec.kind { Some(min) } else { None }
    }

    /// The largest integer.
    #[getter]
    fn max(&self) -> Option<i64> {
        if let OptionKind::Integer { max, .. } = self.spec.kind { Some(max) } else { None }
    }

    /// Whether only odd integers count.
    #[getter]
    fn odd(&self) -> bool {
        matches!(self.spec.kind, OptionKind::Integer { odd: true, .. })
    }

    /// The default.
    #[getter]
    fn default<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.spec.default)
    }

    /// What it means, with the rule number.
    #[getter]
    fn meaning(&self) -> &'static str {
        self.spec.meaning
    }

    /// The allowed values in words.
    #[getter]
    fn expected(&self) -> String {
        self.spec.expected()
    }

    /// Read a value written as text (`41`, `wind,stair`).
    fn parse<'py>(&self, py: Python<'py>, text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
        let value = self.spec.parse(&text_argument(text, self.spec.name)?).python()?;
        self.spec.check(&value).python()?;
        to_python(py, &value)
    }

    /// Write a value as text that `parse` reads again.
    fn format(&self, value: &Bound<'_, PyAny>) -> PyResult<String> {
        let refused = |error: DataError| OptionsError::new(self.spec.name, error.found, self.spec.expected()).into_python();
        let value = from_python(value).map_err(|error| error.into_python(refused))?;
        self.spec.format(&value).python()
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, operation: CompareOp) -> Py<PyAny> {
        let is_same = |other: &Self| self.game == other.game && self.spec.name == other.spec.name;
        equality(other, operation, is_same)
    }

    fn __hash__(&self) -> u64 {
        portable_hash(self.__repr__().as_bytes())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (&'static str, &'static str))> {
        let restore = py.import("forbidden_games._rust")?.getattr("restore_option_spec")?;
        Ok((restore, (self.game.info().name, self.spec.name)))
    }

    fn __repr__(&self) -> String {
        format!("<OptionSpec {}: {}>", self.spec.name, self.spec.expected())
    }
}

/// One named block of an encoded observation.
#[pyclass(module = "forbidden_games", frozen)]
#[derive(Debug)]
pub(crate) struct Block(pub(crate) forbidden_games_core::encoding::Block);

#[pymethods]
impl Block {
    /// Its name.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name
    }

    /// Its shape.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyTuple>> {
        pyo3::types::PyTuple::new(py, &self.0.shape)
    }

    /// Where it begins in the tensor.
    #[getter]
    fn offset(&self) -> usize {
        self.0.offset
    }

    /// Number of values.
    #[getter]
    fn size(&self) -> usize {
        self.0.len()
    }

    /// What 1.0 is as a raw number: as float32 a value is raw / scale.
    #[getter]
    fn scale(&self) -> u16 {
        self.0.scale
    }

    /// The greatest raw number.
    #[getter]
    fn bound(&self) -> u16 {
        self.0.bound
    }

    /// What it holds: axes, meaning, unit.
    #[getter]
    fn meaning(&self) -> &str {
        &self.0.meaning
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, operation: CompareOp) -> Py<PyAny> {
        equality(other, operation, |other: &Self| self.0 == other.0)
    }

    fn __hash__(&self) -> u64 {
        portable_hash(self.__repr__().as_bytes())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, BlockParts)> {
        let restore = py.import("forbidden_games._rust")?.getattr("restore_block")?;
        let scaling = (self.0.scale, self.0.bound);
        Ok((restore, (self.0.name.to_owned(), self.0.shape.clone(), self.0.offset, scaling, self.0.meaning.clone())))
    }

    fn __repr__(&self) -> String {
        format!("<Block {} {:?} at {}>", self.0.name, self.0.shape, self.0.offset)
    }
}

/// Name, shape, offset, scale with bound, and meaning of a block.
type BlockParts = (String, Vec<usize>, usize, (u16, u16), String);

/// Rebuild a pickled block.
#[pyfunction]
pub(crate) fn restore_block(name: &str, shape: Vec<usize>, offset: usize, scaling: (u16, u16), meaning: String) -> PyResult<Block> {
    let (scale, bound) = scaling;
    Ok(Block(forbidden_games_core::encoding::Block { name: intern(name)?, shape, offset, scale, bound, meaning }))
}

/// Rebuild a pickled option.
#[pyfunction]
pub(crate) fn restore_option_spec(game: &Bound<'_, PyString>, name: &Bound<'_, PyString>) -> PyResult<OptionSpec> {
    let (game, name) = (GameId::from_name(&game.to_string_lossy()).python()?, name.to_string_lossy());
    let known = OptionSpec::all(game).into_iter().find(|option| option.spec.name == name);
    known.ok_or_else(|| OptionsError::new(&*name, "no option of the game", "one of its option_schema").into_python())
}
