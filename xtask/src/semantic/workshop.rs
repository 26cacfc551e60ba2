//! A copy of the workspace in which mutants are made, built and judged.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::patch::Patch;

/// A temporary copy of the workspace; it goes when this does.
#[derive(Debug)]
pub(crate) struct Workshop {
    /// What is removed in the end.
    home: PathBuf,
    workspace: PathBuf,
    /// Where the case files of differences go.
    cases: PathBuf,
    /// All mutants share it, and later runs too, so that only what depends on the verifier is
    /// built again.
    target: PathBuf,
}

/// What came of comparing the built verifier with the model.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Soaked {
    Agreement,
    Difference {
        /// The first case that shows it.
        number: u64,
        said: String,
    },
}

/// A mutant in the copy; without it the copy is as it was.
#[derive(Debug)]
pub(crate) struct Applied {
    before: Vec<(PathBuf, Vec<u8>)>,
}

impl Workshop {
    /// Copies what git knows or would take in.
    pub(crate) fn set_up(root: &Path) -> Result<Self, String> {
        let target = std::env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| root.join("target"), |target| root.join(target))
            .join("semantic-mutants");
        let home = std::env::temp_dir()
            .join(format!("agui-conform-semantic-mutants-{}", std::process::id()));
        let (workspace, cases) = (home.join("workspace"), home.join("cases"));
        let workshop = Self { home, workspace, cases, target };
        for folder in [&workshop.workspace, &workshop.cases] {
            fs::create_dir_all(folder)
                .map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
        }
        let mut command = Command::new("git");
        command.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
        let listed = output(command.current_dir(root))?;
        if !listed.status.success() {
            return Err(format!("git ls-files failed:\n{}", said(&listed.stderr)));
        }
        for path in listed.stdout.split(|byte| *byte == 0).filter(|path| !path.is_empty()) {
            workshop.copy(root, Path::new(&*String::from_utf8_lossy(path)))?;
        }
        Ok(workshop)
    }

    fn copy(&self, root: &Path, path: &Path) -> Result<(), String> {
        // Gone since it was committed, or the link to a folder.
        if !root.join(path).is_file() {
            return Ok(());
        }
        let to = self.workspace.join(path);
        // Read and written, not copied: cargo builds anew what is younger than its last build.
        to.parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| fs::read(root.join(path)))
            .and_then(|bytes| fs::write(&to, bytes))
            .map_err(|error| format!("cannot copy {}: {error}", path.display()))
    }

    /// Whether a mutant can be made of the sources as they are.
    pub(crate) fn applies(&self, patch: &Patch) -> bool {
        self.git_apply(patch, &["--check"]).is_ok()
    }

    /// Makes a mutant of the copy.
    pub(crate) fn apply(&self, patch: &Patch) -> Result<Applied, String> {
        let failed = |error: std::io::Error| format!("{}: {error}", patch.name);
        let mut before = Vec::new();
        for file in &patch.files {
            let path = self.workspace.join(file);
            before.push((path.clone(), fs::read(&path).map_err(failed)?));
        }
        // From here on the copy is put right again whatever happens.
        let applied = Applied { before };
        self.git_apply(patch, &[])?;
        for (path, before) in &applied.before {
            if fs::read(path).map_err(failed)? == *before {
                return Err(format!("{}: it does not change {}", patch.name, path.display()));
            }
        }
        Ok(applied)
    }

    fn git_apply(&self, patch: &Patch, options: &[&str]) -> Result<(), String> {
        let file = self.home.join("mutant.patch");
        fs::write(&file, &patch.text)
            .map_err(|error| format!("cannot write {}: {error}", file.display()))?;
        let mut command = Command::new("git");
        command.args(["apply", "--whitespace=nowarn"]).args(options).arg(&file);
        // In a repository git would take the patch for one of that repository.
        command.env("GIT_CEILING_DIRECTORIES", &self.home);
        for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
            command.env_remove(variable);
        }
        let output = output(command.current_dir(&self.workspace))?;
        if output.status.success() {
            return Ok(());
        }
        Err(format!("{} does not apply:\n{}", patch.name, said(&output.stderr)))
    }

    /// Builds the program of the copy as it is.
    pub(crate) fn build(&self) -> Result<(), String> {
        let mut command = Command::new("cargo");
        command
            .args(["build", "--quiet", "--profile", "dev", "--package", "agui-conform"])
            .env("CARGO_TARGET_DIR", &self.target)
            // A mutant may leave something unused.
            .env("RUSTFLAGS", "--cap-lints=warn")
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .env_remove("CARGO_BUILD_TARGET");
        let output = output(command.current_dir(&self.workspace))?;
        if output.status.success() {
            return Ok(());
        }
        Err(format!("it does not build:\n{}", said(&output.stderr)))
    }

    fn program_path(&self) -> PathBuf {
        let name = format!("agui-conform{}", std::env::consts::EXE_SUFFIX);
        self.target.join("debug").join(name)
    }

    /// The built program, byte for byte.
    pub(crate) fn program(&self) -> Result<Vec<u8>, String> {
        let path = self.program_path();
        fs::read(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))
    }

    /// Compares the built verifier with the model.
    pub(crate) fn soak(&self, seed: u64, cases: u64) -> Result<Soaked, String> {
        let mut command = Command::new(self.program_path());
        command.arg("soak").args(["--cases", &cases.to_string(), "--jobs", "2"]);
        command.args(["--seed", &seed.to_string()]);
        let output = output(command.current_dir(&self.cases))?;
        soaked(output.status.code(), &said(&output.stdout)).ok_or_else(|| {
            let said = said(&output.stdout) + &said(&output.stderr);
            format!("soak ended with {} and said:\n{said}", output.status)
        })
    }
}

