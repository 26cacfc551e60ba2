//! What can be wrong with the bytes themselves, before any JSON is read.

use super::Place;

/// Something about the bytes of an input that a conforming producer would not send, or that
/// a person who reads the report should know.
///
/// A flaw never stops the reader: whatever can still be read is read. Which flaws are
/// errors, which are warnings and which may pass is for the consumer to say; a
/// [`CrLf`](FlawKind::CrLf), for instance, is legal in an SSE stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Flaw {
    /// What is wrong.
    pub kind: FlawKind,
    /// Offset in the input, in bytes and from 0, of the first byte concerned.
    pub byte: u64,
    /// Line of that byte, from 1.
    pub line: u64,
    /// [`Frame::index`](super::Frame::index) of the frame it belongs to; `None` where it
    /// belongs to none.
    pub frame: Option<u64>,
}

impl Flaw {
    pub(super) fn new(kind: FlawKind, at: Place) -> Self {
        Self { kind, byte: at.byte, line: at.line, frame: None }
    }
}

/// The kinds of [`Flaw`]. Unless it says otherwise a kind is reported at most once a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FlawKind {
    /// The input, or the body after an HTTP head, starts with a UTF-8 byte order mark. It is
    /// skipped.
    ByteOrderMark,
    /// A line ends in a bare CR. SSE allows it; few parsers understand it. Reported for SSE
    /// and NDJSON, at the first line of a frame that does not end in LF alone.
    CarriageReturn,
    /// A line ends in CR LF. Reported like [`CarriageReturn`](Self::CarriageReturn).
    CrLf,
    /// A frame holds a byte that is not UTF-8; the flaw is at the first one.
    InvalidUtf8,
    /// A frame holds a raw NUL byte; the flaw is at the first one.
    NulByte,
    /// A frame is longer than [`Limits::frame_bytes`](super::Limits::frame_bytes). Its
    /// content was skipped; it is handed out empty and marked.
    FrameTooLong,
    /// A line of an SSE stream holds what looks like payload, and is no `data:` line, so
    /// clients ignore it. A whole object is still handed out as a frame of its own.
    PayloadOutsideData,
    /// A line of an SSE stream is neither a known field nor a comment; clients ignore it.
    UnknownField,
    /// The input ends where a frame is still open: no blank line after an SSE frame, no
    /// closing bracket of a JSON value or of the array around the frames. An NDJSON line
    /// without its newline is no flaw.
    UnterminatedFrame,
    /// An SSE frame has `data:` lines and nothing but white space in them.
    EmptyData,
    /// An SSE frame has several `data:` lines, joined with LF as the specification says. The
    /// flaw is at the payload of the second one.
    ManyDataLines,
    /// The input, or the body after an HTTP head, is empty or only white space.
    NoData,
    /// The input is no text. Nothing of it is handed out.
    Binary,
    /// Something other than one comma stands between two elements of a JSON array, or
    /// something other than white space between two documents. Reading goes on at the next
    /// value. Reported once a gap.
    GarbageBetween,
    /// More than white space follows the closing bracket of the array. It is not read.
    TrailingData,
    /// An HTTP head is longer than 1 MiB or 100,000 lines. What is beyond is skipped.
    HeadTooLong,
    /// The input ends inside an HTTP head.
    UnterminatedHead,
}

impl FlawKind {
    /// Every kind, in the order of the declaration.
    pub const ALL: [Self; 17] = [
        Self::ByteOrderMark,
        Self::CarriageReturn,
        Self::CrLf,
        Self::InvalidUtf8,
        Self::NulByte,
        Self::FrameTooLong,
        Self::PayloadOutsideData,
        Self::UnknownField,
        Self::UnterminatedFrame,
        Self::EmptyData,
        Self::ManyDataLines,
        Self::NoData,
        Self::Binary,
        Self::GarbageBetween,
        Self::TrailingData,
        Self::HeadTooLong,
        Self::UnterminatedHead,
    ];

    /// One sentence for a person, without the place.
    ///
    /// ```
    /// use conform_check::frames::FlawKind;
    ///
    /// assert_eq!(FlawKind::NulByte.describe(), "The frame holds a raw NUL byte.");
    /// ```
    pub fn describe(self) -> &'static str {
        match self {
            Self::ByteOrderMark => "The input starts with a byte order mark.",
            Self::CarriageReturn => "A line ends in a bare CR.",
            Self::CrLf => "A line ends in CR LF.",
            Self::InvalidUtf8 => "The frame holds bytes that are not UTF-8.",
            Self::NulByte => "The frame holds a raw NUL byte.",
            Self::FrameTooLong => "The frame is longer than the limit and was skipped.",
            Self::PayloadOutsideData => {
                "The line looks like payload and is no `data:` line, so clients ignore it."
            }
            Self::UnknownField => {
                "The line is neither a field that SSE knows nor a comment, so clients ignore it."
            }
            Self::UnterminatedFrame => "The input ends before the frame does.",
            Self::EmptyData => "The frame has a `data:` field without any payload.",
            Self::ManyDataLines => "The frame has more than one `data:` line.",
            Self::NoData => "The input holds no data.",
            Self::Binary => "The input is binary and was not read.",
            Self::GarbageBetween => "Something that belongs to neither stands between two values.",
            Self::TrailingData => "More data follows the end of the array and was not read.",
            Self::HeadTooLong => "The HTTP head is longer than the limit; the rest was skipped.",
            Self::UnterminatedHead => "The input ends inside the HTTP head.",
        }
    }
}
