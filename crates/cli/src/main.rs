//! The `agui-conform` command.

mod args;
mod check;
mod exit;
mod explain;
mod generate;
mod input;
mod run_log;
mod soak;
mod subject;
mod test_subject;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Arguments, Command};
use crate::exit::Exit;

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
    };
    match done {
        Ok(exit) => exit.into(),
        Err(message) => {
            eprintln!("agui-conform: {message}");
            Exit::Usage.into()
        }
    }
}
