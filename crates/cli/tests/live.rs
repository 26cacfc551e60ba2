//! Pipes, signals and memory: what depends on time and on the machine.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod support;

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use support::{FINISHED, STARTED, command, finish, judge, run_of, sse};

const BROKEN: &str = r#"{"type":"STEP_FINISHED","stepName":"s"}"#;
/// More than any of this takes; a test that hangs shall fail.
const LONG: Duration = Duration::from_secs(60);

/// The command with its standard input still open.
struct Live {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Live {
    fn start(arguments: &[&str]) -> Self {
        let mut child = command(arguments).stdin(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        Self { child, input, lines }
    }

    fn write(&mut self, bytes: impl AsRef<[u8]>) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes.as_ref()).unwrap();
        input.flush().unwrap();
    }

    fn line(&self) -> String {
        self.lines.recv_timeout(LONG).expect("the command says something")
    }

    /// The first line that contains this.
    fn line_with(&self, text: &str) -> String {
        loop {
            let line = self.line();
            if line.contains(text) {
                return line;
            }
        }
    }

    fn interrupt(&self) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    }

    /// Peak memory, in MiB.
    fn peak(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
    }

    /// Closes standard input: exit code, the rest of the output, standard error.
    fn end(mut self) -> (i32, Vec<String>, String) {
        drop(self.input.take());
        self.wait()
    }

    fn wait(mut self) -> (i32, Vec<String>, String) {
        let mut err = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        let rest = std::iter::from_fn(|| self.lines.recv_timeout(LONG).ok()).collect();
        (self.child.wait().unwrap().code().unwrap(), rest, err)
    }
}

