//! Faults that an event too many makes.

use serde_json::{Value, json};

use super::pieces::{
    answer, anything, aside, ended, event, item, not_already, nothing_more, open_before, opener,
    run_started, types, whole,
};
use super::{Cell, Change, Edit, Who};
use crate::plan::Scope;
use crate::state::{Kind, Owner, Phase, State};

/// Tries every fault of one event too many at this place.
pub(super) fn at(at: usize, state: &State, scope: Scope, edits: &mut Vec<Edit>) {
    let mut faults = Faults { at, state, scope, edits };
    match state.phase {
        Phase::Before => faults.before_the_run(),
        Phase::Running => faults.in_the_run(),
        Phase::Finished | Phase::Failed => faults.after_the_run(),
    }
}

/// The tags that may stand on an event here: none, those in use, the empty one, and one that
/// nobody has used.
pub(super) fn usable_tags(state: &State) -> Vec<Owner> {
    let mut tags = vec![String::new(), "stranger".to_owned()];
    tags.extend(state.tags.iter().take(5).cloned());
    // One whose SUBAGENT_STARTED is still to come must not be used before it.
    let may_come = |tag: &String| state.spawners.contains_key(tag) && !state.tags.contains(tag);
    tags.retain(|tag| !may_come(tag));
    let mut tags: Vec<Owner> = tags.into_iter().map(Some).chain([None]).collect();
    tags.sort();
    tags.dedup();
    tags
}

pub(super) struct Faults<'s> {
    pub(super) at: usize,
    pub(super) state: &'s State,
    pub(super) scope: Scope,
    pub(super) edits: &'s mut Vec<Edit>,
}

