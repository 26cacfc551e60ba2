//! Running the command.

#![allow(dead_code, reason = "no test uses all of it")]

use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::thread;

use serde_json::Value;
use tempfile::TempDir;

/// The command in an environment that is the same everywhere.
pub(crate) fn command<S: AsRef<OsStr>>(arguments: &[S]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agui-conform"));
    for name in
        ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "FORCE_COLOR", "COLUMNS", "RUST_BACKTRACE"]
    {
        command.env_remove(name);
    }
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// What the command left behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Done {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl From<Output> for Done {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().expect("it was not killed"),
            out: String::from_utf8(output.stdout).expect("a report is UTF-8"),
            err: String::from_utf8(output.stderr).expect("messages are UTF-8"),
        }
    }
}

impl Done {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }
}

/// Runs it with these arguments and this standard input.
pub(crate) fn run<S: AsRef<OsStr>>(arguments: &[S], input: impl AsRef<[u8]>) -> Done {
    finish(command(arguments), input)
}

pub(crate) fn finish(mut command: Command, input: impl AsRef<[u8]>) -> Done {
    let input = input.as_ref().to_owned();
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // A child that does not read to the end is none of this thread's business.
    let writer = thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output.into()
}

/// A report as JSON, and how the command ended.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) code: i32,
    pub(crate) err: String,
    pub(crate) json: Value,
}

/// Judges standard input with these further arguments.
pub(crate) fn judge(input: impl AsRef<[u8]>, arguments: &[&str]) -> Report {
    let all: Vec<&str> =
        ["check", "-", "--format", "json"].iter().chain(arguments).copied().collect();
    let done = run(&all, input);
    Report { code: done.code, json: done.json(), err: done.err }
}

/// Requirement, event, line and byte of a finding that is no consequence.
pub(crate) type Found<'a> = (&'a str, Option<u64>, Option<u64>, Option<u64>);

impl Report {
    pub(crate) fn input(&self) -> &Value {
        &self.json["inputs"][0]
    }

    pub(crate) fn findings(&self) -> &[Value] {
        self.input()["findings"].as_array().unwrap()
    }

    pub(crate) fn found(&self) -> Vec<Found<'_>> {
        let counted = self.findings().iter().filter(|finding| finding["consequence_of"].is_null());
        let place = |finding: &Value, name: &str| finding[name].as_u64();
        counted
            .map(|f| {
                let id = f["requirement"].as_str().unwrap();
                (id, place(f, "event"), place(f, "line"), place(f, "byte"))
            })
            .collect()
    }

    /// Text, byte and whether something was not judged, of each note.
    pub(crate) fn notes(&self) -> Vec<(&str, Option<u64>, bool)> {
        let notes = self.input()["notes"].as_array().unwrap().iter();
        notes
            .map(|n| {
                let incomplete = n["incomplete"].as_bool().unwrap();
                (n["message"].as_str().unwrap(), n["byte"].as_u64(), incomplete)
            })
            .collect()
    }
}

/// A directory with these files.
pub(crate) fn files<N: AsRef<str>, C: AsRef<[u8]>>(list: &[(N, C)]) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (name, content) in list {
        let path = directory.path().join(name.as_ref());
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    directory
}

/// A path of the repository.
pub(crate) fn repository(path: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(path)
}

pub(crate) const STARTED: &str =
    r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r1","protocolVersion":"1.1"}"#;
pub(crate) const FINISHED: &str = r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}"#;

/// A run of these lines, in JSON Lines.
pub(crate) fn run_of<S: AsRef<str>>(lines: &[S]) -> String {
    let lines = lines.iter().map(AsRef::as_ref);
    let all = std::iter::once(STARTED).chain(lines).chain([FINISHED]);
    all.flat_map(|line| [line, "\n"]).collect()
}

/// The same as server-sent events, each frame as it stands.
pub(crate) fn sse(frames: &[&str]) -> String {
    let all = std::iter::once(STARTED).chain(frames.iter().copied()).chain([FINISHED]);
    all.flat_map(|frame| ["data: ", frame, "\n\n"]).collect()
}
