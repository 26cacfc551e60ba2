//! The judge of these tests can fail: it sees what is broken in streams that were right.

use std::collections::BTreeSet;

use conform_generate::{Dice, Plan, Scope};
use serde_json::{Value, json};

use super::judge::Judge;

/// What to break: the requirement, the type of the event, and how; false where this one has
/// nothing to break.
type Break = (&'static str, &'static str, fn(&mut Value) -> bool);

fn set(event: &mut Value, member: &str, value: Value) -> bool {
    event[member] = value;
    true
}

/// Changes a member that is there.
fn change(event: &mut Value, member: &str, value: Value) -> bool {
    event.get(member).is_some() && set(event, member, value)
}

/// Changes the first item of a list.
fn first(list: &mut Value, change: impl FnOnce(&mut Value)) -> bool {
    list.get_mut(0).map(change).is_some()
}

const BREAKS: [Break; 30] = [
    ("version/declared", "RUN_STARTED", |e| {
        e.as_object_mut().unwrap().shift_remove("protocolVersion").is_some()
    }),
    ("ids/run-not-reused", "RUN_STARTED", |e| {
        e["runId"] != "run-1" && set(e, "runId", json!("run-1"))
    }),
    ("lifecycle/same-thread-id", "RUN_FINISHED", |e| set(e, "threadId", json!("another"))),
    ("lifecycle/same-run-id", "RUN_FINISHED", |e| set(e, "runId", json!("another"))),
    ("lifecycle/echoes-request", "RUN_STARTED", |e| {
        e.get("input").is_some() && set(&mut e["input"], "runId", json!("another"))
    }),
    ("lifecycle/cancelled-has-no-result", "RUN_FINISHED", |e| {
        e["outcome"]["type"] == "cancelled" && set(e, "result", json!(1))
    }),
    ("lifecycle/restates-by-snapshot", "RUN_STARTED", |e| {
        first(&mut e["input"]["messages"], |message| message["content"] = json!("words"))
    }),
    ("ids/message-unique", "MESSAGES_SNAPSHOT", |e| {
        let again = e["messages"].get(0).cloned();
        again.is_some_and(|again| {
            e["messages"].as_array_mut().unwrap().push(again);
            true
        })
    }),
    ("ids/message-unique", "REASONING_MESSAGE_CHUNK", |e| {
        change(e, "messageId", json!("shared-1"))
    }),
    ("usage/total-is-the-sum", "RUN_FINISHED", |e| {
        first(&mut e["usage"], |entry| {
            *entry = json!({"inputTokens": 1, "outputTokens": 1, "totalTokens": 3});
        })
    }),
    ("usage/parts-within-totals", "RUN_FINISHED", |e| {
        first(&mut e["usage"], |u| *u = json!({"outputTokens": 1, "reasoningTokens": 2}))
    }),
    ("usage/one-entry-per-model", "RUN_ERROR", |e| set(e, "usage", json!([{}, {}]))),
    ("text/reopen-agrees", "TEXT_MESSAGE_START", |e| set(e, "name", json!("Eve"))),
    ("tool/reopen-agrees", "TOOL_CALL_START", |e| set(e, "toolCallName", json!("another"))),
    ("tool/one-result", "TOOL_CALL_RESULT", |e| set(e, "toolCallId", json!("shared-2"))),
    ("tool/arguments-are-json", "TOOL_CALL_ARGS", |e| set(e, "delta", json!("{"))),
    ("tool/arguments-are-json", "TOOL_CALL_CHUNK", |e| change(e, "delta", json!("{"))),
    ("tool/frontend-call-unanswered", "TOOL_CALL_START", |e| {
        set(e, "toolCallName", json!("confirm"))
    }),
    ("tool/frontend-stop-is-success", "RUN_FINISHED", |e| {
        let asked: Vec<Value> = e["outcome"]["interrupts"].as_array().cloned().unwrap_or_default();
        let asks = asked.into_iter().filter(|i| i.get("toolCallId").is_some());
        let asks: Vec<Value> = asks.collect();
        !asks.is_empty() && set(&mut e["outcome"], "interrupts", json!(asks))
    }),
    ("tool/pending-list-exact", "RUN_FINISHED", |e| {
        set(e, "outcome", json!({"type": "success", "pendingToolCallIds": ["another"]}))
    }),
    ("tool/pending-list-sent", "RUN_FINISHED", |e| set(e, "outcome", json!({"type": "success"}))),
    ("reasoning/encrypted-entity-known", "REASONING_ENCRYPTED_VALUE", |e| {
        set(e, "entityId", json!("another"))
    }),
    ("reasoning/encrypted-type-needs-value", "MESSAGES_SNAPSHOT", |e| {
        first(&mut e["messages"], |message| message["encryptedValueType"] = json!("x"))
    }),
    ("state/delta-applies", "STATE_DELTA", |e| {
        set(e, "delta", json!([{"op": "remove", "path": "/none"}]))
    }),
    ("activity/delta-applies", "ACTIVITY_DELTA", |e| {
        set(e, "patch", json!([{"op": "test", "path": "", "value": 1}]))
    }),
    ("activity/stays-an-object", "ACTIVITY_DELTA", |e| {
        set(e, "patch", json!([{"op": "add", "path": "", "value": 1}]))
    }),
    ("activity/keep-agrees", "ACTIVITY_SNAPSHOT", |e| {
        e["replace"] == false && set(e, "subagentRunId", json!("another"))
    }),
    ("interrupt/unique-ids", "RUN_FINISHED", |e| {
        let interrupt = json!({"id": "i", "reason": ""});
        set(e, "outcome", json!({"type": "interrupt", "interrupts": [interrupt, interrupt]}))
    }),
    ("interrupt/suspended-ids-exist", "SUBAGENT_FINISHED", |e| {
        set(e, "outcome", json!({"type": "suspended", "interruptIds": ["another"]}))
    }),
    ("shape/custom-name-prefixed", "CUSTOM", |e| set(e, "name", json!(":"))),
];

