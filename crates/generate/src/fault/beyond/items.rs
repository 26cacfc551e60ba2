//! Faults of messages and calls: ids, what is repeated, what is answered.

use serde_json::{Value, json};

use super::{Middle, Owned, Sketch, finished, with, without};

fn text(id: &str, role: &str) -> [Value; 2] {
    [
        json!({"type": "TEXT_MESSAGE_START", "messageId": id, "role": role}),
        json!({"type": "TEXT_MESSAGE_END", "messageId": id}),
    ]
}

fn call(id: &str, arguments: &[&str]) -> Vec<Value> {
    let start = json!({"type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": "f"});
    let pieces = arguments
        .iter()
        .map(|delta| json!({"type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": delta}));
    let end = json!({"type": "TOOL_CALL_END", "toolCallId": id});
    [start].into_iter().chain(pieces).chain([end]).collect()
}

fn answer(id: &str, message: &str) -> Value {
    json!({"type": "TOOL_CALL_RESULT", "messageId": message, "toolCallId": id, "content": "done"})
}

/// The end of a run that leaves these calls unanswered.
fn pending(ids: &[&str]) -> Value {
    let mut end = finished();
    end["outcome"] = json!({"type": "success", "pendingToolCallIds": ids});
    end
}

pub(super) fn sketches(owner: Owned, out: &mut Vec<Sketch>) {
    unique(owner, out);
    reopened(owner, out);
    answered(owner, out);
    arguments(owner, out);
    sealed(owner, out);
}

/// What makes an id name something.
type Makes<'m> = &'m dyn Fn(&str) -> Vec<Value>;

