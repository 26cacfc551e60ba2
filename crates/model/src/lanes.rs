//! The chunk streams of the stream scope, lane by lane.
//!
//! Pure functions of the accepted events: [`chunk_streams`] says which streams they opened
//! and what closed each, [`reading`] what a chunk means after them.

use conform_event::{Body, Chunk, Event, Item};

use crate::facts::Owner;
use crate::rules::{ENDS_WITH_ITS_OWNER, FIRST_CARRIES_ID, UNAMBIGUOUS_LANE};

/// "A lane is the parent agent or one subagent, and holds at most one open chunk stream."
pub(crate) type Lane<'e> = Owner<'e>;

/// An item that chunks assemble or have assembled.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChunkStream<'e> {
    /// The lane that it is in.
    pub(crate) lane: Lane<'e>,
    /// The item's id.
    pub(crate) id: &'e str,
    /// The index of the event that opened it, among the accepted ones.
    pub(crate) opened: usize,
    /// The chunk that opened it.
    pub(crate) opener: &'e Chunk<'e>,
    /// What closed it; none while it is open.
    pub(crate) closed: Option<Closed>,
}

/// What closed a chunk stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Closed {
    /// The index of the event, among the accepted ones.
    pub(crate) at: usize,
    /// How.
    pub(crate) by: Closing,
}

/// (D9) The two ways in which a chunk stream closes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Closing {
    /// By SUBAGENT_FINISHED or SUBAGENT_ERROR of its owner, or a run-level event.
    WithItsOwner,
    /// By anything else.
    Otherwise,
}

/// What a chunk means.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Reading<'e> {
    /// It goes on with an open stream.
    Continues(ChunkStream<'e>),
    /// It opens a stream of this id in this lane.
    Opens(Lane<'e>, &'e str),
    /// It means nothing, and breaks this requirement.
    Faults(&'static str),
}

impl ChunkStream<'_> {
    /// The item's kind.
    pub(crate) fn item(&self) -> Item {
        self.opener.item
    }

    /// Whether it assembles this item.
    pub(crate) fn assembles(&self, item: Item, id: &str) -> bool {
        self.item() == item && self.id == id
    }
}

/// The chunk streams that the accepted events opened, in that order.
pub(crate) fn chunk_streams<'e>(prefix: &[&'e Event<'e>]) -> Vec<ChunkStream<'e>> {
    prefix.iter().enumerate().fold(Vec::new(), |before, (at, event)| after(&before, at, event))
}

/// The chunk streams after an accepted event, given those before it.
fn after<'e>(before: &[ChunkStream<'e>], at: usize, event: &'e Event<'e>) -> Vec<ChunkStream<'e>> {
    let close = |stream: &ChunkStream<'e>| ChunkStream {
        closed: closing(before, stream, event).map(|by| Closed { at, by }).or(stream.closed),
        ..*stream
    };
    let opened = match &event.body {
        Body::Chunk(chunk) => match reading(before, event.tag.as_deref(), chunk) {
            Reading::Opens(lane, id) => {
                Some(ChunkStream { opened: at, lane, id, opener: chunk, closed: None })
            }
            Reading::Continues(_) | Reading::Faults(_) => None,
        },
        _ => None,
    };
    before.iter().map(close).chain(opened).collect()
}

/// The streams that are open.
pub(crate) fn open<'s, 'e>(
    streams: &'s [ChunkStream<'e>],
) -> impl Iterator<Item = &'s ChunkStream<'e>> {
    streams.iter().filter(|stream| stream.closed.is_none())
}

/// The open stream of a lane.
fn open_in<'e>(streams: &[ChunkStream<'e>], lane: Lane<'_>) -> Option<ChunkStream<'e>> {
    open(streams).find(|stream| stream.lane == lane).copied()
}

/// The open stream that assembles an item, in whatever lane.
pub(crate) fn assembling<'e>(
    streams: &[ChunkStream<'e>],
    item: Item,
    id: &str,
) -> Option<ChunkStream<'e>> {
    open(streams).find(|stream| stream.assembles(item, id)).copied()
}

/// "The lane of a chunk is its tag's. Without a tag: with an id, the lane that has that id
/// open, else the parent agent's" (D8: of that kind). One with an id goes on with the stream
/// that assembles it in its lane, else it is an opener there (D12).
pub(crate) fn reading<'e>(
    streams: &[ChunkStream<'e>],
    tag: Option<&'e str>,
    chunk: &'e Chunk<'e>,
) -> Reading<'e> {
    let Some(id) = chunk.id.as_deref() else {
        return without_id(streams, tag, chunk.item);
    };
    let lane = match (tag, assembling(streams, chunk.item, id)) {
        (Some(tag), _) => Owner::Subagent(tag),
        (None, Some(stream)) => stream.lane,
        (None, None) => Owner::ParentAgent,
    };
    match open_in(streams, lane) {
        Some(stream) if stream.assembles(chunk.item, id) => Reading::Continues(stream),
        _ => Reading::Opens(lane, id),
    }
}

