//! Reports for machines, each made from the document and nothing else.

mod github;
mod html;
pub(crate) mod junit;
mod markdown;
pub(crate) mod sarif;
pub(crate) mod tap;

use std::io::{self, Write};

use crate::document::{FindingReport, InputReport, Report, RequirementReport, Status};
use crate::human::{Human, clean, place, printable};
use crate::journal::Journal;
use crate::since::Changes;
use crate::suite::suites;
use crate::writer::Format;

/// Writes a whole journal in a format; `changes` are those since an older one, which `human`,
/// `json` and `markdown` tell.
///
/// # Errors
///
/// What writing failed with.
///
/// ```
/// use conform_report::{Format, Journal, render};
/// let journal = concat!(
///     r#"{"schema":"agui-conform.journal.v1","kind":"header","tool":{"name":"agui-conform","#,
///     r#""version":"0.1.0"},"spec":"1.1","scope":"stream","flags":[]}"#,
/// );
/// let mut tap = Vec::new();
/// render(Format::Tap, &Journal::read(journal).unwrap(), None, &mut tap).unwrap();
/// assert!(tap.starts_with(b"TAP version 14\n"));
/// ```
pub fn render(
    format: Format,
    journal: &Journal,
    changes: Option<&Changes>,
    output: &mut impl Write,
) -> io::Result<()> {
    let report = &journal.report;
    match format {
        Format::Human { color, quiet } => {
            let human = Human { color, quiet };
            for input in &report.inputs {
                for (index, finding) in input.findings.iter().enumerate() {
                    human.finding(output, &input.name, index, finding)?;
                }
                human.input(output, input)?;
            }
            human.end(output, report)?;
            changes.map_or(Ok(()), |changes| changes.human(output))
        }
        Format::Json => {
            let mut document = serde_json::to_value(report)?;
            if let (Some(changes), Some(members)) = (changes, document.as_object_mut()) {
                members.insert("since".to_owned(), serde_json::to_value(changes)?);
            }
            serde_json::to_writer_pretty(&mut *output, &document)?;
            output.write_all(b"\n")
        }
        Format::Jsonl => journal.write(output),
        Format::Markdown => {
            markdown::write(report, output)?;
            changes.map_or(Ok(()), |changes| markdown::changes(changes, output))
        }
        _ => document(format, report, output),
    }
}

/// Writes one of the formats that come at the end of judging.
pub(crate) fn document(
    format: Format,
    report: &Report<'_>,
    output: &mut impl Write,
) -> io::Result<()> {
    match format {
        Format::Junit => junit::write_junit(&suites(report), output),
        Format::Sarif => sarif::write(report, output),
        Format::Tap => tap::write_tap(&suites(report), output),
        Format::Github => github::write(report, output),
        Format::Markdown => markdown::write(report, output),
        Format::Html => html::write(report, output),
        Format::Human { .. } | Format::Json | Format::Jsonl => Ok(()),
    }
}

/// The findings about a requirement that count, with the input of each.
pub(crate) fn about<'r>(
    report: &'r Report<'_>,
    id: &'r str,
) -> impl Iterator<Item = (&'r InputReport<'r>, &'r FindingReport<'r>)> {
    report.inputs.iter().flat_map(move |input| {
        let findings = input.findings.iter();
        let counting = findings.filter(move |f| f.requirement == id && f.consequence_of.is_none());
        counting.map(move |finding| (input, finding))
    })
}

/// Whether all that is found about a requirement are warnings.
pub(crate) fn warns(report: &Report<'_>, id: &str) -> bool {
    about(report, id).all(|(_, finding)| finding.level == "warning")
}

/// Where a finding is and what it says, on one line.
pub(crate) fn line(input: &InputReport<'_>, finding: &FindingReport<'_>) -> String {
    format!("{}: {}", place(&input.name, finding), clean(&finding.message))
}

/// Why a requirement is neither passed nor failed.
pub(crate) fn skipped(requirement: &RequirementReport<'_>) -> Option<&'static str> {
    match requirement.status {
        Status::Pass | Status::Fail => None,
        Status::NotExercised => Some("not exercised"),
        Status::NotJudged => Some("not judged"),
        Status::Allowed => Some("broken, and allowed"),
    }
}

/// Why an input could not be judged, or not to its end.
pub(crate) fn incomplete(input: &InputReport<'_>) -> String {
    let notes = input.notes.iter().filter(|note| note.incomplete);
    let notes: Vec<String> = notes.map(|note| clean(&note.message).into_owned()).collect();
    notes.join("; ")
}

/// What breaks an input, in a few words.
pub(crate) fn broken(input: &InputReport<'_>) -> String {
    let mut ids: Vec<&str> =
        input.findings.iter().filter(|f| f.counts()).map(|f| &*f.requirement).collect();
    ids.sort_unstable();
    ids.dedup();
    ids.join(", ")
}
