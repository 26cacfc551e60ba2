//! `agui-conform run-log`: can an append-only run log be replayed?

mod formats;
mod stream;

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::path::Path;

use conform_report::printable;
use conform_run_log::Report;
use conform_run_log::read::{Failure, Format, Given, read};

use crate::args::{self, LogFormat, LogReport};
use crate::exit::Exit;
use crate::input::shown;
use crate::output::{output, written};
use formats::Judged;

/// Judges a log and reports.
///
/// # Errors
///
/// A sentence about what cannot be read or written.
pub(crate) fn run(arguments: &args::RunLog) -> Result<Exit, String> {
    let given = Given::new(
        arguments.run_id.as_deref(),
        arguments.expected_start.as_deref(),
        arguments.terminal.as_deref(),
        arguments.allow_empty.then_some(true),
    );
    let judged = match (&arguments.file, &arguments.from_stream) {
        (Some(file), _) => Judged {
            name: name(file),
            result: log(file, arguments.input_format, &given)?,
            stream: None,
        },
        (None, Some(stream)) => stream::judge(arguments, stream, &given)?,
        (None, None) => return Err("name a log, or a stream with --from-stream".to_owned()),
    };
    let (mut output, terminal) = output(arguments.output.as_deref())?;
    let result = match arguments.format {
        LogReport::Human => judged.human(&mut output),
        LogReport::Json => judged.json(&mut output, terminal),
        LogReport::Junit => judged.junit(&mut output),
        LogReport::Sarif => judged.sarif(&mut output),
    };
    written("the report", result.and_then(|()| output.flush()))?;
    if let Err(failure) = &judged.result {
        let name = printable(&judged.name);
        eprintln!("agui-conform: {name}: the log cannot be judged: {failure}");
        if let Failure::Refused(refused) = failure {
            eprintln!("agui-conform: {}", refused.error.code.help());
        }
    }
    Ok(judged.exit())
}

fn name(path: &Path) -> String {
    path.display().to_string()
}

fn log(path: &Path, format: LogFormat, given: &Given) -> Result<Result<Report, Failure>, String> {
    let mut input: Box<dyn BufRead> = if path.as_os_str() == "-" {
        if io::stdin().is_terminal() {
            eprintln!("agui-conform: reading the log from standard input");
        }
        Box::new(BufReader::with_capacity(64 << 10, io::stdin()))
    } else {
        let failed = |error: io::Error| format!("{}: {error}", shown(path));
        let file = File::open(path).map_err(failed)?;
        Box::new(BufReader::with_capacity(64 << 10, file))
    };
    let format = match format {
        LogFormat::Json => Format::Json,
        LogFormat::Ndjson => Format::Ndjson,
        LogFormat::Csv => Format::Csv,
        LogFormat::Auto => match path.extension().and_then(|extension| extension.to_str()) {
            Some("csv") => Format::Csv,
            Some("ndjson" | "jsonl") => Format::Ndjson,
            _ => {
                let beginning = input.fill_buf();
                let failed = |error: io::Error| format!("{}: {error}", shown(path));
                Format::detect(beginning.map_err(failed)?)
            }
        },
    };
    Ok(read(input, format, given))
}
