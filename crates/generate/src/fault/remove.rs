//! Faults that a missing event, or a tag of another, makes.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::pieces::{open_before, types};
use super::{Cell, Change, Edit, Who};
use crate::plan::Scope;
use crate::state::{Kind, Owner, Phase, State};

/// Tries every fault of the event of this index missing or tagged with another owner.
pub(super) fn at(
    events: &[Value],
    states: &BTreeMap<usize, State>,
    at: usize,
    scope: Scope,
    edits: &mut Vec<Edit>,
) {
    if at >= events.len() || states[&at].phase != Phase::Running {
        return;
    }
    let mut faults = Faults { events, states, edits };
    if scope == Scope::Stream && at + 1 == events.len() {
        faults.truncated(at);
    }
    // What ends a chunk stream matters to the chunks that follow, and not only to its own item.
    let lane = faults.text(at, "subagentRunId").map(str::to_owned);
    if faults.states[&at].lanes.contains_key(&lane) {
        return;
    }
    faults.without_start(at);
    faults.without_end(at);
    faults.tagged_by_another(at);
}

struct Faults<'s> {
    events: &'s [Value],
    states: &'s BTreeMap<usize, State>,
    edits: &'s mut Vec<Edit>,
}

const ITEMS: [Kind; 4] = [Kind::Text, Kind::Reasoning, Kind::Span, Kind::Call];

