//! Run scope, sentences 9 to 16: results, chunks, steps, activities, subagents, snapshots.

use conform_verify::{Breach, EntityKind, Rule};

use crate::support::{at, entity, owner, run};

#[test]
fn s9_a_result_learns_that_its_call_is_unknown_or_still_open() {
    let mut run = run();
    let breach = run.breach("TOOL_CALL_RESULT c messageId=m");
    assert!(matches!(breach, Breach::UnknownCall { may_be_earlier: false, .. }));
    assert_eq!((entity(&breach), breach.related()), ((EntityKind::ToolCall, "c"), None));
    run.ok("TOOL_CALL_START c @a");
    let breach = run.breach("TOOL_CALL_RESULT c messageId=m");
    assert_eq!(breach.rule(), Some(Rule::OutOfOrder));
    assert_eq!((entity(&breach), breach.related()), ((EntityKind::ToolCall, "c"), Some(at(1))));
}

#[test]
fn s9_start_chunk_snapshot_and_echo_introduce_a_call() {
    let listed = r#"[{"id":"x","role":"assistant","toolCalls":[{"id":"c"}]}]"#;
    for introduction in [
        "TOOL_CALL_START c\nTOOL_CALL_END c",
        "TOOL_CALL_CHUNK c",
        &format!("MESSAGES_SNAPSHOT messages:={listed}"),
        &format!(r#"RUN_STARTED r1 input:={{"messages":{listed}}}"#),
    ] {
        let mut run = run();
        run.ok(introduction);
        run.ok("TOOL_CALL_RESULT c messageId=m @a");
    }
}

#[test]
fn s9_a_result_mints_its_message_under_its_own_tag() {
    let mut run = run();
    run.ok("TEXT_MESSAGE_CHUNK m @b
        TOOL_CALL_START c @a
        TOOL_CALL_END c
        TOOL_CALL_RESULT c messageId=m");
    let breach = run.breach("TEXT_MESSAGE_START m @b");
    assert_eq!((breach.owner(), breach.related()), (Some(&owner(None)), Some(at(3))));
    let breach = run.breach("TOOL_CALL_START c @b");
    assert_eq!(breach.owner(), Some(&owner(Some("a"))), "the call stays its owner's");
}

#[test]
fn s10_a_chunk_records_and_opens_nothing() {
    let mut run = run();
    run.ok("TEXT_MESSAGE_CHUNK m @a
        REASONING_MESSAGE_CHUNK g @a
        TOOL_CALL_CHUNK c parentMessageId=m");
    for (line, kind, since) in [
        ("TEXT_MESSAGE_CHUNK m @b", EntityKind::TextMessage, 0),
        ("REASONING_MESSAGE_CHUNK g @b", EntityKind::ReasoningMessage, 1),
        ("TOOL_CALL_CHUNK c @b", EntityKind::ToolCall, 2),
    ] {
        let breach = run.breach(line);
        assert_eq!((entity(&breach).0, breach.related()), (kind, Some(at(since))));
        assert_eq!(breach.owner(), Some(&owner(Some("a"))));
    }
    for line in ["TEXT_MESSAGE_END m", "REASONING_MESSAGE_END g", "TOOL_CALL_ARGS c"] {
        let breach = run.breach(line);
        assert_eq!((breach.rule(), breach.related()), (Some(Rule::NotOpen), None));
    }
    run.ok("RUN_FINISHED");
}

#[test]
fn s10_a_chunk_leaves_open_what_a_start_opened() {
    let mut run = run();
    run.ok("TOOL_CALL_START c
        TOOL_CALL_CHUNK c
        TEXT_MESSAGE_CHUNK
        TOOL_CALL_ARGS c");
    assert_eq!(run.breach("RUN_FINISHED").related(), Some(at(0)));
}

#[test]
fn s11_an_encrypted_value_looks_at_the_kind_it_names() {
    let mut run = run();
    run.ok("TOOL_CALL_START x @a
        TEXT_MESSAGE_START x @b
        REASONING_START x @c
        REASONING_START y @d");
    for (id, subtype, kind, who, since) in [
        ("x", "tool-call", EntityKind::ToolCall, "a", 0),
        ("x", "message", EntityKind::TextMessage, "b", 1),
        ("y", "message", EntityKind::ReasoningMessage, "d", 3),
    ] {
        let value = format!("REASONING_ENCRYPTED_VALUE {id} subtype={subtype}");
        let breach = run.breach(&format!("{value} @z"));
        assert_eq!(entity(&breach), (kind, id));
        assert_eq!((breach.owner(), breach.related()), (Some(&owner(Some(who))), Some(at(since))));
        run.ok(&format!("{value} @{who}\n{value}"));
    }
    run.ok("REASONING_ENCRYPTED_VALUE y subtype=tool-call @z
        REASONING_ENCRYPTED_VALUE unknown subtype=message @z
        REASONING_ENCRYPTED_VALUE x @z");
}

#[test]
fn s12_an_end_of_anothers_step_learns_under_whom_it_is_open() {
    let mut run = run();
    let breach = run.breach("STEP_FINISHED s @a");
    assert!(matches!(breach, Breach::NotOpen { elsewhere: None, .. }));
    run.ok("STEP_STARTED s @b
        STEP_STARTED s @c
        STEP_STARTED s");
    for (who, since, close) in
        [(Some("b"), 1, "STEP_FINISHED s @b"), (Some("c"), 2, "STEP_FINISHED s @c")]
    {
        let breach = run.breach("STEP_FINISHED s @a");
        let Breach::NotOpen { elsewhere: Some(elsewhere), .. } = &breach else {
            unreachable!("{breach:?}")
        };
        assert_eq!(elsewhere, &(owner(who), at(since)), "who opened it first");
        assert_eq!((breach.owner(), breach.related()), (Some(&owner(who)), Some(at(since))));
        assert_eq!(entity(&breach), (EntityKind::Step, "s"));
        run.ok(close);
    }
    assert_eq!(run.breach("STEP_FINISHED s @a").owner(), Some(&owner(None)));
}

#[test]
fn s12_a_step_is_keyed_by_owner_and_name() {
    let mut run = run();
    run.ok("STEP_STARTED s @a
        STEP_STARTED s
        STEP_STARTED t @a");
    for (line, who, since) in [("STEP_STARTED s @a", Some("a"), 0), ("STEP_STARTED s", None, 1)] {
        let breach = run.breach(line);
        assert_eq!(breach.rule(), Some(Rule::DuplicateStart));
        assert_eq!(entity(&breach), (EntityKind::Step, "s"));
        assert_eq!((breach.owner(), breach.related()), (Some(&owner(who)), Some(at(since))));
    }
}

#[test]
fn s13_an_activity_belongs_to_whoever_wrote_it_last_and_did_replace() {
    let mut run = run();
    run.ok("ACTIVITY_DELTA v @z
        ACTIVITY_SNAPSHOT v @a replace:=false
        ACTIVITY_SNAPSHOT v @b replace:=false");
    let breach = run.breach("ACTIVITY_DELTA v @b");
    assert_eq!(entity(&breach), (EntityKind::Activity, "v"));
    assert_eq!((breach.owner(), breach.related()), (Some(&owner(Some("a"))), Some(at(1))));
    run.ok("ACTIVITY_SNAPSHOT v @b");
    let breach = run.breach("ACTIVITY_DELTA v @a");
    assert_eq!((breach.owner(), breach.related()), (Some(&owner(Some("b"))), Some(at(4))));
}

#[test]
fn s14_a_subagents_id_is_used_once() {
    let mut run = run();
    run.ok("SUBAGENT_STARTED a");
    let breach = run.breach("SUBAGENT_STARTED a parentSubagentRunId=unknown");
    assert!(matches!(breach, Breach::AlreadyOpen { owner: None, .. }), "{breach:?}");
    assert_eq!((entity(&breach), breach.related()), ((EntityKind::Subagent, "a"), Some(at(0))));
    run.ok("SUBAGENT_ERROR a");
    let breach = run.breach("SUBAGENT_STARTED a");
    assert!(matches!(breach, Breach::AlreadyFinished { .. }), "{breach:?}");
    assert_eq!((entity(&breach), breach.related()), ((EntityKind::Subagent, "a"), Some(at(2))));
    let breach = run.breach("SUBAGENT_FINISHED a");
    assert_eq!((breach.rule(), breach.related()), (Some(Rule::NotOpen), Some(at(2))));
}

#[test]
fn s14_an_unknown_parent_is_what_the_refusal_is_about() {
    let mut run = run();
    let breach = run.breach("SUBAGENT_STARTED child parentSubagentRunId=parent");
    let Breach::UnknownParent { child, .. } = &breach else { unreachable!("{breach:?}") };
    assert_eq!((&**child, entity(&breach)), ("child", (EntityKind::Subagent, "parent")));
    run.ok("SUBAGENT_STARTED parent
        SUBAGENT_FINISHED parent
        SUBAGENT_STARTED child parentSubagentRunId=parent");
}

#[test]
fn s15_a_snapshot_gives_each_message_to_its_tag_in_the_bucket_of_its_role() {
    let mut run = run();
    run.ok("TEXT_MESSAGE_START x @a
        REASONING_START x @a
        ACTIVITY_SNAPSHOT x @a
        TOOL_CALL_START x @a
        TEXT_MESSAGE_START unlisted @a");
    run.ok(concat!(
        r#"MESSAGES_SNAPSHOT messages:=[{"id":"x","role":"reasoning","subagentRunId":"b"},"#,
        r#"{"id":"x","role":"activity","subagentRunId":"c"},"#,
        r#"{"id":"x","role":"assistant","toolCalls":[{"id":"x"},{"id":"y"}]},"#,
        r#"{"id":"u","role":"user","toolCalls":[{"id":"z"}]}]"#
    ));
    for (line, who, since) in [
        ("TEXT_MESSAGE_CONTENT x @a", None, 5),
        ("REASONING_END x @a", Some("b"), 5),
        ("ACTIVITY_DELTA x @a", Some("c"), 5),
        ("TOOL_CALL_ARGS x @a", None, 5),
        ("TOOL_CALL_START y @a", None, 5),
        ("TEXT_MESSAGE_CONTENT unlisted @b", Some("a"), 4),
    ] {
        let breach = run.breach(line);
        assert_eq!((breach.owner(), breach.related()), (Some(&owner(who)), Some(at(since))));
    }
    run.breaks(Rule::UnknownId, "TOOL_CALL_RESULT z");
}

#[test]
fn s15_a_snapshot_opens_and_closes_nothing() {
    let mut run = run();
    run.ok("TEXT_MESSAGE_START m1");
    run.ok(r#"MESSAGES_SNAPSHOT messages:=[{"id":"m1","role":"user"},{"id":"m2","role":"user"}]"#);
    let breach = run.breach("TEXT_MESSAGE_CONTENT m2");
    assert_eq!((breach.rule(), breach.related()), (Some(Rule::NotOpen), None));
    assert_eq!(run.breach("RUN_FINISHED").related(), Some(at(0)));
}

#[test]
fn s16_a_subagent_may_outlive_its_end_and_need_not_be_announced() {
    let mut run = run();
    run.ok("TEXT_MESSAGE_START m @unannounced
        SUBAGENT_STARTED a
        TEXT_MESSAGE_START n @a
        SUBAGENT_FINISHED a
        TEXT_MESSAGE_CONTENT n @a
        STEP_STARTED s @a
        THINKING_START
        THINKING_START
        STATE_DELTA
        RAW
        CUSTOM note");
    let breach = run.breach("TEXT_MESSAGE_END n @unannounced");
    assert_eq!((breach.owner(), breach.related()), (Some(&owner(Some("a"))), Some(at(2))));
}

#[test]
fn what_has_an_unreadable_id_is_hidden() {
    let mut run = run();
    run.ok(r#"{"type":"TEXT_MESSAGE_END","messageId":7}"#);
    run.ok(r#"{"type":"STEP_FINISHED"}"#);
    run.ok("RUN_ERROR");
    run.breaks(Rule::RunEnded, r#"{"type":"TEXT_MESSAGE_END","messageId":7}"#);
}

/// The facts of every refusal are those from before it, however often it is sent.
#[test]
fn a_rejected_event_changes_nothing() {
    let mut run = run();
    run.ok("RUN_STARTED r1
        TEXT_MESSAGE_START m @a
        TOOL_CALL_START c @a
        STEP_STARTED s @a
        SUBAGENT_STARTED sub
        ACTIVITY_SNAPSHOT v @a");
    for line in [
        "RUN_STARTED r2",
        "TEXT_MESSAGE_START m",
        "TEXT_MESSAGE_END m @b",
        "TOOL_CALL_RESULT c messageId=m @b",
        "TOOL_CALL_RESULT unknown messageId=m @b",
        "TOOL_CALL_CHUNK c @b",
        "TOOL_CALL_START d parentMessageId=m @b",
        "STEP_FINISHED s",
        "SUBAGENT_STARTED child parentSubagentRunId=nobody",
        "ACTIVITY_DELTA v @b",
        "RUN_FINISHED",
    ] {
        let first = run.breach(line);
        assert_eq!(run.breach(line), first, "{line}");
    }
    run.breaks(Rule::UnknownId, "TOOL_CALL_RESULT d");
    run.breaks(Rule::NotOpen, "SUBAGENT_FINISHED child");
    run.ok("TEXT_MESSAGE_END m @a
        TOOL_CALL_END c @a
        STEP_FINISHED s @a
        SUBAGENT_FINISHED sub
        ACTIVITY_DELTA v @a
        RUN_FINISHED");
}
