//! What the rules read of every event type, whatever else was sent.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::borrow::Cow;
use std::collections::BTreeSet;

use conform_event::json::FlawKind;
use conform_event::{
    Body, Bucket, Chunk, Event, EventType, Holder, Item, Message, RETIRED, RunInput, TypeName,
    decode, json,
};
use proptest::prelude::*;
use proptest::sample::select;

// ---------------------------------------------------------------- the table

/// What the rules read of a type.
struct Row {
    /// Its name on the wire.
    name: &'static str,
    /// The member without which the event is hidden, or of a chunk its id.
    id: Option<&'static str>,
    /// The other members that are read.
    reads: &'static [&'static str],
    /// Whether `subagentRunId` is a tag.
    tagged: bool,
    /// The body, where the id is `x` and nothing else is there.
    body: Body<'static>,
}

const CHUNK_READS: &[&str] = &["role", "name", "toolCallName", "parentMessageId", "delta"];

fn row(event_type: EventType) -> Row {
    use EventType as T;
    use Item::{ReasoningMessage, ReasoningSpan, TextMessage, ToolCall};
    let x = || Cow::Borrowed("x");
    let start = |item| Body::Start { item, id: x(), parent_message: None };
    let content = |item| Body::Content { item, id: x() };
    let end = |item| Body::End { item, id: x() };
    let chunk = |item| Body::Chunk(Chunk { id: Some(x()), ..bare_chunk(item) });
    let message = Some("messageId");
    let call = Some("toolCallId");
    let subagent = Some("subagentRunId");
    let none: &[&str] = &[];
    let (name, id, reads, body) = match event_type {
        T::TextMessageStart => ("TEXT_MESSAGE_START", message, none, start(TextMessage)),
        T::TextMessageContent => ("TEXT_MESSAGE_CONTENT", message, none, content(TextMessage)),
        T::TextMessageEnd => ("TEXT_MESSAGE_END", message, none, end(TextMessage)),
        T::TextMessageChunk => ("TEXT_MESSAGE_CHUNK", message, CHUNK_READS, chunk(TextMessage)),
        T::ToolCallStart => {
            ("TOOL_CALL_START", call, &["parentMessageId"] as &[_], start(ToolCall))
        }
        T::ToolCallArgs => ("TOOL_CALL_ARGS", call, none, content(ToolCall)),
        T::ToolCallEnd => ("TOOL_CALL_END", call, none, end(ToolCall)),
        T::ToolCallChunk => ("TOOL_CALL_CHUNK", call, CHUNK_READS, chunk(ToolCall)),
        T::ToolCallResult => (
            "TOOL_CALL_RESULT",
            call,
            &["messageId"] as &[_],
            Body::ToolResult { call: x(), message: None },
        ),
        T::StateSnapshot => ("STATE_SNAPSHOT", None, none, Body::State),
        T::StateDelta => ("STATE_DELTA", None, none, Body::State),
        T::MessagesSnapshot => (
            "MESSAGES_SNAPSHOT",
            None,
            &["messages"] as &[_],
            Body::MessagesSnapshot { messages: vec![] },
        ),
        T::ActivitySnapshot => (
            "ACTIVITY_SNAPSHOT",
            message,
            &["replace"] as &[_],
            Body::ActivitySnapshot { id: x(), keep: false },
        ),
        T::ActivityDelta => ("ACTIVITY_DELTA", message, none, Body::ActivityDelta { id: x() }),
        T::Raw => ("RAW", None, none, Body::Raw),
        T::Custom => ("CUSTOM", None, none, Body::Custom),
        T::RunStarted => (
            "RUN_STARTED",
            None,
            &["runId", "input"] as &[_],
            Body::RunStarted { run_id: None, input: None },
        ),
        T::RunFinished => ("RUN_FINISHED", None, none, Body::RunFinished),
        T::RunError => ("RUN_ERROR", None, none, Body::RunError),
        T::StepStarted => ("STEP_STARTED", Some("stepName"), none, Body::StepStarted { name: x() }),
        T::StepFinished => {
            ("STEP_FINISHED", Some("stepName"), none, Body::StepFinished { name: x() })
        }
        T::ReasoningStart => ("REASONING_START", message, none, start(ReasoningSpan)),
        T::ReasoningMessageStart => {
            ("REASONING_MESSAGE_START", message, none, start(ReasoningMessage))
        }
        T::ReasoningMessageContent => {
            ("REASONING_MESSAGE_CONTENT", message, none, content(ReasoningMessage))
        }
        T::ReasoningMessageEnd => ("REASONING_MESSAGE_END", message, none, end(ReasoningMessage)),
        T::ReasoningMessageChunk => {
            ("REASONING_MESSAGE_CHUNK", message, CHUNK_READS, chunk(ReasoningMessage))
        }
        T::ReasoningEnd => ("REASONING_END", message, none, end(ReasoningSpan)),
        T::ReasoningEncryptedValue => (
            "REASONING_ENCRYPTED_VALUE",
            Some("entityId"),
            &["subtype"] as &[_],
            Body::EncryptedValue { holder: None, id: x() },
        ),
        T::SubagentStarted => (
            "SUBAGENT_STARTED",
            subagent,
            &["parentSubagentRunId"] as &[_],
            Body::SubagentStarted { id: x(), parent: None },
        ),
        T::SubagentFinished => {
            ("SUBAGENT_FINISHED", subagent, none, Body::SubagentEnded { id: x() })
        }
        T::SubagentError => ("SUBAGENT_ERROR", subagent, none, Body::SubagentEnded { id: x() }),
    };
    let tagged = !["RUN_", "SUBAGENT_", "MESSAGES_"].iter().any(|start| name.starts_with(start));
    Row { name, id, reads, tagged, body }
}

