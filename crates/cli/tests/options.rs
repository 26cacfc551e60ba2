//! What the options of `check` change.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod support;

use serde_json::Value;
use support::{FINISHED, STARTED, command, files, finish, judge, run, run_of, sse};

const BROKEN: &str = r#"{"type":"STEP_FINISHED","stepName":"s"}"#;
/// A warning and nothing else.
const WARNED: &str = r#"{"type":"CUSTOM","name":"com.example.n","value":1,"value":2}"#;

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

#[test]
fn the_scope_says_how_far() {
    let stream = |input: &str| judge(input, &["--scope", "stream"]).code;
    let run = |input: &str| judge(input, &["--scope", "run"]).code;
    let one = run_of(&[""; 0]);
    let two = format!("{one}{}", one.replace(r#""r1""#, r#""r2""#));
    let bare = r#"{"type":"STEP_STARTED","stepName":"s"}"#;
    let chunk = r#"{"type":"TEXT_MESSAGE_CHUNK","delta":"a"}"#;
    for (input, in_stream, in_run) in [
        (one.as_str(), 0, 0),
        (&two, 0, 1),
        (bare, 1, 0),
        ("", 1, 0),
        (&run_of(&[chunk]), 1, 0),
        (&run_of(&[BROKEN]), 1, 1),
    ] {
        assert_eq!((stream(input), run(input)), (in_stream, in_run), "{input}");
    }
    let report = judge(&two, &["--scope", "run"]);
    assert_eq!(report.json["scope"], "run");
    assert_eq!(report.found()[0].0, "lifecycle/nothing-after-finish");
    assert_eq!(judge(&one, &[]).json["scope"], "stream");
}

#[test]
fn the_exit_code_is_as_strict_as_asked_for() {
    let (broken, warned, good) = (run_of(&[BROKEN]), run_of(&[WARNED]), run_of(&[""; 0]));
    for (input, option, code, verdict) in [
        (&broken, "error", 1, "fail"),
        (&broken, "warning", 1, "fail"),
        (&broken, "never", 0, "fail"),
        (&warned, "error", 0, "pass"),
        (&warned, "warning", 1, "fail"),
        (&warned, "never", 0, "pass"),
        (&good, "warning", 0, "pass"),
    ] {
        let report = judge(input, &["--fail-on", option]);
        assert_eq!((report.code, text(&report.json["verdict"])), (code, verdict), "{option}");
        assert_eq!(text(&report.input()["verdict"]), verdict);
    }
    // What cannot be read is no finding.
    assert_eq!(judge([0; 9], &["--fail-on", "never"]).code, 2);
}

fn levels(report: &support::Report) -> Vec<(&str, &str)> {
    let findings = report.findings().iter();
    findings.map(|finding| (text(&finding["requirement"]), text(&finding["level"]))).collect()
}

fn status<'a>(report: &'a support::Report, id: &str) -> &'a str {
    let requirements = report.json["requirements"].as_array().unwrap();
    text(&requirements.iter().find(|entry| entry["id"] == id).unwrap()["status"])
}

#[test]
fn what_is_allowed_is_shown_and_does_not_count() {
    let id = "step/finished-by-its-owner";
    let input = run_of(&[BROKEN]);
    for allow in [id, "step/*"] {
        let report = judge(&input, &["--allow", allow]);
        assert_eq!(report.code, 0, "{allow}");
        assert_eq!(levels(&report), [(id, "allowed")]);
        assert_eq!(status(&report, id), "allowed");
        assert_eq!(report.json["summary"]["errors"], 0);
        assert_eq!(report.input()["first_rejected"], Value::Null);
    }
    let other = judge(&input, &["--allow", "text/*", "--allow", "tool/open-before-args"]);
    assert_eq!((other.code, levels(&other)), (1, vec![(id, "error")]));
    let human = run(&["check", "-", "--allow", id], &input);
    assert!(human.out.starts_with("allowed #0 step/finished-by-its-owner (not-open)\n"));
    assert!(
        human.out.contains("-: pass (ndjson, 3 events, 1 run): 0 errors, 0 warnings, 1 allowed")
    );
}

#[test]
fn what_follows_from_something_allowed_does_not_count_either() {
    let open = r#"{"type":"STEP_STARTED","stepName":"s"}"#;
    let input = run_of(&[open]);
    let report = judge(&input, &["--allow", "lifecycle/closed-before-finish"]);
    assert_eq!(report.code, 0);
    assert_eq!(levels(&report)[0], ("lifecycle/closed-before-finish", "allowed"));
    assert_eq!(report.findings()[1]["consequence_of"], 0);
}

