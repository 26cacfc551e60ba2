//! Where runs begin and end.

use conform_verify::Rule;

use super::{Example, Judge, Level, Needs, Requirement};

/// A request that carries one message of the user.
const ASKED: &str = concat!(
    r#"{"threadId":"t1","runId":"r1","protocolVersion":"1.1","#,
    r#""messages":[{"id":"u1","role":"user","content":"Hello."}]}"#,
);

/// A request whose history holds an answer of the agent.
const WITH_HISTORY: &str = concat!(
    r#"{"threadId":"t1","runId":"r1","protocolVersion":"1.1","#,
    r#""messages":[{"id":"u1","role":"user","content":"Hello."},"#,
    r#"{"id":"m1","role":"assistant","content":"Good morning."}]}"#,
);

pub(super) const ENTRIES: &[Requirement] = &[
    Requirement {
        id: "lifecycle/first-event",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "events/lifecycle#the-run",
        text: "The first event is RUN_STARTED or RUN_ERROR.",
        why: "A consumer that has no run to put the event into must refuse the stream, and the \
              user sees an error instead of an answer.",
        help: "Send RUN_STARTED before anything else; where the run cannot even start, send \
               RUN_ERROR alone.",
        judge: Judge::Stream,
        broken: Some(lines![
            r#"{"type":"STATE_SNAPSHOT","snapshot":{"step":1}}"#,
            r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.1"}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}"#,
        ]),
        mended: Some(lines![
            r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.1"}"#,
            r#"{"type":"STATE_SNAPSHOT","snapshot":{"step":1}}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}"#,
        ]),
    },
    Requirement {
        id: "lifecycle/one-run-at-a-time",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "events/lifecycle#several-runs-on-one-stream",
        text: "RUN_STARTED never arrives while a run is active.",
        why: "Nothing says which of two runs an event belongs to, or what becomes of what the \
              first one has open, so a consumer must refuse the stream.",
        help: "Close the active run with RUN_FINISHED or RUN_ERROR before you start the next; a \
               delegate inside the run is a subagent, not a run.",
        judge: Judge::Rule(Rule::DuplicateRunStarted),
        broken: Some(lines![
            r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.1"}"#,
            r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r2","protocolVersion":"1.1"}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r2"}"#,
        ]),
        mended: Some(lines![
            r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.1"}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}"#,
            r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r2","protocolVersion":"1.1"}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r2"}"#,
        ]),
    },
    Requirement {
        id: "lifecycle/nothing-after-finish",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "events/lifecycle#after-a-run-closes",
        text: "After RUN_FINISHED only RUN_STARTED (a new run) or RUN_ERROR (a late failure) \
               follows, after RUN_ERROR only RUN_STARTED.",
        why: "The application has taken the run as over and may have stored it or stopped \
              reading; what comes later is lost, or fails a run that had succeeded.",
        help: "Flush every event of the run, a last snapshot too, before its RUN_FINISHED or \
               RUN_ERROR, and send that event once.",
        judge: Judge::Rule(Rule::RunEnded),
        broken: Some(lines![
            r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.1"}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}"#,
        ]),
        mended: Some(lines![
            r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.1"}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}"#,
        ]),
    },
    Requirement {
        id: "lifecycle/closed-before-finish",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "events/lifecycle#several-runs-on-one-stream",
        text: "Every text message, reasoning span and message, tool call, step and subagent is \
               closed before RUN_FINISHED, whatever its outcome.",
        why: "A consumer cannot tell whether what is still open is complete: it must refuse the \
              run, and a lenient one leaves a message or a spinner that never ends.",
        help: "Keep track of what the run has opened and send every missing end before \
               RUN_FINISHED; where that is not possible any more, end the run with RUN_ERROR.",
        judge: Judge::Rule(Rule::OpenAtFinish),
        broken: Some(run![
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m1","role":"assistant"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Good morning."}"#,
        ]),
        mended: Some(run![
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m1","role":"assistant"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Good morning."}"#,
            r#"{"type":"TEXT_MESSAGE_END","messageId":"m1"}"#,
        ]),
    },
    Requirement {
        id: "lifecycle/terminated",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "basic/transports#truncation",
        text: "The stream does not end with a run still open.",
        why: "A consumer cannot tell a finished run from a broken connection: the run has no \
              outcome, and the application waits, retries or shows a failure.",
        help: "End every run with RUN_FINISHED, or with RUN_ERROR where it failed, also when \
               your own code throws or is cancelled.",
        judge: Judge::Stream,
        broken: Some(started![
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m1","role":"assistant"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Good morning."}"#,
            r#"{"type":"TEXT_MESSAGE_END","messageId":"m1"}"#,
        ]),
        mended: Some(started![
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m1","role":"assistant"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Good morning."}"#,
            r#"{"type":"TEXT_MESSAGE_END","messageId":"m1"}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}"#,
        ]),
    },
    Requirement {
        id: "lifecycle/same-run-id",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "basic/run-input#identity",
        text: "RUN_FINISHED carries the runId of the RUN_STARTED it closes.",
        why: "An application that keeps its runs by id closes the wrong one, or none, and the \
              run that did finish stays open for it.",
        help: "Take the runId of RUN_FINISHED from the RUN_STARTED that you sent; do not make a \
               new one.",
        judge: Judge::Beyond,
        broken: Some(started![r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r2"}"#]),
        mended: Some(started![r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}"#]),
    },
    Requirement {
        id: "lifecycle/same-thread-id",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "basic/run-input#identity",
        text: "Every RUN_STARTED and RUN_FINISHED on a stream carries one threadId.",
        why: "A stream belongs to one conversation: a second threadId files the run, or half of \
              it, under a thread that the application does not have.",
        help: "Put the threadId of the request on every RUN_STARTED and RUN_FINISHED of the \
               stream, replayed runs included.",
        judge: Judge::Beyond,
        broken: Some(started![r#"{"type":"RUN_FINISHED","threadId":"t2","runId":"r1"}"#]),
        mended: Some(started![r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}"#]),
    },
    Requirement {
        id: "lifecycle/echoes-request",
        level: Level::Must,
        needs: Needs::Request,
        since: "1.0",
        spec: "basic/run-input#identity",
        text: "The last run echoes the request's runId, and every run its threadId.",
        why: "The application knows its run by the id it asked with: under another id the answer \
              belongs to no request, and a resume or a retry goes astray.",
        help: "Use the request's runId and threadId for the run that answers it; only replayed \
               runs have a runId of their own.",
        judge: Judge::Beyond,
        broken: Some(
            lines![
                r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r2","protocolVersion":"1.1"}"#,
                r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r2"}"#,
            ]
            .answering(ASKED),
        ),
        mended: Some(
            lines![
                r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.1"}"#,
                r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}"#,
            ]
            .answering(ASKED),
        ),
    },
    Requirement {
        id: "lifecycle/cancelled-has-no-result",
        level: Level::Should,
        needs: Needs::Stream,
        since: "1.0",
        spec: "events/lifecycle#cancelled-runs",
        text: "A cancelled run carries no result.",
        why: "A run that was stopped has no return value: an application that finds one takes \
              partial work for the whole.",
        help: "Leave result out of a RUN_FINISHED whose outcome is cancelled; what was made \
               before the stop has been streamed already.",
        judge: Judge::Beyond,
        broken: Some(started![
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"cancelled"},"result":{"pages":3}}"#,
        ]),
        mended: Some(started![
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"cancelled"}}"#,
        ]),
    },
    Requirement {
        id: "lifecycle/restates-by-snapshot",
        level: Level::Must,
        needs: Needs::Request,
        since: "1.0",
        spec: "events/lifecycle#several-runs-on-one-stream",
        text: "A text message, reasoning message or tool call that the request already carried \
               is not streamed again from its beginning; reopening it to append is legal.",
        why: "A consumer appends to the message that it holds, so the user reads the old text \
              twice, and a call's arguments become two documents in one.",
        help: "Restate history with MESSAGES_SNAPSHOT and STATE_SNAPSHOT; stream only what is \
               new.",
        judge: Judge::Beyond,
        broken: Some(
            run![
                r#"{"type":"TEXT_MESSAGE_START","messageId":"m1","role":"assistant"}"#,
                r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Good morning."}"#,
                r#"{"type":"TEXT_MESSAGE_END","messageId":"m1"}"#,
            ]
            .answering(WITH_HISTORY),
        ),
        mended: Some(
            run![
                r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"u1","role":"user","content":"Hello."},{"id":"m1","role":"assistant","content":"Good morning."}]}"#,
            ]
            .answering(WITH_HISTORY),
        ),
    },
];
