//! The judges beyond the ordering rules, theme by theme: what is found, and where.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod activity;
mod arguments;
mod calls;
mod frontend;
mod head;
mod messages;
mod names;
mod restated;
mod runs;
mod sealed;
mod state;
mod subagents;
mod usage;

use conform_check::{Checker, Options, Outcome, Request};

const STARTED: &str =
    r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.1"}"#;
const FINISHED: &str = r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}"#;

/// Requirement, event and member of a finding.
type Found = (&'static str, Option<u64>, String);

fn judge<S: AsRef<str>>(lines: &[S], request: Option<&str>) -> Outcome {
    let request = request.map(|text| Request::read(text.as_bytes()).unwrap());
    let mut checker = Checker::new(Options { request, ..Options::default() });
    for line in lines {
        checker.push(line.as_ref().as_bytes());
        checker.push(b"\n");
    }
    checker.finish()
}

/// What is found in the outcome and follows from nothing else.
fn counted(outcome: &Outcome) -> Vec<Found> {
    let findings = outcome.findings.iter().filter(|finding| finding.consequence_of.is_none());
    findings
        .map(|finding| {
            let pointer = finding.pointer.clone().unwrap_or_default();
            (finding.requirement.id, finding.event, pointer)
        })
        .collect()
}

/// Asserts what is found in these lines.
#[track_caller]
fn assert_found<S: AsRef<str>>(lines: &[S], expected: &[(&'static str, u64, &str)]) {
    assert_found_with(lines, None, expected);
}

#[track_caller]
fn assert_found_with<S: AsRef<str>>(
    lines: &[S],
    request: Option<&str>,
    expected: &[(&'static str, u64, &str)],
) {
    let outcome = judge(lines, request);
    let expected: Vec<Found> =
        expected.iter().map(|(id, event, at)| (*id, Some(*event), (*at).to_owned())).collect();
    let lines: Vec<&str> = lines.iter().map(AsRef::as_ref).collect();
    assert_eq!(counted(&outcome), expected, "{}", lines.join("\n"));
}

/// The message of the one finding that counts.
#[track_caller]
fn message<S: AsRef<str>>(lines: &[S], request: Option<&str>) -> String {
    let mut findings = judge(lines, request).findings;
    findings.retain(|finding| finding.consequence_of.is_none());
    assert_eq!(findings.len(), 1, "{findings:#?}");
    findings.remove(0).message
}

fn started(thread: &str, run: &str) -> String {
    format!(
        r#"{{"type":"RUN_STARTED","threadId":"{thread}","runId":"{run}","protocolVersion":"1.1"}}"#
    )
}

fn finished(thread: &str, run: &str) -> String {
    format!(r#"{{"type":"RUN_FINISHED","threadId":"{thread}","runId":"{run}"}}"#)
}

/// RUN_FINISHED with further members.
fn finished_with(members: &str) -> String {
    format!(r#"{{"type":"RUN_FINISHED","threadId":"t1","runId":"r1",{members}}}"#)
}

/// RUN_STARTED of run r1 that echoes an input with further members.
fn started_from(members: &str) -> String {
    let start = STARTED.trim_end_matches('}');
    format!(r#"{start},"input":{{"threadId":"t1","runId":"r1",{members}}}}}"#)
}

/// The request of run r1 with further members.
fn request(members: &str) -> String {
    format!(r#"{{"threadId":"t1","runId":"r1",{members}}}"#)
}

fn snapshot(messages: &str) -> String {
    format!(r#"{{"type":"MESSAGES_SNAPSHOT","messages":[{messages}]}}"#)
}

fn call_start(id: &str, name: &str) -> String {
    format!(r#"{{"type":"TOOL_CALL_START","toolCallId":"{id}","toolCallName":"{name}"}}"#)
}

/// TOOL_CALL_ARGS; the piece is JSON text that a string is to hold.
fn call_args(id: &str, piece: &str) -> String {
    let delta = serde_json::Value::from(piece);
    format!(r#"{{"type":"TOOL_CALL_ARGS","toolCallId":"{id}","delta":{delta}}}"#)
}

fn call_end(id: &str) -> String {
    format!(r#"{{"type":"TOOL_CALL_END","toolCallId":"{id}"}}"#)
}

/// A whole call with empty arguments.
fn call(id: &str, name: &str) -> [String; 3] {
    [call_start(id, name), call_args(id, "{}"), call_end(id)]
}

fn result(message: &str, call: &str) -> String {
    format!(
        r#"{{"type":"TOOL_CALL_RESULT","messageId":"{message}","toolCallId":"{call}","content":"Done."}}"#
    )
}

/// Several groups of lines as one.
fn lines(groups: &[&[String]]) -> Vec<String> {
    groups.concat()
}

fn line(text: &str) -> Vec<String> {
    vec![text.to_owned()]
}
