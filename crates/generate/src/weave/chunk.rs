//! Writing the chunked form.

use serde_json::{Value, json};

use super::items::id_member;
use super::{Weaver, bit};
use crate::plan::Planned;
use crate::state::{Kind, Owner};

impl Weaver<'_> {
    /// Writes a chunk: one that goes on while its lane holds the item open, else one that
    /// opens it, again if need be.
    pub(super) fn chunk(
        &mut self,
        planned: &Planned,
        kind: Kind,
        id: &str,
        owner: &Owner,
        part: usize,
        (piece, of): (usize, usize),
    ) -> bool {
        let name = match kind {
            Kind::Call => "TOOL_CALL_CHUNK",
            Kind::Reasoning => "REASONING_MESSAGE_CHUNK",
            _ => "TEXT_MESSAGE_CHUNK",
        };
        let mut event = json!({"type": name});
        let item = (kind, id.to_owned());
        let lane = self.state.lanes.iter().find(|(_, held)| **held == item);
        let goes_on = lane.map(|(lane, _)| lane.clone());
        let held = self.state.is_open(kind, id, &None) && goes_on.is_none();
        if held || (kind == Kind::Call && goes_on.is_none() && !self.may_open(id)) {
            return false;
        }
        let tag = if let Some(lane) = &goes_on {
            let named = bit(planned, part);
            if named {
                event[id_member(kind)] = json!(id);
            }
            // The opener's own words may be said again.
            if bit(planned, part + 7) {
                let mut said_again = event.clone();
                if self.describe_chunk(&mut said_again, kind, id, owner) {
                    event = said_again;
                }
            }
            let untagged = bit(planned, part + 13) && (named || self.is_meant(kind, lane));
            if untagged { None } else { lane.clone() }
        } else {
            event[id_member(kind)] = json!(id);
            if !self.describe_chunk(&mut event, kind, id, owner) {
                return false;
            }
            owner.clone()
        };
        if goes_on.is_none() {
            self.complete_lane(owner);
            if kind == Kind::Call {
                self.begin_arguments(id);
            }
        }
        let delta = self.piece(kind, id, piece, of);
        // A chunk without a delta is one too, where the text needs none.
        let needed = kind == Kind::Call && !delta.is_empty();
        if needed || !bit(planned, part + 19) {
            event["delta"] = json!(delta);
        }
        self.tag(&mut event, &tag);
        self.emit(event);
        if goes_on.is_none() {
            self.state.close_lane(owner);
            self.opened(kind, id, owner, Some(owner.clone()));
            self.state.lanes.insert(owner.clone(), item);
        }
        true
    }

    /// Adds what an opening says of its item; false where it cannot be said any more. A chunk
    /// of a reasoning message has no role.
    fn describe_chunk(&self, event: &mut Value, kind: Kind, id: &str, owner: &Owner) -> bool {
        let said = self.describe(event, kind, id, owner);
        if kind == Kind::Reasoning
            && let Some(members) = event.as_object_mut()
        {
            members.shift_remove("role");
        }
        said.is_some()
    }

    /// Whether a chunk of this kind with neither tag nor id goes on in this lane.
    fn is_meant(&self, kind: Kind, lane: &Owner) -> bool {
        let parents = self.state.lanes.get(&None).is_some_and(|held| held.0 == kind);
        if parents { lane.is_none() } else { self.state.lanes_of(kind).count() == 1 }
    }
}
