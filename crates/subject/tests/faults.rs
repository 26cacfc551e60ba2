//! Every fault is rejected where it says and for what it says, by verifier, model and check,
//! and its twin is accepted by all three.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use std::collections::BTreeMap;

use conform_check::{Checker, FirstRejected, Options};
use conform_event::{Event, decode};
use conform_generate::{Cell, Dice, Fault, Plan, Scope};
use conform_subject::{At, Opinion, Ours, VerifierSubject};
use serde_json::Value;

/// Plans in each scope.
const PLANS: u64 = 60;

fn opinion(subject: Ours, events: &[Value]) -> Opinion {
    let texts: Vec<String> = events.iter().map(ToString::to_string).collect();
    let events: Vec<Event<'_>> =
        texts.iter().map(|text| decode(text.as_bytes()).unwrap().event).collect();
    subject.judge(&events, None)
}

fn shown(fault: &Fault) -> String {
    let lines = fault.events.iter().enumerate().map(|(at, event)| {
        let event: String = event.to_string().chars().take(220).collect();
        format!("{at:3} {event}\n")
    });
    format!(
        "{:?} {} at {:?}\n{}",
        fault.cell,
        fault.requirement,
        fault.at,
        lines.collect::<String>()
    )
}

fn expect(fault: &Fault, subject: Ours) {
    let expected_at = fault.at.map_or(At::End, At::Event);
    match opinion(subject, &fault.events) {
        Opinion::Reject { at, rule, requirement, .. } => {
            let name = rule.or(requirement);
            assert_eq!(
                (at, name.as_deref()),
                (expected_at, Some(fault.cell.rule)),
                "{} on {}",
                subject.name(),
                shown(fault)
            );
        }
        other => panic!("{} says {other:?} on {}", subject.name(), shown(fault)),
    }
    let twin = opinion(subject, &fault.twin);
    assert_eq!(twin, Opinion::Accept, "{} on the twin of {}", subject.name(), shown(fault));
}

fn one_error(fault: &Fault, scope: Scope) {
    let options = Options {
        scope: match scope {
            Scope::Run => conform_check::Scope::Run,
            Scope::Stream => conform_check::Scope::Stream,
        },
        ..Options::default()
    };
    let mut checker = Checker::new(options);
    for event in &fault.events {
        checker.push(format!("{event}\n").as_bytes());
    }
    let outcome = checker.finish();
    let errors: Vec<_> = outcome
        .findings
        .iter()
        .filter(|finding| finding.is_error())
        .map(|finding| (finding.requirement.id, finding.event, finding.message.clone()))
        .collect();
    assert_eq!(errors.len(), 1, "one fault, one error: {errors:#?}\n{}", shown(fault));
    let at = fault.at.map_or(FirstRejected::End, |at| FirstRejected::Event(at as u64));
    assert_eq!(outcome.first_rejected, Some(at), "{}", shown(fault));
    assert_eq!(errors[0].0, fault.requirement, "{}", shown(fault));
}

fn all(scope: Scope) -> BTreeMap<Cell, (usize, usize)> {
    let name = if scope == Scope::Run { "run" } else { "stream" };
    let subjects = [Ours::verifier(name).unwrap(), Ours::model(name).unwrap()];
    let mut cells: BTreeMap<Cell, (usize, usize)> = BTreeMap::new();
    for seed in 0..PLANS {
        let mut dice = Dice::of_case(2, seed);
        let plan = Plan::grow(&mut dice, scope);
        for fault in Fault::each_in_plan(&plan, &mut dice) {
            for subject in subjects {
                expect(&fault, subject);
            }
            one_error(&fault, scope);
            let (seen, near) = cells.entry(fault.cell).or_default();
            *seen += 1;
            *near += usize::from(!fault.twin_is_original);
        }
    }
    cells
}

#[test]
fn faults_of_runs() {
    println!("{:#?}", all(Scope::Run).len());
}

#[test]
fn faults_of_streams() {
    println!("{:#?}", all(Scope::Stream).len());
}

/// Verifier and model accept what is no fault of order, and the twins all the way. Where a type
/// or an id cannot be read, what comes after may miss it.
#[test]
fn faults_beyond_ordering_are_accepted() {
    let subjects = [Ours::verifier("stream").unwrap(), Ours::model("stream").unwrap()];
    for seed in 0..6 {
        let mut dice = Dice::of_case(3, seed);
        let plan = Plan::grow(&mut dice, Scope::Stream);
        for fault in Fault::each_amid_plan(&plan, &mut dice) {
            for subject in subjects {
                let twin = opinion(subject, &fault.twin);
                assert_eq!(twin, Opinion::Accept, "{} on {}", subject.name(), shown(&fault));
                match opinion(subject, &fault.events) {
                    Opinion::Accept => {}
                    Opinion::Reject { at, .. } if fault.requirement.starts_with("shape/") => {
                        let later = match (at, fault.at) {
                            (At::Event(at), Some(shown_at)) => at > shown_at,
                            (At::End, shown_at) => shown_at.is_some(),
                            (At::Event(_), None) => false,
                        };
                        assert!(later, "{} at {at:?} on {}", subject.name(), shown(&fault));
                    }
                    other => panic!("{} says {other:?} on {}", subject.name(), shown(&fault)),
                }
            }
        }
    }
}
