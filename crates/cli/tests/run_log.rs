//! `agui-conform run-log` as users run it, and the cases of `corpus/run-log`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use conform_run_log::call::Call;
use conform_run_log::{ErrorCode, ReasonCode, model};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use support::{Done, FINISHED, STARTED, command, files, finish, repository, run};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    schema: String,
    name: String,
    about: String,
    source: Option<String>,
    call: Box<RawValue>,
    expect: Expect,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
enum Expect {
    Report(Value),
    Error { code: String, field_name: String },
}

fn cases() -> Vec<(PathBuf, Case)> {
    let root = repository("corpus/run-log");
    let mut paths: Vec<PathBuf> = fs::read_dir(root)
        .unwrap()
        .flat_map(|group| fs::read_dir(group.unwrap().path()).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        let case: Case = serde_json::from_str(&text)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(case.schema, "agui-conform.run-log-case.v1");
        assert_eq!(case.name, path.file_stem().unwrap().to_str().unwrap());
        assert!(!case.about.is_empty() && case.source.is_none());
        (path, case)
    };
    paths.into_iter().map(read).collect()
}

fn settings() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../snapshots/run-log");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
}

/// What the command says of standard input, for a person to read in one piece.
fn told(done: &Done) -> String {
    format!("{}{}exit {}\n", done.out, done.err, done.code)
}

/// What each case says, the model and the command say, too; what a person is told is pinned.
#[test]
fn cases_of_the_corpus() {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for (path, case) in cases() {
        let model = model::judge(&Call::from_json(case.call.get()).unwrap());
        let done = run(&["run-log", "-", "--format", "json"], case.call.get());
        let human = run(&["run-log", "-"], case.call.get());
        match &case.expect {
            Expect::Report(report) => {
                assert_eq!(model.as_ref(), Ok(&done.out), "{path:?}");
                assert_eq!(&done.json(), report, "{path:?}");
                let findings = report["findings"].as_array().unwrap();
                seen.extend(findings.iter().map(|f| f["reason_code"].as_str().unwrap().to_owned()));
                assert_eq!(done.code, i32::from(!findings.is_empty()), "{path:?}");
            }
            Expect::Error { code, field_name } => {
                assert_eq!(model, Err((code.as_str(), field_name.as_str())), "{path:?}");
                let error = &done.json()["error"];
                assert_eq!(
                    (&error["code"], &error["field_name"]),
                    (&Value::from(code.as_str()), &Value::from(field_name.as_str())),
                    "{path:?}"
                );
                assert_eq!(done.code, 2, "{path:?}");
                assert!(human.err.contains(&format!("{field_name}: {code}")), "{human:?}");
                seen.insert(code.clone());
            }
        }
        assert_eq!(human.code, done.code, "{path:?}");
        if human.out.len() < 5_000 {
            settings().bind(|| insta::assert_snapshot!(case.name.as_str(), told(&human)));
        }
    }
    for code in ReasonCode::ALL.map(ReasonCode::as_str) {
        assert!(seen.contains(code), "no case has {code}");
    }
    let of_calls = ErrorCode::ALL.into_iter().filter(|code| {
        // Those of reports; and too many events, which is no small case.
        !matches!(
            code,
            ErrorCode::UnknownReasonCode
                | ErrorCode::InvalidSchemaVersion
                | ErrorCode::TooManyEvents
        )
    });
    for code in of_calls {
        assert!(seen.contains(code.as_str()), "no case has {}", code.as_str());
    }
}

const ROWS: &str = "run_id,event_id,sequence_number\nr1,e0,0\nr1,e1,2\n";

/// The limit, as users meet it: no file is too long to be refused at once.
#[test]
fn too_many() {
    let line = "{\"run_id\":\"r1\",\"event_id\":\"e\",\"sequence_number\":1}\n";
    let done = run(&["run-log", "-", "--run-id", "r1"], line.repeat(100_001));
    settings().bind(|| insta::assert_snapshot!("too-many-events", told(&done)));
    let empty = run(&["run-log", "-", "--run-id", "r1"], "");
    settings().bind(|| insta::assert_snapshot!("empty-file", told(&empty)));
}

