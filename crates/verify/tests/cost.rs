//! What verifying costs in memory: only what opens something allocates.
#![cfg(feature = "verify")]
#![allow(clippy::unwrap_used, reason = "a test")]

use allocation_counter::measure;
use conform_event::decode;
use conform_verify::{StreamVerifier, VerificationError, Verifier};

mod support;

use support::json;

/// Opens one entity of each kind, for the parent agent or under a tag, and closes `m0`.
fn opened(tag: &str) -> String {
    format!(
        "TEXT_MESSAGE_START m0{tag}
        TEXT_MESSAGE_END m0{tag}
        TEXT_MESSAGE_START m1{tag}
        REASONING_START r1{tag}
        REASONING_MESSAGE_START r1{tag}
        TOOL_CALL_START c0{tag}
        TOOL_CALL_END c0{tag}
        TOOL_CALL_RESULT c0 messageId=m2{tag}
        TOOL_CALL_START c1{tag}
        STEP_STARTED s1{tag}
        ACTIVITY_SNAPSHOT a1{tag}
        SUBAGENT_STARTED sub"
    )
}

/// Events that open nothing, in an order in which all are accepted after [`opened`].
fn lean(tag: &str) -> String {
    format!(
        "TEXT_MESSAGE_CONTENT m1{tag}
        REASONING_MESSAGE_CONTENT r1{tag}
        TOOL_CALL_ARGS c1{tag}
        RAW{tag}
        STATE_SNAPSHOT{tag}
        STATE_DELTA{tag}
        CUSTOM note{tag}
        ACTIVITY_SNAPSHOT a1{tag}
        ACTIVITY_DELTA a1{tag}
        REASONING_ENCRYPTED_VALUE m1 subtype=message{tag}
        REASONING_ENCRYPTED_VALUE r1 subtype=message{tag}
        REASONING_ENCRYPTED_VALUE c1 subtype=tool-call{tag}
        REASONING_ENCRYPTED_VALUE x1 subtype=message{tag}
        TOOL_CALL_RESULT c0 messageId=m2{tag}
        TEXT_MESSAGE_CONTENT{tag}
        THINKING_START{tag}
        NO_SUCH_TYPE{tag}
        TEXT_MESSAGE_END m1{tag}
        REASONING_MESSAGE_END r1{tag}
        REASONING_END r1{tag}
        TOOL_CALL_END c1{tag}
        TOOL_CALL_RESULT c1 messageId=m2{tag}
        STEP_FINISHED s1{tag}
        MESSAGES_SNAPSHOT messages:=[{{\"id\":\"m1\",\"role\":\"user\"}}]
        SUBAGENT_FINISHED sub
        RUN_FINISHED r1"
    )
}

trait Observe {
    fn new() -> Self;
    fn take(&mut self, event: &conform_event::Event<'_>) -> bool;
}

impl Observe for Verifier {
    fn new() -> Self {
        Self::new()
    }

    fn take(&mut self, event: &conform_event::Event<'_>) -> bool {
        self.observe(event).is_ok()
    }
}

impl Observe for StreamVerifier {
    fn new() -> Self {
        Self::new(None)
    }

    fn take(&mut self, event: &conform_event::Event<'_>) -> bool {
        matches!(self.observe(event), Ok(None))
    }
}

/// The lines after `setup` that allocate, with how often they do.
fn greedy<V: Observe>(setup: &str, lines: &str) -> Vec<(String, u64)> {
    let mut verifier = V::new();
    let mut taken = |line: &str| {
        let json = json(line);
        let event = decode(json.as_bytes()).unwrap().event;
        let mut accepted = false;
        let count = measure(|| accepted = verifier.take(&event)).count_total;
        assert!(accepted, "{line}");
        (line.to_owned(), count)
    };
    let each = |text: &str| text.lines().map(|l| l.trim().to_owned()).collect::<Vec<_>>();
    for line in each(setup) {
        taken(&line);
    }
    each(lines).iter().map(|line| taken(line)).filter(|(_, count)| *count > 0).collect()
}

#[test]
fn the_measure_sees_what_an_opening_allocates() {
    assert_eq!(greedy::<Verifier>("RUN_STARTED r1", "TEXT_MESSAGE_START m1").len(), 1);
}

#[test]
fn a_new_verifier_allocates_nothing() {
    assert_eq!(measure(|| drop(Verifier::new())).count_total, 0);
    assert_eq!(measure(|| drop(StreamVerifier::new(None))).count_total, 0);
}

#[test]
fn in_a_run_what_opens_nothing_allocates_nothing() {
    for tag in ["", " @a"] {
        let setup = format!("RUN_STARTED r1\n{}", opened(tag));
        assert_eq!(greedy::<Verifier>(&setup, &lean(tag)), []);
    }
}

#[test]
fn in_a_stream_what_opens_nothing_allocates_nothing() {
    for tag in ["", " @a"] {
        let setup = format!("RUN_STARTED r1\n{}", opened(tag));
        assert_eq!(greedy::<StreamVerifier>(&setup, &lean(tag)), []);
    }
}

/// Events in one lane while another lane holds a chunk stream open.
#[test]
fn beside_a_chunk_stream_what_opens_nothing_allocates_nothing() {
    for tag in ["", " @a"] {
        let setup = format!("RUN_STARTED r1\n{}\nTEXT_MESSAGE_CHUNK m9 @other", opened(tag));
        let lean = lean(tag);
        let (lean, _) = lean.split_once("MESSAGES_SNAPSHOT").unwrap();
        assert_eq!(greedy::<StreamVerifier>(&setup, lean.trim_end()), []);
    }
}

/// What these close, they should close without a list of it.
#[test]
fn what_closes_a_chunk_stream_allocates_nothing() {
    let setup = "RUN_STARTED r1
        SUBAGENT_STARTED a
        SUBAGENT_STARTED b
        TEXT_MESSAGE_START m0
        TEXT_MESSAGE_CHUNK m1
        TEXT_MESSAGE_CHUNK m2
        TEXT_MESSAGE_CHUNK m3 @a";
    for line in ["CUSTOM note", "TEXT_MESSAGE_CONTENT m0", "SUBAGENT_FINISHED b"] {
        assert_eq!(greedy::<StreamVerifier>(setup, line), []);
    }
}

#[test]
fn a_known_chunk_of_a_run_allocates_nothing() {
    for tag in ["", " @a"] {
        let chunks = format!(
            "TEXT_MESSAGE_CHUNK m1{tag}
            TEXT_MESSAGE_CHUNK{tag}
            REASONING_MESSAGE_CHUNK r1{tag}
            TOOL_CALL_CHUNK c1{tag}
            TOOL_CALL_CHUNK c1 parentMessageId=m1{tag}"
        );
        assert_eq!(greedy::<Verifier>(&opened(tag), &chunks), []);
    }
}

#[test]
fn a_continuation_in_chunks_allocates_nothing() {
    for (opener, continuations) in [
        ("TEXT_MESSAGE_CHUNK m1 role=user name=n", &["", " m1", " m1 role=user name=n"][..]),
        ("REASONING_MESSAGE_CHUNK r1", &["", " r1"]),
        (
            "TOOL_CALL_CHUNK c1 toolCallName=t parentMessageId=m0",
            &["", " c1", " c1 toolCallName=t parentMessageId=m0"],
        ),
    ] {
        let kind = opener.split(' ').next().unwrap();
        for tag in ["", " @a"] {
            let setup = format!("RUN_STARTED r1\n{opener}{tag}");
            for members in continuations {
                // Without a tag, too: the only lane that has a stream, or that has the id.
                for tag in [tag, ""] {
                    let line = format!("{kind}{members}{tag}");
                    assert_eq!(greedy::<StreamVerifier>(&setup, &line), [], "after {opener}");
                }
            }
        }
    }
}

#[test]
fn a_result_is_one_pointer() {
    assert_eq!(size_of::<Result<(), VerificationError>>(), size_of::<usize>());
}
