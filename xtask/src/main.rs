//! The tasks of this repository: `cargo xtask test` sets up and runs everything.

mod fuzz;
mod mutants;
mod run;
mod semantic;
mod steps;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use steps::{DOCS, NIGHTLY, Step, TEST};

const USAGE: &str = "\
usage: cargo xtask COMMAND

  test [--quick] [--list]   everything that a change must pass; --quick leaves out what is slow
  nightly [--list]          test, then what takes long
  docs [--list]             write docs/requirements/ anew
  fuzz [--seconds N] [TARGET...]
                            every fuzz target (or these) for N seconds, by default 20
  fuzz --seeds [TARGET...]  only write the seeds, from corpus/ to fuzz/corpus/
  mutants [-- ARGS...]      cargo mutants on conform-verify and conform-run-log, against
                            xtask/mutants-accepted.txt
  mutants --semantic [--only GLOB] [--seed N] [--list]
                            the mutants of xtask/semantic-mutants, judged by the engine

  --list    print the steps and run none
";

fn main() -> ExitCode {
    let args: Vec<String> =
        std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match parse(&args) {
        Some(Task::Help) => {
            print!("{USAGE}");
            ExitCode::SUCCESS
        }
        Some(Task::Steps { steps, list: true, .. }) => {
            run::list(&steps);
            ExitCode::SUCCESS
        }
        Some(Task::Steps { steps, quick, .. }) => run::run(&root(), &steps, quick),
        Some(Task::Fuzz(fuzz)) => fuzz.run(&root()),
        Some(Task::Mutants(extra)) => mutants::main(&root(), &extra),
        Some(Task::Semantic(semantic)) => semantic.run(&root()),
        None => {
            eprint!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

/// What the command line asks for.
enum Task<'a> {
    Help,
    Steps { steps: Vec<&'static Step>, quick: bool, list: bool },
    Fuzz(fuzz::Fuzz),
    Mutants(Vec<&'a str>),
    Semantic(semantic::Semantic),
}

/// `None` where the command line makes no sense.
fn parse<'a>(args: &[&'a str]) -> Option<Task<'a>> {
    let (&command, rest) = args.split_first()?;
    let only = |known: &[&str]| rest.iter().all(|arg| known.contains(arg));
    let (quick, list) = (rest.contains(&"--quick"), rest.contains(&"--list"));
    match command {
        "help" | "--help" | "-h" => Some(Task::Help),
        "test" if only(&["--quick", "--list"]) => {
            Some(Task::Steps { steps: TEST.iter().collect(), quick, list })
        }
        "nightly" if only(&["--list"]) => {
            Some(Task::Steps { steps: TEST.iter().chain(NIGHTLY).collect(), quick, list })
        }
        "docs" if only(&["--list"]) => {
            Some(Task::Steps { steps: DOCS.iter().collect(), quick, list })
        }
        "fuzz" => fuzz::Fuzz::parse(rest).map(Task::Fuzz),
        "mutants" => match rest.split_first() {
            None => Some(Task::Mutants(Vec::new())),
            Some((&"--", extra)) => Some(Task::Mutants(extra.to_vec())),
            Some((&"--semantic", rest)) => semantic::Semantic::parse(rest).map(Task::Semantic),
            Some(_) => None,
        },
        _ => None,
    }
}

/// The repository's root: where cargo says this package is now, else where it was built.
fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    here.parent().map_or_else(|| here.clone(), Path::to_path_buf)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_their_options() {
        assert!(matches!(
            parse(&["test", "--quick"]),
            Some(Task::Steps { quick: true, list: false, .. })
        ));
        assert!(matches!(
            parse(&["nightly", "--list"]),
            Some(Task::Steps { quick: false, list: true, .. })
        ));
        assert!(matches!(parse(&["docs"]), Some(Task::Steps { list: false, .. })));
        assert!(matches!(parse(&["mutants"]), Some(Task::Mutants(extra)) if extra.is_empty()));
        assert!(matches!(
            parse(&["mutants", "--", "--shard", "1/4"]),
            Some(Task::Mutants(extra)) if extra == ["--shard", "1/4"]
        ));
        assert!(matches!(
            parse(&["mutants", "--semantic", "--seed", "1"]),
            Some(Task::Semantic(_))
        ));
    }

    /// A filter that no test has would write nothing, and succeed.
    #[test]
    fn what_writes_the_docs_is_there() {
        for step in DOCS {
            let after = |flag| {
                let at = step.command.iter().position(|arg| *arg == flag).unwrap();
                step.command[at + 1]
            };
            assert_eq!(after("-p"), "conform-check");
            let file = format!("crates/check/tests/{}.rs", after("--test"));
            let text = std::fs::read_to_string(root().join(file)).unwrap();
            assert!(text.contains(&format!("fn {}()", after("--exact"))), "{step:?}");
            let [(variable, _)] = step.env else { panic!("{step:?}") };
            assert!(text.contains(&format!("var_os(\"{variable}\")")), "{step:?}");
        }
    }

    #[test]
    fn what_is_unknown_is_refused() {
        for args in [
            &[][..],
            &["fuzz", "x"],
            &["test", "--slow"],
            &["nightly", "--quick"],
            &["docs", "--quick"],
            &["mutants", "x"],
            &["mutants", "--semantic", "x"],
        ] {
            assert!(parse(args).is_none(), "{args:?}");
        }
    }
}
