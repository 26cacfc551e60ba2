//! Which member of an event a breach is about.

use conform_event::EventType;
use conform_verify::Breach;

/// The JSON pointer of the member to blame; none where it is the event as a whole.
pub(crate) fn pointer(event_type: Option<EventType>, breach: &Breach) -> Option<String> {
    let member = match breach {
        Breach::WrongOwner { .. } | Breach::WrongParentOwner { .. } => "subagentRunId",
        Breach::UnknownParent { .. } => "parentSubagentRunId",
        Breach::ChunkDisagrees { member, .. } | Breach::ChunkLacks { member, .. } => member,
        Breach::AlreadyOpen { .. }
        | Breach::AlreadyFinished { .. }
        | Breach::NotOpen { .. }
        | Breach::UnknownCall { .. }
        | Breach::ResultBeforeEnd { .. }
        | Breach::FormsMixed { .. } => id_member(event_type?)?,
        _ => return None,
    };
    Some(format!("/{member}"))
}

/// The member that holds the id of what an event is about.
pub(crate) fn id_member(event_type: EventType) -> Option<&'static str> {
    use EventType as T;
    Some(match event_type {
        T::TextMessageStart
        | T::TextMessageContent
        | T::TextMessageEnd
        | T::TextMessageChunk
        | T::ReasoningStart
        | T::ReasoningEnd
        | T::ReasoningMessageStart
        | T::ReasoningMessageContent
        | T::ReasoningMessageEnd
        | T::ReasoningMessageChunk
        | T::ActivitySnapshot
        | T::ActivityDelta => "messageId",
        T::ToolCallStart
        | T::ToolCallArgs
        | T::ToolCallEnd
        | T::ToolCallChunk
        | T::ToolCallResult => "toolCallId",
        T::StepStarted | T::StepFinished => "stepName",
        T::SubagentStarted | T::SubagentFinished | T::SubagentError => "subagentRunId",
        T::ReasoningEncryptedValue => "entityId",
        _ => return None,
    })
}
