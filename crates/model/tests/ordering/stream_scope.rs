//! Stream scope but for chunks: the gates, runs one after another, results, the request.

use crate::notation::{answer, in_run, stream};

#[test]
fn first_event() {
    stream(
        r#"
        lifecycle/first-event  {"type":"RAW"}
        lifecycle/first-event  {"type":"NO_SUCH_TYPE"}
        lifecycle/first-event  {"type":"TEXT_MESSAGE_START","messageId":1}
        lifecycle/first-event  {"type":"RUN_FINISHED"}
        ok                     {"type":"RUN_STARTED"}
        ok                     {"type":"RAW"}
        lifecycle/terminated   END
    "#,
    );
    stream(
        r#"
        ok         {"type":"RUN_ERROR"}
        run-ended  {"type":"RAW"}
        ok         END
    "#,
    );
    stream("lifecycle/first-event END");
    stream(
        r#"
        lifecycle/first-event  {"type":"RAW"}
        lifecycle/first-event  END
    "#,
    );
}

#[test]
fn after_the_end_of_a_run() {
    stream(
        r#"
        ok                     {"type":"RUN_STARTED"}
        duplicate-run-started  {"type":"RUN_STARTED"}
        ok                     {"type":"RUN_FINISHED"}
        run-ended              {"type":"RAW"}
        run-ended              {"type":"TEXT_MESSAGE_CHUNK"}
        run-ended              {"type":"RUN_FINISHED"}
        ok                     {"type":"RUN_ERROR"}
        run-ended              {"type":"RUN_ERROR"}
        run-ended              {"type":"RUN_FINISHED"}
        ok                     {"type":"RUN_STARTED"}
        ok                     {"type":"RUN_ERROR"}
        ok                     {"type":"RUN_STARTED"}
        ok                     {"type":"RUN_FINISHED"}
        ok                     {"type":"RUN_STARTED"}
        lifecycle/terminated   END
    "#,
    );
}

#[test]
fn a_refused_finish_leaves_the_run_open() {
    in_run(
        r#"
        ok                    {"type":"STEP_STARTED","stepName":"a"}
        open-at-finish        {"type":"RUN_FINISHED"}
        lifecycle/terminated  END
    "#,
    );
}

#[test]
fn records_start_empty_with_each_run() {
    in_run(
        r#"
        ok        {"type":"SUBAGENT_STARTED","subagentRunId":"s"}
        ok        {"type":"STEP_STARTED","stepName":"a"}
        ok        {"type":"TOOL_CALL_START","toolCallId":"c","subagentRunId":"s"}
        ok        {"type":"TEXT_MESSAGE_START","messageId":"m","subagentRunId":"s"}
        ok        {"type":"RUN_ERROR"}
        ok        {"type":"RUN_STARTED"}
        not-open  {"type":"STEP_FINISHED","stepName":"a"}
        not-open  {"type":"TEXT_MESSAGE_END","messageId":"m"}
        ok        {"type":"TEXT_MESSAGE_START","messageId":"m","subagentRunId":"t"}
        ok        {"type":"TEXT_MESSAGE_END","messageId":"m"}
        unknown-id {"type":"SUBAGENT_STARTED","subagentRunId":"u","parentSubagentRunId":"s"}
        ok        {"type":"SUBAGENT_STARTED","subagentRunId":"s"}
        ok        {"type":"SUBAGENT_FINISHED","subagentRunId":"s"}
        ok        {"type":"TOOL_CALL_START","toolCallId":"c","subagentRunId":"t"}
        ok        {"type":"TOOL_CALL_END","toolCallId":"c"}
        ok        {"type":"RUN_FINISHED"}
        ok        END
    "#,
    );
}

#[test]
fn calls_of_earlier_runs_count_as_introduced() {
    stream(
        r#"
        ok          {"type":"RUN_STARTED","runId":"1","input":{"messages":[{"id":"u","role":"assistant","toolCalls":[{"id":"e"}]}]}}
        ok          {"type":"TOOL_CALL_START","toolCallId":"c"}
        ok          {"type":"TOOL_CALL_END","toolCallId":"c"}
        ok          {"type":"TOOL_CALL_CHUNK","toolCallId":"k","toolCallName":"f"}
        ok          {"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m","role":"assistant","toolCalls":[{"id":"d"}]}]}
        ok          {"type":"RUN_FINISHED"}
        ok          {"type":"RUN_STARTED","runId":"2","input":{}}
        ok          {"type":"TOOL_CALL_RESULT","toolCallId":"c","messageId":"o"}
        ok          {"type":"TOOL_CALL_RESULT","toolCallId":"d","messageId":"o"}
        ok          {"type":"TOOL_CALL_RESULT","toolCallId":"e","messageId":"o"}
        ok          {"type":"TOOL_CALL_RESULT","toolCallId":"k","messageId":"o"}
        unknown-id  {"type":"TOOL_CALL_RESULT","toolCallId":"x","messageId":"o"}
    "#,
    );
}

