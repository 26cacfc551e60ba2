//! Every event of a plan is well formed, by the version that its run declares.

#![allow(clippy::unwrap_used, reason = "a test")]

use conform_event::json::read;
use conform_event::shape::{Version, check};
use conform_generate::{Dice, Plan, Scope};

fn all_well_formed(scope: Scope, plans: u64) {
    let mut versions = std::collections::BTreeSet::new();
    for case in 0..plans {
        let plan = Plan::grow(&mut Dice::of_case(21, case), scope);
        let mut version = Version::V1_1;
        for event in plan.weave().events {
            if let Some(declared) = event.get("protocolVersion") {
                version =
                    if declared == Version::V1_0.as_str() { Version::V1_0 } else { Version::V1_1 };
                assert_eq!(declared, version.as_str());
            } else {
                assert_ne!(event["type"], "RUN_STARTED", "no version is declared");
            }
            versions.insert(version);
            let text = event.to_string();
            let (json, faults) = read(text.as_bytes()).unwrap();
            assert!(faults.is_empty(), "case {case}: {faults:?} in {text}");
            // What is well formed in 1.0 is in 1.1.
            for version in [version, Version::V1_1] {
                let faults = check(&json, version);
                assert!(faults.is_empty(), "case {case}, {version}: {faults:?} in {text}");
            }
        }
    }
    assert_eq!(versions.len(), if scope == Scope::Stream { 2 } else { 1 });
}

#[test]
fn streams_are_well_formed() {
    all_well_formed(Scope::Stream, 2_000);
}

#[test]
fn runs_are_well_formed() {
    all_well_formed(Scope::Run, 1_000);
}
