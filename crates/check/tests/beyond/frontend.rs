//! Calls of tools that the application executes.

use super::{
    FINISHED, STARTED, assert_found, assert_found_with, call, finished_with, line, lines, request,
    result, snapshot, started, started_from,
};

const UNANSWERED: &str = "tool/frontend-call-unanswered";
const STOP: &str = "tool/frontend-stop-is-success";

const TOOLS: &str =
    r#""tools":[{"name":"set_colour","description":"Sets the colour.","parameters":{}}]"#;
const CALLED: &str = r#"{"id":"m0","role":"assistant","toolCalls":[{"id":"c1","type":"function","function":{"name":"set_colour","arguments":"{}"}}]}"#;
const ANSWER: &str = r#"{"id":"m1","role":"tool","toolCallId":"c1","content":"Done."}"#;

fn offering(messages: &str) -> String {
    started_from(&format!(r#"{TOOLS},"messages":[{messages}]"#))
}

#[test]
fn the_producer_does_not_answer_for_the_application() {
    let answered = |start: &str, tool: &str| {
        lines(&[&line(start), &call("c1", tool), &[result("m1", "c1")], &line(FINISHED)])
    };
    let found = [(UNANSWERED, 4, "/toolCallId")];
    assert_found(&answered(&offering(""), "set_colour"), &found);
    assert_found(&answered(&offering(""), "get_weather"), &[]);
    assert_found(&answered(STARTED, "set_colour"), &[]);
    let offer = request(TOOLS);
    assert_found_with(&answered(STARTED, "set_colour"), Some(&offer), &found);
    // The request is the input of the run that it asks for only.
    let other = offer.replace("r1", "r0");
    let echo = "lifecycle/echoes-request";
    assert_found_with(&answered(STARTED, "set_colour"), Some(&other), &[(echo, 0, "/runId")]);
}

#[test]
fn a_call_of_lists_is_of_the_current_runs_tools() {
    let lines = [offering(CALLED), result("m1", "c1"), FINISHED.to_owned()];
    assert_found(&lines, &[(UNANSWERED, 1, "/toolCallId")]);
    let lines =
        [started_from(&format!(r#""messages":[{CALLED}]"#)), result("m1", "c1"), FINISHED.into()];
    assert_found(&lines, &[]);
}

#[test]
fn a_snapshot_holds_no_answer_that_was_never_sent() {
    let list = snapshot(&format!("{CALLED},{ANSWER}"));
    let run = |start: &str, lists: usize| {
        let lists = vec![list.clone(); lists];
        lines(&[&line(start), &call("c1", "set_colour"), &lists, &line(FINISHED)])
    };
    // Once a call.
    assert_found(&run(&offering(""), 2), &[(UNANSWERED, 4, "/messages/1")]);
    let sent = lines(&[&[offering(&format!("{CALLED},{ANSWER}")), list], &line(FINISHED)]);
    assert_found(&sent, &[]);
}

#[test]
fn a_stop_on_frontend_calls_is_success() {
    let end = |interrupts: &str| {
        finished_with(&format!(r#""outcome":{{"type":"interrupt","interrupts":[{interrupts}]}}"#))
    };
    let run = |tool: &str, interrupts: &str| {
        lines(&[&line(&offering("")), &call("c1", tool), &[end(interrupts)]])
    };
    let about = r#"{"id":"i1","reason":"tool_call","toolCallId":"c1"}"#;
    let other = r#"{"id":"i2","reason":"input_required","message":"Go on?"}"#;
    let stranger = r#"{"id":"i2","reason":"tool_call","toolCallId":"c2"}"#;
    assert_found(&run("set_colour", about), &[(STOP, 4, "/outcome/type")]);
    assert_found(&run("get_weather", about), &[]);
    for more in [other, stranger] {
        assert_found(&run("set_colour", &format!("{about},{more}")), &[]);
        assert_found(&run("set_colour", more), &[]);
    }
}

#[test]
fn calls_of_an_earlier_run_stop_no_later_one() {
    let about = r#"{"id":"i1","reason":"tool_call","toolCallId":"c1"}"#;
    let pending = finished_with(r#""outcome":{"type":"success","pendingToolCallIds":["c1"]}"#);
    let stop =
        finished_with(&format!(r#""outcome":{{"type":"interrupt","interrupts":[{about}]}}"#))
            .replace("r1", "r2");
    let lines = lines(&[
        &line(&offering("")),
        &call("c1", "set_colour"),
        &[pending, started("t1", "r2"), stop],
    ]);
    assert_found(&lines, &[]);
}

#[test]
fn a_call_that_was_answered_stops_no_run() {
    let about = r#"{"id":"i1","reason":"tool_call","toolCallId":"c1"}"#;
    let end = finished_with(&format!(r#""outcome":{{"type":"interrupt","interrupts":[{about}]}}"#));
    let answered = |answer: String| {
        let ends = [answer, end.clone()];
        lines(&[&line(&offering("")), &call("c1", "set_colour"), &ends])
    };
    assert_found(&answered(result("m1", "c1")), &[(UNANSWERED, 4, "/toolCallId")]);
    assert_found(&answered(snapshot(ANSWER)), &[(UNANSWERED, 4, "/messages/0")]);
}
