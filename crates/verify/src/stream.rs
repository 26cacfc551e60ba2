//! The verifier of stream scope: runs one after another, and the chunked form.

use std::collections::HashSet;
use std::sync::Arc;

use conform_event::{Body, Chunk, Event, Item, RunInput};

use crate::breach::Breach;
use crate::entity::{Entity, Owner, Position};
use crate::error::{END_OF_STREAM, VerificationError};
use crate::lanes::{Lane, Lanes, Opener, kind};
use crate::run_state::{Beyond, Form, Opening, RunState};

mod ask;
mod assume;

/// Checks the events of a stream, one after another: the eight rules run by run, where a
/// stream begins and ends, and chunks, which it expands.
///
/// A refused event changes nothing, and closes no chunk stream. Without the feature
/// `verify` this type is empty and accepts everything.
///
/// ```
/// use conform_event::decode;
/// use conform_verify::StreamVerifier;
/// let mut verifier = StreamVerifier::new(None);
/// let text = br#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"hello"}"#;
/// let error = verifier.observe(&decode(text).unwrap().event).unwrap_err();
/// assert_eq!(error.requirement(), Some("lifecycle/first-event"));
/// verifier.observe(&decode(br#"{"type":"RUN_STARTED","runId":"r1"}"#).unwrap().event).unwrap();
/// verifier.observe(&decode(text).unwrap().event).unwrap();
/// verifier.observe(&decode(br#"{"type":"RUN_FINISHED","runId":"r1"}"#).unwrap().event).unwrap();
/// verifier.finish().unwrap();
/// ```
#[derive(Debug, Clone, Default)]
pub struct StreamVerifier {
    request: Option<Arc<RunInput<'static>>>,
    phase: Phase,
    run: RunState,
    /// Whether a result for a call that nothing introduced is surely wrong in this run.
    settled: bool,
    lanes: Lanes,
    earlier_calls: HashSet<Arc<str>>,
    accepted: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Phase {
    #[default]
    Empty,
    Running {
        since: Position,
        /// What of the run is taken for granted; only `assume_at` does that.
        assumed: Assumed,
    },
    Ended {
        by_error: bool,
        at: Position,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Assumed {
    Nothing,
    /// Its RUN_STARTED, which is still missing.
    Start,
    /// That it goes on, though it has ended.
    GoingOn,
}

/// The lanes whose chunk streams an event ends.
enum Closings {
    Every,
    Of {
        lanes: [Option<Owner>; 3],
        /// Whether they end with their owner.
        with_owner: bool,
    },
}

impl StreamVerifier {
    /// A verifier that has seen nothing of its stream. The request, where it is at hand,
    /// seeds the run that has its `runId`.
    pub fn new(request: Option<RunInput<'_>>) -> Self {
        let request = request.map(|request| Arc::new(request.into_owned()));
        Self { request, ..Self::default() }
    }

    /// Checks an event and takes it in. Its position in messages is the number of events
    /// accepted before it. An event that is accepted with a doubt (a result for a call that
    /// a run before this stream may have introduced) comes back as `Ok(Some(_))`.
    ///
    /// # Errors
    ///
    /// What the event breaks; the verifier is then as it was.
    pub fn observe(
        &mut self,
        event: &Event<'_>,
    ) -> Result<Option<VerificationError>, VerificationError> {
        self.observe_at(Position::of_event(self.accepted), event)
    }

    /// Checks an event that stands at position `at`, counted by the caller.
    ///
    /// # Errors
    ///
    /// As [`observe`](Self::observe).
    pub fn observe_at(
        &mut self,
        at: Position,
        event: &Event<'_>,
    ) -> Result<Option<VerificationError>, VerificationError> {
        match self.judge(at, event) {
            Ok(doubt) => {
                self.accepted += 1;
                Ok(doubt.map(|doubt| self.run.refuse(event, doubt)))
            }
            Err(breach) => Err(self.run.refuse(event, breach)),
        }
    }

    /// Checks that the stream may end here.
    ///
    /// # Errors
    ///
    /// A stream without any accepted event, or one whose run is still open.
    pub fn finish(&self) -> Result<(), VerificationError> {
        let breach = match self.phase {
            Phase::Empty => Breach::NoEvents,
            Phase::Ended { .. } | Phase::Running { assumed: Assumed::GoingOn, .. } => return Ok(()),
            Phase::Running { since, .. } => Breach::Truncated { since },
        };
        Err(VerificationError::new(END_OF_STREAM, breach, self.run.dump_if_debug()))
    }

    /// Whether a run is active: started and neither finished nor failed.
    pub fn is_running(&self) -> bool {
        matches!(self.phase, Phase::Running { .. })
    }

    /// Whether the run goes on without its RUN_STARTED, which only
    /// [`assume_at`](Self::assume_at) lets pass.
    pub fn is_implied(&self) -> bool {
        matches!(self.phase, Phase::Running { assumed: Assumed::Start, .. })
    }

    fn judge(&mut self, at: Position, event: &Event<'_>) -> Result<Option<Breach>, Breach> {
        self.gate(event)?;
        let mut doubt = None;
        match &event.body {
            Body::RunStarted { run_id, input } => {
                self.close_all(at);
                self.begin_run(at, run_id.as_deref(), input.as_ref());
            }
            Body::RunFinished | Body::RunError => {
                let by_error = event.body == Body::RunError;
                if !by_error && let Some(breach) = self.run.open_at_finish() {
                    return Err(breach);
                }
                self.close_all(at);
                self.phase = Phase::Ended { by_error, at };
            }
            Body::Chunk(chunk) => self.chunk(at, event.tag.as_deref(), chunk)?,
            _ => {
                self.forms(event)?;
                let closings = self.closings(event);
                let beyond = Beyond { calls: Some(&self.earlier_calls), settled: self.settled };
                doubt = self.run.observe(at, event, beyond)?;
                self.close_lanes(at, closings);
            }
        }
        Ok(doubt)
    }

    /// Where in a stream the event may stand at all.
    fn gate(&self, event: &Event<'_>) -> Result<(), Breach> {
        let starts = matches!(event.body, Body::RunStarted { .. });
        let fails = event.body == Body::RunError;
        match self.phase {
            Phase::Running { since, assumed: Assumed::Nothing } if starts => {
                Err(Breach::RunAlreadyStarted { at: since })
            }
            Phase::Running { .. } => Ok(()),
            _ if starts => Ok(()),
            Phase::Empty | Phase::Ended { by_error: false, .. } if fails => Ok(()),
            Phase::Empty => Err(Breach::NotFirst),
            Phase::Ended { by_error, at } => Err(Breach::RunEnded { by_error, at }),
        }
    }

    fn begin_run(&mut self, at: Position, run_id: Option<&str>, echo: Option<&RunInput<'_>>) {
        if !matches!(self.phase, Phase::Running { assumed: Assumed::Start, .. }) {
            self.earlier_calls.extend(std::mem::take(&mut self.run).into_calls());
        }
        self.phase = Phase::Running { since: at, assumed: Assumed::Nothing };
        let request = self.request.clone();
        let request = request
            .as_deref()
            .filter(|request| run_id.is_some() && request.run_id.as_deref() == run_id);
        let inputs = [request, echo];
        for input in inputs.into_iter().flatten() {
            self.run.echo(at, input);
        }
        let known = inputs.iter().flatten().next().is_some();
        self.settled = known && !inputs.iter().flatten().any(|input| input.resumes);
    }

    /// A continuation or terminator of an item that chunks hold open mixes the forms.
    fn forms(&self, event: &Event<'_>) -> Result<(), Breach> {
        let (Body::Content { item, id } | Body::End { item, id }) = &event.body else {
            return Ok(());
        };
        match self.run.open_item(*item, id) {
            Some(open) if open.form != Form::Explicit => Err(Breach::FormsMixed {
                entity: Entity::new(*item, id),
                opened_by_chunk: true,
                since: open.since,
            }),
            _ => Ok(()),
        }
    }

    fn chunk(&mut self, at: Position, tag: Option<&str>, chunk: &Chunk<'_>) -> Result<(), Breach> {
        let item = chunk.item;
        let id = chunk.id.as_deref();
        let Some(lane) = self.lane(tag, item, id)? else {
            return Ok(());
        };
        let stream = self.lanes.get(lane.id()).filter(|stream| stream.item == item);
        let continued = stream.filter(|stream| id.is_none() || id == stream.id.as_deref());
        if let Some(stream) = continued {
            let Some(id) = stream.id.as_deref() else {
                return Ok(());
            };
            if let Some(member) = stream.opener.contradicted_by(chunk) {
                let (entity, since) = (Entity::new(item, id), stream.since);
                return Err(Breach::ChunkDisagrees { entity, member, since });
            }
            return self.run.chunk_continues(item, id, tag);
        }
        let Some(id) = id else {
            return Err(self.no_stream(item, tag));
        };
        if let Some(open) = self.run.open_item(item, id).filter(|open| open.form == Form::Explicit)
        {
            if open.mixed {
                return Ok(());
            }
            let (entity, since) = (Entity::new(item, id), open.since);
            return Err(Breach::FormsMixed { entity, opened_by_chunk: false, since });
        }
        if item == Item::ToolCall && chunk.tool_name.is_none() {
            return Err(Breach::ChunkLacks { kind: item.into(), member: "toolCallName" });
        }
        let opening = Opening { item, id, tag, parent_message: chunk.parent_message.as_deref() };
        self.run.start(at, &opening, Form::Chunks(lane.clone()))?;
        self.close_lane(&lane, at, false);
        self.lanes.open(&lane, item, Some(id.into()), at, Opener::of(chunk));
        Ok(())
    }

    /// The lane that a chunk belongs to; none where any would do. A new tag is not kept: the
    /// chunk may be refused.
    fn lane(
        &self,
        tag: Option<&str>,
        item: Item,
        id: Option<&str>,
    ) -> Result<Option<Owner>, Breach> {
        if let Some(tag) = tag {
            let known = self.lanes.get(Some(tag)).map(|stream| stream.lane.clone());
            return Ok(Some(known.unwrap_or_else(|| self.run.owner_named(tag))));
        }
        if let Some(id) = id {
            return Ok(Some(match self.run.open_item(item, id).map(|open| &open.form) {
                Some(Form::Chunks(lane)) => lane.clone(),
                _ => Owner::parent(),
            }));
        }
        match self.lanes.of_untagged(item) {
            Lane::Of(lane) => Ok(Some(lane)),
            Lane::None => Err(self.no_stream(item, None)),
            Lane::Ambiguous(_) if self.lanes.ambiguity_assumed[kind(item)] => Ok(None),
            Lane::Ambiguous(lanes) => Err(Breach::ChunkAmbiguous { kind: item.into(), lanes }),
        }
    }

    /// Why a chunk without an id has nothing to continue.
    fn no_stream(&self, item: Item, tag: Option<&str>) -> Breach {
        match self.lanes.last_closed(item, tag) {
            Some(closed) if closed.with_owner => Breach::ChunkOutlives {
                entity: Entity::new(item, closed.id.as_deref().unwrap_or_default()),
                at: closed.at,
            },
            _ => {
                let member = if item == Item::ToolCall { "toolCallId" } else { "messageId" };
                Breach::ChunkLacks { kind: item.into(), member }
            }
        }
    }

    /// The lanes whose chunk streams the event ends if it is accepted.
    fn closings(&self, event: &Event<'_>) -> Closings {
        let mut lanes = [const { None }; 3];
        if self.lanes.is_empty() {
            return Closings::Of { lanes, with_owner: false };
        }
        let of = |tag: Option<&str>| self.lanes.get(tag).map(|stream| stream.lane.clone());
        let assembling = |item, id: &str| match self.run.open_item(item, id).map(|open| &open.form)
        {
            Some(Form::Chunks(lane)) => Some(lane.clone()),
            _ => None,
        };
        let with_owner = match &event.body {
            Body::MessagesSnapshot { .. } => return Closings::Every,
            Body::SubagentEnded { id } => {
                lanes[0] = of(Some(id));
                true
            }
            Body::Start { item, id, .. } => {
                lanes[0] = assembling(*item, id);
                lanes[2] = of(event.tag.as_deref());
                false
            }
            Body::ToolResult { call, message } => {
                lanes[0] = assembling(Item::ToolCall, call);
                let message = message.as_deref();
                lanes[1] = message.and_then(|id| assembling(Item::TextMessage, id));
                lanes[2] = of(event.tag.as_deref());
                false
            }
            Body::Content { .. }
            | Body::End { .. }
            | Body::StepStarted { .. }
            | Body::StepFinished { .. }
            | Body::State
            | Body::Custom => {
                lanes[2] = of(event.tag.as_deref());
                false
            }
            _ => false,
        };
        Closings::Of { lanes, with_owner }
    }

    fn close_lanes(&mut self, at: Position, closings: Closings) {
        match closings {
            Closings::Every => self.close_all(at),
            Closings::Of { lanes, with_owner } => {
                for lane in lanes.into_iter().flatten() {
                    self.close_lane(&lane, at, with_owner);
                }
            }
        }
    }

    fn close_lane(&mut self, lane: &Owner, at: Position, with_owner: bool) {
        if let Some(stream) = self.lanes.close(lane, at, with_owner)
            && let Some(id) = &stream.id
        {
            self.run.close_chunks(at, stream.item, id);
        }
    }

    fn close_all(&mut self, at: Position) {
        for lane in self.lanes.all() {
            self.close_lane(&lane, at, true);
        }
    }
}
