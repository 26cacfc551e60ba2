//! Reports about a run log.

use std::io::{self, Write};

use conform_report::{
    Format, Judged as Checked, Suite, Test, TestResult, Tool, Verdict, Writer, printable, uri,
    write_junit,
};
use conform_run_log::read::Failure;
use conform_run_log::{Finding, ReasonCode, Report, SequenceNumber};
use serde_json::{Value, json};

use crate::exit::Exit;

/// What a log came to, and the stream that it is from.
pub(super) struct Judged {
    pub(super) name: String,
    pub(super) result: Result<Report, Failure>,
    pub(super) stream: Option<Checked>,
}

/// What a format tells of one finding: of the log, or an error of the stream.
struct Row {
    rule: &'static str,
    message: String,
    help: &'static str,
    line: Option<u64>,
}

impl Judged {
    pub(super) fn exit(&self) -> Exit {
        let stream = self.stream.as_ref().map(Checked::overall);
        match (&self.result, stream) {
            (Err(_), _) => Exit::Usage,
            (Ok(report), _) if !report.is_valid() => Exit::Findings,
            (Ok(_), Some(Verdict::Fail)) => Exit::Findings,
            (Ok(_), Some(Verdict::Incomplete)) => Exit::Incomplete,
            (Ok(_), Some(Verdict::Pass) | None) => Exit::Conforms,
        }
    }

    pub(super) fn human(&self, output: &mut impl Write) -> io::Result<()> {
        if let Some(checked) = &self.stream {
            write_checked(checked, Format::Human { color: false, quiet: true }, output)?;
        }
        let name = printable(&self.name);
        let Ok(report) = &self.result else {
            return writeln!(output, "{name}: run log: not judged");
        };
        for finding in report.findings() {
            writeln!(output, "error {}", finding.reason_code.as_str())?;
            writeln!(output, "  what  {}", message(finding))?;
            writeln!(output, "  right {}\n", finding.reason_code.help())?;
        }
        let verdict = if report.is_valid() { "pass" } else { "fail" };
        let references = match report.event_count() {
            1 => "1 reference".to_owned(),
            count => format!("{count} references"),
        };
        writeln!(
            output,
            "{name}: run log: {verdict} (run {}, {references}): {}",
            report.run_id().as_str(),
            match report.findings().len() {
                1 => "1 finding".to_owned(),
                count => format!("{count} findings"),
            }
        )
    }

    /// The canonical bytes and nothing else, so that they can be compared; a line end follows
    /// on a terminal only.
    pub(super) fn json(&self, output: &mut impl Write, terminal: bool) -> io::Result<()> {
        let said = match &self.result {
            Ok(report) => report.to_json(),
            Err(Failure::Refused(refused)) => json!({"error": {
                "code": refused.error.code.as_str(),
                "field_name": refused.error.field.as_str(),
                "reference": refused.reference,
                "line": refused.line,
            }})
            .to_string(),
            Err(Failure::Unreadable { message, line }) => {
                json!({"error": {"code": "unreadable", "message": message, "line": line}})
                    .to_string()
            }
        };
        match &self.stream {
            None => output.write_all(said.as_bytes())?,
            Some(checked) => {
                let check = serde_json::to_string(&checked.report())?;
                write!(output, "{{\"check\":{check},\"run_log\":{said}}}")?;
            }
        }
        if terminal { output.write_all(b"\n") } else { Ok(()) }
    }

    /// What does not conform, of the stream and of the log.
    fn rows(&self) -> Vec<Row> {
        let checked = self.stream.iter().flat_map(|checked| &checked.inputs);
        let errors = checked.flat_map(|(_, outcome)| &outcome.findings).filter(|f| f.is_error());
        let mut rows: Vec<Row> = errors
            .map(|finding| Row {
                rule: finding.requirement.id,
                message: finding.message.clone(),
                help: finding.requirement.help,
                line: finding.line,
            })
            .collect();
        let findings = self.result.iter().flat_map(Report::findings);
        rows.extend(findings.map(|finding| Row {
            rule: finding.reason_code.as_str(),
            message: message(finding),
            help: finding.reason_code.help(),
            line: None,
        }));
        rows
    }

