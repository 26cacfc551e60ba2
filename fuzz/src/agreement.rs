//! Verifier, model, generator and checker, asked the same.

use conform_check::registry::Judge;
use conform_event::{Body, Event, decode};
use conform_subject::{Label, Saying, difference, verified};

use crate::Sequence;

/// Verifier and model say the same of every event, what a generator knows is what they say,
/// and the checker finds what they refuse: of a fault, one that counts.
///
/// # Panics
///
/// Where opinions differ.
pub fn agreement(sequence: &Sequence) {
    if let Some(found) = difference(&sequence.0) {
        panic!("{found:?}{:?}", sequence.small(&found));
    }
    let case = &sequence.0;
    let texts: Vec<String> = case.events.iter().map(ToString::to_string).collect();
    let events: Vec<Event<'_>> = texts
        .iter()
        .map(|text| decode(text.as_bytes()).expect("it was written as JSON").event)
        .collect();
    let sayings = verified(case.scope, &events, sequence.request().as_ref());
    let refused = |at: &usize| sayings[*at] != Saying::Accept;

    // A run that starts with or after a refusal may be the next one for the checker, and a
    // refusal like others for the verifier: from there on they judge different streams.
    let first = (0..events.len()).find(refused).unwrap_or(events.len());
    let starts = |at: &usize| matches!(events[*at].body, Body::RunStarted { .. });
    let last = (first..events.len()).find(starts).unwrap_or(events.len());
    let refused: Vec<usize> = (0..=last).filter(refused).collect();

    let outcome = sequence.outcome();
    let ordering = outcome
        .findings
        .iter()
        .filter(|finding| matches!(finding.requirement.judge, Judge::Rule(_) | Judge::Stream));
    let found: Vec<usize> = ordering
        .map(|finding| finding.event.map_or(events.len(), |at| at as usize))
        .filter(|at| *at <= last)
        .collect();
    assert_eq!(refused, found, "refused and found events{sequence:?}");
    let errors = match case.label {
        Some(Label::Valid) => 0,
        Some(Label::Broken { .. }) => 1,
        None => return,
    };
    assert_eq!(outcome.errors + outcome.warnings, errors, "findings{sequence:?}");
}
