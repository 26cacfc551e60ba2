//! Writing a report while it comes about.

use std::io::{self, Write};

use conform_check::{Finding, Outcome};
use serde_json::json;

use crate::document::{Judged, Tool, finding};
use crate::human::Human;

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
            let header = json!({
                "schema": JOURNAL_SCHEMA,
                "kind": "header",
                "tool": Tool::THIS,
                "spec": judged.spec.as_deref().unwrap_or("auto"),
                "scope": judged.scope.as_str(),
                "target": null,
                "seed": null,
                "flags": flags,
            });
            self.line(&header)?;
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
                Human { color, quiet }.finding(&mut self.output, name, index, found)?;
            }
            Format::Json => return Ok(()),
            Format::Jsonl => {
                let mut line = json!({"kind": "finding", "input": name, "index": index});
                merge(&mut line, serde_json::to_value(finding(found))?);
                self.line(&line)?;
            }
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
                Human { color, quiet }.input(&mut self.output, judged, name, outcome)?;
            }
            Format::Json => return Ok(()),
            Format::Jsonl => {
                let mut line = json!({"kind": "input"});
                merge(&mut line, serde_json::to_value(judged.input(name, outcome))?);
                if let Some(members) = line.as_object_mut() {
                    members.shift_remove("findings");
                }
                self.line(&line)?;
            }
        }
        self.output.flush()
    }

    /// Ends: everything is judged.
    ///
    /// # Errors
    ///
    /// What writing failed with.
    pub fn end(&mut self, judged: &Judged) -> io::Result<()> {
        match self.format {
            Format::Human { color, quiet } => {
                Human { color, quiet }.end(&mut self.output, judged)?;
            }
            Format::Json => {
                serde_json::to_writer_pretty(&mut self.output, &judged.report())?;
                self.output.write_all(b"\n")?;
            }
            Format::Jsonl => {
                let report = judged.report();
                let footer = json!({
                    "kind": "footer",
                    "verdict": report.verdict,
                    "spec": report.spec,
                    "features": report.features,
                    "requirements": report.requirements,
                    "summary": report.summary,
                });
                self.line(&footer)?;
            }
        }
        self.output.flush()
    }

    fn line(&mut self, value: &serde_json::Value) -> io::Result<()> {
        serde_json::to_writer(&mut self.output, value)?;
        self.output.write_all(b"\n")
    }
}

fn merge(line: &mut serde_json::Value, value: serde_json::Value) {
    if let (Some(line), serde_json::Value::Object(members)) = (line.as_object_mut(), value) {
        line.extend(members);
    }
}
