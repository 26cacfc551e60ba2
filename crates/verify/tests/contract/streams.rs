//! Stream scope: where streams and runs begin and end, and what runs share.

use conform_verify::{Breach, EntityKind, Rule};

use crate::support::{at, entity, owner, started, stream, stream_for};

#[test]
fn the_first_event_is_a_start_or_an_error() {
    let mut stream = stream();
    for line in ["RAW", "RUN_FINISHED", "NO_SUCH_TYPE", "TEXT_MESSAGE_CHUNK"] {
        let breach = stream.breach(line);
        assert_eq!(breach, Breach::NotFirst, "a refused event is not the first");
        assert_eq!((breach.rule(), breach.entity(), breach.related()), (None, None, None));
    }
    assert_eq!(stream.verifier.finish().unwrap_err().breach(), &Breach::NoEvents);
    stream.ok("RUN_ERROR");
    assert_eq!(stream.verifier.finish(), Ok(()));
    assert_eq!(stream.breach("RAW"), Breach::RunEnded { by_error: true, at: at(4) });
}

#[test]
fn after_a_run_that_finished_come_a_start_or_an_error() {
    let mut stream = started();
    stream.ok("RUN_FINISHED");
    assert_eq!(stream.breach("RAW"), Breach::RunEnded { by_error: false, at: at(1) });
    assert_eq!(stream.breach("RUN_FINISHED"), Breach::RunEnded { by_error: false, at: at(1) });
    stream.ok("RUN_ERROR");
    assert_eq!(stream.breach("RUN_ERROR"), Breach::RunEnded { by_error: true, at: at(4) });
    stream.ok("RUN_STARTED r2");
    assert_eq!(stream.breach("RUN_STARTED r2"), Breach::RunAlreadyStarted { at: at(6) });
}

#[test]
fn the_records_of_a_run_end_with_it() {
    let mut stream = started();
    stream.ok("TEXT_MESSAGE_START m @a
        ACTIVITY_SNAPSHOT v @a
        STEP_STARTED s
        SUBAGENT_STARTED a
        SUBAGENT_FINISHED a
        RUN_ERROR
        RUN_STARTED r2");
    let Breach::NotOpen { closed_at: None, .. } = stream.breach("TEXT_MESSAGE_END m") else {
        unreachable!("not open")
    };
    stream.ok("TEXT_MESSAGE_START m @b
        ACTIVITY_DELTA v @b
        STEP_STARTED s
        SUBAGENT_STARTED a");
    let breach = stream.breach("TEXT_MESSAGE_END m @a");
    assert_eq!((breach.owner(), breach.related()), (Some(&owner(Some("b"))), Some(at(9))));
}

#[test]
fn a_request_seeds_the_run_that_echoes_its_id() {
    let request = r#"{"runId":"r2","messages":[{"id":"m","role":"user","subagentRunId":"a"}]}"#;
    let mut stream = stream_for(request);
    stream.ok("RUN_STARTED r1
        TEXT_MESSAGE_START m @b
        TEXT_MESSAGE_END m
        RUN_FINISHED");
    // The request comes before the echo.
    stream.ok(r#"RUN_STARTED r2 input:={"messages":[{"id":"m","role":"user"}]}"#);
    let breach = stream.breach("TEXT_MESSAGE_START m @b");
    assert_eq!((breach.owner(), breach.related()), (Some(&owner(Some("a"))), Some(at(4))));
}

#[test]
fn a_result_for_an_unknown_call_is_wrong_where_the_input_is_known() {
    let mut by_request = stream_for(r#"{"runId":"r1"}"#);
    by_request.ok("RUN_STARTED r1");
    let mut by_echo = stream();
    by_echo.ok("RUN_STARTED r1 input:={}");
    for mut stream in [by_request, by_echo] {
        let breach = stream.breach("TOOL_CALL_RESULT c messageId=m");
        assert!(matches!(breach, Breach::UnknownCall { may_be_earlier: false, .. }));
        assert_eq!(entity(&breach), (EntityKind::ToolCall, "c"));
    }
}

#[test]
fn elsewhere_it_is_a_doubt_and_introduces_nothing() {
    let mut other_run = stream_for(r#"{"runId":"r9"}"#);
    other_run.ok("RUN_STARTED r1");
    let mut resumed = stream();
    resumed.ok(r#"RUN_STARTED r1 input:={"resume":[{"interruptId":"i"}]}"#);
    let mut request_resumes = stream_for(r#"{"runId":"r1","resume":[{"interruptId":"i"}]}"#);
    request_resumes.ok("RUN_STARTED r1 input:={}");
    for mut stream in [started(), other_run, resumed, request_resumes] {
        for _ in 0..2 {
            let breach = stream.doubt("TOOL_CALL_RESULT c messageId=m @a");
            assert!(matches!(breach, Breach::UnknownCall { may_be_earlier: true, .. }));
            assert_eq!((breach.rule(), entity(&breach).1), (Some(Rule::UnknownId), "c"));
        }
        // The event is accepted: its message is minted.
        let breach = stream.breach("TEXT_MESSAGE_START m @b");
        assert_eq!((breach.owner(), breach.related()), (Some(&owner(Some("a"))), Some(at(2))));
    }
}

#[test]
fn calls_of_earlier_runs_are_introduced() {
    let mut stream = started();
    stream.ok("TOOL_CALL_START c1
        TOOL_CALL_CHUNK c2 toolCallName=t
        RUN_ERROR");
    stream.ok("RUN_STARTED r2 input:={}");
    stream.ok("TOOL_CALL_RESULT c1
        TOOL_CALL_RESULT c2
        RUN_FINISHED");
    stream.ok("RUN_STARTED r3 input:={}");
    stream.ok("TOOL_CALL_RESULT c1");
    stream.breaks(Rule::UnknownId, "TOOL_CALL_RESULT c3");
}

#[test]
fn a_stream_with_a_run_open_is_truncated() {
    let mut stream = started();
    stream.ok("RUN_FINISHED
        RUN_STARTED r2");
    let error = stream.verifier.finish().unwrap_err();
    assert_eq!(error.breach(), &Breach::Truncated { since: at(2) });
    assert_eq!((error.rule(), error.breach().related()), (None, Some(at(2))));
    stream.ok("RUN_ERROR");
    assert_eq!(stream.verifier.finish(), Ok(()));
}

#[test]
fn what_only_stream_scope_refuses_has_no_rule_and_the_rest_no_requirement() {
    let mut stream = started();
    for (line, requirement) in [
        ("TEXT_MESSAGE_CHUNK", Some("chunk/first-carries-id")),
        ("TEXT_MESSAGE_END m", None),
        ("RUN_STARTED r1", None),
    ] {
        let error = stream.no(line);
        assert_eq!(error.requirement(), requirement);
        assert_ne!(error.rule().is_some(), requirement.is_some());
    }
}
