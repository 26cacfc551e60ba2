//! The open chunk streams, one a lane.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use conform_event::{Chunk, Item};

use crate::entity::{Owner, Position};

/// A chunk stream: an item that is streamed in chunks.
#[derive(Debug, Clone)]
pub(crate) struct ChunkStream {
    pub(crate) lane: Owner,
    pub(crate) item: Item,
    /// None for a stream that [`assume`](crate::StreamVerifier::assume_at) made up.
    pub(crate) id: Option<Arc<str>>,
    pub(crate) since: Position,
    pub(crate) opener: Opener,
    order: u64,
}

/// What the first chunk said of its item.
#[derive(Debug, Clone, Default)]
pub(crate) struct Opener {
    role: Option<Box<str>>,
    name: Option<Box<str>>,
    tool_name: Option<Box<str>>,
    parent_message: Option<Box<str>>,
}

/// How a chunk stream came to its end.
#[derive(Debug, Clone)]
pub(crate) struct Closed {
    pub(crate) id: Option<Arc<str>>,
    pub(crate) at: Position,
    /// By its owner's end or by a run-level event.
    pub(crate) with_owner: bool,
}

/// The lanes of a stream: the parent agent's and one a subagent.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lanes {
    parent: Option<ChunkStream>,
    subagents: HashMap<Arc<str>, ChunkStream>,
    /// The lanes that have a stream of each kind, in the order of opening.
    by_kind: [BTreeMap<u64, Owner>; 3],
    opened: u64,
    last_closed: [Option<Closed>; 3],
    last_closed_in: HashMap<Owner, [Option<Closed>; 3]>,
    /// Kinds whose ambiguous continuations are let pass; only `assume` sets it.
    pub(crate) ambiguity_assumed: [bool; 3],
}

/// Where a chunk belongs.
pub(crate) enum Lane {
    Of(Owner),
    /// So many lanes could be meant.
    Ambiguous(usize),
    /// There is none of its kind to continue.
    None,
}

impl Lanes {
    pub(crate) fn is_empty(&self) -> bool {
        self.by_kind.iter().all(BTreeMap::is_empty)
    }

    pub(crate) fn get(&self, lane: Option<&str>) -> Option<&ChunkStream> {
        match lane {
            None => self.parent.as_ref(),
            Some(id) => self.subagents.get(id),
        }
    }

    pub(crate) fn get_mut(&mut self, lane: &Owner) -> Option<&mut ChunkStream> {
        match lane.id() {
            None => self.parent.as_mut(),
            Some(id) => self.subagents.get_mut(id),
        }
    }

    /// The lane that an untagged chunk without an id continues.
    pub(crate) fn of_untagged(&self, item: Item) -> Lane {
        if self.parent.as_ref().is_some_and(|stream| stream.item == item) {
            return Lane::Of(Owner::parent());
        }
        let lanes = &self.by_kind[kind(item)];
        match (lanes.len(), lanes.first_key_value()) {
            (1, Some((_, lane))) => Lane::Of(lane.clone()),
            (0, _) | (_, None) => Lane::None,
            (several, _) => Lane::Ambiguous(several),
        }
    }

    pub(crate) fn open(
        &mut self,
        lane: &Owner,
        item: Item,
        id: Option<Arc<str>>,
        since: Position,
        opener: Opener,
    ) {
        let order = self.opened;
        self.opened += 1;
        self.by_kind[kind(item)].insert(order, lane.clone());
        // What closes a stream must not allocate.
        self.last_closed_in.entry(lane.clone()).or_default();
        let stream = ChunkStream { lane: lane.clone(), item, id, since, opener, order };
        match lane.shared_id() {
            None => self.parent = Some(stream),
            Some(id) => {
                self.subagents.insert(id, stream);
            }
        }
    }

    /// Ends the stream of a lane and says which it was.
    pub(crate) fn close(
        &mut self,
        lane: &Owner,
        at: Position,
        with_owner: bool,
    ) -> Option<ChunkStream> {
        let stream = match lane.id() {
            None => self.parent.take(),
            Some(id) => self.subagents.remove(id),
        }?;
        self.by_kind[kind(stream.item)].remove(&stream.order);
        let closed = Closed { id: stream.id.clone(), at, with_owner };
        let last = self.last_closed_in.entry(lane.clone()).or_default();
        last[kind(stream.item)] = Some(closed.clone());
        self.last_closed[kind(stream.item)] = Some(closed);
        Some(stream)
    }

    /// Every lane that has a stream, in the order of opening.
    pub(crate) fn all(&self) -> Vec<Owner> {
        let mut lanes: Vec<_> = self.by_kind.iter().flatten().collect();
        lanes.sort_by_key(|(order, _)| **order);
        lanes.into_iter().map(|(_, lane)| lane.clone()).collect()
    }

    /// The stream of a kind that was closed last: in the lane of the tag, or in any.
    pub(crate) fn last_closed(&self, item: Item, tag: Option<&str>) -> Option<&Closed> {
        match tag {
            None => self.last_closed[kind(item)].as_ref(),
            Some(tag) => self.last_closed_in.get(&Owner::subagent(tag))?[kind(item)].as_ref(),
        }
    }
}

impl Opener {
    pub(crate) fn of(chunk: &Chunk<'_>) -> Self {
        let own = |text: &Option<conform_event::Text<'_>>| text.as_deref().map(Box::from);
        Self {
            role: own(&chunk.role),
            name: own(&chunk.name),
            tool_name: own(&chunk.tool_name),
            parent_message: own(&chunk.parent_message),
        }
    }

    /// The member of a continuation that says something else than the opener, if any does.
    pub(crate) fn contradicted_by(&self, chunk: &Chunk<'_>) -> Option<&'static str> {
        let differs = |opener: Option<&str>, repeat: Option<&str>| {
            repeat.is_some_and(|repeat| opener != Some(repeat))
        };
        if chunk.item == Item::ToolCall {
            if differs(self.tool_name.as_deref(), chunk.tool_name.as_deref()) {
                return Some("toolCallName");
            }
            if differs(self.parent_message.as_deref(), chunk.parent_message.as_deref()) {
                return Some("parentMessageId");
            }
        }
        if chunk.item == Item::TextMessage {
            if differs(Some(self.role.as_deref().unwrap_or("assistant")), chunk.role.as_deref()) {
                return Some("role");
            }
            if differs(self.name.as_deref(), chunk.name.as_deref()) {
                return Some("name");
            }
        }
        None
    }

    /// Takes over what a continuation repeats.
    pub(crate) fn adopt(&mut self, chunk: &Chunk<'_>) {
        let new = Self::of(chunk);
        let members = [
            (&mut self.role, new.role),
            (&mut self.name, new.name),
            (&mut self.tool_name, new.tool_name),
            (&mut self.parent_message, new.parent_message),
        ];
        for (old, new) in members {
            if new.is_some() {
                *old = new;
            }
        }
    }
}

/// The three kinds of chunk streams.
pub(crate) fn kind(item: Item) -> usize {
    match item {
        Item::TextMessage => 0,
        Item::ReasoningMessage | Item::ReasoningSpan => 1,
        Item::ToolCall => 2,
    }
}
