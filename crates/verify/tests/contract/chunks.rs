//! Stream scope: chunks, their lanes, and what closes them.

use conform_verify::{Breach, EntityKind, Rule};

use crate::support::{Feed, at, entity, owner, started};

/// Where the text message was closed, from the refusal of its end.
fn closed<V: crate::support::Verify>(feed: &mut Feed<V>, id: &str) -> Option<u64> {
    match feed.breach(&format!("TEXT_MESSAGE_END {id}")) {
        Breach::NotOpen { closed_at, .. } => closed_at.map(|position| position.event),
        Breach::FormsMixed { opened_by_chunk: true, .. } => None,
        other => unreachable!("{other:?}"),
    }
}

#[test]
fn the_first_chunk_learns_which_member_it_lacks() {
    let mut stream = started();
    for (line, kind, lacks) in [
        ("TEXT_MESSAGE_CHUNK", EntityKind::TextMessage, "messageId"),
        ("REASONING_MESSAGE_CHUNK @a", EntityKind::ReasoningMessage, "messageId"),
        ("TOOL_CALL_CHUNK toolCallName=t", EntityKind::ToolCall, "toolCallId"),
        ("TOOL_CALL_CHUNK c", EntityKind::ToolCall, "toolCallName"),
    ] {
        assert_eq!(stream.breach(line), Breach::ChunkLacks { kind, member: lacks });
    }
}

