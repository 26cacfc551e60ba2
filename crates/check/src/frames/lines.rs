//! Cutting a byte stream into lines, for SSE, NDJSON and HTTP heads alike.

use std::borrow::Cow;

use super::flaw::FlawKind;
use super::frame::{Place, grow};
use super::out::Out;
use super::scan::find_line_end;

/// What is kept of a line that is too long: enough to tell what kind of line it is.
pub(super) const KEPT: usize = 64;

/// How a line ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Lf,
    /// At a CR; [`LineSink::ended`] will say whether an LF belonged to it.
    Cr,
    /// With the input.
    Input,
}

/// A line without its end.
#[derive(Debug)]
pub(super) struct Line<'a> {
    /// Owned where it was put together from several reads, so that a long one is not copied
    /// again.
    pub(super) bytes: Cow<'a, [u8]>,
    /// Only the first [`KEPT`] bytes are there.
    pub(super) long: bool,
    pub(super) at: Place,
    pub(super) end: End,
}

/// Who takes the lines.
pub(super) trait LineSink {
    /// The longest line to be kept now, at least [`KEPT`]. It changes only as lines are
    /// taken.
    fn cap(&self) -> usize;
    /// Takes a line; returns whether it wants another one.
    fn line(&mut self, line: Line<'_>, out: &mut Out) -> bool;
    /// The last line, which ended in a CR, ended in `kind`; the CR is at `at`.
    fn ended(&mut self, kind: FlawKind, at: Place, out: &mut Out);
    /// The input has ended at `at`.
    fn finish(&mut self, at: Place, out: &mut Out);
}

/// The splitter. It keeps nothing but the line that is not yet whole, and never looks at a
/// byte twice.
#[derive(Debug)]
pub(super) struct Lines {
    kept: Vec<u8>,
    long: bool,
    /// Start of the line.
    start: Place,
    /// Offset of the next byte.
    byte: u64,
    /// The CR that ended the line before, until it is known whether an LF follows.
    cr: Option<Place>,
}

impl Lines {
    /// A splitter for bytes that start at `at`, a start of a line.
    pub(super) fn new(at: Place) -> Self {
        Self { kept: Vec::new(), long: false, start: at, byte: at.byte, cr: None }
    }

    /// Takes over the start of the first line, which holds no line end.
    pub(super) fn adopt(&mut self, part: Vec<u8>, cap: usize) {
        self.byte += part.len() as u64;
        if part.len() > cap {
            self.keep(&part, cap);
        } else {
            self.kept = part;
        }
    }

    /// Where the next line starts, and whether an LF there belongs to the line before.
    pub(super) fn place(&self) -> (Place, bool) {
        (self.start, self.cr.is_some())
    }

    /// Takes bytes; returns how many were used, which is all of them unless the sink said
    /// that it wants no more.
    pub(super) fn feed(&mut self, bytes: &[u8], sink: &mut impl LineSink, out: &mut Out) -> usize {
        let mut used = 0;
        while used < bytes.len() {
            if let Some(at) = self.cr.take() {
                if bytes[used] == b'\n' {
                    used += 1;
                    self.byte += 1;
                    self.start.byte = self.byte;
                    sink.ended(FlawKind::CrLf, at, out);
                    continue;
                }
                sink.ended(FlawKind::CarriageReturn, at, out);
            }
            let rest = &bytes[used..];
            let Some(length) = find_line_end(rest) else {
                self.keep(rest, sink.cap());
                self.byte += rest.len() as u64;
                return bytes.len();
            };
            let is_cr = rest[length] == b'\r';
            let end = if is_cr { End::Cr } else { End::Lf };
            let more = self.line(&rest[..length], end, sink, out);
            used += length + 1;
            self.byte += length as u64;
            if is_cr {
                self.cr = Some(Place { line: self.start.line, byte: self.byte });
            }
            self.byte += 1;
            self.start = Place { line: self.start.line + 1, byte: self.byte };
            if !more {
                break;
            }
        }
        used
    }

    /// The input has ended.
    pub(super) fn finish(&mut self, sink: &mut impl LineSink, out: &mut Out) {
        if let Some(at) = self.cr.take() {
            sink.ended(FlawKind::CarriageReturn, at, out);
        }
        let at = Place { line: self.start.line, byte: self.byte };
        if self.byte > self.start.byte {
            self.line(&[], End::Input, sink, out);
        }
        sink.finish(at, out);
    }

    fn line(&mut self, tail: &[u8], end: End, sink: &mut impl LineSink, out: &mut Out) -> bool {
        let cap = sink.cap();
        let at = self.start;
        if self.kept.is_empty() && !self.long && tail.len() <= cap {
            let bytes = Cow::Borrowed(tail);
            return sink.line(Line { bytes, long: false, at, end }, out);
        }
        self.keep(tail, cap);
        let bytes = Cow::Owned(std::mem::take(&mut self.kept));
        let long = std::mem::take(&mut self.long);
        sink.line(Line { bytes, long, at, end }, out)
    }

    fn keep(&mut self, bytes: &[u8], cap: usize) {
        if self.long {
            return;
        }
        if bytes.len() <= cap.saturating_sub(self.kept.len()) {
            grow(&mut self.kept, bytes, cap);
            return;
        }
        self.long = true;
        let missing = KEPT.saturating_sub(self.kept.len()).min(bytes.len());
        let mut start = self.kept[..self.kept.len().min(KEPT)].to_vec();
        start.extend_from_slice(&bytes[..missing]);
        self.kept = start;
    }
}
