//! Running a table of steps: in order, up to the first failure.

use crate::steps::{ENVIRONMENT, Need, Step};
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

/// What becomes of a step on this machine.
#[derive(Debug, PartialEq, Eq)]
enum Plan {
    /// It runs as its row says.
    Run,
    /// Something is missing, and the row's other command runs.
    Instead(String),
    /// It does not run, and why.
    Skip(String),
}

fn plan(step: &Step, quick: bool, installed: &dyn Fn(&Need) -> bool) -> Plan {
    if quick && !step.quick {
        return Plan::Skip("--quick".to_owned());
    }
    let Some(missing) = step.needs.iter().find(|need| !installed(need)) else {
        return Plan::Run;
    };
    let why = format!("{} is not installed; get it with `{}`", missing.tool, missing.install);
    if step.instead.is_empty() { Plan::Skip(why) } else { Plan::Instead(why) }
}

/// Whether a needed tool answers on this machine.
fn installed(need: &Need) -> bool {
    let Some((program, args)) = need.probe.split_first() else {
        return true;
    };
    Command::new(program)
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// A command as one would type it.
fn typed(env: &[(&str, &str)], command: &[&str]) -> String {
    let mut line = String::new();
    for (name, value) in env {
        let _ = write!(line, "{name}='{value}' ");
    }
    line + &command.join(" ")
}

/// What is said before the last step about those that did not run as their row says.
/// `None` where there is nothing to say.
fn notices<'a>(plans: impl Iterator<Item = (&'a Step, &'a Plan)>) -> Option<String> {
    let mut text = String::new();
    let (mut skipped, mut replaced) = (Vec::new(), Vec::new());
    for (step, plan) in plans {
        match plan {
            Plan::Run => {}
            Plan::Skip(why) => {
                skipped.push(step.name);
                let _ = writeln!(text, "!! SKIPPED  {}: {why}", step.name);
            }
            Plan::Instead(why) => {
                replaced.push(step.name);
                let other = typed(step.env, step.instead);
                let _ = writeln!(text, "!! REPLACED {}: {why}; instead `{other}`", step.name);
            }
        }
    }
    let list = |names: &[&str]| {
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    };
    let _ = write!(text, "!! skipped: {}; replaced: {}", list(&skipped), list(&replaced));
    (!skipped.is_empty() || !replaced.is_empty()).then_some(text)
}

/// Prints a table without running it.
pub(crate) fn list(steps: &[&Step]) {
    for step in steps {
        println!("{:<26} {}", step.name, step.why);
        println!("{:<26} $ {}", "", typed(step.env, step.command));
        for need in step.needs {
            println!("{:<26} needs {}", "", need.tool);
        }
        if !step.instead.is_empty() {
            println!("{:<26} else $ {}", "", typed(step.env, step.instead));
        }
        if !step.quick {
            println!("{:<26} not with --quick", "");
        }
    }
}

