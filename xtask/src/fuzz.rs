//! `cargo xtask fuzz`: every fuzz target for some time. See docs/fuzzing.md.

mod seeds;

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

/// The targets, in the order in which they run.
const TARGETS: &[&str] = &["check_bytes", "agreement", "splits", "documents", "reports", "run_log"];

/// How long each target runs where nothing else is said, in seconds.
const SECONDS: u64 = 20;

/// No sanitizer: there is no unsafe code of ours to watch, and without one the same time is
/// worth several times as many executions.
const SANITIZER: [&str; 2] = ["-s", "none"];

/// What is to run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fuzz {
    seconds: u64,
    /// Only the seeds are written.
    seeds: bool,
    targets: Vec<&'static str>,
}

impl Fuzz {
    /// Reads the arguments. `None` where they make no sense.
    pub(crate) fn parse(args: &[&str]) -> Option<Self> {
        let mut fuzz = Self { seconds: SECONDS, seeds: false, targets: Vec::new() };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            match *arg {
                "--seconds" => fuzz.seconds = args.next()?.parse().ok().filter(|n| *n > 0)?,
                "--seeds" => fuzz.seeds = true,
                name => fuzz.targets.push(TARGETS.iter().find(|target| **target == name)?),
            }
        }
        if fuzz.targets.is_empty() {
            fuzz.targets = TARGETS.to_vec();
        }
        Some(fuzz)
    }

    /// Builds and runs. A machine without nightly Rust is told so, and that is no failure.
    pub(crate) fn run(&self, root: &Path) -> ExitCode {
        match self.try_run(root) {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => ExitCode::FAILURE,
            Err(message) => {
                eprintln!("xtask: FAILED: fuzz: {message}");
                ExitCode::FAILURE
            }
        }
    }

    fn try_run(&self, root: &Path) -> Result<bool, String> {
        if self.seeds {
            return seeds::write(root, &self.targets).map(|()| true);
        }
        if !answers(&["+nightly", "--version"]) {
            eprintln!(
                "!! SKIPPED  fuzz: nightly Rust is not installed, and cargo-fuzz needs it; \
                 get it with `{}`",
                crate::steps::NIGHTLY_RUST.install
            );
            return Ok(true);
        }
        install()?;
        seeds::write(root, &self.targets)?;
        let mut build = cargo_fuzz(root);
        build.arg("build").args(SANITIZER);
        eprintln!("xtask: {}", typed(&build));
        let status = build.status().map_err(|error| format!("cannot start cargo: {error}"))?;
        if !status.success() {
            return Err(format!("the targets do not build ({status})"));
        }
        let mut passed = true;
        for target in &self.targets {
            passed &= self.target(root, target)?;
        }
        Ok(passed)
    }

    /// Runs one target and prints a line about it.
    fn target(&self, root: &Path, target: &str) -> Result<bool, String> {
        let options = fs::read_to_string(root.join("fuzz/fuzz.options"))
            .map_err(|error| format!("cannot read fuzz/fuzz.options: {error}"))?;
        let path = root.join("fuzz/artifacts").join(format!("{target}.log"));
        let failed = |error| format!("cannot write {}: {error}", path.display());
        fs::create_dir_all(root.join("fuzz/artifacts").join(target)).map_err(failed)?;
        let log = File::create(&path).map_err(failed)?;
        let mut command = cargo_fuzz(root);
        command.arg("run").args(SANITIZER).arg(target).arg(format!("fuzz/corpus/{target}"));
        command.arg("--").args(flags(&options)).arg("-dict=fuzz/agui.dict");
        command.arg(format!("-max_total_time={}", self.seconds)).arg("-print_final_stats=1");
        let status = command
            .stdout(log.try_clone().map_err(failed)?)
            .stderr(log)
            .status()
            .map_err(|error| format!("cannot start cargo: {error}"))?;
        let said = fs::read(&path).map_err(failed)?;
        let said = String::from_utf8_lossy(&said);
        println!("{target:<12} {}", Stats::of(&said).text());
        if status.success() {
            return Ok(true);
        }
        eprintln!("xtask: FAILED: fuzz target {target} ({status}), the end of what it said:");
        eprintln!("{}", tail(&said, 60));
        eprintln!("xtask: all of it: {}\n       repeat it: {}", path.display(), typed(&command));
        Ok(false)
    }
}

