//! Which requirements an event puts to the test, and which features it shows.

mod beyond;

use std::sync::LazyLock;

use conform_event::{Body, Chunk, Event, EventType, Item};

use crate::names;
use crate::ordering::Scope;
use crate::registry;

pub(crate) use beyond::beyond;

/// The features that a report counts, in its order.
pub const FEATURES: [&str; 18] = [
    "runs",
    "text",
    "tool-calls",
    "tool-results",
    "reasoning",
    "encrypted-values",
    "steps",
    "state",
    "messages-snapshots",
    "activities",
    "subagents",
    "attribution",
    "chunks",
    "run-errors",
    "interrupts",
    "input-echo",
    "raw",
    "custom",
];

/// The index of a feature that `event` shows, for each of them.
pub(crate) fn features(event: &Event<'_>, mut show: impl FnMut(&'static str)) {
    use EventType as T;
    if event.tag.is_some() {
        show("attribution");
    }
    let Some(event_type) = event.event_type() else { return };
    if let Body::Chunk(Chunk { item, id, .. }) = &event.body {
        show("chunks");
        if id.is_some() {
            show(match item {
                Item::TextMessage => "text",
                Item::ToolCall => "tool-calls",
                Item::ReasoningMessage | Item::ReasoningSpan => "reasoning",
            });
        }
    }
    if let Body::RunStarted { input: Some(_), .. } = &event.body {
        show("input-echo");
    }
    let feature = match event_type {
        T::RunStarted => "runs",
        T::TextMessageStart => "text",
        T::ToolCallStart => "tool-calls",
        T::ToolCallResult => "tool-results",
        T::ReasoningStart | T::ReasoningMessageStart => "reasoning",
        T::ReasoningEncryptedValue => "encrypted-values",
        T::StepStarted => "steps",
        T::StateSnapshot | T::StateDelta => "state",
        T::MessagesSnapshot => "messages-snapshots",
        T::ActivitySnapshot => "activities",
        T::SubagentStarted => "subagents",
        T::RunError => "run-errors",
        T::Raw => "raw",
        T::Custom => "custom",
        _ => return,
    };
    show(feature);
}

/// The requirements that the ordering verifier checks at an event type, by their place in
/// the registry.
static CHECKED_AT: LazyLock<Vec<Vec<usize>>> = LazyLock::new(|| {
    EventType::ALL
        .iter()
        .map(|event_type| {
            registry::all()
                .enumerate()
                .filter(|(_, entry)| checked_at(*event_type, entry.id))
                .map(|(place, _)| place)
                .collect()
        })
        .collect()
});

/// Counts the ordering requirements that an event puts to the test.
pub(crate) fn ordering(event: &Event<'_>, scope: Scope, mut count: impl FnMut(usize)) {
    let Some(event_type) = event.event_type() else { return };
    if event.body == Body::Hidden {
        return;
    }
    let place = EventType::ALL.iter().position(|known| *known == event_type);
    for entry in place.and_then(|place| CHECKED_AT.get(place)).into_iter().flatten() {
        let id = names::at(*entry).id;
        let applies = match id {
            "subagent/owner-agrees" | "activity/owner-agrees" => event.tag.is_some(),
            "subagent/call-follows-its-message" => match &event.body {
                Body::Start { parent_message, .. } => parent_message.is_some(),
                Body::Chunk(chunk) => chunk.parent_message.is_some(),
                _ => false,
            },
            "subagent/announced-parent" => {
                matches!(&event.body, Body::SubagentStarted { parent: Some(_), .. })
            }
            id if id.starts_with("chunk/") => scope == Scope::Stream,
            _ => true,
        };
        if applies {
            count(*entry);
        }
    }
}

fn checked_at(event_type: EventType, id: &str) -> bool {
    use EventType as T;
    let is = |types: &[EventType]| types.contains(&event_type);
    match id {
        "lifecycle/one-run-at-a-time" => is(&[T::RunStarted]),
        "lifecycle/nothing-after-finish" => true,
        "lifecycle/closed-before-finish" => is(&[T::RunFinished]),
        "step/not-already-open" => is(&[T::StepStarted]),
        "step/finished-by-its-owner" => is(&[T::StepFinished]),
        "text/not-already-open" => is(&[T::TextMessageStart]),
        "text/open-before-content" => is(&[T::TextMessageContent, T::TextMessageEnd]),
        "tool/not-already-open" => is(&[T::ToolCallStart]),
        "tool/open-before-args" => is(&[T::ToolCallArgs, T::ToolCallEnd]),
        "tool/result-of-known-call" | "tool/result-after-end" => is(&[T::ToolCallResult]),
        "reasoning/span-not-already-open" => is(&[T::ReasoningStart]),
        "reasoning/span-open-before-end" => is(&[T::ReasoningEnd]),
        "reasoning/message-not-already-open" => is(&[T::ReasoningMessageStart]),
        "reasoning/message-open-before-content" => {
            is(&[T::ReasoningMessageContent, T::ReasoningMessageEnd])
        }
        "chunk/forms-do-not-mix" => is(&[
            T::TextMessageChunk,
            T::ToolCallChunk,
            T::ReasoningMessageChunk,
            T::TextMessageContent,
            T::TextMessageEnd,
            T::ToolCallArgs,
            T::ToolCallEnd,
            T::ReasoningMessageContent,
            T::ReasoningMessageEnd,
        ]),
        "chunk/first-carries-id"
        | "chunk/repeat-agrees"
        | "chunk/unambiguous-lane"
        | "chunk/ends-with-its-owner" => {
            is(&[T::TextMessageChunk, T::ToolCallChunk, T::ReasoningMessageChunk])
        }
        "activity/owner-agrees" => is(&[T::ActivityDelta]),
        "subagent/owner-agrees" => is(&[
            T::TextMessageStart,
            T::TextMessageContent,
            T::TextMessageEnd,
            T::TextMessageChunk,
            T::ToolCallStart,
            T::ToolCallArgs,
            T::ToolCallEnd,
            T::ToolCallChunk,
            T::ReasoningStart,
            T::ReasoningMessageStart,
            T::ReasoningMessageContent,
            T::ReasoningMessageEnd,
            T::ReasoningMessageChunk,
            T::ReasoningEnd,
            T::ReasoningEncryptedValue,
        ]),
        "subagent/call-follows-its-message" => is(&[T::ToolCallStart, T::ToolCallChunk]),
        "subagent/not-already-active" | "subagent/id-names-one-invocation" => {
            is(&[T::SubagentStarted])
        }
        "subagent/announced-parent" => is(&[T::SubagentStarted]),
        "subagent/active-before-end" => is(&[T::SubagentFinished, T::SubagentError]),
        _ => false,
    }
}
