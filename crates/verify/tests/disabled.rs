//! With the feature `verify` off nothing is kept and nothing is refused.
#![cfg(not(feature = "verify"))]

use conform_event::{RunInput, decode};
use conform_verify::{Position, StreamVerifier, VerificationError, Verifier};

/// Nothing of it is in order.
const NONSENSE: &[&str] = &[
    r#"{"type":"TEXT_MESSAGE_END","messageId":"m1"}"#,
    r#"{"type":"RUN_FINISHED"}"#,
    r#"{"type":"RUN_FINISHED"}"#,
    r#"{"type":"TEXT_MESSAGE_CHUNK"}"#,
    r#"{"type":"RUN_STARTED"}"#,
    r#"{"type":"RUN_STARTED"}"#,
    r#"{"type":"TOOL_CALL_RESULT","toolCallId":"c1","messageId":"m1","subagentRunId":"a"}"#,
    r#"{"type":"SUBAGENT_STARTED","subagentRunId":"a","parentSubagentRunId":"b"}"#,
    r#"{"type":"SUBAGENT_STARTED","subagentRunId":"a"}"#,
    r#"{"type":"NO_SUCH_TYPE"}"#,
    "[]",
    r#"{"type":"TEXT_MESSAGE_START","messageId":"m1"}"#,
];

#[test]
fn the_verifiers_have_no_size() {
    assert_eq!(size_of::<Verifier>(), 0);
    assert_eq!(size_of::<StreamVerifier>(), 0);
    assert_eq!(size_of::<Result<(), VerificationError>>(), size_of::<usize>());
}

#[test]
fn a_run_of_nonsense_is_accepted() {
    let mut verifier = Verifier::new();
    for (line, index) in NONSENSE.iter().zip(0..) {
        let event = decode(line.as_bytes()).unwrap().event;
        assert_eq!(verifier.observe(&event), Ok(()));
        assert_eq!(verifier.observe_at(Position::of_event(index), &event), Ok(()));
        verifier.assume_at(Position::of_event(index), &event);
    }
}

#[test]
fn a_stream_of_nonsense_is_accepted_and_may_end_anywhere() {
    let mut verifier = StreamVerifier::new(Some(RunInput::default()));
    assert_eq!(verifier.finish(), Ok(()));
    for (line, index) in NONSENSE.iter().zip(0..) {
        let event = decode(line.as_bytes()).unwrap().event;
        assert_eq!(verifier.observe(&event), Ok(None));
        assert_eq!(verifier.observe_at(Position::of_event(index), &event), Ok(None));
        verifier.assume_at(Position::of_event(index), &event);
        assert_eq!(verifier.finish(), Ok(()));
        assert!(!verifier.is_running());
        assert!(!verifier.is_implied());
    }
}
