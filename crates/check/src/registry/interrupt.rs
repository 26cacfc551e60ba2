//! Interrupts.

use super::{Example, Judge, Level, Needs, Requirement};

pub(super) const ENTRIES: &[Requirement] = &[
    Requirement {
        id: "interrupt/at-least-one",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "basic/patterns/interrupt-resume#interrupting",
        text: "An interrupt outcome carries at least one interrupt.",
        why: "The run waits for an answer to a question that it did not ask: the application has \
              nothing to show and nothing to resume with.",
        help: "List what the run waits for in interrupts; where it waits for nothing, finish \
               with the success outcome.",
        judge: Judge::Shape,
        broken: Some(started![
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"interrupt","interrupts":[]}}"#,
        ]),
        mended: Some(started![
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"interrupt","interrupts":[{"id":"i1","reason":"approval"}]}}"#,
        ]),
    },
    Requirement {
        id: "interrupt/unique-ids",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "basic/patterns/interrupt-resume#interrupting",
        text: "Interrupt ids are unique within the run.",
        why: "A resume entry answers by id: with two interrupts of one id an approval of the \
              first may release the second.",
        help: "Give every interrupt an id of its own, also where several tools ask the same \
               question.",
        judge: Judge::Beyond,
        broken: Some(started![
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"interrupt","interrupts":[{"id":"i1","reason":"approval","message":"Pay?"},{"id":"i1","reason":"approval","message":"Ship?"}]}}"#,
        ]),
        mended: Some(started![
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"interrupt","interrupts":[{"id":"i1","reason":"approval","message":"Pay?"},{"id":"i2","reason":"approval","message":"Ship?"}]}}"#,
        ]),
    },
    Requirement {
        id: "interrupt/suspended-ids-exist",
        level: Level::Should,
        needs: Needs::Stream,
        since: "house",
        spec: "events/subagents#termination",
        text: "The interruptIds of a suspended subagent are among the run's interrupts.",
        why: "The application looks the ids up to show what the subagent waits for, and finds \
              nothing that anybody could answer.",
        help: "Finish the run with the interrupt outcome and carry in it every interrupt that a \
               suspended subagent names, under the same id.",
        judge: Judge::Beyond,
        broken: Some(started![
            r#"{"type":"SUBAGENT_STARTED","subagentRunId":"s1","name":"buyer"}"#,
            r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"s1","outcome":{"type":"suspended","interruptIds":["i2"]}}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"interrupt","interrupts":[{"id":"i1","reason":"approval","subagentRunId":"s1"}]}}"#,
        ]),
        mended: Some(started![
            r#"{"type":"SUBAGENT_STARTED","subagentRunId":"s1","name":"buyer"}"#,
            r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"s1","outcome":{"type":"suspended","interruptIds":["i1"]}}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"interrupt","interrupts":[{"id":"i1","reason":"approval","subagentRunId":"s1"}]}}"#,
        ]),
    },
];
