//! Telling what an input is by its first bytes.
//!
//! Every decision falls at the first byte that allows it, so that it cannot depend on how
//! the bytes were cut into reads.

use super::Format;
use super::flaw::FlawKind;
use super::frame::{Draft, Place};
use super::out::Out;
use super::scan::{Cursor, Scan, find, find_line_end, is_blank, member_names};

const BOM: &[u8] = b"\xEF\xBB\xBF";
/// White space at the start of a line that is kept as a part of it.
const INDENT: usize = 1024;
/// How much text may come before the first line that tells the format.
const TEXT_BYTES: usize = 1024;
const TEXT_LINES: usize = 8;

/// What the input is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decision {
    Format(Format),
    Head,
    Binary,
}

/// Keeps the first bytes until they tell what they are.
#[derive(Debug)]
pub(super) struct Detect {
    limit: usize,
    /// What was kept: from the start of the line on, without the blank lines before.
    pub(super) kept: Vec<u8>,
    /// Where it starts.
    pub(super) at: Place,
    origin: Place,
    cursor: Cursor,
    /// At the start, an LF ends the line before.
    after_cr: bool,
    state: State,
}

#[derive(Debug, Clone, Copy)]
enum State {
    /// Nothing but white space so far; `true` while a byte order mark may still come.
    Blank(bool),
    /// Something else than a bracket.
    Text { start: usize, line: usize, lines: usize },
    /// In the first line of an object.
    Object(Scan),
    /// The first line has ended and the object has not; `true` when an object may follow on
    /// such a line.
    OpenLine(bool),
    /// One whole object that is no event: a document, if nothing else comes.
    Single(usize),
}

impl Detect {
    /// Looks at a body that starts at `at`; `after_cr` when an LF there would belong to the
    /// line before.
    pub(super) fn new(limit: usize, at: Place, after_cr: bool) -> Self {
        Self {
            limit,
            kept: Vec::new(),
            at,
            origin: at,
            cursor: Cursor::new(at),
            after_cr,
            state: State::Blank(true),
        }
    }

    /// Looks at more bytes; returns how many of them it kept or dropped, and what the input
    /// is as soon as that is known.
    pub(super) fn feed(&mut self, bytes: &[u8], out: &mut Out) -> (usize, Option<Decision>) {
        let mut used = 0;
        if std::mem::take(&mut self.after_cr) && bytes.first() == Some(&b'\n') {
            used = 1;
            self.cursor.at.byte += 1;
            self.origin = self.cursor.at;
            self.restart();
        }
        while used < bytes.len() {
            let rest = &bytes[used..];
            let (more, decision) = match self.state {
                State::Object(scan) => self.object(scan, rest),
                _ => (1, self.byte(rest[0], out)),
            };
            used += more;
            if decision.is_some() {
                return (used, decision);
            }
        }
        (used, None)
    }

    /// The input has ended: what is it, and is there anything in it?
    pub(super) fn finish(&mut self, out: &mut Out) -> Option<Decision> {
        match self.state {
            State::Blank(_) if self.kept.iter().all(|&byte| is_blank(byte)) => {
                out.flaw(FlawKind::NoData, self.origin);
                None
            }
            State::Blank(_) => Some(self.judge_text(0)),
            State::Text { start, .. } => Some(self.judge_text(start)),
            State::Object(_) | State::OpenLine(_) => Some(Decision::Format(Format::Ndjson)),
            State::Single(_) => Some(Decision::Format(Format::Document)),
        }
    }

    /// The document that is the whole input, when that is what the end of it showed.
    pub(super) fn take_document(&mut self) -> Option<Draft> {
        let State::Single(end) = self.state else {
            return None;
        };
        let mut data = std::mem::take(&mut self.kept);
        data.truncate(end);
        let indent = data.iter().take_while(|&&byte| is_blank(byte)).count();
        data.drain(..indent);
        let at = Place { line: self.at.line, byte: self.at.byte + indent as u64 };
        let fits = data.len() <= self.limit;
        Some(if fits { Draft::new(at, data) } else { Draft::too_long(at) })
    }

    fn byte(&mut self, byte: u8, out: &mut Out) -> Option<Decision> {
        self.kept.push(byte);
        self.cursor.pass(&[byte]);
        match self.state {
            State::Blank(bom) => self.blank(byte, bom, out),
            State::Text { start, line, lines } => self.text(byte, start, line, lines),
            State::OpenLine(object_may_follow) => {
                if is_blank(byte) {
                    return self.full();
                }
                let broken_line = byte == b'{' && !object_may_follow;
                let format = if broken_line { Format::Ndjson } else { Format::Document };
                Some(Decision::Format(format))
            }
            State::Single(_) if is_blank(byte) => self.full(),
            _ => Some(Decision::Format(Format::Ndjson)),
        }
    }