fn bare_chunk(item: Item) -> Chunk<'static> {
    Chunk {
        item,
        id: None,
        role: None,
        name: None,
        tool_name: None,
        parent_message: None,
        has_delta: false,
    }
}

fn is_chunk(row: &Row) -> bool {
    matches!(row.body, Body::Chunk(_))
}

/// Every type with its row.
fn rows() -> impl Iterator<Item = (EventType, Row)> {
    EventType::ALL.iter().map(|event_type| (*event_type, row(*event_type)))
}

/// Values that are no string.
const NO_STRINGS: &[&str] = &["null", "0", "1.5", "true", "false", "[]", "[\"x\"]", "{}"];

/// The event of a name and members, `id` among them.
fn text_of(name: &str, members: &[(&str, &str)]) -> String {
    let mut text = format!("{{\"type\":\"{name}\"");
    for (name, value) in members {
        text.extend([",\"", name, "\":", value]);
    }
    text + "}"
}

#[track_caller]
fn with_event<T>(text: &str, f: impl FnOnce(&Event<'_>) -> T) -> T {
    f(&decode(text.as_bytes()).unwrap().event)
}

#[track_caller]
fn body_is(text: &str, body: &Body<'_>) {
    with_event(text, |event| assert_eq!(&event.body, body, "{text}"));
}

fn minimal(row: &Row) -> String {
    match row.id {
        Some(id) => text_of(row.name, &[(id, "\"x\"")]),
        None => text_of(row.name, &[]),
    }
}

// ---------------------------------------------------------------- every type

#[test]
fn there_are_31_types_each_with_its_name() {
    let names: BTreeSet<_> = rows().map(|(_, row)| row.name).collect();
    assert_eq!((EventType::ALL.len(), names.len()), (31, 31));
    for (event_type, row) in rows() {
        assert_eq!(event_type.as_str(), row.name);
        assert_eq!(event_type.to_string(), row.name);
        assert_eq!(EventType::from_name(row.name), Some(event_type));
        assert_eq!(TypeName::of(row.name), TypeName::Known(event_type));
        assert_eq!(TypeName::of(row.name).as_str(), row.name);
    }
}

#[test]
fn a_minimal_event_of_every_type_is_its_body() {
    for (event_type, row) in rows() {
        let text = minimal(&row);
        let decoded = decode(text.as_bytes()).unwrap();
        assert!(decoded.flaws.is_empty());
        assert_eq!(decoded.event.type_name, TypeName::Known(event_type));
        assert_eq!(decoded.event.event_type(), Some(event_type));
        assert_eq!(decoded.event.tag, None, "{text}");
        assert_eq!(decoded.event.body, row.body, "{text}");
        assert_eq!(Event::from_json(&decoded.json), decoded.event);
        // What is shown is where it stands.
        let (tree, _) = json::read(text.as_bytes()).unwrap();
        assert_eq!(decoded.json, tree);
    }
}

#[test]
fn an_event_whose_id_is_missing_is_hidden_but_a_chunk_goes_on() {
    for (event_type, row) in rows() {
        let bare = text_of(row.name, &[]);
        match &row.body {
            body if row.id.is_none() => body_is(&bare, body),
            Body::Chunk(chunk) => body_is(&bare, &Body::Chunk(bare_chunk(chunk.item))),
            _ => body_is(&bare, &Body::Hidden),
        }
        // Its type stays.
        with_event(&bare, |event| assert_eq!(event.event_type(), Some(event_type)));
    }
}

#[test]
fn an_event_whose_id_is_no_string_is_hidden_a_chunk_too() {
    for (event_type, row) in rows() {
        let Some(id) = row.id else { continue };
        for value in NO_STRINGS {
            let text = text_of(row.name, &[(id, value), ("delta", "\"d\"")]);
            with_event(&text, |event| {
                assert_eq!(event.body, Body::Hidden, "{text}");
                assert_eq!(event.event_type(), Some(event_type));
            });
        }
        // The empty string is a string.
        with_event(&text_of(row.name, &[(id, "\"\"")]), |event| {
            assert_ne!(event.body, Body::Hidden, "{}", row.name);
        });
    }
}

#[test]
fn a_hidden_event_keeps_its_tag() {
    for (_, row) in rows().filter(|(_, row)| row.tagged && row.id.is_some() && !is_chunk(row)) {
        let text = text_of(row.name, &[("subagentRunId", "\"s\"")]);
        with_event(&text, |event| {
            assert_eq!((event.tag.as_deref(), &event.body), (Some("s"), &Body::Hidden), "{text}");
        });
    }
}

#[test]
fn the_id_of_one_kind_is_not_that_of_another() {
    for (_, row) in rows() {
        let Some(id) = row.id else { continue };
        let members: Vec<_> = [
            "id",
            "messageId",
            "toolCallId",
            "stepName",
            "entityId",
            "subagentRunId",
            "runId",
            "MessageId",
            "message_id",
        ]
        .into_iter()
        .filter(|other| *other != id)
        .map(|other| (other, "\"y\""))
        .collect();
        with_event(&text_of(row.name, &members), |event| match &event.body {
            Body::Chunk(chunk) => assert_eq!(chunk.id, None, "{}", row.name),
            body => assert_eq!(*body, Body::Hidden, "{}", row.name),
        });
    }
}

// ---------------------------------------------------------------- tags

#[test]
fn a_tag_is_read_on_what_is_produced_only() {
    for (_, row) in rows() {
        let mut members = vec![("subagentRunId", "\"s\"")];
        if let Some(id) = row.id.filter(|id| *id != "subagentRunId") {
            members.push((id, "\"x\""));
        }
        with_event(&text_of(row.name, &members), |event| {
            assert_eq!(event.tag.as_deref(), row.tagged.then_some("s"), "{}", row.name);
            if row.id != Some("subagentRunId") {
                assert_eq!(event.body, row.body, "{}", row.name);
            }
        });
    }
    assert_eq!(rows().filter(|(_, row)| !row.tagged).count(), 7);
}

#[test]
fn a_tag_that_is_no_string_is_no_tag() {
    for (_, row) in rows().filter(|(_, row)| row.tagged) {
        for value in NO_STRINGS {
            let mut members = vec![("subagentRunId", *value)];
            members.extend(row.id.map(|id| (id, "\"x\"")));
            let text = text_of(row.name, &members);
            with_event(&text, |event| {
                assert_eq!((&event.tag, &event.body), (&None, &row.body), "{text}");
            });
        }
        with_event(&text_of(row.name, &[("subagentRunId", "\"\"")]), |event| {
            assert_eq!(event.tag.as_deref(), Some(""));
        });
    }
}

// ---------------------------------------------------------------- other members

/// Asserts that `member` is read where it is a string and absent where it is not.
#[track_caller]
fn optional(
    name: &str,
    id: &str,
    member: &str,
    expected: impl Fn(Option<&'static str>) -> Body<'static>,
) {
    let text = |value| text_of(name, &[(id, "\"x\""), (member, value)]);
    body_is(&text("\"v\""), &expected(Some("v")));
    body_is(&text("\"\""), &expected(Some("")));
    for value in NO_STRINGS {
        body_is(&text(value), &expected(None));
    }
}

#[test]
fn an_optional_member_of_the_wrong_type_is_absent() {
    let x = || Cow::Borrowed("x");
    optional("TOOL_CALL_START", "toolCallId", "parentMessageId", |parent| Body::Start {
        item: Item::ToolCall,
        id: x(),
        parent_message: parent.map(Cow::Borrowed),
    });
    optional("TOOL_CALL_RESULT", "toolCallId", "messageId", |message| Body::ToolResult {
        call: x(),
        message: message.map(Cow::Borrowed),
    });
    optional("SUBAGENT_STARTED", "subagentRunId", "parentSubagentRunId", |parent| {
        Body::SubagentStarted { id: x(), parent: parent.map(Cow::Borrowed) }
    });
    optional("RUN_STARTED", "threadId", "runId", |run_id| Body::RunStarted {
        run_id: run_id.map(Cow::Borrowed),
        input: None,
    });
    // Only a tool call has a parent message.
    for name in ["TEXT_MESSAGE_START", "REASONING_START", "REASONING_MESSAGE_START"] {
        let text = text_of(name, &[("messageId", "\"x\""), ("parentMessageId", "\"p\"")]);
        with_event(&text, |event| {
            assert!(matches!(event.body, Body::Start { parent_message: None, .. }), "{name}");
        });
    }
}

#[test]
fn a_chunks_members_are_read_each_for_itself() {
    type Set = fn(&mut Chunk<'static>, Option<&'static str>);
    let members: [(&str, Set); 6] = [
        ("role", |chunk, value| chunk.role = value.map(Cow::Borrowed)),
        ("name", |chunk, value| chunk.name = value.map(Cow::Borrowed)),
        ("toolCallName", |chunk, value| chunk.tool_name = value.map(Cow::Borrowed)),
        ("parentMessageId", |chunk, value| chunk.parent_message = value.map(Cow::Borrowed)),
        ("delta", |chunk, value| chunk.has_delta = value.is_some()),
        ("toolCallname", |_, _| ()),
    ];
    for (name, id, item) in [
        ("TEXT_MESSAGE_CHUNK", "messageId", Item::TextMessage),
        ("REASONING_MESSAGE_CHUNK", "messageId", Item::ReasoningMessage),
        ("TOOL_CALL_CHUNK", "toolCallId", Item::ToolCall),
    ] {
        for (member, set) in members {
            optional(name, id, member, |value| {
                let mut chunk = Chunk { id: Some("x".into()), ..bare_chunk(item) };
                set(&mut chunk, value);
                Body::Chunk(chunk)
            });
        }
    }
}

#[test]
fn a_result_is_hidden_by_its_tool_call_id_only() {
    let result = |members: &[(&str, &str)]| text_of("TOOL_CALL_RESULT", members);
    body_is(&result(&[("messageId", "\"m\"")]), &Body::Hidden);
    body_is(&result(&[("messageId", "\"m\""), ("toolCallId", "null")]), &Body::Hidden);
    let seen = Body::ToolResult { call: "c".into(), message: None };
    body_is(&result(&[("toolCallId", "\"c\"")]), &seen);
    body_is(&result(&[("toolCallId", "\"c\""), ("messageId", "{}")]), &seen);
}

#[test]
fn an_encrypted_value_names_its_holder_exactly() {
    let holder = |subtype: &str, holder: Option<Holder>| {
        let members = [("entityId", "\"x\""), ("subtype", subtype)];
        body_is(
            &text_of("REASONING_ENCRYPTED_VALUE", &members),
            &Body::EncryptedValue { holder, id: "x".into() },
        );
    };
    holder("\"message\"", Some(Holder::Message));
    holder("\"tool-call\"", Some(Holder::ToolCall));
    for other in ["\"tool_call\"", "\"Message\"", "\"\"", "null", "1", "[\"message\"]"] {
        holder(other, None);
    }
    body_is(&text_of("REASONING_ENCRYPTED_VALUE", &[("subtype", "\"message\"")]), &Body::Hidden);
}

#[test]
fn only_false_keeps_an_activity() {
    for (replace, keep) in [
        ("false", true),
        ("true", false),
        ("null", false),
        ("0", false),
        ("\"false\"", false),
        ("[false]", false),
        ("{}", false),
    ] {
        body_is(
            &text_of("ACTIVITY_SNAPSHOT", &[("messageId", "\"a\""), ("replace", replace)]),
            &Body::ActivitySnapshot { id: "a".into(), keep },
        );
    }
}

// ---------------------------------------------------------------- messages and inputs

fn message(id: &'static str, bucket: Bucket) -> Message<'static> {
    Message { id: id.into(), bucket, tag: None, tool_calls: vec![] }
}

/// The messages of a list, which a snapshot, an echo and a request read alike.
#[track_caller]
fn messages_are(list: &str, expected: &[Message<'_>]) {
    body_is(
        &text_of("MESSAGES_SNAPSHOT", &[("messages", list)]),
        &Body::MessagesSnapshot { messages: expected.to_vec() },
    );
    let input = format!("{{\"messages\":{list}}}");
    let run_input = RunInput { messages: expected.to_vec(), ..RunInput::default() };
    let (json, _) = json::read(input.as_bytes()).unwrap();
    assert_eq!(RunInput::from_json(&json), Some(run_input.clone()));
    body_is(
        &text_of("RUN_STARTED", &[("input", &input)]),
        &Body::RunStarted { run_id: None, input: Some(run_input) },
    );
}

#[test]
fn messages_without_a_readable_id_are_skipped() {
    messages_are("[]", &[]);
    messages_are(
        r#"[{"id":"a"},{},{"id":null},null,7,"b",{"id":1},{"ID":"c"},[{"id":"d"}],{"id":""},
            {"id":"a"}]"#,
        &[
            message("a", Bucket::TextMessage),
            message("", Bucket::TextMessage),
            message("a", Bucket::TextMessage),
        ],
    );
    for list in NO_STRINGS.iter().chain(&["\"m\"", r#"{"id":"m"}"#, r#"{"0":{"id":"m"}}"#]) {
        messages_are(list, &[]);
    }
}

#[test]
fn a_role_is_a_bucket() {
    for role in ["developer", "system", "assistant", "user", "tool", "new", "Reasoning", ""] {
        messages_are(
            &format!("[{{\"id\":\"m\",\"role\":\"{role}\"}}]"),
            &[message("m", Bucket::TextMessage)],
        );
    }
    messages_are(r#"[{"id":"m","role":"reasoning"}]"#, &[message("m", Bucket::Reasoning)]);
    messages_are(r#"[{"id":"m","role":"activity"}]"#, &[message("m", Bucket::Activity)]);
    for role in NO_STRINGS {
        messages_are(
            &format!("[{{\"role\":{role},\"id\":\"m\"}}]"),
            &[message("m", Bucket::TextMessage)],
        );
    }
}

#[test]
fn tool_calls_are_those_of_an_assistant_message() {
    let calls =
        r#""toolCalls":[{"id":"c"},{"id":2},null,{"function":{}},"x",{"id":"d"},{"id":"c"}]"#;
    messages_are(
        &format!("[{{\"id\":\"m\",\"role\":\"assistant\",{calls}}}]"),
        &[Message {
            tool_calls: vec!["c".into(), "d".into(), "c".into()],
            ..message("m", Bucket::TextMessage)
        }],
    );
    for (role, bucket) in [
        ("\"user\"", Bucket::TextMessage),
        ("\"tool\"", Bucket::TextMessage),
        ("\"reasoning\"", Bucket::Reasoning),
        ("\"activity\"", Bucket::Activity),
        ("\"Assistant\"", Bucket::TextMessage),
        ("[\"assistant\"]", Bucket::TextMessage),
        ("null", Bucket::TextMessage),
    ] {
        messages_are(
            &format!("[{{\"id\":\"m\",\"role\":{role},{calls}}}]"),
            &[message("m", bucket)],
        );
    }
    messages_are(&format!("[{{\"id\":\"m\",{calls}}}]"), &[message("m", Bucket::TextMessage)]);
    for no_list in ["null", "{\"id\":\"c\"}", "\"c\"", "[]", "3"] {
        messages_are(
            &format!("[{{\"id\":\"m\",\"role\":\"assistant\",\"toolCalls\":{no_list}}}]"),
            &[message("m", Bucket::TextMessage)],
        );
    }
}

#[test]
fn a_message_has_a_tag_where_it_is_a_string() {
    messages_are(
        r#"[{"id":"m","subagentRunId":"s"}]"#,
        &[Message { tag: Some("s".into()), ..message("m", Bucket::TextMessage) }],
    );
    for tag in NO_STRINGS {
        messages_are(
            &format!("[{{\"id\":\"m\",\"subagentRunId\":{tag}}}]"),
            &[message("m", Bucket::TextMessage)],
        );
    }
}

#[test]
fn a_run_echoes_its_input_where_it_is_an_object() {
    let text = r#"{"type":"RUN_STARTED","runId":"r","input":{"runId":"q","threadId":7,
        "messages":[{"id":"u","role":"user"}],"resume":[{"interruptId":"i"}]}}"#;
    body_is(
        text,
        &Body::RunStarted {
            run_id: Some("r".into()),
            input: Some(RunInput {
                run_id: Some("q".into()),
                messages: vec![message("u", Bucket::TextMessage)],
                resumes: true,
            }),
        },
    );
    body_is(
        &text_of("RUN_STARTED", &[("input", "{}")]),
        &Body::RunStarted { run_id: None, input: Some(RunInput::default()) },
    );
    let no_objects = ["null", "0", "true", "[]", "[{}]", "\"{}\""];
    for value in no_objects {
        body_is(
            &text_of("RUN_STARTED", &[("input", value), ("runId", "\"r\"")]),
            &Body::RunStarted { run_id: Some("r".into()), input: None },
        );
        let (json, _) = json::read(value.as_bytes()).unwrap();
        assert_eq!(RunInput::from_json(&json), None);
    }
    // The run's id in the input is not that of the event.
    for value in NO_STRINGS {
        let input = format!("{{\"runId\":{value}}}");
        body_is(
            &text_of("RUN_STARTED", &[("input", &input)]),
            &Body::RunStarted { run_id: None, input: Some(RunInput::default()) },
        );
    }
}

#[test]
fn a_run_resumes_where_resume_is_an_array_with_items() {
    for (resume, resumes) in [
        ("[{}]", true),
        ("[null]", true),
        ("[[],1]", true),
        ("[]", false),
        ("null", false),
        ("{}", false),
        ("{\"interruptId\":\"i\"}", false),
        ("\"yes\"", false),
        ("true", false),
        ("1", false),
    ] {
        let input = format!("{{\"resume\":{resume}}}");
        body_is(
            &text_of("RUN_STARTED", &[("input", &input)]),
            &Body::RunStarted {
                run_id: None,
                input: Some(RunInput { resumes, ..RunInput::default() }),
            },
        );
    }
}

// ---------------------------------------------------------------- other types

#[test]
fn retired_and_unknown_types_are_not_tracked() {
    let members = [("messageId", "\"m\""), ("toolCallId", "\"c\""), ("subagentRunId", "\"s\"")];
    for retired in RETIRED {
        with_event(&text_of(retired, &members), |event| {
            assert_eq!(event.type_name, TypeName::Retired(retired));
            assert_eq!(event.type_name.as_str(), *retired);
            assert_eq!((&event.tag, &event.body), (&None, &Body::Untracked));
            assert_eq!(event.event_type(), None);
        });
    }
    for unknown in [
        "",
        "TEXT_MESSAGE",
        "raw",
        "RAW ",
        "TextMessageStart",
        "THINKING",
        "THINKING_END2",
        "RUN_STARTED2",
    ] {
        with_event(&text_of(unknown, &members), |event| {
            assert_eq!(event.type_name, TypeName::Unknown(unknown.into()));
            assert_eq!(event.type_name.as_str(), unknown);
            assert_eq!((&event.tag, &event.body), (&None, &Body::Untracked));
            assert_eq!(event.event_type(), None);
        });
    }
    assert_eq!(RETIRED.len(), 5);
    assert!(RETIRED.iter().all(|name| name.starts_with("THINKING_")));
}

#[test]
fn an_event_without_a_type_that_is_a_string_has_none() {
    let mut texts: Vec<_> =
        NO_STRINGS.iter().map(|v| format!("{{\"type\":{v},\"subagentRunId\":\"s\"}}")).collect();
    // No object, however much it looks like an event.
    texts.extend(
        ["{}", "{\"Type\":\"RAW\"}", "[]", "[{\"type\":\"RAW\"}]", "\"RAW\"", "null", "1", "true"]
            .map(str::to_owned),
    );
    for text in texts {
        let decoded = decode(text.as_bytes()).unwrap();
        let expected = Event { type_name: TypeName::Missing, tag: None, body: Body::Untracked };
        assert_eq!(decoded.event, expected, "{text}");
        assert_eq!(decoded.event.type_name.as_str(), "");
        assert_eq!(decoded.event.event_type(), None);
    }
}

#[test]
fn what_is_no_json_is_no_event() {
    for text in ["", "RAW", "{\"type\":\"RAW\"", "{type:\"RAW\"}"] {
        let error = decode(text.as_bytes()).unwrap_err();
        assert_eq!(error, json::read(text.as_bytes()).unwrap_err());
    }
}

// ---------------------------------------------------------------- reading on

#[test]
fn of_a_repeated_member_the_last_wins() {
    let content = |id: &'static str| Body::Content { item: Item::TextMessage, id: id.into() };
    let text = |members: &[(&str, &str)]| text_of("TEXT_MESSAGE_CONTENT", members);
    let (id, tag) = ("messageId", "subagentRunId");
    body_is(&text(&[(id, "\"a\""), (id, "\"b\"")]), &content("b"));
    body_is(&text(&[(id, "null"), (id, "\"b\"")]), &content("b"));
    body_is(&text(&[(id, "\"a\""), (id, "null")]), &Body::Hidden);
    body_is(&text(&[(id, "\"a\""), ("messag\\u0065Id", "\"b\"")]), &content("b"));
    body_is(&text(&[(id, "\"a\""), ("type", "\"RAW\"")]), &Body::Raw);
    let tag_of = |members: &[(&str, &str)], expected: Option<&str>| {
        with_event(&text(members), |event| assert_eq!(event.tag.as_deref(), expected));
    };
    tag_of(&[(tag, "\"s\""), (tag, "\"t\"")], Some("t"));
    tag_of(&[(tag, "\"s\""), (tag, "null")], None);
    messages_are(
        r#"[{"id":"z","id":"m","role":"user","role":"assistant",
             "toolCalls":[{"id":"c"}],"toolCalls":[{"id":"d","id":"e"}]}]"#,
        &[Message { tool_calls: vec!["e".into()], ..message("m", Bucket::TextMessage) }],
    );
    let twice = r#"{"type":"RAW","type":"CUSTOM"}"#;
    let decoded = decode(twice.as_bytes()).unwrap();
    assert_eq!(decoded.event.body, Body::Custom);
    let flaws: Vec<_> = decoded.flaws.iter().map(|flaw| (flaw.kind, flaw.offset)).collect();
    assert_eq!(flaws, [(FlawKind::DuplicateMember, 14)]);
}

#[test]
fn flaws_hide_nothing() {
    let deep = format!("{}{}", "[".repeat(300), "]".repeat(300));
    let text = format!(
        "\u{feff}{{\"type\":\"TOOL_CALL_ARGS\",\"delta\":\"\\ud800\u{1}\",\"x\":{deep},\
         \"toolCallId\":\"c\"}} trailing"
    );
    let decoded = decode(text.as_bytes()).unwrap();
    assert_eq!(decoded.event.body, Body::Content { item: Item::ToolCall, id: "c".into() });
    let kinds: Vec<_> = decoded.flaws.iter().map(|flaw| flaw.kind).collect();
    assert_eq!(
        kinds,
        [
            FlawKind::ByteOrderMark,
            FlawKind::LoneSurrogate,
            FlawKind::RawControl,
            FlawKind::TooDeep,
            FlawKind::TrailingData
        ]
    );
}

#[test]
fn an_id_that_is_too_deep_is_no_string() {
    // An event that stands deep inside something else: what is too deep in it is hidden.
    let text = format!(
        "{}{{\"type\":\"MESSAGES_SNAPSHOT\",\"messages\":[{{\"id\":\"m\"}}]}}{}",
        "[".repeat(127),
        "]".repeat(127)
    );
    let (json, _) = json::read(text.as_bytes()).unwrap();
    let event = Event::from_json(json.at(&"/0".repeat(127)).unwrap());
    assert_eq!(event.body, Body::MessagesSnapshot { messages: vec![] });
}

/// Members that the protocol has somewhere, and some that it has nowhere.
const MEMBERS: &[&str] = &[
    "type",
    "timestamp",
    "rawEvent",
    "messageId",
    "toolCallId",
    "toolCallName",
    "parentMessageId",
    "parentSubagentRunId",
    "subagentRunId",
    "subagentName",
    "role",
    "name",
    "delta",
    "content",
    "runId",
    "parentRunId",
    "threadId",
    "input",
    "messages",
    "resume",
    "snapshot",
    "patch",
    "replace",
    "activityType",
    "stepName",
    "entityId",
    "encryptedValue",
    "subtype",
    "result",
    "outcome",
    "message",
    "code",
    "value",
    "event",
    "source",
    "id",
    "toolCalls",
    "",
    "x",
    "Type",
];

/// Values and flawed texts of values.
fn garbage() -> impl Strategy<Value = String> {
    let texts = vec![
        "null",
        "true",
        "false",
        "-0",
        "1e999",
        "\"\"",
        "\"x\"",
        "\"message\"",
        "\"\\ud800\"",
        "\"\u{1}\u{0}\"",
        "[]",
        "[null]",
        "{}",
        "{\"id\":\"x\"}",
        "[{\"id\":\"x\",\"role\":\"assistant\",\"toolCalls\":[{\"id\":\"c\"}]}]",
        "{\"type\":\"RAW\",\"messageId\":\"y\",\"messages\":[{\"id\":\"x\"}],\"resume\":[1]}",
        "{\"a\":1,\"a\":2}",
    ];
    prop_oneof![
        8 => select(texts).prop_map(str::to_owned),
        1 => (100_usize..400).prop_map(|n| format!("{}{}", "[".repeat(n), "]".repeat(n))),
        1 => any::<i64>().prop_map(|n| n.to_string()),
    ]
}

/// A value for what the rules read, so that the body says whether it was read.
fn good(member: &str) -> &'static str {
    match member {
        "messages" => {
            r#"[{"id":"m1","role":"assistant","toolCalls":[{"id":"c1"}],"subagentRunId":"s1"},
                {"id":"m2","role":"activity"}]"#
        }
        "input" => r#"{"runId":"r","messages":[{"id":"m3"}],"resume":[{}]}"#,
        "replace" => "false",
        "subtype" => "\"tool-call\"",
        "role" => "\"user\"",
        _ => "\"good\"",
    }
}

