//! The registry is complete, its names stand, and its examples are what they claim to be as
//! far as the ordering verifier can tell.

use std::collections::BTreeSet;

use conform_check::registry::{self, Example, Judge, Level, Needs, Requirement, of_breach};
use conform_event::json::ReadError;
use conform_event::{Body, Decoded, Event, TypeName, decode};
use conform_verify::{Position, Rule, StreamVerifier};

/// Ids are for ever: this list only grows.
const IDS: &str = include_str!("requirement-ids.txt");

fn judged_by_check(requirement: &Requirement) -> bool {
    !matches!(requirement.needs, Needs::Live | Needs::Probe)
}

fn is_sse(input: &str) -> bool {
    input.starts_with("data:")
}

#[test]
fn the_ids_are_the_ones_that_were_published() {
    let ids: Vec<_> = registry::all().map(|requirement| requirement.id).collect();
    assert_eq!(ids, IDS.lines().collect::<Vec<_>>());
    assert_eq!(ids.len(), 81);
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
}

#[test]
fn an_id_is_a_group_and_a_name() {
    for requirement in registry::all() {
        let id = requirement.id;
        let (group, name) = id.split_once('/').unwrap();
        assert_eq!(group, requirement.group());
        assert!(!group.is_empty() && group.bytes().all(|byte| byte.is_ascii_lowercase()), "{id}");
        let in_name = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
        assert!(!name.is_empty() && name.bytes().all(in_name), "{id}");
        assert_eq!(registry::find(id), Some(requirement));
    }
}

#[test]
fn so_many_need_each_kind_of_evidence() {
    let count = |needs| registry::all().filter(|requirement| requirement.needs == needs).count();
    assert_eq!(count(Needs::Stream), 64);
    assert_eq!(count(Needs::Request), 4);
    assert_eq!(count(Needs::Bytes), 4);
    assert_eq!(count(Needs::Http), 1);
    assert_eq!(count(Needs::Live), 2);
    assert_eq!(count(Needs::Probe), 6);
    assert_eq!(registry::all().filter(|requirement| judged_by_check(requirement)).count(), 73);
}

#[test]
fn the_prose_is_prose() {
    for requirement in registry::all() {
        let id = requirement.id;
        for prose in [requirement.text, requirement.why, requirement.help] {
            assert!(prose.ends_with('.') && !prose.contains("  ") && prose.trim() == prose, "{id}");
        }
        assert!(!requirement.text.contains(". "), "{id}: text is one sentence");
        assert!(matches!(requirement.since, "1.0" | "1.1" | "house"), "{id}");
        assert!(requirement.spec_url().starts_with("https://docs.ag-ui.com/spec/1."), "{id}");
        assert!(!requirement.spec.starts_with('/') && requirement.spec.contains('#'), "{id}");
    }
}

#[test]
fn names_of_levels_and_needs() {
    assert_eq!(format!("{} {}", Level::Must, Level::Should), "must should");
    let needs =
        [Needs::Stream, Needs::Request, Needs::Bytes, Needs::Http, Needs::Live, Needs::Probe];
    assert_eq!(needs.map(Needs::as_str).join(" "), "stream request bytes http live probe");
}

#[test]
fn every_rule_is_behind_a_requirement() {
    for rule in Rule::ALL {
        let mut behind = registry::of_rule(*rule).peekable();
        assert!(behind.peek().is_some(), "{rule}");
        assert!(behind.all(|requirement| requirement.judge == Judge::Rule(*rule)), "{rule}");
    }
}

#[test]
fn what_check_judges_has_both_examples() {
    for requirement in registry::all() {
        let id = requirement.id;
        let examples = [requirement.broken, requirement.mended];
        if !judged_by_check(requirement) {
            assert_eq!(examples, [None, None], "{id}");
            continue;
        }
        let [Some(broken), Some(mended)] = examples else { panic!("{id} lacks an example") };
        assert_ne!(broken, mended, "{id}");
        assert_eq!(broken.request, mended.request, "{id}");
        for example in [broken, mended] {
            assert_eq!(example.request.is_some(), requirement.needs == Needs::Request, "{id}");
            assert_eq!(example.headers.is_some(), requirement.needs == Needs::Http, "{id}");
            let bytes = matches!(requirement.needs, Needs::Bytes | Needs::Http);
            assert_eq!(is_sse(example.input), bytes, "{id}");
        }
    }
}

