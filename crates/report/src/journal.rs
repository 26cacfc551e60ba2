//! The journal: what was judged, line by line, and read back.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::document::{
    FindingReport, InputReport, REPORT_SCHEMA, Report, RequirementReport, Status, Summary, Text,
    Tool, Verdict,
};
use crate::writer::{JOURNAL_SCHEMA, merge};

/// A journal that has been read.
#[derive(Debug, Clone)]
pub struct Journal {
    /// What was asked for.
    pub flags: Vec<String>,
    /// The version of the specification that was asked for, or `auto`.
    pub spec: String,
    /// What came of it.
    pub report: Report<'static>,
    /// Whether it came to its end. One that did not is of an interrupted run: what is in it
    /// was judged, and its verdict is never `pass`.
    pub complete: bool,
}

/// Why a journal cannot be read or merged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalError {
    /// What is wrong.
    pub message: String,
    /// The 1-based line, where it is about one.
    pub line: Option<usize>,
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for JournalError {}

fn error(message: impl Into<String>, line: Option<usize>) -> JournalError {
    JournalError { message: message.into(), line }
}

#[derive(Deserialize)]
struct Header {
    schema: String,
    tool: Tool<'static>,
    spec: Text<'static>,
    scope: Text<'static>,
    #[serde(default)]
    flags: Vec<String>,
}

#[derive(Deserialize)]
struct FindingLine {
    input: String,
    index: usize,
    #[serde(flatten)]
    finding: FindingReport<'static>,
}

#[derive(Deserialize)]
struct Footer {
    verdict: Verdict,
    spec: Text<'static>,
    features: BTreeMap<Text<'static>, u64>,
    requirements: Vec<RequirementReport<'static>>,
    summary: Summary,
}

impl Journal {
    /// Reads a journal, or the document of `--format json`.
    ///
    /// # Errors
    ///
    /// The first line that is none of a journal.
    pub fn read(text: &str) -> Result<Self, JournalError> {
        if let Ok(report) = serde_json::from_str::<Report<'static>>(text)
            && report.schema == REPORT_SCHEMA
        {
            let spec = report.spec.to_string();
            return Ok(Self { flags: Vec::new(), spec, report, complete: true });
        }
        let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
        let mut lines = lines.by_ref().filter(|(_, line)| !line.trim().is_empty());
        let Some((at, first)) = lines.next() else {
            return Err(error("it is empty, and a journal begins with a header", None));
        };
        let no_journal = || error("this is no journal: its first line is no header", Some(at));
        let header: Header = serde_json::from_str(first).map_err(|_| no_journal())?;
        if header.schema != JOURNAL_SCHEMA {
            let named = conform_check::quote(&header.schema);
            return Err(error(format!("a journal is {JOURNAL_SCHEMA}, this is {named}"), Some(at)));
        }
        let mut journal = Self {
            flags: header.flags,
            spec: header.spec.to_string(),
            report: Report {
                schema: REPORT_SCHEMA.into(),
                tool: header.tool,
                spec: header.spec,
                scope: header.scope,
                verdict: Verdict::Incomplete,
                inputs: Vec::new(),
                features: BTreeMap::new(),
                requirements: Vec::new(),
                summary: Summary::default(),
            },
            complete: false,
        };
        // Findings come before the line of their input.
        let mut waiting: BTreeMap<String, Vec<FindingReport<'static>>> = BTreeMap::new();
        for (at, line) in lines {
            if journal.complete {
                return Err(error("something comes after the footer", Some(at)));
            }
            journal.line(at, line, &mut waiting)?;
        }
        if !journal.complete {
            journal.broken_off(waiting);
        }
        Ok(journal)
    }

    fn line(
        &mut self,
        at: usize,
        line: &str,
        waiting: &mut BTreeMap<String, Vec<FindingReport<'static>>>,
    ) -> Result<(), JournalError> {
        let wrong =
            |e: serde_json::Error| error(format!("it is no line of a journal: {e}"), Some(at));
        let mut value: Value = serde_json::from_str(line).map_err(wrong)?;
        match value.get("kind").and_then(Value::as_str) {
            Some("finding") => {
                let found: FindingLine = serde_json::from_value(value).map_err(wrong)?;
                let of_input = waiting.entry(found.input).or_default();
                if found.index != of_input.len() {
                    return Err(error("a finding is missing before this one", Some(at)));
                }
                of_input.push(found.finding);
            }
            Some("input") => {
                if let Some(members) = value.as_object_mut() {
                    members.insert("findings".to_owned(), json!([]));
                }
                let mut input: InputReport<'static> =
                    serde_json::from_value(value).map_err(wrong)?;
                input.findings = waiting.remove(&*input.name).unwrap_or_default();
                self.report.inputs.push(input);
            }
            Some("footer") => {
                let footer: Footer = serde_json::from_value(value).map_err(wrong)?;
                self.complete = true;
                self.report.verdict = footer.verdict;
                self.report.spec = footer.spec;
                self.report.features = footer.features;
                self.report.requirements = footer.requirements;
                self.report.summary = footer.summary;
            }
            _ => {
                return Err(error(
                    "it is neither a finding, nor an input, nor the footer",
                    Some(at),
                ));
            }
        }
        Ok(())
    }

