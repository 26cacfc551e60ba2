//! The published crate differs from our verifier as its ledger says, and no otherwise.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test")]

use std::collections::BTreeMap;

use conform_event::{Body, Event, decode};
use conform_generate::{Choose, Dice, soup};
use conform_subject::{
    Case, Compared, Divergence, Ledger, PEER, Peer, Saying, Soak, complete, peer_difference,
};
use serde_json::{Value, json};

fn soak(cases: u64, jobs: usize) -> Soak {
    Soak { seed: 1, cases, time: None, jobs, shard: (0, 1) }
}

fn without(name: &str) -> Ledger {
    let mut ledger = Ledger::published();
    ledger.entries.retain(|entry| entry.name != name);
    ledger
}

fn shows(entry: &Divergence, events: &[Value]) -> bool {
    peer_difference(events).is_some_and(|d| (d.we, d.peer) == (entry.we, entry.peer))
}

#[test]
fn witnesses_show_what_they_say_and_are_minimal() {
    let ledger = Ledger::published();
    for entry in &ledger.entries {
        let found = peer_difference(&entry.witness);
        let found = found.unwrap_or_else(|| panic!("{} no longer shows: stale", entry.name));
        assert_eq!((found.at, found.we, found.peer), (entry.at, entry.we, entry.peer));
        assert_eq!(found.we, found.model, "{}", entry.name);
        for gone in 0..entry.witness.len() {
            let mut fewer = entry.witness.clone();
            fewer.remove(gone);
            assert!(!shows(entry, &fewer), "{}: event {gone} can be left out", entry.name);
        }
        match Peer::new(&ledger).compare(&entry.witness) {
            Compared::Known(known) => assert_eq!(known.name, entry.name),
            other => panic!("{}: {other:?}", entry.name),
        }
    }
}

#[test]
fn no_entry_hides_behind_another() {
    for entry in Ledger::published().entries {
        let ledger = without(&entry.name);
        let compared = Peer::new(&ledger).compare(&entry.witness);
        assert!(matches!(compared, Compared::Unlisted(_)), "{}: {compared:?}", entry.name);
    }
}

/// What the rules of owners meet on, and little else.
const OWNED: &[&str] = &[
    "TEXT_MESSAGE_START",
    "TEXT_MESSAGE_CONTENT",
    "TEXT_MESSAGE_END",
    "TOOL_CALL_CHUNK",
    "TOOL_CALL_RESULT",
    "MESSAGES_SNAPSHOT",
];

/// Short soups that the peer can read nearly always, mostly of what makes owners meet.
fn soups() -> impl Iterator<Item = Vec<Value>> {
    let [all, chunky, _, calm, ..] = soup::flavours();
    (0..10_000).map(move |number| {
        let mut dice = Dice::of_case(3, number);
        let types = [OWNED, OWNED, all, chunky, calm][dice.below(5)];
        let event = |dice: &mut Dice| {
            let mut recipe = dice.recipe();
            // No odd id, no odd tag.
            recipe[4] = 0;
            recipe[2] %= 251;
            soup::event_of(types, recipe)
        };
        (0..dice.below(24)).map(|_| event(&mut dice)).collect()
    })
}

#[test]
fn every_difference_is_listed_and_every_entry_is_seen() {
    let soaked = soak(20_000, 2).run(|_| {});
    assert!(soaked.found.is_none(), "{:#?}", soaked.found);
    // Many mutations bend members that the peer cannot read.
    assert!(soaked.peer.compared > 14_000, "{:?}", soaked.peer);
    assert_eq!(soaked.peer.compared + soaked.peer.unsupported, soaked.cases);
    let mut seen = soaked.peer.known;
    let ledger = Ledger::published();
    let peer = Peer::new(&ledger);
    for events in soups() {
        match peer.compare(&events) {
            Compared::Known(entry) => *seen.entry(entry.name.clone()).or_default() += 1,
            Compared::Unlisted(found) => panic!("{:#?}", (peer.shrink(&events, &found), found)),
            Compared::Same | Compared::Unsupported => {}
        }
    }
    println!("{seen:#?}");
    for entry in &ledger.entries {
        assert!(seen.contains_key(&entry.name), "{} was never seen", entry.name);
    }
}

