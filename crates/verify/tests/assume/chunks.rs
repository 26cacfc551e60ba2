//! The chunked form.

use conform_verify::{Breach, Rule};

use crate::support::{at, entity, owner, started};

/// The chunk types, as openers of an item, and their ids' names.
const OPENERS: &[[&str; 2]] = &[
    ["TEXT_MESSAGE_CHUNK", ""],
    ["REASONING_MESSAGE_CHUNK", ""],
    ["TOOL_CALL_CHUNK", " toolCallName=t"],
];

#[test]
fn a_chunk_without_an_id_opens_a_stream_without_one() {
    for [chunk, _] in OPENERS {
        for tag in ["", " @a"] {
            let mut stream = started();
            stream.assume(&format!("{chunk}{tag}"));
            stream.ok(&format!("{chunk}{tag}\n{chunk}\nRUN_FINISHED"));
        }
    }
}

#[test]
fn a_stream_without_an_id_closes_as_any_other() {
    let mut stream = started();
    stream.assume("TEXT_MESSAGE_CHUNK @a");
    stream.ok("CUSTOM note
        TEXT_MESSAGE_CHUNK @a
        CUSTOM note @a");
    stream.lacks("chunk/first-carries-id", "TEXT_MESSAGE_CHUNK @a");
}

#[test]
fn an_id_ends_the_stream_without_one() {
    let mut stream = started();
    stream.assume("TEXT_MESSAGE_CHUNK");
    stream.ok("TEXT_MESSAGE_CHUNK m role=user
        TEXT_MESSAGE_CHUNK m role=user");
    stream.lacks("chunk/repeat-agrees", "TEXT_MESSAGE_CHUNK role=tool");
}

#[test]
fn a_chunk_without_an_id_ends_the_other_stream_of_its_lane() {
    let mut stream = started();
    stream.ok("TEXT_MESSAGE_CHUNK m");
    stream.assume("REASONING_MESSAGE_CHUNK");
    assert_eq!(stream.breach("TEXT_MESSAGE_CONTENT m").related(), Some(at(2)));
    stream.ok("REASONING_MESSAGE_CHUNK");
}

#[test]
fn a_call_without_a_name_opens() {
    let mut stream = started();
    stream.assume("TOOL_CALL_CHUNK c");
    stream.ok("TOOL_CALL_CHUNK c
        TOOL_CALL_CHUNK
        TOOL_CALL_RESULT c messageId=m");
    stream.lacks("chunk/first-carries-id", "TOOL_CALL_CHUNK");
}

#[test]
fn a_chunk_with_a_wrong_owner_opens_in_its_own_lane() {
    for [chunk, more] in OPENERS {
        let mut stream = started();
        stream.ok(&format!("{chunk} x @a{more}\nCUSTOM note @a"));
        stream.assume(&format!("{chunk} x @b{more}"));
        stream.ok(&format!("{chunk} @b\n{chunk} x @b\n{chunk}"));
        let breach = stream.breach(&format!("{chunk} x @c{more}"));
        assert_eq!(breach.owner(), Some(&owner(Some("a"))));
    }
}

#[test]
fn a_chunk_of_another_lanes_item_takes_it_over() {
    let mut stream = started();
    stream.ok("TEXT_MESSAGE_CHUNK m @a");
    stream.assume("TEXT_MESSAGE_CHUNK m @b");
    stream.ok("TEXT_MESSAGE_CHUNK @b");
    stream.lacks("chunk/first-carries-id", "TEXT_MESSAGE_CHUNK @a");
    // Closing its lane closes the item.
    stream.ok("CUSTOM note @b");
    stream.breaks(Rule::NotOpen, "TEXT_MESSAGE_END m");
}

#[test]
fn a_chunk_ends_the_stream_of_its_lane_even_if_it_is_refused() {
    let mut stream = started();
    stream.ok("TEXT_MESSAGE_CHUNK m @a
        TEXT_MESSAGE_CHUNK n @b");
    stream.assume("TEXT_MESSAGE_CHUNK m @b");
    assert_eq!(stream.breach("TEXT_MESSAGE_END n").related(), Some(at(3)));
}

#[test]
fn an_ambiguous_chunk_passes_and_so_do_others_of_its_kind() {
    let mut stream = started();
    stream.ok("TEXT_MESSAGE_CHUNK m1 @a
        TEXT_MESSAGE_CHUNK m2 @b
        REASONING_MESSAGE_CHUNK g1 @c
        REASONING_MESSAGE_CHUNK g2 @d");
    stream.assume("TEXT_MESSAGE_CHUNK");
    stream.ok("TEXT_MESSAGE_CHUNK
        TEXT_MESSAGE_CHUNK @a
        TEXT_MESSAGE_CHUNK @b");
    stream.lacks("chunk/unambiguous-lane", "REASONING_MESSAGE_CHUNK");
}

#[test]
fn a_repeat_that_disagrees_is_adopted() {
    for (opener, member) in [
        ("TEXT_MESSAGE_CHUNK m", "role"),
        ("TEXT_MESSAGE_CHUNK m name=first", "name"),
        ("TOOL_CALL_CHUNK c toolCallName=first", "toolCallName"),
        ("TOOL_CALL_CHUNK c toolCallName=t parentMessageId=first", "parentMessageId"),
    ] {
        let chunk = opener.split(' ').next().unwrap_or_default();
        let mut stream = started();
        stream.ok(opener);
        stream.assume(&format!("{chunk} {member}=second"));
        stream.ok(&format!("{chunk} {member}=second\n{chunk}"));
        let breach = stream.breach(&format!("{chunk} {member}=first"));
        assert!(matches!(breach, Breach::ChunkDisagrees { member: m, .. } if m == member));
    }
}

#[test]
fn what_a_repeat_leaves_out_stays() {
    let mut stream = started();
    stream.ok("TEXT_MESSAGE_CHUNK m role=user name=n");
    stream.assume("TEXT_MESSAGE_CHUNK role=tool");
    stream.ok("TEXT_MESSAGE_CHUNK role=tool name=n");
}

#[test]
fn a_chunk_of_a_started_item_is_let_pass_from_then_on() {
    for ([chunk, _], [start, content, end]) in OPENERS.iter().zip([
        ["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"],
        ["REASONING_MESSAGE_START", "REASONING_MESSAGE_CONTENT", "REASONING_MESSAGE_END"],
        ["TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END"],
    ]) {
        let mut stream = started();
        stream.ok(&format!("{start} x\n{start} y"));
        stream.assume(&format!("{chunk} x"));
        stream.ok(&format!("{chunk} x\n{content} x\n{chunk} x"));
        stream.lacks("chunk/forms-do-not-mix", &format!("{chunk} y"));
        stream.ok(&format!("{end} x\n{end} y\n{start} x"));
        // Opened anew, it is held to one form again.
        stream.lacks("chunk/forms-do-not-mix", &format!("{chunk} x"));
    }
}

#[test]
fn content_of_a_chunked_item_goes_over_to_the_other_form() {
    let mut stream = started();
    stream.ok("TEXT_MESSAGE_CHUNK m @a");
    stream.assume("TEXT_MESSAGE_CONTENT m");
    stream.ok("TEXT_MESSAGE_CONTENT m");
    stream.lacks("chunk/first-carries-id", "TEXT_MESSAGE_CHUNK @a");
    let breach = stream.breach("RUN_FINISHED");
    assert_eq!((entity(&breach).1, breach.related()), ("m", Some(at(2))));
    assert_eq!(breach.owner(), Some(&owner(Some("a"))), "it stays its owner's");
    stream.ok("TEXT_MESSAGE_END m
        RUN_FINISHED");
}

#[test]
fn content_of_a_chunked_item_under_a_wrong_tag_passes_beside_the_owner() {
    let mut stream = started();
    stream.ok("TOOL_CALL_CHUNK c toolCallName=t @a");
    stream.assume("TOOL_CALL_ARGS c @b");
    stream.ok("TOOL_CALL_ARGS c @b
        TOOL_CALL_ARGS c @a
        TOOL_CALL_END c");
}

#[test]
fn an_end_of_a_chunked_item_ends_its_stream() {
    let mut stream = started();
    stream.ok("TEXT_MESSAGE_CHUNK m @a");
    stream.assume("TEXT_MESSAGE_END m");
    stream.lacks("chunk/first-carries-id", "TEXT_MESSAGE_CHUNK @a");
    assert_eq!(stream.breach("TEXT_MESSAGE_END m").related(), Some(at(2)));
    stream.ok("RUN_FINISHED");
}

#[test]
fn what_is_refused_for_other_reasons_closes_chunk_streams_as_if_it_had_been_accepted() {
    for closer in ["STEP_FINISHED unknown @a", "TEXT_MESSAGE_CONTENT x @a", "TOOL_CALL_END c @a"] {
        let mut stream = started();
        stream.ok("TEXT_MESSAGE_CHUNK m @a");
        stream.assume(closer);
        stream.lacks("chunk/first-carries-id", "TEXT_MESSAGE_CHUNK @a");
    }
    let mut stream = started();
    stream.ok("TEXT_MESSAGE_CHUNK m @a");
    stream.assume("SUBAGENT_FINISHED a");
    stream.lacks("chunk/ends-with-its-owner", "TEXT_MESSAGE_CHUNK @a");
}

#[test]
fn a_refused_start_of_a_chunked_item_opens_it_in_the_other_form() {
    let mut stream = started();
    stream.ok("TEXT_MESSAGE_CHUNK m @a");
    stream.assume("TEXT_MESSAGE_START m @b");
    stream.lacks("chunk/first-carries-id", "TEXT_MESSAGE_CHUNK @a");
    stream.ok("TEXT_MESSAGE_CONTENT m @b
        TEXT_MESSAGE_END m @a
        RUN_FINISHED");
}

#[test]
fn a_chunk_before_the_start_is_expanded_as_ever() {
    let mut stream = crate::support::stream();
    stream.assume("TEXT_MESSAGE_CHUNK m");
    stream.ok("TEXT_MESSAGE_CHUNK
        RUN_FINISHED");
}

#[test]
fn what_an_assumed_opener_says_counts() {
    let mut stream = started();
    stream.assume("TOOL_CALL_CHUNK c parentMessageId=m");
    stream.ok("TOOL_CALL_CHUNK parentMessageId=m");
    stream.lacks("chunk/repeat-agrees", "TOOL_CALL_CHUNK parentMessageId=n");
}

#[test]
fn a_continuation_takes_its_claim_back() {
    let mut stream = started();
    stream.ok("TEXT_MESSAGE_CHUNK m @a");
    stream.assume("TEXT_MESSAGE_CHUNK m @b");
    stream.assume("REASONING_ENCRYPTED_VALUE m subtype=message @c");
    stream.assume("TEXT_MESSAGE_CHUNK @b");
    stream.ok("TEXT_MESSAGE_CHUNK @b");
}