    /// Without a footer the findings are all that is known.
    fn broken_off(&mut self, waiting: BTreeMap<String, Vec<FindingReport<'static>>>) {
        for (name, findings) in waiting {
            let count = |level: &str| {
                findings.iter().filter(|f| f.counts() && f.level == level).count() as u64
            };
            let errors = count("error");
            self.report.inputs.push(InputReport {
                name: name.into(),
                format: None,
                bytes: 0,
                events: 0,
                runs: 0,
                verdict: if errors > 0 { Verdict::Fail } else { Verdict::Incomplete },
                unreadable: false,
                errors,
                warnings: count("warning"),
                first_rejected: None,
                findings,
                dropped: 0,
                notes: vec![crate::document::NoteReport {
                    message: "the journal ends before this input does".into(),
                    line: None,
                    byte: None,
                    incomplete: true,
                }],
                trace: None,
            });
        }
        let inputs = &self.report.inputs;
        let found = |id: &str| {
            let all = inputs.iter().flat_map(|input| &input.findings);
            all.filter(|f| f.counts() && f.requirement == id).count() as u64
        };
        self.report.requirements = conform_check::registry::all()
            .map(|entry| RequirementReport {
                id: entry.id.into(),
                level: entry.level.as_str().into(),
                status: if found(entry.id) > 0 { Status::Fail } else { Status::NotJudged },
                checked: found(entry.id),
                findings: found(entry.id),
            })
            .collect();
        let mut summary = Summary::default();
        for input in inputs {
            summary.add(input.verdict, input.unreadable, input.errors, input.warnings);
        }
        self.report.summary = summary;
        let failed = inputs.iter().any(|input| input.verdict == Verdict::Fail);
        self.report.verdict = if failed { Verdict::Fail } else { Verdict::Incomplete };
    }

    /// Puts the journals of shards together.
    ///
    /// # Errors
    ///
    /// They are of different tools, scopes or specifications, or judge one input twice.
    pub fn merge(journals: Vec<Self>) -> Result<Self, JournalError> {
        let mut journals = journals.into_iter();
        let Some(mut all) = journals.next() else { return Err(error("there is no journal", None)) };
        for other in journals {
            let (one, two) = (&all.report, &other.report);
            for (what, one, two) in [
                ("tools", &one.tool.version, &two.tool.version),
                ("scopes", &one.scope, &two.scope),
                ("specifications", &one.spec, &two.spec),
            ] {
                if one != two {
                    let (one, two) = (conform_check::quote(one), conform_check::quote(two));
                    return Err(error(
                        format!("they are of different {what}: {one} and {two}"),
                        None,
                    ));
                }
            }
            for input in &other.report.inputs {
                if all.report.inputs.iter().any(|known| known.name == input.name) {
                    let name = conform_check::quote(&input.name);
                    return Err(error(format!("{name} is in two of them"), None));
                }
            }
            all.complete &= other.complete;
            all.report = together(all.report, other.report);
        }
        Ok(all)
    }

    pub(crate) fn write(&self, output: &mut impl Write) -> io::Result<()> {
        let report = &self.report;
        let mut line = |value: &Value| {
            serde_json::to_writer(&mut *output, value)?;
            output.write_all(b"\n")
        };
        line(&header(&report.tool, &self.spec, &report.scope, &self.flags))?;
        for input in &report.inputs {
            for (index, finding) in input.findings.iter().enumerate() {
                line(&finding_line(&input.name, index, finding)?)?;
            }
            line(&input_line(input)?)?;
        }
        if self.complete { line(&footer(report)) } else { Ok(()) }
    }
}

pub(crate) fn header(tool: &Tool<'_>, spec: &str, scope: &str, flags: &[String]) -> Value {
    json!({
        "schema": JOURNAL_SCHEMA,
        "kind": "header",
        "tool": tool,
        "spec": spec,
        "scope": scope,
        "target": null,
        "seed": null,
        "flags": flags,
    })
}

pub(crate) fn finding_line(
    name: &str,
    index: usize,
    finding: &FindingReport<'_>,
) -> io::Result<Value> {
    let mut line = json!({"kind": "finding", "input": name, "index": index});
    merge(&mut line, serde_json::to_value(finding)?);
    Ok(line)
}

pub(crate) fn input_line(input: &InputReport<'_>) -> io::Result<Value> {
    let mut line = json!({"kind": "input"});
    merge(&mut line, serde_json::to_value(input)?);
    if let Some(members) = line.as_object_mut() {
        members.shift_remove("findings");
    }
    Ok(line)
}

pub(crate) fn footer(report: &Report<'_>) -> Value {
    json!({
        "kind": "footer",
        "verdict": report.verdict,
        "spec": report.spec,
        "features": report.features,
        "requirements": report.requirements,
        "summary": report.summary,
    })
}

/// Two reports as one.
fn together(mut one: Report<'static>, two: Report<'static>) -> Report<'static> {
    one.inputs.extend(two.inputs);
    for (feature, count) in two.features {
        *one.features.entry(feature).or_default() += count;
    }
    for requirement in two.requirements {
        match one.requirements.iter_mut().find(|known| known.id == requirement.id) {
            None => one.requirements.push(requirement),
            Some(known) => {
                known.checked += requirement.checked;
                known.findings += requirement.findings;
                known.status = worse(known.status, requirement.status);
            }
        }
    }
    let (sum, more) = (&mut one.summary, two.summary);
    sum.errors += more.errors;
    sum.warnings += more.warnings;
    sum.run += more.run;
    sum.passed += more.passed;
    sum.failed += more.failed;
    sum.unsupported += more.unsupported;
    sum.not_judged += more.not_judged;
    one.verdict = match (one.verdict, two.verdict) {
        (Verdict::Fail, _) | (_, Verdict::Fail) => Verdict::Fail,
        (Verdict::Incomplete, _) | (_, Verdict::Incomplete) => Verdict::Incomplete,
        _ => Verdict::Pass,
    };
    one
}

/// What a requirement comes to in two reports together.
fn worse(one: Status, two: Status) -> Status {
    [Status::Fail, Status::Allowed, Status::Pass, Status::NotExercised]
        .into_iter()
        .find(|status| [one, two].contains(status))
        .unwrap_or(Status::NotJudged)
}
