//! Subagents that are announced late or wait for something, and the interrupts of a run.

use conform_check::{EntityKind, Severity};

use super::{FINISHED, STARTED, assert_found, finished, finished_with, judge, message, started};

const ANNOUNCED: &str = "subagent/announced-before-use";
const UNIQUE: &str = "interrupt/unique-ids";
const SUSPENDED: &str = "interrupt/suspended-ids-exist";

const BEGINS: &str = r#"{"type":"SUBAGENT_STARTED","subagentRunId":"s1","name":"buyer"}"#;
const ENDS: &str = r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"s1"}"#;

fn tagged(tag: &str) -> String {
    format!(r#"{{"type":"CUSTOM","name":"com.example.n","value":1,"subagentRunId":"{tag}"}}"#)
}

#[test]
fn a_subagent_is_announced_before_it_acts() {
    let s1 = tagged("s1");
    assert_found(&[STARTED, BEGINS, &s1, ENDS, FINISHED], &[]);
    let late = [STARTED, &s1, &s1, BEGINS, ENDS, FINISHED];
    assert_found(&late, &[(ANNOUNCED, 3, "/subagentRunId")]);
    let outcome = judge(&late, None);
    let finding = &outcome.findings[0];
    // Related to the first of the events.
    assert_eq!(finding.related.map(|at| at.event), Some(1));
    assert_eq!(finding.entity, Some((EntityKind::Subagent, "s1".to_owned())));
    assert_eq!(
        finding.message,
        r#"subagent "s1" is announced after event 1, which is attributed to it"#
    );
    // One that is never announced need not be, and another's events are none of its own.
    assert_found(&[STARTED, &s1, FINISHED], &[]);
    assert_found(&[STARTED, &tagged("s2"), BEGINS, ENDS, FINISHED], &[]);
}

#[test]
fn announcements_are_of_their_run() {
    let s1 = tagged("s1");
    let (second, end) = (started("t1", "r2"), finished("t1", "r2"));
    let lines = [STARTED, &s1, FINISHED, &second, BEGINS, &s1, ENDS, &end];
    assert_found(&lines, &[]);
    let lines = [STARTED, BEGINS, ENDS, FINISHED, &second, &s1, BEGINS, ENDS, &end];
    assert_found(&lines, &[(ANNOUNCED, 6, "/subagentRunId")]);
}

#[test]
fn an_event_that_is_refused_is_no_use_of_a_subagent() {
    let orphan =
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Hi.","subagentRunId":"s1"}"#;
    assert_found(
        &[STARTED, orphan, BEGINS, ENDS, FINISHED],
        &[("text/open-before-content", 1, "/messageId")],
    );
}

fn interrupts(list: &str) -> String {
    finished_with(&format!(r#""outcome":{{"type":"interrupt","interrupts":[{list}]}}"#))
}

fn asks(ids: &[&str]) -> String {
    let list = ids.iter().map(|id| format!(r#"{{"id":"{id}","reason":"approval"}}"#));
    interrupts(&list.collect::<Vec<_>>().join(","))
}

#[test]
fn interrupts_have_ids_of_their_own() {
    let at = ["/outcome/interrupts/1/id", "/outcome/interrupts/2/id", "/outcome/interrupts/3/id"];
    assert_found(&[STARTED, &asks(&["i1", "i2", "i3"])], &[]);
    assert_found(&[STARTED, &asks(&["i1", "i1"])], &[(UNIQUE, 1, at[0])]);
    assert_found(&[STARTED, &asks(&["i1", "i2", "i1"])], &[(UNIQUE, 1, at[1])]);
    // Once a further one.
    let twice = asks(&["i1", "i1", "i2", "i1"]);
    assert_found(&[STARTED, &twice], &[(UNIQUE, 1, at[0]), (UNIQUE, 1, at[2])]);
    // A later run may ask again.
    let again = asks(&["i1"]).replace("r1", "r2");
    assert_found(&[STARTED, &asks(&["i1"]), &started("t1", "r2"), &again], &[]);
    let said = message(&[STARTED, &asks(&["i1", "i1"])], None);
    assert_eq!(said, r#"interrupt id "i1" is the one of interrupt 0 too"#);
}

fn suspends(ids: &str) -> String {
    ENDS.replace(
        r#""s1""#,
        &format!(r#""s1","outcome":{{"type":"suspended","interruptIds":[{ids}]}}"#),
    )
}

#[test]
fn a_subagent_waits_for_what_the_run_asks() {
    let waits = suspends(r#""i1","i2""#);
    let found = |last: &str, expected: &[(&'static str, u64, &str)]| {
        assert_found(&[STARTED, BEGINS, &waits, last], expected);
    };
    let broken = [(SUSPENDED, 3, "/outcome")];
    found(&asks(&["i2", "i3", "i1"]), &[]);
    found(&asks(&["i1"]), &broken);
    found(&asks(&["i3"]), &broken);
    // A run that succeeds, or does not say, asks nothing.
    found(&finished_with(r#""outcome":{"type":"success"}"#), &broken);
    found(FINISHED, &broken);
    // A run that fails has nobody wait for it.
    found(r#"{"type":"RUN_ERROR","message":"Out of paper."}"#, &[]);
    let outcome = judge(&[STARTED, BEGINS, &waits, &asks(&["i1"])], None);
    let finding = &outcome.findings[0];
    assert_eq!(finding.severity, Severity::Warning);
    assert_eq!(finding.related.map(|at| at.event), Some(2));
    assert_eq!(
        finding.message,
        r#"subagent "s1" waits since event 2 for interrupt "i2", which the run does not raise"#
    );
}

#[test]
fn each_subagent_that_waits_in_vain_is_told() {
    let other = |line: &str| line.replace("s1", "s2");
    let lines = [
        STARTED.to_owned(),
        BEGINS.to_owned(),
        suspends(r#""i1""#),
        other(BEGINS),
        other(&suspends(r#""i2""#)),
        asks(&["i3"]),
    ];
    assert_found(&lines, &[(SUSPENDED, 5, "/outcome"), (SUSPENDED, 5, "/outcome")]);
    let outcome = judge(&lines, None);
    let related: Vec<_> = outcome.findings.iter().map(|f| f.related.unwrap().event).collect();
    assert_eq!(related, [2, 4]);
    // Of a run before it nobody waits any more.
    let lines = [&lines[..], &[started("t1", "r2"), finished("t1", "r2")]].concat();
    assert_found(&lines, &[(SUSPENDED, 5, "/outcome"), (SUSPENDED, 5, "/outcome")]);
}

#[test]
fn interrupts_that_cannot_be_read_are_a_matter_of_shape() {
    let waits = suspends(r#""i1""#);
    for (last, pointer) in [
        (interrupts(r#"{"reason":"approval"}"#), "/outcome/interrupts/0/id"),
        (interrupts(r#"{"id":1,"reason":"approval"}"#), "/outcome/interrupts/0/id"),
        (interrupts("1"), "/outcome/interrupts/0"),
        (finished_with(r#""outcome":{"interrupts":[]}"#), "/outcome/type"),
        (finished_with(r#""outcome":{"type":"paused"}"#), "/outcome/type"),
        (finished_with(r#""outcome":"interrupt""#), "/outcome"),
    ] {
        assert_found(&[STARTED, BEGINS, &waits, &last], &[("shape/well-formed", 3, pointer)]);
    }
    let none = finished_with(r#""outcome":{"type":"interrupt"}"#);
    let expected = [("interrupt/at-least-one", 3, "/outcome/interrupts")];
    assert_found(&[STARTED, BEGINS, &waits, &none], &expected);
    // An empty list can be read, and says that nothing is asked.
    let expected =
        [("interrupt/at-least-one", 3, "/outcome/interrupts"), (SUSPENDED, 3, "/outcome")];
    assert_found(&[STARTED, BEGINS, &waits, &interrupts("")], &expected);
}
