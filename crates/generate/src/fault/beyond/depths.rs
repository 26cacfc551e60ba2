//! Faults of shape in what events hold: inputs, messages, parts, outcomes, usage.

use conform_event::EventType;
use conform_event::shape::event_shape;
use serde_json::{Value, json};

use super::bend::{Bent, bends};
use super::runs::whole;
use super::{Middle, Owned, Sketch, THREAD, failed, finished, started};

/// Parts of every type, from every source.
fn parts() -> Value {
    let data = json!({"type": "data", "value": "", "mimeType": "image/png"});
    let url = json!({"type": "url", "value": "https://example.com/a", "mimeType": "audio/mp3"});
    let file = json!({"type": "file", "value": "f1", "provider": "acme", "mimeType": "a/b"});
    json!([
        {"type": "text", "text": "", "id": "own-part", "metadata": {"acme": 1}},
        {"type": "image", "source": data, "id": "own-part-2"},
        {"type": "audio", "source": url},
        {"type": "video", "source": file},
        {"type": "document", "source": url},
    ])
}

/// A list a role; the one of a tool's message has the call too.
fn lists() -> Vec<Value> {
    let call = json!({
        "id": "own-lc", "type": "function", "function": {"name": "f", "arguments": "{}"},
        "encryptedValue": "c2VhbGVk", "encryptedValueType": "acme.seal", "metadata": {},
    });
    let calls = json!({"id": "own-l1", "role": "assistant", "toolCalls": [call]});
    vec![
        json!([{"id": "own-l1", "role": "developer", "content": "", "name": "n"}]),
        json!([{"id": "own-l1", "role": "system", "content": "", "metadata": {"acme": 1}}]),
        json!([calls]),
        json!([{"id": "own-l1", "role": "user", "content": parts(), "name": "n"}]),
        json!([calls, {"id": "own-l2", "role": "tool", "toolCallId": "own-lc", "content": "",
            "error": "no", "encryptedValue": "", "encryptedValueType": "acme.seal"}]),
        json!([{"id": "own-l1", "role": "activity", "activityType": "a", "content": {}}]),
        json!([{"id": "own-l1", "role": "reasoning", "content": "", "subagentRunId": "own-x"}]),
    ]
}

pub(super) fn sketches(out: &mut Vec<Sketch>) {
    for messages in lists() {
        let event = json!({"type": "MESSAGES_SNAPSHOT", "messages": messages});
        let bent = bends(&event, event_shape(EventType::MessagesSnapshot));
        // What is around the list is bent elsewhere.
        for (requirement, bent) in below(&event, bent, "/messages") {
            Middle::of(Owned::Parent, out).breaks(requirement, bent, event.clone());
        }
    }
    results(out);
    subagents(out);
    starts(out);
    unsealed(out);
    ends(out);
}

/// Those that change what is at this place.
fn below(event: &Value, bent: Vec<Bent>, at: &'static str) -> impl Iterator<Item = Bent> {
    let held = event.pointer(at).cloned();
    bent.into_iter().filter(move |(_, event)| event.pointer(at) != held.as_ref())
}

/// What a tool answered, in parts.
fn results(out: &mut Vec<Sketch>) {
    let event = json!({
        "type": "TOOL_CALL_RESULT", "messageId": "own-answer", "toolCallId": "own-c",
        "content": parts(), "role": "tool",
    });
    let call = |name: &str| json!({"type": name, "toolCallId": "own-c"});
    let (mut start, mut arguments) = (call("TOOL_CALL_START"), call("TOOL_CALL_ARGS"));
    start["toolCallName"] = json!("f");
    arguments["delta"] = json!("{}");
    let bent = bends(&event, event_shape(EventType::ToolCallResult));
    for (requirement, bent) in below(&event, bent, "/content") {
        let before = [start.clone(), arguments.clone(), call("TOOL_CALL_END")];
        let middle = Middle::of(Owned::Parent, out).before(before).ending(failed());
        middle.breaks(requirement, bent, event.clone());
    }
}