#[test]
fn examples_are_small_and_json() {
    for requirement in registry::all() {
        let id = requirement.id;
        for example in [requirement.broken, requirement.mended].into_iter().flatten() {
            if is_sse(example.input) {
                continue;
            }
            assert!(example.input.ends_with('\n'), "{id}");
            assert!((1..=8).contains(&example.input.lines().count()), "{id}");
            for line in example.input.lines() {
                let type_name = decode(line.as_bytes()).expect(id).event.type_name;
                assert_ne!(type_name, TypeName::Missing, "{id}");
            }
        }
    }
}

/// Which requirements the ordering verifier finds broken. It is asked twice: as it is, and
/// going on as if what it refused had done what it meant to; what is refused by one of the
/// two alone is no fault of its own.
fn found(example: &Example) -> Result<Vec<&'static str>, ReadError> {
    // A request is read as the echo of an input is.
    let echo = example.request.map(|text| format!(r#"{{"type":"RUN_STARTED","input":{text}}}"#));
    let request = match echo.as_ref().map(|echo| decode(echo.as_bytes())).transpose()? {
        Some(Decoded { event: Event { body: Body::RunStarted { input, .. }, .. }, .. }) => input,
        _ => None,
    };
    assert_eq!(request.is_some(), example.request.is_some());
    let mut strict = StreamVerifier::new(request);
    let mut lenient = strict.clone();
    let mut found = Vec::new();
    for (at, line) in (0..).zip(example.input.lines()) {
        let at = Position::of_event(at);
        let event = decode(line.as_bytes())?.event;
        let refused = match strict.observe_at(at, &event) {
            Ok(None) => None,
            Ok(Some(error)) | Err(error) => Some(error),
        };
        let accepted = matches!(lenient.observe_at(at, &event), Ok(None));
        if !accepted {
            lenient.assume_at(at, &event);
        }
        let refused = refused.filter(|_| !accepted);
        found.extend(refused.map(|error| of_breach(Some(&event), error.breach()).id));
    }
    let end = strict.finish().err().filter(|_| lenient.finish().is_err());
    found.extend(end.map(|error| of_breach(None, error.breach()).id));
    Ok(found)
}

#[test]
fn the_verifier_finds_what_the_examples_say() {
    for requirement in registry::all() {
        let by_verifier = matches!(requirement.judge, Judge::Rule(_) | Judge::Stream);
        let (Some(broken), Some(mended)) = (requirement.broken, requirement.mended) else {
            continue;
        };
        if is_sse(broken.input) {
            continue;
        }
        let expected: &[_] = if by_verifier { &[requirement.id] } else { &[] };
        assert_eq!(found(&broken).unwrap(), expected, "{}", requirement.id);
        assert_eq!(found(&mended).unwrap(), [""; 0], "{}", requirement.id);
    }
}

#[test]
fn a_call_without_a_tag_is_claimed_by_its_parent_message() {
    let lines = [
        r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r1"}"#,
        r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"","subagentRunId":"s1"}"#,
        r#"{"type":"TOOL_CALL_CHUNK","toolCallId":"c1","toolCallName":"f"}"#,
        r#"{"type":"TOOL_CALL_CHUNK","toolCallId":"c2","toolCallName":"f"}"#,
        r#"{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"f","parentMessageId":"m1"}"#,
        r#"{"type":"TOOL_CALL_END","toolCallId":"c1"}"#,
        r#"{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"f","subagentRunId":"s1"}"#,
        r#"{"type":"TOOL_CALL_END","toolCallId":"c1"}"#,
        r#"{"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}"#,
    ];
    let input: String = lines.map(|line| format!("{line}\n")).concat();
    let example = Example::of(input.leak());
    assert_eq!(
        found(&example).unwrap(),
        ["subagent/call-follows-its-message", "subagent/owner-agrees"]
    );
}
