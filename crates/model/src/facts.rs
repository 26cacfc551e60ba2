//! What accepted events do, in the terms of the contract.

use conform_event::{Body, Chunk, Event, Item, Message};

/// Terms, *Owner*: who opened an entity: "either a subagent, named by `subagentRunId`, or
/// the parent agent when the opener carries no tag. An empty string is a legal subagent id".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner<'e> {
    /// The agent of the run itself.
    ParentAgent,
    /// The subagent of this id.
    Subagent(&'e str),
}

/// Terms, *Entity kinds*: what can be open. "Ids are unique within a kind only".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entity<'e> {
    /// A text message, reasoning span, reasoning message or tool call.
    Item(Item, &'e str),
    /// (12) "keyed by (owner tag, name)".
    Step(Owner<'e>, &'e str),
    /// An invocation of a subagent.
    Subagent(&'e str),
}

/// One thing that an accepted event has done.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Fact<'e> {
    /// A run began.
    RunStarted,
    /// (2) The run's input: seeds owners for ids that have none yet.
    Seeds(&'e [Message<'e>]),
    /// (15) A snapshot: replaces owners.
    Declares(&'e [Message<'e>]),
    /// (5, 7, 10) An item was written by a start or a chunk: a first writer owns it.
    Writes(Writing<'e>),
    /// An entity was opened.
    Opens(Entity<'e>),
    /// An entity was closed.
    Closes(Entity<'e>),
    /// (9) A result became a message.
    Mints {
        /// The message.
        message: &'e str,
        /// Whoever answered.
        owner: Owner<'e>,
    },
    /// (13) An activity was shown.
    Shows {
        /// The activity.
        activity: &'e str,
        /// Whoever showed it.
        owner: Owner<'e>,
        /// Whether what is there already stays.
        keep: bool,
    },
}

/// A start, or a chunk that is read like one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Writing<'e> {
    /// What is written.
    pub(crate) item: Item,
    /// Its id.
    pub(crate) id: &'e str,
    /// Who says so.
    pub(crate) tag: Option<&'e str>,
    /// (7) Of a tool call, the message that it names as its parent.
    pub(crate) parent_message: Option<&'e str>,
}

impl<'e> Owner<'e> {
    /// Terms, *Owner*: no tag is the parent agent.
    pub(crate) fn of(tag: Option<&'e str>) -> Self {
        tag.map_or(Self::ParentAgent, Self::Subagent)
    }
}

impl<'e> Writing<'e> {
    /// A start as a writing.
    pub(crate) fn start(
        item: Item,
        id: &'e str,
        tag: Option<&'e str>,
        parent_message: Option<&'e str>,
    ) -> Self {
        // Only tool calls have a parent message.
        let parent_message = parent_message.filter(|_| item == Item::ToolCall);
        Self { item, id, tag, parent_message }
    }

    /// (10) A chunk with an id as a writing.
    pub(crate) fn chunk(chunk: &'e Chunk<'_>, id: &'e str, tag: Option<&'e str>) -> Self {
        Self::start(chunk.item, id, tag, chunk.parent_message.as_deref())
    }

    /// What it opens, if it opens anything.
    pub(crate) fn entity(&self) -> Entity<'e> {
        Entity::Item(self.item, self.id)
    }
}

/// What an accepted event does in run scope, where "chunks are self-contained: one with an
/// id checks and records the owner as an opener would; it neither opens nor closes
/// anything" (10).
pub(crate) fn of_event<'e>(event: &'e Event<'_>) -> impl Iterator<Item = Fact<'e>> {
    let tag = event.tag.as_deref();
    let owner = Owner::of(tag);
    let (first, second) = match &event.body {
        Body::RunStarted { input, .. } => {
            let seeds = input.as_ref().map(|input| Fact::Seeds(&input.messages));
            (Some(Fact::RunStarted), seeds)
        }
        Body::Start { item, id, parent_message } => {
            let writing = Writing::start(*item, id, tag, parent_message.as_deref());
            (Some(Fact::Writes(writing)), Some(Fact::Opens(writing.entity())))
        }
        Body::End { item, id } => (Some(Fact::Closes(Entity::Item(*item, id))), None),
        Body::Chunk(chunk) => {
            let id = chunk.id.as_deref();
            (id.map(|id| Fact::Writes(Writing::chunk(chunk, id, tag))), None)
        }
        Body::ToolResult { message, .. } => {
            let message = message.as_deref();
            (message.map(|message| Fact::Mints { message, owner }), None)
        }
        Body::StepStarted { name } => (Some(Fact::Opens(Entity::Step(owner, name))), None),
        Body::StepFinished { name } => (Some(Fact::Closes(Entity::Step(owner, name))), None),
        Body::ActivitySnapshot { id, keep } => {
            (Some(Fact::Shows { activity: id, owner, keep: *keep }), None)
        }
        Body::SubagentStarted { id, .. } => (Some(Fact::Opens(Entity::Subagent(id))), None),
        Body::SubagentEnded { id } => (Some(Fact::Closes(Entity::Subagent(id))), None),
        Body::MessagesSnapshot { messages } => (Some(Fact::Declares(messages)), None),
        // (16), D2, and what continues an entity or ends the run, which the rules read from
        // the events themselves.
        Body::RunFinished
        | Body::RunError
        | Body::Content { .. }
        | Body::EncryptedValue { .. }
        | Body::ActivityDelta { .. }
        | Body::State
        | Body::Custom
        | Body::Raw
        | Body::Untracked
        | Body::Hidden => (None, None),
    };
    first.into_iter().chain(second)
}
