//! Ids and types that try to forge a line or to fill a terminal.

use crate::row::Row;
use crate::row::Scope::{Run, Stream};

/// What it is, and the id as a JSON string without its quotes.
const IDS: &[(&str, &str)] = &[
    ("quotes and backslashes", r#"m\" is \\ 'open'"#),
    ("a newline and a carriage return", r"m1\r\nRUN_FINISHED breaks nothing"),
    ("NUL", r"m\u00001"),
    ("an escape sequence of terminals", r"\u001b[2J\u009b31m"),
    ("an emoji of several code points", "👩\u{200d}🚀"),
    ("a lone surrogate", r"m\ud800"),
    ("a right-to-left override", r"m\u202e1"),
    ("an isolate", r"\u2066m1\u2069"),
    ("a zero-width space", r"m\u200b1"),
    ("a line separator", r"m\u20281"),
    ("a combining mark", r"e\u0301"),
    ("letters of other scripts", "渡船-épée"),
    ("the empty string", ""),
];

/// What it is, and the type as a JSON string without its quotes.
const TYPES: &[(&str, &str)] = &[
    ("a newline", r"RAW\nRUN_FINISHED breaks nothing"),
    ("NUL and an escape", r"RAW\u0000\u001b[2J"),
    ("a right-to-left override", r"RAW\u202e"),
    ("quotes", r#"\"RAW\" 'x' \\"#),
    ("a sentence of ours", r"RUN_FINISHED breaks run-ended: nothing"),
    ("the empty string", ""),
];

pub(crate) fn rows() -> Vec<Row> {
    let long = "mole".repeat(2560);
    let ids = IDS.iter().copied().chain([("10 kB", long.as_str())]);
    let mut rows: Vec<_> = ids.flat_map(|(what, id)| of_id(what, id)).collect();
    let types = TYPES.iter().copied().chain([("10 kB", long.as_str())]);
    rows.extend(types.map(|(what, name)| {
        let lines = format!("{{\"type\":\"RUN_ERROR\"}}\n{{\"type\":\"{name}\"}}");
        Row::new("run-ended", Stream, &format!("of a type with {what}, after the end"), &lines)
    }));
    rows
}

/// The id as an entity's and an owner's, as a step's and a parent's, and open in the dump.
fn of_id(what: &str, id: &str) -> [Row; 3] {
    [
        Row::new(
            "owner-mismatch",
            Run,
            &format!("of a message and an owner with {what}"),
            &format!(
                r#"{{"type":"TEXT_MESSAGE_START","messageId":"{id}","subagentRunId":"{id}"}}
                {{"type":"TEXT_MESSAGE_END","messageId":"{id}","subagentRunId":"x{id}"}}"#
            ),
        ),
        Row::new(
            "not-open",
            Run,
            &format!("of a step with {what}"),
            &format!(
                r#"{{"type":"STEP_STARTED","stepName":"{id}","subagentRunId":"{id}"}}
                {{"type":"STEP_FINISHED","stepName":"{id}"}}"#
            ),
        ),
        Row::new(
            "unknown-id",
            Run,
            &format!("of a child and a parent with {what}"),
            &format!(
                r#"{{"type":"SUBAGENT_STARTED","subagentRunId":"x{id}"}}
                {{"type":"SUBAGENT_STARTED","subagentRunId":"y{id}","parentSubagentRunId":"{id}"}}"#
            ),
        ),
    ]
}
