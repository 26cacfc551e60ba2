//! SARIF 2.1.0, as code scanning reads it.

use std::fmt::Write as _;
use std::io::{self, Write};

use conform_check::registry;
use serde_json::{Value, json};

use super::{clean, incomplete};
use crate::document::{FindingReport, InputReport, Report, Verdict};

pub(super) fn write(report: &Report<'_>, output: &mut impl Write) -> io::Result<()> {
    let rules: Vec<Value> = registry::all()
        .map(|entry| {
            json!({
                "id": entry.id,
                "shortDescription": {"text": entry.text},
                "fullDescription": {"text": entry.why},
                "help": {"text": entry.help},
                "helpUri": entry.spec_url(),
                "defaultConfiguration": {
                    "level": if entry.level == registry::Level::Must { "error" } else { "warning" },
                },
            })
        })
        .collect();
    let results: Vec<Value> = report
        .inputs
        .iter()
        .flat_map(|input| input.findings.iter().enumerate().map(move |f| result(input, f)))
        .collect();
    let notifications: Vec<Value> = report
        .inputs
        .iter()
        .filter(|input| input.verdict == Verdict::Incomplete)
        .map(|input| {
            json!({
                "level": "warning",
                "message": {"text": incomplete(input)},
                "locations": [{"physicalLocation": {"artifactLocation": place(input)}}],
            })
        })
        .collect();
    let sarif = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": report.tool.name,
                "version": report.tool.version,
                "rules": rules,
            }},
            "invocations": [{
                "executionSuccessful": report.verdict != Verdict::Incomplete,
                "toolExecutionNotifications": notifications,
            }],
            "results": results,
        }],
    });
    serde_json::to_writer_pretty(&mut *output, &sarif)?;
    output.write_all(b"\n")
}

fn result(input: &InputReport<'_>, (index, finding): (usize, &FindingReport<'_>)) -> Value {
    let level = match (finding.consequence_of, &*finding.level) {
        (None, "error") => "error",
        (None, "warning") => "warning",
        // Neither what follows nor what is allowed counts.
        _ => "note",
    };
    let mut location = json!({"artifactLocation": place(input)});
    if let Some(line) = finding.line {
        location["region"] = json!({"startLine": line});
        if let Some(byte) = finding.byte {
            location["region"]["byteOffset"] = byte.into();
            location["region"]["byteLength"] = 0.into();
        }
    }
    let mut one = json!({
        "ruleId": finding.requirement,
        "level": level,
        "message": {"text": format!("{}. {}", clean(&finding.message), clean(&finding.help))},
        "locations": [{"physicalLocation": location}],
        "properties": {
            "index": index,
            "event": finding.event,
            "rule": finding.rule,
            "pointer": finding.pointer,
            "consequenceOf": finding.consequence_of,
        },
    });
    if let Some(line) = finding.related_line {
        one["relatedLocations"] = json!([{
            "physicalLocation": {"artifactLocation": place(input), "region": {"startLine": line}},
            "message": {"text": "the earlier event that explains it"},
        }]);
    }
    one
}

fn place(input: &InputReport<'_>) -> Value {
    json!({"uri": uri(&input.name)})
}

/// A path as a URI.
///
/// ```
/// assert_eq!(conform_report::uri("a b.sse"), "a%20b.sse");
/// ```
pub fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}
