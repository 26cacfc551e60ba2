//! The registry's examples through the whole pipeline, and the ids that the pipeline uses.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test")]

use std::collections::BTreeSet;

use conform_check::registry::{self, Example, Judge, Requirement};
use conform_check::{Checker, Options, Outcome, Request, Severity};

fn judge(example: &Example) -> Outcome {
    let request = example.request.map(|text| Request::read(text.as_bytes()).unwrap());
    let mut checker = Checker::new(Options { request, ..Options::default() });
    if let Some(headers) = example.headers {
        // As `curl -i` prints them.
        checker.push(headers.trim_end().as_bytes());
        checker.push(b"\r\n\r\n");
    }
    checker.push(example.input.as_bytes());
    let outcome = checker.finish();
    assert_eq!(outcome.unreadable, None, "{example:?}");
    outcome
}

/// Ids and severities of what counts.
fn found(outcome: &Outcome) -> Vec<(&'static str, Severity)> {
    let counted = outcome.findings.iter().filter(|finding| finding.consequence_of.is_none());
    counted.map(|finding| (finding.requirement.id, finding.severity)).collect()
}

fn with_examples() -> impl Iterator<Item = (&'static Requirement, Example, Example)> {
    registry::all().filter_map(|entry| Some((entry, entry.broken?, entry.mended?)))
}

#[test]
fn what_is_judged_is_found_in_its_broken_example_and_nothing_else() {
    let mut judged = 0;
    for (entry, broken, _) in with_examples().filter(|(entry, ..)| entry.judge != Judge::None) {
        let outcome = judge(&broken);
        assert_eq!(found(&outcome), [(entry.id, entry.level.into())], "{:#?}", outcome.findings);
        assert!(!outcome.is_incomplete(), "{}: {:?}", entry.id, outcome.notes);
        let rule = outcome.findings.iter().find(|f| f.requirement == entry).unwrap().rule;
        assert_eq!(rule, entry.rule(), "{}", entry.id);
        judged += 1;
    }
    assert_eq!(judged, 73);
}

#[test]
fn nothing_is_found_in_a_mended_example() {
    for (entry, _, mended) in with_examples().filter(|(entry, ..)| entry.judge != Judge::None) {
        let outcome = judge(&mended);
        assert_eq!(outcome.findings, [], "{}", entry.id);
        assert_eq!(outcome.notes, [], "{}", entry.id);
        assert!(outcome.events > 0, "{}", entry.id);
    }
}

#[test]
fn a_mended_example_puts_its_requirement_to_the_test() {
    for (place, entry) in registry::all().enumerate() {
        if entry.judge == Judge::None {
            continue;
        }
        for example in [entry.broken, entry.mended].into_iter().flatten() {
            let outcome = judge(&example);
            assert!(outcome.checked[place] > 0, "{} is not counted in {example:?}", entry.id);
        }
    }
}

#[test]
fn what_is_not_judged_yet_breaks_nothing_that_is() {
    for (entry, broken, mended) in with_examples().filter(|(entry, ..)| entry.judge == Judge::None)
    {
        for example in [broken, mended] {
            let outcome = judge(&example);
            assert_eq!(outcome.errors, 0, "{}: {:#?}", entry.id, outcome.findings);
        }
    }
}

/// The string literals in a source text that look like ids: good enough for these files, in
/// which no quotation mark is escaped within such a literal.
fn ids(source: &'static str) -> impl Iterator<Item = &'static str> {
    let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    let literals = code.flat_map(|line| line.split('"').skip(1).step_by(2));
    literals.filter(|literal| {
        let part = |text: &str| {
            text.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase())
                && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
        };
        literal.split_once('/').is_some_and(|(group, name)| part(group) && part(name))
    })
}

#[test]
fn every_id_in_the_source_is_one_of_the_registry() {
    let mut seen = BTreeSet::new();
    for (file, source) in [
        ("checker.rs", include_str!("../src/checker.rs")),
        ("checker/event.rs", include_str!("../src/checker/event.rs")),
        ("exercise.rs", include_str!("../src/exercise.rs")),
        ("exercise/beyond.rs", include_str!("../src/exercise/beyond.rs")),
        ("beyond/activity.rs", include_str!("../src/beyond/activity.rs")),
        ("beyond/announced.rs", include_str!("../src/beyond/announced.rs")),
        ("beyond/arguments.rs", include_str!("../src/beyond/arguments.rs")),
        ("beyond/calls.rs", include_str!("../src/beyond/calls.rs")),
        ("beyond/custom.rs", include_str!("../src/beyond/custom.rs")),
        ("beyond/frontend.rs", include_str!("../src/beyond/frontend.rs")),
        ("beyond/interrupts.rs", include_str!("../src/beyond/interrupts.rs")),
        ("beyond/messages.rs", include_str!("../src/beyond/messages.rs")),
        ("beyond/restated.rs", include_str!("../src/beyond/restated.rs")),
        ("beyond/runs.rs", include_str!("../src/beyond/runs.rs")),
        ("beyond/sealed.rs", include_str!("../src/beyond/sealed.rs")),
        ("beyond/state.rs", include_str!("../src/beyond/state.rs")),
        ("beyond/usage.rs", include_str!("../src/beyond/usage.rs")),
        ("breach.rs", include_str!("../src/registry/breach.rs")),
    ] {
        for id in ids(source) {
            assert!(registry::find(id).is_some(), "{file} names {id}, which nothing is");
            seen.insert(id);
        }
    }
    // The search finds what is there.
    for id in ["sse/one-event-a-frame", "lifecycle/terminated", "step/finished-by-its-owner"] {
        assert!(seen.contains(id), "{id}");
    }
    // What is looked up by a literal is looked up by one of these.
    let checker = include_str!("../src/checker.rs");
    for call in ["named(\"", "found_in(\"", "count_checked(\""] {
        for (_, rest) in
            checker.match_indices(call).map(|(at, _)| checker.split_at(at + call.len()))
        {
            let id = rest.split('"').next().unwrap();
            assert!(registry::find(id).is_some(), "{call}{id}");
        }
    }
}
