//! The `agui-conform` command.

mod args;
mod check;
mod corpus;
mod exit;
mod explain;
mod generate;
mod input;
mod report;
mod run_log;
mod soak;
mod subject;
mod test_subject;

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use crate::args::{Arguments, Command};
use crate::exit::Exit;

/// Prints what was made before.
fn print(make: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> Result<Exit, String> {
    let mut text = Vec::new();
    let printed = make(&mut text).and_then(|()| io::stdout().write_all(&text));
    match printed {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("it cannot be written: {error}"))
        }
        _ => Ok(Exit::Conforms),
    }
}

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Printing help to a closed pipe is nobody's fault.
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage } else { Exit::Conforms }.into();
        }
    };
    let done = match arguments.command {
        Command::Check(check) => check::run(&check),
        Command::Explain(explain) => explain::run(&explain),
        Command::Generate(generate) => generate::run(&generate),
        Command::Soak(soak) => soak::run(&soak),
        Command::Subject(subject) => subject::run(&subject),
        Command::TestSubject(test) => test_subject::run(&test),
        Command::RunLog(log) => run_log::run(&log),
        Command::Report(report) => report::run(&report),
        Command::Corpus(corpus) => corpus::run(&corpus),
        Command::Completions { shell } => print(|output| {
            clap_complete::generate(shell, &mut Arguments::command(), "agui-conform", output);
            Ok(())
        }),
        Command::Man => print(|output| clap_mangen::Man::new(Arguments::command()).render(output)),
    };
    match done {
        Ok(exit) => exit.into(),
        Err(message) => {
            eprintln!("agui-conform: {message}");
            Exit::Usage.into()
        }
    }
}
