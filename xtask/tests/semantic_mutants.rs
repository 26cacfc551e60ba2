//! The semantic mutants are mutants of today's sources.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn patches() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("semantic-mutants");
    let mut patches: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    patches.sort();
    patches
}

/// `cargo xtask mutants --semantic` refuses to begin where one does not.
#[test]
fn they_apply() {
    let stale: Vec<_> = patches()
        .into_iter()
        .filter(|patch| {
            let mut command = Command::new("git");
            command.args(["apply", "--check"]).arg(patch).current_dir(root());
            !command.stdin(Stdio::null()).stderr(Stdio::null()).status().unwrap().success()
        })
        .map(|patch| patch.file_name().unwrap().to_owned())
        .collect();
    assert!(stale.is_empty(), "make them anew for today's sources: {stale:?}");
}

#[test]
fn they_are_many_and_different() {
    let mut by_diff = HashMap::<String, PathBuf>::new();
    for patch in patches() {
        let text = fs::read_to_string(&patch).unwrap();
        let diff: Vec<_> = text.lines().skip_while(|line| line.starts_with('#')).collect();
        let diff = diff.join("\n");
        if let Some(other) = by_diff.insert(diff, patch.clone()) {
            panic!("{} and {} are the same", other.display(), patch.display());
        }
    }
    assert!(by_diff.len() >= 45, "there are only {}", by_diff.len());
}
