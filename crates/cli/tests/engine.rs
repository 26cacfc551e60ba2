//! `generate` and `soak`, as a user runs them.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::process::{Command, Output};

use serde_json::Value;

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_agui-conform")).args(arguments).output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn valid_sequences_pass_check_in_every_format() {
    for format in ["ndjson", "sse"] {
        for seed in ["1", "2", "3"] {
            let output = run(&["generate", "--valid", "--seed", seed, "--format", format]);
            assert!(output.status.success());
            let file = tempfile::NamedTempFile::new().unwrap();
            std::fs::write(file.path(), &output.stdout).unwrap();
            let checked = run(&["check", &file.path().to_string_lossy()]);
            assert!(checked.status.success(), "{}", text(&checked));
        }
    }
}

#[test]
fn faults_fail_where_their_case_file_says() {
    let cases = run(&[
        "generate",
        "--fault",
        "out-of-order",
        "--count",
        "2",
        "--seed",
        "9",
        "--format",
        "case",
    ]);
    let cases = text(&cases);
    assert_eq!(cases.lines().count(), 2);
    for line in cases.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        assert_eq!(case["expect"]["rule"], "out-of-order");
        let events = case["input"]["events"].as_array().unwrap();
        let events: Vec<String> = events.iter().map(Value::to_string).collect();
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), events.join("\n")).unwrap();
        let checked = run(&["check", "--format", "json", &file.path().to_string_lossy()]);
        let report: Value = serde_json::from_str(&text(&checked)).unwrap();
        assert_eq!(report["inputs"][0]["first_rejected"], case["expect"]["at"]);
    }
}

#[test]
fn a_fault_is_chosen_by_rule_and_kind() {
    let of = |name: &str| run(&["generate", "--fault", name, "--format", "case"]);
    let case: Value = serde_json::from_str(&text(&of("not-open/step"))).unwrap();
    assert_eq!(case["expect"]["requirement"], "step/finished-by-its-owner");
    let case: Value = serde_json::from_str(&text(&of("chunk/unambiguous-lane"))).unwrap();
    assert_eq!(case["expect"]["requirement"], "chunk/unambiguous-lane");
    let case: Value =
        serde_json::from_str(&text(&of("ids/message-unique/reasoning-message"))).unwrap();
    assert_eq!(case["expect"]["requirement"], "ids/message-unique");
    assert_eq!(case["expect"].get("rule"), None);
    let unknown = of("not-opened");
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("--list-faults"));
    let both = run(&["generate", "--valid", "--fault", "not-open"]);
    assert_eq!(both.status.code(), Some(2));
}

#[test]
fn the_same_seed_prints_the_same_bytes() {
    for arguments in [
        &["generate", "--count", "3", "--seed", "4"][..],
        &["generate", "--fault", "owner-mismatch", "--count", "3", "--seed", "4"],
    ] {
        assert_eq!(run(arguments).stdout, run(arguments).stdout);
    }
    let one = run(&["generate", "--seed", "4"]);
    assert_ne!(one.stdout, run(&["generate", "--seed", "5"]).stdout);
}

/// What a soak prints, without the times.
fn soak(arguments: &[&str]) -> String {
    let output = run(&[&["soak"], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let lines = text(&output)
        .lines()
        .map(|line| line.split("), ").next().unwrap_or_default().to_owned())
        .collect::<Vec<_>>();
    lines.join("\n")
}

#[test]
fn a_soak_is_the_same_on_one_thread_and_on_three() {
    let one = soak(&["--cases", "200", "--seed", "11", "--jobs", "1"]);
    assert_eq!(one, soak(&["--cases", "200", "--seed", "11", "--jobs", "3"]));
    assert!(one.contains("200 cases"), "{one}");
    assert!(one.contains("agree on all of them"), "{one}");
}

#[test]
fn shards_share_the_cases() {
    let count = |shard: &str| -> u64 {
        let text = soak(&["--cases", "150", "--seed", "12", "--shard", shard]);
        let words: Vec<&str> = text.split_whitespace().collect();
        words[2].parse().unwrap()
    };
    assert_eq!(count("1/3") + count("2/3") + count("3/3"), 150);
    for wrong in ["0/3", "4/3", "1", "a/b", "1/0"] {
        let output = run(&["soak", "--cases", "1", "--shard", wrong]);
        assert_eq!(output.status.code(), Some(2), "{wrong}");
    }
}

#[test]
fn a_soak_ends_when_its_time_is_up() {
    let output = run(&["soak", "--seconds", "1", "--seed", "13"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    // Asked for a count, it says that it did not get there.
    let output = run(&["soak", "--seconds", "1", "--cases", "100000000", "--seed", "13"]);
    assert_eq!(output.status.code(), Some(4), "{}", text(&output));
}
