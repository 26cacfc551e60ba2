//! Every message that a refused event can come back with, as a person gets it: one snapshot
//! a rule or requirement, in the forms of debug and release builds.
#![cfg(feature = "verify")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use std::collections::BTreeSet;
use std::fmt::Write as _;

use conform_verify::Rule;

mod anywhere;
mod chunk_rules;
mod expected;
mod hostile;
mod owner_rules;
mod row;
mod run_rules;
mod stream_rules;

use row::{END, Row, way};

/// Every requirement that only the stream scope refuses.
const REQUIREMENTS: &[&str] = &[
    "lifecycle/first-event",
    "lifecycle/terminated",
    "chunk/first-carries-id",
    "chunk/repeat-agrees",
    "chunk/forms-do-not-mix",
    "chunk/unambiguous-lane",
    "chunk/ends-with-its-owner",
];

fn table() -> Vec<Row> {
    let written = [run_rules::ROWS, owner_rules::ROWS, stream_rules::ROWS, chunk_rules::ROWS];
    let written = written.into_iter().flatten();
    let mut rows: Vec<_> = written
        .map(|(breaks, scope, title, lines)| Row::new(breaks, *scope, title, lines))
        .collect();
    rows.extend(anywhere::rows());
    rows
}

/// Checks the rows against a snapshot of their messages.
#[track_caller]
fn check<'r>(name: &str, rows: impl Iterator<Item = &'r Row>) {
    let mut text = String::new();
    for row in rows {
        let error = row.error();
        let broken = error.rule().map(Rule::as_str).or(error.requirement());
        assert_eq!(broken, Some(row.breaks), "{}", row.headline());
        writeln!(text, "# {}\n{error}\n", row.headline()).unwrap();
    }
    assert!(!text.is_empty(), "no row breaks {name}");
    let form = if cfg!(debug_assertions) { "debug" } else { "release" };
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../../snapshots/messages");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(format!("{}.{form}", name.replace('/', "-")), text));
}

#[test]
fn messages_of_every_rule_and_requirement() {
    let table = table();
    let rules = Rule::ALL.iter().map(|rule| rule.as_str());
    for name in rules.chain(REQUIREMENTS.iter().copied()) {
        check(name, table.iter().filter(|row| row.breaks == name));
    }
}

#[test]
fn messages_about_hostile_ids() {
    check("hostile-ids", hostile::rows().iter());
}

#[test]
fn nothing_hostile_leaves_its_line_or_fills_it() {
    for row in hostile::rows() {
        let error = row.error();
        let message = error.message();
        let plain =
            |c: char| if c.is_ascii() { !c.is_control() } else { c.escape_debug().len() == 1 };
        assert!(message.chars().all(plain), "{message}");
        assert!(message.chars().count() < 1000, "{message}");
        assert_eq!(error.to_string().lines().count(), 1 + usize::from(error.dump().is_some()));
    }
}

#[test]
fn only_debug_builds_add_what_is_open() {
    for row in table() {
        let error = row.error();
        assert_eq!(error.dump().is_some(), cfg!(debug_assertions));
        let dump = error.dump().map(|dump| format!("\n{dump}")).unwrap_or_default();
        assert_eq!(error.to_string(), error.message() + &dump);
    }
}

#[test]
fn the_table_has_every_way_to_break_a_rule() {
    let mut expected = BTreeSet::new();
    for (breaks, scope, way, types) in expected::EXPECTED {
        for name in *types {
            let new = expected.insert((*breaks, *scope, (*way).to_owned(), (*name).to_owned()));
            assert!(new, "{breaks} {scope:?} {way} {name} is expected twice");
        }
    }
    let table = table();
    let covered = table
        .iter()
        .map(|row| (row.breaks, row.scope, way(row.error().breach()), row.type_name()))
        .collect();
    let missing: Vec<_> = expected.difference(&covered).collect();
    let surplus: Vec<_> = covered.difference(&expected).collect();
    assert!(missing.is_empty() && surplus.is_empty(), "missing {missing:?}, surplus {surplus:?}");
}

#[test]
fn every_row_has_a_headline_of_its_own() {
    let mut seen = BTreeSet::new();
    for row in table() {
        // Two events may be without a type, each in its own way.
        if row.last != END && row.type_name().is_empty() {
            continue;
        }
        let headline = row.headline();
        assert!(seen.insert((row.breaks, headline.clone())), "{headline}");
    }
}