#[test]
fn what_is_denied_is_an_error() {
    let id = "shape/clean-json";
    let input = run_of(&[WARNED]);
    assert_eq!(levels(&judge(&input, &[])), [(id, "warning")]);
    for (arguments, level) in [
        (&["--deny", id][..], "error"),
        (&["--deny", "shape/*"], "error"),
        // What is named itself counts before its group, a denial before a permission.
        (&["--deny", "shape/*", "--allow", id], "allowed"),
        (&["--allow", "shape/*", "--deny", id], "error"),
        (&["--allow", id, "--deny", id], "error"),
        (&["--allow", "shape/*", "--deny", "shape/*"], "error"),
        (&["--deny", "text/*"], "warning"),
    ] {
        let report = judge(&input, arguments);
        assert_eq!(levels(&report), [(id, level)], "{arguments:?}");
        assert_eq!(report.code, i32::from(level == "error"), "{arguments:?}");
    }
}

#[test]
fn counts_do_not_depend_on_what_is_shown() {
    let broken = run_of(&vec![BROKEN; 1500]);
    let windows = sse(&[BROKEN, WARNED]).replace('\n', "\r\n");
    let open = r#"{"type":"STEP_STARTED","stepName":"s"}"#;
    let followed = run_of(&[open, BROKEN, BROKEN, WARNED]);
    for input in [&broken, &windows, &followed] {
        let all = judge(input, &["--max-findings", "100000"]);
        let total = all.findings().len();
        for limit in [0, 1, 2, total - 1, total, total + 1] {
            let report = judge(input, &["--max-findings", &limit.to_string()]);
            let shown = limit.min(total);
            assert_eq!(report.findings(), &all.findings()[..shown], "{limit}");
            assert_eq!(report.input()["dropped"], total - shown, "{limit}");
            assert_eq!(report.code, 1, "{limit}");
            for pointer in ["/summary", "/requirements", "/features", "/inputs/0/first_rejected"] {
                assert_eq!(report.json.pointer(pointer), all.json.pointer(pointer), "{limit}");
            }
            let note = format!(
                "{} more findings are counted and not shown (--max-findings)",
                total - shown
            );
            let noted = report.notes().contains(&(note.as_str(), None, false));
            assert_eq!(noted, shown < total, "{limit}: {:?}", report.notes());
        }
    }
    let by_default = judge(&broken, &[]);
    assert_eq!(by_default.findings().len(), 1000);
    assert_eq!(by_default.input()["dropped"], 500);
    assert_eq!(by_default.json["summary"]["errors"], 1500);
    let human = run(&["check", "-", "--max-findings", "0"], &broken);
    assert!(human.out.contains("): 1500 errors, 0 warnings\n"), "{}", human.out);
    assert!(!human.out.contains("error #"), "{}", human.out);
}

#[test]
fn quiet_leaves_findings_and_verdicts() {
    let input = run_of(&[BROKEN]);
    let loud = run(&["check", "-"], &input).out;
    let quiet = run(&["check", "-", "--quiet"], &input).out;
    let left: String =
        loud.split_inclusive('\n').filter(|line| !line.starts_with("requirements: ")).collect();
    assert_eq!(quiet, left);
    assert_ne!(quiet, loud);
    assert!(quiet.contains("error #0") && quiet.contains("\n-: fail"), "{quiet}");
}

#[test]
fn colours() {
    let input = run_of(&[BROKEN, WARNED]);
    let out = |arguments: &[&str], no_color: bool| {
        let all: Vec<&str> = ["check", "-"].iter().chain(arguments).copied().collect();
        let mut command = command(&all);
        if no_color {
            command.env("NO_COLOR", "1");
        }
        finish(command, &input).out
    };
    let never = out(&["--color", "never"], false);
    let always = out(&["--color", "always"], false);
    assert!(!never.contains('\u{1b}'), "{never}");
    assert!(always.starts_with("\u{1b}[1;31merror\u{1b}[0m #0 "), "{always}");
    // Colours change nothing else.
    let codes = ["0", "1", "2", "1;31", "1;32", "1;33"].map(|code| format!("\u{1b}[{code}m"));
    let plain = codes.iter().fold(always.clone(), |text, code| text.replace(code.as_str(), ""));
    assert_eq!(plain, never);
    // Into a pipe there are none, and who asks for them gets them in any case.
    assert_eq!(out(&[], false), never);
    assert_eq!(out(&["--color", "always"], true), always);
    assert_eq!(
        out(&["--color", "always", "--format", "json"], false),
        out(&["--format", "json"], false)
    );
}

