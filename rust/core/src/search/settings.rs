//! The settings of the agents: one table, from which specs are read, defaults are filled in, and the list of settings is printed.

use std::time::Duration;

use crate::search::kind::AgentKind::{self, Expectimax, Flat, Greedy, Ismcts, Mcts};

/// The values that a setting takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SettingKind {
    /// An integer in a range.
    Integer(u64, u64),
    /// An integer in a range, or a word that switches the setting off.
    IntegerOr(u64, u64, &'static str),
    /// A decimal number in a range.
    Number(f64, f64),
    /// One of the words.
    Choice(&'static [&'static str]),
}

/// One setting.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Its name in a spec.
    pub name: &'static str,
    /// Its values.
    pub kind: SettingKind,
    /// The value if neither the spec nor the game gives one.
    pub default: &'static str,
    /// The agents that take it.
    pub agents: &'static [AgentKind],
    /// One line that says what it does.
    pub meaning: &'static str,
}

const SAMPLERS: &[AgentKind] = &[Flat, Mcts, Ismcts];
const TREES: &[AgentKind] = &[Mcts, Ismcts];

/// All settings, in the order in which specs are written.
pub const SETTINGS: &[Setting] = &[
    Setting {
        name: "simulations",
        kind: SettingKind::IntegerOr(1, 1_000_000_000, "none"),
        default: "1000",
        agents: SAMPLERS,
        meaning: "simulations per decision; `none` leaves the budget to time_ms",
    },
    Setting {
        name: "time_ms",
        kind: SettingKind::IntegerOr(1, 86_400_000, "none"),
        default: "none",
        agents: SAMPLERS,
        meaning: "milliseconds per decision; given alone it replaces simulations, with both whichever ends first counts",
    },
    Setting {
        name: "threads",
        kind: SettingKind::Integer(1, 256),
        default: "1",
        agents: SAMPLERS,
        meaning: "threads that work; never changes the report",
    },
    Setting {
        name: "trees",
        kind: SettingKind::Integer(1, 256),
        default: "1",
        agents: TREES,
        meaning: "independent trees that share the simulations; changes the report",
    },
    Setting {
        name: "leaf_batch",
        kind: SettingKind::Integer(1, 65_536),
        default: "8",
        agents: SAMPLERS,
        meaning: "leaves chosen in a tree before their values come back; changes the report",
    },
    Setting {
        name: "worlds",
        kind: SettingKind::Integer(1, 4096),
        default: "8",
        agents: &[Mcts, Expectimax],
        meaning: "sampled worlds, each with its own tree; 1 where nothing is hidden",
    },
    Setting {
        name: "selection",
        kind: SettingKind::Choice(&["uct", "puct"]),
        default: "puct",
        agents: TREES,
        meaning: "how an action is chosen inside the tree: by visits alone, or by visits and priors",
    },
    Setting {
        name: "exploration",
        kind: SettingKind::Number(0.0, 1000.0),
        default: "1",
        agents: TREES,
        meaning: "weight of what has been tried little against what has done well",
    },
    Setting {
        name: "prior",
        kind: SettingKind::Choice(&["uniform", "evaluate"]),
        default: "evaluate",
        agents: TREES,
        meaning: "priors without an evaluator: all equal, or by the game's evaluation one action ahead",
    },
    Setting {
        name: "temperature",
        kind: SettingKind::Number(0.001, 1_000_000.0),
        default: "2",
        agents: TREES,
        meaning: "points by which a position must be better for e times the prior",
    },
    Setting {
        name: "rollout",
        kind: SettingKind::Choice(&["random", "greedy"]),
        default: "random",
        agents: SAMPLERS,
        meaning: "how a simulation plays on from a leaf: at random, or the best action by evaluation one action ahead",
    },
    Setting {
        name: "cutoff",
        kind: SettingKind::IntegerOr(0, 1_000_000, "none"),
        default: "none",
        agents: SAMPLERS,
        meaning: "decisions after which a rollout is cut off and the position is judged by evaluation; 0 means no rollout",
    },
    Setting {
        name: "scale",
        kind: SettingKind::Number(0.001, 1_000_000.0),
        default: "10",
        agents: SAMPLERS,
        meaning: "lead in points that counts as about three quarters of a win when a position is judged",
    },
    Setting {
        name: "widening",
        kind: SettingKind::IntegerOr(1, 1_000_000, "none"),
        default: "1",
        agents: TREES,
        meaning: "a chance node visited v times keeps at most widening * sqrt(v) outcomes apart",
    },
    Setting {
        name: "reuse",
        kind: SettingKind::Choice(&["false", "true"]),
        default: "false",
        agents: TREES,
        meaning: "whether the tree is kept for the seat's next decision of the match",
    },
    Setting {
        name: "memory_mib",
        kind: SettingKind::Integer(1, 1_048_576),
        default: "1024",
        agents: &[Flat, Mcts, Ismcts, Expectimax],
        meaning: "memory for trees and tables; beyond it they stop growing and the report says so",
    },
    Setting {
        name: "nodes",
        kind: SettingKind::Integer(1, 1_000_000_000),
        default: "4000",
        agents: &[Greedy],
        meaning: "positions looked at per decision",
    },
    Setting {
        name: "positions",
        kind: SettingKind::Integer(1, 1_000_000_000_000),
        default: "50000",
        agents: &[Expectimax],
        meaning: "positions looked at per decision; an exact search that needs more ends with an error",
    },
    Setting {
        name: "depth",
        kind: SettingKind::IntegerOr(1, 1_000_000, "none"),
        default: "none",
        agents: &[Expectimax],
        meaning: "decisions looked ahead before the position is judged by evaluation",
    },
];

