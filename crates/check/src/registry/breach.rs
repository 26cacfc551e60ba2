//! Which requirement a breach of the ordering contract means.

use conform_event::{Event, EventType};
use conform_verify::{Breach, Entity, EntityKind};

use super::{FALLBACK, Requirement, find, of_rule};

/// The requirement that the verifier found broken: what stream scope alone refuses names it,
/// for a rule it follows from the entity and the event. No event means the end of the stream.
///
/// The verifier's kinds of breaches may grow: one that is not known here means the first
/// requirement that its rule is behind.
///
/// ```
/// use conform_check::registry;
/// use conform_event::decode;
/// use conform_verify::Verifier;
///
/// let event = decode(br#"{"type":"TOOL_CALL_END","toolCallId":"c1"}"#).unwrap().event;
/// let error = Verifier::new().observe(&event).unwrap_err();
/// let broken = registry::of_breach(Some(&event), error.breach());
/// assert_eq!(broken.id, "tool/open-before-args");
/// ```
pub fn of_breach(event: Option<&Event<'_>>, breach: &Breach) -> &'static Requirement {
    id(event, breach)
        .and_then(find)
        .or_else(|| breach.rule().and_then(|rule| of_rule(rule).next()))
        .unwrap_or(FALLBACK)
}

fn id(event: Option<&Event<'_>>, breach: &Breach) -> Option<&'static str> {
    Some(match breach {
        Breach::RunEnded { .. } => "lifecycle/nothing-after-finish",
        Breach::RunAlreadyStarted { .. } => "lifecycle/one-run-at-a-time",
        Breach::OpenAtFinish { .. } => "lifecycle/closed-before-finish",
        Breach::AlreadyOpen { entity, .. } => return already_open(entity.kind),
        Breach::AlreadyFinished { .. } => "subagent/id-names-one-invocation",
        Breach::NotOpen { entity, .. } => return not_open(entity.kind),
        Breach::UnknownCall { .. } => "tool/result-of-known-call",
        Breach::UnknownParent { .. } => "subagent/announced-parent",
        Breach::ResultBeforeEnd { .. } => "tool/result-after-end",
        Breach::WrongOwner { entity, .. } => wrong_owner(event, entity),
        Breach::WrongParentOwner { .. } => "subagent/call-follows-its-message",
        other => return other.requirement(),
    })
}

fn already_open(kind: EntityKind) -> Option<&'static str> {
    Some(match kind {
        EntityKind::TextMessage => "text/not-already-open",
        EntityKind::ToolCall => "tool/not-already-open",
        EntityKind::ReasoningSpan => "reasoning/span-not-already-open",
        EntityKind::ReasoningMessage => "reasoning/message-not-already-open",
        EntityKind::Step => "step/not-already-open",
        EntityKind::Subagent => "subagent/not-already-active",
        _ => return None,
    })
}

fn not_open(kind: EntityKind) -> Option<&'static str> {
    Some(match kind {
        EntityKind::TextMessage => "text/open-before-content",
        EntityKind::ToolCall => "tool/open-before-args",
        EntityKind::ReasoningSpan => "reasoning/span-open-before-end",
        EntityKind::ReasoningMessage => "reasoning/message-open-before-content",
        EntityKind::Step => "step/finished-by-its-owner",
        EntityKind::Subagent => "subagent/active-before-end",
        _ => return None,
    })
}

/// A call that carries no tag has its claim from its parent message.
fn wrong_owner(event: Option<&Event<'_>>, entity: &Entity) -> &'static str {
    let opens_untagged = event.is_some_and(|event| {
        let opens = matches!(
            event.type_name.known(),
            Some(EventType::ToolCallStart | EventType::ToolCallChunk)
        );
        opens && event.tag.is_none()
    });
    match entity.kind {
        EntityKind::Activity => "activity/owner-agrees",
        EntityKind::ToolCall if opens_untagged => "subagent/call-follows-its-message",
        _ => "subagent/owner-agrees",
    }
}
