//! Server-sent events, as the WHATWG specification parses them.

use std::borrow::Cow;

use super::Item;
use super::flaw::{Flaw, FlawKind};
use super::frame::{Draft, Place, Segment, grow};
use super::lines::{End, KEPT, Line, LineSink};
use super::out::Out;
use super::scan::{Scan, is_blank};

/// What a frame with several `data:` lines costs for each further one, beside its bytes.
const LINE_COST: usize = size_of::<Segment>();
/// What a frame that is held back costs, beside its bytes.
const HELD_COST: usize = size_of::<Draft>() + size_of::<Flaw>();
/// Most that is held back.
const HELD_BYTES: usize = 1 << 20;

/// The block of lines up to the next blank one.
#[derive(Debug)]
pub(super) struct Sse {
    limit: usize,
    open: Option<Draft>,
    /// Flaws of the block, each kind once.
    flaws: Vec<Flaw>,
    /// Payloads outside `data:` lines that stand below an open frame: they come after it.
    held: Vec<Draft>,
    held_bytes: usize,
    ending: Ending,
}

/// Whose the end of the line is that was just taken.
#[derive(Debug, Clone, Copy)]
enum Ending {
    /// The open block's.
    Block,
    /// A frame's that was handed out already (or that of a block without one): it could not
    /// wait for the byte that tells what kind of end this is.
    Late(Option<u64>),
    /// Of a frame that has such a flaw already.
    Known,
}

/// What a line is.
enum Kind {
    Comment,
    /// A `data` field; the value starts here.
    Data(usize),
    /// `event`, `id` and `retry`, which say nothing about events of AG-UI.
    OtherField,
    /// Payload in a place where clients do not look for it.
    Outside(usize),
    /// Looks like a part of a payload.
    Fragment,
    Unknown,
}

impl Sse {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            limit,
            open: None,
            flaws: Vec::new(),
            held: Vec::new(),
            held_bytes: 0,
            ending: Ending::Block,
        }
    }

    /// Bytes that the block may still take.
    fn room(&self) -> usize {
        let open = self
            .open
            .as_ref()
            .map_or(0, |draft| draft.data.len() + draft.more.len().saturating_mul(LINE_COST));
        self.limit.saturating_sub(open).saturating_sub(self.held_bytes)
    }

    fn flaw(&mut self, kind: FlawKind, at: Place) {
        if self.flaws.iter().all(|flaw| flaw.kind != kind) {
            self.flaws.push(Flaw::new(kind, at));
        }
    }

    fn data(&mut self, line: Line<'_>, value: usize) {
        let at = after(line.at, value);
        let room = self.room();
        let Some(draft) = &mut self.open else {
            let fits = !line.long && line.bytes.len() - value <= room;
            self.open = Some(if fits {
                Draft::new(at, without_start(line.bytes, value))
            } else {
                Draft::too_long(at)
            });
            return;
        };
        let value = &line.bytes[value..];
        if draft.too_long || line.long || value.len().saturating_add(LINE_COST + 1) > room {
            draft.give_up();
        } else {
            grow(&mut draft.data, b"\n", self.limit);
            draft.more.push(Segment { start: draft.data.len(), at });
            grow(&mut draft.data, value, self.limit);
        }
        self.flaw(FlawKind::ManyDataLines, at);
    }

    fn outside(&mut self, line: Line<'_>, payload: usize, out: &mut Out) {
        let at = after(line.at, payload);
        let cost = (line.bytes.len() - payload).saturating_add(HELD_COST);
        let room = self.room().min(HELD_BYTES.saturating_sub(self.held_bytes));
        if self.open.is_some() && cost > room {
            // Holding back more would be without bound: the order of the input is kept, and
            // the frame ends here.
            self.dispatch(out);
        }
        let fits = !line.long && line.bytes.len() - payload <= self.limit;
        let truncated = line.end == End::Input;
        let mut draft = if fits {
            Draft::new(at, without_start(line.bytes, payload))
        } else {
            Draft::too_long(at)
        };
        draft.truncated = truncated;
        draft.flaws.push(Flaw::new(FlawKind::PayloadOutsideData, at));
        if self.open.is_some() {
            self.held_bytes += cost;
            self.held.push(draft);
        } else {
            let index = out.frame(draft);
            self.ending = Ending::Late(Some(index));
        }
    }

    /// Hands out what the block holds; returns the index of its frame.
    fn dispatch(&mut self, out: &mut Out) -> Option<u64> {
        let mut flaws = std::mem::take(&mut self.flaws);
        let index = self.open.take().map(|mut draft| {
            let blank = draft.data.iter().all(|&byte| is_blank(byte));
            if blank && !draft.too_long {
                flaws.push(Flaw::new(FlawKind::EmptyData, draft.at));
            }
            draft.flaws.append(&mut flaws);
            out.frame(draft)
        });
        for flaw in flaws {
            out.flaw(flaw.kind, Place { line: flaw.line, byte: flaw.byte });
        }
        self.held_bytes = 0;
        for draft in std::mem::take(&mut self.held) {
            out.frame(draft);
        }
        index
    }
}