    pub(super) fn junit(&self, output: &mut impl Write) -> io::Result<()> {
        let rows = self.rows();
        let mut rules: Vec<&str> = ReasonCode::ALL.iter().map(|code| code.as_str()).collect();
        for row in &rows {
            if !rules.contains(&row.rule) {
                rules.push(row.rule);
            }
        }
        let structure = self.result.as_ref().err().map(|failure| Test {
            group: "run-log".to_owned(),
            name: "structure".to_owned(),
            result: TestResult::Unreadable(failure.to_string()),
        });
        let tests = rules.into_iter().map(|rule| {
            let of_rule = rows.iter().filter(|row| row.rule == rule);
            let lines: Vec<String> =
                of_rule.map(|row| format!("{}; {}", row.message, row.help)).collect();
            let first = rows.iter().find(|row| row.rule == rule).map(|row| row.message.clone());
            let result = match first {
                Some(first) => TestResult::Failed(first, lines),
                None if self.result.is_err() => TestResult::Skipped("not judged".to_owned()),
                None => TestResult::Passed,
            };
            Test { group: "run-log".to_owned(), name: rule.to_owned(), result }
        });
        let tests = structure.into_iter().chain(tests).collect();
        write_junit(&[Suite { name: printable(&self.name), tests }], output)
    }

    pub(super) fn sarif(&self, output: &mut impl Write) -> io::Result<()> {
        let rows = self.rows();
        let place = |line: Option<u64>| {
            let mut place = json!({"artifactLocation": {"uri": uri(&self.name)}});
            if let Some(line) = line {
                place["region"] = json!({"startLine": line});
            }
            json!([{"physicalLocation": place}])
        };
        let mut results: Vec<Value> = rows
            .iter()
            .map(|row| {
                json!({
                    "ruleId": row.rule,
                    "level": "error",
                    "message": {"text": row.message},
                    "locations": place(row.line),
                })
            })
            .collect();
        let mut rules: Vec<Value> = ReasonCode::ALL
            .iter()
            .map(|code| rule(code.as_str(), code.describe(), code.help()))
            .collect();
        for row in &rows {
            if !rules.iter().any(|rule| rule["id"] == row.rule) {
                rules.push(rule(row.rule, &row.message, row.help));
            }
        }
        if let Err(failure) = &self.result {
            let line = match failure {
                Failure::Refused(refused) => refused.line,
                Failure::Unreadable { line, .. } => *line,
            };
            let help = "a log that cannot be read cannot be replayed";
            rules.push(rule("structure", "the log cannot be judged", help));
            results.push(json!({
                "ruleId": "structure",
                "level": "error",
                "message": {"text": failure.to_string()},
                "locations": place(line),
            }));
        }
        let sarif = json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [{
                "tool": {"driver": {
                    "name": Tool::THIS.name,
                    "version": Tool::THIS.version,
                    "rules": rules,
                }},
                "results": results,
            }],
        });
        serde_json::to_writer_pretty(&mut *output, &sarif)?;
        output.write_all(b"\n")
    }
}

fn rule(id: &str, what: &str, help: &str) -> Value {
    json!({"id": id, "shortDescription": {"text": what}, "help": {"text": help}})
}

fn write_checked(checked: &Checked, format: Format, output: &mut impl Write) -> io::Result<()> {
    let mut writer = Writer::new(format, output);
    writer.begin(checked, &[])?;
    for (name, outcome) in &checked.inputs {
        for (index, finding) in outcome.findings.iter().enumerate() {
            writer.finding(name, index, finding)?;
        }
        writer.input(checked, name, outcome)?;
    }
    writer.end(checked)
}

fn message(finding: &Finding) -> String {
    let number = finding.sequence_number.map(SequenceNumber::get);
    let event = finding.event_id.as_ref().map(conform_run_log::Identifier::as_str);
    let place = match (number, event) {
        (Some(number), Some(event)) => format!("number {number}, event {event}: "),
        (Some(number), None) => format!("number {number}: "),
        _ => String::new(),
    };
    format!("{place}{}", finding.reason_code.describe())
}
