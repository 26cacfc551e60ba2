//! Faults beyond the order of events in the events of a stream itself: the same event, with
//! one thing in it that does not belong there.

use conform_event::EventType;
use conform_event::shape::{Shape, Version, event_shape};
use serde_json::{Value, json};

use super::amid::{Place, name};
use crate::fault::{Cell, Change, Edit, Who};
use crate::state::Phase;

/// Every fault that the event at this place may have.
pub(super) fn faults(place: &Place<'_>, edits: &mut Vec<Edit>) {
    let Some(event) = place.events.get(place.at) else { return };
    let Some(event_type) = EventType::from_name(name(event)) else { return };
    let tag = event.get("subagentRunId").and_then(Value::as_str).map(str::to_owned);
    let mut changes =
        Changes { event, event_type, at: place.at, who: Who::of(place.state, &tag, &None), edits };
    changes.anywhere(event_shape(event_type));
    match event_type {
        EventType::RunStarted => changes.start(place),
        EventType::RunFinished => {
            changes.usage();
            changes.finish(place);
        }
        EventType::RunError => changes.usage(),
        _ => {}
    }
}

struct Changes<'c> {
    event: &'c Value,
    event_type: EventType,
    at: usize,
    who: Who,
    edits: &'c mut Vec<Edit>,
}

impl Changes<'_> {
    /// The event is this one instead.
    fn add(&mut self, requirement: &'static str, event: Value) {
        self.change(requirement, Change::Replace(self.at, event));
    }

    fn change(&mut self, requirement: &'static str, change: Change) {
        let event_type = self.event_type.as_str();
        self.edits.push(Edit {
            cell: Cell { rule: requirement, kind: None, event_type, who: self.who },
            requirement,
            change,
            twin: None,
        });
    }

    /// The event has this member instead.
    fn set(&mut self, requirement: &'static str, member: &str, value: Value) {
        let mut event = self.event.clone();
        event[member] = value;
        self.add(requirement, event);
    }

    /// What changes nothing of what the event does.
    fn anywhere(&mut self, shape: &Shape) {
        self.set("shape/known-fields", "ownExtra", json!([]));
        self.set("shape/well-formed", "timestamp", json!("now"));
        for member in ["timestamp", "metadata", "rawEvent"] {
            if shape.field(member, Version::V1_0).is_some() {
                self.set("shape/absent-not-null", member, Value::Null);
            }
        }
        self.set("shape/metadata-reserved-key", "metadata", json!({"ag-ui": 1}));
    }

    fn start(&mut self, place: &Place<'_>) {
        for version in ["0.9", "1", "1.01", "next", "1.99", "2.0"] {
            self.set("version/published", "protocolVersion", json!(version));
        }
        self.set("shape/absent-not-null", "protocolVersion", Value::Null);
        if place.state.phase == Phase::Before {
            let mut silent = self.event.clone();
            if let Some(members) = silent.as_object_mut() {
                members.shift_remove("protocolVersion");
            }
            self.add("version/declared", silent);
        } else {
            self.set("lifecycle/same-thread-id", "threadId", json!("own-thread"));
            self.reused(place);
        }
    }

    /// The run has the id of the one before it, from its start to its end.
    fn reused(&mut self, place: &Place<'_>) {
        let before = place.events.get(..place.at).unwrap_or_default();
        let Some(earlier) = before.iter().find_map(|event| event.get("runId")) else { return };
        let mut others = Vec::new();
        for at in [place.at, place.end] {
            let Some(event) = place.events.get(at) else { return };
            let mut event = event.clone();
            for pointer in ["/runId", "/input/runId"] {
                if let Some(id) = event.pointer_mut(pointer) {
                    *id = earlier.clone();
                }
            }
            others.push((at, event));
        }
        self.change("ids/run-not-reused", Change::ReplaceAll(others));
    }

    /// The usage is such as no run has.
    fn usage(&mut self) {
        for (requirement, usage) in [
            ("usage/parts-within-totals", json!([{"inputTokens": 1, "cacheWriteInputTokens": 2}])),
            (
                "usage/total-is-the-sum",
                json!([{"inputTokens": 1, "outputTokens": 2, "totalTokens": 4}]),
            ),
            ("usage/one-entry-per-model", json!([{"model": "m"}, {"model": "m"}])),
            ("shape/well-formed", json!([{"inputTokens": -1}])),
            ("shape/known-fields", json!([{"tokens": 1}])),
            ("shape/absent-not-null", json!([{"model": null}])),
        ] {
            self.set(requirement, "usage", usage);
        }
    }

    fn finish(&mut self, place: &Place<'_>) {
        self.set("lifecycle/same-run-id", "runId", json!("own-run"));
        self.set("lifecycle/same-thread-id", "threadId", json!("own-thread"));
        let mut outcome = self.event.get("outcome").cloned();
        match outcome.as_ref().and_then(|outcome| outcome["type"].as_str()) {
            Some("cancelled") => {
                self.set("lifecycle/cancelled-has-no-result", "result", json!(0));
            }
            Some("interrupt") => {
                if let Some(outcome) = outcome.as_mut()
                    && let Some(asked) = outcome["interrupts"].as_array_mut()
                    && let Some(first) = asked.first().cloned()
                {
                    asked.push(first);
                    self.set("interrupt/unique-ids", "outcome", outcome.clone());
                }
                // A subagent that waits for one of them would wait for nothing.
                let waits = |event: &Value| event.pointer("/outcome/interruptIds").is_some();
                if !place.events.iter().any(waits) {
                    let none = json!({"type": "interrupt", "interrupts": []});
                    self.set("interrupt/at-least-one", "outcome", none);
                }
            }
            _ => self.pending(&place.state.unanswered),
        }
    }

    /// A run that succeeds is wrong about the calls that wait.
    fn pending(&mut self, waiting: &[String]) {
        let success = |ids: Vec<String>| json!({"type": "success", "pendingToolCallIds": ids});
        let more = waiting.iter().cloned().chain(["own-call".to_owned()]).collect();
        let requirement = "tool/pending-list-exact";
        self.set(requirement, "outcome", success(more));
        if let Some((_, fewer)) = waiting.split_last() {
            self.set(requirement, "outcome", success(fewer.to_vec()));
            let silent = json!({"type": "success"});
            self.set("tool/pending-list-sent", "outcome", silent);
        }
        if waiting.len() > 1 {
            let turned = waiting.iter().rev().cloned().collect();
            self.set(requirement, "outcome", success(turned));
        }
    }
}
