//! Where reports go, and what becomes of writing them.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

use conform_report::Format;

use crate::args::{self, Color};
use crate::input::shown;

/// Where a report is written.
pub(crate) type Output = Box<dyn Write>;

/// Where the report goes, and whether that is a terminal.
///
/// # Errors
///
/// A sentence about a file that cannot be written.
pub(crate) fn output(path: Option<&Path>) -> Result<(Output, bool), String> {
    let Some(path) = path else {
        let stdout = io::stdout();
        let terminal = stdout.is_terminal();
        return Ok((Box::new(BufWriter::new(stdout)), terminal));
    };
    let file = File::create(path).map_err(|error| format!("{}: {error}", shown(path)))?;
    Ok((Box::new(BufWriter::new(file)), false))
}

/// What writing came to. That whoever read it has left is nobody's fault.
///
/// # Errors
///
/// A sentence about `what`, which could not be written.
pub(crate) fn written(what: &str, result: io::Result<()>) -> Result<(), String> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("{what} cannot be written: {error}"))
        }
        _ => Ok(()),
    }
}

/// Writes a whole text to standard output.
///
/// # Errors
///
/// A sentence about `what`, which could not be written.
pub(crate) fn print(what: &str, text: &[u8]) -> Result<(), String> {
    let mut stdout = io::stdout();
    written(what, stdout.write_all(text).and_then(|()| stdout.flush()))
}

/// Adds Markdown to the summary of a workflow's step, where there is one.
///
/// # Errors
///
/// A sentence about the summary, which could not be written.
pub(crate) fn step_summary(
    write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>,
) -> Result<(), String> {
    let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()) else {
        return Ok(());
    };
    let mut text = Vec::new();
    let added = write(&mut text)
        .and_then(|()| File::options().append(true).create(true).open(&path)?.write_all(&text));
    let shown = shown(Path::new(&path));
    added.map_err(|error| format!("the step's summary {shown} cannot be written: {error}"))
}

/// The format that the user asks for.
pub(crate) fn format(format: args::Format, wanted: Color, quiet: bool, terminal: bool) -> Format {
    match format {
        args::Format::Human => Format::Human { color: color(wanted, terminal), quiet },
        args::Format::Json => Format::Json,
        args::Format::Jsonl => Format::Jsonl,
        args::Format::Junit => Format::Junit,
        args::Format::Sarif => Format::Sarif,
        args::Format::Tap => Format::Tap,
        args::Format::Github => Format::Github,
        args::Format::Markdown => Format::Markdown,
        args::Format::Html => Format::Html,
    }
}

fn color(color: Color, terminal: bool) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            terminal && !anstyle_query::no_color() && anstyle_query::term_supports_color()
        }
    }
}
