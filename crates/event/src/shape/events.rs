//! The rows of the events.

use super::nested::{
    ATTRIBUTABLE, CONTENT, ENCRYPTED_VALUE_TYPE, MESSAGES, RUN_AGENT_INPUT, RUN_OUTCOME,
    SAFE_INTEGER, SUBAGENT_OUTCOME, TEXT_ROLES, USAGE,
};
use super::table::{Field, Kind, Shape, may, must};
use crate::EventType;
use Kind::{Any, Flag, Object, OneOf, Open, Patch, Tag, Text, Variant};

/// What every event may carry.
const BASE: &[Field] = &[
    must("type", Tag),
    may("timestamp", SAFE_INTEGER),
    may("rawEvent", Any),
    may("metadata", Open),
];

/// An event that a subagent may have produced.
const fn work(name: &'static str, own: &'static [Field]) -> Shape {
    Shape { name, rows: [BASE, ATTRIBUTABLE, own] }
}

/// An event of the run or the conversation as a whole, or about a subagent.
const fn whole(name: &'static str, own: &'static [Field]) -> Shape {
    Shape { name, rows: [BASE, &[], own] }
}

macro_rules! event_shapes {
    ($($variant:ident $scope:ident $name:literal [$($row:expr),* $(,)?];)*) => {
        /// The rows of an event of this type.
        ///
        /// ```
        /// use conform_event::{EventType, shape};
        /// let shape = shape::event_shape(EventType::Raw);
        /// assert_eq!(shape.name, "RawEvent");
        /// assert!(shape.field("event", shape::Version::V1_0).is_some());
        /// ```
        pub fn event_shape(event_type: EventType) -> &'static Shape {
            match event_type {
                $(EventType::$variant => {
                    static SHAPE: Shape = $scope($name, &[$($row),*]);
                    &SHAPE
                })*
            }
        }
    };
}

event_shapes! {
    TextMessageStart work "TextMessageStartEvent" [
        must("messageId", Text),
        may("role", TEXT_ROLES),
        may("name", Text),
    ];
    TextMessageContent work "TextMessageContentEvent" [
        must("messageId", Text),
        must("delta", Text),
    ];
    TextMessageEnd work "TextMessageEndEvent" [must("messageId", Text)];
    TextMessageChunk work "TextMessageChunkEvent" [
        may("messageId", Text),
        may("role", TEXT_ROLES),
        may("delta", Text),
        may("name", Text),
    ];
    ToolCallStart work "ToolCallStartEvent" [
        must("toolCallId", Text),
        must("toolCallName", Text),
        may("parentMessageId", Text),
    ];
    ToolCallArgs work "ToolCallArgsEvent" [must("toolCallId", Text), must("delta", Text)];
    ToolCallEnd work "ToolCallEndEvent" [must("toolCallId", Text)];
    ToolCallChunk work "ToolCallChunkEvent" [
        may("toolCallId", Text),
        may("toolCallName", Text),
        may("parentMessageId", Text),
        may("delta", Text),
    ];
    ToolCallResult work "ToolCallResultEvent" [
        must("messageId", Text),
        must("toolCallId", Text),
        must("content", CONTENT),
        may("role", OneOf(&["tool"])),
    ];
    StateSnapshot work "StateSnapshotEvent" [must("snapshot", Any)];
    StateDelta work "StateDeltaEvent" [must("delta", Patch)];
    MessagesSnapshot whole "MessagesSnapshotEvent" [must("messages", MESSAGES)];
    ActivitySnapshot work "ActivitySnapshotEvent" [
        must("messageId", Text),
        must("activityType", Text),
        must("content", Open),
        may("replace", Flag),
    ];
    ActivityDelta work "ActivityDeltaEvent" [
        must("messageId", Text),
        must("activityType", Text),
        must("patch", Patch),
    ];
    Raw work "RawEvent" [must("event", Any), may("source", Text)];
    Custom work "CustomEvent" [must("name", Text), must("value", Any)];
    RunStarted whole "RunStartedEvent" [
        must("threadId", Text),
        must("runId", Text),
        may("protocolVersion", Text),
        may("parentRunId", Text),
        may("input", Object(&RUN_AGENT_INPUT)),
    ];
    RunFinished whole "RunFinishedEvent" [
        must("threadId", Text),
        must("runId", Text),
        may("result", Any),
        may("outcome", Variant(&RUN_OUTCOME)),
        may("usage", USAGE),
    ];
    RunError whole "RunErrorEvent" [
        must("message", Text),
        may("code", Text),
        may("usage", USAGE),
    ];
    StepStarted work "StepStartedEvent" [must("stepName", Text)];
    StepFinished work "StepFinishedEvent" [must("stepName", Text)];
    ReasoningStart work "ReasoningStartEvent" [must("messageId", Text)];
    ReasoningMessageStart work "ReasoningMessageStartEvent" [
        must("messageId", Text),
        must("role", OneOf(&["reasoning"])),
    ];
    ReasoningMessageContent work "ReasoningMessageContentEvent" [
        must("messageId", Text),
        must("delta", Text),
    ];
    ReasoningMessageEnd work "ReasoningMessageEndEvent" [must("messageId", Text)];
    ReasoningMessageChunk work "ReasoningMessageChunkEvent" [
        may("messageId", Text),
        may("delta", Text),
    ];
    ReasoningEnd work "ReasoningEndEvent" [must("messageId", Text)];
    ReasoningEncryptedValue work "ReasoningEncryptedValueEvent" [
        must("subtype", OneOf(&["tool-call", "message"])),
        must("entityId", Text),
        must("encryptedValue", Text),
        ENCRYPTED_VALUE_TYPE,
    ];
    SubagentStarted whole "SubagentStartedEvent" [
        must("subagentRunId", Text),
        must("name", Text),
        may("description", Text),
        may("parentSubagentRunId", Text),
        may("parentToolCallId", Text),
        may("parentMessageId", Text),
    ];
    SubagentFinished whole "SubagentFinishedEvent" [
        must("subagentRunId", Text),
        may("result", Any),
        may("outcome", Variant(&SUBAGENT_OUTCOME)),
    ];
    SubagentError whole "SubagentErrorEvent" [
        must("subagentRunId", Text),
        must("message", Text),
        may("code", Text),
    ];
}

/// The rows of a run's input.
///
/// ```
/// use conform_event::shape::{Version, input_shape};
/// assert!(input_shape().field("messages", Version::V1_0).is_some_and(|(_, f)| f.required));
/// ```
pub fn input_shape() -> &'static Shape {
    &RUN_AGENT_INPUT
}
