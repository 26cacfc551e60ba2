//! The reader: from pushed bytes to items, and the same over anything that can be read.

use std::io::{self, Read};

use super::detect::{Decision, Detect};
use super::flaw::FlawKind;
use super::frame::Place;
use super::head::Head;
use super::lines::{LineSink, Lines};
use super::ndjson::Ndjson;
use super::out::Out;
use super::scan::find_line_end;
use super::sse::Sse;
use super::values::Values;
use super::{Format, Item, Limits};

/// Cuts a stream of bytes into frames.
///
/// Bytes are pushed as they come, and everything that is complete can be taken at once. What
/// it keeps is at most the frame that is not complete yet and the items that were not taken:
/// pushed in pieces of moderate size, an input of any length needs the memory of its longest
/// frame. How the input is cut into pieces makes no difference to the items.
///
/// ```
/// use conform_check::frames::{Format, FrameReader, Item, Limits};
///
/// let mut reader = FrameReader::new(Limits::default());
/// reader.push(b"{\"type\":\"RUN_STARTED\"}\n{\"type\":\"RUN_");
/// assert_eq!(reader.next_item(), Some(Item::Format(Format::Ndjson)));
/// assert!(matches!(reader.next_item(), Some(Item::Frame(frame)) if frame.index == 0));
/// assert_eq!(reader.next_item(), None);
///
/// reader.push(b"FINISHED\"}");
/// reader.finish();
/// let Some(Item::Frame(last)) = reader.next_item() else { panic!("a frame") };
/// assert_eq!((last.index, last.line, last.byte), (1, 2, 23));
/// ```
#[derive(Debug)]
pub struct FrameReader {
    limits: Limits,
    out: Out,
    stage: Stage,
    format: Option<Format>,
    bytes: u64,
}

#[derive(Debug)]
enum Stage {
    Detect(Detect),
    Head(Lines, Head),
    Sse(Lines, Sse),
    Ndjson(Lines, Ndjson),
    Values(Values),
    /// Nothing more will be read: binary, or finished.
    Closed,
}

impl FrameReader {
    /// A reader at the start of an input.
    pub fn new(limits: Limits) -> Self {
        let start = Place { line: 1, byte: 0 };
        Self {
            limits,
            out: Out::default(),
            stage: Stage::Detect(Detect::new(limits.frame_bytes, start, false)),
            format: None,
            bytes: 0,
        }
    }