impl Faults<'_> {
    fn type_of(&self, at: usize) -> &'static str {
        let name = self.events.get(at).and_then(|event| event["type"].as_str());
        let known = name.and_then(conform_event::EventType::from_name);
        known.map_or("end", conform_event::EventType::as_str)
    }

    fn text(&self, at: usize, member: &str) -> Option<&str> {
        self.events.get(at)?.get(member)?.as_str()
    }

    fn tag(&self, at: usize) -> Owner {
        self.text(at, "subagentRunId").map(str::to_owned)
    }

    fn add(&mut self, cell: Cell, requirement: &'static str, change: Change) {
        self.edits.push(Edit { cell, requirement, change, twin: None });
    }

    /// The last event is missing, and it was what ended the run.
    fn truncated(&mut self, last: usize) {
        let rule = "lifecycle/terminated";
        let cell = Cell { rule, kind: None, event_type: "end", who: Who::Parent };
        self.add(cell, rule, Change::Remove(last, None));
    }

    /// The end of the run that goes on at `at`: its RUN_FINISHED, RUN_ERROR, or the end.
    fn run_end(&self, at: usize) -> usize {
        let ends = |at: &usize| matches!(self.type_of(*at), "RUN_FINISHED" | "RUN_ERROR");
        (at..self.events.len()).find(ends).unwrap_or(self.events.len())
    }

    /// An item that was opened once, without what opens it: what comes next of it is not open.
    fn without_start(&mut self, at: usize) {
        let name = self.type_of(at);
        let Some(kind) = ITEMS.into_iter().find(|kind| types(*kind).0 == name) else { return };
        let member = if kind == Kind::Call { "toolCallId" } else { "messageId" };
        let Some(id) = self.text(at, member).map(str::to_owned) else { return };
        let state = &self.states[&at];
        let known = state.owner(kind, &id).is_some() || state.closed.contains(&(kind, id.clone()));
        if known || state.earlier_calls.contains(&id) {
            return;
        }
        let (_, contents, end) = types(kind);
        let owner = self.tag(at);
        let parent = self.text(at, "parentMessageId").map(str::to_owned);
        for next in at + 1..self.run_end(at) {
            let next_name = self.type_of(next);
            let about = self.text(next, member) == Some(&id);
            if about && (Some(next_name) == contents || next_name == end) {
                let who = Who::of(&self.states[&next], &self.tag(next), &owner);
                let cell = Cell { rule: "not-open", kind: Some(kind), event_type: next_name, who };
                self.add(cell, open_before(kind), Change::Remove(at, Some(next - 1)));
                return;
            }
            // Whatever else speaks of it could be judged otherwise without its owner, and a value
            // sealed for the message that only the start names has nothing to belong to.
            let sealed = next_name == "REASONING_ENCRYPTED_VALUE"
                && parent.is_some()
                && self.text(next, "entityId") == parent.as_deref();
            if sealed || self.events[next].to_string().contains(&json!(id).to_string()) {
                return;
            }
        }
    }

    /// An item without what closes it: it is open when it is opened again, answered, or the
    /// run finishes.
    fn without_end(&mut self, at: usize) {
        let name = self.type_of(at);
        let ended = ITEMS.into_iter().find(|kind| types(*kind).2 == name);
        let (kind, member) = match (ended, name) {
            (Some(Kind::Call), _) => (Kind::Call, "toolCallId"),
            (Some(kind), _) => (kind, "messageId"),
            (None, "STEP_FINISHED") => (Kind::Step, "stepName"),
            (None, "SUBAGENT_FINISHED" | "SUBAGENT_ERROR") => (Kind::Subagent, "subagentRunId"),
            _ => return,
        };
        let Some(id) = self.text(at, member).map(str::to_owned) else { return };
        let owner = match kind {
            Kind::Step => self.tag(at),
            Kind::Subagent => Some(id.clone()),
            kind => self.states[&at].owner(kind, &id).cloned().unwrap_or_default(),
        };
        let end = self.run_end(at);
        for next in at + 1..end {
            let same = self.text(next, member) == Some(&id);
            let next_name = self.type_of(next);
            let starts_again = same && ITEMS.contains(&kind) && next_name == types(kind).0;
            let step_again = same
                && kind == Kind::Step
                && next_name == "STEP_STARTED"
                && self.tag(next) == owner;
            let answered = same && kind == Kind::Call && next_name == "TOOL_CALL_RESULT";
            let in_chunks = same && next_name.ends_with("_CHUNK");
            // A chunk of what a start holds open is another matter.
            if in_chunks || self.type_of(next) == "MESSAGES_SNAPSHOT" {
                return;
            }
            let (rule, requirement) = match kind {
                Kind::Step if step_again => ("duplicate-start", "step/not-already-open"),
                Kind::Call if answered => ("out-of-order", "tool/result-after-end"),
                kind if starts_again => ("duplicate-start", again(kind)),
                _ => continue,
            };
            let who = Who::of(&self.states[&next], &self.tag(next), &owner);
            let cell = Cell { rule, kind: Some(kind), event_type: next_name, who };
            self.add(cell, requirement, Change::Remove(at, Some(next - 1)));
            return;
        }
        if self.type_of(end) == "RUN_FINISHED" {
            let who = Who::of(&self.states[&at], &owner, &owner);
            let rule = "open-at-finish";
            let cell = Cell { rule, kind: Some(kind), event_type: "RUN_FINISHED", who };
            let requirement = "lifecycle/closed-before-finish";
            self.add(cell, requirement, Change::Remove(at, Some(end - 1)));
        }
    }

    /// A continuation or an end that carries the tag of somebody else.
    fn tagged_by_another(&mut self, at: usize) {
        let name = self.type_of(at);
        let kind = ITEMS.into_iter().find(|kind| {
            let (_, contents, end) = types(*kind);
            contents == Some(name) || end == name
        });
        let Some(kind) = kind else { return };
        let member = if kind == Kind::Call { "toolCallId" } else { "messageId" };
        let Some(id) = self.text(at, member).map(str::to_owned) else { return };
        let state = &self.states[&at];
        let owner = state.owner(kind, &id).cloned().unwrap_or_default();
        let others = state.tags.iter().filter(|tag| Some(*tag) != owner.as_ref());
        let others: Vec<String> = others.take(3).cloned().collect();
        for tag in others {
            let tag = Some(tag);
            let who = Who::of(&self.states[&at], &tag, &owner);
            let mut event = self.events[at].clone();
            event["subagentRunId"] = json!(tag);
            let cell = Cell { rule: "owner-mismatch", kind: Some(kind), event_type: name, who };
            self.add(cell, "subagent/owner-agrees", Change::Replace(at, event));
        }
    }
}

fn again(kind: Kind) -> &'static str {
    match kind {
        Kind::Call => "tool/not-already-open",
        Kind::Reasoning => "reasoning/message-not-already-open",
        Kind::Span => "reasoning/span-not-already-open",
        _ => "text/not-already-open",
    }
}
