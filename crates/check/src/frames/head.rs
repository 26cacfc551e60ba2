//! The status line and headers that `curl -i` puts before a body, and `.headers` files.

use super::Item;
use super::flaw::FlawKind;
use super::frame::Place;
use super::lines::{KEPT, Line, LineSink, Lines};
use super::out::Out;
use super::scan::Cursor;

/// Longest head that is kept, in bytes.
const HEAD_BYTES: usize = 1 << 20;
/// Most lines of a head that are kept.
const HEAD_LINES: usize = 100_000;

/// The head of an HTTP response as it was recorded.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ResponseHead {
    /// The version as it stands in the status line, such as `HTTP/1.1` or `HTTP/2`; empty
    /// where a file of headers has no status line.
    pub version: String,
    /// The status code; `None` where it is missing or no number.
    pub status: Option<u16>,
    /// The reason phrase, empty where there is none (HTTP/2 has none).
    pub reason: String,
    /// Names, in the case they were sent in, and values without the white space around them,
    /// in the order of the input; a name may occur more than once. A line without a colon is
    /// a name with an empty value. Bytes that are not UTF-8 are replaced by U+FFFD.
    pub headers: Vec<(String, String)>,
    /// Line of the input, from 1, of the first line of the head.
    pub line: u64,
    /// Offset in the input, in bytes and from 0, of the head's first byte.
    pub byte: u64,
}

impl ResponseHead {
    /// The first value of a header, whatever the case of its name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }
}

/// Reads a file of response headers: what `curl -D FILE` writes, or the start of what
/// `curl -i` prints. Several heads (100 Continue, redirects, a proxy's answer) come in
/// order, so that the last one belongs to the body. A file without status line is read as
/// one head, what is behind the last head is not looked at, and no input is an error: an
/// empty one has no heads. Of a head beyond 1 MiB or 100,000 lines only the start is kept.
///
/// ```
/// use conform_check::frames::read_heads;
///
/// let heads = read_heads(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n");
/// assert_eq!(heads[0].status, Some(200));
/// assert_eq!(heads[0].header("content-type"), Some("text/event-stream"));
/// ```
pub fn read_heads(bytes: &[u8]) -> Vec<ResponseHead> {
    let mut heads = Vec::new();
    let mut rest = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let skipped = (bytes.len() - rest.len()) as u64;
    let mut cursor = Cursor::new(Place { line: 1, byte: skipped });
    loop {
        let blank = rest.len() - rest.trim_ascii_start().len();
        cursor.pass(&rest[..blank]);
        rest = &rest[blank..];
        if rest.is_empty() || (!heads.is_empty() && !rest.starts_with(b"HTTP/")) {
            return heads;
        }
        let mut out = Out::default();
        let mut lines = Lines::new(cursor.at);
        let mut head = Head::new(cursor.at);
        let used = lines.feed(rest, &mut head, &mut out);
        (cursor.at, cursor.after_cr) = lines.place();
        rest = &rest[used..];
        if !head.done {
            lines.finish(&mut head, &mut out);
        }
        heads.push(head.response);
    }
}

/// A head that is being read.
#[derive(Debug)]
pub(super) struct Head {
    response: ResponseHead,
    pub(super) done: bool,
    bytes: usize,
    lines: usize,
    too_long: bool,
}

impl Head {
    pub(super) fn new(at: Place) -> Self {
        let response = ResponseHead { line: at.line, byte: at.byte, ..ResponseHead::default() };
        Self { response, done: false, bytes: 0, lines: 0, too_long: false }
    }

    fn add(&mut self, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        if self.lines == 1 && text.starts_with("HTTP/") {
            let mut parts = text.trim_end().splitn(3, ' ');
            self.response.version = parts.next().map(str::to_owned).unwrap_or_default();
            self.response.status = parts.next().and_then(|status| status.parse().ok());
            self.response.reason =
                parts.next().map(|text| text.trim().to_owned()).unwrap_or_default();
        } else if text.starts_with([' ', '\t'])
            && let Some((_, value)) = self.response.headers.last_mut()
        {
            // A folded line: obsolete, and still a part of the value before.
            value.push(' ');
            value.push_str(text.trim());
        } else {
            let (name, value) = text.split_once(':').unwrap_or((&text, ""));
            self.response.headers.push((name.trim().to_owned(), value.trim().to_owned()));
        }
    }

    fn finish_with(&mut self, out: &mut Out) {
        self.done = true;
        out.item(Item::Headers(self.response.clone()));
    }
}

impl LineSink for Head {
    fn cap(&self) -> usize {
        HEAD_BYTES.saturating_sub(self.bytes).max(KEPT)
    }

    fn line(&mut self, line: Line<'_>, out: &mut Out) -> bool {
        if line.bytes.is_empty() {
            self.finish_with(out);
            return false;
        }
        self.bytes = self.bytes.saturating_add(line.bytes.len());
        self.lines = self.lines.saturating_add(1);
        let fits = !line.long && self.bytes <= HEAD_BYTES && self.lines <= HEAD_LINES;
        if fits && !self.too_long {
            self.add(&line.bytes);
        } else if !self.too_long {
            self.too_long = true;
            out.flaw(FlawKind::HeadTooLong, line.at);
        }
        true
    }

    fn ended(&mut self, _kind: FlawKind, _at: Place, _out: &mut Out) {}

    fn finish(&mut self, at: Place, out: &mut Out) {
        if !self.done {
            out.flaw(FlawKind::UnterminatedHead, at);
            self.finish_with(out);
        }
    }
}
