//! Faults of the chunked form.

use serde_json::json;

use super::insert::Faults;
use super::pieces::{answer, event, item, nothing_more, types};
use super::{Edit, Who};
use crate::plan::Scope;
use crate::state::{Kind, Owner, Phase, State};

/// The kinds that are streamed in chunks.
const KINDS: [Kind; 3] = [Kind::Text, Kind::Reasoning, Kind::Call];

/// Tries every fault of one chunk too many, or of one event too many at an item in chunks.
pub(super) fn at(at: usize, state: &State, edits: &mut Vec<Edit>) {
    if state.phase != Phase::Running {
        return;
    }
    let mut faults = Faults { at, state, scope: Scope::Stream, edits };
    for kind in KINDS {
        faults.without_a_stream(kind);
        faults.ambiguous(kind);
    }
    for (lane, (kind, id)) in &state.lanes {
        faults.in_a_lane(lane, *kind, id);
    }
    let explicit = state.open.iter().filter(|(_, open)| open.lane.is_none());
    for (kind, id) in explicit.map(|((kind, id, _), _)| (*kind, id)) {
        faults.chunk_of_a_start(kind, id);
    }
    for (kind, id) in &state.closed {
        faults.taken_up_by_another(*kind, id);
    }
}

fn chunk_type(kind: Kind) -> &'static str {
    match kind {
        Kind::Call => "TOOL_CALL_CHUNK",
        Kind::Reasoning => "REASONING_MESSAGE_CHUNK",
        _ => "TEXT_MESSAGE_CHUNK",
    }
}

impl Faults<'_> {
    fn without_a_stream(&mut self, kind: Kind) {
        let name = chunk_type(kind);
        for tag in self.tags() {
            let nothing = match &tag {
                None => self.state.lanes_of(kind).next().is_none(),
                tag => self.state.lanes.get(tag).is_none_or(|held| held.0 != kind),
            };
            if !nothing {
                continue;
            }
            let lane = tag.clone().map(Some);
            let outlives = self.state.last_closed.get(&(kind, lane)).copied().unwrap_or_default();
            let requirement =
                if outlives { "chunk/ends-with-its-owner" } else { "chunk/first-carries-id" };
            let who = Who::of(self.state, &tag, &None);
            let broken = (name, event(name, json!({"delta": "x"}), &tag));
            let first = event(name, first(kind, "never-seen"), &tag);
            // Something of the lane ends it, so that nothing else goes on with it.
            let last = match kind {
                Kind::Call => event("TOOL_CALL_RESULT", answer("never-seen"), &tag),
                _ => event("CUSTOM", json!({"name": "acme.note", "value": 1}), &tag),
            };
            let twin = Some(vec![first, last]);
            self.add(requirement, requirement, Some(kind), who, broken, twin);
            if kind == Kind::Call {
                let requirement = "chunk/first-carries-id";
                let broken = (name, event(name, item(kind, "never-seen", true), &tag));
                self.add(requirement, requirement, Some(kind), who, broken, None);
            }
        }
    }

    fn ambiguous(&mut self, kind: Kind) {
        let parents = self.state.lanes.get(&None).is_some_and(|held| held.0 == kind);
        if !parents && self.state.lanes_of(kind).count() > 1 {
            let name = chunk_type(kind);
            let broken = (name, event(name, json!({"delta": "x"}), &None));
            let requirement = "chunk/unambiguous-lane";
            self.add(requirement, requirement, Some(kind), Who::Untagged, broken, None);
        }
    }

    fn in_a_lane(&mut self, lane: &Owner, kind: Kind, id: &str) {
        let name = chunk_type(kind);
        let who = Who::of(self.state, lane, lane);
        let contradictions = match kind {
            Kind::Text => vec![json!({"role": "system"}), json!({"name": "somebody"})],
            Kind::Call => vec![
                json!({"toolCallName": "another"}),
                json!({"parentMessageId": "another-message"}),
            ],
            _ => Vec::new(),
        };
        for said in contradictions {
            let requirement = "chunk/repeat-agrees";
            let broken = (name, event(name, said, lane));
            self.add(requirement, requirement, Some(kind), who, broken, None);
        }
        let (_, contents, end) = types(kind);
        let owner = self.state.owner(kind, id).cloned().unwrap_or_default();
        for tag in self.tags() {
            let who = Who::of(self.state, &tag, &owner);
            for name in [contents, Some(end)].into_iter().flatten() {
                let broken = (name, event(name, item(kind, id, name != end), &tag));
                let requirement = "chunk/forms-do-not-mix";
                self.add(requirement, requirement, Some(kind), who, broken, None);
            }
            if tag.is_some() && tag != owner && tag != *lane {
                let broken = (name, event(name, first(kind, id), &tag));
                let requirement = "subagent/owner-agrees";
                self.add("owner-mismatch", requirement, Some(kind), who, broken, None);
            }
        }
    }

    fn chunk_of_a_start(&mut self, kind: Kind, id: &str) {
        if !KINDS.contains(&kind) {
            return;
        }
        let name = chunk_type(kind);
        let owner = self.state.owner(kind, id).cloned().unwrap_or_default();
        for tag in self.tags() {
            let who = Who::of(self.state, &tag, &owner);
            let broken = (name, event(name, first(kind, id), &tag));
            let twin = types(kind).1.map(|name| vec![event(name, nothing_more(kind, id), &None)]);
            let requirement = "chunk/forms-do-not-mix";
            self.add(requirement, requirement, Some(kind), who, broken, twin);
        }
    }

    /// A chunk that would open again what somebody else owns.
    fn taken_up_by_another(&mut self, kind: Kind, id: &str) {
        if !KINDS.contains(&kind) || self.state.is_open(kind, id, &None) {
            return;
        }
        let name = chunk_type(kind);
        let owner = self.state.owner(kind, id).cloned().unwrap_or_default();
        for tag in self.tags().into_iter().filter(|tag| tag.is_some() && *tag != owner) {
            let who = Who::of(self.state, &tag, &owner);
            let broken = (name, event(name, first(kind, id), &tag));
            let requirement = "subagent/owner-agrees";
            self.add("owner-mismatch", requirement, Some(kind), who, broken, None);
        }
    }
}

/// The members of a first chunk.
fn first(kind: Kind, id: &str) -> serde_json::Value {
    let mut members = item(kind, id, true);
    if kind == Kind::Call {
        members["toolCallName"] = json!("lookup");
    }
    members
}
