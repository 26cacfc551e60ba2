//! `cargo xtask mutants`: no small change to the verifier or the run-log validator goes
//! unnoticed, except those that are listed with a reason.

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

/// The list of survivors that are known, from the repository's root.
const ACCEPTED: &str = "xtask/mutants-accepted.txt";

/// A package whose code is changed.
struct Changed {
    package: &'static str,
    /// The packages whose tests judge it: those that depend on it. conform-model and
    /// conform-generate never see the verifier.
    judges: &'static [&'static str],
    /// Files that are no part of what is judged.
    without: &'static [&'static str],
}

const CHANGED: &[Changed] = &[
    Changed {
        package: "conform-verify",
        judges: &[
            "conform-verify",
            "conform-check",
            "conform-corpus",
            "conform-subject",
            "agui-conform",
        ],
        without: &[],
    },
    Changed {
        package: "conform-run-log",
        judges: &["conform-run-log"],
        // The model and the generators are the other opinions.
        without: &[
            "crates/run-log/src/call.rs",
            "crates/run-log/src/model.rs",
            "crates/run-log/src/strategy.rs",
            "crates/run-log/src/generate.rs",
            "crates/run-log/src/generate/*",
        ],
    },
];

/// How often each name occurs. Names are without positions, so they are not unique.
type Names = BTreeMap<String, usize>;

/// Runs cargo-mutants and compares its survivors with the list.
pub(crate) fn main(root: &Path, extra: &[&str]) -> ExitCode {
    match judge(root, extra) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("xtask: FAILED: mutants: {message}");
            ExitCode::FAILURE
        }
    }
}

fn judge(root: &Path, extra: &[&str]) -> Result<bool, String> {
    // Before the hours, not after them.
    let text = std::fs::read_to_string(root.join(ACCEPTED))
        .map_err(|error| format!("cannot read {ACCEPTED}: {error}"))?;
    let accepted = read_accepted(&text)?;
    install()?;
    let mut all = Names::new();
    for changed in CHANGED {
        list(root, changed, &mut all)?;
    }
    let mut outcomes = Outcomes::default();
    for changed in CHANGED {
        // Named so that an `--output` among the extra arguments is refused as a repetition.
        let mut command = mutants(root, changed);
        command.arg("--output").arg(root);
        command.args(changed.judges.iter().flat_map(|judge| ["--test-package", judge]));
        command.args(extra);
        eprintln!("xtask: {command:?}");
        let status = command.status().map_err(|error| format!("cannot start cargo: {error}"))?;
        // 2: some were missed; 3: some timed out. Everything else did not come to the end.
        if !matches!(status.code(), Some(0 | 2 | 3)) {
            return Err(format!("cargo mutants did not finish its work ({status})"));
        }
        let path = root.join("mutants.out/outcomes.json");
        let json = std::fs::read_to_string(&path)
            .map_err(|error| format!("cannot read mutants.out/outcomes.json: {error}"))?;
        read_outcomes(&json, &mut outcomes)?;
    }
    let comparison = compare(&accepted, &outcomes, &all);
    print!("{}", comparison.text(&outcomes));
    Ok(comparison.passes())
}

/// cargo-mutants on a package.
fn mutants(root: &Path, changed: &Changed) -> Command {
    let mut command = Command::new("cargo");
    command
        .args(["mutants", "--package", changed.package])
        .args(changed.without.iter().flat_map(|file| ["--exclude", file]))
        .envs(crate::steps::ENVIRONMENT.iter().copied())
        .current_dir(root)
        .stdin(Stdio::null());
    command
}

