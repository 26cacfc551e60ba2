//! proptest strategies: valid logs, and logs with one fault. Both shrink towards short logs
//! that start at 0.

use proptest::prelude::*;

use crate::generate::{Fault, Labelled, Plan};

/// Valid logs of up to `events` references.
///
/// ```
/// use conform_run_log::{model, strategy};
/// use proptest::prelude::*;
/// use proptest::test_runner::TestRunner;
/// TestRunner::deterministic()
///     .run(&strategy::plans(20), |plan| {
///         prop_assert!(model::judge(&plan.call()).unwrap().contains(r#""findings":[]"#));
///         Ok(())
///     })
///     .unwrap();
/// ```
pub fn plans(events: u32) -> impl Strategy<Value = Plan> {
    let run = "[A-Za-z0-9]([A-Za-z0-9_.-]{0,20}[A-Za-z0-9])?";
    let start = prop_oneof![0..3_u32, 0..1_000_000_u32];
    (run, start, 1..=events.max(1), any::<bool>()).prop_map(|(run, start, events, terminal)| Plan {
        run,
        start,
        events,
        terminal,
    })
}

/// Logs of about `events` references with one fault: of each reason code and each structural
/// error, except those that take a thousand references and more.
pub fn faulty(events: u32) -> impl Strategy<Value = Labelled> {
    let faults: Vec<Fault> = Fault::findings().chain(Fault::errors()).collect();
    (plans(events), proptest::sample::select(faults), any::<u32>())
        .prop_map(|(plan, fault, choice)| fault.breaks(&plan, choice))
}
