//! Workflow commands, which GitHub shows beside the lines of a pull request.

use std::io::{self, Write};

use super::{clean, printable};
use crate::document::{Report, Verdict};

pub(super) fn write(report: &Report<'_>, output: &mut impl Write) -> io::Result<()> {
    for input in &report.inputs {
        for finding in input.findings.iter().filter(|finding| finding.counts()) {
            let command = if finding.is_error() { "error" } else { "warning" };
            let line = finding.line.map(|line| format!(",line={line}")).unwrap_or_default();
            writeln!(
                output,
                "::{command} file={}{line},title={}::{}",
                property(&printable(&input.name)),
                property(&finding.requirement),
                data(&format!("{}. {}", finding.message, finding.help)),
            )?;
        }
        if input.verdict == Verdict::Incomplete {
            let file = property(&printable(&input.name));
            writeln!(output, "::warning file={file}::{}", data(&super::incomplete(input)))?;
        }
    }
    let summary = report.summary;
    writeln!(
        output,
        "{}: {} run, {} passed, {} failed, {} unsupported, {} not judged",
        report.verdict.as_str(),
        summary.run,
        summary.passed,
        summary.failed,
        summary.unsupported,
        summary.not_judged
    )
}

fn data(text: &str) -> String {
    clean(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
