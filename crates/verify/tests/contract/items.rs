//! Run scope, sentences 1 to 8: the run, messages, reasoning and tool calls.

use conform_verify::{Breach, EntityKind, Rule};

use crate::support::{at, entity, owner, run};

#[test]
fn s1_what_follows_the_end_learns_which_event_ended_the_run_and_where() {
    for (end, by_error) in [("RUN_FINISHED", false), ("RUN_ERROR", true)] {
        let mut run = run();
        run.ok("RUN_STARTED r1");
        run.ok(end);
        for line in ["RAW", "CUSTOM note", "NO_SUCH_TYPE", "THINKING_END", "{}", "RUN_STARTED r2"] {
            let line = if line == "{}" { r#"{"id":1}"# } else { line };
            assert_eq!(run.breach(line), Breach::RunEnded { by_error, at: at(1) });
        }
    }
}

#[test]
fn s2_a_second_start_learns_where_the_first_is() {
    let mut run = run();
    run.ok("STEP_STARTED s
        RUN_STARTED r1");
    let breach = run.breach("RUN_STARTED r2");
    assert_eq!(breach, Breach::RunAlreadyStarted { at: at(1) });
    assert_eq!((breach.related(), breach.entity()), (Some(at(1)), None));
}

#[test]
fn s2_an_echo_owns_what_has_no_owner_yet_since_the_start() {
    let mut run = run();
    run.ok("TEXT_MESSAGE_START m1 @a");
    run.ok(r#"RUN_STARTED r1 input:={"messages":[
        {"id":"m1","role":"user"},{"id":"m2","role":"user","subagentRunId":"b"},
        {"id":"m2","role":"user","subagentRunId":"c"}]}"#
        .replace("\n        ", "")
        .as_str());
    let breach = run.breach("TEXT_MESSAGE_CONTENT m1 @b");
    assert_eq!((breach.owner(), breach.related()), (Some(&owner(Some("a"))), Some(at(0))));
    let breach = run.breach("TEXT_MESSAGE_START m2 @a");
    assert_eq!((breach.owner(), breach.related()), (Some(&owner(Some("b"))), Some(at(1))));
}

