//! Telling the format, bad bytes, and HTTP heads.

use conform_check::frames::{FlawKind, Format, Item, read_heads};

use crate::{expect, flaws, frames, heads, read, ready};

#[test]
fn nothing_is_no_data() {
    assert_eq!(flaws(&read("")), [(FlawKind::NoData, 0, 1, None)]);
    assert_eq!(flaws(&read(" \r\n\n")), [(FlawKind::NoData, 0, 1, None)]);
    assert_eq!(read("").len(), 1);
}

#[test]
fn byte_order_mark_is_skipped() {
    for (body, kind) in [("{}\n", Format::Ndjson), ("data: {}\n\n", Format::Sse)] {
        let items = expect(format!("\u{FEFF}{body}"), kind, &["{}"]);
        assert_eq!(flaws(&items), [(FlawKind::ByteOrderMark, 0, 1, None)]);
        assert!(matches!(items[0], Item::Flaw(_)));
    }
    assert_eq!(flaws(&read("\u{FEFF}"))[1].0, FlawKind::NoData);
}

#[test]
fn binary_is_dropped() {
    for input in [&b"\x89PNG\r\n\x1a\n\0\0\0\r"[..], b"\x1f\x8b\x08\0", &[0xC0; 2000], b"\xFF"] {
        let items = read(input);
        assert_eq!(flaws(&items), [(FlawKind::Binary, 0, 1, None)]);
        assert_eq!(items.len(), 1);
    }
}

#[test]
fn other_text_is_told_by_a_later_line() {
    let items = expect("hello\n\ndata: {}\n\n", Format::Sse, &["{}"]);
    assert_eq!(flaws(&items), [(FlawKind::UnknownField, 0, 1, None)]);
    expect("Listening on 80\n{}\n", Format::Ndjson, &["Listening on 80", "{}"]);
    expect("<html>\n", Format::Ndjson, &["<html>"]);
    expect("\"a\"\n1", Format::Ndjson, &["\"a\"", "1"]);
    let lines = "x\n".repeat(8);
    assert_eq!(ready(lines).len(), 8);
    assert_eq!(ready(format!("{}\n", "x".repeat(1024))).len(), 1);
    expect("\n\ndata: 1\n\n", Format::Sse, &["1"]);
}

#[test]
fn bad_bytes_are_named_with_their_place() {
    let items = read(b"data: a\xFF\ndata: \xFF\0\0\n\n{\"a\":1}\n");
    assert_eq!(
        flaws(&items)[..3],
        [
            (FlawKind::InvalidUtf8, 7, 1, Some(0)),
            (FlawKind::ManyDataLines, 15, 2, Some(0)),
            (FlawKind::NulByte, 16, 2, Some(0)),
        ]
    );
    assert_eq!(frames(&items)[0].data, b"a\xFF\n\xFF\0\0");
    let items = read(b"{\"a\":\"\xC3\"}\n");
    assert_eq!(flaws(&items), [(FlawKind::InvalidUtf8, 6, 1, Some(0))]);
}

#[test]
fn heads_come_before_the_body() {
    let input = "HTTP/1.1 100 Continue\r\n\r\nHTTP/2 200 \r\nContent-Type: text/event-stream\r\n\
                 X-Folded: a\r\n  b\r\nBad\r\n\r\ndata: {}\r\n\r\n";
    let items = expect(input, Format::Sse, &["{}"]);
    let heads = heads(&items);
    assert_eq!(heads.len(), 2);
    assert_eq!(
        (heads[0].version.as_str(), heads[0].status, heads[0].reason.as_str()),
        ("HTTP/1.1", Some(100), "Continue")
    );
    assert_eq!(
        (heads[1].version.as_str(), heads[1].status, heads[1].reason.as_str()),
        ("HTTP/2", Some(200), "")
    );
    assert_eq!((heads[1].line, heads[1].byte), (3, 25));
    assert_eq!(heads[1].header("content-type"), Some("text/event-stream"));
    assert_eq!(
        heads[1].headers[1..],
        [("X-Folded".into(), "a b".into()), ("Bad".into(), String::new())]
    );
    // Only the body's line ends are of interest.
    let body = input.find("data").unwrap() as u64;
    assert_eq!(flaws(&items), [(FlawKind::CrLf, body + 8, 9, Some(0))]);
    assert_eq!((frames(&items)[0].line, frames(&items)[0].byte), (9, body + 6));
}

#[test]
fn heads_with_other_line_ends_and_bodies() {
    let items = expect("HTTP/1.0 404 Not Found\n\n{\"a\":1}\n", Format::Ndjson, &["{\"a\":1}"]);
    assert_eq!(heads(&items)[0].reason, "Not Found");
    let items = expect("HTTP/1.1 200 OK\r\r[1]", Format::JsonArray, &["1"]);
    assert_eq!(frames(&items)[0].line, 3);
    let items = read("HTTP/1.1 204 No Content\r\n\r\n");
    assert_eq!(flaws(&items), [(FlawKind::NoData, 27, 3, None)]);
    let items = read("HTTP/1.1 200 OK\r\nA: b");
    assert_eq!(heads(&items)[0].header("a"), Some("b"));
    assert_eq!(flaws(&items)[0], (FlawKind::UnterminatedHead, 21, 2, None));
    let items = read("HTTP/x\r\n\r\n\u{FEFF}[]");
    assert_eq!(heads(&items)[0].status, None);
    assert_eq!(flaws(&items), [(FlawKind::ByteOrderMark, 10, 3, None)]);
}

#[test]
fn heads_have_a_limit() {
    let many = format!("HTTP/1.1 200 OK\n{}\ndata: 1\n\n", "a:\n".repeat(100_001));
    let items = expect(&many, Format::Sse, &["1"]);
    assert_eq!(flaws(&items), [(FlawKind::HeadTooLong, 16 + 3 * 99_999, 100_001, None)]);
    assert_eq!(heads(&items)[0].headers.len(), 99_999);
    let long = format!("HTTP/1.1 200 OK\na: {}\nb: c\n\ndata: 1\n\n", "x".repeat(1 << 20));
    let items = expect(&long, Format::Sse, &["1"]);
    assert_eq!(flaws(&items), [(FlawKind::HeadTooLong, 16, 2, None)]);
}

#[test]
fn files_of_headers() {
    assert_eq!(read_heads(b""), []);
    assert_eq!(read_heads(b"\r\n\r\n"), []);
    let heads = read_heads(b"HTTP/1.1 302 Found\r\na: b\r\n\r\nHTTP/1.1 200 OK\r\nc: d");
    assert_eq!(heads.len(), 2);
    assert_eq!((heads[1].line, heads[1].byte), (4, 28));
    assert_eq!(heads[1].header("C"), Some("d"));
    let heads = read_heads(b"content-type: x\nb: \xFF\n\nbody");
    assert_eq!(heads.len(), 1);
    assert_eq!((heads[0].status, heads[0].header("b")), (None, Some("\u{FFFD}")));
}
