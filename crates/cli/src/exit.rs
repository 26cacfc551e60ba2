//! How the command ends.

use std::process::ExitCode;

/// The exit codes, the same for every command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Everything conforms.
    Conforms,
    /// There are findings that count.
    Findings,
    /// Wrong usage, or input that cannot be read.
    Usage,
    /// What is under test could not be started, or died again and again.
    Target,
    /// Nothing failed, and something could not be judged.
    Incomplete,
    /// The user did not wait.
    Interrupted,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Conforms => 0,
            Exit::Findings => 1,
            Exit::Usage => 2,
            Exit::Target => 3,
            Exit::Incomplete => 4,
            Exit::Interrupted => 130,
        })
    }
}
