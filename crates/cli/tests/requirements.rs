//! Every requirement that `check` judges has a broken case, a valid twin and a snapshot of
//! what is said; where the stream alone decides, also a fault of the generators and a rule of
//! the model.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use conform_check::Options;
use conform_check::registry::{self, Judge, Needs, Requirement};
use conform_corpus::{Case, Input, Replay, Verdict, load_all};
use conform_event::json;
use conform_generate::Fault;

/// The case of each requirement: `group/name` is the case `group-name`.
fn cases() -> BTreeMap<String, (PathBuf, Case)> {
    let all = load_all(&support::repository("corpus/requirements")).unwrap();
    all.into_iter().map(|(path, case)| (case.name.clone(), (path, case))).collect()
}

fn judged_by_check() -> impl Iterator<Item = &'static Requirement> {
    registry::all().filter(|entry| !matches!(entry.needs, Needs::Live | Needs::Probe))
}

fn case_name(entry: &Requirement) -> String {
    entry.id.replace('/', "-")
}

/// What the command says of a case, for a person.
fn said(path: &Path, case: &Case) -> String {
    let directory = tempfile::tempdir().unwrap();
    let extension = if matches!(case.input, Input::Sse(_)) { "sse" } else { "ndjson" };
    let name = format!("{}.{extension}", path.file_stem().unwrap().to_str().unwrap());
    std::fs::write(directory.path().join(&name), case.bytes()).unwrap();
    let mut command = support::command(&["check", &name]);
    command.current_dir(directory.path());
    if let Some(request) = &case.request {
        let request = serde_json::to_string(request).unwrap();
        std::fs::write(directory.path().join("request.json"), request).unwrap();
        command.args(["--request", "request.json"]);
    }
    support::finish(command, "").out
}

/// What the model finds in a case.
fn modelled(case: &Case) -> BTreeSet<&'static str> {
    let bytes = case.bytes();
    let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let events: Vec<json::Json<'_>> = lines.map(|line| json::read(line).unwrap().0).collect();
    conform_model::report(&events, None).into_iter().map(|(_, id)| id).collect()
}

#[test]
fn what_check_judges_is_covered() {
    let cases = cases();
    let faults: BTreeSet<&str> = Fault::RULES.into_iter().collect();
    let mut table = String::from("case twin snapshot fault model\n");
    let mut counts = [0; 5];
    let mut holes = Vec::new();
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../snapshots/requirements");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for entry in judged_by_check() {
        assert_ne!(entry.judge, Judge::None, "{}", entry.id);
        let name = case_name(entry);
        let (broken, twin) = (cases.get(&name), cases.get(&format!("{name}.twin")));
        let breaks = broken.is_some_and(|(_, case)| {
            let about = match case.expect.verdict {
                Verdict::Reject { requirement, .. } => requirement == entry,
                Verdict::Accept => false,
            };
            about && case.check(&Options::default()) == Ok(Replay::Agrees)
        });
        let keeps = twin.is_some_and(|(_, case)| {
            case.expect.verdict == Verdict::Accept
                && case.check(&Options::default()) == Ok(Replay::Agrees)
        });
        let mut has = [breaks, keeps, false, false, false];
        if let Some((path, case)) = broken {
            let said = said(path, case);
            has[2] = said.contains(entry.id);
            settings.bind(|| insta::assert_snapshot!(name.as_str(), said));
        }
        let of_stream = entry.needs == Needs::Stream;
        if of_stream {
            let named = match entry.judge {
                Judge::Rule(rule) => rule.as_str(),
                _ => entry.id,
            };
            has[3] = faults.contains(named);
            let found = |of: Option<&(PathBuf, Case)>| {
                of.is_some_and(|(_, case)| modelled(case).contains(entry.id))
            };
            has[4] = found(broken) && !found(twin);
        }
        for (count, has) in counts.iter_mut().zip(has) {
            *count += usize::from(has);
        }
        if has != [true, true, true, of_stream, of_stream] {
            holes.push(entry.id);
        }
        let mark = |has: bool| if has { "yes" } else { "-" };
        let row: Vec<&str> = has.into_iter().map(mark).collect();
        let _ = writeln!(table, "{:<40} {}", entry.id, row.join(" "));
    }
    println!("{table}{counts:?}");
    assert!(holes.is_empty(), "{holes:?}\n{table}");
    assert_eq!(counts, [73, 73, 73, 64, 64]);
    assert_eq!(cases.len(), 2 * 73, "every case is about a requirement");
}