fn install() -> Result<(), String> {
    let found = Command::new("cargo")
        .args(["mutants", "--version"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if found.is_ok_and(|status| status.success()) {
        return Ok(());
    }
    eprintln!("!! cargo-mutants is not installed: cargo install cargo-mutants --locked");
    let status = Command::new("cargo")
        .args(["install", "cargo-mutants", "--locked"])
        .stdin(Stdio::null())
        .status()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err("cannot install cargo-mutants".to_owned()) }
}

/// Every mutant that there is, whatever the extra arguments leave out.
fn list(root: &Path, changed: &Changed, names: &mut Names) -> Result<(), String> {
    let output = mutants(root, changed)
        .args(["--list", "--colors", "never"])
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo mutants --list failed ({})", output.status));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().for_each(|line| add(names, line));
    if text.is_empty() { Err(format!("{} has no mutants", changed.package)) } else { Ok(()) }
}

fn add(names: &mut Names, name: &str) {
    *names.entry(without_position(name)).or_default() += 1;
}

/// `src/a.rs:12:5: replace …` without `:12:5`, so that the list outlives an edit above.
fn without_position(name: &str) -> String {
    let name = name.trim();
    let Some((place, change)) = name.split_once(": ") else {
        return name.to_owned();
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let mut path = place;
    for _ in 0..2 {
        if let Some((before, number)) = path.rsplit_once(':')
            && digits(number)
        {
            path = before;
        }
    }
    format!("{path}: {change}")
}

/// Reads the list: a name a line, ` # `, the reason.
fn read_accepted(text: &str) -> Result<Names, String> {
    let mut names = Names::new();
    for (index, line) in text.lines().map(str::trim).enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (name, reason) = line.split_once(" #").unwrap_or((line, ""));
        if reason.trim().is_empty() {
            return Err(format!("{ACCEPTED}:{}: no ` # reason`: {line}", index + 1));
        }
        add(&mut names, name);
    }
    Ok(names)
}

/// What cargo-mutants found out.
#[derive(Debug, Default)]
struct Outcomes {
    caught: usize,
    unviable: usize,
    missed: usize,
    timeout: usize,
    /// Missed or timed out.
    survived: Names,
    tested: Names,
}

/// Adds what a run found out.
fn read_outcomes(json: &str, outcomes: &mut Outcomes) -> Result<(), String> {
    let broken = |what: &str| format!("mutants.out/outcomes.json: {what}");
    let value: Value = serde_json::from_str(json).map_err(|error| broken(&error.to_string()))?;
    let list = value["outcomes"].as_array().ok_or_else(|| broken("no list `outcomes`"))?;
    for outcome in list {
        if outcome["scenario"] == "Baseline" {
            continue;
        }
        let name = outcome["scenario"]["Mutant"]["name"]
            .as_str()
            .ok_or_else(|| broken("an outcome without the name of its mutant"))?;
        let count = match outcome["summary"].as_str() {
            Some("CaughtMutant") => &mut outcomes.caught,
            Some("Unviable") => &mut outcomes.unviable,
            Some("MissedMutant") => &mut outcomes.missed,
            Some("Timeout") => &mut outcomes.timeout,
            other => return Err(broken(&format!("{name} ended as {other:?}"))),
        };
        *count += 1;
        if matches!(outcome["summary"].as_str(), Some("MissedMutant" | "Timeout")) {
            add(&mut outcomes.survived, name);
        }
        add(&mut outcomes.tested, name);
    }
    Ok(())
}

/// The survivors against the list.
#[derive(Debug, Default, PartialEq, Eq)]
struct Comparison {
    /// Survived and not listed.
    unlisted: Names,
    /// Listed and did not survive, or is no mutant any more.
    stale: Names,
    /// Listed and not tested this time (`--shard` and its like): says nothing.
    untested: Names,
    /// How many mutants were tested.
    tested: usize,
    /// How many mutants there are.
    total: usize,
}

fn compare(accepted: &Names, outcomes: &Outcomes, all: &Names) -> Comparison {
    let count = |names: &Names, name: &str| names.get(name).copied().unwrap_or(0);
    let mut comparison = Comparison {
        tested: outcomes.tested.values().sum(),
        total: all.values().sum(),
        ..Comparison::default()
    };
    for (name, &survived) in &outcomes.survived {
        let unlisted = survived.saturating_sub(count(accepted, name));
        comparison.unlisted.insert(name.clone(), unlisted);
    }
    for (name, &listed) in accepted {
        let excess = listed.saturating_sub(count(&outcomes.survived, name));
        let untested = count(all, name).saturating_sub(count(&outcomes.tested, name));
        comparison.untested.insert(name.clone(), excess.min(untested));
        comparison.stale.insert(name.clone(), excess.saturating_sub(untested));
    }
    for names in [&mut comparison.unlisted, &mut comparison.stale, &mut comparison.untested] {
        names.retain(|_, times| *times > 0);
    }
    comparison
}

impl Comparison {
    /// A run that tested nothing has shown nothing.
    fn passes(&self) -> bool {
        self.unlisted.is_empty() && self.stale.is_empty() && self.tested > 0
    }

    fn text(&self, outcomes: &Outcomes) -> String {
        let mut lines = Vec::new();
        let mut say = |names: &Names, what: &str| {
            for (name, &times) in names {
                lines.push(format!("{what} ({times}x): {name}"));
            }
        };
        say(&self.untested, "listed, not tested this time");
        say(&self.stale, "STALE, take it off the list");
        say(&self.unlisted, "SURVIVED, and is not listed");
        let Outcomes { caught, missed, unviable, timeout, .. } = outcomes;
        lines.push(format!(
            "mutants: {} of {} tested: {caught} caught, {missed} missed, {unviable} unviable, \
             {timeout} timeout",
            self.tested, self.total
        ));
        let verdict = if self.passes() { "ok" } else { "FAILED" };
        lines.push(format!("mutants: {verdict}; the list is {ACCEPTED}\n"));
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&str]) -> Names {
        let mut names = Names::new();
        for name in list {
            add(&mut names, name);
        }
        names
    }

    fn outcomes(list: &[(&str, &str)]) -> Outcomes {
        let list: Vec<Value> = list
            .iter()
            .map(|(name, summary)| {
                serde_json::json!({"scenario": {"Mutant": {"name": name}}, "summary": summary})
            })
            .chain([serde_json::json!({"scenario": "Baseline", "summary": "Success"})])
            .collect();
        let mut outcomes = Outcomes::default();
        read_outcomes(&serde_json::json!({ "outcomes": list }).to_string(), &mut outcomes).unwrap();
        outcomes
    }

    const A: &str = "src/a.rs:1:2: replace f -> bool with true";
    const B: &str = "src/a.rs:3:4: replace == with != in f";
    const B_AGAIN: &str = "src/a.rs:5:6: replace == with != in f";

    #[test]
    fn positions_do_not_count() {
        assert_eq!(without_position(A), "src/a.rs: replace f -> bool with true");
        assert_eq!(without_position("src/a.rs: replace f"), "src/a.rs: replace f");
        assert_eq!(without_position("src/a.rs:1:2: replace a: b"), "src/a.rs: replace a: b");
        assert_eq!(without_position("no colon"), "no colon");
        assert_eq!(without_position(B), without_position(B_AGAIN));
    }

    #[test]
    fn outcomes_are_counted_and_the_baseline_is_not() {
        let got = outcomes(&[
            (A, "CaughtMutant"),
            (B, "MissedMutant"),
            (B_AGAIN, "Timeout"),
            ("src/b.rs:1:1: replace g with ()", "Unviable"),
        ]);
        assert_eq!((got.caught, got.missed, got.timeout, got.unviable), (1, 1, 1, 1));
        assert_eq!(got.survived, names(&[B, B_AGAIN]));
        assert_eq!(got.tested.values().sum::<usize>(), 4);
    }

    #[test]
    fn outcomes_that_cannot_be_understood_are_an_error() {
        for json in [
            "{",
            "{}",
            r#"{"outcomes":[{"scenario":{"Mutant":{"name":"m"}},"summary":"Success"}]}"#,
            r#"{"outcomes":[{"scenario":{"Mutant":{}},"summary":"CaughtMutant"}]}"#,
        ] {
            assert!(read_outcomes(json, &mut Outcomes::default()).is_err(), "{json}");
        }
    }

    #[test]
    fn the_list_needs_a_reason_for_every_name() {
        let text = format!("# about\n\n{A} # never called with false\n{B} # same value\n");
        assert_eq!(read_accepted(&text).unwrap(), names(&[A, B]));
        for line in [A, "src/a.rs: replace f #", "src/a.rs: replace f #  "] {
            let error = read_accepted(&format!("# about\n{line}\n")).unwrap_err();
            assert!(error.contains("mutants-accepted.txt:2: no ` # reason`"), "{error}");
        }
    }

    #[test]
    fn the_list_in_the_repository_can_be_read() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("mutants-accepted.txt");
        read_accepted(&std::fs::read_to_string(path).unwrap()).unwrap();
    }

    #[test]
    fn a_listed_survivor_passes() {
        let got = compare(
            &names(&[B]),
            &outcomes(&[(A, "CaughtMutant"), (B, "MissedMutant")]),
            &names(&[A, B]),
        );
        assert_eq!(got, Comparison { tested: 2, total: 2, ..Comparison::default() });
        assert!(got.passes());
    }

    #[test]
    fn an_unlisted_survivor_fails_whether_missed_or_timed_out() {
        for summary in ["MissedMutant", "Timeout"] {
            let outcomes = outcomes(&[(A, summary)]);
            let got = compare(&Names::new(), &outcomes, &names(&[A]));
            assert_eq!(got.unlisted, names(&[A]));
            assert!(!got.passes());
            let text = got.text(&outcomes);
            assert!(
                text.contains("SURVIVED, and is not listed (1x): src/a.rs: replace f"),
                "{text}"
            );
        }
    }

    #[test]
    fn a_second_survivor_of_a_listed_name_fails() {
        let outcomes = outcomes(&[(B, "MissedMutant"), (B_AGAIN, "MissedMutant")]);
        let all = names(&[B, B_AGAIN]);
        assert_eq!(compare(&names(&[B]), &outcomes, &all).unlisted, names(&[B]));
        assert!(compare(&names(&[B, B]), &outcomes, &all).passes());
    }

    #[test]
    fn a_listed_name_that_is_caught_or_gone_is_stale() {
        let outcomes = outcomes(&[(A, "CaughtMutant")]);
        for listed in [A, B] {
            let got = compare(&names(&[listed]), &outcomes, &names(&[A]));
            assert_eq!(got.stale, names(&[listed]));
            assert!(!got.passes());
            assert!(got.text(&outcomes).contains("STALE"));
        }
    }

    #[test]
    fn a_listed_name_that_a_part_run_left_out_is_not_stale() {
        let got = compare(&names(&[B]), &outcomes(&[(A, "CaughtMutant")]), &names(&[A, B]));
        assert_eq!(got.untested, names(&[B]));
        assert!(got.passes());
        // One of the two was tested and caught; the other one may be the survivor.
        let got = compare(&names(&[B]), &outcomes(&[(B, "CaughtMutant")]), &names(&[B, B_AGAIN]));
        assert!(got.passes(), "{got:?}");
    }

    #[test]
    fn a_run_that_tested_nothing_fails() {
        assert!(!compare(&Names::new(), &Outcomes::default(), &names(&[A])).passes());
    }
}
