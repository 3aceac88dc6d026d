//! One seed and one step of the battery again: `FORBIDDEN_GAMES_SEED` and `FORBIDDEN_GAMES_STEP`, and the command that sets them.

use std::thread;

/// Seeds to run in place of those that a test names: numbers with commas between them.
const SEED: &str = "FORBIDDEN_GAMES_SEED";

/// The one node to examine, as the number of steps before it.
const STEP: &str = "FORBIDDEN_GAMES_STEP";

/// What of a run is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Only {
    /// These seeds, in place of all.
    pub(crate) seeds: Option<Vec<u64>>,
    /// This step, in place of every one.
    pub(crate) step: Option<usize>,
}

impl Only {
    /// What the two environment variables say.
    ///
    /// # Panics
    /// If one of them is set to something else: a test that ran all seeds instead would mislead.
    pub(crate) fn from_environment() -> Self {
        let get = |name| std::env::var(name).ok();
        Self::parse(get(SEED).as_deref(), get(STEP).as_deref()).unwrap_or_else(|error| panic!("{error}"))
    }

    fn parse(seeds: Option<&str>, step: Option<&str>) -> Result<Self, String> {
        let seeds = seeds.map(|text| text.split(',').map(|seed| seed.trim().parse()).collect::<Result<Vec<u64>, _>>());
        let seeds = seeds.transpose().map_err(|_| format!("{SEED}: expected seeds with commas between them"))?;
        let step = step.map(|text| text.trim().parse()).transpose().map_err(|_| format!("{STEP}: expected a number of steps"))?;
        if step.is_some() && seeds.as_ref().is_none_or(|seeds| seeds.len() != 1) {
            return Err(format!("{STEP} needs {SEED} with one seed"));
        }
        Ok(Self { seeds, step })
    }
}

/// The command that runs the test of this thread again with these seeds and this step alone.
pub(crate) fn command(seeds: &[u64], step: Option<usize>) -> String {
    let mut command = String::new();
    if !seeds.is_empty() {
        let seeds: Vec<String> = seeds.iter().map(u64::to_string).collect();
        command += &format!("{SEED}={} ", seeds.join(","));
    }
    if let Some(step) = step {
        command += &format!("{STEP}={step} ");
    }
    command += "cargo test --workspace --locked -- --include-ignored";
    // A test runs on a thread with its name.
    match thread::current().name() {
        Some(name) if name != "main" => command + " --exact " + name,
        _ => command,
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::sync::Arc;

    use super::*;
    use crate::testing::faulty::{Fault, Faulty};
    use crate::testing::pebbles::pebbles;
    use crate::testing::{Settings, check_game};

    #[test]
    fn variables_are_read_strictly() {
        let only = |seeds: &[u64], step| Only { seeds: Some(seeds.to_vec()), step };
        assert_eq!(Only::parse(None, None), Ok(Only::default()));
        assert_eq!(Only::parse(Some("7"), Some("33")), Ok(only(&[7], Some(33))));
        assert_eq!(Only::parse(Some("0, 1,5"), None), Ok(only(&[0, 1, 5], None)));
        for (seeds, step) in
            [(Some("a"), None), (Some(""), None), (Some("1"), Some("-1")), (None, Some("3")), (Some("1,2"), Some("3"))]
        {
            assert!(Only::parse(seeds, step).is_err(), "{seeds:?} {step:?}");
        }
    }

    /// The command of the message is run: this test again, in a process of its own, which must fail in the same way at once.
    #[test]
    fn the_command_meets_the_same_failure() {
        let is_child = std::env::var(SEED).is_ok();
        for fault in [Fault::SheetWrong, Fault::WorldElsewhere, Fault::EventsChange] {
            let game = Arc::new(Faulty::new(pebbles(3), fault));
            let checked = check_game(&game, 0..20, &Settings::default());
            if is_child {
                eprintln!("again: {}", checked.err().map_or_else(String::new, |failure| failure.message));
                continue;
            }
            let failure = checked.expect_err("the mistake is found");
            let (set, command) = failure.rerun.split_once("cargo test").expect("a command");
            let mut child = Command::new(std::env::current_exe().expect("a test has a file"));
            let mut variables = 0;
            for (name, value) in set.split_whitespace().filter_map(|word| word.split_once('=')) {
                child.env(name, value);
                variables += 1;
            }
            assert_eq!(variables, 2, "seed and step: {}", failure.rerun);
            let (_, arguments) = command.split_once(" -- ").expect("arguments of the test");
            let output = child.args(arguments.split(' ')).arg("--nocapture").output().expect("a test can be started");
            let text = String::from_utf8_lossy(&output.stderr);
            let found = text.lines().any(|line| line == format!("again: {}", failure.message.lines().next().unwrap_or_default()));
            assert!(found, "{fault:?}: {failure} is not met again: {text}");
        }
    }
}