#[test]
fn formats() {
    let directory = files(&[("a log.csv", ROWS)]);
    let file = directory.path().join("a log.csv");
    for format in ["human", "json", "junit", "sarif"] {
        for (name, more) in [
            ("fails", &["--run-id", "r1"][..]),
            ("passes", &["--run-id", "r1", "--expected-start", "0", "--allow-empty"]),
            ("refused", &["--run-id", "r 1"]),
        ] {
            let text = if name == "passes" { ROWS.replace(",2", ",1") } else { ROWS.to_owned() };
            fs::write(&file, text).unwrap();
            let arguments = ["run-log", "a log.csv", "--format", format];
            let mut command = command(&[&arguments[..], more].concat());
            command.current_dir(directory.path());
            let done = finish(command, "");
            let version = env!("CARGO_PKG_VERSION");
            let told = told(&done).replace(version, "VERSION");
            settings().bind(|| insta::assert_snapshot!(format!("{format}-{name}"), told));
        }
    }
}

/// XML and JSON stay what they are whatever the file is called.
#[test]
fn hostile_names() {
    let name = "]]>&\"<\u{1}\u{202e}\u{1f980}.csv";
    let directory = files(&[(name, ROWS)]);
    for format in ["junit", "sarif", "human"] {
        let mut command = command(&["run-log", name, "--format", format, "--run-id", "r1"]);
        command.current_dir(directory.path());
        let done = finish(command, "");
        assert_eq!(done.code, 1, "{done:?}");
        assert!(!done.out.contains(['\u{1}', '\u{202e}']), "{}", done.out);
        match format {
            "junit" => {
                let mut reader = quick_xml::Reader::from_str(&done.out);
                loop {
                    match reader.read_event().unwrap() {
                        quick_xml::events::Event::Eof => break,
                        quick_xml::events::Event::Start(tag)
                        | quick_xml::events::Event::Empty(tag) => {
                            for attribute in tag.attributes() {
                                attribute.unwrap().unescape_value().unwrap();
                            }
                        }
                        _ => {}
                    }
                }
            }
            "sarif" => assert_eq!(done.json()["version"], "2.1.0"),
            _ => {}
        }
    }
}

#[test]
fn what_cannot_be_read_or_written() {
    let directory = files(&[("bin.json", &b"\x00\xff\xfe"[..]), ("half.json", b"{\"run_id\":")]);
    let at = |name: &str| directory.path().join(name).display().to_string();
    for (arguments, said) in [
        (vec!["run-log".to_owned(), at("none.json")], "No such file"),
        (vec!["run-log".to_owned(), directory.path().display().to_string()], "Is a directory"),
        (vec!["run-log".to_owned(), at("bin.json")], "the CSV has no column `run_id`"),
        (vec!["run-log".to_owned(), at("half.json")], "the JSON ends too early (line 1)"),
        (
            vec!["run-log".into(), at("half.json"), "--output".into(), at("no/such/place")],
            "No such file",
        ),
        (vec!["run-log".to_owned()], "required"),
        (
            vec!["run-log".into(), at("half.json"), "--from-stream".into(), at("x")],
            "cannot be used",
        ),
    ] {
        let done = run(&[&arguments[..], &["--run-id".to_owned(), "r".to_owned()]].concat(), "");
        assert_eq!(done.code, 2, "{arguments:?}: {done:?}");
        assert!(done.err.contains(said), "{arguments:?}: {done:?}");
    }
    let done = run(&["run-log", "-", "--run-id", "r1", "--output", "/dev/full"], ROWS);
    assert_eq!(done.code, 2, "{done:?}");
    assert!(done.err.contains("the report cannot be written"), "{done:?}");
}

