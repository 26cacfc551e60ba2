//! Run scope: a test or more for each numbered sentence of the contract.

use crate::notation::run;

#[test]
fn s1_after_the_end_everything_is_refused() {
    for end in ["RUN_FINISHED", "RUN_ERROR"] {
        run(&format!(
            r#"
            ok         {{"type":"{end}"}}
            run-ended  {{"type":"RAW"}}
            run-ended  {{"type":"CUSTOM"}}
            run-ended  {{"type":"NO_SUCH_TYPE"}}
            run-ended  {{"type":"THINKING_START"}}
            run-ended  {{"no":"type"}}
            run-ended  {{"type":"TEXT_MESSAGE_START","messageId":7}}
            run-ended  {{"type":"RUN_STARTED"}}
            run-ended  {{"type":"RUN_FINISHED"}}
            run-ended  {{"type":"RUN_ERROR"}}
            "#
        ));
    }
}

#[test]
fn s2_a_second_run_started_is_refused_and_the_first_need_not_be_first() {
    run(r#"
        ok                     {"type":"RAW"}
        ok                     {"type":"RUN_STARTED"}
        duplicate-run-started  {"type":"RUN_STARTED"}
    "#);
}

#[test]
fn s2_the_echo_seeds_owners_that_are_not_there_yet() {
    run(r#"
        ok              {"type":"TEXT_MESSAGE_START","messageId":"m","subagentRunId":"s"}
        ok              {"type":"RUN_STARTED","input":{"messages":[{"id":"m","role":"user"},{"id":"n","role":"assistant","subagentRunId":"t","toolCalls":[{"id":"c"}]}]}}
        ok              {"type":"TEXT_MESSAGE_END","messageId":"m","subagentRunId":"s"}
        owner-mismatch  {"type":"TEXT_MESSAGE_START","messageId":"n","subagentRunId":"s"}
        owner-mismatch  {"type":"TOOL_CALL_START","toolCallId":"c","subagentRunId":"s"}
        ok              {"type":"TOOL_CALL_RESULT","toolCallId":"c","messageId":"o"}
    "#);
}

#[test]
fn s2_a_refused_run_started_seeds_nothing() {
    run(r#"
        ok                     {"type":"RUN_STARTED"}
        duplicate-run-started  {"type":"RUN_STARTED","input":{"messages":[{"id":"m","role":"user"}]}}
        ok                     {"type":"TEXT_MESSAGE_START","messageId":"m","subagentRunId":"s"}
    "#);
}

#[test]
fn s3_a_run_does_not_finish_while_anything_is_open() {
    let pairs = [
        (r#"TEXT_MESSAGE_START","messageId":"i"#, r#"TEXT_MESSAGE_END","messageId":"i"#),
        (r#"REASONING_START","messageId":"i"#, r#"REASONING_END","messageId":"i"#),
        (r#"REASONING_MESSAGE_START","messageId":"i"#, r#"REASONING_MESSAGE_END","messageId":"i"#),
        (r#"TOOL_CALL_START","toolCallId":"i"#, r#"TOOL_CALL_END","toolCallId":"i"#),
        (r#"STEP_STARTED","stepName":"i"#, r#"STEP_FINISHED","stepName":"i"#),
        (r#"SUBAGENT_STARTED","subagentRunId":"i"#, r#"SUBAGENT_FINISHED","subagentRunId":"i"#),
        (r#"SUBAGENT_STARTED","subagentRunId":"i"#, r#"SUBAGENT_ERROR","subagentRunId":"i"#),
    ];
    for (open, close) in pairs {
        run(&format!(
            r#"
            ok              {{"type":"{open}"}}
            open-at-finish  {{"type":"RUN_FINISHED"}}
            ok              {{"type":"{close}"}}
            ok              {{"type":"RUN_FINISHED"}}
            "#
        ));
    }
}

#[test]
fn s4_run_error_ends_the_run_whatever_is_open() {
    run(r#"
        ok         {"type":"STEP_STARTED","stepName":"a"}
        ok         {"type":"RUN_ERROR"}
        run-ended  {"type":"STEP_FINISHED","stepName":"a"}
    "#);
}

#[test]
fn s5_the_owner_is_judged_before_the_duplicate() {
    run(r#"
        ok               {"type":"TEXT_MESSAGE_START","messageId":"m","subagentRunId":"s"}
        owner-mismatch   {"type":"TEXT_MESSAGE_START","messageId":"m","subagentRunId":"t"}
        duplicate-start  {"type":"TEXT_MESSAGE_START","messageId":"m","subagentRunId":"s"}
        duplicate-start  {"type":"TEXT_MESSAGE_START","messageId":"m"}
    "#);
}

#[test]
fn s5_closing_forgets_no_owner_and_an_untagged_reopen_keeps_it() {
    run(r#"
        ok              {"type":"TEXT_MESSAGE_START","messageId":"m","subagentRunId":"s"}
        ok              {"type":"TEXT_MESSAGE_END","messageId":"m"}
        owner-mismatch  {"type":"TEXT_MESSAGE_START","messageId":"m","subagentRunId":"t"}
        ok              {"type":"TEXT_MESSAGE_START","messageId":"m"}
        ok              {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","subagentRunId":"s"}
        owner-mismatch  {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","subagentRunId":"t"}
        ok              {"type":"TEXT_MESSAGE_END","messageId":"m"}
        ok              {"type":"TEXT_MESSAGE_START","messageId":"n"}
        owner-mismatch  {"type":"TEXT_MESSAGE_CONTENT","messageId":"n","subagentRunId":"s"}
    "#);
}

#[test]
fn s5_span_and_reasoning_message_share_an_owner_and_not_an_open_set() {
    run(r#"
        ok               {"type":"REASONING_START","messageId":"r","subagentRunId":"s"}
        not-open         {"type":"REASONING_MESSAGE_CONTENT","messageId":"r"}
        owner-mismatch   {"type":"REASONING_MESSAGE_START","messageId":"r","subagentRunId":"t"}
        ok               {"type":"REASONING_MESSAGE_START","messageId":"r"}
        duplicate-start  {"type":"REASONING_MESSAGE_START","messageId":"r"}
        ok               {"type":"REASONING_END","messageId":"r","subagentRunId":"s"}
        owner-mismatch   {"type":"REASONING_MESSAGE_END","messageId":"r","subagentRunId":"t"}
        ok               {"type":"REASONING_MESSAGE_END","messageId":"r","subagentRunId":"s"}
        ok               {"type":"TEXT_MESSAGE_START","messageId":"r","subagentRunId":"t"}
        ok               {"type":"TOOL_CALL_START","toolCallId":"r","subagentRunId":"u"}
    "#);
}

#[test]
fn s5_the_empty_string_is_a_subagent() {
    run(r#"
        ok              {"type":"TEXT_MESSAGE_START","messageId":"m","subagentRunId":""}
        owner-mismatch  {"type":"TEXT_MESSAGE_END","messageId":"m","subagentRunId":"s"}
        ok              {"type":"TEXT_MESSAGE_END","messageId":"m","subagentRunId":""}
        ok              {"type":"TEXT_MESSAGE_START","messageId":"n"}
        owner-mismatch  {"type":"TEXT_MESSAGE_END","messageId":"n","subagentRunId":""}
    "#);
}

#[test]
fn s6_not_open_comes_before_the_owner() {
    run(r#"
        not-open        {"type":"TEXT_MESSAGE_CONTENT","messageId":"m"}
        ok              {"type":"TEXT_MESSAGE_START","messageId":"m","subagentRunId":"s"}
        owner-mismatch  {"type":"TEXT_MESSAGE_END","messageId":"m","subagentRunId":"t"}
        ok              {"type":"TEXT_MESSAGE_END","messageId":"m","subagentRunId":"s"}
        not-open        {"type":"TEXT_MESSAGE_END","messageId":"m","subagentRunId":"t"}
        not-open        {"type":"REASONING_END","messageId":"m"}
    "#);
}

#[test]
fn s6_a_snapshot_or_a_result_re_owns_what_is_open() {
    run(r#"
        ok              {"type":"TEXT_MESSAGE_START","messageId":"m","subagentRunId":"s"}
        ok              {"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m","role":"assistant"}]}
        owner-mismatch  {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","subagentRunId":"s"}
        ok              {"type":"TOOL_CALL_CHUNK","toolCallId":"c"}
        ok              {"type":"TOOL_CALL_RESULT","toolCallId":"c","messageId":"m","subagentRunId":"t"}
        ok              {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","subagentRunId":"t"}
        owner-mismatch  {"type":"TEXT_MESSAGE_END","messageId":"m","subagentRunId":"s"}
    "#);
}

#[test]
fn s7_a_call_follows_its_parent_message() {
    run(r#"
        ok              {"type":"TEXT_MESSAGE_START","messageId":"m","subagentRunId":"s"}
        owner-mismatch  {"type":"TOOL_CALL_START","toolCallId":"c","parentMessageId":"m","subagentRunId":"t"}
        ok              {"type":"TOOL_CALL_START","toolCallId":"c","parentMessageId":"m"}
        owner-mismatch  {"type":"TOOL_CALL_ARGS","toolCallId":"c","subagentRunId":"t"}
        ok              {"type":"TOOL_CALL_END","toolCallId":"c","subagentRunId":"s"}
        ok              {"type":"TOOL_CALL_START","toolCallId":"d","parentMessageId":"unseen","subagentRunId":"t"}
        ok              {"type":"TEXT_MESSAGE_START","messageId":"p"}
        owner-mismatch  {"type":"TOOL_CALL_START","toolCallId":"e","parentMessageId":"p","subagentRunId":"s"}
        ok              {"type":"TOOL_CALL_START","toolCallId":"e","subagentRunId":"s"}
    "#);
}

#[test]
fn s7_a_known_call_keeps_its_owner() {
    run(r#"
        ok               {"type":"TOOL_CALL_START","toolCallId":"c","subagentRunId":"s"}
        duplicate-start  {"type":"TOOL_CALL_START","toolCallId":"c"}
        owner-mismatch   {"type":"TOOL_CALL_START","toolCallId":"c","subagentRunId":"t"}
        ok               {"type":"TOOL_CALL_END","toolCallId":"c"}
        ok               {"type":"TEXT_MESSAGE_START","messageId":"m"}
        owner-mismatch   {"type":"TOOL_CALL_START","toolCallId":"c","parentMessageId":"m"}
        ok               {"type":"TOOL_CALL_START","toolCallId":"c"}
        owner-mismatch   {"type":"TOOL_CALL_ARGS","toolCallId":"c","subagentRunId":"t"}
        ok               {"type":"TOOL_CALL_ARGS","toolCallId":"c","subagentRunId":"s"}
    "#);
}

#[test]
fn s7_the_parent_owner_is_the_one_at_the_start_of_the_call() {
    run(r#"
        ok              {"type":"TEXT_MESSAGE_START","messageId":"m","subagentRunId":"s"}
        ok              {"type":"TOOL_CALL_START","toolCallId":"c","parentMessageId":"m"}
        ok              {"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m","role":"assistant","subagentRunId":"t"}]}
        ok              {"type":"TOOL_CALL_ARGS","toolCallId":"c","subagentRunId":"s"}
        owner-mismatch  {"type":"TOOL_CALL_ARGS","toolCallId":"c","subagentRunId":"t"}
    "#);
}

#[test]
fn s8_arguments_and_end_need_an_open_call() {
    run(r#"
        not-open        {"type":"TOOL_CALL_ARGS","toolCallId":"c"}
        ok              {"type":"TOOL_CALL_START","toolCallId":"c"}
        owner-mismatch  {"type":"TOOL_CALL_END","toolCallId":"c","subagentRunId":"s"}
        ok              {"type":"TOOL_CALL_END","toolCallId":"c"}
        not-open        {"type":"TOOL_CALL_END","toolCallId":"c"}
    "#);
}

#[test]
fn s9_a_result_needs_a_call_that_was_introduced_and_has_ended() {
    run(r#"
        unknown-id    {"type":"TOOL_CALL_RESULT","toolCallId":"c","messageId":"o"}
        ok            {"type":"TOOL_CALL_START","toolCallId":"c","subagentRunId":"s"}
        out-of-order  {"type":"TOOL_CALL_RESULT","toolCallId":"c","messageId":"o"}
        ok            {"type":"TOOL_CALL_END","toolCallId":"c"}
        ok            {"type":"TOOL_CALL_RESULT","toolCallId":"c","messageId":"o","subagentRunId":"t"}
        ok            {"type":"TOOL_CALL_CHUNK","toolCallId":"d"}
        ok            {"type":"TOOL_CALL_RESULT","toolCallId":"d","messageId":"o"}
        ok            {"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m","role":"assistant","toolCalls":[{"id":"e"}]}]}
        ok            {"type":"TOOL_CALL_RESULT","toolCallId":"e","messageId":"o"}
    "#);
}

#[test]
fn s9_a_result_mints_its_message_under_its_own_tag() {
    run(r#"
        ok              {"type":"TEXT_MESSAGE_START","messageId":"o","subagentRunId":"s"}
        ok              {"type":"TEXT_MESSAGE_END","messageId":"o"}
        ok              {"type":"TOOL_CALL_CHUNK","toolCallId":"c"}
        unknown-id      {"type":"TOOL_CALL_RESULT","toolCallId":"x","messageId":"o"}
        ok              {"type":"TEXT_MESSAGE_START","messageId":"o","subagentRunId":"s"}
        ok              {"type":"TOOL_CALL_RESULT","toolCallId":"c","messageId":"o"}
        owner-mismatch  {"type":"TEXT_MESSAGE_END","messageId":"o","subagentRunId":"s"}
        ok              {"type":"TOOL_CALL_RESULT","toolCallId":"c","messageId":"o","subagentRunId":"t"}
        ok              {"type":"TEXT_MESSAGE_END","messageId":"o","subagentRunId":"t"}
    "#);
}

#[test]
fn s10_chunks_are_self_contained() {
    run(r#"
        ok              {"type":"TEXT_MESSAGE_CHUNK"}
        ok              {"type":"TOOL_CALL_CHUNK","subagentRunId":"s"}
        ok              {"type":"TEXT_MESSAGE_CHUNK","messageId":"m","subagentRunId":"s"}
        not-open        {"type":"TEXT_MESSAGE_CONTENT","messageId":"m"}
        owner-mismatch  {"type":"TEXT_MESSAGE_CHUNK","messageId":"m","subagentRunId":"t"}
        ok              {"type":"TEXT_MESSAGE_CHUNK","messageId":"m"}
        ok              {"type":"TEXT_MESSAGE_START","messageId":"m"}
        ok              {"type":"TEXT_MESSAGE_CHUNK","messageId":"m"}
        owner-mismatch  {"type":"TEXT_MESSAGE_CHUNK","messageId":"m","subagentRunId":"t"}
        open-at-finish  {"type":"RUN_FINISHED"}
        ok              {"type":"TEXT_MESSAGE_END","messageId":"m","subagentRunId":"s"}
        ok              {"type":"RUN_FINISHED"}
    "#);
}

#[test]
fn s10_reasoning_and_tool_chunks_check_as_their_openers() {
    run(r#"
        ok              {"type":"REASONING_START","messageId":"r","subagentRunId":"s"}
        owner-mismatch  {"type":"REASONING_MESSAGE_CHUNK","messageId":"r","subagentRunId":"t"}
        ok              {"type":"REASONING_MESSAGE_CHUNK","messageId":"q","subagentRunId":"t"}
        owner-mismatch  {"type":"REASONING_START","messageId":"q","subagentRunId":"s"}
        ok              {"type":"TEXT_MESSAGE_CHUNK","messageId":"m","parentMessageId":"x","subagentRunId":"s"}
        owner-mismatch  {"type":"TOOL_CALL_CHUNK","toolCallId":"c","parentMessageId":"m","subagentRunId":"t"}
        ok              {"type":"TOOL_CALL_CHUNK","toolCallId":"c","parentMessageId":"m"}
        owner-mismatch  {"type":"TOOL_CALL_START","toolCallId":"c","subagentRunId":"t"}
        ok              {"type":"TOOL_CALL_START","toolCallId":"c","subagentRunId":"s"}
    "#);
}

#[test]
fn s11_an_encrypted_value_agrees_with_a_recorded_owner() {
    run(r#"
        ok              {"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"x","subagentRunId":"s"}
        ok              {"type":"TOOL_CALL_START","toolCallId":"x","subagentRunId":"s"}
        ok              {"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"x","subagentRunId":"t"}
        owner-mismatch  {"type":"REASONING_ENCRYPTED_VALUE","subtype":"tool-call","entityId":"x","subagentRunId":"t"}
        ok              {"type":"REASONING_ENCRYPTED_VALUE","subtype":"tool-call","entityId":"x"}
        ok              {"type":"REASONING_START","messageId":"x","subagentRunId":"u"}
        owner-mismatch  {"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"x","subagentRunId":"t"}
        ok              {"type":"TEXT_MESSAGE_START","messageId":"x","subagentRunId":"t"}
        ok              {"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"x","subagentRunId":"t"}
        owner-mismatch  {"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"x","subagentRunId":"u"}
        ok              {"type":"REASONING_ENCRYPTED_VALUE","subtype":"other","entityId":"x","subagentRunId":"u"}
    "#);
}

#[test]
fn s12_steps_are_their_owners_own() {
    run(r#"
        ok               {"type":"STEP_STARTED","stepName":"a"}
        duplicate-start  {"type":"STEP_STARTED","stepName":"a"}
        not-open         {"type":"STEP_FINISHED","stepName":"a","subagentRunId":"s"}
        ok               {"type":"STEP_STARTED","stepName":"a","subagentRunId":"s"}
        ok               {"type":"STEP_STARTED","stepName":"a","subagentRunId":""}
        ok               {"type":"STEP_FINISHED","stepName":"a"}
        not-open         {"type":"STEP_FINISHED","stepName":"a"}
        ok               {"type":"STEP_FINISHED","stepName":"a","subagentRunId":"s"}
        ok               {"type":"STEP_STARTED","stepName":"a","subagentRunId":"s"}
    "#);
}

#[test]
fn s13_activities() {
    run(r#"
        ok              {"type":"ACTIVITY_DELTA","messageId":"a","subagentRunId":"s"}
        ok              {"type":"ACTIVITY_SNAPSHOT","messageId":"a","subagentRunId":"s"}
        owner-mismatch  {"type":"ACTIVITY_DELTA","messageId":"a","subagentRunId":"t"}
        ok              {"type":"ACTIVITY_SNAPSHOT","messageId":"a","subagentRunId":"t","replace":false}
        owner-mismatch  {"type":"ACTIVITY_DELTA","messageId":"a","subagentRunId":"t"}
        ok              {"type":"ACTIVITY_SNAPSHOT","messageId":"a","subagentRunId":"t"}
        ok              {"type":"ACTIVITY_DELTA","messageId":"a","subagentRunId":"t"}
        ok              {"type":"ACTIVITY_DELTA","messageId":"a"}
        ok              {"type":"ACTIVITY_SNAPSHOT","messageId":"b","subagentRunId":"t","replace":false}
        owner-mismatch  {"type":"ACTIVITY_DELTA","messageId":"b","subagentRunId":"s"}
        ok              {"type":"TEXT_MESSAGE_START","messageId":"a","subagentRunId":"u"}
    "#);
}

#[test]
fn s14_subagents() {
    run(r#"
        not-open         {"type":"SUBAGENT_FINISHED","subagentRunId":"s"}
        unknown-id       {"type":"SUBAGENT_STARTED","subagentRunId":"s","parentSubagentRunId":"s"}
        ok               {"type":"SUBAGENT_STARTED","subagentRunId":"s"}
        duplicate-start  {"type":"SUBAGENT_STARTED","subagentRunId":"s","parentSubagentRunId":"unknown"}
        ok               {"type":"SUBAGENT_ERROR","subagentRunId":"s"}
        not-open         {"type":"SUBAGENT_FINISHED","subagentRunId":"s"}
        duplicate-start  {"type":"SUBAGENT_STARTED","subagentRunId":"s"}
        ok               {"type":"SUBAGENT_STARTED","subagentRunId":"t","parentSubagentRunId":"s"}
        ok               {"type":"SUBAGENT_STARTED","subagentRunId":""}
        ok               {"type":"SUBAGENT_STARTED","subagentRunId":"u","parentSubagentRunId":""}
    "#);
}

#[test]
fn s15_a_snapshot_replaces_owners_by_bucket_and_opens_and_closes_nothing() {
    run(r#"
        ok              {"type":"TEXT_MESSAGE_START","messageId":"i","subagentRunId":"s"}
        ok              {"type":"REASONING_MESSAGE_START","messageId":"i","subagentRunId":"s"}
        ok              {"type":"TOOL_CALL_START","toolCallId":"i","subagentRunId":"s"}
        ok              {"type":"ACTIVITY_SNAPSHOT","messageId":"i","subagentRunId":"s"}
        ok              {"type":"MESSAGES_SNAPSHOT","messages":[{"id":"i","role":"reasoning","subagentRunId":"t"}]}
        ok              {"type":"TEXT_MESSAGE_CONTENT","messageId":"i","subagentRunId":"s"}
        ok              {"type":"REASONING_MESSAGE_CONTENT","messageId":"i","subagentRunId":"t"}
        ok              {"type":"MESSAGES_SNAPSHOT","messages":[{"id":"i","role":"activity"}]}
        owner-mismatch  {"type":"ACTIVITY_DELTA","messageId":"i","subagentRunId":"s"}
        ok              {"type":"TEXT_MESSAGE_CONTENT","messageId":"i","subagentRunId":"s"}
        ok              {"type":"MESSAGES_SNAPSHOT","messages":[{"id":"i","role":"tool","subagentRunId":"u"}]}
        ok              {"type":"TEXT_MESSAGE_CONTENT","messageId":"i","subagentRunId":"u"}
        ok              {"type":"TOOL_CALL_ARGS","toolCallId":"i","subagentRunId":"s"}
        ok              {"type":"MESSAGES_SNAPSHOT","messages":[{"id":"z","role":"assistant","subagentRunId":"v","toolCalls":[{"id":"i"},{"id":"j"}]}]}
        owner-mismatch  {"type":"TOOL_CALL_ARGS","toolCallId":"i","subagentRunId":"s"}
        not-open        {"type":"TOOL_CALL_ARGS","toolCallId":"j"}
        owner-mismatch  {"type":"TOOL_CALL_START","toolCallId":"j","subagentRunId":"s"}
        open-at-finish  {"type":"RUN_FINISHED"}
    "#);
}

#[test]
fn s16_what_is_not_checked() {
    run(r#"
        ok  {"type":"TEXT_MESSAGE_START","messageId":"m","subagentRunId":"never announced"}
        ok  {"type":"SUBAGENT_STARTED","subagentRunId":"s"}
        ok  {"type":"TEXT_MESSAGE_START","messageId":"n","subagentRunId":"s"}
        ok  {"type":"SUBAGENT_FINISHED","subagentRunId":"s"}
        ok  {"type":"TEXT_MESSAGE_END","messageId":"n","subagentRunId":"s"}
        ok  {"type":"THINKING_TEXT_MESSAGE_END"}
        ok  {"type":"STATE_DELTA","delta":[]}
        ok  {"type":"RAW"}
        ok  {"type":"CUSTOM"}
    "#);
}

#[test]
fn members_of_the_wrong_type() {
    run(r#"
        ok        {"type":"TEXT_MESSAGE_END","messageId":null}
        ok        {"type":"TEXT_MESSAGE_START","messageId":1}
        ok        {"type":"TEXT_MESSAGE_START","messageId":"m","subagentRunId":"s"}
        ok        {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","subagentRunId":null}
        ok        {"type":"TEXT_MESSAGE_END","messageId":"m","subagentRunId":5}
        ok        {"type":"RUN_FINISHED"}
    "#);
}
