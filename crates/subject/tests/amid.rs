//! Every fault that stands amid a plan is one finding in check, at its event and for its
//! requirement; the model finds the same; its twin is without a fault.

use std::collections::{BTreeMap, BTreeSet};

use conform_generate::{Cell, Dice, Fault, Plan, Scope};
use conform_subject::Whole;
use serde_json::Value;

fn texts(events: &[Value]) -> Vec<String> {
    events.iter().map(ToString::to_string).collect()
}

/// What is wrong with what is said of a stream, if anything is.
fn complaint(events: &[Value], expected: &[(Option<usize>, &'static str)]) -> Option<String> {
    let whole = Whole::of(&texts(events), None);
    if whole.difference().is_some() || whole.counted != expected {
        let lines: Vec<String> = texts(events);
        return Some(format!("expected {expected:?}\n{whole:?}\n{}", lines.join("\n")));
    }
    None
}

/// One fault of every cell amid plans, between the events of their agents.
#[test]
fn faults_amid_plans_are_one_finding_and_their_twins_none() {
    let mut complaints: BTreeMap<Cell, (u32, String)> = BTreeMap::new();
    let mut cells: BTreeSet<Cell> = BTreeSet::new();
    for case in 0..60 {
        let mut dice = Dice::of_case(31, case);
        let plan = Plan::grow(&mut dice, Scope::Stream);
        for fault in Fault::each_amid_plan(&plan, &mut dice) {
            cells.insert(fault.cell);
            let broken = complaint(&fault.events, &[(fault.at, fault.requirement)]);
            let twin = complaint(&fault.twin, &[]).map(|text| format!("twin: {text}"));
            for text in broken.into_iter().chain(twin) {
                complaints.entry(fault.cell).or_insert((0, text)).0 += 1;
            }
        }
    }
    println!("{} cells", cells.len());
    for (cell, (count, text)) in &complaints {
        println!("{cell:?} {count}\n{text}\n");
    }
    assert!(complaints.is_empty());
}
