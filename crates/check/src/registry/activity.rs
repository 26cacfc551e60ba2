//! Activities.

use conform_verify::Rule;

use super::{Example, Judge, Level, Needs, Requirement};

pub(super) const ENTRIES: &[Requirement] = &[
    Requirement {
        id: "activity/snapshot-first",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "events/activity#activity_delta",
        text: "ACTIVITY_DELTA names an activity that a snapshot created: an ACTIVITY_SNAPSHOT, \
               or a MESSAGES_SNAPSHOT that carries it, in this run or an earlier one of the \
               stream.",
        why: "A consumer has nothing to apply the patch to and skips it, so the progress that it \
              reports is never shown.",
        help: "Send ACTIVITY_SNAPSHOT with the first content, and only then deltas with the same \
               messageId.",
        judge: Judge::Beyond,
        broken: Some(run![
            r#"{"type":"ACTIVITY_DELTA","messageId":"a1","activityType":"web_search","patch":[{"op":"replace","path":"/found","value":3}]}"#,
        ]),
        mended: Some(run![
            r#"{"type":"ACTIVITY_SNAPSHOT","messageId":"a1","activityType":"web_search","content":{"found":0}}"#,
            r#"{"type":"ACTIVITY_DELTA","messageId":"a1","activityType":"web_search","patch":[{"op":"replace","path":"/found","value":3}]}"#,
        ]),
    },
    Requirement {
        id: "activity/delta-applies",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "basic/patterns/snapshots#deltas",
        text: "ACTIVITY_DELTA applies to the activity's content.",
        why: "The consumer keeps the old content, so the widget stands still or shows numbers \
              that the agent has left behind.",
        help: "Compute deltas against the content that you sent last; where you are not sure, \
               send an ACTIVITY_SNAPSHOT.",
        judge: Judge::Beyond,
        broken: Some(run![
            r#"{"type":"ACTIVITY_SNAPSHOT","messageId":"a1","activityType":"web_search","content":{"found":0}}"#,
            r#"{"type":"ACTIVITY_DELTA","messageId":"a1","activityType":"web_search","patch":[{"op":"replace","path":"/hits","value":3}]}"#,
        ]),
        mended: Some(run![
            r#"{"type":"ACTIVITY_SNAPSHOT","messageId":"a1","activityType":"web_search","content":{"found":0}}"#,
            r#"{"type":"ACTIVITY_DELTA","messageId":"a1","activityType":"web_search","patch":[{"op":"replace","path":"/found","value":3}]}"#,
        ]),
    },
    Requirement {
        id: "activity/stays-an-object",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "events/activity#activity_delta",
        text: "The content that ACTIVITY_DELTA leaves is still an object.",
        why: "A renderer reads members of an object: on a string, a list or null it shows \
              nothing or fails, and the message cannot be stored.",
        help: "Patch members of the content, never the whole of it into something else; to \
               replace it, send an ACTIVITY_SNAPSHOT.",
        judge: Judge::Beyond,
        broken: Some(run![
            r#"{"type":"ACTIVITY_SNAPSHOT","messageId":"a1","activityType":"web_search","content":{"found":0}}"#,
            r#"{"type":"ACTIVITY_DELTA","messageId":"a1","activityType":"web_search","patch":[{"op":"replace","path":"","value":"done"}]}"#,
        ]),
        mended: Some(run![
            r#"{"type":"ACTIVITY_SNAPSHOT","messageId":"a1","activityType":"web_search","content":{"found":0}}"#,
            r#"{"type":"ACTIVITY_DELTA","messageId":"a1","activityType":"web_search","patch":[{"op":"replace","path":"","value":{"done":true}}]}"#,
        ]),
    },
    Requirement {
        id: "activity/owner-agrees",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "events/subagents#ownership",
        text: "A tagged ACTIVITY_DELTA names the activity's owner.",
        why: "One agent's progress would be written into another's widget, so a consumer must \
              refuse the run.",
        help: "Repeat the subagentRunId of the ACTIVITY_SNAPSHOT, or leave it out of the deltas.",
        judge: Judge::Rule(Rule::OwnerMismatch),
        broken: Some(run![
            r#"{"type":"ACTIVITY_SNAPSHOT","messageId":"a1","activityType":"web_search","content":{"found":0},"subagentRunId":"s1"}"#,
            r#"{"type":"ACTIVITY_DELTA","messageId":"a1","activityType":"web_search","patch":[{"op":"replace","path":"/found","value":3}],"subagentRunId":"s2"}"#,
        ]),
        mended: Some(run![
            r#"{"type":"ACTIVITY_SNAPSHOT","messageId":"a1","activityType":"web_search","content":{"found":0},"subagentRunId":"s1"}"#,
            r#"{"type":"ACTIVITY_DELTA","messageId":"a1","activityType":"web_search","patch":[{"op":"replace","path":"/found","value":3}],"subagentRunId":"s1"}"#,
        ]),
    },
    Requirement {
        id: "activity/keep-agrees",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "events/activity#activity_snapshot",
        text: "An ACTIVITY_SNAPSHOT with replace: false for an existing activity agrees with its \
               owner.",
        why: "The first owner stands, so the widget stays with an agent that the producer says \
              it does not belong to.",
        help: "Repeat the first snapshot's subagentRunId; to hand an activity over, send a \
               snapshot that replaces it.",
        judge: Judge::Beyond,
        broken: Some(run![
            r#"{"type":"ACTIVITY_SNAPSHOT","messageId":"a1","activityType":"web_search","content":{"found":0},"subagentRunId":"s1"}"#,
            r#"{"type":"ACTIVITY_SNAPSHOT","messageId":"a1","activityType":"web_search","content":{"found":0},"replace":false,"subagentRunId":"s2"}"#,
        ]),
        mended: Some(run![
            r#"{"type":"ACTIVITY_SNAPSHOT","messageId":"a1","activityType":"web_search","content":{"found":0},"subagentRunId":"s1"}"#,
            r#"{"type":"ACTIVITY_SNAPSHOT","messageId":"a1","activityType":"web_search","content":{"found":0},"replace":false,"subagentRunId":"s1"}"#,
        ]),
    },
];
