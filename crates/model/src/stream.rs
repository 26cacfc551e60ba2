//! The stream scope: what AG-UI 1.x adds around the eight rules.

use conform_event::{Body, Chunk, Event, Item, RunInput};

use crate::facts::{self, Entity, Fact, Writing};
use crate::lanes::{ChunkStream, Reading, assembling, chunk_streams, closing, reading};
use crate::open::is_open;
use crate::rules::{
    DUPLICATE_RUN_STARTED, FIRST_CARRIES_ID, FIRST_EVENT, FORMS_DO_NOT_MIX, REPEAT_AGREES,
    RUN_ENDED, TERMINATED, UNKNOWN_ID,
};
use crate::run;
use crate::verdict::{Breach, Verdict};

/// The verdict of the stream scope on an event, after the accepted events of the stream.
///
/// ```
/// use conform_model::{stream_verdict, Breach, Verdict};
/// let raw = conform_event::decode(br#"{"type":"RAW"}"#).unwrap();
/// let first_event = Breach { rule: None, requirement: Some("lifecycle/first-event") };
/// assert_eq!(stream_verdict(&[], &raw.event, None), Verdict::Reject(first_event));
/// ```
pub fn stream_verdict(
    prefix: &[&Event<'_>],
    event: &Event<'_>,
    request: Option<&RunInput<'_>>,
) -> Verdict {
    judge(prefix, event, request)
}

/// (D1) "The gate first, then the form of a chunk, then the rules."
fn judge<'e>(
    prefix: &[&'e Event<'e>],
    event: &'e Event<'e>,
    request: Option<&'e RunInput<'e>>,
) -> Verdict {
    if let Some(breach) = gate(prefix, event) {
        return Verdict::Reject(breach);
    }
    let streams = chunk_streams(prefix);
    let facts = expand(prefix, &streams, request);
    if let Some(requirement) = form(current_run(&facts), &streams, event) {
        return Verdict::Reject(Breach::of_requirement(requirement));
    }
    // "A chunk stream is closed, its END synthesized, before an accepted event is judged."
    let closed = streams.iter().filter(|stream| closing(&streams, stream, event).is_some());
    let facts: Vec<Fact<'_>> = facts.into_iter().chain(closed.map(synthesized_end)).collect();
    match rules(&facts, &streams, event) {
        None => Verdict::Accept,
        Some(UNKNOWN_ID) if may_stem_from_earlier_run(prefix, event, request) => {
            Verdict::Warn(Breach::of_rule(UNKNOWN_ID))
        }
        Some(rule) => Verdict::Reject(Breach::of_rule(rule)),
    }
}

/// The facts of the current run just before an event is judged.
pub(crate) fn facts_before<'e>(
    prefix: &[&'e Event<'e>],
    event: &'e Event<'e>,
    request: Option<&'e RunInput<'e>>,
) -> Vec<Fact<'e>> {
    let streams = chunk_streams(prefix);
    let closed = streams.iter().filter(|stream| closing(&streams, stream, event).is_some());
    let ends: Vec<Fact<'_>> = closed.map(synthesized_end).collect();
    let facts: Vec<Fact<'_>> = expand(prefix, &streams, request).into_iter().chain(ends).collect();
    current_run(&facts).to_vec()
}

/// "The end of the stream with a run still open is a truncated run"; and one "that ends
/// without an accepted event breaks `lifecycle/first-event`" (D3).
pub(crate) fn end_verdict(prefix: &[&Event<'_>]) -> Verdict {
    match last_boundary(prefix) {
        None => Verdict::Reject(Breach::of_requirement(FIRST_EVENT)),
        Some(Body::RunStarted { .. }) => Verdict::Reject(Breach::of_requirement(TERMINATED)),
        Some(_) => Verdict::Accept,
    }
}

/// The last RUN_STARTED, RUN_FINISHED or RUN_ERROR; none only before the first event.
fn last_boundary<'s>(prefix: &[&'s Event<'_>]) -> Option<&'s Body<'s>> {
    prefix
        .iter()
        .rev()
        .map(|event| &event.body)
        .find(|body| matches!(body, Body::RunStarted { .. } | Body::RunFinished | Body::RunError))
}

