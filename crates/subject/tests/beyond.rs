//! Every fault beyond the order of events is one finding in check, at its event and for its
//! requirement; the model finds the same; its twin is without a fault.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::collections::{BTreeMap, BTreeSet};

use conform_check::registry::{self, Judge, Needs};
use conform_generate::Fault;
use conform_subject::Whole;
use serde_json::Value;

fn texts(events: &[Value]) -> Vec<String> {
    events.iter().map(ToString::to_string).collect()
}

/// What is wrong with what is said of a stream, if anything is.
fn complaint(events: &[Value], expected: &[(Option<usize>, &'static str)]) -> Option<String> {
    let whole = Whole::of(&texts(events), None);
    if whole.difference().is_some() || whole.counted != expected {
        let lines: Vec<String> = texts(events);
        return Some(format!("expected {expected:?}\n{whole:?}\n{}", lines.join("\n")));
    }
    None
}

#[test]
fn every_sketch_is_one_finding_and_its_twin_none() {
    let started = serde_json::json!({
        "type": "RUN_STARTED", "threadId": "t", "runId": "r", "protocolVersion": "1.1",
    });
    let finished = serde_json::json!({"type": "RUN_FINISHED", "threadId": "t", "runId": "r"});
    let stream = [started, finished];
    let mut complaints: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut count = 0;
    for fault in Fault::all_beyond(&stream) {
        count += 1;
        let own = complaints.entry(fault.requirement).or_default();
        own.extend(complaint(&fault.events, &[(fault.at, fault.requirement)]));
        own.extend(complaint(&fault.twin, &[]).map(|text| format!("twin: {text}")));
    }
    complaints.retain(|_, texts| !texts.is_empty());
    for (requirement, texts) in &complaints {
        println!("{requirement}: {}\n{}", texts.len(), texts[0]);
    }
    assert!(complaints.is_empty());
    assert!(count > 1000, "{count}");
}

#[test]
fn every_requirement_that_the_stream_decides_has_a_fault() {
    let faults: BTreeSet<&str> = Fault::RULES.into_iter().collect();
    for entry in registry::all().filter(|entry| entry.needs == Needs::Stream) {
        let named = match entry.judge {
            Judge::Rule(rule) => rule.as_str(),
            _ => entry.id,
        };
        assert!(faults.contains(named), "{}", entry.id);
    }
}

/// Members of the wrong type are shape's affair: the two judges agree on what else they mean.
#[test]
fn check_and_model_agree_on_what_cannot_be_read() {
    let ids = serde_json::json!({"threadId": "t", "runId": "r"});
    let end = |members: Value| {
        let mut event = ids.clone();
        let all = event.as_object_mut().unwrap();
        all.insert("type".to_owned(), "RUN_FINISHED".into());
        all.extend(members.as_object().unwrap().clone());
        event
    };
    let interrupt = |list: Value| {
        end(serde_json::json!({"outcome": {"type": "interrupt", "interrupts": list}}))
    };
    let usage = |entry: Value| end(serde_json::json!({ "usage": [entry] }));
    let lines = [
        serde_json::json!({"type": "RUN_STARTED", "threadId": "t", "runId": "r", "protocolVersion": "1.1"}),
        serde_json::json!({"type": "SUBAGENT_STARTED", "subagentRunId": "s", "name": "n"}),
        serde_json::json!({"type": "SUBAGENT_FINISHED", "subagentRunId": "s",
            "outcome": {"type": "suspended", "interruptIds": ["i1"]}}),
    ];
    for last in [
        interrupt(serde_json::json!([{"reason": "a"}])),
        interrupt(serde_json::json!([{"id": 1, "reason": "a"}, {"id": "i2", "reason": "a"}])),
        interrupt(serde_json::json!([{"id": "i2", "reason": "a"}])),
        interrupt(serde_json::json!([1])),
        interrupt(serde_json::json!([])),
        interrupt(serde_json::json!({})),
        end(serde_json::json!({"outcome": {"type": "interrupt"}})),
        end(serde_json::json!({"outcome": {"type": "paused"}})),
        end(serde_json::json!({"outcome": {"type": "success"}})),
        end(serde_json::json!({"outcome": "success"})),
        end(serde_json::json!({ "outcome": null })),
        end(serde_json::json!({})),
        usage(
            serde_json::json!({"inputTokens": 1, "cachedInputTokens": 9_007_199_254_740_991_u64}),
        ),
        usage(
            serde_json::json!({"inputTokens": 1, "cachedInputTokens": 9_007_199_254_740_992_u64}),
        ),
        usage(serde_json::json!({"inputTokens": 1, "outputTokens": -1, "totalTokens": 5})),
        usage(serde_json::json!({"inputTokens": "1", "cachedInputTokens": 2})),
    ] {
        let events: Vec<Value> = lines.iter().cloned().chain([last]).collect();
        let whole = Whole::of(&texts(&events), None);
        assert_eq!(whole.difference(), None, "{whole:?}\n{}", texts(&events).join("\n"));
    }
}