#[test]
fn findings_appear_as_their_events_arrive() {
    for (before, after) in [("data: ", "\n\n"), ("", "\n")] {
        let frame = |event: &str| format!("{before}{event}{after}");
        let mut live = Live::start(&["check", "-"]);
        live.write(frame(STARTED));
        live.write(frame(BROKEN));
        assert_eq!(live.line(), "error #0 step/finished-by-its-owner (not-open)");
        live.line_with("  spec  ");
        // Half an event says nothing; the other half does.
        let second = frame(r#"{"type":"TOOL_CALL_END","toolCallId":"c1"}"#);
        live.write(&second[..20]);
        live.write(&second[20..]);
        assert_eq!(live.line_with("#1"), "error #1 tool/open-before-args (not-open)");
        live.write(frame(FINISHED));
        let (code, rest, err) = live.end();
        assert_eq!((code, err.as_str()), (1, ""));
        assert!(
            rest.iter().any(|line| line.ends_with("3 events, 1 run): 2 errors, 0 warnings")
                || line.ends_with("4 events, 1 run): 2 errors, 0 warnings")),
            "{rest:?}"
        );
    }
}

#[test]
fn the_journal_comes_line_by_line() {
    let mut live = Live::start(&["check", "-", "--format", "jsonl"]);
    let parse = |line: String| serde_json::from_str::<Value>(&line).unwrap();
    live.write(format!("{STARTED}\n{BROKEN}\n"));
    assert_eq!(parse(live.line())["kind"], "header");
    let finding = parse(live.line());
    assert_eq!((&finding["kind"], &finding["event"]), (&"finding".into(), &1.into()));
    live.write(format!("{FINISHED}\n"));
    let (code, rest, _) = live.end();
    let kinds: Vec<_> = rest.into_iter().map(|line| parse(line)["kind"].clone()).collect();
    assert_eq!((code, kinds), (1, vec!["input".into(), "footer".into()]));
}

#[test]
fn ctrl_c_ends_it_with_what_was_judged() {
    let mut live = Live::start(&["check", "-"]);
    live.write(format!("data: {STARTED}\n\ndata: {BROKEN}\n\n"));
    live.line_with("error #0");
    live.interrupt();
    let (code, rest, err) = live.wait();
    assert_eq!((code, err.as_str()), (130, ""));
    let text = rest.join("\n");
    assert!(text.contains("-: note: interrupted: the end of the stream was not judged"), "{text}");
    assert!(text.contains("-: fail (sse, 2 events, 1 run): 1 error, 0 warnings"), "{text}");
    assert!(text.contains("\ninputs: 1 run, 0 passed, 1 failed"), "{text}");
}

#[test]
fn ctrl_c_before_anything_came_and_in_a_document() {
    let mut live = Live::start(&["check", "-", "no-such-file", "--format", "json"]);
    live.write(format!("{STARTED}\n"));
    // Nothing is printed before the end: wait until it listens and has read.
    thread::sleep(Duration::from_millis(500));
    live.interrupt();
    let (code, rest, _) = live.wait();
    let report: Value = serde_json::from_str(&rest.join("\n")).unwrap();
    assert_eq!((code, &report["verdict"]), (130, &"incomplete".into()));
    // What came after it is not judged any more.
    assert_eq!(report["inputs"].as_array().unwrap().len(), 1);
    assert_eq!(report["inputs"][0]["findings"], Value::Array(Vec::new()));
    assert_eq!(report["inputs"][0]["notes"][0]["incomplete"], true);
}

#[test]
fn a_reader_that_leaves_early() {
    // More than a pipe holds, of findings.
    let findings = run_of(&vec![BROKEN; 3000]);
    let good = sse(&[]);
    for (input, format, expected) in [
        (&findings, "human", 1),
        (&findings, "jsonl", 1),
        (&findings, "json", 1),
        (&good, "human", 4),
        (&good, "json", 4),
    ] {
        let mut child = command(&["check", "-", "--format", format, "--max-findings", "100000"])
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().unwrap();
        // It may be gone before it has read everything.
        let _ = stdin.write_all(input.as_bytes());
        drop(stdin);
        let done = child.wait_with_output().unwrap();
        let err = String::from_utf8(done.stderr).unwrap();
        let code = done.status.code().unwrap();
        assert_eq!(err, "", "{format}");
        // What the writer found before it noticed is for the clock to say.
        assert!(code == expected || code == 4, "{format}: {code}");
    }
    for arguments in [&["explain"][..], &["explain", "--format", "json"], &["check", "--help"]] {
        let mut child = command(arguments).spawn().unwrap();
        drop(child.stdout.take());
        let done = child.wait_with_output().unwrap();
        assert_eq!((done.status.code(), done.stderr.as_slice()), (Some(0), &b""[..]));
    }
}

/// A megabyte of a string, a hundred times.
fn write_long_event(live: &mut Live, before: &str, after: &str) {
    live.write(format!("{before}{{\"type\":\"CUSTOM\",\"name\":\"com.example.n\",\"value\":\""));
    let megabyte = vec![b'x'; 1 << 20];
    for _ in 0..100 {
        live.write(&megabyte);
    }
    live.write(format!("\"}}{after}"));
}

#[test]
fn a_line_of_a_hundred_megabytes() {
    let lines = [("", "\n"), ("data: ", "\n\n")];
    for (before, after) in lines {
        for first in [true, false] {
            let mut live = Live::start(&["check", "-"]);
            if !first {
                live.write(format!("{before}{STARTED}{after}"));
            }
            write_long_event(&mut live, before, after);
            live.write(format!("{before}{BROKEN}{after}"));
            // Reading goes on, and the event behind it is judged.
            live.line_with("error #");
            let peak = live.peak();
            assert!(peak < 200, "{peak} MiB at its peak ({before:?}, first: {first})");
            let (code, rest, err) = live.end();
            assert_eq!((code, err.as_str()), (1, ""));
            let text = rest.join("\n");
            let note =
                "a frame is longer than 67108864 bytes and was passed over (--max-frame-bytes)";
            assert!(text.contains(note), "{text}");
        }
    }
}

#[test]
fn a_line_that_is_too_long_is_not_judged_and_not_wrong() {
    let long =
        format!(r#"{{"type":"CUSTOM","name":"com.example.n","value":"{}"}}"#, "x".repeat(1000));
    for input in [run_of(&[&long]), sse(&[&long])] {
        let report = judge(&input, &["--max-frame-bytes", "500"]);
        assert_eq!((report.code, report.found()), (4, vec![]));
        let at = u64::try_from(input.find(&long).unwrap()).unwrap();
        let message = "a frame is longer than 500 bytes and was passed over (--max-frame-bytes)";
        assert_eq!(report.notes(), [(message, Some(at), true)]);
        assert_eq!(report.input()["events"], 3);
        assert_eq!(judge(&input, &[]).code, 0);
    }
}

#[test]
fn memory_does_not_grow_with_the_stream() {
    let mut live = Live::start(&["check", "-"]);
    live.write(format!("{STARTED}\n"));
    let content =
        format!(r#"{{"type":"CUSTOM","name":"com.example.n","value":"{}"}}"#, "x".repeat(1000));
    // CR LF is worth a note, and the lines are many.
    let block = format!("{content}\r\n").repeat(1000);
    for _ in 0..100 {
        live.write(&block);
    }
    live.write(format!("{BROKEN}\n"));
    live.line_with("error #0");
    let peak = live.peak();
    assert!(peak < 40, "{peak} MiB at its peak after 100 MB");
    let (code, rest, _) = live.end();
    assert_eq!(code, 1);
    assert!(
        rest.iter().any(|line| line.ends_with("99999 times more: A line ends in CR LF")),
        "{rest:?}"
    );
}

#[test]
fn an_address_space_of_its_own() {
    // What was measured above, enforced: the peak of a whole run on a file.
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("long.ndjson");
    let mut file = fs::File::create(&path).unwrap();
    writeln!(file, "{STARTED}").unwrap();
    file.write_all(b"{\"type\":\"RAW\",\"event\":\"").unwrap();
    for _ in 0..100 {
        file.write_all(&vec![b'x'; 1 << 20]).unwrap();
    }
    writeln!(file, "\"}}\n{FINISHED}").unwrap();
    drop(file);
    let mut shell = Command::new("sh");
    shell.args([
        "-c",
        "ulimit -v 600000 && exec \"$0\" check \"$1\"",
        env!("CARGO_BIN_EXE_agui-conform"),
    ]);
    shell.arg(&path).stdout(Stdio::piped()).stderr(Stdio::piped());
    let done = finish(shell, "");
    assert_eq!((done.code, done.err.as_str()), (4, ""));
    assert!(done.out.contains("incomplete (ndjson, 3 events, 1 run): 0 errors"), "{}", done.out);
}
