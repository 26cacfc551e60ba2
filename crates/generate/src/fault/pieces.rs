//! The events that faults and their twins are made of.

use serde_json::{Value, json};

use crate::state::{Kind, Owner};

/// An event of the type, with this tag.
pub(super) fn event(event_type: &'static str, members: Value, tag: &Owner) -> Value {
    let mut event = json!({"type": event_type});
    if let (Some(event), Value::Object(members)) = (event.as_object_mut(), members) {
        event.extend(members);
        if let Some(tag) = tag {
            event.insert("subagentRunId".to_owned(), json!(tag));
        }
    }
    event
}

/// A plain event of every type but RUN_STARTED and RUN_ERROR, for where none may stand.
pub(super) fn anything(tag: &Owner) -> Vec<(&'static str, Value)> {
    let patch = json!([{"op": "add", "path": "/x", "value": 1}]);
    let message = || json!({"messageId": "late", "delta": "x"});
    let mut events: Vec<(&'static str, Value)> = vec![
        ("TEXT_MESSAGE_START", json!({"messageId": "late"})),
        ("TEXT_MESSAGE_CONTENT", message()),
        ("TEXT_MESSAGE_END", json!({"messageId": "late"})),
        ("TEXT_MESSAGE_CHUNK", message()),
        ("TOOL_CALL_START", json!({"toolCallId": "late", "toolCallName": "lookup"})),
        ("TOOL_CALL_ARGS", json!({"toolCallId": "late", "delta": "{}"})),
        ("TOOL_CALL_END", json!({"toolCallId": "late"})),
        ("TOOL_CALL_CHUNK", json!({"toolCallId": "late", "toolCallName": "lookup", "delta": "{}"})),
        ("TOOL_CALL_RESULT", json!({"toolCallId": "late", "messageId": "late", "content": ""})),
        ("STATE_SNAPSHOT", json!({"snapshot": {}})),
        ("STATE_DELTA", json!({"delta": patch})),
        (
            "ACTIVITY_SNAPSHOT",
            json!({"messageId": "late", "activityType": "acme.progress", "content": {}}),
        ),
        (
            "ACTIVITY_DELTA",
            json!({"messageId": "late", "activityType": "acme.progress", "patch": patch}),
        ),
        ("RAW", json!({"event": {}})),
        ("CUSTOM", json!({"name": "acme.note", "value": 1})),
        ("STEP_STARTED", json!({"stepName": "late"})),
        ("STEP_FINISHED", json!({"stepName": "late"})),
        ("REASONING_START", json!({"messageId": "late"})),
        ("REASONING_MESSAGE_START", json!({"messageId": "late", "role": "reasoning"})),
        ("REASONING_MESSAGE_CONTENT", message()),
        ("REASONING_MESSAGE_END", json!({"messageId": "late"})),
        ("REASONING_MESSAGE_CHUNK", message()),
        ("REASONING_END", json!({"messageId": "late"})),
        (
            "REASONING_ENCRYPTED_VALUE",
            json!({"subtype": "message", "entityId": "late", "encryptedValue": "x"}),
        ),
    ];
    for (event_type, members) in &mut events {
        *members = event(event_type, members.take(), tag);
    }
    // These carry no tag.
    if tag.is_none() {
        let ids = || json!({"threadId": "thread-1", "runId": "run-1"});
        let subagent = || json!({"subagentRunId": "late"});
        for (event_type, members) in [
            ("MESSAGES_SNAPSHOT", json!({"messages": []})),
            ("RUN_FINISHED", ids()),
            ("SUBAGENT_STARTED", json!({"subagentRunId": "late", "name": "helper"})),
            ("SUBAGENT_FINISHED", subagent()),
            ("SUBAGENT_ERROR", json!({"subagentRunId": "late", "message": "x"})),
        ] {
            events.push((event_type, event(event_type, members, &None)));
        }
    }
    events
}

pub(super) fn run_started() -> Value {
    let members = json!({"threadId": "thread-1", "runId": "run-again", "protocolVersion": "1.1"});
    event("RUN_STARTED", members, &None)
}

