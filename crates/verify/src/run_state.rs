//! The records of one run: who owns what, and what is open.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use conform_event::{Body, Bucket, Event, Holder, Item, Message, RunInput};

use crate::breach::Breach;
use crate::entity::{Entity, EntityKind, Owner, Position};
use crate::error::VerificationError;

mod assume;
#[cfg(debug_assertions)]
mod dump;
mod records;
mod tree;

pub(crate) use records::{Form, Open};
use records::{Openness, Owned, Record, Steps, Subagent, agrees, put, record, slot};

type Id = Arc<str>;

/// The records of one run. Every method that can refuse looks first and changes after, so
/// that a refused event changes nothing.
#[derive(Debug, Clone, Default)]
pub(crate) struct RunState {
    text: HashMap<Id, Record>,
    reasoning: HashMap<Id, Record>,
    calls: HashMap<Id, Record>,
    activities: HashMap<Id, Owned>,
    steps: HashMap<Id, Steps>,
    subagents: HashMap<Id, Subagent>,
    /// What events hold open, by kind, in the order of opening. Chunk streams are not in
    /// it: they close by themselves.
    open: [BTreeMap<u64, Id>; 6],
    opened: u64,
    tags: HashSet<Id>,
}

/// What lies beyond the run's own records.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Beyond<'a> {
    /// The calls that earlier runs of the stream introduced.
    pub(crate) calls: Option<&'a HashSet<Id>>,
    /// Whether a call that nothing introduced is surely wrong.
    pub(crate) settled: bool,
}

impl Beyond<'_> {
    /// A run that stands alone.
    pub(crate) const NOTHING: Self = Beyond { calls: None, settled: true };
}

/// An opening: what is opened, by whom, in which form.
pub(crate) struct Opening<'e> {
    pub(crate) item: Item,
    pub(crate) id: &'e str,
    pub(crate) tag: Option<&'e str>,
    pub(crate) parent_message: Option<&'e str>,
}

impl RunState {
    /// Judges an event other than RUN_* and chunks, and takes it in. What is accepted with
    /// a doubt comes back as `Ok(Some(_))`.
    pub(crate) fn observe(
        &mut self,
        at: Position,
        event: &Event<'_>,
        beyond: Beyond<'_>,
    ) -> Result<Option<Breach>, Breach> {
        let tag = event.tag.as_deref();
        match &event.body {
            Body::Start { item, id, parent_message } => {
                let parent_message = parent_message.as_deref();
                let opening = Opening { item: *item, id, tag, parent_message };
                self.start(at, &opening, Form::Explicit)?;
            }
            Body::Content { item, id } => self.continues(*item, id, tag)?,
            Body::End { item, id } => {
                self.continues(*item, id, tag)?;
                self.close(at, *item, id);
            }
            Body::ToolResult { call, message } => {
                let doubt = self.result(call, beyond)?;
                self.mint(at, message.as_deref(), tag);
                return Ok(doubt);
            }
            Body::EncryptedValue { holder, id } => {
                if let Some((kind, owned)) = self.holder(*holder, id) {
                    agrees(kind, id, owned, tag)?;
                }
            }
            Body::StepStarted { name } => self.step_started(at, name, tag)?,
            Body::StepFinished { name } => self.step_finished(at, name, tag)?,
            Body::ActivitySnapshot { id, keep } => {
                if !keep || !self.activities.contains_key(&**id) {
                    let owned = Owned::by(self.owner(tag), at);
                    put(&mut self.activities, id, owned);
                }
            }
            Body::ActivityDelta { id } => {
                if let Some(owned) = self.activities.get(&**id) {
                    agrees(EntityKind::Activity, id, owned, tag)?;
                }
            }
            Body::SubagentStarted { id, parent } => {
                self.subagent_started(at, id, parent.as_deref())?;
            }
            Body::SubagentEnded { id } => self.subagent_ended(at, id)?,
            Body::MessagesSnapshot { messages } => self.seed(at, messages, true),
            Body::RunStarted { .. }
            | Body::RunFinished
            | Body::RunError
            | Body::Chunk(_)
            | Body::State
            | Body::Custom
            | Body::Raw
            | Body::Untracked
            | Body::Hidden => {}
        }
        Ok(None)
    }

