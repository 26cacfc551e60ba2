//! Arrays and documents.

use conform_check::frames::{FlawKind, Format};

use crate::{expect, flaws, frames, ready};

#[test]
fn array_elements_are_frames() {
    let items = expect(
        "[\n  {\n    \"a\": \"]\\\"}\"\n  },\r\n  [1, [2]],\n 3,\"x,\\\\\",null ]\n",
        Format::JsonArray,
        &["{\n    \"a\": \"]\\\"}\"\n  }", "[1, [2]]", "3", "\"x,\\\\\"", "null"],
    );
    assert_eq!(flaws(&items), []);
    let frames = frames(&items);
    assert_eq!((frames[0].line, frames[0].byte), (2, 4));
    assert_eq!(frames[0].locate(6).line, 3);
    assert_eq!(frames[1].line, 5);
    assert_eq!(frames[2].line, 6);
}

#[test]
fn array_hands_out_at_the_closing_bracket() {
    assert_eq!(ready("[{}"), ["{}"]);
    assert_eq!(ready("[\"a\""), ["\"a\""]);
    assert!(ready("[12").is_empty(), "more digits may come");
}

#[test]
fn array_that_is_cut() {
    let items = expect("[{},{\"a\"", Format::JsonArray, &["{}", "{\"a\""]);
    assert_eq!(flaws(&items), [(FlawKind::UnterminatedFrame, 4, 1, Some(1))]);
    assert!(frames(&items)[1].truncated);
    let items = expect("[{}\n", Format::JsonArray, &["{}"]);
    assert_eq!(flaws(&items), [(FlawKind::UnterminatedFrame, 4, 2, None)]);
    let items = expect(" [ ", Format::JsonArray, &[]);
    assert_eq!(flaws(&items), [(FlawKind::UnterminatedFrame, 3, 1, None)]);
}

#[test]
fn array_with_garbage_between() {
    let items = expect("[{} {}, oops ,,{}, ]", Format::JsonArray, &["{}", "{}", "{}"]);
    assert_eq!(
        flaws(&items),
        [
            (FlawKind::GarbageBetween, 4, 1, None),
            (FlawKind::GarbageBetween, 8, 1, None),
            (FlawKind::GarbageBetween, 19, 1, None),
        ]
    );
    let items = expect("[] \n []", Format::JsonArray, &[]);
    assert_eq!(flaws(&items), [(FlawKind::TrailingData, 5, 2, None)]);
    let items = expect("[}}{}]", Format::JsonArray, &["{}"]);
    assert_eq!(flaws(&items), [(FlawKind::GarbageBetween, 1, 1, None)]);
}

#[test]
fn depth_costs_nothing() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let items = expect(format!("[{deep},1]"), Format::JsonArray, &[&deep, "1"]);
    assert_eq!(flaws(&items), []);
}

#[test]
fn pretty_printed_object_is_a_document() {
    let text = "{\n  \"type\": \"X\",\r\n  \"b\": [\n 1]\n}";
    let items = expect(format!("\n{text}\n"), Format::Document, &[text]);
    assert_eq!(flaws(&items), []);
    assert_eq!((frames(&items)[0].line, frames(&items)[0].byte), (2, 1));
    assert_eq!(frames(&items)[0].locate(text.len() - 1).line, 6);
    expect("{\"a\":\n{}}", Format::Document, &["{\"a\":\n{}}"]);
    expect("{\"a\":[1,\n{}]}", Format::Document, &["{\"a\":[1,\n{}]}"]);
}

#[test]
fn concatenated_documents() {
    let items = expect("{\n}\n{\n} junk } {}", Format::Document, &["{\n}", "{\n}", "{}"]);
    assert_eq!(flaws(&items), [(FlawKind::GarbageBetween, 8, 4, None)]);
    let items = expect("{\n\"a\":", Format::Document, &["{\n\"a\":"]);
    assert_eq!(flaws(&items), [(FlawKind::UnterminatedFrame, 0, 1, Some(0))]);
}

#[test]
fn single_line_document() {
    for text in ["{\"log\":{\"type\":1}}", "{\"name\":\"schema\",\"schema\":\"s\"}"] {
        let items = expect(format!("\n {text}\r\n \n"), Format::Document, &[text]);
        assert_eq!(flaws(&items), []);
        assert_eq!((frames(&items)[0].line, frames(&items)[0].byte), (2, 2));
    }
    for text in ["{\"a\":{\"log\":1}}", "{\"a\":\"log\"}", "{\"type\":1,\"log\":1}", "{}"] {
        expect(text, Format::Ndjson, &[text]);
    }
}
