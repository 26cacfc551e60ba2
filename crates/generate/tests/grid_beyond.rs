//! The grid of faults beyond the order of events, computed by hand: a hole fails, and so does
//! what nobody thought of.

use std::collections::BTreeSet;

use conform_event::EventType;
use conform_generate::{Cell, Dice, Fault, Kind, Plan, Scope, Who};

/// In whose name anything may be sent.
const ANYBODY: [Who; 4] = [Who::Parent, Who::Subagent, Who::Nested, Who::EmptyId];

/// Who can be somewhere else than the owner too.
const ANY_RELATION: [Who; 6] = Who::ALL;

/// Whoever goes on with what is his, with a tag or without.
const OWNERS: [Who; 5] = [Who::Parent, Who::Subagent, Who::Nested, Who::EmptyId, Who::Untagged];

/// What is broken by an event of somebody's, and the types of event that show it.
const SOMEBODYS: [(&str, &[&str]); 15] = [
    (
        "ids/message-unique",
        &[
            "TEXT_MESSAGE_START",
            "TEXT_MESSAGE_CHUNK",
            "REASONING_MESSAGE_START",
            "REASONING_MESSAGE_CHUNK",
            "TOOL_CALL_RESULT",
            "ACTIVITY_SNAPSHOT",
            "MESSAGES_SNAPSHOT",
        ],
    ),
    ("text/reopen-agrees", &["TEXT_MESSAGE_START", "TEXT_MESSAGE_CHUNK"]),
    ("tool/reopen-agrees", &["TOOL_CALL_START", "TOOL_CALL_CHUNK"]),
    ("tool/one-result", &["TOOL_CALL_RESULT"]),
    // A chunked call is closed by something else, here a CUSTOM.
    ("tool/arguments-are-json", &["TOOL_CALL_END", "CUSTOM"]),
    ("reasoning/encrypted-entity-known", &["REASONING_ENCRYPTED_VALUE"]),
    ("reasoning/encrypted-type-needs-value", &["REASONING_ENCRYPTED_VALUE", "MESSAGES_SNAPSHOT"]),
    ("state/delta-applies", &["STATE_DELTA"]),
    ("state/patch-well-formed", &["STATE_DELTA", "ACTIVITY_DELTA"]),
    ("activity/snapshot-first", &["ACTIVITY_DELTA"]),
    ("activity/delta-applies", &["ACTIVITY_DELTA"]),
    ("activity/stays-an-object", &["ACTIVITY_DELTA"]),
    ("activity/keep-agrees", &["ACTIVITY_SNAPSHOT"]),
    ("shape/custom-name-prefixed", &["CUSTOM"]),
    // Of no type, or of one that resembles none.
    ("shape/known-type", &["other"]),
];

/// What is broken by an event of the run, or of a subagent as such.
const OF_THE_RUN: [(&str, &[&str]); 16] = [
    ("lifecycle/same-run-id", &["RUN_FINISHED"]),
    ("lifecycle/same-thread-id", &["RUN_STARTED", "RUN_FINISHED"]),
    ("lifecycle/cancelled-has-no-result", &["RUN_FINISHED"]),
    ("ids/run-not-reused", &["RUN_STARTED"]),
    ("usage/parts-within-totals", &["RUN_FINISHED", "RUN_ERROR"]),
    ("usage/total-is-the-sum", &["RUN_FINISHED", "RUN_ERROR"]),
    ("usage/one-entry-per-model", &["RUN_FINISHED", "RUN_ERROR"]),
    ("tool/pending-list-exact", &["RUN_FINISHED"]),
    ("tool/pending-list-sent", &["RUN_FINISHED"]),
    ("subagent/announced-before-use", &["SUBAGENT_STARTED"]),
    ("subagent/success-has-no-interrupts", &["SUBAGENT_FINISHED"]),
    ("interrupt/at-least-one", &["RUN_FINISHED"]),
    ("interrupt/unique-ids", &["RUN_FINISHED"]),
    ("interrupt/suspended-ids-exist", &["RUN_FINISHED"]),
    ("version/declared", &["RUN_STARTED"]),
    ("version/published", &["RUN_STARTED"]),
];

/// What every event may break.
const SHAPES: [&str; 4] = [
    "shape/known-fields",
    "shape/well-formed",
    "shape/absent-not-null",
    "shape/metadata-reserved-key",
];

