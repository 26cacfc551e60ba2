//! The debug dump: all that is open, sorted.

use std::fmt::Write as _;

use conform_event::{Item, quote};

use super::RunState;
use crate::entity::{EntityKind, Owner};

impl RunState {
    /// One line that names everything open, by kind and then by id; what chunks hold open
    /// included.
    pub(crate) fn dump(&self) -> String {
        let mut lists: Vec<(EntityKind, Vec<String>)> = Vec::new();
        let items = [
            (Item::TextMessage, &self.text),
            (Item::ReasoningMessage, &self.reasoning),
            (Item::ReasoningSpan, &self.reasoning),
            (Item::ToolCall, &self.calls),
        ];
        for (item, records) in items {
            let open = records.iter().filter(|(_, record)| record.openness(item).open.is_some());
            let list = open.map(|(id, record)| named(id, Some(&record.owned.owner))).collect();
            lists.push((item.into(), list));
        }
        let steps = self.steps.iter();
        let steps =
            steps.flat_map(|(name, steps)| steps.open.values().map(move |step| (name, step)));
        lists.push((
            EntityKind::Step,
            steps.map(|(name, (owner, _))| named(name, Some(owner))).collect(),
        ));
        let active = self.subagents.iter().filter(|(_, subagent)| subagent.active.is_some());
        lists.push((EntityKind::Subagent, active.map(|(id, _)| named(id, None)).collect()));

        let mut dump = String::new();
        for (kind, mut list) in lists {
            if list.is_empty() {
                continue;
            }
            list.sort();
            let separator = if dump.is_empty() { "open: " } else { "; " };
            // Writing to a String cannot fail.
            let _ = write!(dump, "{separator}{} {}", kind.as_str(), list.join(", "));
        }
        if dump.is_empty() { "open: nothing".to_owned() } else { dump }
    }
}

fn named(id: &str, owner: Option<&Owner>) -> String {
    match owner.and_then(Owner::id) {
        Some(owner) => format!("{} ({})", quote(id), quote(owner)),
        None => quote(id),
    }
}
