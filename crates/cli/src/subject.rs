//! `agui-conform subject`: our own verifiers behind the subject protocol.

use std::io::{self, BufWriter};

use conform_subject::{Ours, serve};

use crate::args::{self, Role, ScopeArgument};
use crate::exit::Exit;

/// Answers on standard input and output until the harness is done.
///
/// # Errors
///
/// A sentence about what reading or writing failed with.
pub(crate) fn run(arguments: &args::Subject) -> Result<Exit, String> {
    let scope = match arguments.scope {
        ScopeArgument::Stream => "stream",
        ScopeArgument::Run => "run",
    };
    let subject = match (arguments.role, arguments.model) {
        (Role::Verifier, false) => Ours::verifier(scope),
        (Role::Verifier, true) => Ours::model(scope),
    };
    let subject = subject.ok_or_else(|| format!("there is no scope {scope}"))?;
    match serve(&subject, io::stdin().lock(), BufWriter::new(io::stdout())) {
        Ok(()) => Ok(Exit::Conforms),
        // The harness has heard enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Exit::Conforms),
        Err(error) => Err(format!("the harness cannot be heard or answered: {error}")),
    }
}
