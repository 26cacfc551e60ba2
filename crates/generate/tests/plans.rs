//! What plans are made of, and that nothing is missing from them.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::collections::{BTreeMap, BTreeSet};

use conform_event::EventType;
use conform_generate::{Bytes, Dice, Plan, Scope, plans, shrink_events};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

fn snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../snapshots/generate");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// A stream of twelve agents, five deep, their events woven together.
#[test]
fn a_deep_plan() {
    let woven = (0..10_000)
        .map(|case| Plan::sized(&mut Dice::of_case(5, case), Scope::Stream, 1, 12, 3).weave())
        .find(|woven| woven.depth == 5 && woven.events.len() > 60)
        .unwrap();
    // Ids of ten thousand characters are for machines.
    let text = woven.ndjson().replace(&"long".repeat(2560), "long…");
    snapshot("twelve-agents-five-deep", &text);
}

/// How often each event type is made, tagged and not, and each kind of id, and each outcome.
#[test]
fn everything_is_made() {
    let mut types: BTreeMap<(String, bool), u32> = BTreeMap::new();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut deepest = 0;
    for case in 0..3_000 {
        let plan = Plan::grow(&mut Dice::of_case(6, case), Scope::Stream);
        let woven = plan.weave();
        deepest = deepest.max(woven.depth);
        for event in &woven.events {
            let name = event["type"].as_str().unwrap().to_owned();
            let tagged = event.get("subagentRunId").is_some();
            *types.entry((name, tagged)).or_default() += 1;
            let id = event.get("messageId").and_then(Value::as_str);
            for (what, is) in [
                ("empty id", id == Some("")),
                ("quoted id", id.is_some_and(|id| id.contains('"'))),
                ("id of two lines", id.is_some_and(|id| id.contains('\n'))),
                ("NUL in an id", id.is_some_and(|id| id.contains('\0'))),
                ("emoji in an id", id.is_some_and(|id| id.contains('🦀'))),
                ("bidirectional id", id.is_some_and(|id| id.contains('\u{202e}'))),
                ("id of 10 kB", id.is_some_and(|id| id.len() > 10_000)),
                ("look-alike id", id == Some("а")),
                ("empty subagent", event.get("subagentRunId") == Some(&json!(""))),
                ("nested subagent", event.get("parentSubagentRunId").is_some()),
                ("input echo", event.get("input").is_some()),
                ("parent message", event.get("parentMessageId").is_some()),
                ("kept activity", event.get("replace") == Some(&json!(false))),
                ("success", event["outcome"]["type"] == "success"),
                ("interrupt", event["outcome"]["type"] == "interrupt"),
                ("cancelled", event["outcome"]["type"] == "cancelled"),
                ("pending calls", event["outcome"].get("pendingToolCallIds").is_some()),
                ("second run", event["runId"] == "run-2"),
                ("chunk without id", id.is_none() && event["type"] == "TEXT_MESSAGE_CHUNK"),
            ] {
                if is {
                    seen.insert(what);
                }
            }
        }
    }
    println!("{types:#?}\n{seen:#?}");
    let untagged_only = ["RUN_STARTED", "RUN_FINISHED", "RUN_ERROR", "MESSAGES_SNAPSHOT"];
    for event_type in EventType::ALL {
        let name = event_type.as_str().to_owned();
        let count = |tagged| types.get(&(name.clone(), tagged)).copied().unwrap_or_default();
        if !name.starts_with("SUBAGENT_") {
            assert!(count(false) >= 50, "{name} untagged was made {} times", count(false));
        }
        if !untagged_only.contains(&name.as_str()) {
            assert!(count(true) >= 50, "{name} tagged was made {} times", count(true));
        }
    }
    assert_eq!(seen.len(), 19, "{seen:?}");
    assert_eq!(deepest, 5);
}

#[test]
fn one_id_names_things_of_several_kinds() {
    let mut together = 0;
    for case in 0..2_000 {
        let text = Plan::grow(&mut Dice::of_case(7, case), Scope::Stream).weave().ndjson();
        let has = |member: &str| text.contains(&format!("\"{member}\":\"shared-1\""));
        let kinds = ["messageId", "toolCallId", "stepName", "subagentRunId"].map(has);
        together += usize::from(kinds.into_iter().filter(|has| *has).count() >= 3);
    }
    assert!(together >= 10, "{together}");
}

#[test]
fn the_same_choices_make_the_same_stream() {
    for scope in [Scope::Run, Scope::Stream] {
        let bytes: Vec<u8> = (0..=255).cycle().take(900).collect();
        let plan = Plan::grow(&mut Bytes::of(&bytes), scope);
        assert_eq!(plan, Plan::grow(&mut Bytes::of(&bytes), scope));
        assert_eq!(plan.weave().events, plan.weave().events);
        // Out of bytes, every choice is the first.
        assert!(!Plan::grow(&mut Bytes::of(&[]), scope).weave().events.is_empty());
    }
}

/// A property that fails for plans with a tool call is shrunk to a plan with little else.
#[test]
fn proptest_shrinks_plans() {
    let mut runner = TestRunner::deterministic();
    let has_call = |plan: &Plan| plan.weave().ndjson().contains("TOOL_CALL_START");
    let mut tree = std::iter::repeat_with(|| plans(Scope::Stream).new_tree(&mut runner).unwrap())
        .find(|tree| has_call(&tree.current()) && tree.current().size() > 20)
        .unwrap();
    let mut smaller = tree.simplify();
    while smaller {
        smaller = if has_call(&tree.current()) { tree.simplify() } else { tree.complicate() };
    }
    let small = tree.current();
    assert!(has_call(&small), "{small:#?}");
    assert!(small.size() <= 5, "{small:#?}");
}

#[test]
fn events_shrink_to_what_matters() {
    let events: Vec<Value> =
        (0..40).map(|n| json!({"type": "RAW", "event": n, "source": "s"})).collect();
    let small = shrink_events(events, |events| {
        events.iter().any(|event| event["event"] == 13) && events.len() > 1
    });
    assert_eq!(small.len(), 2, "{small:?}");
    assert!(small.contains(&json!({"type": "RAW", "event": 13})), "{small:?}");
}
