//! Who may use whom: every arrow between the crates of the workspace points the right way.

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// A crate of the workspace and what it may use, directly: what these use in their turn is
/// not included.
struct Row {
    name: &'static str,
    folder: &'static str,
    may_use: &'static [&'static str],
}

const fn row(name: &'static str, folder: &'static str, may_use: &'static [&'static str]) -> Row {
    Row { name, folder, may_use }
}

const TABLE: &[Row] = &[
    row("conform-event", "crates/event", &[]),
    row("conform-verify", "crates/verify", &["conform-event"]),
    row("conform-model", "crates/model", &["conform-event"]),
    row("conform-generate", "crates/generate", &["conform-event"]),
    row("conform-check", "crates/check", &["conform-event", "conform-verify"]),
    row("conform-run-log", "crates/run-log", &[]),
    row("conform-turn", "crates/turn", &[]),
    row(
        "conform-corpus",
        "crates/corpus",
        &["conform-event", "conform-check", "conform-run-log", "conform-turn"],
    ),
    row(
        "conform-subject",
        "crates/subject",
        &[
            "conform-event",
            "conform-verify",
            "conform-model",
            "conform-generate",
            "conform-check",
            "conform-run-log",
            "conform-turn",
            "conform-corpus",
        ],
    ),
    row("conform-report", "crates/report", &["conform-check"]),
    row(
        "conform-certify",
        "crates/certify",
        &["conform-event", "conform-check", "conform-generate", "conform-corpus", "conform-report"],
    ),
    row(
        "agui-conform",
        "crates/cli",
        &[
            "conform-event",
            "conform-verify",
            "conform-model",
            "conform-generate",
            "conform-check",
            "conform-run-log",
            "conform-turn",
            "conform-corpus",
            "conform-subject",
            "conform-report",
            "conform-certify",
        ],
    ),
    row("xtask", "xtask", &[]),
];

/// These three are independent opinions on the same question, and stay so in their tests: none
/// sees another, not even through a third crate. What compares them lives above them.
const INDEPENDENT: &[&str] = &["conform-verify", "conform-model", "conform-generate"];

/// No crate uses these, in its tests neither.
const NOBODY_USES: &[&str] = &["agui-conform", "xtask"];

/// A crate as `cargo metadata` shows it.
struct Package {
    name: String,
    folder: String,
    arrows: Vec<Arrow>,
}

/// A dependency on another crate of this repository.
struct Arrow {
    to: String,
    dev: bool,
}

fn packages(metadata: &Value) -> Result<Vec<Package>, String> {
    let text = |value: &Value, key: &str| {
        value[key].as_str().map(str::to_owned).ok_or_else(|| format!("metadata has no {key}"))
    };
    let root = text(metadata, "workspace_root")?;
    let list = |value: &Value, key: &str| {
        value[key].as_array().cloned().ok_or_else(|| format!("metadata has no {key}"))
    };
    let mut packages = Vec::new();
    for package in list(metadata, "packages")? {
        let mut arrows = Vec::new();
        for dependency in list(&package, "dependencies")? {
            // Those without a path come from elsewhere.
            if dependency["path"].is_string() {
                let dev = dependency["kind"] == "dev";
                arrows.push(Arrow { to: text(&dependency, "name")?, dev });
            }
        }
        let manifest = text(&package, "manifest_path")?;
        let folder = Path::new(&manifest).parent().unwrap_or(Path::new(""));
        let folder = folder.strip_prefix(&root).unwrap_or(folder);
        let folder = folder.to_string_lossy().replace('\\', "/");
        packages.push(Package { name: text(&package, "name")?, folder, arrows });
    }
    Ok(packages)
}

/// What a crate sees through its ordinary dependencies, itself included.
fn reach(packages: &[Package], from: &str) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let mut open = vec![from.to_owned()];
    while let Some(name) = open.pop() {
        if let Some(package) = packages.iter().find(|package| package.name == name) {
            let arrows = package.arrows.iter().filter(|arrow| !arrow.dev);
            open.extend(arrows.map(|arrow| arrow.to.clone()).filter(|to| !seen.contains(to)));
        }
        seen.insert(name);
    }
    seen
}

/// What is wrong, a line each.
fn wrong(packages: &[Package]) -> Vec<String> {
    let mut wrong = Vec::new();
    for Package { name, folder, arrows } in packages {
        let Some(row) = TABLE.iter().find(|row| row.name == name) else {
            wrong.push(format!("{name} ({folder}) is not in the table of this test"));
            continue;
        };
        if row.folder != folder {
            wrong.push(format!("{name} lives in {folder}, not in {}", row.folder));
        }
        for Arrow { to, dev } in arrows {
            if TABLE.iter().all(|row| row.name != to) {
                wrong.push(format!("{name} uses {to}, which is not in the table of this test"));
            } else if row.may_use.contains(&to.as_str()) {
                // As designed.
            } else if !dev {
                wrong.push(format!("{name} must not use {to}"));
            } else if NOBODY_USES.contains(&to.as_str()) || NOBODY_USES[1] == name {
                wrong.push(format!("{name} must not use {to}, in its tests neither"));
            } else if INDEPENDENT.contains(&name.as_str()) {
                for seen in reach(packages, to) {
                    if seen != *name && INDEPENDENT.contains(&seen.as_str()) {
                        wrong.push(format!(
                            "{name} must not see {seen}, in its tests neither (through {to})"
                        ));
                    }
                }
            }
        }
    }
    wrong
}

