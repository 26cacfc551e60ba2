//! Verifier and model agree on any soup, and a refused event changes nothing.

#![allow(clippy::unwrap_used, reason = "a test")]

use conform_event::{Event, RunInput, decode, json};
use conform_generate::soup;
use conform_model::{Verdict, judge_run, judge_stream};
use conform_verify::{StreamVerifier, VerificationError, Verifier};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{FileFailurePersistence, TestRunner};

/// Soups compared in each scope.
const CASES: u32 = 100_000;

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: Some(Box::new(FileFailurePersistence::Off)),
        ..ProptestConfig::default()
    }
}

fn opinion(error: &VerificationError) -> String {
    let rule = error.rule().map(|rule| rule.as_str().to_owned());
    format!("{rule:?} {:?}", error.requirement())
}

fn modelled(verdict: &Verdict) -> String {
    let breach = |breach: &conform_model::Breach| {
        format!("{:?} {:?}", breach.rule.map(str::to_owned), breach.requirement)
    };
    match verdict {
        Verdict::Accept => "accept".to_owned(),
        Verdict::Warn(b) => format!("doubt {}", breach(b)),
        Verdict::Reject(b) => format!("reject {}", breach(b)),
    }
}

fn decoded(texts: &[String]) -> Vec<Event<'_>> {
    texts.iter().map(|text| decode(text.as_bytes()).unwrap().event).collect()
}

fn compare(
    texts: &[String],
    verified: &[String],
    modelled: &[String],
) -> Result<(), TestCaseError> {
    if let Some(at) = (0..verified.len()).find(|at| verified[*at] != modelled[*at]) {
        let list = texts.iter().enumerate().map(|(at, text)| format!("{at:3} {text}"));
        let list = list.collect::<Vec<_>>().join("\n");
        return Err(TestCaseError::fail(format!(
            "at {at} the verifier says {}, the model {}\n{list}",
            verified[at], modelled[at]
        )));
    }
    Ok(())
}

#[test]
fn run_scope() {
    let strategy = soup::events(40);
    let test = |texts: Vec<String>| {
        let events = decoded(&texts);
        let mut verifier = Verifier::new();
        let verified: Vec<_> = events
            .iter()
            .map(|event| match verifier.observe(event) {
                Ok(()) => "accept".to_owned(),
                Err(error) => format!("reject {}", opinion(&error)),
            })
            .collect();
        let model: Vec<_> = judge_run(&events).events.iter().map(modelled).collect();
        compare(&texts, &verified, &model)
    };
    TestRunner::new(config(CASES)).run(&strategy, test).unwrap();
}

fn request_of(text: Option<&String>) -> Option<RunInput<'static>> {
    let (json, _) = json::read(text?.as_bytes()).unwrap();
    RunInput::from_json(&json).map(RunInput::into_owned)
}

#[test]
fn stream_scope() {
    let strategy = (soup::streams(40), soup::request());
    let test = |(texts, request): (Vec<String>, Option<String>)| {
        let events = decoded(&texts);
        let request = request_of(request.as_ref());
        let mut verifier = StreamVerifier::new(request.clone());
        let mut verified: Vec<_> = events
            .iter()
            .map(|event| match verifier.observe(event) {
                Ok(None) => "accept".to_owned(),
                Ok(Some(doubt)) => format!("doubt {}", opinion(&doubt)),
                Err(error) => format!("reject {}", opinion(&error)),
            })
            .collect();
        verified.push(match verifier.finish() {
            Ok(()) => "accept".to_owned(),
            Err(error) => format!("reject {}", opinion(&error)),
        });
        let judgement = judge_stream(&events, request.as_ref());
        let mut model: Vec<_> = judgement.events.iter().map(modelled).collect();
        model.push(modelled(&judgement.end));
        compare(&texts, &verified, &model)
    };
    TestRunner::new(config(CASES)).run(&strategy, test).unwrap();
}

/// A verifier that refused events and one that never saw them say the same of everything,
/// to the letter.
macro_rules! refused_changes_nothing {
    ($name:ident, $strategy:expr, $new:expr) => {
        #[test]
        fn $name() {
            let test = |texts: Vec<String>| {
                let mut saw = $new;
                let mut spared = $new;
                for event in &decoded(&texts) {
                    let expected = spared.clone().observe(event);
                    prop_assert_eq!(&saw.observe(event), &expected);
                    if expected.is_ok() {
                        let _ = spared.observe(event);
                    }
                }
                Ok(())
            };
            TestRunner::new(config(5_000)).run(&$strategy, test).unwrap();
        }
    };
}

refused_changes_nothing!(refused_changes_nothing_in_a_run, soup::events(40), Verifier::new());
refused_changes_nothing!(
    refused_changes_nothing_in_a_stream,
    soup::streams(40),
    StreamVerifier::new(None)
);

/// What the soups reach: every rule, and every requirement that stream scope adds, often, and
/// long accepted stretches too. Agreement about what never happens proves nothing.
#[test]
fn soups_reach_everything() {
    let mut runner = TestRunner::deterministic();
    let strategy = soup::streams(40);
    let mut seen = std::collections::BTreeMap::<String, u32>::new();
    let mut longest = 0;
    for _ in 0..6_000 {
        let texts = strategy.new_tree(&mut runner).unwrap().current();
        let judgement = judge_stream(&decoded(&texts), None);
        let verdicts = judgement.events.iter().chain([&judgement.end]);
        for verdict in verdicts {
            *seen.entry(modelled(verdict)).or_default() += 1;
        }
        longest = longest.max(judgement.events.iter().filter(|v| !v.is_rejection()).count());
    }
    println!("{seen:#?}, longest accepted {longest}");
    let requirements = [
        "lifecycle/first-event",
        "lifecycle/terminated",
        "chunk/first-carries-id",
        "chunk/repeat-agrees",
        "chunk/forms-do-not-mix",
        "chunk/unambiguous-lane",
        "chunk/ends-with-its-owner",
    ];
    let rules = conform_verify::Rule::ALL.iter().map(|rule| rule.as_str());
    for name in rules.chain(requirements) {
        let count: u32 = seen.iter().filter(|(key, _)| key.contains(name)).map(|(_, n)| n).sum();
        assert!(count >= 10, "{name} was reached {count} times");
    }
    assert!(longest >= 20, "the longest accepted stretch is {longest}");
}
