//! Files that are not there or no streams, directories, outputs that fail, wrong usage.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod support;

use std::fs;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;
use support::{Done, FINISHED, STARTED, command, files, finish, run, run_of, sse};

/// Runs it in a directory.
fn run_in(directory: &Path, arguments: &[&str]) -> Done {
    let mut command = command(arguments);
    command.current_dir(directory);
    finish(command, "")
}

fn names(report: &Value) -> Vec<&str> {
    let inputs = report["inputs"].as_array().unwrap().iter();
    inputs.map(|input| input["name"].as_str().unwrap()).collect()
}

#[test]
fn a_file_that_is_not_there() {
    let directory = files(&[("good.ndjson", run_of(&[""; 0]))]);
    let done = run_in(directory.path(), &["check", "none.sse", "good.ndjson"]);
    assert_eq!((done.code, done.err.as_str()), (2, ""));
    let first = done.out.lines().next().unwrap();
    assert!(first.starts_with("none.sse: not read: it cannot be read: No such file"), "{first}");
    // The others are judged all the same.
    assert!(done.out.contains("good.ndjson: pass"), "{}", done.out);
    let done = run_in(directory.path(), &["check", "none.sse", "good.ndjson", "--format", "json"]);
    let report = done.json();
    assert_eq!((done.code, names(&report)), (2, vec!["none.sse", "good.ndjson"]));
    assert_eq!(report["verdict"], "incomplete");
    assert_eq!(report["summary"]["unsupported"], 1);
    assert_eq!(report["summary"]["passed"], 1);
    assert_eq!(report["inputs"][0]["verdict"], "incomplete");
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_cannot_be_read() {
    use std::os::unix::fs::PermissionsExt as _;
    // It can be opened, and reading it fails.
    let done = run(&["check", "/proc/self/mem"], "");
    assert_eq!(done.code, 2);
    assert!(done.out.contains("/proc/self/mem: not read: it cannot be read: "), "{done:?}");

    let directory = files(&[("shut.ndjson", run_of(&[""; 0]))]);
    let path = directory.path().join("shut.ndjson");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&path).is_ok() {
        eprintln!("not tested as a user who may read everything");
        return;
    }
    let done = run_in(directory.path(), &["check", "shut.ndjson"]);
    assert_eq!(done.code, 2);
    assert!(done.out.contains("shut.ndjson: not read: it cannot be read: Permission"), "{done:?}");
}

#[test]
fn a_directory_without_streams() {
    let directory = files(&[("notes/readme.txt", "nothing")]);
    fs::create_dir(directory.path().join("empty")).unwrap();
    for name in ["notes", "empty"] {
        let done = run_in(directory.path(), &["check", name]);
        let message =
            format!("agui-conform: {name}: no .sse, .ndjson, .jsonl or .json file in it\n");
        assert_eq!((done.code, done.err, done.out.as_str()), (2, message, ""));
    }
}

#[test]
fn a_directory_is_judged_with_all_below_it() {
    let step = r#"{"type":"STEP_FINISHED","stepName":"s"}"#;
    let result = r#"{"type":"TOOL_CALL_RESULT","messageId":"m2","toolCallId":"c1","content":""}"#;
    // The call is known from the request alone, and unknown without it.
    let request = r#"{"threadId":"t1","runId":"r1","messages":[{"id":"m1","role":"assistant",
        "toolCalls":[{"id":"c1","type":"function","function":{"name":"f","arguments":""}}]}]}"#;
    let directory = files(&[
        ("d/b.sse", sse(&[step])),
        ("d/a/z.jsonl", run_of(&[""; 0])),
        ("d/a/answer.ndjson", run_of(&[result])),
        ("d/a/answer.input.json", request.to_owned()),
        ("d/a/other.json", format!("[{STARTED},{FINISHED}]")),
        ("d/a/alone.input.json", request.replace('\n', "")),
        ("d/a/request.json", request.to_owned()),
        ("d/case.json", "{\n\"schema\": \"agui-conform.case.v1\"\n}".to_owned()),
        ("d/case-in-a-line.json", "{\"schema\":\"agui-conform.case.v1\"}".to_owned()),
        ("d/capture.json", "{\"log\":{\"entries\":[]}}".to_owned()),
        ("d/notes.md", "nothing".to_owned()),
    ]);
    let done = run_in(directory.path(), &["check", "d", "--format", "json"]);
    let report = done.json();
    assert_eq!(names(&report), ["d/a/answer.ndjson", "d/a/other.json", "d/a/z.jsonl", "d/b.sse"]);
    let verdicts: Vec<_> =
        report["inputs"].as_array().unwrap().iter().map(|i| &i["verdict"]).collect();
    assert_eq!(verdicts, ["pass", "pass", "pass", "fail"]);
    assert_eq!(done.code, 1);
    assert_eq!(
        done.err.lines().collect::<Vec<_>>(),
        [
            ("d/a/alone.input.json", "a run input"),
            ("d/a/request.json", "a run input"),
            ("d/capture.json", "a HAR file"),
            ("d/case-in-a-line.json", "a document of kind \"agui-conform.case.v1\""),
            ("d/case.json", "a document of kind \"agui-conform.case.v1\""),
        ]
        .map(|(name, what)| format!(
            "agui-conform: {name} is passed over: this is {what}, not a recorded stream"
        ))
    );
    // Without the request beside it the call is unknown; that may be the request's fault.
    fs::remove_file(directory.path().join("d/a/answer.input.json")).unwrap();
    let done = run_in(directory.path(), &["check", "d/a/answer.ndjson", "--format", "json"]);
    let report = done.json();
    assert_eq!(report["inputs"][0]["findings"][0]["requirement"], "tool/result-of-known-call");
}

