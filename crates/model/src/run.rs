//! The eight rules of a run.

use conform_event::{Body, Event, Holder, Item};

use crate::facts::{self, Entity, Fact, Owner, Writing};
use crate::open::{anything_is_open, is_open, was_started};
use crate::owners::{Record, asserted, disagree, introduced, owner, parent_message_owner};
use crate::rules::{
    DUPLICATE_RUN_STARTED, DUPLICATE_START, NOT_OPEN, OPEN_AT_FINISH, OUT_OF_ORDER, OWNER_MISMATCH,
    RUN_ENDED, UNKNOWN_ID,
};
use crate::verdict::{Breach, Verdict};

/// A rule's answer: the name of the rule that is broken, or none.
pub(crate) type Answer = Option<&'static str>;

/// The verdict of the run scope on an event, after the accepted events of the run.
///
/// ```
/// use conform_model::{run_verdict, Verdict};
/// let start = conform_event::decode(br#"{"type":"STEP_STARTED","stepName":"s"}"#).unwrap();
/// let end = conform_event::decode(br#"{"type":"STEP_FINISHED","stepName":"s"}"#).unwrap();
/// assert_eq!(run_verdict(&[&start.event], &end.event), Verdict::Accept);
/// assert!(run_verdict(&[], &end.event).is_rejection());
/// ```
pub fn run_verdict(prefix: &[&Event<'_>], event: &Event<'_>) -> Verdict {
    let facts: Vec<Fact<'_>> = prefix.iter().flat_map(|event| facts::of_event(event)).collect();
    match gate(prefix, event).or_else(|| breach(&facts, &facts, event)) {
        None => Verdict::Accept,
        Some(rule) => Verdict::Reject(Breach::of_rule(rule)),
    }
}

/// (1) "Once the run has ended every event is rejected with RunEnded", (4) by RUN_ERROR or
/// (3) by an accepted RUN_FINISHED; (2) "a second RUN_STARTED is DuplicateRunStarted".
fn gate(prefix: &[&Event<'_>], event: &Event<'_>) -> Answer {
    let before = |wanted: fn(&Body<'_>) -> bool| prefix.iter().any(|event| wanted(&event.body));
    if before(|body| matches!(body, Body::RunFinished | Body::RunError)) {
        return Some(RUN_ENDED);
    }
    let starts = |body: &Body<'_>| matches!(body, Body::RunStarted { .. });
    (starts(&event.body) && before(starts)).then_some(DUPLICATE_RUN_STARTED)
}

/// What an event that passed the gate breaks, after the facts of its run. A call counts as
/// introduced by any fact of the whole `stream`, which in run scope is the run (9).
pub(crate) fn breach(run: &[Fact<'_>], stream: &[Fact<'_>], event: &Event<'_>) -> Answer {
    let tag = event.tag.as_deref();
    match &event.body {
        Body::RunFinished => anything_is_open(run).then_some(OPEN_AT_FINISH),
        Body::Start { item, id, parent_message } => {
            start(run, Writing::start(*item, id, tag, parent_message.as_deref()))
        }
        Body::Content { item, id } | Body::End { item, id } => continuation(run, *item, id, tag),
        Body::Chunk(chunk) => {
            // (10) "One without an id is ignored."
            let id = chunk.id.as_deref()?;
            wrong_owner(run, Writing::chunk(chunk, id, tag))
        }
        Body::ToolResult { call, .. } => result(run, stream, call),
        Body::EncryptedValue { holder, id } => encrypted_value(run, *holder, id, tag),
        Body::StepStarted { name } => {
            // (12) "DuplicateStart".
            is_open(run, Entity::Step(Owner::of(tag), name)).then_some(DUPLICATE_START)
        }
        Body::StepFinished { name } => {
            // (12) "NotOpen ... nobody closes another's step".
            (!is_open(run, Entity::Step(Owner::of(tag), name))).then_some(NOT_OPEN)
        }
        Body::ActivityDelta { id } => {
            // (13) "With a tag that differs from a recorded owner is OwnerMismatch; a delta
            // for an unknown activity is accepted".
            disagree(tag, owner(run, Record::Activities, id)).then_some(OWNER_MISMATCH)
        }
        Body::SubagentStarted { id, parent } => subagent(run, id, parent.as_deref()),
        Body::SubagentEnded { id } => {
            // (14) "SUBAGENT_FINISHED / SUBAGENT_ERROR close it, else NotOpen".
            (!is_open(run, Entity::Subagent(id))).then_some(NOT_OPEN)
        }
        // (2) and (4) are the gate's; (13) a snapshot of an activity only records; (15) a
        // snapshot "opens and closes nothing"; (16) the rest is not checked.
        Body::RunStarted { .. }
        | Body::RunError
        | Body::ActivitySnapshot { .. }
        | Body::MessagesSnapshot { .. }
        | Body::State
        | Body::Custom
        | Body::Raw
        | Body::Untracked
        | Body::Hidden => None,
    }
}

/// (5, 7) "First the owner, then DuplicateStart if that id is open in that kind."
pub(crate) fn start<'e>(run: &[Fact<'e>], writing: Writing<'e>) -> Answer {
    let duplicate = || is_open(run, writing.entity()).then_some(DUPLICATE_START);
    wrong_owner(run, writing).or_else(duplicate)
}

/// (5) "A tag that disagrees with the recorded owner of that id is OwnerMismatch"; of a tool
/// call, (7).
fn wrong_owner<'e>(run: &[Fact<'e>], writing: Writing<'e>) -> Answer {
    let recorded = owner(run, Record::of_item(writing.item), writing.id);
    let mismatch = match writing.item {
        Item::ToolCall => {
            // "The parent message's recorded owner must equal the tag if there is one."
            disagree(writing.tag, parent_message_owner(run, writing))
                // "If the call id is already known and an owner is asserted, they must agree."
                || match (asserted(run, writing), recorded) {
                    (Some(asserted), Some(known)) => asserted != known,
                    _ => false,
                }
        }
        _ => disagree(writing.tag, recorded),
    };
    mismatch.then_some(OWNER_MISMATCH)
}

