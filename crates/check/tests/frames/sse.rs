//! Server-sent events.

use conform_check::frames::{FlawKind, Format, FrameReader, Item, Limits};

use crate::{expect, flaws, frames, read, read_with, ready};

#[test]
fn sse_frames_end_at_blank_lines() {
    let items = expect(
        "data: {\"a\":1}\n\n: keep-alive\n\nevent: x\nid: 7\nretry: 10\ndata:{}\n\n",
        Format::Sse,
        &["{\"a\":1}", "{}"],
    );
    assert_eq!(flaws(&items), []);
    let frames = frames(&items);
    assert_eq!((frames[0].index, frames[0].line, frames[0].byte), (0, 1, 6));
    assert_eq!((frames[1].index, frames[1].line, frames[1].byte), (1, 8, 59));
    assert!(!frames[1].truncated);
}

#[test]
fn sse_takes_one_space_away() {
    expect("data:  {} \n\n", Format::Sse, &[" {} "]);
}

#[test]
fn sse_data_without_colon_is_empty_data() {
    let items = expect("data\n\n", Format::Sse, &[""]);
    assert_eq!(flaws(&items), [(FlawKind::EmptyData, 4, 1, Some(0))]);
    let items = expect("data: \ndata\n\n", Format::Sse, &["\n"]);
    let kinds: Vec<_> = flaws(&items).iter().map(|flaw| flaw.0).collect();
    assert_eq!(kinds, [FlawKind::EmptyData, FlawKind::ManyDataLines]);
}

#[test]
fn sse_joins_data_lines_and_finds_them_again() {
    let items = expect("data: {\"a\"\nid: 1\ndata: :1}\n\n", Format::Sse, &["{\"a\"\n:1}"]);
    assert_eq!(flaws(&items), [(FlawKind::ManyDataLines, 23, 3, Some(0))]);
    let frame = frames(&items)[0];
    let places: Vec<_> = [0, 3, 4, 5, 8, 99]
        .iter()
        .map(|&offset| frame.locate(offset))
        .map(|place| (place.line, place.byte))
        .collect();
    assert_eq!(places, [(1, 6), (1, 9), (1, 10), (3, 23), (3, 26), (3, 26)]);
}

#[test]
fn sse_joins_whole_objects_too() {
    let items = expect("data: {}\ndata: {}\n\n", Format::Sse, &["{}\n{}"]);
    assert_eq!(flaws(&items), [(FlawKind::ManyDataLines, 15, 2, Some(0))]);
}

#[test]
fn sse_understands_all_line_ends() {
    let items = expect("data: 1\r\n\r\ndata: 2\r\rdata: 3\n\n", Format::Sse, &["1", "2", "3"]);
    assert_eq!(
        flaws(&items),
        [(FlawKind::CrLf, 7, 1, Some(0)), (FlawKind::CarriageReturn, 18, 3, Some(1))]
    );
    assert_eq!(frames(&items)[2].line, 5);
}

#[test]
fn sse_line_end_that_is_known_late_comes_after_its_frame() {
    let mut reader = FrameReader::new(Limits::default());
    reader.push(b"data: 1\n\r");
    reader.next_item();
    assert!(matches!(reader.next_item(), Some(Item::Frame(_))));
    assert_eq!(reader.next_item(), None);
    reader.push(b"\ndata: 2\n\n");
    let items: Vec<_> = std::iter::from_fn(|| reader.next_item()).collect();
    assert_eq!(flaws(&items), [(FlawKind::CrLf, 8, 2, Some(0))]);
    assert_eq!(frames(&items)[0].line, 3);
}

#[test]
fn sse_hands_out_at_the_blank_line() {
    assert_eq!(ready("data: 1\n\n"), ["1"]);
    assert_eq!(ready("data: 1\r\r"), ["1"]);
    assert_eq!(ready("data: 1\r\n\r"), ["1"]);
    assert!(ready("data: 1\n").is_empty());
}

#[test]
fn sse_last_frame_without_blank_line() {
    for input in ["data: {}\n", "data: {}"] {
        let items = expect(input, Format::Sse, &["{}"]);
        assert_eq!(flaws(&items), [(FlawKind::UnterminatedFrame, 6, 1, Some(0))]);
        assert!(frames(&items)[0].truncated);
    }
    // A stream that is cut inside a field name, or a character, is only cut.
    let items = expect("data: {}\n\nda", Format::Sse, &["{}"]);
    assert_eq!(flaws(&items), []);
    let items = expect("data: {}\n\ndata: ", Format::Sse, &["{}"]);
    assert_eq!(flaws(&items), [(FlawKind::UnterminatedFrame, 16, 3, None)]);
    let items = read(b"data: \xC3");
    assert_eq!(flaws(&items), [(FlawKind::UnterminatedFrame, 6, 1, Some(0))]);
}

#[test]
fn sse_payload_outside_data_is_handed_out() {
    let items = expect(
        "data: {\"a\":1}\n\n{\"type\":\"X\"}\n\ndata: {}\n\n",
        Format::Sse,
        &["{\"a\":1}", "{\"type\":\"X\"}", "{}"],
    );
    assert_eq!(flaws(&items), [(FlawKind::PayloadOutsideData, 15, 3, Some(1))]);
    // No need to wait for a blank line.
    assert_eq!(ready(": hi\n{\"type\":1}\n"), ["{\"type\":1}"]);
    let items = expect("data: 1\n\nData: {}\n\n", Format::Sse, &["1", "{}"]);
    assert_eq!(flaws(&items), [(FlawKind::PayloadOutsideData, 15, 3, Some(1))]);
}

#[test]
fn sse_payload_below_an_open_frame_comes_after_it() {
    let items = expect("data: 1\n{\"b\":2}\n\ndata: 3\n\n", Format::Sse, &["1", "{\"b\":2}", "3"]);
    assert_eq!(flaws(&items), [(FlawKind::PayloadOutsideData, 8, 2, Some(1))]);
    assert_eq!(frames(&items)[1].index, 1);
}

#[test]
fn sse_payload_broken_into_lines_is_one_frame() {
    let items = expect("data: {\n  \"type\": {\n  }\n}\n\ndata: {}\n\n", Format::Sse, &["{", "{}"]);
    assert_eq!(flaws(&items), [(FlawKind::PayloadOutsideData, 8, 2, Some(0))]);
}

#[test]
fn sse_unknown_fields_are_named_once_a_frame() {
    let items = expect("data: 1\nfoo: 2\nbar\n\ndata: 3\n\n", Format::Sse, &["1", "3"]);
    assert_eq!(flaws(&items), [(FlawKind::UnknownField, 8, 2, Some(0))]);
}

#[test]
fn sse_endless_block_stays_bounded() {
    let mut input = String::from("data: 1\n");
    for _ in 0..10_000 {
        input.push_str("{}\n");
    }
    input.push_str("data: 2\n\n");
    let items = read_with(input.as_bytes(), Limits { frame_bytes: 5_000 });
    assert_eq!(frames(&items).len(), 10_002);
    assert!(frames(&items).iter().all(|frame| !frame.too_long));
    assert!(frames(&items).is_sorted_by_key(|frame| (frame.index, frame.byte)));
}

#[test]
fn sse_line_ends_of_comments_belong_to_no_frame() {
    let items = expect(": a\r\n\r\ndata: 1\n\n", Format::Sse, &["1"]);
    assert_eq!(flaws(&items), [(FlawKind::CrLf, 3, 1, None)]);
}