/// Runs a table. Nothing is printed after the last step, which has a summary of its own.
pub(crate) fn run(root: &Path, steps: &[&Step], quick: bool) -> ExitCode {
    let plans: Vec<_> = steps.iter().map(|&step| (step, plan(step, quick, &installed))).collect();
    let count = plans.len();
    let began = Instant::now();
    for (index, (step, plan)) in plans.iter().enumerate() {
        let last = index + 1 == count;
        if last {
            let skipped =
                plans[..index].iter().filter(|(_, plan)| matches!(plan, Plan::Skip(_))).count();
            let passed = index - skipped;
            eprintln!("xtask: {passed} passed, {skipped} skipped in {}; last:", seconds(began));
            if let Some(text) = notices(plans.iter().map(|(step, plan)| (*step, plan))) {
                eprintln!("{text}");
            }
        }
        let name = step.name;
        let command = match plan {
            Plan::Run => step.command,
            Plan::Instead(_) => step.instead,
            Plan::Skip(why) => {
                eprintln!("xtask: {}/{count} {name}: SKIPPED: {why}", index + 1);
                continue;
            }
        };
        let line = typed(step.env, command);
        eprintln!("xtask: {}/{count} {name}: {}\n       $ {line}", index + 1, step.why);
        let start = Instant::now();
        let Some((program, args)) = command.split_first() else {
            continue;
        };
        let status = Command::new(program)
            .args(args)
            .envs(ENVIRONMENT.iter().copied())
            .envs(step.env.iter().copied())
            .current_dir(root)
            .stdin(Stdio::null())
            .status();
        let took = seconds(start);
        match status {
            Ok(status) if status.success() => {
                if !last {
                    eprintln!("xtask: {}/{count} {name}: ok in {took}", index + 1);
                }
            }
            Ok(_) if last => return ExitCode::FAILURE,
            Ok(status) => {
                eprintln!(
                    "xtask: FAILED: step {name} after {took} ({status}); \
                     the steps after it did not run\n       repeat it: {line}"
                );
                return ExitCode::FAILURE;
            }
            Err(error) => {
                eprintln!("xtask: FAILED: step {name}: cannot start `{program}`: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

fn seconds(since: Instant) -> String {
    format!("{:.1} s", since.elapsed().as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steps::{NIGHTLY, TEST};

    fn step(name: &str) -> &'static Step {
        TEST.iter().find(|step| step.name == name).unwrap()
    }

    #[test]
    fn rows_are_complete_and_names_are_unique() {
        let rows: Vec<_> = TEST.iter().chain(NIGHTLY).collect();
        for (index, row) in rows.iter().enumerate() {
            assert!(!row.name.is_empty() && !row.why.is_empty(), "{row:?}");
            assert!(!row.command.is_empty(), "{row:?}");
            assert!(rows[..index].iter().all(|other| other.name != row.name), "{row:?}");
        }
    }

    #[test]
    fn the_tests_come_last_and_are_never_skipped() {
        let last = TEST.last().unwrap();
        assert_eq!(last.name, "tests");
        assert_eq!(plan(last, true, &|_| true), Plan::Run);
        assert!(matches!(plan(last, true, &|_| false), Plan::Instead(_)));
    }

    #[test]
    fn quick_leaves_out_what_is_slow() {
        let left_out: Vec<_> = TEST
            .iter()
            .filter(|step| matches!(plan(step, true, &|_| true), Plan::Skip(_)))
            .map(|step| step.name)
            .collect();
        assert_eq!(left_out, ["rustdoc", "build-release", "tests-release", "fuzz"]);
        assert!(TEST.iter().all(|step| plan(step, false, &|_| true) == Plan::Run));
    }

    #[test]
    fn what_is_missing_without_a_replacement_is_skipped_with_the_way_to_get_it() {
        let needs = step("tests").needs;
        let step =
            Step { name: "x", why: "x", needs, instead: &[], command: &["x"], ..*step("format") };
        let Plan::Skip(why) = plan(&step, false, &|_| false) else { panic!("not skipped") };
        assert!(why.contains("cargo install cargo-nextest"), "{why}");
    }

    #[test]
    fn notices_name_every_step_that_did_not_run_as_written() {
        let skip = Plan::Skip("--quick".to_owned());
        let instead = Plan::Instead("cargo-nextest is not installed".to_owned());
        let plans =
            [(step("format"), &Plan::Run), (step("rustdoc"), &skip), (step("tests"), &instead)];
        let text = notices(plans.into_iter()).unwrap();
        assert!(text.contains("SKIPPED  rustdoc: --quick"), "{text}");
        assert!(text.contains("instead `cargo test --workspace"), "{text}");
        assert!(text.ends_with("!! skipped: rustdoc; replaced: tests"), "{text}");
        assert_eq!(notices([(step("format"), &Plan::Run)].into_iter()), None);
    }

    #[test]
    fn a_missing_program_is_not_installed() {
        let need = Need { tool: "t", probe: &["no-such-program-here"], install: "" };
        assert!(!installed(&need));
        assert!(installed(&Need { probe: &["cargo", "--version"], ..need }));
    }

    #[test]
    fn a_failing_step_stops_the_run() {
        let format = step("format");
        let fails = Step { name: "f", command: &["cargo", "no-such-command"], ..*format };
        let passes = Step { name: "p", command: &["cargo", "--version"], ..*format };
        let code = |steps: &[&Step]| format!("{:?}", run(Path::new("."), steps, false));
        let (good, bad) = (format!("{:?}", ExitCode::SUCCESS), format!("{:?}", ExitCode::FAILURE));
        assert_eq!(code(&[&passes, &passes]), good);
        assert_eq!(code(&[&fails, &passes]), bad);
        assert_eq!(code(&[&passes, &fails]), bad);
    }
}