/// The first opened of the first kind that has any, in the order of the contract.
#[test]
fn s3_a_finish_names_the_first_of_the_first_kind_and_counts_the_rest() {
    let mut run = run();
    run.ok("SUBAGENT_STARTED sub2
        SUBAGENT_STARTED sub1
        STEP_STARTED s2
        STEP_STARTED s1 @a
        TOOL_CALL_START c2
        TOOL_CALL_START c1 @a
        REASONING_START g2
        REASONING_START g1 @a
        REASONING_MESSAGE_START h2 @b
        REASONING_MESSAGE_START h1
        TEXT_MESSAGE_START m2 @a
        TEXT_MESSAGE_START m1");
    let a = || Some(owner(Some("a")));
    let parent = || Some(owner(None));
    for (kind, id, who, since, close) in [
        (EntityKind::TextMessage, "m2", a(), 10, "TEXT_MESSAGE_END m2"),
        (EntityKind::TextMessage, "m1", parent(), 11, "TEXT_MESSAGE_END m1"),
        (EntityKind::ReasoningMessage, "h2", Some(owner(Some("b"))), 8, "REASONING_MESSAGE_END h2"),
        (EntityKind::ReasoningMessage, "h1", parent(), 9, "REASONING_MESSAGE_END h1"),
        (EntityKind::ReasoningSpan, "g2", parent(), 6, "REASONING_END g2"),
        (EntityKind::ReasoningSpan, "g1", a(), 7, "REASONING_END g1"),
        (EntityKind::ToolCall, "c2", parent(), 4, "TOOL_CALL_END c2"),
        (EntityKind::ToolCall, "c1", a(), 5, "TOOL_CALL_END c1"),
        (EntityKind::Step, "s2", parent(), 2, "STEP_FINISHED s2"),
        (EntityKind::Step, "s1", a(), 3, "STEP_FINISHED s1 @a"),
        (EntityKind::Subagent, "sub2", None, 0, "SUBAGENT_FINISHED sub2"),
        (EntityKind::Subagent, "sub1", None, 1, "SUBAGENT_ERROR sub1"),
    ] {
        let breach = run.breach("RUN_FINISHED");
        assert_eq!(entity(&breach), (kind, id));
        assert_eq!((breach.owner(), breach.related()), (who.as_ref(), Some(at(since))));
        run.ok(close);
    }
    run.ok("RUN_FINISHED");
}

#[test]
fn s3_a_finish_counts_what_is_open_of_every_kind_and_owner() {
    let more = |opened: &str| {
        let mut run = run();
        run.ok(opened);
        match run.breach("RUN_FINISHED") {
            Breach::OpenAtFinish { more, .. } => more,
            other => unreachable!("{other:?}"),
        }
    };
    assert_eq!(more("TEXT_MESSAGE_START m"), 0);
    assert_eq!(more("REASONING_START g\nREASONING_MESSAGE_START g"), 1);
    assert_eq!(more("TEXT_MESSAGE_START x\nTOOL_CALL_START x\nSTEP_STARTED x"), 2);
    assert_eq!(more("STEP_STARTED s\nSTEP_STARTED s @a\nSTEP_STARTED s @b"), 2);
    assert_eq!(more("SUBAGENT_STARTED a\nSUBAGENT_STARTED b"), 1);
    assert_eq!(more("STEP_STARTED s\nTEXT_MESSAGE_START m\nTEXT_MESSAGE_END m"), 0);
}

#[test]
fn s3_what_is_opened_again_counts_from_its_last_opening() {
    let mut run = run();
    run.ok("TEXT_MESSAGE_START m1
        TEXT_MESSAGE_START m2
        TEXT_MESSAGE_END m1
        TEXT_MESSAGE_START m1");
    assert_eq!(entity(&run.breach("RUN_FINISHED")).1, "m2");
    run.ok("TEXT_MESSAGE_END m2");
    assert_eq!(run.breach("RUN_FINISHED").related(), Some(at(3)));
}

#[test]
fn s4_an_error_ends_the_run_whatever_is_open() {
    let mut run = run();
    run.ok("TEXT_MESSAGE_START m
        RUN_ERROR");
    assert_eq!(run.breach("RUN_ERROR"), Breach::RunEnded { by_error: true, at: at(1) });
}

#[test]
fn s5_an_opening_learns_of_the_owner_before_it_learns_that_the_item_is_open() {
    for (start, kind) in [
        ("TEXT_MESSAGE_START", EntityKind::TextMessage),
        ("REASONING_START", EntityKind::ReasoningSpan),
        ("REASONING_MESSAGE_START", EntityKind::ReasoningMessage),
    ] {
        let mut run = run();
        run.ok(&format!("RAW\n{start} x @a"));
        let breach = run.breach(&format!("{start} x @b"));
        let Breach::WrongOwner { owner: recorded, claimed, at: since, .. } = &breach else {
            unreachable!("{breach:?}")
        };
        assert_eq!((recorded, claimed), (&owner(Some("a")), &owner(Some("b"))));
        assert_eq!((entity(&breach), *since), ((kind, "x"), at(1)));
        let breach = run.breach(&format!("{start} x"));
        let Breach::AlreadyOpen { owner: held, since, .. } = &breach else {
            unreachable!("{breach:?}")
        };
        assert_eq!((held, *since), (&Some(owner(Some("a"))), at(1)));
        assert_eq!(entity(&breach), (kind, "x"));
    }
}

#[test]
fn s5_closing_and_opening_again_keep_the_first_writer() {
    let mut run = run();
    run.ok("TEXT_MESSAGE_START m @a
        TEXT_MESSAGE_END m
        TEXT_MESSAGE_START m");
    let breach = run.breach("TEXT_MESSAGE_CONTENT m @b");
    assert_eq!((breach.owner(), breach.related()), (Some(&owner(Some("a"))), Some(at(0))));
    let breach = run.breach("TEXT_MESSAGE_START m");
    assert_eq!(breach.related(), Some(at(2)), "open since its last opening");
}

#[test]
fn s5_a_span_and_the_message_in_it_share_an_owner_and_nothing_else() {
    let mut run = run();
    run.ok("REASONING_START g @a
        REASONING_END g");
    let breach = run.breach("REASONING_MESSAGE_START g @b");
    assert_eq!((breach.owner(), breach.related()), (Some(&owner(Some("a"))), Some(at(0))));
    let Breach::NotOpen { closed_at, .. } = run.breach("REASONING_MESSAGE_END g") else {
        unreachable!("not open")
    };
    assert_eq!(closed_at, None, "that the span is closed is no matter of the message");
}

#[test]
fn s6_a_continuation_learns_where_its_item_was_closed() {
    for (start, content, end, kind) in [
        ("TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", EntityKind::TextMessage),
        ("TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", EntityKind::ToolCall),
        ("REASONING_START", "REASONING_END", "REASONING_END", EntityKind::ReasoningSpan),
    ] {
        let mut run = run();
        let never = run.breach(&format!("{content} x"));
        assert_eq!((entity(&never), never.related(), never.owner()), ((kind, "x"), None, None));
        run.ok(&format!("{start} x @a\n{end} x"));
        // Whether it is open comes before whose it is.
        let breach = run.breach(&format!("{content} x @b"));
        assert_eq!(breach.rule(), Some(Rule::NotOpen));
        assert_eq!((entity(&breach), breach.related()), ((kind, "x"), Some(at(2))));
        run.ok(&format!("{start} x\n{end} x"));
        assert_eq!(run.breach(&format!("{end} x")).related(), Some(at(5)), "closed last");
    }
}

#[test]
fn s6_a_tag_is_compared_and_its_absence_is_not() {
    let mut run = run();
    run.ok("TEXT_MESSAGE_START m1
        TEXT_MESSAGE_START m2 @a
        TEXT_MESSAGE_CONTENT m1
        TEXT_MESSAGE_CONTENT m2");
    let Breach::WrongOwner { owner: recorded, claimed, .. } = run.breach("TEXT_MESSAGE_END m1 @a")
    else {
        unreachable!("owner mismatch")
    };
    assert_eq!((recorded, claimed), (owner(None), owner(Some("a"))));
    let breach = run.breach("TEXT_MESSAGE_END m2 @\"\"");
    assert!(
        matches!(&breach, Breach::WrongOwner { claimed, .. } if *claimed == owner(Some(""))),
        "the empty string is a tag"
    );
    run.ok(r#"{"type":"TEXT_MESSAGE_END","messageId":"m2","subagentRunId":null}"#);
    run.ok(r#"{"type":"TEXT_MESSAGE_END","messageId":"m1","subagentRunId":7}"#);
}

#[test]
fn s6_what_was_given_to_another_is_held_to_the_new_owner() {
    let mut run = run();
    run.ok("TEXT_MESSAGE_START m1 @a
        TEXT_MESSAGE_START m2 @a
        TOOL_CALL_START c
        TOOL_CALL_END c
        TOOL_CALL_RESULT c messageId=m1 @b");
    run.ok(r#"MESSAGES_SNAPSHOT messages:=[{"id":"m2","role":"assistant","subagentRunId":"c"}]"#);
    for (id, who, since) in [("m1", "b", 4), ("m2", "c", 5)] {
        let breach = run.breach(&format!("TEXT_MESSAGE_CONTENT {id} @a"));
        assert_eq!((breach.owner(), breach.related()), (Some(&owner(Some(who))), Some(at(since))));
        run.ok(&format!("TEXT_MESSAGE_CONTENT {id} @{who}"));
    }
    // It is open under the new owner since the old one opened it.
    let breach = run.breach("RUN_FINISHED");
    assert_eq!((breach.owner(), breach.related()), (Some(&owner(Some("b"))), Some(at(0))));
}

#[test]
fn s7_a_call_under_anothers_message_learns_of_the_message() {
    let mut run = run();
    run.ok("TEXT_MESSAGE_START m @a");
    let breach = run.breach("TOOL_CALL_START c parentMessageId=m @b");
    let Breach::WrongParentOwner { parent_message, owner: recorded, claimed, at: since, .. } =
        &breach
    else {
        unreachable!("{breach:?}")
    };
    assert_eq!((&**parent_message, *since), ("m", at(0)));
    assert_eq!((recorded, claimed), (&owner(Some("a")), &owner(Some("b"))));
    assert_eq!(entity(&breach), (EntityKind::ToolCall, "c"));
    assert_eq!((breach.owner(), breach.related()), (Some(&owner(Some("a"))), Some(at(0))));
    run.ok("TOOL_CALL_START c parentMessageId=unseen @b");
}

#[test]
fn s7_the_parent_messages_owner_comes_before_the_calls() {
    let mut run = run();
    run.ok("TEXT_MESSAGE_START m @a
        TOOL_CALL_START c @c");
    let breach = run.breach("TOOL_CALL_START c parentMessageId=m @b");
    assert!(matches!(breach, Breach::WrongParentOwner { .. }), "{breach:?}");
    let breach = run.breach("TOOL_CALL_START c @b");
    assert!(matches!(breach, Breach::WrongOwner { .. }), "{breach:?}");
    let breach = run.breach("TOOL_CALL_START c @c");
    assert!(matches!(breach, Breach::AlreadyOpen { .. }), "{breach:?}");
}

#[test]
fn s7_without_a_tag_the_parent_messages_owner_is_asserted() {
    let mut run = run();
    run.ok("TEXT_MESSAGE_START m @a
        TEXT_MESSAGE_START n
        TOOL_CALL_START c parentMessageId=m
        TOOL_CALL_END c");
    let breach = run.breach("TOOL_CALL_START c parentMessageId=n");
    let Breach::WrongOwner { owner: recorded, claimed, at: since, .. } = breach else {
        unreachable!("{breach:?}")
    };
    assert_eq!((recorded, claimed, since), (owner(Some("a")), owner(None), at(2)));
    // Nothing is asserted, and what is known stays.
    run.ok("TOOL_CALL_START c");
    assert_eq!(run.breach("TOOL_CALL_END c @b").owner(), Some(&owner(Some("a"))));
}

#[test]
fn s7_where_nothing_is_asserted_or_known_a_call_is_the_parent_agents() {
    let mut run = run();
    run.ok("TOOL_CALL_START c parentMessageId=unseen");
    assert_eq!(run.breach("TOOL_CALL_ARGS c @a").owner(), Some(&owner(None)));
}

#[test]
fn s8_arguments_and_end_are_held_to_the_owner_in_force() {
    let mut run = run();
    run.ok("TEXT_MESSAGE_START m @a
        TOOL_CALL_START c parentMessageId=m");
    for line in ["TOOL_CALL_ARGS c @b", "TOOL_CALL_END c @b"] {
        let breach = run.breach(line);
        assert_eq!(entity(&breach), (EntityKind::ToolCall, "c"));
        assert_eq!((breach.owner(), breach.related()), (Some(&owner(Some("a"))), Some(at(1))));
    }
}