/// "The first event of a stream must be RUN_STARTED or RUN_ERROR. After RUN_FINISHED:
/// RUN_STARTED opens a new run; RUN_ERROR reports a late failure; all else is RunEnded. After
/// RUN_ERROR: RUN_STARTED only." Within a run, RUN_STARTED is DuplicateRunStarted (2).
fn gate(prefix: &[&Event<'_>], event: &Event<'_>) -> Option<Breach> {
    let starts = matches!(event.body, Body::RunStarted { .. });
    let fails = matches!(event.body, Body::RunError);
    match last_boundary(prefix) {
        None | Some(Body::RunFinished) if starts || fails => None,
        None => Some(Breach::of_requirement(FIRST_EVENT)),
        Some(Body::RunError) if starts => None,
        Some(Body::RunFinished | Body::RunError) => Some(Breach::of_rule(RUN_ENDED)),
        Some(_) => starts.then_some(Breach::of_rule(DUPLICATE_RUN_STARTED)),
    }
}

/// "`*_CHUNK` events are expanded into start, content and end before rules 1-16 apply": what
/// the accepted events of the stream did, run after run.
fn expand<'e>(
    prefix: &[&'e Event<'e>],
    streams: &[ChunkStream<'e>],
    request: Option<&'e RunInput<'e>>,
) -> Vec<Fact<'e>> {
    let mut facts = Vec::new();
    for (at, event) in prefix.iter().enumerate() {
        let closed_here = |stream: &&ChunkStream<'_>| stream.closed.is_some_and(|c| c.at == at);
        facts.extend(streams.iter().filter(closed_here).map(synthesized_end));
        match &event.body {
            Body::Chunk(chunk) => {
                let opened = streams.iter().any(|stream| stream.opened == at);
                if let Some(id) = chunk.id.as_deref().filter(|_| opened) {
                    let writing = Writing::chunk(chunk, id, event.tag.as_deref());
                    facts.extend([Fact::Writes(writing), Fact::Opens(writing.entity())]);
                }
            }
            Body::RunStarted { .. } => facts.extend(run_started(event, request)),
            _ => facts.extend(facts::of_event(event)),
        }
    }
    facts
}

/// "A synthesized END carries no tag and is never refused."
fn synthesized_end<'e>(stream: &ChunkStream<'e>) -> Fact<'e> {
    Fact::Closes(Entity::Item(stream.item(), stream.id))
}

/// "Where the request is at hand, its messages seed the run that echoes its runId, exactly as
/// an `input` echo would", and "before the echo does" (D6).
fn run_started<'e>(
    event: &'e Event<'e>,
    request: Option<&'e RunInput<'e>>,
) -> impl Iterator<Item = Fact<'e>> {
    let request = request.filter(|request| asks_for(request, event));
    let seeds = request.map(|request| Fact::Seeds(&request.messages));
    [Fact::RunStarted]
        .into_iter()
        .chain(seeds)
        .chain(facts::of_event(event).filter(|fact| !matches!(fact, Fact::RunStarted)))
}

/// (D6) The request "seeds the run whose runId it has".
fn asks_for(request: &RunInput<'_>, event: &Event<'_>) -> bool {
    match &event.body {
        Body::RunStarted { run_id: Some(run_id), .. } => request.run_id.as_ref() == Some(run_id),
        _ => false,
    }
}

/// "Run-scoped records (open sets, owners, subagents) start empty with each run": the facts
/// since the run began.
fn current_run<'s, 'e>(facts: &'s [Fact<'e>]) -> &'s [Fact<'e>] {
    let began = facts.iter().rposition(|fact| matches!(fact, Fact::RunStarted));
    &facts[began.unwrap_or(0)..]
}

