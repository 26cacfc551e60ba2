//! Writing the items.

use serde_json::{Value, json};

use super::step::{Part, streamed};
use super::{Weaver, bit, kind_of, message};
use crate::plan::{Change, Item, Listed, Planned, Run};
use crate::state::{Kind, Owner};

impl Weaver<'_> {
    /// Writes a part of an item; false where the item cannot go on.
    pub(super) fn item(&mut self, run: &Run, agent: usize, planned: &Planned, part: usize) -> bool {
        let me = &run.agents[agent].id;
        match &planned.item {
            Item::Text { id, role, .. } => {
                self.said_first(Kind::Text, id, role.unwrap_or_default(), None);
                self.streamed(me, planned, Kind::Text, id, part)
            }
            Item::Reasoning { id, .. } => self.streamed(me, planned, Kind::Reasoning, id, part),
            Item::Call { id, parent, result, .. } => {
                if streamed(&planned.item).get(part) == Some(&Part::Result) {
                    let Some((message, by)) = result else { return false };
                    let by = self.usable(run, *by).unwrap_or_default();
                    return self.result(id, message, &by);
                }
                self.choose_parent(me, id, parent.as_deref());
                self.streamed(me, planned, Kind::Call, id, part)
            }
            Item::Answer { call, message } => self.result(call, message, me),
            Item::Step { name } => self.step_part(me, name, part),
            Item::Activity { id, changes } => {
                let change = part.checked_sub(1).and_then(|change| changes.get(change)).copied();
                self.activity(me, planned, id, change, part)
            }
            Item::State(_) => self.state_part(me, part),
            Item::Snapshot { more, given_to } => {
                let given_to = given_to.and_then(|place| self.usable(run, place));
                self.snapshot(more, given_to.as_ref());
                true
            }
            Item::Encrypted => self.encrypted(me, planned),
            Item::Raw => {
                let mut event = json!({"type": "RAW", "event": {"provider": "acme"}});
                self.tag(&mut event, me);
                self.emit(event);
                true
            }
            Item::Custom => {
                let mut event = json!({"type": "CUSTOM", "name": "acme.note", "value": null});
                self.tag(&mut event, me);
                self.emit(event);
                self.state.close_lane(me);
                true
            }
        }
    }

    /// What the first opening of an item says of it is said of every one.
    fn said_first(&mut self, kind: Kind, id: &str, what: &str, parent: Option<String>) {
        let key = (kind, id.to_owned());
        self.state.said.entry(key).or_insert_with(|| (what.to_owned(), parent));
    }

    /// Settles, before a call is first opened, which message it names as its parent.
    fn choose_parent(&mut self, me: &Owner, id: &str, parent: Option<&str>) {
        let parent = parent.and_then(|parent| {
            if !parent.is_empty() {
                return Some(parent.to_owned());
            }
            let mut mine = self
                .state
                .owners
                .iter()
                .filter(|((kind, _), owner)| *kind == Kind::Text && *owner == me);
            mine.next_back().map(|((_, id), _)| id.clone())
        });
        self.said_first(Kind::Call, id, "lookup", parent);
    }

    fn streamed(
        &mut self,
        me: &Owner,
        planned: &Planned,
        kind: Kind,
        id: &str,
        part: usize,
    ) -> bool {
        let Some(what) = streamed(&planned.item).get(part).copied() else { return false };
        let owner = self.state.owner(kind, id).cloned().unwrap_or_else(|| me.clone());
        let known = self.state.owner(kind, id).is_some();
        // The owner may tag what goes on, and must tag what begins.
        let tag = if known && bit(planned, part) { None } else { owner.clone() };
        let (event, entity) = match what {
            Part::SpanStart => ("REASONING_START", Kind::Span),
            Part::SpanEnd => ("REASONING_END", Kind::Span),
            Part::Start => (start_type(kind), kind),
            Part::Content(..) => (content_type(kind), kind),
            Part::End => (end_type(kind), kind),
            Part::Chunk(piece, of) => {
                return self.chunk(planned, kind, id, &owner, part, (piece, of));
            }
            Part::Result => return false,
        };
        let opens = matches!(what, Part::SpanStart | Part::Start);
        let closes = matches!(what, Part::SpanEnd | Part::End);
        let mut event = json!({"type": event, id_member(kind): id});
        let mut tag = tag;
        if opens {
            let Some(inherits) = self.describe(&mut event, entity, id, &owner) else {
                return false;
            };
            if inherits && bit(planned, part + 1) {
                tag = None;
            }
        } else if !self.state.is_open(entity, id, &None) {
            return false;
        }
        if let Part::Content(piece, of) = what {
            event["delta"] = json!(piece_of(kind, piece, of));
        }
        self.tag(&mut event, &tag);
        self.emit(event);
        if opens {
            self.state.close_assembling(entity, id);
            self.state.close_lane(&tag);
            self.opened(entity, id, &owner, None);
        } else {
            self.state.close_lane(&tag);
        }
        if closes {
            self.state.closes(entity, id, &None);
        }
        true
    }

    /// Adds what a start says of its item, and tells whether the owner follows from it; none
    /// where it cannot be said any more.
    pub(super) fn describe(
        &self,
        event: &mut Value,
        kind: Kind,
        id: &str,
        owner: &Owner,
    ) -> Option<bool> {
        let said = self.state.said.get(&(kind, id.to_owned()));
        match kind {
            Kind::Text => {
                if let Some((role, _)) = said.filter(|(role, _)| !role.is_empty()) {
                    event["role"] = json!(role);
                }
            }
            Kind::Reasoning => event["role"] = json!("reasoning"),
            Kind::Call => {
                event["toolCallName"] = json!("lookup");
                if let Some((_, Some(parent))) = said {
                    event["parentMessageId"] = json!(parent);
                    return match self.state.owner(Kind::Text, parent) {
                        Some(theirs) if theirs != owner => None,
                        theirs => Some(theirs.is_some()),
                    };
                }
            }
            _ => {}
        }
        Some(false)
    }

    pub(super) fn opened(&mut self, kind: Kind, id: &str, owner: &Owner, lane: Option<Owner>) {
        self.state.own_first(kind, id, owner);
        self.state.opens(kind, id, owner, lane);
        if kind == Kind::Call && !self.state.unanswered.iter().any(|call| call == id) {
            self.state.unanswered.push(id.to_owned());
        }
    }

    fn result(&mut self, call: &str, message: &str, by: &Owner) -> bool {
        let known =
            self.state.owner(Kind::Call, call).is_some() || self.state.earlier_calls.contains(call);
        let open = self.state.open.get(&(Kind::Call, call.to_owned(), None));
        if !known || open.is_some_and(|open| open.lane.is_none()) {
            return false;
        }
        let mut event = json!({
            "type": "TOOL_CALL_RESULT",
            "messageId": message,
            "toolCallId": call,
            "content": "found",
            "role": "tool",
        });
        self.tag(&mut event, by);
        self.emit(event);
        self.state.close_assembling(Kind::Call, call);
        self.state.close_assembling(Kind::Text, message);
        self.state.close_lane(by);
        self.state.own(Kind::Text, message, by);
        self.said_first(Kind::Text, message, "tool", Some(call.to_owned()));
        self.state.unanswered.retain(|unanswered| unanswered != call);
        true
    }

    fn step_part(&mut self, me: &Owner, name: &str, part: usize) -> bool {
        let open = self.state.is_open(Kind::Step, name, me);
        if open == (part == 0) {
            return false;
        }
        let event = if part == 0 { "STEP_STARTED" } else { "STEP_FINISHED" };
        let mut event = json!({"type": event, "stepName": name});
        self.tag(&mut event, me);
        self.emit(event);
        self.state.close_lane(me);
        if part == 0 {
            self.state.opens(Kind::Step, name, me, None);
        } else {
            self.state.closes(Kind::Step, name, me);
        }
        true
    }

    fn activity(
        &mut self,
        me: &Owner,
        planned: &Planned,
        id: &str,
        change: Option<Change>,
        part: usize,
    ) -> bool {
        let owner = self.state.owner(Kind::Activity, id).cloned().unwrap_or_else(|| me.clone());
        if change == Some(Change::Delta) {
            let mut event = json!({
                "type": "ACTIVITY_DELTA",
                "messageId": id,
                "activityType": "acme.progress",
                "patch": [{"op": "add", "path": "/done", "value": part}],
            });
            let tag = if bit(planned, part) { None } else { owner };
            self.tag(&mut event, &tag);
            self.emit(event);
            return true;
        }
        let mut event = json!({
            "type": "ACTIVITY_SNAPSHOT",
            "messageId": id,
            "activityType": "acme.progress",
            "content": {"done": 0},
        });
        // One that shows the activity first owns it, whether it would replace or not.
        let first = self.state.owner(Kind::Activity, id).is_none();
        let keep = change == Some(Change::Keep) || (first && bit(planned, 5));
        if keep {
            event["replace"] = json!(false);
        }
        let tag = if keep { owner } else { me.clone() };
        self.tag(&mut event, &tag);
        self.emit(event);
        if !keep || first {
            self.state.own(Kind::Activity, id, me);
        }
        true
    }

    fn state_part(&mut self, me: &Owner, part: usize) -> bool {
        let mut event = if part == 0 {
            json!({"type": "STATE_SNAPSHOT", "snapshot": {"n": 0}})
        } else {
            let add = json!({"op": "add", "path": "/n", "value": part});
            json!({"type": "STATE_DELTA", "delta": [add]})
        };
        self.tag(&mut event, me);
        self.emit(event);
        self.state.close_lane(me);
        self.state.shared_is_known = true;
        true
    }

    fn encrypted(&mut self, me: &Owner, planned: &Planned) -> bool {
        let mine = self
            .state
            .owners
            .iter()
            .filter(|((kind, _), owner)| *owner == me && *kind != Kind::Activity);
        let mine: Vec<(Kind, String)> = mine.map(|(key, _)| key.clone()).collect();
        let Some((kind, id)) =
            mine.get(usize::from(planned.style.to_le_bytes()[2]) % mine.len().max(1))
        else {
            return false;
        };
        // A message of both kinds is looked up as a text message.
        if *kind == Kind::Reasoning && self.state.owner(Kind::Text, id).is_some_and(|o| o != me) {
            return false;
        }
        let subtype = if *kind == Kind::Call { "tool-call" } else { "message" };
        let mut event = json!({
            "type": "REASONING_ENCRYPTED_VALUE",
            "subtype": subtype,
            "entityId": id,
            "encryptedValue": "c2VhbGVk",
        });
        let tag = if bit(planned, 0) { None } else { me.clone() };
        self.tag(&mut event, &tag);
        self.emit(event);
        true
    }

    fn snapshot(&mut self, more: &[Listed], given_to: Option<&Owner>) {
        let known: Vec<(Kind, String, Owner)> = self
            .state
            .owners
            .iter()
            // One of nothing is a snapshot too.
            .filter(|((kind, _), _)| {
                *kind != Kind::Call && !(more.is_empty() && given_to.is_none())
            })
            .map(|((kind, id), owner)| (*kind, id.clone(), owner.clone()))
            .collect();
        let owners = known.into_iter().enumerate().map(|(place, (kind, id, owner))| {
            let given = given_to.filter(|_| place == 0).cloned();
            (kind, id, given.unwrap_or(owner))
        });
        let owners: Vec<(Kind, String, Owner)> = owners.collect();
        let restated = owners.iter().map(|(kind, id, owner)| self.restated(*kind, id, owner));
        let messages: Vec<Value> = restated.chain(more.iter().map(message)).collect();
        self.emit(json!({"type": "MESSAGES_SNAPSHOT", "messages": messages}));
        for (kind, id, owner) in &owners {
            self.state.own(*kind, id, owner);
        }
        self.state.close_all_lanes();
        for listed in more {
            self.state.own(kind_of(listed.role), &listed.id, &listed.tag);
            self.state.tags.extend(listed.tag.clone());
            for call in &listed.calls {
                self.state.own(Kind::Call, call, &listed.tag);
            }
        }
    }

    /// A known message as a snapshot restates it.
    fn restated(&self, kind: Kind, id: &str, owner: &Owner) -> Value {
        let said = self.state.said.get(&(Kind::Text, id.to_owned()));
        let role = match (kind, said) {
            (Kind::Reasoning, _) => "reasoning",
            (Kind::Activity, _) => "activity",
            (_, Some((role, _))) if !role.is_empty() => role,
            _ => "assistant",
        };
        let mut message = json!({"id": id, "role": role, "content": "so far"});
        if role == "activity" {
            message["activityType"] = json!("acme.progress");
            message["content"] = json!({"done": 0});
        }
        if let Some((_, Some(call))) = said.filter(|_| role == "tool") {
            message["toolCallId"] = json!(call);
        }
        if let Some(owner) = owner {
            message["subagentRunId"] = json!(owner);
        }
        message
    }
}

