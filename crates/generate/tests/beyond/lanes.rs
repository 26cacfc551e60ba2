//! Items in chunks: which one a chunk is of, and what ends it.

use serde_json::Value;

use super::judge::{Judge, Key};
use super::text;

impl Judge {
    /// Opens an item in chunks, or goes on with one.
    pub(crate) fn chunk(&mut self, kind: &'static str, event: &Value) {
        let id = text(event, if kind == "call" { "toolCallId" } else { "messageId" });
        let lane = self.lane(kind, event, id.as_deref());
        let held = self.lanes.get(&lane).filter(|held| held.0 == kind).cloned();
        let key = match (held, id) {
            (Some(held), None) => held,
            (Some(held), Some(id)) if held.1 == id => held,
            (_, id) => {
                let key = (kind, id.unwrap_or_default());
                self.opens(kind, event);
                self.lanes.insert(lane, key.clone());
                key
            }
        };
        self.delta(&key, event);
    }

    /// The lane of a chunk.
    fn lane(&self, kind: &str, event: &Value, id: Option<&str>) -> Option<String> {
        let tag = text(event, "subagentRunId");
        if tag.is_some() {
            return tag;
        }
        let mut held = self.lanes.iter();
        match id {
            Some(id) => held.find(|(_, held)| held.0 == kind && held.1 == id),
            None if self.lanes.get(&None).is_some_and(|held| held.0 == kind) => None,
            None => held.find(|(_, held)| held.0 == kind),
        }
        .and_then(|(lane, _)| lane.clone())
    }

    /// Ends the chunk streams that this event ends.
    pub(crate) fn lanes_before(&mut self, name: &str, event: &Value) {
        let tag = text(event, "subagentRunId");
        let of = |member| text(event, member).unwrap_or_default();
        let kind = match name.split('_').next().unwrap_or_default() {
            "TEXT" => "text",
            "REASONING" => "reasoning",
            _ => "call",
        };
        let id = of(if kind == "call" { "toolCallId" } else { "messageId" });
        let mut ended: Vec<Option<String>> = Vec::new();
        match name {
            "RUN_STARTED" | "RUN_FINISHED" | "RUN_ERROR" | "MESSAGES_SNAPSHOT" => {
                ended.extend(self.lanes.keys().cloned());
            }
            "SUBAGENT_FINISHED" | "SUBAGENT_ERROR" => ended.push(tag),
            "RAW" | "REASONING_ENCRYPTED_VALUE" | "SUBAGENT_STARTED" => {}
            name if name.starts_with("ACTIVITY_") => {}
            name if name.ends_with("_CHUNK") => {
                let given = event.get(if kind == "call" { "toolCallId" } else { "messageId" });
                let lane = self.lane(kind, event, given.and_then(Value::as_str));
                let held = self.lanes.get(&lane);
                let other = |held: &Key| held.0 != kind || (given.is_some() && held.1 != id);
                ended.extend(held.is_some_and(other).then_some(lane));
            }
            name => {
                let assembled = |(_, held): &(&Option<String>, &Key)| match name {
                    "TEXT_MESSAGE_START" | "REASONING_MESSAGE_START" | "TOOL_CALL_START" => {
                        held.0 == kind && held.1 == id
                    }
                    "TOOL_CALL_RESULT" => {
                        (held.0 == "call" && held.1 == id)
                            || (held.0 == "text" && held.1 == of("messageId"))
                    }
                    _ => false,
                };
                let assembling = self.lanes.iter().filter(assembled);
                ended.extend(assembling.map(|(lane, _)| lane.clone()));
                ended.push(tag);
            }
        }
        for lane in ended {
            if let Some(("call", id)) = self.lanes.remove(&lane)
                && name != "RUN_ERROR"
            {
                self.closes_call(&id);
            }
        }
    }
}
