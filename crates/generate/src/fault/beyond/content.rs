//! Faults of state and activities.

use serde_json::{Value, json};

use super::{Middle, Owned, Sketch};

/// Operations that do not apply to [`document`], and what does instead.
fn misfits() -> Vec<(Value, Value)> {
    vec![
        (
            json!([{"op": "add", "path": "/none/a", "value": 1}]),
            json!([{"op": "add", "path": "/none", "value": 1}]),
        ),
        (
            json!([{"op": "add", "path": "/list/4", "value": 1}]),
            json!([{"op": "add", "path": "/list/3", "value": 1}]),
        ),
        (
            json!([{"op": "add", "path": "/list/01", "value": 1}]),
            json!([{"op": "add", "path": "/list/-", "value": 1}]),
        ),
        (json!([{"op": "remove", "path": "/none"}]), json!([{"op": "remove", "path": "/a"}])),
        (
            json!([{"op": "remove", "path": "/list/-"}]),
            json!([{"op": "remove", "path": "/list/2"}]),
        ),
        (
            json!([{"op": "replace", "path": "/none", "value": {}}]),
            json!([{"op": "replace", "path": "/a", "value": {}}]),
        ),
        (
            json!([{"op": "test", "path": "/a", "value": 2}]),
            json!([{"op": "test", "path": "/a", "value": 1.0}]),
        ),
        (
            json!([{"op": "test", "path": "/deep", "value": {"b~": {"c/": true, "d": 1}}}]),
            json!([{"op": "test", "path": "/deep", "value": {"b~": {"c/": true}}}]),
        ),
        (
            json!([{"op": "copy", "from": "/deep/b~1", "path": "/a"}]),
            json!([{"op": "copy", "from": "/deep/b~0", "path": "/a"}]),
        ),
        (
            json!([{"op": "move", "from": "/deep", "path": "/deep/b~0/c~1"}]),
            json!([{"op": "move", "from": "/deep/b~0/c~1", "path": "/deep"}]),
        ),
        // The first fits, and is undone.
        (
            json!([{"op": "remove", "path": "/a"}, {"op": "test", "path": "/list", "value": null}]),
            json!([{"op": "remove", "path": "/a"}]),
        ),
    ]
}

fn document() -> Value {
    json!({"a": 1, "list": [1, 2, 3], "deep": {"b~": {"c/": true}}})
}

/// What is no patch.
fn misshapen() -> Vec<Value> {
    vec![
        json!([{"op": "merge", "path": "/a", "value": 1}]),
        json!([{"path": "/a"}]),
        json!([{"op": "remove"}]),
        json!([{"op": "remove", "path": "a"}]),
        json!([{"op": "remove", "path": "/~2"}]),
        json!([{"op": "add", "path": "/a"}]),
        json!([{"op": "test", "path": "/a"}]),
        json!([{"op": "move", "path": "/a"}]),
        json!([{"op": "copy", "path": "/a", "from": 1}]),
        json!([{"op": "remove", "path": "/a"}, {"op": "remove", "path": null}]),
        json!([null]),
        json!({"op": "remove", "path": "/a"}),
    ]
}

pub(super) fn sketches(owner: Owned, out: &mut Vec<Sketch>) {
    state(owner, out);
    activities(owner, out);
}

fn state(owner: Owned, out: &mut Vec<Sketch>) {
    let snapshot = |state: Value| json!({"type": "STATE_SNAPSHOT", "snapshot": state});
    let delta = |patch: Value| json!({"type": "STATE_DELTA", "delta": patch});
    for (broken, mended) in misfits() {
        let middle = Middle::of(owner, out).before([snapshot(document())]);
        // What comes after it, until the next snapshot, is not judged.
        let middle = middle.after([delta(json!([]))]);
        middle.breaks("state/delta-applies", delta(broken), delta(mended));
    }
    for (state, patch) in [
        (json!(null), json!([{"op": "add", "path": "/a", "value": 1}])),
        (json!("text"), json!([{"op": "remove", "path": "/0"}])),
        (json!([]), json!([{"op": "remove", "path": "/0"}])),
    ] {
        let middle = Middle::of(owner, out).before([snapshot(state)]);
        let whole = json!([{"op": "replace", "path": "", "value": 1}]);
        middle.breaks("state/delta-applies", delta(patch), delta(whole));
    }
    for patch in misshapen() {
        let middle = Middle::of(owner, out).before([snapshot(document())]);
        middle.breaks("state/patch-well-formed", delta(patch), delta(json!([])));
    }
}

fn activities(owner: Owned, out: &mut Vec<Sketch>) {
    let snapshot = |id: &str, content: Value| {
        json!({
            "type": "ACTIVITY_SNAPSHOT", "messageId": id, "activityType": "a",
            "content": content,
        })
    };
    let delta = |id: &str, patch: Value| json!({"type": "ACTIVITY_DELTA", "messageId": id, "activityType": "a", "patch": patch});
    let id = "own-activity";
    for (broken, mended) in misfits() {
        let middle = Middle::of(owner, out).before([snapshot(id, document())]);
        middle.breaks("activity/delta-applies", delta(id, broken), delta(id, mended));
    }
    for patch in misshapen() {
        let middle = Middle::of(owner, out).before([snapshot(id, document())]);
        middle.breaks("state/patch-well-formed", delta(id, patch), delta(id, json!([])));
    }
    for patch in [
        json!([{"op": "replace", "path": "", "value": [1]}]),
        json!([{"op": "copy", "from": "/a", "path": ""}]),
        json!([{"op": "move", "from": "/list", "path": ""}]),
        json!([{"op": "add", "path": "", "value": null}]),
    ] {
        let middle = Middle::of(owner, out).before([snapshot(id, document())]);
        let whole = json!([{"op": "move", "from": "/deep", "path": ""}]);
        middle.breaks("activity/stays-an-object", delta(id, patch), delta(id, whole));
    }
    for unknown in ["own-activity ", "OWN-ACTIVITY", "own-none"] {
        let middle = Middle::of(owner, out).before([snapshot(id, document())]);
        middle.breaks("activity/snapshot-first", delta(unknown, json!([])), delta(id, json!([])));
    }
    let keeps = |tag: Option<&str>| {
        let mut event = snapshot(id, json!({}));
        event["replace"] = json!(false);
        if let Some(tag) = tag {
            event["subagentRunId"] = json!(tag);
        }
        event
    };
    if owner != Owned::Parent {
        // It belongs to another, or to the parent agent.
        for theirs in [Some("own-stranger"), Some("own-stranger "), None] {
            let tag = theirs.map_or(json!(null), |tag| json!(tag));
            let mut first = snapshot(id, document());
            if theirs.is_some() {
                first["subagentRunId"] = tag;
            } else {
                // Without a tag of its own an event gets the owner's: a list has none.
                let message = json!({
                    "id": id, "role": "activity", "activityType": "a", "content": document(),
                });
                first = json!({"type": "MESSAGES_SNAPSHOT", "messages": [message]});
            }
            let middle = Middle::of(owner, out).before([first]);
            middle.breaks("activity/keep-agrees", keeps(owner.tag()), None);
        }
    }
    let middle = Middle::of(owner, out).before([snapshot(id, document())]);
    middle.breaks("activity/keep-agrees", keeps(Some("own-stranger")), keeps(owner.tag()));
}
