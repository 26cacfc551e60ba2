//! Whether the argument text of a call is one JSON document, told piece by piece.

use std::collections::HashMap;
use std::sync::Arc;

use conform_event::{Body, EventType, Item, quote};
use conform_verify::EntityKind;

use super::recogniser::{Recogniser, Text};
use super::{Broken, Said, Seen};

/// The argument texts of the calls of a run.
#[derive(Debug, Clone, Default)]
pub(super) struct Arguments {
    calls: HashMap<Arc<str>, Recogniser>,
}

impl Arguments {
    pub(super) fn observe(&mut self, seen: &Seen<'_>, said: &mut Said) {
        match seen.event_type {
            Some(EventType::RunStarted) => self.calls.clear(),
            // What a failure cuts off is not judged.
            Some(EventType::RunError) => {}
            _ => {
                for id in seen.closed_calls {
                    self.closes(id, "", said);
                }
            }
        }
        if let Some((Item::ToolCall, id)) = seen.opens()
            && !self.calls.contains_key(id)
        {
            self.calls.insert(Arc::from(id), Recogniser::default());
        }
        if let Some((Item::ToolCall, id)) = seen.adds_to() {
            if !self.calls.contains_key(id) {
                self.calls.insert(Arc::from(id), Recogniser::default());
            }
            let chunk = matches!(seen.event.body, Body::Chunk(_));
            if let Some(text) = self.calls.get_mut(id) {
                match (seen.text("delta"), seen.json.get("delta")) {
                    (Some(delta), _) => text.push(delta),
                    (None, None) if chunk => {}
                    // What it says is not known.
                    (None, _) => text.lose(),
                }
            }
        }
        let adds =
            matches!(seen.event_type, Some(EventType::ToolCallArgs | EventType::ToolCallChunk));
        if adds && seen.event.body == Body::Hidden {
            // To which call it adds is not known.
            self.calls.values_mut().for_each(Recogniser::lose);
        }
        if let Body::End { item: Item::ToolCall, id } = &seen.event.body {
            self.closes(id, "/toolCallId", said);
        }
    }

    fn closes(&self, id: &str, pointer: &str, said: &mut Said) {
        said.test("tool/arguments-are-json");
        let text = self.calls.get(id).map_or(Text::Empty, Recogniser::text);
        let what = match text {
            Text::Document | Text::Unknown => return,
            Text::Empty => "has no argument text; without arguments it is `{}`",
            Text::Unfinished => "has argument text that is cut off: no whole JSON document",
            Text::Broken => "has argument text that is no JSON document",
        };
        let message = format!("tool call {} {what}", quote(id));
        let told = Broken::new("tool/arguments-are-json", pointer, message);
        said.push(told.about(EntityKind::ToolCall, id));
    }
}
