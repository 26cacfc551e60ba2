//! `agui-conform corpus list` and `corpus run`, on this repository's corpus and on cases that
//! are wrong in every way.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod support;

use std::path::Path;

use serde_json::{Value, json};
use support::{Done, command, files, finish, repository};

fn go(directory: &Path, arguments: &[&str]) -> Done {
    let mut command = command(&[&["corpus"], arguments].concat());
    command.current_dir(directory);
    finish(command, "")
}

fn case(name: &str, verdict: &Value) -> String {
    json!({
        "schema": "agui-conform.case.v1", "name": name, "about": "An end alone.", "source": null,
        "scope": "run",
        "input": {"format": "events", "events": [{"type": "TEXT_MESSAGE_END", "messageId": "m1"}]},
        "expect": verdict,
    })
    .to_string()
}

fn fixture(name: &str, outcome: &str, stream: &Value) -> String {
    let expect = json!({"outcome": outcome, "errorContains": "x"});
    json!({"name": name, "area": "text", "description": "D.", "stream": stream, "expect": expect})
        .to_string()
}

fn right() -> Value {
    json!({"verdict": "reject", "at": 0, "requirement": "text/open-before-content"})
}

fn corpus() -> tempfile::TempDir {
    let started =
        json!([{"type": "RUN_STARTED", "threadId": "t", "runId": "r", "protocolVersion": "1.1"}]);
    let mut unknown = started.as_array().unwrap().clone();
    unknown.push(json!({"type": "NEWS"}));
    unknown.push(json!({"type": "RUN_FINISHED", "threadId": "t", "runId": "r"}));
    files(&[
        ("a/right.json", case("right", &right())),
        ("a/wrong.json", case("wrong", &json!({"verdict": "accept"}))),
        ("b/fails.json", fixture("fails", "failed", &started)),
        ("b/tolerates.json", fixture("tolerates", "completed", &Value::Array(unknown))),
        ("b/other.json", json!({"schema": "something.else"}).to_string()),
        ("b/notes.txt", "no case".to_owned()),
    ])
}

/// Every case of this repository, by the command that users have.
#[test]
fn our_own() {
    let done = go(&repository("."), &["run"]);
    assert_eq!(done.code, 0, "{done:?}");
    assert!(done.out.contains(" 0 failed, 0 skipped, 0 not judged, 0 unreadable\n"), "{done:?}");
    let list = go(&repository("."), &["list", "--format", "json"]).json();
    let list = list["cases"].as_array().unwrap();
    assert!(list.len() > 800 && list.iter().all(|case| case["id"].is_string()));
    let (run, _) = done.out.trim_start_matches("cases: ").split_once(' ').unwrap();
    assert_eq!(run.parse::<usize>().unwrap(), list.len());
}

#[test]
fn results_in_every_format() {
    let directory = corpus();
    let run = |more: &[&str]| go(directory.path(), &[&["run", "."], more].concat());
    let human = run(&[]);
    assert_eq!(human.code, 1, "{human:?}");
    assert_eq!(
        human.out,
        "fail a/wrong: the case accepts it, the checker rejects it at event 0 \
         (text/open-before-content, rule not-open): text message \"m1\" is not open, nothing opened \
         it in this run\n  ./a/wrong.json\n\
         skipped b/tolerates: a client must tolerate what a producer must not send: \
         shape/known-type\n  ./b/tolerates.json\n\
         cases: 3 run, 2 passed, 1 failed, 1 skipped, 0 not judged, 0 unreadable\n"
    );
    let results: Vec<Value> =
        run(&["--format", "json"]).json()["cases"].as_array().unwrap().clone();
    let words: Vec<&str> = results.iter().map(|case| case["result"].as_str().unwrap()).collect();
    assert_eq!(words, ["pass", "fail", "pass", "skipped"]);
    let junit = junit_parser::from_reader(run(&["--format", "junit"]).out.as_bytes()).unwrap();
    assert_eq!((junit.tests, junit.failures, junit.skipped), (4, 1, 1));
    let tap = run(&["--format", "tap"]);
    assert!(
        tap.out.contains("\nnot ok 2 - a/wrong\n") && tap.out.contains("# SKIP a client"),
        "{tap:?}"
    );
    assert_eq!(run(&["--format", "tap"]), tap);
}

#[test]
fn some_are_picked_and_some_left_out() {
    let directory = corpus();
    let run = |more: &[&str]| go(directory.path(), &[&["run", "."], more].concat());
    let one = run(&["--only", "right"]);
    assert_eq!(one.code, 0, "{one:?}");
    assert!(one.out.starts_with("cases: 1 run, 1 passed"), "{one:?}");
    let group = run(&["--only", "b/*", "--only", "a/right"]);
    assert!(group.out.contains("cases: 2 run, 2 passed"), "{group:?}");
    let without = run(&["--skip", "wrong=it is wrong on purpose"]);
    assert_eq!(without.code, 0, "{without:?}");
    assert!(without.out.contains("skipped a/wrong: it is wrong on purpose\n"), "{without:?}");
    for (more, said) in [
        (["--skip", "wrong"], "--skip wrong: say why, as GLOB=REASON"),
        (["--skip", "wrong= "], "say why"),
        (["--only", "[a"], "\"[a\": "),
        (["--only", "nothing"], "there is no such case"),
    ] {
        let done = run(&more);
        assert_eq!(done.code, 2, "{done:?}");
        assert!(done.err.contains(said), "{done:?}");
    }
}

#[test]
fn files_that_cannot_be_read() {
    let unjudged =
        json!({"verdict": "reject", "at": "end", "requirement": "http/streams-as-it-goes"});
    let directory = files(&[
        ("half.json", "{\"schema\":".to_owned()),
        ("named.json", case("other", &right())),
        ("where.json", case("where", &json!({"verdict": "maybe"}))),
        ("what.json", fixture("what", "maybe", &json!([]))),
        ("live/live.json", case("live", &unjudged)),
    ]);
    let at = directory.path();
    let all = go(at, &["run", "."]);
    assert_eq!(all.code, 2, "{all:?}");
    for said in
        ["unreadable half: ", "unreadable named: ", "unreadable where: ", "unreadable what: "]
    {
        assert!(all.out.contains(said), "{said}: {all:?}");
    }
    let nowhere = go(at, &["run", "nowhere"]);
    assert_eq!(nowhere.code, 2);
    assert!(nowhere.err.starts_with("agui-conform: nowhere: No such file"), "{nowhere:?}");
    let named = files(&[("x.json", "{}".to_owned())]);
    let named = go(named.path(), &["run", "x.json"]);
    assert_eq!(named.code, 2, "{named:?}");
    assert!(named.out.contains("this is neither a case nor a fixture"), "{named:?}");
}

/// A case about what a recording does not tell is neither passed nor failed.
#[test]
fn what_cannot_be_judged_is_incomplete() {
    let clean = json!({
        "schema": "agui-conform.case.v1", "name": "live", "about": "A.", "source": null,
        "scope": "stream",
        "input": {"format": "events", "events": [
            {"type": "RUN_STARTED", "threadId": "t", "runId": "r", "protocolVersion": "1.1"},
            {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"}
        ]},
        "expect": {"verdict": "reject", "at": "end", "requirement": "http/streams-as-it-goes"},
    });
    let directory = files(&[("live.json", clean.to_string())]);
    let done = go(directory.path(), &["run", "live.json"]);
    assert_eq!(done.code, 4, "{done:?}");
    assert!(
        done.out.contains("not judged live: http/streams-as-it-goes is not judged here"),
        "{done:?}"
    );
}
