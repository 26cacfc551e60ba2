//! Every command that README.md and docs/ print is run, or is on a list that says why not.
//!
//! In a `console` fence the lines that start with `$ ` are commands, in an `sh` fence all are.
//! A command that ends in `\` goes on in the next line. `# exit 1` at its end says that it
//! exits so; without it, it must exit with 0.

use serde_json::Value;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Commands that are not run here: how they start, and why that is right.
const NOT_RUN: &[(&str, &str)] = &[
    ("cargo xtask ", "runs this very test, or takes hours"),
    ("cargo install ", "changes the machine"),
    ("git clone ", "fetches what is here already"),
    (".ci/run", "runs this very test"),
];

/// How a command line starts that runs the built program, and what is left to run then.
const RUN: &[(&str, &str)] =
    &[("cargo run --release -- ", "agui-conform "), ("agui-conform ", "agui-conform ")];

/// How many were run: the tests of this file may run in one process, at the same time.
static RUNS: AtomicUsize = AtomicUsize::new(0);

const TIME_LIMIT: Duration = Duration::from_secs(60);

/// A printed command.
#[derive(Debug, PartialEq, Eq)]
struct Printed {
    line: usize,
    text: String,
}

/// What to do with it.
#[derive(Debug, PartialEq, Eq)]
enum Todo {
    Run { script: String, exit: i32 },
    Leave,
}

/// Finds the commands of a page.
fn commands(page: &str) -> Result<Vec<Printed>, String> {
    let mut found: Vec<Printed> = Vec::new();
    // The fence we are in: its marks, and its language.
    let mut fence: Option<(&str, &str)> = None;
    let mut goes_on = false;
    for (index, raw) in page.lines().enumerate() {
        let (number, line) = (index + 1, raw.trim());
        let marks = |mark| line.len() - line.trim_start_matches(mark).len();
        let length = marks('`').max(marks('~'));
        let Some((open, language)) = fence else {
            if length >= 3 {
                let (open, info) = line.split_at(length);
                let language = info.split_whitespace().next().unwrap_or("");
                if ["bash", "shell", "zsh", "shell-session", "sh-session"].contains(&language) {
                    return Err(format!("{number}: write `sh` or `console`, not `{language}`"));
                }
                fence = Some((open, language));
            }
            continue;
        };
        if line.starts_with(open) && length == line.len() {
            if goes_on {
                return Err(format!("{number}: the command before goes on, and the fence ends"));
            }
            fence = None;
            continue;
        }
        if goes_on {
            let Some(last) = found.last_mut() else {
                continue;
            };
            let more = line.strip_prefix("> ").unwrap_or(line);
            goes_on = more.ends_with('\\');
            last.text.push_str(more.trim_end_matches('\\'));
            continue;
        }
        let command = match language {
            "console" => line.strip_prefix("$ "),
            "sh" => Some(line).filter(|line| !line.is_empty() && !line.starts_with('#')),
            _ => None,
        };
        if let Some(command) = command {
            goes_on = command.ends_with('\\');
            let text = command.trim_end_matches('\\').to_owned();
            found.push(Printed { line: number, text });
        }
    }
    if fence.is_some() { Err("a fence does not end".to_owned()) } else { Ok(found) }
}

/// Decides about a command.
fn todo(command: &str) -> Result<Todo, String> {
    let command = command.trim();
    // `cargo xtask ` must not let `cargo xtaskset` through, but `.ci/run` may stand alone.
    let padded = format!("{command} ");
    if NOT_RUN.iter().any(|(start, _)| padded.starts_with(start)) {
        return Ok(Todo::Leave);
    }
    for (start, replacement) in RUN {
        if let Some(rest) = padded.strip_prefix(start) {
            let exit = match command.rsplit_once("# exit ") {
                None => 0,
                Some((_, code)) => {
                    code.trim().parse().map_err(|_| format!("`# exit {code}` is no exit status"))?
                }
            };
            return Ok(Todo::Run { script: format!("{replacement}{rest}"), exit });
        }
    }
    Err("this test does not know such a command: it must start with `cargo run --release -- ` \
         or `agui-conform `, or be on the list NOT_RUN with a reason"
        .to_owned())
}

