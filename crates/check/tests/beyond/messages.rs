//! What message ids name, and what a text message says of itself when it is opened again.

use conform_check::EntityKind;

use super::{
    FINISHED, STARTED, assert_found, assert_found_with, call, finished, judge, message, request,
    result, snapshot, started, started_from,
};

const UNIQUE: &str = "ids/message-unique";
const REOPEN: &str = "text/reopen-agrees";

const SPAN: &str = r#"{"type":"REASONING_START","messageId":"s1"}"#;
const SPAN_END: &str = r#"{"type":"REASONING_END","messageId":"s1"}"#;
const THOUGHT: &str = r#"{"type":"REASONING_MESSAGE_CHUNK","messageId":"m1","delta":"Hm."}"#;
const TEXT: &str = r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"Hello."}"#;
const ACTIVITY: &str =
    r#"{"type":"ACTIVITY_SNAPSHOT","messageId":"m1","activityType":"PLAN","content":{}}"#;
const USER: &str = r#"{"id":"m1","role":"user","content":"Hello."}"#;

#[test]
fn an_id_names_one_message() {
    let lines = [STARTED, SPAN, THOUGHT, SPAN_END, TEXT, FINISHED];
    assert_found(&lines, &[(UNIQUE, 4, "/messageId")]);
    let finding = &judge(&lines, None).findings[0];
    assert_eq!(finding.related.map(|at| at.event), Some(2));
    assert_eq!(finding.entity, Some((EntityKind::TextMessage, "m1".to_owned())));
    assert_eq!(
        finding.message,
        r#"message id "m1" of a text message is that of a reasoning message in event 2"#
    );
    assert_found(&[STARTED, TEXT, ACTIVITY, FINISHED], &[(UNIQUE, 2, "/messageId")]);
    assert_found(&[STARTED, ACTIVITY, TEXT, FINISHED], &[(UNIQUE, 2, "/messageId")]);
    // A reasoning span is no message.
    let span = r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"s1","delta":"Hello."}"#;
    assert_found(&[STARTED, SPAN, SPAN_END, span, FINISHED], &[]);
}

#[test]
fn what_an_id_names_too_is_told_once() {
    let lines = [STARTED, ACTIVITY, TEXT, ACTIVITY, TEXT, FINISHED];
    assert_found(&lines, &[(UNIQUE, 2, "/messageId")]);
    // Across runs: messages are of the stream.
    let (second, end) = (started("t1", "r2"), finished("t1", "r2"));
    let lines = [STARTED, ACTIVITY, FINISHED, &second, TEXT, &end];
    assert_found(&lines, &[(UNIQUE, 4, "/messageId")]);
}

#[test]
fn a_result_is_the_answer_to_one_call() {
    let [c1, c2] = ["c1", "c2"].map(|id| call(id, "get_weather"));
    let run = |second: &str| {
        let ends = [result("m1", "c1"), result(second, "c2"), FINISHED.to_owned()];
        [&[STARTED.to_owned()][..], &c1, &c2, &ends].concat()
    };
    assert_found(&run("m2"), &[]);
    assert_found(&run("m1"), &[(UNIQUE, 8, "/messageId")]);
    assert_eq!(
        message(&run("m1"), None),
        r#"message id "m1" of a tool result is that of the result of another call in event 7"#
    );
}

