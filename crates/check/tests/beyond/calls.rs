//! What a call says of itself when it is opened again, its results, and what is pending.

use conform_check::EntityKind;

use super::{
    FINISHED, STARTED, assert_found, call, call_args, call_end, call_start, finished,
    finished_with, judge, line, lines, message, result, snapshot, started,
};

const REOPEN: &str = "tool/reopen-agrees";
const ONE: &str = "tool/one-result";
const EXACT: &str = "tool/pending-list-exact";
const SENT: &str = "tool/pending-list-sent";

fn run(groups: &[&[String]]) -> Vec<String> {
    [&line(STARTED)[..], &groups.concat()].concat()
}

fn pending(ids: &str) -> Vec<String> {
    line(&finished_with(&format!(r#""outcome":{{"type":"success","pendingToolCallIds":[{ids}]}}"#)))
}

fn answer(call: &str) -> String {
    format!(r#"{{"id":"a-{call}","role":"tool","toolCallId":"{call}","content":"Done."}}"#)
}

#[test]
fn a_call_keeps_its_name_and_parent() {
    let first = call("c1", "get_weather");
    let again =
        |start: &str| run(&[&first, &line(start), &line(&call_end("c1")), &pending(r#""c1""#)]);
    assert_found(&again(&call_start("c1", "get_weather")), &[]);
    assert_found(&again(&call_start("c1", "get_tides")), &[(REOPEN, 4, "/toolCallName")]);
    let child = call_start("c1", "get_weather").replace('}', r#","parentMessageId":"m1"}"#);
    assert_found(&again(&child), &[(REOPEN, 4, "/parentMessageId")]);
    let chunk = |name: &str| {
        let chunk = call_start("c1", name).replace("CALL_START", "CALL_CHUNK");
        run(&[&first, &line(&chunk), &pending(r#""c1""#)])
    };
    assert_found(&chunk("get_weather"), &[]);
    assert_found(&chunk("get_tides"), &[(REOPEN, 4, "/toolCallName")]);
    let finding = &judge(&chunk("get_tides"), None).findings[0];
    assert_eq!(finding.related.map(|at| at.event), Some(1));
    assert_eq!(finding.entity, Some((EntityKind::ToolCall, "c1".to_owned())));
}

#[test]
fn a_call_has_one_result() {
    let c1 = call("c1", "get_weather");
    let results = |ids: &[&str]| ids.iter().map(|id| result(id, "c1")).collect::<Vec<_>>();
    let end = line(FINISHED);
    assert_found(&run(&[&c1, &results(&["m1"]), &end]), &[]);
    let twice = run(&[&c1, &results(&["m1", "m2"]), &end]);
    assert_found(&twice, &[(ONE, 5, "/toolCallId")]);
    assert_eq!(message(&twice, None), r#"tool call "c1" was answered at event 4 already"#);
    // Each further one, related to the last.
    let thrice = run(&[&c1, &results(&["m1", "m2", "m3"]), &end]);
    assert_found(&thrice, &[(ONE, 5, "/toolCallId"), (ONE, 6, "/toolCallId")]);
    // Opened in between, it asks anew.
    let start = line(&call_start("c1", "get_weather"));
    let close = line(&call_end("c1"));
    let anew = run(&[&c1, &results(&["m1"]), &start, &close, &results(&["m2"]), &end]);
    assert_found(&anew, &[]);
}

#[test]
fn results_are_of_the_stream() {
    let c1 = call("c1", "get_weather");
    let second = [started("t1", "r2"), result("m2", "c1"), finished("t1", "r2")];
    let lines = run(&[&c1, &[result("m1", "c1")], &line(FINISHED), &second]);
    assert_found(&lines, &[(ONE, 7, "/toolCallId")]);
}

#[test]
fn the_pending_list_is_exact() {
    let [c1, c2] = ["c1", "c2"].map(|id| call(id, "set_colour"));
    let two = |middle: &[String], ids: &str| run(&[&c1, &c2, middle, &pending(ids)]);
    let member = "/outcome/pendingToolCallIds";
    assert_found(&two(&[], r#""c1","c2""#), &[]);
    for ids in [r#""c2","c1""#, r#""c1""#, r#""c1","c2","c3""#, r#""c1","c1","c2""#, ""] {
        assert_found(&two(&[], ids), &[(EXACT, 7, member)]);
    }
    let answered = [result("m1", "c1")];
    assert_found(&two(&answered, r#""c2""#), &[]);
    assert_found(&two(&answered, r#""c1","c2""#), &[(EXACT, 8, member)]);
    // A tool message of a snapshot answers too.
    assert_found(&two(&[snapshot(&answer("c2"))], r#""c1""#), &[]);
    // Opened again, it is pending again, at its old place.
    let again = [result("m1", "c1"), call_start("c1", "set_colour"), call_end("c1")];
    assert_found(&two(&again, r#""c1","c2""#), &[]);
    assert_found(&two(&again, r#""c2""#), &[(EXACT, 10, member)]);
}

#[test]
fn the_pending_list_is_that_of_its_run() {
    let second = [
        started("t1", "r2"),
        r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r2","outcome":{"type":"success"}}"#
            .to_owned(),
    ];
    assert_found(&run(&[&call("c1", "set_colour"), &pending(r#""c1""#), &second]), &[]);
}

#[test]
fn what_is_pending_is_said() {
    let c1 = call("c1", "set_colour");
    let ended = |end: String| run(&[&c1, &line(&end)]);
    let bare = ended(FINISHED.to_owned());
    assert_found(&bare, &[(SENT, 4, "/outcome")]);
    assert_found(
        &ended(finished_with(r#""outcome":{"type":"success"}"#)),
        &[(SENT, 4, "/outcome")],
    );
    assert_eq!(
        message(&bare, None),
        r#"tool call "c1" went unanswered and pendingToolCallIds does not say so"#
    );
    // No other outcome says so.
    assert_found(&ended(finished_with(r#""outcome":{"type":"cancelled"}"#)), &[]);
    assert_found(&run(&[&c1, &[result("m1", "c1")], &line(FINISHED)]), &[]);
}

#[test]
fn a_start_that_is_missing_is_told_alone() {
    let (args, end) = (call_args("c1", "{}"), call_end("c1"));
    let found = [("tool/open-before-args", 1, "/toolCallId")];
    let orphan = [args, end];
    assert_found(&run(&[&orphan, &pending(r#""c1""#)]), &found);
    assert_found(&lines(&[&line(STARTED), &orphan, &pending("")]), &found);
    // Nobody knows where the call stands among the others.
    let amid = run(&[&call("c2", "get_tides"), &orphan, &pending(r#""c1","c2""#)]);
    assert_found(&amid, &[("tool/open-before-args", 4, "/toolCallId")]);
}
