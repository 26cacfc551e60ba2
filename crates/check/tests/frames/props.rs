//! What holds for every input: reads may be cut anywhere, nothing panics, and places point
//! at what they say.

use conform_check::frames::{FrameReader, Item, Limits, read_heads};
use proptest::prelude::*;

/// Pieces that meet in interesting ways.
const PIECES: &[&str] = &[
    "data: ",
    "data:",
    "data",
    "event: x",
    "id: 1",
    "retry: 5",
    ": ping",
    "Data: {}",
    "foo: 1",
    "\n",
    "\n",
    "\n\n",
    "\r\n",
    "\r\n\r\n",
    "\r",
    "\r\r",
    " ",
    "   ",
    "\t",
    "{}",
    "{\"type\":1}",
    "{\"schema\":1}",
    "{\"log\":{}}",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "\\\"",
    "\"a\"",
    "12",
    "null",
    "[1]",
    "\u{FEFF}",
    "é",
    "\0",
    "HTTP/1.1 200 OK",
    "HTTP/",
    "A: b",
    "x",
    "0123456789012345678901234567890123456789",
    "{\"a\":\n",
    "{\"type\":\"A\"}\n",
    "data: {\"type\":\"A\"}\n\n",
    "data: {\"type\":\"A\"}\r\n\r\n",
    "[{\"a\":1},\n{\"b\":2}]",
];

fn input() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        12 => prop::sample::select(PIECES).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 1..4),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn limits() -> impl Strategy<Value = Limits> {
    prop_oneof![0..40usize, 100..300usize, Just(1 << 20)]
        .prop_map(|frame_bytes| Limits { frame_bytes })
}

fn whole(input: &[u8], limits: Limits) -> Vec<Item> {
    let mut reader = FrameReader::new(limits);
    reader.push(input);
    reader.finish();
    std::iter::from_fn(|| reader.next_item()).collect()
}

fn cut(mut input: &[u8], limits: Limits, sizes: &[usize]) -> Vec<Item> {
    let mut reader = FrameReader::new(limits);
    let mut items = Vec::new();
    for size in sizes.iter().cycle() {
        if input.is_empty() {
            break;
        }
        let (now, later) = input.split_at((*size).min(input.len()));
        reader.push(now);
        items.extend(std::iter::from_fn(|| reader.next_item()));
        input = later;
    }
    reader.finish();
    items.extend(std::iter::from_fn(|| reader.next_item()));
    items
}

/// The line of a byte, counted in the plain way.
fn line_of(input: &[u8], byte: usize) -> u64 {
    let ends = (0..byte).filter(|&at| match input[at] {
        b'\n' => true,
        b'\r' => input.get(at + 1) != Some(&b'\n'),
        _ => false,
    });
    1 + ends.count() as u64
}

fn index_of(byte: u64) -> usize {
    usize::try_from(byte).unwrap_or(usize::MAX)
}

fn check_places(input: &[u8], items: &[Item], limits: Limits) {
    let mut index = 0;
    for item in items {
        match item {
            Item::Frame(frame) => {
                assert_eq!(frame.index, index);
                index += 1;
                assert!(frame.data.len() <= limits.frame_bytes);
                assert!(!frame.too_long || frame.data.is_empty());
                for (offset, &byte) in frame.data.iter().enumerate() {
                    let place = frame.locate(offset);
                    let at = index_of(place.byte);
                    let joint = byte == b'\n' && input[at] == b'\r';
                    assert!(input[at] == byte || joint, "offset {offset} of {frame:?}");
                    assert_eq!(place.line, line_of(input, at), "offset {offset} of {frame:?}");
                }
            }
            Item::Flaw(flaw) => {
                let at = index_of(flaw.byte);
                assert!(at <= input.len());
                assert_eq!(flaw.line, line_of(input, at), "{flaw:?}");
            }
            Item::Headers(head) => {
                let at = index_of(head.byte);
                assert_eq!(head.line, line_of(input, at));
            }
            Item::Format(_) => {}
        }
    }
    let frames = index;
    for item in items {
        if let Item::Flaw(flaw) = item {
            assert!(flaw.frame.is_none_or(|frame| frame < frames), "{flaw:?}");
        }
    }
    let formats = items.iter().filter(|item| matches!(item, Item::Format(_))).count();
    assert!(formats <= 1 && (formats == 1 || frames == 0));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn cuts_make_no_difference(
        input in input(),
        limits in limits(),
        sizes in prop::collection::vec(1..30usize, 1..8),
    ) {
        let items = whole(&input, limits);
        check_places(&input, &items, limits);
        prop_assert_eq!(&items, &cut(&input, limits, &[1]));
        prop_assert_eq!(&items, &cut(&input, limits, &sizes));
        // One read more at each place, which is where state could be lost.
        for at in 1..input.len() {
            prop_assert_eq!(&items, &cut(&input, limits, &[at, input.len()]));
        }
    }

    #[test]
    fn any_bytes_are_read(
        input in prop::collection::vec(any::<u8>(), 0..300),
        prefix in prop::sample::select(&["", "data: ", "{\"", "[", "HTTP/1.1 200 OK\n\n", "{\n"][..]),
        limits in limits(),
    ) {
        let input = [prefix.as_bytes(), &input].concat();
        let items = whole(&input, limits);
        check_places(&input, &items, limits);
        prop_assert_eq!(&items, &cut(&input, limits, &[1]));
        read_heads(&input);
    }
}
