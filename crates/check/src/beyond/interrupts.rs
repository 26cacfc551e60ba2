//! The interrupts of a run, and the subagents that wait for them.

use std::collections::HashMap;

use conform_event::json::{Json, Value};
use conform_event::{EventType, quote};
use conform_verify::{EntityKind, Position};

use super::{Broken, Said, Seen};

#[derive(Debug, Clone, Default)]
pub(super) struct Interrupts {
    /// The subagents of the run that wait, where they said so, and for which interrupts.
    suspended: Vec<(String, Position, Vec<String>)>,
}

impl Interrupts {
    pub(super) fn observe(&mut self, seen: &Seen<'_>, said: &mut Said) {
        match seen.event_type {
            Some(EventType::RunStarted | EventType::RunError) => self.suspended.clear(),
            Some(EventType::SubagentFinished) if seen.outcome() == Some("suspended") => {
                let ids = seen.json.at("/outcome/interruptIds").map_or(&[][..], Json::items);
                let ids: Vec<String> =
                    ids.iter().filter_map(|id| id.as_str().map(str::to_owned)).collect();
                let subagent = seen.text("subagentRunId").unwrap_or_default().to_owned();
                self.suspended.push((subagent, seen.at, ids));
            }
            Some(EventType::RunFinished) => self.run_finished(seen, said),
            _ => {}
        }
    }

    fn run_finished(&mut self, seen: &Seen<'_>, said: &mut Said) {
        let list = asked(seen.json);
        let mut legible = list.is_some();
        let mut ids: HashMap<&str, usize> = HashMap::new();
        for (index, interrupt) in list.unwrap_or_default().iter().enumerate() {
            let Some(id) = interrupt.text("id") else {
                legible = false;
                continue;
            };
            if let Some(first) = ids.get(id) {
                let message =
                    format!("interrupt id {} is the one of interrupt {first} too", quote(id));
                let pointer = format!("/outcome/interrupts/{index}/id");
                said.push(Broken::new("interrupt/unique-ids", pointer, message));
            } else {
                ids.insert(id, index);
            }
        }
        // What cannot be read may be what they wait for.
        for (subagent, at, waits) in self.suspended.drain(..).filter(|_| legible) {
            if let Some(missing) = waits.iter().find(|id| !ids.contains_key(id.as_str())) {
                let message = format!(
                    "subagent {} waits since {at} for interrupt {}, which the run does not raise",
                    quote(&subagent),
                    quote(missing)
                );
                let told = Broken::new("interrupt/suspended-ids-exist", "/outcome", message);
                said.push(told.related(at).about(EntityKind::Subagent, &subagent));
            }
        }
    }
}

/// The interrupts that a run ends with; none where its outcome cannot be read.
fn asked<'j, 'a>(json: &'j Json<'a>) -> Option<&'j [Json<'a>]> {
    let Some(outcome) = json.get("outcome") else { return Some(&[]) };
    match outcome.text("type")? {
        "interrupt" => match &outcome.get("interrupts")?.value {
            Value::Array(interrupts) => Some(interrupts),
            _ => None,
        },
        "success" | "cancelled" => Some(&[]),
        _ => None,
    }
}
