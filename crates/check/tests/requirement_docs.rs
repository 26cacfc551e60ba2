//! `docs/requirements/` is the registry, written out: a page a group, and an index. `cargo xtask
//! docs` writes it, which is this test with `UPDATE_DOCS` set.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use conform_check::registry::{self, Example, Judge, Needs, Requirement};

const WRITTEN: &str =
    "<!-- Written by `cargo xtask docs` from the registry of conform-check. -->\n";

const NEEDS: [Needs; 6] =
    [Needs::Stream, Needs::Request, Needs::Bytes, Needs::Http, Needs::Live, Needs::Probe];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/requirements")
}

/// Prose of the registry in Markdown, which would take some characters for its own.
fn prose(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        if "\\`*<>[]|#".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

fn since(entry: &Requirement) -> &'static str {
    if entry.since == "house" { "house (the specification is silent)" } else { entry.since }
}

fn section(entry: &Requirement) -> String {
    let mut text = format!("\n## {}\n\n{}\n\n", entry.id, prose(entry.text));
    let rule = entry.rule().map(|rule| format!("; rule `{rule}`")).unwrap_or_default();
    let _ = writeln!(
        text,
        "Level {}; since {}; needs {}: {}; judged by `{}`{rule}; [specification]({}).\n",
        entry.level,
        since(entry),
        entry.needs,
        entry.needs.describe(),
        entry.needs.judged_by(),
        entry.spec_url()
    );
    let _ = write!(text, "Why: {}\n\nWhat to do: {}\n", prose(entry.why), prose(entry.help));
    for (title, example) in [("Broken", &entry.broken), ("Mended", &entry.mended)] {
        if let Some(example) = example {
            let _ = write!(text, "\n{title}:\n\n```text\n{example}\n```\n");
        }
    }
    if entry.broken.is_none() && entry.mended.is_none() {
        text.push_str("\nThere is no example: no recording shows it, only a live producer does.\n");
    }
    text
}

fn index() -> String {
    let mut text = format!(
        "{WRITTEN}\n# What a producer owes\n\nThe requirements, group by group. A *must* that is \
         broken is an error, a *should* is a warning. `check` judges recordings, `certify` live \
         producers. What it takes to judge a requirement:\n\n| needs | what is needed | judged by \
         |\n|---|---|---|\n"
    );
    for needs in NEEDS {
        let _ = writeln!(text, "| {needs} | {} | `{}` |", needs.describe(), needs.judged_by());
    }
    text.push_str(
        "\nSince *house* are requirements on which the specification is silent. The ids never \
         change; `agui-conform explain ID` says the same.\n\n\
         | id | level | needs | since | judged by | what |\n|---|---|---|---|---|---|\n",
    );
    for entry in registry::all() {
        let (id, group, anchor) = (entry.id, entry.group(), entry.id.replace('/', ""));
        let (level, needs, since) = (entry.level, entry.needs, entry.since);
        let (by, what) = (needs.judged_by(), prose(entry.text));
        let link = format!("[{id}]({group}.md#{anchor})");
        let _ = writeln!(text, "| {link} | {level} | {needs} | {since} | `{by}` | {what} |");
    }
    text
}

/// The pages by their names.
fn pages() -> BTreeMap<String, String> {
    let mut pages = BTreeMap::from([("README.md".to_owned(), index())]);
    for entry in registry::all() {
        let group = entry.group();
        let page = pages.entry(format!("{group}.md"));
        page.or_insert_with(|| format!("{WRITTEN}\n# {group}\n")).push_str(&section(entry));
    }
    pages
}

/// What is in the folder.
fn there() -> BTreeSet<String> {
    let entries = fs::read_dir(folder()).into_iter().flatten();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn the_documentation_is_what_the_registry_says() {
    let pages = pages();
    let known: BTreeSet<_> = pages.keys().cloned().collect();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::create_dir_all(folder()).unwrap();
        for stale in there().difference(&known) {
            fs::remove_file(folder().join(stale)).unwrap();
        }
        for (name, text) in &pages {
            fs::write(folder().join(name), text).unwrap();
        }
    }
    let stale: Vec<_> = pages
        .iter()
        .filter(|(name, text)| fs::read_to_string(folder().join(name)).ok().as_ref() != Some(text))
        .map(|(name, _)| name)
        .collect();
    assert!(
        stale.is_empty() && there() == known,
        "docs/requirements is not what the registry says; run `cargo xtask docs`. Stale: \
         {stale:?}; of no group: {:?}",
        there().difference(&known).collect::<Vec<_>>()
    );
}

