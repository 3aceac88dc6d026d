//! The Python module `forbidden_games._rust`.
//!
//! A method here converts, calls the core, and converts back; what runs long leaves the interpreter's lock (see `long`). There
//! are no rules and no game in this crate.

mod agent;
mod buffer;
mod classes;
mod convert;
mod error;
mod evaluator;
mod game;
mod game_info;
mod information;
mod known;
mod legal;
mod long;
mod pickle;
mod play;
mod positions;
mod record;
mod report;
mod runs;
mod shown;
mod state;
mod step;
mod value;
mod vector;

/// The oldest processors that this module runs on, by the names of the x86-64 psABI; elsewhere the architecture.
const CPU_LEVEL: &str = if cfg!(not(target_arch = "x86_64")) {
    std::env::consts::ARCH
} else if cfg!(target_feature = "avx512f") {
    "x86-64-v4"
} else if cfg!(target_feature = "avx2") {
    "x86-64-v3"
} else if cfg!(all(target_feature = "sse4.2", target_feature = "popcnt")) {
    "x86-64-v2"
} else {
    "x86-64"
};

/// Rules, matches, records and search; `forbidden_games` is the package for users.
#[pyo3::pymodule(gil_used = true)]
mod _rust {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::agent::{
        AgentSetting, SearchAgent, SearchSession, agent_names, agent_seed, agent_settings, play_native_match,
        restore_agent_setting, search_batch,
    };
    #[pymodule_export]
    use crate::classes::Game;
    #[pymodule_export]
    use crate::classes::LegalActions;
    #[pymodule_export]
    use crate::classes::Match;
    #[pymodule_export]
    use crate::classes::Record;
    #[pymodule_export]
    use crate::classes::State;
    #[pymodule_export]
    use crate::classes::{Action, Outcome};
    #[pymodule_export]
    use crate::classes::{InformationState, Observation};
    #[pymodule_export]
    use crate::game::{game_info, games, load_game, parse_components, restore_game};
    #[pymodule_export]
    use crate::game_info::{Block, GameInfo, OptionSpec, restore_block, restore_option_spec};
    #[pymodule_export]
    use crate::information::{restore_information_state, restore_observation};
    #[pymodule_export]
    use crate::legal::restore_legal_actions;
    #[pymodule_export]
    use crate::long::Stop;
    #[pymodule_export]
    use crate::play::{break_match, restore_match};
    #[pymodule_export]
    use crate::positions::{EncodedPositions, SparseBatch, encode_positions};
    #[pymodule_export]
    use crate::record::{parse_record, parse_record_prefix, restore_record};
    #[pymodule_export]
    use crate::report::{Report, restore_report};
    #[pymodule_export]
    use crate::runs::{check_game, check_invariants, perft, perft_divide, playthrough, rollouts, series_seat, series_standing};
    #[pymodule_export]
    use crate::state::{Event, ScoreLine, restore_event, restore_score_line, restore_state};
    #[pymodule_export]
    use crate::vector::BatchEnv;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::long::register(module)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("build_profile", env!("FORBIDDEN_GAMES_PROFILE"))?;
        module.add("build_cpu_level", crate::CPU_LEVEL)
    }
}
