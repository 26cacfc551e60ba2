//! Events as the rules see them.
//!
//! An [`Event`] holds what the ordering rules need and no more. Events of one pattern (a
//! start, a content, an end) share a [`Body`] and differ by their [`Item`]; the exact type
//! is in [`Event::type_name`].

use std::borrow::Cow;

use crate::types::{EventType, TypeName};

/// A string that borrows from the input where it can.
pub type Text<'a> = Cow<'a, str>;

/// An event, reduced to what the ordering rules read.
///
/// ```
/// use conform_event::{decode, Body, Item};
/// let decoded = decode(br#"{"type":"TEXT_MESSAGE_END","messageId":"m1","subagentRunId":"s"}"#);
/// let event = decoded.unwrap().event;
/// assert_eq!(event.tag.as_deref(), Some("s"));
/// assert_eq!(event.body, Body::End { item: Item::TextMessage, id: "m1".into() });
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event<'a> {
    /// The type that the event names.
    pub type_name: TypeName<'a>,
    /// The `subagentRunId` that attributes the event, if it has one that is a string. The
    /// id of a subagent's own lifecycle events is in their body instead.
    pub tag: Option<Text<'a>>,
    /// What the rules need of the rest.
    pub body: Body<'a>,
}

/// The items that are streamed from a start to an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Item {
    /// A text message.
    TextMessage,
    /// A reasoning span.
    ReasoningSpan,
    /// A reasoning message.
    ReasoningMessage,
    /// A tool call.
    ToolCall,
}

/// The part of an event that the rules need, by what it does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body<'a> {
    /// RUN_STARTED.
    RunStarted {
        /// The run's id.
        run_id: Option<Text<'a>>,
        /// The echo of the run's input.
        input: Option<RunInput<'a>>,
    },
    /// RUN_FINISHED.
    RunFinished,
    /// RUN_ERROR.
    RunError,
    /// A start: TEXT_MESSAGE_START, REASONING_START, REASONING_MESSAGE_START or
    /// TOOL_CALL_START.
    Start {
        /// What is opened.
        item: Item,
        /// Its id.
        id: Text<'a>,
        /// The message that a tool call names as its parent.
        parent_message: Option<Text<'a>>,
    },
    /// TEXT_MESSAGE_CONTENT, REASONING_MESSAGE_CONTENT or TOOL_CALL_ARGS.
    Content {
        /// What is continued.
        item: Item,
        /// Its id.
        id: Text<'a>,
    },
    /// An end: TEXT_MESSAGE_END, REASONING_END, REASONING_MESSAGE_END or TOOL_CALL_END.
    End {
        /// What is closed.
        item: Item,
        /// Its id.
        id: Text<'a>,
    },
    /// TEXT_MESSAGE_CHUNK, REASONING_MESSAGE_CHUNK or TOOL_CALL_CHUNK.
    Chunk(Chunk<'a>),
    /// TOOL_CALL_RESULT.
    ToolResult {
        /// The call that is answered.
        call: Text<'a>,
        /// The message that the result becomes.
        message: Option<Text<'a>>,
    },
    /// REASONING_ENCRYPTED_VALUE.
    EncryptedValue {
        /// What `subtype` says the id names; none where it says neither.
        holder: Option<Holder>,
        /// The id of the message or call.
        id: Text<'a>,
    },
    /// STEP_STARTED.
    StepStarted {
        /// The step's name.
        name: Text<'a>,
    },
    /// STEP_FINISHED.
    StepFinished {
        /// The step's name.
        name: Text<'a>,
    },
    /// ACTIVITY_SNAPSHOT.
    ActivitySnapshot {
        /// The activity's message id.
        id: Text<'a>,
        /// Whether `replace` is `false`: what is there already stays.
        keep: bool,
    },
    /// ACTIVITY_DELTA.
    ActivityDelta {
        /// The activity's message id.
        id: Text<'a>,
    },
    /// SUBAGENT_STARTED.
    SubagentStarted {
        /// The invocation.
        id: Text<'a>,
        /// The invocation that spawned it.
        parent: Option<Text<'a>>,
    },
    /// SUBAGENT_FINISHED or SUBAGENT_ERROR.
    SubagentEnded {
        /// The invocation.
        id: Text<'a>,
    },
    /// MESSAGES_SNAPSHOT.
    MessagesSnapshot {
        /// The messages with a readable id, in order.
        messages: Vec<Message<'a>>,
    },
    /// STATE_SNAPSHOT or STATE_DELTA.
    State,
    /// CUSTOM.
    Custom,
    /// RAW.
    Raw,
    /// An event of a type that the rules do not track: retired, unknown or missing.
    Untracked,
    /// An event of a known type whose id is missing or no string: the rules cannot read it.
    Hidden,
}

