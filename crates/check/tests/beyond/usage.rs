//! Token usage.

use super::{STARTED, assert_found, finished_with};

const PARTS: &str = "usage/parts-within-totals";
const SUM: &str = "usage/total-is-the-sum";
const MODEL: &str = "usage/one-entry-per-model";

/// Both events that carry usage, with these entries.
#[track_caller]
fn found(entries: &str, expected: &[(&'static str, &str)]) {
    let usage = format!(r#""usage":[{entries}]"#);
    let failed = format!(r#"{{"type":"RUN_ERROR","message":"Out of paper.",{usage}}}"#);
    let expected: Vec<_> = expected.iter().map(|(id, pointer)| (*id, 1, *pointer)).collect();
    assert_found(&[STARTED, &finished_with(&usage)], &expected);
    assert_found(&[STARTED, &failed], &expected);
}

#[test]
fn parts_are_counted_in_their_totals() {
    let input = [(PARTS, "/usage/0/inputTokens")];
    let output = [(PARTS, "/usage/0/reasoningTokens")];
    found(r#"{"inputTokens":9,"cachedInputTokens":10}"#, &input);
    found(r#"{"inputTokens":9,"cacheWriteInputTokens":10}"#, &input);
    found(r#"{"inputTokens":9,"cachedInputTokens":5,"cacheWriteInputTokens":5}"#, &input);
    found(r#"{"inputTokens":10,"cachedInputTokens":5,"cacheWriteInputTokens":5}"#, &[]);
    found(r#"{"outputTokens":9,"reasoningTokens":10}"#, &output);
    found(r#"{"outputTokens":10,"reasoningTokens":10}"#, &[]);
    found(r#"{"outputTokens":9,"inputTokens":1,"reasoningTokens":10}"#, &output);
    // One finding an entry and total.
    let both = r#"{"inputTokens":0,"cachedInputTokens":1,"outputTokens":0,"reasoningTokens":1}"#;
    found(both, &[input, output].concat());
    // Numbers, not spellings, and both sides must be there.
    found(r#"{"inputTokens":1e1,"cachedInputTokens":9.0}"#, &[]);
    found(r#"{"cachedInputTokens":10,"reasoningTokens":10}"#, &[]);
    // The first entry is none of the second's.
    found(
        r#"{"model":"a","inputTokens":100},{"model":"b","inputTokens":1,"cachedInputTokens":2}"#,
        &[(PARTS, "/usage/1/inputTokens")],
    );
}

#[test]
fn a_total_is_the_sum() {
    let broken = [(SUM, "/usage/0/totalTokens")];
    found(r#"{"inputTokens":3,"outputTokens":4,"totalTokens":7}"#, &[]);
    found(r#"{"inputTokens":3,"outputTokens":4,"totalTokens":70e-1}"#, &[]);
    found(r#"{"inputTokens":3,"outputTokens":4,"totalTokens":8}"#, &broken);
    found(r#"{"inputTokens":3,"outputTokens":4,"totalTokens":6}"#, &broken);
    // Reasoning is a part of the output.
    found(r#"{"inputTokens":3,"outputTokens":4,"reasoningTokens":2,"totalTokens":9}"#, &broken);
    found(r#"{"inputTokens":3,"totalTokens":8}"#, &[]);
    found(r#"{"outputTokens":4,"totalTokens":8}"#, &[]);
    found(r#"{"inputTokens":3,"outputTokens":4}"#, &[]);
}

#[test]
fn one_entry_a_model() {
    let entry = |members: &str| format!(r#"{{{members}"inputTokens":1}}"#);
    let of =
        |list: &[&str]| list.iter().map(|members| entry(members)).collect::<Vec<_>>().join(",");
    let ab = r#""provider":"a","model":"b","#;
    let second = [(MODEL, "/usage/1")];
    found(&of(&[ab, ab]), &second);
    found(&of(&["", ""]), &second);
    found(&of(&[r#""model":"b","#, r#""model":"b","#]), &second);
    found(&of(&[r#""model":"b","provider":"a","#, ab]), &second);
    // At each further entry.
    found(&of(&[ab, ab, "", ab]), &[(MODEL, "/usage/1"), (MODEL, "/usage/3")]);
    // What is absent is a value of its own.
    found(&of(&[ab, r#""model":"b","#, r#""provider":"a","#, "", r#""provider":"","#]), &[]);
    // Names are not joined to tell them apart.
    found(&of(&[r#""provider":"a","model":"bc","#, r#""provider":"ab","model":"c","#]), &[]);
}

#[test]
fn what_is_no_count_is_a_matter_of_shape() {
    for (part, pointer) in [
        (r#""80""#, "/usage/0/cachedInputTokens"),
        ("80.5", "/usage/0/cachedInputTokens"),
        ("-80", "/usage/0/cachedInputTokens"),
        ("9007199254740993", "/usage/0/cachedInputTokens"),
        ("1e30", "/usage/0/cachedInputTokens"),
    ] {
        found(
            &format!(r#"{{"inputTokens":1,"cachedInputTokens":{part}}}"#),
            &[("shape/well-formed", pointer)],
        );
        found(
            &format!(r#"{{"inputTokens":1,"outputTokens":1,"totalTokens":{part}}}"#),
            &[("shape/well-formed", "/usage/0/totalTokens")],
        );
    }
    found(
        r#"{"provider":1,"model":"b"},{"provider":1,"model":"b"}"#,
        &[("shape/well-formed", "/usage/0/provider"), ("shape/well-formed", "/usage/1/provider")],
    );
    found("7", &[("shape/well-formed", "/usage/0")]);
    let object = finished_with(r#""usage":{"inputTokens":1,"cachedInputTokens":2}"#);
    assert_found(&[STARTED, &object], &[("shape/well-formed", 1, "/usage")]);
}