fn subagents(out: &mut Vec<Sketch>) {
    let announced = json!({"type": "SUBAGENT_STARTED", "subagentRunId": "own-x", "name": "x"});
    for outcome in [
        json!({"type": "success"}),
        json!({"type": "suspended", "interruptIds": ["own-i1", "own-i2"]}),
    ] {
        let event = json!({
            "type": "SUBAGENT_FINISHED", "subagentRunId": "own-x", "result": 1,
            "outcome": outcome,
        });
        for (requirement, bent) in bends(&event, event_shape(EventType::SubagentFinished)) {
            let middle = Middle::of(Owned::Parent, out).before([announced.clone()]);
            middle.ending(failed()).breaks(requirement, bent, event.clone());
        }
    }
}

fn starts(out: &mut Vec<Sketch>) {
    let shape = event_shape(EventType::RunStarted);
    // The lists are bent in snapshots; in an input one of them may stand for all.
    let lists = lists();
    for messages in lists.last().into_iter().cloned().chain([json!([])]) {
        let empty = messages.as_array().is_some_and(Vec::is_empty);
        let mut event = started();
        event["parentRunId"] = json!("own-earlier");
        event["input"] = json!({
            "threadId": THREAD, "runId": "own-run", "protocolVersion": "1.1",
            "parentRunId": "own-earlier", "state": {}, "messages": messages,
        });
        if empty {
            let tool = json!({
                "name": "own-tool", "description": "", "parameters": {}, "metadata": {},
            });
            let entry = json!({"interruptId": "own-i", "status": "resolved", "payload": 1});
            event["input"]["tools"] = json!([tool]);
            event["input"]["context"] = json!([{"description": "", "value": ""}]);
            event["input"]["resume"] = json!([entry]);
            event["input"]["forwardedProps"] = json!({});
        }
        let bent = bends(&event, shape);
        for (requirement, bent) in below(&event, bent, if empty { "" } else { "/input/messages" }) {
            let run = |event| vec![event, finished()];
            whole(requirement, 0, run(bent), run(event.clone()), out);
        }
    }
}

/// An input that has the type of an encrypted value, and no such value.
fn unsealed(out: &mut Vec<Sketch>) {
    let message = json!({
        "id": "own-l1", "role": "assistant", "content": "", "encryptedValueType": "acme.seal",
    });
    let mut broken = started();
    broken["input"] = json!({"threadId": THREAD, "runId": "own-run", "messages": [message]});
    let mut mended = broken.clone();
    mended["input"]["messages"][0]["encryptedValue"] = json!("c2VhbGVk");
    let run = |event| vec![event, finished()];
    whole("reasoning/encrypted-type-needs-value", 0, run(broken), run(mended), out);
}

fn ends(out: &mut Vec<Sketch>) {
    // Every part is zero, so that one that is not there changes no sum.
    let usage = json!([{
        "provider": "acme", "model": "m", "inputTokens": 0, "outputTokens": 0,
        "totalTokens": 0, "reasoningTokens": 0, "cachedInputTokens": 0,
        "cacheWriteInputTokens": 0,
    }]);
    let interrupt = |id: &str| {
        json!({
            "id": id, "reason": "approval", "message": "", "toolCallId": "own-c",
            "responseSchema": {}, "expiresAt": "2030-01-01T00:00:00Z", "metadata": {},
            "subagentRunId": "own-x",
        })
    };
    let mut events = Vec::new();
    for outcome in [
        json!({"type": "success", "pendingToolCallIds": []}),
        json!({"type": "interrupt", "interrupts": [interrupt("own-i1"), interrupt("own-i2")]}),
        json!({"type": "cancelled"}),
    ] {
        let mut event = finished();
        event["outcome"] = outcome;
        events.push((EventType::RunFinished, event));
    }
    let mut event = finished();
    event["usage"] = usage.clone();
    event["result"] = json!({"a": null});
    events.push((EventType::RunFinished, event));
    let mut event = failed();
    event["usage"] = usage;
    event["code"] = json!("c");
    events.push((EventType::RunError, event));
    for (event_type, event) in events {
        for (requirement, bent) in bends(&event, event_shape(event_type)) {
            let run = |event| vec![started(), event];
            whole(requirement, 1, run(bent), run(event.clone()), out);
        }
    }
}
