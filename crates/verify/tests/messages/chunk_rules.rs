//! The requirements on the chunked form.

use crate::row::Scope::Stream;
use crate::row::Static;

pub(crate) const ROWS: &[Static] = &[
    (
        "chunk/first-carries-id",
        Stream,
        "with nothing to continue",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"TEXT_MESSAGE_CHUNK","delta":"hello"}"#,
    ),
    (
        "chunk/first-carries-id",
        Stream,
        "after a note closed what it would continue",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"hello"}
        {"type":"CUSTOM","name":"note","value":1}
        {"type":"TEXT_MESSAGE_CHUNK","delta":"hello"}"#,
    ),
    (
        "chunk/first-carries-id",
        Stream,
        "with a stream of another kind open",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"hello"}
        {"type":"REASONING_MESSAGE_CHUNK","delta":"hm"}"#,
    ),
    (
        "chunk/first-carries-id",
        Stream,
        "in a lane that has none, beside one that has",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"TOOL_CALL_CHUNK","toolCallId":"c1","toolCallName":"search","subagentRunId":"a"}
        {"type":"TOOL_CALL_CHUNK","delta":"{}","subagentRunId":"b"}"#,
    ),
    (
        "chunk/first-carries-id",
        Stream,
        "with an id and no name",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"TOOL_CALL_CHUNK","toolCallId":"c1","delta":"{}"}"#,
    ),
    (
        "chunk/repeat-agrees",
        Stream,
        "with another role",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","role":"user","delta":"hello"}
        {"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","role":"assistant","delta":"hello"}"#,
    ),
    (
        "chunk/repeat-agrees",
        Stream,
        "with a role, after one that is assistant by default",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"hello"}
        {"type":"TEXT_MESSAGE_CHUNK","role":"user","delta":"hello"}"#,
    ),
    (
        "chunk/repeat-agrees",
        Stream,
        "with another name",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","name":"quay","delta":"hello"}
        {"type":"TEXT_MESSAGE_CHUNK","name":"pier","delta":"hello"}"#,
    ),
    (
        "chunk/repeat-agrees",
        Stream,
        "with another tool's name",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"TOOL_CALL_CHUNK","toolCallId":"c1","toolCallName":"search"}
        {"type":"TOOL_CALL_CHUNK","toolCallId":"c1","toolCallName":"fetch"}"#,
    ),
    (
        "chunk/repeat-agrees",
        Stream,
        "with a parent message, after one without",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"TOOL_CALL_CHUNK","toolCallId":"c1","toolCallName":"search","subagentRunId":"a"}
        {"type":"TOOL_CALL_CHUNK","parentMessageId":"m1","subagentRunId":"a"}"#,
    ),
    (
        "chunk/forms-do-not-mix",
        Stream,
        "of a message that chunks stream",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"hello"}
        {"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"hello"}"#,
    ),
    (
        "chunk/forms-do-not-mix",
        Stream,
        "of a message that chunks stream",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"hello","subagentRunId":"a"}
        {"type":"TEXT_MESSAGE_END","messageId":"m1"}"#,
    ),
    (
        "chunk/forms-do-not-mix",
        Stream,
        "with the id of a message that a start opened",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"TEXT_MESSAGE_START","messageId":"m1"}
        {"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"hello"}"#,
    ),
    (
        "chunk/forms-do-not-mix",
        Stream,
        "of a message that chunks stream",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"REASONING_MESSAGE_CHUNK","messageId":"g1","delta":"hm"}
        {"type":"REASONING_MESSAGE_CONTENT","messageId":"g1","delta":"hm"}"#,
    ),
    (
        "chunk/forms-do-not-mix",
        Stream,
        "of a message that chunks stream",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"REASONING_MESSAGE_CHUNK","messageId":"g1","delta":"hm"}
        {"type":"REASONING_MESSAGE_END","messageId":"g1"}"#,
    ),
    (
        "chunk/forms-do-not-mix",
        Stream,
        "with the id of a message that a start opened",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"REASONING_MESSAGE_START","messageId":"g1"}
        {"type":"REASONING_MESSAGE_CHUNK","messageId":"g1","delta":"hm"}"#,
    ),
    (
        "chunk/forms-do-not-mix",
        Stream,
        "of a call that chunks stream",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"TOOL_CALL_CHUNK","toolCallId":"c1","toolCallName":"search"}
        {"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{}"}"#,
    ),
    (
        "chunk/forms-do-not-mix",
        Stream,
        "of a call that chunks stream",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"TOOL_CALL_CHUNK","toolCallId":"c1","toolCallName":"search"}
        {"type":"TOOL_CALL_END","toolCallId":"c1"}"#,
    ),
    (
        "chunk/forms-do-not-mix",
        Stream,
        "with the id of a call that a start opened",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"search"}
        {"type":"TOOL_CALL_CHUNK","toolCallId":"c1","delta":"{}"}"#,
    ),
    (
        "chunk/unambiguous-lane",
        Stream,
        "where two subagents stream a message",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"hello","subagentRunId":"a"}
        {"type":"TEXT_MESSAGE_CHUNK","messageId":"m2","delta":"hello","subagentRunId":"b"}
        {"type":"TEXT_MESSAGE_CHUNK","delta":"hello"}"#,
    ),
    (
        "chunk/unambiguous-lane",
        Stream,
        "where three subagents stream one, and the parent agent another kind",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"REASONING_MESSAGE_CHUNK","messageId":"g1","delta":"hm","subagentRunId":"a"}
        {"type":"REASONING_MESSAGE_CHUNK","messageId":"g2","delta":"hm","subagentRunId":"b"}
        {"type":"REASONING_MESSAGE_CHUNK","messageId":"g3","delta":"hm","subagentRunId":"c"}
        {"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"hello"}
        {"type":"REASONING_MESSAGE_CHUNK","delta":"hm"}"#,
    ),
    (
        "chunk/unambiguous-lane",
        Stream,
        "where two subagents stream a call",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"TOOL_CALL_CHUNK","toolCallId":"c1","toolCallName":"search","subagentRunId":"a"}
        {"type":"TOOL_CALL_CHUNK","toolCallId":"c2","toolCallName":"search","subagentRunId":"b"}
        {"type":"TOOL_CALL_CHUNK","delta":"{}"}"#,
    ),
    (
        "chunk/ends-with-its-owner",
        Stream,
        "after its subagent finished",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"SUBAGENT_STARTED","subagentRunId":"a","name":"scout"}
        {"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"hello","subagentRunId":"a"}
        {"type":"SUBAGENT_FINISHED","subagentRunId":"a"}
        {"type":"TEXT_MESSAGE_CHUNK","delta":"hello","subagentRunId":"a"}"#,
    ),
    (
        "chunk/ends-with-its-owner",
        Stream,
        "after its subagent failed",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"SUBAGENT_STARTED","subagentRunId":"a","name":"scout"}
        {"type":"REASONING_MESSAGE_CHUNK","messageId":"g1","delta":"hm","subagentRunId":"a"}
        {"type":"SUBAGENT_ERROR","subagentRunId":"a","message":"lost"}
        {"type":"REASONING_MESSAGE_CHUNK","delta":"hm"}"#,
    ),
    (
        "chunk/ends-with-its-owner",
        Stream,
        "after a snapshot of all messages",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"TOOL_CALL_CHUNK","toolCallId":"c1","toolCallName":"search"}
        {"type":"MESSAGES_SNAPSHOT","messages":[]}
        {"type":"TOOL_CALL_CHUNK","delta":"{}"}"#,
    ),
    (
        "chunk/ends-with-its-owner",
        Stream,
        "after its run finished",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"hello"}
        {"type":"RUN_FINISHED","runId":"r1"}
        {"type":"RUN_STARTED","runId":"r2"}
        {"type":"TEXT_MESSAGE_CHUNK","delta":"hello"}"#,
    ),
    (
        "chunk/ends-with-its-owner",
        Stream,
        "after its run failed",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"hello","subagentRunId":"a"}
        {"type":"RUN_ERROR","message":"lost"}
        {"type":"RUN_STARTED","runId":"r2"}
        {"type":"TEXT_MESSAGE_CHUNK","delta":"hello","subagentRunId":"a"}"#,
    ),
];
