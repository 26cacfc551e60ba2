//! The requirements beyond the ordering rules (decision 6).
//!
//! A [`World`] sees the events that one of the two ordering verifiers has accepted, or has
//! taken in; a judge a theme sees each of them with what the verifier knows of its chunks.

mod activity;
mod announced;
mod arguments;
mod calls;
mod custom;
mod frontend;
mod interrupts;
mod messages;
mod patch;
mod recogniser;
mod restated;
mod runs;
mod sealed;
mod state;
mod usage;

use std::sync::Arc;

use conform_event::json::Json;
use conform_event::{Body, Event, EventType, Item};
use conform_verify::{EntityKind, Owner, Position, StreamVerifier};

use crate::request::Request;

/// An event as the judges see it.
pub(crate) struct Seen<'s> {
    /// Where it is.
    pub(crate) at: Position,
    /// Its type; none where it is none of the protocol's.
    pub(crate) event_type: Option<EventType>,
    /// What the ordering rules read of it.
    pub(crate) event: &'s Event<'s>,
    /// All of it.
    pub(crate) json: &'s Json<'s>,
    /// Of a chunk: the id of the item that it belongs to, and whether it opened that item.
    pub(crate) chunk: Option<(Arc<str>, bool)>,
    /// Whether it is the RUN_STARTED of the run that the request asks for.
    pub(crate) asked: bool,
    /// The tool calls whose chunk stream it closed, before anything else that it did.
    pub(crate) closed_calls: &'s [Arc<str>],
}

impl Seen<'_> {
    /// The item that the event opens: a start, or an opening chunk.
    pub(crate) fn opens(&self) -> Option<(Item, &str)> {
        match (&self.event.body, &self.chunk) {
            (Body::Start { item, id, .. }, _) => Some((*item, id)),
            (Body::Chunk(chunk), Some((id, true))) => Some((chunk.item, id)),
            _ => None,
        }
    }

    /// The item that the event adds to: content, arguments, or any chunk.
    pub(crate) fn adds_to(&self) -> Option<(Item, &str)> {
        match (&self.event.body, &self.chunk) {
            (Body::Content { item, id }, _) => Some((*item, id)),
            (Body::Chunk(chunk), Some((id, _))) => Some((chunk.item, id)),
            _ => None,
        }
    }

    /// The text of a member that is a string.
    pub(crate) fn text(&self, member: &str) -> Option<&str> {
        self.json.text(member)
    }

    /// The `input` that RUN_STARTED echoes.
    pub(crate) fn echo(&self) -> Option<&Json<'_>> {
        let starts = self.event_type == Some(EventType::RunStarted);
        self.json.get("input").filter(|input| starts && input.is_object())
    }

    /// The `type` of the outcome of RUN_FINISHED or SUBAGENT_FINISHED.
    pub(crate) fn outcome(&self) -> Option<&str> {
        outcome(self.json)
    }
}

/// A requirement that an event breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Broken {
    /// The requirement's id.
    pub(crate) id: &'static str,
    /// The event, where it is an earlier one than that which was just seen.
    pub(crate) at: Option<Position>,
    /// The member to blame; empty for the event as a whole.
    pub(crate) pointer: String,
    /// The earlier event that explains it.
    pub(crate) related: Option<Position>,
    /// What it is about.
    pub(crate) entity: Option<(EntityKind, String)>,
    /// Who owns that, where it is about owners.
    pub(crate) owner: Option<Owner>,
    /// What is wrong, as a sentence without a full stop.
    pub(crate) message: String,
    /// Whether it is a warning although the requirement binds.
    pub(crate) doubt: bool,
}

impl Broken {
    /// A requirement broken by the member at `pointer` of the event just seen.
    pub(crate) fn new(
        id: &'static str,
        pointer: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            id,
            at: None,
            pointer: pointer.into(),
            related: None,
            entity: None,
            owner: None,
            message: message.into(),
            doubt: false,
        }
    }

    pub(crate) fn related(self, at: Position) -> Self {
        Self { related: Some(at), ..self }
    }

    pub(crate) fn about(self, kind: EntityKind, id: &str) -> Self {
        Self { entity: Some((kind, id.to_owned())), ..self }
    }
}

/// What the judges say of an event.
#[derive(Debug, Default)]
pub(crate) struct Said {
    /// What it breaks.
    pub(crate) broken: Vec<Broken>,
    /// The requirements that it puts to the test, where its type alone does not tell.
    pub(crate) tested: Vec<&'static str>,
}