impl Faults<'_> {
    pub(super) fn tags(&self) -> Vec<Owner> {
        usable_tags(self.state)
    }

    pub(super) fn add(
        &mut self,
        rule: &'static str,
        requirement: &'static str,
        kind: Option<Kind>,
        who: Who,
        broken: (&'static str, Value),
        twin: Option<Vec<Value>>,
    ) {
        let (event_type, broken) = broken;
        // What is accepted may end a chunk stream that others go on with.
        let twin = twin.filter(|_| self.state.lanes.is_empty());
        self.edits.push(Edit {
            cell: Cell { rule, kind, event_type, who },
            requirement,
            change: Change::Insert(self.at, broken),
            twin,
        });
    }

    fn before_the_run(&mut self) {
        if self.scope == Scope::Run {
            return;
        }
        for tag in [None, Some("early".to_owned())] {
            for event in anything(&tag) {
                let who = Who::of(self.state, &tag, &None);
                self.add("lifecycle/first-event", "lifecycle/first-event", None, who, event, None);
            }
        }
    }

    fn after_the_run(&mut self) {
        let requirement = "lifecycle/nothing-after-finish";
        for tag in [None, Some("late".to_owned()), Some(String::new())] {
            for event in anything(&tag) {
                let who = Who::of(self.state, &tag, &None);
                self.add("run-ended", requirement, None, who, event, None);
            }
            // That it is of no type the protocol has says more than that it comes too late.
            let requirement = match self.scope {
                Scope::Stream => "shape/known-type",
                Scope::Run => requirement,
            };
            for name in ["THINKING_START", "TextMessageStart", "FUTURE_EVENT"] {
                let event = event(name, json!({"messageId": "late"}), &tag);
                let who = Who::of(self.state, &tag, &None);
                self.add("run-ended", requirement, None, who, ("other", event), None);
            }
        }
        let failed = self.state.phase == Phase::Failed;
        if failed || self.scope == Scope::Run {
            let error = event("RUN_ERROR", json!({"message": "again"}), &None);
            self.add("run-ended", requirement, None, Who::Parent, ("RUN_ERROR", error), None);
        }
        if self.scope == Scope::Run {
            let started = run_started();
            self.add("run-ended", requirement, None, Who::Parent, ("RUN_STARTED", started), None);
        }
    }

    fn in_the_run(&mut self) {
        let started = ("RUN_STARTED", run_started());
        let requirement = "lifecycle/one-run-at-a-time";
        self.add("duplicate-run-started", requirement, None, Who::Parent, started, None);
        self.open_at_finish();
        for ((kind, id, _), open) in &self.state.open {
            match kind {
                Kind::Step => self.open_step(id, &open.owner),
                Kind::Subagent => self.open_subagent(id),
                _ if open.lane.is_none() => self.open_item(*kind, id),
                _ => {}
            }
        }
        for (kind, id) in &self.state.closed {
            let owner = self.state.owner(*kind, id).cloned().unwrap_or_default();
            let open = self.state.is_open(*kind, id, &None);
            match kind {
                Kind::Step => {}
                Kind::Subagent if open => {}
                Kind::Subagent => self.finished_subagent(id),
                _ if open => {}
                _ => self.closed_item(*kind, id, &owner),
            }
        }
        self.nothing_known();
        for ((kind, id), owner) in &self.state.owners {
            self.owned(*kind, id, owner);
        }
    }

    fn open_at_finish(&mut self) {
        let explicit = |kind: Kind| {
            let mut open = self.state.open.iter();
            open.find(|((held, _, _), open)| *held == kind && open.lane.is_none())
        };
        let order =
            [Kind::Text, Kind::Reasoning, Kind::Span, Kind::Call, Kind::Step, Kind::Subagent];
        let Some((kind, (_, open))) =
            order.into_iter().find_map(|kind| Some((kind, explicit(kind)?)))
        else {
            return;
        };
        let members = json!({"threadId": "thread-1", "runId": "run-1"});
        let who = match open.owner.as_deref() {
            Some("") => Who::EmptyId,
            Some(id) if self.state.spawners.get(id).cloned().flatten().is_some() => Who::Nested,
            Some(_) => Who::Subagent,
            None => Who::Parent,
        };
        let finished = ("RUN_FINISHED", event("RUN_FINISHED", members, &None));
        let requirement = "lifecycle/closed-before-finish";
        self.add("open-at-finish", requirement, Some(kind), who, finished, None);
    }

    fn open_item(&mut self, kind: Kind, id: &str) {
        let owner = self.state.owner(kind, id).cloned().unwrap_or_default();
        let (start, contents, end) = types(kind);
        // A span has nothing that goes on; another one aside does no harm.
        let harmless = || {
            let content = contents.map(|name| vec![event(name, nothing_more(kind, id), &None)]);
            Some(content.unwrap_or_else(|| whole(kind, "never-seen", &None)))
        };
        for tag in self.tags() {
            let who = Who::of(self.state, &tag, &owner);
            if tag.is_none() || tag == owner {
                let again = (start, event(start, opener(kind, id), &tag));
                self.add("duplicate-start", not_already(kind), Some(kind), who, again, harmless());
                if kind == Kind::Call {
                    let result = ("TOOL_CALL_RESULT", event("TOOL_CALL_RESULT", answer(id), &tag));
                    let requirement = "tool/result-after-end";
                    self.add("out-of-order", requirement, Some(kind), who, result, harmless());
                }
                continue;
            }
            for name in [Some(start), contents, Some(end)].into_iter().flatten() {
                let members =
                    if name == start { opener(kind, id) } else { item(kind, id, name != end) };
                let broken = (name, event(name, members, &tag));
                let requirement = "subagent/owner-agrees";
                self.add("owner-mismatch", requirement, Some(kind), who, broken, harmless());
            }
        }
    }

    fn closed_item(&mut self, kind: Kind, id: &str, owner: &Owner) {
        let (start, contents, end) = types(kind);
        let reopened = || {
            // A call that is opened again would have to be answered again.
            (kind != Kind::Call).then(|| {
                let (open, close) = (event(start, opener(kind, id), &None), item(kind, id, false));
                let mut open = open;
                if let Some((role, name)) = self.state.said.get(&(kind, id.to_owned()))
                    && kind == Kind::Text
                {
                    if !role.is_empty() {
                        open["role"] = json!(role);
                    }
                    if let Some(name) = name {
                        open["name"] = json!(name);
                    }
                }
                vec![open, event(end, close, &None)]
            })
        };
        let minted = kind == Kind::Text
            && self.state.said.get(&(kind, id.to_owned())).is_some_and(|(role, _)| role == "tool");
        let twin = if minted { None } else { reopened() };
        for tag in self.tags() {
            let who = Who::of(self.state, &tag, owner);
            for name in [contents, Some(end)].into_iter().flatten() {
                let broken = (name, event(name, item(kind, id, name != end), &tag));
                self.add("not-open", open_before(kind), Some(kind), who, broken, twin.clone());
            }
            if tag.is_some() && tag != *owner {
                let broken = (start, event(start, opener(kind, id), &tag));
                let requirement = "subagent/owner-agrees";
                self.add("owner-mismatch", requirement, Some(kind), who, broken, twin.clone());
            }
        }
    }

    fn open_step(&mut self, name: &str, owner: &Owner) {
        let twin = |tag: &Owner| {
            let step = || json!({"stepName": "aside"});
            let pair = ["STEP_STARTED", "STEP_FINISHED"];
            Some(pair.map(|name| event(name, step(), tag)).to_vec())
        };
        let members = || json!({"stepName": name});
        let again = ("STEP_STARTED", event("STEP_STARTED", members(), owner));
        let who = Who::of(self.state, owner, owner);
        let requirement = "step/not-already-open";
        self.add("duplicate-start", requirement, Some(Kind::Step), who, again, twin(owner));
        for tag in self.tags() {
            if self.state.is_open(Kind::Step, name, &tag) {
                continue;
            }
            let who = Who::of(self.state, &tag, owner);
            let broken = ("STEP_FINISHED", event("STEP_FINISHED", members(), &tag));
            let requirement = "step/finished-by-its-owner";
            self.add("not-open", requirement, Some(Kind::Step), who, broken, twin(&tag));
        }
    }

    fn open_subagent(&mut self, id: &str) {
        let who = Who::of(self.state, &Some(id.to_owned()), &Some(id.to_owned()));
        let started = json!({"subagentRunId": id, "name": "helper"});
        let broken = ("SUBAGENT_STARTED", event("SUBAGENT_STARTED", started, &None));
        let requirement = "subagent/not-already-active";
        self.add(
            "duplicate-start",
            requirement,
            Some(Kind::Subagent),
            who,
            broken,
            Some(aside(None)),
        );
    }

    fn finished_subagent(&mut self, id: &str) {
        let who = Who::of(self.state, &Some(id.to_owned()), &Some(id.to_owned()));
        let kind = Some(Kind::Subagent);
        let started = json!({"subagentRunId": id, "name": "helper"});
        let broken = ("SUBAGENT_STARTED", event("SUBAGENT_STARTED", started, &None));
        let requirement = "subagent/id-names-one-invocation";
        self.add("duplicate-start", requirement, kind, who, broken, Some(aside(None)));
        for broken in ended(id) {
            let requirement = "subagent/active-before-end";
            self.add("not-open", requirement, kind, who, broken, Some(aside(None)));
        }
    }

    /// Faults at ids that nothing has.
    fn nothing_known(&mut self) {
        let fresh = "never-seen";
        for tag in self.tags() {
            let who = Who::of(self.state, &tag, &None);
            for kind in [Kind::Text, Kind::Reasoning, Kind::Span, Kind::Call] {
                let (_, contents, end) = types(kind);
                let whole = Some(whole(kind, fresh, &tag));
                for name in [contents, Some(end)].into_iter().flatten() {
                    let broken = (name, event(name, item(kind, fresh, name != end), &tag));
                    self.add("not-open", open_before(kind), Some(kind), who, broken, whole.clone());
                }
            }
            let finished = event("STEP_FINISHED", json!({"stepName": fresh}), &tag);
            let step =
                vec![event("STEP_STARTED", json!({"stepName": fresh}), &tag), finished.clone()];
            let requirement = "step/finished-by-its-owner";
            let broken = ("STEP_FINISHED", finished);
            self.add("not-open", requirement, Some(Kind::Step), who, broken, Some(step));
            if self.scope == Scope::Run || self.state.input_known {
                let result = event("TOOL_CALL_RESULT", answer(fresh), &tag);
                let whole = whole(Kind::Call, fresh, &tag);
                let requirement = "tool/result-of-known-call";
                let broken = ("TOOL_CALL_RESULT", result);
                self.add("unknown-id", requirement, Some(Kind::Call), who, broken, Some(whole));
            }
        }
        let kind = Some(Kind::Subagent);
        for id in [fresh, ""] {
            if self.state.spawners.contains_key(id) || self.state.announced.contains(id) {
                continue;
            }
            let who = if id.is_empty() { Who::EmptyId } else { Who::Subagent };
            for broken in ended(id) {
                let requirement = "subagent/active-before-end";
                self.add("not-open", requirement, kind, who, broken, Some(aside(None)));
            }
            let child = json!({
                "subagentRunId": "never-seen-child",
                "name": "helper",
                "parentSubagentRunId": id,
            });
            let broken = ("SUBAGENT_STARTED", event("SUBAGENT_STARTED", child, &None));
            let known = self.state.announced.first().cloned();
            let requirement = "subagent/announced-parent";
            self.add("unknown-id", requirement, kind, who, broken, Some(aside(known)));
        }
    }

    /// Faults at whatever has an owner, open or not.
    fn owned(&mut self, kind: Kind, id: &str, owner: &Owner) {
        let text = self.state.owner(Kind::Text, id);
        let looked_up = kind != Kind::Reasoning || text.is_none();
        for tag in self.tags().into_iter().filter(|tag| tag.is_some() && tag != owner) {
            let who = Who::of(self.state, &tag, owner);
            if kind == Kind::Activity {
                let members = || {
                    // A patch of nothing, since later ones may test what they patch.
                    json!({"messageId": id, "activityType": "acme.progress", "patch": []})
                };
                let broken = ("ACTIVITY_DELTA", event("ACTIVITY_DELTA", members(), &tag));
                let twin = vec![event("ACTIVITY_DELTA", members(), &None)];
                let requirement = "activity/owner-agrees";
                self.add("owner-mismatch", requirement, Some(kind), who, broken, Some(twin));
                continue;
            }
            if looked_up {
                let name = "REASONING_ENCRYPTED_VALUE";
                let subtype = if kind == Kind::Call { "tool-call" } else { "message" };
                let members =
                    || json!({"subtype": subtype, "entityId": id, "encryptedValue": "c2VhbGVk"});
                // A span alone makes no message that could be named.
                let known =
                    kind == Kind::Call || self.state.messages.contains_key(&(kind, id.to_owned()));
                let twin = known.then(|| vec![event(name, members(), owner)]);
                let broken = (name, event(name, members(), &tag));
                let requirement = "subagent/owner-agrees";
                self.add("owner-mismatch", requirement, Some(kind), who, broken, twin);
            }
            if kind == Kind::Text {
                let members = || {
                    json!({
                        "toolCallId": "never-seen",
                        "toolCallName": "lookup",
                        "parentMessageId": id,
                    })
                };
                let broken = ("TOOL_CALL_START", event("TOOL_CALL_START", members(), &tag));
                let call = |name| {
                    event(name, item(Kind::Call, "never-seen", name == "TOOL_CALL_ARGS"), owner)
                };
                let twin = vec![
                    event("TOOL_CALL_START", members(), owner),
                    call("TOOL_CALL_ARGS"),
                    call("TOOL_CALL_END"),
                    event("TOOL_CALL_RESULT", answer("never-seen"), owner),
                ];
                let requirement = "subagent/call-follows-its-message";
                self.add("owner-mismatch", requirement, Some(Kind::Call), who, broken, Some(twin));
            }
        }
    }
}