pub(super) fn id_member(kind: Kind) -> &'static str {
    if kind == Kind::Call { "toolCallId" } else { "messageId" }
}

fn start_type(kind: Kind) -> &'static str {
    match kind {
        Kind::Call => "TOOL_CALL_START",
        Kind::Reasoning => "REASONING_MESSAGE_START",
        _ => "TEXT_MESSAGE_START",
    }
}

fn content_type(kind: Kind) -> &'static str {
    match kind {
        Kind::Call => "TOOL_CALL_ARGS",
        Kind::Reasoning => "REASONING_MESSAGE_CONTENT",
        _ => "TEXT_MESSAGE_CONTENT",
    }
}

fn end_type(kind: Kind) -> &'static str {
    match kind {
        Kind::Call => "TOOL_CALL_END",
        Kind::Reasoning => "REASONING_MESSAGE_END",
        _ => "TEXT_MESSAGE_END",
    }
}

/// A piece of a text, or of arguments that are a JSON document together.
pub(super) fn piece_of(kind: Kind, piece: usize, of: usize) -> &'static str {
    match (kind, piece) {
        (Kind::Call, 0) if of == 1 => "{}",
        (Kind::Call, 0) => "{",
        (Kind::Call, piece) if piece + 1 == of => "}",
        (Kind::Call, _) => " ",
        (_, 1) => "",
        _ => "words ",
    }
}
