//! A frame, the draft it grows from, and the way back from its bytes to the input.

use super::flaw::Flaw;

/// A place in the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    /// The line, from 1. Lines end at LF, at CR LF and at a bare CR.
    pub line: u64,
    /// The offset in bytes, from 0.
    pub byte: u64,
}

/// One payload that should carry one event: the data of an SSE frame, a line of NDJSON, an
/// element of a JSON array, or a whole JSON document.
///
/// ```
/// use conform_check::frames::{FrameReader, Item, Limits};
///
/// let mut reader = FrameReader::new(Limits::default());
/// reader.push(b"data: {\ndata: \"type\":1}\n\n");
/// let frame = std::iter::from_fn(|| reader.next_item())
///     .find_map(|item| match item {
///         Item::Frame(frame) => Some(frame),
///         _ => None,
///     })
///     .expect("the blank line ends the frame");
/// assert_eq!(frame.data, b"{\n\"type\":1}");
/// // Byte 2 of the payload is the first one of the second `data:` line.
/// let place = frame.locate(2);
/// assert_eq!((place.line, place.byte), (2, 14));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Index of the frame, from 0. Every frame takes one, decodable or not, one that is too
    /// long as well; frames are handed out in the order of their indexes.
    pub index: u64,
    /// Line of the input, from 1, at which the payload starts.
    pub line: u64,
    /// Offset in the input, in bytes and from 0, of the payload's first byte.
    pub byte: u64,
    /// The payload as it was sent, not even checked to be UTF-8. Empty when
    /// [`too_long`](Self::too_long).
    pub data: Vec<u8>,
    /// The input ended before the frame's own end: the newline, the blank line or the closing
    /// bracket is missing. The payload may be whole all the same.
    pub truncated: bool,
    /// The payload was longer than [`Limits::frame_bytes`](super::Limits::frame_bytes) and
    /// was not kept.
    pub too_long: bool,
    more: Vec<Segment>,
}

/// Where in the input the payload goes on after a jump.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) start: usize,
    pub(super) at: Place,
}

impl Frame {
    /// The place in the input of the byte at `offset` in [`data`](Self::data). The LF that
    /// joins two `data:` lines is found at the end of the first one. An offset beyond the
    /// payload counts as its end.
    ///
    /// The cost grows with the length of the payload: meant for findings, not for each byte.
    pub fn locate(&self, offset: usize) -> Place {
        let offset = offset.min(self.data.len());
        let after = self.more.partition_point(|segment| segment.start <= offset);
        let (start, at) = match after.checked_sub(1).and_then(|last| self.more.get(last)) {
            Some(segment) => (segment.start, segment.at),
            None => (0, Place { line: self.line, byte: self.byte }),
        };
        let mut line = at.line;
        for index in start..offset {
            match self.data[index] {
                b'\n' => line += 1,
                // The LF of a CR LF is what ends its line.
                b'\r' if self.data.get(index + 1) != Some(&b'\n') => line += 1,
                _ => {}
            }
        }
        Place { line, byte: at.byte + (offset - start) as u64 }
    }
}

/// A frame that is still growing.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) at: Place,
    pub(super) data: Vec<u8>,
    pub(super) more: Vec<Segment>,
    pub(super) truncated: bool,
    pub(super) too_long: bool,
    pub(super) flaws: Vec<Flaw>,
}

impl Draft {
    pub(super) fn new(at: Place, data: Vec<u8>) -> Self {
        Self { at, data, more: Vec::new(), truncated: false, too_long: false, flaws: Vec::new() }
    }

    pub(super) fn too_long(at: Place) -> Self {
        let mut draft = Self::new(at, Vec::new());
        draft.give_up();
        draft
    }

    /// Forgets the payload: it is beyond the limit.
    pub(super) fn give_up(&mut self) {
        self.too_long = true;
        self.data = Vec::new();
        self.more = Vec::new();
    }

    /// Adds bytes that follow in the input on those that are there.
    pub(super) fn append(&mut self, bytes: &[u8], limit: usize) {
        if self.too_long {
            return;
        }
        if bytes.len() > limit.saturating_sub(self.data.len()) {
            self.give_up();
        } else {
            grow(&mut self.data, bytes, limit);
        }
    }

    pub(super) fn into_frame(self, index: u64) -> (Frame, Vec<Flaw>) {
        let frame = Frame {
            index,
            line: self.at.line,
            byte: self.at.byte,
            data: self.data,
            truncated: self.truncated,
            too_long: self.too_long,
            more: self.more,
        };
        (frame, self.flaws)
    }
}

/// Appends, and lets the capacity double only up to `limit`: a payload just below the limit
/// must not cost twice the limit.
pub(super) fn grow(buffer: &mut Vec<u8>, bytes: &[u8], limit: usize) {
    let needed = buffer.len() + bytes.len();
    if needed > buffer.capacity() {
        let target = needed.max(buffer.capacity().saturating_mul(2).min(limit));
        buffer.reserve_exact(target - buffer.len());
    }
    buffer.extend_from_slice(bytes);
}