#[test]
fn what_is_broken_is_seen() {
    let streams: Vec<Vec<Value>> = (0..1_500)
        .map(|case| Plan::grow(&mut Dice::of_case(25, case), Scope::Stream).weave().events)
        .collect();
    let mut unseen = BTreeSet::new();
    for (requirement, name, change) in BREAKS {
        let seen = streams.iter().any(|events| {
            (0..events.len()).filter(|at| events[*at]["type"] == name).any(|at| {
                let mut events = events.clone();
                let wanted = |wrong: &String| wrong.starts_with(requirement);
                change(&mut events[at]) && Judge::of(&events).wrong.iter().any(wanted)
            })
        });
        if !seen {
            unseen.insert((requirement, name));
        }
    }
    assert!(unseen.is_empty(), "{unseen:?}");
}

/// An activity that nothing shows, and a subagent that begins after its events.
#[test]
fn what_is_missing_is_seen() {
    let mut seen = BTreeSet::new();
    for case in 0..300 {
        let events = Plan::grow(&mut Dice::of_case(26, case), Scope::Stream).weave().events;
        for at in 0..events.len() {
            let mut less = events.clone();
            let gone = less.remove(at);
            if gone["type"] == "SUBAGENT_STARTED" {
                less.insert(events.len() - 2, gone);
            } else if gone["type"] != "ACTIVITY_SNAPSHOT" {
                continue;
            }
            let names = Judge::of(&less).wrong.into_iter();
            seen.extend(names.filter_map(|w| w.split(' ').next().map(str::to_owned)));
        }
    }
    assert!(seen.contains("activity/snapshot-first"), "{seen:?}");
    assert!(seen.contains("subagent/announced-before-use"), "{seen:?}");
}
