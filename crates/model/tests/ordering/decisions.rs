//! Decisions of `0002-where-the-ordering-contract-is-silent.md` that are not about chunks.

use crate::notation::{in_run, run, stream};

#[test]
fn d2_hidden_events_change_nothing() {
    in_run(
        r#"
        ok         {"type":"TEXT_MESSAGE_END","messageId":{}}
        ok         {"type":"STEP_FINISHED"}
        ok         {"type":"SUBAGENT_FINISHED","subagentRunId":null}
        ok         {"type":"TOOL_CALL_RESULT","messageId":"o","subagentRunId":"s"}
        ok         {"type":"TEXT_MESSAGE_START","messageId":"o","subagentRunId":"t"}
        ok         {"type":"TEXT_MESSAGE_END","messageId":"o"}
        ok         {"type":"TOOL_CALL_CHUNK","toolCallId":[],"subagentRunId":"s"}
        ok         {"type":5}
        ok         []
        ok         {"type":"RUN_FINISHED"}
        run-ended  {"type":"STEP_FINISHED"}
    "#,
    );
}

#[test]
fn d2_run_events_are_never_hidden() {
    stream(
        r#"
        ok                     {"type":"RUN_STARTED","runId":null,"threadId":7}
        duplicate-run-started  {"type":"RUN_STARTED","runId":7}
        ok                     {"type":"RUN_FINISHED","runId":7}
        ok                     END
    "#,
    );
}

#[test]
fn d2_a_result_without_a_message_is_judged_and_mints_none() {
    run(r#"
        unknown-id    {"type":"TOOL_CALL_RESULT","toolCallId":"c"}
        ok            {"type":"TOOL_CALL_START","toolCallId":"c"}
        out-of-order  {"type":"TOOL_CALL_RESULT","toolCallId":"c","messageId":null}
        ok            {"type":"TOOL_CALL_END","toolCallId":"c"}
        ok            {"type":"TOOL_CALL_RESULT","toolCallId":"c","messageId":null}
    "#);
}

#[test]
fn d3_after_a_refused_event_the_next_is_again_the_first() {
    stream(
        r#"
        lifecycle/first-event  {"type":"STEP_STARTED","stepName":"a"}
        lifecycle/first-event  {"type":"STEP_FINISHED","stepName":"a"}
        ok                     {"type":"RUN_ERROR"}
        ok                     END
    "#,
    );
}

#[test]
fn d4_a_parent_message_is_a_text_message() {
    run(r#"
        ok              {"type":"REASONING_START","messageId":"m","subagentRunId":"s"}
        ok              {"type":"ACTIVITY_SNAPSHOT","messageId":"m","subagentRunId":"s"}
        ok              {"type":"TOOL_CALL_START","toolCallId":"m","subagentRunId":"s"}
        ok              {"type":"TOOL_CALL_START","toolCallId":"c","parentMessageId":"m","subagentRunId":"t"}
        ok              {"type":"TOOL_CALL_END","toolCallId":"c"}
        ok              {"type":"TOOL_CALL_RESULT","toolCallId":"c","messageId":"o","subagentRunId":"s"}
        owner-mismatch  {"type":"TOOL_CALL_START","toolCallId":"d","parentMessageId":"o","subagentRunId":"t"}
        ok              {"type":"TOOL_CALL_START","toolCallId":"d","parentMessageId":"o","subagentRunId":"s"}
    "#);
}

#[test]
fn d5_an_unsettled_result_introduces_no_call() {
    in_run(
        r#"
        ?unknown-id  {"type":"TOOL_CALL_RESULT","toolCallId":"c","messageId":"o"}
        ok           {"type":"RUN_FINISHED"}
        ok           {"type":"RUN_STARTED","input":{}}
        unknown-id   {"type":"TOOL_CALL_RESULT","toolCallId":"c","messageId":"o"}
    "#,
    );
}

/// Not decided in 0002, but it follows: of a message that a list names twice, the echo keeps
/// the first and the snapshot the last.
#[test]
fn a_list_that_names_a_message_twice() {
    run(r#"
        ok              {"type":"RUN_STARTED","input":{"messages":[{"id":"m","role":"user","subagentRunId":"s"},{"id":"m","role":"user","subagentRunId":"t"}]}}
        owner-mismatch  {"type":"TEXT_MESSAGE_START","messageId":"m","subagentRunId":"t"}
        ok              {"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m","role":"user","subagentRunId":"s"},{"id":"m","role":"user","subagentRunId":"t"}]}
        ok              {"type":"TEXT_MESSAGE_START","messageId":"m","subagentRunId":"t"}
    "#);
}

/// Only a tool call has a parent message: on anything else the member says nothing.
#[test]
fn a_parent_message_on_a_text_chunk() {
    run(r#"
        ok              {"type":"TEXT_MESSAGE_CHUNK","messageId":"m","subagentRunId":"s"}
        ok              {"type":"TEXT_MESSAGE_CHUNK","messageId":"n","parentMessageId":"m"}
        owner-mismatch  {"type":"TEXT_MESSAGE_START","messageId":"n","subagentRunId":"s"}
    "#);
}
