//! Documents of every kind that is read.

use conform_check::Options;
use conform_check::frames::read_heads;
use conform_corpus::Case;
use conform_event::json::{self, FlawKind, Json, Value};
use conform_event::shape::{self, Version};
use conform_event::{RunInput, decode, quote};
use conform_subject::{Ledger, Ours, serve};

/// Reads bytes as a document of each kind: it is refused cleanly, or what was read holds.
///
/// # Panics
///
/// Where that is not so.
pub fn documents(bytes: &[u8]) {
    read_json(bytes);
    case(bytes);
    subject(bytes);
    ledger(bytes);
    for head in read_heads(bytes) {
        assert!(head.byte <= bytes.len() as u64, "{head:?}");
    }
}

/// Our reader against serde_json, and each value against its place.
fn read_json(bytes: &[u8]) {
    let theirs = serde_json::from_slice::<serde_json::Value>(bytes);
    let (json, flaws) = match json::read(bytes) {
        Ok(read) => read,
        Err(error) => {
            assert!(error.offset <= bytes.len(), "{error:?}");
            assert_eq!(error.at_end, error.offset == bytes.len(), "{error:?}");
            assert!(theirs.is_err(), "only serde_json reads it: {error:?}");
            return;
        }
    };
    assert!(flaws.iter().all(|flaw| flaw.offset < bytes.len()), "{flaws:?}");
    match &theirs {
        // A number beyond an f64, or 128 levels: limits of its own (crates/event/tests/json.rs).
        Err(error) => {
            let own_limit = error.to_string();
            let own_limit =
                ["number out of range", "recursion limit"].map(|l| own_limit.contains(l));
            assert!(!flaws.is_empty() || own_limit.contains(&true), "only we read it: {error}");
        }
        Ok(theirs) if flaws.is_empty() => assert_eq!(&plain(&json), theirs),
        Ok(_) => assert!(
            flaws.iter().all(|flaw| flaw.kind == FlawKind::DuplicateMember),
            "serde_json sees no flaw: {flaws:?}"
        ),
    }
    placed(&json, bytes, flaws.is_empty() && theirs.is_ok());
    let _ = decode(bytes);
    for version in Version::ALL {
        let _ = shape::check(&json, *version);
        let _ = shape::check_input(&json, *version);
    }
    if let Some(input) = RunInput::from_json(&json) {
        assert_eq!(input.clone().into_owned(), input);
    }
}

/// The value as serde_json holds it.
fn plain(json: &Json<'_>) -> serde_json::Value {
    match &json.value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(value) => (*value).into(),
        Value::Number(text) => serde_json::from_str(text).expect("a number is a number"),
        Value::String(text) => (&**text).into(),
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Object(members) => {
            members.iter().map(|member| (&*member.name, plain(&member.json))).collect()
        }
        Value::TooDeep => panic!("too deep is a flaw"),
    }
}

/// Every value stands inside the one around it, and a clean one reads the same from there.
fn placed(json: &Json<'_>, bytes: &[u8], clean: bool) {
    let text = &bytes[json.start..json.end];
    if clean && text.len() < 64 {
        let (again, _) = json::read(text).expect("it was read before");
        assert_eq!(plain(&again), plain(json));
    }
    if let Some(text) = json.as_str() {
        assert!(quote(text).chars().all(|c| !c.is_control()), "{text:?}");
    }
    let members = json.members().iter().map(|member| {
        assert_eq!(bytes[member.name_start], b'"');
        &member.json
    });
    for inner in members.chain(json.items()) {
        assert!(json.start < inner.start && inner.end < json.end, "{inner:?} in {json:?}");
        placed(inner, bytes, clean);
    }
}

/// A case that is read is the same when it is written and read again, and can be replayed.
fn case(bytes: &[u8]) {
    let Ok(case) = serde_json::from_slice::<Case>(bytes) else { return };
    let text = serde_json::to_string(&case).expect("a case can be written");
    assert_eq!(serde_json::from_str::<Case>(&text).ok().as_ref(), Some(&case), "{text}");
    if let Err(mismatch) = case.check(&Options::default()) {
        assert_eq!(mismatch.case, case.name);
    }
}

/// A ledger that is read has what its entries promise.
fn ledger(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match Ledger::parse(text) {
        Ok(ledger) => {
            for entry in &ledger.entries {
                assert_eq!(entry.at + 1, entry.witness.len(), "{entry:?}");
                assert!(!entry.patterns.is_empty() && !entry.name.is_empty(), "{entry:?}");
            }
        }
        Err(message) => assert!(!message.is_empty()),
    }
}

/// Every line that is not blank is answered by one line of JSON.
fn subject(lines: &[u8]) {
    let asked = lines.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    for subject in [Ours::verifier("stream"), Ours::model("run")] {
        let mut answers = Vec::new();
        serve(&subject.expect("the scope exists"), lines, &mut answers)
            .expect("memory never fails");
        let answers = String::from_utf8(answers).expect("answers are UTF-8");
        for answer in answers.lines() {
            serde_json::from_str::<&serde_json::value::RawValue>(answer)
                .expect("an answer is JSON");
        }
        assert_eq!(answers.lines().count(), asked.clone().count(), "{answers}");
    }
}
