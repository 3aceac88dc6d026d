//! Reading and writing specs.

use super::*;

fn reason(text: &str) -> String {
    text.parse::<AgentSpec>().unwrap_err().to_string()
}

#[test]
fn specs_are_read_and_written_in_canonical_form() {
    for (text, canonical) in [
        ("random", "random"),
        (" Greedy ", "greedy"),
        ("greedy:", "greedy"),
        ("mcts:simulations=2000,threads=2", "mcts:simulations=2000,threads=2"),
        ("MCTS: threads = 02 , simulations=5", "mcts:simulations=5,threads=2"),
        ("ismcts:exploration=1.50,cutoff=none,simulations=007", "ismcts:simulations=7,exploration=1.5,cutoff=none"),
        ("expert:threads=2", "expert:threads=2"),
    ] {
        let spec: AgentSpec = text.parse().unwrap();
        assert_eq!(spec.to_string(), canonical);
        assert_eq!(canonical.parse::<AgentSpec>().unwrap(), spec);
    }
}

#[test]
fn wrong_specs_name_the_offender_and_what_would_be_right() {
    assert_eq!(
        reason("alphazero"),
        "agent \"alphazero\": no agent \"alphazero\": expected one of random, greedy, flat, mcts, ismcts, expectimax, novice, \
         amateur, expert, master"
    );
    assert_eq!(reason("random:seed=1"), "agent \"random:seed=1\": no setting \"seed\": random takes no settings");
    assert_eq!(reason("greedy:worlds=1"), "agent \"greedy:worlds=1\": no setting \"worlds\": greedy takes nodes");
    assert_eq!(
        reason("mcts:simulations=0"),
        "agent \"mcts:simulations=0\": simulations: found \"0\", expected an integer from 1 to 1000000000 or none"
    );
    assert!(reason("mcts:rollout=best").ends_with("rollout: found \"best\", expected one of random, greedy"));
    assert!(reason("mcts:rollout=mixed").ends_with("rollout: found \"mixed\", expected one of random, greedy"));
    assert!(reason("flat:greed=1").contains("no setting \"greed\": flat takes simulations, "));
    assert!(reason("flat:score_weight=1").contains("no setting \"score_weight\": flat takes simulations, "));
    assert!(reason("mcts:exploration=1e5").ends_with("exploration: found \"1e5\", expected a number from 0 to 1000"));
    assert!(reason("mcts:threads").ends_with("found \"threads\", expected key=value"));
    assert!(reason("mcts:threads=1,threads=2").ends_with("threads is given twice"));
    assert!(reason("mcts:threads=1,").ends_with("found \"\", expected key=value"));
    let endless = "simulations=none needs a time_ms, or the search would never end";
    assert!(reason("mcts:simulations=none").ends_with(endless) && reason("flat:simulations=none,time_ms=none").ends_with(endless));
    assert_eq!(
        reason("ismcts:observers=many"),
        "agent \"ismcts:observers=many\": no setting \"observers\": ismcts takes simulations, time_ms, threads, trees, leaf_batch, \
         selection, exploration, prior, temperature, rollout, cutoff, scale, widening, reuse, memory_mib"
    );
    let timed: AgentSpec = "master:simulations=none,time_ms=50".parse().unwrap();
    assert!(timed.with([("time_ms", "none")]).is_err() && timed.with([("time_ms", "none"), ("simulations", "9")]).is_ok());
    assert!(reason(&format!("mcts:{}", "x".repeat(5000))).ends_with("longer than 2000 bytes"));
}

#[test]
fn defaults_of_the_table_are_canonical() {
    for setting in SETTINGS {
        assert_eq!(setting.canonical(setting.default).as_deref(), Ok(setting.default), "{}", setting.name);
    }
}
