//! Steps.

use conform_verify::Rule;

use super::{Example, Judge, Level, Needs, Requirement};

pub(super) const ENTRIES: &[Requirement] = &[
    Requirement {
        id: "step/not-already-open",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "events/lifecycle#steps",
        text: "A step name is not opened again while open under the same owner.",
        why: "Steps are matched by name alone, so a consumer cannot tell which of the two a \
              later STEP_FINISHED ends, and shows wrong progress or refuses the run.",
        help: "Finish the step before it starts again, or give steps that overlap names of \
               their own.",
        judge: Judge::Rule(Rule::DuplicateStart),
        broken: Some(run![
            r#"{"type":"STEP_STARTED","stepName":"search"}"#,
            r#"{"type":"STEP_STARTED","stepName":"search"}"#,
            r#"{"type":"STEP_FINISHED","stepName":"search"}"#,
        ]),
        mended: Some(run![
            r#"{"type":"STEP_STARTED","stepName":"search"}"#,
            r#"{"type":"STEP_FINISHED","stepName":"search"}"#,
        ]),
    },
    Requirement {
        id: "step/finished-by-its-owner",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "events/subagents#ownership",
        text: "STEP_FINISHED names a step open under the same attribution.",
        why: "Steps are kept per owner: the end of a step that its owner did not open finds \
              nothing to end, and the step that was meant stays in progress.",
        help: "Put the subagentRunId of STEP_STARTED on its STEP_FINISHED, none where there was \
               none, and finish only what was started.",
        judge: Judge::Rule(Rule::NotOpen),
        broken: Some(run![
            r#"{"type":"STEP_STARTED","stepName":"search","subagentRunId":"s1"}"#,
            r#"{"type":"STEP_FINISHED","stepName":"search"}"#,
            r#"{"type":"STEP_FINISHED","stepName":"search","subagentRunId":"s1"}"#,
        ]),
        mended: Some(run![
            r#"{"type":"STEP_STARTED","stepName":"search","subagentRunId":"s1"}"#,
            r#"{"type":"STEP_FINISHED","stepName":"search","subagentRunId":"s1"}"#,
        ]),
    },
];
