//! `docs/requirements/` is the registry, written out. With `UPDATE_DOCS` set, this writes it.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use conform_check::registry::{self, Example, Judge, Needs, Requirement};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/requirements")
}

/// What a word of the registry means, for a reader.
fn needs(needs: Needs) -> &'static str {
    match needs {
        Needs::Stream => "the events alone",
        Needs::Request => "the run input, sent or echoed",
        Needs::Bytes => "the bytes as they were framed",
        Needs::Http => "status and headers of the response",
        Needs::Live => "a connection and a clock",
        Needs::Probe => "a live producer and a request made on purpose",
    }
}

fn judged_by(entry: &Requirement) -> &'static str {
    if entry.judge == Judge::None { "certify" } else { "check" }
}

/// An example as it would be recorded; what cannot be printed is escaped.
fn example(text: &mut String, title: &str, example: &Example) {
    let _ = writeln!(text, "\n{title}:\n");
    for (what, part) in [("The request", example.request), ("The head", example.headers)] {
        if let Some(part) = part {
            let _ = writeln!(text, "{what}:\n\n```text\n{}\n```\n", shown(part.trim_end()));
        }
    }
    let _ = writeln!(text, "```text\n{}\n```", shown(example.input.trim_end_matches('\n')));
}

fn shown(text: &str) -> String {
    let mut shown = String::new();
    for letter in text.chars() {
        match letter {
            '\n' => shown.push('\n'),
            '\r' => shown.push_str("\\r"),
            letter if letter.is_control() || letter == '\u{feff}' => {
                let _ = write!(shown, "\\u{{{:x}}}", u32::from(letter));
            }
            letter => shown.push(letter),
        }
    }
    shown
}

fn group(name: &str) -> String {
    let mut text = format!("# {name}\n");
    for entry in registry::all().filter(|entry| entry.group() == name) {
        let _ = writeln!(text, "\n## {}\n\n{}\n\n{}\n", entry.id, entry.text, entry.why);
        let _ = writeln!(text, "What to do: {}\n", entry.help);
        let since = match entry.since {
            "house" => "not in the specification: a rule of this house".to_owned(),
            version => format!("since {version}"),
        };
        let rule = entry.rule().map(|rule| format!(", ordering rule `{rule}`"));
        let _ = writeln!(
            text,
            "{} ({since}){}; judged by `{}`, from {}. [Specification]({})",
            entry.level,
            rule.unwrap_or_default(),
            judged_by(entry),
            needs(entry.needs),
            entry.spec_url()
        );
        if let (Some(broken), Some(mended)) = (&entry.broken, &entry.mended) {
            example(&mut text, "Broken", broken);
            example(&mut text, "Mended", mended);
        }
    }
    text
}

fn files() -> BTreeMap<String, String> {
    let mut index = String::from(
        "# What a producer owes\n\nThe requirements, group by group. `check` judges recordings, \
         `certify` live producers.\n\n| requirement | level | since | judged by | from |\n\
         |---|---|---|---|---|\n",
    );
    let mut files = BTreeMap::new();
    for entry in registry::all() {
        let (name, kebab) = (entry.group(), entry.id.replace('/', ""));
        let _ = writeln!(
            index,
            "| [{}]({name}.md#{kebab}) | {} | {} | {} | {} |",
            entry.id,
            entry.level,
            entry.since,
            judged_by(entry),
            needs(entry.needs)
        );
        files.entry(format!("{name}.md")).or_insert_with(|| group(name));
    }
    files.insert("README.md".to_owned(), index);
    files
}

#[test]
fn the_documentation_is_what_the_registry_says() {
    let files = files();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::create_dir_all(folder()).unwrap();
        for (name, text) in &files {
            std::fs::write(folder().join(name), text).unwrap();
        }
    }
    for (name, text) in &files {
        let there = std::fs::read_to_string(folder().join(name)).unwrap_or_default();
        assert!(
            there == *text,
            "docs/requirements/{name} is stale: UPDATE_DOCS=1 cargo test -p conform-check --test \
             requirement_docs"
        );
    }
    let there = std::fs::read_dir(folder()).unwrap().count();
    assert_eq!(there, files.len(), "a file in docs/requirements that no group has");
}

#[test]
fn every_requirement_is_in_it() {
    let files = files();
    let all: String = files.values().map(String::as_str).collect();
    for entry in registry::all() {
        assert!(all.contains(&format!("\n## {}\n", entry.id)), "{}", entry.id);
        assert!(files["README.md"].contains(&format!("[{}]", entry.id)), "{}", entry.id);
    }
}
