//! Who owns an entity.

use conform_event::{Bucket, Item, Message};

use crate::facts::{Fact, Owner, Writing};

/// The four records of owners. "A reasoning span and the reasoning message inside it may
/// share an id; both share one owner record" (Terms).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Record {
    /// (9, 15, D4) Text messages, results, and every role but the two below.
    TextMessages,
    /// Reasoning spans and reasoning messages.
    Reasoning,
    /// Activities.
    Activities,
    /// Tool calls.
    ToolCalls,
}

impl Record {
    /// The record that an item's owner is in.
    pub(crate) fn of_item(item: Item) -> Self {
        match item {
            Item::TextMessage => Self::TextMessages,
            Item::ReasoningSpan | Item::ReasoningMessage => Self::Reasoning,
            Item::ToolCall => Self::ToolCalls,
        }
    }

    /// (15) "In the bucket of its role (`reasoning`, `activity`, every other role = text
    /// message)".
    fn of_bucket(bucket: Bucket) -> Self {
        match bucket {
            Bucket::TextMessage => Self::TextMessages,
            Bucket::Reasoning => Self::Reasoning,
            Bucket::Activity => Self::Activities,
        }
    }
}

/// The recorded owner of `id` after `facts`: what the last fact that re-owns it says (9, 13,
/// 15), else what its first writer said, which "is recorded for the rest of the run; closing
/// forgets nothing" (5).
pub(crate) fn owner<'e>(facts: &[Fact<'e>], record: Record, id: &str) -> Option<Owner<'e>> {
    let says = |at: usize| statement(facts, at, record, id);
    let all = 0..facts.len();
    let reowned = all.clone().rev().filter(|at| reowns(&facts[*at])).find_map(says);
    reowned.or_else(|| all.clone().find_map(says))
}

/// Whether a fact's owners replace those recorded before: a result's message (9), an
/// activity whose `replace` is not `false` (13), a snapshot (15).
fn reowns(fact: &Fact<'_>) -> bool {
    matches!(fact, Fact::Mints { .. } | Fact::Shows { keep: false, .. } | Fact::Declares(_))
}

/// Whom the fact at `at` names as the owner of `id`, if it speaks of it.
fn statement<'e>(facts: &[Fact<'e>], at: usize, record: Record, id: &str) -> Option<Owner<'e>> {
    match facts[at] {
        Fact::Writes(writing) => {
            let speaks = Record::of_item(writing.item) == record && writing.id == id;
            // (5, 7) The tag; of a call without one, the parent message's owner; else the
            // parent agent.
            speaks.then(|| asserted(&facts[..at], writing).unwrap_or(Owner::ParentAgent))
        }
        // (2) Only ids that have none yet: the first of several.
        Fact::Seeds(messages) => messages.iter().find_map(|m| of_message(m, record, id)),
        // (15) Each message's tag replaces the recorded owner: the last of several.
        Fact::Declares(messages) => messages.iter().rev().find_map(|m| of_message(m, record, id)),
        Fact::Mints { message, owner } => {
            (record == Record::TextMessages && message == id).then_some(owner)
        }
        Fact::Shows { activity, owner, .. } => {
            (record == Record::Activities && activity == id).then_some(owner)
        }
        Fact::RunStarted | Fact::Opens(_) | Fact::Closes(_) => None,
    }
}

/// (15) "Each message's tag (absent = the parent agent)", and "each assistant message's
/// `toolCalls` become known under the message's owner".
fn of_message<'e>(message: &'e Message<'_>, record: Record, id: &str) -> Option<Owner<'e>> {
    let speaks = match record {
        Record::ToolCalls => message.tool_calls.iter().any(|call| call == id),
        _ => Record::of_bucket(message.bucket) == record && message.id == id,
    };
    speaks.then(|| Owner::of(message.tag.as_deref()))
}

/// (7) "The *asserted* owner is the tag, or without one the parent message's owner."
pub(crate) fn asserted<'e>(facts: &[Fact<'e>], writing: Writing<'e>) -> Option<Owner<'e>> {
    let tag = writing.tag.map(Owner::Subagent);
    tag.or_else(|| parent_message_owner(facts, writing))
}

/// (7, D4) The recorded owner of the text message that a call names as its parent; "one
/// never seen records nothing and is legal".
pub(crate) fn parent_message_owner<'e>(
    facts: &[Fact<'e>],
    writing: Writing<'e>,
) -> Option<Owner<'e>> {
    owner(facts, Record::TextMessages, writing.parent_message?)
}

/// (9) Whether a call was introduced "by a start, a chunk, a snapshot or the input echo".
pub(crate) fn introduced(facts: &[Fact<'_>], call: &str) -> bool {
    (0..facts.len()).any(|at| statement(facts, at, Record::ToolCalls, call).is_some())
}

/// (6) Whether "a tag is present and differs from the recorded owner. No tag agrees with
/// every owner", and "what is absent is never a mismatch".
pub(crate) fn disagree(tag: Option<&str>, recorded: Option<Owner<'_>>) -> bool {
    match (tag, recorded) {
        (Some(tag), Some(owner)) => owner != Owner::Subagent(tag),
        _ => false,
    }
}
