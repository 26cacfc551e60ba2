//! The rules of one run, but for owners.

use crate::row::Scope::Run;
use crate::row::Static;

pub(crate) const ROWS: &[Static] = &[
    (
        "duplicate-run-started",
        Run,
        "while the run is active",
        r#"
        {"type":"RUN_STARTED","runId":"r1"}
        {"type":"RUN_STARTED","runId":"r2"}"#,
    ),
    (
        "duplicate-start",
        Run,
        "of a message that is open",
        r#"
        {"type":"TEXT_MESSAGE_START","messageId":"m1"}
        {"type":"TEXT_MESSAGE_START","messageId":"m1"}"#,
    ),
    (
        "duplicate-start",
        Run,
        "of a message that its subagent has open",
        r#"
        {"type":"TEXT_MESSAGE_START","messageId":"m1","subagentRunId":"a"}
        {"type":"TEXT_MESSAGE_START","messageId":"m1","subagentRunId":"a"}"#,
    ),
    (
        "duplicate-start",
        Run,
        "of a span that is open",
        r#"
        {"type":"REASONING_START","messageId":"g1"}
        {"type":"REASONING_START","messageId":"g1"}"#,
    ),
    (
        "duplicate-start",
        Run,
        "of a reasoning message that is open",
        r#"
        {"type":"REASONING_START","messageId":"g1","subagentRunId":"a"}
        {"type":"REASONING_MESSAGE_START","messageId":"g1","subagentRunId":"a"}
        {"type":"REASONING_MESSAGE_START","messageId":"g1"}"#,
    ),
    (
        "duplicate-start",
        Run,
        "of a call that is open",
        r#"
        {"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"search"}
        {"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"search"}"#,
    ),
    (
        "duplicate-start",
        Run,
        "of a step that is open",
        r#"
        {"type":"STEP_STARTED","stepName":"plan"}
        {"type":"STEP_STARTED","stepName":"plan","subagentRunId":"a"}
        {"type":"STEP_STARTED","stepName":"plan","subagentRunId":"a"}"#,
    ),
    (
        "duplicate-start",
        Run,
        "of a subagent that is active",
        r#"
        {"type":"SUBAGENT_STARTED","subagentRunId":"a","name":"scout"}
        {"type":"SUBAGENT_STARTED","subagentRunId":"a","name":"scout"}"#,
    ),
    (
        "duplicate-start",
        Run,
        "of a subagent that finished",
        r#"
        {"type":"SUBAGENT_STARTED","subagentRunId":"a","name":"scout"}
        {"type":"SUBAGENT_FINISHED","subagentRunId":"a"}
        {"type":"SUBAGENT_STARTED","subagentRunId":"a","name":"scout"}"#,
    ),
    (
        "duplicate-start",
        Run,
        "of a subagent that failed",
        r#"
        {"type":"SUBAGENT_STARTED","subagentRunId":"a","name":"scout"}
        {"type":"SUBAGENT_ERROR","subagentRunId":"a","message":"lost"}
        {"type":"SUBAGENT_STARTED","subagentRunId":"a","name":"scout"}"#,
    ),
    (
        "not-open",
        Run,
        "of a message that nothing opened",
        r#"
        {"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"hello"}"#,
    ),
    (
        "not-open",
        Run,
        "of a message that is closed",
        r#"
        {"type":"TEXT_MESSAGE_START","messageId":"m1"}
        {"type":"TEXT_MESSAGE_END","messageId":"m1"}
        {"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"hello"}"#,
    ),
    (
        "not-open",
        Run,
        "of a message that nothing opened",
        r#"
        {"type":"TEXT_MESSAGE_END","messageId":"m1"}"#,
    ),
    (
        "not-open",
        Run,
        "of a message that is closed",
        r#"
        {"type":"TEXT_MESSAGE_START","messageId":"m1"}
        {"type":"TEXT_MESSAGE_END","messageId":"m1"}
        {"type":"TEXT_MESSAGE_END","messageId":"m1"}"#,
    ),
    (
        "not-open",
        Run,
        "of a message that nothing opened, in an open span",
        r#"
        {"type":"REASONING_START","messageId":"g1"}
        {"type":"REASONING_MESSAGE_CONTENT","messageId":"g1","delta":"hm"}"#,
    ),
    (
        "not-open",
        Run,
        "of a message that is closed",
        r#"
        {"type":"REASONING_MESSAGE_START","messageId":"g1"}
        {"type":"REASONING_MESSAGE_END","messageId":"g1"}
        {"type":"REASONING_MESSAGE_CONTENT","messageId":"g1","delta":"hm"}"#,
    ),
    (
        "not-open",
        Run,
        "of a message that nothing opened",
        r#"
        {"type":"REASONING_MESSAGE_END","messageId":"g1"}"#,
    ),
    (
        "not-open",
        Run,
        "of a message that is closed",
        r#"
        {"type":"REASONING_MESSAGE_START","messageId":"g1"}
        {"type":"REASONING_MESSAGE_END","messageId":"g1"}
        {"type":"REASONING_MESSAGE_END","messageId":"g1"}"#,
    ),
    (
        "not-open",
        Run,
        "of a span that nothing opened, round an open message",
        r#"
        {"type":"REASONING_MESSAGE_START","messageId":"g1"}
        {"type":"REASONING_END","messageId":"g1"}"#,
    ),
    (
        "not-open",
        Run,
        "of a span that is closed",
        r#"
        {"type":"REASONING_START","messageId":"g1"}
        {"type":"REASONING_END","messageId":"g1"}
        {"type":"REASONING_END","messageId":"g1"}"#,
    ),
    (
        "not-open",
        Run,
        "of a call that nothing opened",
        r#"
        {"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{}"}"#,
    ),
    (
        "not-open",
        Run,
        "of a call that is closed",
        r#"
        {"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"search"}
        {"type":"TOOL_CALL_END","toolCallId":"c1"}
        {"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{}"}"#,
    ),
    (
        "not-open",
        Run,
        "of a call that a snapshot introduced and nothing opened",
        r#"
        {"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m1","role":"assistant","toolCalls":[{"id":"c1"}]}]}
        {"type":"TOOL_CALL_END","toolCallId":"c1"}"#,
    ),
    (
        "not-open",
        Run,
        "of a call that is closed",
        r#"
        {"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"search"}
        {"type":"TOOL_CALL_END","toolCallId":"c1"}
        {"type":"TOOL_CALL_END","toolCallId":"c1"}"#,
    ),
    (
        "not-open",
        Run,
        "of a step that nothing opened",
        r#"
        {"type":"STEP_FINISHED","stepName":"plan"}"#,
    ),
    (
        "not-open",
        Run,
        "of a step that was closed",
        r#"
        {"type":"STEP_STARTED","stepName":"plan"}
        {"type":"STEP_FINISHED","stepName":"plan"}
        {"type":"STEP_FINISHED","stepName":"plan"}"#,
    ),
    (
        "not-open",
        Run,
        "of a step that the parent agent has open",
        r#"
        {"type":"STEP_STARTED","stepName":"plan"}
        {"type":"STEP_FINISHED","stepName":"plan","subagentRunId":"a"}"#,
    ),
    (
        "not-open",
        Run,
        "of a step that two subagents have open",
        r#"
        {"type":"STEP_STARTED","stepName":"plan","subagentRunId":"b"}
        {"type":"STEP_STARTED","stepName":"plan","subagentRunId":"a"}
        {"type":"STEP_FINISHED","stepName":"plan"}"#,
    ),
    (
        "not-open",
        Run,
        "of a subagent that never started",
        r#"
        {"type":"SUBAGENT_FINISHED","subagentRunId":"a"}"#,
    ),
    (
        "not-open",
        Run,
        "of a subagent that failed",
        r#"
        {"type":"SUBAGENT_STARTED","subagentRunId":"a","name":"scout"}
        {"type":"SUBAGENT_ERROR","subagentRunId":"a","message":"lost"}
        {"type":"SUBAGENT_FINISHED","subagentRunId":"a"}"#,
    ),
    (
        "not-open",
        Run,
        "of a subagent that never started",
        r#"
        {"type":"SUBAGENT_ERROR","subagentRunId":"a","message":"lost"}"#,
    ),
    (
        "not-open",
        Run,
        "of a subagent that finished",
        r#"
        {"type":"SUBAGENT_STARTED","subagentRunId":"a","name":"scout"}
        {"type":"SUBAGENT_FINISHED","subagentRunId":"a"}
        {"type":"SUBAGENT_ERROR","subagentRunId":"a","message":"lost"}"#,
    ),
    (
        "unknown-id",
        Run,
        "for a call that nothing introduced",
        r#"
        {"type":"TOOL_CALL_RESULT","toolCallId":"c1","messageId":"m1","content":"4"}"#,
    ),
    (
        "unknown-id",
        Run,
        "under a parent that was never started",
        r#"
        {"type":"SUBAGENT_STARTED","subagentRunId":"b","parentSubagentRunId":"a","name":"scout"}"#,
    ),
    (
        "unknown-id",
        Run,
        "under itself",
        r#"
        {"type":"SUBAGENT_STARTED","subagentRunId":"a","parentSubagentRunId":"a","name":"scout"}"#,
    ),
    (
        "out-of-order",
        Run,
        "before the call's end",
        r#"
        {"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"search"}
        {"type":"TOOL_CALL_RESULT","toolCallId":"c1","messageId":"m1","content":"4"}"#,
    ),
    (
        "open-at-finish",
        Run,
        "with a message open",
        r#"
        {"type":"TEXT_MESSAGE_START","messageId":"m1"}
        {"type":"RUN_FINISHED","runId":"r1"}"#,
    ),
    (
        "open-at-finish",
        Run,
        "with a subagent's message open",
        r#"
        {"type":"TEXT_MESSAGE_START","messageId":"m1","subagentRunId":"a"}
        {"type":"RUN_FINISHED","runId":"r1"}"#,
    ),
    (
        "open-at-finish",
        Run,
        "with a reasoning message open",
        r#"
        {"type":"REASONING_MESSAGE_START","messageId":"g1"}
        {"type":"RUN_FINISHED","runId":"r1"}"#,
    ),
    (
        "open-at-finish",
        Run,
        "with a span open",
        r#"
        {"type":"REASONING_START","messageId":"g1"}
        {"type":"RUN_FINISHED","runId":"r1"}"#,
    ),
    (
        "open-at-finish",
        Run,
        "with a call open",
        r#"
        {"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"search"}
        {"type":"RUN_FINISHED","runId":"r1"}"#,
    ),
    (
        "open-at-finish",
        Run,
        "with a step open",
        r#"
        {"type":"STEP_STARTED","stepName":"plan","subagentRunId":"a"}
        {"type":"RUN_FINISHED","runId":"r1"}"#,
    ),
    (
        "open-at-finish",
        Run,
        "with a subagent active",
        r#"
        {"type":"SUBAGENT_STARTED","subagentRunId":"a","name":"scout"}
        {"type":"RUN_FINISHED","runId":"r1"}"#,
    ),
    (
        "open-at-finish",
        Run,
        "with one of each kind open",
        r#"
        {"type":"SUBAGENT_STARTED","subagentRunId":"a","name":"scout"}
        {"type":"STEP_STARTED","stepName":"plan","subagentRunId":"a"}
        {"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"search"}
        {"type":"REASONING_START","messageId":"g1"}
        {"type":"REASONING_MESSAGE_START","messageId":"g2","subagentRunId":"a"}
        {"type":"TEXT_MESSAGE_START","messageId":"m2","subagentRunId":"a"}
        {"type":"TEXT_MESSAGE_START","messageId":"m1"}
        {"type":"RUN_FINISHED","runId":"r1"}"#,
    ),
];
