//! The chunked form.

use super::{Example, Judge, Level, Needs, Requirement};

pub(super) const ENTRIES: &[Requirement] = &[
    Requirement {
        id: "chunk/first-carries-id",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "basic/patterns/streaming#the-first-chunk",
        text: "The first chunk of an item carries messageId or toolCallId, and a tool call's \
               also toolCallName.",
        why: "A consumer has nothing to open and must not make an id up, so it refuses the run; \
              without a tool's name nobody can execute the call.",
        help: "Put messageId, or toolCallId and toolCallName, on the first chunk of every item, \
               also where another event has closed the one before.",
        judge: Judge::Stream,
        broken: Some(run![
            r#"{"type":"TEXT_MESSAGE_CHUNK","role":"assistant","delta":"Good morning."}"#,
        ]),
        mended: Some(run![
            r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","role":"assistant","delta":"Good morning."}"#,
        ]),
    },
    Requirement {
        id: "chunk/repeat-agrees",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "basic/patterns/streaming#continuation-chunks",
        text: "A continuation that repeats role, name, toolCallName or parentMessageId repeats \
               the opener's value, where an absent role is assistant.",
        why: "The producer has said two things about one item and no consumer can choose between \
              them, so it must refuse the run.",
        help: "Leave these members out of all chunks but the first, or repeat them unchanged; \
               start another item with an id of its own.",
        judge: Judge::Stream,
        broken: Some(run![
            r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"Good "}"#,
            r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","role":"user","delta":"morning."}"#,
        ]),
        mended: Some(run![
            r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"Good "}"#,
            r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","role":"assistant","delta":"morning."}"#,
        ]),
    },
    Requirement {
        id: "chunk/forms-do-not-mix",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "basic/patterns/streaming#the-chunked-form",
        text: "While an item is open it is streamed in one form: no explicit content or end for \
               an item that chunks opened, no chunk for one that a start opened.",
        why: "The other form ends what the first one began: what follows names an item that is \
              closed already, and a consumer must refuse the run.",
        help: "Choose one form for each item; a chunked item needs no end, the next event or the \
               end of the run closes it.",
        judge: Judge::Stream,
        broken: Some(run![
            r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"Good morning."}"#,
            r#"{"type":"TEXT_MESSAGE_END","messageId":"m1"}"#,
        ]),
        mended: Some(run![
            r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"Good morning."}"#,
        ]),
    },
    Requirement {
        id: "chunk/unambiguous-lane",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "basic/patterns/streaming#closing-a-chunk-stream",
        text: "A continuation without id and tag has one referent: the parent agent's open \
               stream of its kind, or the only one.",
        why: "Several subagents are streaming and nothing says whose text this is: a consumer \
              must refuse the run rather than give one agent another's words.",
        help: "Put subagentRunId, or the item's id, on every chunk as soon as subagents work in \
               parallel.",
        judge: Judge::Stream,
        broken: Some(run![
            r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"North ","subagentRunId":"s1"}"#,
            r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m2","delta":"South ","subagentRunId":"s2"}"#,
            r#"{"type":"TEXT_MESSAGE_CHUNK","delta":"wind."}"#,
        ]),
        mended: Some(run![
            r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"North ","subagentRunId":"s1"}"#,
            r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m2","delta":"South ","subagentRunId":"s2"}"#,
            r#"{"type":"TEXT_MESSAGE_CHUNK","delta":"wind.","subagentRunId":"s1"}"#,
        ]),
    },
    Requirement {
        id: "chunk/ends-with-its-owner",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "basic/patterns/streaming#closing-a-chunk-stream",
        text: "No continuation without an id arrives for a chunked item that its subagent's \
               terminal event or a run-level event has closed.",
        why: "The item ended with its owner, so the rest belongs to nothing and a consumer must \
              refuse the run: the user loses the end of the text.",
        help: "Flush a subagent's chunks before its SUBAGENT_FINISHED or SUBAGENT_ERROR, and \
               carry the id again after a run-level event.",
        judge: Judge::Stream,
        broken: Some(run![
            r#"{"type":"SUBAGENT_STARTED","subagentRunId":"s1","name":"writer"}"#,
            r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"North ","subagentRunId":"s1"}"#,
            r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"s1"}"#,
            r#"{"type":"TEXT_MESSAGE_CHUNK","delta":"wind.","subagentRunId":"s1"}"#,
        ]),
        mended: Some(run![
            r#"{"type":"SUBAGENT_STARTED","subagentRunId":"s1","name":"writer"}"#,
            r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"North ","subagentRunId":"s1"}"#,
            r#"{"type":"TEXT_MESSAGE_CHUNK","delta":"wind.","subagentRunId":"s1"}"#,
            r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"s1"}"#,
        ]),
    },
];
