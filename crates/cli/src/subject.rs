//! `agui-conform subject`: our own implementations behind the subject protocol.

use std::io::{self, BufWriter};

use conform_subject::{Ours, RunLogSubject, serve, serve_run_log};

use crate::args::{self, Role, ScopeArgument};
use crate::exit::Exit;

/// Answers on standard input and output until the harness is done.
///
/// # Errors
///
/// A sentence about what reading or writing failed with.
pub(crate) fn run(arguments: &args::Subject) -> Result<Exit, String> {
    let (input, output) = (io::stdin().lock(), BufWriter::new(io::stdout()));
    let served = match arguments.role {
        Role::RunLog if arguments.model => serve_run_log(RunLogSubject::Model, input, output),
        Role::RunLog => serve_run_log(RunLogSubject::Validator, input, output),
        Role::Verifier => {
            let scope = match arguments.scope {
                ScopeArgument::Stream => "stream",
                ScopeArgument::Run => "run",
            };
            let subject = if arguments.model { Ours::model(scope) } else { Ours::verifier(scope) };
            serve(&subject.ok_or_else(|| format!("there is no scope {scope}"))?, input, output)
        }
    };
    match served {
        Ok(()) => Ok(Exit::Conforms),
        // The harness has heard enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Exit::Conforms),
        Err(error) => Err(format!("the harness cannot be heard or answered: {error}")),
    }
}