#[test]
fn a_difference_that_is_not_listed_fails_the_soak() {
    let ledger = without("chunk-closes-continuation");
    let [one, three] = [1, 3].map(|jobs| soak(2_000, jobs).run_with(&ledger, |_| {}));
    let (one, three) = (one.found.unwrap(), three.found.unwrap());
    assert_eq!(one.case.number, three.case.number);
    assert_eq!(one.small.events, three.small.events);
    assert_eq!(one.peer, Some(Saying::Reject("not-open")));
    assert_eq!((one.difference.verifier, one.difference.model), (Saying::Accept, Saying::Accept));
    assert_eq!(one.small.events.len(), 3, "{:#?}", one.small.events);
}

#[test]
fn as_many_on_one_thread_as_on_three() {
    let [one, three] = [1, 3].map(|jobs| soak(1_000, jobs).run(|_| {}).peer);
    assert_eq!(one, three);
    assert_ne!(one.known, BTreeMap::new());
}

/// The rules read of an event what they read of it completed, but for the message of a result
/// that names none.
#[test]
fn completing_changes_nothing_that_the_rules_read() {
    for number in 0..2_000 {
        for event in Case::generate(4, number).events {
            let (before, after) = (event.to_string(), complete(&event).to_string());
            let before = decode(before.as_bytes()).unwrap().event;
            let mut after = decode(after.as_bytes()).unwrap().event;
            restore(&before, &mut after);
            assert_eq!(before, after);
        }
    }
}

fn restore<'a>(before: &Event<'a>, after: &mut Event<'a>) {
    match (&before.body, &mut after.body) {
        (Body::ToolResult { message: None, .. }, Body::ToolResult { message, .. })
            if message.as_deref() == Some("made-up") =>
        {
            *message = None;
        }
        // Ids of runs are read where there are several.
        (Body::RunStarted { run_id, input }, Body::RunStarted { run_id: id, input: echo }) => {
            id.clone_from(run_id);
            if let (Some(input), Some(echo)) = (input, echo) {
                echo.run_id.clone_from(&input.run_id);
            }
        }
        // Whether a chunk carries a delta is nothing to the rules of runs, and is not changed.
        _ => {}
    }
}

#[test]
fn what_it_cannot_read_is_unsupported() {
    let ledger = Ledger::published();
    let peer = Peer::new(&ledger);
    for event in [
        json!({"type": "SOMETHING_ELSE"}),
        json!({"type": "TEXT_MESSAGE_START"}),
        json!({"type": "TEXT_MESSAGE_START", "messageId": 7}),
        json!({"type": "TEXT_MESSAGE_START", "messageId": "m", "subagentRunId": null}),
        json!({"type": "REASONING_ENCRYPTED_VALUE", "entityId": "m", "subtype": "other"}),
        json!("RAW"),
    ] {
        assert_eq!(peer.compare(std::slice::from_ref(&event)), Compared::Unsupported, "{event}");
    }
    assert_eq!(peer.compare(&[]), Compared::Same);
}

#[test]
fn the_version_is_the_pinned_one() {
    let manifest = include_str!("../Cargo.toml");
    let version = PEER.strip_prefix("ag-ui ").unwrap();
    assert!(manifest.contains(&format!("ag-ui = {{ version = \"={version}\"")));
}

#[test]
fn a_ledger_says_what_is_wrong_with_it() {
    let written = "[[divergence]]\nname = 'n'\nwe = 'accept'\npeer = 'not-open'\nwitness = ['{}']\n\
        at = 0\nwhy = 'so'\nfault = 'subject'\npatterns = ['*']\nwhen = ['chunk-on-open-id']\n";
    assert_eq!(Ledger::parse(written).unwrap().entries.len(), 1);
    for (right, wrong, says) in [
        ("'n'", "'Not kebab'", "a name is kebab-case"),
        ("'not-open'", "'closed'", "closed is neither `accept` nor a rule"),
        ("['{}']", "['{']", "witness: EOF"),
        ("at = 0", "at = 1", "a witness has at most 8 events and ends in `at`"),
        ("'so'", "''", "why and patterns are needed"),
        ("['*']", "[]", "why and patterns are needed"),
        ("chunk-on-open-id", "full-moon", "there is no predicate full-moon"),
        ("'subject'", "'nobody'", "unknown variant `nobody`"),
        ("at = 0", "at = 0\nfoo = 1", "unknown field `foo`"),
    ] {
        let error = Ledger::parse(&written.replace(right, wrong)).unwrap_err();
        assert!(error.contains(says), "{error}");
    }
    let error = Ledger::parse(&[written, written].concat()).unwrap_err();
    assert_eq!(error, "n: the name is there twice");
}
