//! The judge against the zod schemas of the published `@ag-ui/core`, on 50,000 events and
//! on inputs. Known differences are in `adapters/ag-ui-core/divergences.toml`.
//!
//! Needs node, and npm where the adapter is not installed yet. Where they are missing the
//! test says so and passes, but fails where `CI=true`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod shape_support;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use conform_event::shape::{Fault, FaultKind, Version};
use serde_json::Value;
use shape_support::{Rng, Subject, any, faults, operations_are_valid};

const EVENTS: usize = 50_000;
const INPUTS: usize = 5_000;

/// A kind of difference: what tells it from others.
struct Excuse {
    name: &'static str,
    /// Whether a fault that we find is not one to zod.
    fault: fn(&Fault) -> bool,
    /// Whether zod rejects what we find nothing wrong with.
    event: fn(&Value) -> bool,
}

const EXCUSES: &[Excuse] = &[
    Excuse {
        name: "unknown-members",
        fault: |f| matches!(f.kind, FaultKind::UnknownMember { .. }),
        event: |_| false,
    },
    Excuse {
        name: "input-state-null",
        fault: |f| f.kind == FaultKind::Null && ["/input/state", "/state"].contains(&&*f.pointer),
        event: |_| false,
    },
    Excuse {
        name: "patch-operations",
        fault: |_| false,
        event: |event| !operations_are_valid(event),
    },
    // Numbers that would show it are not generated.
    Excuse { name: "numbers-beyond-a-double", fault: |_| false, event: |_| false },
];

fn adapter() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../adapters/ag-ui-core")
}

fn read_json(path: &Path) -> Option<Value> {
    serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()
}

/// Sees to it that the adapter can run.
fn install() -> Result<(), String> {
    let run = |command: &mut Command| match command.current_dir(adapter()).output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr))),
        Err(error) => Err(format!("{command:?}: {error}")),
    };
    run(Command::new("node").arg("--version"))?;
    let wanted = read_json(&adapter().join("package.json"))
        .expect("package.json is JSON")["dependencies"]["@ag-ui/core"]
        .clone();
    let installed = read_json(&adapter().join("node_modules/@ag-ui/core/package.json"));
    if installed.is_some_and(|package| package["version"] == wanted) {
        return Ok(());
    }
    run(Command::new("npm").args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]))
}

/// Which of these lines zod accepts.
fn zod(subject: Subject, lines: &[String]) -> Vec<bool> {
    let mut child = Command::new("node")
        .args(["judge.mjs", if subject == Subject::Event { "event" } else { "input" }])
        .current_dir(adapter())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = lines.join("\n");
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success());
    let answers = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<bool> = answers
        .lines()
        .map(|answer| match answer {
            "accept" => true,
            "reject" => false,
            other => panic!("{other}"),
        })
        .collect();
    assert_eq!(answers.len(), lines.len());
    answers
}

#[test]
fn zod_and_the_judge_agree() {
    if let Err(why) = install() {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "@ag-ui/core cannot be asked: {why}");
        eprintln!("SKIPPED: @ag-ui/core cannot be asked: {why}");
        return;
    }
    known_differences_show();
    let seed = shape_support::seed();
    let mut rng = Rng(seed);
    for (subject, count) in [(Subject::Event, EVENTS), (Subject::Input, INPUTS)] {
        let values: Vec<_> = (0..count).map(|_| any(subject, Version::V1_0, &mut rng)).collect();
        let lines: Vec<_> = values.iter().map(Value::to_string).collect();
        let mut shown: Vec<&str> = Vec::new();
        let (mut accepted, mut excused) = (0, 0);
        for ((value, line), accepts) in values.iter().zip(&lines).zip(zod(subject, &lines)) {
            accepted += usize::from(accepts);
            let found = faults(line, subject, Version::V1_0);
            if found.is_empty() == accepts {
                continue;
            }
            excused += 1;
            let mut why = if accepts {
                let excuse = |fault: &Fault| EXCUSES.iter().find(|e| (e.fault)(fault));
                found.iter().map(|f| excuse(f).map(|e| e.name)).collect::<Option<Vec<_>>>()
            } else {
                EXCUSES.iter().find(|e| (e.event)(value)).map(|e| vec![e.name])
            }
            .unwrap_or_else(|| {
                let verb = if accepts { "accepts" } else { "rejects" };
                panic!("seed {seed}: zod {verb} what we find {found:?} in: {line}")
            });
            shown.append(&mut why);
        }
        shown.sort_unstable();
        shown.dedup();
        eprintln!("{subject:?}: {accepted} of {count} accepted, {excused} excused by {shown:?}");
        assert!(accepted > count / 4 && accepted < count * 3 / 4, "{accepted} of {count}");
    }
}

/// Every difference listed is one, and the list is the one that the comparison goes by.
fn known_differences_show() {
    let text = std::fs::read_to_string(adapter().join("divergences.toml")).unwrap();
    let listed: toml::Table = text.parse().unwrap();
    let listed = listed["divergence"].as_array().unwrap();
    let field = |entry: &toml::Value, name: &str| entry[name].as_str().unwrap().to_owned();
    let names: Vec<_> = listed.iter().map(|entry| field(entry, "name")).collect();
    assert_eq!(names, EXCUSES.iter().map(|excuse| excuse.name).collect::<Vec<_>>());
    for entry in listed {
        let name = field(entry, "name");
        let subject = match &*field(entry, "subject") {
            "event" => Subject::Event,
            "input" => Subject::Input,
            other => panic!("{name}: {other}"),
        };
        let witness = field(entry, "witness");
        let verdict = |accepts: bool| if accepts { "accept" } else { "reject" };
        let found = faults(&witness, subject, Version::V1_0);
        assert_eq!(field(entry, "ours"), verdict(found.is_empty()), "{name}: {found:?}");
        let accepts = zod(subject, std::slice::from_ref(&witness))[0];
        assert_eq!(field(entry, "theirs"), verdict(accepts), "{name}");
        assert_ne!(found.is_empty(), accepts, "{name} is no difference");
        assert!(!field(entry, "why").is_empty() && !field(entry, "fault").is_empty(), "{name}");
    }
}