/// README.md and all pages below docs/, from the root.
fn pages(root: &Path) -> Vec<PathBuf> {
    let mut pages = vec![PathBuf::from("README.md")];
    let mut folders = vec![PathBuf::from("docs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder)).into_iter().flatten().flatten() {
            let path = folder.join(entry.file_name());
            if root.join(&path).is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path);
            }
        }
    }
    pages[1..].sort();
    pages
}

/// All that is to be run (place, what is printed, script, exit status), and all that is wrong.
type Work = (Vec<(String, String, String, i32)>, Vec<String>);

fn collect(root: &Path) -> Work {
    let (mut work, mut wrong) = (Vec::new(), Vec::new());
    for page in pages(root) {
        let name = page.display();
        let printed = fs::read_to_string(root.join(&page))
            .map_err(|error| error.to_string())
            .and_then(|text| commands(&text));
        let printed = match printed {
            Ok(printed) => printed,
            Err(message) => {
                wrong.push(format!("{name}: {message}"));
                Vec::new()
            }
        };
        if printed.is_empty() && page == Path::new("README.md") {
            wrong.push("README prints no command".to_owned());
        }
        for Printed { line, text } in printed {
            match todo(&text) {
                Ok(Todo::Leave) => {}
                Ok(Todo::Run { script, exit }) => {
                    work.push((format!("{name}:{line}"), text, script, exit));
                }
                Err(message) => wrong.push(format!("{name}:{line}: {text}\n  {message}")),
            }
        }
    }
    (work, wrong)
}

/// The built program: the one that the environment names, else a fresh release build.
fn program(root: &Path) -> Result<PathBuf, String> {
    if let Some(path) = std::env::var_os("AGUI_CONFORM_BIN") {
        return Ok(PathBuf::from(path));
    }
    // Does nothing where the build is up to date; a stale program would be worse than none.
    cargo(root, &["build", "--release", "-p", "agui-conform"])?;
    let metadata = cargo(root, &["metadata", "--no-deps", "--format-version", "1"])?;
    let metadata: Value = serde_json::from_slice(&metadata).map_err(|error| error.to_string())?;
    let target = metadata["target_directory"].as_str().ok_or("metadata has no target_directory")?;
    let name = format!("agui-conform{}", std::env::consts::EXE_SUFFIX);
    Ok(Path::new(target).join("release").join(name))
}

fn cargo(root: &Path, args: &[&str]) -> Result<Vec<u8>, String> {
    let output = Command::new("cargo")
        .args(args)
        .current_dir(root)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    Err(format!("`cargo {}` failed:\n{errors}", args.join(" ")))
}