    fn blank(&mut self, byte: u8, bom: bool, out: &mut Out) -> Option<Decision> {
        if bom && self.kept == BOM {
            out.flaw(FlawKind::ByteOrderMark, self.at);
            self.restart();
            self.state = State::Blank(false);
            return None;
        }
        if bom && BOM.starts_with(&self.kept) {
            return None;
        }
        let indent = self.kept.len() - 1;
        if is_blank(byte) {
            if find_line_end(&[byte]).is_some() || self.kept.len() > INDENT {
                self.restart();
            }
            self.state = State::Blank(false);
            return None;
        }
        // Bytes that looked like a mark and were none are text.
        let clean = self.kept[..indent].iter().all(|&byte| is_blank(byte));
        match byte {
            b'[' if clean => Some(Decision::Format(Format::JsonArray)),
            b'{' if clean => {
                let mut scan = Scan::default();
                scan.advance(b"{");
                self.state = State::Object(scan);
                None
            }
            _ => {
                let start = if clean { indent } else { 0 };
                self.text(byte, start, start, 0)
            }
        }
    }

    /// What is kept so far tells nothing.
    fn restart(&mut self) {
        self.kept.clear();
        self.at = self.cursor.at;
    }

    /// `start`: of the text; `line`: of the first byte of the line that is not blank.
    fn text(&mut self, byte: u8, start: usize, line: usize, lines: usize) -> Option<Decision> {
        let (mut line, mut lines) = (line, lines);
        if byte == 0 {
            return Some(Decision::Binary);
        }
        let text = &self.kept[line..];
        let is_field = [&b":"[..], b"data:", b"event:", b"id:", b"retry:"]
            .iter()
            .any(|field| text.eq_ignore_ascii_case(field));
        if is_field || matches!(text, b"data\n" | b"data\r") {
            return Some(Decision::Format(Format::Sse));
        }
        if line == start && text == b"HTTP/" {
            return Some(Decision::Head);
        }
        if text == b"{" && line > start {
            return Some(Decision::Format(Format::Ndjson));
        }
        if find_line_end(&[byte]).is_some() && text.len() > 1 {
            lines += 1;
        }
        if text.len() == 1 && is_blank(byte) || find_line_end(&[byte]).is_some() {
            line = self.kept.len();
        }
        self.state = State::Text { start, line, lines };
        let enough = lines == TEXT_LINES || self.kept.len() - start == TEXT_BYTES;
        enough.then(|| self.judge_text(start))
    }

    /// Text that no line of tells what it is: lines to be refused one by one, if it is text.
    fn judge_text(&self, start: usize) -> Decision {
        let text = &self.kept[start..];
        let control = text
            .iter()
            .filter(|&&byte| byte.is_ascii_control() && !byte.is_ascii_whitespace())
            .count();
        let broken: usize = text.utf8_chunks().map(|chunk| chunk.invalid().len()).sum();
        if (control + broken) * 4 > text.len() {
            Decision::Binary
        } else {
            Decision::Format(Format::Ndjson)
        }
    }

    /// The first line of an object, in bulk: it may be as long as a frame.
    fn object(&mut self, mut scan: Scan, bytes: &[u8]) -> (usize, Option<Decision>) {
        let bytes = &bytes[..bytes.len().min(self.cap() - self.kept.len())];
        let line_end = find_line_end(bytes);
        let line = &bytes[..line_end.unwrap_or(bytes.len())];
        if let Some(end) = scan.advance(line) {
            self.keep(&line[..end]);
            self.state = State::Single(self.kept.len());
            let decision = (!self.may_be_document()).then_some(Decision::Format(Format::Ndjson));
            return (end, decision.or_else(|| self.full()));
        }
        self.keep(line);
        self.state = State::Object(scan);
        let Some(end) = line_end else {
            return (line.len(), self.full());
        };
        let last = self.kept.iter().rfind(|&&byte| !is_blank(byte)).copied();
        self.keep(&bytes[end..=end]);
        // JSON has no line breaks inside strings: the line is broken, and a line.
        if scan.in_string() {
            return (end + 1, Some(Decision::Format(Format::Ndjson)));
        }
        self.state = State::OpenLine(match last {
            Some(b':' | b'[') => true,
            Some(b',') => scan.depth() > 1,
            _ => false,
        });
        (end + 1, self.full())
    }

    fn keep(&mut self, bytes: &[u8]) {
        super::frame::grow(&mut self.kept, bytes, self.limit);
        self.cursor.pass(bytes);
    }

    /// An object without `type` that has the members that make a case file, a HAR or a run
    /// input.
    fn may_be_document(&self) -> bool {
        let start = find(&self.kept, |byte| byte == b'{').unwrap_or(0);
        let names = member_names(&self.kept[start..]);
        let has = |name: &[u8]| names.contains(&name);
        let is_input = has(b"threadId") && has(b"messages");
        !has(b"type") && (has(b"schema") || has(b"log") || is_input)
    }

    fn cap(&self) -> usize {
        self.limit.saturating_add(INDENT + 1)
    }

    /// A line that is longer than a frame may be needs no more looking at.
    fn full(&self) -> Option<Decision> {
        (self.kept.len() >= self.cap()).then_some(Decision::Format(Format::Ndjson))
    }
}
