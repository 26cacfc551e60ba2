//! What is refused wherever it stands: before a run and after its end, one event a type.

use crate::row::Row;
use crate::row::Scope::{self, Run, Stream};

/// One event of every type of AG-UI 1.x, two of retired types, two of unknown ones, and two
/// without a type.
const EVENTS: &str = r#"
    {"type":"TEXT_MESSAGE_START","messageId":"m1","role":"assistant"}
    {"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"hello"}
    {"type":"TEXT_MESSAGE_END","messageId":"m1"}
    {"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"hello"}
    {"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"search"}
    {"type":"TOOL_CALL_ARGS","toolCallId":"c1","delta":"{}"}
    {"type":"TOOL_CALL_END","toolCallId":"c1"}
    {"type":"TOOL_CALL_CHUNK","toolCallId":"c1","toolCallName":"search"}
    {"type":"TOOL_CALL_RESULT","toolCallId":"c1","messageId":"m1","content":"4"}
    {"type":"STATE_SNAPSHOT","snapshot":{}}
    {"type":"STATE_DELTA","delta":[]}
    {"type":"MESSAGES_SNAPSHOT","messages":[]}
    {"type":"ACTIVITY_SNAPSHOT","messageId":"v1","activityType":"PLAN","content":{}}
    {"type":"ACTIVITY_DELTA","messageId":"v1","activityType":"PLAN","patch":[]}
    {"type":"RAW","event":{}}
    {"type":"CUSTOM","name":"note","value":1}
    {"type":"RUN_STARTED","runId":"r2"}
    {"type":"RUN_FINISHED","runId":"r1"}
    {"type":"RUN_ERROR","message":"lost"}
    {"type":"STEP_STARTED","stepName":"plan"}
    {"type":"STEP_FINISHED","stepName":"plan"}
    {"type":"REASONING_START","messageId":"g1"}
    {"type":"REASONING_MESSAGE_START","messageId":"g1"}
    {"type":"REASONING_MESSAGE_CONTENT","messageId":"g1","delta":"hm"}
    {"type":"REASONING_MESSAGE_END","messageId":"g1"}
    {"type":"REASONING_MESSAGE_CHUNK","messageId":"g1","delta":"hm"}
    {"type":"REASONING_END","messageId":"g1"}
    {"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"g1","encryptedValue":"x"}
    {"type":"SUBAGENT_STARTED","subagentRunId":"a","name":"scout"}
    {"type":"SUBAGENT_FINISHED","subagentRunId":"a"}
    {"type":"SUBAGENT_ERROR","subagentRunId":"a","message":"lost"}
    {"type":"THINKING_START"}
    {"type":"THINKING_END"}
    {"type":"THINKING_TEXT_MESSAGE_START"}
    {"type":"THINKING_TEXT_MESSAGE_CONTENT","delta":"hm"}
    {"type":"THINKING_TEXT_MESSAGE_END"}
    {"type":"NO_SUCH_TYPE"}
    {"type":"run_started"}
    {"type":7}
    {"event":"RAW"}"#;

pub(crate) fn rows() -> Vec<Row> {
    let finished = r#"{"type":"RUN_STARTED","runId":"r1"}
        {"type":"RUN_FINISHED","runId":"r1"}"#;
    let failed = r#"{"type":"RUN_STARTED","runId":"r1"}
        {"type":"RUN_ERROR","message":"lost"}"#;
    let mut rows = after(Run, "run-ended", "after RUN_FINISHED", finished, &[]);
    rows.extend(after(Run, "run-ended", "after RUN_ERROR", failed, &[]));
    let legal = &["RUN_STARTED", "RUN_ERROR"];
    rows.extend(after(Stream, "run-ended", "after RUN_FINISHED", finished, legal));
    rows.extend(after(Stream, "run-ended", "after RUN_ERROR", failed, &legal[..1]));
    rows.extend(after(Stream, "lifecycle/first-event", "as the first event", "", legal));
    rows
}

fn after(scope: Scope, breaks: &'static str, title: &str, setup: &str, legal: &[&str]) -> Vec<Row> {
    let events = EVENTS.lines().filter(|line| !line.is_empty());
    let rows = events.map(|event| Row::new(breaks, scope, title, &format!("{setup}\n{event}")));
    rows.filter(|row| !legal.contains(&row.type_name().as_str())).collect()
}