/// `cargo +nightly fuzz` on our targets. `CARGO_TARGET_DIR` is obeyed.
fn cargo_fuzz(root: &Path) -> Command {
    let mut command = Command::new("cargo");
    command.args(["+nightly", "fuzz"]).current_dir(root).stdin(Stdio::null());
    // A trace of a crash that is only being looked for takes longer than the crash.
    command.env("RUST_BACKTRACE", "0");
    command
}

/// A command as one would type it.
fn typed(command: &Command) -> String {
    let mut line = String::from("cargo");
    for arg in command.get_args() {
        let _ = write!(line, " {}", arg.to_string_lossy());
    }
    line
}

fn answers(args: &[&str]) -> bool {
    let mut command = Command::new("cargo");
    command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn install() -> Result<(), String> {
    if answers(&["fuzz", "--version"]) {
        return Ok(());
    }
    eprintln!("!! cargo-fuzz is not installed: cargo install cargo-fuzz --locked");
    let status = Command::new("cargo")
        .args(["install", "cargo-fuzz", "--locked"])
        .stdin(Stdio::null())
        .status()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err("cannot install cargo-fuzz".to_owned()) }
}

/// libFuzzer's flags: the options file says the same to ClusterFuzzLite.
fn flags(options: &str) -> Vec<String> {
    let pairs = options.lines().filter_map(|line| line.split_once('='));
    pairs.map(|(name, value)| format!("-{}={}", name.trim(), value.trim())).collect()
}

/// What libFuzzer says at its end.
#[derive(Debug, Default, PartialEq, Eq)]
struct Stats {
    executions: Option<u64>,
    per_second: Option<u64>,
    peak_mib: Option<u64>,
}

impl Stats {
    fn of(said: &str) -> Self {
        let stat = |name: &str| {
            let after =
                said.lines().rev().find_map(|line| line.strip_prefix("stat::")?.strip_prefix(name));
            after?.strip_prefix(':')?.trim().parse().ok()
        };
        Self {
            executions: stat("number_of_executed_units"),
            per_second: stat("average_exec_per_sec"),
            peak_mib: stat("peak_rss_mb"),
        }
    }

    fn text(&self) -> String {
        let shown = |number: Option<u64>| number.map_or_else(|| "?".to_owned(), |n| n.to_string());
        format!(
            "{:>9} executions, {:>6} a second, at most {} MiB",
            shown(self.executions),
            shown(self.per_second),
            shown(self.peak_mib)
        )
    }
}

