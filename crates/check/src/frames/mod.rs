//! From bytes to frames.
//!
//! A *frame* is one payload that should carry one event: the data of an SSE frame, a line of
//! NDJSON, an element of a JSON array; a case file or a HAR is one frame as a whole. What an
//! input is, is told by its content:
//!
//! 1. A byte order mark and white space are skipped.
//! 2. `HTTP/`: heads as `curl -i` prints them, then the body, told in the same way.
//! 3. `[`: a JSON array.
//! 4. `{`: NDJSON when the object closes on its line, else documents. One object alone in
//!    the input that has no member `type` and has `schema`, `log`, or `threadId` and
//!    `messages`, is a document too.
//! 5. A line that starts with `data:`, `event:`, `id:`, `retry:` or `:` among the first ones:
//!    SSE.
//! 6. Other text is NDJSON, of which no line will decode; what is no text is not read.
//!
//! [`FrameReader`] takes bytes and gives [`Item`]s, [`Frames`] does it over a
//! [`Read`](std::io::Read). Nothing here fails: whatever is odd about the bytes is a
//! [`Flaw`], and reading goes on.

mod detect;
mod flaw;
mod frame;
mod head;
mod lines;
mod ndjson;
mod out;
mod reader;
mod scan;
mod sse;
mod values;

pub use flaw::{Flaw, FlawKind};
pub use frame::{Frame, Place};
pub use head::{ResponseHead, read_heads};
pub use reader::{FrameReader, Frames};

/// What an input is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Server-sent events (`text/event-stream`): a frame ends at a blank line.
    Sse,
    /// JSON Lines: a frame ends with its line.
    Ndjson,
    /// One JSON array, however it is laid out: a frame is an element.
    JsonArray,
    /// JSON objects over several lines, or a single object that is no event, such as a case
    /// file or a HAR: a frame is a whole object.
    Document,
}

impl Format {
    /// The name that reports use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sse => "sse",
            Self::Ndjson => "ndjson",
            Self::JsonArray => "json-array",
            Self::Document => "document",
        }
    }
}

/// What the reader keeps at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Longest payload of a frame, in bytes. A longer one is skipped and handed out empty,
    /// with [`FlawKind::FrameTooLong`]. An SSE frame pays 25 bytes more for each `data:` line
    /// after its first.
    pub frame_bytes: usize,
}

impl Limits {
    /// The limit of a frame unless the user says otherwise: 64 MiB.
    pub const FRAME_BYTES: usize = 64 << 20;
}

impl Default for Limits {
    fn default() -> Self {
        Self { frame_bytes: Self::FRAME_BYTES }
    }
}

/// What the reader gives, in the order of the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// The format, once, when it is known: before the first frame, after the heads. An empty
    /// or binary input has none.
    Format(Format),
    /// A head of an HTTP response. Several may come before the body (100 Continue, redirects,
    /// a proxy's answer).
    Headers(ResponseHead),
    /// A frame.
    Frame(Frame),
    /// A flaw. Those of a frame come before it, ordered by their place; only a CR at its very
    /// end, which does not yet show whether an LF follows, may be told right after it.
    Flaw(Flaw),
}