/// Every kind of message takes the id of every other.
fn unique(owner: Owned, out: &mut Vec<Sketch>) {
    let id = "own-message";
    let thought = |id: &str| {
        vec![
            json!({"type": "REASONING_MESSAGE_START", "messageId": id, "role": "reasoning"}),
            json!({"type": "REASONING_MESSAGE_END", "messageId": id}),
        ]
    };
    let shown = |id: &str| {
        vec![json!({
            "type": "ACTIVITY_SNAPSHOT", "messageId": id, "activityType": "a", "content": {},
        })]
    };
    let listed = |id: &str| {
        let message = json!({"id": id, "role": "user", "content": ""});
        vec![json!({"type": "MESSAGES_SNAPSHOT", "messages": [message]})]
    };
    let entry = |mut message: Value, id: &str| {
        message["id"] = json!(id);
        if let Some(tag) = owner.tag() {
            message["subagentRunId"] = json!(tag);
        }
        vec![json!({"type": "MESSAGES_SNAPSHOT", "messages": [message]})]
    };
    let mulled = |id: &str| entry(json!({"role": "reasoning", "content": ""}), id);
    let pictured =
        |id: &str| entry(json!({"role": "activity", "activityType": "a", "content": {}}), id);
    let answered =
        |id: &str| entry(json!({"role": "tool", "toolCallId": "own-c1", "content": ""}), id);
    let said = |id: &str| text(id, "assistant").to_vec();
    let chunk = |id: &str| vec![json!({"type": "TEXT_MESSAGE_CHUNK", "messageId": id})];
    let mull = |id: &str| vec![json!({"type": "REASONING_MESSAGE_CHUNK", "messageId": id})];
    let result = |id: &str| vec![answer("own-c1", id)];
    let other = |id: &str| vec![answer("own-c2", id)];
    // What each makes of the id: those of one kind get along.
    let kinds: [(u8, Makes<'_>); 11] = [
        (0, &said),
        (0, &chunk),
        (0, &listed),
        (1, &thought),
        (1, &mull),
        (2, &shown),
        (3, &result),
        (4, &other),
        (1, &mulled),
        (2, &pictured),
        (3, &answered),
    ];
    let calls = || [call("own-c1", &["{}"]), call("own-c2", &["{}"])].concat();
    for (first, makes) in kinds {
        for (second, again) in kinds {
            if first == second {
                continue;
            }
            let answers = [first, second].into_iter().filter(|kind| *kind >= 3);
            let open: Vec<&str> = [(3, "own-c1"), (4, "own-c2")]
                .into_iter()
                .filter(|(kind, _)| !answers.clone().any(|answered| answered == *kind))
                .map(|(_, call)| call)
                .collect();
            let before = [calls(), makes(id)].concat();
            let middle = Middle::of(owner, out).before(before).ending(pending(&open));
            middle.breaks_at("ids/message-unique", 0, again(id), again("own-other"));
        }
    }
    let twice = |ids: [&str; 2]| {
        let listed = ids.map(|id| json!({"id": id, "role": "user", "content": ""}));
        json!({"type": "MESSAGES_SNAPSHOT", "messages": listed})
    };
    let broken = twice(["own-u1", "own-u1"]);
    Middle::of(owner, out).breaks("ids/message-unique", broken, twice(["own-u1", "own-u2"]));
}

/// Starts that reopen something and do not repeat what it was.
fn reopened(owner: Owned, out: &mut Vec<Sketch>) {
    let start = |members: Value| {
        with(json!({"type": "TEXT_MESSAGE_START", "messageId": "own-message"}), &members)
    };
    let end = || json!({"type": "TEXT_MESSAGE_END", "messageId": "own-message"});
    for (first, broken) in [
        (json!({}), json!({"role": "user"})),
        (json!({"role": "developer"}), json!({})),
        (json!({"role": "system"}), json!({"role": "developer"})),
        (json!({"name": "n"}), json!({})),
        (json!({}), json!({"name": ""})),
        (json!({"name": "n", "role": "user"}), json!({"name": "N", "role": "user"})),
    ] {
        let middle = Middle::of(owner, out).before([start(first.clone()), end()]).after([end()]);
        middle.breaks("text/reopen-agrees", start(broken), start(first));
    }
    let chunk = |role: &str| json!({"type": "TEXT_MESSAGE_CHUNK", "messageId": "own-message", "role": role});
    let middle = Middle::of(owner, out).before([start(json!({"role": "user"})), end()]);
    middle.breaks("text/reopen-agrees", chunk("assistant"), chunk("user"));
    let opens = |name: &str, parent: Option<&str>| {
        let mut event = json!({
            "type": "TOOL_CALL_START", "toolCallId": "own-call", "toolCallName": name,
        });
        if let Some(parent) = parent {
            event["parentMessageId"] = json!(parent);
        }
        event
    };
    let arguments = || json!({"type": "TOOL_CALL_ARGS", "toolCallId": "own-call", "delta": "[]"});
    let closes = || json!({"type": "TOOL_CALL_END", "toolCallId": "own-call"});
    for (first, broken) in [
        (("f", None), ("g", None)),
        (("f", None), ("f", Some("own-parent"))),
        (("f", Some("own-parent")), ("f", None)),
        (("f", Some("own-parent")), ("f", Some(""))),
    ] {
        let before = [opens(first.0, first.1), arguments(), closes()];
        let middle = Middle::of(owner, out).before(before).after([closes()]);
        let middle = middle.ending(pending(&["own-call"]));
        let broken = opens(broken.0, broken.1);
        middle.breaks("tool/reopen-agrees", broken, opens(first.0, first.1));
    }
    let chunk = |name: &str| json!({"type": "TOOL_CALL_CHUNK", "toolCallId": "own-call", "toolCallName": name});
    let before = [opens("f", None), arguments(), closes()];
    let middle = Middle::of(owner, out).before(before).ending(pending(&["own-call"]));
    middle.breaks("tool/reopen-agrees", chunk("g"), chunk("f"));
}

/// A second answer.
fn answered(owner: Owned, out: &mut Vec<Sketch>) {
    let once = || [call("own-call", &["{}"]), vec![answer("own-call", "own-answer")]].concat();
    for message in ["own-answer", "own-answer-2"] {
        let middle = Middle::of(owner, out).before(once());
        middle.breaks("tool/one-result", answer("own-call", message), None);
    }
    let again = [once(), call("own-call", &[" "]), vec![answer("own-call", "own-answer-2")]];
    let middle = Middle::of(owner, out).before(again.concat());
    middle.breaks("tool/one-result", answer("own-call", "own-answer-3"), None);
}

/// Arguments that are no JSON document, whole or in pieces.
fn arguments(owner: Owned, out: &mut Vec<Sketch>) {
    let id = "tool/arguments-are-json";
    for (broken, mended) in [
        (vec![], vec!["{}"]),
        (vec!["", " "], vec!["0", " "]),
        (vec!["{\"a\":", "1"], vec!["{\"a\":", "1}"]),
        (vec!["{}", "{}"], vec!["[{}", ",{}]"]),
        (vec!["{'a':1}"], vec!["{\"a\":1}"]),
        (vec!["nul"], vec!["nul", "l"]),
        (vec!["\"\\u12", "g4\""], vec!["\"\\u12", "e4\""]),
        (vec!["[1,", "]"], vec!["[1,", "2]"]),
        (vec!["01"], vec!["-0", ".1e", "+3"]),
    ] {
        let middle = Middle::of(owner, out).ending(pending(&["own-call"]));
        middle.breaks_last(id, call("own-call", &broken), call("own-call", &mended));
    }
    // A chunked call, closed by what comes after it.
    let chunks = |delta: &str| {
        let chunk = json!({
            "type": "TOOL_CALL_CHUNK", "toolCallId": "own-call", "toolCallName": "f",
            "delta": "{",
        });
        let more = json!({"type": "TOOL_CALL_CHUNK", "delta": delta});
        let closes = json!({"type": "CUSTOM", "name": "acme:done", "value": null});
        vec![chunk, more, closes]
    };
    let middle = Middle::of(owner, out).ending(pending(&["own-call"]));
    middle.breaks_last(id, chunks("\"a\""), chunks("}"));
}

/// Encrypted values of nothing.
fn sealed(owner: Owned, out: &mut Vec<Sketch>) {
    let id = "reasoning/encrypted-entity-known";
    let value = |subtype: &str, entity: &str| {
        json!({
            "type": "REASONING_ENCRYPTED_VALUE", "subtype": subtype, "entityId": entity,
            "encryptedValue": "c2VhbGVk",
        })
    };
    let span = |kind: &str| json!({"type": kind, "messageId": "own-span"});
    let before = || {
        let mut before = text("own-message", "assistant").to_vec();
        before.extend(call("own-call", &["{}"]));
        before.extend([span("REASONING_START"), span("REASONING_END")]);
        before.push(json!({
            "type": "ACTIVITY_SNAPSHOT", "messageId": "own-activity", "activityType": "a",
            "content": {},
        }));
        before
    };
    for (subtype, broken, mended) in [
        ("message", "own-call", "own-message"),
        ("message", "own-span", "own-message"),
        ("message", "own-activity", "own-message"),
        ("message", "own-none", "own-message"),
        ("tool-call", "own-message", "own-call"),
        ("tool-call", "OWN-CALL", "own-call"),
    ] {
        let middle = Middle::of(owner, out).before(before()).ending(pending(&["own-call"]));
        middle.breaks(id, value(subtype, broken), value(subtype, mended));
    }
    let typed = json!({"encryptedValueType": "acme.seal"});
    let right = with(value("message", "own-message"), &typed);
    let broken = without(right.clone(), "encryptedValue");
    let needs = "reasoning/encrypted-type-needs-value";
    let middle = Middle::of(owner, out).before(text("own-message", "assistant"));
    middle.breaks(needs, broken, right);
    let listed = |seal: bool| {
        let call = json!({
            "id": "own-call", "type": "function", "function": {"name": "f", "arguments": "{}"},
            "encryptedValueType": "acme.seal",
        });
        let mut message = json!({"id": "own-m", "role": "assistant", "toolCalls": [call]});
        if seal {
            message["toolCalls"][0]["encryptedValue"] = json!("c2VhbGVk");
        }
        json!({"type": "MESSAGES_SNAPSHOT", "messages": [message]})
    };
    Middle::of(owner, out).breaks(needs, listed(false), listed(true));
    let message = |message: Value| json!({"type": "MESSAGES_SNAPSHOT", "messages": [message]});
    let mut bare =
        json!({"id": "own-m", "role": "reasoning", "content": "", "encryptedValueType": "t"});
    let broken = message(bare.clone());
    bare["encryptedValue"] = json!("");
    Middle::of(owner, out).breaks(needs, broken, message(bare));
}
