//! `agui-conform report`: journals read back, put together, compared, and every format read by
//! somebody else's reader.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod support;

use std::fs;
use std::path::Path;

use support::{Done, command, files, finish, run_of, sse};
use tempfile::TempDir;

const FORMATS: [&str; 8] =
    ["human", "json", "jsonl", "junit", "sarif", "tap", "github", "markdown"];

const OPEN: &str = r#"{"type":"STEP_STARTED","stepName":"plan"}"#;
const UNOPENED: &str = r#"{"type":"TEXT_MESSAGE_END","messageId":"m1"}"#;
const WARNED: &str = r#"{"type":"CUSTOM","name":"bare","value":1}"#;
/// Everything that means something to XML, Markdown, TAP, YAML or a workflow's log.
const HOSTILE: &str = "]]>&<b>|`*_#::error::%0A\\n\\u0001\\u202e\\ud83e\\udd80 # SKIP";

fn inputs() -> TempDir {
    let hostile = format!(r#"{{"type":"TEXT_MESSAGE_END","messageId":"{HOSTILE}"}}"#);
    files(&[
        ("good.sse", sse(&[])),
        ("open.ndjson", run_of(&[OPEN])),
        ("two.sse", sse(&[UNOPENED, WARNED])),
        ("hostile.ndjson", run_of(&[hostile])),
        ("a|b]]>`<i>%0A::x.sse", sse(&[UNOPENED])),
        ("picture.sse", "\u{0}\u{1}\u{2}\u{0}PNG".to_owned()),
    ])
}

fn go(directory: &Path, arguments: &[&str]) -> Done {
    let mut command = command(arguments);
    command.current_dir(directory).env_remove("GITHUB_STEP_SUMMARY");
    finish(command, "")
}

/// The journal of checking these.
fn journal(directory: &Path, name: &str, inputs: &[&str]) -> Done {
    let arguments = [&["check", "--format", "jsonl", "--output", name], inputs].concat();
    go(directory, &arguments)
}

const ALL: [&str; 6] =
    ["good.sse", "open.ndjson", "two.sse", "hostile.ndjson", "a|b]]>`<i>%0A::x.sse", "picture.sse"];

/// A report that is written later is the one that was written at once, in every format.
#[test]
fn later_is_the_same_as_at_once() {
    let directory = inputs();
    let at = directory.path();
    for input in ALL {
        let code = journal(at, "j.jsonl", &[input]).code;
        for format in FORMATS {
            let once = go(at, &["check", input, "--format", format]);
            let later = go(at, &["report", "j.jsonl", "--format", format]);
            if format == "jsonl" {
                // The flags are those of the command that judged.
                let rest = |done: &Done| done.out.split_once('\n').unwrap().1.to_owned();
                assert_eq!(rest(&once), rest(&later), "{input}");
                assert_eq!(later.out, fs::read_to_string(at.join("j.jsonl")).unwrap());
            } else {
                assert_eq!(once.out, later.out, "{input} {format}");
            }
            assert_eq!(later.out, go(at, &["report", "j.jsonl", "--format", format]).out);
            // What is unreadable is wrong usage only for the command that was to read it.
            assert_eq!(later.code, if code == 2 { 4 } else { code }, "{input} {format}: {later:?}");
        }
        // The document is as good as the journal.
        fs::write(at.join("d.json"), go(at, &["check", input, "--format", "json"]).out).unwrap();
        let of_document = go(at, &["report", "d.json", "--format", "junit"]);
        assert_eq!(of_document.out, go(at, &["report", "j.jsonl", "--format", "junit"]).out);
    }
}

#[test]
fn shards_are_put_together() {
    let directory = inputs();
    let at = directory.path();
    journal(at, "one.jsonl", &["good.sse", "open.ndjson"]);
    journal(at, "two.jsonl", &["two.sse", "hostile.ndjson"]);
    journal(at, "all.jsonl", &["good.sse", "open.ndjson", "two.sse", "hostile.ndjson"]);
    for format in FORMATS {
        let shards = go(at, &["report", "one.jsonl", "two.jsonl", "--format", format]);
        let whole = go(at, &["report", "all.jsonl", "--format", format]);
        let flags = |done: &Done| match format {
            "jsonl" => done.out.split_once('\n').unwrap().1.to_owned(),
            _ => done.out.clone(),
        };
        assert_eq!(flags(&shards), flags(&whole), "{format}");
        assert_eq!(shards.code, 1);
    }
    let twice = go(at, &["report", "one.jsonl", "all.jsonl"]);
    assert_eq!(twice.code, 2);
    let said =
        "agui-conform: the journals cannot be put together: \"good.sse\" is in two of them\n";
    assert_eq!(twice.err, said);
    go(at, &["check", "two.sse", "--scope", "run", "--format", "jsonl", "--output", "run.jsonl"]);
    let mixed = go(at, &["report", "one.jsonl", "run.jsonl"]);
    assert_eq!(mixed.code, 2);
    assert!(mixed.err.contains(r#"of different scopes: "stream" and "run""#), "{mixed:?}");
}

#[test]
fn what_broke_and_what_healed() {
    let directory = inputs();
    let at = directory.path();
    journal(at, "old.jsonl", &["open.ndjson", "two.sse", "hostile.ndjson"]);
    fs::write(at.join("open.ndjson"), run_of::<&str>(&[])).unwrap();
    fs::write(at.join("two.sse"), sse(&[UNOPENED, OPEN])).unwrap();
    journal(at, "new.jsonl", &["open.ndjson", "two.sse"]);
    let human = go(at, &["report", "new.jsonl", "--since", "old.jsonl"]);
    assert_eq!(human.code, 1, "{human:?}");
    assert!(
        human.out.ends_with(
            "broke: lifecycle/closed-before-finish in two.sse\n\
             healed: lifecycle/closed-before-finish in open.ndjson\n\
             still broken: text/open-before-content in two.sse\n\
             not judged any more: hostile.ndjson\n\
             since then: 1 broke, 1 healed, 1 still broken\n"
        ),
        "{}",
        human.out
    );
    let json = go(at, &["report", "new.jsonl", "--since", "old.jsonl", "--format", "json"]);
    let since = &json.json()["since"];
    assert_eq!(since["broke"][0]["requirement"], "lifecycle/closed-before-finish");
    assert_eq!(since["healed"][0]["input"], "open.ndjson");
    assert_eq!(since["gone"][0], "hostile.ndjson");
    let markdown = go(at, &["report", "new.jsonl", "--since", "old.jsonl", "--format", "markdown"]);
    assert!(
        markdown.out.contains("## Healed: 1\n\n- `lifecycle/closed-before-finish` in open.ndjson")
    );
    let tap = go(at, &["report", "new.jsonl", "--since", "old.jsonl", "--format", "tap"]);
    assert!(tap.err.contains("does not carry what changed: 1 broke, 1 healed"), "{tap:?}");
}

/// A journal without its footer is an interrupted run: never a pass.
#[test]
fn journals_that_break_off() {
    let directory = inputs();
    let at = directory.path();
    journal(at, "j.jsonl", &["good.sse", "two.sse"]);
    let text = fs::read_to_string(at.join("j.jsonl")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let report = |lines: &[&str]| {
        fs::write(at.join("cut.jsonl"), lines.join("\n")).unwrap();
        go(at, &["report", "cut.jsonl", "--format", "json"])
    };
    // Header, input; header, input, finding; all but the footer.
    for (length, code, verdict) in
        [(2, 4, "incomplete"), (3, 1, "fail"), (lines.len() - 1, 1, "fail")]
    {
        let done = report(&lines[..length]);
        assert_eq!(done.code, code, "{length}: {done:?}");
        assert_eq!(done.json()["verdict"], verdict);
    }
    for (lines, said) in [
        (vec![""], "it is empty, and a journal begins with a header"),
        (vec!["7"], "line 1: this is no journal: its first line is no header"),
        (vec![lines[0], "nonsense"], "line 2: it is no line of a journal"),
        (vec![lines[0], "{\"kind\":\"x\"}"], "line 2: it is neither a finding, nor an input"),
        (vec![lines[0], lines[3]], "line 2: "),
        ([&lines[..], &[lines[1]]].concat(), "something comes after the footer"),
    ] {
        let done = report(&lines);
        assert_eq!(done.code, 2, "{done:?}");
        assert!(done.err.contains(said), "{said}: {done:?}");
    }
    let other = lines[0].replace("journal.v1", "journal.v9");
    assert!(report(&[&other]).err.contains(r#"this is "agui-conform.journal.v9""#));
}

/// Where a warning fails nothing it fails no test, and where it does, it does.
#[test]
fn warnings_fail_what_they_are_to_fail() {
    let directory = files(&[("warned.ndjson", run_of(&[WARNED]))]);
    for (fail_on, failures, code) in [("error", 0, 0), ("warning", 2, 1)] {
        let arguments = ["check", "warned.ndjson", "--fail-on", fail_on, "--format", "junit"];
        let done = go(directory.path(), &arguments);
        assert_eq!(done.code, code, "{done:?}");
        let junit = junit_parser::from_reader(done.out.as_bytes()).unwrap();
        assert_eq!(junit.failures, failures, "{fail_on}: {}", done.out);
    }
}

/// Each format is what its readers take it for, whatever ids and names hold.
#[test]
fn others_read_it() {
    let directory = inputs();
    let at = directory.path();
    journal(at, "j.jsonl", &ALL);
    let of = |format: &str| go(at, &["report", "j.jsonl", "--format", format]).out;
    let document: serde_json::Value = serde_json::from_str(&of("json")).unwrap();
    let failing = |level: &str| {
        let all = document["requirements"].as_array().unwrap().iter();
        all.filter(|r| r["status"] == "fail" && r["level"] == level).count()
    };
    let (failed, warned) = (failing("must"), failing("should"));
    assert!(failed > 0 && warned > 0);
    let summary = &document["summary"];
    let broken = usize::try_from(summary["failed"].as_u64().unwrap()).unwrap();

    let junit = junit_parser::from_reader(of("junit").as_bytes()).unwrap();
    assert_eq!(junit.suites.len(), 2);
    assert_eq!(junit.failures, (failed + broken) as u64);
    assert_eq!(junit.suites[1].cases.len(), ALL.len());
    assert_eq!(junit.suites[1].errors, 1);
    let names: Vec<&str> = junit.suites[1].cases.iter().map(|c| c.original_name.as_str()).collect();
    assert_eq!(names, ALL);

    let sarif: serde_sarif::sarif::Sarif = serde_json::from_str(&of("sarif")).unwrap();
    let run = &sarif.runs[0];
    let results = run.results.as_ref().unwrap();
    let findings: usize = document["inputs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|input| input["findings"].as_array().unwrap().len())
        .sum();
    assert_eq!(results.len(), findings);
    for result in results {
        let rules = run.tool.driver.rules.as_ref().unwrap();
        assert!(rules.iter().any(|rule| Some(&rule.id) == result.rule_id.as_ref()));
        let place = &result.locations.as_ref().unwrap()[0].physical_location.as_ref().unwrap();
        let uri = place.artifact_location.as_ref().unwrap().uri.as_ref().unwrap();
        assert!(!uri.contains(['|', '<', '`', ' ']), "{uri}");
    }

    let tap = of("tap");
    let document =
        tap_parser::TapParser::new().parse(&tap).unwrap_or_else(|e| panic!("{e:?}\n{tap}"));
    let not_ok = document
        .iter()
        .filter(|line| match line {
            tap_parser::TapStatement::TestPoint(test) => !test.result && test.directive.is_none(),
            _ => false,
        })
        .count();
    assert_eq!(not_ok, failed + broken + 1, "{tap}");
    assert_eq!(tap.matches("# TODO a warning").count(), warned);

    // A command is a line of its own, and nothing of an id begins another.
    let github = of("github");
    let commands = github.lines().filter(|line| line.starts_with("::")).count();
    assert_eq!(github.lines().count(), commands + 1, "{github}");
    assert!(github.lines().all(|line| !line.contains("%0A") || line.contains("%250A")), "{github}");
    assert!(!github.contains('\u{202e}') && !github.contains('\u{1}'));

    // No cell of a table ends early, and no tag is one.
    let markdown = of("markdown");
    for row in markdown.lines().filter(|line| line.starts_with("| [")) {
        assert_eq!(row.replace("\\|", "").matches('|').count(), 5, "{row}");
    }
    assert!(!markdown.contains("<b>") && !markdown.contains("<i>"), "{markdown}");
}

#[test]
fn the_summary_of_a_workflow_step() {
    let directory = inputs();
    let at = directory.path();
    let summary = at.join("summary.md");
    fs::write(&summary, "before\n").unwrap();
    let mut check = command(&["check", "two.sse", "--format", "github"]);
    check.current_dir(at).env("GITHUB_STEP_SUMMARY", &summary);
    let done = finish(check, "");
    assert_eq!(done.code, 1);
    let text = fs::read_to_string(&summary).unwrap();
    assert!(text.starts_with("before\n# agui-conform: fail\n"), "{text}");
    let mut check = command(&["check", "two.sse", "--format", "github"]);
    check.current_dir(at).env("GITHUB_STEP_SUMMARY", at.join("no/such"));
    let done = finish(check, "");
    assert_eq!(done.code, 2, "{done:?}");
    assert!(done.err.contains("the step's summary"), "{done:?}");
}

#[test]
fn completions_and_manual() {
    let directory = inputs();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let done = go(directory.path(), &["completions", shell]);
        assert_eq!(done.code, 0);
        assert!(done.out.contains("run-log") && done.out.contains("since"), "{shell}");
    }
    let man = go(directory.path(), &["man"]);
    assert_eq!(man.code, 0);
    assert!(man.out.contains(".TH agui-conform 1"), "{}", man.out);
}