/// At a terminal, which `script` makes where there is one.
#[cfg(target_os = "linux")]
#[test]
fn colours_at_a_terminal() {
    use std::process::{Command, Stdio};
    let directory = files(&[("a.ndjson", run_of(&[BROKEN]))]);
    let out = |arguments: &str, name: &str, value: &str| {
        let line = format!("{} check a.ndjson {arguments}", env!("CARGO_BIN_EXE_agui-conform"));
        let mut script = Command::new("script");
        script.args(["-q", "-e", "-c", &line, "/dev/null"]).current_dir(directory.path());
        script.env_remove("NO_COLOR").env("TERM", "xterm").env(name, value);
        let output = script.stdin(Stdio::null()).output().ok()?;
        Some(String::from_utf8(output.stdout).unwrap())
    };
    let Some(auto) = out("", "TERM", "xterm") else {
        eprintln!("not tested without `script`");
        return;
    };
    assert!(auto.contains("\u{1b}[1;31merror"), "{auto}");
    for (arguments, name, value) in
        [("", "NO_COLOR", "1"), ("", "TERM", "dumb"), ("--color never", "TERM", "xterm")]
    {
        let plain = out(arguments, name, value).unwrap();
        assert!(plain.contains("error #0") && !plain.contains('\u{1b}'), "{plain}");
    }
    let forced = out("--color always", "NO_COLOR", "1").unwrap();
    assert!(forced.contains("\u{1b}[1;31merror"), "{forced}");
}

#[test]
fn the_version_of_the_specification() {
    let declaring = |version: &str| {
        let started = STARTED.replace("1.1", version);
        format!("{started}\n{FINISHED}\n")
    };
    for (input, option, expected) in [
        (declaring("1.0"), "auto", "1.0"),
        (declaring("1.1"), "auto", "1.1"),
        (declaring("0.9"), "auto", "1.1"),
        (declaring("1.0") + &declaring("1.1"), "auto", "1.0"),
        (run_of(&[""; 0]).replace("protocolVersion", "v"), "auto", "1.1"),
        (declaring("1.1"), "1.0", "1.0"),
        (declaring("1.0"), "1.1", "1.1"),
        (String::new(), "1.0", "1.0"),
    ] {
        let report = judge(&input, &["--spec", option]);
        assert_eq!(text(&report.json["spec"]), expected, "{input} {option}");
    }
    let directory = files(&[("a", declaring("1.0")), ("b", declaring("1.1"))]);
    let mut command = command(&["check", "a", "b", "--format", "json"]);
    command.current_dir(directory.path());
    // Where streams differ, the newest knows most.
    assert_eq!(finish(command, "").json()["spec"], "1.1");
}

#[test]
fn the_request_is_known_to_the_verifier() {
    let result = r#"{"type":"TOOL_CALL_RESULT","messageId":"m2","toolCallId":"c1","content":""}"#;
    let call = r#"[{"id":"c1","type":"function","function":{"name":"f","arguments":""}}]"#;
    let messages = |calls: &str| {
        format!(
            r#"{{"threadId":"t1","runId":"r1","messages":[{{"id":"m1","role":"assistant","toolCalls":{calls}}}]}}"#
        )
    };
    let directory = files(&[
        ("with.json", messages(call)),
        ("without.json", messages("[]")),
        ("broken.json", "{\"messages\":".to_owned()),
        ("list.json", "[]".to_owned()),
        ("empty.json", String::new()),
        ("a.ndjson", run_of(&[result])),
    ]);
    let with = |request: &str| {
        let mut command = command(&["check", "a.ndjson", "--format", "json", "--request", request]);
        command.current_dir(directory.path());
        finish(command, "")
    };
    let known = with("with.json");
    assert_eq!((known.code, &known.json()["summary"]["warnings"]), (0, &0.into()));
    let unknown = with("without.json");
    assert_eq!(unknown.code, 1);
    let finding = &unknown.json()["inputs"][0]["findings"][0];
    assert_eq!(finding["requirement"], "tool/result-of-known-call");
    for (name, message) in [
        ("broken.json", "broken.json: the JSON text ends where a value was expected (byte 12)"),
        ("list.json", "list.json: a run input is a JSON object, this is an array"),
        ("empty.json", "empty.json: the JSON text ends where a value was expected (byte 0)"),
        ("none.json", "none.json: No such file or directory (os error 2)"),
    ] {
        let done = with(name);
        assert_eq!((done.code, done.out.as_str()), (2, ""));
        assert_eq!(done.err, format!("agui-conform: {message}\n"));
    }
}

