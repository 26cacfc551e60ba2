//! The `agui-conform` command.

mod args;
mod check;
mod corpus;
mod exit;
mod explain;
mod generate;
mod input;
mod output;
mod report;
mod run_log;
mod soak;
mod subject;
mod test_subject;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use crate::args::{Arguments, Command};
use crate::exit::Exit;

/// The completions of a shell.
fn completions(shell: clap_complete::Shell) -> Result<Exit, String> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "agui-conform", &mut text);
    output::print("the completions", &text).map(|()| Exit::Conforms)
}

/// The manual page.
fn manual() -> Result<Exit, String> {
    let mut text = Vec::new();
    let made = clap_mangen::Man::new(Arguments::command()).render(&mut text);
    output::written("the manual page", made)?;
    output::print("the manual page", &text).map(|()| Exit::Conforms)
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
        Command::Completions { shell } => completions(shell),
        Command::Man => manual(),
    };
    match done {
        Ok(exit) => exit.into(),
        Err(message) => {
            eprintln!("agui-conform: {message}");
            Exit::Usage.into()
        }
    }
}
