//! From JSON to events: two faces of one text.
//!
//! The [`Event`] is what the ordering rules read; it is had even from an event whose shape
//! is wrong elsewhere. The [`Json`] tree is all that was sent, for whoever judges shape.

use crate::event::{Body, Bucket, Chunk, Event, Holder, Item, Message, RunInput, Text};
use crate::json::{self, Flaw, Json, ReadError, Value};
use crate::types::{EventType, TypeName};

/// An event in its two faces.
#[derive(Debug, Clone, PartialEq)]
pub struct Decoded<'a> {
    /// What the rules read.
    pub event: Event<'a>,
    /// All that was sent.
    pub json: Json<'a>,
    /// What the JSON text has that clean JSON does not.
    pub flaws: Vec<Flaw>,
}

/// Reads one event.
///
/// A JSON value that is no object is an event with no type: nothing but its position is
/// judged.
///
/// # Errors
///
/// [`ReadError`] where the bytes are no JSON.
///
/// ```
/// let decoded = conform_event::decode(br#"{"type":"RAW","event":1}"#).unwrap();
/// assert_eq!(decoded.event.type_name.as_str(), "RAW");
/// assert!(conform_event::decode(b"event").is_err());
/// ```
pub fn decode(input: &[u8]) -> Result<Decoded<'_>, ReadError> {
    let (json, flaws) = json::read(input)?;
    let event = Event::from_json(&json);
    Ok(Decoded { event, json, flaws })
}

impl<'a> Event<'a> {
    /// Reads what the rules need from a JSON value.
    ///
    /// A member of the wrong type is read as the contract says: an id that is missing or no
    /// string makes the body [`Body::Hidden`]; a tag or any other optional member that is
    /// no string is absent.
    pub fn from_json(json: &Json<'a>) -> Self {
        let type_name = match text(json, "type") {
            Some(name) => TypeName::of(name),
            None => TypeName::Missing,
        };
        let Some(event_type) = type_name.known() else {
            return Event { type_name, tag: None, body: Body::Untracked };
        };
        let body = body(event_type, json).unwrap_or(Body::Hidden);
        let tag = if attributable(event_type) { text(json, "subagentRunId") } else { None };
        Event { type_name, tag, body }
    }
}

/// Whether `subagentRunId` on this type says who produced the event.
fn attributable(event_type: EventType) -> bool {
    use EventType as T;
    !matches!(
        event_type,
        T::RunStarted
            | T::RunFinished
            | T::RunError
            | T::MessagesSnapshot
            | T::SubagentStarted
            | T::SubagentFinished
            | T::SubagentError
    )
}

