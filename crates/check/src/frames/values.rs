//! JSON values that are not bound to lines: the elements of one array, and whole documents.

use super::flaw::{Flaw, FlawKind};
use super::frame::{Draft, Place};
use super::out::Out;
use super::scan::{Cursor, Scan, find, is_blank};

/// Splits an array into its elements, or concatenated objects from each other.
#[derive(Debug)]
pub(super) struct Values {
    limit: usize,
    state: State,
    cursor: Cursor,
    scan: Scan,
    draft: Option<Draft>,
    /// Garbage was reported since the last value.
    reported: bool,
    in_array: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before the bracket that opens the array.
    Open,
    /// A value may start; in an array, the bracket may close it.
    First,
    /// A value must start.
    Next,
    /// A comma must come, or the array's end.
    Between,
    /// In a value that ends with its own bracket or quote.
    Value,
    /// In a number or a word.
    Scalar,
    /// Looking for a place where reading can go on.
    Garbage,
    /// After the array.
    Done,
}

impl Values {
    pub(super) fn array(limit: usize, at: Place) -> Self {
        Self::new(limit, at, true)
    }

    pub(super) fn documents(limit: usize, at: Place) -> Self {
        Self::new(limit, at, false)
    }

    fn new(limit: usize, at: Place, in_array: bool) -> Self {
        Self {
            limit,
            state: if in_array { State::Open } else { State::First },
            cursor: Cursor::new(at),
            scan: Scan::default(),
            draft: None,
            reported: false,
            in_array,
        }
    }

    pub(super) fn feed(&mut self, mut bytes: &[u8], out: &mut Out) {
        while !bytes.is_empty() {
            let used = match self.state {
                State::Value => self.value(bytes, out),
                State::Scalar => self.scalar(bytes, out),
                State::Garbage => self.garbage(bytes),
                _ => self.between(bytes, out),
            };
            bytes = &bytes[used..];
        }
    }

    pub(super) fn finish(&mut self, out: &mut Out) {
        if let Some(mut draft) = self.draft.take() {
            draft.truncated = true;
            draft.flaws.push(Flaw::new(FlawKind::UnterminatedFrame, draft.at));
            out.frame(draft);
        } else if self.in_array && self.state != State::Done {
            out.flaw(FlawKind::UnterminatedFrame, self.cursor.at);
        }
    }

    fn value(&mut self, bytes: &[u8], out: &mut Out) -> usize {
        let end = self.scan.advance(bytes);
        let used = end.unwrap_or(bytes.len());
        self.take(&bytes[..used]);
        if end.is_some() {
            self.hand_out(out);
        }
        used
    }

    fn scalar(&mut self, bytes: &[u8], out: &mut Out) -> usize {
        let end = find(bytes, |byte| is_blank(byte) || b",[]{}\"".contains(&byte));
        let used = end.unwrap_or(bytes.len());
        self.take(&bytes[..used]);
        if end.is_some() {
            self.hand_out(out);
        }
        used
    }

    fn take(&mut self, bytes: &[u8]) {
        if let Some(draft) = &mut self.draft {
            draft.append(bytes, self.limit);
        }
        self.cursor.pass(bytes);
    }

    fn hand_out(&mut self, out: &mut Out) {
        if let Some(draft) = self.draft.take() {
            out.frame(draft);
        }
        self.reported = false;
        self.state = if self.in_array { State::Between } else { State::First };
    }

    fn garbage(&mut self, bytes: &[u8]) -> usize {
        let end = if self.in_array {
            find(bytes, |byte| b",[]{\"".contains(&byte))
        } else {
            find(bytes, |byte| byte == b'{')
        };
        if end.is_some() {
            self.state = if self.in_array { State::Between } else { State::First };
        }
        let used = end.unwrap_or(bytes.len());
        self.cursor.pass(&bytes[..used]);
        used
    }

    /// White space, and then the byte that says what comes.
    fn between(&mut self, bytes: &[u8], out: &mut Out) -> usize {
        let blank = find(bytes, |byte| !is_blank(byte)).unwrap_or(bytes.len());
        self.cursor.pass(&bytes[..blank]);
        let Some(&byte) = bytes.get(blank) else {
            return blank;
        };
        if !self.in_array {
            if byte == b'{' {
                self.start(State::Value);
            } else {
                self.report(FlawKind::GarbageBetween, out);
                self.state = State::Garbage;
            }
            return blank;
        }
        match (self.state, byte) {
            (State::Done, _) => {
                self.report(FlawKind::TrailingData, out);
                self.cursor.pass(&bytes[blank..]);
                return bytes.len();
            }
            (State::Open, _) => self.state = State::First,
            (State::Between, b',') => self.state = State::Next,
            (State::First | State::Between, b']') => self.close(),
            (State::Next, b']') => {
                self.report(FlawKind::GarbageBetween, out);
                self.close();
            }
            (State::First | State::Next, b'{' | b'[' | b'"') => {
                self.start(State::Value);
                return blank;
            }
            (State::First | State::Next, b'-' | b'0'..=b'9' | b't' | b'f' | b'n') => {
                self.start(State::Scalar);
                return blank;
            }
            (State::Between, b'{' | b'[' | b'"') => {
                self.report(FlawKind::GarbageBetween, out);
                self.start(State::Value);
                return blank;
            }
            _ => {
                self.report(FlawKind::GarbageBetween, out);
                self.state = State::Garbage;
            }
        }
        self.cursor.pass(&bytes[blank..=blank]);
        blank + 1
    }

    fn close(&mut self) {
        self.state = State::Done;
        self.reported = false;
    }

    fn start(&mut self, state: State) {
        self.scan = Scan::default();
        self.draft = Some(Draft::new(self.cursor.at, Vec::new()));
        self.state = state;
    }

    fn report(&mut self, kind: FlawKind, out: &mut Out) {
        if !self.reported {
            self.reported = true;
            out.flaw(kind, self.cursor.at);
        }
    }
}
