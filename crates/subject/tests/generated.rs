//! What the generators call valid, verifier and model accept.

#![allow(clippy::unwrap_used, reason = "a test")]

use conform_event::{Event, decode};
use conform_generate::{Dice, Plan, Scope};
use conform_subject::{Opinion, Ours, VerifierSubject};

/// Plans woven in each scope.
const PLANS: u64 = 10_000;

fn accepted(scope: Scope) {
    let name = if scope == Scope::Run { "run" } else { "stream" };
    let subjects = [Ours::verifier(name).unwrap(), Ours::model(name).unwrap()];
    for seed in 0..PLANS {
        let woven = Plan::grow(&mut Dice::of_case(1, seed), scope).weave();
        let texts: Vec<String> = woven.events.iter().map(ToString::to_string).collect();
        let events: Vec<Event<'_>> =
            texts.iter().map(|text| decode(text.as_bytes()).unwrap().event).collect();
        for subject in &subjects {
            let opinion = subject.judge(&events, None);
            assert_eq!(
                opinion,
                Opinion::Accept,
                "seed {seed}, {}:\n{}",
                subject.name(),
                woven.ndjson()
            );
        }
    }
}

#[test]
fn valid_runs_are_accepted() {
    accepted(Scope::Run);
}

#[test]
fn valid_streams_are_accepted() {
    accepted(Scope::Stream);
}
