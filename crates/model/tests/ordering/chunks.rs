//! Stream scope: the chunked form, lane by lane.

use crate::notation::{in_run, stream};

#[test]
fn chunks_assemble_an_item_that_ends_with_the_run() {
    in_run(
        r#"
        ok  {"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"a"}
        ok  {"type":"TEXT_MESSAGE_CHUNK","delta":"b"}
        ok  {"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"c"}
        ok  {"type":"REASONING_MESSAGE_CHUNK","messageId":"m"}
        ok  {"type":"TOOL_CALL_CHUNK","toolCallId":"m","toolCallName":"f"}
        ok  {"type":"TOOL_CALL_CHUNK","delta":"{}"}
        ok  {"type":"RUN_FINISHED"}
        ok  END
    "#,
    );
}

#[test]
fn a_closed_item_may_be_opened_again_by_its_owner() {
    in_run(
        r#"
        ok              {"type":"TEXT_MESSAGE_CHUNK","messageId":"m","subagentRunId":"s"}
        ok              {"type":"CUSTOM","subagentRunId":"s"}
        owner-mismatch  {"type":"TEXT_MESSAGE_CHUNK","messageId":"m","subagentRunId":"t"}
        ok              {"type":"TEXT_MESSAGE_CHUNK","messageId":"m","subagentRunId":"s"}
    "#,
    );
}

/// Each of these closes the parent agent's stream, so that the next chunk lacks its id.
#[test]
fn what_closes_a_stream_in_its_lane() {
    for closer in [
        r#""TEXT_MESSAGE_START","messageId":"x""#,
        r#""REASONING_START","messageId":"x""#,
        r#""REASONING_MESSAGE_START","messageId":"x""#,
        r#""TOOL_CALL_START","toolCallId":"x""#,
        r#""TOOL_CALL_RESULT","toolCallId":"k","messageId":"o""#,
        r#""TEXT_MESSAGE_CONTENT","messageId":"n""#,
        r#""TEXT_MESSAGE_END","messageId":"n""#,
        r#""STEP_STARTED","stepName":"x""#,
        r#""STEP_FINISHED","stepName":"n""#,
        r#""STATE_SNAPSHOT""#,
        r#""STATE_DELTA""#,
        r#""CUSTOM""#,
        r#""REASONING_MESSAGE_CHUNK","messageId":"x""#,
        r#""TOOL_CALL_CHUNK","toolCallId":"x","toolCallName":"f""#,
    ] {
        for (lane, found) in [("", "chunk/first-carries-id"), (r#","subagentRunId":"s""#, "ok")] {
            in_run(&format!(
                r#"
                ok       {{"type":"TEXT_MESSAGE_START","messageId":"n"{lane}}}
                ok       {{"type":"STEP_STARTED","stepName":"n"{lane}}}
                ok       {{"type":"MESSAGES_SNAPSHOT","messages":[{{"id":"a","role":"assistant","toolCalls":[{{"id":"k"}}]}}]}}
                ok       {{"type":"TEXT_MESSAGE_CHUNK","messageId":"m"}}
                ok       {{"type":"TEXT_MESSAGE_CHUNK"}}
                ok       {{"type":{closer}{lane}}}
                {found}  {{"type":"TEXT_MESSAGE_CHUNK"}}
                "#
            ));
        }
    }
}

#[test]
fn what_closes_no_stream() {
    for event in [
        r#""RAW""#,
        r#""ACTIVITY_SNAPSHOT","messageId":"m""#,
        r#""ACTIVITY_DELTA","messageId":"m""#,
        r#""REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"m""#,
        r#""SUBAGENT_STARTED","subagentRunId":"s""#,
        r#""SUBAGENT_FINISHED","subagentRunId":"z""#,
        r#""NO_SUCH_TYPE""#,
        r#""THINKING_START""#,
        r#""TEXT_MESSAGE_START","messageId":5"#,
        r#""STEP_STARTED""#,
        r#""TEXT_MESSAGE_CHUNK","messageId":null"#,
    ] {
        in_run(&format!(
            r#"
            ok  {{"type":"SUBAGENT_STARTED","subagentRunId":"z"}}
            ok  {{"type":"TEXT_MESSAGE_CHUNK","messageId":"m"}}
            ok  {{"type":{event}}}
            ok  {{"type":"TEXT_MESSAGE_CHUNK"}}
            "#
        ));
    }
}

#[test]
fn a_chunk_with_another_id_or_of_another_kind_closes_its_lane_only() {
    in_run(
        r#"
        ok                      {"type":"TEXT_MESSAGE_CHUNK","messageId":"m"}
        ok                      {"type":"TEXT_MESSAGE_CHUNK","messageId":"n","subagentRunId":"s"}
        ok                      {"type":"TEXT_MESSAGE_CHUNK","messageId":"m"}
        ok                      {"type":"TEXT_MESSAGE_CHUNK","messageId":"o"}
        not-open                {"type":"TEXT_MESSAGE_CONTENT","messageId":"m"}
        ok                      {"type":"TEXT_MESSAGE_CHUNK","messageId":"n","subagentRunId":"s"}
    "#,
    );
    in_run(
        r#"
        ok                      {"type":"TEXT_MESSAGE_CHUNK","messageId":"m","subagentRunId":"s"}
        ok                      {"type":"REASONING_MESSAGE_CHUNK","messageId":"r","subagentRunId":"s"}
        not-open                {"type":"TEXT_MESSAGE_CONTENT","messageId":"m"}
        chunk/first-carries-id  {"type":"TEXT_MESSAGE_CHUNK","subagentRunId":"s"}
        ok                      {"type":"REASONING_MESSAGE_CHUNK"}
    "#,
    );
}

#[test]
fn an_event_with_the_id_closes_whatever_the_lane() {
    in_run(
        r#"
        ok                      {"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f","subagentRunId":"s"}
        ok                      {"type":"TOOL_CALL_RESULT","toolCallId":"c","messageId":"o"}
        chunk/first-carries-id  {"type":"TOOL_CALL_CHUNK","subagentRunId":"s"}
        ok                      {"type":"TEXT_MESSAGE_CHUNK","messageId":"m","subagentRunId":"s"}
        ok                      {"type":"TOOL_CALL_RESULT","toolCallId":"c","messageId":"m"}
        chunk/first-carries-id  {"type":"TEXT_MESSAGE_CHUNK","subagentRunId":"s"}
        owner-mismatch          {"type":"TEXT_MESSAGE_CHUNK","messageId":"m","subagentRunId":"s"}
        ok                      {"type":"REASONING_MESSAGE_CHUNK","messageId":"o","subagentRunId":"s"}
        ok                      {"type":"TOOL_CALL_RESULT","toolCallId":"c","messageId":"o"}
        ok                      {"type":"REASONING_MESSAGE_CHUNK","subagentRunId":"s"}
        ok                      {"type":"REASONING_START","messageId":"o"}
        ok                      {"type":"REASONING_MESSAGE_CHUNK","subagentRunId":"s"}
        ok                      {"type":"REASONING_MESSAGE_START","messageId":"o"}
        chunk/first-carries-id  {"type":"REASONING_MESSAGE_CHUNK","subagentRunId":"s"}
        ok                      {"type":"REASONING_MESSAGE_END","messageId":"o"}
    "#,
    );
}

#[test]
fn a_refused_event_closes_nothing() {
    in_run(
        r#"
        ok              {"type":"STEP_STARTED","stepName":"a"}
        ok              {"type":"TEXT_MESSAGE_CHUNK","messageId":"m"}
        not-open        {"type":"TEXT_MESSAGE_END","messageId":"x"}
        not-open        {"type":"SUBAGENT_FINISHED","subagentRunId":"s"}
        open-at-finish  {"type":"RUN_FINISHED"}
        duplicate-run-started  {"type":"RUN_STARTED"}
        owner-mismatch  {"type":"TEXT_MESSAGE_START","messageId":"m","subagentRunId":"s"}
        ok              {"type":"TEXT_MESSAGE_CHUNK"}
        ok              {"type":"TOOL_CALL_START","toolCallId":"c"}
        ok              {"type":"TEXT_MESSAGE_CHUNK","messageId":"m"}
        out-of-order    {"type":"TOOL_CALL_RESULT","toolCallId":"c","messageId":"m"}
        ok              {"type":"TEXT_MESSAGE_CHUNK"}
    "#,
    );
}

#[test]
fn the_lane_of_an_untagged_chunk() {
    in_run(
        r#"
        ok                      {"type":"TEXT_MESSAGE_CHUNK","messageId":"m","subagentRunId":"s"}
        ok                      {"type":"TEXT_MESSAGE_CHUNK"}
        ok                      {"type":"TEXT_MESSAGE_CHUNK","messageId":"m"}
        chunk/first-carries-id  {"type":"TOOL_CALL_CHUNK"}
        ok                      {"type":"TEXT_MESSAGE_CHUNK","messageId":"n","subagentRunId":""}
        chunk/unambiguous-lane  {"type":"TEXT_MESSAGE_CHUNK"}
        ok                      {"type":"REASONING_MESSAGE_CHUNK","messageId":"r"}
        chunk/unambiguous-lane  {"type":"TEXT_MESSAGE_CHUNK"}
        ok                      {"type":"TEXT_MESSAGE_CHUNK","messageId":"p"}
        ok                      {"type":"TEXT_MESSAGE_CHUNK"}
    "#,
    );
}

/// D8: an untagged chunk with an id of another kind than the open one is the parent agent's.
#[test]
fn d8_the_lane_needs_the_kind_too() {
    in_run(
        r#"
        ok  {"type":"TEXT_MESSAGE_CHUNK","messageId":"m","subagentRunId":"s"}
        ok  {"type":"REASONING_MESSAGE_CHUNK","messageId":"m"}
        ok  {"type":"TEXT_MESSAGE_CHUNK","subagentRunId":"s"}
        ok  {"type":"REASONING_MESSAGE_CHUNK"}
    "#,
    );
}

#[test]
fn d9_a_continuation_after_its_owner_ended() {
    in_run(
        r#"
        ok                         {"type":"SUBAGENT_STARTED","subagentRunId":"s"}
        chunk/first-carries-id     {"type":"TEXT_MESSAGE_CHUNK"}
        ok                         {"type":"TEXT_MESSAGE_CHUNK","messageId":"m","subagentRunId":"s"}
        ok                         {"type":"SUBAGENT_ERROR","subagentRunId":"s"}
        chunk/ends-with-its-owner  {"type":"TEXT_MESSAGE_CHUNK","subagentRunId":"s"}
        chunk/ends-with-its-owner  {"type":"TEXT_MESSAGE_CHUNK"}
        chunk/first-carries-id     {"type":"TEXT_MESSAGE_CHUNK","subagentRunId":"t"}
        chunk/first-carries-id     {"type":"TOOL_CALL_CHUNK"}
        ok                         {"type":"TEXT_MESSAGE_CHUNK","messageId":"n"}
        ok                         {"type":"CUSTOM"}
        chunk/first-carries-id     {"type":"TEXT_MESSAGE_CHUNK"}
        chunk/ends-with-its-owner  {"type":"TEXT_MESSAGE_CHUNK","subagentRunId":"s"}
        ok                         {"type":"TEXT_MESSAGE_CHUNK","messageId":"n"}
        ok                         {"type":"MESSAGES_SNAPSHOT","messages":[]}
        chunk/ends-with-its-owner  {"type":"TEXT_MESSAGE_CHUNK"}
        ok                         {"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f"}
        ok                         {"type":"RUN_FINISHED"}
        ok                         {"type":"RUN_STARTED"}
        chunk/ends-with-its-owner  {"type":"TOOL_CALL_CHUNK"}
        chunk/ends-with-its-owner  {"type":"TEXT_MESSAGE_CHUNK"}
    "#,
    );
}

#[test]
fn d10_forms_do_not_mix() {
    in_run(
        r#"
        ok                      {"type":"TEXT_MESSAGE_START","messageId":"m","subagentRunId":"s"}
        chunk/forms-do-not-mix  {"type":"TEXT_MESSAGE_CHUNK","messageId":"m"}
        chunk/forms-do-not-mix  {"type":"TEXT_MESSAGE_CHUNK","messageId":"m","subagentRunId":"t"}
        ok                      {"type":"REASONING_MESSAGE_CHUNK","messageId":"m"}
        chunk/forms-do-not-mix  {"type":"REASONING_MESSAGE_CONTENT","messageId":"m"}
        chunk/forms-do-not-mix  {"type":"REASONING_MESSAGE_END","messageId":"m","subagentRunId":"t"}
        not-open                {"type":"REASONING_END","messageId":"m"}
        ok                      {"type":"TEXT_MESSAGE_END","messageId":"m"}
        ok                      {"type":"TOOL_CALL_START","toolCallId":"c"}
        chunk/forms-do-not-mix  {"type":"TOOL_CALL_CHUNK","toolCallId":"c"}
        ok                      {"type":"TOOL_CALL_END","toolCallId":"c"}
        chunk/first-carries-id  {"type":"TOOL_CALL_CHUNK","toolCallId":"c"}
        ok                      {"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f"}
        chunk/forms-do-not-mix  {"type":"TOOL_CALL_ARGS","toolCallId":"c"}
        ok                      {"type":"TOOL_CALL_CHUNK","toolCallId":"c"}
    "#,
    );
}

#[test]
fn d10_a_start_of_what_chunks_hold_open_closes_it_and_opens_it_again() {
    in_run(
        r#"
        ok                      {"type":"TEXT_MESSAGE_CHUNK","messageId":"m","subagentRunId":"s"}
        owner-mismatch          {"type":"TEXT_MESSAGE_START","messageId":"m","subagentRunId":"t"}
        ok                      {"type":"TEXT_MESSAGE_START","messageId":"m"}
        chunk/first-carries-id  {"type":"TEXT_MESSAGE_CHUNK","subagentRunId":"s"}
        chunk/forms-do-not-mix  {"type":"TEXT_MESSAGE_CHUNK","messageId":"m","subagentRunId":"s"}
        open-at-finish          {"type":"RUN_FINISHED"}
        ok                      {"type":"TEXT_MESSAGE_END","messageId":"m","subagentRunId":"s"}
        ok                      {"type":"RUN_FINISHED"}
    "#,
    );
}

#[test]
fn d12_an_id_that_another_lane_assembles() {
    in_run(
        r#"
        ok                      {"type":"TEXT_MESSAGE_CHUNK","messageId":"m","subagentRunId":"s"}
        owner-mismatch          {"type":"TEXT_MESSAGE_CHUNK","messageId":"m","subagentRunId":"t"}
        ok                      {"type":"CUSTOM","subagentRunId":"s"}
        ok                      {"type":"TEXT_MESSAGE_CHUNK","messageId":"m"}
        duplicate-start         {"type":"TEXT_MESSAGE_CHUNK","messageId":"m","subagentRunId":"s"}
        ok                      {"type":"TEXT_MESSAGE_CHUNK"}
        ok                      {"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f","subagentRunId":"s"}
        chunk/first-carries-id  {"type":"TOOL_CALL_CHUNK","toolCallId":"c","subagentRunId":"t"}
        owner-mismatch          {"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f","subagentRunId":"t"}
    "#,
    );
}

/// The lane is the opener's tag, whoever owns the item: the end of `s` leaves the parent
/// agent's stream of its message open.
#[test]
fn a_stream_belongs_to_its_lane() {
    in_run(
        r#"
        ok                      {"type":"SUBAGENT_STARTED","subagentRunId":"s"}
        ok                      {"type":"TEXT_MESSAGE_CHUNK","messageId":"m","subagentRunId":"s"}
        ok                      {"type":"CUSTOM","subagentRunId":"s"}
        ok                      {"type":"TEXT_MESSAGE_CHUNK","messageId":"m"}
        ok                      {"type":"SUBAGENT_FINISHED","subagentRunId":"s"}
        ok                      {"type":"TEXT_MESSAGE_CHUNK"}
    "#,
    );
}

#[test]
fn d13_repeats_agree() {
    in_run(
        r#"
        ok                  {"type":"TEXT_MESSAGE_CHUNK","messageId":"m"}
        ok                  {"type":"TEXT_MESSAGE_CHUNK","messageId":"m","role":"assistant","name":null}
        chunk/repeat-agrees {"type":"TEXT_MESSAGE_CHUNK","messageId":"m","role":"user"}
        chunk/repeat-agrees {"type":"TEXT_MESSAGE_CHUNK","name":"n"}
        ok                  {"type":"TEXT_MESSAGE_CHUNK","messageId":"n","role":"user","name":"n"}
        ok                  {"type":"TEXT_MESSAGE_CHUNK","role":"user","name":"n","toolCallName":"x"}
        chunk/repeat-agrees {"type":"TEXT_MESSAGE_CHUNK","role":"assistant"}
        ok                  {"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f"}
        ok                  {"type":"TOOL_CALL_CHUNK","toolCallName":"f","role":"x","name":"y"}
        chunk/repeat-agrees {"type":"TOOL_CALL_CHUNK","toolCallName":"g"}
        chunk/repeat-agrees {"type":"TOOL_CALL_CHUNK","parentMessageId":"m"}
        ok                  {"type":"TOOL_CALL_CHUNK","toolCallId":"d","toolCallName":"f","parentMessageId":"m"}
        ok                  {"type":"TOOL_CALL_CHUNK","parentMessageId":"m"}
        chunk/repeat-agrees {"type":"TOOL_CALL_CHUNK","parentMessageId":"n"}
        ok                  {"type":"REASONING_MESSAGE_CHUNK","messageId":"r"}
        ok                  {"type":"REASONING_MESSAGE_CHUNK","role":"x","name":"y"}
    "#,
    );
}

/// Sentence 7 holds for the chunk that opens a call.
#[test]
fn a_call_in_chunks_follows_its_parent_message() {
    in_run(
        r#"
        ok              {"type":"TEXT_MESSAGE_CHUNK","messageId":"m","subagentRunId":"s"}
        owner-mismatch  {"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f","parentMessageId":"m","subagentRunId":"t"}
        ok              {"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f","parentMessageId":"m"}
        ok              {"type":"CUSTOM"}
        owner-mismatch  {"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f","subagentRunId":"t"}
        ok              {"type":"TOOL_CALL_CHUNK","toolCallId":"c","toolCallName":"f","subagentRunId":"s"}
        ok              {"type":"TOOL_CALL_CHUNK","delta":"{}"}
    "#,
    );
}

/// D1: the gate before the form.
#[test]
fn d1_the_gate_comes_before_the_form() {
    stream(
        r#"
        lifecycle/first-event  {"type":"TEXT_MESSAGE_CHUNK"}
        ok                     {"type":"RUN_STARTED"}
        ok                     {"type":"TEXT_MESSAGE_CHUNK","messageId":"m"}
        ok                     {"type":"RUN_ERROR"}
        run-ended              {"type":"TEXT_MESSAGE_CHUNK"}
        run-ended              {"type":"TEXT_MESSAGE_CONTENT","messageId":"m"}
        ok                     END
    "#,
    );
}
