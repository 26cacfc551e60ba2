//! The contract in its own words, for tests: slow, and sharing nothing with the validator but
//! the limits.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value as Json, json};

use crate::call::{Call, Item, References, Value};

/// A finding: number, reason, event.
pub type Found = (Option<i64>, &'static str, Option<String>);

/// What is said of a call: the canonical report, or an error's code and field.
///
/// ```
/// use conform_run_log::call::Call;
/// let said = conform_run_log::model::judge(&Call::new("-", Vec::new()));
/// assert_eq!(said, Err(("invalid_identifier", "run_id")));
/// ```
pub fn judge(call: &Call) -> Result<String, (&'static str, &'static str)> {
    let run_id = identifier(call.run_id.as_ref(), "run_id")?;
    let start = match &call.expected_start {
        None => 0,
        value => number(value.as_ref(), "expected_start")?,
    };
    let terminal = match &call.terminal {
        None | Some(Value::Null) => None,
        value => Some(number(value.as_ref(), "terminal_sequence_number")?),
    };
    if terminal.is_some_and(|terminal| terminal < start) {
        return Err(("terminal_before_start", "terminal_sequence_number"));
    }
    let allow_empty = match &call.allow_empty {
        None => false,
        Some(Value::Flag(flag)) => *flag,
        Some(_) => return Err(("invalid_flag", "allow_empty")),
    };
    let References::Items(items) = &call.references else {
        return Err(("invalid_sequence", "references"));
    };
    let mut log = Vec::new();
    for item in items {
        let Item::Reference { run_id, event_id, sequence_number } = item else {
            return Err(("invalid_reference_type", "references"));
        };
        let reference = Reference {
            run: identifier(run_id.as_ref(), "run_id")?,
            event: identifier(event_id.as_ref(), "event_id")?,
            number: number(sequence_number.as_ref(), "sequence_number")?,
        };
        if log.len() == 100_000 {
            return Err(("too_many_events", "references"));
        }
        log.push(reference);
    }
    let found = in_order(findings(run_id, &log, start, terminal, allow_empty));
    Ok(report(run_id, &log, terminal, &found))
}

struct Reference<'c> {
    run: &'c str,
    event: &'c str,
    number: i64,
}

/// "1 to 128 ASCII characters": letters and digits, and `_`, `.`, `-` between them.
fn identifier<'c>(
    value: Option<&'c Value>,
    field: &'static str,
) -> Result<&'c str, (&'static str, &'static str)> {
    let Some(Value::Text(text)) = value else { return Err(("invalid_identifier", field)) };
    let outer = |c: char| c.is_ascii_alphanumeric();
    let inner = |c: char| outer(c) || matches!(c, '_' | '.' | '-');
    let right = text.starts_with(outer) && text.ends_with(outer) && text.chars().all(inner);
    if right && text.len() <= 128 { Ok(text) } else { Err(("invalid_identifier", field)) }
}

/// "An integer, 0 to 1,000,000,000."
fn number(value: Option<&Value>, field: &'static str) -> Result<i64, (&'static str, &'static str)> {
    let Some(Value::Integer(digits)) = value else {
        return Err(("invalid_sequence_number", field));
    };
    match digits.parse() {
        Ok(number @ 0..=1_000_000_000) => Ok(number),
        _ => Err(("sequence_number_out_of_range", field)),
    }
}

fn findings(
    run_id: &str,
    log: &[Reference<'_>],
    start: i64,
    terminal: Option<i64>,
    allow_empty: bool,
) -> Vec<Found> {
    if log.is_empty() {
        return if allow_empty { vec![] } else { vec![(None, "empty_sequence", None)] };
    }
    let mut found: Vec<Found> = Vec::new();
    for (at, reference) in log.iter().enumerate() {
        let before = &log[..at];
        let rules = [
            ("cross_run_reference", reference.run != run_id),
            ("duplicate_sequence_number", before.iter().any(|b| b.number == reference.number)),
            ("duplicate_event_id", before.iter().any(|b| b.event == reference.event)),
            ("out_of_order", before.last().is_some_and(|b| reference.number <= b.number)),
            ("post_terminal_event", terminal.is_some_and(|last| reference.number > last)),
        ];
        for (reason, broken) in rules {
            if broken {
                found.push((Some(reference.number), reason, Some(reference.event.to_owned())));
            }
        }
    }
    let numbers: BTreeSet<i64> = log.iter().map(|reference| reference.number).collect();
    found.extend(
        numbers
            .first()
            .filter(|lowest| **lowest != start)
            .map(|lowest| (Some(*lowest), "start_sequence_mismatch", None)),
    );
    for number in &numbers {
        // The next one is missing, and there is a later one.
        if !numbers.contains(&(number + 1)) && numbers.last() > Some(number) {
            found.push((Some(number + 1), "sequence_gap", None));
        }
    }
    if let Some(last) = terminal.filter(|last| !numbers.contains(last)) {
        found.push((Some(last), "terminal_event_missing", None));
    }
    found
}

fn in_order(mut found: Vec<Found>) -> Vec<Found> {
    found.sort_by_key(|(number, reason, event)| {
        (number.unwrap_or(-1), *reason, event.clone().unwrap_or_default())
    });
    if found.len() > 1_000 {
        found.truncate(999);
        found.push((None, "findings_truncated", None));
    }
    found
}

/// Compact, sorted keys.
fn report(run_id: &str, log: &[Reference<'_>], terminal: Option<i64>, found: &[Found]) -> String {
    let sorted = |members: &[(&str, Json)]| -> BTreeMap<String, Json> {
        members.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
    };
    let findings: Vec<BTreeMap<String, Json>> = found
        .iter()
        .map(|(number, reason, event)| {
            sorted(&[
                ("reason_code", json!(reason)),
                ("sequence_number", json!(number)),
                ("event_id", json!(event)),
            ])
        })
        .collect();
    let report = sorted(&[
        ("schema_version", json!("openmed.agent.event_sequence.v1")),
        ("run_id", json!(run_id)),
        ("event_count", json!(log.len())),
        ("first_sequence_number", json!(log.first().map(|reference| reference.number))),
        ("last_sequence_number", json!(log.last().map(|reference| reference.number))),
        ("terminal_sequence_number", json!(terminal)),
        ("findings", json!(findings)),
    ]);
    json!(report).to_string()
}
