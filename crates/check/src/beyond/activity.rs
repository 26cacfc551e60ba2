//! Activities: what created them, what they hold, whose they are.

use std::collections::HashMap;

use conform_event::json::{self, Json};
use conform_event::{Body, quote};
use conform_verify::{EntityKind, Owner, Position};

use super::patch::{Document, MAX_COPIED, Patched};
use super::{Broken, Said, Seen};

#[derive(Debug, Clone, Default)]
pub(super) struct Activities {
    /// The content of each activity of the stream, where it is known.
    contents: HashMap<String, Option<Document>>,
    /// How many bytes of these copies have made, at most.
    copied: usize,
    /// Who owns an activity in this run, and where that was recorded.
    owners: HashMap<String, (Owner, Option<Position>)>,
    /// The activities of the request, to be seeded where it asks for the run.
    request: Vec<(String, Owner)>,
}

/// The activities of a list: their ids, owners and contents.
fn listed<'j>(
    holder: &'j Json<'_>,
) -> impl DoubleEndedIterator<Item = (&'j str, Owner, Option<Document>)> {
    holder.list("messages").iter().filter_map(|message| {
        let id = message.text("id").filter(|_| message.text("role") == Some("activity"))?;
        let owner = message.text("subagentRunId").map_or_else(Owner::parent, Owner::subagent);
        Some((id, owner, content(message)))
    })
}

/// The content of a snapshot or a message, where it is an object.
fn content(holder: &Json<'_>) -> Option<Document> {
    Document::of(holder.get("content").filter(|content| content.is_object())?)
}

impl Activities {
    pub(super) fn seed(&mut self, request: &Json<'_>) {
        for (id, owner, content) in listed(request) {
            self.request.push((id.to_owned(), owner));
            self.contents.entry(id.to_owned()).or_insert(content);
        }
    }

    pub(super) fn observe(&mut self, seen: &Seen<'_>, said: &mut Said) {
        match &seen.event.body {
            Body::RunStarted { .. } => self.run_started(seen),
            Body::MessagesSnapshot { .. } => {
                for (id, owner, content) in listed(seen.json) {
                    self.put(id, content);
                    self.owners.insert(id.to_owned(), (owner, Some(seen.at)));
                }
            }
            Body::ActivitySnapshot { id, .. } => self.snapshot(id, seen, said),
            Body::ActivityDelta { id } => self.delta(id, seen, said),
            _ => {}
        }
    }

    /// Takes the content of an activity, whatever it was before.
    fn put(&mut self, id: &str, content: Option<Document>) {
        if let Some(Some(before)) = self.contents.insert(id.to_owned(), content) {
            self.copied = self.copied.saturating_sub(before.copied());
        }
    }

    fn run_started(&mut self, seen: &Seen<'_>) {
        self.owners.clear();
        if seen.asked {
            for (id, owner) in &self.request {
                self.owners.entry(id.clone()).or_insert_with(|| (owner.clone(), None));
            }
        }
        for (id, owner, content) in seen.echo().into_iter().flat_map(listed) {
            self.contents.entry(id.to_owned()).or_insert(content);
            self.owners.entry(id.to_owned()).or_insert_with(|| (owner, Some(seen.at)));
        }
    }

    fn snapshot(&mut self, id: &str, seen: &Seen<'_>, said: &mut Said) {
        let keep =
            matches!(seen.json.get("replace"), Some(Json { value: json::Value::Bool(false), .. }));
        let tag = seen.event.tag.as_deref();
        let owner = tag.map_or_else(Owner::parent, Owner::subagent);
        if !keep || !self.contents.contains_key(id) {
            self.put(id, content(seen.json));
        }
        if keep && tag.is_some() && self.owners.contains_key(id) {
            said.test("activity/keep-agrees");
        }
        match self.owners.get(id).filter(|_| keep) {
            None => {
                self.owners.insert(id.to_owned(), (owner, Some(seen.at)));
            }
            Some((recorded, since)) if tag.is_some() && *recorded != owner => {
                let message = format!(
                    "activity {} belongs to {recorded}, and a snapshot of {owner} keeps it",
                    quote(id)
                );
                let told = Broken::new("activity/keep-agrees", "/subagentRunId", message)
                    .about(EntityKind::Activity, id);
                let told = Broken { related: *since, owner: Some(recorded.clone()), ..told };
                said.push(told);
            }
            Some(_) => {}
        }
    }

    fn delta(&mut self, id: &str, seen: &Seen<'_>, said: &mut Said) {
        if matches!(self.contents.get(id), Some(Some(_))) {
            said.test("activity/delta-applies");
            said.test("activity/stays-an-object");
        }
        let mut tell = |requirement, pointer: String, message: String| {
            said.push(Broken::new(requirement, pointer, message).about(EntityKind::Activity, id));
        };
        let Some(content) = self.contents.get_mut(id) else {
            let message = format!("no snapshot on the stream has created activity {}", quote(id));
            tell("activity/snapshot-first", "/messageId".to_owned(), message);
            // As if it were there, of unknown content.
            self.contents.insert(id.to_owned(), None);
            return;
        };
        // Unless the patch applies, the content is unknown from here on.
        let Some(document) = content.take() else { return };
        self.copied = self.copied.saturating_sub(document.copied());
        let Some(patch) = seen.json.get("patch") else { return };
        match document.apply(patch, MAX_COPIED.saturating_sub(self.copied)) {
            Patched::Done(document) if document.is_object() => {
                self.copied = self.copied.saturating_add(document.copied());
                *content = Some(document);
            }
            Patched::Done(_) => {
                let message = format!("the patch leaves activity {} no object", quote(id));
                tell("activity/stays-an-object", "/patch".to_owned(), message);
            }
            Patched::Unknown => {}
            Patched::Failed { index, message } => {
                tell("activity/delta-applies", format!("/patch/{index}"), message);
            }
        }
    }
}
