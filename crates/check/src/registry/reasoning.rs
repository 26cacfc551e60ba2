//! Reasoning: spans, messages, encrypted values.

use conform_verify::Rule;

use super::{Example, Judge, Level, Needs, Requirement};

pub(super) const ENTRIES: &[Requirement] = &[
    Requirement {
        id: "reasoning/span-not-already-open",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "events/reasoning#spans-reasoning_start-and-reasoning_end",
        text: "REASONING_START does not name an open span.",
        why: "A consumer cannot tell two stretches of thinking apart and must refuse the run; a \
              lenient one never takes the thinking indicator down.",
        help: "Open each span once, and close it before its id is used again.",
        judge: Judge::Rule(Rule::DuplicateStart),
        broken: Some(run![
            r#"{"type":"REASONING_START","messageId":"s1"}"#,
            r#"{"type":"REASONING_START","messageId":"s1"}"#,
            r#"{"type":"REASONING_END","messageId":"s1"}"#,
        ]),
        mended: Some(run![
            r#"{"type":"REASONING_START","messageId":"s1"}"#,
            r#"{"type":"REASONING_END","messageId":"s1"}"#,
        ]),
    },
    Requirement {
        id: "reasoning/span-open-before-end",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "events/reasoning#spans-reasoning_start-and-reasoning_end",
        text: "REASONING_END names an open span.",
        why: "There is nothing to end, so a consumer must refuse the run, thoughts and answer \
              alike.",
        help: "Send REASONING_START with the same messageId before, and REASONING_END once.",
        judge: Judge::Rule(Rule::NotOpen),
        broken: Some(run![
            r#"{"type":"REASONING_MESSAGE_CHUNK","messageId":"m1","delta":"They greet me."}"#,
            r#"{"type":"REASONING_END","messageId":"s1"}"#,
        ]),
        mended: Some(run![
            r#"{"type":"REASONING_START","messageId":"s1"}"#,
            r#"{"type":"REASONING_MESSAGE_CHUNK","messageId":"m1","delta":"They greet me."}"#,
            r#"{"type":"REASONING_END","messageId":"s1"}"#,
        ]),
    },
    Requirement {
        id: "reasoning/message-not-already-open",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "events/reasoning#reasoning-messages",
        text: "REASONING_MESSAGE_START does not name an open reasoning message.",
        why: "A consumer cannot tell a second thought from more of the first and must refuse the \
              run; a lenient one runs the two together.",
        help: "Start a reasoning message once, and close it with REASONING_MESSAGE_END before \
               its id is used again.",
        judge: Judge::Rule(Rule::DuplicateStart),
        broken: Some(run![
            r#"{"type":"REASONING_MESSAGE_START","messageId":"m1","role":"reasoning"}"#,
            r#"{"type":"REASONING_MESSAGE_START","messageId":"m1","role":"reasoning"}"#,
            r#"{"type":"REASONING_MESSAGE_CONTENT","messageId":"m1","delta":"They greet me."}"#,
            r#"{"type":"REASONING_MESSAGE_END","messageId":"m1"}"#,
        ]),
        mended: Some(run![
            r#"{"type":"REASONING_MESSAGE_START","messageId":"m1","role":"reasoning"}"#,
            r#"{"type":"REASONING_MESSAGE_CONTENT","messageId":"m1","delta":"They greet me."}"#,
            r#"{"type":"REASONING_MESSAGE_END","messageId":"m1"}"#,
        ]),
    },
    Requirement {
        id: "reasoning/message-open-before-content",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "events/reasoning#reasoning-messages",
        text: "REASONING_MESSAGE_CONTENT and REASONING_MESSAGE_END name an open reasoning \
               message; a span of the same id is not one.",
        why: "The fragment belongs to no message, and a consumer must not make one up: it \
              refuses the run, and the user loses the answer with the thoughts.",
        help: "Send REASONING_MESSAGE_START with the same messageId first, also inside a span: \
               REASONING_START opens no message.",
        judge: Judge::Rule(Rule::NotOpen),
        broken: Some(run![
            r#"{"type":"REASONING_START","messageId":"s1"}"#,
            r#"{"type":"REASONING_MESSAGE_START","messageId":"m1","role":"reasoning"}"#,
            r#"{"type":"REASONING_MESSAGE_CONTENT","messageId":"s1","delta":"They greet me."}"#,
            r#"{"type":"REASONING_MESSAGE_END","messageId":"m1"}"#,
            r#"{"type":"REASONING_END","messageId":"s1"}"#,
        ]),
        mended: Some(run![
            r#"{"type":"REASONING_START","messageId":"s1"}"#,
            r#"{"type":"REASONING_MESSAGE_START","messageId":"m1","role":"reasoning"}"#,
            r#"{"type":"REASONING_MESSAGE_CONTENT","messageId":"m1","delta":"They greet me."}"#,
            r#"{"type":"REASONING_MESSAGE_END","messageId":"m1"}"#,
            r#"{"type":"REASONING_END","messageId":"s1"}"#,
        ]),
    },
    Requirement {
        id: "reasoning/encrypted-entity-known",
        level: Level::Should,
        needs: Needs::Stream,
        since: "1.0",
        spec: "events/reasoning#error-handling",
        text: "REASONING_ENCRYPTED_VALUE names a message or call that the consumer knows and \
               that can hold it.",
        why: "The consumer has nowhere to keep the value and drops it, so the next request comes \
              without it and the model has lost its train of thought.",
        help: "Name the message or call that you streamed or restated, with the matching \
               subtype; a span or an activity cannot hold the value.",
        judge: Judge::Beyond,
        broken: Some(lines![
            r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.1","input":{"threadId":"t1","runId":"r1","messages":[{"id":"u1","role":"user","content":"Hello."}]}}"#,
            r#"{"type":"REASONING_START","messageId":"s1"}"#,
            r#"{"type":"REASONING_MESSAGE_CHUNK","messageId":"m1","delta":"They greet me."}"#,
            r#"{"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"s1","encryptedValue":"b3BhcXVl"}"#,
            r#"{"type":"REASONING_END","messageId":"s1"}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}"#,
        ]),
        mended: Some(lines![
            r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.1","input":{"threadId":"t1","runId":"r1","messages":[{"id":"u1","role":"user","content":"Hello."}]}}"#,
            r#"{"type":"REASONING_START","messageId":"s1"}"#,
            r#"{"type":"REASONING_MESSAGE_CHUNK","messageId":"m1","delta":"They greet me."}"#,
            r#"{"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"m1","encryptedValue":"b3BhcXVl"}"#,
            r#"{"type":"REASONING_END","messageId":"s1"}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}"#,
        ]),
    },
    Requirement {
        id: "reasoning/encrypted-type-needs-value",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.1",
        spec: "events/reasoning#encryptedvaluetype",
        text: "encryptedValueType never appears without encryptedValue.",
        why: "The type labels one value: left alone it may come back beside another one, which \
              the provider then reads as the wrong kind of block.",
        help: "Send encryptedValueType together with the encryptedValue that it names, or leave \
               both out.",
        judge: Judge::Shape,
        broken: Some(run![
            r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m1","role":"reasoning","content":"They greet me.","encryptedValueType":"example.signature"}]}"#,
        ]),
        mended: Some(run![
            r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m1","role":"reasoning","content":"They greet me.","encryptedValue":"b3BhcXVl","encryptedValueType":"example.signature"}]}"#,
        ]),
    },
];
