//! `agui-conform check`: judge recorded streams.

use std::fs;
use std::io;
use std::path::Path;

use conform_check::frames::{ResponseHead, read_heads};
use conform_check::{Checker, Options, Outcome, Policy, Request, Scope, Unreadable, Version};
use conform_report::{FailOn, Format, Judged, Verdict, Writer, printable};

use crate::args::{self, FailOnArgument, ScopeArgument, Spec};
use crate::exit::Exit;
use crate::input::{self, Input, Piece};
use crate::output::{Output, format, output, step_summary};

/// Judges and reports.
///
/// # Errors
///
/// A sentence about what in the arguments cannot be used.
pub(crate) fn run(arguments: &args::Check) -> Result<Exit, String> {
    let options = options(arguments)?;
    let inputs = input::inputs(&arguments.files)?;
    let (output, terminal) = output(arguments.output.as_deref())?;
    let mut judged = Judged {
        scope: options.scope,
        spec: options.spec.map(|version| version.as_str().to_owned()),
        fail_on: match arguments.fail_on {
            FailOnArgument::Error => FailOn::Error,
            FailOnArgument::Warning => FailOn::Warning,
            FailOnArgument::Never => FailOn::Never,
        },
        policy: options.policy.clone(),
        inputs: Vec::new(),
    };
    let format = format(arguments.format, arguments.color, arguments.quiet, terminal);
    let mut session = Session {
        writer: Writer::new(format, output),
        options,
        unreadable: false,
        interrupted: false,
    };
    match session.judge_all(&mut judged, inputs) {
        Ok(()) => {
            if format == Format::Github {
                let summary =
                    |output: &mut Vec<u8>| Writer::new(Format::Markdown, output).end(&judged);
                step_summary(summary)?;
            }
            Ok(session.exit(&judged))
        }
        // Whoever read the report has left: what was judged still counts.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            Ok(match session.exit(&judged) {
                Exit::Conforms => Exit::Incomplete,
                exit => exit,
            })
        }
        Err(error) => Err(format!("the report cannot be written: {error}")),
    }
}

struct Session {
    writer: Writer<Output>,
    options: Options,
    unreadable: bool,
    interrupted: bool,
}

impl Session {
    fn judge_all(&mut self, judged: &mut Judged, inputs: Vec<Input>) -> io::Result<()> {
        let flags: Vec<String> = std::env::args().skip(1).collect();
        self.writer.begin(judged, &flags)?;
        for input in inputs {
            let Some(outcome) = self.judge(&input)? else { continue };
            self.unreadable |= outcome.unreadable.is_some();
            self.writer.input(judged, &input.name, &outcome)?;
            judged.inputs.push((input.name, outcome));
            if self.interrupted {
                break;
            }
        }
        self.writer.end(judged)
    }

    /// Judges one input; none where it is passed over.
    fn judge(&mut self, input: &Input) -> io::Result<Option<Outcome>> {
        let mut options = self.options.clone();
        if let Some(path) = input.request.as_ref().filter(|_| options.request.is_none()) {
            match request(path) {
                Ok(request) => options.request = Some(request),
                Err(message) => eprintln!("agui-conform: {message}; judged without it"),
            }
        }
        let pieces = match input::read(input) {
            Ok(pieces) => pieces,
            Err(error) => return Ok(Some(failed(Checker::new(options), &error))),
        };
        let mut checker = Checker::new(options);
        let mut written = 0;
        loop {
            let piece = pieces.recv().unwrap_or(Piece::End);
            let outcome = match piece {
                Piece::Bytes(bytes) => {
                    checker.push(&bytes);
                    written = self.write(&input.name, checker.findings(), written)?;
                    if checker.unreadable().is_none() {
                        continue;
                    }
                    checker.finish()
                }
                Piece::End => checker.finish(),
                Piece::Failed(error) => failed(checker, &error),
                Piece::Interrupted => {
                    self.interrupted = true;
                    checker.interrupt()
                }
            };
            self.write(&input.name, &outcome.findings, written)?;
            if let Some(unreadable) = outcome.unreadable.as_ref().filter(|u| u.other_document)
                && input.found
            {
                let name = printable(&input.name);
                eprintln!("agui-conform: {name} is passed over: {}", unreadable.message);
                return Ok(None);
            }
            return Ok(Some(outcome));
        }
    }

    /// Writes the findings from `written` on.
    fn write(
        &mut self,
        name: &str,
        findings: &[conform_check::Finding],
        written: usize,
    ) -> io::Result<usize> {
        for (index, finding) in findings.iter().enumerate().skip(written) {
            self.writer.finding(name, index, finding)?;
        }
        Ok(findings.len())
    }

    fn exit(&self, judged: &Judged) -> Exit {
        if self.interrupted {
            Exit::Interrupted
        } else if self.unreadable {
            Exit::Usage
        } else {
            match judged.overall() {
                Verdict::Fail if judged.fail_on == FailOn::Never => Exit::Conforms,
                Verdict::Fail => Exit::Findings,
                Verdict::Incomplete => Exit::Incomplete,
                Verdict::Pass => Exit::Conforms,
            }
        }
    }
}

/// The outcome of an input that cannot be read, or not to its end.
fn failed(checker: Checker, error: &io::Error) -> Outcome {
    let mut outcome = checker.interrupt();
    outcome.notes.clear();
    let message = format!("it cannot be read: {error}");
    outcome.unreadable = Some(Unreadable {
        message,
        byte: Some(outcome.bytes).filter(|byte| *byte > 0),
        other_document: false,
    });
    outcome
}

fn options(arguments: &args::Check) -> Result<Options, String> {
    let request = arguments.request.as_deref().map(request).transpose()?;
    let mut options = Options {
        scope: match arguments.scope {
            ScopeArgument::Stream => Scope::Stream,
            ScopeArgument::Run => Scope::Run,
        },
        request,
        head: arguments.headers.as_deref().map(head).transpose()?,
        spec: match arguments.spec {
            Spec::Auto => None,
            Spec::V1_0 => Some(Version::V1_0),
            Spec::V1_1 => Some(Version::V1_1),
        },
        max_findings: arguments.max_findings,
        trace: arguments.trace || arguments.format == args::Format::Html,
        policy: Policy::new(&arguments.allow, &arguments.deny)?,
        ..Options::default()
    };
    options.limits.frame_bytes = arguments.max_frame_bytes.max(1);
    Ok(options)
}

fn request(path: &Path) -> Result<Request, String> {
    let shown = input::shown(path);
    let text = fs::read(path).map_err(|error| format!("{shown}: {error}"))?;
    Request::read(&text).map_err(|error| format!("{shown}: {error}"))
}

/// The last head of a file of headers.
fn head(path: &Path) -> Result<ResponseHead, String> {
    let shown = input::shown(path);
    let text = fs::read(path).map_err(|error| format!("{shown}: {error}"))?;
    let head = read_heads(&text).pop();
    head.ok_or_else(|| format!("{shown}: there are no headers in it"))
}