#[test]
fn a_chunk_with_an_id_opens_in_the_lane_of_its_tag() {
    let mut stream = started();
    stream.ok("TEXT_MESSAGE_CHUNK m @a");
    let breach = stream.breach("TEXT_MESSAGE_CHUNK m @b");
    assert_eq!((breach.owner(), breach.related()), (Some(&owner(Some("a"))), Some(at(1))));
    // Untagged, with its id or as the only one, it continues.
    stream.ok("TEXT_MESSAGE_CHUNK m
        TEXT_MESSAGE_CHUNK");
    assert_eq!(closed(&mut stream, "m"), None);
}

#[test]
fn a_chunk_without_tag_and_id_continues_the_parent_agents_stream_first() {
    let mut stream = started();
    stream.ok("TEXT_MESSAGE_CHUNK m1 @a role=user
        TEXT_MESSAGE_CHUNK m2 @b role=user
        TEXT_MESSAGE_CHUNK m3");
    let breach = stream.breach("TEXT_MESSAGE_CHUNK role=user");
    assert_eq!((entity(&breach).1, breach.related()), ("m3", Some(at(3))));
    stream.ok("CUSTOM note");
    let kind = EntityKind::TextMessage;
    assert_eq!(
        stream.breach("TEXT_MESSAGE_CHUNK"),
        Breach::ChunkAmbiguous { kind, lanes: 2 },
        "the parent agent's is closed"
    );
    stream.ok("CUSTOM note @a
        TEXT_MESSAGE_CHUNK role=user");
}

#[test]
fn a_repeat_learns_which_member_disagrees_since_when() {
    let mut stream = started();
    stream.ok("TEXT_MESSAGE_CHUNK m @a
        TOOL_CALL_CHUNK c toolCallName=t");
    for (line, who, member_is, since) in [
        ("TEXT_MESSAGE_CHUNK @a role=user", (EntityKind::TextMessage, "m"), "role", 1),
        ("TEXT_MESSAGE_CHUNK m name=x", (EntityKind::TextMessage, "m"), "name", 1),
        ("TOOL_CALL_CHUNK toolCallName=u", (EntityKind::ToolCall, "c"), "toolCallName", 2),
        ("TOOL_CALL_CHUNK c parentMessageId=m", (EntityKind::ToolCall, "c"), "parentMessageId", 2),
    ] {
        let breach = stream.breach(line);
        assert!(matches!(breach, Breach::ChunkDisagrees { member, .. } if member == member_is));
        assert_eq!((entity(&breach), breach.related()), (who, Some(at(since))));
    }
    stream.ok("TEXT_MESSAGE_CHUNK @a role=assistant
        TOOL_CALL_CHUNK c toolCallName=t");
}

#[test]
fn mixed_forms_learn_which_form_the_item_has_since_when() {
    let mut stream = started();
    stream.ok("TEXT_MESSAGE_CHUNK m @a
        REASONING_MESSAGE_START g");
    for line in ["TEXT_MESSAGE_CONTENT m @b", "TEXT_MESSAGE_END m"] {
        let breach = stream.breach(line);
        assert!(matches!(breach, Breach::FormsMixed { opened_by_chunk: true, .. }));
        assert_eq!((entity(&breach).1, breach.related()), ("m", Some(at(1))));
    }
    // The form comes before the owner.
    let breach = stream.breach("REASONING_MESSAGE_CHUNK g @b");
    assert!(matches!(breach, Breach::FormsMixed { opened_by_chunk: false, .. }));
    let expected = ((EntityKind::ReasoningMessage, "g"), Some(at(2)));
    assert_eq!((entity(&breach), breach.related()), expected);
}

#[test]
fn a_start_takes_a_chunked_item_over() {
    let mut stream = started();
    stream.ok("TEXT_MESSAGE_CHUNK m @a
        TEXT_MESSAGE_START m");
    let breach = stream.breach("TEXT_MESSAGE_START m");
    assert_eq!((breach.owner(), breach.related()), (Some(&owner(Some("a"))), Some(at(2))));
    assert!(matches!(
        stream.breach("TEXT_MESSAGE_CHUNK m"),
        Breach::FormsMixed { opened_by_chunk: false, .. }
    ));
}

#[test]
fn what_closes_the_stream_of_its_lane_only() {
    for line in [
        "TEXT_MESSAGE_CHUNK other",
        "REASONING_MESSAGE_CHUNK other",
        "TOOL_CALL_CHUNK other toolCallName=t",
        "TEXT_MESSAGE_START other",
        "TEXT_MESSAGE_CONTENT open",
        "TEXT_MESSAGE_END open",
        "REASONING_START open",
        "REASONING_MESSAGE_START other",
        "TOOL_CALL_START open",
        "TOOL_CALL_RESULT answered",
        "STEP_STARTED other",
        "STATE_SNAPSHOT",
        "STATE_DELTA",
        "CUSTOM note",
    ] {
        let mut stream = started();
        stream.ok("TOOL_CALL_CHUNK answered toolCallName=t
            TEXT_MESSAGE_START open
            TEXT_MESSAGE_CHUNK m1
            TEXT_MESSAGE_CHUNK m2 @a");
        stream.ok(line);
        assert_eq!(closed(&mut stream, "m1"), Some(5), "{line}");
        assert_eq!(closed(&mut stream, "m2"), None, "{line}");
    }
}

#[test]
fn what_closes_no_stream() {
    for line in [
        "RAW",
        "ACTIVITY_SNAPSHOT v",
        "ACTIVITY_DELTA v",
        "REASONING_ENCRYPTED_VALUE m subtype=message",
        "SUBAGENT_STARTED b",
        "SUBAGENT_FINISHED other",
        "NO_SUCH_TYPE",
        "THINKING_START",
        "TEXT_MESSAGE_END",
        r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":7}"#,
    ] {
        let mut stream = started();
        stream.ok("SUBAGENT_STARTED other
            TEXT_MESSAGE_CHUNK m");
        stream.ok(line);
        assert_eq!(closed(&mut stream, "m"), None, "{line}");
    }
}

#[test]
fn a_refused_event_closes_no_stream() {
    let mut stream = started();
    stream.ok("SUBAGENT_STARTED a
        TEXT_MESSAGE_START open
        TEXT_MESSAGE_CHUNK m");
    for line in [
        "RUN_STARTED r2",
        "RUN_FINISHED",
        "SUBAGENT_STARTED a",
        "SUBAGENT_FINISHED b",
        "TOOL_CALL_END c",
        "STEP_FINISHED s",
        "TEXT_MESSAGE_START open",
        "TOOL_CALL_CHUNK c",
        "REASONING_MESSAGE_CHUNK",
        "TEXT_MESSAGE_CHUNK open",
    ] {
        stream.no(line);
        assert_eq!(closed(&mut stream, "m"), None, "{line}");
    }
}

#[test]
fn an_event_with_the_id_that_is_assembled_closes_it_in_whatever_lane() {
    let mut stream = started();
    stream.ok("TOOL_CALL_CHUNK c @b toolCallName=t
        TEXT_MESSAGE_CHUNK m @a
        TOOL_CALL_RESULT c messageId=m");
    assert_eq!(closed(&mut stream, "m"), Some(3));
    assert_eq!(stream.breach("TOOL_CALL_END c").related(), Some(at(3)));
    let breach = stream.breach("TEXT_MESSAGE_START m @a");
    assert_eq!(breach.owner(), Some(&owner(None)), "the result's message");
}

#[test]
fn a_message_and_a_call_with_one_id_are_two() {
    let mut stream = started();
    stream.ok("TEXT_MESSAGE_CHUNK x @a
        TOOL_CALL_START x");
    assert_eq!(closed(&mut stream, "x"), None);
}

#[test]
fn what_the_end_of_an_owner_or_a_run_closed_says_which_item_and_where() {
    for (closer, id) in [
        ("SUBAGENT_FINISHED a", "m"),
        ("SUBAGENT_ERROR a", "m"),
        ("MESSAGES_SNAPSHOT messages:=[]", "m"),
        ("RUN_FINISHED\nRUN_STARTED r2", "m"),
        ("RUN_ERROR\nRUN_STARTED r2", "m"),
    ] {
        let mut stream = started();
        stream.ok("SUBAGENT_STARTED a
            TEXT_MESSAGE_CHUNK m @a
            RAW");
        // Beside it, the run may end.
        if closer.starts_with("RUN_FINISHED") {
            stream = started();
            stream.ok("RAW
                TEXT_MESSAGE_CHUNK m @a
                RAW");
        }
        stream.ok(closer);
        for line in ["TEXT_MESSAGE_CHUNK", "TEXT_MESSAGE_CHUNK @a"] {
            let breach = stream.breach(line);
            assert!(matches!(breach, Breach::ChunkOutlives { .. }), "{closer}: {breach:?}");
            assert_eq!((entity(&breach).1, breach.related()), (id, Some(at(4))), "{closer}");
        }
        // Another lane, another kind: nothing to outlive.
        stream.lacks("chunk/first-carries-id", "TEXT_MESSAGE_CHUNK @b");
        stream.lacks("chunk/first-carries-id", "REASONING_MESSAGE_CHUNK");
    }
}

#[test]
fn the_last_closing_counts_in_any_lane_without_a_tag_and_in_its_own_with_one() {
    let mut stream = started();
    stream.ok("SUBAGENT_STARTED a
        TEXT_MESSAGE_CHUNK m1 @a
        SUBAGENT_FINISHED a
        TEXT_MESSAGE_CHUNK m2
        CUSTOM note");
    assert_eq!(stream.breach("TEXT_MESSAGE_CHUNK @a").related(), Some(at(3)));
    stream.lacks("chunk/first-carries-id", "TEXT_MESSAGE_CHUNK");
}

#[test]
fn an_untagged_chunk_outlives_the_subagent_whose_message_it_takes_up() {
    let mut stream = started();
    stream.ok("SUBAGENT_STARTED a
        TEXT_MESSAGE_START m @a
        TEXT_MESSAGE_END m
        TEXT_MESSAGE_CHUNK m
        SUBAGENT_FINISHED a
        TEXT_MESSAGE_CHUNK");
    // Tagged with its owner, it would open in another lane what is open in this one.
    let breach = stream.breach("TEXT_MESSAGE_CHUNK m @a");
    assert_eq!(breach.rule(), Some(Rule::DuplicateStart));
    assert_eq!((breach.owner(), breach.related()), (Some(&owner(Some("a"))), Some(at(4))));
}

#[test]
fn a_finish_closes_chunk_streams_and_does_not_count_them() {
    let mut stream = started();
    stream.ok("STEP_STARTED s
        TEXT_MESSAGE_CHUNK m
        TOOL_CALL_CHUNK c @a toolCallName=t");
    let Breach::OpenAtFinish { entity, more, .. } = stream.breach("RUN_FINISHED") else {
        unreachable!("open at finish")
    };
    assert_eq!((entity.kind, more), (EntityKind::Step, 0));
    stream.ok("STEP_FINISHED s
        RUN_FINISHED");
}

#[test]
fn a_call_in_chunks_has_its_result_without_an_end() {
    let mut stream = started();
    stream.ok("TOOL_CALL_CHUNK c @a toolCallName=t
        TOOL_CALL_RESULT c messageId=m");
    assert_eq!(stream.breach("TOOL_CALL_ARGS c").related(), Some(at(2)));
}
