//! Where runs and streams begin and end.

use conform_verify::{Breach, EntityKind, Rule};

use crate::support::{at, entity, owner, run, started, stream};

#[test]
fn a_refused_end_ends_the_run_all_the_same() {
    let mut run = run();
    run.ok("TEXT_MESSAGE_START m");
    run.assume("RUN_FINISHED");
    assert_eq!(run.breach("RAW"), Breach::RunEnded { by_error: false, at: at(1) });
}

#[test]
fn a_second_end_of_a_run_is_the_one_that_counts() {
    let mut run = run();
    run.ok("RUN_FINISHED");
    run.assume("RUN_ERROR");
    assert_eq!(run.breach("RAW"), Breach::RunEnded { by_error: true, at: at(1) });
    run.assume("RUN_FINISHED");
    assert_eq!(run.breach("RAW"), Breach::RunEnded { by_error: false, at: at(3) });
}

#[test]
fn what_comes_after_the_end_of_a_run_shows_that_it_goes_on() {
    for line in
        ["RAW", "NO_SUCH_TYPE", "TEXT_MESSAGE_CHUNK x", "STEP_STARTED s", "TEXT_MESSAGE_END m"]
    {
        let mut run = run();
        run.ok("TEXT_MESSAGE_START m
            TEXT_MESSAGE_END m
            TOOL_CALL_START c @a
            TOOL_CALL_END c
            RUN_FINISHED");
        run.assume(line);
        run.ok("CUSTOM note");
        let breach = run.breach("TOOL_CALL_START c @b");
        assert_eq!(breach.owner(), Some(&owner(Some("a"))), "the records stay");
    }
}

#[test]
fn what_comes_after_the_end_of_a_run_does_its_work() {
    let mut run = run();
    run.ok("RUN_FINISHED");
    run.assume("TEXT_MESSAGE_START m @a");
    run.ok("TEXT_MESSAGE_CONTENT m @a");
    run.breaks(Rule::OpenAtFinish, "RUN_FINISHED");
}

#[test]
fn a_chunk_after_the_end_of_a_run_claims_its_item() {
    let mut run = run();
    run.ok("RUN_FINISHED");
    run.assume("TEXT_MESSAGE_CHUNK m @a");
    run.breaks(Rule::OwnerMismatch, "TEXT_MESSAGE_CHUNK m @b");
}

#[test]
fn a_chunk_without_a_tag_after_the_end_makes_its_call_known() {
    let mut run = run();
    run.ok("RUN_FINISHED");
    run.assume("TOOL_CALL_CHUNK c");
    run.ok("TOOL_CALL_RESULT c messageId=m");
}

#[test]
fn what_only_its_place_makes_wrong_is_taken_in_as_if_it_stood_elsewhere() {
    let mut run = run();
    run.ok("RUN_FINISHED");
    run.assume("ACTIVITY_SNAPSHOT v @a");
    run.breaks(Rule::OwnerMismatch, "ACTIVITY_DELTA v @b");
}

#[test]
fn a_second_start_begins_a_run_with_empty_records() {
    let mut run = run();
    run.ok("RUN_STARTED r1
        TEXT_MESSAGE_START m @a
        TEXT_MESSAGE_START n @a");
    run.assume(r#"RUN_STARTED r2 input:={"messages":[{"id":"n","role":"user"}]}"#);
    assert_eq!(run.breach("RUN_STARTED r3"), Breach::RunAlreadyStarted { at: at(3) });
    run.ok("TEXT_MESSAGE_START m @b");
    let breach = run.breach("TEXT_MESSAGE_START n @a");
    assert_eq!((breach.owner(), breach.related()), (Some(&owner(None)), Some(at(3))));
}

#[test]
fn a_start_after_the_end_begins_a_run() {
    let mut run = run();
    run.ok("RUN_STARTED r1
        RUN_ERROR");
    run.assume("RUN_STARTED r2");
    run.ok("RAW
        RUN_FINISHED");
}

#[test]
fn an_event_before_the_start_implies_the_run() {
    let mut stream = stream();
    assert!(!stream.verifier.is_implied());
    stream.assume("TEXT_MESSAGE_START m @a");
    assert!(stream.verifier.is_running() && stream.verifier.is_implied());
    stream.ok("TEXT_MESSAGE_CONTENT m");
    let error = stream.verifier.finish().unwrap_err();
    assert_eq!(error.breach(), &Breach::Truncated { since: at(0) });
    stream.ok("TEXT_MESSAGE_END m
        RUN_FINISHED");
    assert!(!stream.verifier.is_implied());
    assert_eq!(stream.verifier.finish(), Ok(()));
}

#[test]
fn what_came_before_the_start_belongs_to_the_run() {
    let mut stream = stream();
    stream.assume("TEXT_MESSAGE_START m @a");
    stream.ok("TEXT_MESSAGE_CHUNK n
        RUN_STARTED r1");
    assert!(stream.verifier.is_running() && !stream.verifier.is_implied());
    stream.ok("TEXT_MESSAGE_CONTENT m @a");
    stream.breaks(Rule::OwnerMismatch, "TEXT_MESSAGE_CONTENT m @b");
    // RUN_STARTED closes chunk streams as ever.
    stream.lacks("chunk/ends-with-its-owner", "TEXT_MESSAGE_CHUNK");
    assert_eq!(stream.breach("RUN_STARTED r1"), Breach::RunAlreadyStarted { at: at(2) });
}

#[test]
fn what_is_refused_for_more_than_its_place_does_its_work_too() {
    let mut stream = stream();
    stream.assume("TEXT_MESSAGE_CONTENT m @a");
    stream.ok("TEXT_MESSAGE_CONTENT m @a
        TEXT_MESSAGE_END m");
}

#[test]
fn an_end_before_the_start_ends_the_stream() {
    let mut stream = stream();
    stream.assume("RUN_FINISHED");
    assert!(!stream.verifier.is_running());
    assert_eq!(stream.verifier.finish(), Ok(()));
    assert_eq!(stream.breach("RAW"), Breach::RunEnded { by_error: false, at: at(0) });
}

#[test]
fn an_event_after_the_end_shows_that_the_run_goes_on() {
    for end in ["RUN_FINISHED", "RUN_ERROR"] {
        let mut stream = started();
        stream.ok("TEXT_MESSAGE_START m @a
            TEXT_MESSAGE_END m");
        stream.ok(end);
        stream.assume("TEXT_MESSAGE_START m @b");
        assert!(stream.verifier.is_running() && !stream.verifier.is_implied());
        stream.ok("TEXT_MESSAGE_CONTENT m @b
            TEXT_MESSAGE_CONTENT m @a");
        assert_eq!(entity(&stream.breach("RUN_FINISHED")), (EntityKind::TextMessage, "m"));
    }
}

#[test]
fn where_a_run_goes_on_after_its_end_the_stream_may_end() {
    let mut stream = started();
    stream.ok("RUN_FINISHED");
    stream.assume("RAW");
    assert_eq!(stream.verifier.finish(), Ok(()));
    stream.ok("TEXT_MESSAGE_START m");
    assert_eq!(stream.verifier.finish(), Ok(()));
}

#[test]
fn where_a_run_goes_on_after_its_end_the_next_one_may_start() {
    let mut stream = started();
    stream.ok("RUN_FINISHED");
    stream.assume("TEXT_MESSAGE_START m @a");
    stream.ok("TOOL_CALL_START c
        RUN_STARTED r2
        TEXT_MESSAGE_START m @b
        TOOL_CALL_RESULT c messageId=n");
    let error = stream.verifier.finish().unwrap_err();
    assert_eq!(error.breach(), &Breach::Truncated { since: at(4) }, "a run like any other");
}

#[test]
fn a_refused_finish_of_a_stream_ends_its_run() {
    let mut stream = started();
    stream.ok("TEXT_MESSAGE_START m
        TOOL_CALL_CHUNK c toolCallName=t");
    stream.assume("RUN_FINISHED");
    assert!(!stream.verifier.is_running());
    assert_eq!(stream.breach("RAW"), Breach::RunEnded { by_error: false, at: at(3) });
    stream.ok("RUN_STARTED r2
        TEXT_MESSAGE_START m");
    let breach = stream.breach("TOOL_CALL_CHUNK");
    assert_eq!((entity(&breach).1, breach.related()), ("c", Some(at(3))));
}

#[test]
fn a_second_error_is_the_one_that_counts() {
    let mut stream = started();
    stream.ok("RUN_ERROR");
    stream.assume("RUN_ERROR");
    assert_eq!(stream.breach("RAW"), Breach::RunEnded { by_error: true, at: at(2) });
}

#[test]
fn a_second_start_of_a_stream_begins_its_next_run() {
    let mut stream = started();
    stream.ok("TEXT_MESSAGE_START m @a
        TOOL_CALL_START c @a
        TEXT_MESSAGE_CHUNK n");
    stream.assume(r#"RUN_STARTED r2 input:={"messages":[{"id":"u","role":"user"}]}"#);
    assert_eq!(stream.breach("RUN_STARTED r3"), Breach::RunAlreadyStarted { at: at(4) });
    let breach = stream.breach("TEXT_MESSAGE_CHUNK");
    assert_eq!(breach.related(), Some(at(4)), "its chunk streams are closed");
    stream.breaks(Rule::OwnerMismatch, "TEXT_MESSAGE_START u @a");
    stream.ok("TEXT_MESSAGE_START m @b
        TEXT_MESSAGE_END m");
    // The echo is a known input, and `c` a call of an earlier run.
    stream.breaks(Rule::UnknownId, "TOOL_CALL_RESULT unknown");
    stream.ok("TOOL_CALL_RESULT c
        RUN_FINISHED");
}
