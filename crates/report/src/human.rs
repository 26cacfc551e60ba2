//! The report for a person at a terminal.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, Write};

use conform_check::quote;

use crate::document::{FindingReport, InputReport, Report, Status, Verdict};

/// How to write for a person.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Human {
    pub(crate) color: bool,
    pub(crate) quiet: bool,
}

const BOLD: &str = "1";
const RED: &str = "1;31";
const YELLOW: &str = "1;33";
const GREEN: &str = "1;32";
const DIM: &str = "2";

impl Human {
    fn paint(self, style: &str, text: impl Display) -> String {
        if self.color { format!("\u{1b}[{style}m{text}\u{1b}[0m") } else { text.to_string() }
    }

    pub(crate) fn finding(
        self,
        output: &mut impl Write,
        name: &str,
        index: usize,
        finding: &FindingReport<'_>,
    ) -> io::Result<()> {
        let label = match (finding.consequence_of, &*finding.level) {
            (Some(_), _) => self.paint(DIM, "follows"),
            (None, "error") => self.paint(RED, "error"),
            (None, "warning") => self.paint(YELLOW, "warning"),
            (None, _) => self.paint(DIM, "allowed"),
        };
        let mut title = self.paint(BOLD, clean(&finding.requirement));
        if let Some(rule) = &finding.rule {
            title = format!("{title} ({})", clean(rule));
        }
        writeln!(output, "{label} #{index} {title}")?;
        writeln!(output, "  at    {}", place(name, finding))?;
        writeln!(output, "  what  {}", clean(&finding.message))?;
        if let Some(event) = finding.related_event {
            let line = finding.related_line.map(|line| format!(", line {line}"));
            writeln!(output, "  see   event {event}{}", line.unwrap_or_default())?;
        }
        if let Some(cause) = finding.consequence_of {
            writeln!(output, "  from  #{cause}: it would not be wrong if that were right")?;
        } else {
            writeln!(output, "  right {}", clean(&finding.help))?;
            let house = if finding.since == "house" {
                " (the specification is silent; this is a house rule)"
            } else {
                ""
            };
            writeln!(output, "  spec  {}{house}", clean(&finding.spec))?;
        }
        writeln!(output)
    }

    pub(crate) fn input(self, output: &mut impl Write, input: &InputReport<'_>) -> io::Result<()> {
        let name = printable(&input.name);
        let mut notes = input.notes.iter();
        if input.unreadable {
            let label = self.paint(YELLOW, "not read");
            let Some(note) = notes.next() else { return writeln!(output, "{name}: {label}") };
            let byte = note.byte.map(|byte| format!(" (byte {byte})")).unwrap_or_default();
            return writeln!(output, "{name}: {label}: {}{byte}", clean(&note.message));
        }
        for note in notes {
            let place = match (note.line, note.byte) {
                (Some(line), Some(byte)) => format!(" (line {line}, byte {byte})"),
                _ => String::new(),
            };
            writeln!(output, "{name}: note: {}{place}", clean(&note.message))?;
        }
        let format = clean(input.format.as_deref().unwrap_or("empty"));
        let follow = input.findings.iter().filter(|f| f.consequence_of.is_some()).count();
        let allowed = input.findings.iter().filter(|f| !f.counts()).count() - follow;
        let mut counted = vec![number(input.errors, "error"), number(input.warnings, "warning")];
        if follow > 0 {
            counted.push(format!("{follow} that only follow"));
        }
        if allowed > 0 {
            counted.push(format!("{allowed} allowed"));
        }
        writeln!(
            output,
            "{name}: {} ({format}, {}, {}): {}",
            self.verdict(input.verdict),
            number(input.events, "event"),
            number(input.runs, "run"),
            counted.join(", "),
        )
    }

    pub(crate) fn end(self, output: &mut impl Write, report: &Report<'_>) -> io::Result<()> {
        let summary = report.summary;
        if !self.quiet {
            let count = |status| report.requirements.iter().filter(|r| r.status == status).count();
            writeln!(
                output,
                "requirements: {} passed, {} failed, {} allowed, {} not exercised, {} not judged",
                count(Status::Pass),
                count(Status::Fail),
                count(Status::Allowed),
                count(Status::NotExercised),
                count(Status::NotJudged),
            )?;
        }
        writeln!(
            output,
            "inputs: {} run, {} passed, {} failed, {} unsupported, {} not judged; AG-UI {}, {} scope: {}",
            summary.run,
            summary.passed,
            summary.failed,
            summary.unsupported,
            summary.not_judged,
            clean(&report.spec),
            clean(&report.scope),
            self.verdict(report.verdict),
        )
    }

    fn verdict(self, verdict: Verdict) -> String {
        let style = match verdict {
            Verdict::Pass => GREEN,
            Verdict::Fail => RED,
            Verdict::Incomplete => YELLOW,
        };
        self.paint(style, verdict.as_str())
    }
}

/// Where a finding is, as a person reads it.
pub(crate) fn place(name: &str, finding: &FindingReport<'_>) -> String {
    let mut place = match finding.line {
        Some(line) => format!("{}:{line}", printable(name)),
        None => printable(name),
    };
    let mut add = |text: String| {
        place.push_str(", ");
        place.push_str(&text);
    };
    match finding.event {
        Some(event) => add(format!("event {event}")),
        None if finding.is_at_end() => add("end of stream".to_owned()),
        None => {}
    }
    if let Some(event_type) = &finding.event_type {
        place.push(' ');
        let plain = event_type.len() <= 64 && event_type.bytes().all(|b| b.is_ascii_graphic());
        place.push_str(&if plain { event_type.to_string() } else { quote(event_type) });
    }
    if let Some(pointer) = &finding.pointer {
        place.push(' ');
        // The names in it are the sender's.
        let long = pointer.chars().nth(200).is_some();
        place.push_str(&if long { quote(pointer) } else { printable(pointer) });
    }
    if let Some(byte) = finding.byte {
        place.push_str(", byte ");
        place.push_str(&byte.to_string());
    }
    place
}

/// A file name that cannot steer the terminal.
///
/// ```
/// assert_eq!(conform_report::printable("a b.sse"), "a b.sse");
/// assert_eq!(conform_report::printable("\u{1b}[2J"), "\"\\u001b[2J\"");
/// ```
pub fn printable(name: &str) -> String {
    if name.chars().all(|c| c == '\'' || c == '"' || c.escape_debug().len() == 1) {
        name.to_owned()
    } else {
        quote(name)
    }
}

/// Text that cannot steer the terminal, whoever wrote the report: what is not printable is
/// shown as an escape.
pub(crate) fn clean(text: &str) -> Cow<'_, str> {
    let plain = |c: char| matches!(c, '\'' | '"' | '\\') || c.escape_debug().len() == 1;
    if text.chars().all(plain) {
        return Cow::Borrowed(text);
    }
    let escaped = |c: char| if plain(c) { c.to_string() } else { c.escape_unicode().to_string() };
    Cow::Owned(text.chars().map(escaped).collect())
}

pub(crate) fn number(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}
