//! Streams keep what is asked of them beyond ordering, and have something of everything.

#![allow(clippy::unwrap_used, reason = "a test")]

mod broken;
mod features;
mod judge;
mod lanes;
mod patches;
mod twins;

use conform_generate::{Dice, Plan, Scope};
use judge::Judge;
use serde_json::Value;

/// A member that is a string.
fn text(value: &Value, member: &str) -> Option<String> {
    value.get(member)?.as_str().map(str::to_owned)
}

#[test]
fn nothing_is_wrong_with_plans() {
    for case in 0..3_000 {
        let woven = Plan::grow(&mut Dice::of_case(22, case), Scope::Stream).weave();
        let judge = Judge::of(&woven.events);
        assert!(judge.wrong.is_empty(), "case {case}: {:#?}\n{}", judge.wrong, woven.ndjson());
    }
}

#[test]
fn nothing_is_wrong_with_smaller_plans() {
    for case in 0..60 {
        let mut plan = Plan::grow(&mut Dice::of_case(23, case), Scope::Stream);
        let mut left = 60;
        plan = plan.shrink(|plan| {
            let woven = plan.weave();
            let judge = Judge::of(&woven.events);
            assert!(judge.wrong.is_empty(), "case {case}: {:#?}\n{}", judge.wrong, woven.ndjson());
            left -= 1;
            left % 7 == 0 && left > 0
        });
        assert!(plan.size() > 0);
    }
}
