//! Case files: what is read, what is refused and how, what a replay says.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test")]

use std::fs;
use std::path::Path;

use conform_check::{Options, Scope};
use conform_corpus::{At, Case, Input, Replay, Verdict, load, load_all};
use serde_json::{Value, json};

fn rejected() -> Value {
    json!({
        "schema": "agui-conform.case.v1",
        "name": "end-alone",
        "about": "A message ends that never began.",
        "source": null,
        "scope": "run",
        "input": {"format": "events", "events": [
            {"type": "STEP_STARTED", "stepName": "plan"},
            {"type": "TEXT_MESSAGE_END", "messageId": "m1"},
        ]},
        "expect": {"verdict": "reject", "at": 1, "requirement": "text/open-before-content",
            "rule": "not-open", "findings": ["text/open-before-content"]},
        "kill": "let everything end",
    })
}

fn with(pointer: &str, value: Value) -> Value {
    let mut case = rejected();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    case.pointer_mut(parent).unwrap()[name] = value;
    case
}

fn case(value: Value) -> Case {
    serde_json::from_value(value).unwrap()
}

fn check(value: Value) -> Result<Replay, String> {
    case(value).check(&Options::default()).map_err(|mismatch| mismatch.to_string())
}

fn write(directory: &Path, name: &str, content: impl AsRef<[u8]>) {
    let path = directory.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

/// The message about a file with this content.
fn refusal(content: impl AsRef<[u8]>) -> String {
    let directory = tempfile::tempdir().unwrap();
    write(directory.path(), "end-alone.json", content);
    let path = directory.path().join("end-alone.json");
    let message = load(&path).unwrap_err().to_string();
    message.strip_prefix(&path.display().to_string()).unwrap().to_owned()
}

#[test]
fn what_is_read_is_written_again() {
    let mut sse = with("/input", json!({"format": "sse", "text": "data: {}\r\n"}));
    sse["expect"] = json!({"verdict": "accept"});
    sse["request"] = json!({"runId": "r1", "messages": [], "z": 1.50, "a": null});
    let mut end = rejected();
    end["expect"] =
        json!({"verdict": "reject", "at": "end", "requirement": "lifecycle/terminated"});
    end["source"] = json!("owner/repo#1");
    end["scope"] = json!("stream");
    end["input"] = json!({"format": "ndjson", "text": "not JSON"});
    end.as_object_mut().unwrap().remove("kill");
    for value in [rejected(), sse, end] {
        let read = case(value.clone());
        let written = serde_json::to_value(&read).unwrap();
        assert_eq!(written, value);
        assert_eq!(case(written), read);
    }
    // A number of many digits is the same one after any number of times.
    let text = rejected().to_string();
    let digits = "5".repeat(83);
    let text = text.replacen("\"events\":[", &format!("\"events\":[{{\"n\":{digits}}},"), 1);
    let read: Case = serde_json::from_str(&text).unwrap();
    let again: Case = serde_json::from_str(&serde_json::to_string(&read).unwrap()).unwrap();
    assert_eq!(again, read);
}

#[test]
fn what_a_case_says() {
    let read = case(rejected());
    assert_eq!(read.scope, Scope::Run);
    assert_eq!(read.run_input(), None);
    let Verdict::Reject { at, requirement, rule } = read.expect.verdict else {
        panic!("{:?}", read.expect)
    };
    assert_eq!(at, At::Event(1));
    assert_eq!(requirement.id, "text/open-before-content");
    assert_eq!(rule.unwrap().as_str(), "not-open");
    let request = case(with("/request", json!({"runId": "r1"}))).run_input().unwrap();
    assert_eq!(request.run_id.as_deref(), Some("r1"));
}

#[test]
fn bytes_are_lines_of_events_or_the_text_as_it_is() {
    assert_eq!(
        String::from_utf8(case(rejected()).bytes()).unwrap(),
        "{\"type\":\"STEP_STARTED\",\"stepName\":\"plan\"}\n\
         {\"type\":\"TEXT_MESSAGE_END\",\"messageId\":\"m1\"}\n"
    );
    assert_eq!(Input::Events(Vec::new()).bytes(), b"");
    assert_eq!(
        Input::Sse("data: {}\r\n\u{feff}".to_owned()).bytes(),
        "data: {}\r\n\u{feff}".as_bytes()
    );
    // Nothing of an event is lost or reordered on the way.
    let event = json!({"z": "\u{1f600}\u{0}\n", "a": [1.5, -0.0, u64::MAX, null, {"": ""}]});
    let bytes = Input::Events(vec![event.clone()]).bytes();
    assert!(bytes.ends_with(b"\n") && !bytes[..bytes.len() - 1].contains(&b'\n'));
    assert_eq!(serde_json::from_slice::<Value>(&bytes).unwrap().to_string(), event.to_string());
}

#[test]
fn a_file_that_is_no_case_is_refused_at_its_place() {
    let pretty = |value: Value| serde_json::to_string_pretty(&value).unwrap();
    let requirements = "requirement is named";
    for (value, expected) in [
        (json!([]), ":1:2: invalid length 0, expected struct Case with 9 elements"),
        (with("/extra", json!(1)), ":30:9: unknown field `extra`"),
        (
            with("/schema", json!("agui-conform.case.v2")),
            ":2:34: this reads cases of schema agui-conform.case.v1, not \"agui-conform.case.v2\"",
        ),
        (
            with("/scope", json!("both")),
            ":6:17: unknown variant `both`, expected `run` or `stream`",
        ),
        (with("/about", json!(1)), ":4:12: invalid type: integer `1`, expected a string"),
        (with("/source", json!([])), ":5:12: invalid type: sequence, expected a string"),
        (with("/request", json!([])), "invalid type: sequence, expected a map"),
        (with("/kill", json!(1)), "invalid type: integer `1`, expected a string"),
        (
            with("/input/format", json!("har")),
            ":8:19: unknown variant `har`, expected one of `events`, `sse`, `ndjson`",
        ),
        (
            with("/input/format", json!("sse")),
            ":19:3: an input of format sse or ndjson has `text` and no `events`",
        ),
        (
            with("/input/text", json!("")),
            ":20:3: an input of format events has `events` and no `text`",
        ),
        (with("/input/events", json!({})), "invalid type: map, expected a sequence"),
        (
            with("/input/extra", json!(1)),
            "unknown field `extra`, expected one of `format`, `events`, `text`",
        ),
        (
            with("/expect/verdict", json!("maybe")),
            ":21:22: unknown variant `maybe`, expected `accept` or `reject`",
        ),
        (
            with("/expect/verdict", json!("accept")),
            ":28:3: what is accepted has no `at`, `requirement` or `rule`",
        ),
        (
            with("/expect", json!({"verdict": "accept", "rule": "not-open"})),
            "what is accepted has no",
        ),
        (
            with("/expect", json!({"verdict": "reject", "at": 1})),
            "what is rejected has `at` and `requirement`",
        ),
        (
            with("/expect", json!({"verdict": "reject", "requirement": "tool/one-result"})),
            "what is rejected has `at` and `requirement`",
        ),
        (
            with("/expect/at", json!("start")),
            ":22:17: invalid value: string \"start\", expected the index of an event, or \"end\"",
        ),
        (
            with("/expect/at", json!(-1)),
            "invalid type: integer `-1`, expected the index of an event, or \"end\"",
        ),
        (
            with("/expect/at", json!(1.5)),
            "invalid type: floating point `1.5`, expected the index of an event",
        ),
        (
            with("/expect/requirement", json!("text/open-before")),
            "no requirement is named \"text/open-before\"; the nearest is text/",
        ),
        (with("/expect/rule", json!("never")), "no rule is named \"never\""),
        (
            with("/expect/rule", json!("unknown-id")),
            "the rule unknown-id is not behind text/open-before-content",
        ),
        (with("/expect/findings", json!(["nothing"])), requirements),
        (with("/expect/extra", json!(1)), "unknown field `extra`"),
        (
            with("/name", json!("start-alone")),
            ": the case is named \"start-alone\", its file \"end-alone\"",
        ),
    ] {
        let message = refusal(pretty(value));
        assert!(message.contains(expected), "{message}\nlacks {expected}");
        assert!(!message.contains(" at line "), "{message}");
    }
    for name in ["schema", "name", "about", "scope", "input", "expect"] {
        let mut value = rejected();
        value.as_object_mut().unwrap().remove(name);
        let message = refusal(pretty(value));
        assert!(message.contains(&format!("missing field `{name}`")), "{message}");
    }
}

#[test]
fn a_file_that_is_no_json_is_refused_at_its_place() {
    assert_eq!(refusal(""), ":1:0: EOF while parsing a value");
    let text = rejected().to_string();
    assert!(refusal(&text[..text.len() - 1]).contains("EOF while parsing an object"));
    assert!(refusal(format!("{text}\n{text}")).starts_with(":2:1: trailing characters"));
    let twice = text.replacen("\"scope\"", "\"name\":\"other\",\"scope\"", 1);
    assert!(refusal(twice).contains("duplicate field `name`"));
    assert!(refusal(b"{\"schema\":\"\xff\"}").contains("invalid unicode code point"));
}

#[test]
fn a_directory_is_read_in_order_and_below() {
    let directory = tempfile::tempdir().unwrap();
    let named = |name: &str| with("/name", json!(name)).to_string();
    write(directory.path(), "b/y.json", named("y"));
    write(directory.path(), "b/c/z.twin.json", named("z.twin"));
    write(directory.path(), "a/x.json", named("x"));
    write(directory.path(), "README.md", "no case");
    let cases = load_all(directory.path()).unwrap();
    let names: Vec<_> = cases.iter().map(|(_, case)| case.name.as_str()).collect();
    assert_eq!(names, ["x", "z.twin", "y"]);
    assert_eq!(cases[0].0, directory.path().join("a/x.json"));

    write(directory.path(), "c/x.json", named("x"));
    let message = load_all(directory.path()).unwrap_err().to_string();
    let path = |name: &str| directory.path().join(name).display().to_string();
    assert_eq!(message, format!("{}: {} is named so too", path("c/x.json"), path("a/x.json")));
}

#[test]
fn a_directory_without_cases_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let shown = directory.path().display().to_string();
    let message = load_all(directory.path()).unwrap_err().to_string();
    assert_eq!(message, format!("{shown}: there is no case in it"));
    let message = load_all(&directory.path().join("nowhere")).unwrap_err().to_string();
    assert!(message.starts_with(&format!("{shown}/nowhere: ")), "{message}");
    write(directory.path(), "broken.json", "{");
    let message = load_all(directory.path()).unwrap_err().to_string();
    assert!(message.starts_with(&format!("{shown}/broken.json:1:1: EOF")), "{message}");
}

