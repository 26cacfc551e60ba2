//! Messages, reasoning and tool calls, in a run.

use conform_verify::{Breach, Rule};

use crate::support::{at, entity, owner, run};

/// Family, id member included, and the types of its start, content and end.
const FAMILIES: &[[&str; 3]] = &[
    ["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"],
    ["REASONING_MESSAGE_START", "REASONING_MESSAGE_CONTENT", "REASONING_MESSAGE_END"],
    ["TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END"],
];

#[test]
fn a_refused_start_opens_its_item() {
    for [start, content, end] in FAMILIES {
        let mut run = run();
        run.ok(&format!("{start} x @a\n{end} x @a"));
        run.assume(&format!("{start} x @b"));
        run.ok(&format!("{content} x @b"));
        let breach = run.breach("RUN_FINISHED");
        assert_eq!((entity(&breach).1, breach.related()), ("x", Some(at(2))));
        run.ok(&format!("{end} x @b\nRUN_FINISHED"));
    }
}

#[test]
fn a_refused_span_opens() {
    let mut run = run();
    run.ok("REASONING_MESSAGE_START g @a");
    run.assume("REASONING_START g @b");
    run.ok("REASONING_END g @b
        REASONING_MESSAGE_END g @a
        RUN_FINISHED");
}

#[test]
fn a_tag_passes_beside_the_owner() {
    for [start, content, end] in FAMILIES {
        let mut run = run();
        run.ok(&format!("{start} x @a"));
        run.assume(&format!("{content} x @b"));
        run.ok(&format!("{content} x @b\n{content} x @a"));
        let breach = run.breach(&format!("{content} x @c"));
        assert_eq!(breach.owner(), Some(&owner(Some("a"))), "the owner stays");
        run.ok(&format!("{end} x @b"));
    }
}

#[test]
fn only_the_last_claim_passes_beside_the_owner() {
    let mut run = run();
    run.ok("TEXT_MESSAGE_START m @a");
    run.assume("TEXT_MESSAGE_CONTENT m @b");
    run.assume("TEXT_MESSAGE_CONTENT m @c");
    run.ok("TEXT_MESSAGE_CONTENT m @a
        TEXT_MESSAGE_CONTENT m @c");
    run.breaks(Rule::OwnerMismatch, "TEXT_MESSAGE_CONTENT m @b");
}

#[test]
fn what_names_nobody_takes_no_claim_back() {
    let mut run = run();
    run.ok("TEXT_MESSAGE_START m @a");
    run.assume("TEXT_MESSAGE_CONTENT m @b");
    run.assume("TEXT_MESSAGE_START m");
    run.ok("TEXT_MESSAGE_CONTENT m @b");
}

#[test]
fn what_started_twice_needs_two_ends() {
    for [start, content, end] in FAMILIES {
        let mut run = run();
        run.ok(&format!("{start} x"));
        run.assume(&format!("{start} x"));
        run.ok(&format!("{end} x\n{content} x"));
        let breach = run.breach("RUN_FINISHED");
        assert_eq!(breach.related(), Some(at(0)), "it is the same item still");
        run.ok(&format!("{end} x"));
        run.breaks(Rule::NotOpen, &format!("{end} x"));
        run.ok("RUN_FINISHED");
    }
}

#[test]
fn what_started_twice_under_two_tags_is_held_by_both() {
    let mut run = run();
    run.ok("TEXT_MESSAGE_START m @a");
    run.assume("TEXT_MESSAGE_START m @b");
    run.ok("TEXT_MESSAGE_END m @b
        TEXT_MESSAGE_CONTENT m @a
        TEXT_MESSAGE_END m @a
        RUN_FINISHED");
}

#[test]
fn content_opens_what_nothing_opened() {
    for [_, content, end] in FAMILIES {
        let mut run = run();
        run.assume(&format!("{content} x @a"));
        run.ok(&format!("{content} x @a"));
        let breach = run.breach(&format!("{content} x @b"));
        assert_eq!(breach.owner(), Some(&owner(Some("a"))), "its tag is the owner");
        assert_eq!(run.breach("RUN_FINISHED").related(), Some(at(0)));
        run.ok(&format!("{end} x @a\nRUN_FINISHED"));
    }
}

/// The start that would say whose it is is missing.
#[test]
fn what_content_without_a_tag_opened_is_anyones() {
    for [_, content, end] in FAMILIES {
        let mut run = run();
        run.assume(&format!("{content} x"));
        run.ok(&format!("{content} x @a\n{content} x @b\n{end} x @c"));
    }
}

#[test]
fn what_was_known_before_content_without_a_tag_opened_it_stays_its_owners() {
    let mut run = run();
    run.ok("TEXT_MESSAGE_CHUNK m @a");
    run.assume("TEXT_MESSAGE_CONTENT m");
    run.breaks(Rule::OwnerMismatch, "TEXT_MESSAGE_CONTENT m @b");
}

#[test]
fn content_opens_again_what_was_closed() {
    let mut run = run();
    run.ok("TEXT_MESSAGE_START m @a
        TEXT_MESSAGE_END m @a");
    run.assume("TEXT_MESSAGE_CONTENT m @b");
    run.ok("TEXT_MESSAGE_CONTENT m @b
        TEXT_MESSAGE_CONTENT m @a
        TEXT_MESSAGE_END m
        RUN_FINISHED");
}

#[test]
fn content_under_a_wrong_tag_opens_nothing_more() {
    let mut run = run();
    run.ok("TEXT_MESSAGE_START m @a");
    run.assume("TEXT_MESSAGE_CONTENT m @b");
    run.ok("TEXT_MESSAGE_END m @a
        RUN_FINISHED");
}

#[test]
fn an_end_under_a_wrong_tag_closes() {
    for [start, content, end] in FAMILIES {
        let mut run = run();
        run.ok(&format!("{start} other @b\n{start} x @a"));
        run.assume(&format!("{end} x @b"));
        run.breaks(Rule::NotOpen, &format!("{content} x @a"));
        run.ok(&format!("{end} other @b\nRUN_FINISHED"));
    }
}

#[test]
fn the_tag_of_an_end_passes_beside_the_owner() {
    for [start, content, end] in FAMILIES {
        let mut run = run();
        run.ok(&format!("{start} x @a"));
        run.assume(&format!("{end} x @b"));
        run.ok(&format!("{start} x @b\n{content} x @a"));
        run.breaks(Rule::OwnerMismatch, &format!("{content} x @c"));
    }
}

#[test]
fn the_tag_of_an_end_under_an_unknown_id_owns_it() {
    let mut run = run();
    run.assume("TEXT_MESSAGE_END m @a");
    let breach = run.breach("TEXT_MESSAGE_START m @b");
    assert_eq!((breach.owner(), breach.related()), (Some(&owner(Some("a"))), Some(at(0))));
}

#[test]
fn an_end_of_what_was_closed_closes_nothing() {
    let mut run = run();
    run.ok("TEXT_MESSAGE_START m1
        TEXT_MESSAGE_END m1
        TEXT_MESSAGE_START m2");
    run.assume("TEXT_MESSAGE_END m1");
    run.ok("TEXT_MESSAGE_CONTENT m2");
}

#[test]
fn an_end_under_an_unknown_id_closes_what_its_tag_opened_last() {
    for [start, content, end] in FAMILIES {
        let mut run = run();
        run.ok(&format!("{start} x1 @a\n{start} x2 @a\n{start} x3 @b"));
        run.assume(&format!("{end} nobody @a"));
        run.ok(&format!("{content} x1\n{content} x3"));
        run.breaks(Rule::NotOpen, &format!("{content} x2"));
    }
}

#[test]
fn an_end_without_a_tag_speaks_for_everybody() {
    let mut run = run();
    run.ok("TEXT_MESSAGE_START m1 @b
        TEXT_MESSAGE_START m2 @a");
    run.assume("TEXT_MESSAGE_END nobody");
    run.ok("TEXT_MESSAGE_CONTENT m1");
    run.breaks(Rule::NotOpen, "TEXT_MESSAGE_CONTENT m2");
}

#[test]
fn an_end_under_an_unknown_id_keeps_to_its_kind_and_its_tag() {
    let mut run = run();
    run.ok("TEXT_MESSAGE_START m @a
        TOOL_CALL_START c @b");
    run.assume("TEXT_MESSAGE_END nobody @b");
    run.assume("REASONING_MESSAGE_END nobody");
    run.ok("TEXT_MESSAGE_CONTENT m
        TOOL_CALL_ARGS c");
}

/// A listed message has an owner, and was never open.
#[test]
fn an_end_of_what_was_listed_only_is_an_end_under_an_unknown_id() {
    let mut run = run();
    run.ok(r#"MESSAGES_SNAPSHOT messages:=[{"id":"listed","role":"assistant"}]"#);
    run.ok("TEXT_MESSAGE_START m");
    run.assume("TEXT_MESSAGE_END listed");
    run.breaks(Rule::NotOpen, "TEXT_MESSAGE_CONTENT m");
}

#[test]
fn a_call_under_anothers_message_opens_for_its_tag() {
    let mut run = run();
    run.ok("TEXT_MESSAGE_START m @a");
    run.assume("TOOL_CALL_START c @b parentMessageId=m");
    run.ok("TOOL_CALL_ARGS c @b");
    let breach = run.breach("TOOL_CALL_ARGS c @a");
    assert_eq!(breach.owner(), Some(&owner(Some("b"))));
    run.ok("TOOL_CALL_END c");
}

#[test]
fn a_call_that_inherits_a_wrong_owner_opens_for_the_recorded_one() {
    let mut run = run();
    run.ok("TEXT_MESSAGE_START m @a
        TOOL_CALL_START c @b
        TOOL_CALL_END c");
    run.assume("TOOL_CALL_START c parentMessageId=m");
    run.ok("TOOL_CALL_ARGS c @b");
    run.breaks(Rule::OwnerMismatch, "TOOL_CALL_ARGS c @a");
}

/// A tag that passes beside a message's owner passes for the message's calls, too.
#[test]
fn a_claim_of_a_message_is_one_of_its_calls() {
    let mut run = run();
    run.ok("TEXT_MESSAGE_START m @a");
    run.assume("TEXT_MESSAGE_CONTENT m @b");
    run.ok("TOOL_CALL_START c @b parentMessageId=m");
}

#[test]
fn a_result_introduces_its_call() {
    let mut run = run();
    run.assume("TOOL_CALL_RESULT c messageId=m1 @a");
    run.ok("TOOL_CALL_RESULT c messageId=m2 @b");
}

#[test]
fn the_call_that_a_result_introduces_is_the_parent_agents() {
    let mut run = run();
    run.assume("TOOL_CALL_RESULT c messageId=m1 @a");
    let breach = run.breach("TOOL_CALL_START c @a");
    assert_eq!(breach.owner(), Some(&owner(None)));
}

#[test]
fn a_refused_result_mints_its_message() {
    let mut run = run();
    run.ok("TOOL_CALL_START c");
    run.assume("TOOL_CALL_RESULT c messageId=m1 @a");
    run.assume("TOOL_CALL_RESULT unknown messageId=m2 @a");
    for message in ["m1", "m2"] {
        let breach = run.breach(&format!("TEXT_MESSAGE_START {message} @b"));
        assert_eq!(breach.owner(), Some(&owner(Some("a"))));
    }
}

/// Whoever answers a call takes it for closed.
#[test]
fn a_result_before_its_calls_end_closes_it() {
    let mut run = run();
    run.ok("TOOL_CALL_START c");
    run.assume("TOOL_CALL_RESULT c messageId=m");
    assert_eq!(run.breach("TOOL_CALL_ARGS c").related(), Some(at(1)));
    run.ok("TOOL_CALL_RESULT c messageId=m
        RUN_FINISHED");
}

#[test]
fn an_encrypted_values_tag_passes_beside_the_owner() {
    for (opener, value) in [
        ("TEXT_MESSAGE_START x @a", "REASONING_ENCRYPTED_VALUE x subtype=message @b"),
        ("REASONING_START x @a", "REASONING_ENCRYPTED_VALUE x subtype=message @b"),
        ("TOOL_CALL_START x @a", "REASONING_ENCRYPTED_VALUE x subtype=tool-call @b"),
    ] {
        let mut run = run();
        run.ok(opener);
        run.assume(value);
        run.ok(value);
        run.breaks(Rule::OwnerMismatch, &value.replace("@b", "@c"));
    }
}

#[test]
fn an_activity_is_changed_by_whoever_changed_it() {
    let mut run = run();
    run.ok("ACTIVITY_SNAPSHOT v @a");
    run.assume("ACTIVITY_DELTA v @b");
    run.ok("ACTIVITY_DELTA v @b
        ACTIVITY_DELTA v @a");
    let breach = run.breach("ACTIVITY_DELTA v @c");
    assert_eq!(breach.owner(), Some(&owner(Some("a"))));
}

#[test]
fn a_snapshot_settles_who_owns_what() {
    let mut run = run();
    run.ok("TEXT_MESSAGE_START m @a
        ACTIVITY_SNAPSHOT v @a");
    run.assume("TEXT_MESSAGE_CONTENT m @b");
    run.assume("ACTIVITY_DELTA v @b");
    run.ok(r#"MESSAGES_SNAPSHOT messages:=[{"id":"m","role":"assistant","subagentRunId":"a"}]"#);
    run.ok("ACTIVITY_SNAPSHOT v @a");
    run.breaks(Rule::OwnerMismatch, "TEXT_MESSAGE_CONTENT m @b");
    run.breaks(Rule::OwnerMismatch, "ACTIVITY_DELTA v @b");
}

#[test]
fn a_refused_chunk_of_a_run_claims_its_item() {
    for chunk in ["TEXT_MESSAGE_CHUNK x", "REASONING_MESSAGE_CHUNK x", "TOOL_CALL_CHUNK x"] {
        let mut run = run();
        run.ok(&format!("{chunk} @a"));
        run.assume(&format!("{chunk} @b"));
        run.ok(&format!("{chunk} @b\n{chunk} @a"));
        run.breaks(Rule::OwnerMismatch, &format!("{chunk} @c"));
    }
}

#[test]
fn a_refused_chunk_under_anothers_message_makes_its_call_known() {
    let mut run = run();
    run.ok("TEXT_MESSAGE_START m @a");
    run.assume("TOOL_CALL_CHUNK c parentMessageId=m @b");
    run.ok("TOOL_CALL_RESULT c messageId=m2");
    let breach = run.breach("TOOL_CALL_CHUNK c @a");
    assert!(matches!(breach, Breach::WrongOwner { .. }));
    assert_eq!(breach.owner(), Some(&owner(Some("b"))));
}
