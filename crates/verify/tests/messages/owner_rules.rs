//! What is refused for its owner.

use crate::row::Scope::{Run, Stream};
use crate::row::Static;

pub(crate) const ROWS: &[Static] = &[
    (
        "owner-mismatch",
        Run,
        "that opens a sibling's message again",
        r#"
        {"type":"TEXT_MESSAGE_START","messageId":"m1","subagentRunId":"a"}
        {"type":"TEXT_MESSAGE_END","messageId":"m1"}
        {"type":"TEXT_MESSAGE_START","messageId":"m1","subagentRunId":"b"}"#,
    ),
    (
        "owner-mismatch",
        Run,
        "of a message that a sibling opened",
        r#"
        {"type":"TEXT_MESSAGE_START","messageId":"m1","subagentRunId":"a"}
        {"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"hello","subagentRunId":"b"}"#,
    ),
    (
        "owner-mismatch",
        Run,
        "of a message that a snapshot gave to the parent agent",
        r#"
        {"type":"TEXT_MESSAGE_START","messageId":"m1","subagentRunId":"a"}
        {"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m1","role":"assistant"}]}
        {"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"hello","subagentRunId":"a"}"#,
    ),
    (
        "owner-mismatch",
        Run,
        "of a message that the parent agent opened",
        r#"
        {"type":"TEXT_MESSAGE_START","messageId":"m1"}
        {"type":"TEXT_MESSAGE_END","messageId":"m1","subagentRunId":"a"}"#,
    ),
    (
        "owner-mismatch",
        Run,
        "with the id of a sibling's message",
        r#"
        {"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"hello","subagentRunId":"a"}
        {"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"hello","subagentRunId":"b"}"#,
    ),
    (
        "owner-mismatch",
        Run,
        "round a sibling's reasoning message",
        r#"
        {"type":"REASONING_MESSAGE_START","messageId":"g1","subagentRunId":"a"}
        {"type":"REASONING_START","messageId":"g1","subagentRunId":"b"}"#,
    ),
    (
        "owner-mismatch",
        Run,
        "of a span that a sibling opened",
        r#"
        {"type":"REASONING_START","messageId":"g1","subagentRunId":"a"}
        {"type":"REASONING_END","messageId":"g1","subagentRunId":"b"}"#,
    ),
    (
        "owner-mismatch",
        Run,
        "in a sibling's span",
        r#"
        {"type":"REASONING_START","messageId":"g1","subagentRunId":"a"}
        {"type":"REASONING_MESSAGE_START","messageId":"g1","subagentRunId":"b"}"#,
    ),
    (
        "owner-mismatch",
        Run,
        "of a message that a sibling opened",
        r#"
        {"type":"REASONING_MESSAGE_START","messageId":"g1","subagentRunId":"a"}
        {"type":"REASONING_MESSAGE_CONTENT","messageId":"g1","delta":"hm","subagentRunId":"b"}"#,
    ),
    (
        "owner-mismatch",
        Run,
        "of a message that the parent agent opened",
        r#"
        {"type":"REASONING_MESSAGE_START","messageId":"g1"}
        {"type":"REASONING_MESSAGE_END","messageId":"g1","subagentRunId":"b"}"#,
    ),
    (
        "owner-mismatch",
        Run,
        "with the id of a sibling's message",
        r#"
        {"type":"REASONING_MESSAGE_CHUNK","messageId":"g1","delta":"hm","subagentRunId":"a"}
        {"type":"REASONING_MESSAGE_CHUNK","messageId":"g1","delta":"hm","subagentRunId":"b"}"#,
    ),
    (
        "owner-mismatch",
        Run,
        "that opens a sibling's call again",
        r#"
        {"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"search","subagentRunId":"a"}
        {"type":"TOOL_CALL_END","toolCallId":"c1"}
        {"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"search","subagentRunId":"b"}"#,
    ),
    (
        "owner-mismatch",
        Run,
        "under a sibling's message",
        r#"
        {"type":"TEXT_MESSAGE_START","messageId":"m1","subagentRunId":"a"}
        {"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"search","parentMessageId":"m1","subagentRunId":"b"}"#,
    ),
    (
        "owner-mismatch",
        Run,
        "without a tag that opens a call again under a sibling's message",
        r#"
        {"type":"TEXT_MESSAGE_START","messageId":"m1","subagentRunId":"a"}
        {"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"search","subagentRunId":"b"}
        {"type":"TOOL_CALL_END","toolCallId":"c1"}
        {"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"search","parentMessageId":"m1"}"#,
    ),
    (
        "owner-mismatch",
        Run,
        "of a call that a sibling opened",
        r#"
        {"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"search","subagentRunId":"a"}
        {"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{}","subagentRunId":"b"}"#,
    ),
    (
        "owner-mismatch",
        Run,
        "of a call that its parent message gives to a sibling",
        r#"
        {"type":"TEXT_MESSAGE_START","messageId":"m1","subagentRunId":"a"}
        {"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"search","parentMessageId":"m1"}
        {"type":"TOOL_CALL_END","toolCallId":"c1","subagentRunId":"b"}"#,
    ),
    (
        "owner-mismatch",
        Run,
        "with the id of a sibling's call",
        r#"
        {"type":"TOOL_CALL_CHUNK","toolCallId":"c1","toolCallName":"search","subagentRunId":"a"}
        {"type":"TOOL_CALL_CHUNK","toolCallId":"c1","toolCallName":"search","subagentRunId":"b"}"#,
    ),
    (
        "owner-mismatch",
        Run,
        "under the parent agent's message",
        r#"
        {"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"hello"}
        {"type":"TOOL_CALL_CHUNK","toolCallId":"c1","parentMessageId":"m1","subagentRunId":"b"}"#,
    ),
    (
        "owner-mismatch",
        Run,
        "for a sibling's call",
        r#"
        {"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"search","subagentRunId":"a"}
        {"type":"REASONING_ENCRYPTED_VALUE","subtype":"tool-call","entityId":"c1","encryptedValue":"x","subagentRunId":"b"}"#,
    ),
    (
        "owner-mismatch",
        Run,
        "for a sibling's text message",
        r#"
        {"type":"TEXT_MESSAGE_START","messageId":"m1","subagentRunId":"a"}
        {"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"m1","encryptedValue":"x","subagentRunId":"b"}"#,
    ),
    (
        "owner-mismatch",
        Run,
        "for a sibling's reasoning",
        r#"
        {"type":"REASONING_START","messageId":"g1","subagentRunId":"a"}
        {"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"g1","encryptedValue":"x","subagentRunId":"b"}"#,
    ),
    (
        "owner-mismatch",
        Run,
        "of a sibling's activity",
        r#"
        {"type":"ACTIVITY_SNAPSHOT","messageId":"v1","activityType":"PLAN","content":{},"subagentRunId":"a"}
        {"type":"ACTIVITY_DELTA","messageId":"v1","activityType":"PLAN","patch":[],"subagentRunId":"b"}"#,
    ),
    (
        "owner-mismatch",
        Stream,
        "that opens a message that another lane streams",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"hello","subagentRunId":"a"}
        {"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"hello","subagentRunId":"b"}"#,
    ),
    (
        "owner-mismatch",
        Stream,
        "that opens a message that the parent agent's lane streams",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"REASONING_MESSAGE_CHUNK","messageId":"g1","delta":"hm"}
        {"type":"REASONING_MESSAGE_CHUNK","messageId":"g1","delta":"hm","subagentRunId":"b"}"#,
    ),
    (
        "owner-mismatch",
        Stream,
        "that opens a sibling's call again",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"TOOL_CALL_CHUNK","toolCallId":"c1","toolCallName":"search","subagentRunId":"a"}
        {"type":"CUSTOM","name":"note","value":1,"subagentRunId":"a"}
        {"type":"TOOL_CALL_CHUNK","toolCallId":"c1","toolCallName":"search","subagentRunId":"b"}"#,
    ),
    (
        "owner-mismatch",
        Stream,
        "under a sibling's message",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"hello","subagentRunId":"a"}
        {"type":"TOOL_CALL_CHUNK","toolCallId":"c1","toolCallName":"search","parentMessageId":"m1","subagentRunId":"b"}"#,
    ),
];
