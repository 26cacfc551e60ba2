//! TAP 14: a test a requirement, then a test an input.

use std::io::{self, Write};

use super::{about, broken, clean, incomplete, line, printable, skipped};
use crate::document::{Report, Status, Verdict};

pub(super) fn write(report: &Report<'_>, output: &mut impl Write) -> io::Result<()> {
    writeln!(output, "TAP version 14\n1..{}", report.requirements.len() + report.inputs.len())?;
    let mut number = 0;
    let mut test = |ok: bool, name: &str, skip: Option<&str>, lines: &[String]| {
        number += 1;
        let ok = if ok { "ok" } else { "not ok" };
        let skip = skip.map(|why| format!(" # SKIP {}", escaped(why))).unwrap_or_default();
        writeln!(output, "{ok} {number} - {}{skip}", escaped(name))?;
        if lines.is_empty() {
            return Ok(());
        }
        writeln!(output, "  ---\n  findings:")?;
        for line in lines {
            // A JSON string is a YAML string.
            writeln!(output, "    - {}", serde_json::Value::from(line.as_str()))?;
        }
        writeln!(output, "  ...")
    };
    for requirement in &report.requirements {
        let failed = requirement.status == Status::Fail;
        let lines: Vec<String> =
            about(report, &requirement.id).map(|(input, finding)| line(input, finding)).collect();
        let lines = if failed { lines } else { Vec::new() };
        test(!failed, &requirement.id, skipped(requirement), &lines)?;
    }
    for input in &report.inputs {
        let name = printable(&input.name);
        match input.verdict {
            Verdict::Pass => test(true, &name, None, &[])?,
            Verdict::Fail => test(false, &name, None, &[broken(input)])?,
            // What could not be judged has not passed.
            Verdict::Incomplete => test(false, &name, None, &[incomplete(input)])?,
        }
    }
    io::Result::Ok(())
}

/// A description: `#` would begin a directive.
fn escaped(text: &str) -> String {
    clean(text).replace('\\', "\\\\").replace('#', "\\#")
}
