//! The same stream, cut and framed in several ways.

use std::io::{self, Read};

use conform_check::frames::{FlawKind, Format, FrameReader, Frames, Item};
use conform_check::{Checker, Finding, Options, Outcome};
use conform_event::decode;

use crate::Recording;

/// However a recording is cut into pieces, the same is read and found; however its events are
/// framed, the same is found about them.
///
/// # Panics
///
/// Where that is not so.
pub fn splits(recording: &Recording<'_>) {
    let pieces = recording.pieces();
    let items = items(recording, [recording.bytes]);
    assert_eq!(items, self::items(recording, recording.bytes.chunks(1)), "byte by byte");
    assert_eq!(items, self::items(recording, pieces.iter().copied()), "in {pieces:?}");
    let read = Frames::new(Pieces(pieces.iter()), recording.options.limits);
    let read: Vec<Item> = read.map(|item| item.expect("it never fails")).collect();
    assert_eq!(items, read, "read in {pieces:?}");

    let whole = recording.judged([recording.bytes]);
    same(&whole, &recording.judged(recording.bytes.chunks(1)));
    same(&whole, &recording.judged(pieces));
    let mut checker = Checker::new(recording.options.clone());
    checker.push(recording.bytes);
    let interrupted = checker.interrupt().findings;
    assert!(whole.findings.starts_with(&interrupted), "interrupted: {interrupted:?}");
    line_ends(&items, &whole);
    framed(recording, &items);
}

fn items<'p>(recording: &Recording<'_>, pieces: impl IntoIterator<Item = &'p [u8]>) -> Vec<Item> {
    let mut reader = FrameReader::new(recording.options.limits);
    let mut items = Vec::new();
    for piece in pieces {
        reader.push(piece);
        items.extend(std::iter::from_fn(|| reader.next_item()));
    }
    reader.finish();
    items.extend(std::iter::from_fn(|| reader.next_item()));
    items
}

/// Gives its pieces one by one. An empty one would be the end.
struct Pieces<'p>(std::slice::Iter<'p, &'p [u8]>);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let piece = self.0.find(|piece| !piece.is_empty()).copied().unwrap_or_default();
        buffer[..piece.len()].copy_from_slice(piece);
        Ok(piece.len())
    }
}

fn same(one: &Outcome, other: &Outcome) {
    let Outcome { findings, notes, features, .. } = one;
    assert_eq!(findings, &other.findings);
    assert_eq!(notes, &other.notes);
    assert_eq!(features, &other.features);
    assert_eq!(counted(one), counted(other));
    assert_eq!(one.format, other.format);
    assert_eq!(one.first_rejected, other.first_rejected);
    assert_eq!(one.declared_version, other.declared_version);
    assert_eq!(one.unreadable, other.unreadable);
}

fn counted(outcome: &Outcome) -> ([u64; 6], [&[u64]; 3]) {
    let Outcome { bytes, events, runs, dropped, errors, warnings, .. } = outcome;
    let all = [*bytes, *events, *runs, *dropped, *errors, *warnings];
    (all, [&outcome.checked, &outcome.found, &outcome.broken])
}

/// The first line of an SSE stream that does not end in LF alone is a finding, at its frame.
fn line_ends(items: &[Item], outcome: &Outcome) {
    if outcome.format != Some(Format::Sse) || outcome.dropped > 0 || outcome.unreadable.is_some() {
        return;
    }
    let first = items.iter().find_map(|item| match item {
        Item::Flaw(flaw) if matches!(flaw.kind, FlawKind::CarriageReturn | FlawKind::CrLf) => {
            Some((flaw.frame, Some(flaw.byte)))
        }
        _ => None,
    });
    let found = outcome.findings.iter().find(|f| f.requirement.id == "sse/line-feeds");
    assert_eq!(found.map(|finding| (finding.event, finding.byte)), first);
}

/// The events of the recording as SSE, as JSON Lines and as an array.
fn framed(recording: &Recording<'_>, items: &[Item]) {
    let data = items.iter().filter_map(|item| match item {
        Item::Frame(frame) => Some(frame.data.trim_ascii()),
        _ => None,
    });
    let events: Vec<&[u8]> = data
        .filter(|data| !data.contains(&b'\n') && !data.contains(&b'\r'))
        // One object with a type is an event in every format.
        .filter(|data| {
            decode(data)
                .is_ok_and(|event| event.flaws.is_empty() && event.json.get("type").is_some())
        })
        .collect();
    if events.is_empty() {
        return;
    }
    let judged = |before: &[u8], between: &[u8], after: &[u8]| {
        let mut checker =
            Checker::new(Options { limits: Default::default(), ..recording.options.clone() });
        checker.push(&[before, &events.join(between), after].concat());
        let findings = checker.finish().findings;
        findings.into_iter().map(placeless).collect::<Vec<_>>()
    };
    let lines = judged(b"", b"\n", b"\n");
    assert_eq!(lines, judged(b"data: ", b"\n\ndata: ", b"\n\n"), "lines and SSE");
    assert_eq!(lines, judged(b"[", b",", b"]"), "lines and an array");
}

fn placeless(finding: Finding) -> Finding {
    let related = finding.related.map(|related| conform_check::Position { line: 0, ..related });
    Finding { line: None, byte: None, related, ..finding }
}
