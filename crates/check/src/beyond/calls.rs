//! Tool calls: what a reopening start repeats, and what was answered.

use std::collections::{HashMap, HashSet};

use conform_event::json::Json;
use conform_event::{Body, EventType, Item, quote};
use conform_verify::{EntityKind, Position};

use super::{Broken, Said, Seen, tool_answers};

#[derive(Debug, Clone, Default)]
pub(super) struct Calls {
    /// The calls of the stream: toolCallName, parentMessageId, where opened first.
    first: HashMap<String, (Option<String>, Option<String>, Position)>,
    /// The calls that were answered since they were opened last, and where.
    answered: HashMap<String, Position>,
    /// The calls of the run in the order first opened.
    made: Vec<String>,
    /// The same, to look them up.
    made_here: HashSet<String>,
    /// Those of them that nothing has answered since they were opened last.
    unanswered: HashSet<String>,
    /// Those that went on and that nothing had opened: nobody knows where among the others.
    unopened: HashSet<String>,
}

impl Calls {
    pub(super) fn observe(&mut self, seen: &Seen<'_>, said: &mut Said) {
        if seen.event_type == Some(EventType::RunStarted) {
            self.made.clear();
            self.made_here.clear();
            self.unanswered.clear();
            self.unopened.clear();
        }
        if let Some((Item::ToolCall, id)) = seen.opens() {
            self.reopens(id, seen, said);
            self.makes(id);
        } else if let Some((Item::ToolCall, id)) = seen.adds_to().or_else(|| ends(seen))
            && !self.made_here.contains(id)
        {
            // Only in the lenient world: what is continued was opened.
            self.makes(id);
            self.unopened.insert(id.to_owned());
        }
        match &seen.event.body {
            Body::ToolResult { call, .. } => {
                if let Some(earlier) = self.answered.insert(call.to_string(), seen.at) {
                    let message =
                        format!("tool call {} was answered at {earlier} already", quote(call));
                    let told = Broken::new("tool/one-result", "/toolCallId", message);
                    said.push(told.related(earlier).about(EntityKind::ToolCall, call));
                }
                self.unanswered.remove(call.as_ref());
            }
            Body::MessagesSnapshot { .. } => {
                for (_, call) in tool_answers(seen.json) {
                    self.unanswered.remove(call);
                }
            }
            Body::RunFinished => self.run_finished(seen, said),
            _ => {}
        }
    }

    fn makes(&mut self, id: &str) {
        self.answered.remove(id);
        self.unanswered.insert(id.to_owned());
        if self.made_here.insert(id.to_owned()) {
            self.made.push(id.to_owned());
        }
    }

    fn reopens(&mut self, id: &str, seen: &Seen<'_>, said: &mut Said) {
        let members = ["toolCallName", "parentMessageId"];
        let readable =
            |member: &str| seen.json.get(member).is_none_or(|json| json.as_str().is_some());
        if seen.text("toolCallName").is_none() || !members.into_iter().all(readable) {
            return;
        }
        let own = |member: &str| seen.text(member).map(str::to_owned);
        let (name, parent) = (own("toolCallName"), own("parentMessageId"));
        let Some((first_name, first_parent, at)) = self.first.get(id) else {
            self.first.insert(id.to_owned(), (name, parent, seen.at));
            return;
        };
        said.test("tool/reopen-agrees");
        let member = if name != *first_name {
            "toolCallName"
        } else if parent != *first_parent {
            "parentMessageId"
        } else {
            return;
        };
        let message = format!(
            "tool call {} is opened again with another {member} than at first, at {at}",
            quote(id)
        );
        let told = Broken::new("tool/reopen-agrees", format!("/{member}"), message);
        said.push(told.related(*at).about(EntityKind::ToolCall, id));
    }

    fn run_finished(&self, seen: &Seen<'_>, said: &mut Said) {
        let outcome = seen.json.get("outcome");
        if outcome.is_some() && seen.outcome() != Some("success") {
            return;
        }
        let pending = self.made.iter().filter(|id| self.unanswered.contains(*id));
        let Some(list) = outcome.and_then(|outcome| outcome.get("pendingToolCallIds")) else {
            let pending: Vec<_> = pending.collect();
            if let Some(first) = pending.first() {
                let more = match pending.len() {
                    1 => String::new(),
                    several => format!(" and {} more", several - 1),
                };
                let message = format!(
                    "tool call {}{more} went unanswered and pendingToolCallIds does not say so",
                    quote(first)
                );
                said.push(Broken::new("tool/pending-list-sent", "/outcome", message));
            }
            return;
        };
        let strings: Option<Vec<&str>> = list.items().iter().map(Json::as_str).collect();
        let Some(listed) = strings.filter(|_| list.kind() == "an array") else { return };
        let mut pending: Vec<&str> = pending.map(String::as_str).collect();
        let mut listed = listed;
        for list in [&mut pending, &mut listed] {
            list.retain(|id| !self.unopened.contains(*id));
        }
        if listed == pending {
            return;
        }
        let missing = pending.iter().find(|id| !listed.contains(id));
        let extra = listed.iter().find(|id| !pending.contains(id));
        let message = match (missing, extra) {
            (Some(id), _) => {
                format!("tool call {} went unanswered and is not in pendingToolCallIds", quote(id))
            }
            (None, Some(id)) => format!(
                "pendingToolCallIds names {}, which is no unanswered call of this run",
                quote(id)
            ),
            (None, None) => {
                "pendingToolCallIds has the calls in another order, or twice".to_owned()
            }
        };
        let pointer = "/outcome/pendingToolCallIds";
        said.push(Broken::new("tool/pending-list-exact", pointer, message));
    }
}

/// The item that the event closes.
fn ends<'s>(seen: &'s Seen<'_>) -> Option<(Item, &'s str)> {
    match &seen.event.body {
        Body::End { item, id } => Some((*item, id)),
        _ => None,
    }
}
