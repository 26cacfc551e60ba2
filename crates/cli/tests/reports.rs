//! Whole reports, explanations and help texts, as a person or a machine gets them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod support;

use std::fmt::Write;
use std::fs;
use std::sync::LazyLock;

use conform_check::Rule;
use conform_check::registry::{self, Example, Requirement};
use insta::{Settings, assert_snapshot};
use serde_json::{Value, json};
use support::{Done, command, files, finish, repository, run, run_of};
use tempfile::TempDir;

/// Inputs, each with the code that judging it ends with.
const INPUTS: [(&str, i32); 5] = [
    ("good.sse", 0),
    ("broken.sse", 1),
    ("follows.ndjson", 1),
    ("warned.ndjson", 0),
    ("picture.sse", 2),
];
const FORMATS: [&str; 8] =
    ["human", "json", "jsonl", "junit", "sarif", "tap", "github", "markdown"];

static DIRECTORY: LazyLock<TempDir> = LazyLock::new(|| {
    let capture = |name: &str| fs::read(repository("corpus/captures").join(name)).unwrap();
    let follows = [
        // Never started: its end and its result only follow, the second step does not.
        r#"{"type":"TOOL_CALL_ARGS","toolCallId":"call-1","delta":"{}"}"#,
        r#"{"type":"TOOL_CALL_END","toolCallId":"call-1"}"#,
        r#"{"type":"TOOL_CALL_RESULT","messageId":"tool-1","toolCallId":"call-1","content":"9:30"}"#,
        r#"{"type":"STEP_STARTED","stepName":"plan"}"#,
        r#"{"type":"STEP_STARTED","stepName":"plan"}"#,
        // Left open: that the stream does not end only follows.
        r#"{"type":"TEXT_MESSAGE_START","messageId":"msg-1","role":"assistant"}"#,
    ];
    let warned = [r#"{"type":"CUSTOM","name":"com.example.n","value":"\ud800"}"#];
    files(&[
        ("good.sse", capture("good.sse")),
        ("broken.sse", capture("broken.sse")),
        ("follows.ndjson", run_of(&follows).into_bytes()),
        ("warned.ndjson", run_of(&warned).into_bytes()),
        ("picture.sse", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01".to_vec()),
    ])
});

fn report(input: &str, format: &str) -> Done {
    let mut command = command(&["check", input, "--format", format]);
    command.current_dir(DIRECTORY.path());
    finish(command, "")
}

/// The same in every version.
fn redacted(text: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    ["\"version\":\"", "\"version\": \"", "agui-conform "]
        .iter()
        .fold(text.to_owned(), |text, before| {
            text.replace(&format!("{before}{version}"), &format!("{before}[version]"))
        })
}

fn assert_is_snapshot(name: &str, text: &str) {
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path("../../../snapshots/reports");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| assert_snapshot!(name, redacted(text)));
}

#[test]
fn whole_reports() {
    for (input, code) in INPUTS {
        for format in FORMATS {
            let done = report(input, format);
            assert_eq!((done.code, done.err.as_str()), (code, ""), "{input} {format}");
            let name = input.split('.').next().unwrap();
            assert_is_snapshot(&format!("{name}.{format}"), &done.out);
        }
    }
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    for (input, _) in INPUTS {
        for format in FORMATS {
            assert_eq!(report(input, format), report(input, format), "{input} {format}");
        }
    }
}

#[test]
fn document_and_journal_say_the_same() {
    for (input, _) in INPUTS {
        let document = report(input, "json").json();
        let journal = report(input, "jsonl").out;
        let lines: Vec<Value> =
            journal.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let of = |kind: &str| lines.iter().filter(|line| line["kind"] == kind).collect::<Vec<_>>();
        let (header, footer) = (lines.first().unwrap(), lines.last().unwrap());
        assert_eq!((&header["kind"], &footer["kind"]), (&"header".into(), &"footer".into()));
        assert_eq!(header["tool"], document["tool"]);
        for name in ["verdict", "spec", "features", "requirements", "summary"] {
            assert_eq!(footer[name], document[name], "{input} {name}");
        }
        let one = &document["inputs"][0];
        let [line] = of("input")[..] else { panic!("{journal}") };
        for (name, value) in one.as_object().unwrap().iter().filter(|(name, _)| *name != "findings")
        {
            assert_eq!(&line[name], value, "{input} {name}");
        }
        let findings = one["findings"].as_array().unwrap();
        assert_eq!(of("finding").len(), findings.len());
        for (index, (line, finding)) in of("finding").into_iter().zip(findings).enumerate() {
            assert_eq!((&line["index"], &line["input"]), (&index.into(), &input.into()));
            for (name, value) in finding.as_object().unwrap() {
                assert_eq!(&line[name], value, "{input} {name}");
            }
        }
    }
}

#[test]
fn what_follows_names_an_earlier_error() {
    let mut followed = 0;
    for (input, _) in INPUTS {
        let document = report(input, "json").json();
        let findings = document["inputs"][0]["findings"].as_array().unwrap();
        for (index, finding) in findings.iter().enumerate() {
            let Some(cause) = finding["consequence_of"].as_u64() else { continue };
            let cause = usize::try_from(cause).unwrap();
            assert!(cause < index, "{input}: {index}");
            assert_eq!(findings[cause]["level"], "error", "{input}: {index}");
            assert_eq!(findings[cause]["consequence_of"], Value::Null, "{input}: {index}");
            followed += 1;
        }
    }
    assert_eq!(followed, 4);
}

#[test]
fn every_member_of_the_format_is_there() {
    let document = report("follows.ndjson", "json").json();
    let names = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(
        names(&document),
        [
            "schema",
            "tool",
            "spec",
            "scope",
            "verdict",
            "inputs",
            "features",
            "requirements",
            "summary"
        ]
    );
    let input = &document["inputs"][0];
    for name in
        ["name", "format", "bytes", "events", "runs", "verdict", "first_rejected", "findings"]
    {
        assert!(input.get(name).is_some(), "{name}");
    }
    for finding in input["findings"].as_array().unwrap() {
        assert_eq!(
            names(finding),
            [
                "requirement",
                "rule",
                "level",
                "event",
                "event_type",
                "line",
                "byte",
                "pointer",
                "related_event",
                "related_line",
                "entity",
                "owner",
                "message",
                "help",
                "spec",
                "since",
                "blame",
                "consequence_of"
            ]
        );
    }
    for requirement in document["requirements"].as_array().unwrap() {
        assert_eq!(names(requirement), ["id", "level", "status", "checked", "findings"]);
        let status = requirement["status"].as_str().unwrap();
        assert!(["pass", "fail", "not-exercised", "not-judged", "allowed"].contains(&status));
    }
}

fn explain(arguments: &[&str]) -> String {
    let all: Vec<&str> = ["explain"].iter().chain(arguments).copied().collect();
    let done = run(&all, "");
    assert_eq!((done.code, done.err.as_str()), (0, ""), "{arguments:?}");
    done.out
}

#[test]
fn explanations() {
    assert_is_snapshot("explain.list", &explain(&[]));
    for rule in Rule::ALL {
        assert_is_snapshot(&format!("explain.{rule}"), &explain(&[rule.as_str()]));
    }
    assert_is_snapshot("explain.requirement", &explain(&["tool/open-before-args"]));
    assert_is_snapshot(
        "explain.requirement.json",
        &explain(&["tool/open-before-args", "--format", "json"]),
    );
    assert_is_snapshot("explain.rule.json", &explain(&["not-open", "--format", "json"]));
}

#[test]
fn everything_can_be_explained() {
    let list: Value = serde_json::from_str(&explain(&["--format", "json"])).unwrap();
    assert_eq!(list["rules"].as_array().unwrap().len(), Rule::ALL.len());
    let requirements = list["requirements"].as_array().unwrap();
    assert_eq!(requirements.len(), registry::all().count());
    let shown = explain(&[]);
    for (requirement, entry) in requirements.iter().zip(registry::all()) {
        let id = requirement["id"].as_str().unwrap();
        assert_eq!(id, entry.id);
        assert!(shown.contains(&format!("  {id:<40} {}\n", entry.text)), "{id}");
        assert_says(&explain(&[id]), entry);
        assert_is(requirement, entry);
        let one: Value = serde_json::from_str(&explain(&[id, "--format", "json"])).unwrap();
        assert_eq!(&one, requirement);
    }
}

/// What a person reads has all of a requirement, in its order, and nothing else.
#[track_caller]
fn assert_says(text: &str, entry: &Requirement) {
    let rule = entry.rule().map(|rule| format!(", rule {rule}")).unwrap_or_default();
    let mut expected = format!(
        "{}\n\n{}\n\nlevel {}, needs {}, since {}{rule}\n\nWhy\n{}\n\nWhat to do\n{}\n",
        entry.id,
        entry.text,
        entry.level.as_str(),
        entry.needs.as_str(),
        entry.since,
        entry.why,
        entry.help
    );
    let examples = [("Broken", entry.broken), ("Mended", entry.mended)];
    let examples = examples.map(|(title, example)| (title, example.map(|e| e.to_string())));
    for (title, example) in &examples {
        assert_eq!(example.is_some(), entry.needs.judged_by() == "check", "{}", entry.id);
        if let Some(example) = example {
            let _ = write!(expected, "\n{title}\n{example}\n");
        }
    }
    assert_eq!(text, format!("{expected}\nSpecification\n{}\n", entry.spec_url()));
    let [(_, broken), (_, mended)] = examples;
    assert!(broken.is_none() || broken != mended, "{}: both look the same", entry.id);
    // Examples with carriage returns and the like are shown, not sent.
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
}

/// What a machine reads has all of a requirement, the examples byte by byte.
#[track_caller]
fn assert_is(json: &Value, entry: &Requirement) {
    let example = |example: Option<Example>| match example {
        None => Value::Null,
        Some(Example { input, request, headers }) => {
            json!({"input": input, "request": request, "headers": headers})
        }
    };
    let expected = json!({
        "id": entry.id,
        "level": entry.level.as_str(),
        "needs": entry.needs.as_str(),
        "since": entry.since,
        "rule": entry.rule().map(Rule::as_str),
        "text": entry.text,
        "why": entry.why,
        "help": entry.help,
        "spec": entry.spec_url(),
        "broken": example(entry.broken),
        "mended": example(entry.mended),
    });
    assert_eq!(json, &expected);
    let judged_by_check = entry.needs.judged_by() == "check";
    assert!(["broken", "mended"].iter().all(|name| json[name].is_object() == judged_by_check));
}

#[test]
fn help_texts() {
    for (name, arguments) in [
        ("help", &["--help"][..]),
        ("help.check", &["check", "--help"]),
        ("help.explain", &["explain", "--help"]),
        ("help.subject", &["subject", "--help"]),
        ("version", &["--version"]),
    ] {
        let done = run(arguments, "");
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{arguments:?}");
        assert_is_snapshot(name, &done.out);
    }
    let done = run(&["help", "check"], "");
    assert_eq!((done.code, done.out), (0, run(&["check", "--help"], "").out));
}