/// Runs a script with `agui-conform` as a function. Says what went wrong, with the output.
fn run(
    root: &Path,
    program: &Path,
    script: &str,
    exit: i32,
    limit: Duration,
) -> Result<(), String> {
    let log = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!(
        "docs-{}-{}",
        std::process::id(),
        RUNS.fetch_add(1, Ordering::Relaxed)
    ));
    let failed = |error: std::io::Error| format!("cannot run bash: {error}");
    let output = File::create(&log).map_err(failed)?;
    let mut child = Command::new("bash")
        .arg("-c")
        .arg(format!("agui-conform() {{ \"$AGUI_CONFORM_BIN\" \"$@\"; }}\n{script}"))
        .env("AGUI_CONFORM_BIN", program)
        .current_dir(root)
        .stdin(Stdio::null())
        .stdout(output.try_clone().map_err(failed)?)
        .stderr(output)
        .spawn()
        .map_err(failed)?;
    let start = Instant::now();
    let ended = loop {
        if let Some(status) = child.try_wait().map_err(failed)? {
            break status.code().map_or_else(|| status.to_string(), |code| format!("exit {code}"));
        }
        if start.elapsed() > limit {
            child.kill().map_err(failed)?;
            child.wait().map_err(failed)?;
            break format!("no end after {} s", limit.as_secs());
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let said = fs::read(&log).map_err(failed)?;
    let _ = fs::remove_file(&log);
    if ended == format!("exit {exit}") {
        return Ok(());
    }
    Err(format!("expected exit {exit}, got {ended}:\n{}", String::from_utf8_lossy(&said)))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn every_printed_command_does_what_is_said() {
    let root = root();
    let (work, mut wrong) = collect(&root);
    if !work.is_empty() {
        let program = program(&root).unwrap();
        for (place, text, script, exit) in &work {
            if let Err(message) = run(&root, &program, script, *exit, TIME_LIMIT) {
                wrong.push(format!("{place}: {text}\n  {message}"));
            }
        }
    }
    // They are run without cargo, so see once that cargo would run that program.
    if work.iter().any(|(_, text, ..)| text.starts_with("cargo run --release -- "))
        && let Err(message) = cargo(&root, &["run", "--release", "--", "--version"])
    {
        wrong.push(message);
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn commands_are_found_in_sh_and_console_fences_only() {
    let page = "\
$ not in a fence
```json
$ not a shell
```
  ```console
  $ agui-conform check a.sse  # exit 1
  error: output
  $ agui-conform corpus run \\
      corpus
  ```
```sh
# a comment

agui-conform explain
git clone x
```
~~~~console title
```
$ agui-conform schema case
~~~~
";
    let found = commands(page).unwrap();
    let texts: Vec<_> = found.iter().map(|printed| printed.text.as_str()).collect();
    assert_eq!(
        texts,
        [
            "agui-conform check a.sse  # exit 1",
            "agui-conform corpus run corpus",
            "agui-conform explain",
            "git clone x",
            "agui-conform schema case",
        ]
    );
    assert_eq!(found[0].line, 6);
}

#[test]
fn pages_that_hide_commands_are_refused() {
    assert!(commands("```bash\nls\n```\n").unwrap_err().contains("`bash`"));
    assert!(commands("```sh\nls\n").unwrap_err().contains("does not end"));
    assert!(commands("```sh\nls \\\n```\n").unwrap_err().contains("goes on"));
}

#[test]
fn commands_are_run_left_or_refused() {
    let run = |script: &str, exit| Ok(Todo::Run { script: script.to_owned(), exit });
    assert_eq!(todo("agui-conform check a"), run("agui-conform check a ", 0));
    assert_eq!(
        todo("cargo run --release -- check a # exit 1"),
        run("agui-conform check a # exit 1 ", 1)
    );
    assert!(todo("agui-conform check a # exit one").is_err());
    assert_eq!(todo("cargo xtask test"), Ok(Todo::Leave));
    assert_eq!(todo(".ci/run"), Ok(Todo::Leave));
    for unknown in ["ls", "cargo build", "cargo xtaskset", "curl x | agui-conform check -"] {
        assert!(todo(unknown).is_err(), "{unknown}");
    }
    assert!(NOT_RUN.iter().all(|(_, why)| !why.is_empty()));
}

/// Any program stands in for ours here: `bash` takes `-c`.
#[test]
fn a_command_that_exits_otherwise_or_hangs_is_found() {
    let (root, bash) = (root(), Path::new("bash"));
    let try_it = |script: &str, exit| run(&root, bash, script, exit, Duration::from_secs(1));
    assert_eq!(try_it("agui-conform -c 'exit 3' # exit 3", 3), Ok(()));
    assert_eq!(try_it("test -f Cargo.toml", 0), Ok(()));
    let message = try_it("agui-conform -c 'echo said; exit 1'", 0).unwrap_err();
    assert_eq!(message, "expected exit 0, got exit 1:\nsaid\n");
    let message = try_it("exec sleep 30", 0).unwrap_err();
    assert!(message.contains("no end after 1 s"), "{message}");
}

#[test]
fn a_readme_without_commands_is_found() {
    let empty = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-readme");
    fs::create_dir_all(empty.join("docs/deep")).unwrap();
    fs::write(empty.join("README.md"), "# Nothing\n").unwrap();
    fs::write(empty.join("docs/deep/page.md"), "```sh\nrm -r x\n```\n").unwrap();
    let (work, wrong) = collect(&empty);
    assert!(work.is_empty());
    assert_eq!(wrong.len(), 2, "{wrong:?}");
    assert_eq!(wrong[0], "README prints no command");
    assert!(wrong[1].starts_with("docs/deep/page.md:2: rm -r x"), "{wrong:?}");
}
