//! The head of the response.

use conform_check::frames::{ResponseHead, read_heads};
use conform_check::{Checker, Finding, Options, Outcome, registry};

use super::{FINISHED, STARTED};

const ID: &str = "http/ok-event-stream";
const GOOD: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
const BAD: &str = "HTTP/1.1 500 Internal Server Error\r\nContent-Type: text/event-stream\r\n\r\n";

fn body() -> String {
    format!("data: {STARTED}\n\ndata: {FINISHED}\n\n")
}

fn head(text: &str) -> ResponseHead {
    read_heads(text.as_bytes()).pop().unwrap()
}

fn judge(input: &str, head: Option<ResponseHead>) -> Outcome {
    let mut checker = Checker::new(Options { head, ..Options::default() });
    checker.push(input.as_bytes());
    checker.finish()
}

fn checked(outcome: &Outcome) -> u64 {
    let place = registry::all().position(|entry| entry.id == ID).unwrap();
    outcome.checked[place]
}

/// Requirement, event, line and byte.
type Place = (&'static str, Option<u64>, Option<u64>, Option<u64>);

fn places(outcome: &Outcome) -> Vec<Place> {
    let place = |f: &Finding| (f.requirement.id, f.event, f.line, f.byte);
    outcome.findings.iter().map(place).collect()
}

#[test]
fn a_head_in_the_capture_is_judged_where_it_stands() {
    let outcome = judge(&format!("{GOOD}{}", body()), None);
    assert_eq!((places(&outcome), checked(&outcome)), (vec![], 1));
    let outcome = judge(&format!("\r\n{BAD}{}", body()), None);
    assert_eq!(places(&outcome), [(ID, None, Some(2), Some(2))]);
    assert_eq!(outcome.findings[0].message, "the status is 500, a run answers 200");
    assert!(!outcome.findings[0].at_end);
}

#[test]
fn the_last_of_several_heads_counts() {
    let outcome = judge(&format!("{BAD}{GOOD}{}", body()), None);
    assert_eq!(places(&outcome), []);
    let outcome = judge(&format!("{GOOD}{BAD}{}", body()), None);
    assert_eq!(places(&outcome), [(ID, None, Some(4), Some(GOOD.len() as u64))]);
}

#[test]
fn a_head_that_is_given_counts_before_one_in_the_capture() {
    let outcome = judge(&body(), Some(head(BAD)));
    // It has no place in the input.
    assert_eq!(places(&outcome), [(ID, None, None, None)]);
    assert_eq!(judge(&format!("{BAD}{}", body()), Some(head(GOOD))).findings, []);
    let outcome = judge(&format!("{GOOD}{}", body()), Some(head(BAD)));
    assert_eq!(places(&outcome), [(ID, None, None, None)]);
}

#[test]
fn without_events_or_without_a_head_nothing_is_judged() {
    let outcome = judge(&body(), None);
    assert_eq!((checked(&outcome), outcome.has_head), (0, false));
    for outcome in [judge(BAD, None), judge("", Some(head(BAD)))] {
        assert_eq!((checked(&outcome), outcome.has_head), (0, true));
        assert_eq!(outcome.findings[0].requirement.id, "lifecycle/first-event");
        assert_eq!(outcome.findings.len(), 1);
    }
}

#[test]
fn it_is_told_as_soon_as_the_first_event_came() {
    let mut checker = Checker::new(Options::default());
    checker.push(BAD.as_bytes());
    assert_eq!(checker.findings(), []);
    checker.push(format!("data: {STARTED}\n\n").as_bytes());
    assert_eq!(checker.findings().len(), 1);
}