fn stream(numbers: &[&str]) -> String {
    let events = [
        STARTED.to_owned(),
        r#"{"type":"STEP_STARTED","stepName":"s"}"#.to_owned(),
        r#"{"type":"STEP_FINISHED","stepName":"s"}"#.to_owned(),
        FINISHED.to_owned(),
    ];
    let lines = events.iter().zip(numbers).enumerate().map(|(at, (event, number))| {
        let raw = format!(r#","rawEvent":{{"seq":{number},"id":"e{at}"}}}}"#);
        format!("data: {}\n\n", event.trim_end_matches('}').to_owned() + &raw)
    });
    lines.collect()
}

fn of_stream(text: &str, more: &[&str]) -> Done {
    let pointers = ["--sequence-pointer", "/rawEvent/seq", "--event-id-pointer", "/rawEvent/id"];
    run(&[&["run-log", "--from-stream", "-"], &pointers[..], more].concat(), text)
}

#[test]
fn a_stream_is_judged_for_both_contracts() {
    let good = of_stream(&stream(&["0", "1", "2", "3"]), &["--terminal", "3"]);
    assert_eq!(good.code, 0, "{good:?}");
    assert!(good.out.contains("run log: pass (run r1, 4 references)"), "{good:?}");
    // The log is wrong, the stream is right.
    let gap = of_stream(&stream(&["0", "1", "3", "4"]), &["--format", "json"]);
    assert_eq!(gap.code, 1, "{gap:?}");
    assert_eq!(gap.json()["check"]["verdict"], "pass");
    assert_eq!(gap.json()["run_log"]["findings"][0]["reason_code"], "sequence_gap");
    // The stream is wrong, the log is right.
    let open = stream(&["0", "1", "2", "3"]).replace("STEP_FINISHED", "STEP_STARTED");
    let open = of_stream(&open, &[]);
    assert_eq!(open.code, 1, "{open:?}");
    assert!(open.out.contains("step/not-already-open"), "{open:?}");
    assert!(open.out.contains("run log: pass"), "{open:?}");
    // Formats for CI carry both.
    let both = stream(&["0", "2", "3", "4"]).replace("STEP_FINISHED", "STEP_STARTED");
    for format in ["junit", "sarif"] {
        let done = of_stream(&both, &["--format", format]);
        assert!(done.out.contains("step/not-already-open"), "{done:?}");
        assert!(done.out.contains("number 1: "), "{done:?}");
    }
    // An event without a number is no reference.
    let none = of_stream(&stream(&["0", "1.0", "2", "3"]), &[]);
    assert_eq!(none.code, 2, "{none:?}");
    let said = "sequence_number: invalid_sequence_number (reference 1, line 3)";
    assert!(none.err.contains(said), "{none:?}");
    let other = of_stream(&stream(&["0", "1", "2", "3"]), &["--run-id", "r2"]);
    assert!(other.out.contains("cross_run_reference"), "{other:?}");
    let path = run(
        &["run-log", "--from-stream", "-", "--sequence-pointer", "seq", "--event-id-pointer", "/x"],
        "",
    );
    assert_eq!(path.code, 2);
    assert!(path.err.contains(r#""seq" is no JSON pointer, it begins with `/`"#), "{path:?}");
}

#[test]
fn our_own_as_subjects() {
    let lines = concat!(
        r#"{"hello":{"protocol":"agui-conform.subject.v1","role":"run-log"}}"#,
        "\n",
        r#"{"id":"a","call":{"run_id":"r","references":[]}}"#,
        "\n",
        r#"{"id":[2],"call":{"run_id":"r","references":7}}"#,
        "\n",
        "{\"id\":3}\n",
        "7\n",
        r#"{"hello":{"protocol":"agui-conform.subject.v1","role":"verifier"}}"#,
        "\n",
    );
    let validator = run(&["subject", "run-log"], lines);
    let model = run(&["subject", "run-log", "--model"], lines);
    assert_eq!(validator.out.replace("agui-conform\"", "agui-conform model\""), model.out);
    let version = env!("CARGO_PKG_VERSION");
    settings().bind(|| {
        insta::assert_snapshot!("subject", validator.out.replace(version, "VERSION"));
    });
}
