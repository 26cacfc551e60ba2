//! Writing the items.

use serde_json::{Value, json};

use super::step::{Part, streamed};
use super::words::{any_value, content, words};
use super::{Weaver, bit};
use crate::plan::{Item, Planned, Run};
use crate::state::{Kind, Message, Owner, State};

impl Weaver<'_> {
    /// Writes a part of an item; false where the item cannot go on.
    pub(super) fn item(&mut self, run: &Run, agent: usize, planned: &Planned, part: usize) -> bool {
        let me = &run.agents[agent].id;
        match &planned.item {
            Item::Text { id, role, name, .. } => {
                let name = name.map(str::to_owned);
                self.said_first(Kind::Text, id, role.unwrap_or_default(), name);
                self.streamed(me, planned, Kind::Text, id, part)
            }
            Item::Reasoning { id, .. } => self.streamed(me, planned, Kind::Reasoning, id, part),
            Item::Call { id, tool, parent, result, .. } => {
                if streamed(&planned.item).get(part) == Some(&Part::Result) {
                    let Some((message, by)) = result else { return false };
                    let by = self.usable(run, *by).unwrap_or_default();
                    return self.result(id, message, &by);
                }
                self.choose_parent(me, id, tool, parent.as_deref());
                self.streamed(me, planned, Kind::Call, id, part)
            }
            Item::Answer { call, message } => self.result(call, message, me),
            Item::Step { name } => self.step_part(me, name, part),
            Item::Activity { id, changes } => {
                let change = part.checked_sub(1).and_then(|change| changes.get(change)).copied();
                self.activity(me, planned, id, change, part)
            }
            Item::State { snapshot, .. } => self.state_part(me, *snapshot && part == 0),
            Item::Snapshot { more, given_to, answer } => {
                let given_to = given_to.and_then(|place| self.usable(run, place));
                self.snapshot(more, given_to.as_ref(), answer.as_deref());
                true
            }
            Item::Encrypted => self.encrypted(me, planned),
            Item::Raw => {
                let provider = match self.style.below("raw event", 4) {
                    0 => json!({"provider": "acme"}),
                    1 => Value::Null,
                    _ => any_value(self.style, "raw event of"),
                };
                let mut event = json!({"type": "RAW", "event": provider});
                if self.style.one_in("source", 2) {
                    event["source"] = json!("acme");
                }
                self.tag(&mut event, me);
                self.emit(event);
                true
            }
            Item::Custom => {
                const NAMES: [&str; 5] =
                    ["acme.note", "acme:progress", "acme/a/b", "com.acme.x", ":acme:x"];
                self.complete_lane(me);
                let value = match self.style.below("value", 2) {
                    0 => Value::Null,
                    _ => any_value(self.style, "custom value"),
                };
                let name = self.style.pick("name", NAMES);
                let mut event = json!({"type": "CUSTOM", "name": name, "value": value});
                self.tag(&mut event, me);
                self.emit(event);
                self.state.close_lane(me);
                true
            }
        }
    }

    /// What the first opening of an item says of it is said of every one.
    pub(super) fn said_first(&mut self, kind: Kind, id: &str, what: &str, parent: Option<String>) {
        let key = (kind, id.to_owned());
        self.state.said.entry(key).or_insert_with(|| (what.to_owned(), parent));
    }

    /// Settles, before a call is first opened, which message it names as its parent.
    fn choose_parent(&mut self, me: &Owner, id: &str, tool: &str, parent: Option<&str>) {
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
        self.said_first(Kind::Call, id, tool, parent);
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
            let held = self.state.open.get(&State::key(entity, id, &None));
            if held.is_some_and(|open| open.lane.is_none())
                || (kind == Kind::Call && !self.may_open(id))
            {
                return false;
            }
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
            event["delta"] = json!(self.piece(kind, id, piece, of));
        }
        self.complete_lane(&tag);
        if opens {
            self.complete_assembling(entity, id);
            if kind == Kind::Call {
                self.begin_arguments(id);
            }
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
                let role = said.map(|(role, _)| role.as_str()).filter(|role| !role.is_empty());
                // Who is not named is the assistant.
                let other_words = self.style.one_in("role", 4);
                match role {
                    None if other_words => event["role"] = json!("assistant"),
                    Some("assistant") if other_words => {}
                    None => {}
                    Some(role) => event["role"] = json!(role),
                }
                if let Some((_, Some(name))) = said {
                    event["name"] = json!(name);
                }
            }
            Kind::Reasoning => event["role"] = json!("reasoning"),
            Kind::Call => {
                event["toolCallName"] = json!(said.map_or("lookup", |(tool, _)| tool.as_str()));
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
        let key = (kind, id.to_owned());
        let said = self.state.said.get(&key).cloned();
        match kind {
            Kind::Call => {
                self.state.call_opened(id);
                let parent = said.and_then(|(_, parent)| parent).unwrap_or_default();
                let parent = self.state.messages.get_mut(&(Kind::Text, parent));
                if let Some(parent) = parent.filter(|p| p.calls.iter().all(|call| call != id)) {
                    parent.calls.push(id.to_owned());
                }
            }
            Kind::Text | Kind::Reasoning => {
                let role = said.map(|(role, _)| role).filter(|role| !role.is_empty());
                let other = if kind == Kind::Text { "assistant" } else { "reasoning" };
                self.state.messages.entry(key).or_insert_with(|| Message {
                    role: role.unwrap_or_else(|| other.to_owned()),
                    ..Message::default()
                });
            }
            _ => {}
        }
    }

    /// Whether a call may be opened (again) in this run: one that was the agent's own does not
    /// become a frontend call.
    pub(super) fn may_open(&self, id: &str) -> bool {
        self.state.frontend.get(id) != Some(&false) || !self.state.is_advertised(id)
    }

    /// A piece of a text, or of arguments.
    pub(super) fn piece(&mut self, kind: Kind, id: &str, piece: usize, of: usize) -> String {
        match kind {
            Kind::Call => self.argument_piece(id, piece, of),
            _ => words(self.style, piece).to_owned(),
        }
    }

    fn result(&mut self, call: &str, message: &str, by: &Owner) -> bool {
        let known =
            self.state.owner(Kind::Call, call).is_some() || self.state.earlier_calls.contains(call);
        let open = self.state.open.get(&State::key(Kind::Call, call, &None));
        if !known || open.is_some_and(|open| open.lane.is_none()) {
            return false;
        }
        // A call has one message that answers it, however often it is answered; that of a
        // frontend call comes with a later input.
        let answer = self.state.results.entry(call.to_owned());
        let message = answer.or_insert_with(|| message.to_owned()).clone();
        // It may be opened and answered again by another item.
        if self.state.answered.contains(call) || self.state.is_frontend(call) {
            return true;
        }
        self.complete_assembling(Kind::Call, call);
        self.complete_lane(by);
        let mut event = json!({
            "type": "TOOL_CALL_RESULT",
            "messageId": message,
            "toolCallId": call,
            "content": content(self.style, "found"),
        });
        if !self.style.one_in("no role", 3) {
            event["role"] = json!("tool");
        }
        self.tag(&mut event, by);
        self.emit(event);
        self.state.close_assembling(Kind::Call, call);
        self.state.close_assembling(Kind::Text, &message);
        self.state.close_lane(by);
        self.state.own(Kind::Text, &message, by);
        self.said_first(Kind::Text, &message, "tool", Some(call.to_owned()));
        self.state.call_answered(call);
        let made = || Message {
            role: "tool".to_owned(),
            answers: Some(call.to_owned()),
            ..Message::default()
        };
        self.state.messages.entry((Kind::Text, message)).or_insert_with(made);
        true
    }

    fn step_part(&mut self, me: &Owner, name: &str, part: usize) -> bool {
        let open = self.state.is_open(Kind::Step, name, me);
        if open == (part == 0) {
            return false;
        }
        let event = if part == 0 { "STEP_STARTED" } else { "STEP_FINISHED" };
        let mut event = json!({"type": event, "stepName": name});
        self.complete_lane(me);
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

    fn encrypted(&mut self, me: &Owner, planned: &Planned) -> bool {
        let Some((kind, id)) = self.sealed(me, planned) else { return false };
        // A message of both kinds is looked up as a text message.
        let text = self.state.owner(Kind::Text, &id);
        if kind == Kind::Reasoning && text.is_some_and(|owner| owner != me) {
            return false;
        }
        let subtype = if kind == Kind::Call { "tool-call" } else { "message" };
        let mut event = json!({
            "type": "REASONING_ENCRYPTED_VALUE",
            "subtype": subtype,
            "entityId": id,
            "encryptedValue": "c2VhbGVk",
        });
        self.seal_type(&mut event, self.style);
        let tag = if bit(planned, 0) { None } else { me.clone() };
        self.tag(&mut event, &tag);
        self.emit(event);
        true
    }

    /// What an encrypted value is for: a message or call of the agent's, or one of an earlier
    /// run, or a message that is only known as a call's parent.
    fn sealed(&self, me: &Owner, planned: &Planned) -> Option<(Kind, String)> {
        let state = &self.state;
        let known = |kind: Kind, id: &String| {
            kind == Kind::Call || state.messages.contains_key(&(kind, id.clone()))
        };
        let mine = state.owners.iter().filter(|((kind, id), owner)| {
            *owner == me && *kind != Kind::Activity && known(*kind, id)
        });
        let mut of: Vec<(Kind, String)> = mine.map(|(key, _)| key.clone()).collect();
        if self.style.one_in("elsewhere", 3) {
            let messages = state.messages.keys().filter(|(kind, _)| *kind != Kind::Activity);
            let calls = state.earlier_calls.iter().map(|id| (Kind::Call, id.clone()));
            let opened = state.frontend.keys();
            let parents = opened.filter_map(|call| {
                let (_, parent) = state.said.get(&(Kind::Call, call.clone()))?;
                Some((Kind::Text, parent.clone()?))
            });
            let elsewhere = messages.cloned().chain(calls).chain(parents);
            of.extend(elsewhere.filter(|(kind, id)| {
                let bucket = if *kind == Kind::Call { Kind::Call } else { Kind::Reasoning };
                state.owner(*kind, id).is_none() && state.owner(bucket, id).is_none()
            }));
        }
        let chosen = usize::from(planned.style.to_le_bytes()[2]) % of.len().max(1);
        of.into_iter().nth(chosen)
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
