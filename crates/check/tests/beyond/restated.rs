//! What the run's input already held, streamed again.

use super::{
    FINISHED, STARTED, assert_found, assert_found_with, call_args, call_end, call_start,
    finished_with, judge, line, lines, message, request, started, started_from,
};

const RESTATES: &str = "lifecycle/restates-by-snapshot";

const HELD: &str = r#""messages":[{"id":"m1","role":"assistant","content":"Good morning."},{"id":"h1","role":"reasoning","content":"They greet."},{"id":"e1","role":"assistant","content":""},{"id":"m2","role":"assistant","toolCalls":[{"id":"c1","type":"function","function":{"name":"get_weather","arguments":"{\"a\":1}"}}]}]"#;

fn text(id: &str, pieces: &[&str]) -> Vec<String> {
    let event = |kind: &str, rest: &str| {
        format!(r#"{{"type":"TEXT_MESSAGE_{kind}","messageId":"{id}"{rest}}}"#)
    };
    let mut events = vec![event("START", "")];
    events.extend(pieces.iter().map(|p| event("CONTENT", &format!(r#","delta":"{p}""#))));
    events.push(event("END", ""));
    events
}

fn run(start: &str, events: &[String]) -> Vec<String> {
    lines(&[&line(start), events, &line(FINISHED)])
}

#[test]
fn a_text_that_is_held_is_not_streamed_again() {
    let echo = started_from(HELD);
    let found = |pieces: &[&str], expected: &[(&'static str, u64, &str)]| {
        assert_found(&run(&echo, &text("m1", pieces)), expected);
    };
    found(&["Good morning."], &[(RESTATES, 2, "/delta")]);
    // At the event that completes it, however it is cut, and whatever follows.
    found(&["Good ", "morn", "ing.", " More."], &[(RESTATES, 4, "/delta")]);
    found(&["Good ", "morning. And more."], &[(RESTATES, 3, "/delta")]);
    // Appending is legal, and so is a text that is another in the end.
    for pieces in [&[" And more."][..], &["Good morning"], &["Good ", "evening."]] {
        found(pieces, &[]);
    }
    found(&["x", "Good morning."], &[]);
    assert_found(&run(&echo, &text("m9", &["Good morning."])), &[]);
    // An empty text says nothing.
    assert_found(&run(&echo, &text("e1", &["Hello."])), &[]);
}

#[test]
fn each_opening_begins_anew() {
    let echo = started_from(HELD);
    let m1 = |pieces| text("m1", pieces);
    let twice = lines(&[&m1(&["Good morning."]), &m1(&["Good morning."])]);
    assert_found(&run(&echo, &twice), &[(RESTATES, 2, "/delta"), (RESTATES, 5, "/delta")]);
    let halves = lines(&[&m1(&["Good "]), &m1(&["morning."])]);
    assert_found(&run(&echo, &halves), &[]);
    let finding = &judge(&run(&echo, &m1(&["Good morning."])), None).findings[0];
    assert_eq!(finding.related.map(|at| at.event), Some(1));
    let said = message(&run(&echo, &m1(&["Good morning."])), None);
    assert!(said.contains(r#""m1""#) && !said.contains("Good"), "{said}");
}

#[test]
fn chunks_reasoning_and_calls_restate_too() {
    let echo = started_from(HELD);
    let chunks = |pieces: [&str; 2]| {
        pieces.map(|piece| {
            format!(r#"{{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"{piece}"}}"#)
        })
    };
    assert_found(&run(&echo, &chunks(["Good ", "morning."])), &[(RESTATES, 2, "/delta")]);
    // One chunk is the opening and what completes it: no earlier event explains it.
    let [whole, _] = chunks(["Good morning.", ""]);
    let told = judge(&run(&echo, &[whole]), None).findings.remove(0);
    assert_eq!((told.requirement.id, told.event, told.related), (RESTATES, Some(1), None));
    assert_eq!(
        told.message,
        r#"text message "m1" is in the run's input and is streamed again from its beginning"#
    );
    let reasoning = [
        r#"{"type":"REASONING_START","messageId":"s1"}"#,
        r#"{"type":"REASONING_MESSAGE_CHUNK","messageId":"h1","delta":"They greet."}"#,
        r#"{"type":"REASONING_END","messageId":"s1"}"#,
    ]
    .map(str::to_owned);
    assert_found(&run(&echo, &reasoning), &[(RESTATES, 2, "/delta")]);
    let call = |piece: &str| {
        let pending = finished_with(r#""outcome":{"type":"success","pendingToolCallIds":["c1"]}"#);
        let call = [call_start("c1", "get_weather"), call_args("c1", piece), call_end("c1")];
        lines(&[&line(&echo), &call, &[pending]])
    };
    assert_found(&call(r#"{"a":1}"#), &[(RESTATES, 2, "/delta")]);
    assert_found(&call(r#"{"a":2}"#), &[]);
}

#[test]
fn the_input_is_that_of_the_run() {
    let again = run(STARTED, &text("m1", &["Good morning."]));
    assert_found(&again, &[]);
    assert_found_with(&again, Some(&request(HELD)), &[(RESTATES, 2, "/delta")]);
    let other = request(HELD).replace("r1", "r0");
    assert_found_with(&again, Some(&other), &[("lifecycle/echoes-request", 0, "/runId")]);
    // Another run's input is none of its own.
    let (echo, second) = (started_from(HELD), started("t1", "r2"));
    let end = FINISHED.replace("r1", "r2");
    let lines =
        lines(&[&[echo, FINISHED.to_owned(), second], &text("m1", &["Good morning."]), &[end]]);
    assert_found(&lines, &[]);
}
