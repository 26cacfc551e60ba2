//! The files of the mutants: why, then a unified diff.

use std::fs;
use std::path::{Path, PathBuf};

/// Where a mutant may change something.
const WHERE: &str = "crates/verify/src/";

/// A mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Patch {
    /// Its file's name without `.patch`.
    pub(crate) name: String,
    /// What is bent, and which sentence of the contract that violates.
    pub(crate) why: String,
    /// The files that it changes, from the repository's root.
    pub(crate) files: Vec<PathBuf>,
    /// The whole text; `git apply` passes over what comes before the diff.
    pub(crate) text: String,
}

/// Reads a folder of mutants, in the order of their names.
pub(crate) fn read_all(folder: &Path) -> Result<Vec<Patch>, String> {
    let failed = |error| format!("cannot read {}: {error}", folder.display());
    let mut patches = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let patch = if path.extension().is_some_and(|extension| extension == "patch") {
            fs::read_to_string(&path)
                .map_err(|error| error.to_string())
                .and_then(|text| read(&name.unwrap_or_default(), &text))
        } else {
            Err("only patches belong here".to_owned())
        };
        patches.push(patch.map_err(|message| format!("{}: {message}", path.display()))?);
    }
    patches.sort_by(|one: &Patch, other: &Patch| one.name.cmp(&other.name));
    if patches.is_empty() { Err(format!("{} is empty", folder.display())) } else { Ok(patches) }
}

/// Reads a mutant.
pub(crate) fn read(name: &str, text: &str) -> Result<Patch, String> {
    let kebab = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if name.is_empty() || !name.bytes().all(kebab) {
        return Err("the name is no kebab-case".to_owned());
    }
    let mut lines = text.lines().peekable();
    let mut why = Vec::new();
    while let Some(line) = lines.next_if(|line| line.starts_with('#')) {
        why.push(line.trim_start_matches('#').trim());
    }
    let why = why.join(" ").trim().to_owned();
    if why.is_empty() {
        return Err("it does not begin with `# why`".to_owned());
    }
    if !why.ends_with('.') {
        return Err("its why is no sentence".to_owned());
    }
    let mut files: Vec<PathBuf> = Vec::new();
    let mut changes = false;
    while let Some(line) = lines.next() {
        match line.strip_prefix("--- ") {
            // Two dashes may begin a line that is taken out.
            Some(old) if lines.peek().is_some_and(|next| next.starts_with("+++ ")) => {
                let new = lines.next().and_then(|line| line.strip_prefix("+++ "));
                let old = old.strip_prefix("a/").filter(|old| old.starts_with(WHERE));
                if old.is_none() || old != new.and_then(|new| new.strip_prefix("b/")) {
                    return Err(format!("it is to change files of {WHERE}, under their names"));
                }
                files.extend(old.map(PathBuf::from));
            }
            _ if files.is_empty() => {
                return Err("something stands between its why and its diff".to_owned());
            }
            _ => changes |= line.starts_with(['+', '-']),
        }
    }
    if !changes {
        return Err("it changes nothing".to_owned());
    }
    Ok(Patch { name: name.to_owned(), why, files, text: text.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIFF: &str = "\
--- a/crates/verify/src/run.rs
+++ b/crates/verify/src/run.rs
@@ -1,3 +1,3 @@
 a
--- b
+c
 d
--- a/crates/verify/src/run_state/tree.rs
+++ b/crates/verify/src/run_state/tree.rs
@@ -1,1 +1,2 @@
 a
+b
";

    #[test]
    fn a_patch_is_its_why_and_a_diff() {
        let text = format!("# One thing is bent;\n#  terms: it is\n# straight.\n{DIFF}");
        let patch = read("one-thing-bent", &text).unwrap();
        assert_eq!(patch.name, "one-thing-bent");
        assert_eq!(patch.why, "One thing is bent; terms: it is straight.");
        let files = ["crates/verify/src/run.rs", "crates/verify/src/run_state/tree.rs"];
        assert_eq!(patch.files, files.map(PathBuf::from));
        assert_eq!(patch.text, text);
    }

    #[test]
    fn what_is_no_mutant_is_refused() {
        let said = |name: &str, text: &str| read(name, text).unwrap_err();
        let why = "# Bent. Straight.\n";
        assert!(said("a", DIFF).contains("# why"));
        assert!(said("a", &format!("#\n# \n{DIFF}")).contains("# why"));
        assert!(said("a", &format!("# bent\n{DIFF}")).contains("no sentence"));
        assert!(said("a", &format!("{why}\n{DIFF}")).contains("between"));
        assert!(said("a", why).contains("changes nothing"));
        let (headers, _) = DIFF.split_once(" a\n").unwrap();
        assert!(said("a", &format!("{why}{headers}")).contains("changes nothing"));
        for name in ["", "A", "a_b", "a b", "a/b"] {
            assert!(said(name, &format!("{why}{DIFF}")).contains("kebab"), "{name}");
        }
    }

    #[test]
    fn only_the_verifier_is_changed() {
        for (old, new) in [
            ("a/crates/model/src/run.rs", "b/crates/model/src/run.rs"),
            ("a/crates/verify/src/run.rs", "b/crates/verify/src/stream.rs"),
            ("crates/verify/src/run.rs", "crates/verify/src/run.rs"),
            ("/dev/null", "b/crates/verify/src/run.rs"),
        ] {
            let text = format!("# Bent. Straight.\n--- {old}\n+++ {new}\n@@ -1 +1 @@\n-a\n+b\n");
            assert!(read("a", &text).unwrap_err().contains("crates/verify/src/"), "{old}");
        }
    }
}