    /// Takes the next bytes of the input. After [`finish`](Self::finish) they are ignored.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.feed(bytes);
    }

    /// Says that the input has ended, so that what is still open is handed out. A second call
    /// does nothing.
    pub fn finish(&mut self) {
        loop {
            match std::mem::replace(&mut self.stage, Stage::Closed) {
                Stage::Detect(mut detect) => {
                    let Some(decision) = detect.finish(&mut self.out) else {
                        return;
                    };
                    if let Some(document) = detect.take_document() {
                        self.tell_format(Format::Document);
                        self.out.frame(document);
                        return;
                    }
                    self.decide(decision, detect);
                }
                Stage::Head(mut lines, mut head) => {
                    lines.finish(&mut head, &mut self.out);
                    self.stage = detection_after(&lines, self.limits);
                }
                Stage::Sse(mut lines, mut sse) => return lines.finish(&mut sse, &mut self.out),
                Stage::Ndjson(mut lines, mut ndjson) => {
                    return lines.finish(&mut ndjson, &mut self.out);
                }
                Stage::Values(mut values) => return values.finish(&mut self.out),
                Stage::Closed => return,
            }
        }
    }

    /// The next item that is complete, in the order of the input. `None` means that more
    /// bytes are needed or, after [`finish`](Self::finish), that there is nothing more.
    pub fn next_item(&mut self) -> Option<Item> {
        self.out.next()
    }

    /// The format, once it is known.
    pub fn format(&self) -> Option<Format> {
        self.format
    }

    /// How many bytes were pushed.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    fn feed(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let used = match &mut self.stage {
                Stage::Detect(detect) => {
                    let (used, decision) = detect.feed(bytes, &mut self.out);
                    if let Some(decision) = decision {
                        self.leave_detection(decision);
                    }
                    used
                }
                Stage::Head(lines, head) => {
                    let used = lines.feed(bytes, head, &mut self.out);
                    if head.done {
                        self.stage = detection_after(lines, self.limits);
                    }
                    used
                }
                Stage::Sse(lines, sse) => lines.feed(bytes, sse, &mut self.out),
                Stage::Ndjson(lines, ndjson) => lines.feed(bytes, ndjson, &mut self.out),
                Stage::Values(values) => {
                    values.feed(bytes, &mut self.out);
                    bytes.len()
                }
                Stage::Closed => return,
            };
            bytes = &bytes[used..];
        }
    }

    fn leave_detection(&mut self, decision: Decision) {
        if let Stage::Detect(detect) = std::mem::replace(&mut self.stage, Stage::Closed) {
            self.decide(decision, detect);
        }
    }

    fn tell_format(&mut self, format: Format) {
        self.format = Some(format);
        self.out.item(Item::Format(format));
    }

    /// Enters the stage that was decided on, with the bytes that it was decided by.
    fn decide(&mut self, decision: Decision, detect: Detect) {
        let at = detect.at;
        let mut kept = detect.kept;
        let limit = self.limits.frame_bytes;
        self.stage = match decision {
            Decision::Binary => {
                self.out.flaw(FlawKind::Binary, at);
                Stage::Closed
            }
            Decision::Head => Stage::Head(Lines::new(at), Head::new(at)),
            Decision::Format(format) => {
                self.tell_format(format);
                match format {
                    Format::Sse => Stage::Sse(Lines::new(at), Sse::new(limit)),
                    Format::Ndjson => {
                        let mut lines = Lines::new(at);
                        let ndjson = Ndjson::new(limit);
                        if find_line_end(&kept).is_none() {
                            // A long first line need not be there twice.
                            lines.adopt(std::mem::take(&mut kept), ndjson.cap());
                        }
                        Stage::Ndjson(lines, ndjson)
                    }
                    Format::JsonArray => Stage::Values(Values::array(limit, at)),
                    Format::Document => Stage::Values(Values::documents(limit, at)),
                }
            }
        };
        self.feed(&kept);
    }
}

fn detection_after(lines: &Lines, limits: Limits) -> Stage {
    let (at, after_cr) = lines.place();
    Stage::Detect(Detect::new(limits.frame_bytes, at, after_cr))
}

/// The items of anything that can be read, each as soon as it is complete: it never reads on
/// while an item is ready.
///
/// An error of the reader (other than an interruption, which is tried again) is yielded once
/// and counts as the end of the input: what was open comes after it, marked as truncated.
///
/// ```
/// use conform_check::frames::{Frames, Item, Limits};
///
/// let input = &b"data: {\"type\":\"RUN_STARTED\"}\n\n"[..];
/// let mut payloads = Vec::new();
/// for item in Frames::new(input, Limits::default()) {
///     if let Item::Frame(frame) = item? {
///         payloads.push(frame.data);
///     }
/// }
/// assert_eq!(payloads, [b"{\"type\":\"RUN_STARTED\"}"]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Frames<R> {
    input: R,
    reader: FrameReader,
    buffer: Vec<u8>,
    ended: bool,
}

impl<R: Read> Frames<R> {
    /// Bytes of one read.
    const READ: usize = 64 * 1024;

    /// Reads `input` from where it stands. It needs no buffer of its own.
    pub fn new(input: R, limits: Limits) -> Self {
        Self { input, reader: FrameReader::new(limits), buffer: vec![0; Self::READ], ended: false }
    }

    /// The reader behind it, for the format and the count of bytes.
    pub fn reader(&self) -> &FrameReader {
        &self.reader
    }
}

impl<R: Read> Iterator for Frames<R> {
    type Item = io::Result<Item>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(item) = self.reader.next_item() {
                return Some(Ok(item));
            }
            if self.ended {
                return None;
            }
            match self.input.read(&mut self.buffer) {
                Ok(0) => {
                    self.ended = true;
                    self.reader.finish();
                }
                Ok(count) => self.reader.push(&self.buffer[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.ended = true;
                    self.reader.finish();
                    return Some(Err(error));
                }
            }
        }
    }
}
