//! What our generators leave out and the published crate requires.

use serde_json::{Map, Value, json};

/// The event with the members that the published crate requires and that the ordering rules
/// do not read. What is there stays, misshapen or not, and ids are never made up but for one:
/// the message of a TOOL_CALL_RESULT without any, which nothing else names.
///
/// ```
/// use conform_subject::complete;
/// use serde_json::json;
/// let event = complete(&json!({"type": "TOOL_CALL_ARGS", "toolCallId": "c"}));
/// assert_eq!(event, json!({"type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": "x"}));
/// ```
pub fn complete(event: &Value) -> Value {
    let mut event = event.clone();
    let Some(members) = event.as_object_mut() else {
        return event;
    };
    let name = members.get("type").and_then(Value::as_str).unwrap_or_default();
    let required: &[(&str, Filling)] = match name {
        "TEXT_MESSAGE_CONTENT"
        | "REASONING_MESSAGE_CONTENT"
        | "THINKING_TEXT_MESSAGE_CONTENT"
        | "TOOL_CALL_ARGS" => &[("delta", Filling::Text("x"))],
        "TOOL_CALL_START" => &[("toolCallName", Filling::Text("tool"))],
        "TOOL_CALL_RESULT" => {
            &[("content", Filling::Text("x")), ("messageId", Filling::Text("made-up"))]
        }
        "REASONING_MESSAGE_START" => &[("role", Filling::Text("reasoning"))],
        "REASONING_ENCRYPTED_VALUE" => &[("encryptedValue", Filling::Text("x"))],
        "ACTIVITY_SNAPSHOT" => {
            &[("activityType", Filling::Text("plan")), ("content", Filling::Object)]
        }
        "ACTIVITY_DELTA" => &[("activityType", Filling::Text("plan")), ("patch", Filling::List)],
        "STATE_SNAPSHOT" => &[("snapshot", Filling::Object)],
        "STATE_DELTA" => &[("delta", Filling::List)],
        "MESSAGES_SNAPSHOT" => &[("messages", Filling::List)],
        "CUSTOM" => &[("name", Filling::Text("n")), ("value", Filling::Object)],
        "RAW" => &[("event", Filling::Object)],
        "RUN_STARTED" | "RUN_FINISHED" => RUN,
        "RUN_ERROR" | "SUBAGENT_ERROR" => &[("message", Filling::Text("x"))],
        "SUBAGENT_STARTED" => &[("name", Filling::Text("n"))],
        _ => &[],
    };
    fill(members, required);
    complete_messages(members);
    if let Some(Value::Object(input)) = members.get_mut("input") {
        fill(input, RUN);
        fill(input, &[("messages", Filling::List)]);
        complete_messages(input);
        for answer in input.get_mut("resume").and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some(answer) = answer.as_object_mut() {
                fill(answer, &[("status", Filling::Text("resolved"))]);
            }
        }
    }
    event
}

const RUN: &[(&str, Filling)] = &[("threadId", Filling::Text("t")), ("runId", Filling::Text("r"))];

/// What a member is filled with.
#[derive(Clone, Copy)]
enum Filling {
    Text(&'static str),
    Object,
    List,
}

fn fill(members: &mut Map<String, Value>, required: &[(&str, Filling)]) {
    for (name, filling) in required {
        if !members.contains_key(*name) {
            let value = match filling {
                Filling::Text(text) => json!(text),
                Filling::Object => json!({}),
                Filling::List => json!([]),
            };
            members.insert((*name).to_owned(), value);
        }
    }
}

fn complete_messages(members: &mut Map<String, Value>) {
    let messages = members.get_mut("messages").and_then(Value::as_array_mut);
    for message in messages.into_iter().flatten().filter_map(Value::as_object_mut) {
        let required: &[(&str, Filling)] = match message.get("role").and_then(Value::as_str) {
            Some("activity") => {
                &[("activityType", Filling::Text("plan")), ("content", Filling::Object)]
            }
            Some("tool") => {
                &[("content", Filling::Text("x")), ("toolCallId", Filling::Text("made-up"))]
            }
            Some("assistant") => &[],
            _ => &[("content", Filling::Text("x"))],
        };
        fill(message, required);
        let calls = message.get_mut("toolCalls").and_then(Value::as_array_mut);
        for call in calls.into_iter().flatten().filter_map(Value::as_object_mut) {
            fill(call, &[("function", Filling::Object)]);
            if let Some(Value::Object(function)) = call.get_mut("function") {
                fill(
                    function,
                    &[("name", Filling::Text("tool")), ("arguments", Filling::Text("{}"))],
                );
            }
        }
    }
}