/// The eight rules, chunks read as what they expand to.
fn rules<'e>(facts: &[Fact<'e>], streams: &[ChunkStream<'e>], event: &'e Event<'e>) -> run::Answer {
    let run = current_run(facts);
    let tag = event.tag.as_deref();
    let Body::Chunk(chunk) = &event.body else {
        return run::breach(run, facts, event);
    };
    match reading(streams, tag, chunk) {
        Reading::Opens(_, id) => run::start(run, Writing::chunk(chunk, id, tag)),
        Reading::Continues(stream) => run::continuation(run, stream.item(), stream.id, tag),
        // A matter of form, judged before.
        Reading::Faults(_) => None,
    }
}

/// The requirement of group `chunk` that an event breaks by its form.
fn form<'e>(run: &[Fact<'_>], streams: &[ChunkStream<'e>], event: &'e Event<'e>) -> run::Answer {
    match &event.body {
        Body::Chunk(chunk) => match reading(streams, event.tag.as_deref(), chunk) {
            Reading::Faults(requirement) => Some(requirement),
            Reading::Continues(stream) => {
                (!repeats_agree(stream.opener, chunk)).then_some(REPEAT_AGREES)
            }
            Reading::Opens(_, id) => opener_form(run, streams, chunk, id),
        },
        // (D10) "A CONTENT, ARGS or END that names an item which chunks hold open".
        Body::Content { item, id } | Body::End { item, id } => {
            assembling(streams, *item, id).map(|_| FORMS_DO_NOT_MIX)
        }
        _ => None,
    }
}

/// (D10) "A chunk that names an item of its kind that a start holds open" mixes forms; "of an
/// opening chunk, the form is judged before its missing `toolCallName`".
fn opener_form(
    run: &[Fact<'_>],
    streams: &[ChunkStream<'_>],
    chunk: &Chunk<'_>,
    id: &str,
) -> run::Answer {
    let held_by_chunks = assembling(streams, chunk.item, id).is_some();
    if is_open(run, Entity::Item(chunk.item, id)) && !held_by_chunks {
        return Some(FORMS_DO_NOT_MIX);
    }
    let nameless = chunk.item == Item::ToolCall && chunk.tool_name.is_none();
    nameless.then_some(FIRST_CARRIES_ID)
}

/// (D13) "`role` and `name` are compared on text chunks, `toolCallName` and `parentMessageId`
/// on tool call chunks; an absent member repeats nothing; the opener's absent role is
/// `assistant`, its absent `name` or `parentMessageId` agrees with no value."
fn repeats_agree(opener: &Chunk<'_>, chunk: &Chunk<'_>) -> bool {
    let agree = |said: Option<&str>, repeated: Option<&str>| repeated.is_none() || said == repeated;
    match chunk.item {
        Item::TextMessage => {
            let role = opener.role.as_deref().unwrap_or("assistant");
            agree(Some(role), chunk.role.as_deref())
                && agree(opener.name.as_deref(), chunk.name.as_deref())
        }
        Item::ToolCall => {
            agree(opener.tool_name.as_deref(), chunk.tool_name.as_deref())
                && agree(opener.parent_message.as_deref(), chunk.parent_message.as_deref())
        }
        Item::ReasoningSpan | Item::ReasoningMessage => true,
    }
}

/// "A TOOL_CALL_RESULT for a call that nothing introduced is UnknownId, an error, where the
/// run's input is known (request or echo) and resumes nothing. Otherwise the call may stem
/// from an earlier run: then it is a warning."
fn may_stem_from_earlier_run(
    prefix: &[&Event<'_>],
    event: &Event<'_>,
    request: Option<&RunInput<'_>>,
) -> bool {
    if !matches!(event.body, Body::ToolResult { .. }) {
        return false;
    }
    let run = prefix.iter().rev().find(|event| matches!(event.body, Body::RunStarted { .. }));
    let echo = run.and_then(|run| match &run.body {
        Body::RunStarted { input, .. } => input.as_ref(),
        _ => None,
    });
    let request = request.filter(|request| run.is_some_and(|run| asks_for(request, run)));
    // (D6) "A run's input is known where either is there; it resumes where either has a
    // non-empty `resume`."
    let known = echo.is_some() || request.is_some();
    let resumes = echo.into_iter().chain(request).any(|input| input.resumes);
    !known || resumes
}
