//! What encrypted values belong to.

use super::{
    FINISHED, STARTED, assert_found, assert_found_with, call, finished, line, lines, message,
    request, result, snapshot, started, started_from,
};

const KNOWN: &str = "reasoning/encrypted-entity-known";

fn sealed(subtype: &str, id: &str) -> String {
    format!(
        r#"{{"type":"REASONING_ENCRYPTED_VALUE","subtype":"{subtype}","entityId":"{id}","encryptedValue":"b3BhcXVl"}}"#
    )
}

/// Asserts whether the value is of something that these events make known.
#[track_caller]
fn check(before: &[String], subtype: &str, id: &str, known: bool) {
    let all = lines(&[before, &[sealed(subtype, id)], &line(FINISHED)]);
    let at = u64::try_from(before.len()).unwrap();
    let found = [(KNOWN, at, "/entityId")];
    assert_found(&all, if known { &[] } else { &found });
}

#[test]
fn a_message_is_known() {
    let text = r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"Hello."}"#;
    check(&lines(&[&line(STARTED), &line(text)]), "message", "m1", true);
    check(&lines(&[&line(STARTED), &line(text)]), "message", "m2", false);
    check(&lines(&[&line(STARTED), &line(text)]), "tool-call", "m1", false);
    let reasoning = [
        STARTED.to_owned(),
        r#"{"type":"REASONING_START","messageId":"s1"}"#.to_owned(),
        r#"{"type":"REASONING_MESSAGE_CHUNK","messageId":"m1","delta":"Hm."}"#.to_owned(),
        r#"{"type":"REASONING_END","messageId":"s1"}"#.to_owned(),
    ];
    check(&reasoning, "message", "m1", true);
    // A span is no message.
    check(&reasoning, "message", "s1", false);
    let activity =
        r#"{"type":"ACTIVITY_SNAPSHOT","messageId":"m1","activityType":"PLAN","content":{}}"#;
    check(&lines(&[&line(STARTED), &line(activity)]), "message", "m1", false);
}

#[test]
fn calls_make_their_results_and_parents_known() {
    let [start, args, end] = call("c1", "get_weather");
    let child = start.replace('}', r#","parentMessageId":"p1"}"#);
    let run = [STARTED.to_owned(), child, args, end, result("m1", "c1")];
    check(&run, "tool-call", "c1", true);
    check(&run, "message", "c1", false);
    check(&run, "message", "m1", true);
    check(&run, "message", "p1", true);
    check(&run, "tool-call", "c2", false);
}

const LIST: &str = r#"{"id":"m1","role":"assistant","toolCalls":[{"id":"c1","type":"function","function":{"name":"get_weather","arguments":"{}"}}]},{"id":"a1","role":"activity","activityType":"PLAN","content":{}}"#;

#[test]
fn lists_and_inputs_make_known() {
    let starts = [
        vec![STARTED.to_owned(), snapshot(LIST)],
        vec![started_from(&format!(r#""messages":[{LIST}]"#))],
    ];
    for start in starts {
        check(&start, "message", "m1", true);
        check(&start, "tool-call", "c1", true);
        check(&start, "message", "a1", false);
    }
    let lines = [STARTED, &sealed("message", "m1"), &sealed("tool-call", "c1"), FINISHED];
    assert_found(&lines, &[(KNOWN, 1, "/entityId"), (KNOWN, 2, "/entityId")]);
    let request = request(&format!(r#""messages":[{LIST}]"#));
    assert_found_with(&lines, Some(&request), &[]);
}

#[test]
fn what_is_known_is_known_on_the_stream() {
    let text = r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"Hello."}"#;
    let (second, end) = (started("t1", "r2"), finished("t1", "r2"));
    let value = sealed("message", "m1");
    assert_found(&[STARTED, text, FINISHED, &second, &value, &end], &[]);
    // Not what comes later only.
    assert_found(&[STARTED, &value, text, FINISHED], &[(KNOWN, 1, "/entityId")]);
    assert_eq!(
        message(&[STARTED, &value, FINISHED], None),
        r#"nothing on the stream makes message "m1" known"#
    );
}

#[test]
fn a_call_that_nothing_opened_may_have_had_any_parent() {
    let [start, args, end] = call("c1", "get_weather");
    let child = start.replace('}', r#","parentMessageId":"p1"}"#);
    let value = sealed("message", "p1");
    let run = |events: &[String]| {
        let ends = [result("m1", "c1"), value.clone(), FINISHED.to_owned()];
        lines(&[&line(STARTED), events, &ends])
    };
    assert_found(&run(&[child, args.clone(), end.clone()]), &[]);
    assert_found(&run(&[args, end]), &[("tool/open-before-args", 1, "/toolCallId")]);
}