/// (6, 8) "NotOpen first, then OwnerMismatch if a tag is present and differs from the
/// recorded owner ... in force".
pub(crate) fn continuation(run: &[Fact<'_>], item: Item, id: &str, tag: Option<&str>) -> Answer {
    if !is_open(run, Entity::Item(item, id)) {
        return Some(NOT_OPEN);
    }
    disagree(tag, owner(run, Record::of_item(item), id)).then_some(OWNER_MISMATCH)
}

/// (9) "UnknownId if the call was never introduced, then OutOfOrder if it is still open. Its
/// own tag is never compared".
fn result(run: &[Fact<'_>], stream: &[Fact<'_>], call: &str) -> Answer {
    if !introduced(stream, call) {
        return Some(UNKNOWN_ID);
    }
    is_open(run, Entity::Item(Item::ToolCall, call)).then_some(OUT_OF_ORDER)
}

/// (11) "`tool-call` looks at tool calls, `message` at text messages and then reasoning; a
/// tag that differs from a recorded owner is OwnerMismatch; an unknown entity is accepted."
fn encrypted_value(
    run: &[Fact<'_>],
    holder: Option<Holder>,
    id: &str,
    tag: Option<&str>,
) -> Answer {
    let recorded = match holder? {
        Holder::ToolCall => owner(run, Record::ToolCalls, id),
        Holder::Message => {
            owner(run, Record::TextMessages, id).or_else(|| owner(run, Record::Reasoning, id))
        }
    };
    disagree(tag, recorded).then_some(OWNER_MISMATCH)
}

/// (14) "Active id or an id that finished in this run is DuplicateStart; an unknown
/// `parentSubagentRunId` is UnknownId (a finished parent is fine)."
fn subagent(run: &[Fact<'_>], id: &str, parent: Option<&str>) -> Answer {
    if was_started(run, id) {
        return Some(DUPLICATE_START);
    }
    let unknown = parent.is_some_and(|parent| !was_started(run, parent));
    unknown.then_some(UNKNOWN_ID)
}
