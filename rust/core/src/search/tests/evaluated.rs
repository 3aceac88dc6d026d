use super::*;

const SPEC: &str = "ismcts:simulations=150,leaf_batch=4,trees=2";

/// Priors and values that depend on the leaf alone.
fn judge(batch: &mut Batch) -> Result<Evaluation, EvaluatorError> {
    let mut evaluation = Evaluation::default();
    for row in 0..batch.len {
        let observation = &batch.observations[row * batch.observation_size..(row + 1) * batch.observation_size];
        let mask = &batch.masks[row * batch.num_actions..(row + 1) * batch.num_actions];
        assert!(mask.iter().any(|&legal| legal) && observation.iter().any(|&number| number != 0.0));
        let sum: f32 = observation.iter().enumerate().map(|(place, number)| number * (place % 7) as f32).sum();
        evaluation.priors.extend((0..batch.num_actions).map(|id| 1.0 + ((id as f32 + sum) % 3.0).abs()));
        let mover = usize::from(batch.players[row]);
        evaluation.values.extend((0..batch.num_players).map(|seat| if seat == mover { (sum % 2.0) / 2.0 } else { -0.1 }));
    }
    Ok(evaluation)
}

fn constant(batch: &mut Batch) -> Result<Evaluation, EvaluatorError> {
    let priors = vec![0.25; batch.len * batch.num_actions];
    Ok(Evaluation { priors, values: vec![0.0; batch.len * batch.num_players] })
}

type Function = fn(&mut Batch) -> Result<Evaluation, EvaluatorError>;

#[test]
fn one_simulation_of_a_tree_judges_its_root() {
    let info = knowledge(&position(&pebbles(3), 1, 1).unwrap());
    for (spec, trees) in [
        ("mcts:simulations=64,leaf_batch=16,worlds=8", 8),
        ("ismcts:simulations=64,leaf_batch=64", 1),
        ("ismcts:simulations=64,leaf_batch=8,trees=2", 2),
    ] {
        let mut evaluator = constant as Function;
        let report = search(&spec.parse().unwrap(), &info, 1, Some(&mut evaluator), &Interrupt::new()).unwrap();
        let visits: u64 = report.actions.iter().map(|action| action.visits).sum();
        assert_eq!((report.simulations, visits), (64, 64 - trees), "{spec}");
    }
}

#[test]
fn many_searches_at_once_equal_the_same_one_by_one() {
    let game = pebbles(3);
    let infos: Vec<_> = (0..6).filter_map(|seed| position(&game, seed, seed as usize)).map(|played| knowledge(&played)).collect();
    let seeds: Vec<u64> = (10..10 + infos.len() as u64).collect();
    let without_time = |mut report: Report| {
        report.elapsed = Duration::ZERO;
        report
    };
    for spec in [SPEC, "mcts:simulations=90,worlds=2,leaf_batch=3", "ismcts:simulations=80"] {
        for function in [constant as Function, judge as Function] {
            let spec: AgentSpec = spec.parse().unwrap();
            let mut largest = 0;
            let mut evaluator = |batch: &mut Batch| {
                largest = largest.max(batch.len);
                function(batch)
            };
            let together = search_batch(&spec, &infos, &seeds, Some(&mut evaluator), &Interrupt::new()).unwrap();
            assert!(largest > infos.len(), "batches of at most {largest}");
            for ((report, info), &seed) in together.into_iter().zip(&infos).zip(&seeds) {
                let mut evaluator = function;
                let alone = search(&spec, info, seed, Some(&mut evaluator), &Interrupt::new()).unwrap();
                assert_eq!(without_time(report), without_time(alone));
            }
        }
        let spec: AgentSpec = spec.parse().unwrap();
        let together = search_batch(&spec, &infos, &seeds, None, &Interrupt::new()).unwrap();
        for ((report, info), &seed) in together.into_iter().zip(&infos).zip(&seeds) {
            assert_eq!(without_time(report), run(&spec.to_string(), info, seed));
        }
    }
}

#[test]
fn evaluated_reports_do_not_depend_on_threads() {
    let game = pebbles(2);
    let info = knowledge(&position(&game, 9, 1).unwrap());
    let with_threads = |threads: &str| {
        let spec = SPEC.parse::<AgentSpec>().unwrap().with([("threads", threads)]).unwrap();
        let mut evaluator = judge;
        let mut report = search(&spec, &info, 5, Some(&mut evaluator), &Interrupt::new()).unwrap();
        report.elapsed = Duration::ZERO;
        report.agent.clear();
        report
    };
    let one = with_threads("1");
    assert_eq!(one.simulations, 150);
    // The first simulation of each tree judges the root.
    assert_eq!(one.actions.iter().map(|action| action.visits).sum::<u64>(), 148);
    assert_eq!(one, with_threads("2"));
    assert_eq!(one, with_threads("4"));
}

#[test]
fn a_failing_evaluator_ends_the_search_with_its_error() {
    let game = pebbles(2);
    let info = knowledge(&position(&game, 9, 1).unwrap());
    let fail = |evaluator: &mut dyn Evaluator, spec: &str| {
        search(&spec.parse().unwrap(), &info, 5, Some(evaluator), &Interrupt::new()).unwrap_err().to_string()
    };
    let mut calls = 0;
    let mut breaks = |batch: &mut Batch| {
        calls += 1;
        if calls < 3 { judge(batch) } else { Err("out of memory".into()) }
    };
    assert_eq!(fail(&mut breaks, SPEC), "evaluator: out of memory");
    let mut short = |batch: &mut Batch| judge(batch).map(|answer| Evaluation { values: vec![0.0], ..answer });
    assert_eq!(fail(&mut short, "ismcts:leaf_batch=1"), "evaluator: values hold 1 numbers, expected 1 x 2");
    let mut not_a_number = |batch: &mut Batch| {
        judge(batch).map(|mut answer| {
            answer.priors[3] = f32::NAN;
            answer
        })
    };
    assert_eq!(fail(&mut not_a_number, SPEC), "evaluator: priors[0, 3] is NaN, expected a finite number");
    let mut negative = |batch: &mut Batch| {
        judge(batch).map(|mut answer| {
            answer.priors[0] = -1.0;
            answer
        })
    };
    assert_eq!(fail(&mut negative, SPEC), "evaluator: priors[0, 0] is -1, expected no negative number");
    assert_eq!(fail(&mut judge, "flat"), "flat takes no evaluator: expected mcts or ismcts");
}
