//! The grid of faults: every cell that the contract admits is made. A hole changes a snapshot.

use std::collections::{BTreeMap, BTreeSet};

use conform_generate::{Cell, Dice, Fault, Kind, Plan, Scope, Who};

/// Plans that between them have a place for every fault.
const PLANS: u64 = 340;

/// Faults whose nearest valid stream is the one that they were made from.
const WITHOUT_NEARER_TWIN: [&str; 7] = [
    "run-ended",
    "duplicate-run-started",
    "open-at-finish",
    "lifecycle/first-event",
    "lifecycle/terminated",
    "chunk/repeat-agrees",
    "chunk/unambiguous-lane",
];

struct Seen {
    cells: BTreeSet<Cell>,
    /// By rule and kind, whether a twin nearer than the whole stream was made.
    twins: BTreeMap<(&'static str, Option<Kind>), bool>,
}

fn seen(scope: Scope) -> Seen {
    let mut seen = Seen { cells: BTreeSet::new(), twins: BTreeMap::new() };
    for case in 0..PLANS {
        let mut dice = Dice::of_case(9, case);
        for fault in Fault::each_in_plan(&Plan::grow(&mut dice, scope), &mut dice) {
            let near = seen.twins.entry((fault.cell.rule, fault.cell.kind)).or_default();
            *near |= !fault.twin_is_original;
            seen.cells.insert(fault.cell);
        }
    }
    if scope == Scope::Stream {
        let stream = Plan::grow(&mut Dice::of_case(9, 0), scope).weave().events;
        for fault in Fault::all_beyond(&stream) {
            seen.twins.insert((fault.cell.rule, fault.cell.kind), !fault.twin_is_original);
            seen.cells.insert(fault.cell);
        }
    }
    seen
}

/// A row a rule, kind and event type, with those who break it.
fn grid(cells: &BTreeSet<Cell>) -> String {
    let mut rows: BTreeMap<(&str, &str, &str), Vec<&str>> = BTreeMap::new();
    for cell in cells {
        let kind = cell.kind.map_or("run", Kind::as_str);
        rows.entry((cell.rule, kind, cell.event_type)).or_default().push(cell.who.as_str());
    }
    let mut text = format!("{} cells\n", cells.len());
    for ((rule, kind, event_type), who) in rows {
        text.push_str(&[rule, kind, event_type, &who.join(", ")].join(" | "));
        text.push('\n');
    }
    text
}

fn check(scope: Scope, name: &str) {
    let seen = seen(scope);
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../snapshots/generate");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let text = grid(&seen.cells);
    println!("{text}");
    settings.bind(|| insta::assert_snapshot!(name, text));
    let wrong: Vec<_> = seen
        .twins
        .iter()
        .filter(|((rule, _), near)| **near == WITHOUT_NEARER_TWIN.contains(rule))
        .collect();
    assert!(wrong.is_empty(), "whether these have a twin of their own: {wrong:?}");
    let rules: BTreeSet<&str> = seen.cells.iter().map(|cell| cell.rule).collect();
    let expected = Fault::RULES.into_iter().filter(|r| scope == Scope::Stream || !r.contains('/'));
    assert_eq!(rules, expected.collect());
    let who: BTreeSet<Who> = seen.cells.iter().map(|cell| cell.who).collect();
    assert_eq!(who.len(), Who::ALL.len(), "{who:?}");
}

#[test]
fn faults_of_runs_fill_the_grid() {
    check(Scope::Run, "grid.run");
}

#[test]
fn faults_of_streams_fill_the_grid() {
    check(Scope::Stream, "grid.stream");
}