#[test]
fn arrows_of_the_workspace_point_the_right_way() {
    let output = Command::new("cargo")
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let packages = packages(&serde_json::from_slice(&output.stdout).unwrap()).unwrap();
    // A reader that finds nothing would find nothing wrong.
    let find = |name: &str| packages.iter().find(|package| package.name == name).unwrap();
    assert!(find("conform-verify").arrows.iter().any(|arrow| arrow.to == "conform-event"));
    let wrong = wrong(&packages);
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn the_table_itself_has_no_circle_and_no_unknown_name() {
    for (index, row) in TABLE.iter().enumerate() {
        for used in row.may_use {
            let position = TABLE.iter().position(|other| other.name == *used);
            assert!(position.is_some(), "{} may use {used}, which is no crate", row.name);
            assert!(position < Some(index), "{used}");
            assert!(!NOBODY_USES.contains(used), "{used}");
        }
    }
}

/// The workspace as it is meant to be, with one arrow more.
fn with_arrow(from: &str, to: &str, kind: Option<&str>) -> Vec<String> {
    let package = |name: &str, folder: &str, uses: &[(&str, Option<&str>)]| {
        let dependencies: Vec<Value> = uses
            .iter()
            .map(|(to, kind)| serde_json::json!({"name": to, "path": format!("/r/{to}"), "kind": kind}))
            .chain([serde_json::json!({"name": "serde", "kind": null, "path": null})])
            .collect();
        let manifest_path = format!("/r/{folder}/Cargo.toml");
        serde_json::json!({
            "name": name, "manifest_path": manifest_path, "dependencies": dependencies
        })
    };
    let list: Vec<Value> = TABLE
        .iter()
        .map(|row| {
            let mut uses: Vec<_> = row.may_use.iter().map(|to| (*to, None)).collect();
            if row.name == from {
                uses.push((to, kind));
            }
            package(row.name, row.folder, &uses)
        })
        .collect();
    match packages(&serde_json::json!({"workspace_root": "/r", "packages": list})) {
        Ok(packages) => wrong(&packages),
        Err(message) => vec![message],
    }
}

#[test]
fn the_workspace_as_designed_passes() {
    assert_eq!(with_arrow("", "", None), [""; 0]);
}

#[test]
fn a_wrong_arrow_is_found() {
    for (from, to) in [
        ("conform-event", "conform-verify"),
        ("conform-model", "conform-verify"),
        ("conform-verify", "conform-model"),
        ("conform-generate", "conform-model"),
        ("conform-report", "conform-event"),
        ("conform-run-log", "conform-event"),
        ("conform-subject", "conform-report"),
        ("conform-check", "agui-conform"),
        ("xtask", "conform-event"),
    ] {
        for kind in [None, Some("build")] {
            assert_eq!(with_arrow(from, to, kind), [format!("{from} must not use {to}")]);
        }
    }
}

#[test]
fn tests_may_cross_except_among_the_independent() {
    for (from, to) in [
        ("conform-event", "conform-generate"),
        ("conform-check", "conform-model"),
        ("conform-report", "conform-corpus"),
        // Sees conform-verify only, which it is itself.
        ("conform-verify", "conform-check"),
    ] {
        assert_eq!(with_arrow(from, to, Some("dev")), [""; 0], "{from} {to}");
    }
    for (from, to, seen) in [
        ("conform-verify", "conform-model", "conform-model"),
        ("conform-model", "conform-verify", "conform-verify"),
        ("conform-verify", "conform-generate", "conform-generate"),
        ("conform-generate", "conform-model", "conform-model"),
        ("conform-model", "conform-check", "conform-verify"),
    ] {
        let expected = format!("{from} must not see {seen}, in its tests neither (through {to})");
        assert_eq!(with_arrow(from, to, Some("dev")), [expected]);
    }
    for (from, to) in [("conform-event", "xtask"), ("xtask", "conform-event")] {
        let expected = format!("{from} must not use {to}, in its tests neither");
        assert_eq!(with_arrow(from, to, Some("dev")), [expected]);
    }
}

#[test]
fn a_crate_that_is_not_in_the_table_is_found() {
    let stray = Package {
        name: "conform-stray".to_owned(),
        folder: "crates/stray".to_owned(),
        arrows: Vec::new(),
    };
    let user = Package {
        name: "conform-event".to_owned(),
        folder: "crates/events".to_owned(),
        arrows: vec![Arrow { to: "conform-stray".to_owned(), dev: true }],
    };
    assert_eq!(
        wrong(&[stray, user]),
        [
            "conform-stray (crates/stray) is not in the table of this test",
            "conform-event lives in crates/events, not in crates/event",
            "conform-event uses conform-stray, which is not in the table of this test",
        ]
    );
}