#[test]
fn a_replay_agrees_or_says_how_not() {
    assert_eq!(check(rejected()), Ok(Replay::Agrees));
    let says = "the checker rejects it at event 1 (text/open-before-content, rule not-open): ";
    for (value, case) in [
        (with("/expect", json!({"verdict": "accept"})), "accepts it"),
        (
            with("/expect/at", json!(0)),
            "rejects it at event 0 (text/open-before-content, rule not-open)",
        ),
        (
            with("/expect/at", json!("end")),
            "rejects it at the end (text/open-before-content, rule not-open)",
        ),
        (
            with(
                "/expect",
                json!({"verdict": "reject", "at": 1, "requirement": "tool/open-before-args"}),
            ),
            "rejects it at event 1 (tool/open-before-args)",
        ),
    ] {
        let message = check(value).unwrap_err();
        assert!(message.starts_with(&format!("end-alone: the case {case}, {says}")), "{message}");
    }
    let none = with("/input/events", json!([]));
    assert_eq!(
        check(none).unwrap_err(),
        "end-alone: the case rejects it at event 1 (text/open-before-content, rule not-open), \
         the checker accepts it"
    );
    let findings = with("/expect/findings", json!(["tool/one-result"]));
    assert_eq!(
        check(findings).unwrap_err(),
        "end-alone: the case finds [\"tool/one-result\"], the checker [\"text/open-before-content\"]"
    );
    let binary = with("/input", json!({"format": "ndjson", "text": "\u{0}\u{1}\u{2}"}));
    assert!(check(binary).unwrap_err().starts_with("end-alone: it cannot be judged: "));
}