    /// Seeds the owners of an input's messages, for ids that have none yet.
    pub(crate) fn echo(&mut self, at: Position, input: &RunInput<'_>) {
        self.seed(at, &input.messages, false);
    }

    fn seed(&mut self, at: Position, messages: &[Message<'_>], authoritative: bool) {
        for message in messages {
            let owned = Owned::by(self.owner(message.tag.as_deref()), at);
            match message.bucket {
                Bucket::Activity => {
                    if authoritative || !self.activities.contains_key(&*message.id) {
                        put(&mut self.activities, &message.id, owned.clone());
                    }
                }
                Bucket::Reasoning => {
                    record(&mut self.reasoning, &message.id, &owned, authoritative);
                }
                Bucket::TextMessage => record(&mut self.text, &message.id, &owned, authoritative),
            }
            for call in &message.tool_calls {
                record(&mut self.calls, call, &owned, authoritative);
            }
        }
    }

    /// Opens an item, owner first, then whether it is open. What chunks hold open, a start
    /// closes, so only an explicit opening stands in its way.
    pub(crate) fn start(
        &mut self,
        at: Position,
        opening: &Opening<'_>,
        form: Form,
    ) -> Result<(), Breach> {
        let asserted = self.claim(opening)?;
        let by_chunk = form != Form::Explicit;
        if let Some(open) = self.open_item(opening.item, opening.id)
            && (open.form == Form::Explicit || by_chunk)
        {
            let entity = Entity::new(opening.item, opening.id);
            let owner = Some(self.owner_of(opening.item, opening.id));
            return Err(Breach::AlreadyOpen { entity, owner, since: open.since });
        }
        let owner = asserted.unwrap_or_else(|| self.owner(opening.tag));
        self.open(at, opening.item, opening.id, owner, form);
        Ok(())
    }

    /// Takes in a self-contained chunk of run scope: it checks and records the owner.
    pub(crate) fn claim_by_chunk(
        &mut self,
        at: Position,
        opening: &Opening<'_>,
    ) -> Result<(), Breach> {
        let owner = self.claim(opening)?;
        let owner = owner.unwrap_or_else(|| self.owner(opening.tag));
        let (records, _) = self.records_mut(opening.item);
        record(records, opening.id, &Owned::by(owner, at), false);
        Ok(())
    }

    /// The owner that an opening asserts, or why it may not. None: the owner is the tag's,
    /// or stays what is recorded.
    fn claim(&self, opening: &Opening<'_>) -> Result<Option<Owner>, Breach> {
        let known = self.record(opening.item, opening.id).map(|record| &record.owned);
        if opening.item != Item::ToolCall {
            if let Some(owned) = known {
                agrees(opening.item.into(), opening.id, owned, opening.tag)?;
            }
            return Ok(None);
        }
        let parent = opening.parent_message.and_then(|id| Some((id, &self.text.get(id)?.owned)));
        if let (Some((parent_message, owned)), Some(tag)) = (parent, opening.tag)
            && !owned.is(Some(tag))
        {
            return Err(Breach::WrongParentOwner {
                entity: Entity::new(Item::ToolCall, opening.id),
                parent_message: parent_message.into(),
                owner: owned.owner.clone(),
                claimed: Owner::subagent(tag),
                at: owned.at,
            });
        }
        let Some((_, inherited)) = parent.filter(|_| opening.tag.is_none()) else {
            if let Some(owned) = known {
                agrees(EntityKind::ToolCall, opening.id, owned, opening.tag)?;
            }
            return Ok(None);
        };
        match known {
            Some(owned) if !owned.is(inherited.owner.id()) => Err(Breach::WrongOwner {
                entity: Entity::new(Item::ToolCall, opening.id),
                owner: owned.owner.clone(),
                claimed: inherited.owner.clone(),
                at: owned.at,
            }),
            _ => Ok(Some(inherited.owner.clone())),
        }
    }

    /// Marks an item open. Its owner is the recorded one, else `owner`.
    fn open(&mut self, at: Position, item: Item, id: &str, owner: Owner, form: Form) {
        let order = self.opened;
        self.opened += 1;
        let explicit = form == Form::Explicit;
        let open = Open { since: at, form, order, again: 0, mixed: false };
        let (records, span) = self.records_mut(item);
        let key = if let Some((key, _)) = records.get_key_value(id) {
            Arc::clone(key)
        } else {
            let key: Id = id.into();
            let record = Record {
                owned: Owned::by(owner, at),
                main: Openness::default(),
                span: Openness::default(),
            };
            records.insert(Arc::clone(&key), record);
            key
        };
        if let Some(record) = records.get_mut(id) {
            record.openness_mut(span).open = Some(open);
        }
        if explicit {
            self.open[slot(item.into())].insert(order, key);
        }
    }

    /// A continuation or terminator: open first, then the owner.
    fn continues(&self, item: Item, id: &str, tag: Option<&str>) -> Result<(), Breach> {
        match self.record(item, id) {
            Some(record) if record.openness(item).open.is_some() => {
                agrees(item.into(), id, &record.owned, tag)
            }
            record => Err(Breach::NotOpen {
                entity: Entity::new(item, id),
                closed_at: record.and_then(|record| record.openness(item).closed_at),
                elsewhere: None,
            }),
        }
    }

    /// Closes an item, if it is open.
    pub(crate) fn close(&mut self, at: Position, item: Item, id: &str) {
        let (records, span) = self.records_mut(item);
        let Some(record) = records.get_mut(id) else {
            return;
        };
        let openness = record.openness_mut(span);
        match &mut openness.open {
            Some(open) if open.again > 0 => open.again -= 1,
            Some(open) => {
                let order = open.order;
                openness.open = None;
                openness.closed_at = Some(at);
                self.open[slot(item.into())].remove(&order);
            }
            None => {}
        }
    }

    /// Closes an item, if chunks hold it open.
    pub(crate) fn close_chunks(&mut self, at: Position, item: Item, id: &str) {
        if self.open_item(item, id).is_some_and(|open| open.form != Form::Explicit) {
            self.close(at, item, id);
        }
    }

    /// Checks that a continuing chunk's tag is the owner of what it continues.
    pub(crate) fn chunk_continues(
        &self,
        item: Item,
        id: &str,
        tag: Option<&str>,
    ) -> Result<(), Breach> {
        match self.record(item, id) {
            Some(record) => agrees(item.into(), id, &record.owned, tag),
            None => Ok(()),
        }
    }

    fn result(&self, call: &str, beyond: Beyond<'_>) -> Result<Option<Breach>, Breach> {
        let entity = || Entity::new(Item::ToolCall, call);
        let Some(record) = self.calls.get(call) else {
            if beyond.calls.is_some_and(|calls| calls.contains(call)) {
                return Ok(None);
            }
            let breach = Breach::UnknownCall { entity: entity(), may_be_earlier: !beyond.settled };
            return if beyond.settled { Err(breach) } else { Ok(Some(breach)) };
        };
        match &record.main.open {
            Some(open) if open.form == Form::Explicit => {
                Err(Breach::ResultBeforeEnd { entity: entity(), since: open.since })
            }
            _ => Ok(None),
        }
    }

    /// A result mints the message that it names under its own tag.
    fn mint(&mut self, at: Position, message: Option<&str>, tag: Option<&str>) {
        if let Some(message) = message {
            let owned = Owned::by(self.owner(tag), at);
            record(&mut self.text, message, &owned, true);
        }
    }

    fn holder(&self, holder: Option<Holder>, id: &str) -> Option<(EntityKind, &Owned)> {
        match holder? {
            Holder::ToolCall => Some((EntityKind::ToolCall, &self.calls.get(id)?.owned)),
            Holder::Message => match self.text.get(id) {
                Some(record) => Some((EntityKind::TextMessage, &record.owned)),
                None => Some((EntityKind::ReasoningMessage, &self.reasoning.get(id)?.owned)),
            },
        }
    }

    /// What stands in the way of RUN_FINISHED.
    pub(crate) fn open_at_finish(&self) -> Option<Breach> {
        let total: usize = self.open.iter().map(BTreeMap::len).sum();
        for kind in EntityKind::ALL {
            let Some((order, id)) = self.open.get(slot(kind)).and_then(BTreeMap::first_key_value)
            else {
                continue;
            };
            let (owner, since) = match kind {
                EntityKind::Step => {
                    let (owner, since) = self.steps.get(id)?.open.get(order)?;
                    (Some(owner.clone()), *since)
                }
                EntityKind::Subagent => (None, self.subagents.get(id)?.active.as_ref()?.since),
                EntityKind::TextMessage => self.owner_and_since(Item::TextMessage, id)?,
                EntityKind::ReasoningMessage => self.owner_and_since(Item::ReasoningMessage, id)?,
                EntityKind::ReasoningSpan => self.owner_and_since(Item::ReasoningSpan, id)?,
                EntityKind::ToolCall => self.owner_and_since(Item::ToolCall, id)?,
                EntityKind::Activity => return None,
            };
            let entity = Entity { kind, id: Arc::clone(id) };
            return Some(Breach::OpenAtFinish { entity, owner, since, more: total - 1 });
        }
        None
    }

    fn owner_and_since(&self, item: Item, id: &str) -> Option<(Option<Owner>, Position)> {
        Some((Some(self.owner_of(item, id)), self.open_item(item, id)?.since))
    }

    /// The open state of an item.
    pub(crate) fn open_item(&self, item: Item, id: &str) -> Option<&Open> {
        self.record(item, id)?.openness(item).open.as_ref()
    }

    /// The recorded owner of an item, the parent agent where none is.
    pub(crate) fn owner_of(&self, item: Item, id: &str) -> Owner {
        self.record(item, id).map(|record| record.owned.owner.clone()).unwrap_or_default()
    }

    /// The error for an event that is refused in this state.
    pub(crate) fn refuse(&self, event: &Event<'_>, breach: Breach) -> VerificationError {
        VerificationError::new(event.type_name.as_str(), breach, self.dump_if_debug())
    }

    /// All that is open, in debug builds.
    #[cfg(debug_assertions)]
    #[expect(clippy::unnecessary_wraps, reason = "release builds have none")]
    pub(crate) fn dump_if_debug(&self) -> Option<String> {
        Some(self.dump())
    }

    /// All that is open, in debug builds.
    #[cfg(not(debug_assertions))]
    #[expect(clippy::unused_self, reason = "debug builds look at the state")]
    pub(crate) fn dump_if_debug(&self) -> Option<String> {
        None
    }

    /// The ids of the calls that the run introduced.
    pub(crate) fn into_calls(self) -> impl Iterator<Item = Id> {
        self.calls.into_keys()
    }

    fn record(&self, item: Item, id: &str) -> Option<&Record> {
        match item {
            Item::TextMessage => self.text.get(id),
            Item::ReasoningMessage | Item::ReasoningSpan => self.reasoning.get(id),
            Item::ToolCall => self.calls.get(id),
        }
    }

    /// The bucket of an item, and whether it is the span of its record.
    fn records_mut(&mut self, item: Item) -> (&mut HashMap<Id, Record>, bool) {
        match item {
            Item::TextMessage => (&mut self.text, false),
            Item::ReasoningMessage => (&mut self.reasoning, false),
            Item::ReasoningSpan => (&mut self.reasoning, true),
            Item::ToolCall => (&mut self.calls, false),
        }
    }

    /// The owner that a tag names, which is not kept where it is new.
    pub(crate) fn owner_named(&self, tag: &str) -> Owner {
        self.tags
            .get(tag)
            .map_or_else(|| Owner::subagent(tag), |id| Owner::subagent(Arc::clone(id)))
    }

    /// The owner that a tag names; equal tags share one allocation.
    pub(crate) fn owner(&mut self, tag: Option<&str>) -> Owner {
        let Some(tag) = tag else {
            return Owner::parent();
        };
        if let Some(known) = self.tags.get(tag) {
            return Owner::subagent(Arc::clone(known));
        }
        let id: Id = tag.into();
        self.tags.insert(Arc::clone(&id));
        Owner::subagent(id)
    }
}
