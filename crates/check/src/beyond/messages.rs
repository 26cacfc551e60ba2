//! Messages: whose id is whose, and what a reopening start repeats.

use std::collections::{HashMap, HashSet};

use conform_event::json::Json;
use conform_event::{Body, EventType, Item, quote};
use conform_verify::{EntityKind, Position};

use super::{Broken, Said, Seen};

/// What an id names.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Identity {
    Text,
    Reasoning,
    Activity,
    /// The answer to a tool call; none where the call is unreadable.
    Answer(Option<String>),
}

impl Identity {
    fn kind(&self) -> &'static str {
        match self {
            Self::Text => "a text message",
            Self::Reasoning => "a reasoning message",
            Self::Activity => "an activity",
            Self::Answer(_) => "a tool result",
        }
    }

    /// What a message of a list is.
    fn listed(message: &Json<'_>) -> Option<Self> {
        Some(match message.text("role")? {
            "developer" | "system" | "assistant" | "user" => Self::Text,
            "reasoning" => Self::Reasoning,
            "activity" => Self::Activity,
            "tool" => {
                let call = message.text("toolCallId");
                Self::Answer(call.map(str::to_owned))
            }
            _ => return None,
        })
    }
}

#[derive(Debug, Clone, Default)]
pub(super) struct Messages {
    /// What each id has named, and where it was named first; nowhere, if in an input.
    identities: HashMap<String, Vec<(Identity, Option<Position>)>>,
    /// The texts that were opened on the stream: role, name, where first.
    texts: HashMap<String, (String, Option<String>, Position)>,
}

impl Messages {
    pub(super) fn seed(&mut self, input: &Json<'_>) {
        for message in input.list("messages") {
            let id = message.text("id");
            if let (Some(id), Some(identity)) = (id, Identity::listed(message)) {
                let identities = self.identities.entry(id.to_owned()).or_default();
                if !identities.iter().any(|(known, _)| *known == identity) {
                    identities.push((identity, None));
                }
            }
        }
    }

    pub(super) fn observe(&mut self, seen: &Seen<'_>, said: &mut Said) {
        if let Some(echo) = seen.echo() {
            self.seed(echo);
        }
        let mut names = |id: &str, identity: Identity| {
            said.extend(self.names(id, identity, seen.at, "/messageId"));
        };
        match &seen.event.body {
            Body::Start { item, id, .. } => match item {
                Item::TextMessage => names(id, Identity::Text),
                Item::ReasoningMessage => names(id, Identity::Reasoning),
                Item::ReasoningSpan | Item::ToolCall => {}
            },
            Body::Chunk(chunk) => match (chunk.item, chunk.id.as_deref()) {
                (Item::TextMessage, Some(id)) => names(id, Identity::Text),
                (Item::ReasoningMessage, Some(id)) => names(id, Identity::Reasoning),
                _ => {}
            },
            Body::ToolResult { call, message: Some(id) } => {
                names(id, Identity::Answer(Some(call.to_string())));
            }
            Body::ActivitySnapshot { id, .. } => names(id, Identity::Activity),
            Body::MessagesSnapshot { .. } => self.list(seen, said),
            _ => {}
        }
        if let Some((Item::TextMessage, id)) = seen.opens() {
            self.opens(id, seen, said);
        }
    }

    fn names(
        &mut self,
        id: &str,
        identity: Identity,
        at: Position,
        pointer: &str,
    ) -> Option<Broken> {
        let Some(identities) = self.identities.get_mut(id) else {
            self.identities.insert(id.to_owned(), vec![(identity, Some(at))]);
            return None;
        };
        if identities.iter().any(|(known, _)| *known == identity) {
            return None;
        }
        let kind = identity.kind();
        let first = identities.first().map(|(known, at)| (known.kind(), *at));
        identities.push((identity, Some(at)));
        let (other, since) = first?;
        let other = if other == kind { "the result of another call" } else { other };
        let place = since.map_or_else(|| "the run's input".to_owned(), |at| at.to_string());
        let message = format!("message id {} of {kind} is that of {other} in {place}", quote(id));
        let told = Broken::new("ids/message-unique", pointer, message);
        let told = match kind {
            "a reasoning message" => told.about(EntityKind::ReasoningMessage, id),
            "an activity" => told.about(EntityKind::Activity, id),
            _ => told.about(EntityKind::TextMessage, id),
        };
        Some(match since {
            Some(since) => told.related(since),
            None => told,
        })
    }

    fn list(&mut self, seen: &Seen<'_>, said: &mut Said) {
        let messages = seen.json.list("messages");
        let mut ids = HashSet::new();
        for (index, message) in messages.iter().enumerate() {
            let Some(id) = message.text("id") else { continue };
            let pointer = format!("/messages/{index}/id");
            let twice = !ids.insert(id);
            if twice {
                let message = format!("message id {} is in the list twice", quote(id));
                said.push(Broken::new("ids/message-unique", pointer.as_str(), message));
            }
            if let Some(identity) = Identity::listed(message) {
                let told = self.names(id, identity, seen.at, &pointer);
                said.extend(told.filter(|_| !twice));
            }
        }
    }

    fn opens(&mut self, id: &str, seen: &Seen<'_>, said: &mut Said) {
        let readable = |member| seen.json.get(member).is_none_or(|json| json.as_str().is_some());
        if !readable("role") || !readable("name") {
            return;
        }
        let role = seen.text("role").unwrap_or("assistant");
        let name = seen.text("name");
        let Some((first_role, first_name, at)) = self.texts.get(id) else {
            let opened = (role.to_owned(), name.map(str::to_owned), seen.at);
            self.texts.insert(id.to_owned(), opened);
            return;
        };
        said.test("text/reopen-agrees");
        let member = if role != first_role {
            "role"
        } else if name != first_name.as_deref() {
            "name"
        } else {
            return;
        };
        let verb = if seen.event_type == Some(EventType::TextMessageChunk) {
            "a chunk takes up"
        } else {
            "a start reopens"
        };
        let message = format!(
            "{verb} text message {} with another {member} than the first, at {at}",
            quote(id)
        );
        let told = Broken::new("text/reopen-agrees", format!("/{member}"), message);
        said.push(told.related(*at).about(EntityKind::TextMessage, id));
    }
}
