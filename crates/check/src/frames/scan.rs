//! Looking for bytes quickly, counting lines, and finding where a JSON value ends without
//! parsing it.

use super::frame::Place;

/// Index of the first byte that `wanted` accepts. Whole blocks are tested without a branch a
/// byte, which the compiler turns into vector instructions.
pub(super) fn find(bytes: &[u8], wanted: impl Fn(u8) -> bool + Copy) -> Option<usize> {
    let mut blocks = bytes.chunks_exact(32);
    let mut base = 0;
    for block in blocks.by_ref() {
        if block.iter().fold(false, |hit, &byte| hit | wanted(byte)) {
            break;
        }
        base += block.len();
    }
    bytes[base..].iter().position(|&byte| wanted(byte)).map(|index| base + index)
}

/// Index of the first LF or CR.
pub(super) fn find_line_end(bytes: &[u8]) -> Option<usize> {
    find(bytes, |byte| byte == b'\n' || byte == b'\r')
}

/// White space of JSON.
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Follows the place in the input.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor {
    pub(super) at: Place,
    /// The byte before was a CR, so that an LF now belongs to the same line end.
    pub(super) after_cr: bool,
}

impl Cursor {
    pub(super) fn new(at: Place) -> Self {
        Self { at, after_cr: false }
    }

    pub(super) fn pass(&mut self, mut bytes: &[u8]) {
        self.at.byte += bytes.len() as u64;
        while let Some(end) = find_line_end(bytes) {
            let lf_of_crlf = end == 0 && self.after_cr && bytes[0] == b'\n';
            if !lf_of_crlf {
                self.at.line += 1;
            }
            self.after_cr = bytes[end] == b'\r';
            bytes = &bytes[end + 1..];
        }
        if !bytes.is_empty() {
            self.after_cr = false;
        }
    }
}

/// Finds the end of a JSON value that starts with a bracket or a quote. A counter stands for
/// the stack, so that depth costs nothing; brackets of the wrong kind are for the parser to
/// find.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Scan {
    depth: u64,
    in_string: bool,
    escaped: bool,
}

impl Scan {
    pub(super) fn depth(self) -> u64 {
        self.depth
    }

    pub(super) fn in_string(self) -> bool {
        self.in_string
    }

    /// Goes through more bytes of the value; returns how many of them belong to it once its
    /// last one is among them.
    pub(super) fn advance(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut next = 0;
        while next < bytes.len() {
            if self.escaped {
                self.escaped = false;
                next += 1;
                continue;
            }
            let rest = &bytes[next..];
            let found = if self.in_string {
                find(rest, |byte| byte == b'"' || byte == b'\\')
            } else {
                // `{` and `[`, and their partners, differ in bit 5 only.
                find(rest, |byte| byte == b'"' || byte | 0x20 == b'{' || byte | 0x20 == b'}')
            };
            next += found? + 1;
            match bytes[next - 1] {
                b'\\' => self.escaped = true,
                b'"' => self.in_string = !self.in_string,
                b'{' | b'[' => self.depth += 1,
                _ => self.depth = self.depth.saturating_sub(1),
            }
            if self.depth == 0 && !self.in_string {
                return Some(next);
            }
        }
        None
    }
}

/// The names of an object's own members, as they are spelled, escapes and all.
pub(super) fn member_names(object: &[u8]) -> Vec<&[u8]> {
    let mut names = Vec::new();
    let mut scan = Scan::default();
    let mut string = 0..0;
    for (index, &byte) in object.iter().enumerate() {
        let was_in_string = scan.in_string;
        let closed = scan.advance(&[byte]).is_some();
        if scan.depth == 1 && scan.in_string != was_in_string {
            if scan.in_string {
                string.start = index + 1;
            } else {
                string.end = index;
            }
        }
        let after_string = !scan.in_string && string.end > 0;
        if after_string && scan.depth == 1 && byte == b':' {
            names.extend(object.get(string.clone()));
        }
        if after_string && byte != b'"' && !is_blank(byte) {
            string = 0..0;
        }
        if closed {
            break;
        }
    }
    names
}
