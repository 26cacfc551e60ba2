//! Subagents that are announced after somebody spoke in their name.

use std::collections::{HashMap, HashSet};

use conform_event::{Body, quote};
use conform_verify::{EntityKind, Position};

use super::{Broken, Said, Seen};

/// What was said in this run.
#[derive(Debug, Clone, Default)]
pub(super) struct Announced {
    /// Where each tag was used first, before it was announced.
    used: HashMap<String, Position>,
    announced: HashSet<String>,
}

impl Announced {
    pub(super) fn observe(&mut self, seen: &Seen<'_>, said: &mut Said) {
        match &seen.event.body {
            Body::RunStarted { .. } => *self = Self::default(),
            Body::SubagentStarted { id, .. } => {
                if !self.announced.insert(id.to_string()) {
                    return;
                }
                if let Some(first) = self.used.remove(id.as_ref()) {
                    let message = format!(
                        "subagent {} is announced after {first}, which is attributed to it",
                        quote(id)
                    );
                    let told =
                        Broken::new("subagent/announced-before-use", "/subagentRunId", message);
                    said.push(told.related(first).about(EntityKind::Subagent, id));
                }
            }
            _ => {
                let Some(tag) = seen.event.tag.as_deref() else { return };
                if !self.announced.contains(tag) && !self.used.contains_key(tag) {
                    self.used.insert(tag.to_owned(), seen.at);
                }
            }
        }
    }
}
