//! The requirements beyond ordering (decision 6).
//!
//! Each rule is a question about one event and those before it. Nothing is remembered: what an
//! earlier event said is looked up where it is asked for.

mod calls;
mod messages;
mod others;
mod runs;

use std::collections::BTreeSet;

use conform_event::json::Json;
use conform_event::{Body, Event, Item};

use crate::lanes::{ChunkStream, Reading, chunk_streams, reading};

/// An accepted event.
pub(crate) struct Seen<'e> {
    /// Its index in the whole stream.
    pub(crate) index: usize,
    /// What the ordering rules read of it.
    pub(crate) event: &'e Event<'e>,
    /// All of it.
    pub(crate) json: &'e Json<'e>,
}

/// An item: its kind and its id.
pub(crate) type Named<'e> = (Item, &'e str);

/// The accepted events of a stream, and what chunks among them mean.
pub(crate) struct Story<'e> {
    events: &'e [Seen<'e>],
    request: Option<&'e Json<'e>>,
    streams: Vec<ChunkStream<'e>>,
    /// The item of each chunk.
    chunks: Vec<Option<Named<'e>>>,
}

/// Which events break which requirements.
pub(crate) fn breaches(
    accepted: &[Seen<'_>],
    request: Option<&Json<'_>>,
) -> BTreeSet<(usize, &'static str)> {
    let story = Story::of(accepted, request);
    let mut broken = BTreeSet::new();
    for (at, seen) in accepted.iter().enumerate() {
        let mut ids = runs::breaches(&story, at);
        ids.extend(messages::breaches(&story, at));
        ids.extend(calls::breaches(&story, at));
        ids.extend(others::breaches(&story, at));
        broken.extend(ids.into_iter().map(|id| (seen.index, id)));
    }
    broken
}

impl<'e> Story<'e> {
    fn of(events: &'e [Seen<'e>], request: Option<&'e Json<'e>>) -> Self {
        let bodies: Vec<&Event<'_>> = events.iter().map(|seen| seen.event).collect();
        let chunk_of = |(at, event): (usize, &&'e Event<'e>)| {
            let Body::Chunk(chunk) = &event.body else { return None };
            let before = chunk_streams(&bodies[..at]);
            match reading(&before, event.tag.as_deref(), chunk) {
                Reading::Continues(stream) => Some((stream.item(), stream.id)),
                Reading::Opens(_, id) => Some((chunk.item, id)),
                Reading::Faults(_) => None,
            }
        };
        let chunks = bodies.iter().enumerate().map(chunk_of).collect();
        Self { events, request, streams: chunk_streams(&bodies), chunks }
    }

    fn body(&self, at: usize) -> &'e Body<'e> {
        &self.events[at].event.body
    }

    fn json(&self, at: usize) -> &'e Json<'e> {
        self.events[at].json
    }

    /// The text of a member.
    fn text(&self, at: usize, member: &str) -> Option<&'e str> {
        self.json(at).text(member)
    }

    /// The item that an event opens: a start, or the chunk that begins a chunk stream.
    fn opens(&self, at: usize) -> Option<Named<'e>> {
        match self.body(at) {
            Body::Start { item, id, .. } => Some((*item, id)),
            Body::Chunk(_) => {
                let stream = self.streams.iter().find(|stream| stream.opened == at);
                stream.map(|stream| (stream.item(), stream.id))
            }
            _ => None,
        }
    }

    /// The item that an event adds to.
    fn adds_to(&self, at: usize) -> Option<Named<'e>> {
        match self.body(at) {
            Body::Content { item, id } => Some((*item, id)),
            _ => self.chunks[at],
        }
    }

    /// The items that an event closes.
    fn closes(&self, at: usize) -> Vec<Named<'e>> {
        let chunked = self.streams.iter().filter(|s| s.closed.is_some_and(|c| c.at == at));
        let chunked = chunked.map(|stream| (stream.item(), stream.id));
        match self.body(at) {
            Body::End { item, id } => chunked.chain([(*item, id.as_ref())]).collect(),
            _ => chunked.collect(),
        }
    }

    /// Where the run of an event began; the event itself if it begins one.
    fn run_of(&self, at: usize) -> Option<usize> {
        (0..=at).rev().find(|at| matches!(self.body(*at), Body::RunStarted { .. }))
    }

    /// The events of the run before this one.
    fn run_before(&self, at: usize) -> std::ops::Range<usize> {
        self.run_of(at).unwrap_or(0)..at
    }

    /// The inputs of the run that an event belongs to: the request, where it asks for that
    /// run, and the echo.
    fn inputs(&self, at: usize) -> Vec<&'e Json<'e>> {
        let Some(began) = self.run_of(at) else { return Vec::new() };
        let asked = |request: &&Json<'_>| {
            request.text("runId").is_some() && request.text("runId") == self.text(began, "runId")
        };
        self.request.filter(asked).into_iter().chain(self.echo(began)).collect()
    }

    /// The `input` that RUN_STARTED echoes.
    fn echo(&self, at: usize) -> Option<&'e Json<'e>> {
        let starts = matches!(self.body(at), Body::RunStarted { .. });
        self.json(at).get("input").filter(|input| starts && input.is_object())
    }

    /// Every input that is known when an event comes: the request, and the echoes so far.
    fn seeds(&self, at: usize) -> Vec<&'e Json<'e>> {
        self.request.into_iter().chain((0..=at).filter_map(|at| self.echo(at))).collect()
    }
}

/// The messages of an input or a snapshot.
pub(crate) fn messages<'j, 'e>(holder: &'j Json<'e>) -> &'j [Json<'e>] {
    holder.list("messages")
}

/// The calls of a message: only an assistant makes any.
fn calls_of<'j, 'e>(message: &'j Json<'e>) -> &'j [Json<'e>] {
    if message.text("role") == Some("assistant") { message.list("toolCalls") } else { &[] }
}

/// The `type` of an outcome.
fn outcome<'j>(json: &'j Json<'_>) -> Option<&'j str> {
    json.get("outcome")?.text("type")
}
