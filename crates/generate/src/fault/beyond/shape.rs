//! Faults of shape: of every type of event, at every member.

use conform_event::EventType;
use conform_event::shape::{Field, Version, event_shape};
use serde_json::{Value, json};

use super::bend::{snake, wrong};
use super::{Middle, Owned, Sketch, failed, with, without};

/// An event that is right, what has to come before it, and what after it.
struct Sample {
    before: Vec<Value>,
    event: Value,
    after: Vec<Value>,
}

/// A whole event of a type, with all its members that may be left out but the tag.
fn sample(event_type: EventType) -> Option<Sample> {
    use EventType as T;
    let event = |name: EventType, members: Value| with(json!({"type": name.as_str()}), &members);
    let text = |name| event(name, json!({"messageId": "own-t", "delta": ""}));
    let bare = |name| event(name, json!({"messageId": "own-t"}));
    let thought = |name| event(name, json!({"messageId": "own-r"}));
    let muse =
        || event(T::ReasoningMessageStart, json!({"messageId": "own-r", "role": "reasoning"}));
    let call = |name| event(name, json!({"toolCallId": "own-c"}));
    let calls = || event(T::ToolCallStart, json!({"toolCallId": "own-c", "toolCallName": "f"}));
    let arguments = |delta| event(T::ToolCallArgs, json!({"toolCallId": "own-c", "delta": delta}));
    let step = |name| event(name, json!({"stepName": "own-step"}));
    let agent = |name| event(name, json!({"subagentRunId": "own-x"}));
    let announces = || event(T::SubagentStarted, json!({"subagentRunId": "own-x", "name": "x"}));
    let shows = || {
        event(
            T::ActivitySnapshot,
            json!({"messageId": "own-a", "activityType": "a", "content": {}, "replace": true}),
        )
    };
    let listed = json!([
        {"id": "own-l1", "role": "user", "content": [
            {"type": "text", "text": ""},
            {"type": "image", "source": {"type": "url", "value": "https://example.com/a"}},
        ]},
        {"id": "own-l2", "role": "assistant", "toolCalls": [
            {"id": "own-lc", "type": "function", "function": {"name": "f", "arguments": "{}"}},
        ]},
        {"id": "own-l3", "role": "tool", "toolCallId": "own-lc", "content": ""},
    ]);
    let whole = |before, event, after| Some(Sample { before, event, after });
    match event_type {
        T::TextMessageStart => {
            let mut start = bare(event_type);
            start["role"] = json!("assistant");
            start["name"] = json!("n");
            whole(vec![], start, vec![bare(T::TextMessageEnd)])
        }
        T::TextMessageContent => {
            whole(vec![bare(T::TextMessageStart)], text(event_type), vec![bare(T::TextMessageEnd)])
        }
        T::TextMessageEnd => whole(vec![bare(T::TextMessageStart)], bare(event_type), vec![]),
        T::TextMessageChunk => {
            let mut chunk = text(event_type);
            chunk["role"] = json!("assistant");
            chunk["name"] = json!("n");
            whole(vec![], chunk, vec![])
        }
        T::ToolCallStart => {
            let mut start = calls();
            start["parentMessageId"] = json!("own-p");
            whole(vec![], start, vec![arguments("{}")])
        }
        T::ToolCallArgs => whole(vec![calls(), arguments("{}")], arguments(" "), vec![]),
        T::ToolCallEnd => whole(vec![calls(), arguments("{}")], call(event_type), vec![]),
        T::ToolCallChunk => {
            let mut chunk = arguments("{}");
            chunk["type"] = json!(event_type.as_str());
            chunk["toolCallName"] = json!("f");
            chunk["parentMessageId"] = json!("own-p");
            whole(vec![], chunk, vec![])
        }
        T::ToolCallResult => {
            let result = json!({"toolCallId": "own-c", "messageId": "own-m", "content": "",
                "role": "tool"});
            let before = vec![calls(), arguments("{}"), call(T::ToolCallEnd)];
            whole(before, event(event_type, result), vec![])
        }
        T::StateSnapshot => whole(vec![], event(event_type, json!({"snapshot": {}})), vec![]),
        T::StateDelta => {
            let delta = event(event_type, json!({"delta": []}));
            whole(vec![event(T::StateSnapshot, json!({"snapshot": 1}))], delta, vec![])
        }
        T::MessagesSnapshot => {
            whole(vec![], event(event_type, json!({"messages": listed})), vec![])
        }
        T::ActivitySnapshot => whole(vec![], shows(), vec![]),
        T::ActivityDelta => {
            let delta = json!({"messageId": "own-a", "activityType": "a", "patch": []});
            whole(vec![shows()], event(event_type, delta), vec![])
        }
        T::Raw => whole(vec![], event(event_type, json!({"event": 1, "source": "s"})), vec![]),
        T::Custom => whole(vec![], event(event_type, json!({"name": "a:b", "value": 1})), vec![]),
        T::StepStarted => whole(vec![], step(event_type), vec![]),
        T::StepFinished => whole(vec![step(T::StepStarted)], step(event_type), vec![]),
        T::ReasoningStart => whole(vec![], thought(event_type), vec![]),
        T::ReasoningEnd => whole(vec![thought(T::ReasoningStart)], thought(event_type), vec![]),
        T::ReasoningMessageStart => whole(vec![], muse(), vec![]),
        T::ReasoningMessageContent => {
            let mut content = thought(event_type);
            content["delta"] = json!("");
            whole(vec![muse()], content, vec![])
        }
        T::ReasoningMessageEnd => whole(vec![muse()], thought(event_type), vec![]),
        T::ReasoningMessageChunk => {
            let mut chunk = thought(event_type);
            chunk["delta"] = json!("");
            whole(vec![], chunk, vec![])
        }
        T::ReasoningEncryptedValue => {
            let value = json!({"subtype": "message", "entityId": "own-r", "encryptedValue": "",
                "encryptedValueType": "t"});
            whole(vec![muse()], event(event_type, value), vec![])
        }
        T::SubagentStarted => {
            let mut start = announces();
            start["description"] = json!("d");
            whole(vec![], start, vec![])
        }
        T::SubagentFinished => {
            let mut end = agent(event_type);
            end["outcome"] = json!({"type": "success"});
            whole(vec![announces()], end, vec![])
        }
        T::SubagentError => {
            let mut end = agent(event_type);
            end["message"] = json!("m");
            end["code"] = json!("c");
            whole(vec![announces()], end, vec![])
        }
        // The ends of a run are broken by other sketches, and by what is in them.
        T::RunStarted | T::RunFinished | T::RunError => None,
    }
}