fn tail(text: &str, lines: usize) -> String {
    let all: Vec<&str> = text.lines().collect();
    all[all.len().saturating_sub(lines)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
    }

    fn read(path: &str) -> String {
        fs::read_to_string(root().join(path)).unwrap()
    }

    #[test]
    fn arguments() {
        let all = Fuzz { seconds: SECONDS, seeds: false, targets: TARGETS.to_vec() };
        assert_eq!(Fuzz::parse(&[]), Some(all));
        let one = Fuzz { seconds: 600, seeds: false, targets: vec!["splits"] };
        assert_eq!(Fuzz::parse(&["--seconds", "600", "splits"]), Some(one));
        assert!(Fuzz::parse(&["--seeds"]).is_some_and(|fuzz| fuzz.seeds));
        for wrong in [&["--seconds"][..], &["--seconds", "0"], &["split"], &["--quick"]] {
            assert_eq!(Fuzz::parse(wrong), None, "{wrong:?}");
        }
    }

    /// A target that is not in the list is not run.
    #[test]
    fn every_target_is_in_the_list_and_short() {
        let mut names = Vec::new();
        for entry in fs::read_dir(root().join("fuzz/fuzz_targets")).unwrap() {
            let path = entry.unwrap().path();
            assert!(fs::read_to_string(&path).unwrap().lines().count() < 25, "{path:?}");
            names.push(path.file_stem().unwrap().to_string_lossy().into_owned());
        }
        let mut listed = TARGETS.to_vec();
        names.sort();
        listed.sort_unstable();
        assert_eq!(names, listed);
    }

    /// The event types and the members, as the sources write them.
    #[test]
    fn the_dictionary_is_whole() {
        let dictionary = read("fuzz/agui.dict");
        let types = read("crates/event/src/types.rs");
        let types = types.split('"').skip(1).step_by(2);
        let name = |text: &&str| {
            !text.is_empty() && text.bytes().all(|b| b.is_ascii_uppercase() || b == b'_')
        };
        let mut words: Vec<_> = types.filter(name).map(|name| format!("\"{name}\"")).collect();
        assert!(words.len() > 31, "{words:?}");
        for file in ["events", "nested", "table"] {
            let table = read(&format!("crates/event/src/shape/{file}.rs"));
            for row in ["must(\"", "may(\""] {
                let names = table.split(row).skip(1).filter_map(|rest| rest.split('"').next());
                words.extend(names.map(|name| format!("\"\\\"{name}\\\":\"")));
            }
        }
        assert!(words.len() > 100, "{words:?}");
        words.retain(|word| !dictionary.lines().any(|line| line == word));
        assert!(words.is_empty(), "add to fuzz/agui.dict: {words:?}");
    }

    /// The escapes, as our reader of JSON knows them, and what steers.
    #[test]
    fn the_dictionary_has_escapes_and_what_steers() {
        let dictionary = read("fuzz/agui.dict");
        let reader = read("crates/event/src/json.rs");
        let (_, escape) = reader.split_once("fn escape(").unwrap();
        let (escape, _) = escape.split_once("self.error(").unwrap();
        let letters = escape.split("Some(b'").skip(1).filter_map(|rest| rest.split("')").next());
        let letters: Vec<_> = letters.map(|letter| letter.trim_start_matches('\\')).collect();
        assert_eq!(letters.len(), 9, "{letters:?}");
        // A backslash is written twice, and so is the one that a quotation mark needs.
        let mut words: Vec<_> = letters
            .iter()
            .map(|letter| match *letter {
                "" => r#""\\\\""#.to_owned(),
                "\"" => r#""\\\"""#.to_owned(),
                "u" => r#""\\u0000""#.to_owned(),
                letter => format!(r#""\\{letter}""#),
            })
            .collect();
        for word in [r"\\ud83d\\ude00", r"\\ud800", r"\\udc00", r"\x1b[", r"\\u001b["] {
            words.push(format!("\"{word}\""));
        }
        for steering in ["\u{202e}", "\u{2066}", "\u{200b}"] {
            let bytes: Vec<_> = steering.bytes().map(|byte| format!("\\x{byte:02x}")).collect();
            let bytes = bytes.concat();
            let escape = steering.escape_unicode().to_string().replace(['{', '}'], "");
            words.extend([format!("\"{bytes}\""), format!("\"\\{escape}\"")]);
        }
        words.retain(|word| !dictionary.lines().any(|line| line == word));
        assert!(words.is_empty(), "add to fuzz/agui.dict: {words:?}");
    }

    /// Where nightly Rust is missing, the step is skipped, and nobody reads what CI says.
    #[test]
    fn the_workflows_install_nightly_rust_before_the_tests() {
        for (workflow, tests) in [("ci", "run: .ci/run"), ("nightly", "run: cargo xtask nightly")] {
            let text = read(&format!(".github/workflows/{workflow}.yml"));
            let (before, _) = text.split_once(tests).unwrap();
            let install = format!("run: {}\n", crate::steps::NIGHTLY_RUST.install);
            assert!(before.contains(&install), "{workflow}.yml does not `{install}`");
        }
    }

    #[test]
    fn the_options_become_flags() {
        let flags = flags(&read("fuzz/fuzz.options"));
        for needed in ["-rss_limit_mb=2048", "-timeout=10"] {
            assert!(flags.iter().any(|flag| flag == needed), "{flags:?}");
        }
        assert!(flags.iter().any(|flag| flag.starts_with("-max_len=")), "{flags:?}");
    }

    #[test]
    fn the_last_statistics_are_read() {
        let said = "stat::number_of_executed_units: 7\n#9 NEW\n\
                    stat::number_of_executed_units: 4096\nstat::average_exec_per_sec:     204\n";
        let stats = Stats::of(said);
        assert_eq!(stats.executions, Some(4096));
        assert_eq!(stats.text(), "     4096 executions,    204 a second, at most ? MiB");
        assert_eq!(Stats::of("killed"), Stats::default());
    }

    #[test]
    fn the_end_is_shown() {
        assert_eq!(tail("a\nb\nc", 2), "b\nc");
        assert_eq!(tail("a", 2), "a");
    }
}