#[test]
fn lists_name_messages_too() {
    assert_found(&[STARTED, ACTIVITY, &snapshot(USER), FINISHED], &[(UNIQUE, 2, "/messages/0/id")]);
    assert_found(&[STARTED, TEXT, &snapshot(USER), TEXT, FINISHED], &[]);
    let activity = snapshot(r#"{"id":"m1","role":"activity","activityType":"PLAN","content":{}}"#);
    assert_found(&[STARTED, &activity, ACTIVITY, FINISHED], &[]);
    assert_found(&[STARTED, &activity, TEXT, FINISHED], &[(UNIQUE, 2, "/messageId")]);
    let twice = snapshot(&format!("{USER},{USER}"));
    assert_found(&[STARTED, &twice, FINISHED], &[(UNIQUE, 1, "/messages/1/id")]);
    // Each list by itself: the next repeats what the first had.
    assert_found(&[STARTED, &snapshot(USER), &snapshot(USER), FINISHED], &[]);
    // Twice, and as another kind: one finding.
    let thought = r#"{"id":"m1","role":"reasoning","content":"Hm."}"#;
    let both = snapshot(&format!("{USER},{thought}"));
    assert_found(&[STARTED, &both, FINISHED], &[(UNIQUE, 1, "/messages/1/id")]);
}

#[test]
fn inputs_name_messages_and_are_not_blamed() {
    let twice = format!(r#""messages":[{USER},{USER}]"#);
    let echo = started_from(&twice);
    assert_found(&[&echo, FINISHED], &[]);
    assert_found(&[&echo, ACTIVITY, FINISHED], &[(UNIQUE, 1, "/messageId")]);
    assert_found_with(
        &[STARTED, ACTIVITY, FINISHED],
        Some(&request(&format!(r#""messages":[{USER}]"#))),
        &[(UNIQUE, 1, "/messageId")],
    );
    assert_eq!(
        message(&[&echo, ACTIVITY, FINISHED], None),
        r#"message id "m1" of an activity is that of a text message in the run's input"#
    );
}

fn opened(members: &str) -> [String; 3] {
    [
        format!(r#"{{"type":"TEXT_MESSAGE_START","messageId":"m1"{members}}}"#),
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Hello."}"#.to_owned(),
        r#"{"type":"TEXT_MESSAGE_END","messageId":"m1"}"#.to_owned(),
    ]
}

fn twice(first: &str, second: &str) -> Vec<String> {
    let (start, end) = ([STARTED.to_owned()], [FINISHED.to_owned()]);
    [&start[..], &opened(first), &opened(second), &end].concat()
}

#[test]
fn a_message_keeps_its_role_and_name() {
    let (role, name) = (r#","role":"developer""#, r#","name":"Ada""#);
    let assistant = r#","role":"assistant""#;
    // Absent is assistant.
    for same in [("", assistant), (assistant, ""), (role, role), (name, name)] {
        assert_found(&twice(same.0, same.1), &[]);
    }
    for other in [("", role), (role, assistant), (role, "")] {
        assert_found(&twice(other.0, other.1), &[(REOPEN, 4, "/role")]);
    }
    for other in [("", name), (name, ""), (name, r#","name":"Bob""#)] {
        assert_found(&twice(other.0, other.1), &[(REOPEN, 4, "/name")]);
    }
    let finding = &judge(&twice("", role), None).findings[0];
    assert_eq!(finding.related.map(|at| at.event), Some(1));
    assert_eq!(
        finding.message,
        r#"a start reopens text message "m1" with another role than the first, at event 1"#
    );
}

#[test]
fn chunks_open_messages_too_and_continue_them_silently() {
    let role = r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","role":"developer","delta":"!"}"#;
    let first = opened("");
    let lines = |rest: &[&str]| {
        let rest: Vec<String> = rest.iter().map(|&line| line.to_owned()).collect();
        [&[STARTED.to_owned()][..], &first, &rest, &[FINISHED.to_owned()]].concat()
    };
    assert_found(&lines(&[TEXT]), &[]);
    assert_found(&lines(&[role]), &[(REOPEN, 4, "/role")]);
    // A chunk that continues opens nothing: what it repeats is a matter of chunks.
    assert_found(&lines(&[TEXT, role]), &[("chunk/repeat-agrees", 5, "/role")]);
}

#[test]
fn messages_of_lists_are_not_compared() {
    assert_found(&[STARTED, &snapshot(USER), TEXT, FINISHED], &[]);
}
