//! What the run's input already held, streamed again from its beginning.

use std::collections::HashMap;

use conform_event::json::Json;
use conform_event::{EventType, Item};
use conform_verify::{Entity, EntityKind, Position};

use super::{Broken, Said, Seen, calls_made};

/// A text message, a reasoning message or a call.
type Name = (Item, String);

/// How far what is streamed is the same as what the input holds.
#[derive(Debug, Clone)]
struct Progress {
    opened: Position,
    /// Bytes that are the same so far.
    same: usize,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Restated {
    /// The texts of the request.
    request: HashMap<Name, String>,
    /// The texts of the run's input.
    input: HashMap<Name, String>,
    /// What is streamed and has said nothing else yet.
    streamed: HashMap<Name, Progress>,
}

impl Restated {
    pub(super) fn seed(&mut self, request: &Json<'_>) {
        self.request = texts(request);
    }

    pub(super) fn observe(&mut self, seen: &Seen<'_>, said: &mut Said) {
        if seen.event_type == Some(EventType::RunStarted) {
            self.streamed.clear();
            self.input = seen.echo().map(texts).unwrap_or_default();
            if seen.asked {
                self.input.extend(self.request.clone());
            }
        }
        if let Some((item, id)) = seen.opens() {
            let name = (item, id.to_owned());
            if self.input.contains_key(&name) {
                said.test("lifecycle/restates-by-snapshot");
                self.streamed.insert(name, Progress { opened: seen.at, same: 0 });
            }
        }
        let Some(delta) = seen.text("delta") else { return };
        let Some((item, id)) = seen.adds_to() else { return };
        let name = (item, id.to_owned());
        let (Some(progress), Some(text)) = (self.streamed.get_mut(&name), self.input.get(&name))
        else {
            return;
        };
        let rest = text.as_bytes().get(progress.same..).unwrap_or_default();
        let common = rest.len().min(delta.len());
        if rest.get(..common) != delta.as_bytes().get(..common) {
            self.streamed.remove(&name);
            return;
        }
        progress.same += common;
        if progress.same < text.len() {
            return;
        }
        let opened = progress.opened;
        self.streamed.remove(&name);
        let kind = EntityKind::from(item);
        let entity = Entity { kind, id: id.into() };
        let message =
            format!("{entity} is in the run's input and is streamed again from its beginning");
        let tell = |message| Broken::new("lifecycle/restates-by-snapshot", "/delta", message);
        // One chunk can open and complete it.
        let told = if opened == seen.at {
            tell(message)
        } else {
            tell(format!("{message}, since {opened}")).related(opened)
        };
        said.push(told.about(kind, id));
    }
}

/// The texts that an input holds; empty ones say nothing.
fn texts(input: &Json<'_>) -> HashMap<Name, String> {
    let mut texts = HashMap::new();
    let mut hold = |item, id: Option<&str>, text: Option<&str>| {
        if let (Some(id), Some(text)) = (id, text.filter(|text| !text.is_empty())) {
            texts.insert((item, id.to_owned()), text.to_owned());
        }
    };
    for message in input.list("messages") {
        let (id, content) = (message.text("id"), message.text("content"));
        match message.text("role") {
            Some("developer" | "system" | "assistant" | "user") => {
                hold(Item::TextMessage, id, content);
            }
            Some("reasoning") => hold(Item::ReasoningMessage, id, content),
            _ => {}
        }
    }
    for call in calls_made(input) {
        let arguments = call.at("/function/arguments").and_then(Json::as_str);
        hold(Item::ToolCall, call.text("id"), arguments);
    }
    texts
}