/// The body, or none where the id that the rules need cannot be read.
fn body<'a>(event_type: EventType, json: &Json<'a>) -> Option<Body<'a>> {
    use EventType as T;
    let message = |item| Some((item, text(json, "messageId")?));
    let call = || Some((Item::ToolCall, text(json, "toolCallId")?));
    let start = |(item, id)| Body::Start { item, id, parent_message: None };
    let content = |(item, id)| Body::Content { item, id };
    let end = |(item, id)| Body::End { item, id };
    Some(match event_type {
        T::RunStarted => Body::RunStarted {
            run_id: text(json, "runId"),
            input: json.get("input").and_then(RunInput::from_json),
        },
        T::RunFinished => Body::RunFinished,
        T::RunError => Body::RunError,
        T::TextMessageStart => start(message(Item::TextMessage)?),
        T::TextMessageContent => content(message(Item::TextMessage)?),
        T::TextMessageEnd => end(message(Item::TextMessage)?),
        T::ReasoningStart => start(message(Item::ReasoningSpan)?),
        T::ReasoningEnd => end(message(Item::ReasoningSpan)?),
        T::ReasoningMessageStart => start(message(Item::ReasoningMessage)?),
        T::ReasoningMessageContent => content(message(Item::ReasoningMessage)?),
        T::ReasoningMessageEnd => end(message(Item::ReasoningMessage)?),
        T::ToolCallStart => Body::Start {
            item: Item::ToolCall,
            id: text(json, "toolCallId")?,
            parent_message: text(json, "parentMessageId"),
        },
        T::ToolCallArgs => content(call()?),
        T::ToolCallEnd => end(call()?),
        T::TextMessageChunk => chunk(Item::TextMessage, "messageId", json)?,
        T::ReasoningMessageChunk => chunk(Item::ReasoningMessage, "messageId", json)?,
        T::ToolCallChunk => chunk(Item::ToolCall, "toolCallId", json)?,
        T::ToolCallResult => {
            Body::ToolResult { call: text(json, "toolCallId")?, message: text(json, "messageId") }
        }
        T::ReasoningEncryptedValue => Body::EncryptedValue {
            holder: match text(json, "subtype").as_deref() {
                Some("message") => Some(Holder::Message),
                Some("tool-call") => Some(Holder::ToolCall),
                _ => None,
            },
            id: text(json, "entityId")?,
        },
        T::StepStarted => Body::StepStarted { name: text(json, "stepName")? },
        T::StepFinished => Body::StepFinished { name: text(json, "stepName")? },
        T::ActivitySnapshot => Body::ActivitySnapshot {
            id: text(json, "messageId")?,
            keep: matches!(json.get("replace"), Some(Json { value: Value::Bool(false), .. })),
        },
        T::ActivityDelta => Body::ActivityDelta { id: text(json, "messageId")? },
        T::SubagentStarted => Body::SubagentStarted {
            id: text(json, "subagentRunId")?,
            parent: text(json, "parentSubagentRunId"),
        },
        T::SubagentFinished | T::SubagentError => {
            Body::SubagentEnded { id: text(json, "subagentRunId")? }
        }
        T::MessagesSnapshot => Body::MessagesSnapshot { messages: messages(json) },
        T::StateSnapshot | T::StateDelta => Body::State,
        T::Custom => Body::Custom,
        T::Raw => Body::Raw,
    })
}

fn chunk<'a>(item: Item, id_name: &str, json: &Json<'a>) -> Option<Body<'a>> {
    let id = match json.get(id_name) {
        None => None,
        Some(_) => Some(text(json, id_name)?),
    };
    Some(Body::Chunk(Chunk {
        item,
        id,
        role: text(json, "role"),
        name: text(json, "name"),
        tool_name: text(json, "toolCallName"),
        parent_message: text(json, "parentMessageId"),
        has_delta: text(json, "delta").is_some(),
    }))
}

impl<'a> RunInput<'a> {
    /// Reads a run's input; none where the value is no object.
    pub fn from_json(json: &Json<'a>) -> Option<Self> {
        json.is_object().then(|| RunInput {
            run_id: text(json, "runId"),
            messages: messages(json),
            resumes: !json.list("resume").is_empty(),
        })
    }
}

fn messages<'a>(json: &Json<'a>) -> Vec<Message<'a>> {
    json.list("messages").iter().filter_map(message).collect()
}

fn message<'a>(json: &Json<'a>) -> Option<Message<'a>> {
    let role = text(json, "role");
    let role = role.as_deref();
    let calls = if role == Some("assistant") { json.list("toolCalls") } else { &[] };
    Some(Message {
        id: text(json, "id")?,
        bucket: match role {
            Some("reasoning") => Bucket::Reasoning,
            Some("activity") => Bucket::Activity,
            _ => Bucket::TextMessage,
        },
        tag: text(json, "subagentRunId"),
        tool_calls: calls.iter().filter_map(|call| text(call, "id")).collect(),
    })
}

/// The text of a member that is a string.
fn text<'a>(json: &Json<'a>, name: &str) -> Option<Text<'a>> {
    match &json.get(name)?.value {
        Value::String(text) => Some(text.clone()),
        _ => None,
    }
}