#[test]
fn a_request_beside_a_stream_that_is_none() {
    let directory = files(&[("d/a.sse", sse(&[])), ("d/a.input.json", "[]".to_owned())]);
    let done = run_in(directory.path(), &["check", "d"]);
    assert_eq!(done.code, 0);
    let message =
        "d/a.input.json: a run input is a JSON object, this is an array; judged without it";
    assert_eq!(done.err, format!("agui-conform: {message}\n"));
    let done = run_in(directory.path(), &["check", "d/a.sse", "--request", "d/a.input.json"]);
    assert_eq!((done.code, done.out.as_str()), (2, ""));
}

#[test]
fn a_directory_of_other_documents_has_not_passed() {
    let directory = files(&[("d/case.json", r#"{"schema":"agui-conform.case.v1"}"#)]);
    let done = run_in(directory.path(), &["check", "d", "--format", "json"]);
    let report = done.json();
    assert_eq!((done.code, &report["verdict"]), (4, &Value::from("incomplete")));
    // Named itself, it is an input that cannot be read.
    let done = run_in(directory.path(), &["check", "d/case.json"]);
    assert_eq!((done.code, done.err.as_str()), (2, ""));
    assert!(done.out.starts_with("d/case.json: not read: this is a document of kind"), "{done:?}");
}

#[cfg(unix)]
#[test]
fn links_in_a_directory() {
    let directory = files(&[("d/a.sse", sse(&[])), ("e/b.sse", sse(&[]))]);
    let link = |to: &str, name: &str| {
        std::os::unix::fs::symlink(directory.path().join(to), directory.path().join(name)).unwrap();
    };
    // A circle, a way out, a file elsewhere, and nowhere.
    link("d", "d/self");
    link("e", "d/out");
    link("e/b.sse", "d/linked.sse");
    link("nowhere", "d/lost.sse");
    let done = run_in(directory.path(), &["check", "d", "--format", "json"]);
    let report = done.json();
    assert_eq!(names(&report), ["d/a.sse", "d/linked.sse", "d/lost.sse"]);
    assert_eq!(done.code, 2);
}

#[cfg(unix)]
#[test]
fn names_of_files_do_not_steer_the_terminal() {
    let nasty = "a\u{1b}[2J\nb\u{202e}";
    let directory = files(&[
        (format!("d/{nasty}.sse"), sse(&[r#"{"type":"STEP_FINISHED","stepName":"s"}"#])),
        (format!("d/{nasty}.json"), r#"{"schema":"agui-conform.case.v1"}"#.to_owned()),
        (format!("d/{nasty}.input.json"), "[]".to_owned()),
        (format!("e/{nasty}.txt"), String::new()),
    ]);
    let none = format!("d/{nasty}.none");
    let empty = format!("e/{nasty}.txt");
    fs::create_dir(directory.path().join(format!("e/{nasty}"))).unwrap();
    for arguments in [
        &["check", "d"][..],
        &["check", &none, &empty],
        &["check", &format!("e/{nasty}")],
        &["check", "d", "--request", &none],
        &["check", "d", "--allow", nasty],
        &["check", "d", "--output", &format!("{none}/x")],
        &["explain", nasty],
    ] {
        let done = run_in(directory.path(), arguments);
        for c in done.out.chars().chain(done.err.chars()).filter(|c| *c != '\n') {
            assert!(!c.is_control() && c != '\u{202e}', "{arguments:?}: {done:?}");
        }
        assert!(!(done.out + &done.err).contains("[2J\nb"), "{arguments:?}");
    }
}

#[test]
fn wrong_usage() {
    let directory = files(&[("a.sse", sse(&[])), ("broken.json", "{".to_owned())]);
    for (arguments, message) in [
        (&[][..], "Usage: agui-conform <COMMAND>"),
        (&["judge"], "unrecognized subcommand 'judge'"),
        (&["check"], "<FILE>..."),
        (&["check", "a.sse", "--color", "pink"], "[possible values: auto, always, never]"),
        (
            &["check", "a.sse", "--format", "xml"],
            "[possible values: human, json, jsonl, junit, sarif, tap, github, markdown, html]",
        ),
        (&["check", "a.sse", "--scope", "all"], "[possible values: stream, run]"),
        (&["check", "a.sse", "--spec", "0.9"], "[possible values: auto, 1.0, 1.1]"),
        (&["check", "a.sse", "--fail-on", "note"], "[possible values: error, warning, never]"),
        (&["check", "a.sse", "--max-findings", "-1"], "unexpected argument '-1'"),
        (&["check", "a.sse", "--max-findings=many"], "invalid digit found in string"),
        (&["check", "a.sse", "--frobnicate"], "unexpected argument '--frobnicate'"),
        (
            &["check", "a.sse", "--allow", "tool/open-before-arg"],
            "agui-conform: no requirement is named \"tool/open-before-arg\"; the nearest is tool/open-before-args\n",
        ),
        (&["check", "a.sse", "--deny", "tools/*"], "no requirement is named \"tools/*\""),
        (&["check", "a.sse", "--request", "none.json"], "agui-conform: none.json: No such file"),
        (&["check", "a.sse", "--request", "broken.json"], "agui-conform: broken.json: "),
        (
            &["explain", "not-opened"],
            "agui-conform: no rule or requirement is named \"not-opened\"",
        ),
        (&["subject"], "<ROLE>"),
        (&["subject", "emitter"], "[possible values: verifier, run-log]"),
        (&["test-subject", "emitter", "--", "x"], "[possible values: run-log]"),
        (&["run-log", "a.csv", "--format", "tap"], "[possible values: human, json, junit, sarif]"),
    ] {
        let done = run_in(directory.path(), arguments);
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{arguments:?}");
        assert!(done.err.contains(message), "{arguments:?}: {}", done.err);
    }
}

#[test]
fn an_output_that_cannot_be_written() {
    let directory = files(&[("a.sse", sse(&[]))]);
    let done = run_in(directory.path(), &["check", "a.sse", "--output", "none/report.json"]);
    assert_eq!((done.code, done.out.as_str()), (2, ""));
    assert!(done.err.starts_with("agui-conform: none/report.json: "), "{}", done.err);
    let done = run_in(directory.path(), &["check", "a.sse", "--output", "."]);
    assert_eq!((done.code, done.out.as_str()), (2, ""));
}

#[test]
fn an_output_file_gets_what_standard_output_would() {
    let directory = files(&[("a.sse", sse(&[r#"{"type":"STEP_FINISHED","stepName":"s"}"#]))]);
    for format in ["human", "json"] {
        let arguments = ["check", "a.sse", "--format", format];
        let shown = run_in(directory.path(), &arguments);
        let written = run_in(directory.path(), &[&arguments[..], &["--output", "report"]].concat());
        assert_eq!((shown.code, written.code, written.out.as_str()), (1, 1, ""));
        assert_eq!(fs::read_to_string(directory.path().join("report")).unwrap(), shown.out);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk() {
    let directory = files(&[
        ("good.sse", sse(&[])),
        ("bad.sse", sse(&[r#"{"type":"STEP_FINISHED","stepName":"s"}"#])),
    ]);
    let full = || Stdio::from(fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
    let hello = "{\"hello\":{\"protocol\":\"agui-conform.subject.v1\",\"role\":\"verifier\"}}\n";
    for (arguments, message) in [
        (&["check", "good.sse"][..], "the report cannot be written"),
        (&["check", "bad.sse"], "the report cannot be written"),
        (&["check", "bad.sse", "--format", "json"], "the report cannot be written"),
        (&["check", "bad.sse", "--format", "jsonl"], "the report cannot be written"),
        (&["check", "good.sse", "--output", "/dev/full"], "the report cannot be written"),
        (&["explain"], "the text cannot be written"),
        (&["subject", "verifier"], "the harness cannot be heard or answered"),
    ] {
        let mut command = command(arguments);
        command.current_dir(directory.path()).stdout(full());
        let done = finish(command, hello);
        assert_eq!(done.code, 2, "{arguments:?}");
        assert_eq!(
            done.err,
            format!("agui-conform: {message}: No space left on device (os error 28)\n")
        );
    }
}