impl Said {
    fn push(&mut self, broken: Broken) {
        self.broken.push(broken);
    }

    fn extend(&mut self, broken: impl IntoIterator<Item = Broken>) {
        self.broken.extend(broken);
    }

    fn test(&mut self, requirement: &'static str) {
        self.tested.push(requirement);
    }
}

/// What the judges know of a stream. `seed` gives those that need it the request, before the
/// first event.
#[derive(Debug, Clone, Default)]
pub(crate) struct World {
    activity: activity::Activities,
    announced: announced::Announced,
    arguments: arguments::Arguments,
    calls: calls::Calls,
    frontend: frontend::Frontend,
    interrupts: interrupts::Interrupts,
    messages: messages::Messages,
    restated: restated::Restated,
    runs: runs::Runs,
    sealed: sealed::Sealed,
    state: state::State,
    /// The run that the request asks for.
    asked: Option<String>,
    /// The tool calls that chunks hold open.
    chunked_calls: Vec<Arc<str>>,
}

impl World {
    /// A world before the first event of a stream that answers `request`.
    pub(crate) fn new(request: Option<&Request>) -> Self {
        let mut world = Self::default();
        if let Some(request) = &request.and_then(Request::json) {
            world.asked = request.text("runId").map(str::to_owned);
            world.activity.seed(request);
            world.frontend.seed(request);
            world.messages.seed(request);
            world.restated.seed(request);
            world.runs.seed(request);
            world.sealed.seed(request);
            world.state.seed(request);
        }
        world
    }

    /// Judges an event that `verifier` has just accepted or taken in.
    pub(crate) fn observe(
        &mut self,
        at: Position,
        event: &Event<'_>,
        json: &Json<'_>,
        verifier: &StreamVerifier,
    ) -> Said {
        let (open, closed): (Vec<_>, Vec<_>) = std::mem::take(&mut self.chunked_calls)
            .into_iter()
            .partition(|id| verifier.is_assembling(Item::ToolCall, id));
        self.chunked_calls = open;
        let chunk = verifier.item_of_chunk(event).map(|(id, since)| (id, since == at));
        if let (Body::Chunk(body), Some((id, true))) = (&event.body, &chunk)
            && body.item == Item::ToolCall
        {
            self.chunked_calls.push(Arc::clone(id));
        }
        let event_type = event.event_type();
        let asked = event_type == Some(EventType::RunStarted)
            && self.asked.is_some()
            && self.asked.as_deref() == json.text("runId");
        let seen = Seen { at, event_type, event, json, chunk, asked, closed_calls: &closed };
        let mut said = Said::default();
        self.runs.observe(&seen, &mut said);
        usage::judge(&seen, &mut said);
        custom::judge(&seen, &mut said);
        self.messages.observe(&seen, &mut said);
        self.restated.observe(&seen, &mut said);
        self.frontend.observe(&seen, &mut said);
        self.calls.observe(&seen, &mut said);
        self.arguments.observe(&seen, &mut said);
        self.sealed.observe(&seen, &mut said);
        self.state.observe(&seen, &mut said);
        self.activity.observe(&seen, &mut said);
        self.announced.observe(&seen, &mut said);
        self.interrupts.observe(&seen, &mut said);
        said
    }

    /// Judges what only the end of the stream tells.
    pub(crate) fn finish(&self) -> Vec<Broken> {
        let mut said = Said::default();
        self.runs.finish(&mut said);
        said.broken
    }
}

/// The calls that the messages of an input or a snapshot make: only an assistant makes any.
fn calls_made<'j, 'e>(holder: &'j Json<'e>) -> impl Iterator<Item = &'j Json<'e>> {
    let speakers = holder.list("messages").iter().filter(|m| m.text("role") == Some("assistant"));
    speakers.flat_map(|message| message.list("toolCalls"))
}

/// The calls that the tool messages of a list answer, and where in the list.
fn tool_answers<'j>(holder: &'j Json<'_>) -> impl Iterator<Item = (usize, &'j str)> {
    holder.list("messages").iter().enumerate().filter_map(|(index, message)| {
        let tool = message.text("role") == Some("tool");
        message.text("toolCallId").filter(|_| tool).map(|call| (index, call))
    })
}

/// The `type` of the outcome of RUN_FINISHED or SUBAGENT_FINISHED.
pub(crate) fn outcome<'j>(json: &'j Json<'_>) -> Option<&'j str> {
    json.get("outcome")?.text("type")
}
