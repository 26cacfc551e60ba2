//! What is said: texts, documents and values, none of them judged by what they say.

use serde_json::{Value, json};

use crate::style::Style;

/// What a listed text begins with; no streamed text does, so that streaming a listed message
/// again is adding to it.
const BEFORE: &str = "said before";

/// A piece of a streamed text.
pub(super) fn words(style: Style, piece: usize) -> &'static str {
    if style == Style::PLAIN {
        return if piece == 1 { "" } else { "words " };
    }
    style.pick(
        "words",
        [
            "words ",
            "",
            "Grüße 🦀 ",
            "two\nlines\r\n",
            "{\"type\":\"RAW\"}",
            "nul\u{0}byte",
            " said",
        ],
    )
}

/// The arguments of a call: a JSON document.
pub(super) fn document(style: Style) -> &'static str {
    style.pick(
        "document",
        [
            "{}",
            "{\"city\":\"Zürich\",\"units\":[\"c\",\"f\"],\"days\":12}",
            "{\"q\": \"a \\\"quoted\\\" word \\ud83e\\udd80\"}",
            " [1, 2.5e3, {\"deep\": [[[]]]}]\n",
            "\"only text\"",
            "null",
            "12",
            "{\"same\":1,\"same\":2}",
        ],
    )
}

/// What follows a document.
pub(super) fn white_space(style: Style) -> &'static str {
    style.pick("white space", [" ", "", "\n", "\t\r\n "])
}

/// What a listed message says.
pub(super) fn said_before(style: Style) -> String {
    let more = style.pick("said", ["", ", and more", "\n", " 🦀"]);
    format!("{BEFORE}{more}")
}

/// The arguments of a listed call; they are said again nowhere.
pub(super) fn listed_arguments(style: Style) -> &'static str {
    style.pick("arguments", ["{\"before\":true}", "{\"before\": [1]}"])
}

/// A content that may be text or parts.
pub(super) fn content(style: Style, text: &str) -> Value {
    match style.below("content", 6) {
        4 => json!([]),
        5 => {
            let part = |at: usize| part(style.part(at), text);
            (0..=style.below("parts", 2)).map(part).collect()
        }
        _ => json!(text),
    }
}

fn part(style: Style, text: &str) -> Value {
    let mut part = match style.below("part", 5) {
        0 => json!({"type": "text", "text": text}),
        1 => json!({"type": "image", "source":
            {"type": "data", "value": "aGk=", "mimeType": "image/png"}}),
        2 => json!({"type": "audio", "source": {"type": "url", "value": "https://example.org/a"}}),
        3 => json!({"type": "video", "source":
            {"type": "url", "value": "https://example.org/v", "mimeType": "video/mp4"}}),
        _ => json!({"type": "document", "source":
            {"type": "file", "value": "f1", "provider": "acme", "mimeType": "application/pdf"}}),
    };
    if style.one_in("part id", 3) {
        part["id"] = json!("p1");
    }
    if style.one_in("part metadata", 4) {
        part["metadata"] = json!({"acme:page": 1});
    }
    part
}

/// Any value but null.
pub(super) fn any_value(style: Style, what: &str) -> Value {
    match style.below(what, 6) {
        0 => json!({"ok": true}),
        1 => json!("done"),
        2 => json!(0),
        3 => json!([]),
        4 => json!(false),
        _ => json!({"deep": [{"a": null}]}),
    }
}

/// What a client may keep for itself. Only the key `ag-ui` is reserved, and only at the top.
pub(super) fn metadata(style: Style) -> Value {
    match style.below("keys", 4) {
        0 => json!({"acme:trace": "t-1"}),
        1 => json!({}),
        2 => json!({"ag-ui-like": 1, "AG-UI": 2, "ag": {"ag-ui": 3}}),
        _ => json!({"tags": ["a", null], "n": 1.5}),
    }
}