/// "Without an id, the parent agent's if it has a stream of that kind, else the only lane
/// that has one, else it is ambiguous"; with a tag, its lane's.
fn without_id<'e>(streams: &[ChunkStream<'e>], tag: Option<&str>, item: Item) -> Reading<'e> {
    let of_kind = |stream: &ChunkStream<'e>| stream.item() == item;
    if let Some(stream) = open_in(streams, Owner::of(tag)).filter(of_kind) {
        return Reading::Continues(stream);
    }
    let elsewhere: Vec<_> = open(streams).copied().filter(of_kind).collect();
    match (tag, elsewhere.as_slice()) {
        (Some(_), _) | (None, []) => Reading::Faults(nothing_to_continue(streams, tag, item)),
        (None, [only]) => Reading::Continues(*only),
        (None, _) => Reading::Faults(UNAMBIGUOUS_LANE),
    }
}

/// (D9) "Breaks `chunk/ends-with-its-owner` where the chunk stream of that kind that was
/// closed last (in its lane if it is tagged, in any lane if not) was closed by
/// SUBAGENT_FINISHED or SUBAGENT_ERROR of its owner or by" a run-level event; "else
/// `chunk/first-carries-id`. That memory outlives the run."
fn nothing_to_continue(streams: &[ChunkStream<'_>], tag: Option<&str>, item: Item) -> &'static str {
    let closed_last = streams
        .iter()
        .filter(|stream| stream.item() == item)
        .filter(|stream| tag.is_none_or(|tag| stream.lane == Owner::Subagent(tag)))
        .filter_map(|stream| stream.closed)
        .max_by_key(|closed| closed.at);
    match closed_last {
        Some(Closed { by: Closing::WithItsOwner, .. }) => ENDS_WITH_ITS_OWNER,
        _ => FIRST_CARRIES_ID,
    }
}

/// How an event, if it is accepted, closes a chunk stream; none if it does not.
///
/// "A chunk stream is closed before an accepted event is judged, when that event is: a chunk
/// of its kind and lane with another id; an explicit text, reasoning, tool, step, state or
/// CUSTOM event, or a chunk of another kind, in its lane; an explicit event with the id that
/// it is assembling, in whatever lane; RUN_STARTED, RUN_FINISHED, RUN_ERROR,
/// MESSAGES_SNAPSHOT (every lane); SUBAGENT_FINISHED or SUBAGENT_ERROR of its owner."
pub(crate) fn closing<'e>(
    streams: &[ChunkStream<'e>],
    stream: &ChunkStream<'e>,
    event: &'e Event<'e>,
) -> Option<Closing> {
    if stream.closed.is_some() {
        return None;
    }
    // (D7) "Lane of an explicit event. Its tag's; without one, the parent agent's."
    let in_its_lane = stream.lane == Owner::of(event.tag.as_deref());
    // (D11) "The explicit events with the id that a chunk stream is assembling are the start
    // of its kind, and a TOOL_CALL_RESULT by `toolCallId` or `messageId`."
    let (with_its_owner, otherwise) = match &event.body {
        Body::RunStarted { .. }
        | Body::RunFinished
        | Body::RunError
        | Body::MessagesSnapshot { .. } => (true, false),
        Body::SubagentEnded { id } => (stream.lane == Owner::Subagent(id), false),
        Body::Start { item, id, .. } => (false, in_its_lane || stream.assembles(*item, id)),
        Body::ToolResult { call, message } => {
            let its_call = stream.assembles(Item::ToolCall, call);
            let its_message =
                message.as_ref().is_some_and(|id| stream.assembles(Item::TextMessage, id));
            (false, in_its_lane || its_call || its_message)
        }
        Body::Content { .. }
        | Body::End { .. }
        | Body::StepStarted { .. }
        | Body::StepFinished { .. }
        | Body::State
        | Body::Custom => (false, in_its_lane),
        Body::Chunk(chunk) => match reading(streams, event.tag.as_deref(), chunk) {
            Reading::Opens(lane, _) => (false, lane == stream.lane),
            Reading::Continues(_) | Reading::Faults(_) => (false, false),
        },
        // "RAW, ACTIVITY_*, REASONING_ENCRYPTED_VALUE, SUBAGENT_STARTED and unknown types
        // close nothing", nor does what the rules cannot read (D2).
        Body::Raw
        | Body::ActivitySnapshot { .. }
        | Body::ActivityDelta { .. }
        | Body::EncryptedValue { .. }
        | Body::SubagentStarted { .. }
        | Body::Untracked
        | Body::Hidden => (false, false),
    };
    match (with_its_owner, otherwise) {
        (true, _) => Some(Closing::WithItsOwner),
        (false, true) => Some(Closing::Otherwise),
        (false, false) => None,
    }
}