#[test]
fn a_call_left_open_by_an_error_may_be_answered_in_the_next_run() {
    stream(
        r#"
        ok  {"type":"RUN_STARTED","input":{}}
        ok  {"type":"TOOL_CALL_START","toolCallId":"c"}
        ok  {"type":"RUN_ERROR"}
        ok  {"type":"RUN_STARTED","input":{}}
        ok  {"type":"TOOL_CALL_RESULT","toolCallId":"c","messageId":"o"}
    "#,
    );
}

#[test]
fn a_result_of_an_unknown_call_is_unsettled_without_an_input() {
    in_run(
        r#"
        ?unknown-id     {"type":"TOOL_CALL_RESULT","toolCallId":"c","messageId":"o","subagentRunId":"s"}
        owner-mismatch  {"type":"TEXT_MESSAGE_START","messageId":"o","subagentRunId":"t"}
        ?unknown-id     {"type":"TOOL_CALL_RESULT","toolCallId":"c"}
        unknown-id      {"type":"SUBAGENT_STARTED","subagentRunId":"u","parentSubagentRunId":"v"}
    "#,
    );
    stream(
        r#"
        ok           {"type":"RUN_STARTED","input":{"resume":[{"interruptId":"i"}]}}
        ?unknown-id  {"type":"TOOL_CALL_RESULT","toolCallId":"c","messageId":"o"}
        ok           {"type":"RUN_FINISHED"}
        ok           {"type":"RUN_STARTED","input":{"resume":[]}}
        unknown-id   {"type":"TOOL_CALL_RESULT","toolCallId":"c","messageId":"o"}
    "#,
    );
}

#[test]
fn the_request_settles_results() {
    answer(
        r#"{"runId":"r","messages":[{"id":"a","role":"assistant","toolCalls":[{"id":"c"}]}]}"#,
        r#"
        ok           {"type":"RUN_STARTED","runId":"r"}
        ok           {"type":"TOOL_CALL_RESULT","toolCallId":"c","messageId":"o"}
        unknown-id   {"type":"TOOL_CALL_RESULT","toolCallId":"d","messageId":"o"}
        "#,
    );
    answer(
        r#"{"runId":"r","resume":[{"interruptId":"i"}]}"#,
        r#"
        ok           {"type":"RUN_STARTED","runId":"r","input":{}}
        ?unknown-id  {"type":"TOOL_CALL_RESULT","toolCallId":"d","messageId":"o"}
        "#,
    );
    answer(
        r#"{"messages":[{"id":"a","role":"assistant","toolCalls":[{"id":"c"}]}]}"#,
        r#"
        ok           {"type":"RUN_STARTED"}
        ?unknown-id  {"type":"TOOL_CALL_RESULT","toolCallId":"c","messageId":"o"}
        "#,
    );
}

#[test]
fn the_request_seeds_the_run_that_it_asked_for_before_the_echo() {
    answer(
        r#"{"runId":"r","messages":[{"id":"m","role":"assistant","subagentRunId":"s"}]}"#,
        r#"
        ok              {"type":"RUN_STARTED","runId":"replayed"}
        ok              {"type":"TEXT_MESSAGE_START","messageId":"m","subagentRunId":"t"}
        ok              {"type":"TEXT_MESSAGE_END","messageId":"m"}
        ?unknown-id     {"type":"TOOL_CALL_RESULT","toolCallId":"c","messageId":"o"}
        ok              {"type":"RUN_FINISHED"}
        ok              {"type":"RUN_STARTED","runId":"r","input":{"messages":[{"id":"m","role":"assistant","subagentRunId":"t"},{"id":"n","role":"assistant","subagentRunId":"t"}]}}
        owner-mismatch  {"type":"TEXT_MESSAGE_START","messageId":"m","subagentRunId":"t"}
        ok              {"type":"TEXT_MESSAGE_START","messageId":"m","subagentRunId":"s"}
        owner-mismatch  {"type":"TEXT_MESSAGE_START","messageId":"n","subagentRunId":"s"}
        unknown-id      {"type":"TOOL_CALL_RESULT","toolCallId":"c","messageId":"o"}
        "#,
    );
}
