//! Writing a report while it comes about.

use std::io::{self, Write};

use conform_check::{Finding, Outcome};

use crate::document::Tool;
use crate::human::Human;
use crate::journal::{finding_line, footer, header, input_line};
use crate::judged::{Judged, finding};
use crate::render::document;

/// The name and version of the journal format.
pub const JOURNAL_SCHEMA: &str = "agui-conform.journal.v1";

/// What a report is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// For a person, as it comes.
    Human {
        /// Whether to colour it.
        color: bool,
        /// Whether to leave out everything but findings and the verdict.
        quiet: bool,
    },
    /// One JSON document, at the end.
    Json,
    /// The journal: JSON Lines, as it comes.
    Jsonl,
    /// JUnit XML, at the end.
    Junit,
    /// SARIF 2.1.0, at the end.
    Sarif,
    /// TAP 14, at the end.
    Tap,
    /// Workflow commands of GitHub, at the end.
    Github,
    /// Markdown, at the end.
    Markdown,
    /// One page of HTML, at the end.
    Html,
}

/// Writes a report in one of the formats.
#[derive(Debug)]
pub struct Writer<W> {
    format: Format,
    output: W,
}

impl<W: Write> Writer<W> {
    /// A writer to `output`.
    pub fn new(format: Format, output: W) -> Self {
        Self { format, output }
    }

    /// Begins: nothing is judged yet.
    ///
    /// # Errors
    ///
    /// What writing failed with.
    pub fn begin(&mut self, judged: &Judged, flags: &[String]) -> io::Result<()> {
        if self.format == Format::Jsonl {
            let spec = judged.spec.as_deref().unwrap_or("auto");
            self.line(&header(&Tool::THIS, spec, judged.scope.as_str(), flags))?;
        }
        Ok(())
    }

    /// Writes a finding of the input `name`, as soon as it is found.
    ///
    /// # Errors
    ///
    /// What writing failed with.
    pub fn finding(&mut self, name: &str, index: usize, found: &Finding) -> io::Result<()> {
        match self.format {
            Format::Human { color, quiet } => {
                let found = finding(found);
                Human { color, quiet }.finding(&mut self.output, name, index, &found)?;
            }
            Format::Jsonl => self.line(&finding_line(name, index, &finding(found))?)?,
            _ => return Ok(()),
        }
        self.output.flush()
    }

    /// Writes what an input came to.
    ///
    /// # Errors
    ///
    /// What writing failed with.
    pub fn input(&mut self, judged: &Judged, name: &str, outcome: &Outcome) -> io::Result<()> {
        match self.format {
            Format::Human { color, quiet } => {
                let input = judged.input(name, outcome);
                Human { color, quiet }.input(&mut self.output, &input)?;
            }
            Format::Jsonl => self.line(&input_line(&judged.input(name, outcome))?)?,
            _ => return Ok(()),
        }
        self.output.flush()
    }

    /// Ends: everything is judged.
    ///
    /// # Errors
    ///
    /// What writing failed with.
    pub fn end(&mut self, judged: &Judged) -> io::Result<()> {
        let report = judged.report();
        match self.format {
            Format::Human { color, quiet } => {
                Human { color, quiet }.end(&mut self.output, &report)?;
            }
            Format::Json => {
                serde_json::to_writer_pretty(&mut self.output, &report)?;
                self.output.write_all(b"\n")?;
            }
            Format::Jsonl => self.line(&footer(&report))?,
            format => document(format, &report, &mut self.output)?,
        }
        self.output.flush()
    }

    fn line(&mut self, value: &serde_json::Value) -> io::Result<()> {
        serde_json::to_writer(&mut self.output, value)?;
        self.output.write_all(b"\n")
    }
}

pub(crate) fn merge(line: &mut serde_json::Value, value: serde_json::Value) {
    if let (Some(line), serde_json::Value::Object(members)) = (line.as_object_mut(), value) {
        line.extend(members);
    }
}
