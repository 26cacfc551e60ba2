//! The list of event types: one row a type, everything else is derived from it.

use std::borrow::Cow;
use std::fmt;

macro_rules! event_types {
    ($($variant:ident $name:literal $about:literal;)*) => {
        /// The event types of AG-UI 1.x.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum EventType { $(#[doc = $about] $variant,)* }

        impl EventType {
            /// Every event type, in the order of the specification's schema.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name on the wire.
            ///
            /// ```
            /// use conform_event::EventType;
            /// assert_eq!(EventType::TextMessageStart.as_str(), "TEXT_MESSAGE_START");
            /// assert_eq!(EventType::ALL.len(), 31);
            /// ```
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The type that a wire name stands for; names are matched exactly.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

event_types! {
    TextMessageStart "TEXT_MESSAGE_START" "Opens a text message.";
    TextMessageContent "TEXT_MESSAGE_CONTENT" "Appends to an open text message.";
    TextMessageEnd "TEXT_MESSAGE_END" "Closes a text message.";
    TextMessageChunk "TEXT_MESSAGE_CHUNK" "A piece of a text message in the chunked form.";
    ToolCallStart "TOOL_CALL_START" "Opens a tool call.";
    ToolCallArgs "TOOL_CALL_ARGS" "Appends to an open call's arguments.";
    ToolCallEnd "TOOL_CALL_END" "Closes a tool call.";
    ToolCallChunk "TOOL_CALL_CHUNK" "A piece of a tool call in the chunked form.";
    ToolCallResult "TOOL_CALL_RESULT" "Answers a tool call with a message.";
    StateSnapshot "STATE_SNAPSHOT" "Replaces the run's state.";
    StateDelta "STATE_DELTA" "Changes the run's state by a JSON patch.";
    MessagesSnapshot "MESSAGES_SNAPSHOT" "Declares all messages of the conversation.";
    ActivitySnapshot "ACTIVITY_SNAPSHOT" "Creates or replaces an activity.";
    ActivityDelta "ACTIVITY_DELTA" "Changes an activity by a JSON patch.";
    Raw "RAW" "A provider's own event, passed through.";
    Custom "CUSTOM" "An application's own event.";
    RunStarted "RUN_STARTED" "Begins a run.";
    RunFinished "RUN_FINISHED" "Ends a run.";
    RunError "RUN_ERROR" "Ends a run with a failure.";
    StepStarted "STEP_STARTED" "Opens a step.";
    StepFinished "STEP_FINISHED" "Closes a step.";
    ReasoningStart "REASONING_START" "Opens a reasoning span.";
    ReasoningMessageStart "REASONING_MESSAGE_START" "Opens a reasoning message.";
    ReasoningMessageContent "REASONING_MESSAGE_CONTENT" "Appends to an open reasoning message.";
    ReasoningMessageEnd "REASONING_MESSAGE_END" "Closes a reasoning message.";
    ReasoningMessageChunk "REASONING_MESSAGE_CHUNK" "A piece of a reasoning message in the chunked form.";
    ReasoningEnd "REASONING_END" "Closes a reasoning span.";
    ReasoningEncryptedValue "REASONING_ENCRYPTED_VALUE" "Attaches an opaque value to a message or a call.";
    SubagentStarted "SUBAGENT_STARTED" "Announces an invocation of a subagent.";
    SubagentFinished "SUBAGENT_FINISHED" "Closes an invocation.";
    SubagentError "SUBAGENT_ERROR" "Closes an invocation that failed.";
}

impl fmt::Display for EventType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The event types that the protocol had before 1.0 and has no more.
pub const RETIRED: &[&str] = &[
    "THINKING_START",
    "THINKING_END",
    "THINKING_TEXT_MESSAGE_START",
    "THINKING_TEXT_MESSAGE_CONTENT",
    "THINKING_TEXT_MESSAGE_END",
];

/// The type that an event names.
///
/// ```
/// use conform_event::{EventType, TypeName};
/// assert_eq!(TypeName::of("RAW"), TypeName::Known(EventType::Raw));
/// assert_eq!(TypeName::of("THINKING_END"), TypeName::Retired("THINKING_END"));
/// assert_eq!(TypeName::of("TextMessageStart").as_str(), "TextMessageStart");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypeName<'a> {
    /// One of the 31 types of AG-UI 1.x.
    Known(EventType),
    /// One of the [`RETIRED`] types.
    Retired(&'static str),
    /// A name that the protocol does not describe, kept as it was sent.
    Unknown(Cow<'a, str>),
    /// No `type` member, or one that is not a string.
    Missing,
}

impl<'a> TypeName<'a> {
    /// Sorts a name in.
    pub fn of(name: impl Into<Cow<'a, str>>) -> Self {
        let name = name.into();
        if let Some(known) = EventType::from_name(&name) {
            return Self::Known(known);
        }
        match RETIRED.iter().find(|retired| **retired == name) {
            Some(retired) => Self::Retired(retired),
            None => Self::Unknown(name),
        }
    }

    /// The name as it was sent; empty where there was none.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Known(known) => known.as_str(),
            Self::Retired(name) => name,
            Self::Unknown(name) => name,
            Self::Missing => "",
        }
    }

    /// The known type, if it is one.
    pub fn known(&self) -> Option<EventType> {
        match self {
            Self::Known(known) => Some(*known),
            _ => None,
        }
    }
}
