//! Going on as if a refused event had done what it meant to.

use std::sync::Arc;

use conform_event::{Body, Event, Holder, Item};

use super::records::{Claim, Form, Owned, put, record, slot};
use super::{Beyond, Opening, RunState};
use crate::entity::{EntityKind, Owner, Position};

impl RunState {
    /// Takes in an event as if it had been right: a start opens, an end closes, content
    /// shows that its item is open, a tag shows who the owner is.
    ///
    /// RUN_* and chunks are not its business.
    pub(crate) fn assume(&mut self, at: Position, event: &Event<'_>) {
        if self.observe(at, event, Beyond::NOTHING).is_ok() {
            return;
        }
        let tag = event.tag.as_deref();
        match &event.body {
            Body::Start { item, id, .. } => self.assume_open(at, *item, id, tag, Form::Explicit),
            Body::Content { item, id } => {
                let known = self.record(*item, id).is_some();
                if self.open_item(*item, id).is_none() {
                    self.assume_open(at, *item, id, tag, Form::Explicit);
                }
                self.assume_owner(at, *item, id, tag);
                let (records, _) = self.records_mut(*item);
                if let Some(record) = records.get_mut(&**id).filter(|_| !known && tag.is_none()) {
                    record.owned.assumed = Some(Claim::Anyone);
                }
            }
            Body::End { item, id } => {
                self.assume_close(at, *item, id, tag);
                self.assume_owner(at, *item, id, tag);
            }
            Body::ToolResult { call, message } => {
                let owned = Owned::by(Owner::parent(), at);
                record(&mut self.calls, call, &owned, false);
                // Whoever answers a call takes it for closed.
                self.close(at, Item::ToolCall, call);
                self.mint(at, message.as_deref(), tag);
            }
            Body::EncryptedValue { holder, id } => {
                let item = match holder {
                    Some(Holder::ToolCall) => Item::ToolCall,
                    _ if self.text.contains_key(&**id) => Item::TextMessage,
                    _ => Item::ReasoningMessage,
                };
                self.assume_owner(at, item, id, tag);
            }
            Body::StepStarted { name } => self.open_step(at, name, tag),
            Body::StepFinished { name } => self.assume_step_closed(at, name, tag),
            Body::ActivityDelta { id } => {
                let owner = self.owner(tag);
                match self.activities.get_mut(&**id) {
                    Some(owned) => owned.assumed = Some(Claim::By(owner)),
                    None => put(&mut self.activities, id, Owned::by(owner, at)),
                }
            }
            Body::SubagentStarted { id, parent } => self.assume_subagent(at, id, parent.as_deref()),
            Body::SubagentEnded { id } if !self.subagents.contains_key(&**id) => {
                // An id that nothing has: the end of the invocation that began last.
                let last = self.open[slot(EntityKind::Subagent)].last_key_value();
                if let Some(id) = last.map(|(_, id)| Arc::clone(id)) {
                    let _ = self.subagent_ended(at, &id);
                }
            }
            _ => {}
        }
    }

    /// Closes an item; under an id that nothing has, the one of its kind that was opened last
    /// for whom the tag may speak.
    fn assume_close(&mut self, at: Position, item: Item, id: &str, tag: Option<&str>) {
        let known = self.record(item, id).map(|record| record.openness(item));
        if known.is_some_and(|openness| openness.open.is_some() || openness.closed_at.is_some()) {
            self.close(at, item, id);
            return;
        }
        let open = self.open[slot(item.into())].values().rev();
        let mut open =
            open.filter(|id| self.record(item, id).is_some_and(|record| record.owned.admits(tag)));
        if let Some(id) = open.next().map(Arc::clone) {
            self.close(at, item, &id);
        }
    }

    /// Closes a step: the one of that name under whatever owner, else the owner's last.
    fn assume_step_closed(&mut self, at: Position, name: &str, tag: Option<&str>) {
        let named = self.steps.get(name).and_then(|steps| steps.open.first_key_value());
        let of_owner = |order: &u64, name: &str| {
            let step = self.steps.get(name).and_then(|steps| steps.get(tag));
            step.is_some_and(|step| step.open.contains(order))
        };
        let open = self.open[slot(EntityKind::Step)].iter().rev();
        let mut last = open.filter(|(order, name)| of_owner(order, name));
        let closed = match named {
            Some((order, _)) => Some((Arc::from(name), *order)),
            None => last.next().map(|(order, name)| (Arc::clone(name), *order)),
        };
        if let Some((name, order)) = closed {
            self.close_step(at, &name, order);
        }
    }

    /// Opens an item in any case, once more if it is open, for the owner that the tag names.
    pub(crate) fn assume_open(
        &mut self,
        at: Position,
        item: Item,
        id: &str,
        tag: Option<&str>,
        form: Form,
    ) {
        let (records, span) = self.records_mut(item);
        let open = records.get_mut(id).and_then(|record| record.openness_mut(span).open.as_mut());
        match open {
            Some(open) if open.form == Form::Explicit && form == Form::Explicit => open.again += 1,
            _ => {
                self.close(at, item, id);
                let owner = self.owner(tag);
                self.open(at, item, id, owner, form);
            }
        }
        self.assume_owner(at, item, id, tag);
    }

    /// Lets a tag pass beside the owner's, or makes it the owner where there is none.
    pub(crate) fn assume_owner(&mut self, at: Position, item: Item, id: &str, tag: Option<&str>) {
        if tag.is_none() {
            return;
        }
        let owner = self.owner(tag);
        let (records, _) = self.records_mut(item);
        match records.get_mut(id) {
            Some(record) => record.owned.assumed = Some(Claim::By(owner)),
            None => record(records, id, &Owned::by(owner, at), false),
        }
    }

    /// Takes in an opening that was refused in run scope's self-contained chunk form.
    pub(crate) fn assume_claim(&mut self, at: Position, opening: &Opening<'_>) {
        if self.claim_by_chunk(at, opening).is_err() {
            self.assume_owner(at, opening.item, opening.id, opening.tag);
        }
    }

    /// Lets an item that a start opened be continued in chunks.
    pub(crate) fn assume_mixed(&mut self, item: Item, id: &str) {
        let (records, span) = self.records_mut(item);
        let open = records.get_mut(id).and_then(|record| record.openness_mut(span).open.as_mut());
        if let Some(open) = open {
            open.mixed = true;
        }
    }

    fn assume_subagent(&mut self, at: Position, id: &str, parent: Option<&str>) {
        if let Some(parent) = parent.filter(|parent| !self.subagents.contains_key(*parent)) {
            self.activate(at, parent);
        }
        let active = self.subagents.get_mut(id).and_then(|subagent| subagent.active.as_mut());
        match active {
            Some(open) => open.again += 1,
            None => self.activate(at, id),
        }
    }
}