impl Setting {
    /// The allowed values as text.
    #[must_use]
    pub fn expected(&self) -> String {
        match self.kind {
            SettingKind::Integer(min, max) => format!("an integer from {min} to {max}"),
            SettingKind::IntegerOr(min, max, word) => format!("an integer from {min} to {max} or {word}"),
            SettingKind::Number(min, max) => format!("a number from {min} to {max}"),
            SettingKind::Choice(words) => format!("one of {}", words.join(", ")),
        }
    }

    /// The value in canonical form, or the reason why it is wrong.
    pub(crate) fn canonical(&self, value: &str) -> Result<String, String> {
        let lower = value.to_ascii_lowercase();
        let integer = |min: u64, max: u64| {
            let digits = lower.len() <= 19 && !lower.is_empty() && lower.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| lower.parse::<u64>().ok()).flatten().filter(|number| (min..=max).contains(number))
        };
        let fit = match self.kind {
            SettingKind::IntegerOr(_, _, word) if lower == word => Some(lower),
            SettingKind::Integer(min, max) | SettingKind::IntegerOr(min, max, _) => {
                integer(min, max).map(|number| number.to_string())
            }
            SettingKind::Number(min, max) => {
                let decimal = lower.len() <= 24 && lower.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
                let number = decimal.then(|| lower.parse::<f64>().ok()).flatten();
                number.filter(|number| (min..=max).contains(number)).map(|number| number.to_string())
            }
            SettingKind::Choice(words) => words.contains(&lower.as_str()).then_some(lower),
        };
        fit.ok_or_else(|| format!("{}: found {:?}, expected {}", self.name, crate::error::shorten(value), self.expected()))
    }
}

/// How a leaf is valued by a rollout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rollout {
    /// Whether actions are chosen by evaluation one action ahead, not at random.
    pub is_greedy: bool,
    /// Decisions after which the rollout stops and the position is evaluated.
    pub cutoff: Option<u32>,
    /// Lead in points that counts as about three quarters of a win.
    pub scale: f64,
}

/// All settings of a search, with defaults.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The agent. Never a level.
    pub kind: AgentKind,
    /// Simulations per decision.
    pub simulations: Option<u64>,
    /// Time per decision.
    pub time: Option<Duration>,
    /// Number of threads.
    pub threads: usize,
    /// Trees per root (and per world).
    pub trees: usize,
    /// Leaves per tree and batch.
    pub leaf_batch: usize,
    /// Number of sampled worlds.
    pub worlds: usize,
    /// Whether selection uses priors (`puct`).
    pub puct: bool,
    /// Weight of exploration.
    pub exploration: f64,
    /// Whether priors come from the game's evaluation.
    pub prior_by_evaluation: bool,
    /// Points by which a position must be better for e times the prior.
    pub temperature: f64,
    /// How a leaf is valued.
    pub rollout: Rollout,
    /// Factor of progressive widening.
    pub widening: Option<u32>,
    /// Whether trees are kept within a match.
    pub reuse: bool,
    /// Bytes for trees.
    pub memory: u64,
    /// The largest number of positions of a greedy search.
    pub nodes: u64,
    /// The largest number of positions of an exact search.
    pub positions: u64,
    /// Decisions after which an exact search evaluates the position.
    pub depth: Option<u32>,
}

impl Settings {
    /// Collects the settings from canonical values by name. A setting without a `value` gets its default.
    pub(crate) fn collect<'a>(kind: AgentKind, value: impl Fn(&str) -> Option<&'a str>) -> Self {
        let text = |name: &str| {
            let setting = SETTINGS.iter().find(|setting| setting.name == name).expect("a name of the table");
            value(name).unwrap_or(setting.default)
        };
        let integer = |name: &str| text(name).parse::<u64>().ok();
        let number = |name: &str| text(name).parse::<f64>().expect("canonical");
        let is = |name: &str, word: &str| text(name) == word;
        let time = integer("time_ms").map(Duration::from_millis);
        let simulations = match value("simulations") {
            None if time.is_some() => None,
            _ => integer("simulations"),
        };
        Self {
            kind,
            // A search without any budget would never end.
            simulations: if simulations.is_none() && time.is_none() { Some(1000) } else { simulations },
            time,
            threads: integer("threads").unwrap_or(1) as usize,
            trees: integer("trees").unwrap_or(1) as usize,
            leaf_batch: integer("leaf_batch").unwrap_or(1) as usize,
            worlds: integer("worlds").unwrap_or(1) as usize,
            puct: is("selection", "puct"),
            exploration: number("exploration"),
            prior_by_evaluation: is("prior", "evaluate"),
            temperature: number("temperature"),
            rollout: Rollout {
                is_greedy: is("rollout", "greedy"),
                cutoff: integer("cutoff").map(|cutoff| cutoff as u32),
                scale: number("scale"),
            },
            widening: integer("widening").map(|widening| widening as u32),
            reuse: is("reuse", "true"),
            memory: integer("memory_mib").unwrap_or(1024) << 20,
            nodes: integer("nodes").unwrap_or(4000),
            positions: integer("positions").unwrap_or(50_000),
            depth: integer("depth").map(|depth| depth as u32),
        }
    }
}

impl AgentKind {
    /// The settings it takes. A level takes the settings of every agent; they are checked when the game is known.
    pub fn settings(self) -> impl Iterator<Item = &'static Setting> {
        SETTINGS.iter().filter(move |setting| self.level().is_some() || setting.agents.contains(&self))
    }
}
