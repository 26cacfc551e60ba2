//! What encrypted values belong to.

use std::collections::HashSet;

use conform_event::json::Json;
use conform_event::{Body, Holder, Item, quote};
use conform_verify::EntityKind;

use super::{Broken, Said, Seen, calls_made};

/// The messages and calls that a consumer knows.
#[derive(Debug, Clone, Default)]
pub(super) struct Sealed {
    messages: HashSet<String>,
    calls: HashSet<String>,
    /// Whether a call went on that nothing had opened: what it was to belong to is not known.
    parent_unknown: bool,
}

impl Sealed {
    /// Takes in the messages of an input or a snapshot.
    pub(super) fn seed(&mut self, holder: &Json<'_>) {
        for message in holder.list("messages") {
            if message.text("role") != Some("activity") {
                self.messages.extend(message.text("id").map(str::to_owned));
            }
        }
        let ids = calls_made(holder).filter_map(|call| call.text("id"));
        self.calls.extend(ids.map(str::to_owned));
    }

    pub(super) fn observe(&mut self, seen: &Seen<'_>, said: &mut Said) {
        if let Some(echo) = seen.echo() {
            self.seed(echo);
        }
        match &seen.event.body {
            Body::MessagesSnapshot { .. } => self.seed(seen.json),
            Body::ToolResult { message: Some(id), .. } => {
                self.messages.insert(id.to_string());
            }
            Body::EncryptedValue { holder: Some(holder), id } => {
                let (known, what, kind) = match holder {
                    Holder::Message => (&self.messages, "message", EntityKind::TextMessage),
                    Holder::ToolCall => (&self.calls, "tool call", EntityKind::ToolCall),
                };
                let excused = self.parent_unknown && *holder == Holder::Message;
                if !known.contains(id.as_ref()) && !excused {
                    let message = format!("nothing on the stream makes {what} {} known", quote(id));
                    let told =
                        Broken::new("reasoning/encrypted-entity-known", "/entityId", message);
                    said.push(told.about(kind, id));
                }
            }
            _ => {}
        }
        let opens = seen.opens().is_some();
        // What is ended was opened, if only in the lenient world.
        let ended = match &seen.event.body {
            Body::End { item, id } => Some((*item, id.as_ref())),
            _ => None,
        };
        let Some((item, id)) = seen.opens().or_else(|| seen.adds_to()).or(ended) else { return };
        match item {
            Item::TextMessage | Item::ReasoningMessage => {
                self.messages.insert(id.to_owned());
            }
            Item::ToolCall => {
                self.parent_unknown |= self.calls.insert(id.to_owned()) && !opens;
                self.messages.extend(seen.text("parentMessageId").map(str::to_owned));
            }
            Item::ReasoningSpan => {}
        }
    }
}