pub(super) fn sketches(owner: Owned, out: &mut Vec<Sketch>) {
    for event_type in EventType::ALL {
        if let Some(sample) = sample(*event_type) {
            members(*event_type, &sample, owner, out);
            types(*event_type, &sample, owner, out);
        }
    }
    names(owner, out);
}

/// A sketch of the sample with another event in its place. Such runs end by RUN_ERROR, so that
/// what stays open is no fault.
fn put(
    requirement: &'static str,
    sample: &Sample,
    broken: Value,
    owner: Owned,
    out: &mut Vec<Sketch>,
) {
    let middle = Middle::of(owner, out).before(sample.before.clone());
    let after = sample.after.clone();
    middle.after(after).ending(failed()).breaks(requirement, broken, sample.event.clone());
}

fn members(event_type: EventType, sample: &Sample, owner: Owned, out: &mut Vec<Sketch>) {
    let shape = event_shape(event_type);
    let own = |field: &&Field| field.name != "subagentRunId" || field.required;
    for field in shape.fields(Version::V1_1).filter(own) {
        let having = |value: Value| with(sample.event.clone(), &json!({field.name: value}));
        if !field.required {
            put("shape/absent-not-null", sample, having(json!(null)), owner, out);
        } else if !["type", "encryptedValue"].contains(&field.name) {
            // The absence of those two is told by requirements of their own.
            let mut event = without(sample.event.clone(), field.name);
            put("shape/well-formed", sample, event.clone(), owner, out);
            // Under the name that another language would give it.
            let snake = snake(field.name);
            if snake != field.name {
                event[snake] = sample.event[field.name].clone();
                put("shape/well-formed", sample, event, owner, out);
            }
        }
        for value in wrong(&field.kind) {
            put("shape/well-formed", sample, having(value), owner, out);
        }
    }
    let mut extra = sample.event.clone();
    extra["ownExtra"] = json!({"type": 1});
    put("shape/known-fields", sample, extra, owner, out);
    let mut reserved = sample.event.clone();
    reserved["metadata"] = json!({"ag-ui": {}});
    put("shape/metadata-reserved-key", sample, reserved, owner, out);
}

/// A type that nobody knows. One that is nearly right says what was meant.
fn types(event_type: EventType, sample: &Sample, owner: Owned, out: &mut Vec<Sketch>) {
    let name = event_type.as_str();
    let mut pascal = String::new();
    for word in name.split('_') {
        let (first, rest) = word.split_at(1);
        pascal.push_str(first);
        pascal.push_str(&rest.to_lowercase());
    }
    let misspelt = format!("{name}S");
    for wrong in [pascal, misspelt, name.to_lowercase()] {
        let mut event = sample.event.clone();
        event["type"] = json!(wrong);
        // Its place in the grid is that of the type that was meant.
        put("shape/known-type", sample, event, owner, out);
        if let Some(sketch) = out.last_mut() {
            sketch.event_type = name;
        }
    }
}

/// Types that are none, retired ones, and names of CUSTOM events without a prefix.
fn names(owner: Owned, out: &mut Vec<Sketch>) {
    let Some(sample) = sample(EventType::Raw) else { return };
    for wrong in [
        json!("THINKING_START"),
        json!("THINKING_END"),
        json!("THINKING_TEXT_MESSAGE_START"),
        json!("THINKING_TEXT_MESSAGE_CONTENT"),
        json!("THINKING_TEXT_MESSAGE_END"),
        json!("FUTURE_EVENT"),
        json!(""),
        json!(null),
        json!(7),
    ] {
        let mut event = sample.event.clone();
        event["type"] = wrong;
        put("shape/known-type", &sample, event, owner, out);
    }
    put("shape/known-type", &sample, without(sample.event.clone(), "type"), owner, out);
    for name in ["", "progress", ":progress", "acme.", "acme-progress", "a_b"] {
        let custom = |name: &str| json!({"type": "CUSTOM", "name": name, "value": 1});
        let id = "shape/custom-name-prefixed";
        Middle::of(owner, out).breaks(id, custom(name), custom("acme:progress"));
    }
}