/// A subagent that begins and ends aside, with this parent.
pub(super) fn aside(parent: Option<String>) -> Vec<Value> {
    let mut started = json!({"subagentRunId": "never-seen-child", "name": "helper"});
    if let Some(parent) = parent {
        started["parentSubagentRunId"] = json!(parent);
    }
    let finished = json!({"subagentRunId": "never-seen-child"});
    vec![event("SUBAGENT_STARTED", started, &None), event("SUBAGENT_FINISHED", finished, &None)]
}

pub(super) fn ended(id: &str) -> [(&'static str, Value); 2] {
    let finished = json!({"subagentRunId": id});
    let failed = json!({"subagentRunId": id, "message": "gave up"});
    [
        ("SUBAGENT_FINISHED", event("SUBAGENT_FINISHED", finished, &None)),
        ("SUBAGENT_ERROR", event("SUBAGENT_ERROR", failed, &None)),
    ]
}

/// The types that open, continue and close a kind.
pub(super) fn types(kind: Kind) -> (&'static str, Option<&'static str>, &'static str) {
    match kind {
        Kind::Call => ("TOOL_CALL_START", Some("TOOL_CALL_ARGS"), "TOOL_CALL_END"),
        Kind::Reasoning => {
            ("REASONING_MESSAGE_START", Some("REASONING_MESSAGE_CONTENT"), "REASONING_MESSAGE_END")
        }
        Kind::Span => ("REASONING_START", None, "REASONING_END"),
        _ => ("TEXT_MESSAGE_START", Some("TEXT_MESSAGE_CONTENT"), "TEXT_MESSAGE_END"),
    }
}

/// The members of a start.
pub(super) fn opener(kind: Kind, id: &str) -> Value {
    match kind {
        Kind::Call => json!({"toolCallId": id, "toolCallName": "lookup"}),
        Kind::Reasoning => json!({"messageId": id, "role": "reasoning"}),
        _ => json!({"messageId": id}),
    }
}

/// The members of a continuation, or without a delta of an end.
pub(super) fn item(kind: Kind, id: &str, delta: bool) -> Value {
    let name = if kind == Kind::Call { "toolCallId" } else { "messageId" };
    let mut members = json!({name: id});
    if delta && kind != Kind::Span {
        members["delta"] = json!(if kind == Kind::Call { "{}" } else { "x" });
    }
    members
}

/// The members of a continuation that adds nothing to what others say.
pub(super) fn nothing_more(kind: Kind, id: &str) -> Value {
    let mut members = item(kind, id, true);
    members["delta"] = json!("");
    members
}

/// An item from its start to its end; a call is answered too.
pub(super) fn whole(kind: Kind, id: &str, tag: &Owner) -> Vec<Value> {
    let (start, contents, end) = types(kind);
    let mut events = vec![event(start, opener(kind, id), tag)];
    if kind == Kind::Call {
        events.extend(contents.map(|name| event(name, item(kind, id, true), tag)));
    }
    events.push(event(end, item(kind, id, false), tag));
    if kind == Kind::Call {
        events.push(event("TOOL_CALL_RESULT", answer(id), tag));
    }
    events
}

/// The members of a result.
pub(super) fn answer(call: &str) -> Value {
    json!({"messageId": "never-seen-answer", "toolCallId": call, "content": "found"})
}

pub(super) fn not_already(kind: Kind) -> &'static str {
    match kind {
        Kind::Call => "tool/not-already-open",
        Kind::Reasoning => "reasoning/message-not-already-open",
        Kind::Span => "reasoning/span-not-already-open",
        _ => "text/not-already-open",
    }
}

pub(super) fn open_before(kind: Kind) -> &'static str {
    match kind {
        Kind::Call => "tool/open-before-args",
        Kind::Reasoning => "reasoning/message-open-before-content",
        Kind::Span => "reasoning/span-open-before-end",
        _ => "text/open-before-content",
    }
}
