//! One frame a line.

use super::flaw::{Flaw, FlawKind};
use super::frame::{Draft, Place};
use super::lines::{End, KEPT, Line, LineSink};
use super::out::Out;
use super::scan::is_blank;

#[derive(Debug)]
pub(super) struct Ndjson {
    limit: usize,
    /// A line that ended in a CR: its flaw comes first, and which one it is only the next
    /// byte tells.
    waiting: Option<Draft>,
}

impl Ndjson {
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, waiting: None }
    }
}

impl LineSink for Ndjson {
    fn cap(&self) -> usize {
        self.limit.max(KEPT)
    }

    fn line(&mut self, line: Line<'_>, out: &mut Out) -> bool {
        if !line.long && line.bytes.iter().all(|&byte| is_blank(byte)) {
            return true;
        }
        let mut draft = if line.long || line.bytes.len() > self.limit {
            Draft::too_long(line.at)
        } else {
            Draft::new(line.at, line.bytes.into_owned())
        };
        draft.truncated = line.end == End::Input;
        if line.end == End::Cr {
            self.waiting = Some(draft);
        } else {
            out.frame(draft);
        }
        true
    }

    fn ended(&mut self, kind: FlawKind, at: Place, out: &mut Out) {
        if let Some(mut draft) = self.waiting.take() {
            draft.flaws.push(Flaw::new(kind, at));
            out.frame(draft);
        }
    }

    fn finish(&mut self, _at: Place, _out: &mut Out) {}
}