impl LineSink for Sse {
    fn cap(&self) -> usize {
        self.room().saturating_add(KEPT)
    }

    fn line(&mut self, line: Line<'_>, out: &mut Out) -> bool {
        self.ending = Ending::Block;
        if line.bytes.is_empty() {
            let ending_known = self.flaws.iter().any(|flaw| is_ending(flaw.kind));
            let index = self.dispatch(out);
            self.ending = if ending_known { Ending::Known } else { Ending::Late(index) };
            return true;
        }
        let at = line.at;
        match classify(&line, self.open.is_some()) {
            Kind::Comment | Kind::OtherField => {}
            Kind::Data(value) => self.data(line, value),
            Kind::Outside(payload) => self.outside(line, payload, out),
            Kind::Fragment => self.flaw(FlawKind::PayloadOutsideData, at),
            Kind::Unknown => {
                // The start of a field name that the end of the input cut off.
                let cut = line.end == End::Input
                    && [&b"data"[..], b"event", b"id", b"retry"]
                        .iter()
                        .any(|name| name.starts_with(&line.bytes));
                if !cut {
                    self.flaw(FlawKind::UnknownField, at);
                }
            }
        }
        true
    }

    fn ended(&mut self, kind: FlawKind, at: Place, out: &mut Out) {
        match self.ending {
            Ending::Known => {}
            Ending::Late(frame) => {
                let mut flaw = Flaw::new(kind, at);
                flaw.frame = frame;
                out.item(Item::Flaw(flaw));
            }
            Ending::Block => {
                if self.flaws.iter().all(|flaw| !is_ending(flaw.kind)) {
                    self.flaw(kind, at);
                }
            }
        }
    }

    fn finish(&mut self, _at: Place, out: &mut Out) {
        if let Some(draft) = &mut self.open {
            draft.truncated = true;
            let at = draft.at;
            if draft.data.is_empty() && !draft.too_long {
                // Cut off before the payload: there is nothing to judge.
                self.open = None;
            }
            self.flaw(FlawKind::UnterminatedFrame, at);
        }
        self.dispatch(out);
    }
}

fn is_ending(kind: FlawKind) -> bool {
    matches!(kind, FlawKind::CrLf | FlawKind::CarriageReturn)
}

fn after(at: Place, bytes: usize) -> Place {
    Place { line: at.line, byte: at.byte + bytes as u64 }
}

fn without_start(bytes: Cow<'_, [u8]>, start: usize) -> Vec<u8> {
    match bytes {
        Cow::Borrowed(bytes) => bytes[start..].to_vec(),
        Cow::Owned(mut bytes) => {
            bytes.drain(..start);
            bytes
        }
    }
}

fn classify(line: &Line<'_>, frame_is_open: bool) -> Kind {
    let bytes = &*line.bytes;
    if let Some(value) = field(bytes, b"data") {
        return Kind::Data(value);
    }
    if bytes.first() == Some(&b':') {
        return Kind::Comment;
    }
    if [&b"event"[..], b"id", b"retry"].iter().any(|name| field(bytes, name).is_some()) {
        return Kind::OtherField;
    }
    let indent = bytes.iter().take_while(|&&byte| is_blank(byte)).count();
    match bytes.get(indent) {
        // Below an open frame a lone bracket is more likely the rest of a payload that was
        // broken into lines than an event of its own.
        Some(b'{') if !frame_is_open || Scan::default().advance(bytes).is_some() => {
            Kind::Outside(indent)
        }
        Some(b'{' | b'}' | b'[' | b']' | b'"') => Kind::Fragment,
        _ => match bytes.iter().position(|&byte| byte == b':') {
            // `Data:`, ` data:`, `data :`.
            Some(colon) if bytes[..colon].trim_ascii().eq_ignore_ascii_case(b"data") => {
                Kind::Outside(value_start(bytes, colon))
            }
            _ => Kind::Unknown,
        },
    }
}

/// Start of the value when the line is the field `name`.
fn field(line: &[u8], name: &[u8]) -> Option<usize> {
    match line.strip_prefix(name)?.first() {
        None => Some(name.len()),
        Some(b':') => Some(value_start(line, name.len())),
        Some(_) => None,
    }
}

fn value_start(line: &[u8], colon: usize) -> usize {
    let space = line.get(colon + 1) == Some(&b' ');
    colon + 1 + usize::from(space)
}
