//! Names of rules, and what the other files' shorthand does not reach.

#![cfg(feature = "verify")]
#![allow(clippy::unwrap_used, reason = "a test")]

use conform_event::decode;
use conform_verify::{Position, Rule, Verifier};

#[test]
fn a_rule_displays_as_its_name_and_is_found_by_it() {
    for rule in Rule::ALL {
        assert_eq!(rule.to_string(), rule.as_str());
        assert_eq!(Rule::from_name(rule.as_str()), Some(*rule));
        assert!(rule.describe().ends_with('.'));
    }
    assert_eq!(Rule::ALL.len(), 8);
}

fn observe(verifier: &mut Verifier, text: &str) -> Option<Rule> {
    verifier.observe(&decode(text.as_bytes()).unwrap().event).err().and_then(|error| error.rule())
}

/// The echo gives owners to activities that have none, and to no others.
#[test]
fn an_echo_seeds_activities_once() {
    let delta = |tag: &str| {
        format!(r#"{{"type":"ACTIVITY_DELTA","messageId":"a1","subagentRunId":"{tag}"}}"#)
    };
    let echo = concat!(
        r#"{"type":"RUN_STARTED","input":{"messages":["#,
        r#"{"id":"a1","role":"activity","subagentRunId":"echoed"}]}}"#
    );
    let mut fresh = Verifier::new();
    assert_eq!(observe(&mut fresh, echo), None);
    assert_eq!(observe(&mut fresh, &delta("echoed")), None);
    assert_eq!(observe(&mut fresh, &delta("shown")), Some(Rule::OwnerMismatch));

    let mut known = Verifier::new();
    let shown = r#"{"type":"ACTIVITY_SNAPSHOT","messageId":"a1","subagentRunId":"shown"}"#;
    assert_eq!(observe(&mut known, shown), None);
    assert_eq!(observe(&mut known, echo), None);
    assert_eq!(observe(&mut known, &delta("shown")), None);
    assert_eq!(observe(&mut known, &delta("echoed")), Some(Rule::OwnerMismatch));
}

/// A refused encrypted value lets its tag pass for what it names: a reasoning message, where
/// no text message has the id.
#[test]
fn an_assumed_encrypted_value_is_about_what_it_names() {
    let mut verifier = Verifier::new();
    let start = concat!(
        r#"{"type":"REASONING_MESSAGE_START","messageId":"r1","#,
        r#""role":"reasoning","subagentRunId":"mine"}"#
    );
    assert_eq!(observe(&mut verifier, start), None);
    let sealed = concat!(
        r#"{"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"r1","#,
        r#""encryptedValue":"x","subagentRunId":"theirs"}"#
    );
    assert_eq!(observe(&mut verifier, sealed), Some(Rule::OwnerMismatch));
    verifier.assume_at(Position::of_event(1), &decode(sealed.as_bytes()).unwrap().event);
    let content = concat!(
        r#"{"type":"REASONING_MESSAGE_CONTENT","messageId":"r1","#,
        r#""delta":"x","subagentRunId":"theirs"}"#
    );
    assert_eq!(observe(&mut verifier, content), None);
}