#[test]
fn what_is_not_judged_is_not_passed() {
    // `subagent/success-has-no-interrupts` or whatever else no version judges yet.
    let Some(requirement) = conform_check::registry::all()
        .find(|entry| entry.judge == conform_check::registry::Judge::None)
    else {
        return;
    };
    let mut value =
        with("/expect", json!({"verdict": "reject", "at": 1, "requirement": requirement.id}));
    value["input"]["events"] = json!([{"type": "CUSTOM"}, {"type": "CUSTOM"}]);
    assert_eq!(check(value.clone()), Ok(Replay::NotJudged(requirement)));
    // What is judged and wrong before it is a mismatch all the same.
    value["input"]["events"][0] = json!({"type": "STEP_FINISHED", "stepName": "plan"});
    let message = check(value).unwrap_err();
    assert!(
        message.contains("the checker rejects it at event 0 (step/finished-by-its-owner"),
        "{message}"
    );
}

#[test]
fn scope_and_request_are_the_cases_own() {
    let mut value = rejected();
    value["scope"] = json!("stream");
    assert!(check(value).unwrap_err().contains("lifecycle/first-event"));

    let mut value = rejected();
    value["input"]["events"] = json!([
        {"type": "RUN_STARTED", "threadId": "t", "runId": "r"},
        {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"},
    ]);
    value["scope"] = json!("stream");
    value["expect"] = json!({"verdict": "accept"});
    let options = Options { scope: Scope::Run, max_findings: 0, ..Options::default() };
    assert_eq!(case(value).check(&options), Ok(Replay::Agrees));
    assert_eq!(case(rejected()).check(&options), Ok(Replay::Agrees));
}

/// Faults that this tool had: each was found once, and stays found.
#[test]
fn faults_that_were_found_stay_mended() {
    let found = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/found");
    let cases = conform_corpus::load_all(&found).unwrap();
    assert!(!cases.is_empty());
    for (path, case) in cases {
        let replay = case.check(&conform_check::Options::default());
        assert_eq!(replay, Ok(Replay::Agrees), "{}", path.display());
    }
}