impl Drop for Workshop {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.home);
    }
}

impl Drop for Applied {
    fn drop(&mut self) {
        for (path, before) in &self.before {
            if let Err(error) = fs::write(path, before) {
                eprintln!("xtask: cannot put {} right again: {error}", path.display());
            }
        }
    }
}

/// What a soak came to, from its exit status and what it printed; `None` where it came to
/// nothing.
fn soaked(status: Option<i32>, printed: &str) -> Option<Soaked> {
    let number = printed.lines().find_map(|line| {
        let rest = line.strip_prefix("difference in case ")?;
        let digits = rest.split(|next: char| !next.is_ascii_digit()).next()?;
        digits.parse().ok()
    });
    match (status, number) {
        (Some(0), None) => Some(Soaked::Agreement),
        (Some(1), Some(number)) => Some(Soaked::Difference { number, said: printed.to_owned() }),
        _ => None,
    }
}

fn output(command: &mut Command) -> Result<Output, String> {
    let name = Path::new(command.get_program()).file_name().map(OsStr::to_os_string);
    command.stdin(Stdio::null()).output().map_err(|error| {
        format!("cannot start {}: {error}", name.unwrap_or_default().to_string_lossy())
    })
}

fn said(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::super::patch;
    use super::*;

    fn workshop(name: &str, source: &str) -> Workshop {
        let home = std::env::temp_dir()
            .join(format!("agui-conform-workshop-test-{name}-{}", std::process::id()));
        let workspace = home.join("workspace");
        fs::create_dir_all(workspace.join("crates/verify/src")).unwrap();
        fs::write(workspace.join("crates/verify/src/x.rs"), source).unwrap();
        let (cases, target) = (home.join("cases"), home.join("target"));
        Workshop { home, workspace, cases, target }
    }

    fn patch() -> Patch {
        let text = "# Bent. Straight.\n--- a/crates/verify/src/x.rs\n+++ b/crates/verify/src/x.rs\n\
                    @@ -1,2 +1,2 @@\n a\n-b\n+c\n";
        patch::read("bent", text).unwrap()
    }

    #[test]
    fn what_soak_says() {
        let difference = "seed 5: 9 cases\nrule kind\ndifference in case 234 (seed 5, soup)\n  x\n";
        assert_eq!(
            soaked(Some(1), difference),
            Some(Soaked::Difference { number: 234, said: difference.to_owned() })
        );
        assert_eq!(soaked(Some(0), "seed 5: 9 cases\n"), Some(Soaked::Agreement));
        for (status, said) in [
            (Some(0), difference),
            (Some(1), "error: no difference in case 1"),
            (Some(1), "difference in case x"),
            (Some(2), ""),
            (Some(101), difference),
            (None, difference),
        ] {
            assert_eq!(soaked(status, said), None, "{status:?} {said}");
        }
    }

    #[test]
    fn a_mutant_is_made_and_taken_back() {
        let workshop = workshop("made", "a\nb\n");
        let source = workshop.workspace.join("crates/verify/src/x.rs");
        let patch = patch();
        assert!(workshop.applies(&patch));
        let applied = workshop.apply(&patch).unwrap();
        assert_eq!(fs::read_to_string(&source).unwrap(), "a\nc\n");
        assert!(!workshop.applies(&patch));
        drop(applied);
        assert_eq!(fs::read_to_string(&source).unwrap(), "a\nb\n");
        let home = workshop.home.clone();
        drop(workshop);
        assert!(!home.exists());
    }

    #[test]
    fn a_mutant_of_other_sources_does_not_apply() {
        let workshop = workshop("stale", "a\nB\n");
        assert!(!workshop.applies(&patch()));
        assert!(workshop.apply(&patch()).unwrap_err().contains("does not apply"));
    }
}
