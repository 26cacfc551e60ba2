//! Faults beyond the order of events at what the stream has: its messages, calls, activities
//! and state.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::amid::{Place, name};
use crate::fault::pieces::{aside, event, whole};
use crate::fault::{Cell, Change, Edit, Who};
use crate::state::{Kind, Owner};

/// An id that no stream has.
const FRESH: &str = "own-fresh";

/// Every fault that has a place here.
pub(super) fn faults(place: &Place<'_>, edits: &mut Vec<Edit>) {
    let mut faults = Faults { place, tags: place.tags().map(|(tag, _)| tag).collect(), edits };
    faults.activities();
    faults.taken_ids();
    faults.sealed();
    if place.is_free() {
        faults.state();
        faults.reopened_messages();
        faults.calls();
        faults.announced_late();
    }
}

struct Faults<'p> {
    place: &'p Place<'p>,
    tags: Vec<Owner>,
    edits: &'p mut Vec<Edit>,
}

impl Faults<'_> {
    /// The first of these events shows the fault.
    fn add(
        &mut self,
        requirement: &'static str,
        kind: Option<Kind>,
        event_type: &'static str,
        who: Who,
        broken: Vec<Value>,
        twin: Option<Vec<Value>>,
    ) {
        self.edits.push(Edit {
            cell: Cell { rule: requirement, kind, event_type, who },
            requirement,
            change: Change::Splice(self.place.at, broken, self.place.at),
            twin,
        });
    }

    fn who(&self, tag: &Owner, owner: &Owner) -> Who {
        Who::of(self.place.state, tag, owner)
    }

    fn state(&mut self) {
        if self.place.state.shared.is_none() {
            return;
        }
        let name = "STATE_DELTA";
        for tag in self.tags.clone() {
            let delta = |patch: Value| vec![event(name, json!({"delta": patch}), &tag)];
            let broken = delta(json!([{"op": "remove", "path": "/own-none"}]));
            let who = self.who(&tag, &None);
            let twin = Some(delta(json!([])));
            self.add("state/delta-applies", None, name, who, broken, twin);
        }
    }

    fn activities(&mut self) {
        let kind = Some(Kind::Activity);
        for id in self.place.state.activities.keys() {
            let recorded = self.place.state.owner(Kind::Activity, id);
            for tag in self.tags.clone() {
                let owner = recorded.cloned().unwrap_or_default();
                let who = self.who(&tag, &owner);
                let keep = |tag: &Owner| {
                    let members = json!({
                        "messageId": id, "activityType": "acme.progress", "content": {},
                        "replace": false,
                    });
                    vec![event("ACTIVITY_SNAPSHOT", members, tag)]
                };
                if recorded.is_some() && tag.is_some() && tag != owner {
                    let twin = Some(keep(&owner));
                    let requirement = "activity/keep-agrees";
                    self.add(requirement, kind, "ACTIVITY_SNAPSHOT", who, keep(&tag), twin);
                }
                if tag.is_some() && tag != owner {
                    continue;
                }
                let name = "ACTIVITY_DELTA";
                let delta = |patch: Value| {
                    let members = json!({
                        "messageId": id, "activityType": "acme.progress", "patch": patch,
                    });
                    vec![event(name, members, &tag)]
                };
                for (requirement, patch) in [
                    ("activity/delta-applies", json!([{"op": "remove", "path": "/own-none"}])),
                    (
                        "activity/stays-an-object",
                        json!([{"op": "replace", "path": "", "value": []}]),
                    ),
                ] {
                    let twin = Some(delta(json!([])));
                    self.add(requirement, kind, name, who, delta(patch), twin);
                }
            }
        }
    }

    /// The messages of the stream, and who owns each.
    fn messages(&self) -> Vec<(Kind, String, Owner)> {
        let state = self.place.state;
        let messages = state.messages.keys().filter(|(kind, _)| *kind != Kind::Activity);
        let owner = |kind: Kind, id: &str| state.owner(kind, id).cloned().unwrap_or_default();
        messages.map(|(kind, id)| (*kind, id.clone(), owner(*kind, id))).collect()
    }

    /// An activity that takes the id of a message.
    fn taken_ids(&mut self) {
        let name = "ACTIVITY_SNAPSHOT";
        for (kind, id, owner) in self.messages() {
            for tag in self.tags.clone() {
                let shows = |id: &str| {
                    let members = json!({"messageId": id, "activityType": "a", "content": {}});
                    vec![event(name, members, &tag)]
                };
                let who = self.who(&tag, &owner);
                let twin = Some(shows(FRESH));
                self.add("ids/message-unique", Some(kind), name, who, shows(&id), twin);
            }
        }
    }

    /// Encrypted values of activities, and of messages as if they were calls.
    fn sealed(&mut self) {
        let state = self.place.state;
        let name = "REASONING_ENCRYPTED_VALUE";
        let messages = self.messages();
        let known = messages.first().map(|(_, id, _)| id.clone());
        let value = |subtype: &str, id: &str, tag: &Owner| {
            let members = json!({"subtype": subtype, "entityId": id, "encryptedValue": "c2VhbGVk"});
            vec![event(name, members, tag)]
        };
        let calls: BTreeSet<&String> = state
            .messages
            .values()
            .flat_map(|message| message.calls.iter().chain(&message.answers))
            .chain(state.owners.keys().filter(|(k, _)| *k == Kind::Call).map(|(_, id)| id))
            .chain(&state.earlier_calls)
            .chain(state.frontend.keys())
            .collect();
        let no_calls = messages.iter().filter(|(_, id, _)| !calls.contains(id));
        let no_calls = no_calls.map(|(kind, id, owner)| (*kind, "tool-call", id, owner.clone()));
        // A call may name whatever it likes as its parent, which is then as good as known.
        let parents: BTreeSet<&String> = state
            .said
            .iter()
            .filter(|((kind, _), _)| *kind == Kind::Call)
            .filter_map(|(_, (_, parent))| parent.as_ref())
            .collect();
        let activities = state.activities.keys().filter(|id| !parents.contains(id));
        let activities = activities.map(|id| {
            let owner = state.owner(Kind::Activity, id).cloned().unwrap_or_default();
            (Kind::Activity, "message", id, owner)
        });
        let all: Vec<(Kind, &str, &String, Owner)> = no_calls.chain(activities).collect();
        for (kind, subtype, id, owner) in all {
            for tag in self.tags.clone() {
                let who = self.who(&tag, &owner);
                let broken = value(subtype, id, &tag);
                let twin = known.as_ref().map(|known| value("message", known, &None));
                let requirement = "reasoning/encrypted-entity-known";
                self.add(requirement, Some(kind), name, who, broken, twin);
            }
        }
    }

    /// Messages that are opened again as another's, or under another name.
    fn reopened_messages(&mut self) {
        let state = self.place.state;
        let (start, end) = ("TEXT_MESSAGE_START", "TEXT_MESSAGE_END");
        let closed = state.closed.iter().filter(|(kind, _)| *kind == Kind::Text);
        for (_, id) in closed.filter(|(_, id)| !state.is_open(Kind::Text, id, &None)) {
            let Some((role, said)) = state.said.get(&(Kind::Text, id.clone())) else { continue };
            if role == "tool" {
                continue;
            }
            let other_role = if role == "user" { "system" } else { "user" };
            let owner = state.owner(Kind::Text, id).cloned().unwrap_or_default();
            let opened = |role: &str, name: Option<&String>, tag: &Owner| {
                let mut members = json!({"messageId": id});
                if !role.is_empty() {
                    members["role"] = json!(role);
                }
                if let Some(name) = name {
                    members["name"] = json!(name);
                }
                vec![event(start, members, tag), event(end, json!({"messageId": id}), tag)]
            };
            let another = "own-name".to_owned();
            for tag in BTreeSet::from([None, owner.clone()]) {
                let who = self.who(&tag, &owner);
                for broken in
                    [opened(other_role, said.as_ref(), &tag), opened(role, Some(&another), &tag)]
                {
                    let twin = Some(opened(role, said.as_ref(), &tag));
                    let requirement = "text/reopen-agrees";
                    self.add(requirement, Some(Kind::Text), start, who, broken, twin);
                }
            }
        }
    }

    /// Calls that were answered: a second answer, and a start that makes another of it.
    fn calls(&mut self) {
        let state = self.place.state;
        let kind = Some(Kind::Call);
        let before = self.place.events.get(..self.place.at).unwrap_or_default();
        for id in &state.answered {
            let key = (Kind::Call, id.clone());
            let (Some(owner), Some((tool, parent))) =
                (state.owners.get(&key), state.said.get(&key))
            else {
                continue;
            };
            let is_of = |event: &&Value| event["toolCallId"] == id.as_str();
            let last = before.iter().rev().find(is_of).map_or("", name);
            if last != "TOOL_CALL_RESULT" || state.is_frontend(id) {
                continue;
            }
            let answer = |tag: &Owner| {
                let members = json!({"messageId": FRESH, "toolCallId": id, "content": "again"});
                event("TOOL_CALL_RESULT", members, tag)
            };
            for tag in self.tags.clone() {
                let who = self.who(&tag, owner);
                let twin = Some(whole(Kind::Call, "own-call", &tag));
                let requirement = "tool/one-result";
                self.add(requirement, kind, "TOOL_CALL_RESULT", who, vec![answer(&tag)], twin);
            }
            let theirs = parent.as_ref().and_then(|id| state.owner(Kind::Text, id));
            let here = state.run_calls.contains(id) && theirs.is_none_or(|theirs| theirs == owner);
            if !here {
                continue;
            }
            for tag in BTreeSet::from([None, owner.clone()]) {
                let opened = |tool: &str, parent: Option<&String>| {
                    let mut members = json!({"toolCallId": id, "toolCallName": tool});
                    if let Some(parent) = parent {
                        members["parentMessageId"] = json!(parent);
                    }
                    let end = event("TOOL_CALL_END", json!({"toolCallId": id}), &tag);
                    vec![event("TOOL_CALL_START", members, &tag), end, answer(&None)]
                };
                let who = self.who(&tag, owner);
                let another = "own-parent".to_owned();
                for broken in [opened("own-tool", parent.as_ref()), opened(tool, Some(&another))] {
                    let twin = Some(opened(tool, parent.as_ref()));
                    let requirement = "tool/reopen-agrees";
                    self.add(requirement, kind, "TOOL_CALL_START", who, broken, twin);
                }
            }
        }
    }

    /// Subagents that are announced though they have spoken.
    fn announced_late(&mut self) {
        let state = self.place.state;
        let before = self.place.events.get(..self.place.at).unwrap_or_default();
        let begun = before.iter().rposition(|event| name(event) == "RUN_STARTED");
        let run = before.get(begun.unwrap_or_default()..).unwrap_or_default();
        for id in state.spawners.keys() {
            let said =
                |event: &Value| event.get("subagentRunId").is_some_and(|tag| tag == id.as_str());
            if state.announced.contains(id) || self.place.comes_later(id) || !run.iter().any(said) {
                continue;
            }
            let started = json!({"subagentRunId": id, "name": "late"});
            let broken = vec![
                event("SUBAGENT_STARTED", started, &None),
                event("SUBAGENT_FINISHED", json!({"subagentRunId": id}), &None),
            ];
            let tag = Some(id.clone());
            let who = self.who(&tag, &tag);
            let requirement = "subagent/announced-before-use";
            let kind = Some(Kind::Subagent);
            self.add(requirement, kind, "SUBAGENT_STARTED", who, broken, Some(aside(None)));
        }
    }
}
