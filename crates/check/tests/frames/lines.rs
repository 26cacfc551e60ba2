//! One frame a line.

use conform_check::frames::{FlawKind, Format};

use crate::{expect, flaws, frames, ready};

#[test]
fn ndjson_is_a_frame_a_line() {
    let items =
        expect("{\"a\":1}\n\n  \n[2]\n3\r\nx", Format::Ndjson, &["{\"a\":1}", "[2]", "3", "x"]);
    assert_eq!(flaws(&items), [(FlawKind::CrLf, 17, 5, Some(2))]);
    let truncated: Vec<_> = frames(&items).iter().map(|frame| frame.truncated).collect();
    assert_eq!(truncated, [false, false, false, true]);
    assert_eq!((frames(&items)[3].line, frames(&items)[3].byte), (6, 19));
}

#[test]
fn ndjson_with_bare_cr() {
    let items = expect("{}\r{}\r", Format::Ndjson, &["{}", "{}"]);
    assert_eq!(
        flaws(&items),
        [(FlawKind::CarriageReturn, 2, 1, Some(0)), (FlawKind::CarriageReturn, 5, 2, Some(1))]
    );
}

#[test]
fn ndjson_hands_out_at_the_line_end() {
    assert_eq!(ready("{\"type\":1}\n"), ["{\"type\":1}"]);
    assert_eq!(ready("{}\r\n"), ["{}"]);
    assert_eq!(ready("{\"type\":1,\"schema\":2}\n"), ["{\"type\":1,\"schema\":2}"]);
    assert!(ready("{\"schema\":2}\n").is_empty(), "may still be a document");
}

#[test]
fn ndjson_with_a_broken_first_line_is_ndjson() {
    expect("{\"a\":\"x\n{}\n{}\n", Format::Ndjson, &["{\"a\":\"x", "{}", "{}"]);
    expect("{\"a\":1,\n{}\n", Format::Ndjson, &["{\"a\":1,", "{}"]);
    expect("{\"a\":[1\n{}\n", Format::Ndjson, &["{\"a\":[1", "{}"]);
    let items = expect("{\"type\":\"RUN_ST", Format::Ndjson, &["{\"type\":\"RUN_ST"]);
    assert_eq!(flaws(&items), []);
    assert!(frames(&items)[0].truncated);
}

#[test]
fn many_lines_with_schema_are_ndjson() {
    expect("{\"schema\":1}\n{}\n", Format::Ndjson, &["{\"schema\":1}", "{}"]);
}