#[test]
fn the_head_of_the_response_is_judged() {
    let id = "http/ok-event-stream";
    let good = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
    let bad = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n";
    let directory = files(&[
        ("good.txt", good.to_owned()),
        // As `curl -D FILE` writes them where it followed a redirect.
        ("redirected.txt", format!("HTTP/1.1 302 Found\r\nLocation: /run\r\n\r\n{good}")),
        ("bad.txt", bad.to_owned()),
        ("bare.txt", "content-type: text/event-stream\n".to_owned()),
        ("empty.txt", "\r\n".to_owned()),
        ("run.sse", sse(&[])),
        ("good.sse", format!("{good}{}", sse(&[]))),
        ("bad.sse", format!("{bad}{}", sse(&[]))),
        ("none.sse", good.to_owned()),
    ]);
    let with = |stream: &str, headers: Option<&str>| {
        let mut command = command(&["check", stream, "--format", "json"]);
        command.current_dir(directory.path());
        if let Some(headers) = headers {
            command.args(["--headers", headers]);
        }
        finish(command, "")
    };
    for (stream, headers, expected) in [
        ("run.sse", None, "not-judged"),
        ("run.sse", Some("good.txt"), "pass"),
        ("run.sse", Some("redirected.txt"), "pass"),
        ("run.sse", Some("bare.txt"), "pass"),
        ("run.sse", Some("bad.txt"), "fail"),
        ("good.sse", None, "pass"),
        ("bad.sse", None, "fail"),
        // What is given counts before what is in the capture.
        ("good.sse", Some("bad.txt"), "fail"),
        ("bad.sse", Some("good.txt"), "pass"),
        ("none.sse", None, "not-exercised"),
    ] {
        let done = with(stream, headers);
        let report = support::Report { code: done.code, json: done.json(), err: done.err };
        assert_eq!(status(&report, id), expected, "{stream} {headers:?}");
        if expected != "fail" {
            continue;
        }
        assert_eq!(report.code, 1);
        let finding = &report.findings()[0];
        assert_eq!((&finding["requirement"], &finding["event"]), (&id.into(), &Value::Null));
        // It has a place where it is in the capture.
        let place = if headers.is_none() { (1.into(), 0.into()) } else { Default::default() };
        assert_eq!((&finding["line"], &finding["byte"]), (&place.0, &place.1));
        assert_eq!(
            text(&finding["message"]),
            "Content-Type is \"application/json\", not text/event-stream"
        );
    }
    for (name, message) in [
        ("empty.txt", "empty.txt: there are no headers in it"),
        ("none.txt", "none.txt: No such file or directory (os error 2)"),
    ] {
        let done = with("run.sse", Some(name));
        assert_eq!((done.code, done.out.as_str()), (2, ""));
        assert_eq!(done.err, format!("agui-conform: {message}\n"));
    }
}

#[test]
fn several_inputs_are_judged_each_for_itself() {
    let directory = files(&[("good.sse", sse(&[])), ("bad.sse", sse(&[BROKEN]))]);
    let mut command = command(&["check", "good.sse", "bad.sse", "-", "--format", "json"]);
    command.current_dir(directory.path());
    let done = finish(command, run_of(&[WARNED]));
    let report = done.json();
    let inputs = report["inputs"].as_array().unwrap();
    let of = |name: &str| inputs.iter().map(|input| input[name].clone()).collect::<Vec<_>>();
    assert_eq!(of("name"), ["good.sse", "bad.sse", "-"]);
    assert_eq!(of("verdict"), ["pass", "fail", "pass"]);
    assert_eq!(done.code, 1);
    assert_eq!(
        report["summary"],
        serde_json::json!({"errors": 1, "warnings": 1, "run": 3, "passed": 2, "failed": 1,
            "unsupported": 0, "not_judged": 0})
    );
    assert_eq!(report["features"]["runs"], 3);
}

#[test]
fn a_name_in_a_pointer_steers_no_terminal() {
    let event = r#"{"type":"RAW","event":1,"\u001b[2J\u202e":1}"#;
    let input = run_of(&[event]);
    let said = support::run(&["check", "-"], input).out;
    assert!(said.contains("shape/known-fields"), "{said}");
    assert!(!said.contains(['\u{1b}', '\u{202e}']), "{said:?}");
}