/// What a REASONING_ENCRYPTED_VALUE belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Holder {
    /// `subtype` is `message`.
    Message,
    /// `subtype` is `tool-call`.
    ToolCall,
}

/// One piece of an item in the chunked form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk<'a> {
    /// Which family it is of: never [`Item::ReasoningSpan`].
    pub item: Item,
    /// The item's id, which a continuation may leave out.
    pub id: Option<Text<'a>>,
    /// `role` of a text message.
    pub role: Option<Text<'a>>,
    /// `name` of a text message.
    pub name: Option<Text<'a>>,
    /// `toolCallName` of a tool call.
    pub tool_name: Option<Text<'a>>,
    /// `parentMessageId` of a tool call.
    pub parent_message: Option<Text<'a>>,
    /// Whether it carries a `delta`.
    pub has_delta: bool,
}

/// A run's input, as the request carries it and RUN_STARTED may echo it.
///
/// ```
/// use conform_event::{json, RunInput};
/// let (json, _) = json::read(br#"{"runId":"r1","messages":[{"id":"u1","role":"user"}]}"#).unwrap();
/// let input = RunInput::from_json(&json).unwrap();
/// assert_eq!(input.run_id.as_deref(), Some("r1"));
/// assert_eq!(input.messages.len(), 1);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunInput<'a> {
    /// The run that was asked for.
    pub run_id: Option<Text<'a>>,
    /// The messages with a readable id, in order.
    pub messages: Vec<Message<'a>>,
    /// Whether it answers interrupts of an earlier run.
    pub resumes: bool,
}

/// A message of a snapshot or of a run's input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message<'a> {
    /// Its id.
    pub id: Text<'a>,
    /// Which bucket of owners its role puts it into.
    pub bucket: Bucket,
    /// Its `subagentRunId`; none is the parent agent.
    pub tag: Option<Text<'a>>,
    /// The ids of an assistant message's tool calls, in order.
    pub tool_calls: Vec<Text<'a>>,
}

/// The owners of messages are kept by the kind that the role makes of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Bucket {
    /// Every role but the two below.
    TextMessage,
    /// Role `reasoning`.
    Reasoning,
    /// Role `activity`.
    Activity,
}

impl Event<'_> {
    /// The event's type, where it is one of AG-UI 1.x.
    pub fn event_type(&self) -> Option<EventType> {
        self.type_name.known()
    }
}

impl RunInput<'_> {
    /// The same input, owning its strings.
    pub fn into_owned(self) -> RunInput<'static> {
        RunInput {
            run_id: self.run_id.map(own),
            messages: self.messages.into_iter().map(Message::into_owned).collect(),
            resumes: self.resumes,
        }
    }
}

impl Message<'_> {
    /// The same message, owning its strings.
    pub fn into_owned(self) -> Message<'static> {
        Message {
            id: own(self.id),
            bucket: self.bucket,
            tag: self.tag.map(own),
            tool_calls: self.tool_calls.into_iter().map(own).collect(),
        }
    }
}

fn own(text: Text<'_>) -> Text<'static> {
    Cow::Owned(text.into_owned())
}
