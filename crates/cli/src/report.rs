//! `agui-conform report`: stored reports, in any format.

use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;

use conform_report::{Changes, Format, Journal, Verdict, render};

use crate::args::{self, FailOnArgument};
use crate::exit::Exit;
use crate::input::shown;
use crate::output::{format, output, step_summary, written};

/// Reads, merges, compares and writes.
///
/// # Errors
///
/// A sentence about what cannot be read, put together or written.
pub(crate) fn run(arguments: &args::Report) -> Result<Exit, String> {
    let journals: Vec<Journal> =
        arguments.journals.iter().map(|path| read(path)).collect::<Result<_, _>>()?;
    let journal = Journal::merge(journals)
        .map_err(|error| format!("the journals cannot be put together: {error}"))?;
    let old = arguments.since.as_deref().map(read).transpose()?;
    let changes = old.map(|old| Changes::between(&old.report, &journal.report));
    let (mut output, terminal) = output(arguments.output.as_deref())?;
    let format = format(arguments.format, arguments.color, arguments.quiet, terminal);
    if let (
        Some(changes),
        Format::Jsonl | Format::Junit | Format::Sarif | Format::Tap | Format::Html,
    ) = (&changes, format)
    {
        eprintln!(
            "agui-conform: this format does not carry what changed: {} broke, {} healed",
            changes.broke.len(),
            changes.healed.len()
        );
    }
    let result = render(format, &journal, changes.as_ref(), &mut output);
    written("the report", result.and_then(|()| output.flush()))?;
    if format == Format::Github {
        step_summary(|text| render(Format::Markdown, &journal, changes.as_ref(), text))?;
    }
    let warned = journal.report.summary.warnings > 0;
    Ok(match (arguments.fail_on, journal.report.verdict) {
        (FailOnArgument::Error, Verdict::Fail) => Exit::Findings,
        (FailOnArgument::Warning, verdict) if verdict == Verdict::Fail || warned => Exit::Findings,
        (_, Verdict::Incomplete) => Exit::Incomplete,
        _ => Exit::Conforms,
    })
}

fn read(path: &Path) -> Result<Journal, String> {
    let text = if path.as_os_str() == "-" {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        fs::read_to_string(path)
    };
    let text = text.map_err(|error| format!("{}: {error}", shown(path)))?;
    Journal::read(&text).map_err(|error| format!("{}: {error}", shown(path)))
}
