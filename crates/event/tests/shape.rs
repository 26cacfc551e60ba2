//! Faults that the table does not tell by itself: near misses, precedence, order, and
//! what a message says.

#![allow(clippy::unwrap_used, reason = "a test")]

use conform_event::json;
use conform_event::shape::{Fault, MAX_FAULTS, Version, check, check_input};

fn faults(text: &str) -> Vec<Fault> {
    check(&json::read(text.as_bytes()).unwrap().0, Version::V1_1)
}

/// Pointer, requirement and sentence of each fault.
fn told(text: &str) -> Vec<String> {
    let line = |f: &Fault| format!("{} {}: {f}", f.pointer, f.requirement());
    faults(text).iter().map(line).collect()
}

#[test]
fn types_that_are_none() {
    assert_eq!(
        told(r#"{"type":"PROGRESS","value":null}"#),
        [r#"/type shape/known-type: the protocol has no event type "PROGRESS""#],
    );
    for name in ["TextMessageStart", "text_message_start", "TEXT_MESSAGE_STRAT"] {
        assert_eq!(
            told(&format!(r#"{{"type":"{name}"}}"#)),
            [format!(
                "/type shape/known-type: the protocol has no event type \"{name}\"; did you mean \
                 \"TEXT_MESSAGE_START\"?"
            )],
        );
    }
    assert_eq!(
        told(r#"{"type":"THINKING_START","title":1}"#),
        [r#"/type shape/known-type: event type "THINKING_START" was retired before 1.0"#],
    );
    // Near to a retired type only.
    assert_eq!(
        told(r#"{"type":"ThinkingStart"}"#),
        [r#"/type shape/known-type: the protocol has no event type "ThinkingStart""#],
    );
    assert_eq!(
        told(r#"{"Type":"RAW","event":1}"#),
        [r#"/type shape/known-type: the event has no type; there is "Type""#],
    );
    assert_eq!(told(r#"{"event":1}"#), ["/type shape/known-type: the event has no type"]);
    assert_eq!(
        told(r#"{"type":["RAW"]}"#),
        ["/type shape/known-type: the event's type must be a string, not an array"],
    );
    assert_eq!(told("[1]"), [" shape/well-formed: the value must be an object, not an array"],);
}

#[test]
fn near_misses_are_paired_once() {
    // Two candidates for one member: the nearer one is meant, the other unknown.
    assert_eq!(
        told(r#"{"type":"STEP_STARTED","stepNam":"a","step_name":"b"}"#),
        [
            r#"/stepName shape/well-formed: required member "stepName" is missing; there is "step_name""#,
            r#"/stepNam shape/known-fields: the protocol has no member "stepNam" here"#,
        ],
    );
    // A name is near to what is absent only.
    assert_eq!(
        told(r#"{"type":"STEP_STARTED","stepName":"a","step_name":"b"}"#),
        [r#"/step_name shape/known-fields: the protocol has no member "step_name" here"#],
    );
    // Each of two missing members has its own.
    assert_eq!(
        told(r#"{"type":"TOOL_CALL_START","tool_call_name":"n","tool_call_id":"i","name":"n"}"#),
        [
            r#"/toolCallId shape/well-formed: required member "toolCallId" is missing; there is "tool_call_id""#,
            r#"/toolCallName shape/well-formed: required member "toolCallName" is missing; there is "tool_call_name""#,
            r#"/name shape/known-fields: the protocol has no member "name" here"#,
        ],
    );
    assert_eq!(
        told(r#"{"type":"TEXT_MESSAGE_CHUNK","mesageId":"m","Delta":"d","raw-event":1,"x":2}"#),
        [
            r#"/mesageId shape/known-fields: the protocol has no member "mesageId" here; did you mean "messageId"?"#,
            r#"/Delta shape/known-fields: the protocol has no member "Delta" here; did you mean "delta"?"#,
            r#"/raw-event shape/known-fields: the protocol has no member "raw-event" here; did you mean "rawEvent"?"#,
            r#"/x shape/known-fields: the protocol has no member "x" here"#,
        ],
    );
}

#[test]
fn what_names_a_shape_comes_first() {
    let run = |outcome: &str| {
        told(&format!(
            r#"{{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{outcome}}}"#
        ))
    };
    assert_eq!(
        run(r#"{"Type":"success","x":1}"#),
        [r#"/outcome/type shape/well-formed: required member "type" is missing; there is "Type""#],
    );
    assert_eq!(
        run(r#"{"type":"done","x":1}"#),
        [
            r#"/outcome/type shape/well-formed: "type" must be "success", "interrupt" or "cancelled""#
        ],
    );
    assert_eq!(
        run(r#"{"type":null}"#),
        [r#"/outcome/type shape/well-formed: "type" must be a string, not null"#],
    );
    assert_eq!(
        run(r#""success""#),
        [r#"/outcome shape/well-formed: "outcome" must be an object, not a string"#],
    );
    assert_eq!(
        run("null"),
        [
            r#"/outcome shape/absent-not-null: optional member "outcome" is null; it must be left out"#
        ],
    );
    assert_eq!(
        run(r#"{"type":"cancelled","interrupts":[]}"#),
        [r#"/outcome/interrupts shape/known-fields: the protocol has no member "interrupts" here"#],
    );
}

#[test]
fn some_cases_have_requirements_of_their_own() {
    let named = |text: &str| {
        let found = faults(text);
        assert_eq!(found.len(), 1, "{found:?}");
        (found[0].pointer.clone(), found[0].requirement(), found[0].named)
    };
    assert_eq!(
        named(
            r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"s","outcome":{"type":"success","interruptIds":[]}}"#
        ),
        (
            "/outcome/interruptIds".to_owned(),
            "shape/known-fields",
            Some("subagent/success-has-no-interrupts"),
        ),
    );
    assert_eq!(
        named(
            r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"success","interruptIds":[]}}"#
        ),
        ("/outcome/interruptIds".to_owned(), "shape/known-fields", None),
    );
    assert_eq!(
        named(
            r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"interrupt","interrupts":[]}}"#
        ),
        ("/outcome/interrupts".to_owned(), "shape/well-formed", Some("interrupt/at-least-one")),
    );
    assert_eq!(
        named(
            r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"interrupt"}}"#
        ),
        ("/outcome/interrupts".to_owned(), "shape/well-formed", Some("interrupt/at-least-one")),
    );
    assert_eq!(
        named(
            r#"{"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"m","encryptedValueType":"x"}"#
        ),
        (
            "/encryptedValue".to_owned(),
            "shape/well-formed",
            Some("reasoning/encrypted-type-needs-value"),
        ),
    );
    let user = r#"{"id":"u","role":"user","content":"","encryptedValueType":"x"}"#;
    assert_eq!(
        named(&format!(r#"{{"type":"MESSAGES_SNAPSHOT","messages":[{user}]}}"#)),
        ("/messages/0/encryptedValueType".to_owned(), "reasoning/encrypted-type-needs-value", None,),
    );
    let reserved = "shape/metadata-reserved-key";
    let message = r#"{"id":"u","role":"user","content":"","metadata":{"ag-ui":1}}"#;
    assert_eq!(
        named(&format!(r#"{{"type":"MESSAGES_SNAPSHOT","messages":[{message}]}}"#)),
        ("/messages/0/metadata".to_owned(), reserved, None),
    );
    assert_eq!(
        named(r#"{"type":"RAW","event":{},"metadata":{"ag-ui":{}}}"#),
        ("/metadata".to_owned(), reserved, None),
    );
    // What the client sent is the client's.
    let input = format!(r#"{{"threadId":"t","runId":"r","messages":[{message}]}}"#);
    let echo = format!(r#"{{"type":"RUN_STARTED","threadId":"t","runId":"r","input":{input}}}"#);
    assert!(faults(&echo).is_empty());
    let patch = Some("state/patch-well-formed");
    assert_eq!(
        named(r#"{"type":"STATE_DELTA","delta":{"op":"remove","path":"/a"}}"#),
        ("/delta".to_owned(), "shape/well-formed", patch),
    );
    assert_eq!(
        named(r#"{"type":"STATE_DELTA","delta":[{"op":"remove","path":"/a"},"x"]}"#),
        ("/delta/1".to_owned(), "shape/well-formed", patch),
    );
    assert!(
        faults(r#"{"type":"STATE_DELTA","delta":[{"op":"remove","path":"/a","x":null}]}"#)
            .is_empty()
    );
    for (operation, member) in [
        (r#"{"op":"mul","path":"/a"}"#, "op"),
        (r#"{"path":"/a"}"#, "op"),
        (r#"{"op":"remove"}"#, "path"),
        (r#"{"op":"remove","path":3}"#, "path"),
        (r#"{"op":"remove","path":"a"}"#, "path"),
        (r#"{"op":"remove","path":"/~2"}"#, "path"),
        (r#"{"op":"move","path":"/a"}"#, "from"),
        (r#"{"op":"copy","path":"/a","from":"b"}"#, "from"),
        (r#"{"op":"add","path":"/a"}"#, "value"),
        (r#"{"op":"test","path":"/a"}"#, "value"),
        (r#"{"op":"replace","path":"/a"}"#, "value"),
    ] {
        let remove = r#"{"op":"remove","path":""}"#;
        assert_eq!(
            named(&format!(r#"{{"type":"STATE_DELTA","delta":[{remove},{operation}]}}"#)),
            (format!("/delta/1/{member}"), "state/patch-well-formed", None),
            "{operation}",
        );
    }
    assert_eq!(
        named(r#"{"type":"STATE_DELTA"}"#),
        ("/delta".to_owned(), "shape/well-formed", None),
    );
}

#[test]
fn faults_come_in_document_order_down_to_the_parts() {
    let text = r#"{"messages":[{"role":"user","content":[{"type":"image","source":{"type":"data","value":1}},{"type":"text"},5],"id":null},{"role":"bot"},{"role":"assistant","id":"m","toolCalls":[{"id":"c","type":"tool","function":{"name":"f","args":{}}}]}],"type":"MESSAGES_SNAPSHOT","subagentRunId":"s"}"#;
    let found = told(text);
    assert_eq!(
        found,
        [
            r#"/messages/0/content/0/source/mimeType shape/well-formed: required member "mimeType" is missing"#,
            r#"/messages/0/content/0/source/value shape/well-formed: "value" must be a string, not a number"#,
            r#"/messages/0/content/1/text shape/well-formed: required member "text" is missing"#,
            r#"/messages/0/content/2 shape/well-formed: item 2 of "content" must be an object, not a number"#,
            r#"/messages/0/id shape/well-formed: "id" must be a string, not null"#,
            r#"/messages/1/role shape/well-formed: "role" must be "developer", "system", "assistant", "user", "tool", "activity" or "reasoning""#,
            r#"/messages/2/toolCalls/0/type shape/well-formed: "type" must be "function""#,
            r#"/messages/2/toolCalls/0/function/arguments shape/well-formed: required member "arguments" is missing"#,
            r#"/messages/2/toolCalls/0/function/args shape/known-fields: the protocol has no member "args" here"#,
            r#"/subagentRunId shape/known-fields: the protocol has no member "subagentRunId" here"#,
        ],
    );
    let offsets: Vec<_> = faults(text).iter().map(|f| f.offset).collect();
    assert!(offsets.is_sorted(), "{offsets:?}");
}

#[test]
fn of_a_repeated_name_the_last_counts() {
    assert!(faults(r#"{"type":"RAW","event":1,"source":5,"source":"s"}"#).is_empty());
    let found = faults(r#"{"type":"RAW","event":1,"source":"s","source":5}"#);
    assert_eq!((found.len(), found[0].offset), (1, 46));
}

#[test]
fn null_is_data_where_any_json_is_required_or_keys_are_open() {
    for text in [
        r#"{"type":"STATE_SNAPSHOT","snapshot":null}"#,
        r#"{"type":"CUSTOM","name":"a.b","value":null,"metadata":{"k":null}}"#,
        r#"{"type":"RAW","event":null,"rawEvent":[null]}"#,
        r#"{"type":"ACTIVITY_SNAPSHOT","messageId":"a","activityType":"p","content":{"x":null}}"#,
    ] {
        assert!(faults(text).is_empty(), "{text}");
    }
}

#[test]
fn numbers_are_read_as_they_are_written() {
    for (number, right) in [
        ("9007199254740991", true),
        ("-9007199254740991", true),
        ("9007199254740992", false),
        ("1e3", true),
        ("1000.0", true),
        ("-0", true),
        ("9007199254740991.4", false),
        ("0.99999999999999999999", false),
        ("1e999", false),
    ] {
        let text = format!(r#"{{"type":"RAW","event":1,"timestamp":{number}}}"#);
        assert_eq!(faults(&text).is_empty(), right, "{number}");
    }
}

#[test]
fn what_was_passed_over_is_judged_only_where_it_matters() {
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    assert!(faults(&format!(r#"{{"type":"RAW","event":{deep}}}"#)).is_empty());
    let value = json::Value::TooDeep;
    let deep = json::Json { value, start: 0, end: 2 };
    assert_eq!(
        check(&deep, Version::V1_1)[0].to_string(),
        "the value is nested too deeply to be read",
    );
}

#[test]
fn names_are_quoted_and_values_never_shown() {
    let found =
        told("{\"type\":\"RAW\",\"event\":1,\"\\u001b[31m\u{202e}\":1,\"source\":{\"secret\":1}}");
    assert_eq!(
        found[0].split_once(": ").unwrap().1,
        r#"the protocol has no member "\u001b[31m\u202e" here"#,
    );
    assert!(!found[1].contains("secret"), "{}", found[1]);
}

#[test]
fn a_flood_is_cut_off() {
    let many = format!(r#"{{"type":"MESSAGES_SNAPSHOT","messages":[{}1]}}"#, "1,".repeat(100_000));
    assert_eq!(faults(&many).len(), MAX_FAULTS);
    let members = r#","x":1"#.repeat(100_000);
    assert_eq!(faults(&format!(r#"{{"type":"RAW","event":1{members}}}"#)).len(), MAX_FAULTS);
}

#[test]
fn inputs_are_judged_too() {
    let text = r#"{"threadId":"t","run_id":"r","messages":[],"state":null,"tools":[{"name":"f"}],"resume":[{"interruptId":"i","status":"done"}]}"#;
    let found = check_input(&json::read(text.as_bytes()).unwrap().0, Version::V1_0);
    let pointers: Vec<_> = found.iter().map(|f| f.pointer.as_str()).collect();
    assert_eq!(pointers, ["/runId", "/state", "/tools/0/description", "/resume/0/status"]);
    let found = check_input(&json::read(b"5").unwrap().0, Version::V1_0);
    assert_eq!(found[0].to_string(), "the value must be an object, not a number");
}
