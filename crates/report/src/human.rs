//! The report for a person at a terminal.

use std::fmt::Display;
use std::io::{self, Write};

use conform_check::quote;
use conform_check::{Finding, Outcome, Severity};

use crate::document::{Judged, Status, Verdict, counts};

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
        finding: &Finding,
    ) -> io::Result<()> {
        let label = match (finding.consequence_of, finding.severity) {
            (Some(_), _) => self.paint(DIM, "follows"),
            (None, Severity::Error) => self.paint(RED, "error"),
            (None, Severity::Warning) => self.paint(YELLOW, "warning"),
            (None, Severity::Allowed) => self.paint(DIM, "allowed"),
        };
        let mut title = self.paint(BOLD, finding.requirement.id);
        if let Some(rule) = finding.rule {
            title = format!("{title} ({rule})");
        }
        writeln!(output, "{label} #{index} {title}")?;
        writeln!(output, "  at    {}", place(name, finding))?;
        writeln!(output, "  what  {}", finding.message)?;
        if let Some(related) = finding.related {
            let line =
                if related.line > 0 { format!(", line {}", related.line) } else { String::new() };
            writeln!(output, "  see   event {}{line}", related.event)?;
        }
        if let Some(cause) = finding.consequence_of {
            writeln!(output, "  from  #{cause}: it would not be wrong if that were right")?;
        } else {
            writeln!(output, "  right {}", finding.requirement.help)?;
            let house = if finding.requirement.since == "house" {
                " (the specification is silent; this is a house rule)"
            } else {
                ""
            };
            writeln!(output, "  spec  {}{house}", finding.requirement.spec_url())?;
        }
        writeln!(output)
    }

    pub(crate) fn input(
        self,
        output: &mut impl Write,
        judged: &Judged,
        name: &str,
        outcome: &Outcome,
    ) -> io::Result<()> {
        let name = printable(name);
        if let Some(unreadable) = &outcome.unreadable {
            let label = self.paint(YELLOW, "not read");
            let byte = unreadable.byte.map(|byte| format!(" (byte {byte})")).unwrap_or_default();
            return writeln!(output, "{name}: {label}: {}{byte}", unreadable.message);
        }
        for note in &outcome.notes {
            let place = match (note.line, note.byte) {
                (Some(line), Some(byte)) => format!(" (line {line}, byte {byte})"),
                _ => String::new(),
            };
            writeln!(output, "{name}: note: {}{place}", note.message)?;
        }
        let verdict = judged.verdict(outcome);
        let format = outcome.format.map_or("empty", conform_check::frames::Format::name);
        let follow = outcome.findings.iter().filter(|f| f.consequence_of.is_some()).count();
        let allowed = outcome.findings.iter().filter(|f| !counts(f)).count() - follow;
        let mut counted =
            vec![number(outcome.errors, "error"), number(outcome.warnings, "warning")];
        if follow > 0 {
            counted.push(format!("{follow} that only follow"));
        }
        if allowed > 0 {
            counted.push(format!("{allowed} allowed"));
        }
        writeln!(
            output,
            "{name}: {} ({format}, {}, {}): {}",
            self.verdict(verdict),
            number(outcome.events, "event"),
            number(outcome.runs, "run"),
            counted.join(", "),
        )
    }

    pub(crate) fn end(self, output: &mut impl Write, judged: &Judged) -> io::Result<()> {
        let summary = judged.summary();
        if !self.quiet {
            let requirements = judged.requirements();
            let count = |status| requirements.iter().filter(|r| r.status == status).count();
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
            judged.spec(),
            judged.scope.as_str(),
            self.verdict(judged.overall()),
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

fn place(name: &str, finding: &Finding) -> String {
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
        None if finding.at_end => add("end of stream".to_owned()),
        None => {}
    }
    if let Some(event_type) = &finding.event_type {
        place.push(' ');
        let plain = event_type.len() <= 64 && event_type.bytes().all(|b| b.is_ascii_graphic());
        place.push_str(&if plain { event_type.clone() } else { quote(event_type) });
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

fn number(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}
