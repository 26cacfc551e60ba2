//! What an id may name.

use super::{Example, Judge, Level, Needs, Requirement};

pub(super) const ENTRIES: &[Requirement] = &[
    Requirement {
        id: "ids/run-not-reused",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "basic#identifiers",
        text: "A runId is not used for a second run on the same thread.",
        why: "Whoever stores runs by id overwrites the first with the second, and usage, logs \
              and results of the two cannot be told apart.",
        help: "Give every run an id of its own; a retry is a new run.",
        judge: Judge::Beyond,
        broken: Some(lines![
            r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.1"}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}"#,
            r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.1"}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}"#,
        ]),
        mended: Some(lines![
            r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.1"}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}"#,
            r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r2","protocolVersion":"1.1"}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r2"}"#,
        ]),
    },
    Requirement {
        id: "ids/message-unique",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "basic#identifiers",
        text: "A messageId names one message in its thread: a text, reasoning, tool-result or \
               activity message never takes the id of another.",
        why: "A consumer keeps its messages by id, so one of the two overwrites the other or is \
              appended to it, and the user sees thoughts as an answer, or loses a result.",
        help: "Give every message a fresh id, a tool's result and the reasoning before an answer \
               too; only reopening or restating the same message repeats its id.",
        judge: Judge::Beyond,
        broken: Some(run![
            r#"{"type":"REASONING_START","messageId":"s1"}"#,
            r#"{"type":"REASONING_MESSAGE_CHUNK","messageId":"m1","delta":"They greet me."}"#,
            r#"{"type":"REASONING_END","messageId":"s1"}"#,
            r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"Good morning."}"#,
        ]),
        mended: Some(run![
            r#"{"type":"REASONING_START","messageId":"s1"}"#,
            r#"{"type":"REASONING_MESSAGE_CHUNK","messageId":"m1","delta":"They greet me."}"#,
            r#"{"type":"REASONING_END","messageId":"s1"}"#,
            r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m2","delta":"Good morning."}"#,
        ]),
    },
];
