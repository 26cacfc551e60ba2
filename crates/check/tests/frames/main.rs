//! The rules of the frame reader, one by one, and what holds for every input.

mod detect;
mod limits;
mod lines;
mod props;
mod sse;
mod values;

use conform_check::frames::{FlawKind, Format, Frame, FrameReader, Item, Limits, ResponseHead};

fn read_with(input: &[u8], limits: Limits) -> Vec<Item> {
    let mut reader = FrameReader::new(limits);
    reader.push(input);
    reader.finish();
    std::iter::from_fn(|| reader.next_item()).collect()
}

fn read(input: impl AsRef<[u8]>) -> Vec<Item> {
    read_with(input.as_ref(), Limits::default())
}

/// What can be taken without an end of the input.
fn ready(input: impl AsRef<[u8]>) -> Vec<String> {
    let mut reader = FrameReader::new(Limits::default());
    reader.push(input.as_ref());
    payloads(&std::iter::from_fn(|| reader.next_item()).collect::<Vec<_>>())
}

fn frames(items: &[Item]) -> Vec<&Frame> {
    items
        .iter()
        .filter_map(|item| match item {
            Item::Frame(frame) => Some(frame),
            _ => None,
        })
        .collect()
}

fn payloads(items: &[Item]) -> Vec<String> {
    frames(items).iter().map(|frame| String::from_utf8_lossy(&frame.data).into_owned()).collect()
}

/// Kind, byte, line and frame of each flaw.
fn flaws(items: &[Item]) -> Vec<(FlawKind, u64, u64, Option<u64>)> {
    items
        .iter()
        .filter_map(|item| match item {
            Item::Flaw(flaw) => Some((flaw.kind, flaw.byte, flaw.line, flaw.frame)),
            _ => None,
        })
        .collect()
}

fn format(items: &[Item]) -> Option<Format> {
    let formats: Vec<_> = items
        .iter()
        .filter_map(|item| match item {
            Item::Format(format) => Some(*format),
            _ => None,
        })
        .collect();
    assert!(formats.len() <= 1, "the format is told once");
    formats.first().copied()
}

fn heads(items: &[Item]) -> Vec<&ResponseHead> {
    items
        .iter()
        .filter_map(|item| match item {
            Item::Headers(head) => Some(head),
            _ => None,
        })
        .collect()
}

#[track_caller]
fn expect(input: impl AsRef<[u8]>, kind: Format, wanted: &[&str]) -> Vec<Item> {
    let items = read(input);
    assert_eq!(format(&items), Some(kind));
    assert_eq!(payloads(&items), wanted);
    items
}
