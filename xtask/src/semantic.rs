//! `cargo xtask mutants --semantic`: the engine notices when the verifier means something
//! else. See docs/decisions/0005-semantic-mutants.md.

mod patch;
mod table;
mod workshop;

use std::path::Path;
use std::process::ExitCode;
use std::time::{Instant, SystemTime};

use patch::Patch;
use table::{Fate, Row};
use workshop::{Soaked, Workshop};

/// The folder of the mutants, from the repository's root.
pub(crate) const FOLDER: &str = "xtask/semantic-mutants";

/// Generated cases until a mutant counts as a survivor.
const CASES: u64 = 20_000;

/// What is to be done.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Semantic {
    /// Only the mutants whose name matches.
    only: Option<String>,
    /// The seed of the generated cases; else from the clock.
    seed: Option<u64>,
    /// The mutants are only listed.
    list: bool,
}

impl Semantic {
    /// Reads the arguments. `None` where they make no sense.
    pub(crate) fn parse(args: &[&str]) -> Option<Self> {
        let mut semantic = Self::default();
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            match *arg {
                "--only" => semantic.only = Some((*args.next()?).to_owned()),
                "--seed" => semantic.seed = Some(args.next()?.parse().ok()?),
                "--list" => semantic.list = true,
                _ => return None,
            }
        }
        Some(semantic)
    }

    /// Judges the mutants, or lists them.
    pub(crate) fn run(&self, root: &Path) -> ExitCode {
        match self.try_run(root) {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => ExitCode::FAILURE,
            Err(message) => {
                eprintln!("xtask: FAILED: semantic mutants: {message}");
                ExitCode::FAILURE
            }
        }
    }

    fn try_run(&self, root: &Path) -> Result<bool, String> {
        let patches = self.chosen(patch::read_all(&root.join(FOLDER))?)?;
        if self.list {
            for Patch { name, why, .. } in &patches {
                println!("{name}\n    {why}");
            }
            return Ok(true);
        }
        let began = Instant::now();
        let seed = self.seed.unwrap_or_else(seed_of_the_clock);
        println!("seed {seed}, {CASES} cases a mutant");
        let workshop = Workshop::set_up(root)?;
        let stale: Vec<&str> = patches
            .iter()
            .filter(|patch| !workshop.applies(patch))
            .map(|patch| patch.name.as_str())
            .collect();
        if !stale.is_empty() {
            return Err(format!(
                "no longer applies, make it anew for today's sources: {}",
                stale.join(", ")
            ));
        }

        eprintln!("xtask: building the verifier as it is");
        workshop.build()?;
        if let Soaked::Difference { number, said } = workshop.soak(seed, CASES)? {
            return Err(format!(
                "the verifier as it is differs from the model in case {number}, \
                 so that nothing can be said of its mutants:\n{said}"
            ));
        }
        let unchanged = workshop.program()?;

        let count = patches.len();
        let mut rows = Vec::new();
        for (index, patch) in patches.iter().enumerate() {
            let fate = judge(&workshop, patch, &unchanged, seed)?;
            eprintln!("xtask: {}/{count} {}: {fate}", index + 1, patch.name);
            rows.push(Row { name: patch.name.clone(), fate });
        }
        print!("{}", table::text(&rows, began.elapsed()));
        let repeat = format!("cargo xtask mutants --semantic --seed {seed}");
        let passed = rows.iter().all(|row| matches!(row.fate, Fate::Caught(_)));
        if passed {
            println!("semantic mutants: ok; repeat it: {repeat}");
        } else {
            println!("semantic mutants: FAILED; repeat it: {repeat}");
        }
        Ok(passed)
    }

    fn chosen(&self, patches: Vec<Patch>) -> Result<Vec<Patch>, String> {
        let Some(only) = &self.only else {
            return Ok(patches);
        };
        let chosen: Vec<Patch> =
            patches.into_iter().filter(|patch| matches(only, &patch.name)).collect();
        if chosen.is_empty() { Err(format!("no mutant is named {only}")) } else { Ok(chosen) }
    }
}

/// What becomes of a mutant. An error is about the machine, not the mutant.
fn judge(workshop: &Workshop, patch: &Patch, unchanged: &[u8], seed: u64) -> Result<Fate, String> {
    let _applied = workshop.apply(patch)?;
    if let Err(message) = workshop.build() {
        return Ok(Fate::Bad(message));
    }
    if workshop.program()? == unchanged {
        return Ok(Fate::Bad("the program is the same with it".to_owned()));
    }
    Ok(match workshop.soak(seed, CASES) {
        Ok(Soaked::Difference { number, .. }) => Fate::Caught(number + 1),
        Ok(Soaked::Agreement) => Fate::Survived,
        Err(message) => Fate::Bad(message),
    })
}

fn seed_of_the_clock() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.map_or(1, |now| now.as_secs())
}

/// Whether a name matches a pattern, in which `*` is any text and `?` any character.
fn matches(pattern: &str, name: &str) -> bool {
    let Some(first) = pattern.chars().next() else {
        return name.is_empty();
    };
    let pattern_rest = &pattern[first.len_utf8()..];
    if first == '*' {
        let ends = name.char_indices().map(|(at, _)| at).chain([name.len()]);
        return ends.into_iter().any(|at| matches(pattern_rest, &name[at..]));
    }
    name.chars().next().is_some_and(|next| {
        (first == '?' || first == next) && matches(pattern_rest, &name[next.len_utf8()..])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments() {
        assert_eq!(Semantic::parse(&[]), Some(Semantic::default()));
        let expected = Semantic { only: Some("not-open-*".to_owned()), seed: Some(7), list: true };
        assert_eq!(
            Semantic::parse(&["--list", "--only", "not-open-*", "--seed", "7"]),
            Some(expected)
        );
        for args in [&["--only"][..], &["--seed"], &["--seed", "x"], &["--seed", "-1"], &["x"]] {
            assert_eq!(Semantic::parse(args), None, "{args:?}");
        }
    }

    #[test]
    fn globs() {
        for pattern in ["*", "raw-*", "*-lanes", "r*w*s", "raw-closes-lanes", "raw?closes-lanes"] {
            assert!(matches(pattern, "raw-closes-lanes"), "{pattern}");
        }
        for pattern in ["", "raw", "raw-", "*-lane", "?aw", "RAW-*", "raw-closes-lanes?"] {
            assert!(!matches(pattern, "raw-closes-lanes"), "{pattern}");
        }
        assert!(matches("**", ""));
        assert!(!matches("?", ""));
    }

    #[test]
    fn a_pattern_that_nothing_matches_is_an_error() {
        let patch = || {
            patch::read("a-b", "# Why. Contract.\n--- a/crates/verify/src/x.rs\n+++ b/crates/verify/src/x.rs\n@@ -1 +1 @@\n-a\n+b\n")
                .unwrap()
        };
        let only =
            |pattern: &str| Semantic { only: Some(pattern.to_owned()), ..Semantic::default() };
        assert_eq!(only("a*").chosen(vec![patch()]).unwrap().len(), 1);
        assert!(only("b*").chosen(vec![patch()]).is_err());
        assert_eq!(Semantic::default().chosen(vec![patch()]).unwrap().len(), 1);
    }
}