/// The section of a requirement, as it is in the folder.
fn written(entry: &Requirement) -> String {
    let page = fs::read_to_string(folder().join(format!("{}.md", entry.group()))).unwrap();
    let (_, section) = page.split_once(&format!("\n## {}\n", entry.id)).expect(entry.id);
    section.split("\n## ").next().unwrap().to_owned()
}

#[test]
fn every_requirement_is_in_it() {
    let index = fs::read_to_string(folder().join("README.md")).unwrap();
    let mut links = BTreeSet::new();
    for entry in registry::all() {
        let id = entry.id;
        let section = written(entry);
        let plain = section.replace('\\', "");
        for prose in [entry.text, entry.why, entry.help] {
            assert!(plain.contains(&prose.replace('\\', "")), "{id}: {prose}");
        }
        for said in [
            format!("Level {};", entry.level),
            format!("since {}", entry.since),
            format!("needs {}:", entry.needs),
            format!("[specification]({})", entry.spec_url()),
        ] {
            assert!(section.contains(&said), "{id}: {said}");
        }
        let rule = entry.rule().map(|rule| format!("rule `{rule}`"));
        assert_eq!(section.contains("; rule `"), rule.is_some(), "{id}");
        assert!(section.contains(&rule.unwrap_or_default()), "{id}");
        let row = index.lines().find(|line| line.starts_with(&format!("| [{id}]("))).expect(id);
        let cells: Vec<_> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let by = format!("`{}`", if entry.judge == Judge::None { "certify" } else { "check" });
        let (level, needs) = (entry.level.as_str(), entry.needs.as_str());
        assert_eq!(cells[1..5], [level, needs, entry.since, &by], "{row}");
        assert!(section.contains(&format!("judged by {by}")), "{id}");
        // As GitHub makes anchors of headings: lower case, without punctuation but hyphens.
        let anchor: String =
            id.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
        assert!(links.insert(anchor.clone()), "{id}: another has its anchor");
        assert_eq!(cells[0], format!("[{id}]({}.md#{anchor})", entry.group()));
    }
    assert_eq!(index.lines().filter(|line| line.starts_with("| [")).count(), links.len());
}

/// What a fence shows, unescaped: status line and headers, request, input.
fn read_back(fence: &str) -> (Option<String>, Option<String>, String) {
    let unescaped = |text: &str| {
        let mut rest = text;
        let mut text = String::new();
        // In JSON these escapes are no bytes; only SSE has bytes that cannot be printed.
        while let Some((before, after)) = rest.split_once("\\r\n") {
            text.push_str(before);
            text.push_str("\r\n");
            rest = after;
        }
        text + rest
    };
    let (headers, rest) = match fence.split_once("\n\n") {
        Some((headers, rest)) if headers.starts_with("HTTP/") => (Some(headers.to_owned()), rest),
        _ => (None, fence),
    };
    let (request, rest) = match rest.strip_prefix("request: ") {
        Some(rest) => {
            let (request, rest) = rest.split_once('\n').unwrap();
            (Some(request.to_owned()), rest)
        }
        None => (None, rest),
    };
    let (input, cut) = match rest.split_once("\n(the input ends here, without a blank line)") {
        Some((input, "")) => (input, true),
        _ => (rest, false),
    };
    let end = if input.starts_with("data:") && !cut { "\n\n" } else { "\n" };
    (headers, request, unescaped(input) + end)
}

/// What is printed is the example: nothing is lost that matters to who copies it.
#[test]
fn the_examples_are_right() {
    for entry in registry::all() {
        let id = entry.id;
        let section = written(entry);
        let fences: Vec<_> = section
            .split("\n```text\n")
            .skip(1)
            .map(|fence| fence.split_once("\n```\n").expect(id).0)
            .collect();
        let titles: Vec<_> =
            section.lines().filter(|line| matches!(*line, "Broken:" | "Mended:")).collect();
        let examples: Vec<Example> = entry.broken.into_iter().chain(entry.mended).collect();
        let expected: &[_] =
            if entry.needs.judged_by() == "check" { &["Broken:", "Mended:"] } else { &[] };
        assert_eq!(titles, expected, "{id}");
        assert_eq!(fences.len(), examples.len(), "{id}");
        assert!(fences.first() != fences.last() || fences.is_empty(), "{id}: both look the same");
        for (fence, example) in fences.iter().zip(examples) {
            assert!(!fence.contains("```"), "{id}");
            assert!(fence.chars().all(|c| c == '\n' || !c.is_control()), "{id}: {fence:?}");
            let (headers, request, input) = read_back(fence);
            assert_eq!(headers.as_deref(), example.headers.map(str::trim_end), "{id}");
            assert_eq!(request.as_deref(), example.request, "{id}");
            assert_eq!(input, example.input, "{id}");
        }
    }
}
