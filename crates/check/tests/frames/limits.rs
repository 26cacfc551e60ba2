//! Long frames, and the reader over a `Read`.

use std::io::{self, Read};

use conform_check::frames::{FlawKind, Format, FrameReader, Frames, Item, Limits};

use crate::{flaws, format, frames, payloads, read_with};

const SMALL: Limits = Limits { frame_bytes: 100 };

#[test]
fn long_frames_are_skipped_and_take_an_index() {
    let exact = "x".repeat(100);
    let long = "x".repeat(101);
    for (input, places) in [
        (format!("{{}}\n{exact}\n{long}\n{{}}\n"), [3, 104]),
        (format!("data:{{}}\n\ndata:{exact}\n\ndata:{long}\n\ndata:{{}}\n\n"), [14, 121]),
        (format!("[{{}},\"{}\",\"{}\",{{}}]", &exact[2..], &long[2..]), [4, 105]),
    ] {
        let items = read_with(input.as_bytes(), SMALL);
        let got: Vec<_> = frames(&items)
            .iter()
            .map(|frame| (frame.index, frame.data.len(), frame.too_long))
            .collect();
        assert_eq!(got, [(0, 2, false), (1, 100, false), (2, 0, true), (3, 2, false)]);
        assert_eq!(frames(&items)[1].byte, places[0]);
        assert_eq!(
            flaws(&items),
            [(FlawKind::FrameTooLong, places[1], frames(&items)[2].line, Some(2))]
        );
    }
}

#[test]
fn long_first_line_is_ndjson() {
    let long = format!("{{\"a\":\"{}\"}}\n{{}}\n", "x".repeat(3000));
    let items = read_with(long.as_bytes(), SMALL);
    assert_eq!(format(&items), Some(Format::Ndjson));
    assert_eq!(payloads(&items), ["", "{}"]);
}

#[test]
fn long_frame_of_many_data_lines() {
    let input = format!("{}\ndata: 1\n\n", "data: 0123456789\n".repeat(20));
    let items = read_with(input.as_bytes(), SMALL);
    assert_eq!(payloads(&items), ["", "1"]);
    assert_eq!(flaws(&items)[0], (FlawKind::FrameTooLong, 6, 1, Some(0)));
}

/// Gives `unit` again and again.
struct Repeat {
    unit: &'static [u8],
    left: usize,
}

impl Read for Repeat {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut count = 0;
        while self.left > 0 && count + self.unit.len() <= buffer.len() {
            buffer[count..count + self.unit.len()].copy_from_slice(self.unit);
            count += self.unit.len();
            self.left -= 1;
        }
        Ok(count)
    }
}

#[test]
fn line_of_70_mib_with_the_default_limit() {
    const PART: usize = 1 << 10;
    for (start, end, after) in [
        (&b"{\"a\":\""[..], &b"\"}\n"[..], &b"{}\n"[..]),
        (b"data: ", b"\n\n", b"data: {}\n\n"),
        (b"[\"", b"\",", b"{}]"),
        (b"{\n\"a\":\"", b"\"}", b"\n{}"),
    ] {
        let body = Repeat { unit: &[b'x'; PART], left: 70 * 1024 };
        let input = start.chain(body).chain(end).chain(after);
        let items: Vec<_> = Frames::new(input, Limits::default()).map(Result::unwrap).collect();
        assert_eq!(payloads(&items), ["", "{}"]);
        assert_eq!(flaws(&items).len(), 1);
        assert!(frames(&items)[0].too_long);
        let body = Repeat { unit: &[b'x'; PART], left: 63 * 1024 };
        let input = start.chain(body).chain(end).chain(after);
        let items: Vec<_> = Frames::new(input, Limits::default()).map(Result::unwrap).collect();
        let whole = frames(&items)[0].data.len();
        assert!(whole >= 63 << 20);
        assert!(frames(&items)[0].data.capacity() <= (64 << 20) + 2048);
    }
}

/// One byte a read, and an error or a panic where it must not get to.
struct Steps<'a> {
    bytes: &'a [u8],
    fail: bool,
    interrupted: bool,
}

impl Read for Steps<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.interrupted = !self.interrupted;
        if self.interrupted {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let Some((first, rest)) = self.bytes.split_first() else {
            return if self.fail { Err(io::ErrorKind::ConnectionReset.into()) } else { Ok(0) };
        };
        buffer[0] = *first;
        self.bytes = rest;
        Ok(1)
    }
}

#[test]
fn reader_never_reads_ahead() {
    let input = Steps { bytes: b"{}\n{}\n", fail: true, interrupted: false };
    let mut items = Frames::new(input, Limits::default());
    assert!(matches!(items.next(), Some(Ok(Item::Format(Format::Ndjson)))));
    assert_eq!(items.reader().bytes(), 2);
    assert!(matches!(items.next(), Some(Ok(Item::Frame(_)))));
    assert_eq!(items.reader().bytes(), 3);
    assert!(matches!(items.next(), Some(Ok(Item::Frame(_)))));
    assert!(matches!(items.next(), Some(Err(_))));
    assert!(items.next().is_none());
}

#[test]
fn reader_hands_out_what_was_open_at_an_error() {
    let input = Steps { bytes: b"data: {}\n", fail: true, interrupted: false };
    let items: Vec<_> = Frames::new(input, Limits::default()).collect();
    assert!(items[1].is_err());
    assert!(matches!(items.last(), Some(Ok(Item::Frame(frame))) if frame.truncated));
}

#[test]
fn finish_twice_and_push_after_it() {
    let mut reader = FrameReader::new(Limits::default());
    reader.push(b"{}");
    reader.finish();
    reader.push(b"\n{}\n");
    reader.finish();
    let items: Vec<_> = std::iter::from_fn(|| reader.next_item()).collect();
    assert_eq!(frames(&items).len(), 1);
    assert_eq!(reader.format(), Some(Format::Ndjson));
}

#[test]
fn every_kind_is_described() {
    for kind in FlawKind::ALL {
        assert!(kind.describe().ends_with('.'), "{kind:?}");
    }
}