/// What is broken at something that a plan has: of which kind, and by whom.
const KNOWN: [(&str, Kind, &str, &[Who]); 12] = [
    ("ids/message-unique", Kind::Text, "ACTIVITY_SNAPSHOT", &ANY_RELATION),
    ("ids/message-unique", Kind::Reasoning, "ACTIVITY_SNAPSHOT", &ANY_RELATION),
    ("text/reopen-agrees", Kind::Text, "TEXT_MESSAGE_START", &OWNERS),
    ("tool/reopen-agrees", Kind::Call, "TOOL_CALL_START", &OWNERS),
    ("tool/one-result", Kind::Call, "TOOL_CALL_RESULT", &ANY_RELATION),
    ("reasoning/encrypted-entity-known", Kind::Text, "REASONING_ENCRYPTED_VALUE", &ANY_RELATION),
    (
        "reasoning/encrypted-entity-known",
        Kind::Reasoning,
        "REASONING_ENCRYPTED_VALUE",
        &ANY_RELATION,
    ),
    (
        "reasoning/encrypted-entity-known",
        Kind::Activity,
        "REASONING_ENCRYPTED_VALUE",
        &ANY_RELATION,
    ),
    ("activity/delta-applies", Kind::Activity, "ACTIVITY_DELTA", &OWNERS),
    ("activity/stays-an-object", Kind::Activity, "ACTIVITY_DELTA", &OWNERS),
    (
        "activity/keep-agrees",
        Kind::Activity,
        "ACTIVITY_SNAPSHOT",
        &[Who::Subagent, Who::Sibling, Who::Nested, Who::EmptyId],
    ),
    (
        "subagent/announced-before-use",
        Kind::Subagent,
        "SUBAGENT_STARTED",
        &[Who::Subagent, Who::Nested, Who::EmptyId],
    ),
];

fn is_of_the_run(name: &str) -> bool {
    name.starts_with("RUN_")
}

/// Whether an event of the type, however it is spelt, may be sent in anybody's name.
fn is_plain(name: &str) -> bool {
    is_somebodys(name) && !name.starts_with("SUBAGENT_")
}

/// Whether an event of the type carries the tag of whoever sends it.
fn is_somebodys(name: &str) -> bool {
    !is_of_the_run(name) && name != "MESSAGES_SNAPSHOT"
}

#[derive(Default)]
struct Grid(BTreeSet<Cell>);

impl Grid {
    fn add(&mut self, rule: &'static str, kind: Option<Kind>, event: &'static str, who: &[Who]) {
        self.0.extend(who.iter().map(|who| Cell { rule, kind, event_type: event, who: *who }));
    }

    fn is(&self, made: &BTreeSet<Cell>) {
        println!("{} cells", made.len());
        let holes: Vec<_> = self.0.difference(made).collect();
        let surplus: Vec<_> = made.difference(&self.0).collect();
        assert!(holes.is_empty() && surplus.is_empty(), "holes {holes:#?}\nsurplus {surplus:#?}");
    }
}

#[test]
fn faults_in_runs_of_their_own_fill_the_grid() {
    let mut grid = Grid::default();
    for (rule, events) in SOMEBODYS {
        for event in events {
            grid.add(rule, None, event, &ANYBODY);
        }
    }
    for (rule, events) in OF_THE_RUN {
        for event in events {
            grid.add(rule, None, event, &[Who::Parent]);
        }
    }
    // What its input has, where nobody knows of another run that it could stand in.
    let sealed = "reasoning/encrypted-type-needs-value";
    grid.add(sealed, None, "RUN_STARTED", &[Who::Parent]);
    for event in EventType::ALL.iter().map(|event| event.as_str()) {
        let who = if is_of_the_run(event) { &ANYBODY[..1] } else { &ANYBODY[..] };
        for rule in SHAPES {
            grid.add(rule, None, event, who);
        }
        // A run that does not begin or end is a matter of order.
        if !is_of_the_run(event) {
            grid.add("shape/known-type", None, event, who);
        }
    }
    let stream = Plan::grow(&mut Dice::of_case(9, 0), Scope::Stream).weave().events;
    let made: Vec<Fault> = Fault::all_beyond(&stream).collect();
    println!("{} faults", made.len());
    assert!(made.iter().all(|fault| fault.rule().is_none()));
    assert!(made.iter().all(|fault| fault.twin != fault.events && !fault.twin_is_original));
    grid.is(&made.iter().map(|fault| fault.cell).collect());
}

#[test]
fn faults_amid_plans_fill_the_grid() {
    let mut grid = Grid::default();
    for (rule, events) in SOMEBODYS {
        for event in events {
            // A list has nothing of anybody's around it, where that is not what it is about.
            let alone = *event == "MESSAGES_SNAPSHOT" && rule != "ids/message-unique";
            grid.add(rule, None, event, if alone { &ANYBODY[..1] } else { &ANYBODY });
        }
    }
    for (rule, events) in OF_THE_RUN {
        for event in events {
            grid.add(rule, None, event, &[Who::Parent]);
        }
    }
    for event in EventType::ALL.iter().map(|event| event.as_str()) {
        let who = if is_somebodys(event) { &ANYBODY[..] } else { &ANYBODY[..1] };
        for rule in SHAPES {
            grid.add(rule, None, event, who);
        }
        if !is_of_the_run(event) {
            let who = if is_plain(event) { who } else { &ANYBODY[..1] };
            grid.add("shape/known-type", None, event, who);
        }
    }
    for (rule, kind, event, who) in KNOWN {
        grid.add(rule, Some(kind), event, who);
    }
    let mut made = BTreeSet::new();
    for case in 0..150 {
        let mut dice = Dice::of_case(32, case);
        let plan = Plan::grow(&mut dice, Scope::Stream);
        for fault in Fault::each_amid_plan(&plan, &mut dice) {
            assert!(fault.rule().is_none() && fault.twin != fault.events);
            made.insert(fault.cell);
        }
    }
    grid.is(&made);
}
