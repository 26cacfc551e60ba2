//! What the stream scope refuses otherwise than a run does, and its beginning and end.

use crate::row::Scope::{Stream, Warning};
use crate::row::Static;

pub(crate) const ROWS: &[Static] = &[
    (
        "duplicate-run-started",
        Stream,
        "while the run is active",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"RUN_STARTED","runId":"r2"}"#,
    ),
    (
        "duplicate-run-started",
        Stream,
        "while the second run is active",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"RUN_FINISHED","runId":"r1"}
        {"type":"RUN_STARTED","runId":"r2"}
        {"type":"STEP_STARTED","stepName":"plan"}
        {"type":"RUN_STARTED","runId":"r2"}"#,
    ),
    (
        "duplicate-start",
        Stream,
        "tagged with the owner, of a message that the parent agent's lane streams",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"TEXT_MESSAGE_START","messageId":"m1","subagentRunId":"a"}
        {"type":"TEXT_MESSAGE_END","messageId":"m1"}
        {"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"hello"}
        {"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"hello","subagentRunId":"a"}"#,
    ),
    (
        "duplicate-start",
        Stream,
        "tagged with the owner, of a message that the parent agent's lane streams",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"MESSAGES_SNAPSHOT","messages":[{"id":"g1","role":"reasoning","subagentRunId":"a"}]}
        {"type":"REASONING_MESSAGE_CHUNK","messageId":"g1","delta":"hm"}
        {"type":"REASONING_MESSAGE_CHUNK","messageId":"g1","delta":"hm","subagentRunId":"a"}"#,
    ),
    (
        "duplicate-start",
        Stream,
        "tagged with the owner, of a call that the parent agent's lane streams",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"search","subagentRunId":"a"}
        {"type":"TOOL_CALL_END","toolCallId":"c1"}
        {"type":"TOOL_CALL_CHUNK","toolCallId":"c1","toolCallName":"search"}
        {"type":"TOOL_CALL_CHUNK","toolCallId":"c1","toolCallName":"search","subagentRunId":"a"}"#,
    ),
    (
        "not-open",
        Stream,
        "of a message whose chunks another message ended",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"hello"}
        {"type":"TEXT_MESSAGE_CHUNK","messageId":"m2","delta":"hello"}
        {"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"hello"}"#,
    ),
    (
        "not-open",
        Stream,
        "of a message that an earlier run opened",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"TEXT_MESSAGE_START","messageId":"m1"}
        {"type":"RUN_ERROR","message":"lost"}
        {"type":"RUN_STARTED","runId":"r2"}
        {"type":"TEXT_MESSAGE_END","messageId":"m1"}"#,
    ),
    (
        "not-open",
        Stream,
        "of a message whose chunks a step ended",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"REASONING_MESSAGE_CHUNK","messageId":"g1","delta":"hm"}
        {"type":"STEP_STARTED","stepName":"plan"}
        {"type":"REASONING_MESSAGE_END","messageId":"g1"}"#,
    ),
    (
        "not-open",
        Stream,
        "of a call whose chunks its subagent's end ended",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"SUBAGENT_STARTED","subagentRunId":"a","name":"scout"}
        {"type":"TOOL_CALL_CHUNK","toolCallId":"c1","toolCallName":"search","subagentRunId":"a"}
        {"type":"SUBAGENT_FINISHED","subagentRunId":"a"}
        {"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{}"}"#,
    ),
    (
        "unknown-id",
        Stream,
        "for a call that nothing introduced, where the input is known",
        r#"
        {"type":"RUN_STARTED","runId":"r1","input":{"runId":"r1","messages":[]}}
        {"type":"TOOL_CALL_RESULT","toolCallId":"c1","messageId":"m1","content":"4"}"#,
    ),
    (
        "unknown-id",
        Warning,
        "for a call that nothing introduced, where the input is unknown",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"TOOL_CALL_RESULT","toolCallId":"c1","messageId":"m1","content":"4"}"#,
    ),
    (
        "unknown-id",
        Warning,
        "for a call that nothing introduced, in a run that resumes another",
        r#"
        {"type":"RUN_STARTED","runId":"r1","input":{"messages":[],"resume":[{"interruptId":"i1"}]}}
        {"type":"TOOL_CALL_RESULT","toolCallId":"c1","messageId":"m1","content":"4"}"#,
    ),
    (
        "out-of-order",
        Stream,
        "before the call's end, for a call of an earlier run opened again",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"search"}
        {"type":"TOOL_CALL_END","toolCallId":"c1"}
        {"type":"RUN_FINISHED","runId":"r1"}
        {"type":"RUN_STARTED","runId":"r2"}
        {"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"search"}
        {"type":"TOOL_CALL_RESULT","toolCallId":"c1","messageId":"m1","content":"4"}"#,
    ),
    (
        "open-at-finish",
        Stream,
        "with a message open beside two chunk streams",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"TEXT_MESSAGE_START","messageId":"m1"}
        {"type":"TEXT_MESSAGE_CHUNK","messageId":"m2","delta":"hello","subagentRunId":"a"}
        {"type":"TOOL_CALL_CHUNK","toolCallId":"c1","toolCallName":"search","subagentRunId":"b"}
        {"type":"RUN_FINISHED","runId":"r1"}"#,
    ),
    ("lifecycle/first-event", Stream, "without any event", "end of stream"),
    (
        "lifecycle/terminated",
        Stream,
        "right after the run's start",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        end of stream"#,
    ),
    (
        "lifecycle/terminated",
        Stream,
        "in the second run, with a message and a chunk stream open",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"RUN_FINISHED","runId":"r1"}
        {"type":"RUN_STARTED","runId":"r2"}
        {"type":"TEXT_MESSAGE_START","messageId":"m1"}
        {"type":"TEXT_MESSAGE_CHUNK","messageId":"m2","delta":"hello","subagentRunId":"a"}
        end of stream"#,
    ),
];
