//! Subagents: who did what, and which invocations there are.

use conform_verify::Rule;

use super::{Example, Judge, Level, Needs, Requirement};

pub(super) const ENTRIES: &[Requirement] = &[
    Requirement {
        id: "subagent/owner-agrees",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "events/subagents#ownership",
        text: "A tagged continuation, terminator or reopening start names the owner of its \
               message, reasoning or tool call; so does a tagged encrypted value.",
        why: "One agent's words would be appended to another's message, where nobody can find \
              them again, so a consumer must refuse the run.",
        help: "Repeat the subagentRunId of the start on everything that continues it, or leave \
               it out there.",
        judge: Judge::Rule(Rule::OwnerMismatch),
        broken: Some(run![
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m1","role":"assistant","subagentRunId":"s1"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Found it.","subagentRunId":"s2"}"#,
            r#"{"type":"TEXT_MESSAGE_END","messageId":"m1"}"#,
        ]),
        mended: Some(run![
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m1","role":"assistant","subagentRunId":"s1"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Found it.","subagentRunId":"s1"}"#,
            r#"{"type":"TEXT_MESSAGE_END","messageId":"m1"}"#,
        ]),
    },
    Requirement {
        id: "subagent/call-follows-its-message",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "events/subagents#ownership",
        text: "A tool call is not attributed to one owner while its parent message belongs to \
               another.",
        why: "A call lives inside its message and has no owner of its own in history, so one of \
              the two attributions is lost and the call shows up under the wrong agent.",
        help: "Tag the start of a call like the message that parentMessageId names, or leave the tag \
               out; a call of another agent hangs on a message of its own.",
        judge: Judge::Rule(Rule::OwnerMismatch),
        broken: Some(started![
            r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"I look it up.","subagentRunId":"s1"}"#,
            r#"{"type":"TOOL_CALL_CHUNK","toolCallId":"c1","toolCallName":"search","parentMessageId":"m1","delta":"{}","subagentRunId":"s2"}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"success","pendingToolCallIds":["c1"]}}"#,
        ]),
        mended: Some(started![
            r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"I look it up.","subagentRunId":"s1"}"#,
            r#"{"type":"TOOL_CALL_CHUNK","toolCallId":"c1","toolCallName":"search","parentMessageId":"m1","delta":"{}","subagentRunId":"s1"}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"success","pendingToolCallIds":["c1"]}}"#,
        ]),
    },
    Requirement {
        id: "subagent/not-already-active",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "events/subagents#lifecycle",
        text: "SUBAGENT_STARTED does not name an active invocation.",
        why: "A consumer cannot tell whether a second invocation began, or which of the two the \
              next end closes, and must refuse the run.",
        help: "Announce each invocation once, and give two invocations of the same subagent ids \
               of their own.",
        judge: Judge::Rule(Rule::DuplicateStart),
        broken: Some(run![
            r#"{"type":"SUBAGENT_STARTED","subagentRunId":"s1","name":"researcher"}"#,
            r#"{"type":"SUBAGENT_STARTED","subagentRunId":"s1","name":"researcher"}"#,
            r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"s1"}"#,
        ]),
        mended: Some(run![
            r#"{"type":"SUBAGENT_STARTED","subagentRunId":"s1","name":"researcher"}"#,
            r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"s1"}"#,
        ]),
    },
    Requirement {
        id: "subagent/id-names-one-invocation",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "events/subagents#attribution",
        text: "A subagentRunId that finished is not started again in the run.",
        why: "Everything is grouped by this id, so the work of two invocations becomes one pile \
              with two ends, and a consumer must refuse the run.",
        help: "Make a new subagentRunId for every invocation; a subagent's name is what stays \
               the same.",
        judge: Judge::Rule(Rule::DuplicateStart),
        broken: Some(run![
            r#"{"type":"SUBAGENT_STARTED","subagentRunId":"s1","name":"researcher"}"#,
            r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"s1"}"#,
            r#"{"type":"SUBAGENT_STARTED","subagentRunId":"s1","name":"researcher"}"#,
            r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"s1"}"#,
        ]),
        mended: Some(run![
            r#"{"type":"SUBAGENT_STARTED","subagentRunId":"s1","name":"researcher"}"#,
            r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"s1"}"#,
            r#"{"type":"SUBAGENT_STARTED","subagentRunId":"s2","name":"researcher"}"#,
            r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"s2"}"#,
        ]),
    },
    Requirement {
        id: "subagent/active-before-end",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "events/subagents#lifecycle",
        text: "SUBAGENT_FINISHED and SUBAGENT_ERROR name an active invocation.",
        why: "There is nothing to end: a consumer must refuse the run, or shows an agent as done \
              that it never saw working.",
        help: "Send SUBAGENT_STARTED when the invocation begins, and exactly one SUBAGENT_FINISHED \
               or SUBAGENT_ERROR when it ends.",
        judge: Judge::Rule(Rule::NotOpen),
        broken: Some(run![r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"s1"}"#]),
        mended: Some(run![
            r#"{"type":"SUBAGENT_STARTED","subagentRunId":"s1","name":"researcher"}"#,
            r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"s1"}"#,
        ]),
    },
    Requirement {
        id: "subagent/announced-parent",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "events/subagents#nesting-and-parallelism",
        text: "parentSubagentRunId names an invocation announced in this run.",
        why: "The tree of agents has a branch without a trunk: a consumer refuses the run, or \
              has no place to show the invocation.",
        help: "Announce the parent first and repeat its subagentRunId, not its name; leave the \
               member out where the parent agent itself delegated.",
        judge: Judge::Rule(Rule::UnknownId),
        broken: Some(run![
            r#"{"type":"SUBAGENT_STARTED","subagentRunId":"s1","name":"researcher"}"#,
            r#"{"type":"SUBAGENT_STARTED","subagentRunId":"s2","name":"reader","parentSubagentRunId":"researcher"}"#,
            r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"s2"}"#,
            r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"s1"}"#,
        ]),
        mended: Some(run![
            r#"{"type":"SUBAGENT_STARTED","subagentRunId":"s1","name":"researcher"}"#,
            r#"{"type":"SUBAGENT_STARTED","subagentRunId":"s2","name":"reader","parentSubagentRunId":"s1"}"#,
            r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"s2"}"#,
            r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"s1"}"#,
        ]),
    },
    Requirement {
        id: "subagent/announced-before-use",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "events/subagents#lifecycle",
        text: "An invocation that is announced at all is announced before any event attributed \
               to it.",
        why: "Until the announcement a consumer has no name and no place for the work, and shows \
              it under an unknown agent or under the wrong one.",
        help: "Send SUBAGENT_STARTED before the first event that carries its subagentRunId, or \
               do not announce the invocation at all.",
        judge: Judge::Beyond,
        broken: Some(run![
            r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"Found it.","subagentRunId":"s1"}"#,
            r#"{"type":"SUBAGENT_STARTED","subagentRunId":"s1","name":"researcher"}"#,
            r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"s1"}"#,
        ]),
        mended: Some(run![
            r#"{"type":"SUBAGENT_STARTED","subagentRunId":"s1","name":"researcher"}"#,
            r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"Found it.","subagentRunId":"s1"}"#,
            r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"s1"}"#,
        ]),
    },
    Requirement {
        id: "subagent/success-has-no-interrupts",
        level: Level::Must,
        needs: Needs::Stream,
        since: "1.0",
        spec: "events/subagents#lifecycle",
        text: "The success outcome of SUBAGENT_FINISHED carries no interruptIds.",
        why: "The invocation is reported as done and as waiting at once: a consumer drops the \
              ids and shows as complete what still needs an answer.",
        help: "Use the suspended outcome where the invocation waits for an answer, and leave \
               interruptIds out where it succeeded.",
        judge: Judge::Shape,
        broken: Some(started![
            r#"{"type":"SUBAGENT_STARTED","subagentRunId":"s1","name":"buyer"}"#,
            r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"s1","outcome":{"type":"success","interruptIds":["i1"]}}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"interrupt","interrupts":[{"id":"i1","reason":"approval","subagentRunId":"s1"}]}}"#,
        ]),
        mended: Some(started![
            r#"{"type":"SUBAGENT_STARTED","subagentRunId":"s1","name":"buyer"}"#,
            r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"s1","outcome":{"type":"suspended","interruptIds":["i1"]}}"#,
            r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1","outcome":{"type":"interrupt","interrupts":[{"id":"i1","reason":"approval","subagentRunId":"s1"}]}}"#,
        ]),
    },
];
