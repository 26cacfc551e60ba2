//! Writing messages in lists, and learning from lists.

use conform_event::shape::Version;
use serde_json::{Value, json};

use super::words::{content, listed_arguments, metadata, said_before};
use super::{Weaver, kind_of};
use crate::plan::{Listed, Run, Scope};
use crate::state::{Kind, Message, Owner, State};
use crate::style::Style;

impl Weaver<'_> {
    /// Writes a snapshot of the messages so far and `more`.
    pub(super) fn snapshot(
        &mut self,
        more: &[Listed],
        given_to: Option<&Owner>,
        answer: Option<&str>,
    ) {
        self.complete_all_lanes();
        // One of nothing is a snapshot too.
        let nothing = more.is_empty() && given_to.is_none() && answer.is_none();
        let mut list = if nothing { Vec::new() } else { self.messages_so_far(given_to) };
        list.extend(more.iter().map(|listed| self.message(listed)));
        list.extend(answer.and_then(|id| self.answered_in_list(id)));
        let mut ids: Vec<Value> = Vec::new();
        // What was listed before as one of the further ones is among the known ones by now.
        list.retain(|message| {
            let first = !ids.contains(&message["id"]);
            ids.push(message["id"].clone());
            first
        });
        self.emit(json!({"type": "MESSAGES_SNAPSHOT", "messages": list}));
        self.state.close_all_lanes();
        self.learn(&list, false);
        self.state.tags.extend(more.iter().filter_map(|listed| listed.tag.clone()));
    }

    /// The messages that a snapshot restates, the first of them given to somebody if so told.
    fn messages_so_far(&self, given_to: Option<&Owner>) -> Vec<Value> {
        let earlier = self.style.one_in("earlier runs", 2);
        let mut list = Vec::new();
        for (kind, id) in self.state.messages.keys() {
            let owner = self.state.owner(*kind, id);
            if owner.is_none() && !earlier {
                continue;
            }
            let given = given_to.filter(|_| list.is_empty());
            let owner = given.or(owner).cloned().unwrap_or_default();
            list.extend(self.restated(*kind, id, &owner, self.style.part(list.len()), "so far"));
        }
        list
    }

    /// A message that answers a call of the run that waits.
    fn answered_in_list(&self, id: &str) -> Option<Value> {
        let state = &self.state;
        let held = |call: &str| {
            let open = state.open.get(&State::key(Kind::Call, call, &None));
            open.is_some_and(|open| open.lane.is_none())
        };
        let mut waiting = state.unanswered.iter();
        let call = waiting.find(|call| !held(call) && !state.is_frontend(call))?;
        let id = state.results.get(call).map_or(id, String::as_str);
        let mut message = json!({"id": id, "role": "tool", "content": "found"});
        message["toolCallId"] = json!(call);
        Some(message)
    }

    /// The messages of earlier runs as the input of this one has them, with answers to the
    /// frontend calls that wait.
    pub(super) fn earlier_messages(&self, run: &Run) -> Vec<Value> {
        let mut list = Vec::new();
        for (kind, id) in self.state.messages.keys() {
            let owner = self.state.owner(*kind, id).cloned().flatten();
            // A subagent of this run cannot have sent it.
            let owner = owner.filter(|id| run.agents.iter().all(|a| a.id.as_ref() != Some(id)));
            let style = self.style.part(list.len());
            list.extend(self.restated(*kind, id, &owner, style, &said_before(style)));
        }
        for (call, id) in &self.state.results {
            let waits = self.state.frontend.get(call) == Some(&true)
                && !self.state.answered.contains(call)
                && !self.state.messages.contains_key(&(Kind::Text, id.clone()));
            if waits {
                let content = content(self.style.part(list.len()), "yes");
                let message = json!({"id": id, "role": "tool", "content": content});
                list.push(message);
                if let Some(message) = list.last_mut() {
                    message["toolCallId"] = json!(call);
                }
            }
        }
        list
    }

    /// A known message as a list restates it; none where only an input could.
    fn restated(
        &self,
        kind: Kind,
        id: &str,
        owner: &Owner,
        style: Style,
        text: &str,
    ) -> Option<Value> {
        let known = self.state.messages.get(&(kind, id.to_owned()))?;
        let mut message = json!({"id": id, "role": known.role, "content": text});
        if let Some(call) = &known.answers {
            let frontend = self.state.frontend.get(call).copied();
            if !known.carried && frontend.unwrap_or_else(|| self.state.is_advertised(call)) {
                return None;
            }
            message["toolCallId"] = json!(call);
        }
        if kind == Kind::Activity {
            message["activityType"] = json!("acme.progress");
            message["content"] = match self.state.activities.get(id) {
                Some(content) if !style.one_in("changed", 4) => content.clone(),
                _ => json!({"listed": style.below("listed", 3)}),
            };
        }
        if let Some(owner) = owner {
            message["subagentRunId"] = json!(owner);
        }
        if let Some((_, Some(name))) = self.state.said.get(&(kind, id.to_owned()))
            && kind == Kind::Text
            && known.answers.is_none()
        {
            message["name"] = json!(name);
        }
        let calls = known.role == "assistant" && style.one_in("calls", 2);
        if calls && !known.calls.is_empty() {
            let calls = known.calls.iter().enumerate();
            message["toolCalls"] = calls
                .map(|(at, call)| {
                    let said = self.state.said.get(&(Kind::Call, call.clone()));
                    let tool = said.map_or("lookup", |(tool, _)| tool.as_str());
                    self.listed_call(call, tool, style.part(at))
                })
                .collect();
        }
        self.adorn(&mut message, &known.role, style);
        Some(message)
    }

    /// A listed message as it stands in an input or a snapshot.
    pub(super) fn message(&self, listed: &Listed) -> Value {
        let style = self.styled(listed.style, 0);
        let mut message = json!({"id": listed.id, "role": listed.role});
        match listed.role {
            "activity" => {
                message["activityType"] = json!("acme.progress");
                message["content"] = match style.below("activity", 2) {
                    0 => json!({}),
                    _ => json!({"before": [1]}),
                };
            }
            "user" | "tool" => message["content"] = content(style, &said_before(style)),
            "assistant" if style.one_in("no content", 3) => {}
            _ => message["content"] = json!(said_before(style)),
        }
        if let Some(tag) = &listed.tag {
            message["subagentRunId"] = json!(tag);
        }
        if let Some(call) = &listed.answers {
            message["toolCallId"] = json!(call);
            if style.one_in("error", 4) {
                message["error"] = json!("not found");
            }
        }
        let named = matches!(listed.role, "user" | "assistant" | "developer" | "system");
        if named && style.one_in("name", 4) {
            message["name"] = json!("Ada");
        }
        if !listed.calls.is_empty() || (listed.role == "assistant" && style.one_in("none", 8)) {
            let calls = listed.calls.iter().enumerate();
            message["toolCalls"] =
                calls.map(|(at, c)| self.listed_call(&c.id, c.tool, style.part(at))).collect();
        }
        self.adorn(&mut message, listed.role, style);
        message
    }

    fn listed_call(&self, id: &str, tool: &str, style: Style) -> Value {
        let function = json!({"name": tool, "arguments": listed_arguments(style)});
        let mut call = json!({"id": id, "type": "function", "function": function});
        self.seal(&mut call, style);
        self.metadata(&mut call, style);
        call
    }

    /// Adds what any message may have.
    fn adorn(&self, message: &mut Value, role: &str, style: Style) {
        if role != "activity" {
            self.seal(message, style);
        }
        self.metadata(message, style);
    }

    /// Adds an encrypted value, now and then.
    fn seal(&self, to: &mut Value, style: Style) {
        if style.one_in("encryptedValue", 8) {
            to["encryptedValue"] = json!("c2VhbGVk");
            self.seal_type(to, style);
        }
    }

    /// Adds the type of an encrypted value, now and then, where the version has it.
    pub(super) fn seal_type(&self, to: &mut Value, style: Style) {
        if self.state.version > Some(Version::V1_0) && style.one_in("encryptedValueType", 2) {
            to["encryptedValueType"] = json!("acme/signature");
        }
    }

    pub(super) fn metadata(&self, to: &mut Value, style: Style) {
        if self.scope == Scope::Stream && style.one_in("metadata", 8) {
            to["metadata"] = metadata(style);
        }
    }

    /// Takes in a list of messages: of an input, which is a beginning, or of a snapshot, which
    /// has the last word.
    pub(super) fn learn(&mut self, list: &[Value], from_input: bool) {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        for message in list {
            let (Some(id), Some(role)) = (text(&message["id"]), text(&message["role"])) else {
                continue;
            };
            let (kind, owner) = (kind_of(&role), text(&message["subagentRunId"]));
            self.learn_owner(kind, &id, &owner, from_input);
            let answers = text(&message["toolCallId"]);
            let calls: Vec<(String, String)> = message["toolCalls"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|call| Some((text(&call["id"])?, text(&call["function"]["name"])?)))
                .collect();
            for (call, tool) in &calls {
                self.learn_owner(Kind::Call, call, &owner, from_input);
                self.said_first(Kind::Call, call, tool, None);
            }
            if let Some(call) = &answers {
                self.state.call_answered(call);
                self.state.results.entry(call.clone()).or_insert_with(|| id.clone());
                self.said_first(Kind::Text, &id, "tool", Some(call.clone()));
            }
            if kind == Kind::Activity {
                let known = self.state.activities.contains_key(&id);
                if !(known && from_input) {
                    self.state.activities.insert(id.clone(), message["content"].clone());
                }
            }
            let known = self.state.messages.entry((kind, id)).or_insert_with(|| Message {
                role,
                answers,
                ..Message::default()
            });
            known.carried |= from_input;
            for (call, _) in calls {
                if !known.calls.contains(&call) {
                    known.calls.push(call);
                }
            }
        }
    }

    fn learn_owner(&mut self, kind: Kind, id: &str, owner: &Owner, from_input: bool) {
        if from_input {
            self.state.own_first(kind, id, owner);
        } else {
            self.state.own(kind, id, owner);
        }
    }
}
