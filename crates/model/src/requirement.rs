//! Which requirement a broken rule means.

use conform_event::{Body, Event, EventType, Item, RunInput};

use crate::facts::{Entity, Owner};
use crate::open::is_open;
use crate::owners::{Record, owner};
use crate::rules::{
    DUPLICATE_RUN_STARTED, DUPLICATE_START, NOT_OPEN, OPEN_AT_FINISH, OUT_OF_ORDER, OWNER_MISMATCH,
    RUN_ENDED, UNKNOWN_ID,
};
use crate::stream::facts_before;
use crate::verdict::Breach;

/// The requirement that an event breaks, after the accepted events of the stream.
pub(crate) fn requirement<'e>(
    prefix: &[&'e Event<'e>],
    event: &'e Event<'e>,
    request: Option<&'e RunInput<'e>>,
    breach: Breach,
) -> Option<&'static str> {
    use EventType as T;
    let rule = match breach {
        Breach { requirement: Some(requirement), .. } => return Some(requirement),
        Breach { rule, .. } => rule?,
    };
    let event_type = event.event_type();
    Some(match rule {
        RUN_ENDED => "lifecycle/nothing-after-finish",
        DUPLICATE_RUN_STARTED => "lifecycle/one-run-at-a-time",
        OPEN_AT_FINISH => "lifecycle/closed-before-finish",
        OUT_OF_ORDER => "tool/result-after-end",
        UNKNOWN_ID if event_type == Some(T::ToolCallResult) => "tool/result-of-known-call",
        UNKNOWN_ID => "subagent/announced-parent",
        DUPLICATE_START => match &event.body {
            Body::StepStarted { .. } => "step/not-already-open",
            Body::SubagentStarted { id, .. } => {
                let facts = facts_before(prefix, event, request);
                if is_open(&facts, Entity::Subagent(id)) {
                    "subagent/not-already-active"
                } else {
                    "subagent/id-names-one-invocation"
                }
            }
            _ => match item(&event.body)? {
                Item::TextMessage => "text/not-already-open",
                Item::ToolCall => "tool/not-already-open",
                Item::ReasoningSpan => "reasoning/span-not-already-open",
                Item::ReasoningMessage => "reasoning/message-not-already-open",
            },
        },
        NOT_OPEN => match &event.body {
            Body::StepFinished { .. } => "step/finished-by-its-owner",
            Body::SubagentEnded { .. } => "subagent/active-before-end",
            _ => match item(&event.body)? {
                Item::TextMessage => "text/open-before-content",
                Item::ToolCall => "tool/open-before-args",
                Item::ReasoningSpan => "reasoning/span-open-before-end",
                Item::ReasoningMessage => "reasoning/message-open-before-content",
            },
        },
        OWNER_MISMATCH if event_type == Some(T::ActivityDelta) => "activity/owner-agrees",
        OWNER_MISMATCH if follows_its_message(prefix, event, request) => {
            "subagent/call-follows-its-message"
        }
        OWNER_MISMATCH => "subagent/owner-agrees",
        _ => return None,
    })
}

/// Whether it is a call whose claim comes from its parent message, or clashes with that.
fn follows_its_message<'e>(
    prefix: &[&'e Event<'e>],
    event: &'e Event<'e>,
    request: Option<&'e RunInput<'e>>,
) -> bool {
    let parent = match &event.body {
        Body::Start { item: Item::ToolCall, parent_message, .. } => parent_message,
        // A chunk that continues claims nothing anew.
        Body::Chunk(chunk) if chunk.item == Item::ToolCall && !continues(prefix, event) => {
            &chunk.parent_message
        }
        _ => return false,
    };
    let Some(parent) = parent.as_deref() else { return false };
    let facts = facts_before(prefix, event, request);
    match (event.tag.as_deref(), owner(&facts, Record::TextMessages, parent)) {
        (None, _) => true,
        (Some(tag), Some(owner)) => owner != Owner::Subagent(tag),
        (Some(_), None) => false,
    }
}

fn continues<'e>(prefix: &[&'e Event<'e>], event: &'e Event<'e>) -> bool {
    use crate::lanes::{Reading, chunk_streams, reading};
    let streams = chunk_streams(prefix);
    match &event.body {
        Body::Chunk(chunk) => {
            matches!(reading(&streams, event.tag.as_deref(), chunk), Reading::Continues(_))
        }
        _ => false,
    }
}

fn item(body: &Body<'_>) -> Option<Item> {
    match body {
        Body::Start { item, .. } | Body::Content { item, .. } | Body::End { item, .. } => {
            Some(*item)
        }
        Body::Chunk(chunk) => Some(chunk.item),
        _ => None,
    }
}
