//! Values as bytes for one's own processes: a header, the fields, a checksum.
//!
//! A pickle is refused by name if the package, the rules or the layout it was made under are others. It is checked against damage,
//! not against malice: what is kept or comes from elsewhere is JSON.

use forbidden_games_core::bytes::{ByteReader, ByteSink, KeyHasher};
use forbidden_games_core::contract::Info;
use forbidden_games_core::error::StateError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyModule, PyString};

use crate::classes::Game;
use crate::error::IntoPython;
use crate::known;

/// Version of the bytes; rises when a game writes other fields.
const FORMAT: u16 = 1;

/// Bytes before the fields: format, kind, rules and layout version, fingerprint of the game.
const HEADER: usize = 2 + 1 + 4 + 4 + 8;

/// What the bytes hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    State = 1,
    Observation = 2,
    Information = 3,
}

impl Kind {
    /// The functions that restore each kind, in order.
    const NAMES: [&'static str; 3] = ["restore_state", "restore_observation", "restore_information_state"];
}

/// A function of the module by name, looked up once.
pub(crate) fn restorer<'py>(py: Python<'py>, cell: &PyOnceLock<Py<PyAny>>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let found = cell.get_or_try_init(py, || {
        let module: Bound<'_, PyModule> = py.import("forbidden_games._rust")?;
        module.getattr(name).map(Bound::unbind)
    })?;
    Ok(found.bind(py).clone())
}

/// What `__reduce__` of a value returns: the function that restores it, the identity of its game and its bytes.
pub(crate) type Reduced<'py> = (Bound<'py, PyAny>, (Bound<'py, PyString>, Bound<'py, PyBytes>));

/// Pickles a value of `game`, whose fields `write` appends.
pub(crate) fn reduce<'py>(py: Python<'py>, game: &Game, kind: Kind, write: impl FnOnce(&mut Vec<u8>)) -> PyResult<Reduced<'py>> {
    static RESTORERS: [PyOnceLock<Py<PyAny>>; Kind::NAMES.len()] = [const { PyOnceLock::new() }; Kind::NAMES.len()];
    let mut bytes = Vec::with_capacity(1024);
    let info = game.info_static();
    bytes.u16(FORMAT);
    bytes.u8(kind as u8);
    bytes.u32(info.rules_version);
    bytes.u32(info.layout_version);
    bytes.u64(game.fingerprint());
    write(&mut bytes);
    let checksum = KeyHasher::of(&bytes);
    bytes.u64(checksum);
    let number = kind as usize - 1;
    let restore = restorer(py, &RESTORERS[number], Kind::NAMES[number])?;
    Ok((restore, (game.identity_text(py), PyBytes::new(py, &bytes))))
}

/// The game of an identity and the fields of a value of it, checked.
pub(crate) fn read<'a>(
    py: Python<'_>,
    identity: &Bound<'_, PyString>,
    bytes: &'a [u8],
    kind: Kind,
) -> PyResult<(Py<Game>, &'a [u8])> {
    let game = known::game_of_identity(py, identity.to_str()?)?;
    let fields = fields(game.get().info_static(), game.get().fingerprint(), bytes, kind).map_err(IntoPython::into_python)?;
    Ok((game, fields))
}

fn fields<'a>(info: &Info, fingerprint: u64, bytes: &'a [u8], kind: Kind) -> Result<&'a [u8], StateError> {
    let Some((checked, checksum)) = bytes.split_last_chunk::<8>().filter(|(checked, _)| checked.len() >= HEADER) else {
        return Err(StateError::new("pickle", format!("{} bytes", bytes.len()), format!("at least {}", HEADER + 8)));
    };
    let mut reader = ByteReader::new(checked);
    let same = |name: &'static str, found: u64, expected: u64| {
        if found == expected { Ok(()) } else { Err(StateError::new(name, found.to_string(), expected.to_string())) }
    };
    same("pickle: format", reader.u16("format")?.into(), FORMAT.into())?;
    if KeyHasher::of(checked) != u64::from_le_bytes(*checksum) {
        return Err(StateError::new("pickle", "damaged bytes", "bytes with their checksum"));
    }
    same("pickle: kind", reader.u8("kind")?.into(), kind as u64)?;
    same("pickle: version of the rules", reader.u32("rules")?.into(), info.rules_version.into())?;
    same("pickle: version of the layout", reader.u32("layout")?.into(), info.layout_version.into())?;
    same("pickle: fingerprint of the game", reader.u64("game")?, fingerprint)?;
    Ok(reader.rest())
}