fn pieces() -> impl Strategy<Value = Vec<(prop::sample::Index, &'static str, String)>> {
    let piece = (any::<prop::sample::Index>(), select(MEMBERS), garbage());
    prop::collection::vec(piece, 0..8)
}

/// `kept` with garbage at other names woven in, once each or more often.
fn woven(
    kept: &[(&str, String)],
    pieces: &[(prop::sample::Index, &'static str, String)],
    reads: &[&str],
) -> String {
    let mut members: Vec<(&str, &str)> = kept.iter().map(|(n, v)| (*n, v.as_str())).collect();
    for (index, name, value) in pieces {
        if !reads.contains(name) {
            members.insert(index.index(members.len() + 1), (name, value));
        }
    }
    let members: Vec<_> = members.iter().map(|(n, v)| format!("\"{n}\":{v}")).collect();
    format!("{{{}}}", members.join(","))
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 5_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_fault_elsewhere_hides_nothing(
        event_type in select(EventType::ALL),
        pieces in pieces(),
        inner in pieces(),
        present in prop::collection::vec(any::<bool>(), 16),
    ) {
        let row = row(event_type);
        let mut reads = vec!["type"];
        reads.extend(row.id);
        if row.tagged {
            reads.push("subagentRunId");
        }
        reads.extend(row.reads);
        // What is read may be there or not: what is not there is not had from elsewhere.
        let mut kept = vec![("type", format!("\"{}\"", row.name))];
        for (name, _) in reads[1..].iter().zip(&present).filter(|(_, present)| **present) {
            kept.push((name, good(name).to_owned()));
        }
        let plain = woven(&kept, &[], &[]);
        let text = woven(&kept, &pieces, &reads);
        let expected = decode(plain.as_bytes()).unwrap();
        let decoded = decode(text.as_bytes()).unwrap();
        prop_assert_eq!(&decoded.event, &expected.event);

        // The same inside of a message, an input and a tool call.
        let call = woven(&[("id", "\"c\"".to_owned())], &inner, &["id"]);
        let message = |call: &str, pieces: &[_]| {
            let members = [
                ("id", "\"m\"".to_owned()),
                ("role", "\"assistant\"".to_owned()),
                ("toolCalls", format!("[null,{call}]")),
                ("subagentRunId", "\"s\"".to_owned()),
            ];
            woven(&members, pieces, &["id", "role", "toolCalls", "subagentRunId"])
        };
        let input = |message: &str, pieces: &[_]| {
            let members = [("messages", format!("[7,{message}]")), ("runId", "\"r\"".to_owned())];
            woven(&members, pieces, &["messages", "runId", "resume"])
        };
        let text = input(&message(&call, &inner), &pieces);
        let (json, _) = json::read(text.as_bytes()).unwrap();
        let expected = RunInput {
            run_id: Some("r".into()),
            messages: vec![Message {
                id: "m".into(),
                bucket: Bucket::TextMessage,
                tag: Some("s".into()),
                tool_calls: vec!["c".into()],
            }],
            resumes: false,
        };
        prop_assert_eq!(RunInput::from_json(&json), Some(expected));
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        let whole = decode(&bytes);
        prop_assert_eq!(whole.is_ok(), json::read(&bytes).is_ok());
        let member = [b"{\"type\":\"RAW\",\"x\":\"", &*bytes, b"\"}"].concat();
        drop(decode(&member));
    }

    #[test]
    fn any_id_is_kept_to_the_letter(id in any::<String>(), tag in any::<String>()) {
        let value = serde_json::json!({
            "type": "TEXT_MESSAGE_END", "messageId": id, "subagentRunId": tag,
        });
        let text = value.to_string();
        let decoded = decode(text.as_bytes()).unwrap();
        prop_assert_eq!(decoded.event.tag.as_deref(), Some(&*tag));
        let expected = Body::End { item: Item::TextMessage, id: id.into() };
        prop_assert_eq!(decoded.event.body, expected);
    }
}

// ---------------------------------------------------------------- borrowing

/// Every text of a body.
fn texts<'e, 'a>(event: &'e Event<'a>) -> Vec<&'e Cow<'a, str>> {
    let mut texts: Vec<_> = event.tag.iter().collect();
    if let TypeName::Unknown(name) = &event.type_name {
        texts.push(name);
    }
    match &event.body {
        Body::RunStarted { run_id, input } => {
            texts.extend(run_id);
            if let Some(input) = input {
                texts.extend(&input.run_id);
                texts.extend(input.messages.iter().flat_map(message_texts));
            }
        }
        Body::MessagesSnapshot { messages } => {
            texts.extend(messages.iter().flat_map(message_texts));
        }
        Body::Start { id, parent_message: other, .. }
        | Body::ToolResult { call: id, message: other }
        | Body::SubagentStarted { id, parent: other } => {
            texts.push(id);
            texts.extend(other);
        }
        Body::Content { id, .. }
        | Body::End { id, .. }
        | Body::EncryptedValue { id, .. }
        | Body::StepStarted { name: id }
        | Body::StepFinished { name: id }
        | Body::ActivitySnapshot { id, .. }
        | Body::ActivityDelta { id }
        | Body::SubagentEnded { id } => texts.push(id),
        Body::Chunk(chunk) => {
            let Chunk { id, role, name, tool_name, parent_message, .. } = chunk;
            texts.extend([id, role, name, tool_name, parent_message].into_iter().flatten());
        }
        _ => {}
    }
    texts
}

fn message_texts<'e, 'a>(message: &'e Message<'a>) -> Vec<&'e Cow<'a, str>> {
    let mut texts = vec![&message.id];
    texts.extend(&message.tag);
    texts.extend(&message.tool_calls);
    texts
}

#[test]
fn what_has_no_escapes_is_borrowed() {
    let mut seen = 0;
    for (_, row) in rows() {
        let mut members = vec![("subagentRunId", "\"s é\"")];
        members.extend(row.id.map(|id| (id, "\"\u{7f} x\"")));
        members.extend(row.reads.iter().map(|name| (*name, good(name))));
        let text = text_of(row.name, &members);
        with_event(&text, |event| {
            for text in texts(event) {
                assert!(matches!(text, Cow::Borrowed(_)), "{} {text}", row.name);
                seen += 1;
            }
        });
    }
    assert!(seen > 60, "{seen} texts seen");
    with_event("{\"type\":\"MY_EVENT\"}", |event| {
        assert!(matches!(event.type_name, TypeName::Unknown(Cow::Borrowed("MY_EVENT"))));
    });
}

#[test]
fn what_has_escapes_is_equal_to_what_has_none() {
    let escaped = r#"{"\u0074ype":"TEXT\u005fMESSAGE_END","messageId":"\u006d1"}"#;
    let plain = r#"{"type":"TEXT_MESSAGE_END","messageId":"m1"}"#;
    let (escaped, plain) = (decode(escaped.as_bytes()).unwrap(), decode(plain.as_bytes()).unwrap());
    assert_eq!(escaped.event, plain.event);
    assert!(texts(&escaped.event).iter().all(|text| matches!(text, Cow::Owned(_))));
    with_event(r#"{"type":"MY\/EVENT"}"#, |event| {
        assert_eq!(event.type_name, TypeName::Unknown("MY/EVENT".into()));
    });
}

#[test]
fn an_owned_input_is_equal_and_outlives_its_text() {
    let text = r#"{"runId":"r","resume":[1],"messages":[
        {"id":"m\u0031","role":"assistant","subagentRunId":"s","toolCalls":[{"id":"c"},{"id":"d"}]},
        {"id":"n","role":"reasoning"},{"id":"o","role":"activity","subagentRunId":"t"}]}"#;
    let owned: RunInput<'static> = {
        let copy = text.to_owned();
        let (json, _) = json::read(copy.as_bytes()).unwrap();
        RunInput::from_json(&json).unwrap().into_owned()
    };
    let (json, _) = json::read(text.as_bytes()).unwrap();
    let borrowed = RunInput::from_json(&json).unwrap();
    assert_eq!(owned, borrowed);
    assert!(owned.resumes);
    assert_eq!(owned.messages[0].tool_calls, ["c", "d"]);
    assert_eq!(owned.messages[2].tag.as_deref(), Some("t"));
    for (owned, borrowed) in owned.messages.iter().zip(&borrowed.messages) {
        assert!(message_texts(owned).iter().all(|text| matches!(text, Cow::Owned(_))));
        assert_eq!(&borrowed.clone().into_owned(), owned);
    }
    assert_eq!(RunInput::default().into_owned(), RunInput::default());
}
